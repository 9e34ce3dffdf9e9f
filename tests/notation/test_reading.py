"""The reading rules of docs/notation.md, one by one."""

import gzip
import io
import random
import sys
from pathlib import Path

import lawbook
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimlog import compiled, loads
from claimlog.game import Game
from claimlog.language.messages import message_of
from claimlog.notation import sheet as sheet_module
from claimlog.notation import word_cache
from claimlog.notation.problems import CODES, SYNTAX_LENGTH
from claimlog.notation.reader import (
    LONGEST_GAME,
    Block,
    blocks,
    open_games,
    parts,
    sheets,
    sheets_of,
)
from claimlog.notation.sheet import Sheet
from claimlog.notation.writer import canonical, compact
from claimlog.replay.recorder import replay_text, replays
from claimlog.replay.validate import judge_block

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

HEAD = '[CLM "1"]\n[Player1 "Anna"]\n[Player2 "Ben"]\n[Deck "GKUWX"]\n'
MOVES = "1. U7: G5 G8+ /W2\n2. X3: K4+ U1 /G0\n*\n"
GAME = f"{HEAD}\n{MOVES}"
DATA = Path(__file__).parents[2] / "data"


def games(text: str | bytes) -> list[Game]:
    return list(replay_text(text))


def one(text: str | bytes) -> Game:
    read = games(text)
    assert len(read) == 1
    return read[0]


def codes(text: str | bytes) -> list[tuple[str, int, int]]:
    return [(p.code, p.line, p.column) for game in games(text) for p in game.problems]


def same(text: str | bytes, other: str = GAME) -> bool:
    """Whether two texts each hold one good game, the same."""
    one_game, other_game = one(text), one(other)
    assert not one_game.problems
    return canonical(one_game) == canonical(other_game)


# Bytes -------------------------------------------------------------------------------------------


def test_byte_order_mark() -> None:
    assert same(b"\xef\xbb\xbf" + GAME.encode())
    assert codes('\ufeff[CLM "2"]\n[Deck "GKUWX"]\n*\n') == [("version", 1, 1)]


def test_carriage_returns() -> None:
    assert same(GAME.replace("\n", "\r\n"))
    assert codes(GAME.replace("G8+", "G8").replace("G5", "G5+").replace("\n", "\r\n")) == [
        ("winner-mark", 6, 8)
    ]


def test_not_utf8_is_reported_where_it_stands_and_the_rest_is_read() -> None:
    text = GAME.replace("Anna", "Zo\xeb").encode("latin-1").replace(b"U1 /G0", b"U1 /G0 {\xff\xfe}")
    assert codes(text) == [("encoding", 2, 13), ("encoding", 7, 20)]
    assert [trick.number for trick in one(text).tricks] == [1, 2]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-16-le"])
def test_utf16_is_a_matter_of_encoding(encoding: str) -> None:
    for text in (GAME, GAME * 50):
        assert codes(text.encode(encoding))[0][0] == "encoding"
        assert len(codes(text.encode(encoding))) == 1
    assert codes(b"\xfe\xff" + GAME.encode("utf-16-be")) == [("encoding", 1, 1)]


def test_columns_count_characters() -> None:
    text = GAME.replace("G5 G8+", "G5 {für Zoë — €} G8+ zz")
    assert codes(text) == [("syntax", 6, 29)]


def test_letters_in_either_case() -> None:
    assert same(GAME.replace("U7: G5 G8+ /W2", "u7: g5 g8+ /w2"))
    assert same(GAME.replace('"GKUWX"', '"gkuwx"'))
    text = canonical(
        one(
            f'{HEAD}[Hand1 "g5 u1 _ _ _ _ _ _ _ _ _ _ _"]\n\n{MOVES}'.lower()
            .replace("clm", "CLM")
            .replace("player", "Player")
            .replace("deck", "Deck")
            .replace("hand", "Hand")
        )
    )
    assert '[Hand1 "G5 U1 _' in text
    assert '[Deck "GKUWX"]' in text


