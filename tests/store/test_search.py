"""Finding by words, by nearness and by both; and questions that try to be something else than questions."""

from __future__ import annotations

import dataclasses
import string
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ebbing.domain.clock import micros
from ebbing.domain.memory import Status
from ebbing.engine import Engine
from ebbing.ports import Store, View
from ebbing.store.sqlite.store import SqliteStore
from tests.conftest import OpenEngine
from tests.properties import examples
from tests.store.making import EMBEDDER, MINE, NOW, TODAY, add, found, memory, question, vectors_of


def texts(engine: Engine, query: str, **given: Any) -> list[str]:
    return [one.memory.text for one in engine.recall(query, **given)]


def test_words_find_what_holds_them_in_any_form(store: Store) -> None:
    there = {
        text: memory(text)
        for text in ("Cats running home", "die Straße nach Köln", "parseHttpRequest fails", "costs $2,400 a month",
                     "version 1.2.3", "東京都に住む", "snake_case_name", "Ünïcode")
    }  # fmt: skip
    with store.write(MINE) as tx:
        add(tx, *there.values(), memory("nothing of the kind"))
    asked = {
        "cat": "Cats running home", "RUN": "Cats running home",
        "strasse": "die Straße nach Köln", "koln": "die Straße nach Köln",
        "http": "parseHttpRequest fails", "parsehttprequest": "parseHttpRequest fails", "2400": "costs $2,400 a month",
        "1.2.3": "version 1.2.3", "東京": "東京都に住む", "snake": "snake_case_name", "unicode": "Ünïcode",
    }  # fmt: skip
    with store.read(MINE) as tx:
        for words, text in asked.items():
            assert set(found(tx, question(words))) == {there[text].id}, words


def test_a_rarer_word_and_a_shorter_memory_score_higher_and_all_words_in_short_score_one(store: Store) -> None:
    rare, common = memory("zebra crossing here today"), memory("lunch crossing here today")
    more = [memory(f"lunch number {index}") for index in range(10)]
    short, long = memory("unicorn"), memory("unicorn " + " ".join(string.ascii_lowercase))
    with store.write(MINE) as tx:
        add(tx, rare, common, *more, short, long)
    with store.read(MINE) as tx:
        scores = {id_: lexical for id_, (lexical, _) in found(tx, question("zebra lunch")).items()}
        assert scores[rare.id] > scores[common.id] > 0
        scores = {id_: lexical for id_, (lexical, _) in found(tx, question("unicorn")).items()}
        assert 1 >= scores[short.id] > scores[long.id] > 0


def test_rare_words_find_and_score_the_same_whether_an_owner_has_much_or_little(store: Store) -> None:
    """Choosing among the words lets no other owner's rows in, and changes no score."""
    others = View("somebody else")
    with store.write(others) as tx:
        add(tx, memory("zebra crossing elsewhere", owner="somebody else"))
    mine = [memory("zebra crossing"), memory("zebra and lion"), memory("lion asleep", status=Status.DETACHED)]
    with store.write(MINE) as tx:
        add(tx, *mine, *(memory(f"filling number {index}") for index in range(60)))
    asked = question("zebra lion crossing unicorn", statuses=(Status.ACTIVE,))
    with store.read(MINE) as tx:
        little, much = (found(tx, dataclasses.replace(asked, matches_max=most)) for most in (4000, 10))
    assert much == {id_: pytest.approx(scores) for id_, scores in little.items()}
    assert set(much) == {mine[0].id, mine[1].id}


def test_no_list_of_the_index_of_words_holds_rows_of_two_owners_or_statuses(sqlite_address: str) -> None:
    """So what looking a word up reads is the owner's own rows, whatever others wrote."""
    store = SqliteStore(sqlite_address)
    for view in (MINE, View("somebody else"), View("a third")):
        with store.write(view) as tx:
            add(tx, *(memory(f"zebra crossing {number}", owner=view.owner) for number in range(5)))
            add(tx, *(memory("zebra asleep", owner=view.owner, status=status) for status in Status))
    with store.connection() as connection:
        for words, rows in (("words", "memories"), ("archive_words", "archive")):
            connection.execute(f"CREATE VIRTUAL TABLE temp.{rows}_lists USING fts5vocab (main, {words}, instance)")
            owners = connection.execute(
                f"SELECT count(DISTINCT owner || status) FROM {rows}_lists JOIN {rows} ON key = doc GROUP BY term"
            ).fetchall()
            assert set(owners) == {(1,)}
    store.close()


