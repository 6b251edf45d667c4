"""What is shown of foresight: what a policy would have done, and the rates that a history asks for."""

from __future__ import annotations

from collections import Counter
from datetime import UTC
from typing import TYPE_CHECKING

from .views import Cell, Stack, Timeline, View, other_fields

if TYPE_CHECKING:  # foresight brings numpy along, and help pages are made without
    from ...operations.foresight import Fit, Miss, Simulation
    from ...operations.foresight.fit import Rate

_MISSES_DRAWN = 10
_STEPS = {"detach": "detached", "archive": "archived"}


def simulation(simulation: Simulation) -> View:
    """How much there would be over time, how much would fall, and each recall that would have missed."""
    known = ("policy", "since", "now", "until", "points", "fallen", "misses", "recalls", "standing", "notes")
    if not simulation.standing:
        return View("There is no memory to try a policy on.", facts=[*other_fields(simulation, known)])
    today = simulation.now.astimezone(UTC).date()
    now = max((step for step, point in enumerate(simulation.points) if point.date <= today), default=0)
    begun = {"beginning": 0} if now else {}  # what began today is told as now
    points = {name: simulation.points[step] for name, step in {**begun, "now": now, "end": -1}.items()}
    fell = len({one.memory for one in simulation.fallen})
    all_memories = _memories(len(simulation.standing))
    return View(
        f"Under {simulation.policy}, {fell:,} of {all_memories} would fall by {simulation.until:%Y-%m-%d}.",
        headings=("", "date", "active", "detached", "archived", "tokens"),
        rows=[
            (name, f"{point.date}", point.active, point.detached, point.archived, point.active_tokens)
            for name, point in points.items()
        ],
        picture=Timeline(
            [point.active for point in simulation.points],
            [point.active_tokens for point in simulation.points],
            [point.date for point in simulation.points],
            now,
        ),
        notes=simulation.notes,
        below=[_fallen(simulation), _missed(simulation, [*other_fields(simulation, known)])],
    )


def _fallen(simulation: Simulation) -> View:
    steps = Counter((str(one.step), one.at <= simulation.now) for one in simulation.fallen)
    rows: list[tuple[Cell, ...]] = [
        (word, steps[step, True], steps[step, False], steps[step, True] + steps[step, False])
        for step, word in _STEPS.items()
    ]
    return View(headings=("would be", "until now", "later", "in all"), rows=rows)


def _missed(simulation: Simulation, facts: list[tuple[str, Cell]]) -> View:
    if simulation.misses:
        headline = "Recalls that would have missed what they found:"
    else:
        headline = "No recall would have missed what it found." if simulation.recalls else "Nothing was recalled yet."
    return View(
        headline,
        headings=("", "recalled", "what would have been needed"),
        rows=[
            ("miss", f"{one.at:%Y-%m-%d}", Stack((one.text, _status_of_miss(one), one.memory)))
            for one in simulation.misses
        ],
        facts=[("recalls", simulation.recalls), ("misses", len(simulation.misses)), *facts],
        rows_drawn=_MISSES_DRAWN,
    )


def _status_of_miss(miss: Miss) -> str:
    return f"{miss.status} since {miss.since:%Y-%m-%d}: {miss.reason}"


def fit(found: Fit, *, written: str | None, next_step: str) -> View:
    """The rates with how sure they are, and the policy to try unless it was written to a file."""
    known = ("rates", "slowdown", "slowdown_low", "slowdown_high", "censored", "notes", "policy_toml")
    facts: list[tuple[str, Cell]] = [
        ("slowdown", _interval(found.slowdown, found.slowdown_low, found.slowdown_high)),
        *other_fields(found, known),
        ("unended", found.censored),
    ]
    if written is not None:
        return _rates(found, [*facts, ("written", written)], (), next_step)
    # Its opening comments repeat what is shown above.
    policy = found.policy_toml.partition("\n\n")[2].splitlines()
    return _rates(found, facts, [View("A policy to try:", sentences=["", *policy, ""])], next_step)


def _rates(found: Fit, facts: list[tuple[str, Cell]], below: list[View] | tuple[()], hint: str) -> View:
    return View(
        _headline(found),
        headings=("category", "published", "fitted", "low", "high", "gaps", "unended", "from"),
        rows=[_rate(rate) for rate in found.rates],
        facts=facts,
        notes=found.notes,
        below=below,
        hint=hint,
    )


def _rate(rate: Rate) -> tuple[Cell, ...]:
    per_day = (f"{value:.3g}" for value in (rate.published_per_day, rate.fitted_per_day, rate.low, rate.high))
    return rate.category, *per_day, rate.gaps, rate.censored, "its own gaps" if rate.enough else "all gaps"


def _headline(found: Fit) -> str:
    """By how much, in the direction in which it is more than one."""
    low, high = found.slowdown_low, found.slowdown_high
    if found.slowdown >= 1:
        how = f"{_interval(found.slowdown, low, high)} times as slow as published"
    else:
        how = f"{_interval(1 / found.slowdown, 1 / high, 1 / low)} times as fast as published"
    return f"By your history memories fade {how}. RateLimiter per day, with the 90 % interval:"


def _interval(value: float, low: float, high: float) -> str:
    return f"{value:.3g} ({low:.3g} to {high:.3g} with 90 %)"


def _memories(count: int) -> str:
    return f"{count:,} {'memory' if count == 1 else 'memories'}"