def test_letters_that_only_look_like_ascii_are_none() -> None:
    assert [
        code for code, _, _ in codes(GAME.replace("GKUWX", "GKUWX".replace("K", "\u212a")))
    ] == ["bad-deck"]
    assert [
        code for code, _, _ in codes(f'{HEAD}[Date "\uff12\uff10\uff12\uff16-01-01"]\n*\n')
    ] == ["bad-tag"]


# White space -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "moves",
    [
        "1.U7:G5G8+/W2 2.X3:K4+U1/G0 *",
        "U7:G5G8+/W2X3:K4+U1/G0 *",
        "U7:G5G8/W2X3:K4U1/G0 *",
        "\t1.\n\nU7:\n G5\n G8+\n/W2 2. X3:\f K4+ \v U1 /G0\n\n\n*",
        "1. U7: G5 G8+ /W2 2. X3: K4+ U1 /G0 *",
    ],
)
def test_white_space_between_tokens_means_nothing(moves: str) -> None:
    assert same(f"{HEAD}\n{moves}")


@pytest.mark.parametrize(
    ("moves", "column"),
    [
        ("1. U 7: G5 G8+ /W2 *", 4),
        ("1. U7 : G5 G8+ /W2 *", 7),
        ("1. U7: G5 G8 + /W2 *", 14),
        ("1. U7: G5 G8+ / W2 *", 15),
        ("1 . U7: G5 G8+ /W2 *", 1),
    ],
)
def test_no_white_space_inside_a_token(moves: str, column: int) -> None:
    assert ("syntax", 6, column) in codes(f"{HEAD}\n{moves}\n")


def test_numbers_and_results_need_white_space_before_them() -> None:
    assert codes(f"{HEAD}\nU7: G5 G8+ /W2{{c}}2. X3: K4+ U1 /G0 *\n") == [("syntax", 6, 18)]
    assert codes(f"{HEAD}\nU7: G5 G8+ /W2{{c}}9. X3: K4+ U1 /G0 *\n") == [("syntax", 6, 18)]
    assert codes(f"{HEAD}\nU7: G5 G8+ /W2{{c}}*\n") == [("syntax", 6, 18)]
    # G82 is read as one card, which does not exist; the dot is left over.
    assert codes(f"{HEAD}\nU7: G5 G82.X3: K4+ U1 /G0 *\n")[0] == ("unknown-card", 6, 8)


def test_longest_match() -> None:
    text = GAME.replace("GKUWX", "MPUWX").replace("G5 G8+ /W2", "P1P12+/W2").replace("K4", "M12")
    assert [play.card for play in one(text.replace("G0", "M4")).tricks[0].plays] == ["P1", "P12"]
    # Annotations too: !! and then ?, not ! and !?.
    assert codes(GAME.replace("G8+", "G8+!!?")) == [("syntax", 6, 16)]


def test_no_leading_zero() -> None:
    assert codes(GAME.replace("G5", "G05")) == [("syntax", 6, 10)]


def test_a_digit_more_is_no_card() -> None:
    assert codes(GAME.replace("W2\n", "W21\n")) == [("unknown-card", 6, 16)]


# Tokens ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("marks", ["+^!", "+!^", "^+!", "^!+", "!+^", "!^+"])
@pytest.mark.parametrize("annotation", ["!", "?", "!!", "??", "!?", "?!"])
def test_marks_in_any_order(marks: str, annotation: str) -> None:
    text = GAME.replace("G5 G8+", f"K5 {'U8' + marks.replace('!', annotation)}").replace("U8", "K9")
    play = one(text).tricks[0].plays[1]
    assert (play.card, play.irregular, play.annotation) == ("K9", True, annotation)
    assert f"K9+^{annotation} /W2" in canonical(one(text))


@pytest.mark.parametrize("again", ["+", "^", "!", "??"])
def test_each_mark_once(again: str) -> None:
    text = GAME.replace("G5 G8+", f"G5 G8+^!!{again}")
    assert codes(text) == [("needless-irregular", 6, 11), ("syntax", 6, 17)]


THREE = (
    '[CLM "1"]\n[Player1 "A"]\n[Player2 "B"]\n[Player3 "C"]\n[Deck "GKDFSUX"]\n\n'
    "1. U7,D3: S5 S8+ G2 ~K2 =U7\n*\n"
)


