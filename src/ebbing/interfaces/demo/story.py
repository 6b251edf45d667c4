"""The demo's story: what is said to the agent and what it is asked, on which days of one year.

Words and dates only. What becomes of any of it is the engine's business and stands nowhere here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

FIRST_DAY = date(2026, 1, 5)
LAST_DAY = date(2026, 12, 31)
HOLIDAY = (date(2026, 8, 3), date(2026, 8, 30))  # both included
PILOT = "/pilot"
PASSING = {
    "lifetime": "days",
    "tier": "semantic",
}  # what matters for a while


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing said; a `key` gives it a name in the story."""

    on: date
    text: str
    category: str
    importance: float
    key: str | None = None
    more: dict[str, Any] = field(default_factory=dict)  # further arguments of `remember`

    def item(self) -> dict[str, Any]:
        """As `remember_many` takes it."""
        return {"text": self.text, "category": self.category, "importance": self.importance, **self.more}


@dataclass(frozen=True, slots=True)
class Question:
    """One thing asked again and again, on the same weekdays."""

    text: str
    first: date
    last: date
    every_weeks: int
    weekdays: tuple[int, ...]  # 0 is Monday

    def falls_on(self, day: date) -> bool:
        if not self.first <= day <= self.last or day.weekday() not in self.weekdays:
            return False
        return (day - FIRST_DAY).days // 7 % self.every_weeks == 0


DATABASE = "which database does the orders service use?"
CITY = "where does Mara live?"
DEPLOY = "what must run before a deploy?"
LUNCH = "what is Mara allergic to?"
INVOICES = "which encoding do supplier invoices have?"

QUESTIONS = (
    Question(DEPLOY, date(2026, 1, 8), LAST_DAY, 1, (0, 3)),
    Question(DATABASE, FIRST_DAY, LAST_DAY, 1, (1, 4)),
    Question("how should answers be written?", FIRST_DAY, date(2026, 6, 26), 1, (0, 2)),
    Question(LUNCH, FIRST_DAY, LAST_DAY, 4, (4,)),
    Question(CITY, FIRST_DAY, LAST_DAY, 3, (2,)),
    Question(INVOICES, date(2026, 2, 10), date(2026, 3, 6), 1, (1,)),
    Question("who approves refunds?", FIRST_DAY, LAST_DAY, 2, (0,)),
    Question("when does the courier pick up parcels?", FIRST_DAY, LAST_DAY, 2, (1,)),
    Question("which amounts does the payment sandbox reject?", FIRST_DAY, LAST_DAY, 3, (3,)),
    Question("when does the newsletter go out?", FIRST_DAY, LAST_DAY, 2, (2,)),
    Question("who knows the label printer?", FIRST_DAY, date(2026, 9, 30), 2, (4,)),
)

# Those the story follows by name. The rest of the year happens around them.
CAST = (
    Entry(FIRST_DAY, "Mara is allergic to peanuts", "fact", 0.6, "allergy"),
    Entry(FIRST_DAY, "Run migrations before every deploy", "gotcha", 0.6, "deploy"),
    Entry(FIRST_DAY, "Pages are rendered on the server", "decision", 0.9, "pages"),
    Entry(FIRST_DAY, "The kickoff dinner was by the sea", "fact", 0.5, "dinner", PASSING),
    Entry(
        FIRST_DAY,
        "The orders service runs on MySQL",
        "fact",
        0.7,
        "mysql",
        {"subject": "orders service", "attribute": "database"},
    ),
    Entry(FIRST_DAY, "Mara lives in Lisbon", "fact", 0.7, "lisbon"),
    Entry(FIRST_DAY, "Test run 399: 3 of 318 tests failed", "tool_output", 0.4, "output", {"source": "tool"}),
    Entry(date(2026, 2, 9), "Supplier invoices arrive in Latin-1, not UTF-8", "gotcha", 0.6, "invoices", PASSING),
    Entry(date(2026, 3, 16), "Answers should be short, reason first", "preference", 0.6, "answers", PASSING),
    Entry(date(2026, 7, 27), "The shop window is decorated by Ines", "fact", 0.6, "window", PASSING),
    Entry(date(2026, 3, 4), "Mara's home address is 12 Harbour Lane", "fact", 0.6, "address"),
)

# Said by the chapters themselves, at the moment they tell of.
POSTGRES = Entry(
    date(2026, 6, 15),
    "The orders service runs on PostgreSQL",
    "fact",
    0.7,
    "postgres",
    {"subject": "orders service", "attribute": "database"},
)
PORTO = Entry(date(2026, 6, 15), "Mara lives in Porto now", "fact", 0.7, "porto")

