"""Players' questions, compared with a count over the replays."""

import math
import statistics
from collections import Counter, defaultdict
from datetime import datetime
from itertools import groupby
from typing import Any, get_args

import pytest

from claimlog.game import Game as Played
from claimlog.store import Archive, BadQuery, Context, Filter, NotFound, Rate
from claimlog.store.backend import Backend
from claimlog.store.questions.cards import CardSort, CardStat, UpcardSort
from claimlog.store.questions.explorer import MoveSort

from .conftest import take_in
from .naive import Game, Sum, sums
from .test_people import short

# Players with odd numbers have no id: they are identified by name alone.
MINE = [
    Filter(player="Player Nr 3"),
    Filter(player=("Player Nr 3", "Player Nr 5")),
    Filter(player="Player Nr 3", seat=2),
    Filter(player="Player Nr 5", opponent="Player Nr 7"),
    Filter(player="Player Nr 1", outcome="won", seats=(3, 4)),
]

Own = list[tuple[Game, int]]
"""Games with the seat of the player in question."""


@pytest.fixture(scope="module")
def games(full: Archive, replayed: list[Played]) -> list[Game]:
    rows = full.games(sort="oldest", limit=1000).games
    return [Game(replay, row.id) for replay, row in zip(replayed, rows, strict=True)]


def opponents(game: Game, seat: int) -> list[int]:
    return [s for s in range(1, game.seats + 1) if (s - seat) % game.sides]


def partners(game: Game, seat: int) -> list[int]:
    return [s for s in range(1, game.seats + 1) if s != seat and (s - seat) % game.sides == 0]


def own(games: list[Game], filter: Filter) -> Own:
    """The seats of the filter's player."""
    names = filter.player if isinstance(filter.player, tuple) else (filter.player,)
    return [
        (game, seat)
        for game in games
        for seat in range(1, game.seats + 1)
        if game.name(seat) in names
        and filter.seat in (None, seat)
        and (filter.seats is None or game.seats in (3, 4))
        and (filter.outcome is None or game.points(seat) == 1)
        and (
            filter.opponent is None
            or filter.opponent in [game.name(s) for s in opponents(game, seat)]
        )
    ]


@pytest.fixture(params=MINE, ids=lambda f: f"{f.player} {f.seat} {f.opponent} {f.outcome}")
def mine(request: pytest.FixtureRequest, games: list[Game]) -> tuple[Filter, Own]:
    return request.param, own(games, request.param)


Mine = tuple[Filter, Own]


@pytest.mark.parametrize("phase", [None, 1])
def test_my_cards(full: Archive, mine: Mine, phase: int | None) -> None:
    filter, seats = mine
    kinds: dict[str, dict[Any, Sum]] = defaultdict(sums)
    plays: Counter[str] = Counter()
    for game, seat in seats:
        for trick in game.tricks():
            for place, play in enumerate(trick.plays):
                if play.seat != seat or play.card is None or phase not in (None, trick.phase):
                    continue
                how = "discarded" if trick.auto else "followed" if place else "led"
                plays[play.card] += 1
                kinds[how][play.card].add(game.points(seat))
                if not trick.auto and trick.winner is not None:
                    kinds[f"won_{how}"][play.card].add(trick.winner == seat)
    stats = full.card_stats(filter, phase=phase, by="player")
    assert {entry.card: entry.plays for entry in stats} == dict(plays)
    for entry in stats:
        for kind in ("led", "followed", "discarded", "won_led", "won_followed"):
            assert kinds[kind][entry.card] == getattr(entry, kind)


