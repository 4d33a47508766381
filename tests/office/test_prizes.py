"""PGM 14: prizes are written, announced and taken back; two people never write over each other."""

import pytest
from django.test import Client

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Outdated, Refused
from pergioco.office.models import PrizeList
from pergioco.office.services import prizes
from tests import factories
from tests.publishing.year import made_final, year_over

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
TWO = {"text_it": "Coppa\nTarga", "text_en": "Cup\nPlate", "text_es": "Copa\nPlaca"}


def test_pgm_14_prizes_are_told_when_they_are_announced(staff):
    season = year_over()[0]
    made_final(season)
    addresses = [f"/en/rankings/{season.year}/red/", f"/en/archive/{season.year}/"]

    def told() -> list[bool]:
        return ["<li>Plate</li>" in Client().get(address).content.decode() for address in addresses]

    row = prizes.write_prizes(season, "red", TWO, version=0, by=staff)
    assert told() == [False, False]
    row = prizes.announce_prizes(row, version=1, by=staff)
    assert told() == [True, True]
    assert "<li>Placa</li>" in Client().get(f"/es/rankings/{season.year}/red/").content.decode()
    prizes.take_back_prizes(row, version=2, by=staff)
    assert told() == [False, False]


def test_one_prize_a_line_in_each_language(staff):
    with pytest.raises(Refused, match="2 in Italian") as refused:
        prizes.write_prizes(
            factories.season(),
            "red",
            {"text_it": "Coppa\nTarga", "text_en": "Cup", "text_es": "Copa\nPlaca"},
            version=0,
            by=staff,
        )
    assert refused.value.field == "text_en"


def test_the_second_of_two_hears_of_the_first(staff):
    season = factories.season()
    row = prizes.write_prizes(season, "red", TWO, version=0, by=staff)
    with pytest.raises(Outdated):
        prizes.write_prizes(season, "red", TWO, version=0, by=staff)
    prizes.announce_prizes(row, version=1, by=staff)
    for act in (prizes.announce_prizes, prizes.take_back_prizes):
        with pytest.raises(Outdated):
            act(row, version=1, by=staff)


def test_the_log_says_what_was_changed(staff):
    season = factories.season()
    prizes.write_prizes(season, "red", TWO, version=0, by=staff)
    prizes.write_prizes(
        season,
        "red",
        {"text_it": "Coppa\nMedaglia", "text_en": "Cup\nMedal", "text_es": "Copa\nPlaca"},
        version=1,
        by=staff,
    )
    assert PrizeList.objects.get().version == 2
    assert AuditEntry.objects.get(action="prizes.changed").changes == {
        "text_it": ["Coppa\nTarga", "Coppa\nMedaglia"],
        "text_en": ["Cup\nPlate", "Cup\nMedal"],
    }
