"""Ebbing: memory for LLM agents that knows how to forget.

import ebbing

with ebbing.open("memory.db") as memory:
    memory.remember("The deploy key lives in the vault under ops/deploy")
    memory.recall("where is the deploy key?")
"""

import importlib as _importlib
import typing as _typing

from .domain.errors import (
    Conflict,
    Corrupt,
    Denied,
    EbbingError,
    Invalid,
    InvalidPolicy,
    Locked,
    Malformed,
    NewerFile,
    NotFound,
    StorageFull,
    TooLarge,
    Unavailable,
)
from .domain.events import Event, EventKind
from .domain.import_results import Imported
from .domain.memory import Memory, Scope, Source, Status, Tier, Visibility
from .domain.results import (
    Action,
    Batch,
    Block,
    Context,
    Doubt,
    Explanation,
    Fact,
    Facts,
    Forecast,
    Receipt,
    Recollection,
    Recollections,
    Remembered,
    Skipped,
    Stats,
    Step,
    Sweep,
    Unsettled,
)

if _typing.TYPE_CHECKING:
    from .domain.policy import Policy
    from .engine import Engine
    from .wiring import open

__all__ = [
    "Action",
    "Batch",
    "Block",
    "Conflict",
    "Context",
    "Corrupt",
    "Denied",
    "Doubt",
    "EbbingError",
    "Engine",
    "Event",
    "EventKind",
    "Explanation",
    "Fact",
    "Facts",
    "Forecast",
    "Imported",
    "Invalid",
    "InvalidPolicy",
    "Locked",
    "Malformed",
    "Memory",
    "NewerFile",
    "NotFound",
    "Policy",
    "Receipt",
    "Recollection",
    "Recollections",
    "Remembered",
    "Scope",
    "Skipped",
    "Source",
    "Stats",
    "Status",
    "Step",
    "StorageFull",
    "Sweep",
    "Tier",
    "TooLarge",
    "Unavailable",
    "Unsettled",
    "Visibility",
    "open",
]

# These bring numpy and all of the engine along, which `ebbing --help` and whoever only catches our errors do not need.
_LATE = {"Engine": "engine", "Policy": "domain.policy", "open": "wiring"}
_MODULES = ("aio", "strength", "testing")  # whose names are called as `ebbing.strength.Trace`


def __getattr__(name: str) -> _typing.Any:
    """One of the names above that are loaded when they are first asked for."""
    if name == "__version__":
        return _importlib.import_module("importlib.metadata").version("ebbing")
    if name in _MODULES:
        return _importlib.import_module(f".{name}", __name__)
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value = getattr(_importlib.import_module(f".{_LATE[name]}", __name__), name)
    if name != "Policy":  # whoever can reach the engine can ask for help about it
        texts = _importlib.import_module(".interfaces.documentation.help_texts", __name__)
        texts.add_parameters(_importlib.import_module(".engine", __name__).Engine)
        if name == "open":
            texts.add_parameters_of_open(value)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE, *_MODULES, "__version__"})
