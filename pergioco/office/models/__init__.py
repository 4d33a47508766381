from pergioco.office.models.cases import Case
from pergioco.office.models.prizes import PrizeList
from pergioco.office.models.requests import DataRequest

__all__ = ["Case", "DataRequest", "PrizeList"]
