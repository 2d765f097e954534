"""A pattern that fits a file points at it, however it is written; a word of code or of prose is no pattern."""

from __future__ import annotations

import pytest
from hypothesis import given

from cockpit.formats.path_patterns import patterns
from cockpit.formats.pointing import Sought
from tests.examples import examples, soup

RUN = ".agent-run/r-1"
PLAN = f"{RUN}/scratch/plan-1.txt"


def points(text: str, path: str = PLAN, run: str = RUN) -> bool:
    return bool(Sought({path: run}).named_by(text, "docs/a.md"))


@pytest.mark.parametrize(
    "text",
    [
        ".agent-run/**",
        ".agent-run/*",
        "./.agent-run/*/scratch/plan-1.t*",
        "../../.agent-run/*/scratch/*.txt",
        "/home/mara/src/.agent-run/*/scratch/*.txt",
        '"$ROOT"/.agent-run/*/scratch/*.txt',
        "--from=.agent-run/*/scratch/*.txt",
        ".agent-run/r-?/scratch/plan-?.txt",
        ".agent-run/r-[0-9]/scratch/plan-[0-9].txt",
        ".agent-run/r-[0-9]/",
        ".agent-run/*/{scratch,receipts}/{plan,notes}-1.txt",
        ".agent-run/*/scratch/{plan,notes}-{1..9}.txt",
        ".agent-run/*/scratch/{a,{plan,notes}-1}.txt",
        "{*.txt,*.log}",
        "*.{txt,log}",
        'f".agent-run/{run}/scratch/{name}.txt"',
        'cat "$dir/plan-$number.txt"',
        "find .agent-run -name 'plan-*.txt'",
        "find .agent-run -name 'plan-[0-9].txt' -print",
        'glob("*.txt")',
        "all of *.txt, and more.",
        "`plan-*`",
        "**plan-*.txt**",
    ],
)
def test_a_pattern_that_fits_points_at_it(text: str) -> None:
    assert points(text)


def test_the_other_folder_of_runs_is_known_to_patterns_too() -> None:
    assert points("cat ./.work/wf/*/plan-*.txt", ".work/wf/r-1/plan-1.txt", ".work/wf/r-1")


def test_a_pattern_fits_a_part_of_a_name_with_a_space() -> None:
    assert points(r"ls my\ plan-*.txt", f"{RUN}/my plan-1.txt")


@pytest.mark.parametrize(
    "text",
    [
        "*.trace",
        ".agent-run/s-?/**",
        "agent-run/*",
        "**The plan** is **bold**, and so is **p**",
        "char *t = (*p)->x; int **argv;",
        "names[0] and plan[i] and txt[1:]",
        "[plan](other.md)",
        'f"{name}.txt" "${name}.txt" "$a/$b.txt"',
        "is it so? why?",
        "{plan} {}",
        r"re.compile('.*')",
        "scratch*/x and plan-*.md",
        "*",
    ],
)
def test_what_fits_something_else_or_says_nothing_does_not(text: str) -> None:
    assert not points(text)


@examples(200)
@given(soup)
def test_no_text_is_too_odd(text: str) -> None:
    assert all("*" in each or "?" in each or "[" in each for each in patterns(f"{text}*{text}"))
