"""What in a text a reader could not reconstruct, and what of it a shorter text has lost.

Numbers with their units, dates, versions, sums, names, paths, addresses, commands, code, identifiers
and quotations. A summary, whoever writes it, keeps each to the letter or is not a summary.
A word too many among them costs a few tokens; a word too few costs a fact.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence

from .lazy_regex import lazily
from .normalize import KINDS
from .terms import STOP_WORDS

Span = tuple[int, int]

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)
_UNIT = (
    r"(?:%|°\s?[CFK]?|percent|per\ cent|[ap]\.m\.|(?:[ap]m|[kKMGTP]i?[Bb]|[kcmµn]?m|[kmµ]?g|[mµn]?s|k?Wh?|[kMG]?Hz"
    r"|ml|[lLh]|mph|fps|rpm|USD|EUR|GBP|dollars?|euros?|pounds?|cents?|bucks|miles?|kilomet(?:er|re)s?|met(?:er|re)s?"
    r"|feet|inch(?:es)?|kilos?|kilograms?|grams?|tokens?|bytes?|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?"
    r"|months?|years?|times|million|billion|thousand|hundred|dozen)(?!\w))"
)
_SPELLED = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen"
    r"|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|dozen)"
)
_TOOL = r"(?:git|docker|kubectl|helm|terraform|pip|npm|npx|yarn|pnpm|cargo|brew|apt|apt-get|systemctl|curl|ssh|psql)"
_COMMAND = rf"{_TOOL}\ (?!(?:is|was|and|or|to|the|a|in|on|for|with|has|can|that|as|of)\b)[a-z-][\w-]*"
# Everything but names, which take more than a pattern to see. The first that fits at a place is taken; plain words
# come first of all, and are passed over, so that a sentence is read word by word and not letter by letter.
_ANCHOR = lazily(
    rf"""(?P<plain>\b(?!(?:{_SPELLED}|{_TOOL}|{_MONTH})(?!\w))[A-Za-z]?[a-z]+(?:['’][a-z]+)?
        (?=[\s,;!?]|\.\s|$)[,;!?.]*\ ?)
      # code: blocks, within a line, as a shell shows it
      | ```[^`\n]+``` | ```(?:[\s\S]*?```|[\s\S]*\S|) | ``[^`\n]+`` | `[^`\n]+` | ^[ \t]*[$❯]\ \S.*$
      # quotations
      | (?<![\w"])"[^"\n]{{2,300}}"(?!\w) | (?<!\w)['‘][^'‘’\n]{{2,300}}['’](?!\w)
      | “[^”\n]{{2,300}}” | «[^»\n]{{2,300}}» | „[^“”\n]{{2,300}}[“”] | 「[^」\n]{{1,300}}」 | 『[^』\n]{{1,300}}』
      # addresses, mail, handles, issues, tags
      | \b[A-Za-z][A-Za-z0-9+.-]{{0,20}}://[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}}]
      | \b[\w.+-]{{1,64}}@[\w-]+(?:\.[\w-]+)+ | (?<!\w)@\w+ | (?<![\w&])\#\w[\w-]*
      # paths, options, settings, commands
      | (?:(?<![\w.])(?:[A-Za-z]:\\|~?/|\.\.?/)|\b[\w.-]{{1,64}}[/\\])[\w./\\~@+-]*[\w/\\]
      | (?<![\w-])--?[A-Za-z][\w-]*(?:=\S*[\w/])? | \b[A-Za-z_][\w.]{{0,64}}=\S*[\w"'/)\]] | \b{_COMMAND}
      # dates
      | (?:\b\d{{1,2}}(?:st|nd|rd|th)?\ (?:of\ )?)?\b{_MONTH}(?!\w)
        (?:\ \d{{1,2}}(?:st|nd|rd|th)?(?:[–-]\d{{1,2}})?\b(?![:.]\d))?(?:,?\ \d{{4}}\b)?
      # numbers, sums, times, versions, with their units
      | (?<![A-Za-z0-9])(?:(?<!\w)[+-])?(?:[$€£¥₹]\ ?)?\d+(?:[.,:/–-]\d+)*
        (?:\ ?{_UNIT}|[A-Za-z0-9]*(?:-[A-Za-z]+\d(?:[\w.]*\w)?)?)(?:/[A-Za-z]+)?
      | \b[vV]\d+(?:\.\d+)*(?:-[\w.]*\w)? | \b{_SPELLED}(?:[-\ ]{_SPELLED})*(?:\ {_UNIT})?(?!\w)
      # identifiers
      | \b(?:[A-Za-z]\w*\.)+[A-Za-z_]\w*(?:\(\))? | \b\w+\(\) | \b\w+_\w+\b
      | \b[a-z]+[A-Z]\w*\b | \b[A-Za-z]+\d\w*\b | \b[A-Za-z]\+\+ | \b[A-Z]\# | (?<!\w)\.[A-Z]+\b
    """,
    re.VERBOSE | re.MULTILINE,
)
_LIST_MARK = lazily(r"^[ \t]*\d{1,3}[.)](?=\s)", re.MULTILINE)
# Of the scripts that have capitals; in a Chinese sentence a Latin name ends where Chinese goes on.
_CAPITALS = "".join(filter(str.isupper, map(chr, (*range(0x530), *range(0x1E00, 0x2000)))))
_LETTER = r"[^\W_\u0e00-\u1dff\u2000-\U0010ffff]"
_CAPITAL_WORD = lazily(rf"(?<!{_LETTER})[{_CAPITALS}](?:{_LETTER}|['’-](?={_LETTER}))*")
_DAYS = frozenset("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())
_GREETINGS = frozenset("Hey Hi Hello Dear Thanks Thank Oh Ah Wow Well Yes Yeah Yep Okay Congrats Bye Sorry".split())
_BETWEEN_NAMES = lazily(r" (?:(?:of|de|del|van|von|der|di|da|la|le|the|&) ){0,2}")
_BEFORE_SENTENCE = lazily(r"(?:^|[.!?…:;。！？\n]|[-*•>#|])[\s\"'“‘«(\[*_]*$|\n\s*\d+[.)]\s+$")
# What follows a word that opens a sentence as its subject: then its capital may be its own.
_BEHIND_SUBJECT = lazily(
    r"['’]s\b| (?:of )?[A-Z]| (?:is|was|has|had|will|would|can|could|should|must|may|and|or|[a-z]{2,}(?:s|ed)"
    r"|went|got|made|said|told|took|came|gave|saw|bought|sent|met|ran|left|wrote|built|found|won|lost|paid|chose)\b"
)
_BREAK = lazily(r"(?<![.!?…])[.!?…]++[\"'”’)\]*_]*\s+|[。！？]+[」』”]*\s*|\n\s*")
_WRAPPED_MIN = 60  # characters: a shorter line was not broken for want of room
_WRAPPED_MAX = 125  # … and a longer one was not broken at all
_ABBREVIATED = lazily(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|etc|e\.g|i\.e|approx|No|Inc|Ltd|Co|cf|Nr|Art|Abs|Fig|Sec|Vol|ca|bzw|z\.B|d\.h"
    r"|[A-Z])|str)\.\s+$"
)
# `22. Juni`: a day as many languages write it.
_ORDINAL = lazily(
    r"\s?\d{1,2}\.\s+(?:Jan|Feb|M[aä]r|Apr|Ma[ijy]|Jun|Jul|Aug|Sep|O[ck]t|Nov|De[csz])\w{0,6}\b", re.IGNORECASE
)


def anchors(text: str) -> set[str]:
    """What of a text must stand in its summary to the letter; spaces and line ends count as one, outside code."""
    return {anchor(text, span) for span in spans(text)}


def lost(summary: str, texts: Iterable[str]) -> set[str]:
    """The anchors of the texts that a summary does not hold."""
    flat = spaced(summary)
    folded = flat.casefold()
    wanted = {found for text in texts for found in anchors(text)} - anchors(summary)
    return {
        found for found in wanted if not (found in summary if _is_block(found) else _stands_in(found, flat, folded))
    }


def spans(text: str) -> list[Span]:
    """Where the anchors of a text stand, in order and apart from each other."""
    marks = {match.end() for match in _LIST_MARK.finditer(text)}
    found = [
        _trimmed(match)
        for match in _ANCHOR.finditer(text)
        if match.lastgroup != "plain" and match.end() + 1 not in marks
    ]
    return sorted([*found, *_names(text, found)])


def anchor(text: str, span: Span) -> str:
    """What stands in a span, as an anchor is written."""
    written = text[span[0] : span[1]]
    return written if _is_block(written) else spaced(written)


def sentence_spans(text: str, held: Sequence[Span]) -> Iterator[Span]:
    """Where the sentences of a text stand. No anchor is cut, and a block of code stands by itself."""
    cuts = {0, len(text)}
    line_start = 0
    for match in _BREAK.finditer(text):
        mark, behind = match[0], text[match.end() : match.end() + 1]
        if mark.startswith("."):
            is_short = _ABBREVIATED.search(text, max(0, match.end() - 12), match.end())
            goes_on = behind.islower() or bool(is_short) or bool(_ORDINAL.match(text, max(0, match.start() - 2)))
        else:
            line = match.start() - line_start
            goes_on = mark == "\n" and behind.islower() and line >= _WRAPPED_MIN and _is_full(text, match.end(), line)
        if "\n" in mark:
            line_start = match.start() + mark.rindex("\n") + 1
        if not goes_on and not is_inside(match.end(), held):
            cuts.add(match.end())
    for start, end in held:
        if text.startswith("```", start) and "\n" in text[start:end]:
            cuts |= {start, end}
    ordered = sorted(cuts)
    for start, end in itertools.pairwise(ordered):
        written = text[start:end]
        if any(map(str.isalnum, written)) or between(held, start, end):
            yield start + len(written) - len(written.lstrip()), start + len(written.rstrip())


