"""Passwords told in a sentence: before their name, behind it, or in the next sentence.

"copper-owl-31 is the router password", "the password you need is …", "I rotated the password. New one is …". Prose
proves less than `password=`, so only a value that no word looks like counts. Each is looked for in a bounded stretch
around the name, so the search is linear.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..lazy_regex import lazily
from ..terms import STOP_WORDS

NAME_CUES: Final = ("pass", "pin", "pw", "kennwort", "contrase", "senha", "wifi", "wi-fi", "wlan", "hotspot")

_NAME = lazily(
    r"(?i)\b(?:pass[ -]?word|passphrase|passcode|passwd|passwort|kennwort|contraseña|senha|pin(?: code)?|pwd?"
    r"|(?:wi-?fi|wlan|hotspot)[ -](?:key|code))s?\b"
)
_QUOTE = r"[\"'“‘`]?"
_VALUE = rf"{_QUOTE}(?P<value>[^\s\"'”’`]{{4,64}})"
_IS = (
    r"(?:\s(?i:is|was|will be|should be|must be)(?:\s(?i:now|currently|set to|just|simply))?|['’]s(?:\snow)?"
    r"|\s?[:=])\s{0,2}"
)
_NEXT_SENTENCE = lazily(
    r"(?P<rest>[^.!?;:\n]{0,80})[.!?;:,\n–—-]{1,3}\s{0,3}(?:(?i:and|so|but|now|then|as of \w+),?\s)?"
    r"(?i:(?:the\s|my\s|our\s|its\s)?(?:new|current|latest|updated|changed|fresh|right|correct|real|actual)\s"
    r"(?:one|value|it|password|pin|code|passphrase)|it(?=['’]s|\s)|this one|that one|the one|mine|ours)"
    rf"{_IS}{_VALUE}"
)
# "The password changed. Use …": what one is told to type.
_TO_TYPE = lazily(
    r"(?P<rest>[^.!?;:\n]{0,80})[.!?;:,\n–—-]{1,3}\s{0,3}(?:(?i:and|so|but|now|then|please|just|always),?\s){0,2}"
    rf"(?i:use|type|enter|try|log in with|sign in with)\s(?i:the new\s|instead\s)?{_VALUE}"
)
_BEHIND: Final = (
    # "the password you need is …"
    lazily(rf"(?P<rest>\s(?i:that|which|you|we|i|they|he|she|everyone|everybody)\s[^.!?;:\n]{{0,60}}?){_IS}{_VALUE}"),
    # "password → …"
    lazily(rf"(?P<rest>)\s{{0,3}}(?:→|⇒|-+>|=+>)\s{{0,3}}{_VALUE}"),
    # "the password, …, is on the fridge", "the password – … – is on the fridge"
    lazily(rf"(?P<rest>)(?:,|\s[–—-]{{1,2}})\s{_VALUE}(?=,|\s[–—-])"),
    # "the password 7f-Kestrel" where nothing follows
    lazily(rf"(?P<rest>)\s{_VALUE}(?=[.!?,;)]?\s*(?:\Z|\n))"),
)
_FROM_TO = lazily(r"(?P<rest>[^.!?;:\n]{0,40}?)\s(?i:from)\s(?P<value>\S{4,64})\s(?i:to|into)\s(?P<other>\S{4,64})")
_BEFORE = lazily(
    rf"(?:\A|(?<=[\s(])){_VALUE}[\"'”’`]?\s(?i:is|was|as|for)\s(?i:now\s|still\s)?"
    r"(?i:the|my|our|his|her|their|your|its|a|[\w-]{1,24}['’]s)\s(?:[\w'’-]{1,24}\s){0,4}\Z"
)
_BEFORE_LETTERS = 150
_NAME_ENDS = lazily(r"(?i)\s*(?:[.,;:!?)\n]|\Z|(?:for|to|of|on|at|in|and|but|now|until|since)\b)")
_ABOUT_PASSWORDS = lazily(
    r"(?i)\s(?:manager|reset|policy|hint|field|prompt|store|vault|form|rule|length|page|dialog|app|hash|hashing)"
)
_PLAIN_VALUE = lazily(
    r"(?i)v?\d+(?:[.:/-]\d+)+\w{0,3}\Z|\d+(?:st|nd|rd|th|%|am|pm|\w{1,2})?\Z|[$€£]|\d+-?(?:bit|byte|char|day|hour|min|sec"
    r"|digit|week|month|year|word|letter|symbol)|[a-z]+['’](?:s|t|re|ve|ll|d)\Z|.*password|\w+@\w+\.|https?:"
)
_STAND_IN = lazily(
    r"(?i)[$%<{\[(*•]|x{3,}|\.{3}|your|example|password\Z|secret\Z|placeholder|changeme\Z|\d{1,5}\Z|/|https?:"
)
# Names that hold digits and are known to everybody: protocols, ciphers, products with a version.
_TECHNICAL = lazily(
    r"(?i)(?:base|sha|md|utf|oauth|aes|rsa|rs|hs|es|pbkdf|argon|bcrypt|scrypt|ssh|tls|ssl|http|wpa|fido|saml|ipv|mp|win"
    r"|windows|python|py|node|php|java|web|log|route|area|part|level|step|phase|chapter|section|page|row|room|version|v"
    r"|q|h)[-_. /]?\d[\w.+-]*\Z|[23]fa\Z|[a-z]*1password\Z|[\w-]+\.(?:[a-z]{2,5})\Z|[\d.,]+[a-z]{1,2}\Z"
)
# Plain words behind "passphrase:" or "passphrase is" to the end of the line.
_WORDS_ALONE = lazily(
    r"(?i:pass ?phrase)(?:\s?[:=]|(?P<told>\s(?:is|was)))\s{0,3}"
    r"(?P<words>[a-z]{3,10}(?:[ -][a-z]{3,10}){3,7})(?=[.,;)]?[ \t]*(?:\Z|\n))"
)
_DESCRIBING = lazily(r"\w(?:ed|ing|ly|ous|ful|able)\b")  # "the passphrase is shared among three people"
_HOLDING: Final = frozenset(
    """the and are was were has had his her our their from not but for with who which will would can could should does
    did been being its than because these those whose where while your yours him them she see ask must words word long
    random characters chosen stored kept""".split()
)


def sentence_secrets(text: str) -> Iterator[tuple[int, int]]:
    """Where a password stands that a sentence tells."""
    for name in _NAME.finditer(text):
        pin = "pin" in name.group().lower()
        match = _NEXT_SENTENCE.match(text, name.end())
        if match is not None and not _ABOUT_PASSWORDS.match(match["rest"]):
            start, end = _trimmed(text, *match.span("value"))
            if _is_number(text[start:end], pin) or _is_telling(text[start:end]):
                yield start, end
                continue
        for start, end in _around(text, name.start(), name.end()):
            if _is_odd(text[start:end]):
                yield start, end
    for words in _WORDS_ALONE.finditer(text):
        said, is_told = words["words"], words["told"] is not None
        prose = _HOLDING.union(STOP_WORDS) if is_told else _HOLDING
        if prose.isdisjoint(said.replace("-", " ").split()) and not (is_told and _DESCRIBING.search(said)):
            yield words.span("words")


def _around(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where a value may stand around a name, in words that prove less: it must look like nothing else."""
    for pattern in (*_BEHIND, _TO_TYPE):
        match = pattern.match(text, end)
        if match is not None and not _ABOUT_PASSWORDS.match(match["rest"]):
            yield _trimmed(text, *match.span("value"))
    changed = _FROM_TO.match(text, end)
    if changed is not None and not _ABOUT_PASSWORDS.match(changed["rest"]):
        yield _trimmed(text, *changed.span("value"))
        yield _trimmed(text, *changed.span("other"))
    if _NAME_ENDS.match(text, end):
        found = _BEFORE.search(text[max(0, start - _BEFORE_LETTERS) : start])
        if found is not None:
            offset = max(0, start - _BEFORE_LETTERS)
            yield _trimmed(text, offset + found.start("value"), offset + found.end("value"))


def _is_number(value: str, pin: bool) -> bool:
    return value.isdigit() and (len(value) >= 6 or (len(value) >= 4 and pin))


def _is_telling(value: str) -> bool:
    """Letters with digits or signs among them."""
    if len(value) < 4 or _PLAIN_VALUE.match(value) or _STAND_IN.match(value):
        return False
    return any(not letter.isalpha() and letter not in "'’-" for letter in value) and any(map(str.isalpha, value))


def _is_odd(value: str) -> bool:
    """Letters with digits among them, as neither words, nor dates, nor names of things have."""
    if len(value) < 6 or not _is_telling(value) or _TECHNICAL.match(value) or "[redacted" in value:
        return False
    return any(map(str.isdigit, value)) and "(" not in value and "=" not in value[1:]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without what ends the sentence."""
    return start, start + len(text[start:end].rstrip(".,;:?)]}"))
