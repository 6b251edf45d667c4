"""The default policy, number by number beside the spec; and what a policy does with its numbers."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from ebbing import Invalid, InvalidPolicy, Policy, Scope, Tier
from ebbing.domain.judgement import HARMS
from ebbing.domain.policy import Budget, Category, CurveChoice, Ladder, Lifespan, Promotion
from ebbing.domain.policy.checks import faults_of
from ebbing.domain.policy.loader import load
from ebbing.domain.retention import words_of_harm
from ebbing.strength import CURVES, Ebbinghaus, HalfLife, Linear, Power, Relevance, Stretched, Trace
from tests.tables import each_row, rows

DEFAULT = load()
# The rates as published, whatever factor the default policy slows them by.
PUBLISHED = dataclasses.replace(DEFAULT, curve=dataclasses.replace(DEFAULT.curve, slowdown=1.0))
DAY = timedelta(days=1)

# Every number that spec.md names, at its place in the policy.
SPEC: list[tuple[str, str, Any]] = [
    ("§3 the default curve", "curve.name", "ebbinghaus"),
    ("§2 rates are slowed by one factor, chosen on the benchmark curve of §6", "curve.slowdown", 1.5),
    ("§3 decay counts days of use", "time.clock", "activity"),
    ("§6 grace", "time.grace", 7 * DAY),
    ("§6 θ_summarize", "ladder.summarize", 0.30),
    ("§6 θ_detach", "ladder.detach", 0.15),
    ("§6 θ_archive", "ladder.archive", 0.05),
    ("§3 exempt scopes", "protection.scopes", (Scope("/user"),)),
    ("§2 never pruned, never archived", "protection.categories", ("identity", "active_decision")),
    ("§5 score = relevance · (0.6 + 0.4 · strength)", "recall.strength_share", 0.4),
    ("§4 near duplicates", "match.merge_similarity", 0.92),
    ("§6 budget of identity", "budgets.identity", 50),
    ("§6 budget of critical", "budgets.critical", 200),
    ("§6 budget of the active project", "budgets.scopes./project.tokens", 5_000),
    ("§6 budget of the historical", "budgets.historical", 50_000),
    ("§6 soft limit", "sweep.soft_limit", 500),
    ("§6 cron: daily", "sweep.cron", "0 4 * * *"),
    ("§6 compaction depth", "compaction.depth_max", 2),
    ("§2 semantic lives as long as the rates say", "tiers.semantic.slowdown", 1.0),
    ("§2 importance that is not given is estimated", "defaults.estimate_importance", True),
    ("§9 the importance of what nobody weighs", "defaults.importance", 0.5),
    ("§5 recall: both halves count", "recall.lexical_weight", 0.4),
    ("§5 recall: both halves count", "recall.semantic_weight", 0.6),
]

# Spec §2: decay rate per day, TTL in days, weight, days until it is compacted.
CATEGORIES: dict[str, tuple[float, float | None, float, float | None]] = {
    "identity": (0.0, None, 1.0, None),
    "active_decision": (0.0, None, 1.0, None),
    "decision": (0.05, 365, 1.0, None),
    "preference": (0.16, 730, 0.8, None),
    "strategy": (0.10, None, 0.8, None),
    "gotcha": (0.10, None, 0.9, None),
    "fact": (0.16, None, 0.7, None),
    "finding": (0.16, None, 0.7, 30),
    "assumption": (0.20, None, 0.5, None),
    "observation": (0.20, None, 0.5, None),
    "failure": (0.35, None, 0.6, None),
    "project_status": (0.16, 30, 0.5, None),
    "tool_output": (0.35, 7, 0.3, None),
    "session_state": (0.35, 1, 0.3, None),
    "summary": (0.10, None, 0.8, None),
}


def reached(policy: Policy, path: str) -> Any:
    value: Any = policy
    for name in path.split("."):
        value = value[name] if isinstance(value, Mapping) else getattr(value, name)
    return value


def days(span: timedelta | None) -> float | None:
    return None if span is None else span / DAY


@each_row(("why", "path", "value"), SPEC)
def test_the_default_policy_has_the_numbers_of_the_spec(why: str, path: str, value: Any) -> None:
    """One table, one line for each."""
    assert reached(DEFAULT, path) == value, why


@each_row(("name", "numbers"), CATEGORIES.items())
def test_a_category_has_the_numbers_of_the_spec(
    name: str, numbers: tuple[float, float | None, float, float | None]
) -> None:
    """Rate, TTL, weight and when it is compacted."""
    category = DEFAULT.category(name)
    assert (category.decay_per_day, days(category.ttl), category.weight, days(category.compact_after)) == numbers


def test_there_are_no_other_categories() -> None:
    """The fifteen of the spec."""
    assert list(DEFAULT.categories) == list(CATEGORIES)


def test_the_default_policy_says_something_about_everything() -> None:
    """It is the layer below all others: no setting may be missing from it, but for those that are off until said."""
    for section in dataclasses.fields(Policy):
        value = getattr(DEFAULT, section.name)
        assert value is not None
        if dataclasses.is_dataclass(value):
            for entry in dataclasses.fields(value):
                said = getattr(value, entry.name) is not None
                assert said or entry.default is None, f"{section.name}.{entry.name}"


def test_the_default_policy_has_no_faults() -> None:
    """Law 9: it works."""
    assert list(faults_of(DEFAULT)) == []


@each_row("rung", ["summarize", "detach", "archive"])
@each_row("name", [name for name in CATEGORIES if name not in DEFAULT.protection.categories])
def test_every_rung_is_reached_by_every_fading_category_within_a_year_of_use(rung: str, name: str) -> None:
    """With the importance that nobody chose."""
    curve = DEFAULT.curve_of(name, Tier.SEMANTIC)
    importance = DEFAULT.defaults.importance
    assert 0 < curve.days_until(Trace(importance=importance), getattr(DEFAULT.ladder, rung)) < 365


@each_row("name", [name for name in CATEGORIES if name not in DEFAULT.protection.categories])
def test_what_is_thought_worth_most_still_fades_in_the_end(name: str) -> None:
    """No reading makes a memory immortal: within a year of use it reaches the last rung, or its time to live ends."""
    most = min(max(DEFAULT.judge.importance.values()) + DEFAULT.judge.harm_weight * HARMS[-1], 1.0)
    faded = float(DEFAULT.curve_of(name, Tier.SEMANTIC).days_until(Trace(importance=most), DEFAULT.ladder.archive))
    ttl = days(DEFAULT.category(name).ttl)
    assert min(faded, faded if ttl is None else ttl) <= 365


def test_a_plain_fact_lives_as_long_as_the_formula_says() -> None:
    """Golden: ln(0.5/θ) / (0.16 · 0.6) for importance 0.5, never recalled; by default half as long again."""
    published, slowed = (policy.curve_of("fact", Tier.SEMANTIC) for policy in (PUBLISHED, DEFAULT))
    for threshold, days_kept in ((0.15, 12.5413833), (0.05, 23.9852614)):
        assert published.days_until(Trace(importance=0.5), threshold) == pytest.approx(days_kept)
        assert slowed.days_until(Trace(importance=0.5), threshold) == pytest.approx(1.5 * days_kept)


# What protects a person


@each_row(
    "text",
    [
        "Ada is allergic to peanuts",
        "Allergies: penicillin",
        "peanut ALLERGY",
        "went into anaphylactic shock once",
        "Her blood type is O negative",
        "blood group A",
        "Known drug interactions: none",
        "It interacts with her heart medication",
        "Dosage: 50 mg",
        "takes 0.5 ml twice a day",
        "20mg daily",
        "Emergency contact: Bob, 555-1234",
    ],
)
def test_what_may_hurt_a_person_when_forgotten_is_pinned(text: str) -> None:
    """The health set that ships."""
    assert any(rule.search(text) for rule in DEFAULT.protection.auto_pin)


@each_row(
    "text",
    [
        "The deploy key lives in the vault",
        "Energetic discussion about contact forms",
        "The image is 50 mb",
        "Service A interacts with service B",
        "a daily dose of humour",
        "metallergic is not a word",
    ],
)
def test_what_is_not_about_health_is_not_pinned(text: str) -> None:
    """A rule that pins everything forgets nothing."""
    assert not any(rule.search(text) for rule in DEFAULT.protection.auto_pin)


@each_row("text", ["1 mg " * 6000, "dose " * 6000, "interacts with " * 2000, "1" * 30_000, "1.1" * 10_000])
def test_no_text_keeps_the_rules_busy(text: str) -> None:
    """Each is run over everything that is remembered: thousands of near matches must cost next to nothing."""
    for rule in DEFAULT.protection.auto_pin:
        rule.search(text)


@each_row("text, says", rows("languages", "harm"))
def test_what_is_denied_is_not_pinned_in_any_language(text: str, says: bool) -> None:
    """ "I am not allergic to cats" is no danger; "never forget that I am allergic" is one."""
    assert words_of_harm(text, DEFAULT) is says


# What it does with its numbers


def test_an_unknown_category_is_told_which_there_are() -> None:
    """Sorted, to be found by eye."""
    with pytest.raises(
        Invalid, match="category 'facts' is not one of this policy's; it has active_decision, assumption"
    ):
        DEFAULT.category("facts")


def test_a_category_the_policy_no_longer_names_follows_the_default_one() -> None:
    """Memories outlive policies."""
    assert DEFAULT.curve_of("long gone", Tier.SEMANTIC) == DEFAULT.curve_of("fact", Tier.SEMANTIC)


@each_row(("tier", "slowdown"), [(Tier.EPISODIC, 0.5), (Tier.SEMANTIC, 1.0), (Tier.PROCEDURAL, 4.0)])
def test_a_category_has_its_rate(tier: Tier, slowdown: float) -> None:
    """On every tier but the working one; days to weeks, weeks to months, months and more."""
    for name, (rate, *_) in CATEGORIES.items():
        assert PUBLISHED.curve_of(name, tier) == Ebbinghaus(rate=rate / slowdown)


@each_row("tier", [Tier.EPISODIC, Tier.SEMANTIC, Tier.PROCEDURAL])
def test_the_default_policy_slows_every_published_rate_by_the_same_factor(tier: Tier) -> None:
    """One number, chosen on the curve; no category is slowed by more or by less than another."""
    lifespan = getattr(DEFAULT.tiers, tier.value).slowdown
    for name, (rate, *_) in CATEGORIES.items():
        assert DEFAULT.curve_of(name, tier) == Ebbinghaus(rate=rate / (1.5 * lifespan))


def test_the_working_tier_has_a_half_life_of_hours_under_any_policy() -> None:
    """Minutes to hours, whatever the category and the curve."""
    for policy in (DEFAULT, with_curve("power")):
        assert policy.curve_of("identity", Tier.WORKING) == HalfLife(half_life_days=2 / 24)


def with_curve(name: Any, slowdown: float = 1.0, **parameters: float) -> Policy:
    return dataclasses.replace(DEFAULT, curve=CurveChoice(name, slowdown, parameters))


@each_row(
    ("policy", "curve"),
    [
        (with_curve("ebbinghaus", 2.0), Ebbinghaus(rate=0.08)),
        (with_curve("ebbinghaus", recall_effect=0.5), Ebbinghaus(rate=0.16, recall_effect=0.5)),
        (with_curve("half_life"), HalfLife(30)),
        (with_curve("half_life", 2.0), HalfLife(60)),
        (with_curve("half_life", 2.0, half_life_days=10), HalfLife(20)),
        (with_curve("linear", 0.5, floor=0.0), Linear(90, floor=0.0)),
        (with_curve("relevance", 2.0), Relevance(age_half_days=60, idle_half_days=14)),
        (with_curve("stretched", 4.0), Stretched(rate=0.025)),
        (with_curve("stretched", exponent=1.2), Stretched(exponent=1.2)),
        (with_curve("power", 3.0), Power(scale_days=3)),
    ],
)
def test_a_slowdown_slows_every_curve(policy: Policy, curve: Any) -> None:
    """Rates are divided by it, lengths of time multiplied."""
    assert policy.curve_of("fact", Tier.SEMANTIC) == curve


@each_row("name", CURVES)
def test_twice_the_slowdown_forgets_later(name: str) -> None:
    """Whichever curve; none ignores it."""
    slow, quick = with_curve(name, 2.0), with_curve(name)
    trace = Trace(importance=0.5, idle_days=20, weight=0.5)
    faster = quick.curve_of("fact", Tier.SEMANTIC).strength(trace)
    assert slow.curve_of("fact", Tier.SEMANTIC).strength(trace) > faster


def test_a_tier_may_have_a_curve_of_its_own() -> None:
    """Its slowdown multiplies the curve's, its parameters replace them; the other tiers stay as they were."""
    fast = Lifespan(0.5, {"exponent": 1.2})
    policy = with_curve("stretched", 2.0, rate=0.3, exponent=0.7)
    policy = dataclasses.replace(policy, tiers=dataclasses.replace(policy.tiers, episodic=fast))
    assert policy.curve_of("fact", Tier.EPISODIC) == Stretched(rate=0.3, exponent=1.2)
    assert policy.curve_of("fact", Tier.SEMANTIC) == Stretched(rate=0.15, exponent=0.7)


