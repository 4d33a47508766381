"""The one door to other hosts (threat 18, rule 26): what it lets through, and forty ways in which
it must stay shut."""

import socket
import threading

import pytest
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured

from pergioco.core import fetcher
from pergioco.core.fetcher import (
    BUSY,
    NEVER_ASKED,
    ODD,
    SILENT,
    TOO_MANY,
    Fetcher,
    FetchFailed,
    is_public,
)
from pergioco.core.refusal import Refused
from pergioco.players.references import read_reference
from tests.players import stand_in
from tests.players.stand_in import HOST, drips, says, sleeps
from tests.servers import PATIENCE_SECONDS


@pytest.fixture
def platform():
    with stand_in.platform() as standing_in:
        yield standing_in


@pytest.fixture
def canary():
    with stand_in.canary() as (port, reached):
        yield port, reached


def leads_to(*addresses):
    """A resolver; the addresses are given out one call after the other, the last one for ever."""
    waiting = list(addresses)

    def resolve(_host, port, **_):
        address = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        return [(0, 0, 0, "", (address, port))]

    return resolve


def test_the_body_comes_back_and_the_platform_learns_who_asks(platform):
    platform.answer = says(b'{"id": "zoe"}')
    assert platform.fetcher().get(HOST, "/api/user/zoe") == b'{"id": "zoe"}'
    lines = platform.heads[0].split("\r\n")
    assert lines[0] == "GET /api/user/zoe HTTP/1.1"
    assert f"Host: {HOST}" in lines
    assert "Accept: application/json" in lines
    assert "Accept-Encoding: identity" in lines
    agent = next(line for line in lines if line.startswith("User-Agent: "))
    assert len(agent.removeprefix("User-Agent: ")) >= 30


def test_a_body_in_chunks_is_put_together(platform):
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    platform.answer = lambda wire, _: wire.sendall(head + b"2\r\n[1\r\n3\r\n,2]\r\n0\r\n\r\n")
    assert platform.fetcher().get(HOST, "/x") == b"[1,2]"


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (says(b"", "302 Found", f"Location: https://{HOST}/y"), ODD),
        (says(b"", "403 Forbidden"), ODD),
        (says(b"", "204 No Content"), ODD),
        (says(b"", "429 Too Many Requests"), TOO_MANY),
        (says(b"", "500 Internal Server Error"), SILENT),
        (says(b"x" * 20, "200 OK", "Content-Encoding: gzip"), ODD),
        (lambda wire, _: wire.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), ODD),
        (lambda wire, _: wire.sendall(b"SSH-2.0-OpenSSH_9.2\r\n"), ODD),
        (lambda wire, _: wire.sendall(b""), SILENT),
    ],
)
def test_an_unusable_answer_ends_in_a_sentence(platform, answer, sentence):
    platform.answer = answer
    with pytest.raises(FetchFailed) as failed:
        platform.fetcher().get(HOST, "/x")
    assert failed.value.sentence == sentence
    assert platform.asked == ["/x"]


def test_not_found_is_told_apart_from_silence(platform):
    platform.answer = says(b"", "404 Not Found")
    with pytest.raises(FetchFailed) as failed:
        platform.fetcher().get(HOST, "/api/user/nobody")
    assert failed.value.missing is True


@pytest.mark.parametrize(
    "answer",
    [
        drips(b"x", 0.05),  # a head that never ends
        lambda wire, head: (
            wire.sendall(b"HTTP/1.1 200 OK\r\n\r\n"),
            drips(b"[", 0.05)(wire, head),
        ),
        sleeps,
    ],
    ids=["head", "body", "silence"],
)
def test_a_dripping_answer_is_cut_off_when_the_time_is_over(platform, answer):
    """Heard to its end, each would be called something else than silence, or be a good answer."""
    platform.answer = answer
    with pytest.raises(FetchFailed) as failed:
        platform.fetcher(seconds=0.5).get(HOST, "/x")
    assert failed.value.sentence == SILENT


def test_a_resolver_that_sleeps_does_not_hold_the_page(platform):
    woken_up = threading.Event()
    with pytest.raises(FetchFailed) as failed:
        platform.fetcher(seconds=0.3, resolve=lambda *_, **__: woken_up.wait(PATIENCE_SECONDS)).get(
            HOST, "/x"
        )
    assert (failed.value.sentence, woken_up.is_set()) == (SILENT, False)
    woken_up.set()


def test_an_unknown_host_is_silence(platform):
    def unknown(*_, **__):
        raise socket.gaierror(-2, "Name or service not known")

    with pytest.raises(FetchFailed) as failed:
        platform.fetcher(resolve=unknown).get(HOST, "/x")
    assert failed.value.sentence == SILENT


