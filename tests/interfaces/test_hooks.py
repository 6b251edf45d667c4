"""Hooks of Claude Code: they recall and capture, and whatever happens they never stand in the way of a session."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

import ebbing
from ebbing.interfaces.clients import hooks

PROGRAM = str(Path(sys.executable).with_name("ebbing"))
Run = Callable[..., Result]
Fire = Callable[..., str]


@pytest.fixture(autouse=True)
def state(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where hooks keep what they know about a session, on this test's machine."""
    monkeypatch.setenv("XDG_STATE_HOME", str(elsewhere / "state"))
    return elsewhere / "state" / "ebbing" / "hooks"


@pytest.fixture
def fire(run: Run) -> Fire:
    """`ebbing hook …` as Claude Code calls it; what it places in the context."""

    def fire_(event: str, *words: str, judge: str = "off", **given: Any) -> str:
        said = {"session_id": "s-1", "cwd": "/anywhere/harbour", "hook_event_name": "x", **given}
        result = run("hook", event, *words, given=json.dumps(said), EBBING_JUDGE=judge)
        assert result.exit_code == 0
        assert result.stderr == ""
        if not result.stdout:
            return ""
        [(name, output)] = json.loads(result.stdout).items()
        assert name == "hookSpecificOutput"
        assert output["hookEventName"] == {"session-start": "SessionStart", "prompt": "UserPromptSubmit"}[event]
        return str(output["additionalContext"])

    return fire_


def said(role: str, content: Any, **more: Any) -> str:
    return json.dumps({"type": role, "message": {"role": role, "content": content}, **more}) + "\n"


def texts(folder: Path, **where: Any) -> set[str]:
    with ebbing.open(folder / "memory.db") as memory:
        return {one.text for one in memory.list(**where)}


def test_a_session_starts_with_core_memory_and_what_fits_the_project(elsewhere: Path, fire: Fire) -> None:
    with ebbing.open(elsewhere / "memory.db") as memory:
        memory.set_block("human", "Her name is Mara")
        memory.remember("The harbour project deploys on Tuesdays")
    placed = fire("session-start", source="startup")
    assert placed.startswith("<ebbing-memory ")
    assert "Her name is Mara" in placed
    assert "deploys on Tuesdays" in placed


def test_a_session_starts_in_silence_where_nothing_is_remembered(fire: Fire) -> None:
    assert fire("session-start", source="startup") == ""


def test_a_prompt_is_given_what_is_remembered_about_it_once_a_session(elsewhere: Path, fire: Fire) -> None:
    """What stands in the context already is not placed there again, until that is compacted."""
    with ebbing.open(elsewhere / "memory.db") as memory:
        memory.remember("Deploys happen on Tuesdays")
    assert "Tuesdays" in fire("prompt", prompt="when do we deploy?")
    assert fire("prompt", prompt="so when do we deploy?") == ""
    assert "Tuesdays" in fire("prompt", prompt="when do we deploy?", session_id="s-2")
    fire("compact", trigger="auto")
    assert "Tuesdays" in fire("prompt", prompt="when do we deploy?")


def test_a_prompt_about_nothing_that_was_said_is_given_nothing(elsewhere: Path, fire: Fire) -> None:
    with ebbing.open(elsewhere / "memory.db") as memory:
        memory.remember("Deploys happen on Tuesdays")
    assert fire("prompt", prompt="paint a giraffe in watercolours") == ""
    for prompt in ("", "   ", "/compact", None, 3):
        assert fire("prompt", prompt=prompt) == ""


def test_what_a_prompt_is_given_fits_its_budget(elsewhere: Path, fire: Fire) -> None:
    with ebbing.open(elsewhere / "memory.db") as memory:
        memory.remember_many(
            [f"Ship number {number} lies at pier {number}. {'Tide and wind. ' * 60}" for number in range(9)]
        )
        placed = fire("prompt", prompt="which ship lies at which pier?")
        assert 0 < memory.models.count_tokens(placed) <= hooks.PROMPT_TOKENS


@pytest.mark.parametrize("event", ["compact", "stop"])
def test_what_people_and_the_model_said_is_captured(elsewhere: Path, fire: Fire, event: str) -> None:
    """And nothing else of a transcript: no tool results, no code, no machinery, nothing of side conversations. What is
    worth keeping of a model's words the judge says."""
    transcript = elsewhere / "transcript.jsonl"
    transcript.write_text(
        said("user", "We decided to use PostgreSQL for the user database.")
        + said("user", "<system-reminder>The sky is made of cheese.</system-reminder>")
        + said("assistant", [{"type": "text", "text": "Done. We decided to run the staging server on port 8081."}])
        + said("assistant", "```python\nprint('The moon orbits Jupiter.')\n```")
        + said("user", [{"type": "tool_result", "content": "The tool found 17 ships in the harbour."}])
        + said("user", "The agent below prefers llamas.", isSidechain=True)
        + said("user", "Caveat: The messages below were generated by the user.", isMeta=True)
        + json.dumps({"type": "summary", "summary": "They spoke about bananas."})
        + "\nthis is no JSON\n[1, 2]\n{}\n"
    )
    assert fire(event, transcript_path=str(transcript), judge="auto") == ""
    assert texts(elsewhere) == {
        "We decided to use PostgreSQL for the user database",
        "We decided to run the staging server on port 8081",
    }
    with ebbing.open(elsewhere / "memory.db") as memory:
        assert {(one.scope, one.source.session) for one in memory.list()} == {("/project/harbour", "s-1")}
        assert {one.source.kind for one in memory.list()} == {"user", "model"}