def _is_full(text: str, behind: int, line: int) -> bool:
    """Whether the first word of the next line had no room on a line of this length: where lines are broken for want of
    room, none is much longer."""
    word = len(text[behind : behind + 40].split(maxsplit=1)[0])
    return line <= _WRAPPED_MAX and line + 1 + word > min(max(map(len, text.splitlines())), _WRAPPED_MAX)


def between(held: Sequence[Span], start: int, end: int) -> Sequence[Span]:
    """The anchors that begin in a stretch of a text."""
    return held[bisect.bisect_left(held, (start, start)) : bisect.bisect_left(held, (end, end))]


def is_inside(place: int, held: Sequence[Span]) -> bool:
    """Whether a cut here would go through an anchor."""
    near = bisect.bisect_left(held, (place, place)) - 1
    return near >= 0 and held[near][0] < place < held[near][1]


def _is_block(written: str) -> bool:
    return written.startswith("```") and "\n" in written


def is_name(found: str) -> bool:
    """Whether an anchor is a name: of a person, a place, a thing, not of a day."""
    return found[0].isupper() and found not in _DAYS and not re.search(rf"[^\w\s'’&-]|[\d_]|\b{_MONTH}", found)


def spaced(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())


def _trimmed(match: re.Match[str]) -> Span:
    written = match[0]
    return match.end() - len(written.lstrip()), match.start() + len(written.rstrip())


