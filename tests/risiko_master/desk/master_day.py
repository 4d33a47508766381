"""A Master run through the pages of its director, as far as a test needs it."""

from uuid import uuid4

from pergioco.stages.models import Table
from pergioco.stages.services.drafting import find_draft
from tests.conftest import signed_in
from tests.risiko_master.masters import master


class MasterDay:
    def __init__(self, players=16, clubs=(4, 3), **fields):
        self.stage, self.director = master(players=players, clubs=clubs, **fields)
        self.browser = signed_in(self.director)
        self.room = f"/en/risiko/{self.stage.slug}/control/"

    def get(self, path="", **query):
        return self.browser.get(f"{self.room}{path}", query)

    def post(self, path, **typed):
        return self.browser.post(f"{self.room}{path}", typed)

    def entries(self):
        return list(self.stage.entries.order_by("id").select_related("player__person"))

    def everybody_comes(self, but=0):
        """The last ones do not."""
        self.post("entries/", step="announce")
        rows = self.entries()
        for row in rows[: len(rows) - but]:
            self.post("entries/", step="here", entry=str(row.pk))

    def begin(self, but=0):
        self.everybody_comes(but)
        return self.post("doors/")

    def tables(self, game):
        rows = Table.objects.filter(round__revision=find_draft(self.stage), round__number=game)
        return list(rows.order_by("number").prefetch_related("seats"))

    def sheet(self, game, number, points, **more):
        """The points in the order of the seats; `made` is the number of the seat that makes
        RisiKo!."""
        table = next(one for one in self.tables(game) if one.number == number)
        typed = {"submission": str(uuid4()), "version": str(table.version)}
        for seat, told in zip(table.seats.all(), points, strict=True):
            typed[f"points-{seat.player_id}"] = str(told)
        return self.post(f"games/{game}/{number}/", **(typed | more))

    def play(self, game, winner=None):
        """Each seat has five points more than the one before, a little more at each table; `winner`
        goes first."""
        for table in self.tables(game):
            seats = list(table.seats.all())
            points = [10 + 5 * place + table.number % 5 for place in range(len(seats))]
            if winner in [seat.player_id for seat in seats]:
                points[[seat.player_id for seat in seats].index(winner)] = 70
            assert self.sheet(game, table.number, points).status_code == 302

    def both_games(self, but=0):
        self.begin(but)
        self.play(1)
        self.post("draws/2/", step="draw")
        self.play(2)

    def until_the_finals(self, but=0):
        self.both_games(but)
        self.post("draws/3/", step="draw")
        self.play(3)
        self.post("finals/")
