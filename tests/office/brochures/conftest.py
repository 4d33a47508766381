"""LibreOffice, where it is installed; where not, the test says so and CI fails."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.office.brochures import office
from tests.servers import Missing

Recalculate = Callable[..., list[dict[str, office.Rows]]]


@pytest.fixture(scope="session")
def office_profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made at the first start, which takes its time; nobody else's settings count."""
    return tmp_path_factory.mktemp("office")


@pytest.fixture
def recalculate(tmp_path: Path, office_profile: Path) -> Recalculate:
    def compute(*workbooks: bytes) -> list[dict[str, office.Rows]]:
        try:
            return office.recalculated(tmp_path, *workbooks, profile=office_profile)
        except Missing as missing:
            pytest.skip(str(missing))

    return compute
