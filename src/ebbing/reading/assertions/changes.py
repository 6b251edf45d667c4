"""Verbs that tell of a change, as the state that begins and the one that ends.

`I moved to Oslo` says where I live now, `the call was pushed to Friday` when the call is, `we switched from Vim to
Emacs` what is used and what no longer, `Rex died` that Rex lives no more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from . import lexicon, phrases
from .phrases import Chunk, Phrase, Value
from .predicates import Predicate
from .statements import NOTHING, Claim, claim, described, exclusive, is_time, key, when
from .tokens import Sort, Token, stem


@dataclass(frozen=True, slots=True)
class _Change:
    """A verb of change with what stands around it."""

    said: Predicate
    what: Phrase | None  # what changes: the object, or the subject where there is none
    direct: tuple[Token, ...]
    to: Chunk | None
    before: Chunk | None  # behind `from`
    rest: tuple[Chunk, ...]
    is_object: bool
    told: bool  # whether more than the verb tells of a change


_TIMES = (Sort.DATE, Sort.CLOCK)
_WORKPLACES = lexicon.words("at with from in by")
_PARTICLES = lexicon.words("on off up down back away out forward over")


def changes(said: Predicate) -> Iterator[Claim]:
    """Claims of a clause that tells of a change; none of one that does not."""
    said, passive = _active(said)
    tell = _TELLS.get(said.verb)
    if tell is None or said.mood == "rule":
        return
    read = _read(replace(said, past=False, changed=not said.negated), passive, said.changed)
    yield from tell(read)


def _active(said: Predicate) -> tuple[Predicate, bool]:
    """`was moved to Friday` with its participle for the verb."""
    if said.verb != "be" or not said.chunks or said.chunks[0].by or not said.chunks[0].tokens:
        return said, False
    line = [token for token in said.chunks[0].tokens if token.form not in lexicon.ADVERBS]
    if not line:
        return said, False
    form = line[0].form
    if not (form.endswith("ed") or form in lexicon.PAST_FORMS) or (form == "set" and len(line) > 1):
        return said, False
    root = stem(lexicon.PAST_FORMS.get(form, form))
    if root not in _TELLS:
        return said, False
    return replace(said, verb=root, chunks=(Chunk("", tuple(line[1:])), *said.chunks[1:])), True


def _read(said: Predicate, passive: bool, told: bool) -> _Change:
    line = list(said.chunks)
    direct: tuple[Token, ...] = ()
    if line and line[0].by in ("on", "off") and said.verb in ("turn", "switch"):
        first = line.pop(0)
        direct = (Token(first.by, first.by, Sort.WORD), *first.tokens)
    elif line and not line[0].by:
        direct = tuple(token for token in line.pop(0).tokens if token.form not in lexicon.ADVERBS)
    to = next((chunk for chunk in line if chunk.by in ("to", "into", "until") and _is_goal(chunk.tokens)), None)
    before = next((chunk for chunk in line if chunk.by == "from" and chunk.tokens), None)
    rest = tuple(chunk for chunk in line if chunk is not to and chunk is not before)
    bare = [token for token in direct if token.form not in _PARTICLES]
    is_object = bool(bare) and not passive
    what = phrases.subject(bare) if is_object else said.subject
    return _Change(said, what, direct, to, before, rest, is_object, told)


def _is_goal(tokens: Sequence[Token]) -> bool:
    """Whether something changes to this; in `to show the deadline of May 3` it is done for a purpose."""
    if not tokens:
        return False
    times = [place for place, token in enumerate(tokens) if token.sort in (*_TIMES, Sort.NUMBER)]
    if not times or tokens[0].sort is not Sort.WORD:
        return True
    return times[0] < 3 and "of" not in [token.form for token in tokens[: times[0]]]


def _made(
    change: _Change, relation: str, value: Value, subject: Phrase | None = None, keys: Sequence[str] = ()
) -> Claim:
    made = claim(change.said, relation, value, single=True, subject=subject, rest=change.rest, keys=keys)
    return _from(change, made)


def _from(change: _Change, made: Claim) -> Claim:
    """With the value that it names as the old one."""
    return replace(made, replaced=phrases.value(change.before.tokens).text) if change.before else made


def _moving(change: _Change) -> Iterator[Claim]:
    """To another time, another place or another amount."""
    goal = change.to
    if goal is None:
        if change.said.verb in ("move", "reloc") and not change.is_object:
            place = next((chunk for chunk in change.rest if chunk.by in ("in", "with")), None)
            if place is None and change.before:
                yield replace(
                    claim(change.said, "live in", phrases.value(change.before.tokens), single=True), ended=True
                )
        return
    value = phrases.value(goal.tokens)
    if any(token.sort in _TIMES for token in goal.tokens) and change.what is not None:
        yield from (
            _from(change, made) for made in when(change.said, change.what, [Chunk("on", goal.tokens), *change.rest])
        )
    elif value.sort is Sort.NUMBER and change.what is not None:
        yield from _amounting(change)
    elif change.said.verb in ("move", "reloc", "return") and not change.is_object and value.sort is not Sort.NUMBER:
        if change.what is not None and (value.sort is Sort.NAME or not value.article):
            relation = "live in" if change.what.named or change.what.head in lexicon.PLURAL_KIN else "locat in"
            keys = [key(change.what, relation), key(change.what, "be in")]
            yield _made(change, relation, value, change.what, keys=keys)
    elif change.is_object and change.what is not None and change.said.verb in ("move", "migrat"):
        keys = [key(change.what, relation) for relation in ("run on", "locat in", "store in", "be in", "be on")]
        yield _made(change, "run on", value, change.what, keys=keys)


def _amounting(change: _Change) -> Iterator[Claim]:
    """`The budget rose to 600 dollars`."""
    goal = change.to
    if goal is None or change.what is None:
        return
    value = phrases.value(goal.tokens)
    if any(token.sort in _TIMES for token in goal.tokens):
        yield from (
            _from(change, made) for made in when(change.said, change.what, [Chunk("on", goal.tokens), *change.rest])
        )
    elif value.sort is Sort.NUMBER and change.what.head:
        yield _from(change, described(change.said, value, change.rest, change.what))
    elif value.sort is Sort.NUMBER and value.label:
        yield _made(change, "use", value, change.said.subject, keys=[key(change.said.subject, "use", value.label)])
    elif value.sort is Sort.NUMBER and value.unit:
        keys = [key(change.said.subject, verb, "number", value.unit) for verb in ("have", "weigh", "earn", "pay")]
        yield _made(change, f"have {value.unit}", value, change.said.subject, keys=keys)


def _reaching(change: _Change) -> Iterator[Claim]:
    """`Test coverage has reached 85%`: that is what it is now."""
    value = phrases.value(change.direct)
    who = change.said.subject
    if value.sort is Sort.NUMBER and (value.unit or value.head.isdigit()) and who.head and not change.said.negated:
        yield replace(described(change.said, value, change.rest), sure=False)


def _going(change: _Change) -> Iterator[Claim]:
    """`The rent went up to 900`."""
    if any(token.form in ("up", "down") for token in change.direct):
        yield from _amounting(change)


def _switching(change: _Change) -> Iterator[Claim]:
    """From one thing to another: what is used now, and what no longer is."""
    said = change.said
    forms = [token.form for token in change.direct]
    if (said.verb == "switch" and forms and forms[0] in ("on", "off")) or forms[-1:] in (["on"], ["off"]):
        yield from _turning(change)
        return
    if change.to is None or (said.verb == "set" and not _is_setting(change)):
        return
    if said.verb == "migrat" and change.is_object:
        yield from _moving(change)
        return
    value = phrases.value(change.to.tokens)
    if change.is_object and change.what is not None and change.what.head and value.text:
        if any(token.sort in _TIMES for token in change.to.tokens):
            yield from (
                _from(change, made) for made in when(said, change.what, [Chunk("on", change.to.tokens), *change.rest])
            )
        elif value.text in lexicon.EXCLUSIVE:
            yield exclusive(said, change.what, value.text, change.rest)
        else:
            yield _from(change, described(said, value, change.rest, change.what))
        return
    if not change.is_object and said.subject.head and value.text:  # the default changed to 5
        yield _from(change, described(said, value, change.rest))
    if value.text:
        yield _use(said, value, change)
    if change.before:
        yield _ended(said, phrases.value(change.before.tokens))


def _is_setting(change: _Change) -> bool:
    """`We set the timeout to 30 seconds`; not `I set a goal to read more`, `we set up a shop`."""
    if change.to is None or any(token.form in _PARTICLES for token in change.direct):
        return False
    value = phrases.value(change.to.tokens)
    has_article = not change.is_object or change.direct[0].form in lexicon.DEFINITE
    return has_article and (value.sort is not Sort.WORD or value.text in lexicon.EXCLUSIVE or not change.is_object)


def _use(said: Predicate, value: Value, change: _Change) -> Claim:
    who = said.subject
    is_versioned = value.sort is Sort.NUMBER and bool(value.label)
    keys = [key(who, "use", value.label if is_versioned else value.text)]
    if len(value.stems) > 1 and value.rest and value.rest[-1].sort is Sort.WORD:
        keys.append(key(who, "kind", value.head))
    if value.head in lexicon.EXCLUSIVE:
        keys.append(key(who, lexicon.EXCLUSIVE[value.head]))
    purpose = next((chunk for chunk in change.rest if chunk.by == "for" and not is_time(chunk)), None)
    if purpose:
        keys.append(key(who, "for", " ".join(sorted(_stems(purpose.tokens)))))
    return _from(change, claim(said, "use", value, single=True, keys=keys))


def _stems(tokens: Sequence[Token]) -> list[str]:
    return [stem(token.form) for token in tokens if token.form not in ("the", "a", "an", "of") and token.form.isalnum()]


def _ended(said: Predicate, value: Value) -> Claim:
    who = said.subject
    keys = [key(who, "use", value.text), key(who, "like", value.text), key(who, "be", value.text)]
    return replace(claim(said, "use", value, single=False, keys=keys), ended=True)


def _replacing(change: _Change) -> Iterator[Claim]:
    """`We replaced A with B`, `A was replaced by B`."""
    new = next((chunk for chunk in change.rest if chunk.by in ("with", "by") and chunk.tokens), None)
    old = change.direct if change.is_object else None
    said = change.said
    if old is None or not old:
        return
    gone = phrases.value(old)
    if new is not None:
        value = phrases.value(new.tokens)
        yield replace(_use(said, value, replace(change, rest=())), replaced=gone.text)
        if change.what is not None and change.what.head:
            yield described(said, value, (), change.what)
    yield _ended(said, gone)


def _naming(change: _Change) -> Iterator[Claim]:
    goal = change.to or (Chunk("", change.direct) if not change.is_object and change.direct else None)
    if change.what is not None and goal is not None:
        yield _made(change, "call", phrases.value(goal.tokens), change.what)


def _becoming(change: _Change) -> Iterator[Claim]:
    """`became a manager`, `was promoted to director`."""
    goal = change.to.tokens if change.to else change.direct
    value = phrases.value(goal)
    said = change.said
    if not value.text:
        return
    if value.head in lexicon.EXCLUSIVE:
        yield exclusive(said, said.subject, value.head, change.rest)
    elif value.head in lexicon.OCCUPATIONS or change.to:
        keys = [key(said.subject, "work as"), key(said.subject, "be", value.text)]
        yield claim(said, "work as", value, single=True, keys=keys, rest=change.rest)
    elif (role := phrases.subject(goal)) is not None and role.head and said.subject.named:
        named = Value(said.subject.key, frozenset(said.subject.key.split()), Sort.NAME)
        yield described(said, named, change.rest, role)
    else:
        yield claim(said, "be a", value, single=False, keys=[key(said.subject, "be", value.text)])


def _joining(change: _Change) -> Iterator[Claim]:
    place = next((chunk for chunk in change.rest if chunk.by in ("at", "with", "by")), None)
    tokens = change.direct if change.said.verb == "join" else place.tokens if place else ()
    value = phrases.value(tokens)
    if value.sort is Sort.NAME and not value.article:
        yield claim(change.said, "work at", value, single=True, keys=[key(change.said.subject, "work at")])


def _leaving(change: _Change) -> Iterator[Claim]:
    """`I left Acme`, `I quit my job at Acme`, `I retired`: a workplace that is one no more."""
    place = change.before or next(
        (chunk for chunk in change.rest if chunk.by in _WORKPLACES and not is_time(chunk)), None
    )
    said = change.said
    direct = phrases.value(change.direct)
    is_job = direct.head in ("job", "posit", "role")
    if change.direct and not is_job:
        value = direct if direct.sort is Sort.NAME and not direct.article else None
    else:
        value = phrases.value(place.tokens) if place else NOTHING
    if value is not None and (is_job or value.text or said.verb in ("resign", "retir")):
        yield replace(claim(said, "work at", value, single=True, keys=[key(said.subject, "work at")]), ended=True)


def _parting(change: _Change) -> Iterator[Claim]:
    """`broke up with`, `divorced`: a partner who is one no more."""
    said = change.said
    if said.verb == "break" and not any(token.form == "up" for token in change.direct):
        return
    other = next((chunk for chunk in change.rest if chunk.by == "with"), change.before)
    value = phrases.value(other.tokens if other else [token for token in change.direct if token.form != "up"])
    if value.article:
        value = NOTHING
    keys = [
        key(said.subject, "marri to"),
        key(said.subject, "date", value.text),
        key(f"partner {said.subject.key}", "is", "thing"),
    ]
    yield replace(claim(said, "partner", value, single=True, keys=keys), ended=True)


def _marrying(change: _Change) -> Iterator[Claim]:
    goal = change.to.tokens if change.to else change.direct
    value = phrases.value(goal)
    if value.text and not value.article and value.sort is Sort.NAME:
        keys = [key(change.said.subject, "marri to"), key(change.said.subject, "engag to")]
        yield claim(change.said, "marri to", value, single=True, keys=keys)
    yield exclusive(change.said, change.said.subject, stem("married"))


def _dying(change: _Change) -> Iterator[Claim]:
    said, who = change.said, change.said.subject
    if said.verb == "pass" and not any(token.form == "away" for token in change.direct):
        return
    rest = [chunk for chunk in change.rest if chunk.by in ("in", "on", "of")]
    place = next((chunk for chunk in rest if not is_time(chunk) and chunk.by == "in"), None)
    if place and said.subject.named:
        made = claim(said, "die in", phrases.value(place.tokens), single=True)
        yield replace(made, lasting=True, changed=False)
        return
    keys = [key(who, "alive:"), *([key(phrases.USER, "have", who.head)] if who.owned else [])]
    yield replace(claim(said, "alive", NOTHING, single=True, keys=keys), ended=True)


def _losing(change: _Change) -> Iterator[Claim]:
    """`sold the car`, `gave away my bike`: what was owned is not any more."""
    value = phrases.value([token for token in change.direct if token.form not in _PARTICLES])
    if value.text and value.article in ("my", "our", "the"):
        who = change.said.subject
        keys = [
            key(who, "have", value.text),
            key(who, "own", value.text),
            key(who, "have", value.head),
            key(who, "drive", value.text),
        ]
        yield replace(claim(change.said, "have", value, single=False, keys=keys), ended=True)


def _turning(change: _Change) -> Iterator[Claim]:
    """`turned 40`, `turned off dark mode`."""
    forms = [token.form for token in change.direct]
    value = phrases.value(change.direct)
    way = next((form for form in forms if form in ("on", "off")), None)
    if change.said.verb == "turn" and value.sort is Sort.NUMBER and not change.to:
        yield claim(change.said, "age", replace(value, unit="year"), single=True)
    elif way and change.what is not None:
        yield exclusive(change.said, change.what, way, change.rest)


def _enabling(change: _Change) -> Iterator[Claim]:
    if change.what is not None:
        way = "on" if change.said.verb in ("enabl", "activ") else "off"
        made = exclusive(change.said, change.what, way, change.rest)
        yield made if change.is_object else replace(made, changed=change.told)


def _cancelling(change: _Change) -> Iterator[Claim]:
    if change.what is not None and not change.what.plural:
        keys = [key(change.what, "is", "date"), key(change.what, "is", "clock"), key(change.what, "state:")]
        yield replace(claim(change.said, "when", NOTHING, single=True, subject=change.what, keys=keys), ended=True)


_TELLS: dict[str, Callable[[_Change], Iterator[Claim]]] = {
    stem(verb): tell
    for tell, verbs in {
        _moving: "move relocate reschedule postpone push shift delay slip return",
        _going: "go",
        _reaching: "reach hit",
        _amounting: "increase decrease improve drop fall rise grow raise lower reduce cut jump climb extend expand "
        "shrink bump adjust upgrade update downgrade",
        _switching: "switch change migrate convert transition set",
        _replacing: "replace swap",
        _naming: "rename rebrand",
        _becoming: "become promote appoint",
        _joining: "join hire",
        _leaving: "leave quit resign retire fire",
        _parting: "break divorce separate split",
        _marrying: "marry",
        _dying: "die pass",
        _losing: "sell donate lose give",
        _turning: "turn",
        _enabling: "enable disable activate deactivate",
        _cancelling: "cancel",
    }.items()
    for verb in verbs.split()
}
