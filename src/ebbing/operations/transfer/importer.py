"""Import a file: check all of it, decide, then write in short transactions.

An import that was stopped can be run again and ends as if it had not been stopped: memories that are here as in the
file are left alone, and no event is written twice. Events are written first, so that a memory never exists without its
history and the log keeps its order. `merge.py` handles duplicates and conflicts with the memories here.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, TypeVar

from ...domain import validation
from ...domain.clock import calendar_day
from ...domain.errors import Conflict, Invalid, Unavailable
from ...domain.events import Event, EventKind
from ...domain.events import Imported as ImportedChange
from ...domain.ids import new_id
from ...domain.import_results import Imported
from ...domain.memory import Memory, Tier
from ...domain.policy import Policy
from ...domain.retention import day_told_of
from ...lifecycle.transitions import Transition, create
from ...lifecycle.unit_of_work import UnitOfWork, unit_of_work
from ...ports import EventLog, Index, OwnerState, Progress, ReadTransaction, Store, Tombstones, Vector, View
from ...text.screening.tombstone_form import texts_beside, tombstone_hashes
from .admission import Admission, Terms
from .merge import Meeting
from .validate_file import FAULTS_MAX, Contents, Faults, check

_PAGE = 500
_PURGED = "[withheld: it was purged]"
_IMPORTED = "-imported"  # behind the name of a batch that is taken here
_EVENTS = 1000
_EVENTS_MAX = 4 * _EVENTS
Item = TypeVar("Item")


class OnConflict(StrEnum):
    """What to do with a memory that differs from the one here with the same id."""

    SKIP = "skip"  # keep the memory that is here
    OVERWRITE = "overwrite"  # put the file's in its place
    FAIL = "fail"  # refuse the whole file, before anything is written


class Fate(StrEnum):
    """What becomes of a memory in the file."""

    ADDED = "added"
    REPLACED = "replaced"
    SKIPPED = "skipped"  # is here already, or is a duplicate of another
    DIFFERING = "differing"  # is here with other values, and is kept
    BLOCKED = "blocked"  # its text was purged here, or it was made out of one that was


@dataclass(slots=True)
class _Import:
    """One import under way."""

    contents: Contents
    store: Store
    view: View
    policy: Policy
    now: datetime
    choice: OnConflict
    meeting: Meeting
    admission: Admission
    left: set[str] = field(default_factory=set)  # blocked or skipped: neither they nor their events come in
    batches: dict[str, str] = field(default_factory=dict)  # of the file, and how each is called here
    days_agree: bool = False  # the file's counters of days are this owner's
    day_numbers: dict[date, int] = field(default_factory=dict)

    def displaces_block(self, memory: Memory, index: Index) -> bool:
        """Whether it is a core block of an untrusted file that would replace one here."""
        if self.admission.terms.trusted or memory.tier is not Tier.CORE or not memory.status.live:
            return False
        there = index.by_subject(str(memory.subject), str(memory.attribute))
        return any(one.tier is Tier.CORE and one.status.live and one.id != memory.id for one in there)

    @property
    def blocked(self) -> set[str]:
        return self.meeting.blocked

    def memories(self) -> Iterator[tuple[Memory, Vector | None]]:
        """Those of the file that may come in, as they may come in."""
        return self.admission.memories(self.view.owner)


def import_(
    path: str | os.PathLike[str],
    *,
    store: Store,
    view: View,
    policy: Policy,
    now: datetime,
    on_conflict: str = "skip",
    progress: Progress | None = None,
    terms: Terms | None = None,
    dry_run: bool = False,
) -> Imported:
    """Bring what an export holds to the view's owner, whoever had it before, as far as `terms` allow.

    What could not be remembered here makes the file refused. Every text passes the gate, and nothing is trusted more
    than an import (`admission.py`). A memory that stands already just as in the file is skipped under any
    `on_conflict`, and so is one that says what another here says; at an address the newer value wins, unless the older
    is pinned or trusted more. What this owner has purged stays out, with everything made out of it, and so does what
    only another agent than the view's may see; a tombstone that the file itself brings along blocks nothing in the file
    that stood beside it before. One that was lifted here stays lifted. Today does not become a day of use.
    """
    choice = validation.member(OnConflict, on_conflict, "on_conflict")
    source = validation.path(path)
    with _opened(source) as stream:
        contents = check(stream, str(source), policy.limits)
        meeting = Meeting(contents, overwrites=choice is OnConflict.OVERWRITE)
        reader = replace(view, every_agent=view.agent is None)
        admission = Admission(contents, policy, terms or Terms(), reader, now)
        task = _Import(contents, store, view, policy, now, choice, meeting, admission)
        _check_against_store(task)
        counts = _decide(task)
        if dry_run:
            return _answer(task, counts, dry_run=True)
        _bring_owner(task)
        _bring_events(task)
        return _bring_memories(task, progress)


def _check_against_store(task: _Import) -> None:
    """A model's vectors have one width per owner, or they could not be compared."""
    faults = Faults(task.contents.name)
    with task.store.read(task.view) as tx:
        for model, (width, line) in task.contents.widths.items():
            known = tx.index.dimension(model)
            if known is not None and known != width:
                faults.add(line, f"a vector of {model} has {width} dimensions, and those stored here have {known}")
    faults.stop()


