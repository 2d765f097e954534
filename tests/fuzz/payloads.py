"""What is put into files, and what they are called: everything that some reader takes for something special.

``{root}``, ``{whole}``, ``{head}`` and ``{short}`` in a text stand for the repository, the folder around it, its commit
and the first seven digits of that.
"""

from __future__ import annotations

from hypothesis import strategies as st

from tests.examples import file_names, soup
from tests.test_hostile import documents, ledger_lines, ledgers, manifests, policies

HOSTILE_TAG = "hostile-x"

_WORDS = [
    "", " ", "-", "--", "-x", "--help", "--all", "on", "off", "null", "~", "true", "0005747", "1529143", "1e400", "1.0",
    "0x10", "-1", "2026-02-30", ".", "..", "../..", "/", "*", "HEAD", "main", "DETACHED", "(detached)", "@{-1}", "none",
    f"<{HOSTILE_TAG} onload=x()>", f"\"'><{HOSTILE_TAG} a='", "</pre></code>", "{{ 7*7 }}", "<!--", "-->",
    "'; touch pwned; '", "$(touch pwned)", "`touch pwned`", "a\tb", "x" * 255, "x" * 70_000, "9" * 5000,
    "\u202eabc", "\u200b", "\u2028", "\x85", "\ufeff", "\ue000", "\ufffe", "😀", "\x1b[31m", "a\0b", "\x7f",
]  # fmt: skip
_TIMES = [
    "2026-09-12T10:00:00Z", "2026-09-12T12:00:00+02:00", "2026-09-12T10:00:00.123456789Z", "2026-09-12t10:00:00z",
    "2026-02-30T10:00:00Z", "2016-12-31T23:59:60Z", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59",
    "2099-01-01T00:00:00Z", "2026-09-12 10:00:00", "1970-01-01T00:00:00Z", "٢026-09-12T10:00:00Z",
]  # fmt: skip
_PLACES = [
    "{root}", "{root}/", "{root}/.", "{root}/../repo", "{whole}", "{whole}/sibling", "{whole}/outside", "/nowhere",
    "{whole}/vanishing", "{root}/.git", "{root}/docs", "{root}/.ai/local/prompts", "{root}/README.md/x", "sibling",
    "sessions-open/here.yaml", "./sessions-open/beside.yaml", "sessions-open/../sessions-open/here.yaml",
    "repo/sessions", "local/state", "../.git", "../docs", "repo/*", "repo/policy.yaml", "repo", "/etc/passwd",
]  # fmt: skip
_COMMITS = ["{head}", "{short}", "{head}0", "0" * 40, "f" * 64, "abcdef0", "0" * 7, "1234567", "ref: refs/heads/gone"]
_IDS = [
    "s-20260911000001-aaaa", "s-20260911000002-bbbb", "s-20260911000004-dddd", "s-20260911000005-eeee", "s-closed-1",
    "s-untracked", "s-only-copy", "s-lost", "s-closed-3", "session/v1", "session/v2", "session", "decision",
]  # fmt: skip
_YAML = [
    "&a [*a, *a]", "*a", "&a {b: *a}", "{a: &x 1, <<: *x}", "!!python/object/apply:os.system [touch pwned]",
    "!!binary x", "!!set {a, b}", "!<tag:x> y", "|", ">-", "'", '"', '"\\ud800"', '"\\x00"', "{", "[", "? a", "- - - a",
    "%YAML 9.9", "---", "...", "#", "a: b: c", "@x", "[a, [b, {c: d}]]", "{session_id: s-1}", "\t- x", "[]", "{}",
]  # fmt: skip
_BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
_DEEP = [
    "a: " + "[" * 3000,
    "a: " + "{b: " * 600,
    "- " * 3000,
    "".join(f"{' ' * n}a:\n" for n in range(600)),
    '{"a":' * 5000,
]
_CONFIGS = [
    "bare = true", "worktree = ..", "worktree = {whole}/outside", "worktree = /nowhere", "repositoryformatversion = 99",
    "ignorecase = true", "filemode = false", "symlinks = false", "autocrlf = true", "sparseCheckout = true",
    "fsmonitor = touch pwned", "untrackedCache = true", "splitIndex = true", "excludesFile = {root}/README.md",
    "abbrev = 4", "quotePath = true", "precomposeunicode = true", "checkStat = minimal", "trustctime = false",
    "hooksPath = {whole}/outside", "ignoreStat = true", "[color]\n\tui = always", "[status]\n\tshort = true",
    "[status]\n\tshowUntrackedFiles = no", "[status]\n\trelativePaths = true", "[index]\n\tsparse = true",
    "[extensions]\n\tobjectFormat = sha256", "[extensions]\n\tworktreeConfig = true", "[include]\n\tpath = config",
    "[extensions]\n\tunknown = 1", "[submodule \"x\"]\n\tpath = docs", "[remote \"x\"]\n\tpromisor = true", "[",
    "[status]\n\tdisplayCommentPrefix = true", "[diff]\n\tignoreSubmodules = all", "[log]\n\tshowSignature = true",
    "[alias]\n\tstatus = !touch pwned", "[core]\n\tattributesFile = .ai/manifest.yaml", "[init]\n\tdefaultBranch = -x",
]  # fmt: skip
_EVENTS = [
    f'{{"ts":"2026-09-11T03:00:00Z","event":"session.{event}","session":"{session}"{more}}}'
    for event in ("started", "closed", "recovered")
    for session in ("s-20260911000001-aaaa", "s-20260911000005-eeee", "s-closed-1", f"<{HOSTILE_TAG}>")
    for more in ("", ',"session_id":"s-lost"', ',"event":"session.closed"', ',"task_id":"t-\\u202e"', ',"x":' + "9" * 5000)
]  # fmt: skip
_POLICIES = [
    "enforcement:\n  - name: cockpit\n    path: bin/cockpit\n    wired_by: provider-hook:claude-code:session",
    "session:\n  freshness:\n    fresh_minutes: 99999999999\n    stale_minutes: 1",
    "surfaces:\n  - name: x\n    live: README.md\n    archive: docs",
    "surfaces:\n  - {name: y, live: ../outside, archive: .git}",
]

