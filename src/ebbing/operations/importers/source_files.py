"""Open files of other programs, and refuse what cannot be one of theirs: nothing in them is run or written.

A fault names the file and the line or row. SQLite files are opened read-only and as they stand; where a program left
changes beside the file, a copy is read.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ...domain.errors import Invalid, TooLarge, Unavailable, shown
from ...domain.memory import instant

TEXT_BYTES_MAX = 512 << 20  # of a file that is read as a whole
DATABASE_BYTES_MAX = 8 << 30  # of one that is read row by row
VALUE_BYTES_MAX = 16 << 20  # of one value in it
FILES_MAX = 100_000  # in a folder
_EPOCH_MILLISECONDS = 1e11  # seconds since 1970 are fewer until the year 5138


def fault(path: Path, where: str, what: str) -> Invalid:
    """The error for a file that is not what it should be."""
    place = f", {where}" if where else ""
    return Invalid(f"{path}{place}: {what}; nothing was imported")


def text_of(path: Path) -> str:
    """A whole text file."""
    try:
        size = path.stat().st_size
        if size > TEXT_BYTES_MAX:
            raise TooLarge(f"{path} has {size:,} bytes and the limit is {TEXT_BYTES_MAX:,}; nothing was imported")
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise fault(path, f"line {line}", "this is not UTF-8 text") from None
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError) as error:
        raise Invalid(f"{path} is not a file to import: {error.strerror}") from error
    except OSError as error:
        raise Unavailable(f"{path} cannot be read: {error.strerror or error}") from error


def json_of(text: str, path: Path, where: str = "") -> Any:
    """A text as JSON."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise fault(path, where or f"line {error.lineno}", f"this is not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise fault(path, where, f"this is not JSON: {error}") from None


def json_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """The values of a file with one on each line, with the numbers of the lines; empty lines are left out."""
    for number, line in enumerate(text_of(path).split("\n"), 1):
        if line.strip():
            yield number, json_of(line, path, f"line {number}")


def texts_in_zip(path: Path, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The files of an archive whose name, without folders, matches one of these patterns, as texts."""
    try:
        with zipfile.ZipFile(path) as archive:
            for info in sorted(archive.infolist(), key=lambda one: one.filename):
                if not any(Path(info.filename).match(pattern) for pattern in names):
                    continue
                if info.file_size > TEXT_BYTES_MAX:
                    raise TooLarge(
                        f"{path}, {info.filename}: it has {info.file_size:,} bytes and the limit is "
                        f"{TEXT_BYTES_MAX:,}; nothing was imported"
                    )
                with archive.open(info) as member:
                    yield info.filename, member.read(TEXT_BYTES_MAX + 1).decode("utf-8-sig")
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        raise fault(path, "", f"this is not a readable ZIP archive: {error}") from None
    except OSError as error:
        raise Unavailable(f"{path} cannot be read: {error.strerror or error}") from error


def files_below(folder: Path, suffix: str) -> list[Path]:
    """The files with this suffix in a folder, in the order of their names, without links and hidden folders."""
    found: list[Path] = []
    for path in sorted(folder.rglob(f"*{suffix}")):
        inside = path.relative_to(folder).parts
        if path.is_symlink() or not path.is_file() or any(part.startswith(".") for part in inside):
            continue
        if any(parent.is_symlink() for parent in path.parents if folder in parent.parents):
            continue
        found.append(path)
        if len(found) > FILES_MAX:
            raise TooLarge(f"{folder} has more than {FILES_MAX:,} files; import one of its folders at a time")
    return found


def changed_at(path: Path) -> datetime:
    """When a file was last written."""
    return datetime.fromtimestamp(path.stat().st_mtime, UTC)


@contextmanager
def database(path: Path) -> Iterator[sqlite3.Connection]:
    """A SQLite file, opened so that nothing can write to it."""
    with tempfile.TemporaryDirectory(prefix="ebbing-") as folder:
        connection = sqlite3.connect(_address(path, Path(folder)), uri=True)
        try:
            connection.row_factory = sqlite3.Row
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX)
            connection.execute("PRAGMA trusted_schema = OFF")
            yield connection
        except sqlite3.Error as error:
            raise fault(path, "", f"this SQLite file cannot be read: {error}") from None
        finally:
            connection.close()


def _address(path: Path, folder: Path) -> str:
    """Where to open the file: as it stands, or a copy of it where changes lie beside it that it does not hold yet."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(16)
        if head != b"SQLite format 3\x00":
            raise fault(path, "", "this is not a SQLite file")
        if size > DATABASE_BYTES_MAX:
            raise TooLarge(f"{path} has {size:,} bytes and the limit is {DATABASE_BYTES_MAX:,}; nothing was imported")
        beside = path.with_name(path.name + "-wal")
        if not beside.exists() or not beside.stat().st_size:
            return f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
        copy = folder / "copy.db"
        shutil.copyfile(path, copy)
        shutil.copyfile(beside, folder / "copy.db-wal")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError) as error:
        raise Invalid(f"{path} is not a file to import: {error.strerror}") from error
    except OSError as error:
        raise Unavailable(f"{path} cannot be read: {error.strerror or error}") from error
    return f"file:{quote(str(copy))}"


def columns(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    """The columns of a table; none where there is no such table. A view is no table: it need not end."""
    stored = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = ? COLLATE NOCASE"
    if connection.execute(stored, (table,)).fetchone() is None:
        return frozenset()
    return frozenset(row[1] for row in connection.execute(f"PRAGMA table_info({table})"))


def rows(connection: sqlite3.Connection, table: str) -> Iterator[sqlite3.Row]:
    """Every row of a table as it stands, with its number as `row_number`."""
    # The name is a reader's own word, never a file's.
    return iter(connection.execute(f'SELECT rowid AS row_number, * FROM "{table}" ORDER BY rowid'))  # noqa: S608


def moment(value: Any) -> datetime | None:
    """A time as programs write it: ISO 8601 (in UTC where it names no zone) or seconds since 1970; None for none."""
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return instant(value.strip())
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Invalid(f"time {shown(value)} is not understood; write ISO 8601")
    try:
        seconds = value / 1000 if abs(value) > _EPOCH_MILLISECONDS else value
        return instant(datetime.fromtimestamp(seconds, UTC))
    except (OverflowError, ValueError, OSError):
        raise Invalid(f"time {shown(value)} is not in the calendar") from None


def moment_in(value: Any, path: Path, where: str) -> datetime | None:
    """The same; the error names the place."""
    try:
        return moment(value)
    except Invalid as error:
        raise fault(path, where, str(error)) from None


def mapping_in(value: Any, path: Path, where: str) -> dict[str, Any]:
    """A JSON object, and nothing else."""
    if not isinstance(value, dict):
        raise fault(path, where, f"an object was expected, and this is {shown(value)}")
    return value


def text_in(value: Any, what: str, path: Path, where: str) -> str:
    """A text that must be there."""
    if not isinstance(value, str):
        raise fault(path, where, f"its {what} must be text, and is {shown(value)}")
    return value


def optional_text(value: Any) -> str | None:
    """A text that may be there; anything else is none."""
    return value if isinstance(value, str) and value.strip() else None
