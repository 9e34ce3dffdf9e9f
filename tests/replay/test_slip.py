"""One slip, one message: each kind of slip is named at its place, with its correction."""

import importlib.util
import random
import re
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path
from types import ModuleType

import pytest

from claimlog import compiled
from claimlog.replay import slip as slip_module
from claimlog.replay import trial
from claimlog.replay.mending import mend
from claimlog.replay.recorder import replay_text
from claimlog.replay.slip import KINDS, Explanation, find_slip
from claimlog.replay.validate import judge_block

ROOT = Path(__file__).parents[2]
SAMPLE = re.sub(r" ?\{[^}]*\}|!", "", (ROOT / "data" / "sample.clm").read_text(encoding="utf-8"))
EVENING = (ROOT / "data" / "thursday-evening.clm").read_text(encoding="utf-8").split("\n\n[CLM")[0]
EVENING += "\n"
NAMELESS = re.sub(r"\[Player\d .*\n", "", SAMPLE)
RUN = SAMPLE.split("\n\n")[0] + "\n\n" + " ".join(
    re.sub(r"(?m)^\d+\. ", "", SAMPLE.split("\n\n")[1]).split()
)  # fmt: skip


def legal(text: str) -> bool:
    return not next(replay_text(text)).errors


def put(text: str, explanation: Explanation) -> str:
    """The text with the repair in the place of the slip, by line and columns."""
    slip = explanation.slip
    assert slip is not None
    assert slip.mended is not None
    lines = text.split("\n")
    at = sum(len(line) + 1 for line in lines[: slip.line - 1]) + slip.column - 1
    return text[:at] + slip.mended + text[at + slip.end_column - slip.column :]


def test_the_samples_are_legal() -> None:
    assert legal(SAMPLE)
    assert legal(EVENING)
    assert legal(RUN)


@pytest.mark.parametrize(
    ("text", "old", "new", "kind", "trick", "mended"),
    [
        (SAMPLE, "17. X6+ X1", "17. X5+ X1", "replaced-card", 17, "X6+"),
        (SAMPLE, "7. X3: K9+", "7. X3: K99+", "replaced-card", 7, "K9+"),
        (SAMPLE, "7. X3: K9+", "7. X3: what", "replaced-card", 7, "K9"),
        (SAMPLE, "/G9", "/G8", "replaced-card", 3, "G9"),
        (SAMPLE, "8. U2: U3 U5+", "8. U2: U5+ U3", "transposed-plays", 8, "U3 U5+"),
        (SAMPLE, "19. W4+ U2\n20. W6+ G0", "19. W6+ G0\n20. W4+ U2", None, 0, None),
        (SAMPLE, "24. G1 G7+\n25. K4+ K2", "24. K4+ K2\n25. G1 G7+", "swapped-tricks", 24,
         "24. G1 G7+\n25. K4+ K2"),
        (SAMPLE, "24. G1 G7+\n25. K4+ K2", "25. K4+ K2\n24. G1 G7+", "swapped-tricks", 24,
         "24. G1 G7+\n25. K4+ K2"),
        (SAMPLE, "8. U2: U3 U5+ /X7", "8. X7: U3 U5+ /U2", "swapped-draws", 8, "U2: U3 U5+ /X7"),
        (SAMPLE, "20. W6+ G0", "20. G0", "missing-play", 20, "W6 G0"),
        (SAMPLE, "5. X8: X9+ K3", "5. X8: X9+", "missing-play", 5, "X9+ K3"),
        (SAMPLE, "5. X8: X9+", "5. X8 X9+", "missing-colon", 5, "X8:"),
        (RUN, "X8: X9+", "X8 X9+", "missing-colon", 5, "X8:"),
        (SAMPLE, "12. G4: K6+ U4 /X4\n", "", "missing-trick", 12, None),
        (SAMPLE, "20. W6+ G0\n", "", "missing-trick", 20, None),
        (SAMPLE, "W6+ G0", "W6+ W6+ G0", "written-twice", 20, "W6+"),
        (SAMPLE, "X8: X9+", "X8: X8: X9+", "written-twice", 5, "X8:"),
        (SAMPLE, "20. W6+ G0\n", "20. W6+ G0\n20. W6+ G0\n", "written-twice", 21, "20. W6+ G0"),
        (NAMELESS, '[Leader "2"]', '[Leader "1"]', "wrong-leader", None, '[Leader "2"]'),
        (NAMELESS, '[Leader "2"]\n', "", "wrong-leader", None, '[Deck "GKUWX"]\n[Leader "2"]'),
        (SAMPLE, '[Deck "GKUWX"]', '[Deck "GKUWT"]', "wrong-deck", None, '[Deck "GKUWX"]'),
    ],
)  # fmt: skip
def test_two_players(
    text: str, old: str, new: str, kind: str | None, trick: int | None, mended: str | None
) -> None:
    assert text.count(old) == 1
    changed = text.replace(old, new)
    explanation = find_slip(changed.encode())
    if kind is None:
        assert explanation.slip is None or legal(put(changed, explanation))
        return
    assert explanation.slip is not None
    assert (explanation.slip.kind, explanation.slip.trick, explanation.slip.mended) == (
        kind,
        trick,
        mended,
    )
    if mended is not None:
        assert legal(put(changed, explanation))


