"""What SQLite and the system have to say when something fails, in our words, with what to do about it."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator

import apsw

from ...domain.errors import Conflict, Corrupt, EbbingError, Locked, StorageFull, TooLarge, Unavailable

# What can go wrong without a mistake of ours.
FOREIGN = (
    *(apsw.BusyError, apsw.LockedError, apsw.ProtocolError, apsw.FullError, apsw.CorruptError, apsw.NotADBError),
    *(apsw.ReadOnlyError, apsw.CantOpenError, apsw.IOError, apsw.PermissionsError, apsw.ConstraintError),
    *(apsw.SQLError, apsw.SchemaChangeError, apsw.NoMemError, apsw.TooBigError, OSError),
)


@contextlib.contextmanager
def translated(path: str) -> Iterator[None]:
    """SQLite's errors as ours, with what to do about them."""
    try:
        yield
    except FOREIGN as error:
        raise as_ours(error, path) from error


def as_ours(error: Exception, path: str, number: int = 0) -> EbbingError:
    """An error of SQLite's or of the system's as one of ours; `number` is the system's errno, where it is known."""
    match error:
        case apsw.BusyError() | apsw.LockedError() | apsw.ProtocolError():
            return Locked(
                f"{path} has been held by another process for too long; nothing was written: try again when it is done"
            )
        case apsw.FullError():
            return StorageFull(f"the disk that holds {path} is full; nothing was written: make room and try again")
        case apsw.CorruptError() | apsw.NotADBError():
            return Corrupt(
                f"{path} is damaged or is not a database ({error}); bring back a backup: an export saves what can "
                "still be read"
            )
        case apsw.SQLError() | apsw.SchemaChangeError():
            return Corrupt(
                f"{path} does not hold the tables of Ebbing as they were ({error}): it, or the -wal file beside it, "
                "was removed or replaced; open it again, or bring back a backup"
            )
        case apsw.ConstraintError():
            return Conflict(f"{path} was changed by somebody else meanwhile ({error}); nothing was written: try again")
        case apsw.TooBigError():
            return TooLarge(f"that is more than SQLite can hold ({error}); nothing was written: give less at once")
        case OSError():
            return _of_system(error.errno or 0, path, error.strerror or str(error))
        case apsw.IOError():
            return _of_system(number, path, str(error))
        case _:
            return Unavailable(f"{path} cannot be used: {error}; check that it exists and may be written")


def _of_system(number: int, path: str, message: str) -> EbbingError:
    """What the operating system refused, by its errno; 0 where it is not known."""
    if number == errno.EFBIG:
        return StorageFull(
            f"{path} may not grow: a limit on the size of files is reached (ulimit -f, or the file system's own); "
            "nothing was written: raise the limit and try again"
        )
    if number in (errno.ENOSPC, errno.EDQUOT):
        return StorageFull(
            f"the disk that holds {path} is full, or your quota on it; nothing was written: make room and try again"
        )
    sentence = f"{message} ({os.strerror(number)})" if number and os.strerror(number) not in message else message
    return Unavailable(
        f"{path} cannot be used: {sentence}; check that it exists, may be written, and that its disk is sound"
    )
