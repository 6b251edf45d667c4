"""Why a memory was used, edited or brought back is recorded in its event; earlier events tell it by their reason."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from ebbing.domain.event_values import Cause
from ebbing.domain.events import Event, EventKind
from ebbing.lifecycle.history import batch_undone_by, cause_of
from tests.tables import each_row


def _event(kind: EventKind, reason: str | None, detail: dict[str, Any]) -> Event:
    return Event(1, datetime(2026, 3, 1, tzinfo=UTC), kind, "m1", "b2", reason=reason, detail=detail)


@each_row(
    "kind, reason, detail, cause, undone",
    [
        (EventKind.REINFORCED, "a reason in other words", {"cause": "used"}, Cause.USED, None),
        (EventKind.REINFORCED, "recalled", {}, Cause.RECALLED, None),
        (EventKind.REINFORCED, "used", {}, Cause.USED, None),
        (EventKind.REINFORCED, "said again", {}, Cause.RESTATED, None),
        (EventKind.EDITED, "said again, with more", {}, Cause.RESTATED, None),
        (EventKind.EDITED, "importance was changed", {}, None, None),
        (EventKind.RESTORED, "asked to restore", {}, Cause.REQUESTED, None),
        (EventKind.RESTORED, "undo of b1", {}, Cause.UNDONE, "b1"),
        (EventKind.RESTORED, "any", {"cause": "undo", "batch": "b1"}, Cause.UNDONE, "b1"),
        (EventKind.RESTORED, "pinned", {}, None, None),
        (EventKind.FORGOTTEN, "used", {"was": "active"}, None, None),
    ],
)
def test_the_cause_is_read_from_the_event_and_from_the_reason_of_an_earlier_one(
    kind: EventKind, reason: str | None, detail: dict[str, Any], cause: Cause | None, undone: str | None
) -> None:
    """Simulations of logs written before causes were recorded must replay them alike."""
    event = _event(kind, reason, detail)
    assert cause_of(event) is cause
    assert batch_undone_by(event) == undone
