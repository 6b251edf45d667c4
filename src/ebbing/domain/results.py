"""What the verbs answer. Frozen, and each can say itself as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from .judgement import Judgement
from .lifetime_words import how_long_it_lasts, in_days, in_times
from .memory import Memory, Status, excerpt, shown_as


@dataclass(frozen=True, slots=True)
class Skipped:
    """A text that was not stored, and why."""

    text: str
    reason: str


@shown_as(lambda fact: f"<Fact {fact.category} {excerpt(fact.text)!r}>")
@dataclass(frozen=True, slots=True)
class Fact:
    """One thing a text says, complete in itself."""

    text: str
    category: str = "fact"
    importance: float = 0.5
    subject: str | None = None  # with `attribute`, the address it belongs at: one value at a time
    attribute: str | None = None
    evidence: str | None = None  # the words of the text that it rests on


class Facts(list[Fact]):
    """The facts in the order of the text, what found them, and notes on that."""

    def __init__(self, found: Iterable[Fact] = (), *, by: str = "rules", notes: tuple[str, ...] = ()) -> None:
        super().__init__(found)
        self.by = by  # "rules", or the name of the language model
        self.notes = notes


@dataclass(frozen=True, slots=True)
class RelatedMemory:
    """A stored memory that may be about the same thing as a new one: keep both, or retire it in one call:
    `settle(related.id, keep=related.new_id)`."""

    id: str
    text: str
    created_at: datetime
    relation: str  # what the judge finds likeliest of the new text: it "updates", "contradicts" or says the "same"
    certainty: float  # the probability of that, from 0 to 1
    new_id: str  # of the memory that was written, which would supersede it


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of each text."""

    memories: list[Memory] = field(default_factory=list)  # stored anew
    reinforced: list[Memory] = field(default_factory=list)  # known already, strengthened
    merged: list[Memory] = field(default_factory=list)  # taken into one that says the same
    superseded: list[Memory] = field(default_factory=list)  # superseded by the text
    contested: list[Memory] = field(default_factory=list)  # contradicted, but not to be overwritten
    forgotten: list[Memory] = field(default_factory=list)  # forgotten, because the text is an order to forget them
    related: list[RelatedMemory] = field(default_factory=list)  # may be about the same thing; both stay
    quarantined: list[Memory] = field(default_factory=list)  # looked like an injected instruction
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what was not as it should be
    batch: str | None = None

    @property
    def memory(self) -> Memory | None:
        """The memory that a call with one text is about, new, known or quarantined; None: there is not exactly one."""
        about = {memory.id: memory for memory in (*self.memories, *self.reinforced, *self.quarantined)}
        return next(iter(about.values())) if len(about) == 1 else None

    @property
    def id(self) -> str | None:
        """The id of `memory`."""
        memory = self.memory
        return None if memory is None else memory.id

    def __repr__(self) -> str:
        lists = [("new" if name == "memories" else name, getattr(self, name)) for name in self.__slots__[:-2]]
        counts = [f"{len(found)} {name}" for name, found in lists if found]
        return " ".join(filter(None, ("<Remembered", self.id, ", ".join(counts) or "nothing"))) + ">"

    def __add__(self, other: Remembered) -> Remembered:
        joined = Remembered(batch=self.batch or other.batch)
        joined.take(self)
        joined.take(other)
        return joined

    def take(self, other: Remembered) -> None:
        """What became of more of it, in the same batch."""
        for name in self.__slots__[:-1]:  # all but the batch are lists, and most of them empty
            if values := getattr(other, name):
                getattr(self, name).extend(values)


@shown_as(lambda block: f"<Block {block.label} {block.tokens} of {block.tokens_max} tokens {excerpt(block.text)!r}>")
@dataclass(frozen=True, slots=True)
class Block:
    """One labelled part of core memory."""

    label: str
    text: str  # empty: nothing was written yet
    tokens: int
    tokens_max: int
    id: str | None = None  # of the memory that holds it
    written_at: datetime | None = None


class Doubt(StrEnum):
    """Why something waits for a person to decide."""

    CONTESTED = "contested"  # contradicts others, and may not simply replace them
    MERGED = "merged"  # was taken to say the same as another
    QUARANTINED = "quarantined"  # looked like an injected instruction
    LEAVING = "leaving"  # would have left recall, and it would harm to lose it


@shown_as(lambda one: f"<Unsettled {one.doubt} {one.memory!r} against {_many(one.others)}>")
@dataclass(frozen=True, slots=True)
class Unsettled:
    """A memory that waits for a decision of a person, and those that it contradicts."""

    doubt: Doubt
    memory: Memory
    others: list[Memory]
    reason: str | None
    judgements: tuple[Judgement, ...] = ()  # what the judge read between it and those others


