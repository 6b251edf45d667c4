"""Lists taken apart: what is said of A, B and C, said of each.

Only where each member, alone, is what the text says of it. Not under a negation, nor with `or`, nor where things are
named together (`between A and B`, `A and B met`), nor in doubt about what is joined: then the sentence stays whole.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from .structure import (
    Main,
    agrees,
    is_limited,
    is_negated,
    main_clause,
    noun_phrase_start,
)
from .tokenizer import FINITE, NOMINAL, Kind, Phrase, Token, made
from .word_classes import (
    BE,
    May,
    is_plural,
    third_person,
)

_TOGETHER = frozenset(
    """together between among amongst respectively both jointly combined versus vs either neither mix mixture
    combination balance difference differences relationship relationships comparison same different similar
    mutual share shares shared total totals sum collectively apart equal meet meets met marry marries married""".split()
)
_PAIRS = frozenset(
    """research-development terms-conditions salt-pepper pros-cons rock-roll supply-demand trial-error back-forth
    bed-breakfast black-white gin-tonic profit-loss""".split()
)
# Countries and territories whose own name has an `and` in it: one thing, though it reads like two.
_COUNTRIES = frozenset(
    """antigua-barbuda bosnia-herzegovina kitts-nevis pierre-miquelon tome-principe tomé-príncipe
    trinidad-tobago turks-caicos vincent-grenadines wallis-futuna""".split()
)
_SHARED = frozenset("in on at from during for with by of".split())
_NO_ITEMS = frozenset({Kind.PRON, Kind.OBJ, Kind.VERB, Kind.AUX, Kind.SUB, Kind.REL, Kind.BREAK, Kind.BE, Kind.NEG})
_QUALITIES = frozenset({Kind.ADJ, Kind.PART, Kind.ADV, Kind.COMMA, Kind.CC})
_ITEM_KINDS = frozenset(
    {Kind.NOUN, Kind.NAME, Kind.NUM, Kind.ADJ, Kind.PART, Kind.ING, Kind.DET, Kind.POSS, Kind.PAREN, Kind.ADV}
)


def joined_nouns(tokens: Phrase) -> list[Phrase] | None:
    """`She likes tea and cake`; `it runs on Linux, macOS and Windows`; `Anna and Ben sing`."""
    main = main_clause(tokens)
    if main is None or any(token.lower in _TOGETHER or token.lower == "each other" for token in tokens):
        return None
    for place in range(1, len(tokens) - 1):
        if tokens[place].kind is not Kind.CC or tokens[place].lower not in ("and", "&", "as well as"):
            continue
        found = _taken_apart(tokens, main, place)
        if found:
            return found
    return None


def _taken_apart(tokens: Phrase, main: Main, joint: int) -> list[Phrase] | None:
    items = _items(tokens, joint)
    if items is None:
        return None
    first, last = items[0][0], items[-1][1]
    prefix, suffix = tokens[:first], tokens[last:]
    if is_negated(prefix) or is_limited((*prefix[main.start :], *suffix)) or not _are_alike(tokens, items):
        return None
    if last <= main.verb:
        return _subjects(tokens, main, items)
    if tokens[first].kind is Kind.NUM and any(token.kind is Kind.CC for token in prefix[: main.verb]):
        return None  # Anna and Ben are 7 and 9
    if first <= main.verb or any(token.kind is Kind.CC for token in prefix[main.verb :] if token.lower == "or"):
        return None
    if _is_counted(prefix[main.verb :]):
        return None
    if prefix[-1].kind is Kind.COMMA or (suffix and suffix[0].kind is Kind.CC):
        return None
    if any(token.kind is Kind.BREAK for token in prefix):
        return None
    if not all(token.kind is Kind.END for token in suffix) and not _share(tokens, items, main, suffix):
        return None
    article = _shared_article(tokens, items)
    return [(*prefix, *(article if start > first else ()), *tokens[start:end], *suffix) for start, end in items]


def _is_counted(before: Phrase) -> bool:
    """Whether a sum stands before a list: `$40 for tea and cake`, `3 offices in Rome and Oslo` is not said of each."""
    if before[-1].kind is not Kind.PREP:
        return False
    start = noun_phrase_start(before, len(before) - 1)
    return before[start].kind is Kind.NUM and before[start - 1].kind is not Kind.PREP


def _share(tokens: Phrase, items: Sequence[tuple[int, int]], main: Main, suffix: Phrase) -> bool:
    """Whether what follows a list is said of each: `tea and cake in the morning`, not `a car and a house in Rome`."""
    last = tokens[items[-1][0] : items[-1][1]]
    if suffix[0].lower not in _SHARED or last[0].kind is Kind.DET or any(one.kind is Kind.POSS for one in last):
        return False
    prefix = tokens[main.verb : items[0][0]]
    if any(token.kind is Kind.COMMA for token in prefix):
        return False
    return not (len(prefix) > 2 and prefix[-1].kind is Kind.PREP and prefix[-2].kind is Kind.NAME)


def _shared_article(tokens: Phrase, items: Sequence[tuple[int, int]]) -> Phrase:
    """`the council and team`: the team."""
    head = tokens[items[0][0]]
    if head.kind is Kind.DET and all(tokens[start].kind is not Kind.DET for start, _ in items[1:]):
        is_shared = head.lower not in ("a", "an") and tokens[items[1][0]].kind is not Kind.NAME
        return (head.respelled(head.text.lower()),) if is_shared else ()
    return ()


def _subjects(tokens: Phrase, main: Main, items: Sequence[tuple[int, int]]) -> list[Phrase] | None:
    """`Anna and Ben like tea`: Anna likes tea, Ben likes tea."""
    if items[0][0] != main.start or items[-1][1] != main.verb or is_negated(tokens[main.verb :]):
        return None
    verb = tokens[main.verb]
    if verb.lower in ("is", "was", "has", "does") or (verb.kind is Kind.VERB and verb.may & May.SINGULAR):
        return None
    rest = tokens[main.verb + 1 :]
    if verb.lower in BE and rest and rest[0].kind not in (Kind.PART, Kind.ADJ, Kind.ING, Kind.PREP, Kind.ADV):
        return None  # are friends, are two of …
    found = []
    article = _shared_article(tokens, items)
    for start, end in items:
        item = (*(article if start > items[0][0] else ()), *tokens[start:end])
        singular = agrees(item, made("is", Kind.AUX))
        text = third_person(verb.lower) if singular and _is_plural_form(verb) else verb.text
        found.append((*tokens[: main.start], *item, verb.respelled(text), *rest))
    return found


def _is_plural_form(verb: Token) -> bool:
    if verb.kind is Kind.AUX:
        return verb.lower in ("are", "have", "do", "were")
    return bool(verb.may & May.BASE and not verb.may & May.PAST)


def _items(tokens: Phrase, joint: int) -> list[tuple[int, int]] | None:
    """Where the members of a list stand, first to last; None where these are not nouns, or it is not clear which."""
    right = joint + 1
    if right < len(tokens) and tokens[right].kind is Kind.PREP:
        return _prepositional(tokens, joint)
    end = right
    while end < len(tokens) and (tokens[end].kind in _ITEM_KINDS or _is_of(tokens, end)):
        end += 1
    while end > right and tokens[end - 1].kind is Kind.ADV:
        end -= 1
    if not _is_item(tokens[right:end]) or (end < len(tokens) and tokens[end].kind in (Kind.REL, Kind.TO)):
        return None
    if _may_be_clause(tokens[right:end]):
        return None
    before = joint - 1 if tokens[joint - 1].kind is Kind.COMMA else joint
    found = [(right, end)]
    while True:
        start = _item_start(tokens, before, tokens[right:end])
        if start is None:
            return None
        found.insert(0, (start, before))
        if start < 2 or tokens[start - 1].kind is not Kind.COMMA or tokens[start - 2].kind not in NOMINAL:
            return found
        before = start - 1


def _may_be_clause(item: Phrase) -> bool:
    """Whether what looks like a noun may be a verb with its subject before it: `all tests pass`, `the build runs`."""
    return any(
        token.kind in (Kind.NOUN, Kind.PART)
        and before.kind in NOMINAL
        and (
            token.may & (May.SINGULAR | May.PAST)
            or (token.may & May.BASE and (is_plural(before.lower) or before.kind is Kind.NAME))
        )
        for before, token in itertools.pairwise(item)
    )


def _is_of(tokens: Phrase, place: int) -> bool:
    return tokens[place].lower == "of" and place + 1 < len(tokens) and tokens[place + 1].kind in _ITEM_KINDS


def _is_item(item: Phrase) -> bool:
    if not item or item[0].kind in _NO_ITEMS or (item[0].kind is Kind.ING and len(item) > 1):
        return False
    return item[-1].kind in (Kind.NOUN, Kind.NAME, Kind.PAREN, Kind.NUM)


def _item_start(tokens: Phrase, before: int, model: Phrase) -> int | None:
    """Where a list member that ends at `before` begins, given how the last one looks."""
    near = noun_phrase_start(tokens, before, of=False)
    if near == before or (near > 1 and tokens[near - 1].kind is Kind.ING and tokens[near - 2].kind in NOMINAL):
        return None  # the last: `uses machine learning models and rules`
    if model[0].kind is not Kind.DET or tokens[near].kind is Kind.DET:
        return near
    # `the museum in Paris and the library`: what an article opens is joined to what one opens.
    while near > 1 and tokens[near - 1].kind is Kind.PREP:
        wider = noun_phrase_start(tokens, near - 1, of=False)
        if wider == near - 1:
            return None
        if tokens[wider].kind is Kind.DET:
            return wider
        near = wider
    return None


def _prepositional(tokens: Phrase, joint: int) -> list[tuple[int, int]] | None:
    """`in Rome and in Paris`."""
    word = tokens[joint + 1].lower
    end = joint + 2
    while end < len(tokens) and (tokens[end].kind in _ITEM_KINDS or _is_of(tokens, end)):
        end += 1
    before = joint - 1 if tokens[joint - 1].kind is Kind.COMMA else joint
    for place in range(before - 1, 0, -1):
        if tokens[place].kind in FINITE or tokens[place].kind in (Kind.COMMA, Kind.BREAK, Kind.CC):
            return None
        if tokens[place].kind is Kind.PREP and tokens[place].lower == word:
            return [(place, before), (joint + 1, end)] if end > joint + 2 else None
    return None


def _are_alike(tokens: Phrase, items: Sequence[tuple[int, int]]) -> bool:
    """Whether the members are of one kind, so that none is what the others are told of: `two kids, Tom and Ann`."""
    heads = [tokens[start] for start, _ in items]
    lasts = [_head(tokens[start:end]) for start, end in items]
    if lasts[0].lower == lasts[-1].lower or f"{lasts[0].lower}-{lasts[-1].lower}" in _PAIRS | _COUNTRIES:
        return False
    if len(items) > 2 and (heads[0].kind is Kind.NUM) != (heads[-1].kind is Kind.NUM):
        return False
    names = [last.kind is Kind.NAME for last in lasts]
    if len(set(names)) > 1 and (names[0] != names[-1] or len(items) > 2):
        return False
    start, end = items[0]
    first = [token for token in tokens[start:end] if token.kind is not Kind.DET]
    final = tokens[items[-1][0] : items[-1][1]]
    # `the physics and chemistry labs`; but `dogs and wild cats`.
    is_bare = len(first) == 1 and len(final) > 1 and final[0].kind in (Kind.NOUN, Kind.ADJ, Kind.PART)
    if is_bare and not names[0] and not is_plural(first[0].lower) and len(items) == 2:
        return False
    if start > 1 and tokens[start - 1].lower == "of" and names[0] and tokens[start - 2].kind is Kind.NAME:
        return False  # Department of Health and Human Services
    return not (names[0] and tokens[start - 1].kind is Kind.NAME) if start else True


def _head(item: Phrase) -> Token:
    head = item[-1]
    for token in item:
        if token.kind is Kind.PREP:
            break
        if token.kind in NOMINAL:
            head = token
    return head


def joined_qualities(tokens: Phrase) -> list[Phrase] | None:
    """`It is fast, cheap and reliable`."""
    main = main_clause(tokens)
    if main is None or tokens[main.verb].lower not in BE or is_negated(tokens) or is_limited(tokens):
        return None
    said = tokens[main.verb + 1 :]
    if not any(token.kind is Kind.CC for token in said) or not all(token.kind in _QUALITIES for token in said):
        return None
    if any(token.kind is Kind.CC and token.lower != "and" for token in said) or any(t.lower in _TOGETHER for t in said):
        return None
    parts = _split_list(said, of=frozenset({Kind.ADJ, Kind.PART}))
    return [(*tokens[: main.verb + 1], *part) for part in parts] if len(parts) > 1 else None


def examples(tokens: Phrase) -> list[Phrase] | None:
    """`it runs on systems such as A and B`: on systems, on A, on B."""
    if not any(token.lower in ("such as", "including") for token in tokens):
        return None
    main = main_clause(tokens)
    if main is None or is_negated(tokens) or is_limited(tokens[main.verb :]):
        return None
    for place in range(main.verb + 2, len(tokens) - 1):
        if tokens[place].lower not in ("such as", "including"):
            continue
        before = place - 1 if tokens[place - 1].kind is Kind.COMMA else place
        start = noun_phrase_start(tokens, before)
        if start == before or start <= main.verb:
            return None
        end = place + 1
        while end < len(tokens) and (
            tokens[end].kind in _ITEM_KINDS or tokens[end].kind in (Kind.CC, Kind.COMMA, Kind.PREP)
        ):
            end += 1
        if not all(token.kind is Kind.END for token in tokens[end:]):
            return None
        items = _split_list(tokens[place + 1 : end])
        return [tokens[:before], *((*tokens[:start], *item) for item in items)] if items else None
    return None


def _split_list(tokens: Phrase, of: frozenset[Kind] = NOMINAL) -> list[Phrase]:
    """The members of a list, all of it: A, B, and C."""
    found: list[Phrase] = []
    current: list[Token] = []
    for token in (*tokens, made(",", Kind.COMMA)):
        if token.kind is Kind.COMMA or token.kind is Kind.CC:
            if current:
                found.append(tuple(current))
            current = []
        else:
            current.append(token)
    return found if all(_head(item).kind in of for item in found) else []
