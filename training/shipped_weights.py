"""Turn the shipped ONNX files back into a network: python -m training.shipped_weights [--of texts] --out FOLDER

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


# The files of each judge, and how many layers it has.
PARTS = {"pairs": (("front.onnx", "back.onnx"), 12), "texts": (("text.onnx",), 6)}


def shipped(which: str, folder: Path = WEIGHTS) -> network.Judge:
    """A judge as it is shipped; readings that it does not have begin at random."""
    files, layers = PARTS[which]
    judge = network.Judge({**BERT_SMALL, "num_hidden_layers": layers, "pooling": "mean"})
    state = {name: array for file in files for name, array in state_of(folder / file).items()}
    missing, unexpected = judge.load_state_dict({k: torch.tensor(v) for k, v in state.items()}, strict=False)
    trained = [name for name in missing if not name.startswith(("heads.", "early.", "project."))]
    if trained or unexpected:
        raise SystemExit(f"{folder}: missing {trained[:3]}, unexpected {unexpected[:3]}")
    return judge


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--of", choices=PARTS, default="pairs", help="the judge of pairs or that of texts")
    given = parser.parse_args()
    network.save(shipped(given.of), given.out)
    BertWordPieceTokenizer(str(WEIGHTS / "vocabulary.txt")).save(str(given.out / "tokenizer.json"))
    print(json.dumps({"out": str(given.out)}))
