from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps
from django.utils.translation import gettext_lazy as _


class OfficeConfig(AppConfig):
    name = "pergioco.office"
    verbose_name = _("Office")

    def ready(self) -> None:
        self.register_brochures()
        self.register_letters()
        self.register_needs()

    def register_brochures(self) -> None:
        from pergioco.core import events, jobs
        from pergioco.office.brochures import papers, registry
        from pergioco.office.services import brochures, exports
        from pergioco.publishing.queries import season_exports

        events.on("player.changed", brochures.enqueue_brochure_check)
        events.on("player.changed", exports.delete_exports_after_erasure)
        jobs.register(brochures.MAKE, brochures.make_brochure, lane=jobs.PAPER, is_atomic=False)
        jobs.register(brochures.LOOK, brochures.check_all_brochures, lane=jobs.PAPER)
        jobs.register(exports.WRITE, exports.write_export, lane=jobs.PAPER, is_atomic=False)
        jobs.register_periodic(
            "look.brochures", brochures.check_all_brochures, seconds=jobs.HOUR, lane=jobs.PAPER
        )
        jobs.register_periodic(
            "tidy.exports", exports.delete_old_exports, seconds=jobs.HOUR, lane=jobs.PAPER
        )
        registry.register_paper("season", papers.season_brochure)
        registry.register_paper("ranking", papers.ranking_brochure)
        registry.register_paper("certificate", papers.make_certificate)
        registry.register_paper("poster", papers.make_poster)
        registry.register_choices("sections", papers.list_brochure_sections)
        registry.register_choices("rankings", papers.list_printed_rankings)
        registry.register_export("rankings", season_exports.export_rankings)
        registry.register_export("stages", season_exports.export_stages)
        registry.register_export("year", season_exports.export_year)
        registry.register_export("tables", season_exports.export_tables)

    def register_letters(self) -> None:
        from pergioco.core import events, jobs, mail
        from pergioco.office.newsletter import sending
        from pergioco.office.notices import mailing
        from pergioco.office.services import cases

        events.on("address.erased", cases.forget_case_address)
        events.on("address.erased", mail.forget_recipient)
        jobs.register(
            sending.DELIVER,
            sending.deliver_newsletter,
            lane=jobs.OUTSIDE,
            is_atomic=False,
            is_bulk=True,
            after_failure=sending.note_failure,
            after_pass=sending.end_pass,
        )
        jobs.register(mailing.MAIL, mailing.write_notice_mail, lane=jobs.OUTSIDE, is_bulk=True)
        jobs.register_periodic(
            "newsletter", sending.send_due_newsletters, seconds=15.0, lane=jobs.OUTSIDE
        )
        jobs.register_periodic("notices", mailing.send_due_notices, seconds=60.0, lane=jobs.OUTSIDE)
        jobs.register_periodic(
            "tidy.letters", sending.delete_old_mail_records, seconds=jobs.DAY, lane=jobs.OUTSIDE
        )
        jobs.register_periodic("tidy.office", cases.tidy_cases, seconds=jobs.DAY, lane=jobs.OUTSIDE)

    def register_needs(self) -> None:
        from pergioco.core import needs
        from pergioco.core.policy import Role
        from pergioco.office import needs as office_needs

        staff = (Role.STAFF,)
        needs.register_need(10, staff, office_needs.steps_in_trouble)
        needs.register_need(12, staff, office_needs.mail_server_left_alone)
        needs.register_need(14, staff, office_needs.steps_of_dead_workers)
        needs.register_need(16, staff, office_needs.late_by_the_clock)
        needs.register_need(18, staff, office_needs.backup_too_old)
        needs.register_need(20, staff, office_needs.numbers_that_differ)
        needs.register_need(100, staff, office_needs.data_requests_due)
        answering = (Role.STAFF, Role.BIG_ORGANIZER, Role.RISIKO_DIRECTOR)
        needs.register_need(110, answering, office_needs.letters_to_answer)
        needs.register_need(120, staff, office_needs.newsletters_about_to_leave)
        needs.register_need(205, staff, office_needs.platforms_left_alone)
        needs.register_need(210, staff, office_needs.mail_held_up)
        needs.register_need(220, staff, office_needs.next_season_missing)
        needs.register_need(230, staff, office_needs.prizes_to_announce)


class GatedAdminConfig(admin_apps.AdminConfig):
    """Takes the place of `django.contrib.admin` in INSTALLED_APPS."""

    default = False
    default_site = "pergioco.office.admin_site.GatedAdminSite"
