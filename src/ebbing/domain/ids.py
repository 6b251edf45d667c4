"""Names for things: 26 characters that sort by the time they were made.

48 bits of milliseconds and 80 random bits in Crockford's base 32. Within one process and
one millisecond the random part counts upwards, so the order of making is the order of sorting.
"""

from __future__ import annotations

import secrets
import threading
from datetime import datetime

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS = [first + second for first in _ALPHABET for second in _ALPHABET]
_RANDOM_BITS = 80
_MILLISECONDS_KEPT = 256


class _Maker:
    """The newest id of each millisecond of late, so that the next one sorts behind it.

    Of several, because threads come with the time they looked at the clock, not in its order, and
    two frozen clocks in one process take turns.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._noise: dict[int, int] = {}  # by millisecond, the one used last at the end

    def make(self, millisecond: int) -> int:
        with self._lock:
            noise = self._noise.pop(millisecond, None)
            if noise is None:
                # The top bit stays clear, so that counting upwards within a millisecond cannot overflow.
                noise = secrets.randbits(_RANDOM_BITS - 1)
            else:
                noise += 1 + secrets.randbits(32)
            self._noise[millisecond] = noise
            if len(self._noise) > _MILLISECONDS_KEPT:
                del self._noise[next(iter(self._noise))]
            return (millisecond << _RANDOM_BITS) | noise


_maker = _Maker()


def new_id(now: datetime) -> str:
    """A fresh id. It sorts after those of earlier milliseconds, and after those this process made in the same one."""
    number = _maker.make(int(now.timestamp() * 1000))
    return "".join([_PAIRS[(number >> shift) & 1023] for shift in range(120, -1, -10)])
