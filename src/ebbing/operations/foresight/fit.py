"""Decay rates that an owner's own history of use asks for, and a policy to try them with.

`idle_intervals.py` reads the log, `need_model.py` holds the idea and the arithmetic; here stand what is enough to go
by, what is answered, and how it is told. A category with enough gaps of its own gets a rate of its own; the others keep
their published proportions, all slowed (or quickened) by the one factor that suits the whole history best.
"""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date
from statistics import median
from types import MappingProxyType
from typing import Any, Final, cast

from ...domain.clock import Moment
from ...domain.curves import Ebbinghaus
from ...domain.errors import Conflict
from ...domain.events import Event
from ...domain.memory import Memory
from ...domain.policy import Policy, loader, writer
from .idle_intervals import History, IdleInterval, read
from .need_model import Estimate, estimate, tabulate

GAPS_MIN: Final = 30  # fewer leave an interval so wide that any policy is in it
MEMORIES_MIN: Final = 10  # the gaps of one memory are much alike
DAYS_MIN: Final = 14  # in less nothing has had the time to fade
CATEGORY_GAPS_MIN: Final = 20
CATEGORY_MEMORIES_MIN: Final = 5
_NONE: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Rate:
    """How fast one category fades: as published, and as the history has it."""

    category: str
    published_per_day: float  # as the policy gives it, before its slowdown
    fitted_per_day: float
    low: float  # with `high`, the 90 % interval of the fitted rate
    high: float
    gaps: int  # silences that a use ended
    censored: int  # silences that had not ended when they were last watched
    enough: bool  # False: too few gaps of its own, so the published rate by the pooled slowdown


@dataclass(frozen=True, slots=True)
class Fit:
    """The rates a history asks for, how sure that is, and a policy file to try them with."""

    rates: tuple[Rate, ...]
    slowdown: float  # by how much all published rates together should be divided
    slowdown_low: float  # with `slowdown_high`, its 90 % interval
    slowdown_high: float
    gaps: int
    censored: int
    memories: int  # that were used again at least once
    days_of_use: int
    notes: tuple[str, ...]
    policy_toml: str


def fit(
    events: Iterable[Event],
    memories: Mapping[str, Memory],
    days: Sequence[tuple[date, int]],
    policy: Policy,
    now: Moment,
) -> Fit:
    """The rates that suit what happened until `now`. `Conflict` when that is too little to go by."""
    history = read(events, memories, days, policy, now)
    published = _with_rates({}, policy)
    intervals = [idle for idle in history.intervals if _speed(idle, published) > 0]
    days_of_use = sum(day <= now.at.astimezone(UTC).date() for day, _ in days)
    _enough(intervals, days_of_use)
    pooled = _estimated(intervals, published, shape=True)
    if not pooled.is_informative:
        raise Conflict(_told_nothing(pooled, intervals))
    by_category: dict[str, list[IdleInterval]] = {
        name: []
        for name, settings in policy.categories.items()
        if settings.decay_per_day > 0 and name not in policy.protection.categories
    }
    for idle in intervals:
        by_category[idle.category].append(idle)
    rates = tuple(_rate(name, own, pooled, published) for name, own in by_category.items())
    found = Fit(
        rates=rates,
        slowdown=1 / pooled.pace,
        slowdown_low=1 / pooled.high,
        slowdown_high=1 / pooled.low,
        gaps=_gaps(intervals),
        censored=len(intervals) - _gaps(intervals),
        memories=_memories(intervals),
        days_of_use=days_of_use,
        notes=tuple(_notes(history, intervals, pooled, rates, policy)),
        policy_toml="",
    )
    return dataclasses.replace(found, policy_toml=_policy_toml(found, policy, now))


def _enough(intervals: Sequence[IdleInterval], days_of_use: int) -> None:
    there = (_gaps(intervals), _memories(intervals), days_of_use)
    if any(have < need for have, need in zip(there, (GAPS_MIN, MEMORIES_MIN, DAYS_MIN), strict=True)):
        raise Conflict(
            f"there is too little history to fit decay rates to: {there[0]} gaps between uses, of {there[1]} memories, "
            f"in {there[2]} days of use; at least {GAPS_MIN} gaps of {MEMORIES_MIN} memories in {DAYS_MIN} days "
            f"of use are needed (a second use on the same day is no gap)"
        )


