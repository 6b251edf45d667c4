"""`ebbing simulate` and `ebbing fit`: drawn for people, lines for pipes, and refused in one sentence."""

from __future__ import annotations

import dataclasses
import io
import json
import random
import shutil
from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console
from typer.testing import Result

import ebbing
from ebbing.domain.memory import Status
from ebbing.domain.policy.loader import load
from ebbing.domain.results import Step, plain
from ebbing.interfaces.cli import EXIT_CODES, draw, foresight_views, render, views
from ebbing.operations.foresight import Fallen, Fit, Miss, Point, Simulation
from ebbing.operations.foresight.fit import Rate
from ebbing.testing import FrozenClock, in_memory
from tests.once import made_once

Run = Callable[..., Result]
Answer = Callable[..., Any]

NOW = datetime(2026, 4, 11, 9, tzinfo=UTC)
DAY = timedelta(days=1)
ID = "01m3k9v6z0q5x8r2t7w4y1n0aa"
HASTY = '[categories.fact]\ndecay_per_day = 2.0\n[time]\nclock = "wall"\ngrace = "1d"\n'
LONG = "The staging database of the orders service moved to port 6432, which everybody has to know. " * 3


def simulated(*, before: int = 100, ahead: int = 180, misses: int = 0, recalls: int = 0) -> Simulation:
    """Five memories a day until now, then five less a day."""
    since = NOW - before * DAY
    counts = [min(5 * day + 5, max(5 * before - 5 * (day - before), 0)) for day in range(before + ahead + 1)]
    points = [
        Point(date(since.year, since.month, since.day) + day * DAY, count, 3, 2, 10 * count)
        for day, count in enumerate(counts)
    ]
    fell = [(Step.DETACH, NOW - DAY), (Step.DETACH, NOW + DAY), (Step.ARCHIVE, NOW + 9 * DAY)]
    reason = "strength 0.118 fell below 0.15 (detach)"
    return Simulation(
        policy="hasty",
        since=since,
        now=NOW,
        until=NOW + ahead * DAY,
        points=tuple(points),
        fallen=tuple(Fallen(ID, "The API runs on port 8080", step, at, reason) for step, at in fell),
        misses=tuple(
            Miss(NOW - (30 - number) * DAY, None, ID, f"{number}: {LONG}", Status.DETACHED, NOW - 40 * DAY, reason)
            for number in range(misses)
        ),
        recalls=recalls,
        standing={ID: Status.ARCHIVED, "other": Status.ACTIVE},
        notes=("Ranking is not simulated.",),
    )


def fitted(slowdown: float = 2.5) -> Fit:
    rates = [
        ("fact", 0.16, True),
        ("project_status", 0.16, False),
        ("a category with a name of forty letters", 0.1, True),
    ]
    return Fit(
        rates=tuple(
            Rate(name, published, published / slowdown, 0.03, 0.1, 41, 1912, enough)
            for name, published, enough in rates
        ),
        slowdown=slowdown,
        slowdown_low=slowdown / 2,
        slowdown_high=slowdown * 2,
        gaps=82,
        censored=3824,
        memories=17,
        days_of_use=60,
        notes=("Rates of their own: fact.",),
        policy_toml='# why\n# and how\n\nextends = "default"\n\n[categories.fact]\ndecay_per_day = 0.064\n',
    )


def drawn(sheet: views.View, width: int = 80) -> list[str]:
    page = io.StringIO()
    draw.draw(sheet, Console(file=page, width=width, highlight=False, emoji=False, markup=False))
    return [line.rstrip() for line in page.getvalue().splitlines()]


def fit_sheet(found: Fit, written: str | None = None) -> views.Sheet:
    return foresight_views.fit(found, written=written, next_step="ebbing fit --write fitted.toml")


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize(
    "sheet",
    [
        foresight_views.simulation(simulated(misses=14, recalls=30)),
        foresight_views.simulation(simulated(before=0, ahead=1)),
        foresight_views.simulation(simulated(before=3000, ahead=3000)),
        fit_sheet(fitted()),
    ],
)
def test_nothing_is_wider_than_the_terminal(sheet: views.View, width: int) -> None:
    """The picture included."""
    assert [line for line in drawn(sheet, width) if cell_len(line) > width] == []


def test_a_simulation_is_drawn_with_a_mark_where_now_is() -> None:
    """The numbers on the left belong to the curve; the mark, its line and its name stand in one column."""
    page = drawn(foresight_views.simulation(simulated()))
    assert page[0] == "Under hasty, 1 of 2 memories would fall by 2026-10-08."
    assert page[2].startswith(" 600 ┤")
    assert page[2].endswith("memories")
    [marked] = [line for line in page if "●" in line]
    below = next(line for line in page if "2026-01-01" in line)
    ruler = page[page.index(below) - 1]
    column = below.index("now")
    assert (marked[column], page[2][column], ruler[column]) == ("●", "┊", "┬")
    assert below.split() == ["2026-01-01", "now", "2026-10-08"]
    assert any(line.startswith("5.0k ┤▁") and line.endswith("tokens") for line in page)


