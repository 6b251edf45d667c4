"""What decides how a memory fades, in words: how long it is taken to stay true, how long ago it was used, how often."""

from __future__ import annotations

from .memory import Lifetime, Memory


def how_long_it_lasts(memory: Memory) -> list[str]:
    """One sentence."""
    known = memory.lifetime is not None or memory.valid_until is not None
    harm = f"; its harm is {memory.harm}, from 0 to 3" if memory.harm else ""
    if not known:
        return [f"Nobody said how long it stays true: its category decides how it fades{harm}."]
    lifetime = (
        "" if memory.lifetime is None else f" for {'a ' if memory.lifetime is Lifetime.LIFE else ''}{memory.lifetime}"
    )
    until = "" if memory.valid_until is None else f" until {memory.valid_until:%Y-%m-%d %H:%M}"
    return [f"It is taken to stay true{lifetime}{',' if lifetime and until else ''}{until}{harm}."]


def in_days(count: float, unit: str) -> str:
    return f"{count:.0f} {unit.replace('days', 'day', 1) if round(count) == 1 else unit}"


def in_times(count: float) -> str:
    return {0: "never used", 1: "used once", 2: "used twice"}.get(round(count), f"used {count:.0f} times")
