"""Searching in SQLite: FTS5 for words, a matrix in memory for vectors, both held to one owner."""

from __future__ import annotations

import functools
import hashlib
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...domain.memory import Status
from ...domain.retention import Traces
from ...ports import Column, Found, Question
from ...text.terms import heads, terms
from .. import bm25
from ..owner_connection import OwnerConnection
from ..owner_table import OwnerTable
from ..vector_cache import NOTHING, Matrices, Nearness, words_in, words_in_each

TERMS_MAX = 100_000  # whose counts a process keeps
DRIFT = 0.05  # a kept count may be off by this share
LISTED_MAX = 40_000  # rows at the very most, for all words together: to list those takes some milliseconds


@functools.lru_cache(maxsize=1024)
def owner_token(owner: str, status: Status) -> str:
    """What an owner's rows of a status are known by in the index of words; of the same length for everyone."""
    return status.value[0] + hashlib.blake2b(owner.encode(), digest_size=8).hexdigest()


def indexed(text: str, owner: str, status: Status) -> dict[str, Any]:
    """A text as the index takes it: the owner's token, and every word behind that token, so that the index itself keeps
    tenants apart. The token alone is nobody's word, not even of what has an empty one. What the text begins with stands
    behind three strokes, because no word begins with one. Told besides: how many words there are."""
    token = owner_token(owner, status)
    words = terms(text)
    return {
        "length": len(words),
        "body": f" {token}_".join([token, *words]),
        "heads": " ".join(f"{token}_{bm25.HEAD}{head}" for head in heads(text)),
    }


class Vocabulary:
    """How many rows bear a term, kept per process: counting walks the whole list of them."""

    def __init__(self, *, archived: bool) -> None:
        self._query = "stored_term_counts" if archived else "term_counts"
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[int, int]] = {}  # an owner's term → (rows that bear it, the owner's version then)

    def counts(self, terms_: Sequence[str], db: OwnerConnection, version: int, *, slack: float = 0.0) -> dict[str, int]:
        """In how many rows of one side each of an owner's terms stands; off by no more than `slack` or a small share,
        because every row written moves the owner's `version`. That one stands nowhere is never out of date."""
        counts = {}
        with self._lock:
            for term in terms_:
                count, then = self._kept.get(term, (0, version + 1))
                if 0 <= version - then <= max(slack, DRIFT * count):
                    counts[term] = count
        missing = [term for term in terms_ if term not in counts]
        if missing:
            counted: dict[str, int] = dict(db.execute(self._query, terms=missing))
            with self._lock:
                if len(self._kept) + len(counted) > TERMS_MAX:
                    self._kept.clear()
                self._kept.update({term: (count, version) for term, count in counted.items()})
            counts |= dict.fromkeys(missing, 0) | counted
        return counts


class SearchCaches:
    """What a process keeps in memory for searches: vectors, and how many rows bear a term."""

    def __init__(self, matrix_bytes_max: int) -> None:
        self.matrices = Matrices(matrix_bytes_max)
        self.live = Vocabulary(archived=False)
        self.archived = Vocabulary(archived=True)


