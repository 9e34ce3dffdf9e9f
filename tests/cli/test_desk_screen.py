"""Directing on the screen: lines are typed, and the screen is read."""

from __future__ import annotations

import re

import pytest
from archiving import lay_out
from waiting import run_alone, settled

from claimlog.cli.desk.orders import _BY_WORD, _KINDS, WORDS, in_german
from claimlog.cli.desk.screen import Desk
from claimlog.cli.language import choose
from claimlog.directing.acts import AskedForBye
from claimlog.directing.board import TableLink, TableNews
from claimlog.directing.model import Entrant, Plan
from claimlog.directing.pairing.outcome import RELAXATIONS
from claimlog.store import Archive

CUP = "Spring Cup"
NAMES = ("Anna Keller", "Ben Roth", "Mia Suter", "Jon Meier", "Eva Huber")


class Typed:
    """A desk on a screen of 80 columns and 24 lines."""

    def __init__(self, pilot, app):
        self.pilot, self.app = pilot, app

    async def type(self, *lines: str) -> str:
        """Type lines, each with Enter; return what the screen then shows."""
        for line in lines:
            for letter in line:
                self.app.text += letter
            await self.pilot.press("enter")
        return self.text()

    def text(self) -> str:
        rows = self.app.screen._compositor.render_strips()
        return "\n".join("".join(part.text for part in row).rstrip() for row in rows)


def at_a_desk(path, work, size=(80, 24)):
    """Open the desk of an event with five players, and run `work`."""
    with Archive.open(path / "games.duckdb") as archive:
        archive.create_event(CUP, Plan(system="by-hand", decks=("GKUWX",), minutes=40), by="R")
        archive.enter(CUP, [Entrant(name=name) for name in NAMES], by="R")

        async def sit() -> None:
            app = Desk(archive, CUP, "Ruth", live=False)
            async with app.run_test(size=size) as pilot:
                await work(Typed(pilot, app))

        run_alone(sit())
        return archive.desk(CUP), archive.desk_acts(CUP)


def test_an_evening_is_typed(tmp_path):
    async def work(desk):
        assert "Anna Keller" in desk.text()
        text = await desk.type("pair 1-2 3-4 5")
        assert "Anna Keller – Ben Roth" in text
        assert "Eva Huber has a bye" in text
        assert "GKUWX" in text
        await desk.type("exchange 2 5", "exchange eva / ben", "lock 1", "unlock 1", "start")
        assert "2 results missing" in desk.text()
        assert "name two to four players" in await desk.type("seat eva")
        await desk.pilot.press("ctrl+u")
        text = await desk.type("enter Flo Late", "setzen eva / flo")
        assert "Eva Huber – Flo Late" in text
        assert "3 results missing" in text
        await desk.type("undo", "undo")
        text = await desk.type("clock start", "say Pizza at eight", "1 1-0 3-2")
        assert "1 result missing" in text
        assert "Pizza at eight" in text
        assert "39:5" in text or "40:00" in text
        assert "waiting longest: Eva Huber, Anna Keller" in text
        text = await desk.type("close")
        assert "a game without a result, at table 2" in text
        assert text.splitlines()[-1].startswith("> close")
        await desk.pilot.press("ctrl+u")
        text = await desk.type("2 1-0", "undo", "2 kampflos 1", "confirm 2", "!2 1-0", "close")
        assert "closed" in text
        text = await desk.type("standings")
        assert text.index("Anna Keller") < text.index("Ben Roth")
        assert "behind Anna" not in await desk.type("why 1")
        assert "behind" in await desk.type("why ben")
        await desk.type("withdraw 4", "bye 5 half", "enter Lea Frei", "reopen", "close later")
        assert "Lea Frei" in await desk.type("players")
        assert "until round 1" in desk.text()

    board, acts = at_a_desk(tmp_path, work)
    first, second = board.rounds[0].tables
    assert (first.result.result, first.result.votes) == ("1-0", (3, 2))
    assert (second.result.result, second.source) == ("1-0", "director")
    assert board.rounds[0].state == "closed"
    assert (board.withdrawn, board.absences[0].entrant) == ({4: 2}, 5)
    assert {one.by for one in acts[2:]} == {"Ruth"}


