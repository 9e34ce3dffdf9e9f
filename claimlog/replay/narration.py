"""Sentences about a game: the findings of `claimlog.replay.viewpoint`, in a language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimlog.language.isolation import apart, harmless
from claimlog.notation.marks import for_readers
from claimlog.notation.tags import SEATS, TAGS
from claimlog.results import RESULTS, UNFINISHED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from claimlog.game import Problem, Reason
    from claimlog.language import Words
    from claimlog.replay.viewpoint import (
        Ending,
        FactionResult,
        Placed,
        Position,
        Taken,
        Viewpoint,
    )

HIDDEN = "_"
"""A card that is face down or unknown, as in the notation."""

_OF_SEATS: Final = ("Player", "Rating", "Id", "Hand")
_SHOWN_ELSEWHERE: Final = frozenset(
    (
        *("CLM", "Leader", "Pile", "Loot", "Votes"),
        *(f"{name}{seat}" for name in _OF_SEATS for seat in SEATS),
    )
)
SHOWN_TAGS: Final = tuple(name for name in TAGS if name not in _SHOWN_ELSEWHERE)
"""The tags that `Narrator.details` lists."""


class Narrator:
    """Describes one game in one language, with the names of its players, made safe by `safe`."""

    def __init__(
        self, viewpoint: Viewpoint, words: Words, safe: Callable[[str], str] | None = None
    ) -> None:
        self.viewpoint = viewpoint
        self.words = words
        self.safe = safe or plain
        self.names = {
            seat: self.safe(viewpoint.name(seat)) or words("seat", number=seat)
            for seat in viewpoint.places
        }

    def side(self, side: int) -> str:
        """A side: the name of its player, or a team's number and names."""
        members = self.viewpoint.members(side)
        if len(members) == 1:
            return self.names[members[0]]
        names = self.words.join([self.names[seat] for seat in members])
        return self.words("side-of", number=side, names=names)

    def side_short(self, side: int) -> str:
        """A side in short: the name of its player, or its number."""
        members = self.viewpoint.members(side)
        if len(members) == 1:
            return self.names[members[0]]
        return self.words("side", number=side)

    def view(self) -> str:
        """The perspective from which the game is shown; "" if all cards are open."""
        view = self.viewpoint.view
        if view is None:
            return ""
        if view == 0:
            return self.words("view-spectator")
        return self.words("view-seat", name=self.names[view])

    # The game ------------------------------------------------------------------------------

    def title(self) -> str:
        """The game's title on one line."""
        tags = self.viewpoint.game.tags
        parts = [self.safe(tags.get("Event", ""))]
        for name, key in (("Round", "round"), ("Table", "table")):
            if tags.get(name, "?") not in ("", "?"):
                parts.append(self.words(key, number=plain(tags[name])))
        if tags.get("Date", "?")[:1] not in ("", "?"):
            parts.append(self.words.date(plain(tags["Date"])))
        parts = [part for part in parts if part and part != "?"]
        return " · ".join(parts) or " – ".join(self.names.values())

    def details(self, *, ending: bool = True) -> list[tuple[str, str]]:
        """The game's tags that are not shown elsewhere: label and value of each.

        Without `ending` the tags about the end of the game are left out.
        """
        game = self.viewpoint.game
        rows: list[tuple[str, str]] = []
        for name in SHOWN_TAGS:
            value = game.tags.get(name, "")
            if name in ("Result", "Termination"):
                continue
            if name == "Deck":
                rows.append((self.words(name), self.deck()))
            elif name == "Rules":
                rows.append((self.words(name), game.rules))
            elif value[:1] not in ("", "?") or value.strip("?-"):
                rows.append((self.words(name), self.value(name, value)))
        if ending:
            rows += self.outcome()
        return rows + [
            (name, plain(value)) for name, value in game.tags.items() if name not in TAGS
        ]

    def tag(self, name: str) -> str:
        """The label of a tag; one that claimlog does not know keeps its name."""
        of_seat = name.rstrip("1234")
        if of_seat != name and of_seat in _OF_SEATS:
            return self.words(of_seat, number=name[len(of_seat) :])
        return self.words.texts.get(name, name)

    def value(self, name: str, value: str) -> str:
        """The value of a tag in readable form: a date, a moment, or the text itself."""
        if name == "Date":
            return self.words.date(plain(value))
        return self.words.moment(plain(value)) if name in ("Start", "End") else plain(value)

    def deck(self) -> str:
        """The factions of the deck."""
        letters = self.viewpoint.game.deck
        if not letters:
            return self.words("deck-unknown")
        return f"{letters} ({', '.join(self.words.faction(letter) for letter in letters)})"

    def player(self, seat: int) -> str:
        """The player at a seat: name, rating, partner."""
        parts = [self.safe(self.viewpoint.name(seat)) or "?"]
        rating = plain(self.viewpoint.game.tags.get(f"Rating{seat}", ""))
        if rating and rating != "?":
            parts.append(self.words("rating", rating=rating))
        side = self.viewpoint.side(seat)
        for other in self.viewpoint.members(side):
            if other != seat:
                parts.append(self.words("side-short", number=side))
                parts.append(self.words("partner", name=self.names[other]))
        return ", ".join(parts)

    def outcome(self) -> list[tuple[str, str]]:
        """The termination, the votes if only the record gives them, and the result."""
        game, words = self.viewpoint.game, self.words
        rows = []
        value = game.tags.get("Termination", "normal")
        if value != "normal":
            key = f"termination.{value}"
            rows.append((words("Termination"), words(key) if key in words.texts else plain(value)))
        if game.score is None and "Votes" in game.tags:
            rows.append((words("votes"), plain(game.tags["Votes"])))
        rows.append((words("Result"), words("unfinished") if game.result == "*" else game.result))
        return rows

    def end(self) -> str:
        """The heading of the section after the last trick."""
        return self.words("end-of-record" if self.viewpoint.game.score is None else "end")

    def stopped(self) -> str:
        """Why there is no ending."""
        game, number = self.viewpoint.game, self.viewpoint.last
        if not number:
            return self.words("no-tricks")
        if game.complete:
            return self.words("not-counted")
        return self.words.count("known-to" if game.errors else "stopped", number)

    def problem(self, problem: Problem) -> str:
        """A problem with its position."""
        return self.words(
            problem.severity,
            line=problem.line,
            column=problem.column,
            message=plain(problem.message),
        )

    # Tricks --------------------------------------------------------------------------------

    def due(self, position: Position) -> str:
        """What comes next in an undecided trick, or that the record stops here."""
        trick = position.trick
        if position.played >= self.viewpoint.plays(trick) and trick == self.viewpoint.last:
            return self.words("stops")
        name = self.names[position.order[position.played]]
        key = "to-discard" if position.auto else "to-play" if position.played else "to-lead"
        return self.words(key, name=name)

    def role(self, play: Placed) -> str:
        """The standing of a play towards the lead."""
        return self.words(f"role.{play.role}")

    def taken(self, taken: Taken) -> str:
        """The card that a seat took for its followers."""
        if taken.card is None:
            return self.words(f"taken.{taken.how}-unknown")
        return self.words(f"taken.{taken.how}", card=taken.card)

    def reasons(self, reasons: list[Reason]) -> list[str]:
        """Why a trick was won, where cards went, or who leads next and why."""
        return [
            self._tell(reason, name="" if reason.seat is None else self.names[reason.seat])
            for reason in reasons
        ]

    def before_the_count(self, ending: Ending) -> list[str]:
        """The effects of powers at the end, before the count; the seat of a reason is a side."""
        return [
            self._tell(
                reason,
                side=self.side(reason.seat or 1),
                other=self.side(reason.number) if reason.number in ending.votes else "",
            )
            for reason in ending.before
        ]

    def decided(self, result: FactionResult) -> str:
        """How a faction was won."""
        return self._tell(result.decided)

    def verdict(self, ending: Ending) -> list[str]:
        """Who won the game, and what separated equal sides."""
        compared: dict[str, list[str]] = {}
        for reason in ending.compared:
            number = f"{self.side_short(reason.seat or 1)} {reason.number}"
            compared.setdefault(reason.code, []).append(number)
        sentences = [self.words(code, numbers=", ".join(parts)) for code, parts in compared.items()]
        names = self.words.join([self.side(side) for side in ending.winners])
        if len(ending.winners) > 1:
            sentences.append(self.words("shared"))
            sentences.append(self.words("winners", names=names))
        else:
            sentences.append(self.words("winner", names=names))
        return sentences

    def early(self) -> list[str]:
        """Who won a game that was ended early, and why it was; nothing for any other game."""
        game, words = self.viewpoint.game, self.words
        how = game.tags.get("Termination", "normal")
        if how == "normal":
            return []
        won = RESULTS.get(game.result, UNFINISHED) & 7
        sides = range(1, self.viewpoint.sides + 1)
        winners = [side for side in sides if won >> side - 1 & 1]
        others = [side for side in sides if side not in winners]
        key = f"early.{how}"
        if how == "resignation" and winners and len(others) == 1:
            key = "early.resigned"
        elif key not in words.texts:
            key = f"termination.{how}"
        why = words(key, name=words.join([self.side(side) for side in others]))
        end = ("early.open", "early.won", "early.shared")[min(len(winners), 2)]
        return [words(end, names=words.join([self.side(side) for side in winners]), why=why)]

    def _tell(self, reason: Reason, **whom: str) -> str:
        """The text of a reason's code, singular or plural if it has both."""
        cards = [card or HIDDEN for card in reason.cards]
        values: dict[str, str] = {
            "card": cards[0] if cards else HIDDEN,
            "griffin": cards[-1] if cards else HIDDEN,
            "cards": ", ".join(cards),
            "faction": self.words.faction(reason.faction) if reason.faction else "",
            **whom,
        }
        if f"{reason.code}.one" in self.words.texts:
            return self.words.count(reason.code, reason.number, **values)
        return self.words(reason.code, number=reason.number, **values)


def plain(text: str) -> str:
    """Text from a record, made safe to show: one line without control characters."""
    return harmless(" ".join(text.split()))


def remarks(comments: Iterable[str]) -> list[str]:
    """Comments as readers see them, made safe to show; those for programs only are left out."""
    shown = (plain(for_readers(comment)) for comment in comments)
    return [text for text in shown if text]


def isolated(text: str) -> str:
    """The same, so that a name from right to left leaves the text around it in order, as <bdi>."""
    return apart(plain(text))
