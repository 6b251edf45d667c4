"""Processes to be watched, and killed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
KILLED = -signal.SIGKILL


class Nursery:
    """Starts processes that do a deed, hears what they have done, and kills them when told to."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def together(self, deed: str, processes: int, **given: Any) -> tuple[list[dict[str, Any]], list[int]]:
        """So many processes do a deed at once: everything they said, and how they ended."""
        return self._run(deed, processes, None, given)

    def killed(self, deed: str, after: int, **given: Any) -> tuple[list[dict[str, Any]], int]:
        """One process does a deed until it has said `after` things, and is killed in the middle of the next."""
        said, ended = self._run(deed, 1, after, given)
        return said, ended[0]

    def _run(
        self, deed: str, processes: int, after: int | None, given: dict[str, Any]
    ) -> tuple[list[dict[str, Any]], list[int]]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"deed": deed, "processes": processes, "given": given}) + "\n")
        self._process.stdin.flush()
        said: list[dict[str, Any]] = []
        pid = 0
        while True:
            line = self._hear()
            if "ended" in line:
                assert [one["error"] for one in said if "error" in one] == []
                return said, line["ended"]
            pid = line.get("pid", pid)
            if "pid" not in line:
                said.append(line)
            if after is not None and len(said) >= after:
                os.kill(pid, signal.SIGKILL)
                after = None

    def _hear(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the nursery died"
        heard: dict[str, Any] = json.loads(line)
        return heard


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.faults.deeds"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
        # Forked after numpy has started its threads, a process would lack them.
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    ) as process:  # fmt: skip
        yield Nursery(process)
        assert process.stdin is not None
        process.stdin.close()


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    """Chance that repeats itself: it follows from the test's name, and from the seed that `make fuzz` gives."""
    return random.Random(f"{request.node.nodeid} {request.config.getoption('--hypothesis-seed')}")
