"""Whether a language model's wording may stand for notes: it says all that they say, and nothing else.

What a model says of notes is no more to be trusted than the notes, and those may have told it what to say. So it may
put sentences in another order and say once what several begin with. Every statement must be found in it with its
subject, its numbers and its negations, in the order of its words; no word may be new; and which way things go must be
as it was written. Where that cannot be told, the plain summary stands.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..text.extractive_summary.segments import Sentence, sentences
from ..text.normalize import Kind, compared_words, read, topic_terms
from ..text.protected_spans import lost, sentence_spans, spans
from ..text.terms import STOP_WORDS, terms

# Before a word, which end of something it is: from Porto to Berlin is not from Berlin to Porto.
_WAYS = frozenset("from to into onto before after until till since than without by over under above below".split())
# Words that give what follows another subject: `Ana met Bob, who likes tea`.
_TURNS = frozenset("he she it they him her them his hers its their theirs who whom whose which respectively".split())
_WORD = re.compile(r"[^\W\d_]+")
_SPLIT_WORDS_MAX = 400  # a longer sentence is not looked through for statements in two pieces

Said = tuple[str, ...]  # the words of a statement that tell it apart, in their order


def faithful(text: str, plain: str, originals: Sequence[str]) -> bool:
    """Whether a text says what these notes say: every statement of each, all the same way round, and no word that the
    plain summary does not have as often."""
    whole = "\n".join(originals)
    words, known = frozenset(terms(text)) - STOP_WORDS, frozenset(terms(whole))
    if not words or not words <= known or lost(text, originals) or lost(whole, [text]):
        return False
    if any(unicodedata.category(letter) in ("Cc", "Cf", "Cs") for letter in text if letter != "\n"):
        return False
    if not set(_denials(text)) <= set(_denials(whole)) or not set(_ways(text)) <= set(_ways(whole)):
        return False
    if _turns(text) - _turns(plain) or Counter(compared_words(text)[0]) - Counter(compared_words(plain)[0]):
        return False
    statements = [one for note in originals for one in _statements(note)]
    subjects = {statement[0] for statement, _ in statements if statement}
    wordings = [compared_words(one.text)[0] for one in sentences(text)]
    everything = compared_words(text)[0]
    return all(
        _holds_whole(everything, statement)
        if is_whole
        else any(_holds(wording, statement, subjects) for wording in wordings)
        for statement, is_whole in statements
    )


def _statements(note: str) -> Iterator[tuple[Said, bool]]:
    """What a note says, sentence by sentence; as a whole where one of them may speak of what another names."""
    telling: list[Sentence] = [one for one in sentences(note) if not one.is_filler]
    if all(one.stands_alone for one in telling[1:]):
        yield from ((compared_words(one.text)[0], False) for one in telling)
    else:
        yield compared_words(" ".join(one.text for one in telling))[0], True


def _holds_whole(wording: Said, note: Said) -> bool:
    """Whether a text holds a note in one piece, but for the numbers of other notes."""
    own = set(note)
    return _place(note, tuple(word for word in wording if word in own or not any(map(str.isdigit, word)))) >= 0


def _holds(wording: Said, statement: Said, subjects: set[str]) -> bool:
    """Whether a sentence holds a statement, in one piece or in two: a beginning that others may share, and the rest.

    Nothing may stand between that is another statement's subject.
    """
    if not statement or _place(statement, wording) >= 0:
        return True
    if max(len(statement), len(wording)) > _SPLIT_WORDS_MAX:
        return False
    for cut in range(len(statement) - 1, 0, -1):
        start = _place(statement[:cut], wording)
        behind = start + cut
        end = _place(statement[cut:], wording[behind:])
        if start >= 0 and end >= 0:
            return not (subjects - set(statement)) & set(wording[behind : behind + end])
    return False


def _place(part: Said, whole: Said) -> int:
    """Where words stand one behind the other; -1 where they do not."""
    places = range(len(whole) - len(part) + 1)
    return next((place for place in places if whole[place : place + len(part)] == part), -1)


def _turns(text: str) -> Counter[str]:
    return Counter(word for word in _WORD.findall(text.casefold()) if word in _TURNS)


def _denials(text: str) -> Iterator[tuple[str, str]]:
    """Each negation with what it denies."""
    for start, end in sentence_spans(text, spans(text)):
        negation = ""
        for word in read(text[start:end]):
            telling = " ".join(topic_terms(word.written))
            if word.kind is Kind.NEGATION:
                negation = word.form
            elif telling and negation:
                yield negation, telling
                negation = ""
        if negation:
            yield negation, ""


def _ways(text: str) -> Iterator[tuple[str, str]]:
    words = text.casefold().split()
    for way, behind in pairwise(words):
        if way in _WAYS:
            yield way, " ".join(terms(behind))
