"""What is said of an entry in its summary: a headline and lines of the entry's own, by stated rules, nothing invented.

* The headline is the entry's heading without its date; where nothing is left, the entry's first line of text.
* The lines are those that the writer marked as an outcome or an insight: a line with such a label ("Outcome: …",
  "**Key insights:** …"), the items below a label that stands alone, and the items below a deeper heading with such
  a name. In the entry's order, at most three; a milestone may have more. Code and comments are passed over.
* A wrapped line is joined, white space becomes one space, and what is too long is cut at a word, which ``…`` says.
"""

from __future__ import annotations

import re

from cockpit.formats import livedoc

LINES = 3
MILESTONE_LINES = 18  # with the headline and the pointer that makes the twenty lines a milestone may take
HEADLINE = 96
LINE = 160

_NAMES = (
    r"outcomes?|results?|key (?:insights?|takeaways?|learnings?|outcomes?|moves?)|insights?|takeaways?"
    r"|learnings?|learned|lessons?(?: learned)?|decisions?|decided|breakthroughs?|milestones?"
    r"|(?:key )?bloom(?:['’]?s)?(?: level)?(?: (?:moves?|adjustments?|changes?|levels?))?"
)
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,9}[.)])\s+")
_LABEL = re.compile(
    rf"(?P<name>{_NAMES})\s*(?:\*\*|__|[*_])?\s*[:：]\s*(?:\*\*|__|[*_])?\s*(?P<rest>.*)", re.IGNORECASE
)
_BOLD_LABEL = re.compile(r"(?:\*\*|__)[^*_\n]{1,60}(?::(?:\*\*|__)|(?:\*\*|__)\s{0,3}:)")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(?P<title>.*)")
_NAMED = re.compile(rf"(?:{_NAMES})\b", re.IGNORECASE)
_MILESTONE = re.compile(
    r"\b(?:phase\b.*\bcompleted?|completed?\b.*\bphase|assessment|breakthrough|milestone)\b", re.IGNORECASE
)
_TIME = re.compile(r"^[T ]?\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)?(?!\d)")
_EMPTY = re.compile(r"[(\[{]\s*[)\]}]")
_EDGE = " \t-–—―‒‑:·|,;/~*_#>→"


def milestone(title: str) -> bool:
    """Whether a heading says that a phase is complete, an assessment was made or something broke through."""
    return bool(_MILESTONE.search(title[:500]))


def cut(words: str, limit: int) -> str:
    """``words`` in at most ``limit`` characters, cut at a word where there is one to cut at."""
    if len(words) <= limit:
        return words
    head = words[: limit - 1]
    kept = head if words[limit - 1] == " " else head.rpartition(" ")[0] or head
    return kept.rstrip(" ,;:-–—") + "…"


def clean(words: str) -> str:
    """One line without the marks that make it bold, a heading or a list item, and without white space at its edges."""
    return " ".join(words.replace("**", "").replace("__", "").split())


def headline(title: str, body: list[str]) -> str:
    """The headline of an entry; empty where the entry holds no word beside its date."""
    found = livedoc.dated(title)
    if found:
        start, end = found[1]
        title = f"{title[:start]} {_TIME.sub('', title[end:])}"
    said = clean(_EMPTY.sub("", title)).strip(_EDGE)
    if not said:
        said = next((words for kind, words in blocks(body) if kind != "heading" and re.search(r"\w", words)), "")
    return cut(clean(said), HEADLINE)


def lines(title: str, body: list[str]) -> list[str]:
    """The lines of outcome and insight of an entry."""
    limit = MILESTONE_LINES if milestone(title) else LINES
    found: list[str] = []
    inside = False
    previous = ""
    for kind, words in blocks(body):
        if kind == "heading":
            inside = bool(_NAMED.match(clean(words)))
        elif label := _LABEL.match(words.lstrip("*_")):
            inside = not label["rest"].strip("*_ ")
            if not inside:
                found.append(f"{label['name']}: {label['rest']}")
        elif inside and kind == "text" and previous == "item":
            inside = False
        elif inside:
            found.append(words)
        previous = kind
    told = [cut(clean(words), LINE) for words in found if re.search(r"\w", words)]
    return list(dict.fromkeys(told))[:limit]


def blocks(body: list[str]) -> list[tuple[str, str]]:
    """The headings, list items and paragraphs of a passage, each as a kind and its words, wrapped lines joined."""
    found: list[tuple[str, str]] = []
    open_block = False
    for line, code in zip(body, livedoc.hidden(body), strict=True):
        if code or not line.strip():
            open_block = False
        elif heading := _HEADING.match(line):
            found.append(("heading", heading["title"]))
            open_block = False
        elif bullet := _BULLET.match(line):
            found.append(("item", line[bullet.end() :]))
            open_block = True
        elif open_block and not _begins_anew(line.strip()):
            kind, words = found[-1]
            if len(words) <= 2 * LINE:  # what is longer is cut anyway
                found[-1] = (kind, f"{words} {line.strip()}")
        elif not line.lstrip().startswith(("|", "<")):
            found.append(("text", line.strip()))
            open_block = True
    return found


def _begins_anew(line: str) -> bool:
    """Whether a line within a paragraph does not continue it: it begins with a label, or bold words and a colon."""
    return bool(_LABEL.match(line.lstrip("*_")) or _BOLD_LABEL.match(line))
