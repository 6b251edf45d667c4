"""Whether two texts say the same.

Similarity proposes; here it is decided. A contradiction is often closer to a statement than its
paraphrase is, so nothing is measured: each text is read as the sequence of what it says (normalize.py),
and two texts are the same when the sequences agree word for word, endings aside. What negates, limits,
compares, dates, names or counts is a word of the sequence like any other, and its place says who does
what to whom. Few moves are safe: a time put first or last, `at Google` before or after `as an engineer`,
the names in a list, an owner before or after what is owned. In doubt two texts are not the same:
keeping both loses nothing.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from .normalize import Kind, Word, is_mixed, read
from .terms import STOP_WORDS, normalised, terms

# A modest list of common opposites; those made by a prefix are known by it.
_OPPOSITES = frozenset(
    frozenset(pair.split("/"))
    for pair in """love/hate accept/reject allow/forbid allow/deny begin/stop open/close on/off up/down in/out
    before/after more/less above/below over/under with/without always/never all/none increase/decrease rise/fall
    raise/lower win/lose pass/fail succeed/fail buy/sell push/pull add/remove add/delete keep/delete import/export
    upload/download lend/borrow give/take send/receive arrive/leave true/false yes/no good/bad best/worst better/worse
    high/low higher/lower hot/cold big/small long/short fast/slow new/old early/late light/dark left/right
    public/private internal/external minimum/maximum online/offline indoors/outdoors inside/outside include/exclude
    enable/disable from/to most/least alive/dead success/failure""".split()
)
# "Lamp 17", "boiler B", "T-302", "the room 4": a thing that is told from others of its kind by a number or a letter.
_NUMBERED = re.compile(r"(?:the |our |my )?(?P<kind>[^\W\d_]+)(?:[ #-]| no\.? ?)(?P<which>\d+|[A-Z])\b", re.IGNORECASE)
_VALUE_TEXT_MAX, _VALUE_MAX, _FRAME_MIN = 12, 3, 2  # words of a short text, of a value, and of what stands around it
_COMPARED_MAX = 60  # words of a text that are looked at for opposites
_NEGATING = ("un", "in", "im", "dis", "non", "ir", "il", "mis")

_PLAIN = frozenset({Kind.WORD, Kind.NAME})
_BEFORE_TIMES = frozenset("in on at during since until before after".split())
_CLAUSE_OPENERS = frozenset("when whenever if unless while because though once after before since until".split())
_SIMPLE_WORDS_MAX = 12  # a longer sentence has more places for a time to belong to
_PRONOUNS = frozenset("i you he she it we they".split())
_MOVABLE = frozenset("in on at from to with for by as since until during before after via near".split())
_NAMING = frozenset({Kind.NAME, Kind.TIME, Kind.NUMBER, Kind.LITERAL})
# Behind these a time may belong to what was said, meant or listed, and not to the saying.
_NESTING = frozenset(
    """and or to as who whom whose which what how say says said tell tells told think thinks thought know knows knew
    believe believes believed claim claims claimed hope hopes hoped promise promised announce announced agree agreed
    plan plans planned want wants wanted decide decided expect expects expected""".split()
)

_YEAR_ALONE = re.compile(r"[12]\d{3}")


def same(first: str, second: str) -> bool:
    """Whether the two say the same, so that one of them may stand for both."""
    if normalised(first) == normalised(second):
        return True
    if _asks(first) != _asks(second):
        return False
    one, other = _arranged(first), _arranged(second)
    if len(one) == len(other):
        return bool(one) and all(map(_alike, one, other))
    return _run_together(one) == _run_together(other)


def _stem(form: str) -> str:
    return (terms(form) or [form])[0]


def _run_together(words: Sequence[Word]) -> list[str]:
    """back end: backend. Only plain words: nowhere is not now here."""
    runs = itertools.groupby(words, key=lambda word: word.kind in _PLAIN or word.form)
    return ["".join(word.form for word in run) for _, run in runs]


def _alike(one: Word, other: Word) -> bool:
    """Whether two words are one, endings aside. Tense is no ending: `works` is not `worked`."""
    if one.form == other.form:
        if one.kind is Kind.NEGATION and one.last != other.last:  # no, tea is fine: no tea is fine
            return False
        # Capitals inside a word tell keys apart, where both took care to set them.
        return one.written == other.written or not (is_mixed(one.written) and is_mixed(other.written))
    if {one.kind, other.kind} not in ({Kind.WORD}, {Kind.WORD, Kind.NAME}) or {one.form, other.form} & STOP_WORDS:
        return False
    shorter, longer = sorted((one.form, other.form), key=len)
    if shorter.endswith("ing") or longer.endswith("ing"):  # is cooking: cooks; but he likes cooking, not cooks
        return (one.acted or other.acted) and _are_forms(shorter, longer)
    return not (one.counted or other.counted) and _are_forms(shorter, longer)


@functools.lru_cache(maxsize=10_000)
def _are_forms(shorter: str, longer: str) -> bool:
    """prefer and prefers, try and tries, hike and hiking; the stem agrees too, so that news is not new."""
    if _stem(shorter) != _stem(longer):
        return False
    root = _shared_beginning(shorter, longer)
    ends = {shorter[len(root) :], longer[len(root) :]}
    if len(root) < 2:
        return False
    if ends == {"", "es"}:
        return root.endswith(("s", "x", "z", "ch", "sh", "o"))
    if ends in ({"", "s"}, {"y", "ies"}, {"ies", "ying"}):
        return True
    return bool(ends & {"ing", root[-1] + "ing"}) and bool(ends & {"", "e", "s", "es"})


def _shared_beginning(one: str, other: str) -> str:
    length = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    return one[:length]


def _are_opposite(one: Word, other: Word) -> bool:
    shorter, longer = sorted((one.form, other.form), key=len)
    made = any(longer.startswith(prefix) and longer[len(prefix) :] == shorter for prefix in _NEGATING)
    return (made and len(shorter) > 2) or {_stem(shorter), _stem(longer)} in _opposite_stems()


@functools.cache
def _opposite_stems() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(map(_stem, pair)) for pair in _OPPOSITES)


def _asks(text: str) -> bool:
    return text.rstrip("\"'”’)» \n").endswith(("?", "？"))


@functools.lru_cache(maxsize=2_048)
def _arranged(text: str) -> tuple[Word, ...]:
    """The words of a text, in the one order in which texts are compared; kept, because one is compared with several."""
    return tuple(_names_in_order(_phrases_in_order(_opening_last(read(text)))))


def _opening_last(words: list[Word]) -> list[Word]:
    """`On Monday the deploy failed` as `the deploy failed on Monday`, where the time can belong to nothing else."""
    end = _opening(words)
    rest = words[end:]
    is_simple = not any(
        word.last or word.kind is Kind.CONDITION or word.form in _NESTING or word.form.endswith("ing")
        for word in rest[:-1]
    )
    if not end or not rest or not is_simple or len(rest) > _SIMPLE_WORDS_MAX:
        return words
    return [replace(word, last=False) for word in (*rest, *words[:end])]


def _opening(words: Sequence[Word]) -> int:
    """How many words come before the sentence proper: a time, or a clause such as `when it rains`."""
    start = 1 if words and words[0].form in _BEFORE_TIMES else 0
    end = start
    while end < len(words) and (words[end].kind is Kind.TIME or (start and _YEAR_ALONE.fullmatch(words[end].form))):
        end += 1
    if start < end < len(words):
        is_name = start > 0 and words[end].kind is Kind.NAME
        is_apart = words[end - 1].last or words[end].counted or words[end].form in _PRONOUNS or is_name
        return end if is_apart else 0
    if words and words[0].form in _CLAUSE_OPENERS:
        return next((place for place, word in enumerate(words, 1) if word.last), 0)
    return 0


def _phrases_in_order(words: list[Word]) -> list[Word]:
    """`at Google as an engineer` as `as an engineer at Google`: phrases that end a sentence of one clause.

    Each begins with a word of its own, so that from and to keep what is theirs, and all but one name a person, a place
    or a time: `the key under the box in the drawer` is not `in the drawer under the box`.
    """
    starts = [place for place, word in enumerate(words) if word.form in _MOVABLE]
    if len(starts) < 2 or len({words[place].form for place in starts}) < len(starts):
        return words
    if any(word.last or word.kind is Kind.CONDITION or word.form in _NESTING - {"to", "as"} for word in words[:-1]):
        return words
    phrases = [words[start:end] for start, end in itertools.pairwise([*starts, len(words)])]
    vague = [phrase for phrase in phrases if phrase[0].form != "as" and any(w.kind not in _NAMING for w in phrase[1:])]
    if len(vague) > 1 or any(not 2 <= len(phrase) <= 4 for phrase in phrases):
        return words
    ordered = sorted(phrases, key=lambda phrase: phrase[0].form)
    return [*words[: starts[0]], *(replace(word, last=False) for phrase in ordered for word in phrase)]


def _names_in_order(words: list[Word]) -> list[Word]:
    """`German and French` as `French and German`, at an end of the sentence: in the middle `and` may join clauses."""
    for sign in (1, -1):
        line = words[::sign]
        kinds = [word.kind for word in line[:4]]
        is_list = kinds[0::2] == [Kind.NAME, Kind.NAME] and line[1].form in ("and", "or")
        if is_list and Kind.NAME not in kinds[3:] and not any(word.last for word in words[:-1]):
            line[0], line[2] = sorted((line[0], line[2]), key=lambda word: word.form)[::sign]
            words = line[::sign]
    return words


# Words of time that name a day or a part of the year; "now" and "weekly" also stand where nothing differs.
_DAYS = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday weekend today yesterday tomorrow tonight january
    february march april may june july august september october november december spring summer autumn winter
    christmas easter morning noon evening night""".split()
)
_LIMITS = frozenset("if unless except only until without".split())


