"""A sentence cut into clauses, each without what only leads to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from . import lexicon
from .tokens import Sentence, Sort, Token, stem

_LEAD_CHANGES = frozenset(
    tuple(line.split())
    for line in """from now on|as of now|as of today|as of this week|these days|right now|at the moment|quick update
    |small correction|starting today|going forward|at this point|as of this month""".split("|")
)
_LEAD_INS: dict[str, list[list[str]]] = {}
for _line in sorted(
    """by the way|in fact|of course|for your information|just so you know|so you know|as you know|note that
    |please note that|please remember that|please note|remember that|keep in mind that|i think that|i think
    |i believe that|i believe|i guess|it turns out that|it turns out|turns out|turns out that|i just realized that
    |i just realized|speaking of which|to be honest|for the record|for context|as a reminder|i should mention that
    |i should mention|i wanted to mention that|i mean|you know|i must say|i realized that|the fact is that
    |the thing is|heads up|good news|bad news|big news|fun fact|i want you to know that|as far as i know|in general
    |on the other hand""".split("|")
    + [" ".join(words) for words in _LEAD_CHANGES],
    key=len,
    reverse=True,
):
    _LEAD_INS.setdefault(_line.split()[0], []).append(_line.split())
_LEAD_WORDS = lexicon.words(
    "well so oh ok okay hey hi hello yes yeah yep sure btw fyi and but also anyway anyways plus however honestly "
    "unfortunately luckily fortunately sadly basically apparently currently additionally great thanks hmm ah now today "
    "actually correction update edit nowadays recently lately sorry wait since then because although though instead no "
    "finally again interestingly importantly personally meanwhile previously formerly originally"
)
_CHANGING_WORDS = lexicon.words(
    "now actually correction update nowadays currently recently lately instead sorry wait finally"
)
_JOINTS = lexicon.words("and but so yet because although though whereas")
_CUTS = _JOINTS | frozenset((";", "—", ":", "(", ")", ",", "which", "who"))
_PRONOUNS = lexicon.words("i we he she it they my our the his her their this that")
_SUBJECTS = lexicon.words("i we he she they it can could")


def clauses(sentence: Sentence) -> Iterator[Sentence]:
    """Cut where another subject or another verb begins."""
    start = 0
    for place, token in enumerate(sentence):
        if token.form not in _CUTS or place <= start or token.sort is Sort.NAME:
            continue
        behind = sentence[place + 1 : place + 5]
        if not behind:
            continue
        if token.form in (";", "—", ":", "(", ")") or (
            token.form in _JOINTS and _opens(behind, token.form) and _has_verb(sentence[start:place])
        ):
            yield sentence[start:place]
            start = place + 1
        elif token.form == "," and behind[0].form in _JOINTS and _opens(behind[1:], behind[0].form):
            yield sentence[start:place]
            start = place + 2
        elif token.form == "," and _opens(behind, ","):
            yield sentence[start:place]
            start = place + 1
        elif token.form in ("which", "who") and sentence[place - 1].form == "," and is_helper(behind[0].form):
            yield sentence[start : place - 1]
            start = place
    yield sentence[start:]


def _has_verb(line: Sentence) -> bool:
    """Whether something was said before `and`; in `Smith and Sons is` nothing was."""
    return any(
        token.sort is Sort.WORD
        and (is_helper(token.form) or token.form in lexicon.PAST_FORMS or stem(token.form) in lexicon.VERBS)
        for token in line
    )


def _opens(behind: Sequence[Token], joint: str) -> bool:
    """Whether a clause begins here: with a subject and a verb, or with a verb."""
    if len(behind) < 2:
        return False
    first = behind[0]
    if (first.form in _SUBJECTS and not first.written.isupper()) or first.form == "i":
        return True
    if joint == ",":
        return False
    if first.sort is Sort.WORD and (is_helper(first.form) or first.form in ("never", "no", "not", "now", "also")):
        return True
    finite = first.form in lexicon.PAST_FORMS or first.form.endswith(("s", "ed")) or stem(first.form) == first.form
    if first.sort is Sort.WORD and finite and stem(first.form) in lexicon.VERBS:
        return True
    return any(token.sort is Sort.WORD and is_helper(token.form) for token in behind[1:4]) or (
        first.form in _PRONOUNS
        and any(stem(token.form) in lexicon.VERBS and token.form.endswith(("s", "ed")) for token in behind[2:4])
    )


def is_helper(form: str) -> bool:
    return form in lexicon.BE or form in lexicon.HAVE or form in lexicon.DO or form in lexicon.MODALS


def without_lead_in(clause: Sentence) -> tuple[Sentence, bool, bool]:
    """A clause without what only leads to it, whether that told of a change, and whether it added to something."""
    line, changed, adding = clause, False, False
    while line:
        forms = [token.form for token in line[:6]]
        phrase = next((words for words in _LEAD_INS.get(forms[0], ()) if forms[: len(words)] == words), None)
        if phrase and len(line) != len(phrase) + 1:
            line, changed = line[len(phrase) :], changed or tuple(phrase) in _LEAD_CHANGES
        elif forms[0] in _LEAD_WORDS and len(line) > 1:
            changed |= forms[0] in _CHANGING_WORDS
            adding |= forms[0] in lexicon.ADDING
            line = line[1:]
        elif line[0].sort is Sort.PAUSE:
            line = line[1:]
        else:
            break
    return line, changed, adding


def opening_last(line: Sentence) -> Sentence:
    """`In 2019 I lived in Rome` as `I lived in Rome in 2019`."""
    if not line or line[0].form not in lexicon.PREPOSITIONS or line[0].form in ("like", "as"):
        return line
    comma = next((place for place, token in enumerate(line[:10]) if token.form == ","), None)
    if comma is not None:
        return [*line[comma + 1 :], *line[:comma]]
    if len(line) > 3 and line[1].sort is Sort.DATE:
        return [*line[2:], *line[:2]]
    return line
