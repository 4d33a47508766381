"""What the workbooks with live formulas have in common."""

import io

from django.http import HttpResponse
from django.utils.translation import gettext as _
from openpyxl import Workbook

from pergioco.rulekit.workbook import XLSX, Formula, save


def agreement(computed: str, published: str) -> Formula:
    """Of two cells with three decimals."""
    yes, no = (text.replace('"', '""') for text in (_("agrees"), _("differs")))
    return Formula(f'=IF(ABS({computed}-{published})<0.0005,"{yes}","{no}")')


def download(book: Workbook, name: str) -> HttpResponse:
    content = io.BytesIO()
    save(book, content)
    headers = {"Content-Disposition": f'attachment; filename="{name}.xlsx"'}
    return HttpResponse(content.getvalue(), content_type=XLSX, headers=headers)
