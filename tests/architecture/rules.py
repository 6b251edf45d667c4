"""The rules of the house that a syntax tree can show broken. Each takes a module and tells every breach.

A breach is one string, `file:line what`, so that a failing test is a list of places to go to.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.architecture.source import Module

LONGEST_FILE = 400
LONGEST_FUNCTION = 60

WALL_CLOCKS = {
    "datetime.date.today",
    "datetime.datetime.now",
    "datetime.datetime.today",
    "datetime.datetime.utcnow",
    "time.asctime",
    "time.clock_gettime",
    "time.clock_gettime_ns",
    "time.ctime",
    "time.gmtime",
    "time.localtime",
    "time.time",
    "time.time_ns",
    "uuid.uuid1",
    "uuid.uuid6",
    "uuid.uuid7",
}
STOPWATCHES = {
    "time.monotonic",
    "time.monotonic_ns",
    "time.perf_counter",
    "time.perf_counter_ns",
    "time.process_time",
    "time.process_time_ns",
    "time.thread_time",
    "time.thread_time_ns",
}

# What a transaction offers to write memories with. Rows, alarms and events must agree, so one module calls these.
ROW_WRITES = {
    "memories": {"add", "update", "replace", "erase", "set_vectors", "count_uses", "set_due", "next_to_recompute_due"},
    "events": {"record"},
    "owner": {"set_alarm_policy", "mark_active_day"},
}

# The opening words of a statement that belongs in a file. PRAGMA, BEGIN, COMMIT, ROLLBACK and SAVEPOINT are
# how a connection is driven, not what is asked of it, and may stand in Python. Title case is English.
_SQL = re.compile(
    r"""\s*(?:
        SELECT\s | select\s.*\sfrom\s
      | (?:INSERT|insert)\s+(?:INTO|into|OR|or)\s
      | (?:REPLACE|replace)\s+(?:INTO|into)\s
      | (?:UPDATE|update)\s+\S+\s+(?:SET|set)\s
      | (?:DELETE|delete)\s+(?:FROM|from)\s
      | MERGE\s+INTO\s
      | WITH\s+(?:RECURSIVE\s+)?\w+(?:\s*\([^)]*\))?\s+AS\s
      | (?:CREATE|create|ALTER|alter|DROP|drop)\s+[A-Za-z]
      | (?:TRUNCATE|GRANT|REVOKE)\s
      | COPY\s+\S+\s+(?:FROM|TO)\s
    )""",
    re.VERBOSE | re.DOTALL,
)
_REASON = re.compile(r"(?:#|--) long because \w+")


def wall_clock_reads(module: Module) -> Iterator[str]:
    """Wherever the module asks the system what time it is."""
    return _mentions(module, WALL_CLOCKS)


def stopwatch_reads(module: Module) -> Iterator[str]:
    """Wherever the module measures how long something takes."""
    return _mentions(module, STOPWATCHES)


def blind_catches(module: Module) -> Iterator[str]:
    """Wherever any error at all is caught. `except BaseException` may clean up if it then says `raise`."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ExceptHandler):
            caught = _names(node.type)
            passes_on = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None
            if node.type is None or "Exception" in caught or ("BaseException" in caught and not passes_on):
                yield f"{module.where}:{node.lineno} catches everything"
        elif isinstance(node, ast.Call) and "suppress" in _names(node.func):
            suppressed = {name for argument in node.args for name in _names(argument)}
            if suppressed & {"Exception", "BaseException"}:
                yield f"{module.where}:{node.lineno} suppresses everything"


def sql_strings(module: Module) -> Iterator[str]:
    """Every string, docstrings apart, that opens like an SQL statement."""
    docstrings = {id(_docstring(node)) for node in ast.walk(module.tree) if _may_have_docstring(node)}
    for node in ast.walk(module.tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in docstrings and _SQL.match(node.value):
            yield f"{module.where}:{node.lineno} {' '.join(node.value.split())[:60]!r}"


def missing_docstring(module: Module) -> Iterator[str]:
    """The module itself, when it does not open by saying what it is."""
    if not (ast.get_docstring(module.tree) or "").strip():
        yield f"{module.where}:1 has no docstring"


def unshared_writes(module: Module) -> Iterator[str]:
    """Every call by which a transaction writes rows, alarms or events itself, past the unit of work."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call):
            *_, on, group, method = ["", "", "", *ast.unparse(node.func).split(".")]
            if on == "tx" and method in ROW_WRITES.get(group, ()):
                yield f"{module.where}:{node.lineno} calls tx.{group}.{method}"


def overlong_file(module: Module) -> Iterator[str]:
    """The file, when it is long and no `# long because …` stands above its first statement."""
    statements = module.tree.body[1:] if ast.get_docstring(module.tree) else module.tree.body
    top = statements[0].lineno if statements else len(module.lines)
    if len(module.lines) > LONGEST_FILE and not _has_reason(module.lines[:top]):
        yield f"{module.where}:1 has {len(module.lines)} lines"


def overlong_functions(module: Module) -> Iterator[str]:
    """Every function that is long without a `# long because …` above it or in its signature."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if length > LONGEST_FUNCTION and not _has_reason(module.lines[max(0, first - 2) : node.body[0].lineno]):
                yield f"{module.where}:{node.lineno} {node.name} has {length} lines"


def late_imports(module: Module) -> Iterator[str]:
    """Every import of ours that is made when a function runs, by a statement or by `import_module`."""
    for function in ast.walk(module.tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                of_ours = isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").startswith("ebbing"))
                is_call = isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module")
                if of_ours or is_call:
                    yield f"{module.where}:{getattr(node, 'lineno', 0)} {ast.unparse(node)}"


def _mentions(module: Module, wanted: set[str]) -> Iterator[str]:
    """Every use of one of the `wanted` dotted names, through whatever name it was imported by."""
    known = _imported_names(module.tree)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute | ast.Name):
            head, _, tail = ast.unparse(node).partition(".")
            full = f"{known[head]}.{tail}".rstrip(".") if head in known else ""
            if full in wanted:
                yield f"{module.where}:{node.lineno} {full}"


def _imported_names(tree: ast.Module) -> dict[str, str]:
    """What each name that an import binds stands for, as a full dotted name."""
    known: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                head = alias.name.partition(".")[0]
                known[alias.asname or head] = alias.name if alias.asname else head
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                known[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return known


def _names(node: ast.expr | None) -> set[str]:
    """The bare names in an expression such as `(OSError, builtins.Exception)`."""
    if node is None:
        return set()
    return {
        part.attr if isinstance(part, ast.Attribute) else part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute | ast.Name)
    }


def _may_have_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and bool(node.body)


def _docstring(node: ast.AST) -> ast.expr | None:
    first = node.body[0]
    return first.value if isinstance(first, ast.Expr) else None


def _has_reason(lines: list[str]) -> bool:
    return any(_REASON.search(line) for line in lines)
