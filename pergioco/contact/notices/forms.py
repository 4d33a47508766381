"""Which notices, how often."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from pergioco.contact.notices.choosing import NEVER
from pergioco.contact.notices.models import Subscription
from pergioco.players.models import Player
from pergioco.stages.models import Game

Kind, Pace = Subscription.Kind, Subscription.Pace
PACES = [(NEVER, _("never")), *Pace.choices]


class KindsForm(forms.Form):
    """One choice for each kind, of all games."""

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = Subscription.objects.filter(player=player, game=None, followed=None)
        chosen = dict(own.values_list("kind", "pace"))
        for kind in Subscription.CHOSEN:
            self.fields[kind.value] = forms.ChoiceField(
                label=kind.label, choices=PACES, initial=chosen.get(kind.value, NEVER)
            )


class OneGameForm(forms.Form):
    kind = forms.ChoiceField(label=_("About"), choices=[(kind.value, kind.label) for kind in Subscription.OF_GAMES])
    game = forms.ModelChoiceField(Game.objects.none(), label=_("Game"), empty_label=_("Choose"))
    pace = forms.ChoiceField(label=_("How often"), choices=Pace.choices, initial=Pace.AT_ONCE)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["game"].queryset = Game.objects.all()  # type: ignore[attr-defined]


class PaceForm(forms.Form):
    pace = forms.ChoiceField(label=_("How often"), choices=PACES, widget=forms.RadioSelect)
