"""Declared parameters (../parameters.py) as the options and arguments that Typer reads, and back as arguments.

What a parameter is called, means, defaults to and completes to is said in its declaration; here is how that looks on a
terminal: a required value is an argument, a list is an option that may be repeated, an object is typed as JSON.
"""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any

import typer

from ...domain.errors import Invalid
from ..parameters import Choices, Parameter, resolved
from .settings import VARIABLES

STANDARD_INPUT = "-"
SHARED = "shared_"  # before the names of options every command has: a command may have one of its own called so
_TYPES: Mapping[str, type] = {"integer": int, "number": float, "boolean": bool}


def signature_of(parameters: Mapping[str, Parameter], *, optional: Collection[str] = ()) -> list[inspect.Parameter]:
    """What Typer needs to know of each; those in `optional` need not be given though they are required elsewhere."""
    return [_typer_parameter(one, one.required and one.name not in optional) for one in parameters.values()]


def _typer_parameter(one: Parameter, required: bool) -> inspect.Parameter:
    kind: Any = list[str] if one.repeats else _TYPES.get(one.kind["type"], str)
    is_flag = kind is bool
    default = one.default if isinstance(one.default, str | int | float) else None
    known: Any = {"help": _help(one), "metavar": None if is_flag else one.metavar or one.name.upper()}
    if isinstance(one.default, tuple) and one.default:
        known["show_default"] = ", ".join(one.default)
    if one.choices or one.suggestions:
        known["autocompletion"] = _completion(one)
    if is_argument(one):
        info: Any = typer.Argument(**known)
    else:
        info = typer.Option(*option_names(one), **known)
    return inspect.Parameter(
        one.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if required else default,
        annotation=Annotated[kind if required or default is not None else kind | None, info],
    )


def is_argument(one: Parameter) -> bool:
    """Whether it is given by its place and not by name: what is required, and ids."""
    return one.required or one.name == "ids"


def option_names(one: Parameter) -> list[str]:
    """Its spellings on a terminal."""
    plain = one.option or f"--{one.name.replace('_', '-')}"
    if one.kind["type"] == "boolean" and one.default is not False and "/" not in plain:
        plain = f"{plain}/--no-{plain.removeprefix('--')}"
    return [plain, *([one.letter] if one.letter else [])]


def _help(one: Parameter) -> str:
    sentences = [one.about]
    if one.choices and not callable(one.choices):
        sentences.append(f"One of {', '.join(one.choices)}.")
    if one.repeats and not is_argument(one):
        sentences.append("May be repeated.")
    if one.from_stdin:
        sentences.append("- reads it from standard input.")
    return " ".join(sentences)


def completing(choices: Choices) -> Callable[[str], list[str]]:
    """Completion to fixed values, whatever else was typed."""

    def complete(incomplete: str) -> list[str]:
        return [value for value in resolved(choices) if value.startswith(incomplete)]

    return complete


def _completion(one: Parameter) -> Callable[[typer.Context, str], list[str]]:
    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        try:
            offered = one.offered(_policy_in_use(ctx))
        except Invalid:  # a policy that cannot be read is told of when the command runs
            offered = one.offered()
        return [value for value in offered if value.startswith(incomplete)]

    return complete


def _policy_in_use(ctx: typer.Context) -> str:
    """The policy typed so far, before or after the command, or that of the environment."""
    at: Any = ctx
    while at is not None:
        if typed := at.params.get(f"{SHARED}policy"):
            return str(typed)
        at = at.parent
    return os.environ.get(VARIABLES["policy"]) or "default"


def arguments(
    parameters: Mapping[str, Parameter], typed: Mapping[str, Any], read_text: Callable[[str], str]
) -> dict[str, Any]:
    """What was typed, as the values the declarations describe; a dash is replaced by what standard input holds, which
    `read_text` reads."""
    return {name: _value(parameters[name], value, read_text) for name, value in typed.items()}


def _value(one: Parameter, typed: Any, read_text: Callable[[str], str]) -> Any:
    if one.from_stdin and typed == STANDARD_INPUT:
        return read_text(typed)
    if isinstance(typed, int | float) and not one.kind.get("minimum", typed) <= typed <= one.kind.get("maximum", typed):
        raise Invalid(f"{option_names(one)[0]} is from {one.kind['minimum']} to {one.kind['maximum']}, not {typed:g}")
    if one.kind["type"] == "object":
        try:
            return json.loads(typed)
        except (ValueError, RecursionError) as error:
            raise Invalid(f"{one.name} is not JSON: {error}") from None
    return typed
