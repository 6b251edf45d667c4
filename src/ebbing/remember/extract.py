"""What a text says, as facts: by a language model where there is one, else by rules.

The model is asked first and believed only in form: an answer that cannot be read, or none at all, leaves the work
to the rules, and the facts say so. Of facts found by rules the judge says which are none, and what the others are.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from ..domain.errors import Unavailable
from ..domain.judgement import TextReading
from ..domain.memory import Lifetime
from ..domain.policy import Policy
from ..domain.results import Fact, Facts
from ..lifecycle.operation_context import OperationContext
from . import llm_prompts
from .admit import NewMemoryRequest, admit_fact, checked
from .extract_rules import Told, told
from .messages import Role, Turn

_NO_FACTS = ("chatter", "tool_output")  # kinds of text that are not worth a memory of their own …
_NO_FACT_CERTAINTY = 0.8  # … from this probability on …
_FLEETING_CERTAINTY = {"chatter": 0.4, "tool_output": 0.5}  # … or from this on, where it is of no use in some hours
# What people write beside the output of a tool: the judge, which sees one line, takes it for more of the same.
_BESIDE_OUTPUT = re.compile(
    r"\W*(?:note|lesson|learned|conclusion|decision|decided|todo|fix|fixed|(?:root )?cause|solution|me|nb|ps|important"
    r"|update|summary|outcome|verdict|done|blocked)\b[^:\n]{0,40}:",
    re.IGNORECASE,
)
# What a model says is kept only where it is surely of one of these kinds: a decision, or something about the user.
_MODELS_TELL = ("identity", "health", "preference", "rule", "decision", "lesson")
_MODELS_CERTAINTY = 0.8
# The category of a fact by the kind that the judge reads; of any other kind it is the policy's default.
_CATEGORIES = {
    "identity": "identity",
    "health": "identity",
    "preference": "preference",
    "decision": "decision",
    "rule": "gotcha",
    "lesson": "strategy",
    "tool_output": "tool_output",
}


def extracted(text: str, work: OperationContext, *, at: datetime | None = None) -> Facts:
    """The facts of a text, none of them stored."""
    said = checked(text, work.policy)
    if said.suspicion is not None:
        return Facts(notes=(f"nothing was taken from it: {said.suspicion}",))
    return _facts(said.text, work, at or work.now, None)


def extract_requests(said: NewMemoryRequest, work: OperationContext) -> tuple[list[NewMemoryRequest], tuple[str, ...]]:
    """A request for each fact in the text of one, with the same options; and notes about how that was done.

    What looks like an instruction stays whole: it is to be looked at, not taken apart; said by a model, it is left.
    """
    if said.suspicion is not None or not said.text:
        return ([], ()) if said.turn is not None and said.turn.role is Role.ASSISTANT else ([said], ())
    facts = _facts(said.text, work, said.created_at or work.now, said.turn)
    return [admit_fact(fact, said, work.policy) for fact in facts], facts.notes


def _facts(text: str, work: OperationContext, at: datetime, turn: Turn | None) -> Facts:
    notes: list[str] = []
    policy, models = work.policy, work.models
    if models.llm is not None:
        otherwise = policy.defaults.importance
        speaker = None if turn is None else turn.name
        try:
            found = llm_prompts.extracted(
                text, models, at=at, categories=policy.categories, importance=otherwise, speaker=speaker
            )
            return Facts(found, by=models.llm.name)
        except Unavailable as error:
            notes.append(f"{error}; the facts were found by rules instead")
    texts = _told(text, at, turn)
    readings, more = models.read([one.text for one in texts])
    kept = [one for one in texts if _is_worth_keeping(one.text, readings.get(one.text), turn)]
    facts = [replace(_fact(one.text, readings.get(one.text), policy), evidence=one.sentence) for one in kept]
    return Facts(facts, notes=(*notes, *more))


def _told(text: str, at: datetime, turn: Turn | None) -> list[Told]:
    if turn is None:
        return told(text, at=at)
    if turn.question is None:
        return told(text, at=at, speaker=turn.name, is_talk=turn.role is not Role.SUMMARY)
    return [Told(f"{turn.question} {text}", text)]


def _is_worth_keeping(text: str, reading: TextReading | None, turn: Turn | None) -> bool:
    """Not where the judge is certain that a text is small talk or what a tool wrote, and in a conversation, of which
    most is, not where that is likeliest; of what a model said, only where it is certain that it is more than that."""
    if turn is not None and turn.is_judged:
        return reading is not None and reading.kind in _MODELS_TELL and reading.kind_probability >= _MODELS_CERTAINTY
    if reading is None or reading.kind not in _NO_FACTS or _BESIDE_OUTPUT.match(text):
        return True
    is_fleeting = turn is not None and Lifetime(reading.lifetime) is Lifetime.HOURS
    return reading.kind_probability < (_FLEETING_CERTAINTY[reading.kind] if is_fleeting else _NO_FACT_CERTAINTY)


def _fact(text: str, reading: TextReading | None, policy: Policy) -> Fact:
    """A fact with the category and the importance that the judge reads; without a judge, the policy's defaults."""
    defaults = policy.defaults
    if reading is None:
        return Fact(text, defaults.category, defaults.importance)
    category = _CATEGORIES.get(reading.kind, defaults.category)
    importance = defaults.importance
    if defaults.estimate_importance:
        importance = policy.judge.importance_of(reading, defaults.importance)
    return Fact(text, category if category in policy.categories else defaults.category, importance)
