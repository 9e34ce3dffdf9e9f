"""Players and events."""

import threading
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from claimlog.game import Game as Played
from claimlog.store import Archive, ArchiveError, BadQuery, Conflict, Filter, NotFound
from claimlog.store.questions.games import write_cursor

from .conftest import take_in
from .naive import Game, Sum, sums

DATA = Path(__file__).parents[2] / "data"


def short(event: str, round: int, result: str, *names: str, **tags: str) -> str:
    """A game that ended early: only who, when and the result matter here."""
    deck = "GKUWX" if len(names) == 2 else "GKABDFS"
    lines = [f'[Event "{event}"]', f'[Round "{round}"]']
    lines += [f'[Player{seat} "{name}"]' for seat, name in enumerate(names, 1)]
    lines += [f'[Deck "{deck}"]', '[Termination "resignation"]']
    lines += [f'[{name} "{value}"]' for name, value in tags.items()]
    return "\n".join([*lines, f'[Result "{result}"]', "", result]) + "\n"


def player_id(archive: Archive, name: str) -> str:
    (row,) = archive.players(search=name).players
    return row.id


# Players -----------------------------------------------------------------------------------


def test_players_are_counted(full: Archive, replayed: list[Played]) -> None:
    games: Counter[str] = Counter()
    results = sums()
    for replay in replayed:
        game = Game(replay, "")
        for seat in range(1, game.seats + 1):
            who = game.who(seat)
            assert who
            games[who] += 1
            results[who].add(game.points(seat))
    for filter in (Filter(), Filter(since="2010")):
        rows = full.players(filter, limit=1000).players
        by_id = {next((n for n in r.names if n.startswith("id-")), r.name): r for r in rows}
        assert {who: row.games for who, row in by_id.items()} == dict(games)
        for who, row in by_id.items():
            assert results[who] == row.result


@pytest.mark.parametrize("sort", ["games", "name", "rate", "-rate", "low", "-low", "last"])
def test_pages_of_players_join_up(full: Archive, sort: str) -> None:
    whole = full.players(sort=sort, limit=1000).players  # type: ignore[arg-type]
    ids, cursor = [], None
    while True:
        page = full.players(sort=sort, limit=5, cursor=cursor)  # type: ignore[arg-type]
        ids += [row.id for row in page.players]
        cursor = page.cursor
        if cursor is None:
            break
    assert ids == [row.id for row in whole]


def test_equal_scores_are_equal_in_whatever_order_they_are_added(archive: Archive) -> None:
    """1 + 1/3 + 1/3 + 1/3 is not the same number as 1/3 + 1/3 + 1/3 + 1, but the same score."""
    shared = "1/3-1/3-1/3"
    ends = {"Ann": ["1-0-0", shared, shared, shared], "Bob": [shared, shared, shared, "1-0-0"]}
    games = [
        short(f"{name}'s", round, result, name, f"{name}'s friend", f"{name}'s mother")
        for name, results in ends.items()
        for round, result in enumerate(results, 1)
    ]
    take_in(archive, "\n".join(games))
    for sort in ("rate", "low"):
        rows = archive.players(sort=sort).players  # type: ignore[arg-type]
        assert {rows[0].name, rows[1].name} == {"Ann", "Bob"}
        assert rows[0].result == rows[1].result
        assert rows[0].result.rate == 0.5
    results = archive.result_stats("player").groups
    assert {row.result.rate for row in results if row.label in ends} == {0.5}


def test_a_profile(full: Archive, replayed: list[Played]) -> None:
    who = "Player Nr 4"
    id = next(r.id for r in full.players(search=who, limit=99).players if r.names == [who])
    seat_sums, opponents, partners, factions, won = sums(), sums(), sums(), sums(), sums()
    leading, early = Sum(), Sum()
    for replay in replayed:
        game = Game(replay, "")
        for seat in range(1, game.seats + 1):
            if game.who(seat) != who or not game.finished:
                continue
            points = game.points(seat)
            seat_sums[str(seat)].add(points)
            if replay.leader == seat:
                leading.add(points)
            last = {2: 13, 3: 12, 4: 9}[game.seats]
            trick = next(iter(game.tricks(last)), None)
            if trick and trick.winner == seat:
                early.add(points)
            for other in range(1, game.seats + 1):
                if other != seat:
                    same = (other - seat) % game.sides == 0
                    (partners if same else opponents)[game.who(other)].add(points)
            for letter in game.deck:
                factions[letter].add(points)
                if replay.score:
                    side = (seat - 1) % game.sides + 1
                    won[letter].add(replay.score.factions[letter].winner == side)
    profile = full.player(id)
    assert profile.player.name == who
    assert {entry.key for entry in profile.by_seat} == set(seat_sums)
    for entry in profile.by_seat:
        assert seat_sums[entry.key] == entry.result
    assert leading == profile.leading
    assert early == profile.phase1_won
    for entry in profile.with_faction:
        assert factions[entry.key] == entry.result
    for entry in profile.factions_won:
        assert won[entry.key] == entry.result
    assert sum(e.result.count for e in profile.opponents) == sum(
        s.count for s in opponents.values()
    )
    assert sum(e.result.count for e in profile.partners) == sum(s.count for s in partners.values())


