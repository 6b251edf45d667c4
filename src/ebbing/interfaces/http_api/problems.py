"""Errors as `application/problem+json`: what kind, what was wrong, what would be right, and nothing of our insides.

What the store or a model says when it cannot be used names files, servers and tables. That goes to the log of whoever
runs the server; a caller is told that it is so, and that nothing was written.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ...domain.errors import Conflict, Denied, EbbingError, Invalid, NotFound, TooLarge, Unavailable
from ..access import NoCredential

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
CHALLENGE = 'Bearer realm="ebbing"'
_STATUS: tuple[tuple[type[EbbingError], int], ...] = (  # the first that fits
    (NoCredential, 401),
    (Denied, 403),
    (NotFound, 404),
    (Conflict, 409),
    (TooLarge, 413),
    (Invalid, 422),
    (Unavailable, 503),
)
_CODES = {401: "denied", 403: "denied", 404: "not_found", 409: "conflict", 412: "conflict", 413: "too_large"}
_AWAY = "the store or a model does not answer; nothing was written: try again later"
_OURS = "this is a fault of ours; it was logged"
RETRY_SECONDS = 5


class Busy(Unavailable):
    """The server itself has too much to do; nothing was written, and the message says no more than that."""


class HttpError(Exception):
    """Something only HTTP can be refused for, such as a media type."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = dict(headers or {})


def problem(status: int, detail: str, headers: Mapping[str, str] | None = None, code: str | None = None) -> Response:
    """One problem."""
    kind = code or _CODES.get(status) or ("unavailable" if status >= 500 or status == 429 else "invalid")
    body = {
        "type": f"urn:ebbing:problem:{kind}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": kind,
    }
    # A message may repeat half a character that somebody sent; written out as an escape it is JSON still.
    text = json.dumps(body, ensure_ascii=False).encode("utf-8", "backslashreplace")
    return Response(text, status, dict(headers or {}), MEDIA_TYPE)


def of_error(error: EbbingError | HttpError, private: str = "") -> Response:
    """An error of ours as a problem. `private` is what no message may repeat: the address of the store."""
    if isinstance(error, HttpError):
        return problem(error.status, error.detail, error.headers)
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), 500)
    if isinstance(error, Busy):
        return problem(status, str(error), {"Retry-After": str(RETRY_SECONDS)}, error.code)
    if status >= 500:
        logger.warning("a request could not be answered: %s", error)
        return problem(status, _AWAY, {"Retry-After": str(RETRY_SECONDS)}, error.code)
    detail = str(error).replace(private, "the store") if private else str(error)
    return problem(status, detail, {"WWW-Authenticate": CHALLENGE} if status == 401 else None, error.code)


def told(error: EbbingError | HttpError, private: str = "") -> tuple[int, str]:
    """The same as a status and a sentence, for a page."""
    if isinstance(error, HttpError):
        return error.status, error.detail
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), 500)
    if status >= 500 and not isinstance(error, Busy):
        logger.warning("a page could not be shown: %s", error)
        return status, _AWAY
    return status, str(error).replace(private, "the store") if private else str(error)


def of_starlette(_: Request, error: Any) -> Response:
    """What the router refuses: an unknown path, or a method that a path does not have."""
    sentences = {404: "there is nothing at this path; /openapi.json tells what there is", 405: "not with this method"}
    return problem(error.status_code, sentences.get(error.status_code, error.detail), error.headers)


def of_fault(_: Request, __: Exception) -> Response:
    """An unexpected error: logged by the server; the client learns no details."""
    return problem(500, _OURS, code="error")
