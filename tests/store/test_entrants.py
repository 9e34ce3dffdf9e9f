"""Which entrant a record means, by Id tags and names."""

from claimlog.directing import acts
from claimlog.directing.model import Bye, Entrant, Table
from claimlog.store import Archive

from .test_chain import bring
from .test_directing import begun, points
from .test_people import short


def test_a_record_may_have_ids_of_entrants_who_were_entered_by_name(archive: Archive) -> None:
    begun(archive)
    archive.store(short("Spring Cup", 1, "1-0", "Di", "Cye", Table="2", Id1="CH-4", Id2="CH-3"))
    bring(archive)
    board = archive.desk("Spring Cup")
    (one,) = board.spellings
    assert (one.name, one.entrant) == ("Cye", 3)
    archive.direct("Spring Cup", acts.Spelled(entrant=3, name="Cye"), by="Ruth")
    assert points(archive) == {"Ann": 0, "Bo": 0, "Cy": 0, "Di": 1, "Ed": 1}
    board = archive.desk("Spring Cup")
    assert not board.spellings
    assert not board.lost
    table = board.rounds[0].tables[1]
    assert (table.source, table.result and table.result.result) == ("record", "0-1")


def test_an_id_counts_more_than_a_name(archive: Archive) -> None:
    archive.create_event("Spring Cup", by="Ruth")
    entrants = [Entrant(name="Di"), Entrant(name="Cy"), Entrant(name="Bo", id="CH-4")]
    archive.enter("Spring Cup", entrants, by="Ruth")
    tables = (Table(number=1, players=(3, 2)),)
    paired = acts.Paired(round=1, tables=tables, byes=(Bye(entrant=1),))
    archive.direct("Spring Cup", paired, by="Ruth")
    archive.direct("Spring Cup", acts.Started(round=1), by="Ruth")
    archive.store(short("Spring Cup", 1, "1-0", "Di", "Cy", Id1="CH-4"))
    bring(archive)
    assert archive.desk("Spring Cup").rounds[0].tables[0].source == "record"
    assert points(archive) == {"Bo": 1, "Cy": 0, "Di": 1}
