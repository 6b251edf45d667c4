"""Embeddings in memory: one growable matrix per owner and model, for exact products.

The rows on disk are the truth. A matrix reads on from the last stamp it has seen, inside the
transaction that asks, so it can be behind only by what that transaction cannot see either.
What was removed on disk lingers as a slot that finds no row; once noticed it is silenced.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..ports import Vector

Rows = Sequence[tuple[int, int, bytes, bytes]]  # (stamp, key, half-precision vector, FTS5's record of its words)
Read = Callable[[int, int], Rows]  # what was written after a stamp, so many at most
_PIECE = 4096  # rows read at once: all of a big owner's would for a moment take as much memory again as the matrix


class Nearness(NamedTuple):
    """How near each of an owner's rows is to a question, in parallel columns."""

    keys: NDArray[np.int64]
    cosines: NDArray[np.float32]
    lengths: NDArray[np.int32]  # in words


NOTHING = Nearness(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32), np.empty(0, dtype=np.int32))


class _Block(NamedTuple):
    """What a reader takes at once: arrays with room to grow, and how many of their rows are written."""

    keys: NDArray[np.int64]
    rows: NDArray[np.float32]
    lengths: NDArray[np.int32]  # in words, so that a search by words need not read how long each row is
    alive: NDArray[np.bool_]
    filled: int


class Matrix:
    """One owner's vectors of one model, in the order they were written.

    Threads multiply while another extends: rows are written behind what readers were told of, and a block is
    published only when it is whole.
    """

    def __init__(self, epoch: int) -> None:
        self.epoch = epoch
        self.stamp = 0
        self._block = _Block(
            np.empty(0, dtype=np.int64),
            np.empty((0, 0), dtype=np.float32),
            np.empty(0, dtype=np.int32),
            np.empty(0, dtype=bool),
            0,
        )
        self._slots: dict[int, int] = {}

    @property
    def size_bytes(self) -> int:
        return sum(array.nbytes for array in self._block[:4])

    def __contains__(self, key: int) -> bool:
        return key in self._slots

    def extend(self, written: Rows) -> None:
        """Take in what is new. A key that comes again replaces its older vector."""
        if not written:
            return
        fresh = np.frombuffer(b"".join(row[2] for row in written), dtype=np.float16).reshape(len(written), -1)
        start, end = self._block.filled, self._block.filled + len(written)
        keys, rows, lengths, alive, _ = self._with_room(end, fresh.shape[1])
        rows[start:end] = fresh
        lengths[start:end] = words_in_each([row[3] for row in written])
        keys[start:end] = [row[1] for row in written]
        alive[start:end] = True
        for slot, row in enumerate(written, start):
            older = self._slots.get(row[1])
            if older is not None:
                alive[older] = False
            self._slots[row[1]] = slot
        self._block = _Block(keys, rows, lengths, alive, end)
        self.stamp = written[-1][0]

    def silence(self, keys: Iterable[int]) -> None:
        """Exclude rows that are no longer on disk from results."""
        for key in keys:
            slot = self._slots.pop(key, None)
            if slot is not None:
                self._block.alive[slot] = False

    def product(self, vector: Vector) -> Nearness:
        """Every key and its cosine; what is silenced gets -1."""
        keys, rows, lengths, alive, count = self._block
        if not count:
            return NOTHING
        # Not `@`: that hands rows to threads which are asleep between two questions, and waking them took longer than
        # the product (1.5 ms for 5,000 rows, against 0.2), more so where other processes keep the processors busy.
        similarity = np.vecdot(rows[:count], vector)
        if not alive[:count].all():
            similarity[~alive[:count]] = -1.0
        return Nearness(keys[:count], similarity, lengths[:count])

    def _with_room(self, count: int, width: int) -> _Block:
        """The block, or a larger copy of it, with room for so many rows."""
        keys, rows, lengths, alive, written = self._block
        if count <= len(keys):
            return self._block
        capacity = max(count, len(keys) * 3 // 2, 64)
        larger = _Block(
            np.empty(capacity, dtype=np.int64),
            np.empty((capacity, width), dtype=np.float32),
            np.empty(capacity, dtype=np.int32),
            np.zeros(capacity, dtype=bool),
            written,
        )
        if written:
            larger.keys[:written] = keys[:written]
            larger.rows[:written] = rows[:written]
            larger.lengths[:written] = lengths[:written]
            larger.alive[:written] = alive[:written]
        return larger


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

    def silence(self, matrix: Matrix, keys: Sequence[int], version: int) -> None:
        """Silence rows that a reader did not find; only one who sees all the matrix holds can know they are gone."""
        with self._lock:
            if version >= matrix.stamp:
                matrix.silence(keys)

    def drop(self, owner: str) -> None:
        with self._lock:
            for held in [key for key in self._held if key[0] == owner]:
                del self._held[held]

    def _evict(self) -> None:
        while len(self._held) > 1 and sum(matrix.size_bytes for matrix in self._held.values()) > self._bytes_max:
            self._held.popitem(last=False)


def words_in_each(records: Sequence[bytes]) -> NDArray[np.int32]:
    """How many words rows have, from FTS5's records of them."""
    block = b"".join(records)
    if len(block) == 2 * len(records):
        # Of words and of beginnings, and no number takes less than a byte, so each takes one: read them all at once.
        return np.frombuffer(block, dtype=np.uint8)[::2].astype(np.int32) - 1
    return np.array([words_in(record) for record in records], dtype=np.int32)


def words_in(record: bytes) -> int:
    """How many words a row has, from FTS5's record of it: how many terms, of which one is the owner's token.

    Numbers stand there with seven bits a byte, the highest first.
    """
    number = 0
    for byte in record:
        number = (number << 7) | (byte & 0x7F)
        if byte < 0x80:
            break
    return number - 1
