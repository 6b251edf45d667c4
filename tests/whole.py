"""All that an answer holds, as one text to look into.

`repr` of a memory or an answer is short, for people: what must not stand anywhere in an answer is looked for here.
"""

from __future__ import annotations

import json
from typing import Any

from ebbing.domain.results import plain


def whole(answer: Any) -> str:
    """Every field of an answer, of what is inside it too, in the characters as they are."""
    return json.dumps(plain(answer), ensure_ascii=False, default=repr)
