"""The words a text is found by, and the form in which two texts are the same.

Both stores index exactly these words and ask for exactly these words, so they find the same
things, and no punctuation, quote or operator of a question ever reaches a query language.
Words are folded (case, accents, digits), stemmed as English, split where identifiers join them,
and cut into pairs of characters where a script does not keep its words apart.
"""

from __future__ import annotations

import functools
import hashlib
import re
import unicodedata
from collections.abc import Iterator

import Stemmer

_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# Scripts written without spaces (Thai, Lao, Myanmar, Khmer, kana, Han), and Hangul, whose words end in particles.
_UNSPACED = rf"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\uac00-\ud7a3{_HAN}"
_PIECE = re.compile(rf"[vV]?\d+(?:[.,:]\d+)+|[{_UNSPACED}]+|[^\s.,:{_UNSPACED}]+")
_NUMBER = re.compile(r"[vV]?\d+[.,:]")
_STARTS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_SINGLE_HAN = re.compile(f"[{_HAN}]")  # often a word by itself
_CAPITALS = "".join(filter(str.isupper, map(chr, range(0x530))))  # Latin, Greek, Cyrillic
_HUMPS = re.compile(rf"[{_CAPITALS}]+(?![^{_CAPITALS}\d])|[{_CAPITALS}]?[^{_CAPITALS}\d]+|\d+")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_KEPT_CHARACTERS = 2_000
_TERM_CHARACTERS_MAX = 64  # longer than any word: blobs would only fill the index
_BLOB_CHARACTERS = 256  # and from here on their parts are no words either

# Marks that people leave out when they write quickly, by where they stand: Latin, Greek and Cyrillic accents, Hebrew
# points, Arabic and Syriac vowels, and variants of how a character is drawn. Everywhere else (Devanagari, Thai,
# Tamil, …) a mark is a letter like any other: without its vowel signs a word is another word.
_OPTIONAL_MARKS = (
    *((0x0300, 0x036F), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F)),
    *((0x0483, 0x0489), (0x0591, 0x05C7), (0x0610, 0x061A), (0x064B, 0x065F), (0x0670, 0x0670)),
    *((0x06D6, 0x06ED), (0x0711, 0x0711), (0x0730, 0x074A), (0x08CA, 0x08FF)),
    *((0xFE00, 0xFE0F), (0xE0100, 0xE01EF)),
)
_TATWEEL = 0x0640  # stretches an Arabic word and says nothing
_NON_JOINER = 0x200C  # stands between the parts of a Persian word, where others write a space

STOP_WORDS = frozenset(
    """a about above after again against all am an and any are aren as at be because been before being below between
    both but by can could couldn did didn do does doesn doing don down during each few for from further had hadn has
    hasn have haven having he her here hers him his how i if in into is isn it its itself just me more most my myself
    no nor not now of off on once only or other our ours out over own s same she should shouldn so some such t than
    that the their theirs them then there these they this those through to too under until up us very was wasn we were
    weren what when where which while who whom why will with would wouldn you your yours ll ve re d m o""".split()
)

_STOPS = ".?!…"
_PAUSES = f"{_STOPS},:;–—"
_OWNING = re.compile("['’]s?$")
_HEAD_CHARACTERS = 120
_HEAD_WORDS = 4
_WORDS_LEFT = 2

_stem = Stemmer.Stemmer("english")


def terms(text: str) -> list[str]:
    """Every word of `text` in its indexed form, in order, repetitions kept."""
    return list(_kept_words(text) if len(text) <= _KEPT_CHARACTERS else _words(text))


def _words(text: str) -> tuple[str, ...]:
    return tuple([term for piece in _pieces(text) for term in _terms_of(piece)])


_kept_words = functools.lru_cache(maxsize=512)(
    _words
)  # a text is asked for its words several times while it is written


def question_terms(text: str) -> list[str]:
    """The distinct words of a question that tell memories apart; stop words count only when there is nothing else."""
    telling, filling = _told_and_filling(text)
    return telling or filling


def telling_terms(text: str) -> list[str]:
    """The distinct words of a text that tell memories apart; none where there are only stop words."""
    return _told_and_filling(text)[0]


def _told_and_filling(text: str) -> tuple[list[str], list[str]]:
    telling: list[str] = []
    filling: list[str] = []
    for piece in _pieces(text):
        # Asked of the word as it was written: `does` is one, and its stem is also the name Doe.
        if piece.lower() in STOP_WORDS:
            filling += _terms_of(piece)
        else:
            word, *parts = _terms_of(piece)
            telling += [word, *(part for part in parts if part not in STOP_WORDS)]
    return list(dict.fromkeys(telling)), list(dict.fromkeys(filling))


def heads(text: str) -> list[str]:
    """What a text begins with, where that is a name or may be one: who speaks (`Ada: …`), or whom it is about.

    Capitals tell, so there are none in a script without them.
    """
    found: list[str] = []
    for word in text[:_HEAD_CHARACTERS].split()[:_HEAD_WORDS]:
        bare = _bare(word)
        if bare.lower() in STOP_WORDS and not found:
            continue
        if not bare[:1].isupper():
            break
        found += _name_terms(bare)
        if word[-1] in _PAUSES:
            break
    return list(dict.fromkeys(found))


