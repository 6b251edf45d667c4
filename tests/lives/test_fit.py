"""Decay rates from a history: what was put into simulated owners comes out again, with an honest interval."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from ebbing import Event, Memory, Policy
from ebbing.domain.clock import Moment
from ebbing.domain.errors import Conflict
from ebbing.domain.events import EventKind
from ebbing.domain.memory import Tier
from ebbing.domain.policy import CurveChoice, Time
from ebbing.domain.policy.loader import load, presets
from ebbing.domain.results import plain
from ebbing.operations.foresight.fit import CATEGORY_GAPS_MIN, Fit, Rate, fit
from ebbing.operations.foresight.idle_intervals import IdleInterval, read
from ebbing.operations.foresight.need_model import estimate, tabulate
from ebbing.strength import Trace

DEFAULT = load()
FIRST = date(2026, 1, 1)
# The days from each use of a memory to the next, for ever; inf: never again. Told how fast its need should fall.
Life = Callable[[np.random.Generator, float], Iterator[float]]


class Owner(NamedTuple):
    """A history, in the shape that `fit` takes."""

    events: list[Event]
    memories: dict[str, Memory]
    days: list[tuple[date, int]]
    now: Moment

    def fit(self, policy: Policy = DEFAULT) -> Fit:
        return fit(self.events, self.memories, self.days, policy, self.now)

    def until(self, day: int) -> Owner:
        """The same history, seen from so many days of use after its first."""
        last, number = self.days[day]
        return self._replace(now=Moment(at_noon(last), number))


def at_noon(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC)


def by_the_law(chance: np.random.Generator, speed: float) -> Iterator[float]:
    """Needs ahead are geometric in number and each waits for an exponential time; the gap is the wait for the first."""
    returning = 0.6
    while True:
        needs = chance.geometric(1 - returning) - 1
        yield float(np.ceil(chance.exponential(1 / (speed * needs)))) if needs else np.inf
        returning = 0.8


def until_need_ends(chance: np.random.Generator, speed: float, spread: float = 1.5) -> Iterator[float]:
    """Another world: used by chance, each memory as often as its nature is, until the need for it ends."""
    daily = -np.expm1(-min(3.0, 0.1 * np.exp(spread * chance.normal())))
    left = chance.exponential(1 / speed)
    while left > 0:
        wait = float(chance.geometric(daily))
        left -= wait
        if left > 0:
            yield wait
    yield np.inf


def owner(
    seed: int,
    rates: Mapping[str, float],
    *,
    memories: int = 150,
    days: int = 100,
    life: Life = by_the_law,
    rest: Callable[[int], int] = lambda day: 0,
    put_away_after: float = np.inf,
) -> Owner:
    """An owner whose memories, of these categories in turn, are written on random days and used as `life` has it.

    `rest` gives how many days without use come before each day of use.
    """
    chance = np.random.default_rng(seed)
    dates = [FIRST + timedelta(days=day + sum(map(rest, range(day + 1)))) for day in range(days + 1)]
    told: list[tuple[int, EventKind, str]] = []
    known: dict[str, Memory] = {}
    for number in range(memories):
        category = list(rates)[number % len(rates)]
        importance = float(chance.choice((0.2, 0.5, 0.8)))
        day, id_ = int(chance.integers(days)), f"m{number}"
        known[id_] = memory_of(id_, dates[day], category=category, importance=importance)
        told.append((day, EventKind.REMEMBERED, id_))
        for wait in life(chance, rates[category] * (1 - 0.8 * importance)):
            if wait > put_away_after and day + put_away_after <= days:
                told.append((day + int(put_away_after), EventKind.DETACHED, id_))
            if wait > put_away_after or day + wait > days:
                break
            day += int(wait)
            told.append((day, EventKind.REINFORCED, id_))
    events = [
        Event(seq, at_noon(dates[day]), kind, id_, batch="b")
        for seq, (day, kind, id_) in enumerate(sorted(told, key=lambda each: each[0]), 1)
    ]
    counted = [(each, FIRST.toordinal() + number) for number, each in enumerate(dates)]
    return Owner(events, known, counted, Moment(at_noon(dates[-1]), counted[-1][1]))


def memory_of(id_: str, day: date, **given: Any) -> Memory:
    at = at_noon(day)
    times = {"created_at": at, "created_day": day.toordinal(), "last_accessed_at": at, "used_day": day.toordinal()}
    return Memory(**{"id": id_, "owner": "ada", "text": "The sea ebbs", **times, **given})


def rate_of(found: Fit, category: str) -> Rate:
    [rate] = [rate for rate in found.rates if rate.category == category]
    return rate


def holds(rate: Rate, truth: float) -> bool:
    return rate.low <= truth <= rate.high


def width(rate: Rate) -> float:
    return float(np.log(rate.high / rate.low))


def numbers(found: Fit) -> Fit:
    """A fit without the date that its file tells."""
    return dataclasses.replace(found, policy_toml="")


def loaded(found: Fit, folder: Path) -> Policy:
    path = folder / "tried.toml"
    path.write_text(found.policy_toml, encoding="utf-8")
    return load(path)


def test_the_rate_that_was_put_in_comes_out() -> None:
    """In nine of ten histories the interval holds the true rate, and the estimates are centred on it."""
    held = []
    for truth, memories, days in ((0.16, 100, 60), (0.05, 150, 100), (0.3, 250, 40)):
        found = [rate_of(owner(s, {"fact": truth}, memories=memories, days=days).fit(), "fact") for s in range(20)]
        assert np.median([rate.fitted_per_day for rate in found]) == pytest.approx(truth, rel=0.1)
        held += [holds(rate, truth) for rate in found]
    assert np.mean(held) >= 0.9


def test_an_interval_is_no_wider_than_it_must_be() -> None:
    """One that always held the truth would say nothing: with 700 gaps it is within a third on either side."""
    rate = rate_of(owner(1, {"fact": 0.16}, memories=400).fit(), "fact")
    assert rate.gaps > 700
    assert rate.fitted_per_day / 1.33 < rate.low < rate.fitted_per_day < rate.high < rate.fitted_per_day * 1.33


def test_intervals_shrink_with_history() -> None:
    """Four times the memories halve the interval, more or less."""
    found = [
        [width(rate_of(owner(seed, {"fact": 0.1}, memories=n).fit(), "fact")) for seed in range(5)] for n in (75, 300)
    ]
    few, many = np.mean(found, axis=1)
    assert 0.35 < many / few < 0.65


def test_silences_of_one_memory_are_not_so_many_witnesses() -> None:
    """Each silence told three times by the same memory makes nobody surer; told by three memories it does."""
    lived = owner(2, {"fact": 0.1})
    once = read(lived.events, lived.memories, lived.days, DEFAULT, lived.now).intervals
    copies = [[dataclasses.replace(s, memory=s.memory.with_(id=f"{s.memory.id}/{n}")) for s in once] for n in range(3)]

    def interval(intervals: Sequence[IdleInterval]) -> float:
        rates = [0.16 * (1 - 0.8 * idle.memory.importance) for idle in intervals]
        found = estimate(tabulate(intervals, rates, [int(idle.recalled) for idle in intervals]))
        return float(np.log(found.high / found.low))

    assert interval(once * 3) == pytest.approx(interval(once), rel=0.1)
    assert interval([idle for copy in copies for idle in copy]) == pytest.approx(interval(once) / 3**0.5, rel=0.1)


def test_categories_are_told_apart() -> None:
    """Each gets its own rate where it has gaps enough; the rest take the published one by the common slowdown."""
    found = owner(3, {"decision": 0.02, "failure": 0.5}, memories=400, days=150).fit()
    slow, fast = rate_of(found, "decision"), rate_of(found, "failure")
    assert slow.enough
    assert fast.enough
    assert holds(slow, 0.02)
    assert holds(fast, 0.5)
    assert slow.high < fast.low / 5
    assert any("One slowdown does not serve all" in note for note in found.notes)
    other = rate_of(found, "fact")
    assert (other.gaps, other.censored, other.enough) == (0, 0, False)
    assert other.fitted_per_day == pytest.approx(0.16 / found.slowdown)
    assert (other.low, other.high) == pytest.approx((0.16 / found.slowdown_high, 0.16 / found.slowdown_low))


def test_a_category_with_few_gaps_takes_the_common_slowdown() -> None:
    """A handful of gaps is counted, and not believed on its own."""
    many = owner(4, {"fact": 0.08}, memories=200)
    few = owner(5, {"gotcha": 0.5}, memories=4)
    events = many.events + [dataclasses.replace(e, memory=f"few {e.memory}", seq=e.seq + 10**6) for e in few.events]
    memories = many.memories | {f"few {id_}": memory.with_(id=f"few {id_}") for id_, memory in few.memories.items()}
    found = many._replace(events=events, memories=memories).fit()
    rate = rate_of(found, "gotcha")
    assert 0 < rate.gaps < CATEGORY_GAPS_MIN
    assert not rate.enough
    assert rate.fitted_per_day == pytest.approx(0.1 / found.slowdown)
    assert found.slowdown == pytest.approx(2, rel=0.4)


def test_holidays_change_nothing() -> None:
    """Time is days of use: weekends off and a summer away give the very same answer."""
    plain_year = owner(6, {"fact": 0.1, "decision": 0.03})
    with_rest = owner(6, {"fact": 0.1, "decision": 0.03}, rest=lambda day: 60 if day == 40 else 2 * (day % 5 == 4))
    assert with_rest.days[-1][0] > plain_year.days[-1][0] + timedelta(days=90)
    assert numbers(with_rest.fit()) == numbers(plain_year.fit())


def test_under_the_wall_clock_the_calendar_counts() -> None:
    """An owner who comes every third day fades, by the calendar, at a third of the rate by days of use."""
    every_third = owner(7, {"fact": 0.15}, memories=400, rest=lambda day: 2 if day else 0)
    wall = dataclasses.replace(DEFAULT, time=Time("wall", DEFAULT.time.grace, DEFAULT.time.restored_grace))
    assert holds(rate_of(every_third.fit(), "fact"), 0.15)
    assert rate_of(every_third.fit(wall), "fact").fitted_per_day == pytest.approx(0.05, rel=0.25)


def test_a_history_cut_short_is_not_taken_for_a_fast_one() -> None:
    """What is still silent may yet be used: seen early, a history gives a wider interval around the same truth."""
    lives = [owner(seed, {"fact": 0.06}, memories=250, days=120) for seed in range(10)]
    whole = [rate_of(life.fit(), "fact") for life in lives]
    early = [rate_of(life.until(60).fit(), "fact") for life in lives]
    assert sum(holds(rate, 0.06) for rate in early) >= 8  # nine of ten, give or take one
    assert np.median([rate.fitted_per_day for rate in early]) == pytest.approx(0.06, rel=0.15)
    assert all(width(short) > width(long) for short, long in zip(early, whole, strict=True))


def test_what_was_put_away_is_not_taken_for_unneeded() -> None:
    """Detached after 20 silent days, memories hide later needs; the rate is still the true one, and it is said."""
    found = [owner(seed, {"fact": 0.08}, memories=300, put_away_after=20).fit() for seed in range(10)]
    assert sum(holds(rate_of(each, "fact"), 0.08) for each in found) >= 8  # nine of ten, give or take one
    assert np.median([rate_of(each, "fact").fitted_per_day for each in found]) == pytest.approx(0.08, rel=0.15)
    assert all(any("put away" in note for note in each.notes) for each in found)


def test_a_silence_that_began_out_of_sight_is_not_taken_for_a_short_one() -> None:
    """Memories told to the system when they are 15 days old, and only those not needed until then."""

    def told_late(life: Owner) -> Owner:
        first_use: dict[str, int] = {}
        for event in life.events:
            if event.kind is EventKind.REINFORCED and event.memory is not None:
                first_use.setdefault(event.memory, (event.at - life.memories[event.memory].created_at).days)
        later = [
            dataclasses.replace(event, at=event.at + timedelta(days=15 * (event.kind is EventKind.REMEMBERED)))
            for event in life.events
            if event.memory is not None and first_use.get(event.memory, 999) > 15
        ]
        return life._replace(events=later)

    found = [rate_of(told_late(owner(seed, {"fact": 0.12}, memories=600)).fit(), "fact") for seed in range(8)]
    assert np.median([rate.fitted_per_day for rate in found]) == pytest.approx(0.12, rel=0.15)
    assert sum(holds(rate, 0.12) for rate in found) >= 6  # nine of ten, give or take one


def test_a_tier_that_lives_longer_is_allowed_for() -> None:
    """What is confirmed again and again fades slower by the policy already; its category does not for that."""
    lived = owner(15, {"fact": 0.05}, memories=400)
    memories = {id_: memory.with_(tier=Tier.PROCEDURAL) for id_, memory in lived.memories.items()}
    slower = DEFAULT.tiers.procedural.slowdown
    assert slower > 1
    assert holds(rate_of(lived._replace(memories=memories).fit(), "fact"), 0.05 * slower)


def test_the_curve_follows_need_in_a_world_of_another_kind(tmp_path: Path) -> None:
    """Where need simply ends, and some memories are used daily and some rarely, the curve still tells the chance."""
    curve = loaded(owner(8, {"fact": 0.05}, memories=500, days=150, life=until_need_ends).fit(), tmp_path)
    chance = np.random.default_rng(0)
    waits = np.array([wait for _ in range(20_000) for wait in until_need_ends(chance, 0.05 * 0.6)])

    def needed(days: int) -> float:
        return float(np.isfinite(waits[waits > days]).mean())

    def strength(days: int) -> float:
        return float(curve.curve_of("fact", Tier.SEMANTIC).strength(Trace(importance=0.5, idle_days=days)))

    for days in (1, 2, 5, 10, 20, 40, 80):
        assert strength(days) / strength(0) == pytest.approx(needed(days) / needed(0), abs=0.08)


def test_a_history_of_another_shape_is_noted() -> None:
    """Uses like clockwork until need ends are no exponential: the fit says so, and not where the law holds."""

    def regular(chance: np.random.Generator, speed: float) -> Iterator[float]:
        return until_need_ends(chance, speed, spread=0.0)

    bent = owner(9, {"fact": 0.05}, memories=400, life=regular).fit()
    assert any("stretched curve with an exponent near 1." in note for note in bent.notes)
    assert not any("stretched" in note for note in owner(9, {"fact": 0.05}, memories=400).fit().notes)


def test_the_same_history_always_gives_the_same_answer() -> None:
    """Nothing is drawn by chance, and the order in which events are told does not matter."""
    once = owner(10, {"fact": 0.1, "decision": 0.05})
    assert once.fit() == once.fit() == once._replace(events=once.events[::-1]).fit()


@pytest.mark.parametrize("policy", [*presets(), "changed", "mine", "half_life"])
def test_the_policy_to_try_loads_and_holds_the_rates(policy: str, tmp_path: Path) -> None:
    """Over a preset, from a file of one's own, in place of a curve without rates: it loads, every rung in reach."""
    current = {
        **{name: load(name) for name in presets()},
        "changed": dataclasses.replace(DEFAULT, ladder=dataclasses.replace(DEFAULT.ladder, detach=0.2)),
        "mine": dataclasses.replace(
            DEFAULT,
            name="mine",
            ladder=dataclasses.replace(DEFAULT.ladder, detach=0.2),
            categories={**DEFAULT.categories, "sea\nlore": DEFAULT.categories["fact"]},
        ),
        "half_life": dataclasses.replace(DEFAULT, name="mine", curve=CurveChoice("half_life", 3.0)),
    }[policy]
    found = owner(11, {"fact": 0.1, "sea\nlore" if policy == "mine" else "gotcha": 0.03}, memories=200).fit(current)
    tried = loaded(found, tmp_path)
    assert tried.ladder == current.ladder
    assert (tried.curve.name, tried.curve.slowdown) == ("ebbinghaus", 1.0)
    assert tried.name == f"{current.name}-fitted"
    for rate in found.rates:
        assert tried.categories[rate.category].decay_per_day == pytest.approx(rate.fitted_per_day, rel=1e-3)
        curve = tried.curve_of(rate.category, Tier.SEMANTIC)
        assert np.isfinite(float(curve.days_until(Trace(importance=0.5), tried.ladder.archive)))
    assert tried.categories["identity"] == current.categories["identity"]
    assert found.policy_toml.startswith(f"# Decay rates fitted to {found.gaps} gaps between uses of {found.memories} ")
    assert f"from its own {rate_of(found, 'fact').gaps} gaps" in found.policy_toml
    other_curve = current.curve.name != "ebbinghaus"
    assert any(f"curve is {current.curve.name}" in note for note in found.notes) == other_curve


