"""What an operation costs when nothing is remembered but rows: the floor each figure is held against.

A floor knows no owner's days, no events, no duplicates, no strength: one wide table with the
indexes a memory needs, a word index and the vectors, in a database of its own that holds the
same memories. It is given ready values and does only what the operation cannot do without.
Nothing of Ebbing is imported here at run time: the bare figures of a fresh process are bare.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import apsw

    from ebbing.domain.memory import Memory
    from ebbing.domain.policy import Policy

Floats = NDArray[np.float32]
_MOST = 10  # results asked for
_DETACH = 0.15  # what a scan looks for: everything weaker than this

COLUMNS = (
    "owner id agent visibility scope text category tier status importance created_at created_day pinned contested "
    "expires_at valid_from valid_until restored_at source trust subject attribute supersedes superseded_by "
    "derived_from compaction_depth tags metadata tokens digest fingerprint "
    "last_accessed_at used_day recall_count level due_at due_day"
).split()
INDEXES = (
    "CREATE UNIQUE INDEX rows_id ON rows (owner, id)",
    "CREATE INDEX rows_scope ON rows (owner, scope)",
    "CREATE INDEX rows_digest ON rows (owner, digest)",
    "CREATE INDEX rows_derived ON rows (owner) WHERE compaction_depth > 0",
    "CREATE INDEX rows_address ON rows (owner, subject, attribute) WHERE subject IS NOT NULL",
    "CREATE INDEX rows_due_at ON rows (owner, due_at) WHERE due_at IS NOT NULL",
    "CREATE INDEX rows_due_day ON rows (owner, due_day) WHERE due_day IS NOT NULL",
)
_PRAGMAS = (
    *(("journal_mode", "WAL"), ("synchronous", "FULL"), ("wal_autocheckpoint", 4000), ("secure_delete", "ON")),
    *(("cache_size", -32_000), ("mmap_size", 1 << 28)),
)


class Row(NamedTuple):
    """A memory ready to be written: its columns, the words it is found by, its vector."""

    owner: str
    columns: tuple[Any, ...]
    words: str
    vector: Floats


class Floor(Protocol):
    """One bare database."""

    def create(self, width: int) -> None:
        """Tables and indexes, for vectors of so many dimensions."""
        ...

    def insert(self, rows: Sequence[Row]) -> None:
        """Rows, words and vectors, in one durable transaction."""
        ...

    def index(self, owner: str) -> None:
        """What a big owner's vectors are found through, where the store has such a thing."""
        ...

    def warm(self, owner: str) -> None:
        """What a process that has been running for a while would hold already."""
        ...

    def recall(self, owner: str, words: Sequence[str], vector: Floats) -> int:
        """The ten best by words and the ten best by vector; how many there are."""
        ...

    def reinforce(self, owner: str, ids: Sequence[str], at: datetime, day: int) -> None:
        """Count a use of each, in one durable transaction."""
        ...

    def scan(self, owner: str, day: int, rates: Mapping[str, float]) -> int:
        """Compute every strength in the database; how many are faded."""
        ...

    def scan_everything(self, day: int, rates: Mapping[str, float]) -> int:
        """The same for the rows of all owners: how a sweep without alarms would find what is due."""
        ...

    def scan_by_hand(self, owner: str, day: int, rates: Mapping[str, float]) -> int:
        """Read every row and compute its strength here."""
        ...

    def size_bytes(self) -> int: ...
    def close(self) -> None: ...


def row(memory: Memory, words: str, vector: Floats) -> Row:
    """A memory that the product stored, as a floor stores it."""
    return Row(memory.owner, tuple(_plain(getattr(memory, name)) for name in COLUMNS), words, vector)


def decay_rates(policy: Policy) -> dict[str, float]:
    """λ by category, for the scans."""
    slowdown = policy.curve.slowdown
    return {name: category.decay_per_day / slowdown for name, category in policy.categories.items()}


def strength_sql(rates: Mapping[str, float], least: str, day: str) -> str:
    """The default curve as an expression: what a sweep without alarms would compute for every row."""
    cases = " ".join(f"WHEN '{name}' THEN {rate}" for name, rate in rates.items())
    decay = f"exp(-(CASE category {cases} END) * (1 - 0.8 * importance) * ({day} - used_day))"
    return f"{least}(1.0, importance * {decay} * (1 + 0.2 * recall_count)) < {_DETACH}"


def faded(rows: Sequence[tuple[Any, ...]], day: int, rates: Mapping[str, float]) -> int:
    """The same over rows of (category, importance, used_day, recall_count), with numpy."""
    categories, importance, used_day, recalls = zip(*rows, strict=True)
    rate = np.array([rates[category] for category in categories])
    base = np.array(importance, dtype=float)
    idle = day - np.array(used_day, dtype=float)
    strength = np.minimum(1.0, base * np.exp(-rate * (1 - 0.8 * base) * idle) * (1 + 0.2 * np.array(recalls)))
    return int(np.count_nonzero(strength < _DETACH))


