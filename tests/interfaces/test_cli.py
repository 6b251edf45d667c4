"""The command line: every verb has a command, every command the same options, every error one sentence."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

import ebbing
from ebbing.domain import errors
from ebbing.engine import Engine
from ebbing.interfaces.cli import EXIT_CODES
from ebbing.interfaces.cli.loading import loaded
from ebbing.interfaces.cli.typer_app import FUNCTIONS
from ebbing.interfaces.tools import TOOLS
from tests import shell
from tests.tables import each_row

Run = Callable[..., Result]

# What each method of the engine is called on the command line, and those that need no command.
NAMES = {**{tool.verb: tool.command for tool in TOOLS.values()}, "remember_many": "remember"}
WITHOUT_A_COMMAND = {
    "close": "a command closes what it opened",
    "for_owner": "--owner",
    "limited_to": "for callers of an interface; a terminal is its owner's",
    "trust_ceiling": "for interfaces: the policy tells it",
    "crowded": "asked by what sweeps by itself",
    "on_compaction": "said by a host whose conversation is compressed: `ebbing hook`",
    "pressure": "said by a host that is short of room, not by a person",
    **dict.fromkeys(
        "life horizon browse browse_ids batches batch recall_report overview scopes strengths".split(),
        "pages of the dashboard",
    ),
}
NO_VERBS = {
    "dashboard": "serves pages to a browser",
    "demo": "a story on an engine of its own",
    "doctor": "looks at a store that may not open",
    "hook": "recalls and captures for Claude Code",
    "mcp": "serves the declared tools",
    "policy": "files",
    "serve": "serves the declared tools",
    "setup": "files of other programs",
    "token": "who may come in, whoever's memories they reach",
    "worker": "sweeps for every owner",
}
DEPLOYS = ("Deploys happen on Tuesdays", "--scope", "/project", "--category", "strategy", "--tag", "ops")


def commands(group: Any = None, above: str = "") -> Iterator[tuple[str, Any]]:
    """Every command there is, by the words that call it."""
    group = shell.command() if group is None else group
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{above}{name} ")
        else:
            yield f"{above}{name}", command


def verbs() -> dict[str, Any]:
    """The engine's verbs."""
    return {
        name: method
        for name, method in inspect.getmembers(Engine, inspect.isfunction)
        if not name.startswith("_") and name not in WITHOUT_A_COMMAND
    }


def test_every_verb_of_the_engine_has_a_command_and_no_command_is_made_up() -> None:
    """A verb that is added needs a command, or a reason here why it has none."""
    offered = {words for words, _ in commands() if words.partition(" ")[0] not in NO_VERBS}
    assert offered == {NAMES.get(name, name) for name in verbs()}


def test_every_command_has_the_shared_options() -> None:
    """--db --owner --agent --policy --json, everywhere."""
    shared = {"--db", "--owner", "--agent", "--policy", "--json"}
    lacking = {
        words: shared - {flag for parameter in command.params for flag in parameter.opts}
        for words, command in commands()
    }
    assert {words: flags for words, flags in lacking.items() if flags} == {}


@each_row("words", [words for words, _ in commands()])
def test_every_command_has_a_page_of_help_with_an_example(words: str, run: Run) -> None:
    """The page is plain text in a pipe, and its examples begin with the command itself."""
    page = run(*words.split(), "--help")
    assert page.exit_code == 0
    examples = page.stdout.partition("Examples:\n")[2].partition("\n\n")[0].splitlines()
    assert any(f"ebbing {words}" in example for example in examples), page.stdout
    assert all(len(line) <= 100 for line in page.stdout.splitlines())
    assert not set("│╭╰─\x1b") & set(page.stdout)


@each_row("words", [words for words, _ in commands()])
def test_every_command_has_its_function(words: str) -> None:
    """A place that is misspelled in a table would only be noticed by whoever types that command."""
    place, extra = FUNCTIONS[words]
    assert callable(loaded(place, extra=extra))


def test_every_option_is_explained() -> None:
    """No option and no argument is left without a word."""
    silent = [(words, one.name) for words, command in commands() for one in command.params if not one.help]
    assert silent == []


