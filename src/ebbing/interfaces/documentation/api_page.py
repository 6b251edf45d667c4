"""docs/api.md: the public names of the library, out of their signatures, docstrings, fields and declarations."""

from __future__ import annotations

import dataclasses
import inspect
import re
import typing
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any

from ... import aio, strength, testing
from ...domain import errors, events, import_results, memory, overviews, results
from ...domain.policy import Policy
from ...engine import Engine
from ...wiring import open as open_
from ..parameters import Parameter
from ..tools import TOOLS
from .help_texts import HEADING, OPEN
from .tool_page import about, default

_OPENING = """# API

Why: to know which arguments a method takes, what it returns and what it raises, nobody should have to read the source.
This page is made from the signatures and docstrings by `python -m ebbing.interfaces.documentation`. Everything here is
importable from `ebbing`, but for asyncio (`ebbing.aio`), the curves (`ebbing.strength`) and the fakes
(`ebbing.testing`). To learn how the parts work together, begin with the [quickstart](quickstart.md).

[ebbing.open](#ebbingopen) · [Engine](#engine) · [Memory](#memory) · [Results](#results) · [Policy](#policy) ·
[Errors](#errors) · [Asyncio](#ebbingaio) · [Curves](#ebbingstrength) · [Testing](#ebbingtesting)
"""
_FIELD = re.compile(r"^    (\w+): [^#]*?(?:  # (.*))?$", re.MULTILINE)
_FUNCTION = re.compile(r"<function [^>]*>")
_METHODS_OF_THE_HOST = ("for_owner", "limited_to", "trust_ceiling", "close", "pressure", "crowded", "on_compaction")


def page() -> str:
    """The whole page."""
    parts = (_open(), _engine(), _dataclass("Memory", memory.Memory, level=2), _results(), _policy(), _errors())
    lines = [line for part in (*parts, _asyncio(), _curves(), _testing()) for line in part]
    return "\n".join([_OPENING, *lines]).rstrip() + "\n"


def _open() -> Iterator[str]:
    yield from ("## ebbing.open", "", *_code("ebbing.open", open_), _doc(open_), "")
    rows = [(name, OPEN[name], _plain_default(one)) for name, one in inspect.signature(open_).parameters.items()]
    yield from _table(("parameter", "what", "default"), rows)


def _engine() -> Iterator[str]:
    yield from ("## Engine", "", _doc(Engine), "")
    declared = {tool.verb: tool.parameters for tool in TOOLS.values()}
    public = [name for name, _ in inspect.getmembers(Engine, inspect.isfunction) if not name.startswith("_")]
    others = [name for name in public if name not in declared and name not in _METHODS_OF_THE_HOST]
    for name in (*declared, *sorted(others), *_METHODS_OF_THE_HOST):
        method = getattr(Engine, name)
        yield from (f"### engine.{name}", "", *_code(f"engine.{name}", method), _doc(method), "")
        yield from _parameters(declared.get(name, {}))


def _parameters(declared: Mapping[str, Parameter]) -> Iterator[str]:
    if declared:
        rows = [(name, about(one), default(one)) for name, one in declared.items()]
        yield from _table(("parameter", "what", "default"), rows)


def _results() -> Iterator[str]:
    yield from ("## Results", "", "What the methods return. All are frozen, and lists of them carry `.notes`.", "")
    ours = [
        kind
        for module in (results, overviews, import_results)
        for kind in vars(module).values()
        if inspect.isclass(kind) and kind.__module__ == module.__name__
    ]
    for kind in (*ours, memory.Source, memory.Scope, events.Event, memory.Status, memory.Tier, memory.Visibility):
        yield from _class(kind)
    yield from _event_kinds()


def _event_kinds() -> Iterator[str]:
    yield from ("### EventKind", "", _doc(events.EventKind), "")
    yield from ("`Event.change` is the detail as a class, one for each kind; its fields are:", "")
    rows = []
    kinds = [kind for kind in vars(events).values() if inspect.isclass(kind) and "kind" in vars(kind)]
    for change in (kind for kind in kinds if issubclass(kind, events.Change) and kind is not events.Change):
        comments = {name: about for of in change.__mro__[:-1] for name, about in _FIELD.findall(inspect.getsource(of))}
        named = [(one.name, comments.get(one.name, "")) for one in dataclasses.fields(change)]
        holds = ", ".join(f"`{name}` ({comment})" if comment else f"`{name}`" for name, comment in named)
        rows.append((change.kind.value, _first(_doc(change)), holds))
    yield from _table(("kind", "what happened", "fields of its change"), rows)


