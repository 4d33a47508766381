import argparse
import json
import shutil
import sys
import time
from collections import Counter
from http import HTTPStatus
from pathlib import Path

from tests.crawl import comparing, visiting

LIST = "addresses.json"
Lists = dict[tuple[str, str], list[str]]
Statuses = dict[tuple[str, str], dict[str, int]]


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="tests.crawl", description=sys.modules["tests.crawl"].__doc__
    )
    commands = parser.add_subparsers(dest="command", required=True)
    write = commands.add_parser(
        "write", help="seed the demo, crawl it, write what every address answers"
    )
    write.add_argument("folder", type=Path)
    write.add_argument(
        "--like", type=Path, help="visit the addresses of this earlier crawl, and no others"
    )
    compare = commands.add_parser(
        "compare", help="tell how two crawls differ; ends with 1 if they do"
    )
    compare.add_argument("old", type=Path)
    compare.add_argument("new", type=Path)
    compare.add_argument("--without-admin", action="store_true")
    for command in (write, compare):
        command.add_argument(
            "--only",
            action="append",
            metavar="ROLE",
            help="this role, with --like or when comparing",
        )
        command.add_argument(
            "--map",
            action="append",
            default=[],
            metavar="OLD=NEW",
            help="/admin/OLD/ is /admin/NEW/ now",
        )
    options = parser.parse_args()
    renames = dict(each.split("=") for each in options.map)
    if options.command == "compare":
        wanted = comparing.Wanted(options.only, without_admin=options.without_admin)
        return print_differences(options.old, options.new, renames, wanted)
    # before the folder is emptied
    lists = read_list(options.like, renames) if options.like else None
    if lists and options.only:
        lists = {key: addresses for key, addresses in lists.items() if key[0] in options.only}
    write_crawl(options.folder, lists)
    return 0


def write_crawl(folder: Path, lists: Lists | None) -> None:
    began = time.monotonic()
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    with visiting.Crawl(folder) as crawl:
        results = crawl.repeat(lists) if lists else crawl.discover()
        write_list(folder, results)
        report = [*report_of(results), *unanswered(results)]
    (folder / "report.txt").write_text("\n".join(report) + "\n", encoding="utf-8")
    print("\n".join(report))
    print(f"{time.monotonic() - began:.0f} seconds")


def write_list(folder: Path, results: Statuses) -> None:
    lists = {f"{role} {language}": visited for (role, language), visited in results.items()}
    (folder / LIST).write_text(json.dumps(lists, indent=1), encoding="utf-8")


def read_list(folder: Path, renames: dict[str, str]) -> Lists:
    lists = json.loads((folder / LIST).read_text(encoding="utf-8"))
    return {
        (key.split()[0], key.split()[1]): [renamed(address, renames) for address in visited]
        for key, visited in lists.items()
    }


def renamed(address: str, renames: dict[str, str]) -> str:
    for old, new in renames.items():
        address = address.replace(f"/admin/{old}/", f"/admin/{new}/")
    return address


def report_of(results: Statuses) -> list[str]:
    return [
        f"{role:<16} {language}  {len(visited):5} addresses  "
        + "  ".join(
            f"{status}: {count}" for status, count in sorted(Counter(visited.values()).items())
        )
        for (role, language), visited in results.items()
    ]


def unanswered(results: Statuses) -> list[str]:
    """Patterns that no role got a page of, and answers that are faults."""
    from tests.crawl.addresses import all_routes, pattern_of

    answered = {
        pattern_of(address)[0].partition("?")[0]
        for visited in results.values()
        for address, status in visited.items()
        if status == HTTPStatus.OK
    }
    faults = [
        f"fault: {role} {language} {address}"
        for (role, language), visited in results.items()
        for address, status in visited.items()
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR
    ]
    return [
        f"answered to no role: {route}"
        for route in all_routes()
        if not_admin(route) and route not in answered
    ] + faults


def not_admin(route: str) -> bool:
    return not route.startswith("/*/admin/")


def print_differences(
    old: Path, new: Path, renames: dict[str, str], wanted: comparing.Wanted
) -> int:
    texts = comparing.texts_of(old, renames, wanted), comparing.texts_of(new, {}, wanted)
    missing, added, changed = comparing.differences(*texts)
    print("\n".join(comparing.summary(missing, added, changed)))
    return int(bool(missing or added or changed))


if __name__ == "__main__":
    sys.exit(main())
