"""The app, and how a command joins it.

A command is one small function of the `Shell` and of what was typed, loaded when the command runs. `command` makes its
options from the declaration of a tool or program, and gives it the options that all share, its examples and its place
in the help. Errors of ours become one sentence on stderr and an exit code by their kind, never a traceback.
"""

from __future__ import annotations

import contextlib
import inspect
import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Any, NoReturn, Protocol

import typer
from typer.core import TyperCommand, TyperGroup

from ...domain.errors import EbbingError, Invalid
from ..parameters import Choices, Parameter, preset_names
from ..tools import known_as
from .command_context import Shell, as_options
from .declared_options import SHARED, arguments, completing, signature_of
from .loading import loaded
from .output import is_watched, print_json, visible
from .settings import VARIABLES, Settings

# 1 is left for what was looked at and found wrong (`doctor`), or declined when asked.
EXIT_CODES = {"invalid": 2, "not_found": 3, "conflict": 4, "denied": 5, "unavailable": 6, "too_large": 7}
_EXIT_READER_GONE = 141  # as a shell tells of any program that this ends
WRITE, SEARCH, FORGET, MAINTENANCE = _PANELS = ("Write", "Search", "Forget", "Maintenance")

# The order of commands within a panel; the others follow as they were declared.
_ORDER_IN_HELP = (
    "remember",
    "observe",
    "extract",
    "update",
    "review",
    "settle",
    "recall",
    "context",
    "forget",
    "restore",
    "sweep",
    "stats",
)

_ABOUT = {  # what to write there, and what it is
    "db": ("DATABASE", "A file or postgresql://…; by default the file in your data folder."),
    "owner": ("OWNER", "Whose memories."),
    "agent": ("AGENT", "The agent that asks: it sees what is shared and its own."),
    "policy": ("POLICY", "A preset's name or the path of a policy file."),
    "judge": ("auto|off", "The model that decides what replaces what; off: exact rules alone."),
}
_OFFERED: Mapping[str, Choices] = {"policy": preset_names, "judge": ("auto", "off")}
_EVERYWHERE = "Options of every command"


def _shared_parameters() -> list[inspect.Parameter]:
    """The options that every command has, before and after its name."""
    kinds: dict[str, Any] = {
        name: Annotated[
            str | None,
            typer.Option(
                f"--{name}",
                metavar=what,
                help=f"{about} Also {VARIABLES[name]}.",
                rich_help_panel=_EVERYWHERE,
                autocompletion=completing(_OFFERED[name]) if name in _OFFERED else None,
            ),
        ]
        for name, (what, about) in _ABOUT.items()
    }
    kinds["json"] = Annotated[
        bool | None, typer.Option("--json", help="The answer as one JSON document.", rich_help_panel=_EVERYWHERE)
    ]
    return [
        inspect.Parameter(SHARED + name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
        for name, kind in kinds.items()
    ]


def _settings(ctx: typer.Context) -> Settings:
    """What was typed closest to the command counts."""
    typed: dict[str, Any] = {}
    at: Any = ctx
    while at is not None:
        here = {name.removeprefix(SHARED): value for name, value in at.params.items() if name.startswith(SHARED)}
        typed = {**{name: value for name, value in here.items() if value is not None}, **typed}
        at = at.parent
    return Settings.of(typed, as_json=bool(typed.pop("json", False)))


def _plain_when_piped(page: TyperCommand | TyperGroup) -> None:
    """In a pipe help is plain text: no boxes, no colour, and nothing of Rich is loaded."""
    if not is_watched(sys.stdout):
        page.rich_markup_mode = None


class Command(TyperCommand):
    """A command whose help can be piped."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _plain_when_piped(self)
        super().format_help(ctx, formatter)


class Commands(TyperGroup):
    """The commands, with every error said in one sentence."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _plain_when_piped(self)
        super().format_help(ctx, formatter)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command, or a refusal that names it where another interface knows it by the word that was typed."""
        here = "" if not args or args[0] in self.commands else known_as(args[0], lambda tool: tool.command)
        if here:
            raise Invalid(f"there is no command {args[0]:.60}{here}")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:
        """In the order of the panels; within one, as one would learn them."""
        return sorted(
            super().list_commands(ctx), key=lambda name: (_order_of_panel(self.commands[name]), _order_in_help(name))
        )

    def main(self, args: Sequence[str] | None = None, *given: Any, **more: Any) -> NoReturn:
        words = list(sys.argv[1:] if args is None else args)
        as_json = "--json" in words[: words.index("--") if "--" in words else None]
        more["standalone_mode"] = False
        try:
            code = super().main(words, *given, **more)
        except EbbingError as error:
            code = EXIT_CODES.get(error.code, 1)
            _report_error(error.code, as_options(str(error)), as_json)
        except typer.TyperException as error:
            code = error.exit_code
            _report_error("invalid", _usage(error), as_json)
        except typer.Abort:
            code = 1
            _report_error("aborted", "nothing was done", as_json)
        sys.exit(_flushed(code if isinstance(code, int) else 0))

    def make_context(self, *given: Any, **more: Any) -> Any:
        with _exits_when_reader_is_gone():
            return super().make_context(*given, **more)

    def invoke(self, ctx: Any) -> Any:
        with _exits_when_reader_is_gone():
            return super().invoke(ctx)


@contextlib.contextmanager
def _exits_when_reader_is_gone() -> Iterator[None]:
    """Typer would end with 1, which says that something was found wrong."""
    try:
        yield
    except BrokenPipeError as error:
        raise typer.Exit(_EXIT_READER_GONE) from error


def _flushed(code: int) -> int:
    """The exit code, once all output is written; output that has no reader any more is dropped."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return code or _EXIT_READER_GONE
    return code


def _order_of_panel(one: Any) -> int:
    panel = getattr(one, "rich_help_panel", None)
    return _PANELS.index(panel) if panel in _PANELS else len(_PANELS)


def _order_in_help(name: str) -> int:
    return _ORDER_IN_HELP.index(name) if name in _ORDER_IN_HELP else len(_ORDER_IN_HELP)


def _report_error(code: str, message: str, as_json: bool) -> None:
    if as_json:
        with contextlib.suppress(BrokenPipeError):  # a reader that is gone still gets the sentence and the exit code
            print_json({"error": {"code": code, "message": message}})
    print(f"ebbing: {visible(message)}", file=sys.stderr)


def _usage(error: typer.TyperException) -> str:
    """A mistake in how a command was typed, in one line, with the page that tells how it is."""
    message = " ".join(error.format_message().split()).rstrip(".")
    ctx = getattr(error, "ctx", None)
    page = f" (see {ctx.command_path} --help)" if ctx is not None else ""
    return message[:1].lower() + message[1:] + page


def _group(name: str, about: str) -> typer.Typer:
    return typer.Typer(
        name=name,
        help=about,
        cls=Commands,
        invoke_without_command=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"ebbing {version('ebbing')}")
        raise typer.Exit


app = _group("ebbing", "Memory for LLM agents that knows how to forget.")


def _with_shared_options(callback: Callable[..., None], *own: inspect.Parameter) -> Callable[..., None]:
    """The callback with the shared options in the signature that Typer reads."""
    context = inspect.Parameter("ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    parameters = [context, *(one.replace(kind=one.KEYWORD_ONLY) for one in own), *_shared_parameters()]
    callback.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined] # any callable may have one
    callback.__annotations__ = {one.name: one.annotation for one in parameters}
    return callback


def _help_without_command() -> Callable[..., None]:
    """What a group does itself: nothing, unless no command of it was named."""

    def print_help(ctx: typer.Context, **_: Any) -> None:
        if ctx.invoked_subcommand is None:
            print(ctx.get_help())
            raise typer.Exit(EXIT_CODES["invalid"])

    return print_help


_VERSION = inspect.Parameter(
    "version",
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ],
)
app.callback()(_with_shared_options(_help_without_command(), _VERSION))


