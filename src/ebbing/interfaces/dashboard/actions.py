"""What the forms of the pages do: one tool each, with the caller's rights; then the address that says so and undoes it.

Nothing here is decided about memories. What an action changed is told by the query of the page that follows: what was
done, the batch, and the ids; the page offers what undoes that.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.responses import Response

from ...domain.errors import Invalid
from ...domain.events import EventKind
from ...domain.memory import Memory
from ...domain.results import Batch, plain
from ..tools import Right
from .visit import NOT_KEPT, Visit, local_address

SELECTED_MOST = 200
_TOLD_MOST = 50  # ids in an address


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of a form."""

    fields: Mapping[str, list[str]]

    def text(self, name: str) -> str | None:
        given = [value.strip() for value in self.fields.get(name, ()) if value.strip()]
        return given[0] if given else None

    def needed(self, name: str) -> str:
        if (text := self.text(name)) is None:
            raise Invalid(f"the form lacks {name}")
        return text

    @property
    def ids(self) -> list[str]:
        """What was selected."""
        found = list(dict.fromkeys(value for value in self.fields.get("id", ()) if value))
        if not found:
            raise Invalid("nothing is selected; tick at least one memory")
        if len(found) > SELECTED_MOST:
            raise Invalid(f"{len(found)} memories are selected, and the limit is {SELECTED_MOST}")
        return found


@dataclass(frozen=True, slots=True)
class Shown:
    """What an action answers where there is no page to go back to: a template, and what it is filled with."""

    template: str
    model: Mapping[str, Any]


Action = Callable[[Visit, Form], str | Response | Shown]


def _forget(visit: Visit, form: Form) -> str:
    batch: Batch = visit.call("forget", ids=form.ids, reason=form.text("reason"))
    return _done(form, "forgotten", batch.id, [one.id for one in batch.memories])


def _restore(visit: Visit, form: Form) -> str:
    batch: Batch = visit.call("restore", ids=form.ids)
    return _done(form, "restored", batch.id, [one.id for one in batch.memories])


def _restore_batch(visit: Visit, form: Form) -> str:
    batch: Batch = visit.call("restore", batch=form.needed("batch"))
    return _done(form, "restored", batch.id, [one.id for one in batch.memories])


def _undo(visit: Visit, form: Form) -> str:
    """Undo a batch; nothing is offered to undo that again but what the page itself offers."""
    batch: Batch = visit.call("restore", batch=form.needed("batch"))
    return _done(form, "undone", None, [one.id for one in batch.memories])


def _pin(visit: Visit, form: Form) -> str:
    for id_ in form.ids:
        visit.call("pin", id=id_)
    return _done(form, "pinned", None, form.ids)


def _unpin(visit: Visit, form: Form) -> str:
    for id_ in form.ids:
        visit.call("unpin", id=id_)
    return _done(form, "unpinned", None, form.ids)


def _keep(visit: Visit, form: Form) -> str:
    """One use, counted because a person asked for it."""
    visit.call("used", ids=form.ids)
    return _done(form, "kept", None, form.ids)


def _settle(visit: Visit, form: Form) -> str:
    word = form.needed("keep")
    batch: Batch = visit.call("settle", id=form.ids[0], keep={"yes": True, "no": False}.get(word, word))
    return _done(form, "settled", batch.id, [form.ids[0]])


def _edit(visit: Visit, form: Form) -> str:
    """Change a memory; another text is a new memory that replaces it, and its page is the one to go to."""
    [id_] = form.ids
    before: Memory = visit.call("get_memory", id=id_)
    given: dict[str, Any] = {"text": form.text("text"), "scope": form.text("scope"), "category": form.text("category")}
    if (importance := form.text("importance")) is not None:
        given["importance"] = _number(importance)
    if "tags" in form.fields:
        given["tags"] = [tag.strip() for tag in form.fields["tags"][0].split(",") if tag.strip()]
    held: dict[str, Any] = {
        "text": before.text,
        "scope": before.scope,
        "category": before.category,
        "tags": list(before.tags),
    }
    held["importance"] = before.importance
    changed = {name: value for name, value in given.items() if value is not None and value != held[name]}
    if not changed:
        return _done(form, "unchanged", None, [id_])
    after: Memory = visit.call("update_memory", id=id_, version=form.text("version"), **changed)
    last = _last_event(visit, after.id)
    if after.id == id_:
        return _done(form, "edited", last, [id_])
    if id_ not in after.supersedes:  # what is trusted more than the caller stays beside it
        return _done(form, "beside", None, [id_], to=f"/memory/{after.id}")
    return _done(form, "replaced", last, [id_, after.id], to=f"/memory/{after.id}")