def test_a_player_in_full_is_the_same_as_in_parts(full: Archive) -> None:
    for row in full.players(limit=1000).players:
        whole = full.player_in_full(row.id, games=3)
        assert whole.profile == full.player(row.id)
        assert whole.streaks == full.streaks(row.id)
        assert whole.performance == full.performance(row.id)
        assert whole.profile.player == row
        assert whole.games == full.games(Filter(player=row.id), sort="-date", limit=3).games


def test_the_row_of_a_profile_is_that_of_the_list(archive: Archive) -> None:
    """Also for aliases, and if dates are unknown or only partly known."""
    ends = ("1-0", "0-1", "1-0", "1/2-1/2", "*", "1-0")
    dates = ("2024-05-01", "????-03-02", "2023-??-??", "", "2022-01-01", "2025-01-01")
    text = "".join(
        short("E", n, end, who, "Bob", **({"Date": date} if date else {}), Rating1=str(1500 + n))
        for n, (end, date, who) in enumerate(zip(ends, dates, ("Ann", "Anne") * 3, strict=True))
    )
    take_in(archive, text + short("E", 9, "1-0", "Cleo", "Bob"))
    archive.merge_players("Anne", "Ann", by="Director")
    ann = Filter(player="Ann", seat=1)
    for filter in (Filter(), Filter(since="2024"), Filter(until="2023"), ann):
        rows = {row.id: row for row in archive.players(filter).players}
        assert rows
        for id, row in rows.items():
            assert archive.player(id, filter).player == row
    assert archive.player("Cleo", Filter(since="2024")).player.games == 0


def test_aliases(archive: Archive) -> None:
    take_in(
        archive,
        "\n".join(
            [
                short("E", 1, "1-0", "Ann", "Bob"),
                short("E", 2, "0-1", "Anne", "Bob"),
                short("E", 3, "1-0", "Bob", "Ann K.", Id2="ann-1"),
            ]
        ),
    )
    ann, anne, third = (
        player_id(archive, "Ann K"),
        player_id(archive, "Anne"),
        next(r.id for r in archive.players().players if r.names == ["Ann"]),
    )
    merge = archive.merge_players(anne, ann, by="Director", why="one person")
    assert (merge.alias, merge.alias_name, merge.player, merge.by) == (
        anne,
        "Anne",
        ann,
        "Director",
    )
    archive.merge_players(third, anne, by="Director")
    (row,) = [r for r in archive.players().players if r.id == ann]
    assert (row.games, row.result.points) == (3, 1)
    assert set(row.names) == {"Ann", "Ann K.", "Anne", "ann-1"}
    for text in ("Ann", "anne", "ann-1", ann, anne, third):
        assert archive.count(Filter(player=text)) == 3
    assert [s.player for s in archive.games().games[0].players][1] == ann
    assert len(archive.standings("E").lines) == 2
    assert len(archive.merges()) == 2
    with pytest.raises(ArchiveError):
        archive.merge_players(ann, anne, by="Director")
    with pytest.raises(ArchiveError):
        archive.merge_players(anne, ann, by="Director")
    archive.split_player(anne, by="Director")
    assert archive.count(Filter(player=anne)) == 1
    with pytest.raises(NotFound):
        archive.split_player(anne, by="Director")
    with pytest.raises(NotFound):
        archive.merge_players("nobody", ann, by="Director")
    assert archive.merge_players("anne", "ann-1", by="Director").player == ann
    archive.split_player("Anne", by="Director")
    assert archive.rebuild().games == 3
    assert len(archive.merges()) == 1
    assert archive.check().good


