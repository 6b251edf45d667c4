"""What holds for the tests of adapters: they run against small stand-ins of the frameworks, or against a real one.

`make test` has no framework installed: the stand-ins in `stand_ins/` have the signatures that `surfaces/` records.
`make test-adapters` runs the same tests in an environment of each framework, where EBBING_ADAPTER names it, and checks
that the framework has the recorded signatures still.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ebbing.engine import Engine
from ebbing.testing import FrozenClock, in_memory
from tests.adapters.table import REAL

if REAL is None:
    sys.path.append(str(Path(__file__).with_name("stand_ins")))


@pytest.fixture
def frozen() -> FrozenClock:
    """2026-01-01, 9 o'clock, until told otherwise."""
    return FrozenClock()


@pytest.fixture
def memory(frozen: FrozenClock) -> Iterator[Engine]:
    """An engine in memory, on the test's clock."""
    with in_memory(clock=frozen) as engine:
        yield engine
