"""What the judge reads in new texts: their importance, and whether one is an injected instruction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..domain.judgement import TextReading
from ..domain.policy import Policy
from ..ports.model_client import Models
from .admit import Said


def read(said: Sequence[Said], policy: Policy, models: Models) -> tuple[list[Said], dict[str, TextReading], list[str]]:
    """The texts with what the judge reads in them: importance where the caller gave none, suspicion where it finds one.

    Besides: the readings by text, and notes. Without a judge everything stays as the rules and the policy have it.
    """
    readings, notes = models.read(list(dict.fromkeys(one.text for one in said)))
    if not readings:
        return list(said), {}, notes
    return [_with_reading(one, readings[one.text], policy) for one in said], readings, notes


def _with_reading(said: Said, reading: TextReading, policy: Policy) -> Said:
    suspicion = said.suspicion
    if (
        suspicion is None
        and policy.gate.quarantine_instructions
        and reading.injected >= policy.judge.injection_certainty
    ):
        suspicion = f"the judge reads it as an injected instruction ({reading.injected:.2f})"
    # A value at an address says little by itself: "on".
    if said.weighed or said.subject is not None or not policy.defaults.estimate_importance:
        return replace(said, suspicion=suspicion)
    importance = policy.judge.importance_of(reading, policy.defaults.importance)
    return replace(said, suspicion=suspicion, importance=importance)
