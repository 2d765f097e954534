"""Which concepts may be retired, and what the two files hold then."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from cockpit.formats import retirement
from cockpit.formats.jsontext import NoJson

TODAY = date(2026, 9, 1)


def concept(number: int, **more: Any) -> dict[str, Any]:
    return {"name": f"c{number}", "box": 3, "lastReviewed": "2026-08-01", "ease": 2.5, **more}


def review(*special: dict[str, Any], filler: int = 200) -> str:
    return json.dumps({"version": 3, "concepts": [*special, *map(concept, range(filler))], "x": [1.50]}, indent=1)


OLD = concept(900, box=1, lastReviewed="2026-01-01", unknown={"kept": None})


@pytest.mark.parametrize(("filler", "expected"), [(199, 0), (200, 1)])
def test_only_more_than_two_hundred_concepts_are_too_many(filler: int, expected: int) -> None:
    assert retirement.suggestion(review(OLD, filler=filler), TODAY) == (filler + 1, expected)


@pytest.mark.parametrize(
    ("fields", "may_go"),
    [
        ({"box": 1, "lastReviewed": "2026-03-04"}, True),
        ({"box": 1, "lastReviewed": "2026-03-05"}, False),
        ({"box": 1, "lastReviewed": "2026-03-04T12:00:00Z"}, True),
        ({"box": 2, "lastReviewed": "2020-01-01"}, False),
        ({"box": "1", "lastReviewed": "2020-01-01"}, False),
        ({"box": True, "lastReviewed": "2020-01-01"}, False),
        ({"box": 1, "lastReviewed": None}, False),
        ({"box": 1, "lastReviewed": "long ago"}, False),
    ],
)
def test_a_concept_may_go_that_is_in_box_one_and_older_than_180_days(fields: dict[str, Any], may_go: bool) -> None:
    assert retirement.suggestion(review(concept(900, **fields)), TODAY)[1] == may_go


def test_what_moves_is_the_very_text_and_the_rest_stays_byte_for_byte() -> None:
    text = review(OLD)
    plan = retirement.retirement(text, "", TODAY)
    assert plan.names == ("c900",)
    assert json.loads(plan.retired) == {"concepts": [OLD]}
    written = text[text.index("{", 2) : text.index("}", text.index("unknown") + 30)]
    assert written in plan.retired
    assert len(plan.remaining) < len(text)
    assert plan.remaining.endswith(text[-40:])


def test_a_killed_run_leaves_a_double_that_the_next_one_resolves() -> None:
    text = review(OLD, concept(901, box=1, lastReviewed="2026-01-02"))
    whole = retirement.retirement(text, "", TODAY)
    again = retirement.retirement(text, whole.retired, TODAY)
    assert (again.retired, again.remaining) == (whole.retired, whole.remaining)
    rest = retirement.retirement(whole.remaining, whole.retired, TODAY)
    assert rest.names == ()
    assert (rest.retired, rest.remaining) == (whole.retired, whole.remaining)


def test_a_concept_of_the_same_name_and_other_content_is_another_one() -> None:
    known = json.dumps({"concepts": [{"name": "c900", "box": 2}]})
    plan = retirement.retirement(review(OLD), known, TODAY)
    assert len(json.loads(plan.retired)["concepts"]) == 2


@pytest.mark.parametrize("text", ["[]", "{}", '{"concepts": 3}', "{"])
def test_what_is_no_review_is_said_so(text: str) -> None:
    with pytest.raises(NoJson):
        retirement.suggestion(text, TODAY)