@each_row(
    ("scope", "budget"),
    [
        ("/", Budget()),
        ("/home", Budget()),
        ("/logs", Budget(memories=200)),
        ("/logs/api", Budget(memories=200)),
        ("/logs/api/today", Budget(tokens=100, tier=Tier.EPISODIC)),
        ("/logs/api/today/noon", Budget(tokens=100, tier=Tier.EPISODIC)),
        ("/logs/old", Budget()),
        ("/logs/old/2019", Budget()),
        ("/logsheet", Budget()),
    ],
)
def test_a_scope_may_hold_what_the_nearest_one_around_it_says(scope: str, budget: Budget) -> None:
    """None says nothing for those below it; what begins alike is not around it."""
    scopes = {
        "/logs": Budget(memories=200),
        "/logs/api/today": Budget(tokens=100, tier=Tier.EPISODIC),
        "/logs/old": None,
    }
    assert dataclasses.replace(DEFAULT.budgets, scopes=scopes).of(scope) == budget


def changed(table: str, **entries: Any) -> Policy:
    return dataclasses.replace(DEFAULT, **{table: dataclasses.replace(getattr(DEFAULT, table), **entries)})


@each_row(
    "policy",
    [
        changed("time", clock="wall"),
        changed("ladder", detach=0.2),
        changed("curve", slowdown=2.0),
        changed("tiers", episodic=Lifespan(0.4)),
        changed("promotion", promote=0.7, demote=0.3),
        changed("compaction", depth_max=0),
        changed("protection", scopes=()),
        changed("working", half_life_hours=3.0),
        dataclasses.replace(DEFAULT, categories={**DEFAULT.categories, "fact": Category(0.16, 0.7, archive_after=DAY)}),
    ],
)
def test_policies_that_fade_otherwise_have_other_fingerprints(policy: Policy) -> None:
    """So that the alarms of the one are set anew for the other."""
    assert policy.fingerprint != DEFAULT.fingerprint


