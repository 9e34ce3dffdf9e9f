"""The positions that the viewers show, compared with the record.

The hands, piles and displays are followed here card by card from the report, and the view of a seat
or spectator is compared with a list of all cards that lay open until then.
"""

import json
import re
from collections import Counter

import pytest
from replaying import BROKEN, GAMES, SAMPLES, game, games

from claimlog.language import words
from claimlog.replay.narration import Narrator
from claimlog.replay.viewpoint import SPECTATOR, Viewpoint
from claimlog.rules.setup import tricks_of, upcards_of

COMPLETE = [path for path in GAMES if path.stem not in ("broken", "partial")]
COMPLETE += [path for path in SAMPLES if games(path)[0].complete]
CARD = re.compile(r"\b[GKNIMPABDFRSTUVWX](?:1[0-3]|\d)\b")


def moments(viewpoint):
    for trick in range(1, viewpoint.last + 1):
        for played in range(viewpoint.plays(trick) + 1):
            yield viewpoint.at(trick, played)


@pytest.mark.parametrize("path", COMPLETE, ids=lambda path: path.stem)
def test_every_card_lies_somewhere(path):
    """Hands, followers, table, piles, displays, upcards, draws: always the same deck."""
    replay = games(path)[0]
    viewpoint = Viewpoint(replay)
    size = tricks_of(replay.seats)
    deck = Counter()
    for trick in replay.tricks[:size]:
        deck.update(play.card for play in trick.plays)
        deck.update(trick.taken.values())
    assert sum(deck.values()) == 2 * size * replay.seats
    for position in moments(viewpoint):
        phase = range(0, size) if position.phase == 1 else range(size, 2 * size)
        lying = Counter()
        for view in position.players:
            assert None not in view.hand
            lying.update(view.hand)
            lying.update(view.pile)
            lying.update(view.gnomes)
            lying.update(view.followers)
        if not position.decided:
            lying.update(play.card for play in position.plays)
        done = position.trick - (not position.decided)
        for trick in replay.tricks[:done]:
            if trick.number - 1 in phase and trick.phase == 1:
                # discarded
                lying.update(play.card for play in trick.plays)
                for cards in trick.scored.values():
                    lying.subtract(cards)
        for trick in replay.tricks[done:size]:
            lying.update(trick.taken.values())  # upcards and draw pile
        lying.update(card for _, card, _ in position.removed)
        lying.update(position.waiting)
        if position.phase == 2:
            for trick in replay.tricks[:size]:
                lying.update(play.card for play in trick.plays)
                for cards in trick.scored.values():
                    lying.subtract(cards)
        assert +lying == deck, (position.trick, position.played)
        turned = len(position.upcards) if position.phase == 1 and not position.decided else 0
        hidden = sum(len(t.taken) for t in replay.tricks[done:size]) - turned
        assert position.draw_pile == hidden


@pytest.mark.parametrize("path", COMPLETE, ids=lambda path: path.stem)
def test_the_hands_follow_from_play_to_play(path):
    viewpoint = Viewpoint(games(path)[0])
    before = None
    for position in moments(viewpoint):
        if before is not None and position.trick == before.trick:
            play = position.plays[-1]
            for view, old in zip(position.players, before.players, strict=True):
                gone = Counter(old.hand) - Counter(view.hand)
                assert gone == (Counter([play.card]) if view.seat == play.seat else Counter())
        elif before is not None and position.phase != before.phase:
            assert all(not old.hand for old in before.players)
            assert [view.hand for view in position.players] == [
                old.followers for old in before.players
            ]
        elif before is not None:
            assert [view.hand for view in position.players] == [old.hand for old in before.players]
        before = position


def lay_open(replay, position, seat):
    """All that `seat` (SPECTATOR: nobody) has seen until `position`, from the report."""
    report = replay.report()
    upcards = upcards_of(replay.seats)
    seen = Counter()
    for trick in report["tricks"][: position.trick]:
        now = trick["number"] == position.trick
        seen.update(trick["upcards"])
        for play in trick["plays"][: position.played if now else None]:
            if not trick["auto"] or play["seat"] == seat:
                seen[play["card"]] += 1
        if (not now or position.decided) and seat > 0 and trick["phase"] == 1:
            place = trick["ranking"].index(seat)
            looked = replay.tricks[trick["number"] - 1].looked
            if (place == 0 and looked) or place >= upcards + looked:
                seen[trick["taken"][str(seat)]] += 1
    if seat > 0:
        phase = [trick for trick in report["tricks"] if trick["phase"] == position.phase]
        seen.update(
            play["card"] for trick in phase for play in trick["plays"] if play["seat"] == seat
        )
    return seen