def test_a_word_of_which_nothing_is_left_finds_only_what_has_it(store: Store) -> None:
    """A small waw by itself is a letter and a mark that people leave out: its word is empty."""
    waw, other = memory("zebra \u06e5"), memory("zebra")
    assert question("\u06e5").terms == ("",)
    with store.write(MINE) as tx:
        add(tx, waw, other)
    with store.read(MINE) as tx:
        assert set(found(tx, question("\u06e5"))) == {waw.id}


def test_words_nobody_wrote_lower_the_score_of_those_somebody_did(store: Store) -> None:
    one = memory("zebra")
    with store.write(MINE) as tx:
        add(tx, one, memory("lunch"))
    with store.read(MINE) as tx:
        whole = found(tx, question("zebra"))[one.id][0]
        part = found(tx, question("zebra xylophone quasar"))[one.id][0]
    assert 0 < part < whole <= 1


def test_the_nearest_come_first_and_never_below_zero(store: Store) -> None:
    several = [memory(f"alpha beta gamma {word}") for word in "one two three four five six".split()]
    opposite = memory("opposite")
    vectors = vectors_of(several) | {opposite.id: -EMBEDDER.embed(["alpha beta delta"])[0]}
    with store.write(MINE) as tx:
        tx.memories.add([*several, opposite], vectors)
    with store.read(MINE) as tx:
        search = tx.index.search(question(near="alpha beta gamma two"))
        nearest = search.semantic(100)
        ids = dict(zip(*_handles(search.traces(nearest.handles)), strict=True))
        first = search.semantic(3)
    assert ids[nearest.handles.tolist()[0]] == several[1].id
    assert nearest.semantic[0] == pytest.approx(1, abs=2e-3)
    assert (np.diff(nearest.semantic) <= 0).all()
    assert nearest.semantic[-1] == 0.0
    assert not nearest.lexical.any()
    assert first.semantic.tolist() == nearest.semantic.tolist()[:3]


def _handles(traces: Any) -> tuple[list[Any], list[str]]:
    return traces.handles.tolist(), traces.ids


def test_fewer_nearest_come_only_when_there_are_no_more(store: Store) -> None:
    several = [memory("same words", scope="/in" if index % 5 == 0 else "/out") for index in range(100)]
    with store.write(MINE) as tx:
        add(tx, *several)
    with store.read(MINE) as tx:
        for wanted, expected in ((1, 1), (99, 99), (100, 100), (200, 100)):
            assert len(tx.index.search(question(near="same words")).semantic(wanted).handles) == expected
        inside = tx.index.search(question(near="same words", scope=several[0].scope))
        read = [len(inside.traces(inside.semantic(wanted).handles).ids) for wanted in (5, 20, 1000)]
    assert read[1:] == [20, 20]
    assert read[0] == 5


def test_lexical_results_carry_their_similarity_and_zero_without_a_vector_of_that_model(store: Store) -> None:
    near, bare = memory("quick brown fox"), memory("quick brown dog", fingerprint=None)
    foreign = memory("quick brown cow", fingerprint="another model")
    with store.write(MINE) as tx:
        tx.memories.add(
            [near, bare, foreign], {**vectors_of([near]), foreign.id: np.ones(8, dtype=np.float32) / np.sqrt(8)}
        )
    with store.read(MINE) as tx:
        result = found(tx, question("quick brown", near="quick brown fox"))
        assert set(result) == {near.id, bare.id, foreign.id}
        assert result[near.id][1] == pytest.approx(1, abs=2e-3)
        assert result[bare.id][1] == result[foreign.id][1] == 0
        assert set(found(tx, question(near="quick brown fox"))) == {near.id}


@pytest.mark.parametrize("narrow", [{}, {"categories": ("fact",)}])
def test_each_side_is_searched_alone_and_statuses_are_kept_apart(store: Store, narrow: dict[str, Any]) -> None:
    several = {status: memory("where is the key", status=status) for status in Status}
    with store.write(MINE) as tx:
        add(tx, *several.values())
    with store.read(MINE) as tx:
        for status, one in several.items():
            for asked in (
                question("key", statuses=(status,), archived=not status.live, **narrow),
                question(near="where is the key", statuses=(status,), archived=not status.live, **narrow),
            ):
                assert set(found(tx, asked)) == {one.id}
            assert found(tx, question("key", near="key", statuses=(status,), archived=status.live, **narrow)) == {}
        both = question("key", near="key", statuses=(Status.ACTIVE, Status.DETACHED), **narrow)
        assert set(found(tx, both)) == {several[Status.ACTIVE].id, several[Status.DETACHED].id}


