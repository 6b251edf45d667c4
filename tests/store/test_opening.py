"""`ebbing.open` with arguments that cannot be meant: one clear error each, and nothing left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ebbing
from ebbing import EbbingError, Invalid
from ebbing.domain.policy.loader import load
from ebbing.testing import FakeEmbedder, FakeLlm, FrozenClock


class NoClock:
    """Something that does not know the time."""


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        pytest.param({"owner": ""}, "owner '' is not a name"),
        pytest.param({"owner": "  "}, "owner '  ' is not a name"),
        pytest.param({"owner": None}, "owner None is not a name"),
        pytest.param({"owner": 5}, "owner 5 is not a name"),
        pytest.param({"owner": "a\x00"}, "control or half characters"),
        pytest.param({"owner": "\ud800"}, "control or half characters"),
        pytest.param({"owner": "x" * 300}, "the limit is 256"),
        pytest.param({"agent": ""}, "agent '' is not a name"),
        pytest.param({"agent": 5}, "agent 5 is not a name"),
        ({"policy": "nope"}, "there is no policy 'nope'; presets are default"),
        ({"policy": "missing.toml"}, "cannot be read"),
        ({"policy": Path("missing.toml")}, "cannot be read"),
        pytest.param({"policy": None}, "None is not a policy"),
        pytest.param({"policy": 5}, "5 is not a policy"),
        ({"embedder": "gpt"}, "there is no embedder 'gpt'"),
        ({"embedder": 5}, "is not an embedder"),
        ({"embedder": FakeEmbedder}, "is not an embedder"),
        ({"llm": "gpt"}, "llm= is text that names no language model; give 'auto', 'model@http://host:port/v1'"),
        ({"llm": ""}, "llm= is text"),
        ({"llm": "gpt@ftp://host/v1"}, "base URL is none"),
        ({"llm": 5}, "llm= is of type int, which answers nothing"),
        ({"llm": FakeLlm}, "llm= is of type type"),
        ({"llm": NoClock()}, "llm= is of type NoClock"),
        ({"llm": FakeLlm(name=" ")}, "of type FakeLlm has no name"),
        pytest.param({"clock": NoClock()}, "clock"),
        pytest.param({"clock": "2026-01-01"}, "clock"),
    ],
)
def test_a_mistake_is_told_and_leaves_no_file_behind(given: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    """Everything is checked before the store is opened."""
    with pytest.raises(Invalid) as caught:
        ebbing.open(tmp_path / "memory.db", **given)
    assert sentence in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_language_model_is_asked_only_when_somebody_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings for one in the environment, which other programs may share, are not enough."""
    monkeypatch.setenv("EBBING_LLM_MODEL", "tide-1")
    monkeypatch.setenv("EBBING_LLM_BASE_URL", "http://127.0.0.1:1/v1")
    mine = FakeLlm()
    for given, name in [(None, None), ("auto", "tide-1"), ("other@http://127.0.0.1:1/v1", "other"), (mine, mine.name)]:
        with ebbing.open(":memory:", embedder=None, llm=given) as engine:
            assert getattr(engine.models.llm, "name", None) == name


def test_auto_without_settings_says_which_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both of them at once."""
    monkeypatch.delenv("EBBING_LLM_MODEL", raising=False)
    monkeypatch.setenv("EBBING_LLM_BASE_URL", "")
    with pytest.raises(Invalid, match="set EBBING_LLM_MODEL and EBBING_LLM_BASE_URL"):
        ebbing.open(":memory:", llm="auto")


def test_a_policy_with_faults_leaves_no_file_behind(tmp_path: Path) -> None:
    """All of its faults are told, and no database is made for it."""
    policy = tmp_path / "mine.toml"
    policy.write_text("[ladder]\ndetach = 2\n[curve]\nslowdown = 'much'\n")
    with pytest.raises(ebbing.InvalidPolicy) as caught:
        ebbing.open(tmp_path / "memory.db", policy=policy)
    assert len(caught.value.faults) == 2
    assert list(tmp_path.iterdir()) == [policy]


@pytest.mark.parametrize(
    "address",
    [
        "redis://localhost",
        "sqlite:///memory.db",
        "mysql://x/y",
        pytest.param(""),
        pytest.param(5),
        pytest.param(b"memory.db"),
        pytest.param("a\x00.db"),
        pytest.param("a\ud800.db"),
    ],
)
def test_an_address_that_is_none_is_refused(address: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite would take an empty name for a file that vanishes, and bytes for a name that begins with b."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EbbingError):
        ebbing.open(address)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    """And stays as it was."""
    with pytest.raises(EbbingError):
        ebbing.open(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_is_good_opens(tmp_path: Path) -> None:
    """A path as text or as a path, a policy by name, by file or ready made."""
    mine = tmp_path / "mine.toml"
    mine.write_text("[curve]\nslowdown = 2.0\n")
    for number, policy in enumerate(["default", str(mine), mine, load("default")]):
        path = tmp_path / f"{number}.db"
        for address in (path, str(path)):
            with ebbing.open(address, owner="ada", policy=policy, embedder=None, clock=FrozenClock()) as engine:
                assert engine.policy.curve.slowdown == (2.0 if number in (1, 2) else load().curve.slowdown)
        assert path.exists()
