"""What is folded does not depend on how many lines are taken together."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from cockpit.formats.facts import MOMENTS, Fold
from tests.examples import examples

times = st.one_of(
    st.integers(0, 59).map(lambda second: f"2026-09-11T00:00:{second:02}Z"),
    st.sampled_from(
        ["2026-13-11T00:00:00Z", "2026-09-11T00:00:60Z", "2026-09-11T02:00:09+02:00", "x", "", "9|9", None]
    ),
)
lines = st.builds(
    lambda ts, event, session, task: (
        json.dumps({"ts": ts, "event": event, "session": session, "task_id": task, "session_id": "s-1"}).encode()
        + b"\n"
    ),
    times,
    st.sampled_from(["session.started", "session.closed", "session.recovered", "task.checkpoint", "x"]),
    st.sampled_from(["s-1", "s-1", "s-1", "s-2", "", None]),
    st.sampled_from(["t-1", "t-2", "", None]),
)


@given(st.lists(lines, max_size=3 * MOMENTS), st.lists(st.integers(0, 3 * MOMENTS), max_size=3))
@examples(300)
def test_lines_taken_together_are_lines_taken_one_by_one(written: list[bytes], cuts: list[int]) -> None:
    one_by_one, together = Fold({}), Fold({})
    for line in written:
        one_by_one.take(line)
    ends = [*sorted(cuts), len(written)]
    for start, end in zip([0, *ends], ends, strict=False):
        together.take(b"".join(written[start:end]))
    assert together.episodes == one_by_one.episodes
    for fold in (together, one_by_one):
        assert (fold.events, fold.torn) == (len(written), 0)


def test_what_a_fold_begins_with_is_not_changed_by_it() -> None:
    began = Fold({})
    began.take(b'{"ts":"2026-09-11T00:00:00Z","event":"x","session":"s-1","task_id":"t-1"}\n')
    before = began.episodes
    after = Fold(before)
    after.take(b'{"ts":"2026-09-11T00:00:01Z","event":"y","session":"s-1","task_id":"t-2"}\n')
    assert (before["s-1"].events, list(before["s-1"].tasks), len(before["s-1"].moments)) == (1, ["t-1"], 1)
    assert (after.episodes["s-1"].events, list(after.episodes["s-1"].tasks)) == (2, ["t-1", "t-2"])
