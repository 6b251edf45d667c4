"""Read the plain values in a pickle without running it: no module is imported, no class is made, no function is called.

A pickle is a program for a small stack machine. Of its steps only those are followed that put texts, numbers, lists and
mappings together; an object stays the mapping of its fields, a call stays nothing, and any other step is refused.
"""

from __future__ import annotations

import pickletools
from collections.abc import Callable
from typing import Any

STEPS_MAX = 1_000_000
_MARK = object()
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_EMPTY: dict[str, Callable[[], Any]] = {"EMPTY_DICT": dict, "EMPTY_LIST": list, "EMPTY_SET": list, "EMPTY_TUPLE": tuple}
_SCALARS = frozenset(
    "SHORT_BINUNICODE BINUNICODE BINUNICODE8 BINFLOAT BININT BININT1 BININT2 LONG1 LONG4 SHORT_BINBYTES BINBYTES "
    "BINBYTES8".split()
)
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_IGNORED = frozenset(("PROTO", "FRAME"))


def plain_value(data: bytes) -> Any:
    """The value that a pickle holds; ValueError for one that holds more than plain values and objects with fields."""
    machine = _Machine()
    try:
        for number, (opcode, argument, _) in enumerate(pickletools.genops(data)):
            if number > STEPS_MAX:
                raise ValueError("it has too many steps")
            if opcode.name == "STOP":
                return machine.stack[-1]
            machine.step(opcode.name, argument)
    except (IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"its steps do not fit together: {error}") from None
    raise ValueError("it has no end")


class _Machine:
    """What the steps have put together so far."""

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self._memo: list[Any] = []

    def step(self, name: str, argument: Any) -> None:
        """Follow one step."""
        if name in _SCALARS:
            self.stack.append(argument)
        elif name in _CONSTANTS:
            self.stack.append(_CONSTANTS[name])
        elif name in _EMPTY:
            self.stack.append(_EMPTY[name]())
        elif name == "MARK":
            self.stack.append(_MARK)
        elif name == "MEMOIZE":
            self._memo.append(self.stack[-1])
        elif name in ("BINGET", "LONG_BINGET"):
            self.stack.append(self._memo[argument])
        elif name not in _IGNORED:
            self._combine(name)

    def _combine(self, name: str) -> None:
        """A step that makes one value of several."""
        stack = self.stack
        if name == "TUPLE" or name in _TUPLES:
            parts = self._marked() if name == "TUPLE" else self._last(_TUPLES[name])
            stack.append(tuple(parts))
        elif name in ("APPEND", "APPENDS", "ADDITEMS"):
            more = self._last(1) if name == "APPEND" else self._marked()
            stack[-1].extend(more)
        elif name in ("SETITEM", "SETITEMS"):
            flat = self._last(2) if name == "SETITEM" else self._marked()
            pairs = zip(flat[::2], flat[1::2], strict=True)
            stack[-1].update({key: value for key, value in pairs if isinstance(key, str)})
        elif name in ("STACK_GLOBAL", "NEWOBJ", "REDUCE"):
            # A class by its names, an object of it before it has fields, what a call would give: none of them is made.
            self._last(2)
            stack.append({} if name == "NEWOBJ" else None)
        elif name == "BUILD":
            [state] = self._last(1)
            if isinstance(stack[-1], dict) and isinstance(state, dict):
                stack[-1].update(state.get("__dict__", state))
        else:
            raise ValueError(f"step {name} makes more than a plain value")

    def _last(self, count: int) -> list[Any]:
        taken = self.stack[-count:]
        if len(taken) < count or any(one is _MARK for one in taken):
            raise IndexError("a value is missing")
        del self.stack[-count:]
        return taken

    def _marked(self) -> list[Any]:
        """What was put on the stack since the last mark."""
        place = len(self.stack) - 1
        while place >= 0 and self.stack[place] is not _MARK:
            place -= 1
        if place < 0:
            raise IndexError("a mark is missing")
        taken = self.stack[place + 1 :]
        del self.stack[place:]
        return taken
