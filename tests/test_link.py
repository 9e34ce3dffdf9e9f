"""Codes of games: whole and cut, known and unknown, mistyped, and old ones."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from examples import many
from hypothesis import example, given
from hypothesis import strategies as st
from links import as_people_write
from robust.codes import mistyped

from claimlog import Game, State, dumps, loads, read_games, simulate_games
from claimlog.link import ALPHABET, LONGEST, CodeError, decode, encode, link_of, read_link
from claimlog.link.choices import content

DATA = Path(__file__).parent.parent / "data"
GOLDEN = Path(__file__).parent / "replay" / "golden" / "codes.txt"


def bare(game: Game) -> str:
    """A record without the parts that a code does not hold."""
    kept = ("Deck", "Rules", "Rulings", "Leader", "LootCards", "Loot", "Votes", "Termination")
    tags = {f"Player{seat}": "?" for seat in range(1, game.seats + 1)}
    tags |= {name: value for name, value in game.tags.items() if name in kept}
    tricks = [
        replace(
            trick,
            comments=[],
            drawn=trick.drawn if any(trick.drawn or ()) else None,
            plays=[replace(play, annotation="", comments=[]) for play in trick.plays],
        )
        for trick in game.tricks
    ]
    return dumps([replace(game, tags=tags, comments=[], tricks=tricks)])


@pytest.mark.parametrize(("policy", "number"), [("random", 25), ("greedy", 25), ("expert", 3)])
def test_a_complete_game_of_two_fits_into_52_characters(policy: str, number: int) -> None:
    for game in simulate_games(number, policy=policy, seed=5):
        code = encode(game)
        assert set(code) <= set(ALPHABET)
        # There are 14 Raccoons, and the record says which of them show loot.
        assert len(code) <= (52 if "R" not in game.deck else 60)
        assert bare(decode(code)) == bare(game)


@pytest.mark.parametrize("seats", [3, 4])
def test_games_of_three_and_four(seats: int) -> None:
    for game in simulate_games(15, seats=seats, seed=3):
        assert bare(decode(encode(game))) == bare(game)


def test_every_sample_has_its_code() -> None:
    number = 0
    for path in sorted(DATA.glob("**/*.clm")):
        for game in read_games(path):
            if game.legal:
                again = decode(encode(game))
                assert content(again) == content(game), path
                number += 1
                # The kit leaves out tags with default values.
                if path.parent.parent.name == "conformance":
                    continue
                if game.tricks and "Hand1" not in game.tags:
                    assert bare(again) == bare(game), path
    assert number > 90


@pytest.mark.parametrize(
    ("tag", "value"),
    [
        *[("Votes", None), ("Leader", None), ("Rules", "LE2023"), ("Termination", "normal")],
        *[("Rulings", "trolls=highest"), ("Rulings", "dragons=last-card raccoons=deck")],
        *[("LootCards", "R1 R2"), ("Loot", "1=G 2=W"), ("Scenario", "fog"), ("Event", '"x"')],
    ],
)
def test_what_holds_anyway_does_not_change_the_code(tag: str, value: str | None) -> None:
    (game,) = simulate_games(1, deck="GKUWX", seed=4)
    assert game.leader == 1
    tags = {name: text for name, text in game.tags.items() if name != tag}
    if value is not None:
        tags = {tag: value} | tags
    (other,) = loads(dumps(replace(game, tags=tags)))
    assert other.legal, other.problems
    assert encode(other) == encode(game)


def test_loot_is_told_by_the_cards_and_by_what_was_chosen() -> None:
    """The order and case of LootCards do not matter, nor does a Loot without a choice."""
    (game,) = (g for g in simulate_games(1, deck="GKRWX", seed=6) if g.complete)
    code = encode(game)
    cards = game.tags["LootCards"].split()
    assert len(cards) > 1
    (other,) = loads(dumps(game).replace(" ".join(cards), " ".join(reversed(cards)).lower()))
    assert other.tags["LootCards"] != game.tags["LootCards"]
    assert encode(other) == code
    assert game.score
    chosen = {side: loot.faction for side, loot in game.score.loot.items()}
    said = " ".join(f"{side}={faction}" for side, faction in chosen.items())
    (other,) = loads(dumps(replace(game, tags={**game.tags, "Loot": said})))
    assert other.legal, other.problems
    assert encode(other) == code


def test_that_no_raccoon_shows_loot_is_kept() -> None:
    (game,) = loads('[Deck "GKRUW"]\n[LootCards ""]\n\n1. U7: G5 *')
    again = decode(encode(game))
    assert again.tags["LootCards"] == ""
    assert not again.problems
    state = State("GKRUW", loot=())
    assert loads(dumps(state.game()))[0].tags["LootCards"] == ""
    assert "LootCards" not in State("GKRUW").game().tags
    assert "LootCards" not in State("GKUWX", loot=()).game().tags


TWO = '[Deck "GKSUX"]\n\n'
THREE = '[Player1 "a"]\n[Player2 "b"]\n[Player3 "c"]\n[Deck "GKADSUX"]\n\n'
FOUR = THREE.replace("[Deck", '[Player4 "d"]\n[Deck')


@pytest.mark.parametrize(
    "text",
    [
        *(f"{TWO}1. {cut}\n*\n" for cut in ("U7: G5 /_", "U7: G5 /G2", "U7: /G1", "/G1")),
        *(f"{TWO}1. {cut}\n*\n" for cut in ("U7: S1 ~G1 /G2", "U7: G5 ~_")),
        *(f"{THREE}1. {cut}\n*\n" for cut in ("U7,G1: =U7", "U7,G1: U1 U4 ~S1 =G1 /S0", "=U7")),
        f"{THREE}1. U7,G1: S1 S5+ S4 /G2\n*\n",
        f"{FOUR}1. U7,G1: U1 U4+ U2 U3 /S0,S1\n*\n",
    ],
)
def test_choices_before_all_plays_of_a_cut_trick(text: str) -> None:
    """They are legal, so a code holds them, and so does a state until the game goes on."""
    (game,) = loads(text)
    assert game.legal
    assert dumps(game) == text
    code = encode(game)
    assert content(decode(code)) == content(game)
    assert encode(decode(code)) == code
    state = State.from_game(game)
    assert dumps(state.game()) == text
    assert dumps(state.copy().game()) == text
    state.apply(state.choices()[-1])
    state.write_end("1-0" if game.seats != 3 else "1-0-0", "abandoned")
    assert dumps(state.game()) != text
    assert state.game().tricks[-1].hidden is None


@given(st.integers(0, 10_000), st.integers(2, 4), st.data())
def test_any_cut_that_is_legal_has_a_code(seed: int, seats: int, data: st.DataObject) -> None:
    """Some words of the last trick of Phase 1 that the record has are missing."""
    game = next(iter(simulate_games(1, seats=seats, seed=seed)))
    tags, tricks = dumps(game).split("\n\n")
    rows = tricks.splitlines()[: data.draw(st.integers(1, 9))]
    words = rows.pop().split()
    kept = [word for word in words[1:] if data.draw(st.booleans())]
    text = "\n".join([*rows, " ".join([words[0], *kept]), "*", ""])
    tags = "\n".join(tag for tag in tags.splitlines() if not tag.startswith(("[Result", "[Votes")))
    (cut,) = loads(f"{tags}\n\n{text}")
    if cut.legal:
        assert content(decode(encode(cut))) == content(cut)
        # Before the winner with a Seer has chosen, the game of a state has no winner's mark yet.
        assert dumps(loads(dumps(State.from_game(cut).game()))) == dumps(cut)


@given(st.integers(0, 1 << 32))
def test_whatever_is_left_out_has_a_code(seed: int) -> None:
    game = as_people_write(Random(seed))
    if game is not None:
        code = encode(game)
        again = decode(code)
        assert content(again) == content(game)
        assert encode(again) == code
        assert loads(dumps(again))[0].legal


def test_draws_that_nobody_noted_make_a_code_shorter() -> None:
    (game,) = simulate_games(1, deck="GKUWX", seed=4)
    (other,) = loads(re.sub(r" /\S+", "", dumps(game)))
    assert other.complete
    assert len(encode(other)) < len(encode(game))
    assert [trick.drawn for trick in decode(encode(other)).tricks] == [None] * 26


# Of the last two draws one was noted; the other follows from the plays.
@example(4, 4, 117, True)
@given(st.integers(0, 10_000), st.integers(2, 4), st.integers(0, 120), st.booleans())
def test_a_game_that_stopped_or_of_which_little_is_known(
    seed: int, seats: int, stop: int, complete: bool
) -> None:
    chance = Random(seed)
    whole = next(iter(simulate_games(1, seats=seats, seed=seed)))
    state = State(
        whole.deck, seats=seats, rules=whole.rules, rulings=dict(whole.rulings), leader=whole.leader
    )
    for action in State.from_game(whole).log[:stop]:
        if state.over:
            break
        unknown = action.kind in ("draw", "discard") and not (complete and chance.random() < 0.5)
        if action.kind == "look":
            state.look(action.card is not None, "_" if unknown else action.card)
        elif action.kind == "loot":
            state.choose_loot(action.card or "")
        else:
            state.apply("_" if unknown else action.card or "_")
    if not state.over and chance.random() < 0.3:
        state.finish("1-0" if seats != 3 else "0-1-0", "resignation")
    # Until something follows, no record says whether a Seer's card was left.
    (game,) = loads(bare(state.game()))
    assert bare(decode(encode(state.game()))) == bare(game)


def test_hands_pile_rulings_and_revokes_are_kept() -> None:
    for seed in range(4):
        state = State.dealt("NIDVR", seed=seed, rulings={"dragons": "last-dragon"}, leader=2)
        chance = Random(seed)
        while not state.over:
            state.proceed()
            if not state.over:
                state.apply(chance.choice(state.choices()))
        game = state.game()
        for seat in (1, 2):
            game.tags[f"Hand{seat}"] = " ".join(State.dealt("NIDVR", seed=seed).hand(seat))
        again = decode(encode(game))
        assert bare(again) == bare(game)
        assert again.rulings["dragons"] == "last-dragon"
        assert [again.tags[f"Hand{n}"] for n in (1, 2)] == [game.tags[f"Hand{n}"] for n in (1, 2)]
    (revoked,) = loads('[Deck "GKUWX"]\n[Leader "1"]\n\n1. U7: G5 W8^\n2. X3: G4 G9\n*\n')
    again = decode(encode(revoked))
    assert [play.irregular for play in again.tricks[0].plays] == [False, True]
    assert bare(again) == bare(revoked)


@pytest.mark.parametrize("length", [1, 2, 40, 52, 60, 110, LONGEST])
def test_the_check_finds_every_wrong_character_and_every_swap(length: int) -> None:
    """In all codes: a CRC is linear, so the effect of a change is the same in each."""
    code = "A" * length

    def check(changed: str) -> int:
        return remainder(changed) ^ remainder(code)

    first = [check(code[:at] + "B" + code[at + 1 :]) for at in range(length)]
    # The effect of a higher bit follows from the bits below it.
    bits = [[first[at]] for at in range(length)]
    for row in bits:
        for _ in range(5):
            row.append(shifted(row[-1]))
    for at in range(length):
        for other in range(1, 64):
            wrong = combined(bits[at], other)
            assert wrong
            if at + 1 < length:
                assert wrong ^ combined(bits[at + 1], other)


def remainder(code: str) -> int:
    """The remainder of a code's bits, including its check, by the generator."""
    number = sum(ALPHABET.index(letter) << 6 * at for at, letter in enumerate(code))
    for place in range(number.bit_length() - 1, 19, -1):
        if number >> place & 1:
            number ^= 0x18359F << place - 20
    return number