def test_a_drawn_card_left_out() -> None:
    game = next(replay_text(EVENING))
    assert game.seats == 3
    four = (ROOT / "data" / "team-cup.clm").read_text(encoding="utf-8").split("\n\n[CLM")[0] + "\n"
    match = re.search(r"^4\. .*/(\w+),(\w+)$", four, re.MULTILINE)
    assert match
    changed = four.replace(match[0], match[0].replace(f"/{match[1]},", "/"))
    slip = find_slip(changed.encode()).slip
    assert slip is not None
    assert (slip.kind, slip.trick) == ("missing-draw", 4)
    assert slip.mended == f"/{match[1]},{match[2]}"


@pytest.mark.no_cover
@pytest.mark.parametrize("number", [1, 13, 14, 25, 26])
def test_a_trick_twice_after_which_the_numbers_went_on(number: int) -> None:
    rows = SAMPLE.split("\n\n")[1].split("\n")
    rows.insert(number, rows[number - 1])
    rows = [re.sub(r"^\d+", str(n), row) for n, row in enumerate(rows[:-2], 1)] + rows[-2:]
    changed = SAMPLE.split("\n\n")[0] + "\n\n" + "\n".join(rows)
    explanation = find_slip(changed.encode())
    assert explanation.slip is not None
    assert (explanation.slip.kind, explanation.slip.trick) == ("written-twice", number + 1)
    assert "the numbering went on after it" in explanation.slip.message or number == 26
    assert put(changed, explanation) == SAMPLE
    mended, repairs = mend(changed.encode())
    assert len(repairs) == 1
    row = SAMPLE.split("\n\n")[1].split("\n")[number - 1]
    was = " ".join(rows[number - 1 : number + 1])
    assert mended.decode() == SAMPLE.replace(row, f"{row} {{corrected: was {was}}}")


def test_mending_keeps_the_line_ends() -> None:
    """Of every kind of slip, in the movetext and in a tag."""
    kinds = set()
    broken = [path.read_text(encoding="utf-8") for path in sorted(CASES.glob("slip-*.clm"))]
    deck = SAMPLE.replace("GKUWX", "GKUWS")
    for text in [deck, *("\n\n".join(text.split("\n\n")[:2]) + "\n" for text in broken)]:
        mended, repairs = mend(text.encode())
        assert mend(text.replace("\n", "\r\n").encode())[0] == mended.replace(b"\n", b"\r\n")
        kinds |= {repair.slip.kind for repair in repairs}
    assert kinds >= {"wrong-deck", "exchanged-plays", "wrong-numbers"}


