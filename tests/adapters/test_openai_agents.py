"""OpenAI's Agents SDK over Ebbing: the session, the filter, the tools."""

from __future__ import annotations

import asyncio
from typing import Any

from agents.run import CallModelData, ModelInputData

from ebbing.adapters.openai_agents import EbbingSession, agent_tools, recall_filter
from ebbing.engine import Engine
from tests.adapters.table import LLM, needs_llm, needs_real


class History:
    """A verbatim history in a list."""

    def __init__(self) -> None:
        self.session_id, self.session_settings, self.items = "mara", None, list[Any]()

    async def get_items(self, limit: int | None = None) -> list[Any]:
        return self.items[-limit:] if limit else list(self.items)

    async def add_items(self, items: list[Any]) -> None:
        self.items += items

    async def pop_item(self) -> Any:
        return self.items.pop() if self.items else None

    async def clear_session(self) -> None:
        self.items.clear()


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def answer(text: str) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


CALL = {"type": "function_call", "name": "recall", "arguments": "{}", "call_id": "1"}


def test_a_session_hands_on_everything_and_learns_when_the_answer_has_come(memory: Engine) -> None:
    """The history stays verbatim, calls of tools included; what the user said is remembered after the answer."""
    history = History()
    session = EbbingSession(history, memory, scope="/user/mara")

    async def turn() -> None:
        await session.add_items([user("I live in Munich with my two cats.")])
        assert memory.list() == []
        await session.add_items([CALL, answer("Noted.")])

    asyncio.run(turn())
    assert history.items == [user("I live in Munich with my two cats."), CALL, answer("Noted.")]
    assert asyncio.run(session.get_items(limit=1)) == [answer("Noted.")]
    learned = memory.list()
    assert any("Munich" in one.text for one in learned)
    assert {str(one.scope) for one in learned} == {"/user/mara"}
    assert {one.source.session for one in learned} == {"mara"}


def test_what_is_taken_back_was_not_learned(memory: Engine) -> None:
    """The SDK pops items when a run is tried again."""
    session = EbbingSession(History(), memory)

    async def turn() -> None:
        await session.add_items([user("I live in Berlin.")])
        assert await session.pop_item() == user("I live in Berlin.")
        await session.add_items([user("I live in Munich."), answer("Noted.")])

    asyncio.run(turn())
    assert [one.text for one in memory.list() if "Berlin" in one.text] == []


def test_clearing_a_session_forgets_nothing(memory: Engine) -> None:
    """A history ends; what was learned from it stays until somebody forgets it."""
    session = EbbingSession(History(), memory)

    async def turn() -> None:
        await session.add_items([user("I live in Munich."), answer("Noted.")])
        await session.clear_session()
        assert await session.get_items() == []

    asyncio.run(turn())
    assert len(memory.list()) == 1


def test_a_filter_shows_the_model_what_is_remembered_and_keeps_nothing(memory: Engine) -> None:
    """Instructions grow for this call alone; a run that asks its model twice is one use."""
    memory.remember("Mara lives in Munich")
    given = [user("where does Mara live?"), CALL]
    shown = recall_filter(memory)
    run = object()

    async def calls() -> list[ModelInputData]:
        data = [CallModelData(ModelInputData(list(given), "Be brief."), None, run) for _ in range(2)]
        return [await shown(one) for one in data]

    first, second = asyncio.run(calls())
    assert first.instructions == second.instructions
    assert first.instructions is not None
    assert first.instructions.startswith("Be brief.\n\n<ebbing-memory")
    assert "Mara lives in Munich" in first.instructions
    assert first.input == given
    assert [one.recall_count for one in memory.list()] == [1]


def test_without_an_answer_the_instructions_stay_as_they_are(memory: Engine) -> None:
    """Nothing remembered is nothing said."""
    data = CallModelData(ModelInputData([user("hello")], None), None, None)
    assert asyncio.run(recall_filter(memory)(data)).instructions is None


def test_tools_are_not_strict_and_answer_mistakes(memory: Engine) -> None:
    """A strict schema would demand every parameter."""
    tools = {tool.name: tool for tool in agent_tools(memory)}
    assert not tools["recall"].strict_json_schema
    memory.remember("Mara lives in Munich")
    told = asyncio.run(tools["recall"].on_invoke_tool(None, '{"query": "where does Mara live?"}'))
    assert "Munich" in told
    assert "not a JSON object" in asyncio.run(tools["recall"].on_invoke_tool(None, "[1"))
    assert asyncio.run(tools["recall"].on_invoke_tool(None, "")).startswith("invalid: ")


@needs_real
def test_a_run_recalls_and_learns(memory: Engine) -> None:
    """With the SDK's runner, its SQLite session and its scripted model."""
    from agents import Agent, RunConfig, Runner, SQLiteSession
    from agents.memory import Session
    from agents.testing import ScriptedModel, assistant_message, function_call

    memory.remember("Mara lives in Munich", scope="/user/mara")
    model = ScriptedModel(
        [[function_call("recall", {"query": "Munich"}, call_id="1")], [assistant_message("In Munich.")]]
    )
    agent = Agent(name="helper", instructions="Be brief.", model=model, tools=agent_tools(memory))
    session = EbbingSession(SQLiteSession("mara"), memory, scope="/user/mara")
    assert isinstance(session, Session)
    config = RunConfig(call_model_input_filter=recall_filter(memory, scope="/user/mara"), tracing_disabled=True)

    async def run() -> list[Any]:
        question = "where do I live? My dog is called Rex."
        result = await Runner.run(agent, question, session=session, run_config=config)
        assert result.final_output == "In Munich."
        return await session.get_items()

    kept = asyncio.run(run())
    assert [call.system_instructions.count("<ebbing-memory") for call in model.calls] == [1, 1]
    assert "<ebbing-memory" not in str([item for item in kept if item.get("type") != "function_call_output"])
    assert any("Rex" in one.text for one in memory.list(scope="/user/mara"))


@needs_llm
def test_a_real_model_is_told_in_one_session_what_was_said_in_another(memory: Engine) -> None:
    """End to end with a model of 135 million parameters behind a real server. What it answers is not judged; what
    reaches it, and that nothing of it is kept in a session, is."""
    from agents import Agent, ModelSettings, OpenAIChatCompletionsModel, RunConfig, Runner, SQLiteSession
    from openai import AsyncOpenAI

    shown: list[str] = []
    remembered = recall_filter(memory, scope="/user/mara")

    async def looked(data: Any) -> Any:
        given = await remembered(data)
        shown.append(given.instructions or "")
        return given

    config = RunConfig(call_model_input_filter=looked, tracing_disabled=True)

    async def talk() -> list[Any]:
        kept: list[Any] = []
        async with AsyncOpenAI(base_url=LLM, api_key="none", timeout=600) as client:
            model = OpenAIChatCompletionsModel("smollm2", client)
            agent = Agent(name="helper", model=model, model_settings=ModelSettings(max_tokens=24))
            for name, text in (("one", "I live in Munich with my two cats."), ("two", "Where do I live with my cats?")):
                session = EbbingSession(SQLiteSession(name), memory, scope="/user/mara")
                result = await Runner.run(agent, text, session=session, run_config=config)
                assert result.final_output
                kept += await session.get_items()
        return kept

    kept = asyncio.run(talk())
    assert shown[0] == ""
    assert "Munich" in shown[1]
    assert "<ebbing-memory" not in str(kept)
