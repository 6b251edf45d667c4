"""What a text says under its disguise: look-alike letters, spelling, spacing, encodings.

Each way of hiding gives one more reading of the text. Every reading is looked for only when something in the text
asks for it, and all of them are bounded, so that ordinary prose costs a few searches and nothing grows with tricks.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import unquote

from ..lazy_regex import lazily

_RUNS_MAX = 64  # encoded runs that are opened in one text
_RUN_LETTERS_MAX = 8_192
_READABLE = 0.9  # share of plain characters in what was decoded, below which it was no text


class Rendering(NamedTuple):
    """A text as it may be meant."""

    text: str  # lower case, plain letters
    disguise: str  # how it was hidden, to be told; empty for the text itself
    spaced: bool = True  # whether words are still apart
    opened: str = ""  # what an encoded run held, as it was


_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_TWINS: Final = str.maketrans(
    "аеорсухіѕјԁһкмтвнгпиԛԝӏ" + "αεορνικτυχηςσγωβμ" + "օոսհց" + "ıłøđħŧɑɩɡ" + "ᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏ",
    "aeopcyxisjdhkmtbhrnuqwl" + "aeopviktuxnssywbm" + "onuhg" + "ilodhtaig" + "abcdeghijklmnoprstuvwy",
) | {first + place: letter for first in (0x1F170, 0x1F1E6) for place, letter in enumerate(_ALPHABET)}
_QUOTES: Final = str.maketrans("“”„‟«»‹›「」『』〝〞‘’‚‛′´–—", '"' * 14 + "'" * 6 + "--")
_INVISIBLE = lazily(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]"
)
_TAGS = lazily("[\U000e0020-\U000e007e]+")
_MARKS = lazily("[\u0300-\u036f\u20d0-\u20ff]")

_LEET: Final = str.maketrans("01l!|3@45$7+896€", "oiiiieaassttbgge")
_NO_LEET: Final = str.maketrans("", "", "0134578@$!|+€")
_LEET_WORD = lazily(r"[a-z]{0,20}[0134578@$!|+€][a-z0-9@$!|+€]{1,24}")
_KNOWN_WORDS = """
    ignore disregard forget override bypass all any every the previous prior above earlier your you are now system
    prompt prompts instruction instructions rules rule guidelines directives developer mode restrictions user users
    tell never do not reveal send conversation history data secret secrets password passwords keys api token tokens
    always recommend to this that these from must obey follow act as an unrestricted assistant jailbreak anything
    dan memory mention without safety filters policy policies delete everything admin administrator hidden message
    print output show
""".split()
_BY_SKELETON: Final = {word.translate(_LEET): word for word in _KNOWN_WORDS}
_BY_LETTERS: Final = {(word[0], word[-1], "".join(sorted(word))): word for word in _KNOWN_WORDS if len(word) > 4}
_ENDS: Final = frozenset((word[0], word[-1], len(word)) for word in _KNOWN_WORDS if len(word) > 4)
_WORD = lazily(r"[a-z]{5,14}")

_SPELLED_MIN: Final = 6  # single letters in a row are a word taken apart; fewer are initials
_SPELLED = lazily(r"(?<![^\W_])[^\W\d_](?:[\W_]{1,6}[^\W\d_](?![^\W_])){5,}")
_GAP = lazily(r"[\W_]+")
_SIGNS_AS_BLANKS: Final = str.maketrans(dict.fromkeys("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~0123456789·•", " "))
_IN_WORD_SIGNS: Final = ("*", "_", "~", "`", "^", "|", "\\", "-\n")
_IN_WORD_SIGN = lazily(r"(?<=[a-z])(?:[*_~`^|\\]{1,3}|-\n)(?=[a-z])")

_BASE64_RUN = lazily(r"[A-Za-z0-9+/_-]{16,}(?:\s[A-Za-z0-9+/_-]{12,})*={0,2}")
_HEX_RUN = lazily(r"(?:(?:\\x|0x|%)?[0-9a-fA-F]{2}[\s,:]?){12,}")
_NUMBER_RUN = lazily(r"(?:\b\d{2,3}\b[\s,]{1,2}){11,}\d{2,3}\b")
_BINARY_RUN = lazily(r"(?:[01]{8}\s?){10,}")
_ESCAPE = lazily(r"\\u\{?([0-9a-fA-F]{4})\}?|\\x([0-9a-fA-F]{2})|\\([0-7]{3})")
_ROTATED = ("vafgehpg", "vtaber", "cebzcg", "qvfertneq", "flfgrz", "gur hfre", "bireevqr", "sbetrg")
_REVERSED = ("tcurtsni", "erongi", "tpmorp", "dragersid", "resu eht", "edirrevo", "tegrof")
_NO_DIGITS: Final = str.maketrans("", "", "0123456789")
_DIGITS_MIN: Final = 10  # letters in hexadecimal begin with a digit, and a word of orders is not short


def plain(text: str) -> str:
    """Lower case, quotes and widths made one, nothing invisible: what the words of any language are looked for in."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).translate(_QUOTES)
    return _TAGS.sub("", text).lower()


