"""`make bench-remember`: what the way in keeps, retires, merges, takes apart and turns away, with no language model.

python -m bench.remember --data FOLDER [--only facts,beam,memora,pairs,units,guard,speed] [--quick] [--json FILE]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from . import (
    remember_beam,
    remember_facts,
    remember_guard,
    remember_memora,
    remember_pairs,
    remember_speed,
    remember_units,
)
from .console import bars, measured
from .remember_figures import Tally, total
from .remember_report import Report, Told, write_json
from .remember_stage import processes

SECTIONS: dict[str, ModuleType] = {
    "facts": remember_facts,
    "beam": remember_beam,
    "memora": remember_memora,
    "pairs": remember_pairs,
    "units": remember_units,
    "guard": remember_guard,
    "speed": remember_speed,  # last, when the others are done: it is a time
}


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and end with 0: a missed target is a finding, not a failure."""
    asked = _parsed(arguments)
    folder = Path(asked.data)
    if not folder.is_dir():
        print(f"{folder} is no folder; give one with the public data that bench/README.md names", file=sys.stderr)
        return 2
    report, told = Report(quick=asked.quick), []
    for name in asked.only:
        section = SECTIONS[name]
        tasks: list[Callable[[], Tally]] = section.tasks(folder, quick=asked.quick)
        with bars() as bar:
            tally = total(measured(tasks, 1 if name == "speed" else asked.jobs, name, bar))
        told.append(Told(name, section.TITLE, section.lines(tally), tally))
        report.tell(told[-1])
        if asked.json is not None:
            write_json(told, asked.json)
    report.conclude(told)
    return 0


def _parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.remember", description="What the way in makes of what it is told.")
    parser.add_argument("--data", required=True, metavar="FOLDER", help="with the public data in it")
    parser.add_argument("--only", type=_sections, default=list(SECTIONS), help=f"some of {','.join(SECTIONS)}")
    parser.add_argument("--quick", action="store_true", help="a part of everything: under half a minute")
    parser.add_argument("--jobs", type=int, default=processes(), help="processes (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure and the telling cases there too")
    return parser.parse_args(arguments)


def _sections(text: str) -> list[str]:
    names = text.split(",")
    unknown = [name for name in names if name not in SECTIONS]
    if unknown:
        raise argparse.ArgumentTypeError(f"{', '.join(unknown)}: not among {', '.join(SECTIONS)}")
    return [name for name in SECTIONS if name in names]


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