def _stands_in(wanted: str, text: str, folded: str) -> bool:
    """Whether it stands in a text as a word of its own: 5 is not in 15, nor in 2.5. `folded`: the text casefolded."""
    if wanted.isalpha() and wanted[1:].islower():  # a name that opened a sentence may have been a plain word
        wanted, text = wanted.casefold(), folded
    place = text.find(wanted)
    while place >= 0:
        before, behind = text[max(0, place - 2) : place], text[place + len(wanted) : place + len(wanted) + 2]
        if not (_joins(before[::-1], wanted[0]) or _joins(behind, wanted[-1])):
            return True
        place = text.find(wanted, place + 1)
    return False


def _joins(near: str, edge: str) -> bool:
    """Whether what comes next continues the word or number that has `edge` at its end."""
    if not near or not (edge.isascii() and edge.isalnum()):
        return False
    if near[0].isascii() and near[0].isalnum():
        return True
    return edge.isdigit() and near[0] in ".,:/–-" and near[1:].isdecimal()


def _names(text: str, taken: Sequence[Span]) -> Iterator[Span]:
    """Words with a capital that no other anchor holds: those within a sentence, those that open one as its subject."""
    if text.isupper():  # shouted
        return
    held = _Held(taken)
    run: Span | None = None
    for match in _CAPITAL_WORD.finditer(text):
        start = match.start()
        word = re.sub(r"['’]s$", "", match[0])
        opens = _opens(text, start)
        if held.holds(start) or not _is_name(text, start, word, opens=opens):
            continue
        alone = opens or word in _DAYS
        end = start + len(word)
        if run and not alone and _BETWEEN_NAMES.fullmatch(text, run[1], start):
            run = (run[0], end)
            continue
        if run:
            yield run
        run = (start, end)
        if alone:
            yield run
            run = None
    if run:
        yield run


class _Held:
    """Asked, from left to right, whether a place lies within one of the spans."""

    def __init__(self, taken: Sequence[Span]) -> None:
        self._taken = iter(taken)
        self._span: Span = (-1, -1)

    def holds(self, place: int) -> bool:
        while self._span[1] <= place:
            found = next(self._taken, None)
            if found is None:
                return False
            self._span = found
        return self._span[0] <= place


def _opens(text: str, start: int) -> bool:
    return start == 0 or bool(_BEFORE_SENTENCE.search(text, max(0, start - 12), start))


def _is_name(text: str, start: int, word: str, *, opens: bool) -> bool:
    if word in _DAYS:
        return True
    if word.lower() in STOP_WORDS or word in _GREETINGS or word.startswith(("I'", "I’")):
        return False
    if not opens or not word[1:].islower():
        return len(word) > 1
    return bool(_BEHIND_SUBJECT.match(text, start + len(word))) and word.lower() not in KINDS
