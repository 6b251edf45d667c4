"""Many short texts as one shorter one, in their own words.

Without a language model a summary can only choose, and a choice must be honest. What a reader could not
reconstruct (anchors.py: numbers, dates, names, paths, commands, code, quotations) always stays, to the
letter. What may go is what says nothing (greetings, asides), what is said again, and then, until the
whole is short enough, the sentences and trailing clauses that add least.

Every line is a sentence of one of the texts, or that sentence without an aside before it or a clause
behind it; nobody is made to say anything else. Neighbours that begin alike may share their beginning,
`The deploy of api: failed on staging; was rolled back`: each part, put behind the shared words, is again
what was said. Only neighbours, for the order of the texts is often their story. A clause that limits or
turns what stands before it is not cut off, and a sentence stays while the next one leans on it.
"""

from __future__ import annotations

import heapq
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .anchors import (
    Span,
    anchor,
    anchors,
    between,
    is_inside,
    is_name,
    lost,
    sentence_spans,
    spaced,
    spans,
)
from .patterns import lazily
from .terms import STOP_WORDS, terms
from .wording import KINDS, Kind, denied_or_counted, near_ones, said, told

__all__ = ["anchors", "lost", "summarize"]

_SHARE = 0.65  # of the tokens: what a summary is cut down to, as far as its anchors allow
_FLOOR = 0.7  # of that: what would take the summary further below is left out only if it stays too long otherwise
_TOO_LONG = 0.8  # of the tokens

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
_KIND_WORDS = frozenset(
    terms("thanks thank congrats wow yeah great awesome amazing cool nice good glad fun welcome bye hi hey hello")
)
_NO_END_OF_HEAD = frozenset("a an the my your his her its our their this that and or but".split())
_HEAD_LINES_MAX = 12  # more in one line nobody reads
_HEAD_WORDS_MAX = 12
_HEAD_WORDS_SAVED_MIN = 3  # below, a shared beginning costs more reading than it saves


@dataclass(frozen=True, slots=True)
class _Part:
    """A stretch of a sentence that stays or goes as one."""

    span: Span
    anchors: frozenset[str]
    words: tuple[str, ...]  # those that tell texts apart
    turns: frozenset[str]  # those that a statement turns on: with one more or one less it is another
    said: tuple[str, ...]  # both, in their order
    length: int


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str  # the whole text it stands in
    aside: _Part | None
    parts: tuple[_Part, ...]  # the sentence proper, then the clauses that may be cut off behind it
    about: frozenset[str]  # what is told of, whatever is told
    signs: tuple[str, ...]  # its negations and numbers
    leans_on: int  # how many sentences before: the last one for `it failed`, the line above for an item; 0 for none


def summarize(texts: Sequence[str], count_tokens: Callable[[str], int]) -> str | None:
    """The texts, oldest first, in about two thirds of their tokens; None when what must stay is not smaller."""
    whole = sum(count_tokens(text) for text in texts)
    choice = _Choice([one for text in texts for one in _sentences(text)])
    choice.leave_copies()
    choice.leave_repeats()
    choice.leave_asides()
    summary = choice.told()
    size = count_tokens(summary)
    for enough, floor in ((_SHARE, _FLOOR), (_TOO_LONG, 0.0)):
        if size > enough * whole:
            # What shared beginnings save is saved on what will be left as well.
            choice.leave_least(choice.length * _SHARE * whole / size, floor)
            summary = choice.told()
            size = count_tokens(summary)
    return summary if 0 < size < whole else None


