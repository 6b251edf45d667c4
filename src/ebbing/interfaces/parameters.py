"""Every parameter a user or a model can give, declared once: its type, limits, default, and its spelling on a terminal.

A `Parameter` becomes a property of a JSON schema (MCP, HTTP, the agent tool), an option or argument of a command, and a
row of the reference. `PARAMETERS` holds those that several tools take; `takes` picks from them, as a signature would:

    takes("query", limit=10, scope=None)

Nothing heavy is imported: help pages are made from these declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType
from typing import Any

from ..domain.memory import HARM_MAX, Lifetime, Status, Tier, Visibility

Schema = Mapping[str, Any]
Choices = Sequence[str] | Callable[[str], Sequence[str]]  # a function of the policy in use, where they lie in files


class _Required(Enum):
    REQUIRED = "required"

    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED = _Required.REQUIRED  # the default of a parameter that must be given


@dataclass(frozen=True, slots=True)
class Parameter:
    """One named value."""

    name: str
    kind: Schema  # the JSON schema of a value, without description, choices and default
    about: str  # one or two sentences, read by people and by models
    default: Any = REQUIRED
    choices: Choices = ()  # the only values there are
    suggestions: Choices = ()  # values that a shell may offer, among others
    metavar: str = ""  # on a terminal, where it is not the name
    option: str = ""  # on a terminal, where it is not --name
    letter: str = ""  # such as -t
    positional: bool = True  # on a terminal an argument wherever it is required; otherwise always an option
    from_stdin: bool = False  # on a terminal - reads it from standard input
    names_memory: bool = False  # ids of memories: on a terminal an unambiguous beginning is enough

    @property
    def required(self) -> bool:
        """Whether it must be given."""
        return self.default is REQUIRED

    @property
    def repeats(self) -> bool:
        """Whether it is a list of values."""
        return self.kind.get("type") == "array"

    @property
    def value_schema(self) -> Schema:
        """What a value must be."""
        allowed = resolved(self.choices)
        if not allowed:
            return self.kind
        if self.repeats:
            return {**self.kind, "items": {**self.kind["items"], "enum": allowed}}
        return {**self.kind, "enum": allowed}

    @property
    def schema(self) -> Schema:
        """The whole entry of a JSON schema: what a value must be, its description and its default."""
        entry = {**self.value_schema, "description": self.about}
        if self.default in (REQUIRED, None, ()):
            return entry
        return {**entry, "default": list(self.default) if isinstance(self.default, tuple) else self.default}

    def offered(self, policy: str = "default") -> list[str]:
        """Values a shell may complete to, under a policy."""
        return resolved(self.choices, policy) or resolved(self.suggestions, policy)

    def but(self, **changes: Any) -> Parameter:
        """The same with other fields."""
        return replace(self, **changes)


def resolved(choices: Choices, policy: str = "default") -> list[str]:
    """The values, also where they lie in files."""
    return list(choices(policy) if callable(choices) else choices)


def text(name: str, about: str, **more: Any) -> Parameter:
    """A string."""
    return Parameter(name, {"type": "string"}, about, **more)


def texts(name: str, about: str, **more: Any) -> Parameter:
    """A list of strings."""
    return Parameter(name, {"type": "array", "items": {"type": "string"}}, about, **more)


def share(name: str, about: str, **more: Any) -> Parameter:
    """A number from 0 to 1."""
    kind = {"type": "number", "minimum": 0, "maximum": 1}
    return Parameter(name, kind, about, **{"metavar": "NUMBER", **more})


def flag(name: str, about: str, default: Any = False, **more: Any) -> Parameter:
    """True or false."""
    return Parameter(name, {"type": "boolean"}, about, default, **more)


def count(name: str, about: str, most: int = 1000, *, least: int = 1, **more: Any) -> Parameter:
    """A whole number."""
    kind = {"type": "integer", "minimum": least, "maximum": most}
    return Parameter(name, kind, about, **{"metavar": "COUNT", **more})


def anything(name: str, about: str, **more: Any) -> Parameter:
    """A JSON object."""
    return Parameter(name, {"type": "object"}, about, **{"metavar": "JSON", **more})


def preset_names(_: str = "default") -> list[str]:
    """The policies that ship with Ebbing."""
    from ..domain.policy.loader import presets

    return presets()


def category_names(policy: str = "default") -> list[str]:
    """The categories of a policy."""
    from ..domain.policy.loader import load

    return sorted(load(policy).categories)


WRITABLE_TIERS = tuple(tier.value for tier in Tier if tier is not Tier.CORE)
STATUSES = tuple(status.value for status in Status)
INCLUDABLE_STATUSES = tuple(status.value for status in (Status.DETACHED, Status.ARCHIVED, Status.SUPERSEDED))
BLOCK_LABELS = ("identity", "critical", "human", "persona", "scratchpad")
SOURCES = ("user", "agent", "model", "tool", "document", "web")

PARAMETERS: Mapping[str, Parameter] = MappingProxyType(
    {
        parameter.name: parameter
        for parameter in (
            text("text", "The words: one fact, complete in itself, with names instead of pronouns.", from_stdin=True),
            Parameter(
                "messages",
                {"type": ["array", "string"], "items": {"type": ["object", "string"]}},
                "Chat messages, oldest first: each with role (user, assistant, system, tool) and content, where known "
                "also id, name and created_at. Or a transcript as text: User: … Assistant: …",
            ),
            text("query", "A question or a few words.", from_stdin=True),
            text("id", "A memory's id.", names_memory=True),
            texts("ids", "Ids of memories.", metavar="ID", names_memory=True),
            text("scope", "A path such as /project/api; it contains what lies below it.", metavar="PATH"),
            texts("scopes", "Several scopes instead of one; what lies in any of them.", metavar="PATH"),
            text(
                "category",
                "identity, preference, decision, strategy, gotcha, fact, finding, assumption, observation, …",
                letter="-c",
                suggestions=category_names,
            ),
            texts(
                "categories",
                "Only memories of these categories.",
                option="--category",
                letter="-c",
                metavar="CATEGORY",
                suggestions=category_names,
            ),
            share("importance", "From 0 to 1; by default it follows from what the text says."),
            text(
                "lifetime",
                "How long it is expected to stay true, which decides how fast it fades; by default as the text says.",
                choices=[lifetime.value for lifetime in Lifetime],
            ),
            count(
                "harm",
                "What losing it would cost: 0 nothing, 1 a nuisance, 2 a loss, 3 dangerous, and so it is pinned.",
                HARM_MAX,
                least=0,
                metavar="0-3",
            ),
            text("tier", "How long it is meant to live.", choices=WRITABLE_TIERS),
            texts("tags", "Tags; as a filter, all must match.", option="--tag", letter="-t", metavar="TAG"),
            anything("metadata", "A JSON object to keep with it."),
            text("subject", "With attribute an address: one value at a time, writing there again replaces it."),
            text("attribute", "Which property of the subject this is, such as port or home town."),
            texts("supersedes", "Ids of memories that this replaces.", metavar="ID", names_memory=True),
            flag("pinned", "Never let it fade.", option="--pin"),
            text("expires_in", "How long it lives: 12h, 30d, 2w, 6mo, 1y, P30D.", metavar="DURATION"),
            text(
                "valid_until",
                "Until when it is true, as ISO 8601; by default as the text says (“until June 1”).",
                metavar="TIME",
            ),
            text(
                "visibility",
                "Who sees it: every agent of the owner, or only this one.",
                choices=[visibility.value for visibility in Visibility],
            ),
            text(
                "source",
                "Who said it: user, agent, model, tool, document, web, …; by default the caller.",
                suggestions=SOURCES,
            ),
            text(
                "evidence",
                "What it rests on: the user's own words, quoted exactly, or an address.",
                metavar="TEXT",
            ),
            share("trust", "How far to believe it; by default, and at most, what the policy grants its source."),
            flag("extract", "Remember each fact in the text instead of the text itself."),
            text("session", "The name of the conversation."),
            text("created_at", "When it was said, as ISO 8601; by default now.", metavar="TIME"),
            text("created_after", "Only what was said at this time or later, as ISO 8601.", metavar="TIME"),
            text("created_before", "Only what was said before this time, as ISO 8601.", metavar="TIME"),
            texts(
                "exclude",
                "Ids to leave out: those that were shown already, to see what comes next.",
                metavar="ID",
                names_memory=True,
            ),
            count("limit", "How many at most.", letter="-n"),
            texts(
                "include",
                "Also search detached, archived or superseded memories.",
                choices=INCLUDABLE_STATUSES,
                metavar="STATUS",
            ),
            text(
                "as_of",
                "Answer as of this earlier time, as ISO 8601: what was known and valid then.",
                metavar="TIME",
            ),
            share(
                "min_score",
                "Leave out results with a lower score, which is the probability that a memory answers. By default the "
                "policy's floor; 0 gives the long list.",
            ),
            flag("reinforce", "Whether being found strengthens a memory.", True),
            flag("faded", "Where nothing in use answers, tell what has faded and does, marked so."),
            count(
                "budget_tokens", "The most tokens the block may have.", 1_000_000, option="--budget", metavar="TOKENS"
            ),
            texts("status", "Only memories of these statuses.", choices=STATUSES),
            text(
                "before",
                "Continue after this id, the last of the previous page.",
                metavar="ID",
                names_memory=True,
            ),
            text("older_than", "Only memories created longer ago than this: 30d, 6mo, 1y.", metavar="DURATION"),
            flag("dry_run", "Only show what would happen; nothing is written."),
            text("reason", "Why, in a few words; kept with the change.", metavar="TEXT"),
            text("batch", "The id of a batch: all that one call changed.", metavar="ID"),
            flag("everything", "Everything the caller may see; scope / by itself is refused without it."),
            text("version", "The memory's version as you read it; if it has changed since, nothing is done."),
            Parameter(
                "keep",
                {"type": ["boolean", "string"]},
                "true keeps it, false retires it, 'both' keeps both of two that contradict; the id of another memory "
                "keeps that one, which then supersedes this one.",
                names_memory=True,
            ),
            text("label", "Which block: identity, critical, human, persona or scratchpad.", suggestions=BLOCK_LABELS),
            # Not a path, as the engine takes: a caller from elsewhere has no business with files of this machine.
            text("policy", "The name of a preset.", choices=preset_names),
            count("days", "How many days to look ahead.", 3650),
            text("tombstone", "The id of a tombstone, from the receipt of a purge."),
            text("path", "A file.", metavar="FILE"),
        )
    }
)


def takes(*required: str | Parameter, **defaults: Any) -> Mapping[str, Parameter]:
    """Parameters by name: the required ones, then those with a default, which is a value or a whole `Parameter`."""
    found = [one if isinstance(one, Parameter) else PARAMETERS[one] for one in required]
    for name, default in defaults.items():
        found.append(default if isinstance(default, Parameter) else PARAMETERS[name].but(default=default))
    return MappingProxyType({one.name: one for one in found})


def own(*parameters: Parameter) -> Mapping[str, Parameter]:
    """Parameters that one command alone takes."""
    return MappingProxyType({one.name: one for one in parameters})
