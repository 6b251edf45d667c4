"""An owner's memories in numbers.

What there is, is counted where it is stored, without reading a memory. What is due is the plan of a sweep now, exact
and made of what is due alone: nothing to speak of where sweeps come by, and as long as the sweep where none did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from ..domain.events import EventKind
from ..domain.memory import Status, Tier
from ..domain.results import Stats, Sweep
from ..ports import ReadTransaction, StatusCount, Store, View
from ..ports.model_client import Models

NO_MODEL = "none"
_LOOKED_AT = 2000  # events, the latest
_LOWERING = (EventKind.DETACHED, EventKind.ARCHIVED, EventKind.SUMMARIZED, EventKind.MERGED, EventKind.HELD)
_ANALYSED_OTHERWISE = (
    "words and digests were derived by the rules of another version: memories may not be found, and repetitions and "
    "contradictions may not be seen; run `ebbing doctor --repair`"
)


def stats(*, store: Store, view: View, models: Models, due: Sweep) -> Stats:
    """Counts of everything the owner has, whichever agent's it is.

    `models` are those in use, and `due` the sweep that would be made now.
    """
    with store.read(view) as tx:
        tallies = tx.memories.count_by_status()
        embedded = tx.index.count_by_model()
        days_of_use = len(tx.owner.active_days())
        swept_at = tx.owner.swept_at
        swept = last_sweep(tx)
        in_review = tx.memories.count_in_review()
        notes = () if tx.index.is_current else (_ANALYSED_OTHERWISE,)
    by_category = _counts((tally.category, tally) for tally in tallies)
    return Stats(
        total=sum(tally.count for tally in tallies),
        by_status=dict.fromkeys(map(str, Status), 0) | _counts((tally.status, tally) for tally in tallies),
        by_category=dict(sorted(by_category.items(), key=lambda entry: (-entry[1], entry[0]))),
        by_tier=dict.fromkeys(map(str, Tier), 0) | _counts((tally.tier, tally) for tally in tallies),
        tokens=sum(tally.tokens for tally in tallies if tally.status is Status.ACTIVE),
        pinned=sum(tally.pinned for tally in tallies),
        embedded={NO_MODEL if model is None else model: count for model, count in embedded.items()},
        due=len(due.actions),
        next_sweep=dict(Counter(str(action.step) for action in due.actions)),
        swept_at=swept_at,
        days_of_use=days_of_use,
        size_bytes=store.size_bytes(),
        judge=None if models.judge is None else models.judge.fingerprint,
        last_sweep=swept,
        in_review=in_review,
        notes=(*notes, *_notes(embedded, models.fingerprint), *_judge_notes(models)),
    )


def last_sweep(tx: ReadTransaction) -> dict[str, int]:
    """What the last sweep did to memories, by kind of event, as far as the latest events tell."""
    if tx.owner.swept_at is None:
        return {}
    events = tx.events.page(after=max(tx.owner.version - _LOOKED_AT, 0), limit=_LOOKED_AT)
    return dict(
        Counter(str(event.kind) for event in events if event.at == tx.owner.swept_at and event.kind in _LOWERING)
    )


def _counts(entries: Iterable[tuple[str, StatusCount]]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for key, tally in entries:
        counts[str(key)] += tally.count
    return dict(counts)


def _notes(embedded: Mapping[str | None, int], fingerprint: str | None) -> tuple[str, ...]:
    """What keeps memories from being found by meaning, and what to do about it."""
    if fingerprint is None:
        return ("no embedder: memories are found by words alone",)
    without = embedded.get(None, 0)
    foreign = sum(count for model, count in embedded.items() if model not in (None, fingerprint))
    notes = []
    if foreign:
        notes.append(f"{_several(foreign)} embedded by another model; run reembed")
    if without:
        notes.append(f"{_several(without)} not embedded; run reembed")
    return tuple(notes)


def _judge_notes(models: Models) -> tuple[str, ...]:
    """Why nothing is retired but by exact rules, where that is so."""
    return () if models.judge is not None else (f"no judge: exact rules decide alone, because {models.no_judge}",)


def _several(count: int) -> str:
    return f"{count} memory was" if count == 1 else f"{count} memories were"
