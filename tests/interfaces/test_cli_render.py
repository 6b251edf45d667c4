"""What is shown: tables and bars that fit a terminal, plain lines in a pipe, and texts never taken for markup."""

from __future__ import annotations

import dataclasses
import io
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
from rich.cells import cell_len
from rich.console import Console

from ebbing.domain.events import Event, EventKind
from ebbing.domain.import_results import Imported
from ebbing.domain.memory import Memory, Scope, Status
from ebbing.domain.policy.loader import load
from ebbing.domain.policy.writer import Difference
from ebbing.domain.results import (
    Action,
    Batch,
    Forecast,
    Receipt,
    Recollection,
    Recollections,
    Remembered,
    Skipped,
    Stats,
    Step,
    Sweep,
)
from ebbing.interfaces.cli import draw, render, views
from ebbing.testing import FrozenClock, in_memory
from tests.tables import each_row

AT = datetime(2026, 5, 31, 14, 2, tzinfo=UTC)
LADDER = load("default").ladder
LONG = "The staging database of the orders service moved to port 6432, which everybody has to know. " * 3
IDS = [f"01m3k9v6z0q5x8r2t7w4y1n0{letter}{letter}" for letter in "abcdef"]


def memory(text: str = "Deploys happen on Tuesdays", id_: str = IDS[0], **given: object) -> Memory:
    made = Memory(id=id_, owner="default", text=text, created_at=AT, created_day=1, last_accessed_at=AT, used_day=1)
    return made.with_(**given)


DEPLOYS = memory(scope=Scope("/project"), tags=("ops",))
MOVED = memory(LONG, IDS[1], scope=Scope("/project/api"), tags=("database", "staging"), pinned=True, contested=True)
FORGOTTEN = DEPLOYS.with_(status=Status.FORGOTTEN)
with in_memory() as engine:
    engine.remember_many(["Deploys happen on Tuesdays", {"text": LONG, "pinned": True}])
    STATS = engine.stats()
    EXPLAINED = engine.explain(engine.list()[-1].id)
SHEETS = {
    "remember": views.remembered(
        Remembered(memories=[DEPLOYS], superseded=[MOVED], skipped=[Skipped("an address", "it was purged")])
    ),
    "recall": views.recollections(
        Recollections([Recollection(DEPLOYS, 0.71234, 0.8, 0.62, {}), Recollection(MOVED, 0.2, 0.3, 0.04, {})]), LADDER
    ),
    "list": views.memories([DEPLOYS, MOVED], "There may be more: add --before x"),
    "show": views.memory(MOVED),
    "history": views.events(
        [
            Event(1, AT, EventKind.REMEMBERED, IDS[0], IDS[2], detail={"trust": 1.0, "status": "active"}),
            Event(2, AT, EventKind.DETACHED, IDS[0], IDS[3], "cook", None, "strength 0.118 fell below 0.15", {}),
        ]
    ),
    "events": views.log(
        [Event(1, AT, EventKind.REMEMBERED, IDS[0], IDS[2], "cook", None, "said so", {"trust": 1.0})], "add --after 1"
    ),
    "compact": views.batch(
        Batch(IDS[2], [DEPLOYS.with_(status=Status.ARCHIVED)], summaries=[MOVED]), word="summarized", undo="ebbing …"
    ),
    "forget": views.batch(Batch(IDS[2], [FORGOTTEN]), word="forgotten", undo=f"ebbing restore --batch {IDS[2]}"),
    "sweep": views.sweep(
        Sweep(IDS[2], [Action(MOVED, Step.DETACH, "strength 0.118 fell below 0.15", 0.118, 0.15)], False, "manual", 4),
        LADDER,
        undo=f"ebbing restore --batch {IDS[2]}",
    ),
    "purge": views.receipt(Receipt(IDS[2], 1, [IDS[3]], True, AT, "asked")),
    "explain": views.explanation(EXPLAINED, LADDER),
    "stats": views.stats(STATS, hint="What is due goes down with: ebbing sweep"),
    "import": views.numbers(Imported(1, 2, 3, 4)),
    "diff": views.differences([Difference("ladder.detach", 0.15, 0.2), Difference("curve.x", None, [1])], "a", "b"),
}


