"""The HTTP API: the tools as routes under /v1, with their OpenAPI document, behind one middleware that guards them.

application(engine)   the ASGI application, for a server of yours
serve(engine, …)      a server of ours, with the sweeper beside it

middleware.py        Host, Origin, token, limits: what every request passes
rate_limit.py        how often                      thread_pool.py       how many at once
routes.py            the tools                      request_parsing.py   what is asked
idempotency.py       asked twice, done once         problems.py          errors
streams.py           export, import, the log        metrics.py           what is counted
openapi.py           the document                   response_schemas.py  what is answered
"""

from __future__ import annotations

from .app import application
from .server import Binding, serve
from .settings import PORT, Settings

__all__ = ["PORT", "Binding", "Settings", "application", "serve"]
