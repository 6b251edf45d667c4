"""Every number Ebbing acts on, as one frozen value.

The types and bounds stand here, the numbers and their reasons in `presets/*.toml`, so no
number is written twice. `policy_file.py` reads and layers the files.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Annotated, Any, Literal

from cronsim import CronSim, CronSimError

from .errors import Invalid
from .model import COUNT_MAX, Scope, Tier
from .strength import CURVES, Curve, HalfLife, Trace

_ANY_DAY = datetime(2026, 1, 1, tzinfo=UTC)  # to read a cron expression from


@dataclass(frozen=True, slots=True)
class Between:
    """The bounds of a number, both included."""

    low: float
    high: float = float("inf")


Share = Annotated[float, Between(0, 1)]
Count = Annotated[int, Between(1, COUNT_MAX)]
Amount = Annotated[float, Between(0)]

# The parameters that are lengths of time, which a slowdown stretches; the other curves have a rate, which it divides.
_SCALES = {
    "half_life": ("half_life_days",),
    "linear": ("half_life_days",),
    "relevance": ("age_half_days", "idle_half_days"),
    "power": ("scale_days",),
}


@dataclass(frozen=True, slots=True)
class Time:
    clock: Literal["activity", "wall"]  # what decay counts; TTLs and the working tier always use the wall
    grace: timedelta
    restored_grace: timedelta


@dataclass(frozen=True, slots=True)
class CurveChoice:
    name: Literal["ebbinghaus", "half_life", "linear", "relevance", "stretched", "power"]
    slowdown: Annotated[float, Between(0.01, 1000)]
    # Of that curve, by its field names.
    parameters: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Ladder:
    summarize: Share
    detach: Share
    archive: Share


@dataclass(frozen=True, slots=True)
class Protection:
    scopes: tuple[Scope, ...]
    categories: tuple[str, ...]
    auto_pin: tuple[re.Pattern[str], ...]


@dataclass(frozen=True, slots=True)
class Recall:
    lexical_weight: Share
    semantic_weight: Share
    strength_share: Share
    recency_boost: Share
    recency_half_life_days: Annotated[float, Between(0.01)]
    lexical_matches_max: Count
    limit_max: Count


@dataclass(frozen=True, slots=True)
class Reinforcement:
    relevance_floor: Share
    relevance_share: Share
    window: timedelta
    trust_floor: Share


@dataclass(frozen=True, slots=True)
class Trust:
    unknown: Share
    sources: Mapping[str, Share]

    def of(self, kind: str) -> float:
        """What a source of this kind is worth."""
        return self.sources.get(kind, self.unknown)


@dataclass(frozen=True, slots=True)
class Match:
    merge_similarity: Share


@dataclass(frozen=True, slots=True)
class Limits:
    text_bytes: Count
    tags: Count
    metadata_bytes: Count
    query_forget: Count
    query_relevance: Share


@dataclass(frozen=True, slots=True)
class Defaults:
    category: str
    tier: Tier
    importance: Share
    estimate_importance: bool


@dataclass(frozen=True, slots=True)
class Sweeping:
    batch: Count
    soft_limit: Count
    rest: timedelta
    cron: str
    lease: timedelta


@dataclass(frozen=True, slots=True)
class Compaction:
    depth_max: Annotated[int, Between(0, COUNT_MAX)]  # 0: no summaries at all
    group_min: Annotated[int, Between(2, COUNT_MAX)]
    group_max: Annotated[int, Between(2, COUNT_MAX)]
    similarity: Share
    lookback: Count


@dataclass(frozen=True, slots=True)
class Working:
    capacity: Count
    half_life_hours: Annotated[float, Between(0.01)]


@dataclass(frozen=True, slots=True)
class Lifespan:
    slowdown: Annotated[float, Between(0.01, 1000)]
    # Of the curve, where this tier's differ.
    parameters: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Tiers:
    episodic: Lifespan
    semantic: Lifespan
    procedural: Lifespan


@dataclass(frozen=True, slots=True)
class Promotion:
    session_ends_after: timedelta
    session_importance: Share
    confirmed_recalls: Count
    confirmed_days: Count
    promote: Share | None = None
    demote: Share | None = None


@dataclass(frozen=True, slots=True)
class Budget:
    tier: Tier | None = None
    memories: Count | None = None
    tokens: Count | None = None


@dataclass(frozen=True, slots=True)
class Budgets:
    identity: Count
    critical: Count
    historical: Count | None
    scopes: Mapping[str, Budget | None] = field(default_factory=lambda: MappingProxyType({}))

    def of(self, scope: str) -> Budget:
        """What a scope may hold active: what was said of the nearest scope around it, else anything."""
        around = [known for known in self.scopes if Scope(known).contains(scope)]
        return (self.scopes[max(around, key=len)] if around else None) or Budget()


@dataclass(frozen=True, slots=True)
class Category:
    decay_per_day: Amount
    weight: Share
    ttl: timedelta | None = None
    compact_after: timedelta | None = None
    archive_after: timedelta | None = None


@dataclass(frozen=True)
class Policy:
    """One whole policy; made by `policy_file.load`, which reports every fault at once."""

    name: str
    time: Time
    curve: CurveChoice
    ladder: Ladder
    protection: Protection
    recall: Recall
    reinforcement: Reinforcement
    trust: Trust
    match: Match
    limits: Limits
    defaults: Defaults
    sweep: Sweeping
    compaction: Compaction
    working: Working
    tiers: Tiers
    promotion: Promotion
    budgets: Budgets
    categories: Mapping[str, Category]

    @functools.cached_property
    def words_alone(self) -> Policy:
        """The same policy where there is no vector to ask: words then decide alone, on the whole scale."""
        return dataclasses.replace(
            self, recall=dataclasses.replace(self.recall, lexical_weight=1.0, semantic_weight=0.0)
        )

    @functools.cached_property
    def fingerprint(self) -> str:
        """Equal for policies that let memories fade alike; alarms set by one serve the other."""
        parts = (self.time, self.curve, self.ladder, self.protection.scopes, self.protection.categories)
        kinds = (self.working, self.tiers, self.promotion, self.compaction.depth_max)
        said = repr((*parts, *kinds, sorted(self.categories.items()), self.defaults.category))
        return hashlib.blake2b(said.encode(), digest_size=12).hexdigest()

    def category(self, name: str) -> Category:
        """The settings of a category, or `Invalid` with the ones there are."""
        try:
            return self.categories[name]
        except (KeyError, TypeError):
            known = ", ".join(sorted(self.categories))
            raise Invalid(f"category {name!r} is not one of this policy's; it has {known}") from None

    def curve_of(self, category: str, tier: Tier) -> Curve:
        """The curve that memories of this kind follow. One that the policy no longer names follows the default's."""
        return self._curves[category if category in self.categories else self.defaults.category, tier]

    @functools.cached_property
    def _curves(self) -> dict[tuple[str, Tier], Curve]:
        return {
            (name, tier): self._build(settings, tier) for name, settings in self.categories.items() for tier in Tier
        }

    def _build(self, category: Category, tier: Tier) -> Curve:
        if tier is Tier.WORKING:
            return HalfLife(half_life_days=self.working.half_life_hours / 24)
        lifespan: Lifespan = getattr(self.tiers, tier.value)
        parameters: dict[str, Any] = {**self.curve.parameters, **lifespan.parameters}
        kind = CURVES[self.curve.name]
        slowdown = self.curve.slowdown * lifespan.slowdown
        if self.curve.name == "ebbinghaus":
            parameters["rate"] = category.decay_per_day / slowdown
        elif self.curve.name == "stretched":
            parameters["rate"] = parameters.get("rate", kind().rate) / slowdown
        else:
            for name in _SCALES[self.curve.name]:
                parameters[name] = parameters.get(name, getattr(kind(), name)) * slowdown
        curve: Curve = kind(**parameters)
        return curve

    def protects(self, category: str, scope: str, pinned: bool) -> bool:
        """Whether nothing may lower such a memory but its owner."""
        return (
            pinned or category in self.protection.categories or any(s.contains(scope) for s in self.protection.scopes)
        )

    def faults(self, unread: Collection[str] = ()) -> Iterator[tuple[str, str]]:
        """What each number allows and all of them together do not, as (where, what).

        `unread` names the tables that could not be read: nothing is said that rests on one of them.
        """
        for needed, check in (
            ({"ladder"}, self._ladder_faults),
            ({"recall"}, self._recall_faults),
            ({"promotion"}, self._promotion_faults),
            ({"sweep"}, self._sweep_faults),
            ({"compaction"}, self._compaction_faults),
            ({"budgets"}, self._budget_faults),
            ({"defaults", "protection", "categories"}, self._category_faults),
            ({"curve", "categories", "working", "tiers"}, self._curve_faults),
            ({"curve", "categories", "working", "tiers", "ladder", "protection", "defaults"}, self._unreachable),
        ):
            if not needed & set(unread):
                yield from check()

    def _ladder_faults(self) -> Iterator[tuple[str, str]]:
        ladder = self.ladder
        if not ladder.summarize > ladder.detach > ladder.archive:
            rungs = f"summarize {ladder.summarize:g} > detach {ladder.detach:g} > archive {ladder.archive:g}"
            yield "ladder", f"the rungs must go down, and {rungs} does not hold"

    def _recall_faults(self) -> Iterator[tuple[str, str]]:
        if self.recall.lexical_weight + self.recall.semantic_weight == 0:
            yield (
                "recall.lexical_weight",
                "lexical_weight and semantic_weight are both 0, so nothing could be found",
            )

    def _sweep_faults(self) -> Iterator[tuple[str, str]]:
        try:
            CronSim(self.sweep.cron, _ANY_DAY)
        except CronSimError as error:
            yield "sweep.cron", f"{self.sweep.cron!r} is no cron expression ({error}); write one such as '0 4 * * *'"

    def _compaction_faults(self) -> Iterator[tuple[str, str]]:
        least, most = self.compaction.group_min, self.compaction.group_max
        if most < least:
            yield "compaction", f"group_max {most} lies below group_min {least}: no topic could be both"

    def _promotion_faults(self) -> Iterator[tuple[str, str]]:
        promote, demote = self.promotion.promote, self.promotion.demote
        if (promote is None) != (demote is None):
            yield "promotion", "promote and demote belong together: give both, or neither"
        elif promote is not None and demote is not None and promote <= demote:
            yield "promotion", f"promote at {promote:g} must lie above demote at {demote:g}, or both would hold"

    def _budget_faults(self) -> Iterator[tuple[str, str]]:
        for scope, budget in self.budgets.scopes.items():
            try:
                normal = Scope(scope)
            except Invalid as error:
                yield f"budgets.scopes.{scope}", str(error)
                continue
            if normal != scope:
                yield f"budgets.scopes.{scope}", f"write the scope as {normal}"
            if budget is not None and budget.memories is None and budget.tokens is None:
                yield f"budgets.scopes.{scope}", "give memories or tokens: a budget without a number limits nothing"

    def _category_faults(self) -> Iterator[tuple[str, str]]:
        if self.defaults.category not in self.categories:
            yield "defaults.category", f"there is no category {self.defaults.category!r}"
        for name in self.protection.categories:
            if name not in self.categories:
                yield "protection.categories", f"there is no category {name!r}"

    def _curve_faults(self) -> Iterator[tuple[str, str]]:
        known = [entry.name for entry in dataclasses.fields(CURVES[self.curve.name])]
        if self.curve.name == "ebbinghaus":
            known.remove("rate")  # each category has its own, and one set here would be read by nobody
        tiers = {f"tiers.{entry.name}": Tier(entry.name) for entry in dataclasses.fields(Tiers)}
        given = {"curve": self.curve.parameters}
        given |= {place: getattr(self.tiers, tier.value).parameters for place, tier in tiers.items()}
        unknown = [(place, name) for place, named in given.items() for name in named if name not in known]
        for place, name in unknown:
            here = f"the {self.curve.name} curve has {', '.join(known)}"
            yield f"{place}.parameters.{name}", f"there is no such parameter; {here}"
        for place in () if unknown else given:
            try:
                if place == "curve":
                    CURVES[self.curve.name](**self.curve.parameters)
                else:
                    _ = [self._build(settings, tiers[place]) for settings in self.categories.values()]
            except ValueError as error:
                yield f"{place}.parameters", f"the {self.curve.name} curve cannot be built: {error}"
                if place == "curve":
                    return  # each tier would say it again

    def _unreachable(self) -> Iterator[tuple[str, str]]:
        """Rungs that no fading memory can ever fall below: a ladder that looks like one and is not."""
        fading = [name for name in self.categories if name not in self.protection.categories]
        if not fading or any(self._curve_faults()):
            return
        curves = self._curves
        importance = self.defaults.importance
        traces = {name: Trace(importance=importance, weight=self.categories[name].weight) for name in fading}
        lowest = max(
            min(float(curves[name, tier].lowest(trace)) for name, trace in traces.items())
            for tier in (Tier.SEMANTIC, self.defaults.tier)
        )
        for rung in dataclasses.fields(self.ladder):
            threshold = getattr(self.ladder, rung.name)
            if lowest >= threshold:
                reached = f"the {self.curve.name} curve never falls below {lowest:g}"
                yield f"ladder.{rung.name}", f"{rung.name} at {threshold:g} can never be reached: {reached}"
