"""A text as sentences, and each as the parts of it that stay or go as one.

What a summary chooses from: where an aside ends and a clause may be cut off, which anchors and words a part holds,
what a sentence is about, what it denies or counts, and what it leans on. Chooses nothing itself (summary.py).
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .anchors import Span, anchor, between, is_inside, sentence_spans, spans
from .patterns import lazily
from .terms import STOP_WORDS, terms
from .wording import KINDS, Kind, denied_or_counted, said, told

# Said before a sentence and apart from it. `I think` is one only with its comma: without, it says how sure somebody is.
_ASIDE = lazily(
    r"""(?:(?:oh|ah|aw+|wow|well|hey|hi|hello|yeah|yes|yep|yup|ok|okay|anyway|btw|haha|lol|so|thanks|thank\ you|sure
      |cool|great|awesome|nice|absolutely|definitely|totally|exactly|right|by\ the\ way|you\ know|i\ mean|i\ think
      |i\ guess|honestly|to\ be\ honest
      |as\ (?:i\ |we\ |already\ )*(?:mentioned|said|discussed|noted)(?:\ (?:earlier|before|above))?
      )(?:\ there|\ again|\ so\ much|\ a\ lot)?(?:,?\ (?-i:[A-Z][a-z]+))?\s*[,!.…:]+\s+)+""",
    re.VERBOSE | re.IGNORECASE,
)
_LIST_MARK = lazily(r"(?:[-*•+]|\d{1,3}[.)]|\[[ x]\])\s")
_CLAUSE = lazily(
    r";\s+|\s+[—–]\s+|\s+--?\s+|,\s+which\s+|,\s+(?:and|so)\s+(?=(?:i|we|he|she|it|they|you|there|this|that)\b)",
    re.IGNORECASE,
)
_CLAUSE_MIN = lazily(r"(?:\S+\s+){3}\S+[\s,;]")  # fewer words before a cut are rather a title: `Status – all green`
_CLAUSES_MAX = 4  # that a sentence may lose
_DASHES = frozenset("— – - --".split())
_OPENS_SUBORDINATE = lazily(
    r"\W*(?:if|when|whenever|while|because|since|although|though|unless|until|once|after|before|as|where|whether)\b",
    re.IGNORECASE,
)
_SENTENCE_WORDS_MIN = 3  # fewer behind an aside are a part of it: `Thanks, Maria!`
_LEANS = lazily(r"\W*(?:he|she|it|they|this|that|these|those|his|her|its|their)\b", re.IGNORECASE)
_PLAIN_WORD = lazily(r"[^\W\d_]+")
_NOT_BEHIND = lazily(r"n['’]t\b")
_NEAR_WORDS_MAX = 60  # a longer sentence is rarely said twice with one word changed
_KEPT_CHARACTERS_MAX = 4000  # a longer text is read again: what is kept of a thousand must not fill the memory


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a sentence that stays or goes as one."""

    span: Span
    anchors: frozenset[str]
    words: tuple[str, ...]  # those that tell texts apart
    turns: frozenset[str]  # those that a statement turns on: with one more or one less it is another
    said: tuple[str, ...]  # both, in their order
    length: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with what may be left of it, and what it needs and denies."""

    text: str  # the whole text it stands in
    aside: Part | None
    parts: tuple[Part, ...]  # the sentence proper, then the clauses that may be cut off behind it
    told: tuple[str, ...]  # what it is about, whatever it says of that
    about: frozenset[str]  # the same, in no order
    signs: tuple[str, ...]  # its negations and numbers
    leans_on: int  # how many sentences before: the last one for `it failed`, the line above for an item; 0 for none

    @property
    def proper(self) -> str:
        """As it is written, without the aside."""
        return self.text[self.parts[0].span[0] : self.parts[-1].span[1]]


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text, in order."""
    return _kept(text) if len(text) <= _KEPT_CHARACTERS_MAX else tuple(_read(text))


