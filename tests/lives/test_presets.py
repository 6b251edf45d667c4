"""The policies that ship: each does what its system published, by the published formula, and forgets in the end."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from math import exp, inf, log, log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ebbing
from ebbing import Memory, Scope, Status, Tier
from ebbing.domain.clock import Moment, calendar_day
from ebbing.domain.events import EventKind
from ebbing.domain.policy.checks import faults_of
from ebbing.domain.policy.loader import load, presets
from ebbing.domain.results import Step
from ebbing.domain.retention import strength_of
from ebbing.engine import Engine
from ebbing.forget.clustering import topics
from ebbing.forget.ladder import decide
from ebbing.strength import Trace
from ebbing.testing import FakeEmbedder, FrozenClock, in_memory
from tests.tables import each_row

NAMES = ["default", "fademem", "fast", "graduated", "hermes", "memstate", "vitamem", "yourmemory"]
PUBLISHED = [name for name in NAMES if name not in ("default", "fast")]  # those of other projects
GUIDE = Path(__file__).resolve().parents[2] / "docs" / "policies.md"
START = datetime(2026, 1, 1, 9, tzinfo=UTC)
DAY = timedelta(days=1)
HOUR = 1 / 24

# Days until a plain fact (importance 0.5, never recalled) falls to a strength: each published formula solved by hand.
FALLS_IN: dict[str, Callable[[float], float]] = {
    "hermes": lambda strength: 30 * log2(0.5 / strength),
    "vitamem": lambda strength: 2 * 180 * (1 - strength),
    "memstate": lambda strength: 30 * log2(0.5 / strength),
    "fademem": lambda strength: (log(1 / strength) / (0.1 * exp(-0.5))) ** (1 / 1.2),
}


# Of one topic, and none of them the same.
SIMILAR = [
    "The checkout page loads in 4.1 seconds because the catalogue query has no index, as we have seen before.",
    "The checkout page loads in 3.9 seconds because the catalogue query has no index, as we have seen again.",
    "The checkout page loads in 3.7 seconds because the catalogue query has no index, as we have seen once more.",
]


def score(weight: float, days: float) -> float:
    """The relevance of a memory that nobody asked for."""
    return 0.3 / (1 + days / 30) + 0.2 / (1 + days / 7) + 0.2 * weight


@pytest.fixture
def clock() -> FrozenClock:
    """At the start."""
    return FrozenClock(START)


@pytest.fixture
def under(clock: FrozenClock) -> Iterator[Any]:
    """An engine under a policy, on the test's clock."""
    opened: list[Engine] = []

    def engine(policy: str) -> Engine:
        opened.append(in_memory(policy=policy, clock=clock))
        return opened[-1]

    yield engine
    for each in opened:
        each.close()


def told(engine: Engine, text: str = "The spare key is under the third pot", **given: Any) -> str:
    """The id of a plain fact."""
    return engine.remember(text, **{"category": "fact", "importance": 0.5, **given}).memories[0].id


def swept(engine: Engine, clock: FrozenClock, days: float, *ids: str) -> list[Status]:
    """Where memories stand so many days after the start."""
    clock.set(START + days * DAY)
    engine.sweep()
    return [engine.get(id_).status for id_ in ids]


def made(**given: Any) -> Memory:
    day = calendar_day(START)
    times = {"created_at": START, "created_day": day, "last_accessed_at": START, "used_day": day}
    return Memory(**{"id": "m1", "owner": "ada", "text": "The sea ebbs", **times, **given})


def after(days: float) -> Moment:
    return Moment(START + days * DAY, calendar_day(START) + int(days))


# What holds for each


def test_these_ship() -> None:
    """And no others."""
    assert presets() == NAMES


@each_row("name", NAMES)
def test_a_preset_has_no_faults(name: str) -> None:
    """Law 9, and all the others: no threshold that its curve never reaches, none upside down."""
    policy = load(name)
    assert policy.name == name
    assert list(faults_of(policy)) == []


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_preset_takes_nothing_that_was_chosen_for_the_default(name: str, under: Any) -> None:
    """Neither its slowdown nor its estimate: what nobody weighed is worth the same, whatever it says."""
    engine = under(name)
    assert (engine.policy.curve.slowdown, engine.policy.defaults.estimate_importance) == (1.0, False)
    for text in ("Ada moved to Porto on 3 May 2026", "Thanks a lot!"):
        assert engine.remember(text).memories[0].importance == engine.policy.defaults.importance == 0.5


