"""Searching in SQLite: FTS5 for words, a matrix in memory for vectors, both held to one owner."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..model import Status
from ..ports import Column, Found, Question, Traces
from . import bm25

if TYPE_CHECKING:
    from .sqlite import SqliteTransaction

Rows = list[tuple[Any, ...]]  # (key, FTS5's record of its length)
FREQUENCIES_MAX = 100_000  # words whose frequency a process keeps
RARE_SHARE = 16  # a word is rare for an owner that has so many times as many rows as there are with the word …
RARE_MAX = 256  # … and never in more rows than these
DRIFT = 0.05  # a kept frequency serves until the table has grown or shrunk by this share


def owner_token(owner: str, status: Status) -> str:
    """The word every row of an owner and status bears, so that the index itself keeps tenants apart."""
    return status.value[0] + hashlib.blake2b(owner.encode(), digest_size=8).hexdigest()


class Vocabulary:
    """How common words are, kept per process: counting one walks its whole list of rows."""

    def __init__(self, *, archived: bool) -> None:
        self._query = "stored_word_frequencies" if archived else "word_frequencies"
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[int, int]] = {}  # word → (rows that have it, rows there were)
        self._owned: dict[str, tuple[int, int]] = {}  # an owner's tokens → (rows that bear one, its version then)

    def frequencies(self, terms: Sequence[str], rows: int, tx: SqliteTransaction) -> dict[str, int]:
        """In how many rows of one side each word stands, about; that one stands nowhere is never out of date."""
        with self._lock:
            known = {term: self._kept[term] for term in terms if term in self._kept}
        fresh = {term: count for term, (count, then) in known.items() if abs(rows - then) <= DRIFT * then}
        missing = [term for term in terms if term not in fresh]
        if missing:
            counted = dict(tx.ask(self._query, terms=missing))
            with self._lock:
                if len(self._kept) + len(counted) > FREQUENCIES_MAX:
                    self._kept.clear()
                self._kept.update({term: (count, rows) for term, count in counted.items()})
            fresh |= dict.fromkeys(missing, 0) | counted
        return fresh

    def kept(self, term: str) -> int:
        """In how many rows a word stood when it was last counted; 0 for one that was not."""
        return self._kept.get(term, (0, 0))[0]

    def owned(self, tokens: Sequence[str], version: int, tx: SqliteTransaction) -> int:
        """How many rows bear these tokens of an owner, about: a count serves until that owner's sequence, which
        every row of it moves, has come further by a share of it. What other owners write has no part in this."""
        key = " ".join(tokens)
        with self._lock:
            count, then = self._owned.get(key, (0, -1))
        if then < 0 or not 0 <= version - then <= DRIFT * count:
            count = sum(row[1] for row in tx.ask(self._query, terms=list(tokens)))
            with self._lock:
                if len(self._owned) >= FREQUENCIES_MAX:
                    self._owned.clear()
                self._owned[key] = (count, version)
        return count


class SqliteSearch:
    """One question against one side of one owner's rows."""

    def __init__(self, tx: SqliteTransaction, question: Question) -> None:
        self.tx = tx
        self.question = question
        self._keys, self._similarity = self._products()
        self._eligible = self._narrowed()
        self._narrow: NDArray[np.float32] | None = None
        self._vocabulary = tx.archive_vocabulary if question.archived else tx.vocabulary
        statuses = question.filter.statuses or tuple(Status)
        tokens = sorted({owner_token(tx.view.owner, s) for s in statuses if s.live is not question.archived})
        self._tokens = tokens
        self._owners = " OR ".join(f'"{token}"' for token in tokens)

    def lexical(self) -> Found:
        words = self.question.terms
        if not words or not self._tokens:
            return _none()
        rows, mean_length = _averages(self.tx, archived=self.question.archived)
        owned = self._owned()
        found, unknown = self._looked_up(words, rows, owned)
        every = [row for with_word in found.values() for row in with_word]
        hits = bm25.Hits(
            {word: len(with_word) for word, with_word in found.items()},
            np.array([row[0] for row in every], dtype=np.int64),
            _lengths([row[1] for row in every]),
        )
        handles, scores = bm25.scores(hits, unknown, owned, mean_length)
        if self._eligible is not None:
            kept = np.isin(handles, self._eligible)
            handles, scores = handles[kept], scores[kept]
        return Found(handles, scores, self._similarities(handles))

    def _looked_up(self, words: Sequence[str], rows: int, owned: int) -> tuple[dict[str, Rows], Sequence[str]]:
        """The owner's rows that hold each word it can afford, and the words nobody ever wrote.

        Asked for one word of one owner, FTS5 walks the list of all the owner's rows. For the rare words of a big owner
        it is walked once for all of them together, which tells the owner's rows but not which word each has; that the
        words' own lists say, which are short.
        """
        if owned * len(words) <= self.question.matches_max:
            # An owner of few rows can afford every word, and its list is short.
            return {word: self._rows([word]) for word in words}, ()
        rare = self._rare(words, owned)
        common = [word for word in words if word not in rare]
        counts = {word: len(keys) for word, keys in rare.items()}
        counts |= self._vocabulary.frequencies(common, rows, self.tx)
        known = {word: count for word, count in counts.items() if count}
        asked = bm25.affordable(known, self.question.matches_max)
        together = [word for word in asked if word in rare]
        own = {row[0]: row for row in self._rows(together)} if together else {}
        found = {
            word: [own[key] for key in rare[word] if key in own] if word in rare else self._rows([word])
            for word in asked
        }
        return found, [word for word in words if word not in known]

    def _rare(self, words: Sequence[str], owned: int) -> dict[str, list[int]]:
        """The words in few rows beside the owner's, with those rows, whoever's they are: not to be told, only to be
        looked for among the owner's. A word met and found common is not tried again."""
        query = "keys_with_stored_word" if self.question.archived else "keys_with_word"
        most = min(owned // RARE_SHARE, RARE_MAX)
        found = {}
        for word in words:
            if self._vocabulary.kept(word) <= most:
                keys = self.tx.ask(query, match=f'body : "{word}"', limit=most + 1)
                if len(keys) <= most:
                    found[word] = [key for (key,) in keys]
        return found

    def _rows(self, words: Sequence[str]) -> Rows:
        """The owner's rows that hold any of these words, and FTS5's record of their lengths."""
        either = " OR ".join(f'"{word}"' for word in words)
        query = "rows_with_stored_word" if self.question.archived else "rows_with_word"
        return self.tx.ask(query, match=f"own : ({self._owners}) AND body : ({either})")

    def _owned(self) -> int:
        """How many rows this owner has on this side: so many bear its token."""
        return self._vocabulary.owned(self._tokens, self.tx.row.version, self.tx)

    def semantic(self, limit: int) -> Found:
        similarity = self._candidates()
        best = np.argpartition(similarity, -limit)[-limit:] if limit < len(similarity) else np.arange(len(similarity))
        candidates = best[similarity[best] > -1.0]
        candidates = candidates[np.argsort(-similarity[candidates], kind="stable")]
        semantic = np.maximum(similarity[candidates].astype(np.float64), 0.0)
        return Found(self._keys[candidates], np.zeros(len(candidates)), semantic)

    def traces(self, handles: Column) -> Traces:
        query = "stored_traces" if self.question.archived else "traces"
        keys = handles.tolist()
        rows = self.tx.ask_filtered(query, self.question.filter, handles=keys)
        if len(rows) < len(keys) and not self.question.archived:
            self._silence_gone(set(keys) - {row[0] for row in rows})
        return self.tx.codec.traces(rows)

    def _products(self) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        vector, fingerprint = self.question.vector, self.question.fingerprint
        if vector is None or fingerprint is None:
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32)
        tx = self.tx
        if self.question.archived:
            # Nothing of the archive is kept in memory: it is read when it is asked for.
            rows = tx.ask_filtered("vectors_of_archive", self.question.filter, fingerprint=fingerprint)
            if not rows:
                return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32)
            block = np.frombuffer(b"".join(row[1] for row in rows), dtype=np.float16).reshape(len(rows), -1)
            return np.array([row[0] for row in rows]), block.astype(np.float32) @ vector

        def read(stamp: int, limit: int) -> list[tuple[int, int, bytes]]:
            return tx.ask("vectors_after", stamp=stamp, fingerprint=fingerprint, limit=limit)

        matrix = tx.matrices.current(tx.view.owner, fingerprint, tx.row.epoch, tx.row.version, read)
        self._matrix = matrix
        return matrix.product(vector)

    def _narrowed(self) -> NDArray[np.int64] | None:
        """The keys a narrow filter leaves; None when it is wide and rows are better looked at one by one."""
        if not self.question.filter.narrows:
            return None
        query = "eligible_stored" if self.question.archived else "eligible_live"
        rows = self.tx.ask_filtered(query, self.question.filter)
        return np.array([row[0] for row in rows], dtype=np.int64)

    def _candidates(self) -> NDArray[np.float32]:
        """The similarity of every row, -1 for those that may not be found."""
        if self._eligible is None:
            return self._similarity
        if self._narrow is None:
            self._narrow = np.where(np.isin(self._keys, self._eligible), self._similarity, np.float32(-1.0))
        return self._narrow

    def _similarities(self, handles: NDArray[np.int64]) -> NDArray[np.float64]:
        """The similarity of given rows; 0 for those without a vector of this model."""
        if not len(self._keys):
            return np.zeros(len(handles))
        # Keys come in ascending order unless a row was embedded anew; then the later of its two slots counts.
        ascending = bool((self._keys[1:] > self._keys[:-1]).all())
        order = None if ascending else np.argsort(self._keys, kind="stable")
        at = np.searchsorted(self._keys, handles, side="right", sorter=order) - 1
        slots = np.maximum(at, 0) if order is None else order[np.maximum(at, 0)]
        known = (at >= 0) & (self._keys[slots] == handles)
        return np.where(known, np.maximum(self._similarity[slots].astype(np.float64), 0.0), 0.0)

    def _silence_gone(self, keys: set[int]) -> None:
        gone = [row[0] for row in self.tx.ask("key_gone", keys=sorted(keys))]
        if gone and self.question.vector is not None:
            self.tx.matrices.silence(self._matrix, gone, self.tx.row.version)


