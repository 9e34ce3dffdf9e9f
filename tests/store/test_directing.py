"""Directing an event: its acts are in the ledger, and every answer about it agrees with them."""

from __future__ import annotations

import base64
import json
import re
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pytest

from claimlog.directing import acts
from claimlog.directing.board import LeftPlay
from claimlog.directing.counting import DEFAULT
from claimlog.directing.model import Bye, Entrant, Plan, Points, Table, TableResult
from claimlog.directing.overruled import Overruled
from claimlog.directing.pairing.pair import pair
from claimlog.store import Archive, ArchiveError, BadQuery, Filter, NotFound, RevisionChanged
from claimlog.store.questions import desks
from claimlog.web.publish import site

from .test_chain import bring
from .test_people import short

WON = TableResult(result="1-0", votes=(3, 2))
DATA = Path(__file__).parents[2] / "data"
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed")


def begun(archive: Archive, plan: Plan | None = None) -> None:
    """Five players in the first round of a cup."""
    archive.create_event("Spring Cup", plan, by="Ruth")
    archive.enter("Spring Cup", [Entrant(name=name) for name in NAMES], by="Ruth")
    tables = tuple(Table(number=n, players=(2 * n - 1, 2 * n)) for n in (1, 2))
    paired = acts.Paired(round=1, tables=tables, byes=(Bye(entrant=5),))
    archive.direct("Spring Cup", paired, by="Ruth")
    archive.direct("Spring Cup", acts.Started(round=1), by="Ruth")


def typed(table: int, result: TableResult | None = WON) -> acts.ResultTyped:
    return acts.ResultTyped(round=1, table=table, result=result)


def points(archive: Archive) -> dict[str, float]:
    """The standings, after comparing them with all other answers that have points."""
    standings = archive.standings("spring cup")
    of_lines = {line.name: line.points for line in standings.lines}
    table = archive.crosstable("spring cup")
    assert {row.name: row.points for row in table.rows} == of_lines
    ranks = {line.name: line.points[-1] for line in archive.ranks("spring cup").lines}
    assert {name: ranks.get(name, 0) for name in of_lines} == of_lines
    page = archive.event_in_full("spring cup", most=9, games=9)
    assert page.standings.lines == standings.lines
    return of_lines


def test_all_answers_about_an_event_agree(archive: Archive) -> None:
    begun(archive)
    assert points(archive) == {"Ann": 0, "Bo": 0, "Cy": 0, "Di": 0, "Ed": 1}
    archive.direct("Spring Cup", typed(1), by="Flo")
    archive.store(short("Spring Cup", 1, "1-0", "Di", "Cy", Table="2"))
    bring(archive)
    assert points(archive) == {"Ann": 1, "Bo": 0, "Cy": 0, "Di": 1, "Ed": 1}
    (round,) = archive.desk("Spring Cup").rounds
    assert [(table.source, table.game is None) for table in round.tables] == [
        ("typed", True),
        ("record", False),
    ]
    # The director's result counts; statistics of play have only what was played.
    half = TableResult(result="1/2-1/2")
    archive.direct("Spring Cup", acts.Corrected(round=1, table=2, result=half), by="Ruth")
    assert points(archive) == {"Ann": 1, "Bo": 0, "Cy": 0.5, "Di": 0.5, "Ed": 1}
    assert archive.desk("Spring Cup").rounds[0].tables[1].differs
    assert archive.count() == 1
    assert {row.name for row in archive.players().players} == {"Cy", "Di"}


def test_who_was_entered_is_merged_before_there_is_a_game(archive: Archive) -> None:
    archive.create_event("Spring Cup", by="Ruth")
    archive.enter("Spring Cup", [Entrant(name=name) for name in ("Ana Keler", "Bo")], by="Ruth")
    archive.store(short("Winter Cup", 1, "1-0", "Anna Keller", "Cy"))
    bring(archive)
    merge = archive.merge_players("ana keler", "Anna Keller", by="Ruth")
    assert merge.alias_name == "Ana Keler"
    assert merge.player == archive.player("Anna Keller").player.id
    names = {line.player: line.name for line in archive.standings("Spring Cup").lines}
    assert merge.player in names
    with pytest.raises(ArchiveError, match="merged"):
        archive.merge_players("Ana Keler", "Bo", by="Ruth")
    archive.split_player("Ana Keler", by="Ruth")
    archive.merge_players("Anna Keller", "Ana Keler", by="Ruth")
    with pytest.raises(NotFound):
        archive.merge_players("Zoe", "Bo", by="Ruth")


def test_an_event_is_listed_before_there_is_a_game(archive: Archive) -> None:
    assert archive.events().events == []
    begun(archive)
    archive.store(short("Winter Cup", 1, "1-0", "Ann", "Bo"))
    bring(archive)
    page = archive.events(sort="name", total=True)
    assert [(one.name, one.games, one.players, one.rounds) for one in page.events] == [
        ("Spring Cup", 0, 5, 1),
        ("Winter Cup", 1, 2, 1),
    ]
    assert page.total == 2
    assert page.events[0].id == archive.desk("Spring Cup").event
    assert [one.name for one in archive.events(search="spring").events] == ["Spring Cup"]
    assert [one.name for one in archive.events(Filter(player="Ann")).events] == ["Winter Cup"]
    first = archive.events(limit=1, sort="name")
    assert [
        one.name for one in archive.events(limit=1, sort="name", cursor=first.cursor).events
    ] == ["Winter Cup"]
    archive.store(short("Spring Cup", 1, "1-0", "Di", "Cy", Table="2"))
    bring(archive)
    assert [one.games for one in archive.events(search="spring").events] == [1]


