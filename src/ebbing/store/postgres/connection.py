"""Reaching a PostgreSQL server: its address, a pool of connections, and its errors as ours.

The address is libpq's, with two options of our own: `ebbing_schema` (where the tables stand) and
`ebbing_partitions` (how many the tables are made with). What is shown of it has no password.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import psycopg
from psycopg import conninfo, errors
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from ...domain.errors import Conflict, Corrupt, Denied, EbbingError, Invalid, Locked, StorageFull, TooLarge, Unavailable

Connection = psycopg.Connection[tuple[Any, ...]]
Cursor = psycopg.Cursor[tuple[Any, ...]]
Result = TypeVar("Result")

CONNECTIONS_MAX = 16  # per process; a server has a hundred by default
CONNECT_SECONDS = 10  # for one attempt to reach the server, unless the address says otherwise
LOCK_MS = 15_000  # how long a writer waits for its turn before it gives up
_PATIENCE_SECONDS = 2.0  # how long a caller waits for a connection before it asks whether the server is there …
_PATIENCE_TIMES = 8  # … and how often
_PARTITIONS_MAX = 1024
_ASSUMED: dict[str, Any] = {"application_name": "ebbing", "connect_timeout": CONNECT_SECONDS}
# Nothing is prepared unasked: a cached generic plan cost 105 ms where one made for the owner cost 1.8.
_SETTINGS: dict[str, Any] = {"autocommit": True, "prepare_threshold": 2**31}
_SCHEMA = re.compile(r"(?!pg_)[a-z_][a-z0-9_]{0,62}")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a store is."""

    conninfo: str = field(repr=False)  # for libpq, password and all
    shown: str
    schema: str = "ebbing"
    partitions: int = 0

    @classmethod
    def parse(cls, url: str) -> Address:
        """An address as people write it; nothing of it is repeated in an error but the names of its options."""
        base, _, query = url.partition("?")
        own: dict[str, str] = {}
        others: list[str] = []
        for part in filter(None, query.split("&")):
            name, _, value = part.partition("=")
            if name.startswith("ebbing_"):
                own[name] = value
            else:
                others.append(part)
        given = _understood(f"{base}?{'&'.join(others)}" if others else base)
        if given is None:
            raise Invalid(
                "the address of the PostgreSQL server is not understood; write "
                "postgresql://user:password@host:5432/name, with special characters in the password percent-encoded"
            )
        unknown = sorted(own.keys() - {"ebbing_schema", "ebbing_partitions"})
        if unknown:
            raise Invalid(
                f"the address has no option {', '.join(unknown)}; it takes ebbing_schema and ebbing_partitions"
            )
        return cls(
            conninfo.make_conninfo("", **{**_ASSUMED, **given}),
            _shown(given),
            _schema(own.get("ebbing_schema", "ebbing")),
            _partitions(own.get("ebbing_partitions", "0")),
        )


def _understood(url: str) -> dict[str, Any] | None:
    try:
        given = conninfo.conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        # libpq's own sentence quotes what it stumbled over, and that may be a part of the password.
        return None
    return None if "@" in str(given.get("host", "")) else given


def _shown(given: dict[str, Any]) -> str:
    user = f"{given['user']}@" if given.get("user") else ""
    host = str(given.get("host") or given.get("hostaddr") or "")
    port = f":{given['port']}" if given.get("port") else ""
    socket = f"?host={host}" if host.startswith("/") else ""
    return f"postgresql://{user}{'' if socket else host}{port}/{given.get('dbname') or ''}{socket}"


def _schema(name: str) -> str:
    if not _SCHEMA.fullmatch(name):
        raise Invalid(f"ebbing_schema={name} is no name of a schema; use small letters, digits and underscores")
    return name


def _partitions(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= _PARTITIONS_MAX):
        raise Invalid(f"ebbing_partitions={text} is not a whole number up to {_PARTITIONS_MAX}")
    return int(text)


def connect(address: Address) -> Connection:
    """A connection of one's own; raises when the server cannot be reached, and says why."""
    return psycopg.connect(address.conninfo, **_SETTINGS)


