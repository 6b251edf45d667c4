"""The gate: what may come in and in what form, and one clear refusal for what may not."""

from __future__ import annotations

import inspect
import json
import re
import unicodedata
from dataclasses import fields, replace
from datetime import UTC, date, datetime, timedelta
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebbing import EbbingError, Invalid, Scope, Source, Tier, TooLarge, Visibility
from ebbing.domain.memory import Lifetime, storable
from ebbing.domain.policy.loader import load
from ebbing.engine import Engine
from ebbing.remember.admit import OPTION_NAMES, NewMemoryRequest, RememberOptions, admit, admit_item
from ebbing.text.visible_text import clean_text
from tests.tables import each_row

POLICY = load()


def said(text: Any = "The sea ebbs", agent: str | None = None, **given_: Any) -> NewMemoryRequest:
    return admit(text, RememberOptions(**given_), POLICY, agent=agent)


def clean(text: str) -> str:
    return clean_text(text, POLICY.limits.text_bytes)


# The text


@each_row(
    "text",
    [
        "plain ascii",
        "two\nlines\tand a tab",
        "Grüße, naïve café — “quoted” …",
        "emoji 👩‍💻 👩🏽‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 ❤️‍🔥 1️⃣ #️⃣ ☎️ ☎︎",
        "می‌خواهم خانه‌ها را ببینم",
        "क्‍ष और क्‌ष",
        "അവന്‍ വന്നു",
        "ශ්‍රී ලංකා",
        "ক্‌ষ",
        "葛︀",
        "שָׁלוֹם مُحَمَّد",
        "🫨🪿",
        "\ue000 private",
    ],
)
def test_text_as_people_write_it_comes_in_unchanged(text: str) -> None:
    """Joiners and selectors that a script or an emoji needs are part of the writing."""
    assert clean(text) == text


@each_row(
    ("given_", "kept"),
    [
        ("a\x00b", "ab"),
        ("a\x1b[31mb\x07", "a[31mb"),
        ("a\x7f\x9fb", "ab"),
        ("ig\u200bnore", "ignore"),
        ("ig\u200cno\u200dre", "ignore"),
        ("ig\u200b\u200d\u200bnore", "ignore"),
        ("\ufeffstart", "start"),
        ("soft\u00adhyphen", "softhyphen"),
        ("evil\u202etxt.exe", "eviltxt.exe"),
        ("a\u2066b\u2069c", "abc"),
        ("a\u2060b\u2064c", "abc"),
        ("tag\U000e0041\U000e007f", "tag"),
        ("a\U000e0100\U000e01efb", "ab"),
        ("a\ufe00\ufe01\ufe02b", "ab"),
        ("❤\ufe0f\ufe01\ufe02\ufe03", "❤\ufe0f"),
        ("क\u200d\u200c\u200d\u200cक", "क\u200cक"),
        ("п\u200dа\u200cр", "пар"),
        ("a\u3164b\u115fc\uffa0d", "abcd"),
        ("a\u034fb\u180ec", "abc"),
        ("a\ufff9b\ufffbc", "abc"),
        ("👩\u200d", "👩"),
        ("\u200d👩", "👩"),
        ("  spaced  ", "spaced"),
        ("line\r\nline\rline", "line\nline\nline"),
        ("page\x0cpage\x0bx\x85y\u2028z", "page\npage\nx\ny\nz"),
    ],
)
def test_what_shows_nothing_and_can_hide_something_is_removed(given_: str, kept: str) -> None:
    """Controls, zero-width, overrides, fillers, tags, rows of selectors; what ends a line keeps words apart."""
    assert clean(given_) == kept


@given(st.text(min_size=1, max_size=40))
def test_cleaning_twice_changes_nothing(text: str) -> None:
    """What is stored would be stored the same again; its digest is stable."""
    try:
        once = clean(text)
    except Invalid:
        return
    assert clean(once) == once
    assert storable(once)


