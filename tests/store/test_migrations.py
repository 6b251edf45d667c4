"""Files of earlier schemas: opening one brings it to the newest, with everything in it, or leaves it as it was."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import apsw
import pytest

import ebbing
from ebbing.domain.memory import Status
from ebbing.ports import View
from ebbing.store.migrations import scripts
from ebbing.store.sqlite.store import APPLICATION_ID, SqliteStore
from ebbing.testing import FrozenClock
from ebbing.text.terms import terms
from tests.store.making import MINE, add, found, memory, question

OTHERS = View("somebody else", every_agent=True)
TEXT = "zebra crossing ahead"
FILLING = 50
NEWEST = scripts("sqlite")[-1][0]


def of_schema_two(newest: Path, path: Path) -> None:
    """A file as it was before words stood behind their owner's token, with the rows of another."""
    path.touch(mode=0o600)
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("ATTACH ? AS newest", (str(newest),))
    connection.execute("BEGIN")
    for _, script in scripts("sqlite")[:2]:
        connection.execute(script)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 2")
    tables = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'"
    for (table,) in connection.execute(tables).fetchall():
        columns = ", ".join(row[0] for row in connection.execute("SELECT name FROM pragma_table_info(?)", (table,)))
        connection.execute(f"DELETE FROM {table}; INSERT INTO {table} ({columns}) SELECT {columns} FROM newest.{table}")
    for words, rows in (("words", "memories"), ("archive_words", "archive")):
        for key, text in connection.execute(f"SELECT key, text FROM {rows}").fetchall():
            insert = f"INSERT INTO {words} (rowid, own, body) VALUES (?, 'aownerstoken', ?)"
            connection.execute(insert, (key, " ".join(terms(str(text)))))
    connection.execute("COMMIT")
    connection.close()


def schema(path: Path) -> int:
    connection = apsw.Connection(str(path))
    version = connection.pragma("user_version")
    connection.close()
    return int(version)


@pytest.fixture
def newest(tmp_path: Path) -> Path:
    """A file of today's schema: two owners, a memory of each status."""
    path = tmp_path / "newest.db"
    store = SqliteStore(str(path))
    for view in (MINE, OTHERS):
        with store.write(view) as tx:
            add(tx, *(memory(f"{TEXT} {status}", owner=view.owner, status=status) for status in Status))
            add(tx, *(memory(f"filling number {number}", owner=view.owner) for number in range(FILLING)))
    store.close()
    return path


@pytest.fixture
def old(newest: Path, tmp_path: Path) -> Path:
    """The same as a file of the second schema."""
    path = tmp_path / "old.db"
    of_schema_two(newest, path)
    return path


def all_found(path: Path) -> list[dict[str, tuple[float, float]]]:
    """What questions of both owners find on both sides, with its scores."""
    store = SqliteStore(str(path))
    answers = []
    for view in (MINE, OTHERS):
        with store.read(view) as tx:
            answers += [
                found(tx, question(words, near=near, archived=archived, statuses=statuses))
                for words, near in (("zebra number", None), ("7 crossing unicorn", TEXT))
                for archived in (False, True)
                for statuses in (None, *((status,) for status in Status))
            ]
    store.close()
    return answers


def test_everything_in_an_old_file_is_found_as_in_a_new_one(newest: Path, old: Path) -> None:
    assert schema(old) == 2
    expected = all_found(newest)
    assert all_found(old) == expected
    assert len(set().union(*expected)) == 2 * (len(Status) + FILLING)
    assert schema(old) == NEWEST
    store = SqliteStore(str(old))
    assert [finding for finding in store.check() if not finding.ok] == []
    store.close()


def test_a_memory_of_an_old_file_is_changed_and_purged_without_a_trace(old: Path) -> None:
    with ebbing.open(old, owner=MINE.owner, clock=FrozenClock(), embedder=None, judge="off") as engine:
        zebras = engine.list(status=[status.value for status in Status])
        gone = [one.id for one in zebras if one.text.startswith(TEXT)]
        engine.forget(ids=next(one.id for one in zebras if one.text == f"{TEXT} {Status.ACTIVE}"))
        assert engine.purge(ids=gone).verified
        others = engine.for_owner(OTHERS.owner)
        assert engine.recall("zebra", include=["detached", "archived", "superseded"]) == []
        assert [one.memory.text for one in others.recall("zebra")] == [f"{TEXT} {Status.ACTIVE}"]
        others.purge(everything=True)
    left = b"".join(file.read_bytes() for file in old.parent.glob("old.db*"))
    for word in terms(TEXT):
        assert word.encode() not in left


def test_many_open_an_old_file_at_once(newest: Path, old: Path) -> None:
    together = threading.Barrier(4)
    answers = []

    def open_() -> None:
        together.wait()
        answers.append(all_found(old))

    several = [threading.Thread(target=open_) for _ in range(4)]
    for thread in several:
        thread.start()
    for thread in several:
        thread.join()
    assert answers == [all_found(newest)] * 4


@pytest.mark.parametrize("at", ["DROP TABLE archive_words", "INSERT INTO archive_words (rowid", "COMMIT"])
def test_a_process_killed_while_it_moves_a_file_leaves_it_as_it_was(newest: Path, old: Path, at: str) -> None:
    """Killed as a statement begins: when the tables are new, when some words are in, when all are."""
    deed = f"""
        import os, signal, apsw
        from ebbing.store.sqlite.store import SqliteStore

        def fall(event):
            if {at!r} in event["sql"]:
                os.kill(os.getpid(), signal.SIGKILL)

        apsw.connection_hooks.append(lambda connection: connection.trace_v2(apsw.SQLITE_TRACE_STMT, fall))
        SqliteStore({str(old)!r})
    """
    ended = subprocess.run([sys.executable, "-c", textwrap.dedent(deed)], check=False, timeout=300)
    assert ended.returncode == -signal.SIGKILL
    assert schema(old) == 2
    assert all_found(old) == all_found(newest)
