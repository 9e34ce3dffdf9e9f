r"""A game to step through in a browser: its data, its table of tricks, and a file with both.

Everything that a viewer shows is computed here, by `Viewpoint`, `Narrator` and `course`; the
scripts (``static/viewer.js``) know no rules.  A view contains only what it may know, so a file for
one seat has nothing of the others.

>>> from claimlog.replay.recorder import replay_text
>>> game = next(replay_text('[Deck "GKUWX"]\n1. U7: G5 K8+ /W2 2. X3: K4 *'))
>>> data = replay_data(game, views=[SPECTATOR])
>>> list(data["views"]), len(data["views"]["spectator"])
(['spectator'], 7)
"""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import msgspec
from markupsafe import Markup, escape

from claimlog import __version__
from claimlog.draw.faces import FACES
from claimlog.language import LANGUAGES, site_words, words
from claimlog.link import CodeError, link_of
from claimlog.replay.course import factions_led, leader, legal, never_held, race, to_act, unseen
from claimlog.replay.narration import HIDDEN, Narrator, isolated, remarks
from claimlog.replay.story import story
from claimlog.replay.viewpoint import SPECTATOR, SPOILING, Viewpoint, by_faction
from claimlog.results import readable
from claimlog.rules.setup import tricks_of, upcards_of
from claimlog.web import assets, bundle
from claimlog.web.comments import record_to_comment
from claimlog.web.rendering import render

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from claimlog.directing.overruled import Overruled
    from claimlog.game import Game
    from claimlog.replay.viewpoint import Placed, Position

__all__ = [
    "POLICY",
    "all_views",
    "embedded",
    "export_html",
    "head",
    "page_html",
    "record_html",
    "replay_data",
    "replay_json",
    "view_name",
]

_SCRIPT: Final = "viewer.js"
"""The script that shows a game in a self-contained file."""
_PAGE_SCRIPT: Final = "viewer-page.js"
"""The same on a page of the server."""
_STYLES: Final = ("faces.css", "viewer.css")

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'"
)
"""The Content-Security-Policy of a page with only a replay, which other sites may embed."""

View = int | None
"""A seat, `SPECTATOR`, or None for all cards open."""

_SAID: Final = (
    *("comment", "counts", "draw-pile", "error", "faction", "followers", "hands", "irregular"),
    *("nobody", "phase-1", "phase-2", "piles", "removed", "removed-in", "Result", "trick"),
    *("trick-of", "upcards", "upcards-none", "auto-trick", "unknown-cards", "no-cards", "votes"),
    *("waiting", "warning", "wins", "won-by", "role", "help", "rank", "viewer", "loot", "run"),
    *("on-card", "go-trick", "help-title", "key", "guess", "Deck", "Start", "worth", "try"),
)
"""The texts that the viewer itself shows: keys, and prefixes of keys."""


def all_views(game: Game) -> list[View]:
    """Return every view of a game: open cards, a spectator's, each seat's."""
    return [None, SPECTATOR, *range(1, game.seats + 1)]


def view_name(view: View) -> str:
    """Return the name of a view in data and addresses: "open", "spectator" or the seat's number."""
    return {None: "open", SPECTATOR: "spectator"}.get(view, str(view))


class _Sentences:
    """The sentences about a game, each once, in every language."""

    def __init__(self, narrators: Sequence[Narrator]) -> None:
        self.narrators = narrators
        self.numbers: dict[tuple[str, ...], int] = {}

    def all(self, each: Iterable[Sequence[str]]) -> list[int]:
        """Return the numbers of sentences, given language by language."""
        return [
            self.numbers.setdefault(one, len(self.numbers))
            for one in zip(*map(list, each), strict=True)
        ]

    def one(self, each: Iterable[str]) -> int:
        """Return the number of one sentence."""
        return self.all([text] for text in each)[0]


