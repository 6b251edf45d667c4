"""`ebbing token …`: who may come in through the network. What is printed of a new token is printed once."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import typer

from ...ports import Token
from .. import api_tokens
from ..access import REVERSIBLE
from . import views
from .command_context import Shell


def create(shell: Shell, given: dict[str, Any]) -> None:
    """The token, this once."""
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


def list_(shell: Shell, _: dict[str, Any]) -> None:
    """Names, rights and dates."""
    with shell.engine() as engine:
        found, now = engine.store.tokens.all(), engine.clock.now()
    shell.show([api_tokens.public(one) for one in found], lambda _: _table(found, now))


def revoke(shell: Shell, given: dict[str, Any]) -> None:
    """Asks first."""
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
