"""Where settings come from: a flag before the environment, that before one's own file, and that before the default."""

from __future__ import annotations

from pathlib import Path

import pytest

from ebbing.domain.errors import Invalid
from ebbing.interfaces.cli.command_context import open_engine
from ebbing.interfaces.cli.settings import MODELS, VARIABLES, Settings, config_path
from tests.tables import each_row


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for variable in (*VARIABLES.values(), *MODELS.values()):
        monkeypatch.delenv(variable, raising=False)


def write(text: str) -> None:
    path = config_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_nothing_said_is_the_default() -> None:
    assert Settings.of({}, as_json=False) == Settings()


def test_each_goes_before_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    write('owner = "file"\nagent = "file"\npolicy = "hermes"\nembedder = "none"\n')
    monkeypatch.setenv("EBBING_AGENT", "environment")
    monkeypatch.setenv("EBBING_POLICY", "vitamem")
    settings = Settings.of({"policy": "graduated"}, as_json=True)
    assert (settings.owner, settings.agent, settings.policy) == ("file", "environment", "graduated")
    assert settings.embedder == "none"


@each_row(
    ("text", "fault"),
    [("colour = 'red'", "colour cannot be set here"), ("owner = 5", "owner cannot"), ("owner = ", "cannot be read")],
)
def test_a_file_with_a_fault_is_named_with_it(text: str, fault: str) -> None:
    write(text)
    with pytest.raises(Invalid, match=fault) as caught:
        Settings.of({}, as_json=False)
    assert "config.toml" in str(caught.value)


def test_models_are_named_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EBBING_EMBEDDER", "none")
    monkeypatch.setenv("EBBING_LLM", "tiny@http://127.0.0.1:9/v1")
    with open_engine(Settings.of({"db": ":memory:"}, as_json=False)) as engine:
        assert engine.models.embedder is None
        assert engine.models.llm is not None


def test_a_file_in_a_project_says_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whoever wrote it could send memories elsewhere."""
    project = tmp_path / "project"
    project.mkdir()
    (project / ".ebbing.toml").write_text('owner = "mallory"', encoding="utf-8")
    (project / "config.toml").write_text('owner = "mallory"', encoding="utf-8")
    monkeypatch.chdir(project)
    assert Settings.of({}, as_json=False).owner == "default"
