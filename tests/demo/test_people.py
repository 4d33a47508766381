"""The invented people are the same at every run, and hard to print, sort and search."""

from collections import Counter
from datetime import date
from itertools import pairwise

from django_countries import countries

from pergioco.demo import people
from pergioco.players.models import Registration
from pergioco.players.rules.people import may_register

State = Registration.State


def test_the_same_people_come_at_every_run():
    assert people.registered_people() == people.registered_people()
    assert people.other_people() == people.other_people()


def test_the_one_who_signs_in_as_a_player_is_always_marta_rossi():
    marta = people.registered_people()[0]

    assert (marta.first_name, marta.last_name, marta.registered_on) == (
        "Marta",
        "Rossi",
        date(2025, 1, 3),
    )


def test_nobody_is_there_twice_and_every_country_exists():
    everybody = [*people.registered_people(), *people.other_people()]

    assert len({(who.first_name, who.last_name) for who in everybody}) == len(everybody)
    assert len({who.number for who in everybody}) == len(everybody)
    assert {who.country for who in everybody} <= set(dict(countries))


def test_twelve_countries_at_least_and_letters_that_no_ascii_holds():
    everybody = people.registered_people()
    letters = set("".join(f"{who.first_name}{who.last_name}{who.city}" for who in everybody))

    assert {"IT", "ES", "FR", "DE", "PL", "CZ", "PT", "GB", "SE", "AR", "JP", "US"} <= {
        w.country for w in everybody
    }
    assert set("ŽŁñøßçéŠőÆ") <= letters


def test_pgm_3_everybody_was_sixteen_on_the_day_of_registration():
    assert [
        who
        for who in people.registered_people()
        if not may_register(birth_date=who.birth_date, today=who.registered_on)
    ] == []


def test_registrations_come_in_order_over_fourteen_months():
    days = [who.registered_on for who in people.registered_people()]

    assert (days[0], days[-1]) == (people.FIRST_DAY, people.LAST_DAY)
    assert all(before <= after for before, after in pairwise(days))


def test_every_state_of_a_registration_can_be_seen():
    states = Counter(who.state for who in people.registered_people())

    assert states == {
        State.VERIFIED: 94,
        State.NEW: 13,
        State.NEEDS_CORRECTION: 3,
        State.REFUSED: 1,
        State.WAITING_FOR_MAIL: 1,
    }
