"""The files of the large bench, written by the product: `remember_many` in several processes, and kept if asked.

Reading a text takes most of a processor's millisecond, so a million takes a quarter of an hour on one. Owners never
meet, so they are dealt out to as many processes as there are cores, all writing to the one file, as processes may.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ProcessPoolExecutor, wait
from dataclasses import replace
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Any, NamedTuple

import ebbing
from ebbing.domain.policy.loader import load
from ebbing.engine import Engine
from ebbing.ports import Embedder, Vector
from ebbing.testing import FrozenClock

from .corpus import DIMENSIONS, Corpus
from .million_owners import SEED, Owner, in_turn, measured, owners, shares, speech

KEPT: dict[str, Any] = {"importance": 0.8}  # fades for weeks
_MIGRATIONS = Path(ebbing.__file__).parent / "store" / "migrations" / "sqlite"
_WRITERS_MAX = 4  # one file has one writer at a time: more would queue
_LOOK_SECONDS = 0.5

Progress = Callable[[str, int, int], None]  # (what, done, of how many)


class Files(NamedTuple):
    """One owner's memories among everybody's, and alone."""

    among_many: Path
    alone: Path


def opened(address: Path, owner: str, embedder: Embedder, clock: FrozenClock) -> Engine:
    """The product, with nothing that begins by itself: sweeps are measured, so none may be under way."""
    # Without summaries: made-up words have no topics, and what a sweep lowers is to be the same in both files.
    default = load()
    policy = replace(default, compaction=replace(default.compaction, depth_max=0))
    engine = ebbing.open(address, owner=owner, policy=policy, embedder=embedder, clock=clock, judge="off")
    engine.sweeper = None
    return engine


def build(folder: Path, size: int, measured_count: int, writers: int, tell: Progress) -> Files:
    """Both files, written anew."""
    files = Files(folder / "many.db", folder / "alone.db")
    _load(files.alone, [measured(measured_count)], 1, lambda done: tell("load alone", done, measured_count))
    _load(files.among_many, owners(size, measured_count), writers, lambda done: tell("load", done, size))
    return files


def kept(keep: Path, work: Path, size: int, measured_count: int, writers: int, tell: Progress) -> Files:
    """Copies of files built before by the same schema out of the same texts, which are built if there are none."""
    home = keep / f"million-{_schema()}-{SEED}x{DIMENSIONS}-{size}-{measured_count}"
    if not home.exists():
        building = home.with_suffix(".building")
        shutil.rmtree(building, ignore_errors=True)
        building.mkdir(parents=True)
        build(building, size, measured_count, writers, tell)
        building.rename(home)
    tell("copy", 0, 1)
    for file in sorted(home.iterdir()):
        shutil.copyfile(file, work / file.name)
    return Files(work / "many.db", work / "alone.db")


def cores() -> int:
    """How many processes write."""
    return min(_WRITERS_MAX, os.cpu_count() or 1)


def _schema() -> str:
    """Changes with every migration; a change in how texts are read does not show here."""
    return hashlib.sha256(b"".join(file.read_bytes() for file in sorted(_MIGRATIONS.glob("*.sql")))).hexdigest()[:12]


def _load(address: Path, everybody: Sequence[Owner], writers: int, told: Callable[[int], None]) -> None:
    # Not forked: a process that holds a database and threads cannot be copied safely.
    context = multiprocessing.get_context("spawn")
    done = context.Value("q", 0)
    with ProcessPoolExecutor(writers, mp_context=context, initializer=_share, initargs=(done,)) as pool:
        waiting = {pool.submit(write, address, share) for share in shares(everybody, writers)}
        while waiting:
            finished, waiting = wait(waiting, timeout=_LOOK_SECONDS, return_when=FIRST_EXCEPTION)
            told(done.value)
            for one in finished:
                one.result()


_written: Synchronized[int] | None = None  # all writers count here


def _share(done: Synchronized[int]) -> None:
    global _written  # noqa: PLW0603 - a process of a pool has no other place for what it was started with
    _written = done


class _Speaker:
    """The embedder of whoever is speaking."""

    fingerprint = Corpus.fingerprint
    unrelated = Corpus.unrelated

    def __init__(self) -> None:
        self.corpus: Corpus | None = None

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        if self.corpus is None:
            raise RuntimeError("nobody has said anything yet")
        return self.corpus.embed(texts, query=query)


def write(address: Path, share: Sequence[Owner]) -> int:
    """What these owners say, through the product; tells how many memories that made."""
    language, speaker, count = speech(), _Speaker(), 0
    said: dict[str, Corpus] = {}  # of those who have begun and not yet said all
    with opened(address, share[0].name, speaker, FrozenClock()) as engine:
        for owner, start, stop in in_turn(share):
            speaker.corpus = said.pop(owner.name, None) or owner.corpus(language)
            if stop < owner.count:
                said[owner.name] = speaker.corpus
            texts = speaker.corpus.texts[owner.name][start:stop]
            remembered = engine.for_owner(owner.name).remember_many({"text": text, **KEPT} for text in texts)
            if len(remembered.memories) != len(texts):
                raise RuntimeError(f"{len(texts)} texts became {len(remembered.memories)} memories")
            count += len(texts)
            if _written is not None:
                with _written.get_lock():
                    _written.value += len(texts)
    return count