@dataclass(frozen=True, slots=True)
class Recollection:
    """A memory that answers a question, with the parts its score was made of."""

    memory: Memory
    score: float
    relevance: float
    strength: float
    parts: Mapping[str, float]  # lexical, neighbours, semantic, named, dated, asking, recency; reranked, where it was

    def __repr__(self) -> str:
        return f"<Recollection {self.score:.2f} {self.memory!r}>"


class Recollections(list[Recollection]):
    """The recollections, best first, and notes on how they were found."""

    def __init__(self, found: list[Recollection], notes: tuple[str, ...] = ()) -> None:
        super().__init__(found)
        self.notes = notes


@dataclass(frozen=True, slots=True)
class Context:
    """Memories ready to be placed before a model: marked as data, within a budget."""

    text: str  # empty: there is nothing to say
    memories: list[Memory]  # those in the text, in its order
    tokens: int
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Context {_many(self.memories)}, {self.tokens} tokens>"

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Batch:
    """What was done together and can be undone together."""

    id: str
    memories: list[Memory]
    reason: str | None = None
    dry_run: bool = False
    summaries: list[Memory] = field(default_factory=list)  # what a compaction made of them
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Batch {self.id} {_many(self.memories)}{', dry run' if self.dry_run else ''}>"


@dataclass(frozen=True, slots=True)
class Receipt:
    """Proof of an erasure; it holds nothing of what was erased."""

    id: str
    count: int
    tombstones: list[str]
    verified: bool  # an actual look at the files or tables found nothing of the texts
    at: datetime
    reason: str | None = None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Receipt {self.id} {self.count} erased, {'verified' if self.verified else 'not verified'}>"


class Step(StrEnum):
    """What a sweep does to a memory."""

    WAIT = "wait"  # stays, and is summarized once there is enough of its topic; never told of
    SUMMARIZE = "summarize"  # archived; a summary says it instead
    MERGE = "merge"  # superseded by a memory that says the same
    DETACH = "detach"
    ARCHIVE = "archive"
    PROMOTE = "promote"  # to a tier that lives longer
    DEMOTE = "demote"  # to one that does not
    REVIEW = "review"  # would leave recall, and is harmful to lose: it stays, and a person is asked

    @property
    def status(self) -> Status | None:
        """Where it puts a memory; None where it stands."""
        return _PUTS.get(self)


_PUTS = {
    Step.SUMMARIZE: Status.ARCHIVED,
    Step.MERGE: Status.SUPERSEDED,
    Step.DETACH: Status.DETACHED,
    Step.ARCHIVE: Status.ARCHIVED,
}


@dataclass(frozen=True, slots=True)
class Action:
    """One decision of a sweep: which memory, what, why, and the numbers it rests on."""

    memory: Memory
    step: Step
    reason: str
    strength: float
    threshold: float | None
    into: str | None = None  # the summary that says it now, or the memory it was merged with

    @property
    def status(self) -> Status:
        return self.step.status or self.memory.status


@dataclass(frozen=True, slots=True)
class Sweep:
    """One sweep: what was lowered, or would be."""

    batch: str
    actions: list[Action]
    dry_run: bool
    trigger: str
    looked_at: int  # rows visited: what looked due, not what is stored
    summaries: list[Memory] = field(default_factory=list)  # made of what was summarized
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        many = "1 action" if len(self.actions) == 1 else f"{len(self.actions)} actions"
        return f"<Sweep {self.batch} {many}{', dry run' if self.dry_run else ''}>"


