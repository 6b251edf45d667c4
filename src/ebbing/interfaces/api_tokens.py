"""Tokens: made once, shown once, and from then on only recognised.

A token is `ebb_<id>_<secret>`: the id finds its row, the secret is 256 random bits of which the row has a digest. A
plain SHA-256 will do for those: there is no dictionary of random numbers. Whose memories a bearer reaches, as which
agent and with which rights, is kept in the row and nowhere else.
"""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ..domain import validation
from ..domain.clock import Clock
from ..domain.durations import duration
from ..domain.errors import Conflict, NotFound
from ..ports import Store, Token
from .access import REVERSIBLE, Caller, NoCredential
from .tools import Right

PREFIX = "ebb"
_ID_BYTES = 6
_SECRET_BYTES = 32
_LONGEST = 256  # characters of anything that could be a token


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A new token, and its text, which is not stored."""

    token: Token
    text: str


def create(
    store: Store,
    name: str,
    *,
    owner: str,
    agent: str | None = None,
    rights: Sequence[str] = REVERSIBLE,
    expires_in: str | None = None,
    now: datetime,
) -> IssuedToken:
    """A new token for an owner, perhaps as one of their agents."""
    id_, secret = secrets.token_hex(_ID_BYTES), secrets.token_hex(_SECRET_BYTES)
    token = Token(
        id=id_,
        name=validation.name(name, "name"),
        owner=validation.name(owner, "owner"),
        agent=validation.optional_name(agent, "agent"),
        rights=tuple(sorted(validation.members(Right, rights, "right"))),
        digest=_digest(secret),
        created_at=now,
        expires_at=None if expires_in is None else now + duration(expires_in),
    )
    if not store.tokens.add(token):
        raise Conflict(f"there is a token {token.name!r} already; revoke it first, or choose another name")
    return IssuedToken(token, f"{PREFIX}_{id_}_{secret}")


def revoke(store: Store, name: str) -> None:
    """It is refused from this moment on."""
    if not store.tokens.revoke(validation.name(name, "name")):
        raise NotFound(f"there is no token {name!r}; `ebbing token list` shows those there are")


def authenticate(store: Store, shown: str, now: datetime) -> Caller:
    """The caller of this token. The error does not say why a token is not valid."""
    return _caller(store, valid_token(store, shown, now), now)


def valid_token(store: Store, shown: str, now: datetime) -> Token:
    """The row of the token that is shown; `NoCredential` where it is not valid."""
    prefix, _, rest = shown[:_LONGEST].partition("_")
    id_, _, secret = rest.partition("_")
    token = store.tokens.find(id_) if prefix == PREFIX and id_.isalnum() and id_.isascii() else None
    # Compared also when there is nothing to compare with, and never faster for being nearly right.
    matches = hmac.compare_digest(_digest(secret), token.digest if token is not None else _digest(""))
    if token is None or not matches or _expired(token, now):
        raise NoCredential("this token is not valid: it is unknown, revoked or expired; ask for a new one")
    return token


def caller_again(store: Store, shown: Token, now: datetime) -> Caller:
    """The caller of a token that was valid before, as it is now; `NoCredential` where it was revoked or has expired."""
    token = store.tokens.find(shown.id)
    if token is None or token.digest != shown.digest or _expired(token, now):
        raise NoCredential("the token of this session was revoked or has expired: sign in with another")
    return _caller(store, token, now)


def _expired(token: Token, now: datetime) -> bool:
    return token.expires_at is not None and token.expires_at <= now


def _caller(store: Store, token: Token, now: datetime) -> Caller:
    if token.used_on != now.date():
        store.tokens.mark(token.id, now.date())
    return Caller(token.owner, token.agent, frozenset(map(Right, token.rights)), token.name)


class Authenticator:
    """Who is served: callers with a valid token, and the local user as long as no token was ever made.

    `local` is that user, None where others than this machine can reach us. `trusting` lets the local user in without a
    token even though there are some. A revoked token counts: revoking the last one does not open the server again.
    """

    def __init__(self, store: Store, clock: Clock, local: Caller | None = None, *, trusting: bool = False) -> None:
        self._store = store
        self._clock = clock
        self._local = local
        self._trusting = trusting
        self._existed = False

    def caller(self, authorization: str | None) -> Caller:
        """Who sends this `Authorization` header; asks the store, so it belongs in a thread."""
        if authorization is None:
            if self._local is not None and (self._trusting or not self._token_existed()):
                return self._local
            raise NoCredential("show a token, as Authorization: Bearer ebb_…; `ebbing token create` makes one")
        scheme, _, shown = authorization.partition(" ")
        if scheme.lower() not in ("bearer", "token"):  # the second is what clients of mem0 say
            raise NoCredential("the way to show a token is Authorization: Bearer ebb_…")
        return authenticate(self._store, shown.strip(" "), self._clock.now())

    def _token_existed(self) -> bool:
        """Asked each time until it is so, and then it stays so: with the first token everybody needs one."""
        self._existed = self._existed or self._store.tokens.ever()
        return self._existed


def public(token: Token) -> dict[str, object]:
    """What may be shown of a token: all but the digest."""
    return {entry.name: getattr(token, entry.name) for entry in dataclasses.fields(token) if entry.name != "digest"}


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
