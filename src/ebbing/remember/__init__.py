"""The way in: gate → match → resolve → write.

Slow work (reading the text, embedding it) comes first; then one short transaction in which
what is matched is still true when it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from ..answers import Remembered, Skipped
from ..ids import new_id
from ..ports import Reading, Vector
from ..work import Work
from .buffer import make_room
from .gate import Said, admit, admit_many, buried_among, cleaned
from .match import match
from .resolve import resolve
from .write import Draft, write, write_new

__all__ = ["Draft", "Said", "admit", "admit_many", "buried_among", "cleaned", "remember"]


def remember(
    drafts: Sequence[Draft],
    vectors: Mapping[str, Vector],
    work: Work,
) -> tuple[Remembered, Mapping[str, int]]:
    """Keep what is new, strengthen what is known, retire what it replaces: all of it or nothing.

    `vectors` are by text, made before: nothing slow happens in the transaction. Told besides: how many active
    memories each scope that was written to holds now.
    """
    policy = work.policy
    batch = new_id(work.now)
    outcome = Remembered(batch=batch)
    with work.write() as tx:
        moment = tx.use(work.now)
        tx.under(policy.fingerprint)
        buried = buried_among([draft.digest for draft in drafts], tx)
        for draft in drafts:
            tombstone = buried.get(draft.digest)
            if tombstone is not None:
                outcome.skipped.append(
                    Skipped(draft.said.text, f"it was purged; lift tombstone {tombstone} to allow it")
                )
        drafts = [draft for draft in drafts if draft.digest not in buried]
        for meets_nothing, some in groupby(drafts, key=_newness(drafts, tx)):
            if meets_nothing:
                outcome += write_new(list(some), vectors, tx, moment, policy, batch)
                continue
            for draft in some:
                known = match(draft, tx)
                verdict = resolve(draft, known, tx)
                outcome += write(draft, verdict, vectors, tx, moment, policy, batch)
        make_room(outcome.memories, tx, moment, policy, batch)
    return outcome, tx.active


def _newness(drafts: Sequence[Draft], tx: Reading) -> Callable[[Draft], bool]:
    """Whether a draft, asked about in turn, meets nothing: it names no memory, and nobody said it before, here or ever.

    One look for all of them, so that a batch costs its rows and not a search for each.
    """
    said = {memory.digest for memory in tx.duplicates([draft.digest for draft in drafts])} if drafts else set()

    def meets_nothing(draft: Draft) -> bool:
        new = draft.digest not in said and not draft.said.supersedes and draft.said.subject is None
        said.add(draft.digest)
        return new

    return meets_nothing
