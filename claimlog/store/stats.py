"""Statistics: results, factions, cards, upcards, leads.

Everything is counted by DuckDB into small tables of groups, from which the rates are made
here.  Only finished games bring points; the rows of `tricks` and `factions_won` carry those of
their game in codes (`claimlog.store.codes`), so that nothing is joined unless there is a filter.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, get_args

from claimlog.cards import CARDS, FACTION_OF, FACTIONS, LETTERS, NAMES, deck_letters
from claimlog.notation.tags import TERMINATIONS
from claimlog.rules.setup import RULE_SETS, RULINGS, sides_of
from claimlog.store import types as t
from claimlog.store.codes import BY_LEADER, DECIDED, FACE_DOWN, POINTS, THREE_SIDES, WON, share_of
from claimlog.store.errors import BadQuery
from claimlog.store.rates import RateCounter, rate

if TYPE_CHECKING:
    from claimlog.store.filter import Filter
    from claimlog.store.games import Games

GROUPINGS: Final[tuple[str, ...]] = get_args(t.Grouping)


class Stats:
    """The reading side for statistics."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self.database = games.database

    def _tricks(self, filter: Filter, columns: str, more: str) -> tuple[str, list[Any]]:
        """SQL that begins a query of the tricks of some games, called `chosen` in it.

        With a filter they are looked for once; all tricks are read in place.
        """
        parameters: list[Any] = []
        made = self.games.where(filter)
        inside = made.inside("game", parameters)
        how = "NOT MATERIALIZED" if made.empty else "MATERIALIZED"
        sql = f"WITH chosen AS {how} (SELECT {columns} FROM tricks WHERE {inside}{more}) "
        return sql, parameters

    # Results ---------------------------------------------------------------------------

    def results(self, by: str, filter: Filter) -> t.ResultStats:
        """See `Archive.result_stats`."""
        if by not in GROUPINGS:
            raise BadQuery(f"results are grouped by {', '.join(GROUPINGS)}", "by")
        made = self.games.where(filter)
        key = {
            "seat": "0",
            "side": "0",
            "leader": "leader",
            "deck": "deck",
            "faction": "deck",
            "rules": "rules",
            "rulings": "rulings",
            "seats": "seats",
            "termination": "termination",
            "event": self.games.identities.event_name_sql("event", "event_name"),
            "year": "year(day)",
            "votes": "concat_ws('-', votes1, votes2, votes3)",
            "tiebreak": "tiebreak",
        }[by]
        rows = self.database.rows(
            f"SELECT {key} AS key, seats, leader, result, count(*), count(*) FILTER (complete), "
            f"tricks > 0 FROM games g WHERE {made.sql} GROUP BY ALL",
            made.parameters,
        )
        games = sum(row[4] for row in rows)
        complete = sum(row[5] for row in rows)
        groups: dict[Any, _Group] = defaultdict(_Group)
        for value, seats, leader, result, count, _, led in rows:
            if by == "leader" and not led:
                continue
            for group_key, seat in _groups(by, value, seats, leader):
                group = groups[group_key]
                group.games += count
                points = share_of(result, seat)
                if points is not None and (led or by in ("seat", "side")):
                    group.tally.add(points * count, count)
                    group.shared += count if (result & 7).bit_count() > 1 else 0
        return t.ResultStats(
            by=by,  # type: ignore[arg-type]
            games=games,
            complete=complete,
            groups=[
                t.GroupStat(
                    key=str(group_key),
                    games=group.games,
                    share=rate(games, group.games),
                    result=group.tally.rate(),
                    shared=group.shared,
                )
                for group_key, group in sorted(
                    groups.items(), key=lambda item: (-item[1].games, str(item[0]))
                )
            ],
        )

    # Factions --------------------------------------------------------------------------

    def factions(self, filter: Filter) -> list[t.FactionStat]:
        """See `Archive.faction_stats`."""
        made = self.games.where(filter)
        inside = "true" if made.empty else "game IN (SELECT game FROM chosen)"
        made.add("g.complete")
        found = self.database.rows(
            f"WITH chosen AS MATERIALIZED (SELECT game, deck FROM games g WHERE {made.sql}) "
            "SELECT NULL, deck, count(*), NULL FROM chosen GROUP BY deck UNION ALL "
            "SELECT faction, code, count(*), sum(margin) FROM factions_won "
            f"WHERE {inside} GROUP BY faction, code",
            made.parameters,
        )
        decks = [(deck, count) for faction, deck, count, _ in found if faction is None]
        rows = [row for row in found if row[0] is not None]
        total = sum(count for _, count in decks)
        stats = []
        for f, faction in enumerate(FACTIONS):
            present = sum(count for deck, count in decks if deck >> f & 1)
            if not present:
                continue
            decided, by_leader, worth, without = (
                RateCounter(),
                RateCounter(),
                RateCounter(),
                RateCounter(),
            )
            margin = 0
            for number, code, count, lead in rows:
                if number != f:
                    continue
                won = bool(code & DECIDED)
                decided.add(count if won else 0, count)
                if not won:
                    continue
                by_leader.add(count if code & BY_LEADER else 0, count)
                margin += lead
                points = POINTS[code & 7]
                if points is not None:
                    worth.add(points * count, count)
                    sides = 3 if code & THREE_SIDES else 2
                    without.add((1 - points) * count, (sides - 1) * count)
            own, others = worth.rate(), without.rate()
            stats.append(
                t.FactionStat(
                    faction=LETTERS[f],
                    name=faction.name,
                    in_deck=rate(total, present),
                    decided=decided.rate(),
                    by_leader=by_leader.rate(),
                    margin=margin / by_leader.count if by_leader.count else None,
                    worth=own,
                    worth_margin=None
                    if own.rate is None or others.rate is None
                    else own.rate - others.rate,
                )
            )
        return stats

    # Cards -----------------------------------------------------------------------------

    def cards(self, filter: Filter, phase: int | None) -> list[t.CardStat]:
        """See `Archive.card_stats`."""
        source, parameters = self._tricks(filter, "c1, c2, c3, c4, h1, h2, h3, h4", _phase(phase))
        groups = " UNION ALL ".join(
            f"SELECT c{j} AS card, h{j} AS how, {j} = 1 AS led, count(*) AS number FROM chosen "
            f"WHERE c{j} IS NOT NULL GROUP BY c{j}, h{j}"
            for j in (1, 2, 3, 4)
        )
        rows = self.database.rows(
            f"{source} SELECT card, how, led, sum(number) FROM ({groups}) GROUP BY ALL", parameters
        )
        return _card_stats(rows)

    def upcards(self, filter: Filter) -> list[t.UpcardStat]:
        """See `Archive.upcard_stats`."""
        source, parameters = self._tricks(filter, "up1, up2, u1, u2", " AND phase = 1")
        rows = self.database.rows(
            source
            + " UNION ALL ".join(
                f"SELECT up{k}, u{k}, count(*) FROM chosen WHERE up{k} IS NOT NULL "
                f"GROUP BY up{k}, u{k}"
                for k in (1, 2)
            ),
            parameters,
        )
        shown = [0] * CARDS
        takers = [RateCounter() for _ in range(CARDS)]
        winners = [RateCounter() for _ in range(CARDS)]
        everybody = RateCounter()
        for number, code, count in rows:
            shown[number] += count
            for points, tally in (
                (POINTS[code & 7], takers[number]),
                (POINTS[code & 7], everybody),
                (POINTS[code >> 3], winners[number]),
            ):
                if points is not None:
                    tally.add(points * count, count)
        mean = everybody.rate().rate
        stats = []
        for number in range(CARDS):
            if shown[number]:
                taker = takers[number].rate()
                stats.append(
                    t.UpcardStat(
                        card=NAMES[number],
                        faction=LETTERS[FACTION_OF[number]],
                        shown=shown[number],
                        taker=taker,
                        winner=winners[number].rate(),
                        worth=None if taker.rate is None or mean is None else taker.rate - mean,
                    )
                )
        return stats

    # Leads -----------------------------------------------------------------------------

    def leads(self, filter: Filter) -> t.LeadStats:
        """See `Archive.lead_stats`."""
        made = self.games.where(filter)
        made.add("g.result <> 0 AND g.tricks > 0")
        rows = self.database.rows(
            f"""
            SELECT seats, leader, result, phase1_last, phase2_first, most, count(*) FROM (
                SELECT *, CASE WHEN phase1_last IS NULL THEN 0 WHEN seats = 4 THEN
                    CASE sign((phase1_won1 + phase1_won3)::INTEGER - (phase1_won2 + phase1_won4))
                    WHEN 1 THEN 1 WHEN -1 THEN 2 ELSE 0 END
                WHEN seats = 3 THEN
                    CASE WHEN phase1_won1 > greatest(phase1_won2, phase1_won3) THEN 1
                         WHEN phase1_won2 > greatest(phase1_won1, phase1_won3) THEN 2
                         WHEN phase1_won3 > greatest(phase1_won1, phase1_won2) THEN 3 ELSE 0 END
                ELSE CASE WHEN phase1_won1 > phase1_won2 THEN 1
                          WHEN phase1_won2 > phase1_won1 THEN 2 ELSE 0 END END AS most
                FROM games g WHERE {made.sql})
            GROUP BY ALL
            """,
            made.parameters,
        )
        first, last, most, second = RateCounter(), RateCounter(), RateCounter(), RateCounter()
        by_seats: dict[int, RateCounter] = defaultdict(RateCounter)
        for seats, leader, result, phase1_last, phase2_first, majority, count in rows:
            for seat, tally in (
                (leader, first),
                (leader, by_seats[seats]),
                (phase1_last, last),
                (phase2_first, second),
                (majority, most),
            ):
                points = share_of(result, seat) if seat else None
                if points is not None:
                    tally.add(points * count, count)
        return t.LeadStats(
            games=first.count,
            first_lead=first.rate(),
            phase1_last=last.rate(),
            phase1_most=most.rate(),
            phase2_first=second.rate(),
            by_seats=[
                t.NamedRate(key=str(seats), label=f"{seats} players", result=tally.rate())
                for seats, tally in sorted(by_seats.items())
            ],
        )

    def lengths(self, filter: Filter, phase: int | None) -> t.LeadLengths:
        """See `Archive.lead_lengths`."""
        parameters: list[Any] = []
        inside = self.games.where(filter).inside("game", parameters) + _phase(phase)
        rows = self.database.rows(
            f"SELECT run, h1, count(*) FROM tricks WHERE {inside} AND run > 0 GROUP BY run, h1",
            parameters,
        )
        counts: dict[int, int] = defaultdict(int)
        tallies: dict[int, RateCounter] = defaultdict(RateCounter)
        for run, how, count in rows:
            counts[run] += count
            points = None if how is None else POINTS[how & 7]
            if points is not None:
                tallies[run].add(points * count, count)
        total = sum(counts.values())
        return t.LeadLengths(
            leads=total,
            mean=sum(run * count for run, count in counts.items()) / total if total else None,
            longest=max(counts, default=0),
            lengths=[
                t.LengthStat(
                    length=run,
                    count=count,
                    share=rate(total, count),
                    result=tallies[run].rate(),
                )
                for run, count in sorted(counts.items())
            ],
        )


