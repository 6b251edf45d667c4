"""What the server is told once, at its start. Every number has its reason beside it."""

from __future__ import annotations

from dataclasses import dataclass

PORT = 7373


@dataclass(frozen=True, slots=True)
class Settings:
    """How the server keeps its doors."""

    loopback: bool = True  # whether only this machine can reach it
    address: str = "127.0.0.1"  # where it listens: a browser that says so means us
    allow_hosts: tuple[str, ...] = ()  # further names it is reached by
    allow_origins: tuple[str, ...] = ()  # pages of other servers whose scripts may ask
    write_as_user: bool = False  # whether what the local user sends without a token counts as the user's own word
    body_bytes_max: int = 1_000_000  # a memory has a few hundred; the longest text the policy takes is far below
    import_bytes_max: int = 1 << 28  # about a hundred thousand memories with their vectors
    requests_per_minute: int = 18_000  # of one caller: many times what agents do; 0 is without limit
    strangers_per_minute: int = 60  # attempts with a token that is not valid, from one address
    connections_max: int = 800  # a process may have 1,024 files open, and the store needs some too
    connections_per_address: int = 400  # half of them, so that nobody takes all; the clients of a proxy share these
    requests_at_once: int = 256  # fewer than one address has connections: one is always left for /healthz
    head_seconds: float = 10.0  # for the head of a request to arrive
    idle_seconds: int = 15  # for the next request on a connection
    body_seconds: float = 30.0  # for a body to arrive, or for the next part of a long one
    queue_seconds: float = 30.0  # for a thread to be free; nothing was begun until then
    call_seconds: float = 120.0  # for a call that has begun; a language model may need one for a long text
    transfer_seconds: float = 600.0  # for an export or an import
    search_threads: int = 6  # together twelve: the store has sixteen connections, and the sweeper takes up to four
    write_threads: int = 3
    slow_threads: int = 3  # extraction, simulation, sweeps, export and import
