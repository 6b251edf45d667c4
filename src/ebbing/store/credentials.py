"""Credentials as rows, the same on both engines: a small table that stands outside the rows of any owner."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from ..ports import Token
from .row_codec import Codec

Rows = list[tuple[Any, ...]]


class KeptTokens:
    """The credentials of a store. `ask` runs one of its queries outside any owner's transaction."""

    def __init__(self, ask: Callable[..., Rows], codec: Codec) -> None:
        self._ask = ask
        self._codec = codec

    def all(self) -> list[Token]:
        return [self._token(row) for row in self._ask("list_tokens")]

    def any(self) -> bool:
        return bool(self._ask("any_token"))

    def ever(self) -> bool:
        return bool(self._ask("ever_token"))

    def find(self, id_: str) -> Token | None:
        rows = self._ask("token", id=id_)
        return self._token(rows[0]) if rows else None

    def add(self, token: Token) -> bool:
        values = {entry.name: getattr(token, entry.name) for entry in dataclasses.fields(token)}
        return bool(self._ask("add_token", writes=True, **{**values, "rights": " ".join(token.rights)}))

    def revoke(self, name: str) -> bool:
        self._ask("note_revoked_token", writes=True, name=name)
        return bool(self._ask("delete_token", writes=True, name=name))

    def mark(self, id_: str, day: date) -> None:
        self._ask("mark_token", writes=True, id=id_, used_on=day)

    def _token(self, row: Sequence[Any]) -> Token:
        id_, name, owner, agent, rights, digest, created_at, expires_at, used_on = row
        instant = self._codec.instant
        return Token(
            id=id_,
            name=name,
            owner=owner,
            agent=agent,
            rights=tuple(rights.split()),
            digest=digest,
            created_at=instant(created_at),
            expires_at=None if expires_at is None else instant(expires_at),
            # SQLite keeps a day as text.
            used_on=date.fromisoformat(used_on) if isinstance(used_on, str) else used_on,
        )