def drawn(sheet: views.View, width: int = 80, *, colour: bool = False) -> str:
    page = io.StringIO()
    console = Console(file=page, width=width, highlight=False, emoji=False, markup=False, force_terminal=colour)
    draw.draw(sheet, console)
    return page.getvalue()


@each_row("name", SHEETS)
@each_row("width", [40, 60, 80, 120])
def test_nothing_is_wider_than_the_terminal_and_no_id_is_cut(name: str, width: int) -> None:
    """At 40 columns as at 120; an id that cannot be copied is none."""
    page = drawn(SHEETS[name], width)
    assert [line for line in page.splitlines() if cell_len(line) > width] == []
    told = "\n".join(render.lines(SHEETS[name]))
    assert [id_ for id_ in IDS if (id_ in told) != (id_ in page)] == []


@each_row("name", SHEETS)
def test_no_digit_is_lost_however_narrow_the_terminal(name: str) -> None:
    """A number without its last digit is another number; bars and pictures may go, and ten columns are enough."""
    sheet = dataclasses.replace(SHEETS[name], picture=None)
    digits = [sorted(filter(str.isdigit, drawn(sheet, width))) for width in (120, 60, 40, 25, 10)]
    assert digits == digits[:1] * 5


def test_where_columns_have_no_room_the_bars_go_first_and_then_the_columns() -> None:
    """At 40 columns the counts stand alone, at 30 each below its name."""
    sheet = views.View(
        headings=("", "", "memories"), rows=[("by_category", "project_status", views.Share(12345, 20000))]
    )
    bar = "━━━━━━━━━━╌╌╌╌╌╌"
    assert drawn(sheet, 80).split() == ["by", "category", "project_status", bar, "12,345"]
    assert drawn(sheet, 40).splitlines() == ["by category  project_status  12,345  "]
    assert drawn(sheet, 30).split()[-2:] == ["memories", "12,345"]
    assert len(drawn(sheet, 30).splitlines()) > 2


def test_a_long_name_leaves_room_for_what_it_names() -> None:
    """Metadata may be called anything."""
    page = drawn(views.memory(memory(metadata={"k" * 200: "the value"})), 80)
    assert "the value" in page


@each_row("width", [1, 9, 15, 17, 26])
def test_a_terminal_too_small_for_a_picture_gets_none(width: int) -> None:
    """The sentences are told all the same."""
    page = drawn(SHEETS["explain"], width)
    assert "┤" not in page
    assert "".join(page.split()).endswith("".join(EXPLAINED.lines()[-1].split()))


def test_a_recollection_on_a_terminal() -> None:
    """Score, a bar in the colour of its rung, the text, and below it the name to call it by."""
    page = [line.rstrip() for line in drawn(SHEETS["recall"]).splitlines()]
    assert page[:3] == [
        "score  strength     memory",
        "0.712  ━━━━╌╌ 0.62  Deploys happen on Tuesdays",
        "                    01m3k9v6z0q5x8r2t7w4y1n0aa  fact  /project  2026-05-31  #ops",
    ]
    coloured = drawn(SHEETS["recall"], colour=True)
    assert "\x1b[32m━━━━" in coloured, "what is strong is green"
    assert "\x1b[31m0.04" in coloured, "what is about to go is red"


def test_a_sweep_on_a_terminal() -> None:
    """What went where and why, and the command that undoes it."""
    page = drawn(SHEETS["sweep"])
    assert page.startswith("1 memory was moved.\n")
    assert "strength 0.118 fell below 0.15" in page
    assert f"undo       ebbing restore --batch {IDS[2]}" in page


def test_an_explanation_has_a_picture_on_a_terminal() -> None:
    """The same sentences in a pipe, without it."""
    page = drawn(SHEETS["explain"])
    assert "0.15 ┤" in page
    assert "now" in page
    assert render.lines(SHEETS["explain"]) == EXPLAINED.lines()


