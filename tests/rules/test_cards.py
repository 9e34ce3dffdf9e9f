"""The cards and the decks (rules.md, "Cards"; LE2023, "Spielmaterial", "Spielvorbereitung")."""

from collections import Counter
from itertools import combinations

import naive
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimlog import cards
from claimlog.cards import (
    CARD_AT,
    CARDS,
    COPIES,
    FACTION_COUNT,
    FACTION_OF,
    FACTIONS,
    LETTERS,
    NAMES,
    PAIRS,
    RACCOONS_USED,
    UNKNOWN,
    VALUE_OF,
    all_decks,
    card,
    deck_letters,
    deck_of,
    deck_problem,
    tens_in_deck,
)
from claimlog.language import words

TEN = "0 1 2 3 4 5 6 7 8 9"
TABLE = [
    # letter, name, German name, number of cards, their values, pair
    ("G", "Goblins", "Kobolde", 14, "0 0 0 0 0 1 2 3 4 5 6 7 8 9", "GK"),
    ("K", "Knights", "Ritter", 8, "2 3 4 5 6 7 8 9", "GK"),
    ("N", "Gnomes", "Gnome", 13, "1 1 1 3 3 3 5 5 5 7 7 7 9", "NI"),
    ("I", "Giants", "Riesen", 9, "1 1 3 3 5 5 7 7 9", "NI"),
    ("M", "Kings", "Könige", 9, "4 5 6 7 8 9 10 11 12", "MP"),
    ("P", "Peasants", "Bauern", 13, "0 1 2 3 4 5 6 7 8 9 10 11 12", "MP"),
    ("A", "Automatons", "Automaten", 10, TEN, ""),
    ("B", "Bards", "Barden", 10, TEN, ""),
    ("D", "Dragons", "Drachen", 10, TEN, ""),
    ("F", "Griffins", "Greife", 10, TEN, ""),
    ("R", "Raccoons", "Waschbären", 14, f"{TEN} 10 11 12 13", ""),
    ("S", "Seers", "Seher", 10, TEN, ""),
    ("T", "Trolls", "Trolle", 10, TEN, ""),
    ("U", "Undead", "Untote", 10, TEN, ""),
    ("V", "Vikings", "Wikinger", 10, TEN, ""),
    ("W", "Dwarves", "Zwerge", 10, TEN, ""),
    ("X", "Doppelgangers", "Doppelgänger", 10, TEN, ""),
]


def faction(letter):
    return FACTIONS[LETTERS.index(letter)]


@pytest.mark.parametrize(
    ("letter", "name", "german", "size", "values", "pair"), TABLE, ids=[row[0] for row in TABLE]
)
def test_row_of_the_table(letter, name, german, size, values, pair):
    """rules.md, "Cards": letter, names, number of cards, values and set of each faction."""
    data = faction(letter)
    assert data.letter == letter
    assert (data.name, data.name_de) == (name, german)
    assert (data.label(), data.label("de"), data.label("en")) == (name, german, name)
    assert data.size == size
    assert sorted(Counter(data.values).elements()) == sorted(map(int, values.split()))
    assert data.pair == pair


def test_there_are_no_other_factions():
    """rules.md, "Cards": seventeen rows."""
    assert sorted(LETTERS) == sorted(row[0] for row in TABLE)
    assert len(FACTIONS) == FACTION_COUNT == 17


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"letter": "x"}, "not one of A to Z"),
        ({"letter": "Ä"}, "not one of A to Z"),
        ({"letter": "JO"}, "not one of A to Z"),
        ({"letter": "G"}, "the letter G stands twice"),
        ({"acts": "always"}, "acts is 'always', not one of none, 1, 2, both, end"),
        ({"values": {}}, "its values do not ascend"),
        ({"values": {5: 1, 3: 1}}, "its values do not ascend"),
        ({"values": {0: 1, 16: 1}}, "its values are not all 0 to 15"),
        ({"values": {-1: 1}}, "its values are not all 0 to 15"),
    ],
)
def test_a_faction_that_cannot_be_is_refused(change, why):
    fine = cards.Faction("J", "Jesters", "Narren", {0: 2, 15: 1}, "both")
    cards._check((*FACTIONS, fine))
    with pytest.raises(ValueError, match=f"in claimlog/cards.py: .*{why}"):
        cards._check((*FACTIONS, fine._replace(**change)))


def test_a_card_is_a_byte():
    more = [FACTIONS[-1]._replace(letter=letter) for letter in "CEHJLOQYZ"]
    with pytest.raises(ValueError, match="254 kinds of card do not fit in a byte"):
        cards._check((*FACTIONS, *more))


def test_the_box_holds_180_cards():
    """LE2023, "180 Karten"."""
    copies = Counter({name: COPIES[index] for index, name in enumerate(NAMES)})
    assert copies == Counter(naive.box())
    assert sum(COPIES) == 180


