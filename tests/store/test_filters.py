"""Which memories a filter means: whole path segments, and every part that is given must hold."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebbing.domain.errors import Invalid
from ebbing.domain.ids import new_id
from ebbing.domain.memory import Memory, Scope, Status, Tier
from ebbing.engine import Engine
from ebbing.ports import Filter, Store, View
from tests.conftest import OpenEngine
from tests.properties import examples
from tests.store.making import MINE, NOW, add, found, ids, memory, question

SCOPES = (
    "/", "/a", "/a/b", "/a/b/c", "/ab", "/a b", "/a-b", "/a.b", "/a0", "/A", "/b/a", "/a%", "/a%/x", "/a_", "/a_/x",
    "/ax", "/a\\", "/a'", '/a"', "/ä", "/ä/x", "/äx", "/日本", "/日本/語", "/日本語",
    "/\N{GRINNING FACE}", "/\N{GRINNING FACE}/x",
)  # fmt: skip


def test_a_scope_contains_itself_and_what_is_below_and_nothing_beside(store: Store) -> None:
    several = {scope: memory("where is it", scope=scope) for scope in SCOPES}
    away = {scope: memory("where is it", scope=scope, status=Status.ARCHIVED) for scope in SCOPES}
    with store.write(MINE) as tx:
        add(tx, *several.values(), *away.values())
    with store.read(MINE) as tx:
        for scope in SCOPES:
            inside = {one for one in SCOPES if scope in ("/", one) or one.startswith(scope + "/")}
            page = tx.memories.page(Filter(scope=Scope(scope)), limit=1000)
            assert sorted(ids(page)) == sorted(m[one].id for one in inside for m in (several, away)), scope
            for archived, side in ((False, several), (True, away)):
                for asked in (
                    question("where is it", archived=archived, scope=Scope(scope)),
                    question(near="where is it", archived=archived, scope=Scope(scope)),
                ):
                    assert set(found(tx, asked)) == {side[one].id for one in inside}, scope


@examples(40)
@given(
    paths=st.lists(st.text(st.sampled_from("ab/%_\\ '\"é日0.-"), min_size=1, max_size=8), min_size=1, max_size=8),
    asked=st.text(st.sampled_from("ab/%_\\ '\"é日0.-"), min_size=1, max_size=5),
)
def test_scope_listing_agrees_with_scope_containment(store: Store, paths: list[str], asked: str) -> None:
    view = View(f"owner {new_id(NOW)}", every_agent=True)
    try:
        scopes = [Scope(path) for path in paths]
        wanted = Scope(asked)
    except Invalid:
        return
    several = [memory("somewhere", owner=view.owner, scope=scope) for scope in scopes]
    with store.write(view) as tx:
        add(tx, *several)
    with store.read(view) as tx:
        page = [one.scope for one in tx.memories.page(Filter(scope=wanted), limit=1000)]
    assert set(page) == {scope for scope in scopes if wanted.contains(scope)}


BASE: dict[str, Any] = {
    "scope": "/p",
    "status": Status.ACTIVE,
    "category": "fact",
    "tags": ("red", "big"),
    "tier": Tier.SEMANTIC,
    "pinned": True,
    "subject": "ada",
    "attribute": "mail",
    "created_at": NOW - timedelta(days=10),
}
OTHERWISE: dict[str, Any] = {
    "scope": "/q",
    "status": Status.DETACHED,
    "category": "decision",
    "tags": ("red",),
    "tier": Tier.EPISODIC,
    "pinned": False,
    "subject": "bob",
    "created_at": NOW,
}
FILTERS: dict[str, Any] = {
    "scope": Scope("/p"),
    "statuses": (Status.ACTIVE,),
    "categories": ("fact", "gotcha"),
    "tags": ("big", "red"),
    "tier": Tier.SEMANTIC,
    "pinned": True,
    "subject": "ada",
    "created_before": NOW - timedelta(days=5),
}
FIELD_OF = {"statuses": "status", "categories": "category", "created_before": "created_at"}


@pytest.mark.parametrize("name", FILTERS)
def test_each_filter_leaves_out_what_differs_in_just_that(store: Store, name: str) -> None:
    field = FIELD_OF.get(name, name)
    wanted, unwanted = memory("here it is", **BASE), memory("here it is", **{**BASE, field: OTHERWISE[field]})
    with store.write(MINE) as tx:
        add(tx, wanted, unwanted)
    with store.read(MINE) as tx:
        assert ids(tx.memories.page(Filter(**{name: FILTERS[name]}), limit=10)) == [wanted.id]
        assert set(found(tx, question("here", near="here it is", **{name: FILTERS[name]}))) == {wanted.id}
        without = {other: value for other, value in FILTERS.items() if other != name}
        assert len(tx.memories.page(Filter(**without), limit=10)) == 2
        assert ids(tx.memories.page(Filter(**FILTERS), limit=10)) == [wanted.id]


def test_ids_and_filters_must_hold_together(store: Store) -> None:
    one, other = memory(scope="/a"), memory(scope="/b")
    with store.write(MINE) as tx:
        add(tx, one, other)
    with store.read(MINE) as tx:
        assert ids(tx.memories.page(Filter(ids=(one.id, other.id), scope=Scope("/b")), limit=10)) == [other.id]
        assert tx.memories.page(Filter(ids=()), limit=10) == []
        assert ids(tx.memories.page(Filter(ids=("nobody", one.id)), limit=10)) == [one.id]


@pytest.mark.parametrize("status", [Status.ACTIVE, Status.ARCHIVED])
def test_tags_asked_for_must_all_be_there(store: Store, status: Status) -> None:
    tags = ["a", "b", "50%", "_", "naïve", 'q"uote', "o'clock", "日本", "A"]
    several: dict[tuple[str, ...], Memory] = {
        kept: memory("tagged", tags=kept, status=status)
        for kept in [(), *((tag,) for tag in tags), ("a", "b"), ("b", "a", "50%"), tuple(tags)]
    }
    with store.write(MINE) as tx:
        add(tx, *several.values())
    with store.read(MINE) as tx:
        for wanted in [
            ("a",),
            ("b", "a"),
            ("%",),
            ("5%",),
            ("naïve",),
            ('q"uote', "o'clock"),
            ("a", "nobody"),
            tuple(tags),
            (),
        ]:
            expected = {one.id for kept, one in several.items() if set(wanted) <= set(kept)}
            assert set(ids(tx.memories.page(Filter(tags=wanted), limit=100))) == expected, wanted
            asked = question("tagged", near="tagged", tags=wanted, archived=not status.live)
            assert set(found(tx, asked)) == expected, wanted


def test_older_than_means_strictly_before(store: Store) -> None:
    exactly = memory(created_at=NOW)
    before = memory(created_at=NOW - timedelta(microseconds=1))
    with store.write(MINE) as tx:
        add(tx, exactly, before)
    with store.read(MINE) as tx:
        assert ids(tx.memories.page(Filter(created_before=NOW), limit=10)) == [before.id]


def test_the_engine_lists_by_every_filter_it_is_given(engine: Engine) -> None:
    wanted = engine.remember(
        "The API key rotates monthly", scope="/p/api", category="decision", tags=["ops", "key"], tier="procedural",
        subject="key", attribute="rotation", pinned=True,
    ).memories[0]  # fmt: skip
    engine.remember("Lunch is at noon", scope="/p/apis", tags=["ops"])
    everything: dict[str, Any] = {
        "scope": "/p/api",
        "categories": ["decision"],
        "tags": ["key", "ops"],
        "tier": "procedural",
        "pinned": True,
        "subject": "key",
    }
    for name, value in everything.items():
        assert ids(engine.list(**{name: value})) == [wanted.id], name
    assert ids(engine.list(**everything)) == [wanted.id]
    assert ids(engine.list(scope="/p/api", tags="ops")) == [wanted.id], "one tag may be given as text"
    assert engine.list(**{**everything, "pinned": False}) == []
    assert len(engine.list(scope="/p")) == 2


def test_recall_stays_within_scope_categories_and_tags(engine: Engine) -> None:
    for scope, category, tags in (
        ("/x", "fact", ["t"]), ("/x/y", "fact", []), ("/xy", "fact", ["t"]), ("/x", "gotcha", ["t", "u"]),
    ):  # fmt: skip
        engine.remember(f"the port is open {scope} {category} {len(tags)}", scope=scope, category=category, tags=tags)

    def texts(**where: Any) -> set[str]:
        return {one.memory.text.removeprefix("the port is open ") for one in engine.recall("port", **where)}

    assert texts(scope="/x") == {"/x fact 1", "/x/y fact 0", "/x gotcha 2"}
    assert texts(categories=["gotcha"]) == {"/x gotcha 2"}
    assert texts(tags=["t"]) == {"/x fact 1", "/xy fact 1", "/x gotcha 2"}
    assert texts(tags=["t", "u"], scope="/x") == {"/x gotcha 2"}
    assert texts(tags=["u"], categories=["fact"]) == set()


def test_forget_takes_only_what_every_filter_names(open_engine: OpenEngine) -> None:
    engine = open_engine()
    wanted = engine.remember("one", scope="/a", category="fact", tags=["t"], created_at="2025-06-01").memories[0]
    beside = [
        engine.remember("two", scope="/ab", category="fact", tags=["t"], created_at="2025-06-01"),
        engine.remember("three", scope="/a", category="gotcha", tags=["t"], created_at="2025-06-01"),
        engine.remember("four", scope="/a", category="fact", tags=["u"], created_at="2025-06-01"),
        engine.remember("five", scope="/a", category="fact", tags=["t"]),
    ]
    batch = engine.forget(scope="/a", categories=["fact"], tags=["t"], older_than="30d")
    assert ids(batch.memories) == [wanted.id]
    assert {engine.get(one.memories[0].id).status for one in beside} == {Status.ACTIVE}
