"""`make bench-serve`: many clients at once against `ebbing serve`, and how long they wait.

python -m bench.serve [--clients 200] [--seconds 60] [--json FILE]

The server is the real program on a file of its own; the clients are one process of tasks on loopback, so on a small
machine they take their share of it. Each asks as agents do: mostly recall, some remembering, some saying what was of
use. At the end the store is asked whether every use was counted.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from .machine import machine, sentence

_ROUND = ("recall", "recall", "recall", "recall", "context", "remember", "used", "get")
_MEMORIES = 1000  # there before anybody asks
_PATIENCE_SECONDS = 60


@dataclass
class Tally:
    """What the clients met."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: collections.defaultdict(list))
    errors: collections.Counter[str] = field(default_factory=collections.Counter)
    uses: int = 0


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and end with 1 if anything was lost or refused."""
    asked = _parsed(arguments)
    with tempfile.TemporaryDirectory() as folder, _served(Path(folder)) as address:
        about = machine(Path(folder))
        tally, counted, took = asyncio.run(_measured(address, asked.clients, asked.seconds))
    figures = _figures(tally, took)
    print(f"{asked.clients} clients for {took:.0f} s on loopback. {sentence(about)}\n")
    print("| request | count | a second | p50 ms | p95 ms | p99 ms | longest ms |\n|---|---|---|---|---|---|---|")
    for name, row in figures.items():
        print(f"| {name} | " + " | ".join(f"{value:,.1f}" if value % 1 else f"{value:,.0f}" for value in row) + " |")
    print(f"\nErrors: {dict(tally.errors) or 'none'}. Uses said: {tally.uses}, counted: {counted}.")
    if asked.json:
        told = {"machine": about, "clients": asked.clients, "figures": figures, "errors": dict(tally.errors)}
        Path(asked.json).write_text(json.dumps(told, indent=2), encoding="utf-8")
    return int(bool(tally.errors) or counted != tally.uses)


@contextlib.contextmanager
def _served(folder: Path) -> Iterator[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("EBBING_")}
    program = Path(sys.executable).with_name("ebbing")
    command = [str(program), "serve", "--db", str(folder / "memory.db"), "--port", "0", "--rate", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as running:
        try:
            said = running.stderr.readline() if running.stderr else ""
            found = re.search(r"listening on (\S+)", said)
            if found is None:
                raise SystemExit(f"the server did not start: {said}")
            yield found[1]
        finally:
            running.terminate()


async def _measured(address: str, clients: int, seconds: float) -> tuple[Tally, int, float]:
    limits = httpx2.Limits(max_connections=clients, max_keepalive_connections=clients)
    async with httpx2.AsyncClient(base_url=address, limits=limits, timeout=_PATIENCE_SECONDS) as client:
        ids = [
            await _remembered(client, f"fact number {number} is about topic {number % 50}")
            for number in range(_MEMORIES)
        ]
        shared = await _remembered(client, "everybody knows this")
        tally = Tally()
        began = time.perf_counter()
        lives = (_live(client, tally, number, [*ids, shared], began + seconds) for number in range(clients))
        await asyncio.gather(*lives)
        took = time.perf_counter() - began
        counted = (await client.get(f"/v1/memories/{shared}")).json()["recall_count"]
    return tally, counted, took


async def _remembered(client: httpx2.AsyncClient, text: str) -> str:
    answer = await client.post("/v1/memories", json={"text": text})
    return str(answer.json()["memories"][0]["id"])


async def _live(client: httpx2.AsyncClient, tally: Tally, number: int, ids: list[str], until: float) -> None:
    """One client, asking one thing after the other."""
    turn = 0
    while time.perf_counter() < until:
        name = _ROUND[(turn + number) % len(_ROUND)]
        turn += 1
        method, path, body = _request(name, number, turn, ids)
        began = time.perf_counter()
        try:
            answer = await client.request(method, path, json=body)
        except httpx2.HTTPError as error:
            tally.errors[type(error).__name__] += 1
            continue
        tally.seconds[name].append(time.perf_counter() - began)
        if not answer.is_success:
            tally.errors[f"{name} {answer.status_code}"] += 1
        elif name == "used":
            tally.uses += 1


def _request(name: str, number: int, turn: int, ids: list[str]) -> tuple[str, str, Any]:
    about = f"what about topic {(number + turn) % 50}?"
    session = f"{number}.{turn}"  # a use counts once a session
    return {
        # Not strengthening, so that the uses can be counted.
        "recall": ("POST", "/v1/memories/search", {"query": about, "reinforce": False}),
        "context": ("POST", "/v1/context", {"query": about, "budget_tokens": 200, "scope": f"/{number}"}),
        "remember": ("POST", "/v1/memories", {"text": f"client {number} said {turn}", "scope": f"/{number}"}),
        "used": ("POST", "/v1/memories/used", {"ids": [ids[-1]], "session": session}),
        "get": ("GET", f"/v1/memories/{ids[(number * 7 + turn) % (len(ids) - 1)]}", None),
    }[name]


def _figures(tally: Tally, took: float) -> dict[str, list[float]]:
    every = [second for several in tally.seconds.values() for second in several]
    return {name: _row(several, took) for name, several in [*sorted(tally.seconds.items()), ("all", every)]}


def _row(seconds: list[float], took: float) -> list[float]:
    ordered = sorted(seconds)
    at = [ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000 for share in (0.5, 0.95, 0.99)]
    return [
        len(ordered),
        round(len(ordered) / took, 1),
        *(round(value, 1) for value in at),
        round(ordered[-1] * 1000, 1),
    ]


def _parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.serve", description=__doc__)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--json", help="every figure, for a program to read")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
