"""Models held to what they promise: one that misbehaves is an error, not a strange result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebbing import Invalid, Malformed, Unavailable
from ebbing.ports import Llm, ReadTransaction, Store, View
from ebbing.ports.llm_reply import Answer
from ebbing.ports.model_client import Models
from ebbing.providers import make_embedder
from ebbing.providers.wordllama import DIMENSIONS, WordLlama, tokenizer, tokens
from ebbing.testing import FakeEmbedder, FakeLlm, Script
from tests.tables import each_row

ADA, BOB = View("ada"), View("bob")


class Widths:
    """A store that knows only how wide an owner's vectors are, and counts how often it was asked."""

    def __init__(self, **widths: int) -> None:
        self.widths = widths
        self.asked = 0

    @contextmanager
    def read(self, view: View) -> Iterator[ReadTransaction]:
        self.asked += 1
        yield cast(ReadTransaction, _Look(self.widths.get(view.owner)))


class _Look:
    def __init__(self, width: int | None) -> None:
        self._width = width
        self.index = self

    def dimension(self, fingerprint: str) -> int | None:
        return self._width


class Odd:
    """An embedder that gives whatever it is told to."""

    fingerprint = "odd-1"

    def __init__(self, give: Callable[[Sequence[str]], Any]) -> None:
        self.give = give
        self.asked: list[tuple[list[str], bool]] = []

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Any:
        self.asked.append((list(texts), query))
        return self.give(texts)


def models(give: Callable[[Sequence[str]], Any]) -> Models:
    return Models(Odd(give), len)


def store(**widths: int) -> Store:
    return cast(Store, Widths(**widths))


@each_row(
    "give",
    [
        lambda texts: np.ones((len(texts), 4), dtype=np.float32),
        lambda texts: np.ones((len(texts), 4), dtype=np.float64),
        lambda texts: [[1, 1, 1, 1] for _ in texts],
        lambda texts: [np.ones(4) for _ in texts],
        lambda texts: (np.ones(4) for _ in texts),
        lambda texts: ([1.0, 1.0, 1.0, 1.0] for _ in texts),
        lambda texts: tuple((1, 1, 1, 1) for _ in texts),
    ],
)
def test_rows_may_come_as_an_array_as_lists_or_as_a_generator(give: Callable[[Sequence[str]], Any]) -> None:
    """Embedders differ; what leaves here is one array of single floats, each row of length one."""
    vectors = models(give).embed(["a", "b"], store(), ADA)
    assert vectors.dtype == np.float32
    assert vectors.tolist() == [[0.5] * 4] * 2


@each_row(
    ("give", "sentence"),
    [
        (lambda texts: np.ones((1, 4)), r"shape \(1, 4\) for 2 texts; it must give one row per text"),
        (lambda texts: np.ones((3, 4)), r"shape \(3, 4\)"),
        (lambda texts: np.ones(2), r"shape \(2,\)"),
        (lambda texts: np.ones((2, 0)), r"shape \(2, 0\)"),
        (lambda texts: np.ones((2, 2, 2)), r"shape \(2, 2, 2\)"),
        (lambda texts: [], r"shape \(0,\)"),
        (lambda texts: None, "shape|rows of numbers"),
        (lambda texts: 5, r"shape \(\)"),
        (lambda texts: [[1.0, 2.0], [1.0]], "no rows of numbers"),
        (lambda texts: ["abc", "def"], "no rows of numbers"),
        (lambda texts: [["a"], ["b"]], "no rows of numbers"),
        (lambda texts: [{"a": 1}, {"a": 2}], "no rows of numbers"),
        (lambda texts: [[1.0, float("nan")]] * 2, "not finite"),
        (lambda texts: [[1.0, float("inf")]] * 2, "not finite"),
        (lambda texts: [[1.0, 1e300]] * 2, "not finite"),
    ],
)
def test_an_embedder_that_misbehaves_is_named(give: Callable[[Sequence[str]], Any], sentence: str) -> None:
    """Wrong shape, ragged rows, words for numbers, numbers that are none: each with the model's fingerprint."""
    with pytest.raises(Invalid, match=sentence) as caught:
        models(give).embed(["a", "b"], store(), ADA)
    assert "odd-1" in str(caught.value)


