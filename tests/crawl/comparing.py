"""Two crawls, file by file."""

import re
from collections import defaultdict
from dataclasses import dataclass
from difflib import unified_diff
from itertools import islice
from pathlib import Path

LINES_SHOWN, FILES_SHOWN = 12, 40


@dataclass
class Wanted:
    roles: list[str] | None = None
    without_admin: bool = False

    def has(self, name: str) -> bool:
        part, role, _rest = name.split("/", 2)
        return not (self.without_admin and part == "admin") and (
            not self.roles or role in self.roles
        )


def texts_of(folder: Path, renames: dict[str, str], wanted: Wanted) -> dict[str, str]:
    """By part, role, language and address; addresses of the admin are renamed as in `renames`."""
    texts = {}
    for path in sorted(folder.glob("*/*/*/*.txt")):
        name = path.relative_to(folder).as_posix()
        if not wanted.has(name):
            continue
        text = path.read_text(encoding="utf-8")
        for old, new in renames.items():
            text = text.replace(f"/admin/{old}/", f"/admin/{new}/")
            was, now = (f"admin~{each.replace('/', '~')}" for each in (old, new))
            name = re.sub(rf"{was}(?=[~.])", now, name)
        texts[name] = text
    return texts


def differences(
    old: dict[str, str], new: dict[str, str]
) -> tuple[list[str], list[str], dict[str, list[str]]]:
    """Missing addresses, new ones, and the changes of the others."""
    changed = {
        name: list(
            unified_diff(
                old[name].split("\n"), new[name].split("\n"), "old", "new", n=1, lineterm=""
            )
        )[2:]
        for name in old.keys() & new.keys()
        if old[name] != new[name]
    }
    return sorted(old.keys() - new.keys()), sorted(new.keys() - old.keys()), changed


def summary(missing: list[str], added: list[str], changed: dict[str, list[str]]) -> list[str]:
    """The same change on many pages is shown once, with the number of pages."""
    lines = [f"missing: {name}" for name in missing[:FILES_SHOWN]] + [
        f"new: {name}" for name in added[:FILES_SHOWN]
    ]
    alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in sorted(changed):
        alike[tuple(line for line in changed[name] if not line.startswith("@@"))].append(name)
    for change, names in islice(sorted(alike.items(), key=lambda item: -len(item[1])), FILES_SHOWN):
        lines += [
            f"changed: {names[0]}" + (f" and {len(names) - 1} more" if len(names) > 1 else "")
        ]
        lines += [f"    {line[:300]}" for line in change[:LINES_SHOWN]]
        lines += (
            [f"    ({len(change) - LINES_SHOWN} more lines)"] if len(change) > LINES_SHOWN else []
        )
    return [
        *lines,
        f"{len(missing)} missing, {len(added)} new, {len(changed)} changed in {len(alike)} ways",
    ]
