"""Memora, retrieval level: what users told over a week, and whether what they took back still comes back.

A told value is stale when a later session deletes it or a preference replaces it. The units are told in order at their
dates; then the questions are asked. Measured with the judge, without it, and as plain BM25 over everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from .remember_figures import Line, Tally, Target, half, share, written
from .remember_metrics import PlainBm25
from .remember_readers import read_lines
from .remember_stage import Stage, packaged, stage

TITLE = "Memora: told in order over a week, asked at the end"
_LIMIT = 10
_ON, _OFF, _FLOOR = "judge", "judge off", "plain BM25"
_TASKS = {"recommending": "recommending", "remembering": "to-do"}
_TARGETS = {"recommending": Target("≥", 0.65)}


@dataclass(frozen=True, slots=True)
class Unit:
    """What a user told in a session; `key` is what it is about and `old` what an update replaced."""

    session: int
    at: datetime
    text: str
    operation: str  # add, update or delete
    kind: str
    key: str | None
    old: str | None

    def ends(self, other: Unit) -> bool:
        """Whether it takes back what the other unit told, in an earlier session."""
        if other.key is None or other.session >= self.session:
            return False
        if self.operation == "delete":
            return other.key == self.key
        return self.operation == "update" and self.kind == "preference" and other.key in (self.key, self.old)


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the values that must be present and absent, each with the session that told or ended it."""

    task: str
    text: str
    present: tuple[tuple[str, int], ...]
    absent: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class User:
    """A user, what was told in order, and what is asked at the end."""

    name: str
    units: tuple[Unit, ...]
    questions: tuple[Question, ...]

    def stale(self) -> set[int]:
        """The places of the told values that a later session ended."""
        told = [place for place, unit in enumerate(self.units) if unit.operation in ("add", "update")]
        return {place for place in told if any(later.ends(self.units[place]) for later in self.units[place + 1 :])}


def users(folder: Path) -> list[User]:
    """The users of every file; questions that ask for nothing are left out."""
    return [_user(row) for path in sorted(folder.glob("memora/*.jsonl.gz")) for row in read_lines(path)]


def _user(row: dict[str, Any]) -> User:
    units = (
        Unit(
            int(unit["session"]),
            datetime.fromisoformat(f"{unit['date']}T09:00:00").replace(tzinfo=UTC),
            *(unit[name] for name in ("text", "operation", "kind", "key", "old")),
        )
        for unit in row["units"]
    )
    asked = (
        Question(one["task"], one["question"], _values(one["present"]), _values(one["absent"]))
        for one in row["questions"]
    )
    return User(row["persona"], tuple(units), tuple(question for question in asked if question.present))


def _values(rows: Iterable[Sequence[Any]]) -> tuple[tuple[str, int], ...]:
    return tuple((str(value), int(session)) for value, session in rows)


def tasks(folder: Path, *, quick: bool) -> list[Callable[[], Tally]]:
    """Each user with the judge and without; quick takes the first user."""
    found = list(enumerate(users(folder)))[: 1 if quick else None]
    judged = [partial(measure, user, half(place), judge) for place, user in found for judge in ("auto", "off")]
    return [*judged, *(partial(measure_floor, user, half(place)) for place, user in found)]


