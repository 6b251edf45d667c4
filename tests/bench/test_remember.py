"""The measure of the way in itself, on data made up for it: what it counts must be what happened."""

from __future__ import annotations

import gzip
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.remember import main
from bench.remember_beam import Ranks, measure, numbers_in, still_said
from bench.remember_facts import score
from bench.remember_figures import Tally, Target, half, harmonic, share, total
from bench.remember_guard import try_strings
from bench.remember_metrics import PlainBm25, best_matching, matched, overlap_f1, sentences
from bench.remember_pairs import count, trifles
from bench.remember_readers import (
    Asked,
    Pair,
    Probe,
    chats,
    claimed,
    contexts,
    sentence_pairs,
    supersessions,
    talk,
)
from bench.remember_stage import stage
from ebbing.domain.results import Remembered
from ebbing.testing import FakeEmbedder
from tests.tables import each_row

BEFORE = "I have planned a budget of $600 for sneakers."
AFTER = "My budget for sneakers has increased to $650."
DENIAL = "I have never planned a budget."
SIZES = st.integers(1, 5)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Every kind of file the bench reads, each with next to nothing in it."""
    facts = ["Ada lives in Porto.", "Bo plays the flute.", "Ada lives in Lisbon."]
    numbered = "\n".join(f"{number}. {fact}" for number, fact in enumerate(facts))
    context = {"source": "made_up_1k", "context": f"Here is a list of facts:\n{numbered}"}
    asked = [
        _asked("Where does Ada live?", "Lisbon", 2, [[0, facts[0]]]),
        _asked("What does Bo play?", "flute", 1, []),
    ]
    _write(tmp_path / "factconsolidation" / "contexts.json.gz", json.dumps([context, {**context, "source": "other"}]))
    _write(tmp_path / "factconsolidation" / "sh_gold.jsonl", *map(json.dumps, asked))
    _write(tmp_path / "beam" / "beam.jsonl.gz", json.dumps(_beam()))
    change = {
        "source": "beam",
        "label": "supersedes",
        "old": [{"text": f"{BEFORE} ->-> 1,1"}],
        "new": [{"text": AFTER}],
    }
    _write(tmp_path / "pairs" / "supersession_pairs.jsonl", json.dumps(change))
    _write(tmp_path / "pairs" / "snli.labels.txt", "neutral", "contradiction", "entailment")
    _write(tmp_path / "pairs" / "snli.s1.txt", "Two dogs run .", "Two dogs run .", "A boy is not asleep .")
    _write(tmp_path / "pairs" / "snli.s2.txt", "They are brothers .", "The dogs sleep .", "A boy is awake .")
    _write(tmp_path / "pairs" / "paws.tsv", "1\tAda met Bo .\tBo met Ada .\t0", "2\tIt rains .\tRain falls .\t1")
    _write(
        tmp_path / "pairs" / "stsb.tsv", "a\tb\tc\t1\t4.500\tIt rains.\tRain falls.\tmore", "a\tb\tc\t2\t1.0\tA.\tB."
    )
    fever = {"gold_label": "SUPPORTS", "claim": "Porto is a town.", "evidence": "Porto is a town on the Douro."}
    _write(tmp_path / "pairs" / "fever.jsonl", json.dumps(fever))
    claims = {"sentence1": {"claims": ["Ada sings.", "Ada dances."]}, "sentence2": {"claims": []}}
    answer = {"response": "Ada sings and dances. Anything else?", "sentences": claims}
    _write(tmp_path / "decomposition" / "factcheckgpt.jsonl", json.dumps(answer))
    segments = [{"sentence": "Bo naps.", "propositions_text": ["Bo naps ."]}, {"sentence": "Hm."}]
    _write(tmp_path / "decomposition" / "propsegment.jsonl", *map(json.dumps, segments))
    return tmp_path


def _write(path: Path, *lines: str) -> None:
    path.parent.mkdir(exist_ok=True)
    text = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)


def _asked(question: str, answer: str, gold: int, stale: list[list[Any]]) -> dict[str, Any]:
    return {
        "source": "made_up_1k",
        "question": question,
        "answers": [answer],
        "gold_idx": gold,
        "stale": stale,
        "later_conflict": [],
    }


def _beam() -> dict[str, Any]:
    """Three turns: a budget, another one, and the word that there never was any."""
    said = [("user", f"{BEFORE} ->-> 1,1"), ("assistant", "Noted."), ("user", AFTER), ("user", DENIAL)]
    messages = [
        {"id": number, "role": role, "content": text, "time_anchor": "March-15-2024"}
        for number, (role, text) in enumerate(said)
    ]
    update = {
        "question": "What is my budget for sneakers?",
        "answer": "$650",
        "conversation_references": [BEFORE, AFTER],
        "source_chat_ids": {"original_info": [0], "updated_info": [2]},
    }
    same_turn = {**update, "source_chat_ids": {"original_info": [2], "updated_info": [2]}}
    contradiction = {
        "question": "Have I planned a budget?",
        "ideal_answer": "You said both.",
        "source_chat_ids": {"first_statement": [0], "second_statement": [3]},
        "rubric": [
            "Say: so",
            "Mention: you have never planned a budget",
            "Mention: you planned $600",
            "Mention: which?",
        ],
    }
    probes = {"knowledge_update": [update, same_turn], "contradiction_resolution": [contradiction]}
    return {"chat_id": "made-up", "messages": messages, "probing_questions": probes}


# The arithmetic


@given(st.data())
def test_the_matching_is_as_good_as_the_best_of_all_matchings(data: st.DataObject) -> None:
    rows, columns = data.draw(SIZES), data.draw(SIZES)
    cells = st.lists(st.floats(0, 1, width=16), min_size=rows * columns, max_size=rows * columns)
    weights = np.array(data.draw(cells), dtype=float).reshape(rows, columns)
    pairs = best_matching(weights)
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == min(rows, columns)
    short = weights if rows <= columns else weights.T
    orders = itertools.permutations(range(short.shape[1]), short.shape[0])
    best = max(sum(short[row, column] for row, column in enumerate(order)) for order in orders)
    assert sum(weights[pair] for pair in pairs) == pytest.approx(best)


def test_a_greedy_choice_that_costs_more_elsewhere_is_not_taken() -> None:
    weights = np.array([[0.9, 0.8], [0.8, 0.1]])
    assert best_matching(weights) == [(0, 1), (1, 0)]


def test_overlap_counts_a_word_as_often_as_both_texts_have_it() -> None:
    assert overlap_f1("The cat", "the cat the cat") == pytest.approx(2 * 2 / 6)
    assert overlap_f1("A dog.", "Cats!") == overlap_f1("", "") == 0.0


def test_what_is_matched_counts_each_claim_once() -> None:
    assert matched(["Ada sings", "Ada sings"], ["Ada sings"]) == 1.0
    assert matched([], ["Ada sings"]) == matched(["Ada sings"], []) == 0.0


def test_the_plain_splitter_splits_at_full_stops_and_lines_and_not_behind_initials() -> None:
    assert sentences('John F. Kennedy won. "He lost?" Yes!\n- a list\n\n...') == [
        "John F. Kennedy won.",
        '"He lost?',
        "Yes!",
        "- a list",
    ]


def test_plain_bm25_prefers_rare_words_and_the_earliest_among_equals() -> None:
    plain = PlainBm25(["Ada lives here", "Bo lives here", "Ada lives here", "Cy lives here"])
    assert plain.best("Where does Bo live, who lives here?", 2) == [1, 0]
    assert plain.best("ada", 10) == [0, 2]
    assert plain.best("nothing of it", 10) == []


def test_the_numbers_of_a_text_are_read_in_digits() -> None:
    assert numbers_in("Three days at 4:30 for $1,200") == {"3", "4:30", "1200"}


# The sums


def test_tallies_add_up_by_half_and_keep_each_note_once() -> None:
    parts = []
    for place, value in enumerate([True, False, True]):
        part = Tally(notes=["so"])
        part.add("found", half(place), value)
        parts.append(part)
    whole = total(parts)
    assert (whole.mean("found", "even"), whole.mean("found", "odd"), whole.count("found")) == (1.0, 0.0, 3)
    assert whole.mean("found") == pytest.approx(2 / 3)
    assert whole.notes == ["so"]
    assert whole.mean("never counted") is None


def test_f1_is_the_harmonic_mean_and_a_target_is_held_to_everything() -> None:
    tally = Tally()
    tally.add("precision", "even", 3, 4)
    tally.add("recall", "even", 3, 12)
    line = harmonic("F1", "precision", "recall", Target(">", 0.375))
    assert line.value(tally, None) == pytest.approx(0.375)
    assert line.met(tally) is False
    assert share("precision", "precision", Target("≥", 0.75)).met(tally) is True
    assert share("precision", "precision", Target("≤", 0.7)).met(tally) is False
    assert share("nothing", "nothing", Target("≤", 0.7)).met(tally) is None


# The readers


def test_facts_are_read_with_their_numbers_and_only_where_gold_is_known(folder: Path) -> None:
    (context,) = contexts(folder)
    assert (context.name, context.facts[2]) == ("made_up_1k", "Ada lives in Lisbon.")
    assert [(asked.gold, asked.stale) for asked in context.asked] == [(2, (0,)), (1, ())]


def test_facts_that_are_not_numbered_from_zero_are_refused(folder: Path) -> None:
    _write(folder / "factconsolidation" / "contexts.json.gz", '[{"source": "made_up_1k", "context": "1. Ada sings."}]')
    with pytest.raises(ValueError, match="numbered"):
        contexts(folder)


def test_a_chat_is_read_without_the_marks_of_its_plan(folder: Path) -> None:
    (chat,) = chats(folder)
    assert chat.turns[0].text == BEFORE
    assert [probe.turns for probe in chat.updates] == [(("0",), ("2",)), (("2",), ("2",))]
    assert chat.contradictions[0].says == ("you have never planned a budget", "you planned $600")


def test_pairs_are_read_with_their_labels_and_a_premise_stays_in_one_half(folder: Path) -> None:
    found = {(pair.source, pair.label): pair for pair in sentence_pairs(folder)}
    assert found["SNLI", "neutral"].place == found["SNLI", "contradiction"].place != found["SNLI", "entailment"].place
    assert found["PAWS", "negative"].after == ("Bo met Ada .",)
    assert found["STS-B", "same"].after == ("Rain falls.",)
    assert found["STS-B", "differ"].before == ("A.",)
    assert found["FEVER", "supports"].before == ("Porto is a town on the Douro.",)
    assert [pair.before for pair in supersessions(folder)] == [(BEFORE,)]


def test_texts_without_claims_are_left_out(folder: Path) -> None:
    found = claimed(folder)
    assert [one.claims for one in found["FactCheck-GPT"]] == [("Ada sings.", "Ada dances.")]
    assert [one.text for one in found["PropSegmEnt"]] == ["Bo naps."]


def test_an_empty_folder_gives_nothing(tmp_path: Path) -> None:
    assert contexts(tmp_path) == chats(tmp_path) == sentence_pairs(tmp_path) == supersessions(tmp_path) == []
    assert talk(tmp_path) == {}
    assert not any(claimed(tmp_path).values())


# The sections


@each_row(
    ("ranking", "expected"),
    [
        ([("Lisbon", {2}), ("Porto", {0})], {"current@1": 1, "in top": 1, "stale@1": 0, "stale above": 0}),
        ([("Porto", {0}), ("Lisbon", {2})], {"current@1": 0, "in top": 1, "stale@1": 1, "stale above": 1}),
        ([("Lisbon", {2})], {"current@1": 1, "in top": 1, "stale@1": 0, "stale above": 0}),
        ([("Porto", {0})], {"current@1": 0, "in top": 0, "stale@1": 1, "stale above": 1}),
        ([], {"current@1": 0, "in top": 0, "stale@1": 0, "stale above": 0}),
    ],
)
def test_a_changed_fact_is_right_when_only_what_is_current_stands_first(
    ranking: list[tuple[str, set[int]]], expected: dict[str, int]
) -> None:
    tally = Tally()
    score(tally, "x", "even", Asked("Where?", ("Lisbon",), 2, (0,), mislabelled=False), ranking)
    assert {name.removeprefix("x/"): value for (name, _), (value, _) in tally.sums.items()} == expected


def test_a_control_is_lost_when_its_fact_is_not_found_and_a_mislabelled_one_is_none() -> None:
    tally = Tally()
    for found, mislabelled in (({1}, False), ({5}, False), ({5}, True)):
        asked = Asked("What?", ("flute",), 1, (), mislabelled=mislabelled)
        score(tally, "x", "odd", asked, [("Bo plays the flute", found)])
    assert tally.sums["x/controls lost", "odd"] == (1.0, 2)


def test_old_above_new_is_also_old_alone_and_never_neither() -> None:
    assert Ranks(old=0, new=3).upside_down
    assert Ranks(old=2, new=10).upside_down
    assert not Ranks(old=10, new=10).upside_down


def test_an_update_is_counted_once_and_one_within_a_single_turn_not_at_all(folder: Path) -> None:
    (chat,) = chats(folder)
    tally = measure(chat, "even", extract=False)
    assert tally.count("turns/old above new") == 1
    assert tally.count("turns/both kept") == 1
    assert (tally.mean("turns/old above new") == 0.0) is (tally.mean("turns/new above old") == 1.0)
    assert tally.count("turns/memories") == 3  # what the assistant said is not told


def test_a_statement_whose_memory_is_gone_is_not_kept() -> None:
    """Whichever of the two the data names first."""
    texts = {"flute": "Bo plays the flute every evening.", "boat": "Ada has a boat in Porto."}
    probe = Probe("What?", "Both.", (("flute",), ("boat",)), ("Ada has a boat", "Bo plays the flute"))
    with stage(FakeEmbedder()) as told:
        for key, text in texts.items():
            told.tell(key, text)
        assert still_said(told, probe, texts) == [True, True]
        told.engine.forget(ids=[told.made["boat"][0].id])
        assert still_said(told, probe, texts) == [True, False]


def test_a_repeated_text_belongs_to_each_time_it_was_told() -> None:
    with stage(FakeEmbedder()) as told:
        first = told.tell("first", "Bo plays the flute.")
        again = told.tell("again", "Bo plays the flute.")
        assert again.memories == []
        assert told.keys(first.memories[0]) == {"first", "again"}
        assert told.clock.now() > first.memories[0].created_at


def test_only_what_was_said_first_counts_as_superseded_by_the_second() -> None:
    with stage(FakeEmbedder()) as told:
        one, other = (told.tell(text, text).memories[0] for text in ("Ada lives in Porto.", "Bo sings."))
    first = Remembered(memories=[one])
    tally = Tally()
    pair = Pair("SNLI", "neutral", (one.text,), ("Ada lives in Lisbon.",))
    for retired in (one, other):
        count(tally, pair, [first], [Remembered(superseded=[retired])], extract=False)
    assert tally.sums["SNLI/neutral/superseded", "even"] == (1.0, 2)
    assert [case["wrong"] for case in tally.cases] == ["superseded"]


def test_trifles_change_only_what_can_be_changed() -> None:
    made = {(pair.label, pair.before[0]): pair.after[0] for pair in trifles(["Two cats are not here.", "hm"], 10)}
    assert made["contraction", "Two cats are not here."] == "Two cats aren't here."
    assert made["numbers in digits", "Two cats are not here."] == "2 cats are not here."
    assert made["no full stop", "Two cats are not here."] == "Two cats are not here"
    assert made["exact", "hm"] == "hm"
    assert ("small letters", "hm") not in made
    assert ("really", "Two cats are not here.") not in made


def test_a_missing_list_of_strings_is_said_and_one_that_is_there_is_tried(tmp_path: Path) -> None:
    path = tmp_path / "strings.toml"
    assert try_strings(path).notes == ["strings.toml is missing: no strings to catch"]
    path.write_text('planted = ["Ada lives in Porto."]\nharmless = ["Bo sings."]\n', "utf-8")
    tally = try_strings(path)
    assert {name for name, _ in tally.sums} == {"strings/planted", "strings/harmless"}
    assert [case["list"] for case in tally.cases] == ["planted"]  # a plain sentence is not caught, and that is told


# The program


def test_a_whole_run_tells_every_section_and_writes_what_it_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = folder / "figures.json"
    assert main(["--data", str(folder), "--jobs", "1", "--json", str(written)]) == 0
    printed = capsys.readouterr().out
    for name in ("FactConsolidation", "BEAM", "Pairs", "Decomposition", "Injected", "Throughput", "targets met"):
        assert name in printed
    told = {section["section"]: section for section in json.loads(written.read_text("utf-8"))["sections"]}
    facts = {figure["name"]: figure for figure in told["facts"]["figures"]}
    assert facts["1k: answer in the best 10"]["value"] == 1.0
    assert facts["1k: controls lost"]["met"] is True
    exact = next(figure for figure in told["pairs"]["figures"] if "exact" in figure["name"])
    assert exact["value"] == 1.0


def test_sections_can_be_chosen_and_an_unknown_one_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(folder), "--jobs", "1", "--quick", "--only", "units"]) == 0
    printed = capsys.readouterr().out
    assert "Decomposition" in printed
    assert "BEAM" not in printed
    with pytest.raises(SystemExit):
        main(["--data", str(folder), "--only", "everything"])


def test_without_its_data_a_section_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(tmp_path), "--jobs", "1", "--only", "facts,beam,pairs,units,speed"]) == 0
    assert capsys.readouterr().out.count("nothing to measure") == 5
    assert main(["--data", str(tmp_path / "nowhere")]) == 2
