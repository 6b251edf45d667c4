"""The messages of a conversation, in the shapes in which frameworks hold them, as one kind of value.

OpenAI's chat and Responses items, Anthropic's content blocks, LangChain's messages and their dumps, Google's contents,
and a transcript as text ("User: … Assistant: …"). Of each message: who speaks, the words they wrote, and where they are
given the name, the id and the time. What is no word of the speaker (a call of a tool, a picture, thinking) is left out.

Nothing is decided here about what is worth keeping.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from ..domain.errors import EbbingError, Invalid
from ..domain.memory import instant
from ..text.visible_text import visible

_ID_CHARACTERS = 200
_NAME_CHARACTERS = 60
_DEEP = 4  # how far a message may stand inside others: dumps wrap it once or twice
_SECONDS_FROM = 1e8  # less is no date but a place in a recording
_MILLISECONDS_FROM = 1e11  # as seconds this is the year 5138
_FIELDS = (
    *("role", "type", "content", "parts", "text", "name", "author", "id", "message_id", "uuid", "created_at"),
    *("timestamp", "output", "tool_call_id", "thought"),
)


class Role(StrEnum):
    """Who speaks."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    RULES = "system"  # whoever sets the rules; says nothing to remember
    SUMMARY = "summary"  # of a conversation, by whoever compressed it
    OTHER = "unknown"


