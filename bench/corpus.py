"""Made-up memories with the word statistics of real ones, always the same for the same seed.

Words follow Zipf's law over tens of thousands of stems, the commonest being English
filling words; a memory is a sentence or two about one of many topics. Its vector is the sum of one
random vector per word, rare words weighing more, so texts that share words are near, as under a
real embedder, and no model has to run. Half of everything belongs to one owner.
"""

from __future__ import annotations

import copy
import re
import zlib
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ebbing.ports import Vector

# What fills nearly half of any English text and tells nothing; ours, so that a corpus never changes with the product.
_FILLING = (
    "the to and a of i in it is that you was for on have with he she we my be not are so this they at but as his her "
    "had what from all there or about do an by will when just if were me who your them some would out then more their"
).split()

BIG = "big"
SMALL_OWNERS = 100
DIMENSIONS = 256
WORDS = 40_000
TOPICS = 500
_TOPIC_WORDS = 120  # words a topic draws its own from
_TOPIC_SHARE = 0.3  # of a memory's words
_STOP_SHARE = 0.45  # of running English
_PIECE = 4_096  # memories made together: bounds what the sums take
_NOISE = 0.5  # two texts with the same words are near in a real model, not equal


class Language:
    """A vocabulary, how often each word is said, and what it means."""

    def __init__(self, random: np.random.Generator) -> None:
        self.random = random
        self.words = _vocabulary(random)
        self.number = {word: place for place, word in enumerate(self.words)}
        stops, ranks = len(_FILLING), np.arange(1, WORDS - len(_FILLING) + 1)
        # Zipf's law in Mandelbrot's form, flatter at the top: the commonest stands in one memory of five.
        chances = np.concatenate([np.full(stops, _STOP_SHARE / stops), np.zeros(len(ranks))])
        chances[stops:] = 1.0 / (ranks + 4.0)
        chances[stops:] *= (1 - _STOP_SHARE) / chances[stops:].sum()
        self._heard = np.cumsum(chances)
        # What a topic is about is neither everywhere nor unheard of.
        self._topics = stops + np.exp(random.uniform(np.log(100), np.log(20_000), (TOPICS, _TOPIC_WORDS))).astype(int)
        weights = np.concatenate([np.full(stops, 0.1), np.log1p(ranks)])
        self._meanings = random.standard_normal((WORDS, DIMENSIONS), dtype=np.float32)
        self._meanings *= weights.astype(np.float32)[:, None] / np.float32(np.sqrt(DIMENSIONS))

    def spoken(self, seed: Sequence[int]) -> Language:
        """The same words and meanings by another speaker: what it says depends on this seed alone."""
        other = copy.copy(self)
        other.random = np.random.default_rng(seed)
        return other

    def said(self, count: int) -> NDArray[np.int64]:
        """So many words as they come in speech, by their numbers."""
        return np.minimum(np.searchsorted(self._heard, self.random.random(count)), WORDS - 1)

    def sentences(self, count: int) -> list[NDArray[np.int64]]:
        """So many memories, each as the numbers of its words."""
        # Five to sixty words, half of them under fifteen: what people and agents write down.
        lengths = np.clip(self.random.lognormal(2.7, 0.45, count), 5, 60).astype(int)
        total = int(lengths.sum())
        numbers = self.said(total)
        topics = np.repeat(self.random.integers(0, TOPICS, count), lengths)
        on_topic = self.random.random(total) < _TOPIC_SHARE
        # Within a topic, too, a few words do most of the work.
        chosen = (self.random.random(total) ** 2 * _TOPIC_WORDS).astype(int)
        numbers = np.where(on_topic, self._topics[topics, chosen], numbers)
        return np.split(numbers, np.cumsum(lengths)[:-1])

    def text(self, numbers: Sequence[int] | NDArray[np.int64]) -> str:
        """Words as a sentence."""
        return " ".join(self.words[number] for number in numbers).capitalize() + "."

    def vectors(self, sentences: Sequence[Sequence[int] | NDArray[np.int64]]) -> Vector:
        """What sentences mean, each of length one."""
        numbers = np.concatenate([np.asarray(sentence) for sentence in sentences])
        starts = np.cumsum([0, *(len(sentence) for sentence in sentences[:-1])])
        sums = np.add.reduceat(self._meanings[numbers], starts, axis=0)
        noise = self.random.standard_normal(sums.shape, dtype=np.float32)
        noise *= _NOISE * np.linalg.norm(sums, axis=1, keepdims=True) / np.sqrt(DIMENSIONS)
        sums += noise
        return np.asarray(sums / np.linalg.norm(sums, axis=1, keepdims=True), dtype=np.float32)


