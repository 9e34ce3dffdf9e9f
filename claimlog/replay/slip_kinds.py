"""The kinds of slips: each kind of possible slip, and the text that undoes it.

Each method yields the slips of its kind whose undoing leaves a legal game (docs/notation.md,
"Slips").
"""

from __future__ import annotations

from itertools import combinations, pairwise, product
from typing import TYPE_CHECKING

from claimlog.cards import (
    COPIES,
    FACTION_OF,
    LETTERS,
    NAMES,
    DeckError,
    deck_letters,
    deck_of,
    deck_problem,
)
from claimlog.notation import problems as p
from claimlog.notation.tags import TAG_FIELDS, TAGS
from claimlog.notation.tokens import (
    DISCARD,
    DRAW,
    FACE_DOWN,
    FIRST,
    HIGHEST_NUMBER,
    JUNK,
    NO_CARD,
    NUMBER,
    PICK,
    PLAY,
    RESULT,
    UPCARD,
    WON,
)
from claimlog.replay.spoken import spoken_card
from claimlog.replay.trial import WITH_CARDS, Trial, Way
from claimlog.results import UNFINISHED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from claimlog.replay.trial import Group, Tokens


__all__ = ["Kinds"]


class Kinds(Trial):
    """Undoes slips of each kind in one game."""

    # One card --------------------------------------------------------------------------------

    def _replaced(self) -> Iterator[Way]:
        """A wrong card."""
        if not self.deck:
            return
        for trick, group in enumerate(self.groups, 1):
            for i in range(group.first, group.stop):
                kind, card, flags, _ = self.tokens[i]
                if kind not in WITH_CARDS or card == FACE_DOWN:
                    continue
                if self.strange and i not in self.strange:
                    continue
                ways = 0
                for other in self._fitting(group, i):
                    if other == card:
                        continue
                    if self.legal_with((kind, other, flags, i)):
                        ways += 1
                        yield Way(
                            "replaced-card", ("card", i), trick, self.starts[i], self.ends[i],
                            self._renamed(i, other), {"written": self._written(i)},
                        )  # fmt: skip
                        if ways > 1:
                            break

    def _fitting(self, group: Group, i: int | None, kind: int = PLAY) -> list[int]:
        """The cards that could replace a token, or (None) be added to a trick."""
        card = NO_CARD
        if i is not None:
            kind, card = self.tokens[i][:2]
        if kind == PICK:
            return [self.tokens[j][1] for j in group.ups if self.tokens[j][1] < NO_CARD]
        hands, taken, late, copies = self.hands, self.taken, self.late, COPIES
        fitting = []
        for other in self.cards:
            mine = 1 if other == card else 0
            if not group.early:
                fits = hands[other] + late[other] - mine < copies[other]
            elif kind in (PLAY, DISCARD):
                fits = hands[other] - mine + max(taken[other], late[other]) < copies[other]
            else:
                fits = hands[other] + max(taken[other] - mine + 1, late[other]) <= copies[other]
                fits = fits and (not self.full or late[other] > taken[other] - mine)
            if fits:
                fitting.append(other)
        return fitting

    def _faulty(self) -> Iterator[Way]:
        """A single unreadable text and no other error: a card, or upcards without a colon."""
        if len(self.faults) != 1:
            return
        fault, start, end = self.faults[0]
        if fault == p.SYNTAX_COLON and not self.codes:
            ups = [i for i in range(len(self.tokens)) if start <= self.starts[i] < end]
            group = next(g for g in self.groups if ups[0] in g.ups)
            text = self.text[start:end].decode(errors="replace") + ":"
            trick = self._trick(group)
            yield Way("missing-colon", ("colon", start), trick, start, end, text, {})
        if fault != p.SYNTAX_TOKEN or not self.deck:
            return
        for group in self.groups:
            for i in group.plays:
                if self.tokens[i][0] != JUNK:
                    continue
                ways = 0
                written = self._written(i)
                spoken = spoken_card(written)
                tail = written[len(written.rstrip("+^!?")) :] if spoken < NO_CARD else ""
                flags = WON if "+" in tail else 0
                for card in [spoken] if spoken < NO_CARD else self._fitting(group, None):
                    if self.legal_with((PLAY, card, flags, i)):
                        ways += 1
                        yield Way(
                            "replaced-card", ("card", i), self._trick(group), start, end,
                            NAMES[card] + tail, {"written": written},
                        )  # fmt: skip
                        if ways > 1:
                            return

    # Omissions ----------------------------------------------------------------------------------

    def _missing_colon(self) -> Iterator[Way]:
        """An upcard that is read as a play."""
        if not self.codes & {"play-count", "syntax"}:
            return
        for group in self.groups:
            if not group.early:
                break
            plays = [i for i in range(group.first, group.stop) if self.tokens[i][0] == PLAY]
            if len(plays) <= self.seats:
                continue
            for k, i in enumerate(plays):
                # The first play of the trick, or the first one after its draws.
                if k and self.tokens[i - 1][0] == PLAY and len(plays) != 2 * self.seats + 1:
                    continue
                tokens = list(self.tokens)
                tokens[i] = (UPCARD, tokens[i][1], FIRST, i)
                if self.legal(tokens):
                    trick = next(n for n, g in enumerate(self._group(tokens), 1) if i in g.ups)
                    yield Way(
                        "missing-colon", ("colon", i), trick, self.starts[i], self.ends[i],
                        self._written(i) + ":", {"written": self._written(i)},
                    )  # fmt: skip

    def _missing_comma(self) -> Iterator[Way]:
        """3 or 4 players: the first upcard is read as a play, as in ``U7 W3:``."""
        if self.wanted_ups != 2:
            return
        for i in range(1, len(self.tokens)):
            (kind, card, _, _), (after, other, flags, _) = self.tokens[i - 1 : i + 1]
            if kind != PLAY or after != UPCARD or not flags & FIRST:
                continue
            tokens = list(self.tokens)
            tokens[i - 1 : i + 1] = [(UPCARD, card, FIRST, i - 1), (UPCARD, other, 0, i)]
            if self.legal(tokens):
                yield self._comma(i - 1, i, tokens)

    def _list_fault(self) -> Iterator[Way]:
        """3 or 4 players: anything but a single comma between the upcards."""
        if len(self.faults) != 1 or self.wanted_ups != 2:
            return
        start = self.faults[0][1]
        cards = [i for i, token in enumerate(self.tokens) if token[0] != JUNK]
        for i, j in pairwise(cards):
            (kind, card, _, _), (after, other, _, _) = self.tokens[i], self.tokens[j]
            between = self.text[self.ends[i] : self.starts[j]]
            if (
                kind not in (PLAY, UPCARD)
                or after != UPCARD
                or not self.ends[i] <= start < self.starts[j]
                or between.strip(b" \t,.")
            ):
                continue
            tokens = [token for token in self.tokens if token[0] != JUNK]
            place = tokens.index(self.tokens[i])
            tokens[place : place + 2] = [(UPCARD, card, FIRST, i), (UPCARD, other, 0, j)]
            way = self._comma(i, j, tokens)
            if way.text and self.legal_text(way.start, way.end, way.text.encode()):
                yield way

    def _comma(self, i: int, j: int, tokens: Tokens) -> Way:
        """The way to join two upcards by a comma."""
        groups = enumerate(self._group(tokens), 1)
        trick = next(n for n, g in groups if any(tokens[k][3] == j for k in g.ups))
        start, end = self.starts[i], self._end(j)
        text = f"{self._written(i)},{self._written(j)}:"
        written = self.text[start:end].decode(errors="replace")
        return Way(
            "missing-comma", ("comma", j), trick, start, end, text, {"written": written}
        )  # fmt: skip

    def _wrong_colon(self) -> Iterator[Way]:
        """A dot or a semicolon instead of the colon after the upcards."""
        for group in self.groups:
            if not group.early:
                break
            cards = [
                i for i in range(group.first, group.stop) if self.tokens[i][0] in (UPCARD, PLAY)
            ]
            for i in cards[: self.wanted_ups]:
                at = self.ends[i]
                if self.text[at : at + 1] not in (b".", b";"):
                    continue
                if self.legal_text(at, at + 1, b":"):
                    start = self.starts[cards[0]]
                    written = self.text[start : at + 1].decode(errors="replace")
                    yield Way(
                        "wrong-colon", ("colon", i), self._trick(group), start, at + 1,
                        written[:-1] + ":", {"written": written},
                    )  # fmt: skip

    def _wrong_numbers(self) -> Iterator[Way]:
        """From one trick on, all numbers are off by the same amount."""
        if "trick-number" not in self.codes:
            return
        if any(group.number == HIGHEST_NUMBER for group in self.groups):
            return  # or higher
        numbers = [(k, group.number) for k, group in enumerate(self.groups, 1)]
        shifted = [(k, number - k) for k, number in numbers if number is not None]
        first = next((k for k, shift in shifted if shift), 0)
        shifts = {shift for k, shift in shifted if k >= first}
        if not first or len(shifts) != 1 or not self.legal(self._numbered(self.tokens)):
            return
        (shift,) = shifts
        token = self.groups[first - 1].first
        start, core = self.starts[token], self.ends[token]
        end, text = self._counted(first - 1, start, shift)
        key = "wrong-numbers" if shift > 0 else "wrong-numbers-low"
        yield Way(
            "wrong-numbers", ("numbers",), first, start, end, text,
            {"key": key, "number": first, "by": abs(shift), "written": self._written(token)},
            core, len(f"{first}."),
        )  # fmt: skip

    def _missing_draw(self) -> Iterator[Way]:
        """3 or 4 players: one of a trick's two drawn cards is missing."""
        if self.seats == 2 or "play-count" not in self.codes:
            return
        for finding in self.findings:
            if finding[0] != p.DRAW_COUNT or finding[3] > len(self.groups):
                continue
            group = self.groups[finding[3] - 1]
            draws = [i for i in group.draws if self.tokens[i][0] == DRAW]
            if len(draws) != 1:
                continue
            (i,) = draws
            named = self._written(i)
            named_way = Way(
                "missing-draw", ("draw", i), finding[3], self._start(i), self._end(i), None,
                {"written": named},
            )  # fmt: skip
            ways: list[Way] = []
            for place in (0, 1):
                for card in [*self._fitting(group, None, DRAW), FACE_DOWN]:
                    tokens = list(self.tokens)
                    pair = [(DRAW, card, 0, -1), (DRAW, tokens[i][1], 0, i)]
                    pair = pair if place == 0 else pair[::-1]
                    pair[0] = (DRAW, pair[0][1], FIRST, pair[0][3])
                    tokens[i : i + 1] = pair
                    if self.legal(tokens):
                        if card == FACE_DOWN:
                            ways = ways or [named_way]
                        else:
                            both = [NAMES[card], named] if place == 0 else [named, NAMES[card]]
                            ways = [way for way in ways if way.text]
                            ways.append(
                                Way(
                                    "missing-draw", ("draw", i), finding[3], self._start(i),
                                    self._end(i), "/" + ",".join(both), {"written": named},
                                )
                            )  # fmt: skip
                    if len(ways) > 1:
                        break
            yield from ways

    def _missing_play(self) -> Iterator[Way]:
        """A play is missing."""
        if not self.deck or not self.codes & {"play-count", "incomplete", "not-held"}:
            return
        short = [g for g in self.groups if len(g.plays) < self.seats]
        if self.numbered or any(g.early for g in short):
            candidates = [g for g in short if g is not self.groups[-1] or self.full]
            if len(candidates) > 1:
                return
        else:
            # Without numbers Phase 2 is one row of plays: the play may be missing anywhere.
            candidates = [g for g in self.groups if not g.early] if len(short) == 1 else []
        for group in candidates:
            where = [*group.plays]
            if not where:
                continue
            if len(group.plays) < self.seats:
                where.append(where[-1] + 1)
            auto = self.tokens[group.plays[0]][0] == DISCARD
            kind = DISCARD if auto else PLAY
            for at in where:
                ways = 0
                for card in self._fitting(group, None, kind):
                    tokens = list(self.tokens)
                    tokens.insert(at, (kind, card, 0, -1))
                    if not self.legal(tokens):
                        continue
                    ways += 1
                    name = ("-" if auto else "") + NAMES[card]
                    near = group.plays[0] if at == group.plays[0] else at - 1
                    start, end = self._start(near), self._end(near)
                    written = self.text[start:end].decode(errors="replace")
                    both = f"{name} {written}" if near == at else f"{written} {name}"
                    yield Way(
                        "missing-play", ("play", self._trick(group)), self._trick(group),
                        start, end, both, {"card": name},
                    )  # fmt: skip
                    if ways > 1:
                        break

    def _missing_trick(self) -> Iterator[Way]:
        """A whole trick is missing, with any cards and any winner."""
        if not 0 < len(self.groups) < 2 * self.tricks:
            return
        if any(finding[0] == p.DRAW_COUNT for finding in self.findings):
            return  # how many cards are drawn does not depend on an earlier trick
        gaps = [
            k
            for k, group in enumerate(self.groups)
            if group.number is not None
            and group.number == ((self.groups[k - 1].number or 0) if k else 0) + 2
        ]
        if self.numbered and len(gaps) != 1:
            return  # the numbers have no gap, so no trick was left out
        places = gaps if self.numbered else range(len(self.groups) + 1)
        for k in places:
            early = k < self.tricks
            at = self.groups[k].first if k < len(self.groups) else self.groups[-1].stop
            for winner in range(self.seats):
                blank: Tokens = [(NUMBER, k + 1, 0, -1)]
                picked: Tokens = []
                if early:
                    blank += [
                        (UPCARD, FACE_DOWN, 0 if j else FIRST, -1) for j in range(self.wanted_ups)
                    ]
                    if self.seats > 2:
                        picked.append((PICK, FACE_DOWN, 0, -1))
                blank += [
                    (PLAY, FACE_DOWN, WON if j == winner else 0, -1) for j in range(self.seats)
                ]
                tokens = [*self.tokens[:at], *blank, *picked, *self.tokens[at:]]
                if self.legal(tokens):
                    near = min(k, len(self.groups) - 1)
                    group = self.groups[near]
                    start, end = self._span([group.first])
                    yield Way(
                        "missing-trick", ("trick", k), k + 1, start, end, None, {"number": k + 1}
                    )
                    break

    def _numbered(self, tokens: Tokens) -> Tokens:
        """The tokens with all numbers corrected."""
        self.spend(len(tokens))
        renumbered = []
        for number, group in enumerate(self._group(tokens), 1):
            for i in range(group.first, group.stop):
                kind, card, flags, place = tokens[i]
                if kind == NUMBER:
                    card, flags = number, 0
                renumbered.append((kind, card, flags, place))
        if tokens and tokens[-1][0] == RESULT:
            renumbered.append(tokens[-1])
        return renumbered

    # Duplicates ---------------------------------------------------------------------------------

    def _token_twice(self) -> Iterator[Way]:
        """A card written twice."""
        for i in range(1, len(self.tokens)):
            kind, card, _, _ = self.tokens[i]
            if kind not in WITH_CARDS or self.tokens[i - 1][:2] != (kind, card):
                continue
            for gone in (i, i - 1):  # either may have the mark
                tokens = [token for token in self.tokens if token[3] != gone]
                if kind == DRAW:
                    first = i - 1 if gone == i else i
                    place = tokens.index(self.tokens[first])
                    tokens[place] = (DRAW, card, FIRST, first)
                if self.legal(tokens):
                    group = next(g for g in self.groups if g.first <= i - 1 < g.stop)
                    kept = i - 1 if gone == i else i
                    start, end = self._span([i - 1, i])
                    text = self.text[self._start(kept) : self._end(kept)].decode()
                    yield Way(
                        "written-twice", ("twice", i), self._trick(group), start, end, text,
                        {"written": self._written(i)},
                    )  # fmt: skip
                    break

    def _trick_twice(self) -> Iterator[Way]:
        """A trick written twice."""
        for k in range(1, len(self.groups)):
            one, two = self.groups[k - 1], self.groups[k]
            if self._content(one) != self._content(two):
                continue
            tokens = [*self.tokens[: two.first], *self.tokens[two.stop :]]
            plain = self.legal(tokens)
            if plain or self.legal(self._numbered(tokens)):
                start, end = self._span(range(one.first, two.stop))
                last = self._end(self.tokens[one.stop - 1][3])
                text = self.text[start:last].decode(errors="replace")
                values: dict[str, object] = {
                    "key": "trick-twice",
                    "number": k if one.number is None else one.number,
                }
                way = Way("written-twice", ("twice", two.first), k + 1, start, end, text, values)
                if not plain:
                    values["key"] = "trick-twice-numbered"
                    way.core, way.kept = end, len(text)
                    way.end, rest = self._counted(k + 1, end, 1)
                    way.text = text + rest
                yield way

    def _counted(self, k: int, start: int, shift: int) -> tuple[int, str]:
        """The text from `start`, before group `k`, with its and later numbers less `shift`.

        Returns its end, after the last number, and the text.
        """
        parts: list[bytes] = []
        at = start
        for group in self.groups[k:]:
            if group.number is not None:
                place = self.tokens[group.first][3]
                first, last = self.starts[place], self.ends[place]
                parts += [self.text[at:first], b"%d" % (group.number - shift)]
                at = last
                while self.text[first : first + 1].isdigit():
                    first += 1
                parts.append(self.text[first:last])
        return at, b"".join(parts).decode(errors="replace")

    def _content(self, group: Group) -> list[tuple[int, int]]:
        return [token[:2] for token in self.tokens[group.first : group.stop] if token[0] != NUMBER]

    # Swaps --------------------------------------------------------------------------------------

    def _legal_swapped(self, i: int, j: int) -> bool:
        """Whether the game has no errors with two cards and their marks swapped."""
        kind, card, flags, _ = self.tokens[i]
        other_kind, other, other_flags, _ = self.tokens[j]
        if card == other:
            return False
        if kind == other_kind == PLAY:
            flags, other_flags = other_flags, flags
        return self.legal_with((kind, other, flags, i), (other_kind, card, other_flags, j))

    def _swapped(self, kind: str, trick: int, i: int, j: int) -> Way:
        start, end = self.starts[i], self.ends[j]
        middle = self.text[self.ends[i] : self.starts[j]].decode(errors="replace")
        if self.tokens[i][0] == self.tokens[j][0]:
            text = self._written(j) + middle + self._written(i)
        else:
            text = self._renamed(i, self.tokens[j][1]) + middle
            text += self._renamed(j, self.tokens[i][1])
        values: dict[str, object] = {"one": self._written(i), "two": self._written(j)}
        other = self._trick(next(g for g in self.groups if g.first <= j < g.stop))
        if other != trick:
            values |= {"key": f"{kind}-far", "number": other}
        return Way(kind, (kind, i, j), trick, start, end, text, values)

    def _transposed(self) -> Iterator[Way]:
        """Two plays of a trick in the wrong order."""
        for group in self.groups:
            for i, j in combinations(group.plays, 2):
                if self._legal_swapped(i, j):
                    yield self._swapped("transposed-plays", self._trick(group), i, j)

    def _swapped_draws(self) -> Iterator[Way]:
        """Two drawn cards swapped, or an upcard and another card of its trick."""
        draws = [i for group in self.groups if group.early for i in group.draws]
        pairs = [*combinations(draws, 2)]
        for group in self.groups:
            if group.early:
                pairs += [(i, j) for i in group.ups for j in (*group.plays, *group.draws) if i < j]
        for i, j in pairs:
            if FACE_DOWN in (self.tokens[i][1], self.tokens[j][1]):
                continue
            if self._legal_swapped(i, j):
                group = next(g for g in self.groups if g.first <= i < g.stop)
                yield self._swapped("swapped-draws", self._trick(group), i, j)

    def _exchanged_near(self) -> Iterator[Way]:
        """Two plays of neighbouring tricks exchanged: of one seat, in Phase 2 also of one place."""
        for k in range(1, len(self.groups)):
            yield from self._exchanged_plays(k - 1, k)

    def _exchanged_far(self) -> Iterator[Way]:
        """Two plays of one seat exchanged between tricks that are not neighbours."""
        for k, other in combinations(range(len(self.groups)), 2):
            if other > k + 1:
                yield from self._exchanged_plays(k, other)

    def _exchanged_plays(self, k: int, other: int) -> Iterator[Way]:
        one, two = self.groups[k], self.groups[other]
        if one.early != two.early:
            return
        in_place = other == k + 1 and not one.early
        for (place, i), (its_place, j) in product(enumerate(one.plays), enumerate(two.plays)):
            if self._legal_swapped(i, j) and (
                (in_place and place == its_place) or self._seat_of(i, k) == self._seat_of(j, other)
            ):
                yield self._swapped("exchanged-plays", k + 1, i, j)

    def _seat_of(self, token: int, t: int) -> int:
        """The seat of a token of trick `t` (from 0) in the game that was judged last."""
        return list(self.judge.play_token[t * 4 : t * 4 + self.seats]).index(token)

    def _swapped_tricks(self) -> Iterator[Way]:
        """Two neighbouring tricks in the wrong order."""
        for k in range(1, len(self.groups)):
            one, two = self.groups[k - 1], self.groups[k]
            if one.early != two.early or not (one.plays and two.plays):
                continue
            a, b = self._body(one), self._body(two)
            heads = [self.tokens[g.first : self._body(g)[0]] for g in (one, two)]
            numbers = _numbers(one, two)
            tokens = list(self.tokens[: one.first])
            for head, body in ((heads[0], b), (heads[1], a)):
                if head:
                    number = numbers.pop(0)
                    tokens.append((NUMBER, number & 255, number >> 8, head[0][3]))
                tokens += self.tokens[body[0] : body[1]]
            tokens += self.tokens[two.stop :]
            if self.legal(tokens):
                start, end = self._span(range(one.first, two.stop))
                yield Way(
                    "swapped-tricks", ("tricks", k), k, start, end, self._exchanged(one, two),
                    {"one": k, "two": k + 1},
                )  # fmt: skip

    def _body(self, group: Group) -> tuple[int, int]:
        return group.first + (group.number is not None), group.stop

    def _exchanged(self, one: Group, two: Group) -> str:
        """The text of two tricks in reverse order, with the numbers in order."""
        (a, b), (c, d) = self._body(one), self._body(two)
        first = self.text[self._start(a) : self._end(b - 1)].decode(errors="replace")
        second = self.text[self._start(c) : self._end(d - 1)].decode(errors="replace")
        numbers = _numbers(one, two)
        between = self.text[self._end(b - 1) : self._start(two.first)].decode(errors="replace")
        parts = []
        for group, body in ((one, second), (two, first)):
            parts.append(f"{numbers.pop(0)}. {body}" if group.number is not None else body)
        return parts[0] + between + parts[1]

    # Tags ------------------------------------------------------------------------------------

    def _tag(self, name: str) -> tuple[int, int, int, int] | None:
        """The start and end of a tag and of its value."""
        place = self.tag_of[TAGS.index(name)]
        if place < 0:
            return None
        at = self.sheet.tag_at[place * TAG_FIELDS : (place + 1) * TAG_FIELDS]
        return at[0], at[1], at[4], at[5]

    def _wrong_leader(self) -> Iterator[Way]:
        """Another seat led trick 1."""
        tag = self._tag("Leader")
        deck = self._tag("Deck")
        for seat in range(self.seats):
            if seat == self.leader:
                continue
            new = f'[Leader "{seat + 1}"]'
            if tag is not None:
                start, end = tag[:2]
            elif deck is not None:
                start, end = deck[:2]
                new = f"{self.text[start:end].decode(errors='replace')}\n{new}"
            else:
                return
            if self.legal_text(start, end, new.encode()):
                values: dict[str, object] = {"seat": seat + 1, "leader": self.leader + 1}
                yield Way("wrong-leader", ("leader",), 0, start, end, new, values)

    def _wrong_deck(self) -> Iterator[Way]:
        """A wrong letter in the deck."""
        tag = self._tag("Deck")
        if tag is None:
            return
        start, end, first, last = tag
        letters = self.text[first:last].decode(errors="replace").upper()
        shown = {
            LETTERS[FACTION_OF[card]] for kind, card, *_ in self.tokens
            if kind in WITH_CARDS and card < NO_CARD
        }  # fmt: skip
        strange = sorted(shown - set(letters))
        if len(strange) != 1:
            return
        (letter,) = strange
        for k in range(len(letters)):
            if letters[k] in shown:
                continue
            changed = letters[:k] + letter + letters[k + 1 :]
            try:
                deck = deck_of(changed)
            except DeckError:
                continue
            if deck_problem(deck, self.seats, classic=self.judge.classic):
                continue
            new = f'[Deck "{deck_letters(deck)}"]'
            if self.legal_text(start, end, new.encode()):
                values: dict[str, object] = {"deck": deck_letters(deck), "written": letters}
                yield Way("wrong-deck", ("deck",), 0, start, end, new, values)

    def _swapped_names(self) -> Iterator[Way]:
        """The names are in the wrong seats: result and votes are those of the other seats."""
        tag = self._tag("Player1")
        if tag is None or self.played is None or self.result == UNFINISHED:
            return
        votes = self._tag("Votes")
        written = None
        if votes is not None:
            parts = self.text[votes[2] : votes[3]].split(b"-")
            written = [int(part) for part in parts]
        for one, two in combinations(range(self.sides), 2):
            winners = self.result & 7
            swapped = winners & ~(1 << one | 1 << two)
            swapped |= (winners >> one & 1) << two | (winners >> two & 1) << one
            if self.sides * 8 + swapped != self.played or swapped == winners:
                continue
            if written is not None:
                changed = list(written)
                changed[one], changed[two] = changed[two], changed[one]
                if changed != self.votes:
                    continue
            values: dict[str, object] = {"one": f"Player{one + 1}", "two": f"Player{two + 1}"}
            yield Way("swapped-names", ("names", one, two), 0, tag[0], tag[1], None, values)


def _numbers(*groups: Group) -> list[int]:
    """The numbers of tricks, ascending."""
    return sorted(group.number for group in groups if group.number is not None)