@pytest.mark.parametrize("order", ["~K2 =U7", "=U7 ~K2", "=U7~K2", "~k2=u7"])
def test_choices_in_any_order(order: str) -> None:
    assert same(THREE.replace("~K2 =U7", order), THREE)


@pytest.mark.parametrize("order", ["=U7 /U9", "/U9 =U7", "/U9=U7"])
def test_draws_before_or_after_the_pick(order: str) -> None:
    text = THREE.replace("S8+", "F8").replace("S5", "S5+").replace("~K2 =U7", order)
    trick = one(text).tricks[0]
    assert trick.taken == {1: "U7", 2: "D3", 3: "U9"}
    assert not one(text).problems


def test_each_choice_once() -> None:
    assert codes(THREE.replace("=U7", "=U7 =U7")) == [("illegal-choice", 7, 29)]
    assert codes(THREE.replace("~K2", "~K2 ~K3")) == [("illegal-choice", 7, 25)]


def test_a_trick_begins_with_a_number_with_upcards_or_when_the_last_one_is_full() -> None:
    record = lawbook.random_record(random.Random(4), lawbook.Rules(2, "GKUWX"))
    head, body = record.split("\n\n")
    bare = " ".join(word for word in body.split() if not word.endswith("."))
    assert same(f"{head}\n\n{bare}\n", record)


def test_numbers_may_be_missing_here_and_there() -> None:
    assert same(GAME.replace("2. ", ""))
    assert codes(GAME.replace("1. ", "").replace("2. ", "7. ")) == [("trick-number", 7, 1)]


@pytest.mark.parametrize(
    ("result", "tags", "deck"),
    [
        ("1-0", 2, "GKUWX"),
        ("0-1", 2, "GKUWX"),
        ("1/2-1/2", 2, "GKUWX"),
        ("1-0-0", 3, "GKDFUWX"),
        ("1/2-0-1/2", 3, "GKDFUWX"),
        ("1/3-1/3-1/3", 3, "GKDFUWX"),
        ("1/2-1/2", 4, "GKDFUWX"),
    ],
)
def test_results(result: str, tags: int, deck: str) -> None:
    players = "".join(f'[Player{seat} "?"]\n' for seat in range(1, tags + 1))
    text = f'{players}[Deck "{deck}"]\n[Termination "abandoned"]\n\n{result}\n'
    game = one(text)
    assert (game.problems, game.result, game.complete) == ([], result, False)
    tagged = text.replace(f"\n{result}\n", f'[Result "{result}"]\n')
    assert (one(tagged).problems, one(tagged).result) == ([], result)


@pytest.mark.parametrize("result", ["1-1", "0-0", "1/2-0", "1/3-1/3", "1", "1-0-0", "1/2-1/2-1/2"])
def test_results_of_no_game(result: str) -> None:
    text = f'[Deck "GKUWX"]\n[Termination "abandoned"]\n\n{result}\n'
    assert {code for code, _, _ in codes(text)} <= {"result", "syntax"}
    assert codes(text)[0][1:] == (4, 1)


def test_no_result_is_an_unfinished_game() -> None:
    assert one(GAME.replace("*\n", "")).result == "*"
    assert not one(GAME.replace("*\n", "")).problems


def taken_apart(text: bytes, final: bool) -> list[object]:
    """Everything that a sheet reports about every game of a text."""
    sheet = Sheet()
    at = 0
    parts: list[object] = []
    while 0 <= at < len(text):
        at = sheet.read(text, at, final)
        tokens = zip(sheet.kind, sheet.card, sheet.flags, sheet.start, sheet.end, strict=True)
        parts.append([at, sheet.begin, sheet.line, sheet.lines, sheet.finish, sheet.result])
        parts.append([list(tokens)[: sheet.size], sheet.tags, sheet.irregulars])
        parts.append([sheet.comments, sheet.faults])
    return parts


