"""The models that an engine may use: what embeds texts, orders them, answers in words, and judges them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..domain.judgement import Relation, TextReading
from .llm_reply import Answer

Vector = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors of length one. Rows of different fingerprints are never compared.

    One that adds up the vectors of words without reading the sentence says so with `averages = True`: its
    nearness tells less, and counts for less in recall. One that knows the cosine of texts with nothing in common says
    it with `unrelated = …`; otherwise it is measured once, with a dozen sentences.
    """

    fingerprint: str

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        """One row per text; `query` for models that treat a question otherwise than a statement."""
        ...


class Reranker(Protocol):
    """Reads a question and a text together, and says how well they fit: slower than vectors, and for the best alone.

    One that does not answer raises Unavailable: the order then stays as it was.
    """

    name: str

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """One number per text, the higher the better. Their scale is the model's own: compare within one answer."""
        ...


class Llm(Protocol):
    """Answers a prompt in words, or as JSON of a given shape.

    One that does not answer raises Unavailable, and one that answers in another shape Malformed: whoever
    asks can always go on without it.
    """

    name: str

    def answer(self, prompt: str, *, system: str, schema: Mapping[str, Any] | None = None, tokens_max: int) -> Answer:
        """`system` says what to do and `prompt` with what; a `schema` is of the kind that llm_reply.py reads."""
        ...


class Judge(Protocol):
    """A trained model that reads texts: what one is, how two relate, whether a memory answers a question.

    One that does not answer raises Unavailable: exact rules then decide alone, and the result says so.
    """

    fingerprint: str

    def relate(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Relation]:
        """How the newer (second) text of each pair relates to the older (first)."""
        ...

    def read(self, texts: Sequence[str]) -> Sequence[TextReading]:
        """What each text is: kind, lifetime, harm, injected or not."""
        ...

    def answers(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """The probability, for each text, that it answers the question."""
        ...
