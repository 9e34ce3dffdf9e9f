"""Statistics: results, factions, cards, upcards, leads.

Everything is counted by DuckDB into small tables of groups, from which the rates are made
here.  Only finished games bring points; the rows of `tricks` and `factions_won` carry those of
their game in codes (`model.codes`), so that nothing is joined unless there is a filter.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, get_args

import msgspec

from claimlog.cards import CARDS, FACTION_OF, FACTIONS, LETTERS, NAMES, deck_letters
from claimlog.notation.tags import TERMINATIONS
from claimlog.rules.setup import RULE_SETS, RULINGS, sides_of
from claimlog.store.model import types as t
from claimlog.store.model.codes import (
    BY_LEADER,
    DECIDED,
    FACE_DOWN,
    MOST_SQL,
    POINTS,
    THREE_SIDES,
    WON,
    share_of,
)
from claimlog.store.model.errors import BadQuery
from claimlog.store.model.filter import By, CardSort, Filter, GroupSort, UpcardSort
from claimlog.store.model.ids import write_id
from claimlog.store.questions.design_effects import (
    LED,
    counted,
    counting_sql,
    read_clusters,
    sample_sql,
)
from claimlog.store.questions.expected import Averages, expecting, fair
from claimlog.store.questions.games import natural_key
from claimlog.store.questions.intervals import RateCounter, clusters_sql, rate
from claimlog.store.questions.order import by_value, ordered
from claimlog.store.questions.where import tricks_sql

if TYPE_CHECKING:
    from claimlog.store.questions.games import Games
    from claimlog.store.questions.where import Where

GROUPINGS: Final[tuple[str, ...]] = get_args(t.Grouping)
GROUP_SORTS: Final[tuple[str, ...]] = get_args(GroupSort)
_PEOPLE: Final = ("player", "opponent", "partner")
_NAMED: Final = ("event", *_PEOPLE)
"""What is told apart by its number, not by how it is spelt, and then called by its name."""


class Stats:
    """The reading side for statistics."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self.database = games.database

    def _summed(self, filter: Filter, by: By = "anybody") -> Where | None:
        """The condition on the roll-ups, where there are any and they tell these games apart."""
        others = msgspec.structs.replace(filter, seats=Filter().seats)
        if not self.database.rolls_up or by != "anybody" or others != Filter():
            return None
        return self.games.where(filter)

    # Results ---------------------------------------------------------------------------

    def results(self, by: str, filter: Filter, of: By, sort: str, min_games: int) -> t.ResultStats:
        """See `Archive.result_stats`."""
        if by not in GROUPINGS:
            raise BadQuery(f"results are grouped by {', '.join(GROUPINGS)}", "by")
        if sort not in GROUP_SORTS:
            raise BadQuery(f"groups are sorted by {', '.join(GROUP_SORTS)}", "sort")
        if of not in get_args(By):
            raise BadQuery("points are those of anybody or of player", "of")
        made = self.games.where(filter)
        groups, games, complete = (
            self._people(by, made) if by in _PEOPLE else self._groups(by, made, of)
        )
        labels = self._names(by, set(groups)) if by in _NAMED else {}
        stats = [
            t.GroupStat(
                key=write_id(key) if by in _PEOPLE else labels.get(key, str(key)),
                label=labels.get(key, str(key)),
                games=group.games,
                share=rate(games, group.games),
                result=group.rate(),
                shared=group.shared,
            )
            for key, group in groups.items()
            if group.tally.count >= min_games
        ]
        return t.ResultStats(
            by=by,  # type: ignore[arg-type]
            games=games,
            complete=complete,
            groups=_sorted_groups(stats, sort),
        )

    def _groups(self, by: str, made: Where, of: By) -> tuple[dict[Any, _Group], int, int]:
        """What `results` counts by something of the game, and how many games and complete ones."""
        key = {
            "seat": "0",
            "side": "0",
            "faction": "deck",
            "event": self.games.identities.event_sql("event"),
            "year": "year(day)",
            "month": "regexp_extract(date, '^[0-9]{4}-[0-9]{2}')",
            "table": "tbl",
            "votes": "CASE WHEN won1 IS NOT NULL THEN concat_ws('-', votes1, votes2, votes3) END",
        }.get(by, by)
        own = made.own_seat if of == "player" else "NULL"
        rows = self.database.rows(
            f"SELECT {key} AS key, seats, leader, result, count(*), count(*) FILTER (complete), "
            f"tricks > 0, own FROM (SELECT *, {own} AS own FROM games g WHERE {made.sql}) "
            "GROUP BY ALL",
            made.parameters,
        )
        groups: dict[Any, _Group] = defaultdict(_Group)
        for value, seats, leader, result, count, _, led, own_seat in rows:
            if by == "leader" and not led:
                continue
            for group_key, seat in _groups(by, value, seats, leader):
                if own_seat is not None:
                    if by in ("seat", "side") and (own_seat - seat) % _number(by, seats):
                        continue
                    seat = own_seat
                points = share_of(result, seat)
                counts = led or own_seat is not None or by in ("seat", "side")
                groups[group_key].add(count, points if counts else None, result)
        return groups, sum(row[4] for row in rows), sum(row[5] for row in rows)

    def _people(self, by: str, made: Where) -> tuple[dict[Any, _Group], int, int]:
        """The same by a player, or by an opponent or partner of the filter's player."""
        mate = "seats = 4 AND (own - seat) % 2 = 0"
        condition, whose = {
            "player": ("true", "seat"),
            "opponent": (f"own <> seat AND NOT ({mate})", "own"),
            "partner": (f"own <> seat AND {mate}", "own"),
        }[by]
        own = "NULL" if by == "player" else made.own_seat
        seats = " UNION ALL ".join(
            f"SELECT p{s} AS p, {s} AS seat, own, seats, result FROM f WHERE p{s} IS NOT NULL"
            for s in (1, 2, 3, 4)
        )
        rows = self.database.rows(
            f"""
            WITH f AS MATERIALIZED (SELECT *, {own} AS own FROM games g WHERE {made.sql}),
            s AS ({seats})
            SELECT {self.games.identities.root_sql("p")} AS key, result, seats, {whose} AS who,
                   count(*), NULL FROM s WHERE {condition} GROUP BY ALL
            UNION ALL SELECT NULL, NULL, NULL, NULL, count(DISTINCT game),
                             count(DISTINCT game) FILTER (complete) FROM f
            """,
            made.parameters,
        )
        groups: dict[Any, _Group] = defaultdict(_Group)
        games = complete = 0
        for key, result, _, who, count, whole in rows:
            if key is None:
                games, complete = count, whole
            else:
                groups[key].add(count, share_of(result, who), result)
        return groups, games, complete

    def _names(self, by: str, numbers: set[int]) -> dict[int, str]:
        """What players, or events, are called."""
        kind = "event" if by == "event" else "player"
        rows = self.database.rows(
            f"SELECT {kind}, coalesce(name, '') FROM {kind}s "
            f"WHERE {kind} IN (SELECT unnest(?::UBIGINT[]))",
            [sorted(numbers)],
        )
        if by == "event":
            return {key: self.games.identities.event_title(key, name) for key, name in rows}
        return dict(rows)

    def times(self, filter: Filter) -> t.TimeStats:
        """See `Archive.time_stats`."""
        made = self.games.where(filter)
        rows = self.database.rows(
            f"""
            WITH timed AS (
                SELECT seats, date_diff('second', started, ended) AS took FROM games g
                WHERE {made.sql})
            SELECT seats, count(*) FILTER (took > 0), count(*), avg(took) FILTER (took > 0),
                   median(took) FILTER (took > 0), min(took) FILTER (took > 0),
                   max(took) FILTER (took > 0)
            FROM timed GROUP BY GROUPING SETS ((), (seats)) ORDER BY seats NULLS FIRST
            """,
            made.parameters,
        )
        (_, timed, games, mean, median, shortest, longest), *by_seats = rows
        return t.TimeStats(
            games=games,
            timed=timed,
            mean=mean,
            median=median,
            shortest=shortest,
            longest=longest,
            by_seats=[
                t.TimeStat(
                    seats=seats,
                    games=timed,
                    mean=mean,
                    median=median,
                    shortest=shortest,
                    longest=longest,
                )
                for seats, timed, _, mean, median, shortest, longest in by_seats
                if timed
            ],
        )

    # Factions --------------------------------------------------------------------------

    def factions(self, filter: Filter) -> list[t.FactionStat]:
        """See `Archive.faction_stats`."""
        summed = self._summed(filter)
        if summed is not None:
            found = self.database.rows(
                "SELECT NULL, deck, sum(number), NULL FROM deck_sums g "
                f"WHERE {summed.sql} GROUP BY deck UNION ALL "
                "SELECT faction, code, sum(number), sum(margin) FROM faction_sums g "
                f"WHERE {summed.sql} GROUP BY faction, code",
                2 * summed.parameters,
            )
        else:
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
        winners = Averages()
        for number, code, count, _ in rows:
            points = POINTS[code & 7]
            if code & DECIDED and points is not None:
                winners.add(number, code & THREE_SIDES, points * count, count)
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
            own, others = expecting(worth.rate(), winners.of(f)), without.rate()
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

    def cards(
        self, filter: Filter, phase: int | None, by: By, sort: str, min_games: int
    ) -> list[t.CardStat]:
        """See `Archive.card_stats`."""
        made = self._summed(filter, by)
        if made is not None:
            source, parameters = "", made.parameters
            groups = f"SELECT * FROM card_sums g WHERE {made.sql}{_phase(phase)}"
        else:
            source, parameters = tricks_sql(
                self.games.where(filter), "c1, c2, c3, c4, h1, h2, h3, h4, seats", _phase(phase), by
            )
            groups = " UNION ALL ".join(
                f"SELECT seats, c{j} AS card, h{j} AS how, {j} = 1 AS led, count(*) AS number "
                f"FROM chosen WHERE c{j} IS NOT NULL"
                f"{f' AND place = {j}' if by == 'player' else ''} GROUP BY seats, c{j}, h{j}"
                for j in (1, 2, 3, 4)
            )
        rows = self.database.rows(
            f"{source} SELECT seats, card, how, led, sum(number) AS number FROM ({groups}) "
            "GROUP BY ALL HAVING sum(number) <> 0",
            parameters,
        )
        return ordered(_card_stats(rows), sort, get_args(CardSort), min_games)

    def upcards(self, filter: Filter, by: By, sort: str, min_games: int) -> list[t.UpcardStat]:
        """See `Archive.upcard_stats`."""
        made = self._summed(filter, by)
        if made is not None:
            rows = self.database.rows(
                "SELECT seats, card, code, true, true, sum(number) FROM upcard_sums g "
                f"WHERE {made.sql} GROUP BY ALL",
                made.parameters,
            )
        else:
            source, parameters = tricks_sql(
                self.games.where(filter),
                "up1, up2, u1, u2, took1, took2, winner, seats",
                _phase(1),
                by,
            )
            took, won = (
                ("took{k} IS NOT DISTINCT FROM own", "winner IS NOT DISTINCT FROM own")
                if by == "player"
                else ("true", "true")
            )
            rows = self.database.rows(
                source
                + " UNION ALL ".join(
                    f"SELECT seats, up{k}, u{k}, {took.format(k=k)}, {won}, count(*) FROM chosen "
                    f"WHERE up{k} IS NOT NULL GROUP BY ALL"
                    for k in (1, 2)
                ),
                parameters,
            )
        shown = [0] * CARDS
        takers = [RateCounter() for _ in range(CARDS)]
        winners = [RateCounter() for _ in range(CARDS)]
        averages = Averages()
        for seats, number, code, took_it, won_it, count in rows:
            shown[number] += count
            for what, counts, points, tally in (
                ("taker", took_it, POINTS[code & 7], takers[number]),
                ("winner", won_it, POINTS[code >> 3], winners[number]),
            ):
                if counts and points is not None:
                    tally.add(points * count, count)
                    averages.add((what, number), (what, seats), points * count, count)
        stats = []
        for number in range(CARDS):
            if shown[number]:
                taker = expecting(takers[number].rate(), averages.of(("taker", number)))
                winner = expecting(winners[number].rate(), averages.of(("winner", number)))
                stats.append(
                    t.UpcardStat(
                        card=NAMES[number],
                        faction=LETTERS[FACTION_OF[number]],
                        shown=shown[number],
                        taker=taker,
                        winner=winner,
                        worth=None
                        if taker.rate is None or taker.expected is None
                        else taker.rate - taker.expected,
                    )
                )
        return ordered(stats, sort, get_args(UpcardSort), min_games)

    # Leads -----------------------------------------------------------------------------

    def leads(self, filter: Filter, by: By) -> t.LeadStats:
        """See `Archive.lead_stats`."""
        summed = self._summed(filter, by)
        won, rows = self._leads(filter, by) if summed is None else self._leads_summed(summed)
        wins = {
            key: expecting(rate(count, points, read_clusters(sums).effect), anybody)
            for key, count, points, anybody, *sums in won
        }
        first, last, most, second = _Group(), _Group(), _Group(), _Group()
        by_seats: dict[int, _Group] = defaultdict(_Group)
        for seats, leader, result, phase1_last, phase2_first, majority, own_seat, count in rows:
            sides = sides_of(seats)
            for seat, group, tally in (
                (leader, seats, first),
                (leader, seats, by_seats[seats]),
                (phase1_last, seats, last),
                (phase2_first, seats, second),
                (majority, sides, most),  # that is a side
            ):
                points = share_of(result, seat) if seat else None
                if points is None or (own_seat is not None and (own_seat - seat) % group):
                    continue
                tally.add(count, points, result)
        return t.LeadStats(
            games=first.tally.count,
            first_lead=first.rate(),
            phase1_last=last.rate(),
            phase1_most=most.rate(),
            phase2_first=second.rate(),
            by_seats=[
                t.NamedRate(key=str(seats), label=f"{seats} players", result=tally.rate())
                for seats, tally in sorted(by_seats.items())
                if tally.tally.count
            ],
            trick_won=wins.get(0, rate(0, 0)),
            trick_won_by_phase=[
                t.NamedRate(key=str(phase), label=f"Phase {phase}", result=wins[phase])
                for phase in (1, 2)
                if phase in wins
            ],
        )

    def _leads(self, filter: Filter, by: By) -> tuple[list[Any], list[Any]]:
        """The tricks that were led and won, by phase, and games by how they went."""
        made = self.games.where(filter)
        source, parameters = tricks_sql(made, "game, phase, leader, winner, auto, seats", "", by)
        own = made.own_seat if by == "player" else "NULL"
        mine = " AND leader = own" if by == "player" else ""
        led = f"FROM chosen WHERE {LED}{mine}"
        won = self.database.rows(
            f"""
            {source}, whole AS MATERIALIZED (
                SELECT phase, count(*) AS led, count(*) FILTER (winner = leader) AS won,
                       sum(1 / seats) AS anybody {led}
                GROUP BY GROUPING SETS ((phase), ())),
            each AS (
                SELECT game, phase, count(*) AS led, count(*) FILTER (winner = leader) AS won {led}
                AND {sample_sql("(SELECT max(led) FROM whole)")}
                GROUP BY GROUPING SETS ((game, phase), (game)))
            SELECT coalesce(whole.phase, 0) AS key, any_value(whole.led), any_value(whole.won),
                   any_value(whole.anybody), {clusters_sql("each.led", "each.won")}
            FROM whole LEFT JOIN each ON whole.phase IS NOT DISTINCT FROM each.phase
            GROUP BY key ORDER BY key
            """,
            parameters,
        )
        made.add("g.result <> 0 AND g.tricks > 0")
        rows = self.database.rows(
            f"""
            SELECT seats, leader, result, phase1_last, phase2_first, most, own, count(*) FROM (
                SELECT *, {MOST_SQL} AS most, {own} AS own FROM games g WHERE {made.sql})
            GROUP BY ALL
            """,
            made.parameters,
        )
        return won, rows

    def _leads_summed(self, made: Where) -> tuple[list[Any], list[Any]]:
        """The same from the roll-ups: the intervals are those of all games, not of a sample."""
        won = self.database.rows(
            "SELECT phase, sum(led), sum(won), sum(led / seats), sum(led), sum(won), sum(games), "
            f"sum(won_squared), sum(product), sum(led_squared) FROM lead_sums g WHERE {made.sql} "
            "GROUP BY phase HAVING sum(led) <> 0 ORDER BY phase",
            made.parameters,
        )
        rows = self.database.rows(
            "SELECT seats, leader, result, phase1_last, phase2_first, most, NULL, sum(number) "
            f"FROM course_sums g WHERE {made.sql} GROUP BY ALL HAVING sum(number) <> 0",
            made.parameters,
        )
        return won, rows

    def lengths(self, filter: Filter, phase: int | None, by: By) -> t.LeadLengths:
        """See `Archive.lead_lengths`."""
        source, parameters = tricks_sql(
            self.games.where(filter), "game, run, leader, h1", f"{_phase(phase)} AND run > 0", by
        )
        chosen = "chosen" if by == "anybody" else "(FROM chosen WHERE leader = own)"
        found = counted(
            self.database.rows(source + counting_sql(chosen, "run", "h1", 1), parameters)
        )
        sum_of_lengths = sum(run * one.count for run, one in found.kinds.items())
        return t.LeadLengths(
            leads=found.count,
            mean=sum_of_lengths / found.count if found.count else None,
            longest=max(found.kinds, default=0),
            lengths=[
                t.LengthStat(length=run, count=one.count, share=one.share, result=one.result)
                for run, one in found.kinds.items()
            ],
        )


