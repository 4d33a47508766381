"""Work on very many rows."""

import pytest
from django.db import connection

from pergioco.core.database import analyze_tables
from pergioco.stages.models import Game

GAMES = 2000


@pytest.mark.django_db
def test_the_planner_knows_what_the_transaction_wrote():
    Game.objects.bulk_create(
        Game(slug=f"g{n}", name_en="", name_it="", name_es="") for n in range(GAMES)
    )
    analyze_tables()
    assert Game.objects.count() == GAMES
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT reltuples FROM pg_class WHERE relname = %s", [Game._meta.db_table]
            )
            assert cursor.fetchone()[0] == GAMES