def _decide(task: _Import) -> Counter[Fate]:
    """Look at every memory before anything is written."""
    counts = Counter[Fate]()
    conflicts: list[str] = []
    for page in _pages(task.memories()):
        with task.store.read(task.view) as tx:
            fates = _fates([memory for memory, _ in page], tx, task)
        task.left |= {id_ for id_, fate in fates.items() if fate in (Fate.SKIPPED, Fate.DIFFERING)}
        counts.update(fates.values())
        conflicts += [id_ for id_, fate in fates.items() if fate is Fate.DIFFERING]
    if conflicts and task.choice is OnConflict.FAIL:
        named = ", ".join(conflicts[:FAULTS_MAX]) + (", …" if len(conflicts) > FAULTS_MAX else "")
        raise Conflict(
            f"{task.contents.name} has memories that stand here already and differ, {len(conflicts)} in all ({named}); "
            "nothing was written: choose on_conflict 'skip' or 'overwrite'"
        )
    _block_derived(task)
    task.left |= task.blocked | task.admission.left_out.keys()
    return counts


def _fates(memories: Sequence[Memory], tx: ReadTransaction, task: _Import) -> dict[str, Fate]:
    """What will be done with each, given the present state."""
    task.meeting.blocked |= _buried(memories, tx, task)
    stored = tx.memories.get([memory.id for memory in memories])
    fresh = [memory for memory in memories if memory.status.live and memory.id not in stored]
    task.meeting.find_twins(fresh, tx.index)
    return {memory.id: _fate(memory, stored.get(memory.id), tx, task) for memory in memories}


def _fate(memory: Memory, there: Memory | None, tx: ReadTransaction, task: _Import) -> Fate:
    if there is not None and not task.admission.reader.sees(there):
        return Fate.SKIPPED  # another agent's: neither changed nor reported
    if there is not None and task.meeting.stands(memory, there, tx.events):
        return Fate.SKIPPED
    if task.displaces_block(memory, tx.index):
        return Fate.SKIPPED
    if memory.id in task.blocked:
        return Fate.BLOCKED
    if there is None:
        return Fate.SKIPPED if memory.id in task.meeting.twins else Fate.ADDED
    overwrites = task.choice is OnConflict.OVERWRITE and there.trust <= memory.trust
    return Fate.REPLACED if overwrites else Fate.DIFFERING


def _buried(memories: Sequence[Memory], tx: ReadTransaction, task: _Import) -> set[str]:
    """Which of these say, in their text or beside it, what this owner has purged. Beside a tombstone that the file
    brings along others may stand that say the same, but not the very one that was purged: the file may have it from
    before. A file whose tombstones are not taken excuses nothing by naming them."""
    excused = task.contents.tombstones.keys() if task.admission.takes_tombstones else set()
    hashes = {
        memory.id: [
            hash_
            for text in dict.fromkeys((memory.text, *(one for _, one in texts_beside(memory))))
            for hash_ in tombstone_hashes(text, tx.tombstones.salts)
        ]
        for memory in memories
    }
    found = tx.tombstones.matching([hash_ for several in hashes.values() for hash_ in several]) if hashes else {}
    stones = {id_: {found[hash_] for hash_ in several if hash_ in found} for id_, several in hashes.items()}
    return {
        id_
        for id_, found_here in stones.items()
        if found_here and (found_here - excused or _was_purged(id_, tx.events))
    }


