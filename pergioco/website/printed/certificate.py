"""A certificate for whoever is first in a ranking that is final."""

from collections.abc import Sequence

from django.utils.formats import date_format
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from pergioco.ledger import published
from pergioco.ledger.models import Line
from pergioco.ledger.published import Code, Published, state_of
from pergioco.rulekit.printed import Printed
from pergioco.website.printed.blocks import Block, People, person
from pergioco.website.printed.papers import HOUSE, is_printed, name_of, printed, version_in_force
from pergioco.website.printed.standing import piece_of
from pergioco.website.ranking_tables import value_shown
from pergioco.website.ranking_words import kind_of


def certificate(year: int, about: str, sections: Sequence[str]) -> Printed | None:
    """`about` is kind and player, “red/…”. `None` for anybody who is not first there, or may not be named."""
    kind, _slash, public_id = about.partition("/")
    version = version_in_force(year)
    line = champion(version, kind, public_id) if version else None
    if version is None or line is None:
        return None
    people = People()
    people.admits(line.player)
    heading, name = _("Certificate"), name_of(kind)
    return printed(
        "certificate",
        version,
        people,
        file=f"certificate-{kind.replace(':', '-')}-{year}",
        title=f"{heading} · {name} {year}",
        data=awarded(version, line, name) | {"heading": heading, "piece": piece_of(kind)},
    )


def champion(version: Published, kind: str, public_id: str) -> Line | None:
    if state_of(version).code is not Code.FINAL or not is_printed(kind):
        return None
    shown = Line.objects.filter(computation__shown__publication=version.publication, computation__kind=kind)
    lines = published.with_names_by_kind(shown.filter(rank=1, player__public_id=public_id))
    return lines[0] if lines and lines[0].player.is_named_in_public else None


def awarded(version: Published, line: Line, name: str) -> Block:
    who, city, country = person(line.player)
    freeze = state_of(version).freeze
    assert freeze is not None
    assert freeze.frozen_at is not None
    final_on = date_format(localdate(freeze.frozen_at), "DATE_FORMAT")
    return {
        "house": HOUSE,
        "awarded_to": _("awarded to"),
        "name": who,
        "home": ", ".join(filter(None, (city, country))),
        "achievement": _("Champion of %(ranking)s %(year)s") % {"ranking": name, "year": version.season.year},
        "result": _("with %(value)s") % {"value": value_shown(kind_of(line.computation.kind), line)},
        "signed_on": _("Final since %(day)s") % {"day": final_on},
        "signature": _("For the federation"),
    }
