"""What SQLite and the system have to say when something fails, in our words, with what to do about it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import apsw

from ..errors import Corrupt, EbbingError, Locked, StorageFull, Unavailable

# What can go wrong without a mistake of ours.
FOREIGN = (
    *(apsw.BusyError, apsw.FullError, apsw.CorruptError, apsw.NotADBError),
    *(apsw.ReadOnlyError, apsw.CantOpenError, apsw.IOError, apsw.PermissionsError, OSError),
)


@contextlib.contextmanager
def translated(path: str) -> Iterator[None]:
    """SQLite's errors as ours, with what to do about them."""
    try:
        yield
    except FOREIGN as error:
        raise as_ours(error, path) from error


def as_ours(error: Exception, path: str) -> EbbingError:
    """An error of SQLite's or of the system's as one of ours."""
    match error:
        case apsw.BusyError():
            return Locked(
                f"{path} has been held by another process for too long; nothing was written: try again when it is done"
            )
        case apsw.FullError():
            return StorageFull(f"the disk that holds {path} is full; nothing was written: make room and try again")
        case apsw.CorruptError() | apsw.NotADBError():
            return Corrupt(
                f"{path} is damaged or is not a database ({error}); `ebbing doctor` tells more, a backup brings it back"
            )
        case OSError():
            return Unavailable(f"{path} cannot be used: {error.strerror or error}")
        case _:
            return Unavailable(f"{path} cannot be used: {error}; check that it exists and may be written")
