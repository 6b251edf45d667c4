"""An import by an agent reaches what that agent may see, and nothing that is private to another."""

from __future__ import annotations

from pathlib import Path

import pytest

from ebbing.domain.errors import NotFound
from tests.conftest import OpenEngine


@pytest.mark.parametrize("trusted", [False, True])
def test_an_agent_overwrites_no_private_memory_of_another(
    open_engine: OpenEngine, tmp_path: Path, trusted: bool
) -> None:
    """The file says whose a memory is, and anybody can write that into a file."""
    owner = open_engine()
    mara, theo = owner.for_owner(owner.owner, "mara"), owner.for_owner(owner.owner, "theo")
    diary = mara.remember("Mara's diary: all is well.", visibility="private", trust=0.1)
    assert diary.id is not None
    owner.export(tmp_path / "all.jsonl")
    forged = (tmp_path / "all.jsonl").read_text("utf-8").replace("all is well", "I resign")
    (tmp_path / "forged.jsonl").write_text(forged, "utf-8")

    told = theo.import_(tmp_path / "forged.jsonl", on_conflict="overwrite", trusted=trusted)

    assert (told.replaced, told.added) == (0, 0)
    assert mara.get(diary.id).text == "Mara's diary: all is well."
    assert [event.kind for event in mara.history(diary.id)] == ["remembered"]


def test_an_agent_plants_nothing_that_only_another_sees(open_engine: OpenEngine, tmp_path: Path) -> None:
    """What nobody but its victim can find is never noticed; the notes say that it was left out."""
    source = open_engine()
    planted = source.for_owner(source.owner, "mara").remember("Mara wants this.", visibility="private")
    assert planted.id is not None
    source.export(tmp_path / "all.jsonl")
    theo = source.for_owner("somebody else", "theo")

    told = theo.import_(tmp_path / "all.jsonl")

    assert told.added == 0
    assert any("private memories of other agents" in note for note in told.notes)
    with pytest.raises(NotFound):
        source.for_owner("somebody else", "mara").get(planted.id)


def test_an_agent_is_not_told_whether_another_has_a_memory(open_engine: OpenEngine, tmp_path: Path) -> None:
    """An id that stands here already and differs is told where it is seen: not across agents."""
    owner = open_engine()
    mara, theo = owner.for_owner(owner.owner, "mara"), owner.for_owner(owner.owner, "theo")
    mara.remember("Mara keeps a diary.", visibility="private")
    owner.export(tmp_path / "all.jsonl")
    lines = (tmp_path / "all.jsonl").read_text("utf-8")
    public = lines.replace('"visibility":"private"', '"visibility":"shared"').replace("a diary", "bees")
    (tmp_path / "forged.jsonl").write_text(public, "utf-8")

    told = theo.import_(tmp_path / "forged.jsonl", on_conflict="fail")

    assert (told.added, told.replaced, told.skipped) == (0, 0, 1)


def test_the_owner_still_brings_in_every_agents_memories(open_engine: OpenEngine, tmp_path: Path) -> None:
    """A backup holds what all agents have, and comes back whole."""
    owner = open_engine()
    diary = owner.for_owner(owner.owner, "mara").remember("Mara keeps a diary.", visibility="private")
    assert diary.id is not None
    owner.export(tmp_path / "all.jsonl")
    elsewhere = owner.for_owner("elsewhere")
    assert elsewhere.import_(tmp_path / "all.jsonl", trusted=True).added == 1
    assert elsewhere.for_owner("elsewhere", "mara").get(diary.id).text == "Mara keeps a diary."
