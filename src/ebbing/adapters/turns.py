"""One turn of an agent: context before it runs, and what was said after it ran.

A run may ask its model many times, and a framework may ask for context before each: that is one use of a memory, so
within a run the same question gets the same text. What was said is handed to `Engine.observe`, which knows a message
again: a conversation may be handed over as often as a framework likes.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

from ..domain.results import Remembered
from ..engine import Engine

_RUNS_MOST = 256  # that are at work at once; an older one asks again


class Turns:
    """The turns of the agents that share one memory."""

    def __init__(
        self, engine: Engine, *, scope: str = "/", read_scope: str | None = None, budget_tokens: int = 1000
    ) -> None:
        self.engine = engine
        self.scope = scope  # where what is said is kept …
        self.read_scope = read_scope or scope  # … and where context comes from
        self.budget_tokens = budget_tokens
        self._texts: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._guard = threading.Lock()

    def before(self, question: str, *, run: str | None = None, session: str | None = None) -> str:
        """What to place before the model, marked as data; "" where there is nothing. `run` names the agent's run."""
        if not question.strip():
            return ""
        key = None if run is None else (run, question)
        with self._guard:
            if key is not None and key in self._texts:
                return self._texts[key]
        text = self.engine.context(
            question, budget_tokens=self.budget_tokens, scope=self.read_scope, session=session
        ).text
        if key is not None:
            with self._guard:
                self._texts[key] = text
                while len(self._texts) > _RUNS_MOST:
                    self._texts.popitem(last=False)
        return text

    def after(self, messages: Iterable[Any], *, session: str | None = None) -> Remembered:
        """Learn from messages with a role and a content, as far as they were not observed before."""
        return self.engine.observe(list(messages), scope=self.scope, session=session)

    async def before_in_thread(self, question: str, *, run: str | None = None, session: str | None = None) -> str:
        """`before`, for an event loop."""
        return await asyncio.to_thread(self.before, question, run=run, session=session)

    async def after_in_thread(self, messages: Iterable[Any], *, session: str | None = None) -> Remembered:
        """`after`, for an event loop."""
        return await asyncio.to_thread(self.after, list(messages), session=session)


def said(role: str, text: str) -> dict[str, str]:
    """One message as `after` reads it."""
    return {"role": role, "content": text}


def last_question(messages: Iterable[dict[str, str]]) -> str:
    """What the user said last; a tool's answer after it is no question."""
    texts = [one["content"] for one in messages if one["role"] == "user"]
    return texts[-1] if texts else ""
