"""The fingerprint of the text analysis is made of every module that takes part in it."""

from __future__ import annotations

import ast
import unicodedata
from pathlib import Path

import pytest

import ebbing
from ebbing.text.analysis_fingerprint import SOURCES, fingerprint

PACKAGE = Path(ebbing.__file__).parent
TEXT = PACKAGE / "text"
ROOTS = ("terms.py",)  # what the stores derive words and digests by


def imported(path: Path) -> set[Path]:
    """The modules of the package that a module imports when it is loaded."""
    found: set[Path] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            names = [base.with_suffix(".py"), *(base / f"{alias.name}.py" for alias in node.names)]
            found |= {name for name in names if name.is_file()}
    return found


def test_every_module_that_derives_is_in_the_fingerprint() -> None:
    """A module left out could change the words while every check says that they are the same."""
    closure = {TEXT / root for root in ROOTS}
    while more := {name for path in closure for name in imported(path)} - closure:
        closure |= more
    named = {TEXT / source for source in SOURCES}
    assert closure == named


def test_the_stores_derive_by_nothing_else() -> None:
    """What a store keeps of a text by the reading of it would have to be derived again when the reading changes."""
    allowed = {TEXT / "analysis_fingerprint.py", *(TEXT / source for source in SOURCES)}
    for path in (PACKAGE / "store").rglob("*.py"):
        assert {name for name in imported(path) if TEXT in name.parents} <= allowed, path.name


def test_another_unicode_is_another_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    """A newer Python knows letters that an older one parts words at."""
    own = fingerprint()
    fingerprint.cache_clear()
    monkeypatch.setattr(unicodedata, "unidata_version", "3.2.0")
    assert fingerprint() != own
    fingerprint.cache_clear()


def test_the_fingerprint_is_the_same_each_time() -> None:
    """Two processes of one version must agree."""
    first = fingerprint()
    fingerprint.cache_clear()
    assert fingerprint() == first
