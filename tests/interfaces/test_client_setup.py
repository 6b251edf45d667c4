"""`ebbing setup`: writes what a client needs, loses nothing that was there, and can be taken out again."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from ebbing.interfaces.clients.config_files import BACKUP
from ebbing.interfaces.clients.mcp_config import ANYWHERE, CLIENTS

Run = Callable[..., Result]
OURS = str(Path(sys.executable).with_name("ebbing"))
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere two of the clients keep their files elsewhere")

# Where each client keeps its servers, under which key, and what an entry says besides.
USERS = {
    "claude-code": (".claude.json", "mcpServers", {"type": "stdio"}),
    "claude-desktop": (".config/Claude/claude_desktop_config.json", "mcpServers", {}),
    "cursor": (".cursor/mcp.json", "mcpServers", {}),
    "vscode": (".config/Code/User/mcp.json", "servers", {"type": "stdio"}),
    "codex": (".codex/config.toml", "mcp_servers", {}),
    "windsurf": (".codeium/windsurf/mcp_config.json", "mcpServers", {}),
}
PROJECTS = {
    "claude-code": ".mcp.json",
    "cursor": ".cursor/mcp.json",
    "vscode": ".vscode/mcp.json",
    "codex": ".codex/config.toml",
}
JSONS = [name for name in USERS if name != "codex"]


@pytest.fixture(autouse=True)
def home(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of somebody who has none of these clients yet."""
    home = elsewhere / "somebody"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for variable in ("XDG_CONFIG_HOME", "CODEX_HOME"):
        monkeypatch.delenv(variable, raising=False)
    return home


def held(path: Path) -> dict[str, Any]:
    text = path.read_text(encoding="utf-8")
    return tomllib.loads(text) if path.suffix == ".toml" else dict(json.loads(text))


def test_every_client_is_tried_here() -> None:
    assert set(USERS) == set(CLIENTS)


@LINUX
@pytest.mark.parametrize("client", USERS)
def test_a_client_without_a_file_gets_one_that_only_its_owner_can_read(home: Path, run: Run, client: str) -> None:
    place, key, more = USERS[client]
    result = run("setup", client)
    assert result.exit_code == 0, result.output
    assert held(home / place) == {key: {"ebbing": {**more, "command": OURS, "args": ["mcp"]}}}
    assert stat.S_IMODE((home / place).stat().st_mode) == 0o600
    assert str(home / place) in result.stdout


@LINUX
@pytest.mark.parametrize("client", USERS)
def test_a_second_time_changes_nothing_and_taking_it_out_leaves_nothing(home: Path, run: Run, client: str) -> None:
    path = home / USERS[client][0]
    run("setup", client)
    first = path.read_bytes()
    assert "nothing to change" in run("setup", client).stdout
    assert path.read_bytes() == first
    assert not path.with_name(path.name + BACKUP).exists()
    assert run("setup", client, "--remove").exit_code == 0
    assert held(path) == {}
    assert "nothing to take out" in run("setup", client, "--remove").stdout


@LINUX
@pytest.mark.parametrize("client", JSONS)
def test_what_stood_in_a_json_file_stays_and_the_old_file_is_kept(home: Path, run: Run, client: str) -> None:
    place, key, _ = USERS[client]
    path = home / place
    path.parent.mkdir(parents=True, exist_ok=True)
    before = {"theme": "dünkel", key: {"other": {"command": "x", "env": {"A": "1"}}}, "last": [1, {"b": None}]}
    path.write_text(json.dumps(before, indent=4, ensure_ascii=False), encoding="utf-8")
    path.chmod(0o640)
    old = path.read_bytes()
    assert run("setup", client).exit_code == 0
    after = held(path)
    assert list(after) == list(before)
    assert after[key].pop("ebbing")["args"] == ["mcp"]
    assert after == before
    assert '\n    "theme": "dünkel"' in path.read_text(encoding="utf-8")
    assert path.with_name(path.name + BACKUP).read_bytes() == old
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    run("setup", client, "--remove")
    assert held(path) == before


@pytest.mark.parametrize(
    "text", ['{"a": "\\ud800"}', '{"a": "\\ud800", "b": "ü"}', '{"a": "\\u00fc"}', '\ufeff{"a": 1e300}']
)
def test_what_is_oddly_written_means_the_same_afterwards(home: Path, run: Run, text: str) -> None:
    path = home / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    assert run("setup", "cursor").exit_code == 0
    after = held(path)
    del after["mcpServers"]
    assert after == json.loads(text.removeprefix("\ufeff"))


