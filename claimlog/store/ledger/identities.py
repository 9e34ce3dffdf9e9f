"""Who is who: the numbers of players and events, and the aliases that a director merged."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

from claimlog.notation.matching import Names
from claimlog.notation.names import by_name, by_name_sql, folded, plain_sql, tidy
from claimlog.store.ledger.acts import directed
from claimlog.store.ledger.called import Called
from claimlog.store.model import types as t
from claimlog.store.model.errors import Ambiguous, ArchiveUnreachable, NotFound, refuse_unfit
from claimlog.store.model.ids import event_number, read_beginning, read_id, write_id
from claimlog.store.model.schema import SEATS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from claimlog.store.backend import Backend


REMEMBERED: Final = 1000
"""The largest number of texts whose meaning is cached."""


class _Known:
    """Merges and new names: the player by alias, the event by alias, the name by event.

    `names` are the last names given to events, `desks` those of events directed here, `named` all
    that were ever given, `former` the numbers of names that an event had for a while.  `titles` are
    the names of events that differ from the name in their games, for aliases too, once somebody has
    asked for them.
    """

    def __init__(
        self,
        decisions: int,
        players: dict[int, int],
        events: dict[int, int],
        names: dict[int, str],
        desks: dict[int, str],
        named: list[tuple[int, str]],
        former: set[int],
    ) -> None:
        self.decisions = decisions
        self.players = players
        self.events = events
        self.names = names
        self.desks = desks
        self.named = named
        self.former = former
        self.titles: dict[int, str] | None = None


def _roots(rows: list[tuple[int, int]]) -> dict[int, int]:
    """By alias: what it stands for in the end."""
    direct = dict(rows)
    roots = {}
    for alias in direct:
        end = alias
        for _ in range(len(direct)):
            if end not in direct:
                break
            end = direct[end]
        roots[alias] = end
    return roots


def _root_sql(column: str, roots: dict[int, int]) -> str:
    if not roots:
        return column
    cases = " ".join(f"WHEN {alias} THEN {root}" for alias, root in roots.items())
    return f"CASE {column} {cases} ELSE {column} END"


class Identities:
    """Finds players and events; caches the merges."""

    def __init__(self, database: Backend) -> None:
        self.database = database
        self.kept = Called(database)
        self._known = _Known(-1, {}, {}, {}, {}, [], set())
        self._recorded: dict[int, str] = {}
        """The names of events in their games, as last read."""
        self._by_name: dict[t.Kind, tuple[int, Names]] = {}
        self._meant: tuple[int, dict[tuple[t.Kind, str], set[int]]] = -1, {}
        """What texts meant at a generation."""

    def _now(self) -> _Known:
        """The current decisions of directors about players and events."""
        decisions = self.database.decisions
        known = self._known
        if known.decisions != decisions:
            players = _roots(
                self.database.ask_ledger("SELECT alias, player FROM merges WHERE undone_at IS NULL")
            )
            known = self._known = _Known(decisions, players, *self._events_now())
        return known

    def _events_now(
        self,
    ) -> tuple[dict[int, int], dict[int, str], dict[int, str], list[tuple[int, str]], set[int]]:
        """The event by alias, names by event, those of events directed here, all names given.

        Last, the names that an event had between two renamings, as numbers.
        """
        named = self.database.ask_ledger("SELECT event, name FROM event_names ORDER BY stored_at")
        names = dict(named)
        merged = self.database.ask_ledger(
            "SELECT alias, event FROM event_merges WHERE undone_at IS NULL"
        )
        desks = directed(self.database)
        # Games submitted under an event's new name belong to that event, and so do those under a
        # name that it had for a while, unless another event has it.
        given = {event_number(name): event for event, name in names.items()}
        others = {*given, *names, *desks, *(event for pair in merged for event in pair)}
        former = {event_number(name): event for event, name in named}
        former = {number: event for number, event in former.items() if number not in others}
        pairs = [*former.items(), *(pair for pair in given.items() if pair[0] != pair[1]), *merged]
        return _roots(pairs), names, desks, [*desks.items(), *named], set(former)

    def _titles(self) -> dict[int, str]:
        """The titles of events; only these need the tables, which whoever stores does not ask."""
        known = self._now()
        if known.titles is None:
            events = {*known.events, *known.names}
            if events:
                # Records are shown even if the lake is unreachable.
                with contextlib.suppress(ArchiveUnreachable):
                    self._recorded = dict(self.database.rows("SELECT event, name FROM events"))
            recorded = self._recorded
            titles = {}
            for event in events:
                root = known.events.get(event, event)
                titles[event] = (
                    known.names.get(root) or recorded.get(root) or known.desks.get(root) or ""
                )
            known.titles = titles
        return known.titles

    def merged(self) -> dict[int, int]:
        """By alias: the player that it stands for in the end."""
        return self._now().players

    def involved(self) -> set[int]:
        """The numbers of players and events that were merged, renamed, or stand for others."""
        known = self._now()
        return {*known.players, *known.players.values(), *known.events, *known.events.values()}

    def any_merged(self) -> bool:
        """Whether any player or event stands for another one."""
        known = self._now()
        return bool(known.players or known.events)

    def root(self, player: int) -> int:
        """The player that `player` stands for."""
        return self.merged().get(player, player)

    def with_aliases(self, roots: set[int]) -> set[int]:
        """`roots` and all their aliases."""
        return roots | {alias for alias, player in self.merged().items() if player in roots}

    # What is meant -----------------------------------------------------------------------

    def called(self, text: str) -> set[int]:
        """The players (aliases not resolved) that an id, an Id tag or a name may mean.

        Exact matches come first, then near ones (`notation.matching`), then beginnings of ids.
        """
        refuse_unfit(player=text)
        return self._remembered("player", text, self._called)

    def _called(self, text: str) -> set[int]:
        exact = self.exactly_called(text)
        return exact or self._names("player").meant(text) or self._begun("player", text)

    def exactly_called(self, text: str) -> set[int]:
        """The players (aliases not resolved) with this id, Id tag or name."""
        kept = self.kept.find("player", text)
        if kept is not None:
            return kept
        number = read_id(text)
        # An id goes before a name, and is looked up in half the time.
        if number is not None and self.database.rows(
            "SELECT player FROM players WHERE player = ?", [number]
        ):
            return {number}
        name = tidy(text)
        rows = self.database.rows(
            "SELECT player FROM players WHERE tag_id = ? OR lower(name) = lower(?)", [name, name]
        )
        return {row[0] for row in rows}

    def _remembered(self, kind: t.Kind, text: str, find: Callable[[str], set[int]]) -> set[int]:
        """What a text may mean, cached until the next write."""
        generation = self.database.generation
        if self._meant[0] != generation or len(self._meant[1]) >= REMEMBERED:
            self._meant = generation, {}
        meant = self._meant[1]
        numbers = meant.get((kind, text))
        if numbers is None:
            numbers = find(text)
            if numbers:  # a text without a match may get one in the lake a moment later
                meant[kind, text] = numbers
        return set(numbers)

    def find(self, text: str) -> set[int]:
        """The players (aliases resolved) that an id, an Id tag or a name may mean."""
        return {self.root(player) for player in self.called(text)}

    def player(self, text: str, field: str = "") -> int:
        """The one player meant, aliases resolved.  Raises NotFound or Ambiguous."""
        return self._one("player", text, self.find(text), field)

    def alias(self, text: str) -> int:
        """The one player meant, an alias unresolved.  Raises NotFound or Ambiguous."""
        return self._one("player", text, self.called(text), "")

    def numbers(self, text: str, field: str = "") -> set[int]:
        """All numbers, with aliases, of the one player meant.  Raises NotFound or Ambiguous."""
        return self.with_aliases({self.player(text, field)})

    def event(self, text: str, field: str = "") -> int:
        """The one event that an id or a name means, resolved.  Raises NotFound or Ambiguous."""
        roots = {self.event_root(event) for event in self._events_called(text)}
        return self._one("event", text, roots, field)

    def event_alias(self, text: str) -> int:
        """The one event meant, an alias unresolved.  Raises NotFound or Ambiguous."""
        return self._one("event", text, self._events_called(text), "")

    def events(self, text: str, field: str = "") -> set[int]:
        """All numbers, with aliases, of the one event meant.  Raises NotFound or Ambiguous."""
        return self.with_event_aliases(self.event(text, field))

    def event_root(self, event: int) -> int:
        """The event that `event` stands for."""
        return self._now().events.get(event, event)

    def event_named(self, name: str) -> int:
        """The event that has this name now, whoever had it for a while."""
        number = event_number(name)
        return number if number in self._now().former else self.event_root(number)

    def event_title(self, event: int, name: str) -> str:
        """The title of an event whose games call it `name`."""
        return self._titles().get(event, name)

    def with_event_aliases(self, event: int) -> set[int]:
        """An event and all its aliases."""
        return {event} | {alias for alias, root in self._now().events.items() if root == event}

    def _events_called(self, text: str) -> set[int]:
        """The events (aliases not resolved) that an id or a name, old or new, may mean."""
        refuse_unfit(event=text)
        return self._remembered("event", text, self._event_called)

    def _event_called(self, text: str) -> set[int]:
        number = read_id(text)
        given = self._named()
        kept = None if given[0] else self.kept.find("event", text)
        if kept is not None:
            return self._best_event(kept, text)
        if number is not None and (
            number in given[0]
            or self.database.rows("SELECT event FROM events WHERE event = ?", [number])
        ):
            return {number}
        name = tidy(text)
        sql = "SELECT event FROM events WHERE lower(name) = lower($1)"
        if given[0]:
            sql += (
                " UNION SELECT event FROM (SELECT unnest($2::UBIGINT[]) AS event, "
                "unnest($3::VARCHAR[]) AS name) WHERE lower(name) = lower($1)"
            )
        exact = {row[0] for row in self.database.rows(sql, [name, *(given if given[0] else ())])}
        return self._best_event(exact, text)

    def _best_event(self, exact: set[int], text: str) -> set[int]:
        """The events meant, if those are called exactly so or once were."""
        # The event that has a name now goes before those that only had it once.
        now = {event for event in exact if self._has_name(event, tidy(text))}
        return now or exact or self._names("event").meant(text) or self._begun("event", text)

    def _has_name(self, event: int, name: str) -> bool:
        """Whether an event, known to have or to have had a name, has it now."""
        root = self.event_root(event)
        title = self._now().names.get(root)
        return folded(title) == folded(name) if title else event == root

    def _named(self) -> tuple[list[int], list[str]]:
        """The events that were given names, and the names."""
        named = self._now().named
        return [event for event, _ in named], [name for _, name in named]

    def beginning(self, kind: t.Kind, text: str, limit: int) -> list[t.Candidate]:
        """Players or events with a word that begins so, names first; see `Archive.beginning`."""
        refuse_unfit(**{kind: text})
        columns = [f"p{seat}" for seat in SEATS] if kind == "player" else ["event"]
        name = "name" if kind == "player" else self.event_name_sql("event", "name")
        played = " UNION ".join(f"SELECT {column} FROM games" for column in columns)
        rows = self.database.rows(
            f"""
            WITH named AS (
                SELECT {kind} AS id, {name} AS name, {plain_sql(name)} AS plain,
                       ?::VARCHAR AS wanted
                FROM {kind}s WHERE name IS NOT NULL)
            SELECT min(id), name FROM named
            WHERE (starts_with(plain, wanted) OR contains(plain, ' ' || wanted))
              AND id IN ({played})
            GROUP BY name ORDER BY bool_or(starts_with(plain, wanted)) DESC,
                     {by_name_sql("name")} LIMIT ?
            """,
            [by_name(tidy(text))[0], limit],
        )
        return [t.Candidate(kind=kind, id=write_id(id), name=name) for id, name in rows]

    def _one(self, kind: t.Kind, text: str, roots: set[int], field: str) -> int:
        """Return the one of `roots`; those without games yield to the ones that have some."""
        if len(roots) == 1:
            return next(iter(roots))
        shown = " ".join(text.split())
        if not roots:
            nearest = self._names(kind).nearest(text)
            root = self.root if kind == "player" else self.event_root
            nearest = list(dict.fromkeys(map(root, nearest)))
            candidates = [one for one in self._candidates(kind, nearest) if one.games]
            raise NotFound(
                f"{kind}.unknown",
                name=shown,
                unclear=t.Unclear(
                    kind=kind, text=shown, field=field, count=0, candidates=candidates
                ),
            )
        possible = self._candidates(kind, sorted(roots))
        with_games = [one for one in possible if one.games]
        if len(with_games) == 1:
            number = read_id(with_games[0].id)
            assert number is not None
            return number
        possible = sorted(
            with_games or possible, key=lambda one: (-(one.games or 0), by_name(one.name), one.id)
        )
        raise Ambiguous(
            f"{kind}.several",
            number=len(possible),
            name=shown,
            unclear=t.Unclear(
                kind=kind,
                text=shown,
                field=field,
                count=len(possible),
                candidates=possible[: t.MOST_CANDIDATES],
            ),
        )

    def _names(self, kind: t.Kind) -> Names:
        """The names of all players, with their Id tags, or of all events."""
        generation = self.database.generation
        known = self._by_name.get(kind)
        if known is None or known[0] != generation:
            rows = self.database.rows(
                "SELECT player, name FROM players WHERE name IS NOT NULL UNION "
                "SELECT player, tag_id FROM players WHERE tag_id IS NOT NULL"
                if kind == "player"
                else "SELECT event, name FROM events WHERE name IS NOT NULL"
            )
            if kind == "event" and self._now().named:
                rows = list({*rows, *self._now().named})
            known = self._by_name[kind] = (generation, Names(rows))
        return known[1]

    def _begun(self, kind: t.Kind, text: str) -> set[int]:
        """Players or events whose ids begin with `text`."""
        bounds = read_beginning(text)
        if bounds is None:
            return set()
        rows = self.database.rows(
            f"SELECT {kind} FROM {kind}s WHERE {kind} BETWEEN ? AND ?", list(bounds)
        )
        return {row[0] for row in rows}

    def _candidates(self, kind: t.Kind, numbers: Sequence[int]) -> list[t.Candidate]:
        """Candidates that help to tell players or events apart, in the same order."""
        if not numbers:
            return []
        if kind == "player":
            listed = sorted(self.with_aliases(set(numbers)))
            games = " UNION ALL ".join(
                f"SELECT {self.root_sql(f'p{seat}')} AS number, r{seat} AS rating, date, day, game "
                f"FROM games WHERE p{seat} IN (FROM listed)"
                for seat in SEATS
            )
            tag = "tag_id"
        else:
            listed = sorted(set().union(*map(self.with_event_aliases, numbers)))
            games = (
                f"SELECT {self.event_sql('event')} AS number, NULL AS rating, date, day, game "
                "FROM games WHERE event IN (FROM listed)"
            )
            tag = "NULL"
        rows = self.database.rows(
            f"""
            WITH listed AS (SELECT unnest(?::UBIGINT[])), g AS ({games}), c AS (
                SELECT number, count(*) AS games,
                       arg_max(date, (day, game)) FILTER (day IS NOT NULL) AS last,
                       arg_max(rating, (coalesce(day, DATE '0001-01-01'), game)) AS rating
                FROM g GROUP BY number)
            SELECT {kind}, name, {tag}, coalesce(games, 0), last, rating
            FROM {kind}s LEFT JOIN c ON number = {kind} WHERE {kind} IN (FROM listed)
            """,
            [listed],
        )
        candidates = {
            number: t.Candidate(
                kind=kind,
                id=write_id(number),
                name=(name if kind == "player" else self.event_title(number, name)) or "",
                games=games,
                last_date=last,
                rating=rating,
                tag_id=tag_id,
            )
            for number, name, tag_id, games, last, rating in rows
        }
        return [candidates[number] for number in numbers if number in candidates]

    def root_sql(self, column: str) -> str:
        """SQL for the player that the number in `column` stands for."""
        return _root_sql(column, self.merged())

    def event_sql(self, column: str) -> str:
        """SQL for the event that the number in `column` stands for."""
        return _root_sql(column, self._now().events)

    def event_name_sql(
        self, column: str, name: str, form: Callable[[str], str] = lambda title: title
    ) -> str:
        """SQL for the title of the event in `column` whose game calls it `name`.

        `form` makes of the SQL for a title what `name` is made of already, such as a sort key.
        """
        titles = self._titles()
        if not titles:
            return name
        cases = " ".join(
            f"WHEN {event} THEN " + form(f"'{title.replace(chr(39), chr(39) * 2)}'")
            for event, title in titles.items()
        )
        return f"CASE {column} {cases} ELSE {name} END"
