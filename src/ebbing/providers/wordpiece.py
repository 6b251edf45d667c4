"""The tokenizer of BERT's uncased models: a text, or two that are read together, as the numbers of its pieces.

It gives what the library `tokenizers` gives for the same vocabulary, with one difference: `[SEP]` and its like in a
text are words of that text, never marks of the model. Letters and signs that Unicode took in after its version 8 may be
split otherwise; no vocabulary of these models has any. Time is linear in the length of a text.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import category, normalize

from ..domain.errors import Unavailable

_WORD_CHARACTERS_MAX = 100  # longer words are unknown, as in BERT
_REPEATED_CHARACTERS_MAX = 32  # longer words seldom come again, so their pieces are not kept
_WORDS_KEPT = 50_000
_MARKS = ("[UNK]", "[CLS]", "[SEP]")
_CONTINUED = "##"  # before a piece that does not begin a word

_SINGLE = [("[CLS]", 0), ("A", 0), ("[SEP]", 0)]
_PAIR = [*_SINGLE, ("B", 1), ("[SEP]", 1)]
_CONTROLS = frozenset({"Cc", "Cf", "Co", "Cs"})
_ASCII_SIGNS = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")

# str.split() takes these for white space, BERT for nothing.
_NO_SPACES = re.compile("[\x0b\x0c\x1c-\x1f\x85]+")
_ASCII_CONTROLS = re.compile("[\x00-\x1f\x7f]+")
_ASCII_PARTS = re.compile(r"[!-/:-@\[-`{-~]|[^!-/:-@\[-`{-~]+")
_IDEOGRAPHS = re.compile(
    "([\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f"
    "\U0002b920-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f])"
)


class Tokens(NamedTuple):
    """What a model reads: the numbers of the pieces, and for each whether it is of the first text or of the second."""

    ids: list[int]
    type_ids: list[int]


class WordPiece:
    """A vocabulary, and how texts are cut into its pieces. Threads may share it."""

    def __init__(self, vocabulary: Mapping[str, int], *, word_characters_max: int = _WORD_CHARACTERS_MAX) -> None:
        """Raises ValueError for a vocabulary without the marks of BERT."""
        missing = [mark for mark in _MARKS if mark not in vocabulary]
        if missing:
            raise ValueError(f"the vocabulary has no {missing[0]}")
        self._unknown, self._first, self._separator = (vocabulary[mark] for mark in _MARKS)
        self._numbers = vocabulary
        self._longest_piece = max(map(len, vocabulary))
        self._word_max = word_characters_max
        self._kept = functools.lru_cache(_WORDS_KEPT)(self._pieces)

    @classmethod
    def from_tokenizer(cls, tokenizer: Mapping[str, Any]) -> WordPiece | None:
        """The tokenizer that a `tokenizer.json` describes, where it is one of BERT's uncased models; otherwise None."""
        if not _is_uncased_bert(tokenizer):
            return None
        model = tokenizer["model"]
        return cls(model["vocab"], word_characters_max=model.get("max_input_chars_per_word", _WORD_CHARACTERS_MAX))

    def encode(self, text: str, pair: str | None = None, *, tokens_max: int) -> Tokens:
        """The tokens of a text, or of two, and BERT's marks around them; above `tokens_max` the longer text is cut."""
        first = self.pieces(text)
        if pair is None:
            ids = [self._first, *first[: max(0, tokens_max - 2)], self._separator]
            return Tokens(ids, [0] * len(ids))
        second = self.pieces(pair)
        lengths = _cut(len(first), len(second), max(0, tokens_max - 3))
        first, second = first[: lengths[0]], second[: lengths[1]]
        ids = [self._first, *first, self._separator, *second, self._separator]
        return Tokens(ids, [0] * (len(first) + 2) + [1] * (len(second) + 1))

    def pieces(self, text: str) -> list[int]:
        """The numbers of the pieces of a text, without marks."""
        return list(chain.from_iterable(map(self._pieces_of, _words(text))))

    def count(self, text: str) -> int:
        """How many tokens a text is: close to what the common language models count.

        What the vocabulary does not spell counts one for each character, because other vocabularies spell it.
        """
        return sum(map(self._count, _words(text)))

    def _count(self, word: str) -> int:
        pieces = self._pieces_of(word)
        if self._unknown not in pieces:
            return len(pieces)
        found = ((part, self._longest(part)) for part in _parts(word))
        return sum(len(part) if self._unknown in pieces else len(pieces) for part, pieces in found)

    def _pieces_of(self, word: str) -> Sequence[int]:
        return self._kept(word) if len(word) <= _REPEATED_CHARACTERS_MAX else self._pieces(word)

    def _pieces(self, word: str) -> tuple[int, ...]:
        """The pieces of what stands between two spaces."""
        return tuple(chain.from_iterable(map(self._longest, _parts(word))))

    def _longest(self, part: str) -> list[int]:
        """The longest piece that the word begins with, the longest that what is left begins with, and so on."""
        whole = self._numbers.get(part)
        if whole is not None:
            return [whole]
        length = len(part)
        if length > self._word_max:
            return [self._unknown]
        found: list[int] = []
        start, prefix = 0, ""
        while start < length:
            for end in range(min(length, start + self._longest_piece), start, -1):
                number = self._numbers.get(prefix + part[start:end])
                if number is not None:
                    found.append(number)
                    start = end
                    break
            else:
                return [self._unknown]
            prefix = _CONTINUED
        return found


