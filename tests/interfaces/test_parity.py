"""Each tool is the same on every face: its name, its parameters, their defaults, and how a mistake is told.

A face is described once below, as what it offers of a tool and how a tool is called on it; the tests go through all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import ebbing
from ebbing.interfaces import mcp_server
from ebbing.interfaces.agent_tool import ACTIONS as AGENT_ACTIONS
from ebbing.interfaces.agent_tool import AgentTool
from ebbing.interfaces.agent_tool import schema as agent_schema
from ebbing.interfaces.http_api.openapi import document
from ebbing.interfaces.parameters import Parameter
from ebbing.interfaces.tools import REQUIRED, TOOLS, Tool
from ebbing.testing import FakeEmbedder, in_memory
from tests import shell
from tests.interfaces.mcp_client import mcp_asked
from tests.interfaces.web import web
from tests.tables import each_row

Call = Callable[[Tool, Mapping[str, Any]], str | None]  # the code of the error it ends with, or None


@dataclass(frozen=True)
class Face:
    """How the tests meet one face."""

    offers: Callable[[Tool], bool]
    parameters: Callable[[Tool], Mapping[str, Any]]  # by name, with what each is when nobody gives it
    opened: Callable[[Path], Any]  # a context in which tools are called on the store at that path
    meant_for: Callable[[Tool], bool] = lambda _: True  # which of the tools it is to offer


# The command line


def cli_command(tool: Tool) -> Any:
    found: Any = shell.command()
    for word in tool.command.split():
        found = getattr(found, "commands", {}).get(word)
    return found


def cli_parameters(tool: Tool) -> dict[str, Any]:
    """The declared ones, as the command has them: every option of it was made from the declaration."""
    given = {one.name: one for one in cli_command(tool).params if one.name in tool.parameters}
    return {name: tool.default(name) if _follows(tool.parameters[name], one) else one for name, one in given.items()}


def _follows(declared: Parameter, one: Any) -> bool:
    """Whether an option shows the declared default: a list shows it in words, and nothing stands for nothing."""
    default = declared.default
    if isinstance(default, tuple):
        return one.default is None and (not default or one.show_default == ", ".join(default))
    return default is REQUIRED or one.default == default


@contextmanager
def cli(path: Path) -> Iterator[Call]:
    def call(tool: Tool, arguments: Mapping[str, Any]) -> str | None:
        options = {one.name: one for one in cli_command(tool).params}
        words = tool.command.split()
        for name, value in arguments.items():
            several = value if isinstance(value, list) else [value]
            flag = [option for option in options[name].opts if option.startswith("--")]
            words += flag if value is True else [word for one in several for word in (*flag, str(one))]
        words += ["--yes"] if "yes" in options else []
        result = shell.ebbing([*words, "--db", str(path), "--json"])
        return json.loads(result.stdout)["error"]["code"] if result.exit_code else None

    yield call


# The HTTP API


def http_operation(tool: Tool) -> Any:
    method, path = tool.route or ("", "")
    return document()["paths"].get(path, {}).get(method.lower())


def http_parameters(tool: Tool) -> dict[str, Any]:
    operation = http_operation(tool)
    stated = [one for one in operation["parameters"] if one["in"] != "header"]
    schemas = {one["name"]: one.get("schema") or one["content"]["application/json"]["schema"] for one in stated}
    told = {one["name"]: REQUIRED if one.get("required") else schemas[one["name"]].get("default") for one in stated}
    if "requestBody" in operation:
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        for name, part in schema["properties"].items():
            told[name] = REQUIRED if name in schema["required"] else part.get("default")
    return told


@contextmanager
def http(path: Path) -> Iterator[Call]:
    with ebbing.open(path, embedder=FakeEmbedder(), judge="off") as engine, web(engine) as served:
        client = served.client(served.token("parity"))

        def call(tool: Tool, arguments: Mapping[str, Any]) -> str | None:
            method, address = tool.route or ("", "")
            rest = {name: value for name, value in arguments.items() if f"{{{name}}}" not in address}
            place = address.format(**arguments)
            answer = client.get(place, params=rest) if method == "GET" else client.request(method, place, json=rest)
            return None if answer.is_success else str(answer.json()["code"])

        yield call


# The agent tool: one schema for all actions, so it tells a default only where that is the same for all who take it


def agent_parameters(tool: Tool) -> dict[str, Any]:
    entries = agent_schema()["function"]["parameters"]["properties"]
    takers = {
        name: part["description"].partition(".")[0].removeprefix("For ").split(", ") for name, part in entries.items()
    }
    taken = {name: part for name, part in entries.items() if tool.action in takers[name]}
    return {name: part.get("default", tool.default(name)) for name, part in taken.items()}


@contextmanager
def agent(path: Path) -> Iterator[Call]:
    with ebbing.open(path, embedder=FakeEmbedder(), judge="off") as engine:
        memory = AgentTool(engine)
        yield lambda tool, arguments: memory.call({"action": tool.action, **arguments}).get("error", {}).get("code")


# The MCP server


def mcp_parameters(tool: Tool) -> dict[str, Any]:
    with in_memory() as engine:
        listed = mcp_asked(engine, lambda client: client.list_tools()).tools
    [schema] = [one.input_schema for one in listed if one.name == tool.name]
    needed = schema["required"]
    return {name: REQUIRED if name in needed else part.get("default") for name, part in schema["properties"].items()}


@contextmanager
def mcp(path: Path) -> Iterator[Call]:
    with ebbing.open(path, embedder=FakeEmbedder(), judge="off") as engine:

        def call(tool: Tool, arguments: Mapping[str, Any]) -> str | None:
            result = mcp_asked(engine, lambda client: client.call_tool(tool.name, dict(arguments)))
            return str(result.content[0].text).partition(":")[0] if result.is_error else None

        yield call


FACES = {
    "cli": Face(lambda tool: cli_command(tool) is not None, cli_parameters, cli),
    "http": Face(lambda tool: http_operation(tool) is not None, http_parameters, http, lambda tool: bool(tool.route)),
    "agent": Face(
        lambda tool: tool.action in AGENT_ACTIONS, agent_parameters, agent, lambda tool: tool.action is not None
    ),
    "mcp": Face(lambda tool: tool.name in mcp_server.OFFERED, mcp_parameters, mcp, lambda tool: tool.mcp),
}
OFFERED = [(face, name) for face in FACES for name, tool in TOOLS.items() if FACES[face].meant_for(tool)]
MISTAKES: list[tuple[str, dict[str, Any], str]] = [
    ("get_memory", {"id": "nobody"}, "not_found"),
    ("explain", {"id": "nobody"}, "not_found"),
    ("history", {"id": "nobody"}, "not_found"),
    ("pin", {"id": "nobody"}, "not_found"),
    ("update_memory", {"id": "nobody", "text": "x"}, "not_found"),
    ("restore", {"batch": "nothing"}, "not_found"),
    ("used", {"ids": ["nobody"]}, "not_found"),
    ("remember", {"text": " "}, "invalid"),
    ("remember", {"text": "x", "category": "colour"}, "invalid"),
    ("remember", {"text": "x", "importance": 2}, "invalid"),
    ("remember", {"text": "x", "expires_in": "soon"}, "invalid"),
    ("remember", {"text": "x" * 100_000}, "too_large"),
    ("observe", {"messages": "x", "scope": "/a/../b"}, "invalid"),
    ("recall", {"query": "x", "limit": 0}, "invalid"),
    ("list_memories", {"scope": "/a/../b"}, "invalid"),
    ("set_block", {"label": "colour", "text": "x"}, "invalid"),
    ("forget", {"scope": "/"}, "invalid"),
    ("forget", {"scope": "/a", "everything": True}, "invalid"),
    ("purge", {"scope": "/"}, "invalid"),
    ("purge", {"scope": "/a", "everything": True}, "invalid"),
]
BLANK = ("", " ", "\t", "//", "/ /", "\u200b", "\u3164")
NEEDED = {"path": "nowhere.jsonl", "text": "Mara drinks tea", "messages": "User: Mara drinks tea", "query": "tea"}


def told(default: Any) -> Any:
    """What is not there is said in several ways."""
    return None if default in ((), []) else list(default) if isinstance(default, tuple) else default


@each_row("face", FACES)
def test_every_tool_is_there(face: str) -> None:
    wrong = [tool.name for tool in TOOLS.values() if FACES[face].offers(tool) is not FACES[face].meant_for(tool)]
    assert wrong == []


@each_row(("face", "name"), OFFERED)
def test_a_tool_takes_the_same_with_the_same_defaults(face: str, name: str) -> None:
    tool = TOOLS[name]
    found = {one: told(default) for one, default in FACES[face].parameters(tool).items()}
    assert found == {one: told(tool.default(one)) for one in tool.parameters}


@pytest.mark.parametrize("face", FACES)
def test_a_mistake_has_the_same_code(face: str, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    ebbing.open(path, embedder=None).close()
    with FACES[face].opened(path) as call:
        mistakes = [mistake for mistake in MISTAKES if FACES[face].offers(TOOLS[mistake[0]])]
        found = [(name, arguments, call(TOOLS[name], arguments)) for name, arguments, _ in mistakes]
        assert found == mistakes
        assert call(TOOLS["remember"], {"text": "Mara drinks tea"}) is None


@pytest.mark.parametrize("face", FACES)
def test_a_blank_scope_is_refused_by_every_tool_that_takes_one(face: str, tmp_path: Path) -> None:
    """An empty variable must never select the whole store: only a scope written as / does."""
    path = tmp_path / "memory.db"
    with ebbing.open(path, embedder=FakeEmbedder(), judge="off") as engine:
        id_ = engine.remember("Mara lives in Porto", scope="/people").memories[0].id
    takers = [tool for tool in TOOLS.values() if "scope" in tool.parameters and FACES[face].offers(tool)]
    with FACES[face].opened(path) as call:
        for tool in takers:
            needed = [name for name in tool.parameters if tool.default(name) is REQUIRED and name != "scope"]
            rest = {name: {**NEEDED, "id": id_}[name] for name in needed}
            found = {scope: call(tool, {**rest, "scope": scope}) for scope in BLANK}
            assert found == dict.fromkeys(BLANK, "invalid"), tool.name
    with ebbing.open(path, embedder=FakeEmbedder(), judge="off") as engine:
        assert [one.id for one in engine.list()] == [id_]


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("verb", ["forget", "purge"])
def test_the_root_is_cleared_once_everything_is_said_as_well(face: str, verb: str, tmp_path: Path) -> None:
    """Said twice it is meant, and then it works on every interface."""
    path = tmp_path / "memory.db"
    if not FACES[face].offers(TOOLS[verb]):
        return
    with ebbing.open(path, embedder=FakeEmbedder(), judge="off") as engine:
        engine.remember("Mara lives in Porto", scope="/people")
    with FACES[face].opened(path) as call:
        assert call(TOOLS[verb], {"scope": "/"}) == "invalid"
        assert call(TOOLS[verb], {"scope": "/", "everything": True}) is None
    with ebbing.open(path, embedder=FakeEmbedder(), judge="off") as engine:
        assert engine.list() == []
