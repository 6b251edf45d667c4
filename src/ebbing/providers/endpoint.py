"""Where a model is asked over HTTP: its name, its address and its key, given or out of the environment.

Everything is checked here, once, so that nothing strange travels with a request. The key is in no text
that this module makes: no error, no repr.
"""

from __future__ import annotations

import ipaddress
import os
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import SplitResult, urlsplit

from ..domain import validation
from ..domain.errors import Invalid

MODEL, BASE_URL, KEY = "EBBING_LLM_MODEL", "EBBING_LLM_BASE_URL", "EBBING_LLM_API_KEY"
EMBEDDER_KEY = "EBBING_EMBEDDER_API_KEY"
AUTO = "auto"
SPEC = "model@http://host:port/v1"

_SPEC = re.compile(r"(?P<model>.+)@(?P<base_url>\w+://.+)", re.DOTALL)  # a model's own name may hold an @
_URL_CHARACTERS_MAX = 2048
_KEY = re.compile(r"[!-~]{1,4096}")  # what an HTTP header can carry


@dataclass(frozen=True, slots=True)
class Kind:
    """What is asked there, and how errors speak of it."""

    name: str
    article: str
    path: str  # behind the base URL
    key: str  # the variable that holds the key
    answers: str


LLM = Kind("language model", "a", "/chat/completions", KEY, "a chat endpoint")
EMBEDDER = Kind("embedder", "an", "/embeddings", EMBEDDER_KEY, "an embeddings endpoint")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model at one address."""

    model: str
    base_url: str  # without a slash at its end
    key: str | None = field(default=None, repr=False)
    kind: Kind = field(default=LLM, repr=False)

    @property
    def url(self) -> str:
        return f"{self.base_url}{self.kind.path}"

    @property
    def is_local(self) -> bool:
        """Whether it is this very machine."""
        host = urlsplit(self.base_url).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"

    def __str__(self) -> str:
        return f"{self.model} at {self.base_url}"


def endpoint(model: str | None = None, base_url: str | None = None, key: str | None = None) -> Endpoint:
    """What is given, and the rest out of EBBING_LLM_MODEL, EBBING_LLM_BASE_URL and EBBING_LLM_API_KEY."""
    given_url = base_url
    model = model if model is not None else os.environ.get(MODEL)
    base_url = base_url if base_url is not None else os.environ.get(BASE_URL)
    missing = [name for name, value in ((MODEL, model), (BASE_URL, base_url)) if not value]
    if missing:
        raise Invalid(f"a language model needs a name and an address: set {' and '.join(missing)}, or give {SPEC!r}")
    address = _checked_url(base_url, LLM)
    return Endpoint(validation.name(model, "the model"), address, _checked_key(_own_key(key, address, given_url), LLM))


def embedding_endpoint(model: str, base_url: str, key: str | None = None) -> Endpoint:
    """What is given, and the key out of EBBING_EMBEDDER_API_KEY.

    Without that one, EBBING_LLM_API_KEY serves where EBBING_LLM_BASE_URL names the same host, and nowhere else.
    """
    address = _checked_url(base_url, EMBEDDER)
    if key is None:
        shared = os.environ.get(KEY) if _same_host(os.environ.get(BASE_URL), address) else None
        key = os.environ.get(EMBEDDER_KEY) or shared
    return Endpoint(validation.name(model, "the model"), address, _checked_key(key, EMBEDDER), EMBEDDER)


def from_spec(spec: str) -> Endpoint:
    """`auto` is what the environment says; otherwise the model and the address stand in the text."""
    if spec == AUTO:
        return endpoint()
    parts = named(spec)
    if not parts:
        # The text is not repeated: it may be a key in the wrong place.
        raise Invalid(f"llm= is text that names no language model; give {AUTO!r}, {SPEC!r}, or leave it out")
    return endpoint(*parts)


def named(spec: str) -> tuple[str, str] | None:
    """The model and the address in one text; None when it holds no such two."""
    parts = _SPEC.fullmatch(spec)
    return (parts["model"], parts["base_url"]) if parts else None


def _checked_url(given: Any, kind: Kind) -> str:
    parts = _split(given)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        raise Invalid(f"the {kind.name}'s base URL is none; give http:// or https://, a host, and mostly /v1")
    if parts.username is not None or parts.password is not None:
        raise Invalid(f"the {kind.name}'s base URL holds a user or a password; put the key into {kind.key}")
    if parts.query or parts.fragment:
        raise Invalid(f"the {kind.name}'s base URL goes on after its path; leave out ? and # and what follows")
    path = parts.path.rstrip("/").removesuffix(kind.path)
    return f"{parts.scheme}://{parts.netloc}{path}"


def _split(given: Any) -> SplitResult | None:
    # urlsplit drops line breaks without a word; none of these is part of any address.
    if not isinstance(given, str) or not given.isprintable() or " " in given or len(given) > _URL_CHARACTERS_MAX:
        return None
    try:
        parts = urlsplit(given)
        _ = parts.port
    except ValueError:
        return None
    return parts


def _own_key(given: Any, address: str, given_url: str | None) -> Any:
    """The key that was given, or the environment's, which goes to the environment's own address alone."""
    if given is not None:
        return given
    belongs_to = _split(os.environ.get(BASE_URL) or "") if given_url is not None else None
    elsewhere = belongs_to is not None and belongs_to.netloc not in ("", urlsplit(address).netloc)
    return None if elsewhere else os.environ.get(KEY)


def _same_host(base_url: str | None, address: str) -> bool:
    parts = _split(base_url or "")
    return parts is not None and parts.netloc == urlsplit(address).netloc


def _checked_key(key: Any, kind: Kind) -> str | None:
    if key is None or key == "":
        return None
    if not isinstance(key, str) or not _KEY.fullmatch(key.strip()):
        raise Invalid(f"the {kind.name}'s key holds characters that no request can carry; copy it again")
    return key.strip()