@functools.lru_cache(maxsize=4)
def read_vocabulary(path: Path) -> WordPiece:
    """The vocabulary of a file with one piece a line, numbered from 0; Unavailable when it cannot be read."""
    try:
        pieces = path.read_text(encoding="utf-8").splitlines()
        return WordPiece({piece: number for number, piece in enumerate(pieces)})
    except (OSError, ValueError) as error:
        raise Unavailable(f"the vocabulary {str(path)!r} cannot be read: {error}; install ebbing again") from error


def _words(text: str) -> list[str]:
    return _NO_SPACES.sub("", text).split()


def _parts(word: str) -> list[str]:
    """A word in lower case, without accents and controls; signs and ideographs stand by themselves."""
    if word.isascii():
        return _ASCII_PARTS.findall(_ASCII_CONTROLS.sub("", word).lower())
    spaced = _IDEOGRAPHS.sub(r" \1 ", word.translate(_CLEANED))
    return normalize("NFD", spaced).translate(_APART).lower().split()


class _Characters:
    """A table for `str.translate` that is filled by no one: each character is decided when it comes."""

    def __init__(self, decide: Callable[[str], str | None]) -> None:
        self._decide = decide

    def __getitem__(self, code: int) -> str | None:
        return self._decide(chr(code))


def _cleaned(character: str) -> str | None:
    return None if character == "\ufffd" or category(character) in _CONTROLS else character


def _apart(character: str) -> str | None:
    kind = category(character)
    if kind == "Mn":
        return None
    if kind[0] == "P" or character in _ASCII_SIGNS:
        return f" {character} "
    return "σ" if character == "Σ" else character  # str.lower() gives it another form at the end of a word


_CLEANED, _APART = _Characters(_cleaned), _Characters(_apart)


def _cut(first: int, second: int, most: int) -> tuple[int, int]:
    """How much is left of two lengths that may not be more than `most` together: the longer one gives way."""
    if first + second <= most:
        return first, second
    shorter = min(first, second)
    longer = shorter if shorter > most else max(shorter, most - shorter)
    if shorter + longer > most:
        shorter, longer = most // 2, most - most // 2
    return (shorter, longer) if first <= second else (longer, shorter)


def _is_uncased_bert(tokenizer: Mapping[str, Any]) -> bool:
    """Whether a `tokenizer.json` cuts texts as this module does, and sets the same marks around them."""
    try:
        model, normalizer = tokenizer["model"], tokenizer["normalizer"]
        added = {one["content"] for one in tokenizer["added_tokens"]}
        numbers = model["vocab"]
        marks = {mark: numbers[mark] for mark in _MARKS}
        template = tokenizer["post_processor"]
        single, pair = ([_step(one) for one in template[key]] for key in ("single", "pair"))
        ids = {name: one["ids"] for name, one in template["special_tokens"].items()}
        accents = normalizer.get("strip_accents")
    except (AttributeError, LookupError, TypeError, ValueError):
        return False
    return (
        (model.get("type"), normalizer.get("type")) == ("WordPiece", "BertNormalizer")
        and (model.get("unk_token"), model.get("continuing_subword_prefix")) == ("[UNK]", _CONTINUED)
        and tokenizer.get("pre_tokenizer") == {"type": "BertPreTokenizer"}
        and normalizer.get("lowercase") is True
        and normalizer.get("clean_text") is True
        and normalizer.get("handle_chinese_chars") is True
        and accents in (None, True)
        and added <= {*_MARKS, "[PAD]", "[MASK]"}
        and (single, pair) == (_SINGLE, _PAIR)
        and all(type(number) is int for number in numbers.values())
        and ids == {mark: [marks[mark]] for mark in ("[CLS]", "[SEP]")}
    )


def _step(step: Mapping[str, Any]) -> tuple[str, int]:
    [(_, part)] = step.items()
    return part["id"], part["type_id"]
