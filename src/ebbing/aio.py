"""The engine for asyncio: the same methods with the same parameters, awaited.

    async with ebbing.aio.open("memory.db") as memory:
        await memory.remember("The deploy key lives in the vault under ops/deploy")

It is not a second engine: each name below is the method of `Engine` itself, run in a thread, so signatures and
docstrings are those of the engine. Threads are few, and each kind of call has its own, so that writes and long calls
never keep a search waiting.

A task that is cancelled stops waiting at once. A call that has not begun is then never begun; one that has written
nothing yet is rolled back when it comes to write (ports/cancellation.py); one that has written is completed.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import functools
import inspect
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from enum import Enum
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar
from weakref import WeakKeyDictionary

from . import Engine  # by their public names: so their help lists the parameters
from . import open as open_engine
from .domain.errors import Conflict, Invalid
from .domain.policy import Policy
from .ports import cancellation

__all__ = ["AsyncEngine", "Opening", "Threads", "open"]

P = ParamSpec("P")
Answer = TypeVar("Answer")


class Kind(Enum):
    """What a call does with the store, and so whose threads it waits for."""

    SEARCH = "search"
    WRITE = "write"
    SLOW = "slow"


class _Line:
    """The calls that one event loop has made, and how many of them may be handed to the threads by now."""

    _AHEAD = 1  # of each kind, so that a thread that is done finds its next call

    def __init__(self, counts: Mapping[Kind, int]) -> None:
        self.places = {kind: asyncio.Semaphore(count + self._AHEAD) for kind, count in counts.items()}
        self.under_way = 0
        self._ended = asyncio.Event()

    @contextlib.asynccontextmanager
    async def place(self, kind: Kind) -> AsyncIterator[None]:
        """A place for one call, after those that were made before it."""
        self.under_way += 1
        self._ended.clear()
        try:
            async with self.places[kind]:
                await asyncio.sleep(0)  # no thread begins before the loop has taken all the calls of this turn
                yield
        finally:
            self.under_way -= 1
            if not self.under_way:
                self._ended.set()

    async def ended(self) -> None:
        """Until no call is under way or in line."""
        if self.under_way:
            await self._ended.wait()


class Threads:
    """The threads of one store's calls: a bounded number for each kind. Calls beyond that wait in line.

    They wait in the event loop, and few are handed to the threads ahead of time: so the loop takes a thousand calls in
    a thousand short steps, and no thread works against it meanwhile.
    """

    # Threads share the interpreter, and each that works delays the loop; more than two of a kind answer no more calls a
    # second on the packaged models. Models and servers far away are waited for without the interpreter: give more.
    def __init__(self, *, search: int = 2, write: int = 2, slow: int = 2) -> None:
        self._counts = {Kind.SEARCH: search, Kind.WRITE: write, Kind.SLOW: slow}
        self._pools = {kind: ThreadPoolExecutor(n, f"ebbing-{kind.value}") for kind, n in self._counts.items()}
        self._lines: WeakKeyDictionary[asyncio.AbstractEventLoop, _Line] = WeakKeyDictionary()
        self._lock = threading.Lock()
        self._closed: Future[None] | None = None
        self._closing: asyncio.Task[None] | None = None

    async def run(self, kind: Kind, call: Callable[[], Answer]) -> Answer:
        """What the call answers or raises, from a thread; the caller's context variables are seen there."""
        if self._closed is not None:
            raise _refused()
        waited = cancellation.WaitedFor()
        context = contextvars.copy_context()
        context.run(cancellation.current.set, waited)
        async with self._line().place(kind):
            try:
                begun = self._pools[kind].submit(context.run, call)
            except RuntimeError:  # another loop has closed it meanwhile
                raise _refused() from None
            try:
                return await asyncio.wrap_future(begun)
            except asyncio.CancelledError:
                waited.give_up()
                raise

    async def close(self, finish: Callable[[], None]) -> None:
        """Take no more calls, let those that were taken end, and then call `finish`; once.

        Whoever stops waiting for it stops nothing.
        """
        with self._lock:
            if self._closed is None:
                self._closed = Future()
                self._closed.set_running_or_notify_cancel()
                self._closing = asyncio.create_task(self._close(self._closed, finish))
        await asyncio.shield(asyncio.wrap_future(self._closed))

    async def _close(self, closed: Future[None], finish: Callable[[], None]) -> None:
        try:
            await self._line().ended()
        finally:  # also when the loop ends and cancels this
            closer = ThreadPoolExecutor(1, "ebbing-close")
            closer.submit(self._finish, closed, finish)
            closer.shutdown(wait=False)

    def _finish(self, closed: Future[None], finish: Callable[[], None]) -> None:
        for pool in self._pools.values():
            pool.shutdown()
        try:
            finish()
        except BaseException as error:
            closed.set_exception(error)
            raise
        closed.set_result(None)

    def _line(self) -> _Line:
        loop = asyncio.get_running_loop()
        with self._lock:
            return self._lines.setdefault(loop, _Line(self._counts))


