"""Searching in PostgreSQL: an index of words for bm25, vectors compared where they stand, both held to one owner.

Vectors are compared one by one, which is exact and quick enough for ordinary owners. A big owner
may have an HNSW index of its own (postgres_care.py makes them), and is then searched through it.
One index for everybody was tried: behind an owner's filter it found a fifth of what it should.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector

from ..model import Status
from ..ports import Column, Found, Question, Traces
from ..reading.points import points
from ..terms import heads, terms
from . import bm25

if TYPE_CHECKING:
    from .postgres import PostgresTransaction

FETCHED_AHEAD = 4  # times as many are asked for where each row is compared anyway: the next call wants so many
BREADTH_MIN = 200  # rows an HNSW index keeps in view; fewer are quicker and miss more
INDEXED_MAX = 1000  # beyond so many nearest rows comparing them all is quicker than following the index


def indexed(text: str) -> dict[str, Any]:
    """A text as its row names it: how many words it has, and what it stands under: those, its points, which begin with
    a stroke as no word does, and what it begins with, behind two."""
    words = terms(text)
    under = {*words, *(f"_{point}" for point in points(text)), *(f"{bm25.HEAD}{head}" for head in heads(text))}
    return {"length": len(words), "terms": sorted(under)}


class PostgresSearch:
    """One question against one side of one owner's rows. Rows are known by their keys."""

    def __init__(self, tx: PostgresTransaction, question: Question) -> None:
        self.tx = tx
        self.question = question
        self.first_turn = tx.row.turns_from
        self.headed: Column = np.empty(0, dtype=np.int64)
        self._side = "stored_" if question.archived else ""
        self._asked = _halves(question)
        statuses = question.filter.statuses or tuple(Status)
        self._statuses = [status for status in statuses if status.live is not question.archived]
        self._nearest = _none()
        self._complete = question.vector is None or question.fingerprint is None

    def lexical(self) -> Found:
        asked = (*self.question.terms, *(f"{bm25.HEAD}{name}" for name in self.question.names))
        if not asked:
            return _none()
        rows, mean_length = self.tx.extent(self._statuses, live=not self.question.archived)
        affordable, unknown = self._affordable(asked, rows)
        every, lengths, similarity, eligible = self._hits(affordable)
        hits, self.headed = every.parted()
        handles, shares = bm25.shares(hits, unknown, rows)
        keys = handles.tolist()
        scores = bm25.damped(shares, np.array([lengths[key] for key in keys], dtype=np.float64), mean_length)
        semantic = np.array([similarity.get(key, 0.0) for key in keys])
        if eligible is None:
            return Found(handles, scores, semantic)
        kept = np.array([key in eligible for key in keys], dtype=bool)
        return Found(handles[kept], scores[kept], semantic[kept])

    def _affordable(self, words: Sequence[str], rows: int) -> tuple[list[str], list[str]]:
        """The words to look up, and those nobody ever wrote."""
        most = self.question.matches_max
        if rows * len(words) <= most:
            # An owner of few rows can afford every word; to count them would be one more question to the server.
            return list(words), []
        frequencies = dict(self.tx.ask(f"{self._side}word_frequencies", terms=list(words), most=most + 1))
        known = {word: count for word, count in frequencies.items() if count}
        unknown = [word for word in words if word not in known and not word.startswith(bm25.HEAD)]
        return bm25.affordable(known, most), unknown

    def semantic(self, limit: int) -> Found:
        if not self._complete and len(self._nearest.handles) < limit:
            self._fetch(limit)
        return Found(*(column[:limit] for column in self._nearest))

    def nearness(self, handles: Column) -> NDArray[np.float64]:
        if self.question.vector is None or not len(handles):
            return np.zeros(len(handles))
        rows = self.tx.ask(f"{self._side}nearness", handles=handles.tolist(), **self._asked)
        near = {key: max(-distance, 0.0) for key, distance in rows}
        return np.array([near.get(key, 0.0) for key in handles.tolist()])

    def traces(self, handles: Column) -> Traces:
        rows = self.tx.ask_filtered(f"{self._side}traces", self.question.filter, handles=handles.tolist())
        return self.tx.codec.traces(rows)

    def _hits(self, words: list[str]) -> tuple[bm25.Hits, dict[int, int], dict[int, float], set[int] | None]:
        """The rows that hold each word; how long and how near each row is; and, where there is a filter, which rows it
        leaves."""
        statement = self.tx.queries[f"rows_with_{self._side}words"]
        narrows = self.question.filter.narrows
        if narrows:
            part = self.tx.queries["eligible_stored" if self.question.archived else "eligible_live"]
            statement = statement.replace("/*eligible*/", part)
        # The index of words writes a status as its first letter, which is one status on each side.
        letters = [status.value[0] for status in self._statuses]
        rows = self.tx.run_filtered(statement, self.question.filter, terms=words, letters=letters, **self._asked)
        with_word = sorted((row for row in rows if row[0] is not None), key=itemgetter(0))
        hits = bm25.Hits(
            dict.fromkeys(sorted(words), 0) | Counter(row[0] for row in with_word),
            np.array([row[1] for row in with_word], dtype=np.int64),
        )
        lengths = {row[1]: row[2] for row in with_word}
        similarity = {key: max(-distance, 0.0) for _, key, _, distance in rows if distance is not None}
        eligible = {key for word, key, _, distance in rows if word is None and distance is None}
        return hits, lengths, similarity, eligible if narrows else None

    def _fetch(self, limit: int) -> None:
        """At least the `limit` nearest rows, or all there are."""
        wanted = limit
        rows = self._followed(limit)
        if len(rows) < limit:
            wanted = FETCHED_AHEAD * limit
            rows = self._compared(wanted)
        self._complete = len(rows) < wanted
        distances = np.array([row[1] for row in rows], dtype=np.float64)
        # Following an index gives them nearly in order.
        order = np.argsort(distances, kind="stable")
        keys = np.array([row[0] for row in rows], dtype=np.int64)
        self._nearest = Found(keys[order], np.zeros(len(rows)), np.maximum(-distances[order], 0.0))

    def _followed(self, limit: int) -> list[tuple[Any, ...]]:
        """(key, distance) of the nearest rows through the owner's index. Fewer than asked for say nothing: there is no
        index, it is of no use here (behind a filter it may run out of rows that pass), or it is full of dead rows."""
        of_use = not (self.question.archived or self.question.filter.narrows or limit > INDEXED_MAX)
        if not of_use or self.tx.indexed_fingerprint != self.question.fingerprint:
            return []
        settings: dict[str, str | int] = {
            "hnsw.iterative_scan": "relaxed_order",
            "hnsw.ef_search": max(BREADTH_MIN, limit),
        }
        return self.tx.ask_literally(
            "nearest_indexed", settings, limit=limit, width=self.tx.indexed_width, **self._asked
        )

    def _compared(self, limit: int) -> list[tuple[Any, ...]]:
        """(key, distance) of the nearest rows, every row compared."""
        if self.question.archived:
            return self.tx.ask_filtered("nearest_stored", self.question.filter, limit=limit, **self._asked)
        if self.question.filter.narrows:
            return self.tx.ask_filtered("nearest_filtered", self.question.filter, limit=limit, **self._asked)
        return self.tx.ask("nearest", limit=limit, **self._asked)


def _halves(question: Question) -> dict[str, Any]:
    """The question's vector as two of half precision, what the first rounds off being the second: only halves can be
    compared with halves, and one alone would differ in the fourth place from what SQLite computes."""
    if question.vector is None:
        return {"vector": None, "rest": None, "fingerprint": None}
    vector = question.vector.astype(np.float16)
    rest = (question.vector - vector).astype(np.float16)
    return {"vector": HalfVector(vector), "rest": HalfVector(rest), "fingerprint": question.fingerprint}


def _none() -> Found:
    empty: NDArray[np.float64] = np.empty(0)
    return Found(np.empty(0, dtype=np.int64), empty, empty)
