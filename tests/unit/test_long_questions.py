"""A question may be as long as a request: what it costs follows from its length, and not from its square."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from ebbing.domain.memory import Memory
from ebbing.recall.named import names
from ebbing.store.bm25 import Hits
from tests.steps import faster_than_linear

AT = datetime(2026, 5, 5, tzinfo=UTC)


class _Compared(str):
    """A word that counts how often such words are compared."""

    __slots__ = ()
    counted = 0

    def __eq__(self, other: object) -> bool:
        _Compared.counted += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_a_question_of_many_words_compares_each_with_a_few() -> None:
    """Thirty thousand words that stood in no memory took five minutes of one recall."""
    words = [_Compared(f"q{number}") for number in range(2_000)]
    hits = Hits(dict.fromkeys(words, 1), np.arange(len(words)))
    wanted = [_Compared(word) for word in words[1:]]
    _Compared.counted = 0
    assert len(hits.of(wanted).counts) == len(wanted)
    assert _Compared.counted < 20 * len(words)


def test_names_of_a_long_question_are_looked_for_in_proportion() -> None:
    """Five thousand names, looked for in every word of sixty memories, took twenty seconds."""

    def asked(text: str) -> object:
        times = {"created_at": AT, "created_day": 0, "last_accessed_at": AT, "used_day": 0}
        memory = Memory(id="m1", owner="ada", text=text.replace("K", "Q"), **times)  # type: ignore[arg-type] # of two kinds
        return names(text, [memory])

    assert faster_than_linear(asked, "and K{w} ", 3_000) is None
