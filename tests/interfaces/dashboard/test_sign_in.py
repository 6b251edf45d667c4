"""Who is let into the dashboard: the same callers with the same rights as at the API, by a session."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import httpx2
import pytest

import ebbing
from ebbing.engine import Engine
from ebbing.interfaces import api_tokens
from ebbing.interfaces.dashboard.sessions import LASTS
from ebbing.interfaces.http_api import Settings
from ebbing.testing import FakeEmbedder, FrozenClock
from tests.interfaces.dashboard.browser import Browser
from tests.interfaces.web import PATIENCE_SECONDS, Web, web

LINK = "a-link-that-is-used-once"


@pytest.fixture
def engine(tmp_path: Path, clock: FrozenClock) -> Iterator[Engine]:
    with ebbing.open(tmp_path / "memory.db", clock=clock, embedder=FakeEmbedder(), judge="off") as opened:
        yield opened


@pytest.fixture
def served(engine: Engine) -> Iterator[Web]:
    with web(engine) as running:
        yield running


def signed_in(served: Web, token: str) -> Browser:
    browser = Browser(served.client())
    browser.open("/sign-in")
    browser.press("sign-in", token=token)
    return browser


def test_without_a_token_the_local_user_is_let_in(served: Web) -> None:
    """As at the API: on loopback, as long as there never was a token."""
    browser = Browser(served.client())
    browser.open("/")
    assert (browser.status, browser.address) == (200, "/")


def test_with_a_token_everybody_signs_in_and_comes_to_where_they_wanted(served: Web) -> None:
    """A page asks for the token; its `.json` says 401."""
    token = served.token("laptop")
    browser = Browser(served.client())
    browser.open("/browse?status=active")
    assert browser.address.startswith("/sign-in?next=")
    assert served.client().get("/browse.json").status_code == 401
    assert served.client(token).get("/browse.json").status_code == 200
    browser.press("sign-in", token=token)
    assert (browser.status, browser.address) == (200, "/browse?status=active")


def test_the_cookie_is_read_by_no_script_and_sent_by_no_other_page(served: Web) -> None:
    """HttpOnly and SameSite=Strict; Secure behind a proxy with TLS; and it is not the token."""
    token = served.token("laptop")
    browser = Browser(served.client())
    browser.open("/sign-in")
    key = browser.key()
    form = f"form_key={key}&token={token}"
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = browser.client.post("/sign-in", content=form, headers=kind)
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Secure" not in cookie
    assert token not in cookie
    host = served.address.removeprefix("http://")
    behind = browser.client.post("/sign-in", content=form, headers={**kind, "Origin": f"https://{host}"})
    assert behind.status_code == 403 or "Secure" in behind.headers["set-cookie"]


@pytest.mark.parametrize("target", ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example", "x"])
def test_signing_in_leads_nowhere_else(served: Web, target: str) -> None:
    """An address in a link that somebody sends must not take the visitor to another site."""
    token = served.token("laptop")
    browser = Browser(served.client())
    browser.open(f"/sign-in?next={target}")
    browser.press("sign-in", token=token)
    assert browser.address == "/"


def test_a_wrong_token_is_refused_and_soon_has_to_wait(engine: Engine) -> None:
    """Nobody tries them all."""
    with web(engine, Settings(strangers_per_minute=6)) as served:
        served.token("laptop")
        browser = Browser(served.client())
        seen = set()
        for _ in range(4):
            browser.open("/sign-in")
            browser.press("sign-in", token="ebb_000000000000_wrong")
            seen.add(browser.status)
        assert seen == {401, 429}


def test_a_revoked_token_ends_its_sessions_at_once(served: Web) -> None:
    """Also one that is signed in."""
    served.token("other")
    browser = signed_in(served, served.token("laptop"))
    browser.open("/browse")
    assert browser.address == "/browse"
    api_tokens.revoke(served.engine.store, "laptop")
    browser.open("/browse")
    assert browser.address.startswith("/sign-in")


def test_a_session_ends_by_itself_and_by_signing_out(served: Web, clock: FrozenClock) -> None:
    """After half a day, or at once."""
    token = served.token("laptop")
    browser = signed_in(served, token)
    browser.press("sign-out")
    browser.open("/browse")
    assert browser.address.startswith("/sign-in")
    browser = signed_in(served, token)
    clock.set(clock.now() + LASTS + timedelta(seconds=1))
    browser.open("/browse")
    assert browser.address.startswith("/sign-in")


def test_a_form_without_the_key_of_its_session_is_refused(served: Web) -> None:
    """A page from elsewhere can send a form, but cannot know the key; nor can another session's do."""
    id_ = served.engine.remember("Deploys happen on Tuesdays").memories[0].id
    token = served.token("laptop")
    browser, other = signed_in(served, token), signed_in(served, token)
    for key in ([], [("form_key", "")], [("form_key", other.key())]):
        browser.open("/browse")
        browser.send("/actions/forget", [*key, ("id", id_)])
        assert browser.status == 403
    assert served.engine.get(id_).status == "active"
    browser.open("/browse")
    browser.send("/actions/forget", [("form_key", browser.key()), ("id", id_)], Origin="https://elsewhere.example")
    assert browser.status == 403
    assert served.engine.get(id_).status == "active"


def test_a_reader_cannot_change_anything(served: Web) -> None:
    """The rights are those of the token, whatever a form sends."""
    id_ = served.engine.remember("Deploys happen on Tuesdays").memories[0].id
    browser = signed_in(served, served.token("reader", rights=("read",)))
    for action in ("forget", "pin", "keep", "purge"):
        browser.open("/browse")
        browser.send(f"/actions/{action}", [("form_key", browser.key()), ("id", id_), ("confirm", "erase")])
        assert browser.status == 403, action
    assert served.engine.get(id_).recall_count == 0
    assert not served.engine.get(id_).pinned


