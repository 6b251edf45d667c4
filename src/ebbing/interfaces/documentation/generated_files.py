"""Every generated file of docs/, and writing those that changed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from . import api_page, pictures, tool_page


def generated() -> Mapping[str, str]:
    """Every generated file, by its path below docs/."""
    drawn = {f"pictures/{name}.svg": picture for name, picture in pictures.all_pictures().items()}
    return {"reference.md": tool_page.page(), "api.md": api_page.page(), **drawn}


def write(folder: Path) -> list[Path]:
    """Write them below `folder`; returns the paths of those that changed."""
    changed = []
    for name, content in generated().items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
            changed.append(path)
    return changed