def test_the_page_of_the_docs_names_every_command_and_every_exit_code() -> None:
    """docs/commands.md."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
    assert [words for words, _ in commands() if f"`ebbing {words}`" not in page] == []
    assert [code for code, number in EXIT_CODES.items() if f"| {number} | `{code}`" not in page] == []


def test_the_help_lists_the_ways_in_order(run: Run) -> None:
    """In, back, down, care; as one would learn them."""
    page = run("--help").stdout
    places = [page.index(f"\n  {name} ") for name in ("remember", "recall", "forget", "stats", "policy")]
    assert places == sorted(places)


@pytest.mark.parametrize("words", [(), ("policy",)])
def test_without_a_command_there_is_help(run: Run, words: tuple[str, ...]) -> None:
    """It is told what there is, and that this was nothing."""
    result = run(*words)
    assert result.exit_code == 2
    assert "Commands:" in result.stdout


def test_a_flag_may_stand_before_or_after_the_name(run: Run) -> None:
    """Both reach the same file; the one nearer to the command counts."""
    assert run("remember", "one", "--db", "a.db", EBBING_DB="").exit_code == 0
    assert run("--db", "a.db", "remember", "two", EBBING_DB="").exit_code == 0
    assert run("--db", "b.db", "remember", "three", "--db", "a.db", EBBING_DB="").exit_code == 0
    with ebbing.open("a.db") as engine:
        assert [memory.text for memory in engine.list()] == ["three", "two", "one"]
    assert not Path("b.db").exists()


def test_a_flag_goes_before_the_environment(run: Run) -> None:
    """Wherever the flag stands."""
    run("remember", "mine", EBBING_OWNER="ada")
    run("--owner", "mara", "remember", "hers", EBBING_OWNER="ada")
    run("remember", "hers too", "--owner", "mara", EBBING_OWNER="ada")
    assert run("list", EBBING_OWNER="ada").stdout.count("\n") == 1
    assert run("list", "--owner", "mara").stdout.count("\n") == 2
    assert run("list").stdout == ""


def test_the_environment_names_agent_and_policy(run: Run, answer: Callable[..., Any]) -> None:
    """An agent's private memory is seen by that agent; the policy decides which categories there are."""
    Path("recipes.toml").write_text("[categories.recipe]\ndecay_per_day = 0.02\nweight = 0.8\n")
    environment = {"EBBING_AGENT": "cook", "EBBING_POLICY": "recipes.toml"}
    run("remember", "Sourdough needs 78 % water", "-c", "recipe", "--visibility", "private", **environment)
    assert [memory["category"] for memory in answer("list", EBBING_AGENT="cook")] == ["recipe"]
    assert answer("list") == []
    assert run("remember", "Rye needs 80 %", "-c", "recipe").exit_code == 2


def test_a_variable_that_is_empty_says_nothing(run: Run, tmp_path: Path) -> None:
    """The file is then the one in the data folder."""
    assert run("remember", "one", EBBING_DB="", EBBING_OWNER="").exit_code == 0
    assert (tmp_path / "home" / "ebbing" / "memory.db").exists()


def test_a_file_that_is_not_there_is_made_only_by_what_fills_it(run: Run) -> None:
    """A mistyped path must not look like an empty memory, nor become one."""
    for words in (("list",), ("recall", "anything"), ("stats",), ("sweep",), ("export", "e.jsonl")):
        result = run(*words, "--db", "memroy.db")
        assert result.exit_code == EXIT_CODES["not_found"]
        assert result.stderr == (
            "ebbing: there is no memory at memroy.db; check the path, or remember something there first\n"
        )
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("show", "nobody"), "not_found"),
        (("history", "nobody"), "not_found"),
        (("restore", "--batch", "nobody"), "not_found"),
        (("lift", "nobody"), "not_found"),
        (("forget",), "invalid"),
        (("forget", "--scope", "/", "--older-than", "soon"), "invalid"),
        (("restore",), "invalid"),
        (("remember", "x", "--category", "nonsense"), "invalid"),
        (("remember", "x", "--metadata", "{"), "invalid"),
        (("remember", "x", "--metadata", "[" * 100_000), "invalid"),
        (("remember", "x", "--importance", "2"), "invalid"),
        (("remember", "x", "--policy", "nowhere.toml"), "invalid"),
        (("remember",), "invalid"),
        (("remember", "x", "--lines", "notes.txt"), "invalid"),
        (("remember", "--lines", "nowhere.txt"), "invalid"),
        (("remember", "x" * 40_000), "too_large"),
        (("export", "nowhere/everything.jsonl"), "invalid"),
        (("recall", "x", "--include", "everything"), "invalid"),
        (("recall", "x", "--limit", "0"), "invalid"),
        (("purge", "--everything", "--scope", "/a", "--yes"), "invalid"),
        (("purge", "--scope", "/", "--yes"), "invalid"),
        (("purge", "--yes"), "invalid"),
    ],
)
def test_an_error_is_one_line_and_an_exit_code_by_its_kind(run: Run, words: tuple[str, ...], code: str) -> None:
    """On stderr; with --json the same on stdout, as data."""
    run("remember", *DEPLOYS)
    plainly = run(*words)
    assert (plainly.exit_code, plainly.stdout) == (EXIT_CODES[code], "")
    assert plainly.stderr.startswith("ebbing: ")
    assert plainly.stderr.count("\n") == 1
    as_data = run(*words, "--json")
    message = plainly.stderr.removeprefix("ebbing: ").rstrip("\n")
    assert json.loads(as_data.stdout) == {"error": {"code": code, "message": message}}
    assert (as_data.exit_code, as_data.stderr) == (plainly.exit_code, plainly.stderr)
    assert run("list").stdout.count("\n") == 1


