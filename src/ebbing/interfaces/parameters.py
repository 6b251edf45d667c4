"""What each parameter of a tool means, whichever tool takes it: said once, for people and for models."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ..domain.memory import Status, Tier
from ..domain.policy.loader import presets

Schema = Mapping[str, Any]


def _text(about: str, **more: Any) -> Schema:
    return MappingProxyType({"type": "string", "description": about, **more})


def _texts(about: str) -> Schema:
    return MappingProxyType({"type": "array", "items": {"type": "string"}, "description": about})


def _share(about: str) -> Schema:
    return MappingProxyType({"type": "number", "minimum": 0, "maximum": 1, "description": about})


def _flag(about: str) -> Schema:
    return MappingProxyType({"type": "boolean", "description": about})


def _count(about: str, most: int = 1000) -> Schema:
    return MappingProxyType({"type": "integer", "minimum": 1, "maximum": most, "description": about})


_WRITABLE = [tier.value for tier in Tier if tier is not Tier.CORE]
_INCLUDABLE = [status.value for status in (Status.DETACHED, Status.ARCHIVED, Status.SUPERSEDED)]

# Each parameter's meaning, whichever tool takes it.
PARAMETERS: Mapping[str, Schema] = {
    "text": _text("The words: one fact, complete in itself, with names instead of pronouns."),
    "query": _text("A question or a few words."),
    "id": _text("A memory's id, whole."),
    "ids": _texts("Ids of memories, whole."),
    "scope": _text("A path such as /project/api; it contains what lies below it."),
    "category": _text("identity, preference, decision, strategy, gotcha, fact, finding, assumption, observation, …"),
    "categories": _texts("Only of these categories."),
    "importance": _share("From 0 to 1; left out, it follows from what the judge reads in the text."),
    "tier": _text("How long it is meant to live.", enum=_WRITABLE),
    "tags": _texts("Tags; where they filter, all must hold."),
    "metadata": MappingProxyType({"type": "object", "description": "Anything to keep beside it, as JSON."}),
    "subject": _text("With attribute an address: one value at a time, writing there again replaces it."),
    "attribute": _text("What of the subject this is, such as port or home town."),
    "supersedes": _texts("Ids of memories that this replaces."),
    "pinned": _flag("Never let it fade; where it filters: only those, or only the others."),
    "expires_in": _text("How long it lives: 12h, 30d, 2w, 6mo, 1y, P30D."),
    "visibility": _text("Who sees it: every agent of the owner, or only this one.", enum=["shared", "private"]),
    "source": _text("Who said it: user, agent, model, tool, document, web; left out, the caller."),
    "evidence": _text("What it rests on: what the user said, word for word, or an address."),
    "trust": _share("How far it is to be believed; left out, as its source deserves, and never more than that."),
    "extract": _flag("Remember each fact in the text instead of the text itself."),
    "session": _text("The conversation this happens in."),
    "created_at": _text("When it was said, as ISO 8601; left out: now."),
    "limit": _count("How many at most."),
    "include": MappingProxyType(
        {
            "type": "array",
            "items": {"type": "string", "enum": _INCLUDABLE},
            "description": "Also what is normally left out: detached, archived or superseded memories.",
        }
    ),
    "as_of": _text("Answer as of this earlier time, as ISO 8601: what was known and held then."),
    "min_score": _share("Leave out what scores below this."),
    "reinforce": _flag("Whether being found strengthens a memory."),
    "budget_tokens": _count("How long the block may be, in tokens.", 1_000_000),
    "status": MappingProxyType(
        {
            "type": "array",
            "items": {"type": "string", "enum": [status.value for status in Status]},
            "description": "Only of these statuses; left out: active and detached.",
        }
    ),
    "before": _text("Go on behind this id, the last of a page."),
    "older_than": _text("Only what is older than this: 30d, 6mo, 1y."),
    "dry_run": _flag("Only tell what would happen. With a query this is so unless you say false."),
    "reason": _text("Why, in a few words; kept with the change."),
    "batch": _text("The id of what was done together."),
    "everything": _flag("Everything the caller may see; scope / by itself is refused without it."),
    "version": _text("The memory's version as you read it: changed since, nothing is done."),
    "keep": MappingProxyType(
        {
            "type": ["boolean", "string"],
            "description": "Keep it, drop it, or 'both' of two that contradict; or the id of another memory: that one "
            "is kept and supersedes this one.",
        }
    ),
    "label": _text("Which block: identity, critical, human, persona or scratchpad."),
    "trigger": _text("What asked for it."),
    # Not a path, as the engine would take it: whoever asks from elsewhere has no business with files that lie here.
    "policy": _text("The name of a preset.", enum=presets()),
    "days": _count("How many days to look ahead.", 3650),
    "summary": _text("What will stand in the place of the conversation."),
}
