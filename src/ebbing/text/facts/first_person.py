"""What somebody says of themselves, told of them: `I moved` as `Anna moved`, `my dog` as `Anna's dog`.

Only where the grammar is plain. Where it is not (`we`, `myself`, `am I`), the words stay as they were said, behind the
name of who said them.
"""

from __future__ import annotations

from .tokenizer import FINITE, Kind, Phrase, Token, made
from .word_classes import May, third_person

_OTHERS = frozenset("we us our ours ourselves we're we've myself".split())
_MINE = frozenset({"i", "me", "my", "mine"})
_CONTRACTED = {"'m": "is", "'ve": "has", "'ll": "will", "'re": "are"}


def told_of(tokens: Phrase, name: Phrase) -> Phrase:
    """A fact in the first person as one about whoever said it; any other fact as it is."""
    words = {token.lower for token in tokens}
    if not words & (_MINE | _OTHERS):
        return tokens
    if words & _OTHERS or not _is_plain(tokens):
        return (*_opening(name), made(":", Kind.BREAK, spaced=False), *tokens)
    found: list[Token] = []
    verbs = _verbs_of_mine(tokens)
    for place, token in enumerate(tokens):
        lower = token.lower
        if lower in ("i", "me") and token.kind in (Kind.PRON, Kind.OBJ):
            found += name if place else _opening(name)
        elif lower in ("my", "mine"):
            found += (*(name if place else _opening(name)), made("'s", Kind.POSS, spaced=False))
        elif place in verbs:
            found += _agreeing(tokens, place)
        else:
            found.append(token)
    return tuple(found)


def _opening(name: Phrase) -> Phrase:
    first = name[0]
    return (first.respelled(first.text[0].upper() + first.text[1:]), *name[1:])


def _is_plain(tokens: Phrase) -> bool:
    for place, token in enumerate(tokens):
        if token.lower == "i":
            if place and tokens[place - 1].kind is Kind.AUX:  # am I
                return False
            if place and tokens[place - 1].kind is Kind.CC and tokens[place - 1].lower in ("and", "or"):
                before = tokens[place - 2] if place > 1 else None
                if (
                    before is not None
                    and before.kind not in (Kind.COMMA, Kind.BREAK)
                    and not _is_clause_end(tokens, place)
                ):
                    return False  # Ben and I
            if place + 1 < len(tokens) and tokens[place + 1].lower == "were":
                return False
    return True


def _is_clause_end(tokens: Phrase, place: int) -> bool:
    return any(token.kind in FINITE for token in tokens[:place])


def _verbs_of_mine(tokens: Phrase) -> set[int]:
    """Where the verbs stand whose subject is `I`."""
    found: set[int] = set()
    mine = False
    alone = True  # nobody else has been named as a subject, and no infinitive begun
    for place, token in enumerate(tokens):
        if token.lower == "i" and token.kind is Kind.PRON:
            mine = True
        elif token.kind in FINITE:
            if mine:
                found.add(place)
            mine = False
        elif token.kind is Kind.CC and token.lower in ("and", "but", "or") and found:
            # A second verb of the same subject follows at once.
            behind = next((one for one in tokens[place + 1 :] if one.kind not in (Kind.ADV, Kind.NEG)), None)
            mine = alone and behind is not None and behind.kind in FINITE
        elif token.kind in (Kind.PRON, Kind.SUB, Kind.REL, Kind.TO, Kind.BASE):
            mine = False
            alone = alone and not found
    return found


def _agreeing(tokens: Phrase, place: int) -> Phrase:
    token = tokens[place]
    lower = token.lower
    behind = next((one for one in tokens[place + 1 :] if one.kind not in (Kind.ADV, Kind.NEG)), None)
    if lower == "'d":
        text = "had" if behind is not None and behind.kind is Kind.PART else "would"
        return (made(text, token.kind, may=token.may),)
    if lower in _CONTRACTED:
        return (made(_CONTRACTED[lower], token.kind, may=token.may),)
    if lower in ("am", "have", "do"):
        return (token.respelled(third_person(lower)),)
    if token.kind is Kind.VERB and token.may & May.BASE and not _is_past_too(token):
        return (token.respelled(third_person(lower)),)
    return (token,)


def _is_past_too(token: Token) -> bool:
    return bool(token.may & May.PAST) and token.lower != "read"
