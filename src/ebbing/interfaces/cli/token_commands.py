"""`ebbing token …`: who may come in through the network. What is printed of a new token is printed once."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import typer

from ..parameters import PARAMETERS, own, text, texts
from ..tools import Right
from . import views
from .command_context import Shell
from .forget_commands import YES
from .typer_app import MAINTENANCE, Program, command, group

if TYPE_CHECKING:  # loaded when a command runs
    from ...ports import Token

group("token", "Make, list and revoke the tokens of `ebbing serve`.", panel=MAINTENANCE)

_NAME = text("name", "What you call it; no two have the same name.")


@command(
    Program(
        "token create",
        "Make a token for --owner, and print it. It is shown this once: only a digest of it is kept.",
        own(
            _NAME,
            texts(
                "rights",
                "What it may do; by default read, write and forget.",
                default=None,
                choices=tuple(right.value for right in Right),
                option="--right",
                metavar="RIGHT",
            ),
            PARAMETERS["expires_in"].but(
                default=None, about="How long it is valid: 12h, 90d, 1y; by default until revoked."
            ),
        ),
    ),
    panel=MAINTENANCE,
    examples=(
        "ebbing token create laptop --owner mara",
        "ebbing token create scout --owner mara --agent scout --right read --right write --expires-in 90d",
        "ebbing token create backup --owner mara --right admin",
        "ebbing token create app --owner mara --right read --right write --right write-as-user",
    ),
)
def create(shell: Shell, given: dict[str, Any]) -> None:
    """The token, this once."""
    from .. import api_tokens
    from ..access import REVERSIBLE

    settings = shell.settings
    with shell.engine(creates=True) as engine:
        issued = api_tokens.create(
            engine.store,
            given["name"],
            owner=settings.owner,
            agent=settings.agent,
            rights=given["rights"] or REVERSIBLE,
            expires_in=given["expires_in"],
            now=engine.clock.now(),
        )
    shown = {"token": issued.text, **api_tokens.public(issued.token)}
    hint = "Keep it where you keep passwords: it is not shown again."
    shell.show(shown, lambda _: views.View(facts=_facts(shown), hint=hint))


@command(
    Program("token list", "List the tokens of a store, every owner's. The tokens themselves are not stored."),
    panel=MAINTENANCE,
    examples=("ebbing token list", "ebbing token list --json"),
)
def list_(shell: Shell, _: dict[str, Any]) -> None:
    """Names, rights and dates."""
    from .. import api_tokens

    with shell.engine() as engine:
        found, now = engine.store.tokens.all(), engine.clock.now()
    shell.show([api_tokens.public(one) for one in found], lambda _: _table(found, now))


@command(
    Program(
        "token revoke", "Revoke a token. It is refused from this moment on, also by a running server.", own(_NAME, YES)
    ),
    panel=MAINTENANCE,
    examples=("ebbing token revoke laptop",),
)
def revoke(shell: Shell, given: dict[str, Any]) -> None:
    """Asks first."""
    from .. import api_tokens

    with shell.engine() as engine:
        name = given["name"]
        if not given["yes"] and shell.can_ask:
            typer.confirm(f"Revoke {name}?", abort=True, err=True)
        api_tokens.revoke(engine.store, name)
    shell.show(
        {"revoked": name}, lambda answer: views.fact("revoked", answer["revoked"], f"{name} is refused from now on.")
    )


def _facts(shown: dict[str, Any]) -> list[tuple[str, views.Cell]]:
    fields = {**shown, "rights": ", ".join(shown["rights"])}
    return [(name.replace("_", " "), str(value)) for name, value in fields.items() if value is not None]


def _table(found: list[Token], now: datetime) -> views.View:
    rows = [
        (one.name, one.owner, one.agent or "", ", ".join(one.rights), _until(one, now), str(one.used_on or "never"))
        for one in found
    ]
    headline = (
        "" if found else "There is no token. Until one is made, requests from this machine need none; all others do."
    )
    return views.View(headline, headings=("name", "owner", "agent", "rights", "valid", "last used"), rows=rows)


def _until(one: Token, now: datetime) -> str:
    if one.expires_at is None:
        return "until revoked"
    return f"until {one.expires_at:%Y-%m-%d}" if one.expires_at > now else "expired"
