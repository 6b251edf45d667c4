"""The tokenizer of the default embedder gives what the library `tokenizers` gives, which stays a tool of the tests."""

from __future__ import annotations

import functools
import hashlib
import json
import time

from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.normalizers import Prepend, Replace, Sequence

from ebbing.providers.wordllama import WEIGHTS, WordLlama, tokenizer
from tests.tables import each_row

PIECES = json.loads((WEIGHTS / "vocabulary.json").read_text(encoding="utf-8"))
WORDS = "the Tuesday, unbelievable don't naïve 東京 привет a_b-c :) )\r; <s> </s> <unk> <0x0A> ▁ \t \n 🌈 \x00".split(
    " "
)


@functools.cache
def reference() -> Tokenizer:
    """The same vocabulary in the library, as Llama 2 sets it up: merges of spaces alone come last."""
    numbers = {piece: number for number, piece in enumerate(PIECES)}
    merges = [
        ((not piece.strip("▁"), number, numbers[piece[:cut]], numbers[piece[cut:]]), (piece[:cut], piece[cut:]))
        for piece, number in numbers.items()
        for cut in range(1, len(piece))
        if piece[:cut] in numbers and piece[cut:] in numbers
    ]
    made = Tokenizer(BPE(numbers, [pair for _, pair in sorted(merges)], fuse_unk=True, byte_fallback=True))
    made.normalizer = Sequence([Prepend("▁"), Replace(" ", "▁")])
    made.add_special_tokens(["<unk>", "<s>", "</s>"])
    return made


@given(st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=8)), max_size=12).map(" ".join))
@example("   three spaces,   and  two")
@example("<s>hello</s> world<unk>")
def test_a_text_is_cut_as_the_library_cuts_it(text: str) -> None:
    """Another cut is another vector, and those in the store are compared with the new ones."""
    text = text.encode(errors="ignore").decode()
    assert tokenizer().cut(text) == reference().encode(text, add_special_tokens=False).ids


@each_row("text, numbers", [
    ("Deploys happen on Tuesdays", [10034, 417, 952, 3799, 373, 323, 1041, 16700]),
    ("naïve café", [1055, 30085, 345, 274, 28059]),
])  # fmt: skip
def test_numbers_stay_what_they_were(text: str, numbers: list[int]) -> None:
    """Of the tokenizer that made the vectors in every existing store."""
    assert tokenizer().cut(text) == numbers


def test_vectors_stay_what_they_were() -> None:
    """They carry the fingerprint of the ones before; a vector that differs would be compared with what it is not."""
    stored = hashlib.sha256((WEIGHTS / "vectors.npy").read_bytes()).hexdigest()
    assert stored == "e61ae8f3295d1a033863bb6eb4aa8121c76ba041b9de43daefef255eb598c89f"
    assert WordLlama.fingerprint == "wordllama-l2-supercat-256"


def test_a_long_word_takes_no_longer_than_many_short_ones() -> None:
    """A text without a space may have 32,000 characters."""
    tokenizer()
    began = time.process_time()
    tokenizer().cut("ab1日" * 8_000)
    assert time.process_time() - began < 5
