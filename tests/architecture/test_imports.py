"""The arrows between our modules point down only, and importing Ebbing stays light.

The contracts themselves stand in pyproject.toml; `make lint` reads the same ones.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import ROOT

HEAVY = {
    "fastembed",
    "httpx2",
    "huggingface_hub",
    "mcp",
    "onnxruntime",
    "pgvector",
    "psycopg",
    "psycopg_pool",
    "rich",
    "starlette",
    "tokenizers",
    "typer",
    "uvicorn",
}

# The least house that has a module on every floor.
FLOORS = [
    "interfaces/cli",
    "interfaces/tools",
    "testing",
    "wiring",
    "jobs/worker",
    "engine",
    "operations/foresight/simulate",
    "operations/importers/import_records",
    "remember/admit",
    "recall/top_k",
    "forget/ladder",
    "store/sqlite/store",
    "providers/wordllama",
    "lifecycle/conflicts",
    "ports/model_client",
    "text/terms",
    "domain/retention",
    "domain/curves",
    "domain/errors",
]


def lint_imports(folder: Path, *sources: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the contracts of `folder`, finding the package first in `sources`."""
    program = f"import sys; sys.path[:0] = {[str(path) for path in sources]!r}\n"
    program += "from importlinter.cli import lint_imports_command as lint; lint()"
    command = [sys.executable, "-c", program, "--no-cache", "--no-logo"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A package of empty modules under the real contracts, for planting an import in."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for floor in FLOORS:
        path = tmp_path / "src" / "ebbing" / f"{floor}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        for folder in path.parents[: len(Path(floor).parts)]:
            (folder / "__init__.py").touch()
    return tmp_path


def test_imports_point_down_only() -> None:
    """Every contract in pyproject.toml is kept."""
    result = lint_imports(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("domain/errors", "text.terms"),
        ("text/terms", "ports.model_client"),
        ("ports/model_client", "lifecycle.conflicts"),
        ("lifecycle/conflicts", "engine"),
        ("recall/top_k", "remember.admit"),
        ("forget/ladder", "recall.top_k"),
        ("store/sqlite/store", "remember.admit"),
        ("store/sqlite/store", "providers.wordllama"),
        ("forget/ladder", "operations.foresight.simulate"),
        ("engine", "store.sqlite.store"),
        ("engine", "jobs.worker"),
        ("jobs/worker", "wiring"),
        ("wiring", "testing"),
        ("interfaces/cli", "store"),
        ("interfaces/cli", "recall.top_k"),
        ("interfaces/tools", "interfaces.cli"),
    ],
)
def test_an_arrow_that_points_up_or_across_is_seen(house: Path, importer: str, imported: str) -> None:
    """The contracts refuse what the drawing does not show."""
    (house / "src" / "ebbing" / f"{importer}.py").write_text(f"import ebbing.{imported}\n", encoding="utf-8")
    result = lint_imports(house, house / "src")
    assert result.returncode == 1
    assert f"ebbing.{importer.replace('/', '.')} -> ebbing.{imported} (l.1)" in result.stdout


def test_the_arrows_of_the_drawing_are_allowed(house: Path) -> None:
    """Down is free: the empty house is clean, and so are the arrows the drawing shows."""
    for importer, imported in [
        ("interfaces/cli", "interfaces.tools"),
        ("interfaces/tools", "engine"),
        ("wiring", "store.sqlite.store"),
        ("wiring", "engine"),
        ("jobs/worker", "engine"),
        ("engine", "operations.foresight.simulate"),
        ("operations/foresight/simulate", "forget.ladder"),
        ("operations/importers/import_records", "remember.admit"),
        ("engine", "forget.ladder"),
        ("forget/ladder", "lifecycle.conflicts"),
        ("lifecycle/conflicts", "ports.model_client"),
        ("ports/model_client", "text.terms"),
        ("text/terms", "domain.errors"),
        ("domain/retention", "domain.curves"),
    ]:
        (house / "src" / "ebbing" / f"{importer}.py").write_text(f"import ebbing.{imported}\n", encoding="utf-8")
    result = lint_imports(house, house / "src")
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_circle_inside_the_domain_is_seen(house: Path) -> None:
    """Inside a package no order is declared, and still no two modules need each other."""
    domain = house / "src" / "ebbing" / "domain"
    (domain / "retention.py").write_text("import ebbing.domain.curves\n", encoding="utf-8")
    (domain / "curves.py").write_text("import ebbing.domain.retention\n", encoding="utf-8")
    result = lint_imports(house, house / "src")
    assert result.returncode == 1
    assert "ebbing.domain" in result.stdout


def test_a_module_without_a_place_is_seen(house: Path) -> None:
    """Whoever adds a module decides on which floor it stands."""
    (house / "src" / "ebbing" / "newcomer.py").touch()
    result = lint_imports(house, house / "src")
    assert result.returncode == 1
    assert "ebbing.newcomer" in result.stdout


def test_importing_ebbing_loads_nothing_heavy() -> None:
    """Models, drivers, servers and terminals are loaded by whoever first needs them."""
    program = "import json, sys, ebbing; print(json.dumps(sorted(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    loaded = set(json.loads(result.stdout))
    assert "ebbing" in loaded
    assert loaded & HEAVY == set()
