"""Cached pages: the same bytes as long as they are true, and not a moment longer."""

import gzip
import re
from datetime import UTC, date, datetime, timedelta
from unittest import mock

import psycopg
import pytest
from django.apps import apps
from django.core.cache import caches
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from django.db import OperationalError, connection, transaction
from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.test import Client
from django.test.utils import CaptureQueriesContext
from redis.exceptions import RedisError

from pergioco import env
from pergioco.core import cache_versions, page_cache
from pergioco.core.cache_versions import GROUPS, compact_versions, read_versions, watched_tables
from pergioco.core.database import list_trigger_names
from pergioco.core.models import CacheVersion
from pergioco.players.models import Consent, Membership, Person, Player
from pergioco.players.services import editing, erasing
from pergioco.players.services.consents import record_consent
from pergioco.players.services.memberships import join_big
from pergioco.publishing.services import freezing, publish, withdrawing
from pergioco.stages.models import Entry, Game, Season, Seat, Stage
from pergioco.stages.services import entrants
from tests import factories
from tests.conftest import signed_in
from tests.publishing import play
from tests.website.cached import cached_pages

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
        self.revision = play.played(
            [(self.ada, self.zoe)], "1", by=staff, game=factories.game("go"), slug="march"
        )
        self.season = Season.objects.get(year=2026)

    def edit(self, **values: str) -> None:
        person = Person.objects.get(player=self.ada)
        own = {name: getattr(person, name) for name in editing.FIELDS}
        editing.edit_person(
            person, own | values, version=editing.person_version(person), by=self.staff
        )


def get(path: str = RED, client: Client | None = None, **headers: str) -> HttpResponse:
    return (client or Client()).get(path, headers=headers)


def queries(path: str = RED, client: Client | None = None) -> int:
    with CaptureQueriesContext(connection) as asked:
        assert get(path, client).status_code == 200
    return len(asked)


def another_stage(world: World) -> None:
    play.played(
        [(world.zoe, world.ada)],
        "1",
        by=world.staff,
        game=factories.game("hex"),
        on=date(2026, 2, 2),
    )


def correction(world: World) -> None:
    play.corrected(world.revision.stage, "2", by=world.staff)


def withdrawn_consent(world: World) -> None:
    how = {"language": "en", "way": Consent.Way.ACCOUNT, "by": world.ada.person.user}
    record_consent(world.ada, Consent.Kind.PUBLICATION, given=False, **how)


def freeze(world: World) -> None:
    proposed = freezing.propose_freeze(world.season, by=world.staff)
    freezing.confirm_freeze(proposed, by=factories.user_with_role("staff"))


