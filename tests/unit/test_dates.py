"""A text tells its times by the calendar afterwards, reads as well as before, and is otherwise as it was."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebbing.text.dates import found, resolved
from ebbing.text.dates.calendar import shifted, week
from ebbing.text.dates.holidays import holiday
from ebbing.text.dates.tenses import Tense, tense
from tests.tables import each_row

SUNDAY = datetime(2026, 11, 15, 12, tzinfo=UTC)
WEDNESDAY = datetime(2026, 11, 18, 9, tzinfo=UTC)


def days(text: str, at: datetime = SUNDAY) -> list[str]:
    """What is found, as `first` or `first..last`."""
    return [f"{one.first}" if one.first == one.last else f"{one.first}..{one.last}" for one in found(text, at)]


@each_row(
    ("told", "written"),
    [
        ("I met Ana yesterday.", "I met Ana on 14 November 2026."),
        ("Today I quit.", "On 15 November 2026 I quit."),
        ("We fly the day after tomorrow.", "We fly on 17 November 2026."),
        ("It broke the day before yesterday.", "It broke on 13 November 2026."),
        ("Dinner is tomorrow at 5pm.", "Dinner is on 16 November 2026 at 5pm."),
        ("Call me tomorrow 17:30.", "Call me on 16 November 2026 at 17:30."),
        ("I ran this morning.", "I ran on the morning of 15 November 2026."),
        ("It rained last night.", "It rained on the night of 14 November 2026."),
        ("We talk tonight.", "We talk on the evening of 15 November 2026."),
        ("Last week we moved.", "In the week of 2 November 2026 we moved."),
        ("We moved last month.", "We moved in October 2026."),
        ("Last year, sales fell.", "In 2025, sales fell."),
        ("We hiked last weekend.", "We hiked on the weekend of 7 November 2026."),
        ("Costs rose last quarter.", "Costs rose in the third quarter of 2026."),
        ("We met the week before last.", "We met in the week of 26 October 2026."),
        ("The audit is the month after next.", "The audit is in January 2027."),
        ("I left three days ago.", "I left on 12 November 2026."),
        ("I left two weeks ago.", "I left around 1 November 2026."),
        ("I left about a month ago.", "I left around October 2026."),
        ("I left a couple of months ago.", "I left around September 2026."),
        ("I left two years ago.", "I left in 2024."),
        ("I left ten years ago.", "I left around 2016."),
        ("I left a few weeks ago.", "I left a few weeks before 15 November 2026."),
        ("We married a year ago today.", "We married on 15 November 2025."),
        ("It was warmer this time last year.", "It was warmer around 15 November 2025."),
        ("I'll be back in 3 days.", "I'll be back on 18 November 2026."),
        ("It ends two weeks from now.", "It ends around 29 November 2026."),
        ("I saw her last Friday.", "I saw her on 13 November 2026."),
        ("We meet next Tuesday morning.", "We meet on the morning of 17 November 2026."),
        ("I joined last Tues. It was fun.", "I joined on 10 November 2026. It was fun."),
        ("We met on Friday of last week.", "We met on 6 November 2026."),
        ("We met last spring.", "We met in spring 2026."),
        ("It snowed last winter.", "It snowed in winter 2025–26."),
        ("I was in Rome last May.", "I was in Rome in May 2026."),
        ("I bought it last Christmas.", "I bought it at Christmas 2025."),
        ("She sang last New Year's Eve.", "She sang on New Year's Eve 2025."),
        ("I moved earlier this year.", "I moved earlier in 2026."),
        ("The report is due by the end of the month.", "The report is due by the end of November 2026."),
    ],
)
def test_what_is_told_from_here_is_told_by_the_calendar(told: str, written: str) -> None:
    """In plain English, in its place."""
    assert resolved(told, SUNDAY) == written


@each_row(
    ("told", "written"),
    [
        ("I have been ill since yesterday.", "I have been ill since 14 November 2026."),
        ("Send it by next Friday.", "Send it by 20 November 2026."),
        ("Wait until tomorrow.", "Wait until 16 November 2026."),
        ("They moved it to next week.", "They moved it to the week of 16 November 2026."),
        ("Sales beat those of last year.", "Sales beat those of 2025."),
        ("I came in yesterday.", "I came in on 14 November 2026."),
        ("Ana came by last week.", "Ana came by in the week of 2 November 2026."),
        ("Tomorrow is my birthday.", "16 November 2026 is my birthday."),
        ("I think next week is fine.", "I think the week of 16 November 2026 is fine."),
        ("How was yesterday?", "How was 14 November 2026?"),
        ("I spent last week in Rome.", "I spent the week of 2 November 2026 in Rome."),
        ("I took tomorrow off.", "I took 16 November 2026 off."),
        ("I was away all last week.", "I was away all of the week of 2 November 2026."),
        ("Yesterday's meeting went well.", "The 14 November 2026 meeting went well."),
        ("See next month's review.", "See the December 2026 review."),
        ("Tomorrow's gonna be great.", "16 November 2026 is gonna be great."),
        ("Free today and tomorrow.", "Free on 15 November 2026 and on 16 November 2026."),
    ],
)
def test_the_sentence_around_it_still_reads_well(told: str, written: str) -> None:
    """Prepositions, subjects, possessives."""
    assert resolved(told, SUNDAY) == written


@each_row(
    ("told", "written"),
    [
        ("I went on Monday.", "I went on 16 November 2026."),
        ("I will go on Monday.", "I will go on 23 November 2026."),
        ("On Monday, we went and bought it.", "On 16 November 2026, we went and bought it."),
        ("I'm meeting Bob on Thursday.", "I'm meeting Bob on 19 November 2026."),
        ("I went on Monday and will go on Friday.", "I went on 16 November 2026 and will go on 20 November 2026."),
        ("I have not slept since Monday.", "I have not slept since 16 November 2026."),
        ("The exam is on Friday.", "The exam is on 20 November 2026."),
        ("We moved on 5 May.", "We moved on 5 May 2026."),
        ("We will meet on May 5th.", "We will meet on 5 May 2027."),
        ("We went to Rome in May.", "We went to Rome in May 2026."),
        ("We'll go to Rome in May.", "We'll go to Rome in May 2027."),
        ("I paid on the 5th.", "I paid on 5 November 2026."),
        ("See you on the 5th.", "See you on 5 December 2026."),
        ("Over the weekend we hiked.", "Over the weekend of 14 November 2026 we hiked."),
        ("We will rest over the weekend.", "We will rest over the weekend of 21 November 2026."),
        ("This Friday works.", "20 November 2026 works."),
        ("Next Friday works.", "27 November 2026 works."),
    ],
)
def test_the_verb_tells_which_monday_and_which_may(told: str, written: str) -> None:
    """Back for the past, ahead for the future."""
    assert resolved(told, WEDNESDAY) == written


@each_row(
    "text",
    [
        "I go on Monday.",
        "Bob asked me to call on Monday.",
        "I booked a table for Friday.",
        "We did it in 3 days.",
        "She was born on 5 May.",
        "Her birthday is in May.",
        "We met in 2019, on 5 May 2023 and on 2024-02-29.",
        "At the end of the month they had left.",
        "We meet every Monday, Monday to Friday, on Mondays and on Saturday mornings.",
        "The next day we left, in my last year of school, on the last Friday of June.",
        "In her last year she slept.",
        "It sat on the 5th floor.",
        "Lately, these days, the other day, one day, day by day, recently, nowadays.",
        "It feels like yesterday.",
        "I watched the Today Show and Last Week Tonight, and read the Sunday Times on Good Friday.",
        'She wrote "Tomorrow Never Knows" and “I leave tomorrow”.',
        "Set `today = now()` and run ```\nyesterday\n``` or see https://example.org/last week/today.",
        "Today's youth has no next-day delivery.",
        "She may march. This may be the last one; next, please. The second may fall.",
        "Ich war gestern in Berlin, morgen bin ich im Mai in Rom.",
        "Ayer fuimos al cine. 昨日、会議がありました。",
        "5 apples, 2000 people, 17:30, v2.1.0, €30, 3/4 and 12 % of them.",
        "",
    ],
)
def test_what_is_in_doubt_a_name_quoted_or_no_time_stays(text: str) -> None:
    """To the letter."""
    assert resolved(text, SUNDAY) == text


@each_row(
    ("text", "meant"),
    [
        ("on 5 May 2023", ["2023-05-05"]),
        ("Friday, May 5th, 2023", ["2023-05-05"]),
        ("the 5th of May 2023", ["2023-05-05"]),
        ("2023-05-05T10:00", ["2023-05-05"]),
        ("13/05/2023 and 05/13/2023", ["2023-05-13", "2023-05-13"]),
        ("05/05/2023", ["2023-05-05"]),
        ("04/05/2023", []),
        ("04.05.2023", ["2023-05-04"]),
        ("30 February 2023", []),
        ("in May 2023", ["2023-05-01..2023-05-31"]),
        ("Sept. 2023", ["2023-09-01..2023-09-30"]),
        ("in 2019", ["2019-01-01..2019-12-31"]),
        ("2000 people came in 2020", ["2020-01-01..2020-12-31"]),
        ("Q3 2024", ["2024-07-01..2024-09-30"]),
        ("the third quarter of 2024", ["2024-07-01..2024-09-30"]),
        ("the second half of 2024", ["2024-07-01..2024-12-31"]),
        ("the 1990s", ["1990-01-01..1999-12-31"]),
        ("the '90s", ["1990-01-01..1999-12-31"]),
        ("spring 2022", ["2022-03-01..2022-05-31"]),
        ("the winter of 2022", ["2022-12-01..2023-02-28"]),
        ("Christmas 2021", ["2021-12-24..2021-12-26"]),
        ("Thanksgiving 2026", ["2026-11-26"]),
        ("between 3 and 7 June 2024", ["2024-06-03..2024-06-07"]),
        ("between 3 and 7 June", ["2026-06-03..2026-06-07"]),
        ("June 3-7, 2024", ["2024-06-03..2024-06-07"]),
        ("from 28 May 2024 to 3 June 2024", ["2024-05-28..2024-06-03"]),
        ("between 28 May 2024 and 3 June 2024", ["2024-05-28..2024-06-03"]),
        ("from May to July 2023", ["2023-05-01..2023-07-31"]),
        ("from 2019 to 2021", ["2019-01-01..2021-12-31"]),
        ("2019–21", ["2019-01-01..2021-12-31"]),
        ("early 2023", ["2023-01-01..2023-05-02"]),
        ("the end of 2023", ["2023-09-01..2023-12-31"]),
        ("the week of 2 November 2026", ["2026-11-02..2026-11-08"]),
        ("the Sunday before 25 May 2023", ["2023-05-21"]),
        ("the week before 9 June 2023", ["2023-05-29..2023-06-04"]),
        ("a few days before 25 May 2023", ["2023-05-19..2023-05-23"]),
    ],
)
def test_what_stands_on_the_calendar_is_found(text: str, meant: list[str]) -> None:
    """However it is written; day and month in an order nobody can know are not guessed."""
    assert days(text) == meant


@each_row(
    ("question", "meant"),
    [
        ("What did I do last spring?", ["2026-03-01..2026-05-31"]),
        ("Where was I on 5 May?", ["2026-05-05"]),
        ("What did Ana say on Monday?", ["2026-11-09"]),
        ("What am I doing on Friday?", ["2026-11-20"]),
        ("what happened in the summer of 2022?", ["2022-06-01..2022-08-31"]),
        ("What happened in March?", ["2026-03-01..2026-03-31"]),
        ("What have I read in the past three weeks?", ["2026-10-25..2026-11-15"]),
        ("What did I learn earlier this year?", ["2026-01-01..2026-11-15"]),
        ("Who came to dinner a few days ago?", ["2026-11-09..2026-11-13"]),
        ("Where did I live before the move?", []),
    ],
)
def test_questions_are_read_too(question: str, meant: list[str]) -> None:
    """Where the question leaves it open, the nearest is a guess."""
    assert days(question) == meant


def test_what_is_found_says_where() -> None:
    """A caller may cut it out."""
    text = "We met at the end of last month, on a hill."
    [one] = found(text, SUNDAY)
    assert one.said == text[one.start : one.end] == "the end of last month"
    assert (one.first, one.last) == (date(2026, 10, 21), date(2026, 10, 31))


def test_a_day_is_that_of_the_instant_in_its_own_zone() -> None:
    """An instant just after midnight in Tokyo is tomorrow there, whatever it is elsewhere."""
    assert resolved("I rested today.", datetime.fromisoformat("2026-11-16T00:30+09:00")) == (
        "I rested on 16 November 2026."
    )


@each_row(
    ("clause", "looks"),
    [
        ("I went there on @", Tense.PAST),
        ("We visited her on @", Tense.PAST),
        ("Did you call on @", Tense.PAST),
        ("I will go on @", Tense.FUTURE),
        ("She's leaving on @", Tense.FUTURE),
        ("I want to go on @", Tense.FUTURE),
        ("I wanted to go on @", Tense.UNKNOWN),
        ("It has moved on @", Tense.UNKNOWN),
        ("I met Ana and she leaves on @", Tense.UNKNOWN),
        ("I need it on @", Tense.UNKNOWN),
    ],
)
def test_the_nearest_verb_says_where_a_clause_looks(clause: str, looks: Tense) -> None:
    """And one that may be either says nothing."""
    assert tense(clause, clause.index("@"), len(clause)) is looks


@each_row(("year", "sunday"), [(2024, date(2024, 3, 31)), (2025, date(2025, 4, 20)), (2038, date(2038, 4, 25))])
def test_easter_moves_with_the_moon(year: int, sunday: date) -> None:
    """From Good Friday to Monday."""
    assert (sunday - holiday("Easter", year).first).days == 2


def test_a_month_back_from_its_last_day_is_the_last_day_there_is() -> None:
    """There is no 31 February."""
    assert shifted(date(2026, 3, 31), -1) == date(2026, 2, 28)
    assert week(date(2026, 11, 15)).first == date(2026, 11, 9)


# Words from which times are made, and some around them, in any order: most of it nonsense.
WORDS = st.sampled_from(
    """yesterday today tomorrow tonight last next this past coming week month year weekend quarter days weeks ago in on
    by since until the a of from to and between , . ? ' 's " ` ( – 5 5th 31 2023 1990s 99 9999 May March Sept. Monday
    friday Fri spring winter fall Christmas Easter morning night I went will go was is Ana's before after early end
    few couple two years months now time all over Q3 Today Show 05/05/2023 2023-05-05 ſeptember weeK every born
    off 5pm""".split()
)
INSTANTS = st.datetimes(datetime(1, 1, 1), datetime(8999, 12, 31))  # noqa: DTZ001 - the zone plays no part


@given(st.lists(WORDS, max_size=12).map(" ".join) | st.text(max_size=60), INSTANTS)
def test_any_text_at_any_instant_is_read_and_written_once(text: str, at: datetime) -> None:
    """Nothing raises, what is found lies in the text and in order, and what is written out stays so."""
    upto = 0
    for one in found(text, at):
        assert upto <= one.start < one.end <= len(text)
        assert one.said == text[one.start : one.end]
        assert one.first <= one.last
        upto = one.end
    written = resolved(text, at)
    assert resolved(written, at) == written


@given(st.text(alphabet="bcdefghjklmnopqrstuvwxz .,\n", max_size=80).filter(lambda text: "week" not in text), INSTANTS)
def test_a_text_without_times_is_untouched(text: str, at: datetime) -> None:
    """Without `a` and `y` no time can be told."""
    assert resolved(text, at) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("We use Flask 2.3.1 on port 5000 and pay $35.", "We use Flask 2.3.1 on port 5000 and pay $35."),
        (
            "The half-way house may open, and he sat near the sun.",
            "The half-way house may open, and he sat near the sun.",
        ),
    ],
)
def test_numbers_and_words_that_only_look_like_times_stay(text: str, written: str) -> None:
    assert resolved(text, datetime(2026, 11, 15, 12, tzinfo=UTC)) == written