@given(st.text(st.sampled_from("ab ك‌ہ‍क्‍👩❤️︁\u200b\u2060\u3164\n"), min_size=1, max_size=30))
def test_nothing_can_be_spelled_in_invisible_characters(text: str) -> None:
    """Between two characters that show there is at most one that does not."""
    try:
        kept = clean(text)
    except Invalid:
        return
    hidden = [letter in "\u200c\u200d" or unicodedata.name(letter, "").startswith("VARIATION") for letter in kept]
    run = longest = 0
    for one in hidden:
        run = run + 1 if one else 0
        longest = max(longest, run)
    assert longest <= 2  # a selector, then the joiner of an emoji


@each_row("text", ["", "   ", "\n\t", "\x00", "\u200b\u200d", "\u3164", "\ufeff", "\U000e0041"])
def test_nothing_to_remember_is_refused(text: str) -> None:
    """Also what only looks like something to a computer."""
    with pytest.raises(Invalid, match="the text to remember is empty; say something"):
        clean(text)


@each_row("text", [None, 5, 1.5, b"text", ["text"], {"text": 1}, True])
def test_what_is_not_text_is_refused_by_its_kind(text: Any) -> None:
    """The sentence says what was given."""
    with pytest.raises(Invalid, match=f"the text to remember is {type(text).__name__}, not text"):
        clean(text)


def test_half_a_character_is_refused() -> None:
    """A lone surrogate cannot be stored, sent or shown."""
    with pytest.raises(Invalid, match="lone surrogate"):
        clean("half \ud83d")


