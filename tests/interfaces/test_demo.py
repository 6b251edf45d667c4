"""The demo tells the truth: what it prints is what the engine did, and it fits the terminal and the minute."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

import ebbing
from ebbing.interfaces import demo
from ebbing.interfaces.demo.console import LONGEST_SECONDS, SLOW_BEAT_SECONDS, Pace, Stage
from ebbing.interfaces.demo.pictures import FOLLOWED, Closing
from ebbing.interfaces.demo.story import DATABASE, HOLIDAY, INVOICES, LAST_DAY
from ebbing.interfaces.demo.year import Lowered, Year, clock_at_start
from tests import shell
from tests.once import copy_of, made_once

WIDTH = 80


WITHOUT_JUDGE = {"EBBING_JUDGE": "off"}  # a year takes a third of the time, and shows the same things


@dataclass(frozen=True)
class Told:
    """A demo that has ended, with its engine still open."""

    text: str
    year: Year
    closing: Closing


class Counting(Pace):
    """Counts the beats that the slow telling would wait, and does not wait."""

    def __init__(self) -> None:
        super().__init__(SLOW_BEAT_SECONDS)
        self.pauses: list[float] = []
        self.spans: dict[float, float] = {}

    def pause(self, beats: float) -> None:
        self.pauses.append(beats)

    def wait(self, beats: float, *, since: float) -> None:
        self.spans[since] = beats


def live_the_year(folder: Path) -> None:
    """The year as `ebbing demo` tells it to a pipe of 80 columns; the files as they are while the engine is open."""
    clock = clock_at_start()
    live = folder / "live"
    live.mkdir()
    with ebbing.open(live / "memory.db", owner=demo.OWNER, clock=clock) as engine:
        page = io.StringIO()
        year = Year(engine, clock)
        console = Console(file=page, width=WIDTH, highlight=False)
        closing = demo.show_year(Stage(console, Pace(0.0), engine.policy), year)
        shutil.copytree(live, folder / "store")
        seen = {one.name: getattr(year, one.name) for one in dataclasses.fields(Year) if one.name != "engine"}
    (folder / "told").write_bytes(pickle.dumps((page.getvalue(), seen, closing)))


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    """The year, with an engine on a copy of its files."""
    folder = copy_of(made_once(tmp_path_factory, "demo", live_the_year), tmp_path_factory)
    text, seen, closing = pickle.loads((folder / "told").read_bytes())
    with ebbing.open(folder / "store" / "memory.db", owner=demo.OWNER, clock=seen["clock"]) as engine:
        yield Told(text, Year(engine, **seen), closing)


@dataclass(frozen=True)
class Watched:
    """A demo without a judge, told slowly to a terminal of 120 columns."""

    text: str
    pace: Counting
    closing: Closing


def watch_the_year(folder: Path) -> None:
    page, pace = io.StringIO(), Counting()
    console = Console(file=page, width=120, height=50, force_terminal=True, color_system=None, highlight=False)
    closing = demo.run(console, pace, "default", judge="off")
    (folder / "watched").write_bytes(pickle.dumps(Watched(page.getvalue(), pace, closing)))


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Watched:
    folder = made_once(tmp_path_factory, "demo-watched", watch_the_year)
    seen: Watched = pickle.loads((folder / "watched").read_bytes())
    return seen


def chapter(text: str, title: str) -> str:
    """The part of the output under one heading."""
    return re.split(r"\n\S.*──+\n", text.partition(title)[2], maxsplit=1)[0]


def too_wide(text: str, width: int) -> list[str]:
    return [line for line in text.splitlines() if cell_len(line) > width]


def test_a_piped_demo_is_plain_text_and_needs_less_than_a_minute(told: Told) -> None:
    """As a stranger runs it: `ebbing demo | cat`. Counted in processor time, which a busy machine does not lengthen."""
    environment = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "COLUMNS")}
    command = [str(Path(sys.executable).with_name("ebbing")), "demo"]
    before = os.times()
    result = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, check=False)
    after = os.times()
    assert after.children_user + after.children_system - before.children_user - before.children_system < 60
    assert (result.returncode, result.stderr) == (0, "")
    assert "\x1b" not in result.stdout
    assert too_wide(result.stdout, 80) == []
    assert any("⠀" < character <= "⣿" for character in result.stdout)
    receipt = re.compile(r"receipt \w{8}")  # the one thing that is another each time
    assert receipt.sub("", result.stdout) == receipt.sub("", told.text), "and the same year gives the same page"


def test_no_line_is_wider_than_it_may_be(told: Told) -> None:
    """At 80 columns; and nothing is cut that carries a number."""
    assert too_wide(told.text, WIDTH) == []


def test_it_fits_a_wide_terminal(watched: Watched) -> None:
    """At the widest it uses."""
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "\n", watched.text)
    assert too_wide(shown, 120) == []
    assert max(map(cell_len, shown.splitlines())) == 120


def test_with_all_its_pauses_it_takes_less_than_a_minute(watched: Watched) -> None:
    """Counted in beats, so that the test need not wait: the slow telling leaves time for the engine itself."""
    assert watched.pace.animated
    beats = sum(watched.pace.pauses) + sum(watched.pace.spans.values())
    assert 20 < beats * SLOW_BEAT_SECONDS < LONGEST_SECONDS


def test_the_closing_numbers_are_the_engines(told: Told) -> None:
    """Every figure of the last page can be counted again."""
    engine = told.year.engine
    counted = {status.value: len(engine.list(status=status.value, limit=1000)) for status in ebbing.Status}
    printed = {
        name: int(number)
        for name, number in re.findall(r"^  (\w+) +(\d+)\b", chapter(told.text, "one year in numbers"), re.MULTILINE)
    }
    assert {name: printed.get(name, 0) for name in counted} == counted
    assert printed["remembered"] + printed["summaries"] == sum(counted.values()) + printed["purged"]
    stats = engine.stats()
    assert dict(stats.by_status) == counted
    assert f"{stats.tokens:,} of {told.closing.tokens_total:,} tokens" in told.text


def test_what_was_archived_is_shown_with_its_reason(told: Told) -> None:
    """The table of December says of each kind how many and why, as the events do."""
    table = chapter(told.text, "what was forgotten, and why")
    assert re.search(r"\d+ +archived +strength fell below 0\.05", table)
    assert re.search(r"\d+ +archived +its time to live ended", table)
    event = told.year.engine.history(told.year.ids["dinner"])[-1]
    assert (event.kind, event.detail["threshold"]) == (ebbing.EventKind.ARCHIVED, 0.05)


def test_what_was_summarized_is_shown_with_what_it_was_made_of(told: Told) -> None:
    """The summary as the engine made it, each original, and how much shorter it is."""
    page = " ".join(chapter(told.text, "what fades together becomes one").split())
    [summary] = [memory for memory in told.year.all_memories() if memory.derived_from]
    assert f"→ {summary.text}" in page
    originals = [told.year.engine.get(id_) for id_ in summary.derived_from]
    assert len(originals) >= told.year.engine.policy.compaction.group_min
    for original in originals:
        assert f"{original.text} (archived)" in page
        [fell] = [e for e in told.year.engine.history(original.id) if e.kind is ebbing.EventKind.ARCHIVED]
        assert fell.detail["into"] == summary.id
        assert Lowered(original, fell).why == "summarized with its topic"
    before, after = sum(original.tokens for original in originals), summary.tokens
    assert f"a summary of {len(originals)} memories: {after} tokens for {before}." in page
    assert after < before


def test_the_outlook_of_january_is_when_a_memory_leaves_recall(told: Told) -> None:
    """The dinner, which nobody ever asks for, is detached after just as many days of use as were foretold."""
    january = chapter(told.text, "Mara tells the agent a few things")
    foretold = re.search(r"kickoff dinner.* (\d+) days of use", january)
    assert foretold is not None
    evenings = told.year.evenings
    left = next(evening for evening in evenings if evening.statuses["dinner"] is not ebbing.Status.ACTIVE)
    # The sweep of a day comes before its use: it sees the last day of use, which is the one that was foretold.
    before = evenings[evenings.index(left) - 1]
    assert before.day_of_use - evenings[0].day_of_use == int(foretold[1])


def test_what_was_superseded_is_shown_and_not_returned(told: Told) -> None:
    """The old database is named as retired, and no answer of the year held it afterwards."""
    june = chapter(told.text, "the world changes")
    assert "✕       The orders service runs on MySQL" in june
    assert "no longer in the answer: a newer value for orders service / database" in june
    assert told.year.memory("mysql").superseded_by == told.year.ids["postgres"]
    assert told.closing.stale_answers == 0
    found = told.year.engine.recall(DATABASE, reinforce=False)
    assert told.year.ids["mysql"] not in [one.memory.id for one in found]


def test_one_memory_comes_back(told: Told) -> None:
    """Not found, found in the archive, restored, found again: and it stays."""
    page = chapter(told.text, "one of them is needed again")
    steps = ["nothing comes to mind", "(archived)", "brings back 1", "It was of use again"]
    assert [page.find(step) for step in steps] == sorted(page.find(step) for step in steps)
    assert -1 not in [page.find(step) for step in steps]
    kinds = [event.kind for event in told.year.engine.history(told.year.ids["invoices"])]
    archived, restored = (kinds.index(ebbing.EventKind[kind]) for kind in ("ARCHIVED", "RESTORED"))
    assert archived < restored < len(kinds) - 1, "and it was reinforced after that"
    assert told.year.engine.recall(INVOICES, reinforce=False)[0].memory.id == told.year.ids["invoices"]


def test_the_holiday_is_flat(told: Told) -> None:
    """From the evening before to the last evening of it no strength and no day of use moved."""
    away = [evening for evening in told.year.evenings if HOLIDAY[0] <= evening.on <= HOLIDAY[1]]
    before = told.year.evenings[told.year.evenings.index(away[0]) - 1]
    assert len(away) == 28
    assert all(evening.strengths == before.strengths for evening in away)
    assert all(evening.day_of_use == before.day_of_use for evening in away)


def test_the_purged_text_is_nowhere(told: Told) -> None:
    """Neither in the file nor on any rung; the demo's claim is checked, not believed."""
    path = Path(told.year.engine.store.url)
    assert b"Harbour Lane" not in b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert "told the same again: refused" in told.text
    assert not [memory for memory in told.year.all_memories() if "Harbour Lane" in memory.text]


