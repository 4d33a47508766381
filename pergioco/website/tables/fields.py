"""What is typed at a table: points, as they are written there."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

DIGITS, DECIMALS = 7, 2


class PointsField(forms.DecimalField):
    """With a comma or a point, whatever the language: a phone offers one of the two."""

    default_error_messages: ClassVar = {"invalid": _("Write the points as a number: 82 or 82.5.")}

    def __init__(self, *, label: Any, decimals: int = DECIMALS, **kwargs: Any) -> None:
        attrs = {"inputmode": "decimal", "autocomplete": "off", "aria-label": label, "class": "points"}
        if not decimals:
            attrs["inputmode"] = "numeric"
        widget = forms.TextInput(attrs=attrs | kwargs.pop("attrs", {}))
        kwargs = {"required": False, "max_digits": DIGITS, "decimal_places": decimals} | kwargs
        super().__init__(label=label, widget=widget, **kwargs)

    def to_python(self, value: Any) -> Any:
        return super().to_python(str(value).replace(",", ".").replace("−", "-") if value is not None else None)


class AmongField(forms.TypedChoiceField):
    """A place among so many: first, second…"""

    def __init__(self, *, label: str, choices: list[tuple[str, Any]]) -> None:
        select = forms.Select(attrs={"aria-label": label})
        super().__init__(label=label, choices=choices, coerce=int, empty_value=None, required=False, widget=select)
