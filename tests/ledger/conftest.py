import pytest

from tests.ledger import steps


@pytest.fixture(autouse=True)
def _steps_for_tests(settings) -> None:
    settings.PIPELINE_STEPS = {**settings.PIPELINE_STEPS, **steps.STEPS}
    settings.BROKER_URL = ""
    steps.calls.clear()
