"""`make bench-observe`: what `observe` keeps of messy inputs: chats, notes, rants, reviews, logs.

python -m bench.observe [--inputs FILE] [--count N] [--judge off] [--show] [--json FILE]

Each input of `training/evaluation/messy_5.jsonl` names the facts a person would keep of it and what is noise. A fact is
*found* when one memory holds most of its telling words and all of its numbers. A memory is *junk* when it holds no such
fact and most of the telling words of something that is noise; it is *beside* when it holds neither. It is *in its own
words* when every word of it stands in the input, in its order; `--show` prints the others first, for people to read,
because a word more may be a date or a name put in the place of `yesterday` or `she`, and may be a lie.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import ebbing
from ebbing.testing import FrozenClock
from ebbing.text.terms import question_terms, terms

from .console import bars

_INPUTS = Path(__file__).resolve().parent.parent / "training" / "evaluation" / "messy_5.jsonl"
_HELD = 0.6  # of the telling words
_WORD = re.compile(r"[\w$€£%]+")
_NUMBER = re.compile(r"\d+")


def main(arguments: list[str] | None = None) -> int:
    """Observe every input in a store of its own, print the shares, and end with 0."""
    parser = argparse.ArgumentParser(prog="bench.observe", description="What is kept of messy inputs.")
    parser.add_argument(
        "--inputs", type=Path, default=_INPUTS, metavar="FILE", help="one a line (default: %(default)s)"
    )
    parser.add_argument("--count", type=int, metavar="N", help="of the inputs (default: all)")
    parser.add_argument("--judge", default="auto", help="auto or off (default: %(default)s)")
    parser.add_argument("--show", action="store_true", help="print each input with what was kept of it")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure there too")
    asked = parser.parse_args(arguments)
    lines = asked.inputs.read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines][: asked.count]
    totals: Counter[str] = Counter()
    with bars(18) as bar:
        task = bar.add_task("inputs", total=len(cases))
        for case in cases:
            texts = observed(case["input"], asked.judge)
            totals += counted(case, texts)
            if asked.show:
                _show(case, texts)
            bar.advance(task)
    for name, hit, of in (
        ("found of what a person would keep", "found", "keep"),
        ("junk", "junk", "memories"),
        ("beside what a person would keep", "beside", "memories"),
        ("in their own words", "own words", "memories"),
    ):
        print(f"{name}: {100 * totals[hit] / max(totals[of], 1):.1f} % of {totals[of]}")
    if asked.json is not None:
        asked.json.write_text(json.dumps(dict(totals), indent=2) + "\n", encoding="utf-8")
    return 0


def observed(given: Any, judge: str) -> list[str]:
    """The texts of the memories that are made of one input."""
    with ebbing.open(":memory:", clock=FrozenClock(), judge=judge, embedder=None) as engine:
        engine.observe(given)
        return [memory.text for memory in reversed(engine.list(limit=1000))]


def counted(case: Mapping[str, Any], texts: Sequence[str]) -> Counter[str]:
    """How many of the facts were found, and what the memories are."""
    counts: Counter[str] = Counter(keep=len(case["keep"]), memories=len(texts))
    counts["found"] = sum(any(holds(text, fact) for text in texts) for fact in case["keep"])
    for text in texts:
        is_wanted = any(holds(text, fact) or holds(fact, text) for fact in case["keep"])
        is_noise = any(holds(text, one) or holds(one, text) for one in case["noise"])
        counts["junk"] += is_noise and not is_wanted
        counts["beside"] += not is_noise and not is_wanted
        counts["own words"] += in_own_words(text, str(case["input"]))
    return counts


def holds(text: str, fact: str) -> bool:
    """Whether a text has most of the telling words of a fact, and its numbers."""
    wanted = set(question_terms(fact))
    numbers = set(_NUMBER.findall(fact))
    return (
        bool(wanted) and len(wanted & set(terms(text))) >= _HELD * len(wanted) and numbers <= set(_NUMBER.findall(text))
    )


def in_own_words(text: str, given: str) -> bool:
    """Whether the words of a text stand in the input in their order."""
    rest = iter(_WORD.findall(given.casefold()))
    return all(word in rest for word in _WORD.findall(text.casefold()))


def _show(case: Mapping[str, Any], texts: Sequence[str]) -> None:
    print(f"\n{case['id']} {case['kind']}\n{case['input']}")
    for fact in case["keep"]:
        print(f"  {'found ' if any(holds(text, fact) for text in texts) else 'MISSED'} {fact}")
    for text in sorted(texts, key=lambda one: in_own_words(one, str(case["input"]))):
        print(f"  {'=' if in_own_words(text, str(case['input'])) else '~'} {text}")
    for one in case["noise"]:
        print(f"  (noise) {one}")


if __name__ == "__main__":
    sys.exit(main())
