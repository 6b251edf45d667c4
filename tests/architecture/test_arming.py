"""Whoever sets alarms in a write transaction says under which policy, and the rule sees who does not."""

from __future__ import annotations

import pytest

from tests.architecture.arming import unsaid
from tests.architecture.source import package, planted

RETENTION = planted("def armed(memory, moment, policy): ...", "domain/retention.py")
ROUSING = planted(
    """
from .domain.retention import armed

def rouse(tx, moment, policy):
    tx.change([armed(memory, moment, policy) for memory in tx.sleepers()])
""",
    "rousing.py",
)
HANDING_ON = planted("from ..rousing import rouse as wake", "forget/__init__.py")
KNOWN = """
from ..domain import retention
from ..domain.retention import armed
from ..domain.retention import armed as set_again
from ..rousing import rouse
from . import wake

def arm_one(memory, now, policy):
    return armed(memory, now, policy)

def rouse_and_say(tx, now, policy):
    tx.under(policy.fingerprint)
    rouse(tx, now, policy)

def say(work):
    with work.write() as tx:
        tx.under(work.policy.fingerprint)

class Settling:
    def __init__(self, tx):
        self.tx = tx

    def go(self):
        self.tx.change([self.settled()])

    def settled(self):
        return armed(self.memory, self.now, self.policy)
"""


def found(deed: str, opens: str = "work.write()") -> list[str]:
    """What is told of a function that does this in a transaction."""
    code = f"{KNOWN}\ndef f(work, memory, now, policy):\n    with {opens} as tx:\n        {deed}\n"
    modules = [RETENTION, ROUSING, HANDING_ON, planted(code, "forget/some.py")]
    return [told.partition(" ")[2] for told in unsaid(modules)]


def test_whoever_sets_alarms_says_under_which_policy() -> None:
    """Otherwise they are taken for another policy's, and nobody sets them right."""
    assert list(unsaid(package())) == []


@pytest.mark.parametrize(
    "deed",
    [
        "tx.change([armed(memory, now, policy)])",
        "tx.change(map(set_again, memories))",
        "tx.change([retention.armed(memory, now, policy)])",
        "tx.change([arm_one(memory, now, policy)])",
        "rouse(tx, now, policy)",
        "wake(tx, now, policy)",
        "Settling(tx).go()",
        "rouse(tx, now, policy); say(work)",
    ],
)
@pytest.mark.parametrize("opens", ["work.write()", "work.store.write(view, durable=False)"])
def test_alarms_set_unsaid_are_seen(deed: str, opens: str) -> None:
    """Set by itself, by another name, by functions and methods, other modules' too; said elsewhere is not said here."""
    assert found(deed, opens) == ["f sets alarms and does not say under which policy"]


@pytest.mark.parametrize(
    ("deed", "opens"),
    [
        ("tx.under(policy.fingerprint); rouse(tx, now, policy)", "work.write()"),
        ("rouse_and_say(tx, now, policy)", "work.write()"),
        ("tx.arm([armed(one, now, policy) for one in tx.rearm(policy.fingerprint, 10)])", "work.write()"),
        ("tx.release(batch)", "work.write()"),
        ("return armed(memory, now, policy)", "work.read()"),
    ],
)
def test_alarms_set_with_a_word_are_let_through(deed: str, opens: str) -> None:
    """Said by itself or by whoever sets them. Where nothing is set, or nothing written, nothing is to be said."""
    assert found(deed, opens) == []