def test_over_a_preset_the_file_says_only_what_changes() -> None:
    found = owner(11, {"fact": 0.1}).fit()
    assert 'extends = "default"' in found.policy_toml
    assert "[ladder]" not in found.policy_toml


def test_an_answer_can_be_told_as_json() -> None:
    told = plain(owner(11, {"fact": 0.1}).fit())
    assert told["rates"][0]["category"] == "decision"
    assert isinstance(told["notes"], list)


@pytest.mark.parametrize(
    ("memories", "days", "said"),
    [(0, 30, "0 gaps between uses, of 0 memories, in 31 days"), (8, 60, "memories, in 61"), (200, 10, "in 11 days")],
)
def test_too_little_history_is_refused_with_both_numbers(memories: int, days: int, said: str) -> None:
    """What there is, and what would be enough: gaps, memories and days of use."""
    with pytest.raises(Conflict, match=said) as refused:
        owner(12, {"fact": 0.1}, memories=memories, days=days).fit()
    assert "at least 30 gaps of 10 memories in 14 days of use" in str(refused.value)


def test_a_history_in_which_nothing_fades_is_refused() -> None:
    """Used on and on, whatever the silence: there is no rate to be seen, and none is made up."""

    def steady(chance: np.random.Generator, speed: float) -> Iterator[float]:
        while True:
            yield float(chance.integers(1, 4) if chance.random() < 0.7 else chance.integers(4, 40))

    with pytest.raises(Conflict, match="too short to see anything fade"):
        owner(13, {"fact": 0.1}, memories=60, days=60, life=steady).fit()


