"""What can go wrong, as one tree. Catch `EbbingError` for everything, or the branch you can handle.

    EbbingError
    ├── NotFound            not_found     no such memory, batch or tombstone for this owner
    ├── Invalid             invalid       an argument that cannot be meant
    │   ├── InvalidPolicy   invalid       a policy with faults, all of them listed
    │   └── TooLarge        too_large     over a limit of the policy
    ├── Conflict            conflict      the world is not as the call assumed
    ├── Denied              denied        this owner or agent may not
    └── Unavailable         unavailable   a part we stand on does not answer
        ├── Locked          unavailable   another process holds the file for too long
        ├── StorageFull     unavailable   the disk is full
        ├── Corrupt         unavailable   the file is damaged or is not ours
        ├── NewerFile       unavailable   written by a newer Ebbing
        └── Malformed       unavailable   a language model answered in another shape than asked for

Each carries a `code` for machines and a sentence for people that says what was wrong and
what would be right. An error means nothing was written.
"""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import Any, ClassVar

_SHOWN_MOST = 80  # characters of a value that an error repeats
_BITS_MOST = 256  # of a whole number that is written out


class EbbingError(Exception):
    """The root: anything Ebbing raises on purpose."""

    code: ClassVar[str] = "error"


class NotFound(EbbingError):
    """There is no such thing for this owner."""

    code = "not_found"


class Invalid(EbbingError):
    """The call cannot mean anything; the message says what would."""

    code = "invalid"


class InvalidPolicy(Invalid):
    """A policy with faults; `faults` lists every one of them."""

    def __init__(self, origin: str, faults: Sequence[str]) -> None:
        self.origin = origin
        self.faults = tuple(faults)
        count = "1 fault" if len(self.faults) == 1 else f"{len(self.faults)} faults"
        super().__init__(f"{origin} has {count}:\n" + "\n".join(f"  - {fault}" for fault in self.faults))

    def __reduce__(self) -> tuple[type[InvalidPolicy], tuple[str, tuple[str, ...]]]:
        # An exception is pickled by its message, which is not what this one is made from.
        return type(self), (self.origin, self.faults)


class TooLarge(Invalid):
    """More than the policy allows; the message names both numbers."""

    code = "too_large"


class Conflict(EbbingError):
    """The world is not as the call assumed."""

    code = "conflict"


class Denied(EbbingError):
    """This owner, agent or credential may not do that."""

    code = "denied"


class Unavailable(EbbingError):
    """Something Ebbing stands on does not answer; nothing was written."""

    code = "unavailable"


class Locked(Unavailable):
    """Another process holds the file for longer than we are willing to wait."""


class StorageFull(Unavailable):
    """The disk is full."""


class Corrupt(Unavailable):
    """The file is damaged, or is not an Ebbing file."""


class NewerFile(Unavailable):
    """The file was written by a newer version; refusing is safer than guessing."""


class Malformed(Unavailable):
    """A language model answered, and not in the shape it was asked for."""


class _Short(reprlib.Repr):
    """A short `repr` that ends for every value: nested too deep, too long, or a number of a million digits."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 2
        self.maxstring = self.maxother = _SHOWN_MOST

    def repr_int(self, x: int, level: int) -> str:  # noqa: ARG002 - as reprlib calls it
        return repr(x) if x.bit_length() <= _BITS_MOST else f"<int of {x.bit_length()} bits>"


def shown(value: Any) -> str:
    """What a caller gave, short enough for a sentence; safe for any value, which `repr` is not."""
    if isinstance(value, str):
        return repr(str(value[: _SHOWN_MOST - 2]))
    return _Short().repr(value)[:_SHOWN_MOST]
