"""A rating from before the first stage on file."""

from datetime import date

import pytest
from django.core.exceptions import ValidationError

from pergioco.stages.models import OpeningRating
from tests import factories
from tests.ratings.play import people, played

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]


@pytest.mark.parametrize(
    ("last", "is_taken"), [(date(2025, 3, 1), True), (date(2025, 3, 2), False), (None, True)]
)
def test_it_was_not_earned_after_the_first_stage(last, is_taken):
    who, go = people("AB"), factories.game("go")
    played("A 1 B", who=who, on=date(2025, 3, 1), game=go)
    played("A 1 B", who=who, on=date(2025, 1, 1), game=factories.game("hex"))
    opening = OpeningRating(player=who["A"], game=go, pgr="1100.000", last_played_on=last)
    if is_taken:
        opening.full_clean()
    else:
        with pytest.raises(ValidationError, match="ended before") as refusal:
            opening.full_clean()
        assert [*refusal.value.message_dict] == ["last_played_on"]
