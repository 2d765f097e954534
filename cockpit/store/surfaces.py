"""Live, archive, summary: the surfaces of a repository and of BodhiKit projects, and what lies in their files.

BodhiKit's rule: ``.bodhikit/config.json`` with ``projectRoot`` in this folder or up to three parents; else the
``searchPaths`` of ``~/.bodhikit/config.json`` (default ``$PWD`` and ``~/learningWithBodhi``); in each
``learningWithBodhi/``, every folder with ``.bodhi/state.json``. A project keeps its documents in ``.bodhi/``, or beside
it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from msgspec import Struct

from cockpit.formats import document, surfaces
from cockpit.formats.policy import section_path
from cockpit.formats.surfaces import BODHIKIT, DIGESTS, Surface
from cockpit.formats.text import shown
from cockpit.store.files import LIMIT, Fault, Listing, Signature, folder, listing, opened, read_all, signature, unread
from cockpit.store.layer import MANIFEST
from cockpit.store.worktrees import PRIVATE
from cockpit.store.worktrees import below as below_folder

LARGEST = 1 << 28  # bytes of a live document or an archive file
SERVED = 2 << 20  # bytes of one that is read for a page: each request reads them
PARENTS = 3
GATHERED = "learningWithBodhi"
CONFIG = ".bodhikit/config.json"
PROJECT = ".bodhi/state.json"
REVIEW = "spaced-review.json"
LEGACY = ("code", "projects")


class Found(Struct, frozen=True):
    """The surfaces, the BodhiKit projects they belong to (absolute), and a sentence for each that is refused."""

    surfaces: tuple[Surface, ...] = ()
    projects: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()


class File(Struct, frozen=True):
    """A file as it was read: its bytes, what would show a change, its mode and its owner."""

    data: bytes
    signature: Signature
    mode: int
    owner: tuple[int, int]


class Shelved(Struct, frozen=True):
    """An archive folder: its listing, and the bytes of its digests."""

    listing: Listing
    digests: bytes = b""

    @property
    def names(self) -> frozenset[str]:
        """The names in it."""
        return frozenset(self.listing.entries)


# ---------------------------------------------------------------------- which there are
def below(root: str) -> Found:
    """The surfaces of a checkout: those of its policy, and of the projects that lie in it."""
    declared, findings = _declared(root)
    near = [each for each in _near(root, parents=0) if _inside(each, root)]
    projects = [each for each in near[:1] or _gathered([root]) if _inside(each, root)]
    config = small(root, CONFIG)
    if isinstance(config, Fault):
        findings.append(f"The configuration {config.path} {config.reason}, so no project that it names is known.")
    return Found((*declared, *_of_projects(projects)), tuple(projects), tuple(findings))


def found(start: str, home: str) -> Found:
    """The surfaces that a run in the folder ``start`` (absolute) is about."""
    root = _repository(start)
    declared, findings = _declared(root) if root else ([], [])
    projects = next(iter([each] for each in _near(start, PARENTS)), None) or _gathered(_searched(start, home))
    return Found((*declared, *_of_projects(projects)), tuple(projects), tuple(findings))


def legacy(home: str) -> list[str]:
    """The folders of projects at the places of old, where no configuration names others."""
    if os.path.lexists(os.path.join(home, CONFIG)):
        return []
    places = [os.path.join(home, each, GATHERED) for each in LEGACY]
    return [place for place in places if any(_projects(place))]


def projects_in(places: Iterable[str]) -> list[str]:
    """The projects in some ``learningWithBodhi`` folders."""
    return [project for place in places for project in _projects(place)]


def repository(start: str) -> str | None:
    """The nearest folder, this one or one above, that is a checkout or has a layer."""
    return _repository(start)


def _repository(start: str) -> str | None:
    for place in _upwards(start):
        if any(os.path.lexists(os.path.join(place, name)) for name in (".git", ".ai")):
            return place
    return None


def _upwards(start: str, parents: int | None = None) -> Iterator[str]:
    place, number = start, 0
    while parents is None or number <= parents:
        yield place
        above = os.path.dirname(place)
        if above == place:
            return
        place, number = above, number + 1


def _declared(root: str) -> tuple[list[Surface], list[str]]:
    manifest = small(root, MANIFEST)
    if isinstance(manifest, Fault):
        return [], [f"The manifest {manifest.path} {manifest.reason}, so no surface of this checkout is known."]
    laid_out = document.parse(manifest or b"")
    path = section_path(laid_out, "policy")
    policy = small(root, path) if path else None
    if isinstance(policy, Fault):
        return [], [f"The policy {policy.path} {policy.reason}, so no surface of it is known."]
    read = document.parse(policy or b"")
    declared, refused = surfaces.declared(root, read)
    broken = [("manifest", MANIFEST, laid_out), ("policy", path or "", read)]
    damage = [
        f"The {what} {shown(where)} {each.to_correct}; not every surface may be known."
        for what, where, each in broken
        if each.to_correct
    ]
    return declared, damage + refused


def _near(start: str, parents: int) -> Iterator[str]:
    """The project that this folder or one not far above names or is."""
    for place in _upwards(start, parents):
        config = small(place, CONFIG)
        stated = surfaces.project_root(config) if isinstance(config, bytes) else ""
        if stated:
            yield _stated_root(place, stated)
            return
    for place in _upwards(start, parents):
        if os.path.isfile(os.path.join(place, PROJECT)):
            yield place
            return


def _stated_root(place: str, stated: str) -> str:
    """``projectRoot`` means the folder beside ``.bodhikit``; the configuration's own folder is tried after that."""
    choices = [os.path.normpath(os.path.join(place, *inner, stated)) for inner in ((), (".bodhikit",))]
    return next((each for each in choices if os.path.isdir(os.path.join(each, ".bodhi"))), choices[0])