_FACTS = """
The staging server restarts every Sunday night
Joana approves refunds above 200 euros
The logo file is in the shared drive under brand
The old shop page is still linked from two newsletters
The courier picks up parcels at four in the afternoon
The staging certificate is renewed by hand
Product photos are taken on the first Tuesday of the month
The warehouse counts its stock twice a year
The search page is slow on phones with little memory
Tomas is the one who knows the label printer
Customers ask most often about delivery times
The newsletter goes out on Thursday mornings
The export button hides behind the third menu
Gift wrapping costs the shop about one euro a parcel
The terms page was last read by a lawyer in spring
Two big customers order by telephone
The spare office key is with the reception
The coffee machine on the second floor is broken
A school class visited the warehouse
The summer sale needs red banners
The meeting room with the round table is called Delta
The German translation misses the checkout page
Returns are unpacked on Wednesdays
The intern starts on the first of September
The winter catalogue has forty pages
Stickers for the parcels are ordered in boxes of a thousand
The analytics script is loaded twice on the start page
The backup tapes are collected by a van
The price list is a spreadsheet with six sheets
The shop sends cards to its best customers in December
""".strip().splitlines()

_PILOT = """
The loyalty pilot gives 1 point per euro spent
The loyalty pilot runs with 40 invited customers
The loyalty pilot lets points lapse after 12 months
The loyalty pilot needs a card design by spring
The loyalty pilot keeps its points in a spreadsheet
The loyalty pilot was explained to the support team
""".strip().splitlines()

_LESSONS = (
    ("The payment sandbox rejects amounts with more than two decimals", "gotcha", 0.7),
    ("Uploading the sitemap by FTP failed with a timeout", "failure", 0.5),
    ("Caching the product list made the start page twice as fast", "strategy", 0.6),
    ("Mara would rather have one long meeting than three short ones", "preference", 0.6),
    ("Half of the abandoned carts contain a single item", "finding", 0.6),
    ("The slow query is probably the join on addresses", "assumption", 0.5),
    ("We decided to drop support for fax orders", "decision", 0.7),
    ("Retrying the courier's API at once makes its errors worse", "gotcha", 0.8),
    ("Sorting the basket by price confused testers", "finding", 0.5),
    ("We decided to send receipts by mail only", "decision", 0.6),
)

_OPENINGS = ("Good morning", "Hello again", "Thanks a lot", "That was quick", "Have a nice evening", "Back from lunch")
_SMALL_TALK = (
    "it rains",
    "the tram was late",
    "the sun is out",
    "what a long day",
    "the weekend is near",
    "it is Monday after all",
    "the office is empty",
)
_STAGES = ("the basket", "the checkout", "the product pages", "the search", "the order mails")


def entries_on(day: date) -> list[Entry]:
    """Everything said to the agent on a day of use, chapters apart."""
    entries = [one for one in (*CAST, *_scattered()) if one.on == day]
    return [*entries, *_chatter(day)]


def worked_on(day: date) -> bool:
    """Whether anybody is there."""
    return day.weekday() < 5 and not HOLIDAY[0] <= day <= HOLIDAY[1]


def _scattered() -> Iterator[Entry]:
    """Facts that nobody will ask for, lessons, and a pilot project."""
    for number, text in enumerate(_FACTS):
        yield Entry(
            _workday(FIRST_DAY + timedelta(days=2 + 12 * number)), text, "fact", 0.4 + number % 3 * 0.1, more=PASSING
        )
    for number, (text, category, importance) in enumerate(_LESSONS):
        yield Entry(_workday(FIRST_DAY + timedelta(days=16 + 32 * number)), text, category, importance)
    for number, text in enumerate(_PILOT):
        yield Entry(
            _workday(date(2026, 9, 1) + timedelta(days=6 * number)), text, "fact", 0.6, more={"scope": PILOT, **PASSING}
        )


def _chatter(day: date) -> Iterator[Entry]:
    """Small talk, the output of tools, the status of the week: what fills a memory that cannot forget."""
    number = (day - FIRST_DAY).days
    if day.weekday() in (0, 2, 4):
        opening, rest = _OPENINGS[number % len(_OPENINGS)], _SMALL_TALK[number % len(_SMALL_TALK)]
        yield Entry(day, f"{opening}, {rest}", "observation", 0.2)
    if day.weekday() in (1, 3) and number > 1:
        output = f"Test run {400 + number}: {310 + number} tests passed in {80 + number % 37} seconds"
        yield Entry(day, output, "tool_output", 0.4, more={"source": "tool"})
    if day.weekday() == 0:
        week = number // 7 + 1
        done = 15 + week * 17 % 80
        stage = _STAGES[week // 4 % len(_STAGES)]
        yield Entry(day, f"Week {week}: work on {stage}, {done} percent done", "project_status", 0.5)


def _workday(day: date) -> date:
    while not worked_on(day):
        day += timedelta(days=1)
    return day
