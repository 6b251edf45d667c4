"""The pages and pictures of docs/ that are made from the code: `python -m ebbing.interfaces.documentation`.

    tool_page.py    docs/reference.md: every tool, out of its declaration
    api_page.py     docs/api.md: the public names, out of their signatures and docstrings
    pictures.py     docs/pictures: what policies do to a memory, drawn with the one strength function
    help_texts.py   the parameters in `help(Engine.recall)`

A test compares docs/ with what would be generated.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def generated() -> Mapping[str, str]:
    """Every generated file, by its path below docs/."""
    from . import api_page, pictures, tool_page  # not where only the help texts are asked for

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
