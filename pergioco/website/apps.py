from django.apps import AppConfig


class WebsiteConfig(AppConfig):
    name = "pergioco.website"

    def ready(self) -> None:
        from pergioco import checks  # noqa: F401 - registers the checks
