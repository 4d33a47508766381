"""Members of BIG are named where BIG is spoken of, and nowhere else (BIG 2.1)."""

from collections.abc import Iterable
from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.translation import override

from big_league.services import convocations
from pergioco.office.brochures import registry
from pergioco.office.models import Brochure, Case
from pergioco.office.services import brochures
from pergioco.office.services.cases import find_subject
from pergioco.players.models import Consent, Membership, Person, Player, Registration
from pergioco.players.naming import is_named, named_in_public, public_name
from pergioco.players.rules.people import BIG, PGM
from pergioco.players.services import erasing
from pergioco.publishing.models import Erratum, Publication
from pergioco.stages.models import Stage
from tests import factories
from tests.big_league import day
from tests.big_league.finals import hall
from tests.big_league.play import Who, tournament
from tests.emptying import unguarded
from tests.ratings import play
from tests.ratings.play import season
from tests.stages.table.at_the_table import Phone, seated
from tests.website import league
from tests.website.league import main

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
MOST_QUERIES = 12
OF_BIG = [
    "/en/rankings/2026/big/",
    "/en/rankings/2026/big/catan/",
    "/en/rankings/2026/big-elo/catan/",
    "/en/rankings/2026/big/catan/?q=bice",
    "/en/rankings/2026/big/catan/?at=2026-03-10",
    "/en/rankings/2026/big/catan/?screen=1",
    "/en/embed/rankings/2026/big/catan/",
    "/en/rankings/2026/big/catan.csv",
    "/en/rankings/2026/big.json",
    "/en/rankings/2026/big-elo/catan.json",
    "/en/",
    "/en/rankings/2026/",
    "/en/stages/2026/the-final/",
    "/en/stages/2026/the-final/?find=bice",
    "/en/stages/2026/the-final/games.csv",
    "/en/archive/2026/",
    "/en/big/finals/",
    "/api/v1/rankings/2026/big/",
    "/api/v1/rankings/2026/big/catan/?search=bice",
    "/api/v1/stages/the-final/",
]
OF_OTHERS = [
    "/en/rankings/2026/red/",
    "/en/rankings/2026/games/amazons/",
    "/en/rankings/2026/red/?q=bice",
    "/en/stages/2026/pgm/",
    "/en/stages/2026/pgm/?find=bice",
    "/en/stages/2026/pgm/games.csv",
    "/en/stages/2026/pgm/standings.csv",
    "/en/players/",
    "/en/players/?q=bice",
    "/en/compare/?a=bice",
    "/en/feeds/rankings.atom",
    "/sitemap.xml",
    "/sitemap-players.xml",
    "/api/v1/players/",
    "/api/v1/players/?search=bice",
    "/api/v1/stages/pgm/",
]
NEVER = ("Curzia", "Delia", "Egle", "Fosca", "private.example", "+39 555", "1977")


def known(first_name: str, **fields: object) -> Player:
    private = {
        "birth_date": date(1977, 7, 7),
        "phone": "+39 555 123",
        "contact_email": f"{first_name}@private.example",
    }
    return factories.person(
        first_name=first_name, last_name="Tesserata", city="Gubbio", **private, **fields
    ).player


def registered_as(player: Player, **fields: bool) -> None:
    Registration.objects.create(
        player=player, registered_on=date(2026, 1, 5), state="new", **fields
    )


@pytest.fixture
def who() -> Who:
    """Ada is registered and a member; Bice is a member alone. Of the other members Curzia took back
    the publication, Delia the registration, Egle was erased; Fosca came before she was a member of
    anything."""
    season(2026)
    names = {"A": "Ada", "B": "Bice", "C": "Curzia", "D": "Delia", "E": "Egle", "F": "Fosca"}
    made = {letter: known(name) for letter, name in names.items()}
    registered_as(made["A"])
    registered_as(made["C"], publication_allowed=False)
    registered_as(made["D"], rules_accepted=False)
    for letter in "ABCDE":
        Membership.objects.create(player=made[letter], member_on=date(2025, 1, 1))
    return made