def test_the_numbers_of_the_beginning_of_now_and_of_the_end_stand_below_the_picture() -> None:
    """And how many fell by which step, before now and after."""
    page = drawn(foresight_views.simulation(simulated()))
    at = next(index for index, line in enumerate(page) if line.startswith("beginning"))
    assert [line.split() for line in page[at - 1 : at + 3]] == [
        ["date", "active", "detached", "archived", "tokens"],
        ["beginning", "2026-01-01", "5", "3", "2", "50"],
        ["now", "2026-04-11", "500", "3", "2", "5,000"],
        ["end", "2026-10-08", "0", "3", "2", "0"],
    ]
    assert [line.split() for line in page[at + 5 : at + 7]] == [
        ["detached", "1", "1", "2"],
        ["archived", "0", "1", "1"],
    ]


def test_a_terminal_gets_ten_misses_and_a_pipe_all_of_them() -> None:
    """Each with its date, the text that was needed, where it stood, since when and why."""
    sheet = foresight_views.simulation(simulated(misses=14, recalls=30))
    page = drawn(sheet, 120)
    assert sum(line.strip() == ID for line in page) == 10
    assert "… and 4 more; --json tells all" in page
    assert next(line for line in page if line.startswith("miss ")).startswith("miss  2026-03-12  0: The staging")
    assert "detached since 2026-03-02: strength 0.118 fell below 0.15 (detach)" in " ".join(page)
    lines = [line.split("\t") for line in render.lines(sheet)]
    misses = [line for line in lines if line[0] == "miss"]
    assert [line[2] for line in misses] == [f"{number}: {LONG}" for number in range(14)]
    assert lines[-2:] == [["recalls", "30"], ["misses", "14"]]


def test_in_a_pipe_a_simulation_is_plain_lines() -> None:
    """Each begins with what it is; there is no picture."""
    lines = render.lines(foresight_views.simulation(simulated(misses=1, recalls=3)))
    firsts = ["beginning", "now", "end", "detached", "archived", "miss", "recalls", "misses"]
    assert [line.split("\t")[0] for line in lines] == firsts
    assert not set("┤┊●━─│\x1b") & set("".join(lines))


@pytest.mark.parametrize(
    ("recalls", "said"), [(3, "No recall would have missed what it found."), (0, "Nothing was recalled yet.")]
)
def test_that_nothing_would_be_missed_is_said(recalls: int, said: str) -> None:
    """Which is another thing than that nothing was asked."""
    assert said in drawn(foresight_views.simulation(simulated(recalls=recalls)))


def test_what_began_today_begins_now() -> None:
    """A memory made a moment ago has no past to be drawn."""
    with in_memory(clock=FrozenClock(NOW)) as engine:
        engine.remember("The API runs on port 8080")
        page = drawn(foresight_views.simulation(engine.simulate("hermes", days=400)))
    assert "   1 ┤●" in [line[:7] for line in page]
    assert [line.split()[0] for line in page if line.startswith(("beginning", "now", "end"))] == ["now", "end"]


def test_an_empty_store_has_nothing_to_try_a_policy_on(run: Run) -> None:
    """A person reads that; a script counts no lines."""
    with in_memory() as engine:
        sheet = foresight_views.simulation(engine.simulate("hermes"))
    assert drawn(sheet) == ["There is no memory to try a policy on."]
    run("remember", "one", "--owner", "somebody else")
    result = run("simulate", "hermes")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_a_field_that_is_new_is_shown_by_its_name() -> None:
    """Until somebody gives it a better place."""
    wider = dataclasses.make_dataclass("Wider", [("spared", int, 7)], bases=(Simulation,), frozen=True)
    known = {entry.name: getattr(simulated(), entry.name) for entry in dataclasses.fields(Simulation)}
    assert "spared\t7" in render.lines(foresight_views.simulation(wider(**known)))


@pytest.mark.parametrize(
    ("slowdown", "said"),
    [(2.5, "2.5 (1.25 to 5 with 90 %) times as slow as published"), (0.4, "2.5 (1.25 to 5 with 90 %) times as fast")],
)
def test_a_fit_says_first_by_how_much(slowdown: float, said: str) -> None:
    """In the direction in which it is more than one."""
    assert said in " ".join(drawn(fit_sheet(fitted(slowdown))))


@pytest.mark.parametrize("width", [40, 45, 50, 60, 72, 80])
@pytest.mark.parametrize("sheet", [fit_sheet(fitted()), foresight_views.simulation(simulated(misses=2, recalls=3))])
def test_no_number_and_no_date_is_ever_cut_or_broken(sheet: views.View, width: int) -> None:
    """Where columns have no room, cells stand one below another: 1,50 is not 1,500."""
    for part in [sheet, *sheet.below]:
        cells = [f"{cell:,}" if isinstance(cell, int) else cell for row in part.rows for cell in row]
        meant = Counter(cell for cell in cells if isinstance(cell, str) and cell[0].isdigit())
        assert meant <= Counter(" ".join(drawn(part, width)).split())