def shifted(rest: int) -> int:
    """The remainder of twice a number."""
    return rest << 1 ^ 0x18359F if rest >> 19 & 1 else rest << 1


def combined(bits: list[int], letter: int) -> int:
    """The remainder of a change of one character, from those of its bits."""
    rest = 0
    for place, one in enumerate(bits):
        rest ^= one if letter >> place & 1 else 0
    return rest


def test_what_is_mistyped_is_no_other_game() -> None:
    """A short form of `robust.codes`."""
    assert mistyped(Random(3), 4) == []


def test_what_is_no_code_is_refused() -> None:
    code = encode(next(iter(simulate_games(1, deck="GKUWX", seed=2))))
    for text in ("", "a b", "é" * 20, "A" * (LONGEST + 1), "A" * 50, code[:-4], code + "B"):
        with pytest.raises(CodeError):
            decode(text)


@many
@given(st.text(ALPHABET, min_size=1, max_size=80))
def test_any_text_is_a_code_or_none(text: str) -> None:
    try:
        game = decode(text)
    except CodeError:
        return
    assert encode(game) == text
    assert loads(dumps([game]))[0].errors == []


def test_a_game_with_errors_has_none() -> None:
    text = (DATA / "broken" / "revoke.clm").read_text(encoding="utf-8")
    with pytest.raises(CodeError, match="did not follow Goblins"):
        encode(loads(text)[0])


