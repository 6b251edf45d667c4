"""Secrets known by the name they are given: `password=…`, `"api_key": "…"`, "my password is …".

The name alone proves little. People write about passwords and code passes them around, so what follows the name
is weighed: a reference, a placeholder, a type, a word of prose stays. After the name of a password almost any
word counts; after the name of a key or token only what nobody would write by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from ..lazy_regex import lazily
from .secret_codes import CODE_CUES
from .secret_places import COMMAND_GOES_ON, placed_secrets

# One of these is in every text that names a secret.
NAME_CUES: Final = (
    *"pass pwd pw: pw= secret token key cred pin cvv cvc login contrase senha kennwort wachtwoord hasło парол".split(),
    *"密码 密碼 口令 パスワード 비밀번호 identified --user".split(),
    *"wifi wi-fi wlan hotspot router".split(),
    *("pw ", " -u", "log in", "log-in", "sign in", "sign-in", "account", "user", "ssh", "vpn", "ftp", "admin"),
)


class Named(NamedTuple):
    """A value that stands behind the name of a secret."""

    start: int
    end: int
    kind: str


# The key of a wireless network is a password; other keys are not.
_WIRELESS = r"(?:wi-?fi|wlan|wpa[23]?|wep|hotspot|router|network security)[ _-](?:network[ _-])?(?:key|code)"
_WORDS_FOR_IT = (
    rf"{_WIRELESS}|pass[ -]?word|passwort|passwd|passphrase|passcode|pwd|kennwort|contraseña|contrasena|senha"
    r"|wachtwoord|mot de passe|hasło|пароль|密码|密碼|口令|パスワード|비밀번호"
)
_STEM = lazily(rf"{_WORDS_FOR_IT}|(?<![a-z0-9])(?:pass|pw)(?![a-z])|token|secret|key|credential")
_KEY = r"secret(?:[ _-]?(?:access[ _-]?)?key)?|token|key|credential"
# Whose key it must be: there are keys of pianos, maps and tables.
_KEY_OWNER = lazily(
    r"(?i)(?:api|access|secret|private|auth|network|encryption|signing|master|account|storage|session|client|app|service"
    r"|consumer"
    r"|deploy|license|licence|subscription|webhook|admin|root|recovery|backup)[ _-]?\Z"
)
# What may follow in the same name, as in SECRET_KEY_BASE, password2 or tokenValue.
_TAIL = r"(?:s|[_-]?[A-Z][a-z]{1,12}|(?:[_-][A-Za-z0-9]{1,16}){1,4}|\d{1,3})?"
# "the password of the router …", in the languages of the names above.
_BETWEEN = (
    r"(?:\s(?:for|of|to|on|at|in|für|zum|zur|vom|von|des|der|pour|du|de|d['’]|para|del|al|do|da|no|na|voor|van|до|от|для|к"
    r"|на)(?:\s[^\s:=.,;]{1,32}){1,6}?)?"
)
_IS = r"(?:is|was|are|to|ist|lautet|war|est|es|é|è|jest|är)"
_SEPARATOR = (
    rf"(?P<sep>\\?[\"'`]?{_BETWEEN}\s{{0,4}}(?::=|=>|={{1,2}}|[:：])\s{{0,4}}|[\"']?>|\s{{1,3}}\|\s{{1,3}}"
    rf"|{_BETWEEN}(?:\s{_IS}|['’]s)[\s:]{{1,3}}(?:now |still |set to |currently |just |simply )?"
    r"|[\"'`]?\s?(?:是|为|為|は|는|은)\s?"
    r"|(?P<flag>\s))"
)
_VALUE = (
    r"(?:\\\"(?P<inner>[^\"\\\n]*+)\\\"|\"(?P<double>(?:[^\"\\\n]|\\.)*+)\"|'(?P<single>(?:[^'\\\n]|\\.)*+)'"
    r"|`(?P<tick>[^`\n]*+)`|“(?P<curly>[^”\n]*+)”|(?P<bare>(?:(?!\[redacted:|\\[nrt])[^\s\"'`<>,;&|])++))"
)
_NAMED = lazily(
    rf"(?:(?P<password>(?i:{_WORDS_FOR_IT}|pass|pw))|(?P<key>(?i:{_KEY})))(?P<tail>{_TAIL})"
    rf"(?:\s\([^()\n]{{1,40}}\))?{_SEPARATOR}{_VALUE}"
)
_LOGIN = lazily(
    r"(?i)(?:user(?:name)?|login)(?: is)?[\s:=]{1,3}\S{1,64}[,;]?\s(?:and\s)?(?:the\s)?(?:pass(?:word)?"
    r"|pwd)\s(?P<bare>[^\s,;\"'\[]{4,64})"
)
_PAIR = lazily(r"(?i)(?:creds|credentials|login)(?: are| is|:)\s\S{1,64}\s?[/:]\s?(?P<bare>[^\s,;\"'\[]{4,64})")
# Said without a colon, it must look like nothing else: "login bob / …", "sign in as bob with …".
_PAIR_TOLD = lazily(
    r"(?i)\b(?:creds|credentials|log[ -]?in|sign[ -]?in|account|user(?:name)?|wi-?fi|wlan|hotspot|router|admin|ssh|vpn"
    r"|s?ftp)\b(?: (?:are|is|as|with|for|to|on|name|data))?:?(?: [\w.-]{1,32}){0,2}? [^\s/|,;]{1,64}?(?: ?[/|:,]| with)"
    r" ?(?P<bare>[^\s,;\"'\[]{6,64})"
)
# The name on a line of its own, a heading perhaps, and the value on the next.
_BELOW = lazily(
    rf"(?im)^[ \t#*_>-]{{0,8}}(?:[\w-]{{1,20}}[ \t]){{0,3}}(?:{_WORDS_FOR_IT})[ \t:*_#]{{0,6}}\n"
    r"(?:[ \t=-]{0,80}\n){0,2}[ \t>*`-]{0,8}(?P<bare>[^\s,;\"'\[`]{6,64})`?[ \t]*$"
)
_CURL = lazily(r"\s(?:-u[ =]?|--user[ =])[\"']?[^\s:\"']{1,64}:(?P<bare>[^\s\"'\[]{3,128})")
_IDENTIFIED = lazily(r"(?i)identified by (?:password )?'(?P<bare>[^'\n\[]{3,128})'")
_LOGINS = (
    (("user", "login"), _LOGIN),
    (("creds", "credentials", "login"), _PAIR),
    (("cred", "log", "sign", "account", "user", "wi", "hotspot", "router", "admin", "ssh", "vpn", "ftp"), _PAIR_TOLD),
    (("pass", "pwd", "wort", "contrase", "senha", "парол", "key", "code"), _BELOW),
    ((" -u", "--user"), _CURL),
    (("identified",), _IDENTIFIED),
)
_CERTAIN = (_CURL, _IDENTIFIED)  # here the place says enough; elsewhere the value must look the part

_HARMLESS_TAIL = lazily(
    r"(?i)(?:name|id|type|count|limit|length|len|size|url|uri|endpoint|path|file|dir|field|policy|expir\w*|ttl|age"
    r"|lifetime"
    r"|budget|usage|hash|hint|label|prompt|reset|strength|format|header|ref|arn|version|rotation|store|manager|provider"
    r"|regex|pattern|required|enabled|min|max|column|algorithm|audience|issuer|scope|status|index|class|param|env"
    r"|var|date|time|days|_at|_on|[a-z]At|[a-z]On)s?\Z"
)
_HARMLESS_HEAD = lazily(
    r"(?i)(?:public|max|num|total|page|next|continuation|sync|cursor|design|lexer|eos|bos|pad|unk|special|mask|sep|cls"
    r"|start|stop|end|prev|previous|new|security|erc|nft|governance|utility|crypto|idempotency)[_ -]?\Z"
)
_PLACEHOLDER = lazily(
    r"(?i)[$%]?[{(<\[]|\$[A-Za-z_]\w*\Z|%\w+%\Z|%[sd]\Z|[x*•.\-_#?…0]+\Z|.{0,3}(?:\*{3,}|•{3,}|x{4,}|\.{3,}|…)"
    r"|(.)\1*\Z|!(?:ref|sub|vault)"
    r"|https?:|/[\w.-]+/|~/|\.{1,2}/|vault:|op:|env:|file:|arn:|@"
    r"|.*(?:your|example|placeholder|dummy|sample|redacted|replace[_-]?me|insert|to[-_]?do|\*{4,}|x{6,})"
)
_FILE = lazily(r"(?i).*\.(?:pem|key|json|txt|ya?ml|toml|env|crt|cer|p12|pfx|md|py|js|ts|html?|csv|log)\Z")
_REFERENCE = lazily(
    r"[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)*(?:[(\[{].*|(?:\.|->|::)[A-Za-z_$][\w$]*)\Z|\w+\(|new\s"
    r"|await\s|f?r?b?[\"']"
)
_OWN_NAME = lazily(r"(?i)pass|pwd|token|secret|key|credential|value|string|param|variable|input|field")
_PLAIN_WORDS = lazily(r"(?:[A-Z]?[a-z]+|[A-Z]+|v?\d{1,3})(?:[-_./ ](?:[A-Z]?[a-z]+|[A-Z]+|v?\d{1,4}))*\Z")
_TECHNICAL = lazily(
    r"(?i)base\d\d|sha-?\d{1,3}|md5|utf-?\d+|oauth\d?|aes-?\d*|rs\d{3}|hs\d{3}|es\d{3}"
    r"|\d+-?(?:bit|byte|char|day|hour|min|sec|digit)\w*|erc-?\d+|[23]fa"
)
_STATUS = frozenset(
    """none null nil undefined true false required optional string text hidden empty unset missing changed expired
    invalid valid wrong correct incorrect weak strong secure unknown disabled enabled forgotten reset same
    different protected encrypted hashed unchanged blank varchar char integer number boolean bytes plaintext
    prompt auto default set stored rejected accepted updated rotated revoked leaked must should shall cannot never
    always only see ask tbd n/a password passwort kennwort secret token minimum maximum needed given compromised
    working incorrectly available there here gone safe easy hard long short good bad great fine right also
    not""".split()
)
_PROSE = frozenset(
    "the a an of must be to is are your for and in with at least when this that should will can it or if not".split()
)
_ADJECTIVE = lazily(r"(?:ed|ing|ly|able|ible|ous|ful|ive|al|ic|ant|ent|less|ary|ory|some|er|est|en)\Z")
_QUOTED = ("inner", "double", "single", "tick", "curly")
_FORMER_LETTERS = 24
_VALUE_MAX = 4096
_SPOKEN_KEY_MIN = 16
_ODD_MIN = 6
_DATE = lazily(r"\d{4}-\d\d(?:-\d\d)?(?![A-Za-z]{2})")
_PLACE_CUES = (*"ssn mnemonic seed recovery wallet".split(), "social security", "private key", *CODE_CUES)
# A value goes on behind a comma or an ampersand, unless another name with its value begins there; and, as in a shell,
# behind a quotation mark, unless that one ends what the value stands in.
_IN_MARKS = r"\"[^\s,;:&|<>\"'`(){}\[\]]++\"?|'[^\s,;:&|<>\"'`(){}\[\]]++'?"
_REST_OF_TOKEN = lazily(
    rf"(?:[,;&|]++(?![\w.\-]{{1,40}}\s?[=:])[^\s,;&|<>\"'`\[]++|(?:{_IN_MARKS})[^\s,;&|<>\"'`\[(){{}}]*+)*+"
)
_REST_OF_QUOTED = lazily(rf"[\"'](?:(?:{_IN_MARKS})|[\w!@#$%^*+-]++)++")
_REST_MAX = 512  # characters; so that names in a row are searched once each
_BEFORE_PASS = 48
_LOGIN_WORD = lazily(
    r"(?i)\b(?:users?|username|login|log(?:ged)? ?in|sign ?in|account|wi-?fi|router|ssh|s?ftp|vpn|admin|root|server|nas"
    r"|db|database|host|e?-?mail|with|connect|credentials?|creds|laptop|pc|phone|app)\b|@"
)
_OTHER_PASS = lazily(
    r"(?i)\b(?:boarding|season|ski|bus|day|lift|mountain|visitor|parking|hall|rail|first|second|third|final|test|tests"
    r"|single|render|compiler|forward|backward|press|guest|train|travel|museum|week|month\w*|year\w*)\s\Z"
)
_REMARKS = frozenset("must should shall cannot never always only see ask not".split())
_WORD = lazily(r"[^\W_]+")
_INSIDE = lazily(r"[A-Za-z]\d{1,4}[A-Za-z]{1,12}\d|\w[!#$%^&*?+~]\w")
_CODE_SIGN = lazily(r"[=({<]|://|\w/\w")
_STRONG_MIN = 8
_DIGIT = lazily(r"\d")
_HUMP = lazily(r"(?<=[a-z])(?=[A-Z])")
_UNQUOTABLE = lazily(r"[\"\\\x00-\x1f]")


def named_secrets(text: str) -> Iterator[Named]:
    """Every value that its name and its look say is a secret."""
    lower = text.lower()
    if len(lower) != len(text):  # a few capitals have a longer small form, and places must agree
        lower = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
    for match in _names(text, lower):
        quote = next((name for name in _QUOTED if match[name] is not None), None)
        start, end = match.span(quote or "bare")
        whole = end
        if quote is None:
            whole = _REST_OF_TOKEN.match(text, end, end + _REST_MAX).end()  # type: ignore[union-attr] # it may match nothing
            end = start + len(_unpunctuated(text[start:end], prose=_is_prose(match)))
            whole = start + len(_unpunctuated(text[start:whole], prose=_is_prose(match)))
        elif not _is_prose(match) and (rest := _REST_OF_QUOTED.match(text, end, end + _REST_MAX)):
            whole = rest.end()
        if _is_bare_pass(match, lower) and not _speaks_of_login(match):
            continue
        if (match["password"] or "").isupper() and text.startswith("test", start):
            continue  # the log of a test run
        tries = {end, whole} if match["password"] or "'" in text[end:whole] or '"' in text[end:whole] else {end}
        if any(_is_secret(text[start:one], match, quoted=quote is not None) for one in tries):
            yield Named(start, max(end, whole), "password" if match["password"] else _kind(match["key"]))
    yield from _logins(text, lower)


def _is_bare_pass(match: re.Match[str], lower: str) -> bool:
    """Whether the name is `pass` or `pw` behind a blank: a word of many meanings."""
    start = match.start()
    return (match["password"] or "").lower() in ("pass", "pw") and lower[max(0, start - 1) : start] == " "


def _speaks_of_login(match: re.Match[str]) -> bool:
    """Whether `pass:` or `pw is` names a password: somebody logs in somewhere, and nothing else passes."""
    start, name = match.start(), match["password"]
    if _is_prose(match) and name.lower() == "pass":
        return False
    if name.isupper() and name != "PW":
        return False  # PASS: test_login
    before = match.string[max(0, start - _BEFORE_PASS) : start]
    if name.lower() == "pw":
        return True
    return _LOGIN_WORD.search(before) is not None and not _OTHER_PASS.search(before)


def secret_kind(name: str, value: str) -> str | None:
    """What kind of secret a value is that is called so (a key and its value, an address and its text), if it is one."""
    if not value.strip() or len(value) > _VALUE_MAX:
        return None
    words = _WORD.findall(_HUMP.sub(" ", name).lower())
    if kind := _placed_kind(" ".join(words), value):
        return kind
    lower = f"{name.lower()}:"
    if not any(cue in lower for cue in NAME_CUES):
        return None
    if words[-1:] == ["pin"] and value.isdigit() and (len(value) in (4, 5, 7, 8) or (len(value) == 6 and words[:-1])):
        return "PIN"
    if words and words[-1] in ("cvv", "cvc", "cvv2", "cvc2") and value.isdigit() and len(value) in (3, 4):
        return "card security code"
    first, _, rest = value.strip().lower().partition(" ")
    if rest and first in _STATUS and (first.endswith("ed") or first in _REMARKS):
        return None  # "rotated every May"
    plain = _UNQUOTABLE.sub("x", value)
    for before in (f'{name}: "', f'{name} is "'):
        for found in named_secrets(f'{before}{plain}"'):
            if found.start >= len(before):
                return found.kind
    return None


def _placed_kind(name: str, value: str) -> str | None:
    """What a value is that would be known by its place behind the name: a seed phrase, a number of a person, a key."""
    if not any(cue in name for cue in _PLACE_CUES):
        return None
    before = f"{name}: "
    text = f"{before}{value}"
    found = next((one for one in placed_secrets(text, text.lower()) if one.start >= len(before)), None)
    return None if found is None else found.kind


def is_odd_token(value: str) -> bool:
    """Whether nobody would write it as a word, a date or a name: what a password is taken for where little is said."""
    if len(value) < _ODD_MIN or "[redacted" in value or _DATE.match(value):
        return False
    return _is_mixed(value) and not _PLAIN_WORDS.match(value)


def _logins(text: str, lower: str) -> Iterator[Named]:
    """Passwords behind the name of whoever logs in."""
    for cues, pattern in _LOGINS:
        if any(cue in lower for cue in cues) and (pattern is not _PAIR_TOLD or _DIGIT.search(text)):
            for match in pattern.finditer(text):
                start, value = match.start("bare"), _unpunctuated(match["bare"], prose=True)
                if len(value) < 3 or _PLACEHOLDER.match(value) or _REFERENCE.match(value):
                    continue
                looks = _is_strong if pattern is _PAIR_TOLD else _is_mixed
                if looks(value) or pattern in _CERTAIN:
                    yield Named(start, start + len(value), "password")


def _names(text: str, lower: str) -> Iterator[re.Match[str]]:
    """Every name of a secret with what stands behind it."""
    end = 0
    for stem in _STEM.finditer(lower):
        start = stem.start()
        if start < end or (stem.group() == "key" and not _KEY_OWNER.search(text, max(0, start - 14), start)):
            continue
        match = _NAMED.match(text, start)
        if match:
            end = match.end()
            yield match


def _kind(name: str) -> str:
    lower = name.lower()
    return next((kind for kind in ("token", "key", "credential") if kind in lower), "secret").replace("key", "API key")


def _is_prose(match: re.Match[str]) -> bool:
    return not any(sign in match["sep"] for sign in "=:：>|")


def _unpunctuated(value: str, *, prose: bool) -> str:
    """Without what ends the sentence or closes a bracket that was opened before."""
    value = value.rstrip(".,;:?" if prose and value[:-1].isalnum() else ".,;:")
    bare = value.rstrip(")}]")
    closing = value[len(bare) :]
    opened = sum(bare.count(bracket) for bracket in "({[")
    return bare + closing[:opened] if bare else value


def _is_secret(value: str, match: re.Match[str], *, quoted: bool) -> bool:
    text = match.string
    tail = match["tail"] or ""
    is_flag = match["flag"] is not None
    if is_flag and text[max(0, match.start() - _FORMER_LETTERS) : match.start()].rpartition(" ")[2][:2] != "--":
        # "the API key 9f8a…": the words say no more than that it is one, so it must look like nothing else.
        owned = match["key"] and _KEY_OWNER.search(text, max(0, match.start() - 14), match.start())
        plain = len(value) >= _SPOKEN_KEY_MIN and value.replace("_", "").replace("-", "").isalnum()
        return bool(owned and plain and _is_key(value, quoted=quoted, prose=True))
    if is_flag and value.isalpha() and not quoted and not COMMAND_GOES_ON.match(text, match.end()):
        return False  # "the --password option is deprecated"
    if tail and _HARMLESS_TAIL.search(tail):
        return False
    if len(value) < 4 or _PLACEHOLDER.match(value) or value.lower() in _STATUS or "[redacted:" in value:
        return False
    if not quoted and (_REFERENCE.match(value) or _FILE.match(value)):
        return False
    if match["password"]:
        return _is_password(value, match, quoted=quoted)
    if _HARMLESS_HEAD.search(text, max(0, match.start() - 14), match.start()):
        return False
    if "=" in match["sep"] and (match["key"] + tail).isupper() and len(value) >= 12 and value.isalnum():
        return True  # an environment variable, whatever it holds
    return _is_key(value, quoted=quoted, prose=_is_prose(match) and not is_flag)


def _is_password(value: str, match: re.Match[str], *, quoted: bool) -> bool:
    words = value.lower().split()
    if len(words) > 1:
        return quoted and not _PROSE.intersection(words) and len(words) < 9
    if value.replace("_", "").replace("-", "").replace(".", "").isalpha() and _OWN_NAME.search(value):
        return False
    mixed = _is_mixed(value)
    if _is_prose(match) and match["flag"] is None:
        if mixed or quoted:
            return not _TECHNICAL.match(value) and not (value.isalpha() and _ADJECTIVE.search(value))
        return (value.isdigit() and len(value) >= (4 if _ends_sentence(match) else 6)) or (
            _ends_sentence(match) and _is_odd_word(value)
        )
    if mixed or quoted or "=" in match["sep"] or ">" in match["sep"] or match["flag"]:
        return "|" not in match["sep"] or mixed
    if match["password"].lower() == "pass" or "|" in match["sep"]:
        return False
    return _ends_line(match) and value.lower() not in _PROSE


def _is_key(value: str, *, quoted: bool, prose: bool) -> bool:
    """Whether nobody would write it by hand."""
    if " " in value or not value.isascii() or _PLAIN_WORDS.match(value):
        return False
    digits = sum(letter.isdigit() for letter in value)
    letters = sum(letter.isalpha() for letter in value)
    if _TECHNICAL.match(value) and (prose or len(value) < 24):
        return False
    if digits >= 2 and letters >= 2:
        return len(value) >= (8 if quoted or not prose else 10)
    changes = sum(one.islower() != other.islower() for one, other in pairwise(value))
    return len(value) >= 16 and letters >= 8 and changes >= 5


def _is_mixed(value: str) -> bool:
    """Letters with digits or signs among them, as no word has."""
    if not any(letter.isalpha() for letter in value):
        return False
    if any(letter.isdigit() for letter in value):
        return not _TECHNICAL.fullmatch(value) and len(value) >= 5
    return any(not letter.isalnum() and letter not in "-_'’./" for letter in value[:-1])


def _is_strong(value: str) -> bool:
    """Signs or digits in the middle of letters, as only a password has, and no name of a product."""
    bare = value.rstrip("!?.")
    return (
        len(bare) >= _STRONG_MIN
        and is_odd_token(value)
        and _INSIDE.search(bare) is not None
        and _CODE_SIGN.search(bare) is None
        and any(map(str.isdigit, bare))
    )


def _is_odd_word(value: str) -> bool:
    """A long word that describes nothing, where a description would stand."""
    return value.isascii() and value.isalpha() and len(value) >= 8 and not _ADJECTIVE.search(value.lower())


def _ends_sentence(match: re.Match[str]) -> bool:
    return re.match(r"[.!]?\s*(?:\n|\Z)", match.string[match.end() : match.end() + 4]) is not None


def _ends_line(match: re.Match[str]) -> bool:
    return re.match(r"[ \t]{0,3}(?:[,;|)}\]\n#]|//|\Z)", match.string[match.end() : match.end() + 5]) is not None
