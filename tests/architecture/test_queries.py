"""Every query has a name and a sentence, and none of them asks the database what time it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGE

STORE = PACKAGE / "store"
CLOCKS = re.compile(
    r"""\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|unixepoch)\s*\(
      | \bcurrent_(?:timestamp|date|time)\b
      | \blocaltime(?:stamp)?\b
      | '\s*now\s*'""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True)
class Query:
    name: str
    comment: str  # the comment lines right under the name, joined
    body: str


def queries(text: str) -> Iterator[Query]:
    """The named queries of one file."""
    for part in re.split(r"^--\s*name:", text, flags=re.MULTILINE)[1:]:
        name, *lines = part.splitlines()
        comment: list[str] = []
        while lines and lines[0].startswith("--"):
            comment.append(lines.pop(0).removeprefix("--").strip())
        yield Query(name.strip(), " ".join(comment), "\n".join(lines).strip())


def is_a_sentence(text: str) -> bool:
    """Several words that begin large (or with a name in code) and end with a full stop."""
    return bool(re.fullmatch(r"[A-Z`\"'(].*\s\S.*[.!?][`\"')]?", text))


def faults(text: str) -> list[str]:
    found = list(queries(text))
    names = [query.name for query in found]
    wrong = [f"{query.name}: no sentence under its name" for query in found if not is_a_sentence(query.comment)]
    wrong += [f"{query.name}: no statement" for query in found if not query.body]
    wrong += [f"{name}: not a plain name" for name in names if not re.fullmatch(r"[a-z][a-z0-9_]*", name)]
    wrong += [f"{name}: named twice in one file" for name in sorted(set(names)) if names.count(name) > 1]
    return wrong


def without_comments(sql: str) -> str:
    return re.sub(r"--.*", "", sql)


def sql_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.sql"))


def test_every_query_has_a_name_and_a_sentence() -> None:
    """The sentence under `-- name:` says what the query is for, not how it works."""
    files = sql_files(STORE / "queries")
    assert files, "the store has no query files"
    assert all(list(queries(path.read_text(encoding="utf-8"))) for path in files), "a query file without a named query"
    assert [f"{path.name}: {fault}" for path in files for fault in faults(path.read_text(encoding="utf-8"))] == []


def test_an_engine_says_a_shared_query_differently_but_about_the_same() -> None:
    """One that only happens to bear the name of a shared query would take its place unseen."""
    shared: dict[str, set[str]] = {}
    own: list[tuple[str, Query]] = []
    for path in sql_files(STORE / "queries"):
        for query in queries(path.read_text(encoding="utf-8")):
            if path.name.startswith(("sqlite", "postgres")):
                own.append((path.name, query))
            else:
                shared[query.name] = parameters(query)
    replacing = [(file, query) for file, query in own if query.name in shared]
    assert replacing, "no engine says anything differently"
    assert [f"{file}: {query.name}" for file, query in replacing if not shared[query.name] <= parameters(query)] == []


def parameters(query: Query) -> set[str]:
    return set(re.findall(r"(?<![:\w]):([a-z]\w*)", without_comments(query.body)))


def test_sql_is_told_the_time() -> None:
    """Time is an argument of a query too, or a frozen clock would not reach it."""
    assert sql_files(STORE), "the store has no SQL"
    asking = [
        f"{path.relative_to(STORE).as_posix()}: {match.group()}"
        for path in sql_files(STORE)
        for match in CLOCKS.finditer(without_comments(path.read_text(encoding="utf-8")))
    ]
    assert asking == []


@pytest.mark.parametrize(
    "text",
    [
        "-- name: due\nSELECT 1;",
        "-- name: due\n-- due\nSELECT 1;",
        "-- name: due\n-- What is due, longest first.\n",
        "-- name: Due Now\n-- What is due, longest first.\nSELECT 1;",
        "-- name: due\n-- What is due.\nSELECT 1;\n-- name: due\n-- What is due.\nSELECT 2;",
    ],
)
def test_a_faulty_query_is_seen(text: str) -> None:
    """No sentence, no statement, no plain name or no name of its own: each is told."""
    assert len(faults(text)) == 1


def test_a_good_query_is_let_through() -> None:
    """The example of the style guide, its sentence wrapped over two lines."""
    comment = "-- What has fallen below its next threshold,\n-- longest overdue first.\n"
    assert faults(f"-- name: due\n{comment}SELECT 1;\n") == []


@pytest.mark.parametrize("sql", ["SELECT now()", "DEFAULT CURRENT_TIMESTAMP", "datetime('now')", "SELECT unixepoch()"])
def test_a_query_that_asks_the_time_is_seen(sql: str) -> None:
    """Both dialects, in any case."""
    assert CLOCKS.search(without_comments(sql))
    assert not CLOCKS.search(without_comments(f"SELECT :now, now_at FROM t -- {sql}"))
