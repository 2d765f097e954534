"""Signing in, where a server has a token: the only place where POST exists."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from cockpit.surfaces import html
from cockpit.surfaces.security import COOKIE, SIGN_IN, cookie_for, same_secret


def blueprint(token: str) -> Blueprint:
    """The form and what it is sent to."""
    pages = Blueprint("sign_in", __name__)
    pages.after_request(html.dated)

    @pages.get(SIGN_IN)
    def form() -> ResponseReturnValue:
        return render_template("sign_in.html", message="")

    @pages.post(SIGN_IN)
    def sign_in() -> ResponseReturnValue:
        if not same_secret(request.form.get("token", ""), token):
            said = "That is not the token of this server. It stands in the file that --token-file names."
            return render_template("sign_in.html", message=said), 403
        response = redirect("/cockpit/continuity", 303)
        response.set_cookie(COOKIE, cookie_for(token), httponly=True, samesite="Strict", path="/")
        return response

    return pages
