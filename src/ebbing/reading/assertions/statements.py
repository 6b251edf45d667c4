"""What one clause claims: a subject, a relation, a value, and whether there can be but one.

Grammar decides first: `the capital of France is …`, `my editor is …` name the one thing there is;
`I like …`, `I visited …` leave room for more. A small lexicon decides for verbs of which grammar says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from . import lexicon, phrases
from .phrases import Chunk, Phrase, Value
from .predicates import Predicate
from .tokens import Sort, Token, stem
from .topics import topic

LOOSE = "near:"  # begins a key of things that may be the same
NOTHING = Value("", frozenset(), Sort.WORD)
_FIXED = frozenset({Sort.NAME, Sort.NUMBER, Sort.DATE, Sort.CLOCK, Sort.LITERAL})
_TIMES = frozenset({Sort.DATE, Sort.CLOCK})
_TIMED_BY = lexicon.words("in on at since until till during by from before after for every of within")
_TIME_WORDS = lexicon.words(
    "last next this every week weeks month months year years day days morning afternoon evening night moment time ago "
    "summer winter spring autumn daily weekly monthly yearly hour hours minute minutes once twice"
)
_MEASURED = lexicon.words("rated measured estimated priced capped valued limited fixed")
_CONDITIONAL = lexicon.words("if when whenever while unless except only during")
_CONTRASTS = lexicon.words("over rather instead than to")


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that is said of somebody or something."""

    subject: str
    relation: str
    value: str
    single: bool  # whether the relation takes one value at a time
    negated: bool = False
    ended: bool = False  # said to hold no more
    changed: bool = False  # worded as a change
    replaced: str | None = None  # the value it names as the old one
    keys: tuple[str, ...] = ()  # under which it meets its rivals
    filled: Value = NOTHING
    sure: bool = True  # whether there is surely but one value, or only perhaps
    past: bool = False
    lasting: bool = False  # what happened once and stays so: born, founded, written
    never: bool = False
    mood: str = "fact"  # or plan, maybe, rule
    adding: bool = False  # also, another
    condition: str = ""
    when: str = ""
    extra: frozenset[str] = frozenset()  # what else the clause tells
    event: bool = False  # something that happened, of which there may be many
    about: frozenset[str] = frozenset()  # the words that tell its subject from others of the same noun
    topic: str = ""  # what is claimed, for people
    bare: bool = False  # of `the server`, without a word that tells which


@dataclass(frozen=True, slots=True)
class _Around:
    """What stands around the value."""

    when: str = ""
    purpose: str = ""
    condition: str = ""
    replaced: str | None = None
    extra: frozenset[str] = frozenset()


def claim(
    said: Predicate,
    relation: str,
    value: Value,
    *,
    single: bool,
    subject: Phrase | None = None,
    rest: Iterable[Chunk] = (),
    keys: Sequence[str] = (),
) -> Claim:
    """A claim with all that its clause says of how it is meant."""
    who = subject or said.subject
    around = surroundings(rest)
    return Claim(
        subject=who.key,
        relation=relation,
        value=value.text,
        single=single,
        negated=said.negated,
        ended=said.ended,
        changed=said.changed or who.changed or around.replaced is not None,
        replaced=around.replaced,
        keys=tuple(keys) or (key(who, relation, *([] if single else [value.text])),),
        filled=value,
        past=(said.past and not said.ended) or who.past,
        never=said.never,
        mood=said.mood,
        adding=said.adding,
        condition=" ".join(filter(None, (said.condition, around.condition))),
        when=around.when,
        extra=around.extra | frozenset(around.purpose.split()),
        about=who.about,
        topic=topic(who, relation, value, said),
        bare=bool(who.head) and not (who.about or who.owned),
    )


def key(who: Phrase | str, *parts: str) -> str:
    return "|".join((who if isinstance(who, str) else who.key, *parts))


