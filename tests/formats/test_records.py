"""A document is a record, or there is a sentence that says why it is none."""

from __future__ import annotations

import pytest

from cockpit.formats import document, frontmatter, records
from cockpit.formats.records import Mismatch

NOTE = {"schema_version": "1", "created_at": "2026-09-12T10:00:00Z", "head": "0005747"}
SESSION = {"schema": "session/v1", "kind": "session", "session_id": "s-1"}


def _front(fields: dict[str, str], body: str = "") -> frontmatter.FrontMatter | None:
    header = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return frontmatter.parse(f"---\n{header}---\n{body}".encode())


def test_an_open_record_keeps_what_was_written() -> None:
    read = records.open_record(document.parse(b"session_id: s-1\nbranch: on\nstart_head: 0005747\nunknown: x\n"))
    assert isinstance(read, records.OpenRecord)
    assert (read.session_id, read.branch, read.start_head, read.owner) == ("s-1", "on", "0005747", "")


@pytest.mark.parametrize(
    "data", [b"", b"session_id:\n", b'session_id: ""\n', b"session_id: [a]\n", b"\xff\nbranch: x\n"]
)
def test_an_open_record_without_a_session_id_is_none(data: bytes) -> None:
    read = records.open_record(document.parse(data))
    assert isinstance(read, Mismatch)
    assert "no session_id" in read.reason


def test_a_broken_record_says_that_it_does_not_parse() -> None:
    read = records.open_record(document.parse(b"owner: [\nbranch: x\n"))
    assert isinstance(read, Mismatch)
    assert "does not parse" in read.reason


@pytest.mark.parametrize("without", list(NOTE))
def test_a_note_needs_its_three_fields(without: str) -> None:
    assert isinstance(records.note(_front(NOTE)), records.Note)
    read = records.note(_front({k: v for k, v in NOTE.items() if k != without}))
    assert isinstance(read, Mismatch)
    assert without in read.reason


@pytest.mark.parametrize("version", ["2", "1.0", "01", "v1", "[1]"])
def test_a_note_of_another_version_is_none(version: str) -> None:
    assert isinstance(records.note(_front(NOTE | {"schema_version": version})), Mismatch)


def test_a_note_without_front_matter_is_none() -> None:
    assert isinstance(records.note(None), Mismatch)


def test_a_note_carries_its_next_action() -> None:
    read = records.note(_front(NOTE, "# Next Action\n\nGo on.\n"))
    assert isinstance(read, records.Note)
    assert read.next_action == "Go on."


def test_a_task_needs_an_id() -> None:
    read = records.active_task(document.parse(b"id: t-1\nscope: [a, b]\nrequires: []\n"))
    assert isinstance(read, records.ActiveTask)
    assert (read.id, read.scope, read.requires) == ("t-1", ["a", "b"], [])
    assert isinstance(records.active_task(document.parse(b"task: x\n")), Mismatch)


@pytest.mark.parametrize("without", list(SESSION))
def test_a_closed_record_needs_its_three_fields(without: str) -> None:
    assert isinstance(records.session_record(_front(SESSION)), records.SessionRecord)
    read = records.session_record(_front({k: v for k, v in SESSION.items() if k != without}))
    assert isinstance(read, Mismatch)
    assert not read.other


def test_a_record_of_another_kind_is_told_apart() -> None:
    read = records.session_record(_front(SESSION | {"kind": "decision", "schema": "decision/v1"}))
    assert isinstance(read, Mismatch)
    assert read.other


@pytest.mark.parametrize("data", [b"sessions-open/a.yaml", b"sessions-open/a b.yaml\n", b"./sessions-open/x.yaml\r\n"])
def test_a_file_that_holds_just_a_link_s_text_is_that_link(data: bytes) -> None:
    assert records.link_text(data) == data.decode().strip()


@pytest.mark.parametrize(
    "data",
    [b"", b"session_id: s", b"sessions-open/../x.yaml", b"sessions-open/a.yaml\nb", b"/sessions-open/a.yaml", b"\xff"],
)
def test_any_other_text_is_no_link(data: bytes) -> None:
    assert records.link_text(data) == ""
