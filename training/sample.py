"""Some files of the data whole and a share of the others: python -m training.sample --data FOLDER --out FOLDER FILE …

For going on from trained weights (`train --start`): what is new, and enough of the rest not to forget it. Lines that
are left out stay empty, so that the same ones are held back from training. Same arguments, same lines.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from training.examples import HELD_EVERY

# By the first part of a file's name: how much of it is taken when it is not named.
SHARES = {"questions": 0.2, "short": 0.25, "talk": 0.25, "texts": 0.0}
SHARE = 0.1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("whole", nargs="*", metavar="FILE", help="files that are taken whole, without their ending")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    chance = random.Random(5)
    for path in sorted(given.data.glob("*.jsonl")):
        share = 1.0 if path.stem in given.whole else SHARES.get(path.stem.split("_")[0], SHARE)
        lines = path.read_text(encoding="utf-8").splitlines()
        taken = [line if n % HELD_EVERY == 0 or chance.random() < share else "" for n, line in enumerate(lines)]
        (given.out / path.name).write_text("\n".join(taken) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