def _told_nothing(pooled: Estimate, intervals: Sequence[IdleInterval]) -> str:
    longest = max(idle.until for idle in intervals if idle.used)
    days = f"{longest} day{'s' * (longest != 1)}"
    if not any(idle.until > longest for idle in intervals):
        return (
            f"this history is too short to see anything fade: memories come back after up to {days} of silence "
            f"and none has been silent for longer; fit again when some have"
        )
    if pooled.pace < 1:
        return (
            f"this history is too short to see anything fade: memories come back after up to {days} of silence "
            f"and show no sign of ceasing to; fit again when they have been watched for much longer than that"
        )
    return (
        f"this history is too coarse to see anything fade: memories come back within {days} or not at all, "
        f"and what happens within days has no rate per day"
    )


def _rate(category: str, own: Sequence[IdleInterval], pooled: Estimate, policy: Policy) -> Rate:
    per_day = policy.categories[category].decay_per_day
    enough = _gaps(own) >= CATEGORY_GAPS_MIN and _memories(own) >= CATEGORY_MEMORIES_MIN
    found = _estimated(own, policy) if enough else pooled
    if not found.is_informative:
        found, enough = pooled, False
    return Rate(
        category=category,
        published_per_day=per_day,
        fitted_per_day=per_day * found.pace,
        low=per_day * found.low,
        high=per_day * found.high,
        gaps=_gaps(own),
        censored=len(own) - _gaps(own),
        enough=enough,
    )


def _estimated(intervals: Sequence[IdleInterval], policy: Policy, *, shape: bool = False) -> Estimate:
    return estimate(tabulate(intervals, [_speed(s, policy) for s in intervals], _groups(intervals)), shape=shape)


def _groups(intervals: Sequence[IdleInterval]) -> list[int]:
    """Which of them begin at the same height: those of a category, apart by whether they were recalled before."""
    numbers: dict[tuple[str, bool], int] = {}
    return [numbers.setdefault((idle.category, idle.recalled), len(numbers)) for idle in intervals]


def _speed(idle: IdleInterval, published: Policy) -> float:
    """How fast a memory of this category, tier and importance would fade by the published rates."""
    curve = cast(Ebbinghaus, published.curve_of(idle.category, idle.tier))
    # To the hundredth, as people give it: alike silences are then counted together.
    return float(curve.rate * (1 - curve.importance_shield * round(idle.memory.importance, 2)))


def _gaps(intervals: Sequence[IdleInterval]) -> int:
    return sum(idle.used for idle in intervals)


def _memories(intervals: Sequence[IdleInterval]) -> int:
    return len({idle.memory.id for idle in intervals if idle.used})


def _notes(
    history: History, intervals: Sequence[IdleInterval], pooled: Estimate, rates: Sequence[Rate], policy: Policy
) -> Iterator[str]:
    yield _returning(intervals, pooled)
    put_away = [idle.until for idle in intervals if idle.put_away]
    if len(put_away) > len(intervals) / 10:
        yield (
            f"{len(put_away)} of {len(intervals)} silences ended because the memory was put away, half of them by day "
            f"{median(put_away):g}. Whether it would have been needed later nobody saw: there the fit rests on the "
            f"shape of the curve."
        )
    if pooled.bend != 1:
        shape = "quickly at first and slowly later" if pooled.bend < 1 else "slowly at first and then at once"
        yield (
            f"The ebbinghaus curve does not fit this history well: need falls {shape}. "
            f"Try the stretched curve with an exponent near {pooled.bend:.1f}."
        )
    for is_open, end in ((pooled.open_low, "slowest"), (pooled.open_high, "fastest")):
        if is_open:
            yield f"The {end} rate that the history allows cannot be told from it: that end of the interval is open."
    own = [rate.category for rate in rates if rate.enough]
    others = "the others take" if own else "every category takes"
    slowdown = f"the published rate divided by {1 / pooled.pace:.3g}"
    yield f"Rates of their own: {', '.join(own) or 'none'}; {others} {slowdown}."
    apart = [r.category for r in rates if r.enough and not r.low <= r.published_per_day * pooled.pace <= r.high]
    if apart:
        yield (
            f"One slowdown does not serve all: {', '.join(apart)} would get another rate from it than its own gaps ask "
            f"for. What it gives the categories without a rate of their own is less sure than its interval says."
        )
    if history.unfit or history.purged:
        yield (
            f"Not counted: {history.unfit} memories that do not fade by a category's rate (pinned, protected, working) "
            f"or whose recalls are not counted (not trusted, quarantined), and {history.purged} that were purged."
        )
    if policy.curve.name != "ebbinghaus":
        yield f"The policy's curve is {policy.curve.name}, which has no rate per category; the file uses ebbinghaus."


