"""The live game for people: names in and out, back and forth, to a game and from a game."""

import copy
import pickle
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimlog import dumps, loads, read_games
from claimlog.cards import FACTIONS, LETTERS, all_decks, card, deck_letters
from claimlog.game import Game
from claimlog.notation.writer import canonical
from claimlog.rules.dealing import deal
from claimlog.rules.machine import Machine, perft
from claimlog.rules.setup import RULINGS, Setup
from claimlog.state import Action, IllegalAction, State

DATA = Path(__file__).parents[1] / "data"
RECORDS = sorted(DATA.glob("*.clm")) + sorted((DATA / "powers").glob("*.clm"))
LOOT = "R2 R5 R8 R11 R13"


@st.composite
def states(draw, over=None):
    """A random game, up to its end or any action; the deal known or not."""
    seats = draw(st.sampled_from([2, 2, 3, 4]))
    classic = draw(st.booleans())
    make = State.dealt if draw(st.booleans()) else State
    options = {"seed": draw(st.integers(0, 2**32))} if make == State.dealt else {}
    state = make(
        deck_letters(draw(st.sampled_from(all_decks(seats, classic=classic)))),
        seats=seats,
        rules="Classic" if classic else "LE2023",
        rulings={key: draw(st.sampled_from(ruling.values)) for key, ruling in RULINGS.items()},
        leader=draw(st.integers(1, seats)),
        loot=LOOT,
        **options,
    )
    rng = Random(draw(st.integers(0, 2**32)))
    steps = draw(st.one_of(st.just(10**6), st.integers(0, 120))) if over is None else 10**6
    play(state, rng, steps)
    return state


def play(state, rng, steps=10**6):
    while steps and not state.over:
        choices = state.choices()
        if not choices:
            break  # the random choice knows no hands: no card is left that this one could hold
        state.apply(choices[int(rng.random() * len(choices))])
        steps -= 1


def where(state):
    """Everything that can be asked of a state."""
    seats = range(1, state.seats + 1)
    return (
        state.to_act,
        state.choices(),
        state.log,
        state.plays,
        state.upcards,
        state.waiting,
        state.pile_left,
        [(state.hand(s), state.score_pile(s), state.gnomes(s)) for s in seats],
        state.game(),
        repr(state),
    )


@given(states())
def test_no_card_is_lost(state):
    state._machine.conserved()


@given(states(), st.integers(1, 150), st.data())
def test_undo_and_redo_change_nothing(state, steps, data):
    after = where(state)
    steps = min(steps, len(state.log))
    done = []
    for _ in range(steps):
        done.append(state.undo())
        assert state.undone == len(done)
    state._machine.conserved()
    assert [state.redo() for _ in range(steps)] == done[::-1]
    assert where(state) == after
    with pytest.raises(IndexError):
        state.redo()


def decided(state: State) -> bool:
    """Whether the state can be read from the record of its game.

    It cannot say that a Seer's player has not decided, nor that the hidden card was left before
    anything has come after it.
    """
    left = bool(state.log) and state.log[-1][::2] == ("look", None)
    return state.to_act.kind != "look" and not left


@given(states())
def test_a_state_is_a_game_that_is_written_and_read(state):
    game = state.game()
    assert game.complete == (state.to_act.kind in ("over", "loot"))
    if state.to_act.kind == "loot":
        return  # an error, as long as the choice is missing
    text = dumps(game)
    (again,) = loads(text)
    assert again.errors == []
    assert again == game
    assert dumps(again) == text


@given(states().filter(decided), st.data())
def test_from_any_trick_of_a_game_the_rest_leads_to_the_game(state, data):
    """Both by redoing the rest, and by playing it from the record."""
    game = state.game()
    if state.to_act.kind == "loot" or not game.tricks:
        return
    trick = data.draw(st.integers(1, len(game.tricks)))
    plays = data.draw(st.integers(0, len(game.tricks[trick - 1].plays)))
    part = State.from_game(game, trick, plays)
    assert part.trick == trick or part.undone == 0 or plays == game.seats
    part._machine.conserved()
    for made, recorded in zip(part.tricks, game.tricks, strict=False):
        assert [p.card for p in made.plays] == [p.card for p in recorded.plays[: len(made.plays)]]
    while part.undone:
        part.redo()
    assert part.game() == game
    again = State.from_game(game)
    assert again.game() == game
    assert (again.to_act, again.plays, again.waiting) == (
        part.to_act,
        part.plays,
        part.waiting,
    )


