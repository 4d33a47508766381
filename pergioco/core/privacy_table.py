"""Rows of the privacy page's table, named by the data declarations."""

from django.utils.translation import gettext_lazy as _

from pergioco.core.data import PrivacyRow

EVERYBODY = _("everybody")
YOU_AND_STAFF = _("you and the federation's staff")
STAFF = _("the federation's staff; you find it in the file with all your data")
NOBODY = _("nobody: only a fingerprint of it is kept, or it is a key of the machine")
UNTIL_DELETED = _("until you are deleted")

NAMES = PrivacyRow(
    _("First name, surname, city, country"),
    _(
        "everybody, once you are registered and as long as you allow it; otherwise you and the "
        "staff"
    ),
    UNTIL_DELETED,
)
NAMES_IN_BIG = PrivacyRow(
    _("The same of the members of Board Italian Gamers"),
    _(
        "everybody, on the pages of BIG: its rules put whoever plays into its rankings; not once "
        "you took it back"
    ),
    UNTIL_DELETED,
)
RESULTS = PrivacyRow(
    _("Results, ratings and places"), EVERYBODY, _("for ever; after a deletion they name nobody")
)
CONTACT = PrivacyRow(_("E-mail address, language"), YOU_AND_STAFF, UNTIL_DELETED)
BIRTH_AND_PHONE = PrivacyRow(
    _("Birth date, telephone, the day on which your document was seen"), STAFF, UNTIL_DELETED
)
ACCOUNTS = PrivacyRow(_("Accounts and nicknames on the platforms"), YOU_AND_STAFF, UNTIL_DELETED)
PLATFORM_FILES = PrivacyRow(
    _("Files of platforms with results, kept as read: they hold nicknames as played"),
    _("the federation's staff"),
    _(
        "for ever, also after a deletion: results can be read again; seven days if nothing was "
        "taken from them"
    ),
)
CALENDAR = PrivacyRow(
    _("The address of your own calendar, if you made one"),
    _("you, and whoever you give it to: it shows which stages are yours, and no name"),
    _("until you take it back or are deleted"),
)
DECISIONS = PrivacyRow(
    _("Registrations, consents, claims and decisions about you"),
    YOU_AND_STAFF,
    _("for ever, without your name; a registration that was never confirmed 14 days"),
)
SANCTIONS = PrivacyRow(_("Sanctions at RisiKo! Masters"), STAFF, _("five years after they end"))
CHANGES = PrivacyRow(
    _("Who changed which data, and when"),
    YOU_AND_STAFF,
    _("ten years; the values until you are deleted"),
)
MAILS = PrivacyRow(
    _("Mails to you"), STAFF, _("until they are sent; then an empty line for 30 days")
)
CASES = PrivacyRow(
    _("Complaints and questions to the office"),
    _("you, by the link of the receipt, and the office that you wrote to"),
    _("until a year after they are closed; the public outcome stays"),
)
DATA_REQUESTS = PrivacyRow(
    _("What you asked about your own data, and when it was done"),
    YOU_AND_STAFF,
    _("five years after it was done"),
)
BROWSERS = PrivacyRow(
    _("Browsers signed in with your account, with their network address"),
    YOU_AND_STAFF,
    _("until you sign out there or are deleted"),
)
DEVICES = PrivacyRow(
    _("Browsers in which you signed in, so that guesses of others do not lock them out"),
    YOU_AND_STAFF,
    _("half a year after the last sign-in there; until you remove them or change the password"),
)
CREDENTIALS = PrivacyRow(
    _("Password, passkeys, secret of the authenticator app"), NOBODY, UNTIL_DELETED
)
