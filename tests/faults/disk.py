"""A disk that fails for one path: every way in which the store opens, reads, lists or looks at it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest


def _where(path: Any, dir_fd: int | None = None) -> str:
    """The absolute path that a call is about: a descriptor, or a name, perhaps in an open folder."""
    if isinstance(path, int):
        return os.readlink(f"/proc/self/fd/{path}")
    base = os.readlink(f"/proc/self/fd/{dir_fd}") if dir_fd is not None else os.getcwd()
    return os.path.normpath(os.path.join(base, os.fsdecode(path)))


class _Entry:
    """An entry of a folder that cannot be looked at more closely."""

    def __init__(self, entry: os.DirEntry[str], fail: Callable[[], None]) -> None:
        self._entry, self._fail, self.name = entry, fail, entry.name

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        self._fail()
        return self._entry.stat(follow_symlinks=follow_symlinks)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._entry, name)


class _Scan:
    def __init__(self, entries: Iterator[os.DirEntry[str]], wrapped: Callable[[os.DirEntry[str]], Any]) -> None:
        self._entries, self._wrapped = entries, wrapped

    def __enter__(self) -> Iterator[Any]:
        return map(self._wrapped, self._entries)

    def __exit__(self, *_: object) -> None:
        self._entries.close()  # type: ignore[attr-defined]


@contextmanager
def failing(path: str, calls: tuple[str, ...], error: int) -> Iterator[None]:
    """While the block runs, these calls (``open``, ``read``, ``scandir``, ``stat``, ``readlink``) fail for ``path``."""
    real = {name: getattr(os, name) for name in ("open", "read", "pread", "scandir", "stat", "lstat", "readlink")}

    def fail() -> None:
        raise OSError(error, os.strerror(error), path)

    def about_names(name: str) -> Callable[..., Any]:
        def call(target: Any, *arguments: Any, dir_fd: int | None = None, **named: Any) -> Any:
            if target != path and not str(target).startswith("/proc/") and _where(target, dir_fd) == path:
                fail()
            if target == path:
                fail()
            extra = {} if dir_fd is None else {"dir_fd": dir_fd}
            return real[name](target, *arguments, **named, **extra)

        return call

    def about_descriptors(name: str) -> Callable[..., Any]:
        def call(descriptor: int, *arguments: Any) -> Any:
            if real["readlink"](f"/proc/self/fd/{descriptor}") == path:
                fail()
            return real[name](descriptor, *arguments)

        return call

    def scandir(at: Any) -> Any:
        here = real["readlink"](f"/proc/self/fd/{at}") if isinstance(at, int) else os.path.abspath(at)
        if here == path and "scandir" in calls:
            fail()
        broken = os.path.basename(path) if "stat" in calls and here == os.path.dirname(path) else None
        return _Scan(real["scandir"](at), lambda item: _Entry(item, fail) if item.name == broken else item)

    with pytest.MonkeyPatch.context() as patch:
        patched = {"scandir": scandir}
        patched |= {name: about_names(name) for name in ("open", "readlink") if name in calls}
        patched |= {name: about_names(name) for name in ("stat", "lstat") if "stat" in calls}
        patched |= {name: about_descriptors(name) for name in ("read", "pread") if "read" in calls}
        for name, call in patched.items():
            patch.setattr(os, name, call)
        yield


class Gate:
    """Reads of one file, held up until they are let through; ``times`` counts how often it was begun to be read."""

    def __init__(self) -> None:
        self.reached, self.open, self.times = threading.Event(), threading.Event(), 0

    def pass_through(self, descriptor: int) -> None:
        self.times += os.lseek(descriptor, 0, os.SEEK_CUR) == 0
        self.reached.set()
        assert self.open.wait(20)


@contextmanager
def _instead_of_read(call: Callable[[int, int], bytes], gate: Gate) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "read", call)
        try:
            yield
        finally:
            gate.open.set()


@contextmanager
def held(path: str) -> Iterator[Gate]:
    """While the block runs, whoever reads a file waits at the gate; it is opened at the end."""
    gate, read = Gate(), os.read

    def slow(descriptor: int, length: int) -> bytes:
        if os.readlink(f"/proc/self/fd/{descriptor}") == path:
            gate.pass_through(descriptor)
        return read(descriptor, length)

    with _instead_of_read(slow, gate):
        yield gate


@contextmanager
def deadly(path: str, error: BaseException) -> Iterator[Gate]:
    """Whoever reads the end of a file first is held at the gate, and then ended by ``error``; everybody else reads."""
    gate, read, dead = Gate(), os.read, threading.Event()

    def call(descriptor: int, length: int) -> bytes:
        ours = os.readlink(f"/proc/self/fd/{descriptor}") == path
        rest = os.fstat(descriptor).st_size - os.lseek(descriptor, 0, os.SEEK_CUR) if ours else None
        at_the_end = rest in (0, length)
        if at_the_end and not dead.is_set():
            dead.set()
            gate.pass_through(descriptor)
            raise error
        return read(descriptor, length)

    with _instead_of_read(call, gate):
        yield gate
