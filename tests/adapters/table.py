"""The frameworks that have an adapter: what is installed for each, which tests concern it, and its own suites."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
REAL = os.environ.get("EBBING_ADAPTER")  # the framework that is installed here; None: stand-ins take their place
LLM = os.environ.get("EBBING_ADAPTER_LLM")  # where a small, real language model answers; `make test-adapters` starts it
needs_real = pytest.mark.skipif(REAL is None, reason="the frameworks are installed by `make test-adapters` alone")
needs_llm = pytest.mark.skipif(LLM is None, reason="`make test-adapters` starts a small language model for it")


@dataclass(frozen=True)
class Suite:
    """Tests of a framework's own repository, which are run with its reference and then with our adapter."""

    label: str
    folder: str  # below the checkout: it is copied
    file: str  # below the folder: what is run
    replaced: tuple[tuple[str, str], ...]  # in that file: an import of the reference, and ours
    aside: tuple[str, ...] = ()  # tests that cannot concern an adapter, as -k wants them


@dataclass(frozen=True)
class Framework:
    """One framework."""

    name: str
    checkout: str = ""  # the variable that names a checkout of its repository; empty: it has no suite for us
    suites: tuple[Suite, ...] = ()
    talks: bool = False  # has a test with a real language model
    beside: tuple[str, ...] = ()  # adapters that live in the same environment

    @property
    def requirements(self) -> Path:
        """Every package of its environment, pinned."""
        return ROOT / "requirements" / "adapters" / f"{self.name}.txt"

    @property
    def tests(self) -> list[str]:
        """Our own tests of the adapter."""
        own = [f"tests/adapters/test_{name}.py" for name in (self.name, *self.beside)]
        return [*own, "tests/adapters/test_surfaces.py", "tests/adapters/test_page.py"]


def _ours(*names: str) -> tuple[Framework, ...]:
    """Frameworks that have no tests which an adapter could be put into."""
    return tuple(map(Framework, names))


_ALL = (
    Framework(
        "langgraph",
        "LANGGRAPH_REPO",
        (
            Suite(
                "InMemoryStore",
                "libs/checkpoint",
                "tests/test_store.py",
                (
                    (
                        "from langgraph.store.memory import InMemoryStore",
                        "from tests_of_ebbing.langgraph_stores import InMemoryStore",
                    ),
                ),
            ),
            Suite(
                "SqliteStore",
                "libs/checkpoint-sqlite",
                "tests/test_store.py",
                (
                    (
                        "from langgraph.store.sqlite import SqliteStore",
                        "from tests_of_ebbing.langgraph_stores import SqliteStore",
                    ),
                ),
            ),
        ),
        talks=True,
        beside=("langchain",),
    ),
    Framework(
        "anthropic",
        "ANTHROPIC_SDK_REPO",
        (
            Suite(
                "the memory tool",
                "tests/lib/tools",
                "memory_tools/test_filesystem.py",
                (
                    (
                        "from anthropic.lib.tools._beta_builtin_memory_tool import (",
                        "from tests_of_ebbing.anthropic_tools import (",
                    ),
                ),
                # Links, permissions and paths of a disk; and a file of 5 MB, which is no memory.
                aside=("symlink", "umask", "too_many_lines"),
            ),
        ),
    ),
    Framework(
        "openai_agents",
        "OPENAI_AGENTS_REPO",
        (
            Suite(
                "sessions",
                "",
                "tests/memory/test_session.py",
                (
                    (
                        ", SQLiteSession, TResponseInputItem",
                        ", TResponseInputItem\nfrom tests_of_ebbing.openai_sessions import SQLiteSession",
                    ),
                ),
            ),
        ),
        talks=True,
    ),
    *_ours("pydantic_ai", "llama_index", "autogen", "adk", "agent_framework", "strands", "hermes"),
    *_ours("agno", "smolagents", "haystack"),
)
FRAMEWORKS = {one.name: one for one in _ALL}
