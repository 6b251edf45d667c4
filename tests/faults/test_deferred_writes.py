"""What an answer does not wait for is done right behind it, in order, and nobody looks before it is done."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import warnings

import pytest

from ebbing.lifecycle.deferred_writes import _WAITING_MAX, DeferredWrites


@pytest.fixture
def deferred() -> DeferredWrites:
    return DeferredWrites()


def test_whoever_brings_a_job_does_not_wait_for_it(deferred: DeferredWrites) -> None:
    may_end, done = threading.Event(), threading.Event()

    def job() -> None:
        may_end.wait()
        done.set()

    deferred.do("ada", job)
    assert not done.is_set()
    may_end.set()
    deferred.wait("ada")
    assert done.is_set()
    deferred.close()


def test_whoever_waits_waits_for_all_that_was_brought(deferred: DeferredWrites) -> None:
    done: list[int] = []
    for number in range(20):
        deferred.do("ada", lambda number=number: done.append(number))  # type: ignore[misc] # bound now
    deferred.wait("ada")
    assert sorted(done) == list(range(20))
    deferred.close()


def test_one_who_is_held_up_holds_up_nobody_else(deferred: DeferredWrites) -> None:
    may_end, done = threading.Event(), list[str]()
    deferred.do("ada", lambda: bool(may_end.wait()) and None)
    deferred.do("bob", lambda: done.append("bob"))
    deferred.wait("bob")
    assert done == ["bob"]
    may_end.set()
    deferred.close()


def test_whoever_has_nothing_under_way_waits_for_nobody(deferred: DeferredWrites) -> None:
    may_end = threading.Event()
    deferred.do("ada", lambda: bool(may_end.wait()) and None)
    deferred.wait("bob")
    may_end.set()
    deferred.close()


def test_closing_lets_what_is_under_way_end_and_begins_nothing_more(deferred: DeferredWrites) -> None:
    done: list[str] = []
    deferred.do("ada", lambda: done.append("beside"))
    deferred.close()
    assert done == ["beside"]
    deferred.do("ada", lambda: done.append(threading.current_thread().name))
    assert done[-1] == threading.current_thread().name, "done by whoever brought it"


def test_with_too_many_under_way_whoever_brings_one_does_it(deferred: DeferredWrites) -> None:
    may_end, names = threading.Event(), list[str]()
    for _ in range(_WAITING_MAX):
        deferred.do("ada", lambda: bool(may_end.wait()) and None)
    deferred.do("bob", lambda: names.append(threading.current_thread().name))
    assert names == [threading.current_thread().name]
    may_end.set()
    deferred.close()


def test_what_went_wrong_is_told_in_the_log_and_to_no_other_caller(
    deferred: DeferredWrites, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> None:
        raise ZeroDivisionError("by nothing")

    with caplog.at_level(logging.ERROR, logger="ebbing"):
        deferred.do("ada", broken)
        deferred.wait("ada")
        deferred.close()
    assert "by nothing" in caplog.text


def test_what_was_done_is_not_kept(deferred: DeferredWrites) -> None:
    for number in range(10):
        deferred.do(f"owner {number}", lambda: None)
    deferred.close()
    assert deferred._under_way == {}


def test_when_no_thread_may_begin_any_more_whoever_brings_a_job_does_it() -> None:
    """Threads outlive the main one, and what is registered for the end is run after it."""
    program = """
import atexit, threading
from ebbing.lifecycle.deferred_writes import DeferredWrites
later, done = DeferredWrites(), []
later.do("ada", lambda: None)
def at_the_end():
    later.do("ada", lambda: done.append(1))
    print("done", done)
atexit.register(at_the_end)
threading.Thread(target=lambda: (threading.main_thread().join(), at_the_end())).start()
"""
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=300)
    assert told.stdout.splitlines() == ["done [1]", "done [1, 1]"]
    assert told.stderr == ""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is nothing to fork")
def test_a_forked_process_waits_for_nothing_of_its_parents_and_has_a_thread_of_its_own(
    deferred: DeferredWrites,
) -> None:
    may_end = threading.Event()
    deferred.do("ada", lambda: bool(may_end.wait()) and None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # that forking with threads may deadlock is the point
        child = os.fork()
    if child == 0:
        done: list[int] = []
        deferred.wait("ada")
        deferred.do("ada", lambda: done.append(1))
        deferred.wait("ada")
        deferred.close()
        os._exit(0 if done == [1] else 1)
    _, status = os.waitpid(child, 0)
    may_end.set()
    deferred.close()
    assert os.waitstatus_to_exitcode(status) == 0
