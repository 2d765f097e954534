"""Where the program begins: a hook goes its own short way, everything else through the command line."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command that the arguments name; a hook must not wait for what it does not need."""
    match sys.argv[1:]:
        case ["hook", provider] if not provider.startswith("-"):
            from cockpit.recorder import hook

            hook.main(provider)
        case _:
            from cockpit import cli

            cli.main()
