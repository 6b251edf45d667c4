"""Credentials in the store: kept without their secret, found before an owner is known, gone when revoked."""

from __future__ import annotations

import dataclasses
from datetime import date, timedelta

import pytest

from ebbing.domain.errors import Conflict, Denied, Invalid, NotFound
from ebbing.interfaces import api_tokens
from ebbing.interfaces.access import Caller, NoCredential
from ebbing.interfaces.tools import Right
from ebbing.ports import Store, Token
from ebbing.store import open_store
from ebbing.testing import FrozenClock
from tests.conftest import OpenEngine
from tests.store.conftest import EveryByte
from tests.store.making import NOW

KEPT = Token(
    id="0123456789ab",
    name="Mara's laptop",
    owner="mara",
    agent="scout",
    rights=("forget", "read"),
    digest="f" * 64,
    created_at=NOW,
    expires_at=NOW + timedelta(days=90, microseconds=1),
    used_on=date(2026, 1, 2),
)


def test_a_credential_comes_back_as_it_was_kept(store: Store) -> None:
    plain = dataclasses.replace(KEPT, id="b", name="another", agent=None, expires_at=None, used_on=None)
    assert not store.tokens.any()
    assert store.tokens.add(KEPT)
    assert store.tokens.add(plain)
    assert store.tokens.any()
    assert store.tokens.find(KEPT.id) == KEPT
    assert store.tokens.all() == [KEPT, plain]
    assert store.tokens.find("no such id") is None


def test_no_two_credentials_have_one_name(store: Store) -> None:
    assert store.tokens.add(KEPT)
    assert not store.tokens.add(dataclasses.replace(KEPT, id="b", owner="somebody else"))
    assert store.tokens.all() == [KEPT]


def test_another_opener_of_the_store_sees_what_was_added_and_what_was_revoked(store: Store, address: str) -> None:
    """A server that runs lets nobody in whose token was revoked from the command line."""
    other = open_store(address)
    store.tokens.add(KEPT)
    assert other.tokens.find(KEPT.id) == KEPT
    assert store.tokens.revoke(KEPT.name)
    assert other.tokens.find(KEPT.id) is None
    assert not other.tokens.revoke(KEPT.name)
    other.close()


def test_the_last_day_of_use_is_kept(store: Store) -> None:
    store.tokens.add(KEPT)
    store.tokens.mark(KEPT.id, date(2026, 2, 3))
    assert store.tokens.find(KEPT.id) == dataclasses.replace(KEPT, used_on=date(2026, 2, 3))


def test_the_secret_is_told_once_and_stands_nowhere(store: Store, every_byte: EveryByte) -> None:
    issued = api_tokens.create(store, "laptop", owner="mara", rights=["read"], now=NOW)
    secret = issued.text.rpartition("_")[2]
    assert issued.text.startswith(f"ebb_{issued.token.id}_")
    assert len(bytes.fromhex(secret)) == 32
    assert b"laptop" in every_byte()
    assert secret.encode() not in every_byte()


def test_whoever_shows_a_token_is_who_it_was_made_for(store: Store) -> None:
    issued = api_tokens.create(store, "laptop", owner="mara", agent="scout", rights=["read", "purge"], now=NOW)
    caller = api_tokens.authenticate(store, issued.text, NOW)
    assert caller == Caller("mara", "scout", frozenset({Right.READ, Right.PURGE}), "laptop")


@pytest.mark.parametrize(
    "shown",
    [
        "",
        "ebb_",
        "ebb__",
        "{id}",
        "ebb_{id}",
        "ebb_{id}_",
        "ebb_{id}_wrong",
        "ebb_000000000000_{secret}",
        "EBB_{id}_{secret}",
        "ebb_{id}_{secret}x",
        "ebb_{id}_{secret} ",
        "ebb_{id}_\N{SNOWMAN}",
        "ebb_\x00_{secret}",
    ],
)
def test_what_is_not_the_whole_token_lets_nobody_in(store: Store, shown: str) -> None:
    issued = api_tokens.create(store, "laptop", owner="mara", now=NOW)
    secret = issued.text.split("_", 2)[2]
    with pytest.raises(NoCredential, match="not valid"):
        api_tokens.authenticate(store, shown.format(id=issued.token.id, secret=secret), NOW)


def test_a_token_that_was_revoked_lets_nobody_in(store: Store) -> None:
    issued = api_tokens.create(store, "laptop", owner="mara", now=NOW)
    api_tokens.revoke(store, "laptop")
    with pytest.raises(NoCredential, match="not valid"):
        api_tokens.authenticate(store, issued.text, NOW)
    with pytest.raises(NotFound, match="laptop"):
        api_tokens.revoke(store, "laptop")


def test_a_token_holds_until_it_expires_and_no_longer(store: Store) -> None:
    issued = api_tokens.create(store, "laptop", owner="mara", expires_in="90d", now=NOW)
    assert api_tokens.authenticate(store, issued.text, NOW + timedelta(days=89, hours=23)).owner == "mara"
    with pytest.raises(NoCredential, match="not valid"):
        api_tokens.authenticate(store, issued.text, NOW + timedelta(days=90))


def test_the_day_a_token_is_shown_is_noted_once_a_day(store: Store) -> None:
    issued = api_tokens.create(store, "laptop", owner="mara", now=NOW)
    assert issued.token.used_on is None
    for hours in (0, 1, 30):
        api_tokens.authenticate(store, issued.text, NOW + timedelta(hours=hours))
    found = store.tokens.find(issued.token.id)
    assert found is not None
    assert found.used_on == date(2026, 1, 2)


def test_what_no_token_can_be_is_refused(store: Store) -> None:
    with pytest.raises(Invalid, match="fly"):
        api_tokens.create(store, "laptop", owner="mara", rights=["fly"], now=NOW)
    with pytest.raises(Invalid, match="name"):
        api_tokens.create(store, " ", owner="mara", now=NOW)
    with pytest.raises(Invalid, match="owner"):
        api_tokens.create(store, "laptop", owner="", now=NOW)
    with pytest.raises(Invalid, match="soon"):
        api_tokens.create(store, "laptop", owner="mara", expires_in="soon", now=NOW)
    assert store.tokens.all() == []
    api_tokens.create(store, "laptop", owner="mara", now=NOW)
    with pytest.raises(Conflict, match="laptop"):
        api_tokens.create(store, "laptop", owner="somebody else", now=NOW)


def test_without_rights_named_a_token_may_do_what_can_be_undone(store: Store) -> None:
    """Erasing, and what concerns everybody, are asked for by name."""
    issued = api_tokens.create(store, "laptop", owner="mara", now=NOW)
    assert set(issued.token.rights) == {"read", "write", "forget"}


def test_a_purge_of_everything_leaves_the_owners_tokens(open_engine: OpenEngine, clock: FrozenClock) -> None:
    """They hold nothing that was said, and whoever purges may have more to say; revoking is another decision."""
    engine = open_engine("mara")
    engine.remember("the vault opens with blue cheese")
    issued = api_tokens.create(engine.store, "laptop", owner="mara", now=clock.now())
    assert engine.purge(everything=True).verified
    assert api_tokens.authenticate(engine.store, issued.text, clock.now()).owner == "mara"


def test_no_credential_is_a_kind_of_denied() -> None:
    """Whoever catches what is denied catches strangers too."""
    assert issubclass(NoCredential, Denied)
    assert NoCredential.code == "denied"
