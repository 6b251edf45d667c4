"""An embedder behind any OpenAI-compatible `/v1/embeddings` endpoint: a service, or a server of one's own.

How a server is asked, and what becomes of its troubles, stands in http_client.py. Texts go in bounded batches and
come back as base64 where the server can, which is a fifth of the bytes. A text longer than the model reads is cut
in half until it fits: a vector of its beginning finds more than none.
"""

from __future__ import annotations

import base64
import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..domain import validation
from ..domain.errors import Invalid
from ..ports import Vector
from .endpoint import embedding_endpoint
from .http_client import ATTEMPTS_MAX, TIMEOUT_SECONDS, Line, Reply, Server, refused_part, whole

BATCH_TEXTS = 64
BATCH_CHARACTERS = 200_000  # the largest services take 300,000 tokens at once, and no token is less than a character
ANSWER_BYTES_MAX = 32 << 20  # a batch of 4,096 numbers each, written out as decimals, is a quarter of it

_DIMENSIONS_MAX = 65_536
_CHARACTERS_MIN = 200  # what does not fit at this length is refused for another reason
_QUIRKS: Mapping[str, tuple[str, ...]] = {"encoding_format": ("encoding_format", "base64")}
# How servers say that a text is too long, and the statuses under which they do.
_TOO_LONG = ("context length", "context size", "too long", "too large", "too many tokens", "must have less than")
_TOO_LONG_STATUSES = frozenset({400, 413, 422, 500})


class Embeddings:
    """Asks one model at one address. `dimensions` is what its answers have, or what it is told to give."""

    def __init__(
        self,
        model: str,
        base_url: str,
        *,
        key: str | None = None,
        dimensions: int | None = None,
        query_prefix: str = "",
        text_prefix: str = "",
        timeout_seconds: float = TIMEOUT_SECONDS,
        attempts_max: int = ATTEMPTS_MAX,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        """`dimensions` asks for shorter vectors of models that can; without a key, EBBING_EMBEDDER_API_KEY is read."""
        self.endpoint = embedding_endpoint(model, base_url, key)
        self.dimensions = None if dimensions is None else validation.count(dimensions, "dimensions", _DIMENSIONS_MAX)
        self._asked_dimensions = self.dimensions
        self._prefixes = {True: _text(query_prefix, "query_prefix"), False: _text(text_prefix, "text_prefix")}
        self.fingerprint = self._fingerprint()
        self._quirks: frozenset[str] = frozenset()
        self._server = Server(
            self.endpoint,
            answer_bytes_max=ANSWER_BYTES_MAX,
            timeout_seconds=timeout_seconds,
            attempts_max=attempts_max,
            wait=wait,
        )

    def __repr__(self) -> str:
        return f"Embeddings({self.endpoint.model!r}, {self.endpoint.base_url!r})"

    def _fingerprint(self) -> str:
        """The model, and what changes the vectors of memories; the same wherever the model is served.

        It holds no number that has to be learnt from an answer: the engine must know its rows while the server
        is down. A model that changes its width under the same name is refused (ports/model_client.py).
        """
        parts = [self.endpoint.model]
        if self._asked_dimensions is not None:
            parts.append(str(self._asked_dimensions))
        if prefix := self._prefixes[False]:
            parts.append(hashlib.sha256(prefix.encode()).hexdigest()[:8])
        return "-".join(parts)

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        """One row per text, as the server gives them."""
        prefixed = [whole(self._prefixes[query] + text) for text in texts]
        if not prefixed:
            return np.empty((0, self.dimensions or 0), dtype=np.float32)
        with self._server.connected() as line:
            return np.concatenate([self._embed(line, batch) for batch in _batches(prefixed)])

    def _embed(self, line: Line, texts: Sequence[str]) -> Vector:
        """One batch; where one of its texts is too long, in parts, and that text cut."""
        while True:
            body = self._body(texts)
            reply = line.ask(body, lasts=_too_long)
            quirk = refused_part(reply, body, _QUIRKS)
            if quirk is None:
                break
            self._quirks |= {quirk}  # the next question does without
        if _too_long(reply) and len(texts) > 1:
            middle = len(texts) // 2
            return np.concatenate([self._embed(line, texts[:middle]), self._embed(line, texts[middle:])])
        if _too_long(reply) and len(texts[0]) > _CHARACTERS_MIN:
            return self._embed(line, [texts[0][: len(texts[0]) // 2]])
        if not reply.is_good:
            raise self._server.refusal(reply)
        return self._read(reply, len(texts))

    def _body(self, texts: Sequence[str]) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.endpoint.model, "input": list(texts)}
        if "encoding_format" not in self._quirks:
            body["encoding_format"] = "base64"
        if self._asked_dimensions is not None:
            body["dimensions"] = self._asked_dimensions
        return body

    def _read(self, reply: Reply, count: int) -> Vector:
        try:
            rows = {int(row.get("index", place)): row for place, row in enumerate(json.loads(reply.body)["data"])}
            vectors = np.array([_row(rows[place]["embedding"]) for place in sorted(rows)], dtype=np.float32)
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError, OverflowError):
            raise self._server.unavailable(
                "answers with something that is no list of embeddings", "check the base URL, which mostly ends in /v1"
            ) from None
        if rows.keys() != set(range(count)):
            raise self._server.unavailable(
                f"answers {count} texts with {len(rows)} vectors that do not belong to them", "see its server's log"
            )
        if vectors.ndim != 2 or vectors.shape[1] != (self.dimensions or vectors.shape[1]):
            wanted = f"of {self.dimensions} dimensions" if self.dimensions else "of one length"
            raise Invalid(
                f"embedder {self.endpoint} gives vectors of shape {vectors.shape[1:]}, not {wanted}; "
                "name a model that does, or leave dimensions= out"
            )
        self.dimensions = int(vectors.shape[1])
        return vectors


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """As many together as one request may carry; a text that is longer than that goes alone."""
    batch: list[str] = []
    characters = 0
    for text in texts:
        if batch and (len(batch) == BATCH_TEXTS or characters + len(text) > BATCH_CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(text)
        characters += len(text)
    yield batch


def _too_long(reply: Reply) -> bool:
    return reply.status in _TOO_LONG_STATUSES and any(words in reply.said for words in _TOO_LONG)


def _row(given: Any) -> Vector:
    """Base64 of little-endian floats, or the numbers themselves from a server that knows no other way."""
    if isinstance(given, str):
        return np.frombuffer(base64.b64decode(given, validate=True), dtype="<f4")
    return np.array(given, dtype=np.float32)


def _text(given: Any, what: str) -> str:
    if not isinstance(given, str):
        raise Invalid(f"{what} {given!r:.80} is not text")
    return given
