"""The rules pages: forty paragraphs in our words, tied to the regulation's numbers, with examples
that are computed."""

import re

import pytest
from django.utils.html import strip_tags
from django.utils.translation import override

from pergioco.website.regulations import examples, rendering, text
from tests import factories
from tests.rulekit.test_paragraph import NOT_COMPUTED, explained, marked

pytestmark = pytest.mark.usefixtures("english")
READING = re.compile(r"\bPG-(\d+)(?: to PG-(\d+))?")
YEAR = 2026


def words(response) -> str:
    assert response.status_code == 200
    return re.sub(r"\s+", " ", strip_tags(response.content.decode()))


def rows(paragraph: int) -> list[tuple[str, ...]]:
    return [
        tuple(map(str, row))
        for row in examples.EXAMPLES[text.get_pgm().paragraphs[paragraph].example](YEAR).rows
    ]


# What the page holds


def test_all_forty_paragraphs_are_there_in_their_order():
    assert list(text.get_pgm().paragraphs) == list(range(1, 41))


def test_what_the_page_calls_computed_is_what_the_code_and_its_documentation_call_so():
    computed = {
        str(number) for number, paragraph in text.get_pgm().paragraphs.items() if paragraph.seen
    }

    assert computed == {one.number for one in marked() if one.regulation == "PGM"}
    assert computed == {
        number for number, words in explained("PGM").items() if NOT_COMPUTED not in words
    }


def test_each_paragraph_names_the_readings_that_the_documentation_names():
    for number, words in explained("PGM").items():
        named = {
            n
            for first, last in READING.findall(words)
            for n in range(int(first), int(last or first) + 1)
        }
        assert {f"PG-{n}" for n in named} <= {
            one.code for one in rendering.readings_of_paragraph(int(number))
        }, number


def test_examples_stand_only_with_paragraphs_that_are_computed():
    shown = {one.example: one for one in text.get_pgm().paragraphs.values() if one.example}

    assert set(shown) == set(examples.EXAMPLES)
    assert all(one.seen for one in shown.values())


# The texts in three languages


def structure(language: str) -> list[object]:
    """What every language has in common: anchors, attributes, and placeholders paragraph by
    paragraph."""
    regulation = text.load_pgm(language)
    return [
        [placeholders(one) for one in regulation.summary],
        *(
            [
                (one.anchor, one.seen, one.example, [placeholders(says) for says in one.says])
                for one in chapter.paragraphs
            ]
            for chapter in regulation.chapters
        ),
    ]


def placeholders(sentence: str) -> list[str]:
    return sorted(re.findall(r"\{(.*?)\}", sentence))


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_language_has_the_same_paragraphs_anchors_examples_and_placeholders(language):
    assert structure(language) == structure("it")


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_language_has_the_same_readings_and_options(language):
    def outline(one: text.Reading) -> tuple[object, ...]:
        return one.code, one.paragraphs, one.is_asked, list(one.options)

    assert list(map(outline, text.load_readings(language))) == list(
        map(outline, text.load_readings("it"))
    )


@pytest.mark.parametrize("language", ["it", "en", "es"])
def test_no_text_is_empty_and_none_of_the_readings_has_a_placeholder(language):
    regulation, questions = text.load_pgm(language), text.load_readings(language)

    assert all(one.title and one.says and all(one.says) for one in regulation.paragraphs.values())
    assert all(chapter.title for chapter in regulation.chapters)
    for one in questions:
        sentences = [one.question, one.why, *one.options.values()]
        assert all(sentences)
        assert not any(map(placeholders, sentences)), one.code


def test_only_the_placeholders_of_the_numbers_in_force_can_be_filled():
    known = {f"{{{name}}}": name for name in rendering.text_numbers(YEAR)}

    assert rendering.fill_in_numbers(["{k}"], rendering.text_numbers(YEAR)) == ["20"]
    assert set(rendering.fill_in_numbers(list(known), dict.fromkeys(known.values(), "1"))) == {"1"}
    with pytest.raises(KeyError, match="unknown"):
        rendering.fill_in_numbers(["It starts at {unknown}."], rendering.text_numbers(YEAR))


@pytest.mark.parametrize("heading", ["No anchor", "Not at the end {#p1} of it", "Two {#p1} {#p2"])
def test_a_heading_without_an_anchor_at_its_end_is_refused(heading):
    with pytest.raises(ValueError, match="without an anchor"):
        text.read_heading(heading)


# The examples


def test_pgm_22_example_is_the_worked_one():
    assert rows(22) == [
        ("1000", "1000", "win", "0.500", "1010.000"),
        ("1000", "1000", "loss", "0.500", "990.000"),
        ("1070", "960", "win", "0.653", "1076.936"),
        ("960", "1070", "loss", "0.347", "953.064"),
        ("1100", "1000", "draw", "0.640", "1097.199"),
        ("1000", "1100", "draw", "0.360", "1002.801"),
    ]


def test_pgm_24_example_cuts_the_average_off():
    assert rows(24) == [
        ("1000.500 · 1019.300", "1009.900", "1009"),
        ("1010.000 · 1010.000 · 1012.997", "1010.999", "1010"),
    ]


