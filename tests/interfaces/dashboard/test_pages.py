"""Every page of the dashboard over a real server, without scripts, on both stores; looking changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ebbing.domain.memory import Status
from ebbing.engine import Engine
from ebbing.interfaces.dashboard.routes import PAGES
from ebbing.testing import FrozenClock
from tests.interfaces.dashboard.browser import Browser
from tests.interfaces.web import Web, web

HOSTILE = "<script>alert(1)</script> <img src=x onerror=alert(2)> javascript:alert(3)"


@pytest.fixture
def served(engine: Engine) -> Iterator[Web]:
    with web(engine) as running:
        yield running


@pytest.fixture
def browser(served: Web) -> Browser:
    return Browser(served.client())


def filled(engine: Engine, clock: FrozenClock) -> list[str]:
    """A few memories with a past: used, edited, put away."""
    ids = [engine.remember(text).memories[0].id for text in ("Deploys happen on Tuesdays", "Mara drinks tea", HOSTILE)]
    clock.advance(days=3)
    engine.used(ids[0])
    engine.update(ids[1], importance=0.8)
    engine.forget(ids=engine.remember("The old office was in York").memories[0].id, reason="moved away")
    return ids


def addresses(engine: Engine, ids: list[str]) -> list[str]:
    """Every page there is, with something to show."""
    return [page.path.replace("{id}", ids[0]) for page in PAGES if page.name != "purge"]


def test_every_page_and_its_json_answer(engine: Engine, browser: Browser, clock: FrozenClock) -> None:
    """Also with nothing stored, which is how everybody begins."""
    for page in PAGES:
        if "{" not in page.path:
            browser.open(page.path)
            assert browser.status == 200, page.path
    ids = filled(engine, clock)
    for address in addresses(engine, ids):
        browser.open(address)
        assert browser.status == 200, address
        twin = "/horizon.json" if address == "/" else f"{address}.json"
        assert browser.client.get(twin).json(), twin


def test_looking_strengthens_nothing(engine: Engine, browser: Browser, clock: FrozenClock) -> None:
    """Whoever watches must not change what is watched: no event, no use, no day of use."""
    ids = filled(engine, clock)
    before, events = [engine.get(id_) for id_ in ids], engine.events(limit=1000)
    clock.advance(days=1)
    for address in addresses(engine, ids):
        browser.open(address)
    browser.open("/browse?q=deploys+tuesdays")
    assert [engine.get(id_) for id_ in ids] == before
    assert engine.events(limit=1000) == events


def test_what_a_memory_says_is_only_text(engine: Engine, browser: Browser, clock: FrozenClock) -> None:
    """Markup in a memory, its tags or its source is shown as it was written, and runs nowhere."""
    filled(engine, clock)
    tagged = engine.remember("A plain one", tags=['"><b>bold'], evidence="javascript:alert(4)", metadata={"<i>": "<u>"})
    for address in ("/", "/browse", f"/memory/{tagged.id}"):
        page = browser.open(address)
        for written in ("<img src=x", "<script>alert", "<b>bold", "<u>", 'href="javascript'):
            assert written not in page, (address, written)


def test_browse_filters_and_pages_by_its_address(engine: Engine, browser: Browser) -> None:
    """The address holds the state; each page goes on where the last ended, and none is counted."""
    engine.remember_many([f"Note {number} about subject {number % 7}" for number in range(120)])
    engine.remember("The pilot runs in /pilot", scope="/pilot", tags=["pilot"], pinned=True)
    seen: list[str] = []
    address: str | None = "/browse.json"
    while address:
        found = browser.client.get(address).json()
        seen += [one["id"] for one in found["memories"]]
        address = found["next"] and found["next"].replace("/browse?", "/browse.json?")
    assert len(seen) == len(set(seen)) == 121
    for query in ("scope=/pilot", "tag=pilot", "pinned=true", "q=pilot"):
        assert [one["scope"] for one in browser.client.get(f"/browse.json?{query}").json()["memories"]] == ["/pilot"]
    assert browser.client.get("/browse.json?status=forgotten").json()["memories"] == []
    browser.open("/browse?status=nonsense")
    assert browser.status == 422


def test_words_find_what_is_put_away_too(engine: Engine, browser: Browser) -> None:
    """Somebody who looks for something may well look for what is gone from recall."""
    gone = engine.remember("The vault has a blue door").memories[0]
    engine.forget(ids=gone.id)
    found = browser.client.get("/browse.json?q=vault").json()["memories"]
    assert [one["status"] for one in found] == ["forgotten"]
    assert browser.client.get("/browse.json?q=vault&status=active").json()["memories"] == []


def test_the_horizon_tells_what_the_sweeps_will_do(engine: Engine, browser: Browser, clock: FrozenClock) -> None:
    """What it says is due goes when a sweep comes by then, and nothing else does."""
    engine.remember_many([{"text": f"Test run {n}: passed", "category": "tool_output"} for n in range(4)])
    engine.remember("Mara's passport number is in the safe", importance=0.9, lifetime="life")
    told = browser.client.get("/horizon.json").json()
    due = {
        one["memory"]["id"]: one["at"] for one in told["horizon"]["upcoming"] if one["step"] in ("detach", "archive")
    }
    assert len(due) == 4
    assert told["counts"]["today"] <= told["counts"]["week"] <= told["counts"]["month"]
    clock.set(max(due.values()))
    gone = {action.memory.id for action in engine.sweep().actions if action.status is not Status.ACTIVE}
    assert gone == due.keys()


def test_the_pages_speak_german(browser: Browser) -> None:
    """By the browser's languages, and by the switch."""
    assert 'lang="de"' in browser.client.get("/", headers={"Accept-Language": "de-AT,en;q=0.5"}).text
    browser.open("/")
    assert "What will be forgotten" in browser.said
    browser.press("preferences", language="de")
    assert "Was vergessen wird" in browser.said
    browser.press("preferences", theme="dark")
    assert browser.page is not None
    assert 'data-theme="dark"' in browser.page.text