def test_a_fit_has_a_row_for_each_rate_and_the_policy_below() -> None:
    """The policy without its opening comments, which say the same; the file that is written has them."""
    page = drawn(fit_sheet(fitted()), 120)
    assert [line.split() for line in page if line.startswith(("fact", "project"))] == [
        ["fact", "0.16", "0.064", "0.03", "0.1", "41", "1,912", "its", "own", "gaps"],
        ["project_status", "0.16", "0.064", "0.03", "0.1", "41", "1,912", "all", "gaps"],
    ]
    assert page[page.index("A policy to try:") + 2] == 'extends = "default"'
    assert page[-1] == "ebbing fit --write fitted.toml"
    written = drawn(fit_sheet(fitted(), "fitted.toml"), 120)
    assert 'extends = "default"' not in written
    assert "written      fitted.toml" in written


def live_half_a_year(folder: Path) -> None:
    """A file with half a year in which some things were asked for again and again, and some never."""
    chance = random.Random(7)
    clock = FrozenClock(datetime.now(UTC).replace(hour=9) - 180 * DAY)
    with ebbing.open(folder / "memory.db", clock=clock, embedder=None, judge="off") as engine:
        told: list[str] = []
        for day in range(120):
            told += [one.id for one in engine.remember(f"alpha{day} beta{day} gamma{day}").memories]
            used = [id_ for age, id_ in enumerate(reversed(told)) if chance.random() < 0.5 * 0.85**age]
            if used:
                engine.used(used, session=f"day {day}")
            clock.advance(days=1)
    (folder / "hasty.toml").write_text(HASTY, encoding="utf-8")


@pytest.fixture
def past(elsewhere: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The half year as it was lived, in the folder of the test."""
    shutil.copytree(made_once(tmp_path_factory, "half-a-year", live_half_a_year), elsewhere, dirs_exist_ok=True)
    return elsewhere


def test_simulate_answers_what_the_library_answers(past: Path, answer: Answer) -> None:
    """The whole of it, with the policy of a file."""
    told = answer("simulate", "hasty.toml", "--days", "30")
    with ebbing.open("memory.db", clock=FrozenClock(told["now"])) as engine:
        simulation = engine.simulate("hasty.toml", days=30)
    assert told == json.loads(json.dumps(plain(simulation)))
    assert told["policy"] == "hasty"
    assert told["misses"], "a hasty policy misses"
    assert {"at", "session", "memory", "text", "status", "since", "reason"} == told["misses"][0].keys()


def test_simulate_looks_and_changes_nothing(past: Path, run: Run) -> None:
    """The file is the same to the byte, and the notes stay out of the pipe."""
    before = Path("memory.db").read_bytes()
    result = run("simulate", "hasty.toml")
    assert (result.exit_code, Path("memory.db").read_bytes()) == (0, before)
    assert result.stdout.startswith("beginning\t")
    assert all(line.startswith("note: ") for line in result.stderr.splitlines())


def test_fit_answers_what_the_library_answers(past: Path, answer: Answer) -> None:
    """With the file as text."""
    found = answer("fit")
    assert found.keys() == {entry.name for entry in dataclasses.fields(Fit)}
    assert found["rates"][0].keys() == {entry.name for entry in dataclasses.fields(Rate)}
    with ebbing.open("memory.db") as engine:
        assert found == plain(engine.fit())


def test_fit_writes_the_policy_and_overwrites_nothing(past: Path, run: Run) -> None:
    """What it wrote can be tried at once."""
    first = run("fit", "--write", "fitted.toml")
    assert first.exit_code == 0, first.stderr
    assert first.stdout.endswith("written\tfitted.toml\n")
    assert load("fitted.toml").name == "default-fitted"
    assert run("simulate", "fitted.toml").exit_code == 0
    Path("fitted.toml").write_text("mine")
    again = run("fit", "--write", "fitted.toml")
    told = "ebbing: fitted.toml is there already and is not overwritten; choose another name\n"
    assert (again.exit_code, again.stdout, again.stderr) == (EXIT_CODES["conflict"], "", told)
    assert Path("fitted.toml").read_text() == "mine"


def test_a_file_that_cannot_be_written_is_an_error(past: Path, run: Run) -> None:
    """And says why."""
    result = run("fit", "--write", "nowhere/fitted.toml")
    assert (result.exit_code, result.stdout) == (EXIT_CODES["invalid"], "")
    assert result.stderr == "ebbing: nowhere/fitted.toml cannot be written: No such file or directory\n"


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("simulate", "nowhere"), "invalid", "there is no policy 'nowhere'"),
        (("simulate", "hermes", "--days", "0"), "invalid", "--days is from 1 to 3650, not 0"),
        (("simulate",), "invalid", "missing argument 'POLICY'"),
        (("fit",), "conflict", "there is too little history"),
        (("fit", "--write", "fitted.toml"), "conflict", "there is too little history"),
    ],
)
def test_a_refusal_is_one_sentence(run: Run, words: tuple[str, ...], code: str, told: str) -> None:
    """With the exit code of its kind, and nothing written."""
    run("remember", "Deploys happen on Tuesdays")
    result = run(*words)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (EXIT_CODES[code], "", 1)
    assert result.stderr.startswith(f"ebbing: {told}")
    assert not Path("fitted.toml").exists()
