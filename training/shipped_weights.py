"""Turn the shipped ONNX files of the pair judge back into a network: python -m training.shipped_weights --out FOLDER

Training can go on from there (`train --start FOLDER`) instead of from the base. The matrices have been rounded to
7 bits by channel, so the network computes what the shipped one computes, and no more precisely.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from tokenizers import BertWordPieceTokenizer

from training import network
from training.base_weights import BERT_SMALL

WEIGHTS = Path(__file__).parents[1] / "src/ebbing/providers/judge_weights"


def state_of(path: Path) -> dict[str, np.ndarray]:
    """The tensors of one exported file, by the names of `network.Judge`."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(path)).graph
    held = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    found = {
        name.removeprefix("judge."): array
        for name, array in held.items()
        if name.startswith("judge.") and array.dtype == np.float32 and name.endswith((".weight", ".bias"))
    }
    if "judge.words.bytes" in held:
        found["words.weight"] = held["judge.words.bytes"].astype(np.float32) * held["judge.words.scale"]
    for node in graph.node:
        if node.op_type != "MatMulInteger":
            continue
        stem = node.input[1].removesuffix("_quantized")
        module = ".".join(node.name.strip("/").split("/")[:-1])
        integers = held[node.input[1]].astype(np.float32) - held[f"{stem}_zero_point"].astype(np.float32)
        name = stem if stem.startswith("judge.") else f"judge.{module}.weight"
        found[name.removeprefix("judge.")] = (integers * held[f"{stem}_scale"]).T
    return found


def judge_of_pairs(folder: Path = WEIGHTS) -> network.Judge:
    """The judge of pairs as it is shipped; readings that it does not have begin at random."""
    judge = network.Judge({**BERT_SMALL, "pooling": "mean"})
    state = {**state_of(folder / "front.onnx"), **state_of(folder / "back.onnx")}
    missing, unexpected = judge.load_state_dict({k: torch.tensor(v) for k, v in state.items()}, strict=False)
    trained = [name for name in missing if not name.startswith(("heads.", "project."))]
    if trained or unexpected:
        raise SystemExit(f"{folder}: missing {trained[:3]}, unexpected {unexpected[:3]}")
    return judge


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    network.save(judge_of_pairs(), given.out)
    BertWordPieceTokenizer(str(WEIGHTS / "vocabulary.txt")).save(str(given.out / "tokenizer.json"))
    print(json.dumps({"out": str(given.out)}))
