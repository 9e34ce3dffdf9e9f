"""What a record proves about unwritten cards (docs/notation.md, "Proof")."""

import random
import re

import lawbook
import pytest

from claimlog.game import Game
from claimlog.replay.recorder import replay_text


def one(moves: str, deck: str = "GKUWX", tags: str = "", seats: int = 2) -> Game:
    players = "".join(f'[Player{seat} "?"]\n' for seat in range(1, seats + 1))
    (game,) = replay_text(f'{players}[Deck "{deck}"]\n{tags}\n{moves}\n')
    return game


def found(game: Game) -> list[tuple[str, int | None, int | None, str | None]]:
    return [(p.code, p.trick, p.seat, p.card) for p in game.problems]


def message(game: Game) -> str:
    return "; ".join(problem.message for problem in game.problems)


# Revokes ---------------------------------------------------------------------------------------


def test_a_later_play_of_the_same_phase_proves_a_revoke() -> None:
    game = one("1. U7: G5 K8+ /W2 2. X3: G9+ G1 /G0 *")
    assert found(game) == [("revoke", 1, 2, "K8")]
    assert "it still held G9, played in trick 2" in message(game)


def test_nothing_is_proven_before_the_card_shows_up() -> None:
    assert found(one("1. U7: G5 K8+ /W2 2. X3: K9+ G1 /G0 *")) == []


def test_an_earlier_play_proves_nothing() -> None:
    assert found(one("1. U7: G5 G8+ /W2 2. X3: K4+ K2 /G0 3. W5: U9+ K3 /U2 *")) == []


def test_a_discard_proves_a_revoke_and_is_none_itself() -> None:
    game = one("1. U7: A5+ K3 /G0 2. X3: -G1 -A2 /U0 *", deck="GKAUX")
    assert found(game) == [("revoke", 1, 2, "K3")]
    assert "it still held A2, discarded in trick 2" in message(game)


def test_an_unknown_discard_proves_nothing() -> None:
    assert found(one("1. U7: A5+ K3 /G0 2. X3: -_ -_ /U0 *", deck="GKAUX")) == []


def test_a_hand_proves_a_revoke() -> None:
    hand = '[Hand2 "K8 G3 _ _ _ _ _ _ _ _ _ _ _"]\n'
    game = one("1. U7: G5 K8+ /W2 *", tags=hand)
    assert found(game) == [("revoke", 1, 2, "K8")]
    assert "G3, which Hand2 gives it" in message(game)


def test_a_hand_says_nothing_about_phase_2() -> None:
    text = lawbook.random_record(random.Random(11), lawbook.Rules(2, "GKUWX"))
    tags, lines, _ = lawbook.read(text)
    leader = int(tags["Leader"])
    assert leader in (1, 2)
    game = next(replay_text(text))
    hand = [p.card for t in game.tricks[:13] for p in t.plays if p.seat == 1]
    assert len(lines) == 26
    with_hand = text.replace("[Deck", f'[Hand1 "{" ".join(map(str, hand))}"]\n[Deck')
    assert next(replay_text(with_hand)).problems == []


def test_a_doppelganger_never_revokes_and_does_not_let_others() -> None:
    assert found(one("1. U7: G5 X8+ /W2 2. X3: G9+ G1 /G0 *")) == []
    # Doppelgangers were led: a seat that holds one must play it.
    game = one("1. U7: X5+ G8 /W2 2. X3: W9+ X8 /G0 *")
    assert found(game) == [("revoke", 1, 2, "G8")]
    # Holding a Doppelganger forces nobody to play it to another lead.
    assert found(one("1. U7: G5+ W8 /W2 2. X3: X2 X8+ /G0 *")) == []


def test_a_knight_does_not_follow_goblins() -> None:
    assert found(one("1. U7: G5 K8+ /W2 2. X3: K9+ U1 /G0 3. U9: G7+ W1 /U0 *")) == [
        ("revoke", 1, 2, "K8")
    ]


def full(seed: int = 7, deck: str = "GKUWX", seats: int = 2, draws: bool = True) -> str:
    return lawbook.random_record(random.Random(seed), lawbook.Rules(seats, deck), draws)