@each_row("name", NAMES)
def test_a_plain_fact_falls_below_every_rung_in_finite_time(name: str) -> None:
    """In the tier and category that nobody chose."""
    policy = load(name)
    what = policy.defaults
    fresh = Trace(importance=what.importance, weight=policy.categories[what.category].weight)
    curve = policy.curve_of(what.category, what.tier)
    summarize, detach, archive = (curve.days_until(fresh, rung) for rung in dataclasses.astuple(policy.ladder))
    assert 0 < summarize < detach < archive < inf


@pytest.mark.parametrize("name", NAMES)
def test_an_engine_opens_under_a_preset_and_forgets_what_nobody_asks_for(
    name: str, clock: FrozenClock, tmp_path: Path
) -> None:
    """Every one of them lets go of a plain fact within a year of use, and tells why; a pin keeps it."""
    with ebbing.open(tmp_path / "memory.db", policy=name, clock=clock, embedder=FakeEmbedder(), judge="off") as engine:
        fact = told(engine, lifetime="weeks")
        pinned = told(engine, "The fuse box is behind the stairs", lifetime="weeks", pinned=True)
        assert engine.sweep().actions == []
        for _ in range(365):
            clock.advance(days=1)
            engine.recall("xylophone", session=str(clock.now()))  # a day of use
        engine.sweep()
        assert engine.get(fact).status is Status.ARCHIVED
        assert engine.get(pinned).status is Status.ACTIVE
        assert re.search(
            r"fell below 0\.\d+ \(archive\)|is kept active for 90 days", engine.history(fact)[-1].reason or ""
        )


@pytest.mark.parametrize("name", ["hermes", "vitamem", "memstate", "fademem"])
def test_a_fact_passes_each_rung_when_the_published_formula_says(name: str, under: Any, clock: FrozenClock) -> None:
    """An hour before it stands where it stood, an hour after it does not."""
    engine = under(name)
    fact = told(engine)
    ladder = engine.policy.ladder
    detached, archived = (FALLS_IN[name](rung) for rung in (ladder.detach, ladder.archive))
    assert swept(engine, clock, detached - HOUR, fact) == [Status.ACTIVE]
    assert swept(engine, clock, (detached + archived) / 2, fact) == [Status.DETACHED]
    assert swept(engine, clock, archived - HOUR / 4, fact) == [Status.DETACHED]
    assert swept(engine, clock, archived + HOUR, fact) == [Status.ARCHIVED]


@pytest.mark.parametrize(("name", "rung"), [("memstate", 0.3), ("fademem", 0.5)])
def test_a_topic_is_summarized_once_it_falls_below_the_first_rung(
    name: str, rung: float, under: Any, clock: FrozenClock
) -> None:
    """With the end of that day, and not before."""
    engine = under(name)
    notes = [told(engine, text) for text in SIMILAR]
    falls = FALLS_IN[name](rung)
    assert swept(engine, clock, falls - HOUR, *notes) == [Status.ACTIVE] * 3
    assert swept(engine, clock, falls + 1, *notes) == [Status.ARCHIVED] * 3
    [summary] = engine.list(categories=["summary"])
    assert set(summary.derived_from) == set(notes)


@pytest.mark.parametrize("name", ["yourmemory", "hermes", "vitamem"])
def test_a_system_without_summaries_makes_none(name: str, under: Any, clock: FrozenClock) -> None:
    """Notes of one topic fade each by itself, and asking for a summary makes none either."""
    engine = under(name)
    notes = [told(engine, f"The nightly build of the billing service failed again, run {run}") for run in range(4)]
    clock.advance(days=40)
    assert engine.compact(scope="/").memories == []
    for _ in range(330):
        clock.advance(days=1)
        engine.recall("xylophone", session=str(clock.now()))
        assert engine.sweep().summaries == []
    assert {engine.get(note).status for note in notes} == {Status.ARCHIVED}


