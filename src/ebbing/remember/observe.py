"""A conversation as requests to remember: one for each message, or piece of one, that was not observed before.

What the user said may be kept; of what a model said only what the judge finds worth it; what tools answered and what
sets the rules is left out. A message is known again by its id or its time, else by its words in this session and scope;
a list that is handed over again therefore changes nothing. Said again in the same words, a thing counts as new only
where it has been replaced since, and nothing that is known stands behind it: whoever moves back says so last.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from ..domain.memory import Memory, Scope, Status, Visibility, instant
from ..domain.results import Remembered, Skipped
from ..lifecycle.operation_context import AHEAD_MAX, OperationContext
from ..ports import ReadTransaction
from ..text.facts.answers import answered_question
from ..text.terms import digest, normalised
from ..text.visible_text import visible
from .admit import NewMemoryRequest, RememberOptions, admit
from .messages import Message, Role, Turn

ALREADY = "already observed"
_BYTES_A_CHARACTER = 4  # at most


@dataclass(frozen=True, slots=True)
class _Piece:
    """A message, or so much of it as a memory may hold."""

    text: str
    of: Message
    mark: str
    is_timeless: bool  # it has neither id nor time: the same words may be said again
    question: str | None = None  # the message before, where this one says nothing without it


def conversation(
    messages: Sequence[Message], options: RememberOptions, work: OperationContext, *, from_everyone: bool = False
) -> tuple[list[NewMemoryRequest], Remembered]:
    """Requests for the messages that were not observed before, and what is to be said of the others.

    `from_everyone`: what models and tools said may be kept as what the user said is, because it will be lost.
    """
    options = replace(options, scope=Scope(options.scope))
    at = None if options.created_at is None else instant(options.created_at)
    pieces: list[_Piece] = []
    left_out: Counter[Role] = Counter()
    for piece in _pieces(messages, options, at, work):
        if _may_tell(piece.of.role, work, from_everyone=from_everyone):
            pieces.append(piece)
        else:
            left_out[piece.of.role] += 1
    known, again = _known(pieces, work)
    outcome = Remembered(
        skipped=[Skipped(piece.text, ALREADY) for piece in pieces if piece.mark in known],
        notes=[f"left out: {count} of {role}" for role, count in left_out.items()],
    )
    new = [piece for piece in pieces if piece.mark not in known]
    requests = [_request(piece, options, work, from_everyone=from_everyone) for piece in new]
    return [_said_again(one) if one.turn and one.turn.mark in again else one for one in requests], outcome


def _may_tell(role: Role, work: OperationContext, *, from_everyone: bool) -> bool:
    """Whether something may be kept of what this speaker said. Without a reader nobody can say what of a model's words
    is worth keeping."""
    if role in (Role.USER, Role.SUMMARY):
        return True
    if role is Role.RULES:
        return False
    return from_everyone or (role is not Role.TOOL and work.models.judge is not None)


def _pieces(
    messages: Sequence[Message], options: RememberOptions, at: datetime | None, work: OperationContext
) -> Iterator[_Piece]:
    told: Counter[str] = Counter()  # how often the same was said in this list
    before: Message | None = None
    for given in messages:
        message = _with_time(given, at, work.now)
        question = _question(message, before)
        for number, text in enumerate(_cut(message.text, work.policy.limits.text_bytes)):
            mark = _mark(message, text, number, question, options, work)
            told[mark] += 1
            again = told[mark] - 1
            is_timeless = message.id is None and message.at is None
            if again and is_timeless:
                mark = hashlib.blake2b(f"{mark} {again}".encode(), digest_size=16).hexdigest()
            elif again:
                continue
            yield _Piece(text, message, mark, is_timeless, question)
        before = message if message.role is not Role.TOOL else before


def _with_time(message: Message, otherwise: datetime | None, now: datetime) -> Message:
    """Nobody has said anything yet tomorrow: such a time counts as none."""
    at = message.at if message.at is None or message.at - now <= AHEAD_MAX else None
    return replace(message, at=otherwise if at is None else at)


def _question(message: Message, before: Message | None) -> str | None:
    if before is None or before.role is not Role.ASSISTANT or message.role is not Role.USER:
        return None
    return answered_question(before.text, message.text)


def _mark(
    message: Message, text: str, number: int, question: str | None, options: RememberOptions, work: OperationContext
) -> str:
    """The digest that a piece of a message is known by."""
    private = options.visibility == Visibility.PRIVATE
    where: Any = ["said", options.session]
    if message.id is not None:
        where = ["id", message.id]
    elif message.at is not None:
        where = ["at", message.at.isoformat()]
    said = [message.role.value, message.name, normalised(text), number, question]
    known_by = json.dumps([str(options.scope), work.view.agent if private else None, where, said], ensure_ascii=False)
    return hashlib.blake2b(known_by.encode(errors="replace"), digest_size=16).hexdigest()


def _cut(text: str, bytes_max: int) -> Iterable[str]:
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


def _known(pieces: Sequence[_Piece], work: OperationContext) -> tuple[set[str], set[str]]:
    """The marks of those that were observed before, and of those that were but count anew: at most one, the last of
    the user's that is known."""
    with work.read() as tx:
        made = tx.observed.memories_of(list(dict.fromkeys(piece.mark for piece in pieces)))
        last = next((one for one in reversed(pieces) if one.of.role is Role.USER and one.mark in made), None)
        counts_anew = last is not None and last.is_timeless and _is_replaced(made[last.mark], tx)
    again = {last.mark} if last is not None and counts_anew else set()
    return set(made) - again, again


def _said_again(request: NewMemoryRequest) -> NewMemoryRequest:
    return replace(request, turn=None if request.turn is None else replace(request.turn, is_again=True))


def _is_replaced(ids: Sequence[str], tx: ReadTransaction) -> bool:
    """Whether what was made of a message gave way to something else since, and is said by nothing else now."""
    memories: Mapping[str, Memory] = tx.memories.get(list(ids)) if ids else {}
    gone = [one for one in memories.values() if one.status is Status.SUPERSEDED and not one.contested]
    return bool(gone) and not tx.index.by_digest([digest(one.text) for one in gone])


def _request(
    piece: _Piece, options: RememberOptions, work: OperationContext, *, from_everyone: bool
) -> NewMemoryRequest:
    message = piece.of
    kind = "model" if message.role is Role.ASSISTANT else message.role.value
    given = replace(
        options,
        source=work.writer.own_kind(kind, work.policy),
        evidence=None if message.id is None else f"message {message.id}",
        created_at=message.at,
        extract=True,
    )
    request = admit(piece.text, given, work.policy, agent=work.view.agent, writer=work.writer)
    is_judged = not from_everyone and message.role not in (Role.USER, Role.SUMMARY)
    turn = Turn(piece.mark, message.role, message.name, piece.question, is_judged=is_judged)
    return replace(request, turn=turn)
