"""Tools for everything an owner has: counts, the log, copies, and policies tried on the past."""

from __future__ import annotations

from ...domain.import_results import FORMATS
from ..parameters import PARAMETERS, count, flag, takes, text
from ..tool_declaration import Right, Tool

ON_CONFLICT = ("skip", "overwrite", "fail")

TOOLS = (
    Tool(
        "memory_status",
        "Memory status",
        "Count memories by status, category and tier. Also counts what the next sweep will do.",
        "stats",
        Right.READ,
        command="stats",
        action="status",
        mcp=True,
        route=("GET", "/v1/status"),
        read_only=True,
    ),
    Tool(
        "events",
        "Events",
        "List what happened to any memory, oldest first. With the reason, the caller and the numbers it rested on.",
        "events",
        Right.ADMIN,
        takes(
            after=count(
                "after", "Continue after the event with this number.", 2**62, least=0, default=0, metavar="NUMBER"
            ),
            limit=100,
        ),
        command="events",
        read_only=True,
    ),
    Tool(
        "export",
        "Export",
        "Write everything to a file of JSON lines. Lossless.",
        "export",
        Right.ADMIN,
        takes(
            PARAMETERS["path"].but(about="The file to write: complete or not at all; only an older export is replaced.")
        ),
        command="export",
        slow=True,
        read_only=True,
    ),
    Tool(
        "import",
        "Import",
        "Bring in an export, or what another program remembers. The whole file is checked before anything is written; "
        "every text is screened, and nothing is trusted more than an import.",
        "import_",
        Right.ADMIN,
        takes(
            PARAMETERS["path"].but(about="The file that export wrote; of another program its file or folder."),
            format=text(
                "format",
                "Which program wrote it.",
                default="ebbing",
                choices=("ebbing", *FORMATS),
                option="--from",
                metavar="PROGRAM",
            ),
            user=text("user", "Of another program: only the memories of this user of its.", default=None),
            scope=PARAMETERS["scope"].but(default="/", about="Of another program: the path below which all comes in."),
            dry_run=False,
            on_conflict=text(
                "on_conflict",
                "What to do with a memory that exists here already and differs.",
                default="skip",
                choices=ON_CONFLICT,
            ),
            trusted=flag("trusted", "It is a backup you made yourself: keep its trust, blocks and tombstones."),
            tombstones=flag("tombstones", "Also take the tombstones, which keep purged texts out."),
            blocks=flag("blocks", "Also take its blocks of core memory where none is set."),
        ),
        command="import",
        slow=True,
    ),
    Tool(
        "reembed",
        "Embed again",
        "Embed again what the present model did not embed. If it is interrupted, run it again: it continues.",
        "reembed",
        Right.ADMIN,
        command="reembed",
        slow=True,
    ),
    Tool(
        "simulate",
        "Simulate",
        "Show what another policy would have done with your past. Names each recall that would have missed.",
        "simulate",
        Right.READ,
        takes("policy", days=180),
        command="simulate",
        route=("POST", "/v1/simulate"),
        slow=True,
        read_only=True,
    ),
    Tool(
        "fit",
        "Fit",
        "Estimate decay rates from your own history of use. With their uncertainty, and a policy to try.",
        "fit",
        Right.READ,
        command="fit",
        slow=True,
        read_only=True,
    ),
)