class _Values:
    """Values that recur: hands, piles, the state of factions."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._places: dict[bytes, int] = {}

    def place(self, value: Any) -> int:
        """Return the number of a value."""
        key = msgspec.json.encode(value)
        if key not in self._places:
            self._places[key] = len(self.values)
            self.values.append(value)
        return self._places[key]


def replay_data(
    game: Game,
    *,
    views: Sequence[View],
    languages: Sequence[str] = LANGUAGES,
    coded: bool = True,
) -> dict[str, Any]:
    """Return all that the viewer shows of a game, for JSON; with its code if all cards are open.

    A frame is a moment: the first page (trick 0), each trick with 0, 1, … of its plays, the ending
    (one trick after the last).  A frame contains only its differences from the previous one:
    alternately the index of a name in `keys` and that of its value in `values`.  `sentences` are
    the sentences by language, to which frames refer by number.
    """
    narrators = {
        view: [
            Narrator(Viewpoint(game, view, said), said, isolated) for said in map(words, languages)
        ]
        for view in views
    }
    first = narrators[views[0]]
    sentences = _Sentences(first)
    values = _Values()
    keys: dict[str, int] = {}
    rows: dict[str, list[list[int]]] = {}
    for view in views:
        before: dict[str, Any] = {}
        frames = rows[view_name(view)] = []
        for frame in _frames(narrators[view], sentences):
            row = []
            for key, value in frame.items():
                known = before.get(key, before)
                if known is not value and known != value:
                    row += [keys.setdefault(key, len(keys)), values.place(value)]
            before |= frame
            frames.append(row)
    viewpoint = first[0].viewpoint
    ending = _ending(first, sentences)
    return {
        "seats": game.seats,
        "sides": [viewpoint.side(seat) for seat in viewpoint.places],
        "deck": game.deck,
        "rules": game.rules,
        "total": 2 * tricks_of(game.seats),
        "plays": [len(trick.plays) for trick in game.tricks],
        "shapes": {letter: FACES[letter].shape for letter in game.deck},
        "keys": list(keys),
        "values": values.values,
        "order": list(rows),
        "code": _code(game) if coded and None in views else None,
        "views": rows,
        "ending": ending,
        "about": {
            language: _about(narrator, [narrators[view][place] for view in views])
            for place, (language, narrator) in enumerate(zip(languages, first, strict=True))
        },
        "sentences": {
            language: [texts[place] for texts in sentences.numbers]
            for place, language in enumerate(languages)
        },
    }


def _code(game: Game) -> str | None:
    """Return the address of the game as a code, relative to a server; None if it has none."""
    try:
        return link_of(game)
    except CodeError:
        return None


def _about(narrator: Narrator, of_views: Sequence[Narrator]) -> dict[str, Any]:
    """Return what is said about a whole game in one language."""
    said, game = narrator.words, narrator.viewpoint.game
    return {
        "title": narrator.title(),
        "names": list(narrator.names.values()),
        "players": [narrator.player(seat) for seat in narrator.viewpoint.places],
        "sides": [narrator.side_short(side) for side in range(1, narrator.viewpoint.sides + 1)],
        "details": narrator.details(ending=False),
        "outcome": narrator.outcome(),
        "end": narrator.end(),
        "story": story(narrator),
        "views": {
            view_name(each.viewpoint.view): each.view() or said("viewer.all-open")
            for each in of_views
        },
        "factions": {letter: said.faction(letter) for letter in game.deck},
        "texts": _texts(said.language),
    }


@cache
def _texts(language: str) -> dict[str, str]:
    """Return the texts that the viewer itself shows."""
    texts = words(language).texts
    return {key: text for key, text in texts.items() if key.partition(".")[0] in _SAID}


def _frames(narrators: Sequence[Narrator], sentences: _Sentences) -> Iterable[dict[str, Any]]:
    """Yield the moments of a game, as one view sees them."""
    viewpoint = narrators[0].viewpoint
    # Each language has the same problems at the same places, but in other words.
    problems = list(zip(*(each.viewpoint.problems for each in narrators), strict=True))

    def problems_of(*which: bool) -> list[list[Any]]:
        return [
            [
                of[0].severity,
                sentences.one(
                    narrator.problem(one) for narrator, one in zip(narrators, of, strict=True)
                ),
            ]
            for of, want in zip(problems, which, strict=True)
            if want
        ]

    game = viewpoint.game
    yield {
        "trick": 0,
        "played": 0,
        "plays": [],
        "why": [],
        "then": [],
        "comments": remarks(game.comments),
        "problems": problems_of(
            *(of[0].trick is None and of[0].code not in SPOILING for of in problems)
        ),
    }
    for trick in range(1, viewpoint.last + 1):
        of_trick = problems_of(*(of[0].trick == trick for of in problems))
        for played in range(viewpoint.plays(trick) + 1):
            position = viewpoint.at(trick, played)
            yield _frame(position, narrators, sentences) | {"problems": of_trick}
    yield {
        "trick": viewpoint.last + 1,
        "played": 0,
        "plays": [],
        "why": [],
        "then": [],
        "comments": [],
        "problems": problems_of(*[True] * len(problems)),
    }


def _frame(
    position: Position, narrators: Sequence[Narrator], sentences: _Sentences
) -> dict[str, Any]:
    """Return one moment of a trick."""
    viewpoint = narrators[0].viewpoint

    def tell(reasons: Any) -> list[int]:
        return sentences.all(narrator.reasons(reasons) for narrator in narrators)

    why, then = tell(position.why), tell([*position.outcome, *position.next])
    if not position.decided:
        then = [sentences.one(narrator.due(position) for narrator in narrators)]
    standings = race(viewpoint, position)
    led = factions_led(standings, viewpoint.sides)
    acting = to_act(viewpoint, position)
    frame = {
        "trick": position.trick,
        "played": position.played,
        "phase": position.phase,
        "auto": position.auto,
        "up": position.upcards,
        "order": position.order,
        "plays": [_play(play, narrators, sentences) for play in position.plays],
        "winner": position.winner,
        "why": why,
        "then": then,
        "draw": position.draw_pile,
        "waiting": position.waiting,
        "removed": position.removed,
        "comments": remarks(position.comments),
        "race": [
            [one.faction, list(one.counts.values()), one.open, one.decided, one.ahead]
            for one in standings
        ],
        "led": led,
        "leader": leader(led),
        "unseen": [
            [letter, " ".join(card[1:] for card in cards)]
            for letter, cards in by_faction(
                unseen(viewpoint, position, acting if viewpoint.view is None else None)
            ).items()
        ],
        "act": acting,
        "legal": legal(viewpoint, position),
    }
    for player in position.players:
        hidden = None in player.hand
        frame[f"never{player.seat}"] = (
            never_held(viewpoint, position, player.seat) if hidden else ""
        )
        frame[f"hand{player.seat}"] = player.hand
        frame[f"followers{player.seat}"] = player.followers
        frame[f"pile{player.seat}"] = player.pile
        frame[f"gnomes{player.seat}"] = player.gnomes
    return frame


def _play(play: Placed, narrators: Sequence[Narrator], sentences: _Sentences) -> list[Any]:
    """Return a play: seat, card, role, value, bonus, rank, marks, what was taken, comments."""
    taken = play.taken
    return [
        play.seat,
        play.card,
        play.role,
        play.value,
        play.bonus,
        play.rank,
        ("^" if play.irregular else "") + play.annotation,
        None if taken is None else sentences.one(each.taken(taken) for each in narrators),
        remarks(play.comments),
    ]


def _ending(narrators: Sequence[Narrator], sentences: _Sentences) -> dict[str, Any]:
    """Return how the game ended, faction by faction; without the count if there is none."""
    ending = narrators[0].viewpoint.ending()
    if ending is None:
        return {"stopped": sentences.one(narrator.stopped() for narrator in narrators)}
    return {
        "before": sentences.all(narrator.before_the_count(ending) for narrator in narrators),
        "factions": [
            {
                "faction": one.faction,
                "sides": [
                    {
                        "count": one.counts[side],
                        "cards": cards,
                        "doubled": one.doubled[side],
                        "run": one.runs[side] if len(one.runs[side]) > 1 else [],
                        "loot": one.loot[side],
                    }
                    for side, cards in one.cards.items()
                ],
                "winner": one.winner,
                "why": sentences.one(narrator.decided(one) for narrator in narrators),
            }
            for one in ending.factions
        ],
        "votes": list(ending.votes.values()),
        "winners": ending.winners,
        "verdict": sentences.all(narrator.verdict(ending) for narrator in narrators),
        "result": ending.result,
    }


def replay_json(data: dict[str, Any]) -> Markup:
    """Return a replay's data, compressed, for a script element of a page."""
    packed = zlib.compress(msgspec.json.encode(data))
    return Markup(base64.b64encode(packed).decode())


