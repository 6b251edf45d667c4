"""How much a text is worth keeping, guessed from its words, for callers who do not say.

A memory is worth what its best sentence is worth: a greeting in front of a fact takes nothing
away, and length by itself adds nothing; telling several things of oneself adds a little. A sentence
is first told apart by what it does (it states, asks, reacts, or only keeps the talk going), and
then gains for what makes a statement worth finding again: who, when, how many, what happened, what
was decided.

Beside a request for a text or an answer ("Explain …", "What are …?", "Can you recommend …", told by
requesting.py) only what people tell of themselves is worth something: what they did, are at, have,
prefer (disclosing.py). The rest is there to be worked on, or answers an answer, and anybody could
have written it.

Pure and quick, no model. The cue words (cues.py) are English; in other languages a question mark,
a number, a date in digits and a name still say what they say, and the rest counts as a plain
statement.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Final, NamedTuple

from . import cues
from .disclosing import discloses, has_happened, reacts, underway, usual
from .requesting import instructs, questions, requests, seeks, technical

LOWEST: Final = 0.10
HIGHEST: Final = 0.95  # certainty is left to people
_CHARACTERS_MAX = 2_000  # what the beginning does not show, the end of a long text will not either

# What a sentence does: what it is worth for that alone, and how much of its gains count.
_WORTH: Final = MappingProxyType(
    {
        "statement": (0.30, 1.0),
        "aside": (0.15, 0.6),  # asks, and on the way tells something of whoever asks
        "to_you": (0.14, 0.3),  # speaks about the listener: praise and advice mostly
        "opinion": (0.12, 0.25),  # feels or thinks something about what was said
        "wish": (0.12, 0.25),  # asks in the form of a statement
        "material": (LOWEST, 0.0),  # comes with a request, and tells nothing of whoever asks
        "request": (LOWEST, 0.0),  # the answer is what is worth keeping
        "question": (LOWEST, 0.0),
        "filler": (LOWEST, 0.0),
    }
)
_MARKS: Final = MappingProxyType(
    {
        "own": 0.10,  # about the speaker
        "event": 0.15,  # something the speaker did, or that befell them
        "number": 0.10,
        "time": 0.10,
        "name": 0.08,
        "identity": 0.20,  # who somebody is, and what may harm them
        "life": 0.10,  # family, friends, home, work
        "preference": 0.10,
        "commitment": 0.12,  # plans, promises, decisions, standing rules
        "correction": 0.10,
    }
)
_CUES: Final = MappingProxyType(
    {
        "number": cues.NUMBERS,
        "time": cues.TIMES,
        "identity": cues.IDENTITIES,
        "life": cues.LIVES,
        "commitment": cues.COMMITMENTS,
        "correction": cues.CORRECTIONS,
    }
)
_FOREIGN_WORDS_MIN = 4  # fewer have no English among them by chance
_REASON_WORDS_MAX = 12  # of a fact that a request begins with
_DETAIL = 0.04  # for each further thing a sentence speaks of …
_DETAILS_MAX = 7  # … up to this many
_FURTHER = 0.05  # for each further sentence in which speakers tell of themselves …
_FURTHER_MAX = 2  # … up to this many

_LABEL = re.compile(r"^[^\W\d_][\w.'-]*(?: [^\W\d_][\w.'-]*)?: ")  # "Anna: ", as transcripts have it
# Up to the mark that ends it; one inside a word ends nothing: 3.14, example.com/?q=1.
_SENTENCE = re.compile(r"[^.!?…;。！？؟]+(?:[.!?…](?=\w)[^.!?…;。！？؟]*)*[.!?…;。！？؟]*")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
# Scripts written without spaces give two characters for a word: about what a word has there.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
_WORD_OF_ANY_SCRIPT = re.compile(rf"[{_UNSPACED}]{{1,2}}|[^\W_{_UNSPACED}]+(?:'[^\W_]+)*")
_ENDS = ".!?…;:,。！？؟"
_KEEPS = re.compile(
    r"(?i)(?<!\bi )\b(?:remember(?! to\b)|memori[sz]e|keep in mind|(?:do not|don't) forget|note that)\b"
)
_MARKUP = re.compile(r"[(){}\[\]=\\|<>#]")
_DIGIT = re.compile(r"\d")
# A capital inside a sentence; behind a comma somebody may be spoken to.
_NAME = re.compile(r" (?<=\w )(?!I\b)[A-ZÀ-ÖØ-ÞΑ-ΩА-Я]\w")
_TITLE_OR_PATH = re.compile(r"[\"“«`][^\"”»`]{2,60}[\"”»`]|\w[_/@]\w|\.[a-z]{2,4}\b|[a-z][A-Z]")


class _Sentence(NamedTuple):
    text: str
    words: list[str]
    distinct: frozenset[str]
    happened: bool  # to whoever speaks, or by them
    does: str
    marks: Mapping[str, float]  # what it gains, by what for
    asks: bool  # for a text or an answer, in English, of somebody who should know

    @property
    def worth(self) -> float:
        return _WORTH[self.does][0] + sum(self.marks.values())


_NOTHING: Final[Mapping[str, float]] = MappingProxyType({})
_SILENCE: Final = _Sentence("", [], frozenset(), False, "filler", _NOTHING, False)


def estimate(text: str) -> float:
    """How important a text looks, from 0.1 for a greeting over about 0.5 for a plain fact to 0.95."""
    return round(min(max(sum(parts(text).values()), LOWEST), HIGHEST), 2)


def parts(text: str) -> Mapping[str, float]:
    """What the estimate is made of: what the best sentence does, and what it gains; they add up, within the bounds."""
    sentences = _judged(text)
    best = max(sentences, key=lambda sentence: sentence.worth, default=_SILENCE)
    found = {best.does: _WORTH[best.does][0], **best.marks}
    telling = {sentence.distinct for sentence in sentences if sentence.does == "statement" and "own" in sentence.marks}
    if further := min(len(telling - {best.distinct}), _FURTHER_MAX):
        found["further"] = further * _FURTHER
    return MappingProxyType(found)


def _judged(text: str) -> list[_Sentence]:
    plain = " ".join((_parted(text) if "\n" in text else text).split())[:_CHARACTERS_MAX].replace("’", "'")
    sentences = [_judge(sentence) for sentence in _SENTENCE.findall(_LABEL.sub("", plain))]
    if any(sentence.asks for sentence in sentences) and not any(_to_be_kept(sentence) for sentence in sentences):
        reason = sentences[0]
        sentences = [_beside_a_request(sentence) for sentence in sentences]
        if _is_reason(reason) and any(sentence.asks for sentence in sentences[1:2]):
            sentences[0] = reason
    return sentences


def _parted(text: str) -> str:
    """Line breaks are white space, but where a line opens a request it was a message of its own."""
    lines = text.split("\n")
    for at, line in enumerate(lines[1:]):
        if line.partition(" ")[0] in cues.OPENING_A_REQUEST:
            before = lines[at].rstrip()
            if before and before[-1] not in _ENDS:
                lines[at] = before + ";"
    return "\n".join(lines)


def _is_reason(first: _Sentence) -> bool:
    """Whether a short fact in front of a request is why somebody asks, and no text to be worked on."""
    if first.does != "statement" or len(first.words) > _REASON_WORDS_MAX or first.words[0] in cues.NO_REASON:
        return False
    return not reacts(first.words, timed=False)


def _to_be_kept(sentence: _Sentence) -> bool:
    """Whether it asks that something be remembered, which is not asking for an answer."""
    return not sentence.distinct.isdisjoint(cues.KEEPING) and _KEEPS.search(sentence.text) is not None


def _beside_a_request(sentence: _Sentence) -> _Sentence:
    text, words, distinct, happened, does, _, _ = sentence
    if does not in ("statement", "to_you", "opinion", "wish") or discloses(text, words, distinct, happened=happened):
        return sentence
    if len(words) >= _FOREIGN_WORDS_MIN and distinct.isdisjoint(cues.EMPTY) and not _MARKUP.search(text):
        return sentence  # a language of which nothing is known keeps what it has
    answers = words[0] in cues.ANSWERING and cues.REACTING.isdisjoint(words[1:3])
    if (answers or technical(text)) and not reacts(words, timed=False):
        return sentence  # the answer to what was asked, or how somebody's systems are
    return sentence._replace(does="material", marks=_NOTHING)


def _judge(sentence: str) -> _Sentence:
    words = (_WORD if sentence.isascii() else _WORD_OF_ANY_SCRIPT).findall(sentence.lower())
    if not words:
        return _SILENCE
    distinct = frozenset(words)
    content = distinct - cues.EMPTY
    own = not distinct.isdisjoint(cues.ME)
    happened = own and has_happened(words)
    does = _does(sentence, words, distinct, content, happened=happened)
    asks = does in ("request", "wish") or (does == "question" and seeks(words, distinct, content))
    if own and does in ("question", "request", "wish"):
        does = _besides(does, sentence, words, distinct, happened=happened)
    _, share = _WORTH[does]
    marks = {}
    if share:
        marks = {mark: share * _MARKS[mark] for mark in _marked(sentence, words, distinct, happened=happened)}
        if content:
            marks["detail"] = share * _DETAIL * min(len(content), _DETAILS_MAX)
    return _Sentence(sentence, words, distinct, happened, does, marks, asks)


def _besides(does: str, sentence: str, words: list[str], distinct: frozenset[str], *, happened: bool) -> str:
    """What somebody does who asks and says "I" or "my": asks, or tells before asking, or on the way."""
    if discloses(sentence, words, distinct, happened=happened):
        # "I'm planning a trip, where should I go?" tells before it asks; "I'm looking for a flat near my school", too.
        if does == "wish" or (words[0] in cues.SPEAKER and (happened or underway(words) or usual(words, distinct))):
            return "statement"
        if happened or not distinct.isdisjoint(cues.CLOSE) or _DIGIT.search(sentence) or _NAME.search(sentence):
            return "aside"
        return does
    # "I'm worried about the exam on 3 May, can you help?"
    dated = not (distinct.isdisjoint(cues.SPEAKER) or distinct.isdisjoint(cues.DATES))
    return "aside" if dated and _DIGIT.search(sentence) else does


def _does(sentence: str, words: list[str], distinct: frozenset[str], content: frozenset[str], *, happened: bool) -> str:
    rest = words
    while len(rest) > 1 and rest[0] in cues.LEADING:
        rest = rest[1:]
    if questions(sentence, rest):
        return "question"
    if requests(sentence, rest, distinct):
        return "request"
    own, yours = not distinct.isdisjoint(cues.ME), not distinct.isdisjoint(cues.YOU)
    numbered = _DIGIT.search(sentence) is not None
    if not numbered and _says_nothing(words, distinct, content, own and yours):
        return "filler"
    if happened:
        return "statement"
    opening = frozenset(rest[:4])
    if yours and not (own and rest[0] in cues.ME):
        # "You sit by the window." tells something; "You did a great job!" does not.
        calm = "!" not in sentence and distinct.isdisjoint(cues.JUDGING)
        return "statement" if calm and (rest[0] in cues.YOU or instructs(rest)) else "to_you"
    if own and rest[0] in cues.ME:
        if not opening.isdisjoint(cues.SEEKING) and not distinct.isdisjoint(cues.SOUGHT) and "forward" not in opening:
            return "wish"
        return "statement" if opening.isdisjoint(cues.MIND) else "opinion"
    judges = not numbered and not own and rest[0] in cues.POINTING and not opening.isdisjoint(cues.JUDGING)
    return "opinion" if judges else "statement"


def _says_nothing(words: list[str], distinct: frozenset[str], content: frozenset[str], to_each_other: bool) -> bool:
    """Whether a sentence only keeps the talk going: "Thanks, Anna!", "So happy for you!", "It works."; not "Blue"."""
    if not content:
        return True
    chats = words[0] in cues.POINTING or not distinct.isdisjoint(cues.CHATTER)
    return chats and len(content) <= (2 if to_each_other else 1) and content.isdisjoint(cues.TELLING)


def _marked(sentence: str, words: list[str], distinct: frozenset[str], *, happened: bool) -> list[str]:
    found = [mark for mark, some in _CUES.items() if not distinct.isdisjoint(some)]
    if not distinct.isdisjoint(cues.ME):
        found.append("own")
    if happened:
        found.append("event")
    if _prefers(words, distinct):
        found.append("preference")
    if "number" not in found and _DIGIT.search(sentence):
        found.append("number")
    if _NAME.search(sentence) or _TITLE_OR_PATH.search(sentence):
        found.append("name")
    return found


def _prefers(words: list[str], distinct: frozenset[str]) -> bool:
    """Whether somebody likes something: "she really likes", not "it sounds like"."""
    liked = distinct & cues.PREFERENCES
    if liked != cues.LIKE:
        return bool(liked)
    return any(other == "like" and one in cues.LIKING for one, other in pairwise(words))
