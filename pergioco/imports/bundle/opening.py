"""A folder, or a zip of it: which files are there, and their lines as text."""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from pergioco.imports.bundle.files import COMPUTED, FACTS
from pergioco.imports.bundle.problems import Report
from pergioco.imports.limits import MEGABYTE

MOST_MEMBERS = 200
MOST_PACKED = 200 * MEGABYTE
MOST_UNPACKED = 1000 * MEGABYTE
DEEPEST = 2  # a file in one folder
MOST_RATIO = 200  # results repeat themselves: real bundles shrink to a twentieth
NAMES = tuple(file.name for file in FACTS)
READ = (*NAMES, *(file.name for file in COMPUTED))


class Unopenable(Exception):
    """There is no bundle here; the text says why."""


class Bundle:
    def __init__(self, path: Path) -> None:
        """Reads the directory only: what a zip would unpack to is known before it does."""
        self.path = path
        self.zip = zip_at(path) if path.is_file() else None
        self.places = members(self.zip) if self.zip is not None else files_in(path)

    def names(self) -> list[str]:
        return [name for name in READ if name in self.places]

    def has_facts(self) -> bool:
        return any(name in self.places for name in NAMES)

    def size(self) -> int:
        """Bytes to be read."""
        if self.zip is not None:
            return sum(self.zip.getinfo(self.places[name]).file_size for name in self.names())
        return sum(Path(self.places[name]).stat().st_size for name in self.names())

    @contextmanager
    def lines(self, name: str) -> Iterator[Iterator[str]]:
        """Line ends as they are; a mark of the byte order, as spreadsheets write it, is skipped."""
        place = self.places[name]
        raw = self.zip.open(place) if self.zip is not None else open(place, "rb")  # noqa: SIM115, PTH123 - closed below
        with raw, TextIOWrapper(cast("BinaryIO", raw), encoding="utf-8-sig", newline="") as text:
            yield text


def zip_at(path: Path) -> zipfile.ZipFile:
    if path.stat().st_size > MOST_PACKED:
        raise Unopenable(f"This file has more than {MOST_PACKED // MEGABYTE} MB: no bundle is that large.")
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, OSError) as broken:
        raise Unopenable("This is neither a folder nor a zip file that can be opened.") from broken
    unpacked = sum(member.file_size for member in archive.infolist())
    packed = sum(member.compress_size for member in archive.infolist())
    too_much = unpacked > MOST_UNPACKED or unpacked > max(MEGABYTE, MOST_RATIO * packed)
    if len(archive.infolist()) > MOST_MEMBERS or too_much:
        raise Unopenable("This zip would unpack to far more than a bundle holds. It was not opened.")
    return archive


def members(archive: zipfile.ZipFile) -> dict[str, str]:
    """Name -> member. All in the same folder, at the top or one below."""
    paths = [PurePosixPath(m.filename) for m in archive.infolist() if not m.is_dir() and is_table(m.filename)]
    if len({path.name for path in paths}) < len(paths) or any(len(path.parts) > DEEPEST for path in paths):
        raise Unopenable("The files of a bundle stand together in one folder, each once.")
    return {path.name: str(path) for path in paths}


def files_in(folder: Path) -> dict[str, str]:
    if not folder.is_dir():
        raise Unopenable(f"There is no folder or zip file {folder}.")
    return {path.name: str(path) for path in sorted(folder.iterdir()) if path.is_file() and is_table(path.name)}


def is_table(name: str) -> bool:
    return name.endswith(".csv") and not name.startswith("__MACOSX/")


def look_over(bundle: Bundle, report: Report) -> None:
    """Names nobody knows are refused: a misspelt file would be left out in silence."""
    for name in sorted(bundle.places.keys() - set(READ)):
        report.add(name, 0, "", f"No file of a bundle has this name. Its files are {', '.join(READ)}.")
    if not bundle.has_facts() and not report.problems:
        report.add(bundle.path.name, 0, "", f"There is no file of a bundle here. Its files are {', '.join(NAMES)}.")