@each_row("name", [name for name in PUBLISHED if name != "graduated"])
def test_only_the_schedule_has_times_to_live_and_budgets(name: str) -> None:
    """None of the published systems has either."""
    policy = load(name)
    spans = [(one.ttl, one.compact_after, one.archive_after) for one in policy.categories.values()]
    assert set(spans) == {(None, None, None)}
    assert policy.budgets.of("/project/api") == policy.budgets.of("/")
    assert policy.budgets.historical is None


@pytest.mark.parametrize("name", PUBLISHED)
def test_what_is_not_trusted_goes_as_the_published_curve_says_and_is_held_back_all_the_same(
    name: str, under: Any, clock: FrozenClock
) -> None:
    """No preset gives it a time to live that was not published; but nothing strengthens it either."""
    engine = under(name)
    doubtful = told(engine, source="web", importance=0.9, tier="semantic")
    assert engine.get(doubtful).expires_at is None
    engine.used(doubtful)
    assert engine.get(doubtful).recall_count == 0
    assert swept(engine, clock, 31, doubtful) == [Status.ACTIVE]


def test_a_time_to_live_stays_with_a_memory_whatever_policy_comes_later(clock: FrozenClock, tmp_path: Path) -> None:
    """As the guide says: given by one policy it is not taken away by the next, and not given by it either."""

    def open_under(policy: str) -> Engine:
        return ebbing.open(tmp_path / "memory.db", policy=policy, clock=clock, embedder=FakeEmbedder(), judge="off")

    with open_under("default") as engine:
        short = told(engine, "The pump hums at night", category="tool_output", importance=1.0)
    with open_under("hermes") as engine:
        long = told(engine, "The fuse box is behind the stairs", category="tool_output", importance=1.0)
        # Protected by both, and told to end all the same.
        ends = told(engine, scope="/user", expires_in="8d")
        assert swept(engine, clock, 7.5, short, long, ends) == [Status.ARCHIVED, Status.ACTIVE, Status.ACTIVE]
    with open_under("default") as engine:
        assert swept(engine, clock, 9, short, long, ends) == [Status.ARCHIVED, Status.ACTIVE, Status.ARCHIVED]


@each_row("name", [name for name in PUBLISHED if name != "fademem"])
def test_a_system_without_tiers_fades_alike_in_each(name: str) -> None:
    """But for working memory, which has a curve of its own."""
    policy = load(name)
    curves = {policy.curve_of("fact", tier) for tier in (Tier.EPISODIC, Tier.SEMANTIC, Tier.PROCEDURAL)}
    assert len(curves) == 1


@pytest.mark.parametrize("name", NAMES)
def test_only_some_pin_what_may_hurt_a_person(name: str, under: Any) -> None:
    """Those that have such rules; elsewhere a pin is set by hand."""
    engine = under(name)
    allergy = told(engine, "Ada is allergic to peanuts")
    assert engine.get(allergy).pinned is (name in ("default", "fast", "vitamem", "graduated"))


@each_row("name", PUBLISHED)
def test_a_preset_rests_on_no_number_that_the_default_may_change(name: str) -> None:
    """The default is tuned; what was published stays."""
    written = (Path(ebbing.__file__).parent / "domain" / "policy" / "presets" / f"{name}.toml").read_text("utf-8")
    for setting in ("clock", "slowdown", "summarize", "detach", "archive", "scopes", "categories"):
        assert re.search(rf"^{setting} = ", written, re.MULTILINE), setting
    lines = [line for line in written.splitlines() if line.startswith("#")]
    assert any(line.startswith("# Mended: ") for line in lines)


@each_row("name", NAMES)
def test_the_guide_says_what_a_preset_reproduces_and_what_it_mends(name: str) -> None:
    """A row of the table each, with no cell left empty."""
    [row] = re.findall(rf"^\| `{name}` \| (\S.*) \| (\S.*) \|$", GUIDE.read_text("utf-8"), re.MULTILINE)
    assert all(len(cell) > 10 for cell in row)


