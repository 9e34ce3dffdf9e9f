"""Every statistic compared with the replays."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from random import Random
from typing import Any

import pytest

from claimlog.game import Game as Played
from claimlog.store import Archive, BadQuery, Context, Filter

from .conftest import take_in
from .naive import Game, Sum, seats_in_order, sums
from .random_games import record
from .test_people import short

FILTERS = [
    Filter(),
    Filter(player="Player Nr 3"),
    Filter(event="Open 1", since="2014"),
    Filter(seats=4),
    Filter(factions="X", led=("X",)),
    Filter(text="nobody at all"),
]


@pytest.fixture(scope="module", params=FILTERS, ids=str)
def chosen(
    request: pytest.FixtureRequest, full: Archive, replayed: list[Played]
) -> tuple[Filter, list[Game]]:
    filter: Filter = request.param
    rows = full.games(sort="oldest", limit=1000).games
    wanted = {row.id for row in full.games(filter, limit=1000).games}
    games = [Game(replay, row.id) for replay, row in zip(replayed, rows, strict=True)]
    return filter, [game for game in games if game.id in wanted]


Chosen = tuple[Filter, list[Game]]


def test_results(full: Archive, chosen: Chosen) -> None:
    filter, games = chosen
    by: dict[str, dict[str, Sum]] = defaultdict(sums)
    number: dict[str, Counter[str]] = defaultdict(Counter)
    for game in games:
        leader = game.replay.leader
        keys = [("seat", str(s), s) for s in range(1, game.seats + 1)]
        keys += [("side", str(s), s) for s in range(1, game.sides + 1)]
        keys += [("faction", letter, leader) for letter in game.deck]
        keys += [
            ("leader", str(leader), leader),
            ("deck", game.tags["Deck"], leader),
            ("rules", game.replay.rules, leader),
            ("seats", str(game.seats), leader),
            ("termination", game.tags.get("Termination", "normal"), leader),
            ("event", game.tags["Event"], leader),
            ("year", game.tags["Date"][:4], leader),
            *(("rulings", f"{k}={v}", leader) for k, v in game.replay.rulings.items()),
        ]
        if game.replay.score:
            keys.append(("votes", "-".join(map(str, game.votes)), leader))
            keys.append(("tiebreak", game.replay.score.tiebreak or "none", leader))
        for group, key, seat in keys:
            led = bool(game.tricks())
            if group == "leader" and not led:
                continue
            # If nobody led any trick, the answer says nothing about leaders.
            by[group][key].add(game.points(seat) if led or group in ("seat", "side") else None)
            number[group][key] += 1
    for group in [
        "seat",
        "side",
        "faction",
        "leader",
        "deck",
        "rules",
        "seats",
        "termination",
        "event",
        "year",
        "rulings",
        "votes",
        "tiebreak",
    ]:
        stats = full.result_stats(group, filter)  # type: ignore[arg-type]
        assert stats.games == len(games)
        assert stats.complete == sum(game.replay.complete for game in games)
        assert {g.key: g.games for g in stats.groups} == dict(number[group])
        for entry in stats.groups:
            assert by[group][entry.key] == entry.result
            assert entry.share.count == len(games)


def test_an_event_is_one_in_results_however_it_is_spelt(archive: Archive) -> None:
    games = [
        short(name, n, "1-0", "Ann", "Bob")
        for n, name in enumerate(
            ["Team Cup", "TEAM CUP", "Coupe\u0301", "Coup\u00e9", "Spring", ""]
        )
    ]
    take_in(archive, "\n".join(games))
    archive.rename_event("Spring", "Summer", by="Director")
    archive.merge_events("coup\u00e9", "team cup", by="Director")
    groups = archive.result_stats("event").groups
    assert {group.label: group.games for group in groups} == {"Team Cup": 4, "Summer": 1}
    for group in groups:
        assert (
            archive.count(Filter(event=group.key)) == group.games == archive.event(group.key).games
        )


def test_factions(full: Archive, chosen: Chosen) -> None:
    filter, games = chosen
    stats = {entry.faction: entry for entry in full.faction_stats(filter)}
    games = [game for game in games if game.replay.complete]
    assert set(stats) == {letter for game in games for letter in game.deck}
    for letter, entry in stats.items():
        decided, by_leader, worth, without = Sum(), Sum(), Sum(), Sum()
        margins = []
        for game in games:
            score = game.replay.score
            if letter not in game.deck or score is None:
                continue
            faction = score.factions[letter]
            decided.add(faction.winner is not None)
            if faction.winner is None:
                continue
            by_leader.add((game.replay.leader - 1) % game.sides + 1 == faction.winner)
            others = [c for s, c in faction.counts.items() if s != faction.winner]
            margins.append(faction.counts[faction.winner] - max(others))
            for side in range(1, game.sides + 1):
                (worth if side == faction.winner else without).add(game.points(side))
        assert entry.in_deck.points == sum(letter in game.deck for game in games)
        assert decided == entry.decided
        assert by_leader == entry.by_leader
        assert worth == entry.worth
        assert entry.margin == (pytest.approx(sum(margins) / len(margins)) if margins else None)


@pytest.mark.parametrize("phase", [None, 1, 2])
def test_cards(full: Archive, chosen: Chosen, phase: int | None) -> None:
    filter, games = chosen
    kinds: dict[str, dict[Any, Sum]] = defaultdict(sums)
    plays: Counter[str] = Counter()
    for game in games:
        for trick in game.tricks():
            if phase not in (None, trick.phase):
                continue
            for place, play in enumerate(trick.plays):
                if play.card is None:
                    continue
                how = "discarded" if trick.auto else "followed" if place else "led"
                plays[play.card] += 1
                kinds[how][play.card].add(game.points(play.seat))
                if not trick.auto and trick.winner is not None:
                    kinds[f"won_{how}"][play.card].add(play.seat == trick.winner)
    stats = full.card_stats(filter, phase=phase)
    assert {entry.card: entry.plays for entry in stats} == dict(plays)
    for entry in stats:
        for kind in ("led", "followed", "discarded", "won_led", "won_followed"):
            assert kinds[kind][entry.card] == getattr(entry, kind)


def test_upcards(full: Archive, chosen: Chosen) -> None:
    filter, games = chosen
    shown: Counter[str] = Counter()
    takers, winners = sums(), sums()
    for game in games:
        for trick in game.tricks():
            for place, card in enumerate(trick.upcards):
                shown[card] += 1
                if trick.winner is None or trick.ranking is None:
                    continue
                winners[card].add(game.points(trick.winner))
                first = trick.ranking[1 if trick.looked else 0]
                if game.seats == 2:
                    seat = first
                elif trick.pick is None:
                    continue
                else:
                    second = trick.ranking[2 if trick.looked else 1]
                    picked = trick.upcards.index(trick.pick)
                    seat = first if place == picked else second
                assert trick.taken is not None
                assert trick.taken[seat] == card
                takers[card].add(game.points(seat))
    stats = full.upcard_stats(filter)
    assert {entry.card: entry.shown for entry in stats} == dict(shown)
    for entry in stats:
        assert takers[entry.card] == entry.taker
        assert winners[entry.card] == entry.winner
        if entry.taker.rate is not None:
            assert entry.worth == pytest.approx(entry.taker.rate - (entry.taker.expected or 0))


def test_leads(full: Archive, chosen: Chosen) -> None:
    filter, games = chosen
    first, last, most, second = Sum(), Sum(), Sum(), Sum()
    won_by_phase = {0: Sum(), 1: Sum(), 2: Sum()}
    for game in games:
        for trick in game.tricks():
            if not trick.auto and trick.winner is not None:
                for key in (0, trick.phase):
                    won_by_phase[key].add(trick.winner == trick.leader, game=game.id)
        if not game.finished or not game.tricks():
            continue
        first.add(game.points(game.replay.leader))
        early = [t for t in game.tricks() if t.phase == 1]
        late = [t for t in game.tricks() if t.phase == 2]
        total = {2: 13, 3: 12, 4: 9}[game.seats]
        if len(early) == total and early[-1].winner is not None:
            last.add(game.points(early[-1].winner))
            won = Counter(((t.winner or 1) - 1) % game.sides for t in early).most_common()
            if len(won) == 1 or won[0][1] > won[1][1]:
                most.add(game.points(won[0][0] + 1))
        if late:
            second.add(game.points(late[0].leader))
    stats = full.lead_stats(filter)
    assert first == stats.first_lead
    assert last == stats.phase1_last
    assert most == stats.phase1_most
    assert second == stats.phase2_first
    assert won_by_phase.pop(0) == stats.trick_won
    by_phase = {int(entry.key): entry.result for entry in stats.trick_won_by_phase}
    assert {key: won for key, won in won_by_phase.items() if won.count} == by_phase


# What was to be expected -------------------------------------------------------------------


class Shares:
    """Observations, and the value each would have if it were like everything it is compared with."""

    def __init__(self) -> None:
        self.seen: list[tuple[Any, Any, float]] = []

    def add(self, key: Any, mix: Any, points: float | None) -> None:
        if points is not None:
            self.seen.append((key, mix, points))

    def average(self) -> dict[Any, float]:
        """Replace every observation by the mean of its mix, then average by key."""
        alike: dict[Any, list[float]] = defaultdict(list)
        for _, mix, points in self.seen:
            alike[mix].append(points)
        by_key: dict[Any, list[float]] = defaultdict(list)
        for key, mix, _ in self.seen:
            by_key[key].append(sum(alike[mix]) / len(alike[mix]))
        return {key: sum(shares) / len(shares) for key, shares in by_key.items()}

    def of(self, rates: dict[Any, Any]) -> None:
        """Set these expected rates, and none for all others."""
        expected = {key: rate.expected for key, rate in rates.items() if rate.count}
        assert expected == pytest.approx(self.average(), abs=1e-8)
        assert all(rate.expected is None for rate in rates.values() if not rate.count)


def fair(game: Game) -> float | None:
    """The expected value for a side drawn at random."""
    sides = [game.points(side) for side in range(1, game.sides + 1)]
    return None if None in sides else sum(sides) / len(sides)  # type: ignore[arg-type]


def test_a_fair_share_is_expected_of_seats_players_and_leaders(
    full: Archive, chosen: Chosen
) -> None:
    filter, games = chosen
    seats, years, first, players = Shares(), Shares(), Shares(), Shares()
    tricks, by_phase = Shares(), Shares()
    for game in games:
        share = fair(game)
        for seat in range(1, game.seats + 1):
            seats.add(str(seat), game.id, share)
            players.add(game.who(seat), game.id, share)
        for trick in game.tricks():
            if not trick.auto and trick.winner is not None:
                tricks.add(0, game.id, 1 / game.seats)
                by_phase.add(str(trick.phase), game.id, 1 / game.seats)
        if game.tricks():
            years.add(game.tags["Date"][:4], game.id, share)
            first.add(0, game.id, share)
    seats.of({one.key: one.result for one in full.result_stats("seat", filter).groups})
    years.of({one.key: one.result for one in full.result_stats("year", filter).groups})
    leads = full.lead_stats(filter)
    first.of({0: leads.first_lead})
    tricks.of({0: leads.trick_won})
    by_phase.of({one.key: one.result for one in leads.trick_won_by_phase})
    listed = full.players(filter, limit=1000).players
    players.of(
        {next((n for n in r.names if n.startswith("id-")), r.name): r.result for r in listed}
    )


def test_a_fair_share_is_expected_in_a_profile(full: Archive, chosen: Chosen) -> None:
    filter, games = chosen
    for row in full.players(filter, limit=3).players:
        who = next((n for n in row.names if n.startswith("id-")), row.name)
        by_seat, factions, won = Shares(), Shares(), Shares()
        for game in games:
            for seat in range(1, game.seats + 1):
                if game.who(seat) != who or not game.finished:
                    continue
                by_seat.add(str(seat), game.id, fair(game))
                for letter in game.deck:
                    factions.add(letter, game.id, fair(game))
                if score := game.replay.score:
                    for letter, one in score.factions.items():
                        mix = (game.id, letter)
                        won.add(letter, mix, (one.winner is not None) / game.sides)
        profile = full.player(row.id, filter)
        by_seat.of({one.key: one.result for one in profile.by_seat})
        factions.of({one.key: one.result for one in profile.with_faction})
        won.of({one.key: one.result for one in profile.factions_won})


def test_what_is_won_is_compared_with_all_that_is_won(full: Archive, chosen: Chosen) -> None:
    """Factions, upcards, cards: with the points of all of them in games with as many seats."""
    filter, games = chosen
    worth, led, winners = Shares(), Shares(), Shares()
    for game in games:
        for trick in game.tricks():
            if trick.winner is not None and trick.ranking is not None:
                for card in trick.upcards:
                    winners.add(card, game.seats, game.points(trick.winner))
            if not trick.auto and trick.plays and trick.plays[0].card is not None:
                led.add(trick.plays[0].card, game.seats, game.points(trick.plays[0].seat))
        if score := game.replay.score:
            for letter, one in score.factions.items():
                if one.winner is not None and game.replay.complete:
                    worth.add(letter, game.sides, game.points(one.winner))
    worth.of({one.faction: one.worth for one in full.faction_stats(filter)})
    led.of({one.card: one.led for one in full.card_stats(filter)})
    winners.of({one.card: one.winner for one in full.upcard_stats(filter)})


def test_winners_of_factions_are_not_expected_to_win_half_of_their_games(full: Archive) -> None:
    expected = [one.worth.expected for one in full.faction_stats()]
    assert min(filter(None, expected)) > 0.55
    threes = full.result_stats("seat", Filter(seats=3)).groups
    assert [group.result.expected for group in threes] == pytest.approx([1 / 3] * 3)
    mixed = full.result_stats("leader").groups
    assert all(1 / 3 < (group.result.expected or 0) < 1 / 2 for group in mixed if group.key < "4")
    moves = full.explore(Context()).moves
    assert len({move.result.expected for move in moves}) == 1


@pytest.mark.parametrize("phase", [None, 1, 2])
def test_lead_lengths(full: Archive, chosen: Chosen, phase: int | None) -> None:
    filter, games = chosen
    lengths = sums()
    number: Counter[int] = Counter()
    all_lengths: list[tuple[str, int]] = []
    for game in games:
        for wanted in (1, 2):
            leaders = [t.leader for t in game.tricks() if t.phase == wanted]
            while leaders and phase in (None, wanted):
                length = 1
                while length < len(leaders) and leaders[length] == leaders[0]:
                    length += 1
                number[length] += 1
                lengths[length].add(game.points(leaders[0]), game=game.id)
                all_lengths.append((game.id, length))
                leaders = leaders[length:]
    stats = full.lead_lengths(filter, phase=phase)
    assert {entry.length: entry.count for entry in stats.lengths} == dict(number)
    assert stats.leads == sum(number.values())
    assert stats.longest == max(number, default=0)
    for entry in stats.lengths:
        assert lengths[entry.length] == entry.result
        share = Sum()
        for id, length in all_lengths:
            share.add(length == entry.length, game=id)
        assert share == entry.share


@pytest.mark.parametrize(
    "context",
    [
        Context(),
        Context(trick=1),
        Context(trick=14, seats=2),
        Context(phase=1, upcard="X"),
        Context(trick=3, upcard="G5"),
        Context(played=["G"]),
        Context(phase=2, played=["X3"]),
        Context(played=["G", "K"], seats=3),
    ],
    ids=str,
)
def test_explorer(full: Archive, chosen: Chosen, context: Context) -> None:
    filter, games = chosen
    results, wins, number = sums(), sums(), Counter[str]()
    where: dict[str, set[str]] = defaultdict(set)
    played: list[tuple[str, str]] = []
    everything = Sum()

    def fits(text: str, card: str | None) -> bool:
        return card is not None and (card == text or (len(text) == 1 and card[0] == text))

    for game in games:
        for trick in game.tricks():
            place = len(context.played)
            if (
                trick.auto
                or len(trick.plays) <= place
                or context.trick not in (None, trick.number)
                or context.phase not in (None, trick.phase)
                or context.seats not in (None, game.seats)
                or (context.upcard and not any(fits(context.upcard, c) for c in trick.upcards))
                or not all(
                    fits(text, play.card)
                    for text, play in zip(context.played, trick.plays, strict=False)
                )
            ):
                continue
            play = trick.plays[place]
            assert play.card is not None
            assert play.seat == seats_in_order(trick, game.seats)[place]
            number[play.card] += 1
            where[play.card].add(game.id)
            played.append((game.id, play.card))
            everything.add(game.points(play.seat), game=game.id)
            results[play.card].add(game.points(play.seat), game=game.id)
            if trick.winner is not None:
                wins[play.card].add(trick.winner == play.seat, game=game.id)
    answer = full.explore(context, filter, examples=2)
    assert {move.card: int(move.share.points) for move in answer.moves} == dict(number)
    assert answer.count == sum(number.values())
    assert everything == answer.result
    for move in answer.moves:
        share = Sum()
        for id, card in played:
            share.add(card == move.card, game=id)
        assert share == move.share
        assert results[move.card] == move.result
        assert wins[move.card] == move.won_trick
        assert set(move.examples) <= where[move.card]
        assert len(move.examples) == min(2, len(where[move.card]))


@pytest.mark.parametrize(
    "context",
    [
        Context(trick=27),
        Context(phase=3),
        Context(seats=1),
        Context(upcard="Q"),
        Context(played=["G"] * 4),
        Context(played=["G77"]),
    ],
)
def test_senseless_contexts(full: Archive, context: Context) -> None:
    with pytest.raises(BadQuery):
        full.explore(context)


def phase1(seed: int, **tags: str) -> str:
    """A game that was given up right after Phase 1's last trick."""
    text = record(Random(seed), seats="2", **tags)
    lines = text.split("\n")
    end = next(i for i, line in enumerate(lines) if line.startswith("14."))
    text = "\n".join([*lines[:end], "1-0"]) + "\n"
    text = re.sub(r'\[Result "[^"]*"\]', '[Termination "resignation"]\n[Result "1-0"]', text)
    return text