@pytest.fixture
def played(who) -> Who:
    """Bice wins the national final, and loses to Ada in a stage of PerGioco Masters. Then Egle is
    erased."""
    tournament(
        "B9 A7 C5, D8 E6 F3; B9 D4 C1, A8 E6 F3",
        who=who,
        on=date(2026, 2, 1),
        slug="the-final",
        final=True,
    )
    tournament("B9 A7 C5, D8 E6 F3; B9 D4 C1, A8 E6 F3", who=who, on=date(2026, 3, 1), slug="after")
    play.played("A 1 B", who=who, on=date(2026, 3, 1), game=factories.game("amazons"), slug="pgm")
    league.publish(season(2026))
    Person.objects.filter(player=who["E"]).delete()
    Player.objects.filter(pk=who["E"].pk).update(erased_at=timezone.now())
    return {letter: Player.objects.with_names().get(pk=player.pk) for letter, player in who.items()}


def read(address: str) -> str:
    answer = Client().get(address)
    assert answer.status_code == 200, answer.status_code
    return b"".join(answer).decode()


@pytest.mark.parametrize("page", OF_BIG)
def test_big_2_1_a_member_is_named_on_the_pages_of_big(played, page):
    text = read(page)
    assert "Bice Tesserata" in text
    assert [word for word in NEVER if word in text] == []


@pytest.mark.parametrize("page", OF_OTHERS)
def test_big_2_1_on_the_pages_of_others_a_member_is_nobody(played, page):
    answer = Client().get(page)
    text = b"".join(answer).decode() if answer.status_code == 200 else ""
    assert [
        word for word in ("Bice", "Tesserata, Bice", *NEVER) if word in text.replace("q=bice", "")
    ] == []


def test_the_pages_of_others_do_have_bice_in_them_without_her_name(played):
    """The control: there she is, as stars."""
    assert "****" in read("/en/stages/2026/pgm/")
    assert "****" in read("/en/stages/2026/pgm/games.csv")
    assert "****" in read("/api/v1/stages/pgm/")


@pytest.mark.parametrize(
    "page",
    ["big/points/catan/2026", "big/elo/catan/2026", "big/2026", "big/event/the-final"],
)
def test_why_pages_of_big_answer_for_members_and_lead_to_no_page_that_is_not_there(played, page):
    text = read(f"/en/why/{page}/{played['B'].public_id}/")
    assert "Bice Tesserata" in text
    assert f"/players/{played['B'].public_id}" not in text
    assert "All about" not in text
    for letter in "CD":
        assert Client().get(f"/en/why/{page}/{played[letter].public_id}/").status_code == 404
    assert Client().get(f"/en/why/{page}/{played['E'].public_id}/").status_code == 410


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("why/big/points/catan/2026/{who}/", "BIG points: catan 2026: Bice Tesserata"),
        ("why/big/elo/catan/2026/{who}/", "BIG Elo: catan 2026: Bice Tesserata"),
        ("why/big/2026/{who}/", "BIG points 2026: Bice Tesserata"),
        ("why/big/event/the-final/{who}/", "catan, 01/02/2026: Bice Tesserata"),
        ("rankings/2026/big/", "BIG points 2026"),
        ("rankings/2026/big/catan/", "BIG points: catan 2026"),
        ("rankings/2026/big-elo/catan/", "BIG Elo: catan 2026"),
    ],
)
def test_a_number_of_big_is_disputed_at_the_office_of_big(played, page, title):
    address = page.format(who=played["B"].public_id)
    assert title in main(Client().get(f"/en/complaints/?about=/en/{address}"))
    with override("en"):
        found = find_subject(address)
    assert found is not None
    assert (found.title, found.office) == (title, Case.Office.BIG)


def test_a_number_of_pergioco_does_not_name_a_member(played):
    with override("en"):
        found = find_subject(f"why/stage/pgm/{played['B'].public_id}/")
    assert found is not None
    assert "Bice" not in found.title


