"""Secrets that a name beside the text gives away: a key, a tag, a path, an address."""

from __future__ import annotations

from typing import Any

from ebbing.text.screening.request import screen
from tests.tables import each_row

PHRASE = "witch collapse practice feed shame open despair creek road again ice least"


@each_row(
    ("fields", "secret"),
    [
        ({"metadata": {"wifi_pw": "hunter2x"}}, "hunter2x"),
        ({"metadata": {"passwords": {"router": "hunter2x"}}}, "hunter2x"),
        ({"metadata": {"pair": ["password", "hunter2x"]}}, "hunter2x"),
        ({"metadata": {"ssn": "078051120"}}, "078051120"),
        ({"metadata": {"person": {"socialSecurityNumber": "078 05 1120"}}}, "1120"),
        ({"metadata": {"mnemonic": PHRASE}}, "collapse"),
        ({"metadata": {"seed_phrase": PHRASE.split()}}, "collapse"),
        ({"metadata": {"card": 4111111111111111}}, "4111111111111111"),
        ({"metadata": {"door_code": 7713}}, "7713"),
        ({"metadata": {"door": {"code": "7713"}}}, "7713"),
        ({"metadata": {"pin": "1985"}}, "1985"),
        ({"metadata": {"iban": "DE89 3704 0044 0532 0130 00"}}, "0532"),
        ({"metadata": {"wifi_key": "larch-larch-9"}}, "larch"),
        ({"metadata": {"cardNumber": "4532015112830367"}}, "0367"),
        ({"tags": ("password", "hunter2x")}, "hunter2x"),
        ({"scope": "/router/password/hunter2x"}, "hunter2x"),
        ({"text": "7713", "scope": "/house/alarm code"}, "7713"),
        ({"text": "7713", "subject": "front door", "attribute": "code"}, "7713"),
        ({"text": "It is hunter2x, as before", "subject": "router", "attribute": "password"}, "hunter2x"),
        ({"text": "078051120", "subject": "Ada", "attribute": "ssn"}, "078051120"),
    ],
)
def test_a_name_beside_a_value_says_what_it_is(fields: dict[str, Any], secret: str) -> None:
    """The name may be a key, the key above it, the word before it in a list or a path, or the address of the text."""
    screened = screen(fields)
    assert secret not in repr(screened.fields)
    assert screened.redacted


@each_row(
    "fields",
    [
        {"metadata": {"passwords": {"policy": "12-character", "updated": "2026-05-01T10:00"}}},
        {"metadata": {"password": {"owner": "Ada", "algorithm": "argon2id"}}},
        {"metadata": {"steps": ["token", "parser", "tree"]}},
        {"metadata": {"card": 41, "order": 1234567890123456}},
        {"metadata": {"exit": {"code": 7713}}},
        {"metadata": {"zip_code": "90210"}},
        {"metadata": {"seed_company": ["tomatoes", "beans", "leeks"], "wallet": "leather"}},
        {"tags": ("password", "router", "2026")},
        {"scope": "/docs/password/reset-form"},
        {"text": "It expires on 1 May 2026", "subject": "router", "attribute": "password"},
    ],
)
def test_harmless_values_beside_such_names_stay(fields: dict[str, Any]) -> None:
    """Where little is said, only a value that looks like no word is taken for a secret; what a code is of decides."""
    assert screen(fields).fields == fields