_TEXTS = [*_WORDS, *_TIMES, *_PLACES, *_COMMITS, *_IDS, *_YAML]
_BINARY = [b"\xff\xfe", b"\xed\xa0\x80", b"\0" * 9, b"\xc3", b"\xff" * 70_000, b"DIRC\0\0\0\2\xff\xff\xff\xff"]


def _raw(texts: list[str]) -> st.SearchStrategy[bytes]:
    return st.sampled_from([text.encode("utf-8", "surrogateescape") for text in texts])


pieces = st.one_of(
    _raw(_TEXTS), _raw(_TEXTS), _raw(_TEXTS), st.sampled_from(_BINARY), st.binary(max_size=12), soup.map(str.encode)
)
"""A word, a value, a scrap."""

layers = st.one_of(
    pieces, documents, documents, ledger_lines, ledgers, manifests, policies, _raw([_BOMB, *_DEEP, *_POLICIES, *_EVENTS])
)  # fmt: skip
"""What a file of the layer may come to hold."""

gits = st.one_of(pieces, _raw(_CONFIGS), _raw(_CONFIGS), _raw(_COMMITS))
"""What a file of git may come to hold."""

_NAMES = [
    b"--help.yaml", b"-x.md", b"a\nb.yaml", b"\n.yaml", b".yaml", b".md", b".tmp.x", b".tmp.", b".tmp.x.md", b"README.md",
    b"\xff.yaml", b"x" * 250 + b".yaml", b"x" * 252 + b".md", "\u202ea.yaml".encode(), b"here.yaml", b"beside.yaml",
    b"session-current.yaml", b"ledger.jsonl", b"ledger.x.jsonl.archived", b"ledger.20260101T000000Z.jsonl.archived",
    b"set-aside", b"on.md", b"HERE.yaml", b"current.yaml", b"manifest.yaml", b".git", b"index.lock", b"HEAD.lock",
    b"shallow", b"MERGE_HEAD", b"info", f"<{HOSTILE_TAG}>.md".encode(), b"a b'c\".md", b"$(touch pwned).yaml", b"sharedindex.x",
]  # fmt: skip
names = st.one_of(
    st.sampled_from(_NAMES),
    st.sampled_from(_NAMES),
    st.builds(
        lambda start, name, end: start + name + end,
        st.sampled_from([b"", b"", b".tmp."]),
        file_names,
        st.sampled_from([b".yaml", b".md", b""]),
    ),
)
"""A name that a file may be given, as bytes."""