def _returning(intervals: Sequence[IdleInterval], pooled: Estimate) -> str:
    """The heights the curves begin at, in words: beside importance, which is meant to say the same."""
    chances: dict[bool, list[float]] = {False: [], True: []}
    for idle, group in zip(intervals, _groups(intervals), strict=True):
        chances[idle.recalled].append(float(pooled.returning[group]))
    sentences = [
        f"{sum(found) / len(found):.0%} of memories just {'recalled' if recalled else 'written'}"
        for recalled, found in chances.items()
        if found
    ]
    return f"By this fit {' and '.join(sentences)} are used again on a later day."


def _policy_toml(found: Fit, policy: Policy, now: Moment) -> str:
    """The policy with the fitted rates: over its preset in a few lines where only those change, else in full."""
    fitted = _with_rates({rate.category: rate.fitted_per_day for rate in found.rates}, policy)
    fitted = dataclasses.replace(fitted, name=f"{policy.name}-fitted")
    rests_on = f"{found.gaps} gaps between uses of {found.memories} memories and {found.censored} unended silences"
    interval = f"{found.slowdown_low:.3g} to {found.slowdown_high:.3g} with 90 %"
    comments = [
        f"Decay rates fitted to {rests_on}, in {found.days_of_use} days of use until {now.at.astimezone(UTC).date()}.",
        f"All published rates together: divided by {found.slowdown:.3g} ({interval}).",
        *map(_in_words, found.rates),
        *found.notes,
    ]
    lines = [f"# {line}" for each in comments for line in textwrap.wrap(_printable(each), 110)]
    preset = policy.name in loader.presets() and loader.load(policy.name) == policy
    if not preset or policy.curve.name != "ebbinghaus":
        return "\n".join(lines) + f"\n\n{writer.dump(fitted)}"
    lines += ["", f'extends = "{policy.name}"', f'name = "{fitted.name}"', "", "[curve]"]
    lines.append("slowdown = 1.0  # the rates below are meant as they stand")
    lines += ["", "[lifetimes]", 'by = "category"  # the rates below, and not how long each memory stays true']
    for rate in found.rates:
        settings = fitted.categories[rate.category]
        lines += ["", f"[categories.{rate.category}]", f"decay_per_day = {settings.decay_per_day!r}"]
    return "\n".join(lines) + "\n"


def _with_rates(per_day: Mapping[str, float], policy: Policy) -> Policy:
    """The policy with these rates in place of its own, taken as they stand: no slowdown but the tiers'."""
    categories = {
        name: dataclasses.replace(settings, decay_per_day=float(f"{per_day[name]:.4g}"))
        if name in per_day
        else settings
        for name, settings in policy.categories.items()
    }
    curve = dataclasses.replace(policy.curve, name="ebbinghaus", slowdown=1.0)
    tiers = policy.tiers
    if policy.curve.name != "ebbinghaus":  # another curve's parameters mean nothing to this one
        curve = dataclasses.replace(curve, parameters=_NONE)
        spans = {each.name: getattr(tiers, each.name) for each in dataclasses.fields(tiers)}
        tiers = dataclasses.replace(tiers, **{n: dataclasses.replace(s, parameters=_NONE) for n, s in spans.items()})
    # The history was read by category, and so is what it asks for.
    lifetimes = dataclasses.replace(policy.lifetimes, by="category")
    rates = MappingProxyType(categories)
    return dataclasses.replace(policy, curve=curve, lifetimes=lifetimes, tiers=tiers, categories=rates)


def _in_words(rate: Rate) -> str:
    interval = f"{rate.low:.3g} to {rate.high:.3g}"
    source = f"its own {rate.gaps} gaps" if rate.enough else f"the slowdown of all; its own gaps are {rate.gaps}"
    return f"{rate.category}: {rate.fitted_per_day:.3g} per day ({interval} with 90 %), from {source}"


def _printable(text: str) -> str:
    """A category may have any name; a comment may not hold any character."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