def _refused() -> Conflict:
    return Conflict("this engine is closed; open it again to use it")


Method = Callable[Concatenate[Engine, P], Answer]
AsyncMethod = Callable[Concatenate["AsyncEngine", P], Coroutine[Any, Any, Answer]]


def _in_thread(kind: Kind, method: Method[P, Answer]) -> AsyncMethod[P, Answer]:
    """A method of the engine, awaited. What it reports as `progress` is called in the event loop."""

    @functools.wraps(method)
    async def awaited(self: AsyncEngine, /, *args: P.args, **kwargs: P.kwargs) -> Answer:
        call = functools.partial(method, self.engine, *args, **_told_in_the_loop(kwargs))
        return await self.threads.run(kind, call)

    return awaited


def _search(method: Method[P, Answer]) -> AsyncMethod[P, Answer]:
    return _in_thread(Kind.SEARCH, method)


def _write(method: Method[P, Answer]) -> AsyncMethod[P, Answer]:
    return _in_thread(Kind.WRITE, method)


def _slow(method: Method[P, Answer]) -> AsyncMethod[P, Answer]:
    return _in_thread(Kind.SLOW, method)


def _at_once(method: Method[P, Answer]) -> Callable[Concatenate[AsyncEngine, P], Answer]:
    """A method that only computes: it waits for nothing, so there is nothing to await."""

    @functools.wraps(method)
    def computed(self: AsyncEngine, /, *args: P.args, **kwargs: P.kwargs) -> Answer:
        return method(self.engine, *args, **kwargs)

    return computed


def _another(method: Method[P, Engine]) -> Callable[Concatenate[AsyncEngine, P], AsyncEngine]:
    """A method that makes another engine of the same store: it shares the threads, too."""

    @functools.wraps(method)
    def made(self: AsyncEngine, /, *args: P.args, **kwargs: P.kwargs) -> AsyncEngine:
        return AsyncEngine(method(self.engine, *args, **kwargs), self.threads)

    return made


