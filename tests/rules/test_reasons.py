"""The reasons that the rules note: who won why, what went where, who leads, what decided.

Each is written as its code, the seat or side, the cards, the number, the faction's letter.
"""

import pytest
from tabletop import index_of, name, table, trick

from claimlog.cards import LETTERS, VALUE_OF, card
from claimlog.game import Reason
from claimlog.rules.outcome import reasons_of
from claimlog.rules.powers import role
from claimlog.rules.reasons import REASONS
from claimlog.rules.scoring import Count


def written(noted) -> str:
    """One reason as a line, without the parts it lacks."""
    parts = [REASONS[noted.reason]]
    if noted.seat >= 0:
        parts.append(str(noted.seat + 1))
    parts += [name(card) for card in noted.cards]
    if noted.number:
        parts.append(f"#{noted.number}")
    if noted.faction >= 0:
        parts.append(LETTERS[noted.faction])
    return " ".join(parts)


def trick_reasons(
    plays: str, *, rulings: str = "", more=None, kind: str = "", **where
) -> list[str]:
    """The reasons of a trick whose code begins with `kind`."""
    where.setdefault("deck", "GKADSTUWXFNI")
    on = table(seats=len(plays.split()), rulings=rulings, **where)
    on.noting = True
    trick(on, plays, **(more or {}))
    return [line for line in map(written, on.reasons()) if line.startswith(kind)]


@pytest.mark.parametrize(
    ("plays", "reasons"),
    [
        ("G5 G8", ["why.highest 2 G8 G"]),
        ("G5 W9", ["why.alone 1 G5 G"]),
        ("G0 G0", ["why.highest 1 G0 G", "why.first 1 G0 G0 G"]),
        ("G9 K2", ["why.knight 2 K2 G"]),
        ("X1 K9", ["why.alone 1 X1 X"]),
        ("W4 X9", ["why.double 2 X9 W"]),
        ("W4 X4", ["why.highest 1 W4 W", "why.first 1 W4 X4 #4 W"]),
        ("X4 X5", ["why.highest 2 X5 X"]),
        ("G9 K3 K2", ["why.knights 2 K3 G"]),
        ("G9 X9 K2", ["why.knight 3 K2 G"]),
        ("W4 G9 X4 W4", ["why.highest 1 W4 W", "why.first 1 W4 X4 W4 #4 W"]),
        ("W4 X4 W2 G4", ["why.highest 1 W4 W", "why.first 1 W4 X4 #4 W"]),
    ],
)
def test_why_a_trick_was_won(plays, reasons):
    """rules.md, "Phase 1", 3."""
    assert trick_reasons(plays, kind="why.") == reasons


def test_a_griffin_adds_five():
    """rules.md, "Powers", Griffins: the card, the Griffin, and the value that counts."""
    assert trick_reasons("U3 U7", phase=2, piles={1: "F3"}, kind="why.") == [
        "why.highest 1 U3 U",
        "why.griffin 1 U3 F3 #8",
    ]


@pytest.mark.parametrize(
    ("plays", "leader", "where", "reasons"),
    [
        ("G5 G8", 1, {}, ["next.next-winner 2 #2"]),
        ("G8 D5", 1, {}, ["next.next-dragon 2 D5 #2"]),
        ("D5 G8", 1, {}, ["next.next-winner 1 #2"]),
        ("D1 D5", 1, {"trick": 13}, ["next.next-dragon 2 D5 #14", "next.phase-2"]),
        ("G8 G5", 1, {"trick": 26}, []),
        ("G8 D5", 1, {"trick": 26}, []),
        ("A5 G8", 1, {}, ["next.next-automaton 1 #2"]),
        ("A5 D8", 1, {}, ["next.automaton-first 1", "next.next-automaton 1 #2"]),
        ("A5 D8", 2, {}, ["next.automaton-first 2", "next.next-automaton 2 #2"]),
        ("G8 A9", 1, {}, ["next.next-winner 1 #2"]),
        ("G8 A9", 1, {"rulings": "automatons=played"}, ["next.next-automaton 1 #2"]),
        (
            *("A5 G8", 2, {"trick": 13}),
            ["next.automaton-late 2", "next.next-winner 2 #14", "next.phase-2"],
        ),
        ("A5 G8", 1, {"phase": 2}, ["next.next-winner 1 #15"]),
        ("D5 D8 G2", 3, {"rulings": "dragons=last-dragon"}, ["next.next-last-dragon 1 D8 #2"]),
        ("D5 D8 G2", 3, {}, ["next.next-winner 1 #2"]),
    ],
)
def test_who_leads_next_and_what_for(plays, leader, where, reasons):
    """rules.md, "Powers", Dragons and Automatons."""
    assert trick_reasons(plays, leader=leader, kind="next.", **where) == reasons


