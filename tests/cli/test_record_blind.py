"""Typing at the recorder without looking: slips, stray keys, cards in a row.

The right outcome is known from how the keys are generated: a game is dealt and played by the rules,
its entries are typed one after another, with slips between them.  Nothing after a slip may be
recorded before the scorer has looked, nothing may be lost, and each waiting key rings the bell.
"""

from __future__ import annotations

from random import Random

import pytest

from claimlog import loads
from claimlog.cli.record.keyboard import ENTER, Keyboard
from claimlog.language import words
from claimlog.recording import Recording
from claimlog.state import State

DECKS = (("GKUWX", 2), ("MPRSA", 2), ("NIRTB", 2), ("GKRADFX", 4), ("MPSRUVW", 3))
LONG = ("R1", "P1")
"""Cards that another key may turn into different ones."""


class Blind:
    """A scorer who types a game, and the expected outcome."""

    def __init__(self, deck: str, seats: int, seed: int) -> None:
        self.chance = Random(seed)
        loot = "R2 R3 R5 R7" if "R" in deck else None
        self.game = State.dealt(deck, seats=seats, seed=seed, loot=loot)
        self.bells = 0
        self.recording = Recording(State(deck, seats=seats, loot=self.game.setup.loot))
        self.keyboard = Keyboard(self.recording, words(), self.ring, lambda: None)
        self.entries: list[tuple[str, str, bool]] = []
        """Keys, the card that they stand for ("" for a slip), whether a digit may follow."""
        self.unseen = False
        """Whether a draw of this trick was left out; the next draw is then left out too."""
        self.out: list[str] = []
        """Cards that were played in Phase 1 and are out of the game."""

    def ring(self) -> None:
        self.bells += 1

    # Typing

    def entry(self) -> tuple[str, str] | None:
        """The keys for the next action in the game, and its card; None if it is not typed."""
        game, chance = self.game, self.chance
        kind = game.to_act.kind
        if kind == "turn-up":
            card = str(game.turn_up().card)
            return card.lower(), card
        if kind == "draw":
            card = str(game.draw().card)
            self.unseen = self.unseen or chance.random() < 0.7
            return None if self.unseen else (f"/{card.lower()}", card)
        self.unseen = False
        first, led = game.phase == 1, game.plays[0][1][0] if kind == "play" and game.plays else ""
        action = game.apply(chance.choice(game.choices()))
        card = str(action.card)
        if kind == "look":
            return (f"~{card.lower()}", card) if action.card else None
        if kind == "discard" and chance.random() < 0.5:
            return "_", "_"
        if kind == "play" and first:
            self.out.append(card)
        alone = card[0] == led and not self.digit_may_follow() and chance.random() < 0.6
        return (card[1:] if alone else card.lower()), card

    def digit_may_follow(self) -> bool:
        return bool(self.entries) and self.entries[-1][2]

    def slip(self) -> str:
        """Keys that are no entry, wherever they are typed."""
        game, chance = self.game, self.chance
        others = [c for c in "ACDEFHJLMNOPQSTUVWXYZ" if c not in game.deck]
        choices = [
            f"{chance.choice(others)}{chance.randint(2, 9)}".lower(),
            "#" if chance.random() < 0.5 else "ä",
            chance.choice(game.deck).lower(),
        ]
        if game.to_act.kind == "loot":
            return choices[1]
        known = [card for card in self.out if card[0] not in "GNI" and card not in LONG]
        if known and game.to_act.kind != "pick":
            choices.append(chance.choice(known).lower())
        if (
            not self.digit_may_follow()
            and not game.plays
            and game.to_act.kind in ("turn-up", "play")
        ):
            choices.append(str(chance.randint(2, 9)))
        return chance.choice(choices)

    # The expected outcome

    def type(self, keys: str, card: str) -> None:
        waited = self.keyboard.waiting is not None
        bells = self.bells
        for key in keys:
            self.keyboard.press(key)
        self.entries.append((keys, card, keys.isalpha() or card in LONG))
        if waited:
            assert self.bells - bells == len(keys)
        elif self.keyboard.waiting is not None:
            assert self.bells > bells
        elif card:
            assert self.bells == bells
        self.check()

    def wanted(self) -> list[str]:
        """The cards that were entered: those before the first slip."""
        return [card for _, card, _ in self.entries[: self.first()]]

    def first(self) -> int:
        slips = [at for at, entry in enumerate(self.entries) if not entry[1]]
        return slips[0] if slips else len(self.entries)

    def check(self) -> None:
        """Check that exactly the intended cards are recorded, and the rest is shown as typed."""
        keyboard = self.keyboard
        recorded = [
            action.card
            for action in self.recording.state.log
            if action.card is not None and (action.kind != "draw" or action.card != "_")
        ]
        wanted = self.wanted()
        if keyboard.line and self.first() == len(self.entries):
            wanted.pop()  # it is completed by the next key
        assert recorded == wanted
        rest = "".join(keys for keys, _, _ in self.entries[len(wanted) :])
        assert keyboard.open.replace("⏎", "").lower() == rest
        if keyboard.waiting is not None:
            assert keyboard.why_not(keyboard.waiting)

    def look(self) -> None:
        """Drop the slip, or delete everything typed since and type it again."""
        keyboard, at = self.keyboard, self.first()
        if self.chance.random() < 0.7:
            answers = [answer.what for answer in keyboard.answers(keyboard.waiting)]
            for _ in range(answers.index("drop") + 1):
                keyboard.move(1)
            keyboard.settle()
            del self.entries[at]
            self.check()
            return
        again = self.entries[at + 1 :]
        for _ in range(len(keyboard.open)):
            assert keyboard.open
            keyboard.take_back()
        assert not keyboard.open
        del self.entries[at:]
        self.check()
        for keys, card, _ in again:
            self.type(keys, card)


