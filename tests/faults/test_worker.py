"""Sweeps beside the callers of many owners: a few at a time, each owner in turn, and no thread without work."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from ebbing.domain.policy.loader import load
from ebbing.jobs.worker import _ASKED_MAX, _KNOWN_MAX, _THREADS_MAX, ThreadedSweeper
from ebbing.testing import FrozenClock

ROOT = Path(__file__).resolve().parents[2]
SWEEPER = "ebbing-sweep"
FULL = load().sweep.soft_limit


class Crowd:
    """The engine of an owner with a full scope; a sweep of some owners ends when it is let go."""

    def __init__(self, *held: str) -> None:
        self.policy = load()
        self.clock = FrozenClock()
        self.held = held
        self.go = threading.Event()
        self.begun: dict[str, threading.Event] = {owner: threading.Event() for owner in held}
        self.swept: list[tuple[str, str]] = []

    def for_owner(self, owner: str) -> Any:
        return _OfOwner(self, owner)


class _OfOwner:
    def __init__(self, crowd: Crowd, owner: str) -> None:
        self._crowd = crowd
        self._owner = owner

    def crowded(self) -> bool:
        return True

    def sweep(self, *, trigger: str) -> None:
        if self._owner in self._crowd.held:
            self._crowd.begun[self._owner].set()
            assert self._crowd.go.wait(timeout=300)
        self._crowd.swept.append((self._owner, str(trigger)))


def beside(crowd: Any) -> ThreadedSweeper:
    return ThreadedSweeper(crowd)


def sweepers() -> int:
    return sum(thread.name == SWEEPER for thread in threading.enumerate())


def held_up() -> tuple[Crowd, ThreadedSweeper, list[str]]:
    """As many owners as may be swept at a time, each being swept."""
    owners = [f"owner {number}" for number in range(_THREADS_MAX)]
    crowd = Crowd(*owners)
    sweeper = beside(crowd)
    for owner in owners:
        sweeper.notify(owner, "ingest_complete", FULL)
        assert crowd.begun[owner].wait(timeout=300)
    return crowd, sweeper, owners


def test_each_owner_asks_for_a_sweep_of_his_own_and_rests_by_himself() -> None:
    """What one has asked for is no reason to leave another alone."""
    crowd = Crowd()
    sweeper = beside(crowd)
    for owner in ("anna", "ben", "anna"):
        sweeper.notify(owner, "ingest_complete", FULL)
        sweeper.wait(owner)
    sweeper.notify("ben", "query_complete")
    sweeper.wait("ben")
    assert crowd.swept == [("anna", "ingest_complete"), ("ben", "ingest_complete"), ("ben", "query_complete")]


def test_however_many_owners_ask_a_few_are_swept_at_a_time_and_the_others_in_turn() -> None:
    crowd, sweeper, owners = held_up()
    more = [f"another {number}" for number in range(20)]
    for owner in more:
        sweeper.notify(owner, "ingest_complete", FULL)
    assert sweepers() == _THREADS_MAX
    assert crowd.swept == []
    crowd.go.set()
    for owner in (*owners, *more):
        sweeper.wait(owner)
    sweeper.close()
    assert sorted(owner for owner, _ in crowd.swept) == sorted((*owners, *more))
    assert sweepers() == 0, "there is a thread only while there is something to do"


def test_whoever_waits_does_not_wait_for_other_owners() -> None:
    crowd, sweeper, _ = held_up()
    sweeper.notify("ben", "ingest_complete", FULL)
    sweeper.wait("ben")
    sweeper.wait("somebody who never asked")
    assert crowd.swept == [], "none of the others has ended"
    crowd.go.set()
    sweeper.close()


def test_asked_while_a_sweep_is_under_way_it_goes_once_more() -> None:
    crowd, sweeper, owners = held_up()
    for more in (2, 3, 4):
        sweeper.notify(owners[0], "ingest_complete", FULL * more)
    crowd.go.set()
    sweeper.wait(owners[0])
    sweeper.wait(owners[1])
    assert sorted(owner for owner, _ in crowd.swept) == [owners[0], owners[0], owners[1]]


def test_closing_lets_end_what_is_under_way_and_begins_nothing_that_waits() -> None:
    crowd, sweeper, owners = held_up()
    sweeper.notify("ben", "ingest_complete", FULL)
    threading.Timer(0.05, crowd.go.set).start()
    sweeper.close()
    assert sorted(owner for owner, _ in crowd.swept) == owners
    sweeper.notify("cora", "memory_pressure")
    sweeper.wait("cora")
    assert (len(crowd.swept), sweepers()) == (_THREADS_MAX, 0)


def test_who_comes_when_too_many_wait_is_heard_when_he_comes_again() -> None:
    """He has not been heard, so he does not rest either."""
    crowd, sweeper, owners = held_up()
    for number in range(_ASKED_MAX):
        sweeper.notify(f"another {number}", "ingest_complete", FULL)
    sweeper.notify("late", "ingest_complete", FULL)
    sweeper.notify("another 0", "ingest_complete", FULL * 2)
    crowd.go.set()
    for owner in (*owners, *(f"another {number}" for number in range(_ASKED_MAX))):
        sweeper.wait(owner)
    sweeper.notify("late", "ingest_complete", FULL)
    sweeper.wait("late")
    sweeper.close()
    swept = [owner for owner, _ in crowd.swept]
    assert len(swept) == len(set(swept)) == _THREADS_MAX + _ASKED_MAX + 1
    assert swept[-1] == "late"


def test_of_many_owners_those_who_asked_longest_ago_are_forgotten_and_heard_again() -> None:
    """So that a server with a million of them does not remember each."""
    crowd = Crowd()
    sweeper = beside(crowd)
    for number in (*range(_KNOWN_MAX + 1), _KNOWN_MAX, 0):
        sweeper.notify(f"owner {number}", "query_complete")
        sweeper.wait(f"owner {number}")
    swept = [owner for owner, _ in crowd.swept]
    assert (len(swept), swept[-2:]) == (_KNOWN_MAX + 2, [f"owner {_KNOWN_MAX}", "owner 0"])


def test_where_no_thread_is_to_be_had_nobody_is_told_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was said is stored already; the sweep comes when there is a thread again."""

    def none_left(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    crowd = Crowd()
    sweeper = beside(crowd)
    with monkeypatch.context() as short_of_threads:
        short_of_threads.setattr(threading.Thread, "start", none_left)
        sweeper.notify("anna", "ingest_complete", FULL)
    sweeper.notify("ben", "ingest_complete", FULL)
    sweeper.wait("anna")
    sweeper.wait("ben")
    assert sorted(owner for owner, _ in crowd.swept) == ["anna", "ben"]


FORKING = """
import os, warnings
from tests.faults.test_worker import FULL, held_up

warnings.simplefilter("ignore", DeprecationWarning)  # that forking with threads may deadlock is the point
crowd, sweeper, owners = held_up()
child = os.fork()
if child == 0:
    sweeper.wait(owners[0])
    sweeper.notify("ben", "ingest_complete", FULL)
    sweeper.wait("ben")
    sweeper.close()
    os._exit(0 if crowd.swept == [("ben", "ingest_complete")] else 1)
ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
crowd.go.set()
sweeper.close()
raise SystemExit(ended)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is nothing to fork")
def test_a_forked_process_waits_for_no_sweep_of_its_parents_and_sweeps_itself() -> None:
    """In a program of its own: whatever other threads hold when this one forks would stay held."""
    program = [sys.executable, "-c", FORKING]
    told = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert (told.returncode, told.stderr) == (0, "")
