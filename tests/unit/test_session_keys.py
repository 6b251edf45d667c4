"""Keys that tell who stands beside whom: turns of one session follow each other, and nothing else comes near them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ebbing.domain.memory import Memory, Source
from ebbing.ports import REACH
from ebbing.store.session_keys import OPEN_MAX, ROOM, Turn, keyed
from tests.store.making import memory


class Places:
    """A counter that others take from too."""

    def __init__(self) -> None:
        self.next = 1
        self.asked = 0

    def take(self, count: int) -> int:
        self.asked += 1
        self.next += count
        return self.next - count


def said(*sessions: str | None) -> list[Memory]:
    return [memory(source=Source("user", session=session)) for session in sessions]


def keys_of(
    several: Sequence[Memory], under_way: tuple[Turn, ...], places: Places
) -> tuple[list[int], tuple[Turn, ...]]:
    keys, after = keyed(several, under_way, places.take)
    return [keys[one.id] for one in several], after


def test_what_is_said_next_in_a_session_has_the_next_odd_key() -> None:
    """Together or one by one."""
    places = Places()
    first, under_way = keys_of(said("s", "s"), (), places)
    second, _ = keys_of(said("s"), under_way, places)
    keys = first + second
    assert [key % 2 for key in keys] == [1, 1, 1]
    assert [later - key for key, later in pairwise(keys)] == [2, 2]
    assert places.asked == 1, "the second time there was room"


def test_what_is_said_in_no_session_has_an_even_key() -> None:
    """And costs one place."""
    places = Places()
    keys, under_way = keys_of(said(None, None, None), (), places)
    assert [key % 2 for key in keys] == [0, 0, 0]
    assert (places.next, under_way) == (4, ())


def test_sessions_that_take_turns_each_go_on_where_they_were() -> None:
    """Two agents of one owner talk at the same time."""
    places, under_way = Places(), ()
    told: dict[str, list[int]] = {"a": [], "b": []}
    for _ in range(5):
        for session in told:
            keys, under_way = keys_of(said(session), under_way, places)
            told[session] += keys
    for keys in told.values():
        assert keys == list(range(keys[0], keys[0] + 10, 2))


def test_a_session_outgrows_its_room_without_a_gap_when_nobody_wrote_in_between() -> None:
    """And with one when somebody did, which is no neighbour."""
    places, under_way = Places(), ()
    keys: list[int] = []
    for _ in range(3 * ROOM):
        more, under_way = keys_of(said("s"), under_way, places)
        keys += more
    assert keys == list(range(keys[0], keys[0] + 6 * ROOM, 2))
    places.take(7)
    while keys[-1] - keys[-2] == 2:
        more, under_way = keys_of(said("s"), under_way, places)
        keys += more
    assert keys[-1] - keys[-2] > 2 * REACH


def test_the_same_session_name_of_two_agents_is_two_sessions() -> None:
    """Agents count their sessions each for itself."""
    ours = memory(source=Source("user", session="1"), agent="scout")
    theirs = memory(source=Source("user", session="1"), agent="other")
    keys, _ = keys_of([ours, theirs], (), Places())
    assert abs(keys[0] - keys[1]) > 2 * REACH


sessions = st.lists(st.sampled_from([None, "a", "b", "c", "d", "e", "f"]), min_size=1, max_size=ROOM * 2)


@given(st.lists(sessions, max_size=12), st.lists(st.integers(0, 3), min_size=12, max_size=12))
def test_no_key_is_given_twice_and_only_one_session_is_near_another_turn(
    batches: list[list[str | None]], others: list[int]
) -> None:
    """Whatever is written in whatever order, with others writing in between."""
    places, under_way = Places(), ()
    owners: dict[int, str | None] = {}
    order: list[int] = []
    for batch, other in zip(batches, others, strict=False):
        keys, under_way = keys_of(said(*batch), under_way, places)
        assert not owners.keys() & set(keys)
        owners |= dict(zip(keys, batch, strict=True))
        order += keys
        places.take(other)
        assert len(under_way) <= OPEN_MAX
    assert len(set(order)) == len(order)
    assert all(key // 2 < places.next for key in order)
    for key, session in owners.items():
        near = {owners[key + 2 * steps] for steps in range(-REACH, REACH + 1) if key + 2 * steps in owners}
        assert session is None or near == {session}
    for session in {session for session in owners.values() if session is not None}:
        mine = [key for key in order if owners[key] == session]
        assert mine == sorted(mine), "what was said later has the larger key"
