"""Tools that put memories away, protect them, or bring them back."""

from __future__ import annotations

from ..parameters import PARAMETERS, count, takes
from ..tool_declaration import Right, Tool

_AT_MOST = count("limit", "How many at most, oldest first.", 2**31 - 1, letter="-n", default=None)

TOOLS = (
    Tool(
        "forget",
        "Forget",
        "Put memories away. Chosen by ids, scope, age, categories, tags or a query; every filter given must match, and "
        "restore undoes it.",
        "forget",
        Right.FORGET,
        takes(
            ids=None,
            scope=None,
            older_than=None,
            categories=None,
            tags=None,
            query=PARAMETERS["query"].but(
                default=None,
                about="Only memories that match this question well; with it, the call is a dry run unless you give "
                "dry_run false.",
            ),
            everything=False,
            dry_run=False,
            limit=_AT_MOST,
            reason=None,
        ),
        advice="scope / alone needs everything=true as well. By a query it only tells what it would do, until you call "
        "it with dry_run=false.",
        command="forget",
        action="forget",
        mcp=True,
        route=("POST", "/v1/memories/forget"),
        destructive=True,
    ),
    Tool(
        "restore",
        "Restore",
        "Bring memories back. By id, or everything that one batch put away.",
        "restore",
        Right.FORGET,
        takes(ids=None, batch=None),
        command="restore",
        action="restore",
        mcp=True,
        route=("POST", "/v1/memories/restore"),
    ),
    Tool(
        "purge",
        "Purge",
        "Erase memories for good, with all that was made from them. No restore brings them back, and the text cannot "
        "be learned again until its tombstone is lifted.",
        "purge",
        Right.PURGE,
        takes(ids=None, scope=None, everything=False, reason=None),
        command="purge",
        route=("POST", "/v1/memories/purge"),
        destructive=True,
    ),
    Tool(
        "lift",
        "Lift a tombstone",
        "Allow a purged text to be learned again.",
        "lift",
        Right.PURGE,
        takes("tombstone"),
        command="lift",
    ),
    Tool(
        "pin",
        "Pin",
        "Protect a memory. It never fades and is never pruned or overwritten.",
        "pin",
        Right.WRITE,
        takes("id"),
        command="pin",
        action="pin",
        mcp=True,
        route=("POST", "/v1/memories/{id}/pin"),
    ),
    Tool(
        "unpin",
        "Unpin",
        "Let a pinned memory fade again.",
        "unpin",
        Right.WRITE,
        takes("id"),
        command="unpin",
        action="unpin",
        route=("POST", "/v1/memories/{id}/unpin"),
    ),
    Tool(
        "sweep",
        "Sweep",
        "Lower, archive or prune what has faded or expired. Says what went where and why, and how to undo it.",
        "sweep",
        Right.FORGET,
        takes(dry_run=False, limit=_AT_MOST.but(about="How many at most, longest overdue first.")),
        command="sweep",
        route=("POST", "/v1/maintenance/sweep"),
        slow=True,
        destructive=True,
    ),
    Tool(
        "compact",
        "Compact",
        "Summarize each topic in a scope. The originals are archived; restore undoes it.",
        "compact",
        Right.FORGET,
        takes("scope", dry_run=False),
        command="compact",
        slow=True,
        destructive=True,
    ),
)
