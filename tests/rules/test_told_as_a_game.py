"""A machine as a game: at any moment it equals the game of the corresponding record."""

from random import Random

import pytest

from claimlog import dumps, loads
from claimlog.cards import card
from claimlog.rules.dealing import deal
from claimlog.rules.games import game_of, tags_of
from claimlog.rules.machine import Kind, Machine
from claimlog.rules.setup import Setup

LOOT = ("R2", "R5", "R8", "R11", "R13")


@pytest.mark.parametrize(
    ("deck", "seats"),
    [("NIRST", 2), ("GKASU", 2), ("MPASRTX", 3), ("NIASRDV", 4), ("GKSAFBX", 4)],
)
def test_a_game_at_any_moment_is_the_one_that_is_read(deck, seats):
    rng = Random(seats)
    setup = Setup(deck, seats=seats, leader=seats, loot=LOOT if "R" in deck else ())
    machine = Machine(setup, *deal(setup, rng))
    while machine.kind != Kind.OVER:
        machine.apply(rng.choice(machine.choices()))
        last = machine.log[-1]
        if machine.kind == Kind.LOOT:
            unended = game_of(machine)
            assert (unended.score, len(unended.tricks)) == (None, 2 * setup.tricks)
            assert unended.tags["Result"] == "*"
        # A record cannot say that a Seer's player has not decided yet, or left the card.
        unsaid = machine.kind in (Kind.LOOK, Kind.LOOT) or last[::2] == (Kind.LOOK, None)
        if unsaid or (len(machine.log) % 5 and last.kind not in (Kind.LOOK, Kind.PICK)):
            continue
        game = game_of(machine)
        played = [action for action in machine.log if action.kind in (Kind.PLAY, Kind.DISCARD)]
        assert sum(len(trick.plays) for trick in game.tricks) == len(played)
        (read,) = loads(dumps(game))
        assert read.errors == []
        assert read == game
    over = game_of(machine, {"Event": "Club", "Result": "*"})
    assert (over.tags["Event"], over.tags["Result"]) == ("Club", "*")
    assert over.score
    assert over.tags["Votes"] == "-".join(str(votes) for votes in over.score.votes.values())
    (read,) = loads(dumps(game_of(machine)))
    assert read == game_of(machine)
    assert read.errors == []


def test_tags_say_what_is_not_usual_and_no_more():
    assert tags_of(Setup("GKUWX", leader=2)) == {"CLM": "1", "Deck": "GKUWX", "Leader": "2"}
    unusual = Setup(
        "GKRTUWX", seats=3, leader=3,
        rulings={"trolls": "line"}, loot=("R11", "R2"),
    )  # fmt: skip
    assert tags_of(unusual) == {
        "CLM": "1", "Player1": "?", "Player2": "?", "Player3": "?", "Deck": "GKRTUWX",
        "Rulings": "trolls=line", "Leader": "3", "LootCards": "R2 R11",
    }  # fmt: skip
    assert "LootCards" not in tags_of(Setup("GKRWX"))
    assert "LootCards" not in tags_of(Setup("GKUWX", loot=LOOT))
    classic = tags_of(Setup("GKUWX", rules="Classic"))
    assert classic == {"CLM": "1", "Deck": "GKUWX", "Rules": "Classic", "Leader": "1"}


def machine_after(deck, seats, *names):
    """A machine that knows only what was played."""
    machine = Machine(Setup(deck, seats=seats))
    for name in names:
        machine.apply(int(name) if name.isdigit() else card(name))
    return machine


def test_a_trick_that_has_not_ended():
    """What was turned up, played, taken by a Seer, picked and drawn so far."""
    assert game_of(machine_after("GKSUW", 2)).tricks == []
    (trick,) = game_of(machine_after("GKSUW", 2, "G5")).tricks
    assert (trick.upcards, trick.plays, trick.winner) == (["G5"], [], None)
    (trick,) = game_of(machine_after("GKSUW", 2, "G5", "S3")).tricks
    assert [(play.card, play.value) for play in trick.plays] == [("S3", 3)]


def with_four(looked):
    """A trick of four players won by a Seer, and whether the hidden card was taken."""
    machine = machine_after("GKSUWTX", 4, "G5", "K5", "S3", "S2", "S1", "T1")
    assert (machine.kind, _as_game(machine)[:2]) == (Kind.LOOK, (False, None))
    machine.look(looked, card("T4") if looked else None)
    return machine


def _as_game(machine):
    """The last trick as a game has it."""
    trick = game_of(machine).tricks[-1]
    return (trick.looked, trick.hidden, trick.pick, trick.drawn, trick.taken)


def test_picks_and_draws_of_a_trick_that_has_not_ended():
    machine = with_four(False)
    nothing = dict.fromkeys((1, 2, 3, 4))
    assert _as_game(machine) == (False, None, None, None, nothing)
    machine.pick(card("K5"))
    taken = nothing | {1: "K5", 2: "G5"}
    assert _as_game(machine) == (False, None, "K5", None, taken)
    machine.draw(card("T5"))
    assert _as_game(machine) == (False, None, "K5", ["T5"], taken | {3: "T5"})
    machine.draw(card("T6"))
    assert _as_game(machine) == (False, None, "K5", ["T5", "T6"], taken | {3: "T5", 4: "T6"})


def test_a_card_that_a_seer_took_in_a_trick_that_has_not_ended():
    machine = with_four(True)
    taken = {1: "T4", 2: None, 3: None, 4: None}
    assert _as_game(machine) == (True, "T4", None, None, taken)
    machine.pick(card("G5"))
    taken |= {2: "G5", 3: "K5"}
    assert _as_game(machine) == (True, "T4", "G5", None, taken)
    machine.draw(card("T5"))
    assert _as_game(machine) == (True, "T4", "G5", ["T5"], taken | {4: "T5"})


def test_what_two_players_take():
    machine = machine_after("GKASU", 2, "G5", "A9", "A1")
    assert _as_game(machine) == (False, None, None, None, {1: "G5", 2: None})
    machine.draw(card("S1"))
    machine.turn_up(card("K5"))
    machine.discard(card("K3"))
    (_, trick) = game_of(machine).tricks
    assert (trick.auto, trick.plays[0].card, trick.plays[0].value) == (True, "K3", None)