class _Choice:
    """What is kept of each sentence: its parts from some first one to some last one, or none."""

    def __init__(self, sentences: Sequence[_Sentence]) -> None:
        self._sentences = sentences
        self._kept = [[*([one.aside] if one.aside else []), *one.parts] for one in sentences]
        self._leaning: dict[int, list[int]] = {}  # on each sentence, those that may not stay without it
        self._leant: dict[int, list[int]] = {}
        for place, one in enumerate(sentences):
            if one.leans_on:
                self._lean(place, place - one.leans_on)
        self._anchors = Counter(found for kept in self._kept for part in kept for found in part.anchors)
        self._words = Counter(word for kept in self._kept for part in kept for word in part.words)
        self.length = sum(part.length for kept in self._kept for part in kept)

    def leave_copies(self) -> None:
        """What is said again word for word; of what is left, the older may not stay without what may contradict it."""
        newer: set[str] = set()
        for place in reversed(range(len(self._kept))):
            written = _proper(self._sentences[place]).casefold().rstrip(".!")
            if written in newer and not self._is_leaned_on(place):
                self._leave(place, 0)
            newer.add(written)
        left = [place for place, kept in enumerate(self._kept) if kept]
        for older, later in near_ones([_proper(self._sentences[place]) for place in left]):
            self._lean(left[older], left[later])

    def leave_repeats(self) -> None:
        """Of two sentences that say the same the newer stays; of one that says more, that one."""
        places: dict[str, list[int]] = {}
        for place, kept in enumerate(self._kept):
            for word in {word for part in kept for word in part.words}:
                places.setdefault(word, []).append(place)
        for place, kept in enumerate(self._kept):
            rarest = min((places[word] for part in kept for word in part.words), key=len, default=[])
            again = [
                other
                for other in reversed(rarest)
                if place != other
                and self._kept[other]
                and _repeats(kept, self._kept[other])
                and (place < other or not _repeats(self._kept[other], kept))
            ]
            # What is said more fully before may have been denied since.
            if again and not (self._is_leaned_on(place) if again[0] > place else self._is_held(place, 0)):
                self._leave(place, 0)

    def leave_asides(self) -> None:
        """What is said before a sentence, and sentences that are nothing but kind."""
        for place, one in enumerate(self._sentences):
            words = {word for part in self._kept[place] for word in part.words}
            is_kind = words and words <= _KIND_WORDS and not one.signs
            if is_kind and self._may_leave(self._kept[place]) and not self._is_leaned_on(place):
                self._leave(place, 0)
            if one.aside and self._kept[place] and all(self._anchors[found] > 1 for found in one.aside.anchors):
                self._forget([one.aside])
                self._kept[place] = self._kept[place][1:]

    def leave_least(self, length: float, floor: float) -> None:
        """Cut off clauses and leave out sentences, what adds least for its length first, until it is so short."""
        queue = [
            (self._loss(place, upto), place, upto) for place in range(len(self._kept)) for upto in self._ends(place)
        ]
        heapq.heapify(queue)
        while queue and self.length > length:
            _, place, upto = heapq.heappop(queue)
            if not self._may_leave(self._kept[place][upto:]):
                continue
            if self.length - sum(part.length for part in self._kept[place][upto:]) < floor * length:
                continue
            # As others go a loss only grows, so whatever is still the least is the least.
            loss = self._loss(place, upto)
            if queue and loss > queue[0][0]:
                heapq.heappush(queue, (loss, place, upto))
                continue
            if self._is_held(place, upto):
                continue
            self._leave(place, upto)
            for leant in () if self._kept[place] else self._leant.get(place, ()):
                for end in self._ends(leant):
                    heapq.heappush(queue, (self._loss(leant, end), leant, end))

    def told(self) -> str:
        lines = []
        for one, kept in zip(self._sentences, self._kept, strict=True):
            if kept:
                written = one.text[kept[0].span[0] : kept[-1].span[1]]
                lines.append(_Line(written if "```" in written else spaced(written), frozenset(_anchors(kept))))
        return "\n".join(_with_shared_heads(lines))

    def _ends(self, place: int) -> Iterator[int]:
        """After how many parts a sentence may end: none, or any clause of it."""
        if kept := self._kept[place]:
            first = 2 if kept[0] is self._sentences[place].aside else 1
            yield 0
            yield from range(first, len(kept))

    def _may_leave(self, parts: Sequence[_Part]) -> bool:
        """Whether what these hold stands elsewhere: names together in one sentence, anything else not at all."""
        leaving = _anchors(parts)
        if not leaving:
            return bool(parts)
        if not all(is_name(found) and self._anchors[found] > 1 for found in leaving):
            return False
        return any(leaving <= _anchors(kept) for kept in self._kept if parts[0] not in kept)

    def _is_leaned_on(self, place: int) -> bool:
        return any(self._kept[behind] for behind in self._leaning.get(place, ()))

    def _is_held(self, place: int, upto: int) -> bool:
        """Whether something that stays needs it, or, said before it or denied or counted by it, says the contrary."""
        behind = [other for other in self._leaning.get(place, ()) if self._kept[other]]
        if any(not upto or other < place for other in behind):
            return True
        one = self._sentences[place]
        return any(
            _are_contrary(one, other)
            for other, kept in zip(self._sentences[: None if one.signs else place], self._kept, strict=False)
            if kept
        )

    def _lean(self, place: int, on: int) -> None:
        self._leaning.setdefault(on, []).append(place)
        self._leant.setdefault(place, []).append(on)

    def _loss(self, place: int, upto: int) -> float:
        """What would be missing, for each character saved: words said nowhere else more than those that are."""
        leaving = self._kept[place][upto:]
        words = Counter(word for part in leaving for word in part.words)
        loss = sum(1.0 if self._words[word] <= count else 0.2 for word, count in words.items())
        loss += sum(0.7 * len(part.anchors) + 0.5 * len(part.turns) for part in leaving)
        one = self._sentences[place]
        asks = one.text[: one.parts[-1].span[1]].endswith(("?", "？"))
        return (0.4 if asks else 1.0) * (0.7 if upto else 1.0) * loss / (12 + sum(part.length for part in leaving))

    def _leave(self, place: int, upto: int) -> None:
        self._forget(self._kept[place][upto:])
        self._kept[place] = self._kept[place][:upto]

    def _forget(self, parts: Sequence[_Part]) -> None:
        for part in parts:
            self._anchors.subtract(part.anchors)
            self._words.subtract(part.words)
            self.length -= part.length