class Declared(Protocol):
    """What a command is made from: a tool, or a program of its own."""

    @property
    def command(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def parameters(self) -> Mapping[str, Parameter]: ...


@dataclass(frozen=True, slots=True)
class Program:
    """A command that is no tool: a server, a demonstration, or something about files."""

    command: str
    summary: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)


_GROUPS: dict[str, typer.Typer] = {"": app}
FUNCTIONS: dict[str, tuple[str, str | None]] = {}  # by command, the place of its function, and the extra that it needs


def group(name: str, about: str, *, panel: str) -> None:
    """A family of commands under one name, such as `ebbing policy …`; a command joins it by its first word."""
    family = _GROUPS[name] = _group(name, about)
    family.callback()(_with_shared_options(_help_without_command()))
    app.add_typer(family, rich_help_panel=panel)


def command(
    declared: Declared,
    function: str,
    *,
    panel: str,
    examples: Sequence[str],
    more: Mapping[str, Parameter] = MappingProxyType({}),
    optional: Collection[str] = (),
    extra: str | None = None,
) -> None:
    """Declare a command. `function` is the place of what runs it, such as ".recall_commands:recall": it is called with
    the `Shell` and with what was typed, by the declared names.

    `more` are parameters that a terminal alone has, or spells in its own way; those in `optional` need not be given
    here because `more` has another way to say the same. `extra` installs what the function needs besides.
    """
    taken = {**declared.parameters, **more}
    # A tool's defaults are put in by the engine; a program's here.
    assumed = {name: one.default for name, one in taken.items() if not one.required and isinstance(declared, Program)}

    def run(ctx: typer.Context, **given: Any) -> None:
        shell = Shell(_settings(ctx))
        typed = {name: value for name, value in given.items() if name in taken and _was_typed(ctx, name)}
        loaded(function, extra=extra)(shell, {**assumed, **arguments(taken, typed, shell.text)})

    FUNCTIONS[declared.command] = (function, extra)
    family, _, name = declared.command.rpartition(" ")
    page = "\n".join([declared.summary, "", "\b", "Examples:", *(f"  {example}" for example in examples)])
    short = declared.summary.partition(". ")[0].rstrip(".") + "."
    _GROUPS[family].command(name, help=page, short_help=short, cls=Command, rich_help_panel=panel)(
        _with_shared_options(run, *signature_of(taken, optional=optional))
    )


def _was_typed(ctx: typer.Context, name: str) -> bool:
    source: Any = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
