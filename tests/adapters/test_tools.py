"""The one list of tools that every framework gets, and one turn of an agent."""

from __future__ import annotations

import asyncio

import pytest

from ebbing import Invalid
from ebbing.adapters.tools import OFFERED, USUAL, memory_tools
from ebbing.adapters.turns import Turns, last_question, said
from ebbing.engine import Engine


def test_the_tools_are_those_that_are_declared(memory: Engine) -> None:
    """Name, description and schema come from the declaration, so no framework has its own."""
    tools = memory_tools(memory, list(OFFERED))
    assert [tool.name for tool in tools] == list(OFFERED)
    for tool in tools:
        assert tool.parameters == OFFERED[tool.name].schema
        assert tool.description == OFFERED[tool.name].about
    assert "memory" not in OFFERED  # a name that some frameworks keep for themselves
    assert "purge" not in OFFERED


def test_a_model_remembers_and_recalls(memory: Engine) -> None:
    """Answers are text, marked as data; null stands for what is left out."""
    recall, remember, *_ = memory_tools(memory)
    assert remember(text="Mara prefers short answers", category=None).count("Mara")
    assert "Mara prefers short answers" in recall(query="how does Mara like her answers?")
    [kept] = memory.list()
    assert (kept.source.kind, kept.trust) == ("agent", 0.8)


def test_a_mistake_of_a_model_is_an_answer(memory: Engine) -> None:
    """Nothing that a model sends breaks the loop of an agent."""
    recall, *_ = memory_tools(memory)
    assert recall().startswith("invalid: recall needs query")
    assert recall(query="x", limit="many").startswith("invalid: ")
    assert recall(query="x", speed=3).startswith("invalid: recall has no parameter speed")


def test_a_model_cannot_erase_and_a_query_only_shows(memory: Engine) -> None:
    """Forgetting by a question is a dry run first, and restore undoes what was done."""
    forget = next(tool for tool in memory_tools(memory) if tool.name == "forget")
    memory.remember("Mara prefers short answers")
    forget(query="Mara prefers short answers")
    assert len(memory.list()) == 1


def test_an_unknown_tool_is_refused(memory: Engine) -> None:
    """It says which there are."""
    with pytest.raises(Invalid, match="there is no tool purge for models; choose of remember"):
        memory_tools(memory, ["purge"])
    assert set(USUAL) <= set(OFFERED)


def test_calls_from_a_loop_do_not_block_it(memory: Engine) -> None:
    """Each runs in a thread."""
    _, remember, *_ = memory_tools(memory)

    async def several() -> list[str]:
        return await asyncio.gather(*(remember.in_thread(text=f"Mara has {n} cats") for n in range(2, 6)))

    assert len(asyncio.run(several())) == 4


def test_a_question_of_one_run_is_one_use(memory: Engine) -> None:
    """A run asks its model many times, and frameworks ask for the context before each."""
    memory.remember("Mara prefers short answers")
    turns = Turns(memory)
    texts = {turns.before("how does Mara like her answers?", run="run-1") for _ in range(3)}
    assert len(texts) == 1
    assert "Mara prefers short answers" in texts.pop()
    [kept] = memory.list()
    assert kept.recall_count == 1
    assert turns.before("  ") == ""


def test_the_same_conversation_twice_is_learned_once(memory: Engine) -> None:
    """Frameworks hand the whole conversation over after each run; strength must not grow from that."""
    turns = Turns(memory, scope="/user/mara")
    messages = [said("user", "I live in Munich with my two cats."), said("assistant", "Noted.")]
    turns.after(messages, session="s")
    before = [(one.text, one.recall_count) for one in memory.list()]
    turns.after(messages, session="s")
    assert [(one.text, one.recall_count) for one in memory.list()] == before != []
    assert {str(one.scope) for one in memory.list()} == {"/user/mara"}


def test_what_was_placed_before_a_model_is_not_learned_back(memory: Engine) -> None:
    """A framework may keep the context as a message; Ebbing knows its own marks."""
    memory.remember("Mara prefers short answers")
    turns = Turns(memory)
    text = turns.before("how does Mara like her answers?")
    turns.after([said("user", text)])
    assert [one.text for one in memory.list()] == ["Mara prefers short answers"]


def test_context_comes_from_one_scope_and_goes_to_another(memory: Engine) -> None:
    """Writing and reading may be apart: an agent learns about a project and reads what the whole company knows."""
    memory.remember("The office is in Porto", scope="/company")
    turns = Turns(memory, scope="/company/project", read_scope="/company")
    assert "Porto" in turns.before("where is the office?")
    turns.after([said("user", "Our project is called Falcon.")])
    assert [str(one.scope) for one in memory.list(scope="/company/project")] == ["/company/project"]


def test_the_question_is_what_the_user_said_last() -> None:
    """Not what a model or a tool said after it."""
    messages = [said("user", "first"), said("assistant", "a"), said("user", "second"), said("assistant", "b")]
    assert last_question(messages) == "second"
    assert last_question([]) == ""
