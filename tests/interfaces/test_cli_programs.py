"""The installed program: in pipes, at a terminal, and quick to say what it can do."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import Result

from ebbing.interfaces.cli import EXIT_CODES

PROGRAM = str(Path(sys.executable).with_name("ebbing"))
Ebbing = Callable[..., subprocess.CompletedProcess[str]]
Run = Callable[..., Result]


@pytest.fixture
def environment(elsewhere: Path) -> dict[str, str]:
    forced = ("FORCE_COLOR", "PY_COLORS", "COLUMNS", "GITHUB_ACTIONS")
    return {name: value for name, value in os.environ.items() if name not in forced} | {"EBBING_DB": "memory.db"}


@pytest.fixture
def ebbing(environment: dict[str, str]) -> Ebbing:
    """The program in a process of its own, between pipes."""

    def run(*words: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [PROGRAM, *words], input=given, capture_output=True, encoding="utf-8", env=environment, check=False
        )

    return run


def at_a_terminal(words: list[str], keys: str, environment: dict[str, str], columns: int = 80) -> tuple[str, int]:
    """The program as somebody sees it who types `keys`; what they see, and the exit code."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {**environment, "TERM": "xterm-256color"}
    program = subprocess.Popen([PROGRAM, *words], stdin=its, stdout=its, stderr=its, env=environment)
    os.close(its)
    os.write(ours, keys.encode())
    seen = b""
    try:
        while part := os.read(ours, 65536):
            seen += part
    except OSError:
        pass  # on Linux a terminal whose last program has ended reads as an error
    finally:
        os.close(ours)
    return seen.decode(), program.wait()


@pytest.mark.slow
def test_a_life_from_the_shell(ebbing: Ebbing) -> None:
    """remember → recall → forget → restore → purge, each told the next by what the last one printed."""
    remembered = ebbing("remember", "-", "--category", "strategy", given="Deploys happen on Tuesdays\n")
    assert (remembered.returncode, remembered.stderr) == (0, "")
    id_ = remembered.stdout.split("\t")[1]

    recalled = ebbing("recall", "when do we deploy?")
    assert recalled.stdout.split("\t")[2:] == remembered.stdout.split("\t")[1:]

    forgotten = ebbing("forget", id_, "--reason", "a mistake").stdout.splitlines()
    batch = forgotten[1].removeprefix("batch\t")
    assert forgotten[2] == f"undo\tebbing restore --batch {batch}"
    assert ebbing("recall", "when do we deploy?").stdout == ""

    restored = ebbing(*forgotten[2].removeprefix("undo\tebbing ").split())
    assert restored.stdout.startswith(f"restored\t{id_}\tactive\t")
    assert ebbing("recall", "when do we deploy?").stdout.count(id_) == 1

    refused = ebbing("purge", id_)
    assert (refused.returncode, refused.stdout) == (2, "")
    purged = ebbing("purge", id_, "--yes", "--json")
    receipt = json.loads(purged.stdout)
    assert (receipt["count"], receipt["verified"]) == (1, True)
    assert b"Tuesdays" not in b"".join(path.read_bytes() for path in Path().glob("memory.db*"))

    told = [line.split("\t")[1] for line in ebbing("history", id_).stdout.splitlines()]
    assert told[-1] == "purged"
    assert ebbing("show", id_).returncode == 3


def test_a_reader_that_goes_away_is_no_error_to_speak_of(environment: dict[str, str], run: Run) -> None:
    """`ebbing list | head -1` prints no traceback, and ends as every program does that is not read to its end."""
    run("remember", "--lines", "-", given="".join(f"Pilot {number} knows the tide\n" for number in range(900)))
    program = subprocess.Popen(
        [PROGRAM, "list", "--json", "-n", "900"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    assert program.stdout is not None
    assert program.stderr is not None
    program.stdout.read(1)
    program.stdout.close()
    assert program.stderr.read() == b""
    program.stderr.close()
    assert program.wait() == 141


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("stats",), 141, ""),
        (("--help",), 141, ""),
        (("show", "nothing", "--json"), 3, "ebbing: there is no memory nothing\n"),
    ],
)
@pytest.mark.parametrize("buffered", [True, False])
def test_where_nobody_reads_at_all_only_an_error_is_told(
    environment: dict[str, str], run: Run, words: tuple[str, ...], code: int, told: str, buffered: bool
) -> None:
    """An error keeps its sentence and its exit code; exit code 1 would mean that something was found wrong."""
    run("remember", "Deploys happen on Tuesdays")
    reading, writing = os.pipe()
    os.close(reading)
    settings = {**environment, "PYTHONUNBUFFERED": "" if buffered else "1"}
    ended = subprocess.run(
        [PROGRAM, *words], stdout=writing, stderr=subprocess.PIPE, encoding="utf-8", env=settings, check=False
    )
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (code, told)


@pytest.mark.parametrize("words", [["recall", "deploys"], ["recall", "--help"]])
def test_a_pipe_carries_plain_text(environment: dict[str, str], run: Run, words: list[str]) -> None:
    """No colour and no drawing: programs read it."""
    run("remember", "Deploys happen on Tuesdays")
    result = subprocess.run([PROGRAM, *words], capture_output=True, encoding="utf-8", env=environment, check=True)
    assert result.stderr == ""
    assert "recall" in result.stdout or "Deploys" in result.stdout
    assert not set("━╌─│╭\x1b") & set(result.stdout)


