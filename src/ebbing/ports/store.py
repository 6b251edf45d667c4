"""What a store does: open transactions on one owner's rows, keep the API tokens of all, and maintain itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Protocol

from .search import View
from .store_values import Finding, Scrubbed
from .transaction import ReadTransaction, WriteTransaction


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


Progress = Callable[[int, int], None]  # (done, of how many)


class BackgroundSweeper(Protocol):
    """Is notified of what happened to a store's owners, and may run sweeps in the background; never blocks a caller."""

    def notify(self, owner: str, trigger: str, active: int | None = None) -> None:
        """A trigger (jobs/worker.py) occurred for an owner; `active`: how many active memories the fullest scope it
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