def _undo_edit(visit: Visit, form: Form) -> str:
    """Give a memory the values again that it had before one change."""
    [id_] = form.ids
    batch = form.needed("batch")
    changes = [event.change for event in visit.call("history", id=id_) if event.batch == batch]
    was = {name: value for change in changes for name, value in change.found.items()}
    if not was:
        raise Invalid(f"batch {batch} changed nothing of this memory in place")
    fields = ("text", "scope", "category", "importance", "tags", "lifetime", "harm")
    given = {name: plain(value) for name, value in was.items() if name in fields and value is not None}
    visit.call("update_memory", id=id_, **given)
    return _done(form, "undone", None, [id_])


def _undo_replacement(visit: Visit, form: Form) -> str:
    """Bring the former text back and put the one away that replaced it."""
    ids = form.ids
    if len(ids) != 2:
        raise Invalid("the form names two memories: the former one, and the one that replaced it")
    visit.call("restore", batch=form.needed("batch"))
    visit.call("forget", ids=[ids[1]], reason="the edit was undone")
    return _done(form, "undone", None, [ids[0]], to=f"/memory/{ids[0]}")


def _purge(visit: Visit, form: Form) -> Shown:
    if form.text("confirm") != "erase":
        raise Invalid("nothing was erased: tick the box that says so, because this cannot be undone")
    receipt = visit.call("purge", ids=form.ids, reason=form.text("reason"))
    return Shown("receipt", {"receipt": receipt})


def _lift(visit: Visit, form: Form) -> str:
    visit.call("lift", tombstone=form.needed("tombstone"))
    return _done(form, "lifted", None, [])


def _export(visit: Visit, form: Form) -> Response:
    """What is selected as JSON lines, each a memory as the API shows it."""
    visit.dispatcher.allow(Right.READ, visit.caller)
    memories = [visit.call("get_memory", id=id_) for id_ in form.ids]
    lines = [json.dumps(plain(one), ensure_ascii=False, allow_nan=False) for one in memories]
    name = {"Content-Disposition": 'attachment; filename="selection.jsonl"'}
    return Response("\n".join([*lines, ""]), headers=name, media_type="application/x-ndjson")


ACTIONS: Mapping[str, Action] = {
    "forget": _forget,
    "restore": _restore,
    "restore-batch": _restore_batch,
    "undo": _undo,
    "pin": _pin,
    "unpin": _unpin,
    "keep": _keep,
    "settle": _settle,
    "edit": _edit,
    "undo-edit": _undo_edit,
    "undo-replacement": _undo_replacement,
    "purge": _purge,
    "lift": _lift,
    "export": _export,
}


def _last_event(visit: Visit, id_: str) -> str:
    """The batch of the latest change of a memory, but for its uses."""
    events = [event for event in visit.call("history", id=id_) if event.kind is not EventKind.REINFORCED]
    return str(events[-1].batch)


def _number(text: str) -> float:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        raise Invalid(f"importance {text[:20]!r} is not a number from 0 to 1") from None


def _done(form: Form, did: str, batch: str | None, ids: Sequence[str], to: str | None = None) -> str:
    """The page to go back to, with what was done."""
    parts = urlsplit(to or local_address(form.text("back")))
    kept = [(name, value) for name, value in parse_qsl(parts.query) if name not in NOT_KEPT]
    told = [("did", did), ("count", str(len(ids))), *(("ids", id_) for id_ in ids[:_TOLD_MOST])]
    told += [("batch", batch)] if batch is not None else []
    return f"{parts.path}?{urlencode([*kept, *told])}"