def test_a_conflict_has_its_own_code(run: Run) -> None:
    """A file that is no export is not overwritten."""
    run("remember", *DEPLOYS)
    Path("diary.txt").write_text("dear diary")
    result = run("export", "diary.txt")
    assert (result.exit_code, Path("diary.txt").read_text()) == (EXIT_CODES["conflict"], "dear diary")


def test_a_store_that_does_not_open_is_unavailable(run: Run) -> None:
    """A file that is no database."""
    Path("memory.db").write_bytes(b"dear diary, " * 500)
    assert run("list").exit_code == EXIT_CODES["unavailable"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("recal", "x"), "no such command 'recal'. Did you mean 'recall'? (see ebbing --help)"),
        (("recall",), "missing argument 'QUERY' (see ebbing recall --help)"),
    ],
)
def test_a_mistyped_command_is_told_the_same_way(run: Run, words: tuple[str, ...], told: str) -> None:
    """One line that names the page of help; as data, too."""
    result = run(*words)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"ebbing: {told}\n")
    as_data = run("--json", *words)
    assert json.loads(as_data.stdout) == {"error": {"code": "invalid", "message": told}}


@pytest.mark.parametrize("words", [("--nope",), ("--limit", "many")])
def test_a_mistyped_option_is_named(run: Run, words: tuple[str, ...]) -> None:
    """In one line, with the page of help."""
    result = run("recall", "when do we deploy?", *words)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert words[0] in result.stderr
    assert result.stderr.endswith("(see ebbing recall --help)\n")


def test_json_behind_two_dashes_is_text(run: Run) -> None:
    """What stands behind them is no option, so nothing of it is obeyed."""
    run("remember", *DEPLOYS)
    result = run("show", "--", "--json")
    assert (result.stdout, result.stderr) == ("", "ebbing: there is no memory --json\n")


def test_every_kind_of_error_has_a_code_of_its_own() -> None:
    """So that a script can tell them apart; 0 and 1 are taken."""
    tree = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.EbbingError)]
    kinds = {kind.code for kind in tree} - {errors.EbbingError.code}
    assert EXIT_CODES.keys() == kinds
    assert len(set(EXIT_CODES.values()) - {0, 1}) == len(kinds)


def test_nothing_that_is_written_is_obeyed_by_a_terminal(run: Run) -> None:
    """Metadata may hold any character: it comes as an escape, in JSON as one that is read back as it was."""
    hostile = {"k\x1b[31m": "v\x7f\x9b31m\u202e"}
    id_ = run("remember", "Deploys happen on Tuesdays", "--metadata", json.dumps(hostile)).stdout.split("\t")[1]
    shown, told, refused = run("show", id_).stdout, run("show", id_, "--json").stdout, run("show", "\x1b[31m").stderr
    assert "metadata.k\\x1b[31m\tv\\x7f\\x9b31m\\u202e" in shown.splitlines()
    assert json.loads(told)["metadata"] == hostile
    assert refused == "ebbing: there is no memory \\x1b[31m\n"
    assert not set("\x1b\x7f\x9b\u202e") & set(shown + told + refused)


