"""Who has something in the large file, what they say, and in which order it is written.

One owner is measured; it stands in the large file among many and in a small one by itself. What an owner says
depends on its seed alone, so both files hold the same memories of it. It says little at a time, between what
the others say, as owners do: written in one go, its rows would lie side by side, and be found too easily.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .corpus import Corpus, Language

SEED = 7
_SMALL = 1_000  # what each of the many has
_BIG_SHARE = 10  # one owner has a tenth of everything
_LITTLE = 10  # memories the measured owner writes at a time


@dataclass(frozen=True, slots=True)
class Owner:
    """Somebody with memories."""

    name: str
    count: int
    seed: int  # decides what is said
    at_once: int = _SMALL  # how much is written between what others write

    def corpus(self, language: Language) -> Corpus:
        """Everything the owner says, the same in every file and process."""
        return Corpus(self.count, owner=self.name, language=language.spoken([SEED, self.seed]))


class Part(NamedTuple):
    """Some of what an owner says, written together."""

    owner: Owner
    start: int
    stop: int


def speech() -> Language:
    """The language that all of them share; made once in a process, because it takes a second."""
    return Language(np.random.default_rng(SEED))


def measured(count: int) -> Owner:
    """The owner whose operations are timed."""
    return Owner("measured", count, seed=0, at_once=_LITTLE)


def owners(size: int, measured_count: int) -> list[Owner]:
    """Everybody in the large file: the measured one, one with a tenth of everything, and many small ones."""
    big = size // _BIG_SHARE
    rest = size - big - measured_count
    if rest < 0:
        raise ValueError(
            f"{size:,} memories cannot hold a big owner's {big:,} and the measured owner's {measured_count:,}"
        )
    small = [min(_SMALL, rest - start) for start in range(0, rest, _SMALL)]
    many = [Owner(f"owner-{number:05}", count, seed=2 + number) for number, count in enumerate(small)]
    return [measured(measured_count), Owner("big", big, seed=1), *many]


def shares(everybody: Sequence[Owner], writers: int) -> list[list[Owner]]:
    """The owners dealt out so that every writer has about as much to write."""
    dealt: list[list[Owner]] = [[] for _ in range(writers)]
    for owner in sorted(everybody, key=lambda one: -one.count):
        min(dealt, key=lambda share: sum(one.count for one in share)).append(owner)
    return [share for share in dealt if share]


def in_turn(share: Sequence[Owner]) -> Iterator[Part]:
    """The order of writing: whoever has much is heard from beginning to end, and the small ones one after the other."""
    # Sorted by when, as a share of the whole time, the middle of each part is said.
    parts: list[tuple[float, Part]] = []
    small = [owner for owner in share if owner.count <= owner.at_once]
    for place, owner in enumerate(small):
        parts.append(((place + 0.5) / len(small), Part(owner, 0, owner.count)))
    for owner in share:
        if owner.count > owner.at_once:
            for start in range(0, owner.count, owner.at_once):
                stop = min(start + owner.at_once, owner.count)
                parts.append(((start + stop) / 2 / owner.count, Part(owner, start, stop)))
    yield from (part for _, part in sorted(parts, key=lambda timed: timed[0]))
