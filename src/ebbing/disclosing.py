"""Whether people tell something of themselves in a sentence, and do not only answer to what they heard (importance.py).

What they did, are at, commonly do and have counts, and with whom they live and work. "I never knew", "I'll try that"
and "my daily life" do not: anybody could have said them.
"""

from __future__ import annotations

import re
from itertools import pairwise

from . import cues
from .requesting import ASKS

_NAME_OR_NUMBER = re.compile(r"\d|\w (?!I\b)[A-Z]")
_EXHIBIT = re.compile(r"\s*[\"“«\[{<|#*`]")  # quoted, marked up, or code


def discloses(sentence: str, words: list[str], distinct: frozenset[str], *, happened: bool) -> bool:
    """Whether speakers tell something of their own lives."""
    if _EXHIBIT.match(sentence):
        return False
    if happened:
        return True
    if distinct.isdisjoint(cues.SPEAKER):
        return _ours(words, distinct) or underway(words)
    if words[0] in cues.POINTING and distinct.isdisjoint(cues.WAS):
        return False
    if underway(words) or usual(words, distinct) or _states(words) or _ours(words, distinct):
        return True
    if reacts(words, timed=not distinct.isdisjoint(cues.DATES)):
        return False
    if not distinct.isdisjoint(cues.MINE) and _possesses(sentence, words):
        return True
    if "i" in distinct and _specific(sentence, words):
        return True
    return not (sentence.endswith(ASKS) or distinct.isdisjoint(cues.DISCLOSING))


def has_happened(words: list[str]) -> bool:
    """Whether the speaker tells of something they did: "I finally moved", "we just had", not "I had no idea"."""
    for at, word in enumerate(words):
        if word not in cues.DOERS or (at and words[at - 1] in cues.UNREAL):
            continue
        for verb, follows in zip(words[at + 1 : at + 4], [*words[at + 2 : at + 5], ""], strict=False):
            if verb in cues.THOUGHT or follows in cues.NOT_DONE:
                break
            if verb == "never" and follows in cues.UNTRIED and "before" in words:
                break
            if verb in cues.DONE or (verb.endswith("ed") and not verb.endswith("eed")):
                return True
            if verb not in cues.BETWEEN:
                break
    return False


def underway(words: list[str]) -> bool:
    """Whether speakers are at something: "I'm planning", "I have been learning"; not "I'm wondering", "when I'm"."""
    for at, word in enumerate(words):
        if word not in cues.AT_IT and not (word == "i" and not cues.BEING.isdisjoint(words[at + 1 : at + 2])):
            continue
        if at and words[at - 1] in cues.SUBORDINATE:
            continue
        for verb in words[at + 1 : at + 4]:
            if verb.endswith("ing"):
                # "I'm thinking of trying one" answers to what was heard.
                return verb not in cues.NOT_UNDERWAY and not (verb == "thinking" and "trying" in words)
            if verb == "definitely" or not (verb in cues.PASSING or verb.endswith("ly")):
                break
    return False


def reacts(words: list[str], *, timed: bool) -> bool:
    """Whether the first thing that speakers say of themselves is a thought, or an intention for no time."""
    for at, word in enumerate(words):
        if word in cues.MINE:
            return False
        if word in cues.SPEAKER:
            if word in cues.INTENDING:
                return not timed
            for verb, follows in zip(words[at + 1 : at + 5], [*words[at + 2 : at + 6], ""], strict=False):
                if verb in cues.MUSING:
                    return True
                if verb in cues.INTENDING or (verb == "going" and follows == "to"):
                    # "I need to have my bike repaired" tells of the bike.
                    return not timed and not (verb == "need" and not cues.MINE.isdisjoint(words))
                if verb not in cues.PASSING:
                    return verb in cues.LIKED and follows in cues.THAT
            return False
    return False


def usual(words: list[str], distinct: frozenset[str]) -> bool:
    """Whether speakers tell what they commonly do, are or have: "I never eat pork", "I'm a nurse", "I have two cats";
    not "I never knew", "I'm a bit tired", "I have a question"."""
    if distinct.isdisjoint(cues.USUAL):
        return False
    for at, word in enumerate(words):
        if word not in cues.STATING:
            continue
        after = words[at + 1 : at + 4] if word == "i" else ["am", *words[at + 1 : at + 3]]
        verb, what, which = [*after, "", "", ""][:3]
        if verb in cues.HABITUAL or (verb in cues.HAVING and what in cues.SOME and which not in cues.NOTHING_HAD):
            return True
        if verb in cues.HABITUALLY and what not in cues.NO_HABIT and not what.endswith("ed"):
            return True
    return False


def _states(words: list[str]) -> bool:
    """Whether speakers say what they do or like, as it is and not as it might be: "I visualize my goals", "I just love
    watching tennis"; not "I love that", "if I run"."""
    for at, word in enumerate(words):
        if word != "i" or (at and words[at - 1] in cues.BEFORE_NO_STATEMENT):
            continue
        rest = [other for other in words[at + 1 : at + 6] if other not in cues.STRESSING]
        verb, what = [*rest, "", ""][:2]
        if verb in cues.LOVING:
            return bool(what) and what not in cues.NOT_LOVED
        if what and verb not in cues.NO_STATE and not verb.endswith(("ed", "ing")):
            return True
    return False


def _specific(sentence: str, words: list[str]) -> bool:
    """Whether speakers say something of themselves that has a name or a number in it: "I drive an old Volvo"; not "Can
    I drive to Faro", "if I drive to Faro"."""
    at = words.index("i")
    verb = words[at + 1 : at + 2]
    if not verb or not cues.NO_STATE.isdisjoint(verb) or (at and words[at - 1] in cues.UNSTATED):
        return False
    return _NAME_OR_NUMBER.search(sentence) is not None


def _ours(words: list[str], distinct: frozenset[str]) -> bool:
    """Whether it is about a household or a team, and not everybody: "our son", "We use tabs", "The project …"."""
    if words[0] in cues.OPENING_OURS and words[1:2] and words[1] not in cues.SHARED:
        return True
    if distinct.isdisjoint(cues.OWNABLE):
        return False
    return any(other in cues.OWNED.get(one, ()) for one, other in pairwise(words))


def _possesses(sentence: str, words: list[str]) -> bool:
    """Whether something is told of what is the speaker's: "my dog", "My diet is vegan", "a budget of 500 euros for my
    home"; not "my daily life", which everybody has."""
    if (words[0] in cues.MINE and not sentence.endswith(ASKS)) or _NAME_OR_NUMBER.search(sentence):
        return True
    for at, word in enumerate(words):
        if word in cues.MINE:
            what = next((other for other in words[at + 1 : at + 4] if other not in cues.QUALIFYING), "")
            if what not in cues.EVERYBODYS:
                return True
    return False
