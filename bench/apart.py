"""A measurement in a process of its own (probe.py), asked for from here."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).parents[1]


def measured_apart(what: str, given: dict[str, Any]) -> dict[str, float]:
    """What a fresh process tells of `ebbing`, of the `bare` floor or of the `judge`."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "given.json"
        file.write_text(json.dumps(given), "utf-8")
        command = [sys.executable, "-m", "bench.probe", what, str(file)]
        done = subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True)
    told: dict[str, float] = json.loads(done.stdout)
    return told
