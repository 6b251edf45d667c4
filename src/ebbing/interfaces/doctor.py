"""`ebbing doctor`: whether everything is as it should be, and what to do where it is not.

The checks are the store's own. What cannot even be opened is a finding too, with its remedy,
and looking never makes a database where there was none.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ..domain.errors import Corrupt, EbbingError, Locked, NewerFile, StorageFull
from ..domain.results import Stats
from ..engine import Engine
from ..operations.stats import NO_MODEL
from ..ports import Finding, Progress
from ..wiring import default_path
from ..wiring import open as open_engine
from .clients.hooks import SECONDS, last_firings

_OWNERS_SHOWN = 10
_UNSWEPT = timedelta(days=2)  # longer than any sensible schedule leaves what is due
_REMEDIES: dict[type[EbbingError], str] = {
    NewerFile: "upgrade: pip install --upgrade ebbing",
    Corrupt: "bring back a backup, or give --db the path of an Ebbing file",
    Locked: "wait until the process that holds it is done, then look again",
    StorageFull: "make room on that disk, then look again",
}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was looked at, and what was found."""

    db: str
    findings: list[Finding]
    repaired: list[Finding] = field(default_factory=list)
    owners: dict[str, Stats] = field(default_factory=dict)
    size_bytes: int | None = None

    @property
    def ok(self) -> bool:
        return all(finding.ok for finding in self.findings)

    @property
    def without_vector(self) -> int:
        """Live memories that no model has embedded: not an error, for an engine may have none."""
        return sum(stats.embedded.get(NO_MODEL, 0) for stats in self.owners.values())


def examine(
    db: str | None,
    *,
    repair: bool = False,
    policy: str = "default",
    judge: str = "auto",
    embedder: str = "auto",
    llm: str | None = None,
    progress: Progress | None = None,
) -> Diagnosis:
    """Look at a store, mending first what can be mended when asked to; then at the models and at who sweeps.

    `progress` is told how far a repair has come.
    """
    address = str(default_path()) if db is None else db
    models = [_embedder(embedder), _judge(judge, policy), *_llm(llm), _hooks()]
    if _is_empty(address):
        return Diagnosis(address, [_nothing_yet(address, given=db is not None), *models])
    try:
        engine = open_engine(address, policy=policy, embedder=None, judge=judge)
    except EbbingError as error:
        # The address may hold a password, so it is named by the error alone.
        return Diagnosis(_without_password(address), [_failed("open", error), *models])
    with engine:
        repaired = list(_until_error("repair", engine.store.repair(progress))) if repair else []
        opened = Finding("open", True, "opened; its schema is the newest this Ebbing knows")
        findings = [opened, *_until_error("check", engine.store.check()), *models]
        findings += [finding for finding in repaired if not finding.ok]
        owners, trouble = _counted(engine)
        trouble += [_schedule(owners, engine)] if owners else []
        return Diagnosis(engine.store.url, [*findings, *trouble], repaired, owners, engine.store.size_bytes())


def _is_empty(address: str) -> bool:
    """Whether opening it would make a database."""
    if "://" in address:
        return False
    path = Path(address)
    return not path.exists() or (path.is_file() and path.stat().st_size == 0)


def _nothing_yet(address: str, *, given: bool) -> Finding:
    if given:
        return Finding("open", False, f"there is no memory at {address}", "check the path; ebbing.open(path) makes it")
    return Finding("open", True, f"there is no memory at {address} yet; the first ebbing.open() makes it")


def _failed(check: str, error: EbbingError) -> Finding:
    """An error as a finding: its sentence says what was wrong and, behind the semicolon, what would be right."""
    wrong, _, right = str(error).partition("; ")
    return Finding(check, False, wrong, _REMEDIES.get(type(error), right or None))


