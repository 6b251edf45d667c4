"""The dashboard in a real Chromium (`make test-dashboard`): nothing inline runs, axe finds nothing, keys work."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ebbing.domain.memory import Status
from ebbing.interfaces.http_api import Settings
from tests.interfaces.dashboard import chromium
from tests.interfaces.dashboard.story import Story, story
from tests.interfaces.web import Web, web

FOLDER = os.environ.get("EBBING_BROWSER")
pytestmark = pytest.mark.skipif(FOLDER is None, reason="make test-dashboard sets a browser up and runs these")
WIDE, NARROW = 1200, 320
PAGES = (
    "/",
    "/?within=today",
    "/review",
    "/forgotten",
    "/forgotten?show=purged",
    "/forgotten/{batch}",
    "/recall",
    "/recall?q=where+do+we+deploy",
    "/recall?q=where+do+we+deploy&scope=/none&as_of=2026-06-01",
    "/policy",
    "/policy?try=1&detach=0.3&summarize=0.4&archive=0.1&slowdown=1",
    "/browse",
    "/browse?q=alert",
    "/browse?status=quarantined",
    "/health",
    "/memory/{fading}",
    "/memory/{retired}",
    "/memory/{fading}/purge",
    "/memory/none",
)
_WATCH = """
window.broken = [];
document.addEventListener("securitypolicyviolation", (e) => window.broken.push(e.violatedDirective + e.blockedURI));
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    with story(tmp_path_factory.mktemp("story")) as made:
        yield made


@pytest.fixture(scope="module")
def served(told: Story) -> Iterator[Web]:
    with web(told.engine, Settings(write_as_user=True)) as running:
        yield running


@pytest.fixture(scope="module")
def started() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    browser = chromium.found(Path(FOLDER or ""))
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=str(browser.path), args=list(browser.arguments), env=browser.environment
        )
        yield running
        running.close()


@pytest.fixture
def opened(started: Any, served: Web) -> Iterator[Any]:
    """Pages of one browser window, as the user of the machine, who signed in with every right."""
    token = served.token(
        "chromium", owner="mara", rights=("read", "write", "forget", "purge", "admin", "write-as-user")
    )
    contexts = []

    def open_(width: int = WIDE, theme: str = "light", **more: Any) -> Any:
        given = {"viewport": {"width": width, "height": 900}, "color_scheme": theme, "base_url": served.address, **more}
        context = started.new_context(**given)
        contexts.append(context)
        page = context.new_page()
        page.add_init_script(_WATCH)
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (page.problems.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.goto("/sign-in")
        page.fill("#token", token)
        page.click("main button")
        return page

    yield open_
    for context in contexts:
        context.close()
    from ebbing.interfaces import api_tokens

    api_tokens.revoke(served.engine.store, "chromium")


def address(template: str, told: Story) -> str:
    return template.format(batch=told.batch, fading=told.fading, retired=told.retired)


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page_is_accessible_and_breaks_no_policy(opened: Any, told: Story, theme: str, width: int) -> None:
    """axe-core finds no violation, nothing inline is tried, no script fails, and nothing is wider than the window."""
    page = opened(width, theme)
    script = chromium.axe(Path(FOLDER or ""))
    found = []
    for template in PAGES:
        page.goto(address(template, told))
        page.evaluate(script)
        violations = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        found += [f"{template}: {one['id']} {[n['target'] for n in one['nodes']][:3]}" for one in violations]
        found += [f"{template}: {one}" for one in page.evaluate("window.broken")]
        overflow = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        found += [f"{template}: {overflow} px too wide"] if overflow > 0 else []
    assert found + page.problems == []


def test_a_hostile_memory_does_nothing(opened: Any, told: Story) -> None:
    """Neither its markup runs nor its address is followed, on any page that shows it."""
    page = opened()
    for where in ("/", "/browse?q=alert", "/recall?q=alert+script&min_score=0"):
        page.goto(where)
        assert "onerror=alert(2)" in page.inner_text("main")
        assert page.query_selector_all("main img, main script, main [onerror], main a[href^='javascript']") == []
    assert page.problems == []
    assert page.evaluate("window.broken") == []


def test_keys_let_go_and_undo(opened: Any, told: Story) -> None:
    """Down to a row, one key to let it go, one key to undo that; and it is as it was."""
    page = opened()
    page.goto("/")
    page.keyboard.press("j")
    page.keyboard.press("j")
    id_ = page.evaluate("document.activeElement.closest('[data-row]').querySelector('[data-open]').pathname").split(
        "/"
    )[-1]
    before = told.engine.get(id_)
    page.keyboard.press("f")
    page.wait_for_url("**/*did=forgotten*")
    assert told.engine.get(id_).status is Status.FORGOTTEN
    page.keyboard.press("u")
    page.wait_for_url("**/*did=undone*")
    assert told.engine.get(id_) == before
    assert page.problems == []


def test_a_case_is_settled_with_one_key_and_undone(opened: Any, told: Story) -> None:
    """The number on the button is the key."""
    page = opened()
    waiting = [one.memory.id for one in told.engine.review()]
    page.goto("/review")
    page.keyboard.press("j")
    page.keyboard.press("1")
    page.wait_for_url("**/*did=settled*")
    assert [one.memory.id for one in told.engine.review()] != waiting
    page.keyboard.press("u")
    page.wait_for_url("**/*did=undone*")
    assert [one.memory.id for one in told.engine.review()] == waiting


def test_filters_change_the_list_and_the_address(opened: Any, told: Story) -> None:
    """Without loading the page anew; going back shows what was there."""
    page = opened()
    page.goto("/browse")
    page.evaluate("window.stayed = true")
    page.select_option("#status", "archived")
    page.wait_for_url("**/browse?*status=archived*")
    page.wait_for_function(
        "[...document.querySelectorAll('.row .status')].every((s) => s.className.includes('archived'))"
    )
    assert page.evaluate("window.stayed")
    assert page.problems == []


def test_everything_works_without_scripts(opened: Any, told: Story) -> None:
    """Reading, filtering, letting go and undoing are links and plain forms."""
    page = opened(java_script_enabled=False)
    page.goto("/browse?status=active")
    link = page.locator(".row [data-open]").first
    id_ = str(link.get_attribute("href")).split("/")[-1]
    page.locator(".row form button", has_text="Let go").first.click()
    assert told.engine.get(id_).status is Status.FORGOTTEN
    page.locator(".flash button").click()
    assert told.engine.get(id_).status is Status.ACTIVE


def test_the_switches_of_colour_and_language_hold(opened: Any) -> None:
    """Chosen once, on every page after."""
    page = opened(theme="light")
    page.goto("/health")
    page.click("button[name=theme][value=dark]")
    page.click("button[name=language][value=de]")
    page.goto("/")
    assert page.get_attribute("html", "data-theme") == "dark"
    assert page.get_attribute("html", "lang") == "de"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 22, 24)"
