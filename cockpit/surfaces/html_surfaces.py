"""The page of the documents that housekeeping rotates: what waits, what is broken, and the command beside each."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from cockpit.reads.surfaces_state import LiveSurface
from cockpit.store.checkout import Checkout
from cockpit.surfaces import html, photograph

PATH = "/cockpit/surfaces"
_READS = frozenset({"surfaces", "runtime"})


def blueprint(checkout: Checkout) -> Blueprint:
    """The one route of the page."""
    pages = Blueprint("surfaces", __name__)
    pages.after_request(html.dated)

    @pages.get(PATH)
    def surfaces() -> ResponseReturnValue:
        photo = photograph.take(checkout, _READS)
        answer = photo.answers["surfaces"]
        bars = [bar(each) for each in answer.surfaces] if answer else []
        return render_template("surfaces/page.html", bars=bars, **html.framed(photo, checkout))

    return pages


def bar(surface: LiveSurface) -> tuple[float, float]:
    """The lines of a summary and its limit as places on a rail, in per cent of it; the longer of the two fills it."""
    longest = max(surface.summary_lines, surface.summary_limit)
    return round(100 * surface.summary_lines / longest, 2), round(100 * surface.summary_limit / longest, 2)
