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
from datetime import timedelta
from types import MappingProxyType
from typing import Annotated, Any, Literal

from .errors import Invalid
from .model import COUNT_MAX, Scope, Tier
from .strength import CURVES, Curve, HalfLife, Trace


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


@dataclass(frozen=True, slots=True)
class Sweeping:
    batch: Count
    soft_limit: Count
    cron: str
    lease: timedelta


@dataclass(frozen=True, slots=True)
class Compaction:
    depth_max: Count
    group_min: Annotated[int, Between(2, COUNT_MAX)]


@dataclass(frozen=True, slots=True)
class Working:
    capacity: Count
    half_life_hours: Annotated[float, Between(0.01)]


@dataclass(frozen=True, slots=True)
class Budgets:
    identity: Count
    critical: Count
    active_project: Count
    historical: Count


@dataclass(frozen=True, slots=True)
class Category:
    decay_per_day: Amount
    weight: Share
    ttl: timedelta | None = None
    compact_after: timedelta | None = None


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
        said = repr((*parts, self.working, sorted(self.categories.items()), self.defaults.category))
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
        parameters: dict[str, Any] = dict(self.curve.parameters)
        kind = CURVES[self.curve.name]
        slowdown = self.curve.slowdown
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
            ({"defaults", "protection", "categories"}, self._category_faults),
            ({"curve", "categories", "working"}, self._curve_faults),
            ({"curve", "categories", "working", "ladder", "protection", "defaults"}, self._unreachable),
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
        unknown = [name for name in self.curve.parameters if name not in known]
        for name in unknown:
            here = f"the {self.curve.name} curve has {', '.join(known)}"
            yield f"curve.parameters.{name}", f"there is no such parameter; {here}"
        if not unknown:
            try:
                _ = self._curves
            except ValueError as error:
                yield "curve.parameters", f"the {self.curve.name} curve cannot be built: {error}"

    def _unreachable(self) -> Iterator[tuple[str, str]]:
        """Rungs that no fading memory can ever fall below: a ladder that looks like one and is not."""
        fading = [name for name in self.categories if name not in self.protection.categories]
        if not fading or any(self._curve_faults()):
            return
        curves = self._curves
        importance = self.defaults.importance
        lowest = min(
            float(curves[name, Tier.SEMANTIC].lowest(Trace(importance=importance, weight=self.categories[name].weight)))
            for name in fading
        )
        for rung in dataclasses.fields(self.ladder):
            threshold = getattr(self.ladder, rung.name)
            if lowest >= threshold:
                reached = f"the {self.curve.name} curve never falls below {lowest:g}"
                yield f"ladder.{rung.name}", f"{rung.name} at {threshold:g} can never be reached: {reached}"
