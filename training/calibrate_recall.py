"""`python -m training.calibrate_recall`: fits what a score means, for each embedder, with the judge and without it.

Every question of the data is asked through the engine; what it tells of the best few and whether each answers go into a
logistic function (src/ebbing/recall/calibration.py), whose coefficients are written beside it. Rows that the judge was
trained on would make it look surer than it is, so it is fitted on rows that no training saw: every tenth line, and
whole files named with --unseen. Figures are of five folds, each fitted on the other four. Minutes on one core.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ebbing
from ebbing.domain.judgement import Relation, TextReading
from ebbing.ports import Embedder, Judge
from ebbing.providers import make_embedder, make_judge
from ebbing.providers.onnx import OnnxEmbedder
from ebbing.recall.calibration import AVERAGES, READS, WORDS
from ebbing.recall.named import names
from ebbing.recall.score import logit
from ebbing.testing import FrozenClock

from .examples import HELD_EVERY

DATA = Path(__file__).parent / "data"
OUT = Path(__file__).parent.parent / "src" / "ebbing" / "recall" / "calibration.json"
_NOW = datetime(2027, 1, 1, tzinfo=UTC)
_FOLDS = 5
_TOGETHER = 8  # scenarios in one store
_FEATURES = ("intercept", "relevance", "answers", "absent", "unknown")
_FLOORS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
_RIDGE = 1e-2

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Asked:
    """A question, which memories answer it, and which may or may not."""

    text: str
    yes: frozenset[int]
    unclear: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Store:
    """What one owner is told, in order, and then asked."""

    name: str
    told: tuple[tuple[str, datetime | None], ...]
    asked: tuple[Asked, ...]


class Answering:
    """A judge that reads what answers a question, and lets every memory stand as it was told."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.fingerprint = judge.fingerprint
        self._read: dict[tuple[str, ...], tuple[float, ...]] = {}

    def relate(self, pairs: Sequence[tuple[str, str]]) -> list[Relation]:
        return [Relation(unrelated=1.0) for _ in pairs]

    def read(self, texts: Sequence[str]) -> list[TextReading]:
        return [TextReading("fact", "years", 0, 0.0) for _ in texts]

    def answers(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """As the engine asks: what is read whole depends on what is read beside it."""
        key = (question, *texts)
        if key not in self._read:
            self._read[key] = tuple(self._judge.answers(question, texts))
        return self._read[key]


def stores(unseen: Sequence[str]) -> Iterator[Store]:
    """The rows that no training saw: sets of questions, lives and scenarios."""
    for path in sorted(DATA.glob("questions*.jsonl")):
        for number, row in _rows(path, path.stem in unseen):
            asked = [
                Asked(one["q"], frozenset(one["yes"]), frozenset(one["part"]) - frozenset(one["yes"]))
                for one in row["asks"]
            ]
            silent = [Asked(text, frozenset()) for text in row["none"]]
            yield Store(f"{path.stem} {number}", tuple((text, None) for text in row["memories"]), (*asked, *silent))
    for path in sorted(DATA.glob("lives_*.jsonl")):
        for number, row in _rows(path, path.stem in unseen):
            yield _life(f"{path.stem} {number}", row)
    for path in sorted([*DATA.glob("scen_*.jsonl"), DATA / "life.jsonl", DATA / "work.jsonl"]):
        held = [row for _, row in _rows(path, path.stem in unseen)]
        for first in range(0, len(held), _TOGETHER):
            yield _scenarios(f"{path.stem} {first}", held[first : first + _TOGETHER])


def _rows(path: Path, whole: bool) -> list[tuple[int, dict[str, Any]]]:
    lines = path.read_text("utf-8").splitlines()
    return [(n, json.loads(line)) for n, line in enumerate(lines) if whole or n % HELD_EVERY == 0]


def _life(name: str, row: Mapping[str, Any]) -> Store:
    gone = {older for older, _ in row["retired"]}
    left = [place for place in range(len(row["statements"])) if place not in gone]
    at = {place: number for number, place in enumerate(left)}
    told = [row["statements"][place] for place in left]
    asked = [Asked(one["q"], frozenset(at[k] for k in one["now"] if k in at)) for one in row["questions"]]
    silent = [Asked(text, frozenset()) for text in row["none"]]
    dated = tuple((one["text"], datetime.fromisoformat(one["at"]).replace(tzinfo=UTC)) for one in told)
    return Store(name, dated, (*(one for one in asked if one.yes), *silent))


def _scenarios(name: str, rows: Sequence[Mapping[str, Any]]) -> Store:
    told: list[tuple[str, datetime | None]] = []
    asked: list[Asked] = []
    for row in rows:
        first = len(told)
        several = [row["o"], *row["adds"], *row.get("near", ())]
        told += [(text, None) for text in several]
        unclear = frozenset(range(first + 1, first + 1 + len(row["adds"])))
        asked += [Asked(text, frozenset([first]), unclear) for text in row.get("q", ())]
    return Store(name, tuple(told), tuple(asked))


@dataclass(frozen=True)
class Row:
    """One memory that was found for a question."""

    store: str
    question: int
    place: int
    features: tuple[float, ...]
    answers: bool
    counts: bool  # whether it is told if it answers


@dataclass(frozen=True)
class Question:
    """One question as it was answered."""

    store: str
    answerable: bool
    counts: bool


def asked(several: Sequence[Store], embedder: Embedder | None, judge: Judge | None) -> tuple[list[Question], list[Row]]:
    """Every question, put to the engine."""
    questions: list[Question] = []
    rows: list[Row] = []
    with ebbing.open(":memory:", embedder=embedder, judge=judge or "off", clock=FrozenClock(_NOW)) as engine:
        engine.attendant = None
        limit = engine.policy.recall.judged_max
        for number, store in enumerate(several):
            mine = engine.for_owner(f"owner {number}")
            items = [{"text": text, "created_at": at, "tags": [str(n)]} for n, (text, at) in enumerate(store.told)]
            mine.remember_many(items)
            for one in store.asked:
                found = list(_answers(mine, one, limit, store.name, len(questions), judged=judge is not None))
                # A question that the judge does not read, in another language, is not told by it.
                read = judge is None or bool(found)
                rows += found
                questions.append(Question(store.name, bool(one.yes), read and (bool(one.yes) or not one.unclear)))
    return questions, rows


def _answers(engine: ebbing.Engine, one: Asked, limit: int, store: str, number: int, *, judged: bool) -> Iterator[Row]:
    """What was found for a question; with the judge, what it read of that."""
    found = engine.recall(one.text, limit=limit, min_score=0.0, reinforce=False)
    who = names(one.text, [each.memory for each in found])
    for place, each in enumerate(found):
        index = int(each.memory.tags[0])
        read = each.parts.get("answers")
        if judged and read is None:
            continue
        features = (
            1.0,
            each.relevance,
            0.0 if read is None else float(np.clip(logit(read), -7, 7)),
            float(who.is_absent(place)),
            float(who.is_unknown),
        )
        yield Row(store, number, place, features, index in one.yes, index in one.yes or index not in one.unclear)


def fitted(features: Numbers, answers: Numbers, weights: Numbers) -> Numbers:
    """The coefficients of a logistic function, by Newton's method."""
    found = np.zeros(features.shape[1])
    for _ in range(60):
        sure = 1 / (1 + np.exp(-features @ found))
        bend = features.T @ (features * (weights * sure * (1 - sure))[:, None]) + _RIDGE * np.eye(len(found))
        step = np.linalg.solve(bend, features.T @ (weights * (answers - sure)) - _RIDGE * found)
        found += step
        if float(np.abs(step).max()) < 1e-9:
            break
    return found


@dataclass(frozen=True)
class Fit:
    """What was fitted, and how well it did on rows that the fold had not seen."""

    coefficients: Mapping[str, float]
    report: Mapping[str, Any]


def fit(questions: Sequence[Question], rows: Sequence[Row], *, judged: bool) -> Fit:
    used = [0, 1, *([2] if judged else []), 3, *([4] if judged else [])]
    features = np.array([row.features for row in rows])[:, used]
    answers = np.array([row.answers for row in rows], dtype=float)
    counts = np.array([row.counts for row in rows])
    kinds = np.array([_kind(row.store) for row in rows])
    # Each kind of data counts the same, whatever there is of it.
    weights = np.array([len(rows) / (3 * int((kinds == kind).sum())) for kind in kinds])
    folds = np.array([zlib.crc32(row.store.encode()) % _FOLDS for row in rows])
    sure = np.zeros(len(rows))
    for fold in range(_FOLDS):
        learnt = (folds != fold) & counts
        coefficients = fitted(features[learnt], answers[learnt], weights[learnt])
        sure[folds == fold] = 1 / (1 + np.exp(-features[folds == fold] @ coefficients))
    whole = fitted(features[counts], answers[counts], weights[counts])
    coefficients = {_FEATURES[place]: round(float(value), 4) for place, value in zip(used, whole, strict=True)}
    report = {kind: _figures(questions, rows, sure, kind) for kind in ("questions", "lives", "scenarios")}
    return Fit(coefficients, {**report, "calibration": _reliability(sure[counts], answers[counts])})


def _kind(store: str) -> str:
    return next((kind for kind in ("questions", "lives") if store.startswith(kind)), "scenarios")


def _figures(questions: Sequence[Question], rows: Sequence[Row], sure: Numbers, kind: str) -> dict[str, Any]:
    """Of answerable questions, how often the right one is first and how often the floor hides all; of the others, how
    often nothing comes."""
    best: dict[int, tuple[float, bool]] = {}
    for row, score in zip(rows, sure.tolist(), strict=True):
        if row.question not in best or score > best[row.question][0]:
            best[row.question] = (score, row.answers)
    mine = [n for n, one in enumerate(questions) if one.counts and _kind(one.store) == kind]
    able = [best.get(n, (0.0, False)) for n in mine if questions[n].answerable]
    none = [best.get(n, (0.0, False)) for n in mine if not questions[n].answerable]
    floors = {
        f"{floor:g}": [
            round(float(np.mean([score < floor for score, _ in none])), 3) if none else None,
            round(float(np.mean([score < floor for score, _ in able])), 3) if able else None,
        ]
        for floor in _FLOORS
    }
    first = round(float(np.mean([right for _, right in able])), 3) if able else None
    return {"answerable": len(able), "none": len(none), "right_first": first, "silent_rightly_wrongly": floors}


def _reliability(sure: Numbers, answers: Numbers) -> list[list[float]]:
    """By tenths of the probability: how many rows, the mean probability, and the share that answers."""
    tenth = np.minimum((sure * 10).astype(int), 9)
    return [
        [int((tenth == n).sum()), round(float(sure[tenth == n].mean()), 3), round(float(answers[tenth == n].mean()), 3)]
        for n in range(10)
        if (tenth == n).any()
    ]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="training.calibrate_recall", description="Fit what a score means.")
    parser.add_argument("--unseen", nargs="*", default=[], metavar="FILE", help="data files that no weights saw")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take each Nth of them only")
    parser.add_argument("--onnx", metavar="FOLDER", help="an embedder that reads sentences")
    parser.add_argument("--prefix", default="", help="what that one has in front of questions")
    parser.add_argument("--only", choices=(AVERAGES, WORDS, READS), help="fit for one kind of embedder alone")
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args(arguments)
    judge, why = make_judge("auto")
    assert judge is not None, why
    several = list(stores(given.unseen))[:: given.every]
    answering = Answering(judge)
    kinds: list[tuple[str, Embedder | None]] = [(AVERAGES, make_embedder("auto")), (WORDS, None)]
    kinds += [(READS, OnnxEmbedder(given.onnx, pooling="cls", query_prefix=given.prefix))] if given.onnx else []
    kinds = kinds if given.only is None else [one for one in kinds if one[0] == given.only]
    fits = _kept(given.out, {kind for kind, _ in kinds})
    for kind, embedder in kinds:
        for reader in (None, answering):
            found = fit(*asked(several, embedder, reader), judged=reader is not None)
            about = {
                "judge": reader and reader.fingerprint,
                "embedder": embedder and embedder.fingerprint,
                "kind": kind,
            }
            fits.append({"fitted_for": about, "coefficients": found.coefficients})
            print(json.dumps({**about, **found.coefficients}), flush=True)
            for name, told in found.report.items():
                print("  ", name, json.dumps(told), flush=True)
    lines = ",\n".join(f"  {json.dumps(one)}" for one in fits)
    given.out.write_text('{"fits": [\n' + lines + "\n]}\n", encoding="utf-8")
    return 0


def _kept(path: Path, kinds: set[str]) -> list[dict[str, Any]]:
    """Of the fits that are there, those of embedders that are not fitted now."""
    held = json.loads(path.read_text("utf-8"))["fits"] if path.is_file() else []
    return [one for one in held if one["fitted_for"]["kind"] not in kinds]


if __name__ == "__main__":
    raise SystemExit(main())
