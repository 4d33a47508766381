"""A newsletter as people read it: Markdown made clean HTML, the same as plain text, blocks filled in."""

from dataclasses import dataclass

import nh3
from django.utils import timezone, translation
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from pergioco.contact.newsletter.blocks import Block, Moment, parts, shown
from pergioco.contact.newsletter.models import Campaign
from pergioco.ledger import published

MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable("image")
# No picture: it would tell whoever serves it who reads the mail, and when.
TAGS = {"a", "p", "br", "hr", "em", "strong", "ul", "ol", "li", "blockquote", "code", "pre", "h2", "h3"}
LOWER = {"h1": "h2", "h2": "h2"}  # the first heading of page and mail is the subject; the others become the third


@dataclass(frozen=True)
class Copy:
    subject: str
    html: SafeString
    text: str


def copy_of(campaign: Campaign, language: str) -> Copy:
    subject, text = getattr(campaign, f"subject_{language}"), getattr(campaign, f"text_{language}")
    return made_of(subject, text, moment_of(campaign), language)


def moment_of(campaign: Campaign) -> Moment:
    """Of one that has begun to leave, what was public then; else what is public now."""
    if campaign.begun_at is not None and campaign.publication is not None:
        return Moment(campaign.publication, timezone.localdate(campaign.begun_at))
    version = published.latest()
    day = timezone.localdate(campaign.begun_at) if campaign.begun_at else timezone.localdate()
    return Moment(version.publication if version else None, day)


def made_of(subject: str, text: str, moment: Moment, language: str) -> Copy:
    with translation.override(language):
        pieces = list(parts(text.replace("\r\n", "\n")))
        html = "\n".join(shown(one, moment, "html") if isinstance(one, Block) else clean(one) for one in pieces)
        plain = "\n\n".join(
            (shown(one, moment, "txt") if isinstance(one, Block) else one).strip() for one in pieces
        ).strip()
    return Copy(subject, mark_safe(html), plain)  # noqa: S308 # nosec B308 B703 - cleaned below, or made by templates that escape


def clean(text: str) -> str:
    tokens = MARKDOWN.parse(text)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = LOWER.get(token.tag, "h3")
    html = str(MARKDOWN.renderer.render(tokens, MARKDOWN.options, {}))
    return nh3.clean(html, tags=TAGS, attributes={"a": {"href"}}, url_schemes={"https", "http", "mailto"})
