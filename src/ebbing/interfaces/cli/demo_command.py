"""`ebbing demo`: a year of an agent's memory, told in the terminal."""

from __future__ import annotations

import sys
from typing import Any

from rich.console import Console

from .. import demo as story
from ..demo.console import BEAT_SECONDS, SLOW_BEAT_SECONDS, Pace
from .command_context import Shell
from .output import print_json


def demo(shell: Shell, given: dict[str, Any]) -> None:
    """A story, told in the terminal."""
    settings, fast = shell.settings, given["fast"]
    beat = SLOW_BEAT_SECONDS if fast is False else BEAT_SECONDS
    watched = sys.stdout.isatty() and not fast and not settings.as_json
    console = Console(width=given["width"], highlight=False, quiet=settings.as_json)
    closing = story.run(console, Pace(beat if watched else 0.0), settings.policy, settings.judge)
    if settings.as_json:
        print_json(closing)
