"""Train a judge: python -m training.train --base FOLDER --data training/data --out FOLDER

Runs on a GPU or, slowly, on a CPU. With `--taught` the new judge also learns what other judges say (files that
`training.teach` wrote), also about pairs that nobody labelled. Same seed, same data, same machine: same weights.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import nn

from training import examples, network

LENGTH_MAX = 192  # tokens of a pair
TOKENS_A_BATCH = int(os.environ.get("TOKENS_A_BATCH", "24576"))
ROWS_A_BATCH = int(os.environ.get("ROWS_A_BATCH", "384"))
TASKS = ("relation", "answers", "texts", "embed")
entropy = nn.functional.cross_entropy
binary = nn.functional.binary_cross_entropy_with_logits


class Encoded:
    """Texts as token numbers, each tokenized once."""

    def __init__(self, tokenizer: Tokenizer, device: str) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer, self._device = tokenizer, device
        self._known: dict[str, list[int]] = {}
        self.begin, self.end = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")

    def add(self, texts: Sequence[str]) -> None:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        for text, encoding in zip(new, self._tokenizer.encode_batch(new, add_special_tokens=False), strict=True):
            self._known[text] = encoding.ids[: LENGTH_MAX * 2]

    def length(self, texts: tuple[str, ...]) -> int:
        return min(sum(len(self._known[text]) for text in texts) + len(texts) + 1, LENGTH_MAX)

    def batch(self, rows: Sequence[tuple[str, ...]]) -> dict[str, torch.Tensor]:
        """Rows of one or two texts, cut from the end of the longer one, padded to the longest."""
        assembled = [self._row(row) for row in rows]
        width = max(len(ids) for ids, _ in assembled)
        ids = np.zeros((len(rows), width), dtype=np.int64)
        mask, types = np.zeros_like(ids), np.zeros_like(ids)
        for number, (numbers, first) in enumerate(assembled):
            ids[number, : len(numbers)] = numbers
            mask[number, : len(numbers)] = 1
            types[number, first : len(numbers)] = 1
        put = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        return {name: torch.from_numpy(array).to(self._device, non_blocking=True) for name, array in put.items()}

    def _row(self, row: tuple[str, ...]) -> tuple[list[int], int]:
        parts = [self._known[text] for text in row]
        room = LENGTH_MAX - len(parts) - 1
        if len(parts) == 1:
            numbers = [self.begin, *parts[0][:room], self.end]
            return numbers, len(numbers)
        one, two = parts
        while len(one) + len(two) > room:
            half = max(room // 2, room - min(len(one), len(two)))
            one, two = (one[:half], two) if len(one) >= len(two) else (one, two[:half])
        return [self.begin, *one, self.end, *two, self.end], len(one) + 2


def batches(rows: Sequence[Any], texts_of: Any, encoded: Encoded, chance: random.Random) -> list[list[Any]]:
    """Rows of about the same length together."""
    encoded.add([text for row in rows for text in texts_of(row)])
    made: list[list[Any]] = []
    for start in range(0, len(rows), 16_384):
        some = sorted(rows[start : start + 16_384], key=lambda row: encoded.length(texts_of(row)))
        batch: list[Any] = []
        for row in some:
            longest = encoded.length(texts_of(row))
            if batch and (len(batch) >= ROWS_A_BATCH or (len(batch) + 1) * longest > TOKENS_A_BATCH):
                made.append(batch)
                batch = []
            batch.append(row)
        made.append(batch)
    chance.shuffle(made)
    return made


@torch.no_grad()
def predicted(judge: network.Judge, encoded: Encoded, rows: Sequence[tuple[str, ...]], head: str) -> np.ndarray:
    """Probabilities, in the order of the rows."""
    judge.eval()
    encoded.add([text for row in rows for text in row])
    order = sorted(range(len(rows)), key=lambda k: encoded.length(rows[k]))
    found: list[Any] = [None] * len(rows)
    for start in range(0, len(order), 512):
        some = order[start : start + 512]
        batch = encoded.batch([rows[k] for k in some])
        with torch.autocast(batch["input_ids"].device.type, torch.bfloat16, enabled=batch["input_ids"].is_cuda):
            (logits,) = judge.read(judge.hidden(**batch), head)
        logits = logits.float()
        read = logits.sigmoid() if head in ("answers", "injected") else logits.softmax(-1)
        for k, values in zip(some, read.cpu().numpy(), strict=True):
            found[k] = values
    return np.array(found)


class Trainer:
    """The tasks, their losses and the loop."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.chance = random.Random(given.seed)
        torch.manual_seed(given.seed)
        self.train, self.held = examples.load(given.data)
        if given.small:
            for data in (self.train, self.held):
                data.scenarios, data.lives = data.scenarios[:6], data.lives[:2]
                data.texts, data.questions = data.texts[:16], data.questions[:2]
        self.encoded = Encoded(Tokenizer.from_file(str(given.base / "tokenizer.json")), self.device)
        self.judge = network.from_base(given.base).to(self.device)
        self.taught = self._read_taught(given.taught)
        self.original = network.from_base(given.base).to(self.device).eval()
        vectors = self._vectors(self.original, [one["o"] for one in self.train.scenarios])
        self.distance = examples.Distance(self.train.scenarios, vectors)

    def _read_taught(self, files: Sequence[Path]) -> examples.Taught | None:
        if not files:
            return None
        pairs = examples.written_pairs(self.train)
        return examples.Taught(pairs, np.mean([np.load(file).astype(np.float32) for file in files], axis=0))

    @torch.no_grad()
    def _vectors(self, judge: network.Judge, texts: Sequence[str]) -> np.ndarray:
        self.encoded.add(texts)
        found = []
        for start in range(0, len(texts), 256):
            batch = self.encoded.batch([(text,) for text in texts[start : start + 256]])
            found.append(judge.vector(judge.hidden(**batch), batch["attention_mask"]).float().cpu().numpy())
        return np.concatenate(found)

    def epoch(self) -> list[tuple[str, list[Any]]]:
        """Batches of every task, mixed."""
        given, chance = self.given, self.chance
        relations: list[examples.Pair] = []
        if "relation" in given.tasks:
            relations = examples.relation_examples(self.train, self.distance, chance, given.negatives, self.taught)
        answers = examples.answer_examples(self.train, self.distance, chance) if "answers" in given.tasks else []
        texts = self.train.texts * given.text_repeats if "texts" in given.tasks else []
        embedded = examples.embedded_texts(self.train, chance) if "embed" in given.tasks else []
        work: list[tuple[str, list[Any]]] = []
        work += [("relation", some) for some in batches(relations, lambda p: (p.older, p.newer), self.encoded, chance)]
        work += [("answers", some) for some in batches(answers, lambda a: (a.question, a.memory), self.encoded, chance)]
        work += [("texts", some) for some in batches(texts, lambda t: (t["t"],), self.encoded, chance)]
        work += [("embed", some) for some in batches(embedded, lambda t: (t,), self.encoded, chance)]
        if self.taught is not None:
            pairs = examples.unlabelled_pairs(self.train, random.Random(0))
            work += [("unlabelled", some) for some in batches(pairs, lambda p: p, self.encoded, chance)]
        work = [(task, some) for task, some in work if some]
        chance.shuffle(work)
        return work

    def loss(self, task: str, rows: list[Any]) -> torch.Tensor:
        return getattr(self, f"_{task}")(rows)

    def _relation(self, rows: list[examples.Pair]) -> torch.Tensor:
        batch = self.encoded.batch([(pair.older, pair.newer) for pair in rows])
        forbidden = np.full((len(rows), len(examples.RELATIONS)), -np.inf, dtype=np.float32)
        for number, pair in enumerate(rows):
            forbidden[number, list(pair.allowed)] = 0.0
        allowed = torch.from_numpy(forbidden).to(self.device, non_blocking=True)
        taught, known = self._said([pair.written for pair in rows])

        def loss(logits: torch.Tensor) -> torch.Tensor:
            logs = logits.float().log_softmax(-1)
            own = 0.97 * -(logs + allowed).logsumexp(-1) + 0.03 * -logs.mean(-1)
            if taught is None:
                return own.mean()
            return torch.where(known, 0.4 * own + 0.6 * -(taught * logs).sum(-1), own).mean()

        return self._both(batch, "relation", loss)

    def _said(self, pairs: Sequence[tuple[str, str] | None]) -> tuple[torch.Tensor | None, torch.Tensor | None]:
        """What the teachers say of these pairs, and of which of them they say anything."""
        if self.taught is None:
            return None, None
        rows = [self.taught.of(pair) for pair in pairs]
        nothing = np.zeros(len(examples.RELATIONS), dtype=np.float32)
        said = np.stack([nothing if row is None else row for row in rows]).astype(np.float32)
        known = np.array([row is not None for row in rows])
        return torch.from_numpy(said).to(self.device), torch.from_numpy(known).to(self.device)

    def _both(self, batch: dict[str, torch.Tensor], head: str, loss: Callable[[torch.Tensor], torch.Tensor]) -> Any:
        """The loss of the last layer's reading and, lightly, of the early one."""
        early = self.judge.front(**batch)
        (logits,) = self.judge.read(self.judge.back(early, batch["attention_mask"]), head)
        return loss(logits) + 0.3 * loss(self.judge.read_early(early, head))

    def _unlabelled(self, rows: list[tuple[str, str]]) -> torch.Tensor:
        taught, _ = self._said(rows)
        return self._both(
            self.encoded.batch(rows),
            "relation",
            lambda logits: -(taught * logits.float().log_softmax(-1)).sum(-1).mean(),
        )

    def _answers(self, rows: list[examples.Answer]) -> torch.Tensor:
        batch = self.encoded.batch([(one.question, one.memory) for one in rows])
        target = torch.tensor([[one.answers] for one in rows], device=self.device)
        return self._both(batch, "answers", lambda logits: binary(logits.float(), target))

    def _texts(self, rows: list[dict[str, Any]]) -> torch.Tensor:
        batch = self.encoded.batch([(row["t"],) for row in rows])
        kinds, lifetimes, harms, injected = self.judge.read(
            self.judge.hidden(**batch), "kind", "lifetime", "harm", "injected"
        )
        target = lambda of: torch.tensor([of(row) for row in rows], device=self.device)  # noqa: E731
        loss = entropy(kinds.float(), target(lambda row: examples.KINDS.index(row["kind"])), label_smoothing=0.05)
        loss += 0.7 * entropy(
            lifetimes.float(), target(lambda row: examples.LIFETIMES.index(row["life"])), label_smoothing=0.05
        )
        loss += 0.7 * entropy(harms.float(), target(lambda row: row["harm"]), label_smoothing=0.05)
        return loss + binary(injected.float(), target(lambda row: [float(row["inj"])]))

    def _embed(self, rows: list[str]) -> torch.Tensor:
        """Vectors stay those of the base, which has read far more than our data."""
        batch = self.encoded.batch([(text,) for text in rows])
        vectors = self.judge.vector(self.judge.hidden(**batch), batch["attention_mask"]).float()
        with torch.no_grad():
            before = self.original.vector(self.original.hidden(**batch), batch["attention_mask"]).float()
        return self.given.embed_weight * (1 - (vectors * before).sum(-1)).mean()

    def run(self) -> None:
        given = self.given
        first = self.epoch()
        total = given.epochs * len(first)
        named = list(self.judge.named_parameters())
        groups = [
            {"params": [value for name, value in named if "heads." not in name and "early." not in name]},
            {"params": [value for name, value in named if "heads." in name or "early." in name], "lr": 10 * given.rate},
        ]
        optimizer = torch.optim.AdamW(groups, lr=given.rate, weight_decay=0.01, fused=self.device == "cuda")
        schedule = torch.optim.lr_scheduler.LambdaLR(
            optimizer, lambda step: min(1.0, step / (0.06 * total + 1)) * max(0.01, 1 - step / total)
        )
        started = time.monotonic()
        given.out.mkdir(parents=True, exist_ok=True)
        (given.out / "tokenizer.json").write_bytes((given.base / "tokenizer.json").read_bytes())
        measured: dict[str, float] = {}
        for number in range(given.epochs):
            sums: dict[str, list[torch.Tensor]] = {}
            self.judge.train()
            self.judge.round(number >= given.epochs - given.rounded)
            for task, rows in first if number == 0 else self.epoch():
                with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
                    loss = self.loss(task, rows)
                optimizer.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(self.judge.parameters(), 1.0)
                optimizer.step()
                schedule.step()
                sums.setdefault(task, []).append(loss.detach())
            told = ", ".join(f"{task} {torch.stack(losses).mean():.3f}" for task, losses in sorted(sums.items()))
            last = number == given.epochs - 1
            measured = self.measure() if last or number % 2 else {}
            print(f"epoch {number}: {told} | {measured} | {time.monotonic() - started:.0f} s", flush=True)
            network.save(self.judge, given.out)
        (given.out / "measured.json").write_text(json.dumps(measured, indent=1))

    def _predicted(self, rows: Sequence[tuple[str, ...]], head: str) -> np.ndarray:
        return predicted(self.judge, self.encoded, rows, head)

    def measure(self) -> dict[str, float]:
        """On held data alone; through the engine it is measured by `make judge`."""
        measured = self._measure_relations() if "relation" in self.given.tasks else {}
        measured |= self._measure_texts() if "texts" in self.given.tasks else {}
        return {name: round(value, 3) for name, value in measured.items()}

    def _measure_relations(self) -> dict[str, float]:
        pairs = [pair for scenario in self.held.scenarios for pair in examples.exact_pairs(scenario)]
        read = self._predicted([(pair.older, pair.newer) for pair in pairs], "relation")
        right = sum(int(row.argmax()) in pair.allowed for row, pair in zip(read, pairs, strict=True))
        lives = [pair for life in self.held.lives for pair in examples.life_pairs(life)]
        probability = self._predicted([(pair.older, pair.newer) for pair in lives], "relation")[:, examples.UPDATES]
        retired = np.array([pair.allowed == (examples.UPDATES,) for pair in lives])
        measured = {"scenarios": right / len(pairs)}
        for certainty in (0.5, 0.8, 0.9):
            measured[f"heard@{certainty}"] = float((probability[retired] > certainty).mean())
            measured[f"wrong@{certainty}"] = float((probability[~retired] > certainty).mean())
        return measured

    def _measure_texts(self) -> dict[str, float]:
        rows = self.held.texts
        texts = [(row["t"],) for row in rows]
        kinds = self._predicted(texts, "kind").argmax(1)
        lifetimes = self._predicted(texts, "lifetime").argmax(1)
        off = np.array([abs(k - examples.LIFETIMES.index(r["life"])) for k, r in zip(lifetimes, rows, strict=True)])
        injected = self._predicted(texts, "injected")[:, 0]
        truth = np.array([row["inj"] for row in rows]) == 1
        return {
            "kind": float(np.mean([k == examples.KINDS.index(r["kind"]) for k, r in zip(kinds, rows, strict=True)])),
            "lifetime": float((off == 0).mean()),
            "lifetime±1": float((off <= 1).mean()),
            "injected": float((injected[truth] > 0.5).mean()),
            "false alarms": float((injected[~truth] > 0.5).mean()),
        }


def arguments() -> Iterator[argparse.ArgumentParser]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--taught", type=Path, nargs="*", default=[], help="what teachers say, from training.teach")
    parser.add_argument("--negatives", type=float, default=1.0, help="part of the negatives of lives in an epoch")
    parser.add_argument("--rounded", type=int, default=0, help="so many last epochs compute as the exported file does")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--rate", type=float, default=6e-5)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--text-repeats", type=int, default=3)
    parser.add_argument("--tasks", nargs="+", default=TASKS, choices=TASKS)
    parser.add_argument("--embed-weight", type=float, default=20.0)
    parser.add_argument("--small", action="store_true", help="a few rows only, to try the script")
    yield parser


if __name__ == "__main__":
    Trainer(next(arguments()).parse_args()).run()
