"""What a statement claims, and whether a newer one retires an older.

No model: only words. Each clause is read as a subject, a relation and a value (statements.py, doings.py, changes.py),
and filed under keys: subject and relation where there can be but one value, the value too where there may be many.
Two statements can only conflict over a key that both have, and a hash of it is a point, under which an index finds
them. In doubt nothing is retired: keeping both loses nothing.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..sameness import same
from ..terms import normalised, terms
from .assertions.changes import changes
from .assertions.doings import doing
from .assertions.judging import Judgement, Relation, Verdict, compare
from .assertions.mentions import mentions
from .assertions.phrases import Phrase
from .assertions.predicates import Predicate, predicates
from .assertions.statements import Claim, copular
from .assertions.tokens import sentences

__all__ = ["Claim", "Judgement", "Relation", "claims", "conflict", "judge", "points"]

_POINTS_MAX = 8
_KEPT = 2048  # a text is asked for its points, and judged soon after
_ALIKE = 0.6  # of two texts' words: with fewer in common they do not say the same
_COMPARED_MAX = 4_000  # characters: what is longer is the same only letter by letter
_RANK = (Relation.UPDATES, Relation.CONTRADICTS, Relation.DOUBTFUL)
_BY_THE_WAY = 0  # the place of what is mentioned: a new value for it does not retire the clause around it
_ASIDE_MAX = 1  # word: `at Acme as an engineer` is retired as a whole by `at Bolt`


@dataclass(frozen=True, slots=True)
class _Reading:
    claims: tuple[tuple[int, Claim], ...]  # each with the place of its clause
    clauses: frozenset[int]  # those that tell something, understood or not


def claims(text: str, *, speaker: str | None = None) -> list[Claim]:
    """What a text claims, in its order; nothing for questions, requests and what is not understood."""
    return [claim for _, claim in _read(text, speaker).claims]


@functools.lru_cache(maxsize=_KEPT)
def points(text: str) -> tuple[str, ...]:
    """Short hashes under which a text meets all that it could conflict with."""
    keys = dict.fromkeys(key for _, claim in _read(text, None).claims for key in claim.keys)
    return tuple(hashlib.blake2b(key.encode(), digest_size=5).hexdigest() for key in keys)


def judge(older: str, newer: str) -> Judgement:
    """What the newer text is to the older, and why."""
    if normalised(older) == normalised(newer):
        return Judgement(Relation.SAME, "both say the same", {"words": 1.0}, whole=True)
    return conflict(older, newer) or _without_conflict(older, newer)


def conflict(older: str, newer: str) -> Judgement | None:
    """Over what the two cannot both hold, or perhaps cannot; None where they can, be they the same or not."""
    was, now = _read(older, None), _read(newer, None)
    found: list[tuple[int, Claim, Verdict]] = []
    for place, old in was.claims:
        for _, new in now.claims:
            verdict = compare(old, new)
            if verdict is not None:
                found.append((place, old, verdict))
    if not found:
        return None
    _, _, best = min(found, key=lambda one: _RANK.index(one[2].relation))
    retired = [(place, old) for place, old, verdict in found if verdict.relation is not Relation.DOUBTFUL]
    said_now = frozenset(terms(newer))
    whole = was.clauses <= {place for place, _ in retired} and all(
        len(old.extra - said_now) <= _ASIDE_MAX for _, old in retired
    )
    return Judgement(best.relation, best.reason, best.evidence, whole)


def _without_conflict(older: str, newer: str) -> Judgement:
    is_short = max(len(older), len(newer)) <= _COMPARED_MAX
    mine, theirs = (set(terms(older)), set(terms(newer))) if is_short else (set[str](), set[str]())
    if mine and len(mine & theirs) >= _ALIKE * max(len(mine), len(theirs)) and same(older, newer):
        return Judgement(Relation.SAME, "both say the same", {"words": 1.0}, whole=True)
    both_claim = _read(older, None).claims and _read(newer, None).claims
    told = "they claim nothing that excludes the other" if both_claim else "no claim of theirs meets"
    return Judgement(Relation.COMPATIBLE, told)


@functools.lru_cache(maxsize=_KEPT)
def _read(text: str, speaker: str | None) -> _Reading:
    found: list[tuple[int, Claim]] = []
    clauses: set[int] = set()
    before: Phrase | None = None
    place = 0
    for sentence in sentences(text):
        for said in predicates(sentence, speaker, before):
            place += 1
            clauses.add(place)
            if said is None:
                continue
            before = said.subject
            found += ((place, claim) for claim in _claims(said))
        found += (
            (_BY_THE_WAY, claim)
            for claim in mentions(sentence)
            if claim.keys[0] not in {key for _, one in found for key in one.keys}
        )
    return _Reading(tuple(_within(found)), frozenset(clauses))


def _within(found: Iterable[tuple[int, Claim]]) -> Iterator[tuple[int, Claim]]:
    """As many claims as a text may have points; the others can retire nothing, for nothing would find them."""
    keys: set[str] = set()
    for place, claim in found:
        if len(keys | set(claim.keys)) <= _POINTS_MAX:
            keys |= set(claim.keys)
            yield place, claim


def _claims(said: Predicate) -> list[Claim]:
    if changed := list(changes(said)):
        return changed
    return list(copular(said) if said.verb == "be" else doing(said))
