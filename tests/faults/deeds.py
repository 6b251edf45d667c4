"""What processes do in these tests, run as `python -m tests.faults.deeds`: a nursery that forks them on demand.

Everything is imported once, in the nursery; a process of its own then costs milliseconds, so a test can start and
kill a hundred. Each line on standard input is a deed and how many shall do it at the same time; each line on
standard output is something that was done, and stands in the store by then.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any

import ebbing
import ebbing.store.postgres.store
import ebbing.store.sqlite.store
from ebbing.engine import Engine
from ebbing.ports import Vector
from ebbing.testing import FakeEmbedder, FrozenClock, in_memory

LONGEST = 3000  # turns of a loop that is meant to be killed; a bound, should nobody kill it


def tell(**said: Any) -> None:
    """One line, written at once: it is read whole, or not at all."""
    os.write(1, (json.dumps(said) + "\n").encode())


def opened(address: str, now: str = "2026-01-01T09:00:00Z", **given: Any) -> Engine:
    given.setdefault("embedder", FakeEmbedder())
    given.setdefault("judge", "off")
    return ebbing.open(address, clock=FrozenClock(now), **given)


def open_first(number: int, address: str) -> None:
    """Open a store that may not exist yet, and leave a memory in it."""
    with opened(address) as engine:
        tell(done=engine.remember(f"memory of process {number}").memories[0].id)


def live(number: int, address: str, rounds: int, shared: list[str]) -> None:
    """Write, recall, reinforce, supersede, forget and restore, beside others who do the same."""
    with opened(address) as engine:
        for turn in range(rounds):
            me = f"{number}.{turn}"
            kept = engine.remember(f"note of process {number}, turn {turn}", scope=f"/own/{number}").memories[0].id
            engine.remember("What everybody says", scope="/same", session=me)
            engine.remember(f"The port is {9000 + number} at {turn}", scope="/port", subject="port", attribute="number")
            engine.used(shared, session=me)
            found = engine.recall("tug of war rope", scope="/tug", session=me)
            batch = engine.forget(scope="/tug") if turn % 3 == 0 else engine.forget(ids=kept)
            if batch.memories:
                engine.restore(batch=batch.id)
            engine.sweep()
            tell(kept=kept, found=len(found))
        tell(done=number)


def erase(number: int, address: str, rounds: int) -> None:
    """Remember, recall and purge, beside others who do the same."""
    with opened(address) as engine:
        for turn in range(rounds):
            kept, gone = engine.remember_many(
                [f"kept by {number} in turn {turn}", f"gone from {number} in turn {turn}"]
            ).memories
            engine.recall(f"turn {turn}", session=f"{number}/{turn}")
            engine.purge(ids=gone.id)
            tell(kept=kept.id, gone=gone.id)


def write(number: int, address: str, round_: int) -> None:
    """Remember one after the other, and now and then many at once."""
    with opened(address) as engine:
        for turn in range(LONGEST):
            text = f"round {round_} note {turn} of something to keep"
            if turn % 6 == 5:
                outcome = engine.remember_many(f"{text}, {part}" for part in range(12))
            else:
                outcome = engine.remember(text, subject=f"s{turn % 4}", attribute="a")
            tell(ids=[one.id for one in outcome.memories])


def sweep(number: int, address: str, now: str, policy: str) -> None:
    """Let go of what is due, a few at a time."""
    with opened(address, now, policy=policy) as engine:
        tell(ready=True)
        while actions := engine.sweep(limit=4).actions:
            tell(lowered=[action.memory.id for action in actions])


def undo(number: int, address: str, round_: int) -> None:
    """Remember what another contradicts, forget, restore, purge, and again; the text is told, to be looked for."""
    with opened(address) as engine:
        for turn in range(LONGEST):
            text = f"fleeting thought {turn} of round {round_}"
            about = {"subject": f"thought {turn} of round {round_}", "attribute": "length"}
            rival = engine.remember(f"lasting conviction {turn} of {round_}", pinned=True, **about).memories[0].id
            one = engine.remember(text, **about).memories[0].id
            said = {"id": one, "text": text, "rival": rival}
            tell(state="active", **said)
            batch = engine.forget(ids=one)
            tell(state="forgotten", **said)
            engine.restore(batch=batch.id)
            tell(state="restored", **said)
            engine.purge(ids=one)
            tell(state="purged", **said)


class Telling(FakeEmbedder):
    """Tells of every text it is given: a sweep embeds a summary before it writes it."""

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        tell(embedded=len(texts))
        return super().embed(texts, query=query)


def summarize(number: int, address: str, now: str, policy: str) -> None:
    """One sweep that summarizes, a few topics in each transaction."""
    with opened(address, now, policy=policy, embedder=Telling()) as engine:
        tell(ready=True)
        for _ in range(LONGEST):
            tell(summaries=len(engine.sweep().summaries))


def unsummarize(number: int, address: str, round_: int) -> None:
    """Summarize a topic and undo it, summarize another and purge one of its originals, and again."""
    with opened(address) as engine:
        for turn in range(LONGEST):
            scope = f"/topic/{round_}/{turn}"
            notes = engine.remember_many(
                {
                    "text": f"The deploy of api {round_}.{turn} to staging {how}",
                    "scope": scope,
                    "importance": 0.5,
                    "created_at": "2025-12-01T09:00:00Z",
                }
                for how in ("failed because disk 3 was full", "was repeated by Mara", "took 14 minutes")
            ).memories
            tell(state="noted", scope=scope)
            batch = engine.compact(scope=scope)
            tell(state="summarized", scope=scope)
            if turn % 2:
                engine.restore(batch=batch.id)
            else:
                engine.purge(ids=notes[1].id)
            tell(state="over", scope=scope)


DEEDS = {deed.__name__: deed for deed in (open_first, live, erase, write, sweep, undo, summarize, unsummarize)}


def child(number: int, go: int, asked: dict[str, Any]) -> int:
    """One process: wait for the sign, do the deed."""
    tell(pid=os.getpid(), number=number)
    os.read(go, 1)
    try:
        DEEDS[asked["deed"]](number, **asked["given"])
    except BaseException:  # noqa: BLE001 - whatever goes wrong in a process is told, and fails the test
        tell(error=traceback.format_exc()[-3000:])
        return 1
    return 0


def together(asked: dict[str, Any]) -> list[int]:
    """Fork as many as are asked for, let them begin at once, and wait for all of them."""
    waiting, sign = os.pipe()
    children = []
    for number in range(asked["processes"]):
        pid = os.fork()
        if pid == 0:
            os.close(sign)
            os._exit(child(number, waiting, asked))
        children.append(pid)
    os.close(waiting)
    os.close(sign)  # the end of the pipe is the sign for all
    return [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children]


def warm_up() -> None:
    """Do everything once, in memory: rules are compiled when first needed, and each process would do that anew."""
    with in_memory() as engine:
        topic = [
            f"The deploy of the api to staging {how}" for how in ("failed on disk 3", "was repeated", "took 14 min")
        ]
        for text in (*topic, "Mara lives in Porto"):
            one = engine.remember(text, scope="/warm", importance=0.3, created_at="2025-12-01T09:00:00Z").memories[0]
        engine.recall("Where does Mara live?")
        engine.compact(scope="/warm")
        engine.restore(batch=engine.forget(ids=one.id).id)
        engine.purge(ids=one.id)
        engine.sweep()


def main() -> None:
    warm_up()
    for line in itertools.takewhile(bool, iter(sys.stdin.readline, "")):
        tell(ended=together(json.loads(line)))


if __name__ == "__main__":
    main()
