"""How a promise is held to: it is true, or the input that breaks it is told."""

from __future__ import annotations

from msgspec import Struct, to_builtins


class Broken(AssertionError):
    """A promise that was not kept; the text says which, and by what."""


def hold(kept: object, promise: str, *evidence: object) -> None:
    """Raise :class:`Broken` unless a promise is kept; ``evidence`` is what shows that it is not."""
    if not kept:
        raise Broken("\n  ".join([promise, *(str(each)[:2000] for each in evidence)]))


def agree(promise: str, one: Struct, other: Struct) -> None:
    """Hold that two answers are one; what differs between them is the evidence."""
    if one != other:
        raise Broken("\n  ".join([promise, *_differing("", to_builtins(one), to_builtins(other))]))


def _differing(path: str, one: object, other: object) -> list[str]:
    if one == other:
        return []
    if isinstance(one, dict) and isinstance(other, dict):
        names = sorted(one.keys() | other.keys())
        return [line for name in names for line in _differing(f"{path}.{name}", one.get(name), other.get(name))]
    if isinstance(one, list) and isinstance(other, list):
        sides = (("-", one, other), ("+", other, one))
        return [
            f"{path} {sign} {str(item)[:600]}" for sign, these, those in sides for item in these if item not in those
        ]
    return [f"{path}: {str(one)[:600]}", f"{' ' * len(path)}  {str(other)[:600]}"]
