"""What to say where nothing answers: that nothing does, and where an answer may lie all the same.

An answer may have faded, or have been superseded, or it lies in a scope that was not asked for. Each is looked for by
its words, a few of them, and read as any other result is; the note says how to ask for them and quotes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..domain.memory import Status
from ..domain.policy import Policy
from ..domain.results import Recollection
from ..lifecycle.operation_context import OperationContext
from ..ports import Question
from .calibration import WORDS, calibration
from .judge_scores import answered
from .top_k import best

_LOOKED_AT = 3  # memories of each kind
_TOLD = 0.5  # share of the information of the question's words that a memory must hold where no judge reads it
_SCOPES_NAMED = 3


def silence(best_score: float, floor: float) -> str:
    """That nothing is returned, and why."""
    return (
        f"nothing that is remembered answers this: the best score is {best_score:.2f}, and the floor is {floor:g}; "
        "min_score=0 gives what comes nearest"
    )


def elsewhere(query: str, live: Question, work: OperationContext, floor: float, *, judged: bool) -> list[str]:
    """Notes on what may answer and was not asked for: faded and superseded memories, and those of other scopes."""
    where = replace(live.filter, unexpired=None, restored_since=None)
    notes = []
    for status in (Status.DETACHED, Status.ARCHIVED, Status.SUPERSEDED):
        if status in (where.statuses or ()):
            continue
        side = replace(live, vector=None, archived=not status.live, filter=replace(where, statuses=(status,)))
        count = len(_answering(query, side, work, floor, judged=judged))
        finds = "finds it" if count == 1 else "finds them"
        notes += [f"{_many(count, status.value)} may answer this; include=['{status.value}'] {finds}"] if count else []
    if where.scope is not None or where.scopes is not None:
        anywhere = replace(live, vector=None, filter=replace(live.filter, scope=None, scopes=None))
        found = _answering(query, anywhere, work, floor, judged=judged)
        if found:
            scopes = list(dict.fromkeys(str(one.memory.scope) for one in found))[:_SCOPES_NAMED]
            notes.append(f"{_many(len(found), '')} in other scopes may answer this: {', '.join(scopes)}")
    return notes


def _many(count: int, kind: str) -> str:
    return " ".join(part for part in (str(count), kind, "memory" if count == 1 else "memories") if part)


def _answering(
    query: str, question: Question, work: OperationContext, floor: float, *, judged: bool
) -> Sequence[Recollection]:
    policy = work.policy.words_alone
    fit = calibration(WORDS, None, None)
    with work.read() as tx:
        ranked = best(tx.index.search(question), _LOOKED_AT, work.moment(tx.owner), policy, fit)
        memories = tx.memories.get([one.id for one in ranked])
    found = [
        Recollection(
            memories[one.id],
            one.score,
            one.relevance,
            one.strength,
            {"lexical": one.lexical, "recency": one.recency},
        )
        for one in ranked
        if one.id in memories
    ]
    read, _ = answered((query,), found, work, vectors=False, judged=judged)
    return [one for one in read if _may_answer(one, floor, policy)]


def _may_answer(one: Recollection, floor: float, policy: Policy) -> bool:
    if "answers" in one.parts:
        return one.score >= max(floor, policy.recall.min_score)
    return one.parts["lexical"] >= _TOLD
