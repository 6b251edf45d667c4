"""A policy that cannot work: every fault at once, with its line, and no store opened for it."""

from __future__ import annotations

from pathlib import Path

import pytest

import ebbing
from ebbing.domain.errors import Invalid, InvalidPolicy
from ebbing.domain.policy.loader import presets
from ebbing.testing import FakeEmbedder, FrozenClock
from tests.conftest import OpenEngine

FAULTS = {
    "name = 5": "name",
    "[curve]\nname = 'parabola'": "ebbinghaus",
    "[curve]\nslowdown = 0": "0.01",
    "[curve]\nslowdown = nan": "slowdown",
    "[curve]\nspeed = 3": "speed",
    "[ladder]\ndetach = 2": "out of bounds",
    "[ladder]\ndetach = 'low'": "detach",
    "[ladder]\ndetach = 0.01": "rungs must go down",
    "[time]\ngrace = 'a while'": "'30d'",
    "[time]\nclock = 'sand'": "activity",
    "[protection]\nauto_pin = ['(']": "regular expression",
    "[protection]\ncategories = ['nonsense']": "nonsense",
    "[protection]\nscopes = ['/a/../b']": "dots",
    "[limits]\ntext_bytes = 0": "at least 1",
    "[limits]\ntext_bytes = 1.5": "text_bytes",
    "[defaults]\ncategory = 'nonsense'": "nonsense",
    "[defaults]\ntier = 'eternal'": "semantic",
    "[categories.fact]\ndecay_per_day = -1": "decay_per_day",
    "[categories.mine]\nweight = 0.5": "decay_per_day",
    "[categories.fact]\nttl = 'soon'": "'30d'",
    "[curve]\nname = 'linear'": "can never be reached",
    "[recall]\nlexical_weight = 0.0\nsemantic_weight = 0.0": "nothing could be found",
    "[wishes]\nmore = true": "wishes",
    "ladder = 5": "ladder",
    "[ladder\n": "not TOML",
    "extends = 'nowhere'": "nowhere",
    "extends = 5": "extends",
}


@pytest.mark.parametrize("text", FAULTS)
def test_a_fault_is_named_with_what_would_be_right_and_no_file_is_made(tmp_path: Path, text: str) -> None:
    policy = tmp_path / "mine.toml"
    policy.write_text(text)
    with pytest.raises(Invalid) as caught:
        ebbing.open(tmp_path / "memory.db", policy=policy, embedder=None)
    assert caught.value.code == "invalid"
    assert FAULTS[text] in str(caught.value)
    assert "mine.toml" in str(caught.value) or "nowhere" in str(caught.value)
    assert list(tmp_path.iterdir()) == [policy]


def test_all_faults_are_told_at_once_each_with_its_line(tmp_path: Path) -> None:
    policy = tmp_path / "mine.toml"
    policy.write_text("[ladder]\ndetach = 2\n\n[time]\ngrace = 'a while'\n[limits]\ntags = 0\n[wishes]\nmore = 1\n")
    with pytest.raises(InvalidPolicy) as caught:
        ebbing.open(tmp_path / "memory.db", policy=policy, embedder=None)
    faults = caught.value.faults
    assert len(faults) == 4
    for line, name in ((2, "ladder.detach"), (5, "time.grace"), (7, "limits.tags"), (8, "wishes")):
        assert any(f"mine.toml:{line}:" in fault and name in fault for fault in faults), name


def test_an_unknown_policy_is_told_the_ones_there_are(tmp_path: Path) -> None:
    with pytest.raises(Invalid) as caught:
        ebbing.open(tmp_path / "memory.db", policy="nonsense", embedder=None)
    for name in presets():
        assert name in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_policy_file_changes_what_it_says_and_nothing_else(
    open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path
) -> None:
    policy = tmp_path / "mine.toml"
    policy.write_text("[limits]\ntext_bytes = 10\n[categories.fact]\nttl = '3d'\n")
    engine = open_engine(policy=policy, embedder=FakeEmbedder())
    with pytest.raises(ebbing.TooLarge, match="10"):
        engine.remember("eleven bytes")
    one = engine.remember("ten bytes!").memories[0]
    clock.advance(days=3)
    assert [action.memory.id for action in engine.sweep().actions] == [one.id]
    assert engine.policy.ladder == open_engine().policy.ladder
