"""The style sheet and the scripts: files of the package, read once, cached by browsers under the version's address."""

from __future__ import annotations

import functools
from importlib import resources

from starlette.requests import Request
from starlette.responses import Response

from ...domain.errors import NotFound

PREFIX = "/static/"
_KINDS = {
    "dashboard.css": "text/css; charset=utf-8",
    "keys.js": "text/javascript; charset=utf-8",
    "htmx.min.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "htmx.LICENSE": "text/plain; charset=utf-8",
}


async def static_file(request: Request) -> Response:
    """One file."""
    name = request.path_params["name"]
    if name not in _KINDS:
        raise NotFound(f"there is no file {name[:80]}")
    headers = {"Cache-Control": "public, max-age=86400", "Content-Type": _KINDS[name]}
    return Response(_read(name), headers=headers)


@functools.cache
def _read(name: str) -> bytes:
    return (resources.files(__package__) / "static" / name).read_bytes()
