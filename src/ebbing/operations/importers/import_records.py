"""The writer of an import from another program: what comes in, in which form, and what is here already.

A file is untrusted input. Every text passes the gate of `remember`, from source `import` and trusted as that is:
secrets are taken out, what looks like an injected instruction is quarantined, what was purged stays out, and an order
to forget is refused. What comes in is compared with what is here like anything that is remembered.

The program's id of each memory is kept in its metadata (`imported_from`, `imported_id`). So the same import can be run
again, after it was stopped or after more was said there: what came in before is left alone, wherever it stands by now.
What is here already with the same words is left alone too; an import is no use of a memory.

Nothing fades on arrival. What the program knew of use comes along: times, counts, and its days of use where the owner
has none yet. Otherwise a memory ages from the day of its arrival, and sweeps leave it alone as long as one that was
brought back.
"""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import TypeVar

from ... import forget as forgetting
from ... import remember as remembering
from ...domain.errors import Invalid
from ...domain.import_results import Imported, ImportSample
from ...domain.memory import COUNT_MAX, Memory, Scope, Source, Status
from ...domain.results import Remembered
from ...lifecycle.filters import everything
from ...lifecycle.operation_context import AHEAD_MAX, OperationContext
from ...ports import Filter, Progress
from ...remember import NewMemoryRequest, PastUse, RememberOptions
from ...text.terms import digest
from .records import Contents, Record, Version

FROM, ID = "imported_from", "imported_id"
_PAGE = 100
_SAMPLES = 5
_REASONS_MAX = 20
_USERS_SHOWN = 10
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Request:
    """What the caller of an import asked for."""

    format: str
    user: str | None = None  # only the memories of this user
    scope: Scope = field(default_factory=Scope)  # everything comes in below it
    dry_run: bool = False


@dataclass(slots=True)
class _Counts:
    added: int = 0
    skipped: int = 0
    quarantined: int = 0
    merged: int = 0
    redacted: int = 0
    versions: int = 0
    ended: Counter[str] = field(default_factory=Counter)
    refused: dict[str, list[str]] = field(default_factory=dict)  # by reason, where in the file
    replaced: int = 0
    contested: int = 0

    def refuse(self, reason: str, where: str) -> None:
        self.refused.setdefault(reason, []).append(where)


@dataclass(slots=True)
class _Import:
    """One import under way."""

    asked: Request
    work: OperationContext
    agent: str | None
    known: dict[str, str] = field(default_factory=dict)  # of what came in before: the id there → the id here
    said: set[tuple[str, str]] = field(default_factory=set)  # scope and digest of what this import has seen
    is_counted: bool = False  # the owner's days of use are those of the file
    counts: _Counts = field(default_factory=_Counts)
    samples: list[ImportSample] = field(default_factory=list)


def import_records(
    contents: Contents, asked: Request, work: OperationContext, *, agent: str | None, progress: Progress | None
) -> Imported:
    """Bring in what a file holds, oldest first, a page to a transaction; `asked.dry_run`: tell what would come in."""
    work.writer.check_source("import", work.policy)
    task = _Import(asked, work, agent)
    records = _of_user(contents.records, asked.user)
    with work.read() as tx:
        here = everything(tx.memories, Filter(metadata={FROM: asked.format}))
        task.known = {str(memory.metadata.get(ID)): memory.id for memory in here}
    if not asked.dry_run:
        _bring_days(_days(contents, asked.user, work.now), task)
    done = 0
    for page in _pages(_oldest_first(records)):
        requests = [found for record in page if (found := _admitted(record, task)) is not None]
        fresh = _not_here(requests, task)
        if not asked.dry_run:
            _write(fresh, task)
            _write_versions(page, task)
        done += len(page)
        if progress is not None:
            progress(done, len(records))
    return _answer(task, contents)


def _of_user(records: Sequence[Record], user: str | None) -> Sequence[Record]:
    """The records of one user; an owner's memories are one person's, and two are never mixed."""
    users = sorted({record.user for record in records if record.user is not None})
    if user is None and len(users) > 1:
        named = ", ".join(users[:_USERS_SHOWN]) + (", …" if len(users) > _USERS_SHOWN else "")
        raise Invalid(
            f"the file holds memories of {len(users)} users ({named}); give user= for one of them, and each their own "
            "owner"
        )
    if user is not None and user not in users:
        named = ", ".join(users[:_USERS_SHOWN]) or "nobody by name"
        raise Invalid(f"the file holds nothing of user {user!r}; it holds memories of {named}")
    return records if user is None else [record for record in records if record.user == user]