def _repeats(one: Sequence[_Part], other: Sequence[_Part]) -> bool:
    """Whether the other says all that one says, in the same order, and turns on the same words at the same places."""
    said, others = ([word for part in parts for word in part.said] for parts in (one, other))
    held = {*said, *(word for part in other for word in part.turns)}
    if not any(part.words for part in one) or [word for word in others if word in held] != said:
        return False
    return _anchors(one) <= _anchors(other)


def _anchors(parts: Sequence[_Part]) -> set[str]:
    return {found for part in parts for found in part.anchors}


def _are_contrary(one: _Sentence, other: _Sentence) -> bool:
    """Whether one may deny the other: all that the shorter is about the longer is, but not with its negations."""
    shared = one.about & other.about
    is_same = one.about == other.about or (len(shared) > 1 and shared in (one.about, other.about))
    return is_same and bool(shared) and one.signs != other.signs


def _proper(one: _Sentence) -> str:
    return one.text[one.parts[0].span[0] : one.parts[-1].span[1]]


def _sentences(text: str) -> Iterator[_Sentence]:
    held = spans(text)
    lead = 0  # the line above a list, counted back from here
    for place, (start, end) in enumerate(sentence_spans(text, held)):
        inside = between(held, start, end)
        begin = _without_aside(text, start, end, inside)
        cuts = [begin, *_clauses(text, begin, end, inside), end]
        lead = lead + 1 if lead == 1 or (lead and _LIST_MARK.match(text, start, end)) else 0
        yield _Sentence(
            text,
            _part(text, (start, begin), inside) if begin > start else None,
            tuple(_part(text, span, inside) for span in itertools.pairwise(cuts)),
            frozenset(told(text[begin:end])),
            denied_or_counted(text[begin:end]),
            lead - 1 if lead > 1 else int(place > 0 and bool(_LEANS.match(text, start, end))),
        )
        if text.endswith((":", "："), start, end):
            lead = 1


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
        if any(KINDS.get(word) in (Kind.NEGATION, Kind.CONDITION) for word in _plain_words(behind)):
            break
        # Between two dashes or commas stands an insertion, and the sentence goes on behind it.
        is_inserted = (match[0].strip() in _DASHES and dashes > 1) or (
            "which" in match[0] and "," in text[match.end() : end]
        )
        if not is_inserted and not is_inside(match.start(), held):
            cuts.append(match.start())
    return cuts[:_CLAUSES_MAX][::-1]


def _part(text: str, span: Span, held: Sequence[Span]) -> _Part:
    start, end = span
    written = text[start:end]
    sequence, turns = said(written)
    return _Part(
        span,
        frozenset(anchor(text, one) for one in between(held, start, end)),
        tuple(word for word in terms(written) if word not in STOP_WORDS),
        turns,
        sequence,
        end - start,
    )


def _plain_words(text: str) -> list[str]:
    return _PLAIN_WORD.findall(re.sub(r"n['’]t\b", " not", text.lower()))


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    anchors: frozenset[str]


def _with_shared_heads(lines: Sequence[_Line]) -> Iterator[str]:
    """The lines, where neighbours that begin alike say their beginning once."""
    place = 0
    while place < len(lines):
        best, saved, end = lines[place].text, 0, place + 1
        for stop in range(place + 2, min(len(lines), place + _HEAD_LINES_MAX) + 1):
            if lines[stop - 1].text.partition(" ")[0] != lines[place].text.partition(" ")[0]:
                break
            joined, words = _joined(lines[place:stop])
            if words * (stop - place - 1) > saved:
                best, saved, end = joined, words * (stop - place - 1), stop
        if saved < _HEAD_WORDS_SAVED_MIN:
            best, end = lines[place].text, place + 1
        yield best
        place = end


def _joined(lines: Sequence[_Line]) -> tuple[str, int]:
    """The lines as one behind the beginning they share, and how many words that has: none if it would read badly."""
    if any(mark in line.text for line in lines for mark in ("\n", ";", "```")):
        return "", 0
    split = [line.text.split(" ") for line in lines]
    shared = next((n for n, words in enumerate(zip(*split, strict=False)) if len(set(words)) > 1), min(map(len, split)))
    for length in range(min(shared, _HEAD_WORDS_MAX, *(len(words) - 1 for words in split)), 0, -1):
        head, last = " ".join(split[0][:length]), split[0][length - 1]
        if (
            not set(_plain_words(head)) - STOP_WORDS
            or last.lower() in _NO_END_OF_HEAD
            or not last[-1].isalnum()
            or ":" in head
        ):
            continue
        told = f"{head}: " + "; ".join(" ".join(words[length:]).removesuffix(".") for words in split)
        if all(found in told for line in lines for found in line.anchors):
            return told, length
    return "", 0
