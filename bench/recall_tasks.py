"""What is told and what is asked: public conversations, each with its own questions. Nothing of the data ships.

LoCoMo by turns: every turn is a memory, and evidence are turns. LoCoMo by summaries: each session's summary is one, and
what counts is whether the answer stands in what came back. LongMemEval (the lite form, the first 500 characters of each
session's user turns): every session is one, and each question has a haystack of its own.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

TURNS, SUMMARIES, SESSIONS = "LoCoMo, turns", "LoCoMo, summaries", "LongMemEval, sessions"
KINDS = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single-hop"}
LOOKED_AT, CHECKED_ON = "looked at", "checked on"
_LOOKED_AT = 3  # conversations; of LongMemEval every second question
_QUICK = (0, _LOOKED_AT)
_QUICK_EVERY = 13
_TURN = re.compile(r"D:?(\d+):(\d+)")
_NUMBER = re.compile(r"session_(\d+)(?:_summary)?")


@dataclass(frozen=True, slots=True)
class Told:
    """Something said: its name in the data, when, and in which session."""

    key: str
    text: str
    at: datetime
    session: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A question of some kind, what answers it, and the answer."""

    text: str
    kind: str
    evidence: tuple[str, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class Task:
    """What one owner is told, in order, and then asked."""

    corpus: str
    name: str
    half: str
    told: tuple[Told, ...]
    asked: tuple[Ask, ...]


def tasks(folder: Path, *, quick: bool = False) -> list[Task]:
    """Everything the folder holds; `quick` takes two conversations and every thirteenth question of LongMemEval."""
    return [*_locomo(folder, quick), *_longmemeval(folder, quick)]


def _locomo(folder: Path, quick: bool) -> Iterator[Task]:
    samples = [sample for path in sorted(folder.glob("locomo/locomo*.json")) for sample in _read(path)]
    for place, sample in enumerate(samples):
        if quick and place not in _QUICK:
            continue
        name, half = str(sample["sample_id"]), LOOKED_AT if place < _LOOKED_AT else CHECKED_ON
        dates = _dates(sample["conversation"])
        turns = tuple(_turns(sample["conversation"], dates))
        known = {one.key for one in turns}
        asked = [_ask(one, known) for one in sample["qa"] if one["category"] in KINDS]
        yield Task(TURNS, name, half, turns, tuple(one for one in asked if one.evidence))
        summaries = tuple(_summaries(sample.get("session_summary", {}), dates))
        if summaries:
            yield Task(SUMMARIES, name, half, summaries, tuple(one for one in asked if one.answer))


def _dates(conversation: Mapping[str, Any]) -> dict[int, datetime]:
    numbers = sorted(int(found[1]) for name in conversation if (found := _NUMBER.fullmatch(name)))
    form = "%I:%M %p on %d %B, %Y"
    return {number: _instant(conversation[f"session_{number}_date_time"], form) for number in numbers}


def _turns(conversation: Mapping[str, Any], dates: Mapping[int, datetime]) -> Iterator[Told]:
    for number, at in dates.items():
        for turn in conversation[f"session_{number}"]:
            caption = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
            yield Told(turn["dia_id"], f"{turn['speaker']}: {turn['text']}{caption}", at, f"session {number}")


def _summaries(said: Mapping[str, str], dates: Mapping[int, datetime]) -> Iterator[Told]:
    found = {int(match[1]): text for name, text in said.items() if (match := _NUMBER.fullmatch(name))}
    for number, text in sorted(found.items()):
        yield Told(f"S{number}", text, dates[number], f"session {number}")


def _ask(one: Mapping[str, Any], known: set[str]) -> Ask:
    said = one.get("evidence", [])
    keys = (f"D{int(session)}:{int(turn)}" for text in said for session, turn in _TURN.findall(text))
    evidence = tuple(key for key in dict.fromkeys(keys) if key in known)
    return Ask(one["question"], KINDS[one["category"]], evidence, str(one.get("answer", "")))


def _longmemeval(folder: Path, quick: bool) -> Iterator[Task]:
    for path in sorted(folder.glob("longmemeval/lme_s_lite*.json.gz")):
        held = _read(path)
        answerable = [one for one in held["questions"] if not one["question_id"].endswith("_abs")]
        for place, one in enumerate(answerable):
            if quick and place % _QUICK_EVERY:
                continue
            told = [
                Told(key, held["sessions"][key], _instant(at, "%Y/%m/%d (%a) %H:%M"), key)
                for key, at in one["haystack"]
            ]
            told = sorted((each for each in told if each.text.strip()), key=lambda each: each.at)
            known = {each.key for each in told}
            evidence = tuple(key for key in dict.fromkeys(one["answer_session_ids"]) if key in known)
            if evidence:
                ask = Ask(one["question"], one["question_type"], evidence, str(one["answer"]))
                half = CHECKED_ON if place % 2 else LOOKED_AT
                yield Task(SESSIONS, one["question_id"], half, tuple(told), (ask,))


def _read(path: Path) -> Any:
    packed = path.read_bytes()
    return json.loads(gzip.decompress(packed) if path.suffix == ".gz" else packed)


def _instant(said: str, form: str) -> datetime:
    return datetime.strptime(said, form).replace(tzinfo=UTC)