def _was_purged(id_: str, log: EventLog) -> bool:
    return any(event.kind is EventKind.PURGED for event in log.of_memory(id_))


def _block_derived(task: _Import) -> None:
    """A purge takes what was derived with it; so does being blocked by one."""
    derived = task.contents.derived_from
    while more := {id_ for id_, sources in derived.items() if not task.blocked.isdisjoint(sources)} - task.blocked:
        task.meeting.blocked |= more


def _bring_owner(task: _Import) -> None:
    """The days of use where there are none yet; salts and tombstones where they are taken."""
    contents = task.contents
    takes = task.admission.takes_tombstones
    with task.store.write(task.view) as tx:
        tx.owner.add_active_days(contents.days)
        for salt in contents.salts if takes else ():
            tx.tombstones.add_salt(salt)
        task.days_agree = bool(contents.days) and set(contents.days) <= set(tx.owner.active_days())
        if not takes:
            return
        known = {stone.id for stone in tx.tombstones.all()}
        fresh = [stone for stone in contents.tombstones.values() if stone.id not in known]
        tx.tombstones.add([stone for stone in fresh if not _lifted(stone.id, tx.events)])


def _lifted(stone: str, log: EventLog) -> bool:
    return any(event.kind is EventKind.LIFTED for event in log.of_memory(stone))


def _bring_events(task: _Import) -> None:
    """Write the events of imported memories, in their order, without those that are in the log already."""
    wanted = (event for event in task.admission.events() if event.memory not in task.left)
    for page in _event_pages(wanted):
        with task.store.write(task.view) as tx:
            tx.events.append(_missing(page, tx, task))


def _in_own_batch(event: Event, log: EventLog, task: _Import) -> Event:
    """The event in a batch of its own if a batch with that id is here already: an untrusted file must not add to it,
    or undoing that batch would restore memories of the file."""
    if event.batch not in task.batches:
        taken = not task.admission.terms.trusted and bool(log.of_batch(event.batch))
        task.batches[event.batch] = f"{event.batch}{_IMPORTED}" if taken else event.batch
    return replace(event, batch=task.batches[event.batch])


