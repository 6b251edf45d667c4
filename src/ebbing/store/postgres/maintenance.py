"""Looking after the tables on a server: check them, mend what is derived, index big owners, leave no trace of what was
erased."""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql as names

from ...domain.memory import Status
from ...ports import Finding, Progress, Scrubbed, View
from ...text.analysis_fingerprint import fingerprint
from ...text.terms import digest
from .. import query_loader
from ..migrations import tables
from ..store_findings import analysis_finding, tables_finding
from .connection import LOCK_MS, Connection
from .search import indexed

if TYPE_CHECKING:
    from .store import PostgresStore
    from .transaction import PostgresTransaction

BIG = 15_000  # live rows from which an index of their own answers quicker than comparing them all
# Tables, and with them their partitions, that hold anything of what a memory says or is called.
_SAYING = ("memories", "archive", "words", "vectors", "events", "holdings")
_PATIENCE_SECONDS = (0.0, 0.05, 0.2, 0.8)  # for a glance at the tables, such as the server's own, to end
_WIDTH_MAX = 4000  # dimensions an HNSW index of halfvec can take
_PAGE = 1000
# What `health` counts, in its order: the check, and how a fault is told.
_HEALTH = (
    ("vitals", "memories without vitals"),
    ("words", "memories without their words"),
    ("vector", "memories without the vector they name"),
    ("stray words", "memories that are gone and still have words"),
    ("stray vectors", "vectors of no memory"),
    ("stored words", "archived memories without their words"),
    ("stray stored words", "archived memories that are gone and still have words"),
    ("sizes", "counts that are not true"),
    ("holdings", "scopes whose counters are not true"),
)
_RECOUNTING = ("clear_holdings", "recount_holdings")


