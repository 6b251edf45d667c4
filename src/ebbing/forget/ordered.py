"""Which memories an order to forget means, and which of those whoever gives it may touch.

What the order names in so many words binds: a quotation, an identifier, an amount, a name. Only memories that hold it
are meant. An order without any of those means what shares its telling words, or what the judge finds to be what it
speaks of; "my old address" means one that has been replaced. Where too much fits, nothing is meant: the order was not
understood.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..domain.memory import Memory, Scope, Source, Status, Tier
from ..domain.retention import is_past
from ..lifecycle.operation_context import OperationContext
from ..ports import Filter
from ..text.forget_order_languages import OLD
from ..text.forget_orders import Order, Orders, orders_in
from ..text.language import is_english
from ..text.sentences import sentences
from ..text.speakers import same_actor, speaker_named
from ..text.terms import question_terms, telling_terms, terms
from . import query_targets

_OLD = re.compile(
    rf"\b(?:old|former|previous|earlier|outdated|expired|retired|obsolete|stale|superseded|{OLD})\b", re.IGNORECASE
)
_UNMISTAKABLE = re.compile(r"[A-Za-z].*\d.*|\d.*[A-Za-z].*|.*[@_/#\\].*|.{4,}-.{2,}\d.*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_QUOTED = re.compile(r"[\"“”'‘’«»`]")
_SHARE = 0.5  # of the telling words
_ORDER = "forget"  # the kind of text that the judge reads
_TOLD_MIN = 3  # words that tell something: what has fewer is no statement of its own
_LOOKED_AT = 20  # memories, the latest


@dataclass(frozen=True, slots=True)
class Ordered:
    """What an order means, and why nothing of it is done, where that is so."""

    memories: list[Memory]
    left: list[Memory]  # meant, but not for the speaker to touch: pinned, trusted more, or somebody else's
    why: str | None = None  # nothing is forgotten, because of this


class Saying(Protocol):
    """What a caller said, as far as an order in it asks for that."""

    @property
    def trust(self) -> float: ...
    @property
    def source(self) -> Source: ...
    @property
    def scope(self) -> Scope: ...


def gives_orders(source: Source, work: OperationContext) -> bool:
    """Whether who speaks is the user or the caller itself; a tool, a model or a file that it passes on is neither."""
    return source.kind in ("user", work.writer.source)


def heard(text: str, trust: float, suspicion: str | None, work: OperationContext) -> Orders | None:
    """The orders of a text that count as such, and what is left of it to be stored; None: it is no order.

    An order that does not speak of memory counts where the judge is sure that it is one. What is left names nothing of
    what goes.
    """
    rules = work.policy.orders
    if not rules.obeyed or suspicion is not None or trust < work.policy.reinforcement.trust_floor:
        return None
    found = orders_in(text)
    if not found.orders:
        return None
    if not any(order.is_plain for order in found.orders):
        if not is_english(text):
            return None  # the judge takes half of what is to be deleted elsewhere for an order in other languages
        readings, _ = work.models.read([text])
        reading = readings.get(text)
        if reading is None or reading.kind != _ORDER or reading.kind_probability < rules.certainty:
            return None
    return Orders(found.orders, _without_named(found))


def _without_named(found: Orders) -> str:
    """The rest of a text without the sentences that say again what is to go, and without what says nothing alone."""
    named = {word for order in found.orders for word in question_terms(order.what)}
    rest = [
        one for one in sentences(found.rest) if len(terms(one.text)) >= _TOLD_MIN and not named & set(terms(one.text))
    ]
    return " ".join(one.text for one in rest)


def said_last(said: Saying, work: OperationContext) -> list[Memory]:
    """What was said last in the same session, not long ago: what "forget that" means."""
    if said.source.session is None:
        return []
    with work.read() as tx:
        page = tx.memories.page(Filter(scope=said.scope, statuses=(Status.ACTIVE,)), limit=_LOOKED_AT)
    since = work.now - work.policy.orders.just_said
    return [m for m in page if m.source.session == said.source.session and m.created_at >= since][:1]


def ordered(order: Order, found: Sequence[Memory], work: OperationContext, said: Saying) -> Ordered:
    """The memories that an order means, of those found for it."""
    rules = work.policy.orders
    candidates = [memory for memory in found if memory.tier is not Tier.CORE and memory.status is not Status.FORGOTTEN]
    if _OLD.search(order.what) and not order.last_said and not _bound(order, candidates):
        candidates = [memory for memory in candidates if not memory.status.live or is_past(memory, work.now)]
    meant = candidates if order.last_said else _spared(order, _meant(order, candidates, work))
    if not meant:
        return Ordered([], [], "nothing stored is what the order names")
    if len(meant) > rules.most:
        return Ordered([], [], f"{len(meant)} memories fit the order, more than the {rules.most} that one may put away")
    may = [memory for memory in meant if _touchable(memory, order, said)]
    return Ordered(may, [memory for memory in meant if memory not in may])


def _touchable(memory: Memory, order: Order, said: Saying) -> bool:
    return not memory.pinned and memory.trust <= said.trust and _is_of_speaker(memory, order, said)


def _is_of_speaker(memory: Memory, order: Order, said: Saying) -> bool:
    """Whether a memory comes from who gives the order. Whoever a text names as its speaker is not the user, so only
    what is known to be theirs may go."""
    if order.speaker is None:
        return same_actor(memory, said.source.actor)
    actor = memory.source.actor
    return order.speaker in (speaker_named(memory.text), None if actor is None else actor.casefold())


def _bound(order: Order, found: Sequence[Memory]) -> list[str]:
    """Everything that an order names."""
    texts = [query_targets.plain(memory.text) for memory in found]
    return _strong(order, texts) or query_targets.binding(order.what, texts)


def _binds(order: Order, found: Sequence[Memory]) -> bool:
    return bool(_strong(order, [memory.text for memory in found]))


def _strong(order: Order, texts: Sequence[str]) -> list[str]:
    """What an order names so that nothing else can be meant: quotations, identifiers, amounts."""
    if _QUOTED.search(order.what):
        quoted = query_targets.quotations(order.what)
        if quoted:
            return quoted
    bound = query_targets.binding(order.what, texts)
    return [one for one in bound if _UNMISTAKABLE.fullmatch(one) and not _YEAR.fullmatch(one)]


def _meant(order: Order, found: Sequence[Memory], work: OperationContext) -> list[Memory]:
    if not telling_terms(order.what):
        return []  # "forget the …": words that stand everywhere name nothing
    texts = [query_targets.plain(memory.text) for memory in found]
    strong = _strong(order, texts)
    if strong:
        return query_targets.holding(strong, found)
    bound = query_targets.binding(order.what, texts)
    amounts = [one for one in bound if any(letter.isdigit() for letter in one) and not _YEAR.fullmatch(one)]
    telling = set(question_terms(_OLD.sub(" ", order.what)))
    if amounts:
        holding = query_targets.holding(amounts, found)
        return [memory for memory in holding if len(telling & set(terms(memory.text))) > len(amounts)] or (
            holding if len(holding) == 1 else []
        )
    if bound:
        # Of all that names her, "Anna's birthday" means what is about a birthday.
        holding = query_targets.holding(bound, found)
        more = telling - {word for one in bound for word in terms(one)}
        closer = [memory for memory in holding if len(more & set(terms(memory.text))) >= _SHARE * len(more)]
        return closer or _spoken_of(order, holding, work) or (holding if len(holding) == 1 else [])
    sharing = [
        memory for memory in found if telling and len(telling & set(terms(memory.text))) >= _SHARE * len(telling)
    ]
    return sharing or _spoken_of(order, found, work)


def _spoken_of(order: Order, found: Sequence[Memory], work: OperationContext) -> list[Memory]:
    """What the judge finds to be what an order speaks of, where no word of it says so: an address for "my address"."""
    near = list(found)[: work.policy.orders.read]
    what = " ".join(_OLD.sub(" ", order.what).split())
    certainties, _ = work.models.answers(f"What is {what}?", [memory.text for memory in near])
    return [
        memory
        for memory, certainty in zip(near, certainties, strict=False)
        if certainty >= work.policy.orders.answer_certainty
    ]


def _spared(order: Order, meant: Sequence[Memory]) -> list[Memory]:
    """Without what the order wants to be kept."""
    if not order.spared or not meant:
        return list(meant)
    strong = _strong(Order(order.spared, "", True, False, False), [memory.text for memory in meant])
    named = {memory.id for memory in query_targets.holding(strong, meant)} if strong else set()
    telling = set(question_terms(order.spared)) - set(question_terms(order.what))
    if not strong and telling:
        named = {m.id for m in meant if len(telling & set(terms(m.text))) >= _SHARE * len(telling)}
    going = [memory for memory in meant if memory.id not in named]
    # What names both what goes and what stays goes: the order asks for the one in so many words.
    return going or ([] if not _binds(order, meant) else list(meant))
