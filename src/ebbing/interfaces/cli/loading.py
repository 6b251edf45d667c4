"""Functions by their place, such as ".recall_commands:recall": the module is loaded when the function is needed.

Help pages, completion and mistakes in typing load neither the engine nor a terminal library. No other module here
imports anything late.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...domain.errors import Unavailable


def loaded(place: str, *, extra: str | None = None) -> Any:
    """What a module defines, given as "module:name", the module relative to this package: ".views" or "..doctor".

    Raises Unavailable where a package is missing that the extra `extra` would install.
    """
    module, _, name = place.partition(":")
    try:
        return getattr(import_module(module, __package__), name)
    except ImportError as error:
        if extra is None or (error.name or "").startswith("ebbing"):
            raise
        raise Unavailable(
            f"this command needs a package that is not installed ({error.name}); run: pip install 'ebbing[{extra}]'"
        ) from error
