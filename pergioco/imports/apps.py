from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ImportsConfig(AppConfig):
    name = "pergioco.imports"
    verbose_name = _("Import of results")

    def ready(self) -> None:
        from pergioco.core import jobs
        from pergioco.imports.bundle import dumping
        from pergioco.imports.services import fetching, source_files
        from pergioco.office.brochures import registry

        registry.register_export("federation", dumping.dump_into)
        jobs.register(fetching.KIND, fetching.run_fetch, lane=jobs.OUTSIDE, is_atomic=False)
        jobs.register_periodic(
            "tidy.imports", source_files.delete_unused_sources, seconds=jobs.HOUR, lane=jobs.OUTSIDE
        )
