"""A JSON text is cut and grown without another byte of it moving."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cockpit.formats import jsontext
from cockpit.formats.jsontext import NoJson
from tests.examples import examples

VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=6)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=8,
)


@examples(300)
@given(st.lists(VALUES, max_size=6), st.data(), st.sampled_from([None, 1, 4]))
def test_what_is_left_of_an_array_are_the_other_elements(
    values: list[object], data: st.DataObject, indent: int | None
) -> None:
    text = json.dumps({"concepts": values, "n": 1.0}, indent=indent)
    gone = {place for place in range(len(values)) if data.draw(st.booleans())}
    array = jsontext.member(text, "concepts")
    assert array
    parts = jsontext.elements(text, array.value_start)
    left = json.loads(jsontext.without(text, parts, gone))
    assert left == {"concepts": [value for place, value in enumerate(values) if place not in gone], "n": 1.0}


@examples(300)
@given(st.lists(VALUES, max_size=4), st.lists(VALUES, max_size=3), st.sampled_from([None, 2]))
def test_what_is_put_at_the_end_is_there_as_it_was_written(
    values: list[object], more: list[object], indent: int | None
) -> None:
    text = json.dumps({"a": 0, "concepts": values}, indent=indent)
    array = jsontext.member(text, "concepts")
    assert array
    grown = jsontext.appended(text, array, [json.dumps(value) for value in more])
    assert json.loads(grown) == {"a": 0, "concepts": [*values, *more]}


def test_numbers_stay_as_they_were_written() -> None:
    text = '{"concepts": [ {"ease": 2.50, "n": 1E2, "id": 12345678901234567890123}, {"box": 1.0} ]}'
    array = jsontext.member(text, "concepts")
    assert array
    parts = jsontext.elements(text, array.value_start)
    assert (
        jsontext.without(text, parts, {1})
        == '{"concepts": [ {"ease": 2.50, "n": 1E2, "id": 12345678901234567890123} ]}'
    )


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"a"}', '{"a": 1 "b": 2}', '{"a": }', "{1: 2}", "nonsense", "[" * 100_000]
)
def test_what_is_no_object_is_said_so(text: str) -> None:
    with pytest.raises(NoJson):
        jsontext.members(text)


def test_the_last_of_two_members_of_one_name_counts() -> None:
    found = jsontext.member('{"a": 1, "a": 2}', "a")
    assert found
    assert found.value == 2
