"""What things are: scopes with real boundaries, memories that survive being written down, instants in UTC."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
import unicodedata
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebbing import Event, EventKind, Invalid, Memory, Scope, Source, Status, Tier, Visibility
from ebbing.domain.memory import COUNT_MAX, HARM_MAX, LATEST_YEAR, SCOPE_CHARACTERS_MAX, Lifetime, instant, storable
from tests.tables import each_row

NOW = datetime(2026, 1, 1, 9, tzinfo=UTC)

segments = st.text(
    st.characters(
        exclude_categories=("Cc", "Cf", "Cs", "Zl", "Zp"), exclude_characters="/\u115f\u1160\u2800\u3164\uffa0"
    ),
    min_size=1,
    max_size=12,
).filter(lambda part: part.strip() not in (".", "..") and any(map(str.isalnum, part)))
paths = st.lists(segments, max_size=5).map(lambda parts: "/" + "/".join(parts))
texts = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), max_size=30)
names = st.text("abc é猫", min_size=1, max_size=12)
instants = st.datetimes(datetime(1, 1, 2), datetime(LATEST_YEAR, 12, 30), timezones=st.just(UTC))  # noqa: DTZ001 - with zone
shares = st.floats(0, 1)
counts = st.integers(0, COUNT_MAX)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
several = st.lists(names, max_size=3, unique=True).map(tuple)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "id": names,
    "owner": names,
    "text": texts,
    "agent": st.none() | names,
    "visibility": st.sampled_from(Visibility),
    "scope": paths.map(Scope),
    "category": names,
    "tier": st.sampled_from(Tier),
    "status": st.sampled_from(Status),
    "importance": shares,
    "lifetime": st.none() | st.sampled_from(list(Lifetime)),
    "harm": st.integers(0, HARM_MAX),
    "held_at": st.none() | instants,
    "created_at": instants,
    "created_day": counts,
    "last_accessed_at": instants,
    "used_day": counts,
    "recall_count": counts,
    "level": shares,
    "pinned": st.booleans(),
    "contested": st.booleans(),
    "expires_at": st.none() | instants,
    "valid_from": st.none() | instants,
    "valid_until": st.none() | instants,
    "restored_at": st.none() | instants,
    "source": st.builds(Source, names, st.none() | names, st.none() | names, st.none() | names),
    "trust": shares,
    "subject": st.none() | names,
    "attribute": st.none() | names,
    "supersedes": several,
    "superseded_by": st.none() | names,
    "derived_from": several,
    "compaction_depth": counts,
    "tags": several,
    "metadata": st.dictionaries(texts, json_values, max_size=3),
    "tokens": counts,
    "digest": names,
    "fingerprint": st.none() | names,
    "due_at": st.none() | instants,
    "due_day": st.none() | counts,
}
memories = st.builds(Memory, **FIELDS)


def memory(**given_: Any) -> Memory:
    times = {"created_at": NOW, "created_day": 10, "last_accessed_at": NOW, "used_day": 10}
    return Memory(**{"id": "m1", "owner": "ada", "text": "The sea ebbs", **times, **given_})


# Scopes


@each_row(
    ("written", "scope"),
    [
        ("/", "/"),
        ("project", "/project"),
        ("/project/", "/project"),
        ("//project///api//", "/project/api"),
        (" / project / api ", "/project/api"),
        ("/project name/ü", "/project name/ü"),
        ("/e\u0301", "/é"),
        ("/.hidden/..x/a.b", "/.hidden/..x/a.b"),
        ("/猫/🐈", "/猫/🐈"),
    ],
)
def test_a_scope_is_normalised_when_it_is_made(written: str, scope: str) -> None:
    """There is no way to hold one that is not."""
    assert Scope(written) == scope


@pytest.mark.parametrize(
    "path",
    [
        "",
        " ",
        "\t",
        "\n",
        "//",
        "///",
        " / ",
        "/ /",
        "/ ",
        "\u3000",
        "\u2028",
        "\u200b",
        "\u2060",
        "/\ufeff",
        "\u3164",
        "\u2800",
        "\ufe0f",
        "/a/\u3164",
    ],
)
def test_what_names_nothing_is_not_the_root(path: str) -> None:
    """A variable that happens to be blank must not select everything: the root is written as /, and only so."""
    with pytest.raises(Invalid):
        Scope(path)


def test_no_path_is_the_root() -> None:
    """A scope that nobody names is the one that contains all."""
    assert Scope() == "/"
    assert Scope().is_root
    assert not Scope("/a").is_root


@each_row("path", ["..", "/a/../b", "/a/..", "/./a", "/ .. /a", "/a/ . "])
def test_a_scope_does_not_climb(path: str) -> None:
    """Dots would lead out of the scope somebody was given."""
    with pytest.raises(Invalid, match="climbs with dots"):
        Scope(path)


@each_row(
    "letter", ["\x00", "\n", "\x7f", "\u200b", "\u202e", "\u2028", "\u2029", "\ud800", "\U000e0041", "\ufeff", "\u00ad"]
)
def test_a_scope_holds_nothing_invisible(letter: str) -> None:
    """Two scopes that look the same are the same."""
    with pytest.raises(Invalid, match="invisible characters"):
        Scope(f"/pro{letter}ject")


@each_row("path", [None, 5, b"/a", ["a"], 1.5, True])
def test_a_scope_is_text(path: Any) -> None:
    """Anything else is told what a scope looks like."""
    with pytest.raises(Invalid, match=r"is not text; write a path such as '/project/api'"):
        Scope(path)


def test_a_scope_has_a_longest_length_and_tells_both_numbers() -> None:
    """Up to the limit, and not one character more."""
    assert len(Scope("a" * (SCOPE_CHARACTERS_MAX - 1))) == SCOPE_CHARACTERS_MAX
    with pytest.raises(Invalid, match=f"{SCOPE_CHARACTERS_MAX + 1} characters is too long; the limit is 512"):
        Scope("a" * SCOPE_CHARACTERS_MAX)
    with pytest.raises(Invalid, match="too long"):
        Scope("/a" * 100_000)


@given(paths)
def test_normalising_twice_changes_nothing(path: str) -> None:
    """A scope read back from a store or a file is the scope that was written."""
    scope = Scope(path)
    assert Scope(scope) == scope
    if not scope.is_root:
        assert Scope(f"//{scope}/") == scope


@given(paths)
def test_a_scope_is_one_text_however_its_letters_were_composed(path: str) -> None:
    """Composed or decomposed, it is the same place."""
    assert Scope(unicodedata.normalize("NFD", path)) == Scope(unicodedata.normalize("NFC", path))


@given(st.lists(segments, max_size=4), st.lists(segments, max_size=4))
def test_a_scope_contains_by_whole_segments(above: list[str], below: list[str]) -> None:
    """Exactly when its segments are the first of the other's: `/a` contains `/a/b` and never `/ab`."""
    outer, inner = Scope("/" + "/".join(above)), Scope("/" + "/".join(below))
    outer_parts = [part for part in outer.split("/") if part]
    inner_parts = [part for part in inner.split("/") if part]
    assert outer.contains(inner) == (inner_parts[: len(outer_parts)] == outer_parts)


