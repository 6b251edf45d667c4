"""The policy bench: another policy tried on the owner's own past, by sliders. Nothing is changed by trying."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from ...domain.errors import InvalidPolicy
from ...domain.memory import Status
from ...domain.policy import Policy
from ...domain.policy.loader import load, presets
from ...operations.foresight import Simulation
from .visit import Visit

_DAYS, _DAYS_MOST = 7, 3650
_LISTED_MOST = 50
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Slider:
    """One number of a policy that can be moved."""

    name: str
    least: float
    most: float
    step: float
    value: float
    in_use: float


def read(visit: Visit) -> Mapping[str, Any]:
    """The sliders; and once they are tried, what would have gone otherwise."""
    engine = visit.engine
    base_name = visit.text("base")
    base = engine.policy if base_name not in presets() else load(str(base_name))
    sliders = _sliders(visit, base, engine.policy)
    days = visit.count("days", _DAYS, _DAYS_MOST)
    tried, wrong = None, None
    try:
        tried = _moved(base, {slider.name: slider.value for slider in sliders})
    except InvalidPolicy as error:
        wrong = str(error)
    model: dict[str, Any] = {
        "sliders": sliders,
        "base": base_name,
        "presets": presets(),
        "in_use": engine.policy.name,
        "days": days,
        "result": None,
        "wrong": wrong,
        "written": _written(base, sliders),
    }
    if visit.text("try") is not None and tried is not None:
        model["result"] = _compared(engine.simulate(engine.policy, days=days), engine.simulate(tried, days=days), visit)
    return model


def _sliders(visit: Visit, base: Policy, used: Policy) -> list[Slider]:
    def slider(name: str, least: float, most: float, step: float) -> Slider:
        moved = visit.share(name)
        value = _values(base)[name] if moved is None else min(max(moved, least), most)
        return Slider(name, least, most, step, value, _values(used)[name])

    return [
        slider("slowdown", 0.25, 6.0, 0.05),
        slider("summarize", 0.0, 0.9, 0.01),
        slider("detach", 0.0, 0.8, 0.01),
        slider("archive", 0.0, 0.5, 0.01),
        slider("grace", 0.0, 60.0, 1.0),
    ]


def _values(policy: Policy) -> dict[str, float]:
    ladder = policy.ladder
    return {
        "slowdown": policy.curve.slowdown,
        "summarize": ladder.summarize,
        "detach": ladder.detach,
        "archive": ladder.archive,
        "grace": policy.time.grace / _DAY,
    }


def _moved(base: Policy, values: Mapping[str, float]) -> Policy:
    """The policy with these numbers; refused where they cannot work together."""
    ladder = replace(base.ladder, summarize=values["summarize"], detach=values["detach"], archive=values["archive"])
    time, curve = replace(base.time, grace=values["grace"] * _DAY), replace(base.curve, slowdown=values["slowdown"])
    return load(replace(base, name=f"{base.name}, moved", ladder=ladder, time=time, curve=curve))


def _written(base: Policy, sliders: list[Slider]) -> str:
    """The policy as a file that `--policy` takes: what it extends, and what was moved."""
    was = _values(base)
    moved = {slider.name: slider.value for slider in sliders if slider.value != was[slider.name]}
    tables = {"time": ("grace",), "curve": ("slowdown",), "ladder": ("summarize", "detach", "archive")}
    lines = [f'extends = "{base.name}"']
    for table, names in tables.items():
        given = [name for name in names if name in moved]
        lines += ["", f"[{table}]"] if given else []
        lines += [f'{name} = "{moved[name]:g}d"' if name == "grace" else f"{name} = {moved[name]:g}" for name in given]
    return "\n".join(lines)


def _compared(now: Simulation, then: Simulation, visit: Visit) -> Mapping[str, Any]:
    """Where the two differ at the end, and which recalls would have missed."""
    kept, also = _kept(now), _kept(then)
    known = {(miss.at, miss.memory) for miss in now.misses}
    missed = [miss for miss in then.misses if (miss.at, miss.memory) not in known]
    fewer, more = sorted(kept - also, reverse=True), sorted(also - kept, reverse=True)
    engine = visit.engine
    shown = {memory.id: memory for memory in engine.browse_ids([*fewer[:_LISTED_MOST], *more[:_LISTED_MOST]])}
    return {
        "now": now.points,
        "then": then.points,
        "since": now.since,
        "at": now.now,
        "until": now.until,
        "kept_now": len(kept),
        "kept_then": len(also),
        "fewer": len(fewer),
        "more": len(more),
        "fewer_shown": [shown[id_] for id_ in fewer[:_LISTED_MOST] if id_ in shown],
        "more_shown": [shown[id_] for id_ in more[:_LISTED_MOST] if id_ in shown],
        "missed": len(missed),
        "missed_shown": missed[:_LISTED_MOST],
        "recalls": then.recalls,
        "notes": then.notes,
    }


def _kept(simulation: Simulation) -> set[str]:
    return {id_ for id_, status in simulation.standing.items() if status is Status.ACTIVE}
