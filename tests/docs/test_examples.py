"""Every example in README.md and docs/ runs.

A page is one story: its `python` blocks run in order in one namespace, in an empty folder, and the lines of
its `console` blocks that begin with `$ ebbing` run in that folder too. A block is left out only when the line
above it is a comment that says why: `<!-- not run: it needs a server -->`.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests import shell
from tests.interfaces.stub_endpoint import completion, listening

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(
    r"^(?P<reason><!-- not run: \S[^\n]*-->\n)?"
    r"(?P<fence>```+)(?P<language>python|console)\n(?P<code>.*?)^(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)
PATIENCE_SECONDS = 120


@dataclass(frozen=True)
class Example:
    language: str
    code: str
    line: int  # where its code begins in the page


def examples(text: str) -> list[Example]:
    """The blocks of a page that are to be run, in order."""
    return [
        Example(match["language"], match["code"], text.count("\n", 0, match.start("code")) + 1)
        for match in BLOCK.finditer(text)
        if not match["reason"]
    ]


class Page:
    """What the examples of one page share: the names they have defined, and the commands already typed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.namespace: dict[str, Any] = {"__name__": "example"}
        self.commands = 0

    def run(self, example: Example) -> None:
        if example.language == "python":
            # The empty lines put each statement on its own line of the page, so a traceback points there.
            exec(compile("\n" * (example.line - 1) + example.code, self.name, "exec"), self.namespace)
            return
        for line in example.code.replace("\\\n", " ").splitlines():
            if line.startswith("$ ebbing"):
                code, told = self._command(shlex.split(line, comments=True)[2:])
                assert code == 0, f"{self.name}: {line}\n{told}"

    def _command(self, words: list[str]) -> tuple[int, str]:
        """The first command of a page runs in a process of its own, as the reader's does; the others in this one,
        because starting takes longer than what they do."""
        self.commands += 1
        if self.commands > 1:
            result = shell.ebbing(words)
            return result.exit_code, result.output
        program = Path(sys.executable).with_name("ebbing")
        ended = subprocess.run(
            [str(program), *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        return ended.returncode, ended.stdout + ended.stderr


@pytest.fixture
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place of its own for a page, so that no example touches the reader's memories."""
    for variable in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def language_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A chat endpoint for pages that talk to one: it keeps what it is told, and recalls before it answers."""

    def reply(handler: Any) -> None:
        *_, last = handler.server.requests[-1].body["messages"]
        if last["role"] == "tool":
            found = json.loads(last["content"])
            kept = [one["memory"]["text"] for one in found.get("recollections", ())]
            completion(kept[0] if kept else "I will remember that.")(handler)
            return
        said = last["content"]
        asked = {"action": "recall", "query": said} if said.endswith("?") else {"action": "add", "text": said}
        call = {"id": "1", "type": "function", "function": {"name": "memory", "arguments": json.dumps(asked)}}
        completion(None, tool_calls=[call])(handler)

    with listening() as stub:
        stub.replies = [reply]
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        yield


@pytest.mark.usefixtures("empty_folder", "language_model")
@pytest.mark.parametrize(
    "page", [page for page in PAGES if examples(page.read_text(encoding="utf-8"))], ids=lambda page: page.name
)
def test_every_example_on_the_page_runs(page: Path) -> None:
    """What a reader copies works."""
    told = Page(page.relative_to(ROOT).as_posix())
    for example in examples(page.read_text(encoding="utf-8")):
        told.run(example)


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.name)
def test_a_page_begins_with_why(page: Path) -> None:
    """Whoever opens it sees at once whether it is the page they need."""
    title, _, opening, *_ = page.read_text(encoding="utf-8").splitlines()
    assert title.startswith("# ")
    assert opening.startswith("Why: ")


def test_the_index_names_every_page() -> None:
    """A page that nobody can find is not there."""
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in (ROOT / "docs").glob("*.md") if f"({page.name}" not in index] == ["README.md"]


def test_the_readme_shows_code() -> None:
    """The first page a reader meets has an example, and it is run."""
    shown = examples((ROOT / "README.md").read_text(encoding="utf-8"))
    assert "python" in {example.language for example in shown}


def test_a_block_is_left_out_only_with_a_reason() -> None:
    """Other languages are not run; a skipped block says why."""
    blocks = ["```python\na\n```", "```python\nb\n```", "```toml\nc\n```", "```console\n$ d\n```"]
    blocks[1] = f"<!-- not run: it needs a server -->\n{blocks[1]}"
    found = examples("\n\n".join(blocks))
    assert [(example.code, example.line) for example in found] == [("a\n", 2), ("$ d\n", 15)]


@pytest.mark.parametrize("before", [0, 1])
@pytest.mark.parametrize("example", [Example("python", "1 / 0\n", 7), Example("console", "$ ebbing no-such-verb\n", 7)])
def test_an_example_that_fails_is_seen(example: Example, before: int) -> None:
    """An error on the page is an error of the suite, in the first command and in a later one."""
    page = Page("page.md")
    page.commands = before
    with pytest.raises((ZeroDivisionError, AssertionError)):
        page.run(example)
