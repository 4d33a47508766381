"""Health checks of the containers: `healthy.py web` and `healthy.py beat`."""

import http.client
import os
import sys
import time
from contextlib import closing
from pathlib import Path

PORT = 8000
OLDEST_SCHEDULE_SECONDS = 600  # beat writes its schedule down every three minutes


def web_answers(port: int = PORT) -> bool:
    """Asks under the site's own name, since the portal serves no other."""
    host = os.environ["PORTAL_HOSTS"].split(",")[0].strip().lstrip(".")
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
        connection.request("GET", "/healthz", headers={"Host": host})
        return connection.getresponse().status == http.client.OK


def beat_keeps_time() -> bool:
    files = Path(os.environ["PORTAL_DATA_DIR"]).glob("beat-schedule*")
    return any(time.time() - file.stat().st_mtime < OLDEST_SCHEDULE_SECONDS for file in files)


if __name__ == "__main__":
    sys.exit(not {"web": web_answers, "beat": beat_keeps_time}[sys.argv[1]]())
