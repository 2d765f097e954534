"""What an answer must not print: credentials, wherever they stand in it, and commands that hold one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from cockpit.formats.credentials import masked

T = TypeVar("T", bound=Struct)
_COMMAND = "remedy"


def without_credentials(answer: T) -> T:
    """An answer with every credential in it masked; a ``remedy`` that holds one is left out, since it would not run."""
    plain = msgspec.to_builtins(answer)
    together = "\n".join(_texts(plain))
    return answer if masked(together) == together else msgspec.convert(_masked(plain), type(answer))


def _texts(plain: Any) -> Iterator[str]:
    if isinstance(plain, str):
        yield plain
    elif isinstance(plain, (dict, list)):
        for each in plain.values() if isinstance(plain, dict) else plain:
            yield from _texts(each)


def _masked(plain: Any) -> Any:
    if isinstance(plain, str):
        return masked(plain)
    if isinstance(plain, list):
        return [_masked(each) for each in plain]
    if isinstance(plain, dict):
        told = {name: _masked(each) for name, each in plain.items()}
        return {name: each for name, each in told.items() if name != _COMMAND or each == plain[name]}
    return plain
