"""Google's Agent Development Kit over Ebbing: the memory service and the tools."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from google.adk.memory.memory_entry import MemoryEntry
from google.genai import types

from ebbing import NotFound
from ebbing.adapters.adk import EbbingMemoryService, agent_tools
from ebbing.engine import Engine
from tests.adapters.table import needs_real


def event(id: str, author: str, *texts: str, thought: bool = False, partial: bool = False) -> Any:
    parts = [types.Part(text=text, thought=thought) for text in texts] + [types.Part()]
    return SimpleNamespace(id=id, author=author, content=types.Content(parts=parts), timestamp=1.767e9, partial=partial)


def session(*events: Any, app: str = "app", user: str = "mara") -> Any:
    return SimpleNamespace(id="s1", app_name=app, user_id=user, events=list(events))


LIVES = event("e1", "user", "I live in Munich.")


def found(service: EbbingMemoryService, query: str, app: str = "app", user: str = "mara") -> list[Any]:
    return asyncio.run(service.search_memory(app_name=app, user_id=user, query=query)).memories


def test_a_session_added_again_changes_nothing(memory: Engine) -> None:
    """ADK adds a session many times during its life; strength must not grow from that."""
    service = EbbingMemoryService(memory)
    for _ in range(3):
        asyncio.run(service.add_session_to_memory(session(LIVES, event("e2", "helper", "Noted."))))
    [learned] = memory.list()
    assert ("Munich" in learned.text, learned.recall_count) == (True, 0)


def test_thoughts_pieces_and_calls_are_not_learned(memory: Engine) -> None:
    """Only what was said, and said to its end."""
    service = EbbingMemoryService(memory)
    unsaid = [
        event("e1", "user", "I live in Rome.", thought=True),
        event("e2", "user", "I live in Par", partial=True),
        event("e3", "helper"),
        SimpleNamespace(id="e4", author="user", content=None, timestamp=0.0, partial=None),
    ]
    asyncio.run(service.add_session_to_memory(session(*unsaid)))
    assert memory.list() == []


def test_what_was_deleted_stays_deleted(memory: Engine) -> None:
    """Also when its session is added again; and restore brings it back."""
    service = EbbingMemoryService(memory)
    asyncio.run(service.add_session_to_memory(session(LIVES)))
    [entry] = found(service, "who lives in Munich?")
    asyncio.run(service.delete_memory(app_name="app", user_id="mara", memory_id=entry.id))
    asyncio.run(service.add_session_to_memory(session(LIVES)))
    assert found(service, "who lives in Munich?") == []
    memory.restore(entry.id)
    assert len(found(service, "who lives in Munich?")) == 1


def test_users_and_apps_are_apart_whatever_they_are_called(memory: Engine) -> None:
    """`app/x` with `u` is not `app` with `x/u`; and nobody deletes what is another's."""
    service = EbbingMemoryService(memory)
    asyncio.run(service.add_session_to_memory(session(LIVES, app="app/x", user="u")))
    assert len(found(service, "who lives in Munich?", "app/x", "u")) == 1
    assert found(service, "who lives in Munich?", "app", "x/u") == []
    assert found(service, "who lives in Munich?", "app", "x") == []
    [kept] = memory.list()
    with pytest.raises(NotFound, match="has no memory"):
        asyncio.run(service.delete_memory(app_name="app", user_id="x/u", memory_id=kept.id))
    with pytest.raises(NotFound, match="needs the id"):
        asyncio.run(service.delete_memory(app_name="app", user_id="x/u"))


def test_a_question_before_each_request_is_one_use(memory: Engine) -> None:
    """`preload_memory` asks before every request of a run."""
    service = EbbingMemoryService(memory)
    texts = [types.Content(parts=[types.Part(text="Mara lives in Munich")])]
    memories = [MemoryEntry(content=content) for content in texts]
    asyncio.run(service.add_memory(app_name="app", user_id="mara", memories=memories))
    for _ in range(4):
        [entry] = found(service, "who lives in Munich?")
    assert (entry.content.parts[0].text, entry.author) == ("Mara lives in Munich", "user")
    assert [one.recall_count for one in memory.list()] == [1]
    assert found(service, " ") == []


def test_the_tools_tell_their_schema_and_answer(memory: Engine) -> None:
    """As a declaration of the API."""
    recall, remember, *_ = agent_tools(memory)
    asyncio.run(remember.run_async(args={"text": "Mara lives in Munich"}, tool_context=None))
    told = asyncio.run(recall.run_async(args={"query": "who lives in Munich?"}, tool_context=None))
    assert "Munich" in told["result"]
    assert recall._get_declaration().parameters_json_schema["required"] == ["query"]


@needs_real
def test_sessions_and_events_of_adk_are_learned(memory: Engine) -> None:
    """With ADK's own classes."""
    from google.adk.events.event import Event
    from google.adk.sessions.session import Session

    said = types.Content(role="user", parts=[types.Part(text="I live in Munich.")])
    called = types.Part(function_call=types.FunctionCall(name="f", args={}))
    events = [
        Event(author="user", invocation_id="i", content=said),
        Event(author="helper", invocation_id="i", content=types.Content(role="model", parts=[called])),
    ]
    service = EbbingMemoryService(memory)
    for _ in range(2):
        asyncio.run(service.add_session_to_memory(Session(id="s", app_name="app", user_id="mara", events=events)))
    assert [entry.timestamp[:4] for entry in found(service, "who lives in Munich?")] != []
    assert len(memory.list()) == 1
