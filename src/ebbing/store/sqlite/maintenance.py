"""Looking after a SQLite file: check it, mend its indexes, copy it while in use, leave no trace of what was erased."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from ...domain.errors import Conflict
from ...domain.memory import Status
from ...ports import Finding, Progress
from ...text.analysis_fingerprint import MIXED, fingerprint
from ...text.terms import digest
from .. import query_loader
from ..migrations import tables
from ..store_findings import analysis_finding, tables_finding
from ..vector_cache import words_in
from .search import indexed
from .values import bound_all

if TYPE_CHECKING:
    from .store import SqliteStore

_SCAN_BYTES = 1 << 24
_PIECE_BYTES = 24  # of a text, looked for by itself …
_PIECES_MAX = 16  # … so many of each, from its beginning to its end
_LOOKED_FOR_MAX = 64  # texts; looking for the pieces of more takes longer than writing the file anew
_TELLING_BYTES = 8  # what is shorter stands in any file by chance, and is left to VACUUM

_DAMAGED = (apsw.CorruptError, apsw.NotADBError, apsw.SQLError)
_BACKUP = "bring back a backup; an export saves what can still be read"
_PAGE = 1000  # rows whose words are made anew in one transaction
# The indexes, and what adds to each and takes from it.
_WORDS = {"words": ("insert_words", "delete_words"), "archive_words": ("insert_stored_words", "delete_stored_words")}

# What is derived from the rows, the query that counts where it does not agree, and what that means.
_AGREEMENTS = (
    ("vitals", "memories_without_vitals", "memories without their counters"),
    ("words", "memories_without_words", "memories without their words"),
    ("vector", "memories_without_vector", "memories without the vector they name"),
    ("archived words", "stored_without_words", "archived memories without their words"),
    ("stray words", "words_without_memory", "entries of words without a memory"),
    ("stray archived words", "stored_words_without_memory", "entries of archived words without a memory"),
    ("stray vectors", "vectors_without_memory", "vectors without a memory"),
    ("holdings", "untrue_holdings", "scopes whose counters are not true"),
    ("sizes", "untrue_sizes", "counts of rows and words that are not true"),
)


class Care:
    """What `doctor`, `backup` and `purge` ask of a SQLite store."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self.queries = query_loader.queries("sqlite", query_loader.sqlite_dialect)

    def check(self) -> list[Finding]:
        """Every check, one finding each; none changes anything."""
        # FTS5 checks what a connection remembers of its index, which another may have changed since. A new connection
        # remembers nothing, and takes no healthy file for a damaged one.
        with self.store.fresh_connection() as connection:
            findings = [_integrity(connection), self._tables(connection)]
            _knowing_lengths(connection)
            findings += [self._agreement(connection, *agreement) for agreement in _AGREEMENTS]
            findings.append(self._analysis(connection))
        return [*findings, self._modes()]

    def _tables(self, connection: apsw.Connection) -> Finding:
        """Whether the tables of the newest schema exist."""
        try:
            existing = {row[0] for row in connection.execute(self.queries["standing_tables"])}
        except _DAMAGED as error:
            return Finding("tables", False, f"cannot be read ({error})", _BACKUP)
        return tables_finding(tables("sqlite") - existing)

    def _agreement(self, connection: apsw.Connection, check: str, query: str, what: str) -> Finding:
        """Whether indexes and counters agree with the rows; reports damaged pages."""
        try:
            count = self._count(connection, query)
        except _DAMAGED as error:
            return Finding(check, False, f"cannot be read ({error})", _BACKUP)
        detail = f"{count} {what}" if count else "agrees with the rows"
        return Finding(check, not count, detail, "run `ebbing doctor --repair`" if count else None)

    def _analysis(self, connection: apsw.Connection) -> Finding:
        """Whether the rules of this version derived what is stored."""
        try:
            return analysis_finding(self._count(connection, "owners_analysed_otherwise", fingerprint=fingerprint()))
        except _DAMAGED as error:
            return Finding("analysis", False, f"cannot be read ({error})", _BACKUP)

    def repair(self, progress: Progress | None = None) -> list[Finding]:
        """Build again what is derived from the rows; nothing that they say is touched.

        A page of rows in each transaction, so that others get their turn to write. Until the last one has ended, owners
        say that their keys are of several rules: a repair that was killed is seen, and made again.
        """
        with self.store.connection() as connection:
            is_sound = [row[0] for row in connection.execute("PRAGMA integrity_check(1)")] == ["ok"]
            with _transaction(connection):
                for side in () if is_sound else _WORDS:
                    connection.execute(self.queries[f"clear_{side}"])
                connection.execute(self.queries["mark_analysed"], {"fingerprint": MIXED})
                for query in ("add_missing_vitals", "drop_stray_vectors", "forget_missing_vectors"):
                    connection.execute(self.queries[query])
            counts = self._rebuild(connection, progress)
            with _transaction(connection):
                for side in _WORDS:
                    connection.execute(self.queries[f"drop_stray_{side}"])
                recount_sizes(connection)
                for query in ("clear_holdings", "recount_holdings", "void_matrices"):
                    connection.execute(self.queries[query])
                connection.execute(self.queries["mark_analysed"], {"fingerprint": fingerprint()})
        return [
            *(
                Finding(side.replace("_", " "), True, f"built again from {count} memories")
                for side, count in counts.items()
            ),
            Finding("vectors", True, "memories without a vector are marked; `reembed` fills them"),
        ]

    def _rebuild(self, connection: apsw.Connection, progress: Progress | None) -> dict[str, int]:
        """Both indexes of words made anew, a page at a time: how many rows went into each.

        The live side first: what is archived meanwhile takes its keys along, and they are new by then or made so there.
        """
        total = self._count(connection, "count_of_texts")
        done = dict.fromkeys(_WORDS, 0)
        for side in _WORDS:
            count, after = _PAGE, -1
            while count == _PAGE:  # a page that is not full is the last: what comes in meanwhile is derived as it comes
                with _transaction(connection):
                    count, after = _index_page(connection, side, after)
                done[side] += count
                if progress is not None:
                    progress(sum(done.values()), max(total, sum(done.values())))
        return done

    def backup(self, path: Path) -> None:
        """A consistent copy, taken while others write. `path` appears when the copy is complete."""
        if path.exists():
            raise Conflict(f"{path} exists already; give the path of a new file")
        partial = path.with_name(path.name + ".partial")
        partial.unlink(missing_ok=True)
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        target = apsw.Connection(str(partial))
        try:
            with self.store.connection() as source, target.backup("main", source, "main") as copy:
                while not copy.done:
                    copy.step(1000)
            # The copy must be one file: no log beside it.
            target.execute("PRAGMA journal_mode = DELETE")
        finally:
            target.close()
        partial.rename(path)

    def scrub(self, texts: Sequence[str]) -> bool:
        """Merge what the word indexes still hold of deleted rows, empty the log, then look at every byte."""
        telling = [text for text in texts if len(text.encode()) >= _TELLING_BYTES]
        with self.store.connection() as connection:
            for side in _WORDS:
                connection.execute(self.queries[f"optimize_{side}"])
            # A copy in the slack of a page may have been cut short, so any piece of a text says that one is there.
            few = len(telling) == len(texts) <= _LOOKED_FOR_MAX
            if few and self._emptied(connection) and self.absent(_pieces(telling)):
                return True
            # Zeroed cells are not always enough: a page that was split may keep a copy in its slack. After this the
            # file holds what its rows hold: what is still found stands in somebody's row, or was missed.
            connection.execute("VACUUM")
            left = [text for text in telling if not self._held(connection, text)]
            return self._emptied(connection) and self.absent([text.encode() for text in left])

    def _held(self, connection: apsw.Connection, text: str) -> bool:
        """Whether a stored memory of any owner contains this too."""
        return bool(connection.execute(self.queries["holds_text"], {"text": text}).fetchall())

    def _emptied(self, connection: apsw.Connection) -> bool:
        """The log is written back and cut to nothing; False while another process reads from it."""
        if self.store.in_memory:
            return True
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
        return not busy

    def absent(self, needles: Sequence[bytes]) -> bool:
        """Whether none stands in the files. Not looked at is the index of the log, which holds numbers, and locks."""
        files = [file for file in self.store.files() if not file.name.endswith("-shm")]
        return not any(_holds(_read(file, database=str(file) == self.store.file), needles) for file in files)

    def _modes(self) -> Finding:
        loose = [file.name for file in self.store.files() if file.stat().st_mode & 0o077]
        return Finding(
            "permissions",
            not loose,
            f"others may read {', '.join(loose)}" if loose else "only you can read the files",
            f"chmod 600 {' '.join(loose)}" if loose else None,
        )

    def _count(self, connection: apsw.Connection, query: str, **values: Any) -> int:
        rows: list[tuple[Any, ...]] = connection.execute(self.queries[query], values).fetchall()
        return int(rows[0][0])


