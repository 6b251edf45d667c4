"""The signatures of frameworks that adapters stand on, as they were recorded from the frameworks themselves.

`python -m tests.adapters.surface langgraph` records them again, in an environment that has the framework.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("surfaces")
AMONG = "among others: "
_MARKS = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def recorded(framework: str) -> dict[str, str]:
    """The surface of a framework: `module:Name.method` → its parameters."""
    found: dict[str, str] = json.loads((FOLDER / f"{framework}.json").read_text("utf-8"))
    return found


def frameworks() -> list[str]:
    """Those that have a recorded surface."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def parameters(of: Any) -> str:
    """The parameters of a callable: their names, where positional or keyword ones end, and which have a default."""
    told: list[str] = []
    kinds = inspect.Parameter
    before = None
    for one in inspect.signature(of).parameters.values():
        if before is kinds.POSITIONAL_ONLY and one.kind is not kinds.POSITIONAL_ONLY:
            told.append("/")
        if one.kind is kinds.KEYWORD_ONLY and before not in (kinds.KEYWORD_ONLY, kinds.VAR_POSITIONAL):
            told.append("*")
        told.append(_MARKS.get(one.kind, "") + one.name + ("" if one.default is kinds.empty else "="))
        before = one.kind
    return ", ".join(told)


def differs(name: str, wanted: str) -> bool:
    """Whether a signature is another than the recorded one. One that begins with AMONG names what an adapter gives of
    many parameters."""
    found = find(name)
    if not wanted.startswith(AMONG):
        return parameters(found) != wanted
    return not set(wanted.removeprefix(AMONG).split(", ")) <= set(inspect.signature(found).parameters)


def find(name: str) -> Any:
    """What a name of a surface stands for."""
    module, _, path = name.partition(":")
    found: Any = importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    return found


def _record(framework: str) -> None:
    names = recorded(framework)
    told = {name: was if was.startswith(AMONG) else parameters(find(name)) for name, was in names.items()}
    (FOLDER / f"{framework}.json").write_text(json.dumps(told, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    for each in sys.argv[1:]:
        _record(each)