@pytest.mark.parametrize(
    ("old", "new"), [("0-1", "1-0"), ('[Leader "2"]', '[Leader "1"]'), ('[Leader "2"]\n', "")]
)
def test_another_leader_or_names_in_the_wrong_seats(old: str, new: str) -> None:
    """With two players these are the same game: both are named, and neither repair is written."""
    game = re.sub(r"\[Votes .*\n", "", SAMPLE)
    changed = game.replace(old, new)
    assert changed != game
    explanation = find_slip(changed.encode())
    assert explanation.slip is None
    assert explanation.sentence() == (
        "one slip would explain it, too: players in other seats "
        "(Player1, Player2) or another leader (Leader)"
    )
    assert mend(changed.encode()) == (changed.encode(), [])


def test_names_in_the_wrong_seats() -> None:
    """With three players; with two, another leader explains the same errors."""
    evening = (ROOT / "data" / "thursday-evening.clm").read_text(encoding="utf-8")
    text, votes = next(
        (f"{text}\n", votes)
        for text in evening.split("\n\n[CLM")
        if (votes := re.search(r'\[Votes "(\d)-(\d)-(\d)"\]', text))
        and len(set(votes.groups())) == 3
    )
    text = text if text.startswith("[CLM") else f"[CLM{text}"
    game = next(replay_text(text))
    parts = game.result.split("-")
    won = parts.index("1")
    other = (won + 2) % 3
    parts[won], parts[other] = parts[other], parts[won]
    counts = list(votes.groups())
    counts[won], counts[other] = counts[other], counts[won]
    changed = text.replace(game.result, "-".join(parts)).replace(
        votes[0], f'[Votes "{"-".join(counts)}"]'
    )
    slip = find_slip(changed.encode()).slip
    assert slip is not None
    assert (slip.kind, slip.trick, slip.mended) == ("swapped-names", None, None)
    names = sorted((won + 1, other + 1))
    assert f"Player{names[0]} and Player{names[1]}" in slip.message


def test_a_wrong_result_alone_is_no_slip_of_the_names() -> None:
    """The votes are right: no names are in the wrong seats."""
    game = next(replay_text(EVENING))
    shifted = "-".join(game.result.split("-")[1:] + game.result.split("-")[:1])
    explanation = find_slip(EVENING.replace(game.result, shifted).encode())
    assert explanation.slip is None


def test_without_numbers_a_play_left_out_of_phase_2_is_found() -> None:
    changed = RUN.replace(" W9+ U9 ", " W9+ ")
    assert changed != RUN
    errors = next(replay_text(changed)).errors
    assert len(errors) > 1
    slip = find_slip(changed.encode()).slip
    assert slip is not None
    assert (slip.kind, slip.trick, slip.mended) == ("missing-play", 23, "W9+ U9")


def test_several_slips_of_one_size_are_told_as_places() -> None:
    explanation = find_slip((ROOT / "data" / "broken" / "revoke.clm").read_bytes())
    assert explanation.slip is None
    assert explanation.sentence() == (
        "one slip would explain it, too: two tricks the other way round in trick 1 (1. U7: G5 "
        "K8+ /W2 2. ...), plays in another order in trick 1 (G5 K8+) or two cards swapped in "
        "trick 2 (X3: G9+)"
    )


CASES = ROOT / "data" / "conformance" / "records"
OF_CASES = {
    "slip-comma-lost": {"missing-comma": 14},
    "slip-dot-for-colon": {"wrong-colon": 14},
    "slip-german-word": {"replaced-card": 14},
    "slip-numbers-off": {"wrong-numbers": 14},
    # Some slips leave no trace; for three, another slip would explain as much.
    "slip-exchange": {"exchanged-plays": 5, "transposed-plays": 1, "": 8},
    "slip-named-elsewhere": {"transposed-plays": 1},
}