def test_a_history_in_which_everything_is_used_every_day_is_refused_for_what_it_is() -> None:
    """Nothing stayed away, so it is not said that anything did."""

    def daily(chance: np.random.Generator, speed: float) -> Iterator[float]:
        while True:
            yield 1.0

    with pytest.raises(Conflict, match="come back after up to 1 day of silence and none has been silent for longer"):
        owner(13, {"fact": 0.1}, memories=20, days=40, life=daily).fit()


def tomorrow_or_never(chance: np.random.Generator, speed: float) -> Iterator[float]:
    while chance.random() < 0.5:
        yield 1.0
    yield np.inf


def test_a_history_of_next_days_is_refused() -> None:
    """Back tomorrow or never: a rate per day cannot be told from that."""
    with pytest.raises(Conflict, match="too coarse to see anything fade: memories come back within 1 day or not"):
        owner(14, {"fact": 0.1}, life=tomorrow_or_never).fit()


def test_a_category_that_tells_nothing_takes_the_common_slowdown() -> None:
    """However many its gaps: where others tell a rate, it is given what they are."""

    def one_of_both(chance: np.random.Generator, speed: float) -> Iterator[float]:
        return tomorrow_or_never(chance, speed) if speed > 1 else by_the_law(chance, speed)

    found = owner(14, {"fact": 0.1, "gotcha": 9.0}, memories=200, life=one_of_both).fit()
    rate = rate_of(found, "gotcha")
    assert rate.gaps > CATEGORY_GAPS_MIN
    assert not rate.enough
    assert rate.fitted_per_day == pytest.approx(0.1 / found.slowdown)
