"""Keys that tell who stands beside whom, so that a search needs to look nothing up to know it.

A key is made of a place, counted upwards, and one bit. What was said in a session gets odd keys, and
what was said next in it the next odd one; what belongs to no session gets an even key and has no
neighbours. A session holds a few places in advance, so that others may write in between, and the
places on either side of it stay empty as far as neighbours reach.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..domain.memory import Memory
from ..ports import REACH

ROOM = 32  # places a session holds at first, and again when they are used up
OPEN_MAX = 4  # sessions an owner may be in the middle of; more than these begin anew when they go on


class Turn(NamedTuple):
    """How far a session that is under way has come: its next place, and the first that is not its own."""

    session: str
    place: int
    end: int


def alone(place: int) -> int:
    """The key of what has no neighbours."""
    return 2 * place


def turn(place: int) -> int:
    """The key of what was said in a session."""
    return 2 * place + 1


def session_of(memory: Memory) -> str | None:
    """What a session is known by here; None for what was said in none."""
    if memory.source.session is None:
        return None
    said = f"{memory.agent or ''}\0{memory.source.session}"
    return hashlib.blake2b(said.encode(errors="surrogatepass"), digest_size=8).hexdigest()


def keyed(
    memories: Sequence[Memory], under_way: Sequence[Turn], take: Callable[[int], int]
) -> tuple[dict[str, int], tuple[Turn, ...]]:
    """A key for each of these, and how far the owner's sessions have come then. `take` reserves so many places in a
    row and gives the first; it is asked at most once."""
    names = [session_of(memory) for memory in memories]
    singles = names.count(None)
    if singles == len(names):
        first = take(singles) if singles else 0
        return {memory.id: alone(place) for place, memory in enumerate(memories, first)}, tuple(under_way)
    wanted = Counter(name for name in names if name is not None)
    going = {one.session: one for one in under_way}
    short = {name: count for name, count in wanted.items() if not _has_room(going, name, count)}
    sizes = {name: max(ROOM, count) + REACH for name, count in short.items()}
    first = take(singles + sum(sizes.values())) if singles or sizes else 0
    for name, size in sizes.items():
        before = going.pop(name, None)
        # Where nobody has written in between, what it goes on with stands beside what it came from.
        start = before.place if before is not None and before.end + REACH == first else first
        going[name] = Turn(name, start, first + size - REACH)
        first += size
    keys: dict[str, int] = {}
    for memory, session in zip(memories, names, strict=True):
        if session is None:
            keys[memory.id] = alone(first)
            first += 1
        else:
            # Put back at the end: the one that spoke last is let go of last.
            going[session] = (now := going.pop(session))._replace(place=now.place + 1)
            keys[memory.id] = turn(now.place)
    return keys, tuple(going.values())[-OPEN_MAX:]


def _has_room(going: dict[str, Turn], name: str, count: int) -> bool:
    return name in going and going[name].end - going[name].place >= count
