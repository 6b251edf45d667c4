"""What a command has at hand: its settings, the engine they name, and the three streams.

Answers go to stdout and nothing else does; notes, questions and progress go to stderr, so that a
pipe carries the answer alone.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import typer

from ...domain.errors import Conflict, Invalid, NotFound
from ..parameters import STATUSES
from ..tools import Tool
from .declared_options import STANDARD_INPUT
from .loading import loaded
from .output import print_json
from .settings import Settings

if TYPE_CHECKING:
    from ...engine import Engine
    from .views import View

Answer = TypeVar("Answer")
_ID_CHARACTERS = 26
_BEGINNING_OF_AN_ID = re.compile(rf"[0-9a-z]{{4,{_ID_CHARACTERS - 1}}}")
_AMBIGUOUS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Shell:
    """One call of one command."""

    settings: Settings

    @property
    def can_ask(self) -> bool:
        """Whether a question can be answered: both streams are a terminal."""
        return sys.stdin.isatty() and sys.stderr.isatty()

    def engine(self, *, creates: bool = False) -> Engine:
        """The engine the settings name, to be used in a `with`."""
        return open_engine(self.settings, creates=creates)

    def call(self, tool: Tool, engine: Engine, given: Mapping[str, Any], **more: Any) -> Any:
        """What a tool answers; `more` is what cannot be typed, such as `progress`."""
        return loaded("..tool_calls:call")(tool, engine, self.with_whole_ids(tool, engine, given), **more)

    def with_whole_ids(self, tool: Tool, engine: Engine, given: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments, in which an unambiguous beginning of a memory's id is the whole id."""
        named = [name for name in given if name in tool.parameters and tool.parameters[name].names_memory]
        whole = {name: _each(given[name], lambda id_: _whole_id(engine, id_)) for name in named}
        return {**given, **whole}

    def show(self, answer: Answer, view: Callable[[Answer], View], **beside: Any) -> None:
        """An answer: as JSON when asked for, with what stands beside its fields, otherwise as the view that is made of
        it. Notes name options."""
        answer = _naming_options(answer)
        if self.settings.as_json:
            print_json(answer, **beside)
        else:
            loaded(".render:write")(view(answer), sys.stdout)
        # A reader that has gone away must be noticed while it can still be said nothing about.
        sys.stdout.flush()

    def print(self, answer: Any, text: str) -> None:
        """An answer that is lines of text already, the same for a terminal and for a pipe."""
        if self.settings.as_json:
            print_json(answer)
        else:
            sys.stdout.write(text)
        sys.stdout.flush()

    def lay_before(self, view: View) -> None:
        """Show what a question is about, on stderr."""
        loaded(".render:write")(view, sys.stderr)

    def agree(self, question: str) -> None:
        """Ask; anything but a yes ends the command."""
        if not typer.confirm(question, err=True):
            raise typer.Abort

    @contextlib.contextmanager
    def progress(self, title: str) -> Iterator[Callable[[int, int], None] | None]:
        """A progress bar on stderr, called with (done, total); None where stderr is no terminal."""
        if not sys.stderr.isatty():
            yield None
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(title, total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)

    def text(self, given: str) -> str:
        """What was typed, or what standard input holds where a dash was."""
        return decoded(sys.stdin.buffer.read(), "standard input") if given == STANDARD_INPUT else given

    def lines(self, source: str) -> list[str]:
        """The lines of a file, or of standard input where a dash is given, without the empty ones."""
        if source == STANDARD_INPUT:
            text = self.text(source)
        else:
            try:
                text = decoded(Path(source).read_bytes(), source)
            except OSError as error:
                raise Invalid(f"{source} cannot be read: {error.strerror or error}") from error
        return [line for line in text.split("\n") if line.strip()]

    def save(self, text: str, path: str) -> None:
        """Write a new file; an existing one is not overwritten."""
        try:
            with Path(path).open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError as error:
            raise Conflict(f"{path} is there already and is not overwritten; choose another name") from error
        except OSError as error:
            raise Invalid(f"{path} cannot be written: {error.strerror or error}") from error


def open_engine(settings: Settings, *, creates: bool = False) -> Engine:
    """The engine these settings name. A file that was named and is not there is made only by a command that fills it.

    Raises NotFound where a command that only reads names such a file.
    """
    address = settings.db
    if address is not None and not creates and address != ":memory:" and "://" not in address:
        path = Path(address).expanduser()
        if address.strip() and not path.exists():
            raise NotFound(f"there is no memory at {address}; check the path, or remember something there first")
    names = ("owner", "agent", "policy", "judge", "embedder", "llm", "reranker")
    engine: Engine = loaded("...wiring:open")(address, **{name: getattr(settings, name) for name in names})
    return engine


def _each(given: Any, change: Callable[[str], str]) -> Any:
    """A value changed, or each in a list of them; what is no text is not ours to judge."""
    if isinstance(given, list):
        return [_each(one, change) for one in given]
    return change(given) if isinstance(given, str) else given


def _whole_id(engine: Engine, beginning: str) -> str:
    """The one id that begins so. Whatever does not is left for the engine, which says that there is no such memory."""
    if not _BEGINNING_OF_AN_ID.fullmatch(beginning):
        return beginning
    # Ids are listed in descending order, so those that begin so are the next below the last that could.
    behind = f"{beginning}{'z' * _ID_CHARACTERS}"
    listed = engine.list(before=behind, limit=_AMBIGUOUS_SHOWN, status=STATUSES)
    found = [memory.id for memory in listed if memory.id.startswith(beginning)]
    if len(found) > 1:
        raise Invalid(f"several ids begin with {beginning}: {', '.join(found)}; give more characters")
    return found[0] if found else beginning


def decoded(given: bytes, where: str) -> str:
    """Text from outside; editors of some systems begin a file with a mark of its encoding."""
    try:
        return given.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Invalid(f"{where} is not text in UTF-8: byte {error.start} cannot be read") from error


def _naming_options(answer: Answer) -> Answer:
    """The answer with notes that name options as they are typed here."""
    given_answer: Any = answer
    notes: Any = getattr(given_answer, "notes", ())
    if not is_dataclass(given_answer) or not any("=True" in note for note in notes):
        return answer
    kept = [as_options(note) for note in notes]
    changed: Any = replace(given_answer, notes=kept if isinstance(notes, list) else tuple(kept))  # type: ignore[type-var]
    return cast("Answer", changed)


def as_options(sentence: str) -> str:
    """A sentence of the library as the command line says it: everything=True is --everything, settle(id, keep=True) is
    ebbing settle ID --keep."""
    sentence = sentence.replace("set_block(label, text)", "ebbing block set LABEL TEXT")
    sentence = re.sub(r"\b([a-z]+)\(id, ([a-z]+=True)\)", r"ebbing \1 ID \2", sentence)
    return re.sub(r"\b([a-z]+(?:_[a-z]+)*)=True\b", lambda found: f"--{found[1].replace('_', '-')}", sentence)
