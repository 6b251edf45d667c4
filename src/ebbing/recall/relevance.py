"""How well memories fit a question, before anything is read of them: words, neighbours, nearness, names.

    lexical    the share of the question's information that a memory's words cover
    neighbours what the words of the turns around it add: an answer often leaves out what its question said
    semantic   how near it is, from what unrelated texts are (0) to the same (1)
    relevance  the weighted sum of words and nearness; more for what begins with a name in the question, and for what
               was told in a time that it names, which only reading tells: until then every row is taken to have been

Neighbours are told by the handles alone (ports/), so a search costs no look at rows it does not list. Besides the
rows with a word and the nearest ones, those without either are listed that stand beside the best of the words.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..domain.policy import Recall
from ..ports import REACH, Column, Search

Numbers = NDArray[np.float64]
_STEP = 2  # from the handle of a turn to that of the next
NOBODY = -1  # no handle


class Candidates(NamedTuple):
    """Rows in the order of their relevance, in parallel columns; and the most that any other row could have."""

    handles: Column
    relevance: Numbers
    lexical: Numbers
    neighbours: Numbers
    supporters: Column  # whose words `neighbours` comes from
    semantic: Numbers
    named: NDArray[np.bool_]
    beyond: float
    complete: bool  # there is no other row


class Fit:
    """One search, and by which rules its rows fit."""

    def __init__(self, search: Search, rules: Recall, unrelated: float, *, dated: bool) -> None:
        self.search = search
        self.rules = rules
        self.unrelated = unrelated
        self.dated = dated  # the question names a time
        self.words = search.lexical()
        before = {-step: rules.neighbour_before * rules.neighbour_farther ** (step - 1) for step in range(1, REACH + 1)}
        after = {step: rules.neighbour_after * rules.neighbour_farther ** (step - 1) for step in range(1, REACH + 1)}
        self._shares = {_STEP * steps: share for steps, share in (before | after).items() if share > 0}
        turns = np.flatnonzero(self._is_turn(self.words.handles)) if self._shares else np.empty(0, dtype=np.intp)
        self._turns = turns[np.argsort(-self.words.lexical[turns], kind="stable")]  # best first

    def candidates(self, wanted: int) -> Candidates:
        """All rows with a word, the `wanted` nearest, and those beside the best half as many."""
        words, nearest = self.words, self.search.semantic(wanted)
        near = ~_among(nearest.handles, words.handles)
        adjacent, spread = self._neighbours_of(wanted // 2, nearest.handles[near])
        handles = np.concatenate([words.handles, nearest.handles[near], adjacent])
        rest = np.zeros(len(handles) - len(words.handles))
        lexical = np.concatenate([words.lexical, rest])
        semantic = self._above_chance(
            np.concatenate([words.semantic, nearest.semantic[near], self.search.nearness(adjacent)])
            if len(adjacent)
            else np.concatenate([words.semantic, nearest.semantic[near]])
        )
        neighbours, supporters = self._support(handles)
        headed = self.search.headed
        named = _among(handles, headed)
        relevance = self.relevance(lexical, neighbours, semantic, named, self.dated)
        order = np.argsort(-relevance, kind="stable")
        exhausted = len(nearest.handles) < wanted
        return Candidates(
            handles=handles[order],
            relevance=relevance[order],
            lexical=lexical[order],
            neighbours=neighbours[order],
            supporters=supporters[order],
            semantic=semantic[order],
            named=named[order],
            beyond=self._beyond(0.0 if exhausted else float(nearest.semantic[-1]), spread),
            complete=exhausted and spread == len(self._turns),
        )

    def relevance(
        self,
        lexical: Numbers,
        neighbours: Numbers,
        semantic: Numbers,
        named: NDArray[np.bool_],
        dated: NDArray[np.bool_] | bool,
    ) -> Numbers:
        """0..1. No part of it ever makes it less."""
        rules = self.rules
        covered = np.minimum(lexical + neighbours, 1.0) if len(self._turns) else lexical
        fit = rules.lexical_weight * covered + rules.semantic_weight * semantic
        if len(self.search.headed) or self.dated:
            fit = fit * (1.0 + rules.named_first * named) * (1.0 + rules.dated * np.asarray(dated))
        return np.asarray(np.minimum(fit, 1.0))

    def around(self, handle: int) -> list[tuple[float, int]]:
        """What each neighbour of a row gives it, and who that is, the most first."""
        words = self.words
        given = []
        if self._is_turn(np.array([handle]))[0]:
            for step, share in self._shares.items():
                at = int(np.searchsorted(words.handles, handle + step))
                there = at < len(words.handles) and words.handles[at] == handle + step
                if there and handle + step >= self.search.first_turn:
                    given.append((share * float(words.lexical[at]), handle + step))
        return sorted(given, reverse=True)

    def _is_turn(self, handles: Column) -> NDArray[np.bool_]:
        return np.asarray((handles & 1).astype(bool) & (handles >= self.search.first_turn))

    def _support(self, handles: Column) -> tuple[Numbers, Column]:
        """The most that a neighbour gives each row, and who that is. The best one and not all of them: where several
        turns say the same it is no truer, and what one row can have from others stays bounded."""
        most = np.zeros(len(handles))
        who = np.full(len(handles), NOBODY, dtype=np.int64)
        words = self.words
        if not len(self._turns):
            return most, who
        rows = np.flatnonzero(self._is_turn(handles))
        for step, share in self._shares.items():
            wanted = handles[rows] + step
            at = np.minimum(np.searchsorted(words.handles, wanted), len(words.handles) - 1)
            there = (words.handles[at] == wanted) & (wanted >= self.search.first_turn)
            given = np.where(there, share * words.lexical[at], 0.0)
            more = given > most[rows]
            most[rows[more]], who[rows[more]] = given[more], wanted[more]
        return most, who

    def _neighbours_of(self, count: int, listed: Column) -> tuple[Column, int]:
        """The rows beside the `count` best turns that are listed nowhere else, and beside how many those are. That they
        stand at all comes out when they are read."""
        spread = min(count, len(self._turns))
        if not spread:
            return np.empty(0, dtype=np.int64), 0
        best = self.words.handles[self._turns[:spread]]
        neighbours = np.unique(np.concatenate([best + step for step in self._shares]))
        neighbours = neighbours[neighbours >= self.search.first_turn]
        return neighbours[~_among(neighbours, self.words.handles) & ~np.isin(neighbours, listed)], spread

    def _above_chance(self, cosines: Numbers) -> Numbers:
        if not self.unrelated:
            return cosines
        return np.asarray(np.maximum(cosines - self.unrelated, 0.0) / (1.0 - self.unrelated))

    def _beyond(self, farthest: float, spread: int) -> float:
        """The most a row in no list can have: it has no word, is farther than the farthest listed, and stands beside
        no turn that has more of the words than the best of those not spread from."""
        semantic = self.rules.semantic_weight * float(self._above_chance(np.array([farthest]))[0])
        left = self._turns[spread : spread + 1]
        words = float(self.words.lexical[left[0]]) * max(self._shares.values()) if len(left) else 0.0
        more = (1.0 + self.rules.named_first * bool(len(self.search.headed))) * (1.0 + self.rules.dated * self.dated)
        return min((self.rules.lexical_weight * min(words, 1.0) + semantic) * more, 1.0)


def _among(handles: Column, ascending: Column) -> NDArray[np.bool_]:
    """Which of the handles stand in a list in ascending order. numpy's own `isin` sorts both first."""
    if not len(ascending):
        return np.zeros(len(handles), dtype=bool)
    at = np.minimum(np.searchsorted(ascending, handles), len(ascending) - 1)
    return np.asarray(ascending[at] == handles)
