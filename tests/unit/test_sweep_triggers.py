"""Whether something that happened leads to a sweep: decided by plain values."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from ebbing.domain.policy.loader import load
from ebbing.jobs.worker import Asked, Trigger, sweeps
from tests.tables import each_row

POLICY = load()
NOW = datetime(2026, 1, 1, 9, tzinfo=UTC)
LIMIT = POLICY.sweep.soft_limit
REST = POLICY.sweep.rest
FULL = (Trigger.INGEST_COMPLETE, Trigger.QUERY_COMPLETE)


@each_row("trigger", Trigger)
def test_below_the_soft_limit_only_what_asks_outright_leads_to_a_sweep(trigger: Trigger) -> None:
    """Memory pressure, the clock and a person are always heard."""
    assert sweeps(trigger, LIMIT - 1, None, NOW, POLICY) is (trigger not in FULL)
    assert sweeps(trigger, LIMIT, None, NOW, POLICY)


@each_row("trigger", FULL)
def test_at_the_soft_limit_a_scope_asks_once_and_then_rests(trigger: Trigger) -> None:
    """Each sentence said into a full scope would ask for a sweep otherwise."""
    last = Asked(NOW, LIMIT)
    assert not sweeps(trigger, LIMIT + 1, last, NOW, POLICY)
    assert not sweeps(trigger, LIMIT + 1, last, NOW + REST - timedelta(microseconds=1), POLICY)
    assert sweeps(trigger, LIMIT + 1, last, NOW + REST, POLICY)


@each_row(("active", "asks"), [(LIMIT + 49, False), (LIMIT + 50, True), (LIMIT * 2, True)])
def test_a_tenth_more_is_reason_enough_before_it_has_rested(active: int, asks: bool) -> None:
    """Of what there was when it last asked."""
    assert LIMIT == 500
    assert sweeps(Trigger.INGEST_COMPLETE, active, Asked(NOW, LIMIT), NOW, POLICY) is asks


def test_where_nobody_knows_how_full_it_is_one_looks_once_and_then_rests() -> None:
    """After a question it has to be looked up, and not for each of them."""
    assert sweeps(Trigger.QUERY_COMPLETE, None, None, NOW, POLICY)
    last = Asked(NOW, 0)
    assert not sweeps(Trigger.QUERY_COMPLETE, None, last, NOW + REST - timedelta(microseconds=1), POLICY)
    assert sweeps(Trigger.QUERY_COMPLETE, None, last, NOW + REST, POLICY)


def test_a_clock_that_was_set_back_does_not_stop_it() -> None:
    """A last time that lies in the future says nothing."""
    last = Asked(NOW + timedelta(days=400), LIMIT)
    assert sweeps(Trigger.INGEST_COMPLETE, LIMIT, last, NOW, POLICY)


@each_row("trigger", [Trigger.CRON, Trigger.MEMORY_PRESSURE, Trigger.MANUAL])
def test_what_asks_outright_never_rests(trigger: Trigger) -> None:
    """However short a time ago it was heard."""
    assert sweeps(trigger, 0, Asked(NOW, 10_000), NOW, POLICY)
