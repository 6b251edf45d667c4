"""Secrets known by the place they stand in: a command line, a sentence (secret_sentences.py), a list of seed words;
and numbers that a state gives to a person.

Each is looked for only where a cue is in the text, in a bounded stretch behind it, so the search is linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ..lazy_regex import lazily
from .secret_codes import CODE_CUES, code_secrets, ibans
from .secret_sentences import NAME_CUES, sentence_secrets


class Placed(NamedTuple):
    """Where a secret stands, and what it is."""

    start: int
    end: int
    kind: str


# A value in quotation marks may hold blanks.
_VALUE = r"(?:'(?P<single>[^'\n]{4,128})'|\"(?P<double>[^\"\n]{4,128})\"|(?P<value>[^\s\"'-][^\s\"']{3,127}))"
_COMMAND = lazily(rf"(?i:\b(?:mysql|mariadb|7za?|rar|unrar)[\w-]{{0,12}})\s(?:[^\n;|]{{0,160}}?\s)??-p{_VALUE}")
_ZIP = lazily(rf"(?i:\b(?:un)?zip)\s(?:[^\n;|]{{0,160}}?\s)??-P\s?{_VALUE}")
_SSHPASS = lazily(rf"\bsshpass\s-p\s?{_VALUE}")
_LONG_FLAG = lazily(rf"(?<!\S)--?(?:password|passwd|passphrase|pass|pw|pwd)(?:[=:]|\s{{1,2}}){_VALUE}")
COMMAND_GOES_ON = lazily(r"\s{0,3}(?:\Z|\n|[-|;&>/\"'`)])")
_LOGIN = lazily(rf"\slogin\s(?:[^\n;|]{{0,160}}?\s)??-p\s{_VALUE}")  # docker login -u ada -p …
_PASS_SOURCE = lazily(rf"(?<!\S)-pass(?:in|out|word)?\spass:{_VALUE}")  # of openssl
_INTO_SUDO = lazily(rf"\becho\s(?:-n\s)?{_VALUE}\s?\|\s?sudo\s-S")
_REDIS = lazily(rf"(?i:\bredis-cli\b)[^\n;|]{{0,120}}?\s(?:-a|--pass)\s{_VALUE}")
_USER_AT_HOST = lazily(
    r"(?<![\w/.:-])(?P<user>[A-Za-z][\w.+-]{0,63}):(?P<value>[^\s:@/\"']{4,64})@(?!https?:)(?=[A-Za-z0-9][\w-]*(?:\.[\w-]+|:\d)|localhost)"
)
# A line of .pgpass, and the code that a router's label shows as a picture.
_PGPASS = lazily(r"(?m)^[\w.*-]{1,120}:(?:\d{2,5}|\*):[\w*.-]{1,63}:[\w*.@-]{1,63}:(?P<value>\S{3,128})$")
_WIFI_PICTURE = lazily(r"\bWIFI:(?:[A-Z]:[^;\n]{0,64};){0,4}?P:(?P<value>(?:\\.|[^;\\\n]){4,80})(?=;)")
_NOT_A_LOGIN: Final = frozenset(
    "mailto sip sips xmpp acct email e-mail mail to from cc bcc tel contact http https".split()
)
_STAND_IN = lazily(
    r"(?i)[$%<{\[(*•]|x{3,}|\.{3}|your|example|password\Z|secret\Z|placeholder|changeme\Z|\d{1,5}\Z|/|https?:"
)

_HEX_KEY = lazily(r"(?<![\w/])(?P<prefix>0x)?[0-9a-fA-F]{64}(?!\w)")
_HASH_WORD = lazily(
    r"(?i)hash|\btx|transact|block|digest|sha-?\d|checksum|commit|root|topic|bytes32|merkle|event|signature|receipt"
    r"|slot|public|address|proof"
)
_KEY_WORD = lazily(r"(?i)private|secret|wallet|\bsk\b|priv(?:ate)?[_ -]?key|signing|signer|deployer|mnemonic|seed")
_AROUND = 48

_SEED_CUE = lazily(
    r"(?i)\b(?:mnemonic|(?:seed|recovery|backup|wallet|secret)"
    r"(?:\s(?:seed|recovery|backup|phrase|words?|key|passphrase|mnemonic)){1,3}|seed(?=\s?[:=]|\s(?:is|are|was)\b))\b"
)
_SEED_STRETCH = 620  # characters behind the cue: what introduces the words, and twenty-four of them with their numbers
_SEED_WORD = r"(?:\d{1,2}[.):]?\s{0,2})?[A-Za-z]{3,8}"
_SEED_RUN = lazily(rf"(?<![A-Za-z]){_SEED_WORD}(?:[\s,;]{{1,3}}{_SEED_WORD}(?![A-Za-z])){{11,24}}")
_SEED_ONE = lazily(r"(?:\d{1,2}[.):]?\s{0,2})?(?P<word>[A-Za-z]{3,8})")
_SEED_WORDS_MIN: Final = 12  # then 15, 18, 21 or 24; a run that goes on in prose goes with them
# Words that sentences are held together by; none is in the list that wallets draw from.
_HOLDING: Final = frozenset(
    """the and are was were has had his her our their from not but for with who which will would can could should does
    did been being its than because these those whose where while your yours him them she""".split()
)

_SSN = lazily(r"(?<![\w.-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-]|\.\d)")
_SSN_NAMED = lazily(
    r"(?i)\b(?:ssn|social security(?: number| no\.?)?)(?:\s(?:is|was)|\s?[:=#])?\s{0,2}"
    r"(?P<value>(?!000|666|9)\d{3}[ -]?(?!00)\d{2}[ -]?(?!0000)\d{4})(?!\w)"
)
_NOT_A_PERSON = lazily(
    r"(?i)(?:order|part|ticket|invoice|sku|model|serial|ref\w*|case|track\w*|catalog\w*|item|build|#)\W{0,3}(?:no\.?|number|id|is)?\W{0,3}\Z"
)
_NINO = lazily(r"(?<!\w)(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?!\w)")
_NINO_WORD = lazily(r"(?i)national insurance|\bni (?:number|no)|\bnino\b")
_DNI = lazily(r"(?<!\w)(?P<digits>\d{8})-?(?P<letter>[A-HJ-NP-TV-Z])(?!\w)")
_DNI_LETTERS: Final = "TRWAGMYFPDXBNJZSQVHLCKE"
_CODICE = lazily(r"(?<!\w)[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z](?!\w)")
_CPF = lazily(r"(?<!\w)\d{3}\.\d{3}\.\d{3}-\d{2}(?!\w)")
_IDENTITY: Final = "national identity number"


def placed_secrets(text: str, lower: str) -> Iterator[Placed]:
    """Every secret that its place gives away."""
    if " -" in text or text.startswith("-"):
        yield from _on_command_lines(text, lower)
    if "@" in text and ":" in text:
        yield from _logins_at_hosts(text)
    if ":" in text:
        found = (match for match in _PGPASS.finditer(text) if _is_mixed(match["value"]))
        yield from (Placed(*match.span("value"), "password") for match in found)
        yield from (Placed(*match.span("value"), "password") for match in _WIFI_PICTURE.finditer(text))
    if "0x" in text or "key" in lower or "wallet" in lower:
        yield from _hex_keys(text)
    if any(cue in lower for cue in ("seed", "recovery", "mnemonic", "backup", "wallet", "phrase")):
        yield from _seeds(text)
    if any(cue in lower for cue in NAME_CUES):
        yield from (Placed(*where, "password") for where in sentence_secrets(text))
    if any(cue in lower for cue in CODE_CUES):
        yield from (Placed(*found) for found in code_secrets(text))
    yield from (Placed(*found) for found in ibans(text))
    yield from _persons(text, lower)


def _on_command_lines(text: str, lower: str) -> Iterator[Placed]:
    patterns = [_LONG_FLAG] if "pass" in lower or "pw" in lower else []
    patterns += [_COMMAND, _PASS_SOURCE] if " -p" in text else []
    patterns += [_LOGIN] if " login " in lower and " -p " in text else []
    patterns += [_INTO_SUDO] if "sudo -S" in text else []
    patterns += [_REDIS] if "redis-cli" in lower else []
    patterns += [_ZIP] if "zip" in lower and " -P" in text else []
    patterns += [_SSHPASS] if "sshpass" in lower else []
    for pattern in patterns:
        for match in pattern.finditer(text):
            group = next(name for name in ("single", "double", "value") if match[name] is not None)
            # A flag that is spoken of is followed by a sentence: "the --password option is deprecated".
            spoken_of = match[group].isalpha() and not COMMAND_GOES_ON.match(text, match.end())
            if not spoken_of and not _STAND_IN.match(match[group]):
                yield Placed(*match.span(group), "password") if group != "value" else _trimmed(match, "password")


def _logins_at_hosts(text: str) -> Iterator[Placed]:
    for match in _USER_AT_HOST.finditer(text):
        value = match["value"]
        if match["user"].lower() in _NOT_A_LOGIN or _STAND_IN.match(value):
            continue
        if _is_mixed(value):
            yield Placed(*match.span("value"), "password")


def _is_mixed(value: str) -> bool:
    """Letters with digits or signs among them."""
    return any(letter.isdigit() or not letter.isalnum() for letter in value) and any(map(str.isalpha, value))


def _hex_keys(text: str) -> Iterator[Placed]:
    """Sixty-four digits behind 0x are a private key, unless the words around say that they are a hash; without 0x they
    are one where the words say so."""
    for match in _HEX_KEY.finditer(text):
        before = text[max(0, match.start() - _AROUND) : match.start()]
        after = text[match.end() : match.end() + _AROUND // 2]
        is_hash = bool(_HASH_WORD.search(before) or _HASH_WORD.search(after))
        named_before, named_behind = bool(_KEY_WORD.search(before)), bool(_KEY_WORD.search(after))
        is_key = not is_hash and (named_before or named_behind)
        if is_key or (match["prefix"] and (named_before or not is_hash)):
            yield Placed(*match.span(), "private key")


def _seeds(text: str) -> Iterator[Placed]:
    """A run of at least as many plain words as the shortest phrase has, none of which holds a sentence together."""
    end = 0
    for cue in _SEED_CUE.finditer(text):
        if cue.start() < end:
            continue
        for match in _SEED_RUN.finditer(text, cue.end(), cue.end() + _SEED_STRETCH):
            words = list(_SEED_ONE.finditer(match.group()))
            last = max((place for place, word in enumerate(words) if word["word"].lower() in _HOLDING), default=-1)
            words = words[last + 1 :]  # what holds a sentence together is part of the introduction
            if len(words) >= _SEED_WORDS_MIN and len({word["word"].lower() for word in words}) > len(words) // 2:
                end = match.end()
                yield Placed(match.start() + words[0].start(), end, "seed phrase")


def _persons(text: str, lower: str) -> Iterator[Placed]:
    """Numbers that a state gives to a person, in their structure and with their checksum where there is one."""
    if "-" in text:
        for match in _SSN.finditer(text):
            if not _NOT_A_PERSON.search(text, max(0, match.start() - 24), match.start()):
                yield Placed(*match.span(), _IDENTITY)
        yield from (Placed(*match.span(), _IDENTITY) for match in _CPF.finditer(text) if _is_cpf(match.group()))
    if "ssn" in lower or "social security" in lower:
        yield from (Placed(*match.span("value"), _IDENTITY) for match in _SSN_NAMED.finditer(text))
    if _NINO_WORD.search(text):
        yield from (Placed(*match.span(), _IDENTITY) for match in _NINO.finditer(text))
    if "dni" in lower or "nif" in lower:
        for match in _DNI.finditer(text):
            if _DNI_LETTERS[int(match["digits"]) % len(_DNI_LETTERS)] == match["letter"]:
                yield Placed(*match.span(), _IDENTITY)
    yield from (Placed(*match.span(), _IDENTITY) for match in _CODICE.finditer(text))


def _is_cpf(written: str) -> bool:
    digits = [int(digit) for digit in written if digit.isdigit()]
    if len(set(digits)) == 1:
        return False
    for place in (9, 10):
        total = sum(digit * (place + 1 - index) for index, digit in enumerate(digits[:place]))
        if total * 10 % 11 % 10 != digits[place]:
            return False
    return True


def _trimmed(match: re.Match[str], kind: str) -> Placed:
    """The value without what ends the sentence."""
    start, value = match.start("value"), match["value"].rstrip(".,;:?)]}")
    return Placed(start, start + len(value), kind)
