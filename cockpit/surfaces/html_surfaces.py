"""The page of the documents that housekeeping rotates: what waits, what is broken, and the command beside each."""

from __future__ import annotations

from flask import Blueprint, Response, render_template
from flask.typing import ResponseReturnValue

from cockpit.reads.surfaces_state import LiveSurface
from cockpit.settings import Settings
from cockpit.store.checkout import Checkout
from cockpit.surfaces import photograph, words

PATH = "/cockpit/surfaces"
_READS = frozenset({"surfaces", "runtime"})


def blueprint(checkout: Checkout, settings: Settings) -> Blueprint:
    """The one route of the page."""
    pages = Blueprint("surfaces", __name__)

    @pages.get(PATH)
    def surfaces() -> ResponseReturnValue:
        photo = photograph.take(checkout, _READS)
        answer = photo.answers["surfaces"]
        bars = [bar(each) for each in answer.surfaces] if answer else []
        waiting = sum(bool(each.remedy or each.check) for each in answer.surfaces) if answer else None
        place = words.last_component(checkout.root)
        names = {
            "photo": photo,
            "place": place,
            "bars": bars,
            "waiting": waiting,
            "pinned": settings.pin,
            **photo.answers,
        }
        return render_template("surfaces/page.html", **names)

    @pages.after_request
    def dated(response: Response) -> Response:
        response.headers["Cache-Control"] = "no-store"
        return response

    return pages


def bar(surface: LiveSurface) -> tuple[float, float]:
    """The lines of a summary and its limit as places on a rail, in per cent of it; the longer of the two fills it."""
    longest = max(surface.summary_lines, surface.summary_limit)
    return round(100 * surface.summary_lines / longest, 2), round(100 * surface.summary_limit / longest, 2)