def surroundings(rest: Iterable[Chunk]) -> _Around:
    """When, what for, on which condition, instead of what; the words of all else are extra."""
    when: list[str] = []
    purpose: list[str] = []
    condition: list[str] = []
    replaced: str | None = None
    extra: set[str] = set()
    for chunk in rest:
        told = [token for token in chunk.tokens if token.form not in ("of", "the", "a", "an")]
        if (
            chunk.by in ("not", "instead", "rather", "from")
            and told
            and not (chunk.by == "from" and told[0].sort in _TIMES)
        ):
            replaced = phrases.value([token for token in told if token.form != "than"]).text
        elif is_time(chunk):
            when += [token.form for token in told if token.form not in lexicon.ADVERBS]
        elif chunk.by == "for":
            purpose += [stem(token.form) for token in told if token.sort is not Sort.PAUSE]
        elif chunk.by in _CONDITIONAL:
            condition += [stem(token.form) for token in told]
        else:
            extra |= {
                stem(token.form)
                for token in told
                if token.form not in lexicon.ADVERBS and token.sort is not Sort.PAUSE and token.form.isalnum()
            } - {"anymor", "longer", "well", "and", "i", "my", "we"}
    return _Around(" ".join(when), " ".join(sorted(purpose)), " ".join(condition), replaced, frozenset(extra))


def is_time(chunk: Chunk) -> bool:
    """Whether a chunk says when: on Monday, in 2019, every week."""
    if chunk.by and chunk.by not in _TIMED_BY and chunk.by != ",":
        return False
    if not chunk.tokens:
        return False
    if any(token.sort in _TIMES for token in chunk.tokens):
        return True
    return chunk.tokens[-1].form in _TIME_WORDS and all(
        token.sort in (Sort.WORD, Sort.NUMBER) for token in chunk.tokens
    )


def described(said: Predicate, value: Value, rest: Sequence[Chunk], subject: Phrase | None = None) -> Claim:
    """`The port of the server is 5432`: a description and the one thing that fits it."""
    who = subject or said.subject
    relation = f"{who.near} {who.head}".strip() if who.head else "be"
    keys = [key(who, "is", _family(value))]
    keys += _loose(who, _family(value))
    if who.owned and who.head in lexicon.TOOLS:
        keys.append(key(phrases.USER, "use", value.text))
    is_count = value.sort is Sort.NUMBER and (
        who.head in lexicon.COUNTS or (who.head == "number" and who.near in ("", *lexicon.COUNTS))
    )
    sure = not (who.head in lexicon.PLURAL_KIN and who.owned and len(who.about) < 2) and not is_count
    made = claim(said, relation, value, single=True, subject=who, rest=rest, keys=keys)
    limits = " ".join(filter(None, (made.condition, surroundings(rest).purpose)))
    return replace(made, sure=sure, topic=who.told, condition=limits)


def _family(value: Value) -> str:
    """Values of one family can take each other's place; a day cannot take that of an hour."""
    return value.sort.value if value.sort in (Sort.DATE, Sort.CLOCK, Sort.NUMBER) else "thing"


def _loose(who: Phrase, family: str) -> list[str]:
    """Where a thing may be met under a shorter or a longer description."""
    if not who.near and who.head not in lexicon.AMOUNTS:
        return []
    words = sorted(who.about - {phrases.USER})[:2] if who.head in lexicon.AMOUNTS else [who.near]
    return [key(LOOSE, who.head, word, family) for word in words]