BITS = (
    b"1. |7. |255. |999. |G5|g5+|G5:|G5,K3:|G5, K3:|/W2|/W2,_|/_,U1|-_|-K4+|=K4|~_|U1!|U1+?!|U1^|"
    b'0-1|*|{x}|{x|;c|[X|[X "y"]|\n[X\n|\n[X "y"]\n|\n [X "y"]\n|+|!|_|G5K6|1.G5|G5{c}|'
    b"G5;c\n|G55|Z9|\xc3\xa4|\xff"
).split(b"|")
"""Words of movetexts: first those that the fast path knows, then others."""


@pytest.mark.no_cover
@pytest.mark.skipif(compiled(), reason="a compiled sheet reads in only one way")
def test_many_words_at_once_read_like_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(7)
    texts = [b"G5 " * 600 + b"*\n", b"G5 " + b"5" * 300 + b" *", b"G5 \xef\xbb\xbfG5 G5 *"]
    texts += [b"G5 G5,K3:\n [X", b"G5 G5\nG5 {" + b"x" * 5000 + b"} [X"]
    for _ in range(1500):
        some = BITS[: rng.choice([12, 18, len(BITS)])]
        gaps = [b" "] * rng.choice([4, 40]) + [b"\n", b"  ", b"\r\n", b"\n\n", b""]
        words = [rng.choice(some) + rng.choice(gaps) for _ in range(rng.randrange(1, 30))]
        texts.append(b"".join(words))
    for seats in (2, 3, 4):
        record = lawbook.random_record(rng, lawbook.random_rules(rng, seats)).encode()
        texts.append(record * 2)
        for _ in range(100):
            at = rng.randrange(len(record))
            texts.append(record[:at] + rng.choice(BITS) + record[at + rng.randrange(3) :])
    monkeypatch.setattr(word_cache, "MEMORY", 100)
    for text in texts:
        for final in (True, False):
            monkeypatch.setattr(sheet_module, "INTERPRETED", True)
            at_once = taken_apart(text, final)
            monkeypatch.setattr(sheet_module, "INTERPRETED", False)
            assert taken_apart(text, final) == at_once, text


# Comments ----------------------------------------------------------------------------------------


def test_comments_of_both_kinds() -> None:
    text = GAME.replace("G5", "{one} G5 {two; three}").replace("/W2", "/W2 ; four } five")
    trick = one(text).tricks[0]
    assert not one(text).problems
    assert trick.plays[0].comments == ["two; three"]
    assert trick.comments == ["one", "four } five"]


def test_comments_are_kept_where_they_belong() -> None:
    text = (
        f"{HEAD}\n{{before}}\n1. U7: G5! {{of G5}} G8+ {{of G8}} /W2 {{of trick 1}}\n"
        "2. X3: K4+ U1 /G0 {[%clk 0:04:30]}\n*\n{after the result}\n"
    )
    game = one(text)
    assert game.comments == ["before"]
    assert game.tricks[0].plays[0].comments == ["of G5"]
    assert game.tricks[0].plays[1].comments == ["of G8"]
    assert game.tricks[0].comments == ["of trick 1"]
    assert game.tricks[1].comments == ["[%clk 0:04:30]", "after the result"]
    assert canonical(game) == (
        f"{HEAD}\n{{before}}\n1. U7: G5! {{of G5}} G8+ {{of G8}} /W2 {{of trick 1}}\n"
        "2. X3: K4+ U1 /G0 {[%clk 0:04:30]} {after the result}\n*\n"
    )


def test_comments_over_several_lines() -> None:
    text = GAME.replace("/W2", "/W2 { a\n  long\r\n\tone }")
    assert one(text).tricks[0].comments == ["a long one"]
    assert one(GAME.replace("/W2", "/W2 {non\u00a0breaking\u2028space}")).tricks[0].comments == [
        "non\u00a0breaking\u2028space"
    ]


def test_a_comment_with_a_brace_is_written_to_the_end_of_a_line() -> None:
    text = GAME.replace("G5", "G5 ; } or {\n").replace("/W2", "/W2 ; }\n")
    written = canonical(one(text))
    assert "G5 ; } or {\n" in written
    assert canonical(one(written)) == written
    short = compact(one(text))
    assert canonical(one(short)) == written


