"""A newsletter as its readers see it: blocks like [[red 10]] filled in, as HTML, text and mail."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

import nh3
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy
from markdown_it import MarkdownIt

from pergioco.core.addresses import absolute_url
from pergioco.office.models import Campaign, Delivery
from pergioco.office.newsletter import recipients
from pergioco.players.naming import is_named, public_name
from pergioco.players.rules.people import PGM
from pergioco.publishing import published
from pergioco.publishing.models import Line, Publication
from pergioco.stages.models import Stage
from race import labels as race_labels
from rankings import labels

RANKINGS: dict[str, Promise] = labels.NAMES | {"race": race_labels.NAME}
CALENDAR = "calendar"
NAMES: dict[str, Promise] = RANKINGS | {CALENDAR: gettext_lazy("Next stages")}
# Decimals of the value, and whether its thousands are grouped: as on the pages of the rankings
WRITTEN: dict[str, tuple[int, bool]] = {
    "red": (0, False),
    "blue": (3, True),
    "green": (1, False),
    "race": (0, False),
}
USUAL, MOST = 10, 50
LINE = re.compile(r"^[ \t]*\[\[(?P<words>[^\[\]\n]*)\]\][ \t]*$", re.MULTILINE)
WORDS = re.compile(rf"\s*(?P<name>{'|'.join(NAMES)})(?:\s+(?P<rows>\d{{1,2}}))?\s*")


@dataclass(frozen=True)
class Block:
    name: str
    rows: int


@dataclass(frozen=True)
class Moment:
    """The publication and the day that the blocks of one newsletter show."""

    publication: Publication | None
    day: date


@dataclass(frozen=True)
class Row:
    place: int
    name: str
    city: str
    value: str


def block_line(name: str, rows: int = USUAL) -> str:
    return f"[[{name} {rows}]]"


def split_blocks(text: str) -> Iterator[str | Block]:
    """Text and blocks in their order. Brackets without meaning stay text."""
    end = 0
    for found in LINE.finditer(text):
        block = parse_block(found["words"])
        if block is not None:
            yield text[end : found.start()]
            yield block
            end = found.end()
    yield text[end:]


def parse_block(words: str) -> Block | None:
    found = WORDS.fullmatch(words)
    rows = int(found["rows"] or USUAL) if found else 0
    return Block(found["name"], rows) if found and 1 <= rows <= MOST else None


def find_unknown_blocks(text: str) -> list[str]:
    """Lines in brackets that are no block."""
    return [
        found[0].strip() for found in LINE.finditer(text) if parse_block(found["words"]) is None
    ]


def render_block(block: Block, moment: Moment, ending: str) -> str:
    """`ending` is “html” or “txt”; in the active language."""
    make: Callable[[Block, Moment], dict[str, object]] = (
        stage_values if block.name == CALENDAR else ranking_values
    )
    kind = CALENDAR if block.name == CALENDAR else "ranking"
    return render_to_string(f"office/newsletter/block_{kind}.{ending}", make(block, moment))


def ranking_values(block: Block, moment: Moment) -> dict[str, object]:
    publication = moment.publication
    lines = (
        published.first_lines(publication, block.rows, kind=block.name).get(block.name, [])
        if publication
        else []
    )
    return {
        "name": NAMES[block.name],
        "publication": publication,
        "rows": [ranking_row(block.name, line) for line in lines],
        "page": absolute_url(reverse("ranking", args=[publication.season.year, block.name]))
        if publication
        else "",
    }


def ranking_row(kind: str, line: Line) -> Row:
    city = line.player.person.city if is_named(line.player, PGM) else ""
    decimals, is_grouped = WRITTEN[kind]
    value = number_format(line.value, decimals, use_l10n=True, force_grouping=is_grouped)
    return Row(line.rank, public_name(line.player, PGM), city, value)


def stage_values(block: Block, moment: Moment) -> dict[str, object]:
    coming = Stage.objects.next_from(moment.day).exclude(status=Stage.Status.CANCELLED)
    return {
        "stages": coming.select_related("game", "season")[: block.rows],
        "home": absolute_url(),
        "page": absolute_url(reverse("calendar")),
    }


MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable("image")
# No pictures: their server would learn who reads the mail, and when.
TAGS = {
    "a",
    "p",
    "br",
    "hr",
    "em",
    "strong",
    "ul",
    "ol",
    "li",
    "blockquote",
    "code",
    "pre",
    "h2",
    "h3",
}
LOWER = {
    "h1": "h2",
    "h2": "h2",
}  # the first heading of page and mail is the subject; the others become the third


@dataclass(frozen=True)
class Copy:
    subject: str
    html: SafeString
    text: str


def render_copy(campaign: Campaign, language: str) -> Copy:
    subject, text = getattr(campaign, f"subject_{language}"), getattr(campaign, f"text_{language}")
    return make_copy(subject, text, find_moment(campaign), language)


def find_moment(campaign: Campaign) -> Moment:
    # A newsletter that began to leave shows what was public then, others what is public now.
    if campaign.begun_at is not None and campaign.publication is not None:
        return Moment(campaign.publication, timezone.localdate(campaign.begun_at))
    version = published.latest_version()
    day = timezone.localdate(campaign.begun_at) if campaign.begun_at else timezone.localdate()
    return Moment(version.publication if version else None, day)


def make_copy(subject: str, text: str, moment: Moment, language: str) -> Copy:
    with translation.override(language):
        pieces = list(split_blocks(text.replace("\r\n", "\n")))
        html = "\n".join(
            render_block(one, moment, "html") if isinstance(one, Block) else render_markdown(one)
            for one in pieces
        )
        plain = "\n\n".join(
            (render_block(one, moment, "txt") if isinstance(one, Block) else one).strip()
            for one in pieces
        ).strip()
    return Copy(subject, mark_safe(html), plain)  # noqa: S308 # nosec B308 B703 - cleaned below, or made by templates that escape


def render_markdown(text: str) -> str:
    tokens = MARKDOWN.parse(text)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = LOWER.get(token.tag, "h3")
    html = str(MARKDOWN.renderer.render(tokens, MARKDOWN.options, {}))
    return nh3.clean(
        html, tags=TAGS, attributes={"a": {"href"}}, url_schemes={"https", "http", "mailto"}
    )


def get_copy_url(campaign: Campaign, language: str) -> str:
    with translation.override(language):
        return absolute_url(campaign.get_absolute_url())


def render_plain_mail(copy: Copy, language: str, page: str, unsubscribe: str) -> str:
    return render_mail_template(
        "office/newsletter/letter.txt", copy, language, page=page, unsubscribe=unsubscribe
    )


def render_html_mail(copy: Copy, language: str, page: str, unsubscribe: str) -> str:
    return render_mail_template(
        "office/newsletter/letter.html", copy, language, page=page, unsubscribe=unsubscribe
    )


def render_mail_template(name: str, copy: Copy, language: str, **links: str) -> str:
    with translation.override(language):
        return render_to_string(name, {"copy": copy, "home": absolute_url(), **links})


@dataclass(frozen=True)
class Edition:
    """A newsletter in one language, ready for any recipient."""

    campaign: Campaign
    copy: Copy
    language: str

    def mail_for(self, delivery: Delivery, address: str) -> bytes:
        # `message()` refuses forged headers.
        with translation.override(self.language):
            link = recipients.make_unsubscribe_link(delivery.player, recipients.NEWSLETTER)
        page = get_copy_url(self.campaign, self.language)
        headers = {
            "Message-ID": delivery.message_id,
            "List-Id": f"<newsletter.{settings.PUBLIC_URL.hostname}>",
            **recipients.unsubscribe_headers(link),
        }
        text = render_plain_mail(self.copy, self.language, page, link)
        mail = EmailMultiAlternatives(self.copy.subject, text, None, [address], headers=headers)
        mail.attach_alternative(render_html_mail(self.copy, self.language, page, link), "text/html")
        return mail.message().as_bytes()