@functools.lru_cache(maxsize=1024)
def _kept(text: str) -> tuple[Sentence, ...]:
    """Kept, because what waits for its topic is tried with one group after another; about what a scope has waiting."""
    return tuple(_read(text))


def _read(text: str) -> Iterator[Sentence]:
    held = spans(text)
    lead = 0  # the line above a list, counted back from here
    for place, (start, end) in enumerate(sentence_spans(text, held)):
        inside = between(held, start, end)
        begin = _without_aside(text, start, end, inside)
        cuts = [begin, *_clauses(text, begin, end, inside), end]
        lead = lead + 1 if lead == 1 or (lead and _LIST_MARK.match(text, start, end)) else 0
        about = told(text[begin:end])
        yield Sentence(
            text,
            _part(text, (start, begin), inside) if begin > start else None,
            tuple(_part(text, span, inside) for span in itertools.pairwise(cuts)),
            about,
            frozenset(about),
            denied_or_counted(text[begin:end]),
            lead - 1 if lead > 1 else int(place > 0 and bool(_LEANS.match(text, start, end))),
        )
        if text.endswith((":", "："), start, end):
            lead = 1


def near_ones(several: Sequence[Sentence]) -> Iterator[tuple[int, int]]:
    """Places of sentences that may contradict each other, each with the next such: alike but for what they turn on.

    Or for one word, whatever the language: `Es gab keine Fehler`, `Es gab einen Fehler`.
    """
    latest: dict[tuple[str, ...], int] = {}
    for place, one in enumerate(several):
        words = re.findall(r"\w+", _NOT_BEHIND.sub(" not", one.proper.lower().replace("cannot", "can not")))
        keys = {("told", *one.told), ("", *words)}
        if len(words) <= _NEAR_WORDS_MAX:
            keys |= {("", *words[:gap], *words[gap + 1 :]) for gap in range(len(words))}
        for key in sorted(keys):
            if len(key) > 1:
                if key in latest:
                    yield latest[key], place
                latest[key] = place


def _without_aside(text: str, start: int, end: int, held: Sequence[Span]) -> int:
    """Where a sentence proper begins."""
    aside = _ASIDE.match(text, start, end)
    if aside is None or is_inside(aside.end(), held) or len(text[aside.end() : end].split()) < _SENTENCE_WORDS_MIN:
        return start
    return aside.end()


def _clauses(text: str, start: int, end: int, held: Sequence[Span]) -> list[int]:
    """Where a sentence may end early: before a clause that stands by itself and does not limit the one before."""
    opening = _CLAUSE_MIN.match(text, start, end)
    if opening is None or _OPENS_SUBORDINATE.match(text, start, end) or text.startswith("```", start):
        return []
    cuts: list[int] = []
    found = list(_CLAUSE.finditer(text, opening.end() - 1, end))
    dashes = sum(match[0].strip() in _DASHES for match in found)
    until = end
    for match in reversed(found):
        behind, until = text[match.start() : until], match.start()
        if any(KINDS.get(word) in (Kind.NEGATION, Kind.CONDITION) for word in plain_words(behind)):
            break
        # Between two dashes or commas stands an insertion, and the sentence goes on behind it.
        is_inserted = (match[0].strip() in _DASHES and dashes > 1) or (
            "which" in match[0] and "," in text[match.end() : end]
        )
        if not is_inserted and not is_inside(match.start(), held):
            cuts.append(match.start())
    return cuts[:_CLAUSES_MAX][::-1]


def _part(text: str, span: Span, held: Sequence[Span]) -> Part:
    start, end = span
    written = text[start:end]
    sequence, turns = said(written)
    return Part(
        span,
        frozenset(anchor(text, one) for one in between(held, start, end)),
        tuple(word for word in terms(written) if word not in STOP_WORDS),
        turns,
        sequence,
        end - start,
    )


def plain_words(text: str) -> list[str]:
    """The words of a text in small letters; `don't` as do and not."""
    return _PLAIN_WORD.findall(re.sub(r"n['’]t\b", " not", text.lower()))