def _counting(overruled: Overruled | None, language: str) -> list[tuple[str, str]]:
    """Return label and value of the result that counts instead of the recorded one, if any."""
    if overruled is None:
        return []
    said = site_words(language)
    key = "director" if overruled.director else "desk"
    value = said(f"site.counts.{key}", result=readable(overruled.result))
    return [(said("site.counts.label"), value)]


def record_html(
    game: Game,
    *,
    view: View,
    language: str,
    title: bool = True,
    overruled: Overruled | None = None,
) -> Markup:
    """Return all tricks and the count in tables, for printing and for browsers without scripts.

    Without a `title` the page around it has the heading.
    """
    say = words(language)
    viewpoint = Viewpoint(game, view, say)
    narrator = Narrator(viewpoint, say, isolated)
    positions = [viewpoint.at(trick) for trick in range(1, viewpoint.last + 1)]
    rows = [(one, {play.seat: play for play in one.plays}) for one in positions]
    phases = [(phase, [row for row in rows if row[0].phase == phase]) for phase in (1, 2)]
    text = render(
        "record.html",
        language,
        title=title,
        viewpoint=viewpoint,
        narrator=narrator,
        details=narrator.details() + _counting(overruled, language),
        comments=remarks(game.comments),
        phases=[(phase, rows_of) for phase, rows_of in phases if rows_of],
        upcards=upcards_of(game.seats),
        columns=game.seats + 1,
        ending=viewpoint.ending(),
        cards=_cards,
        remarks=remarks,
    )
    return Markup(text.decode())


