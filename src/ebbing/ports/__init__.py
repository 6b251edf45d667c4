"""What Ebbing asks of the world: a store, and models that turn text into vectors, judge it or answer in words.

Protocols and the plain values that cross them. A transaction belongs to one owner: nothing
here can name another owner's row.
"""

# long because whoever writes a store or a model reads this one file
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..domain.clock import Activity, Moment
from ..domain.events import Event, EventKind
from ..domain.judgement import Relation, TextReading
from ..domain.memory import Memory, Scope, Status, Tier, Visibility
from ..domain.retention import Traces
from .llm_reply import Answer

Vector = NDArray[np.float32]
Column = NDArray[Any]
Progress = Callable[[int, int], None]  # (done, of how many)
REACH = 2  # how many turns before and after it a memory has for neighbours


class Embedder(Protocol):
    """Turns texts into vectors of length one. Rows of different fingerprints are never compared.

    One that adds up the vectors of words without reading the sentence says so with `averages = True`: its
    nearness tells less, and counts for less in recall. One that knows the cosine of texts with nothing in common says
    it with `unrelated = …`; otherwise it is measured once, with a dozen sentences.
    """

    fingerprint: str

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        """One row per text; `query` for models that treat a question otherwise than a statement."""
        ...


class Reranker(Protocol):
    """Reads a question and a text together, and says how well they fit: slower than vectors, and for the best alone.

    One that does not answer raises Unavailable: the order then stays as it was.
    """

    name: str

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """One number per text, the higher the better. Their scale is the model's own: compare within one answer."""
        ...


class Llm(Protocol):
    """Answers a prompt in words, or as JSON of a given shape.

    One that does not answer raises Unavailable, and one that answers in another shape Malformed: whoever
    asks can always go on without it.
    """

    name: str

    def answer(self, prompt: str, *, system: str, schema: Mapping[str, Any] | None = None, tokens_max: int) -> Answer:
        """`system` says what to do and `prompt` with what; a `schema` is of the kind that llm_reply.py reads."""
        ...


