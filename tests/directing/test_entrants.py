"""Entry lists, ratings and TRF16."""

from __future__ import annotations

import pytest
from directing.events import after, an_event, with_round

from claimlog.directing.entrants import read_entrants
from claimlog.directing.model import Entrant, Table, TableResult
from claimlog.directing.ratings import RatedGame, ratings
from claimlog.directing.trf import read_trf, write_trf


@pytest.mark.parametrize(
    "text",
    [
        "Name,Club,Rating\nAnna Keller,Kiel,1850\n\"Müller, Jörg\",,\n",
        "\ufeffVorname;Nachname;Verein;Elo\r\nAnna;Keller;Kiel;1850\r\n\r\nMüller,;Jörg;;\r\n",
        "rating\tname\tclub\n1850\tAnna Keller\tKiel\n\tMüller, Jörg",
        "1. Anna Keller; Kiel; 1850\n# late\n2) Müller, Jörg\n",
        " - Anna  Keller\tKiel\t1850\n\n - Müller, Jörg\n",
    ],
)  # fmt: skip
def test_the_same_list_in_many_ways(text):
    found = read_entrants(text)
    assert found.problems == []
    assert found.entrants == [
        Entrant(name="Anna Keller", club="Kiel", rating=1850),
        Entrant(name="Müller, Jörg"),
    ]


def test_what_cannot_be_read_is_told_by_its_line_and_the_rest_is_read():
    text = "name;rating;seed\nA;x;\n;5;\nB;5;0\nC;5;2\nc;;\nDora;7,5;\n" + "E" * 501
    found = read_entrants(text, [Entrant(number=1, name="DÓRA")])
    assert [one.name for one in found.entrants] == ["C"]
    assert [one.worded() for one in found.problems] == [
        "line 2: 'x' is not a rating: a number from 0 to 10000",
        "line 3: the name is missing: ''",
        "line 4: '0' is not a seed: a number of at least 1",
        "line 6: c is entered already, in line 5, as C",
        "line 7: Dora is entered already, as DÓRA",
        "line 8: a name has at most 500 characters",
    ]
    assert found.problems[3].worded("de") == "Zeile 6: c ist schon gemeldet, in Zeile 5, als C"


@pytest.mark.needs("py4swiss", "caissify_pairings")
def test_an_event_as_trf16_is_read_by_another_program():
    from caissify_pairings.trf import parse_trf

    board = after(an_event(7, system="swiss", rounds=5), 4)
    text = write_trf(board)
    read = parse_trf(text)
    assert read["tournament"]["name"] == board.name
    assert read["tournament"]["total_rounds"] == 5
    scores = {"1-0": "10", "0-1": "01", "1/2-1/2": "=="}
    for number, round in enumerate(board.rounds, 1):
        for table in round.tables:
            for seat, (one, other) in enumerate((table.players, table.players[::-1])):
                row = read["players"][one - 1]["results"][number]
                result = scores[table.result.result][seat]
                assert row == {"opponent": other, "color": "wb"[seat], "result": result}
        for bye in round.byes:
            row = read["players"][bye.entrant - 1]["results"][number]
            assert row == {"opponent": None, "color": None, "result": "U"}
    again = read_trf(text)
    assert again.problems == []
    assert again.name == board.name
    assert [
        {table.players: round.results[table.number].result for table in round.tables}
        for round in again.rounds
    ] == [{table.players: table.result.result for table in round.tables} for round in board.rounds]
    assert [round.byes for round in again.rounds] == [round.byes for round in board.rounds]
    assert [one.name for one in again.entrants] == [one.name for one in board.entrants]
    assert [one.rating for one in again.entrants] == [one.rating for one in board.entrants]


@pytest.mark.needs("openskill")
def test_ratings_come_of_the_games_in_order():
    """Two, three and four players; the same again; a further game changes no earlier rating."""
    games = [
        RatedGame("a", (1, 2), "1-0"),
        RatedGame("b", (1, 2, 3), "0-1/2-1/2"),
        RatedGame("c", (1, 2, 3, 4), "0-1"),
        RatedGame("open", (1, 2), "*"),
        RatedGame("twice", (1, 1), "1-0"),
    ]
    found = {one.player: one for one in ratings(games)}
    assert {player: one.games for player, one in found.items()} == {1: 3, 2: 3, 3: 2, 4: 1}
    first = ratings(games[:1])
    assert [one.player for one in first] == [1, 2]
    assert first[0].rating > 25 > first[1].rating
    assert found[1].history[0] == first[0].history[0]
    assert [step.game for step in found[1].history] == ["a", "b", "c"]
    assert found[4].rating > 25  # side 2, seats 2 and 4, won
    assert found[1].uncertainty < first[0].uncertainty
    assert found == {one.player: one for one in ratings(games)}


@pytest.mark.needs("py4swiss")
def test_a_game_that_is_not_over_has_no_result_in_a_trf16_file():
    board = with_round(an_event(2), [Table(number=1, players=(2, 1))])
    text = write_trf(board)
    assert "   2 b\n" in text
    assert "   1 w\n" in text
    (round,) = read_trf(text).rounds
    assert [table.players for table in round.tables] == [(2, 1)]
    assert round.results == {}


@pytest.mark.needs("py4swiss")
def test_what_is_wrong_with_a_trf16_file_is_told_by_its_line():
    """Forfeits, byes of all kinds; and lines that contradict each other."""
    lines = write_trf(after(an_event(4, system="swiss", rounds=3), 1)).splitlines()
    players = [line for line in lines if line.startswith("001")]
    rest = [line[:91] for line in players]
    rounds = [
        "   2 w +     3 w 1",
        "   1 b -     4 b  ",
        "0000 - H     1 b 1",
        "0000 - F     2 w  ",
    ]
    text = "\n".join(one + two for one, two in zip(rest, rounds, strict=True))
    found = read_trf(text)
    assert [(one.number, one.players) for one in found.rounds[0].tables] == [(1, (1, 2))]
    assert found.rounds[0].results == {1: TableResult(result="1-0", forfeit=(2,))}
    assert [(bye.entrant, bye.kind) for bye in found.rounds[0].byes] == [(3, "half"), (4, "full")]
    assert [one.worded() for one in found.problems] == [
        "line 1: in round 2 this does not agree with what player 3 says",
        "line 3: in round 2 this does not agree with what player 1 says",
    ]
    broken = read_trf(players[0] + "\n001    9      Zoe\n" + players[1])
    assert [(one.line, one.key) for one in broken.problems] == [(2, "entry.trf")]
    assert broken.rounds == []
