"""Catalogues are compiled without GNU gettext, into exactly what it would have made of them."""

import gettext
import subprocess
import sys
from io import BytesIO
from pathlib import Path

from docker.compile_messages import compiled

ROOT = Path(__file__).parents[2]
PO = r"""
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

#. a note
#: pergioco/x.py:3
msgid "city"
msgstr "città"

msgctxt "month"
msgid "May"
msgstr "maggio"

msgid "%(n)s game"
msgid_plural "%(n)s games"
msgstr[0] "%(n)s gioco"
msgstr[1] "%(n)s giochi"

msgid ""
"one \"quoted\"\n"
"line"
msgstr ""
"una riga\t"
"«citata»"

#, fuzzy, python-format
msgid "fuzzy"
msgstr "dubbio"

msgid "untranslated"
msgstr ""

#~ msgid "obsolete"
#~ msgstr "vecchio"
"""


def read_back() -> gettext.GNUTranslations:
    return gettext.GNUTranslations(BytesIO(compiled(PO)))


def test_texts_contexts_and_plurals_are_read_back():
    catalogue = read_back()
    assert catalogue.gettext("city") == "città"
    assert catalogue.pgettext("month", "May") == "maggio"
    assert [catalogue.ngettext("%(n)s game", "%(n)s games", n) for n in (1, 2)] == [
        "%(n)s gioco",
        "%(n)s giochi",
    ]
    assert catalogue.gettext('one "quoted"\nline') == "una riga\t«citata»"


def test_what_is_fuzzy_untranslated_or_obsolete_stays_as_it_was_written():
    catalogue = read_back()
    assert [catalogue.gettext(text) for text in ("fuzzy", "untranslated", "obsolete", "May")] == [
        *("fuzzy", "untranslated", "obsolete", "May")
    ]


def test_a_header_marked_fuzzy_still_counts():
    marked = PO.replace('msgid ""\nmsgstr ""\n"Content', '#, fuzzy\nmsgid ""\nmsgstr ""\n"Content')
    assert gettext.GNUTranslations(BytesIO(compiled(marked))).gettext("city") == "città"


def test_the_compiled_file_stands_beside_its_source(tmp_path):
    source = tmp_path / "django.po"
    source.write_text(PO, encoding="utf-8")
    subprocess.run([sys.executable, ROOT / "docker" / "compile_messages.py", source], check=True)
    assert (tmp_path / "django.mo").read_bytes() == compiled(PO)
