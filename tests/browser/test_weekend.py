"""The first rounds of a weekend, in a browser; `python docs/weekend.py` plays all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="needs playwright, of claimlog[test-all]")
pytest.importorskip("py4swiss", reason="needs the packages of claimlog[events]")

from hall import Hall
from phones import Server
from playwright.sync_api import expect
from waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from phones import Phones
    from playwright.sync_api import Route

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server as everybody starts it: its phones compile the rules."""
    server = Server(tmp_path_factory.mktemp("weekend"))
    server.rules = None
    server.start()
    yield server
    server.stop()


def test_two_rounds_of_a_weekend(phones: Phones, server: Server) -> None:
    """A late entry, a phone without network, a server that is killed, a corrected result."""
    hall = Hall(phones, server)
    hall.begin(rounds=2)
    hall.round(offline=True, killed=True)
    hall.round()
    hall.correct()
    assert hall.standings() == hall.counted()


def test_what_is_typed_while_a_form_is_sent_stays(phones: Phones, server: Server) -> None:
    """Fields are emptied once the server has what was in them, unless they have something else."""
    hall = Hall(phones, server)
    page = hall.desk
    page.goto(f"{server.url}/desk")
    hall.fill("/events", "name", "Quick Cup")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/events/*/desk")
    held: list[Route] = []
    page.route("**/entrants/list", lambda route: held.append(route))
    form = page.locator('form[data-post$="entrants/list"]')
    text = form.locator('[name="text"]')
    text.fill("Anna Keller")
    form.locator("button").click()
    wait_until(lambda: page.wait_for_timeout(10) or held)
    text.fill("Ben Roth")
    held.pop().continue_()
    expect(page.locator("#people")).to_contain_text("Anna Keller")
    expect(text).to_have_value("Ben Roth")
    form.locator("button").click()
    wait_until(lambda: page.wait_for_timeout(10) or held)
    held.pop().continue_()
    expect(page.locator("#people")).to_contain_text("Ben Roth")
    expect(text).to_have_value("")
