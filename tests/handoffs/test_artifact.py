"""``export`` and ``verify``: an artifact says what the letter says, and whether that still holds."""

from __future__ import annotations

import hashlib
import importlib.resources
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cockpit.handoffs.artifact import Artifact, digest, schema
from tests.builders import Scene
from tests.handoffs.letters import ARCHIVE, LIVE, NAME, OTHER, archived, body, consumed, letter, live
from tests.handoffs.running import handoff, kept, new, written

SCHEMA = json.loads(importlib.resources.files("cockpit.handoffs").joinpath("handoff.schema.json").read_text("utf-8"))


def _export(scene: Scene, *more: str, name: str = NAME) -> dict[str, Any]:
    ran = handoff(scene, "export", *more, name)
    assert ran.exit_code == 0, ran.stderr
    made: dict[str, Any] = json.loads(ran.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(made)
    return made


def _verify(scene: Scene, made: object) -> tuple[int, str]:
    ran = handoff(scene, "verify", "-", text=made if isinstance(made, str | bytes) else json.dumps(made))
    return ran.exit_code, ran.stderr


def _resealed(made: dict[str, Any]) -> dict[str, Any]:
    """An artifact that was edited, with the digest that fits."""
    return made | {"digest": digest(msgspec.convert(made, Artifact))}


# ---------------------------------------------------------------------- the form
def test_the_packaged_schema_is_the_one_of_the_types() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(msgspec.json.encode(schema())) == SCHEMA


def test_an_artifact_says_what_the_letter_says(scene: Scene) -> None:
    archived(scene, consumed(leg="0"), OTHER)
    live(scene, letter(supersedes=f"{ARCHIVE}/{OTHER}"))
    before = scene.picture()
    made = _export(scene, "--expires", "2100-01-01T00:00:00Z")
    assert made["owner"] == {"name": "Mara Lind", "email": "mara@example.org"}
    assert (made["path"], made["generation"], made["expires_at"]) == (f"{LIVE}/{NAME}", 2, "2100-01-01T00:00:00Z")
    assert made["fields"]["Consumed-at"] == "pending"
    assert [each["role"] for each in made["sections"] if "role" in each] == [
        "goal",
        "progress",
        "remainder",
        "invariants",
        "verification",
    ]
    assert _verify(scene, made)[0] == 0
    assert scene.picture() == before


def test_without_an_identity_there_is_no_owner(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path / "r")], check=True)
    scene = Scene(tmp_path / "r")
    live(scene, letter())
    made = _export(scene)
    assert "owner" not in made
    assert _verify(scene, made)[0] == 0


@pytest.mark.parametrize("stated", ["0", "-1", "soon", "2020-01-01T00:00:00Z", "2100-01-01", "10000"])
def test_what_is_no_time_to_come_is_no_expiry(scene: Scene, stated: str) -> None:
    live(scene, letter())
    ran = handoff(scene, "export", f"--expires={stated}", f"{LIVE}/{NAME}")
    assert (ran.exit_code, "--expires" in ran.stderr, ran.stdout) == (2, True, "")


def test_a_credential_does_not_travel(scene: Scene) -> None:
    secret = "AKIA" + "IOSFODNN7EXAMPLQ"
    live(scene, letter(body(more=f"\n{secret}\n")))
    ran = handoff(scene, "export", f"{LIVE}/{NAME}")
    assert (ran.exit_code, ran.stdout, secret in ran.stderr) == (3, "", False)


def test_a_name_that_is_no_text_cannot_travel(scene: Scene) -> None:
    name = NAME.replace("labels", "\udcff")
    live(scene, letter(), name)
    assert handoff(scene, "export", f"{LIVE}/{name}").exit_code == 3


# ---------------------------------------------------------------------- why it does not hold
@pytest.mark.parametrize("text", ["", "{", "[]", "null", "{}", b"\xff", "[" * 100_000, '{"form": "x"}'])
def test_what_is_no_artifact_ends_with_two(scene: Scene, text: str | bytes) -> None:
    code, said = _verify(scene, text)
    assert (code, said.startswith("cockpit: That is no handoff artifact: ")) == (2, True)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("form", "cockpit/handoff/v2"), ("generation", 0), ("generation", 1.5), ("sha256", "x"), ("exported_at", "now"),
        ("expires_at", "2026-13-01T00:00:00Z"), ("path", ""), ("sections", [{"level": 7, "text": ""}]), ("more", 1), ("owner", None),
    ],
)  # fmt: skip
def test_what_does_not_fit_the_schema_ends_with_two(scene: Scene, field: str, value: object) -> None:
    live(scene, letter())
    assert _verify(scene, _export(scene) | {field: value})[0] == 2


