"""How far a memory is believed is decided by who writes it, never by what the writer claims about itself."""

from __future__ import annotations

from typing import Any

import pytest

from ebbing.domain.errors import Denied, Invalid
from ebbing.domain.memory import Source, Status
from ebbing.engine import Engine


def test_a_limited_caller_writes_as_its_own_kind_of_source(engine: Engine) -> None:
    """An agent that reads web pages must not be able to speak with the user's authority by leaving a field out."""
    agent = engine.limited_to("agent")
    (memory,) = agent.remember("The staging host is called heron.").memories
    assert (memory.source.kind, memory.trust) == ("agent", engine.policy.trust.of("agent"))
    (other,) = agent.remember_many(["The build host is called stork."]).memories
    assert (other.source.kind, other.trust) == ("agent", engine.policy.trust.of("agent"))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"source": "user"}, "source user is trusted 1, and this caller 0.8 at most"),
        ({"source": Source("user")}, "source user is trusted 1"),
        ({"trust": 1.0}, "trust 1 is above 0.8"),
        ({"source": "web", "trust": 0.8}, "trust 0.8 is above 0.3"),
    ],
)
def test_a_claim_above_the_ceiling_is_refused_and_names_the_ceiling(
    engine: Engine, given: dict[str, Any], sentence: str
) -> None:
    """A silent correction would leave the caller believing that its word counts more than it does."""
    agent = engine.limited_to("agent")
    with pytest.raises(Invalid, match=sentence):
        agent.remember("I moved to Liar.", **given)
    with pytest.raises(Invalid, match=sentence):
        agent.remember_many([{"text": "I moved to Liar.", **given}])
    assert engine.list() == []


def test_a_limited_caller_may_claim_less(engine: Engine) -> None:
    """Passing on that something comes from a web page is what provenance is for."""
    agent = engine.limited_to("agent")
    (memory,) = agent.remember("The museum opens at nine.", source="web").memories
    assert (memory.source.kind, memory.trust) == ("web", engine.policy.trust.of("web"))
    (doubtful,) = agent.remember("The museum closes at six.", trust=0.1).memories
    assert doubtful.trust == 0.1


def test_the_caller_of_the_library_may_say_how_far_a_memory_is_believed(engine: Engine) -> None:
    """The program that opened the store is its owner; only those it serves are limited."""
    (memory,) = engine.remember("The museum opens at nine.", source="web", trust=0.9).memories
    assert memory.trust == 0.9
    (own,) = engine.remember("The museum is in Leiden.").memories
    assert (own.source.kind, own.trust) == ("user", 1.0)


def test_a_limited_caller_never_supersedes_what_the_user_said(engine: Engine) -> None:
    """A web page that says "I moved to Liar" must not retire the user's own statement."""
    (home,) = engine.remember("I live in Berlin.").memories
    (port,) = engine.remember("6432", subject="staging database", attribute="port").memories
    agent = engine.limited_to("agent")
    agent.remember("I moved to Liar.")
    agent.remember("6666", subject="staging database", attribute="port")
    agent.remember("I live in Liar.", supersedes=home.id)
    agent.update(home.id, text="I live in Liar City.")
    assert [engine.get(one.id).status for one in (home, port)] == [Status.ACTIVE, Status.ACTIVE]


def test_an_edit_by_a_limited_caller_is_its_own_word(engine: Engine) -> None:
    """Otherwise rewording a trusted memory would launder whatever the agent has read."""
    (memory,) = engine.remember("The staging host is called heron.").memories
    agent = engine.limited_to("agent")
    reworded = agent.update(memory.id, text="The staging host is called vulture.")
    assert (reworded.source.kind, reworded.trust) == ("agent", engine.policy.trust.of("agent"))
    moved = agent.update(memory.id, tags=["hosts"])
    assert (moved.source.kind, moved.trust, moved.tags) == ("user", 1.0, ("hosts",))


def test_a_limit_is_kept_for_other_owners_and_never_widened(engine: Engine) -> None:
    """A server hands the limited engine on; no way of asking for another owner or another limit may lift it."""
    agent = engine.limited_to("agent", trust_max=0.5)
    assert agent.trust_ceiling() == 0.5
    assert agent.for_owner("somebody").trust_ceiling() == 0.5
    assert agent.limited_to("user", trust_max=1.0).trust_ceiling("user") == 0.5
    assert engine.limited_to("agent", trust_max=1.0).trust_ceiling() == engine.policy.trust.of("agent")


def test_a_limited_caller_hands_in_a_conversation_as_its_own_report(engine: Engine) -> None:
    """Whoever writes the list of messages also writes who is said to have spoken."""
    agent = engine.limited_to("agent")
    outcome = agent.on_compaction([{"role": "user", "content": "Our staging host is called heron."}])
    assert {memory.source.kind for memory in outcome.memories} == {"agent"}


def test_what_the_user_said_is_kept_as_evidence(engine: Engine) -> None:
    """A person who reviews an agent's memory sees the words it rests on."""
    agent = engine.limited_to("agent")
    (memory,) = agent.remember("The user lives in Berlin.", evidence="i live in berlin btw").memories
    assert memory.source.evidence == "i live in berlin btw"


def test_core_memory_the_user_wrote_is_not_rewritten_by_a_limited_caller(engine: Engine) -> None:
    """Blocks stand in every context: they are what an injected instruction would most like to change."""
    engine.set_block("human", "Ada, lives in Leiden.")
    agent = engine.limited_to("agent")
    with pytest.raises(Denied, match="block human was written by source user, trusted 1"):
        agent.set_block("human", "Ada, lives in Liar.")
    with pytest.raises(Denied, match="block human"):
        agent.set_block("human", "")
    block = agent.set_block("scratchpad", "Looking for the heron host.")
    assert engine.get(str(block.id)).trust == engine.policy.trust.of("agent")
    assert agent.set_block("scratchpad", "Found it.").text == "Found it."
