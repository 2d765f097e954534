"""Live documents as people write them: generated ones, a repository that declares one, and three months of a project."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

from hypothesis import strategies as st

from cockpit.formats import livedoc
from cockpit.formats.surfaces import Surface

TITLE = "Summary of earlier sessions"
LIVE, ARCHIVE = "docs/progress.md", "docs/archive"


def surface(root: Path, data: bytes | None = None, name: str = "sessions") -> Surface:
    """The surface ``docs/progress.md`` below a folder, with its live document where one is given."""
    if data is not None:
        (root / "docs").mkdir(parents=True, exist_ok=True)
        (root / LIVE).write_bytes(data)
    return Surface(str(root), name, LIVE, ARCHIVE, f"Summary of earlier {name}")


def declare(root: Path, *surfaces: tuple[str, str, str]) -> None:
    """Write a layer whose policy names surfaces, each as name, live document and archive."""
    (root / ".ai/repo").mkdir(parents=True, exist_ok=True)
    (root / ".ai/manifest.yaml").write_text("sections:\n  policy: repo/policy.yaml\n")
    entries = "".join(f"  - name: {n}\n    live: {live}\n    archive: {archive}\n" for n, live, archive in surfaces)
    (root / ".ai/repo/policy.yaml").write_text(f"version: 1\n\nsurfaces:\n{entries}")


def tree(root: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path."""
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def stamps(root: Path) -> dict[str, tuple[int, int]]:
    """The inode and the time of every file below a folder."""
    return {str(p.relative_to(root)): (p.stat().st_ino, p.stat().st_mtime_ns) for p in root.rglob("*") if p.is_file()}


# ---------------------------------------------------------------------- generated
WORDS = st.sampled_from(
    [
        "Outcome: it works",
        "**Key insights:** a lifetime is a region",
        "- an item",
        "  that is wrapped",
        "> ## 2020-01-01 quoted",
        "| a | b |",
        "|---|---|",
        "### 2020-02-02 deeper",
        "→ archive/2020-01-01.md is not a pointer here",
        "text with – dashes — of all kinds ‑ and a 😀",
        "a line of \udcff\udcfe no UTF-8",
        "    ## 2020-03-03 indented code",
        "## 2020-02-30 no such day",
        "",
        "",
        "---x",
    ]
)
FENCES = st.sampled_from(
    [
        ["```", "## 2019-01-01 in a fence", "---", "```"],
        ["~~~~ md", "```", "## 2019-01-02 in a longer one", "~~~~"],
        ["<!--", "## 2019-01-03 in a comment", "-->"],
    ]
)
HAND = st.sampled_from(
    ["- written by hand", "Before all this there was a plan.", "- **2018-01-01** no pointer", "  indented", ""]
)


@st.composite
def documents(draw: st.DrawFn, *, most: int = 6) -> bytes:
    """A live document in which anything may stand; no two of its entries are the same."""
    numbers = iter(range(10_000))
    parts = [draw(st.sampled_from([[], ["---", "title: x", "---"], ["# Log", ""], ["# Log", "", "| a |", "|---|"]]))]
    middle = draw(st.lists(st.one_of(_entries(numbers), _others()), max_size=most + 3))
    place = draw(st.integers(0, len(middle) + 2))
    if place <= len(middle):
        middle.insert(place, draw(_summaries()))
    lines = [line for part in [*parts, *middle] for line in part]
    lines += draw(st.sampled_from([[], [], [], ["```", "never closed"], ["<!-- never closed"]]))
    ending = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    data = livedoc.raw(ending.join(lines) + draw(st.sampled_from([ending, "", ending * 3])))
    return draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf"])) + data


@st.composite
def _entries(draw: st.DrawFn, numbers: Iterator[int]) -> list[str]:
    day = draw(st.dates(date(2026, 1, 1), date(2026, 1, 9)))
    form = draw(
        st.sampled_from(
            ["## {d} — Session {n}", "## Session {n} ({d})", "##  {d}: {n} ##", "## {n} Phase 1 complete {d}"]
        )
    )
    body = draw(st.lists(st.one_of(WORDS.map(lambda line: [line]), FENCES), max_size=4))
    return [form.format(d=day, n=next(numbers)), *(line for part in body for line in part)]


def _others() -> st.SearchStrategy[list[str]]:
    return st.sampled_from(
        [
            ["---"],
            ["", "---", ""],
            ["## Notes", "", "kept"],
            ["## Session without a day", "kept"],
            ["# Another part", "kept"],
        ]
    )


@st.composite
def _summaries(draw: st.DrawFn) -> list[str]:
    head = draw(st.sampled_from([f"## {TITLE}", "## Summary of Earlier Work", "# Summary of earlier sessions"]))
    items = st.just(["- **2025-12-01 - Before**", "  → `archive/2025-12-01.md`"])
    body = draw(st.lists(st.one_of(HAND.map(lambda line: [line]), items), max_size=4))
    return [head, *(line for part in body for line in part)]


# ---------------------------------------------------------------------- three months of a project
def three_months(first: date = date(2026, 6, 1), days: int = 92) -> bytes:
    """A progress log as it grew from June to August, newest entry on top, with what else stands in such a file."""
    entries = [
        _session(first + timedelta(days=day), day) for day in range(days) if (first + timedelta(days=day)).weekday() < 5
    ]
    head = "---\ntopic: parcels\n---\n# Progress Log\n\n| module | state |\n|---|---|\n| prices | done |\n| returns | open |\n\n"
    return (head + "".join(reversed(entries)) + "---\n\n## Notes\n\nAsk the carrier for the tariff of 2027.\n").encode()


def _session(day: date, number: int) -> str:
    stone = " (Phase complete)" if number % 30 == 29 else ""
    return f"""## {day} — Session {number + 1}: {_THEMES[number % len(_THEMES)]}{stone}

**Duration:** two hours
**Activities:**
- read the tariff sheet of the carrier, and compared it with the table of prices
- wrote a test for each country that has its own rule of rounding

```sh
python -m pytest  # ## 2026-01-01 is no heading here
```

**Outcomes:**
- {_THEMES[number % len(_THEMES)]}: {number % 7 + 2} tests, all of them pass
- the rule of the country counts, and not that of the depot

**Key insights:** a price is whole cents everywhere; what is rounded twice is wrong twice
{"A second session of this day began where the first had ended." if number % 9 == 8 else ""}
**Next:** {_THEMES[(number + 1) % len(_THEMES)].lower()}

"""


_THEMES = (
    "Prices for three countries",
    "Round weights up before pricing",
    "Labels of forty characters",
    "Wrap a long address instead of cutting it",
    "The newest scan counts",
    "Returns: reasons and deadlines",
    "Slovakia in the price table",
    "Who pays the way back",
)
