"""A text is found however it is spelt, in time that grows with its length alone."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cockpit.formats.spellings import spellings


@pytest.mark.parametrize(
    ("spelt", "meant"),
    [
        (r"plan\_a.txt", "plan_a.txt"),
        ("a&amp;b.txt", "a&b.txt"),
        ("r%c3%a9.txt", "ré.txt"),
        (r"r\u00e9.txt", "ré.txt"),
        (r"r\303\251.txt", "ré.txt"),
        ("re\u0301.txt", "ré.txt"),
        (r"a\\b\c.txt", "a/b/c.txt"),
        ("a//./b.txt", "a/b.txt"),
    ],
)
def test_what_is_meant_is_among_the_spellings(spelt: str, meant: str) -> None:
    found = spellings(spelt)
    assert found[0] == spelt
    assert meant in found


@pytest.mark.parametrize("piece", ["\\", "\\u", "\\0", "/.", "&", "&#", "%", "\u0301", "\\\\n"])
def test_a_mebibyte_of_one_thing_is_no_work_for_a_minute(piece: str) -> None:
    program = f"from cockpit.formats.spellings import spellings; spellings({piece!r} * ((1 << 20) // {len(piece)}))"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