def copular(said: Predicate) -> Iterator[Claim]:
    """Claims of a clause with `is`."""
    first, *rest = said.chunks or (Chunk("", ()),)
    if said.negated and first.by == "not":  # pragma: no cover  (the helper has taken it)
        return
    if not first.by and rest and rest[0].by == "but" and said.negated and rest[0].tokens:
        old = phrases.value(first.tokens)
        corrected = replace(said, negated=False, changed=True, chunks=(Chunk("", rest[0].tokens), *rest[1:]))
        yield from (replace(made, replaced=old.text) for made in copular(corrected))
        return
    if said.ended and not first.by and rest and rest[0].by == "but" and rest[0].tokens:
        corrected = replace(said, ended=False, changed=True, chunks=(Chunk("", rest[0].tokens), *rest[1:]))
        old = phrases.value(first.tokens)
        yield from (replace(made, replaced=old.text) for made in copular(corrected))
        return
    if first.by or not first.tokens:
        yield from _placed(said, first, rest)
        return
    value = phrases.value(first.tokens)
    if not value.text:
        return
    if first.tokens[0].form in ("called", "named") and len(first.tokens) > 1:
        made = claim(said, "call", phrases.value(first.tokens[1:]), single=True, rest=rest)
        yield replace(made, sure=said.subject.head not in lexicon.PLURAL_KIN)
        return
    plain = [token for token in first.tokens if token.form not in lexicon.ADVERBS]
    if plain and plain[0].form in _MEASURED and len(plain) > 1 and plain[1].sort is Sort.NUMBER and said.subject.head:
        yield described(said, phrases.value(plain[1:]), rest)
        return
    is_state = not value.article and 0 < len(plain) < 3 and plain[0].sort is Sort.WORD
    if is_state and rest and rest[0].tokens and rest[0].by in lexicon.PREPOSITIONS and not is_time(rest[0]):
        yield from state(said, plain[-1].form, rest[0].by, rest[0], rest[1:])
    else:
        yield from _called(said, value, first, rest)


def _called(said: Predicate, value: Value, first: Chunk, rest: Sequence[Chunk]) -> Iterator[Claim]:
    """A noun, a name, a number or an adjective behind `is`."""
    who = said.subject
    if value.article in ("a", "an"):
        yield from _kind_of(said, value, first, rest)
    elif _is_age(who, value):
        yield claim(said, "age", replace(value, unit="year"), single=True, rest=rest)
    elif value.article and who.named and first.tokens[-1].sort is not Sort.PAUSE and not value.kind:
        role = phrases.subject([token for token in first.tokens if token.form not in lexicon.ADVERBS])
        if role is not None and role.head:
            named = Value(who.key, frozenset(who.key.split()), Sort.NAME)
            many = role.head in lexicon.PLURAL_KIN or role.plural
            yield replace(described(said, named, rest, role), sure=not many, single=not many)
    elif value.sort in _TIMES and (who.head or who.named):
        yield from when(said, who, [first, *rest])
    elif value.sort in _FIXED and who.head and not who.plural:
        yield described(said, value, rest)
    elif value.sort is Sort.NUMBER and who.head and who.about and not value.unit:  # the maximum retries are 3
        yield replace(described(said, value, rest), sure=False)
    elif who.about & lexicon.SINGLING:
        yield described(said, value, rest)
    elif value.head in lexicon.EXCLUSIVE or (value.sort is Sort.WORD and value.text in lexicon.EXCLUSIVE):
        yield exclusive(said, who, value.head, rest)
    elif (who.head in lexicon.ATTRIBUTES and who.about and not who.plural) or value.kind:
        yield described(said, value, rest)
    else:
        yield claim(said, "be", value, single=False, rest=rest, keys=[key(who, "be", value.text)])


def exclusive(said: Predicate, who: Phrase, word: str, rest: Iterable[Chunk] = ()) -> Claim:
    """Of `on` and `off` only one can hold."""
    group = lexicon.EXCLUSIVE[word]
    name = lexicon.SAME_VALUE.get(word, word)
    value = Value(name, frozenset({name}), Sort.WORD, head=word)
    return claim(said, group, value, single=True, subject=who, rest=rest, keys=[key(who, group)])


def _is_age(who: Phrase, value: Value) -> bool:
    if value.sort is not Sort.NUMBER or value.label:
        return False
    is_person = who.named or who.head in lexicon.PLURAL_KIN or who.owned
    return is_person and (value.unit == "year" or value.head == "old" or (not value.unit and who.named))


