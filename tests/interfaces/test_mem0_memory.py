"""`ebbing.compat.mem0` beside what mem0ai 2.2.1 answered to the same calls (tests/fixtures/mem0_answers.json)."""

from __future__ import annotations

import asyncio
import inspect
import json
import uuid
from pathlib import Path
from typing import Any

import pytest

from ebbing.compat.mem0 import AsyncMemory, Memory, MissingMemory, MissingOwner
from ebbing.domain.errors import Invalid
from ebbing.engine import Engine
from ebbing.testing import FrozenClock
from tests.conftest import OpenEngine
from tests.tables import each_row

RECORDED = json.loads((Path(__file__).parent.parent / "fixtures" / "mem0_answers.json").read_text("utf-8"))
UNKNOWN = "00000000-0000-0000-0000-000000000000"
TALK = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Mara lives in Berlin"},
    {"role": "assistant", "content": "Berlin is noted."},
]


@pytest.fixture
def memory(engine: Engine) -> Memory:
    return Memory(engine)


def shape(answer: Any) -> Any:
    """The keys and kinds of an answer, without its values."""
    if isinstance(answer, dict):
        return {key: shape(value) for key, value in answer.items()}
    if isinstance(answer, list):
        return [shape(one) for one in answer]
    return "number" if isinstance(answer, int | float) and not isinstance(answer, bool) else type(answer).__name__


def said(answer: dict[str, Any]) -> set[str]:
    return {one["memory"] for one in answer["results"]}


def test_every_answer_has_the_shape_of_mem0s(memory: Memory) -> None:
    """A program that reads mem0's answers reads these."""
    owner = {"user_id": "mara", "agent_id": "guide", "run_id": "trip-1"}
    answers: dict[str, Any] = {"add": memory.add(TALK, **owner, metadata={"topic": "home"}, infer=False)}
    id_ = answers["add"]["results"][0]["id"]
    answers["get"] = memory.get(id_)
    answers["search"] = memory.search("Where does Mara live? Berlin noted", filters={"user_id": "mara"}, threshold=0.0)
    answers["get_all"] = memory.get_all(filters={"agent_id": "guide"})
    answers["update"] = memory.update(id_, "Mara lives in Munich")
    answers["get_updated"] = memory.get(id_)
    answers["delete"] = memory.delete(id_)
    answers["get_deleted"] = memory.get(id_)
    answers["history"] = memory.history(id_)
    answers["history_unknown"] = memory.history(UNKNOWN)
    answers["delete_all"] = memory.delete_all(user_id="mara")
    answers["get_all_after"] = memory.get_all(filters={"user_id": "mara"})
    wanted = RECORDED["answers"]
    assert {name: shape(one) for name, one in answers.items()} == {name: shape(one) for name, one in wanted.items()}
    events = [(one["event"], one["old_memory"], one["new_memory"], one["is_deleted"]) for one in answers["history"]]
    recorded = [(one["event"], one["old_memory"], one["new_memory"], one["is_deleted"]) for one in wanted["history"]]
    assert events == recorded
    assert answers["get"]["hash"] == wanted["get"]["hash"]


def test_an_id_is_for_life(memory: Memory) -> None:
    """Ebbing writes a new memory for a new text; who holds mem0's id does not notice."""
    id_ = memory.add("Mara lives in Berlin", user_id="mara", infer=False)["results"][0]["id"]
    assert str(uuid.UUID(id_)) == id_
    for text in ("Mara lives in Munich", "Mara lives in Porto"):
        memory.update(id_, data=text)
    found = memory.get(id_)
    assert found is not None
    assert (found["id"], found["memory"]) == (id_, "Mara lives in Porto")
    assert said(memory.get_all(user_id="mara")) == {"Mara lives in Porto"}
    assert [one["new_memory"] for one in memory.history(id_)][-1] == "Mara lives in Porto"
    memory.update(id_, metadata={"topic": "home", "mem0_id": UNKNOWN})
    assert memory.get_all(user_id="mara")["results"][0]["id"] == id_


def test_both_generations_of_calls_are_understood(memory: Memory) -> None:
    """Version 1 names the user in the call, version 2 in filters."""
    memory.add("Mara lives in Berlin", user_id="mara", infer=False)
    one = memory.search("Where does Mara live?", user_id="mara", limit=5, threshold=0.0)
    two = memory.search("Where does Mara live?", filters={"user_id": "mara"}, top_k=5, threshold=0.0)
    assert said(one) == said(two) == {"Mara lives in Berlin"}
    assert said(memory.get_all(user_id="mara")) == said(memory.get_all(filters={"user_id": "mara"}))
    assert memory.add(messages=TALK[1:2], filters={"user_id": "tom"}, infer=False)["results"]


def test_any_of_the_three_finds_and_users_never_mix(memory: Memory) -> None:
    """The same words of two users are two memories; an agent's are found without the user."""
    for user in ("mara", "tom", "mara/..%2Ftom"):
        memory.add("The badge is blue", user_id=user, agent_id=f"of {user}", infer=False)
    memory.add("The gate closes at ten", agent_id="guard", run_id="night", infer=False)
    assert [one["user_id"] for one in memory.get_all(user_id="tom")["results"]] == ["tom"]
    assert [one["user_id"] for one in memory.get_all(agent_id="of mara")["results"]] == ["mara"]
    assert said(memory.get_all(run_id="night")) == {"The gate closes at ten"}
    memory.delete_all(user_id="mara")
    assert memory.get_all(user_id="mara") == {"results": []}
    assert len(memory.get_all(user_id="tom")["results"]) == 1
    assert len(memory.get_all(user_id="mara/..%2Ftom")["results"]) == 1


