"""No text makes a reader slow: four times the text takes about four times the steps, whatever it repeats.

A text may be 32 KiB long and anybody who may write or ask may send one. One quadratic loop over such a text takes
longer than a thousand honest requests.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

import ebbing
from ebbing.remember import observe
from ebbing.remember.extract_rules import decomposed
from ebbing.text import paraphrase, protected_spans
from ebbing.text.dates import found, resolved
from ebbing.text.quantities import tells_a_quantity
from ebbing.text.screening.injection import suspicion
from ebbing.text.screening.secrets import redacted
from ebbing.text.sentences import CHARACTERS_MAX, sentences
from ebbing.text.terms import digest, question_terms, terms
from ebbing.text.visible_text import visible
from tests.steps import faster_than_linear, filled

AT = datetime(2026, 5, 5, tzinfo=UTC)

# One word of every class, and what a writer may repeat: marks, brackets, quotations, lists, dates, names, scripts.
UNITS = (
    *(f"{word} " for word in "ban sit run he passes the and because which of to not quickly big eating eaten".split()),
    *("sit he passes ", "he said that ", "and he ", "who is ", "it is his, ", "of the ", "her last year ", "no, "),
    *("a", "A", "1", "é", "忽略", "😀", "e\u0301", "\u200d", "İ", "a-", "a_", "a/", "a.b.", "Ab"),
    *(". ", ", ", "; ", ": ", "... ", "? ", "! ", "\n", "\n\n", "\t", " ", " - ", "— ", "&"),
    *("(", "((a) ", ")", "[a](", '"', "'", "`", "```\n", "“", "a' ", '"a." b ', "* ", "**a ", "_a ", "# ", "> "),
    *("- a\n", "1. a\n", "Anna: hi\n", "| a |\n", "A line:\n- an item\n", "don't ", "Anna's ", "Dr. "),
    *("Anna ", "Anna, ", "Anna and ", "I live in Berlin. ", "She met him. ", "These tests are red. "),
    *(
        "May 5, ",
        "last week ",
        "on Monday ",
        "5 days ago ",
        "2024-01-01 ",
        "`a` last week ",
        '"a" on Monday ',
        "12:00 ",
    ),
    *("{n} ", "{w} ", "{w}, ", "The {w} is {w}. ", "Ann{w} met him. ", "{w}'s ", "`{w}` ", "- {w}\n", "K{w}: hi\n"),
)
READERS: dict[str, Callable[[str], object]] = {
    "extract": lambda text: decomposed(text, at=AT),
    "terms": lambda text: (terms(text), digest(text), question_terms(text)),
    "dates": lambda text: (found(text, AT), resolved(text, AT)),
    "quantities": tells_a_quantity,
    "anchors": protected_spans.anchors,
    "sameness": lambda text: paraphrase.same(text[::2], text[1::2]),
    "secrets": redacted,
    "injection": suspicion,
    "visible characters": visible,
}


@pytest.mark.parametrize("name", READERS)
def test_four_times_the_text_takes_about_four_times_the_steps(name: str) -> None:
    """`ban` nine thousand times took six seconds to extract, `sit he passes` twelve."""
    length = CHARACTERS_MAX if name == "extract" else 500  # only there the work is bounded sentence by sentence
    slow = (faster_than_linear(READERS[name], unit, length) for unit in UNITS)
    assert [told for told in slow if told] == []


@pytest.mark.parametrize("unit", UNITS)
def test_no_sentence_is_longer_than_what_the_grammar_may_see(unit: str) -> None:
    """The grammar compares the words of a sentence with each other; this bound is what keeps the whole linear."""
    text = filled(unit, 4 * CHARACTERS_MAX)
    assert all(len(part or "") <= CHARACTERS_MAX for one in sentences(text) for part in (one.text, one.lead))


def test_a_long_sentence_is_cut_at_its_marks_and_keeps_every_word() -> None:
    """A talk written down without full stops is still read, in pieces that begin and end where the writer paused."""
    text = "; ".join(f"the machine number {number} stands in hall {number}" for number in range(100))
    pieces = [one.text for one in sentences(text)]
    assert len(pieces) > 1
    assert all(piece.endswith(";") for piece in pieces[:-1])
    assert " ".join(pieces) == text


def test_a_talk_of_any_length_is_cut_into_pieces_once() -> None:
    """Measuring all that is left before each cut would make ten times the talk cost a hundred times as much."""
    assert faster_than_linear(lambda text: [*observe._cut(text, 512)], "so we went on. ", 4_096) is None
    talk = filled("Füße, so we went on. ", 20_000)
    assert "".join(observe._cut(talk, 512)) == talk
    assert all(len(piece.encode()) <= 512 for piece in observe._cut(talk, 512))


# Regular expressions run in C, where no step is counted. None repeats a repetition with nothing fixed between.


def patterns() -> Iterator[tuple[str, Any]]:
    """Every regular expression that a module of the package holds, with the module's name."""
    for module in pkgutil.walk_packages(ebbing.__path__, "ebbing."):
        if not module.name.startswith(("ebbing.interfaces", "ebbing.providers", "ebbing.adapters.", "ebbing.__main__")):
            yield from (
                (module.name, one) for one in held(list(vars(importlib.import_module(module.name)).values()), 4)
            )


