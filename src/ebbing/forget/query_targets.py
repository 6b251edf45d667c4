"""Which of the memories found for a question it really means, when they are to be forgotten.

Search finds what resembles a question, and resembling is too little to forget something for: `alice@acme.test`
resembles `alice.smith@acme.test`. So quotations, identifiers (addresses, paths, numbers, versions, tickets) and names
in the question bind: a memory that does not hold each of them as a whole token is not meant. A question that has none
of these must share at least half of its telling words. Pure: reads texts, decides, and knows no store.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..domain.memory import Memory
from ..text.terms import STOP_WORDS, question_terms, terms

_QUOTED = re.compile(
    r"""(?<!\w)(?:"([^"\n]{1,300})"|'([^'\n]{1,300})'|“([^”\n]{1,300})”|‘([^’\n]{1,300})’|«([^»\n]{1,300})»"""
    r"""|„([^“”\n]{1,300})[“”]|`([^`\n]{1,300})`)(?!\w)"""
)
_THOUSANDS = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_APOSTROPHE = re.compile(r"(?<=\w)[’ʼ‛](?=\w)")
_HYPHEN = re.compile(r"(?<=\w)[‐‑‒](?=\w)")
_AROUND = "\"'“”‘’„«»`()[]{}<>*!?…;,:|"
_OWNED = re.compile(r"(?<=\w)['’]s?$", re.IGNORECASE)
_IDENTIFIER = re.compile(r"\d|\w[@/\\_#=.+&:]+\w|^[@#/~\\.]\w|^--?\w|^\w+\+\+$|[/\\]\w")
_MIXED = re.compile(r"[^\W\d_]*[a-z][A-Z]")
_JOINERS = "._@/\\+-&#?=%~"
_ELISION = re.compile(r"(?:^|[^\w'’])(?:[cdjlmnst]|qu)['’]$")  # French: `l'Élise`, `d'Anna`; not `O'Brien`
_COMMANDS = frozenset("forget delete remove erase drop clear everything anything all memories notes".split())
_SHARE = 0.5  # of the telling words of a question that names nothing: below, a memory is only somewhat alike


@dataclass(frozen=True, slots=True)
class _Word:
    written: str
    opens: bool  # a sentence, so that its capital may not be its own

    @property
    def is_capital(self) -> bool:
        return self.written[:1].isupper()


def meant_by(question: str, found: Sequence[Memory]) -> list[Memory]:
    """Those of the memories found that hold everything a question names; without names, what shares its words."""
    texts = [plain(_text_of(memory)) for memory in found]
    bound = binding(question, [plain(memory.text) for memory in found])
    if bound:
        return [
            memory for memory, text in zip(found, texts, strict=True) if all(_stands_in(one, text) for one in bound)
        ]
    telling = set(question_terms(question))
    return [
        memory
        for memory, text in zip(found, texts, strict=True)
        if len(telling & set(terms(text))) >= _SHARE * len(telling)
    ]


def quotations(question: str) -> list[str]:
    """What a question quotes, in small letters."""
    found = (next(filter(None, match.groups())).strip().lower() for match in _QUOTED.finditer(plain(question)))
    return list(dict.fromkeys(one for one in found if one))


def holding(bound: Sequence[str], found: Sequence[Memory]) -> list[Memory]:
    """Those of the memories found that hold each of these as a whole token."""
    texts = ((memory, plain(_text_of(memory))) for memory in found)
    return [memory for memory, text in texts if all(_stands_in(one, text) for one in bound)]