# YourMemory


@each_row(("category", "rate"), [("strategy", 0.10), ("fact", 0.16), ("assumption", 0.20), ("failure", 0.35)])
def test_yourmemory_fades_by_category_and_recalls(category: str, rate: float) -> None:
    """Golden: I · e^(−λ(1−0.8·I)·t) · (1 + 0.2·n), importance 0.5, ten days of use, two recalls."""
    memory = made(category=category, importance=0.5, recall_count=2)
    expected = 0.5 * exp(-rate * (1 - 0.8 * 0.5) * 10) * (1 + 0.2 * 2)
    assert strength_of(memory, after(10), load("yourmemory")) == pytest.approx(expected)


def test_yourmemory_counts_days_of_use(under: Any, clock: FrozenClock) -> None:
    """A plain fact has 0.0549 left after 23 of them and goes on the 24th, however long the holiday between."""
    assert 0.5 * exp(-0.096 * 23) > 0.05 > 0.5 * exp(-0.096 * 24)
    engine = under("yourmemory")
    fact = told(engine)
    for day in range(1, 25):
        clock.advance(days=1)
        engine.recall("xylophone", session=str(day))
        engine.sweep()
        assert engine.get(fact).status is (Status.ACTIVE if day < 24 else Status.ARCHIVED)
        if day == 12:
            clock.advance(days=100)
            assert engine.sweep().actions == []


def test_yourmemory_prunes_what_was_weak_from_the_start(under: Any, clock: FrozenClock) -> None:
    """It knows no grace: 0.1 is below 0.05 on the fifth day, and goes."""
    assert 0.1 * exp(-0.16 * 0.92 * 4) > 0.05 > 0.1 * exp(-0.16 * 0.92 * 5)
    engine = under("yourmemory")
    faint = told(engine, importance=0.1)
    for day in range(1, 6):
        clock.advance(days=1)
        engine.recall("xylophone", session=str(day))
        engine.sweep()
        assert engine.get(faint).status is (Status.ACTIVE if day < 5 else Status.ARCHIVED)


def test_yourmemory_merges_from_092_and_protects_nothing() -> None:
    """As published; a pin by hand still holds."""
    policy = load("yourmemory")
    assert policy.match.merge_similarity == 0.92
    assert not policy.protects("identity", Scope("/user"), False)
    assert policy.protects("fact", Scope("/"), True)


# hermes-agent


@each_row("days", [0, 15, 30, 60, 99])
def test_hermes_halves_every_30_days(days: int) -> None:
    """Golden: 0.5 · 0.5^(t/30), by the calendar, in every category."""
    for category in ("fact", "identity", "failure"):
        memory = made(category=category, importance=0.5)
        assert strength_of(memory, after(days), load("hermes")) == pytest.approx(0.5 * 0.5 ** (days / 30))


def test_hermes_sweeping_daily_does_not_compound(under: Any, clock: FrozenClock) -> None:
    """The formula applied each day to what the day before left would be at the threshold after about two weeks."""
    assert 0.5 * 0.5 ** sum(day / 30 for day in range(1, 15)) < 0.05
    engine = under("hermes")
    fact = told(engine)
    for day in range(1, 100):
        assert swept(engine, clock, day, fact) == [Status.ACTIVE]
    assert swept(engine, clock, 100, fact) == [Status.ARCHIVED]


def test_hermes_prunes_nothing_that_is_younger_than_30_days(under: Any, clock: FrozenClock) -> None:
    """However weak: 0.06 is below 0.05 after 8 days."""
    assert 0.06 * 0.5 ** (8 / 30) < 0.05
    engine = under("hermes")
    faint = told(engine, importance=0.06)
    assert swept(engine, clock, 30 - HOUR, faint) == [Status.ACTIVE]
    assert swept(engine, clock, 30, faint) == [Status.ARCHIVED]