def test_an_entry_of_ours_is_brought_up_to_date_and_keeps_what_somebody_added(home: Path, run: Run) -> None:
    path = home / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text('{"mcpServers": {"ebbing": {"command": "old", "args": [], "env": {"EBBING_OWNER": "mara"}}}}')
    run("setup", "cursor")
    entry = {"command": OURS, "args": ["mcp"], "env": {"EBBING_OWNER": "mara"}}
    assert held(path) == {"mcpServers": {"ebbing": entry}}


def test_a_toml_entry_of_ours_is_brought_up_to_date_and_keeps_what_somebody_added(home: Path, run: Run) -> None:
    """An environment may name the store: without it the client would reach another memory."""
    path = home / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_text('[mcp_servers.ebbing]\ncommand = "old"\n\n[mcp_servers.ebbing.env]\nEBBING_OWNER = "mara"\n')
    run("setup", "codex")
    table = tomllib.loads(path.read_text())["mcp_servers"]["ebbing"]
    assert table == {"command": OURS, "args": ["mcp"], "env": {"EBBING_OWNER": "mara"}}


def test_a_toml_file_keeps_its_line_ends(home: Path, run: Run) -> None:
    """Half of a file with other line ends shows as changed in every editor and diff."""
    path = home / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_bytes(b'model = "x"\r\n\r\n[mcp_servers.other]\r\ncommand = "o"\r\n')
    run("setup", "codex")
    assert b"\n" not in path.read_bytes().replace(b"\r\n", b"")


CODEX = """\
# my settings
model = "o5"   # the good one

[mcp_servers.other]  # do not touch
command = "x"
"""


def test_what_stood_in_a_toml_file_stays_with_its_comments(home: Path, run: Run) -> None:
    path = home / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_text(CODEX)
    assert run("setup", "codex").exit_code == 0
    assert path.read_text() == f'{CODEX}\n[mcp_servers.ebbing]\ncommand = "{OURS}"\nargs = ["mcp"]\n'
    run("setup", "codex", "--remove")
    assert path.read_text().rstrip() == CODEX.rstrip()


def test_a_table_in_the_middle_is_taken_out_and_the_comments_around_it_stay(home: Path, run: Run) -> None:
    path = home / ".codex" / "config.toml"
    path.parent.mkdir()
    table = '[mcp_servers."ebbing"]\ncommand = "old"\n\n[mcp_servers.ebbing.env]\nA = "1"\n\n'
    path.write_text(f"# first\n{table}# about the next\n[history]\nkeep = true\n")
    run("setup", "codex", "--remove")
    assert path.read_text() == "# first\n\n# about the next\n[history]\nkeep = true\n"


@pytest.mark.parametrize(
    ("client", "place", "text"),
    [
        ("cursor", ".cursor/mcp.json", "{ // a comment\n}"),
        ("cursor", ".cursor/mcp.json", '{"mcpServers": }'),
        ("cursor", ".cursor/mcp.json", "[]"),
        ("cursor", ".cursor/mcp.json", '{"mcpServers": []}'),
        ("codex", ".codex/config.toml", "model = \n"),
        ("codex", ".codex/config.toml", 'mcp_servers = { other = { command = "x" } }\n'),
        ("codex", ".codex/config.toml", 'mcp_servers.ebbing.command = "x"\n'),
        ("codex", ".codex/config.toml", "mcp_servers = 3\n"),
    ],
)
@pytest.mark.parametrize("also", [(), ("--remove",)])
def test_a_file_that_cannot_be_changed_safely_is_left_and_the_snippet_shown(
    home: Path, run: Run, client: str, place: str, text: str, also: tuple[str, ...]
) -> None:
    path = home / place
    path.parent.mkdir(parents=True)
    path.write_text(text)
    result = run("setup", client, *also)
    assert path.read_text() == text
    assert list(path.parent.iterdir()) == [path]
    if also and "ebbing" not in text and result.exit_code == 0:
        return  # nothing of ours was in it, so there was nothing to take out
    assert result.exit_code == 2
    assert "so it was left as it is" in result.stderr
    assert '"mcp"' in result.stderr


def test_bytes_that_are_no_text_are_left_alone(home: Path, run: Run) -> None:
    path = home / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_bytes(b"\xff\xfe{}")
    assert run("setup", "cursor").exit_code == 2
    assert path.read_bytes() == b"\xff\xfe{}"


@LINUX
@pytest.mark.parametrize("client", USERS)
def test_printing_writes_nothing(home: Path, run: Run, client: str) -> None:
    result = run("setup", client, "--print")
    assert list(home.rglob("*")) == []
    head, _, snippet = result.stdout.partition("\n")
    assert head == f"# {home / USERS[client][0]}"
    shown = tomllib.loads(snippet) if client == "codex" else json.loads(snippet)
    assert shown[USERS[client][1]]["ebbing"]["args"] == ["mcp"]