def test_traces_tell_what_stands_in_the_row(store: Store) -> None:
    one = memory("quick brown", importance=0.7, trust=0.3, recall_count=4, level=0.5, pinned=True, category="gotcha")
    with store.write(MINE) as tx:
        add(tx, one)
    with store.read(MINE) as tx:
        search = tx.index.search(question("quick"))
        traces = search.traces(search.lexical().handles)
    assert [list(column) for column in (traces.ids, traces.categories, traces.tiers, traces.scopes)] == [
        *([one.id], ["gotcha"], [one.tier], ["/"])
    ]
    assert traces.created_at.tolist() == [micros(one.created_at)]
    assert traces.last_accessed_at.tolist() == [micros(one.last_accessed_at)]
    numbers = [traces.pinned, traces.importance, traces.recalls, traces.level]
    assert [column.tolist() for column in numbers] == [[True], [0.7], [4], [0.5]]
    assert [traces.created_day.tolist(), traces.used_day.tolist()] == [[TODAY], [TODAY]]


def test_a_word_asked_for_before_anyone_wrote_it_is_found_once_it_is_written(open_engine: OpenEngine) -> None:
    engine = open_engine(embedder=None)
    engine.remember_many(f"filler number {index}" for index in range(60))
    assert texts(engine, "zebra") == []
    engine.remember("A zebra crossed the road")
    assert texts(engine, "zebra") == ["A zebra crossed the road"]


def test_what_was_asked_before_does_not_show_in_later_answers(open_engine: OpenEngine) -> None:
    neighbour, old = open_engine("neighbour", embedder=None), open_engine("me", embedder=None)
    neighbour.remember_many(f"their filler {index}" for index in range(400))
    assert texts(old, "my cat") == []
    old.remember("my first note is about a dog")
    assert texts(old, "my cat") == []
    old.remember_many([f"note {index} about something" for index in range(15)] + ["a cat sat there", "the cat and dog"])
    fresh = open_engine("me", embedder=None)
    for query in ("cat dog", "first note", "note about a cat and a unicorn"):
        one = [(r.memory.id, r.relevance) for r in old.recall(query, reinforce=False, limit=50)]
        other = [(r.memory.id, r.relevance) for r in fresh.recall(query, reinforce=False, limit=50)]
        assert [id_ for id_, _ in one] == [id_ for id_, _ in other]
        assert [score for _, score in one] == pytest.approx([score for _, score in other], rel=0.05)


def test_another_process_is_seen_at_once(open_engine: OpenEngine) -> None:
    one, other = open_engine(), open_engine()
    one.remember("The first station is Aachen")
    assert texts(other, "station") == ["The first station is Aachen"]
    added = one.remember("The second station is Berlin").memories[0]
    assert set(texts(other, "station")) == {"The first station is Aachen", "The second station is Berlin"}
    one.forget(ids=added.id)
    assert texts(other, "second station Berlin") == ["The first station is Aachen"]
    one.restore(added.id)
    assert texts(other, "second station Berlin")[0] == "The second station is Berlin"
    one.purge(ids=added.id)
    assert texts(other, "second station Berlin") == ["The first station is Aachen"]


NASTY = [
    "", " ", "\x00", "a\x00b", "'", '"', "''", '""', "\\", "%", "_", "*", "cat*", "^cat", "-cat", "+cat", "cat:",
    "body:cat", "own : x", "cat AND", "AND OR NOT", "NEAR(cat dog, 5)", "(cat", "cat)", "cat | dog", "cat & !dog",
    "<->", "cat <-> dog", ":*", "!", "'; DROP TABLE memories; --", "' OR '1'='1", "\"; DELETE FROM words; --", "$$",
    "$1", "%s", "%(owner)s", ":owner", "{}", "/*filter*/", "\N{GRINNING FACE}", "\N{GRINNING FACE}cat",
    "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}", "東京", "猫が好き", "ไทย", "قطة", "cat\N{RIGHT-TO-LEFT OVERRIDE}",
    "\ufeffcat", "\ud800", "cat\ud83d", "ﬁﬂ", "ǅ", "İ", "ß", "a" * 5000, "cat " * 3000, "\n\t\r", "𝔠𝔞𝔱", "٣", "1e309",
    "NULL", "ＣＡＴ",
]  # fmt: skip


