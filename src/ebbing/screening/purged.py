"""The form in which a tombstone knows a purged text, so that the same words dressed otherwise stay out too.

A tombstone holds a salted digest and never the text. The digest is of the text without what can vary while the words
stay the same: quotation marks and brackets around it, case, accents, punctuation, spacing, list and emphasis marks,
invisible characters, full-width and look-alike letters. Signs that carry meaning stay: `C++` is not `C`, `3.5` not
`35`, `10²` not `102`. Tombstones of earlier versions hold the digest of `terms.normalised`; both are looked for.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence

from ..patterns import lazily
from ..terms import digest, salted
from .disguises import latin, visible

_RAISED = ("<super>", "<sub>", "<fraction>")  # compatibility forms that are other numbers
# Punctuation between two words separates them; between digits it belongs to a number.
_BETWEEN_WORDS = lazily(r"[,;:!?]+(?!\d)|(?<!\d)[,;:!?]+|\.{2,}|[()\[\]{}\"`|]+")
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
    return [hash_ for salt in salts for hash_ in (tombstone_hash(text, salt), salted(exact, salt))]
