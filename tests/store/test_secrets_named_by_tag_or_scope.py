"""A tag or the last part of a scope can say that a text is a secret, as an attribute does."""

from __future__ import annotations

from typing import Any

import pytest

from ebbing.engine import Engine


@pytest.mark.parametrize(
    ("text", "given", "kept"),
    [
        ("hunter2xyz9", {"tags": ["password"], "scope": "/router/password"}, "[redacted: password]"),
        ("hunter2xyz9", {"tags": ["home", "password"]}, "[redacted: password]"),
        ("hunter2xyz9", {"scope": "/router/password"}, "[redacted: password]"),
        ("4711", {"scope": "/phone/pin"}, "[redacted: PIN]"),
        ("hunter2xyz9", {"tags": ["api_key"]}, "[redacted: API key]"),
        ("It is hunter2xyz9.", {"tags": ["password"]}, "It is [redacted: password]."),
        ("Changed to: 'hunter2xyz9'", {"scope": "/router/password"}, "Changed to: '[redacted: password]'"),
    ],
)
def test_a_value_named_by_a_tag_or_the_scope_is_redacted(
    engine: Engine, text: str, given: dict[str, Any], kept: str
) -> None:
    """By itself the text says nothing; where it is filed says what it is."""
    outcome = engine.remember(text, **given)
    assert [memory.text for memory in outcome.memories] == [kept]
    assert "taken out before it was stored" in str(outcome.notes)


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("We use bcrypt", {"tags": ["password"]}),
        ("Hash with Argon2id", {"tags": ["password"], "scope": "/auth/passwords"}),
        ("The reset flow is broken.", {"scope": "/auth/password"}),
        ("JWT tokens expire after 15m", {"tags": ["token"]}),
        ("hunter2xyz9", {"tags": ["username"], "scope": "/password/notes"}),
        ("The build number is v2rc17b.", {"tags": ["release"]}),
    ],
)
def test_a_sentence_about_passwords_stays(engine: Engine, text: str, given: dict[str, Any]) -> None:
    """A tag is a topic more often than the name of a value."""
    assert [memory.text for memory in engine.remember(text, **given).memories] == [text]