class Connections:
    """A pool that says why when it cannot serve."""

    def __init__(self, address: Address, configure: Callable[[Connection], None]) -> None:
        self.address = address
        self._closed = False
        self._pool = ConnectionPool(
            address.conninfo,
            kwargs=_SETTINGS,
            configure=configure,
            min_size=0,
            max_size=CONNECTIONS_MAX,
            reconnect_timeout=1.0,  # a caller that needs a connection tries again
            name=f"ebbing {address.shown}",
            open=False,
        )

    @contextlib.contextmanager
    def begun(self, begin: Callable[[Connection], Result]) -> Iterator[tuple[Connection, Result]]:
        """A connection on which `begin` has run. One that died while it lay idle is replaced: what begins a transaction
        tells the living from the dead at no cost, so nothing is sent to check."""
        connection, result = self._begin(begin) or self._begin_again(begin)
        try:
            yield connection, result
        finally:
            self._give_back(connection)

    def _begin(self, begin: Callable[[Connection], Result]) -> tuple[Connection, Result] | None:
        """None when the connection turns out to be dead."""
        connection = self._take()
        try:
            return connection, begin(connection)
        except psycopg.OperationalError:
            died = connection.broken
            self._give_back(connection)
            if died:
                return None
            raise
        except BaseException:
            self._give_back(connection)
            raise

    def _begin_again(self, begin: Callable[[Connection], Result]) -> tuple[Connection, Result]:
        # Raises when the server is gone. If it only dropped us, the idle neighbours have died too.
        self.alone().close()
        self._pool.check()
        begun = self._begin(begin)
        if begun is None:
            raise Unavailable(f"{self.address.shown} drops every connection; look into its log")
        return begun

    def alone(self) -> Connection:
        """A connection outside the pool, for statements that change a session; the caller closes it."""
        return connect(self.address)

    def close(self) -> None:
        self._closed = True
        self._pool.close()

    def _take(self) -> Connection:
        if self._closed:
            raise Conflict(f"{self.address.shown} is closed; open it again to use it")
        self._pool.open()
        for _ in range(_PATIENCE_TIMES):
            try:
                return self._pool.getconn(timeout=_PATIENCE_SECONDS)
            except PoolTimeout:
                # Either the server is gone, and this says so, or every connection is at work.
                self.alone().close()
        raise Locked(
            f"all {CONNECTIONS_MAX} connections to {self.address.shown} have been busy for "
            f"{_PATIENCE_SECONDS * _PATIENCE_TIMES:.0f} s; try again, or let fewer threads share one store"
        )

    def _give_back(self, connection: Connection) -> None:
        if not connection.closed:
            with contextlib.suppress(psycopg.OperationalError):
                connection.rollback()
        self._pool.putconn(connection)


_Kinds = tuple[type[psycopg.Error], ...]

# PostgreSQL's errors, ours, and what to do about each; the first that fits decides. {shown} is the address, {said} what
# the server said.
_OURS: tuple[tuple[_Kinds, type[EbbingError], str], ...] = (
    ((PoolClosed,), Conflict, "{shown} is closed; open it again to use it"),
    (
        (errors.PipelineAborted,),
        Conflict,
        "a statement of this transaction failed and it went on all the same; nothing was written",
    ),
    (
        (errors.DiskFull,),
        StorageFull,
        "the disk of {shown} is full; nothing was written: make room and try again",
    ),
    (
        (errors.LockNotAvailable, errors.DeadlockDetected, errors.SerializationFailure, errors.QueryCanceled),
        Locked,
        "{shown} was held by another for too long ({said}); nothing was written: try again",
    ),
    (
        # What was prepared no longer fits: another process has brought the tables up to date.
        (errors.FeatureNotSupported,),
        Unavailable,
        "the tables of {shown} were changed meanwhile ({said}); nothing was written: try again",
    ),
    (
        (errors.ReadOnlySqlTransaction,),
        Unavailable,
        "{shown} may only be read: it is a standby or set read-only; give the address of the primary",
    ),
    (
        (errors.DataCorrupted, errors.IndexCorrupted, errors.UndefinedTable, errors.DuplicateTable),
        Corrupt,
        "the tables of {shown} are damaged or not Ebbing's ({said}); the server's log tells more",
    ),
    (
        (errors.InsufficientPrivilege,),
        Denied,
        "the role may not do that on {shown}: {said}; ask its administrator",
    ),
    (
        (errors.ProgramLimitExceeded,),
        TooLarge,
        "that is more than PostgreSQL can hold: {said}; give shorter names",
    ),
    ((psycopg.DataError,), Invalid, "PostgreSQL cannot keep this: {said}"),
    ((psycopg.IntegrityError,), Conflict, "somebody else was faster ({said}); nothing was written: try again"),
    (
        (psycopg.OperationalError, psycopg.InterfaceError),
        Unavailable,
        "{shown} cannot be used: {said}; check that the server runs and that the address is right",
    ),
)


@contextlib.contextmanager
def translated(shown: str) -> Iterator[None]:
    """PostgreSQL's errors as ours, with what to do about them."""
    try:
        yield
    except psycopg.Error as error:
        for kinds, ours, sentence in _OURS:
            if isinstance(error, kinds):
                raise ours(sentence.format(shown=shown, said=_message(error))) from error
        raise


def _message(error: psycopg.Error) -> str:
    """The first line of what the server said: the others repeat the statement."""
    return (error.diag.message_primary or str(error).strip().partition("\n")[0]).rstrip(".")
