"""Asking a platform, one document after the other, with a stand-in on this machine in its place."""

import json
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from pergioco.core import fetcher, jobs
from pergioco.core.models import Job
from pergioco.imports.models import Fetch
from pergioco.imports.services import fetching
from pergioco.imports.services.fetching import WantedTournament
from pergioco.stages.models import SourceFile
from tests.conftest import signed_in
from tests.imports.sample_files import raw
from tests.imports.steps import confirm, own_stage, table_of
from tests.players import stand_in
from tests.players.stand_in import says

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
SWISS = "playstrategy/ps_swiss_single"
MATCHES = "playstrategy/ps_swiss_playx_ms"
EVENT = "6e36aab0-d1bc-42d9-a30d-977ee2257159"
TOURNAMENT = "6b4cb242-4a23-4596-a217-beaddbc496cb"


@pytest.fixture
def platform(monkeypatch, settings):
    settings.PLAYSTRATEGY_HOST = settings.ABSTRACT_PLAY_API_HOST = stand_in.HOST
    with stand_in.platform() as standing_in:
        monkeypatch.setattr(fetcher, "Fetcher", standing_in.fetcher)
        yield standing_in


@pytest.fixture
def stage(organizer):
    return own_stage(organizer, platform="playstrategy")


def knows(platform, pages: dict[str, bytes]) -> None:
    """It answers these paths, and 404 to all others."""

    def answer(wire, head: str) -> None:
        body = pages.get(head.split(" ")[1])
        (says(b"", "404 Not Found") if body is None else says(body))(wire, head)

    platform.answer = answer


def swiss_pages(sample: str = SWISS, key: str = "OthSyn01", **info) -> dict[str, bytes]:
    told = {**json.loads(raw(f"{sample}.info.json")), **info}
    return {
        f"/swiss/{key}": json.dumps(told).encode(),
        f"/swiss/{key}/standing/1": raw(f"{sample}.standing-1.json"),
        f"/api/swiss/{key}/games?moves=true&tags=false": raw(f"{sample}.games.ndjson"),
    }


def fetched(stage, organizer, kind="swiss", key="OthSyn01") -> Fetch:
    row = fetching.start_fetch(stage, WantedTournament(kind, key), by=organizer)
    jobs.run_waiting()
    row.refresh_from_db()
    return row


def test_a_swiss_is_fetched_document_by_document_and_kept_as_one_file(platform, stage, organizer):
    knows(platform, swiss_pages())
    row = fetched(stage, organizer)
    assert (row.state, row.received, row.trouble) == ("done", 3, "")
    assert row.source.reader == "playstrategy.swiss"
    assert row.source.url == f"https://{stand_in.HOST}/swiss/OthSyn01"
    assert set(json.loads(bytes(row.source.raw))["documents"]) == {"info", "standing-1", "games"}
    assert platform.asked == list(swiss_pages())
    assert "Accept: application/vnd.playstrategy.v5+json" in platform.heads[0]
    assert "Accept: application/x-ndjson" in platform.heads[2]


def test_for_matches_the_sheet_of_each_player_is_asked(platform, stage, organizer):
    pages = swiss_pages(MATCHES, "AbaSyn02")
    players = [p["user"]["id"] for p in json.loads(pages["/swiss/AbaSyn02/standing/1"])["players"]]
    for player in players:
        pages[f"/swiss/AbaSyn02/player/{player}"] = json.dumps(
            {"user": {"name": player}, "sheet": []}
        ).encode()
    pages["/swiss/AbaSyn02/player/abby_a"] = raw(f"{MATCHES}.player-abby_a.json")
    knows(platform, pages)
    row = fetched(stage, organizer, key="AbaSyn02")
    assert (row.state, row.received) == ("done", 3 + len(players))


def test_a_standing_of_many_players_comes_in_pages_of_ten(platform, stage, organizer):
    pages = swiss_pages(nbPlayers=21)
    knows(platform, pages)
    row = fetched(stage, organizer)
    assert (row.state, row.trouble) == ("failed", "unknown")
    assert platform.asked[-1] == "/swiss/OthSyn01/standing/2"


def test_a_tournament_that_still_runs_is_not_fetched(platform, stage, organizer):
    knows(platform, swiss_pages(status="started"))
    row = fetched(stage, organizer)
    assert (row.state, row.trouble, row.received) == ("failed", "not_finished", 1)
    assert SourceFile.objects.count() == 0


