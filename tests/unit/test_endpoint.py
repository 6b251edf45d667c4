"""Where a language model is asked: what is given, what the environment says, and what cannot be meant."""

from __future__ import annotations

from typing import Any

import pytest

from ebbing import Invalid
from ebbing.providers.endpoint import Endpoint, endpoint, from_spec
from tests.tables import each_row

KEY = "sk-Th3-key-nobody-may-see"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole endpoint in the environment."""
    monkeypatch.setenv("EBBING_LLM_MODEL", "tide-1")
    monkeypatch.setenv("EBBING_LLM_BASE_URL", "https://llm.example/v1")
    monkeypatch.setenv("EBBING_LLM_API_KEY", f"{KEY}\n")


def test_what_is_not_given_is_read_from_the_environment() -> None:
    """Without the line break that a key likes to bring along."""
    assert endpoint() == from_spec("auto") == Endpoint("tide-1", "https://llm.example/v1", KEY)
    assert endpoint("moon-2") == Endpoint("moon-2", "https://llm.example/v1", KEY)
    assert endpoint("moon-2", "http://localhost:1/v1", "k") == Endpoint("moon-2", "http://localhost:1/v1", "k")


def test_the_key_of_the_environment_goes_to_its_own_address_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key for one server is no business of another; if the environment names none, it goes where we are told."""
    assert from_spec("moon-2@https://llm.example/other").key == KEY
    assert from_spec("moon-2@https://llm.example:8443/v1").key is None
    assert from_spec("moon-2@http://localhost:8080/v1").key is None
    assert endpoint("moon-2", "http://localhost:8080/v1", key=KEY).key == KEY
    monkeypatch.delenv("EBBING_LLM_BASE_URL")
    assert from_spec("moon-2@http://localhost:8080/v1").key == KEY


def test_no_key_is_a_choice() -> None:
    """An empty one says so; the environment's is then not sent."""
    assert endpoint(key="").key is None


@each_row(
    ("spec", "model", "base_url"),
    [
        ("tide@http://127.0.0.1:8080/v1", "tide", "http://127.0.0.1:8080/v1"),
        ("tide:7b@http://[::1]:8080/v1/", "tide:7b", "http://[::1]:8080/v1"),
        ("@cf/meta/tide@https://gate.example/a/b/v1", "@cf/meta/tide", "https://gate.example/a/b/v1"),
        ("tide@https://llm.example/v1/chat/completions", "tide", "https://llm.example/v1"),
        ("tide@https://llm.example", "tide", "https://llm.example"),
    ],
)
def test_a_model_and_its_address_stand_in_one_text(spec: str, model: str, base_url: str) -> None:
    """Whatever signs the model's name holds; an address copied a little too long is taken for what is meant."""
    found = from_spec(spec)
    assert (found.model, found.base_url) == (model, base_url)


@each_row(
    "base_url",
    [
        "ftp://host/v1",
        "file:///etc/passwd",
        "host:8080/v1",
        "/v1",
        "http://",
        "http:///v1",
        "http://host:port/v1",
        "http://host:99999/v1",
        "http://[::1/v1",
        "http://ho st/v1",
        "http://host/v1\n",
        "http://host/\x00",
        "http://host/" + "v1/" * 1000,
        5,
        b"http://host/v1",
    ],
)
def test_an_address_that_is_none_is_refused(base_url: Any) -> None:
    """Only http and https, with a host."""
    with pytest.raises(Invalid, match="base URL is none; give http"):
        endpoint("tide", base_url)


@each_row("base_url", ["http://ada:secret@host/v1", "http://secret@host/v1", "http://:secret@host/v1"])
def test_a_password_in_an_address_is_refused_and_not_repeated(base_url: str) -> None:
    """Addresses are logged; keys are not."""
    with pytest.raises(Invalid, match="put the key into EBBING_LLM_API_KEY") as caught:
        from_spec(f"tide@{base_url}")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("base_url", ["http://host/v1?key=secret", "http://host/v1#x"])
def test_an_address_ends_with_its_path(base_url: str) -> None:
    """What we ask for is written behind it."""
    with pytest.raises(Invalid, match="goes on after its path") as caught:
        endpoint("tide", base_url)
    assert "secret" not in str(caught.value)


@each_row("spec", ["tide", KEY, "", "tide@", "tide@host:8080", "http://host/v1", "@http://host/v1"])
def test_a_text_that_names_no_model_is_refused_and_not_repeated(spec: str) -> None:
    """It may be a key in the wrong place."""
    with pytest.raises(Invalid, match="names no language model") as caught:
        from_spec(spec)
    assert KEY not in str(caught.value)


@each_row("model", [" ", "a\nb", "x" * 300, 5])
def test_a_model_has_a_name(model: Any) -> None:
    """One that can be sent."""
    with pytest.raises(Invalid, match="the model"):
        endpoint(model)


@pytest.mark.parametrize("missing", ["EBBING_LLM_MODEL", "EBBING_LLM_BASE_URL"])
def test_half_an_endpoint_says_which_half_is_missing(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the other way to give it."""
    monkeypatch.delenv(missing)
    with pytest.raises(Invalid, match=f"set {missing}, or give 'model@http"):
        endpoint()


@each_row("key", [f"{KEY}\nX-Evil: 1", f"{KEY} {KEY}", f"{KEY}é", KEY * 1000, KEY.encode(), 5])
def test_a_key_that_no_request_can_carry_is_refused_and_not_repeated(key: Any) -> None:
    """Its line break would begin another header, and the client's own error would show it whole."""
    with pytest.raises(Invalid, match="copy it again") as caught:
        endpoint(key=key)
    assert KEY not in str(caught.value)


def test_an_endpoint_does_not_show_its_key() -> None:
    """In whatever way it is shown."""
    place = endpoint()
    assert KEY not in f"{place} {place!r} {[place]}"


@each_row(
    ("base_url", "local"),
    [
        ("http://127.0.0.1:1/v1", True),
        ("http://127.9.9.9/v1", True),
        ("http://[::1]:1/v1", True),
        ("http://LOCALHOST/v1", True),
        ("http://10.0.0.1/v1", False),
        ("http://localhost.example/v1", False),
    ],
)
def test_this_machine_is_told_from_others(base_url: str, local: bool) -> None:
    """It is reached without a proxy."""
    assert endpoint("tide", base_url).is_local is local
