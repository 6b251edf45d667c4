"""Whether two claims about the same thing can both hold, and if not, whether the newer tells of a change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from . import lexicon
from .phrases import Value
from .statements import LOOSE, Claim
from .tokens import Sort, stem


class Relation(StrEnum):
    """What a newer statement is to an older one."""

    SAME = "same"  # both say the same
    UPDATES = "updates"  # the newer retires the older
    CONTRADICTS = "contradicts"  # both cannot hold, and nothing says that it was a change
    COMPATIBLE = "compatible"  # both may hold
    DOUBTFUL = "doubtful"  # about the same thing, and words alone do not tell


@dataclass(frozen=True, slots=True)
class Judgement:
    relation: Relation
    reason: str  # one sentence, for people
    evidence: Mapping[str, float] = field(default_factory=dict)  # what spoke for it, with its weight
    whole: bool = False  # whether the older says nothing besides what was retired


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one claim is to another."""

    relation: Relation
    reason: str
    evidence: Mapping[str, float]


_PLACES = frozenset({"live in", "locat in", "be in", "be at", "born in", "die in", "found in", "creat in"})
_PERIODS = frozenset(
    map(
        stem,
        """january february march april may june july august september october november december spring summer autumn
        winter fall week month quarter year weekly monthly quarterly yearly annual daily q1 q2 q3 q4""".split(),
    )
)
_WEEKDAYS = lexicon.words("monday tuesday wednesday thursday friday saturday sunday")


def compare(older: Claim, newer: Claim) -> Verdict | None:
    """What the newer claim is to the older; None where both may hold, or where they share no key."""
    shared = set(older.keys).intersection(newer.keys)
    if not shared:
        return None
    if "maybe" in (older.mood, newer.mood) or older.mood != newer.mood:
        return None
    if older.condition != newer.condition or _times_differ(older, newer):
        return None
    if all(key.startswith(LOOSE) for key in shared):
        return _loosely(older, newer)
    if _is_same_value(older, newer):
        return _polarity(older, newer)
    if newer.replaced is not None and _names(newer.replaced, older) and not newer.negated:
        return _verdict(
            Relation.UPDATES, newer, older, f"it names {older.value} as the old value", value=0.3, change=0.5
        )
    if newer.ended and not newer.value and not (older.negated or older.ended):
        return _verdict(Relation.UPDATES, newer, older, "said to hold no more", change=0.5)
    if older.negated or newer.negated or older.ended or newer.ended:
        return None
    if newer.adding or not (newer.single and (older.single or newer.changed)):
        return None
    return _other_value(older, newer)


def _loosely(older: Claim, newer: Claim) -> Verdict | None:
    """Of `the response time` and `the API response time` one may be short for the other, if it is said to change."""
    if not (older.about <= newer.about or newer.about <= older.about) or not newer.changed:
        return None
    if any(word.isdigit() or word in _PERIODS for word in older.about ^ newer.about):  # the budget for April
        return None
    if older.negated or newer.negated or newer.ended or older.ended or _is_same_value(older, newer):
        return None
    return _other_value(older, newer)


def _other_value(older: Claim, newer: Claim) -> Verdict | None:
    """One relation, two values, both affirmed."""
    if newer.event:  # a meeting on Monday, and another on Tuesday
        return None
    fit = _fit(older, newer)
    if fit is None:
        return None
    is_sure = fit and older.sure and newer.sure and not older.event
    if newer.relation.endswith(":") and newer.bare and not newer.changed:
        # Of `the server` there may be another tomorrow: both cannot hold of one, and nothing tells that it is one.
        return _verdict(Relation.CONTRADICTS, newer, older, "both cannot hold of", value=0.2)
    if older.mood == "plan" or not (is_sure or newer.changed):
        return _verdict(Relation.DOUBTFUL, newer, older, "perhaps another value for", value=0.1)
    cue = 0.3 if newer.changed else 0.0
    return _verdict(Relation.UPDATES, newer, older, "a newer value for", value=0.3, change=cue)


def _polarity(older: Claim, newer: Claim) -> Verdict | None:
    """One value, once affirmed and once denied or ended."""
    was, now = not (older.negated or older.ended), not (newer.negated or newer.ended)
    if was == now:
        return None
    if newer.ended and was:
        return _verdict(Relation.UPDATES, newer, older, "said to hold no more", value=0.2, change=0.5)
    if newer.changed:
        return _verdict(Relation.UPDATES, newer, older, "said to have changed", value=0.2, change=0.4)
    return _verdict(Relation.CONTRADICTS, newer, older, "one affirms what the other denies", value=0.2, negation=0.4)


