"""The paragraphs as a page prints them: filled with the numbers in force, with their readings and examples."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pergioco.website.regulations import examples, parameters, pgm, readings
from pergioco.website.regulations.text import Example, Paragraph, Reading, Text


@dataclass(frozen=True)
class Explained:
    paragraph: Paragraph
    says: list[str]
    readings: list[Reading]
    example: Example | None


def filled(texts: tuple[Text, ...], numbers: Mapping[str, str]) -> list[str]:
    return [str(text) % numbers for text in texts]


def summary(year: int) -> list[str]:
    return filled(pgm.SUMMARY, parameters.in_words(year))


def chapters(year: int) -> Iterator[tuple[Text, list[Explained]]]:
    numbers = parameters.in_words(year)
    for chapter in pgm.CHAPTERS:
        yield chapter.title, [explained(paragraph, numbers, year) for paragraph in chapter.paragraphs]


def explained(paragraph: Paragraph, numbers: Mapping[str, str], year: int) -> Explained:
    example = examples.EXAMPLES.get(paragraph.number)
    return Explained(
        paragraph,
        filled(paragraph.says, numbers),
        readings.of_paragraph(paragraph.number),
        example(year) if example else None,
    )
