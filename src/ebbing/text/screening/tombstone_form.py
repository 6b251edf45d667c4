"""The form in which a tombstone knows a purged text, so that the same words dressed otherwise stay out too.

A tombstone holds a salted digest and never the text. The digest is of the text without what can vary while the words
stay the same: quotation marks and brackets around it, case, accents, punctuation, spacing, list and emphasis marks,
invisible characters, full-width and look-alike letters. Signs that carry meaning stay: `C++` is not `C`, `3.5` not
`35`, `10²` not `102`. Tombstones of earlier versions hold the digest of `terms.normalised`; both are looked for.

A text that is to be learned is also looked for sentence by sentence: what was purged may stand among others.

What is put around the words (a number in a list, markup, "Note:", "He said that …") is part of what a tombstone knows,
as it may be meant; a text that is to be learned is looked for without it as well, and said once where it is repeated.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from typing import Any, Protocol

from ...domain.memory import Scope, Source
from ..lazy_regex import lazily
from ..terms import digest, salted
from .deobfuscate import latin, visible
from .request import strings

_PICTURE = ("So", "Sk", "Mn", "Cf")  # emoji, their skin, and what joins or varies them
_RAISED = ("<super>", "<sub>", "<fraction>")  # compatibility forms that are other numbers
# Punctuation between two words separates them; between digits it belongs to a number.
_BETWEEN_WORDS = lazily(r"[,;:!?]+(?!\d)|(?<!\d)[,;:!?]+|\.{2,}|[()\[\]{}\"`|]+")
_MARKUP = lazily(r"</?[A-Za-z][^<>]{0,80}>")
_COMMENT = lazily(r"<!--[^>]{0,400}-->")
_LINK = lazily(r"!?\[([^\[\]]{1,4000})\]\([^()\s]{0,400}\)")
_RULED = lazily(r"\A\s*[=~_*|]{2,}|[=~_*|]{2,}\s*\Z")  # `=== … ===`
_NUMBER = lazily(r"\s*(?:\d{1,3}[.):]|\(?\w{1,3}\)|\[\w{1,3}\])\s+")
_LABEL = lazily(r"\s*[^\W\d][\w' ]{0,30}:\s+")
_REPORTED = lazily(r"\s*(?:[\w']{1,20}\s){1,4}that\s")
_SIGNATURE = lazily(r"\s[—–-]{1,2}\s?[\w .]{1,30}\Z")
_JOINED = lazily(r"(?<=\w)[-_](?=\w)")
_SENTENCE_END = lazily(r"[.!?…]+[\"'”’»)\]*_]*\s+|[。！？]+|;\s+|\n+")
_IN_A_ROW = 3  # sentences: a purged text of that many is found in the middle of a longer one
_TELLING_MIN = 3  # words: a shorter sentence ("Thank you.") stands in texts of all kinds
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


class Described(Protocol):
    """What a memory, or a request for one, holds beside its text."""

    @property
    def scope(self) -> Scope: ...
    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def metadata(self) -> Mapping[str, Any]: ...
    @property
    def subject(self) -> str | None: ...
    @property
    def attribute(self) -> str | None: ...
    @property
    def source(self) -> Source: ...


def texts_beside(entry: Described) -> Iterator[tuple[str, str]]:
    """Every text that is kept beside the text itself, with the name of its field.

    A scope of one plain word is left out, and a source, an actor or a session without a blank in it: to purge the text
    "work" must not close the scope /work, nor "agent-1" stop that agent from writing.
    """
    yield from (("scope", part) for part in entry.scope.split("/") if part and not part.isalnum())
    source = entry.source
    for field, name in (("source", source.kind), ("actor", source.actor), ("session", source.session)):
        if name is not None and " " in name:
            yield field, name
    values = {"tags": entry.tags, "metadata": entry.metadata, "subject": entry.subject, "attribute": entry.attribute}
    for field, value in {**values, "evidence": source.evidence}.items():
        yield from ((field, one) for one in strings(value) if one.strip())


def purged_reason(text: str | None, entry: Described, stones: Mapping[str, str]) -> str | None:
    """Why this must not be kept: which of its fields says what was purged. `stones`: by text, its tombstone."""
    others = ((f"its {field}", one) for field, one in texts_beside(entry))
    for field, one in (*(() if text is None else (("it", text),)), *others):
        if one in stones:
            was = "was purged" if field == "it" else "holds a text that was purged"
            return f"{field} {was}; lift tombstone {stones[one]} to allow it"
    return None


def tombstone_hash(text: str, salt: bytes) -> str:
    """What the tombstone of a text that is purged now is known by."""
    return salted(_named(text, purged_form(text)), salt)


def tombstone_hashes(text: str, salts: Sequence[bytes]) -> list[str]:
    """Everything a tombstone of this text may be known by, of this version or an earlier one."""
    forms = {one: purged_form(one) for one in (text, *_without_wrapping(text))}
    names = [_named(one, form) for one, form in forms.items()]
    names += [_named(form, form) for form in _sentence_forms(text)]
    names += [_named(once, once) for form in forms.values() if (once := _said_once(form)) != form]
    return [salted(name, salt) for salt in salts for name in dict.fromkeys((*names, digest(text)))]


def _sentence_forms(text: str) -> Iterator[str]:
    """The forms of the sentences of a text that has several, and of a few in a row."""
    forms = [form for one in _SENTENCE_END.split(text) if (form := purged_form(one))]
    for size in range(1, _IN_A_ROW + 1):
        for start in range(len(forms) - size + 1):
            together = " ".join(forms[start : start + size])
            if size < len(forms) and together.count(" ") + 1 >= _TELLING_MIN:
                yield together


def _named(text: str, form: str) -> str:
    return hashlib.blake2b(form.encode(), digest_size=16, person=b"purged").hexdigest() if form else digest(text)


def _said_once(form: str) -> str:
    """The words of a form that says the same several times, one behind the other, once; else the form itself."""
    whole = f"{form} "
    period = f"{whole}{whole}".find(whole, 1)  # where it first meets itself: its length when nothing repeats
    return whole[:period].strip()


def _without_wrapping(text: str) -> list[str]:
    """The text without what may be put around the same words, in the forms in which that leaves any."""
    plain = _without_pictures(_without_markup(text))
    numberless = _without(_NUMBER, plain)
    forms = [numberless]
    forms += [_without(pattern, numberless) for pattern in (_LABEL, _REPORTED)]
    if signed := _SIGNATURE.search(numberless[-40:]):
        forms.append(numberless[: len(numberless[:-40]) + signed.start()])
    if " " not in numberless.strip():
        forms.append(_JOINED.sub(" ", numberless))
    return [form for form in dict.fromkeys(forms) if form != text and form.strip()]


def _without_markup(text: str) -> str:
    """Without the tags and comments of HTML, its entities as what they stand for, links and headings as their words."""
    plain = unescape(text) if "&" in text else text
    if "<" in plain:
        plain = _MARKUP.sub(" ", _COMMENT.sub(" ", plain))
    if "](" in plain:
        plain = _LINK.sub(r"\1", plain)
    return _RULED.sub(" ", plain)


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