def test_hermes_exempts_the_user(under: Any, clock: FrozenClock) -> None:
    """And what lies below; not what begins alike."""
    engine = under("hermes")
    ids = [told(engine, scope=scope) for scope in ("/user", "/user/ada", "/users")]
    assert swept(engine, clock, 1000, *ids) == [Status.ACTIVE, Status.ACTIVE, Status.ARCHIVED]


# Vitamem


@each_row(("days", "strength"), [(0, 1.0), (90, 0.75), (180, 0.5), (324, 0.1), (360, 0.1), (3600, 0.1)])
def test_vitamem_is_a_straight_line_to_a_floor(days: int, strength: float) -> None:
    """Golden: max(0.1, 1 − t/360), whatever the importance."""
    for importance in (0.0, 0.5, 1.0):
        memory = made(importance=importance)
        assert strength_of(memory, after(days), load("vitamem")) == pytest.approx(strength)


@each_row("recalls", [1, 3, 50])
def test_vitamem_is_raised_by_recalls(recalls: int) -> None:
    """Golden: by 0.1 · ln(1 + n), and by no more than 0.3."""
    memory = made(recall_count=recalls)
    boost = min(0.3, 0.1 * log(1 + recalls))
    assert strength_of(memory, after(180), load("vitamem")) == pytest.approx(0.5 + boost)
    assert strength_of(memory, after(3600), load("vitamem")) == pytest.approx(0.1 + boost)


def test_vitamem_archives_what_comes_to_the_floor_and_was_never_recalled(under: Any, clock: FrozenClock) -> None:
    """Which its own threshold, equal to the floor, never did; what was of use stands above it for good."""
    engine = under("vitamem")
    idle, of_use = told(engine), told(engine, "The fuse box is behind the stairs")
    engine.used(of_use)
    assert swept(engine, clock, 323, idle, of_use) == [Status.ACTIVE, Status.ACTIVE]
    assert swept(engine, clock, 324, idle, of_use) == [Status.ARCHIVED, Status.ACTIVE]
    assert swept(engine, clock, 4000, of_use) == [Status.ACTIVE]


def test_vitamem_pins_what_may_hurt_a_person(under: Any, clock: FrozenClock) -> None:
    """Its auto-pin rules; and it merges from 0.92."""
    engine = under("vitamem")
    assert engine.policy.match.merge_similarity == 0.92
    allergy = told(engine, "Ada is allergic to peanuts")
    assert engine.get(allergy).pinned
    assert swept(engine, clock, 4000, allergy) == [Status.ACTIVE]


# MemState


def test_memstate_lets_time_lower_salience(under: Any, clock: FrozenClock) -> None:
    """Golden: halved every 30 days; 0.5 is at 0.05 after 99.66 days. Being archived writes nothing back."""
    for days in (0, 30, 45, 90):
        memory = made(importance=0.5)
        assert strength_of(memory, after(days), load("memstate")) == pytest.approx(0.5 / 2 ** (days / 30))
    engine = under("memstate")
    fact = told(engine)
    assert swept(engine, clock, 99, fact) == [Status.DETACHED]
    assert swept(engine, clock, 100, fact) == [Status.ARCHIVED]
    assert engine.get(fact).importance == 0.5


def test_memstate_sweeps_at_500_memories_and_holds_the_writer_no_longer_than_others() -> None:
    """Its soft limit, and archived below 0.05; where its scans end is no size for a transaction."""
    policy = load("memstate")
    assert (policy.sweep.soft_limit, policy.ladder.archive) == (500, 0.05)
    assert policy.sweep.batch == load("default").sweep.batch


# FadeMem

LONG, SHORT = 0.8, 1.2


@each_row(("tier", "exponent"), [(Tier.SEMANTIC, LONG), (Tier.PROCEDURAL, LONG), (Tier.EPISODIC, SHORT)])
def test_fademem_has_two_layers(tier: Tier, exponent: float) -> None:
    """Golden: v · exp(−0.1 · e^(−I) · t^β) after ten days: 0.682 long-term, 0.382 short-term."""
    for importance in (0.0, 0.5, 1.0):
        for level in (0.6, 1.0):
            memory = made(importance=importance, tier=tier, level=level)
            expected = level * exp(-0.1 * exp(-importance) * 10**exponent)
            assert strength_of(memory, after(10), load("fademem")) == pytest.approx(expected)


