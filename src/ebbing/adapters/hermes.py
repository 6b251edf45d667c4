"""hermes-agent over Ebbing: its memory provider.

hermes loads providers from folders, so `$HERMES_HOME/plugins/ebbing/__init__.py` holds one line,

    from ebbing.adapters.hermes import register  # calls register_memory_provider

and its configuration says `memory.provider: ebbing`. Memories are kept in `$HERMES_HOME/ebbing.db`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ..domain.errors import Invalid
from ..engine import Engine
from ..wiring import open as open_engine
from .missing_framework import MissingFramework
from .tools import USUAL, MemoryTool, memory_tools
from .turns import Turns, said

try:
    from agent.memory_provider import MemoryProvider
except ModuleNotFoundError as error:
    raise MissingFramework("hermes-agent", "hermes-agent") from error

_PREFIX = "ebbing_"  # the core of hermes keeps some names for itself
_FILE = "ebbing.db"


class EbbingProvider(MemoryProvider):
    """Context before each turn, what was said after it, and the tools."""

    def __init__(self, engine: Engine | None = None, *, scope: str = "/", tools: Sequence[str] = USUAL) -> None:
        self._given = engine
        self._scope = scope
        self._names = tuple(tools)
        self._opened: Engine | None = None
        self._turns: Turns | None = None
        self._tools: Mapping[str, MemoryTool] = {}
        self._session = ""
        self._writes = True
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="ebbing-hermes")  # turns are learned in their order

    @property
    def name(self) -> str:
        """As the configuration names it."""
        return "ebbing"

    def is_available(self) -> bool:
        """It needs no network and no key."""
        return True

    def initialize(self, session_id: str, **given: Any) -> None:
        """Open the memory of this profile. Only the agent that talks to the user writes: what a scheduled job is told
        is nothing that the user said."""
        engine = self._given
        if engine is None:
            self._opened = engine = self._opened or open_engine(str(Path(given["hermes_home"]) / _FILE))
        if user := given.get("user_id"):
            engine = engine.for_owner(str(user))
        self._session = session_id
        self._writes = given.get("agent_context", "primary") == "primary"
        self._turns = Turns(engine, scope=self._scope)
        self._tools = {_PREFIX + tool.name: tool for tool in memory_tools(engine, self._names)}

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        """What answers the coming turn, marked as data."""
        return "" if self._turns is None else self._turns.before(query, session=session_id or self._session or None)

    def sync_turn(
        self,
        user_content: str,
        assistant_content: str,
        *,
        session_id: str = "",
        messages: Sequence[Mapping[str, Any]] | None = None,
    ) -> None:
        """Learn from a turn, behind the answer."""
        self._learn([said("user", user_content), said("assistant", assistant_content)], session_id)

    def on_pre_compress(self, messages: Sequence[Mapping[str, Any]]) -> str:
        """Messages are about to be dropped: learn from them first."""
        self._learn(list(messages), "")
        return ""

    def on_session_switch(self, new_session_id: str, **given: Any) -> None:
        """What follows belongs to another session."""
        self._session = new_session_id

    def get_tool_schemas(self) -> list[dict[str, Any]]:
        """The tools, under names of their own."""
        return [
            {"name": name, "description": tool.description, "parameters": tool.parameters}
            for name, tool in self._tools.items()
        ]

    def handle_tool_call(self, tool_name: str, args: Mapping[str, Any], **given: Any) -> str:
        """What a tool answers, as JSON."""
        if tool_name not in self._tools:
            raise Invalid(f"{tool_name!r:.60} is no tool of Ebbing; there are {', '.join(self._tools)}")
        return json.dumps({"result": self._tools[tool_name](**args)}, ensure_ascii=False)

    def shutdown(self) -> None:
        """Learn what waits, and close what was opened here."""
        self._writer.shutdown()
        if self._opened is not None:
            self._opened.close()

    def _learn(self, messages: Sequence[Any], session: str) -> None:
        if self._writes and self._turns is not None:
            self._writer.submit(self._turns.after, messages, session=session or self._session or None)


def register(ctx: Any) -> None:
    """Called by hermes when it loads the folder of the plugin."""
    ctx.register_memory_provider(EbbingProvider())