def test_comments_between_and_before_tags() -> None:
    text = "; a file\n" + GAME.replace('[Deck "', '{here} [Deck "').replace("\n\n", "\n; there\n\n")
    assert one(text).comments == ["a file", "here", "there"]
    spread = f"; a file\n\n{{of the club}}\n\n{GAME}"
    assert one(spread).comments == ["a file", "of the club"]


def test_an_unclosed_comment_is_shown_with_its_line() -> None:
    text = GAME.replace("/W2", "/W2 {never closed") + "\n" + GAME
    report = judge_block(text.encode(), 1, False).reports[0]
    assert report.source == {6: "1. U7: G5 G8+ /W2 {never closed"}


def test_an_unclosed_comment_does_not_swallow_the_next_game() -> None:
    text = GAME.replace("/W2", "/W2 { never closed") + "\n" + GAME.replace("/W2", "/W2 {closed}")
    read = games(text)
    assert [(p.code, p.line, p.column) for p in read[0].problems] == [("syntax", 6, 19)]
    assert len(read) == 2
    assert not read[1].problems
    assert read[1].tricks[0].comments == ["closed"]


# Tags --------------------------------------------------------------------------------------------


def test_escapes() -> None:
    text = GAME.replace('"Anna"', r'"Anna \"the \\ knife\" Keller"')
    game = one(text)
    assert game.tags["Player1"] == 'Anna "the \\ knife" Keller'
    assert canonical(game) == text
    assert one(GAME.replace('"Anna"', r'"C:\new"')).tags["Player1"] == r"C:\new"


def test_white_space_around_tags() -> None:
    assert same(GAME.replace('[Deck "GKUWX"]', '  \t[Deck   "GKUWX" ]  '))


def test_unknown_tags_are_kept_in_order_and_known_ones_sorted() -> None:
    text = (
        '[Result "*"]\n[Zoo "1"]\n[Deck "xkwgu"]\n[Abc "2"]\n[Date "2026-??-??"]\n[CLM "1"]\n\n*\n'
    )
    assert canonical(one(text)) == (
        '[CLM "1"]\n[Date "2026-??-??"]\n[Deck "GKUWX"]\n[Zoo "1"]\n[Abc "2"]\n[Result "*"]\n\n*\n'
    )
    assert list(one(text).tags) == ["Result", "Zoo", "Deck", "Abc", "Date", "CLM"]
    assert one(text).tags["Deck"] == "xkwgu"


def test_names_of_tags_are_exact() -> None:
    game = one(GAME.replace("[CLM", '[deck "none"]\n[CLM'))
    assert game.tags["deck"] == "none"
    assert not game.problems


def test_the_first_of_two_tags_counts() -> None:
    game = one(GAME.replace('[Deck "GKUWX"]', '[Deck "GKUWX"]\n[Deck "GKAAA"]'))
    assert [(p.code, p.line) for p in game.problems] == [("duplicate-tag", 5)]
    assert game.tags["Deck"] == "GKUWX"


@pytest.mark.parametrize(
    "line", ['[Event "x]', "[Event x]", "[Event]", '[1 "x"]', '[ Event "x"]', "["]
)
def test_a_tag_that_cannot_be_read(line: str) -> None:
    assert codes(GAME.replace("[Player1", f"{line}\n[Player1")) == [("syntax", 2, 1)]


def test_a_bracket_elsewhere() -> None:
    assert codes(GAME.replace("/W2", "[W2]")) == [("syntax", 6, 15), ("syntax", 6, 18)] or codes(
        GAME.replace("/W2", "[x]")
    ) == [("syntax", 6, 15)]