class SqliteSearch:
    """One question against one side of one owner's rows."""

    def __init__(self, db: OwnerConnection, owner: OwnerTable, caches: SearchCaches, question: Question) -> None:
        self.db = db
        self.owner = owner
        self.matrices = caches.matrices
        self.question = question
        self.first_turn = owner.row.turns_from
        self.headed: Column = np.empty(0, dtype=np.int64)
        self._keys, self._similarity, self._words = self._products()
        self._eligible = self._narrowed()
        self._narrow: NDArray[np.float32] | None = None
        self._vocabulary = caches.archived if question.archived else caches.live
        asked = question.filter.statuses or tuple(Status)
        self._statuses = [status for status in asked if status.live is not question.archived]
        self._tokens = sorted({owner_token(db.view.owner, status) for status in self._statuses})

    def lexical(self) -> Found:
        words = (*self.question.terms, *(f"{bm25.HEAD}{name}" for name in self.question.names))
        if not words or not self._tokens:
            return _none()
        owned, mean_length = self.owner.extent(self._statuses, live=not self.question.archived)
        hits, unknown = self._affordable(words, owned)
        hits, self.headed = hits.parted()
        handles, shares = bm25.shares(hits, unknown, owned)
        if self._eligible is not None:
            kept = np.isin(handles, self._eligible)
            handles, shares = handles[kept], shares[kept]
        slots, known = self._slots(handles)
        scores = bm25.damped(shares, self._lengths(handles, slots, known), mean_length)
        return Found(handles, scores, self._cosines(slots, known))

    def _affordable(self, words: Sequence[str], owned: int) -> tuple[bm25.Hits, Sequence[str]]:
        """The rows that hold the words that can be afforded; and the words that the owner never wrote."""
        most = self.question.matches_max
        if owned * len(words) <= most:
            return self._hits(words), ()
        if owned * len(words) <= LISTED_MAX:
            # To list them all costs less than to count them first.
            hits = self._hits(words)
            known, unknown = _told_apart(words, hits.counts)
            return hits.of(bm25.affordable(known, most)), unknown
        terms_ = {word: self._terms(word) for word in words}
        every = [term for several in terms_.values() for term in several]
        counts = self._vocabulary.counts(every, self.db, self.owner.version, slack=DRIFT * most)
        frequencies = {word: sum(counts[term] for term in several) for word, several in terms_.items()}
        known, unknown = _told_apart(words, frequencies)
        return self._hits(bm25.affordable(known, most)), unknown

    def _terms(self, word: str) -> list[str]:
        """A word as the index has it, under each of the statuses that are asked for."""
        return [f"{token}_{word}" for token in self._tokens]

    def _hits(self, words: Sequence[str]) -> bm25.Hits:
        """The owner's rows that hold each word."""
        matches = [" OR ".join(f'"{term}"' for term in self._terms(word)) for word in words]
        query = "rows_with_stored_words" if self.question.archived else "rows_with_words"
        # A list for each word, read as one: hundreds of rows, each made an object, took longer than finding them.
        lists = [listed[1:-1] for (listed,) in self.db.execute(query, matches=matches)]
        return bm25.Hits(
            {word: listed.count(",") + 1 if listed else 0 for word, listed in zip(words, lists, strict=True)},
            np.fromstring(",".join(filter(None, lists)), dtype=np.int64, sep=","),
        )

    def semantic(self, limit: int) -> Found:
        similarity = self._candidates()
        best = np.argpartition(similarity, -limit)[-limit:] if limit < len(similarity) else np.arange(len(similarity))
        candidates = best[similarity[best] > -1.0]
        candidates = candidates[np.argsort(-similarity[candidates], kind="stable")]
        semantic = np.maximum(similarity[candidates].astype(np.float64), 0.0)
        return Found(self._keys[candidates], np.zeros(len(candidates)), semantic)

    def nearness(self, handles: Column) -> NDArray[np.float64]:
        return self._cosines(*self._slots(handles))

    def traces(self, handles: Column) -> Traces:
        query = "stored_traces" if self.question.archived else "traces"
        keys = handles.tolist()
        rows = self.db.execute_filtered(query, self.question.filter, handles=keys)
        if len(rows) < len(keys) and not self.question.archived:
            self._silence_gone(set(keys) - {row[0] for row in rows})
        return self.db.codec.traces(rows)

    def _products(self) -> Nearness:
        vector, fingerprint = self.question.vector, self.question.fingerprint
        if vector is None or fingerprint is None:
            return NOTHING
        if self.question.archived:
            # The archive is not cached: it is read on each search.
            rows = self.db.execute_filtered("vectors_of_archive", self.question.filter, fingerprint=fingerprint)
            if not rows:
                return NOTHING
            block = np.frombuffer(b"".join(row[1] for row in rows), dtype=np.float16).reshape(len(rows), -1)
            cosines = np.vecdot(block.astype(np.float32), vector)
            return Nearness(np.array([row[0] for row in rows]), cosines, words_in_each([row[2] for row in rows]))

        def read(stamp: int, limit: int) -> list[tuple[int, int, bytes, bytes]]:
            return self.db.execute("vectors_after", stamp=stamp, fingerprint=fingerprint, limit=limit)

        row = self.owner.row
        matrix = self.matrices.current(self.db.view.owner, fingerprint, row.epoch, row.version, read)
        self._matrix = matrix
        return matrix.product(vector)

    def _narrowed(self) -> NDArray[np.int64] | None:
        """The keys a narrow filter leaves; None when it is wide and rows are better looked at one by one."""
        if not self.question.filter.narrows:
            return None
        query = "eligible_stored" if self.question.archived else "eligible_live"
        rows = self.db.execute_filtered(query, self.question.filter)
        return np.array([row[0] for row in rows], dtype=np.int64)

    def _candidates(self) -> NDArray[np.float32]:
        """The similarity of every row, -1 for those that may not be found."""
        if self._eligible is None:
            return self._similarity
        if self._narrow is None:
            self._narrow = np.where(np.isin(self._keys, self._eligible), self._similarity, np.float32(-1.0))
        return self._narrow

    def _slots(self, handles: Column) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """The positions of rows in the matrix of this model, and which of them have one."""
        if not len(self._keys):
            return np.zeros(len(handles), dtype=np.intp), np.zeros(len(handles), dtype=bool)
        # Keys come in ascending order unless a row was embedded anew; then the later of its two slots counts.
        ascending = bool((self._keys[1:] > self._keys[:-1]).all())
        order = None if ascending else np.argsort(self._keys, kind="stable")
        at = np.searchsorted(self._keys, handles, side="right", sorter=order) - 1
        slots = np.maximum(at, 0) if order is None else order[np.maximum(at, 0)]
        return slots, (at >= 0) & (self._keys[slots] == handles)

    def _cosines(self, slots: NDArray[np.intp], known: NDArray[np.bool_]) -> NDArray[np.float64]:
        """How near rows are; 0 for those without a vector of this model."""
        if not len(self._keys):
            return np.zeros(len(slots))
        return np.where(known, np.maximum(self._similarity[slots].astype(np.float64), 0.0), 0.0)

    def _lengths(self, handles: Column, slots: NDArray[np.intp], known: NDArray[np.bool_]) -> NDArray[np.float64]:
        """How many words rows have; where that is not at hand, as the index has it."""
        lengths = self._words[slots].astype(np.float64) if len(self._keys) else np.zeros(len(handles))
        if not known.all():
            query = "stored_records" if self.question.archived else "records"
            records: dict[int, bytes] = dict(self.db.execute(query, keys=handles[~known].tolist()))
            lengths[~known] = [words_in(records[handle]) for handle in handles[~known].tolist()]
        return lengths

    def _silence_gone(self, keys: set[int]) -> None:
        # Neighbours are asked for without knowing that they stand: of those there is nothing to silence.
        held = [key for key in sorted(keys) if key in self._matrix] if self.question.vector is not None else []
        removed = [row[0] for row in self.db.execute("key_gone", keys=held)] if held else []
        if removed:
            self.matrices.silence(self._matrix, removed, self.owner.version)


def _told_apart(words: Sequence[str], frequencies: Mapping[str, int]) -> tuple[dict[str, int], list[str]]:
    """The words that the owner wrote, and how often; and those it never did, which may not be beginnings of texts."""
    known = {word: frequencies[word] for word in words if frequencies[word]}
    return known, [word for word in words if word not in known and not word.startswith(bm25.HEAD)]


def _none() -> Found:
    return Found(np.empty(0, dtype=np.int64), np.empty(0), np.empty(0))
