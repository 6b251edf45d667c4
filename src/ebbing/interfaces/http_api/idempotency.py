"""`Idempotency-Key`: asked twice, done once, answered the same.

The answers are kept in memory alone, a bounded number of them for a day. They hold what memories say, and a purge must
leave none of it: in memory it is enough to drop them, and a purge does. So they do not outlast the server; whoever
repeats a request after a restart may have it done again, which for most verbs (what is known already is strengthened)
changes little.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections import OrderedDict
from dataclasses import dataclass, replace

from .problems import HttpError

KEPT_SECONDS = 24 * 3600.0
KEPT_MOST = 10_000
KEPT_BYTES_MOST = 32_000_000
KEY = re.compile(r"[!-~]{1,255}")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer ready to be sent."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


@dataclass(frozen=True, slots=True)
class Slot:
    """One key of one caller: what was asked under it, and what was answered once that is known."""

    owner: str
    place: tuple[str, str]
    asked: bytes
    since: float
    purges: int
    answer: Answer | None = None


class IdempotencyStore:
    """Answers by caller and key. Used on the event loop alone."""

    def __init__(self) -> None:
        self._slots: OrderedDict[tuple[str, str], Slot] = OrderedDict()
        self._bytes = 0
        self._purges = 0

    def begin(self, owner: str, caller: str, key: str, asked: bytes) -> Slot:
        """A place for the answer, or the answer itself where it was given before."""
        if not KEY.fullmatch(key):
            raise HttpError(400, "an Idempotency-Key has up to 255 visible ASCII characters")
        now = time.monotonic()
        self._drop_old(now)
        digest = hashlib.sha256(asked).digest()
        place = (caller, key)
        known = self._slots.get(place)
        if known is None:
            slot = Slot(owner, place, digest, now, self._purges)
            self._slots[place] = slot
            return slot
        if known.asked != digest:
            raise HttpError(422, "this Idempotency-Key was used for another request; take a new one for a new request")
        if known.answer is None:
            raise HttpError(409, "the first request with this Idempotency-Key is still being answered; wait for it")
        return known

    def keep(self, slot: Slot, answer: Answer) -> None:
        """The answer to give again; not when a purge came in between, since it may say what was purged."""
        if self._slots.get(slot.place) is not slot or slot.purges != self._purges:
            self.drop(slot)
            return
        self._slots[slot.place] = replace(slot, answer=answer)
        self._bytes += len(answer.body)
        self._drop_old(time.monotonic())

    def drop(self, slot: Slot) -> None:
        """It came to nothing: the next one with this key is the first."""
        if self._slots.get(slot.place) is slot:
            del self._slots[slot.place]

    def purge(self, owner: str) -> None:
        """Nothing that was said to this owner's callers is left here."""
        self._purges += 1
        for slot in [slot for slot in self._slots.values() if slot.owner == owner and slot.answer is not None]:
            self._take(slot)

    def _take(self, slot: Slot) -> None:
        del self._slots[slot.place]
        self._bytes -= len(slot.answer.body) if slot.answer is not None else 0

    def _drop_old(self, now: float) -> None:
        while self._slots:
            oldest = next(iter(self._slots.values()))
            full = len(self._slots) > KEPT_MOST or self._bytes > KEPT_BYTES_MOST
            if not full and now - oldest.since < KEPT_SECONDS:
                return
            self._take(oldest)
