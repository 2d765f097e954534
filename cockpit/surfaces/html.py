"""The pages: a route asks, converts, returns. What a page says comes from the reads, how it looks from templates."""

from __future__ import annotations

from urllib.parse import quote

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from flask.sansio.app import App
from flask.typing import ResponseReturnValue

from cockpit.formats.text import cut
from cockpit.reads import closed, selection
from cockpit.settings import Settings
from cockpit.store.checkout import Checkout
from cockpit.surfaces import bar, markdown, photograph, timeline, words

SHOWN = 300
EMPTY_STATES = {
    "no_layer": "There is no .ai layer in this checkout, so nothing is recorded here about agents at work.",
    "never_ran": "The .ai layer is here and has never run: no ledger line, no task, no episode and no record yet.",
    "nothing_open": "Nothing is open: the layer has run here, and its store holds no open episode.",
}


def blueprint(checkout: Checkout, settings: Settings) -> Blueprint:
    """The routes of the pages, all of one checkout."""
    pages = Blueprint("pages", __name__)
    pages.record_once(lambda state: _teach(state.app))
    pages.after_request(_dated)

    @pages.get("/")
    @pages.get("/cockpit")
    def index() -> ResponseReturnValue:
        return redirect(url_for("pages.continuity"))

    @pages.get("/cockpit/continuity")
    def continuity() -> ResponseReturnValue:
        try:
            query = selection.parse(request.args.to_dict(flat=False))
        except selection.BadQuery as refused:
            return _refused(400, "The address asks for something unknown", str(refused))
        return render_template("continuity/page.html", pinned=settings.pin, **_continuity(checkout, query))

    @pages.get("/cockpit/continuity.md")
    def note() -> ResponseReturnValue:
        response = make_response(markdown.note(photograph.take(checkout), EMPTY_STATES))
        response.content_type = "text/markdown; charset=utf-8"
        return response

    @pages.get("/cockpit/object")
    def show_object() -> ResponseReturnValue:
        uri = request.args.get("uri", "")
        records = closed.records_of(checkout.look(), uri)
        if not records:
            return _refused(404, "No such record", f"No tracked record has the address “{cut(uri, SHOWN)}”.")
        return render_template("object.html", uri=uri, records=records)

    return pages


def _continuity(checkout: Checkout, query: selection.Query) -> dict[str, object]:
    """The names that ``continuity/page.html`` lays out."""
    photo = photograph.take(checkout)
    episodes, recovery = photo.answers["episodes"], photo.answers["recovery"]
    chosen = selection.select(episodes.episodes, query) if episodes else None
    return {
        "photo": photo,
        "place": words.last_component(checkout.root),
        "nothing": EMPTY_STATES.get(photo.emptiness, ""),
        "selection": chosen,
        "sorts": selection.SORTS,
        "standings": selection.STANDINGS,
        "timeline": timeline.draw(chosen.rows, photo.taken) if chosen else None,
        "segments": bar.segments(recovery.balance) if recovery else [],
        **photo.answers,
    }


def _refused(status: int, title: str, message: str) -> tuple[str, int]:
    way_back = url_for("pages.continuity")
    return render_template("error.html", status=status, title=title, message=message, way_back=way_back), status


def _dated(response: Response) -> Response:
    """A page is a photograph: each reload takes a new one."""
    response.headers["Cache-Control"] = "no-store"
    return response


def _teach(app: App) -> None:
    """Give the templates their words: layout only, no verdicts."""
    app.jinja_env.filters.update(
        utc=words.utc,
        distance=words.distance,
        short=words.short,
        last_component=words.last_component,
        brief=lambda text: cut(text, SHOWN),
        cut=cut,
        quoted=lambda text: quote(text, safe=":/", errors="replace"),
    )
