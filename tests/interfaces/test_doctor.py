"""The doctor finds what is wrong, says what to do, mends what can be mended, and harms nothing by looking."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest
from typer.testing import Result

import ebbing
from tests import shell


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A sound file with live and archived memories."""
    path = tmp_path / "memory.db"
    with ebbing.open(path, judge="off") as engine:
        for number in range(12):
            engine.remember(f"Harbour pilot {number} knows the tide of day {number}", tags=["pilot"])
        engine.forget(ids=[memory.id for memory in engine.list(limit=3)])
    return path


def doctor(*arguments: str, **environment: str) -> Result:
    clean = {"EBBING_DB": "", **environment}
    return shell.ebbing(["doctor", *arguments], environment={name: value or None for name, value in clean.items()})


def findings(result: Result) -> dict[str, list[dict[str, Any]]]:
    """The findings of `--json`, by the name of the check."""
    found: dict[str, list[dict[str, Any]]] = {}
    for finding in json.loads(result.output)["findings"]:
        found.setdefault(finding["check"], []).append(finding)
    return found


def wrong(result: Result) -> set[str]:
    return {check for check, several in findings(result).items() if not all(one["ok"] for one in several)}


def test_a_sound_file_is_well(file: Path) -> None:
    """Every check has its tick, the embedder was tried, the owner is counted."""
    result = doctor("--db", str(file))
    assert result.exit_code == 0, result.output
    assert "All is well." in result.output
    assert "✗" not in result.output
    assert "wordllama" in result.output
    assert "\x1b" not in result.output
    numbers = json.loads(doctor("--db", str(file), "--json").output)
    assert numbers["ok"] is True
    assert numbers["owners"]["default"]["by_status"]["active"] == 9
    assert numbers["owners"]["default"]["days_of_use"] == 1
    assert numbers["size_bytes"] >= file.stat().st_size


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ("DELETE FROM words WHERE rowid % 2 = 0", "memories without their words"),
        ("DELETE FROM vectors WHERE key % 2 = 0", "memories without the vector they name"),
        ("DELETE FROM vitals WHERE id IN (SELECT id FROM vitals LIMIT 4)", "memories without their counters"),
        ("INSERT INTO words (rowid, body) VALUES (9999, 'stray')", "entries of words without a memory"),
        ("DELETE FROM archive_words", "archived memories without their words"),
    ],
)
def test_a_broken_index_is_found_and_repaired(file: Path, damage: str, told: str) -> None:
    """An index that does not agree with the rows is named, with the remedy; the remedy works."""
    connection = apsw.Connection(str(file))
    connection.execute(damage)
    assert connection.total_changes() > 0
    connection.close()
    broken = doctor("--db", str(file))
    assert broken.exit_code == 1
    assert "✗" in broken.output
    assert told in broken.output
    assert "→ run `ebbing doctor --repair`" in broken.output
    assert doctor("--db", str(file)).exit_code == 1, "looking mends nothing"

    repaired = doctor("--db", str(file), "--repair")
    assert repaired.exit_code == 0, repaired.output
    assert "built again" in repaired.output
    assert doctor("--db", str(file)).exit_code == 0
    with ebbing.open(file) as engine:
        found = engine.recall("what does harbour pilot 4 know?", limit=3)
        assert "Harbour pilot 4 knows the tide of day 4" in [one.memory.text for one in found]


def test_memories_without_a_vector_are_told_of_after_a_repair(file: Path) -> None:
    """A repair cannot make vectors again, so the doctor goes on saying that they are missing, until they are made."""
    connection = apsw.Connection(str(file))
    connection.execute("DELETE FROM vectors WHERE key IN (SELECT key FROM vectors LIMIT 4)")
    connection.close()
    assert "no vector" not in doctor("--db", str(file)).output
    for arguments in (("--repair",), ()):
        result = doctor("--db", str(file), *arguments)
        assert result.exit_code == 0, result.output
        assert "4 memories have no vector and are found by words alone" in " ".join(result.output.split())
    with ebbing.open(file) as engine:
        assert engine.reembed() == 4
    assert "no vector" not in doctor("--db", str(file)).output