class Corpus:
    """Texts by owner, more when they are asked for, questions about them, and the vector of each."""

    fingerprint = f"bench-{DIMENSIONS}"
    unrelated = 0.0

    def __init__(self, size: int, seed: int = 7, *, owner: str | None = None, language: Language | None = None) -> None:
        """Of many owners, or all of one's own."""
        self.size = size
        self.language = language or Language(np.random.default_rng(seed))
        self._place: dict[str, int] = {}
        self._kept = np.empty((0, DIMENSIONS), dtype=np.float16)
        each = (size - size // 2) // SMALL_OWNERS
        many = {BIG: size - each * SMALL_OWNERS, **{f"owner-{n:03}": each for n in range(SMALL_OWNERS)}}
        shares = many if owner is None else {owner: size}
        self._reserve(size + size // 20 + _PIECE)
        self.texts = {owner: self.more(count) for owner, count in shares.items()}

    def more(self, count: int) -> list[str]:
        """Texts nobody has seen yet."""
        texts: list[str] = []
        while len(texts) < count:
            made = self.language.sentences(min(_PIECE, count - len(texts)))
            fresh = {self.language.text(sentence): sentence for sentence in made}
            fresh = {text: sentence for text, sentence in fresh.items() if text not in self._place}
            self._keep(list(fresh), self.language.vectors(list(fresh.values())))
            texts += fresh
        return texts

    def questions(self, owner: str, count: int) -> list[str]:
        """Questions about what was said: a few telling words of a memory, and one beside the point."""
        random, language, asked = self.language.random, self.language, list[str]()
        while len(asked) < count:
            text = self.texts[owner][int(random.integers(len(self.texts[owner])))]
            words = [word for word in text.rstrip(".").lower().split() if word not in _FILLING]
            taken = random.permutation(len(words))[: int(random.integers(3, 7))]
            numbers = [language.number[word] for word in ("what", "about", *(words[i] for i in sorted(taken)))]
            question = language.text([*numbers, *language.said(1)]).replace(".", "?")
            if len(taken) and question not in self._place:
                self._keep([question], language.vectors([numbers]))
                asked.append(question)
        return asked

    def batches(self, size: int) -> Iterator[tuple[str, list[str]]]:
        """Everything to load: an owner and some of its texts at a time."""
        for owner, texts in self.texts.items():
            for start in range(0, len(texts), size):
                yield owner, texts[start : start + size]

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:  # noqa: ARG002 - one way for both
        """The vectors made with the texts: as an embedder, one that costs nothing."""
        if len(texts) == 1:  # asked for one by one where single calls are measured
            return np.asarray(self._kept[self._place[texts[0]]].astype(np.float32)[None])
        return self._kept[[self._place[text] for text in texts]].astype(np.float32)

    def hear(self, texts: Sequence[str]) -> None:
        """Make the vectors of texts in real words; a word that is not in the vocabulary gets the meaning of another."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._place]
        numbers = [[self._number(word) for word in re.findall(r"\w+", text.lower())] or [0] for text in fresh]
        if fresh:
            self._keep(fresh, self.language.vectors(numbers))

    def _number(self, word: str) -> int:
        return self.language.number.get(word, zlib.crc32(word.encode()) % WORDS)

    def _keep(self, texts: Sequence[str], vectors: Vector) -> None:
        first = len(self._place)
        self._place |= {text: place for place, text in enumerate(texts, first)}
        self._reserve(len(self._place))
        self._kept[first : len(self._place)] = vectors[: len(self._place) - first]

    def _reserve(self, count: int) -> None:
        if count > len(self._kept):
            wider = np.empty((count + count // 10, DIMENSIONS), dtype=np.float16)
            wider[: len(self._kept)] = self._kept
            self._kept = wider


def _vocabulary(random: np.random.Generator) -> list[str]:
    """The filling words, then made-up words of two to four syllables, the shorter ones commoner."""
    onsets = "b br c ch cl d dr f fl g gl gr h j k kr l m n p pl pr qu r s sh sk sl sp st t th tr v w z".split()
    vowels = "a e i o u ai ea ee io oo ou".split()
    codas = ["", "", "", "l", "m", "n", "nd", "r", "rk", "s", "st", "t", "x"]
    found = dict.fromkeys(_FILLING)
    while len(found) < WORDS:
        syllables = 2 + (len(found) > 3_000) + (len(found) > 25_000)
        parts = (part[int(random.integers(len(part)))] for _ in range(syllables) for part in (onsets, vowels, codas))
        found["".join(parts)] = None
    return list(found)
