"""Train a judge: python -m training.train --base FOLDER --data training/data --out FOLDER

Runs on a GPU or, slowly, on a CPU. With `--taught` and `--taught-texts` the new judge also learns what other judges say
(files that `training.teach` wrote), also about pairs and texts that nobody labelled.
Same seed, same data, same machine: same weights, unless `--seconds` ends it.
"""

from __future__ import annotations

import argparse
import json
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
from training.batches import Arrays, Encoded, Epochs

TASKS = ("relation", "answers", "texts", "vectors")
Tensors = dict[str, torch.Tensor]


def put(arrays: Arrays, device: str) -> Tensors:
    """Arrays as tensors of the device."""
    return {name: torch.from_numpy(array).to(device, non_blocking=True) for name, array in arrays.items()}


def normalized(vectors: np.ndarray) -> np.ndarray:
    """Rows of length one."""
    return vectors.astype(np.float32) / np.linalg.norm(vectors.astype(np.float32), axis=1, keepdims=True)


def counts_in_16_bits(device: str) -> bool:
    """Whether the device multiplies 16-bit numbers itself, in half the time or less."""
    return device == "cuda" or torch.ops.mkldnn._is_mkldnn_bf16_supported()


def tokens(batch: Tensors) -> Tensors:
    """The part of a batch that the network reads."""
    return {name: batch[name] for name in ("input_ids", "attention_mask", "token_type_ids")}


@torch.no_grad()
def predicted(
    judge: network.Judge, encoded: Encoded, rows: Sequence[tuple[str, ...]], heads: Sequence[str]
) -> list[np.ndarray]:
    """The probabilities of each reading, in the order of the rows."""
    judge.eval()
    device = next(judge.parameters()).device.type
    encoded.add([text for row in rows for text in row])
    order = sorted(range(len(rows)), key=lambda k: encoded.length(rows[k]))
    found: list[list[Any]] = [[None] * len(rows) for _ in heads]
    for start in range(0, len(order), 512):
        some = order[start : start + 512]
        batch = put(encoded.arrays([rows[k] for k in some]), device)
        with torch.autocast(device, torch.bfloat16, enabled=counts_in_16_bits(device)):
            read = judge.read(judge.hidden(**batch), *heads)
        for number, (head, logits) in enumerate(zip(heads, read, strict=True)):
            values = logits.float().sigmoid() if head in network.YES_OR_NO else logits.float().softmax(-1)
            for k, row in zip(some, values.cpu().numpy(), strict=True):
                found[number][k] = row
    return [np.array(rows) for rows in found]


