"""The engine for asyncio: the same methods, awaited; few threads, a loop that is never held up, an orderly end."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Coroutine, Sequence
from typing import Any

import pytest

import ebbing.aio
from ebbing.aio import AsyncEngine, Opening, Threads
from ebbing.domain.errors import Conflict, Denied, Invalid, NotFound
from ebbing.engine import Engine
from ebbing.ports import Vector
from ebbing.testing import FakeEmbedder
from tests.conftest import OpenEngine

PATIENCE_SECONDS = 60
COMPUTED = {"for_owner", "limited_to", "trust_ceiling"}  # nothing in them waits, so there is nothing to await
CALLS = 1_000


class GatedEmbedder(FakeEmbedder):
    """Embeds when it is let through, and tells that it was asked. It says how many were inside at once at most."""

    def __init__(self, held: str = "") -> None:
        super().__init__()
        self.held = held  # only texts with this in them wait
        self.asked = threading.Event()
        self.gate = threading.Event()
        self.inside = self.most = 0
        self._counting = threading.Lock()

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        with self._counting:
            self.inside += 1
            self.most = max(self.most, self.inside)
        try:
            if any(self.held in text for text in texts):
                self.asked.set()
                assert self.gate.wait(PATIENCE_SECONDS)
            return super().embed(texts, query=query)
        finally:
            with self._counting:
                self.inside -= 1


def run(main: Coroutine[Any, Any, Any]) -> Any:
    """A loop of its own for each test; a test that hangs fails."""
    return asyncio.run(asyncio.wait_for(main, PATIENCE_SECONDS))


async def happened(event: threading.Event) -> None:
    """Wait for something in another thread, with the loop running."""
    assert await asyncio.to_thread(event.wait, PATIENCE_SECONDS)


def public(of: type) -> dict[str, Any]:
    return {name: one for name, one in inspect.getmembers(of, inspect.isfunction) if not name.startswith("_")}


def test_every_method_of_the_engine_is_there_with_its_parameters() -> None:
    """Whoever knows one knows the other; a method that is added to one is added to both."""
    theirs, ours = public(Engine), public(AsyncEngine)
    assert ours.keys() == theirs.keys()
    for name, method in theirs.items():
        assert inspect.signature(ours[name]).parameters == inspect.signature(method).parameters, name
        assert name == "close" or ours[name].__doc__ == method.__doc__, name
        assert inspect.iscoroutinefunction(ours[name]) is (name not in COMPUTED), name
    assert inspect.signature(ebbing.aio.open).parameters == inspect.signature(ebbing.open).parameters
    for one in (ours["recall"], ebbing.open, ebbing.aio.open):
        assert "Parameters:" in (one.__doc__ or "")


def test_a_thousand_calls_at_once_are_all_answered(engine: Engine) -> None:
    """Writes and reads together: none is lost, none is answered with another's answer."""

    async def main() -> None:
        memory = AsyncEngine(engine)
        kept = await memory.remember_many([f"Shelf {number} holds box {number}" for number in range(100)])
        ids = [one.id for one in kept.memories]
        calls: list[Coroutine[Any, Any, Any]] = []
        for number in range(100):
            calls += [memory.get(ids[number]), memory.update(ids[number], tags=["counted"])]
            calls += [memory.recall(f"box {number}", limit=1, min_score=0), memory.explain(ids[number])]
            calls += [memory.remember(f"Drawer {number} holds spoon {number}")]
            calls += [memory.get(ids[-number]) for _ in range(5)]
        answers = await asyncio.gather(*calls)
        assert len(answers) == CALLS
        for number in range(100):
            read, changed, found, explained, written, *again = answers[10 * number : 10 * (number + 1)]
            assert read.id == changed.id == explained.memory.id == ids[number]
            assert {one.id for one in again} == {ids[-number]}
            assert len(found) == 1
            assert [one.text for one in written.memories] == [f"Drawer {number} holds spoon {number}"]
        assert len(await memory.list(tags=["counted"])) == 100
        assert (await memory.stats()).total == 200

    run(main())


