"""A store of the version before, which kept match keys ("points") of every text, opens with everything in it."""

from __future__ import annotations

from pathlib import Path

import apsw
import psycopg

from ebbing.domain.memory import Status
from ebbing.ports import View
from ebbing.store.postgres.store import PostgresStore
from ebbing.store.sqlite.store import SqliteStore
from tests.store.making import MINE, add, found, memory, question

OTHERS = View("somebody else", every_agent=True)
SAID = "Melanie: zebra crossing ahead"
POINT = "_0f02301a84"

# What later migrations made.
_LATER_INDEXES = """events_away events_purged archive_status memories_detached memories_harmful memories_pinned
    archive_pinned memories_unsettled""".split()
BEFORE_LIFETIMES = (
    *(f"DROP VIEW {view}" for view in ("everything", "live", "stored")),
    *(f"DROP INDEX {index}" for index in _LATER_INDEXES),
    "CREATE INDEX memories_unsettled ON memories (owner, id) WHERE contested",
    "DROP TABLE observed",
    *(
        f"ALTER TABLE {table} DROP COLUMN {column}"
        for table in ("memories", "archive")
        for column in ("lifetime", "harm", "held_at")
    ),
)


def filled(store: SqliteStore | PostgresStore) -> None:
    """A live and an archived memory of two owners."""
    for view in (MINE, OTHERS):
        with store.write(view) as tx:
            add(tx, *(memory(SAID, owner=view.owner, status=status) for status in (Status.ACTIVE, Status.ARCHIVED)))


def answers(store: SqliteStore | PostgresStore) -> list[list[str]]:
    """Ids found by words and by the name at the beginning, of both owners and on both sides."""
    told = []
    for view in (MINE, OTHERS):
        with store.read(view) as tx:
            told += [sorted(found(tx, question("zebra melanie", archived=archived))) for archived in (False, True)]
    return told


def test_a_file_with_points_opens_without_them(tmp_path: Path) -> None:
    """The words are derived again, because a column of their table is gone."""
    path = str(tmp_path / "memory.db")
    store = SqliteStore(path)
    filled(store)
    expected = answers(store)
    store.close()
    connection = apsw.Connection(path)
    for statement in BEFORE_LIFETIMES:
        connection.execute(statement)
    for table in ("memories", "archive"):
        connection.execute(f"ALTER TABLE {table} ADD COLUMN points TEXT; UPDATE {table} SET points = '{POINT[1:]}'")
    connection.execute("PRAGMA user_version = 12")
    connection.close()
    store = SqliteStore(path)
    assert answers(store) == expected
    assert all(map(len, expected))
    assert [finding for finding in store.check() if not finding.ok] == []
    with store.connection() as inside:
        for table in ("memories", "archive"):
            assert "points" not in [row[0] for row in inside.execute("SELECT name FROM pragma_table_info(?)", (table,))]
    store.close()


def test_a_schema_with_points_opens_without_them(postgres_address: str, postgres_superuser_address: str) -> None:
    """Of every owner, though row-level security holds the role that opens it."""
    store = PostgresStore(postgres_address)
    filled(store)
    expected = answers(store)
    store.close()
    with psycopg.connect(postgres_superuser_address, autocommit=True) as superuser:
        superuser.execute("SET search_path = ebbing")
        for rows, words in (("memories", "words"), ("archive", "archive_words")):
            superuser.execute(f"UPDATE {rows} SET terms = terms || '{POINT}'::text")
            superuser.execute(
                f"INSERT INTO {words} (owner, term, key, length, status)"
                f" SELECT owner, '{POINT}', key, length, left(status, 1)::\"char\" FROM {rows}"
            )
        for statement in BEFORE_LIFETIMES:
            superuser.execute(statement)
        superuser.execute("DELETE FROM migrations WHERE number >= 10")
        store = PostgresStore(postgres_address)
        assert answers(store) == expected
        assert all(map(len, expected))
        assert [finding for finding in store.check() if not finding.ok] == []
        store.close()
        for rows, words in (("memories", "words"), ("archive", "archive_words")):
            left = f"SELECT DISTINCT unnest(terms) FROM {rows} UNION SELECT term FROM {words}"
            terms = {term for (term,) in superuser.execute(left)}
            assert POINT not in terms
            assert any(term.startswith("__") for term in terms)
