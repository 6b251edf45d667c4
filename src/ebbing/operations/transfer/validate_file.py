"""Read a whole export before anything is written, and report every fault with its line.

Only the ids of memories are kept, because an export may be larger than memory. The lines are read again when they are
imported.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import BinaryIO

from ...domain import validation
from ...domain.errors import Invalid
from ...domain.events import Event, EventKind, Restored
from ...domain.memory import Memory, Status
from ...domain.policy import Limits
from ...ports import Tombstone, Vector
from ...text.screening.request import screen
from ...text.visible_text import clean_text
from . import line_format
from .event_details import missing_details
from .line_format import Line

FAULTS_MAX = 10  # enough to see what is wrong with a file; the rest is usually the same
_OWN_ID = re.compile(r"[0-9a-hjkmnp-tv-z]{26}(?:-imported)*")  # as `new_id` makes them
_ID_FIELDS = ("id", "supersedes", "superseded_by", "derived_from", "memory", "batch", "receipt")
_LINE_BYTES_MAX = 1 << 26  # a longer line is no line: another kind of file


@dataclass(slots=True)
class Contents:
    """What an export holds, checked: all that is small, and where to find the rest."""

    stream: BinaryIO
    name: str
    owner: str = ""
    exported_at: str = ""
    announced: dict[str, int] = field(default_factory=dict)  # how many memories and events the file says it has
    salts: list[bytes] = field(default_factory=list)
    days: list[tuple[date, int]] = field(default_factory=list)
    tombstones: dict[str, Tombstone] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)
    live: set[str] = field(default_factory=set)  # those of them that are in use
    released: set[str] = field(default_factory=set)  # those that were quarantined, and released after a review
    derived_from: dict[str, list[str]] = field(default_factory=dict)  # of what was made out of others
    widths: dict[str, tuple[int, int]] = field(default_factory=dict)  # model → dimensions, and the line that says so
    events_count: int = 0
    begins: dict[str, int] = field(default_factory=dict)  # kind → where in the file its first line begins

    def memories(self, owner: str) -> Iterator[tuple[Memory, Vector | None]]:
        for line in self._again("memory", len(self.ids)):
            yield line_format.to_memory(line, owner), line_format.to_vector(line)

    def events(self) -> Iterator[Event]:
        return map(line_format.to_event, self._again("event", self.events_count))

    def _again(self, kind: str, count: int) -> Iterator[Line]:
        if count:
            self.stream.seek(self.begins[kind])
        return map(line_format.parsed, itertools.islice(self.stream, count))


class Faults:
    """The faults of a file, raised as one error."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._faults: list[str] = []

    def add(self, number: int, fault: str) -> None:
        self._faults.append(f"line {number}: {fault}")
        if len(self._faults) >= FAULTS_MAX:
            self._faults.append("… and perhaps more: reading stopped here")
            self.stop()

    def stop(self) -> None:
        """Raise the faults, if there are any."""
        if self._faults:
            listed = "\n".join(f"  - {fault}" for fault in self._faults)
            raise Invalid(f"{self.name} cannot be imported; nothing was written:\n{listed}")


def check(stream: BinaryIO, name: str, limits: Limits) -> Contents:
    """The contents of a file that is an export from its first line to its last and may come in, or `Invalid`."""
    contents = Contents(stream, name)
    faults = Faults(name)
    before = -1  # the place of the last line's kind among the kinds
    number = offset = 0
    for number, raw in enumerate(iter(lambda: stream.readline(_LINE_BYTES_MAX), b""), 1):
        line = _line(raw, number, faults, limits)
        if line is not None:
            place = line_format.KINDS.index(line["kind"])
            if place < before or (place == before and line["kind"] in ("header", "end")):
                earlier = line_format.KINDS[before]
                faults.add(number, f"a line of kind {line['kind']} cannot follow one of kind {earlier}")
            before = max(before, place)
            contents.begins.setdefault(line["kind"], offset)
            _take(line, number, contents, faults)
        if number == 1:
            faults.stop()  # what has no header is another kind of file: one fault says it
        offset += len(raw)
    if number == 0:
        faults.add(1, "there is none; an export begins with a header")
    elif line_format.KINDS[before] != "end":
        faults.add(number, "the file ends here, and not with an end: it was cut short")
    faults.stop()  # a line that was refused was not counted
    counted = {"memories": (1, len(contents.ids)), "events": (number, contents.events_count)}
    for what, (line_number, count) in counted.items():
        if contents.announced[what] != count:
            faults.add(line_number, f"it says there are {contents.announced[what]} {what}, and there are {count}")
    faults.stop()
    return contents


