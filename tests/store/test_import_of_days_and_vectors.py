"""Numbers in a file that would steer the importer's store: days of use and vectors."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ebbing.domain.errors import Invalid
from ebbing.engine import Engine
from ebbing.ports import View
from tests.conftest import OpenEngine

Line = dict[str, Any]


def forged(engine: Engine, folder: Path, kind: str, change: Callable[[Line], object]) -> Path:
    """An export with every line of a kind changed."""
    engine.remember("Tea is served at four.")
    engine.export(folder / "all.jsonl")
    lines = [json.loads(line) for line in (folder / "all.jsonl").read_text("utf-8").splitlines()]
    for line in lines:
        if line["kind"] == kind:
            change(line)
    (folder / "forged.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return folder / "forged.jsonl"


def test_a_number_of_days_that_no_calendar_reaches_is_refused(open_engine: OpenEngine, tmp_path: Path) -> None:
    """Counting on from it leaves what an import takes: a backup made some days later could not be brought back."""
    path = forged(open_engine("source"), tmp_path, "day", lambda line: line.update(day=2**31 - 2))
    with pytest.raises(Invalid, match="day is 2147483646, and must be a whole number from 0 to"):
        open_engine("target").import_(path)


def test_a_day_that_is_still_to_come_stops_no_counting(open_engine: OpenEngine, tmp_path: Path) -> None:
    """A file may come from a machine whose clock was wrong: the days of use here go on from its number."""
    path = forged(open_engine("source"), tmp_path, "day", lambda line: line.update(date="8999-12-31"))
    target = open_engine("target")
    target.import_(path)
    target.remember("Coffee is served at five.")
    with target.store.read(View("target", every_agent=True)) as tx:
        assert tx.owner.activity.date == target.clock.now().date()


@pytest.mark.parametrize("number", [1.0, 60000.0])
def test_a_vector_that_outshouts_all_others_is_refused(open_engine: OpenEngine, tmp_path: Path, number: float) -> None:
    """Vectors are compared by their product: a long one would be near to half of all questions."""

    def lengthen(line: Line) -> None:
        width = len(base64.b64decode(line["vector"])) // 2
        line["vector"] = base64.b64encode(np.full(width, number, dtype="<f2").tobytes()).decode()

    path = forged(open_engine("source"), tmp_path, "memory", lengthen)
    with pytest.raises(Invalid, match="of length 1 at most"):
        open_engine("target").import_(path)
