"""Pictures of cards and positions: well-formed, reproducible, limited to what the view may know."""

import re
from collections import Counter
from xml.etree import ElementTree

import pytest

import claimlog
from claimlog.cards import CARD_NAMES, FACTIONS
from claimlog.draw.faces import FACES
from claimlog.draw.picture import card_svg, hand_svg, position_svg, preview_svg
from claimlog.draw.png import open_graph_png, png
from claimlog.language import words
from claimlog.replay.viewpoint import Viewpoint

SVG = "{http://www.w3.org/2000/svg}"
GAMES = {
    2: "data/sample.clm",
    3: "data/thursday-evening.clm",
    4: "data/team-cup.clm",
}
MOMENTS = [(1, 0), (3, 1), (7, 2), (11, None), (15, 1), (18, None)]


def read(svg):
    """Check that a picture is well-formed, without scripts, and loads nothing."""
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert root.find(f"{SVG}title").text
    for element in root.iter():
        assert element.tag not in (f"{SVG}script", f"{SVG}foreignObject", f"{SVG}image")
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert "href" not in name or value.startswith("#")
            assert "url(" not in value
    rest = svg.replace("http://www.w3.org/2000/svg", "")
    assert "//" not in rest
    assert "@import" not in rest
    return root


def texts(root):
    return [text for element in root.iter() if (text := (element.text or "").strip())]


def cards_in(root):
    """All cards that are written anywhere; a large card shows letter and value separately."""
    cards = re.findall(r"\b[A-Z]\d{1,2}\b", "\n".join(texts(root)))
    return {name for name in cards if name in CARD_NAMES}


def size_of(image):
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    return tuple(int.from_bytes(image[i : i + 4], "big") for i in (16, 20))


@pytest.fixture(params=GAMES, scope="module")
def game(request):
    return next(iter(claimlog.read_games(GAMES[request.param])))


def test_every_card_has_a_face():
    for name in CARD_NAMES:
        root = read(card_svg(name, words("de")))
        faction = next(one for one in FACTIONS if one.letter == name[0])
        assert [name[0], name[1:], faction.name_de] == texts(root)[-3:]
        assert root.find(f"{SVG}defs/{SVG}path").get("d") == FACES[name[0]].shape
    back = read(card_svg(None, words()))
    assert cards_in(back) == set()
    assert cards_in(read(hand_svg(["K9", None, "G0"], words()))) == {"K9", "G0"}


def test_a_position_shows_what_the_view_knows_and_nothing_else(game):
    everything = Viewpoint(game)
    for view in (None, 0, 1, game.seats):
        viewpoint = Viewpoint(game, view)
        secrets = 0
        for trick, played in MOMENTS:
            position = viewpoint.at(trick, played)
            shown = cards_in(read(position_svg(viewpoint, position, words())))
            known = Counter()
            for player in position.players:
                for cards in (player.hand, player.followers, player.pile, player.gnomes):
                    known.update(filter(None, cards))
            known.update(position.upcards)
            assert set(known) <= shown
            hidden = Counter()
            for player in everything.at(trick, played).players:
                hidden.update(player.hand + player.followers)
            spoken = {play.card for play in position.plays}
            secret = {name for name in hidden if not known[name]} - spoken
            secrets += len(secret)
            assert not secret & shown
        assert (secrets > 20) == (view is not None)


def test_nothing_is_told_ahead(game):
    """The picture of a moment is the same if the record stops there."""
    text = claimlog.dumps(game)
    later = next(iter(claimlog.loads(text)))
    for trick, played in ((4, 1), (game.tricks[-1].number - 2, 1)):
        cut = next(iter(claimlog.loads(text)))
        del cut.tricks[trick:]
        cut.tricks[-1].comments.clear()
        cut.score, cut.complete, cut.result = None, False, "*"
        first, second = (
            position_svg(one, one.at(trick, played), words())
            for one in (Viewpoint(later, 0), Viewpoint(cut, 0))
        )
        assert first == second


def test_the_end_says_who_won(game):
    viewpoint = Viewpoint(game)
    last = viewpoint.at(viewpoint.last)
    for svg in (position_svg(viewpoint, last, words()), preview_svg(viewpoint, last, words())):
        assert any(game.result in text for text in texts(read(svg)))
    before = viewpoint.at(viewpoint.last, 1)
    drawn = texts(read(position_svg(viewpoint, before, words())))
    assert not any(game.result in text for text in drawn)


@pytest.mark.needs("resvg_py")
def test_themes_and_sizes(game):
    viewpoint = Viewpoint(game)
    position = viewpoint.at(5)
    auto = position_svg(viewpoint, position, words())
    assert auto == position_svg(viewpoint, position, words())
    light, dark = (
        position_svg(viewpoint, position, words("de"), theme=theme, size=(700, 900))
        for theme in ("light", "dark")
    )
    assert "@media" in auto
    assert "@media" not in light
    assert FACES["G"].light in light
    assert FACES["G"].dark in dark
    assert FACES["G"].dark not in light
    assert size_of(png(dark)) == (700, 900)
    assert size_of(open_graph_png(viewpoint, position, words())) == (1200, 630)
    assert png(light) == png(light) != png(dark)
    with pytest.raises(ValueError, match="there are auto, light, dark"):
        position_svg(viewpoint, position, words(), theme="blue")


def test_names_from_a_record_are_text_and_have_room():
    name = "<b>&Wolfgang Amadeus Theophilus Maximilian von und zu Trittenheim'"
    (game,) = claimlog.loads(f'[Player1 "{name}"]\n[Deck "GKUWX"]\n1. U7: G5 K8+ /W2 *')
    viewpoint = Viewpoint(game)
    for svg in (
        position_svg(viewpoint, viewpoint.at(1), words()),
        preview_svg(viewpoint, viewpoint.at(1), words()),
    ):
        root = read(svg)
        assert any(text.startswith("<b>&Wolfgang") for text in texts(root))
        assert any(text.endswith("…") for text in texts(root))


def test_a_notebook_shows_games_and_running_games(game):
    shown = game._repr_html_()
    assert shown.count("<svg") == 1
    assert "<script" not in shown
    for seat in range(1, game.seats + 1):
        assert game.player(seat) in shown
    (wrong,) = claimlog.loads('[Deck "GKUWX"]\n[Player1 "<i>"]\n1. U7: G5 K8+ /W2 2. X3: G9 G8 *')
    assert "&lt;i&gt;" in wrong._repr_html_()
    assert wrong.errors[0].message.partition(";")[0] in wrong._repr_html_()
    state = claimlog.State("GKUWX")
    assert state._repr_svg_() is None
    for word in ("U7", "G5"):
        state.apply(word)
    read(state._repr_svg_())