@pytest.mark.no_cover
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_legal_record_is_a_state_at_any_moment(path):
    for number, game in enumerate(read_games(path)):
        if number == 5:
            break
        if game.errors or not game.deck or not game.tricks:
            continue
        assert State.from_game(game).game() == game
        middle = State.from_game(game, len(game.tricks) // 2 + 1, 1)
        if game.complete:
            (read,) = loads(dumps(middle.game()))
            assert read.tricks == middle.tricks
        while middle.undone:
            middle.redo()
        assert middle.game() == game


def sample() -> Game:
    return next(read_games(DATA / "sample.clm"))


def test_stepping_a_game_to_trick_14():
    game = sample()
    state = State.from_game(game, trick=14)
    assert (state.trick, state.phase, state.plays) == (14, 2, [])
    assert state.to_act == ("play", game.tricks[13].leader)
    assert all("_" not in state.hand(seat) for seat in (1, 2))
    played = game.tricks[13].plays[0]
    assert played.card in state.choices()
    state.play(played.card)
    assert state.to_act == ("play", game.tricks[13].plays[1].seat)
    assert state.game().result == "*"
    assert "Votes" not in state.game().tags
    with pytest.raises(IndexError, match="there is no trick 27"):
        State.from_game(game, trick=27)
    for plays in (-1, 3):
        with pytest.raises(IndexError, match=f"trick 14 has 2 plays, not {plays}"):
            State.from_game(game, trick=14, plays=plays)
    with pytest.raises(IndexError, match="trick 1 has 0 plays, not 1"):
        State.from_game(State("GKUWX").game(), trick=1, plays=1)


def test_hands_are_known_in_phase_2_though_no_draw_is_written():
    game = sample()
    for trick in game.tricks:
        trick.drawn = None
    (bare,) = loads(dumps(game))
    assert None in bare.tricks[0].taken.values()
    late = State.from_game(bare, trick=14)
    full = State.from_game(sample(), trick=14)
    assert [late.hand(seat) for seat in (1, 2)] == [full.hand(seat) for seat in (1, 2)]
    assert State.from_game(bare).game() == bare


def test_a_new_game_says_where_it_stands():
    state = State("GKUWX", leader=2, players=["Anna", "Ben"])
    assert str(state) == "GKUWX, trick 1 of 26: an upcard is to be turned up"
    state.turn_up("U7")
    assert state.play("g5") == Action("play", 2, "G5")
    assert repr(state) == "<State GKUWX, trick 1 of 26: seat 1 to play; 2:G5; upcard U7>"
    state.play("G8")
    assert (state.to_act.kind, state.to_act.seat) == ("draw", 2)
    (trick,) = state.tricks
    assert (trick.winner, trick.reasons[0].code) == (1, "why.highest")
    assert trick.taken == {1: "U7", 2: None}
    state.draw()
    assert dumps(state.game()) == (
        '[CLM "1"]\n[Player1 "Anna"]\n[Player2 "Ben"]\n[Deck "GKUWX"]\n[Leader "2"]\n'
        '[Result "*"]\n\n1. U7: G5 G8+\n*\n'
    )


@pytest.mark.parametrize(
    ("words", "choice", "message"),
    [
        ("", "Q5", "there is no card 'Q5'"),
        ("", "M5", "Kings are not in this deck"),
        ("U7", "U7", "U7 has shown up already"),
        ("U7 G5 G8", "G5", "G5 has shown up already"),
        ("U7", "_", "a card that is played must be named"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(words, choice, message):
    state = State("GKUWX")
    for word in words.split():
        state.apply(word)
    before = where(state)
    assert not state.can(choice)
    with pytest.raises(IllegalAction, match=message):
        state.apply(choice)
    assert where(state) == before


def revoked() -> State:
    """Seat 2 did not follow Goblins in trick 1; in trick 2 it wants to play one."""
    state = State("GKUWX")
    for word in ("U7", "G5", "K8", "_", "X3", "K4"):
        state.apply(word)
    return state


def test_a_later_play_proves_a_revoke_and_the_director_lets_it_stand():
    state = State("GKUWX")
    for word in ("U7", "G5", "W8", "_", "X3", "U4"):
        state.apply(word)
    with pytest.raises(IllegalAction, match="did not follow Goblins in trick 1") as refused:
        state.play("G9")
    assert refused.value.revoked_in == 1
    before = where(state)
    state.let_stand(refused.value.revoked_in, 2)
    assert state.game().tricks[0].plays[1].irregular
    assert where(state) != before
    state.play("G9")
    assert state.can_play is not None
    (read,) = loads(dumps(state.game()))
    assert read.errors == []
    assert [problem.code for problem in read.warnings] == ["irregular"]


def test_a_revoke_now_is_kept_if_the_director_says_so():
    state = State("GKUWX", hands={1: "G5 " + "_ " * 12, 2: "G9 U1 " + "_ " * 11})
    state.turn_up("U7")
    state.play("G5")
    assert not state.can_play("U1")
    with pytest.raises(IllegalAction, match="must follow Goblins: it holds G9"):
        state.play("U1")
    assert state.play("U1", irregular=True).irregular
    assert dumps(state.game()).endswith("1. U7: G5+ U1^\n*\n")


def test_what_was_mistyped_is_mended_where_it_stands():
    state = revoked()
    state.annotate("!")
    state.comment("so it is")
    before = where(state)
    state.mend(1, 1, "G6")
    assert [play.card for play in state.tricks[0].plays] == ["G6", "K8"]
    state.fill(1, 1, "W2")
    assert state.tricks[0].taken == {1: "W2", 2: "U7"}
    assert state.tricks[0].drawn == ["W2"]
    last = state.tricks[1].plays[0]
    assert (last.annotation, last.comments) == ("!", ["so it is"])
    state.mend(1, 1, "G5")
    kept = where(state)
    with pytest.raises(IllegalAction, match="K8 has shown up already"):
        state.mend(1, 1, "K8")
    with pytest.raises(IllegalAction, match="trick 2"):
        state.mend(1, 1, "K4")
    with pytest.raises(KeyError, match="nothing to mend in trick 3"):
        state.mend(3, 1, "K4")
    assert where(state) == kept != before
    while state.log:
        state.undo()
    assert state.to_act.kind == "turn-up"


def test_comments_clocks_and_annotations_are_data():
    state = State("GKUWX")
    state.comment("Before  the game.")
    state.turn_up("U7")
    state.play("G5")
    state.annotate("!?")
    state.clock("0:04:30")
    state.play("G8")
    state.draw("W2")
    state.comment("a good trick")
    text = dumps(state.game())
    assert "{Before the game.}\n1. U7: G5!? {[%clk 0:04:30]} G8+ /W2 {a good trick}\n" in text
    (again,) = loads(text)
    assert again == state.game()
    assert State.from_game(again).game() == again
    with pytest.raises(ValueError, match="no annotation"):
        state.annotate("wow")
    with pytest.raises(ValueError, match="no play"):
        state.annotate("!")


def test_a_game_that_is_resigned():
    state = revoked()
    state.finish("0-1", "resignation")
    game = state.game()
    assert (game.result, game.tags["Termination"], game.winners) == ("0-1", "resignation", [2])
    (again,) = loads(dumps(game))
    assert again.errors == []
    assert State.from_game(again).game() == again == game
    state.play("K9")
    assert state.game().result == "*"


def test_hands_and_pile_that_are_known_stand_in_the_record():
    full = State.dealt("GKUWX", seed=3)
    hands = {seat: full.hand(seat) for seat in (1, 2)}
    state = State("GKUWX", hands=hands)
    assert state.hand(1) == hands[1]
    state.turn_up(next(c for c in state.choices() if c[0] == "U"))
    state.play(hands[1][0])
    (again,) = loads(dumps(state.game()))
    assert again.errors == []
    assert State.from_game(again).hand(2) == hands[2]
    assert State.from_game(again).hand(1) == hands[1][1:]


@pytest.mark.parametrize("copied", [State.copy, copy.copy, copy.deepcopy])
def test_a_copy_goes_its_own_way(copied):
    state = State.dealt("NISTU", seed=1)
    play(state, Random(1), 40)
    state.comment("here")
    before = where(state)
    other = copied(state)
    assert where(other) == before
    play(other, Random(2))
    other.comment("there")
    assert other.over
    assert where(state) == before


def test_a_state_is_not_pickled():
    with pytest.raises(TypeError, match=r"a State cannot be pickled; pickle its game\(\)"):
        pickle.dumps(State("GKUWX"))


def test_until_a_seers_player_decides_the_hidden_card_counts_as_left():
    state = State("GKSTW")
    for choice in ("W4", "K5", "K3", "T9", "G3", "S2", "W9"):
        state.apply(choice)
    assert state.to_act == ("look", 1)
    game = state.game()
    assert canonical(game).endswith("\n2. G3: S2+ W9\n*\n")
    assert game.tricks[1].winner == 1
    assert loads(dumps(game)) == [game]
    state.look(True, "K4")
    assert state.game().tricks[1].taken == {1: "K4", 2: "G3"}


def test_a_copy_made_before_loot_is_chosen_counts_once():
    state = State.dealt("GKRWX", seed=4, loot=LOOT)
    rng = Random(4)
    while state.to_act.kind != "loot":
        choices = state.choices()
        state.apply(choices[int(rng.random() * len(choices))])
    other = state.copy()
    while not state.over:
        choice = state.choices()[0]
        state.apply(choice)
        other.apply(choice)
    assert other.game() == state.game()


def test_a_setup_can_be_dealt():
    setup = Setup("GKDSUWX", seats=3, rulings={"dragons": "last-dragon"}, leader=2)
    assert State.dealt(setup, seed=7).setup == setup
    with pytest.raises(ValueError, match="the Setup says what else is agreed"):
        State.dealt(setup, leader=2)


def test_only_the_choice_of_loot_cannot_be_left_open():
    """docs/notation.md, "Proof": there is no legal text, but the record can be continued."""
    state = State.dealt("GKRWX", seed=4, loot=LOOT)
    rng = Random(4)
    while state.to_act.kind != "loot":
        choices = state.choices()
        state.apply(choices[int(rng.random() * len(choices))])
    game = state.game()
    with pytest.raises(ValueError, match="all tricks are there, but the result is"):
        dumps(game)
    (read,) = loads(canonical(game))
    assert [problem.code for problem in read.errors] == ["result", "missing-choice"]
    again = State.from_game(read)
    assert again.to_act == state.to_act
    while not again.over:
        again.apply(again.choices()[0])
    assert dumps(again.game())


def test_four_players_pick_and_draw():
    state = State("GKADFUX", seats=4)
    for word in ("U1", "U2", "G1", "G2", "G3", "G9"):
        state.apply(word)
    assert state.to_act == ("pick", 4)
    assert sorted(state.choices()) == ["U1", "U2"]
    state.pick("U2")
    assert state.to_act == ("draw", 2)
    state.draw("W1" if "W" in state.deck else "K2")
    state.draw()
    assert dumps(state.game()).endswith("1. U1,U2: G1 G2 G3 G9+ =U2 /K2,_\n*\n")
    assert state.side(3) == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: State("GKU"), "ten-card"),
        (lambda: State("GKUWX", leader=3), "seat 3 is not at this table"),
        (lambda: State("GKUWX", players=["A"], seats=2), "2 seats need as many names"),
        (lambda: State("GKUWX", hands={3: "G5"}), "seat 3 is not at this table"),
        (lambda: State("GKUWX", hands={1: "G5"}), "seat 1 holds 13 cards, not 1"),
        (lambda: State("GKUWX", pile="G5"), "the pile has 26 cards"),
        (lambda: State("GKUWX").hand(3), "seat 3 is not at this table"),
        (lambda: State("GKUWX").count(3, "G"), "there is no side 3"),
    ],
)
def test_what_the_rules_do_not_allow_is_a_value_error(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_record_that_is_not_legal_is_no_state():
    (game,) = loads('[Deck "GKUWX"]\n1. U7: G5 K8+ /W2 2. X3: G9 G8 *')
    with pytest.raises(ValueError, match="trick 1: seat 2 must follow Goblins"):
        State.from_game(game)


def test_perft_is_the_machines():
    """The counts of all continuations are the same by names and by numbers."""

    def count(state: State, depth: int) -> int:
        if not depth or state.over:
            return 1
        total = 0
        for choice in state.choices():
            state.apply(choice)
            total += count(state, depth - 1)
            state.undo()
        return total

    setup = Setup("GKASX")
    machine = Machine(setup, *deal(setup, Random(5)))
    assert count(State.dealt("GKASX", seed=5), 4) == perft(machine, 4)


def test_names_and_numbers_agree():
    assert {card(name) for name in State("GKUWX").choices()} == set(
        Machine(Setup("GKUWX")).choices()
    )
    assert "".join(faction.letter for faction in FACTIONS) == LETTERS


def test_a_setup_says_what_is_agreed() -> None:
    """In one object, or as arguments beside the letters of the deck."""
    setup = Setup("xswkdug", 3, rulings={"dragons": "last-dragon"}, leader=2)
    state = State(setup, players=["Anna", "Ben", "Cleo"])
    other = State(
        "GKDSUWX", seats=3, players=["Anna", "Ben", "Cleo"], rulings={"dragons": "last-dragon"},
        leader=2,
    )  # fmt: skip
    assert state.setup == other.setup == setup
    assert state.game() == other.game()
    assert (state.game().leader, state.game().tags["Deck"]) == (2, "GKDSUWX")
    with pytest.raises(ValueError, match="the Setup says"):
        State(setup, leader=1)
    with pytest.raises(ValueError, match="need as many names"):
        State(setup, players=["Anna", "Ben"])


@pytest.mark.parametrize("change", ["mend", "fill", "amend", "play", "finish"])
def test_what_followed_the_undone_moves_goes_with_them(change):
    """The end of the game, and comments on later tricks; `redo` alone brings them back."""
    state = State("GKUWX", players=["A", "B"])
    for word in ("U7", "G5", "G8", "W2", "X3", "G9", "G7", "W3", "U1"):
        state.apply(word)
    state.comment("late", trick=3)
    state.finish("1-0", "resignation")
    whole = state.game()
    for _ in range(3):
        state.undo()
    assert not state.finished
    while state.undone:
        state.redo()
    assert state.finished
    assert state.game() == whole

    for _ in range(3):
        state.undo()
    if change == "mend":
        state.mend(1, 1, "G4")
    elif change == "fill":
        state.fill(1, 1, "W4")
    elif change == "amend":
        state.amend(1, "U7", "U8")
    elif change == "play":
        state.play("G6")
    else:
        state.finish("0-1", "time")
        assert state.game().tags["Termination"] == "time"
        state.go_on()
    assert (state.undone, state.finished) == (0, False)
    assert (state.game().result, "Termination" in state.game().tags) == ("*", False)
    for word in ("G7", "W3", "U1") if change != "play" else ("W3", "U1"):
        state.apply(word)
    assert [trick.comments for trick in state.game().tricks] == [[], [], []]


def test_a_recorded_game_is_mended_at_an_earlier_moment():
    """It is then unfinished, as the rest of it no longer follows."""
    (game,) = read_games(DATA / "sample.clm")
    state = State.from_game(game, trick=5)
    (loser,) = (play for play in game.tricks[3].plays if play.seat != game.tricks[3].winner)
    assert loser.card == "U0"
    state.mend(4, loser.seat, "U3")
    (again,) = loads(dumps(state.game()))
    assert (again.result, len(again.tricks), again.errors) == ("*", 5, [])
    assert "Votes" not in again.tags
