"""Texts of Django and allauth, listed so that our catalogues can translate them in our style."""

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

FROM_DJANGO = (
    _("This field is required."),
    _("Enter a valid email address."),
    _("Enter a valid date."),
    _("Enter a whole number."),
    _("Select a valid choice. %(value)s is not one of the available choices."),
    _("Select a valid choice. That choice is not one of the available choices."),
    _("This password is too common."),
    _("This password is entirely numeric."),
    _("The password is too similar to the %(verbose_name)s."),
)
# Django 5.2 says it with another placeholder than its own catalogues.
TOO_SHORT = ngettext_lazy(
    "This password is too short. It must contain at least %d character.",
    "This password is too short. It must contain at least %d characters.",
)
FROM_ALLAUTH = (
    _("Email"),
    _("Password"),
    _("Code"),
    _("Authenticator code"),
    _("Passwordless"),
    _(
        "Enabling passwordless operation allows you to sign in using just this key, but imposes "
        "additional "
        "requirements such as biometrics or PIN protection."
    ),
    _("Current Password"),
    _("New Password"),
    _("New Password (again)"),
    _("Forgot your password?"),
    _("The email address and/or password you specified are not correct."),
    _("Too many failed login attempts. Try again later."),
    _("Be patient, you are sending too many requests."),
    _("Please type your current password."),
    _("You must type the same password each time."),
    _("Incorrect password."),
    _("Incorrect code."),
    _("A user is already registered with this email address."),
    _("This email address is already associated with this account."),
    _("The new value must be different from the current one."),
    _("Use your password"),
    _("Use authenticator app or code"),
    _("Use a security key"),
)
# Months and days are lower case in running Italian and Spanish.
FROM_THE_CALENDAR = (
    _("January"),
    _("February"),
    _("March"),
    _("April"),
    _("May"),
    _("June"),
    _("July"),
    _("August"),
    _("September"),
    _("October"),
    _("November"),
    _("December"),
    _("Monday"),
    _("Tuesday"),
    _("Wednesday"),
    _("Thursday"),
    _("Friday"),
    _("Saturday"),
    _("Sunday"),
)
