"""Names of letters: long ones, ones that no line can hold, and paths that lead to a letter or to none."""

from __future__ import annotations

import os

from tests.builders import Scene
from tests.handoffs.letters import ARCHIVE, DAY, LIVE, letter, live
from tests.handoffs.running import handoff

LONGEST = f"HANDOFF-{DAY}-{'n' * 233}.md"


# ---------------------------------------------------------------------- long ones
def test_a_letter_with_the_longest_name_there_is_is_consumed_whole(scene: Scene) -> None:
    assert len(LONGEST) == 255
    live(scene, letter(), LONGEST)
    ran = handoff(scene, "consume", f"{LIVE}/{LONGEST}")
    assert (ran.exit_code, ran.stderr, os.listdir(scene.root / LIVE)) == (0, "", [])
    assert sorted(os.listdir(scene.root / ARCHIVE)) == [LONGEST, "INDEX.md"]
    assert handoff(scene, "check").exit_code == 0
