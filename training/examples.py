"""Scenarios, lives, question sets and texts turned into training examples.

The split is by scenario or life, never by pair: a row is held back when its number modulo `HELD_EVERY` is 0.
A relation target is the set of labels that may be right, because a life tells only which pairs are retired:
the loss of an example is −log of the probability of that set.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

RELATIONS = ("same", "updates", "contradicts", "adds", "unrelated")
SAME, UPDATES, CONTRADICTS, ADDS, UNRELATED = range(5)
KINDS = "identity health preference rule decision fact event state task lesson tool_output chatter world forget".split()
LIFETIMES = "hours days weeks months years life".split()
NOT_RETIRED = (SAME, ADDS, UNRELATED)
OTHER = (ADDS, UNRELATED)
HELD_EVERY = 10
UNKNOWN = -100  # no label: the loss leaves it out
# What is read of a single text, and how many values each reading has.
TEXT_READINGS = {"kind": len(KINDS), "lifetime": len(LIFETIMES), "harm": 4, "injected": 2}

_SPEAKERS = "Alice Bob Priya Tom Mara Jonas Dad Mum Elif Chen Sofia Omar Lena Raj Nina Paul Ines Viktor".split()
_SPEAKER = re.compile(r"^[A-Z][\w .'-]{0,24}:\s")
_FIRST_PERSON = re.compile(r"\b(I|I'm|I've|I'd|my|me|mine|we|our|us)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts and which relations between them may be right."""

    older: str
    newer: str
    allowed: tuple[int, ...]
    written: tuple[str, str] | None = None  # the pair as it was written, if what teachers say of it holds for this one


@dataclass(frozen=True, slots=True)
class Answer:
    """A question, a memory, and whether the memory answers it (0, 0.5 or 1); None: nobody wrote it down."""

    question: str
    memory: str
    answers: float | None


@dataclass(frozen=True, slots=True)
class Text:
    """A single text and what it is, as far as anybody wrote it down."""

    text: str
    injected: int
    kind: int = UNKNOWN
    lifetime: int = UNKNOWN
    harm: int = UNKNOWN


@dataclass(slots=True)
class Data:
    """Everything that was written for the judge, in the form it was written in."""

    scenarios: list[dict[str, Any]] = field(default_factory=list)
    lives: list[dict[str, Any]] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)
    texts: list[dict[str, Any]] = field(default_factory=list)
    # Near texts of different rows, which nobody labelled (training/mine.py).
    near_pairs: list[tuple[str, str]] = field(default_factory=list)
    near_answers: list[tuple[str, str]] = field(default_factory=list)


def load(folder: Path) -> tuple[Data, Data]:
    """The data to train on, and the data that no training run sees."""
    train, held = Data(), Data()
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_text().splitlines()):
            if not line.strip():
                continue
            row = json.loads(line)
            into = held if number % HELD_EVERY == 0 else train
            if "statements" in row:
                into.lives.append(row)
            elif "asks" in row:
                into.questions.append(row)
            elif "t" in row:
                into.texts.append(row)
            else:
                row["source"] = path.stem
                into.scenarios.append(row)
    return train, held


def add_near(data: Data, path: Path) -> None:
    """Add the near texts that training/mine.py found."""
    found = json.loads(path.read_text())
    data.near_pairs = [(older, newer) for older, newer in found["pairs"]]
    data.near_answers = [(question, memory) for question, memory in found["answers"]]


def exact_pairs(scenario: dict[str, Any]) -> list[Pair]:
    """What a scenario says about its own statements."""
    said = [scenario["o"], *scenario["same"]]
    pairs = []
    for older in said:
        pairs += [Pair(older, text, (UPDATES,)) for text in scenario["updates"]]
        pairs += [Pair(older, text, (CONTRADICTS,)) for text in scenario["contradicts"]]
        pairs += [Pair(older, text, (ADDS,)) for text in scenario["adds"]]
        pairs += [Pair(older, text, (SAME,)) for text in said if text != older]
    pairs += [Pair(text, scenario["o"], OTHER) for text in scenario["adds"]]
    pairs += [Pair(scenario["o"], text, OTHER) for text in scenario.get("near", ())]
    return pairs


