"""How this portal reads what PerGioco Masters leaves open: ratings (PG-1 to PG-13), and people (PG-26, PG-27)."""

from django.utils.translation import gettext_lazy as _

from pergioco.website.regulations.text import Reading

READINGS = (
    Reading(
        "PG-1",
        (22,),
        _("Is a rating updated after each game, or once after the stage?"),
        {
            "stage": _("Once: all games of the stage count on the ratings before it."),
            "game": _("After each game, on the ratings of that moment."),
        },
        _(
            "The regulation speaks of an update at the end of a tournament, in all three languages. The two ways "
            "differ by up to seven points. Stages of one game follow each other by their last day."
        ),
    ),
    Reading(
        "PG-2",
        (22,),
        _("What is rounded to three decimals?"),
        {
            "new": _("The new rating, once for each stage; a half goes away from zero."),
            "expected": _("The expected score."),
        },
        _("The overall PGR is cut off to the unit (24); that says something only if ratings carry decimals."),
    ),
    Reading(
        "PG-3",
        (21, 22),
        _("Which formula gives the expected score?"),
        {
            "logistic": _("The logistic one over 400 points, without a cap and without a table."),
            "table": _("A table or a cap, as some federations use."),
        },
        _(
            "The regulation names only K and the rounding. A draw is half a point. Who has only byes or a first game "
            "missed gets no rating at all."
        ),
    ),
    Reading(
        "PG-4",
        (5, 21, 28),
        _("Do unregistered participants have a rating?"),
        {
            "shadow": _("A hidden one: it counts for their opponents, and appears when they register."),
            "none": _("None: opponents count them at the starting rating, and nothing is kept of them."),
        },
        _(
            "Paragraph 28 deletes the ratings of unregistered players, so there are some. Nobody sees or ranks them, "
            "and they earn no points of any ranking."
        ),
        is_asked=True,
    ),
    Reading(
        "PG-5",
        (25,),
        _("What of a player who misses the first game and never plays?"),
        {"nothing": _("Out of the ranking of the stage, no change of the rating, no game played.")},
        _(
            "The first game is the first one with an opponent: a bye is none. The opponent's win is valid (26), "
            "against the rating that the absent player had, or against the starting one."
        ),
    ),
    Reading(
        "PG-6",
        (25,),
        _("What of a player who misses the first game and plays later?"),
        {
            "ranked": _("Ranked; only the missed game is left out."),
            "out": _("Out of the ranking of the stage."),
        },
        _("To be out of the ranking is meant for those who took no part. Games that were played count for both sides."),
    ),
    Reading(
        "PG-7",
        (25,),
        _("How many penalties can several absences bring?"),
        {
            "once": _("One in a stage."),
            "return": _("One for each absence after a return."),
            "each": _("One for each absence."),
        },
        _("The rule leaves the later ones out, in all three languages. The opponents' wins count each time."),
    ),
    Reading(
        "PG-8",
        (25,),
        _("Is it an absence when somebody is not paired at all?"),
        {"no": _("No: only a game with an opponent can be missed.")},
        _("Platforms mark rounds without a pairing in the same way. Half-point byes and the like are no penalties."),
    ),
    Reading(
        "PG-9",
        (25, 26),
        _("Where do the rules on absences hold?"),
        {
            "swiss": _("In Swiss stages. Elsewhere an absence is an ordinary loss."),
            "everywhere": _("In all stages."),
        },
        _(
            "Paragraph 25 names the Swiss system. In a round robin the organizer may annul an entry that never began, "
            "and says why. When both are absent, each one's absence counts by itself."
        ),
    ),
    Reading(
        "PG-10",
        (26,),
        _("What is a game that was given up?"),
        {"loss": _("Resigning or leaving is an ordinary loss, and a valid win for the other.")},
        _("The English text says the same with another word. A bye is never valid."),
    ),
    Reading(
        "PG-11",
        (25, 26),
        _("A round of several games: what is rated?"),
        {"games": _("Each game."), "match": _("The match as one game.")},
        _(
            "The regulation always speaks of games. Where a platform gives only the score of a match, the importer "
            "asks."
        ),
    ),
    Reading(
        "PG-12",
        (20, 35),
        _("What is “a game or group of games”?"),
        {
            "category": _("A category of the federation: it may gather several titles or variants of the platforms."),
            "title": _("Each title of a platform."),
        },
        _("The federation already keeps its ratings by such categories. Leader Points are given for each of them."),
    ),
    Reading(
        "PG-13",
        (23, 27),
        _("Is a player active, or a rating?"),
        {
            "rating": _("Each rating by itself, by its last valid game."),
            "player": _("The player, by the last game of any title."),
        },
        _(
            "Paragraph 27 speaks of ratings obtained with games of the two years. The day is the game's own, else the "
            "last one of the stage. A win because the other did not come is a valid game; a penalty for an absence is "
            "none."
        ),
    ),
    Reading(
        "PG-26",
        (3, 7),
        _("When must one be sixteen, and who excludes a player?"),
        {"person": _("On the day of registration. A person excludes, with a date and a reason.")},
        _(
            "The languages differ on whether exclusion is automatic. The games of an excluded player stay valid for "
            "the opponents; staff may decide that they are void, and then everything is computed again."
        ),
    ),
    Reading(
        "PG-27",
        (2, 12, 16, 19),
        _("What of a person may be published?"),
        {"four": _("First name, surname, city and country.")},
        _(
            "Birth date, e-mail and the link between a nickname and a name are not among what paragraph 12 lists. A "
            "nickname stands where it was played under. Stages lie inside the season; ratings begin on 1 October 2021."
        ),
    ),
)
