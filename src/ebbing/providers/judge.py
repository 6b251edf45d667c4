"""The judge that ships: one small encoder, int8, read by onnxruntime on the CPU; no download.

A text alone gives its kind, lifetime, harm and whether it is injected; two texts together give how the newer relates
to the older, or whether a memory answers a question. Training and figures: training/README.md.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import Unavailable
from ..judgement import HARMS, KINDS, LIFETIMES, Relation, TextReading
from .onnx_model import one_line, troubles

WEIGHTS = Path(__file__).parent / "judge_weights"
_TOKENS_MAX = 192  # of a text or a pair: what it was trained on

Numbers = NDArray[np.float32]


class PackagedJudge:
    """Reads texts and pairs of texts. Loaded when it is first asked; threads may share it."""

    def __init__(self, folder: Path = WEIGHTS) -> None:
        self._folder = folder
        self._loading = threading.Lock()
        try:
            about = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise Unavailable(f"the judge's weights are not in {folder}: {error}") from error
        if not (folder / "judge.onnx").is_file():
            raise Unavailable(f"the judge's weights are not in {folder}: judge.onnx is missing; install ebbing again")
        self.fingerprint = str(about["fingerprint"])

    def relate(self, pairs: Sequence[tuple[str, str]]) -> list[Relation]:
        """How the newer (second) of each pair relates to the older (first)."""
        return [Relation(*map(float, row)) for row in _softmax(self._run("relation", pairs))]

    def answers(self, question: str, texts: Sequence[str]) -> list[float]:
        """The probability, for each text, that it answers the question."""
        return [float(row[0]) for row in _sigmoid(self._run("answers", [(question, text) for text in texts]))]

    def read(self, texts: Sequence[str]) -> list[TextReading]:
        """What each text is."""
        heads = self._run_all(("kind", "lifetime", "harm", "injected"), [(text,) for text in texts])
        kinds, lifetimes, harms = (_softmax(head) for head in heads[:3])
        injected = _sigmoid(heads[3])[:, 0]
        return [
            TextReading(
                kind=KINDS[int(kind.argmax())],
                lifetime=LIFETIMES[int(lifetime.argmax())],
                harm=HARMS[int(harm.argmax())],
                injected=float(attack),
                kind_probability=float(kind.max()),
                expected_harm=float(harm @ np.arange(len(HARMS))),
            )
            for kind, lifetime, harm, attack in zip(kinds, lifetimes, harms, injected, strict=True)
        ]

    def _run(self, output: str, rows: Sequence[tuple[str, ...]]) -> Numbers:
        return self._run_all((output,), rows)[0]

    def _run_all(self, outputs: Sequence[str], rows: Sequence[tuple[str, ...]]) -> list[Numbers]:
        """These outputs for every row. One row at a time: beside others a quantized model gives other numbers, and a
        judgement must not depend on what is read with it. It takes no longer."""
        session, tokenizer = self._loaded
        found: list[list[Numbers]] = [[] for _ in outputs]
        for row in rows:
            try:
                given = session.run(list(outputs), _feed(tokenizer.encode(*row)))
            except troubles() as error:
                raise Unavailable(f"the judge does not answer: {one_line(error)}") from error
            for columns, values in zip(found, given, strict=True):
                columns.append(values[0])
        return [np.asarray(columns, dtype=np.float32) for columns in found]

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        import onnxruntime
        from tokenizers import Tokenizer

        with self._loading:
            options = onnxruntime.SessionOptions()
            # Without threads of its own a session survives a fork, and a server's requests share the cores.
            options.intra_op_num_threads = options.inter_op_num_threads = 1
            try:
                path = str(self._folder / "judge.onnx")
                session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
                tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
            except troubles() as error:
                raise Unavailable(f"the judge does not load: {one_line(error)}; install ebbing again") from error
            tokenizer.no_padding()
            tokenizer.enable_truncation(_TOKENS_MAX)
            return session, tokenizer


def _feed(encoded: Any) -> dict[str, NDArray[np.int64]]:
    columns = {"input_ids": encoded.ids, "attention_mask": encoded.attention_mask, "token_type_ids": encoded.type_ids}
    return {name: np.array([column], dtype=np.int64) for name, column in columns.items()}


def _softmax(logits: Numbers) -> NDArray[np.float64]:
    shifted = np.exp(logits.astype(np.float64) - logits.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True))


def _sigmoid(logits: Numbers) -> NDArray[np.float64]:
    return np.asarray(1.0 / (1.0 + np.exp(-logits.astype(np.float64))))