@pytest.mark.parametrize(("deck", "seats"), DECKS)
def test_nothing_is_played_that_was_not_meant_and_nothing_is_lost(deck: str, seats: int) -> None:
    for seed in range(3):
        blind = Blind(deck, seats, seed)
        while not blind.game.over:
            chance = blind.chance.random()
            if chance < 0.06:
                blind.type(blind.slip(), "")
            elif chance < 0.16 and blind.keyboard.waiting is not None:
                blind.look()
            elif chance < 0.20 and not blind.digit_may_follow():
                blind.keyboard.press(ENTER)
                blind.check()
            elif chance < 0.24:
                bells = blind.bells
                if blind.keyboard.waiting is not None:
                    assert not blind.keyboard.free()
                    blind.keyboard.redo()
                    assert blind.bells == bells + 2
                    blind.check()
            elif entry := blind.entry():
                blind.type(*entry)
        while blind.keyboard.waiting is not None or blind.keyboard.line:
            blind.keyboard.press(ENTER)
            if blind.keyboard.waiting is not None:
                blind.look()
        assert [card for _, card, _ in blind.entries] == blind.wanted()
        assert blind.recording.over


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_pressed_the_record_is_sound(seed: int) -> None:
    """Cards, any other keys, answers, undo and redo, a disk that is sometimes full."""
    chance = Random(seed)
    full = False

    def keep(text: str) -> None:
        if full:
            raise OSError("no space left")

    deck, seats = DECKS[seed]
    recording = Recording(State(deck, seats=seats), keep)
    keyboard = Keyboard(recording, words(chance.choice(["en", "de"])), lambda: None, lambda: None)
    for _ in range(250):
        what = chance.random()
        if what < 0.6:
            for key in chance.choice([*recording.possible(), "_"]).lower():
                keyboard.press(key)
        elif what < 0.75:
            keyboard.press(chance.choice([*"gkrmpxo0123456789~/_=-#?! qä", ENTER]))
        elif what < 0.8:
            keyboard.take_back()
        elif what < 0.84:
            keyboard.redo()
        elif what < 0.96:
            keyboard.move(chance.choice([1, -1]))
            if keyboard.chosen is not None:
                keyboard.settle()
        elif what < 0.98:
            keyboard.clear()
        else:
            full = not full
        if keyboard.waiting is not None:
            assert keyboard.why_not(keyboard.waiting)
            assert keyboard.open.startswith(keyboard.waiting.line)
    (game,) = loads(recording.text)
    assert game.errors == []
    assert recording.now.decided