def held(values: list[Any], depth: int) -> Iterator[Any]:
    for value in values:
        if isinstance(value, re.Pattern) or type(value).__name__ == "_Uncompiled":
            yield value
        elif depth and isinstance(value, tuple | list | frozenset | set):
            yield from held(list(value), depth - 1)
        elif depth and isinstance(value, dict):
            yield from held(list(value.values()), depth - 1)


def repeats_a_repetition(parsed: Any) -> bool:
    """Whether an unbounded repetition repeats what is itself an unbounded repetition and otherwise may be empty."""
    for code, argument in parsed:
        name = str(code)
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            _, most, body = argument
            if most == re._constants.MAXREPEAT and any(  # type: ignore[attr-defined]  # there is no public parser
                is_unbounded(one) and width_without(body, place) == 0 for place, one in enumerate(body)
            ):
                return True
        if any(repeats_a_repetition(inner) for inner in inside(argument)):
            return True
    return False


def is_unbounded(item: Any) -> bool:
    code, argument = item
    if str(code) in ("MAX_REPEAT", "MIN_REPEAT"):
        return bool(argument[1] == re._constants.MAXREPEAT)  # type: ignore[attr-defined]  # there is no public parser
    return str(code) == "SUBPATTERN" and len(argument[-1]) == 1 and is_unbounded(argument[-1][0])


def width_without(body: Any, place: int) -> int:
    """The fewest characters that the other items of a sequence take."""
    rest = [item for other, item in enumerate(body) if other != place]
    return int(type(body)(body.state, rest).getwidth()[0])


def inside(argument: Any) -> Iterator[Any]:
    """The sequences in an item of a parsed expression."""
    if type(argument).__name__ == "SubPattern":
        yield argument
    elif isinstance(argument, tuple | list):
        for part in argument:
            yield from inside(part)


def test_no_expression_repeats_a_repetition() -> None:
    """`(a+)+` tries every way to cut a run of letters in two: thirty letters take minutes."""
    flags = {one: getattr(one, "flags", 0) if isinstance(one, re.Pattern) else one._flags for _, one in patterns()}
    assert len(flags) > 100
    bad = [
        (name, one.pattern)
        for name, one in patterns()
        if isinstance(one.pattern, str) and repeats_a_repetition(re._parser.parse(one.pattern, flags[one]))  # type: ignore[attr-defined]  # as above
    ]
    assert bad == []


@pytest.mark.parametrize(("written", "is_bad"), [("(a+)+b", True), ("(?:a*b?)*", True), (r"(?:\.\w+)+", False)])
def test_what_counts_as_a_repeated_repetition(written: str, is_bad: bool) -> None:
    """The rule above is worth nothing if it sees none of them."""
    assert repeats_a_repetition(re._parser.parse(written)) is is_bad  # type: ignore[attr-defined]  # as above
