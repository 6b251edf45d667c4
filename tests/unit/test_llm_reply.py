"""What a language model said has the shape it was asked for, or the first thing wrong with it is named."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebbing import Invalid, Malformed
from ebbing.ports.llm_reply import Usage, faults, is_closed, read
from tests.tables import each_row

FACT = {
    "type": "object",
    "description": "One thing that is so.",
    "properties": {
        "text": {"type": "string", "minLength": 1, "maxLength": 10},
        "category": {"type": "string", "enum": ["fact", "preference"]},
        "importance": {"type": "number", "minimum": 0, "maximum": 1},
        "subject": {"type": ["string", "null"]},
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2},
        "certain": {"type": "boolean"},
        "count": {"type": "integer"},
    },
    "required": ["text"],
    "additionalProperties": False,
}


@each_row(
    ("value", "wrong"),
    [
        ({"text": "tide"}, None),
        ({"text": "tide", "category": "fact", "importance": 1, "subject": None, "tags": ["a"]}, None),
        ({"text": "tide", "subject": "moon", "certain": False, "count": 3, "importance": 0.5}, None),
        ([], "the answer is not of type object"),
        ("tide", "the answer is not of type object"),
        (None, "the answer is not of type object"),
        ({}, "the answer has no 'text'"),
        ({"text": 5}, "the answer.text is not of type string"),
        ({"text": ""}, "the answer.text has 0 characters, and 1 is the least"),
        ({"text": "x" * 11}, "the answer.text has 11 characters, and 10 is the most"),
        ({"text": "a", "category": "x"}, "the answer.category is not one of fact, preference"),
        ({"text": "a", "importance": 1.5}, "the answer.importance is 1.5, and 1 is the most"),
        ({"text": "a", "importance": -1}, "the answer.importance is -1, and 0 is the least"),
        ({"text": "a", "importance": True}, "the answer.importance is not of type number"),
        ({"text": "a", "subject": 5}, "the answer.subject is not of type string or null"),
        ({"text": "a", "tags": []}, "the answer.tags has 0 entries, and 1 is the least"),
        ({"text": "a", "tags": ["a"] * 3}, "the answer.tags has 3 entries, and 2 is the most"),
        ({"text": "a", "tags": ["a", 5]}, "the answer.tags[1] is not of type string"),
        ({"text": "a", "certain": 1}, "the answer.certain is not of type boolean"),
        ({"text": "a", "count": 3.5}, "the answer.count is not of type integer"),
        ({"text": "a", "count": True}, "the answer.count is not of type integer"),
        ({"text": "a", "more": 1}, "the answer holds more than text, category"),
        ({"text": "\ud800"}, "holds characters or numbers that cannot be kept"),
        ({"text": "a\x00"}, "holds characters or numbers that cannot be kept"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(value: Any, wrong: str | None) -> None:
    """And what is right is let through."""
    found = list(faults(value, FACT))
    assert (wrong is None and found == []) or (wrong is not None and wrong in found[0])


def test_a_fault_does_not_repeat_what_was_said() -> None:
    """It may be somebody's memory, on its way into a log."""
    for value in ({"text": "secret" * 9}, {"text": "a", "category": "secret"}, {"text": "a", "secret": 1}):
        assert "secret" not in " ".join(faults(value, FACT))


@each_row(
    ("text", "sentence"),
    [
        ('{"text": "ti', "this is no JSON: Unterminated string starting at (character 9)"),
        ("", "this is no JSON"),
        ('{"text": "a"} and so on', "this is no JSON: Extra data"),
        ('{"text": "a", "importance": NaN}', "a number nobody can read"),
        ('{"text": "a", "importance": Infinity}', "a number nobody can read"),
        ('{"text": "a", "count": ' + "9" * 5000 + "}", "a number nobody can read"),
        ('{"text": "a", "importance": 1e999}', "cannot be kept"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ('{"text": "\\ud800"}', "cannot be kept"),
        ("```json\n{}\n```", "has no 'text'"),
    ],
)
def test_text_that_cannot_be_used_is_malformed(text: str, sentence: str) -> None:
    """Never a crash, whatever a model writes."""
    with pytest.raises(Malformed, match=re.escape(sentence)):
        read(text, FACT)


@given(st.text(max_size=50) | st.from_regex(r"[\[\]{}\",:0-9a-z ]{0,30}"))
def test_any_text_at_all_is_read_or_malformed(text: str) -> None:
    """Nothing else comes out."""
    try:
        value = read(text, FACT)
    except Malformed:
        return
    assert list(faults(value, FACT)) == []


@each_row("around", ["{}", "  {}\n", "```json\n{}\n```", "```\n{}\n```", "\n```JSON\n{}```\n"])
def test_a_fence_around_it_is_forgiven(around: str) -> None:
    """Models like to write JSON as they would show it to people."""
    assert read(around.replace("{}", json.dumps({"text": "tide"})), FACT) == {"text": "tide"}


@each_row(
    "schema",
    [
        {"type": "string", "pattern": "a+"},
        {"anyOf": [{"type": "string"}]},
        {"type": "object", "properties": {"a": {"format": "date"}}},
        {"type": "text"},
    ],
)
def test_a_schema_that_asks_for_what_is_not_checked_is_refused(schema: Any) -> None:
    """A rule that nobody checks would be believed."""
    with pytest.raises(Invalid, match="the schema"):
        list(faults({"a": "b"}, schema))


@each_row(
    ("schema", "closed"),
    [
        ({"type": "string"}, True),
        ({"type": "array", "items": {"type": "string"}}, True),
        ({"type": "object", "properties": {}, "additionalProperties": False}, True),
        ({"type": "object", "properties": {"a": {}}, "required": ["a"], "additionalProperties": False}, True),
        ({"type": "object", "properties": {"a": {}}, "required": ["a"]}, False),
        (FACT, False),
        ({"type": "array", "items": FACT}, False),
        ({"type": ["object", "null"], "properties": {}}, False),
    ],
)
def test_strict_servers_take_only_closed_schemas(schema: Any, closed: bool) -> None:
    """Every object lists all it may hold, and must hold all it lists."""
    assert is_closed(schema) is closed


def test_usage_adds_up() -> None:
    """Calls, what was read and what was written."""
    assert Usage(1, 7, 5) + Usage(2, 10, 1) == Usage(3, 17, 6)
    assert Usage() + Usage(1, 7, 5) == Usage(1, 7, 5)
