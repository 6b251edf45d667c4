"""A text as the sequence of what it says, in one notation.

Made for comparing texts, not for finding them (terms.py): numbers, times and dates are written one way,
contractions are written out, what says nothing is left out, and each word tells what it decides:
whether it negates, limits, compares, dates, counts or names. Endings stay, for `worked` is not `works`.
English is what is known; of other languages every word is kept as it stands.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from .terms import STOP_WORDS, terms


class Kind(Enum):
    """What a word decides."""

    NEGATION = auto()
    CONDITION = auto()
    COMPARISON = auto()
    NUMBER = auto()
    NAME = auto()
    TIME = auto()
    TENSE = auto()
    LITERAL = auto()  # a code or a path
    LINK = auto()  # what ties the other words together: from, to, by, with
    WORD = auto()


@dataclass(frozen=True, slots=True)
class Word:
    form: str  # what is compared
    written: str  # as it stands in the text
    kind: Kind
    counted: bool = False  # behind `a`, `the` or `my` one is not several
    acted: bool = False  # surely a verb: `is` or `likes to` stood before it
    last: bool = False  # a comma, a full stop or nothing follows


KINDS = {  # of the words that turn or tie; every other is a name or a plain word
    word: kind
    for kind, words in {
        Kind.LINK: """of to from in on at by for with into through between among against across along around behind near
            off out and or as toward via per""",
        Kind.TIME: """today yesterday tomorrow tonight now currently recently lately soon later earlier ago already yet
            still again always often sometimes usually daily weekly monthly yearly formerly previously last next morning
            afternoon evening night week weekend month year day spring summer autumn winter monday tuesday wednesday
            thursday friday saturday sunday january february march april june july august september october november
            december""",
        Kind.TENSE: "be was were will did had been shall used anymore ever then before after since until during",
        Kind.COMPARISON: """more less fewer most least greater smaller bigger higher lower better worse best worst
            faster slower longer shorter older newer younger cheaper than above below over under beyond within almost
            about up down all every each any some both either half several many few much""",
        Kind.CONDITION: """if unless but except only when whenever while though however provided otherwise instead
            rather whether because despite besides excluding including where wherever assuming solely merely just
            exclusively once maybe probably possibly might may could would should must can""",
        Kind.NEGATION: """not no never none nobody nothing nowhere neither nor without hardly barely scarcely rarely
            seldom stop stops stopped stopping quit quits cease ceases ceased fail fails failed lack lacks refuse
            refuses refused""",
    }.items()
    for word in words.split()
}

# What comes and goes without saying anything, unless a negation stands before it. Not `very` or `only`: those weigh.
EMPHASIS = frozenset("really actually basically indeed also truly definitely certainly please".split())
_SMALL = frozenset("a an the that do".split())
_DETERMINERS = frozenset("a an the that this my your his her its our their".split())
_PLACES = frozenset("in on at near behind between among under above below".split())
SYNONYMS = {
    word: group.split("/")[0]
    for group in """until/till on/upon/onto toward/towards among/amongst while/whilst though/although maybe/perhaps
    everyone/everybody someone/somebody anyone/anybody okay/ok gray/grey and/& do/does have/has be/am/is/are
    12:00/noon 00:00/midnight percent/pct dollar/dollars/usd/bucks euro/euros/eur hour/hours/hr/hrs
    minute/minutes/min/mins second/seconds/secs millisecond/milliseconds/ms kilometer/kilometers/km
    centimeter/centimeters/cm kilogram/kilograms/kg pound/pounds/lb/lbs gigabyte/gigabytes/gb megabyte/megabytes/mb
    kilobyte/kilobytes/kb terabyte/terabytes/tb year/years/yr/yrs child/kid children/kids movie/film movies/films
    phone/telephone photo/photograph photos/photographs big/large bigger/larger begin/start begins/starts
    beginning/starting began/started buy/purchase buys/purchases bought/purchased january/jan february/feb april/apr
    august/aug september/sept/sep october/oct november/nov december/dec tuesday/tues thursday/thurs""".split()
    for word in group.split("/")
}
_WRITTEN_OUT = {"n't": "not", "'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would"}
_CONTRACTION = re.compile(r"(\w+?)(n't|'m|'re|'ve|'ll|'d|'s)")
_WITHOUT_APOSTROPHE = re.compile(r"(do|does|did|is|are|was|were|could|should|would|have|has|had|ca)nt")
_BEFORE_NOT = {"ca": "can", "wo": "will", "sha": "shall"}
_IS_BEHIND = frozenset("it that there here he she what who where when how".split())  # it's: it is; Ana's: of Ana
_TO_OR_ING = frozenset("like likes love loves prefer prefers hate hates begin begins continue continues".split())
_ACRONYMS = frozenset({"US", "IT", "WHO"})  # in small letters another word
_TO_NINETEEN = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen"""
_UNITS = {word: number for number, word in enumerate(_TO_NINETEEN.split())}
_TENS = {word: 10 * n for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_ORDINALS = {
    word: f"{number}th"
    for number, word in enumerate("first second third fourth fifth sixth seventh eighth ninth tenth".split(), 1)
}

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = rf"\b({'|'.join(_MONTHS)})(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?\b\.?"
_DAY = r"\b(\d{1,2})(?:st|nd|rd|th)?\b(?![:.]\d|\s*[ap]m)"
_YEAR = r"(?:\s*,?\s*(\d{4})\b)?"
_DAY_MONTH = re.compile(rf"{_DAY}\s+(?:of\s+)?{_MONTH}{_YEAR}", re.IGNORECASE)
_MONTH_DAY = re.compile(rf"{_MONTH}\s+(?:the\s+)?{_DAY}{_YEAR}", re.IGNORECASE)
_CLOCK = re.compile(r"\b(\d{1,2})(?::(\d\d))?(?:\s*([ap])\.?m\b\.?|(?<=:\d\d)\b(?!:))", re.IGNORECASE)
_AMOUNT = r"\d[\d.]*(?:[kKmMbB]n?\b|\s(?:thousand|million|billion)\b)?"
_NOTATIONS = (
    (re.compile(r"(?<=\d),(?=\d{3}(?!\d))"), ""),
    (re.compile(rf"\$\s?({_AMOUNT})"), r"\1 dollars"),
    (re.compile(rf"€\s?({_AMOUNT})"), r"\1 euros"),
    (re.compile(r"\bper cent\b|(?<=\d)\s*%"), " percent"),
    (re.compile(r"(?<=\d)(?=(?:km|cm|kg|lbs?|[gmkt]b|ms|hrs?|mins?|secs?|usd|eur)\b)", re.IGNORECASE), " "),
    (re.compile(r"(?<=\w)/(?=(?:second|minute|hour|day|week|month|year|user|person)\b)"), " per "),
)
_OPENER = re.compile(
    r"\s*(?:(?:[-*•]|\d{1,2}[.)])\s+)?"  # a place in a list
    r"(?:(?:so|however|therefore|thus|hence|additionally|moreover|furthermore|similarly|overall|anyway|in fact)\s*,)?",
    re.IGNORECASE,
)
_PERSONS = frozenset("i me my you your he him his she her it its we us our they them their".split())
_TELLING = frozenset({Kind.WORD, Kind.NAME, Kind.LITERAL, Kind.LINK})
_KEPT_CHARACTERS_MAX = 1000  # a longer text is read again: what is kept of a thousand must not fill the memory
_CHUNK = re.compile(r"`[^`]+`|\S+")
_PAUSES = ".,;:!?)…。！？、，；："
_OPENING = "\"'([{«“‘,;:¡¿*"
_CLOSING = f"\"']}}»”’*-—–{_PAUSES}"
_TO_THE_LETTER = re.compile(r"[`/\\_=]|[^\W\d]\d|\d[^\W\d]")
_LITERAL = re.compile(r"[`/\\_@=~^|<>+#&→£]|::|[^\W\d]\.[^\W\d]|^\.\w|^--?[A-Za-z]")
_INITIALS = re.compile(r"[A-Za-z](?:\.[A-Za-z])+")
_NUMBER = re.compile(r"[+-]?\d[\d.,:-]*")
_DATED = re.compile(rf"\d\d:\d\d|\d{{4}}-\d\d-\d\d|(?:{'|'.join(_MONTHS)})\.\d+")


def read(text: str) -> list[Word]:
    """What a text says, word by word."""
    return list(_kept(text) if len(text) <= _KEPT_CHARACTERS_MAX else _read(text))


@functools.lru_cache(maxsize=1024)
def _kept(text: str) -> tuple[Word, ...]:
    """Kept, because a sentence is asked several things, and compared with others again and again."""
    return tuple(_read(text))


def _read(text: str) -> list[Word]:
    return _owner_last(_without_unsaid(_without_emphasis(_in_digits(_words(text)))))


def compared_words(text: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The words that tell texts apart and those a statement turns on, in their order, and which are the latter."""
    found: list[str] = []
    turns: set[str] = set()
    for word in read(text):
        if _is_turn(word) or word.form in _PERSONS:
            turns.add(word.form)
            found.append(word.form)
        else:
            found += (term for term in terms(word.written) if term not in STOP_WORDS)
    return tuple(found), frozenset(turns)


def topic_terms(text: str) -> tuple[str, ...]:
    """What a text is about, without what it says of it: equal for a statement and its denial."""
    telling = (word for word in read(text) if word.kind is Kind.TIME or not _is_turn(word))
    return tuple(term for word in telling for term in terms(word.written) if term not in STOP_WORDS)


def is_mixed(word: str) -> bool:
    return any(letter.isupper() for letter in word[1:]) and any(letter.islower() for letter in word)


def _is_turn(word: Word) -> bool:
    """Whether with it, or without it, another thing is said."""
    return word.kind not in _TELLING and word.form != "be"


def _words(text: str) -> list[Word]:
    found: list[Word] = []
    text = text.lower() if text.isupper() else text
    for chunk in _CHUNK.findall(_in_one_notation(text)):
        inner = chunk if chunk == "'s" else chunk.lstrip(_OPENING).rstrip(_CLOSING)
        found += (_word(form) for form in _cut(inner))
        if found and (not inner or chunk[-1] in _PAUSES):
            found[-1] = replace(found[-1], last=True)
    return [*found[:-1], *(replace(word, last=True) for word in found[-1:])]


def _in_one_notation(text: str) -> str:
    """Without what ties a text to the one before it, and with one way of writing numbers and times; code stays."""
    text = _OPENER.sub("", unicodedata.normalize("NFC", text).replace("’", "'"), count=1)
    parts = re.split(r"(`[^`]+`)", text)
    for place in range(0, len(parts), 2):
        part = parts[place]
        for pattern, notation in _NOTATIONS:
            part = pattern.sub(notation, part)
        part = _DAY_MONTH.sub(lambda found: _date(found[2], found[1], found[3]), part)
        part = _MONTH_DAY.sub(lambda found: _date(*found.groups()), part)
        parts[place] = _CLOCK.sub(_time, part)
    return "".join(parts)


def _date(month: str, day: str, year: str | None) -> str:
    number = _MONTHS.index(month.lower()) + 1
    return f"{year}-{number:02}-{int(day):02}" if year else f"{month.lower()}.{int(day)}"


def _time(found: re.Match[str]) -> str:
    hour = int(found[1])
    if found[3]:
        hour = hour % 12 + (12 if found[3].lower() == "p" else 0)
    return f"{hour:02}:{found[2] or '00'}"


def _cut(chunk: str) -> Iterator[str]:
    """The words in what stands between two spaces."""
    if _INITIALS.fullmatch(chunk):
        yield chunk.replace(".", "")
    elif chunk == "&" or _LITERAL.search(chunk) or _NUMBER.fullmatch(chunk) or _DATED.fullmatch(chunk):
        yield chunk
    elif not any(letter.isalnum() for letter in chunk):
        # A sign by itself says something (three stars, a thumb up or down); punctuation does not.
        if any(unicodedata.category(letter)[0] == "S" for letter in chunk):
            yield chunk
    else:
        joined = re.sub(r"^(\w)-(?=\w)", r"\1", chunk)  # e-mail is email
        for word in filter(None, re.split(r"[-–—…]+", joined)):
            yield from _written_out(word)


def _written_out(word: str) -> tuple[str, ...]:
    lower = word.lower()
    if lower == "cannot":
        return ("can", "not")
    if bare := _WITHOUT_APOSTROPHE.fullmatch(lower):
        return (_BEFORE_NOT.get(bare[1], bare[1]), "not")
    short = _CONTRACTION.fullmatch(lower)
    if not short:
        return (word,)
    head, tail = word[: len(short[1])], short[2]
    if tail == "'s":
        return (head, "is") if short[1] in _IS_BEHIND else (head, "'s")
    return (_BEFORE_NOT.get(short[1], head) if tail == "n't" else head, _WRITTEN_OUT[tail])


def _word(written: str) -> Word:
    lower = written.lower()
    if _DATED.fullmatch(lower):
        return Word(lower, lower.replace(".", " "), Kind.TIME)
    if thousands := re.fullmatch(r"(\d+(?:\.\d+)?)k", lower):
        return Word(f"{float(thousands[1]) * 1000:.0f}", written, Kind.NUMBER)
    if ordinal := re.fullmatch(r"(\d+)(?:st|nd|rd|th)", lower):
        return Word(f"{ordinal[1]}th", written, Kind.NUMBER)
    if _NUMBER.fullmatch(lower):
        return Word(lower, written, Kind.NUMBER)
    if written in _ACRONYMS:
        return Word(written, written, Kind.NAME)
    form = SYNONYMS.get(lower, lower)
    if form not in KINDS and (_LITERAL.search(written) or not any(map(str.isalnum, written))):
        return Word(written if _TO_THE_LETTER.search(written) else lower, written, Kind.LITERAL)
    if _DATED.fullmatch(form):
        return Word(form, written, Kind.TIME)
    if _TO_THE_LETTER.search(written) and is_mixed(written):
        form = written
    kind = KINDS.get(form, Kind.NAME if written[0].isupper() and lower not in STOP_WORDS else Kind.WORD)
    if KINDS.get(form.removesuffix("s")) is Kind.TIME:
        kind = Kind.TIME
    return Word(_as_in_america(form), written, kind)


def _as_in_america(word: str) -> str:
    word = re.sub(r"(?<=[a-z]{3})our(?=s?$|ed$|ing$|ite|able|ful|hood)", "or", word)
    word = re.sub(r"(?<=[a-z]{4})is(?=e[sd]?$|ing$|ation)", "iz", word)
    return re.sub(r"(?<=[a-z]{2})tre(?=s?$)", "ter", word)


def _in_digits(words: Sequence[Word]) -> list[Word]:
    """Spelled numbers as digits: two hundred is 200, and the third is the 3rd."""
    found: list[Word] = []
    place = 0
    while place < len(words):
        value, used = _spelled([word.form for word in words[place : place + 8]])
        if used:
            written = " ".join(word.written for word in words[place : place + used])
            found.append(Word(str(value), written, Kind.NUMBER, last=words[place + used - 1].last))
        else:
            word = words[place]
            is_unit = word.form == "second" and found and found[-1].kind is Kind.NUMBER
            if word.form in _ORDINALS and not is_unit and word.written.lower() != "seconds":
                word = replace(word, form=_ORDINALS[word.form], kind=Kind.NUMBER)
            found.append(word)
        place += used or 1
    return found


def _spelled(forms: Sequence[str]) -> tuple[int, int]:
    """The number that the first words spell, and how many of them do."""
    total = current = used = 0
    for form in forms:
        is_scaled = form.isdecimal() and not used and forms[1:2] and forms[1] in _SCALES and len(form) < 16
        small = int(form) if is_scaled else _UNITS.get(form)
        if form in _TENS and current % 100 == 0:
            current += _TENS[form]
        elif small is not None and (not current or current % 100 == 0 or (current % 100 >= 20 and small < 10)):
            current += small
        elif form in _SCALES:
            current = (current or 1) * _SCALES[form]
            if form not in ("hundred", "dozen"):
                total, current = total + current, 0
        else:
            break
        used += 1
    return total + current, used


def _without_emphasis(words: Sequence[Word]) -> list[Word]:
    """`is really running` as `is running`, before anything is made of what stands beside what; `not really` stays."""
    found: list[Word] = []
    for word in words:
        if word.form not in EMPHASIS or (found and found[-1].kind is Kind.NEGATION):
            found.append(word)
        elif found and word.last:
            found[-1] = replace(found[-1], last=True)
    return found


def _without_unsaid(words: Sequence[Word]) -> list[Word]:
    found: list[Word] = []
    counting = 0
    is_verb = False
    for place, word in enumerate(words):
        before = words[place - 1] if place else None
        if _is_unsaid(word, before, words[place + 1 : place + 3]):
            if found and word.last:
                found[-1] = replace(found[-1], last=True)
            is_verb = word.form in ("be", "to")
        else:
            counting = 0 if word.kind is Kind.LINK else counting
            found.append(replace(word, counted=counting > 0, acted=is_verb))
            is_verb = False
        counting = 3 if word.form in ("a", "an") else 1 if word.form in _DETERMINERS else counting - 1
    return found


def _is_unsaid(word: Word, before: Word | None, behind: Sequence[Word]) -> bool:
    following = behind[0].form if behind else ""
    if word.form == "be":  # is working: works; there is a cat: a cat
        return following.endswith("ing") or following in _PLACES or (before is not None and before.form == "there")
    if word.form == "there":
        return following == "be"
    if word.form == "have":  # has moved to Rome: moved to Rome; but not: has limited access
        return following.endswith("ed") and (behind[0].last or behind[-1].kind is Kind.LINK)
    if word.form == "to":
        return before is not None and before.form in _TO_OR_ING
    if word.form == "too":
        return not following
    return word.form in _SMALL


_OWNER_WORDS_MAX = 24  # what owns something is moved behind it, so a longer chain of owners begins anew


def _owner_last(words: Sequence[Word]) -> list[Word]:
    """`Ana's dog` as `dog of Ana`, and `Ana's brother's dog` as `dog of brother of Ana`."""
    found: list[Word] = []
    owner_from = owner_to = 0
    left = iter(words)
    for word in left:
        owned = next(left, None) if word.form == "'s" and found else None
        if owned is None:
            found.append(word)
            continue
        if owner_to != len(found) or owner_to - owner_from > _OWNER_WORDS_MAX:
            owner_from = len(found) - 1
            first = max(0, len(found) - _OWNER_WORDS_MAX)
            while owner_from > first and _is_one_name(found[owner_from - 1], found[owner_from]):
                owner_from -= 1
        owner = found[owner_from:]
        found[owner_from:] = [replace(owned, last=False), Word("of", "of", Kind.LINK), *owner]
        found[-1] = replace(found[-1], last=owned.last)
        owner_to = len(found)
    return found


def _is_one_name(first: Word, second: Word) -> bool:
    return first.kind is second.kind is Kind.NAME and not first.last
