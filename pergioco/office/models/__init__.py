"""Letters, requests, prizes, newsletters, notices and what is printed."""

from pergioco.office.models.brochures import Brochure, Export, Made, Page
from pergioco.office.models.cases import Case, DataRequest
from pergioco.office.models.mail import Bounce, Campaign, Delivery, MailKey
from pergioco.office.models.notices import Happening, Notice, Subscription
from pergioco.office.models.prizes import PrizeList

__all__ = [
    "Bounce",
    "Brochure",
    "Campaign",
    "Case",
    "DataRequest",
    "Delivery",
    "Export",
    "Happening",
    "Made",
    "MailKey",
    "Notice",
    "Page",
    "PrizeList",
    "Subscription",
]
