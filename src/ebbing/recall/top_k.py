"""The best few, exactly, by the score that relevance, strength and recency make (score.py, calibration.py).

Strength is known only for rows that have been read, and reading every row would cost what is
stored. But no row can score more than its relevance at full strength, used this moment. So rows are
read in the order of their relevance, a piece at a time, until the k-th best score in hand is
more than anything unread could still reach. That is exact, not a re-ordering of a list already cut.

What a row is worth before it is read can only be too much (relevance.py): a neighbour that gave it
something may turn out to be none that the caller may see, its text may ask instead of tell, and it
may be of another time than the one asked about. That comes out when it is read, and only ever takes
something away, so the bound holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..domain.clock import MICROS_A_DAY, Moment, micros
from ..domain.policy import Policy
from ..domain.retention import Traces, strengths
from ..ports import Search
from .calibration import Calibration
from .relevance import NOBODY, Candidates, Fit
from .score import recency, scored

_LISTED_MIN = 48  # the nearest so many are candidates at first …
_PIECE_MIN = 24  # … and the best so many are read; mostly that is enough for ten
_FIRST_DAY = date(1970, 1, 1).toordinal()


class Ranked(NamedTuple):
    """A candidate with its score and the parts of it."""

    id: str
    score: float
    relevance: float
    strength: float
    lexical: float
    neighbours: float
    semantic: float
    named: bool
    dated: bool
    asks: bool
    recency: float


class _Row(NamedTuple):
    """What was read of a candidate."""

    id: str
    strength: float
    recency: float
    asks: bool
    dated: bool


def best(
    search: Search,
    limit: int,
    moment: Moment,
    policy: Policy,
    calibration: Calibration,
    *,
    unrelated: float = 0.0,
    times: Sequence[tuple[date, date]] = (),
) -> list[Ranked]:
    """The `limit` best rows of one search, best first.

    `calibration` makes a probability of a relevance. `unrelated` is the cosine of texts with nothing in common; `times`
    are the days the question names, from and to.
    """
    return _Best(search, limit, moment, policy, calibration, unrelated, times).found()


class _Best:
    """One search being read, as far as it has to be."""

    def __init__(
        self,
        search: Search,
        limit: int,
        moment: Moment,
        policy: Policy,
        calibration: Calibration,
        unrelated: float,
        times: Sequence[tuple[date, date]],
    ) -> None:
        self.search = search
        self.times = times
        self.limit = limit
        self.moment = moment
        self.policy = policy
        self.calibration = calibration
        self.fit = Fit(search, policy.recall, unrelated, dated=bool(times))
        self.ranked: list[Ranked] = []
        self.done: set[int] = set()  # handles that were ranked, or that the caller may not see
        self.rows: dict[int, _Row | None] = {}  # what was read, by handle; None: not to be found
        self.piece = max(_PIECE_MIN, limit + limit // 2)

    def found(self) -> list[Ranked]:
        wanted = max(_LISTED_MIN, 2 * self.limit)
        while True:
            candidates = self.fit.candidates(wanted)
            if self._read_on(candidates) or candidates.complete:
                return sorted(self.ranked, key=lambda one: (-one.score, one.id))[: self.limit]
            wanted *= 4

    def _read_on(self, candidates: Candidates) -> bool:
        """Read candidates until nothing unread can matter; False when rows beyond the candidates still could."""
        piece = self.piece
        unread = np.arange(len(candidates.handles))
        if self.done:
            unread = unread[[handle not in self.done for handle in candidates.handles.tolist()]]
        while len(unread):
            reachable = max(candidates.relevance[unread[0]], candidates.beyond)
            if reachable <= 0 or self._kth() >= self._most(reachable):
                return True
            if candidates.relevance[unread[0]] < candidates.beyond:
                # Rows not listed yet may be better than all that are left here: those come first.
                return False
            rows, unread = unread[:piece], unread[piece:]
            # Where many are alike the bound lies far down the list: getting there takes few, ever larger steps.
            piece *= 2
            self._rank(candidates, rows)
        return candidates.beyond <= 0 or self._kth() >= self._most(candidates.beyond)

    def _most(self, relevance: float) -> float:
        """The most that a row of this relevance can score."""
        rules = self.policy.recall
        return float(scored(self.calibration.base(relevance), 1.0, rules.recency_boost, rules))

    def _kth(self) -> float:
        """The score that a newcomer has to beat; below everything while there is room."""
        if len(self.ranked) < self.limit:
            return -1.0
        return sorted((one.score for one in self.ranked), reverse=True)[self.limit - 1]

    def _rank(self, candidates: Candidates, rows: NDArray[np.intp]) -> None:
        handles, supporters = candidates.handles[rows].tolist(), candidates.supporters[rows].tolist()
        self._read([*handles, *(who for who in supporters if who != NOBODY)])
        self.done.update(handles)
        seen = [place for place, handle in enumerate(handles) if self.rows[handle] is not None]
        if not seen:
            return
        read = [row for place in seen if (row := self.rows[handles[place]]) is not None]
        at = rows[seen]
        neighbours = candidates.neighbours[at]
        for place, index in enumerate(seen):
            if supporters[index] != NOBODY and self.rows[supporters[index]] is None:
                neighbours[place] = self._visible_support(handles[index])
        lexical, semantic, named = candidates.lexical[at], candidates.semantic[at], candidates.named[at]
        strength, lately = np.array([row.strength for row in read]), np.array([row.recency for row in read])
        asks, dated = np.array([row.asks for row in read]), np.array([row.dated for row in read])
        rules = self.policy.recall
        relevance = self.fit.relevance(lexical, neighbours, semantic, named, dated) * (1.0 - rules.asking * asks)
        score = scored(self.calibration.base(relevance), strength, lately, rules)
        columns = (score, relevance, strength, lexical, neighbours, semantic, named, dated, asks, lately)
        ids = [row.id for row in read]
        ranked = map(Ranked._make, zip(ids, *(column.tolist() for column in columns), strict=True))
        self.ranked += [one for one in ranked if one.relevance > 0]

    def _visible_support(self, handle: int) -> float:
        """The support of a row by neighbours that the caller may see."""
        for given, who in self.fit.around(handle):
            self._read([who])
            if self.rows[who] is not None:
                return given
        return 0.0

    def _read(self, handles: list[int]) -> None:
        unread = [handle for handle in dict.fromkeys(handles) if handle not in self.rows]
        if not unread:
            return
        traces = self.search.traces(np.array(unread, dtype=np.int64))
        self.rows.update(dict.fromkeys(unread))
        if traces.ids:
            columns = (
                strengths(traces, self.moment, self.policy),
                _recency(traces, self.moment, self.policy),
                traces.asks,
                self._dated(traces),
            )
            read = map(_Row._make, zip(traces.ids, *(column.tolist() for column in columns), strict=True))
            self.rows.update(zip(traces.handles.tolist(), read, strict=True))

    def _dated(self, traces: Traces) -> NDArray[np.bool_]:
        """Which rows were written in a time that the question names, or soon after it."""
        dated = np.zeros(len(traces.ids), dtype=bool)
        if self.times:
            days = traces.created_at // MICROS_A_DAY + _FIRST_DAY
            for first, last in self.times:
                until = last.toordinal() + self.policy.recall.dated_days_after
                dated |= (days >= first.toordinal()) & (days <= until)
        return dated


def _recency(traces: Traces, moment: Moment, policy: Policy) -> NDArray[np.float64]:
    """By the calendar: between equals the fresher one comes first."""
    return recency((micros(moment.at) - traces.last_accessed_at) / MICROS_A_DAY, policy.recall)
