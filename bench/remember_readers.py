"""Public data out of a folder, as it stands there: facts that change, chats, pairs of sentences, texts with claims.

Nothing of it ships. A file that is missing gives nothing; a section that finds nothing says so.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .forget_lives import lives

_NUMBERED = re.compile(r"(\d+)\. (.+)")
_TURN_MARK = re.compile(r"\s*->->[\s\d,.]*$")  # BEAM's own note of which line of its plan a turn came from
_SAME_MEANING = 4.0  # of 5 in STS-B: from here on two sentences say the same, but for details


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about numbered facts: the one that answers it, its rivals, and whether a later one contradicts it."""

    question: str
    answers: tuple[str, ...]
    gold: int
    stale: tuple[int, ...]
    mislabelled: bool  # the larger number wins, and a larger one says otherwise


@dataclass(frozen=True, slots=True)
class Context:
    """Facts in the order in which they were told, and what is asked at the end."""

    name: str
    facts: tuple[str, ...]
    asked: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """Something said in a chat."""

    key: str
    role: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Probe:
    """A question about two statements of a chat: the turns of either, and what each says in other words."""

    question: str
    answer: str
    turns: tuple[tuple[str, ...], tuple[str, ...]]
    says: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat, what was updated in it, and what was said and denied in it."""

    name: str
    turns: tuple[Turn, ...]
    updates: tuple[Probe, ...]
    contradictions: tuple[Probe, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """What was said first and what was said then; mostly a sentence each."""

    source: str
    label: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    place: int = 0  # in its file


@dataclass(frozen=True, slots=True)
class Claimed:
    """A text and the claims that people found in it."""

    text: str
    claims: tuple[str, ...]


def contexts(folder: Path) -> list[Context]:
    """FactConsolidation, the contexts with single-hop questions whose gold facts are known."""
    asked: dict[str, list[Asked]] = {}
    for path in sorted(folder.glob("factconsolidation/sh_gold*.jsonl")):
        for one in read_lines(path):
            asked.setdefault(one["source"], []).append(
                Asked(
                    one["question"],
                    tuple(one["answers"]),
                    one["gold_idx"],
                    tuple(place for place, _ in one["stale"]),
                    bool(one["later_conflict"]),
                )
            )
    told = [one for path in sorted(folder.glob("factconsolidation/contexts*.json.gz")) for one in _read(path)]
    return [
        Context(one["source"], tuple(_numbered(one["context"])), tuple(asked[one["source"]]))
        for one in told
        if one["source"] in asked
    ]


def _numbered(text: str) -> Iterator[str]:
    """The facts; their numbers run from 0, so that the place of one is its number."""
    found = [(int(line[1]), line[2]) for line in map(_NUMBERED.fullmatch, text.splitlines()) if line]
    if [number for number, _ in found] != list(range(len(found))):
        raise ValueError("the facts of a context are not numbered from 0")
    yield from (fact for _, fact in found)


def chats(folder: Path) -> list[Chat]:
    """BEAM."""
    read = [one for path in sorted(folder.glob("beam/beam*.jsonl.gz")) for one in read_lines(path)]
    return [_chat(one) for one in read]


def _chat(one: Any) -> Chat:
    turns = tuple(
        Turn(
            str(said["id"]),
            said["role"],
            without_mark(said["content"]),
            datetime.strptime(said["time_anchor"], "%B-%d-%Y").replace(tzinfo=UTC),
        )
        for said in one["messages"]
        if without_mark(said["content"])
    )
    asked = one["probing_questions"]
    updates = (
        Probe(
            each["question"],
            each["answer"],
            (_keys(each, "original_info"), _keys(each, "updated_info")),
            (each["conversation_references"][0], each["conversation_references"][-1]),
        )
        for each in asked.get("knowledge_update", ())
    )
    contradictions = (
        Probe(
            each["question"],
            each["ideal_answer"],
            (_keys(each, "first_statement"), _keys(each, "second_statement")),
            _statements(each["rubric"]),
        )
        for each in asked.get("contradiction_resolution", ())
    )
    return Chat(one["chat_id"], turns, tuple(updates), tuple(contradictions))


def without_mark(text: str) -> str:
    """A turn as its speaker said it."""
    return _TURN_MARK.sub("", text).strip()


def _keys(asked: Any, which: str) -> tuple[str, ...]:
    return tuple(str(key) for key in asked["source_chat_ids"][which])


def _statements(rubric: Sequence[str]) -> tuple[str, str]:
    """The two things that an answer should mention, between "there is a contradiction" and "which is right?"."""
    said = [line.partition(": ")[2] or line for line in rubric]
    return (said[1], said[2]) if len(said) > 2 else (said[0], said[-1])


def supersessions(folder: Path) -> list[Pair]:
    """What was true and what is, in facts and in turns of chats; and contradictions that nobody has settled."""
    read = [one for path in sorted(folder.glob("pairs/supersession_pairs*.jsonl")) for one in read_lines(path)]
    return [
        Pair(
            one["source"],
            one["label"],
            tuple(without_mark(each["text"]) for each in one["old"]),
            tuple(without_mark(each["text"]) for each in one["new"]),
            place,
        )
        for place, one in enumerate(read)
    ]


def sentence_pairs(folder: Path) -> list[Pair]:
    """SNLI, PAWS, STS-B and symmetric FEVER, as they are: some write a space before a full stop."""
    found = [*_snli(folder), *_paws(folder), *_stsb(folder), *_fever(folder)]
    return [pair for pair in found if pair.before[0].strip() and pair.after[0].strip()]


def _snli(folder: Path) -> Iterator[Pair]:
    for path in sorted(folder.glob("pairs/snli*.labels.txt")):
        stem = path.name.removesuffix(".labels.txt")
        columns = [(path.parent / f"{stem}.{name}.txt").read_text("utf-8").splitlines() for name in ("s1", "s2")]
        labels = path.read_text("utf-8").splitlines()
        # A premise comes several times in a row: all its pairs belong in the same half.
        places = {premise: place for place, premise in enumerate(dict.fromkeys(columns[0]))}
        for label, one, other in zip(labels, *columns, strict=True):
            yield Pair("SNLI", label.strip(), (one.strip(),), (other.strip(),), places[one])


def _paws(folder: Path) -> Iterator[Pair]:
    for place, (_, one, other, label) in enumerate(_columns(folder, "pairs/paws*.tsv")):
        if label in ("0", "1"):
            yield Pair("PAWS", "paraphrase" if label == "1" else "negative", (one,), (other,), place)


def _stsb(folder: Path) -> Iterator[Pair]:
    # Four columns of origin before the score; some lines go on behind the sentences.
    for place, (_, _, _, _, score, one, other, *_) in enumerate(_columns(folder, "pairs/stsb*.tsv")):
        yield Pair("STS-B", "same" if float(score) >= _SAME_MEANING else "differ", (one,), (other,), place)


def _fever(folder: Path) -> Iterator[Pair]:
    for path in sorted(folder.glob("pairs/fever*.jsonl")):
        for place, one in enumerate(read_lines(path)):
            yield Pair("FEVER", one["gold_label"].lower(), (one["evidence"],), (one["claim"],), place)


def _columns(folder: Path, pattern: str) -> Iterator[list[str]]:
    for path in sorted(folder.glob(pattern)):
        for line in path.read_text("utf-8").splitlines():
            yield line.split("\t")


def claimed(folder: Path) -> dict[str, list[Claimed]]:
    """FactCheck-GPT (whole answers) and PropSegmEnt (single sentences), with the units that people found in them."""
    answers = [one for path in sorted(folder.glob("decomposition/factcheck*.jsonl")) for one in read_lines(path)]
    segments = [one for path in sorted(folder.glob("decomposition/propsegment*.jsonl")) for one in read_lines(path)]
    found = {
        "FactCheck-GPT": [
            Claimed(one["response"], tuple(c for each in one["sentences"].values() for c in each["claims"] if c))
            for one in answers
        ],
        "PropSegmEnt": [Claimed(one["sentence"], tuple(one.get("propositions_text", ()))) for one in segments],
    }
    return {name: [one for one in some if one.claims and one.text.strip()] for name, some in found.items()}


def talk(folder: Path) -> dict[str, list[list[str]]]:
    """What people say to each other and to assistants, by corpus and conversation, in order."""
    found: dict[str, list[list[str]]] = {"LoCoMo": [], "LongMemEval": [], "BEAM": []}
    for life in lives(folder, quick=False):
        if life.corpus == "LoCoMo":
            found["LoCoMo"].append([one.text for one in life.told])
    for path in sorted(folder.glob("longmemeval/lme_s_lite*.json.gz")):
        sessions = _read(path)["sessions"].values()
        said = list(dict.fromkeys(turn.strip() for session in sessions for turn in session.split("\n")))
        found["LongMemEval"].append([turn for turn in said if turn])
    for chat in chats(folder):
        found["BEAM"].append([turn.text for turn in chat.turns if turn.role == "user"])
    return {corpus: conversations for corpus, conversations in found.items() if any(conversations)}


def read_lines(path: Path) -> list[Any]:
    """The values of a file of JSON lines, packed or not."""
    packed = path.read_bytes()
    text = (gzip.decompress(packed) if path.suffix == ".gz" else packed).decode("utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _read(path: Path) -> Any:
    packed = path.read_bytes()
    return json.loads(gzip.decompress(packed) if path.suffix == ".gz" else packed)
