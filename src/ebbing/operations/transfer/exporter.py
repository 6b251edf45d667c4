"""Write everything an owner has into a file that is complete or not there at all."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TextIO

from ...domain import validation
from ...domain.errors import Conflict, Invalid, StorageFull, Unavailable
from ...domain.events import Event
from ...domain.memory import Memory
from ...ports import Filter, MemoryRows, Progress, ReadTransaction, Store, View
from . import line_format

_PAGE = 500
_IN_MEMORY = ":memory:"
_FULL = (errno.ENOSPC, errno.EDQUOT)


def export(
    path: str | os.PathLike[str], *, store: Store, view: View, now: datetime, progress: Progress | None = None
) -> int:
    """Write all that the view's owner has, as of one moment, to `path`; returns the number of memories.

    Others may go on writing. The file is readable by its owner alone. An older export at `path` stays until
    this one is complete, and is then replaced; for any other file there `Conflict` is raised.

    `progress` may use the store, and may stop the export by raising. A store in memory has one connection, which
    the snapshot holds: there all of it is told once everything is read, and before the file takes its name.
    """
    target = validation.path(path)
    if not target.name:
        raise Invalid(f"{target} is a folder; give the path of a file")
    tell = progress if progress is not None else _silent
    with contextlib.ExitStack() as snapshot:
        tx = snapshot.enter_context(store.read(view))
        # The file is opened inside the transaction, so that its errors are not reported as errors of the store.
        with _new_file(target) as file:
            count = _count(tx)
            file.write(line_format.written(line_format.header_line(view.owner, now, count)))
            _write_owner(file, tx)
            untold: list[int] = []
            for done in itertools.accumulate(_write_memories(file, tx)):
                if store.url == _IN_MEMORY:
                    untold.append(done)
                else:
                    tell(done, count)
            file.write(line_format.written(line_format.end_line(_write_events(file, tx))))
            if untold:
                snapshot.close()
            for done in untold:
                tell(done, count)
    return count


def _count(tx: ReadTransaction) -> int:
    """How many memories the view sees; tallies are of everyone's."""
    if tx.view.every_agent:
        return sum(tally.count for tally in tx.memories.count_by_status())
    return sum(map(len, _memory_pages(tx.memories)))


def _silent(done: int, count: int) -> None:
    """Progress that is not reported."""


def _write_owner(file: TextIO, tx: ReadTransaction) -> None:
    stones = tx.tombstones.all()
    if stones:
        file.writelines(line_format.written(line_format.salt_line(salt)) for salt in tx.tombstones.salts)
    file.writelines(line_format.written(line_format.day_line(*day)) for day in tx.owner.active_days())
    file.writelines(line_format.written(line_format.tombstone_line(stone)) for stone in stones)


def _write_memories(file: TextIO, tx: ReadTransaction) -> Iterator[int]:
    for page in _memory_pages(tx.memories):
        vectors = tx.index.vectors([memory.id for memory in page])
        file.writelines(line_format.written(line_format.memory_line(memory, vectors.get(memory.id))) for memory in page)
        yield len(page)


def _memory_pages(rows: MemoryRows) -> Iterator[list[Memory]]:
    before = None
    while page := rows.page(Filter(), before=before, limit=_PAGE):
        yield page
        before = page[-1].id


def _write_events(file: TextIO, tx: ReadTransaction) -> int:
    count = after = 0
    while page := tx.events.page(after=after, limit=2 * _PAGE):
        events = _seen(page, tx)
        file.writelines(line_format.written(line_format.event_line(event)) for event in events)
        count += len(events)
        after = page[-1].seq
    return count


def _seen(events: list[Event], tx: ReadTransaction) -> list[Event]:
    """The events of memories that the agent sees; the agent of a purged memory is not known."""
    if tx.view.every_agent:
        return events
    ids = tx.memories.get(sorted({event.memory for event in events if event.memory is not None}))
    return [event for event in events if event.memory is None or event.memory in ids]


@contextlib.contextmanager
def _new_file(path: Path) -> Iterator[TextIO]:
    """A file that takes its name when it is complete, and vanishes when it does not come to that."""
    partial = path.with_name(path.name + ".partial")
    try:
        _expect_replaceable(path)
        partial.unlink(missing_ok=True)  # of an export that was killed
        with os.fdopen(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
            try:
                yield file
                file.flush()
                os.fsync(file.fileno())
                if not _is(partial, file):
                    raise Conflict(f"another export to {path} began while this one ran; one of them is enough")
                partial.replace(path)
            except BaseException:
                if _is(partial, file):
                    partial.unlink()
                raise
    except OSError as error:
        raise _refused(path, error) from error


def _expect_replaceable(path: Path) -> None:
    if path.is_dir():
        raise Invalid(f"{path} is a folder; give the path of a file")
    if path.exists():
        with path.open("rb") as file:
            opening = file.read(len(line_format.OPENING))
        if opening not in (b"", line_format.OPENING):
            raise Conflict(f"{path} exists already and is not an export; give another path")


def _is(path: Path, file: TextIO) -> bool:
    """Whether this very file still bears that name."""
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


def _refused(path: Path, error: OSError) -> Exception:
    if error.errno in _FULL:
        return StorageFull(f"the disk that would hold {path} is full; nothing was written: make room and try again")
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return Invalid(f"there is no folder {path.parent} to write {path.name} to; give a path in one that exists")
    return Unavailable(f"{path} cannot be written: {error.strerror or error}")