def test_my_upcards(full: Archive, mine: Mine) -> None:
    filter, seats = mine
    shown: Counter[str] = Counter()
    takers, winners = sums(), sums()
    for game, seat in seats:
        for trick in game.tricks():
            shown.update(trick.upcards)
            if trick.winner == seat:
                for card in trick.upcards:
                    winners[card].add(game.points(seat))
            # A card that was taken may be another copy than the upcard.
            if trick.winner is not None and trick.ranking is not None:
                first = trick.ranking[1 if trick.looked else 0]
                if game.seats == 2:
                    took = {0: first}
                elif trick.pick is None:
                    continue
                else:
                    picked = trick.upcards.index(trick.pick)
                    took = {picked: first, 1 - picked: trick.ranking[2 if trick.looked else 1]}
                for place, card in enumerate(trick.upcards):
                    if took[place] == seat:
                        takers[card].add(game.points(seat))
    stats = full.upcard_stats(filter, by="player")
    assert {entry.card: entry.shown for entry in stats} == dict(shown)
    for entry in stats:
        assert takers[entry.card] == entry.taker
        assert winners[entry.card] == entry.winner


def test_my_leads(full: Archive, mine: Mine) -> None:
    filter, seats = mine
    first, last, most, second = Sum(), Sum(), Sum(), Sum()
    won = {0: Sum(), 1: Sum(), 2: Sum()}
    for game, seat in seats:
        for trick in game.tricks():
            if trick.leader == seat and not trick.auto and trick.winner is not None:
                for key in (0, trick.phase):
                    won[key].add(trick.winner == seat, game=game.id)
        if not game.finished or not game.tricks():
            continue
        points = game.points(seat)
        if game.replay.leader == seat:
            first.add(points)
        early = [t for t in game.tricks() if t.phase == 1]
        late = [t for t in game.tricks() if t.phase == 2]
        if late and late[0].leader == seat:
            second.add(points)
        if len(early) == {2: 13, 3: 12, 4: 9}[game.seats] and early[-1].winner is not None:
            if early[-1].winner == seat:
                last.add(points)
            sides = Counter(((t.winner or 1) - 1) % game.sides for t in early).most_common()
            alone = len(sides) == 1 or sides[0][1] > sides[1][1]
            if alone and sides[0][0] == (seat - 1) % game.sides:
                most.add(points)
    stats = full.lead_stats(filter, by="player")
    assert first == stats.first_lead
    assert last == stats.phase1_last
    assert most == stats.phase1_most
    assert second == stats.phase2_first
    assert won[0] == stats.trick_won
    for entry in stats.trick_won_by_phase:
        assert won[int(entry.key)] == entry.result


def test_my_lead_lengths(full: Archive, mine: Mine) -> None:
    filter, seats = mine
    number: Counter[int] = Counter()
    for game, seat in seats:
        for phase in (1, 2):
            leaders = [t.leader for t in game.tricks() if t.phase == phase]
            number.update(len(list(run)) for who, run in groupby(leaders) if who == seat)
    stats = full.lead_lengths(filter, by="player")
    assert {entry.length: entry.count for entry in stats.lengths} == dict(number)


@pytest.mark.parametrize("context", [Context(), Context(trick=1), Context(phase=2, played=["G"])])
def test_what_i_play(full: Archive, mine: Mine, context: Context) -> None:
    filter, seats = mine
    results, wins, number = sums(), sums(), Counter[str]()
    place = len(context.played)
    for game, seat in seats:
        for trick in game.tricks():
            if (
                trick.auto
                or len(trick.plays) <= place
                or trick.plays[place].seat != seat
                or context.trick not in (None, trick.number)
                or context.phase not in (None, trick.phase)
                or any((p.card or "?")[0] != "G" for p in trick.plays[:place])
            ):
                continue
            card = trick.plays[place].card
            assert card is not None
            number[card] += 1
            results[card].add(game.points(seat), game=game.id)
            if trick.winner is not None:
                wins[card].add(trick.winner == seat, game=game.id)
    answer = full.explore(context, filter, by="player")
    assert {move.card: int(move.share.points) for move in answer.moves} == dict(number)
    for move in answer.moves:
        assert results[move.card] == move.result
        assert wins[move.card] == move.won_trick


GROUPED = {
    "round": lambda game, seat: [game.tags["Round"]],
    "table": lambda game, seat: [game.tags["Table"]],
    "site": lambda game, seat: [game.tags["Site"]],
    "month": lambda game, seat: [game.tags["Date"][:7]],
    "event": lambda game, seat: [game.tags["Event"]],
    "seat": lambda game, seat: [str(seat)],
    "side": lambda game, seat: [str((seat - 1) % game.sides + 1)],
    "faction": lambda game, seat: sorted(game.deck),
    "opponent": lambda game, seat: [game.who(s) for s in opponents(game, seat)],
    "partner": lambda game, seat: [game.who(s) for s in partners(game, seat)],
}


