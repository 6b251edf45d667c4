"""What comes and goes as a stream of lines: an export, an import, and the log of what happened.

An export is taken as of one moment and an import is checked to its end before anything is written, so both are files
first: private ones, gone before the answer is.
"""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import IO, Any

import anyio
import anyio.to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse

from ...domain.errors import EbbingError, Invalid
from ...domain.results import Imported, plain
from ..access import Caller
from ..tools import Pool, Right
from .idempotency import Answer
from .middleware import IMPORT, NDJSON, visitor
from .problems import Refused
from .request_parsing import read_query
from .routes import Endpoint, House, sent, written

EXPORT = "/v1/export"
AUDIT = "/v1/audit"
ON_CONFLICT = ("skip", "overwrite", "fail")
ALLOWED = ("trusted", "tombstones", "blocks")  # what an import may be asked to take besides: true or false
EVENTS_MOST = 1000
_CHUNK_BYTES = 1 << 16


def stream_endpoints(house: House) -> dict[tuple[str, str], Endpoint]:
    """Export, import and the log, by method and path."""

    async def export(request: Request) -> Response:
        read_query(request, {}, "export")
        caller = visitor(request.scope)
        house.desk.allow(Right.ADMIN, caller)
        seconds = house.settings.transfer_seconds
        file = await house.threads.run(lambda: _exported(house, caller), Pool.SLOW, seconds)
        name = {"Content-Disposition": 'attachment; filename="memories.jsonl"'}
        return StreamingResponse(_chunks(file), headers=name, media_type=NDJSON[0])

    async def import_(request: Request) -> Response:
        caller = visitor(request.scope)
        house.desk.allow(Right.ADMIN, caller)
        choices = _chosen(request)
        with tempfile.TemporaryDirectory(prefix="ebbing-") as folder:
            path = Path(folder) / "import"
            await _received(request, path, house)
            imported = await house.threads.run(
                lambda: _imported(path, choices, caller, house), Pool.SLOW, house.settings.transfer_seconds
            )
        return sent(Answer(200, (), written(imported)))

    async def audit(request: Request) -> Response:
        caller = visitor(request.scope)
        house.desk.allow(Right.ADMIN, caller)
        after, limit = _number(request, "after", 0, 2**62), _number(request, "limit", 100, EVENTS_MOST)
        _expect_only(request, "after", "limit")
        if limit < 1:
            raise Invalid("limit is at least 1")
        return sent(await house.threads.run(lambda: _audited(after, limit, caller, house)))

    return {("GET", EXPORT): export, ("POST", IMPORT): import_, ("GET", AUDIT): audit}


def _exported(house: House, caller: Caller) -> IO[bytes]:
    with tempfile.TemporaryDirectory(prefix="ebbing-") as folder:
        path = Path(folder) / "export"
        house.desk.engine(caller).export(path)
        # Once open it needs no name any more.
        return path.open("rb")


async def _chunks(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        while chunk := await anyio.to_thread.run_sync(file.read, _CHUNK_BYTES):
            yield chunk


async def _received(request: Request, path: Path, house: House) -> None:
    """The body into a file; whoever sends nothing for a while is not waited for."""
    seconds = house.settings.body_seconds
    parts = aiter(request.stream())
    async with await anyio.open_file(path, "xb") as file:
        try:
            while True:
                with anyio.fail_after(seconds):
                    chunk = await anext(parts)
                await file.write(chunk)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise Refused(408, f"nothing more arrived for {seconds:g} s", {"Connection": "close"}) from None
        except ClientDisconnect:
            raise Refused(400, "the body broke off") from None


def _imported(path: Path, choices: dict[str, Any], caller: Caller, house: House) -> Imported:
    try:
        return house.desk.engine(caller).import_(path, **choices)
    except EbbingError as error:
        # Where the file stood for a moment is of no use to whoever sent it.
        raise type(error)(str(error).replace(str(path), "the import")) from error


def _audited(after: int, limit: int, caller: Caller, house: House) -> Answer:
    events = house.desk.engine(caller).events(after=after, limit=limit)
    link = f"{AUDIT}?after={events[-1].seq}&limit={limit}" if len(events) == limit else None
    return Answer(200, (), written({"events": plain(events), "next": link}))


def _chosen(request: Request) -> dict[str, Any]:
    """What the query of an import asks for, as the engine takes it."""
    _expect_only(request, "on_conflict", *ALLOWED)
    chosen = request.query_params.get("on_conflict", ON_CONFLICT[0])
    if chosen not in ON_CONFLICT:
        raise Invalid(f"on_conflict is one of {', '.join(ON_CONFLICT)}")
    flags = {name: request.query_params.get(name, "false") for name in ALLOWED}
    if wrong := [name for name, value in flags.items() if value not in ("true", "false")]:
        raise Invalid(f"{', '.join(wrong)} must be true or false")
    return {"on_conflict": chosen, **{name: value == "true" for name, value in flags.items()}}


def _number(request: Request, name: str, default: int, most: int) -> int:
    text: Any = request.query_params.get(name, str(default))
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= most):
        raise Invalid(f"{name} is not a whole number up to {most:,}")
    return int(text)


def _expect_only(request: Request, *names: str) -> None:
    unknown = [name for name in request.query_params if name not in names]
    if unknown or len(request.query_params.multi_items()) > len(request.query_params):
        raise Invalid(f"the query takes {', '.join(names)}, each once")
