"""The best few, exactly, for the blended score: proved against reading everything, counting every row that is read."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ebbing import Memory, Policy, Status, Tier
from ebbing.domain.clock import Moment, calendar_day, micros
from ebbing.domain.policy.loader import load
from ebbing.domain.retention import Traces, strength_of
from ebbing.ports import Column, Found
from ebbing.recall import top_k
from ebbing.recall.calibration import Calibration
from ebbing.recall.top_k import Ranked
from tests.properties import examples
from tests.tables import each_row

DEFAULT = load()
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
TODAY = calendar_day(NOW)
HERE = Moment(NOW, TODAY)
DAY = timedelta(days=1)
Times = Sequence[tuple[date, date]]
FIT = Calibration(intercept=-3.0, relevance=5.0)
PIECE = 48  # the least that is read at once


@dataclasses.dataclass(frozen=True)
class Row:
    """A memory as a question sees it: how well its words and its meaning fit."""

    lexical: float
    semantic: float
    importance: float = 0.5
    idle_days: int = 0
    pinned: bool = False
    hidden: bool = False  # by a filter or the view: known to the indexes, not to be shown
    turn: bool = False  # said in a session; the rows before and after it too, where they are turns
    named: bool = False  # begins with a name of the question
    asks: bool = False
    told_days_ago: int = 100


class FakeSearch:
    """A search over rows in memory that keeps every promise of `ports.Search` and counts what is read."""

    def __init__(self, rows: Sequence[Row], *, vectors: bool = True, words: bool = True, first_turn: int = 0) -> None:
        self.rows = list(rows)
        self.first_turn = first_turn
        self.headed = np.array([self.handle(index) for index, row in enumerate(rows) if row.named], dtype=np.int64)
        self.vectors = vectors
        self.words = words
        self.read: list[int] = []
        self.asked: list[int] = []

    def lexical(self) -> Found:
        handles = [index for index, row in enumerate(self.rows) if self.words and row.lexical > 0]
        return self._found(handles, [self.rows[index].lexical for index in handles])

    def handle(self, index: int) -> int:
        return 2 * index + self.rows[index].turn

    def index(self, handle: int) -> int | None:
        """Where the row of a handle stands; None where none does."""
        there = 0 <= handle // 2 < len(self.rows) and self.handle(int(handle) // 2) == handle
        return int(handle) // 2 if there else None

    def nearness(self, handles: Column) -> NDArray[np.float64]:
        places = [self.index(handle) for handle in handles.tolist()]
        return np.array([self.rows[at].semantic if self.vectors and at is not None else 0.0 for at in places])

    def semantic(self, limit: int) -> Found:
        self.asked.append(limit)
        order = sorted(range(len(self.rows)), key=lambda index: -self.rows[index].semantic) if self.vectors else []
        return self._found(order[:limit], [0.0] * len(order[:limit]))

    def traces(self, handles: Column) -> Traces:
        standing = [at for handle in handles.tolist() if (at := self.index(handle)) is not None]
        self.read += standing
        shown = [index for index in standing if not self.rows[index].hidden]
        memories = [memory_of(index, self.rows[index]) for index in shown]
        return Traces(
            handles=np.array([self.handle(index) for index in shown], dtype=np.int64),
            ids=[memory.id for memory in memories],
            categories=[memory.category for memory in memories],
            tiers=[memory.tier for memory in memories],
            scopes=[memory.scope for memory in memories],
            pinned=np.array([memory.pinned for memory in memories], dtype=bool),
            importance=np.array([memory.importance for memory in memories], dtype=float),
            created_at=np.array([micros(memory.created_at) for memory in memories], dtype=float),
            created_day=np.array([memory.created_day for memory in memories], dtype=np.int64),
            last_accessed_at=np.array([micros(memory.last_accessed_at) for memory in memories], dtype=float),
            used_day=np.array([memory.used_day for memory in memories], dtype=np.int64),
            recalls=np.array([memory.recall_count for memory in memories], dtype=np.int64),
            level=np.array([memory.level for memory in memories], dtype=float),
            asks=np.array([self.rows[index].asks for index in shown], dtype=bool),
        )

    def _found(self, places: list[int], lexical: list[float]) -> Found:
        semantic = [self.rows[index].semantic if self.vectors else 0.0 for index in places]
        handles = [self.handle(index) for index in places]
        return Found(np.array(handles, dtype=np.int64), np.array(lexical), np.array(semantic))


def memory_of(index: int, row: Row) -> Memory:
    at = NOW - row.idle_days * DAY
    day = TODAY - row.idle_days
    return Memory(
        id=f"m{index:05}",
        owner="ada",
        text="The sea ebbs",
        status=Status.ACTIVE,
        tier=Tier.SEMANTIC,
        importance=row.importance,
        pinned=row.pinned,
        created_at=NOW - row.told_days_ago * DAY,
        created_day=TODAY - row.told_days_ago,
        last_accessed_at=at,
        used_day=day,
    )


def best(search: FakeSearch, limit: int, moment: Moment, policy: Policy, **given: Any) -> list[Ranked]:
    """The best few by one calibration."""
    return top_k.best(search, limit, moment, policy, FIT, **given)


def score_of(relevance: float, strength: float, recency: float, policy: Policy) -> float:
    """By the words of the manual: the odds of an answer, moved by strength and recency."""
    share = policy.recall.strength_share
    odds = math.exp(-3.0 + 5.0 * relevance) * (1 - share + share * strength) * (1 + recency)
    return odds / (1 + odds)


def relevance_of(
    search: FakeSearch, index: int, policy: Policy, unrelated: float, times: Times = (), *, of_hidden: bool = False
) -> float:
    """How well a row fits, by the words of the manual; `of_hidden`: as if nobody were hidden and nothing asked."""
    rules, row = policy.recall, search.rows[index]
    given = [0.0]
    for steps in (-2, -1, 1, 2):
        there = 0 <= index + steps < len(search.rows)
        first = min(search.handle(index), search.handle(index + steps)) if there else -1
        if not there or not row.turn or not search.words or first < search.first_turn:
            continue
        other = search.rows[index + steps]
        share = rules.neighbour_before if steps < 0 else rules.neighbour_after
        if other.turn and (of_hidden or not other.hidden):
            given.append(share * rules.neighbour_farther ** (abs(steps) - 1) * other.lexical)
    lexical = min(1.0, (row.lexical if search.words else 0.0) + max(given))
    semantic = max(0.0, (row.semantic if search.vectors else 0.0) - unrelated) / (1 - unrelated)
    fit = rules.lexical_weight * lexical + rules.semantic_weight * semantic
    cut = 1.0 if of_hidden else 1.0 - rules.asking * row.asks
    told = (NOW - row.told_days_ago * DAY).date()
    dated = any(first <= told <= last + rules.dated_days_after * DAY for first, last in times)
    return min(1.0, fit * (1 + rules.named_first * row.named) * (1 + rules.dated * dated)) * cut


def everything(
    search: FakeSearch, policy: Policy, unrelated: float = 0.0, times: Times = ()
) -> list[tuple[float, str]]:
    """Every row that may be shown and fits at all, scored by the formula of the spec, best first."""
    rules = policy.recall
    scored = []
    for index, row in enumerate(search.rows):
        relevance = relevance_of(search, index, policy, unrelated, times)
        if row.hidden or relevance <= 0:
            continue
        strength = strength_of(memory_of(index, row), HERE, policy)
        recency = rules.recency_boost * 0.5 ** (row.idle_days / rules.recency_half_life_days)
        scored.append((score_of(relevance, strength, recency, policy), f"m{index:05}"))
    return sorted(scored, key=lambda pair: (-pair[0], pair[1]))


def check(
    search: FakeSearch, limit: int, policy: Policy = DEFAULT, unrelated: float = 0.0, times: Times = ()
) -> list[Ranked]:
    """The best by `best`, held against the best of everything; ties may go either way, scores may not."""
    found = best(search, limit, HERE, policy, unrelated=unrelated, times=times)
    whole = everything(search, policy, unrelated, times)
    assert [one.score for one in found] == pytest.approx([score for score, _ in whole[:limit]], abs=1e-12)
    scores = {id_: score for score, id_ in whole}
    for one in found:
        assert one.score == pytest.approx(scores[one.id], abs=1e-12)
    assert len({one.id for one in found}) == len(found)
    assert len(search.read) == len(set(search.read)), "a row was read twice"
    return found


def needed(search: FakeSearch, limit: int, policy: Policy = DEFAULT) -> int:
    """How many rows nobody could do without: those that could, for all one knows, have been among the best."""
    whole = everything(search, policy)
    kth = whole[limit - 1][0] if len(whole) >= limit else 0.0
    rules = policy.recall
    count = 0
    for index in range(len(search.rows)):
        relevance = relevance_of(search, index, policy, 0.0, of_hidden=True)
        count += relevance > 0 and score_of(relevance, 1.0, rules.recency_boost, policy) > kth
    return count


shares = st.sampled_from([0.0, 0.25, 0.5, 1.0]) | st.floats(0, 1)
rows = st.builds(
    Row,
    lexical=st.just(0.0) | shares,
    semantic=shares,
    importance=shares,
    idle_days=st.sampled_from([0, 0, 1, 7, 30, 365]),
    pinned=st.booleans(),
    hidden=st.sampled_from([False, False, False, True]),
    turn=st.booleans(),
    named=st.sampled_from([False, False, True]),
    asks=st.booleans(),
    told_days_ago=st.integers(0, 40),
)
weights = st.sampled_from([(0.4, 0.6), (1.0, 0.0), (0.0, 1.0), (0.1, 0.1), (1.0, 1.0)])
POLICIES = {
    (weight, share, boost): dataclasses.replace(
        DEFAULT,
        recall=dataclasses.replace(
            DEFAULT.recall,
            lexical_weight=weight[0],
            semantic_weight=weight[1],
            strength_share=share,
            recency_boost=boost,
        ),
    )
    for weight in [(0.4, 0.6), (1.0, 0.0), (0.0, 1.0), (0.1, 0.1), (1.0, 1.0)]
    for share in (0.0, 0.4, 1.0)
    for boost in (0.0, 0.03, 1.0)
}
policies = st.sampled_from(list(POLICIES.values()))


@given(
    st.lists(rows, max_size=40), st.integers(1, 12), policies, st.booleans(), st.booleans(), st.sampled_from([0, 0, 21])
)
def test_the_best_few_are_the_best_of_all(
    several: list[Row], limit: int, policy: Policy, vectors: bool, words: bool, first_turn: int
) -> None:
    """For any rows, sessions, names, weights, shares and boosts, with and without words and vectors."""
    check(FakeSearch(several, vectors=vectors, words=words, first_turn=first_turn), limit, policy)


@given(st.lists(rows, max_size=40), st.integers(1, 12), policies, st.integers(0, 40))
def test_the_best_few_are_the_best_of_all_for_a_question_about_a_time(
    several: list[Row], limit: int, policy: Policy, days_ago: int
) -> None:
    """Only reading tells what was told then, and nothing that was is left unread."""
    day = (NOW - days_ago * DAY).date()
    check(FakeSearch(several), limit, policy, times=[(day, day), (day - 90 * DAY, day - 60 * DAY)])


@given(st.lists(rows, max_size=40), st.integers(1, 12), policies, st.sampled_from([0.1, 0.5, 0.9]))
def test_the_best_few_are_the_best_of_all_for_a_model_that_finds_everything_alike(
    several: list[Row], limit: int, policy: Policy, unrelated: float
) -> None:
    """Its cosines count from what unrelated texts have."""
    check(FakeSearch(several), limit, policy, unrelated)


@examples(50)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([1, 5, 10, 60]),
    policies,
    st.sampled_from([0.0, 0.02, 0.5]),
    st.sampled_from([0.0, 0.9, 1.0]),
)
def test_the_best_few_of_very_many_are_the_best_of_all(
    seed: int, limit: int, policy: Policy, matching: float, said: float
) -> None:
    """More rows than one reading takes, so that the bound itself decides when to stop."""
    many = crowd(seed, 500, matching, said)
    check(FakeSearch(many), limit, policy)


def crowd(seed: int, size: int, matching: float, said: float = 0.0) -> list[Row]:
    """Many rows as they are in life: a few that fit well, most that fit a little; so many of them said in sessions."""
    random = np.random.default_rng(seed)
    semantic = random.beta(2, 5, size)
    has_word = random.random(size) < matching
    return [
        Row(
            lexical=float(random.random()) if has_word[index] else 0.0,
            semantic=float(semantic[index]),
            importance=float(random.random()),
            idle_days=int(random.integers(0, 60)),
            pinned=bool(random.random() < 0.02),
            hidden=bool(random.random() < 0.05),
            turn=bool(random.random() < said),
            named=bool(random.random() < said / 3),
            asks=bool(random.random() < said / 3),
        )
        for index in range(size)
    ]


def test_a_faded_memory_loses_its_place_to_one_beyond_the_raw_top() -> None:
    """The promise of the spec: not a re-ordering of a list already cut."""
    faded = [Row(0.0, 0.9, importance=0.5, idle_days=400) for _ in range(300)]
    fresh = [Row(0.0, 0.8, importance=1.0) for _ in range(5)]
    found = check(FakeSearch([*faded, *fresh]), 5)
    assert {one.id for one in found} == {f"m{index:05}" for index in range(300, 305)}


def test_a_result_tells_the_parts_its_score_was_made_of() -> None:
    """Golden: 0.4·0.5 + 0.6·0.8 = 0.68; odds of e^0.4, times 0.6 + 0.4·0.5, times 1.03 for today."""
    [one] = best(FakeSearch([Row(0.5, 0.8)]), 10, HERE, DEFAULT)
    assert (one.id, one.lexical, one.semantic, one.strength) == ("m00000", 0.5, 0.8, 0.5)
    assert one.relevance == pytest.approx(0.68)
    assert one.recency == pytest.approx(0.03)
    odds = math.exp(0.4) * 0.8 * 1.03
    assert one.score == pytest.approx(odds / (1 + odds))


def test_a_turn_has_a_share_of_the_words_of_the_turn_before_it() -> None:
    """Golden: 0.4·(0.85·0.5) for the answer that shares no word with the question; its own words come on top."""
    rules = DEFAULT.recall
    question, answer, far = best(
        FakeSearch([Row(0.5, 0.0, turn=True)] + [Row(0.0, 0.0, turn=True)] * 2), 3, HERE, DEFAULT
    )
    assert (answer.lexical, answer.neighbours) == (0.0, rules.neighbour_before * 0.5)
    assert answer.relevance == pytest.approx(0.4 * 0.85 * 0.5)
    assert far.neighbours == pytest.approx(answer.neighbours * rules.neighbour_farther)
    assert question.neighbours == 0


def test_a_neighbour_that_nobody_may_see_gives_nothing() -> None:
    """What is left is what the next best neighbour gives, and without one the row is not found at all."""
    secret, open_ = Row(0.9, 0.0, turn=True, hidden=True), Row(0.2, 0.0, turn=True)
    [one] = best(FakeSearch([secret, Row(0.1, 0.0, turn=True)]), 10, HERE, DEFAULT)
    assert one.neighbours == 0
    beside = best(FakeSearch([open_, secret, Row(0.1, 0.0, turn=True)]), 10, HERE, DEFAULT)
    assert {one.id: one.neighbours for one in beside}["m00002"] == pytest.approx(0.85 * 0.8 * 0.2)
    assert best(FakeSearch([secret, Row(0.0, 0.0, turn=True)]), 10, HERE, DEFAULT) == []


def test_what_was_said_in_no_session_has_no_neighbours() -> None:
    """And so has what an old store holds."""
    rows_ = [Row(0.9, 0.0), Row(0.1, 0.0), Row(0.9, 0.0)]
    assert {one.neighbours for one in best(FakeSearch(rows_), 10, HERE, DEFAULT)} == {0.0}
    turns = [dataclasses.replace(row, turn=True) for row in rows_]
    assert {one.neighbours for one in best(FakeSearch(turns, first_turn=99), 10, HERE, DEFAULT)} == {0.0}


def test_what_begins_with_a_name_gains_and_what_asks_loses() -> None:
    """By what the policy says, and never beyond 1."""
    plain, named, asking = best(FakeSearch([Row(0.5, 0.5), Row(0.5, 0.5, named=True)]), 2, HERE, DEFAULT)[::-1] + best(
        FakeSearch([Row(0.5, 0.5, asks=True)]), 1, HERE, DEFAULT
    )
    assert named.relevance == pytest.approx(plain.relevance * 1.5)
    assert asking.relevance == pytest.approx(plain.relevance * 0.88)
    [most] = best(FakeSearch([Row(1.0, 1.0, named=True)]), 1, HERE, DEFAULT)
    assert most.relevance == 1.0


def test_a_pinned_memory_ranks_at_full_strength() -> None:
    """However old it is."""
    [one] = best(FakeSearch([Row(0.5, 0.8, importance=0.1, idle_days=400, pinned=True)]), 10, HERE, DEFAULT)
    assert one.strength == 1.0
    assert one.score == pytest.approx(score_of(0.68, 1.0, 0.0, DEFAULT))


def test_recency_halves_and_the_future_is_now() -> None:
    """Golden: after a half-life, half the boost; never more than the whole of it."""
    ages = {0: 0.03, 7: 0.015, 14: 0.0075, -5: 0.03}
    for days, boost in ages.items():
        [one] = best(FakeSearch([Row(0.0, 0.5, idle_days=days)]), 1, HERE, DEFAULT)
        assert one.recency == pytest.approx(boost)


# Edges


def test_nothing_is_found_where_there_is_nothing() -> None:
    """An empty store, with words and vectors and without either."""
    for vectors in (True, False):
        search = FakeSearch([], vectors=vectors)
        assert best(search, 10, HERE, DEFAULT) == []
        assert search.read == []


def test_a_limit_beyond_all_there_is_gives_all_there_is() -> None:
    """Each once."""
    search = FakeSearch(crowd(1, 300, 0.1))
    assert len(check(search, 1000)) == sum(not row.hidden for row in search.rows)


def test_rows_that_fit_not_at_all_are_neither_shown_nor_read() -> None:
    """The least bad is not an answer, and looking at everything would cost what is stored."""
    for fitting, read in ((0, 0), (1, PIECE)):
        search = FakeSearch([*[Row(0.0, 0.0)] * 5000, *[Row(0.0, 0.5)] * fitting])
        assert len(check(search, 10)) == fitting
        assert len(search.read) <= read
        assert len(search.asked) == 1


def test_without_vectors_words_alone_decide() -> None:
    """Every row that has a word, and no other."""
    search = FakeSearch([Row(0.2, 0.9), Row(0.0, 1.0), Row(0.8, 0.0)], vectors=False)
    assert [one.id for one in check(search, 10)] == ["m00002", "m00000"]


def test_without_words_meaning_alone_decides() -> None:
    """A question in another language."""
    search = FakeSearch([Row(0.9, 0.2), Row(0.0, 1.0), Row(0.8, 0.0)], words=False)
    assert [one.id for one in check(search, 10)] == ["m00001", "m00000"]


def test_equals_come_in_the_order_of_their_making() -> None:
    """The same answer to the same question, always."""
    search = FakeSearch([Row(0.5, 0.5)] * 20)
    assert [one.id for one in check(search, 5)] == [f"m{index:05}" for index in range(5)]


@each_row("size", [47, 48, 49, 192, 193, 1000])
def test_many_equals_are_all_equally_good(size: int) -> None:
    """Of a thousand ties, as many as were asked for, each at its right score, and soon enough."""
    search = FakeSearch([Row(0.5, 0.5, importance=1.0)] * size)
    assert len(check(search, 10)) == 10
    assert len(search.read) <= PIECE


def test_rows_that_a_filter_hides_make_room_for_others() -> None:
    """However many of the best are hidden, the answer is full."""
    search = FakeSearch([*[Row(0.9, 0.9, hidden=True)] * 500, *[Row(0.1, 0.1)] * 20])
    assert len(check(search, 10)) == 10


# What it costs


@each_row("seed", range(4))
@each_row("limit", [1, 10, 40])
def test_little_more_is_read_than_anybody_must_read(seed: int, limit: int) -> None:
    """Rows that could have been among the best for all one knows, at most as many again, and a piece at each asking."""
    search = FakeSearch(crowd(seed, 2000, 0.02))
    check(search, limit)
    piece = max(PIECE, 2 * limit)
    assert len(search.read) <= 2 * needed(search, limit) + piece * len(search.asked)


def test_a_common_word_does_not_make_every_row_be_read() -> None:
    """Four thousand rows that have it, and forty that mean it: the forty are read, and not the thousands."""
    common = [Row(0.05, 0.1, idle_days=30) for _ in range(4000)]
    meant = [Row(0.0, 0.5 + index / 400, idle_days=10) for index in range(200)]
    search = FakeSearch([*common, *meant])
    check(search, 10)
    assert len(search.read) < 400


def test_what_fits_far_better_than_the_rest_is_found_at_the_first_look() -> None:
    """One reading of one piece, one asking."""
    search = FakeSearch([*[Row(0.0, 0.1)] * 5000, *[Row(0.9, 0.9, importance=1.0)] * 10])
    assert len(check(search, 10)) == 10
    assert len(search.read) <= PIECE
    assert search.asked == [PIECE]


def test_a_large_limit_reads_in_larger_pieces() -> None:
    """So that a hundred results do not take ten readings."""
    search = FakeSearch(crowd(3, 2000, 0.05))
    check(search, 200)
    assert search.asked[0] == 400