def test_plan_entrants_and_links_are_changed(tmp_path):
    async def work(desk):
        text = await desk.type("plan")
        assert re.search("system +by-hand", text)
        assert re.search("minutes +40", text)
        text = await desk.type("plan rounds=4 delay=3 spectators=no")
        assert re.search("rounds +4\n", text)
        assert re.search("delay in tricks +3\n", text)
        text = await desk.type("change 5 Eva Hübner; Kiel; 1850")
        assert re.search("Eva Hübner +Kiel 1850", text)
        for line, why in (
            ("plan rounds=x", "rounds: must be a whole number"),
            ("plan colour=red", "colour"),
            ("change 9 Lea Frei", "there is no entrant 9"),
            ("change Eva", "first who, then the line"),
            ("links", "round 1 is not paired"),
        ):
            text = await desk.type(line)
            assert why in text, (line, text)
            await desk.pilot.press("escape")
        assert "open at a server" in await desk.type("pair 1-2 3-4 5", "start", "links")
        await desk.pilot.press("escape")
        here = "http://10.0.0.7:8000/tables/"
        links = [
            TableLink(table=n, id=f"t{n}", scorer=f"{here}t{n}#token=x", watch=f"{here}t{n}")
            for n in (1, 2)
        ]
        desk.app.archive.round_links = lambda *_, **__: links
        text = await desk.type("links")
        assert f"{here}t1#token=x" in text
        assert f"{here}t2#token=x" in text
        text = await desk.type("links 2")
        assert "█▀▀▀▀▀▀▀█" in text
        assert "token" not in text
        assert "round 1 has no table 7" in await desk.type("links 7")
        await desk.pilot.press("escape")
        text = await desk.type("1 1-0", "links 1")
        assert "table 1 has a result already" in text
        assert text.splitlines()[-1].startswith("> links 1")
        await desk.pilot.press("escape")
        del links[0]
        assert "t1#token=x" not in await desk.type("links")

    board, acts = at_a_desk(tmp_path, work)
    assert (board.plan.rounds, board.plan.delay, board.plan.spectators) == (4, 3, False)
    assert (board.entrants[4].name, board.entrants[4].rating) == ("Eva Hübner", 1850)
    assert len(acts) == 7


def test_what_is_wrong_stays_to_be_mended(tmp_path):
    async def work(desk):
        await desk.type("pair 1-2 3-4 5", "start")
        for line, why in (
            ("9 1-0", "has no table 9"),
            ("1 7-0", "7-0"),
            ("dance", "dance is not a command"),
            ("exchange 1", "two players"),
            ("bye nobody", "nobody"),
            ("enter KELLER, Anna; Kiel", "Anna Keller"),
            ("enter", "who? after the command stands a name"),
            ("clock soon", "soon"),
            ("same", "no name is in doubt"),
            ("pair 1+2", "1-2"),
            ("pair rematches", "rematch, bye, leader or tie"),
            ("lock", "which table?"),
            ("confirm anna", "which table?"),
        ):
            text = await desk.type(line)
            assert why in text, (line, text)
            assert text.splitlines()[-1].startswith(f"> {line}")
            await desk.pilot.press("escape")

    board, acts = at_a_desk(tmp_path, work)
    assert len(acts) == 4
    assert board.rounds[0].missing == (1, 2)


def test_names_with_a_slash_are_exchanged(tmp_path):
    async def work(desk):
        await desk.type("enter Fay/Gus", "enter Hal / Ida", "pair 1-2 3-4 6-7 5")
        text = await desk.type("exchange hal / ida / anna")
        assert "Hal / Ida – Ben Roth" in text
        text = await desk.type("exchange Fay/Gus / Ben")
        assert "Hal / Ida – Fay/Gus" in text
        assert "Hal / Ida – Eva Huber" in await desk.type("exchange fay/gus eva")
        assert "Fay/Gus – Eva Huber" in await desk.type("exchange fay/hal")
        for line, why in (("hal / nobody / eva", "nobody"), ("hal / ida", "the same place")):
            assert why in await desk.type(f"exchange {line}"), line
            await desk.pilot.press("ctrl+u")

    at_a_desk(tmp_path, work)


def test_a_line_may_have_several_results(tmp_path):
    async def work(desk):
        await desk.type("pair 1-2 3-4 5", "start")
        text = await desk.type("1 1-0, 9 =")
        assert "has no table 9" in text
        assert "2 results missing" in text  # Nothing counts before all is right.
        await desk.pilot.press("escape")
        text = await desk.type("1 0,5-0,5 2-2, !2 forfeit 2")
        assert "missing" not in text

    board, _ = at_a_desk(tmp_path, work)
    first, second = board.rounds[0].tables
    assert (first.result.result, first.result.votes) == ("1/2-1/2", (2, 2))
    assert (second.result.result, second.result.forfeit) == ("1-0", (2,))


