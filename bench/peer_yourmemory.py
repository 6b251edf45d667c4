"""YourMemory on DuckDB, its default, with its word search, its embedder replaced; run in its own environment.

Called below its HTTP server: the function behind `POST /memories`, and the search behind `POST /retrieve`. Its cache of
answers is above that, so each question is searched for. What it installs is a package called `src`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from .peer_lines import Opened, Vectors, run

# How it links what it stores (`index_memory`), for the loaded ones, which would take it hours one by one.
_LINKS = 5
_NEAR = 0.4
_VERB_WEIGHT = 0.5
_BLOCK = 1_000

_INSERT = """
    INSERT INTO memories (user_id, content, embedding)
    SELECT user_id, content, embedding FROM read_json(
        ?, format = 'newline_delimited', columns = {user_id: 'VARCHAR', content: 'VARCHAR', embedding: 'FLOAT[768]'})
"""
_IDS = "SELECT content, id FROM memories WHERE user_id = ?"


class YourMemory:
    """`add_memory` and `retrieve`."""

    def __init__(self) -> None:
        self.given: dict[str, Vectors] = {}
        self.owner = ""
        self.folder = Path()
        self.routes: Any = None
        self.search: Any = None

    def open(self, folder: Path, owner: str, dimensions: int) -> Opened:  # noqa: ARG002 - 768 is in its schema
        os.environ |= {"YOURMEMORY_DB": str(folder / "memories.duckdb"), "YOURMEMORY_PATH": str(folder)}
        self.folder, self.owner = folder, owner
        _install_word_search()
        import src.services.embed  # type: ignore[import-not-found] # in the environment of the peers only

        # The others import the function by its name, so it is replaced before they do.
        src.services.embed.embed = self._embed
        import src.db.migrate  # type: ignore[import-not-found]
        import src.routes.memories  # type: ignore[import-not-found]
        import src.services.retrieve  # type: ignore[import-not-found]

        src.db.migrate.migrate()
        self.routes, self.search = src.routes.memories, src.services.retrieve.retrieve
        notes = ["DuckDB with its word search; without spaCy's model, which it downloads: it falls back to patterns"]
        return Opened(f"{version('yourmemory')}, duckdb {version('duckdb')}", notes)

    def _embed(self, text: str) -> list[float]:
        # It also compares the first two words of near duplicates; of these nobody has given a vector.
        vector: list[float] = self.given.get(text, next(reversed(self.given.values()))).tolist()
        return vector

    def load(self, texts: Sequence[str], vectors: Vectors) -> int:
        """The rows that `add_memory` would have made, in one statement, and the links it would have drawn."""
        from src.db.connection import get_conn  # type: ignore[import-not-found]

        rows = self.folder / "rows.json"
        with rows.open("w", encoding="utf-8") as file:
            for text, vector in zip(texts, vectors, strict=True):
                file.write(json.dumps({"user_id": self.owner, "content": text, "embedding": vector.tolist()}) + "\n")
        connection = get_conn()
        connection.execute(_INSERT, [str(rows)])
        ids = dict(connection.execute(_IDS, [self.owner]).fetchall())
        connection.close()
        rows.unlink()
        self._link([ids[text] for text in texts], vectors)
        return len(ids)

    def _link(self, ids: Sequence[int], vectors: Vectors) -> None:
        from src.graph import get_graph_backend  # type: ignore[import-not-found]

        graph = get_graph_backend()
        # It writes the whole graph to disk at every change; here once at the end.
        with patch.object(type(graph), "_flush"):
            for id_ in ids:
                graph.upsert_node(id_, self.owner, 0.5, 0.5, "fact")
            for one, other, cosine in _nearest_before(vectors):
                graph.upsert_edge(ids[one], ids[other], "related", round(cosine * _VERB_WEIGHT, 4))
        graph.close()

    def add(self, text: str) -> None:
        self.routes.add_memory(self.routes.MemoryRequest(userId=self.owner, content=text), None)

    def recall(self, question: str, limit: int) -> list[str]:
        return [found["content"] for found in self.search(self.owner, question, top_k=limit)["memories"]]

    def close(self) -> None:
        """Nothing: it opens the file for each call."""


def _install_word_search() -> None:
    """DuckDB would download its extension; here it comes in a wheel of the same version."""
    import duckdb  # type: ignore[import-not-found] # in the environment of the peers only

    folder = Path(str(files("duckdb_extension_fts")))
    [extension] = folder.rglob("fts.duckdb_extension")
    connection = duckdb.connect()
    connection.execute(f"INSTALL '{extension}'")
    connection.execute("LOAD fts")
    connection.close()


def _nearest_before(vectors: Vectors) -> Iterator[tuple[int, int, float]]:
    """For each vector the nearest of those that came earlier: (its place, the earlier place, their cosine)."""
    for start in range(0, len(vectors), _BLOCK):
        block = vectors[start : start + _BLOCK]
        cosines = np.tril(block @ vectors[: start + len(block)].T, start - 1)
        for row, near in enumerate(np.argpartition(-cosines, min(_LINKS, cosines.shape[1] - 1))[:, :_LINKS]):
            for column in near:
                if cosines[row, column] >= _NEAR:
                    yield start + row, int(column), float(cosines[row, column])


if __name__ == "__main__":
    run(YourMemory())