def test_the_loop_goes_on_while_a_call_waits(open_engine: OpenEngine) -> None:
    """The call ends only because the loop, which is not held up by it, lets it."""
    embedder = GatedEmbedder()
    memory = AsyncEngine(open_engine(embedder=embedder))

    async def main() -> None:
        writing = asyncio.create_task(memory.remember("Deploys happen on Tuesdays"))
        await happened(embedder.asked)
        assert not writing.done()
        embedder.gate.set()
        assert (await writing).memories[0].text == "Deploys happen on Tuesdays"

    run(main())


def test_threads_are_bounded_and_writes_never_keep_a_search_waiting(open_engine: OpenEngine) -> None:
    """A hundred writes wait in line for two threads; reads have their own."""
    embedder = GatedEmbedder(held="Deploys")
    memory = AsyncEngine(open_engine(embedder=embedder), Threads(search=1, write=2))

    async def main() -> None:
        writes = [asyncio.create_task(memory.remember(f"Deploys happen in week {week}")) for week in range(100)]
        await happened(embedder.asked)
        assert await memory.list() == []
        embedder.gate.set()
        await asyncio.gather(*writes)
        assert embedder.most <= 3
        assert len(await memory.list()) == 100

    run(main())


def test_a_call_that_is_cancelled_in_line_is_never_begun(open_engine: OpenEngine) -> None:
    """It waits for the thread that another one has."""
    embedder = GatedEmbedder()
    memory = AsyncEngine(open_engine(embedder=embedder), Threads(write=1))

    async def main() -> None:
        first = asyncio.create_task(memory.remember("Deploys happen on Tuesdays"))
        await happened(embedder.asked)
        second = asyncio.create_task(memory.remember("The office is in Leiden"))
        await asyncio.sleep(0)
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
        embedder.gate.set()
        await first
        assert [one.text for one in await memory.list()] == ["Deploys happen on Tuesdays"]
        assert embedder.calls == 1

    run(main())


def test_a_call_that_is_cancelled_before_it_has_written_writes_nothing(open_engine: OpenEngine) -> None:
    """Whoever cancelled it is free at once, and may try again without writing twice."""
    embedder = GatedEmbedder()
    memory = AsyncEngine(open_engine(embedder=embedder), Threads(write=1))

    async def main() -> None:
        writing = asyncio.create_task(memory.remember("Deploys happen on Tuesdays"))
        await happened(embedder.asked)
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing
        embedder.gate.set()
        await memory.remember("The office is in Leiden")
        assert [one.text for one in await memory.list()] == ["The office is in Leiden"]
        assert [event.kind for event in await memory.events()] == ["remembered"]

    run(main())


def test_a_call_that_is_cancelled_after_it_has_written_is_completed(open_engine: OpenEngine) -> None:
    """Half of what was asked for would be worse than all of it."""
    embedder = GatedEmbedder(held="office")
    memory = AsyncEngine(open_engine(embedder=embedder), Threads(slow=1))
    texts = ["Deploys happen on Tuesdays", "Forget my old address.", "The office is in Leiden"]

    async def main() -> None:
        writing = asyncio.create_task(memory.remember_many(texts))
        await happened(embedder.asked)
        assert len(await memory.list()) == 1
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing
        embedder.gate.set()
        await memory.extract("Nothing")  # behind the other in the same thread
        assert len(await memory.list()) == 2

    run(main())


def test_closing_waits_for_what_runs_and_refuses_what_comes(open_engine: OpenEngine) -> None:
    """Whoever stops waiting for the end does not stop it."""
    embedder = GatedEmbedder()
    engine = open_engine(embedder=embedder)
    memory = AsyncEngine(engine, Threads(write=1))

    async def main() -> None:
        writes = [asyncio.create_task(memory.remember(text)) for text in ("Ana plays chess", "Ben plays go")]
        await happened(embedder.asked)
        closing = asyncio.create_task(memory.close())
        await asyncio.sleep(0)
        with pytest.raises(Conflict, match="closed"):
            await memory.remember("Cleo plays bridge")
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing
        embedder.gate.set()
        assert [len(written.memories) for written in await asyncio.gather(*writes)] == [1, 1]
        await memory.close()
        await memory.for_owner("other").close()
        with pytest.raises(Conflict, match="closed"):
            await memory.for_owner("other").list()

    run(main())
    with pytest.raises(Conflict):
        engine.list()