def test_games_stopped_after_phase_1_count_for_both(archive: Archive) -> None:
    whole = [
        seed
        for seed in range(60)
        if "14." in record(Random(seed), seats="2", Termination="resignation")
    ]
    texts = [
        phase1(seed).replace('[Termination "resignation"]\n[Term', "[Term") for seed in whole[:12]
    ]
    assert "stored" in {outcome.status for outcome in take_in(archive, "\n".join(texts))}
    stats = archive.lead_stats()
    assert stats.phase1_last.count == archive.count()
    # Thirteen tricks cannot be shared evenly by two.
    assert stats.phase1_most.count == archive.count()
    assert stats.phase2_first.count == 0


def test_nobody_leads_a_game_without_a_trick(archive: Archive) -> None:
    take_in(archive, "\n".join(short("Cup", n, "1-0", "Ann", "Bob") for n in range(5)))
    stats = archive.lead_stats()
    assert (stats.games, stats.first_lead.count) == (0, 0)
    assert archive.result_stats("leader").groups == []
    assert archive.result_stats("seat").groups[0].result.count == 5
    assert [g.result.count for g in archive.result_stats("deck").groups] == [0]
    profile = archive.player("Ann")
    assert (profile.leading.count, profile.following.count) == (0, 0)
    assert profile.by_seat[0].result.count == 5


def test_senseless_arguments(full: Archive) -> None:
    with pytest.raises(BadQuery):
        full.result_stats("weather")  # type: ignore[arg-type]
    with pytest.raises(BadQuery):
        full.card_stats(phase=3)
    with pytest.raises(BadQuery):
        full.explore(Context(), examples=1000)
