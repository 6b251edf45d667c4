"""Templates into HTML. Every value is escaped; what a memory says is only ever text."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from . import charts

# Nothing runs and nothing is loaded but what this server sends as a file of its own; no form goes elsewhere.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Vary": "Accept-Language, Cookie",
}


@functools.cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(__package__, "templates"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(charts=charts, version=version("ebbing"))
    return environment


def render(template: str, model: Mapping[str, Any]) -> bytes:
    """One page."""
    return _environment().get_template(template).render(model).encode()
