"""`ebbing token …` and `ebbing update`: what they say, and what they leave behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from typer.testing import Result

import ebbing
from ebbing.interfaces import api_tokens

Run = Callable[..., Result]
Ask = Callable[..., Any]


def test_a_token_is_made_for_the_owner_and_agent_that_are_named(answer: Ask, elsewhere: Path) -> None:
    made = answer("token", "create", "laptop", "--owner", "mara", "--agent", "scout", "--right", "read")
    assert {*made} == {"token", "id", "name", "owner", "agent", "rights", "created_at", "expires_at", "used_on"}
    with ebbing.open(elsewhere / "memory.db") as engine:
        caller = api_tokens.authenticate(engine.store, made["token"], engine.clock.now())
    assert (caller.owner, caller.agent, sorted(caller.rights), caller.name) == ("mara", "scout", ["read"], "laptop")


def test_a_pipe_gets_the_token_in_its_first_line(run: Run) -> None:
    first = run("token", "create", "laptop").stdout.splitlines()[0]
    assert first.startswith("token\tebb_")


def test_a_list_shows_every_token_and_no_secret(run: Run, answer: Ask) -> None:
    made = answer("token", "create", "laptop", "--owner", "mara", "--expires-in", "90d")
    answer("token", "create", "phone", "--owner", "ben")
    listed = answer("token", "list")
    assert [(one["name"], one["owner"]) for one in listed] == [("laptop", "mara"), ("phone", "ben")]
    shown = run("token", "list").stdout + run("token", "list", "--json").stdout
    assert made["token"].rpartition("_")[2] not in shown
    assert "digest" not in shown


def test_a_revoked_token_is_gone(run: Run, answer: Ask) -> None:
    answer("token", "create", "laptop")
    assert answer("token", "revoke", "laptop") == {"revoked": "laptop"}
    assert answer("token", "list") == []
    assert run("token", "revoke", "laptop").exit_code == 3


def test_what_no_token_can_be_is_said(run: Run) -> None:
    wrong = run("token", "create", "laptop", "--right", "fly")
    assert wrong.exit_code == 2
    assert "read, write, forget, purge, admin" in wrong.stderr
    run("token", "create", "laptop")
    assert run("token", "create", "laptop").exit_code == 4


def test_a_memory_is_changed_in_place_or_replaced(run: Run, answer: Ask) -> None:
    first = answer("remember", "Deploys happen on Tuesdays")["memories"][0]
    changed = answer("update", first["id"], "--importance", "0.9", "--tag", "ops", "--metadata", '{"a": 1}')
    assert (changed["id"], changed["importance"], changed["tags"]) == (first["id"], 0.9, ["ops"])
    assert changed["metadata"] == {"a": 1}
    replaced = answer("update", first["id"], "--text", "-", given="Deploys happen on Thursdays")
    assert replaced["text"] == "Deploys happen on Thursdays"
    assert answer("show", first["id"])["superseded_by"] == replaced["id"]


def test_a_change_of_nothing_or_of_what_has_changed_is_refused(run: Run, answer: Ask) -> None:
    id_ = answer("remember", "Deploys happen on Tuesdays")["memories"][0]["id"]
    assert run("update", id_).exit_code == 2
    assert run("update", id_, "--metadata", "{").exit_code == 2
    assert run("update", id_, "--importance", "0.9", "--version", "another").exit_code == 4
    assert answer("show", id_)["importance"] != 0.9
