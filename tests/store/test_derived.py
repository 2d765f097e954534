"""What is worked out from the parts of a checkout is worked out again where one of them is another object."""

from __future__ import annotations

import pytest

from cockpit.store.derived import Derived


@pytest.fixture
def worked() -> list[list[int]]:
    """What was worked on, in turn."""
    return []


def test_the_same_objects_are_not_worked_on_again(worked: list[list[int]]) -> None:
    derived, given = Derived(), [1]
    results = [derived.of(worked.append, given) for _ in range(3)]
    assert (results, worked) == ([None] * 3, [[1]])


def test_an_equal_object_that_is_another_one_is_worked_on(worked: list[list[int]]) -> None:
    derived = Derived()
    for _ in range(2):
        derived.of(worked.append, [1])
    assert worked == [[1], [1]]


def test_two_functions_of_one_object_are_kept_apart() -> None:
    derived, given = Derived(), [2, 1]
    assert [(derived.of(sorted, given), derived.of(len, given)) for _ in range(2)] == [([1, 2], 2)] * 2


def test_a_failure_is_no_result() -> None:
    derived, given = Derived(), ["x"]
    for _ in range(2):
        with pytest.raises(ValueError, match="could not convert"):
            derived.of(_number, given)


def _number(given: list[str]) -> float:
    return float(given[0])
