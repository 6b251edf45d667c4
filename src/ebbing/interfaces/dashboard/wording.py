"""What the pages say, in German and English, and how each writes numbers and dates. The texts are `strings/*.toml`."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from importlib import resources
from typing import Any

LANGUAGES = ("en", "de")
_MINUTES, _HOURS, _DAYS = 60, 3600, 86400
_BYTES = 1024


@dataclass(frozen=True, slots=True)
class Wording:
    """One language."""

    language: str
    texts: Mapping[str, str]

    def say(self, key: str, /, **given: Any) -> str:
        """A text with what is to stand in it; with a `count` of one, the text for one."""
        if given.get("count") == 1 and f"{key}.one" in self.texts:
            key = f"{key}.one"
        text = self.texts.get(key, key)
        named = {name: self.number(it) if isinstance(it, int | float) else it for name, it in given.items()}
        return text.format_map(named) if given else text

    def has(self, key: str) -> bool:
        return key in self.texts

    def word(self, group: str, name: object) -> str:
        """What a status, a kind or the like is called; its own name where the language has no word for it."""
        return self.texts.get(f"{group}.{name}", str(name).replace("_", " "))

    def number(self, value: float, digits: int | None = None) -> str:
        """A number as it is written here."""
        places = digits if digits is not None else (0 if isinstance(value, int) else 2)
        text = f"{value:,.{places}f}"
        return text.translate(str.maketrans(",.", ".,")) if self.language == "de" else text

    def day(self, at: date | None) -> str:
        """A date."""
        if at is None:
            return "–"
        at = at.astimezone(UTC) if isinstance(at, datetime) else at
        month = self.texts["date.months"].split()[at.month - 1]
        return self.texts["date.day"].format(day=at.day, month=month, year=at.year)

    def instant(self, at: datetime | None) -> str:
        """A date with its time, in UTC."""
        return "–" if at is None else f"{self.day(at)}, {at.astimezone(UTC):%H:%M}"

    def ago(self, at: datetime | None, now: datetime) -> str:
        """How far off an instant is, either way."""
        if at is None:
            return "–"
        seconds = (at - now).total_seconds()
        size = abs(seconds)
        if size < _HOURS:
            unit, count = "minutes", round(size / _MINUTES)
        elif size < 2 * _DAYS:
            unit, count = "hours", round(size / _HOURS)
        else:
            unit, count = "days", round(size / _DAYS)
        if not count:
            return self.say("date.now")
        return self.say(f"date.{'in' if seconds > 0 else 'ago'}.{unit}", count=count)

    def size(self, count: int) -> str:
        """A number of bytes."""
        value, unit = float(count), "B"
        for larger in ("KB", "MB", "GB", "TB"):
            if value < _BYTES:
                break
            value, unit = value / _BYTES, larger
        return f"{self.number(value, 0 if unit == 'B' or value >= 10 else 1)} {unit}"


@functools.cache
def wording(language: str) -> Wording:
    """The wording of one of `LANGUAGES`."""
    text = (resources.files(__package__) / "strings" / f"{language}.toml").read_text("utf-8")
    return Wording(language, dict(_flat(tomllib.loads(text), "")))


def preferred(asked: str | None, accepted: str) -> str:
    """The language of a visitor: the one that was chosen, else the first of the browser's that there is."""
    if asked in LANGUAGES:
        return str(asked)
    for part in accepted.split(","):
        tag = part.partition(";")[0].strip().lower().partition("-")[0]
        if tag in LANGUAGES:
            return tag
    return LANGUAGES[0]


def _flat(table: Mapping[str, Any], within: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, value in table.items():
        key = f"{within}{name}"
        found += _flat(value, f"{key}.") if isinstance(value, Mapping) else [(key, str(value))]
    return found