def test_the_limit_is_in_bytes_and_both_numbers_are_told() -> None:
    """Up to it, and not one byte more, in any script."""
    assert clean_text("é" * 5, 10) == "é" * 5
    with pytest.raises(TooLarge, match="11 bytes and the limit is 10; split it") as caught:
        clean_text("é" * 5 + "x", 10)
    assert caught.value.code == "too_large"
    limit = POLICY.limits.text_bytes
    assert len(clean("x" * limit)) == limit
    with pytest.raises(TooLarge):
        clean("猫" * (limit // 3 + 1))


# Everything else


def test_what_is_left_open_is_as_the_policy_has_it() -> None:
    """The five-minute user gives a text and nothing else."""
    assert said() == NewMemoryRequest(
        text="The sea ebbs",
        scope=Scope("/"),
        category="fact",
        categorised=False,
        importance=0.5,
        importance_given=False,
        tier=Tier.SEMANTIC,
        tiered=False,
        tags=(),
        metadata={},
        subject=None,
        attribute=None,
        supersedes=(),
        pinned=False,
        expires_in=None,
        visibility=Visibility.SHARED,
        source=Source("user"),
        trust=1.0,
        created_at=None,
    )


@each_row("text", ["Ada moved to Porto on 3 May 2026", "Thanks a lot!"])
@each_row("importance", [0.0, 0.33, 1.0])
def test_importance_that_is_given_is_kept(text: str, importance: float) -> None:
    """Whatever the words look like; nothing at all is a number too."""
    assert said(text, importance=importance).importance == importance


def test_importance_left_open_is_the_default_of_the_policy() -> None:
    """The gate weighs nothing: the judge, where there is one, reads what a text is worth."""
    lighter = replace(POLICY, defaults=replace(POLICY.defaults, importance=0.4))
    for text in ("Ada moved to Porto on 3 May 2026", "Thanks a lot!"):
        admitted = admit(text, RememberOptions(), lighter, agent=None)
        assert (admitted.importance, admitted.importance_given) == (0.4, False)
        assert admit(text, RememberOptions(importance=0.7), lighter, agent=None).importance_given


def test_what_is_given_arrives_checked_and_in_its_own_type() -> None:
    """Text becomes a scope, a tier, a span, an instant."""
    full = said(
        agent="scout",
        scope="project//api/",
        category="decision",
        importance=1,
        lifetime="weeks",
        harm=2,
        valid_until="2026-07-01",
        tier="episodic",
        tags=["b", " a ", "b"],
        metadata={"n": 1, "list": (1, 2)},
        subject=" Ada ",
        attribute="city",
        supersedes="m1",
        pinned=True,
        expires_in="P30D",
        visibility="private",
        source="tool",
        session="s1",
        created_at="2026-05-31T14:00:00+02:00",
    )
    assert full.scope == "/project/api"
    assert (full.category, full.importance, full.tier) == ("decision", 1.0, Tier.EPISODIC)
    assert full.tags == ("b", "a")
    assert full.metadata == {"n": 1, "list": [1, 2]}
    assert (full.subject, full.attribute, full.supersedes, full.pinned) == ("Ada", "city", ("m1",), True)
    assert full.expires_in == timedelta(days=30)
    assert full.visibility is Visibility.PRIVATE
    assert full.source == Source("tool", "scout", "s1")
    assert full.trust == POLICY.trust.of("tool") == 0.6
    assert full.created_at == datetime(2026, 5, 31, 12, tzinfo=UTC)
    assert (full.lifetime, full.harm) == (Lifetime.WEEKS, 2)
    assert full.valid_until == datetime(2026, 7, 1, tzinfo=UTC)


def test_a_source_of_an_unknown_kind_is_worth_what_the_policy_says() -> None:
    """Unless the caller says what it is worth."""
    assert said(source="carrier pigeon").trust == POLICY.trust.unknown
    assert said(source="web", trust=0.9).trust == 0.9
    assert said(source=Source("web", evidence="https://example.org/" + "x" * 1000)).trust == 0.3


REFUSED: list[tuple[dict[str, Any], type[EbbingError], str]] = [
    ({"scope": None}, Invalid, "is not text"),
    ({"scope": "/a/../b"}, Invalid, "climbs"),
    ({"scope": "/\ud800"}, Invalid, "invisible"),
    ({"category": "facts"}, Invalid, "category 'facts' is not one of this policy's; it has active_decision"),
    ({"category": ""}, Invalid, "is not one of this policy's"),
    ({"category": 5}, Invalid, "is not one of this policy's"),
    ({"category": ["fact"]}, Invalid, "is not one of this policy's"),
    ({"importance": float("nan")}, Invalid, "between 0 and 1"),
    ({"importance": True}, Invalid, "between 0 and 1"),
    ({"importance": "0.5"}, Invalid, "between 0 and 1"),
    ({"importance": 1.1}, Invalid, "between 0 and 1"),
    ({"importance": 10**400}, Invalid, "between 0 and 1"),
    ({"importance": 10**5000}, Invalid, "bits> is not a number between 0 and 1"),
    ({"lifetime": "forever"}, Invalid, "is not one of hours, days, weeks, months, years, life"),
    ({"lifetime": 5}, Invalid, "is not one of hours"),
    ({"harm": 4}, Invalid, "between 0 and 3"),
    ({"harm": True}, Invalid, "between 0 and 3"),
    ({"harm": 1.5}, Invalid, "between 0 and 3"),
    ({"valid_until": "soon"}, Invalid, "is not understood"),
    ({"trust": -0.1}, Invalid, "trust -0.1"),
    ({"trust": float("inf")}, Invalid, "trust inf"),
    ({"tier": "core"}, Invalid, "core memory is written as a block"),
    ({"tier": 5}, Invalid, "tier 5"),
    ({"tags": 5}, Invalid, "tag 5"),
    ({"tags": [5]}, Invalid, "tag 5"),
    ({"tags": [""]}, Invalid, "tag ''"),
    ({"tags": ["a\x00"]}, Invalid, "tag"),
    ({"tags": ["\ud800"]}, Invalid, "tag"),
    ({"tags": b"ab"}, Invalid, "tag"),
    ({"tags": [f"t{n}" for n in range(33)]}, TooLarge, "33 tags are too many; the limit is 32"),
    ({"tags": ["x" * 257]}, TooLarge, "257 characters"),
    ({"metadata": "x"}, Invalid, "mapping"),
    ({"metadata": [1]}, Invalid, "mapping"),
    ({"metadata": 5}, Invalid, "mapping"),
    ({"metadata": {1: 2}}, Invalid, "mapping from text"),
    ({"metadata": {"a": {1: 2}}}, Invalid, "mapping from text"),
    ({"metadata": {"a": float("nan")}}, Invalid, "finite"),
    ({"metadata": {"a": [{"b": float("inf")}]}}, Invalid, "finite"),
    ({"metadata": {"a": {1, 2}}}, Invalid, "JSON"),
    ({"metadata": {"a": b"x"}}, Invalid, "JSON"),
    ({"metadata": {"a": datetime(2026, 1, 1, tzinfo=UTC)}}, Invalid, "JSON"),
    ({"metadata": {"a": "\ud800"}}, Invalid, "JSON"),
    ({"metadata": {"\ud800": 1}}, Invalid, "JSON"),
    ({"metadata": {"a": {"b": ["\x00"]}}}, Invalid, "NUL"),
    ({"metadata": {"a": 10**5000}}, Invalid, "JSON"),
    ({"metadata": {"a": "x" * 16384}}, TooLarge, "bytes and the limit is 16,384"),
    ({"metadata": {"a": "猫" * 6000}}, TooLarge, "bytes and the limit is 16,384"),
    ({"subject": "Ada"}, Invalid, "an address has two parts"),
    ({"attribute": "city"}, Invalid, "an address has two parts"),
    ({"subject": "", "attribute": "city"}, Invalid, "subject ''"),
    ({"subject": "\ud800", "attribute": "city"}, Invalid, "subject"),
    ({"subject": "Ada", "attribute": "a\x00"}, Invalid, "attribute"),
    ({"subject": 5, "attribute": "city"}, Invalid, "subject 5"),
    ({"supersedes": 5}, Invalid, "supersedes 5"),
    ({"supersedes": [5]}, Invalid, "supersedes 5"),
    ({"supersedes": ["\ud800"]}, Invalid, "supersedes"),
    ({"pinned": "false"}, Invalid, "pinned 'false' is neither True nor False"),
    ({"pinned": 1}, Invalid, "pinned 1"),
    ({"pinned": None}, Invalid, "pinned None"),
    ({"expires_in": "soon"}, Invalid, "duration 'soon' is not understood"),
    ({"expires_in": 30}, Invalid, "duration 30 is not text"),
    ({"expires_in": "9000y"}, Invalid, "longer than a thousand years"),
    ({"expires_in": "-1d"}, Invalid, "duration"),
    ({"visibility": "secret"}, Invalid, "visibility 'secret' is not one of shared, private"),
    ({"visibility": None}, Invalid, "visibility None"),
    ({"visibility": "private"}, Invalid, "a private memory needs an agent"),
    ({"source": ""}, Invalid, "source ''"),
    ({"source": 5}, Invalid, "source 5"),
    ({"source": "\ud800"}, Invalid, "source"),
    ({"source": Source(kind=5)}, Invalid, "source 5"),  # type: ignore[arg-type] # that it is wrong is the point
    ({"source": Source("user", session="\ud800")}, Invalid, "session"),
    ({"source": Source("user", actor="a\x00")}, Invalid, "actor"),
    ({"source": Source("user", evidence="x" * 2049)}, TooLarge, "evidence has 2049 characters"),
    ({"session": 5}, Invalid, "session 5"),
    ({"session": "\ud800"}, Invalid, "session"),
    ({"session": "s\x00"}, Invalid, "session"),
    ({"created_at": "yesterday"}, Invalid, "ISO 8601"),
    ({"created_at": 5}, Invalid, "is not a time"),
    ({"created_at": date(2026, 1, 1)}, Invalid, "is not a time"),
    ({"created_at": "9999-12-31"}, Invalid, "too far off"),
    ({"created_at": "0001-01-01T00:00:00+14:00"}, Invalid, "calendar"),
]


@each_row(
    ("given_", "kind", "sentence"),
    REFUSED,
)
def test_each_bad_input_gives_one_clear_error(given_: dict[str, Any], kind: type[EbbingError], sentence: str) -> None:
    """Of the right class and code, before anything is written."""
    with pytest.raises(kind) as caught:
        said(**given_)
    assert type(caught.value) is kind
    assert sentence in str(caught.value)
    assert caught.value.code == ("too_large" if kind is TooLarge else "invalid")


def test_metadata_that_never_ends_is_refused() -> None:
    """Within itself, or deeper than can be followed."""
    circle: dict[str, Any] = {}
    circle["self"] = circle
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    for metadata in (circle, deep):
        with pytest.raises(Invalid, match="metadata"):
            said(metadata=metadata)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), json_values, max_size=3))
