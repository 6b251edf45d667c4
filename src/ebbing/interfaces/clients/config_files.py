"""Other programs' configuration, changed in one place and nowhere else.

Other entries of a file stay, unknown keys and, in TOML, comments too. A file that cannot be read as what it
should be is not touched. The old file is kept beside the new one, and the new one appears whole or not at all.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...domain.errors import Invalid, Unavailable

BACKUP = ".before-ebbing"
_INDENT = re.compile(r'\A\s*\{\s*?\n([ \t]+)"')
_HEADER = re.compile(r"\s*\[")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


class Unreadable(Invalid):
    """The file is not what it should be, so it is left as it is."""


def read(path: Path) -> str:
    """The file's text; empty when there is none."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise Unreadable(f"{path} is not text in UTF-8") from None
    except OSError as error:
        raise Unavailable(f"{path} cannot be read: {error.strerror or error}") from error


def write(path: Path, text: str) -> Path | None:
    """Replace the file as a whole; tells where the old one is kept. What is new can be read by its owner alone."""
    target = path.resolve()  # what a link points to is what is meant
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        backup = target.with_name(target.name + BACKUP) if target.exists() else None
        if backup is not None:
            _replace(backup, target.read_bytes(), target.stat().st_mode)
        _replace(target, text.encode(), target.stat().st_mode if backup is not None else 0o600)
    except OSError as error:
        raise Unavailable(f"{path} cannot be written: {error.strerror or error}") from error
    return backup


def _replace(path: Path, content: bytes, mode: int) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).chmod(mode & 0o777)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def json_object(text: str, path: Path) -> dict[str, Any]:
    """What a JSON file holds."""
    try:
        held = json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{path} is not plain JSON ({error})") from None
    if not isinstance(held, dict):
        raise Unreadable(f"{path} does not hold a JSON object")
    return held


def json_text(held: Mapping[str, Any], was: str) -> str:
    """The same as a file, indented as it was."""
    found = _INDENT.match(was)
    indent = found[1] if found else 2
    text = json.dumps(held, ensure_ascii=was.isascii(), indent=indent)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a character, which only an escape can hold
        text = json.dumps(held, indent=indent)
    return f"{text}\n"


def with_entry(held: Mapping[str, Any], keys: Sequence[str], value: Any, path: Path) -> dict[str, Any]:
    """The object with a value at a path of keys; None takes it away, and an object that is empty then."""
    key, *below = keys
    inner = held.get(key, {})
    if below:
        if not isinstance(inner, Mapping):
            raise Unreadable(f"{key} in {path} is not an object")
        value = with_entry(inner, below, value, path) or None
    if value is None:
        return {name: part for name, part in held.items() if name != key}
    return {**held, key: value}


def toml_table(text: str, path: Path) -> dict[str, Any]:
    """What a TOML file holds."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(f"{path} is not TOML ({error})") from None


def toml_text(table: str, name: str, value: Mapping[str, Any]) -> str:
    """A table of texts and lists of texts, as TOML; a table within it, such as an environment, below it."""
    inner = {key: part for key, part in value.items() if isinstance(part, Mapping)}
    lines = [
        f"{_toml_key(key)} = {json.dumps(part, ensure_ascii=False)}" for key, part in value.items() if key not in inner
    ]
    below = [toml_text(f"{table}.{name}", _toml_key(key), part) for key, part in inner.items()]
    return "\n".join([f"[{table}.{name}]", *lines, "", *below])


def _toml_key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)


def with_table(text: str, table: str, name: str, value: Mapping[str, Any] | None, path: Path) -> str:
    """The TOML file with a table in it, or without: appended, so that every comment stays where it was."""
    held = toml_table(text, path)
    wanted = with_entry(held, (table, name), value, path)
    if wanted == held:
        return text
    changed = _without_table(text, table, name)
    if value is not None:
        above = changed.rstrip("\r\n")
        changed = (f"{above}\n\n" if above else "") + toml_text(table, name, value)
        if "\r\n" in text:  # as the rest of the file ends its lines
            changed = changed.replace("\r\n", "\n").replace("\n", "\r\n")
    # Tables can be written in more ways than are known here: what came out must be exactly what was wanted.
    try:
        right = _without_empty(tomllib.loads(changed), table) == _without_empty(wanted, table)
    except tomllib.TOMLDecodeError:
        right = False
    if not right:
        raise Unreadable(f"{path} writes {table}.{name} in a way that cannot be changed safely")
    return changed


def _without_empty(held: dict[str, Any], table: str) -> dict[str, Any]:
    return {key: part for key, part in held.items() if key != table or part}


def _without_table(text: str, table: str, name: str) -> str:
    spelled = f"(?:{name}|\"{name}\"|'{name}')"
    header = re.compile(rf"\s*\[\s*{table}\s*\.\s*{spelled}\s*(?:\.[^\]]*)?\]")
    kept: list[str] = []
    inside: list[str] | None = None
    for line in text.splitlines(keepends=True):
        if header.match(line):
            inside = []
        elif _HEADER.match(line) and inside is not None:
            kept += _belonging_below(inside)
            inside = None
        if inside is None:
            kept.append(line)
        else:
            inside.append(line)
    return "".join(kept)


def _belonging_below(lines: Sequence[str]) -> Sequence[str]:
    """The comments right before the next table, which belong to it."""
    for index in range(len(lines), 0, -1):
        if lines[index - 1].strip() and not lines[index - 1].lstrip().startswith("#"):
            return lines[index:]
    return ()
