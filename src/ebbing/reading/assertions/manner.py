"""How a verb is meant: its tense and mood, whether it is denied, has ended or has just begun."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from . import lexicon
from .tokens import Sentence, Sort, Token, stem


@dataclass(frozen=True, slots=True)
class Manner:
    """How a verb is meant, as its helpers tell."""

    place: int  # of the main verb
    verb: str = ""
    past: bool = False
    perfect: bool = False
    ongoing: bool = False
    mood: str = "fact"
    negated: bool = False
    never: bool = False
    ended: bool = False
    changed: bool = False
    adding: bool = False


def manner(line: Sentence, place: int) -> Manner | None:
    """The main verb from `place` on, and how its helpers turn it."""
    now = Manner(place)
    while now.place < len(line):
        token = line[now.place]
        behind = [other.form for other in line[now.place + 1 : now.place + 5]]
        step = _helper(token.form, behind, now)
        if step is None:
            return _behind_be(line, _main(token, now))
        if step.verb:
            return step
        now = step
    return None


def _behind_be(line: Sentence, main: Manner | None) -> Manner | None:
    """`is not`, `is no longer`, `is now`: what stands behind a copula belongs to it."""
    while main is not None and main.verb == "be" and main.place + 2 < len(line):
        form, following = line[main.place + 1].form, line[main.place + 2].form
        if form == "no" and following == "longer":
            main = replace(main, place=main.place + 2, ended=True)
        elif form in ("not", "never"):
            main = replace(main, place=main.place + 1, negated=True)
        elif form in lexicon.ADVERBS and line[main.place + 1].sort is Sort.WORD and form not in ("about", "around"):
            main = replace(
                main,
                place=main.place + 1,
                changed=main.changed or form in lexicon.CHANGING_ADVERBS,
                adding=main.adding or form in lexicon.ADDING,
                past=main.past or form in lexicon.PAST_ADVERBS,
            )
        else:
            break
    return main


def _helper(form: str, behind: Sequence[str], now: Manner) -> Manner | None:
    """What one helping word adds; None when the word is the main verb."""
    one = replace(now, place=now.place + 1)
    following = next((word for word in behind if word not in lexicon.ADVERBS and word not in ("not", "never")), "")
    if form == "no" and behind[:1] == ["longer"]:
        return replace(one, place=now.place + 2, ended=True)
    if form in ("not", "never", "hardly", "rarely", "seldom"):
        return replace(one, negated=True, never=now.never or form == "never")
    if form in lexicon.ADVERBS and behind:
        return replace(
            one,
            changed=now.changed or form in lexicon.CHANGING_ADVERBS,
            adding=now.adding or form in lexicon.ADDING,
            past=now.past or form in lexicon.PAST_ADVERBS,
        )
    if form in lexicon.MODALS:
        return replace(one, mood=lexicon.MODALS[form] if now.mood == "fact" else now.mood)
    if form in lexicon.DO and following and following not in lexicon.DEFINITE and following not in ("a", "an"):
        return replace(one, past=form == "did")
    if form in lexicon.HAVE and _is_participle(following):
        return replace(one, perfect=True)
    if (
        form in lexicon.BE
        and following.endswith("ing")
        and len(following) > 4
        and following not in ("evening", "morning")
    ):
        return replace(one, ongoing=True, past=now.past or form in lexicon.BE_PAST)
    if form in ("going", "about", "supposed", "hoping") and behind[:1] == ["to"] and (now.ongoing or form != "going"):
        return replace(one, place=now.place + 2, mood="plan")
    if form == "used" and behind[:1] == ["to"]:
        return replace(one, place=now.place + 2, ended=True)
    return _turning(form, behind, one)


def _turning(form: str, behind: Sequence[str], one: Manner) -> Manner | None:
    """want to, stop doing, start doing: verbs that say of another whether it holds."""
    root = stem(lexicon.PAST_FORMS.get(form, form))
    following = behind[0] if behind else ""
    is_ing = following.endswith("ing") and len(following) > 4
    if root in lexicon.PLANS and (
        following == "to" or is_ing or (following in ("of", "about", "on") and _ing(behind, 1))
    ):
        return replace(one, place=one.place + (following in ("to", "of", "about", "on")), mood="plan")
    if root == "decid" and following == "against" and not _ing(behind, 1):
        return replace(one, verb="use", changed=True, negated=True)
    if root == "decid" and following in ("to", "against", "not"):
        skipped = 2 if following == "not" else 1
        return replace(one, place=one.place + skipped, changed=True, negated=following != "to")
    if root in lexicon.STARTS and (is_ing or following == "to"):
        return replace(one, place=one.place + (following == "to"), changed=True)
    if root in lexicon.STOPS and is_ing:
        return replace(one, ended=True)
    if form in ("gave", "given", "give") and following == "up" and _ing(behind, 1):
        return replace(one, place=one.place + 1, ended=True)
    if root == "get" and _is_participle(following) and following not in lexicon.PREPOSITIONS:
        return replace(one, changed=True)
    return None


def _ing(behind: Sequence[str], place: int) -> bool:
    return len(behind) > place and behind[place].endswith("ing")


def _is_participle(form: str) -> bool:
    return (form.endswith("ed") and len(form) > 3) or form in lexicon.PAST_FORMS or form in ("been", "come", "become")


def _main(token: Token, now: Manner) -> Manner | None:
    form = token.form
    if token.sort not in (Sort.WORD, Sort.NAME) or (form in lexicon.PREPOSITIONS and form != "like"):
        return None
    if form in lexicon.BE:
        is_past = form in lexicon.BE_PAST
        return replace(now, verb="be", past=(now.past or is_past) and not now.perfect)
    base = "have" if form in lexicon.HAVE else lexicon.PAST_FORMS.get(form)
    is_past = (
        not now.perfect
        and not now.ongoing
        and (form.endswith("ed") or (base is not None and form not in (base, "has")))
    )
    return replace(now, verb=stem(base or form), past=now.past or is_past)
