"""A text as facts: complete, dated, told of whoever speaks, without chatter, and never saying more than the text."""

import re
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from ebbing.remember.extract_rules import decomposed, told
from tests.tables import each_row

AT = datetime(2026, 11, 15, 12, tzinfo=UTC)


def facts(text: str, speaker: str | None = None) -> list[str]:
    return decomposed(text, at=AT, speaker=speaker)


def test_the_worked_example_gives_its_four_facts() -> None:
    text = (
        "After reviewing the infrastructure options, the team recommends PostgreSQL for the user database due to its "
        "JSONB support. Estimated cost is $2,400/month on RDS. The compliance team flagged that all user data must "
        "stay in EU regions. DevOps prefers managed services over self-hosted."
    )
    assert facts(text) == [
        "The team recommends PostgreSQL for the user database due to its JSONB support",
        "Estimated cost is $2,400/month on RDS",
        "The compliance team flagged that all user data must stay in EU regions",
        "DevOps prefers managed services over self-hosted",
    ]


@each_row(
    "text",
    [
        "Hi Anna! How are you?",
        "Thanks so much!",
        "Can you recommend a good book?",
        "Please summarize the report.",
        "That's awesome!",
        "It was great.",
        "I've really been enjoying it.",
        "Have fun and stay safe!",
        "Let's go together.",
        "I'm looking for some recommendations on cameras.",
        "I'd like to know more about sailing.",
        "",
        "```\nprint('Anna lives in Rome.')\n```",
    ],
)
def test_what_only_keeps_a_talk_going_is_no_fact(text: str) -> None:
    assert facts(text) == []


@each_row(
    ("text", "expected"),
    [
        (
            "I have a call with Anna on March 22, can you help me prepare?",
            ["I have a call with Anna on March 22"],
        ),
        (
            "I'm afraid of missing the call with Anna, so can you remind me that it's moved to 5 PM?",
            ["I'm afraid of missing the call with Anna", "The call's moved to 5 PM"],
        ),
        (
            "I'm trying to cut the response time, which has recently improved to 250ms, but I want 200ms, any ideas?",
            [
                "I'm trying to cut the response time",
                "I want 200ms",
                "The response time has recently improved to 250ms",
            ],
        ),
    ],
)
def test_what_is_said_beside_a_question_is_kept(text: str, expected: list[str]) -> None:
    assert sorted(facts(text)) == sorted(expected)


@each_row(
    "text",
    [
        "I got the job at Siemens, starting 1 December",  # not: I started
        "I fixed the bug and all tests pass",  # not: I fixed all tests pass
        "I no longer work at Bosch and live in Ulm now",  # not: I no longer live in Ulm
        "My boss said he will quit and move to Spain",  # not: he will quit to Spain
        "We have two cats, Milo and Otis, and a dog called Rex",  # not: a dog called Rex
        "Ben says the server is down and the backup failed",  # not: the backup failed
        "I booked the flight, leaving on 5 March",  # not: 5 March of last year
        "I said I can't start before September",
        "Skips: booked 28 March, no asbestos",
        "NB deposit £75 due 20 March, NOT paid yet",
        "Barley is sold forward, harvest in August",  # not: harvest in August of last year
        "Me: T.J. is my son",
        "He stopped napping!! wait no, he naps twice now",  # not the one without the other
        "15 Apr. Never buy compost there again",
        "Kurz: der Termin ist am 22. Juni um 10 Uhr, Beethovenstr. 3",
    ],
)
def test_what_cannot_be_taken_apart_faithfully_keeps_its_own_words(text: str) -> None:
    """A fact that nobody stated is worse than a long one."""
    assert facts(f"{text}.") == [text]


def test_notes_below_each_other_do_not_speak_of_each_other() -> None:
    """`Science wants to drop football` was said by nobody."""
    notes = "Science: forgot the goggles twice\nPE: she wants to drop football\nBins: our week is the twelfth"
    assert facts(notes) == notes.split("\n")


def test_what_a_heading_denies_is_denied_of_each_item() -> None:
    assert facts("Things we do NOT do:\n- a second dog")[-1] == "Things we do NOT do: a second dog"
    assert facts("Not happening in 2027\n- a second dog")[-1] == "Not happening in 2027: a second dog"