@pytest.mark.parametrize("by", GROUPED)
def test_how_i_do(full: Archive, mine: Mine, by: Any) -> None:
    filter, seats = mine
    wanted, number = sums(), Counter[Any]()
    counted = set()
    for game, seat in seats:
        for key in GROUPED[by](game, seat):
            wanted[key].add(game.points(seat))
            # A game of two of the players counts once.
            number[key] += (key, id(game)) not in counted
            counted.add((key, id(game)))
    stats = full.result_stats(by, filter, of="player")
    assert stats.games == full.count(filter)
    names: dict[str, str] = {}
    if by in ("opponent", "partner"):
        for row in full.players(limit=1000).players:
            names[row.id] = next((n for n in row.names if n.startswith("id-")), row.name)
    groups = {names.get(group.key, group.key): group for group in stats.groups}
    assert {key: group.games for key, group in groups.items()} == dict(number)
    for key, group in groups.items():
        assert wanted[key] == group.result


@pytest.mark.parametrize("by", ["round", "table", "site", "month"])
def test_results_by_where_and_when(full: Archive, games: list[Game], by: Any) -> None:
    wanted, number = sums(), Counter[Any]()
    for game in games:
        for key in GROUPED[by](game, 1):
            wanted[key].add(game.points(game.replay.leader) if game.tricks() else None)
            number[key] += 1
    stats = full.result_stats(by)
    assert {group.key: group.games for group in stats.groups} == dict(number)
    assert all(wanted[group.key] == group.result for group in stats.groups)


def test_results_by_player(full: Archive) -> None:
    stats = full.result_stats("player")
    rows = {row.id: row for row in full.players(limit=1000).players}
    assert stats.games == 400
    assert {group.key: group.games for group in stats.groups} == {
        id: row.games for id, row in rows.items()
    }
    for group in stats.groups:
        assert group.label == rows[group.key].name
        assert group.result == rows[group.key].result


def field_of(row: Any, sort: str) -> float | None:
    """The field by which the rows of a statistic are sorted."""
    name = sort.removeprefix("-")
    value = getattr(row, name.removesuffix("_low"))
    if isinstance(value, Rate):
        return value.low if name.endswith("_low") else value.rate
    return value


@pytest.mark.parametrize("sort", get_args(CardSort)[2:])
def test_cards_are_sorted_by_each_number(full: Archive, sort: Any) -> None:
    check_order(full.card_stats(), full.card_stats(sort=sort), sort)
    name = sort.removeprefix("-").removesuffix("_low")
    rates = [name] if name != "plays" else CardStat.RATES

    def counted(one: CardStat) -> int:
        return int(min(getattr(one, rate).count for rate in rates))

    rows = full.card_stats(sort=sort)
    least = 1 + min(map(counted, rows))
    some = full.card_stats(sort=sort, min_games=least)
    wanted = [one.card for one in rows if counted(one) >= least]
    assert 0 < len(wanted) < len(rows)
    assert [one.card for one in some] == wanted


@pytest.mark.parametrize("sort", get_args(UpcardSort)[2:])
def test_upcards_are_sorted_by_each_number(full: Archive, sort: Any) -> None:
    check_order(full.upcard_stats(), full.upcard_stats(sort=sort), sort)


@pytest.mark.parametrize("sort", get_args(MoveSort)[2:])
def test_moves_are_sorted_by_each_number(full: Archive, sort: Any) -> None:
    there = full.explore(Context(), sort=sort).moves
    check_order(full.explore(Context()).moves, there, sort)


def check_order(rows: list[Any], listed: list[Any], sort: str) -> None:
    assert sorted(row.card for row in listed) == sorted(row.card for row in rows)
    values = [field_of(row, sort) for row in listed]
    known = [value for value in values if value is not None]
    assert values[: len(known)] == known
    assert known == sorted(known, reverse=not sort.startswith("-"))
    assert len(set(known)) > 3


