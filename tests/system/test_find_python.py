"""`make setup` looks for a Python that can run the portal, and says what to install if there is
none."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "docker" / "find-python"
FITS = f'#!/bin/sh\nexec {sys.executable} "$@"\n'
BROKEN = "#!/bin/sh\nexit 127\n"
# What Debian's Python says when python3-venv is not installed.
NO_ENSUREPIP = f"#!/bin/sh\nexec {sys.executable} -c \"raise ImportError('ensurepip')\"\n"


@pytest.fixture
def look(tmp_path):
    def run(programs: dict[str, str], **environment: str) -> subprocess.CompletedProcess[str]:
        for name, text in programs.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
            (tmp_path / name).chmod(0o755)
        environment = {"PATH": str(tmp_path), **environment}
        return subprocess.run(
            ["/bin/sh", SCRIPT], env=environment, capture_output=True, text=True, check=False
        )

    return run


def test_the_first_that_fits_is_taken(look):
    assert look(
        {"python3.11": BROKEN, "python3.12": NO_ENSUREPIP, "python3.13": FITS, "python3": FITS}
    ).stdout == ("python3.13\n")


def test_a_python_named_by_hand_is_taken(look):
    assert look({"python3.11": FITS, "mine": FITS}, PYTHON="mine").stdout == "mine\n"


@pytest.mark.parametrize("programs", [{}, {"python3": BROKEN}, {"python3": NO_ENSUREPIP}])
def test_without_one_a_sentence_says_what_to_install(look, programs):
    done = look(programs)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "Python 3.11 to 3.14 with venv and ensurepip is needed. On Debian or Ubuntu: apt install "
        "python3 python3-venv\n"
    )


@pytest.mark.parametrize(
    ("version", "fits"),
    [("(3, 10)", False), ("(3, 11)", True), ("(3, 14)", True), ("(3, 15)", False)],
)
def test_versions_from_3_11_to_3_14_fit(look, version, fits):
    """The script's own question, asked of a Python that says it is of that version."""
    posing = (
        f'#!/bin/sh\nexec {sys.executable} -c "import sys; sys.version_info = {version}; '
        f'exec(sys.argv[1])" "$2"\n'
    )
    assert bool(look({"python3": posing}).stdout) is fits
