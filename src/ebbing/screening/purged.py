"""The form in which a tombstone knows a purged text, so that the same words dressed otherwise stay out too.

A tombstone holds a salted digest and never the text. The digest is of the text without what can vary while the words
stay the same: quotation marks and brackets around it, case, accents, punctuation, spacing, list and emphasis marks,
invisible characters, full-width and look-alike letters. Signs that carry meaning stay: `C++` is not `C`, `3.5` not
`35`, `10²` not `102`. Tombstones of earlier versions hold the digest of `terms.normalised`; both are looked for.

What is put around the words (a number in a list, markup, "Note:", "He said that …") is part of what a tombstone knows,
as it may be meant; a text that is to be learned is looked for without it as well.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence

from ..patterns import lazily
from ..terms import digest, salted
from .disguises import latin, visible

_PICTURE = ("So", "Sk", "Mn", "Cf")  # emoji, their skin, and what joins or varies them
_RAISED = ("<super>", "<sub>", "<fraction>")  # compatibility forms that are other numbers
# Punctuation between two words separates them; between digits it belongs to a number.
_BETWEEN_WORDS = lazily(r"[,;:!?]+(?!\d)|(?<!\d)[,;:!?]+|\.{2,}|[()\[\]{}\"`|]+")
_MARKUP = lazily(r"</?[A-Za-z][^<>]{0,80}>")
_NUMBER = lazily(r"\s*(?:\d{1,3}[.):]|\(?\w{1,3}\)|\[\w{1,3}\])\s+")
_LABEL = lazily(r"\s*[^\W\d][\w' ]{0,30}:\s+")
_REPORTED = lazily(r"\s*(?:[\w']{1,20}\s){1,4}that\s")
_SIGNATURE = lazily(r"\s[—–-]{1,2}\s?[\w .]{1,30}\Z")
_JOINED = lazily(r"(?<=\w)[-_](?=\w)")
_EDGES = "'*_~.,;:!?"
_OPENING_MARKS = frozenset("-#>+*=")  # of a list, a heading, a quoted mail: words made of these before the first one


def purged_form(text: str) -> str:
    """The words of a text and the signs that carry meaning, in one notation; linear in the text."""
    if not text.isascii():
        text = "".join(map(_plain_letter, unicodedata.normalize("NFC", visible(text))))
    words: list[str] = []
    for piece in _BETWEEN_WORDS.sub(" ", text.casefold()).split():
        word = piece.strip(_EDGES)
        if piece.startswith(".") and word[:1].isdigit():
            word = f".{word}"
        if word.strip("-") and (words or not _OPENING_MARKS.issuperset(word)):
            words.append(word)
    form = " ".join(words)
    return form if form.isascii() else latin(form)


def _plain_letter(letter: str) -> str:
    """One character in its compatibility form; quotation marks, brackets and stops of any script become ASCII ones."""
    if letter.isascii():
        return letter
    if unicodedata.decomposition(letter).startswith(_RAISED):
        return letter
    plain = unicodedata.normalize("NFKC", letter)
    if len(plain) == 1 and not plain.isascii():
        kind = unicodedata.category(plain)
        if kind == "Pd":
            return "-"
        if kind in ("Po", "Pi", "Pf", "Ps", "Pe"):
            return "'" if plain in "‘’‛‚′" else " "
    return plain


def tombstone_hash(text: str, salt: bytes) -> str:
    """What the tombstone of a text that is purged now is known by."""
    form = purged_form(text)
    named = hashlib.blake2b(form.encode(), digest_size=16, person=b"purged").hexdigest() if form else digest(text)
    return salted(named, salt)


def tombstone_hashes(text: str, salts: Sequence[bytes]) -> list[str]:
    """Everything a tombstone of this text may be known by, of this version or an earlier one."""
    exact = digest(text)
    forms = [text, *_without_wrapping(text)]
    return [
        hash_
        for salt in salts
        for hash_ in (*dict.fromkeys(tombstone_hash(form, salt) for form in forms), salted(exact, salt))
    ]


def _without_wrapping(text: str) -> list[str]:
    """The text without what may be put around the same words, in the forms in which that leaves any."""
    plain = _MARKUP.sub(" ", text) if "<" in text else text
    plain = _without_pictures(plain)
    numberless = _without(_NUMBER, plain)
    forms = [numberless]
    forms += [_without(pattern, numberless) for pattern in (_LABEL, _REPORTED)]
    if signed := _SIGNATURE.search(numberless[-40:]):
        forms.append(numberless[: len(numberless[:-40]) + signed.start()])
    if " " not in numberless.strip():
        forms.append(_JOINED.sub(" ", numberless))
    return [form for form in dict.fromkeys(forms) if form != text and form.strip()]


def _without(opening: re.Pattern[str], text: str) -> str:
    found = opening.match(text)
    return text if found is None else text[found.end() :]


def _without_pictures(text: str) -> str:
    """Without emoji at its ends; within a sentence they may stand for a word."""
    if text.isascii():
        return text
    start, end = 0, len(text)
    while start < end and (text[start].isspace() or unicodedata.category(text[start]) in _PICTURE):
        start += 1
    while end > start and (text[end - 1].isspace() or unicodedata.category(text[end - 1]) in _PICTURE):
        end -= 1
    return text[start:end]
