"""Hooks of Claude Code: recall when a session starts and at each prompt, capture when it is compacted or stops.

A hook must never block a session. Whatever goes wrong, the program ends with 0 and says nothing on
stdout; it takes a bounded time and reads a bounded part of the transcript. What a session was shown already, and how
far its transcript was read, is kept in a small file of the user's state folder; and beside these, when each hook fired
last and how that ended, for `ebbing doctor`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import Any, BinaryIO, NamedTuple

import platformdirs

from ...domain.errors import EbbingError, Invalid
from ...domain.memory import Scope
from ...engine import Engine
from ...text.prompt_envelope import wrapped
from ..llm_views import line, summary_of

SECONDS = {"session-start": 10.0, "prompt": 10.0, "compact": 50.0, "stop": 50.0}
INPUT_BYTES_MOST = 4_000_000
START_TOKENS = 1000
PROMPT_TOKENS = 500
_PROMPT_MEMORIES = 8
_MEMORY_CHARACTERS = 500
_QUERY_CHARACTERS = 2000
_TRANSCRIPT_BYTES = 2_000_000  # of what is new, the latest
_MESSAGES_MOST = 100  # … of these the last
_MESSAGE_CHARACTERS = 8000
_LOOKED_AT_CHARACTERS = 32_000  # of a message, code and machinery included: no pattern is tried on more
_SESSION_CHARACTERS = 200
_SHOWN_MOST = 500
_ENDED_CHARACTERS = 300
_SESSIONS_KEPT = 200
# What the program itself wrote into a message, and code: neither holds facts that somebody stated.
_MACHINERY = re.compile(
    r"<(system-reminder|command-[\w-]+|local-command-[\w-]+|bash-[\w-]+|user-prompt-submit-hook)\b[^>]*>.*?</\1>",
    re.DOTALL,
)
_CODE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[^\n]*$|\Z)", re.DOTALL | re.MULTILINE)

OpenEngine = Callable[[], AbstractContextManager[Engine]]


class Answered(NamedTuple):
    """What to print for an event (None: nothing), and whether something still works at it, not to be waited for."""

    output: dict[str, Any] | None
    late: bool


def answer(event: str, given: BinaryIO, opened: OpenEngine, scope: str | None = None) -> Answered:
    """What an event is answered, in no more time than it may take; mistakes are told on stderr."""
    outputs: list[dict[str, Any] | None] = []
    ended = ["failed"]

    def work() -> None:
        try:
            outputs.append(_answer(event, given.read(INPUT_BYTES_MOST + 1), opened, scope))
            ended.append("ended well")
        except (EbbingError, OSError, ValueError, RecursionError) as error:
            print(f"ebbing hook {event:.40}: {error}", file=sys.stderr)
            ended.append(f"failed: {error}")

    # In a thread of its own, so that neither an unexpected error nor a call that hangs stops the session.
    apart = threading.Thread(target=work, name="hook", daemon=True)
    apart.start()
    apart.join(SECONDS.get(event, 1.0))
    late = not outputs and apart.is_alive()
    _note_firing(event, "took too long and was left" if late else ended[-1])
    if late:
        print(f"ebbing hook {event:.40}: it took too long and was left", file=sys.stderr)
    return Answered(outputs[0] if outputs else None, late)


class Firing(NamedTuple):
    """The last time that a hook fired."""

    at: datetime
    ended: str  # in words

    @property
    def ok(self) -> bool:
        return self.ended == "ended well"


def last_firings() -> dict[str, Firing]:
    """When each hook fired last; those that never did are left out."""
    found: dict[str, Firing] = {}
    for event in SECONDS:
        path = _firings() / event
        with contextlib.suppress(OSError):
            fired_at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
            found[event] = Firing(fired_at, path.read_text(encoding="utf-8", errors="replace").strip())
    return found


def _note_firing(event: str, ended: str) -> None:
    """The file's own time is the time; one file for each hook, so that two that fire together write none in two."""
    if event in SECONDS:
        with contextlib.suppress(OSError):
            _firings().mkdir(parents=True, exist_ok=True, mode=0o700)
            (_firings() / event).write_text(f"{' '.join(ended.split())[:_ENDED_CHARACTERS]}\n", encoding="utf-8")


def _firings() -> Path:
    return Path(platformdirs.user_state_dir("ebbing", appauthor=False)) / "hooks-fired"


def _answer(event: str, given: bytes, opened: OpenEngine, scope: str | None) -> dict[str, Any] | None:
    if event not in SECONDS:
        raise Invalid(f"there is no such hook; hooks are {', '.join(SECONDS)}")
    if len(given) > INPUT_BYTES_MOST:
        raise Invalid("what was given is too long")
    payload = json.loads(given)
    if not isinstance(payload, dict):
        raise Invalid("what was given is not a JSON object")
    session = _Session.of(payload)
    if event == "session-start":
        return _begin(payload, session, opened)
    if event == "prompt":
        return _recall(payload, session, opened)
    _capture(payload, session, opened, scope)
    if event == "compact":
        session.shown = []  # what stood in the context will be gone
    session.save()
    return None


def _begin(payload: Mapping[str, Any], session: _Session, opened: OpenEngine) -> dict[str, Any] | None:
    with opened() as engine:
        # No question is asked yet: whatever is nearest to the project's name may be of use.
        context = engine.context(
            _project(payload) or "this project", budget_tokens=START_TOKENS, min_score=0.0, session=session.name
        )
    session.shown = [memory.id for memory in context.memories]
    session.save()
    return _placed("SessionStart", context.text)


