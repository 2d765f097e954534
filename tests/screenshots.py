"""``python -m tests.screenshots [FOLDER]``: the demonstration's pages as people will see them.

Writes PNG files and printed sheets as PDF into FOLDER (default: ``build/screenshots``), and the README's pictures into
``tests/pictures``: of one morning in one folder, so that a picture changes only where the page does.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image
from playwright.sync_api import sync_playwright
from werkzeug.serving import WSGIRequestHandler, make_server

from cockpit.app import create_app
from cockpit.demo import build
from cockpit.settings import Settings, own_hosts
from cockpit.store.checkout import Checkout
from cockpit.store.snapshot import Snapshot
from tests import browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WIDTHS = (320, 1280)
SCHEMES = ("light", "dark")
PAGES = {
    "continuity": "/cockpit/continuity",
    "standup": "/cockpit/continuity?view=standup",
    "closed": "/cockpit/closed",
    "handoffs": "/cockpit/handoffs",
}
PICTURES = Path(__file__).parent / "pictures"
OF_THE_README = (("continuity", 1280, "light", 2060), ("continuity", 320, "dark", 1600))
NOW = datetime(2026, 11, 30, 9, 12, 44, tzinfo=UTC)
COLOURS = 96


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0] if arguments else "build/screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    PICTURES.mkdir(exist_ok=True)
    executable = browser.find()
    if executable is None:
        sys.exit(browser.MISSING)
    with morning() as address, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=list(browser.QUIET))
        for path in [*photograph(chromium, address, folder), *pictures(chromium, address)]:
            print(path)
        chromium.close()
    return 0


class _Still(Checkout):
    """A checkout that is always looked at in the same moment."""

    def look(self, _: datetime | None = None) -> Snapshot:
        return super().look(NOW)


class _Quiet(WSGIRequestHandler):
    def log_request(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def morning() -> Iterator[str]:
    """Serve the demonstration of one morning; answers its address."""
    folder = Path(tempfile.gettempdir(), "cockpit-pictures")
    folder.mkdir()  # always the same name, since it is in the pictures: two runs at once are an error
    try:
        with _served(build(folder, NOW)) as address:
            yield address
    finally:
        shutil.rmtree(folder)


@contextmanager
def _served(root: Path) -> Iterator[str]:
    web = make_server("127.0.0.1", 0, lambda *_: [], threaded=True, request_handler=_Quiet)
    web.app = create_app(_Still.open(str(root)), Settings(own_hosts("127.0.0.1", web.server_port)))
    thread = threading.Thread(target=web.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{web.server_port}"
    finally:
        web.shutdown()
        web.server_close()
        thread.join()


def photograph(chromium: Browser, address: str, folder: Path) -> Iterator[Path]:
    """Take every page at every width in every colour scheme, and print it; answers the files."""
    for (name, where), width, scheme in product(PAGES.items(), WIDTHS, SCHEMES):
        path = folder / f"{name}-{width}-{scheme}.png"
        path.write_bytes(_shot(chromium, f"{address}{where}", width, scheme))
        yield path
    for name, where in PAGES.items():
        page = chromium.new_page()
        page.goto(f"{address}{where}")
        page.pdf(path=folder / f"{name}.pdf", format="A4", print_background=True)
        page.close()
        yield folder / f"{name}.pdf"


def pictures(chromium: Browser, address: str) -> Iterator[Path]:
    """Take the README's pictures: the upper part of a page, in few colours."""
    for name, width, scheme, height in OF_THE_README:
        path = PICTURES / f"{name}-{width}-{scheme}.png"
        whole = Image.open(io.BytesIO(_shot(chromium, f"{address}{PAGES[name]}", width, scheme))).convert("RGB")
        upper = whole.crop((0, 0, width, min(height, whole.height)))
        upper.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(path, optimize=True)
        yield path


def _shot(chromium: Browser, url: str, width: int, scheme: str) -> bytes:
    page = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto(url)
    page.goto(url)  # the first reading of a process is no example of how long one takes
    taken: bytes = page.screenshot(full_page=True)
    page.close()
    return taken


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