def test_from_the_link_to_the_draft_in_three_presses(platform, stage, organizer):
    knows(platform, swiss_pages())
    client = signed_in(organizer)
    answer = client.post(
        reverse("import-platform", args=[stage.pk]), {"link": "OthSyn01"}, follow=True
    )
    assert "Waiting for our turn." in answer.content.decode()
    assert answer.headers["Refresh"] == "3"
    jobs.run_waiting()
    preview = client.get(answer.request["PATH_INFO"], follow=True)
    assert confirm(client, preview, as_shown="on").status_code == 302
    signs = [sign for _round, sign, _names in table_of(stage)]
    assert (len(signs), signs.count("B"), signs.count("+") + signs.count("-")) == (19, 4, 2)


def test_the_request_never_waits_for_the_platform(platform, stage, organizer):
    client = signed_in(organizer)
    client.post(reverse("import-platform", args=[stage.pk]), {"link": "OthSyn01"})
    assert platform.asked == []
    assert Job.objects.get().arguments == {"fetch": Fetch.objects.get().pk}


def test_asked_twice_it_is_one_fetch(stage, organizer):
    first = fetching.start_fetch(stage, WantedTournament("swiss", "OthSyn01"), by=organizer)
    assert fetching.start_fetch(stage, WantedTournament("swiss", "OthSyn01"), by=organizer) == first
    assert Job.objects.count() == 1


@pytest.mark.parametrize(
    ("answer", "trouble", "words"),
    [
        (says(b"", "500 Internal Server Error"), "silent", "The platform does not answer."),
        (says(b"", "404 Not Found"), "unknown", "The platform knows no tournament with this link."),
        (says(b"", "429 Too Many Requests"), "too_many", "The platform asks us to slow down."),
        (says(b"", "302 Found"), "odd", "The platform answered something that cannot be read."),
        (says(b"<html>"), "not_json", "This is not what the platform sends."),
        (says(b"[]"), "unexpected_shape", "The file is built in another way than expected."),
        (
            says(b'{"status": "finished", "nbPlayers": 4000}'),
            "too_large",
            "too large to be asked for page by page",
        ),
        (
            says(b'{"status": "finished", "nbPlayers": "all"}'),
            "no_players",
            "There are no players in it.",
        ),
    ],
)
def test_a_failure_is_told_in_words_with_two_ways_on(
    platform, stage, organizer, *, answer, trouble, words
):
    platform.answer = answer
    row = fetched(stage, organizer)
    assert (row.state, row.trouble) == ("failed", trouble)
    shown = signed_in(organizer).get(reverse("import-fetch", args=[stage.pk, row.pk]))
    page = shown.content.decode()
    assert words in page
    assert "Try again" in page
    assert reverse("import-paste", args=[stage.pk]) in page
    assert "Refresh" not in shown.headers
    assert Job.objects.filter(done_at=None).count() == 0


def test_try_again_begins_anew(platform, stage, organizer):
    platform.answer = says(b"", "500 Internal Server Error")
    row = fetched(stage, organizer)
    answer = signed_in(organizer).post(reverse("import-fetch-again", args=[stage.pk, row.pk]))
    assert answer.url == reverse("import-fetch", args=[stage.pk, Fetch.objects.latest("pk").pk])
    assert Fetch.objects.filter(job__state="queued").count() == 1


def leased(stage, organizer) -> Fetch:
    """Another fetch from the same platform, in the hands of another worker."""
    row = fetching.start_fetch(stage, WantedTournament("swiss", "Another1"), by=organizer)
    assert jobs.lease(row.job_id) is not None
    return row


def test_one_fetch_at_a_time_from_a_platform(platform, stage, organizer, clock):
    leased(stage, organizer)
    row = fetched(stage, organizer)
    assert row.state == "waiting"
    assert platform.asked == []
    assert (row.job.arguments, row.job.not_before > timezone.now()) == ({"fetch": row.pk}, True)


def test_fetches_from_two_platforms_do_not_wait_for_each_other(stage, organizer):
    leased(stage, organizer)
    other = fetching.start_fetch(
        own_stage(organizer, platform="abstractplay"),
        WantedTournament("event", EVENT),
        by=organizer,
    )
    assert jobs.lease(other.job_id) is not None


def test_a_fetch_whose_worker_died_is_made_by_another_and_blocks_nobody(
    platform, stage, organizer, clock
):
    dead = leased(stage, organizer)
    platform.answer = says(b"", "404 Not Found")
    row = fetched(stage, organizer)
    assert row.state == "waiting"
    clock.shift(jobs.LEASE + timedelta(seconds=1))
    assert jobs.run_waiting() == 2
    assert [Fetch.objects.get(pk=one.pk).trouble for one in (dead, row)] == ["unknown", "unknown"]


