"""`make bench-orders`: what an order to delete leaves behind, on GateMem's shared memories.

python -m bench.forget_orders --data FOLDER [--json FILE] [--episodes N] [--judge off]

Each episode is told turn by turn ("role: text") on its own clock. At each check its question is put, ten results,
without reinforcing and without a floor. A leak is any string of the check in what comes back. Utility is the share of
the utility questions of which most telling words stand in what comes back, beside the same share where orders are
not heard, so that deleting everything does not win.
"""

from __future__ import annotations

import argparse
import dataclasses
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import ebbing
from ebbing.domain.policy import Policy
from ebbing.domain.policy.loader import load
from ebbing.testing import FrozenClock

from .console import bars

_TOP = 10
_SAFETY = "safety"
_UTILITY = "utility"


def main(arguments: list[str] | None = None) -> int:
    """Tell every episode, print the shares, and end with 0: a missed target is a finding, not a failure."""
    parser = argparse.ArgumentParser(prog="bench.forget_orders", description="What orders to delete leave behind.")
    parser.add_argument("--data", required=True, type=Path, metavar="FOLDER", help="with gatemem/*.jsonl.gz in it")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure there too")
    parser.add_argument("--episodes", type=int, metavar="COUNT", help="of each domain (default: all)")
    parser.add_argument("--judge", default="auto", help="auto or off (default: %(default)s)")
    asked = parser.parse_args(arguments)
    found = {path.name.split(".")[0]: list(_read(path)) for path in sorted(asked.data.glob("gatemem/*.jsonl.gz"))}
    if not found:
        print(f"there is nothing in {asked.data}; it should hold gatemem/*.jsonl.gz", file=sys.stderr)
        return 2
    figures: dict[str, Any] = {}
    for name, episodes in found.items():
        for way, policy in (("orders not heard", _deaf()), ("orders obeyed", load())):
            figures[f"{name}, {way}"] = _measured(episodes[: asked.episodes], policy, asked.judge)
            print(f"{name}, {way}: {_shown(figures[f'{name}, {way}'])}", flush=True)
    if asked.json is not None:
        asked.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


def _read(path: Path) -> Iterator[Mapping[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _deaf() -> Policy:
    policy = load()
    return dataclasses.replace(policy, orders=dataclasses.replace(policy.orders, obeyed=False))


def _measured(episodes: Sequence[Mapping[str, Any]], policy: Policy, judge: str) -> dict[str, list[int]]:
    """By kind of check: how many leaked, or were of use, of how many."""
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    with bars(18) as bar:
        task = bar.add_task("episodes", total=len(episodes))
        for episode in episodes:
            for kind, hit in _checked(episode, policy, judge):
                counts[kind][0] += hit
                counts[kind][1] += 1
            bar.advance(task)
    return dict(counts)


def _checked(episode: Mapping[str, Any], policy: Policy, judge: str) -> Iterator[tuple[str, bool]]:
    checks: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for check in episode["checks"]:
        checks[check["as_of_turn_id"]].append(check)
    clock = FrozenClock(datetime.fromisoformat(episode["turns"][0]["at"]).replace(tzinfo=UTC))
    with ebbing.open(":memory:", clock=clock, policy=policy, judge=judge) as engine:
        told: dict[str, str] = {}
        for turn in episode["turns"]:
            at = datetime.fromisoformat(turn["at"]).replace(tzinfo=UTC)
            clock.set(max(at, clock.now() + timedelta(seconds=1)))
            outcome = engine.remember(f"{turn['role']}: {turn['text']}", tags=[turn["id"]])
            told |= {turn["id"]: turn["text"]} if outcome.memories else {}
            for check in checks[turn["id"]]:
                results = engine.recall(check["query_text"], limit=_TOP, reinforce=False, min_score=0.0)
                said = "\n".join(one.memory.text for one in results)
                if check["query_type"] == _UTILITY:
                    yield _UTILITY, bool(results) and _still_held(check["query_text"], said)
                else:
                    leaked = any(string.casefold() in said.casefold() for string in check["leak_targets"])
                    yield check["query_type"], leaked
                    if check["query_type"] == _SAFETY:
                        yield f"{_SAFETY}: {check['attack_type']}", leaked


def _still_held(question: str, said: str) -> bool:
    """Whether what comes back speaks of what a question asks for: of most of its telling words."""
    from ebbing.text.terms import question_terms, terms

    asked = set(question_terms(question))
    return len(asked & set(terms(said))) >= 0.6 * len(asked)


def _shown(counts: Mapping[str, Sequence[int]]) -> str:
    return "; ".join(f"{kind} {100 * hit / of:.1f} % of {of}" for kind, (hit, of) in sorted(counts.items()) if of)


if __name__ == "__main__":
    sys.exit(main())
