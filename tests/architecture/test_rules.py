"""The rules of the house hold in every module, and each rule is shown a breach it must see."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from tests.architecture import rules
from tests.architecture.source import PACKAGE, ROOT, Module, modules_under, package, planted

Rule = Callable[[Module], Iterator[str]]

VAGUE = {
    "common",
    "core",
    "data",
    "handle",
    "helper",
    "helpers",
    "manager",
    "misc",
    "process",
    "service",
    "util",
    "utils",
}
LATE_IMPORTS_MOST = 4


def breaches(rule: Rule, modules: Iterable[Module], *, except_in: tuple[str, ...] = ()) -> list[str]:
    return [breach for module in modules if not module.stands_in(*except_in) for breach in rule(module)]


def test_only_the_clock_asks_what_time_it_is() -> None:
    """Everything else is told, so that a year can be lived in a millisecond."""
    assert breaches(rules.wall_clock_reads, package(), except_in=("domain/clock.py",)) == []


def test_stopwatches_are_for_faces_schedules_and_endpoints() -> None:
    """How long a thing took is for showing or for stopping in time, a slow endpoint too; never for deciding."""
    assert (
        breaches(rules.stopwatch_reads, package(), except_in=("interfaces/", "jobs/", "providers/http_client.py")) == []
    )


def test_only_the_worker_loop_catches_everything() -> None:
    """An error that nobody named and handled must be seen."""
    assert breaches(rules.blind_catches, package(), except_in=("jobs/worker.py",)) == []


def test_only_the_unit_of_work_writes_memories() -> None:
    """A row without its event cannot be undone, and an alarm without its policy is taken for another policy's."""
    assert breaches(rules.unshared_writes, package(), except_in=("lifecycle/unit_of_work.py",)) == []


def test_sql_lives_in_files() -> None:
    """A query has a name, a sentence and a place; none hides in a Python string. The one that reads a table of another
    program's file, whatever its columns, stands where that file is opened."""
    assert breaches(rules.sql_strings, package(), except_in=("operations/importers/source_files.py",)) == []


def test_every_module_says_what_it_is() -> None:
    """A module opens with a docstring."""
    assert breaches(rules.missing_docstring, (*package(), *modules_under(ROOT / "bench"))) == []


def test_files_are_short_or_say_why_not() -> None:
    """When a file grows past its limit, the idea in it has become two."""
    assert breaches(rules.overlong_file, package()) == []
    assert [breach for path in package_texts(".sql", ".toml") for breach in overlong_text(path)] == []


def test_functions_are_short_or_say_why_not() -> None:
    """A function fits on a screen."""
    assert breaches(rules.overlong_functions, package()) == []


def test_our_own_modules_are_imported_at_the_top() -> None:
    """What a module needs is seen in its first lines. What is loaded late, so that help pages load no engine and SQLite
    no driver of PostgreSQL, is loaded in few named places."""
    late = breaches(rules.late_imports, package(), except_in=("__init__.py", "interfaces/cli/loading.py"))
    assert {breach.partition(":")[0] for breach in late} == {"store/__init__.py", "interfaces/parameters.py"}
    assert len(late) <= LATE_IMPORTS_MOST