def _searched(start: str, home: str) -> Iterator[str]:
    config = small(home, CONFIG)
    paths = surfaces.search_paths(config) if isinstance(config, bytes) else None
    for each in paths if paths is not None else ["$PWD", f"~/{GATHERED}"]:
        if each == "$PWD":
            yield from _upwards(start, PARENTS)
        else:
            yield os.path.normpath(os.path.join(start, home + each[1:] if each.startswith("~/") else each))


def _gathered(places: Iterable[str]) -> list[str]:
    """The projects in the ``learningWithBodhi`` folders that some places are or hold."""
    folders = [
        each
        for place in places
        for each in ([place] if os.path.basename(place) == GATHERED else [os.path.join(place, GATHERED)])
    ]
    return [project for each in dict.fromkeys(folders) for project in _projects(each)]


def _projects(gathered: str) -> list[str]:
    if os.path.islink(gathered):
        return []
    names = sorted(name for name, entry in listing(gathered, "").entries.items() if entry.kind == "folder")
    return [place for name in names if os.path.isfile(os.path.join(place := os.path.join(gathered, name), PROJECT))]


def _inside(place: str, root: str) -> bool:
    return below_folder(place, root) and not any(below_folder(place, os.path.join(root, p)) for p in (".git", PRIVATE))


def _of_projects(projects: Iterable[str]) -> Iterator[Surface]:
    for root in projects:
        for name, live, archive in BODHIKIT:
            base = home_of(root, live)
            if base is not None:
                yield Surface(root, name, f"{base}{live}", f"{base}{archive}", f"Summary of earlier {name}")


def home_of(project: str, path: str) -> str | None:
    """Where a project keeps a file: in ``.bodhi/`` or beside it; None where it has none of that name."""
    return next((base for base in (".bodhi/", "") if os.path.lexists(os.path.join(project, base + path))), None)


# ---------------------------------------------------------------------- what lies in them
def small(root: str, path: str) -> bytes | Fault | None:
    """The bytes of a file of ordinary size; None where there is none."""
    read = file(root, path, LIMIT)
    return read.data if isinstance(read, File) else read


def file(root: str, path: str, limit: int = LARGEST) -> File | Fault | None:
    """A file below ``root``, whole, never through a link; None where there is none."""
    head, _, name = path.rpartition("/")
    try:
        with folder(root, head) as at, opened(at, name) as (descriptor, status):
            if status.st_size > limit:
                return Fault(shown(path), f"is larger than {limit >> 20} MiB and was not read")
            data = read_all(descriptor, limit)
            after = os.fstat(descriptor)
            return File(data, signature(after), after.st_mode & 0o7777, (after.st_uid, after.st_gid))
    except FileNotFoundError:
        return None
    except OSError as error:
        return unread(path, error)


def shelved(surface: Surface, limit: int = LARGEST) -> Shelved | Fault:
    """An archive folder as it is; one that is not there yet is empty. ``limit`` is the largest list of digests."""
    seen = listing(surface.root, surface.archive)
    if seen.fault:
        return seen.fault
    noted = file(surface.root, f"{surface.archive}/{DIGESTS}", limit) if seen.present else None
    if isinstance(noted, Fault):
        return noted
    return Shelved(seen, noted.data if noted else b"")


def contents(surface: Surface, names: Iterable[str]) -> dict[str, bytes]:
    """The bytes of archive files; one that cannot be read is left out."""
    read = {name: file(surface.root, f"{surface.archive}/{name}") for name in names}
    return {name: each.data for name, each in read.items() if isinstance(each, File)}


class Seen(Struct, frozen=True):
    """A surface as it lies on disk: its live document, and its archive folder."""

    surface: Surface
    live: File | Fault | None
    shelf: Shelved | Fault


class Survey(Struct, frozen=True):
    """Everything of a checkout that housekeeping is about; ``reviews`` are spaced reviews, each with its project."""

    seen: tuple[Seen, ...] = ()
    reviews: tuple[tuple[str, str, File | Fault], ...] = ()
    findings: tuple[str, ...] = ()


def survey(root: str) -> Survey:
    """The surfaces and spaced reviews that lie in a checkout, read."""
    known = below(root)
    seen = tuple(Seen(each, file(each.root, each.live, SERVED), shelved(each, SERVED)) for each in known.surfaces)
    reviews = []
    for project in known.projects:
        base = home_of(project, REVIEW)
        read = None if base is None else file(project, f"{base}{REVIEW}", SERVED)
        if base is not None and read is not None:
            reviews.append((project, f"{base}{REVIEW}", read))
    return Survey(seen, tuple(reviews), known.findings)
