"""Makes the sample games of this folder: always the same, from fixed seeds.

    python data/make_samples.py [FOLDER]

Everything but broken/ comes from here.  All players and events are invented; the games are
played by the policy "greedy" of `claimlog simulate` and say so in their tags.
"""

# ruff: noqa: E501

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

from claimlog.cards import CARDS, COPIES, FACTION_OF, NAMES, deck_of
from claimlog.replay.recorder import replay_text
from claimlog.simulate import simulate_records

PLAYERS = (
    "Anna Keller", "Ben Roth", "Carla Meier", "David Frei", "Eva Brunner", "Felix Amstutz",
    "Greta Lang", "Hugo Zbinden", "Ines Moser", "Jonas Graf", "Klara Weiss", "Lukas Hofer",
    "Mia Suter", "Noah Egger", "Olivia Baumann", "Paul Wyss",
)  # fmt: skip
RATINGS = (
    1874, 1742, 1801, 1655, 1690, 1588, 1723, 1512, 1634, 1601, 1479, 1547, 1566, 1498, 1433, 1620
)  # fmt: skip
OPEN_DECKS = ("GKUWX", "NIDSX", "MPABU", "GKDTV", "NIFSW", "MPRUX", "GKARS", "NIBTV")
TEAM_DECKS = ("GKDFUWX", "NIABSVX", "MPDSUWX", "GKABFRV", "NIDFSUW")
TEAMS = (("Anna Keller", "Ben Roth"), ("Carla Meier", "David Frei"), ("Eva Brunner", "Felix Amstutz"),
         ("Greta Lang", "Hugo Zbinden"), ("Ines Moser", "Jonas Graf"), ("Klara Weiss", "Lukas Hofer"))  # fmt: skip
SIMULATED = {"Recorder": "claimlog simulate, policy greedy"}


def game(seed: int, deck: str, tags: dict[str, str], seats: int = 2) -> str:
    """One simulated game."""
    return next(
        simulate_records(
            1, seats=seats, deck=deck, seed=seed, policy="greedy", tags=SIMULATED | tags
        )
    )


def seated(names: tuple[str, ...]) -> dict[str, str]:
    """The tags of players."""
    tags = {}
    for seat, name in enumerate(names, 1):
        number = PLAYERS.index(name)
        tags[f"Player{seat}"] = name
        tags[f"Rating{seat}"] = str(RATINGS[number])
        tags[f"Id{seat}"] = f"CH-{1001 + 7 * number}"
    return tags


def open_event() -> Iterator[str]:
    """Eight rounds of sixteen players: who has as many points meets, nobody twice."""
    points = dict.fromkeys(PLAYERS, 0.0)
    met: set[frozenset[str]] = set()
    for number, deck in enumerate(OPEN_DECKS, 1):
        order = sorted(PLAYERS, key=lambda name: (-points[name], -RATINGS[PLAYERS.index(name)]))
        day, hour = divmod(number - 1, 4)
        for table, pair in enumerate(_pairing(order, met), 1):
            names = pair if (number + table) % 2 else pair[::-1]
            met.add(frozenset(names))
            tags = {
                "Event": "Zurich Claim Open (simulated)",
                "Site": "Zurich",
                "Date": f"2026-11-{14 + day}",
                "Round": str(number),
                "Table": str(table),
                "Start": f"2026-11-{14 + day}T{10 + 2 * hour:02}:00:00+01:00",
                "Director": "Rita Steiner",
            } | seated(names)
            text = game(10 * number + table, deck, tags)
            yield text
            result = text.split()[-1]
            for name, share in zip(names, result.split("-"), strict=True):
                points[name] += {"1": 1.0, "0": 0.0, "1/2": 0.5}[share]


def _pairing(order: list[str], met: set[frozenset[str]]) -> list[tuple[str, str]]:
    """Pair neighbours in the standings that have not met."""
    if not order:
        return []
    first, *others = order
    for other in others:
        if frozenset((first, other)) not in met:
            rest = [name for name in others if name != other]
            try:
                return [(first, other), *_pairing(rest, met)]
            except LookupError:
                continue
    raise LookupError


