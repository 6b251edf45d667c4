"""Regular expressions that are compiled when they are first asked are what `re.compile` gives, and none is broken."""

from __future__ import annotations

import copy
import importlib
import pkgutil
import re
from collections.abc import Iterator

import pytest

import ebbing
from ebbing.patterns import lazily


def of_the_package() -> Iterator[tuple[str, re.Pattern[str]]]:
    for found in pkgutil.walk_packages(ebbing.__path__, "ebbing."):
        if found.name.startswith(("ebbing.interfaces", "ebbing.providers", "ebbing.__main__")):
            continue  # some of them need what is optional, and none of them has patterns of this kind
        module = importlib.import_module(found.name)
        for name, value in vars(module).items():
            for place, one in enumerate(value if isinstance(value, tuple) else (value,)):
                if type(one) is type(lazily("")):
                    yield f"{found.name}.{name}[{place}]", one


def test_it_finds_what_the_compiled_one_finds_however_often_it_is_asked() -> None:
    later, now = lazily(r"(?P<word>\w+)-\d", re.IGNORECASE), re.compile(r"(?P<word>\w+)-\d", re.IGNORECASE)
    assert later.pattern == now.pattern
    for _ in range(2):
        assert later.findall("AB-1 c-2") == now.findall("AB-1 c-2") == ["AB", "c"]
        assert later.sub("x", "AB-1") == "x"
        assert later.groupindex == now.groupindex
        assert later.flags == now.flags


def test_it_is_compiled_only_when_it_is_asked() -> None:
    broken = lazily("(")
    assert copy.copy(broken).pattern == "("
    with pytest.raises(re.error):
        broken.search("")


def test_every_pattern_of_the_package_can_be_compiled() -> None:
    found = dict(of_the_package())
    assert len(found) > 100
    for one in found.values():
        assert one.search("") is None or one.groups >= 0
