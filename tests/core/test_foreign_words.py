"""A sentence listed for our catalogues must still be one that Django or allauth says."""

import ast
from collections.abc import Iterator
from pathlib import Path

import allauth
import django
import pytest
from django.contrib.auth.password_validation import MinimumLengthValidator

from pergioco.core.foreign_words import FROM_ALLAUTH, FROM_DJANGO, TOO_SHORT


def sentences_in(package: Path, folders: tuple[str, ...]) -> Iterator[str]:
    for folder in folders:
        for source in (package / folder).rglob("*.py"):
            tree = ast.parse(source.read_text(encoding="utf-8"))
            yield from (
                n.value
                for n in ast.walk(tree)
                if isinstance(n, ast.Constant) and isinstance(n.value, str)
            )


@pytest.mark.parametrize(
    ("listed", "package", "folders"),
    [
        (FROM_DJANGO, Path(django.__file__).parent, ("forms", "core", "contrib/auth")),
        (FROM_ALLAUTH, Path(allauth.__file__).parent, ("account", "mfa")),
    ],
    ids=["Django", "allauth"],
)
def test_they_still_say_it(
    listed: tuple[str, ...], package: Path, folders: tuple[str, ...]
) -> None:
    assert set(listed) - set(sentences_in(package, folders)) == set()


@pytest.mark.parametrize("least", [1, 10])
def test_a_short_password_is_refused_in_the_sentence_of_our_catalogues(least: int) -> None:
    assert MinimumLengthValidator(least).get_error_message() == TOO_SHORT % least
