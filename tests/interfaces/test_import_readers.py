"""The readers of other programs' files, on files that those programs made; tests/fixtures/importers says which."""

from __future__ import annotations

import pickle
import shutil
import sqlite3
import zipfile
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from ebbing.domain.errors import Invalid
from ebbing.operations.importers import Contents, Record, read
from ebbing.operations.importers.pickle_values import plain_value
from ebbing.operations.importers.source_files import moment
from tests.tables import each_row

FILES = Path(__file__).parent.parent / "fixtures" / "importers"


def texts(contents: Contents) -> list[str]:
    return [one.text for one in contents.records if one.ended is None]


def one_of(contents: Contents, beginning: str) -> Record:
    return next(one for one in contents.records if one.text.startswith(beginning))


@pytest.fixture
def mem0_folder(tmp_path: Path) -> Path:
    """As mem0 leaves it: databases are not called so in the repository."""
    folder = tmp_path / "mem0"
    shutil.copytree(FILES / "mem0", folder)
    (folder / "history.sqlite").rename(folder / "history.db")
    return folder


def test_mem0_is_read_from_its_store_and_its_history(mem0_folder: Path) -> None:
    """Text, whose it is, categories, ends, and what it said before; without Qdrant, and without running its pickles."""
    contents = read(mem0_folder, "mem0")
    changed = one_of(contents, "Mara prefers very short")
    assert [version.text for version in changed.versions] == ["Mara prefers short answers"]
    assert changed.versions[0].said_at < changed.versions[0].until == changed.said_at
    lives = one_of(contents, "Mara lives in Berlin")
    assert (lives.user, lives.category, lives.importance, lives.session) == ("mara", "place", 0.8, "trip-1")
    assert lives.tags == ("agent:travel", "run:trip-1")
    assert one_of(contents, "The museum pass").expires_at == datetime(2027, 1, 1, tzinfo=UTC)
    assert one_of(contents, "The parking card").ended == "deleted"
    assert one_of(contents, "Tom").user == "tom"


def test_mem0_answers_say_the_same_as_its_store(mem0_folder: Path) -> None:
    """`get_all` of one user as JSON, and the store itself."""
    answered = {(one.id, one.text, one.said_at) for one in read(FILES / "mem0" / "get_all.json", "mem0").records}
    stored = {
        (one.id, one.text, one.said_at) for one in read(mem0_folder / "qdrant", "mem0").records if one.user == "mara"
    }
    assert answered == stored
    assert len(answered) == 5


def test_a_history_alone_gives_the_texts_and_says_what_it_lacks(mem0_folder: Path) -> None:
    """Whose a memory is stands in the vector store only."""
    contents = read(mem0_folder / "history.db", "mem0")
    assert "Mara prefers very short answers" in texts(contents)
    assert "The parking card is in the drawer" not in texts(contents)
    assert "does not say whose" in contents.notes[0]


def test_the_mcp_memory_server_is_read_in_its_order() -> None:
    """An observation says whom it is about, once; a relation is a sentence."""
    assert texts(read(FILES / "memory.jsonl", "mcp-memory")) == [
        "Mara: prefers short answers",
        "Mara: lives in Berlin",
        "Mara: moved to Munich in May",
        "Atlas project ships on Tuesdays",
        "Mara works on Atlas_project",
    ]


def test_notes_of_basic_memory_give_observations_and_relations() -> None:
    """With the note's title, its tags and those of the line; prose stays where it is, and that is said."""
    contents = read(FILES / "basic-memory", "basic-memory")
    assert texts(contents) == [
        "Mara: prefers short answers (said on Monday)",
        "Mara: lives in Munich",
        "Mara works with Tom",
        "Mara moved to Munich (2026)",
    ]
    first = contents.records[0]
    assert (first.category, first.tags, first.where) == (
        "preference",
        ("people", "vip", "style"),
        "people/Mara.md, line 15",
    )
    assert contents.notes == ("1 notes have no observations and no relations; their prose was left where it is",)


def test_memory_files_of_claude_code_are_memories_and_instructions_are_not() -> None:
    """The index is links, and CLAUDE.md tells an agent what to do."""
    contents = read(FILES / "claude-code", "claude-code")
    [record] = contents.records
    assert record.text == "Deploys happen on Tuesdays, after the smoke tests have passed."
    assert (record.scope, record.category, record.tags) == ("/project/atlas", "strategy", ("feedback",))
    assert record.said_at == datetime(2026, 11, 2, 9, 30, tzinfo=UTC)
    assert contents.notes == ("1 files of instructions (CLAUDE.md, rules) were left where they are",)