class Trainer:
    """The losses and the loop."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        torch.manual_seed(given.seed)
        self.train, self.held = examples.load(given.data)
        if given.near:
            examples.add_near(self.train, given.near)
        if given.small:
            for data in (self.train, self.held):
                data.scenarios, data.lives = data.scenarios[:6], data.lives[:2]
                data.texts, data.questions = data.texts[:16], data.questions[:2]
                data.near_pairs, data.near_answers = data.near_pairs[:40], data.near_answers[:40]
        self.encoded = Encoded(Tokenizer.from_file(str(given.base / "tokenizer.json")))
        self.judge = (network.load(given.start) if given.start else network.from_base(given.base)).to(self.device)
        if given.keep_words:
            self.judge.words.requires_grad_(False)
        pairs, answers, texts = (mean_of(some) for some in (given.taught, given.taught_answers, given.taught_texts))
        vectors = self._taught_vectors()
        olders = [one["o"] for one in self.train.scenarios]
        distance = examples.Distance(
            self.train.scenarios, self._vectors(olders) if vectors is None else normalized(vectors.of(olders))
        )
        self.epochs = Epochs(
            self.train,
            distance,
            self.encoded,
            given.tasks,
            given.seed,
            given.negatives,
            given.text_repeats,
            None if pairs is None else examples.Taught(examples.written_pairs(self.train), pairs),
            None if answers is None else examples.Taught(examples.written_answers(self.train), answers),
            None if texts is None else examples.TaughtTexts(examples.written_texts(self.train), texts),
            vectors,
        )

    def _taught_vectors(self) -> examples.TaughtVectors | None:
        """What the larger model makes of texts; the projection begins with what the base makes of them."""
        if self.given.taught_vectors is None:
            return None
        held = np.load(self.given.taught_vectors)
        texts = [str(text) for text in held["texts"]]
        if "vectors" in self.given.tasks and not self.given.start:
            network.start_projection(self.judge, self._vectors(texts[:: max(1, len(texts) // 20_000)]))
        return examples.TaughtVectors(texts, held["vectors"])

    @torch.no_grad()
    def _vectors(self, texts: Sequence[str]) -> np.ndarray:
        """What the base makes of these texts."""
        self.encoded.add(texts)
        self.judge.eval()
        found = []
        for start in range(0, len(texts), 256):
            batch = put(self.encoded.arrays([(text,) for text in texts[start : start + 256]]), self.device)
            found.append(
                self.judge.base_vector(self.judge.hidden(**batch), batch["attention_mask"]).float().cpu().numpy()
            )
        return np.concatenate(found)

    def loss(self, task: str, batch: Tensors) -> torch.Tensor:
        losses = {
            "relation": self._relation,
            "answers": self._answers,
            "texts": self._texts,
            "vectors": self._vectors_loss,
        }
        return losses[task](batch)

    def _relation(self, batch: Tensors) -> torch.Tensor:
        """Of the label, of several that may be right, and of what teachers say."""
        allowed, said, trust = batch["allowed"], batch["said"], batch["trust"]

        def loss(logits: torch.Tensor) -> torch.Tensor:
            logs = logits.float().log_softmax(-1)
            own = 0.97 * -(logs + allowed).logsumexp(-1) + 0.03 * -logs.mean(-1)
            return ((1 - trust) * own + trust * -(said * logs).sum(-1)).mean()

        return self._both(batch, "relation", loss, EARLY_WEIGHTS["relation"])

    def _answers(self, batch: Tensors) -> torch.Tensor:
        target, members = batch["answers"], batch["members"]
        # Of several memories beside one question: which of them answers it best.
        wanted = members * target[:, 0]
        wanted = wanted[wanted.sum(1) > 0.3]
        members = members[(members * target[:, 0]).sum(1) > 0.3]
        wanted = wanted / wanted.sum(1, keepdim=True)

        def loss(logits: torch.Tensor) -> torch.Tensor:
            own = nn.functional.binary_cross_entropy_with_logits(logits.float(), target)
            if not len(members):
                return own
            beside = logits.float()[:, 0].masked_fill(~members, -30.0).log_softmax(1)
            return own + LIST_WEIGHT * -(wanted * beside).sum(1).mean()

        return self._both(batch, "answers", loss, EARLY_WEIGHTS["answers"])

    def _vectors_loss(self, batch: Tensors) -> torch.Tensor:
        """Each text nearest to its own other one, and all as near to each other as the teacher finds them."""
        teacher = nn.functional.normalize(batch["teacher"].float(), dim=-1)
        vectors = self.judge.vector(self.judge.hidden(**tokens(batch)), batch["attention_mask"]).float()
        count = len(vectors) // 2
        near = (vectors[:count] @ vectors[count:].T / TEMPERATURE).masked_fill(batch["also"], -30.0)
        target = torch.arange(count, device=near.device)
        cross = nn.functional.cross_entropy
        own = (cross(near, target) + cross(near.T, target)) / 2
        same = torch.eye(len(vectors), dtype=torch.bool, device=near.device)
        said = (teacher @ teacher.T / TEMPERATURE).masked_fill(same, -30.0).softmax(1)
        read = (vectors @ vectors.T / TEMPERATURE).masked_fill(same, -30.0).log_softmax(1)
        return VECTOR_WEIGHT * (0.5 * own - (said * read).sum(1).mean())

    def _both(
        self, batch: Tensors, head: str, loss: Callable[[torch.Tensor], torch.Tensor], early_weight: float
    ) -> torch.Tensor:
        """The loss of the last layer's reading and of the early one."""
        early = self.judge.front(**tokens(batch))
        (logits,) = self.judge.read(self.judge.back(early, batch["attention_mask"]), head)
        return loss(logits) + early_weight * loss(self.judge.read_early(early, head))

    def _texts(self, batch: Tensors) -> torch.Tensor:
        """Every reading of a single text; what has no label is learned from teachers alone."""
        trust = batch["trust"]
        said = batch["said"].split(list(examples.TEXT_READINGS.values()), dim=1)
        read = self.judge.read(self.judge.hidden(**tokens(batch)), *examples.TEXT_READINGS)
        total = torch.zeros((), device=self.device)
        for name, given, taught in zip(examples.TEXT_READINGS, read, said, strict=True):
            logits = torch.cat([torch.zeros_like(given), given], dim=1) if name in network.YES_OR_NO else given
            logs = logits.float().log_softmax(-1)
            own = nn.functional.cross_entropy(
                logits.float(), batch[name], reduction="none", label_smoothing=SMOOTHING[name]
            )
            part = trust.clamp_max(0.5) if name == "injected" else trust
            loss = (1 - part) * own + part * -(taught * logs).sum(-1)
            total = total + WEIGHTS[name] * loss.mean()
        return total

    def run(self) -> None:
        given = self.given
        named = [(name, value) for name, value in self.judge.named_parameters() if value.requires_grad]
        groups = [
            {"params": [value for name, value in named if not name.startswith(OUTPUTS)]},
            {"params": [value for name, value in named if name.startswith(OUTPUTS)], "lr": 10 * given.rate},
        ]
        optimizer = torch.optim.AdamW(groups, lr=given.rate, weight_decay=0.01, fused=self.device == "cuda")
        started, ended = time.monotonic(), False
        given.out.mkdir(parents=True, exist_ok=True)
        (given.out / "tokenizer.json").write_bytes((given.base / "tokenizer.json").read_bytes())
        measured: dict[str, float] = {}
        steps = 0
        for number, epoch in enumerate(self.epochs.run(given.epochs)):
            sums: dict[str, list[torch.Tensor]] = {}
            self.judge.train()
            for place, (task, arrays) in enumerate(epoch):
                done = (number + place / int(arrays.pop("batches"))) / given.epochs
                if given.seconds:
                    done = max(done, (time.monotonic() - started) / given.seconds)
                    ended = done >= 1
                    if ended:
                        break
                self.judge.round(done >= 1 - given.rounded / given.epochs)
                for group, rate in zip(optimizer.param_groups, (given.rate, 10 * given.rate), strict=True):
                    group["lr"] = rate * min(1.0, done / 0.06 + 1e-3) * max(0.01, 1 - done)
                batch = put(arrays, self.device)
                with torch.autocast(self.device, torch.bfloat16, enabled=counts_in_16_bits(self.device)):
                    loss = self.loss(task, batch)
                optimizer.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(self.judge.parameters(), 1.0)
                optimizer.step()
                sums.setdefault(task, []).append(loss.detach())
                steps += 1
            told = ", ".join(f"{task} {torch.stack(losses).mean():.3f}" for task, losses in sorted(sums.items()))
            ended = ended or number == given.epochs - 1
            measured = self.measure() if ended and not given.unmeasured else {}
            print(
                f"epoch {number}: {told} | {measured} | {steps} steps, {time.monotonic() - started:.0f} s", flush=True
            )
            network.save(self.judge, given.out)
            if ended:
                break
        (given.out / "measured.json").write_text(json.dumps(measured, indent=1))

    def measure(self) -> dict[str, float]:
        """On held data alone; through the engine it is measured by `make judge`."""
        measured = self._measure_relations() if "relation" in self.given.tasks else {}
        measured |= self._measure_answers() if "answers" in self.given.tasks else {}
        measured |= self._measure_texts() if "texts" in self.given.tasks else {}
        measured |= self._measure_vectors() if "vectors" in self.given.tasks else {}
        return {name: round(value, 3) for name, value in measured.items()}

    def _measure_relations(self) -> dict[str, float]:
        pairs = [pair for scenario in self.held.scenarios for pair in examples.exact_pairs(scenario)]
        (read,) = predicted(self.judge, self.encoded, [(pair.older, pair.newer) for pair in pairs], ["relation"])
        right = sum(int(row.argmax()) in pair.allowed for row, pair in zip(read, pairs, strict=True))
        lives = [pair for life in self.held.lives for pair in examples.life_pairs(life)]
        (read,) = predicted(self.judge, self.encoded, [(pair.older, pair.newer) for pair in lives], ["relation"])
        probability = read[:, examples.UPDATES]
        retired = np.array([pair.allowed == (examples.UPDATES,) for pair in lives])
        measured = {"scenarios": right / len(pairs)}
        for certainty in (0.5, 0.8, 0.9):
            measured[f"heard@{certainty}"] = float((probability[retired] > certainty).mean())
            measured[f"wrong@{certainty}"] = float((probability[~retired] > certainty).mean())
        return measured

    def _measure_answers(self) -> dict[str, float]:
        """Of held question sets: the right memory first, the best probability of questions that nothing answers."""
        asked = [(one["q"], row["memories"], set(one["yes"])) for row in self.held.questions for one in row["asks"]]
        asked += [(q, row["memories"], set()) for row in self.held.questions for q in row["none"]]
        for life in self.held.lives:
            texts = [one["text"] for one in life["statements"]]
            for one in life["questions"]:
                kept = [k for k in range(len(texts)) if k not in one.get("stale", ())]
                asked.append((one["q"], [texts[k] for k in kept], {kept.index(k) for k in one["now"] if k in kept}))
            asked += [(q, texts, set()) for q in life["none"]]
        rows = [(question, text) for question, texts, _ in asked for text in texts]
        (read,) = predicted(self.judge, self.encoded, rows, ["answers"])
        best, first, place = [], [], 0
        for _, texts, right in asked:
            own = read[place : place + len(texts), 0]
            place += len(texts)
            best.append(float(own.max()))
            first.append(int(own.argmax()) in right)
        answered = np.array([bool(right) for _, _, right in asked])
        top = np.array(best)
        measured = {"right first": float(np.array(first)[answered].mean())}
        for floor in (0.2, 0.35, 0.5):
            measured[f"silent rightly@{floor}"] = float((top[~answered] < floor).mean())
            measured[f"silent wrongly@{floor}"] = float((top[answered] < floor).mean())
        return measured

    @torch.no_grad()
    def _measure_vectors(self) -> dict[str, float]:
        """Of held questions: how often an answer is the nearest of the store, and among the nearest three."""
        first, third = [], []
        self.judge.eval()

        def of(texts: Sequence[str]) -> torch.Tensor:
            self.encoded.add(texts)
            batch = put(self.encoded.arrays([(text,) for text in texts]), self.device)
            return self.judge.vector(self.judge.hidden(**batch), batch["attention_mask"]).float()

        stores = [(row["memories"], [(one["q"], one["yes"]) for one in row["asks"]]) for row in self.held.questions]
        for life in self.held.lives:
            asked = [(one["q"], one["now"]) for one in life["questions"]]
            stores.append(([one["text"] for one in life["statements"]], asked))
        for texts, asked in stores:
            held = of(texts)
            for question, right in asked:
                order = (of([question]) @ held.T)[0].argsort(descending=True)[:3].tolist()
                first.append(order[0] in right)
                third.append(bool(set(order) & set(right)))
        return {"nearest": float(np.mean(first)), "in nearest 3": float(np.mean(third))}

    def _measure_texts(self) -> dict[str, float]:
        rows = examples.text_examples(examples.Data(texts=self.held.texts), random.Random(0), 1)
        read = predicted(self.judge, self.encoded, [(row.text,) for row in rows], list(examples.TEXT_READINGS))
        kinds, lifetimes, _, injected = read
        off = np.array([abs(int(k) - row.lifetime) for k, row in zip(lifetimes.argmax(1), rows, strict=True)])
        truth = np.array([row.injected == 1 for row in rows])
        known = np.array([row.kind != examples.UNKNOWN for row in rows])
        right = np.array([int(k) == row.kind for k, row in zip(kinds.argmax(1), rows, strict=True)])
        measured = {
            "kind": float(right[known].mean()),
            "lifetime": float((off[known] == 0).mean()),
            "lifetime±1": float((off[known] <= 1).mean()),
        }
        for certainty in (0.5, 0.75, 0.9):
            measured[f"injected@{certainty}"] = float((injected[truth, 0] > certainty).mean())
            measured[f"false alarms@{certainty}"] = float((injected[~truth, 0] > certainty).mean())
        return measured


