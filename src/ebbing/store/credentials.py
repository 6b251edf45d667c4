"""Credentials as rows, the same on both engines: the table `tokens`, which belongs to no owner."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from ..ports import Token
from .owner_connection import Rows
from .row_codec import Codec


class TokenTable:
    """The credentials of a store. `execute` runs a query by its name outside of any owner's transaction."""

    def __init__(self, execute: Callable[..., Rows], codec: Codec) -> None:
        self._execute = execute
        self._codec = codec

    def all(self) -> list[Token]:
        return [self._token(row) for row in self._execute("list_tokens")]

    def any(self) -> bool:
        return bool(self._execute("any_token"))

    def ever(self) -> bool:
        return bool(self._execute("ever_token"))

    def find(self, id_: str) -> Token | None:
        rows = self._execute("token", id=id_)
        return self._token(rows[0]) if rows else None

    def add(self, token: Token) -> bool:
        values = {entry.name: getattr(token, entry.name) for entry in dataclasses.fields(token)}
        return bool(self._execute("add_token", writes=True, **{**values, "rights": " ".join(token.rights)}))

    def revoke(self, name: str) -> bool:
        self._execute("note_revoked_token", writes=True, name=name)
        return bool(self._execute("delete_token", writes=True, name=name))

    def mark(self, id_: str, day: date) -> None:
        self._execute("mark_token", writes=True, id=id_, used_on=day)

    def _token(self, row: Sequence[Any]) -> Token:
        id_, name, owner, agent, rights, digest, created_at, expires_at, used_on = row
        return Token(
            id=id_,
            name=name,
            owner=owner,
            agent=agent,
            rights=tuple(rights.split()),
            digest=digest,
            created_at=self._codec.instant(created_at),
            expires_at=self._codec.optional_instant(expires_at),
            used_on=self._codec.optional_day(used_on),
        )