def binding(question: str, texts: Sequence[str]) -> list[str]:
    """What a memory must hold to be meant: each quotation, identifier and name of the question, in small letters.

    A word that the question writes small, or large only because it opens a sentence, is a name where the texts never
    write it small.
    """
    question = plain(question)
    found = [next(filter(None, match.groups())).strip() for match in _QUOTED.finditer(question)]
    words = list(_words(_QUOTED.sub(" ", question)))
    is_shouted = question.isupper()
    seen = _cases(texts)
    for place, word in enumerate(words):
        lower = word.written.lower()
        behind = words[place + 1] if place + 1 < len(words) else None
        if _IDENTIFIER.search(word.written) or _MIXED.match(word.written):
            found.append(lower)
        elif "-" in lower and any(_stands_in(lower, text) for text in texts):
            found.append(lower)  # `db-prod` is not `db-prod-1`; `follow-up` may be written `follow up` everywhere
        elif word.is_capital and not word.opens and not is_shouted:
            found += [lower] if lower not in ("i", "i'm", "i’m") else []
        elif lower in STOP_WORDS or lower in _COMMANDS or not word.written[0].isalpha():
            continue
        elif seen.get(lower) is not None:
            found += [lower] if seen[lower] else []
        elif word.is_capital and not is_shouted and (len(words) == 1 or (behind is not None and behind.is_capital)):
            found.append(lower)
    return list(dict.fromkeys(_without_owner(one).lower() for one in found if one))


def plain(text: str) -> str:
    """A text in one notation: composed characters, nothing invisible, one apostrophe and one hyphen within words, 2,400
    as 2400."""
    composed = _APOSTROPHE.sub("'", unicodedata.normalize("NFKC", text))
    composed = _HYPHEN.sub("-", composed)
    seen = "".join(letter for letter in composed if unicodedata.category(letter) != "Cf")
    return _THOUSANDS.sub(lambda number: number[0].replace(",", ""), seen)


def _text_of(memory: Memory) -> str:
    return "\n".join(filter(None, (memory.text, memory.subject, memory.attribute, *memory.tags)))


def _words(text: str) -> Iterator[_Word]:
    """The words of a text as they are written, without the signs around them and without `'s`."""
    opens = True
    for chunk in text.split():
        bare = chunk.strip(_AROUND)
        # A full stop ends a sentence; one that begins a word belongs to it, as in `.env`.
        bare = bare.rstrip("." + _AROUND)
        owned = _without_owner(bare)
        if owned:
            yield _Word(owned, opens and owned == bare)
        opens = chunk.rstrip("\"'”’)")[-1:] in (".", "!", "?", "…", ":")


def _without_owner(word: str) -> str:
    return _OWNED.sub("", word)


def _cases(texts: Sequence[str]) -> dict[str, bool]:
    """Of each word in these texts, whether it is always written with a capital."""
    always: dict[str, bool] = {}
    for text in texts:
        for word in _words(text):
            lower = word.written.lower()
            always[lower] = word.is_capital and always.get(lower, True)
    return always


def _stands_in(wanted: str, text: str) -> bool:
    """Whether it stands there as a whole token: nothing on either side continues it."""
    lower = text.lower()
    # Small letters may be more characters than capitals; then the places would not be the same.
    written = text if len(lower) == len(text) else lower
    place = lower.find(wanted)
    while place >= 0:
        end = place + len(wanted)
        if not _continues(
            lower[max(0, place - 2) : place][::-1], wanted[0], written[max(0, place - 5) : place], True
        ) and not (_continues(lower[end : end + 3], wanted[-1], "", False)):
            return True
        place = lower.find(wanted, place + 1)
    return False


def _continues(near: str, edge: str, before: str, is_before: bool) -> bool:
    """Whether the characters beside a token, the nearest first, belong to the same one."""
    if not near:
        return False
    if near[0].isalnum() and not _is_unspaced(near[0]):
        return True
    if not (edge.isalnum() or edge == "_"):
        return False
    beyond = near[1:2]
    if near[0] in "'’":
        if is_before:
            return beyond.isalnum() and not _ELISION.search(before)
        return beyond.isalnum() and not (beyond == "s" and not near[2:3].isalnum())
    if near[0] in ",:":
        return edge.isdigit() and beyond.isdigit()
    if is_before and near[0] in "+-" and edge.isdigit():
        return True
    return near[0] in _JOINERS and (beyond.isalnum() or beyond == "_")


def _is_unspaced(letter: str) -> bool:
    """Whether it is of a script that does not keep its words apart."""
    return unicodedata.east_asian_width(letter) in "WF"