class Layered:
    """A memory of importance 0.5 under `fademem`: used by the engine, and reckoned with by hand."""

    def __init__(self, engine: Engine, clock: FrozenClock) -> None:
        self.engine, self.clock = engine, clock
        self.id = told(engine)
        self.level, self.idle, self.uses = 1.0, 0.0, list[float]()

    def wait(self, days: float) -> None:
        """With a sweep each day, which writes no strength."""
        for _ in range(int(days)):
            self.clock.advance(days=1)
            self.engine.sweep()
        self.clock.advance(days=days - int(days))
        self.engine.sweep()
        self.idle += days

    @property
    def strength(self) -> float:
        exponent = SHORT if self.memory.tier is Tier.EPISODIC else LONG
        return self.level * exp(-0.1 * exp(-0.5) * self.idle**exponent)

    def use(self) -> None:
        now = (self.clock.now() - START) / DAY
        recent = sum(now - day <= 7 for day in self.uses)
        self.level = self.strength + 0.2 * (1 - self.strength) * exp(-recent / 10)
        self.idle = 0.0
        self.uses.append(now)
        self.engine.used(self.id)

    @property
    def memory(self) -> Memory:
        return self.engine.get(self.id)

    @property
    def tier(self) -> Tier:
        """Where the engine has it: as strong as the formula says, whoever asks."""
        explained = self.engine.explain(self.id)
        [found] = self.engine.recall(self.memory.text, reinforce=False)
        assert explained.strength == pytest.approx(found.strength) == pytest.approx(self.strength)
        assert explained.numbers["level"] == self.memory.level == pytest.approx(self.level)
        return self.memory.tier


@pytest.mark.parametrize(("tier", "days"), [(Tier.SEMANTIC, 11.25), (Tier.EPISODIC, 5.02)])
def test_fademem_has_the_published_half_lives(tier: Tier, days: float) -> None:
    """Of a memory without importance: (ln 2 / 0.1)^(1/β)."""
    curve = load("fademem").curve_of("fact", tier)
    assert curve.days_until(Trace(importance=0.0), 0.5) == pytest.approx(days, abs=0.005)


def test_fademem_moves_a_memory_at_07_and_03_and_leaves_it_in_between() -> None:
    """Hysteresis: neither a used one at 0.69 nor an idle one at 0.31 changes its layer."""
    policy = load("fademem")
    assert (policy.promotion.promote, policy.promotion.demote) == (0.7, 0.3)
    falls = (log(1 / 0.3) / (0.1 * exp(-0.5))) ** (1 / LONG)
    steps = []
    for days in (8, falls - HOUR, falls + HOUR):
        action = decide(made(tier=Tier.SEMANTIC, importance=0.5), after(days), policy, waiting=True)
        steps.append(action and action.step)
    assert steps == [None, None, Step.DEMOTE]


@pytest.mark.parametrize(("strength", "tier"), [(0.62, Tier.EPISODIC), (0.63, Tier.SEMANTIC)])
def test_fademem_promotes_what_a_use_has_raised_to_07(
    strength: float, tier: Tier, under: Any, clock: FrozenClock
) -> None:
    """A first use at 0.625 raises to 0.7. One at 0.62 does not, and the memory is short-term still."""
    one = Layered(under("fademem"), clock)
    one.wait(FALLS_IN["fademem"](strength))
    assert one.tier is Tier.EPISODIC
    assert one.strength == pytest.approx(strength)
    one.use()
    assert one.tier is tier


