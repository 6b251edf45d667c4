"""The network of the judge: one BERT encoder, a head for each reading, and the pooled vector of a single text."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import torch
from torch import nn
from transformers import BertConfig, BertModel

from training.examples import KINDS, LIFETIMES, RELATIONS

HEADS = {
    "relation": len(RELATIONS),
    "answers": 1,
    "kind": len(KINDS),
    "lifetime": len(LIFETIMES),
    "harm": 4,
    "injected": 1,
}


class Judge(nn.Module):
    """Readings of a text or of a pair of texts, and a vector of length one."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        config._attn_implementation = "sdpa"
        self.encoder = BertModel(config, add_pooling_layer=False)
        self.drop = nn.Dropout(0.1)
        self.heads = nn.ModuleDict({name: nn.Linear(config.hidden_size, size) for name, size in HEADS.items()})

    def hidden(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        return self.encoder(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state

    def read(self, hidden: torch.Tensor, *names: str) -> list[torch.Tensor]:
        first = self.drop(hidden[:, 0])
        return [self.heads[name](first) for name in names]

    def vector(self, hidden: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        mask = attention_mask[..., None].to(hidden.dtype)
        mean = (hidden * mask).sum(1) / mask.sum(1)
        return nn.functional.normalize(mean, dim=-1)

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        hidden = self.hidden(input_ids, attention_mask, token_type_ids)
        return (*self.read(hidden, *HEADS), self.vector(hidden, attention_mask))


def from_base(folder: Path, layers: int | None = None) -> Judge:
    """A judge over base weights; `layers` keeps that many, evenly spaced, the last one among them."""
    config = BertConfig(**json.loads((folder / "config.json").read_text()))
    state = {name: torch.tensor(array.astype(np.float32)) for name, array in np.load(folder / "weights.npz").items()}
    if layers is not None and layers < config.num_hidden_layers:
        step = config.num_hidden_layers / layers
        kept = [round((k + 1) * step) - 1 for k in range(layers)]
        state = _chosen_layers(state, kept)
        config.num_hidden_layers = layers
    judge = Judge(config)
    missing, unexpected = judge.encoder.load_state_dict(state, strict=False)
    if missing or unexpected:
        raise SystemExit(f"{folder}: missing {missing[:3]}, unexpected {unexpected[:3]}")
    return judge


def _chosen_layers(state: dict[str, torch.Tensor], kept: list[int]) -> dict[str, torch.Tensor]:
    chosen = {name: value for name, value in state.items() if not name.startswith("encoder.layer.")}
    for new, old in enumerate(kept):
        prefix = f"encoder.layer.{old}."
        for name, value in state.items():
            if name.startswith(prefix):
                chosen[f"encoder.layer.{new}.{name.removeprefix(prefix)}"] = value
    return chosen


def save(judge: Judge, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    state = {name: value.detach().cpu().to(torch.float16).numpy() for name, value in judge.state_dict().items()}
    np.savez(folder / "judge.npz", **state)
    (folder / "config.json").write_text(json.dumps(judge.encoder.config.to_dict(), indent=1, default=str))


def load(folder: Path) -> Judge:
    kept = {key: value for key, value in json.loads((folder / "config.json").read_text()).items() if value is not None}
    judge = Judge(BertConfig(**kept))
    judge.load_state_dict({k: torch.tensor(v.astype(np.float32)) for k, v in np.load(folder / "judge.npz").items()})
    return judge
