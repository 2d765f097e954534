"""Whatever lies in a repository, every route answers, nothing changes, and every command is one line to paste."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from cockpit.reads.catalog import CATALOG
from cockpit.reads.recovery import needs
from cockpit.store.checkout import Checkout
from tests.builders import SESSIONS, STATE, Scene, paste
from tests.examples import ODD, examples, file_names, soup
from tests.looking import BASE, client

PAGES = ["/cockpit/continuity", "/cockpit/continuity.md"]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small repository to be copied, with one closed record."""
    scene = Scene.create(tmp_path_factory.mktemp("original") / "repo")
    scene.closed_record("s-closed")
    scene.commit("Close")
    return scene.root


@pytest.fixture(scope="module")
def web(original: Path) -> FlaskClient:
    """The application on that repository, for what does not depend on its store."""
    return client(Scene(original))


# ---------------------------------------------------------------------- what may lie there
texts = st.one_of(
    soup, st.sampled_from(ODD), st.sampled_from(["on", "0005747", "1.0", "~", "[", "{", "- x", "&a [*a]", "x" * 5000])
)
times = st.sampled_from(
    ["2026-09-12T10:00:00Z", "2026-02-30T10:00:00Z", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "on", ""]
)
ids = st.one_of(st.sampled_from(["s-1", "s-2", "s-closed", "../x", "<b>", "%2F", "s-\u202e1"]), texts)
places = st.sampled_from(
    ["{root}", "{root}/.", "/nowhere", "/", "/etc/passwd", ".", "..", "{root}/.git", "\0", "x" * 5000]
)
heads = st.sampled_from(["{head}", "0" * 40, "f" * 64, "abcdef0", "HEAD", "--all", "", "on", "0005747"])

FIELDS: dict[str, st.SearchStrategy[str]] = {
    "session_id": ids,
    "schema": st.sampled_from(["session/v1", "session/v2"]),
    "kind": st.sampled_from(["session", "decision"]),
    "schema_version": st.sampled_from(["1", "1.0"]),
    "created_at": times,
    "started_at": times,
    "worktree": places,
    "branch": st.sampled_from(["main", "on", "DETACHED", "(detached)", "\u202emain"]),
    "head": heads,
    "start_head": heads,
    "id": texts,
    "task": texts,
    "owner": texts,
    "provider": texts,
    "provider_session": texts,
    "outcome": texts,
    "title": texts,
    "changed_files": st.sampled_from(["\n  - *.md", "\n  - @x", "[]", "", '\n  - "\\303\\274.txt"', "\n  - [[[["]),
    "scope": texts,
}


@st.composite
def _fields(draw: st.DrawFn) -> bytes:
    names = draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=12))
    sure = draw(
        st.sampled_from(
            [
                "",
                "session_id: s-1\n",
                "schema: session/v1\nkind: session\nsession_id: s-1\n",
                "schema_version: 1\ncreated_at: 2026-09-12T10:00:00Z\nbranch: main\nhead: {head}\n",
            ]
        )
    )
    text = sure + "".join(f"{name}: {draw(FIELDS[name])}\n" for name in names)
    return text.encode("utf-8", "replace")


documents = st.one_of(
    _fields(),
    _fields().map(lambda data: b"---\n" + data + b"---\n\n# Next Action\n\nGo on.\n"),
    _fields().map(lambda data: b"\xef\xbb\xbf---\r\n" + data.replace(b"\n", b"\r\n") + b"---\r\n"),
    st.binary(max_size=60),
    st.tuples(_fields(), st.binary(max_size=8)).map(b"".join),
    st.just(b"a: " + b"[" * 3000),
)

EVENTS = ["session.started", "session.closed", "session.recovered", "task.started", "SessionStart", "ledger.rotated"]


def _odd_json() -> st.SearchStrategy[Any]:
    scalars = st.one_of(texts, st.none(), st.booleans(), st.integers(), st.floats())
    return st.one_of(scalars, st.lists(scalars, max_size=2), st.dictionaries(texts, scalars, max_size=2))


ledger_lines = st.one_of(
    st.fixed_dictionaries(
        {"event": st.sampled_from(EVENTS), "session": ids, "ts": times},
        optional={"task_id": texts, "session_id": ids, "x": _odd_json()},
    ).map(lambda line: json.dumps(line).encode()),
    st.dictionaries(st.sampled_from(["event", "session", "ts", "task_id", "session_id"]), _odd_json()).map(
        lambda line: json.dumps(line).encode()
    ),
    st.binary(max_size=40),
)
ledgers = st.tuples(st.lists(ledger_lines, max_size=8), st.sampled_from([b"", b"\n", b"\r\n", b"{"])).map(
    lambda parts: b"\n".join(parts[0]) + parts[1]
)
manifests = st.one_of(
    st.sampled_from(
        ["repo/sessions", "..", "../..", "/etc", "local/state", "../.git", "repo", "repo/*", ".", "a b\x01"]
    ).map(lambda path: f"sections:\n  sessions: {path}\n  policy: {path}\n".encode()),
    documents,
)
policies = st.one_of(
    st.tuples(texts, texts, texts).map(
        lambda t: (
            f"session:\n  freshness:\n    fresh_minutes: {t[0]}\n    stale_minutes: {t[1]}\nenforcement:\n  - name: {t[2]}\n    wired_by: provider-hook:{t[0]}\n".encode(
                "utf-8", "replace"
            )
        )
    ),
    documents,
)

