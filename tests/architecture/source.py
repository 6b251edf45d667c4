"""The repository as the architecture tests see it: its files, and each module parsed once."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "ebbing"
FOLDERS = (".ci", "bench", "docs", "requirements", "src", "tests")


@dataclass(frozen=True)
class Module:
    """One Python file: where it stands, what it says, and its syntax tree."""

    path: Path
    text: str

    @functools.cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, filename=str(self.path))

    @functools.cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @property
    def where(self) -> str:
        """Its place below the package, as in `recall/top_k.py`; below the root for all else."""
        base = PACKAGE if self.path.is_relative_to(PACKAGE) else ROOT
        return self.path.relative_to(base).as_posix()

    def stands_in(self, *places: str) -> bool:
        """Whether it is one of these files (`domain/clock.py`) or inside one of these folders (`jobs/`)."""
        return any(self.where == place or (place.endswith("/") and self.where.startswith(place)) for place in places)


@functools.cache
def modules_under(folder: Path) -> tuple[Module, ...]:
    """Every Python file below `folder`, in order of path; a folder without any is a mistake."""
    found = tuple(Module(path, path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py")))
    assert found, f"no Python files below {folder}"
    return found


def package() -> tuple[Module, ...]:
    """Every module of Ebbing."""
    return modules_under(PACKAGE)


def planted(code: str, where: str = "planted.py") -> Module:
    """A module that exists only here, to show that a rule can be broken."""
    return Module(PACKAGE / where, code)


def text_files() -> Iterator[tuple[Path, str]]:
    """Every text file people write or generate here, with its text; caches and binaries are passed over."""
    candidates = [path for path in ROOT.iterdir() if path.is_file()]
    for folder in FOLDERS:
        candidates += [
            path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts
        ]
    for path in sorted(candidates):
        try:
            yield path, path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
