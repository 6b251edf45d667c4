"""A request over stdio that cannot be read is answered all the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from mcp_types.version import LATEST_HANDSHAKE_VERSION

PROGRAM = str(Path(sys.executable).with_name("ebbing"))


def request(id_: int | str, method: str, params: str) -> str:
    return f'{{"jsonrpc": "2.0", "id": {json.dumps(id_)}, "method": "{method}", "params": {params}}}\n'


def test_a_request_that_cannot_be_read_is_answered_with_an_error(elsewhere: Path) -> None:
    """The client would wait for ever. Models cut emoji in half, and `\\ud83d` alone is no character."""
    client = {"name": "t", "version": "1"}
    opening = {"protocolVersion": LATEST_HANDSHAKE_VERSION, "capabilities": {}, "clientInfo": client}
    sent = [
        request(1, "initialize", json.dumps(opening)),
        '{"jsonrpc": "2.0", "method": "notifications/initialized"}\n',
        request(2, "tools/call", '{"name": "remember", "arguments": {"text": "I like \\ud83d"}}'),
        request(
            "three", "tools/call", f'{{"name": "remember", "arguments": {{"metadata": {"[" * 5000}{"]" * 5000}}}}}'
        ),
        "this names no request\n",
        request(4, "ping", "{}"),
    ]
    answers: dict[Any, Any] = {}
    with subprocess.Popen(
        [PROGRAM, "mcp", "--db", str(elsewhere / "memory.db")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write("".join(sent))
        program.stdin.flush()
        while 4 not in answers:
            message = json.loads(program.stdout.readline())
            answers[message["id"]] = message
        program.stdin.close()
        assert program.wait(timeout=300) == 0
    assert answers.keys() == {1, 2, "three", 4}
    assert "half a character" in answers[2]["error"]["message"]
    assert "nested too deeply" in answers["three"]["error"]["message"]
