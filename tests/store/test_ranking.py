"""The best few are exactly the best few: recall against a ranking of every memory there is."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ebbing.domain.clock import Moment
from ebbing.domain.judgement import TextReading
from ebbing.domain.memory import Memory, Source, Status, Tier, Visibility
from ebbing.domain.results import Recollection
from ebbing.domain.retention import strength_of
from ebbing.engine import Engine
from ebbing.ports import Filter, Vector, View
from ebbing.recall.calibration import READS, calibration
from ebbing.testing import FakeJudge
from tests.conftest import OpenEngine
from tests.store.making import EMBEDDER, NOW, TODAY, HalfEmbedder, add, found, memory, question

WORDS = "red green blue apple pear plum train car boat north south east west one two three four five six seven".split()
CATEGORIES = ("identity", "fact", "decision", "failure", "session_state", "summary")
NAMES = ("Ada", "Bo")
LIMITS = (1, 3, 10, 50, 500)
LIMITS_NAMED = (1, 3, 10)  # who is meant is looked for among the best fifty
FIT = calibration(READS, EMBEDDER.fingerprint, None)


def corpus(seed: int, owner: str, size: int) -> list[Memory]:
    """Memories of every age and strength: faded, fresh, pinned, protected, recalled often, of every status."""
    chance = random.Random(seed)
    several: list[Memory] = []
    for number in range(size):
        age = chance.choice([0, 1, 5, 30, 100, 400])
        idle = chance.randint(0, age) if age else 0
        given: dict[str, Any] = {
            "scope": chance.choice(["/", "/a", "/a/b", "/ab", "/user"]),
            "category": chance.choice(CATEGORIES),
            "tier": chance.choice([Tier.SEMANTIC, Tier.SEMANTIC, Tier.EPISODIC, Tier.WORKING]),
            "status": chance.choices(list(Status), weights=[80, 6, 6, 4, 2, 2])[0],
            "importance": chance.random(),
            "pinned": chance.random() < 0.03,
            "recall_count": chance.choice([0, 0, 0, 1, 5, 40]),
            "level": chance.random(),
            "created_at": NOW - timedelta(days=age, hours=chance.random()),
            "created_day": TODAY - age,
            "last_accessed_at": NOW - timedelta(days=idle),
            "used_day": TODAY - idle,
        }
        if chance.random() < 0.1:
            given |= {"visibility": Visibility.PRIVATE, "agent": chance.choice(["scout", "other"])}
        if chance.random() < 0.1:
            given["fingerprint"] = None
        if chance.random() < 0.7:
            # Several sessions at once, each going on for a while.
            given["source"] = Source("user", session=f"{number // 40} {chance.choice('abc')}")
        if chance.random() < 0.05:
            given["expires_at"] = NOW - timedelta(days=1)
        text = " ".join(chance.choices(WORDS, k=chance.randint(2, 9)))
        text = f"{chance.choice(NAMES)}: {text}" if chance.random() < 0.3 else text
        text = f"{text}?" if chance.random() < 0.2 else text
        several.append(memory(text, owner=owner, **given))
    return several


class Hand:
    """What the store tells of each memory that a filter lets through, read once, to rank them by hand."""

    def __init__(self, engine: Engine, where: dict[str, Any]) -> None:
        self.engine = engine
        self.view = View(engine.owner, engine.agent)
        self.sessions: dict[tuple[str | None, Source], list[Memory]] = {}
        with engine.store.read(View(engine.owner, every_agent=True)) as tx:
            for one in tx.memories.page(Filter(), limit=10_000)[::-1]:
                self.sessions.setdefault((one.agent, one.source), []).append(one)
        with engine.store.read(self.view) as tx:
            self.moment = Moment(NOW, tx.owner.activity.day_at(NOW))
            living = Filter(**where, unexpired=NOW, restored_since=NOW - engine.policy.time.restored_grace)
            everything = tx.memories.page(Filter(**where), limit=10_000)
            unexpired = {one.id for one in tx.memories.page(living, limit=10_000)}
            self.everything = {one.id: one for one in everything if not one.status.live or one.id in unexpired}
            self.vectors = tx.index.vectors(list(self.everything))

    def neighbours_of(self, one: Memory) -> list[tuple[float, Memory]]:
        """Who was told before and after it in the same session, and which share of their words it has."""
        if one.source.session is None:
            return []
        said = self.sessions[one.agent, one.source]
        place = [other.id for other in said].index(one.id)
        shares = {-2: 0.85 * 0.8, -1: 0.85, 1: 0.55, 2: 0.55 * 0.8}
        return [(share, said[place + steps]) for steps, share in shares.items() if 0 <= place + steps < len(said)]

    def ranked(self, query: str, include: tuple[Status, ...] = ()) -> dict[str, float]:
        """Every memory's score, by the formula of the manual."""
        rules = self.engine.policy.recall
        scores: dict[str, float] = {}
        asked = self.engine.models.question(query, self.engine.store, self.view)
        assert asked is not None
        for archived in (False, True):
            side = tuple(status for status in (Status.ACTIVE, *include) if status.live is not archived)
            with self.engine.store.read(self.view) as tx:
                words = found(tx, question(query, archived=archived, statuses=side), nearest=1)
            given = {id_: lexical for id_, (lexical, _) in words.items() if id_ in self.everything}
            for one in self.everything.values():
                if one.status not in side:
                    continue
                beside = [
                    share * given.get(other.id, 0.0) for share, other in self.neighbours_of(one) if other.status in side
                ]
                lexical = min(1.0, given.get(one.id, 0.0) + max(beside, default=0.0))
                semantic = max(0.0, float(self.vectors[one.id] @ asked)) if one.id in self.vectors else 0.0
                relevance = rules.lexical_weight * lexical + rules.semantic_weight * semantic
                if any(name in query.split() and one.text.startswith(f"{name}:") for name in NAMES):
                    relevance = min(1.0, relevance * 1.5)
                relevance *= 0.88 if one.text.endswith("?") else 1.0
                idle = (NOW - one.last_accessed_at) / timedelta(days=1)
                recency = rules.recency_boost * 0.5 ** (idle / rules.recency_half_life_days)
                if relevance > 0:
                    strength = strength_of(one, self.moment, self.engine.policy)
                    asked_for = [name for name in NAMES if name in query.split()]
                    absent = bool(asked_for) and not any(name in one.text for name in asked_for)
                    odds = math.exp(FIT.intercept + FIT.relevance * relevance + FIT.absent * absent)
                    odds *= (0.6 + 0.4 * strength) * (1 + recency)
                    scores[one.id] = odds / (1 + odds)
        return scores


