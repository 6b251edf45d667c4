"""`make judge`: what the trained model retires, contests, merges and quarantines, on data that no training run saw.

python -m bench.judge [--judge auto|off] [--only lives,short,...] [--errors N] [--quick] [--jobs N] [--json FILE]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from ebbing.ports import Judge
from ebbing.providers import make_judge
from training.examples import Data, load

from . import judge_lives, judge_pairs, judge_texts
from .console import bars, measured
from .judge_errors import print_errors, with_numbers
from .judge_figures import relation_lines
from .judge_lives import read_rows
from .judge_pairs import Labelled, scenario_pairs
from .remember_figures import Line, Tally, total
from .remember_report import Report, Told, write_json
from .remember_stage import processes

_TRAINING = Path(__file__).parent.parent / "training"
_QUICK = 6  # every so many rows
_EVALUATED = ((35, "private"), (60, "teams"), (85, "talk"), (105, "several speakers"), (120, "third person"))
_HELD = {
    **dict.fromkeys("FP", "private"),
    **dict.fromkeys("GW", "teams"),
    **dict.fromkeys("HD", "talk"),
    **dict.fromkeys("ST", "several speakers"),
}

Tasks = list[Callable[[], Tally]]
TasksOf = Callable[["Rows", str, Judge | None], Tasks]


def evaluated_group(id_: str) -> str:
    """What a life of the evaluation is about: 1 to 35 private life, 36 to 60 teams, and so on."""
    number = int(id_[1:])
    return next((name for last, name in _EVALUATED if number <= last), "other")


def held_group(id_: str) -> str:
    """What a life of the training data is about, by the letter of its file."""
    return _HELD.get(id_[0], "other")


@dataclass(frozen=True)
class Rows:
    """The rows that are measured, out of the training folder; quick takes a part of each file."""

    folder: Path
    quick: bool

    @cached_property
    def held(self) -> Data:
        """What the training data holds back: every tenth row."""
        return load(self.folder / "data")[1]

    def evaluation(self, name: str) -> list[dict[str, Any]]:
        """A file that was written by somebody who had not seen the training data."""
        return self.some(read_rows(self.folder / "evaluation" / f"{name}.jsonl"))

    def some(self, rows: Sequence[Any]) -> list[Any]:
        return list(rows[:: _QUICK if self.quick else 1])


def _lives(name: str) -> TasksOf:
    return lambda rows, judge, _model: judge_lives.tasks(rows.evaluation(name), evaluated_group, judge)


def _short(name: str) -> TasksOf:
    return lambda rows, judge, _model: _pairs(rows.evaluation(name), judge)


def _pairs(rows: Sequence[dict[str, Any]], judge: str) -> Tasks:
    return judge_pairs.tasks([Labelled(row["old"], row["new"], row["label"], "") for row in rows], judge)


def _injections(name: str) -> TasksOf:
    return lambda rows, _judge, model: [partial(judge_texts.measure_injections, rows.evaluation(name), model)]


def _scenarios(rows: Rows, judge: str, _model: Judge | None) -> Tasks:
    return judge_pairs.tasks(list(scenario_pairs(rows.some(rows.held.scenarios))), judge)


def _held_lives(rows: Rows, judge: str, _model: Judge | None) -> Tasks:
    return judge_lives.tasks(rows.some(rows.held.lives), held_group, judge)


def _texts(rows: Rows, _judge: str, model: Judge | None) -> Tasks:
    return [partial(judge_texts.measure_readings, rows.some(rows.held.texts), model)] if model else []


@dataclass(frozen=True, slots=True)
class Section:
    """A table: where its figures come from and which lines it has."""

    title: str
    tasks: TasksOf
    lines: Callable[[Tally], list[Line]]
    several: bool = True  # whether its tasks may run in several processes


def _evaluation(number: int, known: str) -> dict[str, Section]:
    """The three files of an evaluation that was written apart from data and code."""
    lives, short, injections = (f"{name}_{number}" for name in ("lives", "short", "injections"))
    return {
        f"lives{number}": Section(f"Lives of evaluation {number}, {known}", _lives(lives), relation_lines),
        f"short{number}": Section(f"Short statements of evaluation {number}", _short(short), relation_lines),
        f"injections{number}": Section(
            f"Injected instructions of evaluation {number}",
            _injections(injections),
            judge_texts.injection_lines,
            several=False,
        ),
    }


SECTIONS = {
    **_evaluation(5, "written after everything that it measures"),
    **_evaluation(4, "whose figures were looked at while certainties were chosen"),
    **_evaluation(3, "whose figures were looked at while certainties were chosen"),
    **_evaluation(2, "whose figures were looked at while certainties were chosen"),
    **_evaluation(1, "whose errors were read"),
    "rules": Section("Pairs that the rules before the judge were tested with", _short("rule_pairs"), relation_lines),
    "scenarios": Section("Scenarios held back from training: pairs of statements", _scenarios, relation_lines),
    "held": Section("Lives held back from training", _held_lives, relation_lines),
    "texts": Section("Texts held back from training", _texts, judge_texts.reading_lines, several=False),
}


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and end with 0: a missed target is a finding, not a failure."""
    asked = _parsed(arguments)
    model, why_none = make_judge(asked.judge)
    if asked.judge == "auto" and model is None:
        print(f"there is no judge: {why_none}; --judge off measures without", file=sys.stderr)
        return 2
    report = Report(quick=asked.quick)
    told: list[Told] = []
    for section in _told(asked, model):
        report.tell(section)
        if asked.errors:
            print_errors(section.tally.cases, asked.errors)
        told.append(section)
        if asked.json is not None:
            write_json(told, asked.json)
    report.conclude(told)
    return 0


def _told(asked: argparse.Namespace, model: Judge | None) -> Iterator[Told]:
    rows = Rows(asked.training, asked.quick)
    for name in asked.only:
        section = SECTIONS[name]
        tasks = section.tasks(rows, asked.judge, model)
        with bars(12) as bar:
            tally = total(measured(tasks, asked.jobs if section.several else 1, name, bar))
        tally.cases = [{"section": name, **case} for case in with_numbers(tally.cases, model)]
        if asked.judge == "off":
            tally.notes.append("judge off: exact rules alone")
        groups = tuple(dict.fromkeys(group for _, group in tally.sums if group))
        yield Told(name, section.title, section.lines(tally), tally, groups)


def _parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.judge", description="How well the trained model judges.")
    parser.add_argument("--judge", choices=("auto", "off"), default="auto", help="off: exact rules alone, to compare")
    parser.add_argument("--only", type=_sections, default=list(SECTIONS), help=f"some of {','.join(SECTIONS)}")
    parser.add_argument("--errors", type=int, default=0, metavar="N", help="print the N worst errors of each sort")
    parser.add_argument("--quick", action="store_true", help=f"every {_QUICK}th row")
    parser.add_argument("--jobs", type=int, default=processes(), help="processes (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure and every error there too")
    parser.add_argument(
        "--training", type=Path, default=_TRAINING, metavar="FOLDER", help="with data/ and evaluation/ in it"
    )
    return parser.parse_args(arguments)


def _sections(text: str) -> list[str]:
    names = text.split(",")
    unknown = [name for name in names if name not in SECTIONS]
    if unknown:
        raise argparse.ArgumentTypeError(f"{', '.join(unknown)}: not among {', '.join(SECTIONS)}")
    return [name for name in SECTIONS if name in names]


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
