"""The models an engine uses, held to what they promise: one that misbehaves is an error, not a strange result."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..domain.errors import Invalid, Malformed, Unavailable
from ..domain.judgement import Relation, TextReading
from ..domain.memory import storable
from ..text.terms import without_names
from . import Embedder, Judge, Llm, Reranker, Store, Vector, View, llm_reply
from .llm_reply import Answer

logger = logging.getLogger(__name__)

_LENGTH_TOLERANCE = 0.01  # more than half precision rounds away
_UNRELATED_SHARE = 0.95  # of such pairs, those that are farther from each other
_UNRELATED_MAX = 0.9  # a model for which everything is alike is not made to look as if it told apart

# Questions and statements, none of which has anything to do with another: how near those are is a model's zero.
_APART = (
    ("When does the night train leave?", "Boil the potatoes for twenty minutes and add salt."),
    ("Who plays the violin?", "The function returns a sorted list of integers."),
    ("What did the bank decide about interest rates?", "Whales are the largest animals in the sea."),
    ("How did he break his leg?", "The museum opens its new wing in March."),
    ("Which paint dries fastest?", "Our team won the final after a penalty shoot-out."),
    ("Where are the spare keys kept?", "Photosynthesis turns light into sugar."),
)


@dataclass(slots=True)
class Models:
    """An embedder, or none, a way to count tokens, and a language model, a reranker and a judge, or none."""

    embedder: Embedder | None
    count_tokens: Callable[[str], int]
    llm: Llm | None = None
    reranker: Reranker | None = None
    judge: Judge | None = None
    no_judge: str = "none was given"  # why there is no judge, where there is none
    _unrelated: float | None = None
    _widths: dict[str, int] = field(default_factory=dict)  # by owner: what was compared with the store already

    @property
    def fingerprint(self) -> str | None:
        return self.embedder.fingerprint if self.embedder else None

    @property
    def averages(self) -> bool:
        """Whether the embedder adds up words without reading the sentence."""
        return bool(getattr(self.embedder, "averages", False))

    @property
    def unrelated(self) -> float:
        """The cosine that a question and a text with nothing in common have: 0 for some models, 0.7 for others.

        As the embedder tells it, or else measured once; without it a model's numbers would mean nothing beside those of
        words, nor beside a threshold.
        """
        if self._unrelated is None:
            self._unrelated = self._told_or_measured()
        return self._unrelated or 0.0

    def _told_or_measured(self) -> float | None:
        declared = getattr(self.embedder, "unrelated", None)
        if declared is not None or self.embedder is None or self.averages:
            return float(declared or 0.0)
        try:
            asked = self._array(self.embedder.embed([question for question, _ in _APART], query=True))
            vectors = self._array(self.embedder.embed([text for _, text in _APART]))
        except (Unavailable, OSError):
            return None
        # Not the mean: memories of one owner have more in common than these, without answering each other.
        cosines = _of_length_one(asked, _lengths(asked)) @ _of_length_one(vectors, _lengths(vectors)).T
        return min(max(float(np.quantile(cosines, _UNRELATED_SHARE)), 0.0), _UNRELATED_MAX)

    def embed(self, texts: Sequence[str], store: Store, view: View, *, query: bool = False) -> Vector:
        """One vector per text, of the width this owner's vectors of that model have."""
        if self.embedder is None or not texts:
            return np.empty((0, 0), dtype=np.float32)
        try:
            vectors = self._array(self.embedder.embed(texts, query=query))
        except OSError as error:
            raise Unavailable(f"embedder {self.fingerprint} does not answer: {error}") from error
        if vectors.ndim != 2 or len(vectors) != len(texts) or not vectors.shape[1]:
            raise Invalid(
                f"embedder {self.fingerprint} gave an array of shape {vectors.shape} for {len(texts)} texts; "
                "it must give one row per text"
            )
        lengths = _lengths(vectors)
        if not all(map(math.isfinite, lengths)):
            raise Invalid(f"embedder {self.fingerprint} gave numbers that are not finite")
        self._compare(self.embedder.fingerprint, vectors.shape[1], store, view)
        return _of_length_one(vectors, lengths)

    def question(self, query: str, store: Store, view: View) -> Vector | None:
        """The vector of a question; None without an embedder that answers, or without a question."""
        if not isinstance(query, str):
            raise Invalid(f"the question is {type(query).__name__}, not text")
        if self.embedder is None or not query.strip():
            return None
        # Half a character (a lone surrogate) says nothing and breaks tokenizers; a question never breaks anything.
        whole = query.encode(errors="replace").decode()
        # A name says about whom, which words and what a text begins with tell better; it draws a vector to whatever
        # speaks of the same person. So the question counts once with its names and once without.
        nameless = without_names(whole)
        try:
            vectors = self.embed([whole, nameless] if nameless else [whole], store, view, query=True)
        except Unavailable as error:
            # Words still find something, and the answer says that they did so alone.
            logger.warning("%s", error)
            return None
        if not nameless:
            return np.asarray(vectors[0])
        middle = vectors.mean(axis=0)
        length = float(np.linalg.norm(middle))
        return np.asarray(middle / length if length > 0 else vectors[0])

    def embed_if_possible(self, texts: Sequence[str], store: Store, view: View) -> tuple[dict[str, Vector], list[str]]:
        """Vectors by text, or none and a note that says why: what was said is kept all the same."""
        try:
            return dict(zip(texts, self.embed(texts, store, view), strict=False)), []
        except Unavailable as error:
            return {}, [f"{error}; stored without a vector, which reembed will add"]

    def answer(self, prompt: str, *, system: str, schema: Mapping[str, Any] | None = None, tokens_max: int) -> Answer:
        """What the language model says, of the shape asked for; Unavailable when it says nothing of use."""
        if self.llm is None:
            raise Unavailable("there is no language model; open with llm=")
        try:
            answer: Any = self.llm.answer(prompt, system=system, schema=schema, tokens_max=tokens_max)
        except OSError as error:
            raise Unavailable(f"language model {self.llm.name} does not answer: {error}") from error
        if not isinstance(answer, Answer) or not isinstance(answer.text, str):
            raise Invalid(f"language model {self.llm.name} gave a {type(answer).__name__}; it must give an Answer")
        if not storable(answer.text):
            raise Malformed(f"language model {self.llm.name} answered with characters that cannot be kept")
        if schema is None:
            return answer
        try:
            return replace(answer, value=llm_reply.read(answer.text, schema))
        except Malformed as error:
            raise Malformed(f"language model {self.llm.name} did not answer in the shape asked for: {error}") from None

    def read(self, texts: Sequence[str]) -> tuple[dict[str, TextReading], list[str]]:
        """What the judge reads in each text, by text; nothing, and a note why, when it does not answer."""
        if self.judge is None or not texts:
            return {}, []
        try:
            return dict(zip(texts, self.judge.read(texts), strict=True)), []
        except (Unavailable, OSError) as error:
            logger.warning("judge %s does not answer: %s", self.judge.fingerprint, error)
            return {}, [f"the judge does not answer: {error}; kinds and importance are the policy's defaults"]

    def relate(self, pairs: Sequence[tuple[str, str]]) -> tuple[list[Relation], list[str]]:
        """How the newer text of each pair relates to the older; nothing, and a note why, when the judge is silent."""
        if self.judge is None or not pairs:
            return [], []
        try:
            related = list(self.judge.relate(pairs))
        except (Unavailable, OSError) as error:
            logger.warning("judge %s does not answer: %s", self.judge.fingerprint, error)
            return [], [f"the judge does not answer: {error}; nothing was compared by it"]
        if len(related) != len(pairs):
            raise Invalid(f"judge {self.judge.fingerprint} gave {len(related)} relations for {len(pairs)} pairs")
        return related, []

    def answers(self, question: str, texts: Sequence[str]) -> tuple[list[float], list[str]]:
        """The probability that each text answers the question; nothing, and a note why, when the judge is silent."""
        if self.judge is None or not texts or not question.strip():
            return [], []
        whole = question.encode(errors="replace").decode()
        try:
            read = [float(one) for one in self.judge.answers(whole, texts)]
        except (Unavailable, OSError) as error:
            logger.warning("judge %s does not answer: %s", self.judge.fingerprint, error)
            return [], [f"the judge does not answer: {error}; scores rest on words and vectors alone"]
        if len(read) != len(texts) or not all(0.0 <= one <= 1.0 for one in read):
            raise Invalid(
                f"judge {self.judge.fingerprint} gave {len(read)} answers for {len(texts)} texts, or some that are no "
                "probability; it must give one per text, from 0 to 1"
            )
        return read, []

    def reranked(self, query: str, texts: Sequence[str]) -> tuple[NDArray[np.float64] | None, list[str]]:
        """How well each text fits, the higher the better; without a reranker, or one that answers, None and why."""
        if self.reranker is None or not texts or not query.strip():
            return None, []
        whole = query.encode(errors="replace").decode()
        try:
            given = list(self.reranker.scores(whole, texts))
        except (Unavailable, OSError) as error:
            logger.warning("reranker %s does not answer: %s", self.reranker.name, error)
            return None, [f"reranker {self.reranker.name} does not answer: {error}; the order is as without it"]
        try:
            scores = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise Invalid(f"reranker {self.reranker.name} gave no numbers: {error}") from error
        if scores.shape != (len(texts),) or not np.isfinite(scores).all():
            raise Invalid(
                f"reranker {self.reranker.name} gave numbers of shape {scores.shape} for {len(texts)} texts, or some "
                "that are not finite; it must give one per text"
            )
        return scores, []

    def _array(self, given: object) -> Vector:
        """What an embedder gave, be it an array, lists or a generator of rows."""
        if isinstance(given, np.ndarray) and given.dtype == np.float32:
            return given
        rows = list(given) if not isinstance(given, np.ndarray) and isinstance(given, Iterable) else given
        try:
            with np.errstate(over="ignore"):  # too large for the type is infinite, and refused as such
                return np.asarray(rows, dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise Invalid(f"embedder {self.fingerprint} gave no rows of numbers: {error}") from error

    def _compare(self, fingerprint: str, width: int, store: Store, view: View) -> None:
        known = self._widths.get(view.owner)
        if known is None:
            with store.read(view) as tx:
                known = tx.index.dimension(fingerprint) or width
            self._widths[view.owner] = known
        if width != known:
            raise Invalid(
                f"embedder {fingerprint} gives {width} dimensions, and what is stored under that fingerprint has "
                f"{known}; a different model needs a different fingerprint (then run `ebbing reembed`)"
            )


def _lengths(vectors: Vector) -> list[float]:
    """The length of each vector, infinite or not a number where one of its numbers is."""
    if len(vectors) == 1:  # as for every question and every memory told by itself: there the rest took longer
        exact = vectors[0].astype(np.float64)
        return [math.sqrt(np.dot(exact, exact))]
    lengths: list[float] = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64)).tolist()
    return lengths


def _of_length_one(vectors: Vector, lengths: Sequence[float]) -> Vector:
    """Products of these are taken for cosines, so the length is made one here for a model that forgot to."""
    if not any(length > 0 and abs(length - 1) > _LENGTH_TOLERANCE for length in lengths):
        return np.array(vectors)  # an embedder may use its own array again
    divisors = [length if length > 0 else 1.0 for length in lengths]
    return np.asarray(vectors / np.array(divisors)[:, None], dtype=np.float32)