def test_an_export_of_chatgpt_gives_what_the_user_said(tmp_path: Path) -> None:
    """On the branch that the conversation ended on; what was switched off has ended. The archive says the same."""
    contents = read(FILES / "chatgpt", "chatgpt")
    assert texts(contents) == ["I am allergic to walnuts.", "We fly to Porto in spring.", "Ana works as an architect."]
    assert one_of(contents, "Ana learns").ended == "switched off"
    assert contents.records[0].session == "c-1"
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        for file in (FILES / "chatgpt").iterdir():
            archive.write(file, f"export/{file.name}")
    assert texts(read(tmp_path / "export.zip", "chatgpt")) == texts(contents)


def test_yourmemory_brings_its_uses_days_and_earlier_texts() -> None:
    """What its SQLite file knows; its JSON export says the same of what is there now."""
    contents = read(FILES / "yourmemory.sqlite", "yourmemory")
    short = one_of(contents, "Mara prefers very short")
    assert (short.uses, short.importance, short.category, short.user) == (5, 0.7, "fact", "mara")
    assert short.last_used_at == datetime(2026, 6, 20, 8, tzinfo=UTC)
    assert short.tags == ("agent:claude",)
    assert [(one.text, one.until) for one in short.versions] == [
        ("Mara prefers short answers", datetime(2026, 5, 10, 9, tzinfo=UTC))
    ]
    assert [day.isoformat() for day in contents.days["mara"]][::3] == ["2026-05-01", "2026-05-10", "2026-06-30"]
    assert one_of(contents, "The old badge").ended == "archived"
    assert one_of(contents, "The scout").private_to == "scout"
    exported = {one.id: one.text for one in read(FILES / "yourmemory.json", "yourmemory").records}
    assert exported == {one.id: one.text for one in contents.records if one.ended is None}


def test_a_langgraph_store_gives_each_item_in_its_namespace() -> None:
    """Content, LangMem's content, or all of the value; a namespace is whose its items are."""
    contents = read(FILES / "langgraph.sqlite", "langgraph")
    assert {one.text for one in contents.records if one.user == "memories.mara"} == {
        "Mara prefers short answers",
        "Mara likes green tea (at work)",
        '{"city": "Munich", "since": 2026}',
        "The visitor badge is number 7",
    }
    tea = one_of(contents, "Mara likes")
    assert (tea.id, tea.scope, tea.category) == ("memories.mara/k2", "/memories/mara", "preference")
    badge = one_of(contents, "The visitor badge")
    assert badge.expires_at is not None
    assert badge.said_at is not None
    assert 0 < (badge.expires_at - badge.said_at).total_seconds() <= 3601


def test_letta_gives_blocks_and_passages() -> None:
    """Empty blocks are none, and that passages lie elsewhere is said."""
    contents = read(FILES / "letta.af", "letta")
    assert [(one.text, one.tags) for one in contents.records] == [
        ("Name: Mara\nPrefers short answers", ("block:human",))
    ]
    assert "passages are not in an agent file" in contents.notes[0]
    passages = read(FILES / "passages.json", "letta")
    assert texts(passages) == ["Mara's flight to Porto leaves at nine"]
    assert (passages.records[0].tags, passages.records[0].metadata) == (("travel",), {"page": 3})
    assert passages.records[1].ended == "deleted"


