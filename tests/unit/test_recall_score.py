"""The one score: what moves it, what it never does, and the calibrations that ship."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebbing.domain.policy.loader import load
from ebbing.recall.calibration import AT_ITS_WORD, AVERAGES, READS, WORDS, calibration
from ebbing.recall.score import expit, logit, recency, scored

RULES = load().recall
shares = st.floats(0, 1)


@given(shares, shares, shares, shares)
def test_the_score_rises_with_each_of_its_parts(
    probability: float, strength: float, more: float, lately: float
) -> None:
    """And is a probability, whatever goes in."""
    low, high = sorted((strength, more))
    boost = lately * RULES.recency_boost
    assert 0 <= scored(probability, low, boost, RULES) <= scored(probability, high, boost, RULES) <= 1
    assert scored(probability, low, 0.0, RULES) <= scored(probability, low, boost, RULES)


def test_strength_moves_the_odds_by_its_share_and_no_more() -> None:
    """Golden: odds of 9 to 1 become 5.4 to 1 for what has faded to nothing."""
    assert scored(0.9, 1.0, 0.0, RULES) == pytest.approx(0.9)
    assert scored(0.9, 0.0, 0.0, RULES) == pytest.approx(5.4 / 6.4)


def test_no_strength_lifts_what_hardly_answers_above_what_does() -> None:
    """A wifi policy at full strength stands behind the answer at none."""
    assert scored(0.3, 1.0, RULES.recency_boost, RULES) < scored(0.5, 0.0, 0.0, RULES)


def test_recency_halves_and_the_future_is_now() -> None:
    """Golden: after a half-life, half the boost."""
    assert recency(0.0, RULES) == RULES.recency_boost == recency(-3.0, RULES)
    assert recency(RULES.recency_half_life_days, RULES) == pytest.approx(RULES.recency_boost / 2)


def test_log_odds_and_probability_are_each_others_inverse() -> None:
    """Also near the ends."""
    for share in (0.001, 0.3, 0.5, 0.999):
        assert expit(logit(share)) == pytest.approx(share)


def test_a_calibration_rises_with_relevance_and_with_what_the_judge_reads() -> None:
    """Every one that ships; otherwise the best few would not be the best."""
    for kind in (AVERAGES, READS, WORDS):
        for judge in (None, _fingerprint()):
            fit = calibration(kind, None, judge)
            assert fit.relevance > 0
            assert (fit.answers > 0) == (judge is not None)
            assert fit.absent < 0


def test_the_weights_that_ship_are_those_that_were_fitted() -> None:
    """New weights need `python -m training.calibrate_recall`."""
    for kind in (AVERAGES, READS, WORDS):
        assert calibration(kind, None, _fingerprint()) is not AT_ITS_WORD


def test_a_judge_that_nobody_measured_is_taken_at_its_word() -> None:
    """Its probability decides, and relevance between what it finds alike."""
    fit = calibration(WORDS, None, "another judge")
    assert fit is AT_ITS_WORD
    sure, doubtful = (fit.probability(0.5, answers, absent=False, unknown=False) for answers in (0.9, 0.1))
    assert sure == pytest.approx(0.9)
    assert doubtful == pytest.approx(0.1)


def _fingerprint() -> str:
    folder = resources.files("ebbing.providers") / "judge_weights"
    return str(json.loads((Path(str(folder)) / "model.json").read_text("utf-8"))["fingerprint"])
