"""Names that sort by the time they were made, whoever makes them and in whatever order."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from ebbing.domain.ids import new_id

NOW = datetime(2026, 1, 1, 9, tzinfo=UTC)
instants = st.datetimes(datetime(1970, 1, 1), datetime(8999, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001 - with zone


@given(instants, instants)
def test_ids_sort_as_the_milliseconds_they_were_made_in(one: datetime, other: datetime) -> None:
    """Whatever order the clock came in."""
    first, second = sorted((one, other))
    if second - first >= timedelta(milliseconds=1):
        later, earlier = new_id(second), new_id(first)
        assert earlier < later


def test_ids_of_one_instant_sort_in_the_order_of_making() -> None:
    """A frozen clock makes thousands in one millisecond."""
    made = [new_id(NOW) for _ in range(5000)]
    assert made == sorted(made)
    assert len(set(made)) == len(made)


def test_two_clocks_in_one_process_do_not_disturb_each_other() -> None:
    """Two engines on frozen clocks take turns, and each still counts upwards."""
    other = NOW + timedelta(days=1)
    turns = [(new_id(NOW), new_id(other)) for _ in range(500)]
    for made in zip(*turns, strict=True):
        assert list(made) == sorted(made)


def test_threads_never_make_the_same_id_and_each_counts_upwards() -> None:
    """One maker for the whole process, behind a lock."""
    made: list[list[str]] = [[] for _ in range(8)]
    start = threading.Barrier(len(made))

    def make(into: list[str]) -> None:
        start.wait()
        into.extend(new_id(NOW) for _ in range(1000))

    threads = [threading.Thread(target=make, args=(into,)) for into in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id_ for ids in made for id_ in ids}) == 8000
    assert all(ids == sorted(ids) for ids in made)


@given(instants)
def test_an_id_is_26_letters_and_digits_that_nobody_confuses(now: datetime) -> None:
    """Crockford's alphabet: no i, l, o or u; plain in any address, file name or query."""
    made = new_id(now)
    assert len(made) == 26
    assert set(made) <= set("0123456789abcdefghjkmnpqrstvwxyz")


def test_the_time_can_be_read_from_an_id() -> None:
    """The first ten characters are the milliseconds, so that ids of different processes sort together."""
    digits = "0123456789abcdefghjkmnpqrstvwxyz"
    milliseconds = 0
    for letter in new_id(NOW)[:10]:
        milliseconds = milliseconds * 32 + digits.index(letter)
    assert milliseconds == 1_767_258_000_000
