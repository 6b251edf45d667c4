"""SQLite: one file, several processes, write-ahead log, short exclusive transactions.

Connections are pooled, not bound to threads; one is held for as long as a transaction lasts.
What a transaction does is in `transaction.py`, searching in `search.py`, checking and repairing in `maintenance.py`.
"""

from __future__ import annotations

import contextlib
import os
import random
import secrets
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import apsw

from ...domain.errors import Conflict, Corrupt, NewerFile, Unavailable
from ...ports import Finding, Progress, ReadTransaction, Scrubbed, View, WriteTransaction
from ...ports.cancellation import check_before_commit
from ..credentials import TokenTable
from ..migrations import scripts
from ..owner_table import SALT_BYTES
from ..store_findings import owners_of
from .error_translation import FOREIGN, as_ours, translated
from .maintenance import Care, rebuild_words, recount_sizes
from .search import SearchCaches
from .transaction import SqliteConnection, SqliteTransaction
from .values import bound_all

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


APPLICATION_ID = 0x45626221  # "Ebb!": tells our files from any other SQLite file
WORDS_SCHEMA = 13  # since when the index of words has the columns it has now
SIZES_SCHEMA = 8  # since when owners know how much they have
BUSY_MS = 15_000  # how long a writer waits for its turn before it gives up
_BETWEEN_LOOKS_MS = 3.0
CONNECTIONS_MAX = 16
MATRIX_BYTES_MAX = 1 << 30
_PRAGMAS = (("secure_delete", "ON"), ("temp_store", "MEMORY"), ("cache_size", -32_000))
# The log is written back every 16 MB rather than every 4: a memory touches a dozen pages, and writing them back was
# most of what a durable add cost (2.9 ms, against 1.2). Reopening after a crash reads it in milliseconds either way.
_PRAGMAS_ON_DISK = (("mmap_size", 268_435_456), ("wal_autocheckpoint", 4000))


