"""Embeddings in memory: one growable matrix per owner and model, for exact products.

The rows on disk are the truth. A matrix reads on from the last stamp it has seen, inside the
transaction that asks, so it can be behind only by what that transaction cannot see either.
What was removed on disk lingers as a slot that finds no row; once noticed it is silenced.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..ports import Vector

Rows = Sequence[tuple[int, int, bytes]]  # (stamp, key, half-precision vector)
Read = Callable[[int, int], Rows]  # what was written after a stamp, so many at most
_PIECE = 4096  # rows read at once: all of a big owner's would for a moment take as much memory again as the matrix


class Matrix:
    """One owner's vectors of one model, in the order they were written."""

    def __init__(self, epoch: int) -> None:
        self.epoch = epoch
        self.stamp = 0
        self.count = 0
        self._keys = np.empty(0, dtype=np.int64)
        self._rows = np.empty((0, 0), dtype=np.float32)
        self._alive = np.empty(0, dtype=bool)
        self._slots: dict[int, int] = {}

    @property
    def size_bytes(self) -> int:
        return self._rows.nbytes + self._keys.nbytes + self._alive.nbytes

    def extend(self, rows: Rows) -> None:
        """Take in what is new. A key that comes again replaces its older vector."""
        if not rows:
            return
        block = np.frombuffer(b"".join(row[2] for row in rows), dtype=np.float16).reshape(len(rows), -1)
        self._reserve(self.count + len(rows), block.shape[1])
        end = self.count + len(rows)
        self._rows[self.count : end] = block
        self._keys[self.count : end] = [row[1] for row in rows]
        self._alive[self.count : end] = True
        for slot, row in enumerate(rows, self.count):
            older = self._slots.get(row[1])
            if older is not None:
                self._alive[older] = False
            self._slots[row[1]] = slot
        self.count = end
        self.stamp = rows[-1][0]

    def silence(self, keys: Iterable[int]) -> None:
        """Rows that no longer stand on disk find nothing any more."""
        for key in keys:
            slot = self._slots.pop(key, None)
            if slot is not None:
                self._alive[slot] = False

    def product(self, vector: Vector) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Every key and its cosine; what is silenced gets -1."""
        count = self.count
        if not count:
            return self._keys[:0], np.empty(0, dtype=np.float32)
        similarity = self._rows[:count] @ vector
        similarity[~self._alive[:count]] = -1.0
        return self._keys[:count], similarity

    def _reserve(self, count: int, width: int) -> None:
        if count <= len(self._keys):
            return
        capacity = max(count, len(self._keys) * 3 // 2, 64)
        # New arrays rather than resized ones: another thread may be multiplying the old ones.
        keys, rows, alive = self._keys, self._rows, self._alive
        self._keys = np.empty(capacity, dtype=np.int64)
        self._rows = np.empty((capacity, width), dtype=np.float32)
        self._alive = np.zeros(capacity, dtype=bool)
        if self.count:
            self._keys[: self.count] = keys[: self.count]
            self._rows[: self.count] = rows[: self.count]
            self._alive[: self.count] = alive[: self.count]


class Matrices:
    """The matrices of the owners this process serves; the one not used for longest goes first."""

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self._lock = threading.Lock()
        self._held: OrderedDict[tuple[str, str], Matrix] = OrderedDict()

    def current(self, owner: str, fingerprint: str, epoch: int, version: int, read: Read) -> Matrix:
        """The matrix of an owner as of `version`; `read` gives what was written after a stamp, in order."""
        with self._lock:
            matrix = self._held.get((owner, fingerprint))
            if matrix is None or matrix.epoch != epoch:
                matrix = self._held[owner, fingerprint] = Matrix(epoch)
            self._held.move_to_end((owner, fingerprint))
            if matrix.stamp < version:
                while rows := read(matrix.stamp, _PIECE):
                    matrix.extend(rows)
                    if len(rows) < _PIECE:
                        break
                # Most of what counts the version on writes no vector: remember how far we have looked.
                matrix.stamp = max(matrix.stamp, version)
                self._evict()
            return matrix

    def drop(self, owner: str) -> None:
        with self._lock:
            for held in [key for key in self._held if key[0] == owner]:
                del self._held[held]

    def _evict(self) -> None:
        while len(self._held) > 1 and sum(matrix.size_bytes for matrix in self._held.values()) > self._bytes_max:
            self._held.popitem(last=False)
