"""What is shown of each answer: rows under headings, facts, and what to type next.

A view says what, not how: render.py draws it for a terminal or writes it line by line into a pipe. A
field that an answer gains is shown under its name until it is given a better place.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from ...domain.events import Event
from ...domain.memory import Memory
from ...domain.results import (
    Batch,
    Block,
    Explanation,
    Fact,
    Facts,
    Receipt,
    Recollections,
    RelatedMemory,
    Remembered,
    Skipped,
    Stats,
    Sweep,
    Unsettled,
    plain,
)

if TYPE_CHECKING:  # policies bring numpy along, and help pages are made without
    from ...domain.policy import Ladder
    from ...domain.policy.writer import Difference

_DAYS_DRAWN_MIN = 7


@dataclass(frozen=True, slots=True)
class Strength:
    """A strength from 0 to 1, drawn as a bar, in the colour of its rung."""

    value: float
    style: str

    @classmethod
    def on(cls, ladder: Ladder, value: float) -> Strength:
        low = "red" if value < ladder.detach else "yellow"
        return cls(value, "green" if value >= ladder.summarize else low)


@dataclass(frozen=True, slots=True)
class Share:
    """A count out of a whole, drawn as a bar."""

    count: int
    whole: int


@dataclass(frozen=True, slots=True)
class Stack:
    """Several things in one cell, one below the other; in a pipe they are cells of their own."""

    parts: tuple[str | Memory, ...]


@dataclass(frozen=True, slots=True)
class Outlook:
    """A strength over the days to come, for a picture of it with the rungs it passes."""

    points: Sequence[tuple[int, float]]  # (days from now, strength)
    rungs: Mapping[str, float]
    unit: str
    dated: Mapping[int, str] = field(default_factory=dict)  # what a day brings to come, whatever the strength then


@dataclass(frozen=True, slots=True)
class Timeline:
    """What there is over time, for a picture of it; after `now` it is foretold."""

    counts: Sequence[int]
    tokens: Sequence[int]
    dates: Sequence[date]
    now: int  # which of them


Cell = str | bool | int | float | datetime | Memory | Strength | Share | Stack | None


@dataclass(frozen=True, slots=True)
class View:
    """What is to be shown. Headline, picture and hint are for people, and stay out of a pipe."""

    headline: str = ""
    sentences: Sequence[str] = ()
    headings: tuple[str, ...] = ()
    rows: Sequence[tuple[Cell, ...]] = ()
    facts: Sequence[tuple[str, Cell]] = ()
    notes: Sequence[str] = ()
    hint: str = ""
    picture: Outlook | Timeline | None = None
    whole_texts: bool = False  # a memory's text to its end, however long
    rows_drawn: int | None = None  # at a terminal; a pipe gets them all
    below: Sequence[View] = ()  # what follows


def _command(*words: str) -> str:
    return " ".join(("ebbing", *words))


def _settle_command(one: RelatedMemory) -> tuple[str, ...]:
    return "settle", one.id, "--superseded-by", one.new_id


def remembered(outcome: Remembered, command: Callable[..., str] = _command) -> View:
    """What became of what was said, each under the name of what became of it.

    `command` writes a command out of its words, for the one that retires a related memory.
    """
    rows: list[tuple[Cell, ...]] = []
    for entry in dataclasses.fields(outcome):
        value = getattr(outcome, entry.name)
        word = "remembered" if entry.name == "memories" else entry.name
        if isinstance(value, list):
            rows += [(word, one) for one in value if isinstance(one, Memory)]
            rows += [(word, Stack((one.text, one.reason))) for one in value if isinstance(one, Skipped)]
    rows += [
        (
            "related",
            Stack(
                (
                    f"may be about the same thing: {one.text}",
                    f"{one.relation} {one.certainty:.2f}; settle with: {command(*_settle_command(one))}",
                )
            ),
        )
        for one in outcome.related
    ]
    return View(
        headings=("", "memory"),
        rows=rows,
        facts=[*other_fields(outcome, [entry.name for entry in dataclasses.fields(Remembered)])],
        notes=outcome.notes,
    )


def recollections(found: Recollections, ladder: Ladder) -> View:
    """What answers a question, best first."""
    rows = [(f"{one.score:.3f}", Strength.on(ladder, one.strength), one.memory) for one in found]
    headline = "" if found else "No memory matches."
    return View(headline, headings=("score", "strength", "memory"), rows=rows, notes=found.notes)


def facts(found: Facts) -> View:
    """What a text says, fact by fact."""
    rows = [(one.category, f"{one.importance:.2f}", Stack((one.text, _address(one)))) for one in found]
    headline = "" if found else "There is no fact in it that would be worth keeping."
    notes = [*found.notes, f"found by {found.by}"] if found else found.notes
    return View(headline, headings=("category", "importance", "fact"), rows=rows, notes=notes)


def _address(of: Fact) -> str:
    return "" if of.subject is None else f"{of.subject} / {of.attribute}"


def unsettled(found: Sequence[Unsettled]) -> View:
    """What waits for review, each with the memories it contradicts."""
    rows: list[tuple[Cell, ...]] = [
        (
            str(one.doubt),
            Stack(
                (
                    one.memory,
                    one.reason or "",
                    *(f"against: {other.text}" for other in one.others),
                    *map(str, one.judgements),
                )
            ),
        )
        for one in found
    ]
    headline = "" if found else "Nothing waits for review."
    hint = "ebbing settle ID --keep, --drop or --both decides." if found else ""
    return View(headline, headings=("", "memory"), rows=rows, hint=hint)


def blocks(found: Sequence[Block]) -> View:
    """Core memory."""
    rows: list[tuple[Cell, ...]] = [(one.label, f"{one.tokens} of {one.tokens_max}", one.text) for one in found]
    return View(headings=("block", "tokens", "text"), rows=rows, whole_texts=True)


def memories(found: Sequence[Memory], hint: str = "") -> View:
    """A page of memories."""
    headline = "" if found else "No memory matches."
    return View(headline, headings=("memory",), rows=[(memory,) for memory in found], hint=hint)


def memory(found: Memory) -> View:
    """Everything about one memory."""
    content = plain(found)
    first = ("id", "text", "status", "category", "scope")
    names = [*first, *(name for name in content if name not in first)]
    return View(facts=[fact for name in names for fact in _flattened(name, content[name])], whole_texts=True)


def events(happened: Sequence[Event]) -> View:
    """What happened to a memory, oldest first."""
    rows = [(event.at, str(event.kind), Stack(_event_cells(event))) for event in happened]
    return View(headings=("when", "what", "why, by whom, in which batch"), rows=rows)


def log(happened: Sequence[Event], hint: str = "") -> View:
    """What happened to anything, oldest first."""
    rows = [(event.at, str(event.kind), Stack((event.memory or "", *_event_cells(event)))) for event in happened]
    return View(headings=("when", "what", "to which, why, by whom, in which batch"), rows=rows, hint=hint)


def explanation(content: Explanation, ladder: Ladder) -> View:
    """Why a memory has its status, in words, and a chart of the steps ahead, if there are any."""
    rungs = {one.rung: one.threshold for one in content.forecasts if one.threshold is not None}
    days = [(one, math.ceil(one.days)) for one in content.forecasts if one.days is not None]
    # Drawn until it has passed the last, and a little on: what comes then is a line along the ground, or nothing.
    fallen = next((day for day, strength in content.drawn if strength < ladder.archive), len(content.drawn))
    passed = min(fallen, max((day for _, day in days), default=fallen))
    points = content.drawn[: max(passed * 5 // 4, _DAYS_DRAWN_MIN) + 1]
    dated = {day: one.rung for one, day in days if one.threshold is None and 0 < day < len(points)}
    picture = Outlook(points, rungs, content.unit, dated) if content.forecasts and len(points) > 1 else None
    return View(content.memory.text, sentences=content.lines(), picture=picture)


def batch(done: Batch, *, word: str, undo: str = "", how: str = "") -> View:
    """What was done together. `undo` is the command that reverts it, `how` how to do what was only tried."""
    known = ("id", "memories", "reason", "dry_run", "notes")
    count = len(done.memories)
    did = ("memory would be", "memories would be") if done.dry_run else ("memory was", "memories were")
    facts: list[tuple[str, Cell]] = [] if done.dry_run or not count else [("batch", done.id)]
    if facts and undo:
        facts.append(("undo", undo))
    return View(
        f"{_counted(count, *did)} {word}.",
        headings=("", "memory"),
        rows=[
            *((f"would be {word}" if done.dry_run else word, one) for one in done.memories),
            *_other_memories(done, known),
        ],
        facts=[*facts, *other_fields(done, known)],
        notes=(*_notes(done), *_dry_run_note(done.dry_run, how)),
    )


def sweep(swept: Sweep, ladder: Ladder, *, undo: str) -> View:
    """What went where and why, or would."""
    rows: list[tuple[Cell, ...]] = [
        (
            str(action.step),
            Strength.on(ladder, action.strength),
            Stack((action.memory, action.reason, action.into or "")),
        )
        for action in swept.actions
    ]
    known = ("batch", "actions", "dry_run", "trigger", "looked_at", "notes")
    rows += [(name, None, Stack((one, "", ""))) for name, one in _other_memories(swept, known)]
    count = len(swept.actions)
    did = ("memory would be", "memories would be") if swept.dry_run else ("memory was", "memories were")
    headline = f"{_counted(count, *did)} moved." if count else "Nothing is due."
    facts: list[tuple[str, Cell]] = [] if swept.dry_run or not rows else [("batch", swept.batch), ("undo", undo)]
    return View(
        headline,
        headings=("step", "strength", "memory"),
        rows=rows,
        facts=[*facts, ("looked_at", swept.looked_at), *other_fields(swept, known)],
        notes=(*_notes(swept), *_dry_run_note(swept.dry_run)),
    )


def round_of_sweeps(swept: Mapping[str, Sweep]) -> View:
    """What a round did for each owner it had to visit."""
    rows: list[tuple[Cell, ...]] = [
        (owner, len(one.actions), len(one.summaries), one.batch, "; ".join(one.notes)) for owner, one in swept.items()
    ]
    headline = f"{_counted(len(rows), 'owner', 'owners')} visited." if rows else "Nothing is due for anybody."
    return View(headline, headings=("owner", "moved", "summaries", "batch", "notes"), rows=rows)


def receipt(done: Receipt, erased: Sequence[Mapping[str, str]] = ()) -> View:
    """Proof of an erasure, and what was erased as far as it was looked at before: id and beginning of the text."""
    facts: list[tuple[str, Cell]] = [("receipt", done.id)]
    facts += [(name, getattr(done, name)) for name in ("count", "verified", "at", "reason")]
    facts += [("tombstone", stone) for stone in done.tombstones]
    return View(
        f"{_counted(done.count, 'memory was', 'memories were')} erased"
        + (", and a look at what is stored found no trace." if done.verified else "."),
        headings=("", "id", "text"),
        rows=[("erased", one["id"], one["text"]) for one in erased],
        facts=[*facts, *other_fields(done, ("id", "count", "verified", "at", "reason", "tombstones", "notes"))],
        notes=done.notes,
        hint="The same text is refused from now on; ebbing lift TOMBSTONE allows it again." if done.tombstones else "",
    )


def stats(counted: Stats, *, hint: str) -> View:
    """An owner's memories in numbers."""
    rows: list[tuple[Cell, ...]] = []
    facts: list[tuple[str, Cell]] = []
    for entry in dataclasses.fields(counted):
        value = getattr(counted, entry.name)
        if isinstance(value, Mapping):
            whole = sum(count for count in value.values() if isinstance(count, int))
            rows += [
                (entry.name, str(key), Share(count, whole) if isinstance(count, int) else _cell(plain(count)))
                for key, count in value.items()
            ]
        elif entry.name != "notes":
            facts.append((entry.name, _cell(plain(value))))
    return View(headings=("", "", "memories"), rows=rows, facts=facts, notes=counted.notes, hint=hint)


