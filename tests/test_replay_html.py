"""A replay in a file: it has everything its views may know, nothing more, and loads nothing."""

import base64
import json
import re
import zlib
from html.parser import HTMLParser
from pathlib import Path

import commands
import pytest

import claimlog
from claimlog.language import LANGUAGES, words
from claimlog.link import link_of
from claimlog.replay.course import factions_led, leader, legal, race, to_act
from claimlog.replay.narration import Narrator
from claimlog.replay.viewpoint import SPECTATOR, Viewpoint
from claimlog.simulate import simulate_games
from claimlog.web import bundle
from claimlog.web.comments import record_to_comment
from claimlog.web.replay import all_views, export_html, replay_data, view_name

ROOT = Path(claimlog.__file__).parents[1]
STATIC = ROOT / "claimlog" / "web" / "static"
CARD = re.compile(r"\b[GKNIMPABDFRSTUVWX](?:1[0-3]|\d)\b")
SEATS = (2, 3, 4)
WHYS = ("phase-1", "unknown", "effort")
"""Why an analysis may have no values."""


def game_of(seats, seed=3, **wanted):
    return next(simulate_games(1, seats=seats, seed=seed, **wanted))


def packed_in(page, name="replay-data"):
    """The data in a page, unpacked."""
    match = re.search(rf'id="{name}">([^<]+)<', page)
    return zlib.decompress(base64.b64decode(match[1])).decode()


def frames(data, view):
    """The frames of a view, each complete."""
    now = {}
    for row in data["views"][view_name(view)]:
        for key, value in zip(row[::2], row[1::2], strict=True):
            now[data["keys"][key]] = data["values"][value]
        yield dict(now)


@pytest.mark.parametrize("seats", SEATS)
def test_every_moment_is_that_of_the_viewpoint(seats):
    """In every view: cards, who may play what, the race, and the sentences in both languages."""
    game = game_of(seats)
    data = json.loads(json.dumps(replay_data(game, views=all_views(game))))
    for view in all_views(game):
        viewpoint = Viewpoint(game, view)
        shown = list(frames(data, view))
        assert len(shown) == 2 + sum(len(trick.plays) + 1 for trick in game.tricks)
        assert [shown[0]["trick"], shown[-1]["trick"]] == [0, len(game.tricks) + 1]
        for frame in shown[1:-1]:
            position = viewpoint.at(frame["trick"], frame["played"])
            assert frame["up"] == position.upcards
            assert [play[:2] for play in frame["plays"]] == [
                [play.seat, play.card] for play in position.plays
            ]
            for player in position.players:
                assert frame[f"hand{player.seat}"] == player.hand
                assert frame[f"followers{player.seat}"] == player.followers
                assert frame[f"pile{player.seat}"] == player.pile
            assert frame["act"] == to_act(viewpoint, position)
            assert frame["legal"] == legal(viewpoint, position)
            assert [part[3] for part in frame["race"]] == [
                one.decided for one in race(viewpoint, position)
            ]
            led = factions_led(race(viewpoint, position), viewpoint.sides)
            assert (frame["led"], frame["leader"]) == (led, leader(led))
            for language in LANGUAGES:
                why = [data["sentences"][language][number] for number in frame["why"]]
                assert why == Narrator(viewpoint, words(language)).reasons(position.why)


@pytest.mark.parametrize("seats", SEATS)
def test_a_file_for_one_view_has_nothing_of_the_others(seats):
    """In a game that stops early only open cards, and those in the seat's hand, are named."""
    game = game_of(seats)
    record = claimlog.dumps(game).partition("\n5. ")[0]
    record = re.sub(r'\[(Result|Votes|Loot|Termination) "[^"]*"\]\n', "", record) + "\n*\n"
    hands = {
        seat: Viewpoint(game_of(seats)).at(1, 0).players[seat - 1].hand
        for seat in range(1, seats + 1)
    }
    tags = "".join(f'[Hand{seat} "{" ".join(hand)}"]\n' for seat, hand in hands.items())
    stopped = next(claimlog.read_games((tags + record).encode()))
    assert stopped.legal, stopped.problems
    everything = {card for hand in hands.values() for card in hand}
    for view in (SPECTATOR, *range(1, seats + 1)):
        viewpoint = Viewpoint(stopped, view)
        seen = set()
        for trick in range(1, viewpoint.last + 1):
            for played in range(viewpoint.plays(trick) + 1):
                seen |= set(CARD.findall(json.dumps(viewpoint.at(trick, played).report())))
        assert everything - seen
        page = export_html(stopped, views=[view]).decode()
        body = page[page.index("</style>") : page.index('<script type="module">')]
        data = json.loads(packed_in(page))
        del data["shapes"]  # in which M2 is an SVG path command
        loot = set(stopped.tags.get("LootCards", "").split())
        body = re.sub(r'id="replay-data">[^<]+', "", body)
        for text in (body, json.dumps(data)):
            assert set(CARD.findall(text)) - loot <= seen
        assert list(data["views"]) == [view_name(view)]


