"""Hooks and servers leave no process behind, however many there are and however those end who started them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

PROGRAM = str(Path(sys.executable).with_name("ebbing"))
PATIENCE_SECONDS = 300
SESSIONS, EVENTS = 3, ("session-start", "prompt", "stop", "compact")
CLIENT = f"""
import subprocess, sys, time
servers = [
    subprocess.Popen([{PROGRAM!r}, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for _ in range(3)
]
for one in servers:  # each is up once it answers
    one.stdin.write(b'{{"jsonrpc": "2.0", "id": 1, "method": "ping"}}\\n')
    one.stdin.flush()
    one.stdout.readline()
print(*(one.pid for one in servers), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A home of its own, and no models, which would only take long to load."""
    home = {name: str(tmp_path) for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")}
    return {**os.environ, **home, "EBBING_JUDGE": "off", "EBBING_EMBEDDER": "none"}


def descendants(sessions: set[int]) -> list[psutil.Process]:
    """Every process that belongs to one of these process sessions, whoever its parent is by now."""
    found = []
    for process in psutil.process_iter():
        try:
            if os.getsid(process.pid) in sessions and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except (ProcessLookupError, psutil.NoSuchProcess):
            continue
    return found


@pytest.mark.slow
def test_many_hooks_of_many_sessions_leave_nothing_running(tmp_path: Path, environment: dict[str, str]) -> None:
    """All at once on one store, one of them killed halfway."""
    transcript = tmp_path / "transcript.jsonl"
    said = {"type": "user", "message": {"role": "user", "content": "I moved to Porto."}}
    transcript.write_text(json.dumps(said) + "\n", encoding="utf-8")
    running = []
    for session in range(SESSIONS):
        for event in EVENTS:
            given = {"session_id": f"s-{session}", "prompt": "where do I live?", "transcript_path": str(transcript)}
            hook = subprocess.Popen(
                [PROGRAM, "hook", event],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=environment,
                start_new_session=True,
            )
            assert hook.stdin is not None
            hook.stdin.write(json.dumps(given).encode())
            hook.stdin.close()
            running.append(hook)
    running[-1].send_signal(signal.SIGKILL)
    for hook in running:
        assert hook.stderr is not None
        with hook.stderr:
            told = hook.stderr.read().decode()
        assert hook.wait(PATIENCE_SECONDS) == (-signal.SIGKILL if hook is running[-1] else 0), told
    assert descendants({hook.pid for hook in running}) == []


@pytest.mark.slow
def test_servers_end_with_the_client_that_started_them(environment: dict[str, str]) -> None:
    """Also when that is killed and can tell nobody."""
    with subprocess.Popen(
        [sys.executable, "-c", CLIENT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    ) as client:
        assert client.stdout is not None
        servers = [psutil.Process(int(pid)) for pid in client.stdout.readline().split()]
        assert len(servers) == 3
        client.kill()
        _, alive = psutil.wait_procs(servers, timeout=PATIENCE_SECONDS)
        assert alive == []
        client.wait(PATIENCE_SECONDS)
        assert descendants({client.pid}) == []