def assert_best(found_: list[Recollection], scores: dict[str, float], limit: int) -> None:
    expected = sorted(scores.values(), reverse=True)[:limit]
    assert [one.score for one in found_] == pytest.approx(expected, abs=1e-5)
    assert [one.score for one in found_] == sorted((one.score for one in found_), reverse=True)
    assert len({one.memory.id for one in found_}) == len(found_)
    for one in found_:
        assert one.score == pytest.approx(scores[one.memory.id], abs=1e-5)


@pytest.mark.every_layout
@pytest.mark.parametrize("seed", range(3))
def test_recall_gives_exactly_the_best_of_everything_there_is(open_engine: OpenEngine, seed: int) -> None:
    engine = open_engine("me", agent="scout", embedder=EMBEDDER)
    for owner in ("me", "somebody else"):
        several = corpus(seed, owner, 400)
        with engine.store.write(View(owner, every_agent=True)) as tx:
            add(tx, *several)
    chance = random.Random(seed)
    queries = [" ".join(chance.choices(WORDS, k=k)) for k in (1, 2, 4, 9)] + ["apple nowhere", several[7].text]
    queries += ["what red train did Ada take", "six boats of Bo and Ada"]
    for include, where in (
        ((), {}),
        ((Status.DETACHED, Status.ARCHIVED, Status.SUPERSEDED), {}),
        ((Status.DETACHED,), {"scope": several[0].scope, "categories": ("fact", "failure")}),
    ):
        hand = Hand(engine, where)
        for query in queries:
            scores = hand.ranked(query, include)
            for limit in LIMITS if not any(name in query for name in NAMES) else LIMITS_NAMED:
                answer = engine.recall(query, limit=limit, min_score=0, include=include, reinforce=False, **where)
                assert_best(answer, scores, limit)


