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
from ebbing.jobs.worker import _ASKED_MAX, _KNOWN_MAX, _THREADS_MAX, Beside
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
            assert self._crowd.go.wait(timeout=60)
        self._crowd.swept.append((self._owner, str(trigger)))


def beside(crowd: Any) -> Beside:
    return Beside(crowd)


def sweepers() -> int:
    return sum(thread.name == SWEEPER for thread in threading.enumerate())


def held_up() -> tuple[Crowd, Beside, list[str]]:
    """As many owners as may be swept at a time, each being swept."""
    owners = [f"owner {number}" for number in range(_THREADS_MAX)]
    crowd = Crowd(*owners)
    attendant = beside(crowd)
    for owner in owners:
        attendant.ring(owner, "ingest_complete", FULL)
        assert crowd.begun[owner].wait(timeout=60)
    return crowd, attendant, owners


def test_each_owner_asks_for_a_sweep_of_his_own_and_rests_by_himself() -> None:
    """What one has asked for is no reason to leave another alone."""
    crowd = Crowd()
    attendant = beside(crowd)
    for owner in ("anna", "ben", "anna"):
        attendant.ring(owner, "ingest_complete", FULL)
        attendant.wait(owner)
    attendant.ring("ben", "query_complete")
    attendant.wait("ben")
    assert crowd.swept == [("anna", "ingest_complete"), ("ben", "ingest_complete"), ("ben", "query_complete")]


def test_however_many_owners_ask_a_few_are_swept_at_a_time_and_the_others_in_turn() -> None:
    crowd, attendant, owners = held_up()
    more = [f"another {number}" for number in range(20)]
    for owner in more:
        attendant.ring(owner, "ingest_complete", FULL)
    assert sweepers() == _THREADS_MAX
    assert crowd.swept == []
    crowd.go.set()
    for owner in (*owners, *more):
        attendant.wait(owner)
    attendant.close()
    assert sorted(owner for owner, _ in crowd.swept) == sorted((*owners, *more))
    assert sweepers() == 0, "there is a thread only while there is something to do"


def test_whoever_waits_does_not_wait_for_other_owners() -> None:
    crowd, attendant, _ = held_up()
    attendant.ring("ben", "ingest_complete", FULL)
    attendant.wait("ben")
    attendant.wait("somebody who never asked")
    assert crowd.swept == [], "none of the others has ended"
    crowd.go.set()
    attendant.close()


def test_asked_while_a_sweep_is_under_way_it_goes_once_more() -> None:
    crowd, attendant, owners = held_up()
    for more in (2, 3, 4):
        attendant.ring(owners[0], "ingest_complete", FULL * more)
    crowd.go.set()
    attendant.wait(owners[0])
    attendant.wait(owners[1])
    assert sorted(owner for owner, _ in crowd.swept) == [owners[0], owners[0], owners[1]]


def test_closing_lets_end_what_is_under_way_and_begins_nothing_that_waits() -> None:
    crowd, attendant, owners = held_up()
    attendant.ring("ben", "ingest_complete", FULL)
    threading.Timer(0.05, crowd.go.set).start()
    attendant.close()
    assert sorted(owner for owner, _ in crowd.swept) == owners
    attendant.ring("cora", "memory_pressure")
    attendant.wait("cora")
    assert (len(crowd.swept), sweepers()) == (_THREADS_MAX, 0)


def test_who_comes_when_too_many_wait_is_heard_when_he_comes_again() -> None:
    """He has not been heard, so he does not rest either."""
    crowd, attendant, owners = held_up()
    for number in range(_ASKED_MAX):
        attendant.ring(f"another {number}", "ingest_complete", FULL)
    attendant.ring("late", "ingest_complete", FULL)
    attendant.ring("another 0", "ingest_complete", FULL * 2)
    crowd.go.set()
    for owner in (*owners, *(f"another {number}" for number in range(_ASKED_MAX))):
        attendant.wait(owner)
    attendant.ring("late", "ingest_complete", FULL)
    attendant.wait("late")
    attendant.close()
    swept = [owner for owner, _ in crowd.swept]
    assert len(swept) == len(set(swept)) == _THREADS_MAX + _ASKED_MAX + 1
    assert swept[-1] == "late"


def test_of_many_owners_those_who_asked_longest_ago_are_forgotten_and_heard_again() -> None:
    """So that a server with a million of them does not remember each."""
    crowd = Crowd()
    attendant = beside(crowd)
    for number in (*range(_KNOWN_MAX + 1), _KNOWN_MAX, 0):
        attendant.ring(f"owner {number}", "query_complete")
        attendant.wait(f"owner {number}")
    swept = [owner for owner, _ in crowd.swept]
    assert (len(swept), swept[-2:]) == (_KNOWN_MAX + 2, [f"owner {_KNOWN_MAX}", "owner 0"])


def test_where_no_thread_is_to_be_had_nobody_is_told_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was said is stored already; the sweep comes when there is a thread again."""

    def none_left(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    crowd = Crowd()
    attendant = beside(crowd)
    with monkeypatch.context() as short_of_threads:
        short_of_threads.setattr(threading.Thread, "start", none_left)
        attendant.ring("anna", "ingest_complete", FULL)
    attendant.ring("ben", "ingest_complete", FULL)
    attendant.wait("anna")
    attendant.wait("ben")
    assert sorted(owner for owner, _ in crowd.swept) == ["anna", "ben"]


FORKING = """
import os, warnings
from tests.faults.test_worker import FULL, held_up

warnings.simplefilter("ignore", DeprecationWarning)  # that forking with threads may deadlock is the point
crowd, attendant, owners = held_up()
child = os.fork()
if child == 0:
    attendant.wait(owners[0])
    attendant.ring("ben", "ingest_complete", FULL)
    attendant.wait("ben")
    attendant.close()
    os._exit(0 if crowd.swept == [("ben", "ingest_complete")] else 1)
ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
crowd.go.set()
attendant.close()
raise SystemExit(ended)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is nothing to fork")
def test_a_forked_process_waits_for_no_sweep_of_its_parents_and_sweeps_itself() -> None:
    """In a program of its own: whatever other threads hold when this one forks would stay held."""
    program = [sys.executable, "-c", FORKING]
    told = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert (told.returncode, told.stderr) == (0, "")
