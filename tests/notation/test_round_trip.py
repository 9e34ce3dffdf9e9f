"""However a legal game is written, it reads back as the same game; garbage never raises."""

import io
import json
import random
import re

import lawbook
from examples import many
from hypothesis import given
from hypothesis import strategies as st

from claimlog import compiled
from claimlog.game import Game, Problem
from claimlog.notation.reader import sheets
from claimlog.notation.writer import canonical, compact
from claimlog.replay.explain import is_stray, problems
from claimlog.replay.judge import Judge
from claimlog.replay.recorder import replay_text
from claimlog.replay.validate import Validator, judge_block
from claimlog.state import State


def one(text: str) -> Game:
    replayed = list(replay_text(text))
    assert len(replayed) == 1
    return replayed[0]


def content(game: Game) -> str:
    """The content of a game, independent of how it is written."""
    report = game.report()
    del report["tags"], report["warnings"]  # places and order differ
    report["comments"] = game.comments
    for trick, shown in zip(game.tricks, report["tricks"], strict=True):
        shown["more"] = [trick.looked, trick.hidden, trick.pick, trick.comments]
        shown["marks"] = [[p.annotation, p.irregular, p.comments] for p in trick.plays]
    return json.dumps(report)


def annotated(rng: random.Random, text: str) -> str:
    """A canonical record with annotations and comments."""
    head, body = text.split("]\n\n")
    rows = body.split("\n")
    for at, row in enumerate(rows[:-2]):
        words = []
        for word in row.split():
            if rng.random() < 0.05 and word[-1] in "0123456789+" and word[0].isalpha():
                word += rng.choice(["!", "?", "!!", "??", "!?", "?!"])
                words += [word, rng.choice(["{so so}", "{; [%clk 0:04:30]}"])]
            else:
                words.append(word)
        if rng.random() < 0.1:
            words.append(rng.choice(["{}", "{the end of a trick}", '{[Event "x"] é — 5}']))
        rows[at] = " ".join(words)
    before = "{before trick 1}\n" if rng.random() < 0.3 else ""
    return f"{head}]\n\n{before}" + "\n".join(rows)


def scrawled(rng: random.Random, text: str) -> str:
    """The same record as a scorer might have typed it."""
    head, body = text.split("]\n\n")
    tags = [f"{line}]".replace("]]", "]") for line in head.split("\n")]
    rng.shuffle(tags)
    end = rng.choice(["\n", "\r\n"])
    out = end.join(f"{rng.choice(['', '  '])}{tag}{rng.choice(['', ' '])}" for tag in tags)
    out += end * rng.choice([1, 2])
    spaced = True
    for word in re.findall(r"\{[^}]*\}|\S+", body):
        number = re.fullmatch(r"\d+\.", word)
        if number and rng.random() < 0.5:
            continue
        if word[0] == "{":
            if rng.random() < 0.5 and "}" not in word[1:-1]:
                out += f"{rng.choice(['', ' '])}; {word[1:-1]}{end}"
                spaced = True
                continue
        elif rng.random() < 0.5:
            word = word.lower()
        if "+" in word and word[0] != "{":
            match = re.fullmatch(r"(.*?)(\+)([!?]*)", word)
            assert match
            plus = rng.choice(["+", ""])
            word = match[1] + rng.choice([plus + match[3], match[3] + plus])
        needs = number or re.fullmatch(r"\*|[01](/[23])?(-.*)", word)
        if needs and not spaced:
            out += " "
        out += word
        gap = rng.choice(["", " ", end, "\t \n"])
        spaced = bool(gap)
        out += gap
    return out


@many
@given(st.integers(0, 1 << 32), st.sampled_from([2, 3, 4]))
def test_every_style_is_the_same_game(seed: int, seats: int) -> None:
    rng = random.Random(seed)
    rules = lawbook.random_rules(rng, seats)
    text = annotated(rng, lawbook.random_record(rng, rules, draws=rng.random() < 0.7))
    game = one(text)
    assert not game.errors
    assert canonical(game) == text
    short = compact(game)
    assert canonical(one(short)) == text
    assert compact(one(short)) == short
    other = one(scrawled(rng, text))
    assert content(other) == content(game)
    assert canonical(one(canonical(other))) == canonical(other)
    _, body = canonical(other).split("]\n\n")
    assert body == text.split("]\n\n")[1]


