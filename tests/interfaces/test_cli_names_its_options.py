"""An error of the command line names options as they are typed there."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import ebbing
from ebbing.interfaces.cli import app


@pytest.mark.parametrize(
    "arguments", [["forget"], ["forget", "--scope", "/"], ["purge", "--scope", "/", "--yes"]], ids=" ".join
)
def test_a_refused_command_names_the_option_that_would_allow_it(tmp_path: Path, arguments: list[str]) -> None:
    """Whoever types what the message says must not get another error."""
    with ebbing.open(tmp_path / "memory.db", embedder=None, judge="off") as engine:
        engine.remember("The lamp is green.")
    result = CliRunner().invoke(app, [*arguments, "--db", str(tmp_path / "memory.db")])
    assert result.exit_code != 0
    assert "--everything" in result.output
    assert "=True" not in result.output
