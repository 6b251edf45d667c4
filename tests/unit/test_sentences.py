"""The sentences of a text: where prose is cut, and what lists, headings, talks and Markdown make of it."""

from hypothesis import given
from hypothesis import strategies as st

from ebbing.text.sentences import Sentence, sentences
from tests.tables import each_row


def texts(text: str) -> list[str]:
    return [sentence.text for sentence in sentences(text)]


@each_row(
    ("text", "expected"),
    [
        ("Anna left. Ben stayed.", ["Anna left.", "Ben stayed."]),
        ("Dr. Smith met Mr. Jones. They talked.", ["Dr. Smith met Mr. Jones.", "They talked."]),
        ("Pi is 3.14 here. Version 1.2.3 is out.", ["Pi is 3.14 here.", "Version 1.2.3 is out."]),
        ("See https://example.com/a.b?c=1. Then go.", ["See https://example.com/a.b?c=1.", "Then go."]),
        ("Use a cache, e.g. Redis. It helps.", ["Use a cache, e.g. Redis.", "It helps."]),
        ("Is it done? Yes! Good.", ["Is it done?", "Yes!", "Good."]),
        ('She said "Stop. Now." and left.', ['She said "Stop. Now." and left.']),
        ('"Are you sure?" she asked. He nodded.', ['"Are you sure?" she asked.', "He nodded."]),
        ("东京是日本的首都。柏林是德国的首都。", ["东京是日本的首都。", "柏林是德国的首都。"]),
        ("One line\nAnother line", ["One line", "Another line"]),
        ("", []),
        ("   \n\n ", []),
    ],
)
def test_prose_is_cut_between_sentences_and_nowhere_else(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_a_line_that_was_wrapped_goes_on() -> None:
    text = "The committee met on Tuesday to discuss the plan for the new\nbuilding in the centre."
    assert texts(text) == ["The committee met on Tuesday to discuss the plan for the new building in the centre."]


@each_row("mark", ["-", "*", "•", "+", "1.", "2)", "(3)", "- [x]"])
def test_an_item_of_a_list_knows_the_line_above_it(mark: str) -> None:
    assert sentences(f"We need:\n{mark} a server")[-1] == Sentence("a server", None, "We need", is_item=True)


def test_an_item_knows_its_heading_where_no_line_stands_above() -> None:
    assert sentences("## Open points\n\n- the budget")[-1].lead == "Open points"


def test_an_item_set_in_further_hangs_under_the_one_above() -> None:
    outer, inner, after = sentences("- Berlin:\n  - the office\n- Rome")
    assert (outer.lead, inner.lead, after.lead) == (None, "Berlin", None)


def test_the_lines_under_an_item_belong_to_it() -> None:
    assert texts("- The deploy failed\n  on Friday evening\n- Ben fixed it") == [
        "The deploy failed on Friday evening",
        "Ben fixed it",
    ]


def test_code_blocks_tables_and_rules_are_passed_over() -> None:
    text = "Before.\n```\nx = 1. y = 2.\n```\n| a | b |\n|---|---|\n---\nAfter."
    assert texts(text) == ["Before.", "After."]


@each_row(
    ("text", "expected"),
    [
        ("This is **very** important.", "This is very important."),
        ("This is *quite* important.", "This is quite important."),
        ("See [the docs](https://example.com/docs) first.", "See the docs first."),
        ("Run `make **all**` now.", "Run `make **all**` now."),
        ("The name is snake_case_name here.", "The name is snake_case_name here."),
        ("> Anna was quoted.", "Anna was quoted."),
        ("Three * four is 3 * 4 here.", "Three * four is 3 * 4 here."),
    ],
)
def test_markdown_is_read_as_it_is_shown(text: str, expected: str) -> None:
    assert texts(text) == [expected]


def test_the_turns_of_a_talk_know_their_speakers() -> None:
    found = sentences("Anna: I moved to Rome. It is warm.\nBen: Congratulations!\nAnna: Thanks!")
    assert [(one.speaker, one.text) for one in found] == [
        ("Anna", "I moved to Rome."),
        ("Anna", "It is warm."),
        ("Ben", "Congratulations!"),
        ("Anna", "Thanks!"),
    ]


@each_row("line", ["**Anna:** I am here", "[10:32] Anna: I am here", "Anna (10:32): I am here"])
def test_a_speaker_is_known_however_the_turn_is_written(line: str) -> None:
    assert sentences(line) == [Sentence("I am here", "Anna")]


@each_row("line", ["Budget: 5k", "Note: I like tea", "Deadline: Friday", "Reason: you said so"])
def test_a_label_that_is_nobody_is_no_speaker(line: str) -> None:
    assert sentences(line) == [Sentence(line)]


@given(st.text())
def test_any_text_is_read_and_no_sentence_is_empty(text: str) -> None:
    assert all(sentence.text.strip() for sentence in sentences(text))


@given(st.lists(st.sampled_from(["Anna left.", "- an item", "# A heading", "Ben: I see", "```", "> He agreed."])))
def test_lines_of_any_kind_in_any_order_are_read(lines: list[str]) -> None:
    source = "\n".join(lines)
    for sentence in sentences(source):
        assert sentence.text in source