def test_the_picture_of_an_explanation_is_as_high_as_the_curve_and_ends_after_the_last_rung() -> None:
    """A weak memory is not a line along the ground, nor a quick one a wall on the left."""
    points = tuple((day, 0.092 - 0.005 * min(day, 17)) for day in range(91))
    archive = Forecast("archive", 0.05, 8.1, AT)
    told = dataclasses.replace(EXPLAINED, drawn=points, forecasts=(archive, Forecast("expire", None, 30.0, AT)))
    sheet = views.explanation(told, dataclasses.replace(LADDER, archive=0.05))
    assert isinstance(sheet.picture, views.Outlook)
    assert sheet.picture.points == points[: 9 * 5 // 4 + 1]
    assert sheet.picture.rungs == {"archive": 0.05}
    page = drawn(sheet)
    assert "0.10 ┤●" in page
    assert "1.00" not in page


def test_what_has_only_a_date_ahead_has_a_picture_too() -> None:
    """Its strength until then and a little on, with a line where it ends."""
    clock = FrozenClock(AT)
    with in_memory(clock=clock) as engine:
        [made] = engine.remember("The fair is in town", expires_in="20d", importance=0.9).memories
        told = engine.explain(made.id)
    assert [(one.rung, one.threshold) for one in told.forecasts] == [("archive", None)]
    sheet = views.explanation(told, LADDER)
    assert isinstance(sheet.picture, views.Outlook)
    assert (sheet.picture.points, sheet.picture.dated) == (told.drawn[:26], {20: "archive"})
    *_, above, ruler, names = drawn(sheet).rstrip().splitlines()
    at = names.index("archive")
    assert (above[at], ruler[at]) == ("┊", "┬")


def test_where_no_rung_lies_ahead_there_is_no_picture() -> None:
    """What was put away, or never fades, has nothing to be foretold."""
    assert views.explanation(dataclasses.replace(EXPLAINED, forecasts=()), LADDER).picture is None


def test_lines_in_a_pipe_are_whole_and_plain() -> None:
    """A tab between cells, every text to its end, no colour and no drawing."""
    everything = [line for sheet in SHEETS.values() for line in render.lines(sheet)]
    assert not set("━╌─│\x1b") & set("".join(everything))
    assert render.lines(SHEETS["recall"])[0] == (
        f"0.712\t0.620\t{IDS[0]}\tactive\tfact\t/project\t2026-05-31T14:02:00+00:00\tDeploys happen on Tuesdays"
    )
    assert render.lines(SHEETS["list"])[1].endswith(LONG)
    assert render.lines(SHEETS["forget"])[1:] == [f"batch\t{IDS[2]}", f"undo\tebbing restore --batch {IDS[2]}"]
    imported = ["added\t1", "replaced\t2", "skipped\t3", "blocked\t4", "quarantined\t0"]
    assert render.lines(SHEETS["import"])[:5] == imported
    assert render.lines(SHEETS["diff"]) == ["ladder.detach\t0.15\t0.2", "curve.x\t\t[1]"]


def test_a_memory_is_one_line_whatever_its_text_holds() -> None:
    """A line break or a tab in a text is written out, so that a row stays a row."""
    [line] = render.lines(views.memories([memory("first\nsecond\tthird")]))
    assert line.split("\t")[5:] == ["first\\nsecond\\tthird"]


def test_the_text_of_a_memory_is_not_markup() -> None:
    """Somebody's words can neither colour a terminal nor break it."""
    hostile = memory("[bold red]obey[/bold red] [/] :bomb: [link=x]")
    assert "[bold red]obey[/bold red] [/] :bomb: [link=x]" in drawn(views.memories([hostile]))
    assert "[bold red]obey[/bold red] [/] :bomb: [link=x]" in drawn(views.memory(hostile))


HOSTILE = "\x1b[31mred\x07\r\x7f\x9b31m\u202eback\u2066"


def test_no_character_is_obeyed_by_a_terminal_or_sent_into_a_pipe() -> None:
    """Whether it stands in a text, a name, a value or a sentence: it is written as an escape."""
    hostile = memory(HOSTILE, category=HOSTILE, metadata={HOSTILE: HOSTILE, "nested": {"deep": [HOSTILE]}})
    everywhere = views.View(HOSTILE, [HOSTILE], (HOSTILE, HOSTILE), [(HOSTILE, hostile)], hint=HOSTILE)
    for sheet in (views.memory(hostile), everywhere):
        for page in (drawn(sheet, 80), drawn(sheet, 20), "\n".join(render.lines(sheet))):
            assert not set(HOSTILE) & set(page) - set("[31mredback")
    written = r"\x1b[31mred\x07\r\x7f\x9b31m\u202eback\u2066"
    assert f"metadata.{written}\t{written}" in render.lines(views.memory(hostile))
    assert written in drawn(views.memory(hostile), 120)


def test_notes_are_not_obeyed_either(capsys: pytest.CaptureFixture[str]) -> None:
    """They go to a terminal more often than the answer does."""
    render.write(views.View(notes=(HOSTILE,)), io.StringIO())
    assert capsys.readouterr().err == r"note: \x1b[31mred\x07\r\x7f\x9b31m\u202eback\u2066" + "\n"


def test_a_long_text_is_cut_in_a_list_and_whole_when_shown() -> None:
    """One memory of a thousand words must not hide the others."""
    long = memory("word " * 1000 + "end")
    assert "end" not in drawn(views.memories([long]))
    assert "…" in drawn(views.memories([long]))
    assert "end" in drawn(views.memory(long))


@each_row(
    ("sheet", "said"),
    [
        (views.recollections(Recollections([]), LADDER), "No memory matches."),
        (views.memories([]), "No memory matches."),
        (views.sweep(Sweep(IDS[2], [], False, "manual", 0), LADDER, undo="x"), "Nothing is due."),
        (views.batch(Batch(IDS[2], [], None, True), word="forgotten"), "0 memories would be forgotten."),
        (views.differences([], "a", "b"), "a and b say the same."),
    ],
)
def test_nothing_is_said_to_people_and_not_to_pipes(sheet: views.View, said: str) -> None:
    """A person reads that there is nothing; a script counts no lines of it, and no batch to undo."""
    assert drawn(sheet).splitlines()[0].rstrip() == said
    assert [line for line in render.lines(sheet) if not line.startswith("looked_at")] == []


@dataclass(frozen=True)
class LaterSweep(Sweep):
    """A sweep that has learned to say more."""

    rescued: list[Memory] = field(default_factory=list)
    merged: int = 0


def test_what_an_answer_learns_to_say_is_shown_by_its_name() -> None:
    """A new field is seen before anybody has found a better place for it."""
    later = LaterSweep(IDS[2], [], False, "manual", 4, notes=("stopped early",), rescued=[DEPLOYS], merged=2)
    sheet = views.sweep(later, LADDER, undo="ebbing restore")
    lines = render.lines(sheet)
    assert lines[0].startswith(f"rescued\t\t{IDS[0]}\t")
    assert "merged\t2" in lines
    assert sheet.notes == ("stopped early",)
    assert "rescued" in drawn(sheet)
    assert "merged" in drawn(sheet)


def test_statistics_that_are_new_are_shown_too() -> None:
    """Whatever is counted by name becomes rows, whatever is one number a fact."""
    more = [("by_agent", dict, field(default_factory=dict)), ("contested", int, 0)]
    wider = dataclasses.make_dataclass("Wider", more, bases=(Stats,), frozen=True)
    known = {entry.name: getattr(STATS, entry.name) for entry in dataclasses.fields(STATS)}
    lines = render.lines(views.stats(wider(**known, by_agent={"cook": 2}, contested=5), hint=""))
    assert "by_agent\tcook\t2" in lines
    assert "contested\t5" in lines


def test_notes_go_beside_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """A pipe carries the answer alone."""
    page = io.StringIO()
    render.write(views.recollections(Recollections([], ("found by words alone",)), LADDER), page)
    assert (page.getvalue(), capsys.readouterr().err) == ("", "note: found by words alone\n")
