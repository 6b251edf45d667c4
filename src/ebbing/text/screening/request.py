"""Screen a whole request: secrets are redacted in every field, and an injected instruction in any field is reported.

A memory is read back with its scope, tags, metadata, address and source, so an instruction or a key hidden there is
worth as much to an attacker as one in the text. Pure; a few linear searches over all fields together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from ...domain.errors import Invalid
from ..lazy_regex import lazily
from ..visible_text import shown
from .injection import suspicion
from .secret_assignments import is_odd_token, secret_kind
from .secrets import Redaction, redacted

# Words of an identifier are joined by signs or by capitals: ignore-all-rules, ignoreAllRules.
_JOINING = lazily(r"[-_.+:=|~*#@\\]+")
_HUMP = lazily(r"(?<=[a-z])(?=[A-Z])")
# Keys below the name of a secret that stand for its value: {"password": {"value": "…"}}.
_STANDS_FOR_VALUE = frozenset("value values current new old previous text plain plaintext raw data content".split())
_NEEDS_OWNER = frozenset("code combination key pin".split())  # whose it is says whether it is a secret
_NAMING = ("name", "key", "field", "label", "title")  # {"name": "DB_PASSWORD", "value": "…"}
_ADDRESSED_MAX = 200  # characters: a longer text at the address of a password is about it
_WORDS_MIN, _LETTERS_MIN = 3, 24  # fewer words, and too short to be encoded, tell nobody to do anything
_NAME_MAX = 40  # characters: a longer text in a list is no name of what follows
_SECRET_MIN = 8  # a shorter text is a secret only where its name says so
# A redacted secret with its name and what it is joined to: password=[redacted: password].
_REDACTED = lazily(r"(?:[\w.-]{1,40}\s?[:=]\s?)?[^\s\[]{0,60}\[redacted: [^\]\n]{1,40}\][^\s\[]{0,60}")
_GIVEN = lazily(r"(?:\b(?:is|are|was|to)\s|[:=]\s?)[\"'“‘`]?([^\s\"'”’`]{5,128}?)[\"'”’`]?[.!]?\s?\Z")
_ACROSS_MAX = 2000  # characters; a longer text is no beginning of an order
NOTHING_KNOWN = "It looks like an injected instruction"


@dataclass(frozen=True, slots=True)
class Screened:
    """The fields of a request as they may be kept, and what is to be said about them."""

    fields: dict[str, Any]
    redacted: tuple[str, ...] = ()  # the kinds of secrets that were taken out
    suspicions: Mapping[str, str] = field(default_factory=dict)  # field → why it looks like an injected instruction

    @property
    def suspicion(self) -> str | None:
        """Why the request looks like an injected instruction, in one sentence; None for a harmless one."""
        for name, why in self.suspicions.items():
            return why if name == "text" else f"In its {name}: {why}"
        return None


def screen(fields: Mapping[str, Any], *, redact: bool = True, quarantine: bool = True) -> Screened:
    """Every field of a request, nested as deep as it may be, without secrets; and which fields hold an instruction.

    `text` was cleaned and judged before, in more forms than the other fields need. Here it is redacted as a whole where
    the address says that it is a secret: subject "router", attribute "password". A tag or the last part of the scope
    may say so too. What is invisible goes in any case, so that no name looks like another one; metadata are the
    caller's own.
    """
    fields = {name: value if name in ("text", "metadata") else _shown(value, name) for name, value in fields.items()}
    kept = dict(fields)
    kinds: list[str] = []
    if redact:
        for name, value in fields.items():
            if name != "text":
                kept[name], found = without_secrets(value)
                kinds += found
        if kind := _secret_at_address(kept):
            kept["text"] = f"[redacted: {kind}]"
            kinds.append(kind)
        elif odd := _secret_words_at_address(kept) or _secret_under_name(kept):
            kept["text"], kind = odd
            kinds.append(kind)
    if not quarantine:
        return Screened(kept, tuple(kinds))
    suspicions = _suspicions(_texts_beside(fields))
    if kinds and not suspicions:
        left = {name: [_REDACTED.sub(" ", one) for one in several] for name, several in _texts_beside(kept).items()}
        suspicions = _suspicions({name: [one for one in several if one.strip()] for name, several in left.items()})
    if not suspicions and (why := _suspicion_across(fields)) is not None:
        suspicions = {"fields": why}
    return Screened(kept, tuple(kinds), suspicions)


def suspicion_around_secrets(text: str, secrets: Redaction) -> str | None:
    """Why a text looks like an injected instruction: as it is kept, as it was before its secrets were redacted, or
    without them. A secret in the middle of an order hides it, and so does the mark in its place."""
    tries = (secrets.text, text, _REDACTED.sub(" ", secrets.text)) if secrets.kinds else (secrets.text,)
    return next((why for one in dict.fromkeys(tries) if (why := suspicion(one)) is not None), None)


def _shown(value: Any, what: str) -> Any:
    """A name, or several, with nothing invisible in them."""
    if not isinstance(value, str):
        return type(value)(_shown(one, what) for one in value) if isinstance(value, list | tuple) else value
    if value.isascii():
        return value
    seen = shown(value)
    if not seen.strip():
        raise Invalid(f"{what} {value!a} shows nothing; give a few words of text")
    return type(value)(seen)


def clean_name(value: str, what: str, *, redact: bool = True, quarantine: bool = True) -> str:
    """A name or a reason that is kept by itself, where nothing can be quarantined: an instruction in it is refused."""
    screened = screen({what: value}, redact=redact, quarantine=quarantine)
    if screened.suspicions:
        why = screened.suspicions[what]
        raise Invalid(f"{what} looks like an instruction to a model ({why.rstrip('.')}); say it in other words")
    return str(screened.fields[what])


def without_secrets(value: Any, names: Sequence[str] = ()) -> tuple[Any, tuple[str, ...]]:
    """A value of JSON types with the secrets in its texts and keys redacted, and their kinds.

    `names` are what the value is called: its key, and its key's key where that one says more.
    """
    if isinstance(value, str) or (names and isinstance(value, int | float) and not isinstance(value, bool)):
        return _text_without_secrets(value, names)
    if isinstance(value, Mapping):
        return _mapping_without_secrets(value, names)
    if isinstance(value, list | tuple):
        if names and (kind := _kind_in_all(value, names)):
            return type(value)([f"[redacted: {kind}]"]), (kind,)
        # A list may stand for a name and its value: ["password", "…"].
        former = (None, *value)  # one longer
        parts = [
            without_secrets(part, [*names, *_naming(before, part)]) for before, part in zip(former, value, strict=False)
        ]
        kept = [part for part, _ in parts]
        return tuple(kept) if isinstance(value, tuple) else kept, tuple(kind for _, kinds in parts for kind in kinds)
    return value, ()


def _kind_in_all(values: Sequence[Any], names: Sequence[str]) -> str | None:
    """The kind of secret that short texts are together: {"seed_phrase": ["witch", "collapse", …]}."""
    if len(values) < _WORDS_MIN or not all(isinstance(one, str) and one.isalpha() for one in values):
        return None
    together = " ".join(values)
    return next((kind for name in names if (kind := secret_kind(name, together))), None)


def _naming(before: Any, value: Any) -> list[str]:
    """The text before a value in a list or a path, where it may be the name of it and the value looks like no word."""
    named = isinstance(before, str) and len(before) <= _NAME_MAX and not is_odd_token(before)
    return [before] if named and isinstance(value, str) and is_odd_token(value) else []


def _path_without_secrets(value: str) -> tuple[str, tuple[str, ...]]:
    """A path whose parts may stand for a name and its value: /router/password/…"""
    parts = value.split("/")
    kinds: list[str] = []
    for place, (before, part) in enumerate(pairwise(parts), 1):
        if _naming(before, part) and (kind := secret_kind(before, part)):
            parts[place] = f"[redacted: {kind}]"
            kinds.append(kind)
    return "/".join(parts), tuple(kinds)


def _text_without_secrets(value: Any, names: Sequence[str]) -> tuple[Any, tuple[str, ...]]:
    if names and str(value).strip():
        kind = next((kind for name in names if (kind := secret_kind(name, str(value)))), None)
        if kind is not None:
            return f"[redacted: {kind}]", (kind,)
    if len(str(value)) < _SECRET_MIN:
        return value, ()
    clean = redacted(str(value))
    text, kinds = _path_without_secrets(clean.text) if "/" in clean.text else (clean.text, ())
    kinds = (*clean.kinds, *kinds)
    if not kinds:
        return value, ()
    return type(value)(text) if isinstance(value, str) else text, kinds  # a scope stays one


def _mapping_without_secrets(value: Mapping[Any, Any], names: Sequence[str]) -> tuple[dict[Any, Any], tuple[str, ...]]:
    kept: dict[Any, Any] = {}
    kinds: list[str] = []
    key_name = next((value[key] for key in _NAMING if isinstance(value.get(key), str)), None)
    for key, part in value.items():
        name, named = _text_without_secrets(key, ())
        if str(key).lower() in _STANDS_FOR_VALUE:
            above = [*names, *([key_name] if key_name is not None else [])]
        else:  # {"passwords": {"router": "…"}}, {"door": {"code": …}}
            joined = str(key).lower() in _NEEDS_OWNER or (isinstance(part, str) and is_odd_token(part))
            above = [f"{one.rstrip('s')}_{key}" for one in names] if joined else []
        clean, found = without_secrets(part, [str(key), *above])
        kept[_unused(name, kept)] = clean
        kinds += [*named, *found]
    return kept, tuple(kinds)


def _unused(name: Any, taken: Mapping[Any, Any]) -> Any:
    """Two keys that were secrets of one kind are still two."""
    number, free = 2, name
    while free in taken:
        number, free = number + 1, f"{name} {number}"
    return free


def _secret_at_address(fields: Mapping[str, Any]) -> str | None:
    text, subject, attribute = (fields.get(name) for name in ("text", "subject", "attribute"))
    if not isinstance(text, str) or attribute is None or len(text) > _ADDRESSED_MAX:
        return None
    return next((kind for name in _address(subject, attribute) if (kind := secret_kind(name, text.strip()))), None)


def _secret_words_at_address(fields: Mapping[str, Any]) -> tuple[str, str] | None:
    """A short sentence at the address of a secret without the word in it that is none, and the kind: "It is …"."""
    text, subject, attribute = (fields.get(name) for name in ("text", "subject", "attribute"))
    if not isinstance(text, str) or attribute is None or len(text) > _ADDRESSED_MAX:
        return None
    for word in text.split():
        bare = word.strip("\"'“”‘’`.,;:?!()")
        kinds = (secret_kind(name, bare) for name in _address(subject, attribute)) if is_odd_token(bare) else ()
        if kind := next(filter(None, kinds), None):
            return text.replace(bare, f"[redacted: {kind}]"), kind
    return None


def _secret_under_name(fields: Mapping[str, Any]) -> tuple[str, str] | None:
    """The text without the secret that a tag or the scope names, and its kind.

    A tag is also what a sentence is about, so only a text of one word is a value, and the odd word that ends a sentence
    like "It is …".
    """
    text = fields.get("text")
    if not isinstance(text, str) or len(text) > _ADDRESSED_MAX or "[redacted" in text:
        return None
    path = str(fields.get("scope") or "").split("/")
    names = [path[-1], " ".join(path[-2:]), *map(str, fields.get("tags") or ())]
    given = _GIVEN.search(text)
    value = text.strip() if len(text.split()) == 1 else given[1] if given and is_odd_token(given[1]) else ""
    kind = next((kind for name in names if name.strip() and (kind := secret_kind(name, value))), None)
    return None if kind is None else (text.replace(value, f"[redacted: {kind}]"), kind)


def _address(subject: Any, attribute: Any) -> tuple[str, ...]:
    return str(attribute), f"{subject} {attribute}", str(subject)


def _texts_beside(fields: Mapping[str, Any]) -> dict[str, list[str]]:
    return {name: list(dict.fromkeys(strings(value))) for name, value in fields.items() if name != "text"}


def _suspicions(texts: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Which fields hold an injected instruction, one by one or only when they are read one behind the other."""
    lines = "\n".join(_apart(one) for several in texts.values() for one in several)
    words = lines.split()
    run_on = " ".join(words)
    if len(words) < _WORDS_MIN and len(run_on) < _LETTERS_MIN and run_on.isascii():
        return {}
    if suspicion(lines) is None and (run_on == lines or suspicion(run_on) is None) and _raw(texts) is None:
        return {}
    found = {name: why for name, several in texts.items() if (why := _of_one(several)) is not None}
    return found or {"fields": f"{NOTHING_KNOWN} when they are read together."}