def _integrity(connection: apsw.Connection) -> Finding:
    """What SQLite itself says about the pages of the file."""
    try:
        faults = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(20)")]
    except _DAMAGED as error:
        faults = [str(error)]
    if faults == ["ok"]:
        return Finding("file", True, "every page is sound")
    return Finding("file", False, "; ".join(faults), _BACKUP)


def rebuild_words(connection: apsw.Connection) -> None:
    """Make both indexes of words anew in the transaction that is under way."""
    queries = query_loader.queries("sqlite", query_loader.sqlite_dialect)
    for side in _WORDS:
        connection.execute(queries[f"clear_{side}"])
        count, after = _PAGE, -1
        while count == _PAGE:
            count, after = _index_page(connection, side, after)
    connection.execute(queries["mark_analysed"], {"fingerprint": fingerprint()})


def _index_page(connection: apsw.Connection, side: str, after: int) -> tuple[int, int]:
    """Index the next rows after a key again; the number of rows, and the key of the last."""
    queries = query_loader.queries("sqlite", query_loader.sqlite_dialect)
    asked = {"after": after, "limit": _PAGE}
    rows: list[tuple[Any, ...]] = connection.execute(queries[f"texts_for_{side}"], asked).fetchall()
    insert, delete = _WORDS[side]
    connection.execute(queries[delete], bound_all({"keys": [key for key, *_ in rows]}))
    for key, owner, status, text in rows:
        connection.execute(queries[f"update_digest_for_{side}"], {"key": key, "digest": digest(text)})
        connection.execute(queries[insert], {"key": key, **indexed(text, owner, Status(status))})
    return len(rows), rows[-1][0] if rows else after


