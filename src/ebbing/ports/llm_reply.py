"""What a language model said, and whether it has the shape it was asked for.

The shape is asked for as a JSON schema, in the part of JSON Schema that Ebbing uses. This is no validator for
anybody's schemas: a keyword it does not know is refused rather than passed over, because a rule that nobody
checks would be believed. A fault names the place and the rule and never a text, which may be somebody's memory
on its way into a log.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from ..domain.errors import Invalid, Malformed
from ..domain.memory import storable

Schema = Mapping[str, Any]

_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "array": list,
    "boolean": bool,
    "integer": int,
    "null": type(None),
    "number": (int, float),
    "object": dict,
    "string": str,
}
_KEYWORDS = {
    *("title", "description"),  # for the model to read
    *("type", "enum", "properties", "required", "additionalProperties", "items"),
    *("minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength"),
}
_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)\n?\s*```", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Usage:
    """What answers cost, as the model's server counts it; 0 where it does not count."""

    calls: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.answer_tokens + other.answer_tokens,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What a language model said."""

    text: str
    value: Any = None  # what the text means as JSON, when a schema was given: it fits that schema
    complete: bool = True  # False when it broke off at the limit of tokens
    usage: Usage = Usage()


def read(text: str, schema: Schema) -> Any:
    """The JSON in a model's text, of the shape asked for; a code fence around it is forgiven."""
    fenced = _FENCED.fullmatch(text.strip())
    try:
        value = json.loads(fenced[1] if fenced else text, parse_constant=_no_number)
        wrong = next(faults(value, schema), None)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"this is no JSON: {_where(error)}") from None
    if wrong:
        raise Malformed(wrong)
    return value


def faults(value: Any, schema: Schema, at: str = "the answer") -> Iterator[str]:
    """Everything in which the value is not as the schema says."""
    _check_keywords(schema)
    if not storable(value):
        yield f"{at} holds characters or numbers that cannot be kept"
    elif "type" in schema and not any(_is(value, kind) for kind in _several(schema["type"])):
        yield f"{at} is not of type {' or '.join(_several(schema['type']))}"
    elif "enum" in schema and value not in schema["enum"]:
        yield f"{at} is not one of {', '.join(map(str, schema['enum']))}"
    elif isinstance(value, dict):
        yield from _faults_of_object(value, schema, at)
    elif isinstance(value, list):
        yield from _outside(len(value), schema, "Items", f"{at} has {{}} entries")
        for number, item in enumerate(value):
            yield from faults(item, schema.get("items", {}), f"{at}[{number}]")
    elif isinstance(value, str):
        yield from _outside(len(value), schema, "Length", f"{at} has {{}} characters")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from _outside(value, schema, "imum", f"{at} is {{}}")


def is_closed(schema: Schema) -> bool:
    """Whether every object in it lists all it may hold and must hold all it lists: what strict servers demand."""
    parts = schema.get("properties", {})
    if "object" in _several(schema.get("type", ())) and (
        schema.get("additionalProperties") is not False or set(schema.get("required", ())) != set(parts)
    ):
        return False
    inner = [*parts.values(), *([schema["items"]] if "items" in schema else [])]
    return all(map(is_closed, inner))


def _faults_of_object(value: Mapping[str, Any], schema: Schema, at: str) -> Iterator[str]:
    parts = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{at} has no {name!r}"
    if schema.get("additionalProperties") is False and not value.keys() <= parts.keys():
        yield f"{at} holds more than {', '.join(parts) or 'nothing'}"
    for name, part in parts.items():
        if name in value:
            yield from faults(value[name], part, f"{at}.{name}")


def _outside(number: float, schema: Schema, what: str, sentence: str) -> Iterator[str]:
    least, most = schema.get(f"min{what}"), schema.get(f"max{what}")
    if least is not None and number < least:
        yield f"{sentence.format(number)}, and {least} is the least"
    if most is not None and number > most:
        yield f"{sentence.format(number)}, and {most} is the most"


def _is(value: Any, kind: str) -> bool:
    # For Python True is the number 1; for JSON it is not.
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _several(kinds: str | Sequence[str]) -> Sequence[str]:
    return (kinds,) if isinstance(kinds, str) else kinds


def _check_keywords(schema: Schema) -> None:
    unknown = schema.keys() - _KEYWORDS
    if unknown:
        raise Invalid(
            f"the schema uses {', '.join(sorted(unknown))}; what is checked is {', '.join(sorted(_KEYWORDS))}"
        )
    strange = [kind for kind in _several(schema.get("type", ())) if kind not in _TYPES]
    if strange:
        raise Invalid(f"the schema has the type {strange[0]!r}; types are {', '.join(_TYPES)}")


def _where(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} (character {error.pos})"
    return "it is nested too deeply" if isinstance(error, RecursionError) else "it holds a number nobody can read"


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
