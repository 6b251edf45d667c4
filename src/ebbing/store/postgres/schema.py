"""The tables on a server: pgvector at hand, and the schema brought to its newest form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import psycopg
from psycopg import sql as names
from psycopg.types import TypeInfo

from ...domain.errors import NewerFile, Unavailable
from .. import query_loader
from ..migrations import scripts
from .connection import Address, Connection

PGVECTOR_MIN = (0, 8)  # the first with iterative index scans; halfvec came with 0.7


def literally(connection: Connection, statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Several statements in one message, with their values written into them; the rows of the last."""
    return together(connection, written_out(connection, statement, values))


def written_out(connection: Connection, statement: str, values: Mapping[str, Any]) -> str:
    """Statements with their values written into them."""
    return psycopg.ClientCursor(connection).mogrify(statement, values)


def together(connection: Connection, statements: str) -> list[tuple[Any, ...]]:
    """Several statements in one message; the rows of the last."""
    cursor = connection.execute(statements)
    cursor.set_result(-1)
    return cursor.fetchall()


def prepare_extension(connection: Connection, shown: str) -> tuple[str, TypeInfo]:
    """The schema of pgvector, and the type used from it; installs the extension if it is missing and allowed."""
    queries = query_loader.queries("postgres", query_loader.postgres_dialect)
    rows = connection.execute(queries["extension"]).fetchall()
    if not rows:
        try:
            connection.execute(queries["create_extension"])
        except psycopg.Error as error:
            raise Unavailable(
                f"{shown} lacks the extension pgvector, and this role cannot add it; ask its administrator to install "
                "pgvector on the server and to run in this database: CREATE EXTENSION vector"
            ) from error
        rows = connection.execute(queries["extension"]).fetchall()
    schema, version = rows[0]
    halfvec = TypeInfo.fetch(connection, names.Identifier(schema, "halfvec"))
    if halfvec is None or tuple(map(int, version.split(".")[:2])) < PGVECTOR_MIN:
        raise Unavailable(
            f"{shown} has pgvector {version}, and Ebbing needs {'.'.join(map(str, PGVECTOR_MIN))}; ask its "
            "administrator to install a newer one and to run: ALTER EXTENSION vector UPDATE"
        )
    return schema, halfvec


def migrate(connection: Connection, address: Address, extension_schema: str) -> None:
    """Bring the schema to its newest form, or refuse it; several processes may try at once."""
    queries = query_loader.queries("postgres", query_loader.postgres_dialect)
    newest = max(number for number, _ in scripts("postgres"))
    values = {"schema": address.schema, "extension_schema": extension_schema, "partitions": str(address.partitions)}

    def current_version() -> int:
        version = 0
        if literally(connection, queries["has_migrations"], values)[0][0]:
            version = int(literally(connection, queries["newest_migration"], values)[0][0] or 0)
        if version > newest:
            raise NewerFile(
                f"schema {address.schema} of {address.shown} has version {version}, and this Ebbing knows up to "
                f"{newest}; upgrade ebbing to open it"
            )
        return version

    if current_version() == newest:
        return
    with connection.transaction():
        literally(connection, queries["begin_migration"], values)
        for number, script in scripts("postgres"):
            if number > current_version():
                clause = "PARTITION BY HASH (owner)" if address.partitions else ""
                connection.execute(script.replace("/*partitioned*/", clause))
                connection.execute(queries["add_migration"], {"number": number})
