"""Every code that a reader may give has its sentence."""

import re
from pathlib import Path

import pytest

from pergioco import imports
from pergioco.imports import labels
from pergioco.imports.canonical import Note

CODE = re.compile(r"(?:warn|fail|Unreadable|Note)\(\s*\"([a-z_0-9]+)\"")
OTHER = re.compile(r"\"(bad_\w+|cut_lines)\"")
TOLD = re.compile(r"code_with_line\(\"([a-z_]+)\"")  # with a line and without one: two sentences
pytestmark = pytest.mark.usefixtures("english")


def codes_in_the_code() -> set[str]:
    found: set[str] = set()
    for path in Path(imports.__file__).parent.rglob("*.py"):
        if path.name != "labels.py" and "bundle" not in path.parts:
            source = path.read_text(encoding="utf-8")
            found |= set(CODE.findall(source)) | set(OTHER.findall(source))
            found |= {code for told in TOLD.findall(source) for code in (told, f"{told}_somewhere")}
    return found


def test_every_code_has_words_and_every_word_a_code():
    assert codes_in_the_code() == labels.SENTENCES.keys()


def test_the_three_lists_share_no_code():
    assert len(labels.SENTENCES) == len(labels.REFUSED) + len(labels.TROUBLE) + len(
        labels.GOOD_TO_KNOW
    )


@pytest.mark.parametrize("code", sorted(labels.SENTENCES))
def test_a_sentence_holds_without_values_and_never_blames(code):
    sentence = labels.note_sentence(Note(code))
    assert sentence
    assert "%" not in sentence
    assert not re.search(r"(?i)\b(error|invalid)\b", sentence)


def test_a_sentence_names_its_line_and_its_values():
    note = Note("too_many_at_a_table", 7, {"players": ["Anna", "Bruno", "Carla"]})
    assert (
        labels.note_sentence(note)
        == "Line 7: Anna, Bruno, Carla sit at one table. A stage is played by two."
    )


def test_what_a_nickname_holds_is_text_and_no_pattern():
    assert labels.note_sentence(Note("unknown_nickname", None, {"nickname": "100%(x)s"})) == (
        "“100%(x)s” is not a nickname that the portal knows."
    )
