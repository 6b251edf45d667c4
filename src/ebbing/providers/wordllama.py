"""The embedder that ships: WordLlama's token vectors, averaged.

The weights and the tokenizer come inside the installed `wordllama` package, and are read from
there directly: importing the package would configure the host's logging and pull in a
downloader. Nothing is fetched, nothing runs at import, and loading waits for the first text.
"""

from __future__ import annotations

import functools
import importlib.util
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..domain.errors import Unavailable
from ..ports import Vector

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DIMENSIONS = 256
_WORD_CHARACTERS = 32  # longer ones do not come again
_OWN_MARKS = re.compile("[▁<]")


class WordLlama:
    """256 dimensions, a tenth of a millisecond a text, no network and no accelerator."""

    fingerprint = f"wordllama-l2-supercat-{DIMENSIONS}"
    averages = True

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:  # noqa: ARG002 - one way for both
        """The mean of the token vectors, scaled to length one."""
        weights = _weights()
        rows = [
            weights[ids].mean(axis=0, dtype=np.float32) if (ids := tokens(text)) else np.zeros(DIMENSIONS)
            for text in texts
        ]
        vectors = np.asarray(rows, dtype=np.float32).reshape(len(texts), DIMENSIONS)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)


def tokens(text: str) -> list[int]:
    """A text as the numbers of its tokens.

    Word by word, because no token reaches over a space, and because the same words come again and again: remembered,
    they cost a tenth. Spaces in a row and marks of the tokenizer's own are left to it.
    """
    words = text.split(" ")
    if "" in words or _OWN_MARKS.search(text):
        return _cut(text)
    return [token for word in words for token in (_kept(word) if len(word) <= _WORD_CHARACTERS else _cut(word))]


def _cut(text: str) -> list[int]:
    return tokenizer().encode(text, add_special_tokens=False).ids


@functools.lru_cache(maxsize=50_000)
def _kept(word: str) -> tuple[int, ...]:
    # No token holds a letter and a sign behind it, so `Tuesday,` is known once `Tuesday` is.
    if word[-1:] in _signs() and word[-2:-1].isalpha():
        return (*_kept(word[:-1]), _signs()[word[-1]])
    return tuple(_cut(word))


@functools.cache
def _signs() -> dict[str, int]:
    """The signs that end words and sentences, as they stand behind a letter."""
    numbers = {sign: tokenizer().token_to_id(sign) for sign in ".,!?;:"}
    return {sign: number for sign, number in numbers.items() if number is not None}


@functools.cache
def tokenizer() -> Tokenizer:
    from tokenizers import Tokenizer

    loaded = Tokenizer.from_file(str(_folder() / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    loaded.no_padding()
    loaded.no_truncation()
    return loaded


@functools.cache
def _weights() -> Vector:
    from safetensors.numpy import load_file

    tensors = load_file(_folder() / "weights" / f"l2_supercat_{DIMENSIONS}.safetensors")
    return np.ascontiguousarray(next(iter(tensors.values())), dtype=np.float32)


@functools.cache
def _folder() -> Path:
    found = importlib.util.find_spec("wordllama")
    if found is None or not found.submodule_search_locations:
        raise Unavailable(
            "the packaged embedder is not installed; run: pip install wordllama, or open with embedder=None"
        )
    return Path(found.submodule_search_locations[0])
