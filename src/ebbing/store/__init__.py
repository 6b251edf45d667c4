"""Where memories are kept: SQLite or PostgreSQL behind one interface, chosen by the address."""

from __future__ import annotations

from ..domain.errors import Invalid, Unavailable, shown
from ..ports import Store


def open_store(address: str) -> Store:
    """The store at a file path, `:memory:` or `postgresql://…`."""
    if address.startswith(("postgresql://", "postgres://")):
        try:
            from .postgres.store import PostgresStore
        except ImportError as error:
            raise Unavailable(
                f"PostgreSQL needs a package that is not installed ({error.name}); run: pip install 'ebbing[postgres]'"
            ) from error
        return PostgresStore(address)
    if "://" in address:
        raise Invalid(f"{shown(address)} is no address of a store; give a file path, ':memory:' or 'postgresql://…'")
    from .sqlite.store import SqliteStore

    return SqliteStore(address)
