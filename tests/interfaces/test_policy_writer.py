"""A policy written down is the same policy when it is read; what differs is told, and what it does, in words."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ebbing.domain.errors import InvalidPolicy
from ebbing.domain.memory import Scope, Tier
from ebbing.domain.policy import Budget, Category, CurveChoice, Lifespan, Policy
from ebbing.domain.policy.loader import load, presets
from ebbing.domain.policy.writer import Difference, differences, dump, in_words, table
from ebbing.strength import CURVES, Trace
from tests.properties import examples
from tests.tables import each_row

DEFAULT = load("default")

LASTING = (
    "One of importance 0.5 that is known to stay true for so long is detached: hours after 7 days, days after 11 days, "
    "weeks after 43 days, months after 168 days, years after 2,007 days, life never."
)

shares = st.floats(0, 1)
spans = st.integers(1, 10**8).map(lambda seconds: timedelta(seconds=seconds)) | st.integers(1, 10**6).map(
    lambda thousandths: timedelta(milliseconds=thousandths)
)
words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
categories = st.builds(
    Category,
    st.floats(0, 10),
    shares,
    ttl=st.none() | spans,
    compact_after=st.none() | spans,
    archive_after=st.none() | spans,
)
counts = st.integers(1, 10**6)
budgets = st.builds(
    Budget, st.none() | st.sampled_from([tier for tier in Tier if tier is not Tier.CORE]), st.none() | counts, counts
)
lifespans = st.builds(Lifespan, st.floats(0.01, 1000))


def changed(policy: Policy, table_: str, **entries: Any) -> Policy:
    return dataclasses.replace(policy, **{table_: dataclasses.replace(getattr(policy, table_), **entries)})


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    """The default with much of it changed: names that need quoting, patterns, spans, curves and categories."""
    own = draw(st.dictionaries(words, categories, max_size=3))
    kept = {name: draw(st.sampled_from([value, draw(categories)])) for name, value in DEFAULT.categories.items()}
    archive, detach, summarize = sorted(draw(st.lists(st.floats(0.11, 1), min_size=3, max_size=3, unique=True)))
    policy = dataclasses.replace(DEFAULT, name=draw(words), categories=MappingProxyType(kept | own))
    policy = changed(policy, "ladder", summarize=summarize, detach=detach, archive=archive)
    policy = changed(policy, "time", clock=draw(st.sampled_from(["activity", "wall"])), grace=draw(spans))
    policy = changed(
        policy,
        "defaults",
        tier=draw(st.sampled_from([tier for tier in Tier if tier is not Tier.CORE])),
        importance=draw(shares),
    )
    patterns = draw(st.lists(words.map(re.escape).map(re.compile), max_size=3))
    scopes = draw(st.lists(st.sampled_from(["/user", "/a b/c", "/ü"]).map(Scope), max_size=2))
    policy = changed(policy, "protection", auto_pin=tuple(patterns), scopes=tuple(scopes))
    sources = {**DEFAULT.trust.sources, **draw(st.dictionaries(words, shares, max_size=2))}
    policy = changed(policy, "trust", sources=MappingProxyType(sources), unknown=draw(shares))
    limits = draw(st.dictionaries(st.sampled_from(["/logs", "/v1.2/a b", "/ü", "/project"]), st.none() | budgets))
    limits = {**DEFAULT.budgets.scopes, **limits}
    policy = changed(policy, "budgets", scopes=MappingProxyType(limits), historical=draw(st.none() | counts))
    demote, promote = sorted(draw(st.lists(shares, min_size=2, max_size=2, unique=True)))
    moved = {"promote": promote, "demote": demote} if draw(st.booleans()) else {}
    policy = changed(policy, "promotion", session_ends_after=draw(spans), **moved)
    policy = changed(policy, "tiers", episodic=draw(lifespans), procedural=draw(lifespans))
    policy = changed(policy, "sweep", rest=draw(spans), cron=draw(st.sampled_from(["0 4 * * *", "*/5 1-3 * * MON"])))
    policy = changed(policy, "compaction", depth_max=draw(st.integers(0, 9)), similarity=draw(shares))
    name = draw(st.sampled_from(sorted(CURVES)))
    slowdown = draw(st.floats(0.01, 1000))
    parameters = {"exponent": draw(st.floats(0.1, 3))} if name in ("power", "stretched") else {}
    return dataclasses.replace(policy, curve=CurveChoice(name, slowdown, MappingProxyType(parameters)))


def read_again(text: str, folder: Path) -> Policy:
    path = folder / "written.toml"
    path.write_text(text, encoding="utf-8", newline="")
    return load(path)


@examples(40)
@given(policy=policies())
def test_a_policy_written_down_is_read_as_the_same(policy: Policy, tmp_path: Path) -> None:
    """Whatever stands in it."""
    try:
        load(policy)
    except InvalidPolicy:
        assume(False)
    assert read_again(dump(policy), tmp_path) == policy


@pytest.mark.parametrize("name", presets())
def test_every_preset_survives_being_written_down(name: str, tmp_path: Path) -> None:
    """Twice over: what is written of what was read is what was written."""
    policy = load(name)
    assert read_again(dump(policy), tmp_path) == policy
    assert dump(read_again(dump(policy), tmp_path)) == dump(policy)


def test_the_table_is_what_the_text_says() -> None:
    """One shape, as JSON and as TOML."""
    assert tomllib.loads(dump(DEFAULT)) == table(DEFAULT)


def test_a_time_to_live_that_was_taken_away_stays_away(tmp_path: Path) -> None:
    """The file extends the default, which has one; so "never" is written."""
    settings = dataclasses.replace(DEFAULT.categories["tool_output"], ttl=None)
    policy = dataclasses.replace(DEFAULT, categories={**DEFAULT.categories, "tool_output": settings})
    assert read_again(dump(policy), tmp_path).categories["tool_output"].ttl is None


def test_a_policy_differs_from_itself_in_nothing() -> None:
    """And from another in exactly what was changed, in the order of the file."""
    assert differences(DEFAULT, DEFAULT) == []
    other = changed(changed(DEFAULT, "ladder", detach=0.2), "protection", scopes=(Scope("/user"), Scope("/home")))
    assert differences(DEFAULT, other) == [
        Difference("ladder.detach", 0.15, 0.2),
        Difference("protection.scopes", ["/user"], ["/user", "/home"]),
    ]


def test_a_setting_that_only_one_has_is_a_difference() -> None:
    """A category of one's own, setting by setting."""
    other = dataclasses.replace(DEFAULT, categories={**DEFAULT.categories, "recipe": Category(0.02, 0.8)})
    told = {difference.field: (difference.one, difference.other) for difference in differences(DEFAULT, other)}
    assert told["categories.recipe.decay_per_day"] == (None, 0.02)
    assert told["categories.recipe.ttl"] == (None, "never")