def _suspicion_across(fields: Mapping[str, Any]) -> str | None:
    """Why an order looks planted that begins in the text and goes on in another field, as both are read together."""
    text = fields.get("text")
    if not isinstance(text, str) or len(text) > _ACROSS_MAX or suspicion(text) is not None:
        return None
    unnamed = {name: list(part.values()) if isinstance(part, Mapping) else part for name, part in fields.items()}
    joined = (" ".join(map(_apart, several)) for several in _texts_beside(unnamed).values())
    read_on = (f"{text} {one}" for one in joined if len(one.split()) > 1)
    return next((f"{NOTHING_KNOWN} when they are read together." for one in read_on if suspicion(one)), None)


def _of_one(texts: Sequence[str]) -> str | None:
    """Why the texts of one field look like an instruction, as they are written or with their words apart."""
    spaced = [_apart(one) for one in texts]
    tries = ("\n".join(texts), "\n".join(spaced), " ".join(" ".join(spaced).split()))
    return next((why for one in dict.fromkeys(tries) if (why := suspicion(one)) is not None), None)


def _raw(texts: Mapping[str, Sequence[str]]) -> str | None:
    """As they are written: markup and encodings do not survive being taken apart."""
    return suspicion("\n".join(one for several in texts.values() for one in several))


def _apart(text: str) -> str:
    """An identifier as words, and each part of a path on a line of its own."""
    return _HUMP.sub(" ", _JOINING.sub(" ", text)).replace("/", "\n")


def strings(value: Any) -> Iterator[str]:
    """Every text in a value, keys before what they lead to."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield str(key)
            yield from strings(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from strings(part)