def test_standings_call_players_what_they_are_called_elsewhere(archive: Archive) -> None:
    """Also if all games of the event are under a merged name, or spell the name in capitals."""
    take_in(
        archive,
        "\n".join(
            [
                short("Old Cup", 1, "1-0", "Anna Keller", "Ben"),
                short("Cup", 1, "1-0", "A. KELLER", "Ben"),
                short("Cup", 2, "0-1", "BEN", "A. KELLER"),
            ]
        ),
    )
    archive.merge_players("A. KELLER", "Anna Keller", by="Director")
    wanted = ["Anna Keller", "Ben"]
    assert sorted(row.name for row in archive.players().players) == wanted
    assert [line.name for line in archive.standings("Cup").lines] == wanted
    assert [row.name for row in archive.crosstable("Cup").rows] == wanted
    assert [line.name for line in archive.ranks("Cup").lines] == wanted


def test_who_met_are_two_people(archive: Archive) -> None:
    game = archive.store(short("E", 1, "1-0", "Ann", "Bob")).id
    archive.store(short("E", 2, "1-0", "Anne", "Cid"))
    with pytest.raises(Conflict, match="they met") as caught:
        archive.merge_players("Ann", "Bob", by="Director")
    assert caught.value.id == game
    archive.merge_players("Anne", "Ann", by="Director")
    with pytest.raises(Conflict):  # through an alias, too
        archive.merge_players("Bob", "Ann", by="Director")
    with pytest.raises(Conflict):
        archive.merge_players("Cid", "Ann", by="Director")


def test_a_merge_undone_leaves_a_trace(archive: Archive) -> None:
    archive.store(short("E", 1, "1-0", "Ann", "Bob"))
    archive.store(short("E", 2, "1-0", "Anne", "Cid"))
    archive.merge_players("Anne", "Ann", by="Director", why="one person")
    with pytest.raises(NotFound, match="not merged into Bob"):
        archive.split_player("Anne", by="Director", player="Bob")
    undone = archive.split_player("Anne", by="Ruth", why="two people", player="Ann")
    assert (undone.by, undone.why) == ("Director", "one person")
    assert (undone.undone_by, undone.undone_why) == ("Ruth", "two people")
    assert undone.undone_at is not None
    assert archive.merges() == []
    assert archive.merges(undone=True) == [undone]
    archive.merge_players("Anne", "Ann", by="Director", why="after all")
    assert [m.why for m in archive.merges(undone=True)] == ["one person", "after all"]
    assert len(archive.merges()) == 1


def test_head_to_head(archive: Archive) -> None:
    take_in(
        archive,
        "\n".join(
            [
                short("E", 1, "1-0", "Ann", "Bob"),
                short("E", 2, "1/2-1/2", "Bob", "Ann"),
                short("E", 3, "1-0", "Bob", "Ann"),
                short("E", 4, "1-0", "Ann", "X", "Bob", "Y"),
                short("E", 5, "*", "Ann", "Bob"),
                short("E", 6, "0-1/2-1/2", "Ann", "Bob", "Z"),
            ]
        ),
    )
    pair = archive.head_to_head("Ann", "Bob")
    assert (pair.won, pair.lost, pair.shared, pair.neither) == (1, 2, 1, 0)
    assert Sum.__eq__(_sum(4, 1.5), pair.against)
    assert Sum.__eq__(_sum(1, 1), pair.together)
    assert len(pair.games) == 6
    with pytest.raises(NotFound):
        archive.head_to_head("Ann", "Nobody")
    with pytest.raises(BadQuery):
        archive.head_to_head("Ann", "ann")


def test_a_third_players_win_is_neither_won_nor_lost_against_each_other(archive: Archive) -> None:
    """Whoever asks: what one has won the other has lost."""
    results = ("1-0-0", "0-0-1", "1/2-0-1/2", "1/2-1/2-0", "1/3-1/3-1/3", "0-1-0", "0-0-1")
    records = [short("E", i, text, "Ann", "Bob", "Z") for i, text in enumerate(results)]
    records.append(short("E", 8, "0-0", "Ann", "Bob").replace("resignation", "forfeit"))
    take_in(archive, "\n".join(records))
    one, two = archive.head_to_head("Ann", "Bob"), archive.head_to_head("Bob", "Ann")
    assert (one.won, one.lost, one.shared, one.neither) == (2, 1, 2, 3)
    assert (two.won, two.lost, two.shared, two.neither) == (1, 2, 2, 3)
    assert one.against.count == 8