@many
@given(st.integers(0, 1 << 32), st.sampled_from([2, 3, 4]))
def test_a_comment_of_a_trick_stays_the_tricks(seed: int, seats: int) -> None:
    """If the line ends with a play, it comes after the number, before the first card."""
    rng = random.Random(seed)
    record = lawbook.random_record(rng, lawbook.random_rules(rng, seats), draws=rng.random() < 0.7)
    text = re.sub(
        r"^(\d+\.)", lambda found: f"{found[0]}{rng.choice(['', ' {its own}'])}", record, flags=re.M
    )
    game = one(text)
    again = canonical(game)
    assert content(one(again)) == content(game)
    assert canonical(one(again)) == again
    for line, trick in zip(again.split("]\n\n")[1].splitlines(), game.tricks, strict=False):
        assert trick.comments == ["its own"] * line.count("{its own}")
        assert line.startswith(f"{trick.number}. {{its own}}") == (
            "{" in line and not re.search(r"[~=/][^ ]*( \{its own\})?$", line)
        )
    state = State.from_game(game)
    assert [trick.comments for trick in state.game().tricks] == [t.comments for t in game.tricks]


def test_a_comment_of_a_trick_without_a_number_belongs_to_the_trick_before() -> None:
    text = lawbook.random_record(random.Random(5), lawbook.Rules(2, "GKUWX"))
    game = one(text.replace("\n15. ", "\n{before} "))
    assert game.tricks[13].plays[1].comments == ["before"]
    game = one(text.replace("\n15. ", "\n15. ; a } b\n"))
    assert game.tricks[14].comments == ["a } b"]
    assert "\n15. ; a } b\n" in canonical(game)
    assert canonical(one(canonical(game))) == canonical(game)
    assert re.search(r"\w\+?\{late\} ", compact(one(text.replace("\n15. ", "\n15. {late} "))))


def test_no_line_is_empty_after_a_comment_that_runs_to_the_end_of_its_line() -> None:
    text = '[Deck "GKUWX"]\n\n1. U7: G5 G8+ /W2 ; e } f\n2. X3: K4+ U1 /G0 ; } x\n*\n'
    assert canonical(one(text)).endswith(text.removeprefix('[Deck "GKUWX"]\n'))
    assert canonical(one(canonical(one(text)))) == canonical(one(text))
    assert canonical(one(compact(one(text)))) == canonical(one(text))


def test_the_compact_form_has_one_line_of_tricks_without_numbers() -> None:
    text = lawbook.random_record(random.Random(5), lawbook.Rules(4, "MPAFSTU"))
    head, body = compact(one(text)).rstrip("\n").rsplit("\n", 1)
    assert head == text.split("\n\n")[0]
    tricks = body.split(" ")
    assert len(tricks) == 19
    assert not re.search(r"\d\.", body)
    assert tricks[-1] == one(text).result


# Garbage ----------------------------------------------------------------------------------------


def without_strays(
    text: bytes, replayed: list[tuple[int, list[Problem]]]
) -> list[tuple[int, list[Problem]]]:
    """Leave out each piece that is not a record and follows another such piece."""
    judge = Judge()
    strays = []
    for sheet, line in sheets(io.BytesIO(text).read):
        judge.judge(sheet)
        strays.append(is_stray(judge) and bool(problems(judge, line)))
    return [
        (line, game)
        for place, (line, game) in enumerate(replayed)
        if not (strays[place] and place and strays[place - 1])
    ]


def check_reports(text: bytes) -> None:
    """Read, judge, explain and validate; every position must be inside the text."""
    lines = text.split(b"\n")
    with Validator(jobs=1, everything=True, slips=False) as validator:
        reports = validator.validate(io.BytesIO(text).read)
        validated = [(report.line, report.problems) for report in reports]
    replayed = [(game.line, game.problems) for game in replay_text(text)]
    # Validation joins neighbouring pieces that are not records.
    assert validated == without_strays(text, replayed)
    last = 0
    for line, reports in validated:
        assert last < line or last == line == 1 or reports or not last
        last = line
        for problem in reports:
            assert line <= problem.line <= len(lines)
            width = len(lines[problem.line - 1].decode(errors="replace"))
            assert 1 <= problem.column <= width + 1
            assert problem.column < problem.end_column
            assert problem.message
            assert problem.trick is None or 1 <= problem.trick <= 27
            assert problem.seat is None or 1 <= problem.seat <= 4
            json.dumps(problem.report())
    for game in replay_text(text):
        json.dumps(game.report())
        assert len(game.report()["tricks"]) <= 26
        if game.legal:
            again = one(canonical(game))
            assert again.legal
            assert canonical(again) == canonical(game)


@many
@given(st.binary(max_size=300))
def test_any_bytes(text: bytes) -> None:
    check_reports(text)