def test_a_link_has_names_and_event() -> None:
    (game,) = read_games(DATA / "sample.clm")
    link = link_of(game, "https://claim.example/")
    assert link.startswith(f"https://claim.example/r/{encode(game)}?Player1=Anna+Keller&Player2=")
    for text in (link, link.partition("example")[2], f" {link}#t3\n"):
        linked = read_link(text)
        names = ("Player1", "Player2", "Event", "Date")
        assert [linked.tags[name] for name in names] == [game.tags[name] for name in names]
        assert bare(linked) == bare(game)
    assert "Result" not in read_link(f"{link}&Deck=GKUWS&Result=1-0").tags or (
        bare(read_link(f"{link}&Deck=GKUWS&Result=1-0")) == bare(game)
    )
    assert read_link(encode(game)).tags["Player1"] == "?"


@pytest.mark.parametrize(
    "tags",
    [
        {"Date": "2026-??-??", "Event": "Why?", "Site": "??"},
        {"Player1": "?", "Player2": "Who?", "Date": "????-??-??", "Event": "?Qué pasa?"},
    ],
)
def test_a_link_keeps_names_and_dates_with_question_marks(tags: dict[str, str]) -> None:
    """Only what is wholly unknown is left out."""
    (game,) = read_games(DATA / "sample.clm")
    game.tags |= tags
    link = link_of(game, "https://claim.example")
    assert "????" not in link
    linked = read_link(link)
    assert linked.legal
    assert loads(dumps(linked))[0].legal
    for name, value in tags.items():
        assert linked.tags.get(name, "????-??-??") == value


def test_codes_of_old_are_read_for_ever() -> None:
    """Never change a line of that file: these codes are in other people's messages."""
    kept = GOLDEN.read_text(encoding="utf-8").split("\n\n")
    assert len(kept) >= 61
    for entry in kept:
        code, _, record = entry.partition("\n")
        (game,) = loads(record)
        assert bare(decode(code)) == bare(game)
        assert encode(game) == code