targets = st.sampled_from(
    ["sessions-open/here.yaml", "sessions-open/beside.yaml", "sessions-open/gone.yaml", "sessions-open/none.yaml", "..",
     ".", "{whole}/outside", "{root}", "{root}/.git", "/etc/passwd", "/nowhere", "session-current.yaml", "here.yaml",
     "prompts", "\n", "a\n", "{whole}/repo/.ai/local/state/sessions-open/here.yaml", "--help", "x" * 255,
     "../sessions-open/here.yaml", "\udcff"]
)  # fmt: skip
"""Where a link may lead."""

CALLS: list[tuple[str, ...]] = [
    *(("checkout", "-q", "-b", name) for name in ("on", "null", "0005747", "1234567", "a/b", "s\u202ex", "DETACHED")),
    *(("checkout", "-q", "-b", name) for name in ("(detached)", "(null)", "true", "x'y", "$(touch-pwned)", "refs/heads/main")),
    ("update-ref", "refs/heads/-x", "HEAD"), ("symbolic-ref", "HEAD", "refs/heads/-x"),
    ("symbolic-ref", "HEAD", "refs/heads/unborn"), ("symbolic-ref", "HEAD", "refs/foo/bar"), ("symbolic-ref", "HEAD", "refs/tags/main"),
    ("checkout", "-q", "--detach"), ("checkout", "-q", "--orphan", "unborn"), ("checkout", "-q", "HEAD~1"),
    ("commit", "-q", "--allow-empty", "-m", "x"), ("commit", "-q", "-a", "-m", "x"), ("add", "-A"), ("add", "-A", "-f"),
    ("rm", "-q", "-r", "--cached", ".ai/repo/sessions"), ("rm", "-q", "-r", "-f", ".ai/repo/sessions"), ("rm", "-q", "-r", "--cached", "."),
    ("update-index", "--assume-unchanged", ".ai/manifest.yaml", ".ai/repo/sessions/README.md"),
    ("update-index", "--index-version", "4"), ("update-index", "--split-index"), ("update-index", "--untracked-cache"),
    ("update-index", "--force-untracked-cache"), ("update-index", "--really-refresh"), ("read-tree", "--empty"),
    ("pack-refs", "--all"), ("tag", "main"), ("tag", "HEAD"), ("branch", "0" * 40), ("branch", "HEAD"), ("branch", "1234567"),
    ("reset", "-q", "--hard", "HEAD~1"), ("reset", "-q", "--soft", "HEAD~1"), ("reset", "-q", "--mixed", "HEAD~1"),
    ("worktree", "remove", "--force", "../sibling"), ("worktree", "move", "../sibling", "../moved"), ("worktree", "prune"),
    ("worktree", "lock", "../sibling"), ("sparse-checkout", "set", "docs"), ("stash", "-q"), ("stash", "-q", "-u", "-a"),
    ("replace", "HEAD", "HEAD~1"), ("replace", "--graft", "HEAD"), ("branch", "-m", "main", "renamed"), ("config", "core.bare", "true"),
    ("config", "core.splitIndex", "true"), ("mv", ".ai/repo/sessions", ".ai/repo/moved"), ("clean", "-q", "-f", "-d", "-x"),
]  # fmt: skip
"""What a person or a tool may do with git meanwhile."""
