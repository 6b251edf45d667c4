"""What is known already: memories that say exactly the same, or the same in other words.

Points (reading/points.py) propose, in one look for a whole batch; `sameness.same` decides, and the vectors must
agree. What only looks alike stays two.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from ..answers import Remembered
from ..model import Memory, Status, Tier
from ..policy import Policy
from ..ports import Reading, Vector, Writing
from ..reading.points import points, sketch
from ..sameness import same
from .gate import Said
from .write import Draft, Twin

_LOOKED_AT = 256  # memories for a batch, at least: some milliseconds


class Company:
    """Who stands where the drafts of a batch stand; kept up as they are written."""

    def __init__(self, met: Mapping[str, Sequence[Memory]], policy: Policy) -> None:
        self._most = policy.match.rivals_max
        self._ids: dict[str, list[str]] = {}
        self._memories: dict[str, Memory] = {}
        for point, several in met.items():
            self._ids[point] = sorted({memory.id for memory in several}, reverse=True)
            self._memories |= {memory.id: memory for memory in several}

    def __contains__(self, point: str) -> bool:
        return point in self._ids

    def of(self, draft: Draft) -> list[Memory]:
        """Who may say the same or the contrary, the latest first: in the same scope, seen by the same agents."""
        met: dict[str, Memory] = {}
        for point in draft.points:
            standing = (self._memories[id_] for id_ in self._ids.get(point, ()))
            meeting = (memory for memory in standing if beside(memory, draft.said))
            met |= {memory.id: memory for memory in itertools.islice(meeting, self._most)}
        return [met[id_] for id_ in sorted(met, reverse=True)]

    def learn(self, outcome: Remembered) -> None:
        """What was just written stands here too, for those that come after it."""
        for memory in (*outcome.memories, *outcome.reinforced, *outcome.superseded, *outcome.contested):
            if memory.id not in self._memories:
                for point in points(memory.text):
                    self._ids.setdefault(point, []).insert(0, memory.id)
            self._memories[memory.id] = memory


def sought(drafts: Sequence[Draft], policy: Policy) -> tuple[list[str], int]:
    """The points of a batch, and how many memories are looked at under each."""
    wanted = list(dict.fromkeys(point for draft in drafts for point in draft.points))
    # Some of them stand in other scopes: where few points are asked for, more of each.
    return wanted, max(policy.match.rivals_max, _LOOKED_AT // max(len(wanted), 1))


def repeated(draft: Draft, tx: Writing) -> Memory | None:
    """The live memory that this text repeats, in the same scope and category and seen by the same agents.

    Not the one that it is to be written in the place of: whoever changes a capital wants it changed.
    """
    replaced = draft.said.supersedes if draft.said.insists else ()
    found = [memory for memory in tx.duplicates([draft.digest]) if memory.id not in replaced]
    same_words = [memory for memory in found if _alike(memory, draft.said)]
    # An active one before a detached one: strengthening what recall can find.
    return min(same_words, key=lambda memory: (memory.status is not Status.ACTIVE, memory.id), default=None)


def twin(draft: Draft, company: Company, vectors: Mapping[str, Vector], tx: Reading, policy: Policy) -> Twin | None:
    """The live memory that says the same in other words, the oldest of several; none that it is to replace."""
    sketched = sketch(draft.said.text)  # those that say the same stand under the same
    alike = [
        memory
        for memory in company.of(draft)
        if memory.status.live
        and memory.id not in draft.said.supersedes
        and sketch(memory.text) == sketched
        and _alike(memory, draft.said)
        and same(memory.text, draft.said.text)
    ]
    if not alike:
        return None
    own = vectors.get(draft.said.text)
    theirs = tx.vectors([memory.id for memory in alike]) if own is not None else {}
    for memory in reversed(alike):
        comparable = memory.fingerprint == draft.fingerprint and memory.id in theirs
        similarity = float(np.dot(own, theirs[memory.id])) if comparable and own is not None else None
        if similarity is None or similarity >= policy.match.merge_similarity:
            return Twin(memory, similarity)
    return None


def beside(memory: Memory, said: Said) -> bool:
    """Whether a memory can be in the way of what is said there."""
    return (
        memory.scope == said.scope
        and memory.visibility is said.visibility
        and memory.tier is not Tier.CORE
        and (memory.status.live or memory.status is Status.ARCHIVED)
    )


def _alike(memory: Memory, said: Said) -> bool:
    """Whether two could be one: of one kind and place, and not at two addresses, where one word says two things."""
    return (
        memory.scope == said.scope
        and memory.category == said.category
        and memory.visibility is said.visibility
        and memory.tier is said.tier
        # "on" is not the same about the lamp and about the heating.
        and (None in (memory.subject, said.subject) or _address(memory) == _address(said))
    )


def _address(of: Memory | Said) -> tuple[str | None, str | None]:
    return of.subject, of.attribute
