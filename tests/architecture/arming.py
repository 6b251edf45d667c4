"""Who sets alarms in a write transaction, and whether it says under which policy: told by who calls whom.

An alarm is set by one policy, and the owner's row keeps whose alarms there are (`tx.under`, or `tx.rearm`, which sets
all of them). Alarms that were set unsaid would be taken for those of another policy, and nobody would set them right.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from tests.architecture.source import Module

Place = tuple[str, str]  # a file, and a name in it
Function = ast.FunctionDef | ast.AsyncFunctionDef
ARMED: Place = ("domain/retention.py", "armed")
SAYS = {"under", "rearm"}


@dataclass
class Deed:
    """What a function does itself: whom it calls, whether it opens a write transaction, and whether it says so."""

    line: int = 0
    calls: set[Place] = field(default_factory=set)
    opens: bool = False
    says: bool = False


def unsaid(modules: Iterable[Module]) -> Iterator[str]:
    """Every function that opens a write transaction in which alarms are set, and says no policy."""
    deeds = _deeds(modules)
    for place, deed in sorted(deeds.items()):
        if deed.opens:
            reached = _reached(place, deeds)
            if ARMED in reached and not any(deeds[one].says for one in reached if one in deeds):
                yield f"{place[0]}:{deed.line} {place[1]} sets alarms and does not say under which policy"


def _reached(start: Place, deeds: dict[Place, Deed]) -> set[Place]:
    """Whoever is called in the end; not by those who open a transaction of their own."""
    reached = {start}
    frontier = [start]
    while frontier:
        for called in deeds[frontier.pop()].calls - reached:
            if called not in deeds or not deeds[called].opens:
                reached.add(called)
                frontier += [called] if called in deeds and called != ARMED else []
    return reached


def _deeds(modules: Iterable[Module]) -> dict[Place, Deed]:
    """By function, method and class; calling a class may lead to any of its methods."""
    known = {module.where: module for module in modules}
    names = {where: _imported(module, known) for where, module in known.items()}
    deeds: dict[Place, Deed] = {}
    for where, module in known.items():
        for node in module.tree.body:
            if isinstance(node, Function):
                _add(node, (where, node.name), names, deeds)
            elif isinstance(node, ast.ClassDef):
                methods = [method for method in node.body if isinstance(method, Function)]
                deeds[where, node.name] = Deed(node.lineno, {(where, f"{node.name}.{one.name}") for one in methods})
                for method in methods:
                    _add(method, (where, f"{node.name}.{method.name}"), names, deeds)
    return deeds


def _add(node: Function, place: Place, names: dict[str, dict[str, Place]], deeds: dict[Place, Deed]) -> None:
    deed = deeds.setdefault(place, Deed(node.lineno))
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            deed.says |= isinstance(part.func, ast.Attribute) and part.func.attr in SAYS
            named = [part.func, *part.args, *(keyword.value for keyword in part.keywords)]
            deed.calls |= {found for one in named if (found := _meant(one, place, names)) is not None}
        elif isinstance(part, ast.withitem):
            opened = part.context_expr
            deed.opens |= isinstance(opened, ast.Call) and _ends_with(opened.func, "write")


def _ends_with(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name


def _meant(node: ast.expr, place: Place, names: dict[str, dict[str, Place]]) -> Place | None:
    """Which function or class an expression names: `armed`, `forgetting.sweep` or `self.method`."""
    if isinstance(node, ast.Name):
        return _followed((place[0], node.id), names)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        if node.value.id == "self":
            return place[0], f"{place[1].partition('.')[0]}.{node.attr}"
        module = names[place[0]].get(node.value.id)
        if module is not None and module[1] == "":
            return _followed((module[0], node.attr), names)
    return None


def _followed(place: Place, names: dict[str, dict[str, Place]]) -> Place:
    """From a name to where it was made, through whatever modules hand it on."""
    seen = set()
    while place[1] in names.get(place[0], {}) and place not in seen:
        seen.add(place)
        place = names[place[0]][place[1]]
    return place


def _imported(module: Module, known: dict[str, Module]) -> dict[str, Place]:
    """What each relative import binds: a name in a file, or with no name a file itself."""
    found: dict[str, Place] = {}
    folder = PurePosixPath(module.where).parent
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = folder
            for _ in range(node.level - 1):
                base = base.parent
            base = base.joinpath(*(node.module or "").split("."))
            for alias in node.names:
                inner = _file(base / alias.name, known)
                outer = _file(base, known)
                if inner is not None:
                    found[alias.asname or alias.name] = (inner, "")
                elif outer is not None:
                    found[alias.asname or alias.name] = (outer, alias.name)
    return found


def _file(path: PurePosixPath, known: dict[str, Module]) -> str | None:
    choices = (f"{path.as_posix()}.py", (path / "__init__.py").as_posix())
    return next((choice for choice in choices if choice in known), None)