@pytest.mark.parametrize(
    "value",
    [
        '[Leader "0"]', '[Leader "3"]', '[Leader "x"]', '[Leader ""]', '[Date "2026-13-01"]',
        '[Date "2025-02-29"]', '[Date ""]', '[Start "2026-11-14"]', '[End "19:30"]',
        '[Rating2 "1600!"]', '[Rules "classic"]', '[Termination ""]', '[Votes "3"]',
        '[Loot "1=W 1=G"]', '[Loot "3=W"]', '[Loot "1=Q"]', '[LootCards "R2,R5"]',
        '[Result "1:0"]', '[Result ""]',
    ],
)  # fmt: skip
def test_values_that_cannot_be_read(value: str) -> None:
    assert [(code, line) for code, line, _ in codes(f"{HEAD}{value}\n\n{MOVES[:-2]}")] == [
        ("bad-tag", 5)
    ]


@pytest.mark.parametrize(
    "value",
    [
        '[Leader "2"]', '[Date "????-??-??"]', '[Date "????-02-29"]', '[Date "2024-02-??"]',
        '[Start "2026-11-14T19:30+01:00"]', '[End "2026-11-14T19:30:00Z"]', '[Rating2 "1600"]',
        '[Rating1 "1512.5"]', '[Rules "LE2023"]', '[Termination "time"]', '[Votes "3-2"]',
        '[Loot "1=w"]', '[LootCards "R2 R5"]', '[LootCards ""]', '[Event ""]', '[Player1 "?"]',
        '[Scenario "The long night"]', '[Rulings ""]',
        '[Rulings "trolls=line dragons=last-dragon"]',
    ],
)  # fmt: skip
def test_values_that_can_be_read(value: str) -> None:
    head = HEAD.replace('[Player1 "Anna"]\n', "") if "Player1" in value else HEAD
    text = f"{head}{value}\n\n{MOVES}"
    if "Leader" in value:
        text = text.replace("G5 G8+", "G5 G8+")
    assert codes(text) == []


# Games -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("between", ["", "\n", "\n\n\n", " \t\r\n"])
def test_many_games(between: str) -> None:
    read = games(between.join([GAME, GAME.replace("Anna", "Eva"), GAME]))
    assert [game.tags["Player1"] for game in read] == ["Anna", "Eva", "Anna"]
    assert not any(game.problems for game in read)
    lines = GAME.count("\n") + between.count("\n")
    assert [game.line for game in read] == [1, 1 + lines, 1 + 2 * lines]


def test_a_tag_after_movetext_starts_a_game() -> None:
    read = games(GAME.replace("*\n", "") + GAME)
    assert [(len(game.tricks), game.problems) for game in read] == [(2, []), (2, [])]


def test_a_tag_line_after_an_empty_line_starts_a_game() -> None:
    read = games(f"{HEAD}\n{HEAD.replace('Anna', 'Eva')}\n\n{GAME}")
    assert [game.tags["Player1"] for game in read] == ["Anna", "Eva", "Anna"]
    assert [len(game.tricks) for game in read] == [0, 0, 2]
    assert not any(game.problems for game in read)


def test_also_after_a_tag_that_cannot_be_read() -> None:
    read = games(f"[Event x]\n\n{GAME}")
    assert [[p.code for p in game.problems] for game in read] == [["bad-deck", "syntax"], []]


def test_movetext_after_a_result_starts_a_game() -> None:
    read = games(f"{GAME}1. U7: G5 G8+ /W2\n*\n")
    assert [[p.code for p in game.problems] for game in read] == [[], ["bad-deck"]]
    assert read[1].line == 9


def test_a_tag_section_without_movetext_is_a_game() -> None:
    game = one(HEAD)
    assert (game.tricks, game.problems, game.result) == ([], [], "*")


def test_nothing_is_no_game() -> None:
    assert games("") == games(" \n\r\n\t") == games("\ufeff") == games("; only a comment\n") == []


BAD = (
    "\xff\xfe", "[Event x]\n", "1. 2. 3. 4.\n", "{ open\n", '[Deck "', "zz" * 500, "+^!?-=~/,:_",
    "1-0 0-1 *", "G5" * 200, '[Deck "GKUWX"]\n1. {', "\\", "[[[[", '"', "1. U7: ;",
)  # fmt: skip


