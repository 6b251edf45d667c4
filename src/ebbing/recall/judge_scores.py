"""Scores of the best results: read by the judge, where there is one, and compared by the names in them.

The judge's reading and the relevance make the probability that a memory answers (calibration.py). Model calls take
milliseconds, so only the best few by relevance are read, outside every transaction; the others keep the score of their
words and vectors.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from ..domain.policy import Policy
from ..domain.results import Recollection
from ..lifecycle.operation_context import OperationContext
from ..ports.model_client import Models
from ..text.terms import question_terms, terms
from .calibration import AVERAGES, READS, WORDS, Calibration, calibration
from .named import Names, names
from .past import asks_about_past
from .score import expit, logit, scored

_TAUGHT_WORDS = (
    60  # the judge was taught on shorter texts: of a longer one its no is not believed over words and vectors
)
_LIKELY = 0.5  # what the judge finds likelier than not to answer …
_AS_WELL = 2.0  # … and whose log odds are so near to those of the best


def calibrated(models: Models, *, vectors: bool, judged: bool) -> Calibration:
    """The calibration for a question with a vector or without, whose results the judge reads or not."""
    kind = WORDS if not vectors else AVERAGES if models.averages else READS
    judge = models.judge.fingerprint if judged and models.judge is not None else None
    return calibration(kind, models.fingerprint if vectors else None, judge)


def answered(
    wordings: Sequence[str], found: Sequence[Recollection], work: OperationContext, *, vectors: bool, judged: bool
) -> tuple[list[Recollection], list[str]]:
    """The same, best first, with the probability that each answers the question, in the wording it answers best; and
    what there is to say about it."""
    who = names(wordings[-1], [one.memory for one in found])
    by_words = calibrated(work.models, vectors=vectors, judged=False)
    results = [_scored(one, by_words, None, who, place, work.policy) for place, one in enumerate(found)]
    places = _in_order(results)
    ordered = [(place, found[place].memory.text) for place in places] if judged else []
    first, texts = _to_be_read(wordings, ordered, work)
    readings = [work.models.answers(wording, texts) for wording in wordings]
    notes = [note for _, several in readings[:1] for note in several]
    read = [max(several) for several in zip(*(given for given, _ in readings), strict=True)]
    by_judge = calibrated(work.models, vectors=vectors, judged=True)
    for place, answers in zip(first[: len(read)], read, strict=True):
        one = _scored(found[place], by_judge, answers, who, place, work.policy)
        if len(one.memory.text.split()) > _TAUGHT_WORDS and one.score < results[place].score:
            one = replace(results[place], parts={**results[place].parts, "answers": answers})
        results[place] = one
    ranked = _judged_first([results[place] for place in _in_order(results)], count=len(read))
    return (ranked if asks_about_past(wordings[0]) else _newer_first(ranked)), notes


def _to_be_read(
    wordings: Sequence[str], texts: Sequence[tuple[int, str]], work: OperationContext
) -> tuple[list[int], list[str]]:
    """Which of these texts the judge reads, and what of each: the first ones, as far as there is time for them."""
    rules, count = work.policy.recall, work.models.count_tokens
    words = question_terms(" ".join(wordings))
    asked = count(wordings[0].encode(errors="replace").decode()) if texts else 0  # half a character breaks tokenizers
    chosen: list[tuple[int, str]] = []
    left = rules.judged_tokens_max
    for place, text in texts[: rules.judged_max]:
        part = passage(text, words)
        left -= asked + count(part)
        if left < 0 and chosen:
            break
        chosen.append((place, part))
    return [place for place, _ in chosen], [part for _, part in chosen]


def _judged_first(found: Sequence[Recollection], *, count: int) -> list[Recollection]:
    """Results that the judge has not read rank behind those that it has: their scores are capped."""
    read = [one for one in found if "answers" in one.parts]
    if not count or not read:
        return list(found)
    least = read[-1].score
    rest = [one for one in found if "answers" not in one.parts]
    return [*read, *(one if one.score <= least else replace(one, score=least) for one in rest)]


def _newer_first(found: Sequence[Recollection]) -> list[Recollection]:
    """Of those that answer about as well as the best, the newer first: it may replace the older one.

    So an older one scores at most as much as a newer one among them.
    """
    likely = [one for one in found if one.parts.get("answers", 0.0) > _LIKELY]
    if len(likely) < 2:
        return list(found)
    least = float(expit(logit(max(one.parts["answers"] for one in likely)) - _AS_WELL))
    alike = [one for one in likely if one.parts["answers"] >= least]
    most, ordered = 1.0, []
    for one in sorted(alike, key=lambda one: (one.memory.created_at, one.memory.id), reverse=True):
        most = min(most, one.score)
        ordered.append(replace(one, score=most))
    again = {one.memory.id for one in ordered}
    return sorted([*ordered, *(one for one in found if one.memory.id not in again)], key=lambda one: -one.score)


def _scored(
    one: Recollection, fit: Calibration, answers: float | None, who: Names, place: int, policy: Policy
) -> Recollection:
    probability = fit.probability(one.relevance, answers, absent=who.is_absent(place), unknown=who.is_unknown)
    parts = {**one.parts, "probability": probability}
    if answers is not None:
        parts["answers"] = answers
    score = float(scored(probability, one.strength, one.parts["recency"], policy.recall))
    return replace(one, score=score, parts=parts)


def _in_order(found: Sequence[Recollection]) -> list[int]:
    """The indexes of these by score; of equal scores the newer first, so that the order is stable."""
    newest = sorted(range(len(found)), key=lambda at: (found[at].memory.created_at, found[at].memory.id), reverse=True)
    return sorted(newest, key=lambda at: -found[at].score)


WORDS_MAX = 110  # a text of so many words is read whole
_CUT_MAX = 130  # words of a single sentence that is longer than that
_BREAK = re.compile(r"(?<=[.!?…])\s+|\n+")


def passage(text: str, asked: Collection[str]) -> str:
    """The text, or the part of it that has most of these words; of equal parts the first."""
    if len(text.split()) <= WORDS_MAX:
        return text
    sentences = [part for part in _BREAK.split(text) if part.strip()]
    lengths = [len(part.split()) for part in sentences]
    held = [set(asked) & set(terms(part)) for part in sentences]
    best, most = 0, (-1, 0)
    ends = []
    for first in range(len(sentences)):
        last, words = first, lengths[first]
        while last + 1 < len(sentences) and words + lengths[last + 1] <= WORDS_MAX:
            last += 1
            words += lengths[last]
        ends.append(last)
        found = len(set().union(*held[first : last + 1]))
        if (found, -words) > most:
            best, most = first, (found, -words)
    return " ".join(" ".join(sentences[best : ends[best] + 1]).split()[:_CUT_MAX])
