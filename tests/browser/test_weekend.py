"""The first rounds of a weekend, in a browser; `python docs/weekend.py` plays all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="needs playwright, of claimlog[test-all]")
pytest.importorskip("py4swiss", reason="needs the packages of claimlog[events]")

from hall import Hall

if TYPE_CHECKING:
    from phones import Phones, Server

pytestmark = pytest.mark.slow


def test_two_rounds_of_a_weekend(phones: Phones, server: Server) -> None:
    """A late entry, a phone without network, a server that is killed, a corrected result."""
    hall = Hall(phones, server)
    hall.begin(rounds=2)
    hall.round(offline=True, killed=True)
    hall.round()
    hall.correct()
    assert hall.standings() == hall.counted()