def test_two_tenants_never_see_each_other(served: Web) -> None:
    """No page of one names a memory of the other, whatever id it is asked for."""
    mara, finn = served.engine.for_owner("mara"), served.engine.for_owner("finn")
    hers = mara.remember("Mara's secret garden").memories[0].id
    finn.remember("Finn's boat").memories[0]
    browser = signed_in(served, served.token("finn", owner="finn"))
    mara.forget(ids=mara.remember("The garden gate").memories[0].id, reason="garden")
    for address in ("/", "/browse", "/browse?q=garden", "/forgotten", "/review", "/recall?q=garden", "/health"):
        assert "garden" not in browser.open(address).replace("q=garden", "").replace('value="garden"', "")
    browser.open(f"/memory/{hers}")
    assert browser.status == 404
    browser.open(f"/forgotten/{mara.batches()[0].id}")
    assert browser.status == 404
    assert browser.client.get("/health.json").json()["hooks"] is None
    browser.open("/browse")
    browser.send("/actions/forget", [("form_key", browser.key()), ("id", hers)])
    assert browser.status == 404
    assert mara.get(hers).status == "active"


def test_a_private_memory_of_another_agent_is_not_shown(served: Web) -> None:
    """An agent's token sees what that agent sees."""
    scout = served.engine.for_owner("mara", "scout")
    id_ = scout.remember("Scout keeps this to itself", visibility="private").memories[0].id
    browser = signed_in(served, served.token("writer", owner="mara", agent="writer"))
    assert "keeps this" not in browser.open("/browse")
    browser.open(f"/memory/{id_}")
    assert browser.status == 404


def test_where_another_agent_keeps_private_memories_is_not_told(served: Web) -> None:
    """The names of scopes, and why something was erased, tell of what they hold."""
    scout = served.engine.for_owner("mara", "scout")
    scout.remember("Scout keeps this to itself", scope="/takeover/acme", visibility="private")
    scout.remember("Deploys happen on Tuesdays", scope="/project/api")
    erased = scout.remember("The bid is ready", scope="/bids", visibility="private").memories[0].id
    scout.purge(ids=erased, reason="the takeover of acme is off")

    def told(agent: str | None) -> tuple[list[str], list[str]]:
        asking = served.client(served.token(f"of {agent}", owner="mara", agent=agent, rights=("read",)))
        scopes = asking.get("/health.json").json()["scopes"]
        batches = asking.get("/forgotten.json?show=purged").json()["batches"]
        return [one["scope"] for one in scopes], [one["reason"] for one in batches]

    assert told("writer") == (["/project/api"], [])
    assert told("scout") == told(None) == (["/project/api", "/takeover/acme"], ["the takeover of acme is off"])


def test_the_link_signs_in_once_and_nobody_else_comes_in(engine: Engine) -> None:
    """`ebbing dashboard` makes it; without it the server is closed, though no token was ever made."""
    with web(engine, sign_in_link=LINK) as served:
        stranger = Browser(served.client())
        stranger.open("/")
        assert stranger.address.startswith("/sign-in")
        assert served.client().get("/v1/status").status_code == 401
        browser = Browser(served.client())
        browser.open(f"/sign-in/{LINK}")
        assert (browser.status, browser.address) == (200, "/")
        stranger.open(f"/sign-in/{LINK}")
        assert stranger.address.startswith("/sign-in")
        id_ = engine.remember("The code of the safe").memories[0].id
        assert "/purge" in browser.open(f"/memory/{id_}")
        assert browser.client.get("/health.json").json()["hooks"] is not None


def test_the_command_prints_a_link_that_works_once(tmp_path: Path) -> None:
    """`ebbing dashboard` serves on loopback until it is told to end, and needs no token to be made."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("EBBING_")}
    words = ["dashboard", "--db", str(tmp_path / "memory.db"), "--port", "0", "--no-browser", "--judge", "off"]
    command = [str(Path(sys.executable).with_name("ebbing")), *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as running:
        try:
            assert running.stderr is not None
            assert "works once" in running.stderr.readline()
            link = running.stderr.readline().strip()
            assert link.startswith("http://127.0.0.1:")
            with httpx2.Client(timeout=PATIENCE_SECONDS, verify=False) as client:
                assert "What will be forgotten" in client.get(link, follow_redirects=True).text
            with httpx2.Client(timeout=PATIENCE_SECONDS, verify=False) as another:
                assert another.get(link, follow_redirects=True).url.path == "/sign-in"
            running.terminate()
            assert running.wait(PATIENCE_SECONDS) == 0
        finally:
            running.kill()


def test_every_answer_forbids_scripts_of_others(served: Web) -> None:
    """A policy without inline scripts and styles, on pages, errors and redirects; and nothing is inline."""
    client = served.client()
    for address in ("/", "/browse", "/review", "/policy?try=1", "/sign-in", "/memory/none"):
        answer = client.get(address)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert " style=" not in answer.text
        assert "<style" not in answer.text
        assert " onclick=" not in answer.text
        assert answer.text.count("<script") == answer.text.count("<script src=")


def test_a_page_is_guarded_by_host_and_origin_like_the_api(served: Web) -> None:
    """A name that somebody made point here, and a page from elsewhere."""
    assert served.client().get("/", headers={"Host": "evil.example"}).status_code == 421
    assert served.client().get("/", headers={"Origin": "https://evil.example"}).status_code == 403
    json = served.client().post("/actions/pin", json={"id": "x"})
    assert json.status_code == 415