def test_a_sentence_written_as_a_heading_is_read() -> None:
    assert facts("# lesson (Ioana): the workspace was 'default' and ours is 'blue'.") == [
        "Lesson (Ioana): the workspace was 'default' and ours is 'blue'"
    ]


@each_row(
    "text",
    [
        "is it ok to give a toddler honey",
        "whats the command for that",
        "list me five names",
        "kannst du mir helfen",
        "ok",
    ],
)
def test_in_a_talk_questions_without_their_mark_are_questions(text: str) -> None:
    assert told(text, at=AT, is_talk=True) == []


@each_row("text", ["Bummer, Joanna.", "Sounds like a plan, John!", "You did a great job, Ben!", "Here's a pic"])
def test_in_a_talk_scraps_and_praise_are_no_facts(text: str) -> None:
    assert facts(text, speaker="Anna") == []


@each_row("text", ["Never push to main.", "Budget: 5k", "Always run the migrations on Staging first."])
def test_rules_and_notes_are_facts_without_a_subject(text: str) -> None:
    assert facts(text) == [text.rstrip(".")]


@each_row(
    ("text", "expected"),
    [
        ("Anna moved to Rome. She likes the sea.", ["Anna moved to Rome", "Anna likes the sea"]),
        ("Anna moved to Rome. Her brother sings in Oslo.", ["Anna moved to Rome", "Anna's brother sings in Oslo"]),
        ("My sister lives in Oslo. She is a doctor.", ["My sister lives in Oslo", "My sister is a doctor"]),
        ("The scanner is new. It's made in Japan.", ["The scanner is new", "The scanner's made in Japan"]),
        ("I bought a car. It has 4 doors.", ["I bought a car", "The car has 4 doors"]),
        ("The users complained. They want 2 buttons.", ["The users complained", "The users want 2 buttons"]),
        (
            "Epigenetic changes are common. These changes are found in 40 plants.",
            ["Epigenetic changes are common", "Epigenetic changes are found in 40 plants"],
        ),
        ("Anna was ill, so she stayed in Rome.", ["Anna was ill", "Anna stayed in Rome"]),
    ],
)
def test_a_pronoun_becomes_the_one_thing_it_can_stand_for(text: str, expected: list[str]) -> None:
    assert facts(text) == expected


@each_row(
    "text",
    [
        "Anna met Clara. She moved to Rome.",
        "The server has a disk. It cost 400 euros.",
        "He was married to Meg Ryan. He won 3 prizes.",
        "Anna sold the car. It rained for 3 days.",
        "The users met the managers. They want 2 buttons.",
    ],
)
def test_a_pronoun_that_may_be_two_things_stays(text: str) -> None:
    assert facts(text)[-1] == text.split(". ")[1].rstrip(".")


@each_row(
    ("said", "told"),
    [
        ("I moved to Berlin.", "Anna moved to Berlin"),
        ("I am a nurse.", "Anna is a nurse"),
        ("I'm a nurse in Rome.", "Anna is a nurse in Rome"),
        ("I have two dogs.", "Anna has two dogs"),
        ("I've sold my car.", "Anna has sold Anna's car"),
        ("I like green tea.", "Anna likes green tea"),
        ("I try new recipes.", "Anna tries new recipes"),
        ("I don't eat meat.", "Anna doesn't eat meat"),
        ("I'll visit Rome in May 2027.", "Anna will visit Rome in May 2027"),
        ("I'd rather take the train to Rome.", "Anna would rather take the train to Rome"),
        ("My dog is called Rex.", "Anna's dog is called Rex"),
        ("Ben gave me a book about Rome.", "Ben gave Anna a book about Rome"),
        ("Just got a new bike!", "Anna just got a new bike"),
        # Where the grammar is not plain, the words stay, behind the name.
        ("We moved to Berlin.", "Anna: We moved to Berlin"),
        ("Ben and I live in Rome.", "Anna: Ben and I live in Rome"),
        ("I built the shed myself.", "Anna: I built the shed myself"),
    ],
)
def test_what_a_speaker_says_of_themselves_is_told_of_them(said: str, told: str) -> None:
    assert facts(said, speaker="Anna") == [told]
    assert facts(f"Anna: {said}")[0] in (told, f"Anna: {said.rstrip('.!')}")


def test_without_a_speaker_the_first_person_stays() -> None:
    assert facts("I moved to Berlin and my sister lives in Rome.") == ["I moved to Berlin", "My sister lives in Rome"]


def test_the_roles_of_a_chat_are_told_as_roles() -> None:
    assert facts("User: I live in Oslo.\nAssistant: Noted!") == ["The user lives in Oslo"]


def test_days_are_written_as_dates() -> None:
    assert facts("I moved to Berlin yesterday.") == ["I moved to Berlin on 14 November 2026"]


def test_a_day_whose_year_stood_beside_it_is_not_given_another() -> None:
    found = facts("The film opened on 28 May 2014 in Rome, and was shown in Oslo on 30 May.")
    assert found == ["The film opened on 28 May 2014 in Rome", "The film was shown in Oslo on 30 May"]


@each_row(
    ("text", "expected"),
    [
        (
            "# Anna Berg\n- Joined in 2019\n- Leads the platform team",
            ["Anna Berg joined in 2019", "Anna Berg leads the platform team"],
        ),
        ("Requirements:\n- Python 3.11\n- 4 GB of RAM", ["Requirements: Python 3.11", "Requirements: 4 GB of RAM"]),
        (
            "The winners were:\n1. Anna Berg\n2. Ben Voss",
            ["The winners included Anna Berg", "The winners included Ben Voss"],
        ),
        ("## Deploy\n- We deploy on Fridays", ["We deploy on Fridays"]),
    ],
)
def test_an_item_of_a_list_is_complete_with_what_stands_above_it(text: str, expected: list[str]) -> None:
    assert facts(text) == expected


def test_what_is_said_twice_is_one_fact() -> None:
    assert facts("Anna lives in Rome. Ben sings in Oslo. Anna lives in Rome!") == [
        "Anna lives in Rome",
        "Ben sings in Oslo",
    ]


PIECES = st.sampled_from(
    [
        *(
            "Anna moved to Rome in 2019.",
            "She likes tea and cake.",
            "Ben, our new lead, does not smoke.",
            "Who is Clara?",
        ),
        *("If it rains, we stay home and read.", "I never met Ben or Clara.", "It costs 40 euros, not 50.", "Thanks!"),
        *(
            "The tool, which was released in 2018, is slow.",
            "- 3 servers",
            "# Costs",
            "Ben: I have 2 dogs.",
            "Is it 7?",
        ),
        *(
            "Anna said that Ben left and that Clara stayed.",
            "We don't use Redis and Kafka unless Ben agrees.",
            "the",
            ",",
        ),
    ]
)
TEXTS = st.lists(PIECES, max_size=8).flatmap(
    lambda pieces: st.sampled_from([" ", "\n"]).map(lambda by: by.join(pieces))
)


@given(TEXTS)
def test_no_fact_is_a_question(text: str) -> None:
    assert not any(fact.endswith("?") for fact in facts(text))


@given(TEXTS)
def test_every_number_and_name_of_a_fact_stands_in_the_text(text: str) -> None:
    there = {word.lower() for word in re.findall(r"\w+", text)} | {"ben", "included", "the"}
    for fact in facts(text):
        for word in re.findall(r"\d+|(?<=\w )[A-Z]\w+", fact):
            assert word.lower() in there


@given(TEXTS)
def test_negations_and_conditions_stay_with_what_they_limit(text: str) -> None:
    for fact in facts(text):
        assert ("smoke" in fact) <= ("not" in fact)
        assert ("Kafka" in fact or "Redis" in fact) <= ("don't" in fact and "unless" in fact)
        assert ("stay home" in fact or "read" in fact) <= ("f it rains" in fact)
        assert ("met Ben" in fact) <= ("never" in fact)
        assert ("left" in fact or "stayed" in fact) <= ("Anna said" in fact)


@given(st.text(max_size=400), st.none() | st.text(min_size=1, max_size=12))
def test_any_text_by_anybody_can_be_taken_apart(text: str, speaker: str | None) -> None:
    assert all(decomposed(text, at=AT, speaker=speaker))