def question_names(text: str) -> list[str]:
    """The names in a question, as the words they are found by: what is written large without beginning a sentence."""
    found = [term for word, is_name in _told_apart(text) if is_name for term in _name_terms(_bare(word))]
    return list(dict.fromkeys(found))


def without_names(text: str) -> str | None:
    """A question without the names in it; None where there are none, or too little is left to ask for."""
    told = list(_told_apart(text))
    left = " ".join(word for word, is_name in told if not is_name)
    telling = sum(piece.lower() not in STOP_WORDS for piece in _pieces(left))
    return left if any(is_name for _, is_name in told) and telling >= _WORDS_LEFT else None


def _told_apart(text: str) -> Iterator[tuple[str, bool]]:
    """Every word as it is written, and whether it is a name."""
    begins = True
    for word in text.split():
        bare = _bare(word)
        is_large = bare[:1].isupper() and bare.lower() not in STOP_WORDS
        yield word, is_large and (not begins or _OWNING.search(bare) is not None)
        begins = word[-1] in _STOPS


def _bare(word: str) -> str:
    """A word without what stands around it."""
    return word.strip("".join((_PAUSES, "\"'“”‘’„«»()[]{}<>*_#")))


def _name_terms(word: str) -> list[str]:
    return [term for piece in _pieces(_OWNING.sub("", word)) for term in _terms_of(piece)]


def normalised(text: str) -> str:
    """`text` without what people vary when they repeat themselves: case, spacing, a full stop.

    Nothing more: what is equal here is not stored again, and 10² is not 102, nor Maße Masse.
    """
    words = (word if _is_mixed(word) else word.lower() for word in unicodedata.normalize("NFC", text).split())
    return " ".join(words).rstrip(".!").rstrip()


def _is_mixed(word: str) -> bool:
    """Whether the capitals in a word may mean something: in a key, an identifier, a name such as McKay."""
    # Nearly every word is small behind its first letter, which one look tells.
    rest = word[1:]
    return not rest.islower() and any(map(str.isupper, rest)) and any(map(str.islower, word))


def digest(text: str) -> str:
    """Equal for texts that are the same once normalised."""
    return hashlib.blake2b(normalised(text).encode(), digest_size=16).hexdigest()


def salted(digest_: str, salt: bytes) -> str:
    """A digest that says nothing to whoever lacks the salt: what a tombstone keeps."""
    return hashlib.blake2b(digest_.encode(), key=salt, digest_size=16).hexdigest()


class _Characters(dict[int, int | None]):
    """What becomes of each character before words are cut, found out once for each: itself, a space, or nothing."""

    def __missing__(self, code: int) -> int | None:
        self[code] = became = _became(code)
        return became


def _became(code: int) -> int | None:
    letter = chr(code)
    category = unicodedata.category(letter)
    if letter.isdecimal():
        return ord("0") + unicodedata.decimal(letter)
    if letter.isalnum():
        return None if code == _TATWEEL else code
    if category in ("Mn", "Mc", "Me"):
        return None if _is_optional(code) else code
    if category == "Cf":
        return ord(" ") if code == _NON_JOINER else None
    return code if letter in ".,:" else ord(" ")


def _is_optional(code: int) -> bool:
    return any(first <= code <= last for first, last in _OPTIONAL_MARKS)


_characters = _Characters()


def _pieces(text: str) -> list[str]:
    return _PIECE.findall(unicodedata.normalize("NFKC", text).translate(_characters))


def _terms_of(piece: str) -> tuple[str, ...]:
    """The words of one piece, the whole of it first. Only what may be a word is kept in memory, never a blob."""
    return _kept_terms(piece) if len(piece) <= _TERM_CHARACTERS_MAX else _cut(piece)


def _cut(piece: str) -> tuple[str, ...]:
    if _NUMBER.match(piece):
        found = _number_terms(piece.lstrip("vV"))
    elif _STARTS_UNSPACED.match(piece):
        pairs = tuple(piece[i : i + 2] for i in range(len(piece) - 1))
        found = (*pairs, *_SINGLE_HAN.findall(piece)) if pairs else (piece,)
    else:
        plain = _without_accents(piece)
        humps = _HUMPS.findall(plain) if len(piece) < _BLOB_CHARACTERS else []
        found = tuple(_stem.stemWord(word.casefold()) for word in (plain, *(humps if len(humps) > 1 else ())))
    return tuple(term[:_TERM_CHARACTERS_MAX] for term in found)


_kept_terms = functools.lru_cache(maxsize=50_000)(_cut)


def _number_terms(piece: str) -> tuple[str, ...]:
    """2,400 is 2400; 3.14, 10:30 and 1.2.3 stay whole and also give their parts."""
    if _THOUSANDS.fullmatch(piece):
        piece = piece.replace(",", "")
        if piece.isdigit():
            return (piece,)
    parts = re.split(r"[.,:]", piece)
    return ("_".join(parts), *parts)


def _without_accents(word: str) -> str:
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word)
    return unicodedata.normalize("NFC", "".join(letter for letter in decomposed if not _is_optional(ord(letter))))
