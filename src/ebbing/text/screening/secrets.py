"""Secrets in a text, replaced by what kind they were: keys, tokens, passwords, card numbers.

Ways to know one: by its own shape (secret_patterns.tsv), by the name it is given (secret_assignments.py), by its place
in a URL, between the lines of a key block, on a command line or in the next sentence (secret_places.py), and by a
checksum. All are looked for at once, what overlaps is one secret, and everything around stays exactly as it was.

Pure, and linear in the text: patterns begin at a literal and none repeats a repetition.
"""

from __future__ import annotations

import base64
import binascii
import functools
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import NamedTuple

from ..lazy_regex import lazily
from .secret_assignments import NAME_CUES, named_secrets
from .secret_places import placed_secrets
from .spelled_out import spelled_out

_UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
_ROUNDS_MAX = 4  # a marker can end what stood beside it and so uncover one more; real text needs one round
_LONG_RUN = lazily(r"[A-Za-z0-9_\-./+=:~]{18}")  # no shape is shorter

_STAND_IN = lazily(
    r"(?i)your[-_]|x{8}|\.{3}|[-_](?:token|key|secret"
    r"|here)\Z"
)  # what documentation puts in its place

_KEY_BLOCK = lazily(r"-----BEGIN ([A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?)-----")
_KEY_LINE = lazily(r"[A-Za-z0-9+/=]{32}")  # what tells a key from talk about keys
_CUT_KEY = lazily(r"(?:(?:\s|\\[nr]|[\"',])*+[A-Za-z0-9+/=]{32,}+)++")
_URL_PASSWORD = lazily(r"://[^\s:/?#@\"'<>\[\]]{0,128}:([^\s/\"'<>\[\]]{1,256})@(?=[\w\[$])")
_URL_VARIABLE = lazily(r"\$|%\(|%s|\{|\*{2}|\.{3}|…|[xX*•.]+\Z")
_BASIC = lazily(r"(?i:basic)[\s:=]{1,3}[\"']?([A-Za-z0-9+/]{8,512}={0,2})")