@contextlib.contextmanager
def _transaction(connection: apsw.Connection) -> Iterator[None]:
    """One transaction that writes: all of it, or after an error nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def recount_sizes(connection: apsw.Connection) -> None:
    """Count anew how much each owner has, in the transaction that is under way."""
    _knowing_lengths(connection)
    connection.execute(query_loader.queries("sqlite", query_loader.sqlite_dialect)["recount_sizes"])


def _knowing_lengths(connection: apsw.Connection) -> None:
    """Let statements read FTS5's records of how long rows are."""
    connection.create_scalar_function("words_in", lambda *record: words_in(record[0]), 1, deterministic=True)


def _pieces(texts: Sequence[str]) -> list[bytes]:
    """Texts cut into pieces that are long enough to search for."""
    found: dict[bytes, None] = {}
    for text in texts:
        whole = text.encode()
        last = max(len(whole) - _PIECE_BYTES, 0)
        starts = (*range(0, last, max(_PIECE_BYTES, last // _PIECES_MAX)), last)
        found |= dict.fromkeys(whole[start : start + _PIECE_BYTES] for start in starts)
    return list(found)


def _holds(pieces: Iterable[bytes], needles: Sequence[bytes]) -> bool:
    """Whether any needle stands in what comes in pieces; they are looked at overlapping by the longest needle."""
    overlap = max((len(needle) for needle in needles), default=1) - 1
    tail = b""
    for piece in pieces:
        window = tail + piece
        if any(needle in window for needle in needles):
            return True
        tail = window[-overlap:] if overlap else b""
    return False


def _read(file: Path, *, database: bool) -> Iterator[bytes]:
    """A file in pieces. The database by SQLite's own hands: closing it by any others would take away every lock that
    this process has on it, and another process that trusts those would write into what is being read here."""
    if not database:
        with file.open("rb") as stream:
            while piece := stream.read(_SCAN_BYTES):
                yield piece
        return
    opened = apsw.VFSFile("", str(file), [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0])
    try:
        size = opened.xFileSize()
        for start in range(0, size, _SCAN_BYTES):
            yield opened.xRead(min(_SCAN_BYTES, size - start), start)
    finally:
        opened.xClose()