def spelled(archive: Archive) -> None:
    """An event that has begun, with a game in which Cy has another name."""
    begun(archive)
    archive.store(short("Spring Cup", 1, "1-0", "Di", "Cye", Table="2"))
    bring(archive)
    archive.direct("Spring Cup", acts.Spelled(entrant=3, name="Cye"), by="Ruth")


def test_players_and_rounds_are_those_of_the_desk_games_and_their_rounds_those_recorded(
    archive: Archive,
) -> None:
    spelled(archive)
    archive.direct("Spring Cup", typed(1), by="Ruth")
    archive.direct("Spring Cup", acts.Closed(round=1), by="Ruth")
    second = acts.Paired(round=2, tables=(Table(number=1, players=(1, 3)),), byes=(Bye(entrant=5),))
    archive.direct("Spring Cup", second, by="Ruth")
    archive.direct("Spring Cup", acts.Started(round=2), by="Ruth")
    archive.direct("Spring Cup", msgspec.structs.replace(typed(1), round=2), by="Ruth")
    page = archive.event_in_full("Spring Cup", most=9, games=9)
    for row in (archive.event("Spring Cup"), archive.events().events[0], page.event):
        assert (row.players, row.rounds, row.games) == (5, 2, 1)
    for sort in ("players", "rounds"):
        assert [row.name for row in archive.events(sort=sort).events] == ["Spring Cup"]
    recorded = {one.round: one.games for one in archive.rounds("Spring Cup")}
    assert page.rounds == recorded == {"1": 1}
    assert len(page.games) == 1


def test_a_game_under_another_name_is_on_the_published_page_of_its_player(
    archive: Archive,
) -> None:
    spelled(archive)
    page = archive.event_in_full("Spring Cup", most=9, games=9)
    board, (row,) = archive.desk("Spring Cup"), page.games
    files = dict(site(page, [(row, "")], board, archive.places("Spring Cup"), {}, language="en"))
    cy = next(line.player for line in page.standings.lines if line.name == "Cy")
    assert b"Cye" in files[f"players/{cy}.html"]
    assert f"../players/{cy}.html".encode() in files["rounds/1.html"]
    assert f'"players/{cy}.html">Cye'.encode() in files["index.html"]


