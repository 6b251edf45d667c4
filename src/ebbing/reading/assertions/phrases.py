"""The parts of a clause: who it is about, and what fills it, each in one normal form.

A phrase such as `the deadline for the report`, `the report's deadline` or `the report deadline` is a bag of words with
a head, so that all three are one; a name is a name; `I`, `my` and `the user` are the user.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from . import lexicon
from .tokens import Sort, Token, scale, stem, unit

USER = "user"
_CONDITIONS = lexicon.words(
    "if when whenever while unless because although though so whereas once except provided where wherever which who "
    "but that whether"
)
NEW = lexicon.words("new updated revised increased reduced extended latest improved raised")
_FILLERS = NEW | lexicon.words("current new latest updated present the a an 's own so-called exact old previous former")
_APPROXIMATE = lexicon.words("about around over under nearly almost roughly approximately only just exactly to at up")
_OLD = lexicon.words("old previous former original initial ex")
_THE = Token("the", "the", Sort.WORD)
_ARTICLES = frozenset((*lexicon.DEFINITE, "a", "an"))
_FIXED = frozenset({Sort.NAME, Sort.NUMBER, Sort.DATE, Sort.CLOCK, Sort.LITERAL})


@dataclass(frozen=True, slots=True)
class Phrase:
    """Whom or what a clause is about."""

    key: str  # equal for the same thing
    told: str  # for people
    head: str  # the stem of the noun that says what it is; empty for a name
    near: str = ""  # the word before the head, `response` in `the API response time`; empty where names are about
    about: frozenset[str] = frozenset()  # the other words
    owned: bool = False  # the user's
    named: bool = False
    plural: bool = False
    changed: bool = False  # `the new …`
    past: bool = False  # `the old …`


@dataclass(frozen=True, slots=True)
class Value:
    """What fills a relation."""

    text: str  # normal form
    stems: frozenset[str]
    sort: Sort
    article: str = ""  # a, the, my or none
    kind: str = ""  # the class it is said to be of: `city` in `the city of London`
    unit: str = ""  # what a number counts
    label: str = ""  # what a number numbers: `port` in `port 5432`
    head: str = ""
    rest: tuple[Token, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A preposition, or nothing, and the words behind it."""

    by: str
    tokens: tuple[Token, ...]


THE_USER = Phrase(USER, "the user", "", owned=True, named=True)


def subject(tokens: Sequence[Token], speaker: str | None = None) -> Phrase | None:
    """Who is meant; None where that cannot be known, as with `a man`, `they` or `people`."""
    if not tokens:
        return None
    forms = [token.form for token in tokens]
    if forms[0] in lexicon.FIRST_PERSON or forms in (["the", "user"], ["user"]):
        return THE_USER if not speaker else Phrase(speaker.lower(), speaker, "", named=True)
    if _is_vague(forms[0]) and not _is_title(tokens):
        return None
    if (
        forms[0] in lexicon.OWNERS
        or forms[0] in lexicon.PREPOSITIONS
        or any(token.sort is Sort.PAUSE and token.form not in ",." for token in tokens)
    ):
        return None
    if tokens[0].sort is Sort.NUMBER and (len(tokens) == 1 or tokens[1].sort is not Sort.NAME):
        return None
    if "of" in forms[2:] and forms[0] == "the" and stem(forms[forms.index("of") - 1]) in lexicon.ATTRIBUTES:
        return _described(tokens, speaker)
    if len(tokens) > 1 and stem(forms[-1]) in lexicon.MEASURES and all(t.sort is Sort.WORD for t in tokens[1:]):
        return _described((_THE, *tokens) if forms[0] not in _ARTICLES else tokens, speaker)
    if "'s" not in forms and (is_name(tokens) or not (forms[0] in lexicon.DEFINITE or forms[0] in lexicon.MINE)):
        return _named(tokens)
    return _described(tokens, speaker)


def _is_vague(form: str) -> bool:
    return form in lexicon.NOBODY or form in lexicon.THIRD_PERSON or form in lexicon.INDEFINITE


def _is_title(tokens: Sequence[Token]) -> bool:
    """Whether capitals at both ends enclose marks or initials: `Anna's Kitchen`, `A. B. Smith`."""
    return len(tokens) > 2 and tokens[0].sort is tokens[-1].sort is Sort.NAME and tokens[1].sort is not Sort.WORD