@pytest.mark.parametrize("curve", ["half_life", "linear", "relevance", "stretched", "power"])
def test_recall_is_exact_under_every_curve(open_engine: OpenEngine, tmp_path: Path, curve: str) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text(f'[curve]\nname = "{curve}"\n[ladder]\nsummarize = 0.6\ndetach = 0.5\narchive = 0.4\n')
    engine = open_engine("me", embedder=EMBEDDER, policy=policy)
    with engine.store.write(View("me", every_agent=True)) as tx:
        add(tx, *corpus(11, "me", 150))
    hand = Hand(engine, {})
    for query in ("red apple", "north train six"):
        scores = hand.ranked(query, ())
        for limit in LIMITS:
            assert_best(engine.recall(query, limit=limit, min_score=0, reinforce=False), scores, limit)


def test_a_faded_memory_loses_its_place_to_one_outside_the_nearest(open_engine: OpenEngine) -> None:
    """Sixty faded memories are nearer than the fresh one, more than are read at first."""
    engine = open_engine(embedder=EMBEDDER)
    then = {"created_day": TODAY - 99, "used_day": TODAY - 99, "last_accessed_at": NOW - timedelta(days=99)}
    faded = [memory(f"red apple pie {n}", owner="default", importance=0.2, **then) for n in range(120)]
    fresh = memory("red apple pie, pie, warm", owner="default", importance=1.0)
    with engine.store.write(View("default")) as tx:
        add(tx, *faded, fresh)
    best = engine.recall("red apple pie", limit=1, reinforce=False)
    assert [one.memory.id for one in best] == [fresh.id]
    assert any(one.relevance > best[0].relevance for one in engine.recall("red apple pie", limit=50, reinforce=False))


class Pointing(HalfEmbedder):
    """Every question points the same way."""

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        return np.tile(at_cosine(1.0, 1), (len(texts), 1)) if query else super().embed(texts)


def at_cosine(cosine: float, direction: int) -> Vector:
    """A vector of length one, so near to where every question points."""
    vector = np.zeros(16, dtype=np.float32)
    vector[0], vector[direction] = cosine, np.sqrt(1 - cosine**2)
    return vector


@pytest.mark.parametrize("words", ["nobody wrote these", "nobody wrote these but stray"])
def test_nearness_alone_is_followed_as_far_as_it_can_matter(open_engine: OpenEngine, words: str) -> None:
    """Three hundred faded memories are nearer than the fresh one, and a few hold a word and are far away."""
    engine = open_engine(embedder=Pointing(dimensions=16))
    faded = [
        memory(f"faded {n}", owner="default", importance=0.2, created_day=TODAY - 99, used_day=TODAY - 99,
               last_accessed_at=NOW - timedelta(days=99))
        for n in range(300)
    ]  # fmt: skip
    far = [memory(f"stray {n}", owner="default") for n in range(10)]
    fresh = memory("at last", owner="default", importance=1.0)
    vectors = {one.id: at_cosine(0.9 - n / 10_000, 1 + n % 15) for n, one in enumerate(faded)}
    vectors |= {one.id: at_cosine(0.0, 1 + n) for n, one in enumerate(far)} | {fresh.id: at_cosine(0.8, 3)}
    with engine.store.write(View("default")) as tx:
        tx.memories.add([*faded, *far, fresh], vectors)
    best = engine.recall(words, limit=1, reinforce=False)
    assert [one.memory.id for one in best] == [fresh.id]
    assert sum(r.relevance > best[0].relevance for r in engine.recall(words, limit=400, reinforce=False)) == 300


def test_what_is_pinned_ranks_at_full_strength(engine: Engine) -> None:
    old = engine.remember("the red apple", created_at="2020-01-01").memories[0]
    before = engine.recall("red apple", reinforce=False)[0]
    engine.pin(old.id)
    after = engine.recall("red apple", reinforce=False)[0]
    assert before.strength < 0.9
    assert after.strength == 1
    assert after.score > before.score


