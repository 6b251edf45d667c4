"""Which stored memories a new text could repeat, replace or contradict, and what is read between it and each of them.

A few are found, however many are stored: the nearest by vector and the best by words, in the same scope and seen by the
same agents; and the texts that are written before it in the same batch. The judge reads each pair, and in doubt a
language model, before the transaction: reading takes milliseconds and asking takes seconds. A judgement only holds for
a memory that still stands when it is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from ..domain.errors import Unavailable
from ..domain.judgement import Relation
from ..domain.memory import Memory, Status, Tier
from ..domain.policy.judge_rules import Judging
from ..lifecycle.operation_context import OperationContext
from ..ports import Filter, Index, Question, ReadTransaction, Vector
from ..text.paraphrase import about_different_things, same
from ..text.terms import terms
from .admit import NewMemoryRequest
from .llm_prompts import judged
from .write import PreparedMemory

_TERMS_MAX = 48  # of a long text the first so many distinct words are searched for
_LOOKED_AT = 3  # times as many are read as are wanted: some are in other scopes
_WORDS = 0.3  # what words in common count beside the nearness of vectors
_ARCHIVED = 2  # archived memories that are compared, by words alone
_LIVE = (Status.ACTIVE, Status.DETACHED)
_ASKED_MAX = 40  # pairs of one batch that a language model is asked about: each costs somebody's tokens
_SENTENCE = re.compile(r"[^.!?\n]*\w[^.!?\n]*(?P<end>[.!?]*)")
_ASKING = frozenset(
    """what what's which who who's whom whose when where where's why how how's do does did is are am was were
    can could will would shall should may might have has had""".split()
)
_NEAR = 0.75  # cosine: a pair that no judge read and that is less alike is not put before a language model
_RESTATED = 0.5  # from this probability on two older texts say the same: what replaces one replaces both
_CHATTER = 0.5  # from this probability on a text is small talk, which changes nothing that was said


def find_candidates(
    draft: PreparedMemory, vector: Vector | None, tx: ReadTransaction, unrelated: float, limit: int
) -> list[Memory]:
    """The live memories that have most in common with a draft, at most `limit`, the nearest first; and a few archived
    ones that share its words, because what comes back from the archive must not be out of date.

    All scopes are searched first: listing the rows of a scope costs as much as it holds. Only where other scopes took
    the places, the draft's own is searched by itself.
    """
    fitting: list[Memory] = []
    for where in (Filter(statuses=_LIVE), Filter(scope=draft.request.scope, statuses=_LIVE)):
        near = _nearest(draft, vector, tx, unrelated, where, _LOOKED_AT * limit)
        fitting = [memory for memory in near if could_conflict(memory, draft.request)]
        if len(fitting) >= limit or len(near) < _LOOKED_AT * limit:
            break
    archived = _nearest(draft, None, tx, unrelated, Filter(statuses=(Status.ARCHIVED,)), _ARCHIVED, archived=True)
    return [*fitting[:limit], *(memory for memory in archived if could_conflict(memory, draft.request))]


def find_near_duplicates(
    draft: PreparedMemory, vector: Vector, tx: ReadTransaction, similarity: float, limit: int
) -> list[Memory]:
    """The live memories whose vectors are so near that they may say the same: all that exact rules can use."""
    where = Filter(statuses=_LIVE)
    search = tx.index.search(Question(vector=vector, fingerprint=draft.fingerprint, filter=where))
    nearest = search.semantic(_LOOKED_AT * limit)
    near = nearest.handles[nearest.semantic >= similarity]
    found = tx.memories.get(search.traces(near).ids) if len(near) else {}
    return [memory for memory in found.values() if could_conflict(memory, draft.request)][:limit]


def _nearest(
    draft: PreparedMemory,
    vector: Vector | None,
    tx: ReadTransaction,
    unrelated: float,
    where: Filter,
    most: int,
    *,
    archived: bool = False,
) -> list[Memory]:
    """The memories among those of a filter that have most in common with a draft by words and vectors."""
    words = tuple(dict.fromkeys(terms(draft.request.text)))[:_TERMS_MAX]
    search = tx.index.search(
        Question(terms=words, vector=vector, fingerprint=draft.fingerprint, filter=where, archived=archived)
    )
    by_words = search.lexical()
    nearest = search.semantic(most) if vector is not None else None
    handles, lexical, semantic = by_words.handles, by_words.lexical, by_words.semantic
    if nearest is not None:
        new = ~np.isin(nearest.handles, handles)
        handles = np.concatenate([handles, nearest.handles[new]])
        lexical = np.concatenate([lexical, np.zeros(int(new.sum()))])
        semantic = np.concatenate([semantic, nearest.semantic[new]])
    # Vectors first: long texts share words with everything, and a change is often told in other words.
    near = (semantic - unrelated) / max(1.0 - unrelated, 1e-6)
    common = near + _WORDS * lexical if vector is not None else lexical
    order = np.argsort(-common, kind="stable")[:most]
    traces = search.traces(handles[order])
    by_handle = dict(zip(traces.handles.tolist(), traces.ids, strict=True))
    ids = [by_handle[handle] for handle in handles[order].tolist() if handle in by_handle]
    found = tx.memories.get(ids)
    return [found[id_] for id_ in ids if id_ in found]


def earlier_in_batch(
    drafts: Sequence[PreparedMemory], vectors: Mapping[str, Vector], limit: int
) -> dict[str, list[PreparedMemory]]:
    """For each draft of a batch, by its digest, the drafts before it that are nearest to it."""
    known = [draft for draft in drafts if draft.request.text in vectors]
    if len(known) < 2:
        return {}
    matrix = np.stack([vectors[draft.request.text] for draft in known])
    cosines = matrix @ matrix.T
    found: dict[str, list[PreparedMemory]] = {}
    for number, draft in enumerate(known):
        order = np.argsort(-cosines[number, :number], kind="stable")
        near = (known[k] for k in order)
        found[draft.digest] = [other for other in near if _same_place(other.request, draft.request)][:limit]
    return found


def could_conflict(memory: Memory, request: NewMemoryRequest) -> bool:
    """Whether a memory has the same scope and visibility, and can still change its status."""
    return (
        memory.scope == request.scope
        and memory.visibility is request.visibility
        and memory.tier is not Tier.CORE
        and (memory.status.live or memory.status is Status.ARCHIVED)
    )


def _same_place(one: NewMemoryRequest, other: NewMemoryRequest) -> bool:
    return one.scope == other.scope and one.visibility is other.visibility and one.suspicion is None


@dataclass(slots=True)
class Related:
    """The candidates of each draft, and what was read between them."""

    candidates: dict[str, list[str]] = field(default_factory=dict)  # ids of memories, by the digest of the draft
    relations: dict[tuple[str, str], Relation] = field(default_factory=dict)  # by digests: (older, newer)
    opinions: dict[tuple[str, str], str] = field(default_factory=dict)  # a language model's, by the same
    paraphrases: set[tuple[str, str]] = field(default_factory=set)  # pairs of the batch that say the same word for word
    restated: set[frozenset[str]] = field(default_factory=set)  # pairs of olders that say the same, by digests
    notes: list[str] = field(default_factory=list)
    judge: str | None = None  # the fingerprint of the judge that read the relations

    def replaced(self, newer: str, olders: Iterable[str], rules: Judging) -> set[str]:
        """Which of the older texts a newer one replaces: the likeliest, those that say the same as that one, and those
        that are almost certain. A statement seldom changes two things, and what looks like the second one most often
        is another thing of the same kind."""
        found = {older: self.relations[older, newer].updates for older in olders if (older, newer) in self.relations}
        likely = {older: updates for older, updates in found.items() if updates >= rules.update_certainty}
        if not likely:
            return set()
        first = max(likely, key=lambda older: likely[older])
        return {
            older
            for older, updates in likely.items()
            if older == first or updates >= rules.further_certainty or frozenset((older, first)) in self.restated
        }


def relate(drafts: Sequence[PreparedMemory], vectors: Mapping[str, Vector], work: OperationContext) -> Related:
    """Find the candidates of every draft and have the pairs read."""
    rules, models = work.policy.judge, work.models
    result = Related(judge=None if models.judge is None else models.judge.fingerprint)
    wanted = [draft for draft in drafts if draft.request.suspicion is None and _states_something(draft)]
    limit = rules.candidates_max if len(wanted) == 1 else rules.candidates_in_batch
    unrelated = models.unrelated if vectors else 0.0
    pairs: dict[tuple[str, str], tuple[str, str]] = {}
    near: set[tuple[str, str]] = set()
    with work.read() as tx:
        for draft in wanted:
            vector = vectors.get(draft.request.text)
            if vector is not None and models.judge is None and models.llm is None:
                found = find_near_duplicates(draft, vector, tx, work.policy.match.merge_similarity, limit)
            else:
                found = find_candidates(draft, vector, tx, unrelated, limit)
            result.candidates[draft.digest] = [memory.id for memory in found]
            alike = _alike(draft, found, vector, tx.index) if models.llm is not None else set()
            for memory in filter(lambda one: not only_asks(one.text), found):
                older, newer = _in_order(draft, memory, work.now)
                pairs[older[0], newer[0]] = (older[1], newer[1])
                near |= {(older[0], newer[0])} if memory.id in alike else set()
    by_digest = {draft.digest: draft for draft in wanted}
    for digest, earlier in earlier_in_batch(wanted, vectors, limit).items():
        for draft in earlier:
            # In the order of their times; without a time, in that of the batch.
            first, last = sorted((draft, by_digest[digest]), key=lambda one: one.request.created_at or work.now)
            pairs[first.digest, last.digest] = (first.request.text, last.request.text)
            if same(first.request.text, last.request.text):
                result.paraphrases.add((first.digest, last.digest))
    pairs = {key: texts for key, texts in pairs.items() if key[0] != key[1] and not about_different_things(*texts)}
    if not work.policy.match.find_contradictions and not work.policy.match.merge_on_write:
        return result
    relations, result.notes = models.relate(list(pairs.values()))
    result.relations = dict(zip(pairs, relations, strict=False))
    _find_restated(pairs, result, work)
    _ask_about_doubts(pairs, near, result, work)
    return result


def _find_restated(pairs: Mapping[tuple[str, str], tuple[str, str]], result: Related, work: OperationContext) -> None:
    """Where a new text could replace several older ones, read which of those say the same as the likeliest one."""
    rules = work.policy.judge
    likely: dict[str, list[tuple[float, str, str]]] = {}
    for (older, newer), relation in result.relations.items():
        if relation.updates >= rules.update_certainty:
            likely.setdefault(newer, []).append((relation.updates, older, pairs[older, newer][0]))
    olders: dict[frozenset[str], tuple[str, str]] = {}
    for several in likely.values():
        (_, first, text), *others = sorted(several, reverse=True)
        olders |= {frozenset((first, other)): (text, other_text) for _, other, other_text in others if other != first}
    if not olders:
        return
    relations, notes = work.models.relate(list(olders.values()))
    result.notes.extend(notes)
    said_again = zip(olders, relations, strict=False)
    result.restated = {pair for pair, relation in said_again if relation.same >= _RESTATED}


def _alike(draft: PreparedMemory, memories: Sequence[Memory], vector: Vector | None, index: Index) -> set[str]:
    """The ids of those whose vector is near: without a judge, nothing else tells which pairs are worth a question."""
    if vector is None:
        return set()
    stored = index.vectors([memory.id for memory in memories if memory.fingerprint == draft.fingerprint])
    return {id_ for id_, other in stored.items() if float(np.dot(other, vector)) >= _NEAR}


def _in_order(draft: PreparedMemory, memory: Memory, now: datetime) -> tuple[tuple[str, str], tuple[str, str]]:
    """Digest and text of the older, then of the newer statement: what is told late may be the older one."""
    new, stored = (draft.digest, draft.request.text), (memory.digest, memory.text)
    return (new, stored) if (draft.request.created_at or now) < memory.created_at else (stored, new)


def _ask_about_doubts(
    pairs: Mapping[tuple[str, str], tuple[str, str]],
    near: set[tuple[str, str]],
    result: Related,
    work: OperationContext,
) -> None:
    """Put the pairs that the judge is unsure about before a language model, where there is one; of pairs that no judge
    read, those that are near."""
    if work.models.llm is None or not work.policy.match.find_contradictions:
        return
    rules = work.policy.judge
    unsure = {
        key
        for key, relation in result.relations.items()
        if rules.related_certainty <= relation.conflicts and relation.updates < rules.update_certainty
    }
    doubtful = [key for key in pairs if key in unsure or (key in near and key not in result.relations)][:_ASKED_MAX]
    if not doubtful:
        return
    try:
        answers = judged([pairs[key] for key in doubtful], work.models)
    except Unavailable as error:
        result.notes.append(f"{error}; statements it was to compare were both kept")
        return
    result.opinions = {key: answers[place] for place, key in enumerate(doubtful)}


def _states_something(draft: PreparedMemory) -> bool:
    """Whether a text can repeat, replace or contradict anything: questions and small talk cannot."""
    reading = draft.reading
    chats = reading is not None and reading.kind == "chatter" and reading.kind_probability >= _CHATTER
    return not chats and not only_asks(draft.request.text)


def only_asks(text: str) -> bool:
    """Whether a text is a single question that begins as one. Others tell something, too ("I sold it, what now?")."""
    ends = [found["end"] for found in _SENTENCE.finditer(text)]
    return len(ends) == 1 and "?" in ends[0] and text.split(maxsplit=1)[0].lower() in _ASKING
