"""What each number of a policy allows and all of them together do not: rungs that go up, a ladder nobody descends."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator
from datetime import UTC, datetime

from cronsim import CronSim, CronSimError

from ..curves import CURVES, Trace
from ..errors import Invalid
from ..judgement import KINDS
from ..memory import Lifetime, Scope, Tier
from . import Policy, Tiers

_ANY_DAY = datetime(2026, 1, 1, tzinfo=UTC)  # to read a cron expression from


def faults_of(policy: Policy, unread: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """What each number allows and all of them together do not, as (where, what).

    `unread` names the tables that could not be read: nothing is said that rests on one of them.
    """
    for needed, check in (
        ({"ladder"}, _ladder_faults),
        ({"recall"}, _recall_faults),
        ({"promotion"}, _promotion_faults),
        ({"sweep"}, _sweep_faults),
        ({"compaction"}, _compaction_faults),
        ({"budgets"}, _budget_faults),
        ({"defaults", "protection", "categories"}, _category_faults),
        ({"lifetimes"}, _lifetime_faults),
        ({"curve", "categories", "working", "tiers"}, _curve_faults),
        ({"curve", "categories", "working", "tiers", "ladder", "protection", "defaults"}, _unreachable),
    ):
        if not needed & set(unread):
            yield from check(policy)


def _ladder_faults(policy: Policy) -> Iterator[tuple[str, str]]:
    ladder = policy.ladder
    if not ladder.summarize > ladder.detach > ladder.archive:
        rungs = f"summarize {ladder.summarize:g} > detach {ladder.detach:g} > archive {ladder.archive:g}"
        yield "ladder", f"the rungs must go down, and {rungs} does not hold"


def _recall_faults(policy: Policy) -> Iterator[tuple[str, str]]:
    if policy.recall.lexical_weight + policy.recall.semantic_weight == 0:
        yield (
            "recall.lexical_weight",
            "lexical_weight and semantic_weight are both 0, so nothing could be found",
        )


def _sweep_faults(policy: Policy) -> Iterator[tuple[str, str]]:
    try:
        CronSim(policy.sweep.cron, _ANY_DAY)
    except CronSimError as error:
        yield "sweep.cron", f"{policy.sweep.cron!r} is no cron expression ({error}); write one such as '0 4 * * *'"


def _compaction_faults(policy: Policy) -> Iterator[tuple[str, str]]:
    least, most = policy.compaction.group_min, policy.compaction.group_max
    if most < least:
        yield "compaction", f"group_max {most} lies below group_min {least}: no topic could be both"


def _promotion_faults(policy: Policy) -> Iterator[tuple[str, str]]:
    promote, demote = policy.promotion.promote, policy.promotion.demote
    if (promote is None) != (demote is None):
        yield "promotion", "promote and demote belong together: give both, or neither"
    elif promote is not None and demote is not None and promote <= demote:
        yield "promotion", f"promote at {promote:g} must lie above demote at {demote:g}, or both would hold"


def _budget_faults(policy: Policy) -> Iterator[tuple[str, str]]:
    for scope, budget in policy.budgets.scopes.items():
        try:
            normal = Scope(scope)
        except Invalid as error:
            yield f"budgets.scopes.{scope}", str(error)
            continue
        if normal != scope:
            yield f"budgets.scopes.{scope}", f"write the scope as {normal}"
        if budget is not None and budget.memories is None and budget.tokens is None:
            yield f"budgets.scopes.{scope}", "give memories or tokens: a budget without a number limits nothing"


def _category_faults(policy: Policy) -> Iterator[tuple[str, str]]:
    if policy.defaults.category not in policy.categories:
        yield "defaults.category", f"there is no category {policy.defaults.category!r}"
    for name in policy.protection.categories:
        if name not in policy.categories:
            yield "protection.categories", f"there is no category {name!r}"


def _lifetime_faults(policy: Policy) -> Iterator[tuple[str, str]]:
    rules = policy.lifetimes
    for table in ("decay_per_day", "importance", "tiers"):
        given = getattr(rules, table)
        for name in given:
            if name not in list(Lifetime):
                yield f"lifetimes.{table}.{name}", f"there is no such lifetime; there are {', '.join(Lifetime)}"
        if missing := [lifetime.value for lifetime in Lifetime if lifetime not in given]:
            yield f"lifetimes.{table}", f"it says nothing of {', '.join(missing)}"
    if missing := [kind for kind in KINDS if kind not in rules.certainty]:
        yield "lifetimes.certainty", f"it says nothing of {', '.join(missing)}"
    for name in (name for name in (*rules.certainty, *rules.for_life, *rules.importance_kinds) if name not in KINDS):
        yield "lifetimes", f"{name!r} is no kind of text; there are {', '.join(KINDS)}"
    rates = [rules.decay_per_day.get(lifetime, 0.0) for lifetime in Lifetime]
    if sorted(rates, reverse=True) != rates:
        yield "lifetimes.decay_per_day", "what stays true for longer must not fade faster"


def _curve_faults(policy: Policy) -> Iterator[tuple[str, str]]:
    known = [entry.name for entry in dataclasses.fields(CURVES[policy.curve.name])]
    if policy.curve.name == "ebbinghaus":
        known.remove("rate")  # each category has its own, and one set here would be read by nobody
    tiers = {f"tiers.{entry.name}": Tier(entry.name) for entry in dataclasses.fields(Tiers)}
    given = {"curve": policy.curve.parameters}
    given |= {place: getattr(policy.tiers, tier.value).parameters for place, tier in tiers.items()}
    unknown = [(place, name) for place, named in given.items() for name in named if name not in known]
    for place, name in unknown:
        here = f"the {policy.curve.name} curve has {', '.join(known)}"
        yield f"{place}.parameters.{name}", f"there is no such parameter; {here}"
    for place in () if unknown else given:
        try:
            if place == "curve":
                CURVES[policy.curve.name](**policy.curve.parameters)
            else:
                _ = [policy.build(settings, tiers[place]) for settings in policy.categories.values()]
        except ValueError as error:
            yield f"{place}.parameters", f"the {policy.curve.name} curve cannot be built: {error}"
            if place == "curve":
                return  # each tier would say it again


def _unreachable(policy: Policy) -> Iterator[tuple[str, str]]:
    """Rungs that no fading memory can ever fall below: a ladder that looks like one and is not."""
    fading = [name for name in policy.categories if name not in policy.protection.categories]
    if not fading or any(_curve_faults(policy)):
        return
    curves = policy.curves
    importance = policy.defaults.importance
    traces = {name: Trace(importance=importance, weight=policy.categories[name].weight) for name in fading}
    lowest = max(
        min(float(curves[name, tier].lowest(trace)) for name, trace in traces.items())
        for tier in (Tier.SEMANTIC, policy.defaults.tier)
    )
    for rung in dataclasses.fields(policy.ladder):
        threshold = getattr(policy.ladder, rung.name)
        if lowest >= threshold:
            reached = f"the {policy.curve.name} curve never falls below {lowest:g}"
            yield f"ladder.{rung.name}", f"{rung.name} at {threshold:g} can never be reached: {reached}"