@each_row("scale", [1e-30, 0.5, 3.0, 1e18, 1e30])
def test_a_vector_is_brought_to_length_one(scale: float) -> None:
    """Products are taken for cosines, so a model that forgot to must not outshine every word."""
    vectors = models(lambda texts: np.array([[3.0, 4.0]]) * scale).embed(["a"], store(), ADA)
    assert vectors[0] == pytest.approx([0.6, 0.8])


def test_a_vector_of_length_one_but_for_rounding_is_left_as_it_is() -> None:
    """Bit for bit what the model gave, also where it reckons in half precision."""
    rounded = np.array([[0.6, 0.8, 0.01]], dtype=np.float16).astype(np.float32)
    assert np.array_equal(models(lambda texts: rounded).embed(["a"], store(), ADA), rounded)


def test_a_text_without_meaning_has_a_vector_of_nothing() -> None:
    """Zero stays zero: it is near to nothing."""
    assert models(lambda texts: np.zeros((1, 4))).embed(["?"], store(), ADA).tolist() == [[0.0] * 4]


def test_another_width_than_what_is_stored_is_refused() -> None:
    """Both numbers are told, and what to do."""
    with pytest.raises(Invalid, match=r"gives 4 dimensions, and what is stored .* has 8; .*reembed"):
        models(lambda texts: np.ones((1, 4))).embed(["a"], store(ada=8), ADA)


def test_a_width_that_changes_between_calls_is_refused() -> None:
    """Nothing was stored yet, and still a model has one width."""
    widths = iter([4, 5])
    changing = models(lambda texts: np.ones((1, next(widths))))
    changing.embed(["a"], store(), ADA)
    with pytest.raises(Invalid, match="gives 5 dimensions"):
        changing.embed(["b"], store(), ADA)


def test_the_store_is_asked_for_a_width_once_per_owner() -> None:
    """Comparing costs nothing afterwards; one owner's width says nothing of another's."""
    widths = Widths(ada=4, bob=4)
    fixed = models(lambda texts: np.ones((len(texts), 4)))
    for view in (ADA, BOB, ADA, BOB):
        fixed.embed(["a"], cast(Store, widths), view)
    assert widths.asked == 2


def test_without_an_embedder_there_are_no_vectors_and_no_question() -> None:
    """Words alone is a way to work, not an error."""
    words = Models(None, len)
    assert words.fingerprint is None
    assert words.embed(["a"], store(), ADA).shape == (0, 0)
    assert words.question("where is it?", store(), ADA) is None


def test_no_texts_ask_no_model() -> None:
    """Nothing to embed costs nothing."""
    idle = models(lambda texts: pytest.fail("asked"))
    assert len(idle.embed([], store(), ADA)) == 0
    assert idle.question("   ", store(), ADA) is None


def test_a_question_is_embedded_as_a_question() -> None:
    """Some models treat it otherwise than a statement."""
    told = models(lambda texts: np.ones((1, 4)))
    vector = told.question("where is it?", store(), ADA)
    assert vector is not None
    assert vector.shape == (4,)
    assert cast(Odd, told.embedder).asked == [(["where is it?"], True)]


def test_half_a_character_in_a_question_reaches_no_model() -> None:
    """Tokenizers break on it; a question never breaks anything."""
    told = models(lambda texts: np.ones((1, 4)))
    told.question("where \ud800 is it", store(), ADA)
    assert cast(Odd, told.embedder).asked == [(["where ? is it"], True)]
    assert Models(WordLlama(), len).question("\ud800\x00", store(), ADA) is not None


