"""The repository travels: it names no machine and no registry, and the wheel carries all it needs."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGE, ROOT, text_files

LOCKS = ["browser.lock", "dev.lock", "installer.lock", "weights.lock"]
PERSONAL_FOLDER = re.compile(r"(?<![\w.])(?:/(?:home|Users)/\w+|/root/\w+|[A-Za-z]:\\+Users\\+\w+)")


def machine_paths(text: str, *folders: Path) -> list[str]:
    """Every mention of somebody's home folder, or of one of the `folders` of this machine."""
    found = [match.group() for match in PERSONAL_FOLDER.finditer(text)]
    # A folder right below the root is too short to be told from an ordinary path such as a scope.
    return found + [str(folder) for folder in folders if len(folder.parts) > 2 and str(folder) in text]


def test_no_file_names_a_machine() -> None:
    """No path in the repository is true on one machine only."""
    found = [
        f"{path.relative_to(ROOT).as_posix()}: {mention}"
        for path, text in text_files()
        for mention in machine_paths(text, ROOT, Path.home())
    ]
    assert found == []


@pytest.mark.parametrize("folder", ["home", "Users"])
def test_a_machine_path_is_seen(folder: str) -> None:
    """A machine is known by its home folders, and this one by where the repository stands."""
    assert machine_paths(f'open("/{folder}/ada/memory.db")')
    assert machine_paths(f"see {ROOT}/docs", ROOT) or len(ROOT.parts) <= 2
    assert machine_paths("scope /user/ada, /project/api, docs/home/index.md", ROOT) == []


def test_locks_name_no_registry() -> None:
    """What is pinned is pinned by hash; where it comes from is the reader's own setting."""
    locks = sorted(path for path in (ROOT / "requirements").rglob("*") if path.is_file())
    assert [path.name for path in locks if path.suffix == ".lock"] == LOCKS
    for path in [*locks, ROOT / "pyproject.toml", ROOT / "Makefile"]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"https?://|--(?:extra-)?index-url|--find-links|--default-index", text), path.name


def test_every_locked_package_has_a_hash() -> None:
    """An installer that checks hashes cannot be given another file."""
    for name in LOCKS:
        text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
        pinned = re.findall(r"^\S+==.*(?:\n    .*)*", text, flags=re.MULTILINE)
        assert pinned, f"{name} pins nothing"
        assert [entry for entry in pinned if "--hash=sha256:" not in entry] == []


def test_the_wheel_carries_what_the_package_reads(tmp_path: Path) -> None:
    """Every file of the package ships: SQL, presets and the typing marker as well as the modules."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    [wheel] = tmp_path.glob("*.whl")
    shipped = set(zipfile.ZipFile(wheel).namelist())
    needed = {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in PACKAGE.rglob("*")
        if path.suffix in {".py", ".sql", ".toml"} or path.name == "py.typed"
    }
    assert "ebbing/py.typed" in needed
    assert needed - shipped == set()
