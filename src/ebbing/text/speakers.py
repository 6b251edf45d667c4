"""Who speaks in a text: a name in front of it ("Alice: …"), or the actor of its source."""

from __future__ import annotations

import re

from ..domain.memory import Memory

_NAME = r"[^\W\d_a-z][\w.'’-]*"
_LABEL = re.compile(rf"(?P<name>{_NAME}(?: {_NAME}){{0,2}}): +\S")
# Words that open a note and name no speaker.
_NO_SPEAKERS = frozenset(
    "note notes todo update fyi ps re warning reminder correction edit status summary decision result answer question "
    "user assistant approved".split()
)


def speaker_in(text: str) -> str | None:
    """The name that a text puts before what is said ("Alice: …"), in lower case; None when there is none."""
    found = _LABEL.match(text)
    name = None if found is None else found["name"].casefold()
    return None if name in _NO_SPEAKERS else name


def same_actor(memory: Memory, actor: str | None) -> bool:
    """Whether a memory may come from this actor: nothing says that it comes from another."""
    return None in (memory.source.actor, actor) or memory.source.actor == actor


def name_different_speakers(one: str, other: str) -> bool:
    """Whether two texts begin with the names of two speakers."""
    names = (speaker_in(one), speaker_in(other))
    return None not in names and names[0] != names[1]