ALPHABET = [
    *'GKNIMPABDFRSTUVWXq0123456789.+-=~/_,:^!?{};[]"\\*\n\r\t \x00é€',
    "[Deck ", '"GKUWX"]\n', "\n\n", "1-0", "1/2-1/2", " 2. ", '[Player3 "x"]\n', "\ufeff",
]  # fmt: skip


@many
@given(st.lists(st.sampled_from(ALPHABET), max_size=80).map("".join))
def test_text_that_looks_like_a_record(text: str) -> None:
    check_reports(text.encode())
    check_reports(f'[Deck "GKUWX"]\n\n{text}'.encode())


def damaged(seed: int, seats: int) -> bytes:
    """A game in which some characters are lost, doubled or replaced."""
    rng = random.Random(seed)
    rules = lawbook.random_rules(rng, seats)
    text = bytearray(annotated(rng, lawbook.random_record(rng, rules)).encode())
    for _ in range(rng.choice([1, 1, 2, 5, 30])):
        text = text or bytearray(b"*")
        at = rng.randrange(len(text))
        how = rng.randrange(5)
        if how == 0:
            del text[at : at + rng.choice([1, 1, 2, 10, 200])]
        elif how == 1:
            text[at] = rng.randrange(256)
        elif how == 2:
            text[at:at] = rng.choice(ALPHABET).encode()
        elif how == 3:
            start = rng.randrange(len(text))
            text[at:at] = text[start : start + rng.choice([1, 5, 30])]
        else:
            text[at:] = text[at:].replace(rng.choice([b" ", b"\n", b"+", b"."]), b"", 1)
    return bytes(text)


@many
@given(st.integers(0, 1 << 32), st.sampled_from([2, 3, 4]))
def test_damaged_games(seed: int, seats: int) -> None:
    check_reports(damaged(seed, seats))


def test_the_judge_forgets_the_last_game() -> None:
    """A judge that has seen a thousand broken games judges the next like a new one."""
    judge = Judge()
    rng = random.Random(0)
    for seed in range(300 if compiled() else 40):
        rules = lawbook.random_rules(rng, rng.choice([2, 3, 4]))
        text = lawbook.random_record(rng, rules).encode()
        at = rng.randrange(len(text))
        broken = text[:at] + bytes([rng.randrange(32, 127)]) + text[at + 1 :]
        for data in (broken, text):
            for sheet, line in sheets(io.BytesIO(data).read):
                judge.judge(sheet)
                old = problems(judge, line)
                fresh = Judge()
                fresh.judge(sheet)
                assert problems(fresh, line) == old, seed
        assert not [r for r in judge_block(text, 1, False).reports if not r.valid]


def test_a_judge_reports_alike_whatever_it_saw_before() -> None:
    """Found by fuzzing: upcards and tricks of the previous game were used."""
    long = lawbook.random_record(random.Random(3), lawbook.Rules(3, "GKDFUWX")).encode()
    head = long.split(b"\n\n")[0].split(b"[Votes")[0]
    for body in (
        b"1. G5 G8+ G2 /W2\n*\n",
        b"1. U7,W3: G5 G8+ G2 =U7 /W2\n9. U9,W9: G6 G8 G3\n10. U8,W8: G5 G8 G2\n*\n",
    ):
        fresh, used = Judge(), Judge()
        for sheet, _ in sheets(io.BytesIO(long).read):
            used.judge(sheet)
        for sheet, line in sheets(io.BytesIO(head + b"\n" + body).read):
            fresh.judge(sheet)
            used.judge(sheet)
            assert problems(fresh, line)
            assert problems(used, line) == problems(fresh, line)


def test_damaged_games_leave_nothing_behind() -> None:
    """Found by fuzzing: the ranks, the seats and the tokens of the previous game were read."""
    used = Judge()
    for seed in (*range(1000 if compiled() else 60), 2595, 5932, 6005):
        for sheet, line in sheets(io.BytesIO(damaged(seed, 2 + seed % 3)).read):
            fresh = Judge()
            fresh.judge(sheet)
            used.judge(sheet)
            assert problems(used, line) == problems(fresh, line), seed


def test_a_mark_on_a_play_where_discards_are_due() -> None:
    """Found by fuzzing: the play is an error already; its mark must not add another."""
    text = '[Deck "GKAUX"]\n\n1. U7: A5 A8+ /G0\n2. X3: G1 G2+ /U0\n*\n'
    problems = one(text).problems
    assert [(p.code, p.line, p.column) for p in problems] == [("auto-trick", 4, 8)]
