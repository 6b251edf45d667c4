"""The frameworks that have an adapter: what is installed for each, which tests concern it, and its own suites."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REAL = os.environ.get("EBBING_ADAPTER")  # the framework that is installed here; None: stand-ins take their place


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

    @property
    def requirements(self) -> Path:
        """Every package of its environment, pinned."""
        return ROOT / "requirements" / "adapters" / f"{self.name}.txt"

    @property
    def tests(self) -> list[str]:
        """Our own tests of the adapter."""
        return [f"tests/adapters/test_{self.name}.py", "tests/adapters/test_surfaces.py", "tests/adapters/test_page.py"]


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
    ),
)
FRAMEWORKS = {one.name: one for one in _ALL}
