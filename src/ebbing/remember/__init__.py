"""The way in: gate → extract → match → resolve → write.

Slow work (reading the text, embedding it, asking a model) comes first; then one short transaction in which
what is matched is still true when it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from ..answers import Remembered, Skipped
from ..ids import new_id
from ..model import Memory, Status
from ..ports import Reading, Vector
from ..screening.purged import tombstone_hashes
from ..work import Work
from .blocks import blocks, set_block, undo_block, versions
from .buffer import make_room
from .doubts import opinions
from .edit import edit, options_of, require
from .facts import draw_out, extracted, turns
from .gate import Said, admit, admit_many, cleaned, reason_of
from .match import Company, repeated, sought, twin
from .resolve import Opinions, refuse_core, resolve
from .review import review, settle
from .write import Draft, Verdict, write, write_new

_REVIEWED = 1000  # of what waits for review, the latest so many are known again: an attacker may say one thing often

__all__ = [
    "Draft",
    "Said",
    "admit",
    "admit_many",
    "blocks",
    "cleaned",
    "draw_out",
    "edit",
    "extracted",
    "options_of",
    "reason_of",
    "refuse_core",
    "remember",
    "require",
    "review",
    "set_block",
    "settle",
    "turns",
    "undo_block",
    "versions",
]


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
    told, notes = opinions(drafts, vectors, work)
    outcome = Remembered(batch=batch, notes=notes)
    with work.write() as tx:
        moment = tx.use(work.now)
        tx.under(policy.fingerprint)
        hashes = {draft.digest: tombstone_hashes(draft.said.text, tx.salts) for draft in drafts}
        every_hash = list(dict.fromkeys(hash_ for several in hashes.values() for hash_ in several))
        familiar = tx.familiar(every_hash, list(hashes), *sought(drafts, policy))
        stones = {
            digest: [familiar.buried[h] for h in several if h in familiar.buried] for digest, several in hashes.items()
        }
        barred = _barred(drafts, {digest: found[0] for digest, found in stones.items() if found}, tx)
        outcome.skipped.extend(Skipped(d.said.text, barred[d.digest]) for d in drafts if d.digest in barred)
        drafts = [draft for draft in drafts if draft.digest not in barred]
        company = Company(tx.meeting(*sought(drafts, policy)) if barred else familiar.met, policy)
        for meets_nothing, some in groupby(drafts, key=_newness(familiar.same, company, told)):
            if meets_nothing:
                written = write_new(list(some), vectors, tx, moment, policy, batch)
                company.learn(written)
                outcome.take(written)
                continue
            for draft in some:
                known = repeated(draft, tx)
                merges = known is None and policy.match.merge_on_write
                verdict = Verdict(known, twin(draft, company, vectors, tx, policy) if merges else None)
                resolve(verdict, draft, company, told, tx, policy)
                written = write(draft, verdict, vectors, tx, moment, policy, batch)
                company.learn(written)
                outcome.take(written)
        make_room(outcome.memories, tx, moment, policy, batch)
    return outcome, tx.active


def _barred(drafts: Sequence[Draft], buried: Mapping[str, str], tx: Reading) -> dict[str, str]:
    """What must not be stored, by digest, and why: it was purged, or stands before a person already."""
    barred = {digest: f"it was purged; lift tombstone {stone} to allow it" for digest, stone in buried.items()}
    suspects = {draft.digest for draft in drafts if draft.said.suspicion is not None}
    if suspects:
        apart = {m.digest for m in tx.unsettled(limit=_REVIEWED) if m.status is Status.QUARANTINED}
        barred |= dict.fromkeys(suspects & apart, "it looked like an instruction before, and waits for review")
    return barred


def _newness(same: Sequence[Memory], company: Company, told: Opinions) -> Callable[[Draft], bool]:
    """Whether a draft, asked about in turn, meets nothing: it names no memory, nobody said it before, here or ever, and
    nobody stands where it stands. What is to be kept apart meets nothing in any case.

    One look was for all of them, so that a batch costs its rows and not a search for each.
    """
    said = {memory.digest for memory in same}
    judged = {digest for _, digest in told}
    stood: set[str] = set()  # the points of those asked about before, in this batch

    def meets_nothing(draft: Draft) -> bool:
        if draft.said.suspicion is not None:
            return True
        new = draft.digest not in said and not draft.said.supersedes and draft.said.subject is None
        new = new and draft.digest not in judged
        new = new and not any(point in company or point in stood for point in draft.points)
        said.add(draft.digest)
        stood.update(draft.points)
        return new

    return meets_nothing
