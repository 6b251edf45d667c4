"""The commands that are programs of their own: servers, checks, a demonstration, policies and tokens."""

from __future__ import annotations

from ..parameters import PARAMETERS, count, flag, own, preset_names, text, texts
from ..tools import Right
from .tool_command_table import YES
from .typer_app import MAINTENANCE, Program, command, group

_HOST = text("host", "The address to listen on.", default="127.0.0.1", metavar="ADDRESS")
_PORT = count("port", "The port to listen on; 0 takes a free one.", 65535, least=0, default=7373, metavar="NUMBER")
_ALLOW_HOST = texts("allow_host", "A name by which the server is reached.", default=(), metavar="NAME")
_ALLOW_ORIGIN = texts("allow_origin", "A web page elsewhere whose scripts may ask.", default=(), metavar="URL")
_WRITE_AS_USER = flag("write_as_user", "Without a token on this machine, write as the user and not as an agent.")
_NAME = text("name", "What you call it; no two have the same name.")
_POLICY = text("policy", "A preset's name or the path of a policy file.", suggestions=preset_names)
# An argument that need not be given.
_SHOWN = _POLICY.but(name="which", about=f"{_POLICY.about} By default the one in use.", metavar="POLICY")
_CLIENTS = ("claude-code", "claude-desktop", "cursor", "vscode", "codex", "windsurf")
_HOOKS = ("session-start", "prompt", "compact", "stop")

group("policy", "Show, check and compare policies.", panel=MAINTENANCE)
group("token", "Make, list and revoke the tokens of `ebbing serve`.", panel=MAINTENANCE)

command(
    Program(
        "worker",
        "Sweep every owner at the policy's times. Ends with Ctrl-C or a TERM signal, after the round under way.",
        own(flag("once", "One round now, and no more."), count("threads", "How many owners at a time.", 64, default=4)),
    ),
    ".worker_command:worker",
    panel=MAINTENANCE,
    examples=("ebbing worker", "ebbing worker --once --threads 8"),
)

command(
    Program(
        "doctor",
        "Check a store, its indexes, the models and the schedule. Exit code 1 when something is wrong.",
        own(flag("repair", "Rebuild the indexes from the rows before looking.")),
    ),
    ".doctor_command:doctor",
    panel=MAINTENANCE,
    examples=("ebbing doctor", "ebbing doctor --db memory.db --repair"),
)

command(
    Program(
        "demo",
        "Live a year of an agent's memory in half a minute. The clock is virtual, all else is real.",
        own(
            flag("fast", "Without pauses, or with longer ones.", None, option="--fast/--slow"),
            count("width", "Columns to draw in, from 60 to 120.", 120, least=60, default=None),
        ),
    ),
    ".demo_command:demo",
    panel=MAINTENANCE,
    examples=("ebbing demo", "ebbing demo --fast --policy patient.toml"),
)

command(
    Program(
        "mcp",
        "Serve memories to agents over MCP. Over stdio for the program that starts it; over http as `serve` does.",
        own(
            text("transport", "How the client connects.", default="stdio", choices=("stdio", "http")),
            _HOST,
            _PORT,
            _ALLOW_HOST,
            _ALLOW_ORIGIN,
            _WRITE_AS_USER,
        ),
    ),
    ".mcp_command:mcp",
    extra="server",
    panel=MAINTENANCE,
    examples=("ebbing mcp", "ebbing mcp --db memory.db --agent reviewer", "ebbing mcp --transport http --port 8080"),
)

command(
    Program(
        "setup",
        "Tell a program about this memory. Other entries of its configuration stay, and the old file is kept.",
        own(
            text("client", "The program.", choices=_CLIENTS),
            flag("print", "Show what would be written, and where."),
            text(
                "scope",
                "user: your own configuration; project: that of the folder you are in.",
                default="user",
                choices=("user", "project"),
            ),
            flag("hooks", "Claude Code: also recall and capture by themselves, without a tool call."),
            flag("remove", "Take it out again."),
        ),
    ),
    ".client_commands:setup",
    panel=MAINTENANCE,
    examples=(
        "ebbing setup claude-code --hooks",
        "ebbing setup cursor --scope project",
        "ebbing setup codex --print",
        "ebbing setup vscode --remove",
    ),
)

