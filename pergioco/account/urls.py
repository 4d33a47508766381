from django.urls import path

from pergioco.account import (
    accounts,
    calendar_link,
    consents,
    data,
    erasure,
    export,
    history,
    overview,
    registration,
    two_factors,
)

urlpatterns = [
    path("register/", registration.register, name="register"),
    path("register/look-at-your-mail/", registration.look_at_your_mail, name="look-at-your-mail"),
    path("register/is-this-you/", registration.is_this_you, name="is-this-you"),
    path("me/", overview.me, name="me"),
    path("me/membership/", overview.join, name="my-membership"),
    path("me/language/", overview.write_in_this_language, name="my-language"),
    path("me/calendar/", calendar_link.make, name="my-calendar"),
    path("me/calendar/end/", calendar_link.take_back, name="my-calendar-end"),
    path("me/data/", data.mine, name="my-data"),
    path("me/consents/", consents.mine, name="my-consents"),
    path("me/consents/<slug:kind>/", consents.change, name="my-consent"),
    path("me/history/", history.mine, name="my-history"),
    path("me/export/", export.mine, name="my-export"),
    path("me/delete/", erasure.mine, name="my-deletion"),
    path("me/deleted/", erasure.done, name="my-deletion-done"),
    path("me/two-factors/", two_factors.needed, name="two-factors-needed"),
    path("me/accounts/", accounts.mine, name="my-accounts"),
    path("me/accounts/<int:number>/rename/", accounts.rename, name="my-account-rename"),
    path("me/accounts/<int:number>/remove/", accounts.remove, name="my-account-remove"),
    path("me/accounts/<int:number>/proof/", accounts.prove, name="my-account-proof"),
    path("me/accounts/<int:number>/code/", accounts.make_code, name="my-account-code"),
    path("me/accounts/<int:number>/check/", accounts.check, name="my-account-check"),
]