@pytest.mark.parametrize("member", ['"title": "Another"', '"sections": []', '"owner": {"name": "x", "name": "y"}'])
def test_a_member_that_stands_twice_ends_with_two_since_readers_take_either(scene: Scene, member: str) -> None:
    live(scene, letter())
    text = json.dumps(_export(scene))
    code, said = _verify(scene, f"{{{member}, {text[1:]}")
    assert (code, "a member twice" in said) == (2, True)


def test_what_is_too_large_for_an_artifact_is_said(scene: Scene) -> None:
    code, said = _verify(scene, " " * (16 << 20) + "{}")
    assert (code, "holds more than 16 MiB" in said) == (2, True)


def test_a_letter_that_takes_six_bytes_for_one_in_json_travels(scene: Scene) -> None:
    live(scene, letter() + "\1" * 900_000)
    assert _verify(scene, _export(scene))[0] == 0


def test_a_changed_letter_ends_with_ten(scene: Scene) -> None:
    live(scene, letter())
    made = _export(scene)
    live(scene, letter(effort="other"))
    code, said = _verify(scene, made)
    assert (code, "export the letter anew" in said) == (10, True)


def test_a_letter_that_was_consumed_has_changed(scene: Scene) -> None:
    live(scene, letter())
    made = _export(scene)
    handoff(scene, "consume", f"{LIVE}/{NAME}")
    code, said = _verify(scene, made)
    assert (code, "was consumed since" in said, "`cockpit resume`" in said) == (10, True, True)


def test_the_artifact_of_a_consumed_letter_does_not_hold(scene: Scene) -> None:
    archived(scene, consumed())
    live(scene, consumed(), OTHER)
    for name in (NAME, OTHER):
        code, said = _verify(scene, _export(scene, name=name))
        assert (code, "was consumed since, or before" in said) == (10, True)


_FORGED: list[tuple[str, object]] = [
    ("title", "Other"),
    ("title", None),
    ("fields", {}),
    ("fields", {"Effort": "other"}),
    ("sections", []),
    ("sections", [{"level": 0, "text": "Other.\n"}]),
]


