"""Parameters in the help of `ebbing.open` and of the engine's methods: `help(engine.recall)` lists what each means and
its default.

The texts are those of the declarations, so they are not written a second time in the docstrings. `ebbing/__init__.py`
adds them when one of these is first asked for.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator

from ..parameters import Parameter
from ..tools import TOOLS

HEADING = "Parameters:"
_WIDTH = 100
OPEN = {
    "path": "A file, `:memory:`, or `postgresql://…`; left out, the file in your data folder.",
    "owner": "Whose memories. Owners never see each other's.",
    "agent": "Which of the owner's agents asks: it sees what is shared and what is private to it.",
    "policy": "The name of a preset, the path of a policy file, or a `Policy`.",
    "embedder": "The model that makes vectors: `auto`, None for words alone, an address, or an object of your own.",
    "judge": "The model that decides what replaces what: `auto`, `off`, or an object of your own.",
    "llm": "A language model, asked where the rules are in doubt; None: none is asked.",
    "clock": "Where the time comes from; for tests, a `FrozenClock`.",
    "reranker": "A model that reads the question with each of the best twenty; None: none.",
}


def add_parameters_of_open(open_: Callable[..., object]) -> None:
    """Append the parameters to the docstring of `ebbing.open`; once."""
    doc = inspect.getdoc(open_) or ""
    if HEADING not in doc:
        lines = [line for name in inspect.signature(open_).parameters for line in _wrapped(name, OPEN[name])]
        open_.__doc__ = "\n".join([doc, "", HEADING, *lines])


def add_parameters(engine: type) -> None:
    """Append the parameters to the docstring of each method that a tool declares; once."""
    for tool in TOOLS.values():
        method = getattr(engine, tool.verb)
        doc = inspect.getdoc(method) or ""
        if tool.parameters and HEADING not in doc:
            lines = [line for one in tool.parameters.values() for line in _lines(one)]
            method.__doc__ = "\n".join([doc, "", HEADING, *lines])


def _lines(one: Parameter) -> Iterator[str]:
    default = "" if one.required or one.default in (None, ()) else f" Default: {one.default!r}."
    yield from _wrapped(one.name, f"{one.about}{default}")


def _wrapped(name: str, about: str) -> list[str]:
    return textwrap.wrap(f"{name}: {about}", _WIDTH, initial_indent="    ", subsequent_indent="        ")
