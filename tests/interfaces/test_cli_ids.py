"""Ids on the command line: the beginning of one is enough, where only one memory's id begins so."""

from __future__ import annotations

from pathlib import Path

import pytest

import ebbing
from ebbing.testing import FakeEmbedder
from tests import shell


@pytest.fixture
def ids(tmp_path: Path) -> list[str]:
    """Two memories, whose ids begin alike, as those of one moment do."""
    with ebbing.open(tmp_path / "memory.db", embedder=FakeEmbedder(), judge="off") as engine:
        return [engine.remember(text).memories[0].id for text in ("Mara drinks tea", "The API runs on port 8080")]


def shortest(id_: str, other: str) -> str:
    """As much of an id as tells it from the other."""
    return id_[: next(count for count in range(4, 27) if not other.startswith(id_[:count]))]


@pytest.mark.parametrize(
    "words", [["show"], ["explain"], ["pin"], ["history"], ["forget"], ["purge", "--yes"], ["used"]]
)
def test_an_unambiguous_beginning_is_enough(tmp_path: Path, ids: list[str], words: list[str]) -> None:
    """Nobody types 26 characters; what a command prints names the whole id."""
    db = str(tmp_path / "memory.db")
    result = shell.ebbing([*words, shortest(ids[0], ids[1]), "--db", db])
    assert result.exit_code == 0, result.stderr


def test_a_purge_by_a_beginning_says_what_was_erased(tmp_path: Path, ids: list[str]) -> None:
    """Also where nobody is asked: once it is gone, nothing else can tell which one it was."""
    result = shell.ebbing(["purge", "--yes", shortest(ids[0], ids[1]), "--db", str(tmp_path / "memory.db")])
    word, id_, text = result.stdout.splitlines()[0].split("\t")
    assert (word, id_) == ("erased", ids[0])
    assert text


def test_of_two_that_begin_alike_neither_is_meant(tmp_path: Path, ids: list[str]) -> None:
    """Both are named, and nothing is done."""
    result = shell.ebbing(["forget", ids[0][:4], "--db", str(tmp_path / "memory.db")])
    assert result.exit_code == 2
    assert all(id_ in result.stderr for id_ in ids)
    with ebbing.open(tmp_path / "memory.db", embedder=FakeEmbedder(), judge="off") as engine:
        assert len(engine.list()) == 2


def test_a_command_may_take_two(tmp_path: Path, ids: list[str]) -> None:
    """One as its argument and one as an option."""
    db = str(tmp_path / "memory.db")
    old, new = shortest(ids[0], ids[1]), shortest(ids[1], ids[0])
    result = shell.ebbing(["settle", old, "--superseded-by", new, "--db", db])
    assert result.exit_code == 0, result.stderr


def test_a_beginning_that_nothing_has_is_not_found(tmp_path: Path, ids: list[str]) -> None:
    """It is said as it was typed."""
    assert "zzzzzz" not in ids
    result = shell.ebbing(["show", "zzzzzz", "--db", str(tmp_path / "memory.db")])
    assert result.exit_code == 3
    assert "zzzzzz" in result.stderr