def test_module_names_say_the_thing() -> None:
    """No file or folder is named for being useful; a stand-in has the names of the framework it stands for."""
    names = [
        path.relative_to(ROOT).as_posix()
        for folder in (PACKAGE, ROOT / "bench", ROOT / "tests")
        for path in folder.rglob("*")
        if (path.suffix == ".py" or path.is_dir()) and is_vague(path.stem) and "stand_ins" not in path.parts
    ]
    assert names == []


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        (rules.wall_clock_reads, "from datetime import UTC, datetime\nnow = datetime.now(UTC)"),
        (rules.wall_clock_reads, "import datetime as dt\nfactory = dt.datetime.utcnow"),
        (rules.wall_clock_reads, "from time import time as clock\nclock()"),
        (rules.wall_clock_reads, "def f():\n    import time\n    return time.time_ns()"),
        (rules.stopwatch_reads, "import time\ntime.monotonic()"),
        (rules.blind_catches, "try:\n    f()\nexcept Exception:\n    raise ValueError from None"),
        (rules.blind_catches, "try:\n    f()\nexcept:\n    pass"),
        (rules.blind_catches, "try:\n    f()\nexcept (OSError, BaseException):\n    pass"),
        (rules.blind_catches, "import contextlib\nwith contextlib.suppress(Exception):\n    f()"),
        (rules.unshared_writes, "tx.memories.update([memory])"),
        (rules.unshared_writes, "with work.write() as change:\n    change.tx.events.record(events)"),
        (rules.sql_strings, "tx.execute('SELECT 1')"),
        (rules.sql_strings, "tx.execute(f'''\n  UPDATE {table} SET a = 1''')\nq = 'UPDATE t SET a = 1'"),
        (rules.sql_strings, "q = 'with_text'\nr = 'WITH due AS (VALUES (1)) TABLE due'"),
        (rules.sql_strings, "q = 'create index if not exists i on t (a)'"),
        (rules.missing_docstring, "x = 1"),
        (rules.overlong_file, '"""A module."""\n' + "x = 1\n" * rules.LONGEST_FILE),
        (rules.overlong_functions, "def f():\n" + "    x = 1\n" * rules.LONGEST_FUNCTION),
        (rules.late_imports, "def f():\n    from ..domain import memory"),
        (rules.late_imports, "def f():\n    return importlib.import_module('.memory', __package__)"),
    ],
)
def test_a_breach_is_seen(rule: Rule, code: str) -> None:
    """A rule that could not fail would hold nothing."""
    assert len(list(rule(planted(code)))) == 1


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        (rules.wall_clock_reads, "from datetime import datetime\ndatetime.fromisoformat(text)\nclock.now()"),
        (rules.blind_catches, "try:\n    f()\nexcept BaseException:\n    rollback()\n    raise"),
        (rules.blind_catches, "try:\n    f()\nexcept (OSError, ValueError):\n    pass"),
        (
            rules.sql_strings,
            "def f():\n    '''SELECT is described here.'''\n    g('BEGIN IMMEDIATE', 'PRAGMA user_version')",
        ),
        (
            rules.sql_strings,
            "help = 'Select a policy from a file'\nother = 'update the text'\nthird = 'with care'",
        ),
        (
            rules.overlong_file,
            '"""A module."""\n\n# long because it is one table\n' + "x = 1\n" * rules.LONGEST_FILE,
        ),
        (
            rules.overlong_functions,
            "# long because it is one table\ndef f():\n" + "    x = 1\n" * rules.LONGEST_FUNCTION,
        ),
        (
            rules.overlong_functions,
            "def f():  # long because it is one table\n" + "    x = 1\n" * rules.LONGEST_FUNCTION,
        ),
        (rules.late_imports, "from .memory import Memory\ndef f():\n    import numpy\n    from rich import table"),
    ],
)
def test_what_is_allowed_is_let_through(rule: Rule, code: str) -> None:
    """A rule that cried at good code would be switched off."""
    assert list(rule(planted(code))) == []


def test_the_exceptions_name_one_place_each() -> None:
    """Leave to read the clock is given to `domain/clock.py` itself, not to whatever is named like it."""
    code = "import time\ntime.time()"
    assert breaches(rules.wall_clock_reads, [planted(code, "domain/clock.py")], except_in=("domain/clock.py",)) == []
    assert breaches(rules.wall_clock_reads, [planted(code, "recall/clock.py")], except_in=("domain/clock.py",)) != []
    assert breaches(rules.wall_clock_reads, [planted(code, "jobs/lease.py")], except_in=("jobs/",)) == []


def test_vague_names_are_told_from_good_ones() -> None:
    """`core_blocks` names a thing of the domain; `text_utils` names nothing."""
    assert [name for name in ("utils", "text_utils", "core", "core_blocks", "strength") if is_vague(name)] == [
        "utils",
        "text_utils",
        "core",
    ]


def is_vague(stem: str) -> bool:
    return stem in VAGUE or stem.endswith(("_common", "_helpers", "_manager", "_utils"))


def package_texts(*suffixes: str) -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*") if path.suffix in suffixes)


def overlong_text(path: Path) -> Iterator[str]:
    """A file of SQL or TOML that is long and does not say why in its first comment."""
    lines = path.read_text(encoding="utf-8").splitlines()
    opening = lines[
        : next((n for n, line in enumerate(lines) if line and not line.startswith(("--", "#"))), len(lines))
    ]
    if len(lines) > rules.LONGEST_FILE and not any(re.search(r"long because \w+", line) for line in opening):
        yield f"{path.relative_to(PACKAGE).as_posix()} has {len(lines)} lines"
