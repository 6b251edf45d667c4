"""`make bench-lasting`: a year of lives on a frozen clock; what lasts is kept, what passes is gone.

python -m bench.lasting [--lives FILE] [--count N] [--judge off] [--curves] [--json FILE]

Each person tells facts of all lifetimes once, on their days, small talk and machine output on every other day, and asks
for nothing; a sweep runs every day. A year after the first fact the question of each fact is put. *Lasting and true*: a
lifetime of years or life, or one with an end that has not come; it is answered when it is among the first ten results.
*Meant for days*: hours and days, told at least a month before the end; it is still active or it is not.
`--curves` prints, without any data, how strong a memory of each lifetime and harm is over the year.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import ebbing
from ebbing.domain.curves import Trace
from ebbing.domain.memory import HARM_MAX, Lifetime, Status
from ebbing.domain.policy.loader import load
from ebbing.testing import FrozenClock

from .console import bars

_LIVES = Path(__file__).resolve().parent.parent / "training" / "evaluation" / "lasting_1.jsonl"
_YEAR = timedelta(days=365)
_MONTH = timedelta(days=30)
_TOP = 10
_SHORT = ("hours", "days")
_LONG = ("months", "years", "life")
_DAYS_DRAWN = (0, 7, 14, 30, 60, 90, 180, 365)


def main(arguments: list[str] | None = None) -> int:
    """Live the years, print the shares, and end with 0: a missed target is a finding, not a failure."""
    parser = argparse.ArgumentParser(prog="bench.lasting", description="What a year of forgetting keeps.")
    parser.add_argument(
        "--lives", type=Path, default=_LIVES, metavar="FILE", help="a life a line (default: %(default)s)"
    )
    parser.add_argument("--count", type=int, metavar="N", help="of the lives (default: all)")
    parser.add_argument("--judge", default="auto", help="auto or off (default: %(default)s)")
    parser.add_argument("--curves", action="store_true", help="only print the strengths over a year")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure there too")
    asked = parser.parse_args(arguments)
    if asked.curves:
        _print_curves()
        return 0
    lives = [json.loads(line) for line in asked.lives.read_text(encoding="utf-8").splitlines()][: asked.count]
    totals: Counter[str] = Counter()
    with bars(18) as bar:
        task = bar.add_task("lives", total=len(lives))
        for life in lives:
            totals.update(_lived(life, asked.judge))
            bar.advance(task)
    for name, share in _shares(totals).items():
        print(f"{name}: {share}")
    if asked.json is not None:
        asked.json.write_text(json.dumps(dict(totals), indent=2) + "\n", encoding="utf-8")
    return 0


def _shares(totals: Mapping[str, int]) -> dict[str, str]:
    def share(hit: str, of: str) -> str:
        return f"{100 * totals[hit] / max(totals[of], 1):.1f} % of {totals[of]}"

    found = {
        "lasting and true, answered": share("answered", "lasting"),
        "lasting and true, active": share("lasting active", "lasting"),
        "answered by a store that forgets nothing": share("answered unswept", "lasting"),
        "meant for days, active": share("passing active", "passing"),
        "memories active": share("active", "told"),
        "tokens active": share("tokens active", "tokens"),
    }
    for lifetime in Lifetime:
        found[f"told for {lifetime}, active at the end"] = share(f"{lifetime} active", f"{lifetime} told")
    return found


def _lived(life: Mapping[str, Any], judge: str) -> Counter[str]:
    facts = sorted(life["facts"], key=lambda fact: str(fact["told"]))
    first = date.fromisoformat(facts[0]["told"])
    end = max(first + _YEAR, date.fromisoformat(facts[-1]["told"]) + _MONTH)
    noise = list(life["noise"])
    counts: Counter[str] = Counter()
    answers = {}
    for swept in (True, False):
        clock = FrozenClock(_morning(first))
        with ebbing.open(":memory:", clock=clock, judge=judge) as engine:
            ids = _told(facts, noise, first, end, clock, engine, swept=swept)
            answers[swept] = {
                place: _is_answered(engine, fact, ids[place]) for place, fact in enumerate(facts) if _lasts(fact, end)
            }
            if swept:
                counts.update(_standing(facts, ids, end, engine))
    counts["lasting"] = len(answers[True])
    counts["answered"] = sum(answers[True].values())
    counts["answered unswept"] = sum(answers[False].values())
    return counts


def _told(
    facts: Sequence[Mapping[str, Any]],
    noise: Sequence[Any],
    first: date,
    end: date,
    clock: FrozenClock,
    engine: ebbing.Engine,
    *,
    swept: bool,
) -> dict[int, str | None]:
    """Day by day; every day somebody says something, so that every day is a day of use."""
    by_day: dict[str, list[int]] = {}
    for place, fact in enumerate(facts):
        by_day.setdefault(str(fact["told"]), []).append(place)
    ids: dict[int, str | None] = {}
    for number in range((end - first).days + 1):
        today = first + timedelta(days=number)
        clock.set(_morning(today))
        if swept:
            engine.sweep()
        for place in by_day.get(today.isoformat(), ()):
            outcome = engine.remember(facts[place]["text"])
            ids[place] = outcome.id or (outcome.superseded[0].id if outcome.superseded else None)
        if noise:
            said = noise[number % len(noise)]
            engine.remember(said if isinstance(said, str) else str(said["text"]))
    return ids


def _morning(day: date) -> datetime:
    return datetime.combine(day, time(9), UTC)


def _lasts(fact: Mapping[str, Any], end: date) -> bool:
    is_true = fact["until"] is None or date.fromisoformat(fact["until"]) >= end
    long = _LONG if fact["until"] is not None else _LONG[1:]
    return is_true and fact["lifetime"] in long


def _is_answered(engine: ebbing.Engine, fact: Mapping[str, Any], id_: str | None) -> bool:
    found = engine.recall(fact["q"], limit=_TOP, reinforce=False, min_score=0.0)
    return any(one.memory.id == id_ or one.memory.text == fact["text"] for one in found)


def _standing(
    facts: Sequence[Mapping[str, Any]], ids: Mapping[int, str | None], end: date, engine: ebbing.Engine
) -> Counter[str]:
    counts: Counter[str] = Counter()
    memories = list(_everything(engine))
    active = {memory.id for memory in memories if memory.status is Status.ACTIVE}
    counts["told"], counts["active"] = len(memories), len(active)
    counts["tokens"] = sum(memory.tokens for memory in memories)
    counts["tokens active"] = sum(memory.tokens for memory in memories if memory.id in active)
    for place, fact in enumerate(facts):
        is_active = ids[place] in active
        counts[f"{fact['lifetime']} told"] += 1
        counts[f"{fact['lifetime']} active"] += is_active
        if fact["lifetime"] in _SHORT and date.fromisoformat(fact["told"]) + _MONTH <= end:
            counts["passing"] += 1
            counts["passing active"] += is_active
        if _lasts(fact, end):
            counts["lasting active"] += is_active
    return counts


def _everything(engine: ebbing.Engine) -> Iterator[Any]:
    before = None
    while page := engine.list(status=list(Status), before=before, limit=1000):
        yield from page
        before = page[-1].id


def _print_curves() -> None:
    policy = load()
    print(f"strength by days of use, of importance 0.5, never asked for; below {policy.ladder.detach} it leaves recall")
    print("lifetime harm  " + "".join(f"{day:>7}" for day in _DAYS_DRAWN) + "   leaves recall after")
    for lifetime in Lifetime:
        for harm in range(HARM_MAX + 1):
            curve = policy.lasting_curves[lifetime, harm, policy.lifetimes.tiers[lifetime]]
            trace = Trace(importance=0.5)
            drawn = "".join(f"{float(curve.strength(trace.later(day))):7.2f}" for day in _DAYS_DRAWN)
            print(f"{lifetime:8} {harm}     {drawn}   {float(curve.days_until(trace, policy.ladder.detach)):.0f} days")


if __name__ == "__main__":
    sys.exit(main())
