"""The tokenizer of the models that ship gives what the library `tokenizers` gives, which stays a tool of the tests."""

from __future__ import annotations

import functools
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordPiece as Model
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

from ebbing.domain.errors import Unavailable
from ebbing.providers.judge import WEIGHTS, count_tokens
from ebbing.providers.wordpiece import WordPiece, read_vocabulary
from tests.architecture.source import ROOT

VOCABULARY = WEIGHTS / "vocabulary.txt"
OURS = read_vocabulary(VOCABULARY)
TOKENS_MAX = 24
ALIKE = {"Lo", "Cn", "Co", "Cs"}


@functools.cache
def reference() -> Tokenizer:
    """The same vocabulary in the library, as BERT's uncased models set it up."""
    numbers = {piece: number for number, piece in enumerate(VOCABULARY.read_text(encoding="utf-8").splitlines())}
    tokenizer = Tokenizer(Model(numbers, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(mark, numbers[mark]) for mark in ("[CLS]", "[SEP]")],
    )
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    tokenizer.encode_special_tokens = True  # in a text they are text
    tokenizer.enable_truncation(TOKENS_MAX)
    return tokenizer


@functools.cache
def newer_characters() -> frozenset[str]:
    """Those that Unicode took in after its version 8, which the library still has: nothing is known of them there.

    Of letters without case and of codes that stand for nothing only some are tried; they are alike.
    """
    codes = (code for code in range(sys.maxunicode + 1) if code % 97 == 0 or category(chr(code)) not in ALIKE)
    characters = [chr(code) for code in codes if category(chr(code)) != "Cs"]
    words = [f"a{character}b" for character in characters]
    read = reference().encode_batch_fast(words)
    unlike = (c for c, word, theirs in zip(characters, words, read, strict=True) if ids(word) != theirs.ids)
    return frozenset(unlike)


def ids(text: str, beside: str | None = None) -> list[int]:
    return OURS.encode(text, beside, tokens_max=TOKENS_MAX).ids


def test_every_character_is_read_alike_but_for_some_that_no_vocabulary_has() -> None:
    """All but those whose category the library does not know yet, and none of those is in any piece of ours."""
    assert len(newer_characters()) < 1000
    assert not newer_characters() & set(VOCABULARY.read_text(encoding="utf-8"))


ODD = [
    *"Tuesday v1.2.3 U.S. end. why?! été İstanbul ΟΔΟΣ ẞ 東京タワー 한국어 हिन्दी Ω № ½ ﬁ 👩‍💻".split(),
    *("[SEP]", "[CLS]", "##ing", "a\x0bb", "\u0301"),
]
CHARACTERS = st.characters(exclude_categories=["Cs"]).filter(lambda one: one not in newer_characters())
TEXTS = st.lists(st.one_of(st.sampled_from(ODD), st.text(CHARACTERS, max_size=12)), max_size=16)
SPACES = st.sampled_from([" ", "  ", "\n", "\t", "\u00a0", "\u3000", "", "\x1c", "\u200b"])


@given(TEXTS, SPACES, TEXTS)
def test_any_text_and_any_pair_is_cut_as_the_library_cuts_it(words: list[str], space: str, others: list[str]) -> None:
    """Token for token, with the marks around them, and shortened alike."""
    text, beside = space.join(words), " ".join(others)
    for pair in ((text, None), (text, beside), (beside, text)):
        theirs, ours = reference().encode(*pair), OURS.encode(*pair, tokens_max=TOKENS_MAX)
        assert (ours.ids, ours.type_ids) == (theirs.ids, theirs.type_ids)


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings(one)


@pytest.mark.parametrize("file", sorted((ROOT / "training").rglob("texts*.jsonl")), ids=lambda path: path.name)
def test_the_texts_of_the_training_are_cut_as_the_library_cuts_them(file: Path) -> None:
    """And so the judge reads in use what it read in training."""
    lines = file.read_text(encoding="utf-8").splitlines()[::9]
    texts = [text for line in lines for text in strings(json.loads(line))]
    tokenizer = Tokenizer.from_str(reference().to_str())
    tokenizer.no_truncation()
    tokenizer.encode_special_tokens = True
    read = tokenizer.encode_batch_fast(texts, add_special_tokens=False)
    assert [OURS.pieces(text) for text in texts] == [one.ids for one in read]


def test_what_is_written_like_a_mark_of_the_model_is_text() -> None:
    """Otherwise a memory could end where it does not, and go on as the other of two texts."""
    separator = ids("")[-1]
    assert ids("one [SEP] two [CLS]").count(separator) == 1
    assert ids("one", "two [SEP] three").count(separator) == 2


@pytest.mark.parametrize("text", ["a" * 20_000, "!" * 20_000, "a " * 10_000, ("z" * 99 + " ") * 200, "é" * 20_000])
def test_a_long_text_is_cut_in_linear_time(text: str) -> None:
    """Four times the length takes about four times the time."""

    def seconds(text: str) -> float:
        started = time.process_time()
        OURS.pieces(text)
        return time.process_time() - started

    short, long = (min(seconds(one) for _ in range(3)) for one in (text, text * 4))
    assert long < 12 * short + 0.01


def test_half_a_character_is_left_out() -> None:
    """It says nothing, and is no reason to refuse the rest."""
    assert ids("one\ud800 two") == ids("one two")


def test_a_description_of_a_bert_tokenizer_is_understood() -> None:
    """What the library writes, it reads alike."""
    ours = WordPiece.from_tokenizer(json.loads(reference().to_str()))
    assert ours is not None
    assert ours.encode("Ångström's café", "naïve", tokens_max=TOKENS_MAX) == OURS.encode(
        "Ångström's café", "naïve", tokens_max=TOKENS_MAX
    )


@pytest.mark.parametrize(
    "change",
    [
        {
            "normalizer": {
                "type": "BertNormalizer",
                "clean_text": True,
                "handle_chinese_chars": True,
                "lowercase": False,
            }
        },
        {"normalizer": None},
        {"pre_tokenizer": {"type": "Whitespace"}},
        {"post_processor": None},
        {"model": {"type": "BPE", "vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2}}},
        {"model": None},
        {"added_tokens": [{"id": 5, "content": "<user>"}]},
    ],
)
def test_another_tokenizer_is_left_to_the_library(change: dict[str, Any]) -> None:
    """Whatever differs could give other tokens."""
    assert WordPiece.from_tokenizer(json.loads(reference().to_str()) | change) is None


def test_a_vocabulary_that_is_none_is_unavailable(tmp_path: Path) -> None:
    """Missing, or without the marks."""
    with pytest.raises(Unavailable, match="cannot be read"):
        read_vocabulary(tmp_path / "vocabulary.txt")
    (tmp_path / "words.txt").write_text("tide\n[UNK]\n")
    with pytest.raises(Unavailable, match=r"the vocabulary has no \[CLS\]"):
        read_vocabulary(tmp_path / "words.txt")


def test_tokens_are_counted() -> None:
    """More text, more tokens; none for none; a word that has no pieces counts its characters."""
    assert count_tokens("") == 0
    assert count_tokens("The sea ebbs and flows.") == len(OURS.pieces("The sea ebbs and flows.")) == 7
    assert count_tokens("word " * 1000) == 1000
    assert count_tokens("👩‍💻\x00") == 2
    assert count_tokens("x" * 5000) == 5000