def test_an_unknown_order_is_refused(full: Archive) -> None:
    with pytest.raises(BadQuery, match="is not one of card, -card, shown"):
        full.upcard_stats(sort="luck")  # type: ignore[arg-type]
    assert [row.card for row in full.card_stats(sort="-card")] == [
        row.card for row in reversed(full.card_stats())
    ]


@pytest.mark.parametrize("sort", ["games", "rate", "low", "key"])
def test_groups_are_sorted_and_small_ones_left_out(full: Archive, sort: Any) -> None:
    everything = full.result_stats("deck").groups
    kept = [group for group in everything if group.result.count >= 3]
    assert 0 < len(kept) < len(everything)
    there = full.result_stats("deck", sort=sort, min_games=3).groups
    back = full.result_stats("deck", sort=f"-{sort}", min_games=3).groups  # type: ignore[arg-type]
    assert {group.key for group in there} == {group.key for group in kept}

    def value(group: Any) -> Any:
        return {
            "games": group.games, "rate": group.result.rate, "low": group.result.low,
            "key": group.key,
        }[sort]  # fmt: skip

    assert [value(g) for g in there] == sorted(map(value, there), reverse=sort != "key")
    assert [value(g) for g in back] == sorted(map(value, there), reverse=sort == "key")
    rounds = [group.key for group in full.result_stats("round", sort="key").groups]
    assert rounds == sorted(rounds, key=int)


def test_players_by_the_lower_end_of_their_rate(full: Archive) -> None:
    rows = full.players(sort="low", limit=1000).players
    lows = [row.result.low or 0 for row in rows]
    assert lows == sorted(lows, reverse=True)
    assert full.players(sort="-low", limit=1000).players[0].result.low == min(lows)
    some = full.players(min_games=60, limit=1000).players
    assert [row for row in full.players(limit=1000).players if row.result.count >= 60] == some
    assert 0 < len(some) < len(rows)


def test_totals_on_demand(full: Archive) -> None:
    filter = Filter(seats=3)
    assert full.games(filter, limit=2).total is None
    page = full.games(filter, limit=2, total=True)
    assert page.total == full.count(filter)
    assert full.games(filter, limit=2, cursor=page.cursor, total=True).total == page.total
    whole = len(full.players(limit=1000).players)
    first = full.players(limit=3, total=True)
    assert first.total == full.players(limit=3, cursor=first.cursor, total=True).total == whole
    assert full.players(search="nobody at all", total=True).total == 0
    assert full.players(Filter(event="Open 1"), min_games=30, limit=1, total=True).total == len(
        full.players(Filter(event="Open 1"), min_games=30, limit=1000).players
    )
    assert full.events(limit=1, total=True).total == 3
    assert full.events(search="open 2", total=True).total == 1


def test_streaks(full: Archive, games: list[Game]) -> None:
    name = "Player Nr 3"

    def when(item: tuple[int, tuple[Game, int]]) -> Any:
        number, (game, _) = item
        tags = game.tags
        return tags["Date"], int(tags["Round"]), int(tags["Table"]), number

    seats = own(games, Filter(player=name))
    numbered = [(games.index(game), (game, seat)) for game, seat in seats if game.finished]
    points = [game.points(seat) or 0.0 for _, (game, seat) in sorted(numbered, key=when)]
    streaks = full.streaks(name)
    assert (streaks.name, streaks.games) == (name, len(points))
    for kind, holds in {
        "won": lambda p: p == 1,
        "lost": lambda p: p == 0,
        "unbeaten": lambda p: p > 0,
        "winless": lambda p: p < 1,
    }.items():
        runs = [len(list(run)) for held, run in groupby(points, holds) if held]
        assert getattr(streaks, kind).length == max(runs)
    ends = [len(list(run)) for _, run in groupby(points, lambda p: (p == 1) - (p == 0))]
    assert streaks.current is not None
    assert streaks.current.length == ends[-1]
    assert streaks.current_kind == {1: "won", 0: "lost"}.get(points[-1], "shared")
    assert streaks.current.last in {game.id for game, _ in seats}
    with pytest.raises(NotFound):
        full.streaks("Nobody")