def _told_in_the_loop(given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, with `progress` called in the event loop rather than in the thread that works."""
    progress = given.get("progress")
    if not callable(progress):
        return dict(given)
    if inspect.iscoroutinefunction(progress):
        raise Invalid("progress is called and not awaited; give a plain function, which may start a task")
    loop = asyncio.get_running_loop()

    def told(*numbers: int) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed, and nobody listens
            loop.call_soon_threadsafe(progress, *numbers)

    return {**given, "progress": told}


class AsyncEngine:
    """One owner's memories, as `Engine`, with methods that are awaited. Tasks and event loops may share it.

    `ebbing.aio.open` makes one. One of an engine that is open already, or with other numbers of threads:
    `AsyncEngine(engine, Threads(search=8))`.
    """

    def __init__(self, engine: Engine, threads: Threads | None = None) -> None:
        self.engine = engine
        self.threads = threads if threads is not None else Threads()

    def __repr__(self) -> str:
        return repr(self.engine).replace("<Engine", "<AsyncEngine", 1)

    @property
    def owner(self) -> str:
        """Whose memories."""
        return self.engine.owner

    @property
    def agent(self) -> str | None:
        """Which of the owner's agents asks."""
        return self.engine.agent

    @property
    def policy(self) -> Policy:
        """What they fade by."""
        return self.engine.policy

    for_owner = _another(Engine.for_owner)
    limited_to = _another(Engine.limited_to)
    trust_ceiling = _at_once(Engine.trust_ceiling)

    recall = _search(Engine.recall)
    context = _search(Engine.context)
    get = _search(Engine.get)
    list = _search(Engine.list)
    history = _search(Engine.history)
    explain = _search(Engine.explain)
    review = _search(Engine.review)
    blocks = _search(Engine.blocks)
    block_versions = _search(Engine.block_versions)
    events = _search(Engine.events)
    stats = _search(Engine.stats)
    crowded = _search(Engine.crowded)
    life = _search(Engine.life)
    horizon = _search(Engine.horizon)
    browse = _search(Engine.browse)
    overview = _search(Engine.overview)
    scopes = _search(Engine.scopes)
    strengths = _search(Engine.strengths)
    browse_ids = _search(Engine.browse_ids)
    batches = _search(Engine.batches)
    batch = _search(Engine.batch)
    recall_report = _search(Engine.recall_report)

    remember = _write(Engine.remember)
    update = _write(Engine.update)
    settle = _write(Engine.settle)
    set_block = _write(Engine.set_block)
    undo_block = _write(Engine.undo_block)
    used = _write(Engine.used)
    pin = _write(Engine.pin)
    unpin = _write(Engine.unpin)
    forget = _write(Engine.forget)
    restore = _write(Engine.restore)
    purge = _write(Engine.purge)
    lift = _write(Engine.lift)

    observe = _slow(Engine.observe)
    extract = _slow(Engine.extract)
    on_compaction = _slow(Engine.on_compaction)
    remember_many = _slow(Engine.remember_many)
    sweep = _slow(Engine.sweep)
    pressure = _slow(Engine.pressure)
    compact = _slow(Engine.compact)
    simulate = _slow(Engine.simulate)
    fit = _slow(Engine.fit)
    export = _slow(Engine.export)
    import_ = _slow(Engine.import_)
    reembed = _slow(Engine.reembed)

    async def close(self) -> None:
        """Refuse further calls, wait for those that were made, and close the store. For every owner's engine of it."""
        await self.threads.close(self.engine.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class Opening:
    """An engine that is about to be opened: await it, or enter it with `async with`."""

    def __init__(self, open_: Callable[[], Engine]) -> None:
        self._open = open_
        self._entered: AsyncEngine | None = None

    def __await__(self) -> Generator[Any, None, AsyncEngine]:
        return self._opened().__await__()

    async def __aenter__(self) -> AsyncEngine:
        self._entered = await self
        return self._entered

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._entered is not None:
            await self._entered.close()

    async def _opened(self) -> AsyncEngine:
        opener = ThreadPoolExecutor(1, "ebbing-open")
        opening = opener.submit(self._open)
        opener.shutdown(wait=False)
        try:
            return AsyncEngine(await asyncio.wrap_future(opening))
        except asyncio.CancelledError:
            opening.add_done_callback(_close_unwanted)
            raise


def _close_unwanted(opening: Future[Engine]) -> None:
    """Close what was opened for somebody who no longer waits for it."""
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


def _opening(open_: Callable[P, Engine]) -> Callable[P, Opening]:
    @functools.wraps(open_)
    def prepared(*args: P.args, **kwargs: P.kwargs) -> Opening:
        return Opening(functools.partial(open_, *args, **kwargs))

    signature = inspect.signature(open_).replace(return_annotation=Opening)
    prepared.__signature__ = signature  # type: ignore[attr-defined] # what `help` shows
    return prepared


open = _opening(open_engine)