CHANGES = {
    "a publication": another_stage,
    "a correction and its erratum": correction,
    "a closing taken back": lambda w: withdrawing.withdraw_results(
        w.revision.stage, revision=w.revision.pk, by=w.staff
    ),
    "an erasure": lambda w: erasing.erase_player(w.ada, by=w.staff),
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
    publish.publish_season(world.season, cause="clock")
    assert "Provisional" in get().content.decode()
    freeze(world)
    assert "these places stay as they are" in get().content.decode()


def test_a_new_day_is_a_new_page(world, clock):
    path = "/en/"
    factories.stage(starts_on=date(2026, 3, 13), ends_on=date(2026, 3, 13), slug="tomorrow")
    before = get(path).content
    clock.shift(timedelta(days=1))
    assert get(path).content != before


@pytest.mark.parametrize(
    "path", ["/en/", "/en/rankings/2026/", RED, "/en/rankings/2026/games/go/", "/en/archive/"]
)
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
    pages = [
        get(),
        get("/it/rankings/2026/red/"),
        get(client=dark),
        get(f"{RED}?q=zoe"),
        get(f"{RED}?country=CZ"),
    ]
    assert len({page.content for page in pages}) == len(pages) == len(cached_pages())
    assert get(host="localhost").status_code == 200
    assert len(cached_pages()) == len(pages) + 1


def test_what_others_hang_onto_an_address_stays_theirs(world, monkeypatch):
    monkeypatch.setattr("pergioco.publishing.views.rankings.PER_PAGE", 1)
    first = get(f"{RED}?from=a-friend").content.decode()
    content = get(f"{RED}?from=another").content.decode()
    assert '<a href="?page=2">Next page</a>' in first
    assert "a-friend" not in content
    assert '<tr id="p2"' not in content
    assert '<tr id="p2"' in get(f"{RED}?page=2&from=another").content.decode()


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
    assert (len(cached_pages()), own.headers["Cache-Control"]) == (0, "no-store, private")
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
    assert (packed.headers["Content-Encoding"], gzip.decompress(packed.content)) == (
        "gzip",
        bare.content,
    )
    assert int(packed.headers["Content-Length"]) == len(packed.content) < len(bare.content) / 3
    assert packed.headers["ETag"] != bare.headers["ETag"]
    assert "Accept-Encoding" in packed.headers["Vary"]
    again = get(**{"accept-encoding": "gzip", "if-none-match": packed.headers["ETag"]})
    assert (again.status_code, again.headers["ETag"]) == (304, packed.headers["ETag"])


def test_the_head_alone(world):
    assert Client().head(RED).content == b""
    assert cached_pages() == []
    page = get()
    with CaptureQueriesContext(connection) as asked:
        head = Client().head(RED)
    assert (len(asked), head.headers["ETag"], head.content) == (1, page.headers["ETag"], b"")


@pytest.mark.parametrize(
    "path", ["/en/register/", "/en/account/login/", "/en/nothing/", "/en/rankings/"]
)
def test_forms_troubles_and_ways_on_are_not_kept(world, path):
    get(path)
    assert cached_pages() == []


def test_pages_for_everybody_hold_no_token_of_anybody(world):
    browser = Client()
    browser.cookies["csrftoken"] = "a" * 32
    assert b"csrfmiddlewaretoken" not in get(client=browser).content


@pytest.mark.parametrize("spoil", ["token", "nonce"])
def test_a_page_that_is_good_for_one_answer_only_is_not_kept(world, monkeypatch, spoil):
    """The control: with such a thing in it, the page is made anew for everybody."""
    ways = {"token": get_token, "nonce": lambda request: str(request.csp_nonce)}
    monkeypatch.setattr(
        "pergioco.core.theme.theme_of", lambda request: spoiled(request, ways[spoil])
    )
    get()
    assert cached_pages() == []


def spoiled(request, way) -> str:
    if hasattr(request, "csp_nonce"):  # while the page is made, not when its key is
        way(request)
    return "auto"


def test_a_transaction_of_ones_own_keeps_nothing(world):
    with transaction.atomic():
        get()
        assert (read_versions(), cached_pages()) == (None, [])


def test_what_was_taken_back_leaves_no_trace(world):
    before = read_versions()
    with transaction.atomic():
        Stage.objects.update(capacity=60)
        transaction.set_rollback(True)
    assert read_versions() == before
    Stage.objects.update(capacity=61)
    assert read_versions() != before


def test_without_the_database_nothing_kept_is_shown(world, monkeypatch):
    get()
    monkeypatch.setattr(page_cache, "read_versions", away)
    answer = get(client=Client(raise_request_exception=False))
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")


def away() -> str:
    raise OperationalError


def test_what_nobody_sees_switches_nothing(world):
    before = read_versions()
    world.staff.save()
    signed_in(world.staff)
    assert read_versions() == before


def test_only_so_many_are_cached_and_none_that_is_very_large(world, monkeypatch, settings):
    for number in range(settings.CACHES["pages"]["OPTIONS"]["MAX_ENTRIES"] + 20):
        page_cache.write_page(str(number), page_cache.CachedPage({}, "", b""))
    assert len(cached_pages()) <= settings.CACHES["pages"]["OPTIONS"]["MAX_ENTRIES"]
    forget_everything()
    monkeypatch.setattr(page_cache, "MOST_BYTES", 1000)
    assert get().status_code == 200
    assert cached_pages() == []


def forget_everything() -> None:
    caches["pages"].clear()


# What is forgotten


@pytest.mark.parametrize(
    "change", [withdrawn_consent, CHANGES["an erasure"], CHANGES["another name"]]
)
def test_no_old_name_stays_in_memory_after_the_next_visit(world, change):
    get()
    get("/en/archive/")
    assert "Ada" in written_in_memory()
    change(world)
    get("/en/archive/")
    assert "Ada" not in written_in_memory()


def written_in_memory() -> str:
    return b"".join(gzip.decompress(page.packed) for page in cached_pages()).decode()


def test_nothing_in_memory_is_secret(world):
    browser = Client()
    browser.cookies["csrftoken"] = "a" * 32
    get(client=browser)
    assert [set(page.headers) & {"Set-Cookie", "X-Request-Id"} for page in cached_pages()] == [
        set()
    ]
    assert "a" * 32 not in written_in_memory()


# Every table


def test_every_watched_table_has_its_triggers():
    with connection.cursor() as cursor:
        installed = list_trigger_names(connection, cursor)
    assert {name for name, _table, _event in cache_versions.list_cache_triggers()} <= installed
    assert len(list(cache_versions.list_cache_triggers())) == 3 * len(watched_tables()) > 100


def test_no_page_outlives_a_change_of_any_watched_table(world):
    """SQLite fires triggers for rows only: there the tables that have some."""
    path = f"/en/stages/2026/{world.revision.stage.slug}/"  # it hangs on all
    keys = {model._meta.db_table: model._meta.pk.column for model in apps.get_models()}
    swept = 0
    for table in watched_tables():
        get(path)
        before = read_versions()
        with connection.cursor() as cursor:
            cursor.execute(f"UPDATE {table} SET {keys[table]} = {keys[table]}")
            if connection.vendor == "sqlite" and not cursor.rowcount:
                continue
        group = cache_versions.counter_of_table(table)
        assert getattr(read_versions(), group) > getattr(before, group), table
        assert queries(path) > 1, table
        swept += 1
    assert swept > 10


@pytest.mark.parametrize(
    ("change", "moved"),
    [
        (lambda w: w.edit(first_name="Àda"), "people"),
        (lambda w: Entry.objects.filter(stage=w.revision.stage).delete(), "play"),
        (lambda w: Seat.objects.update(kind="played"), "play"),
        (lambda w: Stage.objects.update(capacity=60), "rest"),
        (lambda w: factories.game("hex"), "rest"),
    ],
    ids=["a name", "an entry deleted", "a result", "a stage", "a game added"],
)
def test_a_change_moves_the_counter_of_its_group(world, change, moved):
    before = read_versions()
    change(world)
    after = read_versions()
    assert [group for group in GROUPS if getattr(before, group) != getattr(after, group)] == [moved]


@pytest.mark.parametrize(
    "path", ["", "red/", "blue/", "green/", "race/", "big/", "games/go/", "red/?q=ada&country=IT"]
)
def test_a_page_reads_no_table_of_a_group_that_it_does_not_hang_on(world, path):
    """Only so may it outlive a change of the other groups."""
    path = f"/en/rankings/2026/{path}"
    with CaptureQueriesContext(connection) as asked:
        get(path)
    statements = " ".join(one["sql"] for one in asked)
    read = {table for table in watched_tables() if f'"{table}"' in statements}
    assert {cache_versions.counter_of_table(table) for table in read} <= set(
        page_cache.path_counters(path.partition("?")[0])
    )


def test_a_page_of_many_versions_is_shown_by_none(world):
    """Whatever its view hangs on, the address alone never finds a page."""
    get()
    for change in (lambda: world.edit(first_name="Àda"), lambda: Stage.objects.update(capacity=60)):
        change()
        assert queries() > 1
        assert queries() == 1


# Several processes


def test_two_processes_agree_at_once(world, settings):
    """Each with a memory of its own; what one changes, the other shows."""
    one, other = LocMemCache("one", {}), LocMemCache("other", {})
    with processes(one):
        before = get().content
    with processes(other):
        assert get().content == before
        world.edit(first_name="Àda")
        changed = get().content
    with processes(one):
        assert get().content == changed != before


def processes(memory: LocMemCache):
    return mock.patch.object(page_cache, "caches", {"pages": memory})


def test_without_redis_pages_are_made_anew(world):
    class Away(LocMemCache):
        def get(self, *_args, **_named):
            raise RedisError

        set = get

    with processes(Away("away", {})):
        assert [get().status_code for _visit in range(2)] == [200, 200]
        assert queries() > 1


def test_an_old_release_shows_nothing_to_a_new_one(world, monkeypatch):
    get()
    monkeypatch.setattr(page_cache, "release_time", lambda: 1)
    assert queries() > 1


# While a stage is played


@pytest.mark.parametrize("path", ["", "red/", "race/", "games/go/"])
def test_what_shows_nothing_of_it_stays_while_a_stage_is_played_and_goes_with_its_closing(
    world, path
):
    path = f"/en/rankings/2026/{path}"
    draft = play.drafted([(world.zoe, world.ada)], "1", game=factories.game("hex"), slug="april")
    stranger = factories.registered()
    before = get(path).content
    entrants.add_players(draft.stage, [stranger], by=world.staff)
    play.fill(draft, "X")
    assert get(path).content == before
    play.close(draft, by=world.staff)
    play.follow()
    assert get(path).content != before


def test_what_shows_it_is_made_anew_with_each_result(world):
    stage = play.drafted(
        [(world.zoe, world.ada)], "1", game=factories.game("hex"), slug="april"
    ).stage
    path = f"/en/stages/2026/{stage.slug}/"
    before = get(path).content
    play.fill(stage.revisions.get(), "X")
    assert get(path).content != before


def test_versions_are_compacted_and_no_page_has_to_be_made_anew(world):
    get()
    for name in ("Àda", "Ada"):
        world.edit(first_name=name)
        before = read_versions()
        get()
        for _ in range(2):
            compact_versions()
        assert (CacheVersion.objects.count(), read_versions(), queries()) == (1, before, 1)


@pytest.mark.postgresql
def test_a_change_that_is_on_its_way_is_counted_when_it_is_there(world):
    """A transaction that began before all that was counted, and ends after it."""
    if connection.vendor != "postgresql":
        pytest.skip("only PostgreSQL lets two write at once")
    with psycopg.connect(**connection.get_connection_params()) as other:
        other.execute(
            "UPDATE players_person SET city = 'Brno' WHERE player_id = %s", [world.zoe.pk]
        )
        world.edit(first_name="Àda")
        compact_versions()
        before = read_versions()
        get()
        assert queries() == 1
    assert read_versions().people == before.people + 1
    assert queries() > 1


@pytest.mark.postgresql
def test_a_connection_that_was_cut_is_made_again(world):
    """By Django's own health check, at the first query of a request."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no connection that could be cut")
    get()
    with psycopg.connect(**connection.get_connection_params()) as other:
        own = connection.connection.info.backend_pid
        other.execute("SELECT pg_terminate_backend(%s)", [own])
    connection.close_if_unusable_or_obsolete()  # what Django does when a request begins
    assert get().status_code == 200


@pytest.mark.parametrize("path", ["/en/", "/en/rankings/2026/", RED, "/en/archive/"])
def test_signed_in_readers_and_readers_with_a_message_never_get_a_cached_page(world, path):
    get(path)
    cached = len(cached_pages())
    for name in page_cache.COOKIES_OF_VISITORS:
        browser = Client()
        browser.cookies[name] = "anything"
        assert queries(path, browser) > 1
    assert len(cached_pages()) == cached


def test_in_production_redis_shares_pages_and_may_go_away(world, redis_server):
    url, stop = redis_server
    cache = RedisCache(url, env.page_cache(url))
    with mock.patch.object(page_cache, "caches", {"pages": cache}):
        page = get()
        assert queries() == 1
        assert get().content == page.content
        world.edit(first_name="Àda")
        assert "Àda" in get().content.decode()
        stop()
        assert (queries() > 1, get().content.decode().count("Àda") > 0) == (True, True)
