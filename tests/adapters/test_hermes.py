"""hermes-agent over Ebbing: the memory provider."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ebbing
from ebbing import Invalid
from ebbing.adapters.hermes import EbbingProvider, register
from ebbing.engine import Engine
from tests.adapters.table import needs_real


def test_a_turn_is_learned_behind_the_answer_and_found_before_the_next(memory: Engine) -> None:
    """Writes are in order and done when the provider is shut down; handed over twice, they are learned once."""
    provider = EbbingProvider(memory, scope="/user/mara")
    provider.initialize("s1", hermes_home="", platform="cli")
    for _ in range(2):
        provider.sync_turn("I live in Munich.", "Noted.", session_id="s1")
    provider.shutdown()
    [learned] = memory.list()
    assert (str(learned.scope), learned.source.session, learned.recall_count) == ("/user/mara", "s1", 0)
    assert "Munich" in provider.prefetch("who lives in Munich?")


def test_what_a_scheduled_job_is_told_is_not_learned(memory: Engine) -> None:
    """Only the agent that talks to the user writes; each user has a memory of their own."""
    job = EbbingProvider(memory)
    job.initialize("s1", hermes_home="", agent_context="cron")
    job.sync_turn("I live in Rome.", "Noted.")
    job.shutdown()
    talk = EbbingProvider(memory)
    talk.initialize("s2", hermes_home="", agent_context="primary", user_id="mara")
    talk.sync_turn("I live in Munich.", "Noted.")
    talk.shutdown()
    assert memory.list() == []
    assert len(memory.for_owner("mara").list()) == 1


def test_messages_about_to_be_dropped_are_learned(memory: Engine) -> None:
    """Compression loses words; the memory has them by then."""
    provider = EbbingProvider(memory)
    provider.initialize("s1", hermes_home="")
    provider.on_session_switch("s2", reset=True)
    assert provider.on_pre_compress([{"role": "user", "content": "I live in Munich."}]) == ""
    provider.shutdown()
    assert [one.source.session for one in memory.list()] == ["s2"]


def test_tools_have_names_of_their_own(memory: Engine) -> None:
    """hermes keeps the name `memory` for itself."""
    provider = EbbingProvider(memory)
    assert provider.get_tool_schemas() == []
    provider.initialize("s1", hermes_home="")
    names = [tool["name"] for tool in provider.get_tool_schemas()]
    assert names[:2] == ["ebbing_recall", "ebbing_remember"]
    provider.handle_tool_call("ebbing_remember", {"text": "Mara lives in Munich"})
    told = json.loads(provider.handle_tool_call("ebbing_recall", {"query": "where does Mara live?"}))
    assert "Munich" in told["result"]
    with pytest.raises(Invalid, match="is no tool of Ebbing"):
        provider.handle_tool_call("memory", {})
    provider.shutdown()


def test_without_an_engine_it_opens_a_file_of_the_profile(tmp_path: Path) -> None:
    """And closes it."""
    given: list[EbbingProvider] = []

    class Loader:
        def register_memory_provider(self, provider: EbbingProvider) -> None:
            given.append(provider)

    register(Loader())
    [provider] = given
    assert (provider.name, provider.is_available(), provider.prefetch("anything?")) == ("ebbing", True, "")
    provider.initialize("s1", hermes_home=str(tmp_path))
    provider.handle_tool_call("ebbing_remember", {"text": "Mara lives in Munich"})
    provider.shutdown()
    with ebbing.open(str(tmp_path / "ebbing.db")) as engine:
        assert [one.text for one in engine.list()] == ["Mara lives in Munich"]


@needs_real
def test_hermes_loads_it_from_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its own loader: the folder of a plugin with one line."""
    monkeypatch.setenv("HERMES_HOME", str(tmp_path))
    folder = tmp_path / "plugins" / "ebbing"
    folder.mkdir(parents=True)
    line = "from ebbing.adapters.hermes import register  # calls register_memory_provider\n"
    (folder / "__init__.py").write_text(line, "utf-8")
    (folder / "plugin.yaml").write_text("name: ebbing\nversion: 1.0.0\ndescription: Ebbing\n", "utf-8")
    from plugins.memory import discover_memory_providers, load_memory_provider

    assert "ebbing" in [name for name, *_ in discover_memory_providers()]
    provider = load_memory_provider("ebbing")
    provider.initialize("s1", hermes_home=str(tmp_path), platform="cli")
    provider.sync_turn("I live in Munich.", "Noted.")
    provider.shutdown()
    assert (tmp_path / "ebbing.db").exists()
