"""mem0 with its local Qdrant, as `pip install mem0ai` gives it, its embedder replaced; run in its own environment.

Without its language model (`infer=False`): the text is kept as it is, which is its quickest way in.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any
from uuid import UUID

from .peer_lines import Opened, Vectors, run

_BATCH = 500
_LOADED_AT = "2026-01-01T00:00:00+00:00"


class GivenVectors:
    """In the place of mem0's embedding model, with the one method that add and search call."""

    def __init__(self, given: dict[str, Vectors]) -> None:
        self._given = given

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:  # noqa: ARG002 - one way for all
        vector: list[float] = self._given[text].tolist()
        return vector


class Mem0:
    """`Memory.add(infer=False)` and `Memory.search`."""

    def __init__(self) -> None:
        self.given: dict[str, Vectors] = {}
        self.memory: Any = None
        self.owner = ""

    def open(self, folder: Path, owner: str, dimensions: int) -> Opened:
        # Read when the package is imported, so they are set before.
        os.environ |= {"MEM0_DIR": str(folder), "MEM0_TELEMETRY": "False"}
        from mem0 import Memory  # type: ignore[import-not-found] # in the environment of the peers only

        qdrant = {"path": str(folder / "qdrant"), "on_disk": True, "embedding_model_dims": dimensions}
        unasked = {"provider": "openai", "config": {"api_key": "none"}}  # made at the start, and never asked
        self.owner = owner
        self.memory = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": qdrant},
                "history_db_path": str(folder / "history.db"),
                "embedder": unasked,
                "llm": unasked,
            }
        )
        self.memory.embedding_model = GivenVectors(self.given)
        notes = ["without a language model (infer=False); vectors alone, as its word search needs further packages"]
        return Opened(f"{version('mem0ai')}, qdrant-client {version('qdrant-client')}", notes)

    def load(self, texts: Sequence[str], vectors: Vectors) -> int:
        """The points that `add` would have made, many in one call: its history of changes is not read by a search."""
        store = self.memory.vector_store
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            payloads = [self._payload(text) for text in batch]
            ids = [str(UUID(payload["hash"])) for payload in payloads]
            store.insert(vectors=vectors[start : start + _BATCH].tolist(), payloads=payloads, ids=ids)
        return int(store.client.count(store.collection_name).count)

    def _payload(self, text: str) -> dict[str, str]:
        return {
            "user_id": self.owner,
            "role": "user",
            "data": text,
            "hash": hashlib.md5(text.encode()).hexdigest(),
            "created_at": _LOADED_AT,
            "updated_at": _LOADED_AT,
            "text_lemmatized": text.lower(),
        }

    def add(self, text: str) -> None:
        self.memory.add(text, user_id=self.owner, infer=False)

    def recall(self, question: str, limit: int) -> list[str]:
        found = self.memory.search(question, filters={"user_id": self.owner}, top_k=limit)
        return [one["memory"] for one in found["results"]]

    def close(self) -> None:
        self.memory.close()
        self.memory.vector_store.client.close()


if __name__ == "__main__":
    run(Mem0())