def test_results_of_an_earlier_round_are_typed_and_corrected(tmp_path):
    async def work(desk):
        for text in ("round 2: 1 1-0", "round 0: 1 1-0"):
            assert "is not paired" in await desk.type(text)
            await desk.pilot.press("escape")
        await desk.type(
            "pair 1-2 3-4 5", "start", "1 1-0", "close later", "pair 1-3 2-5 4", "start"
        )
        assert "round 1: 2  Mia Suter – Jon Meier  1-0" in await desk.type("round 1: 2 1-0 3-2")
        text = await desk.type("round 1:bestätigen 2", "round 1")
        assert "round 1, closed" in text
        assert "✓" in text
        assert "Anna Keller – Ben Roth" in text
        assert "Eva Huber has a bye" in text
        desk.app.archive.round_links = lambda event, round, by: [
            TableLink(table=1, id="t", scorer=f"http://127.0.0.1/tables/t{round}", watch="")
        ]
        assert "/tables/t1" in await desk.type("round 1: links")
        assert "/tables/t2" in await desk.type("links")
        text = await desk.type("board")
        assert "Anna Keller – Mia Suter" in text
        assert "Anna Keller – Ben Roth" not in text
        assert "!7 0-1" in await desk.type("round 1: 1 0-1")
        await desk.pilot.press("escape")
        for text in ("round", "round x: 1 1-0", "round 1: dance", "round 1: round 2"):
            assert "first the round" in await desk.type(text), text
            await desk.pilot.press("escape")
        assert "has no table 3" in await desk.type("round 1: 3 1-0")
        await desk.pilot.press("escape")
        await desk.type("Runde 1: !1 0-1, !2 0,5-0,5", "runde 2 1 1-0")
        assert "round 1, closed" in await desk.type("round 1")
        assert "Anna Keller" in await desk.type("undo", "undo")

    board, _ = at_a_desk(tmp_path, work)
    first, second = board.rounds
    assert [table.result.result for table in first.tables] == ["0-1", "1-0"]
    assert second.tables[0].result is None


def test_a_round_is_played_on_while_the_next_one_is_paired(tmp_path):
    async def work(desk):
        await desk.type("pair 1-2 3-4 5", "start", "pair 1-3 2-5 4", "clock +50")
        assert "1:30:00" in await desk.type("players")
        text = await desk.type("board", "1 1-0", "confirm 1")
        assert "round 1, running  1 result missing" in text
        assert "Anna Keller – Ben Roth" not in text
        assert text.index("Mia Suter – Jon Meier") < text.index("round 2, paired")
        await desk.type("close later", "reopen")

    board, _ = at_a_desk(tmp_path, work)
    assert [round.state for round in board.rounds] == ["running", "paired"]
    assert board.rounds[0].tables[0].settled


def test_german_is_typed_without_an_eszett_and_with_german_kinds_of_byes(tmp_path):
    async def work(desk):
        await desk.type("paaren 1-2 3-4 5", "start", "1 1-0", "Schliessen Später", "freilos 3 voll")
        await desk.type("öffnen", "2 1-0", "schließen", "freilos anna Halb")

    board, steps = at_a_desk(tmp_path, work)
    assert board.rounds[0].state == "closed"
    asked = [one.act for one in steps if isinstance(one.act, AskedForBye)]
    assert [(one.entrant, one.kind) for one in asked] == [(3, "full"), (1, "half")]


def test_a_long_line_is_seen_while_it_is_typed(tmp_path):
    line = "say The second round begins at three, please be at your tables in time and bring a "

    async def work(desk):
        desk.app.text = line
        await desk.pilot.press(*"pen")
        rows = desk.text().splitlines()
        assert rows[-2].startswith("> say The second round")
        assert rows[-1].endswith("pen▏")
        assert " ".join(row.strip() for row in rows[-2:]) == f"> {line}pen▏"

    at_a_desk(tmp_path, work)