class Care:
    """What `doctor`, `purge` and maintenance ask of a PostgreSQL store."""

    def __init__(self, store: PostgresStore) -> None:
        self.store = store
        self.queries = query_loader.queries("postgres", query_loader.postgres_dialect)

    def check(self) -> Iterator[Finding]:
        """Every check, one finding each; none changes anything. Owners are looked at one after the other."""
        with self.store.maintenance() as connection:
            version = connection.info.server_version
            _, pgvector = connection.execute(self.queries["extension"]).fetchall()[0]
            yield Finding("server", True, f"PostgreSQL {version // 10000}.{version % 10000} with pgvector {pgvector}")
            existing = {name for (name,) in connection.execute(self.queries["standing_tables"]).fetchall()}
            yield tables_finding(tables("postgres") - existing)
            yield _wall(*connection.execute(self.queries["walls"]).fetchall()[0])
        faults = [0] * len(_HEALTH)
        analysed_otherwise = 0
        for owner in self.store.owners():
            with self.store.read(View(owner, every_agent=True)) as tx:
                counts = tx.db.execute("health")[0]
                analysed_otherwise += not tx.index.is_current
            faults = [total + count for total, count in zip(faults, counts, strict=True)]
        for (check, sentence), count in zip(_HEALTH, faults, strict=True):
            if count:
                yield Finding(check, False, f"{count} {sentence}", "run `ebbing doctor --repair`")
            else:
                yield Finding(check, True, "agrees with the rows")
        yield analysis_finding(analysed_otherwise)

    def repair(self, progress: Progress | None = None) -> Iterator[Finding]:
        """Build again what is derived from the rows; nothing that they say is touched.

        One transaction for each owner: others are not kept waiting, and a repair that was killed has done some owners
        and left the rest as they were.
        """
        count = 0
        owners = self.store.owners()
        for done, owner in enumerate(owners, 1):
            with self.store.write(View(owner, every_agent=True)) as tx:
                count += self._rebuild(tx)
            if progress is not None:
                progress(done, len(owners))
        yield Finding("words", True, f"built again from {count} memories")
        yield Finding("vectors", True, "memories without a vector are marked; `ebbing reembed` fills them")
        made = self.index_big_owners(BIG)
        yield Finding("indexes", True, f"{len(made)} made for owners with {BIG:,} memories or more")

    def _rebuild(self, tx: PostgresTransaction) -> int:
        tx.owner.row.sizes = {}
        count = 0
        for side in ("", "stored_"):
            tx.db.execute(f"clear_{side}words")
            after = ""
            while rows := tx.db.execute(f"texts_{side.strip('_') or 'live'}", after=after, limit=_PAGE):
                indexed = [_indexed(id_, text) for id_, _, text in rows]
                tx.db.execute_many(f"update_{side}terms", indexed)
                tx.db.execute(f"insert_{side}words", ids=[row["id"] for row in indexed])
                for (_, status, _), row in zip(rows, indexed, strict=True):
                    tx.owner.count_words(Status(status), 1, row["length"])
                count += len(rows)
                after = rows[-1][0]
        for query in ("add_missing_vitals", "drop_stray_vectors", "forget_missing_vectors", *_RECOUNTING):
            tx.db.execute(query)
        tx.owner.row.analysed_by = fingerprint()
        tx.owner.row.epoch += 1
        # New counters ask to be looked at by the next sweep.
        tx.owner.row.swept_day = 0
        return count

    def scrub(self, texts: Sequence[str]) -> Scrubbed:
        """Write the tables anew without what was deleted, then look whether anything else still says it.

        VACUUM alone leaves the bytes of deleted rows in their pages until something overwrites them; VACUUM FULL
        copies what stands into new files and gives the old ones back. It locks a table while it copies it, and
        costs what the table holds: the price of erasing, paid by `purge` alone. Rows that some transaction could
        still see are copied too; the server tells how many, and then the purge is not verified. Out of reach, here
        as for any client: the server's own log, WAL segments, replicas, backups, and what the workers of a Citus
        cluster have to say. The notes say so.
        """
        owners = [*self.store.erased] or self.store.owners()
        with self._session() as connection:
            clean = self._rewritten(connection)
            refused = self._retire_log(connection)
        for owner in owners:
            with self.store.read(View(owner, every_agent=True)) as tx:
                clean = clean and not tx.db.execute("remembered_texts", texts=[text for text in texts if text])
        if clean:
            self.store.erased.difference_update(owners)
        return Scrubbed(clean, (_log_note(refused),))

    def _retire_log(self, connection: Connection) -> list[str]:
        """Have the server begin a new WAL segment and write everything back, so that the segments with the erased text
        are free to be reused; tells which of the two commands this role may not run."""
        refused = []
        for command, query in (("pg_switch_wal()", "switch_log"), ("CHECKPOINT", "checkpoint")):
            try:
                connection.execute(self.queries[query])
            except psycopg.errors.InsufficientPrivilege:
                refused.append(command)
        return refused

    def _rewritten(self, connection: Connection) -> bool:
        """Whether every table is without deleted rows now; False while somebody holds one or could still see them."""
        lingering: list[int] = []

        def hear(notice: psycopg.errors.Diagnostic) -> None:
            # "0 dead row versions cannot be removed yet", in whatever language the server speaks.
            if number := re.search(r"\d+", notice.message_detail or ""):
                lingering.append(int(number[0]))

        connection.add_notice_handler(hear)
        saying = [name for name, _, filled in self._tables() if filled and name.startswith(_SAYING)]
        try:
            return self._nobody_looks(connection, lingering) and self._copied(saying, connection, lingering)
        except psycopg.errors.LockNotAvailable:
            return False

    def _nobody_looks(self, connection: Connection, lingering: list[int]) -> bool:
        """Whether what was deleted before now can be removed, asked of the smallest table: the others are too big to be
        copied in vain."""
        for seconds in _PATIENCE_SECONDS:
            connection.execute(self.queries["wait"], {"seconds": seconds})
            connection.execute(self.queries["make_a_dead_row"])
            if self._copied(["migrations"], connection, lingering):
                return True
        return False

    def _copied(self, tables: Sequence[str], connection: Connection, lingering: list[int]) -> bool:
        """Whether these tables have been written anew without a row that is deleted."""
        lingering.clear()
        for table in tables:
            connection.execute(names.SQL("VACUUM (FULL, VERBOSE) {}").format(names.Identifier(table)))
        return not any(lingering)

    def size_bytes(self) -> int:
        return sum(size for _, size, _ in self._tables())

    def index_big_owners(self, threshold: int) -> list[str]:
        """An HNSW index for each owner with so many vectors, partial and on the width of its model.

        Ordinary owners are compared row by row: exact, and a few milliseconds. From about `threshold` rows an
        index is quicker. One for all owners would not do (see search.py). The owner's row says that the
        index may be used only once it is complete, so a crash half-way leaves a search that compares.
        """
        with self.store.maintenance() as connection:
            rows = connection.execute(self.queries["big_owners"], {"threshold": threshold}).fetchall()
        return [owner for owner, indexed in rows if self._index(owner, indexed, threshold)]

    def _index(self, owner: str, indexed: str | None, threshold: int) -> bool:
        view = View(owner, every_agent=True)
        with self.store.read(view) as tx:
            main = tx.db.execute("main_vectors")
        fingerprint, count, width, table = main[0] if main else (None, 0, 0, "")
        # Half of it, for one that has an index: not made and dropped by turns.
        wanted = count >= (threshold if indexed is None else threshold / 2) and width <= _WIDTH_MAX
        if indexed is not None and (not wanted or indexed != fingerprint):
            self._mark(view, None, None)
            self._drop(near_index(owner, indexed))
            indexed = None
        if not wanted or indexed is not None:
            return False
        self._create(near_index(owner, fingerprint), table, owner, fingerprint, width)
        self._mark(view, fingerprint, width)
        return True

    def _mark(self, view: View, fingerprint: str | None, width: int | None) -> None:
        with self.store.write(view) as tx:
            tx.db.execute("mark_indexed", fingerprint=fingerprint, width=width)

    def _create(self, name: str, table: str, owner: str, fingerprint: str, width: int) -> None:
        with self.store.maintenance() as connection:
            state = connection.execute(self.queries["near_index_state"], {"name": name}).fetchall()
        if state and state[0][0]:
            return
        if state:
            self._drop(name)
        self._run_alone(
            "create_near_index",
            name=names.Identifier(name),
            table=names.Identifier(table.rpartition(".")[2]),
            width=names.Literal(width),
            owner=names.Literal(owner),
            fingerprint=names.Literal(fingerprint),
        )

    def _drop(self, name: str) -> None:
        self._run_alone("drop_near_index", name=names.Identifier(name))

    def _run_alone(self, query: str, **parts: names.Composable) -> None:
        """A statement that no transaction may hold."""
        with self._session() as connection:
            connection.execute(names.SQL(self.queries[query]).format(**parts))

    @contextlib.contextmanager
    def _session(self) -> Iterator[Connection]:
        """A connection of its own, at home in our schema."""
        with contextlib.closing(self.store.connections.alone()) as connection:
            path = (names.Identifier(schema) for schema in (self.store.address.schema, self.store.extension_schema))
            connection.execute(names.SQL("SET search_path = {}").format(names.SQL(", ").join(path)))
            connection.execute(f"SET lock_timeout = {LOCK_MS}")
            yield connection

    def _tables(self) -> list[tuple[str, int, bool]]:
        """(name, size with its indexes, whether there can be rows in it)."""
        with self.store.maintenance() as connection:
            rows = connection.execute(self.queries["tables"]).fetchall()
        return [(name, size, filled) for name, size, filled in rows]