@each_row(
    "policy",
    [
        dataclasses.replace(DEFAULT, name="mine"),
        changed("recall", limit_max=7),
        changed("sweep", batch=7),
        changed("budgets", historical=None),
        changed("limits", tags=7),
    ],
)
def test_policies_that_fade_alike_have_the_same_fingerprint(policy: Policy) -> None:
    """And nothing is set anew for a number that no alarm rests on."""
    assert policy.fingerprint == DEFAULT.fingerprint


@each_row(
    ("category", "scope", "pinned", "protected"),
    [
        ("fact", "/", False, False),
        ("fact", "/", True, True),
        ("identity", "/", False, True),
        ("active_decision", "/project", False, True),
        ("decision", "/project", False, False),
        ("fact", "/user", False, True),
        ("fact", "/user/ada", False, True),
        ("fact", "/users", False, False),
        ("fact", "/project/user", False, False),
    ],
)
def test_what_is_pinned_or_exempt_is_protected(category: str, scope: str, pinned: bool, protected: bool) -> None:
    """By pin, by category, by scope; and by nothing that merely looks like one of them."""
    assert DEFAULT.protects(category, Scope(scope), pinned) is protected


def test_a_source_is_worth_what_its_kind_is_worth() -> None:
    """What a person said most, what a web page said least."""
    assert DEFAULT.trust.of("user") == 1.0
    assert DEFAULT.trust.of("user") > DEFAULT.trust.of("model") > DEFAULT.trust.of("tool") > DEFAULT.trust.of("web")
    assert DEFAULT.trust.of("never heard of") == DEFAULT.trust.unknown