def _sum(count: int, points: float) -> Sum:
    made = Sum()
    made.add(points, count)
    return made


# Events ------------------------------------------------------------------------------------


@pytest.fixture
def event(archive: Archive) -> Archive:
    take_in(
        archive,
        "\n".join(
            [
                short("Cup", 1, "1-0", "Ann", "Bob", Date="2026-01-01", Table="1"),
                short("Cup", 1, "1-0", "Cid", "Dan", Date="2026-01-01", Table="2"),
                short("Cup", 2, "1-0", "Bob", "Cid", Date="2026-01-02", Table="1"),
                short("Cup", 2, "1/2-1/2", "Dan", "Ann", Date="2026-01-02", Table="2"),
                short("Cup", 10, "0-1", "Ann", "Cid", Date="2026-01-03", Table="1"),
                short("Cup", 10, "*", "Bob", "Dan", Date="2026-01-03", Table="2"),
            ]
        ),
    )
    return archive


def test_rounds_stand_in_their_order(event: Archive) -> None:
    rounds = event.rounds("cup")
    assert [r.round for r in rounds] == ["1", "2", "10"]
    assert [[row.table for row in r.tables] for r in rounds] == [["1", "2"]] * 3
    row = event.event("Cup")
    assert (row.games, row.players, row.rounds) == (6, 4, 3)
    assert (row.first_date, row.last_date) == ("2026-01-01", "2026-01-03")
    assert event.events().events == [row]
    assert event.events(search="nothing").events == []
    with pytest.raises(NotFound):
        event.event("Bowl")


def points(archive: Archive, **how: object) -> dict[str, float]:
    lines = archive.standings("Cup", **how).lines  # type: ignore[arg-type]
    return {line.name: line.points for line in lines}


def test_standings(event: Archive) -> None:
    assert points(event) == {"Cid": 2, "Ann": 1.5, "Bob": 1, "Dan": 0.5}
    assert points(event, until_round="1") == {"Ann": 1, "Cid": 1, "Bob": 0, "Dan": 0}
    assert points(event, until_round="2") == {"Ann": 1.5, "Bob": 1, "Cid": 1, "Dan": 0.5}
    assert points(event, until="2026-01-02") == points(event, until_round="2")
    with pytest.raises(BadQuery, match=r"no round 7: its rounds are 1, "):
        event.standings("Cup", until_round="7")
    standings = event.standings("Cup")
    assert (standings.games, standings.unfinished) == (5, 1)
    assert [line.rank for line in standings.lines] == [1, 2, 3, 4]
    first = standings.lines[0]
    assert (first.games, first.won, first.lost, first.shared) == (3, 2, 1, 0)


def test_games_without_a_round_are_in_no_round(event: Archive) -> None:
    game = short("Cup", 0, "1-0", "Ann", "Dan").replace('[Round "0"]\n', "")
    assert event.store(game).status == "stored"
    assert points(event)["Ann"] == 2.5
    assert points(event, until_round="1") == {"Ann": 1, "Cid": 1, "Bob": 0, "Dan": 0}
    assert points(event, until_round="10")["Ann"] == 1.5


def test_rounds_while_games_come_and_go(event: Archive) -> None:
    """Rounds are read at one moment: no game is half included."""
    id = event.games(Filter(round="2")).games[0].id
    failures: list[BaseException] = []
    stop = threading.Event()

    def read() -> None:
        try:
            while not stop.is_set():
                assert sum(row.games for row in event.rounds("Cup")) in (5, 6)
        except BaseException as error:
            failures.append(error)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for _ in range(8):
        event.delete(id, by="me", why="")
        event.undelete(id, by="me", why="")
    stop.set()
    for reader in readers:
        reader.join()
    assert not failures


