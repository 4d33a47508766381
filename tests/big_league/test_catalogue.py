"""The catalogue against the regulation: numbers chapter by chapter, and what loading it does."""

from decimal import Decimal

import pytest
from django.core.management import call_command
from django.db import IntegrityError
from django.utils.translation import override

from big_league import catalogue
from big_league.models import GameSheet, HardcorePick, SheetNote
from big_league.models.catalogue import played_online
from pergioco.stages.models import Game, Variant
from tests import factories

pytestmark = pytest.mark.django_db
# players at a table (recommended, most), rounds more, minutes in all, each, draft, auction, step,
# draw, format
PRINTED = """
8.2     hardcore-games     4 5 0   -  -  - - 1   -           hardcore
8.3.1   carcassonne        2 2 0  30 15  - A 1   impossible  two
8.3.2   seasons            2 2 0  40 20  - - 1   replay      two
8.3.3   7-wonders-duel     2 2 0  30 15  - A 1   replay      two
8.3.4   7-wonders-cities   2 2 0  35  -  - C 1   replay      two
8.3.5   dominion           3 4 0  36 12  - A 1   replay_tied dominion
8.3.6   7-wonders          4 5 1  30  -  - C 1   earlier     four
8.3.7   terra-mystica      4 5 0 120 28  - B 1   earlier     four
8.3.8   egizia             - - 0  80 20  - - 1   impossible  four
8.3.9   agricola           - - 0  80 20 20 A 1   earlier     four
8.3.10  concordia          4 - 0  80 20  - A 1   impossible  four
8.3.11  russian-railroads  - - 0  80 20  - - 1   earlier     four
8.3.12  marco-polo         - - 0  90 22  - B 1   earlier     four
8.3.13  stone-age          - - 0  80 20  - A 1   earlier     four
8.3.14  puerto-rico        - - 0  80 20  - A 1   earlier     four
8.3.15  ticket-to-ride     - - 1  48 12  - A 1   earlier     four
8.3.16  perudo             6 - 1  20  3  - - 1   impossible  four
8.3.17  terraforming-mars  - - 0   -  -  - B 1   earlier     announced
8.3.18  century            - - 0  60 15  - A 1   impossible  four
8.3.19  splendor           - - 0  40 10  - A 0.1 earlier     four
8.3.20  gaia-project       - - 0 160 40  - B 1   earlier     four
8.3.21  ark-nova           - - 0 120 30  - B 1   earlier     four
8.3.22  explosive-potions  - 4 0  40 10  - - 1   earlier     potions
8.3.23  catan              - - 0  75  -  - - 0.1 earlier     four
"""


def told(sheet: GameSheet) -> list[str]:
    numbers = [
        sheet.recommended,
        sheet.most,
        sheet.extra_rounds,
        sheet.minutes,
        sheet.each,
        sheet.draft,
    ]
    return [
        sheet.chapter,
        sheet.game.slug,
        *("-" if number is None else str(number) for number in numbers),
        sheet.auction or "-",
        f"{sheet.step:f}".removesuffix(".0"),
        sheet.final_draw or "-",
        sheet.final_format,
    ]


@pytest.fixture
def loaded():
    assert catalogue.write_catalogue() == 24


@pytest.mark.usefixtures("loaded")
def test_every_printed_number_of_every_title():
    sheets = {sheet.chapter: sheet for sheet in GameSheet.objects.select_related("game")}
    lines = [line.split() for line in PRINTED.strip().splitlines()]
    assert [told(sheets[line[0]]) for line in lines] == lines
    assert len(sheets) == len(lines)


@pytest.mark.usefixtures("loaded")
def test_games_that_are_homologated_only_at_tables_of_two():
    assert set(GameSheet.objects.filter(two_only=True).values_list("game__slug", flat=True)) == {
        "carcassonne",
        "seasons",
        "7-wonders-cities",
    }


@pytest.mark.usefixtures("loaded")
def test_banned_cards_and_errata_where_the_regulation_has_them():
    def games(kind: str) -> set[str]:
        return set(SheetNote.objects.filter(kind=kind).values_list("sheet__game__slug", flat=True))

    assert games("banned") == {"agricola"}
    assert games("erratum") == {
        "carcassonne",
        "seasons",
        "terra-mystica",
        "egizia",
        "ticket-to-ride",
        "catan",
    }


@pytest.mark.usefixtures("loaded")
def test_every_note_speaks_three_languages():
    notes = list(SheetNote.objects.all())
    assert all(
        len({note.text_it, note.text_en, note.text_es}) == 3
        for note in notes
        if note.kind != "banned"
    )
    note = SheetNote.objects.get(sheet__game__slug="russian-railroads")
    shown = {}
    for code in ("it", "en", "es"):
        with override(code):
            shown[code] = str(note)
    assert shown == {
        "it": "Vittoria condivisa.",
        "en": "A shared win.",
        "es": "Victoria compartida.",
    }


@pytest.mark.usefixtures("loaded")
def test_texts_fit_their_columns():
    longest = max(
        len(text)
        for row in SheetNote.objects.values_list("text_it", "text_en", "text_es")
        for text in row
    )
    assert longest <= SheetNote._meta.get_field("text_it").max_length


def test_loading_again_adds_nothing_and_touches_nothing(loaded, capsys):
    GameSheet.objects.filter(game__slug="catan").update(minutes=90)
    SheetNote.objects.filter(sheet__game__slug="century").delete()
    notes, picks = SheetNote.objects.count(), HardcorePick.objects.count()

    call_command("big_catalogue")

    assert capsys.readouterr().out == "0 sheets added.\n"
    assert GameSheet.objects.get(game__slug="catan").minutes == 90
    assert (SheetNote.objects.count(), HardcorePick.objects.count()) == (notes, picks)


def test_a_game_that_is_there_keeps_its_names():
    game = factories.game("catan")

    catalogue.write_catalogue()

    game.refresh_from_db()
    assert (game.name_it, game.big.chapter) == ("catan", "8.3.23")


@pytest.mark.parametrize(
    "wrong",
    [{"auction": "D"}, {"step": Decimal("0.5")}, {"recommended": 5, "most": 4}],
    ids=["auction", "step", "most"],
)
def test_the_database_refuses_what_cannot_be(wrong):
    with pytest.raises(IntegrityError):
        factories.game_sheet(**wrong)


def test_games_that_only_big_plays_are_none_of_the_platforms():
    alone, both = factories.game_sheet().game, factories.game_sheet().game
    Variant.objects.create(game=both, platform="bga", key="both")
    online = factories.game()
    assert set(played_online(Game.objects.all())) == {both, online}
    assert alone not in played_online(Game.objects.all())