@given(paths, segments)
def test_what_a_scope_contains(path: str, segment: str) -> None:
    """Itself and everything below; the root contains all; a longer name beside it is another place."""
    scope = Scope(path)
    below = Scope(f"{scope}/{segment}")
    assert scope.contains(scope)
    assert scope.contains(below)
    assert Scope("/").contains(below)
    assert not below.contains(scope)
    if not scope.is_root:
        assert not scope.contains(Scope(f"{scope}2"))
        assert not scope.contains(Scope(f"{scope}-2/{segment}"))


@each_row("other", ["/team-2", "/team2", "/teams", "/tea", "/", "/x/team", "/TEAM", "/team 2"])
def test_a_team_is_not_its_neighbour(other: str) -> None:
    """The mistake that emptied `/team-2` when `/team` was reset."""
    assert not Scope("/team").contains(Scope(other))


def test_a_scope_survives_copying_and_pickling() -> None:
    """It stays a scope, not merely the text of one."""
    for other in (copy.deepcopy(Scope("/a/b")), pickle.loads(pickle.dumps(Scope("/a/b")))):
        assert isinstance(other, Scope)
        assert other.contains("/a/b/c")


# Memories


@given(memories)
def test_a_memory_reads_back_from_what_it_writes(one: Memory) -> None:
    """Through real JSON, every field."""
    back = Memory.from_dict(json.loads(json.dumps(one.to_dict())))
    assert back == one
    for entry in dataclasses.fields(Memory):
        assert type(getattr(back, entry.name)) is type(getattr(one, entry.name)), entry.name