def team_event() -> Iterator[str]:
    """Six teams, each against each."""
    for number, deck in enumerate(TEAM_DECKS, 1):
        wheel = list(TEAMS[1:])
        wheel = [TEAMS[0], *wheel[number - 1 :], *wheel[: number - 1]]
        for table, (one, two) in enumerate(zip(wheel[:3], wheel[:2:-1], strict=True), 1):
            tags = {
                "Event": "Team Cup of the Lake (simulated)",
                "Site": "Rapperswil",
                "Date": "2026-09-05",
                "Round": str(number),
                "Table": str(table),
            } | seated((one[0], two[0], one[1], two[1]))
            yield game(200 + 10 * number + table, deck, tags, seats=4)


def evening() -> Iterator[str]:
    """Three friends at home."""
    for number, deck in enumerate(("GKDFUWX", "NIBDSUX", "MPAFUVW", "GKDTUWX", "NIARSVX"), 1):
        tags = {
            "Event": "Thursday evening (simulated)",
            "Site": "Winterthur",
            "Date": "2026-10-22",
            "Round": str(number),
        } | seated(("Mia Suter", "Noah Egger", "Paul Wyss"))
        yield game(300 + number, deck, tags, seats=3)


def sample() -> str:
    """The game that the README shows, with a few comments."""
    tags = {
        "Event": "Club evening (simulated)",
        "Site": "Zurich",
        "Date": "2026-10-08",
        "Annotator": "claimlog",
    } | seated(("Anna Keller", "Ben Roth"))
    text = game(SAMPLE_SEED, "GKUWX", tags)
    head, body = text.split("\n\n")
    rows = body.split("\n")
    for number, mark, words in SAMPLE_NOTES:
        row = rows[number - 1]
        rows[number - 1] = f"{row.replace('+', '+' + mark, 1)} {{{words}}}"
    return f"{head}\n\n" + "\n".join(rows)


SAMPLE_SEED = 3
SAMPLE_NOTES = (
    (1, "", "the first card is worth a fight"),
    (14, "!", "Phase 2: now the cards themselves are at stake"),
    (26, "", "the last trick"),
)

HEAD = """[CLM "1"]
[Event "{event}"]
{players}[Deck "{deck}"]
[Recorder "claimlog"]
[Leader "{leader}"]

"""

SHOWN = {
    "goblins": ("GKUWX", 2, "1. U7: G0+ G0 /W2 {of equal cards the earlier one ranks higher}\n"
        "2. X3: G0 G5+ /K4 {Goblins have no power; a higher one wins}\n"),
    "knights": ("GKUWX", 2, "1. U7: G9 K2+ /W2 {Goblins were led: any Knight beats them}\n"
        "2. X3: X2+ K9 /G0 {a Doppelganger that was led is no Goblin}\n"),
    "undead": ("GKUWX", 2, "1. U7: U3 U5+ /W2 {both Undead go to the score pile of seat 2; U7 is a follower}\n"
        "2. X3: U9+ G1 /G0 {one more for seat 2}\n"),
    "doppelgangers": ("GKUWX", 2, "1. U7: G5 X8+ /W2 {a Doppelganger counts as the led faction}\n"
        "2. X3: X4 X6+ /G0 {Doppelgangers were led: only they follow}\n"
        "3. K4: W5 X9+ /K6 {a Doppelganger may be played even by who holds Dwarves}\n"),
    "seers": ("GKSUX", 2, "1. U7: S5 S8+ ~K2 {seat 2 looks, takes the hidden K2, and seat 1 gets U7}\n"
        "2. X3: S9+ U1 /G0 {seat 2 looks, or not, and takes the upcard}\n"),
    "dragons": ("GKDUX", 2, "1. U7: G5+ D3 /K2 {seat 1 wins, but seat 2 played a Dragon last: it leads}\n"
        "2. X3: D8+ D1 /G0 {seat 1 now}\n3. K4: U5 U6+ /K6\n"),
    "automatons": ("GKAUX", 2, "1. U7: A5 A8+ /G0 {seat 2 wins with an Automaton: the next trick is its own}\n"
        "2. X3: -G1 -K2 /U0 {everybody discards face down, and cards are taken as after a trick}\n"
        "3. K4: U5+ U3 /K6\n"),
}  # fmt: skip
"""Powers that a few tricks show: deck, seats, movetext."""

