"""Notices by mail: half an hour after the fact, to whom it concerns, once, and never of what was
taken back."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone
from time_machine import Traveller

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.office.models import Bounce, Happening, Notice, Subscription
from pergioco.office.newsletter import recipients, sending
from pergioco.office.notices import mailing, subscriptions
from pergioco.players.models import Player, Registration
from pergioco.players.services import erasing
from pergioco.publishing.models import Publication
from pergioco.publishing.services import publish, withdrawing
from pergioco.stages.models import Game, Revision, Stage
from pergioco.stages.services import scheduling
from tests import factories
from tests.office.contact.conftest import opened
from tests.office.contact.sink import Sink
from tests.publishing.play import corrected, played

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("english")]
HALF_AN_HOUR = timedelta(minutes=30, seconds=1)


@dataclass
class Town:
    """Anna and Ugo play Go, Eva reads about it."""

    anna: Player
    ugo: Player
    eva: Player
    go: Game
    staff: User
    clock: Traveller
    sink: Sink

    def closed(self, game: Game, **fields: Any) -> Revision:
        pairs = [(self.anna, self.ugo)]
        return played(pairs, "1", by=self.staff, game=game, on=date(2026, 3, 1), **fields)

    @property
    def told(self) -> list[tuple[str, str]]:
        """To whom, and about what."""
        return [
            (mail.recipients[0].partition("@")[0], opened(mail)["Subject"])
            for mail in self.sink.mails
        ]

    def later(self, by: timedelta = HALF_AN_HOUR) -> None:
        self.clock.shift(by)
        mailing.send_due_notices()


@pytest.fixture
def town(clock, staff, sink) -> Town:
    factories.season()
    anna, ugo, eva = (
        factories.registered(
            user=factories.user(f"{name}@example.org", language="en"), first_name=name.capitalize()
        )
        for name in ("anna", "ugo", "eva")
    )
    return Town(anna, ugo, eva, factories.game("go"), staff, clock, sink)


def wants(player, kind, **more) -> Subscription:
    return Subscription.objects.create(player=player, kind=kind, **more)


# When


def test_nothing_is_told_before_half_an_hour_is_over(town):
    wants(town.anna, "results")
    town.closed(town.go)
    town.later(timedelta(minutes=29))
    assert town.told == []
    town.later(timedelta(minutes=2))
    assert town.told == [("anna", "go, 1 March 2026: results")]


def test_it_is_told_once(town):
    wants(town.anna, "results")
    town.closed(town.go)
    for _round in range(3):
        town.later()
    assert len(town.sink.mails) == 1


def test_what_was_withdrawn_is_never_told(town):
    for kind in ("results", "rankings"):
        wants(town.anna, kind)
    revision = town.closed(town.go)
    withdrawing.withdraw_results(revision.stage, revision=revision.pk, by=town.staff)
    town.later()
    assert town.told == []


def test_a_correction_overtakes_what_it_corrects(town):
    wants(town.anna, "results")
    stage = town.closed(town.go).stage
    corrected(stage, "2", by=town.staff)
    town.later()
    assert town.told == [("anna", "go, 1 March 2026: results corrected")]
    assert Happening.objects.count() == 2  # the correction, and the rankings


def test_a_publication_that_was_withdrawn_is_never_told(town):
    wants(town.anna, "rankings")
    town.closed(town.go)
    Publication.objects.update(is_current=False, withdrawn_at=timezone.now())
    town.later()
    assert town.told == []


def test_a_digest_leaves_at_six_in_the_evening_in_rome(town):
    wants(town.anna, "results", pace="daily")
    wants(town.anna, "rankings", pace="daily")
    town.closed(town.go)
    town.later()
    town.clock.move_to("2026-03-12T17:59:59+01:00")
    mailing.send_due_notices()
    assert town.told == []
    town.clock.move_to("2026-03-12T18:00:00+01:00")
    mailing.send_due_notices()
    assert town.told == [("anna", "2 pieces of news")]
    assert "go, 1 March 2026: results" in opened(town.sink.mails[0]).get_content()


@pytest.mark.parametrize(
    ("now", "due"),
    [
        ("2026-03-12T17:59:00+01:00", "2026-03-12T18:00:00+01:00"),
        ("2026-03-12T18:00:00+01:00", "2026-03-13T18:00:00+01:00"),
        (
            "2026-03-28T19:00:00+01:00",
            "2026-03-29T18:00:00+02:00",
        ),  # the night on which clocks go forward
    ],
)
def test_the_next_digest(clock, now, due):
    clock.move_to(now)
    assert mailing.next_digest(timezone.now()).isoformat() == due


def test_what_was_corrected_while_a_digest_waited_is_told_as_it_is_now(town):
    wants(town.anna, "results", pace="daily")
    stage = town.closed(town.go).stage
    town.later()
    assert Notice.objects.count() == 1
    corrected(stage, "2", by=town.staff)
    town.clock.move_to("2026-03-12T18:00:00+01:00")
    mailing.send_due_notices()
    assert town.told == []
    town.clock.move_to("2026-03-13T18:00:00+01:00")
    mailing.send_due_notices()
    assert town.told == [("anna", "go, 1 March 2026: results corrected")]


def test_what_is_older_than_three_days_is_no_news(town):
    wants(town.anna, "results")
    town.closed(town.go)
    town.later(timedelta(days=3, minutes=31))
    assert town.told == []


# To whom


def test_results_of_my_stages_with_my_rating(town):
    for player in (town.anna, town.eva):
        wants(player, "results")
    town.closed(town.go)
    town.later()
    assert town.told == [("anna", "go, 1 March 2026: results")]
    text = opened(town.sink.mails[0]).get_content()
    assert "PGR 1000.000 → 1010.000" in text
    assert "/en/stages/2026/" in text


def test_only_of_the_game_that_was_chosen(town):
    wants(town.anna, "results", game=town.go)
    town.closed(factories.game("hex"))
    town.closed(town.go)
    town.later()
    assert town.told == [("anna", "go, 1 March 2026: results")]


def test_who_follows_a_game_hears_of_its_results_without_ratings(town):
    subscriptions.follow_game(town.eva, town.go, "now", by=town.eva.person.user)
    town.closed(town.go)
    town.later()
    assert town.told == [("eva", "go, 1 March 2026: results")]
    assert "PGR" not in opened(town.sink.mails[0]).get_content()


def test_who_follows_a_player_hears_of_their_results(town):
    subscriptions.follow_player(town.eva, town.anna, "now", by=town.eva.person.user)
    town.closed(town.go)
    town.later()
    assert town.told == [("eva", "Anna Rossi: go, 1 March 2026: results")]


def test_whoever_is_no_longer_named_in_public_is_followed_by_nobody(town):
    subscriptions.follow_player(town.eva, town.anna, "now", by=town.eva.person.user)
    Registration.objects.filter(player=town.anna).update(publication_allowed=False)
    town.closed(town.go)
    town.later()
    assert town.told == []


def test_nobody_follows_who_is_not_named_in_public_nor_themselves(town):
    with pytest.raises(Refused, match="not named in public"):
        subscriptions.follow_player(town.eva, factories.player(), "now", by=town.eva.person.user)
    with pytest.raises(Refused, match="This is you"):
        subscriptions.follow_player(town.eva, town.eva, "now", by=town.eva.person.user)


def test_points_of_race_stages_only(town):
    wants(town.eva, "race")
    town.closed(factories.game("hex"))
    town.closed(town.go, race=True)
    town.later()
    assert town.told == [("eva", "go, 1 March 2026: results")]


def test_new_rankings(town):
    wants(town.eva, "rankings")
    town.closed(town.go)
    town.later()
    number = Publication.objects.get(is_current=True).number
    assert town.told == [("eva", f"Rankings 2026, version {number} of 12 March 2026")]


def moved(stage: Stage, staff) -> None:
    before = Stage.objects.get(pk=stage.pk)
    stage.starts_on = stage.ends_on = date(2026, 4, 1)
    stage.save()
    scheduling.record_move(stage, before, by=staff, reason="The hall is closed.")


def test_a_stage_that_is_moved(town):
    wants(town.eva, "moved")
    moved(factories.stage(game=town.go), town.staff)
    town.later()
    assert town.told == [("eva", "go: moved to 1 April 2026")]
    assert (
        "It was to begin on 20 March 2026. The hall is closed."
        in opened(town.sink.mails[0]).get_content()
    )


def test_called_off_and_put_back_within_half_an_hour_is_told_as_it_is_in_the_end(town):
    wants(town.eva, "moved")
    stage = factories.stage(game=town.go)
    scheduling.cancel_stage(stage, by=town.staff)
    town.clock.shift(timedelta(minutes=5))
    scheduling.restore_stage(stage, by=town.staff)
    town.later()
    assert town.told == [("eva", "go, 20 March 2026: takes place after all")]


def test_a_stage_that_is_cancelled(town):
    wants(town.eva, "game", game=town.go)
    scheduling.cancel_stage(factories.stage(game=town.go), by=town.staff)
    town.later()
    assert town.told == [("eva", "go, 20 March 2026: cancelled")]


def test_a_stage_that_comes_onto_the_calendar(town):
    wants(town.eva, "added")
    stage = factories.stage(game=town.go)
    AuditEntry.objects.create(
        action="stage.added",
        object_type="stages.stage",
        object_id=str(stage.pk),
        actor=town.staff,
        role="staff",
    )
    town.later()
    assert town.told == [("eva", "go, 20 March 2026: new on the calendar")]


def test_who_has_several_wishes_that_fit_gets_one_mail(town):
    wants(town.anna, "game", game=town.go)
    wants(town.anna, "player", followed=town.ugo)
    wants(town.anna, "results", pace="daily")
    town.closed(town.go)
    town.later()
    assert len(town.sink.mails) == 1
    town.clock.move_to("2026-03-13T18:00:00+01:00")
    mailing.send_due_notices()
    assert len(town.sink.mails) == 1


# Who wants it no more


def test_who_ends_the_wish_before_the_digest_gets_nothing(town):
    row = wants(town.anna, "results", pace="daily")
    town.closed(town.go)
    town.later()
    assert subscriptions.end_subscription(town.anna, row.pk, by=town.anna.person.user)
    town.clock.move_to("2026-03-12T18:00:00+01:00")
    mailing.send_due_notices()
    assert town.told == []


def test_each_mail_ends_what_it_is_about_with_one_click(town, client):
    wants(town.anna, "results")
    wants(town.anna, "moved")
    town.closed(town.go)
    town.later()
    mail = opened(town.sink.mails[0])
    token = mail["List-Unsubscribe"].strip(" <>/").rpartition("/")[2]
    assert recipients.read_unsubscribe_link(token).kinds == ["results"]
    assert client.post(f"/en/unsubscribe/{token}/").status_code == 200
    assert list(Subscription.objects.values_list("kind", flat=True)) == ["moved"]


def test_an_address_from_which_mail_comes_back_gets_no_notice(town):
    wants(town.anna, "results")
    for _time in range(Bounce.MOST_HARD):
        Bounce.objects.create(player=town.anna, address="anna@example.org")
    town.closed(town.go)
    town.later()
    assert town.told == []


def test_an_erased_person_leaves_no_wish_and_no_notice(town):
    wants(town.anna, "results", pace="daily")
    town.closed(town.go)
    town.later()
    erasing.erase_player(town.anna, by=town.staff)
    assert (Subscription.objects.count(), Notice.objects.count()) == (0, 0)


def test_everything_is_in_the_language_of_whoever_reads_it(town):
    town.anna.person.user.language = "it"
    town.anna.person.user.save()
    wants(town.anna, "results")
    town.closed(town.go)
    town.later()
    assert town.told == [("anna", "go, 1 marzo 2026: risultati")]


# Two at once, and afterwards


def test_found_by_two_workers_it_is_noted_once(town):
    wants(town.anna, "results")
    town.closed(town.go)
    town.clock.shift(HALF_AN_HOUR)
    first, second = list(mailing.find_new_happenings()), list(mailing.find_new_happenings())
    for found in (*first, *second):
        mailing.note_happening(found)
    assert Notice.objects.count() == 1


def test_after_thirty_days_nobody_knows_what_was_told_to_whom(town):
    wants(town.anna, "results")
    town.closed(town.go)
    town.later()
    town.clock.shift(timedelta(days=31))
    sending.delete_old_mail_records()
    assert (Happening.objects.count(), Notice.objects.count(), Subscription.objects.count()) == (
        0,
        0,
        1,
    )


def test_closing_a_stage_writes_no_mail_in_the_request(town):
    """Not even a row: whoever closes waits for nothing."""
    wants(town.anna, "results")
    town.closed(town.go)
    assert (Happening.objects.count(), Notice.objects.count(), town.sink.mails) == (0, 0, [])
    assert publish.current_publication(Stage.objects.get(game=town.go).season) is not None
