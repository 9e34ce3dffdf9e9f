"""Who is who: numbers of players and events, and the aliases that a director merged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimlog.store.ids import read_id

if TYPE_CHECKING:
    from claimlog.store.database import Database


class People:
    """Finds players and events; remembers the merges."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._merged: dict[int, int] = {}
        self._generation = -1

    def merged(self) -> dict[int, int]:
        """By alias: the player that it stands for in the end."""
        generation = self.database.generation
        if self._generation != generation:
            rows = self.database.rows("SELECT alias, player FROM merges")
            direct = dict(rows)
            merged = {}
            for alias in direct:
                player = alias
                for _ in range(len(direct)):
                    if player not in direct:
                        break
                    player = direct[player]
                merged[alias] = player
            self._merged = merged
            self._generation = generation
        return self._merged

    def root(self, player: int) -> int:
        """The player that `player` stands for."""
        return self.merged().get(player, player)

    def with_aliases(self, roots: set[int]) -> set[int]:
        """`roots` and all their aliases."""
        return roots | {alias for alias, player in self.merged().items() if player in roots}

    def called(self, text: str) -> set[int]:
        """The players (aliases as they are) that an id, an Id tag or a name means."""
        number = read_id(text)
        name = " ".join(text.split())
        rows = self.database.rows(
            "SELECT player FROM players WHERE player = ? OR tag_id = ? OR lower(name) = lower(?)",
            [number, name, name],
        )
        exact = {row[0] for row in rows if row[0] == number}
        return exact or {row[0] for row in rows}

    def find(self, text: str) -> set[int]:
        """The players (without aliases) that an id, an Id tag or a name means."""
        return {self.root(player) for player in self.called(text)}

    def numbers(self, text: str) -> set[int]:
        """All numbers, aliases too, of the players that `text` means; empty if none."""
        return self.with_aliases(self.find(text))

    def event(self, text: str) -> int | None:
        """The event that an id or a name means, or None."""
        number = read_id(text)
        name = " ".join(text.split())
        rows = self.database.rows(
            "SELECT event FROM events WHERE event = ? OR lower(name) = lower(?)", [number, name]
        )
        found = [row[0] for row in rows]
        return number if number in found else found[0] if found else None

    def root_sql(self, column: str) -> str:
        """SQL for the player that the number in `column` stands for."""
        merged = self.merged()
        if not merged:
            return column
        cases = " ".join(f"WHEN {alias} THEN {player}" for alias, player in merged.items())
        return f"CASE {column} {cases} ELSE {column} END"
