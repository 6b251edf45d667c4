"""What can go wrong, as one tree with codes."""

from __future__ import annotations

import copy
import pickle

import ebbing
from ebbing.domain import errors
from ebbing.domain.errors import EbbingError, InvalidPolicy
from tests.tables import each_row

TREE = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, EbbingError)]
CODES = {"error", "not_found", "invalid", "conflict", "denied", "unavailable", "too_large"}


@each_row("kind", TREE)
def test_every_error_is_of_one_tree_with_a_code_and_a_sentence_about_itself(kind: type[EbbingError]) -> None:
    """Catch the root for everything; the code is for machines."""
    assert kind.code in CODES
    assert kind.__doc__
    assert getattr(ebbing, kind.__name__) is kind


def test_every_code_of_the_spec_has_an_error() -> None:
    """The six there are, and the root's own, which is never raised by itself."""
    assert {kind.code for kind in TREE} == CODES


def test_the_tree_is_drawn_in_the_docstring() -> None:
    """Every error with its code stands in the picture."""
    picture = errors.__doc__ or ""
    for kind in TREE[1:]:
        [line] = [line for line in picture.splitlines() if f" {kind.__name__} " in line]
        assert f" {kind.code} " in line


@each_row("kind", [kind for kind in TREE if kind is not InvalidPolicy])
def test_an_error_survives_a_process_boundary(kind: type[EbbingError]) -> None:
    """Workers hand errors back pickled."""
    back = pickle.loads(pickle.dumps(kind("the sentence")))
    assert type(back) is kind
    assert str(back) == "the sentence"


def test_a_policy_with_faults_survives_a_process_boundary_with_all_of_them() -> None:
    """It is made from an origin and faults, not from its message."""
    error = InvalidPolicy("policy mine.toml", ["one", "two"])
    for back in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert isinstance(back, InvalidPolicy)
        assert (back.origin, back.faults, str(back)) == (error.origin, ("one", "two"), str(error))


def test_a_policy_error_counts_and_lists_its_faults() -> None:
    """One fault is one fault, two are two."""
    assert str(InvalidPolicy("policy p", ["a is wrong"])) == "policy p has 1 fault:\n  - a is wrong"
    assert str(InvalidPolicy("policy p", ["a", "b"])) == "policy p has 2 faults:\n  - a\n  - b"
