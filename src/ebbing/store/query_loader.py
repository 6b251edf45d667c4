"""Queries by name, out of `queries/*.sql`, in the words of one engine.

The shared files are written once, with `:name` parameters and `= ANY(:list)`. A dialect is a
function over that text and a file of the queries it says differently.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any

from ..ports import Filter, View

_NAMED = re.compile(r"^-- name: (\w+)\n((?:--.*\n)+)", re.MULTILINE)
_ANY = re.compile(r"= ANY\(:(\w+)\)")
_IN_LIST = "IN (SELECT value FROM json_each(:{}))"
_PARAMETER = re.compile(r"(?<![:\w]):([a-z]\w*)")
_PART = re.compile(r"/\*= (\w+) \*/")
_LISTS = {"ids": "only_ids", "exclude": "excluded_ids"}  # how a parameter is called where its part has another name
_SHARED = ("memories", "owners", "forgetting", "filters", "tokens")


def sqlite_dialect(text: str) -> str:
    """Lists arrive as JSON text."""
    return _ANY.sub(lambda found: _IN_LIST.format(found[1]), text)


@functools.cache
def listed(statement: str) -> tuple[str, ...]:
    """The lists of a statement of SQLite's that may be given as one value where they have one member."""
    names = [name for name in dict.fromkeys(_PARAMETER.findall(statement)) if _IN_LIST.format(name) in statement]
    return tuple(name for name in names if f"json_each(:{name})" not in for_one(statement, name))


@functools.cache
def for_one(statement: str, name: str) -> str:
    """SQLite's statement where that list has one member, given by itself."""
    return statement.replace(_IN_LIST.format(name), f"= :{name}")


def postgres_dialect(text: str) -> str:
    """Parameters are written as psycopg wants them."""
    return _PARAMETER.sub(r"%(\1)s", text.replace("%", "%%"))


@functools.cache
def queries(engine: str, dialect: Callable[[str], str]) -> Mapping[str, str]:
    """Every query by its name; those of the engine's own files (`postgres.sql`, `postgres_care.sql`) win.

    `/*= name */` in a query includes the query of that name.
    """
    folder = resources.files("ebbing.store") / "queries"
    own = sorted(entry.name for entry in folder.iterdir() if entry.name.startswith(engine))
    found: dict[str, str] = {}
    for name in (*(f"{stem}.sql" for stem in _SHARED), *own):
        text = (folder / name).read_text("utf-8")
        marks = list(_NAMED.finditer(text))
        ends = [mark.start() for mark in marks[1:]] + [len(text)]
        for mark, end in zip(marks, ends, strict=True):
            found[mark[1]] = dialect(text[mark.end() : end].strip().rstrip(";"))
    return {name: _with_parts(query, found) for name, query in found.items()}


def _with_parts(query: str, parts: Mapping[str, str]) -> str:
    """A query with the queries that it names in it, and those that they name."""
    while _PART.search(query):
        query = _PART.sub(lambda part: parts[part[1]], query)
    return query


def where(filter_: Filter, view: View, parts: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """The predicates of a filter as ` AND … AND …`, and their parameters."""
    chosen: list[str] = []
    values: dict[str, Any] = {}
    if not view.every_agent:
        chosen.append(parts["visible_without_agent" if view.agent is None else "visible"])
        values["agent"] = view.agent
    if filter_.scope is not None and not filter_.scope.is_root:
        chosen.append(parts["scope"])
        values |= {
            "scope": str(filter_.scope),
            "scope_low": f"{filter_.scope}/",
            "scope_high": f"{filter_.scope}0",
        }
    lists = {
        "statuses": filter_.statuses,
        "categories": filter_.categories,
        "tags": filter_.tags,
        "ids": filter_.ids,
        "scopes": filter_.scopes,
        "exclude": filter_.exclude,
    }
    for name, several in lists.items():
        if several is not None:
            chosen.append(parts[name])
            values[_LISTS.get(name, name)] = [str(one) for one in several]
    if filter_.pinned is not None:
        chosen.append(parts["pinned" if filter_.pinned else "unpinned"])
    if filter_.harmful:
        chosen.append(parts["harmful"])
    if filter_.metadata is not None:
        chosen.append(parts["metadata"])
        values["wanted_metadata"] = json.dumps(dict(filter_.metadata))
    for name in ("tier", "subject", "written_by", "created_before", "created_after"):
        value = getattr(filter_, name)
        if value is not None:
            chosen.append(parts[name])
            values[name] = value
    if filter_.unexpired is not None:
        chosen.append(parts["unexpired"])
        values |= {"unexpired": filter_.unexpired, "restored_since": filter_.restored_since}
    return "".join(f" AND {predicate}" for predicate in chosen), values
