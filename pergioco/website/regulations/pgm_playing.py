"""PerGioco Masters, paragraphs 1 to 21: who plays, where, and what is public."""

from django.utils.translation import gettext_lazy as _

from pergioco.website.regulations.text import Chapter, Paragraph

TOURNAMENT = Chapter(
    _("The tournament"),
    (
        Paragraph(
            1,
            _("A season of abstract games"),
            (
                _(
                    "PerGioco.net runs a season of abstract board games on the internet. What you play there moves "
                    "your ratings (PGR), and the ratings make the rankings at the end."
                ),
            ),
        ),
        Paragraph(
            2,
            _("Stages, platforms and days"),
            (
                _(
                    "A season is a row of stages. Each stage is one tournament on Board Game Arena, PlayStrategy or "
                    "Abstract Play: live or turn by turn, open to all or by invitation, paired by round robin, by the "
                    "Swiss system or in another way."
                ),
                _("The season runs from 2 January to 31 December. The portal takes no stage with a day outside of it."),
            ),
            seen="entry",
        ),
    ),
)

REGISTERING = Chapter(
    _("Registering"),
    (
        Paragraph(
            3,
            _("Who may register"),
            (
                _(
                    "Anybody who is %(age)s or older on the day of registration. You need an account on a platform; on "
                    "PlayStrategy you also join the team of PerGioco Masters."
                ),
                _(
                    "Your data must be those of your identity document, and staff may ask to see it. Who gave false "
                    "data can lose results and places, even when the season is over."
                ),
            ),
            seen="entry",
        ),
        Paragraph(
            4,
            _("When you may register"),
            (_("On any day of the year. With it you accept the rules and agree to the use of your data."),),
        ),
        Paragraph(
            5,
            _("Playing without being registered"),
            (
                _(
                    "Whoever enters a stage on the platform without registering here is not named, stands in no "
                    "ranking and gets no points."
                ),
                _(
                    "The games still count for the opponents. A hidden rating is kept meanwhile; it comes to light "
                    "when the person registers and staff confirm who it was."
                ),
            ),
            seen="entry",
        ),
        Paragraph(
            6,
            _("Once for all seasons"),
            (
                _(
                    "A registration is never renewed. The newsletter is free; you say by itself whether you want it, "
                    "and may change your mind."
                ),
            ),
        ),
    ),
)

TAKING_PART = Chapter(
    _("Taking part"),
    (
        Paragraph(
            7,
            _("Fair play"),
            (
                _(
                    "It costs nothing, and everybody plays for themselves: one account on a platform, one nickname for "
                    "the season, no help from other people or from programs."
                ),
                _(
                    "Whoever breaks this can be excluded, also after the season. One member of the staff proposes it "
                    "and another one confirms it; no program decides it."
                ),
            ),
            seen="entry",
        ),
        Paragraph(
            8,
            _("Entering a stage"),
            (_("Registered players enter the stages of the calendar by themselves, on the platform."),),
        ),
        Paragraph(
            9,
            _("After a stage"),
            (_("When a stage ends, the ratings of those who played are computed anew and published (see 22)."),),
        ),
        Paragraph(
            10,
            _("After the season"),
            (_("The final rankings are made of the active ratings (see 27) and of the points of the Race (see 40)."),),
        ),
        Paragraph(11, _("As many stages as you like"), (_("No stage is compulsory."),)),
        Paragraph(
            12,
            _("What is public"),
            (_("First name, surname, city and country, on the internet and in print. Nothing else about a person."),),
            seen="entry",
        ),
    ),
)

CALENDAR = Chapter(
    _("Calendar and prizes"),
    (
        Paragraph(
            13,
            _("The calendar may change"),
            (_("Stages can be moved at any time. The portal strikes the old days out and says why."),),
        ),
        Paragraph(14, _("Prizes"), (_("What the winners get is announced during the season."),)),
    ),
)

FEDERATION = Chapter(
    _("Complaints, changes, questions"),
    (
        Paragraph(
            15,
            _("Faults of a platform"),
            (_("PerGioco.net does not answer for what goes wrong on the platforms."),),
        ),
        Paragraph(
            16,
            _("Complaints"),
            (_("In Italian or in English, with the form of the federation; there is none in Spanish."),),
            seen="entry",
        ),
        Paragraph(
            17,
            _("Changes of the rules"),
            (
                _(
                    "The federation may change them. The portal keeps each number with the season from which it holds, "
                    "so that an old season is computed as it was."
                ),
            ),
        ),
        Paragraph(18, _("Questions and ideas"), (_("They are welcome through the federation's contact form."),)),
    ),
)

WHAT_IT_IS = Chapter(
    _("The PerGioco Rating (PGR)"),
    (
        Paragraph(
            19,
            _("What it is for"),
            (
                _(
                    "It makes people try new games and brings abstract games to notice. It does not take the place of "
                    "any federation's own rating. It has been kept since 1 October 2021."
                ),
            ),
        ),
        Paragraph(
            20,
            _("One for each game"),
            (_("In every game of PerGioco Masters that you play you have a rating of its own."),),
        ),
        Paragraph(
            21,
            _("How to get one"),
            (_("Register (see 3), have an account on the platform (see 2), and play a game that counts."),),
        ),
    ),
)

CHAPTERS = (TOURNAMENT, REGISTERING, TAKING_PART, CALENDAR, FEDERATION, WHAT_IT_IS)
