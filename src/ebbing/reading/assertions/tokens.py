"""A text as sentences of tokens: words with their capitals, numbers, dates and signs, each in one notation.

Other than wording.py this keeps articles and word order, for who is spoken of hangs on them, and it is quick: it runs
on every write. Code blocks are left out, and of a long text only the beginning is read.
"""

from __future__ import annotations

import functools
import re
from enum import StrEnum
from typing import NamedTuple

from ...terms import terms


class Sort(StrEnum):
    WORD = "word"
    NAME = "name"  # begins with a capital letter
    NUMBER = "number"
    DATE = "date"  # a day, a month, a year
    CLOCK = "clock"  # a time of day
    LITERAL = "literal"  # code, a path, an address, something quoted
    PAUSE = "pause"


class Token(NamedTuple):
    form: str  # what is compared
    written: str
    sort: Sort
    unit: str = ""  # of a number: dollar, percent, ms


Sentence = list[Token]

_CHARACTERS_MAX = 2000
_SENTENCES_MAX = 16
_TOKENS_MAX = 80  # of a sentence; what follows is read as the next

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_TOKEN = re.compile(
    rf"""
    (?P<plain>[a-z]+(?=\ [^\d\s]))
    | (?P<code>`[^`\n]+` | "[^"\n]{{1,80}}" | “[^”\n]{{1,80}}” | (?:https?://|/|~/)[\w./-][^\s,;)]*[\w/]
        | [\w.+-]+@[\w-]+(?:\.[\w-]+)+ | --?[a-z][\w-]+ | \+?\d[\d() -]{{5,}}\d | [A-Za-z]+_\w+)
    | (?P<date>\b(?i:{_MONTH})\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?!:)(?:\s*,?\s*\d{{4}}\b)?
        | \b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?i:{_MONTH})(?:\s*,?\s*\d{{4}}\b)?
        | \b(?i:{_MONTH})\s+\d{{4}}\b
        | \b\d{{4}}-\d\d-\d\d\b | \b\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?\b)
    | (?P<clock>\b\d{{1,2}}(?::\d\d)?\s*(?i:[ap]\.?m)\b\.? | \b\d{{1,2}}:\d\d\b)
    | (?P<number>(?:[$€£]\s?)?(?<![\w.])[vV]?\d+(?:,\d{{3}})*(?:\.\d+)*(?:(?i:st|nd|rd|th)\b|\s?%|[a-zA-Z]{{1,4}}\b)?)
    | (?P<word>(?<=\s)['’]s\b | (?:[^\W\d_]\.){{2,}} | [^\W_](?:[\w]|[-'’&./+#](?=\w)|[+#](?![\w]))*)
    | (?P<pause>\n+ | \.(?:\.+)? | [,;:!?()=—–…。！？] | \s-{{1,2}}\s)
    """,
    re.VERBOSE,
)
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_PARTS = re.compile(r"([$€£]?)\s?[vV]?(\d+(?:\.\d+)*)\s?(%|[a-z]*)")
_CURRENCY = {"$": "dollar", "€": "euro", "£": "pound"}
_SCALES = {"k": 1000, "m": 10**6, "b": 10**9, "thousand": 1000, "million": 10**6, "billion": 10**9}
_ORDINAL = frozenset("st nd rd th".split())
_UNITS = {  # written one way
    word: group.split("/")[0]
    for group in """ms/millisecond/milliseconds second/seconds/sec/secs/s minute/minutes/min/mins hour/hours/hr/hrs/h
    day/days week/weeks month/months year/years/yr/yrs percent/% kg/kilogram/kilograms/kilo/kilos
    pound/pounds/lb/lbs km/kilometer/kilometers/kilometre/kilometres cm/centimeter/centimeters/centimetres
    mile/miles gb/gigabyte/gigabytes mb/megabyte/megabytes tb/terabyte/terabytes dollar/dollars/usd/bucks
    euro/euros/eur degree/degrees""".split()
    for word in group.split("/")
}
_SPELLED = {
    word: str(number)
    for number, word in enumerate(
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
        seventeen eighteen nineteen""".split()
    )
} | {word: str(10 * n) for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_DAYS = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday tonight weekend
    january february april june july august september october november december""".split()
)
_BEFORE_YEARS = frozenset("in since until till during by of from before after around year".split())
_ABBREVIATED = frozenset(
    """mr mrs ms dr prof st sr jr inc ltd co corp vs etc approx dept est no mt ft gen col sgt rev hon""".split()
)
_SHORT = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would"}
_BEFORE_NOT = {"ca": "can", "wo": "will", "sha": "shall"}
_BARE_NOT = re.compile(r"(do|does|did|is|are|was|were|could|should|would|has|had|have)nt")
_IS_BEHIND = frozenset("it that there here he she what who where when how this everything".split())
_OPENING = frozenset(("", ".", "!", "?", ",", ":", ";", "\n"))
_NOT = Token("not", "not", Sort.WORD)
_ENDS = frozenset(".!?…。！？")


def sentences(text: str) -> list[Sentence]:
    """The first sentences of a text, without those that ask; a sign at the end of one is left out."""
    found: list[Sentence] = []
    current: Sentence = []
    line = _with_verbs(_tokens(_FENCE.sub("\n", text[:_CHARACTERS_MAX])))
    for place, token in enumerate(line):
        is_end = token.sort is Sort.PAUSE and _is_end(token, current, line[place + 1 : place + 2])
        if is_end or len(current) >= _TOKENS_MAX:
            if current and token.form not in ("?", "？"):
                found.append(current)
            current = []
            if len(found) >= _SENTENCES_MAX:
                break
        elif current or token.sort is not Sort.PAUSE:
            current.append(token)
    else:
        if current:
            found.append(current)
    return found


def _with_verbs(line: list[Token]) -> list[Token]:
    """`the call's moved to Friday` with its `is`."""
    for place in range(1, len(line) - 2):
        if line[place].form == "'s" and line[place + 1].form.endswith("ed") and line[place + 2].form in ("to", "from"):
            line[place] = Token("is", "'s", Sort.WORD)
    return line


@functools.lru_cache(maxsize=20_000)
def stem(form: str) -> str:
    """A word without its ending; of a sign itself."""
    return next(iter(terms(form)), form)


def _is_end(token: Token, before: Sentence, behind: list[Token]) -> bool:
    if token.form == "\n":
        return True
    if token.form not in _ENDS:
        return False
    following = behind[0] if behind else None
    if token.form != "." or following is None or following.form == "\n":
        return True
    last = before[-1] if before else None
    if last is None or last.form in _ABBREVIATED or (len(last.written) == 1 and last.written.isupper()):
        return last is not None and last.written == "I"
    return not following.written[0].islower() and following.sort is not Sort.PAUSE


def _tokens(text: str) -> list[Token]:
    found: list[Token] = []
    before = ""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "plain":  # most words: small letters and then a space, which mean the same wherever they stand
            tokens = _words(match[0], False, False)
            found += tokens
            before = tokens[-1].form
            continue
        written = match[0].strip(" \t\r")
        if kind == "word":
            tokens = _words(written, before in _OPENING, before in _BEFORE_YEARS)
            found += tokens
            before = tokens[-1].form
            continue
        found.append(_sign(kind, match[0], written, before))
        before = written.lower()
    return found


def _sign(kind: str | None, whole: str, written: str, before: str) -> Token:
    """What is no word."""
    match kind:
        case "pause":
            form = "\n" if "\n" in whole else written[0]
            return Token("—" if form in "-–" else form, written, Sort.PAUSE)
        case "number":
            return _number(written, before)
        case "date":
            return Token(_date(written.lower()), written, Sort.DATE)
        case "clock":
            return Token(_clock(written.lower()), written, Sort.CLOCK)
        case _:
            return Token(written.strip('`"“”'), written, Sort.LITERAL)


@functools.lru_cache(maxsize=20_000)
def _words(written: str, opening: bool, dated: bool) -> tuple[Token, ...]:
    """The words in what stands between two spaces: `don't` is two. The first of a sentence is known by no capital."""
    lower = written.lower().replace("’", "'")
    if lower == "'s":
        return (Token(lower, written, Sort.WORD),)
    if lower == "cannot":
        return (Token("can", "can", Sort.WORD), _NOT)
    if lower.endswith("n't") and len(lower) > 3:
        return (_word(_BEFORE_NOT.get(lower[:-3], lower[:-3]), opening, dated), _NOT)
    if bare := _BARE_NOT.fullmatch(lower):
        return (_word(bare[1], opening, dated), _NOT)
    if lower.endswith(("'m", "'re", "'ve", "'ll", "'d")) and lower[0] != "'":
        cut = lower.rindex("'")
        return (_word(written[:cut], opening, dated), Token(_SHORT[lower[cut:]], lower[cut:], Sort.WORD))
    if lower.endswith("'s"):
        tail = "is" if lower[:-2] in _IS_BEHIND else "'s"
        return (_word(written[:-2], opening, dated), Token(tail, "'s", Sort.WORD))
    return (_word(written, opening, dated),)


def _word(written: str, opening: bool, dated: bool) -> Token:
    lower = written.lower().replace("’", "'")
    if lower in _SPELLED and lower != "one" and (written == lower or opening):
        return Token(_SPELLED[lower], written, Sort.NUMBER)
    if lower.rstrip("s") in _DAYS or (lower in ("may", "march") and written[0].isupper() and dated):
        return Token(lower.rstrip("s"), written, Sort.DATE)
    if lower == "noon":
        return Token("12:00", written, Sort.CLOCK)
    if "/" in written or "." in written[:-1].strip(".") or any(map(str.isdigit, written)):
        sort = Sort.NAME if written[0].isupper() else Sort.LITERAL
        return Token(lower, written, sort)
    return Token(lower, written, Sort.NAME if written[0].isupper() and lower != "i" else Sort.WORD)


def _number(written: str, before: str) -> Token:
    parts = _PARTS.match(written.lower().replace(",", ""))
    if parts is None:  # pragma: no cover  (the token's own pattern lets nothing else through)
        return Token(written, written, Sort.LITERAL)
    sign, digits, tail = parts.groups()
    if not sign and not tail and len(digits) == 4 and digits[:2] in ("19", "20") and before in _BEFORE_YEARS:
        return Token(digits, written, Sort.DATE)
    if tail in _SCALES and digits.count(".") < 2:
        digits, tail = f"{float(digits) * _SCALES[tail]:.0f}", ""
    if tail in _ORDINAL:
        return Token(digits + "th", written, Sort.NUMBER)
    return Token(digits, written, Sort.NUMBER, _CURRENCY.get(sign) or _UNITS.get(tail, tail))


def unit(form: str) -> str:
    """The one way of writing a unit, or nothing."""
    return _UNITS.get(form, "")


def scale(form: str) -> int:
    """What a word such as thousand multiplies by, or 0; single letters are none."""
    return _SCALES.get(form, 0) if len(form) > 1 else 0


def _date(written: str) -> str:
    if "/" in written or written[4:5] == "-":
        return written
    month = next(index for index, name in enumerate(_MONTHS, 1) if name in written)
    numbers = re.findall(r"\d+", written)
    day = next((int(number) for number in numbers if len(number) < 3), 0)
    year = next((number for number in numbers if len(number) == 4), "")
    return f"{year}-{month:02}" + (f"-{day:02}" if day else "")


def _clock(written: str) -> str:
    hour, _, minute = re.sub(r"[^\d:]", "", written).partition(":")
    late = "p" in written
    number = int(hour) % 12 + 12 * late if late or "a" in written else int(hour)
    return f"{number:02}:{minute or '00'}"
