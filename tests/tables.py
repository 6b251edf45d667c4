"""A test with a table of cases: one test runs them all and reports every row that fails.

    @each_row("text, kind", [("AKIA…", "aws"), ("ghp_…", "github")])
    def test_a_key_is_found(text: str, kind: str) -> None:
        assert found(text) == kind

A long table stands in `tests/phrases`, one row a line: `@each_row("text, kind", rows("secrets", "found"))` reads
`found = [[…], […]]` in `secrets.toml`.

Written as `pytest.mark.parametrize` is, and to be preferred to it where rows are many and each is quick: thousands of
single phrases cost more as tests of their own than as what they check. Fixtures are shared by all the rows of a table,
so a row may not leave anything behind that another one sees.
"""

from __future__ import annotations

import functools
import inspect
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

Test = Callable[..., None]
PHRASES = Path(__file__).with_name("phrases")
_SHOWN = 200  # characters of a row


def rows(file: str, table: str) -> list[Any]:
    """The rows of one table of `tests/phrases/<file>.toml`."""
    found: list[Any] = _tables(file)[table]
    return found


@functools.cache
def _tables(file: str) -> dict[str, list[Any]]:
    return tomllib.loads((PHRASES / f"{file}.toml").read_text("utf-8"))


def each_row(names: str | Sequence[str], rows: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test for each row of a table; it fails with all the rows that fail, each with its traceback."""
    columns = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = [_values(row, len(columns)) for row in rows]
    assert table, "a table without rows tests nothing"

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def run(**fixtures: Any) -> None:
            failed: list[tuple[str, Exception]] = []
            for number, values in enumerate(table):
                try:
                    test(**fixtures, **dict(zip(columns, values, strict=True)))
                # Whatever a row raises is told with the row. `pytest.fail` raises no Exception, as a group wants.
                except pytest.fail.Exception as error:
                    failed.append(
                        (_shown(number, values), AssertionError(str(error)).with_traceback(error.__traceback__))
                    )
                except Exception as error:  # noqa: BLE001 - as above
                    failed.append((_shown(number, values), error))
            if failed:
                _fail(failed, len(table))

        signature = inspect.signature(test)
        missing = set(columns) - signature.parameters.keys()
        assert not missing, f"{test.__name__} takes no {', '.join(sorted(missing))}"
        kept = [each for each in signature.parameters.values() if each.name not in columns]
        run.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined] # what pytest reads
        return run

    return decorate


def _values(row: Any, width: int) -> tuple[Any, ...]:
    if width == 1:
        return (row,)
    values = tuple(row)
    assert len(values) == width, f"{width} values are needed, not {len(values)}: {row!r}"
    return values


def _shown(number: int, values: Sequence[Any]) -> str:
    shown = ", ".join(map(repr, values))
    return f"row {number}: {shown if len(shown) <= _SHOWN else shown[:_SHOWN] + ' …'}"


def _fail(failed: Sequence[tuple[str, Exception]], count: int) -> None:
    for row, error in failed:
        error.add_note(row)
    told = "\n".join(
        f"{row}\n    {str(error).splitlines()[0] if str(error) else type(error).__name__}" for row, error in failed
    )
    raise ExceptionGroup(f"{len(failed)} of {count} rows failed\n{told}\n", [error for _, error in failed])