@pytest.mark.parametrize("bad", BAD, ids=range(len(BAD)))
def test_a_bad_game_never_hides_another(bad: str) -> None:
    text = f"{GAME}\n{bad}\n\n{GAME.replace('Anna', 'Eva')}".encode("latin-1")
    read = games(text)
    assert read[0].tags["Player1"] == "Anna"
    assert not [problem for problem in read[0].problems if problem.line < 10]
    assert read[-1].tags["Player1"] == "Eva"
    assert not read[-1].problems
    assert any(game.problems for game in read)


@pytest.mark.parametrize(
    "piece", [b"zz ", b"\xff ", b"G5", b"\xffG5", b'[a ""]\n', b"1. ", b"{", b"[", b"-_", b"1.U7:"]
)
def test_endless_garbage_is_read_in_linear_time(piece: bytes) -> None:
    """With quadratic cost this would take hours instead of a second."""
    text = HEAD.encode() + b"\n" + piece * ((60_000 if compiled() else 5_000) // len(piece))
    problems = [problem for game in games(text) for problem in game.problems]
    assert problems
    assert all(1 <= p.line <= text.count(b"\n") + 1 for p in problems)
    report = judge_block(text, 1, False)
    assert [p for r in report.reports for p in r.problems] == problems


def test_a_game_longer_than_any_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimlog.notation.reader.LONGEST_GAME", 2000)
    text = HEAD.encode() + b"\n" + b"zz " * 5000 + b"\n\n" + GAME.encode()
    cut = list(blocks(io.BytesIO(text).read, 500, 500))
    assert max(len(block.text) for block in cut) <= 4000
    assert b"".join(block.text for block in cut) == text
    faults = [[fault[0] for fault in sheet.faults] for sheet, _ in sheets(io.BytesIO(text).read)]
    assert faults[-1] == []


def test_after_a_game_longer_than_any_game_columns_count_from_the_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("claimlog.notation.reader.LONGEST_GAME", 2000)
    text = HEAD.encode() + b"\n" + b"zz zz zz zz zz zz zz zz zz\n" * 500
    cut = list(blocks(io.BytesIO(text).read, 500, 500))
    assert b"".join(block.text for block in cut) == text
    assert len(cut) > 3
    for block in cut[1:]:
        (report,) = judge_block(block.text, block.line, False).reports
        assert [(p.line, p.column) for p in report.problems] == [(block.line, 1)]
    first, _ = next(sheets(io.BytesIO(text).read))
    assert SYNTAX_LENGTH in {fault[0] for fault in first.faults}


def test_the_limit_is_named() -> None:
    (first, *_) = loads(f"{HEAD}\n1. U7: {{{'x' * LONGEST_GAME}}} G5 *")
    assert LONGEST_GAME == 4 << 20
    assert "longer than any game may be, 4 MiB; what comes after" in first.errors[0].message


# Streams -----------------------------------------------------------------------------------------


def reports(text: bytes, size: int, first: int) -> list[object]:
    """The reports on a text that is cut into blocks of this size."""
    game = 0
    listed: list[object] = []
    for block in blocks(io.BytesIO(text).read, size, first):
        done = judge_block(block.text, block.line, True)
        listed += [(game + r.game, r.line, r.complete, r.problems) for r in done.reports]
        game += done.games
    return listed


PIECES = [
    GAME, HEAD, MOVES, "\n", "\r\n", " ", "{", "}", ";", "; x\n", "[", "]", '"', '[Event "x"]\n',
    "[Event x]\n", '\n\n[Deck "GKUWX"]\n', "1. U7: G5 G8+ /W2\n", "*\n", "1-0", "\ufeff", "zz",
    "{ open\n", '{ [Event "in a comment"] }', '{\n[Event "on a line of its own"]\n}', "é",
    '[Player1 "Anna"]\n', "\n\n", '\n \t\n [CLM "1"] \n', "2. X3: K4+ U1 /G0",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.integers(1, 90), st.integers(1, 90))
def test_blocks_of_any_size_give_the_same_reports(pieces: list[str], size: int, first: int) -> None:
    text = "".join(pieces).encode()
    whole = reports(text, 1 << 20, 1 << 20)
    assert reports(text, size, first) == whole


def test_every_block_border() -> None:
    bad = GAME.replace("G5 G8+", "G5 {open K8+")
    text = (f"{GAME}\n{bad}\n\n{HEAD}\n{GAME}{GAME}\r\n\r\n  {GAME}").encode()
    whole = reports(text, 1 << 20, 1 << 20)
    assert len(whole) == 6
    for size in range(1, len(text)):
        assert reports(text, size, size) == whole


def test_a_file_in_one_stream_and_game_by_game() -> None:
    text = GAME.encode() * 3
    at_once = [(sheet.tags, line) for sheet, line in sheets_of(Block(text, 1), Sheet())]
    assert at_once == [(sheet.tags, line) for sheet, line in sheets(io.BytesIO(text).read)]
    assert [line for _, line in at_once] == [1, 9, 17]


@pytest.mark.parametrize("packed", ["plain", "gzip", "zstd"])
def test_packed_files_whatever_their_name(packed: str, tmp_path: Path) -> None:
    pack = {"plain": bytes, "gzip": gzip.compress, "zstd": zstd.compress}[packed]
    path = tmp_path / "games.clm"
    path.write_bytes(pack(GAME.encode() * 1000))
    with open_games(str(path)) as stream:
        read = list(replays(stream.read))
    assert len(read) == 1000
    assert not any(game.problems for game in read)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BufferedReader(io.BytesIO(GAME.encode()))  # type: ignore[arg-type]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(raw))
    with open_games("-") as stream:
        assert len(list(replays(stream.read))) == 1


def test_one_token_gets_one_code() -> None:
    """The first in the order of the table: an unknown card cannot also be a revoke."""
    for text in (GAME.replace("G8+", "G12+"), GAME.replace("G8+", "T8+"), GAME.replace("2.", "3.")):
        places = [(p.line, p.column) for p in one(text).problems]
        assert len(set(places)) == len(places) == 1
    assert CODES.index("unknown-card") < CODES.index("not-in-deck") < CODES.index("revoke")


def test_a_file_is_cut_evenly(tmp_path: Path) -> None:
    game = '[Deck "GKUWX"]\n\n*\n\n'
    path = tmp_path / "games.clm"
    path.write_text(game * 110)
    with open_games(str(path)) as stream:
        blocks = list(parts(stream, 80 * len(game)))
    assert len(blocks) == 2
    assert all(abs(part.size - 55 * len(game)) <= len(game) for part in blocks)
    assert b"".join(part.read() for part in blocks) == path.read_bytes()


@pytest.mark.parametrize(
    ("start", "said"),
    [
        (b"\x12" * 8 + b"DUCK" + b"\x40" + b"\0" * 4000, "this is an archive"),
        (b"PAR1" + b"\x15\x04" * 300, "this is not text"),
        (b"\xff\xd8\xff\xe0", "this is not text"),
        (b"%PDF-1.7\n", "this is not text"),
        (b"PK\x03\x04\x14", "this is not text"),
        (b'{"row":{"id":"ezvm2hg0h2c1k"},"record":"*"}\n', "this is JSON"),
        (b'[\n  {"id": 7}\n]\n', "this is JSON"),
    ],
)
def test_a_file_of_another_kind_is_not_read_as_records(
    tmp_path: Path, start: bytes, said: str
) -> None:
    path = tmp_path / "other.clm"
    path.write_bytes(start)
    with pytest.raises(OSError, match="no records") as caught, open_games(str(path)):
        raise AssertionError
    assert message_of(caught.value).worded().startswith(said)


@pytest.mark.parametrize(
    "text",
    [
        *(GAME.encode(name) for name in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252")),
        GAME.replace("Anna", "An\0na").encode(),
        b'{"I lost", said Ann}\n' + GAME.encode(),
        b"{}\n" + GAME.encode(),
        b'{"luck": "mine"}\n' + GAME.encode(),
        random.Random(5).randbytes(3000) + b"\n\n" + GAME.encode(),
        b"\0" * 40,
        b"",
    ],
)
def test_damaged_text_and_text_in_another_encoding_is_read(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "game.clm"
    path.write_bytes(text)
    with open_games(str(path)) as stream:
        assert stream.read() == text
