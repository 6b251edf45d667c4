"""What a text says, as facts: by a language model where there is one, else by rules; and which facts a talk holds.

The model is asked first and believed only in form: an answer that cannot be read, or none at all, leaves the work
to the rules, and the facts say so. Of facts found by rules the judge says which are none, and what the others are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from ..domain.errors import Invalid, Unavailable
from ..domain.judgement import TextReading
from ..domain.policy import Policy
from ..domain.results import Fact, Facts
from ..lifecycle.operation_context import OperationContext
from ..text.visible_text import visible
from . import llm_prompts
from .admit import NewMemoryRequest, admit_fact, checked
from .extract_rules import decomposed

# Who speaks in a talk, and what kind of source that makes of them; whoever sets the rules says nothing to remember.
_ROLES = {"user": "user", "human": "user", "assistant": "model", "ai": "model", "tool": "tool", "function": "tool"}
_RULES = ("system", "developer")
_BYTES_A_CHARACTER = 4  # at most
_NO_FACTS = ("chatter", "tool_output")  # kinds of text that are not worth a memory of their own …
_NO_FACT_CERTAINTY = 0.8  # … from this probability on
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


class Turn(NamedTuple):
    """One message of a talk."""

    text: str
    source: str


def extracted(text: str, work: OperationContext, *, at: datetime | None = None) -> Facts:
    """The facts of a text, none of them stored."""
    said = checked(text, work.policy)
    if said.suspicion is not None:
        return Facts(notes=(f"nothing was taken from it: {said.suspicion}",))
    return _facts(said.text, work, at or work.now)


def extract_requests(said: NewMemoryRequest, work: OperationContext) -> tuple[list[NewMemoryRequest], tuple[str, ...]]:
    """A request for each fact in the text of one, with the same options; and notes about how that was done.

    What looks like an instruction stays whole: it is to be looked at, not taken apart.
    """
    if said.suspicion is not None or not said.text:
        return [said], ()
    facts = _facts(said.text, work, said.created_at or work.now)
    return [admit_fact(fact, said, work.policy) for fact in facts], facts.notes


def items_of_talk(
    talk: str | Sequence[Mapping[str, Any]], work: OperationContext, *, scope: str, session: str | None
) -> list[dict[str, Any]]:
    """What `remember_many` takes to keep the facts of a talk: a summary of it, or its messages."""
    return [
        {
            "text": turn.text,
            "source": work.writer.own_kind(turn.source, work.policy),
            "extract": True,
            "scope": scope,
            "session": session,
        }
        for turn in turns(talk, work.policy.limits.text_bytes)
    ]


def turns(talk: str | Sequence[Mapping[str, Any]], bytes_max: int) -> list[Turn]:
    """A summary as one turn, or the messages of a talk as theirs: whatever was said by whoever may be remembered.

    What is longer than a text may be comes in pieces: one long message must not cost all the others.
    """
    if isinstance(talk, str):
        return [Turn(piece, "summary") for piece in _pieces(talk, bytes_max)] or [Turn(talk, "summary")]
    given: Any = talk
    messages = list(given) if isinstance(given, Iterable) else [given]
    if not all(isinstance(message, Mapping) for message in messages):
        raise Invalid("give the summary as text, or the messages as a list of mappings with role and content")
    found = []
    for message in messages:
        role = str(message.get("role", "user")).lower()
        text = "\n".join(_texts(message.get("content"))).strip()
        if role not in _RULES:
            found += [Turn(piece, _ROLES.get(role, "unknown")) for piece in _pieces(text, bytes_max)]
    return found


def _pieces(text: str, bytes_max: int) -> Iterable[str]:
    """A text in pieces that show something and are not too long, cut behind a line, else a word, else anywhere."""
    most = max(bytes_max // _BYTES_A_CHARACTER, 1)
    start = 0
    while start < len(text):
        # A character has at least one byte, so no more of the rest than this needs to be measured.
        rest = text[start : start + bytes_max + 1]
        piece = rest
        if len(rest.encode(errors="replace")) > bytes_max:
            end = next((cut for mark in "\n ." if (cut := rest.rfind(mark, 1, most) + 1) > most // 2), most)
            piece = rest[:end]
        if visible(piece).strip():
            yield piece
        start += len(piece)


def _texts(content: Any) -> Iterable[str]:
    """The words of a message, be it text or a list of parts of which some are text."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, Sequence):
        for part in content:
            if isinstance(part, str):
                yield part
            elif isinstance(part, Mapping) and isinstance(part.get("text"), str):
                yield part["text"]


def _facts(text: str, work: OperationContext, at: datetime) -> Facts:
    notes: list[str] = []
    policy, models = work.policy, work.models
    if models.llm is not None:
        otherwise = policy.defaults.importance
        try:
            found = llm_prompts.extracted(text, models, at=at, categories=policy.categories, importance=otherwise)
            return Facts(found, by=models.llm.name)
        except Unavailable as error:
            notes.append(f"{error}; the facts were found by rules instead")
    texts = decomposed(text, at=at)
    readings, more = models.read(texts)
    facts = [_fact(one, readings.get(one), policy) for one in texts if not _is_no_fact(readings.get(one))]
    return Facts(facts, notes=(*notes, *more))


def _is_no_fact(reading: TextReading | None) -> bool:
    """Whether the judge is certain that a text is small talk or what a tool wrote."""
    return reading is not None and reading.kind in _NO_FACTS and reading.kind_probability >= _NO_FACT_CERTAINTY


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
