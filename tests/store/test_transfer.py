"""Export and import: everything comes along, nothing half-way, and what was purged stays out."""

from __future__ import annotations

import base64
import contextlib
import json
import resource
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ebbing
from ebbing import Conflict, Engine, EventKind, Imported, Invalid, Memory, Scope, Status, Unavailable
from ebbing.domain.policy.loader import load
from ebbing.operations.transfer import export, import_
from ebbing.ports import NewEvent, View
from ebbing.testing import FakeEmbedder, FrozenClock, in_memory
from tests.properties import examples
from tests.stopping import Stopped, stopping

OpenEngine = Callable[..., Engine]
Line = dict[str, Any]
IMPORTED = load().trust.of("import")


def lines_of(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n")[:-1]]


def of_kind(lines: list[Line], kind: str) -> list[Line]:
    return [line for line in lines if line["kind"] == kind]


def exported(engine: Engine, path: Path) -> list[Line]:
    engine.export(path)
    return lines_of(path)


def write(path: Path, lines: list[Line]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def content(lines: list[Line]) -> list[Line]:
    """What an import must bring along unchanged: everything but the header, salts, import events and the count."""
    kept = [line for line in lines if line["kind"] not in ("header", "salt", "end")]
    return [line for line in kept if line.get("event") != "imported"]


def everything(engine: Engine) -> list[Memory]:
    return engine.list(status=[str(status) for status in Status], limit=1000)


def strip(memory: Memory) -> dict[str, Any]:
    plain = memory.to_dict()
    del plain["owner"]
    return plain


def live_a_while(open_engine: OpenEngine, clock: FrozenClock, owner: str) -> Engine:
    """An owner with something of every kind: all statuses but quarantine, agents, days, tombstones, a lifted one."""
    engine = open_engine(owner)
    engine.remember("The office is in Oslo", subject="office", attribute="city", importance=0.9)
    engine.remember("The office is in Bergen", subject="office", attribute="city", importance=0.9, tags=["move"])
    engine.remember("Logs are kept for 30 days", category="tool_output", scope="/ops/logs", metadata={"n": [1, {}]})
    engine.remember("Peanut allergy", pinned=True, source="document", session="s1")
    engine.remember("The cache is warm in the morning", category="observation", importance=0.2)
    engine.remember("Retrying twice is enough", category="strategy")
    gone = engine.remember("A secret nobody should keep").memories[0]
    lifted = engine.remember("A secret that was one").memories[0]
    engine.remember_many(["Twice said", "Twice said", "Twice said"])
    open_engine(owner, "scout").remember("Only the scout knows", visibility="private", expires_in="40d")
    open_engine(owner, embedder=None).remember("Nobody embedded this")
    for _ in range(25):
        clock.advance(days=2)
        engine.recall("where is the office?", session="daily")
    engine.purge(ids=gone.id)
    engine.lift(engine.purge(ids=lifted.id).tombstones[0])
    engine.sweep()
    engine.forget(query="twice said", limit=1, reason="it was said often enough")
    engine.restore(engine.list(status="archived", limit=1)[0].id)
    assert {memory.status for memory in everything(engine)} == set(Status) - {Status.QUARANTINED}
    return engine


@pytest.fixture
def open_elsewhere(clock: FrozenClock, tmp_path: Path) -> Iterator[OpenEngine]:
    """Engines on another store, where an owner of the same name may live."""
    opened: list[Engine] = []

    def open_(owner: str = "default", agent: str | None = None, **given: Any) -> Engine:
        given = {"clock": clock, "embedder": FakeEmbedder(), "judge": "off", **given}
        opened.append(ebbing.open(str(tmp_path / "elsewhere.db"), owner=owner, agent=agent, **given))
        return opened[-1]

    yield open_
    for engine in opened:
        engine.close()


def test_an_export_brought_into_an_empty_store_says_the_same(
    open_engine: OpenEngine, open_elsewhere: OpenEngine, clock: FrozenClock, tmp_path: Path
) -> None:
    """Rows, vectors, days, tombstones and the log in its order; besides, one event for each memory."""
    source, target = live_a_while(open_elsewhere, clock, "source"), open_engine("source")
    first = exported(source, tmp_path / "first.jsonl")
    brought = target.import_(tmp_path / "first.jsonl", trusted=True)
    second = exported(target, tmp_path / "second.jsonl")
    assert content(second) == content(first)
    assert brought == Imported(added=len(of_kind(first, "memory")), replaced=0, skipped=0, blocked=0)
    imported = [line["memory"] for line in second if line.get("event") == "imported"]
    assert sorted(imported) == sorted(line["id"] for line in of_kind(first, "memory"))
    assert {"salt", "day", "tombstone", "memory", "event"} <= {line["kind"] for line in first}


def test_memories_arrive_as_they_were_and_belong_to_the_new_owner(
    open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path
) -> None:
    """Only the owner differs, how far another's word is trusted, and an alarm that was early may now be later."""
    source, target = live_a_while(open_engine, clock, "source"), open_engine("target")
    source.export(tmp_path / "all.jsonl")
    target.import_(tmp_path / "all.jsonl")
    before, after = everything(source), everything(target)
    assert {memory.owner for memory in after} == {"target"}
    for memory in (*before, *after):
        assert memory.digest
    alarms = {"due_at": None, "due_day": None}
    capped = [memory.with_(trust=min(memory.trust, IMPORTED), **alarms) for memory in before]
    assert [strip(memory.with_(**alarms)) for memory in after] == [strip(memory) for memory in capped]


def test_what_is_private_stays_private(open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path) -> None:
    """An export holds every agent's memories; importing shows none of them to another."""
    live_a_while(open_engine, clock, "source").export(tmp_path / "all.jsonl")
    open_engine("target").import_(tmp_path / "all.jsonl")
    seen = {agent: {m.text for m in everything(open_engine("target", agent))} for agent in ("scout", "stranger")}
    assert seen["scout"] - seen["stranger"] == {"Only the scout knows"}
    assert seen["stranger"] < seen["scout"]


def test_an_imported_memory_is_found_just_as_before(
    open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path
) -> None:
    """Words and vectors are indexed, and strength counts the days that came along."""
    source, target = live_a_while(open_engine, clock, "source"), open_engine("target")
    source.export(tmp_path / "all.jsonl")
    target.import_(tmp_path / "all.jsonl")
    for question in ("where is the office?", "a warm morning", "allergy"):
        before = source.recall(question, include=["archived", "detached"], reinforce=False)
        after = target.recall(question, include=["archived", "detached"], reinforce=False)
        assert [(found.memory.id, found.parts, found.strength) for found in after] == [
            (found.memory.id, found.parts, found.strength) for found in before
        ]
        assert before


def test_a_sweep_forgets_the_same_after_an_import(open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path) -> None:
    """Alarms are set anew: none rings later than it would have."""
    source, target = live_a_while(open_engine, clock, "source"), open_engine("target")
    source.export(tmp_path / "all.jsonl")
    target.import_(tmp_path / "all.jsonl")
    for _ in range(30):
        clock.advance(days=1)
        for engine in (source, target):
            engine.used(engine.list(pinned=True)[0].id)
    plans = [[(action.memory.id, action.step) for action in e.sweep(dry_run=True).actions] for e in (source, target)]
    assert sorted(plans[0]) == sorted(plans[1])
    assert plans[0]


def test_history_reads_on_after_an_import(open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path) -> None:
    """The old events first, with who caused them and when; then that it was imported."""
    source, target = open_engine("source", "scout"), open_engine("target")
    memory = source.remember("The harbour freezes in January", session="walk").memories[0]
    clock.advance(days=1)
    source.pin(memory.id)
    source.export(tmp_path / "all.jsonl")
    clock.advance(days=1)
    target.import_(tmp_path / "all.jsonl")
    old, new = source.history(memory.id), target.history(memory.id)
    assert [(e.kind, e.at, e.actor, e.session, e.batch) for e in new[:-1]] == [
        (e.kind, e.at, e.actor, e.session, e.batch) for e in old
    ]
    assert (new[-1].kind, new[-1].at, new[-1].actor) == (EventKind.IMPORTED, clock.now(), None)


def test_an_imported_batch_can_still_be_undone(open_engine: OpenEngine, tmp_path: Path) -> None:
    """What was put away before the export comes back after the import, exactly."""
    source, target = open_engine("source"), open_engine("target")
    source.remember_many(["one thing", "another thing"])
    batch = source.forget(everything=True)
    source.export(tmp_path / "all.jsonl")
    target.import_(tmp_path / "all.jsonl")
    assert len(target.restore(batch=batch.id).memories) == 2
    assert len(target.list()) == 2


ODD = st.text(
    st.characters(blacklist_categories=["Cs", "Cc"]) | st.sampled_from('\n\t\u2028\u2029\x85"\\/\ufeff🧠'), max_size=40
)
NAMES = ODD.map(str.strip).filter(lambda text: text.isprintable() and text)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | ODD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ODD, inner, max_size=3),
    max_leaves=8,
)
SAID = st.fixed_dictionaries(
    {"text": ODD.map(lambda text: f"so: {text}")},
    optional={
        "tags": st.lists(NAMES, max_size=3),
        "metadata": st.dictionaries(ODD, VALUES, max_size=3),
        "importance": st.floats(0, 1),
        "scope": st.sampled_from(["/", "/a/b", "/größe 100%/日本語", '/quo"te\\']),
        "session": NAMES,
        "pinned": st.booleans(),
        "created_at": st.datetimes().filter(lambda at: at.year < 8000),
    },
)


