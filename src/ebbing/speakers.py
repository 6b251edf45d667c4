"""Who speaks in a text: a name in front of it ("Alice: …"), or the actor of its source."""

from __future__ import annotations

import re

from .model import Memory

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


def same_speaker(memory: Memory, text: str, actor: str | None) -> bool:
    """Whether a stored memory and a new text may be the words of one speaker: nothing says that they are of two."""
    return not (_differ(memory.source.actor, actor) or _differ(speaker_in(memory.text), speaker_in(text)))


def _differ(one: str | None, other: str | None) -> bool:
    return None not in (one, other) and one != other
