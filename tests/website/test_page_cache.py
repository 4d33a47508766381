"""Pages that are kept: the same bytes as long as they are true, and not a moment longer."""

import gzip
import re
from datetime import UTC, date, datetime, timedelta

import psycopg
import pytest
from django.db import OperationalError, connection, transaction
from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.test import Client
from django.test.utils import CaptureQueriesContext

from pergioco.ledger import freezing, marks, publishing, withdrawing
from pergioco.ledger.models import Mark
from pergioco.players import editing, erasing
from pergioco.players.consenting import record_consent
from pergioco.players.membership import join_big
from pergioco.players.models import Consent, Membership, Person, Player
from pergioco.stages import entrants
from pergioco.stages.models import Game, Season, Stage
from pergioco.website import page_cache
from pergioco.website.page_cache import Kept, Shelf
from tests import factories
from tests.conftest import signed_in
from tests.ledger import play

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clock", "english")]
RED = "/en/rankings/2026/red/"


@pytest.fixture
def world(staff):
    """Ada beat Zoë an hour ago, and that is public."""
    return World(staff)


class World:
    def __init__(self, staff) -> None:
        self.staff = staff
        self.ada = factories.registered(date(2025, 1, 10), first_name="Ada", last_name="Bianchi")
        self.zoe = factories.registered(date(2025, 1, 10), first_name="Zoë", last_name="Novák")
        self.revision = play.played([(self.ada, self.zoe)], "1", by=staff, game=factories.game("go"), slug="march")
        self.season = Season.objects.get(year=2026)

    def edit(self, **values: str) -> None:
        person = Person.objects.get(player=self.ada)
        own = {name: getattr(person, name) for name in editing.FIELDS}
        editing.edit(person, own | values, version=editing.version_of(person), by=self.staff)


def get(path: str = RED, client: Client | None = None, **headers: str) -> HttpResponse:
    return (client or Client()).get(path, headers=headers)


def queries(path: str = RED, client: Client | None = None) -> int:
    with CaptureQueriesContext(connection) as asked:
        assert get(path, client).status_code == 200
    return len(asked)


def another_stage(world: World) -> None:
    play.played([(world.zoe, world.ada)], "1", by=world.staff, game=factories.game("hex"), on=date(2026, 2, 2))


def correction(world: World) -> None:
    play.corrected(world.revision.stage, "2", by=world.staff)


def withdrawn_consent(world: World) -> None:
    how = {"language": "en", "way": Consent.Way.ACCOUNT, "by": world.ada.person.user}
    record_consent(world.ada, Consent.Kind.PUBLICATION, given=False, **how)


def freeze(world: World) -> None:
    proposed = freezing.propose(world.season, by=world.staff)
    freezing.confirm(proposed, by=factories.user_with_role("staff"))