@pytest.mark.parametrize(("also", "colour"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_pipe_is_drawn_on_where_colour_is_forced(
    environment: dict[str, str], run: Run, also: dict[str, str], colour: bool
) -> None:
    """For `ebbing recall … | less -R` and the logs of a build; NO_COLOR takes the colours away, not the table."""
    run("remember", "Deploys happen on Tuesdays")
    forced = {**environment, "FORCE_COLOR": "1", **also}
    words = [PROGRAM, "recall", "deploys"]
    result = subprocess.run(words, capture_output=True, encoding="utf-8", env=forced, check=True)
    assert "score" in result.stdout
    assert ("\x1b[3" in result.stdout) is colour


def test_a_terminal_gets_tables_and_bars(environment: dict[str, str], run: Run) -> None:
    """In colour, with headings."""
    run("remember", "Deploys happen on Tuesdays")
    seen, code = at_a_terminal(["recall", "when do we deploy?"], "", environment)
    assert code == 0
    assert "━" in seen
    assert "\x1b[" in seen
    assert "score" in seen
    page, code = at_a_terminal(["recall", "--help"], "", environment)
    assert code == 0
    assert "╭" in page


@pytest.mark.parametrize(("keys", "left", "code"), [("y\n", 1, 0), ("\n", 2, 1)])
def test_a_forget_by_question_shows_what_it_found_and_asks(
    environment: dict[str, str], run: Run, keys: str, left: int, code: int
) -> None:
    """Only a yes forgets."""
    run("remember", "Deploys happen on Tuesdays")
    run("remember", "Mara prefers short answers")
    seen, ended = at_a_terminal(["forget", "--query", "Deploys happen on Tuesdays"], keys, environment)
    assert ended == code
    assert seen.index("Deploys happen on Tuesdays") < seen.index("Forget them?")
    assert "Mara" not in seen
    assert ("ebbing restore --batch" in seen) == (code == 0)
    assert ("nothing was done" in seen) == (code == 1)
    assert run("list").stdout.count("\n") == left


@pytest.mark.parametrize(("keys", "left", "code"), [("y\n", 0, 0), ("n\n", 1, 1)])
def test_a_purge_asks(environment: dict[str, str], run: Run, keys: str, left: int, code: int) -> None:
    """It shows the texts that it would erase: an id alone says nothing to whoever typed it."""
    run("remember", "Deploys happen on Tuesdays", "--scope", "/project")
    seen, ended = at_a_terminal(["purge", "--scope", "/project"], keys, environment)
    assert ended == code
    question = "Erase everything under /project, with all that was made from it, for good?"
    assert seen.index("Deploys happen on Tuesdays") < seen.index(question)
    assert run("list").stdout.count("\n") == left


@pytest.mark.parametrize(
    "words",
    [
        ["forget", "--query", "Deploys happen on Tuesdays", "--dry-run"],
        ["forget", "--query", "Deploys happen on Tuesdays", "--yes"],
        ["purge", "--everything", "--yes"],
    ],
)
def test_nobody_is_asked_who_said_yes(environment: dict[str, str], run: Run, words: list[str]) -> None:
    """Nor for a dry run, which does nothing."""
    run("remember", "Deploys happen on Tuesdays")
    seen, code = at_a_terminal(words, "", environment)
    assert (code, "?" in seen) == (0, False)


def test_long_work_shows_a_bar_to_whoever_watches(environment: dict[str, str], run: Run) -> None:
    """On stderr, so that a pipe stays clean."""
    Path("notes.txt").write_text("".join(f"Pilot {number} knows the tide\n" for number in range(5)))
    seen, code = at_a_terminal(["remember", "--lines", "notes.txt"], "", environment)
    assert (code, "Remembering" in seen) == (0, True)
    seen, code = at_a_terminal(["export", "everything.jsonl"], "", environment)
    assert (code, "Exporting" in seen) == (0, True)
    imported = run("import", "everything.jsonl", "--db", "other.db")
    assert (imported.stdout.splitlines()[0], imported.stderr) == ("added\t5", "")


def test_the_version_is_told(ebbing: Ebbing) -> None:
    """`ebbing --version`."""
    assert ebbing("--version").stdout == f"ebbing {version('ebbing')}\n"


def test_the_module_is_the_program(ebbing: Ebbing, environment: dict[str, str]) -> None:
    called = [sys.executable, "-m", "ebbing", "--version"]
    told = subprocess.run(called, capture_output=True, encoding="utf-8", env=environment, check=True)
    assert told.stdout == ebbing("--version").stdout


@pytest.mark.parametrize("words", [["--help"], ["recall", "--help"], ["--version"], ["recal"]])
def test_saying_what_it_can_do_loads_nothing_heavy(words: list[str], environment: dict[str, str]) -> None:
    """Help is a fifth of a second away: neither the engine nor numpy, the store or Rich are loaded for it."""
    program = "import sys; from ebbing.interfaces.cli import main\n"
    program += "try:\n    main()\nexcept SystemExit:\n    print(*sys.modules, sep='\\n', file=sys.stderr)"
    result = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, encoding="utf-8", env=environment, check=True
    )
    loaded = set(result.stderr.splitlines())
    assert "ebbing.interfaces.cli" in loaded
    heavy = {"numpy", "apsw", "rich", "tokenizers", "ebbing.engine", "ebbing.domain.policy"}
    assert loaded & heavy == set()


@pytest.mark.parametrize("words", [["serve"], ["mcp"], ["mcp", "--transport", "http"]])
def test_a_server_without_its_packages_says_how_to_get_them(words: list[str], environment: dict[str, str]) -> None:
    """Servers are an extra: whoever lacks it reads one sentence, and no traceback."""
    program = "import sys; sys.modules.update(mcp=None, starlette=None); from ebbing.interfaces.cli import main; main()"
    result = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, encoding="utf-8", env=environment, check=False
    )
    assert (result.returncode, result.stdout) == (EXIT_CODES["unavailable"], "")
    assert result.stderr.startswith("ebbing: this command needs a package that is not installed (")
    assert result.stderr.endswith("run: pip install 'ebbing[server]'\n")