def _event_pages(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Pages that end where a batch ends: two events of a batch may be equal, and if a page ended between them it would
    be unknown which is in the log already. Only sweeps have longer batches, and those have no equal events."""
    page: list[Event] = []
    for event in events:
        ended = len(page) >= _EVENTS and event.batch != page[-1].batch
        if ended or len(page) >= _EVENTS_MAX:
            yield page
            page = []
        page.append(event)
    if page:
        yield page


def _missing(page: Sequence[Event], tx: ReadTransaction, task: _Import) -> list[Event]:
    """The events that are not in the log. Events of a memory that is here and not in the file are left out: they say
    only that it was purged elsewhere."""
    ids = {event.memory for event in page if event.memory is not None}
    elsewhere = set(tx.memories.get(sorted(ids - task.contents.ids)))
    known = {_identity(event) for id_ in ids - elsewhere for event in tx.events.of_memory(id_)}
    fresh = [event for event in page if event.memory not in elsewhere and _identity(event) not in known]
    fresh = _without_purged([_in_own_batch(one, tx.events, task) for one in fresh], tx.tombstones)
    return [event for event in fresh if _identity(event) not in known]


def _without_purged(events: Sequence[Event], tombstones: Tombstones) -> list[Event]:
    """The events without reasons and sessions that say what this owner has purged."""
    texts = dict.fromkeys(text for one in events for text in (one.reason, one.session) if text and " " in text)
    hashes = {text: tombstone_hashes(text, tombstones.salts) for text in texts}
    buried = tombstones.matching([hash_ for several in hashes.values() for hash_ in several]) if hashes else {}
    purged = {text for text, several in hashes.items() if not buried.keys().isdisjoint(several)}
    if not purged:
        return list(events)
    kept = {text: _PURGED if text in purged else text for text in texts}
    return [
        replace(one, reason=kept.get(str(one.reason), one.reason), session=kept.get(str(one.session), one.session))
        for one in events
    ]


def _identity(event: Event) -> tuple[object, ...]:
    detail = json.dumps(dict(event.detail), sort_keys=True)
    return event.memory, event.at, event.kind, event.batch, event.actor, event.session, event.reason, detail


def _bring_memories(task: _Import, progress: Progress | None) -> Imported:
    batch = new_id(task.now)
    counts = Counter[Fate]()
    for page in _pages(task.memories()):
        with unit_of_work(task.store, task.view, task.policy, task.now, batch=batch, is_use=False) as change:
            counts.update(_write(page, change, task))
        if progress is not None:
            progress(counts.total(), len(task.contents.ids) - len(task.admission.left_out))
    return _answer(task, counts)


def _answer(task: _Import, counts: Counter[Fate], *, dry_run: bool = False) -> Imported:
    notes = task.admission.notes()
    if counts[Fate.DIFFERING] and task.choice is OnConflict.OVERWRITE:
        kept = f"{counts[Fate.DIFFERING]} not overwritten: they are trusted more here than an import is"
        notes += (f"{kept}; trusted=True is for a backup that you made yourself",)
    return Imported(
        added=counts[Fate.ADDED],
        replaced=counts[Fate.REPLACED],
        skipped=counts[Fate.SKIPPED] + counts[Fate.DIFFERING] + len(task.admission.left_out),
        blocked=counts[Fate.BLOCKED],
        quarantined=len(task.admission.quarantined.keys() - task.left),
        dry_run=dry_run,
        notes=(*notes, "dry run: nothing was written") if dry_run else notes,
    )


def _write(page: Sequence[tuple[Memory, Vector | None]], unit: UnitOfWork, task: _Import) -> list[Fate]:
    """One page, decided again: others may have written since."""
    memories = [memory for memory, _ in page]
    fates = _fates(memories, unit.tx, task)
    vectors = {memory.id: vector for memory, vector in page if vector is not None}
    for fate, write in ((Fate.ADDED, unit.apply), (Fate.REPLACED, unit.replace)):
        steps: list[Transition] = []
        for memory in memories:
            if fates[memory.id] is fate:
                settled, conflicts = task.meeting.settle(_dated(memory, unit.tx.owner, task), unit)
                steps.append(_imported(settled, fate, task))
                steps += (Transition(settled, settled, what, why) for what, why in conflicts)
        write(steps, vectors)
    return list(fates.values())


def _imported(memory: Memory, fate: Fate, task: _Import) -> Transition:
    details = ImportedChange(exported_at=task.contents.exported_at, replaced=fate is Fate.REPLACED)
    why = task.admission.quarantined.get(memory.id, f"from an export of {task.admission.owner}")
    return create(memory, details, why)


def _dated(memory: Memory, owner: OwnerState, task: _Import) -> Memory:
    """The memory with its days in this owner's counting."""
    if task.days_agree:
        return memory
    created, used = (_day_number(at, owner, task) for at in (memory.created_at, memory.last_accessed_at))
    return memory.with_(created_day=created, used_day=used)


def _day_number(at: datetime, owner: OwnerState, task: _Import) -> int:
    day = at.date()
    if day not in task.day_numbers:
        days = owner.active_days()
        first = days[0][1] if days else calendar_day(task.now)
        task.day_numbers[day] = day_told_of(owner.active_day_at(at), first, task.policy)
    return task.day_numbers[day]


def _pages(items: Iterable[Item]) -> Iterator[list[Item]]:
    iterator = iter(items)
    while page := list(itertools.islice(iterator, _PAGE)):
        yield page


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        stream = path.open("rb")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError) as error:
        raise Invalid(f"{path} is not a file to import: {error.strerror}") from error
    except OSError as error:
        raise Unavailable(f"{path} cannot be read: {error.strerror or error}") from error
    with stream:
        yield stream
