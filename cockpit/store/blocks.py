"""The checksums of a file that grows, block by block: whether what was read of it is still what it was."""

from __future__ import annotations

import os
import zlib
from array import array

BLOCK = 256 << 10  # bytes
_TURN = 8  # blocks looked at in their turn


class Sums:
    """The CRC-32 of each block that was read of a file, and of the beginning of one that is not whole yet.

    Looking at every block each time would cost as much as reading the file again, so :meth:`hold` looks at the first,
    the last, what came after it, and the next eight in their turn. That is all of a file up to two mebibytes. Of a
    larger one: whatever makes a line longer or shorter, or moves one, moves the last block and is seen at once. What is
    left is an edit that keeps every length and comes between two looks together with an append (alone, it is seen by
    the file's times); it is seen when its block has its turn, at most ``size / 2 MiB`` looks later.
    """

    def __init__(self) -> None:
        self._whole = array("I")
        self._part, self._length = 0, 0
        self._next = 0

    def copy(self) -> Sums:
        """The same sums, to go on from without changing these."""
        other = Sums()
        other._whole, other._part, other._length = self._whole[:], self._part, self._length
        other._next = self._next
        return other

    def add(self, piece: bytes) -> None:
        """Take the bytes that follow; none of them lies beyond the block that is begun."""
        self._part = zlib.crc32(piece, self._part)
        self._length += len(piece)
        if self._length == BLOCK:
            self._whole.append(self._part)
            self._part, self._length = 0, 0

    def hold(self, descriptor: int) -> bool:
        """Whether the blocks that are looked at this time hold the bytes they held. Raises OSError."""
        count = len(self._whole)
        turn = {(self._next + step) % count for step in range(min(_TURN, count))}
        self._next = (self._next + _TURN) % (count or 1)
        looked = turn | {0, count - 1} if count else turn
        return self._holds(descriptor, count, self._length, self._part) and all(
            self._holds(descriptor, place, BLOCK, self._whole[place]) for place in looked
        )

    @staticmethod
    def _holds(descriptor: int, place: int, length: int, wanted: int) -> bool:
        return zlib.crc32(os.pread(descriptor, length, place * BLOCK)) == wanted
