"""A long text as facts: single, complete in themselves, in the text's own words.

Without a language model. What asks, greets or thanks is left out; what is said twice is said once; days are written
as dates. A fact never says more than the text: text/facts/clauses.py leaves whole what it cannot take apart safely, and
a pronoun that could be two things stays a pronoun. What a fact is worth, and whether it is one, is not decided here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from ..text.dates import resolved
from ..text.facts.clauses import as_sentence, phrases
from ..text.facts.coreference import Mentions, words_of
from ..text.facts.first_person import told_of
from ..text.facts.questions import stated
from ..text.facts.structure import main_clause
from ..text.facts.tagger import tagged
from ..text.facts.tokenizer import FINITE, NOMINAL, Kind, Phrase, has_clause, made
from ..text.facts.word_classes import AUXILIARIES, BE, May
from ..text.sentences import Sentence, sentences
from ..text.terms import normalised

_ROLES = {
    **dict.fromkeys(("user", "human", "customer"), "the user"),
    **dict.fromkeys(("assistant", "ai", "bot", "agent"), "the assistant"),
}
_POINTING = frozenset("it this that he she they these those there".split())
_TO_SOMETHING = frozenset("it that this them those these there".split())
_SEEMING = frozenset("sounds looks seems feels here".split())
_RULING = frozenset("always never must not".split())
_VERBAL = frozenset({*FINITE, Kind.POSS})  # in `family's important` the last may be a verb
_TELLING_MIN = 2  # nouns: with fewer behind an open pronoun nobody who was not there understands it
_SEEKS = re.compile(
    r"\bI(?:'m| am) (?:also |just |now |currently |really )*(?:looking for|interested in|wondering|curious)\b.*"
    r"\b(?:recommendations?|suggestions?|tips|advice|ideas|help|information|resources|ways)\b"
    r"|\bI(?:'d| would) (?:really |also )?(?:like|love) (?:to (?:know|learn|hear|see|understand|ask)|some|your)\b"
    r"|\b(?:need|want) (?:your|some) (?:help|advice|tips|ideas|suggestions|recommendations)\b",
)
# How people begin a question or a request to whoever listens, when they write no question mark.
_ASKS_OPENLY = re.compile(
    r"(?:(?:and|so|but|ok|okay|hey|hi|also|well|oh|um|thanks|great|cool|nice)[,.!]? )*(?:"
    r"(?:is|are|was|were|do|does|did|can|could|would|will|should|has|have|may|might) (?:it|this|that|there|the|you|i|we"
    r"|he|she|they|my|your|our|a|an|any|anyone|somebody|someone)\b"
    r"|(?:what|where|who|how|why|when|which)(?:['’]?s|['’]?re| (?:is|are|was|were|do|does|did|can|could|would|should"
    r"|will|about|if|to|kind|else|time|much|many))\b"
    r"|(?:give|tell|show|help|list|send|write|draft|remind|get|find|make|let) (?:me|us)\b"
    r"|(?:kannst|könntest|hast|weißt|magst|würdest|kann) (?:du|ich|man)\b"
    r"|(?:wie|was|warum|wo|wann|wer) (?:\w+ )?(?:ich|du|man|ist|sind|geht|heißt)\b"
    r"|¿|(?:puedes|podrías|sabes|quieres)\b|(?:peux|pourrais|sais)[- ]tu\b|est-ce que\b"
    r"|(?:puoi|potresti|sai)\b|(?:você )?(?:pode|poderia|consegue) (?:me|você)\b)",
    re.IGNORECASE,
)
# `What I need is`, `what is more`: these tell.
_NO_QUESTION = re.compile(r"(?:what|where|who|how|when|which)['’]?s? (?:i|we|matters|worse|more|my)\b", re.IGNORECASE)
_GREETING = re.compile(
    r"(?:hi|hello|hey|bye|goodbye|good (?:morning|evening|night)|(?:thanks|thank you)(?: (?:so|very) much| a lot)?"
    r"(?: for [^,;:\d]+)?)(?:,? \w+)?\W*"
    r"|(?:(?:yes|yeah|yep|yup|no|nope|ok|okay|sure|please|great|perfect|cool|nice|good|right|exactly|fine|thx|lol"
    r"|go ahead|sounds good|got it|will do|never ?mind)\W*)+",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")


class Told(NamedTuple):
    """A fact, and the sentence that says it."""

    text: str
    sentence: str


def decomposed(text: str, *, at: datetime, speaker: str | None = None) -> list[str]:
    """What a text says, fact by fact, in its order; `at` is when it was said, `speaker` who says `I` in it."""
    return [one.text for one in told(text, at=at, speaker=speaker)]


def told(text: str, *, at: datetime, speaker: str | None = None, is_talk: bool = False) -> list[Told]:
    """The same with the sentence of each. `is_talk`: it is said to somebody, so scraps and praise are no facts."""
    found: dict[str, Told] = {}
    days = _Days(at)
    for sentence, said in _facts(text, speaker, is_talk=is_talk):
        dated = days.written(said, sentence)
        found.setdefault(normalised(dated), Told(dated, sentence))
    return list(found.values())


class _Days:
    """Writes the days of facts as dates, and asks once for each sentence whether there is anything to write."""

    def __init__(self, at: datetime) -> None:
        self._at = at
        self._asked: tuple[str, bool] = ("", False)

    def written(self, fact: str, sentence: str) -> str:
        if self._asked[0] != sentence:
            self._asked = (sentence, resolved(sentence, self._at) != sentence)
        # `… on 28 May 2014, and on 30 May in Rome`: the second day is none of the year in which this is read.
        has_lost_year = bool(_YEAR.search(sentence)) and not _YEAR.search(fact)
        return resolved(fact, self._at) if self._asked[1] and not has_lost_year else fact


def _facts(text: str, speaker: str | None, *, is_talk: bool) -> Iterator[tuple[str, str]]:
    mentions = Mentions()
    read = sentences(text)
    for place, sentence in enumerate(read):
        if sentence.is_apart or sentence.is_item:
            mentions = Mentions()
        mentions.next_sentence()
        if _opens_list(read, place):
            continue
        for said in _stated(sentence):
            yield from (
                (sentence.text, fact) for fact in _told(said, mentions, sentence.speaker or speaker, is_talk=is_talk)
            )


def _stated(sentence: Sentence) -> Iterator[Sentence]:
    """A sentence without what it asks: itself, a part or two of it, or nothing."""
    parts_ = stated(sentence.text)
    yield from [sentence] if parts_ is None else (sentence._replace(text=text) for text in parts_)


def _told(sentence: Sentence, mentions: Mentions, speaker: str | None, *, is_talk: bool) -> Iterator[str]:
    """The facts of a sentence that asks nothing."""
    is_talk = is_talk or speaker is not None
    if _is_unsaid(sentence, is_talk=is_talk):
        return
    name = words_of(_ROLES.get(speaker.lower(), speaker)) if speaker else None
    for phrase in _phrases(sentence):
        told = mentions.resolved(phrase)
        mentions.note(told)
        if _is_stump(told) or (not sentence.is_item and _is_fragment(told, is_talk=is_talk)):
            continue
        fact = as_sentence(told_of(_with_subject(told, name), name) if name else told)
        if fact and not _is_asked(fact):
            yield fact


def _with_subject(tokens: Phrase, name: Phrase) -> Phrase:
    """`Just got new shoes`, said by somebody: they just got new shoes."""
    verb = next((token for token in tokens if token.kind is not Kind.ADV), tokens[0])
    if verb.kind in (Kind.AUX, Kind.NUM) or not verb.may & May.PAST or main_clause(tokens) is not None:
        return tokens
    return (*name, tokens[0].respelled(tokens[0].lower), *tokens[1:])


def _phrases(sentence: Sentence) -> list[Phrase]:
    """A sentence's facts; an item of a list together with what it stands under, where it is no sentence by itself."""
    if not sentence.is_item or not sentence.lead:
        return phrases(sentence.text)
    item, lead = tagged(sentence.text), tagged(sentence.lead)
    if _ends_open(lead):
        return [(*_open_lead(lead), *_small(item))]
    if main_clause(item) is not None:
        return phrases(sentence.text)
    if _opens_with_verb(item) and _is_name(lead):
        return phrases(f"{sentence.lead} {sentence.text[0].lower()}{sentence.text[1:]}")
    return [(*lead, made(":", Kind.BREAK, spaced=False), *item)]


