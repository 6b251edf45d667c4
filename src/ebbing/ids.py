"""Names for things: 26 characters that sort by the time they were made.

48 bits of milliseconds and 80 random bits in Crockford's base 32. Within one process and
one millisecond the random part counts upwards, so the order of making is the order of sorting.
"""

from __future__ import annotations

import secrets
import threading
from datetime import datetime

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_RANDOM_BITS = 80


class _Maker:
    """The newest id of this process, so that the next one sorts behind it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._millisecond = 0
        self._noise = 0

    def make(self, millisecond: int) -> int:
        with self._lock:
            if millisecond == self._millisecond:
                self._noise += 1 + secrets.randbits(32)
            else:
                # The top bit stays clear, so that counting upwards within a millisecond cannot overflow.
                self._millisecond, self._noise = millisecond, secrets.randbits(_RANDOM_BITS - 1)
            return (millisecond << _RANDOM_BITS) | self._noise


_maker = _Maker()


def new_id(now: datetime) -> str:
    """A fresh id that sorts after every id this process made before at or before `now`."""
    number = _maker.make(int(now.timestamp() * 1000))
    return "".join(_ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))
