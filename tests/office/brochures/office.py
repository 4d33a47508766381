"""What a spreadsheet program makes of our workbooks: LibreOffice computes every formula, we read
what came out."""

import io
import shutil
import subprocess
from pathlib import Path
from typing import Any

import openpyxl

from tests.servers import PATIENCE_SECONDS, Missing

Rows = list[tuple[Any, ...]]


def recalculated(folder: Path, *workbooks: bytes, profile: Path) -> list[dict[str, Rows]]:
    """Title -> rows of values, for each workbook. One start of the program for all of them."""
    program = shutil.which("soffice")
    if program is None:
        raise Missing("LibreOffice", "libreoffice-calc-nogui")
    written, computed = folder / "written", folder / "computed"
    written.mkdir()
    for number, content in enumerate(workbooks):
        (written / f"{number}.xlsx").write_bytes(content)
    files = [str(written / f"{number}.xlsx") for number in range(len(workbooks))]
    own_settings = f"-env:UserInstallation={profile.as_uri()}"
    command = [
        program,
        own_settings,
        "--headless",
        "--convert-to",
        "xlsx",
        "--outdir",
        str(computed),
        *files,
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=5 * PATIENCE_SECONDS)
    return [values((computed / f"{number}.xlsx").read_bytes()) for number in range(len(workbooks))]


def values(content: bytes, *, computed: bool = True) -> dict[str, Rows]:
    """With `computed` the results of the formulas; without it the formulas as we wrote them."""
    book = openpyxl.load_workbook(io.BytesIO(content), data_only=computed)
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book.worksheets}