def _until_error(check: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    try:
        yield from findings
    except EbbingError as error:
        yield _failed(check, error)


def _llm(llm: str | None) -> list[Finding]:
    """Whether the language model answers, where there is one."""
    if llm is None:
        return []
    try:
        with open_engine(":memory:", embedder=None, judge="off", llm=llm) as engine:
            started = time.perf_counter()
            engine.models.answer("Are you there?", system="Answer with one word.", tokens_max=8)
            return [Finding("llm", True, f"{llm} answers; it took {time.perf_counter() - started:.1f} s")]
    except EbbingError as error:
        return [_failed("llm", error)]


def _hooks() -> Finding:
    """When each hook of Claude Code fired last on this machine, and whether that went well."""
    fired = last_firings()
    if not fired:
        return Finding("hooks", True, "none has fired here yet; ebbing setup claude-code --hooks installs them")
    told = [
        f"{event} {one.at:%Y-%m-%d %H:%M} UTC" if (one := fired.get(event)) else f"{event} never" for event in SECONDS
    ]
    failed = [f"{event} {one.ended}" for event, one in fired.items() if not one.ok]
    sentence = f"last fired: {', '.join(told)}" + "".join(f"; {one}" for one in failed)
    return Finding(
        "hooks", not failed, sentence, "echo '{}' | ebbing hook prompt shows what is wrong" if failed else None
    )


def _schedule(owners: Mapping[str, Stats], engine: Engine) -> Finding:
    """Whether sweeps run: memories overdue for long show that they do not."""
    cron = engine.policy.sweep.cron
    due = sum(stats.due for stats in owners.values())
    swept = [stats.swept_at for stats in owners.values() if stats.swept_at is not None]
    late = engine.clock.now() - _UNSWEPT
    waits = [
        owner for owner, stats in owners.items() if stats.due and (stats.swept_at is None or stats.swept_at < late)
    ]
    sentence = f"the last sweep ended {max(swept):%Y-%m-%d %H:%M}" if swept else "no sweep has run yet"
    did = Counter[str]()
    for stats in owners.values():
        did.update(stats.last_sweep)
    if did:
        sentence += f" ({', '.join(f'{count} {kind}' for kind, count in did.items())})"
    detail = f"{sentence}; {due:,} memories are due, and the policy's times are {cron!r}"
    remedy = "let `ebbing worker` or `ebbing serve` run, or sweep now: ebbing sweep"
    return Finding("schedule", not waits, detail, remedy if waits else None)


def _embedder(choice: str) -> Finding:
    """Whether the model loads and embeds a word; asked apart from the store, which may not open."""
    started = time.perf_counter()
    try:
        with open_engine(":memory:", embedder=choice, judge="off") as engine:
            embedder = engine.models.embedder
            if embedder is None:
                return Finding("embedder", False, "none: memories are found by words alone", "use --embedder auto")
            dimensions = embedder.embed(["tide"]).shape[1]
    except EbbingError as error:
        return _failed("embedder", error)
    except (ImportError, OSError, ValueError) as error:
        return Finding("embedder", False, f"it does not load: {error}", "pip install --force-reinstall ebbing")
    seconds = time.perf_counter() - started
    sentence = f"{embedder.fingerprint} embeds in {dimensions} dimensions; loaded in {seconds:.2f} s"
    return Finding("embedder", True, sentence)


def _judge(choice: str, policy: str) -> Finding:
    """Which judge is in use and whether it answers; or why there is none, which is wrong only where one was wanted."""
    started = time.perf_counter()
    try:
        with open_engine(":memory:", policy=policy, embedder=None, judge=choice) as engine:
            judge, why = engine.models.judge, engine.models.no_judge
            wanted = choice != "off" and engine.policy.judge.enabled
            if judge is None:
                sentence = f"none: exact rules decide alone, because {why}"
                return Finding(
                    "judge", not wanted, sentence, "install ebbing again, or choose exact rules: --judge off"
                )
            judge.relate([("The tide is low.", "The tide is high now.")])
    except EbbingError as error:
        return _failed("judge", error)
    seconds = time.perf_counter() - started
    return Finding("judge", True, f"{judge.fingerprint} reads; loaded in {seconds:.2f} s")


def _counted(engine: Engine) -> tuple[dict[str, Stats], list[Finding]]:
    """Each owner in numbers; a store that is damaged may not be able to count."""
    try:
        return {owner: engine.for_owner(owner).stats() for owner in engine.store.owners()}, []
    except EbbingError as error:
        return {}, [_failed("count", error)]


def _without_password(address: str) -> str:
    """The address as far as it may be shown."""
    scheme, separator, rest = address.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}" if separator else address


def show(diagnosis: Diagnosis, console: Console) -> None:
    """The findings, one line each, and what to do about those that are wrong."""
    console.print(Text.assemble(("Ebbing ", "bold"), version("ebbing"), "  ", (diagnosis.db, "bold cyan")))
    console.print()
    if diagnosis.repaired:
        console.print(Padding(_listed(diagnosis.repaired, done=True), (0, 0, 1, 2), expand=False))
    console.print(Padding(_listed(diagnosis.findings), (0, 0, 1, 2), expand=False))
    if diagnosis.owners:
        console.print(Padding(_owners(diagnosis), (0, 0, 1, 2), expand=False))
    if diagnosis.without_vector:
        sentence = f"{diagnosis.without_vector} memories have no vector and are found by words alone"
        console.print(Text(f"  ! {sentence}; engine.reembed() fills them.\n", "yellow"))
    wrong = sum(not finding.ok for finding in diagnosis.findings)
    if wrong:
        console.print(Text(f"{wrong} of {len(diagnosis.findings)} checks found something wrong.", "bold red"))
    else:
        console.print(Text("All is well.", "bold green"))


def _listed(findings: Iterable[Finding], *, done: bool = False) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for finding in findings:
        mark, style = ("✗", "red") if not finding.ok else ("+", "cyan") if done else ("✓", "green")
        remedy = (f"\n→ {finding.remedy}", "yellow") if finding.remedy and not finding.ok else ""
        table.add_row(Text(mark, f"bold {style}"), finding.check, Text.assemble(finding.detail, remedy))
    return table


def _owners(diagnosis: Diagnosis) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column("owner")
    for name in ("memories", "active", "archived", "due", "days of use"):
        table.add_column(name, justify="right")
    for owner, stats in list(diagnosis.owners.items())[:_OWNERS_SHOWN]:
        counts = (stats.total, stats.by_status["active"], stats.by_status["archived"], stats.due, stats.days_of_use)
        table.add_row(Text(owner), *(f"{count:,}" for count in counts))
    more = len(diagnosis.owners) - _OWNERS_SHOWN
    if more > 0:
        table.add_row(Text(f"and {more:,} more", "dim"))
    if diagnosis.size_bytes is not None:
        table.caption = f"{diagnosis.size_bytes / 1e6:,.1f} MB"
        table.caption_justify = "left"
    return table
