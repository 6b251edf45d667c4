"""A trained judge as an int8 ONNX file with its tokenizer: python -m training.export --judge FOLDER --out FOLDER

`model.json` beside them holds the fingerprint, which follows from the weights: a memory's events name it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from pathlib import Path

import torch

from training import network

INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def export(judge: network.Judge, out: Path) -> None:
    """Write the graph with all readings and the vector as outputs, weights quantized by channel."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    judge = judge.cpu().float().eval()
    judge.encoder.config._attn_implementation = "eager"
    example = {name: torch.ones((2, 8), dtype=torch.int64) for name in INPUTS}
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        torch.onnx.export(
            judge,
            tuple(example[name] for name in INPUTS),
            str(whole),
            input_names=list(INPUTS),
            output_names=[*network.HEADS, "vector"],
            dynamic_axes={name: {0: "rows", 1: "tokens"} for name in INPUTS},
            dynamo=False,
        )
        quantize_dynamic(str(whole), str(out), weight_type=QuantType.QInt8, per_channel=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--judge", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    weights = given.out / "judge.onnx"
    export(network.load(given.judge), weights)
    (given.out / "tokenizer.json").write_bytes((given.judge / "tokenizer.json").read_bytes())
    fingerprint = f"ebbing-judge-{hashlib.sha256(weights.read_bytes()).hexdigest()[:12]}"
    (given.out / "model.json").write_text(json.dumps({"fingerprint": fingerprint}))