_CARD = lazily(r"(?<![\w.,/+-])[2-6]\d{3}(?:[ -]?\d){8,15}(?![\w]|[-.,]\d)", re.ASCII)
_CARD_GROUPS = lazily(r"\d{4}([ -])\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?|\d{4}([ -])\d{6}\2\d{4,5}|\d+")
_CARD_LENGTHS = (
    (lazily(r"4"), {16, 19}),  # thirteen digits are older than anything remembered here, and are bar codes
    (lazily(r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720"), {16}),
    (lazily(r"3[47]"), {15}),
    (lazily(r"30[0-5]|3[689]"), {14, 16}),
    (lazily(r"35(?:2[89]|[3-8])"), {16}),
    (lazily(r"6011|64[4-9]|65|62"), {16, 17, 18, 19}),
    (lazily(r"220[0-4]"), {16}),
)
_CARD_WORD = lazily(
    r"(?i)card|karte|carte|tarjeta|cartão|carta|visa|amex|express|master|discover|карт|cvv|cvc"
    r"|expir"
)
_ID_WORD = lazily(
    r"(?i)(?:\bids?|order|invoice|ticket|track\w*|shipment|parcel|refe?r?e?n?c?e?|\bno|number|nr|serial|imei|isbn|ean"
    r"|barcode|case|booking|transaction|customer|account|#)[\s:=#\"'.]*\Z"
)
_AROUND = 48  # characters beside digits in which a word says what they are


@dataclass(frozen=True, slots=True)
class Redaction:
    """A text without its secrets, and what they were."""

    text: str
    kinds: tuple[str, ...]  # in the order of the text, one for each secret


class Shape(NamedTuple):
    """What one vendor's secret looks like: a row of `secret_patterns.tsv`, which explains the fields."""

    kind: str
    cues: tuple[str, ...]
    pattern: re.Pattern[str]


@functools.cache
def shapes() -> tuple[Shape, ...]:
    """The shapes of `secret_patterns.tsv`."""
    lines = resources.files(__package__).joinpath("secret_patterns.tsv").read_text("utf-8").splitlines()
    return tuple(_shape(*line.split("\t")) for line in lines if not line.startswith("#"))


def _shape(kind: str, cues: str, pattern: str) -> Shape:
    pattern = pattern.replace("{UUID}", _UUID)
    if "(?P<secret>" not in pattern:
        pattern = f"(?<![A-Za-z0-9_])(?:{pattern})(?![A-Za-z0-9_])"
    return Shape(kind, tuple(cues.split()), lazily(pattern, re.ASCII))


class _Span(NamedTuple):
    """Where a secret stands; of what overlaps, the lowest rank says what it is."""

    start: int
    end: int
    rank: int
    kind: str


def redacted(text: str) -> Redaction:
    """`text` with `[redacted: kind]` in the place of each secret."""
    kinds: list[str] = []
    for _ in range(_ROUNDS_MAX):
        found = [*_found(text)]
        if not text.isascii() and (plain := _in_plain_letters(text)) != text:
            found += _found(plain)
        if (other := spelled_out(text)) is not None:
            found += (_Span(*other.span(one.start, one.end), one.rank, one.kind) for one in _found(other.text))
        spans = _merged(sorted(found))
        if not spans:
            break
        kept, end = [], 0
        for span in spans:
            kept += [text[end : span.start], f"[redacted: {span.kind}]"]
            end = span.end
        kinds += [span.kind for span in spans]
        text = "".join((*kept, text[end:]))
    return Redaction(text, tuple(kinds))


def _found(text: str) -> Iterator[_Span]:
    lower = text.lower()
    if "-----begin" in lower:
        yield from _key_blocks(text)
    if _LONG_RUN.search(text):
        yield from _shaped(text)
    if "://" in text and "@" in text:
        yield from _in_urls(text)
    if "basic" in lower:
        yield from _basic(text)
    if any(cue in lower for cue in NAME_CUES):
        yield from (_Span(found.start, found.end, 2, found.kind) for found in named_secrets(text))
    yield from (_Span(found.start, found.end, 2, found.kind) for found in placed_secrets(text, lower))
    yield from _cards(text)


def _in_plain_letters(text: str) -> str:
    """The text with full-width and styled letters, digits and signs as plain ones; each stays in its place."""
    return "".join(letter if letter.isascii() else _plain_letter(letter) for letter in text)


def _plain_letter(letter: str) -> str:
    digit = unicodedata.decimal(letter, None)
    plain = unicodedata.normalize("NFKC", letter) if digit is None else str(digit)
    return plain if len(plain) == 1 else letter


def _merged(spans: list[_Span]) -> list[_Span]:
    """Overlapping spans as one, with the kind of the most certain."""
    merged: list[_Span] = []
    for span in spans:
        if merged and span.start < merged[-1].end:
            last = merged[-1]
            surer = min(last, span, key=lambda one: one.rank)
            merged[-1] = _Span(last.start, max(last.end, span.end), surer.rank, surer.kind)
        else:
            merged.append(span)
    return merged


def _key_blocks(text: str) -> Iterator[_Span]:
    """From BEGIN to END; or as far as the key goes, when its end was cut off."""
    for match in _KEY_BLOCK.finditer(text):
        closing = f"-----END {match[1]}-----"
        following = text.find("-----BEGIN", match.end())
        limit = len(text) if following < 0 else following
        end = text.find(closing, match.end(), limit)
        if end >= 0:
            body, end = text[match.end() : end], end + len(closing)
        else:
            cut = _CUT_KEY.match(text, match.end(), limit)
            body, end = (cut.group(), cut.end()) if cut else ("", match.end())
        if _KEY_LINE.search(body):
            yield _Span(match.start(), end, 0, "private key")


def _shaped(text: str) -> Iterator[_Span]:
    for shape in shapes():
        if any(cue in text for cue in shape.cues):
            group = "secret" if "secret" in shape.pattern.groupindex else 0
            for match in shape.pattern.finditer(text):
                if not _STAND_IN.search(match[group]):
                    yield _Span(match.start(group), match.end(group), 1, shape.kind)


def _in_urls(text: str) -> Iterator[_Span]:
    for match in _URL_PASSWORD.finditer(text):
        if not _URL_VARIABLE.match(match[1]):
            yield _Span(match.start(1), match.end(1), 1, "password")


def _basic(text: str) -> Iterator[_Span]:
    """What follows the word and is a name, a colon and a password in base64."""
    for match in _BASIC.finditer(text):
        try:
            plain = base64.b64decode(match[1] + "=" * (-len(match[1]) % 4), validate=True)
        except binascii.Error:
            continue
        if b":" in plain and plain.isascii():
            yield _Span(match.start(1), match.end(1), 1, "basic authorization")


def _cards(text: str) -> Iterator[_Span]:
    """Digits in the length and with the beginning of an issuer's cards, whose checksum is right."""
    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match.group())
        if not _CARD_GROUPS.fullmatch(match.group()) or not _luhn(digits):
            continue
        if not any(prefix.match(digits) and len(digits) in lengths for prefix, lengths in _CARD_LENGTHS):
            continue
        around = text[max(0, match.start() - _AROUND) : match.end() + _AROUND]
        if not _CARD_WORD.search(around):
            grouped = len(digits) < len(match.group())
            if len(digits) > 16 or (
                not grouped and _ID_WORD.search(text, max(0, match.start() - _AROUND), match.start())
            ):
                continue
        yield _Span(match.start(), match.end(), 1, "card number")


def _luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(map(int, reversed(digits))):
        total += digit if place % 2 == 0 else sum(divmod(2 * digit, 10))
    return total % 10 == 0
