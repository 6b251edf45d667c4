"""Regular expressions that are compiled when they are first asked are what `re.compile` gives, and none is broken."""

from __future__ import annotations

import copy
import gc
import importlib
import pkgutil
import re

import pytest

import ebbing
from ebbing.text.lazy_regex import lazily


def of_the_package() -> list[re.Pattern[str]]:
    for found in pkgutil.walk_packages(ebbing.__path__, "ebbing."):
        # Some of the others need what is optional, and none of them has patterns of this kind.
        if not found.name.startswith(("ebbing.interfaces", "ebbing.providers", "ebbing.adapters.", "ebbing.__main__")):
            importlib.import_module(found.name)
    kind = type(lazily(""))
    return [one for one in gc.get_objects() if type(one) is kind]


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
    found = [one for one in of_the_package() if one.pattern != "("]
    assert len(found) > 200
    for one in found:
        assert isinstance(one.groups, int)