PLAYED = {
    "dwarves": ("GKUWX", 401, 20, "the Dwarves go to who lost the trick"),
    "gnomes": ("NIDSX", 400, 20, "won Gnomes lie open before the winner until the end"),
    "giants": ("NIDSX", 400, 21, "a Giant smashes a Gnome of its value in the opponent's display"),
    "griffins": ("GKFUX", 402, 20, "a Griffin of its value in the own pile makes this card count 5 more"),
    "trolls": ("GKTUX", 400, 14, "only one Troll is taken, the other one waits"),
    "bards": ("GKBUX", 439, 26, "the longer run wins the Bards against more cards"),
    "vikings": ("GKVUX", 453, 26, "Vikings whose value stands elsewhere in the pile count twice"),
    "kings": ("MPDUX", 407, 26, "each King keeps Peasants of its value and up to 3 lower"),
    "peasants": ("MPSUX", 401, 26, "Peasants without a King near them change sides"),
    "raccoons": ("GKRUX", 413, 26, "loot counts for the faction of which its side has the fewest cards"),
}  # fmt: skip
"""Powers of Phase 2 and of the end: deck, seed, trick to look at, what is to be seen."""


def powers() -> Iterator[tuple[str, str]]:
    """One record for each faction, by its name."""
    for name, (deck, seats, moves) in SHOWN.items():
        players = "".join(f'[Player{n} "{PLAYERS[n - 1]}"]\n' for n in range(1, seats + 1))
        head = HEAD.format(event=f"The power of the {name}", players=players, deck=deck, leader=1)
        yield name, f"{head}{moves}*\n"
    for name, (deck, seed, trick, words) in PLAYED.items():
        tags = {"Event": f"The power of the {name} (simulated)"} | seated(PLAYERS[:2])
        head, body = game(seed, deck, tags).split("\n\n")
        rows = body.split("\n")
        rows[trick - 1] += f" {{{words}}}"
        yield name, f"{head}\n\n" + "\n".join(rows)


EXAMPLES = {
    "trolls-le2023": (
        "GKTUX", "", 1,
        [("T6", "T7+", ""), ("T3", "T5+", "seat 1 takes the T6 that waited; T5 and T3 wait"),
         ("U7+", "G2", "seat 1 takes both, and T5"), ("G8", "K2+", "seat 2 takes both, and T3")],
        {2: "UG", 1: "T"},
    ),
    "trolls-claim-2": (
        "GKTUX", "trolls=line", 1,
        [("T1", "T3+", "the higher of the two just played is taken: T3"),
         ("T9+", "T7", "T9; in the line lie T1 and T7"),
         ("U5+", "U3", "the Troll that waits longest is taken: T1; T7 waits")],
        {1: "T", 2: "T"},
    ),
    "giants": (
        "NIDUX", "", 2,
        [("N7+", "N5", "seat 2 lays both Gnomes open"), ("U3", "U5+", ""),
         ("U9+", "I7", "seat 1 wins the Giant 7 and removes the N7 of seat 2")],
        {1: "", 2: "U"},
    ),
}  # fmt: skip
"""Worked examples: deck, rulings, who leads Phase 2, its first tricks, factions to keep out."""


def example(name: str) -> str:
    """A worked example as the beginning of Phase 2, after a Phase 1 that leads up to it.

    Phase 1 is played at random with the cards that the example does not need; what is won
    and drawn is then what the example needs.
    """
    deck, rulings, leader, tricks, keep_out = EXAMPLES[name]
    rng = random.Random(name)
    while True:
        text = _staged(name, rng, deck, rulings, leader, tricks, keep_out)
        if text and next(replay_text(text)).legal:
            return text