def test_metadata_that_comes_in_can_be_kept_by_every_store(metadata: dict[str, Any]) -> None:
    """It is the caller's own, copied, and plain JSON."""
    try:
        kept = said(metadata=metadata).metadata
    except Invalid:
        assert not storable(metadata) or len(json.dumps(metadata)) > 1000
        return
    assert kept == metadata
    assert kept is not metadata
    json.dumps(kept, allow_nan=False, ensure_ascii=False).encode()


def test_metadata_may_be_any_mapping() -> None:
    """Also a read-only one."""
    assert said(metadata=MappingProxyType({"a": 1})).metadata == {"a": 1}


@given(
    st.fixed_dictionaries(
        {},
        optional={
            name: st.none()
            | st.booleans()
            | st.integers()
            | st.floats()
            | st.text(max_size=5)
            | st.lists(st.text(max_size=3))
            for name in OPTION_NAMES
        },
    ),
    st.text() | st.none() | st.integers(),
)
def test_whatever_is_given_is_admitted_or_refused_on_purpose(given_: dict[str, Any], text: Any) -> None:
    """No other exception ever, and what is admitted every store can keep."""
    try:
        admitted = said(text, "scout", **given_)
    except EbbingError:
        return
    kept = [admitted.text, admitted.scope, *admitted.tags, *admitted.supersedes, admitted.metadata]
    kept += [admitted.subject, admitted.attribute, admitted.source.kind, admitted.source.session]
    assert all(map(storable, kept))
    assert 0 <= admitted.importance <= 1
    assert 0 <= admitted.trust <= 1


