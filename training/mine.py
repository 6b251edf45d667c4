"""Near texts of different rows, for teachers to read: python -m training.mine --base FOLDER --data FOLDER --out FILE

Nobody labelled them, and they are the hard ones: two people who tell of the same matter, a question beside what another
person said. A student learns from them what its teachers say (`train --near`).
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from training import examples, network
from training.batches import Encoded
from training.train import put

NEIGHBOURS = 12  # the nearest so many of other rows are looked at …
PAIRS_A_TEXT = 2  # … and so many of them are taken
ANSWERS_A_QUESTION = 6
PIECE = 2048


def grouped_texts(data: examples.Data) -> tuple[list[str], list[int]]:
    """Statements, each with the number of the row it is from."""
    found: dict[str, int] = {}
    for number, scenario in enumerate(data.scenarios):
        for text in (scenario["o"], *scenario["same"][:1], *scenario["updates"][:3], *scenario["adds"][:3]):
            found.setdefault(text, number)
    for number, life in enumerate(data.lives, len(data.scenarios)):
        for one in life["statements"]:
            found.setdefault(one["text"], number)
    for number, row in enumerate(data.questions, len(data.scenarios) + len(data.lives)):
        for text in row["memories"]:
            found.setdefault(text, number)
    return list(found), list(found.values())


def grouped_questions(data: examples.Data) -> tuple[list[str], list[int]]:
    """Questions, each with the number of its row."""
    found: dict[str, int] = {}
    for number, scenario in enumerate(data.scenarios):
        found.update((question, number) for question in scenario["q"])
    for number, life in enumerate(data.lives, len(data.scenarios)):
        found.update((question, number) for question in [*(one["q"] for one in life["questions"]), *life["none"]])
    for number, row in enumerate(data.questions, len(data.scenarios) + len(data.lives)):
        found.update((question, number) for question in [*(one["q"] for one in row["asks"]), *row["none"]])
    return list(found), list(found.values())


class Vectors:
    """The vectors of a base, on the device."""

    def __init__(self, base: Path) -> None:
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._judge = network.from_base(base).to(self._device).eval()
        self._encoded = Encoded(Tokenizer.from_file(str(base / "tokenizer.json")))

    @torch.no_grad()
    def of(self, texts: Sequence[str]) -> torch.Tensor:
        self._encoded.add(texts)
        order = sorted(range(len(texts)), key=lambda k: self._encoded.length((texts[k],)))
        found = torch.empty(len(texts), self._judge.config["hidden_size"], device=self._device)
        for start in range(0, len(order), 512):
            some = order[start : start + 512]
            batch = put(self._encoded.arrays([(texts[k],) for k in some]), self._device)
            with torch.autocast(self._device, torch.bfloat16, enabled=self._device == "cuda"):
                vectors = self._judge.base_vector(self._judge.hidden(**batch), batch["attention_mask"])
            found[torch.tensor(some, device=self._device)] = vectors.float()
        return found


def near(asked: torch.Tensor, rows: Sequence[int], held: torch.Tensor, held_rows: Sequence[int]) -> np.ndarray:
    """For each of `asked` the numbers of the nearest of `held` that are from other rows."""
    own, other = torch.tensor(rows, device=asked.device), torch.tensor(held_rows, device=asked.device)
    found = []
    for start in range(0, len(asked), PIECE):
        similarity = asked[start : start + PIECE] @ held.T
        similarity[own[start : start + PIECE, None] == other[None]] = -1.0
        found.append(similarity.topk(min(NEIGHBOURS, len(held)), dim=1).indices.cpu().numpy())
    return np.concatenate(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("--base", "--data", "--out"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument(
        "--vectors", type=Path, help="where to write the vectors of all texts, for train --taught-vectors"
    )
    given = parser.parse_args()
    data = examples.load(given.data)[0]
    chance = random.Random(0)
    vectors = Vectors(given.base)
    texts, rows = grouped_texts(data)
    questions, asked_rows = grouped_questions(data)
    held = vectors.of(texts)
    pairs = []
    for number, neighbours in enumerate(near(held, rows, held, rows)):
        for other in chance.sample(list(neighbours), min(PAIRS_A_TEXT, len(neighbours))):
            one, two = (texts[number], texts[other]) if chance.random() < 0.5 else (texts[other], texts[number])
            pairs.append((one, two))
    answers = []
    for number, neighbours in enumerate(near(vectors.of(questions), asked_rows, held, rows)):
        chosen = chance.sample(list(neighbours), min(ANSWERS_A_QUESTION, len(neighbours)))
        answers += [(questions[number], texts[other]) for other in chosen]
    pairs, answers = list(dict.fromkeys(pairs)), list(dict.fromkeys(answers))
    if given.vectors:
        known = dict.fromkeys(text for own in examples.vector_examples(data, chance) for pair in own for text in pair)
        every = list(dict.fromkeys([*texts, *questions, *known]))
        np.savez(given.vectors, texts=np.array(every), vectors=vectors.of(every).half().cpu().numpy())
    given.out.write_text(json.dumps({"pairs": pairs, "answers": answers}))
    print(f"{len(texts)} texts, {len(questions)} questions: {len(pairs)} pairs, {len(answers)} questions with texts")


if __name__ == "__main__":
    main()