class References(HTMLParser):
    """The references of a page, and its tags."""

    def __init__(self):
        super().__init__()
        self.references = []
        self.tags = set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.references += [
            value for name, value in attrs if name in ("src", "href", "action", "data")
        ]


@pytest.mark.parametrize("seats", SEATS)
def test_the_file_is_small_and_needs_nothing_else(seats):
    game = game_of(seats, seed=8)
    game.tricks[0].plays[0].comments.append("</script><img src=x> “why not?”")
    page = export_html(game, views=all_views(game), language="de")
    assert len(page) < 160_000
    assert page == export_html(game, views=all_views(game), language="de")
    parser = References()
    parser.feed(page.decode())
    assert parser.references == ["data:,"]
    assert "img" not in parser.tags
    text = page.decode()
    assert 'lang="de"' in text
    assert "default-src 'none'" in text
    assert "unsafe" not in text
    assert not re.search(r"""(url\(|@import|fetch\(|https?://(?!www\.w3\.org))""", text)


def test_marks_for_programs_are_shown_to_nobody():
    """A clock is shown as a time; the record to be saved keeps the marks."""
    text = (ROOT / "data" / "sample.clm").read_text(encoding="utf-8")
    was = next(line for line in text.split("\n") if line.startswith("16. "))
    marks = "{[%value 1-0 3-2]} {[%clk 0:04:30] hm [%secures 1/2 2-2]} {[%pause 0:05:00]}"
    (game,) = claimlog.loads(text.replace(was, f"{was} {marks}"))
    assert game.legal
    comments = ["⏱ 0:04:30 hm", "⏸ 0:05:00"]
    shown = [one for one in frames(replay_data(game, views=[None]), None) if one["trick"] == 16]
    assert shown[-1]["plays"][1][8] == comments
    page = export_html(game, views=[None]).decode()
    table = page[page.index('<div class="record" lang="en"') :]
    assert all(comment in table for comment in comments)
    assert "[%" not in table
    assert "[%clk 0:04:30]" in record_to_comment(game)["text"]


def test_the_tables_without_scripts_tell_the_whole_game():
    game = next(claimlog.read_games(ROOT / "data" / "sample.clm"))
    page = export_html(game, views=[None]).decode()
    english = page[page.index('<div class="record" lang="en"') :]
    english = re.sub(r"<[^>]+>", " ", english[: english.index("</section>")])
    assert "Anna Keller, rated 1874" in english
    plays = [play.card for trick in game.tricks for play in trick.plays]
    for card in set(plays):
        assert len(re.findall(rf"\b{card}\b", english)) >= plays.count(card)
    assert "Winner: Ben Roth" in english or "Winner: Anna Keller" in english


def test_a_name_from_right_to_left_leaves_the_text_around_it_in_order():
    name = "\u05d3\u05d5\u05d3 (2)"
    text = (ROOT / "data" / "sample.clm").read_text(encoding="utf-8").replace("Anna Keller", name)
    game = next(claimlog.read_games(text.encode()))
    shown = json.dumps(replay_data(game, views=[None, 1]), ensure_ascii=False)
    for page in (shown, export_html(game, views=[None]).decode()):
        body = page.partition("</title>")[2] or page
        assert body.count(name) == body.count(f"\u2068{name}\u2069") > 5
    assert "\u2068Ben" not in shown


def test_a_game_without_tricks_and_one_with_errors_can_be_shown():
    for text in ('[Player1 "A"]\n[Player2 "B"]\n[Deck "GKUWX"]\n*\n', "1. U7: G5 W8 2. G9 *"):
        for game in claimlog.read_games(f'[Deck "GKUWX"]\n{text}'.encode()):
            data = replay_data(game, views=all_views(game))
            last = list(frames(data, None))[-1]
            assert len(last["problems"]) == len(game.problems)
            assert export_html(game, views=[None])


