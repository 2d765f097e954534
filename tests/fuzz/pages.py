"""What a page must hold as text: whole HTML, of this program's own elements, in which nothing recorded is more than text."""

from __future__ import annotations

from html.parser import HTMLParser

from cockpit.formats.text import visible
from tests.fuzz.holding import hold
from tests.fuzz.places import OUTER, SECRET

_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
_FOREIGN = {"iframe", "object", "embed", "base", "img", "style", "video", "audio", "math", "frame", "applet", "marquee"}
_LEADING = {"href", "src", "action", "formaction", "hx-get", "xlink:href"}


class _Outline(HTMLParser):
    """Every element of a page in its place, and the text between them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        _own(tag, dict(attrs))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        _own(tag, dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        hold(self.open and self.open[-1] == tag, "Every element of a page is closed in its place.", self.open, tag)
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def _own(tag: str, given: dict[str, str | None]) -> None:
    hold(tag not in _FOREIGN and tag.isalnum(), "A page holds its own elements and no other.", tag, given)
    hold(tag != "script" or (given.get("src") or "").startswith("/static/"), "A script has a source here.", given)
    for name, value in given.items():
        plain = name.replace("-", "").replace(":", "").isalnum() and not name.startswith("on") and name != "style"
        hold(plain, "An element has its own attributes and no other.", tag, name)
        if name in _LEADING:
            hold((value or "").startswith(("/", "#", "?")) and not (value or "").startswith("//"), "A page leads nowhere else.", tag, name, value)  # fmt: skip


def check(address: str, body: str) -> str:
    """Hold that a page is whole, and answer its text."""
    outline = _Outline()
    outline.feed(body)
    outline.close()
    hold(not outline.open, "Every element of a page is closed.", address, outline.open)
    plain(address, body)
    return "".join(outline.text)


def plain(address: str, body: str) -> None:
    """Hold what holds for a page and for a note."""
    hold("This read failed" not in body, "Every read answers.", address)
    hold(visible(body) == body, "Nothing that cannot be seen is in a page.", address)
    hold(OUTER not in body, "No page is about the repository around.", address)
    hold(SECRET not in body, "No page holds what lies among the prompts.", address)
