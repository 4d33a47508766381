"""One number, one source: what the demo's season says of twenty players is the same wherever it is
read."""

import csv
import io
import random
import re
from collections.abc import Iterator
from decimal import Decimal

import lxml.html
import pytest
from openpyxl import load_workbook

from pergioco.office.brochures import registry, typesetting
from pergioco.players.models import Person
from pergioco.players.naming import named_in_public
from pergioco.publishing import published
from pergioco.stages.models import Season
from tests.demo.conftest import demo, demo_site  # noqa: F401 - fixtures
from tests.demo.written import federation  # noqa: F401 - a fixture
from tests.office.brochures.pages import text_of

PLAYERS = 20
Numbers = dict[str, list[str]]  # name -> place, then the numbers of the row


@pytest.fixture
def names(demo) -> list[str]:  # noqa: F811 - the fixture
    """Chosen among those who stand in Red, so that each has numbers."""
    version = published.find_version(Season.objects.get(year=2026))
    assert version is not None
    ranking = version.ranking("red")
    assert ranking is not None
    ranked = [
        str(player.person)
        for player in named_in_public().filter(lines__in=ranking.lines.all()).order_by("pk")
    ]
    return sorted(random.Random(2026).sample(ranked, PLAYERS))


def plain(text: object) -> str:
    """Numbers without what stands between thousands, days as year-month-day."""
    shown = str("" if text is None else text).strip()
    day = re.fullmatch(r"(\d\d)/(\d\d)/(\d{4})", shown)
    return f"{day[3]}-{day[2]}-{day[1]}" if day else shown.replace(",", "")


def of_page(client, address: str) -> Numbers:
    document = lxml.html.fromstring(client.get(f"/en/rankings/2026/{address}/").content)
    found = {}
    for row in document.xpath("//tr[starts-with(@id, 'p')]"):
        numbers = [
            (cell.xpath(".//s") or [cell])[0].text_content()
            for cell in row.xpath("./td[contains(@class, 'num')]")
        ]
        place = row.xpath(".//span[contains(@class, 'place')]")[0].text_content()
        name = row.xpath("./th/a/text() | ./th/text()")[0].strip()
        found[name] = [plain(one) for one in [place, *numbers]]
    return found


def of_csv(client, address: str) -> Numbers:
    content = client.get(f"/en/rankings/2026/{address}.csv").getvalue().decode("utf-8-sig")
    return {row[2]: [row[0], *row[5:-1]] for row in list(csv.reader(io.StringIO(content)))[1:]}


def of_json(client, address: str) -> Numbers:
    rows = client.get(f"/en/rankings/2026/{address}.json").json()["rows"]
    keys = list(rows[0])
    return {
        row["player"]: [plain(row["rank"]), *(plain(row[key]) for key in keys[5:])] for row in rows
    }


def of_workbook(client, address: str) -> Numbers:
    content = client.get(f"/en/rankings/2026/{address}.xlsx").getvalue()
    rows = list(load_workbook(io.BytesIO(content)).active.iter_rows(min_row=2))
    return {
        row[2].value: [as_shown(row[0]), *(as_shown(cell) for cell in row[5:-1])] for row in rows
    }


def as_shown(cell) -> str:
    """As the workbook shows it: with the decimals of its format."""
    if cell.value is None or cell.is_date:
        return "" if cell.value is None else cell.value.date().isoformat()
    decimals = len(cell.number_format.partition(".")[2])
    return f"{Decimal(str(cell.value)):.{decimals}f}"


def of_api(client, address: str) -> Iterator[tuple[str, str, Decimal]]:
    for row in client.get(f"/api/v1/rankings/2026/{address}/?page_size=500").json()["results"]:
        yield row["player"]["name"], str(row["rank"]), Decimal(row["value"])


def of_frame(client, address: str) -> Numbers:
    document = lxml.html.fromstring(client.get(f"/en/embed/rankings/2026/{address}/").content)
    rows = document.xpath("//tbody/tr")
    return {
        row.xpath("./th")[0].text: [plain(cell.text_content()) for cell in row.xpath("./td")]
        for row in rows
    }


def of_text(client, address: str) -> Numbers:
    document = lxml.html.fromstring(client.get(f"/en/rankings/2026/{address}/").content)
    lines = re.findall(r"^(\d+)\. (.+) (\S+)$", document.xpath("//textarea")[0].text, re.MULTILINE)
    return {name: [rank, plain(value)] for rank, name, value in lines}


def of_pdf(address: str) -> str:
    """The text of the page to print, with numbers and days as `plain` writes them."""
    printed = registry.read_paper(
        "ranking", "en", year=2026, about=address.replace("games/", "game:")
    )
    assert printed is not None
    text = text_of(typesetting.set_pdf(printed.template, printed.data))
    text = re.sub(r"\b(\d\d)/(\d\d)/(\d{4})\b", r"\3-\2-\1", text)
    return re.sub(r"(?<=\d),(?=\d{3})", "", text)


def as_printed(name: str, own: list[str]) -> str:
    first, last = name.split(" ", 1)
    person = Person.objects.get(first_name=first, last_name=last)
    return " ".join([own[0], name, person.city, person.country.name, *filter(None, own[1:])])


def games_of(version) -> list[str]:
    kinds = version.publication.shown.values_list("kind", flat=True)
    return [f"games/{kind.partition(':')[2]}" for kind in kinds if kind.startswith("game:")]


def test_every_number_of_twenty_players_is_the_same_everywhere(client, names):
    version = published.find_version(Season.objects.get(year=2026))
    compared = set()
    for address in ["red", "blue", "green", "race", *games_of(version)]:
        pages, *files = (read(client, address) for read in (of_page, of_csv, of_json, of_workbook))
        value = 1 if address == "race" else -1
        api = {name: (rank, number) for name, rank, number in of_api(client, address)}
        paper = of_pdf(address)
        short = [of_frame(client, address), of_text(client, address)]
        for name in set(names) & set(pages):
            own = pages[name]
            compared.add((name, address))
            assert [file[name] for file in files] == [own] * len(files), (address, name)
            assert (api[name][0], int(api[name][1] * 1000)) == (
                own[0],
                int(Decimal(own[value]) * 1000),
            ), (
                address,
                name,
            )
            assert as_printed(name, own) in paper, (address, name)
            assert all(one[name] == [own[0], own[value]] for one in short if name in one), (
                address,
                name,
            )

    assert {name for name, _address in compared} == set(names)
    assert len(compared) > 4 * PLAYERS
