"""A browser without scripts, for the tests of the dashboard: it keeps cookies, follows links and sends forms."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin

import httpx2

_TAG = re.compile(r"<[^>]+>")


@dataclass
class Form:
    """One form of a page, as it would be sent."""

    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str, str, str]] = field(default_factory=list)  # action, name, value


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.open: Form | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form" and given.get("method", "").lower() == "post":
            self.open = Form(given["action"])
            self.forms.append(self.open)
        elif self.open is not None and tag == "input" and given.get("type") != "checkbox":
            self.open.fields.append((given.get("name", ""), given.get("value", "")))
        elif self.open is not None and tag == "button":
            action = given.get("formaction", self.open.action)
            self.open.buttons.append((action, given.get("name", ""), given.get("value", ""), given.get("type", "")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.open = None


@dataclass
class Browser:
    """One person at a browser."""

    client: httpx2.Client
    page: httpx2.Response | None = None

    def open(self, address: str) -> str:
        """Go there, and read the page."""
        self.page = self.client.get(address, follow_redirects=True)
        return self.page.text

    @property
    def status(self) -> int:
        assert self.page is not None
        return self.page.status_code

    @property
    def address(self) -> str:
        """Where it has come to: the path with its query."""
        assert self.page is not None
        return str(self.page.url.raw_path.decode())

    @property
    def said(self) -> str:
        """The text of the page, as a reader sees it."""
        assert self.page is not None
        return " ".join(html.unescape(_TAG.sub(" ", self.page.text)).split())

    def forms(self) -> list[Form]:
        assert self.page is not None
        parser = _Forms()
        parser.feed(self.page.text)
        return parser.forms

    def press(self, action: str, **more: Any) -> str:
        """Press the first button of the page that does this action, with more fields filled in."""
        for form in self.forms():
            for target, name, value, _ in form.buttons:
                if target.split("?")[0] != f"/{action}" or any(
                    more.get(f"_{n}") not in (None, v) for n, v in form.fields
                ):
                    continue
                given = {key: it for key, it in more.items() if not key.startswith("_")}
                fields = [entry for entry in form.fields if entry[0] not in given]
                fields += [(name, value)] if name and name not in given else []
                for key, it in given.items():
                    fields += [(key, one) for one in ([it] if isinstance(it, str) else it)]
                return self.send(target, fields)
        raise AssertionError(f"this page has no button that does {action}: {self.address}")

    def send(self, target: str, fields: list[tuple[str, str]], **headers: str) -> str:
        assert self.page is not None
        body = str(httpx2.QueryParams(fields))
        kind = {"Content-Type": "application/x-www-form-urlencoded", **headers}
        address = urljoin(str(self.page.url), target)
        self.page = self.client.post(address, content=body, headers=kind, follow_redirects=True)
        return self.page.text

    def key(self) -> str:
        """What the forms of this page show to be believed."""
        return next(value for form in self.forms() for name, value in form.fields if name == "form_key")
