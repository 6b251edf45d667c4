"""Whether a question asks about what was, and no longer is: `what did I use before?`, `my former address`.

Only then are superseded memories looked at without being asked for by name; each result says that it is one.
"""

from __future__ import annotations

import re

from ..text.lazy_regex import lazily

_PAST = lazily(
    r"\b(?:previous(?:ly)?|former(?:ly)?|used\s+to|in\s+the\s+past|back\s+then|no\s+longer|not\s+any\s*more|any\s*more"
    r"|originally|at\s+first|ex-\w+|earlier\s+on|until\s+(?:recently|then))\b"
    r"|\b(?:before|earlier)\s*(?:[?.!]|$|that\b|this\b|it\b|then\b|now\b)"
    r"|\bbefore\s+(?:I|we|you|he|she|they|the|my|our|his|her|their)\b"
    r"|\b(?:my|our|his|her|their|the|'s|’s)\s+old\b",
    re.IGNORECASE,
)


def asks_about_past(question: str) -> bool:
    """Whether what is superseded may be the answer."""
    return _PAST.search(question) is not None
