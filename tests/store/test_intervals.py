"""Intervals of counts by trick, compared with a bootstrap that resamples whole games."""

import statistics
from collections.abc import Callable
from random import Random

import duckdb
import pytest

from claimlog.game import Game as Played
from claimlog.store import Archive, Context, Filter, Rate
from claimlog.store.questions.intervals import Z, low_sql, rate

from .naive import Game, Sum

Sample = list[tuple[float, int]]
"""By game: the points, and the number of observations."""


def leads(games: list[Game], phase: int) -> Sample:
    """The points of the leaders, trick by trick."""
    rows = []
    for game in games:
        points = [game.points(t.leader) for t in game.tricks() if t.phase == phase and not t.auto]
        known = [one for one in points if one is not None]
        rows.append((sum(known), len(known)))
    return [one for one in rows if one[1]]


def led_and_won(games: list[Game], phase: int) -> Sample:
    rows = []
    for game in games:
        won = [
            t.winner == t.leader
            for t in game.tricks()
            if t.phase == phase and not t.auto and t.winner is not None
        ]
        rows.append((float(sum(won)), len(won)))
    return [one for one in rows if one[1]]


def long_leads(games: list[Game], phase: int) -> Sample:
    """How many leads last three tricks."""
    rows = []
    for game in games:
        leaders = [t.leader for t in game.tricks() if t.phase == phase]
        runs = []
        for place, leader in enumerate(leaders):
            if not place or leaders[place - 1] != leader:
                runs.append(0)
            runs[-1] += 1
        rows.append((float(runs.count(3)), len(runs)))
    return [one for one in rows if one[1]]


def spread(sample: Sample) -> float:
    """The standard error of the rate, by resampling games again and again."""
    random = Random(1)
    rates = []
    for _ in range(600):
        drawn = random.choices(sample, k=len(sample))
        rates.append(sum(y for y, _ in drawn) / sum(n for _, n in drawn))
    return statistics.stdev(rates)


def of_leads(archive: Archive) -> Rate:
    return archive.explore(Context(phase=2)).result


def of_winning_leads(archive: Archive) -> Rate:
    return archive.lead_stats().trick_won_by_phase[0].result


def of_long_leads(archive: Archive) -> Rate:
    return archive.lead_lengths(phase=1).lengths[2].share


@pytest.mark.parametrize(
    ("asked", "sample", "phase"),
    [(of_leads, leads, 2), (of_winning_leads, led_and_won, 1), (of_long_leads, long_leads, 1)],
)
def test_an_interval_is_as_wide_as_drawing_games_says(
    full: Archive,
    replayed: list[Played],
    asked: Callable[[Archive], Rate],
    sample: Callable[[list[Game], int], Sample],
    phase: int,
) -> None:
    drawn = sample([Game(replay, "") for replay in replayed], phase)
    rates = asked(full)
    assert rates.count == sum(n for _, n in drawn)
    assert rates.points == pytest.approx(sum(y for y, _ in drawn), abs=1e-3)
    assert rates.low is not None
    assert rates.high is not None
    half = (rates.high - rates.low) / 2
    apart = rate(rates.count, rates.points)
    assert apart.low is not None
    assert apart.high is not None
    # Not narrower than that of independent tricks.
    assert half >= (apart.high - apart.low) / 2 - 1e-12
    wanted = max(Z * spread(drawn), (apart.high - apart.low) / 2)
    assert half == pytest.approx(wanted, rel=0.12)


def test_a_players_leads_hang_together(full: Archive, replayed: list[Played]) -> None:
    """All leads of a player in a game share its one result: their number says little."""
    found = full.explore(Context(phase=2), Filter(player="Player Nr 3"), by="player").result
    wanted = Sum()
    for number, replay in enumerate(replayed):
        game = Game(replay, str(number))
        for trick in game.tricks():
            if trick.phase == 2 and not trick.auto and game.name(trick.leader) == "Player Nr 3":
                wanted.add(game.points(trick.leader), game=game.id)
    assert wanted == found
    apart = rate(found.count, found.points)
    assert found.low is not None
    assert found.high is not None
    assert apart.low is not None
    assert apart.high is not None
    assert found.high - found.low > 1.5 * (apart.high - apart.low)


def test_of_many_tricks_only_the_width_is_estimated(
    full: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counts and rates are those of all tricks; intervals are about as wide, from fewer games."""

    def asked() -> dict[str, Rate]:
        explored = full.explore(Context())
        lengths = full.lead_lengths()
        leads = full.lead_stats()
        rates = {"leads": explored.result, "won": leads.trick_won}
        rates |= {rate.key: rate.result for rate in leads.trick_won_by_phase}
        rates |= {f"{one.length}": one.share for one in lengths.lengths}
        for move in explored.moves:
            rates |= {f"{move.card} won": move.won_trick, f"{move.card} share": move.share}
        return rates

    def width(one: Rate) -> float:
        assert one.low is not None
        assert one.high is not None
        return one.high - one.low

    whole = asked()
    monkeypatch.setattr(
        "claimlog.store.questions.design_effects.SAMPLED", sum(r.count for r in whole.values())
    )
    assert asked() == whole
    monkeypatch.setattr("claimlog.store.questions.design_effects.SAMPLED", 1_000)
    sampled = asked()
    assert [(key, one.count, one.points, one.rate) for key, one in sampled.items()] == [
        (key, one.count, one.points, one.rate) for key, one in whole.items()
    ]
    assert sampled != whole
    for key in ("leads", "won", "1", "2"):
        assert width(sampled[key]) == pytest.approx(width(whole[key]), rel=0.35), key
    ratios = [width(sampled[key]) / width(whole[key]) for key in whole if whole[key].count > 30]
    assert statistics.median(ratios) == pytest.approx(1, rel=0.1)


@pytest.mark.parametrize("effect", [1.0, 1.3, 2.7])
def test_nothing_and_everything_are_exactly_the_ends_of_the_scale(effect: float) -> None:
    for count in range(1, 100):
        nothing, everything = rate(count, 0, effect), rate(count, count, effect)
        assert (nothing.rate, nothing.low) == (0, 0)
        assert (everything.rate, everything.high) == (1, 1)
        assert nothing.high is not None
        assert everything.low is not None
        assert nothing.high < 1
        assert everything.low > 0


def test_the_lower_end_in_sql_is_that_of_the_rate() -> None:
    """Exactly 0 if nothing was scored, so that such players are equal in a list."""
    sql = low_sql("points", "number")
    rows = duckdb.sql(
        f"SELECT number, points, {sql} FROM range(0, 60) n(number), "
        "(VALUES (0.0), (0.5), (1.0)) p(points) WHERE points <= number"
    ).fetchall()
    for count, points, low in rows:
        wanted = rate(count, points).low or 0
        assert low == (pytest.approx(wanted, abs=1e-12) if points else 0)
