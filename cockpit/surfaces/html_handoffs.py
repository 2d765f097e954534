"""The page of handoff letters: which wait, what is wrong with them and the command beside it, which are in force."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from cockpit.reads import letter_groups
from cockpit.store.checkout import Checkout
from cockpit.surfaces import html, photograph

PATH = "/cockpit/handoffs"
_READS = frozenset({"handoffs", "runtime"})


def blueprint(checkout: Checkout) -> Blueprint:
    """The one route of the page."""
    pages = Blueprint("handoffs", __name__)
    pages.after_request(html.dated)

    @pages.get(PATH)
    def handoffs() -> ResponseReturnValue:
        photo = photograph.take(checkout, _READS)
        answer = photo.answers["handoffs"]
        return render_template(
            "handoffs/page.html",
            needing=letter_groups.needing(answer) if answer else None,
            empty=letter_groups.empty(answer) if answer else "",
            calm=letter_groups.calm(answer) if answer else "",
            efforts=letter_groups.by_effort(answer.active) if answer else [],
            groups=letter_groups.by_rule(answer.findings) if answer else [],
            **html.framed(photo, checkout),
        )

    return pages
