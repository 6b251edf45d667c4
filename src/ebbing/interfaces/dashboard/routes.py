"""The pages as routes: each with its `.json`, the actions of its forms, and who is let in.

It is given what the HTTP API shares with it (who calls, threads, the limit on attempts) and knows nothing else of it.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http.cookies import SimpleCookie
from typing import Any, Protocol
from urllib.parse import parse_qs, quote

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Scope

from ...domain.clock import Clock
from ...domain.errors import Denied, Invalid
from ...domain.results import plain
from ..access import Caller, NoCredential, ToolDispatcher
from ..tools import Pool, Right
from . import browse, forgotten, health, horizon, memory, policy_bench, recall_bench, review
from .actions import ACTIONS, Form, Shown
from .rendering import HEADERS, render
from .sessions import Sessions, cookies_of
from .static_files import PREFIX, static_file
from .visit import Visit, local_address
from .wording import LANGUAGES, Wording, preferred, wording

SIGN_IN, SIGN_OUT, PREFERENCES = "/sign-in", "/sign-out", "/preferences"
FORM = "application/x-www-form-urlencoded"
_THEMES = ("auto", "light", "dark")
_YEAR_SECONDS = 365 * 86_400
_FIELDS_MOST = 1000
_SEE_OTHER = 303


class Threads(Protocol):
    """Where calls of the engine run."""

    async def run(self, call: Callable[[], Any], pool: Pool = ...) -> Any: ...


class Attempts(Protocol):
    """How often somebody may try to sign in."""

    def wait_seconds(self, who: str) -> int: ...


@dataclass(frozen=True, slots=True)
class Page:
    """One page: the template of its name, and what it is filled with."""

    name: str
    path: str
    read: Callable[[Visit], Mapping[str, Any]]
    json_path: str
    slow: bool = False


PAGES = (
    Page("horizon", "/", horizon.read, "/horizon.json"),
    Page("review", "/review", review.read, "/review.json"),
    Page("forgotten", "/forgotten", forgotten.read, "/forgotten.json"),
    Page("batch", "/forgotten/{id}", forgotten.read_batch, "/forgotten/{id}.json"),
    Page("recall_bench", "/recall", recall_bench.read, "/recall.json"),
    Page("policy_bench", "/policy", policy_bench.read, "/policy.json", slow=True),
    Page("health", "/health", health.read, "/health.json"),
    Page("browse", "/browse", browse.read, "/browse.json"),
    Page("memory", "/memory/{id}", memory.read, "/memory/{id}.json"),
    Page("purge", "/memory/{id}/purge", memory.read_purge, "/memory/{id}/purge.json"),
)
_IN_NAVIGATION = ("horizon", "review", "forgotten", "recall_bench", "policy_bench", "browse", "health")
NAVIGATION = [(page.name, page.path) for name in _IN_NAVIGATION for page in PAGES if page.name == name]
_OWNED = {
    "",
    "static",
    "actions",
    "sign-in",
    "sign-out",
    "preferences",
    "horizon",
    *(p.path.split("/")[1] for p in PAGES),
}


class Dashboard:
    """The pages of one server."""

    def __init__(
        self,
        dispatcher: ToolDispatcher,
        sessions: Sessions,
        threads: Threads,
        attempts: Attempts,
        clock: Clock,
        caller_of: Callable[[Scope], Caller],
        *,
        purged: Callable[[str], None],
        worker: bool = False,
    ) -> None:
        self._dispatcher = dispatcher
        self._sessions = sessions
        self._threads = threads
        self._attempts = attempts
        self._clock = clock
        self._caller_of = caller_of
        self._purged = purged  # to be told whose memories were erased, on the event loop
        self._worker = worker

    # What the guard asks

    def owns(self, path: str) -> bool:
        """Whether a path is one of these pages, so that cookies count and errors are pages too."""
        return path.startswith("/") and path.split("/")[1].removesuffix(".json") in _OWNED

    def is_open(self, path: str) -> bool:
        """Whether nobody needs to be known for it."""
        return path.startswith((PREFIX, SIGN_IN)) or path == PREFERENCES

    def caller(self, headers: Headers) -> Caller | None:
        """Who is signed in, in a thread; None where nobody is."""
        session = self._sessions.find(self._cookie(headers, "session"))
        return None if session is None else self._sessions.caller(session)

    def refused(self, scope: Scope, status: int, detail: str) -> Response:
        """An error as a page; who is not known and only wanted to read is asked to sign in."""
        headers = Headers(scope=scope)
        if status == 401 and scope["method"] in ("GET", "HEAD"):
            query = f"?{scope['query_string'].decode('latin-1')}" if scope["query_string"] else ""
            return self._to(f"{SIGN_IN}?next={quote(scope['path'] + query, safe='')}")
        model = {"status": status, "detail": detail, "page": "error", "visit": None}
        return self._html("error", model, self._wording(headers), headers, status)

    def routes(self) -> list[Route]:
        """Every route; literal paths before those with parts."""
        found = [
            Route(PREFIX + "{name}", static_file),
            Route(SIGN_IN, self._sign_in, methods=["GET", "POST"]),
            Route(SIGN_IN + "/{secret}", self._sign_in_by_link),
            Route(SIGN_OUT, self._sign_out, methods=["POST"]),
            Route(PREFERENCES, self._prefer, methods=["POST"]),
            Route("/actions/{name}", self._act, methods=["POST"]),
        ]
        found += [Route(page.json_path, self._json(page)) for page in PAGES]
        return found + [Route(page.path, self._page(page)) for page in PAGES]

    # Pages

    def _page(self, page: Page) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            visit = self._visit(request)
            model = await self._read(page, visit)
            more = {"page": page.name, "visit": visit, "json_address": visit.address(request.url.path + ".json")}
            if page.json_path != page.path + ".json":
                more["json_address"] = visit.address(page.json_path.format(**request.path_params))
            return self._html(page.name, {**model, **more}, visit.wording, request.headers)

        return answer

    def _json(self, page: Page) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            model = await self._read(page, self._visit(request))
            body = json.dumps(plain(dict(model)), ensure_ascii=False, allow_nan=False).encode()
            return Response(body, media_type="application/json")

        return answer

    async def _read(self, page: Page, visit: Visit) -> Mapping[str, Any]:
        self._dispatcher.allow(Right.READ, visit.caller)
        found: Mapping[str, Any] = await self._threads.run(
            lambda: page.read(visit), Pool.SLOW if page.slow else Pool.SEARCH
        )
        return found

    def _visit(self, request: Request) -> Visit:
        try:
            query = parse_qs(request.url.query, keep_blank_values=True, max_num_fields=_FIELDS_MOST)
        except ValueError:
            raise Invalid(f"the address has more than {_FIELDS_MOST} fields, and that is the limit") from None
        return Visit(
            self._dispatcher,
            self._caller_of(request.scope),
            self._wording(request.headers),
            request.url.path,
            query,
            dict(request.path_params),
            self._worker,
        )

    # Actions

    async def _act(self, request: Request) -> Response:
        form = await self._form(request)
        action = ACTIONS.get(request.path_params["name"])
        if action is None:
            raise Invalid(f"there is no action {request.path_params['name'][:40]}; there are {', '.join(ACTIONS)}")
        visit = self._visit(request)
        answer = await self._threads.run(lambda: action(visit, form), Pool.WRITE)
        if request.path_params["name"] == "purge":
            self._purged(visit.caller.owner)
        if isinstance(answer, Response):
            return answer
        if isinstance(answer, Shown):
            return self._html(
                answer.template, {**answer.model, "page": "purge", "visit": visit}, visit.wording, request.headers
            )
        return self._to(answer)

    async def _form(self, request: Request) -> Form:
        """The fields of a form, if it is one of ours."""
        try:
            fields = parse_qs(
                (await request.body()).decode("utf-8"), keep_blank_values=True, max_num_fields=_FIELDS_MOST
            )
        except ValueError:
            raise Invalid("the form is not text in UTF-8, or has too many fields") from None
        session = self._sessions.find(self._cookie(request.headers, "session"))
        key = self._sessions.form_key(session)
        if not hmac.compare_digest(fields.get("form_key", [""])[0].encode(), key.encode()):
            raise Denied("this form is not of this session, or of an earlier start of the server: reload the page")
        return Form(fields)

    # Signing in and out, language and colours

    async def _sign_in(self, request: Request) -> Response:
        target = local_address(request.query_params.get("next"))
        words = self._wording(request.headers)
        model: dict[str, Any] = {"page": "sign_in", "visit": None, "next": target, "wrong": None}
        if request.method != "POST":
            return self._html("sign_in", model, words, request.headers)
        form = await self._form(request)
        who = request.client.host if request.client else ""
        try:
            id_ = await self._threads.run(lambda: self._sessions.begin(form.text("token") or ""), Pool.SEARCH)
        except NoCredential as error:
            seconds = self._attempts.wait_seconds(who)
            model["wrong"] = words.say("sign_in.wait", count=seconds) if seconds else str(error)
            return self._html("sign_in", model, words, request.headers, 429 if seconds else 401)
        return self._signed_in(request, id_, target)

    async def _sign_in_by_link(self, request: Request) -> Response:
        if seconds := self._attempts.wait_seconds(request.client.host if request.client else ""):
            raise NoCredential(f"too many attempts; wait {seconds} s")
        return self._signed_in(request, self._sessions.begin_by_link(request.path_params["secret"]), "/")

    async def _sign_out(self, request: Request) -> Response:
        await self._form(request)
        self._sessions.end(self._cookie(request.headers, "session"))
        response = self._to(SIGN_IN)
        self._set_cookie(response, request.headers, "session", "", seconds=0)
        return response

    async def _prefer(self, request: Request) -> Response:
        form = await self._form(request)
        response = self._to(local_address(form.text("back")))
        for name, known in (("language", LANGUAGES), ("theme", _THEMES)):
            if (chosen := form.text(name)) in known:
                self._set_cookie(response, request.headers, name, str(chosen), seconds=_YEAR_SECONDS)
        return response

    def _signed_in(self, request: Request, id_: str, target: str) -> Response:
        response = self._to(target)
        self._set_cookie(response, request.headers, "session", id_)
        return response

    # Answers

    def _html(
        self, template: str, model: Mapping[str, Any], words: Wording, headers: Headers, status: int = 200
    ) -> Response:
        session = self._sessions.find(self._cookie(headers, "session"))
        theme = self._cookie(headers, "theme")
        more = {
            "w": words,
            "t": words.say,
            "now": self._clock.now(),
            "form_key": self._sessions.form_key(session),
            "signed_in": session is not None,
            "theme": theme if theme in _THEMES else "auto",
            "languages": LANGUAGES,
            "navigation": NAVIGATION,
        }
        body = render(f"{template}.html", {**more, **model})
        return Response(body, status, {**HEADERS, "Content-Type": "text/html; charset=utf-8"})

    def _to(self, address: str) -> Response:
        return RedirectResponse(address, _SEE_OTHER, HEADERS)

    def _wording(self, headers: Headers) -> Wording:
        return wording(preferred(self._cookie(headers, "language"), headers.get("accept-language", "")))

    def _cookie(self, headers: Headers, name: str) -> str | None:
        return cookies_of(headers.get("cookie", "")).get(_cookie_name(headers, name))

    def _set_cookie(
        self, response: Response, headers: Headers, name: str, value: str, *, seconds: int | None = None
    ) -> None:
        """Read by no script, sent by no other page's request, and over TLS alone where the page came so."""
        jar: SimpleCookie = SimpleCookie()
        key = _cookie_name(headers, name)
        jar[key] = value
        jar[key]["path"] = "/"
        jar[key]["httponly"] = True
        jar[key]["samesite"] = "Strict"
        if seconds is not None:
            jar[key]["max-age"] = seconds
        if headers.get("origin", "").startswith("https://"):
            jar[key]["secure"] = True
        response.headers.append("set-cookie", jar[key].OutputString())


def _cookie_name(headers: Headers, name: str) -> str:
    """Cookies are of a host whatever its port, and two servers may run on one."""
    port = headers.get("host", "").rpartition(":")[2]
    return f"ebbing_{name}_{port}" if port.isdigit() else f"ebbing_{name}"