def test_it_opens_by_await_or_by_async_with(address: str) -> None:
    """As `ebbing.open`, with the same arguments."""

    async def main() -> None:
        async with ebbing.aio.open(address, owner="mara", judge="off", embedder=FakeEmbedder()) as memory:
            await memory.remember("I live in Berlin")
            assert repr(memory) == "<AsyncEngine of mara>"
        again = await ebbing.aio.open(address, owner="mara", agent="planner", judge="off", embedder=FakeEmbedder())
        async with again as memory:
            assert [one.text for one in await memory.list()] == ["I live in Berlin"]
            assert (memory.owner, memory.agent, memory.policy.name) == ("mara", "planner", "default")
        with pytest.raises(Invalid, match="policy"):
            await ebbing.aio.open(address, policy="no such")

    run(main())


def test_what_is_opened_for_nobody_is_closed(engine: Engine) -> None:
    """The task that waited was cancelled, and no other one can ever close it."""
    begun, gate, closed = threading.Event(), threading.Event(), threading.Event()

    def open_slowly() -> Engine:
        begun.set()
        assert gate.wait(PATIENCE_SECONDS)
        return engine

    class Noticed(Engine):
        def close(self) -> None:
            super().close()
            closed.set()

    engine.__class__ = Noticed

    async def main() -> None:
        async def opened() -> AsyncEngine:
            return await Opening(open_slowly)

        opening = asyncio.create_task(opened())
        await happened(begun)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
        gate.set()
        await happened(closed)

    run(main())


def test_engines_for_others_are_async_and_share_the_threads(engine: Engine) -> None:
    """A server has one engine for each of its users, and still few threads."""

    async def main() -> None:
        memory = AsyncEngine(engine)
        mara, agent = memory.for_owner("mara"), memory.limited_to("agent", may_forget=False)
        assert type(mara) is type(agent) is AsyncEngine
        assert mara.threads is agent.threads is memory.threads
        await mara.remember("I live in Berlin")
        assert await memory.list() == []
        assert agent.trust_ceiling() < memory.trust_ceiling()
        with pytest.raises((Denied, Invalid)):
            await agent.remember("I am the user", source="user")

    run(main())


def test_progress_is_told_in_the_loop(engine: Engine) -> None:
    """Where a window or a web page is, and before the answer comes."""
    told: list[tuple[str, int, int]] = []

    async def main() -> None:
        memory = AsyncEngine(engine)
        await memory.remember_many(
            ["Ana plays chess", "Ben plays go"],
            progress=lambda done, total: told.append((threading.current_thread().name, done, total)),
        )
        assert told[-1] == (threading.current_thread().name, 2, 2)

        async def awaited(done: int, total: int) -> None: ...

        with pytest.raises(Invalid, match="progress"):
            await memory.remember_many(["Cleo plays bridge"], progress=awaited)

    run(main())


def test_errors_and_context_variables_go_through(open_engine: OpenEngine) -> None:
    """A trace that begins in the loop goes on in the thread; what is raised there is raised here."""
    request: contextvars.ContextVar[str] = contextvars.ContextVar("request")
    seen: list[str] = []

    class Traced(FakeEmbedder):
        def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
            seen.append(request.get())
            return super().embed(texts, query=query)

    async def main() -> None:
        memory = AsyncEngine(open_engine(embedder=Traced()))
        request.set("42")
        await memory.remember("Ana plays chess")
        with pytest.raises(NotFound):
            await memory.get("01K0000000000000000000000A")
        assert seen == ["42"]

    run(main())


def test_a_loop_that_ends_too_early_leaves_the_engine_usable(open_engine: OpenEngine) -> None:
    """`asyncio.run` cancels what still runs; the next loop finds nothing half-written."""
    embedder = GatedEmbedder()
    memory = AsyncEngine(open_engine(embedder=embedder), Threads(write=1))
    running: list[asyncio.Task[Any]] = []

    async def too_early() -> None:
        running.append(asyncio.create_task(memory.remember("Ana plays chess")))
        await happened(embedder.asked)

    run(too_early())
    assert running[0].cancelled()
    embedder.gate.set()

    async def next_loop() -> None:
        async with memory:
            await memory.remember("Ben plays go")
            assert [one.text for one in await memory.list()] == ["Ben plays go"]

    run(next_loop())