def life_pairs(life: dict[str, Any]) -> list[Pair]:
    """Every earlier statement of a life with every later one."""
    texts = [one["text"] for one in life["statements"]]
    retired = {tuple(pair) for pair in life["retired"]}
    same = {tuple(pair) for pair in life.get("same", ())}
    # The newer one ends one of several facts of the older one, or nobody can tell: in doubt both stay, and conflict.
    partial = {tuple(pair) for pair in life.get("partial", ())}
    rest = OTHER if "same" in life else NOT_RETIRED
    pairs = []
    for newer in range(len(texts)):
        for older in range(newer):
            key = (older, newer)
            allowed = (
                (UPDATES,) if key in retired else (SAME,) if key in same else (CONTRADICTS,) if key in partial else rest
            )
            pairs.append(Pair(texts[older], texts[newer], allowed))
    return pairs


def written_pairs(data: Data) -> list[tuple[str, str]]:
    """Every pair of the data that has a label, and those nobody labelled: what teachers are asked about."""
    pairs = [pair for scenario in data.scenarios for pair in exact_pairs(scenario)]
    pairs += [pair for life in data.lives for pair in life_pairs(life)]
    labelled = [(pair.older, pair.newer) for pair in pairs]
    return list(dict.fromkeys(labelled + unlabelled_pairs(data, random.Random(0))))


def relation_examples(
    data: Data, distance: Distance, chance: random.Random, negatives: float, said: Taught | None = None
) -> list[Pair]:
    """One epoch of relation examples, with this part of the pairs of lives that nothing is retired in.

    Where teachers tell which of them could be mistaken, those are all kept."""
    pairs: list[Pair] = []
    for scenario in data.scenarios:
        pairs += exact_pairs(scenario)
        olders = [scenario["o"], *scenario["same"]]
        changes = scenario["updates"]
        for _ in range(len(changes) + 2):  # a change of something else: the newer text alone must not decide
            other = distance.other_scenario(scenario, chance)
            newer = chance.choice([*other["updates"], *other["adds"]])
            pairs.append(Pair(chance.choice(olders), newer, (UNRELATED,)))
    for life in data.lives:
        own = life_pairs(life)
        retired = [pair for pair in own if pair.allowed == (UPDATES,)]
        same = [pair for pair in own if pair.allowed == (SAME,)]
        partial = [pair for pair in own if pair.allowed == (CONTRADICTS,)]
        rest = [pair for pair in own if len(pair.allowed) > 1]
        rest = [pair for pair in rest if chance.random() < negatives or (said is not None and said.doubtful(pair))]
        pairs += rest + retired * 3 + same * 3 + partial * 2
    pairs = [replace(pair, written=(pair.older, pair.newer)) for pair in pairs]
    pairs = [_varied(_spoken(pair, chance), chance) for pair in pairs]
    chance.shuffle(pairs)
    return pairs


def unlabelled_pairs(data: Data, chance: random.Random) -> list[tuple[str, str]]:
    """Pairs whose relation nobody wrote down, for a student that learns from what its teachers say."""
    pairs: list[tuple[str, str]] = []
    for scenario in data.scenarios:
        updates, adds = scenario["updates"], scenario["adds"]
        for one in updates:
            pairs += [(one, other) for other in chance.sample(updates, min(2, len(updates))) if other != one]
            pairs += [(one, chance.choice(adds)), (chance.choice(adds), one), (one, scenario["o"])]
    texts = [one["text"] for life in data.lives for one in life["statements"]]
    pairs += [(chance.choice(texts), chance.choice(texts)) for _ in range(len(texts))]
    pairs += data.near_pairs
    chance.shuffle(pairs)
    return pairs


def written_answers(data: Data) -> list[tuple[str, str]]:
    """Every question of the data with every text of its row, and with near texts of others: what teachers are asked."""
    found: list[tuple[str, str]] = []
    for scenario in data.scenarios:
        texts = [scenario["o"], *scenario["same"], *scenario["updates"], *scenario["adds"], *scenario.get("near", ())]
        found += [(question, text) for question in scenario["q"] for text in texts]
    for life in data.lives:
        texts = [one["text"] for one in life["statements"]]
        asked = [*(one["q"] for one in life["questions"]), *life["none"]]
        found += [(question, text) for question in asked for text in texts]
    for row in data.questions:
        asked = [*(one["q"] for one in row["asks"]), *row["none"]]
        found += [(question, text) for question in asked for text in row["memories"]]
    return list(dict.fromkeys(found + data.near_answers))