@pytest.mark.parametrize("words", [(), ("01m3k9v6z0q5x8r2t7w4y1n0bc", "--scope", "/a")])
def test_a_purge_of_nothing_or_of_two_things_is_told_what_can_be_typed(run: Run, words: tuple[str, ...]) -> None:
    """In the words of the command line, not of the library."""
    result = run("purge", "--yes", *words)
    told = "ebbing: purge needs exactly one of ids, --scope or --everything\n"
    assert (result.exit_code, result.stderr) == (EXIT_CODES["invalid"], told)


def test_a_purge_that_nobody_can_be_asked_about_is_refused(run: Run) -> None:
    """It says what to add."""
    run("remember", *DEPLOYS)
    result = run("purge", "--everything")
    told = "ebbing: purge erases for good and there is no terminal to ask on; add --yes if it is meant\n"
    assert (result.exit_code, result.stderr) == (2, told)
    assert run("list").stdout.count("\n") == 1


def test_a_forget_by_query_is_a_dry_run_until_yes_is_given(run: Run) -> None:
    """A query only describes what is meant: as on every interface, what it selects is shown first."""
    run("remember", *DEPLOYS)
    run("remember", "Mara prefers short answers")
    tried = run("forget", "--query", "Deploys happen on Tuesdays")
    assert tried.stdout.startswith("would be forgotten\t")
    assert tried.stderr == "note: dry run: nothing was changed; add --yes to forget them\n"
    result = run("forget", "--query", "Deploys happen on Tuesdays", "--yes")
    lines = [line.split("\t") for line in result.stdout.splitlines()]
    assert [line[0] for line in lines] == ["forgotten", "batch", "undo"]
    assert lines[0][-1] == "Deploys happen on Tuesdays"
    assert lines[2][1] == f"ebbing restore --batch {lines[1][1]}"


def test_the_command_that_undoes_repeats_the_flags_that_were_typed(run: Run) -> None:
    """Typed as it stands, it reaches the same memories; an address that may hold a password is left out."""
    flags = ("--db", "my notes.db", "--owner", "mara")
    run("remember", *DEPLOYS, *flags)
    undo = run("forget", "--scope", "/project", *flags).stdout.splitlines()[-1]
    assert undo.endswith(" --db 'my notes.db' --owner mara")


def test_a_dash_is_standard_input(answer: Callable[..., Any]) -> None:
    """For what is told and for what is asked."""
    [memory] = answer("remember", "-", given="Deploys happen\non Tuesdays\n")["memories"]
    assert memory["text"] == "Deploys happen\non Tuesdays"
    assert len(answer("recall", "-", given="when do we deploy?\n")["recollections"]) == 1
    assert len(answer("forget", "--query", "-", given="Deploys happen on Tuesdays\n")["memories"]) == 1


def test_lines_are_a_memory_each(answer: Callable[..., Any]) -> None:
    """Empty ones are none; what else was typed holds for all of them."""
    text = "one\r\n\r\ntwo\n   \nthree"
    outcome = answer("remember", "--lines", "-", "--tag", "notes", given=text)
    told = [(memory["text"], memory["tags"]) for memory in outcome["memories"]]
    assert told == [("one", ["notes"]), ("two", ["notes"]), ("three", ["notes"])]
    Path("notes.txt").write_text("﻿four\nfive\n", encoding="utf-8")
    outcome = answer("remember", "--lines", "notes.txt")
    assert [memory["text"] for memory in outcome["memories"]] == ["four", "five"]


def test_of_many_lines_all_are_checked_before_any_is_kept(run: Run) -> None:
    """One that is too large keeps all out."""
    result = run("remember", "--lines", "-", given="one\n" + "x" * 40_000)
    assert result.exit_code == EXIT_CODES["too_large"]
    assert run("list").stdout == ""


def test_what_is_not_text_is_refused(run: Run) -> None:
    """A picture is no memory."""
    result = run("remember", "-", given=b"\x89PNG\r\n\x1a\n\xff")
    told = "ebbing: standard input is not text in UTF-8: byte 0 cannot be read\n"
    assert (result.exit_code, result.stderr) == (2, told)