@each_row("embedder", [None, FakeEmbedder()])
@each_row("query", [None, 5, b"where", ["where"]])
def test_a_question_is_text(query: Any, embedder: FakeEmbedder | None) -> None:
    """With a model or without one."""
    with pytest.raises(Invalid, match=f"the question is {type(query).__name__}, not text"):
        Models(embedder, len).question(query, store(), ADA)


# Choosing one


def test_an_embedder_is_chosen_by_name_or_given() -> None:
    """What ships, words alone, or one's own."""
    own = FakeEmbedder()
    assert isinstance(make_embedder("auto"), WordLlama)
    assert isinstance(make_embedder("wordllama"), WordLlama)
    assert make_embedder(None) is None
    assert make_embedder("none") is None
    assert make_embedder(own) is own


class NoFingerprint:
    def embed(self, texts: Sequence[str]) -> Any: ...


class EmptyFingerprint(NoFingerprint):
    fingerprint = " "


class NumberFingerprint(NoFingerprint):
    fingerprint = 5


class NotCallable:
    embed = "no"
    fingerprint = "x"


@each_row(
    ("choice", "sentence"),
    [
        ("openai", "there is no embedder 'openai'; use 'auto'"),
        ("", "there is no embedder ''"),
        (5, "is not an embedder; give an object with embed"),
        (object(), "is not an embedder"),
        (len, "is not an embedder"),
        (WordLlama, "is not an embedder"),
        (NotCallable(), "is not an embedder"),
        (NoFingerprint(), "has no fingerprint"),
        (EmptyFingerprint(), "has no fingerprint"),
        (NumberFingerprint(), "has no fingerprint"),
    ],
)
def test_what_is_no_embedder_is_refused_when_it_is_given(choice: Any, sentence: str) -> None:
    """Not at the first text, when a store may be open already."""
    with pytest.raises(Invalid, match=sentence):
        make_embedder(choice)


# The one that ships


_PIECES = "Tuesday deploys go out at 10 v1.2.3 U.S. end. so, why?! a:b … été 東京, .".split()


@given(st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=8)), max_size=12))
def test_a_text_cut_word_by_word_is_cut_as_the_tokenizer_cuts_it(words: list[str]) -> None:
    """Otherwise the same text would have another vector the second time."""
    text = " ".join(words).encode(errors="ignore").decode()
    assert tokens(text) == tokenizer().cut(text)


def test_the_embedder_that_ships_keeps_its_promises() -> None:
    """One row of length one per text, the same alone and in company, and meaning that shows."""
    ship = WordLlama()
    texts = ["The cat sleeps on the sofa", "A kitten naps on the couch", "Quarterly tax filing deadline", ""]
    vectors = ship.embed(texts)
    assert vectors.shape == (4, DIMENSIONS)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1, 0])
    assert np.array_equal(ship.embed(texts[:1])[0], vectors[0])
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.2
    assert str(DIMENSIONS) in ship.fingerprint


def test_many_texts_and_none_are_embedded_alike() -> None:
    """More than one batch, and less than one."""
    ship = WordLlama()
    many = ship.embed([f"note {number}" for number in range(600)])
    assert many.shape == (600, DIMENSIONS)
    assert np.array_equal(many[599], ship.embed(["note 599"])[0])
    assert ship.embed([]).shape == (0, DIMENSIONS)


SCHEMA = {"type": "object", "properties": {"topic": {"type": "string"}}, "required": ["topic"]}


class OddLlm:
    """A language model that gives whatever it is told to."""

    name = "odd-2"

    def __init__(self, give: Any) -> None:
        self.give = give

    def answer(self, prompt: str, *, system: str, schema: Any = None, tokens_max: int) -> Any:
        return self.give


def asking(llm: Llm | None, schema: Any = None) -> Answer:
    return Models(None, len, llm).answer("Which topic?", system="Be brief.", schema=schema, tokens_max=9)


