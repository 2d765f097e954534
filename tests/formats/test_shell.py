"""A command means exactly the bytes it was given, in every POSIX shell, on one line of printable ASCII."""

from __future__ import annotations

import re
import shlex
import subprocess

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cockpit.formats import shell
from tests.examples import examples, file_names

SHELLS = ["sh", "bash"]

names = st.one_of(
    st.binary(max_size=12),
    file_names,
    st.tuples(st.sampled_from([b"-", b"-n", b"--", b"/", b"~", b"="]), st.binary(max_size=6)).map(b"".join),
    st.tuples(st.binary(max_size=6), st.sampled_from([b"\n", b"\n\n", b"\n.\n"])).map(b"".join),
).map(lambda name: name.replace(b"\0", b""))


def _said(program: str, commands: list[str]) -> list[bytes]:
    """What each command printed, run by one shell, each behind a mark that no name holds."""
    script = "\n".join(f"{command}; printf '\\000'" for command in commands)
    done = subprocess.run([program, "-c", script], capture_output=True, check=True, timeout=60)
    assert done.stderr == b""
    return done.stdout.split(b"\0")[:-1]


@given(st.lists(names, min_size=1, max_size=60))
@example([b"%03d" % n for n in range(3)])
@example([bytes([n]) for n in range(1, 256)])
@example([bytes([n]) + b"\n" for n in range(1, 256)])
@example([b"-n\xff", b"-n\n", b"-\x01", b"--\x01\n", b"-", b"--", b"", b"\n", b"\n\n", b"a\n\n"])
@examples(60)
def test_every_shell_gives_back_exactly_the_bytes_of_a_name(raws: list[bytes]) -> None:
    commands = [shell.command("printf '%s' {name}", name=raw) for raw in raws]
    assert [c for c in commands if not re.fullmatch("[ -~]+", c)] == []
    for program in SHELLS:
        assert _said(program, commands) == raws


@given(names, names)
@examples(150)
def test_a_command_of_two_names_is_one_printable_line_that_parses(one: bytes, other: bytes) -> None:
    command = shell.command("mv -- {one} {other} && {{ true; }}", one=one, other=other)
    assert re.fullmatch("[ -~]+", command)
    assert shlex.split(command)


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=20))
@examples(200)
def test_a_printable_name_is_one_word_of_the_posix_grammar(name: str) -> None:
    assert shlex.split(shell.word(name)) == [name]


@pytest.mark.parametrize("name", ["/home/me/project", "s-20260911000001-aaaa.yaml", "a@b", "x+y", "1,2"])
def test_a_plain_name_stays_readable(name: str) -> None:
    assert shell.word(name) == name


@pytest.mark.parametrize(
    "name", ["~", "~root", "a=b", "#x", "!x", "a{b,c}", "a b", "*", "$HOME", "`id`", "a;b", "a&b", ""]
)
def test_a_name_that_a_shell_would_change_is_quoted(name: str) -> None:
    assert shell.word(name) == f"'{name}'"


def test_a_text_name_and_its_bytes_give_one_word() -> None:
    assert shell.word("a\udcffb") == shell.word(b"a\xffb")


def test_a_nul_byte_is_refused() -> None:
    with pytest.raises(ValueError, match="NUL"):
        shell.command("rm {x}", x=b"a\0b")


def test_a_word_alone_that_cannot_end_in_a_newline_is_refused() -> None:
    with pytest.raises(ValueError, match="newline"):
        shell.word(b"a\n")


def test_braces_in_a_name_are_no_template() -> None:
    assert shell.command("ls -- {x}", x="{x}{{y}}") == "ls -- '{x}{{y}}'"