def test_one_of_many_is_a_text_or_a_text_with_options() -> None:
    """What is left open is as it would be alone."""
    assert admit_item("The sea ebbs", POLICY, agent=None) == said()
    item = {"text": "The sea ebbs", "importance": 0.9}
    assert admit_item(item, POLICY, agent=None) == said(importance=0.9)
    assert item == {"text": "The sea ebbs", "importance": 0.9}


@each_row(
    ("item", "sentence"),
    [
        (5, "an item to remember is int; give a text, or a mapping with one"),
        (None, "is NoneType"),
        (["The sea ebbs"], "is list"),
        ({}, "needs a text; it takes text, scope"),
        ({"importance": 1}, "needs a text"),
        ({"text": "x", "importnace": 1}, "has no importnace; it takes text, scope, category"),
        ({"text": "x", 5: 1}, "has no 5"),
        ({"text": None}, "the text to remember is NoneType"),
    ],
)
def test_one_of_many_that_cannot_be_meant_is_refused(item: Any, sentence: str) -> None:
    """With what it may hold, so that a typing mistake is seen."""
    with pytest.raises(Invalid, match=re.escape(sentence)):
        admit_item(item, POLICY, agent=None)


def test_the_options_are_the_parameters_of_the_engine() -> None:
    """One of many is assumed to be what it would be alone, in the same order of names."""
    parameters = inspect.signature(Engine.remember).parameters
    declared = [(name, parameters[name].default) for name in parameters if name not in ("self", "text")]
    assert [(field.name, field.default) for field in fields(RememberOptions)] == declared
