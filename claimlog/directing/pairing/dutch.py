"""The Dutch system, by py4swiss: leading the first trick takes the place of playing white.

py4swiss belongs to the extra `events`; it is imported only when a round is paired.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from claimlog.directing.pairing import casual
from claimlog.directing.pairing.outcome import Pair, PairerMissing, Unpairable

if TYPE_CHECKING:
    from collections.abc import Collection

    from claimlog.directing.model import Points
    from claimlog.directing.pairing.casual import Paired
    from claimlog.directing.pairing.field import Field
    from claimlog.directing.pairing.outcome import Relaxation, Unit


def paired(field: Field, relax: Collection[Relaxation] = ()) -> Paired:
    """Pair a field.  Raises Unpairable, or PairerMissing without py4swiss.

    A pairing that only the director's relaxations allow is made as in the casual system.
    """
    try:
        from py4swiss.engines import DutchEngine
        from py4swiss.engines.common import PairingError
    except ImportError:
        raise PairerMissing("pairing.missing") from None

    if len(field.units) < 2:
        return casual.paired(field, relax)
    try:
        pairings = DutchEngine.generate_pairings(parsed(field))
    except PairingError:
        if "leader" not in relax and _only_leads(field):
            raise Unpairable(
                "pairing.leader-again", names=_bound(field), relax=("leader",)
            ) from None
        return casual.paired(field, relax)
    units = field.everybody
    away = [units[pair.white - 1] for pair in pairings if not pair.black]
    for unit in _before(field, away):
        try:
            pairings = DutchEngine.generate_pairings(parsed(field, without=unit))
        except PairingError:
            continue
        away = [unit]
        break
    pairs = [Pair(units[pair.white - 1], units[pair.black - 1]) for pair in pairings if pair.black]
    return pairs, away


def _before(field: Field, away: list[Unit]) -> list[Unit]:
    """Return the units that should rather have the bye: fewer points, the last ones first.

    That is the rule since February 2026; py4swiss implements the earlier ones.
    """
    if not away:
        return []
    return [
        unit
        for unit in reversed(field.by_points())
        if field.score(unit) < field.score(away[0]) and not field.had_bye(unit)
    ]


def _only_leads(field: Field) -> bool:
    """Whether a field could be paired if it did not matter who leads."""
    try:
        casual.paired(field)
    except Unpairable:
        return False
    return True


def _bound(field: Field) -> list[Unit]:
    """Return the units that have led, or not led, twice in a row or twice more often."""
    return [unit for unit in field.units if field.must_lead(unit) is not None]


def parsed(field: Field, without: Unit | None = None) -> Any:
    """Return the rounds so far in py4swiss's form; units not to be paired are zeroed."""
    from py4swiss.trf import ParsedTrf
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.results import ColorToken, ResultToken, RoundResult, ScoringPointSystem
    from py4swiss.trf.sections import PlayerSection, XSection

    given = {
        (ResultToken(token), color): round(points * 10)
        for token, points in _worth(field.board.plan.points).items()
        for color in ColorToken
    }
    sections = []
    for unit in field.everybody:
        results = []
        for turn, led in field.turns(unit):
            color = ColorToken.BYE_OR_NOT_PAIRED
            if turn.against:
                color = ColorToken.WHITE if led else ColorToken.BLACK
            results.append(
                RoundResult(
                    id=field.unit(turn.against[0]).rank if turn.against else 0,
                    color=color,
                    result=ResultToken(_TOKENS[turn.kind]),
                )
            )
        sections.append(
            PlayerSection(
                code=PlayerCode.PLAYER,
                starting_number=unit.rank,
                points_times_ten=sum(given[result.result, result.color] for result in results),
                rank=unit.rank,
                results=results,
            )
        )
    keys = {unit.key for unit in field.units if unit is not without}
    return ParsedTrf(
        player_sections=sections,
        x_section=XSection(
            number_of_rounds=field.board.plan.rounds or _ENDLESS,
            zeroed_ids={unit.rank for unit in field.everybody if unit.key not in keys},
            scoring_point_system=ScoringPointSystem(score_dict=given),
        ),
    )


_ENDLESS: Final = 1000
"""Rounds of an event whose number is not fixed, so that none of them is the last."""

_TOKENS: Final[dict[str, str]] = {
    "won": "1",
    "shared": "=",
    "lost": "0",
    "played": "=",
    "forfeit-win": "+",
    "forfeit-loss": "-",
    "absent": "-",
    "pairing": "U",
    "full": "F",
    "half": "H",
    "zero": "Z",
}
"""The codes of rounds in a TRF file."""


def _worth(points: Points) -> dict[str, float]:
    """Return the points for each code; an absence gives the points of a forfeit."""
    return {
        "1": points.win,
        "=": points.win / 2 if points.draw is None else points.draw,
        "0": points.loss,
        "+": points.win,
        "-": points.forfeit,
        "U": points.of_bye("pairing"),
        "F": points.of_bye("full"),
        "H": points.of_bye("half"),
        "Z": points.of_bye("zero"),
        **dict.fromkeys("WDL", 0.0),
    }
