"""BEAM: long chats told turn by turn. An update must stand above what it updates; what was said and denied must stay.

Once as whole turns and once as the facts found in them (`extract=True`). A memory belongs to the turn that told it, so
both are asked the same: does any memory of the old turn stand above the first one of the new turn? Of facts it is asked
besides about the very fact: the one of its turn that is most like what the data says it stated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ebbing.domain.memory import Memory, Status
from ebbing.text.terms import question_terms

from .remember_figures import Line, Tally, Target, half, share
from .remember_metrics import overlap_f1, words
from .remember_readers import Chat, Probe, chats
from .remember_stage import Stage, extracts, packaged, stage

TITLE = "BEAM: what users said, told turn by turn and asked at the end"
_LIMIT = 10
_TOP = 5
_STANDS = 0.8  # of the words of a statement that its turn has: with fewer of them it is not told any more
_QUICK = 4  # chats
_SPELLED = dict(zip("one two three four five six seven eight nine ten".split(), map(str, range(1, 11)), strict=True))
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True, slots=True)
class Ranks:
    """Where the first memory of what was, and of what is, stands; behind the last where it does not."""

    old: int
    new: int

    @property
    def upside_down(self) -> bool:
        return self.old < self.new


def tasks(folder: Path, *, quick: bool) -> list[Callable[[], Tally]]:
    """One for each chat and way of telling it."""
    found = list(enumerate(chats(folder)))
    ways = (False, True) if found and extracts() else (False,)
    return [
        partial(measure, chat, half(place), extract=extract)
        for place, chat in (found[:_QUICK] if quick else found)
        for extract in ways
    ]


def measure(chat: Chat, which: str, *, extract: bool) -> Tally:
    """Tell what the user said, then ask."""
    tally, way = Tally(), "facts" if extract else "turns"
    said = [turn for turn in chat.turns if turn.role == "user"]
    texts = {turn.key: turn.text for turn in said}
    with stage() as told:
        told.clock.set(said[0].at)
        packaged().embed(list(texts.values()))
        for turn in said:
            outcome = told.tell(turn.key, turn.text, at=turn.at, extract=extract)
            tally.add(f"{way}/memories", which, len(outcome.memories))
            tally.add(f"{way}/retired", which, len(outcome.superseded))
            tally.add(f"{way}/silent", which, not (outcome.memories or outcome.reinforced or outcome.merged))
            tally.cases += [_retired(chat, way, turn.text, memory) for memory in outcome.superseded]
        told.clock.advance(hours=1)
        for probe in chat.updates:
            if all(probe.turns) and not set(probe.turns[0]) & set(probe.turns[1]):
                tally.cases.append(_case(told, chat, way, probe) | _updated(told, probe, tally, way, which))
        for probe in chat.contradictions:
            kept = still_said(told, probe, texts)
            found = {key for memory in _recalled(told, probe) for key in told.keys(memory)}
            tally.add(f"{way}/both kept", which, all(kept))
            tally.add(f"{way}/both found", which, all(found & set(keys) for keys in probe.turns))
            if not all(kept):
                tally.cases.append(_case(told, chat, way, probe) | {"kind": "contradiction", "kept": kept})
    return tally


def _updated(told: Stage, probe: Probe, tally: Tally, way: str, which: str) -> dict[str, Any]:
    """Count one question about something that changed, and tell how it went."""
    found = _recalled(told, probe)
    turns = Ranks(*(_rank([bool(told.keys(memory) & set(keys)) for memory in found]) for keys in probe.turns))
    stated = [_stated(told, keys, says) for keys, says in zip(probe.turns, probe.says, strict=True)]
    facts = Ranks(*(_rank([memory.id == fact for memory in found]) for fact in stated))
    numbers = numbers_in(probe.answer)
    says = [numbers <= numbers_in(memory.text) for memory in found]
    tally.add(f"{way}/new@{_TOP}", which, turns.new < _TOP)
    tally.add(f"{way}/old@{_TOP}", which, turns.old < _TOP)
    tally.add(f"{way}/old above new", which, turns.upside_down)
    tally.add(f"{way}/old fact above new", which, facts.upside_down)
    tally.add(f"{way}/new above old", which, turns.new < min(turns.old, _LIMIT))
    if numbers:
        tally.add(f"{way}/answer@1", which, any(says[:1]))
        tally.add(f"{way}/answer@{_TOP}", which, any(says[:_TOP]))
    memories = [memory for key in probe.turns[0] for memory in told.made.get(key, ())]
    retired = [memory.text for memory in told.now(memories) if memory.status is Status.SUPERSEDED]
    tally.add(f"{way}/old retired", which, bool(retired))
    return {
        "kind": "update",
        "old above new": turns.upside_down,
        "ranks": {"old": turns.old + 1, "new": turns.new + 1, "old fact": facts.old + 1, "new fact": facts.new + 1},
        "stated": [None if id_ is None else told.engine.get(id_).text for id_ in stated],
        "retired": retired,
    }


def _case(told: Stage, chat: Chat, way: str, probe: Probe) -> dict[str, Any]:
    return {
        "section": "beam",
        "chat": chat.name,
        "way": way,
        "question": probe.question,
        "answer": probe.answer,
        "says": probe.says,
        "made": [[m.text for key in keys for m in told.made.get(key, ())] for keys in probe.turns],
        "top": [(sorted(told.keys(memory)), memory.text[:300]) for memory in _recalled(told, probe)[:_TOP]],
    }


def _retired(chat: Chat, way: str, said: str, memory: Memory) -> dict[str, Any]:
    told = {"section": "beam", "chat": chat.name, "way": way, "kind": "retired"}
    return told | {"retired": memory.text, "by": memory.superseded_by, "said": said[:1000]}


def _recalled(told: Stage, probe: Probe) -> list[Memory]:
    return [one.memory for one in told.recall(probe.question, _LIMIT)]


def _rank(marks: Sequence[bool]) -> int:
    return marks.index(True) if True in marks else _LIMIT


def _stated(told: Stage, keys: Sequence[str], says: str) -> str | None:
    """The memory of these turns that is most like what the data says they stated."""
    memories = [memory for key in keys for memory in told.made.get(key, ())]
    best = max(memories, key=lambda memory: overlap_f1(memory.text, says), default=None)
    return None if best is None else best.id


def still_said(told: Stage, probe: Probe, texts: Mapping[str, str]) -> list[bool]:
    """Of the two statements, which still stand: whether active memories of their turns hold the words they had."""
    return [_stands(told, keys, says, texts) for keys, says in _assigned(probe, texts)]


def _stands(told: Stage, keys: Sequence[str], says: str, texts: Mapping[str, str]) -> bool:
    memories = [memory for key in keys for memory in told.made.get(key, ())]
    standing = [memory.text for memory in told.now(memories) if memory.status is Status.ACTIVE]
    had = set(question_terms(says)) & _terms(texts[key] for key in keys)
    return len(had & _terms(standing)) >= _STANDS * len(had) if had else bool(standing)


def _assigned(probe: Probe, texts: Mapping[str, str]) -> list[tuple[tuple[str, ...], str]]:
    """Each statement's turns with what it says: the data names the two in either order."""
    straight, crossed = (list(zip(probe.turns, says, strict=True)) for says in (probe.says, probe.says[::-1]))
    return max(
        (straight, crossed),
        key=lambda pairs: sum(len(set(question_terms(says)) & _terms(texts[k] for k in keys)) for keys, says in pairs),
    )