def _line(raw: bytes, number: int, faults: Faults, limits: Limits) -> Line | None:
    """The line, if it is what its kind must be and may come in."""
    try:
        line = line_format.parsed(raw)
        if number == 1 and line.get("kind") != "header":
            raise ValueError("an export begins with a header, and this is none")
        if number == 1:
            _readable(line)
        if line.get("kind") not in line_format.KINDS:
            raise ValueError(f"kind {line.get('kind')!r} is not one of {', '.join(line_format.KINDS)}")
        if wrong := list(line_format.faults(line)):
            raise ValueError("; ".join(wrong))
        if line["kind"] == "memory" and (refused := list(_refused(line, limits))):
            raise ValueError("; ".join(refused))
        if wrong := [one for one in _ids(line) if not _is_harmless(one)]:
            raise ValueError(f"{wrong[0][:12]}… is no id: it holds a secret, or reads as an instruction")
    except ValueError as error:
        faults.add(number, str(error))
    except RecursionError:
        faults.add(number, "is nested too deeply")
    else:
        return line
    return None


def _ids(line: Line) -> Iterator[str]:
    """Every id on a line."""
    for name in _ID_FIELDS:
        value = line.get(name)
        yield from value if isinstance(value, list) else [] if value is None else [value]


@lru_cache(maxsize=4096)
def _is_harmless(id_: str) -> bool:
    """Whether an id may be shown to a model. Those that this program makes are numbers; any other is read as a text."""
    if _OWN_ID.fullmatch(id_):
        return True
    screened = screen({"id": id_})
    return not screened.redacted and not screened.suspicions


def _refused(line: Line, limits: Limits) -> Iterator[str]:
    """Why a memory of the right shape could not have been remembered here."""
    size = len(line["text"].encode())
    if size > limits.text_bytes:
        yield f"its text has {size:,} bytes and the limit is {limits.text_bytes:,}; raise limits.text_bytes"
    else:
        try:
            if clean_text(line["text"], limits.text_bytes) != line["text"]:
                yield "its text holds control or invisible characters, or blanks at an end, which no memory has"
        except Invalid as error:
            yield str(error)
    if len(line["tags"]) > limits.tags:
        yield f"{len(line['tags'])} tags are too many; the limit is {limits.tags}"
    for tag in line["tags"]:
        try:
            if validation.name(tag, "tag") != tag:
                yield f"tag {tag!r} has blanks at an end"
        except Invalid as error:
            yield str(error)
    size = len(json.dumps(line["metadata"], ensure_ascii=False).encode())
    if size > limits.metadata_bytes:
        yield f"its metadata has {size:,} bytes and the limit is {limits.metadata_bytes:,}"


def _readable(header: Line) -> None:
    """Refuse what a newer Ebbing wrote before anything in it is called a fault."""
    version = header.get("format")
    if isinstance(version, int) and version > line_format.FORMAT:
        raise ValueError(
            f"format {version} was written by a newer Ebbing, and this one reads up to {line_format.FORMAT};"
            " upgrade ebbing"
        )


def _take(line: Line, number: int, contents: Contents, faults: Faults) -> None:
    """What has to be known of a line later, and whether it agrees with the lines before it."""
    match line["kind"]:
        case "header":
            contents.owner, contents.exported_at = line["owner"], line["at"]
            contents.announced["memories"] = line["memories"]
        case "salt":
            contents.salts.append(line_format.to_salt(line))
        case "day":
            day = line_format.to_day(line)
            if contents.days and not (contents.days[-1][0] < day[0] and contents.days[-1][1] < day[1]):
                faults.add(number, "days and their numbers must go up from line to line")
            contents.days.append(day)
        case "tombstone":
            contents.tombstones[line["id"]] = line_format.to_tombstone(line)
        case "memory":
            _take_memory(line, number, contents, faults)
        case "event":
            contents.events_count += 1
            if line["memory"] in contents.ids:
                for fault in missing_details(line["event"], line["detail"]):
                    faults.add(number, fault)
            released = line["event"] == EventKind.RESTORED and Restored.decode(line["detail"])
            if released and released.was is Status.QUARANTINED:
                contents.released.add(line["memory"])
        case "end":
            contents.announced["events"] = line["events"]


def _take_memory(line: Line, number: int, contents: Contents, faults: Faults) -> None:
    if line["id"] in contents.ids:
        faults.add(number, f"memory {line['id']} stands in the file twice")
    contents.ids.add(line["id"])
    if Status(line["status"]).live:
        contents.live.add(line["id"])
    if line["derived_from"]:
        contents.derived_from[line["id"]] = line["derived_from"]
    vector = line_format.to_vector(line)
    if vector is not None:
        width, first = contents.widths.setdefault(line["fingerprint"], (len(vector), number))
        if len(vector) != width:
            model = line["fingerprint"]
            faults.add(number, f"a vector of {model} has {len(vector)} dimensions, and the one on line {first} {width}")