@examples(60)
@given(said=st.lists(SAID, max_size=5))
def test_whatever_can_be_remembered_survives_the_round_trip(said: list[dict[str, Any]], tmp_path: Path) -> None:
    """Line separators, quotes, emoji, any JSON, any time: the second export says what the first said."""
    with in_memory() as source, in_memory() as target:
        source.remember_many(said)
        first = exported(source, tmp_path / "first.jsonl")
        target.import_(tmp_path / "first.jsonl", trusted=True)
        assert content(exported(target, tmp_path / "second.jsonl")) == content(first)
        alarms = {"due_at": None, "due_day": None}
        assert [m.with_(**alarms) for m in everything(target)] == [m.with_(**alarms) for m in everything(source)]


def test_an_export_sees_one_moment(open_engine: OpenEngine, tmp_path: Path) -> None:
    """What is written while it runs is not in it, neither as a memory nor as an event."""
    engine, other = open_engine(), open_engine()
    engine.remember_many([f"fact number {number}" for number in range(700)])
    told: list[tuple[int, int]] = []

    def write_meanwhile(done: int, total: int) -> None:
        told.append((done, total))
        other.remember(f"came while {done} were written")
        other.forget(ids=other.list(limit=1)[0].id)

    assert engine.export(tmp_path / "all.jsonl", progress=write_meanwhile) == 700
    lines = lines_of(tmp_path / "all.jsonl")
    assert len(of_kind(lines, "memory")) == lines[0]["memories"] == 700
    assert not any("came while" in line["text"] for line in of_kind(lines, "memory"))
    assert len(of_kind(lines, "event")) == 700
    assert told == [(500, 700), (700, 700)]


@pytest.fixture
def memory() -> Iterator[Engine]:
    """An engine with three memories; what is tested does not depend on the store."""
    with in_memory(owner="someone") as engine:
        engine.remember_many(["The sky is blue", {"text": "Grass is green", "tags": ["colour"]}, "Snow is white"])
        yield engine


@pytest.fixture
def target() -> Iterator[Engine]:
    with in_memory() as engine:
        yield engine


