"""What the tests of faces share: a folder of their own, and the command line in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from ebbing.interfaces.cli.settings import MODELS, VARIABLES
from tests import shell


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, and a machine on which nothing of Ebbing is set."""
    for variable in (*VARIABLES.values(), *MODELS.values()):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(elsewhere: Path) -> Callable[..., Result]:
    """`ebbing …` on memory.db in a folder of its own, without a judge; nobody is at a terminal."""

    set_here = {"EBBING_DB": "memory.db", "EBBING_JUDGE": "off"}

    def run_(*words: str, given: str | bytes | None = None, **environment: str) -> Result:
        return shell.ebbing(words, given, set_here | environment)

    return run_


@pytest.fixture
def answer(run: Callable[..., Result]) -> Callable[..., Any]:
    """What `ebbing … --json` answers."""

    def answer_(*words: str, **more: Any) -> Any:
        result = run(*words, "--json", **more)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    return answer_
