"""Keeps what was sent, byte for byte, before anybody decides anything about it."""

import hashlib
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from pergioco.imports import limits, on_file, sources
from pergioco.imports.canonical import Note, Result, Unreadable
from pergioco.imports.models import Fetch
from pergioco.imports.recognising import recognise
from pergioco.players.models import User
from pergioco.stages.models import SourceFile, Stage

LOOKED_AT = timedelta(days=7)
LONGEST_NAME = 200


@dataclass(frozen=True)
class Content:
    """Bytes from outside with the name that somebody gave them; `reader` is empty where it is to be recognised."""

    raw: bytes
    name: str = ""
    reader: str = ""
    url: str = ""


def readable(stage: Stage, content: Content) -> str:
    """The reader that can read it; `Unreadable` says why none can. Nothing is written."""
    limits.of_any_file(content.raw)
    reader = content.reader or recognise(content.raw, content.name)
    sources.read(reader, content.raw, on_file.nicknames_on(stage.platform))
    return reader


@transaction.atomic
def keep(stage: Stage, content: Content, reader: str, *, by: User | None) -> SourceFile:
    """The same bytes for the same stage, read in the same way, are the same row."""
    sha256 = hashlib.sha256(content.raw).hexdigest()
    there = stage.source_files.filter(sha256=sha256, reader=reader).first()
    if there is not None:
        return there
    return SourceFile.objects.create(
        stage=stage,
        name=content.name[:LONGEST_NAME],
        url=content.url,
        raw=content.raw,
        sha256=sha256,
        reader=reader,
        reader_version=sources.SOURCES[reader].version,
        read_by=by,
    )


def read_again(source: SourceFile) -> Result | Note:
    """What the stored bytes say, or why they say nothing."""
    try:
        return sources.read(source.reader, bytes(source.raw), on_file.nicknames_on(source.stage.platform))
    except Unreadable as refused:
        return refused.note


def forget_unused() -> None:
    """What was only looked at does not stay, nor how it was fetched."""
    Fetch.objects.filter(made_at__lt=timezone.now() - LOOKED_AT).delete()
    SourceFile.objects.filter(used_at=None, read_at__lt=timezone.now() - LOOKED_AT, tables=None).delete()