@given(memories)
def test_a_memory_is_written_in_plain_json_types(one: Memory) -> None:
    """No enum, scope, tuple or datetime is left in it: any reader of JSON or YAML can take it."""
    plain = one.to_dict()
    assert list(plain) == [entry.name for entry in dataclasses.fields(Memory)]
    assert {type(value) for value in plain.values()} <= {str, int, float, bool, list, dict, type(None)}
    assert {type(value) for value in plain["source"].values()} <= {str, type(None)}


def test_every_field_of_a_memory_is_tried_above() -> None:
    """A field added later must be in the round trip too."""
    assert set(FIELDS) == {entry.name for entry in dataclasses.fields(Memory)}


@each_row(
    "change",
    [
        {"colour": "red"},
        {"id": None},
        {"text": 5},
        {"text": "half \ud800"},
        {"text": "nul \x00"},
        {"owner": ["ada"]},
        {"agent": 5},
        {"importance": float("nan")},
        {"importance": float("inf")},
        {"importance": 1.01},
        {"importance": -0.01},
        {"importance": "high"},
        {"importance": True},
        {"importance": 10**400},
        {"lifetime": "forever"},
        {"lifetime": 3},
        {"harm": -1},
        {"harm": 4},
        {"harm": True},
        {"harm": None},
        {"trust": None},
        {"level": 2},
        {"recall_count": -1},
        {"recall_count": 1.5},
        {"recall_count": 2**63},
        {"created_day": "10"},
        {"due_day": 1.5},
        {"pinned": 1},
        {"pinned": "false"},
        {"created_at": "yesterday"},
        {"created_at": 5},
        {"created_at": None},
        {"created_at": "9999-12-31"},
        {"expires_at": "soon"},
        {"tags": "abc"},
        {"tags": [5]},
        {"tags": ["\ud800"]},
        {"supersedes": "m0"},
        {"derived_from": {"m0": 1}},
        {"metadata": [1]},
        {"metadata": "x"},
        {"metadata": {"a": float("nan")}},
        {"metadata": {"a": {"b": ["\x00"]}}},
        {"source": None},
        {"source": "user"},
        {"source": {"kind": 5}},
        {"source": {"kind": "user", "colour": "red"}},
        {"source": {"actor": 5}},
        {"scope": "/a/../b"},
        {"scope": None},
        {"status": "gone"},
        {"tier": "eternal"},
        {"visibility": "secret"},
    ],
)
def test_what_is_not_a_memory_is_refused_with_the_field_that_is_wrong(change: dict[str, Any]) -> None:
    """A file from elsewhere must not bring in what would break a rank or a store later."""
    with pytest.raises(Invalid) as caught:
        Memory.from_dict({**memory().to_dict(), **change})
    assert str(caught.value)


def test_a_source_must_have_its_right_types() -> None:
    """Who said it is text, all of it."""
    with pytest.raises(Invalid, match="source"):
        Memory.from_dict({**memory().to_dict(), "source": {"kind": "user", "session": 5}})


@each_row("plain", [None, 5, "memory", [], [("id", "m1")]])
def test_a_memory_is_an_object(plain: Any) -> None:
    """One line of an import that is something else entirely."""
    with pytest.raises(Invalid, match="this is not a memory"):
        Memory.from_dict(plain)


@each_row("name", ["id", "owner", "text", "created_at", "created_day", "last_accessed_at", "used_day"])
def test_what_a_memory_cannot_be_without_is_asked_for(name: str) -> None:
    """The sentence names it."""
    plain = memory().to_dict()
    del plain[name]
    with pytest.raises(Invalid, match=name):
        Memory.from_dict(plain)


def test_a_memory_written_by_an_older_version_gets_what_it_does_not_name() -> None:
    """Fields with a default may be missing."""
    plain = {name: memory().to_dict()[name] for name in ("id", "owner", "text", "created_at", "created_day")}
    plain |= {"last_accessed_at": plain["created_at"], "used_day": plain["created_day"]}
    assert Memory.from_dict(plain) == memory()


def test_a_memory_and_an_event_are_frozen_and_have_a_hash() -> None:
    """They can be keys and members of sets, metadata and all."""
    one = memory(metadata={"a": [1]})
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.text = "other"  # type: ignore[misc] # that it is an error is the point
    assert one.with_(pinned=True).pinned
    assert not one.pinned
    event = Event(1, NOW, EventKind.PINNED, "m1", "b1", detail={"a": 1})
    assert len({one, one.with_(), one.with_(pinned=True)}) == 2
    assert len({event, dataclasses.replace(event)}) == 1