@dataclass(frozen=True, slots=True)
class Forecast:
    """What happens to a memory that is not used, and when."""

    rung: str
    threshold: float | None  # the strength it falls below; None for what has a date
    days: float | None  # from now, in the explanation's unit (dates: in days); 0: due, at the next sweep; None: never
    at: datetime | None  # on the wall; for days of use the earliest, as if every day were one
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a memory has its status, and what will become of it."""

    memory: Memory
    strength: float
    curve: str
    unit: str  # what fading counts: days, or days of use
    numbers: Mapping[str, float]
    reading: Mapping[str, float | int | str]  # what the judge read in the text: kind, lifetime, harm; empty without one
    because: str
    protected_by: tuple[str, ...]
    grace_until: datetime | None
    forecasts: tuple[Forecast, ...]  # soonest first
    levers: tuple[str, ...]
    drawn: tuple[tuple[int, float], ...]  # (days from now, strength)
    replaced_by: Memory | None = None  # what superseded it, was merged with it, or sums it up
    judgements: tuple[Judgement, ...] = ()  # what the judge read between it and what replaced or contradicts it

    def __repr__(self) -> str:
        return f"<Explanation of {self.memory!r} strength {self.strength:.2f}>"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, *, quoting: bool = True) -> list[str]:
        """The whole of it in plain words; without `quoting`, no word of another memory."""
        numbers = self.numbers
        rests_on = (
            f"importance {numbers['importance']:.2f}, {in_days(numbers['idle_days'], self.unit)} since it was last "
            f"used, {in_times(numbers['recalls'])}, on the {self.curve} curve"
        )
        sentences = [f"{self.because}."]
        if self.replaced_by is not None:
            text = f": {excerpt(self.replaced_by.text, 200)}" if quoting else ""
            sentences.append(f"it was replaced by {self.replaced_by.id}{text}")
        sentences += [f"{judgement}." for judgement in self.judgements]
        sentences.append(f"Its strength is {self.strength:.2f}: {rests_on}.")
        sentences += how_long_it_lasts(self.memory)
        if self.protected_by:
            expires = any(forecast.rung == Step.ARCHIVE for forecast in self.forecasts)
            lowers = "Only its time to live lowers it" if expires else "Nothing lowers it"
            sentences.append(f"{lowers}: {' and '.join(self.protected_by)}.")
        if self.grace_until is not None:
            sentences.append(f"It is in its grace period until {self.grace_until:%Y-%m-%d}: fading does not reach it.")
        sentences += [f"- {_forecast_sentence(forecast, self.unit)}" for forecast in self.forecasts]
        if self.levers:
            sentences += ["What would change that:", *(f"- {lever}" for lever in self.levers)]
        return [line[0].upper() + line[1:] for line in sentences]


def _forecast_sentence(forecast: Forecast, unit: str) -> str:
    below = "" if forecast.threshold is None else f" (below {forecast.threshold:g})"
    if forecast.days is None:
        return f"{forecast.rung}{below}: never"
    if not forecast.days:
        return f"{forecast.rung}{below}: due now, at the next sweep"
    unit = "days" if forecast.threshold is None else unit
    earliest = "" if forecast.threshold is None else " at the earliest"
    when = f" ({forecast.at:%Y-%m-%d}{earliest})" if forecast.at is not None else ""
    return f"{forecast.rung}{below}: in {forecast.days:.1f} {unit}{when}"


@shown_as(lambda stats: f"<Stats {stats.total} memories, {stats.by_status.get('active', 0)} active, {stats.due} due>")
@dataclass(frozen=True, slots=True)
class Stats:
    """An owner's memories in numbers."""

    total: int
    by_status: Mapping[str, int]
    by_category: Mapping[str, int]
    by_tier: Mapping[str, int]
    tokens: int  # of what is active
    pinned: int
    embedded: Mapping[str, int]  # live memories by embedding model; "none" for those without
    due: int  # what the next sweep would lower now …
    next_sweep: Mapping[str, int]  # … by what it would do
    swept_at: datetime | None  # when the last sweep ended …
    days_of_use: int
    size_bytes: int
    judge: str | None = None  # the fingerprint of the judge in use; None: exact rules decide alone, and a note says why
    notes: tuple[str, ...] = ()
    last_sweep: Mapping[str, int] = field(default_factory=dict)  # … and what it did, by kind of event
    in_review: int = 0  # what waits for a person to decide: `review` lists it


def _many(memories: list[Memory]) -> str:
    return "1 memory" if len(memories) == 1 else f"{len(memories)} memories"


def plain(answer: Any) -> Any:
    """Any answer as JSON types, the same on every interface."""
    if (kind := type(answer)) in (str, int, float, bool, type(None)):  # most of what there is, so asked first
        return answer
    if kind is Memory:
        return answer.to_dict()
    if kind is Recollections:
        return {"recollections": [*map(plain, answer)], "notes": list(answer.notes)}
    if kind is Facts:
        return {"facts": [*map(plain, answer)], "by": answer.by, "notes": list(answer.notes)}
    if dataclasses.is_dataclass(kind):
        fields = {name: plain(getattr(answer, name)) for name in kind.__dataclass_fields__}
        return {"id": answer.id, **fields} if kind is Remembered else fields
    if isinstance(answer, date):  # an instant is one too
        return answer.isoformat()
    if isinstance(answer, StrEnum):
        return answer.value
    if isinstance(answer, Mapping):
        return {str(key): plain(value) for key, value in answer.items()}
    return [*map(plain, answer)] if isinstance(answer, list | tuple | set | frozenset) else answer
