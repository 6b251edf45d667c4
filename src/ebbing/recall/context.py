"""A block of memories ready to be placed before a model: what is core, what is pinned, what answers best.

Within a budget of real tokens, as data between marks (text/prompt_envelope.py), each line with where it comes from and
when it was said; before it, between marks of their own, the rules that the user set (standing_instructions.py). The
same state and question give the same text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..domain.memory import Memory, Status, Tier
from ..domain.policy import Policy
from ..domain.results import Block, Context, Recollections
from ..lifecycle.operation_context import OperationContext
from ..ports import Filter, Vector
from ..text.paraphrase import same
from ..text.prompt_envelope import wrapped
from .standing_instructions import standing_instructions

BUDGET_TOKENS_MAX = 1_000_000  # more than any model reads at once
FADED = (Status.DETACHED, Status.ARCHIVED)  # what has left recall, and may be told where nothing in use answers
PINNED_MOST = 50
_TOKENS_A_LINE = 12  # a memory in a context takes at least about so many …
_LINES_MOST = 200  # … and nobody reads more of them
_SPARED = 0.25  # of what is left beside the blocks is not for what is pinned, but for what answers the question
_RULES = (
    0.25  # of what is left there is for the user's rules; further ones that are pinned or found still have a chance
)
_LONG = 0.25  # of the budget: a line so long may be passed over for the next; where a short one has no room, none has
_PLAIN_KIND = re.compile(r"[\w ./-]{1,32}")  # whatever else a source may call itself is no place to speak from
_KNOWN_KINDS = {"user": "the user said", "agent": "the agent noted", "model": "a model said"}


def context(
    found: Recollections, blocks: Sequence[Block], where: Filter, work: OperationContext, *, budget_tokens: int
) -> Context:
    """What fits: the user's rules, blocks in their order, then what is pinned, then what was found, best first; told by
    topic, oldest first."""
    ids = [one.memory.id for one in found]
    with work.read() as tx:
        page = replace(where, statuses=(Status.ACTIVE,), pinned=True)
        pinned = [memory for memory in tx.memories.page(page, limit=PINNED_MOST) if memory.tier is not Tier.CORE]
        vectors = tx.index.vectors([*ids, *(memory.id for memory in pinned)])
        rules = standing_instructions([*(one.memory for one in found), *pinned], where, tx, work)
    standing_ids = {memory.id for memory in rules}
    # Pinned ones that answer the question come first, as they were ranked; the others newest first.
    pinned.sort(key=lambda memory: ids.index(memory.id) if memory.id in ids else len(ids))
    room = _Room(budget_tokens, work.models.count_tokens, instructions=bool(rules))
    core = [line for line in map(_block_line, blocks) if line is not None and room.take(line)]
    chosen: list[Memory] = []
    spares = (room.left * (1 - _RULES), room.left * _SPARED, 0.0)
    for several, spare in zip((rules, pinned, [one.memory for one in found]), spares, strict=True):
        for memory in several:
            if memory.tier is Tier.CORE or any(_repeats(memory, other) for other in chosen):
                continue
            if room.take(context_line(memory), spare):
                chosen.append(memory)
            elif memory.tokens < _LONG * budget_tokens:
                break
    while True:
        standing = [memory for memory in chosen if memory.id in standing_ids]
        ordered = _by_topic([memory for memory in chosen if memory.id not in standing_ids], vectors, work.policy)
        data = [*core, *map(context_line, ordered)]
        text = wrapped(data, [*map(context_line, standing)]) if data or standing else ""
        tokens = work.models.count_tokens(text) if text else 0
        if tokens <= budget_tokens or not (core or chosen):
            return Context(text, [*standing, *ordered], tokens, found.notes)
        # Lines together may be a token more than each by itself: the last one taken goes.
        (chosen or core).pop()


def lines_of(budget_tokens: int, policy: Policy) -> int:
    """How many memories are worth looking for to fill a budget of tokens."""
    return min(max(budget_tokens // _TOKENS_A_LINE, 1), policy.recall.limit_max, _LINES_MOST)


def context_line(memory: Memory) -> str:
    """A memory as one line: when, from whom, how far to be believed, and its words."""
    kind = memory.source.kind
    source = _KNOWN_KINDS.get(kind) or f"from {kind if _PLAIN_KIND.fullmatch(kind) else 'elsewhere'}"
    doubts = [word for word, holds in (("contested", memory.contested), ("unverified", memory.trust < 0.5)) if holds]
    # Whether that is over the reader sees by today's date.
    until = [f"true until {memory.valid_until:%Y-%m-%d}"] if memory.valid_until is not None else []
    faded = ["faded"] if memory.status in FADED else []
    origin = ", ".join([f"{memory.created_at:%Y-%m-%d}", source, *until, *faded, *doubts])
    return f"- [{origin}] {' '.join(memory.text.split())}"


def _block_line(block: Block) -> str | None:
    return f"{block.label}: {' '.join(block.text.split())}" if block.text else None


class _Room:
    """A budget of tokens, as lines are taken into it."""

    def __init__(self, budget: int, count: Callable[[str], int], *, instructions: bool) -> None:
        self._count = count
        self.left = budget - count(wrapped(()) + (wrapped((), [""]) if instructions else ""))

    def take(self, line: str, spare: float = 0.0) -> bool:
        """Whether there is room for the line, with so much to spare; then it is taken."""
        tokens = self._count(f"{line}\n")
        if self.left - tokens < spare:
            return False
        self.left -= tokens
        return True


def _repeats(memory: Memory, other: Memory) -> bool:
    """Whether the two say the same. That one has the words of the other in it says little: it may deny them."""
    return memory.id == other.id or same(memory.text, other.text)


def _by_topic(memories: Sequence[Memory], vectors: Mapping[str, Vector], policy: Policy) -> list[Memory]:
    """Topics in the order of their best, each told as it happened."""
    topics: list[list[Memory]] = []
    for memory in memories:
        vector = vectors.get(memory.id)
        for topic in topics:
            first = vectors.get(topic[0].id)
            comparable = vector is not None and first is not None and topic[0].fingerprint == memory.fingerprint
            if comparable and float(np.dot(vector, first)) >= policy.compaction.similarity:  # type: ignore[arg-type]
                topic.append(memory)
                break
        else:
            topics.append([memory])
    return [memory for topic in topics for memory in sorted(topic, key=lambda one: (one.created_at, one.id))]