def near_index(owner: str, fingerprint: str) -> str:
    """The name of an owner's index for one model."""
    return "near_" + hashlib.blake2b(f"{owner}\0{fingerprint}".encode(), digest_size=16).hexdigest()


def _log_note(refused: Sequence[str]) -> str:
    """What a purge leaves on a server, in any case and for lack of a right."""
    kept = (
        "verified are the tables alone: the write-ahead log of the server (pg_wal) may hold the text until its "
        "segments are overwritten, and so may archived WAL, replicas and backups"
    )
    if not refused:
        return kept
    commands = " or ".join(refused)
    return f"{kept}; this role may not run {commands}, after which they can be reused: have an administrator do it"


def _indexed(id_: str, text: str) -> dict[str, Any]:
    return {"id": id_, "digest": digest(text), **indexed(text)}


def _wall(open_tables: str | None, unbound: bool) -> Finding:
    if open_tables:
        return Finding(
            "row security",
            False,
            f"row-level security is off for {open_tables}",
            "turn it on again for each: ALTER TABLE … ENABLE ROW LEVEL SECURITY, and then FORCE",
        )
    if unbound:
        return Finding(
            "row security",
            False,
            "this role passes through row-level security",
            "connect as a role without SUPERUSER and BYPASSRLS",
        )
    return Finding("row security", True, "the server itself keeps owners apart")