def test_a_web_page_can_never_keep_itself_fresh() -> None:
    """Its trust lies below the floor of reinforcement."""
    for kind in ("web", "document"):
        assert DEFAULT.trust.of(kind) < DEFAULT.reinforcement.trust_floor


# Frozen


def test_a_policy_is_frozen_all_the_way_down() -> None:
    """One value, the same for everybody who holds it."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        DEFAULT.name = "mine"  # type: ignore[misc] # that it is an error is the point
    with pytest.raises(dataclasses.FrozenInstanceError):
        DEFAULT.ladder.archive = 0.5  # type: ignore[misc] # as above
    for table in (DEFAULT.categories, DEFAULT.trust.sources, DEFAULT.curve.parameters):
        with pytest.raises(TypeError):
            table["fact"] = 1  # type: ignore[index] # as above


def test_a_policy_put_together_by_hand_is_held_to_the_same_rules() -> None:
    """`dataclasses.replace` goes past the file; opening does not."""
    assert load(DEFAULT) is DEFAULT
    upside_down = dataclasses.replace(DEFAULT, ladder=Ladder(0.1, 0.2, 0.3))
    with pytest.raises(InvalidPolicy, match=r"policy default has 1 fault:\n  - ladder: the rungs must go down"):
        load(upside_down)


def test_what_the_tables_allow_and_together_do_not_is_a_fault_by_hand_as_well() -> None:
    """All of it, in the order of the tables."""
    policy = dataclasses.replace(
        DEFAULT,
        promotion=Promotion(DAY, 0.6, 8, 14, promote=0.3, demote=0.7),
        sweep=dataclasses.replace(DEFAULT.sweep, cron="whenever"),
        compaction=dataclasses.replace(DEFAULT.compaction, group_min=5, group_max=4),
        budgets=dataclasses.replace(
            DEFAULT.budgets, scopes={"/a/": Budget(tokens=1), "/b": Budget(tier=Tier.EPISODIC)}
        ),
        tiers=dataclasses.replace(DEFAULT.tiers, episodic=Lifespan(1.0, {"floor": 0.1})),
    )
    assert sorted(where for where, _ in faults_of(policy)) == [
        "budgets.scopes./a/",
        "budgets.scopes./b",
        "compaction",
        "promotion",
        "sweep.cron",
        "tiers.episodic.parameters.floor",
    ]


def test_a_policy_in_which_everything_is_protected_has_no_rung_to_reach() -> None:
    """To forget nothing is a choice one may make."""
    keep_all = dataclasses.replace(
        DEFAULT,
        categories={"identity": Category(0.0, 1.0), "active_decision": Category(0.0, 1.0)},
        defaults=dataclasses.replace(DEFAULT.defaults, category="identity"),
    )
    assert list(faults_of(keep_all)) == []