def test_five_goblins_show_0():
    """Base game, "14 Kobolde, Zahlen von 0-9 (inkl. 5 x 0)"."""
    assert COPIES[card("G0")] == 5
    assert {COPIES[card(f"G{value}")] for value in range(1, 10)} == {1}


@pytest.mark.parametrize(("letter", "copies"), [("N", [3, 3, 3, 3, 1]), ("I", [2, 2, 2, 2, 1])])
def test_gnomes_and_giants_show_odd_values_several_times(letter, copies):
    """rules.md, "Cards": 1, 3, 5, 7 three times (Giants twice), 9 once; no even value."""
    assert [COPIES[card(f"{letter}{value}")] for value in (1, 3, 5, 7, 9)] == copies
    assert [name for name in NAMES if name[0] == letter] == [
        f"{letter}{v}" for v in (1, 3, 5, 7, 9)
    ]


def test_ten_of_fourteen_raccoons_are_used():
    """LE2023, "Waschbären": four are removed unseen, so a record may use any ten."""
    assert faction("R").size - RACCOONS_USED == 4


# Cards as numbers ----------------------------------------------------------------------


@pytest.mark.parametrize("index", range(CARDS), ids=NAMES)
def test_card_is_its_faction_and_value(index):
    name = NAMES[index]
    assert card(name) == index
    assert card(name.lower()) == index
    assert name == f"{LETTERS[FACTION_OF[index]]}{VALUE_OF[index]}"
    assert CARD_AT[FACTION_OF[index] * 16 + VALUE_OF[index]] == index


def test_cards_ascend_within_a_faction():
    """The Trolls and the display of a hand rely on it."""
    order = [(FACTION_OF[index], VALUE_OF[index]) for index in range(CARDS)]
    assert order == sorted(set(order))


def test_no_card_lies_between_the_kinds():
    assert len(CARD_AT) == 16 * FACTION_COUNT
    assert sorted(c for c in CARD_AT if c != UNKNOWN) == list(range(CARDS))
    assert CARDS <= UNKNOWN


NO_VALUES = {
    "G": [10],
    "K": [0, 1, 10],
    "N": [0, 2, 4, 6, 8, 10],
    "I": [0, 2, 4, 6, 8, 10],
    "M": [0, 1, 2, 3, 13],
    "P": [13, 14],
    "R": [14, 15],
    **{letter: [10, 11] for letter in "ABDFSTUVWX"},
    **{letter: [0, 5, 9] for letter in "CEHJLOQYZ"},
}
NO_CARDS = [f"{letter}{value}" for letter, values in NO_VALUES.items() for value in values]


@pytest.mark.parametrize("text", NO_CARDS)
def test_there_is_no_such_card(text):
    """rules.md, "Cards": no other value exists in any faction."""
    with pytest.raises(ValueError, match="there is no card"):
        card(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "G",
        "5",
        "5G",
        "G05",
        "G-1",
        "GG5",
        "_",
        " G5",
        "G5 ",
        "G 5",
        "G5\n",
        "\uff275",
        "G\uff15",
        "\u017f5",  # a long s, which str.upper turns into S
        "\u01315",
    ],
)
def test_a_card_is_written_exactly(text):
    with pytest.raises(ValueError, match="there is no card"):
        card(text)


# Decks ---------------------------------------------------------------------------------


def test_the_pairs():
    """LE2023, "Spielvorbereitung": Knights and Goblins, Giants and Gnomes, Kings and Peasants."""
    assert sorted(map(sorted, PAIRS)) == sorted(map(sorted, ["GK", "NI", "MP"]))


@pytest.mark.parametrize(
    ("seats", "classic", "number"),
    [
        (2, False, 495),
        (3, False, 1386),
        (4, False, 1386),
        (2, True, 40),
        (3, True, 12),
        (4, True, 12),
    ],
)
def test_the_number_of_decks(seats, classic, number):
    """rules.md, "Cards": one of three pairs, and three or five of eleven tens; fewer in Classic."""
    decks = all_decks(seats, classic=classic)
    assert len(decks) == len(set(decks)) == number
    assert {frozenset(deck_letters(deck)) for deck in decks} == naive.legal_decks(
        seats, classic=classic
    )
    assert {deck_problem(deck, seats, classic=classic) for deck in decks} == {None}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_other_deck(seats):
    """rules.md, "Cards": of all 131,072 sets of factions only these are decks."""
    allowed = [deck for deck in range(1 << FACTION_COUNT) if not deck_problem(deck, seats)]
    assert sorted(allowed) == sorted(all_decks(seats))


@given(deck=st.integers(0, (1 << FACTION_COUNT) - 1), seats=st.sampled_from([2, 3, 4]))
def test_classic_has_no_other_deck(deck, seats):
    """rules.md, "Cards": Classic has only GK, NI and U X W D T S."""
    fine = frozenset(deck_letters(deck)) in naive.legal_decks(seats, classic=True)
    assert (deck_problem(deck, seats, classic=True) is None) == fine