FOLDERS = [f"{STATE}/sessions-open", f"{STATE}/handovers", f"{STATE}/checkpoints", SESSIONS]
fixed = st.one_of(
    st.tuples(st.just(f"{STATE}/ledger.jsonl".encode()), ledgers),
    st.tuples(st.just(f"{STATE}/ledger.20260910T000000Z.jsonl.archived".encode()), ledgers),
    st.tuples(
        st.just(f"{STATE}/session-current.yaml".encode()), st.one_of(documents, st.just(b"sessions-open/a.yaml"))
    ),
    st.tuples(st.just(f"{STATE}/current.yaml".encode()), documents),
    st.tuples(
        st.just(f"{STATE}/open-questions.md".encode()),
        st.one_of(soup.map(str.encode), st.just(b"- [unresolved] \xff\xe2\x80\xae")),
    ),
    st.tuples(st.just(b".ai/manifest.yaml"), manifests),
    st.tuples(st.just(b".ai/repo/policy.yaml"), policies),
)
named = st.tuples(
    st.builds(
        lambda folder, prefix, name, ending: folder.encode() + b"/" + prefix + name + ending,
        st.sampled_from(FOLDERS),
        st.sampled_from([b"", b".tmp."]),
        st.one_of(file_names, st.just(b"a")),
        st.sampled_from([b".yaml", b".md", b""]),
    ),
    documents,
)
kinds = st.sampled_from(["file"] * 12 + ["link", "folder", "fifo", "link up"])
stores = st.lists(st.tuples(st.one_of(fixed, named, named), kinds), min_size=1, max_size=8)


def _lay(scene: Scene, store: list[tuple[tuple[bytes, bytes], str]]) -> None:
    """Put everything where it belongs; what stands in the way of it stays."""
    head = scene.head.encode()
    for (path, data), kind in store:
        target = os.path.join(os.fsencode(scene.root), path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.lexists(target):
            if not os.path.isfile(target):
                continue
            os.unlink(target)
        if kind == "file":
            content = data.replace(b"{root}", os.fsencode(scene.root)).replace(b"{head}", head)
            Path(os.fsdecode(target)).write_bytes(content)
        elif kind == "folder":
            os.mkdir(target)
        elif kind == "fifo":
            os.mkfifo(target)
        else:
            os.symlink(b"sessions-open/a.yaml" if kind == "link" else b"..", target)


def _remedies(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if "remedy" in value:
            yield value["remedy"]
        for inner in value.values():
            yield from _remedies(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _remedies(inner)


@given(store=stores)
@examples(80)
def test_every_route_answers_whatever_lies_in_the_store(original: Path, store: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(original, f"{folder}/repo", symlinks=True)
        scene = Scene(Path(folder, "repo").resolve())
        _lay(scene, store)
        before = scene.picture()
        web = client(scene)
        described = web.get("/openapi.json", base_url=BASE).get_json()
        for read in CATALOG:
            answer = web.get(read.route, base_url=BASE)
            assert (answer.status_code, read.id) == (200, read.id)
            operation = described["paths"][read.route]["get"]["responses"]["200"]
            schema = operation["content"]["application/json"]["schema"] | {"components": described["components"]}
            jsonschema.validate(answer.get_json(), schema)
            for remedy in _remedies(answer.get_json()):
                assert re.fullmatch("[ -~]+", remedy)
                assert shlex.split(remedy)
        for path in PAGES:
            page = web.get(path, base_url=BASE)
            assert (page.status_code, path) == (200, path)
            assert "This read failed" not in page.text
        assert scene.picture() == before


@given(store=stores)
@examples(40)
def test_all_commands_of_any_store_pasted_in_order_leave_nothing_to_do(original: Path, store: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(original, f"{folder}/repo", symlinks=True)
        scene = Scene(Path(folder, "repo").resolve())
        _lay(scene, store)
        recovery = next(read for read in CATALOG if read.id == "lifecycle.recovery")
        opened = Checkout.open(str(scene.root))
        found = needs(recovery.ask(opened.look()))
        paste("\n".join(item.remedy for item in found))
        assert needs(recovery.ask(opened.look())) == []


@given(
    query=st.lists(
        st.tuples(
            st.one_of(texts, st.sampled_from(["standing", "sort", "dir", "page", "q", "provider", "uri"])), texts
        ),
        max_size=4,
    )
)
@examples(60)
def test_no_address_is_a_fault_of_the_program(web: FlaskClient, query: list[tuple[str, str]]) -> None:
    for path in ("/cockpit/continuity", "/cockpit/object", "/api/v1/continuity"):
        assert web.get(path, base_url=BASE, query_string=query).status_code in (200, 400, 404)


@given(path=texts)
@examples(60)
def test_no_path_is_a_fault_of_the_program(web: FlaskClient, path: str) -> None:
    for start in ("/", "/cockpit/", "/api/v1/", "/static/"):
        with web.get(f"{start}{path}".replace("\n", ""), base_url=BASE) as response:
            assert response.status_code in (200, 302, 303, 308, 400, 404)