def test_an_export_is_private_and_leaves_nothing_beside_it(memory: Engine, tmp_path: Path) -> None:
    """It holds everything an owner ever said."""
    memory.export(tmp_path / "all.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["all.jsonl"]
    assert stat.S_IMODE((tmp_path / "all.jsonl").stat().st_mode) == 0o600


def stop(*_: int) -> None:
    raise Stopped


def test_an_export_that_is_stopped_leaves_the_older_one(memory: Engine, tmp_path: Path) -> None:
    """And nothing half-written beside it."""
    memory.export(tmp_path / "all.jsonl")
    before = (tmp_path / "all.jsonl").read_bytes()
    memory.remember("One more")
    with pytest.raises(Stopped):
        memory.export(tmp_path / "all.jsonl", progress=stop)
    assert (tmp_path / "all.jsonl").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["all.jsonl"]
    assert memory.export(tmp_path / "all.jsonl") == 4


def test_an_export_that_was_killed_is_no_obstacle(memory: Engine, tmp_path: Path) -> None:
    """What it left is swept away by the next one."""
    (tmp_path / "all.jsonl.partial").write_text("half a li")
    memory.export(tmp_path / "all.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["all.jsonl"]


def test_of_two_exports_to_one_path_one_gives_way(memory: Engine, tmp_path: Path) -> None:
    """Never is the incomplete file of one given the name by the other."""
    partial = tmp_path / "all.jsonl.partial"

    def another_begins(*_: int) -> None:
        partial.unlink()
        partial.write_text("the other's first half")

    with pytest.raises(Conflict, match="another export"):
        memory.export(tmp_path / "all.jsonl", progress=another_begins)
    assert not (tmp_path / "all.jsonl").exists()
    assert partial.read_text() == "the other's first half"


def test_an_export_never_replaces_what_is_not_one(memory: Engine, tmp_path: Path) -> None:
    """A slip of the hand must not cost a database."""
    (tmp_path / "memory.db").write_text("SQLite format 3")
    with pytest.raises(Conflict, match="is not an export"):
        memory.export(tmp_path / "memory.db")
    assert (tmp_path / "memory.db").read_text() == "SQLite format 3"
    (tmp_path / "empty").touch()
    assert memory.export(tmp_path / "empty") == 3


def test_an_export_says_where_it_cannot_write(memory: Engine, tmp_path: Path) -> None:
    """A folder, or one that is not there."""
    with pytest.raises(Invalid, match="is a folder"):
        memory.export(tmp_path)
    with pytest.raises(Invalid, match="there is no folder"):
        memory.export(tmp_path / "nowhere" / "all.jsonl")


@pytest.mark.parametrize("path", ["", "a\0b", 5, None, b"all.jsonl"])
def test_what_is_no_path_is_refused_both_ways(path: Any, memory: Engine) -> None:
    """Before anything is read or written."""
    for transfer in (memory.export, memory.import_):
        with pytest.raises(Invalid, match="is not the path of a file"):
            transfer(path)


@contextlib.contextmanager
def files_no_longer_than(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_an_export_that_finds_no_room_says_so_and_leaves_nothing(memory: Engine, tmp_path: Path) -> None:
    """The file is named, not the store."""
    memory.remember_many([f"fact number {number}" for number in range(50)])
    with files_no_longer_than(600), pytest.raises(Unavailable, match=r"all\.jsonl cannot be written"):
        memory.export(tmp_path / "all.jsonl")
    assert list(tmp_path.iterdir()) == []


Spoiling = Callable[[list[Line]], object]


def spoilt(place: int, **changes: Any) -> Spoiling:
    return lambda lines: lines[place].update(changes)


FAULTS: list[tuple[str, Spoiling, str]] = [
    ("importance", spoilt(2, importance=7), r"line 3: .*importance"),
    ("not a number", spoilt(2, importance=float("nan")), r"line 3: is not JSON: NaN"),
    ("empty text", spoilt(3, text="  "), r"line 4: text is \"  \", and must be text .*not empty"),
    ("half a character", spoilt(3, text="\ud800"), r"line 4: text is .*half characters"),
    ("NUL in metadata", spoilt(3, metadata={"a": ["\0"]}), r"line 4: .*metadata"),
    ("too long", spoilt(3, text="é" * 40_000), r"line 4: its text has 80,000 bytes and the limit is 32,768"),
    ("too many tags", spoilt(3, tags=[f"t{n}" for n in range(500)]), r"line 4: 500 tags are too many; the limit is"),
    ("a long tag", spoilt(3, tags=["t" * 300]), r"line 4: tag has 300 characters and the limit is 256"),
    ("a tag with a bell", spoilt(3, tags=["a\ab"]), r"line 4: tag .*control"),
    ("a blank tag", spoilt(3, tags=["a "]), r"line 4: tag 'a ' has blanks at an end"),
    ("much metadata", spoilt(3, metadata={"a": "b" * 99_999}), r"line 4: its metadata has 100,008 bytes and the limit"),
    ("unknown status", spoilt(3, status="asleep"), r"line 4: .*asleep"),
    ("unknown tier", spoilt(3, tier="eternal"), r"line 4: .*eternal"),
    ("bad time", spoilt(3, created_at="yesterday"), r"line 4: .*yesterday"),
    ("bad scope", spoilt(3, scope="/a/../b"), r"line 4: .*climbs"),
    ("strange id", spoilt(3, id="~ever"), r"line 4: id is \"~ever\", and must be an id"),
    ("bad source", spoilt(3, source={"kind": "user", "colour": "red"}), r"line 4: .*colour"),
    ("half an address", spoilt(3, subject="sky"), r"line 4: subject and attribute belong together"),
    ("nobody's secret", spoilt(3, visibility="private"), r"line 4: it is private, and names no agent"),
    ("vector without model", spoilt(3, fingerprint=None), r"line 4: fingerprint and vector belong together"),
    ("vector not base64", spoilt(3, vector="?"), r"line 4: vector is \"\?\", and must be finite half-precision"),
    ("vector not finite", spoilt(3, vector="AHw="), r"line 4: vector is .*finite"),
    ("short vector", spoilt(4, vector="AAAA"), r"line 5: .*half-precision"),
    ("another width", spoilt(4, vector="AAAAAA=="), r"line 5: a vector of fake-256 has 2 dimensions.*line 3 256"),
    ("unknown field", spoilt(4, mood="good"), r"line 5: it has what a memory has not: mood"),
    ("missing field", lambda lines: lines[4].pop("trust"), r"line 5: it has no trust"),
    ("unknown event", spoilt(6, event="dreamt"), r"line 7: event is \"dreamt\", and must be one of remembered"),
    ("detail not an object", spoilt(6, detail=[1]), r"line 7: detail is \[1\], and must be an object"),
    ("unknown kind", spoilt(6, kind="song"), r"line 7: kind 'song' is not one of header"),
    ("bad date", spoilt(1, date="the first"), r"line 2: date is .*ISO 8601 date"),
    (
        "a memory twice",
        lambda lines: lines[4].update(id=lines[3]["id"]),
        r"line 5: memory \w+ stands in the file twice",
    ),
    ("a line too few", lambda lines: lines.pop(3), r"line 1: it says there are 3 memories, and there are 2"),
    ("an event too few", lambda lines: lines.pop(6), r"line 8: it says there are 3 events, and there are 2"),
    ("the wrong order", lambda lines: lines.insert(4, lines.pop(5)), r"line 6: a line of kind memory cannot follow"),
    ("a second header", lambda lines: lines.insert(1, lines[0]), r"line 2: a line of kind header cannot follow"),
    ("no header", lambda lines: lines.pop(0), r"line 1: an export begins with a header, and this is none"),
    ("a list", lambda lines: lines.__setitem__(2, [1]), r"line 3: is not a JSON object"),  # type: ignore[call-overload]
    ("newer", spoilt(0, format=2, verse=1), r"line 1: format 2 was written by a newer Ebbing.*upgrade"),
    ("days backwards", lambda lines: lines.insert(2, lines[1]), r"line 3: days and their numbers must go up"),
    ("short salt", lambda lines: lines.insert(1, {"kind": "salt", "salt": "AAAA"}), r"line 2: salt is .*32 bytes"),
    (
        "bad tombstone",
        lambda lines: lines.insert(2, {"kind": "tombstone", "id": "a", "hash": "", "receipt": "b", "at": ""}),
        r"line 3: hash is \"\", and must be an id.*; at is",
    ),
]


@pytest.mark.parametrize(("spoil", "told"), [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS])
def test_a_faulty_file_is_refused_with_its_line(
    spoil: Spoiling, told: str, memory: Engine, target: Engine, tmp_path: Path
) -> None:
    """And nothing of it is written."""
    lines = exported(memory, tmp_path / "all.jsonl")
    assert [line["kind"] for line in lines] == ["header", "day", *["memory"] * 3, *["event"] * 3, "end"]
    spoil(lines)
    with pytest.raises(Invalid, match=told) as refused:
        target.import_(write(tmp_path / "spoilt.jsonl", lines))
    assert str(refused.value).count("\n") == 1  # one fault is told once
    assert_untouched(target)


def assert_untouched(engine: Engine) -> None:
    with engine.store.read(View(engine.owner, every_agent=True)) as tx:
        assert (tx.memories.count_by_status(), tx.events.page(), tx.tombstones.all(), tx.owner.active_days()) == (
            [],
            [],
            [],
            [],
        )


def test_a_file_cut_anywhere_is_refused(memory: Engine, target: Engine, tmp_path: Path) -> None:
    """Between lines or within one."""
    memory.export(tmp_path / "all.jsonl")
    whole = (tmp_path / "all.jsonl").read_bytes()
    ends = [place + 1 for place, byte in enumerate(whole) if byte == ord("\n")]
    for length in (*ends[:-1], *(end - 7 for end in ends), 0):
        (tmp_path / "cut.jsonl").write_bytes(whole[:length])
        with pytest.raises(Invalid, match="line "):
            target.import_(tmp_path / "cut.jsonl")
    assert_untouched(target)
    assert target.import_(tmp_path / "all.jsonl").added == 3


@pytest.mark.parametrize(
    ("content_", "told"),
    [
        (b"SQLite format 3\0\x10\0\x01\x01", "line 1: is not JSON"),
        (b"\xff\xfe\x00", "line 1: is not UTF-8"),
        (b'{"kind": "header"}\n' * 50, "line 1: it has no format, owner, at, memories"),
        (b"[" * 100_000, "line 1: is nested too deeply"),
        (b'{"kind": ' + b"9" * 5000 + b"}", "line 1: is not JSON: Exceeds the limit"),
    ],
)
def test_what_is_no_export_gets_one_sentence(content_: bytes, told: str, target: Engine, tmp_path: Path) -> None:
    """Not ten about its first ten lines."""
    (tmp_path / "other").write_bytes(content_)
    with pytest.raises(Invalid, match=told) as refused:
        target.import_(tmp_path / "other")
    assert str(refused.value).count("line ") == 1


def test_faults_are_told_together_but_not_without_end(target: Engine, tmp_path: Path) -> None:
    """Ten of them, each with its line."""
    with in_memory() as source:
        source.remember_many([f"fact {number}" for number in range(30)])
        lines = exported(source, tmp_path / "all.jsonl")
    for line in of_kind(lines, "memory"):
        line["tokens"] = -1
    with pytest.raises(Invalid) as refused:
        target.import_(write(tmp_path / "spoilt.jsonl", lines))
    told = str(refused.value).splitlines()
    assert told[0].endswith("spoilt.jsonl cannot be imported; nothing was written:")
    assert [line.split(":")[0] for line in told[1:-1]] == [f"  - line {number}" for number in range(3, 13)]
    assert "perhaps more" in told[-1]


def test_vectors_must_have_the_width_of_those_stored_here(open_engine: OpenEngine, tmp_path: Path) -> None:
    """Two widths under one fingerprint could not be compared."""
    source = open_engine("source", embedder=FakeEmbedder(dimensions=32, fingerprint="one name"))
    source.remember("The sky is blue")
    source.export(tmp_path / "all.jsonl")
    target = open_engine("target", embedder=FakeEmbedder(dimensions=64, fingerprint="one name"))
    target.remember("Grass is green")
    with pytest.raises(Invalid, match="line 3: a vector of one name has 32 dimensions, and those stored here have 64"):
        target.import_(tmp_path / "all.jsonl")
    assert len(target.list()) == 1


def test_what_is_not_there_or_no_file_cannot_be_imported(target: Engine, tmp_path: Path) -> None:
    """The path is named."""
    for path in (tmp_path / "nowhere.jsonl", tmp_path, tmp_path / "a" / "b"):
        with pytest.raises(Invalid, match=f"{path} is not a file to import"):
            target.import_(path)


def test_a_vector_that_was_lost_is_told_as_none(tmp_path: Path, target: Engine) -> None:
    """What can still be read of a damaged store can be brought into a sound one."""
    with in_memory() as source:
        kept = source.remember("The sky is blue").memories[0]
        with source.store.write(View("default")) as tx:
            tx.memories.add([kept.with_(id="lost")], {})
        lines = of_kind(exported(source, tmp_path / "all.jsonl"), "memory")
    assert {line["id"]: line["fingerprint"] for line in lines} == {kept.id: "fake-256", "lost": None}
    assert target.import_(tmp_path / "all.jsonl").added == 2
    assert target.reembed() == 1


def test_a_vector_is_written_in_half_precision(memory: Engine, tmp_path: Path) -> None:
    """As it is stored, so nothing is lost and nothing is made up."""
    line = of_kind(exported(memory, tmp_path / "all.jsonl"), "memory")[0]
    vector = np.frombuffer(base64.b64decode(line["vector"]), dtype="<f2")
    with memory.store.read(View("someone")) as tx:
        assert np.array_equal(vector.astype(np.float32), tx.index.vectors([line["id"]])[line["id"]])
    assert len(vector) == 256


# What stands already


@pytest.fixture
def diverged(open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path) -> tuple[Engine, Path, Memory]:
    """An owner whose memory has changed here since it was exported and has been edited in the file."""
    engine = open_engine()
    memory = engine.remember("The sky is blue", importance=0.4).memories[0]
    lines = exported(engine, tmp_path / "all.jsonl")
    [line] = of_kind(lines, "memory")
    line |= {"text": "The sky is grey", "importance": 0.6, "tags": ["weather"]}
    clock.advance(days=1)
    return engine, write(tmp_path / "edited.jsonl", lines), memory


def test_skip_leaves_what_stands(diverged: tuple[Engine, Path, Memory]) -> None:
    """Row and history."""
    engine, path, memory = diverged
    before = engine.history(memory.id)
    assert engine.import_(path) == Imported(added=0, replaced=0, skipped=1, blocked=0)
    assert engine.get(memory.id) == memory
    assert engine.history(memory.id) == before


def test_overwrite_puts_the_files_in_its_place(diverged: tuple[Engine, Path, Memory]) -> None:
    """Text, words and vector too; the history it has goes on."""
    engine, path, memory = diverged
    engine.pin(memory.id)
    before = engine.history(memory.id)
    assert engine.import_(path, "overwrite", trusted=True) == Imported(added=0, replaced=1, skipped=0, blocked=0)
    now = engine.get(memory.id)
    assert (now.text, now.importance, now.tags, now.pinned) == ("The sky is grey", 0.6, ("weather",), False)
    assert engine.recall("grey", reinforce=False)[0].parts["lexical"] > 0
    assert all(found.parts["lexical"] == 0 for found in engine.recall("blue", reinforce=False))
    after = engine.history(memory.id)
    assert after[: len(before)] == before
    assert [event.kind for event in after[len(before) :]] == [EventKind.IMPORTED]
    assert after[-1].detail["replaced"] is True
    assert engine.import_(path, "overwrite", trusted=True) == Imported(added=0, replaced=0, skipped=1, blocked=0)


def test_overwrite_follows_the_file_from_one_side_to_the_other(open_engine: OpenEngine, tmp_path: Path) -> None:
    """A memory put away since comes back to where the file has it, and the other way round."""
    engine = open_engine()
    ids = [memory.id for memory in engine.remember_many(["The sky is blue", "Grass is green"]).memories]
    engine.forget(ids=ids[1])
    engine.export(tmp_path / "all.jsonl")
    engine.forget(ids=ids[0])
    engine.restore(ids[1])
    assert engine.import_(tmp_path / "all.jsonl", "overwrite", trusted=True).replaced == 2
    assert [engine.get(id_).status for id_ in ids] == [Status.ACTIVE, Status.FORGOTTEN]
    assert [found.memory.id for found in engine.recall("sky grass", reinforce=False)] == ids[:1]
    assert all(finding.ok for finding in engine.store.check())


def test_fail_refuses_the_whole_file_before_anything_is_written(diverged: tuple[Engine, Path, Memory]) -> None:
    """The newcomer in it is not written either."""
    engine, path, memory = diverged
    lines = lines_of(path)
    newcomer = {**of_kind(lines, "memory")[0], "id": "newcomer"}
    lines[0]["memories"] = 2
    write(path, [*lines[:2], newcomer, *lines[2:]])
    with pytest.raises(Conflict, match=rf"stand here already and differ, 1 in all \({memory.id}\)"):
        engine.import_(path, "fail")
    assert everything(engine) == [memory]
    assert engine.import_(path, "skip") == Imported(added=1, replaced=0, skipped=1, blocked=0)


def test_what_stands_just_so_is_no_conflict(open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path) -> None:
    """The same file again, and a third time, changes nothing and writes no event."""
    live_a_while(open_engine, clock, "source").export(tmp_path / "all.jsonl")
    target = open_engine("target")
    count = target.import_(tmp_path / "all.jsonl", "fail").added
    before = content(exported(target, tmp_path / "before.jsonl"))
    for choice in ("fail", "overwrite", "skip"):
        assert target.import_(tmp_path / "all.jsonl", choice) == Imported(0, 0, count, 0)
    assert content(exported(target, tmp_path / "after.jsonl")) == before


def test_another_choice_is_refused(target: Engine, tmp_path: Path) -> None:
    """With the ones there are."""
    with pytest.raises(Invalid, match="on_conflict 'merge' is not one of skip, overwrite, fail"):
        target.import_(tmp_path / "nowhere", "merge")


# What was purged


def test_what_was_purged_here_stays_out(open_engine: OpenEngine, tmp_path: Path) -> None:
    """Under whatever id it comes, and its events too."""
    source, target = open_engine("source"), open_engine("target")
    secret = source.remember("The code is 4711").memories[0]
    source.remember("The sky is blue")
    source.export(tmp_path / "all.jsonl")
    target.purge(ids=target.remember("the code is 4711!").memories[0].id)
    assert target.import_(tmp_path / "all.jsonl") == Imported(added=1, replaced=0, skipped=0, blocked=1)
    assert [memory.text for memory in everything(target)] == ["The sky is blue"]
    with target.store.read(View("target")) as tx:
        assert tx.events.of_memory(secret.id) == []


def test_a_file_cannot_hide_what_was_purged(open_engine: OpenEngine, tmp_path: Path) -> None:
    """The digest that tombstones are compared with is taken from the text, not from the file."""
    source, target = open_engine("source"), open_engine("target")
    source.remember("The code is 4711")
    lines = exported(source, tmp_path / "all.jsonl")
    assert "digest" not in of_kind(lines, "memory")[0]
    of_kind(lines, "memory")[0]["digest"] = "00"
    target.purge(ids=target.remember("The code is 4711").memories[0].id)
    with pytest.raises(Invalid, match="digest"):
        target.import_(write(tmp_path / "forged.jsonl", lines))


def test_what_was_made_out_of_something_purged_stays_out_too(open_engine: OpenEngine, tmp_path: Path) -> None:
    """A summary says what it was made from; and a summary of that summary."""
    source, target = open_engine("source"), open_engine("target")
    secret = source.remember("The code is 4711").memories[0]
    other = source.remember("The sky is blue").memories[0]
    with source.store.write(View("source")) as tx:
        first = made_from(secret, other, id="summary-1")
        tx.memories.add([first, made_from(first, id="summary-2"), made_from(other, id="summary-3")], {})
    source.export(tmp_path / "all.jsonl")
    target.purge(ids=target.remember("The code is 4711").memories[0].id)
    assert target.import_(tmp_path / "all.jsonl") == Imported(added=2, replaced=0, skipped=0, blocked=3)
    assert {memory.id for memory in everything(target)} == {other.id, "summary-3"}


def made_from(*sources: Memory, id: str) -> Memory:
    return sources[0].with_(
        id=id,
        text=f"In short: {id}",
        digest=id,
        fingerprint=None,
        derived_from=tuple(memory.id for memory in sources),
        compaction_depth=1 + max(memory.compaction_depth for memory in sources),
    )


def test_tombstones_come_along(open_engine: OpenEngine, tmp_path: Path) -> None:
    """What was purged there cannot be learned here; lifting it here allows it, also after the same import."""
    source, target = open_engine("source"), open_engine("target")
    tombstone = source.purge(ids=source.remember("The code is 4711").memories[0].id).tombstones[0]
    source.export(tmp_path / "all.jsonl")
    target.import_(tmp_path / "all.jsonl", tombstones=True)
    assert target.remember("The code is 4711").skipped
    target.lift(tombstone)
    target.import_(tmp_path / "all.jsonl", tombstones=True)
    assert target.remember("The code is 4711").memories


def test_a_tombstone_in_the_file_does_not_block_what_stood_beside_it(open_engine: OpenEngine, tmp_path: Path) -> None:
    """One of two memories with the same text was purged; the other is still there, and comes along, twice asked."""
    source, target = open_engine("source"), open_engine("target")
    purged = source.remember("The code is 4711", scope="/a").memories[0]
    stayed = source.remember("The code is 4711", scope="/b").memories[0]
    source.purge(ids=purged.id)
    source.export(tmp_path / "all.jsonl")
    assert target.import_(tmp_path / "all.jsonl").added == 1
    assert target.import_(tmp_path / "all.jsonl").skipped == 1
    assert target.get(stayed.id).scope == Scope("/b")


def test_what_was_purged_here_does_not_come_back_from_where_it_went(open_engine: OpenEngine, tmp_path: Path) -> None:
    """The other has the tombstone by now, and still the memory: it stays out here."""
    here, there = open_engine("here"), open_engine("there")
    gone = here.remember("The code is 4711").memories[0]
    here.remember("We migrate in May")
    here.export(tmp_path / "before.jsonl")
    there.import_(tmp_path / "before.jsonl")
    here.purge(ids=gone.id)
    here.export(tmp_path / "after.jsonl")
    there.import_(tmp_path / "after.jsonl")
    there.export(tmp_path / "back.jsonl")
    back = here.import_(tmp_path / "back.jsonl")
    assert (back.added, back.blocked) == (0, 1)
    assert [one.text for one in here.list()] == ["We migrate in May"]


def test_what_stands_here_is_not_blocked_by_a_purge_beside_it(open_engine: OpenEngine, tmp_path: Path) -> None:
    """It was kept when its twin was purged; an older file may still not change it."""
    engine = open_engine()
    purged = engine.remember("The code is 4711", scope="/a").memories[0]
    stayed = engine.remember("The code is 4711", scope="/b").memories[0]
    engine.export(tmp_path / "all.jsonl")
    engine.purge(ids=purged.id)
    assert engine.import_(tmp_path / "all.jsonl") == Imported(added=0, replaced=0, skipped=1, blocked=1)
    engine.pin(stayed.id)
    assert engine.import_(tmp_path / "all.jsonl", "overwrite") == Imported(added=0, replaced=0, skipped=0, blocked=2)
    assert everything(engine) == [engine.get(stayed.id)]
    assert engine.get(stayed.id).pinned


def test_a_purge_elsewhere_is_not_the_history_of_what_stands_here(open_engine: OpenEngine, tmp_path: Path) -> None:
    """The memory was purged there and not here: here it lives on, and its history says nothing else."""
    source, target = open_engine("source"), open_engine("target")
    memory = source.remember("The code is 4711").memories[0]
    source.export(tmp_path / "before.jsonl")
    target.import_(tmp_path / "before.jsonl")
    source.purge(ids=memory.id)
    source.export(tmp_path / "after.jsonl")
    before = target.history(memory.id)
    target.import_(tmp_path / "after.jsonl")
    assert target.history(memory.id) == before


# Days


def test_days_are_counted_as_the_new_owner_counts_them(
    open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path
) -> None:
    """An owner with days of its own keeps them, and what comes in ages by those."""
    target, source = open_engine("target"), open_engine("source")
    target.remember("The target was used on this day alone")
    for _ in range(10):
        source.remember(f"Said on {clock.now().date()}")
        clock.advance(days=1)
    source.export(tmp_path / "all.jsonl")
    target.import_(tmp_path / "all.jsonl")
    with target.store.read(View("target")) as tx:
        assert len(tx.owner.active_days()) == 1
        expected = {memory.id: tx.owner.active_day_at(memory.created_at) for memory in everything(target)}
    assert {memory.id: memory.created_day for memory in everything(target)} == expected
    assert len(set(expected.values())) == 1


def test_a_count_of_days_that_a_wrong_clock_made_comes_along_as_it_is(
    open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path
) -> None:
    """Where the days come along the counters do: counting them again would give another strength."""
    source, target = open_engine("source"), open_engine("target")
    for _ in range(5):
        source.remember(f"Said on {clock.now().date()}")
        clock.advance(days=1)
    clock.advance(days=-4)
    source.remember("Said while the clock was behind")
    source.export(tmp_path / "all.jsonl")
    target.import_(tmp_path / "all.jsonl", trusted=True)
    assert [memory.created_day for memory in everything(target)] == [m.created_day for m in everything(source)]
    behind = next(memory for memory in everything(target) if "behind" in memory.text)
    with target.store.read(View("target")) as tx:
        assert behind.created_day > tx.owner.active_day_at(behind.created_at)


def test_an_import_is_no_day_of_use(open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path) -> None:
    """A restored backup must not age what it brings."""
    source, target = open_engine("source"), open_engine("target")
    source.remember("The sky is blue", importance=0.5)
    source.export(tmp_path / "all.jsonl")
    clock.advance(days=30)
    target.import_(tmp_path / "all.jsonl")
    assert target.stats().days_of_use == 1
    [found] = target.recall("sky", reinforce=False)
    assert found.strength == 0.5


def test_a_category_that_the_policy_does_not_name_is_kept(memory: Engine, target: Engine, tmp_path: Path) -> None:
    """It fades as the default category does."""
    lines = exported(memory, tmp_path / "all.jsonl")
    for line in of_kind(lines, "memory"):
        line["category"] = "folklore"
    target.import_(write(tmp_path / "other.jsonl", lines))
    assert {m.category for m in target.list()} == {"folklore"}
    assert {m.due_day for m in target.list()} == {m.due_day for m in memory.list()} != {None}
    assert target.recall("sky")


# Stopped halfway


@pytest.fixture(scope="module")
def long_export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More memories than one transaction takes, more events than one takes, and the thousandth event among twins."""
    path = tmp_path_factory.mktemp("long") / "all.jsonl"
    with in_memory() as source:
        ids = [memory.id for memory in source.remember_many([f"fact number {n} of many" for n in range(550)]).memories]
        source.used(ids[:430])
        with source.store.write(View("default")) as tx:
            tx.events.record(
                [NewEvent(EventKind.REINFORCED, ids[7], "used")] * 250, at=source.clock.now(), batch="twins"
            )
        source.used(ids, session="another")
        source.purge(ids=source.remember("a secret").memories[0].id)
        events = of_kind(exported(source, path), "event")
    assert len(events) > 1500
    assert events[990] == events[1010]
    return path


@pytest.mark.parametrize(
    ("choice", "writes"), [*(("skip", writes) for writes in range(6)), ("overwrite", 2), ("overwrite", 4), ("fail", 4)]
)
def test_an_import_stopped_anywhere_can_be_run_again(
    choice: str, writes: int, long_export: Path, tmp_path: Path
) -> None:
    """It ends as if it had never been stopped: nothing is missing, nothing is there twice."""
    with in_memory() as target:
        with pytest.raises(Stopped) if writes < 5 else contextlib.nullcontext():
            stopping(target, writes).import_(long_export, choice, trusted=True)
        again = target.import_(long_export, choice, trusted=True)
        assert again.added + again.skipped == 550
        lines = exported(target, tmp_path / "again.jsonl")
    assert content(lines) == content(lines_of(long_export))
    assert len([line for line in lines if line.get("event") == "imported"]) == 550


def test_progress_counts_memories_up_to_all_of_them(long_export: Path, target: Engine) -> None:
    """A page at a time."""
    told: list[tuple[int, int]] = []
    target.import_(long_export, progress=lambda done, of: told.append((done, of)))
    assert told == [(500, 550), (550, 550)]


def test_an_import_does_not_touch_another_owner(open_engine: OpenEngine, tmp_path: Path) -> None:
    """Ids are an owner's own: the same one may stand beside it."""
    source, target = open_engine("source"), open_engine("target")
    memory = source.remember("The sky is blue").memories[0]
    source.export(tmp_path / "all.jsonl")
    target.import_(tmp_path / "all.jsonl")
    target.purge(ids=memory.id)
    assert source.get(memory.id) == memory
    assert source.recall("sky")


# What may not come in


@pytest.mark.parametrize(
    "text",
    ["zero\u200bwidth", "a bell\a", "turned\u202eround", "a return\r\nhere", " blanks at an end ", "\u200b\u2060"],
)
def test_a_text_that_could_not_be_remembered_is_refused_with_its_line(
    text: str, memory: Engine, target: Engine, tmp_path: Path
) -> None:
    """A file is no way around the gate."""
    lines = exported(memory, tmp_path / "all.jsonl")
    lines[3]["text"] = text
    path = write(tmp_path / "spoilt.jsonl", lines)
    view = View("default", every_agent=True)
    with pytest.raises(Invalid, match=r"line 4: .*text") as refused:
        import_(path, store=target.store, view=view, policy=target.policy, now=target.clock.now())
    assert str(refused.value).count("\n") == 1
    assert_untouched(target)


def test_the_engine_has_texts_looked_at_by_the_gate(memory: Engine, target: Engine, tmp_path: Path) -> None:
    """Only the engine reaches the verbs."""
    lines = exported(memory, tmp_path / "all.jsonl")
    lines[3]["text"] = "zero\u200bwidth"
    with pytest.raises(Invalid, match="line 4"):
        target.import_(write(tmp_path / "spoilt.jsonl", lines))


# Whose word it is


@pytest.mark.parametrize("owner", ["someone", "default"])
def test_nobodys_word_is_worth_more_for_having_been_carried(owner: str, memory: Engine, tmp_path: Path) -> None:
    """A header that names this owner proves nothing; only who imports can say that the backup is their own."""
    lines = exported(memory, tmp_path / "all.jsonl")
    of_kind(lines, "memory")[-1]["trust"] = 0.2
    path = write(tmp_path / "other.jsonl", lines)
    with in_memory(owner=owner) as target:
        target.import_(path)
        assert [m.trust for m in everything(target)] == [IMPORTED, IMPORTED, 0.2]
        assert target.import_(path, "fail").skipped == 3
    with in_memory(owner=owner) as target:
        target.import_(path, trusted=True)
        assert [m.trust for m in everything(target)] == [1.0, 1.0, 0.2]


# What is met here


OSLO, BERGEN = "The office is in Oslo", "The office is in Bergen"
OFFICE = {"subject": "office", "attribute": "city"}


def only(engine: Engine, text: str) -> Memory:
    return next(memory for memory in everything(engine) if memory.text == text)


def last_event(engine: Engine, memory: Memory) -> tuple[EventKind, Any]:
    event = engine.history(memory.id)[-1]
    return event.kind, event.detail.get("by")


@pytest.mark.parametrize("newer", ["file", "here"])
def test_at_an_address_the_newer_value_wins(
    newer: str, open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path
) -> None:
    """Whichever side it comes from; the older is history and says what it gave way to, and can be brought back."""
    source, target = open_engine("source"), open_engine("target")
    first, second = (target, source) if newer == "file" else (source, target)
    first.remember(OSLO, trust=IMPORTED, **OFFICE)
    clock.advance(days=1)
    second.remember(BERGEN, trust=IMPORTED, **OFFICE)
    source.export(tmp_path / "all.jsonl")
    assert target.import_(tmp_path / "all.jsonl").added == 1
    oslo, bergen = only(target, OSLO), only(target, BERGEN)
    assert (oslo.status, oslo.superseded_by, oslo.valid_until) == (Status.SUPERSEDED, bergen.id, clock.now())
    assert bergen.status is Status.ACTIVE
    event = target.history(oslo.id)[-1]
    assert event.kind is EventKind.SUPERSEDED
    expected = {"was": "active", "was_valid_until": None, "by": bergen.id}
    assert {name: event.detail[name] for name in expected} == expected
    for choice in ("skip", "fail", "overwrite"):
        assert target.import_(tmp_path / "all.jsonl", choice) == Imported(0, 0, 1, 0)
    assert target.restore(batch=event.batch).memories[0].id == oslo.id
    assert only(target, OSLO).status is Status.ACTIVE


@pytest.mark.parametrize("older", [{"pinned": True, "trust": 0.3}, {"trust": 0.9}], ids=["pinned", "trusted more"])
def test_what_may_not_be_overwritten_is_contested(
    older: dict[str, Any], open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path
) -> None:
    """Both stay and both say so; a second import adds nothing to it."""
    source, target = open_engine("source"), open_engine("target")
    target.remember(OSLO, **OFFICE, **older)
    clock.advance(days=1)
    source.remember(BERGEN, **OFFICE)
    source.export(tmp_path / "all.jsonl")
    target.import_(tmp_path / "all.jsonl")
    oslo, bergen = only(target, OSLO), only(target, BERGEN)
    assert [(m.status, m.contested) for m in (oslo, bergen)] == [(Status.ACTIVE, True)] * 2
    assert last_event(target, oslo) == (EventKind.CONTESTED, bergen.id)
    assert last_event(target, bergen) == (EventKind.CONTESTED, oslo.id)
    for choice in ("skip", "fail", "overwrite"):
        assert target.import_(tmp_path / "all.jsonl", choice) == Imported(0, 0, 1, 0)


def test_a_pinned_value_that_comes_in_is_not_overwritten_by_what_stands(
    open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path
) -> None:
    """The same rule from the other side."""
    source, target = open_engine("source"), open_engine("target")
    source.remember(OSLO, pinned=True, **OFFICE)
    clock.advance(days=1)
    target.remember(BERGEN, **OFFICE)
    source.export(tmp_path / "all.jsonl")
    target.import_(tmp_path / "all.jsonl")
    assert {(m.status, m.contested) for m in everything(target)} == {(Status.ACTIVE, True)}


def test_elsewhere_or_for_another_agent_is_another_address(open_engine: OpenEngine, tmp_path: Path) -> None:
    """Another scope, another visibility, another agent's secret."""
    source, target = open_engine("source"), open_engine("target")
    source.remember(OSLO, **OFFICE)
    open_engine("source", "scout").remember("The office is in Paris", visibility="private", **OFFICE)
    source.export(tmp_path / "all.jsonl")
    target.remember(BERGEN, scope="/other", **OFFICE)
    open_engine("target", "clerk").remember("The office is in Rome", visibility="private", **OFFICE)
    assert target.import_(tmp_path / "all.jsonl").added == 2
    with target.store.read(View("target", every_agent=True)) as tx:
        found = tx.index.by_subject("office", "city")
    assert [(m.status, m.contested) for m in found] == [(Status.ACTIVE, False)] * 4


def test_a_later_backup_retires_what_it_knows_to_be_replaced(
    open_engine: OpenEngine, open_elsewhere: OpenEngine, clock: FrozenClock, tmp_path: Path
) -> None:
    """The old value stands here as it was; it is skipped, and still does not stay beside the new one."""
    source, target = open_elsewhere("someone"), open_engine("someone")
    source.remember(OSLO, **OFFICE)
    source.export(tmp_path / "before.jsonl")
    target.import_(tmp_path / "before.jsonl")
    clock.advance(days=1)
    source.remember(BERGEN, **OFFICE)
    source.export(tmp_path / "after.jsonl")
    assert target.import_(tmp_path / "after.jsonl") == Imported(added=1, replaced=0, skipped=1, blocked=0)
    assert only(target, OSLO).superseded_by == only(target, BERGEN).id
    assert [memory.text for memory in target.list()] == [BERGEN]


def test_what_stood_side_by_side_still_does(
    open_engine: OpenEngine, open_elsewhere: OpenEngine, clock: FrozenClock, tmp_path: Path
) -> None:
    """Two values that a person has yet to settle, and a text said twice: lossless, however often."""
    source, target = open_elsewhere("someone"), open_engine("someone")
    source.remember(OSLO, pinned=True, **OFFICE)
    clock.advance(days=1)
    source.remember(BERGEN, **OFFICE)
    first = source.remember("Twice said").memories[0]
    source.forget(ids=first.id)
    source.remember("Twice said")
    source.restore(first.id)
    assert len(source.list()) == 4
    lines = exported(source, tmp_path / "all.jsonl")
    assert target.import_(tmp_path / "all.jsonl", trusted=True).added == 4
    assert target.import_(tmp_path / "all.jsonl", "fail", trusted=True).skipped == 4
    assert content(exported(target, tmp_path / "again.jsonl")) == content(lines)


def test_what_another_memory_says_already_is_skipped(open_engine: OpenEngine, tmp_path: Path) -> None:
    """With its history; in another scope, tier or category, or for another agent, it is another memory."""
    source, target = open_engine("source"), open_engine("target")
    same = source.remember("The sky is blue").memories[0]
    source.remember("The sky is blue", scope="/a")
    source.remember("The sky is blue", category="preference")
    source.remember("The sky is blue", tier="episodic")
    open_engine("source", "scout").remember("The sky is blue", visibility="private")
    source.export(tmp_path / "all.jsonl")
    known = target.remember("the sky is blue.").memories[0]
    open_engine("target", "clerk").remember("The sky is blue", visibility="private")
    for choice, added in (("fail", 4), ("overwrite", 0), ("skip", 0)):
        assert target.import_(tmp_path / "all.jsonl", choice) == Imported(added, 0, 5 - added, 0)
    assert target.get(known.id) == known
    with target.store.read(View("target")) as tx:
        assert tx.events.of_memory(same.id) == []


def test_what_is_out_of_use_is_no_repetition(open_engine: OpenEngine, tmp_path: Path) -> None:
    """Said again after it was forgotten, on either side: history comes along, and what is in use comes in."""
    source, target = open_engine("source"), open_engine("target")
    source.forget(ids=source.remember("The sky is blue").memories[0].id)
    source.remember("Grass is green")
    source.export(tmp_path / "all.jsonl")
    target.remember("The sky is blue")
    target.forget(ids=target.remember("Grass is green").memories[0].id)
    assert target.import_(tmp_path / "all.jsonl").added == 2
    assert sorted(memory.text for memory in target.list()) == ["Grass is green", "The sky is blue"]


# Progress, and what an agent may take along


def test_progress_may_use_an_engine_in_memory(memory: Engine, tmp_path: Path) -> None:
    """It has one connection: nobody waits for it in vain, and what is written meanwhile is not in the file."""
    told: list[tuple[int, int]] = []

    def write_meanwhile(done: int, total: int) -> None:
        told.append((done, total))
        memory.remember(f"came while {done} were written")

    assert memory.export(tmp_path / "all.jsonl", progress=write_meanwhile) == 3
    assert told == [(3, 3)]
    lines = lines_of(tmp_path / "all.jsonl")
    assert (len(of_kind(lines, "memory")), len(of_kind(lines, "event"))) == (3, 3)
    assert len(memory.list()) == 4


def test_what_an_agent_exports_is_whole_in_itself(open_engine: OpenEngine, tmp_path: Path) -> None:
    """Its header counts what it holds, and no event tells of what the agent does not see."""
    open_engine("source", "scout").remember("Only the scout knows", visibility="private")
    clerk = open_engine("source", "clerk")
    seen = [clerk.remember("Everyone knows"), clerk.remember("Only the clerk knows", visibility="private")]
    store, view, now = clerk.store, View("source", "clerk"), clerk.clock.now()
    assert export(tmp_path / "all.jsonl", store=store, view=view, now=now) == 2
    lines = lines_of(tmp_path / "all.jsonl")
    assert {line["memory"] for line in of_kind(lines, "event")} == {said.memories[0].id for said in seen}
    assert open_engine("target").import_(tmp_path / "all.jsonl").added == 2
