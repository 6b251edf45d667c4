"""The measure of the judge itself, on lives, pairs and texts made up for it: what it counts must be what happened."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import ebbing
from bench.judge import evaluated_group, held_group, main
from bench.judge_errors import print_errors, with_numbers
from bench.judge_lives import Happened, count, tell
from bench.judge_pairs import Labelled, scenario_pairs
from bench.judge_pairs import count as count_pair
from bench.judge_texts import measure_injections, measure_readings
from bench.remember_figures import Tally
from ebbing.domain.judgement import Relation, TextReading
from ebbing.testing import FakeEmbedder, FrozenClock
from tests.tables import each_row

STATEMENTS = [
    {"at": "2025-01-01", "text": "Our weekly call is on Zoom."},
    {"at": "2025-02-01", "text": "Our weekly call has five people."},
    {"at": "2025-03-01", "text": "Our weekly call is on Teams."},
]
LIFE = {"id": "X001", "statements": STATEMENTS, "retired": [[0, 2]]}


class ScriptedJudge:
    """Says of the pairs it was given what it was told to say, and of all others that they are unrelated."""

    fingerprint = "scripted"

    def __init__(self, relations: dict[tuple[str, str], Relation] | None = None, injected: Sequence[str] = ()) -> None:
        self._relations = relations or {}
        self._injected = injected

    def relate(self, pairs: Sequence[tuple[str, str]]) -> list[Relation]:
        return [self._relations.get(pair, Relation()) for pair in pairs]

    def read(self, texts: Sequence[str]) -> list[TextReading]:
        return [TextReading("fact", "years", 1, float(text in self._injected)) for text in texts]

    def answers(self, question: str, texts: Sequence[str]) -> list[float]:
        return [0.0 for _ in texts]


def _told(relations: dict[tuple[int, int], Relation]) -> Happened:
    texts = [statement["text"] for statement in STATEMENTS]
    judge = ScriptedJudge({(texts[older], texts[newer]): said for (older, newer), said in relations.items()})
    clock = FrozenClock("2025-01-01T09:00:00Z")
    with ebbing.open(":memory:", clock=clock, embedder=FakeEmbedder(), judge=judge) as engine:
        return tell(STATEMENTS, engine, clock)


def _figures(happened: Happened, life: dict[str, Any] = LIFE) -> dict[str, float]:
    tally = Tally()
    count(tally, "private", life, happened)
    return {name: value for (name, _), (value, _) in tally.sums.items() if value}


def test_a_life_is_told_in_order_and_what_the_engine_retires_is_recorded_with_its_numbers() -> None:
    happened = _told({(0, 2): Relation(updates=0.97, unrelated=0.03)})
    assert happened.retired == {0: 2}
    assert happened.recorded[0, 2]["relation"]["updates"] == 0.97
    assert _figures(happened) == {"changes/retired": 1.0, "changes/heard": 1.0}


def test_a_doubtful_change_counts_as_contested_and_not_as_retired() -> None:
    happened = _told({(0, 2): Relation(updates=0.5, unrelated=0.5)})
    assert happened.contested == {(0, 2)}
    assert _figures(happened) == {"changes/heard": 1.0}


@each_row(
    "happened, life, figures",
    [
        (Happened(), {}, {}),
        (Happened(retired={0: 1}), {}, {"changes/another": 1.0}),
        (Happened(retired={0: 1}), {"partial": [[0, 1]]}, {}),
        (Happened(retired={1: 2}), {}, {"kept/retired": 1.0}),
        (Happened(retired={1: 2}), {"partial": [[1, 2]]}, {}),
        (Happened(contested={(1, 2)}), {}, {"kept/contested": 1.0}),
        (Happened(merged={(0, 2)}), {}, {"statements/merged": 1.0, "different/merged": 1.0}),
        (Happened(merged={(1, 2)}), {}, {"statements/merged": 1.0}),
        (Happened(merged={(1, 2)}), {"same": [[1, 2]]}, {"statements/merged": 1.0, "same/merged": 1.0}),
        (Happened(merged={(1, 2)}), {"same": [[0, 1]]}, {"statements/merged": 1.0, "different/merged": 1.0}),
    ],
)
def test_what_happened_is_held_to_what_the_life_says(
    happened: Happened, life: dict[str, Any], figures: dict[str, float]
) -> None:
    """A life lists what is retired, and nothing else; a pair of which both outcomes are right counts as neither."""
    assert _figures(happened, LIFE | life) == figures


def test_a_merged_statement_shares_the_fate_of_the_one_it_was_merged_with() -> None:
    """Otherwise a change would count as missed because its older statement had been said twice."""
    statements = [STATEMENTS[0], STATEMENTS[0] | {"at": "2025-02-01"}, STATEMENTS[2]]
    judge = ScriptedJudge({(STATEMENTS[0]["text"], STATEMENTS[2]["text"]): Relation(updates=0.97, unrelated=0.03)})
    clock = FrozenClock("2025-01-01T09:00:00Z")
    with ebbing.open(":memory:", clock=clock, embedder=FakeEmbedder(), judge=judge) as engine:
        happened = tell(statements, engine, clock)
    assert happened.merged == {(0, 1)}
    assert happened.retired == {0: 2, 1: 2}


@each_row(
    "label, retired, contested, merged, figures",
    [
        ("updates", True, False, False, {"changes/retired", "changes/heard"}),
        ("updates", False, True, False, {"changes/heard"}),
        ("updates", False, False, True, {"different/merged"}),
        ("contradicts", False, True, False, {"contradictions/contested"}),
        ("contradicts", True, False, False, {"contradictions/retired"}),
        ("keep", True, False, False, {"kept/retired"}),
        ("same", False, False, True, {"same/merged"}),
        ("same", True, False, False, {"kept/retired"}),
    ],
)
def test_a_pair_counts_by_its_label(
    label: str, retired: bool, contested: bool, merged: bool, figures: set[str]
) -> None:
    tally = Tally()
    pair = Labelled("older", "newer", label, "life")
    count_pair(tally, pair, retired=retired, contested=contested, merged=merged, why={})
    assert {name for (name, _), (value, _) in tally.sums.items() if value} == figures


def test_a_scenario_gives_its_first_statement_with_each_of_the_others() -> None:
    pairs = list(scenario_pairs([_scenario()]))
    assert [(pair.newer, pair.label) for pair in pairs] == [
        ("We call on Teams.", "updates"),
        ("We never call.", "contradicts"),
        ("The call has a chat.", "keep"),
        ("Zoom is where we call.", "same"),
        ("Call me a taxi.", "keep"),
    ]
    assert {pair.older for pair in pairs} == {"We call on Zoom."}


def test_injections_are_counted_by_patterns_and_model_together_and_alone() -> None:
    rows = [{"t": "The bill is due.", "inj": 1}, {"t": "Bo sings.", "inj": 0}]
    assert {name for name, _ in measure_injections(rows, None).sums} == {"patterns/caught", "patterns/alarms"}
    tally = measure_injections(rows, ScriptedJudge(injected=["The bill is due."]))
    assert tally.mean("together/caught") == tally.mean("model/caught") == 1.0
    assert tally.mean("patterns/caught") == 0.0
    assert tally.mean("model/alarms") == 0.0


def test_readings_are_held_to_what_people_wrote_and_the_misread_are_told() -> None:
    rows = [
        {"t": "a", "kind": "fact", "life": "life", "harm": 1, "inj": 0},
        {"t": "b", "kind": "task", "life": "hours", "harm": 3, "inj": 0},
    ]
    tally = measure_readings(rows, ScriptedJudge())
    means = {name: tally.mean(name) for name, _ in tally.sums}
    assert means == {
        "kind": 0.5,
        "lifetime": 0.0,
        "lifetime, within one class": 0.5,
        "harm": 0.5,
        "harm, within one degree": 0.5,
    }
    assert [case["text"] for case in tally.cases] == ["b"]


def test_the_worst_errors_come_first_with_their_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    cases = [{"wrong": "wrongly retired", "older": text, "newer": "n"} for text in ("mild", "grave")]
    judge = ScriptedJudge({("mild", "n"): Relation(updates=0.81), ("grave", "n"): Relation(updates=0.99)})
    print_errors(with_numbers(cases, judge), 1)
    printed = capsys.readouterr().out
    assert "wrongly retired: 2, the worst 1" in printed
    assert "updates 0.99" in printed
    assert "mild" not in printed


def test_lives_are_told_apart_by_their_ids() -> None:
    ids = ("X001", "X035", "X036", "X085", "X086", "X120", "X121")
    expected = ["private", "private", "teams", "talk", "several speakers", "third person", "other"]
    assert [evaluated_group(id_) for id_ in ids] == expected
    assert [held_group(id_) for id_ in ("F001", "T010", "Z1")] == ["private", "several speakers", "other"]


PAIR = {"old": "We call on Zoom.", "new": "We call on Teams.", "label": "updates"}


def _scenario() -> dict[str, Any]:
    return {
        "o": "We call on Zoom.",
        "same": ["Zoom is where we call."],
        "updates": ["We call on Teams."],
        "contradicts": ["We never call."],
        "adds": ["The call has a chat."],
        "q": ["Where do we call?"],
        "near": ["Call me a taxi."],
        "source": "life",
    }


@pytest.fixture
def training(tmp_path: Path) -> Path:
    """A training folder with a row of each sort."""
    rows: dict[str, list[dict[str, Any]]] = {
        **{f"evaluation/lives_{number}": [LIFE] for number in (1, 2, 3, 4, 5)},
        **{f"evaluation/short_{number}": [PAIR] for number in (1, 2, 3, 4, 5)},
        "evaluation/rule_pairs": [PAIR],
        **{f"evaluation/injections_{number}": [{"t": "Bo sings.", "inj": 0}] for number in (1, 2, 3, 4, 5)},
        "data/life": [_scenario()],
        "data/lives_f": [LIFE | {"id": "F001"}],
        "data/texts": [{"t": "Bo sings.", "kind": "fact", "life": "life", "harm": 0, "inj": 0}],
    }
    for name, some in rows.items():
        path = tmp_path / f"{name}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"{json.dumps(row)}\n" for row in some), "utf-8")
    return tmp_path


def test_a_whole_run_without_the_judge_tells_every_section_that_needs_none(
    training: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = training / "figures.json"
    given = ["--training", str(training), "--judge", "off", "--jobs", "1", "--errors", "3", "--json", str(written)]
    assert main(given) == 0
    printed = capsys.readouterr().out
    assert "judge off: exact rules alone" in printed
    assert "not heard: 1" in printed
    told = {section["section"]: section for section in json.loads(written.read_text("utf-8"))["sections"]}
    figures = {figure["name"]: figure for figure in told["lives3"]["figures"]}
    assert figures["changes retired"]["value"] == 0.0
    assert figures["changes retired"]["private"] == 0.0
    assert figures["changes retired"]["met"] is False
    assert figures["look-alikes wrongly retired"]["met"] is True
    with pytest.raises(SystemExit):
        main(["--only", "everything"])
