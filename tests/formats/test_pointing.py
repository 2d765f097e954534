"""A doubt counts as a pointer: a name anywhere, a folder, a pattern."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given

from cockpit.formats import pointing
from cockpit.formats.pointing import Sought
from tests.examples import examples, soup

RUN = ".agent-run/r-1"
PATH = f"{RUN}/scratch/plan.txt"


def points(text: str, path: str = PATH, at: str = "docs/a.md") -> bool:
    """Whether a text that lies ``at`` points at a file; it makes no difference whether others are sought with it."""
    alone = Sought({path: RUN}).named_by(text, at)
    others = {f"{RUN}-{number}/x{number}.dat": f"{RUN}-{number}" for number in range(100)}
    assert Sought(others | {path: RUN}).named_by(text, at) & {path} == alone
    return bool(alone)


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
        f"all of {RUN}/scratch/*, or {RUN}/x",
        "rm ***/scratch/****.txt",
        "rm **/pl?n.[a-z]*",
    ],
)
def test_what_names_it_points_at_it(text: str) -> None:
    assert points(text)


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
    assert not points(text)


def test_a_document_of_the_run_names_its_folders_as_it_sees_them() -> None:
    assert points("details in scratch/", at=f"{RUN}/synthesis.md")


def test_a_name_with_a_space_is_found_as_it_is_and_as_it_is_linked() -> None:
    path = f"{RUN}/my plan.txt"
    assert points("see my plan.txt", path)
    assert points("[it](my%20plan.txt)", path)
    assert not points("my, plan.txt", path)


@examples(200)
@given(soup, soup)
def test_no_text_and_no_name_is_too_odd(text: str, name: str) -> None:
    path = f"{RUN}/{name.replace('/', '-').strip() or 'x'}"
    assert points(f"{text} {path}", path)


@pytest.mark.parametrize("before", [0, 1, 5, 50, 90, 101, 150])
@pytest.mark.parametrize("named", ["plan.txt", RUN, "scratch/*.txt"])
def test_a_large_text_is_searched_across_its_blocks(monkeypatch: pytest.MonkeyPatch, named: str, before: int) -> None:
    monkeypatch.setattr(pointing, "_BLOCK", 100)
    monkeypatch.setattr(pointing, "_LAP", 30)
    assert points(f"{'x ' * (before // 2)}{' ' * (before % 2)}{named} {'y ' * 60}")
    assert not points(f"{'x ' * (before // 2)}{' ' * (before % 2)}{'y ' * 60}")


def test_every_file_is_told_from_the_others() -> None:
    files = {f"{RUN}/{name}": RUN for name in ("a.txt", "b.txt", "s/a.txt", "s/d d", "t/e")}
    assert Sought(files).named_by("a.txt and t/*, `d%20d`", "x.md") == files.keys() - {f"{RUN}/b.txt"}


def test_what_is_held_beside_a_large_text_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pointing, "_BLOCK", 1 << 16)
    text = " ".join(f"word-{number}" for number in range(200_000))
    tracemalloc.start()
    try:
        assert Sought({PATH: RUN, f"{RUN}/word-199999": RUN}).named_by(text, "a.md") == {f"{RUN}/word-199999"}
        assert tracemalloc.get_traced_memory()[1] < len(text)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (r"see plan\_a.txt", "plan_a.txt"),
        ("[x](plan%402.txt)", "plan@2.txt"),
        ("[x](a%2Bb.txt)", "a+b.txt"),
        ("[x](r%c3%a9.txt) ", "r\u00e9.txt"),
        ("a%2540b.txt", "a%40b.txt"),
        ('<a href="a&amp;b.txt">', "a&b.txt"),
        ("a&#38;b.txt &#x26", "a&b.txt"),
        (r'{"a": "r\u00e9.txt"}', "r\u00e9.txt"),
        (r'{"a": "\ud83d\ude00.txt"}', "\U0001f600.txt"),
        (r'{"a": "see\nplan.txt"}', "plan.txt"),
        (r'"r\303\251.txt"', "r\u00e9.txt"),
        ("r\u00e9sum\u00e9.txt", "re\u0301sume\u0301.txt"),
        ("re\u0301sume\u0301.txt", "r\u00e9sum\u00e9.txt"),
        ("r\udce9.txt", "r\u00e9.txt"),
        ("x%FF.txt", "x\udcff.txt"),
        (r"*plan\_a-\*.txt*", "plan_a-1.txt"),
        (f"{RUN.replace('-', '%2D')}/out%2F", "out/x"),
        (rf"{RUN}/o\_ut/", "o_ut/x"),
        (r".agent-run\r-1\out\\", "out/x"),
        (f"<{RUN}/./out/>", "out/x"),
        (f"<{RUN}//r\u00e9>", "re\u0301/x"),
    ],
)
def test_a_name_or_a_folder_is_found_however_it_is_spelt(text: str, name: str) -> None:
    assert points(text, f"{RUN}/{name}")


@pytest.mark.parametrize("text", ["&" + "#1" * 5000, "\\" * 5000, "%" * 5000, r"\ud800 \udc00", "a&#99999999;"])
def test_broken_escapes_name_nothing(text: str) -> None:
    assert not points(text)
