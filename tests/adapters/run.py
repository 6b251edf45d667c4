"""Run the adapters against the real frameworks: `make test-adapters`, or `make test-adapters ARGS="langgraph"`.

Each framework has an environment of its own in the cache folder of the user, made from pinned requirements when it is
missing or was pinned otherwise. In it run our tests of the adapter and the examples of its docs page; of some
one test talks to a small, real language model. Where a variable names a checkout of the framework's repository
(LANGGRAPH_REPO=folder), its own tests run as well: first with its reference implementation and then with ours, so that
the two figures stand side by side.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path

from tests import llm
from tests.adapters.table import FRAMEWORKS, ROOT, Framework, Suite

_BIN = Path(sys.executable).parent
_STAMP = "installed.txt"
_PYTEST = ["-m", "pytest", "-q", "-p", "no:cacheprovider"]
_COUNTS = re.compile(r"(\d+) (passed|failed|errors?|skipped)")


@dataclass(frozen=True)
class Line:
    """How one run ended."""

    framework: str
    what: str
    passed: int
    of: int
    must_pass: bool = True

    @property
    def good(self) -> bool:
        return not self.must_pass or (self.passed == self.of and self.of > 0)

    def __str__(self) -> str:
        return f"{self.framework:<18} {self.what:<44} {self.passed:>4} of {self.of}"


def main(names: list[str]) -> int:
    """Run the named frameworks, or all of them, one after the other."""
    unknown = [name for name in names if name not in FRAMEWORKS]
    if unknown:
        print(f"unknown: {', '.join(unknown)}; there are {', '.join(FRAMEWORKS)}")
        return 2
    lines: list[Line] = []
    for name in names or FRAMEWORKS:
        lines += _of(FRAMEWORKS[name])
    print("\n".join(["", *map(str, lines)]))
    return 0 if all(line.good for line in lines) else 1


def _of(framework: Framework) -> list[Line]:
    python = _environment(framework)
    print(f"{framework.name}: our tests", flush=True)
    tests = [test for test in framework.tests if (ROOT / test).exists()]
    options = ["--confcutdir=tests/adapters", "-o", "filterwarnings=default", "-o", "asyncio_mode=auto", *tests]
    with llm.running() if framework.talks else nullcontext("") as address:
        talking = {"EBBING_ADAPTER_LLM": address} if address else {}
        passed, of = _pytest(python, options, ROOT, EBBING_ADAPTER=framework.name, **talking)
    lines = [Line(framework.name, "our tests, with the real framework", passed, of)]
    if not framework.suites:
        return lines
    checkout = os.environ.get(framework.checkout)
    if not checkout:
        print(f"{framework.name}: {framework.checkout} names no checkout, so its own tests are left out")
        return lines
    for suite in framework.suites:
        lines += _suite(framework, suite, Path(checkout), python)
    return lines


def _suite(framework: Framework, suite: Suite, checkout: Path, python: Path) -> list[Line]:
    """A suite of the framework with the reference, and then with ours."""
    lines = []
    for who in ("reference", "Ebbing"):
        print(f"{framework.name}: its own tests of {suite.label}, {who}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            shutil.copytree(checkout / suite.folder / Path(suite.file).parts[0], home / Path(suite.file).parts[0])
            shutil.copytree(Path(__file__).with_name("suites"), home / "tests_of_ebbing")
            (home / "pytest.ini").write_text("[pytest]\nasyncio_mode = auto\npythonpath = .\n", "utf-8")
            if who == "Ebbing":
                _replace(home / suite.file, suite.replaced)
            aside = ["-k", f"not ({' or '.join(suite.aside)})"] if suite.aside else []
            passed, of = _pytest(python, [suite.file, "--tb=no" if who == "reference" else "--tb=line", *aside], home)
        lines.append(Line(framework.name, f"its own tests of {suite.label}, {who}", passed, of, must_pass=False))
    return lines


def _replace(path: Path, replaced: tuple[tuple[str, str], ...]) -> None:
    text = path.read_text("utf-8")
    for old, new in replaced:
        if old not in text:
            raise SystemExit(f"{path.name} has no line {old!r}: the suite has changed; change its entry in table.py")
        text = text.replace(old, new)
    path.write_text(text, "utf-8")


def _pytest(python: Path, options: list[str], folder: Path, **variables: str) -> tuple[int, int]:
    """How many tests passed, and how many there were; the output is shown."""
    done = subprocess.run(
        [str(python), *_PYTEST, *options],
        cwd=folder,
        env={**os.environ, **variables},
        check=False,
        capture_output=True,
        text=True,
    )
    print(done.stdout[-6000:], done.stderr[-2000:] if done.returncode > 1 else "", sep="\n")
    ends = [line for line in done.stdout.splitlines() if _COUNTS.search(line) and " in " in line]
    counts = {kind.rstrip("s"): int(number) for number, kind in _COUNTS.findall(ends[-1] if ends else "")}
    return counts.get("passed", 0), sum(count for kind, count in counts.items() if kind != "skipped")


def _environment(framework: Framework) -> Path:
    """The interpreter of the framework's environment."""
    pinned = framework.requirements.read_text("utf-8")
    stamp_text = pinned + str(ROOT)
    home = user_cache_path("ebbing") / "adapters" / framework.name
    python, stamp = home / "bin" / "python", home / _STAMP
    wanted = hashlib.sha256(stamp_text.encode()).hexdigest()
    if not stamp.exists() or stamp.read_text("utf-8") != wanted:
        print(f"{framework.name}: setting up {home}, once ...", flush=True)
        shutil.rmtree(home, ignore_errors=True)
        uv = [str(_BIN / "uv"), "--quiet"]
        variables = {**os.environ, "VIRTUAL_ENV": str(home), "UV_PYTHON_DOWNLOADS": "never"}
        for command in (
            ["venv", "--python", sys.executable, str(home)],
            ["pip", "install", "--no-deps", "--requirements", str(framework.requirements)],
            ["pip", "install", "--no-deps", "--no-build-isolation", "--editable", str(ROOT)],
        ):
            subprocess.run([*uv, *command], check=True, env=variables)
        stamp.write_text(wanted, "utf-8")
    return python


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