@pytest.mark.parametrize(
    ("plays", "where", "reasons"),
    [
        ("U5 U8", {}, ["out.undead 2 U5 U8"]),
        ("G5 G8", {}, []),
        ("G5 G8", {"phase": 2}, ["out.pile 2 G5 G8"]),
        ("G8 W8", {"phase": 2}, ["out.pile 1 G8", "out.dwarves-lost 2 W8"]),
        ("U1 W5 G9", {"phase": 2}, ["out.pile 1 U1 G9", "out.dwarves-lowest 1 W5 #1"]),
        ("G4 B4 W5", {"phase": 2}, ["out.pile 1 G4 B4", "out.dwarves-later 2 W5 #4"]),
        ("G1 W5 G1 G0", {"phase": 2}, ["out.pile 1 G1 G1 G0", "out.dwarves-lowest 4 W5"]),
        ("N3 N5", {"phase": 2}, ["out.gnomes 2 N3 N5"]),
        (
            *("G5 I7", {"phase": 2, "displays": {2: "N7 N7"}}),
            ["out.pile 1 G5 I7", "out.giants 2 N7"],
        ),
        ("T6 T7", {"phase": 2}, ["out.troll 2 T7"]),
        ("T6 T7", {"trick": 26}, ["out.trolls-last 2 T7 T6"]),
        ("G8 T7", {"trick": 26}, ["out.pile 1 G8", "out.troll 1 T7"]),
    ],
)
def test_what_went_where(plays, where, reasons):
    """rules.md, "Powers", Undead, Dwarves, Gnomes, Giants, Trolls."""
    assert trick_reasons(plays, kind="out.", **where) == reasons


@pytest.mark.parametrize(
    ("plays", "more", "reasons"),
    [
        ("G5 G8", {"up": "U7", "draws": "W2"}, ["taken.upcard 2", "taken.hidden 1"]),
        ("G5 S8", {"up": "U7", "draws": "W2"}, ["taken.upcard 1", "taken.hidden 2"]),
        (
            *("S8 G5", {"up": "U7", "seer": "W2"}),
            ["taken.seer 1", "taken.upcard 2", "out.seer 1"],
        ),
        (
            *("G5 G8 G1", {"up": "U7 W3", "pick": "W3", "draws": "K2"}),
            ["taken.upcard 2", "taken.upcard 1", "taken.hidden 3"],
        ),
    ],
)
def test_what_each_seat_took_and_how(plays, more, reasons):
    """rules.md, "Phase 1", 4, and "Powers", Seers."""
    found = trick_reasons(plays, more=more)
    assert [line for line in found if line.startswith(("taken.", "out."))] == reasons


