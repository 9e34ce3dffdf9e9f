"""The encoder writes the same text as the writer, and rows that agree with the replay."""

import io
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimlog.notation.reader import sheets
from claimlog.notation.writer import canonical
from claimlog.replay.recorder import Recorder, replay_text
from claimlog.store.intake.encode import Encoder, day_of, moment_of, number_of
from claimlog.store.intake.staging import FACTION_ROWS, GAMES, TRICK_ROWS

from .random_games import record

pytestmark = pytest.mark.no_cover

SHORT = '[Deck "xuwkg"]\n[Player2 "B"]\n[Player1 "A"]\n\n'


def encoded(text: str | bytes) -> tuple[Encoder, bool]:
    encoder = Encoder()
    data = text.encode() if isinstance(text, str) else text
    read = list(sheets(io.BytesIO(data).read))
    assert len(read) == 1
    return encoder, encoder.encode(read[0][0], 0)


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
    assert encoder.values_as_dicts(GAMES.names) == []
    assert encoder.rows_as_lists() == tuple(
        [[] for _ in layout.names] for layout in (GAMES, TRICK_ROWS, FACTION_ROWS)
    )
    assert encoder.problems(1)


def test_the_recorder_and_the_encoder_agree_after_many_games() -> None:
    encoder, recorder, random = Encoder(), Recorder(), Random(9)
    texts = [record(random) for _ in range(20)] + [SHORT + "{c} U7: G5 {d} G8 *"]
    for text in texts * 2:
        for sheet, line in sheets(io.BytesIO(text.encode()).read):
            assert encoder.encode(sheet, 0)
            assert encoder.record.decode() == canonical(recorder.record(sheet, line))


def test_the_rows_of_many_games_are_those_of_each_one() -> None:
    texts, random = [record(Random(seed)) for seed in range(100)], Random(4)
    random.shuffle(texts)
    together, alone = Encoder(), Encoder()
    expected: list[list[list[object]]] = [
        [[] for _ in layout.names] for layout in (GAMES, TRICK_ROWS, FACTION_ROWS)
    ]
    for place, text in enumerate(texts):
        (sheet, _) = next(iter(sheets(io.BytesIO(text.encode()).read)))
        alone.drop_rows()
        assert together.encode(sheet, place) == alone.encode(sheet, place)
        for columns, more in zip(expected, alone.rows_as_lists(), strict=True):
            for column, values in zip(columns, more, strict=True):
                column += values
    assert len(expected[1][0]) > 1000
    assert list(together.rows_as_lists()) == expected


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
    assert moment_of("2026-11-14T19:30:00.5+01:00") == datetime(2026, 11, 14, 18, 30, tzinfo=UTC)
    assert moment_of("0001-01-01T00:00:00+14:00") is None
    assert moment_of("soon") is None


TAGS = """[Event "Cup"]
[Site "?"]
[Date "1969-12-31"]
[Round "1"]
[Start "1969-12-31T23:59:58+00:00"]
[Player1 "Ann \xc4rmel"]
[Player2 "?"]
[Rating1 "1523.5"]
[Id2 "b-7"]
[Deck "xuwkg"]

1. U7: G5 G8+ /W2
*
"""


def test_a_row_has_what_is_known_and_nothing_else(tmp_path: Path) -> None:
    """In Python and, from the file, in DuckDB: numbers before 1970, text that is not ASCII."""
    encoder, good = encoded(TAGS)
    assert good
    (row,) = encoder.values_as_dicts(GAMES.names)
    known = {name: value for name, value in row.items() if value is not None}
    assert known == {
        "i": 0,
        "key": int.from_bytes(encoder.digest[:8], "big"),
        "digest": encoder.digest,
        "event": number_of("event", "cup"),
        "event_name": "Cup",
        "date": "1969-12-31",
        "day": -1,
        "round": "1",
        "started": -2_000_000,
        "seats": 2,
        "p1": number_of("name", "ann \xe4rmel"),
        "n1": "Ann \xc4rmel",
        "r1": 1523.5,
        "p2": number_of("id", "b-7"),
        "i2": "b-7",
        "deck": row["deck"],
        **dict.fromkeys(("rules", "rulings", "result", "termination", "warnings"), 0),
        **dict.fromkeys(("leader", "tricks", "phase1_won2"), 1),
        "phase1_won1": 0,
        "complete": False,
        "players_key": row["players_key"],
        "record": encoder.record.decode(),
    }
    path = tmp_path / "rows.games"
    path.write_bytes(encoder.take_rows()[0])
    selected = duckdb.execute(f"SELECT {GAMES.sql(GAMES.names)} FROM read_parquet(?)", [str(path)])
    (read,) = selected.fetchall()
    known |= {"day": datetime(1969, 12, 31).date(), "started": datetime(1969, 12, 31, 23, 59, 58)}
    assert dict(zip(GAMES.names, read, strict=True)) == dict.fromkeys(GAMES.names) | known


def test_a_tag_behind_hundreds_of_others_is_read_as_any() -> None:
    many = "".join(f'[X{i} "x"]\n' for i in range(255))
    assert not encoded(f'[Deck "xuwkg"]\n{many}[Rating1 "good"]\n\n*')[1]
    encoder, good = encoded(f'{many}[Deck "xuwkg"]\n[Rating1 "1900"]\n\n*')
    assert good
    (row,) = encoder.values_as_dicts(GAMES.names)
    assert row["r1"] == 1900
    assert encoder.record.startswith(b'[Rating1 "1900"]\n[Deck "GKUWX"]\n[X0 "x"]\n')
