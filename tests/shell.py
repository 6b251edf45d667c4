"""`ebbing …` in the process of the tests."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import typer.main
import typer.testing
from typer.testing import CliRunner, Result

from ebbing.interfaces.cli import app

# Typer reads the signature of every command to make the parser, and does so again for each call. That takes longer than
# most commands, so it is done once.
parser = functools.cache(typer.main.get_command)
typer.testing._get_command = parser


def command() -> Any:
    """The program's parser, with its commands."""
    return parser(app)


def ebbing(
    words: Sequence[str], given: str | bytes | None = None, environment: Mapping[str, str | None] | None = None
) -> Result:
    """What the program printed, and how it ended; nobody is at a terminal."""
    return CliRunner().invoke(app, words, input=given, env=environment)
