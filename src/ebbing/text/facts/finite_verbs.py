"""Which word of a stretch is its finite verb.

A stretch between commas and conjunctions has at most one: so `directed` in `the film directed by Anna was shown` is
none, and `ships` in `the team ships on Fridays` is one. Where none is sure, each word that may be a verb is weighed by
what stands around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .tokenizer import FINITE, NOMINAL, Kind, Word
from .word_classes import AUXILIARIES, May, is_plural

_EDGES: Final = frozenset({Kind.COMMA, Kind.BREAK, Kind.END, Kind.CC, Kind.SUB, Kind.REL})
_SKIPPED: Final = frozenset({Kind.ADV, Kind.NEG})
_OBJECTS: Final = frozenset(
    {Kind.DET, Kind.OBJ, Kind.NUM, Kind.PRON, Kind.PREP, Kind.ADV, Kind.TO, Kind.ING, Kind.ADJ, Kind.NAME}
)
_THINGS: Final = frozenset({*NOMINAL, Kind.ADJ, Kind.PART})
_NO_VERB_BEHIND: Final = frozenset({Kind.DET, Kind.ADJ, Kind.POSS, Kind.PREP, Kind.TO})
_ALSO_PREPOSITIONS: Final = frozenset("after before since until till".split())
_FINITE_FORMS: Final = May.BASE | May.SINGULAR | May.PAST
_SINGULAR: Final = frozenset("is was has does 's".split())


def place_before(kinds: Sequence[Kind], place: int) -> int:
    """The word before, passing over adverbs and `not`; -1 for none."""
    near = place - 1
    while near >= 0 and kinds[near] in _SKIPPED:
        near -= 1
    return near


def mark_verbs(words: Sequence[Word], kinds: list[Kind]) -> None:
    """Find the verbs that neighbours alone do not give away; `kinds` is changed where it stands."""
    start = verbs = clauses = 0
    latest = -1
    bare = -1  # stretches without a verb since a comma and `and`; -1 where there was none
    for place in range(len(words) + 1):
        if place < len(words) and kinds[place] not in _EDGES:
            continue
        if start < place:
            # `…, and Kate, a dentist, lent me hers`: the second clause still lacks its verb.
            is_owed = (clauses > 0 and verbs == clauses) or (bare == 2 and _has_object(kinds, start))
            stretch = _Stretch(words, kinds, start, place, latest, is_owed)
            stretch.mark()
            found = [spot for spot in range(start, place) if kinds[spot] in FINITE]
            verbs += bool(found)
            latest = found[-1] if found else latest
            bare = -1 if found or bare < 0 else bare + 1
            if start and kinds[start - 1] is Kind.SUB and words[start - 1].lower in _ALSO_PREPOSITIONS and not found:
                kinds[start - 1] = Kind.PREP
                clauses -= 1
        clauses += place < len(words) and kinds[place] in (Kind.REL, Kind.SUB)
        if 0 < place < len(words) and kinds[place] is Kind.CC and kinds[place - 1] is Kind.COMMA and verbs:
            bare = 0
        start = place + 1


def _has_object(kinds: Sequence[Kind], place: int) -> bool:
    return place + 1 < len(kinds) and kinds[place + 1] in (Kind.OBJ, Kind.DET)


@dataclass(frozen=True, slots=True)
class _Stretch:
    words: Sequence[Word]
    kinds: list[Kind]
    start: int
    end: int
    latest: int  # where the finite verb before this stretch stands; -1 for nowhere
    is_owed: bool  # as many verbs as relative clauses so far: the sentence itself still lacks one

    def mark(self) -> None:
        places = range(self.start, self.end)
        if not any(self.kinds[place] in FINITE for place in places):
            worth, place = max(
                ((self._worth(place), -place) for place in places if self._is_candidate(place)), default=(0, 0)
            )
            if worth > 0:
                self.kinds[-place] = Kind.VERB
        for place in places:
            may = self.words[place].may
            if self.kinds[place] is Kind.NOUN and may & May.PARTICIPLE and not may & May.NOUN:
                self.kinds[place] = Kind.PART

    def _is_candidate(self, place: int) -> bool:
        word = self.words[place]
        if self.kinds[place] is Kind.NOUN or self.kinds[place] is Kind.PART:
            return bool(word.may & _FINITE_FORMS) and not (place and word.text[0].isupper())
        return word.lower == "like" and self.kinds[place] is Kind.PREP

    def _worth(self, place: int) -> int:
        """How well a word would do as the verb; 0 for not at all, and less the further it stands from the beginning."""
        may = self.words[place].may if self.kinds[place] is not Kind.PREP else May.BASE  # like
        near = place_before(self.kinds, place)
        opens = near < self.start
        if not (self._may_open(place, may) if opens else self._has_subject(near)):
            return 0
        if may & May.PAST:
            worth = self._worth_as_past(place, near, may)
        elif may & May.SINGULAR:
            worth = self._worth_as_singular(place, near, may)
        else:
            worth = self._worth_as_plural(place, near, may)
        return worth - (place - self.start) if worth else 0

    def _behind(self, place: int) -> Kind:
        return self.kinds[place + 1] if place + 1 < self.end else Kind.END

    def _has_subject(self, near: int) -> bool:
        if self.kinds[near] in _NO_VERB_BEHIND:
            return False
        return any(self.kinds[spot] in NOMINAL or self.kinds[spot] is Kind.PRON for spot in range(self.start, near + 1))

    def _may_open(self, place: int, may: int) -> bool:
        """Whether a stretch may begin with its verb: behind `and`, or behind the comma that closes an aside."""
        before = self.kinds[self.start - 1] if self.start else Kind.END
        is_only_verb = not may & (May.NOUN | May.ADJECTIVE)
        if before is Kind.COMMA:
            # `the firm, founded in 1990, grew`
            is_sure = is_only_verb and not may & May.PARTICIPLE
            is_lacking = self.is_owed or (self.latest < 0 and bool(may & May.SINGULAR))
            return is_sure or (is_lacking and self._behind(place) in _OBJECTS)
        if before is Kind.REL:
            return True
        return before is Kind.CC and (is_only_verb or self._behind(place) in _OBJECTS) and self._goes_on(may)

    def _goes_on(self, may: int) -> bool:
        """Whether a word may be a second verb behind the one before: `offers tea and sells cake`, not `… and sold`."""
        if self.latest < 0:
            return True
        first = self.words[self.latest]
        if not may & May.NOUN:
            is_present = first.may & May.SINGULAR and not first.may & May.PAST
            return not (may & May.PAST and is_present)
        if may & May.SINGULAR:
            return bool(first.may & May.SINGULAR) or first.lower in _SINGULAR
        return bool(first.may & (May.BASE | May.PAST)) or first.lower in AUXILIARIES

    def _worth_as_past(self, place: int, near: int, may: int) -> int:
        if not may & May.PARTICIPLE:
            return 60
        if place + 1 < self.end and self.words[place + 1].lower == "by":
            return 0
        # `a 1959 animated film`
        is_adjective = near >= self.start and self.kinds[near] is Kind.NUM and self._behind(place) in NOMINAL
        return 0 if is_adjective else 50

    def _worth_as_singular(self, place: int, near: int, may: int) -> int:
        opens = near < self.start
        before = Kind.END if opens else self.kinds[near]
        if before is Kind.NOUN and is_plural(self.words[near].lower):
            return 0
        if not may & (May.NOUN | May.ADJECTIVE) or before is Kind.NAME:
            return 55
        if opens or self._behind(place) in _OBJECTS:
            return 40
        return 25 if before is Kind.NOUN and self._behind(place) in _THINGS else 0

    def _worth_as_plural(self, place: int, near: int, may: int) -> int:
        is_only_verb = not may & (May.NOUN | May.ADJECTIVE)
        has_object = self._behind(place) in _OBJECTS
        if near < self.start:
            return 20 if has_object or is_only_verb else 0
        several = any(
            self.kinds[spot] in NOMINAL and is_plural(self.words[spot].lower) for spot in range(self.start, place)
        )
        joined = self.start > 0 and self.kinds[self.start - 1] is Kind.CC and self.kinds[near] in NOMINAL
        if several or joined:
            return 35 if is_only_verb else (30 if has_object or self.words[place].lower == "like" else 0)
        return 0