def test_a_file_that_is_no_database_is_a_finding(tmp_path: Path) -> None:
    """Not a traceback: what it is, and what to do."""
    path = tmp_path / "memory.db"
    path.write_bytes(b"dear diary, " * 500)
    before = path.read_bytes()
    result = doctor("--db", str(path))
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert "is damaged or is not a database" in " ".join(result.output.split())
    assert "→ bring back a backup" in result.output
    assert path.read_bytes() == before


def test_damaged_pages_are_a_finding(file: Path) -> None:
    """The head of the file is sound, so it opens; its middle is not."""
    pages = bytearray(file.read_bytes())
    pages[len(pages) // 3 : len(pages) // 3 * 2] = b"\xa5" * (len(pages) // 3)
    file.write_bytes(pages)
    for more in ((), ("--repair",)):
        result = doctor("--db", str(file), "--json", *more)
        assert result.exit_code == 1
        assert isinstance(result.exception, SystemExit), result.exception
        assert wrong(result) & {"file", "open", "check"}
        assert all(one["remedy"] for several in findings(result).values() for one in several if not one["ok"])


def test_a_newer_file_is_a_finding(file: Path) -> None:
    """It says which versions meet, and that upgrading helps; the file is not touched."""
    connection = apsw.Connection(str(file))
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    result = doctor("--db", str(file), "--repair")
    assert result.exit_code == 1
    assert "has schema 999" in " ".join(result.output.split())
    assert "→ upgrade: pip install --upgrade ebbing" in result.output
    assert apsw.Connection(str(file)).pragma("user_version") == 999


def test_somebody_elses_database_is_a_finding(tmp_path: Path) -> None:
    """A SQLite file of another program is left as it is."""
    path = tmp_path / "cookies.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE cookies (name TEXT)")
    other.close()
    result = doctor("--db", str(path), "--json")
    assert (result.exit_code, wrong(result)) == (1, {"open"})
    assert "not one of Ebbing's" in findings(result)["open"][0]["detail"]


@pytest.mark.parametrize("make", [lambda path: None, Path.touch], ids=["missing", "empty"])
def test_a_file_that_was_named_and_is_not_there_is_wrong(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """A mistyped path must not look healthy, and must not become a database."""
    path = tmp_path / "memroy.db"
    make(path)
    before = list(tmp_path.iterdir())
    result = doctor("--db", str(path))
    assert result.exit_code == 1
    assert "there is no memory at" in " ".join(result.output.split())
    assert list(tmp_path.iterdir()) == before
    assert not path.exists() or path.stat().st_size == 0


def test_no_memory_yet_is_well(tmp_path: Path) -> None:
    """On a fresh machine there is nothing to find and nothing is made."""
    result = doctor(XDG_DATA_HOME=str(tmp_path / "data"), HOME=str(tmp_path))
    assert result.exit_code == 0, result.output
    assert "yet; the first ebbing.open() makes it" in " ".join(result.output.split())
    assert list(tmp_path.iterdir()) == []


def test_the_environment_names_the_file(file: Path) -> None:
    """EBBING_DB is looked at when --db is not given."""
    result = doctor("--json", EBBING_DB=str(file))
    assert (result.exit_code, json.loads(result.output)["db"]) == (0, str(file))


def test_a_file_others_can_read_is_wrong(file: Path) -> None:
    """Memories are private; the remedy is the command that makes them so."""
    file.chmod(0o644)
    result = doctor("--db", str(file))
    assert result.exit_code == 1
    assert "→ chmod 600 memory.db" in result.output


def test_a_server_that_does_not_answer_is_a_finding_without_the_password() -> None:
    """A refused connection is no traceback, and what is printed can be pasted into an issue."""
    result = doctor("--db", "postgresql://mara:s3cret@127.0.0.1:1/memory?password=s3cret")
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert "s3cret" not in result.output
    assert "✗" in result.output


def test_it_runs_as_a_program(file: Path) -> None:
    """The installed command, in a process of its own, says nothing on stderr."""
    command = [str(Path(sys.executable).with_name("ebbing")), "doctor", "--db", str(file)]
    environment = {name: value for name, value in os.environ.items() if name != "FORCE_COLOR"}
    result = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    assert "All is well." in result.stdout
    assert "\x1b" not in result.stdout