@pytest.mark.parametrize("reseal", [_resealed, dict])
@pytest.mark.parametrize(("field", "value"), _FORGED)
def test_what_the_letter_does_not_say_ends_with_ten_and_is_named(
    scene: Scene, field: str, value: object, reseal: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    live(scene, letter())
    made = _export(scene) | {field: value}
    code, said = _verify(scene, reseal({name: each for name, each in made.items() if each is not None}))
    verb = "is" if field == "title" else "are"
    assert (code, f"The artifact's {field} {verb} not what the letter {LIVE}/{NAME} says" in said) == (10, True)


@pytest.mark.parametrize("field", ["fields", "sections"])
def test_a_part_of_a_field_that_is_edited_is_seen(scene: Scene, field: str) -> None:
    live(scene, letter())
    made = _export(scene)
    parts = {"fields": made["fields"] | {"Leg": "2"}, "sections": [made["sections"][0] | {"text": ""}]}
    assert _verify(scene, _resealed(made | {field: parts[field]}))[0] == 10


@pytest.mark.parametrize("path", [f"docs/{NAME}", NAME, f"/{LIVE}/{NAME}", f"{LIVE}/../handoffs/{NAME}"])
def test_a_path_in_another_folder_ends_with_fourteen(scene: Scene, path: str) -> None:
    live(scene, letter())
    assert _verify(scene, _resealed(_export(scene) | {"path": path}))[0] == 14


def test_a_letter_that_lies_elsewhere_since_ends_with_ten(scene: Scene) -> None:
    live(scene, letter())
    made = _export(scene)
    (scene.root / LIVE / NAME).unlink()
    archived(scene, letter())
    code, said = _verify(scene, made)
    assert (code, f"lies in {ARCHIVE}/{NAME} now" in said) == (10, True)


@pytest.mark.parametrize(
    "edited",
    [
        {"owner": None},
        {"owner": {"name": "Other", "email": "mara@example.org"}},
        {"expires_at": None},
        {"expires_at": "2099-01-01T00:00:00Z"},
        {"exported_at": "2020-01-01T00:00:00Z"},
        {"digest": "0" * 64},
    ],
)
def test_an_artifact_that_was_edited_ends_with_ten(scene: Scene, edited: dict[str, object]) -> None:
    live(scene, letter())
    made = _export(scene, "--expires", "1") | edited
    code, said = _verify(scene, {name: each for name, each in made.items() if each is not None})
    assert (code, "not as it was exported" in said) == (10, True)


def test_an_artifact_without_a_digest_is_none(scene: Scene) -> None:
    live(scene, letter())
    made = _export(scene)
    del made["digest"]
    assert _verify(scene, made)[0] == 2


def test_the_digest_can_be_made_with_what_every_language_has(scene: Scene) -> None:
    live(scene, letter(title='# “é” \U0001f600 \\ "x" /\n'))
    made = _export(scene)
    assert _verify(scene, json.dumps(dict(reversed(made.items())), indent=3))[0] == 0
    stated = made.pop("digest")
    said = json.dumps(made, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(said.encode()).hexdigest() == stated


def test_a_superseded_letter_ends_with_eleven(scene: Scene) -> None:
    new(scene, "--write")
    made = _export(scene, name=written(scene)[0].name)
    new(scene, "--write", "--supersedes", f"{LIVE}/{written(scene)[0].name}", slug="two")
    code, said = _verify(scene, made)
    assert (code, "is superseded by docs/handoffs/" in said) == (11, True)
    kept(scene)[0].unlink()
    assert _verify(scene, made)[0] == 11


def test_another_generation_ends_with_eleven(scene: Scene) -> None:
    live(scene, letter())
    assert _verify(scene, _export(scene) | {"generation": 2})[0] == 11


def test_an_expired_artifact_ends_with_twelve(scene: Scene) -> None:
    live(scene, letter())
    code, said = _verify(scene, _export(scene, "--expires", "1") | {"expires_at": "2026-01-01T00:00:00Z"})
    assert (code, "export the letter anew" in said) == (12, True)


@pytest.mark.parametrize(
    "owner", [{"name": "Mara Lind", "email": "m@x.org"}, {"name": "Other"}, {"email": "other@x.org"}]
)
def test_another_owner_ends_with_thirteen(scene: Scene, owner: dict[str, str]) -> None:
    live(scene, letter())
    code, said = _verify(scene, _export(scene) | {"owner": owner})
    assert (code, "Agree with its owner" in said) == (13, True)


@pytest.mark.parametrize("owner", [{"name": "M. Lind", "email": "mara@example.org"}, {"name": "Mara Lind"}])
def test_an_owner_is_told_by_the_address_and_else_by_the_name(scene: Scene, owner: dict[str, str]) -> None:
    live(scene, letter())
    assert _verify(scene, _resealed(_export(scene) | {"owner": owner}))[0] == 0


def test_a_missing_letter_ends_with_fourteen(scene: Scene) -> None:
    live(scene, letter())
    made = _export(scene)
    (scene.root / LIVE / NAME).unlink()
    code, said = _verify(scene, made)
    assert (code, "or name its checkout with --repo." in said) == (14, True)
    assert _verify(scene, made | {"path": "../../etc/passwd"})[0] == 14


def test_an_artifact_is_read_from_a_file_too(scene: Scene, tmp_path: Path) -> None:
    live(scene, letter())
    (tmp_path / "a.json").write_text(json.dumps(_export(scene)))
    assert handoff(scene, "verify", str(tmp_path / "a.json")).exit_code == 0
    ran = handoff(scene, "verify", str(tmp_path / "b.json"))
    assert (ran.exit_code, "cannot be read" in ran.stderr) == (2, True)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (os.mkfifo, "is not a regular file"),
        (os.mkdir, "is a folder"),
        (lambda path: None, "cannot be read (No such file"),
    ],
)
def test_what_is_no_file_is_called_what_it_is_and_not_waited_for(
    scene: Scene, tmp_path: Path, make: Callable[[Path], object], said: str
) -> None:
    make(tmp_path / "a")
    ran = handoff(scene, "verify", str(tmp_path / "a"))
    assert (ran.exit_code, said in ran.stderr) == (2, True)
    assert "its folder is not there" in handoff(scene, "verify", str(tmp_path / "b/a")).stderr


# ---------------------------------------------------------------------- there and back
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60), st.binary(max_size=60))
def test_any_letter_travels_and_holds(scene: Scene, title: str, more: bytes) -> None:
    live(scene, letter(title=f"# {title}\n").encode("utf-8", "replace") + more)
    made = _export(scene)
    assert json.loads(msgspec.json.encode(msgspec.convert(made, Artifact))) == made
    assert _verify(scene, made)[0] == 0
