"""The measure beside other memories: its line protocol, with a memory made up for it, and the ratios it prints."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from bench.corpus import Corpus
from bench.peer_lines import Opened, Vectors, serve
from bench.peers_environment import REQUIREMENTS, NotInstalled, requirements
from bench.peers_report import compared, remarks, verdicts
from bench.peers_run import WIDTH, Contest, Peer, PeerEnded, Rounds, Timed, statements, turned, wide

# A memory in a process of its own that answers as asked; `add` and `version` are what a test wants them to be.
FAKE = """
import json, sys
held = 0
for line in sys.stdin:
    asked = json.loads(line)
    told = {}
    if asked["do"] == "open":
        told = {"version": "1", "notes": ["made up"]}
    elif asked["do"] == "load":
        held = len(json.load(open(asked["texts"], encoding="utf-8")))
        told = {"count": held + int(sys.argv[2])}
    elif asked["do"] == "add":
        if sys.argv[1] == "refuses":
            sys.exit("it is full")
        told = {"seconds": 0.004}
    elif asked["do"] == "recall":
        told = {"seconds": 0.002, "texts": [asked["text"]] * asked["limit"]}
    print(json.dumps(told), flush=True)
"""


class Noted:
    """A memory that holds what it is told in a list."""

    def __init__(self) -> None:
        self.given: dict[str, Vectors] = {}
        self.held: list[str] = []
        self.closed = False

    def open(self, folder: Path, owner: str, dimensions: int) -> Opened:
        return Opened(f"{folder.name} {owner} {dimensions}", ["a note"])

    def load(self, texts: Sequence[str], vectors: Vectors) -> int:
        assert len(texts) == len(vectors)
        self.held += texts
        return len(self.held)

    def add(self, text: str) -> None:
        assert self.given[text].tolist() == [1.0, 0.0]
        self.held.append(text)

    def recall(self, question: str, limit: int) -> list[str]:
        assert question in self.given
        return self.held[-limit:]

    def close(self) -> None:
        self.closed = True


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus(1_000)


@pytest.fixture
def fake(tmp_path: Path) -> Path:
    script = tmp_path / "fake.py"
    script.write_text(FAKE, "utf-8")
    return script


def peer(name: str, script: Path, behaviour: str = "keeps", surplus: int = 0) -> Peer:
    return Peer(name, [sys.executable, str(script), behaviour, str(surplus)], script.parent / name)


def timed(name: str, recall_ms: float, add_ms: float) -> Timed:
    return Timed(name, "1", seconds={"recall": [recall_ms / 1000] * 3, "add": [add_ms / 1000] * 3}, returned=[10, 5])


def silent(what: str, done: int, total: int) -> None:
    """Nobody watches."""


def contest(peers: Sequence[Peer], corpus: Corpus, folder: Path) -> Iterator[Timed]:
    yield from Contest(peers, corpus, Rounds(rounds=2, calls=3), folder, silent).run()


def test_a_memory_answers_each_line_with_a_line_until_it_is_closed(tmp_path: Path) -> None:
    """Vectors arrive before the text they belong to, and nothing after `close` is read."""
    (tmp_path / "texts.json").write_text('["Tea.", "Milk."]', "utf-8")
    np.save(tmp_path / "vectors.npy", np.eye(2, dtype=np.float32))
    requests = [
        {"do": "open", "folder": str(tmp_path / "here"), "owner": "ann", "dimensions": 2},
        {"do": "load", "texts": str(tmp_path / "texts.json"), "vectors": str(tmp_path / "vectors.npy")},
        {"do": "add", "text": "Bread.", "vector": [1, 0]},
        {"do": "recall", "text": "What to buy?", "vector": [0, 1], "limit": 2},
        {"do": "close"},
        {"do": "add", "text": "Too late.", "vector": [1, 0]},
    ]
    subject, answers = Noted(), io.StringIO()
    serve(subject, [json.dumps(request) for request in requests], answers)
    opened, loaded, added, recalled, closed = map(json.loads, answers.getvalue().splitlines())
    assert opened == {"version": "here ann 2", "notes": ["a note"]}
    assert loaded == {"count": 2}
    assert list(added) == ["seconds"]
    assert recalled["texts"] == ["Milk.", "Bread."]
    assert closed == {}
    assert subject.closed
    assert "Too late." not in subject.held


def test_a_request_nobody_knows_is_an_error() -> None:
    """A misspelt request is not answered with silence."""
    with pytest.raises(ValueError, match="forgive"):
        serve(Noted(), ['{"do": "forgive"}'], io.StringIO())


def test_every_memory_is_asked_and_told_the_same_number_of_times(fake: Path, corpus: Corpus, tmp_path: Path) -> None:
    """Rounds times calls for each operation; the warming questions do not count."""
    with peer("ebbing", fake) as ours, peer("mem0", fake) as theirs:
        found = list(contest([ours, theirs], corpus, tmp_path))
    for one in found:
        assert (one.version, one.notes, one.ended) == ("1", ["made up"], "")
        assert one.seconds == {"recall": [0.002] * 6, "add": [0.004] * 6}
        assert one.returned == [10] * 6


def test_a_memory_that_ends_is_left_out_with_its_reason_and_the_others_go_on(
    fake: Path, corpus: Corpus, tmp_path: Path
) -> None:
    """The last line it said on stderr is the reason."""
    with peer("ebbing", fake) as ours, peer("mem0", fake, "refuses") as theirs:
        whole, broken = contest([ours, theirs], corpus, tmp_path)
    assert broken.ended == "while asked to add: it is full"
    assert len(whole.seconds["add"]) == 6
    assert compared(1_000, [whole, broken]) == []
    assert "mem0 1 was not measured to the end: while asked to add: it is full" in list(remarks([whole, broken]))


def test_a_memory_that_holds_other_than_it_was_given_is_not_measured(
    fake: Path, corpus: Corpus, tmp_path: Path
) -> None:
    """A smaller store would be a faster one."""
    with peer("ebbing", fake) as ours, peer("mem0", fake, surplus=-1) as theirs:
        _, short = contest([ours, theirs], corpus, tmp_path)
    assert short.ended == "1000 texts were to be loaded, and it holds 999"
    assert short.seconds == {"recall": [], "add": []}


def test_a_process_that_cannot_start_its_work_says_why(tmp_path: Path) -> None:
    """An import that fails is told as Python tells it."""
    script = tmp_path / "broken.py"
    script.write_text("import nowhere_to_be_found", "utf-8")
    with peer("mem0", script) as broken, pytest.raises(PeerEnded, match="nowhere_to_be_found"):
        broken.ask("open")


def test_each_round_begins_with_another_memory(fake: Path) -> None:
    """Whoever goes first finds another machine than whoever goes last."""
    with peer("ebbing", fake) as one, peer("mem0", fake) as two:
        assert list(turned([one, two], 0)) == [one, two]
        assert list(turned([one, two], 1)) == [two, one]
        assert list(turned([], 1)) == []


def test_widened_vectors_keep_their_cosines(corpus: Corpus) -> None:
    """All memories get the same vectors, as wide as one of them insists on."""
    narrow = corpus.embed(corpus.texts["big"][:5])
    assert wide(narrow).shape == (5, WIDTH)
    assert np.allclose(wide(narrow) @ wide(narrow).T, narrow @ narrow.T)


def test_new_texts_do_not_look_like_questions(corpus: Corpus) -> None:
    """A memory that refuses questions is not tripped up by made-up words."""
    texts = statements(corpus, 400)
    assert len(texts) == 400
    assert {text.split()[0] for text in texts}.isdisjoint({"What", "Who", "When"})


def test_faster_is_their_time_over_ours_and_targets_are_for_recall_at_ten_thousand() -> None:
    """100 times for YourMemory, 20 for mem0, and none for add or for a smaller store."""
    several = [timed("ebbing", 2, 1), timed("mem0", 30, 4), timed("yourmemory", 300, 500)]
    large = {(one.operation, one.peer): one for one in compared(10_000, several)}
    assert large["recall", "mem0"].faster == pytest.approx(15)
    assert large["recall", "mem0"].met is False
    assert large["recall", "yourmemory"].faster == pytest.approx(150)
    assert large["recall", "yourmemory"].met is True
    assert large["add", "yourmemory"].faster == pytest.approx(500)
    assert large["add", "yourmemory"].met is None
    assert {one.met for one in compared(1_000, several)} == {None}


def test_each_target_is_told_as_met_missed_or_not_measured() -> None:
    """A peer that is missing hides no target."""
    told = list(verdicts(compared(10_000, [timed("ebbing", 2, 1), timed("mem0", 30, 4)])))
    assert told == [
        "not measured: recall at 10,000, 100× faster than YourMemory",
        "missed: recall at 10,000, 20× faster than mem0 (15×)",
    ]


def test_remarks_tell_how_much_was_returned() -> None:
    """An answer that is quick because it is empty would show."""
    assert list(remarks([timed("ebbing", 2, 1)])) == ["Ebbing 1: returned 7.5 a recall"]


def test_each_peer_has_its_packages_pinned() -> None:
    """Every line is one version of one package, and a peer without any is an error."""
    text = REQUIREMENTS.read_text("utf-8")
    assert requirements("mem0", text)[0].startswith("mem0ai==")
    assert requirements("yourmemory", text)[0].startswith("yourmemory==")
    for name in ("mem0", "yourmemory"):
        assert all(line.count("==") == 1 and " " not in line for line in requirements(name, text))
    with pytest.raises(NotInstalled, match="nobody"):
        requirements("nobody", text)