def test_fademem_keeps_a_memory_in_its_layer_between_07_and_03(under: Any, clock: FrozenClock) -> None:
    """One life, swept each day: up, a use in between, down, another use in between, and up again; by verbs alone."""
    one = Layered(under("fademem"), clock)
    one.wait(2)
    one.use()
    assert one.tier is Tier.SEMANTIC
    assert one.level > 0.7
    one.wait(30)
    one.use()
    assert one.tier is Tier.SEMANTIC
    assert 0.3 < one.level < 0.7, "a use that leaves it below 0.7 takes nothing away"
    one.wait(13)
    assert one.tier is Tier.SEMANTIC
    assert 0.3 < one.strength < 0.31
    one.use()
    one.wait(10.5)
    assert one.tier is Tier.EPISODIC, "faded below 0.3"
    assert 0.15 < one.strength < 0.3
    one.use()
    assert one.tier is Tier.EPISODIC
    assert 0.3 < one.level < 0.7, "and a use that raises it above 0.3 gives nothing back"
    for _ in range(8):
        one.wait(0.1)
        one.use()
        assert one.tier is (Tier.EPISODIC if one.level < 0.7 else Tier.SEMANTIC)
    assert one.tier is Tier.SEMANTIC
    kinds = [event.kind for event in one.engine.history(one.id)]
    assert (kinds.count(EventKind.PROMOTED), kinds.count(EventKind.DEMOTED)) == (2, 1)


def test_fademem_has_no_third_layer(under: Any, clock: FrozenClock) -> None:
    """However often it was of use, a memory can still be demoted."""
    engine = under("fademem")
    fact = told(engine)
    for day in range(30):
        clock.advance(days=1)
        engine.used(fact, session=str(day))
    assert engine.get(fact).tier is Tier.SEMANTIC
    assert engine.get(fact).recall_count == 30


def test_fademem_tells_beforehand_what_one_more_use_would_bring(under: Any, clock: FrozenClock) -> None:
    """The date is that of the memory after a use, as far as the use raises it."""
    engine = under("fademem")
    fact = told(engine)
    clock.advance(days=10)
    [use] = [lever for lever in engine.explain(fact).levers if "one more use" in lever]
    engine.used(fact)
    leaving = next(step for step in engine.explain(fact).forecasts if step.rung in ("detach", "archive"))
    assert leaving.at is not None
    assert f"leaves recall on {leaving.at:%Y-%m-%d} " in use


def test_fademem_makes_a_summary_no_stronger_than_its_strongest_original(under: Any, clock: FrozenClock) -> None:
    """One original was never used and began at the full level, another was used of late and stands lower."""
    engine = under("fademem")
    notes = [told(engine, text) for text in SIMILAR]
    clock.advance(days=8)
    engine.used(notes[0])
    clock.advance(days=5)
    strongest = max(engine.explain(note).strength for note in notes)
    engine.compact(scope="/")
    [summary] = engine.list(categories=["summary"])
    assert engine.explain(summary.id).strength == pytest.approx(strongest)


def test_fademem_lets_a_demoted_memory_go_with_the_short_term_ones(under: Any, clock: FrozenClock) -> None:
    """At 0.3 on the long curve it has 0.005 on the short one: there is nothing left to keep."""
    falls = (log(1 / 0.3) / (0.1 * exp(-0.5))) ** (1 / LONG)
    assert exp(-0.1 * exp(-0.5) * falls**SHORT) < 0.05
    engine = under("fademem")
    known = told(engine, tier="semantic")
    assert swept(engine, clock, falls - HOUR, known) == [Status.ACTIVE]
    assert engine.get(known).tier is Tier.SEMANTIC
    assert swept(engine, clock, falls + HOUR, known) == [Status.ARCHIVED]


def test_fademem_begins_in_the_short_term_and_a_use_moves_up(under: Any, clock: FrozenClock) -> None:
    """What nobody asks for is gone after a month; what was of use on the fifth day is not."""
    engine = under("fademem")
    idle, of_use = told(engine), told(engine, "The fuse box is behind the stairs")
    assert engine.get(idle).tier is Tier.EPISODIC
    clock.advance(days=5)
    engine.used(of_use)
    assert engine.get(of_use).tier is Tier.SEMANTIC
    assert swept(engine, clock, 26, idle, of_use) == [Status.ARCHIVED, Status.ACTIVE]


