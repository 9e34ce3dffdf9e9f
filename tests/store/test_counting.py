"""The order of standings, counted from games alone (docs/archive.md, "Standings and tie-breaks")."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from claimlog.directing.counting import FORFEIT, TIEBREAKS, Counting, Line, Played, placed
from claimlog.results import RESULTS
from claimlog.store.model.errors import BadQuery
from claimlog.store.model.ids import write_id
from claimlog.store.questions.standings import check_tiebreaks, counting_of

if TYPE_CHECKING:
    from collections.abc import Sequence


def game(
    number: int,
    *players: int | None,
    result: str,
    votes: tuple[int, ...] | None = None,
    names: tuple[str | None, ...] | None = None,
) -> Played:
    values: dict[str, Any] = dict.fromkeys(Played._fields)
    values |= {
        "game": number, "gid": number, "complete": True, "seats": len(players),
        "result": RESULTS[result],
    }  # fmt: skip
    for seat, player in enumerate(players, 1):
        values[f"p{seat}"] = player
        values[f"n{seat}"] = names[seat - 1] if names else player and f"player {player}"
    for side, number_of in enumerate(votes or (), 1):
        values[f"votes{side}"] = number_of
    return Played(**values)


def counted(
    *games: Played, merged: dict[int, int] | None = None, teams: bool = False
) -> dict[tuple[int, ...], Line]:
    counting = counting_of(merged or {}, teams=teams)
    counting.add(games)
    return counting.lines


@pytest.mark.parametrize(
    ("order", "values"),
    [
        # 1 beat 2 and 3, 2 beat 4, 3 beat nobody: the opponents' points, by player.
        (["buchholz"], {1: [1.0], 2: [2.0], 3: [2.0], 4: [1.0]}),
        (["sonneborn-berger"], {1: [1.0], 2: [0.0], 3: [0.0], 4: [0.0]}),
        (["points", "buchholz"], {1: [2.0, 1.0], 2: [1.0, 2.0], 3: [0.0, 2.0], 4: [0.0, 1.0]}),
    ],
)
def test_each_tie_break_is_weighed_without_the_others(
    order: list[str], values: dict[int, list[float]]
) -> None:
    counting = Counting({})
    counting.add(
        [game(1, 1, 2, result="1-0"), game(2, 1, 3, result="1-0"), game(3, 2, 4, result="1-0")]
    )
    assert {line.who[0]: line.values for line in counting.ranked(order)} == values


# Counted a second time, as docs/archive.md says it ------------------------------------------

SHARES = {"1": 1.0, "1/2": 1 / 2, "1/3": 1 / 3, "0": 0.0}


class Entry(NamedTuple):
    """A game from the view of one line: its points, its votes, and the opponents."""

    gid: int
    points: float
    votes: tuple[int, int]
    against: list[tuple[int, ...]]
    forfeit: bool


def by_hand(
    games: list[Played], merged: dict[int, int], *, teams: bool
) -> dict[tuple[int, ...], list[Entry]]:
    """The games of every player (with `teams` of every pair of partners)."""
    found: dict[tuple[int, ...], list[Entry]] = {}
    for played in games:
        if teams and played.seats != 4:
            continue
        seats = [played.p1, played.p2, played.p3, played.p4][: played.seats]
        sides = 2 if played.seats == 4 else played.seats
        roots = [None if player is None else merged.get(player, player) for player in seats]
        groups: list[tuple[int, list[int | None]]] = [
            (seat % sides, [root]) for seat, root in enumerate(roots)
        ]
        if teams:
            groups = [(0, [roots[0], roots[2]]), (1, [roots[1], roots[3]])]
        there = [
            (side, tuple(sorted(root for root in group if root is not None)))
            for side, group in groups
            if None not in group and len(set(group)) == len(group)
        ]
        result = next(text for text, code in RESULTS.items() if code == played.result)
        forfeit = played.termination == FORFEIT
        votes = (played.votes1 or 0, played.votes2 or 0, played.votes3 or 0)
        for side, who in there:
            mine = found.setdefault(who, [])
            if result != "*":
                points = SHARES[result.split("-")[side]]
                others = sum(votes) - votes[side]
                against = [other for beyond, other in there if beyond != side]
                mine.append(Entry(played.gid, points, (votes[side], others), against, forfeit))
    return found


def in_order(
    played: dict[tuple[int, ...], list[Entry]],
    order: Sequence[str],
    group: list[tuple[int, ...]],
    names: dict[tuple[int, ...], list[str]],
) -> list[tuple[tuple[int, ...], list[float]]]:
    """Order a group of equal lines by tie-breaks, and return the lines with their values."""
    if not order:
        return [(who, []) for who in sorted(group, key=lambda who: (names[who], who))]

    def points(who: tuple[int, ...]) -> float:
        return sum(entry.points for entry in played[who])

    def value(who: tuple[int, ...]) -> float:
        mine = played[who]
        means = [
            (entry.points, sum(map(points, entry.against)) / len(entry.against))
            for entry in mine
            if entry.against and not entry.forfeit
        ]
        match order[0]:
            case "points":
                return points(who)
            case "votes":
                return sum(entry.votes[0] for entry in mine)
            case "vote-difference":
                return sum(entry.votes[0] - entry.votes[1] for entry in mine)
            case "wins":
                return sum(entry.points == 1 for entry in mine)
            case "head-to-head":
                return sum(entry.points for entry in mine if set(entry.against) & set(group))
            case "buchholz":
                return sum(mean for _, mean in means)
            case _:
                return sum(share * mean for share, mean in means)

    values = {who: round(value(who), 6) for who in group}
    groups = []
    for each in sorted(set(values.values()), reverse=True):
        equal = [who for who in group if values[who] == each]
        groups += [(who, [each, *rest]) for who, rest in in_order(played, order[1:], equal, names)]
    return groups


def any_game(rng: random.Random, number: int, numbers: list[int]) -> Played:
    seats = rng.choice([1, 2, 2, 3, 4, 4])
    sides = 2 if seats == 4 else seats
    results = [text for text in RESULTS if text == "*" or text.count("-") == sides - 1]
    players: list[int | None] = list(rng.sample(numbers, seats))
    if rng.random() < 0.2:
        players[rng.randrange(seats)] = None
    votes = tuple(rng.randrange(4) for _ in range(sides)) if rng.random() < 0.8 else None
    one = game(number, *players, result=rng.choice(results), votes=votes)
    return one._replace(termination=FORFEIT if rng.random() < 0.2 else 0)


@pytest.mark.parametrize("teams", [False, True])
def test_standings_are_those_counted_by_hand(teams: bool) -> None:
    """Games of 1 to 4 seats, byes, forfeits, unknown and merged players, round after round."""
    rng = random.Random(21)
    for _ in range(30):
        # 15 stands for 5; players who would meet themselves were never merged.
        merged = {15: 5}
        numbers = rng.sample([1, 2, 3, 4, rng.choice([5, 15]), 6, 7], 5 if teams else 7)
        order = rng.sample(TIEBREAKS, rng.randint(1, 4))
        counting = counting_of(merged, teams=teams)
        games: list[Played] = []
        for _ in range(2):
            more = [any_game(rng, len(games) + k, numbers) for k in range(rng.randint(1, 12))]
            games += more
            counting.add(more)
            played = by_hand(games, merged, teams=teams)
            names = {who: [f"player {15 if p == 5 and 15 in numbers else p}" for p in who]
                     for who in played}  # fmt: skip
            ranked = counting.ranked(order)
            expected = in_order(played, order, list(played), names)
            assert [(line.who, line.values) for line in ranked] == expected
        for line in ranked:
            mine = played[line.who]
            assert line.names == names[line.who]
            assert line.fields() == {
                "games": len(mine),
                "won": sum(entry.points == 1 for entry in mine),
                "shared": sum(0 < entry.points < 1 for entry in mine),
                "lost": sum(entry.points == 0 for entry in mine),
                "points": round(sum(entry.points for entry in mine), 6),
                "votes_for": sum(entry.votes[0] for entry in mine),
                "votes_against": sum(entry.votes[1] for entry in mine),
                "values": line.values,
            }
        cells = {
            (line.who, other.who): (round(met.points, 6), met.gids)
            for line, row in counting.cells().items()
            for other, met in row.items()
        }
        assert cells == {
            (who, other): (
                round(sum(entry.points for entry in mine if other in entry.against), 6),
                [entry.gid for entry in mine if other in entry.against],
            )
            for who, mine in played.items()
            for other in {other for entry in mine for other in entry.against}
        }


# Clause by clause -----------------------------------------------------------------------------


def test_head_to_head_is_among_the_players_who_are_still_equal() -> None:
    """1 beat 2, who has as many points; 3 beat both, but has fewer."""
    counting = Counting({})
    pairs = [(1, 2), (3, 1), (3, 2), (1, 4), (1, 5), (2, 4), (2, 5), (2, 6)]
    counting.add(game(k, *pair, result="1-0") for k, pair in enumerate(pairs))
    ranked = counting.ranked(["points", "head-to-head"])
    assert [(line.who[0], line.values) for line in ranked[:3]] == [
        (1, [3.0, 1.0]), (2, [3.0, 0.0]), (3, [2.0, 0.0]),
    ]  # fmt: skip


def test_points_that_differ_by_rounding_alone_are_equal() -> None:
    """Three thirds are a win."""
    counting = Counting({})
    counting.add(game(k, 1, 10 + k, 20 + k, result="1/3-1/3-1/3") for k in range(3))
    counting.add([game(4, 2, 3, result="1-0")])
    assert [line.values for line in counting.ranked(["points"])[:2]] == [[1.0], [1.0]]
    assert counting.lines[1,].fields()["points"] == 1.0


def test_who_agrees_in_all_is_in_the_order_of_names_and_shares_the_rank() -> None:
    lines = Counting({})
    lines.add(
        [
            game(1, 1, 2, result="1/2-1/2", names=("Zoë", "Adam")),
            game(2, 4, 3, result="1-0", names=("Nora", "Adam")),
        ]
    )
    ranked = placed(lines.ranked(["points"]))
    assert [(rank, line.who[0], line.names) for rank, line in ranked] == [
        (1, 4, ["Nora"]), (2, 2, ["Adam"]), (2, 1, ["Zoë"]), (4, 3, ["Adam"]),
    ]  # fmt: skip


def test_nobody_is_placed_where_nobody_played() -> None:
    assert placed(Counting({}).ranked(["points"])) == []


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        pytest.param([(5, "Eva"), (5, "Eva M.")], "Eva M.", id="the-last-of-their-own"),
        pytest.param([(15, "Maier"), (5, "Eva")], "Eva", id="their-own-before-the-other-number's"),
        pytest.param([(5, "Eva"), (15, "Maier")], "Eva", id="and-it-stays"),
        pytest.param([(15, "Maier")], "Maier", id="the-other's-where-there-is-none"),
        pytest.param([(5, None)], write_id(5), id="the-id-where-nobody-wrote-one"),
    ],
)
def test_players_have_the_name_of_their_own_number(
    names: list[tuple[int, str | None]], shown: str
) -> None:
    games = [
        game(k, 1, number, result="1-0", names=("One", name))
        for k, (number, name) in enumerate(names)
    ]
    assert counted(*games, merged={15: 5})[5,].names == [shown]
    assert counted(*games, merged={15: 5})[5,].games == len(games)


def test_a_team_is_one_whoever_of_them_sits_where() -> None:
    """Names are those of the players; with another partner it is another team."""
    lines = counted(
        game(1, 1, 3, 2, 4, result="1-0", votes=(4, 3)),
        game(2, 4, 2, 3, 1, result="1-0", votes=(5, 1)),
        game(3, 1, 2, 3, 4, result="0-1"),
        game(4, 1, 2, result="1-0"),
        teams=True,
    )
    assert {who: (line.names, line.games, line.points) for who, line in lines.items()} == {
        (1, 2): (["player 1", "player 2"], 2, 1.0),
        (3, 4): (["player 3", "player 4"], 2, 1.0),
        (1, 3): (["player 1", "player 3"], 1, 0.0),
        (2, 4): (["player 2", "player 4"], 1, 1.0),
    }
    assert lines[1, 2].ids == [write_id(1), write_id(2)]
    assert (lines[1, 2].votes_for, lines[1, 2].votes_against) == (5, 8)


def test_nobody_is_a_team_with_themselves() -> None:
    lines = counted(game(1, 5, 1, 15, 2, result="1-0"), merged={15: 5}, teams=True)
    assert list(lines) == [(1, 2)]


@pytest.mark.parametrize(
    "tiebreaks", [[], ["points", "points"], ["Points"], ["points", "elo"], ["elo"]]
)
def test_tie_breaks_are_some_of_these_each_once(tiebreaks: list[str]) -> None:
    with pytest.raises(BadQuery, match=r"tie-breaks are some of points, .*, each once") as refused:
        check_tiebreaks(tiebreaks)
    assert refused.value.field == "tiebreaks"
    check_tiebreaks(list(TIEBREAKS))
    check_tiebreaks(["votes"])