def test_pasted_lines_are_done_one_after_another(tmp_path):
    from textual.events import Paste

    async def work(desk):
        await desk.type("pair 1-2 3-4 5", "start")
        desk.app.post_message(Paste("1 1-0\n2 =\n"))
        await settled(desk.pilot)
        assert "missing" not in desk.text()

    board, _ = at_a_desk(tmp_path, work)
    assert [table.result.result for table in board.rounds[0].tables] == ["1-0", "1/2-1/2"]


def test_a_long_name_that_leads_leaves_room_for_the_others(tmp_path):
    async def work(desk):
        await desk.type("enter Maximilian-Alexander von und zu Hohenstein-Waldburg-Zeil-Trauchburg")
        text = await desk.type("pair 6-1 2-3")
        assert "Anna Keller" in text
        assert "Ben Roth – Mia Suter" in text

    at_a_desk(tmp_path, work)


@pytest.mark.parametrize(("language", "width"), [("de", 80), ("en", 60), ("de", 200)])
def test_everything_fits_on_the_screen(tmp_path, language, width):
    choose(language)

    async def work(desk):
        await desk.pilot.press("question_mark")
        text = desk.text()
        assert ("beenden" in text or "Bild ab" in text) == (language == "de")
        await desk.pilot.press("escape")
        await desk.type("pair 1-2 3-4 5", "start")
        assert ("2 Ergebnisse fehlen" in desk.text()) == (language == "de")
        assert max(map(len, desk.text().splitlines())) <= width

    try:
        at_a_desk(tmp_path, work, (width, 24))
    finally:
        choose("en")


def test_a_play_left_to_the_director_is_listed_until_it_stands(tmp_path):
    record = (
        '[Event "Spring Cup"]\n[Round "1"]\n[Player1 "Mia Suter"]\n[Player2 "Jon Meier"]\n'
        '[Deck "GKUWX"]\n[Termination "resignation"]\n[Result "1-0"]\n\n'
        "1. U7: G5+ W8^ {[%director]}\n2. X3: U4+ G9\n1-0\n"
    )

    async def work(desk):
        await desk.type("pair 1-2 3-4 5", "start")
        desk.app.archive.store(record, by="phone")
        left = "left to the director: round 1, table 2, trick 1, W8 of Jon Meier stands?"
        assert left in " ".join((await desk.type("board")).split())
        assert "nothing in the game of table 1" in await desk.type("stands 1")
        await desk.pilot.press("ctrl+u")
        screen = await desk.type("round 1: stands 2")
        assert "the game of table 2 stands as it was recorded" in screen
        assert left not in screen
        await desk.type("undo")
        assert left in " ".join(desk.text().split())
        assert left not in await desk.type("steht 2")

    at_a_desk(tmp_path, work)


def test_a_desk_needs_a_terminal_and_an_event(tmp_path):
    from archiving import claimlog

    lay_out(tmp_path)
    code, _, err = claimlog(tmp_path, "desk", "nowhere", "--by", "Ruth")
    assert (code, "needs a terminal" in err) == (2, True)


def test_the_german_help_shows_only_words_that_are_understood():
    assert in_german(WORDS["pair"][1]) == "paaren [rematch|bye|leader|tie], paaren 1-2 3-4 5"
    assert in_german(WORDS["bye"][1]) == "freilos 5 [halb|voll|null|keins]"
    assert in_german(WORDS["close"][1]) == "schließen, schließen später"
    assert in_german("9 forfeit 2") == "9 kampflos 2"
    understood = {word.replace("ß", "ss") for word in (*_BY_WORD, *RELAXATIONS, *_KINDS)}
    understood |= {"später", "start", "stopp"}
    free = {"rounds", "delay"}
    for _, syntax, _ in WORDS.values():
        shown = re.findall("[a-zäöü]+", re.sub("[A-Z].*", "", in_german(syntax).replace("ß", "ss")))
        assert set(shown) <= understood | free


def test_a_table_that_asks_the_director_is_named(tmp_path):
    async def work(desk):
        await desk.type("pair 1-2 3-4 5", "start")
        news = TableNews(
            id="x", round=1, number=2, players=NAMES[2:4], trick=3, tricks=26, entries=9, at=None,
            doubt=False, waiting=0, confirmed=(), over=False, result="", asked=1,
        )  # fmt: skip
        desk.app.news = [news]
        rows = desk.app._round(desk.app.board.rounds[0], 80)
        text = "\n".join("".join(part for part, _ in row) for row in rows)
        assert re.search("Jon Meier +trick 3 of 26 asks the director", text)

    at_a_desk(tmp_path, work)
