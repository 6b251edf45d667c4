"""Whether a sentence asks: a question, or an order for a text or an answer (importance.py).

What begins like an order is not always one. "Write tests before code" says how things are done, and "Write access is
limited" begins with a noun: what tells them from "Write a poem" is the word behind the verb, and whether it says when,
where or how.
"""

from __future__ import annotations

import re
from itertools import pairwise

from . import cues

ASKS = ("?", "？", "؟")
_TASK_WORDS_MAX = 20  # of something to be done at a time; what is longer orders a text
_RULE_WORDS_MAX = 12  # of a rule that no word of its own gives away

# Not "which" and "who", which go on with what was said.
_ASKS_LATER = re.compile(r", (?:what|how|why) (?:is|are|was|were|do|does|did|can|could|should|would) ")
_ASKS_YOU = re.compile(r"\b[Cc](?:an|ould) (?:you|u) |\bI (?:want|need|would like) you to ")
_ASKS_ME = re.compile(
    r"(?i)(?:[,:] |\b(?:please|now|then|just|also) )(?:give|tell|show|send|write|help) me\b|\bplease (?:"
    + "|".join(sorted(cues.REQUESTING))
    + r")\b"
)
# Names of files, hosts, settings, versions: they stand in nobody's essay. Not "he/she", "and/or", "YouTube", "iPad".
_TECHNICAL = re.compile(
    r"\w[=_]\w|\w/[\w-]+[/.]\w|(?<!\w)[~.]?/\w|\b[a-z]{2,}[A-Z]|\b\w+(?:\.\w+)*:\d{2,5}\b"
    r"|\b\w+\.(?:json|toml|ya?ml|py|js|ts|go|rs|md|sh|sql|io|dev|internal|local)\b"
    r"|\b[A-Z][a-z]+ \d+\.\d+\b|\b\d+\.\d+\.\d+\b|\b[A-Z]+\d{2,}\b|\b[a-z]+-\d+\b"
)

_SIGN = re.compile(r"[/=_\d]|[a-z][A-Z]|\.\w")  # without one of these it has no such name


def technical(sentence: str) -> bool:
    """Whether it speaks of somebody's systems by their names."""
    return _SIGN.search(sentence) is not None and _TECHNICAL.search(sentence) is not None


def questions(sentence: str, words: list[str]) -> bool:
    """Whether it is a question, with its mark or without; "How to deploy: run make ship" is none."""
    if sentence.endswith(ASKS):
        return True
    inverted = not cues.INVERTED.isdisjoint(words[1:2])
    if words[0] in cues.ASKING and (inverted or ":" not in sentence):
        return True
    if words[0] in cues.PLACED and inverted:
        return True
    if words[0] in cues.INVERTED and "," not in sentence and not cues.SUBJECTS.isdisjoint(words[1:2]):
        return words[:2] not in (["do", "it"], ["do", "this"], ["do", "that"])  # these order something
    return _ASKS_LATER.search(sentence) is not None


def requests(sentence: str, words: list[str], distinct: frozenset[str]) -> bool:
    """Whether it asks for something to be written or explained; not for something to be done on Friday."""
    if len(words) <= _TASK_WORDS_MAX and not distinct.isdisjoint(cues.TASKS):
        return False
    first = words[0]
    if first in cues.REQUESTING:
        return not (_asserts(words) or _rules(sentence, words))
    if first in cues.OBJECTS and not cues.OBJECTS[first].isdisjoint(words[1:2]):
        return True
    if first in cues.REWORKING and not distinct.isdisjoint(cues.AT_HAND) and distinct.isdisjoint(cues.RULING):
        return True
    if not distinct.isdisjoint(cues.ASKING_FOR) and _ASKS_ME.search(sentence):
        return True
    if distinct.isdisjoint(cues.LISTENER):
        return False
    if _ASKS_YOU.search(sentence) or (first in cues.ABILITY and words[1] in cues.LISTENER):
        return True
    # "I want you to …"
    return first in cues.DOERS and not cues.WANTING.isdisjoint(words[1:2]) and "you" in words[2:5]


def instructs(words: list[str]) -> bool:
    """Whether it tells the listener how to go about things: "Keep your answers short", "Run it before you push"."""
    if words[0] in cues.EMPTY and words[0] not in cues.REQUESTING and words[0] != "keep":
        return False
    return any(
        (other == "you" and one in cues.CONDITIONS) or (one == "your" and other in cues.ANSWERS)
        for one, other in pairwise(words[1:])
    )


def seeks(words: list[str], distinct: frozenset[str], content: frozenset[str]) -> bool:
    """Whether a question asks what anybody may know: "How do tides work?", not "How was your day?"."""
    if not content or distinct.isdisjoint(cues.ENGLISH):
        return False
    if distinct.isdisjoint(cues.YOU):
        return True
    at = words.index("you") if "you" in distinct else 0
    return at > 0 and (words[at - 1] in cues.ABILITY or not cues.ASSISTING.isdisjoint(words[at + 1 : at + 3]))


def _asserts(words: list[str]) -> bool:
    """Whether what looks like an order begins with a noun: "Write access is limited"; not "Explain what it is"."""
    at = next((place for place, word in enumerate(words[1:6], 1) if word in cues.ASSERTING), 0)
    return at > 0 and words[1] not in cues.DETERMINING and cues.RELATING.isdisjoint(words[1:at])


def _rules(sentence: str, words: list[str]) -> bool:
    """Whether it says how something is done here, and not what is to be done now: "Discuss prices only with Maria",
    "Design tokens live in ui/tokens.json", "Write tests before code"; not "Write a test", "List rivers of Peru"."""
    if words[0] not in cues.WORDING and not cues.RULING.isdisjoint(words):
        return True
    if not words[1:2] or words[1] in cues.DETERMINING or words[1].isdigit():
        return False
    if technical(sentence):
        return True
    if len(words) > _RULE_WORDS_MAX or not cues.TOPICAL.isdisjoint(words):
        return False
    if not cues.CONDITIONS.isdisjoint(words[2:]):
        return True
    several = words[0] not in cues.WORDING or any(word.endswith("s") for word in words[1:3])
    return several and not cues.MANNERS.isdisjoint(words[2:])
