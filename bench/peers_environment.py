"""An environment for each peer, made by the bench outside the project: pinned, complete, and good for nothing else.

`peers.txt` names every package of an environment, each with its version, so that nothing is resolved and nothing
large that the measurement does not need (a peer's own embedder) comes along.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from platformdirs import user_cache_path

REQUIREMENTS = Path(__file__).with_name("peers.txt")
_HEADING = "# for "
_STAMP = "installed.txt"  # there when everything is, and says what


class NotInstalled(Exception):
    """A peer's environment could not be made."""


def default_folder() -> Path:
    """Where environments are kept between runs."""
    return user_cache_path("ebbing") / "bench-peers"


def requirements(peer: str, text: str) -> list[str]:
    """What stands under the peer's heading."""
    found: list[str] = []
    under = ""
    for line in text.splitlines():
        if line.startswith(_HEADING):
            under = line.removeprefix(_HEADING).strip()
        elif line.strip() and not line.startswith("#") and under == peer:
            found.append(line.strip())
    if not found:
        raise NotInstalled(f"{REQUIREMENTS.name} names nothing for {peer}")
    return found


def interpreter(peer: str, folder: Path) -> Path:
    """The interpreter of the peer's environment, which is made first when it is missing or was pinned otherwise."""
    wanted = requirements(peer, REQUIREMENTS.read_text("utf-8"))
    pinned = "\n".join(wanted) + "\n"
    home = folder / f"{peer}-{hashlib.sha256(pinned.encode()).hexdigest()[:12]}"
    python = home / "bin" / "python"
    stamp = home / _STAMP
    if not stamp.exists():
        # What an earlier run left half made would only be in the way.
        shutil.rmtree(home, ignore_errors=True)
        venv.create(home, with_pip=True)
        _install(python, wanted)
        stamp.write_text(pinned, "utf-8")
    return python


def _install(python: Path, wanted: list[str]) -> None:
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", *wanted]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        told = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or done.stderr.splitlines()[-1:]
        raise NotInstalled(f"Python {sys.version_info.major}.{sys.version_info.minor}: {' '.join(told)}")