class SqliteStore:
    """One file of memories, for any number of threads and processes."""

    def __init__(self, path: str, *, busy_ms: int = BUSY_MS) -> None:
        self.path = path
        self.url = path
        self.busy_ms = busy_ms
        self.in_memory = path == ":memory:"
        self.file = path if self.in_memory else os.path.abspath(path)  # noqa: PTH100 - whatever folder is entered later
        self.caches = SearchCaches(MATRIX_BYTES_MAX)
        self.care = Care(self)
        self.tokens = TokenTable(self.outside, SqliteConnection.codec)
        self._idle: list[apsw.Connection] = []
        # How each connection commits as it is: telling it again costs as much as a row.
        self._durable: WeakKeyDictionary[apsw.Connection, bool] = WeakKeyDictionary()
        # A database in memory lives in its one connection.
        self._places = threading.BoundedSemaphore(1 if self.in_memory else CONNECTIONS_MAX)
        self._closed = threading.Event()
        self._opened = OpenFiles()
        with translated(path), self.connection() as connection:
            migrate(connection, path)
            if not self.in_memory:
                self._opened = OpenFiles(self.file)

    @contextlib.contextmanager
    def read(self, view: View) -> Iterator[ReadTransaction]:
        connection = self._take()
        try:
            connection.execute("BEGIN")
            try:
                transaction = SqliteTransaction(view, connection, self.caches)
                transaction.owner.load()
                yield transaction
            finally:
                connection.execute("ROLLBACK")
        except FOREIGN as error:
            raise as_ours(error, self.path, connection.system_errno) from error
        finally:
            self._give_back(connection)

    @contextlib.contextmanager
    def write(self, view: View, *, durable: bool = True) -> Iterator[WriteTransaction]:
        connection = self._take()
        try:
            if self._durable.get(connection) is not durable:
                connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
                self._durable[connection] = durable
            connection.execute("BEGIN IMMEDIATE")
            try:
                transaction = SqliteTransaction(view, connection, self.caches)
                if not transaction.owner.load():
                    transaction.db.execute("add_owner", salt=secrets.token_bytes(SALT_BYTES))
                    transaction.owner.load()
                yield transaction
                transaction.save()
                check_before_commit()
                connection.execute("COMMIT")
            except BaseException:
                # A full disk may have rolled back already.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                # What this transaction took into a matrix is not on disk.
                self.caches.matrices.drop(view.owner)
                raise
        except FOREIGN as error:
            raise as_ours(error, self.path, connection.system_errno) from error
        finally:
            self._give_back(connection)

    def outside(self, query: str, *, writes: bool = False, **values: Any) -> list[tuple[Any, ...]]:
        """A statement about no owner in particular."""
        with translated(self.path), self.connection() as connection:
            if writes:
                # Whatever happens to the power; the connection may have served what can bear less.
                connection.pragma("synchronous", "FULL")
            return connection.execute(SqliteConnection.queries[query], bound_all(values)).fetchall()

    def owners(
        self, *, due: datetime | None = None, policy: str | None = None, budgets: str | None = None
    ) -> list[str]:
        return owners_of(self.outside, due=due, policy=policy, budgets=budgets)

    def check(self) -> list[Finding]:
        with translated(self.path):
            return self.care.check()

    def repair(self, progress: Progress | None = None) -> list[Finding]:
        with translated(self.path):
            return self.care.repair(progress)

    def backup(self, path: Path) -> None:
        with translated(self.path):
            self.care.backup(path)

    def scrub(self, texts: Sequence[str]) -> Scrubbed:
        with translated(self.path):
            return Scrubbed(self.care.scrub(texts))

    def size_bytes(self) -> int:
        return sum(file.stat().st_size for file in self.files())

    def files(self) -> list[Path]:
        """The database file and SQLite's files next to it."""
        if self.in_memory:
            return []
        paths = (Path(self.file + suffix) for suffix in ("", "-wal", "-shm", "-journal"))
        return [file for file in paths if file.exists()]

    @contextlib.contextmanager
    def connection(self) -> Iterator[apsw.Connection]:
        """A connection of one's own for a while."""
        connection = self._take()
        try:
            yield connection
        except apsw.IOError as error:
            raise as_ours(error, self.path, connection.system_errno) from error
        finally:
            self._give_back(connection)

    def _take(self) -> apsw.Connection:
        if self._closed.is_set():
            raise Conflict(f"{self.path} is closed; open it again to use it")
        self._opened.require()
        self._places.acquire()
        with contextlib.suppress(IndexError):
            return self._idle.pop()
        try:
            with translated(self.path):
                return self._connect()
        except BaseException:
            self._places.release()
            raise

    def _give_back(self, connection: apsw.Connection) -> None:
        self._idle.append(connection)
        self._places.release()
        if self._closed.is_set():
            self.close()

    @contextlib.contextmanager
    def fresh_connection(self) -> Iterator[apsw.Connection]:
        """A connection that has seen nothing yet; a database in memory has but its one."""
        if self.in_memory:
            with self.connection() as connection:
                yield connection
            return
        self._opened.require()
        connection = self._connect()
        try:
            yield connection
        except apsw.IOError as error:
            raise as_ours(error, self.path, connection.system_errno) from error
        finally:
            connection.close()

    def _connect(self) -> apsw.Connection:
        if not self.in_memory:
            make_private(Path(self.file))
        connection = apsw.Connection(self.file)
        try:
            connection.set_busy_handler(self._wait_for_turn)
            # Else a query on a view is planned anew for each set of values, which took ten times as long as asking it.
            connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
            # Before anything is written into it: another program's file is left as it is.
            schema_of(connection, self.path)
            # One by one: several in one text run only as far as the first that tells something.
            for pragma, value in _PRAGMAS if self.in_memory else (*_PRAGMAS, *_PRAGMAS_ON_DISK):
                connection.pragma(pragma, value)
            if not self.in_memory:
                keep_log(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _wait_for_turn(self, tried: int) -> bool:
        """Whether to try again when another process is writing, some milliseconds later.

        SQLite's own way looks ever more seldom, at last ten times a second, and whoever has waited longest gets there
        last: among eight writers one waited for seconds. A write takes a millisecond or two, and so does a look.
        """
        if tried * _BETWEEN_LOOKS_MS >= self.busy_ms:
            return False
        time.sleep(random.uniform(0.2, 1.8) * _BETWEEN_LOOKS_MS / 1000)  # not in step with the others
        return True

    def close(self) -> None:
        self._closed.set()
        while self._idle:
            self._idle.pop().close()


def keep_log(connection: apsw.Connection) -> None:
    """Write ahead. SQLite gives up at once where two make the same new file: whoever is late waits for his turn, as
    for any transaction, and finds it done."""
    while True:
        try:
            connection.pragma("journal_mode", "WAL")
        except apsw.BusyError:
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("ROLLBACK")
        else:
            return


def schema_of(connection: apsw.Connection, path: str) -> int:
    """The schema a file has, 0 for a new one; refuses what is not ours or newer than we know."""
    # One statement, so one moment: another process may be making the file just now.
    row: tuple[Any, ...] = connection.execute(SqliteConnection.queries["schema"]).fetchall()[0]
    version, application, changes = row
    if application != APPLICATION_ID and (version or changes):
        raise Corrupt(f"{path} is a SQLite file, but not one of Ebbing's; give the path of another file")
    newest = max(number for number, _ in scripts("sqlite"))
    if version > newest:
        raise NewerFile(f"{path} has schema {version}, and this Ebbing knows up to {newest}; upgrade ebbing to open it")
    return int(version)


def migrate(connection: apsw.Connection, path: str) -> None:
    """Bring the file to the newest schema, or refuse it; several processes may try at once."""
    newest = max(number for number, _ in scripts("sqlite"))
    if schema_of(connection, path) == newest:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Checked again: another process may have done it by now.
        before = schema_of(connection, path)
        for number, script in scripts("sqlite"):
            if number > before:
                connection.execute(script)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {number}")
        if before < WORDS_SCHEMA:
            rebuild_words(connection)
        if before < SIZES_SCHEMA:
            recount_sizes(connection)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