def test_tiebreaks(event: Archive) -> None:
    order = ["points", "head-to-head", "buchholz", "sonneborn-berger", "votes", "wins"]
    lines = event.standings("Cup", tiebreaks=order, until_round="2").lines  # type: ignore[arg-type]
    by_name = {line.name: line.values for line in lines}
    # Bob and Cid have a point each; Bob won their game.
    assert [line.name for line in lines] == ["Ann", "Bob", "Cid", "Dan"]
    assert by_name["Bob"][:2] == [1, 1]
    assert by_name["Cid"][:2] == [1, 0]
    assert by_name["Ann"][2] == 1 + 0.5  # Bob's and Dan's points
    assert by_name["Ann"][3] == 1 * 1 + 0.5 * 0.5
    assert by_name["Dan"][3] == 0.5 * 1.5
    row = event.set_tiebreaks("Cup", ["points", "wins"], by="Director")
    assert row.tiebreaks == ["points", "wins"]
    assert event.standings("Cup").tiebreaks == ["points", "wins"]
    for senseless in ([], ["luck"], ["points", "points"]):
        with pytest.raises(BadQuery):
            event.set_tiebreaks("Cup", senseless, by="Director")  # type: ignore[arg-type]


def test_an_event_in_full_is_the_same_as_in_parts(full: Archive, event: Archive) -> None:
    for archive in (full, event):
        for row in archive.events(limit=1000).events:
            whole = archive.event_in_full(row.id, most=5, games=3)
            assert whole.event == row
            assert whole.standings == archive.standings(row.id)
            assert whole.teams == archive.team_standings(row.id)
            cross = archive.crosstable(row.id)
            assert whole.crosstable == (cross if row.players <= 5 else None)
            rounds = {one.round: one.games for one in archive.rounds(row.id) if one.round}
            assert list(whole.rounds.items()) == list(rounds.items())
            last = list(rounds)[-1] if rounds else None
            listed = archive.games(Filter(event=row.id, round=last), sort="table", limit=3)
            assert whole.games == listed.games


def test_the_crosstable(event: Archive) -> None:
    rows = {row.name: row for row in event.crosstable("Cup").rows}
    names = {row.player: name for name, row in rows.items()}
    cells = {names[c.opponent]: (c.points, c.games) for c in rows["Ann"].cells}
    assert cells == {"Bob": (1, 1), "Cid": (0, 1), "Dan": (0.5, 1)}
    assert {names[c.opponent] for c in rows["Bob"].cells} == {"Ann", "Cid"}
    assert all(len(c.ids) == c.games for row in rows.values() for c in row.cells)


def test_a_corrected_result_changes_everything(event: Archive) -> None:
    game = event.games(Filter(player="Bob", round="2")).games[0]
    before = datetime.now(UTC)
    event.correct(
        game.id,
        short("Cup", 2, "0-1", "Bob", "Cid", Date="2026-01-02", Table="1"),
        by="Director",
        why="the other way round",
    )
    assert points(event) == {"Cid": 3, "Ann": 1.5, "Dan": 0.5, "Bob": 0}
    assert points(event, until_round="2")["Cid"] == 2
    rows = {row.name: row.points for row in event.crosstable("Cup").rows}
    assert rows == points(event)
    # The state of the archive before.
    assert points(event, known_at=before) == {"Cid": 2, "Ann": 1.5, "Bob": 1, "Dan": 0.5}
    assert points(event, known_at=before - timedelta(days=1)) == {}
    event.delete(game.id, by="Director", why="not played at all")
    assert points(event)["Cid"] == 2
    assert event.check().good
    assert points(event, known_at=before)["Bob"] == 1


def test_teams_share_their_points(archive: Archive) -> None:
    archive.store(short("Cup", 1, "0-1", "Ann", "Bob", "Cid", "Dan"))
    archive.store(short("Cup", 2, "1/2-0-1/2", "Ann", "Bob", "Cid"))
    assert points(archive) == {"Bob": 1, "Dan": 1, "Ann": 0.5, "Cid": 0.5}
    rows = {row.name: row for row in archive.crosstable("Cup").rows}
    names = {row.player: name for name, row in rows.items()}
    assert {names[c.opponent] for c in rows["Dan"].cells} == {"Ann", "Cid"}


