from django.urls import URLPattern, URLResolver, include, path

from pergioco.players.views import (
    account_data,
    account_devices,
    account_overview,
    account_platforms,
    desk_merging,
    desk_people,
    desk_platforms,
    desk_registrations,
    public_profile,
    public_search,
    registration,
)

account_urls = [
    path("rename/", account_platforms.rename_my_account, name="my-account-rename"),
    path("remove/", account_platforms.remove_my_account, name="my-account-remove"),
    path("proof/", account_platforms.prove_my_account, name="my-account-proof"),
    path("code/", account_platforms.make_my_account_code, name="my-account-code"),
    path("check/", account_platforms.check_my_account, name="my-account-check"),
]
my_urls: list[URLPattern | URLResolver] = [
    path("register/", registration.register_page, name="register"),
    path(
        "register/look-at-your-mail/", registration.look_at_your_mail_page, name="look-at-your-mail"
    ),
    path("register/is-this-you/", registration.is_this_you_page, name="is-this-you"),
    path("me/", account_overview.my_account_page, name="me"),
    path("me/membership/", account_overview.join_big_from_account, name="my-membership"),
    path("me/language/", account_overview.set_my_language, name="my-language"),
    path("me/calendar/", account_overview.make_my_calendar_link, name="my-calendar"),
    path("me/calendar/end/", account_overview.delete_my_calendar_link, name="my-calendar-end"),
    path("me/data/", account_data.my_data_page, name="my-data"),
    path("me/consents/", account_data.my_consents_page, name="my-consents"),
    path("me/consents/<slug:kind>/", account_data.change_my_consent, name="my-consent"),
    path("me/history/", account_data.my_history_page, name="my-history"),
    path("me/export/", account_data.my_export_page, name="my-export"),
    path("me/delete/", account_data.my_deletion_page, name="my-deletion"),
    path("me/deleted/", account_data.deletion_done_page, name="my-deletion-done"),
    path("me/devices/", account_devices.my_devices_page, name="my-devices"),
    path("me/two-factors/", account_overview.two_factors_needed_page, name="two-factors-needed"),
    path("me/accounts/", account_platforms.my_accounts_page, name="my-accounts"),
    path("me/accounts/<int:number>/", include(account_urls)),
]


public_urls = [
    path("players/", public_search.players_page, name="players"),
    path("players/<slug:key>/", public_profile.player_page, name="player"),
    path(
        "players/<slug:key>/ratings.<ending:ending>",
        public_profile.player_ratings_file,
        name="player-file",
    ),
    path("share/players/<slug:key>.png", public_profile.player_image, name="player-image"),
    path("compare/", public_search.choose_players_page, name="compare-pick"),
    path("compare/<slug:one>/<slug:other>/", public_search.compare_page, name="compare"),
]

person_urls = [
    path("", desk_people.person_page, name="desk-person"),
    path("clubs/", desk_people.clubs_page, name="desk-clubs"),
    path("disqualify/", desk_people.propose_disqualification_page, name="desk-disqualify"),
    path("sanction/", desk_people.add_sanction_page, name="desk-sanction"),
]
desk_account_urls = [
    path("", desk_platforms.desk_account_page, name="desk-account"),
    path("rename/", desk_platforms.rename_account_page, name="desk-account-rename"),
    path("remove/", desk_platforms.remove_account_page, name="desk-account-remove"),
]
desk_urls: list[URLPattern | URLResolver] = [
    path("registrations/", desk_registrations.list_registrations, name="desk-registrations"),
    path(
        "registrations/<str:public_id>/",
        desk_registrations.registration_page,
        name="desk-registration",
    ),
    path("people/", desk_people.list_people, name="desk-people"),
    path("people/<str:public_id>/", include(person_urls)),
    path("disqualifications/", desk_people.list_disqualifications, name="desk-disqualifications"),
    path(
        "disqualifications/<int:number>/",
        desk_people.disqualification_page,
        name="desk-disqualification",
    ),
    path("sanctions/<int:number>/end/", desk_people.end_sanction_page, name="desk-sanction-end"),
    path("roles/", desk_people.roles_page, name="desk-roles"),
    path("event-codes/", desk_registrations.event_codes_page, name="desk-event-codes"),
    path("event-codes/<int:number>/", desk_registrations.event_code_page, name="desk-event-code"),
    path(
        "people/<str:kept>/merge/<str:absorbed>/",
        desk_merging.merge_players_page,
        name="desk-merge",
    ),
    path("merges/", desk_merging.list_merges, name="desk-merges"),
    path("merges/<int:number>/undo/", desk_merging.undo_merge_page, name="desk-merge-undo"),
    path("claims/", desk_merging.list_claims, name="desk-claims"),
    path("claims/<int:number>/", desk_merging.claim_page, name="desk-claim"),
    path("accounts/", desk_platforms.list_desk_accounts, name="desk-accounts"),
    path("accounts/<int:number>/", include(desk_account_urls)),
]
