from django.apps import AppConfig


class AccountConfig(AppConfig):
    name = "pergioco.account"
    label = "my_account"  # allauth owns “account”