def _oldest_first(records: Sequence[Record]) -> list[Record]:
    """What was said later may contradict what was said before; what has no time keeps its place, at the end."""
    latest = datetime.max.replace(tzinfo=UTC)
    return sorted(records, key=lambda record: record.said_at or latest)


def _admitted(record: Record, task: _Import) -> tuple[Record, NewMemoryRequest] | None:
    """A record through the gate; None for what does not come in, which is counted."""
    now, counts = task.work.now, task.counts
    ended = record.ended or ("expired" if record.expires_at is not None and record.expires_at <= now else None)
    if ended is not None:
        counts.ended[ended] += 1
    elif record.id in task.known:
        counts.skipped += 1
    elif any(at is not None and at - now > AHEAD_MAX for at in (record.said_at, record.last_used_at)):
        counts.refuse("it is dated more than a day ahead", record.where)
    elif record.private_to is not None and record.private_to != task.agent:
        counts.refuse(f"it is private to agent {record.private_to!r}; import as that agent", record.where)
    else:
        return _through_gate(record, task)
    return None


def _through_gate(record: Record, task: _Import) -> tuple[Record, NewMemoryRequest] | None:
    work = task.work
    try:
        request = _request(record, task)
    except Invalid as error:
        task.counts.refuse(str(error), record.where)
        return None
    if not request.text:
        task.counts.refuse("it held only what Ebbing had placed in a context", record.where)
        return None
    if forgetting.heard(request.text, request.trust, request.suspicion, work) is not None:
        task.counts.refuse("it is an order to forget, and an import gives none", record.where)
        return None
    return record, request


def _request(record: Record, task: _Import, version: Version | None = None) -> NewMemoryRequest:
    """What is to be remembered: the record, or what it said before."""
    policy = task.work.policy
    said_at = record.said_at if version is None else version.said_at
    is_known = record.category in policy.categories
    tags = record.tags if is_known or record.category is None else (*record.tags, record.category)
    id_ = record.id if version is None else _version_id(record, version)
    span = None if record.expires_at is None else record.expires_at - (said_at or task.work.now)
    options = RememberOptions(
        scope=f"{task.asked.scope}/{record.scope}".rstrip("/") or "/",
        category=record.category if is_known else None,
        importance=record.importance,
        tags=[tag for tag in dict.fromkeys(" ".join(one.split()) for one in tags) if tag][: policy.limits.tags],
        metadata={**record.metadata, FROM: task.asked.format, ID: id_},
        expires_in=span if version is None else None,
        valid_until=None if version is None else version.until,
        visibility="shared" if record.private_to is None else "private",
        source=Source("import", actor=task.agent, session=record.session),
        created_at=said_at,
    )
    text = record.text if version is None else version.text
    request = remembering.admit(text, options, policy, agent=task.agent, writer=task.work.writer)
    if request.metadata.get(ID) != id_:
        # The id itself was taken for a secret or an instruction. Its digest in letters is neither, and as good a name.
        number = hashlib.blake2b(id_.encode(), digest_size=8).hexdigest()
        name = "".join(chr(ord("a") + int(digit, 16)) for digit in number)
        if name in task.known:
            raise Invalid("it came in before")
        request = replace(request, metadata={**request.metadata, ID: name})
    return replace(request, past=PastUse(record.last_used_at, min(record.uses, COUNT_MAX), task.is_counted))


def _not_here(
    requests: Sequence[tuple[Record, NewMemoryRequest]], task: _Import
) -> list[tuple[Record, NewMemoryRequest]]:
    """Those of a page that say what nothing here says in the same words, in use or out of it."""
    digests = [digest(request.text) for _, request in requests]
    with task.work.read() as tx:
        found = [*tx.index.by_digest(digests), *tx.memories.archived_copies([], digests)] if digests else []
    here = {(str(memory.scope), memory.digest) for memory in found}
    fresh: list[tuple[Record, NewMemoryRequest]] = []
    for (record, request), hash_ in zip(requests, digests, strict=True):
        key = (str(request.scope), hash_)
        if key in here or key in task.said:
            task.counts.skipped += 1
            continue
        task.said.add(key)
        fresh.append((record, request))
        _count(request, task)
    return fresh


def _count(request: NewMemoryRequest, task: _Import) -> None:
    task.counts.redacted += bool(request.redacted)
    if len(task.samples) < _SAMPLES and request.suspicion is None:
        category = request.category if request.categorised else None
        uses = 0 if request.past is None else request.past.uses
        task.samples.append(ImportSample(request.text, request.scope, category, request.created_at, uses))
    if task.asked.dry_run:
        task.counts.quarantined += request.suspicion is not None
        task.counts.added += request.suspicion is None


