"""What every command is told: which store, whose memories, seen by whom, under which policy, with which models.

A flag, before or after the name of a command, goes before the environment, that before the user's own file
(`config.toml` in the configuration folder), and that before the default. No file of a project is read: whoever wrote
it could send your memories elsewhere.
"""

from __future__ import annotations

import os
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from ...domain.errors import Invalid

VARIABLES = {
    "db": "EBBING_DB",
    "owner": "EBBING_OWNER",
    "agent": "EBBING_AGENT",
    "policy": "EBBING_POLICY",
    "judge": "EBBING_JUDGE",
}
MODELS = {"embedder": "EBBING_EMBEDDER", "llm": "EBBING_LLM", "reranker": "EBBING_RERANKER"}  # not typed each time


@dataclass(frozen=True, slots=True)
class Settings:
    """What every command is told."""

    db: str | None = None  # None: the file in the user's data folder
    owner: str = "default"
    agent: str | None = None
    policy: str = "default"
    judge: str = "auto"
    embedder: str = "auto"
    llm: str | None = None
    reranker: str | None = None
    as_json: bool = False
    flags: tuple[tuple[str, str], ...] = ()  # those that were typed, so that a command to type next can repeat them

    @classmethod
    def of(cls, typed: Mapping[str, str], *, as_json: bool) -> Settings:
        """What was typed, and the environment where nothing was; a variable that is empty says nothing."""
        variables = {**VARIABLES, **MODELS}
        from_environment = {
            name: os.environ[variable] for name, variable in variables.items() if os.environ.get(variable)
        }
        return cls(**{**from_file(), **from_environment, **typed}, as_json=as_json, flags=tuple(typed.items()))

    def command(self, *words: str) -> str:
        """A command as one would type it to reach the same memories."""
        # An address with a scheme may hold a password, and this is printed.
        flags = [word for name, value in self.flags if "://" not in value for word in (f"--{name}", value)]
        return shlex.join(["ebbing", *words, *flags])


def config_path() -> Path:
    """The path of the user's own settings."""
    return Path(platformdirs.user_config_dir("ebbing", appauthor=False)) / "config.toml"


def from_file() -> dict[str, str]:
    """What the user's own file says; every fault of it in one sentence."""
    path = config_path()
    try:
        held = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise Invalid(f"{path} cannot be read: {error}") from None
    known = [*VARIABLES, *MODELS]
    wrong = sorted(name for name, value in held.items() if name not in known or not isinstance(value, str))
    if wrong:
        raise Invalid(f"{path}: {', '.join(wrong)} cannot be set here; it may set, as text, {', '.join(known)}")
    return held
