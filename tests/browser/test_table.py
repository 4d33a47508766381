"""The page of a table on phones: two at one table, without a network, without a script, in a
hurry."""

from decimal import Decimal

import pytest

from pergioco.stages.models import Revision, Table, TableStep
from pergioco.stages.rules.table_state import State
from pergioco.stages.services import reporting
from tests.browser.axe import problems
from tests.browser.visitor import Visitor
from tests.emptying import unguarded
from tests.stages.table.at_the_table import address_of, seated

pytestmark = [pytest.mark.browser]
MOST_TAPS_OF_BIG, MOST_KEYS_OF_RISIKO = 12, 14
OFFLINE = "Salvato su questo telefono. Lo invio appena torna la rete. Non chiudere la pagina."


@pytest.fixture
def big(portal) -> Revision:
    return seated(4)


@pytest.fixture
def master(portal) -> Revision:
    return seated(4, circuit="rkm")


def table_of(draft: Revision) -> Table:
    return Table.objects.get(round__revision=draft)


def points(draft: Revision) -> list[Decimal | None]:
    return list(table_of(draft).seats.order_by("position").values_list("score", flat=True))


def state(draft: Revision) -> State:
    return reporting.table_states(draft)[table_of(draft).pk].state


def phone(visit, draft: Revision, **window) -> Visitor:
    visitor: Visitor = visit(width=360, **window)
    visitor.go(address_of(draft, "it"))
    return visitor


def wait_for(visitor: Visitor, words: str) -> None:
    visitor.do(
        lambda page: page.wait_for_function(
            "words => document.body.innerText.includes(words)", arg=words
        )
    )


def tap(visitor: Visitor, selector: str) -> None:
    visitor.do(lambda page: page.locator(selector).first.click())


def keys(visitor: Visitor, *names: str) -> None:
    """From the first box on, which takes the keys once the page is drawn."""

    def act(page) -> None:
        page.wait_for_function("document.activeElement.matches('input[name^=score]')")
        for name in names:
            page.keyboard.press(name)

    visitor.do(act)


def fill(visitor: Visitor, *scores: str) -> None:
    def act(page) -> None:
        for at, score in enumerate(scores):
            page.locator("input[name^=score]").nth(at).fill(score)

    visitor.do(act)


def offline(visitor: Visitor, *, cut: bool) -> None:
    visitor.do(lambda page: page.context.set_offline(cut))


def bid(visitor: Visitor, item: str, amount: str, says: str) -> None:
    def act(page) -> None:
        page.locator(f"input[name=item][value='{item}']").check()
        page.locator("input[name=amount]").fill(amount)
        page.locator("form:has(input[name=amount]) button").click()

    visitor.do(act)
    wait_for(visitor, says)


def test_the_scores_of_a_table_of_four_take_at_most_twelve_taps(visit, big):
    visitor = phone(visit, big)
    taps = [*"82", "Enter", *"60", "Enter", *"43", "Enter", *"12", "Enter"]
    assert len(taps) <= MOST_TAPS_OF_BIG
    keys(visitor, *taps)
    wait_for(visitor, "È giusto? Ciascuno conferma")
    assert points(big) == [82, 60, 43, 12]
    for name in ("Ada Bassi", "Bice Conti", "Carlo Dini", "Dora Elmi"):
        tap(visitor, f"button:has-text('{name}: è giusto')")
        visitor.do(
            lambda page, name=name: page.wait_for_selector(
                f"button:has-text('{name}')", state="detached"
            )
        )
    assert state(big) == State.CONFIRMED


def test_a_table_of_four_of_a_master_takes_at_most_fourteen_keys(visit, master):
    visitor = phone(visit, master)
    pressed = [*"45", "Enter", *"39", "Enter", *"21", "Enter", *"30", "Enter"]
    assert len(pressed) <= MOST_KEYS_OF_RISIKO
    keys(visitor, *pressed)
    wait_for(visitor, "È giusto?")
    assert points(master) == [45, 39, 21, 30]