def _class(kind: type) -> Iterator[str]:
    if issubclass(kind, StrEnum):
        yield from _enumeration(kind)
    elif dataclasses.is_dataclass(kind):
        yield from _dataclass(kind.__name__, kind, level=3)
    else:
        yield from (f"### {kind.__name__}", "", _doc(kind), "")


def _dataclass(name: str, kind: type, *, level: int) -> Iterator[str]:
    yield from (f"{'#' * level} {name}", "", _doc(kind), "")
    comments = dict(_FIELD.findall(inspect.getsource(kind)))
    # A comment on a line of its own, or one that spans lines, is for people who change the code.
    rows = [(one.name, _type(one.type), comments.get(one.name, "")) for one in dataclasses.fields(kind)]
    yield from _table(("field", "type", "what"), rows)


def _enumeration(kind: type[StrEnum]) -> Iterator[str]:
    yield from (f"### {kind.__name__}", "", _doc(kind), "")
    comments = dict(re.findall(r'^    \w+ = "([\w-]+)"(?:  # (.*))?$', inspect.getsource(kind), re.MULTILINE))
    yield from _table(("value", "what"), [(one.value, comments.get(one.value, "")) for one in kind])


def _policy() -> Iterator[str]:
    yield from ("## Policy", "", _doc(Policy), "")
    hints = typing.get_type_hints(Policy)
    rows = [
        (one.name, _type(one.type), _first(inspect.getdoc(hints[one.name]) if _is_ours(hints[one.name]) else ""))
        for one in dataclasses.fields(Policy)
    ]
    yield from _table(("table", "type", "what"), rows)
    yield from ("[Policies](policies.md) explains the numbers, and `ebbing policy show` prints them with reasons.", "")


def _errors() -> Iterator[str]:
    yield from ("## Errors", "", "Every error has a `code` and a message that says what would be right.", "")
    raised = [kind for kind in vars(errors).values() if inspect.isclass(kind) and issubclass(kind, errors.EbbingError)]
    rows = [(kind.__name__, kind.__mro__[1].__name__, kind.code, _first(_doc(kind))) for kind in raised]
    yield from _table(("error", "is a", "code", "when"), rows)


def _asyncio() -> Iterator[str]:
    yield from ("## ebbing.aio", "", "The methods of the engine, awaited. [Async](async.md) explains it.", "")
    yield from ("### open", "", "As [`ebbing.open`](#ebbingopen): `await` it, or enter it with `async with`.", "")
    yield from _names(aio, ["AsyncEngine", "Threads"])


def _curves() -> Iterator[str]:
    yield from ("## ebbing.strength", "", "The curves by which memories fade, and what they need to know of one.", "")
    yield from _names(strength, [name for name in strength.__all__ if inspect.isclass(getattr(strength, name))])


def _testing() -> Iterator[str]:
    yield from ("## ebbing.testing", "", "For tests of your own: time that you move, and models that load nothing.", "")
    yield from _names(testing, ["FrozenClock", "FakeEmbedder", "FakeLlm", "FakeJudge", "in_memory"])


def _names(module: Any, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield from (f"### {name}", "", *_code(name, getattr(module, name)), _doc(getattr(module, name)), "")


def _code(name: str, called: Any) -> list[str]:
    signature = inspect.signature(called)
    parameters = [one for one in signature.parameters.values() if one.name != "self"]
    shown = signature.replace(parameters=[one.replace(annotation=one.empty) for one in parameters])
    answer = "" if signature.return_annotation is signature.empty else f" -> {_type(signature.return_annotation)}"
    text = f"{name}{shown.replace(return_annotation=signature.empty)}"
    text = _FUNCTION.sub("…", text)  # a default that is a function says nothing, and another address each time
    return ["```", f"{text}{answer}", "```", ""]


def _doc(of: Any) -> str:
    return (inspect.getdoc(of) or "").partition(f"\n\n{HEADING}")[0]


def _first(doc: str | None) -> str:
    return (doc or "").split("\n\n")[0].replace("\n", " ")


def _is_ours(kind: Any) -> bool:
    return inspect.isclass(kind) and dataclasses.is_dataclass(kind)


def _type(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))


def _plain_default(one: inspect.Parameter) -> str:
    return "*required*" if one.default is one.empty else f"`{one.default!r}`"


def _table(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(headings)} |"
    yield f"|{'---|' * len(headings)}"
    for first, *rest in rows:
        yield f"| {' | '.join([f'`{first}`', *(cell.replace('|', chr(92) + '|') for cell in rest)])} |"
    yield ""
