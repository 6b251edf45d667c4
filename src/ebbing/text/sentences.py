"""The sentences of a text, each with who says it and what it stands under.

Prose is cut where a summary cuts it (protected_spans.py: no abbreviation, number, address or quotation is cut). Around
that, what is written in lines: lists, headings, the turns of a talk, Markdown. Code blocks and tables say
nothing in sentences and are passed over.

No sentence that leaves here is longer than `CHARACTERS_MAX`. The rules of grammar look at every word of a sentence
from every other, so this is the one place that keeps the time to read a text linear in its length.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from .lazy_regex import lazily
from .protected_spans import sentence_spans, spans


class Sentence(NamedTuple):
    text: str
    speaker: str | None = None  # who says it, where the text has a label: `Anna: …`
    lead: str | None = None  # the heading or the line above, for an item of a list
    is_item: bool = False
    is_apart: bool = False  # it begins a line of its own, behind a short one: notes, of which none goes on with another


class _Line(NamedTuple):
    text: str
    kind: str  # prose, item, heading, turn, gap
    indent: int = 0
    speaker: str | None = None
    more: str = ""  # in brackets behind the label


_FENCE = lazily(r"^[ \t]*(```|~~~)")
_ITEM = lazily(
    r"^([ \t]*)(?:[-*•+‣–]|\(?\d{1,3}[.)](?!\d)|\(?[a-z][.)])(?:\s+|(?<=\d\.)(?=[^\W\d]))(?:\[[ xX]\]\s+)?(?=\S)"
)
_HEADING = lazily(r"^#{1,6}\s+(.+?)\s*#*$|^\*\*([^*]+?):?\*\*:?$|^__([^_]+?):?__:?$")
_RULE = lazily(r"^[ \t]*(?:[-=*_]\s?){3,}$")
_TABLE = lazily(r"^[ \t]*\|.*\|[ \t]*$")
_TURN = lazily(
    r"^[ \t]*(?:[\[(]?\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp][Mm])?[\])]?\s*[-–]?\s*)?"
    r"(?:\*\*|__)?([^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,2})( \([^)]{1,30}\))?"
    r"(?::(?:\*\*|__)|(?:\*\*|__)?:)[ \t]+(?=\S)"
)
_ROLES = frozenset("user assistant human ai system agent bot customer speaker interviewer".split())
_NO_SPEAKERS = frozenset(
    """note notes warning update summary todo fix example examples question answer important tip result results
    status deadline budget goal goals title date time name address email phone location subject re to from
    cc decision decisions action actions reason cause error output input version source sources ps p.s edit
    fyi caution info hint task owner context background next conclusion pros cons cost total price caveat
    me i we us myself
    rule step problem solution risk bug requirements agenda topic attendees participants""".split()
)
_TALK = lazily(
    r"\b(?:I|I['’]\w+|you|my|me|we|your|our|us|thanks|hi|hey|hello|yes|no|yeah|ok|okay)\b|[?!]", re.IGNORECASE
)
_TALKS = lazily(
    r"(?:(?-i:I)|(?-i:I)['’]\w+|(?:yes|no|yeah|ok|okay|sure|well),? (?-i:I)|thanks|thank you|hi|hey|hello)\b(?!:)",
    re.IGNORECASE,
)
_MARKUP = (
    (lazily(r"!\[[^\[\]]{0,300}\]\([^()]{0,500}\)"), ""),
    (lazily(r"\[([^\[\]]{1,300})\]\([^()\s]{1,500}(?:\s\"[^\"]{0,200}\")?\)"), r"\1"),
    (lazily(r"(?<![\w*])(\*\*|__)(?=\S)(.{1,500}?)(?<=\S)\1(?![\w*])"), r"\2"),
    (lazily(r"(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\w*])"), r"\1"),
    (lazily(r"(?<![\w_])_(?=[^\s_])([^_\n]+?)(?<=[^\s_])_(?![\w_])"), r"\1"),
)
_DATE_ONLY = lazily(r"\(?\d{1,2}\.?(?:[ /.-]?(?:\d{1,2}|[^\W\d_]{3,9}))?\.?(?:[ /.-]?\d{2,4})?[.:)]?")
# What takes back, or puts right, what was just said.
_CORRECTS = lazily(
    r"(?:(?:oh |ah |oops,? |no,? |sorry,? )*(?:wait|scratch that|correction|i mean(?:t)?|make that|or rather)\b"
    r"|actually,? (?:no|not)\b|(?:no|nope),? not\b)",
    re.IGNORECASE,
)
# What stands above a list and turns what each item says: it is said with each of them.
_DENIES = lazily(r"\b(?:not|no|never|none|without|don['’]?t|won['’]?t|nicht|keine?|nie|ohne)\b", re.IGNORECASE)
_QUOTES = "\"'”’»"
CHARACTERS_MAX = 1_000  # of a sentence; a longer one is cut into pieces at the best mark in the second half of each
_HEADING_WORDS_MAX = 9
_NOTE_MAX = 60  # characters of a line: a longer one may have been broken for want of room
_LEAD_MAX = 200  # characters; a longer line above a list is not repeated in front of every item
_CUTTING_MARKS = ("; ", ": ", " — ", " – ", ", ", " ")  # best first


def sentences(text: str) -> list[Sentence]:
    """What a text says sentence by sentence, in order."""
    lines = _lines(text)
    speakers = _speakers(lines)
    return list(_sentences(lines, speakers))


def _lines(text: str) -> list[_Line]:
    found: list[_Line] = []
    fence = ""
    for raw in text.splitlines():
        opened = _FENCE.match(raw)
        if fence:
            fence = "" if opened and opened[1] == fence else fence
            continue
        if opened and raw.count(opened[1]) == 1:
            fence = opened[1]
            found.append(_Line("", "gap"))
            continue
        found.append(_line(re.sub(r"^[ \t]*(?:>[ \t]?)+", "", raw)))
    return found


def _line(raw: str) -> _Line:
    if not raw.strip() or _RULE.match(raw) or _TABLE.match(raw):
        return _Line("", "gap")
    if (heading := _HEADING.match(raw.strip())) and not _states(next(filter(None, heading.groups()))):
        return _Line(_plain(next(filter(None, heading.groups()))), "heading")
    if item := _ITEM.match(raw):
        return _Line(_plain(raw[item.end() :]), "item", len(item[1].expandtabs(4)))
    raw = raw.lstrip("# ") if heading else raw
    if turn := _TURN.match(raw):
        return _Line(_plain(raw[turn.end() :]), "turn", speaker=turn[1], more=turn[2] or "")
    return _Line(_plain(raw), "prose", len(raw) - len(raw.lstrip()))


def _states(heading: str) -> bool:
    """Whether what looks like a heading is a sentence, or more than one."""
    return len(heading.split()) > _HEADING_WORDS_MAX or heading.rstrip()[-1:] in ".!"


def _plain(text: str) -> str:
    """A line without its Markdown; what stands in backquotes stays as it is."""
    if not any(mark in text for mark in "*_["):
        return text.strip()
    parts = re.split(r"(`[^`]+`)", text)
    for place in range(0, len(parts), 2):
        for pattern, plain in _MARKUP:
            parts[place] = pattern.sub(plain, parts[place])
    return "".join(parts).strip()


def _speakers(lines: list[_Line]) -> frozenset[str]:
    """Labels that are people: they speak twice, or as people do; `Budget: 5k` is none."""
    turns = [line for line in lines if line.kind == "turn" and line.speaker]
    counts = Counter(line.speaker for line in turns)
    # Beside somebody who speaks twice, a label is somebody as well; alone it is only where they begin as people do.
    is_talk = any(count > 1 for name, count in counts.items() if name and name.lower() not in _NO_SPEAKERS)
    talking = {line.speaker for line in turns if (_TALK.search if is_talk else _TALKS.match)(line.text)}
    return frozenset(
        name
        for name, count in counts.items()
        if name
        and (
            name.lower() in _ROLES
            or (
                name.lower() not in _NO_SPEAKERS
                and all(part[0].isupper() for part in name.split())
                and (name in talking or count > 1)
            )
        )
    )


def _sentences(lines: list[_Line], speakers: frozenset[str]) -> Iterator[Sentence]:
    speaker: str | None = None
    heading: str | None = None
    above: list[tuple[int, str | None]] = []  # items that others may hang under, by how far they are set in
    lead: str | None = None
    prose: list[str] = []
    is_apart = False
    for place, line in enumerate([*lines, _Line("", "gap")]):
        if line.kind == "prose" and above and line.indent > above[-1][0]:
            continue
        if prose and (line.kind != "prose" or _is_title(line, prose)):
            yield from _cut("\n".join(prose), speaker, is_apart=is_apart)
            is_apart = line.kind in ("prose", "turn")
            above_list = prose[-1] if line.kind == "item" and _DENIES.search(prose[-1]) else None
            lead = _short(_lead(prose[-1]) or above_list) or (lead if line.kind == "gap" else None)
            prose = []
        if line.kind == "item":
            text = _with_continuation(lines, place)
            above = [entry for entry in above if entry[0] < line.indent]
            under = above[-1][1] if above else lead or heading
            for sentence in _cut(text, speaker):
                yield sentence._replace(lead=under, is_item=True)
            above.append((line.indent, _short(_lead(text) or text.rstrip(".:"))))
        elif line.kind != "gap":
            above = []
        if line.kind == "heading":
            heading, lead = _short(line.text.rstrip(":")), None
        elif line.kind == "turn":
            if line.speaker in speakers:
                speaker, heading, lead = line.speaker, None, None
                prose.append(line.text)
            else:
                prose.append(f"{line.speaker}{line.more}: {line.text}")
        elif line.kind == "prose":
            prose.append(line.text)


def _is_title(line: _Line, prose: list[str]) -> bool:
    return len(prose[-1]) < 60 and line.text[:1].isupper() and prose[-1][-1:] not in ",;"


def _with_continuation(lines: list[_Line], place: int) -> str:
    """An item with the lines that go on set in under it."""
    text = [lines[place].text]
    for line in lines[place + 1 :]:
        if line.kind != "prose" or line.indent <= lines[place].indent:
            break
        text.append(line.text)
    return " ".join(text)


def _lead(text: str) -> str | None:
    """The line above a list: its last sentence, where that ends in a colon."""
    if not text.endswith((":", "：")):
        return None
    begins = max(text.rfind(". "), text.rfind("! "), text.rfind("? "))
    return text[begins + 2 :].rstrip(":：").strip() if begins >= 0 else text.rstrip(":：").strip()


def _short(lead: str | None) -> str | None:
    """A lead, or None where it is too long to be repeated in front of every item."""
    return lead if lead and len(lead) <= _LEAD_MAX else None


def _cut(text: str, speaker: str | None, *, is_apart: bool = False) -> Iterator[Sentence]:
    """The sentences of some prose; what follows a quotation in small letters belongs to it: `"Really?" she asked.`"""
    held: list[str] = []
    opens = is_apart
    for start, end in sentence_spans(text, spans(text)):
        sentence = " ".join(text[start:end].split())
        if held and not _goes_on(held[-1], sentence):
            yield from _pieces(" ".join(held), speaker, is_apart=is_apart)
            held = []
        if not held:
            is_apart = _is_note(text, start) if start else opens
        held.append(sentence)
    yield from _pieces(" ".join(held), speaker, is_apart=is_apart)


def _goes_on(before: str, sentence: str) -> bool:
    """Whether a sentence belongs to the one before: `"Really?" she asked`, `15 Apr. Frost`, `No, wait, on Tuesday`."""
    is_told = before[-1] in _QUOTES and sentence[0].islower()
    return is_told or bool(_DATE_ONLY.fullmatch(before)) or bool(_CORRECTS.match(sentence))


def _is_note(text: str, start: int) -> bool:
    """Whether what begins here begins a line, and the line before is short."""
    before = text[:start].rstrip(" \t")
    return before.endswith("\n") and len(before.rstrip("\n").rpartition("\n")[2]) < _NOTE_MAX


def _pieces(sentence: str, speaker: str | None, *, is_apart: bool = False) -> Iterator[Sentence]:
    """A sentence whole, or in pieces of at most `CHARACTERS_MAX`."""
    start = 0
    while len(sentence) - start > CHARACTERS_MAX:
        middle, limit = start + CHARACTERS_MAX // 2, start + CHARACTERS_MAX
        cuts = ((mark, sentence.rfind(mark, middle, limit)) for mark in _CUTTING_MARKS)
        end = next((place + len(mark) for mark, place in cuts if place >= 0), limit)
        yield Sentence(sentence[start:end].strip(), speaker)
        start = end
    if sentence[start:].strip():
        yield Sentence(sentence[start:].strip(), speaker, is_apart=is_apart)
