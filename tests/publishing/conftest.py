from tests.core.conftest import _jobs_for_tests  # noqa: F401 - for the tests of this folder, too
