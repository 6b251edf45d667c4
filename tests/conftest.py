"""What holds for every test: the kinds of store it runs on, and a clock that stands still."""

from __future__ import annotations

import os
import shutil
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ebbing
from ebbing.engine import Engine
from ebbing.store import open_store
from ebbing.testing import FakeEmbedder, FrozenClock
from tests import llm, postgres, properties

properties.load_profile()

PARTITIONS = "ebbing_partitions=8"  # as a sharded PostgreSQL would spread the owners
LAYOUTS = ("postgres", "postgres-partitioned")
# Fixtures below the engine: what they show of a store may differ from layout to layout.
BELOW_THE_ENGINE = {"store", "every_byte"}
OpenEngine = Callable[..., Engine]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes an `address` runs on SQLite and PostgreSQL: on both layouts of its tables, or on one of them.

    Both are for tests of the store itself and for those marked `every_layout`. What goes through the engine runs on
    the layout that follows from its name, so that each layout gets half of these tests and always the same half.
    """
    if "store_kind" not in metafunc.fixturenames:
        return
    layouts = LAYOUTS
    every = BELOW_THE_ENGINE & {*metafunc.fixturenames} or metafunc.definition.get_closest_marker("every_layout")
    if not every and os.environ.get("EBBING_TEST_LAYOUTS") != "all":
        layouts = (LAYOUTS[zlib.crc32(metafunc.function.__name__.encode()) % len(LAYOUTS)],)
    metafunc.parametrize("store_kind", ["sqlite", *layouts])


@pytest.fixture
def clock() -> FrozenClock:
    """2026-01-01, 9 o'clock, until told otherwise."""
    return FrozenClock()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    """Started when the first test asks for it; with pytest-xdist, one for each worker."""
    with postgres.running() as server:
        yield server


@pytest.fixture(scope="session")
def llm_address() -> Iterator[str]:
    """The base URL of a real, small language model; started as the other server is."""
    with llm.running() as address:
        yield address


@pytest.fixture
def postgres_database(postgres_server: postgres.Server) -> Iterator[str]:
    """The name of a fresh empty database."""
    name = postgres_server.create()
    yield name
    postgres_server.drop(name)


@pytest.fixture
def postgres_address(postgres_server: postgres.Server, postgres_database: str) -> str:
    """A fresh empty database, as a role without special rights."""
    return postgres_server.address(postgres_database)


@pytest.fixture
def postgres_superuser_address(postgres_server: postgres.Server, postgres_database: str) -> str:
    """The database of `postgres_address`, as the superuser."""
    return postgres_server.as_superuser(postgres_database)


@pytest.fixture
def sqlite_address(tmp_path: Path) -> str:
    """A file that does not exist yet."""
    return str(tmp_path / "memory.db")


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with every table and nothing in them."""
    path = tmp_path_factory.mktemp("template") / "memory.db"
    open_store(str(path)).close()
    return path


@pytest.fixture
def address(store_kind: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """An empty store of each kind. Making its tables takes longer than most tests, so they are made once: a file is
    copied, a database is emptied afterwards."""
    if store_kind == "sqlite":
        path = request.getfixturevalue("sqlite_address")
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        yield path
        return
    server = request.getfixturevalue("postgres_server")
    option = PARTITIONS if store_kind == "postgres-partitioned" else ""
    if not server.has(store_kind):
        with server.new_template(store_kind) as template:
            open_store(_with_option(template, option)).close()
    database = server.borrow(store_kind)
    yield _with_option(server.address(database), option)
    server.give_back(store_kind, database)


def _with_option(url: str, option: str) -> str:
    if not option:
        return url
    return f"{url}{'&' if '?' in url else '?'}{option}"


@pytest.fixture
def open_engine(address: str, clock: FrozenClock) -> Iterator[OpenEngine]:
    """Engines on `address`, on the test's clock and with an embedder that needs no model, unless given others."""
    opened: list[Engine] = []

    def open_(owner: str = "default", agent: str | None = None, **given: Any) -> Engine:
        given.setdefault("clock", clock)
        given.setdefault("embedder", FakeEmbedder())
        given.setdefault("judge", "off")
        opened.append(ebbing.open(address, owner=owner, agent=agent, **given))
        return opened[-1]

    yield open_
    for engine in opened:
        engine.close()


@pytest.fixture
def engine(open_engine: OpenEngine) -> Engine:
    """An engine on a fresh store of each kind."""
    return open_engine()
