"""A real Chromium and axe-core for the tests of the dashboard, out of packages of the npm registry; no Node is needed.

`python -m tests.interfaces.dashboard.chromium FOLDER` sets both up, once. A Chromium of the machine is used instead
where `EBBING_CHROMIUM` names it.
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import sys
import tarfile
import urllib.request
from dataclasses import dataclass
from pathlib import Path

REGISTRY = os.environ.get("NPM_CONFIG_REGISTRY", "https://registry.npmjs.org").rstrip("/")
_READY = "ready"


@dataclass(frozen=True)
class Package:
    """One package, and the digest of its file."""

    name: str
    version: str
    sha512: str

    def fetched(self) -> tarfile.TarFile:
        short = self.name.rpartition("/")[2]
        address = f"{REGISTRY}/{self.name}/-/{short}-{self.version}.tgz"
        with urllib.request.urlopen(address, timeout=600) as answer:
            data = answer.read()
        if base64.b64encode(hashlib.sha512(data).digest()).decode() != self.sha512:
            raise SystemExit(f"{address} is not the file that it should be")
        return tarfile.open(fileobj=io.BytesIO(data))


CHROMIUM = Package(
    "@sparticuz/chromium",
    "153.0.0",
    "jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==",
)
AXE = Package(
    "axe-core",
    "4.14.1",
    "FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
)


@dataclass(frozen=True)
class Chromium:
    """Where a browser is, and how it is started."""

    path: Path
    arguments: tuple[str, ...]
    libraries: Path | None = None

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, **({} if self.libraries is None else {"LD_LIBRARY_PATH": str(self.libraries)})}


def found(folder: Path) -> Chromium:
    """The machine's own where one is named, else the one in this folder."""
    if named := os.environ.get("EBBING_CHROMIUM"):
        return Chromium(Path(named), ("--no-sandbox", "--disable-gpu"))
    flags = ("--headless=old", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader")
    return Chromium(folder / "chromium", flags, folder / "lib")


def axe(folder: Path) -> str:
    """axe-core, as a script."""
    return (folder / "axe.min.js").read_text("utf-8")


def set_up(folder: Path) -> None:
    """Fetch what is missing."""
    if (folder / _READY).exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    with AXE.fetched() as package:
        (folder / "axe.min.js").write_bytes(_read(package, "package/axe.min.js"))
    if "EBBING_CHROMIUM" not in os.environ:
        import brotli

        with CHROMIUM.fetched() as package:
            (folder / "chromium").write_bytes(brotli.decompress(_read(package, "package/bin/chromium.br")))
            for name in ("swiftshader", "al2023", "fonts"):
                packed = brotli.decompress(_read(package, f"package/bin/{name}.tar.br"))
                with tarfile.open(fileobj=io.BytesIO(packed)) as inner:
                    inner.extractall(folder, filter="data")
        (folder / "chromium").chmod(0o755)
    (folder / _READY).touch()


def _read(package: tarfile.TarFile, name: str) -> bytes:
    member = package.extractfile(name)
    if member is None:
        raise SystemExit(f"{name} is not in the package")
    return member.read()


if __name__ == "__main__":
    set_up(Path(sys.argv[1]))
