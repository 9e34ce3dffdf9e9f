"""The explorer: what was played at a moment of a trick, and how it went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Final, Literal, get_args

import msgspec
from msgspec import Meta

from claimlog.cards import COPIES, FACTION_OF, LETTERS, NAMES
from claimlog.store.model.errors import BadQuery
from claimlog.store.model.filter import CARD, Filter
from claimlog.store.model.ids import write_id
from claimlog.store.model.types import Rate
from claimlog.store.questions.arguments import ORDER, Least, Phase, Whose
from claimlog.store.questions.design_effects import counted, counting_sql, singles_sql
from claimlog.store.questions.order import ordered
from claimlog.store.questions.question import ASKED_AS, EVERYTHING, OfPlayer, question
from claimlog.store.questions.where import cards_sql, tricks_sql

if TYPE_CHECKING:
    from claimlog.store.questions.games import Games

MOST_EXAMPLES: Final = 20

# fmt: off
MoveSort = Literal[
    "share", "-share", "won_trick", "-won_trick", "won_trick_low", "-won_trick_low",
    "result", "-result", "result_low", "-result_low",
]
# fmt: on


class ExplorerMove(msgspec.Struct, frozen=True, kw_only=True):
    """One continuation: how often it was played in this context, and how it went."""

    RATES: ClassVar[tuple[str, ...]] = ("won_trick", "result")

    card: str
    faction: str
    share: Rate
    won_trick: Annotated[Rate, Meta(description="How often the play won its trick.")]
    result: Annotated[Rate, Meta(description="The points scored by the seat that played it.")]
    examples: list[str]


class Context(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A moment in a trick: its number, the upcards, and the cards played so far, in order.

    Cards are names, or a faction's letter for any of its cards.  If `played` is empty, the moves
    are leads; if `trick` is None, any trick of `phase` (None: of either) counts.
    """

    trick: Annotated[int, Meta(ge=1, le=26, description="The trick's number.")] | None = None
    phase: Phase = None
    upcard: (
        Annotated[
            str,
            Meta(
                pattern=CARD,
                description="The upcard, or a faction's letter.",
                extra={ASKED_AS: "turned"},
            ),
        ]
        | None
    ) = None
    played: Annotated[
        list[Annotated[str, Meta(pattern=CARD)]],
        Meta(
            max_length=3,
            description="The cards, or faction letters, played in the trick so far, in order; "
            "empty for leads.",
            extra={ASKED_AS: "after"},
        ),
    ] = []
    seats: int | None = None


class Explorer(msgspec.Struct, frozen=True, kw_only=True):
    """What was played in a context, the most frequent first."""

    context: Context
    count: int
    result: Rate
    moves: Annotated[list[ExplorerMove], Meta(description="The plays, most frequent first.")]
    examples: list[str]


@question(
    "/explorer",
    of_player=OfPlayer(
        "What a player played at a point in a trick: how often, how it went, example games.", {}
    ),
    operation="explore",
)
def explore(
    games: Games,
    context: Context,
    filter: Filter = EVERYTHING,
    *,
    examples: Annotated[
        int, Meta(ge=0, le=MOST_EXAMPLES, description="The number of example games for each move.")
    ] = 3,
    by: Whose = "anybody",
    sort: Annotated[MoveSort, Meta(description=ORDER.format("share"))] = "share",
    min_games: Least = 0,
) -> Explorer:
    """What was played at a point in a trick: how often, how it went, example games."""
    if context.seats is None and isinstance(filter.seats, int):
        context = msgspec.structs.replace(context, seats=filter.seats)
    if not 0 <= examples <= MOST_EXAMPLES:
        raise BadQuery("question.examples", most=MOST_EXAMPLES, field="examples")
    place = len(context.played) + 1
    conditions = ["auto = 0", *_conditions(context)]
    source, parameters = tricks_sql(
        games.where(filter),
        f"game, leader, c{place} AS card, h{place} AS how",
        "".join(f" AND ({condition})" for condition in conditions),
        by,
        few=bool(context.played) or context.upcard is not None,
    )
    chosen = "chosen" if by == "anybody" else f"(FROM chosen WHERE place = {place})"
    # A game has one play at this place of a given trick, so sums per game are not needed.
    select = counting_sql if context.trick is None else singles_sql
    # In one game, all copies of a card may be played at this place in both phases.
    often = 2 * max(COPIES) if context.trick is None and examples > 1 else 1
    newest = max(examples, 1) * often
    counts = counted(
        games.database.rows(source + select(chosen, "card", "how", newest), parameters)
    )
    best = {
        card: sorted(set(one.newest), reverse=True)[:examples] for card, one in counts.kinds.items()
    }
    newest_of_all = sorted({game for some in best.values() for game in some}, reverse=True)
    ids = _ids(games, newest_of_all)
    moves = [
        ExplorerMove(
            card=NAMES[card],
            faction=LETTERS[FACTION_OF[card]],
            share=one.share,
            won_trick=one.won_trick,
            result=one.result,
            examples=[ids[game] for game in best[card] if game in ids],
        )
        for card, one in sorted(counts.kinds.items(), key=lambda item: (-item[1].count, item[0]))
    ]
    return Explorer(
        context=context,
        count=counts.count,
        result=counts.result,
        moves=ordered(moves, sort, get_args(MoveSort), min_games),
        examples=[ids[game] for game in newest_of_all[:examples] if game in ids],
    )


def _conditions(context: Context) -> list[str]:
    """SQL for a context; errors use the names of the API's arguments."""
    conditions = []
    if context.trick is not None:
        if not 1 <= context.trick <= 26:
            raise BadQuery("question.trick", field="trick")
        conditions.append(f"n = {context.trick}")
    if context.phase is not None:
        if context.phase not in (1, 2):
            raise BadQuery("question.phase", field="phase")
        conditions.append(f"phase = {context.phase}")
    if context.seats is not None:
        if context.seats not in (2, 3, 4):
            raise BadQuery("question.seats", field="seats")
        conditions.append(f"seats = {context.seats}")
    if context.upcard is not None:
        conditions.append(cards_sql(("up1", "up2"), context.upcard, "turned"))
    if len(context.played) > 3:
        raise BadQuery("question.trick-full", field="after")
    for place, text in enumerate(context.played, 1):
        conditions.append(cards_sql((f"c{place}",), text, "after"))
    return conditions


def _ids(games: Games, numbers: list[int]) -> dict[int, str]:
    if not numbers:
        return {}
    rows = games.database.rows(
        "SELECT game, gid FROM games WHERE game IN (SELECT unnest(?::BIGINT[]))", [numbers]
    )
    return {game: write_id(gid) for game, gid in rows}
