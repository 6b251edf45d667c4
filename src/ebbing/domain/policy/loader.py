"""Policies as files: TOML, layered over presets, every fault reported at once with its line.

A file may say `extends = "<preset or path>"`; without it, it extends `default`. Tables are
merged key by key, anything else is replaced; what the file below gave and should not be, such as
a `ttl`, is taken away with "never". A file without a `name` is called as the file is.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import os
import re
import sys
import tomllib
import types
import typing
from collections.abc import Iterator, Mapping
from datetime import timedelta
from enum import Enum
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..durations import duration
from ..errors import Invalid, InvalidPolicy, shown
from ..memory import Scope, Tier
from . import Policy
from .bounds import Between
from .checks import faults_of

_HEADER = re.compile(r"\s*\[{1,2}\s*([^\[\]]+?)\s*\]{1,2}\s*(?:#.*)?")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_SEVERAL = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")
_TOML_LINE = re.compile(r"\(at line (\d+)")


def presets() -> list[str]:
    """The names of the policies that ship with Ebbing."""
    folder = resources.files("ebbing.domain.policy") / "presets"
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def load(policy: str | os.PathLike[str] | Policy = "default") -> Policy:
    """The policy of that preset name or file path. Raises `InvalidPolicy` with every fault there is."""
    if isinstance(policy, Policy):
        return _sound(policy, f"policy {policy.name}", _Faults({}))
    if not isinstance(policy, str | os.PathLike):
        raise Invalid(
            f"{shown(policy)} is not a policy; give a preset's name ({', '.join(presets())}) or a file's path"
        )
    return _preset(policy) if isinstance(policy, str) and policy in presets() else _loaded(policy)


@functools.cache
def _preset(name: str) -> Policy:
    """A policy that ships with Ebbing: read once, because it cannot be changed and most engines are opened with one."""
    return _loaded(name)


def _loaded(policy: str | os.PathLike[str]) -> Policy:
    """The policy of that name or path, read anew."""
    layers = _layers(policy)
    merged: dict[str, Any] = {}
    places: dict[str, str] = {}
    for layer in layers:
        _merge(merged, layer.table)
        places.update(layer.places)
    merged.pop("extends", None)
    if "name" not in layers[-1].table:
        merged["name"] = Path(layers[-1].origin).stem
    faults = _Faults(places)
    tables = _read_entries(Policy, merged, "", faults)
    unread = {entry.name for entry in dataclasses.fields(Policy) if tables.get(entry.name) is None}
    return _sound(Policy(**{**dict.fromkeys(unread), **tables}), f"policy {layers[-1].origin}", faults, unread)


def _sound(policy: Policy, origin: str, faults: _Faults, unread: typing.Collection[str] = ()) -> Policy:
    for where, what in faults_of(policy, unread):
        faults.add(where, what)
    if faults.found:
        raise InvalidPolicy(origin, faults.found)
    return policy


@dataclasses.dataclass(frozen=True, slots=True)
class _Layer:
    origin: str
    table: dict[str, Any]
    places: dict[str, str]  # dotted key → "file:line"


class _Faults:
    def __init__(self, places: Mapping[str, str]) -> None:
        self.places = places
        self.found: list[str] = []

    def add(self, where: str, what: str) -> None:
        key = where
        while key and key not in self.places:
            key = key.rpartition(".")[0]
        place = f"{self.places[key]}: " if key else ""
        self.found.append(f"{place}{where}: {what}")


def _layers(policy: str | os.PathLike[str]) -> list[_Layer]:
    """The chain from the default preset to the policy asked for."""
    origin, text, folder = _text(policy, Path())
    chain: list[_Layer] = []
    seen: list[str] = []
    while True:
        layer = _parsed(origin, text)
        chain.insert(0, layer)
        seen.append(origin)
        wanted = layer.table.get("extends", None if origin == "default" else "default")
        if wanted is None:
            return chain
        place = layer.places.get("extends", origin)
        if not isinstance(wanted, str):
            raise InvalidPolicy(f"policy {origin}", [f"{place}: extends: give a preset's name or a file's path"])
        try:
            origin, text, folder = _text(wanted, folder)
        except Invalid as error:
            raise InvalidPolicy(f"policy {layer.origin}", [f"{place}: extends: {error}"]) from error
        if origin in seen:
            ring = " → ".join([*seen, origin])
            raise InvalidPolicy(f"policy {seen[0]}", [f"{place}: extends: it extends itself: {ring}"])


def _text(wanted: str | os.PathLike[str], folder: Path) -> tuple[str, str, Path]:
    """The origin, the text and the folder of a preset or a file; relative paths are beside the file that named them."""
    if isinstance(wanted, str) and wanted in presets():
        preset = resources.files("ebbing.domain.policy") / "presets" / f"{wanted}.toml"
        return wanted, preset.read_text("utf-8"), folder
    try:
        path = Path(os.path.normpath(folder / Path(wanted).expanduser()))
        if isinstance(wanted, str) and path.suffix != ".toml" and not path.is_file():
            raise Invalid(
                f"there is no policy {shown(wanted)}; "
                f"presets are {', '.join(presets())}, or give the path of a .toml file"
            )
        # Editors of some systems begin a file with a mark of its encoding.
        return str(path), path.read_text("utf-8-sig"), path.parent
    except (OSError, ValueError, RuntimeError) as error:
        raise Invalid(f"policy file {str(wanted)!r:.200} cannot be read: {error}") from error


def _parsed(origin: str, text: str) -> _Layer:
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also for a number too long, or brackets too deep, to be read
        line = _TOML_LINE.search(str(error))
        place = f"{origin}:{line[1]}" if line else origin
        raise InvalidPolicy(f"policy {origin}", [f"{place}: this is not TOML: {error}"]) from None
    places = _places(origin, text)
    for key in _keys(table):
        # What stands inside a value on one line stands where the value does.
        places.setdefault(key, places.get(key.rpartition(".")[0], origin))
    return _Layer(origin, table, places)


def _keys(table: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """Every key of a table and of the tables in it, dotted; the outer before the inner."""
    for name, value in table.items():
        yield f"{above}{name}"
        if isinstance(value, dict):
            yield from _keys(value, f"{above}{name}.")


def _places(origin: str, text: str) -> dict[str, str]:
    """Where each key stands. tomllib tells no lines, so the headers and keys are found again by their looks."""
    places: dict[str, str] = {}
    table = ""
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.fullmatch(line):
            table = _dotted(header[1])
            places.setdefault(table, f"{origin}:{number}")
        elif key := _KEY.match(line):
            places[f"{table}.{_dotted(key[1])}".lstrip(".")] = f"{origin}:{number}"
    return places


def _dotted(key: str) -> str:
    return ".".join(part.strip("\"'") for part in _SEVERAL.findall(key))


def _merge(below: dict[str, Any], above: Mapping[str, Any]) -> None:
    if isinstance(above.get("curve"), dict) and "name" in above["curve"]:
        # Another curve has other parameters: those of the one it replaces would be faults, the tiers' as well. And a
        # slowdown chosen for that one's rates would make a half-life of 10 days one of 15.
        curve, tiers = below.get("curve"), below.get("tiers")
        if isinstance(curve, dict) and curve.get("name") != above["curve"]["name"]:
            curve["slowdown"] = 1.0
            for settings in (curve, *(tiers.values() if isinstance(tiers, dict) else ())):
                if isinstance(settings, dict):
                    settings.pop("parameters", None)
    for key, value in above.items():
        if isinstance(value, Mapping) and isinstance(below.get(key), dict):
            _merge(below[key], value)
        else:
            below[key] = dict(value) if isinstance(value, Mapping) else value


def _read(kind: Any, value: Any, where: str, faults: _Faults) -> Any:
    """`value` as `kind`, a type hint of the policy; what does not fit goes to `faults`."""
    origin = typing.get_origin(kind)
    if dataclasses.is_dataclass(kind):
        return _read_table(kind, value, where, faults)
    if origin in (types.UnionType, typing.Union):
        return None if value == "never" else _read(typing.get_args(kind)[0], value, where, faults)
    if origin is typing.Annotated:
        number, bounds = typing.get_args(kind)
        return _read_number(number, bounds, value, where, faults)
    if origin is typing.Literal:
        choices = typing.get_args(kind)
        if value not in choices:
            faults.add(where, f"{value!r:.60} is not one of {', '.join(choices)}")
        return value
    if origin is tuple:
        if not isinstance(value, list):
            faults.add(where, f"{value!r:.60} is not a list")
            return ()
        return tuple(_read(typing.get_args(kind)[0], item, where, faults) for item in value)
    if origin is Mapping:
        if not isinstance(value, dict):
            faults.add(where, f"{value!r:.60} is not a table")
            return {}
        of = typing.get_args(kind)[1]
        return MappingProxyType({key: _read(of, item, f"{where}.{key}", faults) for key, item in value.items()})
    return _read_plain(kind, value, where, faults)


def _read_table(kind: Any, value: Any, where: str, faults: _Faults) -> Any:
    if not isinstance(value, dict):
        faults.add(where, f"{value!r:.60} is not a table")
        return None
    before = len(faults.found)
    read = _read_entries(kind, value, where, faults)
    return kind(**read) if len(faults.found) == before else None


def _read_entries(kind: Any, value: Mapping[str, Any], where: str, faults: _Faults) -> dict[str, Any]:
    """The fields of a dataclass; one with a fault in it is None."""
    hints = _hints(kind)
    known = {entry.name: entry for entry in dataclasses.fields(kind)}
    for key in value:
        if key not in known:
            faults.add(f"{where}.{key}".lstrip("."), f"there is no such setting; here stand {', '.join(known)}")
    read: dict[str, Any] = {}
    for name, entry in known.items():
        path = f"{where}.{name}".lstrip(".")
        if name in value:
            before = len(faults.found)
            one = _read(hints[name], value[name], path, faults)
            read[name] = one if len(faults.found) == before else None
        elif entry.default is dataclasses.MISSING and entry.default_factory is dataclasses.MISSING:
            faults.add(path, "is missing")
    return read


@functools.cache
def _hints(kind: Any) -> dict[str, Any]:
    """The types of the fields of a dataclass: the same for every file, and slow to find out."""
    return typing.get_type_hints(kind, include_extras=True)


def _read_number(kind: type, bounds: Between, value: Any, where: str, faults: _Faults) -> Any:
    right = isinstance(value, int) if kind is int else isinstance(value, int | float)
    if not right or isinstance(value, bool) or (isinstance(value, float) and not math.isfinite(value)):
        faults.add(where, f"{value!r:.60} is not {'a whole number' if kind is int else 'a number'}")
    elif not bounds.low <= value <= min(bounds.high, sys.float_info.max):
        limits = [f"{word} {limit:.10g}" for word, limit in (("at least", bounds.low), ("at most", bounds.high))]
        span = " and ".join(limit for limit in limits if "inf" not in limit) or "a number that can be reckoned with"
        faults.add(where, f"{value!r:.60} is out of bounds; it must be {span}")
    else:
        return kind(value)
    return value


def _read_plain(kind: Any, value: Any, where: str, faults: _Faults) -> Any:
    """Leaves whose constructor checks them: durations, scopes, patterns, enums, text, numbers."""
    if kind is bool:
        if not isinstance(value, bool):
            faults.add(where, f"{value!r:.60} is neither true nor false")
        return value
    if kind is float:
        return _read_number(float, Between(float("-inf")), value, where, faults)
    try:
        if kind is timedelta:
            return duration(value)
        if not isinstance(value, str):
            raise Invalid(f"{value!r:.60} is not text")
        if typing.get_origin(kind) is re.Pattern:
            return re.compile(value)
        if kind is Scope:
            return Scope(value)
        if isinstance(kind, type) and issubclass(kind, Enum):
            return _member(kind, value)
    except (re.error, OverflowError, RecursionError) as error:
        faults.add(where, f"{value!r} is not a regular expression: {error}")
    except Invalid as error:
        faults.add(where, str(error))
    return value


def _member(kind: type[Enum], value: str) -> Enum:
    fitting = [member for member in kind if member is not Tier.CORE]  # what is core is written as blocks
    for member in fitting:
        if member.value == value:
            return member
    raise Invalid(f"{value!r} is not one of {', '.join(str(member.value) for member in fitting)}")
