"""Random legal games as text, with tags that filters can tell apart."""

import re
from random import Random

from claimlog.cards import (
    CARDS,
    COPIES,
    FACTION_OF,
    NAMES,
    RACCOONS,
    UNKNOWN,
    all_decks,
    deck_letters,
)
from claimlog.results import result_text
from claimlog.rules.powers import may_play, seers
from claimlog.rules.scoring import Count
from claimlog.rules.setup import MAX_TRICKS, tricks_of
from claimlog.rules.table import Table

DECKS = {seats: all_decks(seats) for seats in (2, 3, 4)}


def play(random: Random, seats: int, deck: int, leader: int) -> tuple[list[str], str]:
    """Play a random game; return its trick lines and its result."""
    tricks = tricks_of(seats)
    box = [c for c in range(CARDS) if deck >> FACTION_OF[c] & 1 for _ in range(COPIES[c])]
    raccoons = [c for c in box if FACTION_OF[c] == RACCOONS]
    random.shuffle(raccoons)
    for card in raccoons[10:]:
        box.remove(card)
    random.shuffle(box)
    hands = [box[seat * tricks : (seat + 1) * tricks] for seat in range(seats)]
    pile = box[seats * tricks :]
    table = Table()
    table.set_up(seats, tricks, deck, leader, False, False, False)
    lines = []
    for number in range(1, 2 * tricks + 1):
        early = number <= tricks
        words = [f"{number}."]
        if number == tricks + 1:
            hands = [
                list(table.followers[seat * MAX_TRICKS : seat * MAX_TRICKS + tricks])
                for seat in range(seats)
            ]
        ups: list[int] = []
        if early:
            ups = [pile.pop(0) for _ in range(1 if seats == 2 else 2)]
            table.turn_up(ups[0], ups[1] if seats > 2 else UNKNOWN)
            words.append(",".join(NAMES[card] for card in ups) + ":")
        auto = bool(table.auto)
        plays: list[int] = []
        for place in range(seats):
            hand = hands[table.seat_of(place)]
            choice = hand
            if plays and not auto:
                held = 0
                for card in hand:
                    held |= 1 << FACTION_OF[card]
                led = FACTION_OF[plays[0]]
                choice = [card for card in hand if may_play(held, led, FACTION_OF[card])]
            card = random.choice(choice)
            hand.remove(card)
            table.play(card)
            plays.append(card)
        table.settle()
        for place, card in enumerate(plays):
            won = not auto and table.seat_of(place) == table.winner
            words.append(f"{'-' if auto else ''}{NAMES[card]}{'+' if won else ''}")
        if early:
            words += _take(random, table, seats, ups, plays, pile, auto)
        table.advance()
        lines.append(" ".join(words))
    count = Count()
    count.gather(table, 0)
    count.decide()
    winners = sum(1 << side for side in range(count.sides) if count.share[side])
    return lines, result_text(count.sides * 8 + winners)


def _take(
    random: Random,
    table: Table,
    seats: int,
    ups: list[int],
    plays: list[int],
    pile: list[int],
    auto: bool,
) -> list[str]:
    words = []
    looked = not auto and seers(plays[table.ranked[0]]) and random.random() < 0.5
    hidden = UNKNOWN
    if looked:
        hidden = pile.pop(0)
        words.append(f"~{NAMES[hidden]}")
    pick = 0
    if seats > 2:
        pick = random.randrange(2)
        words.append(f"={NAMES[ups[pick]]}")
    drawn = [pile.pop(0) for _ in range(table.draws(looked))]
    if drawn:
        words.append("/" + ",".join(NAMES[card] for card in drawn))
    drawn += [UNKNOWN] * 2
    table.recruit(looked, hidden, pick, drawn[0], drawn[1])
    return words


def record(
    random: Random, *, players: int = 12, events: int = 3, tables: int = 20, **fixed: str
) -> str:
    """A random record in canonical form; `fixed` are tags that are not random."""
    seats = int(fixed.pop("seats", 0)) or random.choice((2, 2, 2, 3, 4))
    deck = random.choice(DECKS[seats])
    leader = random.randrange(seats)
    lines, result = play(random, seats, deck, leader)
    who = random.sample(range(players), seats)
    tags = {
        "Event": f"Open {random.randrange(events)}",
        "Site": random.choice(("Zürich", "Bern")),
        "Date": f"20{random.randrange(10, 27)}-{random.randrange(1, 13):02}-{random.randrange(1, 29):02}",
        "Round": str(random.randrange(1, 12)),
        "Table": str(random.randrange(1, tables)),
    }
    tags |= {f"Player{seat + 1}": f"Player Nr {number}" for seat, number in enumerate(who)}
    tags |= {f"Rating{seat + 1}": str(1200 + 10 * number) for seat, number in enumerate(who)}
    # Players with odd numbers never have an id: they are identified by name alone.
    if random.random() < 0.3 and who[0] % 2 == 0:
        tags["Id1"] = f"id-{who[0]}"
    tags |= {"Deck": deck_letters(deck), "Leader": str(leader + 1)}
    if random.random() < 0.2:
        tags["Termination"] = "resignation"
        lines = lines[: random.randrange(1, len(lines))]
    elif random.random() < 0.1:
        lines = lines[: random.randrange(0, len(lines))]
        result = "*"
    tags |= {"Result": result} | fixed
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    return "\n".join([head, *lines, result]) + "\n"


def records(number: int, seed: int = 1, **fixed: str) -> list[str]:
    """Random records, all different; no table has two games in a round, nor any set of players."""
    random = Random(seed)
    made: list[str] = []
    seen: set[tuple[str, ...]] = set()
    while len(made) < number:
        text = record(random, tables=max(20, number // 10), **fixed)
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', text, re.M))
        who = sorted(tags.get(f"Id{s}") or tags.get(f"Player{s}", "") for s in range(1, 5))
        where = (tags["Event"], tags["Round"])
        keys = {(*where, tags["Table"]), (*where, *who)}
        if not keys & seen:
            seen |= keys
            made.append(text)
    return made
