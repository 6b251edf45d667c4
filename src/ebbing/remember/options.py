"""What `remember` takes besides the text, as its caller gave it; `admit.py` checks it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any

from ..domain.memory import Lifetime, Source, Tier


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberOptions:
    """The options of one text, with what is assumed where they are left out; nothing of it is checked yet."""

    scope: str = "/"
    category: str | None = None  # None: the policy's default
    importance: float | None = None  # None: as the text says
    lifetime: str | Lifetime | None = None  # None: as the text says
    harm: int | None = None  # None: as the text says
    tier: str | Tier | None = None  # None: the policy's default
    tags: Sequence[str] = ()
    metadata: Mapping[str, Any] | None = None
    subject: str | None = None
    attribute: str | None = None
    supersedes: str | Sequence[str] | None = None
    pinned: bool = False
    expires_in: str | timedelta | None = None  # None: as the policy says
    valid_until: datetime | str | None = None  # None: as the text says
    visibility: str = "shared"
    source: str | Source | None = None  # None: the caller
    evidence: str | None = None
    trust: float | None = None  # None: what the policy grants the source
    extract: bool = False
    session: str | None = None
    created_at: datetime | str | None = None  # None: now


OPTION_NAMES = tuple(one.name for one in fields(RememberOptions))
