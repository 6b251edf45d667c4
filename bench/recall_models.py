"""The embedders that recall is measured with; what a slow one has embedded is kept in a folder for the next run."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ebbing.ports import Embedder, Vector
from ebbing.providers import make_embedder

PACKAGED, ONNX, WORDS = "packaged", "onnx", "none"


class Kept:
    """Another model's vectors, each text embedded once: in this process, and with a folder in any."""

    def __init__(self, model: Embedder, folder: Path | None = None) -> None:
        self.fingerprint = model.fingerprint
        self.averages = bool(getattr(model, "averages", False))
        self._model = model
        self._file = None if folder is None else folder / f"{model.fingerprint}.npz"
        self._known: dict[str, Vector] = {}
        self._fresh = 0
        if self._file is not None and self._file.exists():
            with np.load(self._file) as held:
                self._known = dict(zip(held["names"].tolist(), held["vectors"], strict=True))

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        names = [_name(text, query) for text in texts]
        new = {name: text for name, text in zip(names, texts, strict=True) if name not in self._known}
        if new:
            self._known.update(zip(new, self._model.embed(list(new.values()), query=query), strict=True))
            self._fresh += len(new)
        return np.stack([self._known[name] for name in names]).astype(np.float32)

    def keep(self) -> None:
        """Write what is new, where there is a folder for it."""
        if self._file is not None and self._fresh:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            np.savez(self._file, names=np.array(list(self._known)), vectors=np.stack(list(self._known.values())))
            self._fresh = 0


def _name(text: str, query: bool) -> str:
    return hashlib.blake2b(f"{query:d}{text}".encode(), digest_size=16).hexdigest()


def model(name: str, folder: Path | None) -> Kept | None:
    """By its name here; `onnx` is the one whose weights the development environment brings."""
    if name == WORDS:
        return None
    if name == PACKAGED:
        packaged = make_embedder("auto")
        assert packaged is not None, "the packaged embedder is a dependency"
        return Kept(packaged)
    # Only here, so that the others need no weights.
    from ebbing.providers.onnx import OnnxEmbedder
    from tests.weights import QUERY_PREFIX, arctic

    return Kept(OnnxEmbedder(arctic(), pooling="cls", query_prefix=QUERY_PREFIX), folder)
