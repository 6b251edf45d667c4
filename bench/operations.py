"""The measurements of one store at one size: each operation of the engine beside its floor, call by call.

The clock stands still and is moved by hand. Everything is loaded on one day and used on a few
more, until what was meant to fade has faded; the rest is strong enough to stay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import ebbing
from ebbing.domain.clock import Moment
from ebbing.domain.memory import Memory
from ebbing.domain.policy.loader import load
from ebbing.domain.retention import strength_of
from ebbing.engine import Engine
from ebbing.ports import View
from ebbing.testing import FrozenClock
from ebbing.text.terms import question_terms, terms

from .apart import measured_apart
from .corpus import BIG, DIMENSIONS, Corpus
from .floors import Floor, Row, decay_rates, row
from .judged import Judged
from .measure import Figure, Pair, Spread, Watch
from .stores import Addresses, Place, open_floor

RECALL_MAX = 2.0  # times the floor
ADD_MAX = 3.0
OPEN_MS_MAX = 300.0  # whatever the size
FASTER_MIN = 50.0  # times, a sweep beside one that computes every strength …
FASTER_FROM = 1_000_000  # … where so many are stored: in a small store there is little to scan

_BATCH = 256  # the engine writes so many in one transaction; the floor does the same
_CHUNK = 2_560  # memories handed over together while loading
_DUE_MANY = 1000  # the same number at every size
_KEPT: dict[str, Any] = {"importance": 0.8}  # fades for weeks
_FADING: dict[str, Any] = {"category": "failure", "importance": 0.2}  # archived once the week of grace is over
_DAYS = 8
_SWEEPS_IN_A_ROW = 10

Progress = Callable[[str, int, int], None]  # (what, done, of how many)


@dataclass(frozen=True, slots=True)
class Repetitions:
    """How often each operation is measured."""

    adds: int = 200
    recalls: int = 200
    reinforcements: int = 100
    sweeps: int = 9
    processes: int = 5


QUICK = Repetitions(adds=60, recalls=60, reinforcements=40, sweeps=5, processes=3)


class Measured:
    """One store at one size, loaded, with the floor beside it."""

    def __init__(
        self, place: Place, addresses: Addresses, corpus: Corpus, often: Repetitions, progress: Progress
    ) -> None:
        self.place = place
        self.addresses = addresses
        self.corpus = corpus
        self.often = often
        self.progress = progress
        self.figures: list[Figure] = []
        self.clock = FrozenClock()
        # Without summaries: made-up words have no topics, and what a sweep lowers is to be the same at every size.
        default = load()
        policy = replace(default, compaction=replace(default.compaction, depth_max=0))
        self.engine = ebbing.open(
            addresses.product, owner=BIG, policy=policy, embedder=corpus, clock=self.clock, judge="off"
        )
        # Sweeps are measured here, so none may begin by itself.
        self.engine.sweeper = None
        self.floor: Floor = open_floor(place.store, addresses.floor)
        self.floor.create(DIMENSIONS)
        self.small = next(owner for owner in corpus.texts if owner != BIG)

    def run(self) -> list[Figure]:
        """Every figure, in the order of the table."""
        self.load()
        for step in (self.add, self.recall, self.reinforce, self.sweep):
            self.progress(step.__name__, 0, 1)
            step()
        now = self.clock.now().isoformat()
        self.engine.close()
        self.progress("open", 0, 1)
        self.sizes()
        self.processes(now)
        self.floor.close()
        self.progress("judge", 0, 1)
        judged = Judged(self.place.store, self.addresses.product, self.corpus, self.clock.now())
        return [*self.figures, *judged.run(self.often.adds, self.often.processes)]

    # The way in

    def load(self) -> None:
        """Everything, a chunk into the product and then the same rows into the floor: the figure for batches."""
        pair, count, done = Pair(), 0, 0
        for owner, texts in self.corpus.batches(_CHUNK):
            engine = self.engine.for_owner(owner)
            due = self._due_count() if owner == BIG and not done else 0
            items = [{"text": text, **(_FADING if place < due else _KEPT)} for place, text in enumerate(texts)]
            with pair.product:
                remembered = engine.remember_many(items)
            self._insert_all(self._rows(remembered.memories), pair.floor)
            count += len(remembered.memories)
            done += len(texts)
            self.progress("load", done, self.corpus.size)
        if count != done:
            raise RuntimeError(f"{done} texts were to be loaded, and {count} memories were made of them")
        self.settle()
        self._figure(
            "add, in batches",
            Spread.once(count / pair.product.total),
            Spread.once(count / pair.floor.total),
            against=f"bare INSERTs, {_BATCH} a transaction",
            unit="rows/s",
        )

    def settle(self) -> None:
        """Both sides as they are some minutes later; a big owner's index, where the store makes one, on both."""
        self.progress("settle", 0, 1)
        index_big_owners = getattr(self.engine.store, "index_big_owners", None)
        if index_big_owners is not None and BIG in index_big_owners():
            self.floor.index(BIG)
        self.place.settle(self.addresses)

    def add(self) -> None:
        pair = Pair()
        for text in self.corpus.more(self.often.adds):
            with pair.product:
                remembered = self.engine.remember(text, **_KEPT)
            rows = self._rows(remembered.memories)
            with pair.floor:
                self.floor.insert(rows)
        self._timed("add one, durable", pair, "bare INSERT, same indexes", ratio_max=ADD_MAX)

    # The way back

    def recall(self) -> None:
        for owner, label in ((BIG, "big owner"), (self.small, "small owner")):
            engine = self.engine.for_owner(owner)
            self.floor.warm(owner)
            for question in self.corpus.questions(owner, 3):
                engine.recall(question)
            # Uses are counted right behind the answer; how long it takes until they are is told besides.
            for way in ("", ", until its uses are counted", ", reinforce=False"):
                pair = Pair()
                for place, question in enumerate(self.corpus.questions(owner, self.often.recalls)):
                    self._ask(engine, owner, question, f"session-{way}-{place}", way, pair)
                most = RECALL_MAX if owner == BIG and "until" not in way else None
                self._timed(f"recall, {label}{way}", pair, "bare word query + product", ratio_max=most)

    def _ask(self, engine: Engine, owner: str, question: str, session: str, way: str, pair: Pair) -> None:
        """One question to both; each goes first every other time."""
        words = question_terms(question)
        vector = self.corpus.embed([question])[0]

        def product() -> None:
            with pair.product:
                engine.recall(question, reinforce="reinforce" not in way, session=session)
                if "until" in way:
                    engine.deferred.wait(owner)
            engine.deferred.wait(owner)  # else the floor would pay for it

        def floor() -> None:
            with pair.floor:
                self.floor.recall(owner, words, vector)

        for act in (product, floor) if len(pair.product.seconds) % 2 else (floor, product):
            act()

    def reinforce(self) -> None:
        pair = Pair()
        now, day = self.clock.now(), self.clock.now().toordinal()
        memories = self.engine.list(limit=min(1000, 10 * self.often.reinforcements))
        ids = [memory.id for memory in memories]
        for start in range(0, len(ids), 10):
            with pair.product:
                self.engine.used(ids[start : start + 10], session="bench")
            with pair.floor:
                self.floor.reinforce(BIG, ids[start : start + 10], now, day)
        self._timed("reinforce 10, durable", pair, "bare UPDATE of 10 rows")

    # The way down

    def sweep(self) -> None:
        self._live(_DAYS)
        share = self._due_count()
        self._sweeps(f"sweep, 0.1 % due ({share})", share)
        self._nothing_due()
        self.engine.remember_many([{"text": text, **_FADING} for text in self.corpus.more(_DUE_MANY)])
        self._live(_DAYS)
        self._sweeps(f"sweep, {_DUE_MANY} due", _DUE_MANY)

    def _sweeps(self, name: str, due: int) -> None:
        """Sweep, and bring back what it put away, as often as it takes; the last one stays.

        Held against two ways to find what is due without alarms, in all owners' memories: a bare scan in SQL, which
        lowers nothing; and a sweep of ours that reads and weighs every memory, and then lowers the same. How it would
        lower them is not measured again: as the product does.
        """
        pair, batch = Pair(), None
        for _ in range(self.often.sweeps):
            if batch is not None:
                self.engine.restore(batch=batch)
                # What was brought back is left alone for a while.
                self.clock.advance(days=self.engine.policy.time.restored_grace.days)
            with pair.product:
                swept = self.engine.sweep()
            if len(swept.actions) != due:
                raise RuntimeError(f"{name}: {len(swept.actions)} were lowered")
            batch = swept.batch
            with pair.floor:
                self.floor.scan_everything(self.clock.now().toordinal(), decay_rates(self.engine.policy))
        self._timed(name, pair, "bare scan of all owners' strengths in SQL, lowering nothing")
        product = pair.product.milliseconds()
        without_alarms = Spread.once(1000 * self._weigh_everything() + product.p50)
        most = 1 / FASTER_MIN if self.corpus.size >= FASTER_FROM else None
        looking = "full-scan sweep: ours, reading and weighing every memory, + the same lowering"
        self._figure(name, product, without_alarms, against=looking, ratio_max=most)

    def _weigh_everything(self) -> float:
        """How many seconds it takes to read every live memory and to compute how strong it is, as a sweep does with
        those whose alarm rang."""
        watch, now, policy, read = Watch(), self.clock.now(), self.engine.policy, 0
        for owner in self.corpus.texts:
            with watch, self.engine.store.read(View(owner, every_agent=True)) as tx:
                moment, after = Moment(now, tx.owner.activity.day_at(now)), ""
                while page := tx.memories.page_live(after=after, limit=_BATCH):
                    read += len(page)
                    after = page[-1].id
                    if any(strength_of(memory, moment, policy) < policy.ladder.archive for memory in page):
                        raise RuntimeError(f"of {owner}'s memories one is as weak as what was just swept")
            self.progress("weigh", read, self.corpus.size)
        return watch.total

    def _nothing_due(self) -> None:
        pair, by_hand = Pair(), Watch()
        for _ in range(self.often.sweeps):
            # Several in a row: the first after a scan of everything finds the processor's caches full of it.
            for _ in range(_SWEEPS_IN_A_ROW):
                with pair.product:
                    self.engine.sweep()
            self._scan(pair.floor)
            with by_hand:
                self.floor.scan_by_hand(BIG, self.clock.now().toordinal(), decay_rates(self.engine.policy))
        self._timed("sweep, nothing due", pair, "scan of the owner's strengths in SQL")
        self._figure(
            "sweep, nothing due",
            pair.product.milliseconds(),
            by_hand.milliseconds(),
            against="scan of the owner's rows into numpy",
        )

    def _scan(self, watch: Watch) -> None:
        with watch:
            self.floor.scan(BIG, self.clock.now().toordinal(), decay_rates(self.engine.policy))

    def _live(self, days: int) -> None:
        """So many days on each of which the owner asks something."""
        for question in self.corpus.questions(BIG, days):
            self.clock.advance(days=1)
            self.engine.recall(question)

    # What it takes

    def sizes(self) -> None:
        rows = self.corpus.size
        self._figure(
            "size on disk, a memory",
            Spread.once(self.place.product_bytes(self.addresses.product) / rows),
            Spread.once(self.floor.size_bytes() / rows),
            against="rows, words and vectors alone",
            unit="B",
        )

    def processes(self, now: str) -> None:
        """What only a fresh process shows; product and floor take turns."""
        question = self.corpus.questions(BIG, 1)[0]
        given = {
            "store": self.place.store,
            "address": self.addresses.product,
            "bare_address": self.addresses.floor,
            "owner": BIG,
            "now": now,
            "question": question,
            "words": question_terms(question),
            "vector": self.corpus.embed([question])[0].tolist(),
            "fingerprint": self.corpus.fingerprint,
        }
        told: dict[str, list[dict[str, float]]] = {"ebbing": [], "bare": []}
        for _ in range(self.often.processes):
            for what, answers in told.items():
                answers.append(measured_apart(what, given))
        for name, keys, unit, against, most in (
            ("open, import excluded", ("open_ms",), "ms", "bare open and one query", self._open_max()),
            ("open, import included", ("import_ms", "open_ms"), "ms", "bare open and one query", None),
            (
                "first recall of a process",
                ("first_recall_ms",),
                "ms",
                "bare read of the vectors, and both queries",
                None,
            ),
            ("resident memory, one recall", ("resident_mb",), "MB", "driver, numpy and the vectors", None),
        ):
            product, floor = (
                Spread.of([sum(answer[key] for key in keys) for answer in told[what]]) for what in ("ebbing", "bare")
            )
            self._figure(name, product, floor, against=against, unit=unit, most=most)

    # How

    def _open_max(self) -> float | None:
        """A server's share of it is not ours to promise."""
        return OPEN_MS_MAX if self.place.store == "sqlite" else None

    def _due_count(self) -> int:
        return max(1, self.corpus.size // 1000)

    def _rows(self, memories: Sequence[Memory]) -> list[Row]:
        vectors = self.corpus.embed([memory.text for memory in memories])
        return [
            row(memory, " ".join(terms(memory.text)), vector) for memory, vector in zip(memories, vectors, strict=True)
        ]

    def _insert_all(self, rows: Sequence[Row], watch: Watch) -> None:
        for start in range(0, len(rows), _BATCH):
            with watch:
                self.floor.insert(rows[start : start + _BATCH])

    def _timed(self, name: str, pair: Pair, against: str, *, ratio_max: float | None = None) -> None:
        product, floor = pair.product.milliseconds(), pair.floor.milliseconds()
        self._figure(name, product, floor, against=against, ratio_max=ratio_max)

    def _figure(
        self,
        name: str,
        product: Spread,
        floor: Spread,
        *,
        against: str,
        unit: str = "ms",
        ratio_max: float | None = None,
        most: float | None = None,
    ) -> None:
        store, size = self.place.store, self.corpus.size
        self.figures.append(Figure(store, size, name, unit, product, floor, against, ratio_max, most))