def answer_examples(
    data: Data, distance: Distance, chance: random.Random, said: Taught | None = None
) -> list[list[Answer]]:
    """One epoch of question examples: lists of a question with several memories, which are compared with each other,
    and lists of one. Where teachers read them, also near texts that nobody labelled."""
    found: list[list[Answer]] = []
    if said is not None:
        found += [[Answer(question, memory, None)] for question, memory in data.near_answers]
    for scenario in data.scenarios:
        for question in scenario["q"]:
            own = [scenario["o"], chance.choice(scenario["same"]), *chance.sample(scenario["updates"], 2)]
            others = [distance.other_scenario(scenario, chance) for _ in range(3)]
            wrong = [*scenario.get("near", ()), *(chance.choice(_changes(other)) for other in others)]
            found.append(
                [Answer(question, text, 1.0) for text in own] + [Answer(question, text, 0.0) for text in wrong]
            )
    for life in data.lives:
        texts = [one["text"] for one in life["statements"]]
        for asked in life["questions"]:
            now, stale = set(asked["now"]), set(asked.get("stale", ()))
            rest = [text for number, text in enumerate(texts) if number not in now | stale]
            right = [Answer(asked["q"], texts[number], 1.0) for number in now]
            found.append(right + [Answer(asked["q"], text, 0.0) for text in chance.sample(rest, min(6, len(rest)))])
            found += [[one] for one in right]
        for question in life["none"]:
            found += [[Answer(question, text, 0.0)] for text in chance.sample(texts, min(6, len(texts)))]
    for row in data.questions:
        for asked in row["asks"]:
            named = {*asked["yes"], *asked["part"], *asked["hard"]}
            rest = [text for k, text in enumerate(row["memories"]) if k not in named]
            wrong = [row["memories"][k] for k in asked["hard"]] + chance.sample(rest, min(4, len(rest)))
            right = [Answer(asked["q"], row["memories"][k], 1.0) for k in asked["yes"]]
            part = [Answer(asked["q"], row["memories"][k], 0.5) for k in asked["part"]]
            found.append(right + part + [Answer(asked["q"], text, 0.0) for text in wrong])
            found += [[one] for one in right]
            found += [[Answer(asked["q"], row["memories"][k], 0.0)] for k in asked["hard"]]
        for question in row["none"]:
            found += [[Answer(question, text, 0.0)] for text in chance.sample(row["memories"], 6)]
    chance.shuffle(found)
    return found


def _changes(scenario: dict[str, Any]) -> list[str]:
    return [scenario["o"], *scenario["updates"], *scenario["adds"]]


def vector_examples(data: Data, chance: random.Random) -> list[list[tuple[str, str]]]:
    """One epoch of texts that must be near each other: a question and what answers it, two statements about one thing.

    Each list is from one row: what stands beside them in the same batch is about the same people and still far."""
    found: list[list[tuple[str, str]]] = []
    for scenario in data.scenarios:
        older, updates = scenario["o"], scenario["updates"]
        own = [(question, chance.choice([older, *scenario["same"]])) for question in scenario["q"]]
        own += [(question, chance.choice(updates)) for question in scenario["q"]]
        own += [(text, older) for text in (*chance.sample(updates, min(2, len(updates))), *scenario["same"][:1])]
        found.append(own)
    for life in data.lives:
        texts = [one["text"] for one in life["statements"]]
        own = [(asked["q"], texts[k]) for asked in life["questions"] for k in asked["now"]]
        linked = [*life["retired"], *life.get("same", ()), *life.get("partial", ())]
        found.append(own + [(texts[newer], texts[older]) for older, newer in linked])
    found += [
        [(asked["q"], row["memories"][k]) for asked in row["asks"] for k in asked["yes"]] for row in data.questions
    ]
    chance.shuffle(found)
    return [own for own in found if own]


def text_examples(data: Data, chance: random.Random, repeats: int, said: TaughtTexts | None = None) -> list[Text]:
    """One epoch of single texts; where teachers read the statements of lives, those too."""
    found = [_text(row) for row in data.texts] * repeats
    if said is not None:
        found += [Text(text, injected=0) for text in unlabelled_texts(data)]
    chance.shuffle(found)
    return found


def _text(row: dict[str, Any]) -> Text:
    if "kind" not in row:
        return Text(row["t"], int(row["inj"]))
    return Text(row["t"], int(row["inj"]), KINDS.index(row["kind"]), LIFETIMES.index(row["life"]), row["harm"])