def _lengths(records: Sequence[bytes]) -> NDArray[np.float64]:
    """How many words rows have, from FTS5's records of them: one number for `own`, which is 1, and one for `body`."""
    block = b"".join(records)
    if len(block) == 2 * len(records):
        # No number takes less than a byte, so each takes one: read them all at once.
        return np.frombuffer(block, dtype=np.uint8)[1::2].astype(np.float64)
    return np.array([_varint(record, 1)[0] for record in records], dtype=np.float64)


def _none() -> Found:
    return Found(np.empty(0, dtype=np.int64), np.empty(0), np.empty(0))


def _averages(tx: SqliteTransaction, *, archived: bool) -> tuple[int, float]:
    """How many rows a word index holds and how long they are on average, from FTS5's own record of it:
    the count of rows, then the count of words in each column."""
    block = tx.ask("stored_words_record" if archived else "words_record")[0][0]
    if not block:
        return 1, 1.0
    rows, at = _varint(block, 0)
    _, at = _varint(block, at)
    words, _ = _varint(block, at)
    return max(rows, 1), words / max(rows, 1)


def _varint(block: bytes, at: int) -> tuple[int, int]:
    """The number at a place in one of FTS5's records, and the place after it: seven bits a byte, the highest first."""
    number = 0
    while True:
        byte = block[at]
        at += 1
        number = (number << 7) | (byte & 0x7F)
        if byte < 0x80:
            return number, at
