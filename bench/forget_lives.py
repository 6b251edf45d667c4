"""Lives to be replayed: public conversations as memories in their own dates, and questions asked after the end.

Nothing of the data ships; a folder is given. LoCoMo: each turn is a memory. LongMemEval (the lite form, the first
500 characters of each session's user turns): each session is one, and each question has a life of its own.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

TOLD, HEARD = "asks what was told", "asks what the assistant said"
_TUNED_ON = 3  # conversations of LoCoMo, and every second question of LongMemEval
_ADVERSARIAL = 5  # a category of LoCoMo whose questions have no answer
_TURN = re.compile(r"D:?(\d+):(\d+)")
_ASSISTANT_SAID = (
    "single-session-assistant"  # a type of LongMemEval's questions; the lite form has the user's turns only
)
_SESSION = re.compile(r"session_(\d+)")


@dataclass(frozen=True, slots=True)
class Told:
    """Something said, when it was said, and the name by which questions refer to it."""

    key: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the keys of everything that answers it."""

    text: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Life:
    """What one owner was told, in order, and what is asked at the end."""

    corpus: str
    name: str
    told: tuple[Told, ...]
    questions: tuple[Question, ...]
    seen: bool  # the rules of importance were tuned on it
    heard: bool = False  # its question is about what the assistant said, of which no memory holds a word

    def groups(self) -> tuple[str, ...]:
        """By which its figures are told besides those of all lives."""
        return "tuned on" if self.seen else "unseen", HEARD if self.heard else TOLD


def lives(folder: Path, *, quick: bool) -> list[Life]:
    """Every life the folder holds; `quick` takes two conversations, and fewer questions of LongMemEval."""
    return [*_locomo(folder, quick), *_longmemeval(folder, every=25 if quick else 3)]


def _locomo(folder: Path, quick: bool) -> Iterator[Life]:
    conversations = [one for path in sorted(folder.glob("locomo/locomo*.json")) for one in _read(path)]
    for place, sample in enumerate(conversations):
        # Of the quick two, one is of those the rules were tuned on.
        if quick and place not in (0, _TUNED_ON):
            continue
        told = tuple(_turns(sample["conversation"]))
        known = {one.key for one in told}
        questions = tuple(_locomo_questions(sample["qa"], known))
        yield Life("LoCoMo", str(sample["sample_id"]), told, questions, place < _TUNED_ON)


def _turns(conversation: Mapping[str, Any]) -> Iterator[Told]:
    numbers = sorted(int(found[1]) for name in conversation if (found := _SESSION.fullmatch(name)))
    for number in numbers:
        at = _instant(conversation[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y")
        for turn in conversation[f"session_{number}"]:
            caption = f" ({turn['blip_caption']})" if turn.get("blip_caption") else ""
            yield Told(turn["dia_id"], f"{turn['speaker']}: {turn['text']}{caption}", at)


def _locomo_questions(asked: Sequence[Mapping[str, Any]], known: set[str]) -> Iterator[Question]:
    for one in asked:
        keys = (f"D{int(session)}:{int(turn)}" for said in one["evidence"] for session, turn in _TURN.findall(said))
        evidence = tuple(key for key in dict.fromkeys(keys) if key in known)
        if evidence and one["category"] != _ADVERSARIAL:
            yield Question(one["question"], evidence)


def _longmemeval(folder: Path, every: int) -> Iterator[Life]:
    for path in sorted(folder.glob("longmemeval/lme_s_lite*.json.gz")):
        held = _read(path)
        answerable = [one for one in held["questions"] if not one["question_id"].endswith("_abs")]
        for place, one in enumerate(answerable):
            if place % every:
                continue
            told = [
                Told(key, held["sessions"][key], _instant(at, "%Y/%m/%d (%a) %H:%M")) for key, at in one["haystack"]
            ]
            told = [each for each in told if each.text.strip()]
            known = {each.key for each in told}
            evidence = tuple(key for key in dict.fromkeys(one["answer_session_ids"]) if key in known)
            if evidence:
                question = Question(one["question"], evidence)
                in_order = tuple(sorted(told, key=lambda each: each.at))
                heard = one["question_type"] == _ASSISTANT_SAID
                yield Life("LongMemEval", one["question_id"], in_order, (question,), place % 2 == 0, heard)


def _read(path: Path) -> Any:
    packed = path.read_bytes()
    return json.loads(gzip.decompress(packed) if path.suffix == ".gz" else packed)


def _instant(said: str, form: str) -> datetime:
    return datetime.strptime(said, form).replace(tzinfo=UTC)
