"""Ledger lines by the hundred thousand, as the writers print them."""

from __future__ import annotations

from pathlib import Path

from cockpit.demo.scene import STATE

LIVE = f"{STATE}/ledger.jsonl"
_PER_EPISODE = 200
_AT_ONCE = 5  # episodes that write in turns
_EVENTS = ("task.started", "task.checkpoint", "decision.recorded", "verification.ran", "context.built")


def append(path: Path, first: int, count: int) -> None:
    """Append ``count`` lines to a ledger, numbered from ``first``: five episodes in turns, two hundred lines each."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="ascii") as file:
        file.writelines(line(number) for number in range(first, first + count))


def session(number: int) -> str:
    """The episode that writes a line."""
    group, place = divmod(number, _PER_EPISODE * _AT_ONCE)
    episode = group * _AT_ONCE + place % _AT_ONCE
    return f"s-{episode:014}-{episode % 65536:04x}"


def line(number: int) -> str:
    """One line, about 310 bytes."""
    place = number % (_PER_EPISODE * _AT_ONCE) // _AT_ONCE
    event = {0: "session.started", _PER_EPISODE - 1: "session.closed"}.get(place, _EVENTS[place % len(_EVENTS)])
    minutes, second = divmod(number, 60)
    hours, minute = divmod(minutes, 60)
    day, hour = divmod(hours, 24)
    who = session(number)
    return (
        f'{{"ts":"2026-{1 + day // 28 % 12:02}-{1 + day % 28:02}T{hour:02}:{minute:02}:{second:02}Z","event":"{event}",'
        f'"head":"{number:040x}","branch":"feature/lines-{number % 7}","by":"mara",'
        f'"session":"{who}","task_id":"t-{who[2:16]}-{place // 25:04x}",'
        f'"outcome":"as it was meant","note":"a sentence as long as a worker writes when it is asked for one"}}\n'
    )