def numbers(counted: Any) -> View:
    """Any answer made of named values."""
    return View(facts=[*other_fields(counted, ("notes",), empty=True)], notes=_notes(counted))


def differences(found: Sequence[Difference], one: str, other: str) -> View:
    """Two policies side by side, where they differ."""
    rows = [(entry.field, _cell(entry.one), _cell(entry.other)) for entry in found]
    headline = "" if found else f"{one} and {other} say the same."
    return View(headline, headings=("setting", one, other), rows=rows)


def fact(name: str, value: Cell, headline: str) -> View:
    """One value, with a sentence for people."""
    return View(headline, facts=[(name, value)])


def _dry_run_note(dry_run: bool, how: str = "") -> tuple[str, ...]:
    return (f"dry run: nothing was changed{how}",) if dry_run else ()


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _event_cells(event: Event) -> tuple[str, ...]:
    return event.reason or "", _numbers(event), event.actor or "", event.batch


def _numbers(event: Event) -> str:
    """What a change rested on, short."""
    content = {name: _cell(plain(value)) for name, value in event.detail.items()}
    shown = {name: f"{value:.3g}" if isinstance(value, float) else value for name, value in content.items()}
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in shown.items() if value is not None)


def _flattened(name: str, value: Any) -> Iterator[tuple[str, Cell]]:
    """A field, or the fields within it."""
    if isinstance(value, Mapping):
        yield from ((f"{name}.{inner}", _cell(part)) for inner, part in value.items())
    else:
        yield name, _cell(value)


def _notes(answer: Any) -> Sequence[str]:
    return tuple(map(str, getattr(answer, "notes", ())))


def other_fields(answer: Any, known: Collection[str], *, empty: bool = False) -> Iterator[tuple[str, Cell]]:
    """The fields without a place of their own; without empty ones, unless they are asked for."""
    for entry in dataclasses.fields(answer):
        value = getattr(answer, entry.name)
        if entry.name not in known and (value or empty) and not _is_list_of_memories(value):
            yield entry.name, _cell(plain(value))


def _other_memories(answer: Any, known: Collection[str]) -> Iterator[tuple[str, Memory]]:
    for entry in dataclasses.fields(answer):
        value = getattr(answer, entry.name)
        if entry.name not in known and _is_list_of_memories(value):
            yield from ((entry.name, one) for one in value)


def _is_list_of_memories(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(one, Memory) for one in value)


def _cell(value: Any) -> Cell:
    """A JSON value as one cell; what has parts is written as JSON."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if not value:
        return None
    return json.dumps(value, ensure_ascii=False)