@pytest.mark.parametrize("embedder", [EMBEDDER, None], ids=["both", "words"])
def test_no_question_ever_breaks_the_search(open_engine: OpenEngine, embedder: Any) -> None:
    engine = open_engine(embedder=embedder)
    engine.remember("The cat sat on the mat")
    engine.forget(ids=engine.remember("The archived cat").memories[0].id)
    for query in NASTY:
        result = engine.recall(query, include=["archived", "detached", "superseded"], reinforce=False)
        assert {one.memory.text for one in result} <= {"The cat sat on the mat"}, query
        # Where the word itself stands in the question, it is found whatever surrounds it.
        if query in (
            "cat*",
            "^cat",
            "-cat",
            "cat:",
            "body:cat",
            "(cat",
            "cat)",
            "cat AND",
            "cat | dog",
            "\ufeffcat",
            "ＣＡＴ",
        ):
            assert len(result) == 1, query
    assert engine.get(engine.list()[0].id).text == "The cat sat on the mat"


@examples(60)
@given(st.text(max_size=40))
@example("a\x00b")
def test_whatever_may_be_remembered_can_be_asked_for(engine: Engine, text: str) -> None:
    one = engine.for_owner(f"owner {text.encode('utf-8', 'replace').hex()}")
    said = f"zebra {text.replace(chr(0), '')} crossing".encode("utf-8", "ignore").decode()
    stored = one.remember(said).memories
    for query in (said, text, f'"{text}"'):
        result = one.recall(query, reinforce=False)
        assert len(result) <= 1
    if stored:
        assert [r.memory.text for r in one.recall("zebra crossing", reinforce=False)] == [stored[0].text]


NASTY_NAMES = [
    "o'brien",
    'quo"te',
    "per%cent",
    "under_score",
    "back\\slash",
    "; DROP TABLE owners; --",
    "日本",
    "a b",
    "é",
    "é",
]


def test_names_of_owners_agents_scopes_and_tags_are_only_names(open_engine: OpenEngine) -> None:
    for name in NASTY_NAMES:
        engine = open_engine(name, agent=name)
        engine.remember(
            f"said by {name}", scope=f"/{name}", tags=[name], subject=name, attribute=name, visibility="private",
            session=name, metadata={name: name},
        )  # fmt: skip
    for name in NASTY_NAMES:
        engine = open_engine(name, agent=name)
        assert [one.text for one in engine.list(scope=f"/{name}", tags=[name], subject=name)] == [f"said by {name}"]
        assert texts(engine, "said", scope=f"/{name}", tags=[name], session=name) == [f"said by {name}"]
        assert engine.list()[0].metadata == {name: name}


def test_an_owner_without_anything_finds_nothing(store: Store) -> None:
    nobody = View("nobody yet")
    with store.read(nobody) as tx:
        for archived in (False, True):
            assert found(tx, question("cat", near="cat", archived=archived)) == {}
        assert tx.owner.activity.day_at(NOW) == TODAY
    assert store.owners() == []


@pytest.mark.parametrize("fingerprint", [None, "another model"])
def test_a_memory_that_says_something_else_now_is_no_longer_near_what_it_said(
    store: Store, fingerprint: str | None
) -> None:
    one = memory("The night train leaves at ten")
    with store.write(MINE) as tx:
        add(tx, one)
    asked = question("night train", near="The night train leaves at ten")
    with store.read(MINE) as tx:
        assert tx.index.search(asked).semantic(1).semantic.tolist() == pytest.approx([1.0], abs=0.01)
    changed = dataclasses.replace(one, text="A night of very many other words", fingerprint=fingerprint)
    with store.write(MINE) as tx:
        tx.memories.replace([changed], {} if fingerprint is None else vectors_of([changed]))
    with store.read(MINE) as tx:
        again = tx.index.search(asked)
        assert again.lexical().semantic.tolist() == [0.0]
        assert len(again.semantic(1).handles) == 0
