"""The fingerprint of the rules by which a store derives from a text what it is found by: words and digests.

What is derived is stored, and is found again only by the rules that derived it. So every owner's row names the rules
that all of its keys were derived by. Where those are not the rules of this program, `stats` and `doctor` say so, and
`doctor --repair` derives everything again from the texts.

The fingerprint is made of the sources of the rules, so that nobody has to remember to change a number. A changed
comment changes it too: that costs a repair nobody needed, and the opposite mistake would cost memories that are not
found.
"""

from __future__ import annotations

import functools
import hashlib
import unicodedata
from importlib import metadata, resources
from typing import Final

# The modules that derive, with all that they import; tests/architecture holds this against the imports themselves.
SOURCES: Final = ("terms.py",)
MIXED: Final = ""  # no rules' fingerprint: keys of different rules stand side by side


@functools.cache
def fingerprint() -> str:
    """Names the rules of this program, together with the stemmer that they use and the Unicode tables of this Python,
    which say what is a letter and what two spellings have in common."""
    used = f"{metadata.version('pystemmer')}\0{unicodedata.unidata_version}\0"
    found = hashlib.blake2b(used.encode(), digest_size=12)
    package = resources.files("ebbing.text")
    for source in SOURCES:
        text = (package / source).read_bytes().replace(b"\r\n", b"\n")
        found.update(source.encode() + b"\0" + text + b"\0")
    return found.hexdigest()
