"""What a claim is about, in words for people: `where the user lives`, `the port of the staging database`."""

from __future__ import annotations

from ..grammar.word_classes import base_of, third_person
from .phrases import USER, Phrase, Value
from .predicates import Predicate
from .tokens import Sort, stem

_TOLD = {
    "live in": "where {} lives",
    "locat in": "where {} is",
    "be in": "where {} is",
    "be at": "where {} is",
    "work at": "where {} works",
    "work as": "what {} works as",
    "studi at": "where {} studies",
    "age": "how old {} is",
    "when": "when {} is",
    "marri to": "whom {} is married to",
    "engag to": "whom {} is engaged to",
    "report to": "whom {} reports to",
    "partner": "who the partner of {} is",
    "call": "what {} is called",
    "born in": "where {} was born",
    "die in": "where {} died",
    "use": "what {} uses",
    "prefer": "what {} prefers",
    "like": "what {} likes",
    "have": "what {} has",
    "run on": "where {} runs",
    "be": "what {} is",
    "be a": "what {} is",
    "alive": "whether {} is alive",
}
_GROUPS = {  # of values that exclude each other, by what they are values of; the others are told as `whether`
    "switch:": "whether {} is on",
    "diet:": "what {} eats",
    "marital:": "the marital status of {}",
    "colour:": "the colour of {}",
    "visibility:": "the visibility of {}",
    "size:": "the size of {}",
    "speed:": "the speed of {}",
    "cost:": "the cost of {}",
    "health:": "the health of {}",
    "mood:": "the mood of {}",
    "mode:": "the mode of {}",
    "state:": "the state of {}",
    "side:": "the side of {}",
    "taste:": "how good {} is",
    "alive:": "whether {} is alive",
}
_MEASURING = frozenset("cost weigh earn measure last take total average sleep pay spend".split())


def topic(who: Phrase, relation: str, value: Value, said: Predicate) -> str:
    """What is claimed of somebody or something."""
    told = _TOLD.get(relation) or _GROUPS.get(relation)
    if told is not None:
        return told.format(who.told)
    if relation.endswith(":"):
        return f"whether {who.told} is {value.text}"
    if value.sort is Sort.NUMBER and value.label and relation == value.label:
        return part_of(who, _label(value))
    if value.sort is Sort.NUMBER and value.unit and relation == f"{said.verb} {value.unit}":
        return _amount(who, value, said)
    verb, _, by = relation.partition(" ")
    if relation.startswith("prefer "):
        return f"what {who.told} prefers"
    if verb == "be":
        return f"what {who.told} is {by}"
    if said.verb == "be":
        word = said.chunks[0].tokens[-1].written.lower() if said.chunks and said.chunks[0].tokens else verb
        return f"what {who.told} {'was' if said.past else 'is'} {word} {by}".rstrip()
    behind = f" {by}" if by and by in {chunk.by for chunk in said.chunks} else ""
    return f"what {who.told} {_does(said)}{behind}"


def part_of(who: Phrase, noun: str) -> str:
    """`the port of the staging database`, `the user's page`."""
    return f"{who.told}'s {noun}" if who.key == USER else f"the {noun} of {who.told}"


def _label(value: Value) -> str:
    """What a number numbers, as it was written."""
    words = []
    for token in value.rest:
        if token.sort is Sort.NUMBER:
            break
        words.append(token.written)
    return " ".join(words) or value.label


def _amount(who: Phrase, value: Value, said: Predicate) -> str:
    if said.verb in _MEASURING:
        return f"how much {who.told} {_does(said)}"
    counted = next((token.written for token in value.rest if stem(token.form) == value.unit), value.unit)
    return f"how many {counted} {who.told} {_does(said)}"


def _does(said: Predicate) -> str:
    base = "have" if said.verb == "have" else base_of(said.written or said.verb)
    return "has" if base == "have" else third_person(base)
