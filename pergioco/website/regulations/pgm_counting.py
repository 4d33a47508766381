"""PerGioco Masters, paragraphs 22 to 40: the ratings, the three rankings and the Race."""

from django.utils.translation import gettext_lazy as _

from pergioco.website.regulations.text import Chapter, Paragraph

RATING = Chapter(
    _("How a rating moves"),
    (
        Paragraph(
            22,
            _("The new rating after a stage"),
            (
                _(
                    "Everybody begins a game at %(start)s. After a stage: new rating = old rating + %(k)s × (points "
                    "scored − points expected), rounded to three decimals. A win is one point, a draw half a point."
                ),
                _(
                    "The points expected from one game are 1 ÷ (1 + 10^((opponent − own) ÷ 400)), with both ratings as "
                    "they were before the stage. Equal players expect half a point; 200 points more promise about "
                    "three quarters of one."
                ),
                _("All games of a stage count at once. Each stage has a spreadsheet that shows the sums."),
            ),
            seen="rankings",
        ),
        Paragraph(
            23,
            _("Who drops out of the rankings"),
            (
                _(
                    "Who has played no valid game of a title this year or last year is not ranked in it. The rating is "
                    "not lost: it sleeps until the next game."
                ),
            ),
            seen="rankings",
        ),
        Paragraph(
            24,
            _("The overall PGR"),
            (_("The average of your active ratings; what stands behind the point is cut off, never rounded up."),),
            seen="red",
        ),
    ),
)

COUNTING = Chapter(
    _("Which games count"),
    (
        Paragraph(
            25,
            _("Absences in a Swiss stage"),
            (
                _(
                    "Who misses the first game and never plays is not in the ranking of the stage, and the rating "
                    "stays as it was. Who misses only the first one and plays afterwards loses nothing for it either."
                ),
                _(
                    "A game missed later is a loss for the rating: the first such one. Further absences in the same "
                    "stage cost nothing more."
                ),
            ),
            seen="rankings",
        ),
        Paragraph(
            26,
            _("Walkovers, resignations and byes"),
            (
                _(
                    "A win because the opponent did not come or gave up is a win like any other. A bye is no game: it "
                    "moves no rating."
                ),
            ),
            seen="rankings",
        ),
        Paragraph(
            27,
            _("Active ratings"),
            (
                _(
                    "A rating is active if its last valid game was played this year or last year. Only active ratings "
                    "stand in the rankings."
                ),
            ),
            seen="rankings",
        ),
        Paragraph(
            28,
            _("What is deleted on 1 January"),
            (
                _(
                    "The hidden ratings of people who never registered and have not played at all in %(years_kept)s "
                    "calendar years. The ratings of registered players are never deleted."
                ),
            ),
            seen="rankings",
        ),
    ),
)

RED = Chapter(
    _("Red ranking"),
    (
        Paragraph(
            29,
            _("By average"),
            (
                _("The higher overall PGR (see 24) stands first."),
                _(
                    "Those with %(enough_pgrs)s active ratings or more stand before all the others, whatever the "
                    "averages: trying many games is rewarded."
                ),
            ),
            seen="red",
        ),
        Paragraph(
            30,
            _("Ties in Red"),
            (_("More active ratings first, then more games played. Who is still level shares the place."),),
            seen="red",
        ),
        Paragraph(
            31,
            _("When Red is final"),
            (_("It is frozen with the games up to 31 December of its year."),),
            seen="red",
        ),
    ),
)

BLUE = Chapter(
    _("Blue ranking"),
    (
        Paragraph(
            32,
            _("By sum"),
            (_("All your active ratings added up, with their decimals. Each new game adds to it."),),
            seen="blue",
        ),
        Paragraph(33, _("Ties in Blue"), (_("As in Red: active ratings, then games played."),), seen="blue"),
        Paragraph(34, _("When Blue is final"), (_("On 31 December, as Red."),), seen="blue"),
    ),
)

GREEN = Chapter(
    _("Green ranking, the PerGioco Masters Trophy"),
    (
        Paragraph(
            35,
            _("Three kinds of points"),
            (
                _(
                    "Blue Points and Red Points for the first %(places)s places of those two rankings, and Leader "
                    "Points for the first %(leaders)s of every game. Added up they are the Green ranking."
                ),
                _("Players who share a place each get its points."),
            ),
            seen="green",
        ),
        Paragraph(36, _("Ties in Green"), (_("More games played stands first."),), seen="green"),
        Paragraph(37, _("When Green is final"), (_("On 31 December, as Red and Blue."),), seen="green"),
    ),
)

RACE = Chapter(
    _("The Race"),
    (
        Paragraph(
            38,
            _("What it is, and for whom"),
            (
                _(
                    "A ranking by points over at most %(most_stages)s stages of a season, without the PGR; its games "
                    "move the PGR as others do. It began in 2026."
                ),
                _(
                    "Only players who registered before the stage began get its points. If somebody else sat there, "
                    "the places are counted among the registered."
                ),
            ),
            seen="race",
        ),
        Paragraph(
            39,
            _("Points of one stage"),
            (
                _(
                    "%(race_k)s × log N ÷ log (P + 1), rounded down. N is how many players are classified in the "
                    "stage, P is your place by the points scored there; equal points share a place."
                ),
            ),
            seen="race",
        ),
        Paragraph(
            40,
            _("The total of the season"),
            (
                _(
                    "Your points of all Race stages, without your best and your worst one. A stage holds "
                    "%(most_players)s players at most and gives %(most_points)s points at most; so a season gives "
                    "%(most_total)s."
                ),
                _("While the Race runs the plain sum ranks; the two results are dropped when its last stage closes."),
            ),
            seen="race",
        ),
    ),
)

CHAPTERS = (RATING, COUNTING, RED, BLUE, GREEN, RACE)
