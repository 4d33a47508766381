"""A style sheet that imports others is served as one file: a page shows nothing before it has all that it names."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

IMPORT = re.compile(r'^@import url\("([\w-]+\.css)"\);\n', re.MULTILINE)  # of a neighbour, so that addresses stay right


class Whole:
    """Opens style sheets with those that they import inside of them."""

    def __init__(self, files: Storage) -> None:
        self.files = files

    def open(self, name: str) -> "ContentFile[bytes]":
        with self.files.open(name) as file:
            text = file.read().decode()
        folder = PurePosixPath(name).parent
        whole = IMPORT.sub(lambda one: self.open(str(folder / one[1])).read().decode(), text)
        return ContentFile(whole.encode())


class WholeStyleSheets(CompressedManifestStaticFilesStorage):
    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:  # noqa: FBT001, FBT002 - Django's own
        whole = {
            name: (Whole(files), path) if name.endswith(".css") else (files, path)
            for name, (files, path) in paths.items()
        }
        yield from super().post_process(whole, dry_run, **options)  # type: ignore[no-untyped-call] # of whitenoise