class Judge(Protocol):
    """A trained model that reads texts: what one is, how two relate, whether a memory answers a question.

    One that does not answer raises Unavailable: exact rules then decide alone, and the result says so.
    """

    fingerprint: str

    def relate(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Relation]:
        """How the newer (second) text of each pair relates to the older (first)."""
        ...

    def read(self, texts: Sequence[str]) -> Sequence[TextReading]:
        """What each text is: kind, lifetime, harm, injected or not."""
        ...

    def answers(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """The probability, for each text, that it answers the question."""
        ...


@dataclass(frozen=True, slots=True)
class View:
    """Whose memories, seen by whom. Maintenance sees every agent's; agents see what is shared and their own."""

    owner: str
    agent: str | None = None
    every_agent: bool = False

    def sees(self, memory: Memory) -> bool:
        return (
            self.every_agent
            or memory.visibility is Visibility.SHARED
            or (self.agent is not None and memory.agent == self.agent)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which memories are meant: every part given must hold, and none given holds for all."""

    scope: Scope | None = None
    scopes: tuple[Scope, ...] | None = None  # in any of these
    statuses: tuple[Status, ...] | None = None
    categories: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    metadata: Mapping[str, Any] | None = None  # has all of these at its top
    ids: tuple[str, ...] | None = None
    exclude: tuple[str, ...] | None = None  # none of these ids
    tier: Tier | None = None
    pinned: bool | None = None
    subject: str | None = None
    created_before: datetime | None = None
    created_after: datetime | None = None  # or at that instant
    unexpired: datetime | None = None  # its time to live had not ended by then …
    restored_since: datetime | None = None  # … or it was brought back since this

    @property
    def narrows(self) -> bool:
        """Whether it asks for more than what is there to be found by default."""
        default = Filter(statuses=self.statuses, unexpired=self.unexpired, restored_since=self.restored_since)
        return self != default


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A search: words, a vector or both, among what the filter leaves, on one side."""

    terms: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # of these words, the ones that are names
    vector: Vector | None = None
    fingerprint: str | None = None
    filter: Filter = field(default_factory=Filter)
    archived: bool = False  # which side: the live tables, or what is out of them
    matches_max: int = 4000


class Found(NamedTuple):
    """Candidates in parallel columns.

    A handle is the store's own name for a row: even for what was said in no session, odd for a turn of one, and then
    what was said next in it has the next odd handle, if it stands. So neighbours are known without a look.
    """

    handles: Column
    lexical: NDArray[np.float64]  # 0..1: how much of the question's information the words cover
    semantic: NDArray[np.float64]  # cosine, never below 0


class Search(Protocol):
    """One question being answered, best candidates first, as many as are asked for."""

    first_turn: int  # handles below this one are of an old store and tell no neighbours
    headed: Column  # once `lexical` was asked: in ascending order, the rows that begin with one of the names

    def lexical(self) -> Found:
        """Every row that has one of the words, with its similarity too."""
        ...

    def semantic(self, limit: int) -> Found:
        """The `limit` nearest rows (`lexical` all 0); fewer only when there are no more."""
        ...

    def nearness(self, handles: Column) -> NDArray[np.float64]:
        """The cosine of each of these, 0 for one that has no vector or does not stand."""
        ...

    def traces(self, handles: Column) -> Traces:
        """Of those handles, the ones that stand and pass the filter and the view."""
        ...


class NewEvent(NamedTuple):
    """What an event says of one memory: what, why, and the numbers it rests on; never its text."""

    kind: EventKind
    memory: str
    reason: str | None = None
    detail: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Tombstone:
    id: str
    hash: str
    receipt: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Tally:
    """How many memories of one kind there are."""

    status: Status
    category: str
    tier: Tier
    count: int
    tokens: int
    pinned: int


@dataclass(frozen=True, slots=True)
class Holding:
    """What is live in one scope itself, in memories and tokens."""

    scope: Scope
    active: int
    active_tokens: int
    detached: int
    detached_tokens: int
    working: int  # of what is active, by tier
    working_tokens: int
    episodic: int
    episodic_tokens: int
    semantic: int
    semantic_tokens: int
    procedural: int
    procedural_tokens: int


def counters(status: Status, tier: Tier) -> tuple[str, ...]:
    """Under which names of a holding a memory counts; under none when it is not live."""
    if status is Status.ACTIVE and tier is not Tier.CORE:
        return status.value, tier.value
    return (status.value,) if status.live else ()


BEHIND_EVERY_ID = "\U0010ffff"


class Waiter(NamedTuple):
    """A memory that waits to be summarized with its topic."""

    id: str
    since: datetime


class Due(NamedTuple):
    """Memories whose alarm has come; where there may be more, the last alarm that was looked at."""

    memories: list[Memory]
    last_at: datetime | None = None
    last_day: int | None = None


class Familiar(NamedTuple):
    """What is known of texts that are about to be kept."""

    buried: dict[str, str]  # of their hashes, those that must not come back, and the tombstone of each
    same: list[Memory]  # live, with the same words


class Reading(Protocol):
    """A consistent look at one owner's memories."""

    view: View

    @property
    def activity(self) -> Activity: ...

    @property
    def salts(self) -> list[bytes]:
        """Of tombstones: the owner's own first, then those that came with imports."""
        ...

    def width(self, fingerprint: str) -> int | None: ...
    def day_at(self, at: datetime) -> int: ...
    def get(self, ids: Sequence[str]) -> dict[str, Memory]: ...

    def standing(self, ids: Sequence[str]) -> dict[str, Status]:
        """Where each stands now, without reading the rest of it."""
        ...

    def page(self, where: Filter, *, before: str | None = None, limit: int) -> list[Memory]: ...
    def search(self, question: Question) -> Search: ...
    def duplicates(self, digests: Sequence[str]) -> list[Memory]: ...
    def at_address(self, subject: str, attribute: str) -> list[Memory]: ...

    def aliases(self, names: Sequence[str], attribute: str) -> list[Memory]:
        """What is in use under this attribute of a subject that has one of these names, or is one of these texts."""
        ...

    def words_from(self, beginning: str, limit: int) -> list[str]:
        """The words of what is in use, in ascending order, from the first that begins so."""
        ...

    def familiar(self, hashes: Sequence[str], digests: Sequence[str]) -> Familiar:
        """What `buried` and `duplicates` tell, in one look."""
        ...

    def unsettled(self, *, before: str | None = None, limit: int) -> list[Memory]:
        """What waits for a person to decide about it, newest first: contested, merged, quarantined."""
        ...

    def echoes(self, ids: Sequence[str], digests: Sequence[str]) -> list[Memory]:
        """What is not live and has these words, or gave way to these memories, or was merged with them."""
        ...

    def quoting(self, texts: Sequence[str], limit: int) -> list[Memory]:
        """What holds one of these texts in any field, in any case, at most so many of each side; reads every row."""
        ...

    def derived(self, ids: Sequence[str]) -> list[Memory]: ...

    def due(self, moment: Moment, limit: int) -> Due:
        """The longest overdue by the wall and by days of use, at most `limit` of each."""
        ...

    def overdue(self, moment: Moment) -> int:
        """How many memories have an alarm that has come."""
        ...

    def walk(self, *, after: str, limit: int) -> list[Memory]:
        """Live memories in the order of their ids."""
        ...

    def armed(self, policy: str) -> bool:
        """Whether every alarm was set by the policy with this fingerprint."""
        ...

    @property
    def version(self) -> int:
        """Counts on with every change to the owner's memories: equal, and nothing has changed."""
        ...

    @property
    def is_analysed(self) -> bool:
        """Whether what was derived from the owner's texts was derived by the rules of this program
        (text/analysis_fingerprint.py)."""
        ...

    @property
    def swept_at(self) -> datetime | None:
        """When the last sweep ended."""
        ...

    def rests(self, moment: Moment, budgets: str | None = None) -> bool:
        """Whether no alarm can have come since the last sweep; and, if told, whether that knew these budgets."""
        ...

    def full(self, *, active: int, active_tokens: int, detached_tokens: int) -> list[Holding]:
        """The scopes that hold more than one of these."""
        ...

    def crowded(self, active: int) -> bool:
        """Whether a scope holds so many active memories."""
        ...

    def members(self, scope: Scope, status: Status) -> list[Memory]:
        """What stands in a scope itself, oldest first."""
        ...

    def buffer(self, agent: str | None, session: str | None) -> list[Memory]:
        """The active working memories of a session, oldest first."""
        ...

    def waiting(self, scope: Scope, limit: int, *, before: str = BEHIND_EVERY_ID) -> list[Waiter]:
        """Who waits in a scope and has a lower id than `before`, the latest first."""
        ...

    def waiting_since(self, ids: Sequence[str]) -> dict[str, datetime]: ...
    def vectors(self, ids: Sequence[str]) -> dict[str, Vector]: ...
    def foreign(self, fingerprint: str, *, after: str, limit: int) -> list[Memory]: ...
    def history(self, memory: str) -> list[Event]: ...
    def batch(self, batch: str) -> list[Event]: ...
    def log(self, *, after: int = 0, limit: int = 1000) -> list[Event]: ...
    def reinforced(self, ids: Sequence[str], *, since: datetime, session: str | None) -> set[str]: ...

    def uses(self, ids: Sequence[str], *, since: datetime) -> dict[str, list[datetime]]:
        """When each of these that was used since then was used."""
        ...

    def buried(self, hashes: Sequence[str]) -> dict[str, str]: ...
    def tombstones(self) -> list[Tombstone]: ...
    def days(self) -> list[tuple[date, int]]: ...
    def tallies(self) -> list[Tally]: ...
    def fingerprints(self) -> dict[str | None, int]: ...


class Writing(Reading, Protocol):
    """A short exclusive transaction on one owner's memories; nothing is kept if the block raises."""

    def for_every_agent(self) -> AbstractContextManager[None]:
        """Within the block the transaction sees what any agent sees: for what hangs on it, never to be shown."""
        ...

    def use(self, now: datetime) -> Moment:
        """Today is a day of use. One row a day; free when it stands already."""
        ...

    def add(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None: ...

    def change(self, memories: Sequence[Memory], was: Mapping[str, Memory] | None = None) -> None:
        """As given, but for the text (`replace`); a status that belongs on the other side moves the row, its words and
        its vector there. `was`: as they all stand, where that is known already, so that it need not be read again."""
        ...

    def replace(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None:
        """Wholly as given, text and vector too, in the place of those that bear their ids."""
        ...

    def touch(self, ids: Sequence[str], moment: Moment) -> None: ...
    def arm(self, memories: Sequence[Memory]) -> None: ...

    def under(self, policy: str) -> None:
        """Alarms set in this transaction are those of this policy."""
        ...

    def rearm(self, policy: str, limit: int) -> list[Memory]:
        """The next memories whose alarms are to be set by this policy; fewer than `limit`: the last."""
        ...

    def reembed(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None: ...

    def record(self, changes: Sequence[NewEvent], *, at: datetime, batch: str, session: str | None = None) -> None:
        """One event per change."""
        ...

    def replay(self, events: Sequence[Event]) -> None:
        """Events that were recorded elsewhere, as they are but for their numbers, which go on from here."""
        ...

    def erase(self, ids: Sequence[str]) -> None:
        """Rows, words, vectors, and everything the events said of them."""
        ...

    def bury(self, tombstones: Sequence[Tombstone]) -> None: ...
    def lift(self, tombstone: str) -> bool: ...
    def adopt(self, salt: bytes, days: Sequence[tuple[date, int]]) -> None: ...

    def swept(self, moment: Moment, budgets: str | None = None, again_at: datetime | None = None) -> None:
        """A sweep has left nothing due at this moment, and no scope too full by the budgets of this fingerprint that
        could be relieved; `again_at`: at that instant one can."""
        ...

    def wait(self, waiters: Mapping[Memory, datetime]) -> None: ...
    def wait_no_more(self, ids: Iterable[str]) -> None: ...

    def lease(self, holder: str, now: datetime, until: datetime) -> bool:
        """Whether the owner's sweep is this holder's until then; another's that is not over stands in the way."""
        ...

    def release(self, holder: str) -> None: ...

    @property
    def active(self) -> Mapping[str, int]:
        """Once committed: how many active memories each scope that changed now holds."""
        ...


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """What a look for erased texts found, and which places the store can neither clear nor look into."""

    clean: bool  # nothing of the texts is left where the store can look
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing `doctor` looked at."""

    check: str
    ok: bool
    detail: str
    remedy: str | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """A credential as it is kept: what its bearer may do, and a digest of a secret that nobody can read back."""

    id: str  # the part that may be seen
    name: str  # what people call it; no two have the same
    owner: str
    agent: str | None
    rights: tuple[str, ...]
    digest: str
    created_at: datetime
    expires_at: datetime | None = None  # None: never
    used_on: date | None = None  # the last day on which it was shown


class Tokens(Protocol):
    """The credentials of everybody who comes in through the network: looked up before an owner is known."""

    def all(self) -> list[Token]:
        """In the order of their names."""
        ...

    def any(self) -> bool:
        """Whether there is a credential now."""
        ...

    def ever(self) -> bool:
        """Whether there is one, or was one that has been revoked."""
        ...

    def find(self, id_: str) -> Token | None: ...

    def add(self, token: Token) -> bool:
        """False when there is one of that name."""
        ...

    def revoke(self, name: str) -> bool:
        """False when there is none of that name."""
        ...

    def mark(self, id_: str, day: date) -> None:
        """It was shown on that day."""
        ...


class Attendant(Protocol):
    """Hears what happened to the engines of a store, and may sweep beside them; never in the way of an answer."""

    def ring(self, owner: str, trigger: str, active: int | None = None) -> None: ...
    def wait(self, owner: str) -> None: ...
    def close(self) -> None: ...


class Store(Protocol):
    """Where memories are kept."""

    url: str

    @property
    def tokens(self) -> Tokens: ...

    def read(self, view: View) -> AbstractContextManager[Reading]: ...

    def write(self, view: View, *, durable: bool = True) -> AbstractContextManager[Writing]:
        """`durable=False` may lose the last commits to a power cut (never to a crash): enough for counters."""
        ...

    def owners(
        self, *, due: datetime | None = None, policy: str | None = None, budgets: str | None = None
    ) -> list[str]:
        """Every owner, or those a sweep at that instant (under policy and budgets so fingerprinted) could change."""
        ...

    def check(self) -> Iterable[Finding]: ...

    def repair(self, progress: Progress | None = None) -> Iterable[Finding]:
        """Derive again from the rows whatever is derived from them; `progress` is told how far it has come."""
        ...

    def backup(self, path: Path) -> None: ...

    def scrub(self, texts: Sequence[str]) -> Scrubbed:
        """After an erasure: clear what lies in logs and free pages, then look whether any of `texts` is left."""
        ...

    def size_bytes(self) -> int: ...
    def close(self) -> None: ...
