"""Files that are removed, replaced, damaged or not allowed to grow while a store is open."""

from __future__ import annotations

import random
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

import ebbing
from ebbing.domain.errors import Corrupt, StorageFull, Unavailable
from ebbing.engine import Engine
from ebbing.interfaces.doctor import examine
from ebbing.testing import FakeEmbedder, FrozenClock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def engine(path: Path) -> Iterator[Engine]:
    with ebbing.open(path, clock=FrozenClock(), embedder=FakeEmbedder(), judge="off") as opened:
        opened.remember("Mara lives in Porto")
        yield opened


@pytest.mark.parametrize("gone", [["-wal"], ["-shm"], ["-wal", "-shm"], ["", "-wal", "-shm"]], ids="".join)
def test_nothing_is_accepted_when_a_file_of_the_store_is_gone(path: Path, engine: Engine, gone: list[str]) -> None:
    """SQLite would write on into a file without a name: said to be committed, and lost with the process."""
    for suffix in gone:
        Path(f"{path}{suffix}").unlink()
    verbs = (lambda: engine.remember("The lamp is green"), lambda: engine.recall("Mara"), engine.stats)
    for verb in (*verbs, lambda: list(engine.store.check())):
        with pytest.raises(Unavailable, match="was removed or replaced while it was in use"):
            verb()
    engine.close()
    if "" not in gone:
        with ebbing.open(path, clock=FrozenClock(), embedder=FakeEmbedder(), judge="off") as again:
            assert [one.text for one in again.list()] == ["Mara lives in Porto"]


def test_a_file_put_in_the_place_of_another_is_not_taken_for_it(path: Path, engine: Engine, tmp_path: Path) -> None:
    """A restored backup belongs to whoever opens the store next."""
    engine.store.backup(tmp_path / "copy.db")
    (tmp_path / "copy.db").rename(path)
    with pytest.raises(Unavailable, match="open it again"):
        engine.remember("The lamp is green")


def test_tables_that_are_not_there_are_told_as_a_damaged_file(path: Path, engine: Engine) -> None:
    """Whoever empties a file under a running program finds out from one of our errors."""
    with engine.store.connection() as connection:  # type: ignore[attr-defined] # SQLite's own
        connection.execute("DROP TABLE events")
    with pytest.raises(Corrupt, match="does not hold the tables"):
        engine.remember("The lamp is green")


def test_a_folder_that_is_entered_later_does_not_change_where_the_file_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path that was given relative to one folder means that file for as long as it is open."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with ebbing.open("memory.db", clock=FrozenClock(), embedder=FakeEmbedder(), judge="off") as engine:
        engine.remember("Mara lives in Porto")
        monkeypatch.chdir(tmp_path / "elsewhere")
        assert all(finding.ok for finding in engine.store.check())
        assert engine.purge(everything=True).verified
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.fixture
def no_growth(engine: Engine) -> Iterator[None]:
    """No file may be longer than it takes to have opened the store."""
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    signal.signal(signal.SIGXFSZ, before)


@pytest.mark.usefixtures("no_growth")
def test_a_limit_on_the_size_of_files_is_called_that(engine: Engine) -> None:
    """ "Disk I/O error; check that it may be written" sends people to look for the wrong fault."""
    with pytest.raises(StorageFull, match="a limit on the size of files is reached"):
        engine.remember_many([f"Room {number} has {number} doors " + "x" * 500 for number in range(200)])
    assert [one.text for one in engine.list()] == ["Mara lives in Porto"]


def test_the_doctor_names_what_is_damaged_and_does_not_send_to_the_doctor(path: Path) -> None:
    """It is the one who is asked."""
    with ebbing.open(path, clock=FrozenClock(), embedder=FakeEmbedder(), judge="off") as engine:
        engine.remember_many([f"Room {number} has {number} doors" for number in range(300)])
    whole = path.read_bytes()
    chance = random.Random(7)
    for page in (0, *chance.sample(range(1, len(whole) // 4096), 12)):
        damaged = bytearray(whole)
        damaged[page * 4096 : (page + 1) * 4096] = chance.randbytes(4096)
        path.write_bytes(damaged)
        wrong = [finding for finding in examine(str(path), embedder="none").findings if not finding.ok]
        assert [finding for finding in wrong if "tells more" in f"{finding.detail} {finding.remedy}"] == []
        assert all(finding.remedy for finding in wrong), page
        if page == 0:
            assert "bring back a backup" in str(wrong[0].remedy)