def test_a_transcript_is_read_on_from_where_it_was_read_to(elsewhere: Path, fire: Fire) -> None:
    """A line that is not finished is left for the next time."""
    transcript = elsewhere / "transcript.jsonl"
    whole = said("user", "Anna moved to Porto.")
    transcript.write_text(said("user", "Mara prefers tea.") + whole[:30])
    fire("stop", transcript_path=str(transcript))
    assert texts(elsewhere) == {"Mara prefers tea"}
    transcript.write_text(said("user", "Mara prefers tea.") + whole)
    fire("stop", transcript_path=str(transcript))
    assert texts(elsewhere) == {"Mara prefers tea", "Anna moved to Porto"}
    with ebbing.open(elsewhere / "memory.db") as memory:
        [tea] = [one for one in memory.list() if "tea" in one.text]
        assert [event.kind for event in memory.history(tea.id)] == ["remembered"]  # not said again


def test_a_transcript_that_became_shorter_is_another_one(elsewhere: Path, fire: Fire) -> None:
    transcript = elsewhere / "transcript.jsonl"
    transcript.write_text(said("user", "Mara prefers tea. " * 20))
    fire("stop", transcript_path=str(transcript))
    transcript.write_text(said("user", "Anna moved to Porto."))
    fire("stop", transcript_path=str(transcript))
    assert "Anna moved to Porto" in texts(elsewhere)


def test_of_a_long_transcript_the_latest_part_is_read(elsewhere: Path, fire: Fire) -> None:
    transcript = elsewhere / "transcript.jsonl"
    filler = json.dumps({"type": "progress", "filler": "x" * 10_000}) + "\n"
    transcript.write_text(said("user", "Mara prefers tea.") + filler * 300 + said("user", "Anna moved to Porto."))
    fire("stop", transcript_path=str(transcript))
    assert texts(elsewhere) == {"Anna moved to Porto"}


def test_a_very_long_message_does_not_keep_the_others_out(elsewhere: Path, fire: Fire) -> None:
    transcript = elsewhere / "transcript.jsonl"
    transcript.write_text(said("user", "ab " * 50_000) + said("user", "Anna moved to Porto."))
    fire("stop", transcript_path=str(transcript))
    assert "Anna moved to Porto" in texts(elsewhere)


def test_a_message_that_cannot_be_kept_does_not_keep_the_others_out(elsewhere: Path, fire: Fire) -> None:
    """All of a batch is kept or none; here each counts for itself, and next time it is not met again."""
    transcript = elsewhere / "transcript.jsonl"
    transcript.write_text(said("user", "\u200b\u200b") + said("user", "Anna moved to Porto."))
    fire("stop", transcript_path=str(transcript))
    assert texts(elsewhere) == {"Anna moved to Porto"}


def test_what_was_placed_in_the_context_is_not_captured_again(elsewhere: Path, fire: Fire) -> None:
    with ebbing.open(elsewhere / "memory.db") as memory:
        memory.remember("Deploys happen on Tuesdays")
    placed = fire("prompt", prompt="when do we deploy?")
    transcript = elsewhere / "transcript.jsonl"
    transcript.write_text(said("user", f"{placed}\nAnna moved to Porto."))
    fire("stop", transcript_path=str(transcript))
    assert texts(elsewhere, scope="/project") == {"Anna moved to Porto"}


def test_a_scope_can_be_chosen(elsewhere: Path, fire: Fire) -> None:
    transcript = elsewhere / "transcript.jsonl"
    transcript.write_text(said("user", "Anna moved to Porto."))
    fire("stop", "--scope", "/team", transcript_path=str(transcript))
    assert texts(elsewhere, scope="/team") == {"Anna moved to Porto"}


def test_a_folder_with_a_strange_name_is_no_obstacle(elsewhere: Path, fire: Fire) -> None:
    transcript = elsewhere / "transcript.jsonl"
    transcript.write_text(said("user", "Anna moved to Porto."))
    fire("stop", transcript_path=str(transcript), cwd="/anywhere/\u202egnp", session_id="../../\n\0")
    assert texts(elsewhere, scope="/project") == {"Anna moved to Porto"}


