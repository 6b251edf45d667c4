"""A cross-encoder as ONNX, out of a folder: it reads question and text together, and says how well they fit.

Far slower than comparing vectors (tens of milliseconds a text), and better at it: for the few best, not for all.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

from ..domain.errors import Invalid
from .onnx_folder import read_folder
from .onnx_model import OnnxModel


class OnnxReranker:
    """Everything is checked when it is made; the model is loaded at its first question."""

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        model: str | None = None,
        tokens_max: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.folder = read_folder(folder, {"model": model, "tokens_max": tokens_max})
        self._model = OnnxModel("the reranker", self.folder, threads)
        self.name = f"onnx:{self.folder.path.name}"

    def __repr__(self) -> str:
        return f"OnnxReranker({str(self.folder.path)!r})"

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One number per text, as the model gives it: not bounded, and the higher the better."""
        if not texts:
            return []
        [output, *_] = self._model.outputs()
        return self._model.each(lambda text: self._score(np.ravel(self._model.run(output, query, text))), texts)

    def _score(self, given: np.ndarray) -> float:
        if len(given) == 1:
            return float(given[0])
        if len(given) == 2:  # two classes, "does not fit" and "fits"
            return float(given[1] - given[0])
        raise Invalid(f"{self._model.what} gives {len(given)} numbers for a pair of texts; a reranker gives one")
