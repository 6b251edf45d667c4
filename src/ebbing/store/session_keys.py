"""Row keys that encode which memories are neighbours in a session, so that a search needs no lookup for it.

A key is a position, counted upwards, and one bit. Memories of a session get odd keys, consecutive ones two apart;
memories of no session get even keys and have no neighbours. A session reserves a few positions in advance, so that
other writers may come in between, and the positions around them stay empty as far as neighbours reach.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..domain.memory import Memory
from ..ports import REACH

ROOM = 32  # positions that a session reserves at a time
OPEN_MAX = 4  # open sessions of an owner; older ones reserve a new range when they continue


class Turn(NamedTuple):
    """The state of an open session: its next position, and the first one after its reserved range."""

    session: str
    place: int
    end: int


def alone(place: int) -> int:
    """The key of a memory without a session."""
    return 2 * place


def turn(place: int) -> int:
    """The key of a memory of a session."""
    return 2 * place + 1


def session_of(memory: Memory) -> str | None:
    """The name of a memory's session in keys; None without a session."""
    if memory.source.session is None:
        return None
    name = f"{memory.agent or ''}\0{memory.source.session}"
    return hashlib.blake2b(name.encode(errors="surrogatepass"), digest_size=8).hexdigest()


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
        # If nothing was written in between, the new range continues the old one.
        start = before.place if before is not None and before.end + REACH == first else first
        going[name] = Turn(name, start, first + size - REACH)
        first += size
    keys: dict[str, int] = {}
    for memory, session in zip(memories, names, strict=True):
        if session is None:
            keys[memory.id] = alone(first)
            first += 1
        else:
            # Moved to the end: the most recently used session is dropped last.
            going[session] = (now := going.pop(session))._replace(place=now.place + 1)
            keys[memory.id] = turn(now.place)
    return keys, tuple(going.values())[-OPEN_MAX:]


def _has_room(going: dict[str, Turn], name: str, count: int) -> bool:
    return name in going and going[name].end - going[name].place >= count
