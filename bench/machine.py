"""The machine a run was taken on, told with the figures: without it they mean nothing."""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .measure import Watch


def machine(folder: Path) -> dict[str, Any]:
    """What decides how fast anything is here, and how busy it was before we began."""
    import apsw
    import numpy as np

    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2),
        "fsync_ms": round(_fsync_ms(folder), 3),
        "system": platform.platform(),
        "python": platform.python_version(),
        "sqlite": apsw.sqlite_lib_version(),
        "numpy": np.__version__,
    }


def sentence(about: Mapping[str, Any]) -> str:
    """The same for people."""
    return (
        f"{about['processor']}, {about['cores']} cores, load {about['load']:g} before the run; a bare fsync takes "
        f"{about['fsync_ms']:.2g} ms; Python {about['python']}, SQLite {about['sqlite']}, numpy {about['numpy']}"
    )


def _fsync_ms(folder: Path) -> float:
    """What a durable commit cannot be quicker than; next to nothing says that the folder is in memory."""
    watch = Watch()
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(50):
            file.write(b"\0" * 4096)
            file.flush()
            with watch:
                os.fsync(file.fileno())
    return watch.milliseconds().p50


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