def test_places_and_points_are_shown_while_one_types(visit, big):
    visitor = phone(visit, big)
    fill(visitor, "82", "60", "43", "12")
    wait_for(visitor, "2° posto · 611 punti")
    assert state(big) == State.MISSING


def test_too_many_points_are_told_while_one_types_and_a_tie_asks_what_decides(visit, master):
    visitor = phone(visit, master)
    fill(visitor, "91", "45", "21", "30")
    wait_for(visitor, "91 punti? Il massimo di questo tavolo è 86. Controlla il foglio.")
    fill(visitor, "45", "45", "21", "30")
    wait_for(visitor, "Stessi punti tavolo: che cosa decide")

    def answer(page) -> None:
        for at, (off, order) in enumerate((("3", "3"), ("3", "1"))):
            page.locator("input[name^=off]").nth(at).fill(off)
            page.locator("select[name^=order]").nth(at).select_option(order)
        page.locator("button[value=send]").click()

    visitor.do(answer)
    wait_for(visitor, "È giusto?")
    seats = (
        table_of(master)
        .seats.order_by("position")
        .values_list("player__person__first_name", flat=True)
    )
    assert list(seats) == ["Bice", "Ada", "Carlo", "Dora"]


@pytest.mark.parametrize("kind", ["A", "B", "C"])
def test_an_auction_of_each_kind_step_by_step_on_two_phones(visit, big, kind):
    items = ["1", "2", "3", "4"] if kind == "A" else ["Giza", "Rodi", "Efeso", "Olimpia"]
    visitor = phone(visit, big)

    def begin(page) -> None:
        page.locator("#auction-begin summary").click()
        page.locator("#kind").select_option(kind)
        page.locator("#items").fill("" if kind == "A" else "\n".join(items))
        page.locator("#auction-begin button").first.click()

    visitor.do(begin)
    wait_for(visitor, "Tocca a Ada Bassi.")
    bid(visitor, items[0], "0", "Tocca a Bice Conti.")
    bid(visitor, items[0], "0", "La puntata è troppo bassa")
    bid(visitor, items[0], "2", "Tocca a Carlo Dini.")
    visitor.troubles.clear()  # the bid that was refused
    other = phone(visit, big)
    assert "puntata minima 3" in other.text()
    bid(other, items[1], "0", "Tocca a Dora Elmi.")
    bid(other, items[2], "0", "Tocca a Ada Bassi.")
    bid(other, items[3], "0", "L’asta è finita.")
    fill(other, "70", "70", "43", "12")
    wait_for(other, "netto 68")
    tap(other, "button[value=send]")
    wait_for(other, "È giusto?")
    bids = table_of(big).seats.order_by("position").values_list("bid", flat=True)
    assert list(bids) == [0, 2, 0, 0]


def test_one_tap_hands_the_clock_over_and_a_time_out_is_last(visit, big):
    visitor = phone(visit, big)

    def set_up(page) -> None:
        page.locator("#clock-begin summary").click()
        page.locator("#minutes").fill("1")
        page.locator("#clock-begin button").click()

    visitor.do(set_up)
    tap(visitor, ".tile:has-text('Ada')")
    visitor.do(lambda page: page.wait_for_selector(".tile--runs .tile-word:has-text('pensa')"))
    turn = TableStep.objects.get(kind="turn")
    with unguarded():
        earlier = turn.data | {"at": turn.data["at"] - 61_000}
        TableStep.objects.filter(pk=turn.pk).update(data=earlier)
    visitor.do(lambda page: page.reload())
    assert "fuori tempo" in visitor.text(".tiles")
    fill(visitor, "99", "60", "43", "12")
    wait_for(visitor, "4° posto")
    tap(visitor, "button[value=send]")
    wait_for(visitor, "È giusto?")
    assert table_of(big).seats.get(timed_out=True).player.person.first_name == "Ada"
    assert visitor.text("#sent tbody tr:last-child") == "4 Ada Bassi 99 200"