def test_a_language_model_is_asked_as_it_stands() -> None:
    """Prompt, instructions, schema and limit arrive; the answer comes back."""
    fake = FakeLlm({"topic": "tides"})
    assert asking(fake, SCHEMA).value == {"topic": "tides"}
    [asked] = fake.asked
    assert (asked.prompt, asked.system, asked.schema, asked.tokens_max) == ("Which topic?", "Be brief.", SCHEMA, 9)


def test_without_a_language_model_there_is_no_answer() -> None:
    """Whoever asks goes on without, as with one that does not answer."""
    with pytest.raises(Unavailable, match="open with llm="):
        asking(None)


@each_row("script", [TimeoutError("too slow"), ConnectionResetError("gone"), Unavailable("busy")])
def test_a_language_model_that_does_not_answer_is_unavailable(script: Script) -> None:
    """Be it ours or somebody's own."""
    with pytest.raises(Unavailable):
        asking(FakeLlm(script))


@each_row("give", ["tides", None, {"topic": "tides"}, Answer(cast(str, 5))])
def test_a_language_model_that_gives_no_answer_is_an_error(give: Any) -> None:
    """Not a strange summary later on."""
    with pytest.raises(Invalid, match="language model odd-2 gave"):
        asking(OddLlm(give))


def test_a_language_model_of_ones_own_need_not_read_its_json() -> None:
    """The text is enough; and a value that it made up beside its text is not believed."""
    for value in (None, {"topic": 5}, "tides"):
        assert asking(OddLlm(Answer('{"topic": "tides"}', value)), SCHEMA).value == {"topic": "tides"}
    with pytest.raises(Malformed, match="language model odd-2 did not answer in the shape asked for"):
        asking(OddLlm(Answer('{"topic": 5}', {"topic": "tides"})), SCHEMA)


@pytest.mark.parametrize("text", ["low \x00 tide", "low \ud83d tide"])
def test_what_no_store_can_keep_is_no_answer(text: str) -> None:
    """A summary of it could not be written."""
    with pytest.raises(Malformed, match="characters that cannot be kept"):
        asking(FakeLlm(text))


# What a model's nearness is worth


def test_how_near_unrelated_texts_are_is_measured_once() -> None:
    """A model that finds everything alike begins to tell at what it gives to texts with nothing in common."""
    several = models(lambda texts: [[1.0, 0.0, 0.0]] * len(texts))
    assert several.unrelated == several.unrelated == 0.9, "and never all of its scale"
    embedder = cast(Odd, several.embedder)
    assert [query for _, query in embedder.asked] == [True, False]


def test_a_model_that_tells_how_near_unrelated_texts_are_is_believed() -> None:
    """Without being asked for a vector."""
    embedder = FakeEmbedder()
    embedder.unrelated = 0.25
    assert (Models(embedder, len).unrelated, embedder.calls) == (0.25, 0)
    assert Models(None, len).unrelated == Models(WordLlama(), len).unrelated == 0


def test_a_model_that_does_not_answer_is_measured_when_it_does() -> None:
    """Meanwhile its cosines count as they are."""
    answers: list[Any] = [TimeoutError("too slow")]

    def give(texts: Sequence[str]) -> Any:
        if answers:
            raise answers.pop()
        return [[1.0, 0.0]] * len(texts)

    several = models(give)
    assert (several.unrelated, several.unrelated) == (0.0, 0.9)


def test_the_packaged_model_says_that_it_adds_up_words() -> None:
    """Others read sentences unless they say so."""
    assert Models(WordLlama(), len).averages
    assert not Models(FakeEmbedder(), len).averages
    assert not Models(None, len).averages


def test_a_question_counts_once_with_its_names_and_once_without() -> None:
    """The vector is the middle of the two, and one long."""
    embedder = FakeEmbedder()
    store = cast(Store, Widths())
    vector = Models(embedder, len).question("What colour is the boat of Ada?", store, ADA)
    both = embedder.embed(["What colour is the boat of Ada?", "What colour is the boat of"])
    middle = both.sum(axis=0)
    assert vector is not None
    assert np.allclose(vector, middle / np.linalg.norm(middle), atol=1e-6)