def test_the_search_says_who_is_ranked(played):
    assert "Who is not a member of BIG is not ranked." in main(
        Client().get("/en/rankings/2026/big/?q=xyz")
    )
    assert "People who are not registered are not ranked." in main(
        Client().get("/en/rankings/2026/red/?q=xyz")
    )


def test_the_own_page_of_a_member_alone_is_not_there_and_nothing_of_big_leads_to_it(played):
    assert Client().get(f"/en/players/{played['B'].public_id}/").status_code == 404
    assert Client().get(f"/api/v1/players/{played['B'].public_id}/").status_code == 404
    assert [page for page in OF_BIG if f"/players/{played['B'].public_id}" in read(page)] == []
    assert f"/players/{played['A'].public_id}" in read("/en/rankings/2026/big/")


def test_the_rows_of_a_member_without_city_have_no_lonely_comma(who):
    Person.objects.update(city="", country="")
    tournament("B9 A7", who=who, on=date(2026, 2, 1), slug="one")
    league.publish(season(2026))
    assert '<span class="second">, ' not in read("/en/rankings/2026/big/")
    assert "all countries" not in main(Client().get("/en/rankings/2026/big/?country="))


@pytest.mark.parametrize(
    ("circuit", "named"), [(BIG, ["Ada", "Bice"]), (PGM, ["Ada"]), ("rkm", ["Ada"])]
)
def test_lists_and_single_players_agree(played, circuit, named):
    one_by_one = [player for player in Player.objects.with_names() if is_named(player, circuit)]
    assert {player.pk for player in one_by_one} == set(
        named_in_public(circuit).values_list("pk", flat=True)
    )
    assert sorted(public_name(player, circuit) for player in one_by_one) == [
        f"{name} Tesserata" for name in named
    ]


def test_whoever_took_the_consent_back_after_joining_is_named_nowhere(played):
    Registration.objects.filter(player=played["A"]).update(publication_allowed=False)
    for page in OF_BIG + OF_OTHERS:
        answer = Client().get(page)
        assert "Ada Tesserata" not in b"".join(answer).decode()


def test_the_page_of_a_tournament_names_who_was_let_in_at_the_door(clock):
    season(2026)
    organizer = factories.user_with_role("big_organizer")
    event = day.event_for(organizer)
    day.come(event, day.NAMES[:7], by=organizer)
    day.draw(event, by=organizer)
    text = main(Client().get(f"/en/big/events/{event.stage.slug}/"))
    assert [name for name in day.NAMES[:7] if f"{name} Neri" not in text] == []
    assert [name for name in day.NAMES if f"{name.lower()}@" in text] == []


def test_the_page_of_a_tournament_asks_as_often_for_nine_members_as_for_four(clock):
    season(2026)
    organizer = factories.user_with_role("big_organizer")
    event, counts = day.event_for(organizer), []
    for names in (day.NAMES[:4], day.NAMES[4:9]):
        day.come(event, names, by=organizer)
        day.draw(event, by=organizer)
        day.score(event, by=organizer)
        counts.append(count_at(f"/en/big/events/{event.stage.slug}/"))
    assert counts[0] == counts[1]


def test_the_page_of_a_final_names_members_who_have_a_seat():
    players = hall.championship(6)
    final = hall.announced(seats=6, reserves=0)
    convocations.send_first_mail(final, version=final.version, by=factories.user_with_role("staff"))
    seated_one = players[0]
    with unguarded():
        Consent.objects.filter(player=seated_one).delete()
    Registration.objects.filter(player=seated_one).delete()
    final.taken.create(player=seated_one, number=1, why="called")
    page = final.get_absolute_url().replace("/it/", "/en/")
    assert str(seated_one.person) in main(Client().get(page))
    asked = count_at(page)
    with unguarded():
        Consent.objects.all().delete()
    Registration.objects.all().delete()
    for number, player in enumerate(players[1:4], 2):
        final.taken.create(player=player, number=number, why="called")
    assert count_at(page) == asked


