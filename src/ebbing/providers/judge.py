"""The judge that ships: two small encoders, int8, read by onnxruntime on the CPU; no download.

One reads a text alone: its kind, lifetime, harm and whether it is injected. The other reads two texts together: how the
newer relates to the older, or whether a memory answers a question. It is in two files, because its first layers already
see that most pairs have nothing to do with each other, and those are read no further. Training and figures:
training/README.md.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..domain.errors import Unavailable
from ..domain.judgement import HARMS, KINDS, LIFETIMES, Relation, TextReading
from .onnx_model import one_line, troubles
from .wordpiece import read_vocabulary

WEIGHTS = Path(__file__).parent / "judge_weights"
_VOCABULARY = "vocabulary.txt"
_FILES = ("front.onnx", "back.onnx", "text.onnx", _VOCABULARY)
_TOKENS_MAX = 192  # of a text or a pair: what it was trained on
_NOTHING = 0.03  # probability: below it the first layers are believed that two texts neither agree nor conflict
_NO_ANSWER = 0.01  # … and that a text answers no question; of a hundred answers that all layers find, one is lost
_WHOLE_TOKENS_MAX = 140  # of the likeliest texts that all layers read for one question: about ten a millisecond …
_WHOLE_MIN = 2  # … but always so many texts

Numbers = NDArray[np.float32]


class PackagedJudge:
    """Reads texts and pairs of texts. Loaded when it is first asked; threads may share it."""

    def __init__(self, folder: Path = WEIGHTS) -> None:
        self._folder = folder
        self._loading = threading.Lock()
        self._sessions: dict[str, Any] = {}
        try:
            about = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise Unavailable(f"the judge's weights are not in {folder}: {error}") from error
        missing = [name for name in _FILES if not (folder / name).is_file()]
        if missing:
            raise Unavailable(f"the judge's weights are not in {folder}: {missing[0]} is missing; install ebbing again")
        self.fingerprint = str(about["fingerprint"])

    def relate(self, pairs: Sequence[tuple[str, str]]) -> list[Relation]:
        """How the newer (second) of each pair relates to the older (first)."""
        return [self._related(pair) for pair in pairs]

    def _related(self, pair: tuple[str, str]) -> Relation:
        front = self._front(pair, ("hidden", "relation_early"))
        early = Relation(*map(float, _softmax(front["relation_early"][0])))
        if early.same + early.conflicts < _NOTHING:
            return early
        return Relation(*map(float, _softmax(self._back(front, ("relation",))[0])))

    def answers(self, question: str, texts: Sequence[str]) -> list[float]:
        """The probability, for each text, that it answers the question."""
        fronts = [self._front((question, text), ("hidden", "answers_early")) for text in texts]
        found = [float(_sigmoid(front["answers_early"][0])[0]) for front in fronts]
        order = sorted(range(len(found)), key=lambda place: -found[place])
        likeliest = [place for place in order if found[place] >= _NO_ANSWER]
        left = _WHOLE_TOKENS_MAX
        for number, place in enumerate(likeliest):
            left -= fronts[place]["hidden"].shape[1]
            if left < 0 and number >= _WHOLE_MIN:
                break
            found[place] = float(_sigmoid(self._back(fronts[place], ("answers",))[0])[0])
        return found

    def read(self, texts: Sequence[str]) -> list[TextReading]:
        """What each text is."""
        return [self._read(text) for text in texts]

    def _read(self, text: str) -> TextReading:
        heads = _run(self._session("text.onnx"), ("kind", "lifetime", "harm", "injected"), self._tokens((text,)))
        kind, lifetime, harm = (_softmax(head[0]) for head in heads[:3])
        return TextReading(
            kind=KINDS[int(kind.argmax())],
            lifetime=LIFETIMES[int(lifetime.argmax())],
            harm=HARMS[int(harm.argmax())],
            injected=float(_sigmoid(heads[3])[0, 0]),
            kind_probability=float(kind.max()),
            expected_harm=float(harm @ np.arange(len(HARMS))),
            lifetimes=tuple(map(float, lifetime)),
            harms=tuple(map(float, harm)),
        )

    def _front(self, row: tuple[str, str], outputs: Sequence[str] = ("hidden",)) -> dict[str, Numbers]:
        """What the first layers make of two texts. One row at a time: beside others a quantized model gives other
        numbers, and a judgement must not depend on what is read with it. It takes no longer."""
        feed = self._tokens(row)
        given = _run(self._session("front.onnx"), outputs, feed)
        return {"attention_mask": feed["attention_mask"], **dict(zip(outputs, given, strict=True))}

    def _back(self, front: dict[str, Numbers], outputs: Sequence[str]) -> list[Numbers]:
        """What all layers make of it."""
        feed = {name: front[name] for name in ("hidden", "attention_mask")}
        return [values[0] for values in _run(self._session("back.onnx"), outputs, feed)]

    def _tokens(self, row: tuple[str, ...]) -> dict[str, Any]:
        ids, type_ids = read_vocabulary(self._folder / _VOCABULARY).encode(*row, tokens_max=_TOKENS_MAX)
        columns = {"input_ids": ids, "attention_mask": [1] * len(ids), "token_type_ids": type_ids}
        return {name: np.array([column], dtype=np.int64) for name, column in columns.items()}

    def _session(self, name: str) -> Any:
        """One of the files, loaded when it is first needed."""
        with self._loading:
            if name not in self._sessions:
                self._sessions[name] = _load(self._folder / name)
            return self._sessions[name]


def count_tokens(text: str) -> int:
    """How many tokens a text is, by the judge's vocabulary."""
    return read_vocabulary(WEIGHTS / _VOCABULARY).count(text)


def _load(path: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    # Without threads of its own a session survives a fork, and a server's requests share the cores.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except troubles() as error:
        raise Unavailable(f"the judge does not load: {one_line(error)}; install ebbing again") from error


def _run(session: Any, outputs: Sequence[str], feed: dict[str, Any]) -> list[Numbers]:
    try:
        return list(session.run(list(outputs), feed))
    except troubles() as error:
        raise Unavailable(f"the judge does not answer: {one_line(error)}") from error


def _softmax(logits: Numbers) -> NDArray[np.float64]:
    shifted = np.exp(logits.astype(np.float64) - logits.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True))


def _sigmoid(logits: Numbers) -> NDArray[np.float64]:
    return np.asarray(1.0 / (1.0 + np.exp(-logits.astype(np.float64))))
