"""Who is signed in: a random id in a cookie, and in this process whose it is.

A session names a token and is checked against the store at each request, so that revoking the token ends it at once.
`ebbing dashboard` has no token: it makes a link that signs in once, as the user of this machine.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http.cookies import CookieError, SimpleCookie

from ...domain.clock import Clock
from ...ports import Store, Token
from .. import api_tokens
from ..access import Caller, NoCredential

LASTS = timedelta(hours=12)
_SESSIONS_MOST = 1000  # the one that was used least lately makes room
_BYTES = 32


@dataclass(frozen=True, slots=True)
class Session:
    """One browser that is signed in."""

    until: datetime
    caller: Caller | None = None  # of a link; None: whoever the token says
    token: Token | None = None
    form_key: str = field(default_factory=lambda: secrets.token_urlsafe(_BYTES))  # what every form of it must show


class Sessions:
    """The sessions of one server. `link` is the secret of a link that may be used once, as `link_caller`."""

    def __init__(
        self, store: Store, clock: Clock, *, link: str | None = None, link_caller: Caller | None = None
    ) -> None:
        self._store = store
        self._clock = clock
        self._link = link
        self._link_caller = link_caller
        self._open: OrderedDict[str, Session] = OrderedDict()
        self._lock = threading.Lock()  # asked on the event loop and in threads
        self._form_key = secrets.token_urlsafe(_BYTES)  # of visitors without a session

    def begin(self, shown: str) -> str:
        """The id of a new session for whoever shows this token; `NoCredential` where it is not valid."""
        token = api_tokens.valid_token(self._store, shown.strip(), self._clock.now())
        return self._begin(Session(self._clock.now() + LASTS, token=token))

    def begin_by_link(self, secret: str) -> str:
        """The same for the link, which from then on is worth nothing."""
        with self._lock:
            if self._link is None or not hmac.compare_digest(self._link.encode(), secret.encode()):
                raise NoCredential("this link has been used, or is not of this server: run `ebbing dashboard` again")
            self._link = None
        return self._begin(Session(self._clock.now() + LASTS, caller=self._link_caller))

    def find(self, id_: str | None) -> Session | None:
        """The session of this id, if it still lasts."""
        with self._lock:
            session = None if id_ is None else self._open.get(id_)
            if id_ is None or session is None:
                return None
            if session.until <= self._clock.now():
                del self._open[id_]
                return None
            self._open.move_to_end(id_)
            return session

    def caller(self, session: Session) -> Caller:
        """Who it is. Asks the store, so it belongs in a thread; `NoCredential` once the token is revoked."""
        if session.token is None:
            if session.caller is None:
                raise NoCredential("this session names nobody: sign in again")
            return session.caller
        return api_tokens.caller_again(self._store, session.token, self._clock.now())

    def end(self, id_: str | None) -> None:
        """Signed out."""
        if id_ is not None:
            with self._lock:
                self._open.pop(id_, None)

    def form_key(self, session: Session | None) -> str:
        """What a form must show to be believed: no page from elsewhere can read it."""
        return self._form_key if session is None else session.form_key

    def _begin(self, session: Session) -> str:
        id_ = secrets.token_urlsafe(_BYTES)
        with self._lock:
            self._open[id_] = session
            while len(self._open) > _SESSIONS_MOST:
                self._open.popitem(last=False)
        return id_


def cookies_of(header: str) -> dict[str, str]:
    """The cookies of a request; none where the header is broken."""
    jar = SimpleCookie()
    try:
        jar.load(header)
    except CookieError:
        return {}
    return {name: morsel.value for name, morsel in jar.items()}
