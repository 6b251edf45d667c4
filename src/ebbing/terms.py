"""The words a text is found by, and the form in which two texts are the same.

Both stores index exactly these words and ask for exactly these words, so they find the same
things, and no punctuation, quote or operator of a question ever reaches a query language.
Words are folded (case, accents), stemmed as English, split where identifiers join them, and
cut into pairs of characters where a script writes no spaces.
"""

from __future__ import annotations

import functools
import hashlib
import re
import unicodedata

import Stemmer

# Scripts written without spaces between words: Han, kana, Thai, Lao, Khmer, Myanmar.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_PIECE = re.compile(rf"\d+(?:[.,:]\d+)+|[{_UNSPACED}]+|(?:(?![{_UNSPACED}_])\w)+")
_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\WA-Z\d]+|\d+")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_SPACE = re.compile(r"\s+")
_TOKEN_BYTES_MAX = 64  # longer than any word: blobs would only fill the index

STOP_WORDS = frozenset(
    """a about above after again against all am an and any are as at be because been before being below between both
    but by can could did do does doing don down during each few for from further had has have having he her here hers
    him his how i if in into is it its itself just me more most my myself no nor not now of off on once only or other
    our ours out over own s same she should so some such t than that the their theirs them then there these they this
    those through to too under until up us very was we were what when where which while who whom why will with would
    you your yours ll ve re d m o""".split()
)

_stem = Stemmer.Stemmer("english")


def terms(text: str) -> list[str]:
    """Every word of `text` in its indexed form, in order, repetitions kept."""
    found: list[str] = []
    for piece in _PIECE.findall(unicodedata.normalize("NFKC", text)):
        found.extend(_terms_of(piece))
    return found


def question_terms(text: str) -> list[str]:
    """The distinct words of a question that tell memories apart; stop words count only when there is nothing else."""
    distinct = list(dict.fromkeys(terms(text)))
    return [term for term in distinct if term not in _STEMMED_STOP_WORDS] or distinct


def normalised(text: str) -> str:
    """`text` without what people vary when they repeat themselves: case, spacing, a full stop."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _SPACE.sub(" ", folded).strip().rstrip(".!").rstrip()


def digest(text: str) -> str:
    """Equal for texts that are the same once normalised."""
    return hashlib.blake2b(normalised(text).encode(), digest_size=16).hexdigest()


def salted(digest_: str, salt: bytes) -> str:
    """A digest that says nothing to whoever lacks the salt: what a tombstone keeps."""
    return hashlib.blake2b(digest_.encode(), key=salt, digest_size=16).hexdigest()


@functools.lru_cache(maxsize=50_000)
def _terms_of(piece: str) -> tuple[str, ...]:
    if piece[0].isdigit() and not piece.isalnum():
        return _number_terms(piece)
    if re.match(f"[{_UNSPACED}]", piece):
        return tuple(piece[i : i + 2] for i in range(len(piece) - 1)) or (piece,)
    word = _folded(piece)
    humps = _HUMPS.findall(piece)
    parts = tuple(_folded(hump) for hump in humps) if len(humps) > 1 else ()
    return tuple(_stem.stemWord(part)[:_TOKEN_BYTES_MAX] for part in (word, *parts) if part)


def _number_terms(piece: str) -> tuple[str, ...]:
    """2,400 is 2400; 3.14, 10:30 and 1.2.3 stay whole and also give their parts."""
    if _THOUSANDS.fullmatch(piece):
        piece = piece.replace(",", "")
        if piece.isdigit():
            return (piece,)
    parts = re.split(r"[.,:]", piece)
    return ("_".join(parts), *parts)


def _folded(word: str) -> str:
    decomposed = unicodedata.normalize("NFD", word.casefold())
    return "".join(letter for letter in decomposed if unicodedata.category(letter) != "Mn")


_STEMMED_STOP_WORDS = frozenset(_stem.stemWord(word) for word in STOP_WORDS) | STOP_WORDS
