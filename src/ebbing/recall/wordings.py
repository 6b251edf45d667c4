"""Another wording of a question, for words that are in no memory: other spellings, slips, and aliases.

A word that stands in no memory finds nothing. So it is asked for as the owner writes it: `color` for `colour`,
`Marisol` for `Marisl`, `kubernetes` for `k8s`. Aliases are learned from use: a memory with the attribute `alias` says
what else its subject is called (subject "kubernetes", attribute "alias", text "k8s"). The question is asked in both
wordings.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from ..ports import Index
from ..text.terms import STOP_WORDS, digest, question_terms

ALIAS = "alias"
_WORD = re.compile(r"[^\W_][\w’'+#-]*")
_OWNING = re.compile(r"['’]s?$")
_NUMERONYM = re.compile(r"([a-z])(\d{1,2})([a-z])", re.IGNORECASE)
_NAME_MIN, _WORD_MIN = 4, 6  # letters of what may hold a slip: shorter words are too near to others
_LISTED_MAX = 300  # words with the same beginning
_WORDS_MAX = 12  # of a question: more is a text, and has other words to be found by
# British and American spellings: what ends or stands so is written the other way too.
_SPELLINGS = (
    (re.compile(r"our(?=$|s$|ed$|ing$|ite|able|hood|ful)"), "or"),
    (re.compile(r"(?<=[^aeiou])or(?=$|s$|ed$|ing$|ite|able|hood|ful)"), "our"),
    (re.compile(r"is(?=e$|es$|ed$|ing$|ation|er$)"), "iz"),
    (re.compile(r"iz(?=e$|es$|ed$|ing$|ation|er$)"), "is"),
    (re.compile(r"ys(?=e$|es$|ed$|ing$|er$)"), "yz"),
    (re.compile(r"yz(?=e$|es$|ed$|ing$|er$)"), "ys"),
    (re.compile(r"(?<=[tb])re(?=$|s$|d$)"), "er"),
    (re.compile(r"(?<=[tb])er(?=$|s$|ed$)"), "re"),
    (re.compile(r"ogue(?=$|s$)"), "og"),
    (re.compile(r"og(?=$|s$)"), "ogue"),
    (re.compile(r"ence(?=$|s$)"), "ense"),
    (re.compile(r"ense(?=$|s$)"), "ence"),
    (re.compile(r"ll(?=ed$|ing$|er$|ers$)"), "l"),
    (re.compile(r"(?<=[aeiou])l(?=ed$|ing$|er$|ers$)"), "ll"),
    (re.compile(r"ae|oe"), "e"),
    (re.compile(r"grey"), "gray"),
    (re.compile(r"gray"), "grey"),
    (re.compile(r"mme$"), "m"),
    (re.compile(r"(?<=gra)m$"), "mme"),
)


def other_wording(question: str, index: Index) -> str | None:
    """The question as the owner would have written it, where that differs."""
    words = [found[0] for found in _WORD.finditer(question)]
    telling = [word for word in dict.fromkeys(words) if word.lower() not in STOP_WORDS and len(word) > 1]
    if not telling or len(telling) > _WORDS_MAX:
        return None
    others = _aliases(telling, index)
    for word in telling:
        if word not in others and (other := _known_form(word, index)) is not None:
            others[word] = other
    if not others:
        return None
    return _WORD.sub(lambda found: others.get(found[0], found[0]), question)


def _aliases(words: list[str], index: Index) -> dict[str, str]:
    """What those words are called otherwise, as memories say it."""
    bare = {word: _OWNING.sub("", word) for word in words}
    pairs = [" ".join(two) for two in itertools.pairwise(words)]
    forms = sorted({form for name in (*bare.values(), *pairs) for form in (name, name.lower())})
    memories = index.by_alias(forms, ALIAS)
    by_alias = {digest(memory.text): str(memory.subject) for memory in memories}
    by_subject = {str(memory.subject).lower(): memory.text for memory in memories}
    found = {}
    for word, name in bare.items():
        other = by_alias.get(digest(name)) or by_subject.get(name.lower())
        if other is not None:
            found[word] = other
    for pair in pairs:
        if (other := by_subject.get(pair.lower())) is not None:
            first, second = pair.split(" ")
            found |= {first: other, second: other}
    return found


def _known_form(word: str, index: Index) -> str | None:
    """A word that the owner never wrote, as they may have written it."""
    bare = _OWNING.sub("", word)
    term = _term(bare)
    if term is None or _is_known(term, index):
        return None
    for form in _forms(bare.lower()):
        other = _term(form)
        if other is not None and other != term and _is_known(other, index):
            return form
    if (short := _NUMERONYM.fullmatch(bare)) is not None:
        return _only(_long_forms(short, index))
    least = _NAME_MIN if bare[:1].isupper() else _WORD_MIN
    if len(bare) < least or not bare.isalpha():
        return None
    return _only(one for one in index.words_with_prefix(term[:2], _LISTED_MAX) if is_slip(term, one))


def _forms(word: str) -> Iterator[str]:
    """Other spellings, and the short form that counts letters."""
    for pattern, other in _SPELLINGS:
        if pattern.search(word):
            yield pattern.sub(other, word)
    if word.isalpha() and len(word) > 4:
        yield f"{word[0]}{len(word) - 2}{word[-1]}"


def _long_forms(short: re.Match[str], index: Index) -> Iterator[str]:
    """Words with as many letters as the short form counts; what is indexed may lack an ending."""
    first, letters = short[1].lower(), int(short[2]) + 2
    for word in index.words_with_prefix(first, _LISTED_MAX):
        if word.isalpha() and letters - 2 <= len(word) <= letters and len(word) > 4:
            yield word


def _term(word: str) -> str | None:
    return next(iter(question_terms(word)), None)


def _is_known(term: str, index: Index) -> bool:
    return index.words_with_prefix(term, 1) == [term]


def _only(several: Iterator[str]) -> str | None:
    """The only element; None where there are several, because it is unknown which is meant."""
    found = list(dict.fromkeys(several))
    return found[0] if len(found) == 1 else None


def is_slip(one: str, other: str) -> bool:
    """Whether two words differ by one letter: left out, put in, another one, or two that changed places."""
    short, long = sorted((one, other), key=len)
    if one == other or len(long) - len(short) > 1:
        return False
    at = next((place for place, letter in enumerate(short) if letter != long[place]), len(short))
    if len(short) < len(long):
        return short[at:] == long[at + 1 :]
    swapped = short[at + 1 : at + 2] + short[at : at + 1] == long[at : at + 2]
    return short[at + 1 :] == long[at + 1 :] or (swapped and short[at + 2 :] == long[at + 2 :])