# An early relation only tells which pairs are read no further; early answers also put candidates in order.
EARLY_WEIGHTS = {"relation": 0.3, "answers": 0.8}
OUTPUTS = ("heads.", "early.")  # new weights, which learn faster
LIST_WEIGHT = 0.3
VECTOR_WEIGHT = 0.5
TEMPERATURE = 0.05
SMOOTHING = {"kind": 0.05, "lifetime": 0.05, "harm": 0.05, "injected": 0.0}
WEIGHTS = {"kind": 1.0, "lifetime": 0.7, "harm": 0.7, "injected": 1.0}


def mean_of(files: Sequence[Path]) -> np.ndarray | None:
    """What several teachers say, on the average."""
    return np.mean([np.load(file).astype(np.float32) for file in files], axis=0) if files else None


def arguments() -> Iterator[argparse.ArgumentParser]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--near", type=Path, help="near texts of different rows: the file of training/mine.py")
    parser.add_argument("--start", type=Path, help="a trained judge to go on from, instead of the base")
    parser.add_argument("--taught", type=Path, nargs="*", default=[], help="what teachers say of pairs")
    parser.add_argument("--taught-answers", type=Path, nargs="*", default=[], help="what teachers say of questions")
    parser.add_argument("--taught-texts", type=Path, nargs="*", default=[], help="what teachers say of texts")
    parser.add_argument("--taught-vectors", type=Path, help="vectors of a larger model: what training/mine.py wrote")
    parser.add_argument("--negatives", type=float, default=1.0, help="part of the negatives of lives in an epoch")
    parser.add_argument(
        "--rounded",
        type=float,
        default=0,
        help="so many last epochs, or a part of one, compute as the exported file does",
    )
    parser.add_argument("--seconds", type=float, help="end after so long, if the epochs are not over before")
    parser.add_argument("--unmeasured", action="store_true", help="do not measure the result on held data")
    parser.add_argument("--keep-words", action="store_true", help="leave the vectors of the words as they are")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--rate", type=float, default=6e-5)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--text-repeats", type=int, default=1)
    parser.add_argument("--tasks", nargs="+", default=TASKS, choices=TASKS)
    parser.add_argument("--small", action="store_true", help="a few rows only, to try the script")
    yield parser


if __name__ == "__main__":
    Trainer(next(arguments()).parse_args()).run()
