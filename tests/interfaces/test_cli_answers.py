"""`--json` is one document with the answer as the library gives it. What it promises here is never taken away."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from typer.testing import Result

import ebbing
from ebbing.domain.results import plain
from ebbing.interfaces.cli import EXIT_CODES

Answer = Callable[..., Any]

MEMORY = {
    "id": str,
    "owner": "default",
    "text": "Deploys happen on Tuesdays",
    "agent": None,
    "visibility": "shared",
    "scope": "/project",
    "category": "strategy",
    "tier": "semantic",
    "status": "active",
    "importance": float,
    "created_at": str,
    "created_day": int,
    "last_accessed_at": str,
    "used_day": int,
    "recall_count": 0,
    "level": 1.0,
    "pinned": False,
    "contested": False,
    "expires_at": None,
    "valid_from": None,
    "valid_until": None,
    "restored_at": None,
    "source": {"kind": "user", "actor": None, "session": None, "evidence": None},
    "trust": 1.0,
    "subject": None,
    "attribute": None,
    "supersedes": [],
    "superseded_by": None,
    "derived_from": [],
    "compaction_depth": 0,
    "tags": ["ops"],
    "metadata": {},
    "tokens": int,
    "digest": str,
    "fingerprint": str,
}
DEPLOYS = ("Deploys happen on Tuesdays", "--scope", "/project", "--category", "strategy", "--tag", "ops")


def holds(actual: Any, promised: Any) -> bool:
    """Whether everything promised is there; more may be. A type stands for any value of it."""
    if isinstance(promised, type):
        return isinstance(actual, promised) and not (promised is int and isinstance(actual, bool))
    if isinstance(promised, dict):
        return isinstance(actual, dict) and all(
            name in actual and holds(actual[name], value) for name, value in promised.items()
        )
    if isinstance(promised, list):
        return isinstance(actual, list) and len(actual) == len(promised) and all(map(holds, actual, promised))
    return bool(actual == promised)


def test_remember(answer: Answer) -> None:
    """Stored anew, then known already; then in its place another."""
    first = answer("remember", *DEPLOYS)
    assert holds(first, {"memories": [MEMORY], "reinforced": [], "merged": [], "superseded": [], "contested": []})
    assert holds(first, {"quarantined": [], "skipped": [], "notes": [], "batch": str})
    assert holds(answer("remember", *DEPLOYS), {"memories": [], "reinforced": [{**MEMORY, "recall_count": 1}]})
    id_ = first["memories"][0]["id"]
    last = answer("remember", "Deploys happen on Fridays", "--scope", "/project", "--supersedes", id_)
    assert holds(last, {"memories": [{"supersedes": [id_]}], "superseded": [{"id": id_, "status": "superseded"}]})


def test_remember_takes_all_that_a_memory_can_be_told_with(answer: Answer) -> None:
    """Every option arrives."""
    words = "--importance 0.9 --tier procedural --subject API --attribute port --pin --expires-in 30d --trust 0.7"
    more = ("--metadata", '{"ticket": 7}', "--source", "tool", "--session", "s1", "--created-at", "2026-01-02")
    [memory] = answer("remember", *DEPLOYS, *words.split(), *more)["memories"]
    assert holds(
        memory,
        {
            "importance": 0.9,
            "tier": "procedural",
            "subject": "API",
            "attribute": "port",
            "pinned": True,
            "expires_at": "2026-02-01T00:00:00+00:00",
            "trust": 0.7,
            "metadata": {"ticket": 7},
            "source": {"kind": "tool", "actor": None, "session": "s1", "evidence": None},
            "created_at": "2026-01-02T00:00:00+00:00",
        },
    )


def test_recall(answer: Answer) -> None:
    """Recollections with the parts of their score; only looking leaves the count as it was."""
    answer("remember", *DEPLOYS)
    found = answer("recall", "when do we deploy?", "--no-reinforce", "-n", "1")
    parts = dict.fromkeys(("lexical", "neighbours", "semantic", "named", "dated", "asking", "recency"), float)
    one = {"memory": MEMORY, "score": float, "relevance": float, "strength": float, "parts": parts}
    assert holds(found, {"recollections": [one], "notes": []})
    assert set(found) == {"recollections", "notes"}
    answer("recall", "when do we deploy?")
    assert answer("list")[0]["recall_count"] == 1


def test_recall_narrows_as_it_is_told(answer: Answer) -> None:
    """Scope, category, tag, score and status each leave out what does not fit."""
    answer("remember", *DEPLOYS)
    asked = ("recall", "when do we deploy?", "--no-reinforce")
    kept = (("--scope", "/project"), ("-c", "strategy"), ("-t", "ops"), ("--min-score", "0.1"))
    left_out = (("--scope", "/other"), ("-c", "fact"), ("-t", "dev"), ("--min-score", "0.99"))
    assert [len(answer(*asked, *narrow)["recollections"]) for narrow in kept] == [1, 1, 1, 1]
    assert [len(answer(*asked, *narrow)["recollections"]) for narrow in left_out] == [0, 0, 0, 0]
    answer("remember", "Deploys happen on Fridays", "--supersedes", answer("list")[0]["id"])
    texts = [one["memory"]["text"] for one in answer(*asked, "--include", "superseded")["recollections"]]
    assert sorted(texts) == ["Deploys happen on Fridays", "Deploys happen on Tuesdays"]


def test_list_show_and_history_are_what_the_library_answers(answer: Answer) -> None:
    """Exactly that, and nothing beside it."""
    answer("remember", *DEPLOYS)
    with ebbing.open("memory.db", judge="off") as engine:
        page = engine.list()
        assert answer("list") == plain(page)
        assert answer("show", page[0].id) == plain(page[0])
        assert answer("history", page[0].id) == plain(engine.history(page[0].id))
        assert answer("stats") == plain(engine.stats())
    assert holds(answer("list"), [MEMORY])
    event = {"seq": int, "at": str, "kind": "remembered", "memory": page[0].id, "batch": str}
    rest = {"actor": None, "session": None, "reason": None, "detail": dict}
    assert holds(answer("history", page[0].id), [{**event, **rest}])


def test_explain(answer: Answer) -> None:
    """Everything the sentences and the picture are made of."""
    id_ = answer("remember", *DEPLOYS)["memories"][0]["id"]
    promised = {"memory": MEMORY, "strength": float, "curve": str, "unit": "days of use", "because": str}
    told = answer("explain", id_)
    assert holds(told, {**promised, "numbers": {"importance": float, "idle_days": float, "recalls": 0.0}})
    assert holds(told["forecasts"][0], {"rung": str, "threshold": float, "days": float, "at": str})
    assert holds(told["drawn"][0], [0, told["strength"]])


def test_list_pages(answer: Answer) -> None:
    """Behind the last of a page the next begins, until there is none."""
    for number in range(5):
        answer("remember", f"Pilot {number} knows the tide")
    pages: list[list[str]] = []
    before: tuple[str, ...] = ()
    while page := answer("list", "--limit", "2", *before):
        pages.append([memory["text"][:7] for memory in page])
        before = ("--before", page[-1]["id"])
    assert pages == [["Pilot 4", "Pilot 3"], ["Pilot 2", "Pilot 1"], ["Pilot 0"]]


def test_list_narrows_as_it_is_told(answer: Answer) -> None:
    """Status, tier, subject and pin."""
    answer("remember", "Port 8080", "--subject", "API", "--attribute", "port", "--pin")
    answer("remember", "Port 9090", "--tier", "episodic")
    answer("forget", "--category", "fact", "--scope", "/", "--limit", "1")
    assert [memory["text"] for memory in answer("list")] == ["Port 8080"]
    assert [memory["text"] for memory in answer("list", "--status", "forgotten")] == ["Port 9090"]
    both = ("list", "--status", "forgotten", "--status", "active")
    assert len(answer(*both)) == 2
    assert [memory["text"] for memory in answer(*both, "--tier", "episodic")] == ["Port 9090"]
    assert [memory["text"] for memory in answer(*both, "--subject", "API")] == ["Port 8080"]
    assert [memory["text"] for memory in answer(*both, "--pinned")] == ["Port 8080"]
    assert [memory["text"] for memory in answer(*both, "--unpinned")] == ["Port 9090"]


def test_forget_and_restore(answer: Answer) -> None:
    """A batch; a dry run tells the same and does nothing."""
    answer("remember", *DEPLOYS)
    filters = ("--scope", "/project", "--tag", "ops", "-c", "strategy", "--reason", "moved on")
    plan = answer("forget", *filters, "--dry-run")
    assert holds(plan, {"id": str, "memories": [MEMORY], "reason": "moved on", "dry_run": True})
    assert holds(answer("list"), [MEMORY])
    batch = answer("forget", *filters)
    gone = {**MEMORY, "status": "forgotten"}
    assert holds(batch, {"id": str, "memories": [gone], "reason": "moved on", "dry_run": False})
    assert answer("list") == []
    back = answer("restore", "--batch", batch["id"])
    assert holds(back, {"id": str, "memories": [MEMORY], "reason": f"undo of {batch['id']}", "dry_run": False})
    assert holds(answer("list"), [MEMORY])


def test_several_ids_at_once(answer: Answer) -> None:
    """Where the engine takes several, so does the command."""
    ids = [answer("remember", text)["memories"][0]["id"] for text in ("one", "two", "three")]
    assert answer("used", *ids[:2], "--session", "s1") is None
    assert sorted(memory["recall_count"] for memory in answer("list")) == [0, 1, 1]
    assert len(answer("forget", *ids)["memories"]) == 3
    assert len(answer("restore", *ids[1:])["memories"]) == 2
    assert answer("purge", *ids, "--yes")["count"] == 3


def test_purge_and_lift(answer: Answer) -> None:
    """A receipt with tombstones; once one is lifted, the text may be learned again."""
    id_ = answer("remember", *DEPLOYS)["memories"][0]["id"]
    receipt = answer("purge", id_, "--yes", "--reason", "asked")
    promised = {"id": str, "count": 1, "tombstones": [str], "verified": True, "at": str, "reason": "asked"}
    assert holds(receipt, {**promised, "notes": [], "erased": [{"id": id_, "text": DEPLOYS[0]}]})
    refused = answer("remember", *DEPLOYS)
    assert holds(refused, {"memories": [], "skipped": [{"text": DEPLOYS[0], "reason": str}]})
    assert answer("lift", receipt["tombstones"][0]) is None
    assert holds(answer("remember", *DEPLOYS), {"memories": [MEMORY]})


def test_purge_of_a_scope_and_of_everything(answer: Answer) -> None:
    """Each takes what it names."""
    for text, scope in (("one", "/a"), ("two", "/a/b"), ("three", "/ab")):
        answer("remember", text, "--scope", scope)
    erased = answer("purge", "--scope", "/a", "--yes")
    assert (erased["count"], {one["text"] for one in erased["erased"]}) == (2, {"one", "two"})
    erased = answer("purge", "--everything", "--yes")
    assert (erased["count"], [one["text"] for one in erased["erased"]]) == (1, ["three"])


def test_pin_and_unpin(answer: Answer) -> None:
    """The memory, as it stands now."""
    id_ = answer("remember", *DEPLOYS)["memories"][0]["id"]
    assert holds(answer("pin", id_), {**MEMORY, "pinned": True})
    assert holds(answer("unpin", id_), MEMORY)


def test_sweep(answer: Answer) -> None:
    """A dry run tells what a run then does; restoring the batch undoes it."""
    answer("remember", *DEPLOYS, "--created-at", "2020-01-01", "--expires-in", "1d")
    plan = answer("sweep", "--dry-run")
    memory = {**MEMORY, "expires_at": str}
    action = {"memory": memory, "step": "archive", "reason": str, "strength": float, "threshold": None}
    promised = {"batch": str, "actions": [action], "trigger": "manual", "looked_at": int}
    assert holds(plan, {**promised, "dry_run": True})
    swept = answer("sweep")
    assert holds(swept, {**promised, "dry_run": False})
    assert answer("list") == []
    answer("restore", "--batch", swept["batch"])
    assert holds(answer("list"), [{"id": swept["actions"][0]["memory"]["id"], "status": "active"}])


def test_compact(answer: Answer) -> None:
    """A batch, and the summaries that were made; of what is new none is."""
    answer("remember", *DEPLOYS)
    batch = answer("compact", "/project", "--dry-run")
    assert holds(batch, {"id": str, "memories": [], "summaries": [], "dry_run": True})


def test_a_sweep_takes_no_more_than_it_may(answer: Answer) -> None:
    """--limit."""
    for text in ("one", "two", "three"):
        answer("remember", text, "--created-at", "2020-01-01", "--expires-in", "1d")
    assert len(answer("sweep", "--limit", "2")["actions"]) == 2


def test_a_round_of_the_worker(answer: Answer) -> None:
    """A sweep for each owner who had to be visited."""
    for owner in ("anna", "ben"):
        answer("remember", *DEPLOYS, "--created-at", "2020-01-01", "--expires-in", "1d", "--owner", owner)
    swept = answer("worker", "--once")
    action = {"memory": {"text": DEPLOYS[0]}, "step": "archive"}
    assert holds(swept, {owner: {"actions": [action], "trigger": "cron"} for owner in ("anna", "ben")})
    assert answer("worker", "--once") == {}


def test_a_round_that_does_not_reach_everybody_tells_who_and_why_and_what_was_done(
    run: Callable[..., Result], postgres_address: str, postgres_superuser_address: str
) -> None:
    """One line for each on stderr, and the exit code of the first. The server says that its disk is full for two."""
    for owner in ("anna", "ben", "cora"):
        old = ("--created-at", "2020-01-01", "--expires-in", "1d")
        result = run("remember", *DEPLOYS, *old, "--owner", owner, "--db", postgres_address)
        assert result.exit_code == 0, result.output
    with psycopg.connect(postgres_superuser_address, autocommit=True) as superuser:
        superuser.execute(
            "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$"
        )
        superuser.execute(
            "CREATE TRIGGER full_disk AFTER INSERT ON ebbing.events FOR EACH ROW WHEN (NEW.owner <> 'ben')"
            " EXECUTE FUNCTION full_disk()"
        )
    result = run("worker", "--once", "--json", "--db", postgres_address)
    assert result.exit_code == EXIT_CODES["unavailable"]
    lines = result.stderr.splitlines()
    assert [line.partition(": the disk")[0] for line in lines] == [
        "ebbing: owner anna was not swept",
        "ebbing: owner cora was not swept",
    ]
    told = json.loads(result.stdout)
    message = "; ".join(line.removeprefix("ebbing: ") for line in lines)
    assert told["error"] == {"code": "unavailable", "message": message}
    assert {owner: len(sweep["actions"]) for owner, sweep in told["swept"].items()} == {"ben": 1}
    again = run("worker", "--once", "--db", postgres_address)
    assert (again.exit_code, again.stdout, len(again.stderr.splitlines())) == (6, "", 2)


@pytest.mark.parametrize("once", [("--once",), ()])
@pytest.mark.parametrize("threads", ["0", "1000"])
def test_a_worker_that_could_never_sweep_is_refused(
    run: Callable[..., Result], once: tuple[str, ...], threads: str
) -> None:
    run("remember", *DEPLOYS)
    result = run("worker", *once, "--threads", threads)
    assert result.exit_code == EXIT_CODES["invalid"]
    assert result.stderr == f"ebbing: --threads is from 1 to 64, not {threads}\n"


def test_stats(answer: Answer) -> None:
    """Counts by name."""
    answer("remember", *DEPLOYS)
    assert holds(
        answer("stats"),
        {
            "total": 1,
            "by_status": {"active": 1, "archived": 0},
            "by_category": {"strategy": 1},
            "by_tier": {"semantic": 1},
            "tokens": int,
            "pinned": 0,
            "embedded": dict,
            "due": 0,
            "days_of_use": 1,
            "size_bytes": int,
            "judge": None,
            "notes": ["no judge: exact rules decide alone, because it is switched off with judge='off'"],
        },
    )


def test_export_import_and_reembed(answer: Answer) -> None:
    """Numbers; what was there already is skipped."""
    answer("remember", *DEPLOYS)
    assert answer("export", "everything.jsonl") == 1
    other = ("--db", "other.db")
    assert holds(answer("import", "everything.jsonl", "--dry-run", *other), {"added": 1, "dry_run": True})
    nothing = dict.fromkeys(
        ("replaced", "skipped", "blocked", "quarantined", "merged", "redacted", "ended", "refused"), 0
    )
    counts = {"added": 1, **nothing, "dry_run": False, "samples": [], "notes": []}
    assert answer("import", "everything.jsonl", "--trusted", *other) == counts
    again = answer("import", "everything.jsonl", "--on-conflict", "overwrite", *other)
    assert holds(again, {"added": 0, "replaced": 0, "skipped": 1, "blocked": 0})
    assert holds(answer("list", *other), [MEMORY])
    assert answer("reembed") == 0
