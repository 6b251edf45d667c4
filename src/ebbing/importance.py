"""How much a text is worth keeping, guessed from its words, for callers who do not say.

A memory is worth what its best sentence is worth: a greeting in front of a fact takes nothing
away, and length by itself adds nothing. A sentence is first told apart by what it does (it
states, asks, reacts, or only keeps the talk going), and then gains for what makes a statement
worth finding again: who, when, how many, what happened, what was decided.

Beside a request for a text or an answer ("Explain …", "What are …?", "Can you recommend …") only
what people tell of themselves is worth something: what they did, are at, have, prefer. The rest is
there to be worked on, or answers an answer, and anybody could have written it.

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

_LABEL = re.compile(r"^[^\W\d_][\w.'-]*(?: [^\W\d_][\w.'-]*)?: ")  # "Anna: ", as transcripts have it
# Up to the mark that ends it; one inside a word ends nothing: 3.14, example.com/?q=1.
_SENTENCE = re.compile(r"[^.!?…;。！？؟]+(?:[.!?…](?=\w)[^.!?…;。！？؟]*)*[.!?…;。！？؟]*")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
# Scripts written without spaces give two characters for a word: about what a word has there.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
_WORD_OF_ANY_SCRIPT = re.compile(rf"[{_UNSPACED}]{{1,2}}|[^\W_{_UNSPACED}]+(?:'[^\W_]+)*")
_ASKS = ("?", "？", "؟")
# Not "which" and "who", which go on with what was said.
_ASKS_LATER = re.compile(r", (?:what|how|why) (?:is|are|was|were|do|does|did|can|could|should|would) ")
_ASKS_YOU = re.compile(r"\b(?:can|could) you ")
_KEEPS = re.compile(r"(?i)(?<!\bi )\b(?:remember|memori[sz]e|keep in mind|(?:do not|don't) forget|note that)\b")
_EXHIBIT = re.compile(r"\s*[\"“«\[{<|#*`]")  # quoted, marked up, or code
_DIGIT = re.compile(r"\d")
# A capital inside a sentence; behind a comma somebody may be spoken to.
_NAME = re.compile(r" (?<=\w )(?!I\b)[A-ZÀ-ÖØ-ÞΑ-ΩА-Я]\w")
_TITLE_OR_PATH = re.compile(r"[\"“«`][^\"”»`]{2,60}[\"”»`]|\w[_/@]\w|\.[a-z]{2,4}\b|[a-z][A-Z]")


# Names of files, hosts, settings, versions: they stand in nobody's essay.
_TECHNICAL = re.compile(
    r"\w[/=_]\w|[a-z][A-Z]|\b\w+(?:\.\w+)*:\d{2,5}\b|\b\w+\.(?:json|toml|ya?ml|py|js|ts|go|rs|md|sh|sql|io|dev|internal|local)\b"
    r"|\b[A-Z][a-z]+ \d+\.\d+\b|\b\d+\.\d+\.\d+\b|\b[A-Z]+\d{2,}\b|\b[a-z]+-\d+\b"
)


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
    best = max(_judged(text), key=lambda sentence: sentence.worth, default=_SILENCE)
    return MappingProxyType({best.does: _WORTH[best.does][0], **best.marks})


def _judged(text: str) -> list[_Sentence]:
    plain = " ".join(text.split())[:_CHARACTERS_MAX].replace("’", "'")
    sentences = [_judge(sentence) for sentence in _SENTENCE.findall(_LABEL.sub("", plain))]
    if any(sentence.asks for sentence in sentences) and not any(_to_be_kept(sentence) for sentence in sentences):
        reason = sentences[0]
        sentences = [_beside_a_request(sentence) for sentence in sentences]
        if (
            reason.does == "statement"
            and len(reason.words) <= _REASON_WORDS_MAX
            and any(s.asks for s in sentences[1:2])
        ):
            sentences[0] = reason  # one short fact and then the request: why somebody asks, and no text to be worked on
    return sentences


def _to_be_kept(sentence: _Sentence) -> bool:
    """Whether it asks that something be remembered, which is not asking for an answer."""
    return not sentence.distinct.isdisjoint(cues.KEEPING) and _KEEPS.search(sentence.text) is not None


def _beside_a_request(sentence: _Sentence) -> _Sentence:
    text, words, distinct, happened, does, _, _ = sentence
    if does not in ("statement", "to_you", "opinion") or _discloses(text, words, distinct, happened=happened):
        return sentence
    if len(words) >= _FOREIGN_WORDS_MIN and distinct.isdisjoint(cues.EMPTY):
        return sentence  # a language of which nothing is known keeps what it has
    if _TECHNICAL.search(text) or words[0] in cues.ANSWERING:
        return sentence  # how somebody's systems are, or the answer to what was asked
    return sentence._replace(does="material", marks=_NOTHING)


def _judge(sentence: str) -> _Sentence:
    words = (_WORD if sentence.isascii() else _WORD_OF_ANY_SCRIPT).findall(sentence.lower())
    if not words:
        return _SILENCE
    distinct = frozenset(words)
    content = distinct - cues.EMPTY
    own = not distinct.isdisjoint(cues.ME)
    happened = own and _happened(words)
    does = _does(sentence, words, distinct, content, happened=happened)
    asks = does in ("request", "wish") or (does == "question" and _seeks(words, distinct, content))
    if own and does in ("question", "request", "wish") and _discloses(sentence, words, distinct, happened=happened):
        # "I'm planning a trip, where should I go?" tells before it asks; "I'm looking for a flat near my school", too.
        tells = does == "wish" or (words[0] in cues.SPEAKER and (happened or _underway(words)))
        does = "statement" if tells else "aside"
    _, share = _WORTH[does]
    marks = {}
    if share:
        marks = {mark: share * _MARKS[mark] for mark in _marked(sentence, words, distinct, happened=happened)}
        if content:
            marks["detail"] = share * _DETAIL * min(len(content), _DETAILS_MAX)
    return _Sentence(sentence, words, distinct, happened, does, marks, asks)


def _does(sentence: str, words: list[str], distinct: frozenset[str], content: frozenset[str], *, happened: bool) -> str:
    rest = words
    while len(rest) > 1 and rest[0] in cues.LEADING:
        rest = rest[1:]
    if _questions(sentence, rest):
        return "question"
    if _requests(sentence, rest) and distinct.isdisjoint(cues.TASKS):
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
        calm = rest[0] in cues.YOU and "!" not in sentence and distinct.isdisjoint(cues.JUDGING)
        return "statement" if calm else "to_you"
    if own and rest[0] in cues.ME:
        if not opening.isdisjoint(cues.SEEKING) and not distinct.isdisjoint(cues.SOUGHT) and "forward" not in opening:
            return "wish"
        return "statement" if opening.isdisjoint(cues.MIND) else "opinion"
    judges = not numbered and not own and rest[0] in cues.POINTING and not opening.isdisjoint(cues.JUDGING)
    return "opinion" if judges else "statement"


def _questions(sentence: str, words: list[str]) -> bool:
    """Whether it is a question, with its mark or without; "How to deploy: run make ship" is none."""
    if sentence.endswith(_ASKS):
        return True
    inverted = not cues.INVERTED.isdisjoint(words[1:2])
    if words[0] in cues.ASKING and (inverted or ":" not in sentence):
        return True
    if words[0] in cues.PLACED and inverted:
        return True
    if words[0] in cues.INVERTED and "," not in sentence and not cues.SUBJECTS.isdisjoint(words[1:2]):
        return words[:2] not in (["do", "it"], ["do", "this"], ["do", "that"])  # these order something
    return _ASKS_LATER.search(sentence) is not None


def _requests(sentence: str, words: list[str]) -> bool:
    if words[0] in cues.REQUESTING:
        return not (_asserts(words) or _rules(sentence, words))
    if words[1:2] and words[1] in cues.OBJECTS.get(words[0], ()):
        return True
    if "you" not in words:
        return False
    if _ASKS_YOU.search(sentence) or (words[0] in cues.ABILITY and words[1] == "you"):
        return True
    # "I want you to …"
    return words[0] in cues.DOERS and not cues.WANTING.isdisjoint(words[1:2]) and "you" in words[2:5]


def _asserts(words: list[str]) -> bool:
    """Whether what looks like an order begins with a noun: "Write access is limited"; not "Explain what it is"."""
    at = next((place for place, word in enumerate(words[1:6], 1) if word in cues.ASSERTING), 0)
    return at > 1 and cues.ASKING.isdisjoint(words[1:at])


def _rules(sentence: str, words: list[str]) -> bool:
    """Whether it says how something is done here, and not what is to be done now: "Discuss prices only with Maria",
    "Design tokens live in ui/tokens.json"."""
    if words[0] not in cues.WORDING and not cues.RULING.isdisjoint(words):
        return True
    return cues.DETERMINING.isdisjoint(words[1:2]) and _TECHNICAL.search(sentence) is not None


def _seeks(words: list[str], distinct: frozenset[str], content: frozenset[str]) -> bool:
    """Whether a question asks what anybody may know: "How do tides work?", not "How was your day?"."""
    if not content or distinct.isdisjoint(cues.ENGLISH):
        return False
    if distinct.isdisjoint(cues.YOU):
        return True
    at = words.index("you") if "you" in distinct else 0
    return at > 0 and (words[at - 1] in cues.ABILITY or not cues.ASSISTING.isdisjoint(words[at + 1 : at + 3]))


def _discloses(sentence: str, words: list[str], distinct: frozenset[str], *, happened: bool) -> bool:
    """Whether speakers tell something of their own lives, and do not only answer to what they heard."""
    if _EXHIBIT.match(sentence):
        return False
    if happened:
        return True
    if distinct.isdisjoint(cues.SPEAKER):
        return _ours(words, distinct) or _underway(words)
    if words[0] in cues.POINTING and distinct.isdisjoint(cues.WAS):
        return False
    if _underway(words):
        return True
    if _reacts(words, timed=not distinct.isdisjoint(cues.TIMES)):
        return False
    return not distinct.isdisjoint(cues.MINE) or not (sentence.endswith(_ASKS) or distinct.isdisjoint(cues.TELLING))


def _ours(words: list[str], distinct: frozenset[str]) -> bool:
    """Whether it is about a household or a team, and not everybody: "our son", "We use tabs", "The project …"."""
    if words[0] in cues.OPENING_OURS and words[1:2] and words[1] not in cues.SHARED:
        return True
    if distinct.isdisjoint(cues.OWNABLE):
        return False
    return any(other in cues.OWNED.get(one, ()) for one, other in pairwise(words))


def _underway(words: list[str]) -> bool:
    """Whether speakers are at something: "I'm planning", "I have been learning"; not "I'm wondering"."""
    for at, word in enumerate(words):
        if word in cues.AT_IT or (word == "i" and not cues.BEING.isdisjoint(words[at + 1 : at + 2])):
            for verb in words[at + 1 : at + 4]:
                if verb.endswith("ing"):
                    return verb not in cues.NOT_UNDERWAY
                if verb == "definitely":
                    break
    return False


def _reacts(words: list[str], *, timed: bool) -> bool:
    """Whether the first thing that speakers say of themselves is a thought, or an intention for no time."""
    for at, word in enumerate(words):
        if word in cues.MINE:
            return False
        if word in cues.SPEAKER:
            if word in cues.INTENDING:
                return not timed
            for verb in words[at + 1 : at + 5]:
                if verb in cues.MUSING:
                    return True
                if verb in cues.INTENDING:
                    return not timed
                if verb not in cues.PASSING:
                    return verb in cues.LIKED and not cues.THAT.isdisjoint(words[at + 2 : at + 3])
            return False
    return False


def _says_nothing(words: list[str], distinct: frozenset[str], content: frozenset[str], to_each_other: bool) -> bool:
    """Whether a sentence only keeps the talk going: "Thanks, Anna!", "So happy for you!", "It works."; not "Blue"."""
    if not content:
        return True
    chats = words[0] in cues.POINTING or not distinct.isdisjoint(cues.CHATTER)
    return chats and len(content) <= (2 if to_each_other else 1) and content.isdisjoint(cues.TELLING)


def _happened(words: list[str]) -> bool:
    """Whether the speaker tells of something they did: "I finally moved", "we just had", not "I had no idea"."""
    for at, word in enumerate(words):
        if word not in cues.DOERS or (at and words[at - 1] in cues.UNREAL):
            continue
        for verb, follows in zip(words[at + 1 : at + 4], [*words[at + 2 : at + 5], ""], strict=False):
            if verb in cues.THOUGHT or follows in cues.NOT_DONE:
                break
            if verb in cues.DONE or (verb.endswith("ed") and not verb.endswith("eed")):
                return True
            if verb not in cues.BETWEEN:
                break
    return False


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
