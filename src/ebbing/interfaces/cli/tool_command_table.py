"""The commands made from tools: the declaration, the function that runs it, its panel of the help, and examples."""

from __future__ import annotations

from ..parameters import PARAMETERS, flag, own, preset_names, text
from ..tools import TOOLS
from .typer_app import FORGET, MAINTENANCE, SEARCH, WRITE, command, group

_AN_ID = "01m3k9v6z0q5x8r2t7w4y1n0bc"
YES = flag("yes", "Do not ask.", letter="-y")
_POLICY = PARAMETERS["policy"].but(
    about="A preset's name or the path of a policy file.", choices=(), suggestions=preset_names
)

group("block", "Read and write core memory: labelled blocks that are always part of the context.", panel=WRITE)

command(
    TOOLS["remember"],
    ".remember_commands:remember",
    panel=WRITE,
    examples=(
        'ebbing remember "Deploys happen on Tuesdays" --category strategy --scope /project',
        'ebbing remember "The API runs on port 8080" --subject API --attribute port',
        "ebbing remember --lines notes.txt --tag notes",
        "ebbing remember --extract - < meeting.txt",
        "git log -1 --format=%B | ebbing remember -",
    ),
    more=own(text("lines", "One memory a line of this file; - reads standard input.", default=None, metavar="FILE")),
    optional=("text",),
)

command(
    TOOLS["observe"],
    ".remember_commands:observe",
    panel=WRITE,
    examples=(
        'ebbing observe "User: I moved to Porto. Assistant: Noted."',
        "ebbing observe - --session monday < messages.json",
        "ebbing observe - < transcript.txt",
    ),
    more=own(
        text(
            "messages",
            "Messages as JSON (a list, or an object a line), or a transcript: User: … Assistant: …",
            from_stdin=True,
        )
    ),
)

command(
    TOOLS["extract"],
    ".remember_commands:extract",
    panel=WRITE,
    examples=('ebbing extract "Anna, our new CTO, moved to Porto and prefers tea."', "ebbing extract - < meeting.txt"),
)

command(
    TOOLS["update_memory"],
    ".remember_commands:update",
    panel=WRITE,
    examples=(
        'ebbing update 01m3k9v6z0q5x8r2t7w4y1n0bc --text "Deploys happen on Thursdays"',
        "ebbing update 01m3k9v6z0q5x8r2t7w4y1n0bc --importance 0.9 --tag deploys",
    ),
)

command(
    TOOLS["review"],
    ".review_commands:review",
    panel=WRITE,
    examples=("ebbing review", "ebbing review --limit 5 --json"),
)

command(
    TOOLS["settle"],
    ".review_commands:settle",
    panel=WRITE,
    examples=(
        f"ebbing settle {_AN_ID} --keep",
        f"ebbing settle {_AN_ID} --drop",
        f"ebbing settle {_AN_ID} --both",
        f"ebbing settle {_AN_ID} --superseded-by 01m3ka02f7h4j6p9s1v3x5z8cd",
    ),
    more=own(
        flag("keep", "Keep it (and retire what it contradicts), or retire it.", None, option="--keep/--drop"),
        flag("both", "Keep both of two that contradict."),
        text(
            "superseded_by",
            "Keep that memory, which then supersedes this one.",
            default=None,
            metavar="ID",
            names_memory=True,
        ),
    ),
)

command(TOOLS["blocks"], ".review_commands:list_", panel=WRITE, examples=("ebbing block list",))

command(
    TOOLS["set_block"],
    ".review_commands:set_",
    panel=WRITE,
    examples=(
        'ebbing block set human "Mara, in Porto; answers in Portuguese"',
        "ebbing block set persona - < persona.txt",
    ),
)

command(TOOLS["block_versions"], ".review_commands:history", panel=WRITE, examples=("ebbing block history human",))

command(TOOLS["undo_block"], ".review_commands:undo", panel=WRITE, examples=("ebbing block undo human",))

command(
    TOOLS["recall"],
    ".recall_commands:recall",
    panel=SEARCH,
    examples=(
        'ebbing recall "where is the deploy key?"',
        'ebbing recall "what about billing?" --scope /project --include archived -n 3',
        "echo $QUESTION | ebbing recall - --json",
    ),
)

