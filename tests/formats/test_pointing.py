"""A doubt counts as a pointer: a name anywhere, a folder, a pattern."""

from __future__ import annotations

import pytest
from hypothesis import given

from cockpit.formats.pointing import Pointers
from tests.examples import examples, soup

RUN = ".agent-run/r-1"
PATH = f"{RUN}/scratch/plan.txt"


@pytest.mark.parametrize(
    "text",
    [
        "see `plan.txt`",
        "plan.txt.",
        "(scratch/plan.txt:12)",
        f"/home/mara/src/{PATH}",
        "**plan.txt** and _plan.txt_",
        "--plan=plan.txt",
        f"all of {RUN}/ is needed",
        f"all of {RUN}.",
        f"everything in {RUN}/scratch",
        f"cat {RUN}/scratch/*",
        "rm **/*.txt",
        "rm ***/scratch/****.txt",
        "rm **/pl?n.[a-z]*",
    ],
)
def test_what_names_it_points_at_it(text: str) -> None:
    assert Pointers("docs/a.md", text).lead_to(PATH, RUN)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a plan, and txt",
        "my-plan.txt",
        "plan.txt2 replan.txt",
        f"{RUN}/synthesis.md",
        f"{RUN}0/ and x{RUN}",
        f"{RUN}/scratch-2/ and {RUN}/scratch/other.txt",
        "runs lie in .agent-run/",
        "**bold** and src/*.py",
        "the folder scratch/ of another place",
        "scratch",
        "/* a comment */ int a; /** another **/",
        "[a-z]*/[a-z./]*",
        f"a*b/c*{'x' * 600}*",
    ],
)
def test_what_names_something_else_does_not(text: str) -> None:
    assert not Pointers("docs/a.md", text).lead_to(PATH, RUN)


def test_a_document_of_the_run_names_its_folders_as_it_sees_them() -> None:
    assert Pointers(f"{RUN}/synthesis.md", "details in scratch/").lead_to(PATH, RUN)


def test_a_name_with_a_space_is_found_as_it_is_and_as_it_is_linked() -> None:
    path = f"{RUN}/my plan.txt"
    assert Pointers("a.md", "see my plan.txt").lead_to(path, RUN)
    assert Pointers("a.md", "[it](my%20plan.txt)").lead_to(path, RUN)
    assert not Pointers("a.md", "my, plan.txt").lead_to(path, RUN)


@examples(200)
@given(soup, soup)
def test_no_text_and_no_name_is_too_odd(text: str, name: str) -> None:
    path = f"{RUN}/{name.replace('/', '-').strip() or 'x'}"
    assert Pointers("a.md", f"{text} {path}").lead_to(path, RUN)
