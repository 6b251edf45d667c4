"""Several texts as one shorter text that says everything they say, in their own words.

Nothing is chosen: a summary holds every statement of its texts or is not made. What is left out says nothing
(greetings, asides) or stands in the summary anyway, word for word. What makes it shorter beyond that are beginnings
that neighbours share, `The deploy of api: failed on 3 May; worked on 4 May`: each part, put behind the shared words, is
again what was written.

The sentences of a text stay together and in their order, because a later one may speak of what an earlier one names
(`She rotated the password. New one is …`). A sentence that stands in another text as well is left out only where it
names its subject, nothing behind it may refer to it, and nothing before it may say how it is meant (`Rumours:`). Of two
copies the newer stays, so that the last word on a matter stays the last. A text that speaks of somebody it does not
name, or that has an open end, has no place beside others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from ..protected_spans import anchors, lost
from ..terms import STOP_WORDS
from .segments import Sentence, is_incomplete, is_own_speech, is_quoted_speech, sentences

__all__ = ["anchors", "lost", "summarize"]

_NO_END_OF_HEAD = frozenset("a an the my your his her its our their this that and or but".split())
_NO_BEGIN_OF_TAIL = frozenset("and or nor &".split())  # the subject goes on: `Ana` is not `Ana and Bob`
_HEAD_LINES_MAX = 12  # more in one line nobody reads
_HEAD_WORDS_MAX = 12
_HEAD_WORDS_SAVED_MIN = 2  # below, a shared beginning costs more reading than it saves
_ITEM = "- "


def summarize(
    texts: Sequence[str], count_tokens: Callable[[str], int], made: Collection[int] = frozenset()
) -> str | None:
    """Everything that the texts say, oldest first, in fewer tokens; None where that is not fewer.

    `made`: the places of those texts that are summaries themselves, so that beginnings shared there are shared on.
    """
    if any(map(is_incomplete, texts)):
        return None
    if any(map(is_quoted_speech, texts)) and any(map(is_own_speech, texts)):
        return None
    blocks = [sentences(text) for text in texts]
    kept = _without_copies(blocks)
    groups: list[_Group] = []
    for place, text in enumerate(texts):
        whole = _written(text, blocks[place], kept[place])
        if whole:
            groups += _parsed(whole) if place in made and "```" not in whole else [_Group("", (whole,))]
    summary = "\n".join(group.written() for group in _with_shared_heads(groups))
    # Joined, because tokens that are only estimated add up to more than those of the whole.
    size, least = count_tokens(summary), min(sum(map(count_tokens, texts)), count_tokens("\n".join(texts)))
    return summary if 0 < size < least else None


def _without_copies(blocks: Sequence[Sequence[Sentence]]) -> list[list[Sentence]]:
    """What is left of each text without filler, and without what stands in a newer one."""
    left = [[one for one in block if not one.is_filler] for block in blocks]
    newer: dict[str, list[list[str]]] = {}  # texts by their first sentence, as keys
    known: set[str] = set()  # what stands by itself in a newer text
    for place in reversed(range(len(left))):
        keys = [one.key for one in left[place]]
        alike = newer.setdefault(keys[0] if keys else "", [])
        if any(other[: len(keys)] == keys for other in alike):
            left[place] = []
            continue
        alike.append(keys)
        kept: list[Sentence] = []
        is_referred_to = False  # perhaps, by what stands behind it
        free = _free_of_what_precedes(left[place])
        for number, one in reversed(list(enumerate(left[place]))):
            if is_referred_to or number >= free or one.key not in known:
                kept.append(one)
            is_referred_to |= not one.stands_alone
            if number < free:
                known.add(one.key)
        left[place] = kept[::-1]
    return left


def _free_of_what_precedes(block: Sequence[Sentence]) -> int:
    """How many sentences of a text stand alone before the first that does not, and may say how the others are meant."""
    return next((place for place, one in enumerate(block) if not one.stands_alone), len(block))


def _written(text: str, block: Sequence[Sentence], kept: Sequence[Sentence]) -> str:
    """What is kept of a text, with its line ends; as it was, when all of it is kept."""
    if len(kept) == len(block) and "\n" in text and block and block[0].span[0] == _begin(text):
        return text.strip()
    written = ""
    for place, one in enumerate(kept):
        gap = text[kept[place - 1].span[1] : one.span[0]] if place else ""
        if place:
            written += "\n" if "\n" in gap else " "
        written += one.text
    return written


def _begin(text: str) -> int:
    return len(text) - len(text.lstrip())


@dataclass(frozen=True, slots=True)
class _Group:
    """Texts behind the beginning that they share, or one text by itself."""

    head: str
    items: tuple[str, ...]

    def written(self) -> str:
        if not self.head:
            return self.items[0]
        if any(_is_long(item) for item in self.items):
            return "\n".join([f"{self.head}:", *(_ITEM + item for item in self.items)])
        return f"{self.head}: " + "; ".join(item.removesuffix(".") for item in self.items)


def _is_long(item: str) -> bool:
    """Whether an item needs a line of its own: it holds several sentences, or the sign that parts items."""
    return ";" in item or len(sentences(item)) > 1


def _parsed(text: str) -> Iterator[_Group]:
    """The lines of a summary, those that share a beginning as they were put together."""
    lines = text.split("\n")
    place = 0
    while place < len(lines):
        line, end = lines[place], place + 1
        while line.endswith(":") and end < len(lines) and lines[end].startswith(_ITEM):
            end += 1
        head, colon, tail = line.partition(": ")
        if end > place + 1:
            yield _Group(line[:-1], tuple(item.removeprefix(_ITEM) for item in lines[place + 1 : end]))
        elif colon and "; " in tail and _may_be_head(head):
            yield _Group(head, tuple(tail.split("; ")))
        else:
            yield _Group("", (line,))
        place = end


def _with_shared_heads(groups: Sequence[_Group]) -> list[_Group]:
    """The texts, where neighbours that begin alike say their beginning once."""
    found: list[_Group] = []
    place = 0
    while place < len(groups):
        best, end = groups[place], place + 1
        saved = 0
        for stop in range(place + 2, min(len(groups), place + _HEAD_LINES_MAX) + 1):
            run = groups[place:stop]
            if any(one.head for one in run) or _first_word(run[-1]) != _first_word(run[0]):
                break
            joined, words = _joined([one.items[0] for one in run])
            if joined and words * (stop - place - 1) > saved:
                best, saved, end = joined, words * (stop - place - 1), stop
        place = end
        if found and best.head and found[-1].head == best.head:
            found[-1] = _Group(best.head, _overlapped(found[-1].items, best.items))
        else:
            found.append(best)
    return found


def _overlapped(older: tuple[str, ...], newer: tuple[str, ...]) -> tuple[str, ...]:
    """Both, one behind the other, and what ends the one and begins the other once. A part that stands elsewhere in both
    is kept twice: it may belong to the part before it (`bought a car; it is red`)."""
    shared = next(n for n in range(min(len(older), len(newer)), -1, -1) if older[len(older) - n :] == newer[:n])
    return (*older, *newer[shared:])


def _first_word(group: _Group) -> str:
    return group.items[0].partition(" ")[0]


def _joined(texts: Sequence[str]) -> tuple[_Group | None, int]:
    """The texts behind the beginning they share, and how many words that has; none if it would read badly."""
    if any("\n" in text or "```" in text for text in texts):
        return None, 0
    split = [text.split(" ") for text in texts]
    shared = next((n for n, words in enumerate(zip(*split, strict=False)) if len(set(words)) > 1), min(map(len, split)))
    for length in range(min(shared, _HEAD_WORDS_MAX, *(len(words) - 1 for words in split)), 0, -1):
        head = " ".join(split[0][:length])
        is_label = head.endswith(":")
        if not _may_be_head(head.removesuffix(":")) or (length * (len(texts) - 1) < _HEAD_WORDS_SAVED_MIN - is_label):
            continue
        if any(words[length].lower() in _NO_BEGIN_OF_TAIL for words in split):
            continue
        group = _Group(head.removesuffix(":"), tuple(" ".join(words[length:]) for words in split))
        written = group.written()
        if all(found in written for text in texts for found in anchors(text)):
            return group, length
    return None, 0


def _may_be_head(head: str) -> bool:
    """Whether words may be put before a colon for all that follows: they name something, and end where a word does."""
    words = head.split(" ")
    return (
        head[-1:].isalnum()
        and not any(mark in head for mark in ":;")
        and not any(word[-1:] in ".!?…" for word in words[:-1])
        and words[-1].lower() not in _NO_END_OF_HEAD
        and not words[-1].endswith(("'s", "’s"))
        and any(word.strip("'’,").lower() not in STOP_WORDS for word in words)
    )