def test_in_phase_2_what_was_taken_proves_a_revoke_before_it_is_played() -> None:
    """The record stops, but G8 was taken and has not been played."""
    head, body = full().split("\n\n")
    head = re.sub(r'\n\[(Votes|Result) ".*"\]', "", head)
    phase_1 = body.split("14. ")[0]
    # Seat 1 leads G4; seat 2 took K2, K5 and the Goblin of trick 3 or not: see the record.
    game = next(replay_text(f"{head}\n\n{phase_1}*\n"))
    assert not game.problems
    took = {seat: [t.taken[seat] for t in game.tricks if t.taken] for seat in (1, 2)}
    lead = next(card for card in took[1] if card and card[0] == "G")
    other = next(card for card in took[2] if card and card[0] in "KUW")
    held = [card for card in took[2] if card and card[0] == "G"]
    assert held
    game = next(replay_text(f"{head}\n\n{phase_1}14. {lead} {other}\n*\n"))
    assert found(game) == [("revoke", 14, 2, other)]
    assert "it still held G" in message(game)
    assert "taken in trick" in message(game)


def test_needless_only_where_the_play_is_proven_legal() -> None:
    follows = one("1. U7: G5 G8+^ /W2 *")
    assert found(follows) == [("needless-irregular", 1, 2, "G8")]
    assert follows.legal
    nobody_knows = one("1. U7: G5 K8+^ /W2 *")
    assert found(nobody_knows) == []
    hand = '[Hand2 "K8 K2 K3 U1 U2 U3 W1 W2 W3 X1 X2 X3 X4"]\n'
    assert found(one("1. U7: G5 K8+^ /W4 *", tags=hand)) == [("needless-irregular", 1, 2, "K8")]
    complete = full().replace("24. X9+ K5", "24. X9+ K5^")
    assert found(next(replay_text(complete))) == [("needless-irregular", 24, 2, "K5")]


# Followers ---------------------------------------------------------------------------------------


def test_an_unknown_draw_may_be_any_card_that_is_left() -> None:
    text = full(draws=False)
    game = next(replay_text(text))
    assert not game.problems
    unknown = [t for t in game.tricks[:13] if t.taken and None in t.taken.values()]
    assert unknown
    # A card that was played in Phase 1 is gone.
    gone = next(p.card for p in game.tricks[0].plays)
    last = game.tricks[25].plays[1].card
    head, tail = text.rsplit(str(last), 1)
    codes = {code for code, *_ in found(next(replay_text(f"{head}{gone}{tail}")))}
    assert "not-held" in codes


def test_draws_written_in_part() -> None:
    assert found(one("1. U7: G5 G8+ /_ 2. X3: K4+ U1 *")) == []
    three = one("1. U7,W3: G5 G8+ G2 =U7 /_ *", deck="GKDFUWX", seats=3)
    assert found(three) == []
    assert three.tricks[0].taken == {2: "U7", 1: "W3", 3: None}


def test_the_pile_fills_unknown_draws() -> None:
    pile = f'[Pile "U7 W2 X3 G0{" _" * 22}"]\n'
    game = one("1. U7: G5 G8+ 2. X3: K4+ U1 /_ *", tags=pile)
    assert found(game) == []
    assert [t.taken for t in game.tricks] == [{2: "U7", 1: "W2"}, {2: "X3", 1: "G0"}]


def test_the_pile_fills_what_a_seer_took_and_shifts_nothing() -> None:
    pile = f'[Pile "U7 K2 X3 G0{" _" * 22}"]\n'
    game = one("1. U7: S5 S8+ ~_ 2. X3: K4+ U1 *", deck="GKSUX", tags=pile)
    assert found(game) == []
    assert [t.taken for t in game.tricks] == [{2: "K2", 1: "U7"}, {2: "X3", 1: "G0"}]


def test_the_pile_with_three_players() -> None:
    pile = f'[Pile "W3 U7 W2 D4{" _" * 32}"]\n'
    game = one("1. U7,W3: G5 G8+ G2 =U7 *", deck="GKDFUWX", tags=pile, seats=3)
    assert found(game) == []
    assert game.tricks[0].taken == {2: "U7", 1: "W3", 3: "W2"}


@pytest.mark.parametrize(
    ("moves", "card"),
    [
        ("1. W2: G5 G8+ *", "W2"),
        ("1. U7: G5 G8+ /X3 *", "X3"),
        ("1. U7: G5 G8+ 2. U9: K4+ U1 *", "U9"),
    ],
)
def test_the_pile_against_the_movetext(moves: str, card: str) -> None:
    pile = f'[Pile "U7 W2 X3 G0{" _" * 22}"]\n'
    problems = found(one(moves, tags=pile))
    assert ("deal", card) in [(problem[0], problem[3]) for problem in problems]


# Counting ------------------------------------------------------------------------------


def test_no_card_more_often_than_the_deck_has_it() -> None:
    assert found(one("1. K4: K4 K8+ /W2 *")) == [("card-count", 1, 1, "K4")]
    five = one("1. G0: G0+ G0 /G0 2. W1: G0+ G3 /U1 *".replace("G0+ G3", "G0 G3+"))
    assert found(five) == []
    gnomes = one("1. N7: N7+ N7 /N9 2. N7: I5+ I5 /I5 *", deck="NIUWX")
    assert found(gnomes) == [("card-count", 2, None, "N7"), ("card-count", 2, None, "I5")]


