"""What a renunciation leads to, in sentences that name the substitute and the rule."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from risiko_master.renouncing import After, Before
from risiko_master.rules.substitutes import Place
from risiko_master.standing_labels import CASES, PROPOSED, goes_on_in_words

Names = Mapping[int, str]
AS: dict[str, Promise] = {
    "second": gettext_lazy("second of the same semifinal"),
    "third": gettext_lazy("third of the same semifinal"),
    "fourth": gettext_lazy("fourth of the same semifinal"),
    "best_second": gettext_lazy("best second of the semifinals, by the ranking after the two games"),
    "best_third": gettext_lazy("best third of the semifinals, by the ranking after the two games"),
    "best_fourth": gettext_lazy("best fourth of the semifinals, by the ranking after the two games"),
}


def sentences(found: Before | After, names: Names) -> list[str | Promise]:
    return before(found, names) if isinstance(found, Before) else after(found, names)


def before(found: Before, names: Names) -> list[str | Promise]:
    told: list[str | Promise] = [_("The semifinals have not begun.")]
    if found.structure.case == "direct_finalist_renounced":
        told.append(CASES["direct_finalist_renounced"])
    told.append(goes_on_in_words(asdict(found.structure)))
    if found.no_longer_direct:
        told.append(_("%(names)s then plays a semifinal (RK-13).") % {"names": named(found.no_longer_direct, names)})
    if found.moves_up:
        told.append(_("Into the semifinals by the ranking: %(names)s.") % {"names": named(found.moves_up, names)})
    if found.structure.proposed:
        told.append(PROPOSED)
    if found.is_drawn:
        told.append(_("The semifinals are drawn already: draw them again after this, with the reason."))
    return told


def named(players: Sequence[int], names: Names) -> str:
    return get_text_list([names[player] for player in players], _("and"))


def after(found: After, names: Names) -> list[str | Promise]:
    told: list[str | Promise] = [_("The semifinals have begun.")]
    if not found.is_known:
        told.append(_("The best second of the semifinals will take the seat, by the ranking after the two games."))
        return told
    return told + seat_in_words(found.place, names)


def seat_in_words(place: Place, names: Names) -> list[str | Promise]:
    if place.player is None:
        return [_("Nobody is left to take the seat: the final is played without it.")]
    why = AS.get(place.code, "")
    return [_("The seat goes to %(name)s: %(why)s.") % {"name": names[place.player], "why": why}]
