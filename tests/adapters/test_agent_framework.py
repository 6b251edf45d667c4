"""Microsoft's Agent Framework over Ebbing: the context provider and the tools."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from ebbing.adapters.agent_framework import EbbingProvider, agent_tools
from ebbing.engine import Engine
from tests.adapters.table import needs_real


def message(role: str, text: str, id: str | None = None) -> Any:
    return SimpleNamespace(role=role, text=text, message_id=id)


class Context(SimpleNamespace):
    """What a provider is given."""

    def extend_instructions(self, source_id: str, text: str) -> None:
        self.instructions.append((source_id, text))


def run(provider: EbbingProvider, *said: Any, answered: Any = None) -> Context:
    context = Context(input_messages=list(said), instructions=[], session_id="s", response=answered)
    given: Any = {"agent": None, "session": None, "context": context, "state": {}}
    asyncio.run(provider.before_run(**given))
    asyncio.run(provider.after_run(**given))
    return context


def test_a_run_gets_context_and_is_learned_once(memory: Engine) -> None:
    """Instructions are of this run alone; the state that a session keeps stays empty."""
    memory.remember("Mara lives in Munich", scope="/user/mara")
    provider = EbbingProvider(memory, scope="/user/mara")
    said = message("user", "where does Mara live? My dog is called Rex.", "m1")
    answer = SimpleNamespace(messages=[message("assistant", "In Munich.", "m2"), message("tool", "42")])
    context = run(provider, said, answered=answer)
    [(source, text)] = context.instructions
    assert (source, "Munich" in text) == ("ebbing", True)
    before = sorted((one.text, str(one.scope)) for one in memory.list())
    assert any("Rex" in text for text, _ in before)
    run(provider, said, answered=answer)
    assert sorted((one.text, str(one.scope)) for one in memory.list()) == before


def test_nothing_remembered_is_nothing_added(memory: Engine) -> None:
    """And a run that failed has no response."""
    assert run(EbbingProvider(memory), message("user", "hello there")).instructions == []


def test_reading_and_writing_may_be_apart(memory: Engine) -> None:
    """What one project learns is not read by another."""
    provider = EbbingProvider(memory, scope="/project/a", read_scope="/company")
    run(provider, message("user", "Our project is called Falcon.", "m1"))
    assert [str(one.scope) for one in memory.list()] == ["/project/a"]
    assert run(provider, message("user", "which project is called Falcon?", "m2")).instructions == []


def test_the_tools_tell_their_schema(memory: Engine) -> None:
    """As it is declared."""
    recall = agent_tools(memory)[0]
    memory.remember("Mara lives in Munich")
    assert "Munich" in asyncio.run(recall.func(query="where does Mara live?"))
    assert recall.parameters()["required"] == ["query"]


@needs_real
def test_an_agent_recalls_and_learns(memory: Engine) -> None:
    """With the framework's agent and a fake client."""
    from agent_framework import Agent, BaseChatClient, ChatResponse, Message

    seen: list[Any] = []

    class Client(BaseChatClient):
        async def _inner_get_response(self, *, messages: Any, stream: Any, options: Any, **given: Any) -> Any:
            seen.append((list(messages), options.get("instructions")))
            return ChatResponse(messages=[Message("assistant", ["In Munich."])])

    memory.remember("Mara lives in Munich")
    agent = Agent(client=Client(), instructions="Be brief.", context_providers=[EbbingProvider(memory)])
    answered = asyncio.run(agent.run("where does Mara live? My dog is called Rex."))
    assert answered.text == "In Munich."
    assert "<ebbing-memory" in seen[0][1]
    assert [one.text for one in seen[0][0]] == ["where does Mara live? My dog is called Rex."]
    assert any("Rex" in one.text for one in memory.list())
