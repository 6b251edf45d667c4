"""A file that cannot be used: what it is, what to do about it, and the file as it was."""

from __future__ import annotations

import contextlib
import logging
import os
import random
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

import ebbing
from ebbing.domain.errors import Conflict, Corrupt, EbbingError, Locked, NewerFile, StorageFull, Unavailable
from ebbing.domain.policy.loader import load
from ebbing.engine import Engine
from ebbing.ports import View
from ebbing.ports.model_client import Models
from ebbing.store.sqlite.store import SqliteStore
from ebbing.testing import FakeEmbedder, FrozenClock

HASTY_MS = 20


@pytest.fixture
def path(sqlite_address: str) -> Path:
    """A file of ours with a few memories in it, closed."""
    with ebbing.open(sqlite_address, clock=FrozenClock(), embedder=FakeEmbedder(), judge="off") as engine:
        engine.remember_many(f"Lamp {number} is green" for number in range(200))
    return Path(sqlite_address)


def hasty(path: Path) -> Engine:
    """An engine that does not wait long for its turn."""
    models = Models(FakeEmbedder(), len)
    return Engine(store=SqliteStore(str(path), busy_ms=HASTY_MS), policy=load(), clock=FrozenClock(), models=models)


def in_folder(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.parent.iterdir()}


def refused(path: Path, kind: type[EbbingError], *sentences: str) -> None:
    """Opening fails with this error, twice, and changes nothing."""
    before = in_folder(path)
    for _ in range(2):
        with pytest.raises(kind) as caught:
            ebbing.open(path, embedder=None)
        assert caught.value.code == "unavailable"
        for sentence in (str(path), *sentences):
            assert sentence in str(caught.value)
    assert in_folder(path) == before


def test_what_is_not_a_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("dear diary, " * 1000)
    refused(path, Corrupt, "is not a database")


def test_a_file_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    for journal in ("DELETE", "WAL"):
        path = tmp_path / f"{journal}.db"
        other = apsw.Connection(str(path))
        other.execute(
            f"PRAGMA journal_mode = {journal}; CREATE TABLE mail (body); INSERT INTO mail VALUES ('hello')"
        ).fetchall()
        other.close()
        refused(path, Corrupt, "not one of Ebbing's", "another file")