def test_at_a_table_of_big_members_read_each_others_names(client):
    draft = seated(2)
    with unguarded():
        Consent.objects.all().delete()
    Registration.objects.all().delete()
    Membership.objects.bulk_create(
        Membership(player=player, member_on=date(2025, 1, 1)) for player in Player.objects.all()
    )
    phone = Phone(draft)
    assert "Ada Bassi" in phone.text()
    Stage.objects.update(circuit="rkm")
    assert "Ada Bassi" not in phone.text()


def test_a_correction_names_members_in_what_it_moved_of_big_alone(played):
    move = {
        "player": played["B"].pk,
        "rank_before": 2,
        "rank_after": 1,
        "value_before": "1.00",
        "value_after": "2.00",
    }
    publication = Publication.objects.latest("pk")
    made = {
        kind: Erratum.objects.create(
            season=publication.season,
            publication=publication,
            cause="corrected",
            changes={"moves": [{"kind": kind, **move}], "pgr": []},
        )
        for kind in ("big", "big:catan", "red")
    }
    shown = {
        kind: "Bice Tesserata" in read(f"/en/errata/{erratum.pk}/")
        for kind, erratum in made.items()
    }
    assert shown == {"big": True, "big:catan": True, "red": False}


@pytest.mark.parametrize(
    "gone",
    [
        lambda player: Registration.objects.create(
            player=player, registered_on=date(2026, 3, 1), state="new", publication_allowed=False
        ),
        lambda player: erasing.erase_player(player, by=None),
        lambda player: Membership.objects.filter(player=player).delete(),
    ],
    ids=["the consent was taken back", "erased", "no member any more"],
)
def test_a_brochure_is_not_handed_out_once_a_member_may_not_be_named(played, gone):
    bice = played["B"]
    made = {
        "season": season(2026),
        "kind": "season",
        "language": "en",
        "pdf": b"%PDF",
        "sha256": "0" * 64,
    }
    alone = Brochure.objects.create(named_by_big=[bice.pk], **made)
    as_registered = Brochure.objects.create(named=[bice.pk], **made)
    assert brochures.names_only_public_players(alone) is True
    assert brochures.names_only_public_players(as_registered) is False
    gone(bice)
    assert brochures.names_only_public_players(alone) is False


def test_a_brochure_names_members_in_the_part_of_big_and_keeps_them_apart(played):
    printed = registry.read_paper("season", "en", year=2026, sections=["red", "games", "big"])
    assert printed is not None
    parts = {part["title"]: str(part) for part in printed.data["parts"]}
    big = parts.pop("BIG championships")
    assert "Bice Tesserata" in big
    assert [name for name in ("Bice", *NEVER) if name in str(parts)] == []
    assert [name for name in NEVER if name in big] == []
    assert (played["B"].pk in printed.named_by_big, played["B"].pk in printed.named) == (
        True,
        False,
    )
    assert played["A"].pk in printed.named


def test_the_queries_of_rankings_and_stages_do_not_grow_with_the_members(played, uncached):
    pages = [
        "/en/rankings/2026/big/catan/",
        "/en/stages/2026/the-final/",
        "/api/v1/rankings/2026/big/",
    ]
    tournament("A9 B7", who=played, on=date(2026, 3, 2), slug="small")
    league.publish(season(2026))
    before = [count_at(page) for page in pages]
    more = {letter: known(f"Nuova{letter}") for letter in "GHIJKL"}
    join_all(more.values())
    tournament("G9 H7 I5, J8 K6 L3", who=more, on=date(2026, 3, 3), slug="more")
    league.publish(season(2026))
    assert [count_at(page) for page in pages] == before
    assert max(before) <= MOST_QUERIES


def join_all(players: Iterable[Player]) -> None:
    Membership.objects.bulk_create(
        Membership(player=player, member_on=date(2025, 1, 1)) for player in players
    )


def count_at(page: str) -> int:
    with CaptureQueriesContext(connection) as asked:
        read(page)
    return len(asked)