command(
    TOOLS["context"],
    ".recall_commands:context",
    panel=SEARCH,
    examples=('ebbing context "what are we deploying today?" --budget 500', "ebbing context - < prompt.txt"),
)

command(
    TOOLS["list_memories"],
    ".recall_commands:list_",
    panel=SEARCH,
    examples=(
        "ebbing list --scope /project --category decision",
        "ebbing list --status archived --limit 20",
        f"ebbing list --before {_AN_ID}",
    ),
)

command(TOOLS["get_memory"], ".recall_commands:show", panel=SEARCH, examples=(f"ebbing show {_AN_ID}",))

command(TOOLS["history"], ".recall_commands:history", panel=SEARCH, examples=(f"ebbing history {_AN_ID}",))

command(TOOLS["explain"], ".recall_commands:explain", panel=SEARCH, examples=(f"ebbing explain {_AN_ID}",))

command(TOOLS["used"], ".recall_commands:used", panel=SEARCH, examples=(f"ebbing used {_AN_ID} --session today",))

command(
    TOOLS["forget"],
    ".forget_commands:forget",
    panel=FORGET,
    examples=(
        'ebbing forget --scope /project/pilot --reason "the pilot was cancelled"',
        "ebbing forget --category session_state --older-than 2w --dry-run",
        'ebbing forget --query "the old billing system"',
    ),
    more=own(YES),
)

command(
    TOOLS["restore"],
    ".forget_commands:restore",
    panel=FORGET,
    examples=(f"ebbing restore --batch {_AN_ID}", f"ebbing restore {_AN_ID} 01m3k9v6z1a2b3c4d5e6f7g8hj"),
)

command(
    TOOLS["purge"],
    ".forget_commands:purge",
    panel=FORGET,
    examples=(
        f'ebbing purge {_AN_ID} --reason "asked by the person it was about"',
        "ebbing purge --scope /project/pilot --yes",
        "ebbing purge --everything --owner mara",
    ),
    more=own(YES),
)

command(TOOLS["lift"], ".forget_commands:lift", panel=FORGET, examples=(f"ebbing lift {_AN_ID}",))

command(TOOLS["pin"], ".forget_commands:pin", panel=FORGET, examples=(f"ebbing pin {_AN_ID}",))

command(TOOLS["unpin"], ".forget_commands:unpin", panel=FORGET, examples=(f"ebbing unpin {_AN_ID}",))

command(
    TOOLS["sweep"],
    ".forget_commands:sweep",
    panel=FORGET,
    examples=("ebbing sweep --dry-run", "ebbing sweep --policy patient.toml"),
)

command(
    TOOLS["compact"],
    ".forget_commands:compact",
    panel=FORGET,
    examples=("ebbing compact /project/api --dry-run", "ebbing compact /project/api"),
)

command(
    TOOLS["memory_status"],
    ".maintenance_commands:stats",
    panel=MAINTENANCE,
    examples=("ebbing stats", "ebbing stats --owner mara --json"),
)

command(
    TOOLS["events"],
    ".maintenance_commands:events",
    panel=MAINTENANCE,
    examples=("ebbing events", "ebbing events --after 1200 --limit 50 --json"),
)

command(
    TOOLS["export"], ".maintenance_commands:export", panel=MAINTENANCE, examples=("ebbing export everything.jsonl",)
)

command(
    TOOLS["import"],
    ".maintenance_commands:import_",
    panel=MAINTENANCE,
    examples=(
        "ebbing import theirs.jsonl",
        "ebbing import my-backup.jsonl --trusted --on-conflict overwrite",
        "ebbing import --from mem0 --dry-run ~/mem0/qdrant",
    ),
)

command(TOOLS["reembed"], ".maintenance_commands:reembed", panel=MAINTENANCE, examples=("ebbing reembed",))

command(
    TOOLS["simulate"],
    ".policy_commands:simulate",
    panel=MAINTENANCE,
    examples=("ebbing simulate hermes", "ebbing simulate patient.toml --days 365"),
    more=own(_POLICY),
)

command(
    TOOLS["fit"],
    ".policy_commands:fit",
    panel=MAINTENANCE,
    examples=("ebbing fit", "ebbing fit --write fitted.toml"),
    more=own(text("write", "Save the policy to try; nothing is overwritten.", default=None, metavar="FILE")),
)