def nearest(matrix: Floats, vector: Floats) -> NDArray[np.intp]:
    """A bare product of a matrix and the ten largest."""
    similarity = np.vecdot(matrix, vector)  # as the product does: twice to eight times as fast as `@`
    return np.argpartition(similarity, -_MOST)[-_MOST:]


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return int(value.timestamp() * 1_000_000)
    if isinstance(value, tuple):
        return json.dumps(value)
    if isinstance(value, Mapping):
        return json.dumps(dict(value))
    if isinstance(value, bool):
        return int(value)
    if hasattr(value, "evidence"):
        return json.dumps({name: getattr(value, name) for name in ("kind", "actor", "session", "evidence")})
    return str(value) if isinstance(value, str) else value


class BareSqlite:
    """One table, one FTS5 table, one table of vectors; an owner's matrix in memory."""

    def __init__(self, path: str) -> None:
        import apsw

        self.path = path
        self.connection: apsw.Connection = apsw.Connection(path)
        # As the product's: plans made once, the sizes of its caches, durable commits.
        self.connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        for pragma, value in _PRAGMAS:
            self.connection.pragma(pragma, value)
        self._next = 1
        marks = ", ".join("?" * (1 + len(COLUMNS)))
        self._insert = f"INSERT INTO rows (key, {', '.join(COLUMNS)}) VALUES ({marks})"
        self._matrices: dict[str, Floats] = {}

    def create(self, width: int) -> None:  # noqa: ARG002 - a blob has any
        self.connection.execute(f"CREATE TABLE rows (key INTEGER PRIMARY KEY, {', '.join(COLUMNS)})")
        self.connection.execute("; ".join(INDEXES))
        self.connection.execute(
            "CREATE TABLE vectors (owner, stamp, key, vector, PRIMARY KEY (owner, stamp)) WITHOUT ROWID;"
            "CREATE INDEX vectors_key ON vectors (key);"
            "CREATE VIRTUAL TABLE words USING fts5 (own, body, content = '', contentless_delete = 1,"
            " tokenize = \"ascii tokenchars '_'\")"
        )

    def insert(self, rows: Sequence[Row]) -> None:
        keys = range(self._next, self._next + len(rows))
        self._next += len(rows)
        execute = self.connection.executemany
        self.connection.execute("BEGIN IMMEDIATE")
        execute(self._insert, ((key, *row.columns) for key, row in zip(keys, rows, strict=True)))
        execute(
            "INSERT INTO words (rowid, own, body) VALUES (?, ?, ?)",
            ((key, _token(row.owner), row.words) for key, row in zip(keys, rows, strict=True)),
        )
        execute(
            "INSERT INTO vectors VALUES (?, ?, ?, ?)",
            (
                (row.owner, key, key, row.vector.astype(np.float16).tobytes())
                for key, row in zip(keys, rows, strict=True)
            ),
        )
        self.connection.execute("COMMIT")

    def index(self, owner: str) -> None:
        """None: a matrix product is exact and quick enough."""

    def warm(self, owner: str) -> None:
        count = self._one("SELECT count(*) FROM vectors WHERE owner = ?", owner)
        matrix = np.empty((0, 0), dtype=np.float32)
        rows = self.connection.execute("SELECT vector FROM vectors WHERE owner = ?", (owner,))
        vector: Any
        for place, (vector,) in enumerate(rows):
            half = np.frombuffer(vector, dtype=np.float16)
            if not place:
                matrix = np.empty((count, len(half)), dtype=np.float32)
            matrix[place] = half
        self._matrices[owner] = matrix

    def recall(self, owner: str, words: Sequence[str], vector: Floats) -> int:
        either = " OR ".join(f'"{word}"' for word in words)
        by_words = self.connection.execute(
            "SELECT rowid, bm25(words, 0.0, 1.0) AS score FROM words WHERE words MATCH ? ORDER BY score LIMIT ?",
            (f'own : "{_token(owner)}" AND body : ({either})', _MOST),
        ).fetchall()
        return len(by_words) + len(nearest(self._matrices[owner], vector))

    def reinforce(self, owner: str, ids: Sequence[str], at: datetime, day: int) -> None:
        self.connection.execute("BEGIN IMMEDIATE")
        self.connection.executemany(
            "UPDATE rows SET recall_count = recall_count + 1, last_accessed_at = ?, used_day = ?"
            " WHERE owner = ? AND id = ?",
            ((int(at.timestamp() * 1_000_000), day, owner, id_) for id_ in ids),
        )
        self.connection.execute("COMMIT")

    def scan(self, owner: str, day: int, rates: Mapping[str, float]) -> int:
        statement = f"SELECT count(*) FROM rows WHERE owner = ? AND {strength_sql(rates, 'min', '?')}"
        return int(self._one(statement, owner, day))

    def scan_everything(self, day: int, rates: Mapping[str, float]) -> int:
        return int(self._one(f"SELECT count(*) FROM rows WHERE {strength_sql(rates, 'min', '?')}", day))

    def scan_by_hand(self, owner: str, day: int, rates: Mapping[str, float]) -> int:
        statement = "SELECT category, importance, used_day, recall_count FROM rows WHERE owner = ?"
        return faded(self.connection.execute(statement, (owner,)).fetchall(), day, rates)

    def size_bytes(self) -> int:
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return Path(self.path).stat().st_size

    def close(self) -> None:
        self.connection.close()

    def _one(self, statement: str, *values: Any) -> Any:
        return self.connection.execute(statement, values).fetchall()[0][0]


def _token(owner: str) -> str:
    return "o" + owner.replace("-", "")