def is_name(tokens: Sequence[Token]) -> bool:
    """Whether capitals run from end to end, `of` and the like aside: Bank of Rome, The House of Ann."""
    ends = (tokens[0], tokens[-1])
    if not all(token.sort is Sort.NAME for token in ends) or tokens[0].form in lexicon.MINE:
        return len(tokens) == 1 and tokens[0].sort is Sort.LITERAL
    if tokens[0].form in lexicon.DEFINITE and not all(
        token.sort is not Sort.WORD or len(token.form) < 4 for token in tokens
    ):
        return False
    return not (tokens[0].form in lexicon.DEFINITE and len(tokens) == 1)


def _named(tokens: Sequence[Token]) -> Phrase | None:
    words = [token.form for token in tokens if token.sort is not Sort.PAUSE]
    if words and words[0] == "the":
        words = words[1:]
    is_plain = all(token.sort is Sort.WORD for token in tokens[1:])
    if not words or (is_plain and len(words) < 4 and stem(words[-1]) in lexicon.ANYBODY and words[0].isalpha()):
        return None
    plural = tokens[-1].sort is Sort.WORD and _is_plural(words[-1])
    told = " ".join(token.written for token in tokens)
    return Phrase(" ".join(words), told, "", named=True, plural=plural)


def _described(tokens: Sequence[Token], speaker: str | None) -> Phrase | None:
    forms = [token.form for token in tokens]
    owned = forms[0] in lexicon.MINE or forms[:3] == ["the", "user", "'s"]
    tied = next((place for place, form in enumerate(forms) if form in lexicon.PREPOSITIONS), len(forms))
    start = next((place for place in range(tied - 1, -1, -1) if forms[place] == "'s"), -1) + 1
    inner = forms[start:]
    while len(inner) > 2 and (inner[:2] == ["name", "of"] or inner[:3] == ["the", "name", "of"]):
        start += inner.index("of") + 1
        inner = forms[start:]
    stop = next(
        (
            place
            for place, form in enumerate(inner)
            if place and (form in lexicon.PREPOSITIONS or form in lexicon.RELATIVES or form == ",")
        ),
        len(inner),
    )
    core = [form for form in inner[:stop] if form not in _FILLERS and form not in lexicon.DEFINITE]
    rest = {stem(form) for form in (*forms[:start], *core[:-1], *inner[stop:]) if _tells(form)}
    if not core or (not rest and not owned and stem(core[0]) in lexicon.ANYBODY):
        return None
    head = lexicon.SAME_ROLE.get(stem(core[-1]), stem(core[-1]))
    is_shared = forms[0] == "our" or head in lexicon.MEETINGS
    owner = {speaker.lower() if speaker else USER} if owned and not is_shared else set()
    about = frozenset(rest - {"user"} | owner)
    return Phrase(
        key=f"{head} {' '.join(sorted(about))}".strip(),
        told=_told(tokens),
        head=head,
        near=stem(core[-2]) if len(core) > 1 and not any(map(_is_proper, tokens[1:])) else "",
        about=about,
        owned=owned,
        plural=_is_plural(core[-1]),
        changed=any(form in NEW for form in forms),
        past=any(form in _OLD for form in forms),
    )


def of_owner(what: Phrase, owner: Phrase) -> Phrase:
    """`a latency of 20 ms`, had by the server: the latency of the server."""
    about = what.about | frozenset(stem(word) for word in owner.key.split())
    key = f"{what.head} {' '.join(sorted(about))}"
    return replace(what, key=key, about=about, told=f"{what.told} of {owner.told}")


def _told(tokens: Sequence[Token]) -> str:
    first = {"my": "the user's", "our": "our"}.get(tokens[0].form, tokens[0].written.lower())
    return " ".join((first, *(token.written for token in tokens[1:]))).replace(" 's", "'s")


def _is_proper(token: Token) -> bool:
    """A name, and not API or CPU."""
    return token.sort is Sort.NAME and not (token.written.isupper() and len(token.written) < 5)


def _is_plural(form: str) -> bool:
    return form.endswith("s") and not form.endswith(("ss", "us", "is", "headquarters"))


def _tells(form: str) -> bool:
    is_small = form in lexicon.PREPOSITIONS or form in lexicon.RELATIVES or form in lexicon.DEFINITE
    return not is_small and form not in _FILLERS and form not in ",()." and form not in lexicon.BE


