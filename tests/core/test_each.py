"""`{% each %}`: the rows of a long table."""

from decimal import Decimal
from types import SimpleNamespace as Row

import pytest
from django.template import Context, Template
from django.utils.safestring import SafeString


def written(text: str, *rows: Row, **values: object) -> str:
    return Template("{% load each i18n %}" + text).render(Context({"rows": rows, **values}))


def test_each_row_is_written_and_what_people_typed_stays_text():
    rows = [Row(name="<b>"), Row(name=SafeString("<i>")), Row(name=3), Row(name="100 %s")]
    assert written("{% each rows %}<td>{name}</td>{% endeach %}", *rows) == (
        "<td>&lt;b&gt;</td><td><i></td><td>3</td><td>100 %s</td>"
    )


def test_other_tags_are_rendered_once_and_are_no_patterns():
    text = "{% each rows %}{{ word }} 5 % {who.name};{% endeach %}"
    rows = [Row(who=Row(name="Ada")), Row(who=Row(name="Zoë"))]
    assert written(text, *rows, word="{secret} %s") == "{secret} %s 5 % Ada;{secret} %s 5 % Zoë;"


def test_given_and_each_look_at_the_row():
    text = (
        "{% each rows %}{% given own %}*{% otherwise %}-{% endgiven %}"
        "{% each cells %}[{x}]{% endeach %}{% endeach %}"
    )
    assert (
        written(text, Row(own=True, cells=[Row(x=1), Row(x=2)]), Row(own="", cells=[]))
        == "*[1][2]-"
    )


def test_a_number_with_decimals_has_to_say_how_it_is_written():
    with pytest.raises(TypeError):
        written("{% each rows %}{value}{% endeach %}", Row(value=Decimal("1.5")))
    with pytest.raises(AttributeError):
        written("{% each rows %}{nothing}{% endeach %}", Row(value=1))