def _verdict(relation: Relation, newer: Claim, older: Claim, why: str, **evidence: float) -> Verdict:
    weights = {"subject": 0.2, "relation": 0.2, **evidence}
    topic = older.topic or newer.topic
    return Verdict(relation, f"{why} {topic}" if why.endswith("for") else f"{why}: {topic}", weights)


def _times_differ(older: Claim, newer: Claim) -> bool:
    """Whether the two speak of different times: another year, or once and now."""
    if older.when and newer.when and older.when != newer.when:
        return True
    if older.lasting or newer.lasting or older.never or newer.never:
        return False
    if newer.ended or older.ended:
        return older.past
    if older.past != newer.past:
        return True
    return (older.past and not (older.single and newer.single)) or (
        (bool(older.when) != bool(newer.when)) and (older.past or older.event or newer.event)
    )


def _is_same_value(older: Claim, newer: Claim) -> bool:
    one, other = older.filled, newer.filled
    if one.sort is Sort.NUMBER and other.sort is Sort.NUMBER:
        return one.text == other.text
    if one.sort is Sort.DATE and other.sort is Sort.DATE:
        return _day(one.text) == _day(other.text)
    if one.text == other.text or older.value == newer.value:
        return True
    if older.single and newer.single:
        return False
    # A shared key of many-valued claims holds the value, but for what only names its kind.
    return bool(one.stems and other.stems) and one.head == other.head and (one.stems <= other.stems or not newer.value)


def _day(text: str) -> str:
    return text[-5:] if text[-3:-2] == "-" else text


def _names(text: str, older: Claim) -> bool:
    told = set(text.split())
    return bool(told) and (text == older.value or told <= older.filled.stems or told <= set(older.value.split()))


def _fit(older: Claim, newer: Claim) -> bool | None:
    """Whether one value can take the other's place: surely, perhaps (False), or not at all (None)."""
    one, other = older.filled, newer.filled
    numeric = (Sort.NUMBER, Sort.CLOCK, Sort.DATE)
    if one.sort in numeric or other.sort in numeric:
        return _measures_fit(one, other)
    if one.kind != other.kind and one.kind and other.kind:
        return None
    if _refines(one, other):
        return None
    is_country = [any(token.form in lexicon.COUNTRIES for token in value.rest) for value in (one, other)]
    if newer.relation in _PLACES and is_country[0] != is_country[1] and not (one.kind and other.kind):
        return False if newer.changed else None
    indefinite = [value.article in ("a", "an") for value in (one, other)]
    if indefinite[0] != indefinite[1] and newer.relation not in ("work as", "use", "prefer"):
        return None
    return True


def _measures_fit(one: Value, other: Value) -> bool | None:
    if one.sort is not other.sort:
        return None
    if one.sort is Sort.DATE:
        return _notation(one.text) == _notation(other.text) != 0
    if one.sort is Sort.CLOCK:
        return True
    if one.unit and other.unit and one.unit != other.unit:
        return None
    if one.label != other.label:
        return None
    mine, theirs = one.stems - {one.text}, other.stems - {other.text}
    return mine == theirs if mine <= theirs or theirs <= mine else None


def _notation(day: str) -> int:
    """How a day is written: only days of one notation can be told apart."""
    return 1 if day in _WEEKDAYS else 2 if day[-3:-2] == "-" else 3 if day.isdigit() else 0


def _refines(one: Value, other: Value) -> bool:
    """Whether one value only says more exactly what the other is."""
    less, more = sorted((one.stems, other.stems), key=len)
    if not less <= more:
        return _shares_names(one, other)
    return not one.kind or more - less <= {one.kind}


def _shares_names(one: Value, other: Value) -> bool:
    """Whether two values that are more than names speak of the same name: the south of Bavaria, southern Bavaria."""
    if all(token.sort is Sort.NAME or len(token.form) < 4 for value in (one, other) for token in value.rest):
        return False
    names = [{token.form for token in value.rest if token.sort is Sort.NAME} for value in (one, other)]
    return bool(names[0] & names[1])