@pytest.mark.parametrize(("similarity", "fused"), [(0.74, 0), (0.76, 1)])
def test_fademem_fuses_neighbours_from_075(similarity: float, fused: int) -> None:
    """Two are enough."""
    pair = [
        made(id=id_, text=f"The billing service is slow on {day}", fingerprint="m")
        for id_, day in (("a", "Monday"), ("b", "Friday"))
    ]
    vectors = {"a": np.array([1.0, 0.0]), "b": np.array([similarity, (1 - similarity**2) ** 0.5])}
    assert len(list(topics(pair, vectors, load("fademem")))) == fused


# Graduated retention


def test_graduated_keeps_by_age_and_category(under: Any, clock: FrozenClock) -> None:
    """0–7 days everything; 7–30 raw outputs go; 30–90 findings are compacted; then only identity and decisions stay."""
    engine = under("graduated")
    kinds = ["tool_output", "fact", "preference", "decision", "active_decision", "identity"]
    ids = [told(engine, f"One plain thing to know, of the {kind} kind", category=kind) for kind in kinds]
    findings = [told(engine, text, category="finding") for text in SIMILAR]
    active, archived = Status.ACTIVE, Status.ARCHIVED
    assert swept(engine, clock, 6, *ids, *findings) == [active] * 9
    assert swept(engine, clock, 8, *ids, *findings) == [archived, *[active] * 8]
    assert swept(engine, clock, 31, *ids, *findings) == [archived, *[active] * 5, *[archived] * 3]
    [summary] = engine.list(categories=["summary"])
    assert set(summary.derived_from) == set(findings)
    assert swept(engine, clock, 89, *ids, summary.id) == [archived, *[active] * 6]
    assert swept(engine, clock, 91, *ids, summary.id) == [
        archived,
        archived,
        archived,
        active,
        active,
        active,
        archived,
    ]
    assert swept(engine, clock, 364, *ids[3:]) == [active] * 3
    assert swept(engine, clock, 366, *ids[3:]) == [archived, active, active]


def test_graduated_has_a_word_for_every_category() -> None:
    """What is not identity and no decision is active for 90 days at most, raw output for 7."""
    policy = load("graduated")
    spans = {name: one.archive_after for name, one in policy.categories.items() if "decision" not in name}
    assert spans.pop("identity") is None
    assert {spans.pop("tool_output"), spans.pop("session_state")} == {7 * DAY}
    assert set(spans.values()) == {90 * DAY}


@pytest.mark.parametrize(
    ("category", "days"), [("session_state", 1), ("tool_output", 7), ("project_status", 30), ("decision", 365)]
)
def test_graduated_has_the_times_to_live(category: str, days: int, under: Any, clock: FrozenClock) -> None:
    """The table, to the hour."""
    engine = under("graduated")
    one = told(engine, category=category)
    assert swept(engine, clock, days - HOUR, one) == [Status.ACTIVE]
    assert swept(engine, clock, days + HOUR, one) == [Status.ARCHIVED]


@each_row("days", [0, 7, 30, 77])
def test_graduated_scores_by_relevance(days: int) -> None:
    """Golden: 0.3/(1+a/30) + 0.3·min(n/10, 1) + 0.2/(1+t/7) + 0.2·weight."""
    memory = made(category="fact", recall_count=4)
    assert strength_of(memory, after(days), load("graduated")) == pytest.approx(score(0.7, days) + 0.3 * 4 / 10)


def test_graduated_archives_below_02(under: Any, clock: FrozenClock) -> None:
    """An observation, of weight 0.5, is there after 77 days; a fact, of 0.7, only after 146, and by then it is gone."""
    assert score(0.5, 77) > 0.2 > score(0.5, 78)
    assert score(0.7, 146) > 0.2 > score(0.7, 147)
    engine = under("graduated")
    seen, fact = told(engine, category="observation"), told(engine)
    assert swept(engine, clock, 77, seen, fact) == [Status.ACTIVE, Status.ACTIVE]
    assert swept(engine, clock, 78, seen, fact) == [Status.ARCHIVED, Status.ACTIVE]
    assert "fell below 0.2 " in (engine.history(seen)[-1].reason or "")
    assert swept(engine, clock, 90, fact) == [Status.ARCHIVED]
    assert engine.history(fact)[-1].reason == "a fact is kept active for 90 days"