def visible(text: str) -> str:
    """A text without characters that show nothing."""
    return _TAGS.sub("", _INVISIBLE.sub("", text))


def latin(lower: str) -> str:
    """A lower-case text with look-alike letters of other scripts as Latin ones, and without accents."""
    marked = unicodedata.normalize("NFD", lower.translate(_TWINS))
    return unicodedata.normalize("NFC", _MARKS.sub("", marked).translate(_TWINS))


def words_of(text: str) -> list[str]:
    """The words of a text without signs and digits."""
    return text.translate(_SIGNS_AS_BLANKS).split()


def renderings(text: str) -> Iterator[Rendering]:
    """Every way in which the text may be meant, itself first."""
    lower = plain(text)
    if not text.isascii():
        unmasked = _MARKS.sub("", unicodedata.normalize("NFKD", lower.translate(_TWINS)).translate(_TWINS))
        yield Rendering(lower, "")
        if unmasked != lower:
            yield Rendering(unmasked, "in look-alike letters")
        hidden = "".join(chr(ord(letter) - 0xE0000) for run in _TAGS.findall(text) for letter in run)
        if hidden:
            yield Rendering(hidden.lower(), "in invisible characters")
        lower = unmasked
    else:
        yield Rendering(lower, "")
    words = words_of(lower)
    yield from _respelled(lower, words)
    yield from _respaced(lower, words)
    yield from _turned(lower)
    yield from _unescaped(text)
    for opened in _opened(text):
        yield Rendering(plain(opened), "in an encoding", opened=opened)


def _respelled(lower: str, words: list[str]) -> Iterator[Rendering]:
    if len(lower) - len(lower.translate(_NO_LEET)) > 1:
        found = 0

        def word(match: re.Match[str]) -> str:
            nonlocal found
            skeleton = match.group().translate(_LEET)
            known = _BY_SKELETON.get(skeleton) or _BY_SKELETON.get(skeleton.rstrip("i"))
            found += known is not None
            return known or match.group()

        respelled = _LEET_WORD.sub(word, lower)
        if found > 1:
            yield Rendering(respelled, "in digits for letters")
    if any(_in_order(word) != word for word in words if (word[0], word[-1], len(word)) in _ENDS):
        yield Rendering(_WORD.sub(lambda match: _in_order(match.group()), lower), "in scrambled words")


def _in_order(word: str) -> str:
    return _BY_LETTERS.get((word[0], word[-1], "".join(sorted(word))), word)


def _respaced(lower: str, words: list[str]) -> Iterator[Rendering]:
    if any(sign in lower for sign in _IN_WORD_SIGNS) and _IN_WORD_SIGN.search(lower):
        yield Rendering(_IN_WORD_SIGN.sub("", lower), "in signs between letters")
    if sum(len(word) == 1 for word in words) >= _SPELLED_MIN and _SPELLED.search(lower):
        yield Rendering(_SPELLED.sub(_joined, lower), "in spaced letters")
    yield Rendering("".join(words), "in broken words", spaced=False)