def test_a_worker_that_lost_its_lease_stops_asking_and_keeps_nothing(stage, organizer, monkeypatch):
    row, asked = (
        fetching.start_fetch(stage, WantedTournament("swiss", "OthSyn01"), by=organizer),
        [],
    )

    def answer(_platform, path: str, **_more) -> bytes:
        asked.append(path)
        Job.objects.filter(pk=row.job_id).update(attempts=2)  # another worker took it over
        return b'{"status": "finished", "nbPlayers": 2}'

    monkeypatch.setattr(fetcher, "get_body", answer)
    assert jobs.run(row.job_id) is False
    assert (asked, Fetch.objects.get().ended_at, SourceFile.objects.count()) == (
        ["/swiss/OthSyn01"],
        None,
        0,
    )


def test_the_job_run_again_changes_nothing(platform, stage, organizer):
    platform.answer = says(b"", "404 Not Found")
    row = fetched(stage, organizer)
    asked = len(platform.asked)
    assert fetching.run_fetch(row.pk) is None
    assert len(platform.asked) == asked


def test_an_arena_is_its_results_and_its_games(platform, stage, organizer):
    key = "AreSyn04"
    pages = {
        f"/api/tournament/{key}": b'{"isFinished": true}',
        f"/api/tournament/{key}/results": raw("playstrategy/ps_arena.results.ndjson"),
        f"/api/tournament/{key}/games": raw("playstrategy/ps_arena.games.ndjson"),
    }
    knows(platform, pages)
    row = fetched(stage, organizer, "arena", key)
    assert (row.state, row.source.reader, platform.asked) == (
        "done",
        "playstrategy.arena",
        list(pages),
    )


def test_a_tournament_of_abstract_play_is_one_document(platform, organizer):
    stage = own_stage(organizer, platform="abstractplay", system="round_robin")
    path = (
        f"/prod/query?query=get_tournament&tournamentid={TOURNAMENT}"
        "&metaGame=undefined&isArchived=false"
    )
    knows(platform, {path: raw("abstractplay/ap_tournament.get_tournament.json")})
    row = fetched(stage, organizer, "tournament", TOURNAMENT)
    assert (row.state, row.source.reader) == ("done", "abstractplay.tournament")


def test_an_archived_tournament_is_asked_for_under_its_game(platform, organizer):
    stage = own_stage(organizer, platform="abstractplay")
    path = (
        f"/prod/query?query=get_tournament&tournamentid={TOURNAMENT}"
        "&metaGame=havannah&isArchived=true"
    )
    knows(platform, {path: raw("abstractplay/ap_tournament_archived.get_tournament.json")})
    assert fetched(stage, organizer, "archived", f"havannah/{TOURNAMENT}").state == "done"


def test_of_the_directory_only_those_who_play_are_kept(platform, organizer):
    cache.clear()
    stage = own_stage(organizer, platform="abstractplay")
    directory = json.loads(raw("abstractplay/ap_user_names.json"))
    directory.append({"id": "somebody-else", "name": "Bystander", "about": "private"})
    pages = {
        f"/prod/query?query=get_event&eventid={EVENT}": raw("abstractplay/ap_event.get_event.json"),
        "/prod/query?query=user_names": json.dumps(directory).encode(),
    }
    knows(platform, pages)
    row = fetched(stage, organizer, "event", EVENT)
    text = bytes(row.source.raw).decode()
    assert "João Prado" in text
    assert "Bystander" not in text
    assert "about" not in json.loads(json.loads(text)["documents"]["user_names"])[0]


def test_board_game_arena_is_never_asked(platform, organizer):
    stage = own_stage(organizer, platform="bga")
    client = signed_in(organizer)
    page = client.get(reverse("import-platform", args=[stage.pk])).content.decode()
    assert "Board Game Arena does not allow automatic requests." in page
    client.post(
        reverse("import-platform", args=[stage.pk]),
        {"link": "https://boardgamearena.com/tournament?id=1"},
    )
    assert (Fetch.objects.count(), platform.asked) == (0, [])


def test_a_link_of_elsewhere_is_refused_and_kept_in_the_box(stage, organizer):
    client = signed_in(organizer)
    page = client.post(
        reverse("import-platform", args=[stage.pk]), {"link": "https://evil.example/swiss/AbCd1234"}
    )
    assert "This is not the link of a tournament there." in page.content.decode()
    assert "https://evil.example/swiss/AbCd1234" in page.content.decode()
    assert Fetch.objects.count() == 0
