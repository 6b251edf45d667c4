"""The embedder that ships: WordLlama's token vectors, averaged.

Its vectors and its vocabulary lie beside this module, number for number those of the package `wordllama`, which brings
a downloader and a tokenizer along that nobody needs here. Nothing is fetched, and loading waits for the first text.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..domain.errors import Unavailable
from ..ports import Vector
from .byte_pairs import BytePairs

DIMENSIONS = 256
WEIGHTS = Path(__file__).with_name("embedder_weights")
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
    return tokenizer().cut(text)


@functools.lru_cache(maxsize=50_000)
def _kept(word: str) -> tuple[int, ...]:
    # No token holds a letter and a sign behind it, so `Tuesday,` is known once `Tuesday` is.
    if word[-1:] in _signs() and word[-2:-1].isalpha():
        return (*_kept(word[:-1]), _signs()[word[-1]])
    return tuple(_cut(word))


@functools.cache
def _signs() -> dict[str, int]:
    """The signs that end words and sentences, as they stand behind a letter."""
    return {sign: tokenizer().numbers[sign] for sign in ".,!?;:"}


@functools.cache
def tokenizer() -> BytePairs:
    """What cuts a whole text."""
    try:
        return BytePairs(json.loads((WEIGHTS / "vocabulary.json").read_text(encoding="utf-8")))
    except OSError as error:
        raise _missing(error) from error


@functools.cache
def _weights() -> Vector:
    try:
        return np.asarray(np.load(WEIGHTS / "vectors.npy"), dtype=np.float32)
    except OSError as error:
        raise _missing(error) from error


def _missing(error: OSError) -> Unavailable:
    return Unavailable(
        f"the packaged embedder cannot be read: {error}; install ebbing again, or open with embedder=None"
    )