command(
    Program(
        "hook",
        "Answer a hook of Claude Code, whose JSON is on standard input. Whatever happens, the exit code is 0.",
        own(
            text("event", "Which hook.", choices=_HOOKS),
            PARAMETERS["scope"].but(default=None, about="Where to keep what is captured; by default /project/FOLDER."),
        ),
    ),
    ".client_commands:hook",
    panel=MAINTENANCE,
    examples=("ebbing hook session-start < event.json",),
)

command(
    Program(
        "serve",
        "Serve memories over HTTP. On loopback, until a token is made, whatever can be undone needs none; elsewhere "
        "every request needs one.",
        own(
            _HOST,
            _PORT,
            _ALLOW_HOST,
            _ALLOW_ORIGIN,
            count(
                "per_minute",
                "Requests a minute of one caller; 0: no limit.",
                2**31 - 1,
                least=0,
                default=18_000,
                option="--rate",
            ),
            flag("auth", "Whether a token is needed once there is one; on loopback only.", True),
            _WRITE_AS_USER,
            flag("worker", "Sweep every owner at the policy's times.", True),
        ),
    ),
    ".serve_command:serve",
    extra="server",
    panel=MAINTENANCE,
    examples=(
        "ebbing serve",
        "ebbing serve --db memory.db --port 8080",
        "ebbing serve --host 0.0.0.0 --allow-host memory.example.org",
    ),
)

command(
    Program(
        "dashboard",
        "Show what will be forgotten, and why, in a browser. On this machine alone, by a link that signs in once.",
        own(
            _PORT.but(default=None, about="The port to listen on; by default 7374, or a free one where that is taken."),
            flag("browser", "Open the link in a browser.", True),
            flag("worker", "Sweep every owner at the policy's times.", True),
        ),
    ),
    ".dashboard_command:dashboard",
    extra="server",
    panel=MAINTENANCE,
    examples=("ebbing dashboard", "ebbing dashboard --owner mara --no-browser"),
)

command(
    Program(
        "policy show",
        "Print a whole policy as TOML that loads again. It includes what it takes from those it extends.",
        own(_SHOWN),
    ),
    ".policy_commands:show",
    panel=MAINTENANCE,
    examples=("ebbing policy show", "ebbing policy show patient.toml > whole.toml"),
    optional=("which",),
)

command(
    Program(
        "policy check",
        "List the faults of a policy, each with its line and exit code 2; or say in plain words what it does.",
        own(_POLICY),
    ),
    ".policy_commands:check",
    panel=MAINTENANCE,
    examples=("ebbing policy check patient.toml",),
)

command(
    Program(
        "policy diff",
        "List the settings in which two policies differ, with both values.",
        own(_POLICY.but(name="one"), _POLICY.but(name="other")),
    ),
    ".policy_commands:diff",
    panel=MAINTENANCE,
    examples=("ebbing policy diff default patient.toml",),
)

command(
    Program(
        "token create",
        "Make a token for --owner, and print it. It is shown this once: only a digest of it is kept.",
        own(
            _NAME,
            texts(
                "rights",
                "What it may do; by default read, write and forget.",
                default=None,
                choices=tuple(right.value for right in Right),
                option="--right",
                metavar="RIGHT",
            ),
            PARAMETERS["expires_in"].but(
                default=None, about="How long it is valid: 12h, 90d, 1y; by default until revoked."
            ),
        ),
    ),
    ".token_commands:create",
    panel=MAINTENANCE,
    examples=(
        "ebbing token create laptop --owner mara",
        "ebbing token create scout --owner mara --agent scout --right read --right write --expires-in 90d",
        "ebbing token create backup --owner mara --right admin",
        "ebbing token create app --owner mara --right read --right write --right write-as-user",
    ),
)

command(
    Program("token list", "List the tokens of a store, every owner's. The tokens themselves are not stored."),
    ".token_commands:list_",
    panel=MAINTENANCE,
    examples=("ebbing token list", "ebbing token list --json"),
)

command(
    Program(
        "token revoke", "Revoke a token. It is refused from this moment on, also by a running server.", own(_NAME, YES)
    ),
    ".token_commands:revoke",
    panel=MAINTENANCE,
    examples=("ebbing token revoke laptop",),
)
