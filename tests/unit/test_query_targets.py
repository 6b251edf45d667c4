"""What a question to forget names is meant exactly: identifiers, quotations and names bind as whole tokens."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime

from ebbing.domain.memory import Memory
from ebbing.forget.query_targets import meant_by
from tests.tables import each_row

AT = datetime(2026, 5, 1, tzinfo=UTC)

# A question; what goes; what resembles it, is found by the search as well, and stays.
ROWS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    # One apostrophe and one hyphen, however they are written
    ("O’Brien tea", ("O'Brien likes tea.", "OʼBrien drinks tea"), ("Brien likes tea.", "O'Brian likes tea.")),
    ("O'Brien tea", ("O’Brien likes tea.",), ("Brien likes tea.",)),
    ("db‑prod", ("The host db-prod is up",), ("The host db-prod-1 is up", "The host db‑prod‑1 is up")),
    # Addresses
    ("alice@acme.test", ("Write to alice@acme.test.",), ("Write to alice.smith@acme.test.", "Alice works at Acme.")),
    ("alice@acme.test", ("Mail <alice@acme.test>, please",), ("malice@acme.test is spam", "alice@acme.test.example")),
    ("alice@acme.test", ("mailto:alice@acme.test works",), ("alice@acme.testing", "alice+x@acme.test")),
    ("ALICE@acme.test", ("The owner is Alice@Acme.test",), ("The owner is bob@acme.test",)),
    ("acme.test", ("The site acme.test is down",), ("Write to alice@acme.test", "www.acme.test is up")),
    ("@alice", ("Ask @alice about it",), ("Ask @alice_smith", "Ask Alice")),
    ("https://a.example/b", ("See https://a.example/b.",), ("See https://a.example/b/c", "See https://a.example/bc")),
    ("https://a.example/b", ("(https://a.example/b/)",), ("https://a.example/b?c=1", "https://aa.example/b")),
    ("10.0.0.7", ("The server is 10.0.0.7.",), ("The server is 10.0.0.71", "The server is 110.0.0.7", "10.0.0.7.1")),
    # Paths and files
    ("/etc/nginx", ("Look in /etc/nginx.",), ("Look in /etc/nginx.conf", "Look in /etc/nginx/sites", "/old/etc/nginx")),
    ("src/main.py", ("src/main.py is long",), ("lib/src/main.py is long", "src/main.pyc is there")),
    ("C:\\temp\\a", ("Clean C:\\temp\\a now",), ("Clean C:\\temp\\ab now", "Clean C:\\temp now")),
    (".env", ("Keys are in .env today",), ("Keys are in prod.env today",)),
    ("the flag --dry-run", ("Use --dry-run first",), ("Use --dry-run-all first", "Use --dry first")),
    # Numbers, versions, tickets
    ("PROJ-12", ("PROJ-12 is done",), ("PROJ-123 is done", "PROJ-1 is done", "XPROJ-12 is done", "PROJ-12-a is done")),
    ("ticket #123", ("The ticket #123 is open",), ("The ticket #1234 is open", "The ticket #12 is open")),
    ("v2.3", ("We run v2.3 now.",), ("We run v2.3.1 now.", "We run v2.31 now.", "We run v12.3 now.")),
    ("version 2.3.1", ("The version is 2.3.1",), ("The version is 2.3", "The version is 2.3.10", "Version 12.3.1")),
    ("2,400", ("The rent is 2,400 EUR", "The rent is 2400 EUR"), ("The rent is 12,400 EUR", "It is 2,400,000 EUR")),
    ("rent 2400", ("The rent is 2,400 EUR",), ("The rent is 24000 EUR", "The rent is 2.400", "The rent is 240")),
    ("5 cats", ("Ana has 5 cats",), ("Ana has 15 cats", "Ana has 5.5 cats", "Ana has 50 cats", "Ana has -5 cats")),
    ("pin 0815", ("The pin is 0815",), ("The pin is 815", "The pin is 08151")),
    ("meeting at 10:30", ("The meeting is at 10:30.",), ("The meeting is at 10:31", "The meeting is at 10:30:15")),
    ("2024-05-03", ("It broke on 2024-05-03",), ("It broke on 2024-05-04", "It broke on 2024-05")),
    ("+49 170 12345", ("Call +49 170 12345",), ("Call +49 170 123456", "Call +49 171 12345")),
    ("4f9a2c1", ("Commit 4f9a2c1 broke it",), ("Commit 4f9a2c1d broke it", "Commit 4f9a broke it")),
    ("foo_bar", ("Call foo_bar() twice",), ("Call foo_bar_baz() twice", "Call foo bar twice")),
    ("fooBar", ("fooBar is slow",), ("fooBarBaz is slow", "foo bar is slow")),
    ("room 5", ("Room 5 is red",), ("Room 15 is red", "Room 5a is red")),
    ("C++", ("Ana writes C++ daily",), ("Ana writes C daily",)),
    # Quotations
    ('"green tea"', ("Ana likes green tea.",), ("Ana likes tea.", "Ana likes green and black tea.")),
    ("'never again'", ("Bob said never again.",), ("Bob said never. Again?", "Bob said it again")),
    ("„grüner Tee“", ("Ana mag grüner Tee",), ("Ana mag grünen Tee",)),
    ("«thé vert»", ("Élise aime le thé vert.",), ("Élise aime le thé.",)),
    ('notes with "api key"', ("The api key is in the safe",), ("The api keys are in the safe",)),
    # Names
    ("Frank Harbor HQ", ("Frank works at Harbor HQ",), ("Grace works at Harbor HQ", "Frank works at Bay HQ")),
    ("frank harbor hq", ("Frank works at Harbor HQ",), ("Grace works at Harbor HQ", "Frank works at Bay HQ")),
    ("FRANK HARBOR HQ", ("Frank works at Harbor HQ",), ("Grace works at Harbor HQ",)),
    ("Frank's address", ("The address of Frank is B 1", "Frank's address is secret"), ("Grace's address is secret",)),
    ("frank's address", ("Frank's address is secret",), ("Grace's address is secret", "Franklin's address is secret")),
    ("the address of Frank", ("The address of Frank: 1 Bay Road",), ("The address of Frankie: 2 Bay Road",)),
    ("Forget Frank's address", ("Frank's address is secret",), ("Grace's address is secret",)),
    ("Anna", ("Anna likes tea",), ("Anna-Lena likes tea", "Annabel likes tea", "Hanna likes tea")),
    ("Anna-Lena", ("Anna-Lena likes tea", "Anna-Lena's tea"), ("Anna likes tea", "Lena likes tea", "Anna and Lena")),
    ("anna-lena", ("Anna-Lena likes tea",), ("Anna likes tea", "Lena likes tea")),
    ("Jürgen", ("Jürgen mag Tee",), ("Jurgen mag Tee", "Jörg mag Tee")),
    (unicodedata.normalize("NFD", "Jürgen"), ("Jürgen mag Tee",), ("Jurgen mag Tee",)),
    ("jürgen groß", ("Jürgen Groß mag Tee",), ("Jürgen Gross mag Tee", "Jürgen mag Tee")),
    ("Élise", ("Le thé d'Élise est vert", "Élise aime le thé", "C'est l’Élise de Lyon"), ("Elise aime le thé",)),
    ("O'Brien", ("O'Brien likes tea", "O'Brien's tea"), ("Brien likes tea",)),
    ("Brien", ("Brien likes tea",), ("O'Brien likes tea",)),
    ("McKay", ("McKay likes tea",), ("Mc Kay likes tea", "McKayla likes tea")),
    ("Ana Lopez", ("Ana Lopez lives in Rome",), ("Ana Perez lives in Rome", "Eva Lopez lives in Rome")),
    ("where Ana lives", ("Ana lives in Rome",), ("Eva lives in Rome", "Anastasia lives in Rome")),
    ("ana", ("Ana lives in Rome", "I met Ana."), ("Eva lives in Rome", "Diana lives in Rome")),
    ("James' car", ("James' car is red", "James has a car", "James's car is red"), ("Jamie's car is red",)),
    ("what does grace drink", ("Grace drinks tea",), ("Frank drinks tea", "Graceland sells drinks")),
    ("Grace", (), ("Frank shares a desk", "Gracia has a desk")),
    ("user:frank", ("Rights of user:frank are wide",), ("Rights of user:franka are wide",)),
    ("Project Atlas", ("Project Atlas is late",), ("Project Apollo is late",)),
    ("安娜 2024", ("安娜在2024年结婚",), ("安娜在2023年结婚",)),
    ("Berlin and Porto", ("Ana moved from Berlin to Porto",), ("Ana moved from Berlin to Oslo",)),
    # Nothing is named: what shares most of the words
    ("tea preferences", ("Somebody's tea preferences are unknown",), ("Coffee beans are expensive",)),
    ("deploys happen on tuesdays", ("Deploys happen on Tuesdays",), ("Lunch happens at noon",)),
    ("the broken lamp in the hall", ("A broken lamp hangs in the hall",), ("There is a broken window upstairs",)),
    ("crimson lamp", ("The crimson lamp is old",), ("Red lights are old",)),
)  # fmt: skip


def memory(text: str, **given: object) -> Memory:
    return Memory(
        id=text, owner="default", text=text, created_at=AT, created_day=0, last_accessed_at=AT, used_day=0
    ).with_(**given)


@each_row(("question", "going", "staying"), ROWS)
def test_what_a_question_names_is_meant_exactly(
    question: str, going: tuple[str, ...], staying: tuple[str, ...]
) -> None:
    """What only resembles it is somebody else's address, another version, another person."""
    meant = [one.text for one in meant_by(question, [memory(text) for text in (*going, *staying)])]
    assert meant == list(going)


def test_a_name_may_stand_in_the_subject_or_a_tag() -> None:
    """The text need not repeat whom it is about."""
    several = [memory("Likes tea", subject="Frank"), memory("Likes milk", tags=("frank",)), memory("Frankly, no tea")]
    assert meant_by("Frank", several) == several[:2]


def test_a_name_that_no_memory_holds_means_none() -> None:
    """The search finds what is near in meaning; that is somebody else."""
    several = [memory("Grace works at Harbor HQ"), memory("Grace likes tea")]
    assert meant_by("Frank Harbor HQ", several) == []
    assert meant_by("what Frank drinks", several) == []
    assert meant_by("Frank", several) == []


def test_an_empty_question_means_nothing() -> None:
    """There is nothing it could name."""
    assert meant_by("", []) == []
