"""Erasure: the one verb that cannot be undone, and the only one that loses anything."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..domain.errors import Denied, Invalid, NotFound, Unavailable
from ..domain.events import EventKind, Lifted
from ..domain.ids import new_id
from ..domain.memory import Memory
from ..domain.results import Receipt
from ..lifecycle.filters import everything
from ..lifecycle.operation_context import OperationContext
from ..lifecycle.summary_links import dependent_summaries, remove
from ..ports import Filter, MemoryRows, ReadTransaction, Scrubbed, Tombstone, View
from ..text.screening.request import strings
from ..text.screening.tombstone_form import purged_form, tombstone_hash, tombstone_hashes
from .versions import earlier_versions, is_updated, replaced_once, superseded_by_these

_EDGES = " \t\n.,;:!?\"'“”‘’()[]"  # what stands around the words of a text
_NAMED_MOST = 20  # ids that a note lists
_LOOKED_FOR_MAX = 64  # texts that are looked for in the fields of other memories
_QUOTING_MAX = 1000  # memories that are looked at more closely because they may hold one


def purge(work: OperationContext, where: Filter, *, reason: str | None) -> Receipt:
    """Erase memories, their earlier versions and what was derived from them, leave tombstones, then look whether
    anything is left.

    Chosen is what the view sees; what was derived from it goes too, whoever made it, and the other memories that a
    summary was made of come back.

    The rows go in one transaction; clearing logs and free pages follows. A crash between the two
    leaves nothing that can be read back through Ebbing, and the next purge clears the rest.
    """
    view, now = work.view, work.now
    with work.write(view=replace(view, every_agent=True)) as unit:
        tx, receipt = unit.tx, unit.batch
        meant = _named(where.ids, view, tx.memories) if where.ids is not None else list(everything(tx.memories, where))
        asked_for = _seen(meant, view)
        chosen = asked_for + _seen(earlier_versions(asked_for, tx), view)
        summaries = dependent_summaries(chosen, tx.memories)
        chosen += summaries
        _refuse_telling(reason, chosen)
        texts = dict.fromkeys(memory.text for memory in chosen)
        hashes = dict.fromkeys(tombstone_hash(text, tx.tombstones.salts[0]) for text in texts)
        tombstones = [Tombstone(new_id(now), hash_, receipt, now) for hash_ in hashes]
        already = tx.tombstones.matching(
            [hash_ for text in texts for hash_ in tombstone_hashes(text, tx.tombstones.salts[:1])]
        )
        tombstones = [stone for stone in tombstones if stone.hash not in already]
        notes = _left(asked_for, chosen, view, tx)
        remove(
            chosen,
            summaries,
            unit,
            lambda going: unit.erase(going, reason),
            orphaned="its summary was purged with another memory",
            uncontested="what contradicted it was purged",
        )
        tx.tombstones.add(tombstones)
    notes += _quoted(chosen, work)
    scrubbed = _scrubbed([memory.text for memory in chosen], work)
    if not scrubbed.clean:
        who = "another process that reads the file, or the reason of something that happened to another memory"
        notes = [
            f"something still holds a copy: {who}; purge again when it is done, or purge that memory too",
            *notes,
        ]
    if where.ids is None and view.agent is not None:
        notes.append(
            f"erased was what agent {view.agent} may see: what is shared, and its own; private memories of other "
            "agents can be purged by them or by the owner"
        )
    elif len(asked_for) < len(meant):
        notes.append("private memories of agents stay: purge the scope as each agent, or purge everything as the owner")
    stones = sorted([*already.values(), *(stone.id for stone in tombstones)])
    return Receipt(receipt, len(chosen), stones, scrubbed.clean, now, reason, (*notes, *scrubbed.notes))


def _scrubbed(texts: Sequence[str], work: OperationContext) -> Scrubbed:
    """The result of clearing the files. The rows are erased by then, so the receipt reports a failure."""
    try:
        return work.store.scrub(texts)
    except Unavailable as error:
        return Scrubbed(False, (f"the rows are erased, but clearing logs and free pages failed: {error}",))


def lift(tombstone: str, work: OperationContext) -> None:
    """Take a tombstone away: the text may be learned again. An agent lifts only those of its own purges."""
    with work.write(is_use=False) as unit:
        tx = unit.tx
        stone = next((one for one in tx.tombstones.all() if one.id == tombstone), None)
        if stone is None:
            raise NotFound(f"there is no tombstone {tombstone}")
        agent = work.view.agent
        purged = [event for event in tx.events.of_batch(stone.receipt) if event.kind is EventKind.PURGED]
        if agent is not None and (not purged or any(event.actor != agent for event in purged)):
            raise Denied(
                f"agent {agent} may not lift tombstone {tombstone}: it did not purge that text; the agent that did, or "
                "the owner (an engine that is bound to no agent), may"
            )
        tx.tombstones.remove(tombstone)
        unit.record([(tombstone, Lifted(), None)])


def _named(ids: Sequence[str], view: View, rows: MemoryRows) -> list[Memory]:
    found = {id_: memory for id_, memory in rows.get(list(dict.fromkeys(ids))).items() if view.sees(memory)}
    missing = [id_ for id_ in ids if id_ not in found]
    if missing:
        raise NotFound(f"there is no memory {', '.join(missing)} to purge")
    return list(found.values())


def _left(asked_for: Sequence[Memory], chosen: Sequence[Memory], view: View, tx: ReadTransaction) -> list[str]:
    """What goes on saying something of what is to be erased, and how to erase that too."""
    purged = {memory.id for memory in chosen}
    notes: list[str] = []
    if any(id_ not in purged for memory in asked_for for id_ in memory.derived_from):
        notes.append("a summary was purged, but not what it was made of, which still says it; purge that too")
    echoes = _echoes(chosen, view, tx)
    if echoes:
        notes.append(f"the same stands in {_listed(echoes)}, in these words or merged with it; purge that too")
    replaced_by = [str(memory.superseded_by) for memory in asked_for if is_updated(memory, tx.events)]
    later = [memory.id for memory in _seen(tx.memories.get(replaced_by).values(), view) if memory.id not in purged]
    if later:
        notes.append(
            f"a later version of it stands in {_listed(later)} and was not purged; purge that too if it is meant"
        )
    gave_way = [memory.id for memory in _seen(superseded_by_these(chosen, tx.memories), view)]
    others = [id_ for id_ in gave_way if id_ not in purged and id_ not in echoes]
    if others:
        notes.append(
            f"what it had superseded is a memory of its own and stays: {_listed(others)}; purge that too if it is meant"
        )
    mentioned = {*purged, *echoes, *others}
    back = tx.memories.get(sorted(replaced_once(chosen[:_LOOKED_FOR_MAX], tx.events) - mentioned))
    restored = [memory.id for memory in _seen(back.values(), view)]
    if restored:
        notes.append(
            f"what it had replaced was brought back and stays: {_listed(restored)}; purge that too if it is meant"
        )
    return notes


def _quoted(purged: Sequence[Memory], work: OperationContext) -> list[str]:
    """Which memories hold an erased text in their own text or beside it, of those that the view sees. It is looked for
    in a read transaction of its own, because that reads every row of the owner."""
    digests = {memory.digest for memory in purged}  # whose words are just these is told by `_echoes`
    texts = [text for text in dict.fromkeys(memory.text.strip(_EDGES) for memory in purged) if text]
    with work.read() as tx:
        found = [
            one for one in tx.memories.containing(texts[:_LOOKED_FOR_MAX], _QUOTING_MAX) if one.digest not in digests
        ]
        others = bool(tx.memories.page(Filter(), limit=1)) if len(texts) > _LOOKED_FOR_MAX else False
    wanted = [_as_words(text) for text in texts[:_LOOKED_FOR_MAX]]
    holding = [one.id for one in found if any(pattern.search(_all_texts(one)) for pattern in wanted)]
    notes: list[str] = []
    if holding:
        notes.append(
            f"the same words stand in {_listed(holding)}: in the text, the evidence, the metadata, a tag, the address, "
            "the scope or the source; purge that too if it is meant"
        )
    if others:
        notes.append(
            f"whether other memories quote what was purged was looked up for {_LOOKED_FOR_MAX} of {len(texts)} texts; "
            "purge fewer at once to have all of them looked up"
        )
    return notes


def _as_words(text: str) -> re.Pattern[str]:
    """A pattern for a text inside another, not as a part of a longer word."""
    return re.compile(rf"(?<!\w){re.escape(text.casefold())}(?!\w)")


def _all_texts(memory: Memory) -> str:
    source = memory.source
    named = [memory.scope, memory.subject, memory.attribute, source.kind, source.actor, source.session, source.evidence]
    return "\n".join(strings([memory.text, *memory.tags, memory.metadata, *named])).casefold()


def _listed(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _NAMED_MOST} more" if len(ids) > _NAMED_MOST else ""
    return ", ".join(sorted(ids)[:_NAMED_MOST]) + more


def _refuse_telling(reason: str | None, going: Sequence[Memory]) -> None:
    """The reason is kept, so it must not say what is to be erased."""
    if reason is None:
        return
    normalized = f" {purged_form(reason)} "
    forms = (purged_form(memory.text) for memory in going)
    if any(memory.text in reason for memory in going) or any(form and f" {form} " in normalized for form in forms):
        raise Invalid("the reason repeats what is to be erased, and would be kept; say it in other words")


def _echoes(going: Sequence[Memory], view: View, tx: ReadTransaction) -> list[str]:
    """Who goes on saying what is to be erased, of those that the view sees: elsewhere, or merged with it."""
    purged = {memory.id for memory in going}
    digests = {memory.digest for memory in going}
    found = (
        [*tx.index.by_digest(sorted(digests)), *tx.memories.archived_copies(sorted(purged), sorted(digests))]
        if going
        else []
    )
    return sorted(
        memory.id
        for memory in _seen(found, view)
        if memory.id not in purged
        and (
            memory.digest in digests or any(event.kind is EventKind.MERGED for event in tx.events.of_memory(memory.id))
        )
    )


def _seen(memories: Iterable[Memory], view: View) -> list[Memory]:
    return [memory for memory in memories if view.sees(memory)]
