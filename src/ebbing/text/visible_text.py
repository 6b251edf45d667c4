"""A text without control and invisible characters, which could hide something in it; too long or empty is refused."""

from __future__ import annotations

import re
import unicodedata

from ..domain.errors import Invalid, TooLarge

# Characters that show nothing and can hide something: zero-width, direction overrides, fillers, tags.
_INVISIBLE = frozenset(
    (
        *(0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0),
        *range(0x180B, 0x1810),
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        *range(0xFFF0, 0xFFFC),
        *range(0x1D173, 0x1D17B),
        *range(0xE0000, 0xE1000),
    )
)
# Joiners and variation selectors are part of how some scripts and emoji are written. One may stand where something
# needs it; rows of them spell out hidden text, and go.
_JOINERS = {0x200C, 0x200D}
_SELECTORS = range(0xFE00, 0xFE10)
_VIRAMA = 9  # the combining class of signs that silence a vowel
_FIRST_JOINED = 0x600  # Latin, Greek, Cyrillic and Hebrew, which lie below, never join
_KEPT_CONTROLS = "\n\t"
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def clean_text(text: str, bytes_max: int) -> str:
    """`text` without control and invisible characters; empty or oversized is refused."""
    if not isinstance(text, str):
        raise Invalid(f"the text to remember is {type(text).__name__}, not text")
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise Invalid("the text contains a lone surrogate (half a character); give well-formed Unicode") from None
    if size > bytes_max:
        raise TooLarge(
            f"the text has {size:,} bytes and the limit is {bytes_max:,}; split it, or raise limits.text_bytes"
        )
    clean = (visible(_LINE_ENDS.sub("\n", text)) if _may_hide(text) else text).strip()
    if not clean:
        raise Invalid("the text to remember is empty; say something")
    return clean


def _may_hide(text: str) -> bool:
    return not text.isascii() or not text.isprintable()


def shown(text: str) -> str:
    """A text without characters that show nothing; its control characters stay."""
    return text if text.isascii() else visible(text, controls=True)


def visible(text: str, *, controls: bool = False) -> str:
    """What of a text can be seen, with its line ends and tabs."""
    kept: list[str] = []
    for index, letter in enumerate(text):
        code = ord(letter)
        before, after = "".join(kept[-1:]), text[index + 1 : index + 2]
        if code in _JOINERS:
            # Behind a virama a joiner shapes the letter before it, also at the end of a word.
            shows = _joins(before) and (_joins(after) or unicodedata.combining(before) == _VIRAMA)
        elif code in _SELECTORS:
            shows = _is_drawn_in_variants(before)
        else:
            shows = code not in _INVISIBLE and (
                controls or unicodedata.category(letter) != "Cc" or letter in _KEPT_CONTROLS
            )
        if shows:
            kept.append(letter)
    return "".join(kept)


def _joins(letter: str) -> bool:
    """Whether a joiner beside it means something: letters and marks of joining scripts, and emoji, also future ones."""
    if not letter or ord(letter) < _FIRST_JOINED or ord(letter) in _INVISIBLE:
        return False
    return unicodedata.category(letter) in ("Lo", "Lm", "Mn", "Mc", "So", "Sk", "Cn")


def _is_drawn_in_variants(letter: str) -> bool:
    """Whether a selector behind it means something: symbols, emoji, keycaps, ideographs; not letters, not selectors."""
    if not letter or ord(letter) in _SELECTORS:
        return False
    return letter in "#*0123456789" or unicodedata.category(letter) in ("Lo", "Mn", "So", "Sm", "Sk", "Cn")
