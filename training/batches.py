"""Examples as batches of numbers, made in the background while the network trains.

Every epoch has a process of its own that draws its examples and puts its batches into a queue, so that the GPU never
waits for Python. The seed and the number of the epoch decide what is drawn: same seed, same batches.
"""

from __future__ import annotations

import multiprocessing
import os
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from training import examples

LENGTH_MAX = 192  # tokens of a text or a pair
TOKENS_A_BATCH = int(os.environ.get("TOKENS_A_BATCH", "24576"))
ROWS_A_BATCH = int(os.environ.get("ROWS_A_BATCH", "384"))
VECTOR_ROWS = 256  # pairs of texts whose vectors are compared with each other
WAITING_MAX = 64  # batches of an epoch that wait to be used

Arrays = dict[str, np.ndarray]
Batch = tuple[str, Arrays]  # the task, and its numbers


class Encoded:
    """Texts as token numbers, each tokenized once."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self._known: dict[str, list[int]] = {}
        named = ("<s>", "</s>") if tokenizer.token_to_id("<s>") is not None else ("[CLS]", "[SEP]")
        self._begin, self._end = map(tokenizer.token_to_id, named)

    def add(self, texts: Sequence[str]) -> None:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        for text, encoding in zip(new, self._tokenizer.encode_batch(new, add_special_tokens=False), strict=True):
            self._known[text] = encoding.ids[: LENGTH_MAX * 2]

    def length(self, texts: tuple[str, ...]) -> int:
        return min(sum(len(self._known[text]) for text in texts) + len(texts) + 1, LENGTH_MAX)

    def arrays(self, rows: Sequence[tuple[str, ...]]) -> Arrays:
        """Rows of one or two texts, cut from the end of the longer one, padded to the longest."""
        assembled = [self._row(row) for row in rows]
        width = max(len(ids) for ids, _ in assembled)
        ids = np.zeros((len(rows), width), dtype=np.int32)
        mask, types = np.zeros_like(ids), np.zeros_like(ids)
        for number, (numbers, first) in enumerate(assembled):
            ids[number, : len(numbers)] = numbers
            mask[number, : len(numbers)] = 1
            types[number, first : len(numbers)] = 1
        return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}

    def _row(self, row: tuple[str, ...]) -> tuple[list[int], int]:
        parts = [self._known[text] for text in row]
        room = LENGTH_MAX - len(parts) - 1
        if len(parts) == 1:
            numbers = [self._begin, *parts[0][:room], self._end]
            return numbers, len(numbers)
        one, two = parts
        while len(one) + len(two) > room:
            half = max(room // 2, room - min(len(one), len(two)))
            one, two = (one[:half], two) if len(one) >= len(two) else (one, two[:half])
        return [self._begin, *one, self._end, *two, self._end], len(one) + 2

    def lists(self, rows: Sequence[list[Any]], texts_of: Callable[[Any], tuple[str, ...]]) -> Iterator[list[list[Any]]]:
        """Lists of rows, whole, those of about the same length together."""
        self.add([text for several in rows for row in several for text in texts_of(row)])
        for start in range(0, len(rows), 16_384):
            some = rows[start : start + 16_384]
            longest = [max(self.length(texts_of(row)) for row in several) for several in some]
            group: list[list[Any]] = []
            count = 0
            for k in sorted(range(len(some)), key=lambda k: longest[k]):
                more = count + len(some[k])
                if group and (more > ROWS_A_BATCH or more * longest[k] > TOKENS_A_BATCH):
                    yield group
                    group, more = [], len(some[k])
                group.append(some[k])
                count = more
            yield group

    def groups(self, rows: Sequence[Any], texts_of: Callable[[Any], tuple[str, ...]]) -> Iterator[list[Any]]:
        """Rows of about the same length together."""
        self.add([text for row in rows for text in texts_of(row)])
        for start in range(0, len(rows), 16_384):
            lengths = [(self.length(texts_of(row)), k) for k, row in enumerate(rows[start : start + 16_384], start)]
            group: list[Any] = []
            for longest, k in sorted(lengths):
                if group and (len(group) >= ROWS_A_BATCH or (len(group) + 1) * longest > TOKENS_A_BATCH):
                    yield group
                    group = []
                group.append(rows[k])
            yield group


class Epochs:
    """The batches of every epoch."""

    def __init__(
        self,
        data: examples.Data,
        distance: examples.Distance,
        encoded: Encoded,
        tasks: Sequence[str],
        seed: int,
        negatives: float,
        text_repeats: int,
        pairs: examples.Taught | None,
        answers: examples.Taught | None,
        texts: examples.TaughtTexts | None,
        vectors: examples.TaughtVectors | None,
    ) -> None:
        self._data, self._distance, self._encoded = data, distance, encoded
        self._tasks, self._seed, self._negatives, self._text_repeats = tasks, seed, negatives, text_repeats
        self._pairs, self._answers, self._texts, self._vectors = pairs, answers, texts, vectors

    def run(self, count: int) -> Iterator[Iterator[Batch]]:
        """The epochs in order; each is made by a process of its own, all of them at once."""
        fork = multiprocessing.get_context("fork")
        queues = [fork.Queue(WAITING_MAX) for _ in range(count)]
        makers = [
            fork.Process(target=self._make, args=(number, queue), daemon=True) for number, queue in enumerate(queues)
        ]
        for maker in makers:
            maker.start()
        for queue in queues:
            yield iter(queue.get, None)

    def _make(self, number: int, queue: Any) -> None:
        chance = random.Random(f"{self._seed}/{number}")
        drawn = self._drawn(chance)
        for task, rows in drawn:
            queue.put((task, getattr(self, f"_{task}_arrays")(rows) | {"batches": np.array(len(drawn))}))
        queue.put(None)

    def _drawn(self, chance: random.Random) -> list[tuple[str, list[Any]]]:
        """Groups of rows of every task, mixed."""
        groups, encoded = [], self._encoded
        if "relation" in self._tasks:
            pairs = examples.relation_examples(self._data, self._distance, chance, self._negatives, self._pairs)
            if self._pairs is not None:
                unlabelled = examples.unlabelled_pairs(self._data, random.Random(0))
                pairs += [examples.Pair(*pair, allowed=(), written=pair) for pair in unlabelled]
                chance.shuffle(pairs)
            groups += [("relation", some) for some in encoded.groups(pairs, lambda p: (p.older, p.newer))]
        if "answers" in self._tasks:
            answers = examples.answer_examples(self._data, self._distance, chance, self._answers)
            groups += [("answers", some) for some in encoded.lists(answers, lambda a: (a.question, a.memory))]
        if "texts" in self._tasks:
            texts = examples.text_examples(self._data, chance, self._text_repeats, self._texts)
            groups += [("texts", some) for some in encoded.groups(texts, lambda t: (t.text,))]
        if "vectors" in self._tasks:
            groups += [("vectors", some) for some in self._vector_groups(examples.vector_examples(self._data, chance))]
        chance.shuffle(groups)
        return groups

    def _vector_groups(self, lists: list[list[tuple[str, str]]]) -> Iterator[list[tuple[str, str]]]:
        """Whole lists of a row together, only of texts that the teacher has read."""
        assert self._vectors is not None
        group: list[tuple[str, str]] = []
        for own in lists:
            group += [(one, other) for one, other in own if one in self._vectors and other in self._vectors]
            if len(group) >= VECTOR_ROWS:
                yield group[:VECTOR_ROWS]
                group = []

    def _relation_arrays(self, rows: list[examples.Pair]) -> Arrays:
        """What may be right (0 or minus infinity), what teachers say, and how much of the loss is theirs."""
        forbidden = np.full((len(rows), len(examples.RELATIONS)), -np.inf, dtype=np.float32)
        said = np.zeros((len(rows), len(examples.RELATIONS)), dtype=np.float32)
        trust = np.zeros(len(rows), dtype=np.float32)
        for number, pair in enumerate(rows):
            forbidden[number, list(pair.allowed) or slice(None)] = 0.0
            row = self._pairs.of(pair.written) if self._pairs is not None else None
            if row is not None:
                said[number], trust[number] = row, 0.6 if pair.allowed else 1.0
        tokens = self._encoded.arrays([(pair.older, pair.newer) for pair in rows])
        return tokens | {"allowed": forbidden, "said": said, "trust": trust}

    def _answers_arrays(self, lists: list[list[examples.Answer]]) -> Arrays:
        """The label, or what teachers say, or half of each; and which rows are of one question."""
        rows = [one for several in lists for one in several]
        targets = np.zeros((len(rows), 1), dtype=np.float32)
        for number, one in enumerate(rows):
            row = self._answers.of((one.question, one.memory)) if self._answers is not None else None
            own = one.answers if one.answers is not None else 0.0
            share = 0.0 if row is None else 0.5 if one.answers is not None else 1.0
            targets[number] = own if row is None else (1 - share) * own + share * float(row[0])
        list_of = np.repeat(np.arange(len(lists)), [len(several) for several in lists])
        compared = [number for number, several in enumerate(lists) if len(several) > 1]
        members = list_of[None, :] == np.array(compared, dtype=int)[:, None]
        tokens = self._encoded.arrays([(one.question, one.memory) for one in rows])
        return tokens | {"answers": targets, "members": members}

    def _vectors_arrays(self, pairs: list[tuple[str, str]]) -> Arrays:
        """Both texts of each pair, what the teacher makes of them, and which others are right too."""
        assert self._vectors is not None
        ones, others = [one for one, _ in pairs], [other for _, other in pairs]
        right = set(pairs)
        also = np.array([[(one, other) in right or one == other for other in others] for one in ones])
        np.fill_diagonal(also, False)
        self._encoded.add([*ones, *others])
        tokens = self._encoded.arrays([(text,) for text in (*ones, *others)])
        return tokens | {"also": also, "teacher": self._vectors.of([*ones, *others])}

    def _texts_arrays(self, rows: list[examples.Text]) -> Arrays:
        tokens = self._encoded.arrays([(one.text,) for one in rows])
        numbers = {
            name: np.array([getattr(one, name) for one in rows], dtype=np.int64) for name in examples.TEXT_READINGS
        }
        said = np.zeros((len(rows), sum(examples.TEXT_READINGS.values())), dtype=np.float32)
        trust = np.zeros(len(rows), dtype=np.float32)
        for number, one in enumerate(rows):
            row = self._texts.of(one.text) if self._texts is not None else None
            if row is not None:
                said[number], trust[number] = row, 1.0 if one.kind == examples.UNKNOWN else 0.6
        return tokens | numbers | {"said": said, "trust": trust}