def _ends_open(lead: Phrase) -> bool:
    """Whether a line waits for what follows: `The supported formats are`."""
    return bool(lead) and lead[-1].kind in (*FINITE, Kind.PREP, Kind.TO) and has_clause(lead)


def _open_lead(lead: Phrase) -> Phrase:
    """`The four winners were`, followed by only one of them: `the four winners included`."""
    verb = lead[-1]
    if verb.lower not in ("are", "were") or len(lead) < 2 or lead[-2].kind not in NOMINAL:
        return lead
    return (*lead[:-1], verb.respelled("include" if verb.lower == "are" else "included"))


def _opens_with_verb(item: Phrase) -> bool:
    return bool(item) and bool(item[0].may & (May.SINGULAR | May.PAST) or item[0].lower in AUXILIARIES)


def _is_name(lead: Phrase) -> bool:
    return bool(lead) and all(token.kind in (*NOMINAL, Kind.DET, Kind.ADJ, Kind.PREP, Kind.POSS) for token in lead)


def _small(item: Phrase) -> Phrase:
    first = item[0]
    is_plain = first.kind in (Kind.DET, Kind.PRON) and first.text != "I"
    return (first.respelled(first.text.lower()), *item[1:]) if is_plain else item


def _opens_list(read: list[Sentence], place: int) -> bool:
    return read[place].text.endswith((":", "：")) and place + 1 < len(read) and read[place + 1].lead is not None