def test_pgm_25_examples_of_absences():
    assert rows(25) == [
        ("absent, absent, absent", "0", "0.0"),
        ("absent, win, win", "2", "2.0"),
        ("BYE, absent, absent", "0", "0.0"),
        ("win, absent, absent", "2", "1.0"),
        ("win, absent, win", "3", "2.0"),
        ("win, absent, loss", "3", "1.0"),
    ]


def test_pgm_26_examples_of_games_that_were_not_played_out():
    assert rows(26) == [
        ("opponent absent", "1", "1.0"),
        ("gives up", "1", "0.0"),
        ("BYE", "0", "0.0"),
        ("BYE, opponent absent", "1", "1.0"),
    ]


def test_pgm_27_and_28_examples_are_the_days_of_the_regulation():
    assert rows(27) == [("1 January 2025", "yes"), ("31 December 2024", "no")]
    assert rows(28) == [("1 January 2022", "no", "no"), ("31 December 2021", "yes", "no")]


def test_pgm_29_example_places_ten_ratings_before_one_high_one():
    assert rows(29) == [
        ("1", "A", "1010", "10", "60"),
        ("2", "B", "1200", "1", "5"),
        ("3", "C", "1080", "2", "11"),
    ]


def test_pgm_30_example_settles_a_tie_by_ratings_then_by_games():
    assert rows(30) == [
        ("1", "C", "1050", "5", "31"),
        ("2", "B", "1050", "5", "24"),
        ("3", "A", "1050", "4", "30"),
    ]


def test_pgm_32_example_adds_with_decimals():
    assert rows(32) == [
        ("1", "A", "10102.500", "10"),
        ("2", "C", "2160.500", "2"),
        ("3", "B", "1200.000", "1"),
    ]


def test_pgm_35_example_adds_three_kinds_of_points():
    assert rows(35) == [
        ("1", "C", "0", "20", "0.4", "20.4"),
        ("2", "A", "18", "1", "0.8", "19.8"),
        ("3", "B", "0", "1", "0.0", "1.0"),
    ]


def test_pgm_39_example_is_the_printed_one():
    assert rows(39) == [
        ("A", "5.0", "1", "43"),
        ("B", "3.5", "2", "27"),
        ("C", "2.5", "3", "21"),
        ("D", "2.0", "4", "18"),
        ("E", "2.0", "4", "18"),
        ("F", "0.0", "6", "15"),
    ]


def test_pgm_40_example_drops_the_best_and_the_worst():
    twelve_best = " · ".join(["100"] * 12)
    assert rows(40) == [
        ("43 · 27 · 21 · 18 · 15", "124", "43 · 15", "66"),
        ("43", "43", "43", "0"),
        (twelve_best, "1200", "100 · 100", "1000"),
    ]


# The pages


@pytest.mark.django_db
@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("language", ["it", "en", "es"])
def test_the_pages_answer_in_every_language_also_before_any_season(client, language):
    for page in ("rules/", "rules/pgm/"):
        assert not re.search(r"%\(|[{}]", words(client.get(f"/{language}/{page}")))


@pytest.mark.django_db
@pytest.mark.usefixtures("clock")
def test_a_paragraph_has_its_anchor_its_numbers_and_its_readings(client):
    factories.season()
    page = client.get("/en/rules/pgm/")
    html = page.content.decode()

    assert all(f'id="p{number}"' in html for number in range(1, 41))
    assert 'href="/en/rules/readings/2026/#PG-15"' in html
    assert "Those with 10 active ratings or more stand before all the others" in words(page)
    assert "16.70 × log N ÷ log (P + 1), rounded down." in words(page)
    assert "gives 100 points at most; so a season gives 1000." in words(page)


@pytest.mark.django_db
@pytest.mark.usefixtures("clock")
def test_the_page_says_what_is_computed_and_what_is_not(client):
    parts = words(client.get("/en/rules/pgm/"))

    assert (
        "Stages can be moved at any time. The portal strikes the old days out and says why. "
        "Nothing is computed"
    ) in parts
    assert (
        "in print. Nothing else about a person. The portal checks it when something is entered."
        in parts
    )
    assert "Computed by the portal." in parts


@pytest.mark.django_db
@pytest.mark.usefixtures("clock")
def test_what_is_computed_leads_to_the_numbers_and_their_why(client):
    before_any_season = client.get("/en/rules/pgm/").content.decode()
    factories.season()
    html = client.get("/en/rules/pgm/").content.decode()

    assert set(re.findall(r'href="(/en/rankings/[^"]+)"', html)) >= {
        "/en/rankings/2026/",
        *(f"/en/rankings/2026/{kind}/" for kind in ("red", "blue", "green", "race")),
    }
    assert all(
        client.get(address).status_code == 200
        for address in re.findall(r'href="(/en/rankings/2026/\w+/)"', html)
    )
    assert set(re.findall(r'href="(/en/rankings/[^"]*)"', before_any_season)) == {"/en/rankings/"}
    assert 'href=""' not in html + before_any_season


@pytest.mark.django_db
@pytest.mark.usefixtures("clock")
def test_the_federations_own_text_is_one_link_away(client):
    assert (
        'href="https://www.pergioco.net/pgmasters.html"'
        in client.get("/it/rules/pgm/").content.decode()
    )


def test_the_numbers_of_an_example_are_written_as_the_reader_writes_them():
    with override("it"):
        assert rows(22)[0][-1] == "1010,000"
