"""ONNX models from a folder, without a network: an embedder, and a reranker (a cross-encoder).

The folder holds the model and its `tokenizer.json`. Pooling, length and prefixes come from `ebbing.toml` beside them,
from the files of sentence-transformers, or from the caller (onnx_folder.py). The embedder takes a few milliseconds a
text. The reranker takes tens of milliseconds for a question with a text, so it reads only the best results.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..domain.errors import Invalid
from ..ports import Vector
from .onnx_folder import read_folder
from .onnx_model import OnnxModel
from .weights_digest import digest

_POOLED = "sentence_embedding"  # as exporters name what is one vector per text already
_BY_TOKEN = ("last_hidden_state", "token_embeddings")


class OnnxEmbedder:
    """Everything is checked when it is made; the model is loaded at its first text."""

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        model: str | None = None,
        pooling: str | None = None,
        tokens_max: int | None = None,
        query_prefix: str | None = None,
        text_prefix: str | None = None,
        threads: int | None = None,
    ) -> None:
        """What is not given is as the folder says it."""
        given = {"model": model, "pooling": pooling, "tokens_max": tokens_max}
        self.folder = read_folder(folder, given | {"query_prefix": query_prefix, "text_prefix": text_prefix})
        self._model = OnnxModel("the embedder", self.folder, threads)
        # Not the prefix of a question: it changes no vector that is kept, so memories need not be embedded again.
        made_by = (self.folder.pooling, self.folder.tokens_max, self.folder.text_prefix)
        self.fingerprint = f"onnx-{digest(self.folder.weights, *made_by)}"

    def __repr__(self) -> str:
        return f"OnnxEmbedder({str(self.folder.path)!r})"

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        """One row of length one per text; the same text has the same row in any company."""
        if not texts:
            return np.empty((0, 0), dtype=np.float32)
        prefix = self.folder.query_prefix if query else self.folder.text_prefix
        output = self._output()
        rows = self._model.each(lambda text: self._pooled(self._model.run(output, prefix + text)), texts)
        vectors = np.stack(rows)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)

    def _output(self) -> str:
        """Which of the model's answers: the vectors of the tokens, unless it pools them and nobody says how to."""
        there = self._model.outputs()
        if self.folder.pooling is None and _POOLED in there:
            return _POOLED
        by_token = [name for name in _BY_TOKEN if name in there] + [name for name, rank in there.items() if rank == 3]
        pooled = [name for name, rank in there.items() if rank == 2]
        for name in (*by_token, *pooled):
            return name
        raise Invalid(f"{self._model.what} gives {', '.join(there) or 'nothing'}, which is no vector of a text")

    def _pooled(self, states: NDArray[np.float32]) -> Vector:
        if states.ndim == 1:
            return states
        if self.folder.pooling == "cls":
            return np.asarray(states[0])
        if self.folder.pooling == "last":
            return np.asarray(states[-1])
        return np.asarray(states.mean(axis=0))


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
