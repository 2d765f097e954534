"""The web application of one checkout."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from importlib import metadata
from importlib.util import cache_from_source, find_spec
from pathlib import Path
from typing import Any

from flask import Flask, Response, render_template, request, send_from_directory
from flask.typing import ResponseReturnValue
from jinja2 import FileSystemBytecodeCache, StrictUndefined, UndefinedError
from jinja2.bccache import Bucket
from msgspec import UNSET
from werkzeug.exceptions import HTTPException

from cockpit.formats.text import visible
from cockpit.settings import Settings
from cockpit.store.checkout import Checkout
from cockpit.surfaces import api, html, html_handoffs, html_surfaces, sign_in
from cockpit.surfaces.rounds import Rounds
from cockpit.surfaces.security import Environ, Guard, Refusal, error_body, is_api

HOME = "/cockpit/continuity"
_HERE = Path(__file__).parent
_log = logging.getLogger("cockpit")


def create_app(checkout: Checkout, settings: Settings, patterns: html.Patterns = ()) -> Flask:
    """The application, guarded; it answers about ``checkout`` and no other (``patterns``: see html)."""
    app = Flask("cockpit", template_folder=str(_shipped("templates")), static_folder=str(_shipped("static")))
    app.json.sort_keys = False  # type: ignore[attr-defined]
    _templates(app, checkout.root)
    app.register_blueprint(api.blueprint(checkout))
    app.register_blueprint(html.blueprint(checkout, patterns))
    app.register_blueprint(html_surfaces.blueprint(checkout))
    app.register_blueprint(html_handoffs.blueprint(checkout))
    if settings.token is not None:
        app.register_blueprint(sign_in.blueprint(settings.token))
    app.add_url_rule("/static/htmx.min.js", "htmx", _htmx)
    app.register_error_handler(Exception, _failed)
    app.wsgi_app = Guard(Rounds(app.wsgi_app), settings, lambda environ, refusal: _page(app, environ, refusal))  # type: ignore[method-assign]
    return app


def _shipped(name: str) -> Path:
    """A folder of the program: inside the package where it is installed, beside it in a source tree."""
    inside = _HERE / name
    return inside if inside.is_dir() else _HERE.parent / name


def _templates(app: Flask, root: str) -> None:
    """How templates are read. They are kept compiled, but never below the checkout that is served."""
    folder, version = Path(cache_from_source(__file__)).parent, metadata.version("jinja2")
    app.jinja_options = {
        "undefined": StrictUndefined,
        "autoescape": True,
        "finalize": _finalize,
        "bytecode_cache": None if _HERE.is_relative_to(root) else _Compiled(str(folder), f"jinja-{version}-%s.cache"),
        "trim_blocks": True,
        "lstrip_blocks": True,
    }


class _Compiled(FileSystemBytecodeCache):
    """Compiled templates, kept where and when Python keeps its compiled modules; each knows the source it is from."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what was kept, where it can be read."""
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled, where that may be written."""
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                super().dump_bytecode(bucket)


def _finalize(value: Any) -> Any:
    """Every text that a template prints, with what cannot be seen made visible; an absent value is a mistake."""
    if value is UNSET:
        raise UndefinedError("a template prints an absent value")
    return value if type(value) is not str or (value.isprintable() and value.isascii()) else visible(value)


def _htmx() -> Response:
    """htmx, from the package that carries it (importing its Django application is not needed for that)."""
    spec = find_spec("js_lib_htmx")
    assert spec
    assert spec.origin
    return send_from_directory(Path(spec.origin).parent / "static/htmx", "htmx.min.js")


def _failed(error: Exception) -> ResponseReturnValue:
    """An error as a page, or as the one error body below ``/api/``: a sentence, and no word of the program's inside."""
    if not isinstance(error, HTTPException):
        _log.error("%s %s failed", request.method, request.path, exc_info=error)
    status, code, title, message = _told(error)
    if is_api(request.path):
        response = Response(error_body(code, message), status, content_type="application/json")
    else:
        page = render_template("error.html", status=status, title=title, message=message, way_back=HOME)
        response = Response(page, status)
    response.headers["Cache-Control"] = "no-store"
    return response


def _told(error: Exception) -> tuple[int, str, str, str]:
    if not isinstance(error, HTTPException) or error.code is None:
        kind = type(error).__name__
        said = f"A fault in Cockpit itself ({kind}); what the server wrote to its standard error has the details."
        return 500, "internal_error", "This could not be answered", said
    if error.code == 404:
        return 404, "not_found", "Nothing here", "There is nothing at this address."
    if error.code == 413:
        return 413, "too_large", "Too large", "The request is larger than anything this server asks for."
    code = error.name.lower().replace(" ", "_")
    return error.code, code, error.name, "The request could not be understood."


def _page(app: Flask, environ: Environ, refusal: Refusal) -> str:
    with app.request_context(environ):
        return render_template(
            "error.html", status=refusal.status, title=refusal.title, message=refusal.message, way_back=HOME
        )