def _is_unsaid(sentence: Sentence, *, is_talk: bool) -> bool:
    """Whether a sentence only keeps a talk going: it greets, thanks, or speaks of whoever listens."""
    text = sentence.text.replace("’", "'")
    if not any(map(str.isalnum, text)):
        return True
    if sentence.is_item:
        return False
    if is_talk and _ASKS_OPENLY.match(text) and not _NO_QUESTION.match(text):
        return True
    is_to_you = is_talk and text.lower().startswith(("you ", "your ", "you're ", "you've "))
    return is_to_you or bool(_SEEKS.search(text)) or bool(_GREETING.fullmatch(text))


def _is_asked(fact: str) -> bool:
    return fact.rstrip("\"'”’») ").endswith(("?", "？", "؟"))


def _is_stump(tokens: Phrase) -> bool:
    """Whether too little is said to be understood by whoever was not there: `It was great`, `I've been enjoying it`."""
    if not tokens:
        return True
    telling = [token for place, token in enumerate(tokens) if token.kind in NOMINAL or _is_deed(tokens, place)]
    if not telling:
        return len(tokens) < 3 or any(token.lower in _TO_SOMETHING or token.lower == "we" for token in tokens)
    if tokens[0].lower in _SEEMING or tokens[-1].kind in (Kind.NEG, Kind.AUX):
        return True
    if tokens[0].lower not in _POINTING or tokens[0].kind not in (Kind.PRON, Kind.DET):
        return False
    if any(token.kind is not Kind.NOUN for token in telling):
        return False
    is_said_of_it = tokens[0].kind is Kind.PRON and any(token.lower in BE for token in tokens[1:3])
    if is_said_of_it and tokens[0].lower in ("it", "this", "that"):
        return not any(token.kind in (Kind.SUB, Kind.TO) for token in tokens[:6])
    return len(telling) < _TELLING_MIN


def _is_deed(tokens: Phrase, place: int) -> bool:
    """`typing` in `it offers dynamic typing`; not in `she is typing`."""
    return tokens[place].kind is Kind.ING and place > 0 and tokens[place - 1].kind not in (Kind.AUX, Kind.BE, Kind.ADV)


def _is_fragment(tokens: Phrase, *, is_talk: bool) -> bool:
    """Whether this states nothing: `Too bad, Anna`, `have fun`, `let's go`; not `Budget: 5k`, `never push to main`."""
    if any(token.kind in (Kind.NUM, Kind.BREAK) for token in tokens):
        return False
    words = {token.lower for token in tokens}
    if tokens[0].lower == "let":
        return True
    is_order = bool(tokens[0].may & May.BASE) or tokens[0].lower in ("do", "have", "be")
    if is_order and main_clause(tokens) is None:
        return not words & _RULING and not any(token.kind is Kind.NAME for token in tokens[1:])
    return is_talk and not any(
        token.kind in _VERBAL or token.may & May.PAST or _may_be_verb(tokens, place)
        for place, token in enumerate(tokens)
    )


def _may_be_verb(tokens: Phrase, place: int) -> bool:
    """Whether what was taken for a noun may be the verb of a noun before it: `tests pass`, `always use tabs`."""
    if not place or not tokens[place].may & (May.BASE | May.SINGULAR):
        return False
    before = tokens[place - 1]
    return before.kind in (*NOMINAL, Kind.COMMA, Kind.NEG) or before.lower in _RULING
