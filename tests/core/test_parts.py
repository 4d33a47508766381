"""The small parts: movements, signs, addresses, and forms rendered the house way."""

import re
from decimal import Decimal

import pytest
from django import forms
from django.template import Context, Template
from django.template.loader import render_to_string
from django.utils import translation

from pergioco.core.templatetags import portal


@pytest.fixture(autouse=True)
def _english():
    with translation.override("en"):
        yield


@pytest.mark.parametrize(
    ("places", "seen", "heard"),
    [
        (2, "▲ 2", "up 2 places"),
        (1, "▲ 1", "up 1 place"),
        (-1, "▼ 1", "down 1 place"),
        (-12, "▼ 12", "down 12 places"),
        (0, "=", "same place"),
    ],
)
def test_a_movement_is_seen_and_heard(places: int, seen: str, heard: str) -> None:
    mark = portal.movement(places)
    assert f'<span aria-hidden="true">{seen}</span>' in mark
    assert f'<span class="visually-hidden">{heard}</span>' in mark


def test_who_was_not_there_is_new() -> None:
    assert portal.movement(None) == '<span class="move move--new">new</span>'


@pytest.mark.parametrize(
    ("value", "language", "shown"),
    [
        (Decimal("9.412"), "en", "+9.412"),
        (Decimal("9.412"), "it", "+9,412"),
        (Decimal("-0.318"), "it", "−0,318"),
        (Decimal("0.000"), "en", "0.000"),
        (-3, "en", "−3"),
    ],
)
def test_signed_numbers_use_a_true_minus(value: Decimal, language: str, shown: str) -> None:
    with translation.override(language):
        assert portal.signed(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [("12.25", "12,25"), ("12.50", "12,5"), ("1000.00", "1000"), ("0.00", "0"), ("-4.33", "-4,33")],
)
def test_a_score_keeps_all_its_decimals(value: str, shown: str) -> None:
    with translation.override("it"):
        assert portal.exact(Decimal(value)) == shown


@pytest.mark.parametrize("name", portal.PIECES)
def test_a_piece_is_a_drawing_that_is_not_read_aloud(name: str) -> None:
    assert portal.piece(name).startswith(f'<svg class="piece piece--{name}" viewBox="0 0 16 16"')
    assert 'aria-hidden="true"' in portal.piece(name)


def test_without_a_request_the_other_language_begins_at_home() -> None:
    page = Template("{% load portal %}{% in_language 'es' %}")
    assert page.render(Context()) == "/es/"


class Form(forms.Form):
    name = forms.CharField(
        label="Name",
        help_text="As on the document.",
        error_messages={"required": "Write your name."},
        widget=forms.TextInput(attrs={"placeholder": "Name"}),
    )
    phone = forms.CharField(label="Phone", required=False)
    pace = forms.ChoiceField(label="Pace", choices=[("a", "A")], widget=forms.RadioSelect)
    rules = forms.BooleanField(label="I accept.", error_messages={"required": "Accept the rules."})

    def clean(self) -> None:
        self.add_error(None, "Both cannot be right.")


def test_the_label_stands_above_then_help_then_the_box() -> None:
    field = Form()["name"].as_field_group()
    places = [
        field.index(part)
        for part in ('<label for="id_name">Name</label>', 'id="id_name_helptext"', "<input")
    ]
    assert places == sorted(places)
    assert 'aria-describedby="id_name_helptext"' in field


def test_what_may_stay_empty_is_marked_in_words() -> None:
    assert "optional" in Form()["phone"].as_field_group()
    assert "optional" not in Form()["name"].as_field_group()


def test_no_placeholder_takes_the_place_of_a_label() -> None:
    assert "placeholder" not in str(Form()["name"])


def test_a_sentence_is_tied_to_its_field() -> None:
    field = Form({})["name"].as_field_group()
    assert 'aria-describedby="id_name_helptext id_name_error"' in field
    assert 'aria-invalid="true"' in field
    assert re.search(
        r'<ul class="errorlist" id="id_name_error"><li>Write your name.</li></ul>', field
    )


def test_the_words_of_a_box_are_its_label_and_its_target() -> None:
    assert '<label for="id_rules">I accept.</label>' in Form()["rules"].as_field_group()


def test_choices_are_a_group_with_a_legend() -> None:
    field = Form()["pace"].as_field_group()
    assert "<fieldset" in field
    assert "<legend>Pace</legend>" in field


def test_the_summary_repeats_the_sentences_and_leads_to_the_fields() -> None:
    summary = render_to_string("components/error_summary.html", {"form": Form({"pace": "a"})})
    assert 'role="alert" tabindex="-1"' in summary
    assert "3 things need another look" in summary
    assert "<li>Both cannot be right.</li>" in summary
    assert re.findall(r'<a href="#(\w+)">([^<]+)</a>', summary) == [
        ("id_name", "Name: Write your name."),
        ("id_rules", "Accept the rules."),
    ]


def test_the_summary_of_choices_leads_to_the_group() -> None:
    form = Form({"name": "x", "rules": "on"})
    summary = render_to_string("components/error_summary.html", {"form": form})
    target = re.search(r'<a href="#(\w+)">Pace', summary)[1]
    assert f'id="{target}"' in form["pace"].as_field_group()


def test_a_form_in_order_has_no_summary() -> None:
    assert render_to_string("components/error_summary.html", {"form": Form()}).strip() == ""


def test_a_whole_form_has_its_fields_and_one_button() -> None:
    whole = render_to_string("components/form.html", {"form": Form(), "submit": "Save"})
    assert re.findall(r'name="(\w+)"', whole) == ["name", "phone", "pace", "rules"]
    assert re.findall(r"<button[^>]*>([^<]*)</button>", whole) == ["Save"]


def test_what_was_typed_is_still_there_and_harmless() -> None:
    form = render_to_string(
        "components/form.html", {"form": Form({"name": '"><script>alert(1)</script>'})}
    )
    assert "<script>" not in form
    assert 'value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"' in form


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36",
            "Chrome, Linux",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "Firefox, Windows",
        ),
        (
            "Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36 EdgA/140.0",
            "Edge, Android",
        ),
        (
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile "
                "Safari/604.1"
            ),
            "Safari, iPhone",
        ),
        ("curl/8.5.0", "curl/8.5.0"),
        ("", ""),
    ],
)
def test_a_browser_is_called_what_people_call_it(sent: str, read: str) -> None:
    assert portal.browser_words(sent) == read
