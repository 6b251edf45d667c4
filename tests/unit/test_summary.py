"""Many texts as one shorter one: what a reader could not reconstruct stays, and nobody is made to say anything else."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from ebbing.text.extractive_summary.segments import sentences as sentences_of
from ebbing.text.extractive_summary.select import anchors, lost, summarize
from tests.tables import each_row


def count_words(text: str) -> int:
    """A plain measure: words, and the signs between them."""
    return len(re.findall(r"\w+|[^\w\s]", text))


def flat(text: str) -> str:
    return " ".join(text.split())


def unfolded(summary: str) -> list[list[str]]:
    """What each line of a summary may say: itself, or each of its parts behind the beginning they share."""
    lines, head = [], ""
    for line in summary.splitlines():
        shared, _, tails = line.partition(": ")
        parts = [f"{shared} {tail}" for tail in tails.split("; ")]
        labelled = [f"{shared}: {tail}" for tail in tails.split("; ")]
        lines.append(
            [line.removesuffix(":"), f"{head} {line[2:]}", f"{head}: {line[2:]}", *(parts if tails else ()), *labelled]
        )
        if not line.startswith("- "):
            head = line.removesuffix(":")
    return lines


words = st.sampled_from("the deploy of api failed on staging again because disk was full it she and not if so".split())
telling = st.sampled_from(
    [
        "v2.3.1",
        "5 May 2024",
        "Ana Lopez",
        "New York",
        "`rm -rf build`",
        "/var/log/app.log",
        '"never again"',
        "$2,400/month",
        "17:30",
        "foo_bar",
        "three",
        "50 %",
        "ada@example.com",
        "--dry-run",
        "https://example.com/a?b=1",
        "#123",
    ]
)
sentences = st.builds(
    lambda parts, end: " ".join(parts) + end,
    st.lists(st.one_of(words, words, words, telling), min_size=1, max_size=12),
    st.sampled_from([".", "!", "?", "", ", and it was fine.", "; we saw it.", "\n", " — all of it."]),
)
memories = st.lists(st.lists(sentences, min_size=1, max_size=3).map(" ".join), max_size=12)
anything = st.lists(st.text(max_size=80), max_size=5)
signs = st.lists(st.text("aB3 .,;:'\"`\n-/_@#$%()*é我。", max_size=60), max_size=4)


# What stays


@given(st.one_of(memories, anything, signs))
def test_every_anchor_stands_in_the_summary_to_the_letter(texts: list[str]) -> None:
    """Whatever the texts are."""
    summary = summarize(texts, count_words)
    if summary is not None:
        assert lost(summary, texts) == set()


@given(memories)
def test_nobody_is_made_to_say_what_nobody_said(texts: list[str]) -> None:
    """Each sentence of a line stands in one of the texts, alone or behind the beginning that it shares."""
    said = [flat(text) for text in texts]
    for readings in unfolded(summarize(texts, count_words) or ""):
        assert any(
            all(any(one.text.rstrip(".") in text for text in said) for one in sentences_of(reading))
            for reading in readings
        )


@given(st.one_of(memories, anything, signs))
def test_a_summary_is_smaller_than_its_texts(texts: list[str]) -> None:
    """Or there is none."""
    summary = summarize(texts, count_words)
    assert summary is None or (summary and count_words(summary) < sum(map(count_words, texts)))


@given(memories)
def test_the_same_texts_give_the_same_summary(texts: list[str]) -> None:
    """Nothing is drawn by lot."""
    assert summarize(texts, count_words) == summarize(list(texts), count_words)


@given(st.lists(st.integers(100, 999), min_size=2, max_size=20, unique=True))
def test_the_order_of_the_texts_is_kept(numbers: list[int]) -> None:
    """It is often their story."""
    texts = [f"Thanks a lot! Room {number} was painted. It looks rather pleasant." for number in numbers]
    summary = summarize(texts, count_words)
    assert summary is not None
    assert [int(number) for number in re.findall(r"\d{3}", summary)] == numbers


# What goes


def test_what_is_said_again_is_said_once_in_the_newer_words() -> None:
    """When both tell the same of the same."""
    assert summarize(["The lamp of Ana is red", "Ben has 3 cats", "The lamp of Ana is red!"], count_words) == (
        "Ben has 3 cats\nThe lamp of Ana is red!"
    )


def test_what_says_less_stays_beside_what_says_more() -> None:
    """`Ana lives in Porto` has all its words in `Ana's sister lives in Porto`, and is another fact."""
    texts = ["Ana's sister lives in Porto", "Ana lives in Porto", "Ben has 3 cats", "Ben has 3 cats"]
    assert summarize(texts, count_words) == "\n".join(texts[:3])


@each_row(
    ("one", "other"),
    [
        ("Ana paid Ben 5 dollars", "Ben paid Ana 5 dollars"),
        ("Ana likes the 5 cats", "Ana never likes the 5 cats"),
        ("Ana sold the 5 cats", "Ana will have sold the 5 cats if it rains"),
        ("The lamp in room 5 is red", "The lamp in room 5 is green"),
        ("There were no errors.", "There was one error."),
        ("The service is working.", "The service isn't working."),
        ("Es gab keine Fehler.", "Es gab einen Fehler."),
    ],
)
def test_what_is_alike_is_not_said_again(one: str, other: str) -> None:
    """Two facts stay two."""
    summary = summarize([one, other, "Ben has 3 cats", "Ben has 3 cats"], count_words)
    texts = [one, other, "Ben has 3 cats"]
    assert summary is None or all(
        any(text.rstrip(".") in reading for readings in unfolded(summary) for reading in readings) for text in texts
    )


def test_greetings_and_asides_go() -> None:
    """They say nothing; an opinion does."""
    texts = [
        "Hi there! By the way, the server moved to 10.0.0.7.",
        "Thanks! As mentioned earlier, Ana owns the backups.",
        "Thanks a lot!",
        "Ana finds the backups awesome!",
    ]
    assert summarize(texts, count_words) == (
        "the server moved to 10.0.0.7.\nAna owns the backups.\nAna finds the backups awesome!"
    )


@each_row(
    "sentence",
    [
        "We talked about this and that for a while. The budget is 2,400 EUR. People enjoyed the afternoon.",
        "The backup of 3 May was restored on db-2, and it took us a good part of that afternoon to get there.",
        "We deploy the api to db-2 on Friday; not if Ana objects to the whole plan, though, or somebody else",
        "If the disk of db-2 is full again, and it surely will be some day, the api stops",
        "The api on db-2, which is quite slow on most days of the week, stopped",
        "We tried the red rocket. It burned for 7 seconds. Nobody minded at all, really.",
        "Before a release:\n- run make test\n- tag v1.2\n- tell somebody about it, wherever they may be",
        "Ana says that is not good",
    ],
)
def test_no_clause_and_no_sentence_goes_for_want_of_room(sentence: str) -> None:
    """Whatever is in it, somebody found it worth writing down."""
    assert summarize([sentence], count_words) is None
    assert summarize([sentence, "Ben has 3 cats", "Ben has 3 cats"], count_words) == f"{sentence}\nBen has 3 cats"


def test_the_last_word_on_a_matter_stays_the_last() -> None:
    """Green, not green, green again: of two copies the newer one stays."""
    texts = ["Build main is green.", "Build main is not green.", "Build main is green."]
    assert summarize(texts, count_words) == "Build main is: not green; green"


# How it is written


def test_neighbours_that_begin_alike_share_their_beginning() -> None:
    """Each part behind the shared words is what was said."""
    texts = [
        "The deploy of api failed on 3 May",
        "The deploy of api worked on 4 May",
        "The deploy of api is planned for 9 May",
    ]
    assert summarize(texts, count_words) == "The deploy of api: failed on 3 May; worked on 4 May; is planned for 9 May"


def test_a_shared_beginning_never_cuts_a_name() -> None:
    """New York and New Jersey share no beginning worth telling."""
    texts = [
        "The office in New York has 3 rooms",
        "The office in New Jersey has 4 rooms",
        "The office in New York has 3 rooms",
    ]
    summary = summarize(texts, count_words)
    assert summary is not None
    assert "New York" in summary
    assert "New Jersey" in summary


def test_code_is_never_cut() -> None:
    """Neither in a block nor between backticks, whatever stops and line ends it holds."""
    block = "```python\nx = 1. \n\nif x:\n    print('Hi. There.')\n```"
    texts = [f"Here is how we do it:\n{block}\nThanks a lot!", "Run `a. B; c, and it d` to see."]
    summary = summarize(texts, count_words)
    assert summary is not None
    assert block in summary
    assert "`a. B; c, and it d`" in summary


def test_texts_without_punctuation_and_of_other_scripts_are_read() -> None:
    """A line is a sentence, and so is what ends in a Chinese full stop."""
    texts = ["ana mag tee", "ana mag tee\nana hat 3 katzen"]
    assert summarize(texts, count_words) == "ana mag tee\nana hat 3 katzen"
    assert summarize(["我喜欢绿茶。", "我喜欢绿茶。我住在北京。"], len) == "我喜欢绿茶。 我住在北京。"


@each_row("texts", [[], [""], ["  \n"], ["Ana has 3 cats"], ["Thanks!"], ["---", "…"]])
def test_where_nothing_can_be_left_out_there_is_no_summary(texts: list[str]) -> None:
    """Compaction keeps the texts."""
    assert summarize(texts, count_words) is None


# Anchors


@each_row(
    ("text", "found"),
    [
        ("it took 5 GB, 3 days and 50 %", {"5 GB", "3 days", "50 %"}),
        ("it costs $2,400/month or €5", {"$2,400/month", "€5"}),
        ("met on 5 May 2024, not May 6, at 5 p.m. or 17:30", {"5 May 2024", "May 6", "5 p.m.", "17:30"}),
        ("since 2024-05-03, on Monday", {"2024-05-03", "Monday"}),
        ("from 9:00 on Mar 10-11.", {"9:00", "Mar 10-11"}),
        ("moved from v2.3.1 to 2.4.0-rc1", {"v2.3.1", "2.4.0-rc1"}),
        ("I met Ana Lopez in New York", {"Ana Lopez", "New York"}),
        ("Ana said so", {"Ana"}),
        ("Ana's dog is fine", {"Ana"}),
        ("the Bank of England", {"Bank of England"}),
        ("see /etc/nginx.conf, src/main.py or C:\\temp\\a", {"/etc/nginx.conf", "src/main.py", "C:\\temp\\a"}),
        ("ask ada@example.com or https://a.example/b?c=1.", {"ada@example.com", "https://a.example/b?c=1"}),
        ("run `make x` with --dry-run and A=1", {"`make x`", "--dry-run", "A=1"}),
        ("then git push it", {"git push"}),
        ("call foo_bar() of fooBar in my.module", {"foo_bar()", "fooBar", "my.module"}),
        ('he said "never again" and «oui»', {'"never again"', "«oui»"}),
        ("closes #123, thanks to @ana", {"#123", "@ana"}),
        ("it has three doors", {"three"}),
        ("C++ or C#", {"C++", "C#"}),
        ("我用Python写了3个脚本", {"Python", "3"}),
        ("Жанна и Élise", {"Élise"}),
        ("1. Milk\n2. Bread", set()),
        ("The cat sat. It slept, I'm told.", set()),
        ("Deploy the thing", set()),
    ],
)
def test_what_a_reader_could_not_reconstruct_is_seen(text: str, found: set[str]) -> None:
    """And what opens a sentence with a capital is no name for that alone."""
    assert anchors(text) == found


@given(st.one_of(st.text(max_size=200), st.text("aB3 .,;:'\"`\n-/_@#$%()é我。", max_size=80)))
def test_no_text_has_lost_its_own_anchors(text: str) -> None:
    """An anchor is found where it was seen."""
    assert lost(text, [text]) == set()


def test_what_a_summary_lacks_is_named() -> None:
    """Whoever wrote it: a number within another number is not that number."""
    texts = ["Ana paid 5 dollars on 3 May", "The limit is 2.5, see /etc/app.conf"]
    assert lost("Ana paid 5 dollars on 3 May; the limit is 2.5 (/etc/app.conf).", texts) == set()
    assert lost("Anna paid 15 dollars on 3 May; the limit is 2.51.", texts) == {
        "Ana",
        "5 dollars",
        "2.5",
        "/etc/app.conf",
    }


@example("The deploy\n  failed on  5 May")
@given(st.text("a 5\n", max_size=30))
def test_line_ends_do_not_lose_anchors(text: str) -> None:
    """Outside code any white space is one space."""
    assert lost(flat(text), [text]) == set()
