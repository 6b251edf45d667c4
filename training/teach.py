"""What a trained judge says of every pair of the data: python -m training.teach --judge FOLDER --data FOLDER --out FILE

A file for `training.train --taught`: one row of probabilities a pair, in the order of `examples.written_pairs`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from training import examples, network
from training.train import Encoded, predicted

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--judge", "--data", "--out"):
        parser.add_argument(name, type=Path, required=True)
    given = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    encoded = Encoded(Tokenizer.from_file(str(given.judge / "tokenizer.json")), device)
    pairs = examples.written_pairs(examples.load(given.data)[0])
    said = predicted(network.load(given.judge).to(device), encoded, pairs, "relation")
    np.save(given.out, said.astype(np.float16))