def measure(user: User, which: str, judge: str) -> Tally:
    """Tell everything, look at what is still active, then ask everything."""
    tally, way = Tally(), _ON if judge == "auto" else _OFF
    with stage(judge=judge) as told:
        packaged().embed([unit.text for unit in user.units])
        retired_by: dict[str, str] = {}
        for place, unit in enumerate(user.units):
            outcome = told.tell(str(place), unit.text, at=unit.at, session=str(unit.session))
            retired_by |= {memory.id: unit.text for memory in outcome.superseded}
        stale = user.stale()
        for place, unit in enumerate(user.units):
            if str(place) not in told.made:  # quarantined: it never came to count
                tally.add(f"{way}/quarantined", which, 1)
                continue
            tally.add(f"{way}/quarantined", which, 0)
            gone = not _active(told, str(place))
            tally.add(f"{way}/{'stale' if place in stale else 'live'} retired", which, gone)
            if place not in stale:
                tally.add(f"{way}/{'keyed' if unit.key is not None else 'unkeyed'} live retired", which, gone)
            if gone is not (place in stale):
                wrong = "live, retired" if gone else "stale, kept"
                by = next((retired_by[one.id] for one in told.made[str(place)] if one.id in retired_by), None)
                case = {"section": "memora", "way": way, "wrong": wrong, "text": unit.text, "key": unit.key}
                tally.cases.append(case | {"by": by})
        for question in user.questions:
            found = told.recall(question.text, _LIMIT)
            shown = {int(place) for one in found for place in told.keys(one.memory)}
            score(tally, way, which, question, user.units, shown)
    return tally


def measure_floor(user: User, which: str) -> Tally:
    """The questions asked of plain BM25 over everything that was told."""
    tally, plain = Tally(), PlainBm25([unit.text for unit in user.units])
    for question in user.questions:
        score(tally, _FLOOR, which, question, user.units, set(plain.best(question.text, _LIMIT)))
    return tally


def _active(told: Stage, key: str) -> bool:
    return any(memory.status == "active" for memory in told.now(told.made[key]))


def score(
    tally: Tally, way: str, which: str, question: Question, units: Sequence[Unit], shown: AbstractSet[int]
) -> None:
    """FAMA: the share of present values shown, less the share of absent ones, weighted by how many there are.

    A present value is shown by any unit of its session, an absent one by a unit that asserted it.
    """
    sessions = {units[place].session for place in shown}
    asserted = {units[place].key for place in shown if units[place].operation in ("add", "update")}
    recall = sum(session in sessions for _, session in question.present) / len(question.present)
    absent = [value in asserted for value, _ in question.absent]
    # λ · share = absent / (present + absent) · shown / absent
    penalty = sum(absent) / (len(question.present) + len(absent))
    tally.add(f"{way}/{question.task}/FAMA", which, max(0.0, recall - penalty))
    tally.add(f"{way}/{question.task}/recall", which, recall)
    tally.add(f"{way}/{question.task}/absent", which, sum(absent), len(absent))


def lines(tally: Tally) -> list[Line]:
    """What is retired, then what comes back, with the judge; beside it what is without."""
    found = [
        share(
            "stale statements retired",
            f"{_ON}/stale retired",
            Target("≥", 0.60),
            beside=_beside(tally, "stale retired"),
        ),
        share(
            "live statements retired", f"{_ON}/live retired", Target("≤", 0.02), beside=_beside(tally, "live retired")
        ),
        share("… of those with a key", f"{_ON}/keyed live retired", beside=_beside(tally, "keyed live retired")),
        share(
            "… of those without, whose end is not labelled",
            f"{_ON}/unkeyed live retired",
            beside=_beside(tally, "unkeyed live retired"),
        ),
        share("statements quarantined", f"{_ON}/quarantined", beside=_beside(tally, "quarantined")),
    ]
    for task, name in _TASKS.items():
        for measure_, label in (
            ("FAMA", f"FAMA at {_LIMIT}"),
            ("recall", f"recall at {_LIMIT}"),
            ("absent", f"stale values in the best {_LIMIT}"),
        ):
            target = _TARGETS.get(task) if measure_ == "FAMA" else None
            beside = _beside(tally, f"{task}/{measure_}")
            found.append(share(f"{name}: {label}", f"{_ON}/{task}/{measure_}", target, beside=beside))
    return [line for line in found if tally.count(line.counted)]


def _beside(tally: Tally, measure_: str) -> str:
    values = ((way, tally.mean(f"{way}/{measure_}")) for way in (_OFF, _FLOOR))
    return ", ".join(f"{way} {written(value, '%')}" for way, value in values if value is not None)
