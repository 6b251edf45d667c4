"""A sentence as the single things it says: what is taken apart, and above all what is not."""

import re

from hypothesis import given
from hypothesis import strategies as st

from ebbing.text.facts.clauses import clauses
from tests.tables import each_row

TAKEN_APART = [
    # subjects carried over
    ("Anna moved to Rome and opened a shop.", ["Anna moved to Rome", "Anna opened a shop"]),
    ("Ben was born in 1970 and lives in Oslo.", ["Ben was born in 1970", "Ben lives in Oslo"]),
    ("The tool was built in May and tested in June.", ["The tool was built in May", "The tool was tested in June"]),
    ("The tool was built in May and won a prize.", ["The tool was built in May", "The tool won a prize"]),
    ("She has sold the car and bought a bike.", ["She has sold the car", "She has bought a bike"]),
    ("They want to sell the house and buy a boat.", ["They want to sell the house", "They want to buy a boat"]),
    ("Anna designed and built the bridge.", ["Anna designed the bridge", "Anna built the bridge"]),
    ("Only admins can read and write files.", ["Only admins can read files", "Only admins can write files"]),
    ("He probably left early and went home.", ["He probably left early", "He probably went home"]),
    ("She has never smoked and drinks no wine.", ["She has never smoked", "She drinks no wine"]),
    (
        "The team planned the launch, wrote the docs and told the press.",
        ["The team planned the launch", "The team wrote the docs", "The team told the press"],
    ),
    # clauses
    ("Anna likes tea and Ben drinks coffee.", ["Anna likes tea", "Ben drinks coffee"]),
    ("The test passed, but the deploy failed.", ["The test passed", "The deploy failed"]),
    ("Stars are hot, while planets are cold.", ["Stars are hot", "Planets are cold"]),
    ("Although the server is old, the disk is new.", ["The server is old", "The disk is new"]),
    ("The server is old; the disk is new.", ["The server is old", "The disk is new"]),
    ("In Spain, lunch is late and dinner is light.", ["In Spain, lunch is late", "In Spain, dinner is light"]),
    (
        "Anna told us that she likes tea and that she hates coffee.",
        ["Anna told us that she likes tea", "Anna told us that she hates coffee"],
    ),
    # lists
    ("Anna likes tea and cake.", ["Anna likes tea", "Anna likes cake"]),
    ("Anna and Ben like tea.", ["Anna likes tea", "Ben likes tea"]),
    (
        "The service runs on Linux, macOS and Windows.",
        ["The service runs on Linux", "The service runs on macOS", "The service runs on Windows"],
    ),
    ("The app is fast, cheap and reliable.", ["The app is fast", "The app is cheap", "The app is reliable"]),
    ("It reads formats such as JSON and YAML.", ["It reads formats", "It reads JSON", "It reads YAML"]),
    ("We sell apples in Rome and in Oslo.", ["We sell apples in Rome", "We sell apples in Oslo"]),
    # by the way
    ("Anna, our new CTO, joined in May.", ["Anna joined in May", "Anna is our new CTO"]),
    ("We met Anna, the head of sales.", ["We met Anna", "Anna is the head of sales"]),
    (
        "The library, which was released in 2019, is popular.",
        ["The library is popular", "The library was released in 2019"],
    ),
    ("We use a library, which was released in 2019.", ["We use a library", "The library was released in 2019"]),
    ("Ben, who lives in Rome, works for Acme.", ["Ben works for Acme", "Ben lives in Rome"]),
    ("I bought a red lamp, which cost 40 pounds.", ["I bought a red lamp", "The red lamp cost 40 pounds"]),
    (
        "On 14 November 2026 I bought a bike, and my sister Kate, a dentist, lent me her helmet.",
        ["On 14 November 2026 I bought a bike", "My sister Kate lent me her helmet", "My sister Kate is a dentist"],
    ),
    ("The talk starts at 10 am and ends at 11 am.", ["The talk starts at 10 am", "The talk ends at 11 am"]),
    ("Ben, whose father is a doctor, sings.", ["Ben sings", "Ben's father is a doctor"]),
    ("The firm, founded in 1994, employs 300 people.", ["The firm employs 300 people", "The firm was founded in 1994"]),
    ("Anna Berg (born 11 May 1990) is a nurse.", ["Anna Berg is a nurse", "Anna Berg was born 11 May 1990"]),
    ("Anna is a nurse who works nights.", ["Anna is a nurse", "Anna works nights"]),
    ("Dune is a film directed by Denis.", ["Dune is a film", "Dune is directed by Denis"]),
    ("The film was a success, earning 3 million.", ["The film was a success", "The film earned 3 million"]),
]


