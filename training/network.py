"""The network of the judge: one BERT encoder, a head for each reading, and the vector of a single text.

The first layers have heads of their own for pairs (the *early* readings). Most pairs have nothing to do with each
other, and that is seen early: only the others are read by all layers.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from training.examples import KINDS, LIFETIMES, RELATIONS

HEADS = {
    "relation": len(RELATIONS),
    "answers": 1,
    "kind": len(KINDS),
    "lifetime": len(LIFETIMES),
    "harm": 4,
    "injected": 1,
}
EARLY = ("relation", "answers")
DIMENSIONS = 256  # of the vector of a single text
YES_OR_NO = ("answers", "injected")  # one number, the logit of yes


class Linear(nn.Linear):
    """A linear map that can be computed as the exported one is: inputs in 8 bits, weights in 7 bits a channel."""

    rounds = False

    def forward(self, given: torch.Tensor) -> torch.Tensor:
        if not self.rounds:
            return super().forward(given)
        with torch.no_grad():
            low = given.amin(dim=(1, 2), keepdim=True).clamp_max(0.0).float()
            high = given.amax(dim=(1, 2), keepdim=True).clamp_min(0.0).float()
            step = ((high - low) / 255).clamp_min(1e-8)
            zero = (-low / step).round()
            inputs = (((given.float() / step).round() + zero).clamp(0, 255) - zero) * step
            scale = self.weight.abs().amax(1, keepdim=True).clamp_min(1e-8) / 64
            weights = (self.weight / scale).round() * scale
            off_inputs, off_weights = (inputs - given).to(given.dtype), weights - self.weight
        return nn.functional.linear(given + off_inputs, self.weight + off_weights, self.bias)


class Distances(nn.Module):
    """What each head of the attention adds for the distance of two tokens, as MPNet has it; all layers share it."""

    def __init__(self, buckets: int, parts: int, farthest: int = 128) -> None:
        super().__init__()
        self.buckets, self.farthest = buckets, farthest
        self.bias = nn.Embedding(buckets, parts)

    def forward(self, count: int) -> torch.Tensor:
        """One row of heads, tokens and tokens."""
        places = torch.arange(count, device=self.bias.weight.device)
        return self.bias(self._bucket(places[None, :] - places[:, None])).permute(2, 0, 1)[None]

    def _bucket(self, distance: torch.Tensor) -> torch.Tensor:
        """Near distances one by one, far ones in groups that grow; half of the buckets for each direction."""
        half = self.buckets // 2
        exact = half // 2
        far = distance.abs()
        grown = torch.log(far.clamp_min(1).float() / exact) / math.log(self.farthest / exact) * (half - exact)
        place = torch.where(far < exact, far, (exact + grown.long()).clamp_max(half - 1))
        return place + (distance > 0).long() * half


class Layer(nn.Module):
    """Self-attention and a feed-forward network, each with its residual and its norm."""

    def __init__(self, width: int, inner: int, parts: int, epsilon: float, dropout: float = 0.1) -> None:
        super().__init__()
        self.parts = parts
        self.qkv, self.out = Linear(width, 3 * width), Linear(width, width)
        self.up, self.down = Linear(width, inner), Linear(inner, width)
        self.norm1, self.norm2 = nn.LayerNorm(width, eps=epsilon), nn.LayerNorm(width, eps=epsilon)
        self.drop, self.rate = nn.Dropout(dropout), dropout

    def forward(self, hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        rows, tokens, width = hidden.shape
        split = self.qkv(hidden).view(rows, tokens, 3, self.parts, width // self.parts).permute(2, 0, 3, 1, 4)
        rate = self.rate if self.training else 0.0
        mixed = nn.functional.scaled_dot_product_attention(split[0], split[1], split[2], mask, dropout_p=rate)
        mixed = self.out(mixed.transpose(1, 2).reshape(rows, tokens, width))
        hidden = self.norm1(hidden + self.drop(mixed))
        return self.norm2(hidden + self.drop(self.down(nn.functional.gelu(self.up(hidden)))))


class Judge(nn.Module):
    """Readings of a text or of a pair of texts, and a vector of length one."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        self.config = config
        width, inner, parts = config["hidden_size"], config["intermediate_size"], config["num_attention_heads"]
        self.words = nn.Embedding(config["vocab_size"], width)
        self.places = nn.Embedding(config["max_position_embeddings"], width)
        self.types = nn.Embedding(2, width)
        nn.init.zeros_(self.types.weight)  # a base that knows no first and second text begins with no difference
        epsilon = config["layer_norm_eps"]
        self.norm = nn.LayerNorm(width, eps=epsilon)
        buckets = config.get("relative_attention_num_buckets")
        self.distances = None if buckets is None else Distances(buckets, parts)
        self.layers = nn.ModuleList(Layer(width, inner, parts, epsilon) for _ in range(config["num_hidden_layers"]))
        self.first = len(self.layers) // 3  # so many layers give the early readings
        self.drop = nn.Dropout(0.1)
        self.heads = nn.ModuleDict({name: nn.Linear(width, size) for name, size in HEADS.items()})
        self.early = nn.ModuleDict({name: nn.Linear(width, HEADS[name]) for name in EARLY})
        self.project = Linear(width, DIMENSIONS, bias=False)

    def front(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        """What the first layers make of the tokens."""
        places = torch.arange(input_ids.shape[1], device=input_ids.device)
        hidden = self.words(input_ids) + self.types(token_type_ids) + self.places(places)[None]
        hidden = self.drop(self.norm(hidden))
        return self._through(self.layers[: self.first], hidden, attention_mask)

    def back(self, hidden: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """What the remaining layers make of it."""
        return self._through(self.layers[self.first :], hidden, attention_mask)

    def _through(self, layers: Any, hidden: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        mask = attention_mask[:, None, None, :] > 0
        if self.distances is not None:
            bias = self.distances(hidden.shape[1])
            mask = bias.masked_fill(~mask, -1e4)
        for layer in layers:
            hidden = layer(hidden, mask)
        return hidden

    def round(self, on: bool = True) -> None:
        """Compute from here on as the exported network does, so that training makes up for the rounding."""
        for module in self.modules():
            if isinstance(module, Linear):
                module.rounds = on

    def hidden(self, **batch: torch.Tensor) -> torch.Tensor:
        return self.back(self.front(**batch), batch["attention_mask"])

    def read(self, hidden: torch.Tensor, *names: str) -> list[torch.Tensor]:
        first = self.drop(hidden[:, 0])
        return [self.heads[name](first) for name in names]

    def read_early(self, hidden: torch.Tensor, name: str) -> torch.Tensor:
        return self.early[name](self.drop(hidden[:, 0]))

    def vector(self, hidden: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """What a search by meaning compares."""
        mask = attention_mask[..., None].to(hidden.dtype)
        return nn.functional.normalize((self.project(hidden) * mask).sum(1), dim=-1)

    def base_vector(self, hidden: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """The vector as the base makes it."""
        if self.config.get("pooling") == "first":
            return nn.functional.normalize(hidden[:, 0], dim=-1)
        mask = attention_mask[..., None].to(hidden.dtype)
        return nn.functional.normalize((hidden * mask).sum(1) / mask.sum(1), dim=-1)


def from_base(folder: Path) -> Judge:
    """A judge over base weights."""
    config = json.loads((folder / "config.json").read_text())
    judge = Judge(config)
    given = {name: torch.tensor(array.astype(np.float32)) for name, array in np.load(folder / "weights.npz").items()}
    missing, unexpected = judge.load_state_dict(_renamed(given), strict=False)
    missing = [name for name in missing if not name.startswith(("heads.", "early.", "types.", "project."))]
    if missing or unexpected:
        raise SystemExit(f"{folder}: missing {missing[:3]}, unexpected {unexpected[:3]}")
    return judge


def _renamed(given: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Base weights by the names used here; the matrices of query, key and value are one."""
    whole = {"word_embeddings": "words", "position_embeddings": "places", "token_type_embeddings": "types"}
    whole["LayerNorm"] = "norm"
    parts = {
        "attention.attn.o": "out",  # by the names of MPNet …
        "attention.LayerNorm": "norm1",
        "attention.output.dense": "out",  # … and of BERT
        "attention.output.LayerNorm": "norm1",
        "intermediate.dense": "up",
        "output.dense": "down",
        "output.LayerNorm": "norm2",
    }
    found: dict[str, torch.Tensor] = {}
    for name, value in given.items():
        path, kind = name.rsplit(".", 1)
        if path == "encoder.relative_attention_bias":
            found["distances.bias.weight"] = value
            continue
        if path.startswith("embeddings."):
            found[f"{whole[path.removeprefix('embeddings.')]}.{kind}"] = value
            continue
        _, _, number, part = path.split(".", 3)
        for query, key, value_of in _QKV:
            if part == query:
                stem = f"encoder.layer.{number}"
                three = [given[f"{stem}.{one}.{kind}"] for one in (query, key, value_of)]
                found[f"layers.{number}.qkv.{kind}"] = torch.cat(three)
        if part in parts:
            found[f"layers.{number}.{parts[part]}.{kind}"] = value
    return found


_QKV = (
    tuple(f"attention.self.{one}" for one in ("query", "key", "value")),
    tuple(f"attention.attn.{one}" for one in "qkv"),
)


def save(judge: Judge, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    state = {name: value.detach().cpu().to(torch.float16).numpy() for name, value in judge.state_dict().items()}
    np.savez(folder / "judge.npz", **state)
    (folder / "config.json").write_text(json.dumps(judge.config, indent=1))


def load(folder: Path) -> Judge:
    judge = Judge(json.loads((folder / "config.json").read_text()))
    judge.load_state_dict({k: torch.tensor(v.astype(np.float32)) for k, v in np.load(folder / "judge.npz").items()})
    return judge


def start_projection(judge: Judge, vectors: np.ndarray) -> None:
    """Begin with the directions in which these vectors of the base differ most."""
    _, _, directions = np.linalg.svd(vectors.astype(np.float32), full_matrices=False)
    with torch.no_grad():
        judge.project.weight.copy_(torch.tensor(directions[:DIMENSIONS]))
