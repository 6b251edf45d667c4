"""`ebbing token …`: who may come in through the network. What is printed of a new token is printed once."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import shared_options, views
from .command_context import Shell
from .typer_app import CARE, command, group

if TYPE_CHECKING:  # what it stands on is loaded when a command runs
    from ...ports import Token

token = group("token", "Make, list and revoke the tokens of `ebbing serve`.", panel=CARE)

_Name = Annotated[str, typer.Argument(metavar="NAME", help="What you call it; no two have the same name.")]


@command(
    "create",
    of=token,
    panel=CARE,
    examples=(
        "ebbing token create laptop --owner mara",
        "ebbing token create scout --owner mara --agent scout --right read --right write --expires-in 90d",
        "ebbing token create backup --owner mara --right admin",
        "ebbing token create app --owner mara --right read --right write --right write-as-user",
    ),
)
def create(
    shell: Shell,
    name: _Name,
    rights: Annotated[
        list[str] | None,
        typer.Option(
            "--right",
            metavar="RIGHT",
            help="read, write, forget, purge, admin or write-as-user; may be given again. "
            "Otherwise read, write and forget.",
        ),
    ] = None,
    expires_in: Annotated[
        str | None, typer.Option(metavar="SPAN", help="How long it is valid: 12h, 90d, 1y; otherwise until revoked.")
    ] = None,
) -> None:
    """Make a token for --owner, and print it. It is shown this once: only a digest of it is kept."""
    from .. import api_tokens
    from ..access import REVERSIBLE

    settings = shell.settings
    with shell.engine(creates=True) as engine:
        issued = api_tokens.create(
            engine.store,
            name,
            owner=settings.owner,
            agent=settings.agent,
            rights=rights or REVERSIBLE,
            expires_in=expires_in,
            now=engine.clock.now(),
        )
    shown = {"token": issued.text, **api_tokens.public(issued.token)}
    hint = "Keep it where you keep passwords: it is not shown again."
    shell.show(shown, lambda _: views.Sheet(facts=_facts(shown), hint=hint))


@command("list", of=token, panel=CARE, examples=("ebbing token list", "ebbing token list --json"))
def list_(shell: Shell) -> None:
    """List the tokens of a store, every owner's. The tokens themselves are nowhere to be read."""
    from .. import api_tokens

    with shell.engine() as engine:
        found, now = engine.store.tokens.all(), engine.clock.now()
    shell.show([api_tokens.public(one) for one in found], lambda _: _table(found, now))


@command("revoke", of=token, panel=CARE, examples=("ebbing token revoke laptop",))
def revoke(shell: Shell, name: _Name, yes: shared_options.Yes = False) -> None:
    """Revoke a token. It lets nobody in from this moment on, also where a server runs."""
    from .. import api_tokens

    with shell.engine() as engine:
        if not yes and shell.can_ask:
            typer.confirm(f"Revoke {name}?", abort=True, err=True)
        api_tokens.revoke(engine.store, name)
    shell.show({"revoked": name}, lambda answer: views.fact("revoked", answer["revoked"], f"{name} lets nobody in."))


def _facts(shown: dict[str, Any]) -> list[tuple[str, views.Cell]]:
    told = {**shown, "rights": ", ".join(shown["rights"])}
    return [(name.replace("_", " "), str(value)) for name, value in told.items() if value is not None]


def _table(found: list[Token], now: datetime) -> views.Sheet:
    rows = [
        (one.name, one.owner, one.agent or "", ", ".join(one.rights), _until(one, now), str(one.used_on or "never"))
        for one in found
    ]
    headline = (
        ""
        if found
        else "There is no token. On loopback the local user needs none unless there was one; nobody else is let in."
    )
    return views.Sheet(headline, headings=("name", "owner", "agent", "rights", "valid", "last used"), rows=rows)


def _until(one: Token, now: datetime) -> str:
    if one.expires_at is None:
        return "until revoked"
    return f"until {one.expires_at:%Y-%m-%d}" if one.expires_at > now else "expired"
