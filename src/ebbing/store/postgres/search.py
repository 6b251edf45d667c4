"""Searching in PostgreSQL: an index of words for bm25, vectors compared where they stand, both held to one owner.

Vectors are compared one by one, which is exact and quick enough for ordinary owners. A big owner
may have an HNSW index of its own (maintenance.py makes them), and is then searched through it.
One index for everybody was tried: behind an owner's filter it found a fifth of what it should.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector

from ...domain.memory import Status
from ...domain.retention import Traces
from ...ports import Column, Found, Question
from ...text.terms import heads, terms
from .. import bm25
from .connection import Cursor
from .owner_connection import PostgresConnection, PostgresOwnerTable
from .statements import packed

Numbers = NDArray[np.float64]

FETCHED_FIRST = 192  # nearest rows that are asked for before anybody wants them: mostly that is enough
FETCHED_AHEAD = 4  # times as many are asked for where each row is compared anyway: the next call wants so many
BREADTH_MIN = 200  # rows an HNSW index keeps in view; fewer are quicker and miss more
INDEXED_MAX = 1000  # beyond so many nearest rows comparing them all is quicker than following the index


def indexed(text: str) -> dict[str, Any]:
    """A text as its row names it: how many words it has, and what it stands under: those, and what it begins with,
    behind two strokes, because no word begins with one."""
    words = terms(text)
    under = {*words, *(f"{bm25.HEAD}{head}" for head in heads(text))}
    return {"length": len(words), "terms": sorted(under)}


class PostgresSearch:
    """One question against one side of one owner's rows. Rows are known by their keys."""

    def __init__(self, db: PostgresConnection, owner: PostgresOwnerTable, question: Question) -> None:
        self.db = db
        self.owner = owner
        self.question = question
        self.first_turn = owner.row.turns_from
        self.headed: Column = np.empty(0, dtype=np.int64)
        self._side = "stored_" if question.archived else ""
        self._asked = _halves(question)
        statuses = question.filter.statuses or tuple(Status)
        self._statuses = [status for status in statuses if status.live is not question.archived]
        self._nearest = _none()
        self._complete = question.vector is None or question.fingerprint is None
        self._comparing: Cursor | None = None

    def lexical(self) -> Found:
        asked = (*self.question.terms, *(f"{bm25.HEAD}{name}" for name in self.question.names))
        if not asked:
            return _none()
        rows, mean_length = self.owner.extent(self._statuses, live=not self.question.archived)
        affordable, unknown = self._affordable(asked, rows)
        every, lengths, near, eligible = self._hits(affordable)
        hits, self.headed = every.parted()
        handles, shares = bm25.shares(hits, unknown, rows)
        scores = bm25.damped(shares, _looked_up(handles, every.handles, lengths), mean_length)
        semantic = _looked_up(handles, *near)
        if eligible is None:
            return Found(handles, scores, semantic)
        kept = np.isin(handles, eligible)
        return Found(handles[kept], scores[kept], semantic[kept])

    def _affordable(self, words: Sequence[str], rows: int) -> tuple[list[str], list[str]]:
        """The words to look up, and those nobody ever wrote."""
        most = self.question.matches_max
        if rows * len(words) <= most:
            # An owner of few rows can afford every word; to count them would be one more question to the server.
            return list(words), []
        frequencies: dict[str, int] = dict(
            self.db.execute(f"{self._side}word_frequencies", terms=list(words), most=most + 1)
        )
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
        rows = self.db.execute(f"{self._side}nearness", handles=handles.tolist(), **self._asked)
        near = {key: max(-distance, 0.0) for key, distance in rows}
        return np.array([near.get(key, 0.0) for key in handles.tolist()])

    def traces(self, handles: Column) -> Traces:
        rows = self.db.execute_filtered(f"{self._side}traces", self.question.filter, handles=handles.tolist())
        return self.db.codec.traces(rows)

    def _hits(self, words: list[str]) -> tuple[bm25.Hits, Numbers, tuple[Column, Numbers], Column | None]:
        """The rows that hold each word, and how long each is; rows, and how near each is; and, where there is a filter,
        which rows it leaves."""
        statement = self.db.queries[f"rows_with_{self._side}words"]
        narrows = self.question.filter.narrows
        if narrows:
            part = self.db.queries["eligible_stored" if self.question.archived else "eligible_live"]
            statement = statement.replace("/*eligible*/", part)
        # The index of words writes a status as its first letter, which is one status on each side.
        letters = [status.value[0] for status in self._statuses]
        asked = {"terms": words, "letters": letters, **self._asked}
        rows = self.db.send_packed(statement, self.question.filter, **asked).fetchall()
        if not (self._complete or self._follows):
            # The server compares while we count.
            self._comparing = self._compare(FETCHED_FIRST)
        by_word = {word: (keys, lengths) for word, keys, lengths, _ in rows if word is not None}
        found = {word: by_word.get(word, (b"", b"")) for word in sorted(words)}
        handles = packed(b"".join(keys for keys, _ in found.values()), "i8")
        lengths = packed(b"".join(lengths for _, lengths in found.values()), "i4")
        hits = bm25.Hits({word: len(keys) // handles.itemsize for word, (keys, _) in found.items()}, handles)
        near, near_keys, passing = None, None, None
        for word, keys, _, distances in rows:
            if distances is not None:
                near, near_keys = distances, keys
            elif word is None:
                passing = keys or passing
        similarity = np.maximum(-packed(near, "f8"), 0.0)
        left = packed(passing, "i8") if narrows else None
        return hits, lengths.astype(np.float64), (packed(near_keys, "i8"), similarity), left

    def _fetch(self, limit: int) -> None:
        """At least the `limit` nearest rows, or all there are."""
        wanted = limit
        keys, distances = self._followed(limit) if self._follows else (b"", b"")
        if len(packed(keys, "i8")) < limit:
            compared = self._comparing if limit <= FETCHED_FIRST else None
            wanted = FETCHED_FIRST if compared is not None else FETCHED_AHEAD * limit
            keys, distances = (compared or self._compare(wanted)).fetchall()[0]
            self._comparing = None
        near = packed(distances, "f8")
        self._complete = len(near) < wanted
        # Following an index gives them nearly in order.
        order = np.argsort(near, kind="stable")
        self._nearest = Found(packed(keys, "i8")[order], np.zeros(len(near)), np.maximum(-near[order], 0.0))

    @property
    def _follows(self) -> bool:
        """Whether the owner has an index that is of use here: behind a filter it may run out of rows that pass."""
        of_use = not (self.question.archived or self.question.filter.narrows)
        return of_use and self.owner.indexed_fingerprint == self.question.fingerprint

    def _followed(self, limit: int) -> tuple[bytes, bytes]:
        """The keys and distances of the nearest rows through the owner's index. Fewer than asked for say nothing: it
        may be full of dead rows."""
        if limit > INDEXED_MAX:
            return b"", b""
        settings: dict[str, str | int] = {
            "hnsw.iterative_scan": "relaxed_order",
            "hnsw.ef_search": max(BREADTH_MIN, limit),
        }
        asked = {"limit": limit, "width": self.owner.indexed_width, **self._asked}
        ((keys, distances),) = self.db.execute_literally("nearest_indexed", settings, **asked)
        return keys or b"", distances or b""

    def _compare(self, limit: int) -> Cursor:
        """The keys and distances of the nearest rows, every row compared."""
        narrowed = "nearest_filtered" if self.question.filter.narrows else "nearest"
        statement = self.db.queries["nearest_stored" if self.question.archived else narrowed]
        return self.db.send_packed(statement, self.question.filter, limit=limit, **self._asked)


def _halves(question: Question) -> dict[str, Any]:
    """The question's vector as two of half precision, what the first rounds off being the second: only halves can be
    compared with halves, and one alone would differ in the fourth place from what SQLite computes."""
    if question.vector is None:
        return {"vector": None, "rest": None, "fingerprint": None}
    vector = question.vector.astype(np.float16)
    rest = (question.vector - vector).astype(np.float16)
    return {"vector": HalfVector(vector), "rest": HalfVector(rest), "fingerprint": question.fingerprint}


def _looked_up(handles: Column, keys: Column, values: Numbers) -> Numbers:
    """The value of each handle among those of the keys; 0 where it is none of them."""
    if not len(keys):
        return np.zeros(len(handles))
    order = np.argsort(keys, kind="stable")
    at = order[np.minimum(np.searchsorted(keys, handles, sorter=order), len(keys) - 1)]
    return np.where(keys[at] == handles, values[at], 0.0)


def _none() -> Found:
    empty: NDArray[np.float64] = np.empty(0)
    return Found(np.empty(0, dtype=np.int64), empty, empty)
