"""How much work a store does: rows visited and rows written, counted by the databases themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import apsw
import psycopg

from ebbing.engine import Engine
from ebbing.ports import Store


@dataclass
class Traffic:
    """What one piece of work cost."""

    steps: int = 0  # SQLite: steps of its virtual machine; PostgreSQL: rows and index entries read
    statements: int = 0  # SQLite only
    written: Counter[str] = field(default_factory=Counter)  # inserts and updates by table


def measured(address: str, open_engine: Callable[[], Engine], work: Callable[[Engine], Any]) -> Traffic:
    """The cost of `work` on an engine of its own; no other may be open."""
    if address.startswith("postgres"):
        return _in_postgres(plain(address), open_engine, work)
    return _in_sqlite(open_engine(), work)


def _in_sqlite(engine: Engine, work: Callable[[Engine], Any]) -> Traffic:
    cost = Traffic()

    def count(event: dict[str, Any]) -> None:
        words = event["sql"].split()
        if "'main'." in event["sql"]:
            return  # FTS5 keeping its own tables in order: merged now and then, whatever is asked
        cost.statements += 1
        cost.steps += event["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"]
        if words[0] == "INSERT":
            cost.written[words[words.index("INTO") + 1]] += 1
        elif words[0] == "UPDATE":
            cost.written[words[1]] += 1

    engine.sweeper = None  # whoever looks beside the caller whether to sweep takes a connection of its own
    watched = _trace(engine.store, count)
    work(engine)
    assert _idle(engine.store) is watched, "the work ran on a connection nobody watched"
    assert cost.statements
    engine.close()
    return cost


def _trace(store: Store, count: Callable[[dict[str, Any]], None]) -> apsw.Connection:
    connection = _idle(store)
    connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, count)
    return connection


def _idle(store: Any) -> apsw.Connection:
    with store.connection() as connection:
        return connection


def _in_postgres(address: str, open_engine: Callable[[], Engine], work: Callable[[Engine], Any]) -> Traffic:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("ANALYZE")  # as autovacuum does where a server has been up for longer than a test
        before = _counters(connection)
        with open_engine() as engine:
            work(engine)
        after = _counters(connection)
    written = Counter({table: after[table][1] - before.get(table, (0, 0))[1] for table in after})
    steps = sum(read for read, _ in after.values()) - sum(read for read, _ in before.values())
    assert steps > 0
    return Traffic(steps=steps, written=+written)


def _counters(connection: psycopg.Connection[Any]) -> dict[str, tuple[int, int]]:
    """Rows read and written so far, by table; partitions count as their table.

    A connection tells its numbers when it ends, so the end of all others is waited for.
    """
    others = (
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        " AND backend_type = 'client backend'"
    )
    while connection.execute(others).fetchall():
        pass
    connection.execute("SELECT pg_stat_clear_snapshot()")
    rows = connection.execute(
        "SELECT coalesce(i.inhparent, t.relid)::regclass::text,"
        " sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))"
        "   + coalesce(sum((SELECT sum(idx_tup_read) FROM pg_stat_user_indexes x WHERE x.relid = t.relid)), 0),"
        " sum(n_tup_ins + n_tup_upd)"
        " FROM pg_stat_user_tables t LEFT JOIN pg_inherits i ON i.inhrelid = t.relid GROUP BY 1"
    ).fetchall()
    return {table.rpartition(".")[2]: (int(read), int(written)) for table, read, written in rows}


def plain(address: str) -> str:
    """The address without what only Ebbing understands."""
    base, _, options = address.partition("?")
    kept = "&".join(option for option in options.split("&") if option and not option.startswith("ebbing_"))
    return f"{base}?{kept}" if kept else base