def test_reading_stops_at_five_megabytes(platform, monkeypatch):
    monkeypatch.setattr(fetcher, "MOST_BYTES", 100_000)
    platform.answer = drips(b"x" * 50_000, 0)
    with pytest.raises(FetchFailed) as failed:
        platform.fetcher().get(HOST, "/x")
    assert failed.value.sentence == ODD


def test_the_limits_are_ten_seconds_and_five_megabytes():
    assert (Fetcher().seconds, fetcher.MOST_BYTES) == (10, 5 * 1024 * 1024)


def test_a_certificate_of_a_strange_authority_is_refused(platform):
    with pytest.raises(FetchFailed):
        platform.fetcher(context=None).get(HOST, "/x")
    assert platform.asked == []


def test_a_certificate_of_another_host_is_refused(platform):
    with pytest.raises(FetchFailed):
        platform.fetcher().get("other.example.org", "/x")
    assert platform.asked == []


def test_a_dead_address_is_passed_over(platform):
    def two(_host, port, **_):
        return [(0, 0, 0, "", ("127.0.0.2", port)), (0, 0, 0, "", ("127.0.0.1", port))]

    platform.answer = says(b"[]")
    assert platform.fetcher(resolve=two).get(HOST, "/x") == b"[]"


def test_production_refuses_the_seam_of_the_tests(settings):
    settings.PRODUCTION = True
    assert Fetcher().port == 443
    for seam in (
        {"is_allowed": lambda _: True},
        {"port": 8443},
        {"resolve": leads_to("127.0.0.1")},
        {"seconds": 99},
    ):
        with pytest.raises(ImproperlyConfigured):
            Fetcher(**seam)


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "2606:2800:220:1::1", "::ffff:93.184.216.34", "64:ff9b::5db8:d822"]
)
def test_addresses_of_the_public_internet(address):
    assert is_public(address) is True


FORBIDDEN = [
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",  # noqa: S104 - an address to refuse, not to listen on
    "10.0.0.8",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001:0:7f00:1::",
    "fe80::1",
    "fe80::1%lo",
    "fec0::1",
    "fc00::1",
    "ff02::1",
]
HOSTS = [
    "127.0.0.1",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "[::1]",
    "localhost",
    "localhost:{port}",
    "127.0.0.1:{port}",
    "good.example.org@127.0.0.1",
    "user:word@127.0.0.1:{port}",
    "good.example.org#@127.0.0.1",
    "good.example.org/@127.0.0.1",
    "good.example.org\r\nHost: 127.0.0.1",
    "http://127.0.0.1:{port}",
    "file:///etc/passwd",
    "gopher://127.0.0.1:{port}/_x",
    "",
]
PATHS = [
    "//127.0.0.1:{port}/x",
    "@127.0.0.1:{port}/x",
    "https://127.0.0.1:{port}/x",
    "/api/user/zoe HTTP/1.1\r\nHost: 127.0.0.1",
    "/api/user/zoe\r\n\r\nGET / HTTP/1.1",
    "/api/user/../../admin",
    "/api/user/%2e%2e/admin",
    "/api/user/zoè",
    "/api/user/zoe\x00",
    "file:///etc/passwd",
    "",
]


@pytest.mark.parametrize("address", FORBIDDEN)
def test_16_a_name_that_leads_to_a_forbidden_address_is_never_connected_to(
    canary, address, monkeypatch
):
    port, reached = canary
    tried = []
    monkeypatch.setattr(fetcher.socket, "create_connection", lambda where, **_: tried.append(where))
    with pytest.raises(FetchFailed) as failed:
        Fetcher(port=port, resolve=leads_to(address)).get(HOST, "/x")
    assert failed.value.sentence == SILENT
    assert (tried, reached) == ([], [])


@pytest.mark.parametrize("host", HOSTS)
def test_16_a_host_that_is_not_a_plain_name_is_never_looked_up(canary, host):
    port, reached = canary
    looked_up = []

    def resolve(name, port, **_):
        looked_up.append(name)
        return [(0, 0, 0, "", ("127.0.0.1", port))]

    with pytest.raises(FetchFailed):
        Fetcher(port=port, resolve=resolve, is_allowed=lambda _: True).get(
            host.format(port=port), "/x"
        )
    assert (looked_up, reached) == ([], [])


@pytest.mark.parametrize("path", PATHS)
def test_16_a_path_that_is_not_ours_is_never_asked_for(canary, path):
    port, reached = canary
    with pytest.raises(FetchFailed):
        Fetcher(port=port, resolve=leads_to("127.0.0.1"), is_allowed=lambda _: True).get(
            HOST, path.format(port=port)
        )
    assert reached == []