def test_a_disputed_score_calls_the_referee_and_a_correction_needs_everybody(visit, big):
    visitor = phone(visit, big)
    fill(visitor, "82", "60", "43", "12")
    tap(visitor, "button[value=send]")
    wait_for(visitor, "È giusto?")

    def call(page) -> None:
        page.locator("#dispute summary").click()
        page.locator("#reason").fill("L’ultima carta")
        page.locator("#dispute button").click()

    visitor.do(call)
    wait_for(visitor, "Arbitro chiamato")
    assert state(big) == State.DISPUTED
    tap(visitor, "#scores > summary")
    fill(visitor, "82", "60", "45", "12")
    tap(visitor, "button[value=send]")
    wait_for(visitor, "45")
    assert (points(big), state(big)) == ([82, 60, 45, 12], State.DISPUTED)


def test_what_is_open_stays_open_when_another_phone_changes_the_page(visit, big):
    first, second = phone(visit, big), phone(visit, big)
    tap(first, "#dispute summary")
    fill(second, "82", "60", "43", "12")
    tap(second, "button[value=send]")
    wait_for(second, "È giusto?")
    first.do(lambda page: page.evaluate("document.dispatchEvent(new Event('visibilitychange'))"))
    wait_for(first, "È giusto?")
    assert first.do(lambda page: page.locator("#reason").is_visible())


@pytest.mark.parametrize("circuit", ["big", "rkm"])
def test_a_phone_without_a_network_keeps_the_scores_and_sends_them_once_later(
    visit, portal, circuit
):
    draft = seated(4, circuit=circuit)
    visitor = phone(visit, draft)
    offline(visitor, cut=True)
    fill(visitor, "82", "60", "43", "12")
    tap(visitor, "button[value=send]")
    wait_for(visitor, OFFLINE)
    assert points(draft) == [None] * 4
    offline(visitor, cut=False)
    wait_for(visitor, "La rete è tornata: tutto è inviato.")
    assert points(draft) == [82, 60, 43, 12]
    assert TableStep.objects.filter(kind="sent").count() == 1
    visitor.troubles.clear()  # what the browser says of a network that is cut


def test_two_phones_that_type_different_scores_see_both(visit, big):
    first, second = phone(visit, big), phone(visit, big)
    offline(second, cut=True)
    fill(second, "82", "60", "44", "12")
    tap(second, "button[value=send]")
    wait_for(second, OFFLINE)
    fill(first, "82", "60", "43", "12")
    tap(first, "button[value=send]")
    wait_for(first, "È giusto?")
    offline(second, cut=False)
    wait_for(second, "Due valori")
    assert "43" in second.text("#sent")
    assert second.do(lambda page: page.locator("input[name^=score]").nth(2).input_value()) == "44"
    assert points(big) == [82, 60, 43, 12]
    second.troubles.clear()  # the network that was cut, and the conflict


def test_what_was_typed_is_still_there_after_a_reload(visit, big):
    visitor = phone(visit, big)
    fill(visitor, "82", "60")
    visitor.do(lambda page: page.reload())
    assert visitor.do(lambda page: page.locator("input[name^=score]").nth(1).input_value()) == "60"


@pytest.mark.parametrize("circuit", ["big", "rkm"])
def test_without_a_script_everything_is_a_form(visit, portal, circuit):
    draft = seated(4, circuit=circuit)
    visitor = phone(visit, draft, javascript=False)
    fill(visitor, "82", "60", "43", "12")
    tap(visitor, "button[value=check]")
    assert "2° posto" in visitor.text()
    tap(visitor, "button[value=send]")
    for _player in range(4):
        tap(visitor, ".confirm button")
    assert (points(draft), state(draft)) == ([82, 60, 43, 12], State.CONFIRMED)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_has_no_barriers(visit, big, theme):
    visitor = phone(visit, big, theme=theme)
    assert problems(visitor) == []
    fill(visitor, "82", "60", "60", "12")
    wait_for(visitor, "Stesso punteggio")
    assert problems(visitor) == []
