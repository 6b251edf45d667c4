"""Remember: admit → extract → judge_texts → candidates → resolve → write.

Slow work (reading the text, embedding it, asking a model) comes first. Then one short transaction looks up matches and
writes, so the matches are still valid when it writes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from ..domain.memory import Memory, Status
from ..domain.policy import Policy
from ..domain.results import RelatedMemory, Remembered, Skipped
from ..lifecycle.operation_context import OperationContext
from ..ports import MemoryRows, Progress, Vector
from ..text.screening.tombstone_form import purged_reason, texts_beside, tombstone_hashes
from .admit import NewMemoryRequest, PastUse, RememberOptions, admit, admit_many, admit_name
from .candidates import Related, could_conflict, relate
from .core_blocks import blocks, set_block, undo_block, versions
from .extract import extract_requests, extracted
from .judge_texts import read
from .messages import Message, Role, read_messages
from .observe import ALREADY, conversation
from .resolve import find_exact_duplicate, find_near_duplicate, refuse_core, resolve
from .review import review, settle
from .update import changed_request, edit, replacement
from .working_buffer import make_room
from .write import PreparedMemory, WriteDecision, write, write_new

_REVIEWED = 1000  # of what waits for review, the latest so many are known again: an attacker may say one thing often

_BATCH = 256  # texts embedded together and written in one transaction

OnWritten = Callable[[Mapping[str, int]], None]  # told how many active memories the scopes hold that were written to

__all__ = [
    "Message",
    "NewMemoryRequest",
    "OnWritten",
    "PastUse",
    "RememberOptions",
    "Role",
    "admit",
    "admit_many",
    "admit_name",
    "blocks",
    "changed_request",
    "conversation",
    "edit",
    "extracted",
    "mark_observed",
    "read_messages",
    "refuse_core",
    "remember_all",
    "replacement",
    "review",
    "set_block",
    "settle",
    "undo_block",
    "versions",
]


def remember_all(
    requests: Sequence[NewMemoryRequest], work: OperationContext, progress: Progress | None, on_written: OnWritten
) -> Remembered:
    """Store texts, or with `extract` their facts, in batches: each embedded together and written in one transaction.

    `progress` is told after each batch of texts, `on_written` after each transaction.
    """
    outcome = Remembered()
    for start in range(0, len(requests), _BATCH):
        work = work.renewed() if start else work
        batch: list[NewMemoryRequest] = []
        marks: list[str] = []
        several = requests[start : start + _BATCH]
        for request, (facts, notes) in zip(several, extract_requests(several, work), strict=True):
            outcome.notes.extend(note for note in notes if note not in outcome.notes)
            if not facts:
                outcome.skipped.append(Skipped(request.text, "there is no fact in it that would be worth keeping"))
            # Facts may be more than the texts they are from: still no more at once than a transaction should take, but
            # for those of one text, which is observed as a whole.
            if batch and len(batch) + len(facts) > _BATCH:
                outcome += _remember(batch, marks, work, on_written)
                batch, marks = [], []
            batch += facts
            marks += [] if request.turn is None else [request.turn.mark]
        outcome += _remember(batch, marks, work, on_written)
        if progress is not None:
            progress(min(start + _BATCH, len(requests)), len(requests))
    return outcome


def mark_observed(marks: Sequence[str], work: OperationContext) -> None:
    """Messages of which nothing is kept: known again all the same."""
    with work.write() as unit:
        made = unit.tx.observed.memories_of(marks)
        unit.tx.observed.add({mark: () for mark in marks if mark not in made})


def _remember(
    requests: Sequence[NewMemoryRequest], marks: Sequence[str], work: OperationContext, on_written: OnWritten
) -> Remembered:
    """One batch: embed and judge the texts, then write them. `marks`: of the messages that they are the facts of, and
    of those that have none."""
    models = work.models
    empty = [Skipped("", "it held only what Ebbing had placed in the context") for one in requests if not one.text]
    requests = [one for one in requests if one.text]
    if not requests:
        if marks:
            mark_observed(marks, work)
        return Remembered(skipped=empty)
    vectors, notes = models.embed_if_possible([*dict.fromkeys(one.text for one in requests)], work.store, work.view)
    model = models.fingerprint if vectors else None
    requests, readings, more = read(requests, work.policy, models, work.now)
    drafts = [PreparedMemory.of(one, models.count_tokens(one.text), model, readings.get(one.text)) for one in requests]
    outcome, active = _write_batch(drafts, vectors, marks, work.renewed())
    on_written(active)
    kinds = [kind for one in requests for kind in one.redacted]
    redacted = [f"taken out before it was stored: {', '.join(kinds)}"] if kinds else []
    outcome.notes[:0], outcome.skipped[:0] = [*notes, *more, *redacted], empty
    return outcome


def _write_batch(
    drafts: Sequence[PreparedMemory],
    vectors: Mapping[str, Vector],
    marks: Sequence[str],
    work: OperationContext,
) -> tuple[Remembered, Mapping[str, int]]:
    """Keep what is new, strengthen what is known, retire what it replaces: all of it or nothing.

    `vectors` are by text, made before: nothing slow happens in the transaction. Returned besides: how many
    active memories each scope that was written to holds now.
    """
    policy = work.policy
    related = relate(drafts, vectors, work)
    with work.write() as unit:
        tx = unit.tx
        outcome = Remembered(batch=unit.batch, notes=list(related.notes))
        observed = tx.observed.memories_of(marks) if marks else {}
        drafts = _not_observed(drafts, observed, outcome)
        hashes = _hashes(drafts, tx.tombstones.salts)
        every_hash = list(dict.fromkeys(hash_ for several in hashes.values() for hash_ in several))
        matches = tx.index.lookup_matches(every_hash, list(dict.fromkeys(draft.digest for draft in drafts)))
        purged = matches.tombstoned
        stones = {text: purged[hash_] for text, several in hashes.items() for hash_ in several if hash_ in purged}
        barred = _barred(drafts, stones, tx.memories)
        outcome.skipped.extend(Skipped(drafts[place].request.text, why) for place, why in barred.items())
        drafts = [draft for place, draft in enumerate(drafts) if place not in barred]
        current = _CurrentCandidates(related, tx.memories)
        for alone, some in groupby(drafts, key=_stands_alone(matches.duplicates, related, policy)):
            if alone:
                written = write_new(list(some), vectors, unit)
                current.add(written)
                outcome.take(written)
                continue
            for draft in some:
                known = find_exact_duplicate(draft, tx.index)
                candidates = current.candidates(draft)
                merges = known is None and policy.match.merge_on_write
                found = (
                    find_near_duplicate(draft, candidates, related.relations, vectors, tx.index, policy)
                    if merges
                    else None
                )
                decision = WriteDecision(known, found, judge=related.judge)
                resolve(decision, draft, candidates, related, tx, policy)
                written = write(draft, decision, vectors, unit)
                current.add(written)
                outcome.take(written)
        outcome.related.extend(_related_memories(drafts, current, related, outcome, policy))
        make_room(outcome.memories, unit)
        if marks:
            tx.observed.add(_made_of(marks, observed, drafts, current))
    return outcome, tx.scopes.active_counts


def _not_observed(
    drafts: Sequence[PreparedMemory], observed: Mapping[str, Sequence[str]], outcome: Remembered
) -> Sequence[PreparedMemory]:
    """Without the facts of messages that somebody else has observed in the meantime."""
    late = [
        one for one in drafts if (turn := one.request.turn) is not None and turn.mark in observed and not turn.is_again
    ]
    outcome.skipped.extend(Skipped(one.request.text, ALREADY) for one in late)
    return [one for one in drafts if one not in late] if late else drafts


def _made_of(
    marks: Sequence[str],
    observed: Mapping[str, Sequence[str]],
    drafts: Sequence[PreparedMemory],
    standing: _CurrentCandidates,
) -> dict[str, list[str]]:
    """By mark, the memories that were made of each message that is observed now for the first time, or anew."""
    made: dict[str, list[str]] = {mark: [] for mark in marks if mark not in observed}
    for draft in drafts:
        memory = standing.stored(draft)
        if draft.request.turn is not None and memory is not None:
            made.setdefault(draft.request.turn.mark, []).append(memory.id)
    return made


class _CurrentCandidates:
    """The candidates of a batch as they stand in this transaction, and what the batch itself has written."""

    def __init__(self, related: Related, rows: MemoryRows) -> None:
        ids = dict.fromkeys(id_ for several in related.candidates.values() for id_ in several)
        self._ids = related.candidates
        self._memories = rows.get(list(ids)) if ids else {}
        self._written: dict[str, Memory] = {}  # by digest
        self._compared: dict[str, list[str]] = {}  # by the digest of a text, those of the texts it was compared with
        for older, newer in (*related.relations, *related.paraphrases):
            self._compared.setdefault(newer, []).append(older)
            self._compared.setdefault(older, []).append(newer)

    def candidates(self, draft: PreparedMemory) -> list[Memory]:
        """Memories that this draft was compared with and that still stand in its place, the newest first."""
        found = {id_: self._memories[id_] for id_ in self._ids.get(draft.digest, ()) if id_ in self._memories}
        for digest in self._compared.get(draft.digest, ()):
            if digest in self._written:
                found[self._written[digest].id] = self._written[digest]
        conflicting = [memory for memory in found.values() if could_conflict(memory, draft.request)]
        return sorted(conflicting, key=lambda memory: memory.id, reverse=True)

    def written(self, draft: PreparedMemory) -> Memory | None:
        """The memory in use that says what a draft says; None when it was superseded or put apart as it came."""
        memory = self._written.get(draft.digest)
        if memory is not None and memory.contested and memory.superseded_by in self._memories:
            memory = self._memories[memory.superseded_by]  # it was merged with that one
        return memory if memory is not None and memory.status.live else None

    def stored(self, draft: PreparedMemory) -> Memory | None:
        """The memory that was written or found for a draft, whatever became of it."""
        return self._written.get(draft.digest)

    def add(self, written: Remembered) -> None:
        """Take over what was just written, for the drafts behind it."""
        for memory in (*written.memories, *written.reinforced, *written.superseded, *written.contested):
            self._memories[memory.id] = memory
            self._written[memory.digest] = memory


def _stands_alone(same: Sequence[Memory], related: Related, policy: Policy) -> Callable[[PreparedMemory], bool]:
    """A key for groupby: whether nothing stored and nothing earlier in the batch has to do with a draft.

    It remembers the drafts it was asked about, so it is asked once for each, in their order. Such drafts are written
    together, so that a batch costs its rows and not a comparison for each.
    """
    rules = policy.judge
    least = min(rules.conflict_certainty, rules.same_certainty)
    concerned = {
        digest
        for pair, relation in related.relations.items()
        if max(relation.conflicts, relation.same) >= least
        for digest in pair
    }
    concerned |= {digest for pair in (*related.opinions, *related.paraphrases) for digest in pair}
    by_rules = {digest for digest, ids in related.candidates.items() if ids and digest not in concerned}
    request = {memory.digest for memory in same}

    def alone(draft: PreparedMemory) -> bool:
        if draft.request.suspicion is not None:
            return True
        known = draft.digest in request
        request.add(draft.digest)
        named = bool(draft.request.supersedes) or draft.request.subject is not None
        return not (known or named or draft.digest in concerned or draft.digest in by_rules)

    return alone


def _related_memories(
    drafts: Sequence[PreparedMemory],
    current: _CurrentCandidates,
    related: Related,
    outcome: Remembered,
    policy: Policy,
) -> list[RelatedMemory]:
    """What may be about the same thing as a new text and was neither retired nor merged, the likeliest first."""
    decided = {memory.id for memory in (*outcome.superseded, *outcome.reinforced, *outcome.merged)}
    found: dict[str, RelatedMemory] = {}
    for draft in drafts:
        new = current.written(draft)
        if new is None:
            continue
        for memory in current.candidates(draft):
            relation = related.relations.get((memory.digest, draft.digest))
            if relation is None or memory.id in decided or not memory.status.live or memory.id == new.id:
                continue
            certainty = max(relation.conflicts, relation.same)
            if certainty >= policy.judge.related_certainty:
                name = "same" if relation.same > relation.conflicts else "updates"
                name = "contradicts" if name == "updates" and relation.contradicts > relation.updates else name
                found[memory.id] = RelatedMemory(
                    memory.id, memory.text, memory.created_at, name, round(certainty, 3), new.id
                )
    return sorted(found.values(), key=lambda one: -one.certainty)[: policy.judge.candidates_max]


def _hashes(drafts: Sequence[PreparedMemory], salts: Sequence[bytes]) -> dict[str, list[str]]:
    """By each text of the drafts, those beside the text included, what its tombstone would be known by."""
    texts = (
        text for draft in drafts for text in (draft.request.text, *(one for _, one in texts_beside(draft.request)))
    )
    return {text: tombstone_hashes(text, salts) for text in dict.fromkeys(texts)}


def _barred(drafts: Sequence[PreparedMemory], stones: Mapping[str, str], rows: MemoryRows) -> dict[int, str]:
    """Which drafts must not be stored, by their place, and why: the text or another field holds what was purged, or the
    text is quarantined already. `stones`: by each text that was purged, its tombstone."""
    barred: dict[int, str] = {}
    suspects = {draft.digest for draft in drafts if draft.request.suspicion is not None}
    apart = (
        {m.digest for m in rows.pending_review(limit=_REVIEWED) if m.status is Status.QUARANTINED}
        if suspects
        else set()
    )
    for place, draft in enumerate(drafts):
        if draft.digest in suspects & apart:
            barred[place] = "it looked like an instruction before, and waits for review"
        elif stones and (why := purged_reason(draft.request.text, draft.request, stones)) is not None:
            barred[place] = why
    return barred
