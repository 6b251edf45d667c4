"""What was purged does not come back through the log: as a reason, as a session, or in the events of a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ebbing.domain.errors import Conflict, Invalid
from ebbing.engine import Engine
from tests.conftest import OpenEngine
from tests.whole import whole

TEXT = "Ada is allergic to peanuts."


@pytest.fixture
def purged(engine: Engine) -> Engine:
    engine.purge(ids=engine.remember(TEXT).id)
    engine.remember("The lamp is green.")
    return engine


@pytest.mark.parametrize(
    "call",
    [
        lambda engine, text: engine.forget(query="lamp green", reason=text),
        lambda engine, text: engine.purge(ids=engine.list()[0].id, reason=text),
        lambda engine, text: engine.recall("lamp", session=text),
        lambda engine, text: engine.context("lamp", session=text),
        lambda engine, text: engine.used(engine.list()[0].id, session=text),
    ],
    ids=["forget", "purge", "recall", "context", "used"],
)
@pytest.mark.parametrize("text", [TEXT, '"ada is allergic to PEANUTS"'])
def test_a_reason_or_a_session_that_was_purged_is_refused(
    purged: Engine, call: Callable[[Engine, str], object], text: str
) -> None:
    """Both are kept in the log, and history hands them out."""
    with pytest.raises(Conflict, match="says what was purged"):
        call(purged, text)
    assert "peanuts" not in whole(purged.events()).lower()


def test_a_reason_of_one_word_and_other_reasons_stay_allowed(purged: Engine) -> None:
    """Purging the text "outdated" must not bar a reason that everybody uses."""
    purged.purge(ids=purged.remember("outdated").id)
    assert purged.forget(query="lamp green", reason="outdated").memories


@pytest.mark.parametrize(
    "reason", [f"because {TEXT}", "ADA is allergic to 'peanuts'", "she said: ada is allergic to peanuts"]
)
def test_the_reason_of_a_purge_does_not_tell_what_is_purged(engine: Engine, reason: str) -> None:
    """In other case and other marks it would be the same words."""
    kept = engine.remember(TEXT).id
    with pytest.raises(Invalid, match="repeats what is to be erased"):
        engine.purge(ids=kept, reason=reason)


def test_the_events_of_a_file_do_not_say_what_was_purged_here(
    purged: Engine, open_engine: OpenEngine, tmp_path: Path
) -> None:
    """A file is untrusted input, its log too."""
    source = open_engine("source")
    source.forget(ids=source.remember("The desk is white.").id, reason="it was sold")
    source.export(tmp_path / "all.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text("utf-8").splitlines()]
    for line in lines:
        if line["kind"] == "event":
            line["reason"] = line["session"] = TEXT
    (tmp_path / "all.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    for _ in range(2):
        purged.import_(tmp_path / "all.jsonl", trusted=True)
    told = purged.events(limit=1000)
    assert "peanuts" not in whole(told)
    assert sum(event.reason == "[withheld: it was purged]" for event in told) == 2  # each event once