@pytest.mark.parametrize("name", OF_CASES)
def test_one_slip_for_each_game_of_a_case(name: str) -> None:
    """At its place, with the text that makes the game legal; and `--fix` writes that."""
    data = (CASES / f"{name}.clm").read_bytes()
    if not compiled():
        data = b"\n\n".join(data.split(b"\n\n")[:2]) + b"\n"  # one game of them all
    reports = judge_block(data, 1, True, slips=True).reports
    kinds = Counter(report.slip.kind if report.slip else "" for report in reports)
    assert kinds == OF_CASES[name] if compiled() else kinds[""] == 0
    text = data.decode()
    lines = text.split("\n")
    for slip in [report.slip for report in reversed(reports) if report.slip]:
        assert slip.mended is not None
        at = sum(len(line) + 1 for line in lines[: slip.line - 1]) + slip.column - 1
        text = text[:at] + slip.mended + text[at + slip.end_column - slip.column :]
    wrong = [number for number, game in enumerate(replay_text(text)) if game.errors]
    assert wrong == [n for n, report in enumerate(reports) if report.errors and not report.slip]
    mended, repairs = mend(data)
    assert len(repairs) == sum(kinds.values()) - kinds[""]
    assert [n for n, game in enumerate(replay_text(mended)) if game.errors] == wrong


@pytest.mark.parametrize(
    ("name", "message", "mended"),
    [
        ("slip-named-elsewhere", "trick 23: G9 and W8 are in the wrong order: W8 G9", "W8 G9"),
        ("slip-comma-lost", "trick 2: the comma between the upcards is missing: F6,N3:", "F6,N3:"),
        ("slip-dot-for-colon", "trick 6: T2; should be T2:", "T2:"),
        ("slip-exchange", "trick 14: B5 and D0 of trick 15 are exchanged", "D0 D9\n15. B5"),
        ("slip-numbers-off", "the numbers from trick 2 on are 1 too high", "2. R3,D1:"),
        ("slip-german-word", "trick 19: Seher 1+ should be S1+; that makes the game legal",
         "S1+"),
    ],
)  # fmt: skip
def test_where_the_first_slip_of_a_case_is(name: str, message: str, mended: str) -> None:
    data = b"\n\n".join((CASES / f"{name}.clm").read_bytes().split(b"\n\n")[:2]) + b"\n"
    slip = find_slip(data).slip
    assert slip is not None
    assert slip.message == message
    assert (slip.mended or "").startswith(mended)


@pytest.mark.parametrize(
    ("written", "mended"),
    [("Wikinger5", None), ("Knight8", "K8"), ("knights 8", "K8"), ("Ritter 8!", "K8!"),
     ("Gobl8", "G8"), ("König 4", None), ("Ritter 1", None), ("Ritters88", None)],
)  # fmt: skip
def test_cards_as_they_are_spoken(written: str, mended: str | None) -> None:
    """One error that says how to write it; the card it names is the only correction, if any."""
    text = f'[Deck "GKUWX"]\n\n1. U7: G5 {written} /W2\n*\n'
    errors = next(replay_text(text)).errors
    assert [(e.code, e.column, e.end_column) for e in errors] == [("syntax", 11, 11 + len(written))]
    card = {"W": "V5", "K": "K8", "k": "K8", "G": "G8"}.get(written[0])
    if mended or written == "Wikinger5":
        card = card or "K8"
        assert errors[0].message == (
            f"trick 1: {written!r} cannot be read: a card is written as one letter and its value, "
            f"here {card}"
        )
    slip = find_slip(text.encode()).slip
    assert (slip.mended if slip else None) == mended


@pytest.mark.parametrize("between", [" ", "", ", ", ".", " , "])
def test_upcards_without_their_comma(between: str) -> None:
    changed = EVENING.replace("\n4. ", "\n4. ", 1)
    row = re.search(r"^4\. (\w+),(\w+):", changed, re.MULTILINE)
    assert row
    wrong = changed.replace(row[0], f"4. {row[1]}{between}{row[2]}:")
    slip = find_slip(wrong.encode()).slip
    assert slip is not None
    assert (slip.kind, slip.trick, slip.mended) == ("missing-comma", 4, f"{row[1]},{row[2]}:")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("zurich-open.clm", "12. K6: K9+ W1", "12. K6: K9 W1+"),
        ("zurich-open.clm", "12. K6: K9+ W1", "12. K6: K9+ W1+"),
        ("broken/winner-mark.clm", "", ""),
        ("broken/winner-mark-discard.clm", "", ""),
    ],
)
def test_a_wrong_mark_changes_no_cards(file: str, old: str, new: str) -> None:
    """The other card with the + is the nearest explanation; the error itself says who won."""
    text = (ROOT / "data" / file).read_text(encoding="utf-8")
    wrong = (text.split("\n\n[CLM")[0] + "\n").replace(old, new)
    assert find_slip(wrong.encode()) == Explanation()
    assert mend(wrong.encode()) == (wrong.encode(), [])
    (report,) = judge_block(wrong.encode(), 1, True, slips=True).reports
    assert [problem.code for problem in report.errors] == ["winner-mark"]


