"""Rows made again from stored records."""

from pathlib import Path

import duckdb
import pytest
from games import game

from claimlog.notation.writer import canonical
from claimlog.replay.recorder import replay_text
from claimlog.store.archive import Archive
from claimlog.store.intake.remaking import Remaker
from claimlog.store.intake.storing import READ_GAMES


def test_files_of_rows_are_never_taken_for_earlier_ones(tmp_path: Path) -> None:
    """Files of one size, written in the same second, whose columns begin at other places."""
    remaker = Remaker(tmp_path)
    with duckdb.connect() as connection:
        for length in (3, 30, 10, 20) * 3:
            (replay,) = replay_text(game(1, Event="E" * length, Site="S" * (40 - length)))
            record = canonical(replay)
            assert remaker.make([(i, record) for i in range(300)]) == []
            assert connection.execute(
                f"SELECT DISTINCT event_name, site FROM {READ_GAMES}", [str(remaker.paths[0])]
            ).fetchall() == [("E" * length, "S" * (40 - length))]
    remaker.discard()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.file_is_enough("a lake's readers ask for the same files again")
def test_duckdb_remembers_no_files_of_rows(tmp_path: Path) -> None:
    """It would keep some kilobytes for each batch until the server ends."""
    with Archive.open(tmp_path / "a.duckdb") as archive, archive._backend.read() as cursor:
        asked = cursor.execute("SELECT current_setting('enable_external_file_cache')")
        assert asked.fetchone() == (False,)
