"""Legal records as people write them: unseen cards left out, cut short, with or without tags."""

from __future__ import annotations

import random
import re

import lawbook

from claimlog.game import Game
from claimlog.replay.recorder import replay_text

_ENDINGS = (
    *('[Termination "normal"]', '[Termination "resignation"]\n[Result "1-0"]'),
    *('[Termination "time"]\n[Result "0-1"]', '[Termination "abandoned"]\n[Result "*"]'),
    *('[Termination "adjudication"]\n[Votes "3-1"]\n[Result "1/2-1/2"]', "", ""),
)
_AGREED = (
    *('[Rulings "trolls=highest"]', '[Rulings "trolls=line raccoons=deck"]', '[Rules "LE2023"]'),
    *('[LootCards "r5 R2 r11"]', '[LootCards "R1"]', '[Loot "1=G"]', '[Scenario "x"]', "", "", ""),
)


def deal_tags(rng: random.Random, game: Game) -> list[str]:
    """Tags with hands, or parts of them, and the pile."""
    tags = []
    size = len(game.tricks) // 2
    for seat in range(1, game.seats + 1):
        hand = [p.card for t in game.tricks[:size] for p in t.plays if p.seat == seat and p.card]
        rng.shuffle(hand)
        if rng.random() < 0.3:
            known = [card if rng.random() < 0.7 else "_" for card in hand]
            tags.append(f'[Hand{seat} "{" ".join([*known, *["_"] * (size - len(known))])}"]')
    return tags


def as_people_write(rng: random.Random) -> Game | None:
    """A random record in a style that people use; None if the changes made it illegal."""
    seats = rng.choice([2, 2, 2, 3, 4])
    text = lawbook.random_record(rng, lawbook.random_rules(rng, seats), draws=rng.random() < 0.7)
    (game,) = replay_text(text)
    head, body = text.split("]\n\n")
    tags = [f"{line}]".replace("]]", "]") for line in head.split("\n")]
    if rng.random() < 0.3:
        tags += deal_tags(rng, game)
    dropped = [name for name in ("Votes", "Leader", "CLM", "Loot", "Rulings") if rng.random() < 0.3]
    tags = [tag for tag in tags if tag[1:].split()[0] not in dropped]
    more = [rng.choice(_AGREED), rng.choice(_ENDINGS) if rng.random() < 0.3 else ""]
    for line in "\n".join(more).split("\n"):
        names = [tag[1:].split()[0] for tag in tags]
        name = line[1:].split()[0] if line else ""
        if name in names:
            tags[names.index(name)] = line
        elif line:
            tags.append(line)
    unseen = rng.choice([0, 0, 0.2, 1])
    words = []
    for word in body.split():
        if word[0] == "/" and rng.random() < unseen:
            if rng.random() < 0.5:
                words.append(re.sub(r"[A-Z][0-9]+", "_", word))
        elif word[0] in "-~" and rng.random() < unseen:
            words.append(f"{word[0]}_")
        elif word[0] in "=/~" or rng.random() < 0.8:
            words.append(word.lower() if rng.random() < 0.1 else word)
        elif word.endswith("."):
            continue
        else:
            words.append(word.replace("+", ""))
    if rng.random() < 0.25:
        words = [*words[: rng.randrange(len(words))]]
        tags = [tag for tag in tags if not tag.startswith(("[Result", "[Votes"))]
        words.append("*" if rng.random() < 0.8 else "")
    (game,) = replay_text("\n".join([*tags, "", " ".join(words)]) + "\n")
    return None if game.errors else game
