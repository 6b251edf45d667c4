"""An ONNX model and its tokenizer, loaded when they are first needed: a text in, numbers out.

One text at a time, always: padded beside longer ones, a quantized model gives the same text other numbers, and
equal texts must have equal vectors. What a larger machine could do at once, threads do beside each other.
"""

from __future__ import annotations

import importlib.util
import json
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..domain import validation
from ..domain.errors import Invalid, Unavailable
from .onnx_folder import Folder
from .wordpiece import Tokens, WordPiece

Given = TypeVar("Given")
Made = TypeVar("Made")

THREADS_MAX = 4  # the caller's machine has other things to do
_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})


class OnnxModel:
    """Loads once for all threads. `what` it is, errors say."""

    def __init__(self, what: str, folder: Folder, threads: int | None = None) -> None:
        if importlib.util.find_spec("onnxruntime") is None:
            raise Unavailable(f"{what} needs onnxruntime; run: pip install onnxruntime")
        self.what = f"{what} in {str(folder.path)!r}"
        self.folder = folder
        default = min(THREADS_MAX, os.cpu_count() or 1)
        self._threads = default if threads is None else validation.count(threads, "threads", 256)
        self._loading = threading.Lock()
        self._loaded: tuple[Any, Callable[[str, str | None], Tokens]] | None = None
        if importlib.util.find_spec("tokenizers") is None:
            self._tokenizer()  # says now whether it is needed

    def outputs(self) -> dict[str, int]:
        """The names of what it gives, and how many dimensions each has."""
        session, _ = self._load()
        return {output.name: len(output.shape) for output in session.get_outputs()}

    def run(self, output: str, text: str, second: str | None = None) -> NDArray[np.float32]:
        """One output for a text, or for two that are read together."""
        session, encode = self._load()
        tokens = encode(text, second)
        # Nothing to read at all is read as one token of nothing.
        ids, type_ids = tokens.ids or [0], tokens.type_ids or [0]
        columns = {"input_ids": ids, "attention_mask": [1] * len(ids), "token_type_ids": type_ids}
        feed = {
            wanted.name: np.array([columns[wanted.name]], dtype=np.int32 if "int32" in wanted.type else np.int64)
            for wanted in session.get_inputs()
        }
        try:
            [given] = session.run([output], feed)
        except troubles() as error:
            raise Unavailable(f"{self.what} does not answer: {one_line(error)}") from error
        return np.asarray(given[0], dtype=np.float32)

    def each(self, work: Callable[[Given], Made], items: Sequence[Given]) -> list[Made]:
        """Several at once, each on its own; the answers in the order of the questions."""
        threads = min(self._threads, len(items))
        if threads <= 1:
            return [work(item) for item in items]
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(work, items))

    def _load(self) -> tuple[Any, Callable[[str, str | None], Tokens]]:
        with self._loading:
            if self._loaded is None:
                self._loaded = self._session(), self._tokenizer()
            return self._loaded

    def _session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        # One text is too small to share out, and without threads of its own a session survives a fork.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        try:
            path = str(self.folder.path / self.folder.model)
            session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        except troubles() as error:
            raise Unavailable(f"{self.what} does not load: {one_line(error)}; fetch its files again") from error
        wanted = {given.name for given in session.get_inputs()}
        if not {"input_ids"} <= wanted <= _INPUTS:
            raise Invalid(f"{self.what} asks for {', '.join(sorted(wanted))}; it must ask for the tokens of a text")
        return session

    def _tokenizer(self) -> Callable[[str, str | None], Tokens]:
        tokens_max = self.folder.tokens_max
        try:
            text = self.folder.tokenizer.read_text(encoding="utf-8")
            described = json.loads(text)
            described["model"]["vocab"]
        except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
            raise Unavailable(f"{self.what} has no tokenizer in its tokenizer.json; fetch its files again") from error
        if ours := WordPiece.from_tokenizer(described):
            return lambda text, second: ours.encode(text, second, tokens_max=tokens_max)
        if importlib.util.find_spec("tokenizers") is None:
            raise Unavailable(
                f"{self.what} has a tokenizer that is not BERT's for lower case, so it needs the extra 'onnx'; "
                "run: pip install 'ebbing[onnx]'"
            )
        return _other_tokenizer(text, tokens_max)


def _other_tokenizer(described: str, tokens_max: int) -> Callable[[str, str | None], Tokens]:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(described)
    tokenizer.no_padding()
    tokenizer.enable_truncation(tokens_max)
    tokenizer.encode_special_tokens = True  # in a text they are text

    def encode(text: str, second: str | None) -> Tokens:
        encoded = tokenizer.encode(text, second)
        return Tokens(encoded.ids, encoded.type_ids)

    return encode


def troubles() -> tuple[type[Exception], ...]:
    """Everything onnxruntime raises; its own errors have no root in common."""
    from onnxruntime.capi import onnxruntime_pybind11_state

    raised = vars(onnxruntime_pybind11_state).values()
    own = [kind for kind in raised if isinstance(kind, type) and issubclass(kind, Exception)]
    return (*own, OSError, RuntimeError, ValueError)


def one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