@pytest.mark.parametrize("path", COMPLETE, ids=lambda path: path.stem)
def test_nothing_hidden_is_shown(path):
    replay = games(path)[0]
    for seat in [*range(1, replay.seats + 1), SPECTATOR]:
        viewpoint = Viewpoint(replay, seat)
        narrator = Narrator(viewpoint, words())
        for position in moments(viewpoint):
            sentences = narrator.reasons([*position.why, *position.outcome, *position.next])
            sentences += [narrator.taken(play.taken) for play in position.plays if play.taken]
            shown = set(CARD.findall(json.dumps(position.report()) + " ".join(sentences)))
            assert shown <= set(lay_open(replay, position, seat))
            for view, full in zip(
                position.players,
                Viewpoint(replay).at(position.trick, position.played).players,
                strict=True,
            ):
                assert len(view.hand) == len(full.hand)
                assert len(view.followers) == len(full.followers)
                assert not Counter(filter(None, view.hand)) - Counter(full.hand)
                assert not Counter(filter(None, view.followers)) - Counter(full.followers)
                if view.seat == seat:
                    assert (view.hand, view.followers) == (full.hand, full.followers)
                elif position.phase == 1:
                    assert not any(view.hand)


def test_what_others_took_openly_is_known_until_it_is_played():
    viewpoint = Viewpoint(game("two-gnomes"), 2)
    # Anna took five upcards that she plays only now, so these five of her hand are known.
    hand = viewpoint.at(20).players[0].hand
    assert hand == ["N1", "N3", "I5", "I7", "T9", None]
    taken = [t.taken[1] for t in viewpoint.game.tricks if t.phase == 1 and t.winner == 1]
    assert set(hand) - {None} <= set(taken)


def test_unknown_cards_stay_unknown():
    viewpoint = Viewpoint(game("partial"))
    start = viewpoint.at(1, 0).players
    assert len(start[0].hand) == 13  # its Hand tag
    assert None not in start[0].hand
    assert start[1].hand == ["G0", "G4", "K2", "D3", "X0", "X7", *[None] * 7]
    after = viewpoint.at(6).players
    assert after[0].hand == ["A5", *[None] * 6]  # nobody knows which card it discarded
    assert after[1].hand == ["D3", *[None] * 6]
    assert viewpoint.at(2).plays[1].taken == (None, "hidden")


def test_a_trick_cut_short():
    viewpoint = Viewpoint(games_of('[Deck "GKUWX"] 1. U7: G5 K8+ /W2 2. X3: K4 *')[0])
    position = viewpoint.at(2)
    assert (position.played, position.decided, position.winner) == (1, False, None)
    assert (position.why, position.outcome, position.next) == ([], [], [])
    assert position.order == [2, 1]
    with pytest.raises(IndexError):
        viewpoint.at(3)
    with pytest.raises(IndexError):
        viewpoint.at(0)


def games_of(text):
    from claimlog.replay.recorder import replay_text

    return list(replay_text(text.replace("] ", "]\n")))


REASONS = [
    # led faction
    ('[Deck "GKUWX"] 1. U7: G5 G8+ *', ["highest"]),
    ('[Deck "GKUWX"] 1. U7: G5+ W9 *', ["alone"]),
    ('[Deck "GKUWX"] 1. U7: G0+ G0 *', ["highest", "first"]),
    # Knights over Goblins
    ('[Deck "GKUWX"] 1. U7: G9 K2+ *', ["knight"]),
    ('[Deck "GKUWX"] 1. U7: X1+ K9 *', ["alone"]),
    (
        '[Player3 "C"] [Player2 "B"] [Player1 "A"] [Deck "GKADSTX"] 1. A1,A2: G9 K3 K2 *',
        ["knights"],
    ),
    ('[Player3 "C"] [Player2 "B"] [Player1 "A"] [Deck "GKADSTX"] 1. A1,A2: G9 X9 K2 *', ["knight"]),
    # Doppelgangers count as the led faction
    ('[Deck "GKUWX"] 1. U7: W4 X9+ *', ["double"]),
    ('[Deck "GKUWX"] 1. U7: W4+ X4 *', ["highest", "first"]),
    ('[Deck "GKUWX"] 1. U7: X4 X5+ *', ["highest"]),
    # an Automaton wins the next trick too
    ('[Deck "GKAWX"] 1. W7: A4+ A3 2. W1: -G0 -W2 *', ["auto"]),
]


