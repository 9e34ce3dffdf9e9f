"""The crosstable of many entrants, on paper: for each line its rounds."""

import re

import pytest
from directing.events import an_event, with_results, with_round

from claimlog.directing.model import Bye, Entrant, Table, TableResult
from claimlog.web.printing import printed


@pytest.mark.parametrize("each", [1, 2])
def test_each_game_and_bye_of_players_or_teams_is_shown_as_what_it_was(each):
    units = [[each * unit + one + 1 for one in range(each)] for unit in range(50)]
    entrants = [
        Entrant(number=one, name=f"P{one:03}", team=f"T{unit[0]}") for unit in units for one in unit
    ]
    board = an_event(entrants, seats=2 * each, fixed_teams=each == 2)
    byes = [
        Bye(entrant=one, kind=kind)
        for unit, kind in zip(units, ("full", "half", "zero", "pairing"), strict=False)
        for one in unit
    ]
    tables = [
        Table(number=number, players=[one for both in zip(*pair, strict=True) for one in both])
        for number, pair in enumerate(zip(units[4::2], units[5::2], strict=True), 1)
    ]
    forfeit = TableResult(result="1-0", forfeit=(2,))
    board = with_results(with_round(board, tables, byes), {1: "1-0", 2: "1/2-1/2", 3: forfeit})
    page = printed("crosstable", "en", name="Many", board=board).decode()
    rows = [
        re.findall(r"<td[^>]*>(?:<bdi>)?([^<]*)", row)
        for row in page[page.index("<tbody") :].split("</tr>")
        if "<td" in row
    ]
    assert len(rows) == 50
    cells = {re.search("P[0-9]+", row[1])[0]: row[2] for row in rows}
    place = {re.search("P[0-9]+", row[1])[0]: row[0] for row in rows}

    def shown(unit):
        """A cell, with the opponent as the number of its unit."""
        cell = cells[f"P{units[unit][0]:03}"]
        other = unit + 1 if unit % 2 == 0 else unit - 1
        return cell.replace(place[f"P{units[other][0]:03}"], f"({other})")

    assert [shown(unit) for unit in range(11)] == [
        "+", "½", "0", "+", "(5):1", "(4):0", "(7):½", "(6):½", "(9):+", "(8):–", "(11)"
    ]  # fmt: skip
