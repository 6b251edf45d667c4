"""The weights that ship are those of the model card: their name follows from them, and they reproduce its figures."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from ebbing.providers.judge import WEIGHTS, PackagedJudge
from training import examples

TRAINING = Path(__file__).parents[2] / "training"
CARD = json.loads((TRAINING / "card.json").read_text())
TOLERANCE = 0.03  # processors round the products of small integers differently


def test_the_fingerprint_follows_from_the_weights() -> None:
    """Events name the judge by it: other weights under the same name would make them say something untrue."""
    files = [(WEIGHTS / name).read_bytes() for name in ("front.onnx", "back.onnx", "text.onnx")]
    digest = hashlib.sha256(b"".join(files)).hexdigest()
    assert PackagedJudge().fingerprint == CARD["fingerprint"] == f"ebbing-judge-{digest[:12]}"


def test_the_weights_reproduce_the_relations_of_the_card() -> None:
    """On the scenarios of short statements that no training run saw."""
    held = [one for one in examples.load(TRAINING / "data")[1].scenarios if one["source"] == "short"]
    pairs = [pair for scenario in held for pair in examples.exact_pairs(scenario)][:: CARD["every"]]
    read = PackagedJudge().relate([(pair.older, pair.newer) for pair in pairs])
    right = sum(examples.RELATIONS.index(one.likeliest) in pair.allowed for one, pair in zip(read, pairs, strict=True))
    assert abs(right / len(pairs) - CARD["short relations right"]) <= TOLERANCE


def test_the_weights_reproduce_the_kinds_of_the_card() -> None:
    held = [row for row in examples.load(TRAINING / "data")[1].texts if "kind" in row][:: CARD["every"]]
    read = PackagedJudge().read([row["t"] for row in held])
    right = sum(one.kind == row["kind"] for one, row in zip(read, held, strict=True))
    assert abs(right / len(held) - CARD["kinds right"]) <= TOLERANCE
