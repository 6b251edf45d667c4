"""Regular expressions that are compiled when they are first asked.

There are hundreds of them, compiling them all took a quarter of every start, and most commands ask but a few.
"""

from __future__ import annotations

import re
from typing import Any, cast


def lazily(written: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives, as soon as something is wanted of it."""
    return cast("re.Pattern[str]", _Uncompiled(written, flags))


class _Uncompiled:
    """A pattern until it is asked; each of its methods stands here from the first time on, as quick to reach."""

    def __init__(self, written: str, flags: int) -> None:
        self.pattern = written
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)  # what copies or pickles asks for these, before there is anything to compile
        found = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, found)
        return found
