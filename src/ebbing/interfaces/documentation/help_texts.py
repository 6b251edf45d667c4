"""Parameters in the help of the engine's methods: `help(engine.recall)` lists what each means and its default.

The texts are those of the declarations, so they are not written a second time in the docstrings. `ebbing/__init__.py`
adds them when the engine is first asked for.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterator

from ..parameters import Parameter
from ..tools import TOOLS

HEADING = "Parameters:"
_WIDTH = 100


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
    text = f"{one.name}: {one.about}{default}"
    yield from textwrap.wrap(text, _WIDTH, initial_indent="    ", subsequent_indent="        ")
