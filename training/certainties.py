"""Which certainty to retire from: python -m training.certainties

What the shipped judge would retire in the lives held back from training, at each certainty, if every earlier statement
were a candidate. The certainties of the default policy were chosen on this table.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ebbing.domain.judgement import Relation
from ebbing.providers.judge import PackagedJudge
from training import examples

CERTAINTIES = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
FURTHER = (0.9, 0.95, 0.97, 0.99)
CONTESTED = 0.2

Relations = dict[tuple[int, int], Relation]


def retired(count: int, relations: Relations, certainty: float, further: float) -> dict[int, int]:
    """By each statement that is retired, the one that retires it: the likeliest, and others that are almost certain."""
    gone: dict[int, int] = {}
    for newer in range(count):
        likely = sorted(
            ((relations[older, newer].updates, older) for older in range(newer) if older not in gone), reverse=True
        )
        for place, (updates, older) in enumerate(likely):
            if updates >= (certainty if place == 0 else max(certainty, further)):
                gone[older] = newer
    return gone


def figures(lives: list[tuple[dict[str, Any], Relations]], certainty: float, further: float) -> tuple[float, ...]:
    """The shares of changes retired, of changes retired or contested, and of other statements wrongly retired."""
    changes = heard = doubted = others = wrong = 0
    for life, relations in lives:
        truth = {tuple(pair) for pair in life["retired"]}
        unclear = {tuple(pair) for pair in life.get("partial", ())}
        count = len(life["statements"])
        gone = retired(count, relations, certainty, further)
        for older in range(count):
            by = {newer for one, newer in truth if one == older}
            if by:
                changes += 1
                heard += gone.get(older) in by
                doubted += older not in gone and any(relations[older, n].conflicts >= CONTESTED for n in by)
            elif (older, gone.get(older)) not in unclear:
                others += 1
                wrong += older in gone
    return heard / changes, (heard + doubted) / changes, wrong / others


def main() -> None:
    judge = PackagedJudge()
    lives = []
    for life in examples.load(Path(__file__).parent / "data")[1].lives:
        texts = [one["text"] for one in life["statements"]]
        places = [(older, newer) for newer in range(len(texts)) for older in range(newer)]
        read = judge.relate([(texts[older], texts[newer]) for older, newer in places])
        lives.append((life, dict(zip(places, read, strict=True))))
    print(f"{len(lives)} lives held back from training, judge {judge.fingerprint}")
    print("certainty  further  retired  or contested  wrongly retired")
    for certainty in CERTAINTIES:
        for further in FURTHER:
            shares = figures(lives, certainty, further)
            print(f"{certainty:9}  {further:7}  {shares[0]:7.1%}  {shares[1]:12.1%}  {shares[2]:15.1%}")


if __name__ == "__main__":
    main()