def test_streaks_of_who_finished_nothing(archive: Archive) -> None:
    archive.store(short("E", 1, "*", "Ann", "Bob"))
    streaks = archive.streaks("Ann")
    assert (streaks.games, streaks.won, streaks.current, streaks.current_kind) == (
        0,
        None,
        None,
        None,
    )


def test_performance(full: Archive, games: list[Game]) -> None:
    name = "Player Nr 5"
    total, ratings = Sum(), []
    for game, seat in own(games, Filter(player=name)):
        if game.finished and game.sides == 2:
            total.add(game.points(seat))
            ratings.append(
                statistics.mean(float(game.tags[f"Rating{s}"]) for s in opponents(game, seat))
            )
    performance = full.performance(name)
    assert total == performance.result
    assert performance.games == total.count
    mean = statistics.mean(ratings)
    assert performance.opponents == pytest.approx(mean)
    share = total.total / total.count
    # A player of that strength is expected to score what was scored.
    assert performance.performance is not None
    assert 1 / (1 + 10 ** ((mean - performance.performance) / 400)) == pytest.approx(share)
    assert performance.low is not None
    assert performance.high is not None
    assert performance.low < performance.performance < performance.high


def test_performance_at_its_ends(archive: Archive) -> None:
    rated = {"Rating1": "1500", "Rating2": "1600"}
    archive.store(short("E", 1, "1-0", "Ann", "Bob", **rated))
    archive.store(short("E", 2, "1-0", "Ann", "Bob", **rated))
    archive.store(short("E", 3, "0-1", "Ann", "Bob"))  # nobody is rated
    ann, bob = archive.performance("Ann"), archive.performance("Bob")
    assert (ann.games, ann.performance) == (2, 2400)
    assert (bob.games, bob.performance) == (2, 700)
    archive.store(short("E", 4, "1-0", "Cid", "Dan"))
    assert archive.performance("Cid").performance is None


