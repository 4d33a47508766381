"""What `collectstatic` makes of the style sheets."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.storage import FileSystemStorage
from django.test import Client

from pergioco.core.backends import BundledFiles, BundledStylesStorage

CSS = Path(__file__).parents[2] / "static" / "css"
MOST_SHEETS = (
    4  # the site's, one or two of the page's own, and the one for paper, which delays nothing
)


def test_what_is_imported_stands_in_its_place_and_in_its_order(tmp_path):
    sheets = {
        "a.css": '/* a */\n@import url("b.css");\n@import url("c.css");\nlast {}\n',
        "b.css": "b {}\n",
        "c.css": "c {}\n",
    }
    for name, text in sheets.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "d.css").write_text('@import url("a.css");\nd {}\n', encoding="utf-8")

    files = BundledFiles(FileSystemStorage(tmp_path))

    assert files.open("a.css").read() == b"/* a */\nb {}\nc {}\nlast {}\n"
    assert files.open("d.css").read() == b"/* a */\nb {}\nc {}\nlast {}\nd {}\n"


def test_the_sheet_of_the_site_is_served_whole_with_addresses_that_last(tmp_path):
    site = collected(tmp_path, ["css/site.css", *fonts()])

    assert "@import" not in site
    parts = re.findall(r'@import url\("([^"]+)"\)', (CSS / "site.css").read_text(encoding="utf-8"))
    heads = [(CSS / name).read_text(encoding="utf-8").split("*/")[0] for name in parts]
    places = [site.index(head) for head in heads]
    assert places == sorted(places)
    addresses = re.findall(r'url\("([^"]+\.woff2)"\)', site)
    assert [re.search(r"\.[0-9a-f]{12}\.woff2$", one) is not None for one in addresses] == [
        True
    ] * 4


def fonts() -> list[str]:
    root = CSS.parent
    return [str(file.relative_to(root)) for file in root.rglob("*.woff2")]


def collected(folder: Path, names: list[str]) -> str:
    """As `collectstatic` does it: the files are there, then they are worked on."""
    source = FileSystemStorage(CSS.parent)
    target = BundledStylesStorage(location=folder, base_url="/static/")
    for name in names:
        with source.open(name) as file:
            target.save(name, file)
    for _file in target.post_process({name: (source, name) for name in names}):
        pass
    return (folder / target.stored_name("css/site.css")).read_text(encoding="utf-8")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["/it/", "/it/rankings/", "/it/calendar/", "/it/players/", "/it/rules/pgm/"]
)
def test_a_page_waits_for_few_style_sheets(client: Client, address: str):
    page = client.get(address).content.decode()
    sheets = re.findall(r'rel="stylesheet" href="([^"]+)"', page)
    assert sheets[0] == staticfiles_storage.url("css/site.css")
    assert len(sheets) <= MOST_SHEETS