class _Group:
    def __init__(self) -> None:
        self.games = 0
        self.shared = 0
        self.fair = 0.0
        self.tally = RateCounter()

    def rate(self) -> t.Rate:
        """The rate so far, and what was to be expected of sides that are all alike."""
        return expecting(self.tally.rate(), self.fair)

    def add(self, games: int, points: float | None, result: int) -> None:
        """So many games with a result; None if nobody's points count."""
        self.games += games
        if points is not None:
            self.tally.add(points * games, games)
            self.fair += fair(result) * games
            self.shared += games if (result & 7).bit_count() > 1 else 0


def _number(by: str, seats: int) -> int:
    """How many seats or sides there are."""
    return seats if by == "seat" else sides_of(seats)


def _sorted_groups(groups: list[t.GroupStat], sort: str) -> list[t.GroupStat]:
    """Groups in the order that is wanted; those without a rate stand last."""
    name = sort.removeprefix("-")
    groups = sorted(groups, key=lambda group: (natural_key(group.label), group.key))
    if name == "key":
        return groups[::-1] if sort != name else groups
    return by_value(
        groups,
        lambda group: group.games if name == "games" else getattr(group.result, name),
        down=sort == name,
    )


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
        return [(deck_letters(value), leader)] if value else []
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
    averages = Averages()
    for seats, number, code, led, count in rows:
        plays[number] += count
        how = "discarded" if code & FACE_DOWN else "led" if led else "followed"
        points = POINTS[code & 7]
        if points is not None:
            kinds[how][number].add(points * count, count)
            averages.add((how, number), (how, seats), points * count, count)
        if code & DECIDED and not code & FACE_DOWN:
            won = count if code & WON else 0
            kinds[f"won_{how}"][number].add(won, count)
            averages.add((f"won_{how}", number), (f"won_{how}", seats), won, count)

    def rate_of(name: str, number: int) -> t.Rate:
        return expecting(kinds[name][number].rate(), averages.of((name, number)))

    return [
        t.CardStat(
            card=NAMES[number],
            faction=LETTERS[FACTION_OF[number]],
            plays=plays[number],
            led=rate_of("led", number),
            followed=rate_of("followed", number),
            discarded=rate_of("discarded", number),
            won_led=rate_of("won_led", number),
            won_followed=rate_of("won_followed", number),
        )
        for number in range(CARDS)
        if plays[number]
    ]
