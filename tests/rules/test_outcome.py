"""The outcome of a game, in the names of the model: unwritten draws, the end."""

import pytest

from claimlog.game import Play, Trick
from claimlog.rules.outcome import fill_draws


def game(taken: list[str], played: list[str]) -> list[Trick]:
    """Tricks of Phase 1 with what each seat took, of Phase 2 with what it played; ``_``: unknown.

    In Phase 1 both seats play B1 and B2 again and again, which they did not take.
    """

    def named(text: str) -> list[str | None]:
        return [None if word == "_" else word for word in text.split()]

    tricks = []
    for number, text in enumerate(taken + played, 1):
        phase = 1 if number <= len(taken) else 2
        cards = named(text)
        plays = [Play(seat=1, card="B1"), Play(seat=2, card="B2")]
        if phase == 2:
            plays = [Play(seat=seat, card=card) for seat, card in enumerate(cards, 1)]
        tricks.append(Trick(number=number, phase=phase, plays=plays))
        if phase == 1:
            tricks[-1].taken = dict(enumerate(cards, 1))
    return tricks


@pytest.mark.parametrize(
    ("taken", "played", "filled"),
    [
        pytest.param(["U7 W2", "W3 _"], ["W3 X9", "U7 W2"], ["U7 W2", "W3 X9"], id="one"),
        pytest.param(["_ W2", "W3 U4"], ["W3 U4", "X0 W2"], ["X0 W2", "W3 U4"], id="of-seat-1"),
        pytest.param(["G1 _", "G2 _"], ["G1 G0", "G2 G0"], ["G1 G0", "G2 G0"], id="one-kind"),
        pytest.param(["G1 _", "G2 _"], ["G1 G0", "G2 K2"], ["G1 _", "G2 _"], id="two-kinds"),
        pytest.param(["G0 G0", "_ G0"], ["G0 G0", "G0 G0"], ["G0 G0", "G0 G0"], id="one-of-equals"),
        pytest.param(["G1 _", "G2 W2"], ["G1 G0", "G2 G0"], ["G1 _", "G2 W2"], id="too-many"),
        pytest.param(["G1 _", "G2 _"], ["G1 G0", "G2 _"], ["G1 _", "G2 _"], id="a-play-unknown"),
        pytest.param(["G1 W2", "G2 U4"], ["G1 W2", "G2 U4"], ["G1 W2", "G2 U4"], id="none-unknown"),
    ],
)
def test_draws_that_phase_2_leaves_no_doubt_about(taken, played, filled):
    """rules.md, "Phase 2": the followers are the new hand."""
    tricks = game(taken, played)
    fill_draws(tricks, 2)
    assert [trick.taken for trick in tricks] == [trick.taken for trick in game(filled, played)]


def test_draws_of_three_seats_and_of_a_trick_without_any():
    """Also the last seat's; in a trick that was cut short nobody took anything."""
    tricks = game(["_ _ _"], ["U1 U2 U3"])
    tricks[:0] = [Trick(number=0)]
    fill_draws(tricks, 3)
    assert [trick.taken for trick in tricks] == [None, {1: "U1", 2: "U2", 3: "U3"}, None]