def test_byes_and_forfeits_count(archive: Archive) -> None:
    """Games without tricks: a bye has one player, a forfeit may leave both without a point."""
    ends = [
        (("Ann",), "bye", "1"),
        (("Bob",), "bye", "1/2"),
        (("Cid",), "bye", "0"),
        (("Ann", "Bob"), "forfeit", "0-0"),
        (("Bob", "Ann"), "forfeit", "1-0"),
        (("Ann", "Cid"), "unrecorded", "0-1"),
    ]
    for round, (names, end, result) in enumerate(ends, 1):
        text = "".join(f'[Player{seat} "{name}"]\n' for seat, name in enumerate(names, 1))
        head = f'[Event "Cup"]\n[Round "{round}"]\n{text}[Termination "{end}"]\n'
        assert archive.store(f'{head}[Result "{result}"]\n\n{result}\n').status == "stored"
    assert points(archive) == {"Ann": 1, "Bob": 1.5, "Cid": 1}
    assert {line.name: line.games for line in archive.standings("Cup").lines} == {
        "Ann": 4, "Bob": 3, "Cid": 2,
    }  # fmt: skip
    assert len(archive.crosstable("Cup").rows) == 3
    assert archive.player("Bob").player.result.points == 1.5
    by_seats = archive.player("Bob").by_seats
    assert [(row.key, row.label, row.result.points) for row in by_seats] == [
        ("1", "bye", 0.5), ("2", "2 players", 1.0),
    ]  # fmt: skip
    assert [row.result for row in archive.games(sort="oldest").games] == [end[2] for end in ends]
    for outcome, number in (("won", 1), ("shared", 1), ("lost", 1)):
        assert archive.count(Filter(player="Bob", outcome=outcome)) == number  # type: ignore[arg-type]
    for result in ("1", "1/2", "0"):
        assert archive.count(Filter(result=result)) == 1
    assert archive.count(Filter(seats=1)) == 3
    assert archive.lead_stats().games == 0
    assert archive.card_stats() == []
    assert archive.players().players[0].games == 4
    assert b"1/2" in b"".join(archive.export("csv"))
    assert archive.check().good


def test_written_votes_count_where_there_are_no_tricks(archive: Archive) -> None:
    """Votes that come only from a tag are in standings, lists and exports, and in no statistic."""
    ends = [
        (("Ann", "Bob"), "unrecorded", "1-0", "3-2"),
        (("Bob", "Cid"), "forfeit", "1-0", "5-0"),
        (("Ann",), "bye", "1", "3"),
        (("Cid", "Ann"), "resignation", "1-0", "12-1"),
        (("Cid", "Bob"), "forfeit", "0-0", ""),
        (("Ann", "Cid", "Bob"), "unrecorded", "0-1-0", "2-4-1"),
        (("Bob", "Ann"), "abandoned", "*", "4-1"),
    ]
    for round, (names, end, result, votes) in enumerate(ends, 1):
        text = "".join(f'[Player{seat} "{name}"]\n' for seat, name in enumerate(names, 1))
        text += '[Deck "GKUWX"]\n' if end in ("resignation", "abandoned") else ""
        text += f'[Votes "{votes}"]\n' if votes else ""
        head = f'[Event "Cup"]\n[Round "{round}"]\n{text}[Termination "{end}"]\n'
        assert archive.store(f'{head}[Result "{result}"]\n\n{result}\n').status == "stored"
    table = archive.standings("Cup", tiebreaks=["votes", "vote-difference"])
    assert [(line.name, line.votes_for, line.votes_against) for line in table.lines] == [
        ("Cid", 16, 9), ("Ann", 9, 19), ("Bob", 8, 9),
    ]  # fmt: skip
    assert [line.values for line in table.lines] == [[16, 7], [9, -10], [8, -1]]
    rows = archive.games(sort="oldest").games
    assert [row.votes for row in rows] == [
        {1: 3, 2: 2}, {1: 5, 2: 0}, {1: 3}, {1: 12, 2: 1}, None, {1: 2, 2: 4, 3: 1}, None,
    ]  # fmt: skip
    assert [(row.factions, row.tiebreak) for row in rows] == [(None, None)] * 7
    assert archive.count(Filter(votes="2:3")) == 1
    flat = b"".join(archive.export("csv")).decode().splitlines()
    columns = dict(zip(flat[0].split(","), flat[1].split(","), strict=True))
    assert [columns[name] for name in ("votes1", "factions1", "votes2")] == ["3", "", "2"]
    met = archive.head_to_head("Ann", "Bob")
    assert (met.votes_for, met.votes_against) == (5, 3)
    profile = archive.player("Ann")
    assert (profile.votes_for, profile.votes_against, profile.factions_won) == (None, None, [])
    assert archive.faction_stats() == []
    assert archive.result_stats("votes").groups == []
    assert archive.check().good


