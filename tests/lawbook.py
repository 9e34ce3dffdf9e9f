"""The rules of Claim written a second time, slowly, to check the program against.

Nothing here imports claimlog.  Cards are strings ("G5"), seats count from 1, piles are lists, and
everything is computed again when it is needed.  `why_illegal` reads a record in canonical form and
says why it is not a legal game ("" if it is); `random_record` deals and plays a random legal game
and writes its record.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

BOX = {
    "G": [0, 0, 0, 0, 0, *range(1, 10)],
    "K": [*range(2, 10)],
    "N": [1, 1, 1, 3, 3, 3, 5, 5, 5, 7, 7, 7, 9],
    "I": [1, 1, 3, 3, 5, 5, 7, 7, 9],
    "M": [*range(4, 13)],
    "P": [*range(13)],
    "R": [*range(14)],
} | {letter: [*range(10)] for letter in "ABDFSTUVWX"}
PAIRS = ("GK", "NI", "MP")
TENS = "ABDFRSTUVWX"
CLASSIC = "GKNIUXWDTS"


def value_of(card: str) -> int:
    return int(card[1:])


class IllegalError(Exception):
    """A record is not a legal game."""


# A trick -----------------------------------------------------------------------------------


def ranking(cards: list[str], values: list[int]) -> list[int]:
    """The places of the plays, best first."""
    led = cards[0][0]

    def strength(place: int) -> tuple[int, int]:
        faction = cards[place][0]
        group = 0
        if faction in (led, "X"):
            group = 1
        if faction == "K" and led == "G":
            group = 2
        return group, values[place]

    return sorted(range(len(cards)), key=strength, reverse=True)


def must_follow(hand: list[str], led: str) -> bool:
    return any(card[0] == led for card in hand)


def legal_plays(hand: list[str], led: str) -> list[str]:
    if led and must_follow(hand, led):
        return [card for card in hand if card[0] in (led, "X")]
    return list(hand)


@dataclass
class Rules:
    """What was agreed before the game."""

    seats: int = 2
    deck: str = "GKUWX"
    classic: bool = False
    rulings: dict[str, str] = field(default_factory=dict)

    def ruling(self, key: str) -> str:
        own = {
            "trolls": "line" if self.classic else "highest",
            "dragons": "last-card",
            "automatons": "won-by",
            "raccoons": "deck",
        }
        return self.rulings.get(key, own[key])

    @property
    def tricks(self) -> int:
        return {2: 13, 3: 12, 4: 9}[self.seats]

    @property
    def ups(self) -> int:
        return 1 if self.seats == 2 else 2

    def seat_after(self, seat: int, steps: int) -> int:
        return (seat - 1 + steps) % self.seats + 1

    def side(self, seat: int) -> int:
        return (seat - 1) % 2 + 1 if self.seats == 4 else seat

    @property
    def sides(self) -> int:
        return {2: 2, 3: 3, 4: 2}[self.seats]


@dataclass
class Board:
    """Everything that lies open, and who leads."""

    rules: Rules
    leader: int = 1
    auto: bool = False
    piles: dict[int, list[str]] = field(default_factory=dict)
    gnomes: dict[int, list[str]] = field(default_factory=dict)
    trolls: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for seat in range(1, self.rules.seats + 1):
            self.piles[seat] = []
            self.gnomes[seat] = []

    def recruit(self, number: int, cards: list[str]) -> list[int]:
        """Play a trick of Phase 1; return the seats in rank order."""
        rules = self.rules
        seats = [rules.seat_after(self.leader, i) for i in range(rules.seats)]
        if self.auto:
            self.auto = False
            return seats
        order = ranking(cards, [value_of(card) for card in cards])
        winner = seats[order[0]]
        self.piles[winner] += [card for card in cards if card[0] == "U"]
        self._next_leader(seats, cards, winner)
        won_by = [cards[order[0]]] if rules.ruling("automatons") == "won-by" else cards
        if number < rules.tricks and any(card[0] == "A" for card in won_by):
            self.auto = True
            self.leader = winner
        return [seats[place] for place in order]

    def _next_leader(self, seats: list[int], cards: list[str], winner: int) -> None:
        self.leader = winner
        if self.rules.ruling("dragons") == "last-dragon" and self.rules.seats > 2:
            for seat, card in zip(seats, cards, strict=True):
                if card[0] == "D":
                    self.leader = seat
        elif cards[-1][0] == "D":
            self.leader = seats[-1]

    def win(self, number: int, cards: list[str]) -> int:
        """Play a trick of Phase 2; return the winner."""
        rules = self.rules
        seats = [rules.seat_after(self.leader, i) for i in range(rules.seats)]
        values = []
        for seat, card in zip(seats, cards, strict=True):
            bonus = f"F{value_of(card)}" in self.piles[seat]
            values.append(value_of(card) + (5 if bonus else 0))
        winner = seats[ranking(cards, values)[0]]
        if rules.seats == 2:
            dwarf_taker = seats[1] if winner == seats[0] else seats[0]
        else:
            dwarf_taker = max(
                (-value, place, seat)
                for place, (value, seat) in enumerate(zip(values, seats, strict=True))
            )[2]
        for card in cards:
            if card[0] == "W":
                self.piles[dwarf_taker].append(card)
            elif card[0] == "N":
                self.gnomes[winner].append(card)
            elif card[0] != "T":
                self.piles[winner].append(card)
        self._take_trolls(number, winner, sorted((c for c in cards if c[0] == "T"), reverse=True))
        for card in cards:
            if card[0] == "I":
                for seat in seats:
                    gnome = f"N{value_of(card)}"
                    if rules.side(seat) != rules.side(winner) and gnome in self.gnomes[seat]:
                        self.gnomes[seat].remove(gnome)
        self._next_leader(seats, cards, winner)
        return winner

    def _take_trolls(self, number: int, winner: int, new: list[str]) -> None:
        if number == 2 * self.rules.tricks:
            self.piles[winner] += self.trolls + new
            self.trolls = []
        elif self.rules.ruling("trolls") == "line":
            if new:
                self.piles[winner].append(new.pop(0))
            elif self.trolls:
                self.piles[winner].append(self.trolls.pop(0))
            self.trolls += new
        elif self.trolls or new:
            self.trolls = sorted(self.trolls + new, reverse=True)
            self.piles[winner].append(self.trolls.pop(0))


# The end --------------------------------------------------------------------------------------


@dataclass
class Count:
    """How a game ended; `open_choices` are the sides that must say what their loot counts for.

    `counts` are the counts by side and faction.
    """

    piles: dict[int, list[str]]
    votes: dict[int, int]
    factions: dict[str, int]
    result: str
    fewest: dict[int, list[str]]
    open_choices: list[int]
    counts: dict[int, dict[str, int]]


def count(board: Board, loot_cards: list[str], choice: dict[int, str]) -> Count:
    rules = board.rules
    sides = range(1, rules.sides + 1)
    piles: dict[int, list[str]] = {side: [] for side in sides}
    for seat in range(1, rules.seats + 1):
        piles[rules.side(seat)] += board.piles[seat] + board.gnomes[seat]
    going: list[tuple[int, str]] = []
    for side in sides:
        for card in piles[side]:
            if card[0] == "P":
                kings = [f"M{value_of(card) + more}" for more in range(4)]
                if not any(king in piles[side] for king in kings):
                    going.append((side, card))
    for side, card in going:
        piles[side].remove(card)
        piles[side % rules.sides + 1].append(card)

    numbers = {
        side: {f: sum(1 for card in piles[side] if card[0] == f) for f in rules.deck}
        for side in sides
    }
    extra: dict[tuple[int, str], int] = Counter()
    fewest: dict[int, list[str]] = {}
    still_open = []
    for side in sides:
        for card in piles[side]:
            if card[0] == "V":
                alike = [o for o in piles[side] if o != card and value_of(o) == value_of(card)]
                extra[side, "V"] += 1 if alike else 0
        loot = sum(1 for card in piles[side] if card[0] == "R" and card in loot_cards)
        fewest[side] = []
        if loot:
            least = min(numbers[side].values())
            fewest[side] = [f for f in rules.deck if numbers[side][f] == least]
            if len(fewest[side]) == 1:
                extra[side, fewest[side][0]] += loot
            elif choice.get(side) in fewest[side]:
                extra[side, choice[side]] += loot
            else:
                still_open.append(side)

    votes = dict.fromkeys(sides, 0)
    factions: dict[str, int] = {}
    for f in rules.deck:
        scores = {}
        for side in sides:
            values = [value_of(card) for card in piles[side] if card[0] == f]
            run = max((_run(values, value) for value in values), default=0) if f == "B" else 0
            scores[side] = (run, numbers[side][f] + extra[side, f], max(values, default=-1))
        best = max(scores.values())
        winners = [side for side in sides if scores[side] == best]
        if len(winners) == 1 and best[1] > 0:
            factions[f] = winners[0]
            votes[winners[0]] += 1

    def won(side: int) -> list[str]:
        return [card for card in piles[side] if factions.get(card[0]) == side]

    left = [side for side in sides if votes[side] == max(votes.values())]
    if rules.seats > 2:
        most = max(len(won(side)) for side in left)
        left = [side for side in left if len(won(side)) == most]
    highest = max(sum(map(value_of, won(side))) for side in left)
    left = [side for side in left if sum(map(value_of, won(side))) == highest]
    share = "1" if len(left) == 1 else f"1/{len(left)}"
    result = "-".join(share if side in left else "0" for side in sides)
    counts = {side: {f: numbers[side][f] + extra[side, f] for f in rules.deck} for side in sides}
    return Count(piles, votes, factions, result, fewest, still_open, counts)


def _run(values: list[int], start: int) -> int:
    length = 0
    while start + length in values:
        length += 1
    return length


# Reading a canonical record ---------------------------------------------------------------------


@dataclass
class Line:
    """One trick as written."""

    number: int
    ups: list[str]
    lies: list[str]
    marks: list[str]
    face_down: bool
    seer: str | None
    pick: str | None
    drawn: list[str] | None


def read(text: str) -> tuple[dict[str, str], list[Line], str]:
    """Return the tags, tricks and result of a record in canonical form."""
    tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', text, re.MULTILINE))
    body = re.sub(r"\{[^}]*\}", " ", text.rsplit("]\n\n", 1)[1])
    lines = []
    result = ""
    for row in body.split("\n"):
        words = row.split()
        if not words:
            continue
        if result:
            raise IllegalError("something follows the result")
        if re.fullmatch(r"\*|[01](/[23])?(-[01](/[23])?)+", words[0]):
            result = words[0]
            continue
        if not re.fullmatch(r"\d+\.", words[0]):
            raise IllegalError(f"no trick number: {row}")
        line = Line(int(words[0][:-1]), [], [], [], False, None, None, None)
        for word in words[1:]:
            if not re.fullmatch(r"[-~=/]?([A-Z]\d+|_)(,([A-Z]\d+|_))*:?[+^!?]*", word):
                raise IllegalError(f"what is {word}?")
            if word[0] in "~=/" and word[-1] in "+^!?":
                raise IllegalError(f"no play, but marked: {word}")
            if word.endswith(":"):
                line.ups = word[:-1].split(",")
            elif word[0] == "~":
                line.seer = word[1:]
            elif word[0] == "=":
                line.pick = word[1:]
            elif word[0] == "/":
                line.drawn = word[1:].split(",")
            else:
                match = re.fullmatch(r"(-?)([A-Z]\d+|_)([+^!?]*)", word)
                if not match:
                    raise IllegalError(f"what is {word}?")
                if line.lies and line.face_down != bool(match[1]):
                    raise IllegalError("plays and discards in one trick")
                line.face_down = bool(match[1])
                line.lies.append(match[2])
                line.marks.append(match[3])
        lines.append(line)
    return tags, lines, result


def rules_of(tags: dict[str, str]) -> Rules:
    seats = max((int(name[6:]) for name in tags if re.fullmatch(r"Player\d", name)), default=2)
    rulings = dict(word.split("=") for word in tags.get("Rulings", "").split())
    return Rules(seats, tags["Deck"], tags.get("Rules") == "Classic", rulings)


def why_illegal(text: str) -> str:
    """Say why a record in canonical form is not a legal game; "" if it is."""
    try:
        _check(*read(text))
    except IllegalError as reason:
        return str(reason)
    return ""


def _need(fact: object, reason: str) -> None:
    if not fact:
        raise IllegalError(reason)


def _check(tags: dict[str, str], lines: list[Line], result: str) -> None:
    rules = rules_of(tags)
    result = result or tags.get("Result", "*")
    _need(tags.get("Result", result) == result, "tag and token differ")
    open_end = result == "*" or tags.get("Termination", "normal") != "normal"
    whole = len(lines) == 2 * rules.tricks and len(lines[-1].lies) == rules.seats
    _need(whole or open_end, "tricks are missing")
    _need(not (whole and result == "*"), "a complete game has a result")
    _need(result == "*" or len(result.split("-")) == rules.sides, "parts of the result")
    board = Board(rules, int(tags.get("Leader", "1")))
    seats = range(1, rules.seats + 1)
    shown: Counter[str] = Counter()
    plays: dict[int, list[list[tuple[int, str]]]] = {seat: [[], []] for seat in seats}
    led: list[str] = []
    marks: dict[tuple[int, int], str] = {}
    taken: dict[int, list[str]] = {seat: [] for seat in seats}

    for number, line in enumerate(lines, 1):
        last = number == len(lines)
        early = number <= rules.tricks
        cut = last and open_end and len(line.lies) < rules.seats
        _need(line.number == number, "trick number")
        _need(number <= 2 * rules.tricks, "too many tricks")
        cards = [*line.ups, *line.lies, *([line.seer] if line.seer else []), *(line.drawn or [])]
        for card in [*cards, *([line.pick] if line.pick else [])]:
            if card != "_":
                _need(card[0] in BOX and value_of(card) in BOX[card[0]], f"no card {card}")
                _need(card[0] in rules.deck, f"{card} is not in the deck")
        _need(line.face_down or "_" not in line.lies, "an unknown play")
        _need("_" not in line.ups and line.pick != "_", "an unknown upcard")
        _need(cut or len(line.lies) == rules.seats, "number of plays")
        auto = board.auto
        leader = board.leader
        if early:
            _need(len(line.ups) == rules.ups or (cut and not line.lies), "number of upcards")
            shown.update(card for card in cards if card != "_")
        else:
            _need(not line.ups, "upcards in Phase 2")
            _need(not (line.seer or line.pick or line.drawn), "choices in Phase 2")
        _need(not line.lies or line.face_down == auto, "discards where plays are due, or plays")
        for place, card in enumerate(line.lies):
            seat = rules.seat_after(leader, place)
            plays[seat][0 if early else 1].append((number, card))
            marks[number, seat] = line.marks[place]
            if early and card[0] == "R":
                _need(rules.ruling("raccoons") == "deck", "a Raccoon was dealt to a hand")
        led.append("" if auto or not line.lies else line.lies[0][0])
        if len(line.lies) < rules.seats:
            continue
        if early:
            order = board.recruit(number, line.lies)
            winner = order[0]
            best = line.lies[(winner - leader) % rules.seats]
            if line.seer:
                _need(not auto and best[0] == "S", "no Seer won")
            draws = rules.seats - rules.ups - (1 if line.seer else 0)
            _need(line.drawn is None or len(line.drawn) == draws, "number of draws")
            drawn = line.drawn or ["_"] * draws
            if rules.seats == 2:
                _need(not line.pick, "nobody picks")
                ups = line.ups
            elif line.pick:
                _need(line.pick in line.ups, "not an upcard")
                ups = [*line.ups]
                ups.remove(line.pick)
                ups.insert(0, line.pick)
            else:
                _need(last and open_end, "no pick")
                ups = ["_", "_"]
            for seat, card in zip(
                order, ([line.seer] if line.seer else []) + ups + drawn, strict=True
            ):
                taken[seat].append(card)
        else:
            winner = board.win(number, line.lies)
        for place, mark in enumerate(line.marks):
            if "+" in mark:
                seat = rules.seat_after(leader, place)
                _need(seat == winner and not auto, "the wrong card bears the +")

    # Phase 2's cards come from what was taken, known or not.
    played = Counter(card for seat in seats for _, card in plays[seat][1])
    for card, number in played.items():
        _need(number <= BOX[card[0]].count(value_of(card)), f"{card} is played too often")
    if len(lines) > rules.tricks:
        for seat in seats:
            known = Counter(card for card in taken[seat] if card != "_")
            unknown = taken[seat].count("_")
            new = Counter(card for _, card in plays[seat][1]) - known
            _need(new.total() <= unknown, f"seat {seat} plays what it has not taken")
            shown += new
    for card, number in shown.items():
        _need(number <= BOX[card[0]].count(value_of(card)), f"{card} stands too often")
    _need(sum(n for card, n in shown.items() if card[0] == "R") <= 10, "too many Raccoons")

    # Revokes: a seat still held the cards that it played later, or took and kept.
    for seat in seats:
        for phase in (0, 1):
            tricks = plays[seat][phase]
            kept: list[str] = []
            if phase and tricks:
                rest = Counter(card for card in taken[seat] if card != "_")
                kept = list((rest - Counter(card for _, card in tricks)).elements())
            for place, (number, card) in enumerate(tricks):
                later = [other for _, other in tricks[place + 1 :]] + kept
                faction = led[number - 1]
                if (
                    faction
                    and card[0] not in (faction, "X")
                    and must_follow([c for c in later if c != "_"], faction)
                ):
                    _need("^" in marks[number, seat], f"revoke in trick {number}")
            if len(lines) == 2 * rules.tricks and whole and phase:
                _need(not kept, f"seat {seat} never played {kept}")
    if not whole:
        return
    choice = dict(word.split("=") for word in tags.get("Loot", "").split())
    final = count(
        board,
        tags.get("LootCards", "").split(),
        {int(side): letter for side, letter in choice.items()},
    )
    if "R" in rules.deck:
        _need(not final.open_choices, "what the loot counts for is missing")
        for side, letter in choice.items():
            _need(letter in final.fewest[int(side)], "the loot cannot count for that")
    if tags.get("Termination", "normal") == "normal":
        _need(result == final.result, "the result")
        votes = "-".join(map(str, final.votes.values()))
        _need(tags.get("Votes", votes) == votes, "the votes")


# Dealing and playing ----------------------------------------------------------------------------


def all_decks(seats: int, classic: bool = False) -> list[str]:
    tens = [letter for letter in TENS if not classic or letter in CLASSIC]
    return [
        pair + "".join(chosen)
        for pair in PAIRS
        if not classic or pair[0] in CLASSIC
        for chosen in combinations(tens, 3 if seats == 2 else 5)
    ]


def random_rules(rng: random.Random, seats: int) -> Rules:
    classic = rng.random() < 0.2
    rulings = {}
    for key, values in (
        ("trolls", ("highest", "line")),
        ("dragons", ("last-card", "last-dragon")),
        ("automatons", ("won-by", "played")),
        ("raccoons", ("deck", "pile")),
    ):
        if rng.random() < 0.3:
            rulings[key] = rng.choice(values)
    return Rules(seats, rng.choice(all_decks(seats, classic)), classic, rulings)


def random_record(rng: random.Random, rules: Rules, draws: bool = True) -> str:
    """Deal and play a random legal game; return the record in canonical form.

    Without `draws` the drawn cards are left open, and so are discards.
    """
    deck = [f + str(value) for f in rules.deck for value in BOX[f] if f != "R"]
    raccoons = [f"R{value}" for value in rng.sample(range(14), 10)] if "R" in rules.deck else []
    hands: dict[int, list[str]] = {}
    if rules.ruling("raccoons") == "deck":
        deck += raccoons
        raccoons = []
    rng.shuffle(deck)
    for seat in range(1, rules.seats + 1):
        hands[seat] = [deck.pop() for _ in range(rules.tricks)]
    pile = deck + raccoons
    rng.shuffle(pile)

    leader = rng.randint(1, rules.seats)
    board = Board(rules, leader)
    followers: dict[int, list[str]] = {seat: [] for seat in hands}
    lines = []
    for number in range(1, 2 * rules.tricks + 1):
        if number == rules.tricks + 1:
            hands = followers
        words = [f"{number}."]
        ups = [pile.pop() for _ in range(rules.ups)] if number <= rules.tricks else []
        if ups:
            words.append(",".join(ups) + ":")
        auto = board.auto
        cards: list[str] = []
        seats = [rules.seat_after(board.leader, i) for i in range(rules.seats)]
        for seat in seats:
            led = cards[0][0] if cards and not auto else ""
            card = rng.choice(legal_plays(hands[seat], led))
            hands[seat].remove(card)
            cards.append(card)
        written = [f"-{card if draws else '_'}" for card in cards] if auto else list(cards)
        if number <= rules.tricks:
            order = board.recruit(number, cards)
            best = seats.index(order[0])
            if not auto:
                written[best] += "+"
            words += written
            looked = not auto and cards[best][0] == "S" and rng.random() < 0.5
            taken = []
            if looked:
                taken.append(pile.pop())
                words.append(f"~{taken[0] if draws else '_'}")
            rng.shuffle(ups)
            if rules.seats > 2:
                words.append(f"={ups[0]}")
            drawn = [pile.pop() for _ in range(rules.seats - len(ups) - len(taken))]
            if drawn and draws:
                words.append("/" + ",".join(drawn))
            for seat, card in zip(order, taken + ups + drawn, strict=True):
                followers[seat].append(card)
        else:
            written[seats.index(board.win(number, cards))] += "+"
            words += written
        lines.append(" ".join(words))

    tags = {"CLM": "1", "Event": "Random"}
    tags |= {f"Player{seat}": f"Seat {seat}" for seat in hands}
    tags["Deck"] = rules.deck
    if rules.classic:
        tags["Rules"] = "Classic"
    if rules.rulings:
        tags["Rulings"] = " ".join(f"{key}={value}" for key, value in rules.rulings.items())
    tags["Leader"] = str(leader)
    loot = [f"R{value}" for value in sorted(rng.sample(range(14), 5))]
    choice: dict[int, str] = {}
    final = count(board, loot, {})
    if "R" in rules.deck:
        tags["LootCards"] = " ".join(loot)
        choice = {side: rng.choice(final.fewest[side]) for side in final.open_choices}
        final = count(board, loot, choice)
        if choice:
            tags["Loot"] = " ".join(f"{side}={letter}" for side, letter in choice.items())
    tags["Votes"] = "-".join(map(str, final.votes.values()))
    tags["Result"] = final.result
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    return head + "\n" + "\n".join(lines) + f"\n{final.result}\n"