def _recall(payload: Mapping[str, Any], session: _Session, opened: OpenEngine) -> dict[str, Any] | None:
    prompt = payload.get("prompt")
    if not isinstance(prompt, str) or not prompt.strip() or prompt.lstrip().startswith("/"):
        return None
    with opened() as engine:
        found = engine.recall(prompt[:_QUERY_CHARACTERS], limit=_PROMPT_MEMORIES, session=session.name)
        floor = engine.policy.reinforcement.relevance_floor
        lines: list[str] = []
        for one in found:
            too_little = "answers" not in one.parts and one.relevance < floor  # what no judge has read
            if too_little or one.memory.id in session.shown:
                continue
            more = [*lines, line(summary_of(one.memory, _MEMORY_CHARACTERS))]
            if engine.models.count_tokens(wrapped(more)) > PROMPT_TOKENS:
                break
            lines = more
            session.shown.append(one.memory.id)
    session.save()
    return _placed("UserPromptSubmit", wrapped(lines) if lines else "")


def _placed(event: str, text: str) -> dict[str, Any] | None:
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}} if text else None


def _capture(payload: Mapping[str, Any], session: _Session, opened: OpenEngine, scope: str | None) -> None:
    path = payload.get("transcript_path")
    if not isinstance(path, str) or not Path(path).expanduser().is_file():
        return
    messages, session.read_to = _new_messages(Path(path).expanduser(), session.read_to)
    if not messages:
        return
    where = scope or _scope(payload)
    with opened() as engine:
        try:
            engine.observe(messages, scope=where, session=session.name)
        except Invalid:
            # All are kept or none; so that one that cannot be does not keep the others out, each by itself.
            for message in messages:
                with contextlib.suppress(Invalid):
                    engine.observe([message], scope=where, session=session.name)


def _new_messages(path: Path, read_to: int) -> tuple[list[dict[str, Any]], int]:
    """What people and the model said since, and how far that was read: to the end of the last whole line."""
    with path.open("rb") as transcript:
        size = transcript.seek(0, 2)
        begin = read_to if read_to <= size else 0  # shorter than it was: another file
        start = max(begin, size - _TRANSCRIPT_BYTES)
        transcript.seek(start)
        new = transcript.read(_TRANSCRIPT_BYTES)
    first = new.find(b"\n") + 1 if start > begin else 0
    last = new.rfind(b"\n") + 1
    messages = [message for row in new[first:last].splitlines() if (message := _message(row)) is not None]
    return messages[-_MESSAGES_MOST:], start + last


def _message(row: bytes) -> dict[str, Any] | None:
    """A line of the transcript as a message; None if it holds no words of a person or the model."""
    try:
        entry = json.loads(row)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict) or entry.get("type") not in ("user", "assistant"):
        return None
    if any(entry.get(sign) for sign in ("isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly")):
        return None
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict) and part.get("type") == "text"]
        content = "\n".join(str(part.get("text", "")) for part in parts)
    if not isinstance(content, str):
        return None
    text = content[:_LOOKED_AT_CHARACTERS].encode("utf-8", "ignore").decode()
    text = _CODE.sub("", _MACHINERY.sub("", text)).strip()[:_MESSAGE_CHARACTERS]
    about = {"id": entry.get("uuid"), "created_at": entry.get("timestamp")}
    return {"role": entry["type"], "content": text, **about} if text else None


def _project(payload: Mapping[str, Any]) -> str:
    folder = payload.get("cwd")
    return PurePath(folder).name if isinstance(folder, str) else ""


def _scope(payload: Mapping[str, Any]) -> str:
    try:
        return Scope(f"/project/{_project(payload)}")
    except Invalid:  # a folder with a name that no scope can have
        return Scope("/project")


@dataclass(slots=True)
class _Session:
    """What is kept about a session between two hooks."""

    name: str | None
    shown: list[str] = field(default_factory=list)  # memories that are part of its context
    read_to: int = 0  # bytes of its transcript

    @classmethod
    def of(cls, payload: Mapping[str, Any]) -> _Session:
        given = payload.get("session_id")
        name = re.sub(r"[^\w.-]", "", given)[:_SESSION_CHARACTERS] if isinstance(given, str) else ""
        session = cls(name or None)
        try:
            kept = json.loads(session._path.read_bytes())
            session.shown = [str(id_) for id_ in kept["shown"]]
            session.read_to = int(kept["read_to"])
        except (OSError, ValueError, KeyError, TypeError):
            return cls(name or None)  # not there yet, or not ours: as if it began now
        return session

    @property
    def _path(self) -> Path:
        folder = Path(platformdirs.user_state_dir("ebbing", appauthor=False)) / "hooks"
        return folder / f"{hashlib.sha256((self.name or '').encode()).hexdigest()[:32]}.json"

    def save(self) -> None:
        """Kept for the next hook; of sessions long past nothing is kept."""
        if self.name is None:
            return
        folder = self._path.parent
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        kept = {"shown": self.shown[-_SHOWN_MOST:], "read_to": self.read_to}
        written = self._path.with_suffix(f".{threading.get_native_id()}")
        written.touch(mode=0o600)
        written.write_text(json.dumps(kept), encoding="utf-8")
        written.replace(self._path)
        others = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
        for old in others[_SESSIONS_KEPT:]:
            old.unlink(missing_ok=True)