def _write(fresh: Sequence[tuple[Record, NewMemoryRequest]], task: _Import) -> None:
    if not fresh:
        return
    told = _remember([request for _, request in fresh], task)
    counts = task.counts
    counts.added += len(told.memories)
    counts.quarantined += len(told.quarantined)
    counts.merged += len(told.merged)
    new = {memory.id for memory in told.memories}
    counts.replaced += sum(memory.id not in new for memory in told.superseded)
    counts.contested += len(told.contested)
    by_text: dict[str, list[str]] = {}
    for record, request in fresh:
        by_text.setdefault(request.text, []).append(record.where)
    for skipped in told.skipped:
        counts.refuse(skipped.reason, by_text.get(skipped.text, ["the file"])[0])


def _remember(requests: Sequence[NewMemoryRequest], task: _Import) -> Remembered:
    told = remembering.remember_all(requests, task.work.renewed(), None, lambda _: None)
    for memory in (*told.memories, *told.merged, *told.quarantined):
        task.known[str(memory.metadata.get(ID))] = memory.id
    return told


def _write_versions(page: Sequence[Record], task: _Import) -> None:
    """What the memories of a page said before, as their history: superseded from its first moment."""
    wanted = [(one, version) for one in page if one.ended is None for version in one.versions]
    wanted = [(one, version) for one, version in wanted if _version_id(one, version) not in task.known]
    ids = {one.id: task.known[one.id] for one, _ in wanted if one.id in task.known}
    if not ids:
        return
    with task.work.read() as tx:
        standing = tx.memories.get([*ids.values()])
    requests: list[NewMemoryRequest] = []
    for record, version in wanted:
        memory = standing.get(ids.get(record.id, ""))
        if memory is None or not _may_have_versions(memory, version):
            continue
        try:
            request = replace(_request(record, task, version), supersedes=(memory.id,))
        except Invalid as error:
            task.counts.refuse(str(error), f"{record.where}, an earlier text")
            continue
        if request.text and request.suspicion is None and digest(request.text) != memory.digest:
            requests.append(request)
    told = _remember(requests, task) if requests else Remembered()
    task.counts.versions += len(told.memories)


def _may_have_versions(memory: Memory, version: Version) -> bool:
    stands = memory.status.live or memory.status is Status.ARCHIVED
    return stands and version.said_at < memory.created_at


def _version_id(record: Record, version: Version) -> str:
    return f"{record.id} until {version.until.isoformat()}"


def _days(contents: Contents, user: str | None, now: datetime) -> list[tuple[date, int]]:
    """The days on which the memories' user was there, numbered as an owner's days of use are."""
    several = [days for name, days in contents.days.items() if user in (None, name)]
    if len(several) != 1:
        return []
    days = sorted({day for day in several[0] if day <= now.astimezone(UTC).date()})
    return [(day, days[0].toordinal() + place) for place, day in enumerate(days)]


def _bring_days(days: Sequence[tuple[date, int]], task: _Import) -> None:
    if not days:
        return
    with task.work.store.write(task.work.view) as tx:
        tx.owner.add_active_days(days)
        task.is_counted = set(days) <= set(tx.owner.active_days())


def _answer(task: _Import, contents: Contents) -> Imported:
    counts, dry_run = task.counts, task.asked.dry_run
    notes = [*contents.notes]
    notes += [f"{count} left out: {why} in the program they come from" for why, count in counts.ended.items()]
    for why, places in [*counts.refused.items()][:_REASONS_MAX]:
        more = "" if len(places) == 1 else f", first in {places[0]}"
        notes.append(f"{len(places)} refused{more or f' ({places[0]})'}: {why}")
    if counts.quarantined:
        notes.append(f"{counts.quarantined} quarantined: they look like injected instructions; `review` lists them")
    if counts.versions:
        notes.append(f"{counts.versions} earlier texts came in as history")
    if counts.replaced:
        notes.append(f"{counts.replaced} older memories were superseded by what came in")
    if counts.contested:
        notes.append(f"{counts.contested} memories are contradicted by what came in; `review` lists them")
    if dry_run:
        notes.append("dry run: nothing was written; what merges or contradicts is known once it is compared")
    return Imported(
        added=counts.added,
        replaced=0,
        skipped=counts.skipped,
        blocked=0,
        quarantined=counts.quarantined,
        merged=counts.merged,
        redacted=counts.redacted,
        ended=sum(counts.ended.values()),
        refused=sum(map(len, counts.refused.values())),
        dry_run=dry_run,
        samples=tuple(task.samples),
        notes=tuple(notes),
    )


def _pages(items: Iterable[Item]) -> Iterator[list[Item]]:
    iterator = iter(items)
    while page := list(itertools.islice(iterator, _PAGE)):
        yield page