def export_html(
    game: Game,
    *,
    views: Sequence[View],
    language: str = LANGUAGES[0],
    worth: dict[str, Any] | None = None,
    overruled: Overruled | None = None,
) -> bytes:
    """Return a self-contained page for a game, which contains no views but these.

    It opens in `language`, and has the other languages too.  `worth` is an analysis, as
    `worth_data` makes it for the same views; `overruled` is the result that counts in the event.
    """
    data = replay_data(game, views=views)
    for each, about in data["about"].items():
        about["outcome"] += _counting(overruled, each)
    if None in views:
        data["record"] = record_to_comment(game)
    return render(
        "replay-file.html",
        language,
        version=__version__,
        title=data["about"][language]["title"],
        script=Inline(bundle.bundled(_SCRIPT)),
        style=Inline(_style()),
        records=Markup("\n").join(
            record_html(game, view=views[0], language=each, overruled=overruled)
            for each in LANGUAGES
        ),
        data=replay_json(data),
        worth=worth and replay_json(worth),
    )


def embedded(
    game: Game,
    *,
    views: Sequence[View],
    language: str,
    title: bool = False,
    more: str = "",
    worth: str = "",
    at: str = "",
) -> Markup:
    """Return the viewer with a game, for a page in `language` whose head contains `head()`.

    With a `title` the viewer is the whole page: it includes the heading, and the other languages
    too. `more` is the address of the data in more views, which the viewer fetches once the page is
    shown; below `worth` are the analysis, trials, and for a stored game what others played.  `at`
    is the moment to begin at, unless the address names one.
    """
    place = Markup('<div id="replay"{}{}{}{}></div>\n<div class="records">\n{}\n</div>\n{}')
    languages = LANGUAGES if title else (language,)
    script = Markup('<script type="application/octet-stream" id="replay-data">{}</script>')
    data = replay_data(game, views=views, languages=languages, coded=not more)
    if not more:
        data["record"] = record_to_comment(game)
    return place.format(
        "" if title else Markup(' data-title="none"'),
        Markup(' data-more="{}"').format(more) if more else "",
        Markup(' data-worth="{}"').format(worth) if worth else "",
        Markup(' data-at="t{}"').format(at) if at else "",
        record_html(game, view=views[0], language=language, title=title),
        script.format(replay_json(data)),
    )


def head() -> Markup:
    """Return the elements for the head of a page with the viewer: its style and its scripts."""
    return script_head(_PAGE_SCRIPT)


def script_head(script: str) -> Markup:
    """Return the same with another script that shows a card table."""
    address = assets.page().address
    parts = [
        *(Markup('<link rel="stylesheet" href="{}">').format(address(name)) for name in _STYLES),
        *(
            Markup('<link rel="modulepreload" href="{}">').format(address(name))
            for name in bundle.modules(script)
        ),
        Markup('<script type="module" src="{}"></script>').format(address(script)),
    ]
    return Markup("\n").join(parts)


def page_html(game: Game, *, language: str, picture: str = "", worth: str = "") -> bytes:
    """Return a page of the server with only the viewer, with all views of the game.

    `picture` is the address of a picture for links to the page, `worth` as for `embedded`.
    """
    say = words(language)
    return render(
        "replay-page.html",
        language,
        title=Narrator(Viewpoint(game), say).title(),
        description="",
        picture=picture,
        head=head(),
        viewer=embedded(game, views=all_views(game), language=language, title=True, worth=worth),
    )


class Inline:
    """An inline script or style, with the hash that allows it."""

    def __init__(self, text: str) -> None:
        digest = hashlib.sha256(text.encode()).digest()
        self.text = Markup(text)
        self.hash = Markup(f"'sha256-{base64.b64encode(digest).decode()}'")


@cache
def _style() -> str:
    """Return the styles as one, without comments."""
    text = "".join(assets.unpacked(assets.page().files[name]).decode() for name in _STYLES)
    return re.sub(r"/\*.*?\*/\n*", "", text, flags=re.S)


def _cards(cards: Iterable[str | None]) -> Markup:
    """Return cards in the colours of their factions."""
    return Markup(" ").join(map(_card, cards))


@cache
def _card(card: str | None) -> Markup:
    return Markup('<span class="of-{}">{}</span>').format(card[0], card) if card else escape(HIDDEN)