def test_results_may_come_while_a_round_is_paired(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes seconds with hundreds of entrants; only another pairing is in the way."""
    begun(archive)
    archive.direct("Spring Cup", acts.Planned(plan=Plan(system="casual")), by="Ruth")

    def meanwhile(act: acts.Act) -> None:
        def slow(*arguments: Any) -> Any:
            archive.direct("Spring Cup", act, by="Flo")
            return pair(*arguments)

        monkeypatch.setattr(desks, "pair", slow)

    meanwhile(typed(1))
    paired = archive.pair_round("Spring Cup", by="Ruth").desk
    assert paired.rounds[1].state == "paired"
    assert paired.rounds[0].tables[0].result == WON
    meanwhile(acts.Exchanged(round=2, entrants=(1, 2)))
    with pytest.raises(RevisionChanged, match="changed meanwhile, by Flo"):
        archive.pair_round("Spring Cup", by="Ruth")


def test_players_who_met_at_a_desk_are_two_people(archive: Archive) -> None:
    archive.store(short("Winter Cup", 1, "1-0", "Anna", "Bo"))
    bring(archive)
    begun(archive)
    with pytest.raises(ArchiveError, match=r"^they met in round 1 of Spring Cup, and nobody plays"):
        archive.merge_players("Bo", "Ann", by="Ruth")
    archive.merge_players("Bo", "Cy", by="Ruth")
    with pytest.raises(ArchiveError, match=r"^they met in round 1"):
        archive.merge_players("Ann", "Cy", by="Ruth")


def test_an_entrant_goes_before_a_player_with_a_similar_name(archive: Archive) -> None:
    archive.store(short("Winter Cup", 1, "1-0", "Anne", "Bert"))
    bring(archive)
    archive.create_event("Spring Cup", by="Ruth")
    archive.enter("Spring Cup", [Entrant(name="Ann"), Entrant(name="Ber")], by="Ruth")
    merge = archive.merge_players("Anne", "Ann", by="Ruth")
    assert (merge.alias_name, merge.player_name) == ("Anne", "Ann")
    merge = archive.merge_players("Ber", "bert", by="Ruth")
    assert (merge.alias_name, merge.player_name) == ("Ber", "Bert")


@pytest.mark.needs("openskill")
def test_ratings_and_places_are_those_of_all_results(archive: Archive) -> None:
    begun(archive)
    archive.direct("Spring Cup", typed(1), by="Flo")
    archive.store(short("Spring Cup", 1, "1-0", "Di", "Cy", Table="2"))
    bring(archive)
    ratings = {one.player: one.rating for one in archive.ratings()}
    assert ratings["Ann"] == ratings["Di"] > 25 > ratings["Bo"] == ratings["Cy"]
    assert "Ed" not in ratings  # a bye is not a game
    assert [step.rating for step in archive.rating_history("Di")] == [ratings["Di"]]
    ranking = archive.places("Spring Cup")
    assert {line.name for line in ranking.lines if line.points == 1} == {"Ann", "Di", "Ed"}
    assert next(one.worded() for one in archive.place_reasons("Spring Cup", "Bo")).startswith(
        "behind Ann by points: 0 to 1"
    )
    lost = acts.Corrected(round=1, table=1, result=TableResult(result="0-1"))
    archive.direct("Spring Cup", lost, by="Ruth")
    after = {one.player: one.rating for one in archive.ratings()}
    assert (after["Ann"], after["Bo"]) == (ratings["Bo"], ratings["Ann"])


@pytest.mark.parametrize("system", ["groups", "knock-out"])
def test_a_corrected_rating_moves_nobody_in_the_bracket(archive: Archive, system: Any) -> None:
    """Nor an earlier bye, which was asked for; undone steps are as if they had not been."""
    archive.create_event("Cup", Plan(system=system, decks=("GKUWX",)), by="Ruth")
    rated = [Entrant(name=name, rating=20 - n) for n, name in enumerate((*NAMES, "Fa", "Gus"))]
    archive.enter("Cup", rated, by="Ruth")
    archive.direct("Cup", acts.AskedForBye(entrant=1, round=1, kind="half"), by="Ruth")
    board = archive.pair_round("Cup", by="Ruth").desk
    assert board.seeding == tuple(range(1, 8))
    archive.start_round("Cup", 1, by="Ruth")
    for table in board.rounds[0].tables:
        archive.direct("Cup", typed(table.number, TableResult(result="1-0")), by="Ruth")
    archive.close_round("Cup", 1, by="Ruth")
    wanted = archive.pair_round("Cup", by="Ruth").desk.rounds[1]
    archive.undo_act("Cup", by="Ruth")
    for one in board.entrants:
        better = msgspec.structs.replace(one, rating=None if one.number == 1 else 9000)
        archive.direct("Cup", acts.Changed(entrant=better), by="Ruth")
        again = archive.pair_round("Cup", by="Ruth").desk
        assert again.seeding == board.seeding
        pairs = [
            {frozenset(table.players) for table in r.tables} for r in (wanted, again.rounds[1])
        ]
        assert pairs[0] == pairs[1], one.number
        archive.undo_act("Cup", by="Ruth")
        archive.undo_act("Cup", by="Ruth")


def test_a_knock_out_goes_on_after_a_round_of_byes_only(archive: Archive) -> None:
    """All opponents have withdrawn."""
    archive.create_event("Cup", Plan(system="knock-out", decks=("GKUWX",)), by="Ruth")
    archive.enter("Cup", [Entrant(name=name) for name in (*NAMES, "Fa", "Gus", "Hal")], by="Ruth")
    board = archive.pair_round("Cup", by="Ruth").desk
    archive.start_round("Cup", 1, by="Ruth")
    for table in board.rounds[0].tables:
        won = acts.ResultTyped(round=1, table=table.number, result=TableResult(result="1-0"))
        archive.direct("Cup", won, by="Ruth")
    archive.close_round("Cup", 1, by="Ruth")
    tables = archive.pair_round("Cup", by="Ruth").desk.rounds[1].tables
    for table in tables:
        archive.direct("Cup", acts.Withdrew(entrant=table.players[0], round=2), by="Ruth")
    second = archive.pair_round("Cup", by="Ruth").desk.rounds[1]
    assert not second.tables
    archive.start_round("Cup", 2, by="Ruth")
    archive.close_round("Cup", 2, by="Ruth")
    (final,) = archive.pair_round("Cup", by="Ruth").desk.rounds[2].tables
    assert set(final.players) == {table.players[1] for table in tables}
    assert archive.event_in_full("Cup", most=9, games=9).standings.lines


def test_a_newer_result_matters_only_to_the_knock_out_of_the_groups(archive: Archive) -> None:
    """The rounds within the groups are fixed from the start."""
    archive.create_event("Cup", Plan(system="groups", advance=1, decks=("GKUWX",)), by="Ruth")
    archive.enter("Cup", [Entrant(name=name) for name in (*NAMES, "Fa", "Gus", "Hal")], by="Ruth")
    for round in range(1, 4):
        for table in archive.pair_round("Cup", by="Ruth").desk.rounds[-1].tables:
            result = "1-0" if table.players[0] < table.players[1] else "0-1"
            now = acts.ResultTyped(
                round=round, table=table.number, result=TableResult(result=result)
            )
            if table.number == 1:
                archive.start_round("Cup", round, by="Ruth")
            archive.direct("Cup", now, by="Ruth")
        archive.close_round("Cup", round, by="Ruth")
        archive.pair_round("Cup", by="Ruth")
        again = acts.Corrected(round=round, table=1, result=TableResult(result="0-1"))
        archive.direct("Cup", again, by="Ruth")
        told = [one.key for one in archive.pairing_remarks("Cup", round + 1)]
        assert told == (["remark.overtaken"] if round == 3 else [])


def test_groups_go_on_after_a_round_in_which_everybody_asked_for_a_bye(archive: Archive) -> None:
    archive.create_event("Cup", Plan(system="groups", decks=("GKUWX",)), by="Ruth")
    archive.enter("Cup", [Entrant(name=name) for name in (*NAMES, "Fa", "Gus", "Hal")], by="Ruth")
    for entrant in range(1, 9):
        archive.direct("Cup", acts.AskedForBye(entrant=entrant, round=1, kind="half"), by="Ruth")
    first = archive.pair_round("Cup", by="Ruth").desk.rounds[0]
    assert (len(first.tables), len(first.byes)) == (0, 8)
    archive.start_round("Cup", 1, by="Ruth")
    archive.close_round("Cup", 1, by="Ruth")
    assert len(archive.pair_round("Cup", by="Ruth").desk.rounds[1].tables) == 4
    lines = archive.event_in_full("Cup", most=9, games=9).standings.lines
    assert {line.points for line in lines} == {0.5}


@pytest.mark.needs("openskill")
def test_everybody_who_is_rated_has_a_history(archive: Archive) -> None:
    """Also players of whom there are only results entered at the desk, by id or name."""
    begun(archive)
    archive.direct("Spring Cup", typed(1), by="Flo")
    archive.direct("Spring Cup", typed(2), by="Flo")
    archive.store(short("Other", 1, "1-0", "Bob", "Cy"))
    bring(archive)
    rated = archive.ratings()
    assert {one.player for one in rated} == {"Ann", "Bo", "Bob", "Cy", "Di"}
    assert {one.player for one in rated if one.recorded} == {"Bob", "Cy"}
    for one in rated:
        for text in (one.id, one.id.upper(), one.player, one.player.upper()):
            assert archive.rating_history(text)[-1].rating == one.rating, text
    assert archive.rating_history("An") == archive.rating_history("Ann")
    assert archive.rating_history("Ed") == []  # who has only had a bye
    with pytest.raises(NotFound):
        archive.rating_history("Xaver")
    archive.merge_players("Di", "Bob", by="Ruth")
    assert archive.rating_history("Di") == archive.rating_history("Bob")
    assert len(archive.rating_history("Bob")) == 2


@pytest.mark.needs("openskill")
def test_games_are_rated_in_the_order_of_streaks(archive: Archive) -> None:
    """By the first day that a date may mean; games without a year come first."""
    dates = ["2025-12-31", "2025-??-??", "????-??-??", "2025-03-01", "", "????-12-31", "2024-12-31"]
    for number, date in enumerate(dates):
        dated = {"Date": date} if date else {}
        archive.store(short("Cup", number, "1-0", "Ann", "Bo", **dated))
    archive.store(short("Cup", 9, "0-1", "Ann", "Bo", Date="2025-??-??"))
    bring(archive)
    steps = archive.rating_history("Ann")
    days = ["2024-12-31", "2025-??-??", "2025-??-??", "2025-03-01", "2025-12-31"]
    assert [step.day for step in steps] == ["", "", "", *days]
    won = archive.streaks("Ann").won
    assert won is not None
    assert (won.first, won.last) == (steps[0].game, steps[4].game)


@pytest.mark.needs("openskill")
def test_rounds_are_rated_in_order_however_records_spell_the_event(archive: Archive) -> None:
    begun(archive)
    archive.direct("Spring Cup", typed(1), by="Flo")
    at = archive.desk("Spring Cup").rounds[0].tables[0].at
    assert at is not None
    for round, event in ((2, "SPRING CUP"), (3, "spring cup"), (4, "Spring  cup")):
        archive.store(short(event, round, "1-0", "Bo", "Ann", Date=f"{at:%Y-%m-%d}"))
    bring(archive)
    steps = archive.rating_history("Ann")
    assert [step.round for step in steps] == ["1", "2", "3", "4"]
    assert len({step.event for step in steps}) == 1


@pytest.mark.needs("openskill")
@pytest.mark.parametrize("directed", [False, True])
def test_nobody_is_rated_for_a_game_that_was_not_played(archive: Archive, directed: bool) -> None:
    if directed:
        begun(archive)
    for table, (names, end) in enumerate(
        [(("Ann", "Bo"), "forfeit"), (("Cy", "Di"), "unrecorded"), (("Ed",), "bye")], 1
    ):
        head = f'[Event "Spring Cup"]\n[Round "1"]\n[Table "{table}"]\n[Termination "{end}"]\n'
        players = "".join(f'[Player{n} "{name}"]\n' for n, name in enumerate(names, 1))
        result = "1-0" if len(names) == 2 else "1"
        archive.store(f'{head}{players}[Result "{result}"]\n\n{result}\n')
    bring(archive)
    assert {one.player: one.games for one in archive.ratings()} == {"Cy": 1, "Di": 1}
    assert archive.rating_history("Ann") == []
    if directed:  # a result that the director enters says that they have played
        won = acts.Corrected(round=1, table=1, result=WON)
        archive.direct("Spring Cup", won, by="Ruth")
        assert {one.player for one in archive.ratings()} == {"Ann", "Bo", "Cy", "Di"}
        (step,) = archive.rating_history("Ann")
        assert step.game == archive.games(Filter(termination="forfeit")).games[0].id


def test_a_forfeit_or_bye_is_in_no_streak_and_no_performance(archive: Archive) -> None:
    rated = {"Rating1": "1500", "Rating2": "1600"}
    archive.store(short("Cup", 1, "1-0", "Ann", "Bo", Date="2026-01-01", **rated))
    archive.store(short("Cup", 3, "1-0", "Ann", "Bo", Date="2026-01-03", **rated))
    played = archive.streaks("Ann"), archive.performance("Ann")
    for round, result in ((2, "0-1"), (4, "0-1"), (5, "1-0")):
        game = short("Cup", round, result, "Ann", "Bo", Date=f"2026-01-0{round}", **rated)
        archive.store(game.replace("resignation", "forfeit"))
    archive.store('[Round "6"]\n[Player1 "Ann"]\n[Termination "bye"]\n[Result "1"]\n\n1\n')
    bring(archive)
    assert (archive.streaks("Ann"), archive.performance("Ann")) == played
    assert played[0].games == played[1].games == 2
    # The points of results and standings have them.
    assert archive.player("Ann").player.result.count == 6


@pytest.mark.needs("openskill")
def test_a_game_that_was_given_up_after_some_tricks_is_rated(archive: Archive) -> None:
    record = (DATA / "sample.clm").read_text(encoding="utf-8")
    stopped = record[: record.index("\n5.")].replace('[Result "0-1"]', '[Termination "forfeit"]')
    archive.store(f"{stopped}\n0-1\n")
    bring(archive)
    assert [one.games for one in archive.ratings()] == [1, 1]


def test_standings_as_of_a_moment_are_those_of_the_desk_then(archive: Archive) -> None:
    archive.store(short("Spring Cup", 1, "1-0", "Di", "Cy", Table="2"))
    bring(archive)
    moments = [datetime.now(UTC)]
    begun(archive, Plan(tiebreaks=("points", "wins")))
    moments.append(datetime.now(UTC))
    archive.direct("Spring Cup", typed(1), by="Flo")
    moments.append(datetime.now(UTC))
    draw = TableResult(result="1/2-1/2")
    archive.direct("Spring Cup", acts.Corrected(round=1, table=1, result=draw), by="Ruth")
    archive.direct("Spring Cup", acts.Planned(plan=Plan(points=Points(win=3, bye=2))), by="Ruth")
    (game,) = archive.games(Filter(event="Spring Cup")).games
    archive.correct(game.id, short("Spring Cup", 1, "0-1", "Di", "Cy"), by="Ruth", why="a slip")
    bring(archive)
    moments.append(datetime.now(UTC))
    archive.undo_act("Spring Cup", by="Ruth")
    expected = [
        {"Di": 1, "Cy": 0},  # the records alone
        {"Ann": 0, "Bo": 0, "Cy": 0, "Di": 1, "Ed": 1},
        {"Ann": 1, "Bo": 0, "Cy": 0, "Di": 1, "Ed": 1},
        {"Ann": 1.5, "Bo": 1.5, "Cy": 3, "Di": 0, "Ed": 2},
    ]
    for moment, known in zip(moments, expected, strict=True):
        standings = archive.standings("Spring Cup", known_at=moment)
        assert {line.name: line.points for line in standings.lines} == known
        rows = archive.crosstable("Spring Cup", known_at=moment).rows
        assert {row.name: row.points for row in rows} == known
    assert points(archive) == {"Ann": 0.5, "Bo": 0.5, "Cy": 1, "Di": 0, "Ed": 1}
    orders = [archive.standings("Spring Cup", known_at=one).tiebreaks for one in moments]
    assert orders == [DEFAULT, ["points", "wins"], ["points", "wins"], DEFAULT]
    # Filters are about records.
    standings = archive.standings("Spring Cup", Filter(deck="GKUWX"), known_at=moments[2])
    assert {line.name: line.points for line in standings.lines} == {"Di": 1, "Cy": 0}


def test_standings_up_to_a_day_have_the_rounds_begun_by_then(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    def on(day: int) -> None:
        moment = datetime(2026, 11, day, 23, 59)
        monkeypatch.setattr("claimlog.store.ledger.acts.now", lambda: moment)

    on(13)
    begun(archive)
    on(14)
    archive.direct("Spring Cup", typed(1), by="Flo")
    archive.store(short("Spring Cup", 1, "1-0", "Di", "Cy", Table="2", Date="2026-11-13"))
    bring(archive)
    on(15)
    draw = TableResult(result="1/2-1/2")
    archive.direct("Spring Cup", acts.Corrected(round=1, table=1, result=draw), by="Ruth")
    archive.direct("Spring Cup", acts.Closed(round=1), by="Ruth")
    paired = acts.Paired(round=2, tables=(Table(number=1, players=(5, 1)),), byes=())
    archive.direct("Spring Cup", paired, by="Ruth")
    archive.direct("Spring Cup", acts.Started(round=2), by="Ruth")
    archive.enter("Spring Cup", [Entrant(name="Fay")], by="Ruth")
    archive.direct("Spring Cup", acts.ResultTyped(round=2, table=1, result=WON), by="Flo")

    def until(day: str, **how: Any) -> tuple[dict[str, float], int, int]:
        found = archive.standings("Spring Cup", until=day, **how)
        also = archive.standings("Spring Cup", Filter(until=day), until=day, **how)
        assert also == found
        return (
            {line.name: line.points for line in found.lines}, found.games, found.unfinished
        )  # fmt: skip

    assert until("2026-11-12") == ({}, 0, 0)
    first = {"Ann": 0, "Bo": 0, "Cy": 0, "Di": 1, "Ed": 1}
    assert until("2026-11-13") == (first, 2, 1)
    assert until("2026-11-14") == (first | {"Ann": 0.5, "Bo": 0.5}, 3, 0)
    both = first | {"Ann": 0.5, "Bo": 0.5, "Ed": 2}
    assert until("2026-11") == (both, 4, 0)
    assert until("2026", until_round="1") == (first | {"Ann": 0.5, "Bo": 0.5}, 3, 0)
    assert until("2026-11-14", until_round="2") == until("2026-11-14")
    with pytest.raises(BadQuery):
        archive.standings("Spring Cup", until="2026-11-14", until_round="3")
    rows = archive.crosstable("Spring Cup", until="2026-11-14").rows
    assert {row.name: row.points for row in rows} == first | {"Ann": 0.5, "Bo": 0.5}


def test_a_round_with_a_game_of_that_day_is_in_standings_up_to_it(archive: Archive) -> None:
    begun(archive)
    archive.direct("Spring Cup", typed(1), by="Flo")
    archive.store(short("Spring Cup", 1, "1-0", "Di", "Cy", Table="2", Date="2020-11-13"))
    bring(archive)
    lines = archive.standings("Spring Cup", until="2020-11-13").lines
    assert {line.name: line.points for line in lines} == {
        "Ann": 0, "Bo": 0, "Cy": 0, "Di": 1, "Ed": 1
    }  # fmt: skip
    assert archive.standings("Spring Cup", until="2020-11-12").lines == []


def test_points_of_its_own(archive: Archive) -> None:
    begun(archive, Plan(points=Points(win=3, draw=1, bye=2)))
    archive.direct("Spring Cup", typed(1, TableResult(result="1/2-1/2")), by="Ruth")
    archive.direct("Spring Cup", typed(2), by="Ruth")
    assert points(archive) == {"Ann": 1, "Bo": 1, "Cy": 3, "Di": 0, "Ed": 2}
    rows = archive.crosstable("Spring Cup").rows
    assert [(row.name, cell.points, cell.games) for row in rows for cell in row.cells] == [
        *(("Cy", 3, 1), ("Ann", 1, 1), ("Bo", 1, 1), ("Di", 0, 1))
    ]


@pytest.mark.parametrize("votes", [(3,), (3, 1, 1)])
def test_a_wrong_number_of_factions_from_before_counts_as_unknown(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, votes: tuple[int, ...]
) -> None:
    begun(archive)
    with monkeypatch.context() as before:
        before.setattr("claimlog.store.questions.desks.check", lambda *_: None)
        archive.direct("Spring Cup", typed(1, TableResult(result="1-0", votes=votes)), by="Flo")
    archive.direct("Spring Cup", typed(2), by="Flo")
    assert points(archive) == {"Ann": 1, "Bo": 0, "Cy": 1, "Di": 0, "Ed": 1}
    factions = {line.name: line.votes_for for line in archive.standings("Spring Cup").lines}
    assert factions == {"Ann": 0, "Bo": 0, "Cy": 3, "Di": 2, "Ed": 0}
    assert [line.name for line in archive.places("Spring Cup").lines][:2] == ["Cy", "Ann"]


def test_the_bye_of_a_team_counts_in_all_answers(archive: Archive) -> None:
    plan = Plan(system="round-robin", seats=4, fixed_teams=True)
    archive.create_event("Cup", plan, by="Ruth")
    entrants = [Entrant(name=name, team=name[0]) for name in ("A1", "A2", "B1", "B2", "C1", "C2")]
    archive.enter("Cup", entrants, by="Ruth")
    archive.pair_round("Cup", by="Ruth")
    archive.direct("Cup", acts.Started(round=1), by="Ruth")
    archive.direct("Cup", typed(1), by="Ruth")
    places = {line.name: line.points for line in archive.places("Cup").lines}
    assert places == {"A1 & A2": 1, "B1 & B2": 1, "C1 & C2": 0}
    teams = archive.team_standings("Cup")
    assert {" & ".join(sorted(line.names)): line.points for line in teams.lines} == places
    assert (teams.games, teams.unfinished) == (2, 0)
    assert archive.event_in_full("Cup", most=9, games=9).teams == teams
    met = [
        (row.names, row.points, [(cell.opponents, cell.points) for cell in row.cells])
        for row in archive.team_crosstable("Cup").rows
    ]
    ids = {tuple(line.names): line.players for line in teams.lines}
    assert sorted(met) == [
        (["A1", "A2"], 1, []),
        (["B1", "B2"], 1, [(ids["C1", "C2"], 1)]),
        (["C1", "C2"], 0, [(ids["B1", "B2"], 0)]),
    ]


def test_the_tie_breaks_are_those_of_the_plan(archive: Archive) -> None:
    archive.store(short("Spring Cup", 9, "1-0", "Fay", "Gil"))
    bring(archive)
    archive.set_tiebreaks("Spring Cup", ["votes"], by="Ruth")
    begun(archive)
    for tiebreaks in ((), ("wins", "points"), ("points", "votes")):
        plan = Plan(tiebreaks=tiebreaks)
        archive.direct("Spring Cup", acts.Planned(plan=plan), by="Ruth")
        order = list(archive.places("Spring Cup").tiebreaks)
        assert order == list(tiebreaks or DEFAULT)
        assert archive.standings("Spring Cup").tiebreaks == order
        assert archive.ranks("Spring Cup").tiebreaks == order
        assert archive.event("Spring Cup").tiebreaks == order
    with pytest.raises(ArchiveError, match="claimlog event plan --tiebreaks"):
        archive.set_tiebreaks("Spring Cup", ["wins"], by="Ruth")
    assert archive.standings("Spring Cup").tiebreaks == order


def test_who_enters_later_is_in_no_answer_about_earlier_rounds(archive: Archive) -> None:
    order = ("points", "vote-difference")
    archive.create_event("Cup", Plan(system="by-hand", tiebreaks=order), by="Ruth")  # type: ignore[arg-type]
    for round, names in enumerate((("La", "Lb"), ("Lc", "Ld")), 1):
        archive.enter("Cup", [Entrant(name=name) for name in names], by="Ruth")
        tables = [Table(number=k, players=(2 * k - 1, 2 * k)) for k in range(1, round + 1)]
        archive.direct("Cup", acts.Paired(round=round, tables=tuple(tables)), by="Ruth")
        archive.direct("Cup", acts.Started(round=round), by="Ruth")
        if round == 1:
            won = TableResult(result="1-0", votes=(5, 0))
            archive.direct("Cup", typed(1, won), by="Ruth")
            archive.direct("Cup", acts.Closed(round=1), by="Ruth")
    for round, ranks in (
        (1, [(1, "La"), (2, "Lb")]),
        (2, [(1, "La"), (2, "Lc"), (2, "Ld"), (4, "Lb")]),
    ):
        standings = archive.standings("Cup", until_round=str(round))
        assert [(line.rank, line.name) for line in standings.lines] == ranks
        assert [
            (line.rank, line.name) for line in archive.places("Cup", round=round).lines
        ] == ranks
    after = {line.name: line.ranks for line in archive.ranks("Cup").lines}
    assert after == {"La": [1, 1], "Lb": [2, 4], "Lc": [None, 2], "Ld": [None, 2]}


@pytest.mark.parametrize("recorded", [False, True])
def test_a_forfeit_adds_nothing_to_buchholz_and_sonneborn_berger(
    archive: Archive, recorded: bool
) -> None:
    plan = Plan(
        tiebreaks=("points", "buchholz", "sonneborn-berger"),
        points=Points(win=3, forfeit=0.5, bye=1),
    )
    begun(archive, plan)
    if recorded:
        tags = 'Event "Spring Cup"', 'Round "1"', 'Player1 "Bo"', 'Player2 "Ann"'
        head = "".join(f"[{tag}]\n" for tag in (*tags, 'Termination "forfeit"', 'Result "0-1"'))
        assert archive.store(f"{head}\n0-1\n").status == "stored"
    else:
        archive.direct("Spring Cup", typed(1, TableResult(result="1-0", forfeit=(2,))), by="Ruth")
    archive.direct("Spring Cup", typed(2, TableResult(result="1/2-1/2")), by="Flo")
    values = {line.name: line.values for line in archive.standings("Spring Cup").lines}
    assert values == {
        "Ann": [3, 0, 0], "Bo": [0.5, 0, 0], "Cy": [1.5, 1.5, 0.75], "Di": [1.5, 1.5, 0.75],
        "Ed": [1, 0, 0],
    }  # fmt: skip
    assert archive.desk("Spring Cup").rounds[0].tables[0].result.forfeit == (2,)  # type: ignore[union-attr]
    reasons = archive.place_reasons("Spring Cup", "Cy")
    assert [one.tiebreak for one in reasons] == ["points", None, "points"]


def test_what_cannot_be_done_leaves_nothing(archive: Archive) -> None:
    with pytest.raises(NotFound, match="there is no event"):
        archive.desk("Spring Cup")
    archive.store(short("Autumn Cup", 1, "1-0", "Ann", "Bo"))
    bring(archive)
    with pytest.raises(NotFound, match="is not directed here"):
        archive.desk("Autumn Cup")
    begun(archive)
    before = archive.desk("Spring Cup")
    with pytest.raises(ArchiveError, match="is directed here already"):
        archive.create_event("spring  cup", by="Ruth")
    with pytest.raises(ArchiveError, match="ann is entered already"):
        archive.enter("Spring Cup", [Entrant(name="ann")], by="Ruth")
    with pytest.raises(ArchiveError, match="without a result, at tables 1, 2"):
        archive.close_round("Spring Cup", 1, by="Ruth")
    with pytest.raises(RevisionChanged):
        archive.direct("Spring Cup", typed(1), by="Ruth", expected=before.act - 1)
    assert archive.desk("Spring Cup") == before
    closed = archive.close_round("Spring Cup", 1, by="Ruth", adjourn=True)
    assert closed.rounds[0].adjourned == (1, 2)


def test_what_a_scorer_left_to_the_director_is_asked_until_it_is_decided(archive: Archive) -> None:
    begun(archive)
    game = short("Spring Cup", 1, "1-0", "Di", "Cy", Table="2")
    head, _, _ = game.partition("\n\n")
    moves = "1. U7: G5+ W8^ {[%director]}\n2. X3: U4+ G9\n1-0\n"
    stored = archive.store(f"{head}\n\n{moves}")
    bring(archive)
    ((_, table),) = archive.desk("Spring Cup").asking
    assert table.asked == (LeftPlay(trick=1, entrant=3, card="W8"),)
    assert stored.id == table.game

    def published() -> str:
        page = archive.event_in_full("Spring Cup", most=9, games=9)
        board, record = archive.desk("Spring Cup"), archive.game(stored.id or "").record
        ranking = archive.places("Spring Cup")
        files = site(page, [(page.games[0], record)], board, ranking, {}, language="en")
        return dict(files)[f"games/{stored.id}.html"].decode()

    assert "marked ^, and left to the director" in published()
    stands = acts.Stands(round=1, table=2, game=table.game)
    assert archive.direct("Spring Cup", stands, by="Ruth").asking == []
    assert "marked ^, the director let it stand" in published()
    assert "left to the director" not in published()
    with pytest.raises(ArchiveError, match="nothing in the game of table 2 is left"):
        archive.direct("Spring Cup", stands, by="Ruth")
    (row,) = archive.games(Filter()).games
    assert archive.overruled([row]) == {}
    archive.direct("Spring Cup", acts.Corrected(round=1, table=2, result=WON), by="Ruth")
    assert archive.overruled([row]) == {row.id: Overruled(result="0-1", director=True)}


def test_the_published_page_of_a_game_names_the_result_that_counts(archive: Archive) -> None:
    begun(archive)
    head, _, _ = short("Spring Cup", 1, "1-0", "Di", "Cy", Table="2").partition("\n\n")
    record = f"{head}\n\n1. U7: G5+ W8\n1-0\n"
    archive.store(record)
    bring(archive)
    for act, counts in (
        (acts.Corrected(round=1, table=2, result=WON), True),
        (acts.Corrected(round=1, table=2, result=TableResult(result="0-1")), False),
    ):
        board = archive.direct("Spring Cup", act, by="Ruth")
        page = archive.event_in_full("Spring Cup", most=9, games=9)
        (row,) = page.games
        ranking = archive.places("Spring Cup")
        files = dict(site(page, [(row, record)], board, ranking, {}, language="en"))
        game = files[f"games/{row.id}.html"].decode()
        noted = "<dt>Counts in the event</dt><dd>director: 0-1</dd>"
        assert (noted in game) is counts
        assert ("<dt>Zählt im Turnier</dt><dd>Turnierleitung: 0-1</dd>" in game) is counts
        (data,) = re.findall('id="replay-data">([^<]*)<', game)
        about = json.loads(zlib.decompress(base64.b64decode(data)))["about"]
        assert (["Counts in the event", "director: 0-1"] in about["en"]["outcome"]) is counts


def test_a_forfeit_in_a_record_is_confirmed(archive: Archive) -> None:
    """As it is listed: 0-0 alone does not say that nobody came."""
    begun(archive)
    nobody = TableResult(result="0-0", forfeit=(1, 2))
    confirmed = acts.Confirmed(round=1, table=2, sides=(1, 2), result=nobody)
    game = short("Spring Cup", 1, "0-0", "Di", "Cy", Table="2")
    archive.store(game.replace("resignation", "forfeit"))
    bring(archive)
    alone = msgspec.structs.replace(confirmed, result=TableResult(result="0-0"))
    with pytest.raises(ArchiveError, match="only if nobody came"):
        archive.direct("Spring Cup", alone, by="Ruth")
    assert archive.direct("Spring Cup", confirmed, by="Ruth").rounds[0].tables[1].settled


def test_no_tie_break_is_planned_twice(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """An event of an older archive with such a plan still has standings."""
    twice = Plan(tiebreaks=("points", "points"))
    with pytest.raises(ArchiveError, match="each once"):
        archive.create_event("Spring Cup", twice, by="Ruth")
    begun(archive)
    with pytest.raises(ArchiveError, match="each once"):
        archive.direct("Spring Cup", acts.Planned(plan=twice), by="Ruth")
    with monkeypatch.context() as before:
        before.setattr("claimlog.store.questions.desks.check", lambda *_: None)
        archive.direct("Spring Cup", acts.Planned(plan=twice), by="Ruth")
    assert points(archive)["Ed"] == 1
    with pytest.raises(ArchiveError, match="each once"):
        archive.standings("Spring Cup", tiebreaks=["points", "points"])


def test_an_act_is_undone_and_its_trace_is_kept(archive: Archive) -> None:
    begun(archive)
    before = archive.desk("Spring Cup")
    archive.direct("Spring Cup", typed(1), by="Flo", why="heard it")
    after = archive.undo_act("Spring Cup", by="Ruth", why="a slip")
    assert (after.rounds, after.undoable) == (before.rounds, before.undoable)
    typing, undoing = archive.desk_acts("Spring Cup")[-2:]
    assert (typing.act, typing.by, typing.why) == (typed(1), "Flo", "heard it")
    assert (undoing.act, undoing.by) == (acts.Undone(number=typing.number), "Ruth")


def test_an_event_keeps_its_desk_under_another_name(archive: Archive) -> None:
    begun(archive)
    archive.rename_event("Spring Cup", "May Cup", by="Ruth")
    assert archive.desk("may cup").name == "May Cup"
    assert archive.desk("spring cup").event == archive.event("May Cup").id
    archive.store(short("May Cup", 1, "0-1", "Ann", "Bo"))
    bring(archive)
    assert archive.desk("May Cup").rounds[0].tables[0].source == "record"


@pytest.mark.only_file("reopens, copies and changes a file")
def test_it_is_there_after_all_that_is_done_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    with Archive.open(path) as archive:
        begun(archive)
        archive.direct("Spring Cup", typed(1), by="Flo")
        desk, entries = archive.desk("Spring Cup"), archive.desk_acts("Spring Cup")
        archive.rebuild()
        archive.compact()
        archive.backup(tmp_path / "copy.duckdb")
    for file in (path, tmp_path / "copy.duckdb"):
        with Archive.open(file, read_only=True) as archive:
            assert (archive.desk("Spring Cup"), archive.desk_acts("Spring Cup")) == (desk, entries)
            assert archive.check().good
    for change in (
        "UPDATE acts SET who = 'X' WHERE number = 2",
        "DELETE FROM acts WHERE number = 3",
    ):
        with duckdb.connect(path) as raw:
            raw.execute(change)
        with Archive.open(path, read_only=True) as archive:
            assert {fault.what for fault in archive.check().faults} == {"acts"}
