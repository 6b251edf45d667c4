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

from ...domain.errors import EbbingError
from ...domain.import_results import Imported
from ...domain.results import plain
from ..access import Caller
from ..tool_calls import checked
from ..tools import TOOLS, Pool, Right
from .idempotency import Answer
from .middleware import IMPORT, NDJSON, caller_of
from .problems import HttpError
from .request_parsing import read_query
from .routes import AppState, Endpoint, sent, written

EXPORT = "/v1/export"
EVENTS = "/v1/events"
_OLD_EVENTS = "/v1/audit"
# What an import may be asked to take; the file is the body.
IMPORTING = {name: one for name, one in TOOLS["import"].parameters.items() if name != "path"}
LISTING = TOOLS["events"].parameters
_CHUNK_BYTES = 1 << 16


def stream_endpoints(state: AppState) -> dict[tuple[str, str], Endpoint]:
    """Export, import and the log, by method and path."""

    async def export(request: Request) -> Response:
        read_query(request, {}, "export")
        caller = caller_of(request.scope)
        state.dispatcher.allow(Right.ADMIN, caller)
        seconds = state.settings.transfer_seconds
        file = await state.threads.run(lambda: _exported(state, caller), Pool.SLOW, seconds)
        name = {"Content-Disposition": 'attachment; filename="memories.jsonl"'}
        return StreamingResponse(_chunks(file), headers=name, media_type=NDJSON[0])

    async def import_(request: Request) -> Response:
        caller = caller_of(request.scope)
        state.dispatcher.allow(Right.ADMIN, caller)
        choices = read_query(request, IMPORTING, "import")
        checked(TOOLS["import"], {**choices, "path": "the body"})
        with tempfile.TemporaryDirectory(prefix="ebbing-") as folder:
            path = Path(folder) / "import"
            await _received(request, path, state)
            imported = await state.threads.run(
                lambda: _imported(path, choices, caller, state), Pool.SLOW, state.settings.transfer_seconds
            )
        return sent(Answer(200, (), written(imported)))

    async def events(request: Request) -> Response:
        caller = caller_of(request.scope)
        state.dispatcher.allow(Right.ADMIN, caller)
        given = checked(TOOLS["events"], read_query(request, LISTING, "events"))
        return sent(await state.threads.run(lambda: _listed(given, caller, state)))

    async def moved(_: Request) -> Response:
        raise HttpError(404, f"{_OLD_EVENTS} is called {EVENTS}")

    return {
        ("GET", EXPORT): export,
        ("POST", IMPORT): import_,
        ("GET", EVENTS): events,
        ("GET", _OLD_EVENTS): moved,
    }


def _exported(state: AppState, caller: Caller) -> IO[bytes]:
    with tempfile.TemporaryDirectory(prefix="ebbing-") as folder:
        path = Path(folder) / "export"
        state.dispatcher.engine(caller).export(path)
        # Once open it needs no name any more.
        return path.open("rb")


async def _chunks(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        while chunk := await anyio.to_thread.run_sync(file.read, _CHUNK_BYTES):
            yield chunk


async def _received(request: Request, path: Path, state: AppState) -> None:
    """Receive the body into a file; a client that sends nothing for a while is refused."""
    seconds = state.settings.body_seconds
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
            raise HttpError(408, f"nothing more arrived for {seconds:g} s", {"Connection": "close"}) from None
        except ClientDisconnect:
            raise HttpError(400, "the request body is incomplete") from None


def _imported(path: Path, choices: dict[str, Any], caller: Caller, state: AppState) -> Imported:
    try:
        return state.dispatcher.engine(caller).import_(path, **choices)
    except EbbingError as error:
        # The path of the temporary file is of no use to the client.
        raise type(error)(str(error).replace(str(path), "the import")) from error


def _listed(given: dict[str, Any], caller: Caller, state: AppState) -> Answer:
    events = state.dispatcher.engine(caller).events(**given)
    limit = given.get("limit", LISTING["limit"].default)
    link = f"{EVENTS}?after={events[-1].seq}&limit={limit}" if len(events) == limit else None
    return Answer(200, (), written({"events": plain(events), "next": link}))