class _Group:
    def __init__(self) -> None:
        self.games = 0
        self.shared = 0
        self.tally = RateCounter()


def _groups(by: str, value: Any, seats: int, leader: int) -> list[tuple[Any, int]]:
    """The groups a game belongs to, with the seat whose points count in each."""
    sides = sides_of(seats)
    if by == "seat":
        return [(seat, seat) for seat in range(1, seats + 1)]
    if by == "side":
        return [(side, side) for side in range(1, sides + 1)]
    if by == "faction":
        return [(LETTERS[f], leader) for f in range(len(LETTERS)) if value >> f & 1]
    if by == "deck":
        return [(deck_letters(value), leader)]
    if by == "rules":
        return [(RULE_SETS[value], leader)]
    if by == "termination":
        return [(TERMINATIONS[value], leader)]
    if by == "tiebreak":
        return [(("none", "cards", "value")[value], leader)] if value is not None else []
    if by == "rulings":
        return [
            (f"{key}={RULINGS[key].values[value >> bit & 1]}", leader)
            for bit, key in enumerate(("trolls", "dragons", "automatons", "raccoons"))
        ]
    return [(value, leader)] if value not in (None, "") else []


def _phase(phase: int | None) -> str:
    if phase is None:
        return ""
    if phase not in (1, 2):
        raise BadQuery("a phase is 1 or 2", "phase")
    return f" AND phase = {phase}"


def _card_stats(rows: list[tuple[Any, ...]]) -> list[t.CardStat]:
    """Card statistics from one row for each card and way of playing it."""
    plays = [0] * CARDS
    kinds = {
        name: [RateCounter() for _ in range(CARDS)]
        for name in ("led", "followed", "discarded", "won_led", "won_followed")
    }
    for number, code, led, count in rows:
        plays[number] += count
        how = "discarded" if code & FACE_DOWN else "led" if led else "followed"
        points = POINTS[code & 7]
        if points is not None:
            kinds[how][number].add(points * count, count)
        if code & DECIDED and not code & FACE_DOWN:
            kinds[f"won_{how}"][number].add(count if code & WON else 0, count)
    return [
        t.CardStat(
            card=NAMES[number],
            faction=LETTERS[FACTION_OF[number]],
            plays=plays[number],
            led=kinds["led"][number].rate(),
            followed=kinds["followed"][number].rate(),
            discarded=kinds["discarded"][number].rate(),
            won_led=kinds["won_led"][number].rate(),
            won_followed=kinds["won_followed"][number].rate(),
        )
        for number in range(CARDS)
        if plays[number]
    ]
