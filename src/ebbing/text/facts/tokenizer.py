"""The words of a sentence, as they are written.

Quotations, code, addresses, dates and brackets are one word each: nothing is ever cut out of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from ..lazy_regex import lazily
from .word_classes import base_of, may_be


class Kind(StrEnum):
    """What a word is in its sentence."""

    DET = "determiner"
    PRON = "pronoun"  # one that can be a subject
    OBJ = "object pronoun"
    PREP = "preposition"
    CC = "coordinator"
    SUB = "subordinator"
    REL = "relative"
    AUX = "auxiliary"  # finite: is, had, will
    VERB = "verb"  # finite: likes, went
    BE = "be"  # be, been, being
    TO = "to"
    BASE = "infinitive"
    PART = "participle"
    ING = "ing"
    NEG = "negation"
    ADV = "adverb"
    ADJ = "adjective"
    NOUN = "noun"
    NAME = "name"
    NUM = "number"
    POSS = "possessive"  # 's
    PAREN = "brackets"
    COMMA = "comma"
    BREAK = "break"  # ; : — and the like
    END = "end"


class Token(NamedTuple):
    """A word and what it is in its sentence."""

    text: str
    kind: Kind
    spaced: bool = True  # a space stands before it
    may: int = 0  # what else it might have been (word_classes.py)
    lower: str = ""

    def respelled(self, text: str) -> Token:
        """The same word in another form."""
        return self._replace(text=text, lower=lowered(text))


Phrase = tuple[Token, ...]

FINITE: Final = frozenset({Kind.AUX, Kind.VERB})
NOMINAL: Final = frozenset({Kind.NOUN, Kind.NAME, Kind.NUM})
PAUSES: Final = frozenset({Kind.COMMA, Kind.BREAK, Kind.END})

_MONTH = (
    r"(?:(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)
_TOKEN = lazily(
    rf"""(?P<quote>```[\s\S]*?(?:```|$)|`[^`]+`|"[^"]{{1,400}}"|“[^”]{{1,400}}”|«[^»]{{1,400}}»
          |(?<!\w)[‘'](?=\w)[^‘’'\n]{{2,200}}(?<=\w|[.!?,])[’'](?!\w))
      |(?P<paren>\((?:[^()]|\([^()]*\)){{0,300}}\)|\[[^\[\]]{{0,300}}\])
      |(?P<name>\b[A-Z]\w+\ &\ [A-Z]\w+|\b[A-Za-z][A-Za-z0-9+.-]*://\S*[^\s.,;:!?)\]]|\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+
          |(?:~|\.{{1,2}})?/[\w.~@+-]+(?:/[\w.~@+-]*)*\w|\b(?!and/or\b)\w+(?:/\w+)+\b)
      |(?P<date>{_MONTH}\ \d{{1,2}}(?:st|nd|rd|th)?(?:,?\ \d{{4}})?\b(?!:)
          |\b\d{{1,2}}(?:st|nd|rd|th)?\ {_MONTH}(?:,?\ \d{{4}}\b)?)
      |(?P<number>[+-]?(?:[$€£¥₹]\ ?)?\d+(?:[.,:/–-]\d+)*(?:%|°\w?|\ ?(?i:[ap]\.?m)\b|\w*)(?:/\w+)?)
      |(?P<phrase>\b(?:as\ well\ as|such\ as|due\ to|because\ of|according\ to|instead\ of|rather\ than
          |in\ order\ to|so\ that|even\ though|even\ if|as\ long\ as|as\ soon\ as|in\ case|no\ longer|each\ other
          |one\ another|more\ than|less\ than|at\ least|at\ most|up\ to|and/or|as\ if|only\ if)\b)
      |(?P<short>(?<=\w)(?:[nN]['’][tT]|['’](?:s|S|m|re|ve|ll|d))\b)
      |(?P<word>(?:[A-Z]\.){{2,}}|[^\W\d_](?:\.[^\W\d_])+\.?|(?:(?![nN]['’][tT]\b)\w)+
          (?:[-&+#_./](?:(?![nN]['’][tT]\b)\w)+|['’](?!(?:s|S|m|re|ve|ll|d|t)\b)\w+)*[+#]*)
      |(?P<comma>,)|(?P<end>[.!?…。！？]+)|(?P<break>[;:；：]|\s[-–—]+(?=\s)|—+|–)|(?P<other>\S)""",
    re.VERBOSE,
)


def lowered(text: str) -> str:
    return text.lower().replace("’", "'")


def made(text: str, kind: Kind, *, spaced: bool = True, may: int = 0) -> Token:
    """A word that a rule puts in."""
    return Token(text, kind, spaced, may, lowered(text))


def written(tokens: Iterable[Token]) -> str:
    """Tokens as text."""
    text = "".join(f" {token.text}" if token.spaced else token.text for token in tokens)
    return " ".join(text.split())


class Word(NamedTuple):
    """A word as it is written, before it is known what it is."""

    text: str
    lower: str
    spaced: bool
    may: int
    group: str


def words_in(sentence: str) -> Iterator[Word]:
    """The words of a sentence, one by one."""
    end = 0
    for match in _TOKEN.finditer(sentence):
        text, group = match[0], match.lastgroup or "other"
        start = match.start()
        spaced = start > end or end == 0 or text[0].isspace()
        end = match.end()
        if group == "word":
            lower = text.lower()
            if lower == "cannot":
                yield Word(text[:3], "can", spaced, 0, group)
                yield Word(text[3:], "not", False, 0, group)
            else:
                lower = lower.replace("’", "'")
                yield Word(text, lower, spaced, may_be(lower), group)
        else:
            text = text.strip()
            yield Word(text, lowered(text), spaced, 0, group)


def has_clause(tokens: Sequence[Token]) -> bool:
    """Whether somebody or something does something here: a subject, and a finite verb behind it."""
    seen = False
    for token in tokens:
        if token.kind in FINITE:
            return seen
        seen = seen or token.kind in NOMINAL or token.kind is Kind.PRON
    return False


def verb_base(token: Token) -> str:
    return base_of(token.lower)