def _kind_of(said: Predicate, value: Value, first: Chunk, rest: Sequence[Chunk]) -> Iterator[Claim]:
    """`is a teacher`, `is a citizen of France`: what somebody is, of which there may be several."""
    who = said.subject
    forms = [token.form for token in first.tokens]
    if "of" in forms[1:]:
        cut = forms.index("of")
        filled = phrases.value(first.tokens[cut + 1 :])
        relation = lexicon.ONE_AT_A_TIME.get((stem(forms[cut - 1]), "of"))
        if relation and filled.sort is Sort.NAME:
            yield claim(said, relation, filled, single=True, rest=rest)
            return
    if value.head in lexicon.EXCLUSIVE:
        yield exclusive(said, who, value.head, rest)
    elif value.head in lexicon.OCCUPATIONS:
        yield claim(said, "work as", value, single=True, rest=rest, keys=[key(who, "work as")])
    elif who.about & lexicon.SINGLING:
        yield described(said, value, rest)
    else:
        yield claim(said, "be a", value, single=False, rest=rest, keys=[key(who, "be", value.text)])


def _placed(said: Predicate, first: Chunk, rest: Sequence[Chunk]) -> Iterator[Claim]:
    """`is on port 5432`, `is on Friday`, `is in Berlin`."""
    value = phrases.value(first.tokens)
    who = said.subject
    if not first.tokens or who.plural:
        return
    if is_time(first):
        yield from when(said, who, [first, *rest])
    elif value.sort is Sort.NUMBER and value.label:
        yield claim(said, value.label, value, single=True, rest=rest, keys=[key(who, value.label)])
    elif value.sort is Sort.NUMBER and who.head and first.by in ("at", "about", "around", "over", "under"):
        yield described(said, value, rest)
    elif value.sort is Sort.NAME and first.by in ("in", "at", "on"):
        yield claim(said, f"be {first.by}", value, single=True, rest=rest)
    elif value.head in lexicon.EXCLUSIVE and first.by in ("up", "on", "off"):
        yield exclusive(said, who, value.head, rest)
    elif value.text:
        yield claim(said, f"be {first.by}", value, single=False, rest=rest)


def when(said: Predicate, who: Phrase, line: Sequence[Chunk], relation: str = "is") -> Iterator[Claim]:
    """On which day, and at what hour: two relations of one value each."""
    if who.plural or not (who.head or who.named):
        return
    others = [chunk for chunk in line if not is_time(chunk)]
    tokens = [token for chunk in line if is_time(chunk) for token in chunk.tokens]
    for sort in (Sort.DATE, Sort.CLOCK):
        found = [token for token in tokens if token.sort is sort]
        if found:
            value = replace(phrases.value(found[:1]), rest=tuple(tokens))
            keys = [key(who, relation, sort.value)]
            if relation == "is":
                keys += _loose(who, sort.value)
            yield claim(said, "when", value, single=True, subject=who, rest=others, keys=keys)


def state(said: Predicate, word: str, by: str, filler: Chunk, rest: Sequence[Chunk]) -> Iterator[Claim]:
    """`is married to`, `was founded by`, `is famous for`: a state or a passive with its preposition."""
    root = stem(lexicon.PAST_FORMS.get(word, word))
    value = phrases.value(filler.tokens)
    if not value.text:
        return
    relation = lexicon.ONE_AT_A_TIME.get((root, by))
    if relation is None and by == "at" and root in ("locat", "base"):
        relation = "locat in"
    lasting = said.past and relation is not None
    is_fixed = value.sort in _FIXED or bool(value.kind)
    if relation == "live in" and not said.subject.named:
        relation = "locat in"
    is_single = (relation is not None and (is_fixed or not value.article)) or bool(value.kind)
    name = relation or f"{root} {by}"
    if said.subject.key == phrases.USER and relation not in lexicon.PERSONAL:
        is_single = False
    made = claim(said, name, value, single=is_single and not said.subject.plural and not is_several(value), rest=rest)
    yield replace(made, lasting=lasting)


def is_several(value: Value) -> bool:
    """Whether a value names more than one thing: `Rome and Oslo`."""
    return any(token.form in ("and", "or", "&") and token.sort is Sort.WORD for token in value.rest)


def listed(tokens: Sequence[Token]) -> list[list[Token]]:
    """The members of `German and French`."""
    found: list[list[Token]] = [[]]
    for token in tokens:
        if token.form in ("and", "or", "&", ",") and found[-1]:
            found.append([])
        else:
            found[-1].append(token)
    return [member for member in found if member]