_ROLES = {
    **dict.fromkeys(("user", "human", "humanmessage", "humanmessagechunk", "customer"), Role.USER),
    **dict.fromkeys(("assistant", "ai", "aimessage", "aimessagechunk", "model", "bot", "chatbot"), Role.ASSISTANT),
    **dict.fromkeys(("tool", "function", "toolmessage", "functionmessage", "ipython", "tool_result"), Role.TOOL),
    **dict.fromkeys(("function_call", "function_call_output", "tool_use", "tool_call", "computer_call"), Role.TOOL),
    **dict.fromkeys(("system", "developer", "systemmessage", "remove"), Role.RULES),
}
_TEXT_PARTS = frozenset({"text", "input_text", "output_text", "markdown"})
_TOOL_PARTS = frozenset("tool_result tool-result function_response functionresponse function_call_output".split())
_LABEL = re.compile(
    r"^[ \t]*(?:[\[(]?(?:\d{4}-\d\d-\d\d[ T])?\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp][Mm])?[\])]?\s*[-–]?\s*)?"
    r"(?:\*\*|__|#{1,4} )?(user|human|assistant|ai|system|developer|tool|bot|chatbot|function)(?:\*\*|__)?"
    r"\s*:(?:\*\*|__)?[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Turn:
    """Of a request to remember: which message it is a piece of."""

    mark: str  # the digest that the message is known by
    role: Role
    name: str | None = None
    question: str | None = None  # what the message answers, where it says nothing without that
    is_again: bool = False  # whether it was observed before and counts anew
    is_judged: bool = False  # whether only what the judge finds worth keeping is kept of it


@dataclass(frozen=True, slots=True)
class Message:
    """What one speaker said at once."""

    role: Role
    text: str
    name: str | None = None
    id: str | None = None
    at: datetime | None = None


def read_messages(given: Any) -> list[Message]:
    """The messages of a conversation in their order, or `Invalid`, naming the first that is none."""
    if isinstance(given, str):
        return list(_of_transcript(given))
    if isinstance(given, Mapping) and isinstance(given.get("messages"), list | tuple):
        given = given["messages"]
    if isinstance(given, Mapping) or _is_message(given):
        given = [given]
    if isinstance(given, bytes | bytearray) or not isinstance(given, Iterable):
        raise Invalid(
            f"the messages are {type(given).__name__}; give a list of messages, each with role and content, "
            "or a transcript as text"
        )
    found: list[Message] = []
    for place, one in enumerate(given):
        if isinstance(one, str):
            found += _of_transcript(one)
        elif isinstance(one, Mapping) or _is_message(one):
            found += _of_mapping(one if isinstance(one, Mapping) else _fields(one), _DEEP)
        else:
            raise Invalid(
                f"message {place} of the messages is {type(one).__name__}; give a mapping with role and content"
            )
    whole = (replace(message, text=message.text.encode(errors="replace").decode()) for message in found)
    return [message for message in whole if visible(message.text).strip()]


def _of_transcript(text: str) -> Iterator[Message]:
    """`User: …` and `Assistant: …` as messages of theirs; a text without such labels is said by the user."""
    labels = list(_LABEL.finditer(text))
    before = text[: labels[0].start()] if labels else text
    yield Message(Role.USER if not labels else Role.OTHER, before.strip())
    ends = [*(label.start() for label in labels[1:]), len(text)][: len(labels)]
    for label, end in zip(labels, ends, strict=True):
        yield Message(_ROLES[label[1].lower()], text[label.end() : end].strip())


def _of_mapping(given: Mapping[str, Any], deep: int) -> Iterator[Message]:
    inner = next((given[key] for key in ("message", "data", "kwargs") if isinstance(given.get(key), Mapping)), None)
    if inner is not None and deep:
        # A dump wraps the message, and may say outside of it who speaks and when.
        outside = {key: value for key, value in given.items() if key in ("uuid", "timestamp", "created_at", "type")}
        yield from _of_mapping({**outside, **inner}, deep - 1)
        return
    role = _role(given)
    content = given.get("content", given.get("parts", given.get("text")))
    if role is Role.TOOL and content is None:
        content = given.get("output")
    words, of_tools = _words(content)
    id_, at = _id(given), _time(given)
    if of_tools:
        yield Message(Role.TOOL, of_tools, id=id_, at=at)
    yield Message(role, words, _name(given), id_, at)


def _role(given: Mapping[str, Any]) -> Role:
    role, kind = given.get("role"), given.get("type")
    if role is None and isinstance(kind, str) and kind != "message":
        role = kind
    if role is None:
        return Role.USER
    return _ROLES.get(str(getattr(role, "value", role)).strip().lower(), Role.OTHER)


def _words(content: Any) -> tuple[str, str]:
    """The words of a speaker, and what a tool answered beside them: some frameworks let users carry that."""
    if isinstance(content, str):
        return content.strip(), ""
    if isinstance(content, Mapping):
        content = [content]
    if not isinstance(content, Iterable) or isinstance(content, bytes | bytearray):
        return "", ""
    said: list[str] = []
    answered: list[str] = []
    for part in content:
        if isinstance(part, str):
            said.append(part)
            continue
        fields = part if isinstance(part, Mapping) else _fields(part)
        kind = fields.get("type")
        if isinstance(kind, str) and kind.lower() in _TOOL_PARTS:
            answered.append("\n".join(_words(fields.get("content", fields.get("output")))).strip())
        elif (kind is None or kind in _TEXT_PARTS) and not fields.get("thought"):
            text = fields.get("text")
            text = text.get("value") if isinstance(text, Mapping) else text
            said += [text] if isinstance(text, str) else []
    return "\n".join(said).strip(), "\n".join(answered).strip()


def _id(given: Mapping[str, Any]) -> str | None:
    for key in ("id", "message_id", "uuid"):
        value = given.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and visible(str(value)).strip():
            return " ".join(visible(str(value)).split())[:_ID_CHARACTERS]
    return None


def _name(given: Mapping[str, Any]) -> str | None:
    author = given.get("author")
    name = given.get("name") or (author.get("name") if isinstance(author, Mapping) else author)
    if not isinstance(name, str):
        return None
    return " ".join(visible(name).replace(":", " ").split())[:_NAME_CHARACTERS] or None


def _time(given: Mapping[str, Any]) -> datetime | None:
    """When it was said; None where that is not given, or cannot be read: a broken time costs no message."""
    for key in ("created_at", "timestamp"):
        value = given.get(key)
        try:
            if isinstance(value, bool) or value is None:
                continue
            if isinstance(value, str) and re.fullmatch(r"\d{9,16}(?:\.\d+)?", value.strip()):
                value = float(value)
            if isinstance(value, int | float):
                if not math.isfinite(value):
                    continue
                if value < _SECONDS_FROM:
                    continue
                return datetime.fromtimestamp(value / (1000 if value > _MILLISECONDS_FROM else 1), UTC)
            if isinstance(value, str | datetime):
                return instant(value)
        except (EbbingError, ValueError, OverflowError, OSError):
            continue
    return None


def _is_message(given: Any) -> bool:
    """Whether an object is a message of some framework: it says who speaks, and what."""
    has_speaker = isinstance(getattr(given, "type", getattr(given, "role", None)), str)
    return has_speaker and any(hasattr(given, name) for name in ("content", "parts", "output"))


def _fields(given: Any) -> dict[str, Any]:
    found = ((name, getattr(given, name, None)) for name in _FIELDS)
    return {name: value for name, value in found if value is not None and not callable(value)}