def test_parts_and_score_add_up(engine: Engine) -> None:
    engine.remember("the red apple fell", created_at="2025-12-20")
    engine.remember_many({"text": text, "session": "s"} for text in ("a green apple", "Ada: what tree?", "Ada: a pear"))
    rules = engine.policy.recall
    found_ = engine.recall("which red apple did Ada see in December 2025?", reinforce=False)
    assert all(any(one.parts[part] not in (0.0, 1.0) for one in found_) for part in found_[0].parts)
    for one in found_:
        parts = one.parts
        words = min(1.0, parts["lexical"] + parts["neighbours"])
        fit = rules.lexical_weight * words + rules.semantic_weight * parts["semantic"]
        relevance = min(1.0, fit * parts["named"] * parts["dated"]) * parts["asking"]
        assert one.relevance == pytest.approx(relevance)
        odds = parts["probability"] / (1 - parts["probability"])
        odds *= (1 - rules.strength_share + rules.strength_share * one.strength) * (1 + parts["recency"])
        assert one.score == pytest.approx(odds / (1 + odds))


def test_scores_below_the_least_wanted_are_left_out(engine: Engine) -> None:
    engine.remember("red apple")
    engine.remember("red boat in the north with five people on the way to the east")
    everything = engine.recall("red apple", reinforce=False)
    assert len(everything) == 2
    least = everything[0].score
    assert [one.score for one in engine.recall("red apple", min_score=least, reinforce=False)] == [least]
    assert engine.recall("red apple", min_score=least + 0.01, reinforce=False) == []


def test_without_an_embedder_words_alone_find_and_the_answer_says_so(open_engine: OpenEngine) -> None:
    open_engine().remember("the red apple")
    bare = open_engine(embedder=None)
    bare.remember("the green apple")
    answer = bare.recall("apple")
    assert {one.memory.text for one in answer} == {"the red apple", "the green apple"}
    assert any("embedder" in note for note in answer.notes)
    assert all(one.parts["semantic"] == 0 for one in answer)
    mixed = open_engine().recall("apple")
    assert any("reembed" in note for note in mixed.notes), "one of the two has no vector of this model"
    bare.purge(everything=True)
    assert bare.recall("apple").notes != open_engine().recall("apple").notes == ()


def test_memories_of_another_model_are_still_found_by_their_words(open_engine: OpenEngine) -> None:
    open_engine().remember("the red apple")
    other = open_engine(embedder=EMBEDDER)
    assert [one.memory.text for one in other.recall("apple")] == ["the red apple"]


def test_the_same_question_gives_the_same_answer_twice(engine: Engine) -> None:
    with engine.store.write(View("default", every_agent=True)) as tx:
        add(tx, *(one.with_(fingerprint=None) for one in corpus(3, "default", 200)))
    answers = [[(one.memory.id, one.score) for one in engine.recall("red car", reinforce=False)] for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]


# Neighbours, names and times


def told(engine: Engine, session: str | None, *several: str, **given: Any) -> list[Memory]:
    return engine.remember_many({"text": text, "session": session, **given} for text in several).memories


TALK = ("Which animal did you adopt?", "Speedy, who is slow", "Nice!", "The weather is fine")


def test_an_answer_is_found_by_the_words_of_what_it_answers(open_engine: OpenEngine) -> None:
    judge = FakeJudge(readings={TALK[0]: TextReading("chatter", "hours", 0, 0.0)})
    engine = open_engine(embedder=None, judge=judge)
    question_, answer, *_ = told(engine, "s", *TALK)
    best, second, *_ = engine.recall("which animal was adopted", min_score=0, reinforce=False)
    assert (best.memory.id, second.memory.id) == (answer.id, question_.id), "an answer is not in the question"
    assert best.parts["lexical"] == 0
    assert best.parts["neighbours"] > 0
    told(engine, None, *(f"{text} again" for text in TALK))
    alone = engine.recall("which animal was adopted again", min_score=0, reinforce=False)
    assert all(one.parts["neighbours"] == 0 for one in alone if one.memory.text.endswith("again"))


