"""One measurement in a process of its own: `python -m bench.probe ebbing|bare|judge FILE`, the answer as JSON.

Opening, the first recall and the memory a process takes can only be measured where nothing has
been imported, opened or read before. FILE says what to open and what to ask. Imports are part
of what is measured, so they stand where they happen.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any


def ebbing_process(given: dict[str, Any]) -> dict[str, float]:
    """Import, open, list one memory, recall."""
    started = time.perf_counter()
    import ebbing
    import ebbing.wiring  # `import ebbing` alone leaves the engine for its first use

    imported = time.perf_counter()
    engine = ebbing.open(
        given["address"], owner=given["owner"], embedder=_Given(given), clock=_Standing(given["now"]), judge="off"
    )
    engine.list(limit=1)
    opened = time.perf_counter()
    found = engine.recall(given["question"])
    recalled = time.perf_counter()
    for question in given.get("more_questions", ()):
        engine.recall(question)
    return _answer(started, imported, opened, recalled, len(found))


def bare_process(given: dict[str, Any]) -> dict[str, float]:
    """Import the driver, open, read one row; then read the vectors and ask."""
    started = time.perf_counter()
    if given["store"] == "sqlite":
        import apsw

        imported = time.perf_counter()
        connection: Any = apsw.Connection(given["bare_address"])
        mark = "?"
    else:
        import psycopg

        imported = time.perf_counter()
        connection = psycopg.connect(given["bare_address"])
        mark = "%s"
    statement = f"SELECT * FROM rows WHERE owner = {mark} ORDER BY id DESC LIMIT 1"
    connection.execute(statement, (given["owner"],)).fetchall()
    opened = time.perf_counter()
    import numpy as np

    from .stores import open_floor

    floor = open_floor(given["store"], given["bare_address"])
    asking = time.perf_counter()
    floor.warm(given["owner"])
    found = floor.recall(given["owner"], given["words"], np.array(given["vector"], dtype=np.float32))
    recalled = time.perf_counter()
    return _answer(started, imported, opened, recalled - asking + opened, found)


def _answer(started: float, imported: float, opened: float, recalled: float, found: int) -> dict[str, float]:
    import psutil

    memory = psutil.Process().memory_info()
    return {
        "import_ms": 1000 * (imported - started),
        "open_ms": 1000 * (opened - imported),
        "first_recall_ms": 1000 * (recalled - opened),
        "resident_mb": memory.rss / 1e6,
        # Pages of a file that is mapped are the system's to take back; where it does not tell, they are counted.
        "own_mb": (memory.rss - getattr(memory, "shared", 0)) / 1e6,
        "found": found,
    }


def judge_process(_given: dict[str, Any]) -> dict[str, float]:
    """Load the trained model and have it read one pair."""
    import ebbing.providers.judge

    started = time.perf_counter()
    ebbing.providers.judge.PackagedJudge().relate([("We call on Zoom.", "We call on Teams these days.")])
    loaded = time.perf_counter()
    import psutil

    return {"load_ms": 1000 * (loaded - started), "resident_mb": psutil.Process().memory_info().rss / 1e6}


class _Given:
    """An embedder for the one question there is."""

    unrelated = 0.0

    def __init__(self, given: dict[str, Any]) -> None:
        self.fingerprint: str = given["fingerprint"]
        self._vector = given["vector"]

    def embed(self, texts: Any, *, query: bool = False) -> Any:  # noqa: ARG002 - one way for both
        import numpy as np

        return np.array([self._vector for _ in texts], dtype=np.float32)


class _Standing:
    """The moment the bench has come to."""

    def __init__(self, now: str) -> None:
        from datetime import datetime

        self._now = datetime.fromisoformat(now)

    def now(self) -> Any:
        return self._now


if __name__ == "__main__":
    what, file = sys.argv[1:]
    act = {"ebbing": ebbing_process, "bare": bare_process, "judge": judge_process}[what]
    print(json.dumps(act(json.loads(Path(file).read_text("utf-8")))))