@pytest.mark.parametrize(("text", "keys"), REASONS)
def test_why_a_trick_was_won(text, keys):
    replay = games_of(text)[0]
    position = Viewpoint(replay).at(len(replay.tricks))
    assert [reason.code for reason in position.why] == [f"why.{key}" for key in keys]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_reasons_fit_the_plays(path):
    """Check what a reason claims against the cards on the table."""
    for replay in games(path):
        viewpoint = Viewpoint(replay)
        for position in moments(viewpoint):
            if not position.decided:
                continue
            plays = {play.seat: play for play in position.plays}
            won = plays[position.winner]
            assert won.rank == 1
            reason = position.why[0]
            assert reason.seat == position.winner
            led = position.plays[0].card
            for play in position.plays:
                if play.role == "follow":
                    assert play.card[0] == led[0]
                elif play.role == "double":
                    assert play.card[0] == "X" != led[0]
                elif play.role == "knight":
                    assert (play.card[0], led[0]) == ("K", "G")
            peers = [play for play in position.plays if play.role in ("lead", "follow", "double")]
            if reason.code == "why.auto":
                assert all(play.role == "discard" for play in position.plays)
            elif reason.code in ("why.knight", "why.knights"):
                knights = [play for play in position.plays if play.role == "knight"]
                assert won.value == max(play.value for play in knights)
                assert (len(knights) > 1) == (reason.code == "why.knights")
            else:
                assert won.value == max(play.value for play in peers)
                assert (reason.code == "why.alone") == (len(peers) == 1)
                assert (reason.code == "why.double") == (won.role == "double")
            bonus = [one.seat for one in position.why if one.code == "why.griffin"]
            assert bonus == [play.seat for play in position.plays if play.bonus]


def test_the_leader_after_a_dragon_and_an_automaton():
    keys = {}
    for name in ("two-goblins", "four"):
        viewpoint = Viewpoint(game(name))
        for position in moments(viewpoint):
            if position.decided:
                for reason in position.next:
                    keys.setdefault(reason.code.removeprefix("next."), []).append(position)
    assert set(keys) >= {
        *("next-winner", "next-dragon", "next-last-dragon", "next-automaton"),
        *("automaton-first", "automaton-late", "phase-2"),
    }
    for position in keys["next-dragon"]:
        assert position.plays[-1].card[0] == "D"
    for position in keys["next-last-dragon"]:
        assert position.plays[-1].card[0] != "D"
    for position in keys["automaton-first"]:
        assert {play.card[0] for play in position.plays} >= {"A", "D"}


@pytest.mark.parametrize("path", COMPLETE, ids=lambda path: path.stem)
def test_the_ending_is_the_score(path):
    replay = games(path)[0]
    viewpoint = Viewpoint(replay)
    ending = viewpoint.ending()
    score = replay.score
    assert ending.votes == score.votes
    assert ending.result == score.result
    shares = [part != "0" for part in score.result.split("-")]
    assert ending.winners == [side for side, share in enumerate(shares, 1) if share]
    for line in ending.factions:
        counts = score.factions[line.faction].counts
        for side in score.votes:
            assert counts[side] == (
                len(line.cards[side]) + len(line.doubled[side]) + line.loot[side]
            )
            if line.faction == "B":
                assert len(line.runs[side]) == score.factions["B"].runs[side]
    # Before the Peasants moved, the piles are those of the last position.
    last = viewpoint.at(viewpoint.last)
    piles = {side: Counter() for side in score.piles}
    for view in last.players:
        piles[view.side].update(view.pile + view.gnomes)
    for peasant in score.moved:
        piles[peasant.side][peasant.card] -= 1
        piles[peasant.side % viewpoint.sides + 1][peasant.card] += 1
    assert {side: +pile for side, pile in piles.items()} == {
        side: Counter(pile) for side, pile in score.piles.items()
    }


@pytest.mark.parametrize("path", [*GAMES, *SAMPLES, *BROKEN], ids=lambda path: path.stem)
@pytest.mark.parametrize("view", [None, SPECTATOR, 1, 2])
def test_every_record_has_positions(path, view):
    """Whatever is wrong with a record, its positions can be computed and narrated."""
    for replay in games(path):
        viewpoint = Viewpoint(replay, view)
        narrators = [Narrator(viewpoint, words(language)) for language in ("en", "de")]
        for position in moments(viewpoint):
            json.dumps(position.report())
            for narrator in narrators:
                sentences = narrator.reasons([*position.why, *position.outcome, *position.next])
                assert all(sentences)
        ending = viewpoint.ending()
        if ending is not None:
            for narrator in narrators:
                assert all(narrator.before_the_count(ending) + narrator.verdict(ending))
                assert all(narrator.decided(line) for line in ending.factions)
