"""What a store of memories does: it opens transactions on one owner's rows, and maintains itself as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import Protocol

from .credentials import Tokens
from .search import View
from .store_values import Finding, Scrubbed
from .transaction import ReadTransaction, WriteTransaction

Progress = Callable[[int, int], None]  # (done, of how many)


class BackgroundSweeper(Protocol):
    """Is notified of what happened to a store's owners, and may run sweeps in the background; never blocks a caller."""

    def notify(self, owner: str, trigger: str, active: int | None = None) -> None:
        """A trigger (jobs/triggers.py) occurred for an owner; `active`: how many active memories the fullest scope it
        touched holds, if known."""
        ...

    def wait(self, owner: str) -> None:
        """Wait until no sweep of this owner is running here."""
        ...

    def close(self) -> None:
        """Start no further sweep, and wait for those that are running."""
        ...


class Store(Protocol):
    """Where memories are kept."""

    url: str

    @property
    def tokens(self) -> Tokens:
        """The credentials that are kept beside the memories."""
        ...

    def read(self, view: View) -> AbstractContextManager[ReadTransaction]:
        """A look at the memories of the view's owner, as of one moment."""
        ...

    def write(self, view: View, *, durable: bool = True) -> AbstractContextManager[WriteTransaction]:
        """`durable=False` may lose the last commits to a power cut (never to a crash): enough for counters."""
        ...

    def owners(
        self, *, due: datetime | None = None, policy: str | None = None, budgets: str | None = None
    ) -> list[str]:
        """Every owner, or those a sweep at that instant (under policy and budgets so fingerprinted) could change."""
        ...

    def check(self) -> Iterable[Finding]:
        """What `doctor` looks at, one thing after the other."""
        ...

    def repair(self, progress: Progress | None = None) -> Iterable[Finding]:
        """Derive again from the rows whatever is derived from them; `progress` is told how far it has come."""
        ...

    def backup(self, path: Path) -> None:
        """A copy of everything, as of one moment."""
        ...

    def scrub(self, texts: Sequence[str]) -> Scrubbed:
        """After an erasure: clear what lies in logs and free pages, then look whether any of `texts` is left."""
        ...

    def size_bytes(self) -> int:
        """How much room the store takes."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...