def test_numbers_from_0() -> None:
    head, body = SAMPLE.split("\n\n")
    rows = [re.sub(r"^\d+(?=\.)", lambda m: str(int(m[0]) - 1), row) for row in body.split("\n")]
    text = head + "\n\n" + "\n".join(rows)
    explanation = find_slip(text.encode())
    assert explanation.slip is not None
    assert explanation.slip.message == "the numbers from trick 1 on are 1 too low"
    assert put(text, explanation) == SAMPLE
    assert legal(mend(text.encode())[0].decode())
    for short, right in (("0. U7: G5 G8", "1."), ("0. U7: G5 G8 1. X3: K4 U1", "1. U7: G5 G8 2.")):
        slip = find_slip(f'[Deck "GKUWX"]\n\n{short} *'.encode()).slip
        assert slip is not None
        assert (slip.kind, slip.trick, slip.mended) == ("wrong-numbers", 1, right)


def test_a_trick_left_out_makes_no_more_numbers_wrong() -> None:
    text = '[Deck "GKUWX"]\n\n1. U7: G5 G8 2. X3: K4 U1 2. U0: K5 W1 4. U2: K6 *\n'
    assert find_slip(text.encode()) == Explanation()


@pytest.mark.parametrize("numbers", [("1. ", "2. "), ("", "")])
def test_a_trick_left_out_does_not_explain_cards_drawn(numbers: tuple[str, str]) -> None:
    """With three players who leads after it is unknown, so that much cannot be judged."""
    one, two = numbers
    text = '[Player1 "a"]\n[Player2 "b"]\n[Player3 "c"]\n[Deck "GKDSUWX"]\n\n'
    text += f"{one}U7,W3: G5 G8 G1 =U7 /W2,W4 {two}U1,U2: K2 K3 K4 =U1 *\n"
    assert find_slip(text.encode()) == Explanation()


def test_numbers_that_are_too_low() -> None:
    rows = SAMPLE.split("\n\n")[1].split("\n")
    rows = [re.sub(r"^\d+", lambda m: str(int(m[0]) - (int(m[0]) > 19)), row) for row in rows]
    slip = find_slip((SAMPLE.split("\n\n")[0] + "\n\n" + "\n".join(rows)).encode()).slip
    assert slip is not None
    assert slip.message == "the numbers from trick 20 on are 1 too low"


@pytest.mark.no_cover
def test_cards_swapped_between_tricks_say_which() -> None:
    draws = re.findall(r"^(\d+)\. .*/(\w+)$", SAMPLE, re.MULTILINE)
    messages = []
    for (_, one), (number, two) in combinations(draws, 2):
        changed = SAMPLE.replace(f"/{one}\n", "/?\n").replace(f"/{two}\n", f"/{one}\n")
        slip = find_slip(changed.replace("/?\n", f"/{two}\n").encode()).slip
        if slip and slip.kind == "swapped-draws":
            assert f"{two} and {one} of trick {number} are swapped" in slip.message
            messages.append(slip)
        if len(messages) == 3:
            return
    raise AssertionError("no such swap is the one slip")


def test_what_follows_from_the_movetext_is_left_out_of_the_text() -> None:
    """Loot, Votes and Result are counted from plays that are wrong themselves."""
    game = re.sub(r"\[Votes .*\n", '[Votes "5-0"]\n', SAMPLE).replace("1. ", "1. ", 1)
    (alone,) = judge_block(game.encode(), 1, True, slips=True).reports
    assert [(p.code, p.follows) for p in alone.errors] == [("votes", False)]
    row = next(row for row in game.split("\n") if row.startswith("25. "))
    plays = row.split()
    marked = f"{plays[0]} {plays[1].rstrip('+')} {plays[2]}+" if "+" in plays[1] else row
    (report,) = judge_block(game.replace(row, marked).encode(), 1, True, slips=True).reports
    because = {p["code"]: p["because"] for p in report.report("x")["errors"]}
    assert because == {"votes": True, "winner-mark": False}
    places = [p for p in report.errors if "one slip would" in p.message]
    assert all(p.code == "winner-mark" for p in places)


