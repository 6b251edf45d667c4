"""`make bench-peers`: the same recall and add by Ebbing, mem0 and YourMemory, in turn, with the same vectors.

python -m bench.peers [--quick] [--sizes 1000,10000] [--peers mem0,yourmemory] [--env FOLDER] [--json FILE]
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console

from .console import sizes
from .corpus import Corpus
from .machine import machine
from .peers_environment import NotInstalled, default_folder, interpreter
from .peers_report import OURS, TITLES, print_report, write_json
from .peers_run import Contest, Peer, Rounds, Timed

_SIZES = (1_000, 10_000)
_PEERS = tuple(name for name in TITLES if name != OURS)


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and end with 0: a missed target or a peer that does not run is a finding, not a failure."""
    asked = _parsed(arguments)
    console = Console(stderr=True, highlight=False)
    about = machine(asked.folder)
    pythons, missing = {OURS: Path(sys.executable)}, dict[str, str]()
    for name in asked.peers:
        console.print(f"environment of {TITLES[name]}")
        try:
            pythons[name] = interpreter(name, asked.env)
        except NotInstalled as why:
            missing[name] = f"its environment could not be made: {why}"
    by_size = {size: _measured(size, pythons, asked, console) for size in asked.sizes}
    print_report(by_size, missing, about)
    if asked.json is not None:
        write_json(by_size, missing, about, asked.json)
    return 0


def _measured(size: int, pythons: Mapping[str, Path], asked: argparse.Namespace, console: Console) -> list[Timed]:
    """One size, in a folder that is gone afterwards."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ebbing-bench-peers-", dir=asked.folder)))
        peers = [
            stack.enter_context(Peer(name, [str(python), "-m", f"bench.peer_{name}"], folder / name))
            for name, python in pythons.items()
        ]

        def tell(what: str, done: int, total: int) -> None:
            console.print(f"{size:,}: {what}" + (f" {done + 1} of {total}" if total > 1 else ""))

        return Contest(peers, Corpus(size), Rounds(), folder, tell).run()


def _parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.peers", description="How fast Ebbing is beside its peers.")
    parser.add_argument("--sizes", type=sizes, help="memories, comma-separated (default 1000,10000)")
    parser.add_argument("--quick", action="store_true", help="1,000 only unless --sizes says otherwise")
    parser.add_argument("--peers", type=_peers, default=_PEERS, help="which, comma-separated (default all)")
    parser.add_argument(
        "--env", type=Path, default=default_folder(), help="folder for their environments (default: %(default)s)"
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path(tempfile.gettempdir()),
        help="on the disk to be measured (default: %(default)s)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure there too")
    asked = parser.parse_args(arguments)
    asked.sizes = asked.sizes or (_SIZES[:1] if asked.quick else _SIZES)
    return asked


def _peers(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    unknown = set(names) - set(_PEERS)
    if unknown:
        raise argparse.ArgumentTypeError(f"one of {', '.join(_PEERS)}, not {', '.join(sorted(unknown))}")
    return names


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
