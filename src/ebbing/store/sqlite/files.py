"""The files of a SQLite store: made private, and watched for being taken away while they are open."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from ...domain.errors import Unavailable

_BESIDE = ("", "-wal", "-shm")


def make_private(path: Path) -> None:
    """The file exists and only its owner reads it; SQLite gives its log the same mode."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


class OpenFiles:
    """A database, its log and the index of that as they were when it was opened; none for a database in memory.

    When one of them is removed or replaced, SQLite goes on writing into the one that nobody finds again: what it
    commits is lost, and processes that have the old and the new one no longer wait for each other.
    """

    def __init__(self, path: str | None = None) -> None:
        names = () if path is None else tuple(path + suffix for suffix in _BESIDE)
        self._found = {name: identity for name in names if (identity := _identity(name)) is not None}

    def require(self) -> None:
        """Raise when one of them is not the one that was opened."""
        for name, opened in self._found.items():
            if _identity(name) != opened:
                raise Unavailable(
                    f"{name} was removed or replaced while it was in use; nothing was written: close this store, bring "
                    "the file back if it is missing, and open it again"
                )


def _identity(name: str) -> tuple[int, int] | None:
    """What tells a file from another of the same name; None when there is none."""
    try:
        found = os.stat(name)  # noqa: PTH116 - asked by each transaction, and a Path takes as long again
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino
