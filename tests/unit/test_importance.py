"""Importance guessed from a text: what is worth finding again stands above what only keeps a talk going."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebbing.importance import HIGHEST, LOWEST, estimate, parts
from ebbing.policy_file import load
from tests.tables import each_row

FILLER = (
    "Hi!",
    "Thanks so much, Anna!",
    "That's great!",
    "ok",
    "Yes, exactly.",
    "I'm so proud of you!",
    "👍",
    "...",
    "",
)
ASKING = (
    "How are you?",
    "What did the doctor say?",
    "Can you summarize this article?",
    "Tell me a joke.",
    "Wo wohnst du?",
)
REACTIONS = ("You did a great job!", "It's amazing how fast news travels.", "I hope the weather gets better.")
PLAIN = (
    "The project uses PostgreSQL.",
    "The office is on the third floor.",
    "User prefers dark mode.",
    "You prefer window seats.",
    "Meine Mutter heißt Erika.",
    "项目使用PostgreSQL。",
)
TELLING = (
    "My name is Anna and I am allergic to penicillin.",
    "We decided to move the launch to 12 March.",
    "Actually, my number is 555-0199, not 555-0198.",
    "I bought a house in Lisbon last year.",
    "My daughter Lea starts school in September.",
    "Estimated cost is $2,400/month on RDS.",
)

DISCLOSING = (
    "I adopted a puppy in March. What should it eat?",
    "Can you suggest a hotel? We got married there ten years ago.",
    "I'm training for my first marathon, do you have any tips?",
    "I've been learning Portuguese for two years. What should I read next?",
    "How do I clean a wetsuit? Mine is from my brother, who lives in Faro.",
    "Our landlord is called Teresa. Can you write her a letter?",
)
ANYBODYS = (
    "How do tides work? That's fascinating! I had no idea the moon was so important.",
    "Explain the causes of the French Revolution. The Bastille was stormed on 14 July 1789.",
    "Write a story about a lighthouse keeper. His daughter Marta is 12 and loves storms.",
    "Can you recommend some novels? I'll definitely check those out.",
    "What are the health benefits of green tea? I think I'll try it. It's amazing how old our world is.",
    "Make it shorter. Rewrite the second paragraph, could you also add a title",
    "is it true that the Romans had concrete",
    "Your task is to rate essays from 0 to 100. What would you give this one?",
)

some_texts = st.one_of(
    st.text(),
    st.lists(st.sampled_from((*FILLER, *ASKING, *REACTIONS, *PLAIN, *TELLING, *DISCLOSING, *ANYBODYS))).map(" ".join),
)


# Examples, in order


@each_row("text", FILLER)
def test_what_says_nothing_is_worth_least(text: str) -> None:
    """Greetings, thanks, agreement, praise."""
    assert estimate(text) == LOWEST


@each_row("text", [*ASKING, *REACTIONS])
def test_questions_and_reactions_stand_far_below_a_fact(text: str) -> None:
    """They are gone soon after their grace period: the answer is what is worth keeping."""
    assert estimate(text) <= 0.25


@each_row("text", PLAIN)
def test_a_plain_fact_stands_about_the_middle(text: str) -> None:
    """Also where the words of the language are not known."""
    assert 0.4 <= estimate(text) <= 0.6


@each_row("text", TELLING)
def test_names_numbers_dates_decisions_and_corrections_stand_high(text: str) -> None:
    assert estimate(text) >= 0.75


@each_row(
    ("less", "more"),
    [
        ("We met.", "We met on 3 May."),
        ("The server is slow.", "The server is called Tango."),
        ("The report is long.", "The report is due on Friday."),
        ("The pump costs money.", "The pump costs 40 euros."),
        ("He wears glasses.", "He has diabetes."),
        ("Tea is served here.", "I prefer tea."),
        ("The meeting is on Monday.", "The meeting moved to Monday."),
        ("The bus leaves late.", "The bus leaves on Sundays."),
        ("Deploy with care.", "Never deploy without a backup."),
        ("I had no idea about the house.", "I bought the house."),
        ("I'm looking for a dentist.", "I found a dentist."),
    ],
)
def test_each_thing_worth_finding_again_adds_to_a_sentence(less: str, more: str) -> None:
    assert estimate(less) < estimate(more)


@each_row("text", ["Vegetarian", "Berlin", "I quit.", "I'm pregnant.", "I owe you money."])
def test_few_words_are_not_taken_for_filler(text: str) -> None:
    """A value at an address is often a single word."""
    assert estimate(text) > 0.3


@each_row(
    "text",
    [
        "How to deploy: run make ship",
        "List price is $30",
        "Write the report by Friday",
        "see example.com/?q=1",
        "When it rains the pump stops",
        "Where the road ends there is a gate",
        "Do it in Rust",
    ],
)
def test_what_only_begins_like_a_question_or_a_request_is_a_fact(text: str) -> None:
    assert estimate(text) >= 0.4


@each_row("text", DISCLOSING)
def test_what_people_tell_of_themselves_counts_beside_what_they_ask(text: str) -> None:
    assert estimate(text) >= 0.6


@each_row("text", ANYBODYS)
def test_what_anybody_could_have_asked_and_answered_goes_after_its_grace_period(text: str) -> None:
    """Requests, what they are about, and reactions to an answer; the numbers and names in them are not the owner's."""
    assert estimate(text) < load("default").ladder.detach


@each_row(
    ("less", "more"),
    [
        ("What should a dog eat?", "What should my dog eat?"),
        ("Where can one park a van?", "Where can I park the van that I bought?"),
        ("What is there to see in Rome?", "I'm planning a trip to Rome, what is there to see?"),
        ("I'm looking for a desk.", "I'm looking for a desk for my office."),
    ],
)
def test_a_question_that_tells_of_whoever_asks_is_worth_more(less: str, more: str) -> None:
    assert estimate(less) < 0.25 < estimate(more)


@each_row(
    "fact", ["The project uses PostgreSQL.", "We use tabs.", "Our server is called Tango.", "Ich habe einen Hund."]
)
def test_beside_a_request_a_fact_of_a_team_or_in_another_language_stays_a_fact(fact: str) -> None:
    assert estimate(f"{fact} Can you explain what an index is?") == estimate(fact)


@each_row("question", ["How are you?", "How was your day?", "Did you sleep well?", "And you?"])
def test_beside_a_question_to_a_person_a_fact_stays_a_fact(question: str) -> None:
    assert estimate(f"The ferry was late again. {question}") == estimate("The ferry was late again.")


@each_row("request_", ["Can you remember that?", "Please keep in mind that it is slow.", "Don't forget!"])
def test_what_is_to_be_remembered_is_no_material(request_: str) -> None:
    assert estimate(f"The server is called Tango. {request_}") >= estimate("The server is called Tango.")


@each_row(
    ("fact", "question"),
    [
        ("Das Projekt benutzt PostgreSQL.", "Was sind die Vorteile davon?"),
        ("El proyecto usa PostgreSQL.", "¿Cuáles son las ventajas?"),
        ("Le projet utilise PostgreSQL.", "Quels sont les avantages ?"),
        ("项目使用PostgreSQL。", "它有什么优点？"),
    ],
)
def test_in_other_languages_a_fact_beside_a_question_stays_a_plain_fact(fact: str, question: str) -> None:
    """What is told of oneself cannot be told apart there, so nothing is taken away."""
    assert estimate(f"{fact} {question}") == estimate(fact)
    assert 0.4 <= estimate(fact) <= 0.6


def test_text_that_comes_with_a_request_is_material_and_not_what_the_user_told() -> None:
    fact = "The tribunal met in Vienna on 19 July 2017."
    assert estimate(f"Summarize this article. {fact}") < 0.3 < estimate(fact)
    assert estimate(f"Summarize this article. I live in Vienna. {fact}") >= estimate("I live in Vienna.")


# Properties


@given(some_texts)
def test_every_text_has_an_importance_within_bounds(text: str) -> None:
    assert LOWEST <= estimate(text) <= HIGHEST


@given(some_texts)
def test_the_parts_add_up_to_the_estimate(text: str) -> None:
    """So that they explain it."""
    total = sum(parts(text).values())
    assert estimate(text) == pytest.approx(min(max(total, LOWEST), HIGHEST), abs=0.0051)


@given(some_texts)
def test_the_same_text_has_the_same_importance(text: str) -> None:
    assert estimate(text) == estimate(text)
    assert parts(text) == parts(text)


@given(
    st.lists(st.sampled_from((*FILLER, *ASKING, *PLAIN, *TELLING)), min_size=1),
    st.sampled_from((" ", "\n", "\t  \r\n")),
)
def test_white_space_does_not_matter(sentences: list[str], space: str) -> None:
    words = " ".join(sentences).split()
    assert estimate(f"{space}{space.join(words)}{space}") == estimate(" ".join(words))


@given(st.sampled_from((*PLAIN, *TELLING)), st.integers(1, 20))
def test_length_itself_adds_nothing(text: str, times: int) -> None:
    assert estimate(" ".join([text] * times)) == estimate(text)


@given(st.sampled_from((*PLAIN, *TELLING)), st.sampled_from(("Hi!", "Thanks so much, Anna!", "How are you?")))
def test_a_greeting_beside_a_fact_takes_nothing_away(fact: str, greeting: str) -> None:
    assert estimate(f"{greeting} {fact}") == estimate(fact)
    assert estimate(f"Anna: {fact}") == estimate(fact)


def test_what_says_nothing_fades_below_the_ladder_and_a_fact_does_not() -> None:
    """The estimate means something to the default policy: one leaves recall after its grace period, one stays."""
    ladder = load("default").ladder
    assert max(map(estimate, FILLER)) < ladder.detach < ladder.summarize < min(map(estimate, PLAIN))


def test_the_longest_text_costs_no_more_than_its_beginning() -> None:
    """Counted by what is read, not by a clock: words beyond the beginning change nothing."""
    beginning = "The tide comes in. " * 200
    assert estimate(beginning + TELLING[0]) == estimate(beginning)


@pytest.mark.parametrize(
    "text",
    ["Deploy target is Fly.io. Can you roll back?", "The staging box runs Debian 12. Please write a script for it."],
)
def test_one_short_fact_before_a_request_is_why_somebody_asks_and_stays(text: str) -> None:
    assert estimate(text) == estimate(text.split(". ", maxsplit=1)[0]) > 0.4
