"""What takes long to make and is only read afterwards: made once in a test run, whichever worker needs it first."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that `make` filled. The workers of pytest-xdist share it: read it, and copy what you want to change.

    Whoever comes while it is being made waits. If making it fails, the next one tries again.
    """
    shared = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder = shared / f"once-{name}"
    with (shared / f"once-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            unfinished = Path(tempfile.mkdtemp(prefix=f"making-{name}-", dir=shared))
            make(unfinished)
            unfinished.rename(folder)
    return folder


def copy_of(folder: Path, factory: pytest.TempPathFactory) -> Path:
    """The same files in a folder that belongs to this worker alone."""
    return Path(shutil.copytree(folder, factory.mktemp(folder.name), dirs_exist_ok=True))