def _joined(match: re.Match[str]) -> str:
    """Letters put together; where some gaps are wider than others, those are between words."""
    gaps = _GAP.findall(match.group())
    narrow = min(map(len, gaps))
    return _GAP.sub(lambda gap: "" if len(gap.group()) == narrow else " ", match.group())


def _turned(lower: str) -> Iterator[Rendering]:
    if any(cue in lower for cue in _ROTATED):
        yield Rendering(codecs.encode(lower, "rot13"), "in rotated letters")
    if any(cue in lower for cue in _REVERSED):
        yield Rendering(lower[::-1], "backwards")
        yield Rendering(" ".join(word[::-1] for word in lower.split()), "backwards")


def _unescaped(text: str) -> Iterator[Rendering]:
    if "&" in text and ";" in text:
        unescaped = html.unescape(text)
        if unescaped != text:
            yield Rendering(plain(unescaped), "in character codes")
    if text.count("%") > 2:
        unquoted = unquote(text.replace("+", " "), errors="replace")
        if unquoted != text:
            yield Rendering(plain(unquoted), "in URL codes")
    if "\\" in text and _ESCAPE.search(text):
        yield Rendering(plain(_ESCAPE.sub(_meant, text)), "in escapes")


def _meant(match: re.Match[str]) -> str:
    code, short, octal = match.groups()
    return chr(int(octal, 8)) if octal else chr(int(code or short, 16))


def _opened(text: str) -> Iterator[str]:
    """What encoded runs hold, when it is text."""
    digits = len(text) - len(text.translate(_NO_DIGITS))
    for pattern, decoders in _ENCODINGS[: len(_ENCODINGS) if digits >= _DIGITS_MIN else 1]:
        for count, match in enumerate(pattern.finditer(text)):
            if count == _RUNS_MAX:
                break
            run = match.group()[:_RUN_LETTERS_MAX]
            pieces = [run, *run.split()] if pattern is _BASE64_RUN and " " in run else [run]
            for decode in decoders:
                for piece in pieces[:_RUNS_MAX]:
                    opened = _readable(decode(piece))
                    if opened:
                        yield opened


def _readable(content: bytes) -> str:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return ""
    plain_letters = sum(letter.isprintable() or letter in "\n\t" for letter in text)
    return text if len(text) > 7 and plain_letters >= _READABLE * len(text) else ""


def _from_base64(run: str) -> bytes:
    letters = "".join(run.split()).rstrip("=").replace("-", "+").replace("_", "/")
    if letters.isalpha() and (letters.islower() or letters.isupper()):
        return b""
    try:
        return base64.b64decode(letters[: len(letters) - (len(letters) % 4 == 1)] + "=" * (-len(letters) % 4))
    except binascii.Error:
        return b""


def _from_base32(run: str) -> bytes:
    letters = "".join(run.split()).rstrip("=")
    if not letters.isupper():
        return b""
    try:
        return base64.b32decode(letters + "=" * (-len(letters) % 8))
    except binascii.Error:
        return b""


def _from_hex(run: str) -> bytes:
    digits = re.sub(r"\\x|0x|[%\s,:]", "", run)
    return bytes.fromhex(digits[: len(digits) // 2 * 2])


def _from_numbers(run: str) -> bytes:
    numbers = [int(number) for number in re.findall(r"\d+", run)]
    return bytes(numbers) if all(31 < number < 127 or number in (10, 13) for number in numbers) else b""


def _from_binary(run: str) -> bytes:
    return bytes(int(octet, 2) for octet in re.findall("[01]{8}", run))


_ENCODINGS: Final = (
    (_BASE64_RUN, (_from_base64, _from_base32)),
    (_HEX_RUN, (_from_hex,)),
    (_NUMBER_RUN, (_from_numbers,)),
    (_BINARY_RUN, (_from_binary,)),
)
