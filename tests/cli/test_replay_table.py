"""The card table: it fits, nothing on it moves, nothing reveals later cards."""

from __future__ import annotations

import re

import pytest
from replaying import game

from claimlog.cli.layout import cells, text_of
from claimlog.cli.replay.board import Board
from claimlog.cli.replay.cardtable import CardTable
from claimlog.cli.replay.page import Pages
from claimlog.language import words
from claimlog.replay.course import legal, race, to_act
from claimlog.replay.viewpoint import SPECTATOR, Viewpoint

GAMES = ("two-goblins", "two-gnomes", "three", "four")
SIZES = ((60, 20), (80, 24), (120, 40), (160, 50))
CARD = re.compile(r"\b([A-Z]\d{1,2})\b")


def pages_of(name, view=None, language="en"):
    say = words(language)
    return Pages(Viewpoint(game(name), view, say), say)


def moments(viewpoint):
    """Every moment of a game."""
    return [
        viewpoint.at(trick, played)
        for trick in range(1, viewpoint.last + 1)
        for played in range(viewpoint.plays(trick) + 1)
    ]


def places(lines, names):
    """Where each name appears first."""
    by_name = {}
    for row, line in enumerate(lines):
        for seat, name in names.items():
            column = line.find(f"{seat} {name}")
            if column >= 0 and seat not in by_name:
                by_name[seat] = (row, cells(line[:column]))
    return by_name


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", GAMES)
def test_it_fits_and_seats_stay_where_they_are(name, language):
    pages = pages_of(name, language=language)
    for width, height in SIZES:
        board = Board(pages, width, height - 3)
        assert board.table.rows <= height - 3
        seats = set()
        for position in moments(pages.viewpoint)[::3]:
            drawn = board.draw(position)
            lines = [text_of(line) for line in drawn.lines]
            assert max(map(cells, lines)) <= width
            seen = places(lines[: board.table.rows], pages.narrator.names)
            assert len(seen) == pages.viewpoint.seats
            seats.add(tuple(seen.values()))
            # The race is always on the screen, and equals that of the game.
            text = "\n".join(lines[: height - 3])
            for standing in race(pages.viewpoint, position):
                assert f"{standing.open}" in text
                if width >= 80:
                    numbers = re.search(rf"  {standing.faction} \S+( +\d+✓?)+", text)
                    shown = [int(n) for n in re.findall(r" (\d+)", numbers[0])]
                    assert shown == [*standing.counts.values(), standing.open]
        assert len(seats) == 1


@pytest.mark.parametrize("view", [SPECTATOR, 2])
@pytest.mark.parametrize("name", GAMES)
def test_nothing_shows_ahead_of_the_moment(name, view):
    """Each card on the page has been seen by then, or is in the viewer's hand."""
    pages = pages_of(name, view)
    viewpoint = pages.viewpoint
    boards = [Board(pages, width, height) for width, height in SIZES[1:3]]
    seen = set()
    for position in moments(viewpoint):
        seen |= {*position.upcards, *(play.card for play in position.plays)}
        seen |= {play.taken.card for play in position.plays if play.taken}
        seen |= {card for player in position.players for card in player.hand}
        for board in boards:
            for line in board.draw(position).lines:
                assert set(CARD.findall(text_of(line))) <= seen


def test_seats_sit_around_the_table_and_the_view_at_the_bottom():
    """Partners sit across; the next player sits at the left."""
    pages = pages_of("four", 2)
    table = CardTable(pages, 100, 34)
    lines = [text_of(line) for line in table.draw(pages.viewpoint.at(5, 0)).lines]
    seen = places(lines, pages.narrator.names)
    rows = {seat: row for seat, (row, _) in seen.items()}
    assert rows[4] < rows[3] == rows[1] < rows[2]
    assert seen[3][1] < seen[4][1] == seen[2][1] < seen[1][1]
    # The others' cards are shown as backs.
    assert "│░░│" in "\n".join(lines[: rows[2] - 6])


def test_who_may_play_what_is_marked_in_the_hand():
    pages = pages_of("three")
    viewpoint = pages.viewpoint
    table = CardTable(pages, 60, 12)
    for position in moments(viewpoint):
        text = "\n".join(text_of(line) for line in table.draw(position).lines)
        marked = re.findall(r"▸([A-Z]\d+)", text)
        assert marked == (legal(viewpoint, position) or [])
        seat = to_act(viewpoint, position)
        assert (f"▸ {seat} " in text or f"▸◆{seat} " in text) == (seat is not None)
    # If hands are shown as cards, the legal ones are raised by a row.
    pages = pages_of("two-gnomes")
    position = pages.viewpoint.at(20, 1)
    table = CardTable(pages, 60, 30)
    drawn = table.draw(position, "N5")
    lines = [text_of(line) for line in drawn.lines]
    hand = lines[table.rows - 6 : table.rows - 2]
    heights = {card: row for row, line in enumerate(hand) for card in CARD.findall(line)}
    raised = {card for card, row in heights.items() if row == min(heights.values())}
    assert raised == {spot.value for spot in drawn.spots}
    assert raised == set(legal(pages.viewpoint, position))
    assert re.search("║ *N5", "\n".join(lines))


def test_a_trick_told_in_cards():
    """Who leads, who won with which card, what was taken, why."""
    pages = pages_of("two-goblins")
    board = Board(pages, 80, 21)
    text = "\n".join(text_of(line) for line in board.draw(pages.viewpoint.at(1)).lines)
    assert "║G0+ ║ wins" in text
    assert "takes X4" in text
    assert "│ G0 │ draws D0" in text
    assert "+◆1 Anna Keller" in text
    assert "│ X4 ││ 24 │" in text
    assert "Anna Keller won and leads trick 2." in text
    assert "Unseen by Anna Keller" in text
    text = "\n".join(text_of(line) for line in board.draw(pages.viewpoint.at(10, 0)).lines)
    assert "Won by an Automaton." in text