@each_row(
    "format, name, content, told",
    [
        (
            "mcp-memory",
            "a.jsonl",
            b'{"type":"entity","name":"A","observations":[]}\n{"type"',
            "line 2: this is not JSON",
        ),
        ("mcp-memory", "b.jsonl", b'{"type":"thing"}', "line 1: its type must be entity or relation"),
        (
            "mcp-memory",
            "c.jsonl",
            b'{"type":"entity","name":"A","observations":[3]}',
            "line 1: its observation must be",
        ),
        ("mcp-memory", "d.jsonl", b"\n\xff\xfe", "line 2: this is not UTF-8"),
        (
            "mem0",
            "e.json",
            b'{"results": [{"id": "1", "memory": "x"}, {"id": "2"}]}',
            "result 2: its memory must be text",
        ),
        ("mem0", "f.json", b'{"count": 3}', "not an answer of get_all"),
        ("mem0", "g.db", b"not a database at all", "this is not a SQLite file"),
        ("mem0", "h.json", b'[{"id":"1","memory":"x","created_at":"soon"}]', "result 1: time 'soon' is not understood"),
        ("mem0", "i.json", b"[" * 200_000, "this is not JSON"),
        ("chatgpt", "j.zip", b"PK\x03\x04 broken", "not a readable ZIP"),
        ("chatgpt", "conversations.json", b'{"no": "list"}', "a list was expected"),
        ("chatgpt", "k.json", b'[{"mapping": {"a": {"parent": "a"}}}]', "entry 1: its messages go round in a circle"),
        ("yourmemory", "m.db", b"12345678DUCK4321", "this is a DuckDB file"),
        ("yourmemory", "n.json", b'{"memories": [{"id": 1}]}', "memory 1: its content must be text"),
        ("langgraph", "o.sqlite", b"no", "this is not a SQLite file"),
        ("letta", "p.json", b'[{"id": "x"}]', "passage 1: its text must be text"),
        ("basic-memory", "l.md", b"---\nmodified: never\n---\n- [fact] x", "its front matter: time 'never'"),
    ],
)
def test_what_is_no_such_file_is_refused_with_its_line(
    format: str, name: str, content: bytes, told: str, tmp_path: Path
) -> None:
    """One clear error, that names the file and the place."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(Invalid) as refused:
        read(path, format)
    assert told in str(refused.value)
    assert str(path) in str(refused.value)
    assert "nothing was imported" in str(refused.value)


def test_a_database_with_changes_beside_it_is_read_with_them(mem0_folder: Path) -> None:
    """A program that still runs has not written all of it to the file; neither file is changed."""
    path = mem0_folder / "history.db"
    other = sqlite3.connect(path)
    other.execute("PRAGMA journal_mode = WAL")
    other.execute("UPDATE history SET new_memory = 'Mara prefers silence' WHERE event = 'UPDATE'")
    other.commit()
    before = {file.name: file.read_bytes() for file in mem0_folder.glob("history.db-wal")}
    assert before
    assert "Mara prefers silence" in texts(read(path, "mem0"))
    assert {file.name: file.read_bytes() for file in mem0_folder.glob("history.db-wal")} == before
    other.close()


def test_a_view_in_the_place_of_a_table_is_not_read(tmp_path: Path) -> None:
    """It is a query of whoever made the file, and a recursive one has no last row."""
    path = tmp_path / "store.sqlite"
    file = sqlite3.connect(path)
    file.execute("CREATE VIEW store AS SELECT 'notes' AS prefix, 'a' AS key, '{}' AS value, '2026-05-01' AS updated_at")
    file.commit()
    file.close()
    with pytest.raises(Invalid, match="no table store"):
        read(path, "langgraph")


class _Opener:
    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return (open, ("ran.txt", "w"))


def test_a_pickle_is_read_and_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a program; a stranger's would do what it wants."""
    monkeypatch.chdir(tmp_path)
    value = {"text": "x", "more": [1, 2.5, None, True, ("a",), {"b": b"c"}], "again": "x"}
    assert plain_value(pickle.dumps(value)) == value
    assert plain_value(pickle.dumps([_Opener()])) == [None]
    assert plain_value(pickle.dumps(date(2026, 1, 1))) is None
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ValueError, match="more than a plain value"):
        plain_value(b"cposix\nsystem\n(S'true'\ntR.")
    with pytest.raises(ValueError):
        plain_value(pickle.dumps(value)[:-5])


@each_row(
    "given, at",
    [
        ("2026-11-16T04:00:00Z", datetime(2026, 11, 16, 4, tzinfo=UTC)),
        ("2026-11-16 04:00:00", datetime(2026, 11, 16, 4, tzinfo=UTC)),
        (1_763_265_600, datetime(2025, 11, 16, 4, tzinfo=UTC)),
        (1_763_265_600_000, datetime(2025, 11, 16, 4, tzinfo=UTC)),
        ("", None),
        (None, None),
    ],
)
def test_times_are_read_as_programs_write_them(given: str | float | None, at: datetime | None) -> None:
    """ISO 8601, in UTC where it names no zone, or seconds or milliseconds since 1970."""
    assert moment(given) == at