def test_a_card_of_a_hand_cannot_turn_up_elsewhere() -> None:
    hand = '[Hand1 "K4 _ _ _ _ _ _ _ _ _ _ _ _"]\n'
    assert [p[0] for p in found(one("1. K4: G5 G8+ /W2 *", tags=hand))] == ["card-count"]


def test_raccoons() -> None:
    """Fourteen kinds, any ten of which are in the deck."""
    moves = "1. R0: R12 R13+ /R3 2. R4: R5 R6+ /R7 3. R8: R9+ K2 /U0 *"
    loot = '[LootCards "R2"]\n'
    assert found(one(moves, deck="GKRUX", tags=loot)) == []
    assert found(
        one(moves.replace("K2", "R10+").replace("R9+", "R9"), deck="GKRUX", tags=loot)
    ) == [("card-count", 3, 2, "R10")]
    assert found(one("*", deck="GKRUX")) == [("loot-unknown", None, None, None)]


def test_raccoons_only_in_the_pile() -> None:
    pile = '[LootCards "R2"]\n[Rulings "raccoons=pile"]\n'
    assert found(one("1. R7: G5 G8+ /R2 *", deck="GKRUX", tags=pile)) == []
    game = one("1. R7: G5+ R8 /R2 *", deck="GKRUX", tags=pile)
    assert found(game) == [("deal", 1, 2, "R8")]


# Unfinished games ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "moves",
    ["*", "1. *", "1. U7: *", "1. U7: G5 *", "1. U7: G5 G8+ *", "1. U7: G5 G8+ /W2 2. *", ""],
)
def test_a_record_may_stop_anywhere(moves: str) -> None:
    assert found(one(moves)) == []
    stopped = moves.replace("*", "0-1") or "0-1"
    assert found(one(stopped, tags='[Termination "resignation"]\n')) == []
    assert [code for code, *_ in found(one(stopped))] == ["incomplete"]


@pytest.mark.parametrize(
    "moves", ["1. U7,W3: G5 G8+ G2 *", "1. U7,W3: G5 G8+ G2 =U7 *", "1. U7,W3: G5 *"]
)
def test_also_with_three_players(moves: str) -> None:
    assert found(one(moves, deck="GKDFUWX", seats=3)) == []


def test_a_complete_game_is_never_open() -> None:
    text = re.sub(r'\[Result ".*"\]\n', "", full())
    game = next(replay_text(text.replace("\n1-0\n", "\n*\n")))
    assert [code for code, *_ in found(game)] == ["result"]
    assert game.complete


def test_result_and_votes_of_a_resigned_complete_game_are_not_checked() -> None:
    text = full().replace('"1-0"', '"0-1"').replace("\n1-0\n", "\n0-1\n").replace("3-2", "0-5")
    assert {code for code, *_ in found(next(replay_text(text)))} == {"result", "votes"}
    resigned = text.replace("[Deck", '[Termination "resignation"]\n[Deck')
    assert found(next(replay_text(resigned))) == []


# After an error ------------------------------------------------------------------------------


def test_judging_goes_on_while_winner_and_leader_are_known() -> None:
    game = one("1. U7: G5 G12+ /W2 2. X3: K4+ T1 /G0 3. Q1: U5 U9+ /X9 *")
    assert found(game) == [
        ("unknown-card", 1, 2, None),
        ("not-in-deck", 2, 1, "T1"),
        ("unknown-card", 3, None, None),
    ]


def test_a_missing_play_ends_the_judging_of_seats_but_not_of_cards() -> None:
    game = one("1. U7: G5 2. U7: K4 U1 3. W2: Q1 T9 *")
    assert [code for code, *_ in found(game)] == [
        "play-count", "card-count", "unknown-card", "not-in-deck",
    ]  # fmt: skip


@pytest.mark.parametrize("discards", ["-_ -_ -_", "-G5 -G99 -W1", "-G5 -G4 -W1"])
def test_who_takes_what_in_an_automatic_trick_does_not_hang_on_the_discards(discards: str) -> None:
    """Clockwise from the Automaton's player, even if discards are unknown."""
    game = one(
        f"1. U7,W3: A5+ A3 A1 =U7 /W2 2. X1,X2: {discards} =X1 /W4 *", deck="GKAUWDX", seats=3
    )
    assert game.tricks[1].auto
    assert game.tricks[1].taken == {1: "X1", 2: "X2", 3: "W4"}