def test_a_newer_file_is_refused_and_left_alone(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    refused(path, NewerFile, "schema 99", "upgrade")


@pytest.mark.parametrize("kept", [50, 100, 1000, 4096, 10_000])
def test_a_file_cut_short_is_refused(path: Path, kept: int) -> None:
    with path.open("r+b") as file:
        file.truncate(kept)
    with pytest.raises(Corrupt) as caught, ebbing.open(path, embedder=None) as engine:
        engine.list(limit=1000)
    assert "backup" in str(caught.value)


def test_a_damaged_file_is_told_by_every_verb_and_by_the_doctor(path: Path) -> None:
    """Whatever page is damaged: an answer is right, or it is an error of ours; and the doctor names it."""
    chance = random.Random(5)
    whole = path.read_bytes()
    pages = len(whole) // 4096
    told = 0
    for page in chance.sample(range(1, pages), 25):
        damaged = bytearray(whole)
        damaged[page * 4096 : page * 4096 + 4096] = chance.randbytes(4096)
        path.write_bytes(damaged)
        told += not healthy(path)
    assert told >= 22, "a damaged page that nothing uses may pass"


def healthy(path: Path) -> bool:
    """Ask everything of a file; whatever it says is an answer or an error of ours."""
    try:
        with ebbing.open(path, clock=FrozenClock(), embedder=FakeEmbedder(), judge="off") as engine:
            for call in (
                lambda: engine.list(limit=1000),
                lambda: engine.recall("lamp", limit=100),
                lambda: engine.forget(scope="/nowhere"),
                engine.sweep,
            ):
                with contextlib.suppress(Corrupt):
                    call()
            return all(finding.ok for finding in engine.store.check())
    except Corrupt:
        return False


@pytest.mark.parametrize("what", ["folder", "below a file", "long name"])
def test_a_path_that_can_be_no_file_is_refused(tmp_path: Path, what: str) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    path = {"folder": tmp_path, "below a file": file / "memory.db", "long name": tmp_path / ("x" * 300)}[what]
    with pytest.raises(Unavailable) as caught:
        ebbing.open(path, embedder=None)
    assert str(path)[:50] in str(caught.value)
    assert list(tmp_path.iterdir()) == [file]


def test_folders_on_the_way_are_made_and_all_is_private(tmp_path: Path) -> None:
    path = tmp_path / "new" / "deep" / "memory.db"
    with ebbing.open(path, embedder=None) as engine:
        engine.remember("one")
        modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    assert set(modes) == {"memory.db", "memory.db-wal", "memory.db-shm"}
    assert set(modes.values()) == {0o600}
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_an_empty_file_is_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    path.touch()
    with ebbing.open(path, embedder=None) as engine:
        assert engine.remember("one").memories


@pytest.fixture
def held(path: Path) -> Iterator[Path]:
    """A file that another process is writing to, and does not let go of."""
    script = """
        import apsw, sys
        connection = apsw.Connection(sys.argv[1])
        connection.execute("BEGIN IMMEDIATE")
        print("held", flush=True)
        sys.stdin.read()
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script), str(path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as other:  # fmt: skip
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        yield path
        other.communicate()


def test_a_file_that_another_process_holds_can_be_read_and_writing_says_who_is_in_the_way(
    held: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with hasty(held) as engine:
        before = engine.list(limit=1000)
        assert len(before) == 200
        one = before[0].id
        for call in (
            lambda: engine.remember("The lamp is red"),
            lambda: engine.remember("The lamp is green 0"),
            lambda: engine.used(one),
            lambda: engine.pin(one),
            lambda: engine.forget(everything=True),
            lambda: engine.restore(one),
            lambda: engine.purge(ids=one),
            engine.sweep,
        ):
            with pytest.raises(Locked) as caught:
                call()
            assert caught.value.code == "unavailable"
            assert "another process" in str(caught.value)
            assert "try again" in str(caught.value)
        with caplog.at_level(logging.WARNING, logger="ebbing"):
            found = engine.recall("green lamp")
            engine.deferred.wait(engine.owner)
        assert len(found) == 10, "a question is answered"
        assert "not reinforced" in caplog.text
        assert engine.list(limit=1000) == before
        assert engine.sweep(dry_run=True).actions == []


def test_a_file_held_while_it_is_new_is_refused_until_it_is_let_go(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    other = apsw.Connection(str(path))
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(Locked):
        SqliteStore(str(path), busy_ms=HASTY_MS)
    other.execute("ROLLBACK")
    other.close()
    SqliteStore(str(path), busy_ms=HASTY_MS).close()


def fill_up(engine: Engine) -> apsw.Connection:
    """From now on the file cannot grow: what SQLite says then is what it says when the disk is full."""
    with engine.store.connection() as connection:
        connection.pragma("max_page_count", connection.pragma("page_count"))
    return connection


def test_on_a_full_disk_nothing_is_written_and_questions_are_answered(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with ebbing.open(path, clock=FrozenClock(), embedder=FakeEmbedder(), judge="off") as engine:
        connection = fill_up(engine)
        before = engine.list(limit=1000)
        with engine.store.read(View("default")) as tx:
            log = tx.events.page(limit=10_000)
        large = [{"text": f"large {number} " + "x" * 5000} for number in range(50)]
        with pytest.raises(StorageFull) as caught:
            engine.remember_many(large)
        assert caught.value.code == "unavailable"
        assert "full" in str(caught.value)
        assert "make room" in str(caught.value)
        assert engine.list(limit=1000) == before
        with engine.store.read(View("default")) as tx:
            assert tx.events.page(limit=10_000) == log
        with caplog.at_level(logging.WARNING, logger="ebbing"):
            for number in range(60):
                assert engine.recall("green lamp", limit=100, session=f"s{number}")
        assert "full" in caplog.text
        assert all(finding.ok for finding in engine.store.check())
        connection.pragma("max_page_count", 1_000_000)
        assert len(engine.remember_many(large).memories) == 50
        assert engine.recall("large 7", limit=1)[0].memory.text.startswith("large 7 ")
        assert all(finding.ok for finding in engine.store.check())


def run(path: Path, prepare: str, act: str) -> str:
    """What a process of its own says, after everything is imported and it has been limited by `prepare`."""
    script = f"""
        import os, resource, signal, sys
        import ebbing, ebbing.store.sqlite.store
        from ebbing.testing import FrozenClock
        path = sys.argv[1]
        {prepare}
        try:
            {act}
        except ebbing.EbbingError as error:
            print(type(error).__name__, error.code, error)
        else:
            print("fine")
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), str(path)], capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


LIMITED = "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, ({0}, {0}))"
POWERLESS = "os.geteuid() or (os.setgid(65534), os.setuid(65534))"


