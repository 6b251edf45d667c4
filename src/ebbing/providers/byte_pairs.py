"""Texts as the numbers of their tokens, by byte pair encoding as Llama 2 has it: the same as `tokenizers` gives.

A word begins as its characters, and the pair that stands first among all that may be merged is merged, until none is
left. Which comes first needs no list of merges: the vocabulary is in their order. A character that the vocabulary does
not have is told as its bytes.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Sequence

_SPACE = "▁"  # how a vocabulary writes a space; one stands before each text
_WORDS = re.compile(f"{_SPACE}+[^{_SPACE}]*|[^{_SPACE}]+")  # no token reaches over the space behind a word
_SPECIAL = re.compile("(<unk>|<s>|</s>)")

Rank = tuple[bool, int, int, int]


class BytePairs:
    """One vocabulary: its pieces in the order of their numbers."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self.numbers = {piece: number for number, piece in enumerate(pieces)}

    def cut(self, text: str) -> list[int]:
        """A text as the numbers of its tokens."""
        found: list[int] = []
        for part in _SPECIAL.split(text):
            if _SPECIAL.fullmatch(part):
                found.append(self.numbers[part])
            elif part:
                for word in _WORDS.findall(_SPACE + part.replace(" ", _SPACE)):
                    found += self._cut_word(word)
        return found

    def _cut_word(self, word: str) -> list[int]:
        """Merge pairs, the first in rank and then the leftmost; in a time that grows little more than the word."""
        parts: list[str | None] = [piece for character in word for piece in self._pieces(character)]
        following = list(range(1, len(parts) + 1))
        before = list(range(-1, len(parts) - 1))
        waiting: list[tuple[Rank, int, str, str]] = []

        def offer(left: int) -> None:
            right = following[left] if left >= 0 else len(parts)
            if right < len(parts):
                one, other = parts[left] or "", parts[right] or ""
                if (rank := self._rank(one, other)) is not None:
                    heapq.heappush(waiting, (rank, left, one, other))

        for place in range(len(parts)):
            offer(place)
        while waiting:
            _, left, one, other = heapq.heappop(waiting)
            right = following[left]
            if parts[left] != one or right >= len(parts) or parts[right] != other:
                continue  # one of the two was merged meanwhile
            parts[left], parts[right] = one + other, None
            following[left] = following[right]
            if following[left] < len(parts):
                before[following[left]] = left
            offer(before[left])
            offer(left)
        return [self.numbers[part] for part in parts if part is not None]

    def _pieces(self, character: str) -> Sequence[str]:
        if character in self.numbers:
            return (character,)
        return [f"<0x{byte:02X}>" for byte in character.encode(errors="replace")]

    def _rank(self, left: str, right: str) -> Rank | None:
        """What is merged sooner has the lower one; spaces alone come after everything else."""
        whole = left + right
        number = self.numbers.get(whole)
        if number is None:
            return None
        return not whole.strip(_SPACE), number, self.numbers[left], self.numbers[right]