def agree(first: str, second: str) -> bool:
    """Whether two texts hold the same numbers, days, codes and limits, are both negated or neither, name the same in
    the same order, have no opposites, and are not the same words in another order.

    A guard for what a model reads as the same: it may be wrong, these differences never are.
    """
    if _asks(first) != _asks(second):
        return False
    one, other = read(first), read(second)
    if any(_told_in(one, part) != _told_in(other, part) for part in (_numbers, _days, _codes, _limits, _negated)):
        return False
    if _names(one, other) != _names(other, one):
        return False
    plain = [[word for word in words if word.kind is Kind.WORD][:_COMPARED_MAX] for words in (one, other)]
    stems = [[_stem(word.form) for word in words] for words in plain]
    if stems[0] != stems[1] and sorted(stems[0]) == sorted(stems[1]):
        return False
    return not any(_are_opposite(mine, theirs) for mine in plain[0] for theirs in plain[1])


def _told_in(words: Sequence[Word], part: Callable[[Word], str | None]) -> set[str]:
    return {found for word in words if (found := part(word)) is not None}


def _numbers(word: Word) -> str | None:
    # "one" and "first" count nothing as often as they count.
    is_word = word.form in ("1", "1th") and not word.written[:1].isdigit()
    return word.form if word.kind is Kind.NUMBER and not is_word else None


