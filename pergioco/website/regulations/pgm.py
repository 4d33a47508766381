"""PerGioco Masters from its first paragraph to its last."""

from django.utils.translation import gettext_lazy as _

from pergioco.website.regulations import pgm_counting, pgm_playing

OFFICIAL = "https://www.pergioco.net/pgmasters.html"
CHAPTERS = (*pgm_playing.CHAPTERS, *pgm_counting.CHAPTERS)
PARAGRAPHS = {paragraph.number: paragraph for chapter in CHAPTERS for paragraph in chapter.paragraphs}
SUMMARY = (
    _("Register once, free of charge; then enter the stages that you like, on the platform where they are played."),
    _("In each game you have a rating, the PGR. It starts at %(start)s and moves after every stage that you play."),
    _("Ratings count in the rankings as long as you played the game this year or last year."),
    _("Red ranks by the average of your ratings, Blue by their sum."),
    _("Green adds points for good places in Red and Blue, and for being among the first %(leaders)s of a game."),
    _(
        "The Race gives points for your place in at most %(most_stages)s stages of the year; the best and the worst "
        "are dropped."
    ),
    _("Once you have entered, come: a game missed after the first one can cost you rating points."),
)
