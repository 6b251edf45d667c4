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
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .anchors import anchors, is_name, lost, spaced
from .statements import Part, Sentence, near_ones, plain_words, sentences
from .terms import STOP_WORDS, terms

__all__ = ["anchors", "lost", "summarize"]

_SHARE = 0.65  # of the tokens: what a summary is cut down to, as far as its anchors allow
_FLOOR = 0.7  # of that: what would take the summary further below is left out only if it stays too long otherwise
_TOO_LONG = 0.8  # of the tokens

_KIND_WORDS = frozenset(
    terms("thanks thank congrats wow yeah great awesome amazing cool nice good glad fun welcome bye hi hey hello")
)
_NO_END_OF_HEAD = frozenset("a an the my your his her its our their this that and or but".split())
_HEAD_LINES_MAX = 12  # more in one line nobody reads
_HEAD_WORDS_MAX = 12
_HEAD_WORDS_SAVED_MIN = 3  # below, a shared beginning costs more reading than it saves


def summarize(texts: Sequence[str], count_tokens: Callable[[str], int]) -> str | None:
    """The texts, oldest first, in about two thirds of their tokens; None when what must stay is not smaller."""
    whole = sum(count_tokens(text) for text in texts)
    choice = _Choice([one for text in texts for one in sentences(text)])
    choice.leave_copies()
    choice.leave_repeats()
    choice.leave_asides()
    summary = choice.told()
    size = count_tokens(summary)
    for enough, floor in ((_SHARE, _FLOOR), (_TOO_LONG, 0.0)):
        # What shared beginnings save is saved on what will be left as well.
        if size > enough * whole and choice.leave_least(choice.length * _SHARE * whole / size, floor):
            summary = choice.told()
            size = count_tokens(summary)
    return summary if 0 < size < whole else None


class _Choice:
    """What is kept of each sentence: its parts from some first one to some last one, or none."""

    def __init__(self, several: Sequence[Sentence]) -> None:
        self._sentences = several
        self._kept = [[*([one.aside] if one.aside else []), *one.parts] for one in several]
        self._leaning: dict[int, list[int]] = {}  # on each sentence, those that may not stay without it
        self._leant: dict[int, list[int]] = {}
        for place, one in enumerate(several):
            if one.leans_on:
                self._lean(place, place - one.leans_on)
        self._anchors = Counter(found for kept in self._kept for part in kept for found in part.anchors)
        self._words = Counter(word for kept in self._kept for part in kept for word in part.words)
        self.length = sum(part.length for kept in self._kept for part in kept)

    def leave_copies(self) -> None:
        """What is said again word for word; of what is left, the older may not stay without what may contradict it."""
        newer: set[str] = set()
        for place in reversed(range(len(self._kept))):
            written = self._sentences[place].proper.casefold().rstrip(".!")
            if written in newer and not self._is_leaned_on(place):
                self._leave(place, 0)
            newer.add(written)
        left = [place for place, kept in enumerate(self._kept) if kept]
        for older, later in near_ones([self._sentences[place] for place in left]):
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

    def leave_least(self, length: float, floor: float) -> bool:
        """Cut off clauses and leave out sentences, what adds least for its length first, until it is so short.

        Whether there was anything to leave out.
        """
        before = self.length
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
        return self.length < before

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

    def _may_leave(self, parts: Sequence[Part]) -> bool:
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

    def _forget(self, parts: Sequence[Part]) -> None:
        for part in parts:
            self._anchors.subtract(part.anchors)
            self._words.subtract(part.words)
            self.length -= part.length


def _repeats(one: Sequence[Part], other: Sequence[Part]) -> bool:
    """Whether the other says all that one says, in the same order, and turns on the same words at the same places."""
    said, others = ([word for part in parts for word in part.said] for parts in (one, other))
    held = {*said, *(word for part in other for word in part.turns)}
    if not any(part.words for part in one) or [word for word in others if word in held] != said:
        return False
    return _anchors(one) <= _anchors(other)


def _anchors(parts: Sequence[Part]) -> set[str]:
    return {found for part in parts for found in part.anchors}


def _are_contrary(one: Sentence, other: Sentence) -> bool:
    """Whether one may deny the other: all that the shorter is about the longer is, but not with its negations."""
    shared = one.about & other.about
    is_same = one.about == other.about or (len(shared) > 1 and shared in (one.about, other.about))
    return is_same and bool(shared) and one.signs != other.signs


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
            not set(plain_words(head)) - STOP_WORDS
            or last.lower() in _NO_END_OF_HEAD
            or not last[-1].isalnum()
            or ":" in head
        ):
            continue
        told = f"{head}: " + "; ".join(" ".join(words[length:]).removesuffix(".") for words in split)
        if all(found in told for line in lines for found in line.anchors):
            return told, length
    return "", 0
