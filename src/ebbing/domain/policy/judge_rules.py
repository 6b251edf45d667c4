"""What follows from what the judge reads: from which certainty on, and how memories fade by how long they stay true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Literal

from ..judgement import TextReading
from ..memory import HARM_MAX, Lifetime, Tier
from .bounds import Amount, Between, Count, Share


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """How memories fade by the time for which they stay true, where that is known."""

    by: Literal["lifetime", "category"]  # category: only the rate of the category counts
    certainty: Mapping[str, Share]  # by kind of text
    harm_shield: Annotated[float, Between(0, 1 / HARM_MAX)]
    for_life: tuple[str, ...]  # kinds of text (judgement.KINDS) that never fade once they last this long
    for_life_from: Lifetime
    decay_per_day: Mapping[str, Amount]
    importance: Mapping[str, Share]  # at the least, of what lasts so long …
    importance_kinds: tuple[str, ...]  # … and is of one of these kinds
    tiers: Mapping[str, Tier]

    def of(self, reading: TextReading) -> Lifetime:
        """How long a text is taken to stay true, by what the judge reads in it."""
        lifetime = Lifetime(reading.lasts(self.certainty[reading.kind]))
        lasting = reading.kind in self.for_life and lifetime.rank >= self.for_life_from.rank
        return Lifetime.LIFE if lasting else lifetime


@dataclass(frozen=True, slots=True)
class Orders:
    """Orders to forget that are said in a text."""

    obeyed: bool
    erase: bool  # where they ask for it in so many words
    certainty: Share
    most: Count
    read: Count
    answer_certainty: Share
    just_said: timedelta


@dataclass(frozen=True, slots=True)
class Judging:
    enabled: bool
    candidates_max: Count
    candidates_in_batch: Count
    update_certainty: Share
    further_certainty: Share
    value_certainty: Share
    speaker_certainty: Share
    conflict_certainty: Share
    same_certainty: Share
    related_certainty: Share
    injection_certainty: Share
    harm_weight: Share
    importance: Mapping[str, Share]
    category_certainty: Share
    identity_from: Lifetime
    categories: Mapping[str, str]

    def importance_of(self, reading: TextReading, otherwise: float) -> float:
        """The importance that follows from the kind of a text and from what it would cost to lose it."""
        return min(1.0, self.importance.get(reading.kind, otherwise) + self.harm_weight * reading.expected_harm)

    def category_of(self, reading: TextReading, otherwise: str) -> str:
        """The category that follows from the kind of a text, where the judge is sure of it."""
        category = self.categories.get(reading.kind, otherwise)
        if reading.kind_probability < self.category_certainty:
            return otherwise
        passing = Lifetime(reading.lifetime).rank < self.identity_from.rank
        return otherwise if category == "identity" and passing else category
