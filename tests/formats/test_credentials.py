"""What looks like a credential is found and masked; what an ordinary letter holds raises nothing."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cockpit.formats.credential_kinds import DETECTORS
from cockpit.formats.credentials import Credential, find, mask, masked
from tests.examples import examples
from tests.formats.credentials_corpus import negatives, positives

POSITIVES, NEGATIVES = list(positives()), negatives()


def test_the_corpus_is_as_large_as_it_claims() -> None:
    assert len(POSITIVES) >= 60
    assert len({kind for kind, _ in POSITIVES}) >= 30
    assert len(set(NEGATIVES)) >= 200


@pytest.mark.parametrize(("kind", "line"), POSITIVES, ids=[f"{n}-{kind}" for n, (kind, _) in enumerate(POSITIVES)])
def test_each_credential_is_found_once_and_by_its_kind(kind: str, line: str) -> None:
    assert [each.kind for each in find(line)] == [kind]


def test_no_line_of_an_ordinary_letter_raises_anything() -> None:
    assert {line: found for line in NEGATIVES if (found := find(line))} == {}


def test_a_letter_of_all_of_them_names_the_line_of_each() -> None:
    lines = [line for pair in zip(NEGATIVES, (line for _, line in POSITIVES), strict=False) for line in pair]
    assert [each.line for each in find("\n".join(lines))] == list(range(2, len(lines) + 1, 2))


def test_nothing_shows_more_than_the_first_four_characters() -> None:
    for _, line in POSITIVES:
        for each in find(line):
            assert each.masked.endswith("…")
            assert len(each.masked) <= 5
            assert each.masked[:-1] in line


def test_a_short_secret_shows_less() -> None:
    assert (mask("hunter2"), mask("abc"), mask("x" * 40)) == ("h…", "…", "xxxx…")


def test_what_two_detectors_find_is_named_once_and_by_its_issuer() -> None:
    token = "gh" + "p_" + "aB3" * 12
    assert find(f"api_token = {token}") == [Credential(1, "GitHub Token", "ghp_…")]


def test_two_credentials_of_one_line_are_two() -> None:
    assert [each.kind for each in find(f"{POSITIVES[0][1]} {POSITIVES[2][1]}")] == [POSITIVES[0][0], POSITIVES[2][0]]


def test_any_thread_finds_the_same() -> None:
    letter = "\n".join(line for _, line in POSITIVES)
    expected = find(letter)
    with ThreadPoolExecutor(8) as pool:
        assert all(found == expected for found in pool.map(find, [letter] * 16))


def test_the_detectors_are_not_imported_before_they_are_wanted() -> None:
    asked = "import sys, cockpit.formats.credentials; print('detect_secrets' in sys.modules, 'requests' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"


def test_a_line_ends_at_a_newline_and_nowhere_else() -> None:
    assert [each.line for each in find(f"a\r\n\u2028b\x0b\n{POSITIVES[0][1]}\r\n")] == [3]


@examples(100)
@given(st.text())
def test_no_text_is_too_odd(text: str) -> None:
    assert all(0 < each.line <= text.count("\n") + 1 for each in find(text))


@examples(100)
@given(st.text(max_size=40), st.sampled_from(POSITIVES), st.text(max_size=40))
def test_what_stands_on_other_lines_hides_nothing(before: str, credential: tuple[str, str], after: str) -> None:
    kind, line = credential
    found = find(f"{before}\n{line}\n{after}")
    assert (before.count("\n") + 2, kind) in {(each.line, each.kind) for each in found}


# ---------------------------------------------------------------------- a text without them
@pytest.mark.parametrize("line", [line for _, line in POSITIVES])
def test_a_masked_text_holds_no_credential_and_is_otherwise_what_it_was(line: str) -> None:
    (secret, *_) = [secret for each in DETECTORS for secret in each.analyze_string(line)]
    text = masked(f"\ufeffbefore\r\n\t{line}\x0b\n\n after")
    assert text == f"\ufeffbefore\r\n\t{line.replace(secret, mask(secret))}\x0b\n\n after"
    assert secret not in text


def test_an_ordinary_text_is_not_touched_by_masking() -> None:
    assert masked("\n".join(NEGATIVES)) == "\n".join(NEGATIVES)


def test_a_secret_is_masked_wherever_its_line_holds_it() -> None:
    assert masked("hunter2x9 is it: password: hunter2x9") == "hu… is it: password: hu…"


def test_secrets_within_one_another_are_masked_as_one() -> None:
    token = "gh" + "p_" + "aB3" * 12
    assert masked(f"https://mara:{token}@git.internal/x") == "https://mara:ghp_…@git.internal/x"


@pytest.mark.parametrize(("number", "whole"), [(100, False), (101, True)])
def test_a_line_of_very_many_secrets_is_masked_whole(number: int, whole: bool) -> None:
    tokens = ["gh" + f"p_{hashlib.sha256(bytes([place])).hexdigest()[:36]}" for place in range(number)]
    text = masked(f"before\nthey are {' '.join(tokens)}\nafter")
    assert text == ("before\nthey…\nafter" if whole else f"before\nthey are {' '.join(['ghp_…'] * number)}\nafter")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\\n", " "])
def test_the_body_of_a_private_key_goes_with_its_first_line(end: str) -> None:
    begin, body = "-----BEGIN RSA PRI" + "VATE KEY-----", ["MIIEpAIBAAKCAQEA" * 4] * 3
    text = masked("before " + end.join([begin, *body, "-----END RSA PRI" + "VATE KEY-----", "after"]))
    assert text.startswith("before ----…")
    assert text.endswith(f"…{end}-----END RSA PRI" + f"VATE KEY-----{end}after")
    assert (text.count("MII"), text.count("\n")) == (0, 5 * end.count("\n"))


@examples(100)
@given(st.text())
def test_masking_changes_no_text_without_a_credential(text: str) -> None:
    assert find(text) or masked(text) == text


# ---------------------------------------------------------------------- what hides one
TOKEN = "gh" + "p_" + "aB3" * 12
HIDING = [
    "\udc93", "\x93", "\u200b", "\u202e", "\ufeff", "\x00", "\x1b[0m", "\x1b[38;5;1m", "\x1b(B", "\x1bM", "\x9b0m",
    r"\x93", r"\u200b", r"\U000e0001", r"\x1b[0m", r"\033[0m", r"\e[1m", r"\n", r"\t", "%20", "%93",
]  # fmt: skip


@pytest.mark.parametrize("hiding", HIDING, ids=ascii)
def test_what_stands_directly_before_a_token_does_not_hide_it(hiding: str) -> None:
    line = f"a letter with x{hiding}{TOKEN}"
    assert [each.kind for each in find(line)] == ["GitHub Token"]
    assert masked(line) == f"a letter with x{hiding}ghp_…"


@pytest.mark.parametrize("inner", ["\\", "\u200b", "\x1b[1m"], ids=ascii)
def test_what_stands_in_a_token_does_not_hide_it(inner: str) -> None:
    text = masked(f"before ghp{inner}_{TOKEN[4:]} after")
    assert text.startswith("before ghp")
    assert text.endswith("… after")
    assert TOKEN[6:] not in text


def test_a_password_with_an_escape_in_it_is_masked_whole() -> None:
    assert masked("password=hunter2%20x9Zq7") == f"password={mask('hunter2%20x9Zq7')}"
