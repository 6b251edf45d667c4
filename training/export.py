"""Trained judges as int8 ONNX files: python -m training.export --pairs FOLDER --texts FOLDER --out FOLDER

Of the judge of pairs, `front.onnx` holds the first layers and the early readings, `back.onnx` the other layers and the
readings of all of them; `text.onnx` is the judge of single texts. `vocabulary.txt` holds the pieces of words that both
read, one a line; `model.json` the fingerprint, which follows from the weights: a memory's events name it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from pathlib import Path

import torch
from torch import nn

from training import network

FILES = ("front.onnx", "back.onnx", "text.onnx")
TEXT_HEADS = ("kind", "lifetime", "harm", "injected")
_TOKENS = ("input_ids", "attention_mask", "token_type_ids")
_FREE = {0: "rows", 1: "tokens"}


class RowsOfBytes(nn.Module):
    """The vectors of the words, each as bytes with a scale of its own."""

    def __init__(self, words: nn.Embedding) -> None:
        super().__init__()
        scale = words.weight.abs().amax(1, keepdim=True) / 127
        self.register_buffer("scale", scale)
        self.register_buffer("bytes", (words.weight / scale.clamp_min(1e-12)).round().to(torch.int8))

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.bytes[ids].float() * self.scale[ids]


class Front(nn.Module):
    """The first layers, and the early readings."""

    def __init__(self, judge: network.Judge) -> None:
        super().__init__()
        self.judge = judge

    def forward(self, *tokens: torch.Tensor) -> tuple[torch.Tensor, ...]:
        hidden = self.judge.front(**dict(zip(_TOKENS, tokens, strict=True)))
        return (hidden, *(self.judge.read_early(hidden, name) for name in network.EARLY))


class Back(nn.Module):
    """The other layers, and the readings of a pair."""

    def __init__(self, judge: network.Judge) -> None:
        super().__init__()
        self.judge = judge

    def forward(self, hidden: torch.Tensor, attention_mask: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return tuple(self.judge.read(self.judge.back(hidden, attention_mask), *network.EARLY))


class Text(nn.Module):
    """All layers, and the readings of a single text; its vector, too, where one was trained."""

    def __init__(self, judge: network.Judge, *, with_vector: bool) -> None:
        super().__init__()
        self.judge, self.with_vector = judge, with_vector

    def forward(self, *tokens: torch.Tensor) -> tuple[torch.Tensor, ...]:
        hidden = self.judge.hidden(**dict(zip(_TOKENS, tokens, strict=True)))
        readings = self.judge.read(hidden, *TEXT_HEADS)
        return (*readings, self.judge.vector(hidden, tokens[1])) if self.with_vector else tuple(readings)


def export(pairs: network.Judge, texts: network.Judge, out: Path, *, with_vector: bool = False) -> None:
    """Write the graphs, weights quantized by channel, to seven bits: with eight, processors without VNNI overflow."""
    for judge in (pairs, texts):
        judge.cpu().float().eval()
        judge.words = RowsOfBytes(judge.words)
    tokens = {name: torch.ones((2, 8), dtype=torch.int64) for name in _TOKENS}
    hidden = {"hidden": torch.ones((2, 8, pairs.config["hidden_size"])), "attention_mask": tokens["attention_mask"]}
    early = ["hidden", *(f"{name}_early" for name in network.EARLY)]
    _write(Front(pairs), tokens, early, out / FILES[0])
    _write(Back(pairs), hidden, list(network.EARLY), out / FILES[1])
    read = [*TEXT_HEADS, *(["vector"] if with_vector else [])]
    _write(Text(texts, with_vector=with_vector), tokens, read, out / FILES[2])


def _write(part: nn.Module, inputs: dict[str, torch.Tensor], outputs: list[str], path: Path) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic

    with tempfile.TemporaryDirectory() as folder:
        whole = str(Path(folder) / "whole.onnx")
        free = dict.fromkeys([*inputs, *(["hidden"] if "hidden" in outputs else [])], _FREE)
        torch.onnx.export(
            part,
            tuple(inputs.values()),
            whole,
            input_names=list(inputs),
            output_names=outputs,
            dynamic_axes=free,
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(
            whole,
            str(path),
            op_types_to_quantize=["MatMul"],
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--pairs", "--texts", "--out"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--with-vector", action="store_true", help="the judge of texts was trained to give a vector")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    export(network.load(given.pairs), network.load(given.texts), given.out, with_vector=given.with_vector)
    numbers = json.loads((given.pairs / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    (given.out / "vocabulary.txt").write_text("".join(f"{piece}\n" for piece in sorted(numbers, key=numbers.get)))
    weights = b"".join((given.out / name).read_bytes() for name in FILES)
    fingerprint = f"ebbing-judge-{hashlib.sha256(weights).hexdigest()[:12]}"
    (given.out / "model.json").write_text(json.dumps({"fingerprint": fingerprint}))
