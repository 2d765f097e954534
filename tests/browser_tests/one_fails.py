"""``python -m tests.browser_tests.one_fails serve …``: Cockpit, with a read of recovery that raises."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from cockpit.cli import main
from cockpit.surfaces import photograph


def _raise(_: Any) -> Any:
    raise RuntimeError("planted")


if __name__ == "__main__":
    photograph._IN_TURN = [
        structs.replace(read, ask=_raise) if read.name == "recovery" else read for read in photograph._IN_TURN
    ]
    main()