def _terms(texts: Iterator[str] | Sequence[str]) -> set[str]:
    return {term for text in texts for term in question_terms(text)}


def numbers_in(text: str) -> set[str]:
    """The numbers a text says, in digits."""
    spelled = {_SPELLED[word] for word in words(text) if word in _SPELLED}
    return {number.replace(",", "") for number in _NUMBER.findall(text)} | spelled


def lines(tally: Tally) -> list[Line]:
    """Turns first, then facts."""
    found = []
    for way, name in (("turns", "whole turns"), ("facts", "extract=True")):
        if not tally.count(f"{way}/memories"):
            continue
        found += [
            share(f"{name}: memories a turn", f"{way}/memories", unit=""),
            share(f"{name}: turns of which nothing is kept", f"{way}/silent"),
            share(f"{name}: memories retired by a turn", f"{way}/retired", unit=""),
            share(f"{name}: updates, new@{_TOP}", f"{way}/new@{_TOP}"),
            share(f"{name}: updates, old@{_TOP}", f"{way}/old@{_TOP}"),
            share(f"{name}: updates, old above new", f"{way}/old above new", Target("≤", 0.10)),
            share(f"{name}: updates, new in the best {_LIMIT} and above old", f"{way}/new above old"),
            share(f"{name}: updates, the old fact above the new one", f"{way}/old fact above new"),
            share(f"{name}: updates, something of the old turn retired", f"{way}/old retired"),
            share(f"{name}: updates, the answer's numbers in the best", f"{way}/answer@1"),
            share(f"{name}: updates, the answer's numbers in the best {_TOP}", f"{way}/answer@{_TOP}"),
            share(f"{name}: contradictions, both kept", f"{way}/both kept", Target("≥", 0.95)),
            share(f"{name}: contradictions, both in the best {_LIMIT}", f"{way}/both found"),
        ]
    if tally.count("turns/memories") and not tally.count("facts/memories"):
        tally.notes.append("this engine does not take extract=True yet: whole turns only")
    return found