@pytest.mark.parametrize("client", USERS)
def test_a_project_names_a_program_that_everybody_can_have(elsewhere: Path, run: Run, client: str) -> None:
    """Its file is shared, and a path of this machine would be wrong on every other."""
    result = run("setup", client, "--scope", "project")
    if client not in PROJECTS:
        assert result.exit_code == 2
        assert "keeps nothing in a project" in result.stderr
        return
    [servers] = held(elsewhere / PROJECTS[client]).values()
    assert servers["ebbing"]["command"] == ANYWHERE[0]
    assert servers["ebbing"]["args"] == [*ANYWHERE[1:], "mcp"]


def test_flags_are_written_so_that_they_mean_the_same_anywhere(home: Path, elsewhere: Path, run: Run) -> None:
    run("setup", "cursor", "--db", "team.db", "--agent", "cursor", "--owner", "mara")
    entry = held(home / ".cursor" / "mcp.json")["mcpServers"]["ebbing"]
    assert entry["args"] == ["mcp", "--db", str(elsewhere / "team.db"), "--agent", "cursor", "--owner", "mara"]


def test_an_address_that_may_hold_a_password_is_not_written_into_a_project(elsewhere: Path, run: Run) -> None:
    result = run("setup", "cursor", "--scope", "project", "--db", "postgresql://mara:pw@db/x")
    assert result.exit_code == 2
    assert "pw" not in result.output
    assert not (elsewhere / ".cursor").exists()


def test_a_link_is_followed_and_not_replaced(home: Path, run: Run) -> None:
    """Many keep their settings elsewhere, and link to them."""
    real = home / "dotfiles" / "mcp.json"
    real.parent.mkdir()
    real.write_text("{}")
    link = home / ".cursor" / "mcp.json"
    link.parent.mkdir()
    link.symlink_to(real)
    run("setup", "cursor")
    assert link.is_symlink()
    assert "ebbing" in held(real)["mcpServers"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("emacs",), "choose one of claude-code, claude-desktop, cursor, vscode, codex, windsurf"),
        (("cursor", "--scope", "galaxy"), "neither user nor project"),
        (("cursor", "--hooks"), "hooks are for claude-code"),
    ],
)
def test_a_mistake_is_said_in_a_sentence(run: Run, words: tuple[str, ...], says: str) -> None:
    result = run("setup", *words)
    assert result.exit_code == 2
    assert says in result.stderr


def test_hooks_are_installed_beside_those_that_are_there(home: Path, run: Run) -> None:
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    other = {"matcher": "Bash", "hooks": [{"type": "command", "command": "my-own hook"}]}
    before = {"model": "opus", "hooks": {"Stop": [other], "PreToolUse": [other]}}
    path.write_text(json.dumps(before))
    assert run("setup", "claude-code", "--hooks").exit_code == 0
    hooks = held(path)["hooks"]
    assert list(hooks) == ["Stop", "PreToolUse", "SessionStart", "UserPromptSubmit", "PreCompact", "SessionEnd"]
    assert hooks["Stop"][0] == other
    commands = {event: entries[-1]["hooks"][0]["command"] for event, entries in hooks.items() if event != "PreToolUse"}
    assert commands == {
        "Stop": f"{OURS} hook stop",
        "SessionStart": f"{OURS} hook session-start",
        "UserPromptSubmit": f"{OURS} hook prompt",
        "PreCompact": f"{OURS} hook compact",
        "SessionEnd": f"{OURS} hook stop",
    }
    again = path.read_bytes()
    run("setup", "claude-code", "--hooks")
    assert path.read_bytes() == again
    run("setup", "claude-code", "--remove")
    assert held(path) == before


def test_the_installed_hook_is_a_command_that_a_shell_can_run(home: Path, elsewhere: Path, run: Run) -> None:
    """With a name that needs quoting, too."""
    run("setup", "claude-code", "--hooks", "--db", "a b.db")
    [entry] = held(home / ".claude" / "settings.json")["hooks"]["UserPromptSubmit"]
    given = json.dumps({"session_id": "s", "prompt": "hello there"})
    result = subprocess.run(
        entry["hooks"][0]["command"], shell=True, input=given, capture_output=True, text=True, cwd="/", check=False
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert (elsewhere / "a b.db").exists()


def test_hooks_that_are_no_object_are_left_alone(home: Path, run: Run) -> None:
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    for text in ('{"hooks": []}', '{"hooks": {"Stop": {}}}'):
        path.write_text(text)
        assert run("setup", "claude-code", "--hooks").exit_code == 2
        assert path.read_text() == text


def test_json_tells_what_was_done(home: Path, answer: Callable[..., Any]) -> None:
    [change] = answer("setup", "cursor")
    assert change["path"] == str(home / ".cursor" / "mcp.json")
    assert (change["changed"], change["backup"]) == (True, None)
    assert [change["changed"] for change in answer("setup", "cursor")] == [False]