def test_how_long_games_took(archive: Archive) -> None:
    spans = {2: [600, 900, 1800], 4: [1200]}
    number = 0
    for seats, seconds in spans.items():
        for one in seconds:
            number += 1
            start = datetime(2026, 1, number, 20)
            end = start.replace(minute=one // 60)
            who = [f"P{number}{k}" for k in range(seats)]
            archive.store(
                short(
                    "E", number, "1-0", *who,
                    Start=f"{start.isoformat()}Z", End=f"{end.isoformat()}Z",
                )
            )  # fmt: skip
    archive.store(short("E", 9, "1-0", "Ann", "Bob"))
    archive.store(short("E", 10, "1-0", "Ann", "Bob", Start="2026-01-01T20:00:00Z"))
    times = archive.time_stats()
    every = [one for seconds in spans.values() for one in seconds]
    assert (times.games, times.timed) == (6, 4)
    assert (times.mean, times.median) == (statistics.mean(every), statistics.median(every))
    assert (times.shortest, times.longest) == (600, 1800)
    assert {row.seats: (row.games, row.mean, row.median) for row in times.by_seats} == {
        seats: (len(s), statistics.mean(s), statistics.median(s)) for seats, s in spans.items()
    }
    assert archive.time_stats(Filter(player="Ann")).mean is None


def test_ranks_after_each_round(full: Archive) -> None:
    ranks = full.ranks("Open 1", tiebreaks=["points", "wins"])
    assert ranks.rounds == [str(number) for number in range(1, 12)]
    for place, round in enumerate(ranks.rounds):
        lines = full.standings("Open 1", until_round=round, tiebreaks=["points", "wins"]).lines
        assert {line.player: (line.rank, line.points) for line in lines} == {
            line.player: (line.ranks[place], line.points[place])
            for line in ranks.lines
            if line.ranks[place] is not None
        }
    last = full.standings("Open 1", tiebreaks=["points", "wins"]).lines
    assert [line.player for line in ranks.lines] == [line.player for line in last]


def test_standings_of_teams(full: Archive, games: list[Game]) -> None:
    results, votes = sums(), Counter[Any]()
    names: dict[Any, Any] = {}
    for game in games:
        if game.seats != 4 or game.tags["Event"] != "Open 1":
            continue
        for side in (1, 2):
            team = frozenset((game.who(side), game.who(side + 2)))
            names[team] = {game.name(side), game.name(side + 2)}
            results[team].add(game.points(side))
            votes[team] += game.votes[side - 1] if game.votes else 0
    table = full.team_standings("Open 1")
    rows = full.players(limit=1000).players
    known = {row.id: next((n for n in row.names if n[:3] == "id-"), row.name) for row in rows}
    teams = {frozenset(known[one] for one in line.players): line for line in table.lines}
    assert set(teams) == set(names)
    for team, line in teams.items():
        assert set(line.names) == names[team]
        assert (line.games, line.points) == (results[team].count, results[team].total)
        assert line.votes_for == votes[team]
        assert line.won + line.lost + line.shared == line.games
    assert table.games == sum(one.count for one in results.values()) / 2
    ranks = [line.rank for line in table.lines]
    assert ranks == sorted(ranks)
    buchholz = full.team_standings("Open 1", tiebreaks=["points", "buchholz", "head-to-head"])
    assert {frozenset(line.players) for line in buchholz.lines} == {
        frozenset(line.players) for line in table.lines
    }


@pytest.mark.parametrize("by", ["opponent", "partner"])
def test_about_nobody(full: Archive, by: Any) -> None:
    with pytest.raises(BadQuery, match="this needs player"):
        full.result_stats(by)
    with pytest.raises(BadQuery, match="this needs player"):
        full.result_stats("round", of="player")
    for ask in (full.card_stats, full.upcard_stats, full.lead_stats, full.lead_lengths):
        with pytest.raises(BadQuery, match="this needs player"):
            ask(by="player")  # type: ignore[operator]
        with pytest.raises(BadQuery, match="anybody or"):
            ask(by="somebody")  # type: ignore[operator]
    with pytest.raises(BadQuery, match="sorted by"):
        full.result_stats("seat", sort="luck")  # type: ignore[arg-type]


def test_games_of_three_bring_thirds_to_everybody(archive: Archive) -> None:
    """Many thirds add up: fixed-point numbers would lose their squares."""
    take_in(
        archive,
        "\n".join(short("E", n, "1/3-1/3-1/3", f"A{n}", f"B{n}", f"C{n}") for n in range(1, 30)),
    )
    answer: Rate = archive.result_stats("player").groups[0].result
    assert math.isclose(answer.points, 1 / 3, abs_tol=1e-6)


def test_few_queries_answer_for_one_player_or_event(
    full: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    rows = Backend.rows

    def counting(self: Backend, sql: str, parameters: Any = None) -> list[tuple[Any, ...]]:
        asked.append(sql)
        return rows(self, sql, parameters)

    monkeypatch.setattr(Backend, "rows", counting)
    ids = {row.name: row.id for row in full.events().events}
    name, id = next(iter(ids.items()))
    full.event(id)
    asked.clear()
    assert full.event(id).name == name
    assert len(asked) == 2, "its games and its name"
    player = full.players().players[0].id
    full.player(player)
    asked.clear()
    full.player(player)
    assert len(asked) == 3, "the games, the names of the player, those of the others"


@pytest.mark.parametrize("few", [1, 5000])
def test_an_event_is_shown_as_in_the_list(
    full: Archive, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("claimlog.store.questions.events.FEW", few)
    listed = full.events(limit=1000).events
    assert max(row.games for row in listed) > 1
    for row in listed:
        assert full.event(row.id) == row


@pytest.mark.parametrize("step", [1, 2, 90])
def test_games_are_read_alike_near_each_other_and_far_apart(full: Archive, step: int) -> None:
    games = [1 + step * k for k in range(4)]
    asked = full._games
    assert asked.rows(games) == [row for game in games for row in asked.rows([game])]
    assert asked.rows(games[::-1]) == asked.rows(games)[::-1]
    assert len(asked.rows(games)) == len(games)
