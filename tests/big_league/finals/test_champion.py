"""From the convocation to the champion: who has a seat plays, the final is closed, and the ranking
begins anew."""

from datetime import UTC, date, datetime

import pytest
from django.test import Client

from big_league.services.convocations import preview_call
from pergioco.publishing import published
from pergioco.publishing.services import publish
from pergioco.stages.models import Stage
from tests.big_league.finals.hall import announced, championship, first_mail, say
from tests.big_league.play import write
from tests.website.league import main

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]


def test_big_7_the_final_crowns_the_champion_and_begins_the_ranking_anew(clock):
    championship(8)
    final = first_mail(announced(seats=6, reserves=2))
    order = [row.player for row in final.called.select_related("player__person")]
    for player in order[:6]:
        say(final, player, "yes")
    assert final.stage.entries.count() == 6
    clock.move_to(datetime(2026, 4, 26, 12, tzinfo=UTC))
    write(
        final.stage,
        "A9 B7 C5, D8 E6 F3; A9 D7",
        who=dict(zip("ABCDEF", order, strict=False)),
        phases={2: "final"},
    )
    Stage.objects.filter(pk=final.stage.pk).update(status="closed")
    publish.publish_season(final.stage.season, cause="closed")

    version = published.latest_version()
    assert version is not None
    ranking = version.ranking("big:catan")
    assert ranking is not None
    assert dict(ranking.read) == {
        "events": [final.stage.slug],
        "final": final.stage.slug,
        "champion": order[0].pk,
    }
    assert {line.player_id for line in ranking.lines} == {player.pk for player in order[:6]}
    assert f"{order[0].person}" in main(Client().get("/en/big/finals/"))
    following = announced(
        starts_at=datetime(2026, 11, 7, 9, tzinfo=UTC), answers_until=date(2026, 11, 1)
    )
    assert preview_call(following).champion == order[0].pk
