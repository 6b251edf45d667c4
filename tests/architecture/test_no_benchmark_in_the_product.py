"""The product knows no benchmark: neither its name, nor the marks of its files."""

from __future__ import annotations

import re
from pathlib import Path

import ebbing

NAMES = re.compile(r"->->|\b(?:beam|locomo|longmemeval|factconsolidation|mquake|memoryagentbench)\b", re.IGNORECASE)


def test_no_source_names_a_benchmark_or_reads_its_marks() -> None:
    """A rule that only a benchmark's rows need makes its figure better and the product no better."""
    sources = Path(ebbing.__file__).parent.rglob("*.py")
    assert [path.name for path in sources if NAMES.search(path.read_text())] == []