def test_what_is_wrong_is_said_in_both_languages():
    """Whatever the language in which the game was read, and also where a hand is hidden."""
    text = (
        b'[Player1 "A"]\n[Player2 "B"]\n[Player3 "C"]\n[Deck "GKUWXTV"]\n1. U7,W3: G5 W8 G7 =U7 *\n'
    )
    (game,) = claimlog.read_games(text)
    assert [problem.code for problem in game.problems] == ["trolls-advised-against"]
    for view in (None, SPECTATOR, 1):
        data = replay_data(game, views=[view])
        for language, said in (("en", "advise against Trolls"), ("de", "raten bei 3 Spielern")):
            ((_, number),) = next(frames(data, view))["problems"]
            assert said in data["sentences"][language][number]
    page = export_html(game, views=[None]).decode()
    for part in page.split('<section class="record" lang="')[1:]:
        assert ("advise against" in part) == part.startswith("en")


def test_the_scripts_say_what_there_is_to_say():
    source = "".join(
        path.read_text(encoding="utf-8")
        for path in (*STATIC.glob("viewer*.js"), STATIC / "replay.js")
    )
    data = replay_data(game_of(2), views=[None])
    for language in LANGUAGES:
        texts = data["about"][language]["texts"]
        asked = set(re.findall(r'\btext\(\s*"([^"]+)"', source))
        asked |= set(re.findall(r'"((?:viewer|help|key|worth)\.[a-z-]+)"', source))
        asked |= {
            f"{key}.{form}"
            for key in re.findall(r'\bseveral\("([^"]+)"', source)
            for form in ("one", "other")
        }
        assert asked <= set(texts)
        assert len(asked) > 40
        assert {key for key in texts if key.startswith("worth.")} <= asked | {
            f"worth.{code}" for code in ("errors", *(f"analysis-{why}" for why in WHYS))
        }
        composed = set(re.findall(r'button\("([a-z-]+)"', source)) | {"stop"}
        templates = (ROOT / "claimlog" / "web" / "templates").glob("*.html")
        shown = "".join(path.read_text(encoding="utf-8") for path in templates)
        unsaid = {
            key
            for key in texts
            if key.startswith("viewer.")
            and key not in asked
            and key.partition(".")[2] not in composed
            and f'"{key}"' not in shown
            and key != "viewer.all-open"
        }
        assert unsaid == set()


def test_a_script_that_cannot_be_bundled_is_refused(monkeypatch):
    monkeypatch.setattr(bundle, "_source", lambda name: "export let all = 1;\n")
    with pytest.raises(ValueError, match=r"odd\.js cannot be bundled"):
        bundle.bundled("odd.js")


def run(*words, stdin=b""):
    code, out, err = commands.claimlog("export", *words, stdin=stdin, cwd=ROOT)
    return code, out, err.decode()


def test_the_command_writes_a_game_of_a_file_a_code_or_standard_input(tmp_path):
    target = tmp_path / "replay.html"
    sample = "data/sample.clm"
    assert run("--html", target, sample, "--hide", "2", "--lang", "de") == (0, b"", "")
    game = next(claimlog.read_games(ROOT / sample))
    assert target.read_bytes() == export_html(game, views=[2], language="de")
    assert [path.name for path in tmp_path.iterdir()] == ["replay.html"]
    code, page, _ = run("--html", "-", link_of(game, "https://claim.example"))
    assert code == 0
    assert "Anna Keller – Ben Roth" in page.decode() or "Club evening" in page.decode()
    code, page, _ = run("--html", "-", "-", "--game", "2", stdin=(ROOT / sample).read_bytes() * 2)
    assert (code, len(json.loads(packed_in(page.decode()))["views"])) == (0, 4)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--html", "x.html"], "--html needs a game"),
        (
            ["--html", "x.html", "data/sample.clm", "--round", "2"],
            "cannot be combined with filters",
        ),
        (["data/sample.clm"], "a game can be named only with --html"),
        (["--html", "x.html", "data/sample.clm", "--hide", "3"], "there is no seat 3"),
        (["--html", "x.html", "data/sample.clm", "--game", "9"], "there is no game 9"),
        (["--html", "data", "data/sample.clm"], "data is a folder"),
    ],
)
def test_a_wrong_call_writes_nothing(words, said):
    code, out, err = run(*words)
    assert (code, out) == (2, b"")
    assert said in err
    assert err.count("\n") == 1
    assert not (ROOT / "x.html").exists()
