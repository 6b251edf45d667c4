"""`ebbing demo`: a year of an agent's memory in half a minute.

The engine, the file, the embedder and the policy are the real ones; only the clock is moved by
hand. Each chapter lives on to its day, calls the verbs it tells about, and shows what they
answered. No outcome is written here: under another policy the same year ends differently.
"""

from __future__ import annotations

import dataclasses
import tempfile
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ...domain.clock import Moment
from ...domain.events import Summarized
from ...domain.memory import Memory, Status
from ...domain.results import Recollections
from ...domain.retention import alarm, grace_until, strength_of
from ...wiring import open as open_engine
from ..terminal_charts import sparkline
from . import pictures
from .console import Pace, Stage, day_name, line, times
from .story import CITY, DATABASE, DEPLOY, FIRST_DAY, HOLIDAY, INVOICES, LAST_DAY, PILOT, PORTO, POSTGRES
from .year import Year, clock_at_start

OWNER = "mara"


def run(console: Console, pace: Pace, policy: str, judge: str = "auto") -> pictures.Closing:
    """The whole story on a file of its own, which is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="ebbing-demo-") as folder:
        clock = clock_at_start()
        path = Path(folder) / "memory.db"
        with open_engine(path, owner=OWNER, policy=policy, judge=judge, clock=clock) as engine:
            return show_year(Stage(console, pace, engine.policy), Year(engine, clock))


def show_year(stage: Stage, year: Year) -> pictures.Closing:
    """Every chapter in its order."""
    opening(stage)
    january(stage, year)
    march(stage, year)
    june(stage, year)
    august(stage, year)
    topics(stage, year)
    october(stage, year)
    december(stage, year)
    stage.live(year, LAST_DAY, beats=2.0)
    pictures.curves(stage, year)
    pictures.months(stage, year)
    closing = pictures.Closing.of(year)
    pictures.summary(stage, closing)
    return closing


def opening(stage: Stage) -> None:
    """What this is, in three lines."""
    stage.console.print()
    stage.say(("Ebbing", "bold cyan"), ("  memory for LLM agents that knows how to forget", "bold"), pause=0.8)
    stage.say("One agent, one person called Mara, one project, one year.", pause=0.8)
    real = f"A real file, real embeddings, policy {stage.policy.name!r}; only the clock is virtual."
    stage.say((real, "dim"), pause=1.6)


def january(stage: Stage, year: Year) -> None:
    """What is told on the first day, and what the engine makes of it."""
    stage.chapter("January", "Mara tells the agent a few things")
    for _ in year.live_until(FIRST_DAY):
        pass
    table = stage.table("memory", "kind", "strength", "if never asked")
    for key, id_ in year.ids.items():
        memory = year.engine.get(id_)
        strength = stage.strength(year.evenings[-1].strengths[key])
        table.add_row(line(memory.text), memory.category, strength, _outlook(memory, stage))
    stage.show(table, pause=3.2)
    if year.memory("allergy").pinned:
        stage.say("Nobody pinned the allergy: what can hurt a person is protected from the start.", pause=1.2)


def _outlook(memory: Memory, stage: Stage) -> Text:
    """How long a memory stays in recall that nobody touches, as its alarm says; never less than its grace period."""
    if stage.policy.protects(memory.category, memory.scope, memory.pinned):
        return Text("for ever", "bold green")
    # As if it had waited for its topic already: what alone falls below the first rung stays in recall.
    verdict = Moment(memory.created_at, memory.created_day)
    at, day = alarm(memory, verdict, stage.policy, since=memory.created_at - timedelta(days=1))
    grace = grace_until(memory, stage.policy)
    days_of_use = None if day is None else day - memory.created_day
    if days_of_use is not None and days_of_use > (grace - memory.created_at).days:
        return Text(f"{days_of_use} days of use")
    if at is not None or days_of_use is not None:
        return Text(f"until {day_name(max(at or grace, grace))}")
    return Text("for ever")


def march(stage: Stage, year: Year) -> None:
    """Memories of the first weeks, two months later."""
    stage.live(year, date(2026, 3, 12))
    stage.chapter("March", "what is used stays, what is not fades")
    stage.question(DEPLOY)
    stage.answers(year.ask(DEPLOY))
    year.watch()
    stage.console.print()
    table = stage.table("memory", "asked", "since January", "strength", "now")
    for key in ("deploy", "invoices", "pages", "dinner"):
        memory = year.memory(key)
        strength = year.evenings[-1].strengths[key]
        spark = sparkline(year.curve(key), 13 if stage.narrow else 20, stage.colour(strength))
        table.add_row(line(memory.text), times(memory.recall_count), spark, stage.strength(strength), memory.status)
    stage.show(table, pause=3.0)
    ladder = stage.policy.ladder
    stage.say(
        f"Below {ladder.detach:g} a memory leaves recall, below {ladder.archive:g} the archive takes it.", pause=0
    )
    stage.say("Nothing is deleted.", pause=1.5)


def june(stage: Stage, year: Year) -> None:
    """Two facts change: one by its address, one by name."""
    stage.live(year, POSTGRES.on)
    stage.chapter("June", "the world changes")
    ways = {DATABASE: 'subject="orders service", attribute="database"', CITY: "supersedes=id"}
    before = {question: year.ask(question) for question in ways}
    outcomes = {DATABASE: year.say(POSTGRES), CITY: year.say(PORTO, supersedes=year.ids["lisbon"])}
    year.clock.advance(hours=2)
    for question, way in ways.items():
        after = year.ask(question)
        stage.question(question)
        stage.say("  before  ", (_first(before[question]), "dim"), pause=0.5)
        stage.say(("  remember", "bold"), f"(…, {way})", pause=0.5)
        stage.say("  after   ", (_first(after), "green"), pause=0.5)
        for loser in outcomes[question].superseded:
            reason = year.engine.history(loser.id)[-1].reason
            stays = any(one.memory.id == loser.id for one in after)
            stage.say(("  ✕       ", "red"), (loser.text, "dim"), pause=0.4)
            stage.say(f"          {'still' if stays else 'no longer'} in the answer: {reason}", pause=1.2)
    year.watch()


def _first(found: Recollections) -> str:
    return found[0].memory.text if found else "nothing comes to mind"


def august(stage: Stage, year: Year) -> None:
    """Four weeks away: the same strengths before and after."""
    before = stage.live(year, HOLIDAY[0] - timedelta(days=1))
    stage.chapter("August", "four weeks of holiday")
    after = stage.live(year, HOLIDAY[1], beats=3.0)
    wall = dataclasses.replace(stage.policy, time=dataclasses.replace(stage.policy.time, clock="wall"))
    moment = Moment(year.clock.now(), after.day_of_use)
    table = stage.table("memory", f"on {day_name(before.on)}", f"on {day_name(after.on)}", "by the calendar")
    for key in ("postgres", "window", "pages"):
        memory = year.memory(key)
        strengths = (before.strengths[key], after.strengths[key], strength_of(memory, moment, wall))
        table.add_row(line(memory.text), *(stage.strength(value) for value in strengths))
    stage.show(table, pause=2.5)
    used = after.day_of_use - before.day_of_use
    days = (after.on - before.on).days
    faded = any(before.strengths[key] != after.strengths[key] for key in before.strengths)
    ended = "some faded" if faded else "nothing faded, with a sweep every night"
    stage.say(f"{days} calendar days, {used} days of use: {ended}.", pause=1.2)


def topics(stage: Stage, year: Year) -> None:
    """What belongs together and fades together, as one memory; not told where the policy makes no summaries."""
    stage.live(year, date(2026, 10, 14))
    made = [one for one in year.all_memories() if one.derived_from and one.status is Status.ACTIVE]
    if not made:
        return
    stage.chapter("October", "what fades together becomes one")
    summary = made[0]
    for original in (year.engine.get(id_) for id_ in summary.derived_from):
        stage.say(("  ", ""), (original.text, "dim"), f" ({original.status})", pause=0.3)
    stage.say(("→ ", "bold cyan"), (summary.text, "green"), pause=0.8)
    event = year.engine.history(summary.id)[0]
    before, after = Summarized.decode(event.detail).tokens or (0, 0)
    stage.say(f"On {day_name(event.at)}, {event.reason}: {after} tokens for {before}.", pause=0.5)
    stage.say("Each original can still be looked up, and brought back.", pause=1.2)


def october(stage: Stage, year: Year) -> None:
    """Forgetting by request, which can be undone; and erasing, which cannot."""
    stage.chapter("October", "asked to forget, and asked to erase")
    why = "the pilot was cancelled"
    plan = year.engine.forget(scope=PILOT, reason=why, dry_run=True)
    rungs = Counter(one.status for one in plan.memories)
    stage.say(("forget", "bold"), f'(scope="{PILOT}", dry_run=True)', pause=0.5)
    stage.say(f"  would put away {len(plan.memories)}: ", ", ".join(f"{rungs[rung]} {rung}" for rung in rungs))
    batch = year.engine.forget(scope=PILOT, reason=why)
    same = {one.id for one in batch.memories} == {one.id for one in plan.memories}
    verdict = "exactly those, and restore(batch=…) undoes it" if same else "others than planned"
    stage.say(("forget", "bold"), f'(scope="{PILOT}", reason="{why}")', pause=0.5)
    stage.say(f"  put away {len(batch.memories)}: {verdict}", pause=1.4)
    text = year.memory("address").text
    receipt = year.engine.purge(ids=year.ids.pop("address"), reason="Mara asked for it")
    year.purged += receipt.count
    left = "no byte of it is left in the file" if receipt.verified else "a reader may still hold a copy"
    stage.say(("purge", "bold"), "(ids=…)  ", (f"“{text}”", "dim"), pause=0.5)
    stage.say(f"  erased {receipt.count}: {left}; receipt {receipt.id[-8:]}", pause=0.8)
    again = year.engine.remember(text)
    verdict = "refused, because it was purged" if again.skipped and not again.memories else "learned again"
    stage.say(f"  told the same again: {verdict}", pause=1.6)
    year.watch()


def december(stage: Stage, year: Year) -> None:
    """What is gone, the reason of each, and one that comes back."""
    stage.live(year, date(2026, 12, 10))
    stage.chapter("December", "what was forgotten, and why")
    pictures.reasons(stage, year)
    stage.chapter("December", "one of them is needed again")
    stage.question(INVOICES)
    stage.answers(year.ask(INVOICES), pause=1.0)
    found = year.ask(INVOICES, limit=1, include=(Status.DETACHED, Status.ARCHIVED))
    lowered = [one.memory.id for one in found if one.memory.status is not Status.ACTIVE]
    if lowered != [year.ids["invoices"]]:
        stage.say("Under this policy there is nothing to bring back for it.")
        return
    stage.say("The agent looks deeper: ", ("recall", "bold"), '(…, include=["detached", "archived"])', pause=0.6)
    stage.answers(found, pause=1.6)
    batch = year.engine.restore(lowered)
    stage.say(("restore", "bold"), f"(id)  brings back {len(batch.memories)}. Asked again:", pause=0.6)
    stage.answers(year.ask(INVOICES), pause=1.0)
    strength = year.watch().strengths["invoices"]
    stage.say("It was of use again: that evening its strength is ", stage.strength(strength), pause=1.6)
