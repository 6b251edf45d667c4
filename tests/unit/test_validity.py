"""Until when a text says that it holds; told on Tuesday 17 February 2026."""

from __future__ import annotations

from datetime import UTC, date, datetime

from ebbing.text.dates.validity import Wording, end_in, is_one_statement
from tests.tables import each_row, rows

TUESDAY = datetime(2026, 2, 17, 10, tzinfo=UTC)


@each_row(
    ("text", "last"),
    [
        ("I'm on paternity leave until June 1", "2026-06-01"),
        ("On call until the 14th", "2026-03-14"),
        ("Valid through March 3rd", "2026-03-03"),
        ("Road closed through the end of March", "2026-03-31"),
        ("The gym is closed till next Tuesday", "2026-02-24"),
        ("The pool stays shut until June", "2026-06-30"),
        ("Parking permit good until March 3, 2027", "2027-03-03"),
        ("Coupon valid till 31.12.2026", "2026-12-31"),
        ("The shoe sale ends Friday", "2026-02-20"),
        ("The lease ends in August", "2026-08-31"),
        ("The trial ends on the 28th", "2026-02-28"),
        ("The trial ends in two weeks", "2026-03-06"),
        ("Milk: best before 3 March", "2026-03-03"),
        ("My card expires 05/2027", "2027-05-31"),
        ("Passport expires on 3 May 2031", "2031-05-03"),
        ("Offer expires 2026-03-01", "2026-03-01"),
        ("Today only the back entrance is open", "2026-02-17"),
        ("Just for today, call me Bo", "2026-02-17"),
        ("Tonight only: no noise after nine", "2026-02-17"),
        ("Only this weekend: 20% off", "2026-02-22"),
        ("Mom sleeps in the spare room for the next two weeks", "2026-03-03"),
        ("On a keto diet for another two weeks", "2026-03-03"),
        ("No sugar for the next month", "2026-03-17"),
        ("Standup moves to ten every Monday until June 3", "2026-06-03"),
        ("Meeting postponed until Monday", "2026-02-23"),
        ("Away until Christmas", "2026-12-26"),
        ("My mother stays until the weekend", "2026-02-22"),
        ("Busy until 5 pm today", "2026-02-17"),
        ("Don't water the plants until Sunday", "2026-02-22"),
        ("Beta until March 1, then free until April 1", "2026-04-01"),
    ],
)
def test_an_end_that_is_said_is_read(text: str, last: str) -> None:
    """Until, through, ends, expires, only, for the next."""
    end = end_in(text, TUESDAY)
    assert end is not None
    assert (end.last, end.wording) == (date.fromisoformat(last), Wording.END)


@each_row(
    ("text", "last", "wording"),
    [
        ("Submit the report by Friday", "2026-02-20", Wording.DEADLINE),
        ("The report is due Friday", "2026-02-20", Wording.DEADLINE),
        ("I need the slides no later than next week", "2026-03-01", Wording.DEADLINE),
        ("Taking antibiotics for ten days", "2026-02-27", Wording.DEADLINE),
        ("I'm in Lisbon for three weeks", "2026-03-10", Wording.DEADLINE),
        ("They lent me the drill for two weeks", "2026-03-03", Wording.DEADLINE),
        ("Dentist on the 12th at 7:40", "2026-03-12", Wording.DATE),
        ("Flight to Porto on Thursday at 6:40", "2026-02-19", Wording.DATE),
        ("This weekend the pool is closed", "2026-02-22", Wording.DATE),
        ("The shop is closed tomorrow", "2026-02-18", Wording.DATE),
        ("I'll be in Rome March 3-7", "2026-03-07", Wording.DATE),
    ],
)
def test_a_deadline_and_a_date_are_told_apart_from_an_end(text: str, last: str, wording: Wording) -> None:
    """What kind of text it is decides whether they end it: a task is over then, a fact is not."""
    end = end_in(text, TUESDAY)
    assert end is not None
    assert (end.last, end.wording) == (date.fromisoformat(last), wording)


@each_row(
    "text",
    [
        "The pharmacy is open until 8 pm on weekdays",
        "I work nights Thursday through Sunday",
        "Open Mon through Fri 9 to 5",
        "The library closes at 8 pm",
        "I lived in Lyon until June",
        "I worked at Acme until 2019",
        "We were closed until Friday",
        "The lease ended in August",
        "I've been vegan for three weeks",
        "I lived there for three years",
        "Simmer for three hours",
        "It lasts for two weeks every year",
        "Rent is due on the 1st of every month",
        "We decided this weekend to marry",
        "Ana went to Rome on Friday",
        "I was born on 3 May 1990",
        "I'll wait until you say so",
        "Closed until further notice",
        "By the way, I like tea",
        "Stand by me",
        "I park in lot C now",
        "Never ring me between 9 and 4",
        "The file is `until June 1.txt`",
    ],
)
def test_what_comes_back_or_is_past_or_is_no_day_ends_nothing(text: str) -> None:
    """Opening hours, habits, the past, recipes."""
    assert end_in(text, TUESDAY) is None


def test_several_sentences_are_several_statements() -> None:
    """Of which one may hold for longer than the end that another names."""
    assert is_one_statement("The sale ends Friday, at the shoe shop.")
    assert not is_one_statement("I live in Lyon. The sale ends Friday.")


@each_row("text, last", rows("languages", "ends"))
def test_an_end_is_read_in_other_languages(text: str, last: str) -> None:
    end = end_in(text, TUESDAY)
    assert end is not None
    assert end.last == date.fromisoformat(last)


@each_row("text", rows("languages", "no_ends"))
def test_what_comes_back_or_is_past_has_no_end_in_other_languages(text: str) -> None:
    end = end_in(text, TUESDAY)
    assert end is None or end.wording is not Wording.END
