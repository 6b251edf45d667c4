"""Numbers that open or pay, where a sentence says what they are: PINs, door codes, combinations, one-time codes, bank
accounts and cards.

Digits alone are everywhere, so a code counts only behind (or before) words that name it: "the code of the front door",
"alarm code". An IBAN is known by its checksum as well. Every pattern begins at a word of a short list and looks a
bounded stretch around it, so the search is linear.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..lazy_regex import lazily

# One of these is in every text that names such a number.
CODE_CUES: Final = (
    *"code código codigo combination combo kombination pin cvv cvc iban account konto card karte passcode".split(),
    *"otp recovery backup 2fa two-factor mfa one-time".split(),
)
_ACCOUNT: Final = "bank account number"
_CARD: Final = "card number"
_CODE: Final = "access code"

# What is locked by a code, or says that a code unlocks.
_LOCKED = (
    r"(?:(?:front|back|main|side|cellar|basement|garage|house|office|flat)\s)?(?:door|gate|entrance|garage|barrier|lift)"
    r"|elevator|(?:(?:bike|smart|cable|combination|door|gym)[\s-])?lock|padlock|lockers?|lock\s?box|key\s?(?:box|safe|pad)"
    r"|safe|vault|strongbox|shed|cupboard|cabinet|cellar|changing room|burglar alarm|alarm(?: system)?|intercom|keypad"
    r"|building|house|apartment|flat|office|entry|access|unlock(?:ing)?|disarm(?:ing)?|guest|phone|laptop|tablet"
    r"|(?:haus|wohnungs|garagen|keller)?tür|(?:garagen)?tor|porte|portail|immeuble|alarme|puerta|portón|alarma"
    r"|caja fuerte"
)
_WORD_FOR_IT = r"(?:(?:pin|key|entry|access|unlock)\s?)?(?:codes?|código|codigo|combination|combo|kombination|pin)"
_NO_KIND = r"(?!(?:has|had|needs|with|and|or|in|by)\s)"
_NAME = lazily(
    # "the alarm code", "my phone's unlock code"
    rf"(?i)\b(?:(?:{_LOCKED})(?:['’]s)?[\s-]?(?:{_NO_KIND}(?P<kind>\w{{1,12}})\s)?{_WORD_FOR_IT}"
    # "the code for the front door"
    rf"|{_WORD_FOR_IT}\s(?:for|to|of|on|at|into|de|du|für|zum|zur|del?)\s(?:[\w'’.-]{{1,20}}\s){{0,4}}?(?:{_LOCKED})"
    # "in the lockbox, code 9051", "the gate has a code"
    rf"|(?:{_LOCKED})\s?(?:[,;:(]|has|needs|takes|wants|opens with|with)\s?(?:a\s|the\s|its\s)?(?:new\s)?"
    r"(?:code|combination|combo)(?!\s[a-z]{4})"
    r"|passcode(?:\s(?:for|to|of|on)(?:\s[\w'’-]{1,20}){1,3}?(?=\s\d))?)\b"
)
_PIN_NAME = lazily(r"(?<![A-Za-z0-9])(?:PIN|Pin|pin)(?:[ -](?:code|number|nummer))?(?![A-Za-z0-9])")
_ONE_TIME = lazily(
    r"(?i)\b(?:verification|one[- ]time|confirmation|login|sign-?in|2fa|two-factor|mfa|t?otp|sms|authenticat\w{2,4}"
    r"|recovery|backup|scratch|unlock)\s(?:code|key|pin|password|secret|seed)s?\b|\b(?:totp|otp)\b"
)
_DIGITS = r"(?P<value>[*#]?[A-Z]?\d{3,10}[A-Z]?[*#]?|\d{1,2}(?:\s?[-–/.]\s?\d{1,2}){2,4})"
_UNIT = (
    r"(?!\w|[.,:/-]\d|\s?(?:%|€|\$|£|°|[ap]\.?m\b)"
    r"|\s(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?|digits?|characters?|letters?|times|people|users|lines|euros?"
    r"|dollars|pounds|metres|meters|km|m|cm|kg|of)\b)"
)
# Between the name and the number: to the end of the sentence at most, and the word or sign that introduces it.
_INTRODUCED = (
    r"(?:[^.!?\n\d]{0,48}?(?:\b(?:is|was|are|be|to|now|never|ist|lautet|est|es|from)|['’][st]|[:=→>#])"
    r"|[^.!?\n\d]{0,48}[.!;\n]\s{0,3}(?:(?i:and|now|so)\s)?"
    r"(?i:it|its|the new (?:one|code)|new (?:one|code)|the code|this one|now it|mine|ours)"
    r"(?:['’]s|\s(?i:is|was))?(?:\s(?i:now))?|\s?,|)"
)
_BEHIND = lazily(rf"{_INTRODUCED}\s{{0,2}}[\"'“‘(]?{_DIGITS}{_UNIT}")
_SECOND = lazily(rf"\s(?:to|into|and|or|,)\s{_DIGITS}{_UNIT}")
_AT_ONCE = lazily(r"[\s\"'“‘(]{0,3}\Z")
_ENDS = lazily(r"[\"'”’)]?\s*(?:[.,;:!?)\n]|\Z|(?i:and|now|until|since|for|too|again|as|at|on|is)\b)")
_BEFORE = lazily(
    rf"(?:\A|(?<=[\s(\"'“‘])){_DIGITS}[\"'”’]?\s?(?:=|is|was|as|isn['’]t|is not|is no longer|for)\s"
    r"(?:still\s|now\s)?(?:(?:the|my|our|his|her|their|your|its|a|[\w-]{1,24}['’]s)\s)?(?:[\w'’-]{1,20}\s){0,4}\Z"
)
_BEFORE_LETTERS = 90
# Codes that open nothing.
_OTHER_CODE = lazily(
    r"(?i)\b(?:error|exit|status|return|http|response|zip|postal|post|area|country|dial\w*|product|order|item|stock"
    r"|discount|voucher|promo\w*|coupon|gift|referral|tracking|booking|source|dress|bar|qr|colou?r|fault|trouble|diagnostic"
    r"|part|reference|airport|room|date|tax|course|class|building|house|health|safety)\s?-?\Z"
)
_OF_LAW = lazily(r"(?i)(?:building|house|office)\s(?:(?:building|safety|fire|health)\s)?codes?\Z")

_PIN_OWNER = lazily(r"(?i)(?:card|bank|sim|phone|door|alarm|gate|safe|debit|credit|atm|my|our|garage|lock|\w['’]s)\s\Z")
_YEAR = lazily(r"(?:19|20)\d\d")
_PIN_VALUE = lazily(
    r"(?:\s(?:for|of|to|on) [\w' -]{1,30}?)?"
    r"(?:\s(?:(?:is|was)(?:\snow)?|(?:(?:is|was|has been)\s)?(?:changed|set|reset) to|ist|lautet|est|es)\s"
    r"|['’]s\s|\s?[:=]|\s?,)?\s{0,2}(?P<value>\d{4,8})(?!\w|[.,:/-]\d)"
)
_CVV = lazily(r"(?i)(?<![a-z])(?:cvv2?|cvc2?|security code)(?: is|:|=)?\s{0,2}(?P<value>\d{3,4})(?!\w)")

_GROUPED = r"[A-Za-z0-9]{3,8}(?:-[A-Za-z0-9]{3,8}){1,7}"
_ONE_TIME_VALUE = lazily(
    r"(?:\s(?:for|of|to|on|from) [\w'’ .-]{1,40}?(?=\s(?:is|are|was)\b|['’]s|\s?[:=→]))?"
    r"(?:\s(?:is|are|was)(?:\snow)?|['’]s|\s?[:=→])?\s{0,2}[\"'“‘]?"
    rf"(?P<value>(?=[A-Za-z-]{{0,8}}\d){_GROUPED}(?:[\s,;]{{1,3}}{_GROUPED}){{0,15}}"
    r"|(?:G-)?\d{6,10}(?:[\s,;]{1,3}\d{6,10}){0,15}|\d{3}[ -]\d{3}(?!\d)|[A-Z2-7]{4}(?:[ -]?[A-Z2-7]{4}){3,12})"
    r"(?![\w-])"
)
_DATE = lazily(r"(?:19|20)\d\d-?\d\d-?\d\d")

_IBAN = lazily(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}(?![A-Za-z0-9])")
_IBAN_NAMED = lazily(
    r"(?i:\biban\b)(?:\s(?i:number|is|was|nr\.?|no\.?|lautet|ist))*[\s:=#]{1,3}"
    r"(?P<value>[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]{4}){2,7}(?:[ -]?[A-Za-z0-9]{1,4})?)(?![A-Za-z0-9])"
)
_IBAN_LENGTHS: Final = range(15, 35)
_ACCOUNT_NAMED = lazily(
    r"(?i)\b(?:(?:bank|checking|savings|current|giro)\s?(?:account|konto)(?=\s?[:=#]|\s(?:number|n[or]\b))|kontonummer"
    r"|(?:sort code|routing(?: number)?|bsb|blz|ifsc)[\s:]{1,2}[A-Z0-9-]{6,11}[\s,;]{1,3}(?:and\s)?"
    r"(?:account|acct?\.?|a/c))(?:\s(?:number|no\.?|nr\.?))?(?:\s(?:is|was|ist|lautet))?[\s:=#]{1,3}"
    r"(?P<value>\d(?:[ -]?\d){5,16})(?!\w)"
)
_CARD_NAMED = lazily(
    r"(?i)(?<!library )(?<!loyalty )(?<!membership )(?<!student )(?<!gift )"
    r"\b(?:card|kreditkarten|karten)[\s-]?(?:number|no\.?|nr\.?|nummer|#)"
    r"(?:\s(?:for|of|on) [\w'’ -]{1,30}?)?(?:\s(?:is|was|ist|lautet))?[\s:=#]{0,3}"
    r"(?P<value>\d(?:[ -]?\d){11,18})(?!\w|[ -]?\d)"
)


def code_secrets(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a number stands that a sentence calls a code, a PIN, an account or a card, and its kind."""
    for name in _NAME.finditer(text):
        before = text[max(0, name.start() - 14) : name.start()]
        if not _OF_LAW.match(name.group()) and not any(map(_OTHER_CODE.search, (before, name["kind"] or ""))):
            yield from _around(text, name.start(), name.end())
    for name in _PIN_NAME.finditer(text):
        yield from _pin(text, name.start(), name.end())
    for name in _ONE_TIME.finditer(text):
        match = _ONE_TIME_VALUE.match(text, name.end())
        if match is not None and not _DATE.fullmatch(match["value"]):
            yield *match.span("value"), _CODE
    yield from ((*match.span("value"), "card security code") for match in _CVV.finditer(text))
    for pattern, kind in ((_ACCOUNT_NAMED, _ACCOUNT), (_CARD_NAMED, _CARD)):
        yield from ((*match.span("value"), kind) for match in pattern.finditer(text))
    yield from ((*match.span("value"), _ACCOUNT) for match in _IBAN_NAMED.finditer(text))


