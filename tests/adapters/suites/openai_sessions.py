"""The name of the SDK's own session, over Ebbing: what its suite is run against beside the reference."""

from __future__ import annotations

from typing import Any

import agents

import ebbing
from ebbing.adapters.openai_agents import EbbingSession


class SQLiteSession(EbbingSession):
    """One that learns from what goes into the SDK's own."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(agents.SQLiteSession(*given, **more), ebbing.open(":memory:", judge="off"))