def test_a_game_without_tricks_has_nothing_of_the_game_before(archive: Archive) -> None:
    """Neither its deck nor its Phase 1, when both are encoded together."""
    played = (DATA / "sample.clm").read_text(encoding="utf-8")
    bye = '[Player1 "Ann"]\n[Termination "bye"]\n[Result "1"]\n\n1\n'
    take_in(archive, f"{played}\n{bye}")
    (row,) = archive.games(Filter(termination="bye")).games
    assert (row.deck, row.phase1_winner, row.factions) == ("", None, None)
    assert archive.count(Filter(factions="V")) == 0
    assert archive.player("Ann").with_faction == []
    assert [group.key for group in archive.result_stats("deck").groups] == ["GKUWX"]
    assert archive.check().good


@pytest.mark.only_file("writes into the file")
def test_written_votes_come_by_a_rebuild(archive: Archive) -> None:
    """An archive that has no column for them is read as before, and completed by a rebuild."""
    head = '[Event "Cup"]\n[Player1 "Ann"]\n[Player2 "Bob"]\n[Votes "3-2"]\n'
    archive.store(f'{head}[Termination "unrecorded"]\n[Result "1-0"]\n\n1-0\n')
    with archive._backend.transaction() as cursor:
        cursor.execute("UPDATE games SET votes1 = NULL, votes2 = NULL")
    assert archive.check(full=False).good
    assert [line.votes_for for line in archive.standings("Cup").lines] == [0, 0]
    assert not archive.check().good
    archive.rebuild()
    assert archive.check().good
    assert [line.votes_for for line in archive.standings("Cup").lines] == [3, 2]


# Dates -------------------------------------------------------------------------------------


def test_an_unknown_date_is_neither_the_first_nor_the_last(archive: Archive) -> None:
    dates = ("????-??-??", "2025-05-??", "????-12-31", "2024-??-??", "")
    games = [
        short("Cup", n, "1-0", "Ann", "Bob", **({"Date": date} if date else {}))
        for n, date in enumerate(dates)
    ]
    take_in(archive, "\n".join([*games, short("Old", 1, "1-0", "Cleo", "Dan", Date="????-??-??")]))
    archive.merge_events("Old", "Cup", by="Director")
    known = ("2024-??-??", "2025-05-??")
    event = archive.event("Cup")
    for row in (
        event,
        *archive.events().events,
        archive.event_in_full("Cup", most=9, games=9).event,
        archive.player("Ann").player,
        archive.player_in_full("Bob", games=9).profile.player,
        *archive.players(search="Ann").players,
    ):
        assert (row.first_date, row.last_date) == known
    for row in (archive.player("Cleo").player, *archive.players(search="Cleo").players):
        assert (row.first_date, row.last_date) == (None, None)
    streak = archive.streaks("Ann").won
    assert streak
    assert (streak.first_date, streak.last_date) == (None, "2025-05-??")
    for wrong, last in (("Annn", known[1]), ("Cleoo", None)):
        with pytest.raises(NotFound) as error:
            archive.player(wrong)
        assert error.value.unclear is not None
        assert [one.last_date for one in error.value.unclear.candidates] == [last]


def test_players_are_sorted_by_the_day_they_played_last(archive: Archive) -> None:
    dates = {"Ann": "2025-05-??", "Bob": "2025-05-20", "Cleo": "????-??-??", "Dan": "2025-06-01"}
    games = [
        short("Cup", n, "1-0", who, f"Against {who}", Date=date)
        for n, (who, date) in enumerate(dates.items())
    ]
    take_in(archive, "\n".join(games))
    for sort, names in (
        ("last", ["Dan", "Bob", "Ann", "Cleo"]),
        ("-last", ["Cleo", "Ann", "Bob", "Dan"]),
    ):
        listed = archive.players(sort=sort, limit=1000).players
        assert [row.name for row in listed if row.name in dates] == names
        first = archive.players(sort=sort, limit=3)
        rest = archive.players(sort=sort, limit=1000, cursor=first.cursor)
        assert [*first.players, *rest.players] == listed


