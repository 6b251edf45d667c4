"""One request of a page: who asks, for what, in which language, and the engine that answers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

from ...domain.errors import Invalid
from ...domain.memory import instant
from ...engine import Engine
from ..access import Caller, ToolDispatcher
from ..tools import Right
from .wording import Wording

PAGE_ROWS = 50
_TRUTH = {"true": True, "false": False, "on": True, "yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class Visit:
    """What a page is given."""

    dispatcher: ToolDispatcher
    caller: Caller
    wording: Wording
    path: str
    query: Mapping[str, list[str]] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)  # of the path
    worker: bool = False  # whether this server sweeps

    @property
    def engine(self) -> Engine:
        """The memories of whoever asks, with their rights."""
        return self.dispatcher.engine(self.caller)

    def may(self, right: Right) -> bool:
        return right in self.caller.rights

    def call(self, tool: str, **arguments: Any) -> Any:
        """A tool's answer; what the caller may not do is denied."""
        return self.dispatcher.call(tool, arguments, self.caller)

    # What is asked, out of the address. Nothing and an empty text are the same: a form sends every field.

    def text(self, name: str) -> str | None:
        given = [value.strip() for value in self.query.get(name, ()) if value.strip()]
        return given[0] if given else None

    def texts(self, name: str) -> list[str] | None:
        given = [part.strip() for value in self.query.get(name, ()) for part in value.split(",") if part.strip()]
        return given or None

    def truth(self, name: str) -> bool | None:
        text = self.text(name)
        if text is None:
            return None
        if text not in _TRUTH:
            raise Invalid(f"{name} is neither true nor false")
        return _TRUTH[text]

    def count(self, name: str, default: int, most: int, least: int = 1) -> int:
        text = self.text(name)
        if text is None:
            return default
        if not (text.isascii() and text.isdigit() and len(text) < 20):
            raise Invalid(f"{name} is not a whole number")
        return min(max(int(text), least), most)

    def share(self, name: str) -> float | None:
        text = self.text(name)
        if text is None:
            return None
        try:
            value = float(text.replace(",", "."))
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise Invalid(f"{name} is not a number")
        return value

    def instant(self, name: str) -> datetime | None:
        text = self.text(name)
        return None if text is None else instant(text)

    def address(self, path: str | None = None, **changed: Any) -> str:
        """This address with some of its query changed; None takes a part away."""
        query = {name: values for name, values in self.query.items() if name not in NOT_KEPT}
        query |= {name: [str(value)] for name, value in changed.items() if value is not None}
        kept = [(name, value) for name, values in query.items() for value in values if value]
        kept = [(name, value) for name, value in kept if changed.get(name, "") is not None]
        target = self.path if path is None else path
        return f"{target}?{urlencode(kept)}" if kept else target


# What tells of an action that was done; no part of what a page shows.
NOT_KEPT = ("did", "batch", "count", "ids", "note")


def local_address(address: str | None) -> str:
    """An address of ours, to go to; the first page where it is none."""
    if address is None or not address.startswith("/") or address.startswith(("//", "/\\")):
        return "/"
    if any(letter < " " or letter == "\\" for letter in address) or urlsplit(address).netloc:
        return "/"
    return address
