"""One page in one browser context, together with what the browser had to complain of."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, Response, Route
from playwright.sync_api import Error as PlaywrightError

PATH = "/cockpit/continuity"
_PATIENCE = 15_000  # milliseconds
_TALLEST = 8_000  # pixels

_AXE = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    "rules": {"target-size": {"enabled": True}},  # off unless asked for, though 2.2 AA has it
    "resultTypes": ["violations"],
}
_TEXT = """() => {
  const copies = [...document.querySelectorAll("button")].filter((button) => /^(copy|copied)\\b/i.test(button.innerText));
  for (const button of copies) button.remove();
  return document.body.innerText;
}"""


class Sight:
    """A page as somebody sees it. ``complaints`` are the console's errors and warnings, and what scripts threw."""

    open_ones: ClassVar[list[Sight]] = []

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.complaints: list[str] = []
        page.on("console", lambda said: self._heard(said.type, said.text))
        page.on("pageerror", lambda error: self._heard("error", str(error)))
        page.on("dialog", lambda dialog: (self._heard("error", f"dialog {dialog.message}"), dialog.dismiss()))

    @classmethod
    @contextmanager
    def of(
        cls,
        browser: Browser,
        address: str,
        path: str | None = PATH,
        *,
        width: int = 1280,
        scripts: bool = True,
        **context: Any,
    ) -> Iterator[Sight]:
        """Open ``path`` of a server in a fresh context; None opens nothing yet. ``context`` is Playwright's."""
        size = {"width": width, "height": 900}
        fresh = browser.new_context(viewport=size, java_script_enabled=scripts, **context)  # type: ignore[arg-type]
        fresh.set_default_timeout(_PATIENCE)
        sight = cls(fresh.new_page(), address)
        cls.open_ones.append(sight)
        try:
            if path is not None:
                sight.go(path)
            yield sight
        finally:
            cls.open_ones.remove(sight)
            fresh.close()

    def _heard(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)

    def go(self, path: str = PATH) -> Response:
        """Load a path of the server, whole; answer what the server said."""
        response = self.page.goto(self.address + path)
        assert response is not None
        return response

    def show(self, body: str, like: Response, path: str = PATH) -> None:
        """Load ``body`` as if the server had answered it to ``path``: one photograph can be looked at twice."""

        def answer(route: Route) -> None:
            route.fulfill(status=like.status, headers=like.headers, body=body)

        self.page.route(self.address + path, answer)
        self.go(path)

    def loaded(self) -> None:
        """Wait until the page is loaded to its end, scripts included: only then does it hear of the next step."""
        self.page.wait_for_load_state("load")

    def until(self, claim: str) -> None:
        """Wait until an expression holds on the page. Playwright's own waiting evaluates text inside the page from its
        second look on, which the page's Content-Security-Policy forbids.
        """
        late = monotonic() + _PATIENCE / 1000
        while not self.page.evaluate(claim):
            assert monotonic() < late, f"It never came true: {claim}"
            self.page.wait_for_timeout(20)

    # ------------------------------------------------------------------ what is on it
    @property
    def episodes(self) -> Locator:
        """The section of open episodes."""
        return self.page.locator("#episodes")

    @property
    def rows(self) -> Locator:
        """The rows of the table of open episodes, its head left out."""
        table = self.episodes.get_by_role("region", name="Table of the open episodes")
        return table.get_by_role("row").filter(has=self.page.get_by_role("rowheader"))

    @property
    def text(self) -> str:
        """All that can be read, copy buttons aside (they go from the page when this is asked for)."""
        text: str = self.page.evaluate(_TEXT)
        return text

    @property
    def overhang(self) -> int:
        """By how many pixels the page is wider than its window."""
        pixels: int = self.page.evaluate(
            "document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"
        )
        return pixels

    def barriers(self) -> list[str]:
        """What axe-core finds against WCAG 2.0 to 2.2, A and AA, a line an element."""
        found = Axe().run(self.page, options=_AXE).response["violations"]
        return [
            f"{rule['id']}: {node['html'][:200]} {node['failureSummary']}" for rule in found for node in rule["nodes"]
        ]

    # ------------------------------------------------------------------ marks and pictures
    def mark(self) -> None:
        """Mark the window; a full load takes the mark away."""
        self.page.evaluate("window.marked = true")

    @property
    def marked(self) -> bool:
        """Whether this is still the window that was marked."""
        return self.page.evaluate("window.marked") is True

    def picture(self, path: Path) -> None:
        """Photograph the page from its top into a PNG file, as far as a picture can be looked at."""
        path.parent.mkdir(parents=True, exist_ok=True)
        size = self.page.viewport_size
        assert size
        try:
            height = self.page.evaluate("document.documentElement.scrollHeight")
            self.page.set_viewport_size({"width": size["width"], "height": min(height, _TALLEST)})
            self.page.screenshot(path=path)
            self.page.set_viewport_size(size)
        except PlaywrightError as error:
            path.with_suffix(".txt").write_text(f"no picture: {error}\n", "utf-8")