@given(
    pair=st.sampled_from(["GK", "NI"]),
    tens=st.permutations("UXWDTS"),
    seats=st.sampled_from([2, 3, 4]),
)
def test_classic_decks_from_its_own_factions(pair, tens, seats):
    """rules.md, "Cards": any three (five) of the six tens go with either pair."""
    deck = deck_of(pair + "".join(tens[: 3 if seats == 2 else 5]))
    assert deck_problem(deck, seats, classic=True) is None
    assert deck_problem(deck, seats) is None


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_deck_has_52_or_72_cards(seats):
    """LE2023: "Ihr braucht immer ein Deck mit genau 52 Karten", with 3 and 4 players 72."""
    sizes = {
        sum(10 if letter == "R" else faction(letter).size for letter in deck_letters(deck))
        for deck in all_decks(seats)
    }
    assert sizes == {52 if seats == 2 else 72}


@pytest.mark.parametrize(("seats", "tens"), [(2, 3), (3, 5), (4, 5)])
def test_tens_beside_the_pair(seats, tens):
    """rules.md, "Cards": three tens with two players, five with more."""
    assert tens_in_deck(seats) == tens


@pytest.mark.parametrize(
    ("letters", "seats", "problem"),
    [
        ("", 2, "exactly one of the pairs"),
        ("UWX", 2, "exactly one of the pairs"),
        ("GUWX", 2, "exactly one of the pairs"),
        ("GKNIU", 2, "exactly one of the pairs"),
        ("GIUWX", 2, "exactly one of the pairs"),
        ("GKUW", 2, "not 2"),
        ("GKUWXS", 2, "not 4"),
        ("GKABDFS", 2, "not 5"),
        ("GKUWX", 3, "not 3"),
        ("GKUWX", 4, "not 3"),
        ("GKABDFSU", 4, "not 6"),
    ],
)
def test_what_is_wrong_with_a_deck(letters, seats, problem):
    """rules.md, "Cards": exactly one pair plus three tens or five tens."""
    found = deck_problem(deck_of(letters), seats)
    assert problem in str(found)
    assert str(found) == words().deck(found)


@pytest.mark.parametrize("letter", "ABFRV")
def test_classic_does_not_know(letter):
    """rules.md, "Cards": the new factions of LE2023 are not in Classic."""
    deck = deck_of(f"GKUW{letter}")
    assert faction(letter).name in str(deck_problem(deck, 2, classic=True))
    assert deck_problem(deck, 2) is None


def test_classic_does_not_know_kings_and_peasants():
    """rules.md, "Cards": the pairs of Classic are GK and NI."""
    problem = deck_problem(deck_of("MPUWX"), 2, classic=True)
    assert str(problem) == words().deck(problem) == "Classic does not know Kings or Peasants"
    assert words("de").deck(problem) == "Classic kennt Könige oder Bauern nicht"


def test_classic_factions():
    """rules.md, "Cards": `Classic` has GK, NI and U X W D T S."""
    assert {f.letter for f in FACTIONS if f.classic} == set("GKNI" + "UXWDTS")


@pytest.mark.parametrize("seats", [3, 4])
def test_trolls_are_allowed_with_more_players(seats):
    """rules.md, "Cards": LE2023 advises against them: allowed (a record has a warning)."""
    assert deck_problem(deck_of("GKDSTUW"), seats) is None


@pytest.mark.parametrize("letters", ["GKUWX", "IXNAT", "mprsv", "xwukg"])
def test_letters_of_a_deck_stand_in_any_order(letters):
    """clm-format.md, "Deck": faction letters, any order; canonical: the pair, then the tens."""
    canonical = deck_letters(deck_of(letters))
    pair, tens = canonical[:2], canonical[2:]
    assert sorted(canonical) == sorted(letters.upper())
    assert pair in ("GK", "NI", "MP")
    assert tens == "".join(sorted(tens))


@pytest.mark.parametrize(
    ("letters", "problem"),
    [
        ("GKQ", "'Q' is not a faction"),
        ("GK UWX", "' ' is not a faction"),
        ("GK\u017fUW", "is not a faction"),  # a long s, which str.upper turns into S
        ("GKG", "is listed twice"),
        ("GKUuW", "is listed twice"),
    ],
)
def test_letters_that_name_no_deck(letters, problem):
    with pytest.raises(ValueError, match=problem):
        deck_of(letters)


def test_every_set_of_factions_keeps_its_letters():
    """Each pair and ten alone, and each two of them: what is written is read back."""
    for chosen in [*combinations(LETTERS, 1), *combinations(LETTERS, 2)]:
        assert deck_letters(deck_of("".join(reversed(chosen)))) == "".join(chosen)
