"""What an event of each kind holds is read from JSON that any version wrote, and written as it always was."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from ebbing.domain.event_values import Cause
from ebbing.domain.events import (
    PUTS_AWAY,
    Archived,
    Change,
    Contested,
    Created,
    Demoted,
    Detached,
    Edited,
    Event,
    EventKind,
    Forgotten,
    Imported,
    Merged,
    Pinned,
    Promoted,
    Purged,
    Reembedded,
    Reinforced,
    Restored,
    Settled,
    Summarized,
    Superseded,
    Unpinned,
    codecs_of,
)
from ebbing.domain.memory import Status, Tier

AT = datetime(2026, 3, 1, tzinfo=UTC)
NUMBERS = {"updates": 0.97, "contradicts": 0.91}

# Details as they stand in databases and exports of version 0.1, and what they are read as.
STORED: list[tuple[EventKind, dict[str, Any], Change]] = [
    (EventKind.REMEMBERED, {"trust": 1.0, "status": "active"}, Created(trust=1.0, born=Status.ACTIVE)),
    (
        EventKind.REMEMBERED,
        {
            "strength": 0.5,
            "trust": 0.4,
            "status": "superseded",
            "redacted": ["password"],
            "reading": {"kind": "fact", "harm": 0.1},
            "by": "m2",
            "evidence": NUMBERS,
            "judge": "j1",
        },
        Created(
            strength=0.5,
            trust=0.4,
            born=Status.SUPERSEDED,
            redacted=("password",),
            reading={"kind": "fact", "harm": 0.1},
            by="m2",
            evidence=NUMBERS,
            judge="j1",
        ),
    ),
    (EventKind.REINFORCED, {}, Reinforced()),
    (EventKind.REINFORCED, {"cause": "used"}, Reinforced(cause=Cause.USED)),
    (EventKind.REINFORCED, {"was_level": 0.25, "level": 0.75}, Reinforced(was_level=0.25, level=0.75)),
    (
        EventKind.SUPERSEDED,
        {
            "was": "active",
            "was_valid_until": None,
            "by": "m2",
            "trust": [1.0, 0.6],
            "recalls": [0, 3],
            "days_between": 12.5,
            "evidence": NUMBERS,
            "judge": "j1",
            "update": True,
        },
        Superseded(
            was=Status.ACTIVE,
            by="m2",
            trust=(1.0, 0.6),
            recalls=(0, 3),
            days_between=12.5,
            evidence=NUMBERS,
            judge="j1",
            update=True,
        ),
    ),
    (
        EventKind.SUPERSEDED,
        {"was": "detached", "was_valid_until": "2026-03-01T00:00:00+00:00", "by": "m2", "was_contested": True},
        Superseded(was=Status.DETACHED, was_valid_until=AT, by="m2", was_contested=True),
    ),
    (
        EventKind.SUPERSEDED,
        {"was": "active", "was_valid_until": None, "by": "m2", "exported_at": "2026-03-01T00:00:00+00:00"},
        Superseded(was=Status.ACTIVE, by="m2", exported_at="2026-03-01T00:00:00+00:00"),
    ),
    (
        EventKind.CONTESTED,
        {"by": "m2", "trust": [0.6, 1.0], "evidence": NUMBERS, "judge": None},
        Contested(by="m2", trust=(0.6, 1.0), evidence=NUMBERS),
    ),
    (EventKind.SETTLED, {"was_contested": True, "with": ["m2", "m3"]}, Settled(others=("m2", "m3"))),
    (
        EventKind.EDITED,
        {
            "was": {"tags": ["a"], "expires_at": "2026-03-01T00:00:00+00:00", "metadata": {"k": 1}, "scope": "/x"},
            "given_by": "m2",
            "against": ["m3"],
        },
        Edited(
            was={"tags": ("a",), "expires_at": AT, "metadata": {"k": 1}, "scope": "/x"},
            given_by="m2",
            against=("m3",),
        ),
    ),
    (EventKind.EDITED, {"was": {"expires_at": None, "pinned": True}}, Edited(was={"expires_at": None, "pinned": True})),
    (EventKind.EDITED, {"cause": "said again"}, Edited(cause=Cause.RESTATED)),
    (EventKind.RESTORED, {"cause": "undo", "batch": "b1"}, Restored(cause=Cause.UNDONE, batch="b1")),
    (EventKind.EDITED, {"supersedes": ["m1"], "against": ["m1"]}, Edited(supersedes=("m1",), against=("m1",))),
    (EventKind.PINNED, {}, Pinned()),
    (EventKind.UNPINNED, {}, Unpinned()),
    (
        EventKind.DETACHED,
        {"was": "active", "strength": 0.04, "threshold": 0.05, "policy": "default"},
        Detached(was=Status.ACTIVE, strength=0.04, threshold=0.05, policy="default"),
    ),
    (
        EventKind.ARCHIVED,
        {
            "was": "active",
            "strength": 0.9,
            "threshold": None,
            "policy": "default",
            "was_tier": "semantic",
            "tier": "episodic",
            "into": "s1",
        },
        Archived(
            was=Status.ACTIVE, strength=0.9, policy="default", was_tier=Tier.SEMANTIC, tier=Tier.EPISODIC, into="s1"
        ),
    ),
    (EventKind.ARCHIVED, {"was": "detached"}, Archived(was=Status.DETACHED)),
    (EventKind.FORGOTTEN, {"was": "archived"}, Forgotten(was=Status.ARCHIVED)),
    (EventKind.FORGOTTEN, {"was": "quarantined", "settled": True}, Forgotten(was=Status.QUARANTINED, settled=True)),
    (
        EventKind.RESTORED,
        {"was": "archived", "to": "active", "into": "s1"},
        Restored(was=Status.ARCHIVED, to=Status.ACTIVE, into="s1"),
    ),
    (
        EventKind.RESTORED,
        {"was": "superseded", "to": "active", "against": ["m2"]},
        Restored(was=Status.SUPERSEDED, to=Status.ACTIVE, against=("m2",)),
    ),
    (
        EventKind.SUMMARIZED,
        {"from": ["m1", "m2"], "tokens": [40, 25], "status": "active"},
        Summarized(sources=("m1", "m2"), tokens=(40, 25), born=Status.ACTIVE),
    ),
    (
        EventKind.MERGED,
        {"was": "active", "was_valid_until": None, "into": "m2", "similarity": 0.97, "update": True},
        Merged(was=Status.ACTIVE, into="m2", similarity=0.97, update=True),
    ),
    (
        EventKind.PROMOTED,
        {"was_tier": "semantic", "tier": "procedural"},
        Promoted(was_tier=Tier.SEMANTIC, tier=Tier.PROCEDURAL),
    ),
    (
        EventKind.DEMOTED,
        {
            "was": "active",
            "strength": 0.2,
            "threshold": 0.3,
            "policy": "p",
            "was_tier": "semantic",
            "tier": "episodic",
        },
        Demoted(was=Status.ACTIVE, strength=0.2, threshold=0.3, policy="p", was_tier=Tier.SEMANTIC, tier=Tier.EPISODIC),
    ),
    (EventKind.PURGED, {}, Purged()),
    (
        EventKind.IMPORTED,
        {"exported_at": "2026-03-01T00:00:00+00:00", "replaced": False},
        Imported(exported_at="2026-03-01T00:00:00+00:00"),
    ),
    (EventKind.REEMBEDDED, {"from": None, "to": "m@1"}, Reembedded(to_model="m@1")),
]


def event(kind: EventKind, detail: dict[str, Any]) -> Event:
    return Event(1, AT, kind, "m1", "b1", detail=detail)


@pytest.mark.parametrize(("kind", "detail", "change"), STORED)
def test_what_stands_in_a_database_is_read_and_written_alike(
    kind: EventKind, detail: dict[str, Any], change: Change
) -> None:
    """An update of the program must neither lose what the log says nor write it in another form."""
    assert event(kind, detail).change == change
    kept = {key: value for key, value in detail.items() if (key, value) != ("judge", None)}
    assert json.loads(json.dumps(change.encode())) == kept


def test_every_kind_of_event_is_known() -> None:
    """One without a class would fail the first time that somebody reads it."""
    assert {type(event(kind, {}).change).kind for kind in EventKind} == set(EventKind)


@pytest.mark.parametrize("kind", EventKind)
def test_an_event_that_a_purge_emptied_is_read_as_one_that_says_nothing(kind: EventKind) -> None:
    """A purge leaves that something happened, and takes away what."""
    change = event(kind, {}).change
    assert change.status == (Status.ACTIVE if kind is EventKind.RESTORED else PUTS_AWAY.get(kind))


@pytest.mark.parametrize(
    ("kind", "detail"),
    [
        (EventKind.SUPERSEDED, {"was": "nowhere", "trust": "much", "was_valid_until": "tomorrow", "note": {"a": 1}}),
        (EventKind.ARCHIVED, {"was": 5, "tier": [], "into": {}}),
        (EventKind.EDITED, {"was": "active", "given_by": 1, "against": "m1"}),
        (EventKind.REINFORCED, {"was_level": -1}),
        (EventKind.SUMMARIZED, {"tokens": [1, 2, 3], "from": "m1"}),
    ],
)
def test_a_value_that_cannot_be_is_read_as_missing(kind: EventKind, detail: dict[str, Any]) -> None:
    """A log that another program wrote must not make recall or restore fail."""
    assert event(kind, detail).change == event(kind, {}).change


def test_a_part_is_checked_in_events_of_other_kinds_too() -> None:
    """So that an imported file cannot hide a status that no memory has where nobody expects one."""
    assert not codecs_of(EventKind.PINNED)["was"].holds("nowhere")
    assert codecs_of(EventKind.REEMBEDDED)["to"].holds("a model")