@pytest.mark.no_cover
def test_the_search_is_bounded_by_what_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """By counting judged candidates, not by a clock, in the games that cost most."""
    judged = Counter[str]()
    judge = slip_module._Search._judge

    def counted(self: object) -> bool:
        judged["now"] += 1
        return judge(self)  # type: ignore[arg-type]

    monkeypatch.setattr(slip_module._Search, "_judge", counted)
    rng = random.Random(5)
    for text in (SAMPLE, EVENING, RUN) if compiled() else (EVENING,):
        cards = re.findall(r"\b[A-Z]\d+\b", text.split("]\n\n")[1])
        for _ in range(2):
            one, two, three = rng.sample(cards, 3)
            wrong = text.replace(one, "*").replace(two, one).replace(three, two).replace("*", three)
            judged["now"] = 0
            find_slip(wrong.encode())
            assert judged["now"] <= trial.EFFORT // 8


@pytest.mark.parametrize("effort", [0, 9, 50, 100, 200, 300])
def test_without_effort_no_repair_is_said_to_be_the_only_one(
    effort: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If not everything could be tried, at most a place is reported, and always the same."""
    changed = SAMPLE.replace("17. X6+ X1", "17. X5+ X1").encode()
    assert find_slip(changed).slip is not None
    monkeypatch.setattr(trial, "EFFORT", effort)
    explanation = find_slip(changed)
    assert explanation.slip is None
    assert explanation.places in ([], ["another card in trick 17 (X5+)"])
    assert find_slip(changed) == explanation


def test_cards_that_are_not_in_the_deck_leave_little_to_try() -> None:
    one = SAMPLE.replace("17. X6+ X1", "17. V6+ X1")
    slip = find_slip(one.encode()).slip
    assert slip is not None
    assert (slip.kind, slip.trick, slip.mended) == ("replaced-card", 17, "X6+")
    assert find_slip(one.replace("20. W6+", "20. V7+").encode()) == Explanation()


@pytest.mark.parametrize(
    "text",
    [SAMPLE, '[Deck "GKUWX"]\n\n1. U7: G5 G8+ /W2 zz yy\n*\n', "nothing", "",
     '[Deck "GKUWX"]\n[Date "yesterday"]\n\n1. U7: G5 G8+ G5 /W2\n*\n',
     '[Deck "GKUWX"]\n\n' + "1. U7: G5 G8+ /W2 " * 100],
)  # fmt: skip
def test_nothing_to_find(text: str) -> None:
    assert find_slip(text.encode()) == Explanation()


def test_the_game_is_left_as_it_was() -> None:
    changed = SAMPLE.replace("17. X6+ X1", "17. X5+ X1").encode()
    block = judge_block(changed, 1, False)
    messages = [problem.message for problem in block.reports[0].problems]
    again = judge_block(changed, 1, False, slips=True)
    assert [problem.message for problem in again.reports[0].problems] == messages


def benchmark() -> ModuleType:
    path = ROOT / "benchmarks" / "slips.py"
    spec = importlib.util.spec_from_file_location("slips", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["slips"] = module
    spec.loader.exec_module(module)
    return module


def test_random_slips_of_every_kind() -> None:
    """No useless repair is offered, and hardly any slip is named wrongly."""
    slips = benchmark()
    games = 3 if compiled() else 1
    scores = slips.measure(games, 7)
    assert {kind for kind, _ in slips.SLIPS.values()} == set(KINDS)
    for name, score in scores.items():
        assert score.games == games, name
        assert score.spoiled == 0, (name, score.examples)
    named = sum(score.named for score in scores.values())
    determined = sum(score.determined for score in scores.values())
    assert named >= 0.9 * determined