def test_the_picture_has_its_parts(told: Told) -> None:
    """Curves, thresholds, months, a letter and a row for each memory, the stations of the year."""
    picture = chapter(told.text, "six memories, as strong as they were on each day")
    assert all(f"{number} ┤" in picture for number in ("1.00", "0.50", "0.30", "0.15", "0.05"))
    assert all(name in picture for name in ("summarize", "detach", "archive", "holiday", "▼", "✕", "▲"))
    assert all(f"{month} " in picture for month in ("Jan", "Feb", "Jun", "Dec"))
    for key, (letter, _) in FOLLOWED.items():
        row = next(line for line in picture.splitlines() if line.startswith(f"  {letter}  "))
        assert f"{told.year.evenings[-1].strengths[key]:.2f}" in row
        assert told.year.memory(key).status in row


def test_the_months_are_counted(told: Told) -> None:
    """Twelve rows, and the last one is what the engine holds at the end."""
    rows = re.findall(
        r"^  ([A-Z][a-z]{2})  \S+ +(\d+) +(\d+) +(\d+)", chapter(told.text, "end of each month"), re.MULTILINE
    )
    assert len(rows) == 12
    counts = told.closing.counts
    assert rows[-1] == ("Dec", str(counts["active"]), str(counts["detached"]), str(counts["archived"]))
    assert told.year.evenings[-1].on == LAST_DAY


