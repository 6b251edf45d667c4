"""A summary holds every statement of its texts, with its subject, or there is none."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from ebbing.forget.summary_check import faithful
from ebbing.text.extractive_summary.segments import is_incomplete, sentences
from ebbing.text.extractive_summary.select import summarize
from tests.tables import each_row
from tests.unit.summary_groups import COMPLETE, GROUPS, INCOMPLETE


def count_words(text: str) -> int:
    """A plain measure: words, and the signs between them."""
    return len(re.findall(r"\w+|[^\w\s]", text))


def unfolded(summary: str) -> list[str]:
    """What a summary says, text by text: each part behind the beginning that it shares with its neighbours."""
    said: list[str] = []
    head = ""
    for line in summary.splitlines():
        shared, _, tails = line.partition(": ")
        if line.startswith("- ") and head:
            said += [f"{head} {line[2:]}", f"{head}: {line[2:]}", line]
        elif "; " in tails:
            said += [f"{shared}{colon} {tail}" for tail in tails.split("; ") for colon in ("", ":")]
        else:
            said.append(line)
        if not line.startswith("- "):
            head = line[:-1] if line.endswith(":") else ""
    return [*said, " ".join(summary.split())]


def plain(text: str) -> str:
    return " ".join(text.split()).casefold().rstrip(".!")


def missing(summary: str, texts: tuple[str, ...]) -> list[str]:
    """The sentences of the texts that a summary does not hold."""
    said = [plain(line) for line in unfolded(summary)]
    wanted = [one.text for text in texts for one in sentences(text) if not one.is_filler]
    return [one for one in wanted if not any(plain(one) in line for line in said)]


@each_row(("name", "texts", "is_smaller"), GROUPS)
def test_a_summary_holds_every_statement_of_its_texts(name: str, texts: tuple[str, ...], is_smaller: bool) -> None:
    """Two of three facts used to remain, and nobody could tell which one was gone."""
    summary = summarize(texts, count_words)
    assert (summary is not None) is is_smaller, name
    assert missing(summary or "\n".join(texts), texts) == []


names = st.sampled_from(["Ana", "Ben", "Eva Lopez", "The deploy of api", "I", "We", "Jürgen", "Ana: I", "This repo"])
doings = st.sampled_from(
    "likes tea|likes green tea|does not like tea|has 3 cats|moved to Porto in 2020|failed|and Ben left|says no".split(
        "|"
    )
)
behind = st.sampled_from(
    [
        "",
        " She left.",
        " New one is blue-fox-12.",
        " It failed.",
        " Thanks a lot!",
        " Ana likes tea.",
        " The port is 80.",
    ]
)
notes = st.builds(lambda name, does, more, end: f"{name} {does}{end}{more}", names, doings, behind, st.just("."))


@given(st.lists(notes, min_size=1, max_size=9))
def test_whatever_the_texts_no_statement_is_missing(texts: list[str]) -> None:
    """Fact by fact, however the texts repeat each other."""
    summary = summarize(texts, count_words)
    if summary is not None:
        assert missing(summary, tuple(texts)) == []


@given(st.lists(notes, min_size=1, max_size=9))
def test_a_sentence_that_refers_to_another_stands_behind_it(texts: list[str]) -> None:
    """`New one is …` behind any other sentence is the password of something else."""
    summary = summarize(texts, count_words) or ""
    said = [plain(line) for line in unfolded(summary)]
    for text in texts if summary else ():
        if re.search(r"She|New one|It failed|The port", text):
            assert any(plain(text) in line for line in said)


def test_summaries_that_begin_alike_become_one_that_does() -> None:
    """A summary of summaries shares their beginnings on, and repeats nothing."""
    texts = ["The deploy of api: failed on 3 May; worked on 4 May", "The deploy of api: worked on 4 May; is done"]
    summary = summarize(texts, count_words, made=(0, 1))
    assert summary == "The deploy of api: failed on 3 May; worked on 4 May; is done"
    listed = ["Ana bought:\n- a car. It is red.\n- a dog.", "Ana bought:\n- a boat. It sank."]
    assert (
        summarize(listed, count_words, made=(0, 1)) == "Ana bought:\n- a car. It is red.\n- a dog.\n- a boat. It sank."
    )


def test_tokens_that_are_only_estimated_make_no_summary() -> None:
    """Rounded up for each text they add up to more than those of the same texts joined."""
    texts = ["Ana likes tea", "Bob has cats", "Eva owns it all"]
    assert summarize(texts, lambda text: -(-len(text) // 10)) is None


@each_row("text", INCOMPLETE)
def test_what_speaks_of_somebody_it_does_not_name_goes_into_no_summary(text: str) -> None:
    """Beside a text that names somebody it would seem to speak of them."""
    assert is_incomplete(text)
    assert summarize(["Ana likes tea.", "Ana likes tea.", text], count_words) is None


@each_row("text", COMPLETE)
def test_what_names_everybody_it_speaks_of_may_go_into_a_summary(text: str) -> None:
    """Otherwise hardly anything would ever be summarized."""
    assert not is_incomplete(text)
    assert summarize(["Ana likes tea.", "Ana likes tea.", text], count_words) is not None


ANA = ("Ana likes tea.", "Ana has 3 cats.", "Ana does not eat meat.")
TWO = ("Ana likes tea.", "Bob likes coffee.", "Ana met Bob in Porto.")
CATS = ("The cat is black.", "The dog is white.")
SPEAKERS = ("Ana: I like tea. I have 2 dogs.", "Bob: I have 2 cats.")
ROTATED = ("Ana rotated the router password. New one is owl-31.", "Ana rotated the wifi password. New one is fox-12.")


@each_row(
    ("texts", "wording", "is_faithful"),
    [
        (ANA, "Ana likes tea, has 3 cats and does not eat meat.", True),
        (ANA, "Ana: likes tea; has 3 cats; does not eat meat", True),
        (ANA, "Ana likes tea and has 3 cats.", False),  # a denial is missing
        (ANA, "Ana likes tea, has cats and does not eat meat.", False),  # a number is missing
        (ANA, "Ana has 3 cats and does not eat meat.", False),  # a preference is missing
        (ANA, "Ana does not like tea, has 3 cats and does not eat meat.", False),
        (ANA, "Ana likes meat, has 3 cats and does not eat tea.", False),
        (ANA, "Ana, a lawyer, likes tea, has 3 cats and does not eat meat.", False),  # a new word
        (TWO, "Ana likes tea. Bob likes coffee. Ana met Bob in Porto.", True),
        (TWO, "Bob likes coffee. Ana likes tea. Ana met Bob in Porto.", True),
        (TWO, "Ana likes coffee and Bob likes tea. Ana met Bob in Porto.", False),
        (TWO, "Ana likes coffee, Bob tea. Ana met Bob in Porto.", False),
        (TWO, "Ana and Bob like tea and coffee. Ana met Bob in Porto.", False),
        (TWO, "Ana met Bob in Porto, who likes tea. Bob likes coffee.", False),
        (TWO, "Ana met Bob in Porto and he likes tea. Bob likes coffee.", False),
        (CATS, "The cat is black, the dog is white.", True),
        (CATS, "The cat is white, the dog black.", False),
        (ROTATED, " ".join(ROTATED), True),
        (ROTATED, "Ana rotated the router password, the wifi password. New one is owl-31. New one is fox-12.", False),
        (ROTATED, f"{ROTATED[0][:-8]} fox-12. {ROTATED[1][:-8]} owl-31.", False),
        (SPEAKERS, "Ana: I like tea. Bob: I have 2 cats. I have 2 dogs.", False),
        (("Ana moved from Porto to Berlin.", "Ana is 40."), "Ana is 40, moved from Berlin to Porto.", False),
        (("Ana moved from Porto to Berlin.", "Ana is 40."), "Ana is 40. Ana moved from Porto to Berlin.", True),
    ],
)
def test_a_wording_stands_only_if_it_says_all_that_the_notes_say(
    texts: tuple[str, ...], wording: str, is_faithful: bool
) -> None:
    """A language model that leaves out, adds or exchanges something is not believed; the plain summary stands."""
    assert faithful(wording, summarize(texts, count_words) or "\n".join(texts), texts) is is_faithful