@each_row("name", presets())
def test_the_days_that_are_told_are_the_days_it_takes(name: str) -> None:
    """Kept on the day before, below on the day itself: the curve is asked, nothing is reckoned beside it."""
    policy = load(name)
    curve = policy.curve_of(policy.defaults.category, policy.defaults.tier)
    weight = policy.categories[policy.defaults.category].weight
    fresh = Trace(importance=policy.defaults.importance, weight=weight)
    told = re.findall(r"after ([\d,]+) days? \(below ([\d.]+)\)", in_words(policy)[0])
    assert told or "never" in in_words(policy)[0]
    for days_text, threshold in told:
        days = int(days_text.replace(",", ""))
        assert curve.strength(fresh.later(days)) < float(threshold)
        if timedelta(days=days) > policy.time.grace:
            assert curve.strength(fresh.later(days - 1)) >= float(threshold)


def test_what_never_happens_is_told_so() -> None:
    """A plain fact that is protected; a curve that stays above a rung."""
    protected = changed(DEFAULT, "protection", categories=("fact",))
    assert in_words(protected)[0] == "A memory of category fact and importance 0.5 that nobody asks for never fades."
    still = dataclasses.replace(DEFAULT, categories={**DEFAULT.categories, "fact": Category(0.0, 0.7)})
    assert "archived never (below 0.05)" in in_words(still)[0]


def test_a_policy_without_summaries_does_not_tell_of_any() -> None:
    """Where none are made, a memory is only detached and archived."""
    assert "summarized after 8 days (below 0.3)" in in_words(DEFAULT)[0]
    assert "summarized" not in in_words(changed(DEFAULT, "compaction", depth_max=0))[0]


def test_no_day_is_told_that_the_grace_period_forbids() -> None:
    """At the published rates a plain fact is below the first rung on its sixth day, and is left alone on it."""
    published = changed(DEFAULT, "curve", slowdown=1.0)
    assert "summarized after 7 days (below 0.3), detached after 13 days (below 0.15)" in in_words(published)[0]


def test_schedules_are_told() -> None:
    """What is archived or summarized at an age, the youngest first."""
    days = [timedelta(days=number) for number in (90, 7, 30)]
    kinds = {
        "fact": Category(0.16, 0.7, archive_after=days[0]),
        "log": Category(0.3, 0.3, archive_after=days[1]),
        "finding": Category(0.1, 0.7, compact_after=days[2]),
    }
    assert in_words(dataclasses.replace(changed(DEFAULT, "protection", categories=()), categories=kinds))[4:] == [
        "Archived at an age, whatever its strength: log after 7 days, fact after 90 days.",
        "Summarized with its topic at an age, whatever its strength: finding after 30 days.",
        LASTING,
    ]


def test_the_clock_the_protected_and_the_times_to_live_are_told() -> None:
    """One sentence each."""
    kinds = {"fact": Category(0.16, 0.7), "note": Category(0.1, 0.5, ttl=timedelta(hours=36))}
    policy = dataclasses.replace(DEFAULT, categories={**kinds, "log": Category(0.3, 0.3, ttl=timedelta(days=1))})
    policy = changed(policy, "time", clock="activity", grace=timedelta(weeks=1), restored_grace=timedelta(days=30))
    policy = changed(policy, "protection", categories=("note",), scopes=(Scope("/user"),), auto_pin=(re.compile("x"),))
    protected, unread = "Never fades: note, what lies under /user, what is pinned", "where nobody says its harm"
    assert in_words(policy)[1:] == [
        "Days are days of use: a holiday ages nothing.",
        "Fading leaves a new memory alone for 7 days, and one that was restored for 30 days.",
        (
            f"{protected}; what has harm 3 is pinned; a text that matches a pattern (1 of them), {unread}, is pinned."
            " What has harm 2 leaves recall only after review."
        ),
        "Archived when its time is over, whatever its strength: log after 1 day, note after 36h.",
        LASTING,
    ]
    assert in_words(changed(policy, "lifetimes", by="category"))[-1].startswith("Archived when its time is over")
    alone = changed(policy, "protection", harm=None)
    asks = " What has harm 2 leaves recall only after review."
    assert in_words(alone)[3] == f"{protected}; a text that matches a pattern (1 of them) is pinned.{asks}"
    assert in_words(changed(policy, "time", clock="wall"))[1] == "Days are days of the calendar."