def _staged(
    name: str,
    rng: random.Random,
    deck: str,
    rulings: str,
    leader: int,
    tricks: list[tuple[str, str, str]],
    keep_out: dict[int, str],
) -> str:
    cards = [
        NAMES[card]
        for card in range(CARDS)
        if deck_of(deck) >> FACTION_OF[card] & 1
        for _ in range(COPIES[card])
    ]
    followers: dict[int, list[str]] = {1: [], 2: []}
    seat = leader
    for first, second, _ in tricks:
        followers[seat].append(first.rstrip("+"))
        followers[3 - seat].append(second.rstrip("+"))
        seat = seat if "+" in first else 3 - seat
    for card in followers[1] + followers[2]:
        cards.remove(card)
    rng.shuffle(cards)
    for seat in (1, 2):
        for card in [card for card in cards if card[0] not in keep_out[seat]]:
            if len(followers[seat]) < 13:
                followers[seat].append(card)
                cards.remove(card)
    hands = {1: cards[:13], 2: cards[13:]}
    rows = []
    seat = 1
    for number in range(1, 14):
        lead = hands[seat].pop()
        able = [card for card in hands[3 - seat] if card[0] in (lead[0], "X")]
        follow = rng.choice(able or hands[3 - seat])
        hands[3 - seat].remove(follow)
        beaten = (follow[0] in (lead[0], "X") and int(follow[1:]) > int(lead[1:])) or lead[
            0
        ] + follow[0] == "GK"
        winner = 3 - seat if beaten else seat
        up = followers[winner][number - 1 - 13]
        drawn = followers[3 - winner][number - 1 - 13]
        plays = f"{lead} {follow}+" if beaten else f"{lead}+ {follow}"
        rows.append(f"{number}. {up}: {plays} /{drawn}")
        seat = 3 - seat if beaten else seat
        if follow[0] == "D":
            return ""
    if seat != leader:
        return ""
    for number, (first, second, words) in enumerate(tricks, 14):
        rows.append(f"{number}. {first} {second}" + (f" {{{words}}}" if words else ""))
    head = HEAD.format(
        event=f"Worked example: {name}",
        players='[Player1 "A"]\n[Player2 "B"]\n',
        deck=deck,
        leader=1,
    )
    if rulings:
        head = head.replace("[Recorder", f'[Rulings "{rulings}"]\n[Recorder')
    return head + "\n".join(rows) + "\n*\n"


def without_tricks() -> str:
    """A round of which no trick was written down: a bye, a forfeit, three results."""
    event = {"CLM": "1", "Event": "Village round", "Date": "2026-11-12", "Round": "1"}
    records = [
        ("1", "unrecorded", PLAYERS[:2], "3-2", "1-0"),
        ("2", "unrecorded", PLAYERS[2:4], "2-2", "1/2-1/2"),
        ("3", "unrecorded", PLAYERS[4:7], "4-2-1", "1-0-0"),
        ("4", "forfeit", PLAYERS[7:9], "", "0-1"),
        ("5", "forfeit", PLAYERS[9:11], "", "0-0"),
        ("", "bye", PLAYERS[11:12], "3", "1"),
    ]
    texts = []
    for table, termination, players, votes, result in records:
        tags = event | ({"Table": table} if table else {})
        tags |= {f"Player{seat}": name for seat, name in enumerate(players, 1)}
        tags |= {"Votes": votes} if votes else {}
        tags |= {"Termination": termination, "Result": result}
        lines = [f'[{name} "{value}"]' for name, value in tags.items()]
        texts.append("\n".join([*lines, "", result, ""]))
    return "\n".join(texts)


def texts() -> Iterator[tuple[str, str]]:
    """Every file by its path in this folder, and what stands in it."""
    yield "sample.clm", sample()
    yield "zurich-open.clm", "\n".join(open_event())
    yield "team-cup.clm", "\n".join(team_event())
    yield "thursday-evening.clm", "\n".join(evening())
    yield "without-tricks.clm", without_tricks()
    for name, text in powers():
        yield f"powers/{name}.clm", text
    for name in EXAMPLES:
        yield f"worked-examples/{name}.clm", example(name)
    tags = {"Event": "Worked example: kings (simulated)"} | seated(PLAYERS[:2])
    yield (
        "worked-examples/kings.clm",
        game(1184, "MPDUX", tags).replace(
            "\n1. ",
            "\n{At the end P4 and P7 stay with M7, the only King of their side near them.}\n1. ",
        ),
    )


def main() -> None:
    """Write the files."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for path, text in texts():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
