"""FactConsolidation: facts told one after the other, the later ones true; is what is current found, and only that?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from .remember_figures import Line, Tally, Target, half, share
from .remember_metrics import PlainBm25
from .remember_readers import Asked, Context, contexts
from .remember_stage import packaged, stage

TITLE = "FactConsolidation, single-hop: told in order, asked at the end"
_LIMIT = 10
_WAYS = ("Ebbing", "nothing retired", "plain BM25")


def tasks(folder: Path, *, quick: bool) -> list[Callable[[], Tally]]:
    """One for each context; quick takes the shortest."""
    found = sorted(contexts(folder), key=lambda context: len(context.facts))
    return [partial(measure, context) for context in (found[:1] if quick else found)]


def measure(context: Context) -> Tally:
    """Tell everything, then ask everything."""
    tally = Tally()
    name = context.name.rpartition("_")[2]
    plain = PlainBm25(context.facts)
    with stage() as told:
        packaged().embed(context.facts)  # at once; one by one it is looked up
        for place, fact in enumerate(context.facts):
            outcome = told.tell(str(place), fact)
            tally.add(f"{name}/retired", half(place), len(outcome.superseded))
        for place, asked in enumerate(context.asked):
            found = [told.recall(asked.question, _LIMIT, include) for include in ((), ("superseded",))]
            rankings = [[(one.memory.text, set(map(int, told.keys(one.memory)))) for one in some] for some in found]
            rankings.append([(context.facts[row], {row}) for row in plain.best(asked.question, _LIMIT)])
            for way, ranking in zip(_WAYS, rankings, strict=True):
                score(tally, f"{name}/{way}", half(place), asked, ranking)
            if not _right(asked, rankings[0]):
                tally.cases.append(_told(name, asked, context, rankings[0]))
    return tally


def score(tally: Tally, prefix: str, which: str, asked: Asked, ranking: Sequence[tuple[str, set[int]]]) -> None:
    """Count one question's answers, each a text and the facts that it was told as, best first."""
    says = [any(answer.lower() in text.lower() for answer in asked.answers) for text, _ in ranking]
    stale = [bool(facts & set(asked.stale)) and asked.gold not in facts for _, facts in ranking]
    gold = [asked.gold in facts for _, facts in ranking]
    tally.add(f"{prefix}/current@1", which, any(says[:1]))
    tally.add(f"{prefix}/in top", which, any(says))
    tally.add(f"{prefix}/stale@1", which, any(stale[:1]))
    if asked.stale:
        tally.add(f"{prefix}/stale above", which, _first(stale) < _first(gold))
    elif not asked.mislabelled:
        tally.add(f"{prefix}/controls lost", which, not any(gold))


def _first(marks: Sequence[bool]) -> int:
    return marks.index(True) if True in marks else len(marks)


def _right(asked: Asked, ranking: Sequence[tuple[str, set[int]]]) -> bool:
    return bool(ranking) and any(answer.lower() in ranking[0][0].lower() for answer in asked.answers)


def _told(name: str, asked: Asked, context: Context, ranking: Sequence[tuple[str, set[int]]]) -> dict[str, object]:
    return {
        "section": "facts",
        "context": name,
        "question": asked.question,
        "gold": context.facts[asked.gold],
        "stale": [context.facts[place] for place in asked.stale],
        "mislabelled": asked.mislabelled,
        "top": [text for text, _ in ranking[:3]],
    }


def lines(tally: Tally) -> list[Line]:
    """Each context's table rows."""
    found: list[Line] = []
    targets = {
        "current@1": Target("≥", 0.95),
        "stale@1": Target("≤", 0.02),
        "stale above": None,
        "in top": None,
        "controls lost": Target("≤", 0.0),
    }
    names = {
        "stale above": "stale above current",
        "in top": f"answer in the best {_LIMIT}",
        "controls lost": "controls lost",
    }
    for context in dict.fromkeys(measure.partition("/")[0] for measure, _ in tally.sums):
        for key, target in targets.items():
            others = [f"{way} {_percent(tally.mean(f'{context}/{way}/{key}'))}" for way in _WAYS[1:]]
            label = f"{context}: {names.get(key, key)}"
            found.append(share(label, f"{context}/{_WAYS[0]}/{key}", target, beside=", ".join(others)))
        found.append(share(f"{context}: retired by a later fact", f"{context}/retired"))
    return found


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"