@pytest.mark.parametrize(
    ("event", "given"),
    [
        ("prompt", b""),
        ("prompt", b"nonsense"),
        ("prompt", b"\xff\xfe"),
        ("prompt", b"[]"),
        ("prompt", b"[" * 100_000),
        ("stop", b'{"transcript_path": "/no/such/file"}'),
        ("stop", b'{"transcript_path": ["x"]}'),
        ("stop", b"x" * (hooks.INPUT_BYTES_MOST + 1)),
        ("no-such-hook", b"{}"),
    ],
)
def test_whatever_is_wrong_the_session_goes_on(run: Run, event: str, given: bytes) -> None:
    """Exit code 0 and not a word on stdout: exit code 2 would block the session, and words would reach the model."""
    result = run("hook", event, given=given)
    assert (result.exit_code, result.stdout) == (0, "")


@pytest.mark.parametrize("event", list(hooks.SECONDS))
def test_a_store_that_cannot_be_opened_harms_nobody(elsewhere: Path, run: Run, event: str) -> None:
    (elsewhere / "broken.db").write_text("not a database, but long enough to be looked at as one\n" * 40)
    (elsewhere / "t.jsonl").write_text(said("user", "Anna moved to Porto."))
    given = json.dumps({"session_id": "s", "prompt": "hello there", "transcript_path": str(elsewhere / "t.jsonl")})
    result = run("hook", event, "--db", "broken.db", given=given)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith(f"ebbing hook {event}: ")


def test_an_unforeseen_error_harms_nobody_either(elsewhere: Path) -> None:
    """Told on stderr, for whoever looks for it; shown in a program of its own, as nothing of ours raises it."""
    program = (
        "import io, sys\nfrom ebbing.interfaces.clients import hooks\n"
        "def opened(): raise ZeroDivisionError('nobody foresaw this')\n"
        "answer = hooks.answer('prompt', io.BytesIO(b'{\"prompt\": \"hello there\"}'), opened)\n"
        "print(answer)\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (0, "Answered(output=None, late=False)\n")
    assert "nobody foresaw this" in result.stderr


def test_what_takes_too_long_is_left(elsewhere: Path) -> None:
    """Input that never ends: the program does."""
    program = (
        "import os, sys\nfrom ebbing.interfaces.clients import hooks\n"
        "hooks.SECONDS['prompt'] = 0.05\nfrom ebbing.interfaces.cli import main\n"
        "sys.argv = ['ebbing', 'hook', 'prompt']\nmain()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as waiting:
        assert waiting.wait(timeout=300) == 0
        assert waiting.stdout is not None
        assert waiting.stderr is not None
        assert waiting.stdout.read() == ""
        assert "took too long" in waiting.stderr.read()


def test_what_is_kept_about_sessions_is_private_and_does_not_pile_up(state: Path, fire: Fire, run: Run) -> None:
    state.mkdir(parents=True)
    for number in range(300):
        (state / f"{number}.json").write_text("{}")
    fire("session-start", source="startup")
    kept = list(state.iterdir())
    assert len(kept) == 200
    [ours] = [path for path in kept if "shown" in path.read_text()]
    assert stat.S_IMODE(ours.stat().st_mode) == 0o600


def test_doctor_says_when_each_hook_fired_last_and_what_was_wrong(elsewhere: Path, fire: Fire, run: Run) -> None:
    """Whoever wonders why nothing is remembered sees whether the hooks run at all."""

    def hooks_in_doctor() -> dict[str, Any]:
        [told] = [one for one in json.loads(run("doctor", "--json").stdout)["findings"] if one["check"] == "hooks"]
        return dict(told)

    assert hooks_in_doctor()["ok"]
    assert "none has fired" in hooks_in_doctor()["detail"]
    fire("session-start", source="startup")
    [fired] = hooks.last_firings().values()
    assert f"session-start {fired.at:%Y-%m-%d %H:%M}" in hooks_in_doctor()["detail"]
    assert "stop never" in hooks_in_doctor()["detail"]
    run("hook", "prompt", given="no json")
    told = hooks_in_doctor()
    assert not told["ok"]
    assert "prompt failed: " in told["detail"]
    fire("prompt", prompt="hello there")
    assert hooks_in_doctor()["ok"]


def test_a_state_file_that_is_broken_is_written_anew(state: Path, elsewhere: Path, fire: Fire) -> None:
    fire("session-start", source="startup")
    [ours] = state.iterdir()
    for broken in ("", "[]", '{"shown": 3}', '{"shown": [], "read_to": "x"}'):
        ours.write_text(broken)
        fire("session-start", source="startup")
        assert json.loads(ours.read_text()) == {"shown": [], "read_to": 0}