def unlabelled_texts(data: Data) -> list[str]:
    """Statements of lives: nobody wrote down what they are, except that none of them is injected."""
    return list(dict.fromkeys(one["text"] for life in data.lives for one in life["statements"]))


def written_texts(data: Data) -> list[str]:
    """Every text that teachers are asked about."""
    return list(dict.fromkeys([row["t"] for row in data.texts] + unlabelled_texts(data)))


class Taught:
    """What teachers say, on the average, of pairs of texts: probabilities of the relations, or of an answer."""

    def __init__(self, pairs: Sequence[tuple[str, str]], probabilities: Any) -> None:
        self._rows = dict(zip(pairs, probabilities, strict=True))

    def of(self, pair: tuple[str, str] | None) -> Any | None:
        return None if pair is None else self._rows.get(pair)

    def doubtful(self, pair: Pair) -> bool:
        """Whether a pair that nothing is retired in is taken for something else by a fiftieth or more."""
        row = self._rows.get((pair.older, pair.newer))
        return row is not None and sum(row[k] for k in range(len(RELATIONS)) if k not in pair.allowed) > 0.02


class TaughtVectors:
    """The vectors that a larger model makes of texts (training/mine.py)."""

    def __init__(self, texts: Sequence[str], vectors: Any) -> None:
        self._places = {text: place for place, text in enumerate(texts)}
        self._vectors = vectors

    def __contains__(self, text: str) -> bool:
        return text in self._places

    def of(self, texts: Sequence[str]) -> Any:
        """A row a text."""
        return self._vectors[[self._places[text] for text in texts]]


class TaughtTexts:
    """What teachers say, on the average, of single texts: the probabilities of every reading, side by side."""

    def __init__(self, texts: Sequence[str], probabilities: Any) -> None:
        self._rows = dict(zip(texts, probabilities, strict=True))

    def of(self, text: str) -> Any | None:
        return self._rows.get(text)


class Distance:
    """Which scenarios are about other things: two of the same attribute must not become a negative by accident."""

    def __init__(self, scenarios: Sequence[dict[str, Any]], vectors: Any, near: float = 0.45) -> None:
        self._scenarios = list(scenarios)
        self._places = {id(one): number for number, one in enumerate(self._scenarios)}
        similarity = vectors @ vectors.T
        self._hard = [
            [int(k) for k in (-row).argsort()[:60] if row[k] < near and k != number]
            for number, row in enumerate(similarity)
        ]
        self._similarity, self._near = similarity, near

    def other_scenario(self, scenario: dict[str, Any], chance: random.Random) -> dict[str, Any]:
        """A scenario about something else: half of the time one that is as near as is safe."""
        place = self._places[id(scenario)]
        if chance.random() < 0.5 and self._hard[place]:
            return self._scenarios[chance.choice(self._hard[place])]
        for _ in range(1000):
            number = chance.randrange(len(self._scenarios))
            if number != place and self._similarity[place][number] < self._near:
                return self._scenarios[number]
        raise SystemExit("these vectors find all scenarios alike; give those of training/mine.py with --taught-vectors")


def _spoken(pair: Pair, chance: random.Random) -> Pair:
    """Now and then with the speaker's name in front: of one speaker nothing changes, of another nothing is retired."""
    if chance.random() > 0.15 or _SPEAKER.match(pair.older) or _SPEAKER.match(pair.newer):
        return pair
    one, other = chance.sample(_SPEAKERS, 2)
    if chance.random() < 0.6:
        return replace(pair, older=f"{one}: {pair.older}", newer=f"{one}: {pair.newer}")
    if pair.allowed == (SAME,) or not (_FIRST_PERSON.search(pair.older) and _FIRST_PERSON.search(pair.newer)):
        return pair
    return Pair(f"{one}: {pair.older}" if chance.random() < 0.7 else pair.older, f"{other}: {pair.newer}", OTHER)


def _varied(pair: Pair, chance: random.Random) -> Pair:
    """Now and then without capitals or without the full stop, as people type."""
    return replace(pair, older=_typed(pair.older, chance), newer=_typed(pair.newer, chance))


def _typed(text: str, chance: random.Random) -> str:
    roll = chance.random()
    if roll < 0.08:
        return text.lower()
    if roll < 0.16:
        return text.rstrip(".!")
    return text
