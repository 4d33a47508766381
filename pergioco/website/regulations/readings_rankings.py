"""How this portal reads what PerGioco Masters leaves open: the three rankings, the end of the year, the Race."""

from django.utils.translation import gettext_lazy as _

from pergioco.website.regulations.text import Reading

READINGS = (
    Reading(
        "PG-14",
        (24, 29),
        _("Which average ranks in Red?"),
        {"overall": _("The overall PGR, in whole points."), "exact": _("The exact average.")},
        _(
            "Nothing else uses the overall PGR of paragraph 24, and only whole points make the ties of paragraph 30 "
            "happen. The exact average is shown beside it."
        ),
        is_asked=True,
    ),
    Reading(
        "PG-15",
        (29, 35),
        _("What does “priority” for ten active ratings mean?"),
        {
            "tiers": _("Two parts: whoever has enough ratings stands first, then the others."),
            "best": _("The average of one's ten best ratings."),
            "only": _("Only those with enough ratings are ranked."),
        },
        _("The average orders players; nothing says that it picks games. The points of Green follow the same order."),
        is_asked=True,
    ),
    Reading(
        "PG-16",
        (30, 33, 36),
        _("“More games played”: which games?"),
        {
            "active": _("The valid games of this year and the last."),
            "lifetime": _("All valid games."),
            "year": _("The valid games of this year."),
        },
        _(
            "They are the games that make the ratings active. Wins by absence count, penalised absences do not. Who is "
            "still level shares the place, and the next place is skipped."
        ),
        is_asked=True,
    ),
    Reading(
        "PG-17",
        (32,),
        _("Is the sum of Blue rounded?"),
        {"exact": _("No: three decimals, as the ratings have.")},
        _("The regulation names no rounding there. Ties are settled as in Red."),
    ),
    Reading(
        "PG-18",
        (35,),
        _("Which points do shared places get in Green?"),
        {"each": _("The points of the place, each."), "average": _("The average of the places that are taken up.")},
        _("The Race's own example does so. Two who share the fifteenth place both get its point."),
    ),
    Reading(
        "PG-19",
        (31, 34, 37),
        _("What belongs to the final rankings of a year?"),
        {
            "day": _(
                "Games up to 31 December, by the day in Rome, of stages that are closed when the rankings are frozen."
            )
        },
        _(
            "A stage that ends in January belongs to the new year. What is corrected afterwards is listed as an "
            "erratum; the frozen ranking is never changed silently."
        ),
    ),
    Reading(
        "PG-20",
        (28,),
        _("Which years count for the deletion on 1 January, and is it by game?"),
        {
            "player": _("Five calendar years, the one that begins included; any game of any title saves all ratings."),
            "game": _("The same years, game by game."),
        },
        _(
            "So says the example of paragraph 28, and it speaks of players without any game. What the opponents' "
            "ratings were computed from is kept without a name."
        ),
    ),
    Reading(
        "PG-21",
        (39,),
        _("Which place counts in a Race stage?"),
        {
            "points": _("The place by the points scored in the stage; equal points share it."),
            "platform": _("The place on the platform, with its tie-breaks."),
        },
        _(
            "The Italian and the Spanish text add that it is the place by points; the printed example shows a shared "
            "one."
        ),
    ),
    Reading(
        "PG-22",
        (39,),
        _("Who is counted in N?"),
        {"classified": _("Those who are in the ranking of the stage."), "entered": _("All who entered.")},
        _("Who never came is not in the ranking (25). A player alone gets no points."),
    ),
    Reading(
        "PG-23",
        (38,),
        _("What if somebody who was not registered played a Race stage?"),
        {"removed": _("No points; places and N are counted among the others, with their points as scored.")},
        _("The Race is for those who were registered when the stage began. The games stay rated."),
    ),
    Reading(
        "PG-24",
        (40,),
        _("Best and worst dropped: of what?"),
        {
            "results": _("Of the results that the player has."),
            "absences_are_zero": _("Of all twelve stages, a stage not played being zero."),
            "only_with_twelve": _("Only from those who have played all twelve."),
        },
        _(
            "The regulation speaks of the points that a player obtained. If only those with twelve results lost two of "
            "them, playing the twelfth stage would lower a total. One or two results leave nothing."
        ),
        is_asked=True,
    ),
    Reading(
        "PG-25",
        (38, 40),
        _("What does “at most twelve” limit?"),
        {"stages": _("The Race stages of a season; each one holds 64 players at most."), "players": _("The players.")},
        _(
            "Paragraph 40 counts twelve tournaments. If fewer are held the same rules apply. Equal totals share a "
            "place."
        ),
    ),
)
