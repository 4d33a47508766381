"""Stores what was sent, byte for byte, before any decision about it."""

import hashlib
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from pergioco.core.models import User
from pergioco.imports import people, sources
from pergioco.imports.canonical import Note, Result, Unreadable
from pergioco.imports.models import Fetch
from pergioco.imports.readers import raw_files
from pergioco.imports.sources import recognise
from pergioco.stages.models import SourceFile, Stage

LOOKED_AT = timedelta(days=7)
LONGEST_NAME = 200


@dataclass(frozen=True)
class Content:
    """Bytes from outside with their name; without `reader` their kind is recognised."""

    raw: bytes
    name: str = ""
    reader: str = ""
    url: str = ""


def choose_reader(stage: Stage, content: Content) -> str:
    """The reader that can read it, else `Unreadable`. Writes nothing."""
    raw_files.check_file(content.raw)
    reader = content.reader or recognise(content.raw, content.name)
    sources.read_source(reader, content.raw, people.list_nicknames(stage.platform))
    return reader


@transaction.atomic
def store_source(stage: Stage, content: Content, reader: str, *, by: User | None) -> SourceFile:
    # The same bytes for the same stage and reader are one row.
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


def read_source_again(source: SourceFile) -> Result | Note:
    """What the stored bytes say, or why they cannot be read."""
    try:
        return sources.read_source(
            source.reader, bytes(source.raw), people.list_nicknames(source.stage.platform)
        )
    except Unreadable as refused:
        return refused.note


def delete_unused_sources() -> None:
    # Files that were only looked at go, and the record of their fetch.
    Fetch.objects.filter(made_at__lt=timezone.now() - LOOKED_AT).delete()
    SourceFile.objects.filter(
        used_at=None, read_at__lt=timezone.now() - LOOKED_AT, tables=None
    ).delete()
