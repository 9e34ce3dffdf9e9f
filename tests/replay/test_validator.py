"""Validating streams: totals, order, several processes, and the card that would correct a game."""

import io
from pathlib import Path

import pytest

from claimlog.notation.reader import open_games, plain_file
from claimlog.replay import validate
from claimlog.replay.validate import Validator

GOOD = b'[CLM "1"]\n[Deck "GKUWX"]\n\n1. U7: G5 G8+ /W2\n*\n\n'
BAD = b'[CLM "1"]\n[Deck "GKUWX"]\n\n1. U7: G5 G8+ /W2\n2. X3: G5+ K4 /G0\n*\n\n'
WARNED = b'[CLM "1"]\n[Deck "GKUWX"]\n\n1. U7: G5 G8+^ /W2\n*\n\n'
REVOKE = (Path(__file__).parents[2] / "data/broken/revoke.clm").read_bytes()
ONE_CARD = (Path(__file__).parents[2] / "data/broken/not-held-opponents.clm").read_bytes()


def test_totals() -> None:
    sizes: list[int] = []
    text = GOOD + BAD + WARNED + GOOD
    with Validator(jobs=1) as validator:
        reports = list(validator.validate(io.BytesIO(text).read, sizes.append))
    assert [(r.game, r.line, r.valid) for r in reports] == [(2, 7, False), (3, 14, True)]
    assert (validator.games, validator.invalid, validator.warned) == (4, 1, 1)
    assert validator.codes == {"card-count": 1, "needless-irregular": 1}
    assert sum(sizes) == len(text)
    assert reports[0].source == {11: "2. X3: G5+ K4 /G0"}


def test_strict() -> None:
    with Validator(jobs=1, strict=True) as validator:
        (report,) = validator.validate(io.BytesIO(WARNED).read)
    assert (report.valid, validator.invalid, validator.warned) == (False, 1, 0)


def test_two_processes_report_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimlog.notation.reader.CHUNK", 1 << 12)
    text = (GOOD + BAD) * 3000
    sizes = []
    for jobs in (1, 2):
        with Validator(jobs=jobs, slips=False) as validator:
            reports = [
                (r.game, r.line, r.report("x")) for r in validator.validate(io.BytesIO(text).read)
            ]
        sizes.append((reports, validator.games, validator.codes))
    assert sizes[0] == sizes[1]
    assert [game for game, _, _ in sizes[0][0]] == list(range(2, 6001, 2))


def test_a_file_is_shared(tmp_path: Path) -> None:
    path = tmp_path / "games.clm"
    path.write_bytes((GOOD + BAD + GOOD.replace(b"*", b"{\xff} *")) * 8000)
    sizes = []
    for jobs in (1, 3):
        with Validator(jobs=jobs, slips=False) as validator, open_games(str(path)) as stream:
            reports = validator.validate(stream.read, None, plain_file(stream))
            sizes.append([(r.game, r.line, r.report("x"), r.source, r.text) for r in reports])
        with Validator(jobs=jobs, summary=True) as counted, open_games(str(path)) as stream:
            assert not list(counted.validate(stream.read, None, plain_file(stream)))
        assert validator.games == counted.games == 24000
        assert (validator.invalid, validator.codes) == (counted.invalid, counted.codes)
    assert sizes[0] == sizes[1]


def test_a_game_that_never_ends_is_cut_in_a_shared_file_too(tmp_path: Path) -> None:
    path = tmp_path / "games.clm"
    path.write_bytes(GOOD * 20000 + b"G5 " * 2_000_000 + b"\n\n" + GOOD)
    codes = []
    for jobs in (1, 2):
        with Validator(jobs=jobs, summary=True) as validator, open_games(str(path)) as stream:
            list(validator.validate(stream.read, None, plain_file(stream)))
        assert validator.games > 20000
        codes.append(set(validator.codes))
    assert codes[0] == codes[1]


def test_the_slip_is_found_in_every_failing_game() -> None:
    with Validator(jobs=1) as validator:
        reports = list(validator.validate(io.BytesIO(ONE_CARD * 3).read))
    slips = [report.slip for report in reports]
    assert [slip and (slip.kind, slip.mended) for slip in slips] == [("replaced-card", "U0")] * 3
    lines = ONE_CARD.count(b"\n")
    assert [slip and slip.line for slip in slips] == [
        (slips[0].line if slips[0] else 0) + n * lines for n in range(3)
    ]
    with Validator(jobs=1, slips=False) as validator:
        assert [r.slip for r in validator.validate(io.BytesIO(ONE_CARD).read)] == [None]


def test_no_slip_where_bytes_are_bad_or_nothing_single_helps() -> None:
    bad_bytes = ONE_CARD.replace(b"26. G4+", b"26. {\xff} G4+")
    with Validator(jobs=1) as validator:
        for text in (
            bad_bytes,
            GOOD.replace(b"/W2", b"/W2 zz"),
            BAD.replace(b"*", b"G1 " * 500),
        ):
            (report,) = validator.validate(io.BytesIO(text).read)
            assert not report.valid
            assert report.slip is None


def test_where_several_slips_explain_it_the_first_error_names_the_places() -> None:
    with Validator(jobs=1) as validator:
        (report,) = validator.validate(io.BytesIO(REVOKE).read)
    shown = report.report("x")
    assert shown["slip"] is None
    assert shown["errors"][0]["message"].endswith(
        "one slip would explain it, too: two tricks the other way round in trick 1 "
        "(1. U7: G5 K8+ /W2 2. ...), plays in another order in trick 1 (G5 K8+) "
        "or two cards swapped in trick 2 (X3: G9+)"
    )
    assert not any(problem["because"] for problem in shown["errors"])


def test_a_report_of_a_game() -> None:
    (report,) = validate.judge_block(BAD, 5, False).reports
    shown = report.report("games.clm")
    assert shown["errors"] == [problem.report() | {"because": False} for problem in report.errors]
    assert (shown["file"], shown["line"], shown["warnings"]) == ("games.clm", 5, [])
