"""A model of the `sentence-transformers` package, where that is installed: by its folder, or by a name in its cache.

No extra of ours brings the package, because it brings torch. Nothing is downloaded here; prompts, pooling and
length are the model's own.
"""

from __future__ import annotations

import functools
import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..domain import validation
from ..domain.errors import Unavailable
from ..ports import Vector
from .weights_digest import digest

_WEIGHTS = ("*.safetensors", "*.bin", "*.json")


class SentenceTransformers:
    """Loaded at its first text."""

    def __init__(self, model: str | os.PathLike[str], *, device: str | None = None) -> None:
        """`model` is a folder or a name; `device` is where torch reckons, by default where it likes to."""
        if importlib.util.find_spec("sentence_transformers") is None:
            raise Unavailable("this embedder needs a package of its own; run: pip install sentence-transformers")
        path = validation.path(model).expanduser()
        self.model = str(path) if path.is_dir() else validation.name(os.fspath(model), "the model")
        self._device = device
        # A folder's own name says nothing of what is in it.
        known_by = _digest(path) if path.is_dir() else self.model
        self.fingerprint = f"sentence-transformers-{known_by}"

    def __repr__(self) -> str:
        return f"SentenceTransformers({self.model!r})"

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        """One row of length one per text, with the prompt that the model has for questions or for documents."""
        encode = self._loaded.encode_query if query else self._loaded.encode_document
        rows = encode(list(texts), convert_to_numpy=True, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(rows, dtype=np.float32)

    @functools.cached_property
    def _loaded(self) -> Any:
        from sentence_transformers import SentenceTransformer

        try:
            return SentenceTransformer(self.model, device=self._device, local_files_only=True)
        except (OSError, ValueError) as error:
            raise Unavailable(
                f"the model {self.model} is not on this machine, or not whole ({' '.join(str(error).split())[:200]}); "
                "fetch it once with network: SentenceTransformer(name).save(folder), and give that folder"
            ) from error


def _digest(folder: Path) -> str:
    files = sorted({path for pattern in _WEIGHTS for path in [*folder.glob(pattern), *folder.glob(f"*_*/{pattern}")]})
    return digest(files)
