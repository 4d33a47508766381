"""The image, built from the Dockerfile without a daemon, and its processes, run from its own file
system.

Where no registry of images is reached the base is made by debootstrap. Mounts are made in a
namespace of each process, and end with it; what was built is a folder."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.servers import Missing, running
from tests.system.test_containers import SERVICES

ROOT = Path(__file__).parents[2]
RELEASE = "bookworm"  # of Debian, as the Dockerfile names it
PACKAGES = "ca-certificates,python3,python3-pip"
TOOLS = ("buildah", "debootstrap", "unshare", "chroot")
USER = 1000
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PROCESS = """
root=$1 data=$2 static=$3; shift 3
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount --bind "$static" "$root/static"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -t tmpfs -o size=256m,mode=1777 tmpfs "$root/tmp"
mount -o remount,bind,ro "$root"
exec chroot --userspec=1000:1000 "$root" env --ignore-environment --chdir=/app "$@"
"""


def check_tools() -> None:
    for tool in TOOLS:
        if shutil.which(tool) is None:
            raise Missing(tool, tool)
    if os.geteuid() != 0:
        pytest.skip("the image: only root may make a base and mount it")


class Image:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data, self.static = folder / "data", folder / "srv" / "static"
        for volume in (self.data, self.static):  # as an empty volume takes its owner
            volume.mkdir(parents=True)
            os.chown(volume, USER, USER)

    def buildah(self, *words: str | Path) -> str:
        store = ["--root", self.folder / "store", "--runroot", self.folder / "run"]
        command = ["buildah", *store, "--storage-driver", "vfs", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout.strip()

    def make_base(self) -> None:
        """What the official image of Python is, as far as the Dockerfile needs it."""
        base = self.folder / "base"
        command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", RELEASE, base]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-3000:]
        (base / "usr" / "bin" / "python").symlink_to("python3")
        for marker in base.glob("usr/lib/python3*/EXTERNALLY-MANAGED"):
            marker.unlink()
        container = self.buildah("from", "scratch")
        self.buildah("add", "--quiet", container, base, "/")
        self.buildah("config", "--env", f"PATH={PATH}", container)
        self.buildah("commit", "--quiet", "--rm", container, "portal-base")
        shutil.rmtree(base)

    def build(self) -> None:
        files = [f"{path}:{path}:ro" for path in self.write_pip_conf()]
        files.append(f"{self.folder / 'pip.conf'}:/etc/pip.conf:ro")
        volumes = [f"--volume={file}" for file in files]
        base = "BASE=localhost/portal-base"
        layer = ["--isolation", "chroot", "--format", "docker", "--build-arg", base]
        self.buildah("bud", *layer, *volumes, "--tag", "portal", ROOT)
        self.container = self.buildah("from", "localhost/portal")
        self.root = Path(self.buildah("mount", self.container))
        image = json.loads(self.buildah("inspect", self.container))
        self.config: dict[str, Any] = image["OCIv1"]["config"]

    def write_pip_conf(self) -> list[str]:
        """pip reaches its index in the build as it does on this machine: with what it is told here,
        and the files that are named there. Nothing of it stays in the image."""
        listed = subprocess.run(
            [sys.executable, "-m", "pip", "config", "list"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        told = {}
        for line in listed.splitlines():
            name, _, value = line.partition("=")
            told[name.rpartition(".")[2]] = value.strip("'")
        file = self.folder / "pip.conf"
        lines = [f"{name} = {value}" for name, value in told.items() if name != "version"]
        file.write_text("[global]\n" + "\n".join(lines) + "\n", encoding="utf-8")
        return sorted({place for value in told.values() for place in places(value)})

    def command(self, words: list[str], environment: dict[str, str]) -> list[str]:
        """In its own file system, of which only the volumes and /tmp can be written, as its user
        and with its environment."""
        assert (self.config["User"], self.config["WorkingDir"]) == ("1000:1000", "/app")
        told = [*self.config["Env"], *(f"{name}={value}" for name, value in environment.items())]
        places = [str(self.root), str(self.data), str(self.static)]
        unshared = ["unshare", "--mount", "--propagation", "private"]
        return [*unshared, "sh", "-euc", PROCESS, "sh", *places, *told, *words]

    def run(self, words: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess:
        command = self.command(words, environment)
        return subprocess.run(command, capture_output=True, text=True, check=False)

    @contextmanager
    def service(self, name: str, environment: dict[str, str], port: int = 0) -> Iterator[Any]:
        words = [
            word.replace("0.0.0.0:8000", f"127.0.0.1:{port}") for word in SERVICES[name]["command"]
        ]
        with running(*self.command(words, environment)) as process:
            yield process


def places(value: str) -> Iterator[str]:
    """The files and folders that it names; of an index the folder around it, which has the
    packages."""
    for word in value.split():
        index = word.startswith("file://")
        path = Path(word.removeprefix("file://"))
        if path.is_absolute() and path.exists():
            yield str(path.parent if index else path)


@contextmanager
def built() -> Iterator[Image]:
    check_tools()
    with TemporaryDirectory(prefix="portal-image-") as folder:
        image = Image(Path(folder))
        try:
            image.make_base()
            image.build()
            yield image
        finally:
            image.buildah("rm", "--all")
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8")
        assert folder not in mounts
