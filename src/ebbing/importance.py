"""How much a text is worth keeping, guessed from its words, for callers who do not say.

A memory is worth what its best sentence is worth: a greeting in front of a fact takes nothing
away, and length by itself adds nothing. A sentence is first told apart by what it does (it
states, asks, reacts, or only keeps the talk going), and then gains for what makes a statement
worth finding again: who, when, how many, what happened, what was decided.

Pure and quick, no model. The cue words are English; in other languages a question mark, a
number, a date in digits and a name still say what they say, and the rest counts as a plain
statement.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

LOWEST: Final = 0.10
HIGHEST: Final = 0.95  # certainty is left to people
_CHARACTERS_MAX = 2_000  # what the beginning does not show, the end of a long text will not either

# What a sentence does: what it is worth for that alone, and how much of its gains count.
_WORTH: Final = MappingProxyType(
    {
        "statement": (0.30, 1.0),
        "to_you": (0.14, 0.3),  # speaks about the listener: praise and advice mostly
        "opinion": (0.12, 0.25),  # feels or thinks something about what was said
        "wish": (0.12, 0.25),  # asks in the form of a statement
        "material": (0.12, 0.15),  # comes with a request, and is what the request is about
        "request": (0.10, 0.15),
        "question": (0.10, 0.15),
        "filler": (0.10, 0.0),
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
_DETAIL = 0.04  # for each further thing a sentence speaks of …
_DETAILS_MAX = 7  # … up to this many


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_I = _words("i i'm i've i'd i'll we we're we've we'd we'll my our mine ours me us myself ourselves")
_YOU = _words("you you're you've you'd you'll your yours yourself yourselves ya y'all")
_GRAMMAR = _words(
    """a about above after again against all also am an and any are as at be because been before being below both but by
    can could did do does doing down during each even ever few for from further had has have having he her here hers him
    his how if in into is it its itself just more most nor not now of off on once only or other out over own same she
    should so some such than that the their theirs them then there these they this those though through to too under
    until up very was were what when where which while who whom why will with would yet isn't aren't wasn't weren't
    don't doesn't didn't can't couldn't won't wouldn't shouldn't haven't hasn't hadn't that's it's what's how's there's
    here's let's he's she's they're they've who's say said tell told come take keep make makes get got go let always
    still much many one thing things something anything everything nothing someone anyone everyone way kind bit lot"""
)
# What people say to keep a talk going: greetings, thanks, agreement, praise, wishes.
_CHATTER = _words(
    """hi hey hello hiya greetings dear morning afternoon evening night bye goodbye welcome please sorry thanks thank
    thx appreciate appreciated cheers congrats congratulations luck wish wishing hope hoping ok okay alright sure yes
    yeah yep yup no nope nah right exactly absolutely totally definitely certainly indeed true agree agreed oh ah aw aww
    wow whoa woah ooh hmm um uh haha hahaha lol well great good nice cool awesome amazing fantastic wonderful excellent
    perfect lovely sweet beautiful gorgeous stunning incredible impressive impressed interesting inspiring inspired
    inspiration fun funny helpful glad happy proud excited exciting thrilled grateful see seeing sound sounds look looks
    hear hearing heard feel think thought guess know mean means understand wait care talk chat soon later really pretty
    super lots stuff idea point sense deal"""
)
_EMPTY = _I | _YOU | _GRAMMAR | _CHATTER
_ASKING = _words("how what why which who whose")  # not when and where, which open statements as often
_REQUESTING = _words(
    """write rewrite explain give show list create generate summarize summarise translate describe act continue provide
    suggest recommend compare convert analyze analyse improve imagine help tell"""
)
_ASSERTING = _words("is was are were has had will")  # "List prices are …" asks for nothing
_LEADING = _words("please kindly now then also ok okay and so but well yes no great thanks")
_ABILITY = _words("can could would will")
_WANTING = _words("want need like will would")
_MIND = _words(
    """think guess believe hope feel wonder wondering curious agree understand mean impressed amazed glad happy
    proud sorry excited appreciate grateful thankful wish wishing imagine bet suppose interested"""
)
_JUDGING = _words(
    """amazing awesome great good nice cool wonderful fantastic incredible crazy interesting fascinating impressive
    inspiring beautiful lovely true sad unfortunate surprising exciting fun hard tough important clear helpful useful
    better best sounds seems looks feels"""
)
_POINTING = _words("it it's that that's this there there's they those these sounds looks seems")
_SEEKING = _words("looking wondering curious interested searching")
_SOUGHT = _words("for if in what how")
_NUMBERS = _words(
    """two three four five six seven eight nine ten eleven twelve dozen fifteen twenty thirty forty fifty hundred
    thousand million billion twice half quarter first second third"""
)
_TIMES = _words(
    """yesterday tomorrow tonight ago recently lately since monday tuesday wednesday thursday friday saturday sunday
    january february march april june july august september october november december weekend week weeks month months
    year years spring summer autumn winter daily weekly monthly yearly birthday anniversary deadline"""
)
_IDENTITIES = _words(
    """name named born birthday age pronouns nationality citizen religion native address phone email password
    allergic allergy allergies intolerant diagnosed diagnosis disease illness injury injured surgery hospital medication
    prescription diabetes asthma epilepsy cancer pregnant vegan vegetarian"""
)
_LIVES = _words(
    """live lives lived grew husband wife spouse partner married engaged divorced son daughter kid kids
    child children baby mother father mom mum dad parent parents brother sister sibling siblings grandmother grandfather
    grandma grandpa aunt uncle cousin niece nephew boyfriend girlfriend fiance fiancé fiancée family friend friends
    roommate neighbor neighbour colleague coworker boss manager dog cat pet pets puppy kitten
    job career company school university college degree student teacher engineer doctor nurse house apartment hometown
    salary therapy"""
)
_PREFERENCES = _words(
    """love loves loved like likes liked enjoy enjoys enjoyed prefer prefers preferred favorite favorites favourite
    favourites hate hates dislike dislikes fan passion passionate hobby"""
)
_COMMITMENTS = _words(
    """i'll we'll gonna plan plans planning planned promise promised decide decided decision agreed committed due
    scheduled booked signed goal goals intend must shall never always remember remind important ensure deadline
    appointment"""
)
_CORRECTIONS = _words(
    """actually instead anymore correction corrected changed switched replaced renamed wrong updated moved quit stopped
    cancelled canceled former formerly longer"""
)
_TELLING = _IDENTITIES | _LIVES | _TIMES | _COMMITMENTS | _CORRECTIONS
_TASKS = _TIMES | _COMMITMENTS
_DOERS = _words("i i've i'd we we've we'd")
_BETWEEN = _words("just also finally recently even once already actually both never only first have had been")
_DONE = _words(
    """was were did had went got made took bought saw met found gave won lost began came left ran wrote read spent
    taught built sold drove flew ate grew chose caught brought paid sent kept hurt broke slept swam rode sang fell held
    stood threw drew hid hit put cut led lent wore woke"""
)
# Ends like a deed and is a thought; what is here is no event.
_THOUGHT = _words(
    "wanted needed hoped realized realised wondered believed guessed imagined loved liked appreciated agreed"
)
_NOT_DONE = _words("no hoping wondering thinking looking curious")

_LABEL = re.compile(r"^[^\W\d_][\w.'-]*(?: [^\W\d_][\w.'-]*)?: ")  # "Anna: ", as transcripts have it
# Up to the mark that ends it; one inside a word ends nothing: 3.14, example.com/?q=1.
_SENTENCE = re.compile(r"[^.!?…;。！？؟]+(?:[.!?…](?=\w)[^.!?…;。！？؟]*)*[.!?…;。！？؟]*")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
# Scripts written without spaces give two characters for a word: about what a word has there.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
_WORD_OF_ANY_SCRIPT = re.compile(rf"[{_UNSPACED}]{{1,2}}|[^\W_{_UNSPACED}]+(?:'[^\W_]+)*")
_ASKS = re.compile(r"[?？؟]$")
_DIGIT = re.compile(r"\d")
# A capital inside a sentence; behind a comma somebody may be spoken to.
_NAME = re.compile(r" (?<=\w )(?!I\b)[A-ZÀ-ÖØ-ÞΑ-ΩА-Я]\w")
_TITLE_OR_PATH = re.compile(r"[\"“«`][^\"”»`]{2,60}[\"”»`]|\w[_/@]\w|\.[a-z]{2,4}\b|[a-z][A-Z]")


class _Sentence(NamedTuple):
    does: str
    marks: Mapping[str, float]  # what it gains, by what for

    @property
    def worth(self) -> float:
        return _WORTH[self.does][0] + sum(self.marks.values())


def estimate(text: str) -> float:
    """How important a text looks, from 0.1 for a greeting over about 0.5 for a plain fact to 0.95."""
    return round(min(max(sum(parts(text).values()), LOWEST), HIGHEST), 2)


def parts(text: str) -> Mapping[str, float]:
    """What the estimate is made of: what the best sentence does, and what it gains; they add up, within the bounds."""
    best = max(_judged(text), key=lambda sentence: sentence.worth, default=_Sentence("filler", {}))
    return MappingProxyType({best.does: _WORTH[best.does][0], **best.marks})


def _judged(text: str) -> list[_Sentence]:
    plain = " ".join(text.split())[:_CHARACTERS_MAX].replace("’", "'")
    sentences = [_judge(sentence) for sentence in _SENTENCE.findall(_LABEL.sub("", plain))]
    if any(sentence.does == "request" for sentence in sentences):
        # What comes with "summarize this" is there to be worked on, unless it is about whoever asks.
        sentences = [_as_material(sentence) for sentence in sentences]
    return sentences


def _as_material(sentence: _Sentence) -> _Sentence:
    if sentence.does != "statement" or "own" in sentence.marks:
        return sentence
    _, share = _WORTH["material"]
    return _Sentence("material", {mark: share * gain for mark, gain in sentence.marks.items()})


def _judge(sentence: str) -> _Sentence:
    words = (_WORD if sentence.isascii() else _WORD_OF_ANY_SCRIPT).findall(sentence.lower())
    if not words:
        return _Sentence("filler", {})
    distinct = frozenset(words)
    content = distinct - _EMPTY
    does = _does(sentence, words, distinct, content)
    _, share = _WORTH[does]
    if not share:
        return _Sentence(does, {})
    marks = {mark: share * _MARKS[mark] for mark in _marked(sentence, words, distinct)}
    if content:
        marks["detail"] = share * _DETAIL * min(len(content), _DETAILS_MAX)
    return _Sentence(does, marks)


def _does(sentence: str, words: list[str], distinct: frozenset[str], content: frozenset[str]) -> str:
    rest = words
    while len(rest) > 1 and rest[0] in _LEADING:
        rest = rest[1:]
    if _ASKS.search(sentence) or (rest[0] in _ASKING and ":" not in sentence):
        return "question"
    if _requests(rest) and distinct.isdisjoint(_TASKS):
        return "request"
    own, yours = not distinct.isdisjoint(_I), not distinct.isdisjoint(_YOU)
    numbered = _DIGIT.search(sentence) is not None
    if not numbered and _says_nothing(words, distinct, content, own and yours):
        return "filler"
    if own and _happened(words):
        return "statement"
    opening = frozenset(rest[:4])
    if yours and not (own and rest[0] in _I):
        # "You sit by the window." tells something; "You did a great job!" does not.
        calm = rest[0] in _YOU and "!" not in sentence and distinct.isdisjoint(_JUDGING)
        return "statement" if calm else "to_you"
    if own and rest[0] in _I:
        if not opening.isdisjoint(_SEEKING) and not distinct.isdisjoint(_SOUGHT):
            return "wish"
        return "statement" if opening.isdisjoint(_MIND) else "opinion"
    judges = not numbered and not own and rest[0] in _POINTING and not opening.isdisjoint(_JUDGING)
    return "opinion" if judges else "statement"


def _requests(words: list[str]) -> bool:
    if words[0] in _REQUESTING:
        return _ASSERTING.isdisjoint(words[1:4])
    if words[0] in _ABILITY and words[1:2] == ["you"]:
        return True
    # "I want you to …"
    return words[0] in _DOERS and not _WANTING.isdisjoint(words[1:2]) and "you" in words[2:5]


def _says_nothing(words: list[str], distinct: frozenset[str], content: frozenset[str], to_each_other: bool) -> bool:
    """Whether a sentence only keeps the talk going: "Thanks, Anna!", "So happy for you!", "It works."; not "Blue"."""
    if not content:
        return True
    chats = words[0] in _POINTING or not distinct.isdisjoint(_CHATTER)
    return chats and len(content) <= (2 if to_each_other else 1) and content.isdisjoint(_TELLING)


def _happened(words: list[str]) -> bool:
    """Whether the speaker tells of something they did: "I finally moved", "we just had", not "I had no idea"."""
    for at, word in enumerate(words):
        if word not in _DOERS:
            continue
        for verb, follows in zip(words[at + 1 : at + 4], [*words[at + 2 : at + 5], ""], strict=False):
            if verb in _THOUGHT or follows in _NOT_DONE:
                break
            if verb in _DONE or (verb.endswith("ed") and not verb.endswith("eed")):
                return True
            if verb not in _BETWEEN:
                break
    return False


def _marked(sentence: str, words: list[str], distinct: frozenset[str]) -> list[str]:
    found = [mark for mark, cues in _CUES.items() if not distinct.isdisjoint(cues)]
    if "number" not in found and _DIGIT.search(sentence):
        found.append("number")
    if "own" in found and _happened(words):
        found.append("event")
    if _NAME.search(sentence) or _TITLE_OR_PATH.search(sentence):
        found.append("name")
    return found


_CUES: Final = MappingProxyType(
    {
        "own": _I,
        "number": _NUMBERS,
        "time": _TIMES,
        "identity": _IDENTITIES,
        "life": _LIVES,
        "preference": _PREFERENCES,
        "commitment": _COMMITMENTS,
        "correction": _CORRECTIONS,
    }
)
