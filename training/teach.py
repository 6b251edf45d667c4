"""What a trained judge says of the data: python -m training.teach --judge FOLDER --data FOLDER --out FILE

A file for `training.train --taught`: a row of probabilities a pair, in the order of `examples.written_pairs`. With
`--reads answers` one for `--taught-answers`, in the order of `examples.written_answers`; with `--reads texts` one for
`--taught-texts`: the probabilities of every reading of a text, in the order of `examples.written_texts`. `--near` names
the file of training/mine.py.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from training import examples, network
from training.batches import Encoded
from training.train import predicted


def said_of_texts(judge: network.Judge, encoded: Encoded, data: examples.Data) -> np.ndarray:
    """Every reading side by side; of a yes or no both probabilities."""
    read = predicted(judge, encoded, [(text,) for text in examples.written_texts(data)], list(examples.TEXT_READINGS))
    return np.concatenate([np.hstack([1 - part, part]) if part.shape[1] == 1 else part for part in read], axis=1)


def said_of_pairs(judge: network.Judge, encoded: Encoded, data: examples.Data) -> np.ndarray:
    return predicted(judge, encoded, examples.written_pairs(data), ["relation"])[0]


def said_of_answers(judge: network.Judge, encoded: Encoded, data: examples.Data) -> np.ndarray:
    return predicted(judge, encoded, examples.written_answers(data), ["answers"])[0]


SAID = {"pairs": said_of_pairs, "answers": said_of_answers, "texts": said_of_texts}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--judge", "--data", "--out"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--reads", choices=SAID, default="pairs")
    parser.add_argument("--near", type=Path)
    given = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    encoded = Encoded(Tokenizer.from_file(str(given.judge / "tokenizer.json")))
    judge = network.load(given.judge).to(device)
    data = examples.load(given.data)[0]
    if given.near:
        examples.add_near(data, given.near)
    np.save(given.out, SAID[given.reads](judge, encoded, data).astype(np.float16))
