"""The credentials of those who come in through the network, as a store keeps them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol


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
