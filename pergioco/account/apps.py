from django.apps import AppConfig


class AccountConfig(AppConfig):
    name = "pergioco.account"
    label = "my_account"  # allauth owns “account”

    def ready(self) -> None:
        from pergioco.account import renewing, sign_in_log

        sign_in_log.listen()
        renewing.listen()