def test_an_automatic_trick_names_the_automaton_that_won_it():
    """rules.md, "Powers", Automatons; also another player's, with the ruling ``played``."""
    for first, rulings, reason in (
        ("A5 G8", "", "why.auto 1 A5 #3"),
        ("G8 A2", "automatons=played", "why.auto 1 A2 #3"),
        ("A1 A2", "automatons=played", "why.auto 2 A2 #3"),
        ("G8 A2 A1", "automatons=played", "why.auto 1 A2 #3"),
    ):
        seats = len(first.split())
        on = table("GKADX", seats=seats, rulings=rulings, trick=3)
        on.noting = True
        trick(on, first)
        trick(on, " ".join(["_"] * seats))
        seat = reason.split()[1]
        assert [written(noted) for noted in on.reasons()] == [reason, f"next.next-winner {seat} #5"]


def test_a_conceded_trick_is_won_by_its_mark():
    """An unreadable card: the mark says who won, and nothing is invented."""

    def conceded(plays: str, best: int) -> tuple[bool, list[str]]:
        on = table("GKADX")
        on.noting = True
        for text in plays.split():
            on.play(index_of(text))
        return bool(on.concede(best)), list(map(written, on.reasons()))

    assert conceded("_ D4", 1) == (True, ["why.mark 2 D4", "next.next-dragon 2 D4 #2"])
    assert conceded("_ G4", 1) == (True, ["why.mark 2 G4", "next.next-winner 2 #2"])
    assert conceded("A5 _", 0) == (True, ["why.mark 1 A5", "next.next-automaton 1 #2"])
    assert conceded("G5 _", 0) == (False, ["why.mark 1 G5"])  # it may be a Dragon
    assert conceded("_ G5", 0) == (False, ["why.mark 1 _"])  # it may be an Automaton


def test_reasons_in_the_names_of_the_model():
    """Seats count from 1; parts that a reason does not have are left out."""
    on = table("GKADX", trick=13)
    on.noting = True
    trick(on, "G0 G0")
    assert reasons_of(on.reasons()) == [
        Reason("why.highest", 1, ("G0",), "G"),
        Reason("why.first", 1, ("G0", "G0"), "G"),
        Reason("next.next-winner", 1, (), "", 14),
        Reason("next.phase-2", None, (), ""),
    ]


def test_nothing_is_noted_unasked():
    on = table("GKUWX")
    trick(on, "G5 K8", up="U7", draws="W2")
    assert on.reasons() == []


# The end -----------------------------------------------------------------------------


def ended(piles, deck="GKUWX", *, seats=2, displays=None, loot="", choose=None) -> list[str]:
    """The reasons of a count."""
    end = table(deck, seats=seats, piles=piles, displays=displays)
    count = Count()
    count.noting = True
    count.gather(end, sum(1 << VALUE_OF[card(text)] for text in loot.split()))
    for side, letter in (choose or {}).items():
        count.choose(side - 1, LETTERS.index(letter))
    count.decide()
    return list(map(written, count.reasons()))


def test_what_happens_before_the_count():
    """rules.md, "The end": Gnomes join, Peasants move, loot counts."""
    assert ended({}, "NIUWX", displays={1: "N5 N1 N5", 2: "N9"})[:2] == [
        "end.end-gnomes 1 N1 N5 N5",
        "end.end-gnomes 2 N9",
    ]
    assert ended({}, "NIADSTU", seats=4, displays={1: "N5", 3: "N1"})[0] == "end.end-gnomes 1 N1 N5"
    assert ended({1: "M7 P4 P3 P0", 2: "P7"}, "MPUWX")[:2] == [
        "end.end-peasants 1 P0 P3 #2",
        "end.end-peasants 2 P7 #1",
    ]
    assert ended({1: "R3 R4 G1 K2 U1 W1"}, "GKRUW", loot="R3 R4", choose={1: "G"})[0] == (
        "end.end-loot 1 #2 G"
    )


def test_what_counts_twice_and_the_longest_run():
    """rules.md, "Powers", Vikings and Bards; of equal runs the highest is named."""
    reasons = ended({1: "V3 V4 V5 G3 B5", 2: "B1 B2 B7 B8"}, "GKVBX")
    assert [line for line in reasons if line.startswith("counts.")] == [
        "counts.viking 1 V3 V5",
        "counts.run 1 B5",
        "counts.run 2 B7 B8",
    ]
    assert "counts.run 1 B0 B1" in ended({1: "B0 B1"}, "GKVBX")