@each_row(
    "condition, found",
    [
        ({"topic": "home"}, {"a"}),
        ({"topic": {"in": ["home", "food"]}}, {"a", "b"}),
        ({"count": {"gte": 2}}, {"b"}),
        ({"count": {"gt": "x"}}, set()),
        ({"topic": {"ne": "home"}}, {"b", "c"}),
        ({"topic": {"icontains": "HO"}}, {"a"}),
        ({"topic": "*"}, {"a", "b"}),
        ({"OR": [{"topic": "food"}, {"count": 1}]}, {"a", "b"}),
        ({"NOT": [{"topic": "home"}]}, {"b", "c"}),
        ({"AND": [{"topic": "home"}, {"count": {"lt": 2}}]}, {"a"}),
        ({"user_id": "tom"}, set()),
    ],
)
def test_filters_are_mem0s(condition: dict[str, Any], found: set[str], memory: Memory) -> None:
    """Conditions on metadata, all of which must hold."""
    for text, metadata in {"a": {"topic": "home", "count": 1}, "b": {"topic": "food", "count": 2}, "c": None}.items():
        memory.add(f"Note {text} about the harbour {text}", user_id="mara", metadata=metadata, infer=False)
    held = memory.get_all(user_id="mara", filters=condition)
    assert {one["memory"].rpartition(" ")[2] for one in held["results"]} == found
    searched = memory.search("a note about the harbour", user_id="mara", filters=condition, threshold=0.0)
    assert {one["memory"].rpartition(" ")[2] for one in searched["results"]} == found


def test_what_cannot_be_meant_is_refused_as_a_value_error(memory: Memory) -> None:
    """mem0 raises ValueError; so do these, of Ebbing's own tree."""
    assert issubclass(MissingOwner, ValueError)
    assert issubclass(MissingMemory, ValueError)
    for call in (
        lambda: memory.add("x"),
        lambda: memory.search("x", filters={}),
        lambda: memory.get_all(filters={"AND": [{"user_id": "mara"}]}),
        memory.delete_all,
    ):
        with pytest.raises(MissingOwner, match="at least one of user_id, agent_id, run_id"):
            call()
    for missing in (lambda: memory.delete(UNKNOWN), lambda: memory.update(UNKNOWN, "x")):
        with pytest.raises(MissingMemory, match="not found"):
            missing()
    memory.add("Mara lives in Berlin", user_id="mara", infer=False)
    with pytest.raises(Invalid, match="no operator"):
        memory.get_all(user_id="mara", filters={"topic": {"like": "x"}})


def test_deleting_puts_away_and_never_erases(engine: Engine, memory: Memory) -> None:
    """What an agent deleted by mistake comes back; the same text can be learned again."""
    id_ = memory.add("Mara lives in Berlin", user_id="mara", infer=False)["results"][0]["id"]
    memory.delete(id_)
    assert [one.text for one in engine.list(status=["forgotten"])] == ["Mara lives in Berlin"]
    assert memory.add("Mara lives in Berlin", user_id="mara", infer=False)["results"][0]["event"] == "ADD"
    engine.remember("Not added here")
    memory.reset()
    assert [one.text for one in engine.list()] == ["Not added here"]


def test_an_expiration_date_is_the_end_of_that_day(memory: Memory, clock: FrozenClock) -> None:
    """And a day that is over is refused."""
    memory.add("The pass is valid", user_id="mara", expiration_date="2026-01-03", infer=False)
    [found] = memory.get_all(user_id="mara")["results"]
    assert found["expiration_date"] == "2026-01-03"
    clock.advance(days=4)
    assert memory.get_all(user_id="mara") == {"results": []}
    assert memory.get_all(user_id="mara", show_expired=True)["results"]
    with pytest.raises(Invalid, match="is over"):
        memory.add("The pass is valid", user_id="mara", expiration_date="2026-01-03")


def test_learning_from_a_talk_says_what_came_of_it(open_engine: OpenEngine) -> None:
    """New, in the place of something, or nothing: then with the id that the first had."""
    memory = Memory(open_engine(judge="auto"))
    first = memory.add("Our calls are on Zoom", user_id="mara")["results"]
    assert [one["event"] for one in first] == ["ADD"]
    assert memory.add("Our calls are on Zoom", user_id="mara") == {"results": []}
    [changed] = memory.add("We meet on Teams these days", user_id="mara")["results"]
    assert (changed["event"], changed["id"], changed["previous_memory"]) == (
        "UPDATE",
        first[0]["id"],
        first[0]["memory"],
    )


def test_coroutines_do_the_same(engine: Engine) -> None:
    """Each method of `Memory` that takes time is one of `AsyncMemory`."""
    names = {name for name, _ in inspect.getmembers(Memory, inspect.isfunction) if not name.startswith("_")}
    assert names - {name for name, _ in inspect.getmembers(AsyncMemory, inspect.iscoroutinefunction)} == set()

    async def run() -> Any:
        memory = AsyncMemory(engine)
        added = await memory.add("Mara lives in Berlin", user_id="mara", infer=False)
        await memory.update(added["results"][0]["id"], "Mara lives in Munich")
        return await memory.get_all(filters={"user_id": "mara"})

    assert said(asyncio.run(run())) == {"Mara lives in Munich"}


def test_a_configuration_opens_a_store(tmp_path: Path) -> None:
    """In the words of `ebbing.open`; what mem0 itself would want has no meaning."""
    config = {"llm": {"provider": "openai"}, "ebbing": {"path": tmp_path / "m.db", "judge": "off", "embedder": None}}
    with Memory.from_config(config) as memory:
        memory.add("Mara lives in Berlin", user_id="mara", infer=False)
        assert said(memory.get_all(user_id="mara")) == {"Mara lives in Berlin"}
    with pytest.raises(Invalid, match="config takes a mapping"):
        Memory.from_config("memory.db")