def test_sessions_that_take_turns_are_kept_apart(open_engine: OpenEngine) -> None:
    """One owner, two agents: what one was told answers nothing that the other was asked."""
    engine = open_engine("me", agent="one", embedder=None)
    other = engine.for_owner("me", agent="two")
    for text, reply in zip(TALK, ("apples", "pears", "plums", "figs"), strict=True):
        told(engine, "s", text)
        told(other, "s", reply)
        told(engine.for_owner("somebody else"), "s", "something in between")
    texts = {one.memory.text for one in engine.recall("which animal was adopted", reinforce=False)}
    assert texts == set(TALK[:3])


def test_a_neighbour_whom_the_caller_may_not_see_changes_nothing(open_engine: OpenEngine) -> None:
    engine = open_engine("me", agent="one", embedder=None)
    [hidden] = told(engine, "s", TALK[0], visibility="private")
    [seen] = told(engine, "s", TALK[1])
    assert {one.memory.id for one in engine.recall("animal", reinforce=False)} == {hidden.id, seen.id}
    assert engine.for_owner("me", agent="two").recall("animal", reinforce=False) == []
    assert engine.recall("animal", scope="/elsewhere", reinforce=False) == []
    engine.forget(ids=hidden.id)
    assert engine.recall("animal", reinforce=False) == []


def test_whoever_comes_back_stands_where_it_stood(open_engine: OpenEngine) -> None:
    engine = open_engine(embedder=None)
    asked, *_ = told(engine, "s", *TALK)
    before = [(one.memory.id, one.parts) for one in engine.recall("animal", reinforce=False)]
    batch = engine.forget(ids=asked.id)
    assert engine.recall("animal", reinforce=False) == []
    engine.restore(batch=batch.id)
    assert [(one.memory.id, one.parts) for one in engine.recall("animal", reinforce=False)] == before


def test_what_the_named_one_said_comes_before_what_was_said_to_her(open_engine: OpenEngine) -> None:
    engine = open_engine(embedder=None)
    to, by = told(engine, None, "Bo: Ada, do visit the lighthouse", "Ada: do visit the old lighthouse, Bo")
    assert [one.memory.id for one in engine.recall("Which lighthouse does Ada like?", reinforce=False)] == [
        by.id,
        to.id,
    ]
    assert [one.memory.id for one in engine.recall("Which lighthouse does Bo like?", reinforce=False)] == [to.id, by.id]


@pytest.mark.parametrize("when", ["last spring", "in May 2025"])
def test_what_was_told_in_a_time_comes_first_when_the_question_names_it(open_engine: OpenEngine, when: str) -> None:
    engine = open_engine(embedder=None)
    [spring] = told(engine, None, "We sailed around the cape in the end", created_at="2025-05-07")
    [lately] = told(engine, None, "We sailed around the cape", created_at="2025-12-30")
    told(engine, None, *(f"Nothing happened on day number {number}" for number in range(30)))
    assert engine.recall("where did we sail?", reinforce=False)[0].memory.id == lately.id
    assert engine.recall(f"where did we sail {when}?", reinforce=False)[0].memory.id == spring.id


# A reranker


class Reading:
    """A reranker that likes long texts."""

    name = "long-1"

    def __init__(self) -> None:
        self.read: list[str] = []

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        self.read += texts
        return [float(len(text)) for text in texts]


def test_a_reranker_reads_the_best_few_again_and_counts_half(open_engine: OpenEngine) -> None:
    engine = open_engine(embedder=None)
    told(engine, None, *(f"red apple number {number}" for number in range(30)))
    told(engine, None, "a red apple on a very long branch of an old tree that nobody has cut for years")
    plain = engine.recall("red apple", limit=3, reinforce=False)
    engine.models.reranker = Reading()
    again = engine.recall("red apple branch", limit=3, reinforce=False)
    assert len(plain) == len(again) == 3
    assert again[0].memory.text.startswith("a red apple on")
    assert again[0].parts["reranked"] == 1.0
    assert len(engine.models.reranker.read) == engine.policy.recall.reranked_max
    assert [one.score for one in again] == sorted((one.score for one in again), reverse=True)