def _days(word: Word) -> str | None:
    form = word.form.removesuffix("s")
    return form if word.kind is Kind.TIME and (form in _DAYS or any(map(str.isdigit, form))) else None


def _codes(word: Word) -> str | None:
    return word.form.strip("`'\"()") if word.kind is Kind.LITERAL else None


def _limits(word: Word) -> str | None:
    return word.form if word.form in _LIMITS else None


def _negated(word: Word) -> str | None:
    return "" if word.kind is Kind.NEGATION else None


def _names(words: Sequence[Word], others: Sequence[Word]) -> list[str]:
    """The names in their order, because it tells who does what to whom. A capital at the start of a sentence makes no
    name unless the other text has it elsewhere; what the other text writes small is none."""
    small = {word.form for word in others if word.written[:1].islower()}
    sure = {word.form for word in _inside(others)}
    named = [word for word in words if word.kind is Kind.NAME and word.form not in small]
    inside = {id(word) for word in _inside(words)}
    return list(dict.fromkeys(word.form for word in named if id(word) in inside or word.form in sure))


def _inside(words: Sequence[Word]) -> list[Word]:
    """The names that do not begin a text or follow a comma or a full stop."""
    return [word for before, word in itertools.pairwise(words) if word.kind is Kind.NAME and not before.last]


def differ_in_a_value(first: str, second: str) -> bool:
    """Whether two short texts are the same but for one to three words in one place: `I play the guitar` and `I play the
    piano`. Such a pair does not tell whether both can hold."""
    one, other = normalised(first).split(), normalised(second).split()
    if max(len(one), len(other)) > _VALUE_TEXT_MAX:
        return False
    before = next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, other_rest = one[before:], other[before:]
    after = next(
        (k for k, (a, b) in enumerate(zip(rest[::-1], other_rest[::-1], strict=False)) if a != b),
        min(len(rest), len(other_rest)),
    )
    values = len(rest) - after, len(other_rest) - after
    return before + after >= _FRAME_MIN and all(1 <= length <= _VALUE_MAX for length in values)


def about_different_things(first: str, second: str) -> bool:
    """Whether two texts begin with things of one kind that bear different numbers or letters: lamp 17 and lamp 18."""
    one, other = _NUMBERED.match(first), _NUMBERED.match(second)
    if one is None or other is None or one["kind"].casefold() != other["kind"].casefold():
        return False
    return one["which"].casefold() != other["which"].casefold()
