"""The encoder writes what the writer writes, and rows that say what the replay says."""

import io
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimlog.notation.reader import sheets
from claimlog.notation.writer import canonical
from claimlog.replay.recorder import Recorder, replay_text
from claimlog.store.encode import Encoder, day_of, moment_of

from .random_games import record

SHORT = '[Deck "xuwkg"]\n[Player2 "B"]\n[Player1 "A"]\n\n'


def encoded(text: str | bytes) -> tuple[Encoder, bool]:
    encoder = Encoder()
    data = text.encode() if isinstance(text, str) else text
    found = list(sheets(io.BytesIO(data).read))
    assert len(found) == 1
    return encoder, encoder.encode(found[0][0], 0)


def same(text: str) -> None:
    encoder, good = encoded(text)
    assert good
    (replay,) = replay_text(text)
    assert encoder.record.decode() == canonical(replay)
    again, good = encoded(encoder.record)
    assert good
    assert again.record == encoder.record


@pytest.mark.parametrize("seed", range(60))
def test_random_games_are_written_as_the_writer_does(seed: int) -> None:
    same(record(Random(seed)))


@pytest.mark.parametrize(
    "text",
    [
        SHORT + "U7:g5g8/w2 *",
        SHORT + "{before} U7: G5! {why} G8+?? /W2 ; at the end }\n X3: K4+ *",
        SHORT + "1. U7: G5 W8^ /_ *",
        SHORT + "*",
        SHORT,
        '[Event "a \\"b\\" \\\\ c"]\n[Odd "x\x1fy"]\n[Odder "\x02"]\n' + SHORT + "*",
        '[Result "*"]\n[Zebra "z"]\n[Ant "a"]\n[CLM "1"]\n' + SHORT + "1.",
        "\ufeff" + SHORT.replace("\n", "\r\n") + "U7: G5 G8+ /W2\r\n*",
        SHORT + "1. *",
        '[Event "line\u2028break"]\n' + SHORT + "*",
    ],
)
def test_untidy_games_are_written_as_the_writer_does(text: str) -> None:
    same(text)


@given(st.text(st.characters(exclude_characters="\n\0", exclude_categories=["Cs"]), max_size=30))
def test_any_tag_value_is_written_as_the_writer_does(value: str) -> None:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    same(f'[Event "{escaped}"]\n[Site "{escaped}"]\n{SHORT}*')


def test_an_illegal_game_makes_no_rows() -> None:
    encoder, good = encoded(SHORT + "U7: G5 G5 /W2 *")
    assert not good
    assert encoder.take_games() == b""
    assert encoder.trick_size == encoder.faction_size == 0
    assert encoder.found(1)


def test_the_recorder_and_the_encoder_agree_after_many_games() -> None:
    encoder, recorder, random = Encoder(), Recorder(), Random(9)
    texts = [record(random) for _ in range(20)] + [SHORT + "{c} U7: G5 {d} G8 *"]
    for text in texts * 2:
        for sheet, line in sheets(io.BytesIO(text.encode()).read):
            assert encoder.encode(sheet, 0)
            assert encoder.record.decode() == canonical(recorder.record(sheet, line))


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("2026-11-14", "2026-11-14"),
        ("2026-11-??", "2026-11-01"),
        ("2026-??-??", "2026-01-01"),
        ("2026-??-14", "2026-01-01"),
        ("????-??-??", ""),
        ("", ""),
    ],
)
def test_days(value: str, day: str) -> None:
    assert day_of(value) == day


def test_moments() -> None:
    assert moment_of("2026-11-14T19:30:00+01:00") == "2026-11-14 18:30:00"
    assert moment_of("0001-01-01T00:00:00+14:00") == ""
    assert moment_of("soon") == ""