@pytest.mark.parametrize(
    "text",
    [
        "https://127.0.0.1/@/Zoe",
        "https://playstrategy.org@127.0.0.1/@/Zoe",
        "https://playstrategy.org:8443/@/Zoe",
        "https://playstrategy.org.evil.example/@/Zoe",
        "http://[::1]/@/Zoe",
        "file:///@/Zoe",
        "gopher://playstrategy.org/@/Zoe",
        "https://playstrategy.org/@/Zoe%0d%0aHost:x",
        "Zoe\r\nHost: 127.0.0.1",
        "../../admin",
        "zoe?x=1",
        "zoe#x",
    ],
)
def test_16_a_hostile_link_or_nickname_yields_no_id(text):
    with pytest.raises(Refused):
        read_reference("playstrategy", text)


def test_16_the_lists_above_hold_at_least_forty_ways():
    assert len(FORBIDDEN) + len(HOSTS) + len(PATHS) >= 40


def test_16_the_canary_sings_when_the_guard_is_off(canary):
    """The control: without it, a broken canary would let every test above pass."""
    port, reached = canary
    patient = Fetcher(
        port=port,
        resolve=leads_to("127.0.0.1"),
        is_allowed=lambda _: True,
        seconds=PATIENCE_SECONDS,
    )
    with pytest.raises(FetchFailed):
        patient.get(HOST, "/x")
    assert len(reached) == 1


def test_16_one_forbidden_address_among_good_ones_spoils_them_all(canary):
    port, reached = canary

    def mixed(_host, port, **_):
        return [(0, 0, 0, "", ("93.184.216.34", port)), (0, 0, 0, "", ("127.0.0.1", port))]

    with pytest.raises(FetchFailed):
        Fetcher(port=port, resolve=mixed).get(HOST, "/x")
    assert reached == []


def test_16_a_name_that_changes_its_address_is_looked_up_once(platform, canary):
    """Rebinding: the first answer is good, the second would lead here. Only the first is ever
    used."""
    _port, reached = canary
    looked_up = []

    def resolve(_host, port, **_):
        looked_up.append(port)
        return [(0, 0, 0, "", ("127.0.0.1" if len(looked_up) == 1 else "127.0.0.9", port))]

    platform.answer = says(b"[]")
    assert (
        platform.fetcher(resolve=resolve, is_allowed=lambda a: a == "127.0.0.1").get(HOST, "/x")
        == b"[]"
    )
    assert (len(looked_up), reached) == (1, [])


def test_16_a_redirect_to_this_machine_is_not_followed(platform, canary):
    port, reached = canary
    platform.answer = says(b"", "302 Found", f"Location: http://127.0.0.1:{port}/")
    with pytest.raises(FetchFailed):
        platform.fetcher().get(HOST, "/x")
    assert (platform.asked, reached) == (["/x"], [])


@pytest.fixture
def playstrategy(platform, monkeypatch, settings):
    settings.PLAYSTRATEGY_HOST = HOST
    made = platform.fetcher()
    monkeypatch.setattr(fetcher, "Fetcher", lambda: made)
    return platform


def test_json_comes_back_as_values(db, playstrategy):
    playstrategy.answer = says(b'{"id": "zoe"}')
    assert fetcher.get_json("playstrategy", "/api/user/zoe") == {"id": "zoe"}


@pytest.mark.parametrize("body", [b"<html>", b"", b"\xff\xfe", b"[" * 100_000, b"1" * 5000])
def test_what_is_not_json_ends_in_a_sentence(db, playstrategy, body):
    playstrategy.answer = says(body)
    with pytest.raises(FetchFailed) as failed:
        fetcher.get_json("playstrategy", "/api/user/zoe")
    assert failed.value.sentence == ODD


def test_board_game_arena_is_never_asked(db, playstrategy):
    with pytest.raises(FetchFailed) as failed:
        fetcher.get_json("bga", "/player")
    assert (failed.value.sentence, playstrategy.asked) == (NEVER_ASKED, [])


def test_one_question_at_a_time_to_each_platform(db, playstrategy):
    with fetcher.one_at_a_time("playstrategy"):
        with pytest.raises(FetchFailed) as failed:
            fetcher.get_json("playstrategy", "/api/user/zoe")
        with fetcher.one_at_a_time("abstractplay"):
            assert failed.value.sentence == BUSY
    assert playstrategy.asked == []
    assert fetcher.get_json("playstrategy", "/api/user/zoe") == {}


def test_the_lock_is_given_back_when_the_question_fails(db, playstrategy):
    playstrategy.answer = says(b"", "500 Internal Server Error")
    with pytest.raises(FetchFailed):
        fetcher.get_json("playstrategy", "/x")
    assert cache.get("fetching:playstrategy") is None