@pytest.mark.parametrize(
    ("piles", "reason"),
    [
        ({1: "U1 U2", 2: "U9"}, "decided.count 1 U2 U"),
        ({1: "U1 U3", 2: "U2 U4"}, "decided.highest 2 U4 U"),
        ({1: "U1 U3 B1", 2: "U2 U4"}, "decided.highest 2 U4 U"),
        ({1: "U5", 2: "U4", 3: "G1"}, "decided.highest 1 U5 U"),
        ({1: "G1", 2: "K2"}, "decided.none U"),
        ({1: "B1 B2", 2: "B4 B6 B8"}, "decided.run 1 B2 B"),
        ({1: "B1 B2", 2: "B4 B5 B7"}, "decided.bards-count 2 B7 B"),
        ({1: "B1 B2 B4", 2: "B6 B7"}, "decided.bards-count 1 B4 B"),
        ({1: "B1 B2 B4", 2: "B6 B7", 3: "B0 B5 B9"}, "decided.bards-count 1 B4 B"),
        ({1: "B1 B2", 2: "B4 B5"}, "decided.bards-highest 2 B5 B"),
        ({1: "B4 B5", 2: "B1 B2"}, "decided.bards-highest 1 B5 B"),
        ({1: "G0", 2: "G0"}, "decided.tie G"),
        ({1: "I7", 2: "I7"}, "decided.tie I"),
        ({1: "G1", 2: "I7", 3: "I7"}, "decided.tie I"),
    ],
)
def test_what_a_faction_was_won_by(piles, reason):
    """rules.md, "The end"."""
    assert reason in ended(piles, "GIUBX", seats=len(piles))


@pytest.mark.parametrize(
    ("seats", "piles", "reasons"),
    [
        (2, {1: "G1 G2", 2: "U1"}, ["tiebreak.value 1 #3", "tiebreak.value 2 #1"]),
        (3, {1: "G1 G2", 2: "U9"}, ["tiebreak.cards 1 #2", "tiebreak.cards 2 #1"]),
        (
            *(3, {1: "G1", 2: "U9", 3: "K3"}),
            [
                "tiebreak.cards-value 1 #1",
                "tiebreak.cards-value 2 #9",
                "tiebreak.cards-value 3 #3",
            ],
        ),
        (
            *(3, {1: "G1 G2", 2: "U9", 3: "K3 K4"}),
            [
                "tiebreak.cards 1 #2",
                "tiebreak.cards 2 #1",
                "tiebreak.cards 3 #2",
                "tiebreak.cards-value 1 #3",
                "tiebreak.cards-value 3 #7",
            ],
        ),
        (
            *(3, {2: "U9", 3: "K3"}),
            ["tiebreak.cards-value 2 #9", "tiebreak.cards-value 3 #3"],
        ),
        (2, {1: "G3", 2: "U3"}, []),
        (2, {1: "G3"}, []),
    ],
)
def test_what_told_sides_with_equal_votes_apart(seats, piles, reasons):
    """rules.md, "The end"; two players compare no numbers of cards."""
    deck = "GKUWX" if seats == 2 else "GKUWXBV"
    found = ended(piles, deck, seats=seats)
    assert [line for line in found if line.startswith("tiebreak.")] == reasons


@pytest.mark.parametrize(
    ("played", "led", "code"),
    [
        ("G", "G", "role.follow"),
        ("X", "X", "role.follow"),
        ("X", "G", "role.double"),
        ("K", "G", "role.knight"),
        ("K", "X", "role.off"),
        ("U", "G", "role.off"),
    ],
)
def test_how_a_play_stands_to_the_lead(played, led, code):
    """rules.md, "Phase 1", 3."""
    assert REASONS[role(LETTERS.index(played), LETTERS.index(led))] == code