@each_row(("sentence", "expected"), TAKEN_APART)
def test_a_sentence_that_says_several_things_says_them_one_by_one(sentence: str, expected: list[str]) -> None:
    assert clauses(sentence) == expected


LEFT_WHOLE = [
    "We redesigned the site, which cost 4000 pounds",
    "The call is on Friday, which was moved from Monday",
    "I spent $40 on tea and cake",
    "Anna and Ben are 74 and 79",
    "We count the growth of sales made in the shop, which has reached 165",
    # one condition for all, or for one of them
    "We use Postgres and Redis unless the client objects",
    "If the build fails, restart it and call Ben",
    "The alarm rings when the door opens and the light is on",
    "We ship on Fridays only if the tests pass and Ben agrees",
    # negations
    "She doesn't like tea and coffee",
    "We do not support Windows and macOS",
    "Neither Anna nor Ben came",
    "He has not eaten and slept",
    # alternatives, and things named together
    "You can deploy on Monday or Tuesday",
    "The price is between 5 and 10 euros",
    "Tom and Ann live in Rome and Paris respectively",
    "Anna and Ben met in Rome",
    "Anna and Ben are siblings",
    "Both Anna and Ben came",
    # what somebody said, with who said it
    "The compliance team flagged that all user data must stay in EU regions",
    "Anna said Ben left and went home",
    "He said that apples and pears are cheap",
    "I think Anna and Ben are nice",
    # reasons with what they explain
    "The team recommends PostgreSQL due to its JSONB support",
    "The deploy failed because the disk was full and the cache was cold",
    # what limits is no aside
    "The people who live here are friendly",
    "Employees that joined before May get a bonus",
    # names and pairs that belong together
    "Bosnia and Herzegovina joined in 1992",
    "She works at the Department of Health and Human Services",
    "He invests in research and development",
    "They love Dolce & Gabbana",
    # in doubt
    "Anna bought a car and a house in Berlin",
    "I have two kids, Tom and Ann",
    "He was born in Ulm, Germany",
    "Acme uses machine learning models and rules",
    "The physics and chemistry labs are closed",
    'He said "I like tea and I hate coffee"',
]


@each_row("sentence", LEFT_WHOLE)
def test_what_would_say_more_alone_stays_together(sentence: str) -> None:
    assert clauses(f"{sentence}.") == [sentence]


@each_row(
    ("sentence", "expected"),
    [
        ("After reviewing the options, the team recommends Rust.", ["The team recommends Rust"]),
        ("Having considered all offers, Anna chose the cheapest.", ["Anna chose the cheapest"]),
        ("However, the test failed.", ["The test failed"]),
        ("By the way, Anna moved.", ["Anna moved"]),
        ("It is important to note that the key expires in May.", ["The key expires in May"]),
        # These are no scenery: without them the rest would not be true.
        ("After adding salt, the soup is good.", ["After adding salt, the soup is good"]),
        ("When deploying on Fridays, the build fails.", ["When deploying on Fridays, the build fails"]),
        ("In 2019, Anna moved to Rome.", ["In 2019, Anna moved to Rome"]),
    ],
)
def test_what_only_sets_the_scene_is_left_out(sentence: str, expected: list[str]) -> None:
    assert clauses(sentence) == expected


@each_row("sentence", ["", ".", ",", "and", "Anna", "which", "Anna, ", "(", "and and and", "if"])
def test_scraps_are_no_trouble(sentence: str) -> None:
    assert len(clauses(sentence)) <= 1


def test_a_foreign_sentence_stays_as_it_is() -> None:
    assert clauses("Anna zog nach Rom und eröffnete einen Laden.") == ["Anna zog nach Rom und eröffnete einen Laden"]


WORDS = st.sampled_from(
    """Anna Ben Rome the a team server shop tea it she they who which that and or but , , if not never was is has likes
    moved built to of in on with because 2019 fast only sells works running while (born 1990) ; such as""".split()
)
ADDED = frozenset("is are was were the a 's".split())


def content(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


@given(st.lists(WORDS, max_size=24).map(" ".join))
def test_facts_hold_no_word_that_the_sentence_lacks(sentence: str) -> None:
    there = {word[:3] for word in content(sentence)} | ADDED
    for fact in clauses(sentence):
        assert {word for word in content(fact) if word not in ADDED and word[:3] not in there} == set()


@given(st.lists(WORDS, max_size=24).map(" ".join))
def test_no_negation_and_no_condition_is_lost(sentence: str) -> None:
    facts = " ".join(clauses(sentence)).lower().split()
    for word in ("not", "never", "if", "only"):
        assert facts.count(word) >= min(1, sentence.lower().split().count(word))


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    assert all(fact == fact.strip() and fact for fact in clauses(text))