def test_a_game_of_two_of_the_players_counts_once(archive: Archive) -> None:
    """Points are counted for each seat of the filter's players; games, once."""
    for number, (names, result) in enumerate(
        [(("Ann", "Bob"), "1-0"), (("Ann", "Cid"), "0-1"), (("Ann", "Bob", "Cid"), "1/2-1/2-0")], 1
    ):
        text = "".join(f'[Player{seat} "{name}"]\n' for seat, name in enumerate(names, 1))
        head = f'[Event "Cup"]\n[Round "{number}"]\n{text}[Termination "unrecorded"]\n'
        assert archive.store(f'{head}[Result "{result}"]\n\n{result}\n').status == "stored"
    both = Filter(player=("Ann", "Bob"))
    for by in ("event", "rules", "site", "seat", "opponent"):
        assert archive.result_stats(by, both, of="player").games == archive.count(both) == 3  # type: ignore[arg-type]
    (cup,) = archive.result_stats("event", both, of="player").groups
    assert (cup.games, cup.share.rate, cup.result.count, cup.result.points) == (3, 1.0, 5, 2.0)
    assert cup.shared == 1
    against = {group.label: group for group in archive.result_stats("opponent", both).groups}
    cid = against["Cid"]
    assert (cid.games, cid.result.count, cid.result.points) == (2, 3, 1.0)
    assert (against["Ann"].games, against["Bob"].games) == (2, 2)


NAMES = ["Zora", "anna", "Émile", "Anna", "Ähre", "berta", "Östen", "Oskar", "eva"]
SORTED = ["Ähre", "Anna", "anna", "berta", "Émile", "eva", "Oskar", "Östen", "Zora"]


@pytest.mark.parametrize("down", [False, True])
def test_lists_by_name_ignore_case_and_accents(archive: Archive, down: bool) -> None:
    """Players, events and games, also page by page; names that differ in case are one event."""
    events = [f"{name} {number}" for number, name in enumerate(NAMES)]
    texts = (short(e, 1, "1-0", name, "Guest") for e, name in zip(events, NAMES, strict=True))
    take_in(archive, "\n".join(texts))
    # One more in an event that was given another name here.
    archive.rename_event("Zora 0", "áaa", by="Director")
    minus = "-" if down else ""

    def paged(ask, get, sort: str) -> list[str]:
        found, cursor = [], None
        while True:
            page = ask(sort=minus + sort, limit=2, cursor=cursor)
            found += get(page)
            cursor = page.cursor
            if cursor is None:
                return found[::-1] if down else found

    # The same name in another case is the same player, with one of the spellings.
    players = paged(archive.players, lambda page: [row.name for row in page.players], "name")
    assert [one.casefold() for one in players if one != "Guest"] == [
        one.casefold() for one in SORTED if one != "anna"
    ]
    names = paged(archive.events, lambda page: [row.name for row in page.events], "name")
    of_games = paged(archive.games, lambda page: [row.event for row in page.games], "event")
    assert of_games == names
    assert [one.split()[0] for one in names] == ["áaa", "Ähre", "anna", "Anna", *SORTED[3:-1]]
    seats = paged(archive.games, lambda page: [row.players[0].name for row in page.games], "player")
    # Names that differ in case only are in the order in which the games were stored.
    assert seats == ["Ähre", "anna", "Anna", *SORTED[3:]]


def test_groups_and_sites_are_in_the_order_of_names(archive: Archive) -> None:
    names = ["Aix", "Ägeri", "bern 10", "Bern 9", "Øvre", "Prag"]
    for name in reversed(names):
        texts = [short(f"{name} Cup", 1, "1-0", name, "Guest", Site=name)]
        texts.append(short("Tour", len(name), "1-0", f"{name} B", "Guest", Site=name))
        take_in(archive, "\n".join(texts))
    wanted = ["Ägeri", "Aix", "Bern 9", "bern 10", "Øvre", "Prag"]
    for by in ("site", "event", "player"):
        for sort, listed in (("key", wanted), ("-key", wanted[::-1])):
            labels = [one.label for one in archive.result_stats(by, sort=sort).groups]
            assert [one for one in labels if one in wanted or one.endswith(" Cup")] == [
                f"{one} Cup" if by == "event" else one for one in listed
            ]
    # In lists of names numbers are not told apart from words.
    sites = ["Ägeri", "Aix", "bern 10", "Bern 9", "Øvre", "Prag"]
    (tour,) = archive.events(search="tour").events
    assert tour.sites == archive.event_in_full("Tour", most=1, games=1).event.sites == sites


@pytest.mark.parametrize("kind", ["players", "games"])
def test_a_cursor_of_the_former_order_by_name_is_refused(archive: Archive, kind: str) -> None:
    cursor = (
        write_cursor("name", "Anna", "1") if kind == "players" else write_cursor("player", "a", 1)
    )
    with pytest.raises(BadQuery, match="cursor"):
        getattr(archive, kind)(sort="name" if kind == "players" else "player", cursor=cursor)
