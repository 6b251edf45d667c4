"""Pairs of sentences, each with an owner of its own: what the second does to the first.

What does not contradict must not be retired; what only looks alike must not be merged; what is the same but for a
trifle must be. The trifles are made here, out of the sentences of the data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from ebbing.domain.results import Remembered

from .remember_figures import Line, Tally, Target, half, share
from .remember_readers import Pair, sentence_pairs, supersessions, talk
from .remember_stage import Stage, extracts, packaged, stage

TITLE = "Pairs, each told to an owner of its own, the second a day after the first"
_CHUNK, _CHUNK_LONG = 400, 60  # pairs a task, of sentences and of turns
_MOST, _MOST_QUICK = 1000, 100  # of one source and label
_TRIFLES = 300  # sentences that are varied
_FALSELY = Target("≤", 0.03)
# What does not contradict; of PAWS and of STS-B below 4 that is not labelled, but swapped words and details rarely do.
_COMPATIBLE = (
    ("SNLI", "neutral"),
    ("SNLI", "entailment"),
    ("PAWS", "negative"),
    ("PAWS", "paraphrase"),
    ("STS-B", "same"),
    ("STS-B", "differ"),
    ("FEVER", "supports"),
)
_CONTRARY = (("SNLI", "contradiction"), ("FEVER", "refutes"))
_SPELLED = dict(zip("one two three four five six seven eight nine ten".split(), map(str, range(1, 11)), strict=True))
_NUMBER_WORD = re.compile(rf"\b({'|'.join(_SPELLED)})\b", re.IGNORECASE)
_NEGATED = re.compile(r"\b(is|are|was|were|do|does|did|has|have|had|would|should|could) not\b", re.IGNORECASE)
_CONTRACTED = re.compile(r"\b(is|are|was|were|do|does|did|has|have|had|would|should|could)n['’]t\b", re.IGNORECASE)
_BEING = re.compile(r"\b(is|are|was|were)\b(?! not)")


def tasks(folder: Path, *, quick: bool) -> list[Callable[[], Tally]]:
    """Chunks of pairs, and whole conversations in which hardly anything should be retired."""
    sampled = list(_sampled(sentence_pairs(folder), _MOST_QUICK if quick else _MOST))
    sampled += trifles([pair.before[0] for pair in sampled if pair.source in ("STS-B", "SNLI")], _TRIFLES)
    chunks = [partial(measure, sampled[start : start + _CHUNK]) for start in range(0, len(sampled), _CHUNK)]
    changes = supersessions(folder)
    conversations = list(enumerate(talk(folder).get("LoCoMo", ())))
    ways = (False, True) if (changes or conversations) and extracts() else (False,)
    chunks += [
        partial(measure, changes[start : start + _CHUNK_LONG], extract=extract)
        for extract in ways
        for start in range(0, len(changes), _CHUNK_LONG)
    ]
    heard = [
        partial(overhear, said, half(place), extract=extract)
        for extract in ways
        for place, said in (conversations[:1] if quick else conversations)
    ]
    return [*chunks, *heard]


def _sampled(pairs: Sequence[Pair], most: int) -> Iterator[Pair]:
    """At most so many of each source and label, evenly over the file, and as many of each half."""
    groups: dict[tuple[str, str, int], list[Pair]] = {}
    for pair in pairs:
        groups.setdefault((pair.source, pair.label, pair.place % 2), []).append(pair)
    for group in groups.values():
        step = max(1, len(group) * 2 / most)
        yield from (group[int(place * step)] for place in range(int(len(group) / step)))


def measure(pairs: Sequence[Pair], *, extract: bool = False) -> Tally:
    """Tell each pair to an owner of its own and see what became of the first."""
    tally = Tally()
    with stage() as shared:
        packaged().embed([text for pair in pairs for text in (*pair.before, *pair.after)])
        for number, pair in enumerate(pairs):
            told = Stage(shared.engine.for_owner(f"pair-{number}"), shared.clock)
            before = [told.tell("before", text, extract=extract) for text in pair.before]
            told.clock.advance(days=1)
            after = [told.tell("after", text, extract=extract) for text in pair.after]
            count(tally, pair, before, after, extract=extract)
    return tally


def count(
    tally: Tally, pair: Pair, before: Sequence[Remembered], after: Sequence[Remembered], *, extract: bool
) -> None:
    """What the second did to the first, and whether that was wrong."""
    firsts = {memory.id for outcome in before for memory in (*outcome.memories, *outcome.reinforced)}
    retired = [memory for outcome in after for memory in outcome.superseded if memory.id in firsts]
    merged = any(outcome.merged or outcome.reinforced for outcome in after)
    prefix = f"{pair.source}/{pair.label}" + ("/extracted" if extract else "")
    which = half(pair.place)
    tally.add(f"{prefix}/superseded", which, bool(retired))
    tally.add(f"{prefix}/merged", which, merged)
    wrong = _wrong(pair, bool(retired), merged)
    if wrong:
        told = {"section": "pairs", "source": prefix, "wrong": wrong, "before": pair.before, "after": pair.after}
        tally.cases.append(told | {"retired": [memory.text for memory in retired]})


def _wrong(pair: Pair, retired: bool, merged: bool) -> str:
    kind = (pair.source, pair.label)
    if retired and (kind in _COMPATIBLE or pair.label == "contradicts"):
        return "superseded"
    if merged and kind == ("PAWS", "negative"):
        return "merged"
    if not merged and pair.source == "trifle":
        return "not merged"
    return "not superseded" if not retired and pair.label == "supersedes" else ""


def overhear(said: Sequence[str], which: str, *, extract: bool) -> Tally:
    """A conversation told turn by turn: people rarely take back what they said, so hardly anything should go."""
    tally = Tally()
    with stage() as told:
        packaged().embed(said)
        for place, text in enumerate(said):
            outcome = told.tell(str(place), text, extract=extract)
            tally.add(f"talk/{'facts' if extract else 'turns'}/superseded", which, len(outcome.superseded))
            if outcome.superseded:
                retired = [memory.text for memory in outcome.superseded]
                tally.cases.append({"section": "pairs", "source": "talk", "after": text, "retired": retired})
    return tally


def trifles(texts: Sequence[str], most: int) -> list[Pair]:
    """Sentences, each beside itself written a little differently."""
    found: list[Pair] = []
    for name, vary in _VARIED.items():
        varied = ((text, vary(text)) for text in dict.fromkeys(texts))
        apt = [(one, other) for one, other in varied if other is not None and (other != one or name == "exact")]
        found += [Pair("trifle", name, (one,), (other,), place) for place, (one, other) in enumerate(apt[:most])]
    return found


def _numbers(text: str) -> str | None:
    return _NUMBER_WORD.sub(lambda found: _SPELLED[found[0].lower()], text)


def _contraction(text: str) -> str | None:
    if _NEGATED.search(text):
        return _NEGATED.sub(r"\1n't", text)
    return _CONTRACTED.sub(r"\1 not", text)


_VARIED: dict[str, Callable[[str], str | None]] = {
    "exact": lambda text: text,
    "small letters": str.lower,
    "no full stop": lambda text: text.rstrip(" ."),
    "spaces": lambda text: "  ".join(text.split(" ")),
    "contraction": _contraction,
    "really": lambda text: _BEING.sub(r"\1 really", text, count=1),
    "numbers in digits": _numbers,
}


def _trivial(name: str) -> Target:
    """All of what is the very same; of the rest, which a guard may read otherwise here and there, nearly all."""
    return Target("≥", 1.0 if name == "exact" else 0.95)


def lines(tally: Tally) -> list[Line]:
    """False first, then what should have happened."""
    found = []
    for source, label in _COMPATIBLE:
        found.append(share(f"{source} {label}: superseded", f"{source}/{label}/superseded", _FALSELY))
    found.append(share("LoCoMo: turns retired by a turn (unlabelled)", "talk/turns/superseded"))
    found.append(share("LoCoMo: facts retired by a turn, extract=True", "talk/facts/superseded"))
    found.append(share("PAWS negative: merged", "PAWS/negative/merged", Target("≤", 0.01)))
    for source, label in (("PAWS", "paraphrase"), ("STS-B", "same")):
        found.append(share(f"{source} {label}: merged", f"{source}/{label}/merged"))
    found += [share(f"the same, {name}: merged", f"trifle/{name}/merged", _trivial(name)) for name in _VARIED]
    for source, label in _CONTRARY:
        found.append(share(f"{source} {label}: superseded", f"{source}/{label}/superseded"))
    sources = dict.fromkeys(key.split("/")[0] for key, _ in tally.sums if "/supersedes/" in key)
    for extracted, name in (("", "whole"), ("/extracted", "extract=True")):
        found += [share(f"{one} ({name}): superseded", f"{one}/supersedes{extracted}/superseded") for one in sources]
        for source in dict.fromkeys(key.split("/")[0] for key, _ in tally.sums if "/contradicts/" in key):
            label = f"{source} ({name}), contradictions: superseded"
            found.append(share(label, f"{source}/contradicts{extracted}/superseded", Target("≤", 0.05)))
    return [line for line in found if tally.count(line.counted)]
