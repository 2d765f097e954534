"""The pages: a route asks, converts, returns. What a page says comes from the reads, how it looks from templates."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from flask.sansio.app import App
from flask.typing import ResponseReturnValue

from cockpit.formats import instants
from cockpit.formats.text import counted, cut
from cockpit.reads import archive, closed, episodes, recovery, selection, standup, tables, tallies
from cockpit.reads.tables import BadQuery
from cockpit.store.checkout import Checkout
from cockpit.surfaces import bar, markdown, photograph, timeline, words

SHOWN = 300
Patterns = Sequence[tuple[str, Checkout]]
EMPTY_STATES = {
    "no_layer": "There is no .ai layer in this checkout, so nothing is recorded here about agents at work.",
    "never_ran": "The .ai layer is here and has never run: no ledger line, no task, no episode and no record yet.",
    "nothing_open": "Nothing is open: the layer has run here, and its store holds no open episode.",
}

WAYS_OUT = {
    "no_layer": "Where no other tool writes one, `cockpit init --provider NAME` lays it out; with --dry-run it shows "
    "the diff, and writes nothing.",
}
"""What to do about an empty state, for the pages alone: the note carries no command."""


def blueprint(checkout: Checkout, patterns: Patterns = ()) -> Blueprint:
    """The routes of the pages, all of one checkout.

    ``patterns`` are named checkouts in which ``/cockpit/patterns`` shows every component; there is no such page
    without them, and the command line never gives any.
    """
    pages = Blueprint("pages", __name__)
    pages.record_once(lambda state: _teach(state.app))
    pages.after_request(dated)
    pages.register_error_handler(BadQuery, _misasked)

    @pages.get("/")
    @pages.get("/cockpit")
    @pages.get("/cockpit/")
    @pages.get("/cockpit/continuity/")  # what is printed, with the slash that a person adds
    def index() -> ResponseReturnValue:
        return redirect(url_for("pages.continuity"))

    @pages.get("/cockpit/continuity")
    def continuity() -> ResponseReturnValue:
        given = request.args.to_dict(flat=False)
        query, view, now = selection.parse(given), tables.one_of(given, "view", ("standup",)), datetime.now(UTC)
        since = standup.since(given, instants.of(now))
        if view:
            return render_template("standup.html", keys=query.keys, **_standup(checkout, since))
        return render_template("continuity/page.html", **_continuity(checkout, query))

    @pages.get("/cockpit/continuity.md")
    def note() -> ResponseReturnValue:
        response = make_response(markdown.note(photograph.take(checkout), EMPTY_STATES))
        response.content_type = "text/markdown; charset=utf-8"
        return response

    @pages.get("/cockpit/closed")
    def closed_records() -> ResponseReturnValue:
        query = archive.parse(request.args.to_dict(flat=False))
        return render_template("closed.html", query=query, **_closed(checkout, query))

    @pages.get("/cockpit/object")
    def show_object() -> ResponseReturnValue:
        uri = request.args.get("uri", "")
        asked = {"records": lambda look: closed.records_of(look, uri)}
        photo = photograph.take(checkout, frozenset({"runtime"}), asked)
        records = photo.also["records"]
        if records == []:
            return _refused(404, "No such record", f"No record here has the address “{cut(uri, SHOWN)}”.")
        return render_template("object.html", uri=uri, records=records, **framed(photo, checkout))

    if patterns:

        @pages.get("/cockpit/patterns")
        def show_patterns() -> ResponseReturnValue:
            states = [(name, _continuity(each, selection.Query())) for name, each in patterns]
            return render_template("patterns.html", states=states)

    return pages


def framed(photo: photograph.Photograph, checkout: Checkout) -> dict[str, Any]:
    """The names that every page of a photograph lays out."""
    place = words.last_component(checkout.root)
    return {"photo": photo, "place": place, "pinned": checkout.pin, **photo.answers}


def _nothing(emptiness: str) -> str:
    """What an empty state is, and the way out of it; empty where something is open."""
    return " ".join(said[emptiness] for said in (EMPTY_STATES, WAYS_OUT) if emptiness in said)


def _continuity(checkout: Checkout, query: selection.Query) -> dict[str, Any]:
    """The names that ``continuity/page.html`` lays out."""
    photo = photograph.take(checkout, also={"moments": episodes.moments})
    found, recovered = photo.answers["episodes"], photo.answers["recovery"]
    chosen = selection.select(found.episodes, query) if found else None
    return framed(photo, checkout) | {
        "nothing": _nothing(photo.emptiness),
        "selection": chosen,
        "standings": selection.STANDINGS,
        "timeline": timeline.draw(chosen.rows, photo.taken, photo.also["moments"]) if chosen else None,
        "segments": bar.segments(recovered.balance) if recovered else [],
        "groups": recovery.grouped(photo.needs or []),
        "tallies": [(tally, bar.stacked(tally.parts)) for tally in tallies.tallies(photo.answers, photo.needs)],
    }


def _standup(checkout: Checkout, since: int) -> dict[str, Any]:
    """The names that ``standup.html`` lays out."""
    photo = photograph.take(checkout, also={"closed_since": lambda look: archive.since(look, since)})
    found = photo.answers["episodes"]
    return framed(photo, checkout) | {
        "nothing": _nothing(photo.emptiness),
        "since": words.rfc3339(since),
        "yesterday": standup.yesterday(photo.taken),
        "workers": standup.workers(found.episodes, photo.answers["continuity"]) if found else None,
        "closed_since": photo.also["closed_since"],
    }


def _closed(checkout: Checkout, query: archive.Query) -> dict[str, Any]:
    """The names that ``closed.html`` lays out."""
    photo = photograph.take(checkout, frozenset({"runtime"}), {"rows": lambda look: archive.select(look, query)})
    return framed(photo, checkout) | {"selection": photo.also["rows"], "outcomes": archive.OUTCOMES}


def _misasked(refused: BadQuery) -> tuple[str, int]:
    return _refused(400, "The address asks for something unknown", str(refused))


def _refused(status: int, title: str, message: str) -> tuple[str, int]:
    way_back = url_for("pages.continuity")
    return render_template("error.html", status=status, title=title, message=message, way_back=way_back), status


def dated(response: Response) -> Response:
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
        counted=counted,
        quoted=lambda text: quote(text, safe=":/", errors="replace"),
    )