def test_the_same_year_gives_the_same_numbers(watched: Watched) -> None:
    """`--json` prints only the closing numbers, and a second telling ends as the first."""
    result = shell.ebbing(["demo", "--json"], environment=WITHOUT_JUDGE)
    assert result.exit_code == 0, result.output
    numbers = json.loads(result.output)
    assert numbers["counts"] == watched.closing.counts
    assert numbers["reasons"] == watched.closing.reasons
    assert numbers["strengths"] == pytest.approx(dict(watched.closing.strengths))


def test_another_policy_ends_otherwise(tmp_path: Path, watched: Watched) -> None:
    """Nothing about the outcome is written in the demo: one that hardly forgets has nothing to bring back."""
    policy = tmp_path / "elephant.toml"
    policy.write_text('name = "elephant"\n[curve]\nslowdown = 50.0\n', encoding="utf-8")
    result = shell.ebbing(["demo", "--policy", str(policy), "--width", "60"], environment=WITHOUT_JUDGE)
    assert result.exit_code == 0, result.output
    assert "there is nothing to bring back" in " ".join(result.output.split())
    assert too_wide(result.output, 60) == []
    active = re.search(r"recall searches (\d+) memories", result.output)
    assert active is not None
    assert int(active[1]) > watched.closing.counts["active"]


def test_an_unknown_policy_is_one_sentence() -> None:
    """On stderr, with the exit code of what is invalid, and no traceback."""
    result = shell.ebbing(["demo", "--policy", "nope"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("ebbing: there is no policy 'nope'")
    assert "Traceback" not in result.stderr


def test_the_version_is_told() -> None:
    """`ebbing --version`."""
    result = shell.ebbing(["--version"])
    assert (result.exit_code, result.output.split()[0]) == (0, "ebbing")