def chunks(tokens: Sequence[Token]) -> list[Chunk]:
    """What stands behind a verb, cut before prepositions, commas and conditions."""
    found: list[Chunk] = []
    by, current = "", list[Token]()
    for place, token in enumerate(tokens):
        following = tokens[place + 1] if place + 1 < len(tokens) else None
        if _keeps_on(token, current, following):
            current.append(token)
            continue
        cut = _cut(token, current, following)
        if cut is None:
            current.append(token)
        elif cut:
            if current or by:
                found.append(Chunk(by, tuple(current)))
            by, current = cut, []
    return [*found, Chunk(by, tuple(current))] if current or by else found


def _keeps_on(token: Token, current: Sequence[Token], following: Token | None) -> bool:
    """Whether a word that could cut is inside a name: Bank of Rome; Washington, D.C."""
    if not current or following is None:
        return False
    if token.form == ",":
        last = current[-1].sort
        return last is Sort.NAME and following.sort is Sort.NAME and following.form not in lexicon.FIRST_PERSON
    if token.form == ".":
        return True
    return token.form == "of" or (
        token.sort is Sort.WORD
        and token.form in ("in", "on", "for", "at", "the", "to", "with", "by", "from")
        and current[0].sort is Sort.NAME
        and current[-1].sort is Sort.NAME
        and following.written in ("The", "A")
    )


def _cut(token: Token, current: Sequence[Token], following: Token | None) -> str | None:
    """The word a new chunk begins by; None to go on, empty to pass over the word."""
    form = token.form
    if token.sort is Sort.PAUSE:
        return ","
    if token.sort is Sort.NAME:
        return None
    if form in _APPROXIMATE and following is not None and following.sort is Sort.NUMBER and not current:
        return "" if form != "to" else "to"
    if form in ("not", "instead", "rather", "but") and (current or form == "not"):
        return form
    if form in ("of", "than") and not current:
        return ""
    if form in lexicon.PREPOSITIONS and following is not None:
        return form
    return form if form in _CONDITIONS else None


def value(tokens: Sequence[Token]) -> Value:
    """What the words of one chunk stand for."""
    line = [token for token in tokens if token.form not in lexicon.ADVERBS or token.sort is Sort.NAME]
    article = ""
    if (
        line
        and line[0].form in _ARTICLES
        and not (line[0].written in ("The", "A", "An") and len(line) > 1 and line[1].sort is Sort.NAME)
    ):
        article = line.pop(0).form
    kind = ""
    forms = [token.form for token in line]
    if article == "the" and forms[1:2] == ["of"] and stem(forms[0]) in lexicon.APPOSED:
        kind = stem(forms[0])
        line = line[2:]
    return _measured(line, article, kind)


def _measured(line: Sequence[Token], article: str, kind: str) -> Value:
    told = [token for token in line if token.sort is not Sort.PAUSE and token.form not in lexicon.DEFINITE]
    place = next((place for place, token in enumerate(told) if token.sort is Sort.NUMBER), -1)
    stems = frozenset(
        stem(token.form) if token.sort in (Sort.WORD, Sort.NAME) else token.form
        for token in told
        if token.form not in ("of", "a", "an", "the", "and")
    )
    text = " ".join(stem(token.form) if token.sort is Sort.WORD else token.form for token in told)
    head = stem(told[-1].form) if told else ""
    if place < 0:
        sort = next((token.sort for token in told if token.sort in _FIXED), Sort.WORD) if told else Sort.WORD
        return Value(text, stems, sort, article, kind, head=head, rest=tuple(told))
    number = told[place]
    behind = told[place + 1 :]
    times = scale(behind[0].form) if behind else 0
    digits = number.form
    if times and digits.replace(".", "", 1).isdigit():
        digits, behind = f"{float(digits) * times:.0f}", behind[1:]
    counted = number.unit or (unit(behind[0].form) if behind else "")
    words = [stem(token.form) for token in behind if token.sort in (Sort.WORD, Sort.NAME)]
    if "of" in [token.form for token in behind]:
        words = [stem(token.form) for token in behind[: [token.form for token in behind].index("of")]]
    names = (
        token.form if token.sort is Sort.NAME else stem(token.form) for token in told[:place] if token.form != "of"
    )
    label = "" if counted else " ".join(names)
    return Value(
        text=digits,
        stems=stems,
        sort=Sort.NUMBER,
        article=article,
        kind=kind,
        unit=counted or (words[-1] if words else ""),
        label=label,
        head=head,
        rest=tuple(told),
    )