def test_a_new_file_for_which_there_is_no_room_is_an_error_and_can_be_made_later(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    for room in (0, 5000, 60_000):
        told = run(path, LIMITED.format(room), "ebbing.open(path, embedder=None)")
        assert told.split()[1] == "unavailable", told
    with ebbing.open(path, embedder=None) as engine:
        assert engine.remember("one").memories
        assert all(finding.ok for finding in engine.store.check())


@pytest.fixture
def shut(tmp_path_factory: pytest.TempPathFactory, path: Path) -> Iterator[Path]:
    """A copy of the file that may be read by everybody and written by nobody but root, in such a folder."""
    folder = Path("/tmp") / f"ebbing-shut-{os.getpid()}-{random.randrange(10**9)}"
    folder.mkdir()
    copy = folder / "memory.db"
    copy.write_bytes(path.read_bytes())
    copy.chmod(0o444)
    folder.chmod(0o555)
    yield copy
    folder.chmod(0o755)
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()


def test_a_file_that_may_not_be_written_says_so(shut: Path) -> None:
    before = in_folder(shut)
    told = run(shut, POWERLESS, "ebbing.open(path, embedder=None, clock=FrozenClock()).remember('one')")
    assert told.startswith("Unavailable unavailable"), told
    assert str(shut) in told
    assert "written" in told
    assert in_folder(shut) == before


def test_a_folder_that_may_not_be_written_says_so(shut: Path) -> None:
    for new in (shut.parent / "new.db", shut.parent / "sub" / "new.db"):
        told = run(new, POWERLESS, "ebbing.open(path, embedder=None)")
        assert told.startswith("Unavailable unavailable"), told
        assert str(new) in told
    assert [file.name for file in shut.parent.iterdir()] == ["memory.db"]


def test_a_backup_is_whole_private_and_never_overwrites(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copies" / "memory.db"
    copy.parent.mkdir()
    with ebbing.open(path, clock=FrozenClock(), embedder=FakeEmbedder(), judge="off") as engine:
        engine.store.backup(copy)
        engine.remember("after the copy")
        with pytest.raises(Conflict, match="exists already"):
            engine.store.backup(copy)
        with pytest.raises(Unavailable):
            engine.store.backup(tmp_path / "nowhere" / "memory.db")
    assert [file.name for file in copy.parent.iterdir()] == ["memory.db"]
    assert copy.stat().st_mode & 0o777 == 0o600
    with ebbing.open(copy, clock=FrozenClock(), embedder=FakeEmbedder(), judge="off") as engine:
        assert len(engine.list(limit=1000)) == 200
        assert engine.recall("green lamp")
        assert all(finding.ok for finding in engine.store.check())


def test_the_doctor_finds_what_is_out_of_step_and_mends_it(path: Path) -> None:
    """Whatever derived thing is lost: words, vectors, counters; and whatever is left over."""
    for damage in (
        "DELETE FROM vitals WHERE id IN (SELECT id FROM vitals LIMIT 3)",
        "DELETE FROM words WHERE rowid < 5",
        "DELETE FROM vectors WHERE key < 5",
        "UPDATE vectors SET key = key + 100000 WHERE key < 9 AND key > 5",
    ):
        connection = apsw.Connection(str(path))
        connection.execute(damage)
        connection.close()
        with ebbing.open(path, clock=FrozenClock(), embedder=FakeEmbedder(), judge="off") as engine:
            wrong = [finding for finding in engine.store.check() if not finding.ok]
            assert wrong, damage
            assert all(finding.remedy for finding in wrong)
            assert list(engine.store.repair())
            assert [finding for finding in engine.store.check() if not finding.ok] == []
            assert len(engine.list(limit=1000)) == 200
            assert len(engine.recall("green lamp", limit=300, reinforce=False)) == 200


def test_whoever_may_read_the_file_besides_its_owner_is_found(path: Path) -> None:
    path.chmod(0o644)
    with ebbing.open(path, embedder=None) as engine:
        wrong = [finding for finding in engine.store.check() if not finding.ok]
    assert [finding.check for finding in wrong] == ["permissions"]
    assert "chmod 600" in (wrong[0].remedy or "")


def test_every_connection_clears_what_it_deletes_and_leaves_no_temporary_files(path: Path) -> None:
    store = SqliteStore(str(path))
    with store.connection() as connection:
        settings = {name: connection.pragma(name) for name in ("secure_delete", "temp_store", "journal_mode")}
        assert settings == {"secure_delete": 1, "temp_store": 2, "journal_mode": "wal"}
        assert connection.pragma("cache_size") == -32_000
        assert connection.pragma("mmap_size") > 0
    store.close()
