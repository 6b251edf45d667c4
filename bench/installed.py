"""What a plain `pip install` of a distribution brings: the packages it needs, and what they take on disk here."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

import ebbing

_PROJECT = Path(__file__).parent.parent / "pyproject.toml"
_NAME = re.compile(r"^[A-Za-z0-9._-]+")


def installed(name: str) -> tuple[set[str], int]:
    """The distributions, this one included, and their bytes; what another system or an extra would need is left out."""
    found: dict[str, int] = {}
    waiting = [name]
    while waiting:
        one = _normal(waiting.pop())
        if one in found:
            continue
        if one == "ebbing":
            found[one], needed = _own()
        else:
            try:
                distribution = metadata.distribution(one)
            except metadata.PackageNotFoundError:
                continue  # for another system or another Python
            found[one], needed = _bytes(distribution), distribution.requires or []
        waiting += [match[0] for text in needed if _plain(text) and (match := _NAME.match(text))]
    return set(found), sum(found.values())


def _plain(requirement: str) -> bool:
    """Whether it is needed without an extra. Other markers are left to whether the package is there."""
    return "extra ==" not in requirement.replace("'", '"')


def _bytes(distribution: metadata.Distribution) -> int:
    files = [Path(str(file.locate())) for file in distribution.files or ()]
    return sum(file.stat().st_size for file in files if file.is_file() and file.suffix != ".pyc")


def _own() -> tuple[int, list[str]]:
    """The bytes of this package and what it needs, by its sources: they may be newer than what is installed."""
    folder = Path(ebbing.__file__).parent
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc")
    return size, tomllib.loads(_PROJECT.read_text("utf-8"))["project"]["dependencies"]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