@given(memories, memories)
def test_a_changed_memory_has_what_was_given_and_keeps_the_rest(one: Memory, other: Memory) -> None:
    """Whatever is changed, it is the memory that its constructor would have made."""
    for name in FIELDS:
        given_ = {name: getattr(other, name), "pinned": other.pinned}
        assert one.with_(**given_) == dataclasses.replace(one, **given_)


def test_a_memory_has_no_other_fields() -> None:
    """A typing mistake is an error, not a new attribute."""
    with pytest.raises(TypeError):
        memory().with_(pined=True)


def test_only_active_and_detached_memories_are_live() -> None:
    """The hot tables hold these and nothing else."""
    assert {status for status in Status if status.live} == {Status.ACTIVE, Status.DETACHED}


# Instants


@each_row(
    ("given_", "at"),
    [
        ("2026-05-31T14:00:00Z", datetime(2026, 5, 31, 14, tzinfo=UTC)),
        ("2026-05-31T14:00:00+02:00", datetime(2026, 5, 31, 12, tzinfo=UTC)),
        ("2026-05-31", datetime(2026, 5, 31, tzinfo=UTC)),
        ("2026-05-31 14:00", datetime(2026, 5, 31, 14, tzinfo=UTC)),
        (datetime(2026, 5, 31, 14), datetime(2026, 5, 31, 14, tzinfo=UTC)),  # noqa: DTZ001 - without a zone is the point
        (
            datetime(2026, 5, 31, 1, tzinfo=timezone(timedelta(hours=5, minutes=45))),
            datetime(2026, 5, 30, 19, 15, tzinfo=UTC),
        ),
    ],
)
def test_a_time_is_an_instant_in_utc(given_: str | datetime, at: datetime) -> None:
    """Without a zone it is taken as UTC; with one it is converted."""
    assert instant(given_) == at
    assert instant(given_).tzinfo is UTC


@each_row("value", ["", "yesterday", "2026-13-01", "14:00", "2026-05-31T25:00", "1767258000", "\ud800"])
def test_a_time_that_cannot_be_read_is_shown_how_to_write_one(value: str) -> None:
    """With an example to copy."""
    with pytest.raises(Invalid, match=r"write ISO 8601, such as '2026-05-31T14:00:00Z'"):
        instant(value)


@each_row("value", [None, 5, 1.5, date(2026, 5, 31), b"2026-05-31"])
def test_a_time_is_text_or_a_datetime(value: Any) -> None:
    """A number of seconds since when? A date at which hour?"""
    with pytest.raises(Invalid, match="is not a time"):
        instant(value)


@each_row(
    "value",
    [
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-12:00",
        "9999-12-31",
        "9000-01-01",
        datetime.max.replace(tzinfo=UTC),
        datetime.min.replace(tzinfo=timezone(timedelta(hours=14))),
    ],
)
def test_a_time_at_the_edge_of_the_calendar_is_refused(value: str | datetime) -> None:
    """Adding a grace period to it would leave the calendar, in every sweep, for ever."""
    with pytest.raises(Invalid, match="time"):
        instant(value)


@given(instants)
def test_an_instant_reads_back_from_its_iso_text(at: datetime) -> None:
    """To the microsecond."""
    assert instant(at.isoformat()) == at


# What every store can keep


@given(st.dictionaries(texts, json_values))
def test_json_can_be_kept(value: dict[str, Any]) -> None:
    """Everything JSON can say, short of NUL and half characters."""
    assert storable(value)
    assert json.loads(json.dumps(value, allow_nan=False)) == value


@each_row(
    "value",
    [
        "\x00",
        "a\ud800",
        "\udfff",
        float("nan"),
        float("inf"),
        b"x",
        {1: 2},
        {"a": {None: 1}},
        {"\x00": 1},
        [{"a": {1, 2}}],
        NOW,
        1j,
    ],
)
def test_what_one_of_the_stores_could_not_keep_is_known_beforehand(value: Any) -> None:
    """At any depth: PostgreSQL refuses NUL and half characters inside JSON as well."""
    assert not storable(value)
    assert not storable({"deep": [{"deeper": value}]})