def ibans(text: str) -> Iterator[tuple[int, int, str]]:
    """Account numbers whose checksum is right, whatever is said about them. A word behind one may look like its end."""
    for match in _IBAN.finditer(text):
        end = match.end()
        while end > match.start():
            if _is_iban(text[match.start() : end]):
                yield match.start(), end, _ACCOUNT
                break
            end = max(text.rfind(" ", match.start(), end), text.rfind("-", match.start(), end))


def _is_iban(written: str) -> bool:
    plain = written.replace(" ", "").replace("-", "")
    if len(plain) not in _IBAN_LENGTHS:
        return False
    return int("".join(str(int(sign, 36)) for sign in plain[4:] + plain[:4])) % 97 == 1


def _around(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """The code behind its name, and the one that it replaces; or before it."""
    match = _BEHIND.match(text, end)
    if match is not None and (
        not text[end : match.start("value")].strip().endswith(",") or _ENDS.match(text, match.end())
    ):
        yield *match.span("value"), _CODE
        if second := _SECOND.match(text, match.end()):
            yield *second.span("value"), _CODE
    offset = max(0, start - _BEFORE_LETTERS)
    if found := _BEFORE.search(text[offset:start]):
        yield offset + found.start("value"), offset + found.end("value"), _CODE


def _pin(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    match = _PIN_VALUE.match(text, end)
    if match is None:
        return
    value, introduced = match["value"], not _AT_ONCE.fullmatch(text[end : match.start("value")])
    # Six digits behind PIN alone are where somebody lives in India, and pins have years.
    four = len(value) == 4 and (text.startswith("PIN", start) or (introduced and not _YEAR.fullmatch(value)))
    if four or _PIN_OWNER.search(text, max(0, start - 12), start):
        yield *match.span("value"), "PIN"