CHANGES = {
    "a publication": another_stage,
    "a correction and its erratum": correction,
    "a closing taken back": lambda w: withdrawing.withdraw(w.revision.stage, revision=w.revision.pk, by=w.staff),
    "an erasure": lambda w: erasing.erase(w.ada, by=w.staff),
    "a consent withdrawn": withdrawn_consent,
    "another name": lambda w: w.edit(first_name="Àda"),
    "another city": lambda w: Person.objects.filter(player=w.ada).update(city="Brno", country="CZ"),
    "a game called otherwise": lambda w: Game.objects.update(name_en="Baduk"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_changes_something_public_switches_at_once(world, change):
    before = get().content
    assert queries() == 1
    change(world)
    switched = get().content
    forget_everything()
    assert switched != before
    assert switched == get().content


def test_a_membership_that_comes_or_goes_switches_the_pages_of_big_at_once(world):
    stage = played_by_a_stranger(world)
    path = f"/en/stages/2026/{stage.slug}/"
    assert "Bice Tesserata" not in get(path).content.decode()
    join_big(Player.objects.get(person__first_name="Bice"), by=world.staff)
    assert "Bice Tesserata" in get(path).content.decode()
    assert queries(path) == 1
    Membership.objects.all().delete()
    assert "Bice Tesserata" not in get(path).content.decode()


def played_by_a_stranger(world: World) -> Stage:
    stranger = factories.person(first_name="Bice", last_name="Tesserata").player
    made = play.drafted([(world.ada, stranger)], "1", circuit="big", platform="", slug="of-big")
    return play.close(made, by=world.staff).stage


def test_the_final_rankings_switch_the_page_at_once(world, clock):
    clock.move_to(datetime(2027, 1, 2, 11, tzinfo=UTC))
    publishing.publish(world.season, cause="clock")
    assert "Provisional" in get().content.decode()
    freeze(world)
    assert "these places stay as they are" in get().content.decode()


def test_a_new_day_is_a_new_page(world, clock):
    path = "/en/"
    factories.stage(starts_on=date(2026, 3, 13), ends_on=date(2026, 3, 13), slug="tomorrow")
    before = get(path).content
    clock.shift(timedelta(days=1))
    assert get(path).content != before


@pytest.mark.parametrize("path", ["/en/", "/en/rankings/2026/", RED, "/en/rankings/2026/games/go/", "/en/archive/"])
def test_a_kept_page_is_the_same_page_and_costs_one_query(world, path):
    first = get(path)
    assert queries(path) == 1
    again = get(path)
    assert (again.content, dict(again.headers)) == (first.content, dict(first.headers))
    assert again.headers["Cache-Control"] == "no-cache"
    assert "script-src 'self'" in again.headers["Content-Security-Policy"]


def test_languages_colours_questions_and_hosts_stand_apart(world):
    dark = Client()
    dark.cookies["theme"] = "dark"
    pages = [get(), get("/it/rankings/2026/red/"), get(client=dark), get(f"{RED}?q=zoe"), get(f"{RED}?country=CZ")]
    assert len({page.content for page in pages}) == len(pages) == len(page_cache.pages.things)
    assert get(host="localhost").status_code == 200
    assert len(page_cache.pages.things) == len(pages) + 1


# Parts: what stands on pages of many addresses


def test_the_same_ranking_at_another_address_is_not_read_again(world):
    get()
    assert queries(f"{RED}?from=a-friend") == 2  # the mark, and the season
    assert get(f"{RED}?from=another").content == get(f"{RED}?from=a-friend").content.replace(b"a-friend", b"another")


def test_what_others_hang_onto_an_address_stays_theirs(world, monkeypatch):
    monkeypatch.setattr("pergioco.website.rankings.PER_PAGE", 1)
    first = get(f"{RED}?from=a-friend").content.decode()
    content = get(f"{RED}?from=another").content.decode()
    assert '<a href="?page=2">Next page</a>' in first
    assert "a-friend" not in content
    assert '<tr id="p2"' not in content
    assert '<tr id="p2"' in get(f"{RED}?page=2&from=another").content.decode()


def test_the_same_stage_at_another_address_is_not_read_again(world):
    path = f"/en/stages/2026/{world.revision.stage.slug}/"
    get(path)
    assert queries(f"{path}?from=a-friend") == 2  # the mark, and the stage
    assert get(f"{path}?from=another").content == get(f"{path}?from=a-friend").content.replace(b"a-friend", b"another")


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_part_is_made_anew_with_its_page(world, change):
    get()
    before = get(f"{RED}?from=a-friend").content
    change(world)
    assert get(f"{RED}?from=a-friend").content != before


def test_who_is_looked_for_is_found_whatever_is_kept(world):
    path = f"/en/stages/2026/{world.revision.stage.slug}/"
    assert "found" not in re.findall(r'class="tag">(\w+)', get(path).content.decode())
    assert "found" in re.findall(r'class="tag">(\w+)', get(f"{path}?find=ada").content.decode())
    assert len(re.findall(r'<tr id="p', get().content.decode())) == 2
    assert len(re.findall(r'<tr id="p', get(f"{RED}?q=ada").content.decode())) == 1


# For whom


def test_who_is_signed_in_never_gets_a_kept_page_nor_leaves_one(world):
    ada = signed_in(world.ada.person.user)
    own = get(client=ada)
    assert (len(page_cache.pages.things), own.headers["Cache-Control"]) == (0, "no-store, private")
    assert page_cache.parts.things == {}
    get()
    assert "Sign out" in get(client=ada).content.decode()
    assert "Sign out" not in get().content.decode()


def test_the_same_is_not_sent_twice_and_another_page_is(world):
    etag = get().headers["ETag"]
    again = get(**{"if-none-match": etag})
    assert (again.status_code, again.content) == (304, b"")
    another_stage(world)
    assert get(**{"if-none-match": etag}).status_code == 200


def test_a_kept_page_goes_out_packed_to_who_can_unpack(world):
    bare = get()
    packed = get(**{"accept-encoding": "br, gzip"})
    assert (packed.headers["Content-Encoding"], gzip.decompress(packed.content)) == ("gzip", bare.content)
    assert int(packed.headers["Content-Length"]) == len(packed.content) < len(bare.content) / 3
    assert packed.headers["ETag"] != bare.headers["ETag"]
    assert "Accept-Encoding" in packed.headers["Vary"]
    again = get(**{"accept-encoding": "gzip", "if-none-match": packed.headers["ETag"]})
    assert (again.status_code, again.headers["ETag"]) == (304, packed.headers["ETag"])


def test_the_head_alone(world):
    assert Client().head(RED).content == b""
    assert page_cache.pages.things == {}
    page = get()
    with CaptureQueriesContext(connection) as asked:
        head = Client().head(RED)
    assert (len(asked), head.headers["ETag"], head.content) == (1, page.headers["ETag"], b"")


@pytest.mark.parametrize("path", ["/en/register/", "/en/account/login/", "/en/nothing/", "/en/rankings/"])
def test_forms_troubles_and_ways_on_are_not_kept(world, path):
    get(path)
    assert page_cache.pages.things == {}


def test_pages_for_everybody_hold_no_token_of_anybody(world):
    browser = Client()
    browser.cookies["csrftoken"] = "a" * 32
    assert b"csrfmiddlewaretoken" not in get(client=browser).content


@pytest.mark.parametrize("spoil", ["token", "nonce"])
def test_a_page_that_is_good_for_one_answer_only_is_not_kept(world, monkeypatch, spoil):
    """The control: with such a thing in it, the page is made anew for everybody."""
    ways = {"token": get_token, "nonce": lambda request: str(request.csp_nonce)}
    monkeypatch.setattr("pergioco.website.theme.of", lambda request: spoiled(request, ways[spoil]))
    get()
    assert (page_cache.pages.things, page_cache.parts.things) == ({}, {})


def spoiled(request, way) -> str:
    if hasattr(request, "csp_nonce"):  # while the page is made, not when its key is
        way(request)
    return "auto"


def test_a_transaction_of_ones_own_keeps_nothing(world):
    with transaction.atomic():
        get()
        assert (marks.current(), page_cache.pages.things) == (marks.NOWHERE, {})


def test_what_was_taken_back_leaves_no_trace(world):
    before = marks.current()
    with transaction.atomic():
        Stage.objects.update(capacity=60)
        transaction.set_rollback(True)
    assert marks.current() == before
    Stage.objects.update(capacity=61)
    assert marks.current() != before


def test_without_the_database_nothing_kept_is_shown(world, monkeypatch):
    get()
    monkeypatch.setattr(marks, "current", away)
    answer = get(client=Client(raise_request_exception=False))
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")


def away() -> str:
    raise OperationalError


def test_what_nobody_sees_switches_nothing(world):
    before = marks.current()
    world.staff.save()
    signed_in(world.staff)
    assert marks.current() == before


def test_only_so_many_are_kept_and_the_one_used_last_stays():
    shelf = Shelf[str](most_bytes=10)
    for name in "abb":
        shelf.put((name,), thing(5))
    shelf.get(("a",), marks.NOWHERE)
    shelf.put(("c",), thing(5))
    assert (list(shelf.things), shelf.bytes) == ([("a",), ("c",)], 10)


def thing(weight: int) -> Kept[str]:
    return Kept("", marks.NOWHERE, [], weight)


@pytest.mark.parametrize("path", ["red/", "blue/", "race/", "games/go/"])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_outlives_a_change_is_what_would_be_made_anew(world, path, change):
    path = f"/en/rankings/2026/{path}"
    get(path)
    change(world)
    switched = get(path).content
    forget_everything()
    assert switched == get(path).content


def forget_everything() -> None:
    page_cache.forget_older(marks.NOWHERE)


# What changed elsewhere


@pytest.mark.postgresql
@pytest.mark.parametrize("path", ["red/", "blue/", "games/go/"])
def test_a_page_on_which_nothing_changed_stays(world, anew, path):
    """Somebody registers who is nowhere on it, and another stage comes onto the calendar."""
    only_where_an_answer_is_handed_out_twice()
    path = f"/en/rankings/2026/{path}"
    page = get(path)
    factories.registered(first_name="Nowhere")
    factories.stage(slug="later", race=False)
    assert get(path).headers["ETag"] == page.headers["ETag"]
    assert (anew, queries(path)) == ([path], 1)
    world.edit(first_name="Àda")
    assert "Àda" in get(path).content.decode()
    assert anew == [path] * 2


@pytest.mark.postgresql
def test_only_what_a_change_may_concern_is_asked_again(world):
    only_where_an_answer_is_handed_out_twice()
    get()
    factories.registered(first_name="Nowhere")
    with CaptureQueriesContext(connection) as asked:
        get()
    assert len(asked) > 1
    assert all(marks.PEOPLE in question["sql"] for question in asked[1:])


@pytest.mark.postgresql
def test_a_part_on_which_nothing_changed_stays_with_its_questions(world):
    """The page that it is a part of now is as dependent on them as the one for which it was made."""
    only_where_an_answer_is_handed_out_twice()
    get()
    factories.registered(first_name="Nowhere")
    paths = [f"{RED}?from=a-friend", f"{RED}?from=another"]
    for path in paths:
        assert "Ada" in get(path).content.decode()
    assert len(page_cache.parts.things) == 1
    asked = [[question.sql for question in kept.asked] for kept in page_cache.pages.things.values()]
    assert [sorted(own) for own in asked] == [sorted(asked[0])] * 3
    world.edit(first_name="Àda")
    for path in paths:
        assert "Àda" in get(path).content.decode()


@pytest.mark.postgresql
def test_what_wrote_something_is_never_taken_for_asked(world, monkeypatch, anew):
    """The control: a page that is not made of questions alone goes with the first change."""
    only_where_an_answer_is_handed_out_twice()
    monkeypatch.setattr("pergioco.website.rankings.meaning", lambda _kind: str(Game.objects.update(name_es="Go")))
    get()
    factories.registered(first_name="Nowhere")
    get()
    assert anew == [RED] * 2


def only_where_an_answer_is_handed_out_twice() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("only PostgreSQL hands out the rows of an answer twice")


@pytest.fixture
def anew(monkeypatch) -> list[str]:
    """The addresses of which a page is made."""
    paths: list[str] = []

    def answered(making, answer, request):
        paths.append(request.path)
        return make(making, answer, request)

    make = page_cache.answered
    monkeypatch.setattr(page_cache, "answered", answered)
    return paths


def test_what_nobody_asks_for_is_forgotten_within_a_minute_of_a_change(world, monkeypatch):
    get()
    get("/en/")
    world.edit(first_name="Àda")
    monkeypatch.setitem(page_cache.tidied, "at", 0)
    get("/en/")
    assert [key[2] for key in page_cache.pages.things] == ["/en/"]


# While a stage is played


@pytest.mark.parametrize("path", ["", "red/", "race/", "games/go/"])
def test_what_shows_nothing_of_it_stays_while_a_stage_is_played_and_goes_with_its_closing(world, path):
    path = f"/en/rankings/2026/{path}"
    draft = play.drafted([(world.zoe, world.ada)], "1", game=factories.game("hex"), slug="april")
    stranger = factories.registered()
    before = get(path).content
    entrants.add(draft.stage, [stranger], by=world.staff)
    play.fill(draft, "X")
    assert queries(path) == 1
    play.close(draft, by=world.staff)
    play.follow()
    assert get(path).content != before


def test_what_shows_it_is_made_anew_with_each_result(world):
    """The second page asks for nothing itself: it gets what was made for the first."""
    stage = play.drafted([(world.zoe, world.ada)], "1", game=factories.game("hex"), slug="april").stage
    paths = [f"/en/stages/2026/{stage.slug}/{question}" for question in ("", "?from=a-friend")]
    before = [get(path).content for path in paths]
    play.fill(stage.revisions.get(), "X")
    assert [get(path).content == old for path, old in zip(paths, before, strict=True)] == [False, False]


def test_marks_are_counted_together_and_no_page_has_to_be_made_anew(world):
    get()
    for name in ("Àda", "Ada"):
        world.edit(first_name=name)
        before = marks.current()
        get()
        for _ in range(2):
            marks.count_together()
        assert (Mark.objects.count(), marks.current(), queries()) == (1, before, 1)
    Stage.objects.update(capacity=60)
    assert before.moved(marks.current()) == ["rest"]


@pytest.mark.postgresql
def test_a_change_that_is_on_its_way_is_counted_when_it_is_there(world):
    """A transaction that began before all that was counted, and ends after it."""
    if connection.vendor != "postgresql":
        pytest.skip("only PostgreSQL lets two write at once")
    with psycopg.connect(**connection.get_connection_params()) as other:
        other.execute("UPDATE players_person SET city = 'Brno' WHERE player_id = %s", [world.zoe.pk])
        world.edit(first_name="Àda")
        marks.count_together()
        before = marks.current()
    assert before.moved(marks.current()) == ["people"]


@pytest.mark.parametrize(("cuts", "status"), [(1, 200), (2, 503)])
def test_a_connection_that_was_cut_is_made_again_once(world, monkeypatch, cuts, status):
    get()
    answers = iter([away] * cuts + [marks.asked])

    def asked() -> marks.Marks:
        return next(answers)()

    monkeypatch.setattr(marks, "asked", asked)
    assert get(client=Client(raise_request_exception=False)).status_code == status
