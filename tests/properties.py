"""How many examples a property is tried with, and which: the same few in `make test`, others and more in `make fuzz`.

`make test` must not depend on luck, so its examples follow from each test alone. `make fuzz` sets `EBBING_FUZZ` to how
many times as many examples to try, and gives pytest a seed; the same seed tries the same examples again.
"""

from __future__ import annotations

import os

import hypothesis.core
from hypothesis import HealthCheck, settings
from hypothesis.vendor.pretty import RepresentationPrinter
from schemathesis.generation.hypothesis import setup as prepare_schemathesis

FUZZ = int(os.environ.get("EBBING_FUZZ") or 0)  # 0: not exploring
EXAMPLES = 100  # for a property that does not say how many


def load_profile() -> None:
    """Make these the settings of every property that is imported from here on."""
    settings.register_profile(
        "ebbing",
        # A deadline per example measures the machine, not the code, and fails on a busy one.
        deadline=None,
        # Remembered failures would make a run depend on the run before.
        database=None,
        derandomize=FUZZ == 0,
        max_examples=EXAMPLES * max(1, FUZZ),
        print_blob=True,
        # Examples share a test's fixtures knowingly: each takes an owner of its own.
        suppress_health_check=[HealthCheck.function_scoped_fixture, *([HealthCheck.too_slow] if FUZZ else [])],
    )
    settings.load_profile("ebbing")
    _print_examples()


def _print_examples() -> None:
    """Let Hypothesis print the example that falsified a property.

    Schemathesis, a plugin of every run, replaces the printer by one that prints nothing, once, to be quicker.
    """
    prepare_schemathesis()
    hypothesis.core.RepresentationPrinter = RepresentationPrinter


def examples(count: int) -> settings:
    """So many examples in `make test`, and proportionally more in `make fuzz`: for properties that are slow to try."""
    return settings(max_examples=count * max(1, FUZZ))
