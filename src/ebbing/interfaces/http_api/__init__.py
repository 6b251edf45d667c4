"""The HTTP API: the tools as routes under /v1, with their OpenAPI document, behind one door.

application(engine)   the ASGI application, for a server of yours
serve(engine, …)      a server of ours, with the sweeper beside it

door.py      Host, Origin, token, limits: what every request passes     rates.py
routes.py    the tools          given.py   what is asked     replays.py  asked twice, done once
streams.py   export, import, the log                          problems.py errors
openapi.py   the document       shapes.py  what is answered  metrics.py  what is counted
"""

from __future__ import annotations

from .app import application
from .serving import Binding, serve
from .settings import PORT, Settings

__all__ = ["PORT", "Binding", "Settings", "application", "serve"]
