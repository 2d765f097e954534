"""``python -m tests.screenshots [FOLDER]``: the demonstration's page as people will see it.

Writes PNG files and the printed sheet as PDF into FOLDER (default: ``build/screenshots``).
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from tests import browser
from tests.serving import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WIDTHS = (320, 1280)
SCHEMES = ("light", "dark")


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0] if arguments else "build/screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    executable = browser.find()
    if executable is None:
        sys.exit(browser.MISSING)
    with (
        served([sys.executable, "-m", "cockpit", "demo", "--port", "0"], Path.cwd()) as (address, _),
        sync_playwright() as playwright,
    ):
        chromium = playwright.chromium.launch(executable_path=executable, args=list(browser.QUIET))
        for path in photograph(chromium, f"{address}/cockpit/continuity", folder):
            print(path)
        chromium.close()
    return 0


def photograph(chromium: Browser, url: str, folder: Path) -> list[Path]:
    """Take the page at every width in every colour scheme, and print it; answer the files."""
    taken = [folder / f"continuity-{width}-{scheme}.png" for width, scheme in product(WIDTHS, SCHEMES)]
    for path, (width, scheme) in zip(taken, product(WIDTHS, SCHEMES), strict=True):
        page = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page.goto(url)
        page.screenshot(path=path, full_page=True)
        page.close()
    page = chromium.new_page()
    page.goto(url)
    page.pdf(path=folder / "continuity.pdf", format="A4", print_background=True)
    page.close()
    return [*taken, folder / "continuity.pdf"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
