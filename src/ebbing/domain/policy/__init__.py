"""Every number Ebbing acts on, as one frozen value.

The types and bounds stand here, the numbers and their reasons in `presets/*.toml`, so no
number is written twice. `loader.py` reads and layers the files.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Annotated, Any, Literal

from ..curves import CURVES, Curve, HalfLife
from ..errors import Invalid, shown
from ..memory import COUNT_MAX, HARM_MAX, Lifetime, Scope, Tier
from .bounds import Amount, Between, Count, Share
from .judge_rules import Judging, Lifetimes, Orders

_ANY_DAY = datetime(2026, 1, 1, tzinfo=UTC)  # to read a cron expression from


CORE_BLOCKS = ("identity", "critical", "human", "persona", "scratchpad")  # in the order they stand in the context

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
    past_after: timedelta = timedelta()
    age_before_use: Share = 1.0  # of the days before the owner's first day of use, by the activity clock


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
    harm: Annotated[int, Between(1, HARM_MAX)] | None  # what costs so much to lose is pinned; None: by `auto_pin` alone
    harm_certainty: Share
    review_harm: (
        Annotated[int, Between(1, HARM_MAX)] | None
    )  # what costs so much to lose never leaves unasked; None: may
    review_from: Lifetime
    auto_pin: tuple[re.Pattern[str], ...]
    denials: tuple[
        re.Pattern[str], ...
    ]  # where one of these stands before what a pattern of `auto_pin` finds, it denies it


@dataclass(frozen=True, slots=True)
class Recall:
    lexical_weight: Share
    semantic_weight: Share
    averaged_weight: Share
    neighbour_before: Share
    neighbour_after: Share
    neighbour_farther: Share
    named_first: Share
    asking: Share
    dated: Share
    dated_days_after: Annotated[float, Between(0)]
    min_score: Share
    min_score_unjudged: Share
    judged_max: Count
    judged_tokens_max: Count
    strength_share: Share
    reranked_share: Share
    reranked_max: Count
    retold_words: Count
    retold_similarity: Share
    past_share: Share
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
class Gate:
    redact_secrets: bool
    quarantine_instructions: bool


@dataclass(frozen=True, slots=True)
class Trust:
    unknown: Share
    lifetime: timedelta | None  # of what is trusted less than `reinforcement.trust_floor`
    sources: Mapping[str, Share]

    def of(self, kind: str) -> float:
        """What a source of this kind is worth."""
        return self.sources.get(kind, self.unknown)


@dataclass(frozen=True, slots=True)
class Match:
    merge_similarity: Share
    merge_on_write: bool
    find_contradictions: bool


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
    human: Count
    persona: Count
    scratchpad: Count
    historical: Count | None
    blocks: Mapping[str, Count] = field(default_factory=lambda: MappingProxyType({}))
    scopes: Mapping[str, Budget | None] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def fingerprint(self) -> str:
        """Equal for budgets that find the same scopes too full."""
        return _digest((self.historical, sorted(self.scopes.items())))

    @property
    def core(self) -> dict[str, int]:
        """How many tokens each core block may have, by its label."""
        return {**{label: getattr(self, label) for label in CORE_BLOCKS}, **self.blocks}

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
    lifetime: Lifetime | None = None  # of what nobody gave one; None: it fades by the rate of the category


@dataclass(frozen=True)
class Policy:
    """One whole policy; made by `loader.load`, which reports every fault at once.

    `ebbing.open(policy=…)` takes one of these, the name of a preset or the path of a file. Each field is a table of
    such a file; `ebbing policy show` prints every number with its reason.
    """

    name: str
    time: Time
    curve: CurveChoice
    ladder: Ladder
    protection: Protection
    recall: Recall
    reinforcement: Reinforcement
    gate: Gate
    trust: Trust
    match: Match
    judge: Judging
    lifetimes: Lifetimes
    orders: Orders
    limits: Limits
    defaults: Defaults
    sweep: Sweeping
    compaction: Compaction
    working: Working
    tiers: Tiers
    promotion: Promotion
    budgets: Budgets
    categories: Mapping[str, Category]

    def __repr__(self) -> str:
        return f"<Policy {self.name} {self.fingerprint}>"

    @functools.cached_property
    def words_alone(self) -> Policy:
        """The same policy where there is no vector to ask: words then decide alone, on the whole scale."""
        return self._weighing(0.0)

    @functools.cached_property
    def averaging(self) -> Policy:
        """The same policy for an embedder that reads words and no sentences."""
        return self._weighing(self.recall.averaged_weight)

    def _weighing(self, semantic: float) -> Policy:
        rules = dataclasses.replace(self.recall, lexical_weight=1.0 - semantic, semantic_weight=semantic)
        return dataclasses.replace(self, recall=rules)

    @functools.cached_property
    def fingerprint(self) -> str:
        """Equal for policies that let memories fade alike; alarms set by one serve the other."""
        parts = (self.time, self.curve, self.ladder, self.protection.scopes, self.protection.categories)
        held = (self.protection.review_harm, self.protection.review_from, self.reinforcement.trust_floor)
        lasting = (self.lifetimes.by, self.lifetimes.harm_shield, sorted(self.lifetimes.decay_per_day.items()))
        kinds = (self.working, self.tiers, self.promotion, self.compaction.depth_max)
        return _digest((*parts, *held, *lasting, *kinds, sorted(self.categories.items()), self.defaults.category))

    def category(self, name: str) -> Category:
        """The settings of a category, or `Invalid` with the ones there are."""
        try:
            return self.categories[name]
        except (KeyError, TypeError):
            known = ", ".join(sorted(self.categories))
            raise Invalid(f"category {shown(name)} is not one of this policy's; it has {known}") from None

    def curve_of(self, category: str, tier: Tier, lifetime: Lifetime | None = None, harm: int = 0) -> Curve:
        """The curve that memories of this kind follow: by their lifetime where it is known and the policy goes by it,
        else by their category. A category that the policy no longer names follows the default's."""
        known = category if category in self.categories else self.defaults.category
        if lifetime is None or not self.goes_by_lifetime or tier in (Tier.WORKING, Tier.CORE):
            return self.curves[known, tier]
        if self.categories[known].decay_per_day == 0:
            return self.curves[known, tier]  # told never to fade
        return self.lasting_curves[lifetime, min(harm, HARM_MAX), tier]

    @property
    def goes_by_lifetime(self) -> bool:
        """Whether how long a memory stays true decides how it fades; other curves have no rate to follow."""
        return self.lifetimes.by == "lifetime" and self.curve.name == "ebbinghaus"

    @functools.cached_property
    def lasting_curves(self) -> dict[tuple[Lifetime, int, Tier], Curve]:
        """By lifetime, harm and tier. Each degree of harm takes the same share of the rate away."""
        rules = self.lifetimes
        return {
            (lifetime, harm, tier): self.build(
                Category(rules.decay_per_day[lifetime] * (1 - rules.harm_shield * harm), weight=0.0), tier
            )
            for lifetime in Lifetime
            for harm in range(HARM_MAX + 1)
            for tier in Tier
        }

    @functools.cached_property
    def curves(self) -> dict[tuple[str, Tier], Curve]:
        return {(name, tier): self.build(settings, tier) for name, settings in self.categories.items() for tier in Tier}

    def build(self, category: Category, tier: Tier) -> Curve:
        if tier is Tier.WORKING:
            return HalfLife(half_life_days=self.working.half_life_hours / 24)
        # What is core is pinned, and ages along no curve.
        lifespan: Lifespan = getattr(self.tiers, (Tier.PROCEDURAL if tier is Tier.CORE else tier).value)
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
        rules = self.protection
        if pinned or category in rules.categories:
            return True
        return any(protected.contains(scope) for protected in rules.scopes) if rules.scopes else False


def _digest(values: tuple[object, ...]) -> str:
    """Equal for values that are written alike, in every process."""
    return hashlib.blake2b(repr(values).encode(), digest_size=12).hexdigest()
