"""What a text says, as facts: by a language model where there is one, else by rules.

The model is asked first and believed only in form: an answer that cannot be read, or none at all, leaves the work
to the rules, and the facts say so. Of facts found by rules the judge says which are none, and what the others are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
# What a model says is kept only where it is rather of one of these kinds than of any other: a decision, or something
# about the user.
_MODELS_TELL = ("identity", "health", "preference", "rule", "decision", "lesson")
_MODELS_CERTAINTY = 0.5


def extracted(text: str, work: OperationContext, *, at: datetime | None = None) -> Facts:
    """The facts of a text, none of them stored."""
    said = checked(text, work.policy)
    if said.suspicion is not None:
        return Facts(notes=(f"nothing was taken from it: {said.suspicion}",))
    return _facts(said.text, work, at or work.now, None)


def extract_requests(
    several: Sequence[NewMemoryRequest], work: OperationContext
) -> Iterator[tuple[list[NewMemoryRequest], tuple[str, ...]]]:
    """For each text whose facts are wanted a request for each of them, with the same options, and notes about how that
    was done; any other as it is. A language model is asked about the messages of a conversation together.

    What looks like an instruction stays whole: it is to be looked at, not taken apart; said by a model, it is left.
    """
    read = _facts_of_talk([one for one in several if _is_asked_about(one, work)], work)
    for one in several:
        if not one.extract:
            yield [one], ()
        elif one.suspicion is not None or not one.text:
            yield ([] if one.turn is not None and one.turn.role is Role.ASSISTANT else [one]), ()
        else:
            known = read.get(id(one))
            facts = _facts(one.text, work, one.created_at or work.now, one.turn) if known is None else known
            yield [admit_fact(fact, one, work.policy) for fact in facts], facts.notes


def _is_asked_about(one: NewMemoryRequest, work: OperationContext) -> bool:
    """Whether a language model is asked about it, together with the other messages of a conversation."""
    is_message = one.turn is not None and one.turn.role is not Role.SUMMARY and not one.turn.is_judged
    return is_message and one.extract and one.suspicion is None and bool(one.text) and work.models.llm is not None


def _facts_of_talk(said: Sequence[NewMemoryRequest], work: OperationContext) -> dict[int, Facts]:
    """By the identity of each request, the facts of a message as a language model finds them, or where it does not
    answer, or finds nothing in any of them, as the rules do."""
    models, policy = work.models, work.policy
    if models.llm is None or not said:
        return {}
    messages = [llm_prompts.Said(one.text, _speaker(one.turn), one.created_at or work.now, _asked(one)) for one in said]
    try:
        found = llm_prompts.extracted_from_talk(
            messages, models, categories=policy.categories, importance=policy.defaults.importance
        )
        why = f"language model {models.llm.name} found nothing; the facts were found by rules instead"
    except Unavailable as error:
        found, why = [], f"{error}; the facts were found by rules instead"
    if any(found):
        return {id(one): Facts(facts, by=models.llm.name) for one, facts in zip(said, found, strict=True)}
    return {id(one): _by_rules(one.text, work, one.created_at or work.now, one.turn, why) for one in said}


def _speaker(turn: Turn | None) -> str:
    if turn is None or turn.name is None:
        return "the user" if turn is None or turn.role is Role.USER else f"the {turn.role}"
    return turn.name


def _asked(one: NewMemoryRequest) -> str | None:
    return None if one.turn is None else one.turn.question


def _facts(text: str, work: OperationContext, at: datetime, turn: Turn | None) -> Facts:
    policy, models = work.policy, work.models
    if models.llm is None or (turn is not None and turn.role is not Role.SUMMARY):
        return _by_rules(text, work, at, turn)
    otherwise = policy.defaults.importance
    try:
        found = llm_prompts.extracted(text, models, at=at, categories=policy.categories, importance=otherwise)
    except Unavailable as error:
        return _by_rules(text, work, at, turn, f"{error}; the facts were found by rules instead")
    return Facts(found, by=models.llm.name)


def _by_rules(text: str, work: OperationContext, at: datetime, turn: Turn | None, *notes: str) -> Facts:
    texts = _told(text, at, turn)
    readings, more = work.models.read([one.text for one in texts])
    kept = [one for one in texts if _is_worth_keeping(one.text, readings.get(one.text), turn)]
    facts = [replace(_fact(one.text, readings.get(one.text), work.policy), evidence=one.sentence) for one in kept]
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
    category = policy.judge.category_of(reading, defaults.category)
    importance = defaults.importance
    if defaults.estimate_importance:
        importance = policy.judge.importance_of(reading, defaults.importance)
    return Fact(text, category if category in policy.categories else defaults.category, importance)
