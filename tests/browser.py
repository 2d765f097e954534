"""The Chromium that the browser tests run in: where it is, and how to get one.

``python -m tests.browser`` (that is ``make browser``) finds one or installs one, says in a sentence what it did, and
ends with status 1 when there is none in the end, or when Playwright, which drives it, does not start: a browser test
is never skipped.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

QUIET = (
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)
"""Options with which a Chromium asks nobody but a server on this machine."""

PACKAGES = ("chromium", "fonts-liberation", "libatomic1")
"""What Debian and Ubuntu call a browser, letters to draw with, and the library that Playwright's driver needs."""

DRIVERLESS = (
    "Playwright, which drives the browser, does not start. On Debian and Ubuntu it may lack the library libatomic1; "
    "`python -m playwright --version` says what it misses."
)

MISSING = (
    "No Chromium was found and none could be installed. Install Chromium or Chrome with your system's means, "
    "or name one: COCKPIT_CHROMIUM=/path/to/chromium"
)


def find() -> str | None:
    """Answer the path of a Chromium that starts, or None; what COCKPIT_CHROMIUM names is taken before all others."""
    return next((path for path in _candidates() if _starts(path)), None)


def _candidates() -> Iterator[str]:
    named = os.environ.get("COCKPIT_CHROMIUM")
    if named:
        yield named
        return
    yield from filter(None, map(shutil.which, NAMES))
    yield from _playwrights_own()


def _playwrights_own() -> Iterator[str]:
    """Where Playwright would keep its Chromium; asked in a process of its own, for it may not be started twice."""
    script = "from playwright.sync_api import sync_playwright as s\nwith s() as p: print(p.chromium.executable_path)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    yield from filter(os.path.exists, done.stdout.splitlines())


def _starts(path: str) -> bool:
    """Whether the program answers its version: on some systems the name is a note about where to get it."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


# ---------------------------------------------------------------------- getting one
def ensure() -> int:
    """Find a browser or install one; answer the exit status."""
    named = os.environ.get("COCKPIT_CHROMIUM")
    if named and not find():
        return _fail(f"COCKPIT_CHROMIUM names {named!r}, which does not start.")
    for attempt in (_nothing_to_do, _with_playwright, _with_apt):
        attempt()
        found = find()
        if found and _driver_starts():
            print(f"Browser for the tests: {found}")
            return 0
    return _fail(DRIVERLESS if found else MISSING)


def _driver_starts() -> bool:
    return _run([sys.executable, "-m", "playwright", "--version"], 60, show=False)


def _nothing_to_do() -> None:
    """The first attempt: it may be there already."""


def _with_playwright() -> None:
    if not _driver_starts():
        print("Playwright does not start here, so it cannot be asked for a Chromium.", flush=True)
        return
    print("No Chromium here: asking Playwright for one (at most five minutes) ...", flush=True)
    may_install = ["--with-deps"] if _as_root() is not None else []
    _run([sys.executable, "-m", "playwright", "install", *may_install, "chromium"], 300)


def _with_apt() -> None:
    root = _as_root()
    if root is None or not shutil.which("apt-get"):
        why = "no apt-get, or neither root nor sudo without a password"
        print(f"The system's package manager is out of reach: {why}.", flush=True)
        return
    print("Asking the system's package manager ...", flush=True)
    apt = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120"]
    _run([*apt, "update"], 180)
    _run([*apt, "install", "-y", "--no-install-recommends", *PACKAGES], 600)


def _as_root() -> list[str] | None:
    """What to put before a command so that it runs as root without asking anybody; None where that cannot be."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and _run(["sudo", "-n", "true"], 10, show=False):
        return ["sudo", "-n"]
    return None


def _run(command: list[str], seconds: float, *, show: bool = True) -> bool:
    """Run to the end or until the time is up; answer whether it succeeded, and show the end of what it said if not.

    The command has no terminal and no standard input, so it can ask nobody; the time is up for its children too.
    """
    quick = os.environ | {"PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "15000"}
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=quick,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said = process.communicate()[0] + f"\n(ended after {seconds:.0f} seconds)"
    if process.returncode and show:
        print("\n".join("  " + line for line in said.strip().splitlines()[-6:]), flush=True)
    return process.returncode == 0


def _fail(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(ensure())
