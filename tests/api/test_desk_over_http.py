"""Directing an event through a server: the same desk, with live tables, tokens and refusals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from claimlog.api.tokens import tokens_of
from claimlog.client import Client
from claimlog.directing import acts
from claimlog.directing.model import Bye, Entrant, Plan, Table, TableResult
from claimlog.store import ArchiveError, NotFound, RevisionChanged

if TYPE_CHECKING:
    from collections.abc import Callable

    from .conftest import Served

WON = TableResult(result="1-0", votes=(3, 2))
CUP = "Spring Cup"


def paired(round: int = 1) -> acts.Paired:
    tables = tuple(Table(number=n, players=(2 * n - 1, 2 * n), leader=2) for n in (1, 2))
    return acts.Paired(round=round, tables=tables, byes=(Bye(entrant=5),))


def test_a_round_through_a_server(serve: Callable[..., Served]) -> None:
    served = serve()
    with Client(served.url) as client:
        client.create_event(CUP, Plan(decks=("GKUWX",), site="Bern", delay=2), by="Ruth")
        client.enter(CUP, [Entrant(name=name) for name in ("Ann", "Bo", "Cy", "Di", "Ed")], by="R")
        client.direct(CUP, paired(), by="Ruth", why="drawn")
        started = client.start_round(CUP, 1, by="Ruth")
        assert started.desk == client.desk("spring cup") == served.archive.desk(CUP)
        assert [(link.table, link.round, link.players) for link in started.links] == [
            (1, 1, (1, 2)),
            (2, 1, (3, 4)),
        ]

        # The scorer's link is enough to record, the spectators' is not.
        (first, second) = started.links
        token = first.scorer.partition("#token=")[2]
        live = served.http.get(f"/v1/tables/{first.id}").json()
        assert live["view"]["players"] == ["Ann", "Bo"]
        assert (live["view"]["leader"], live["delay"]) == (2, 2)
        tags = live["view"]["tags"]
        assert [tags[name] for name in ("Event", "Round", "Table", "Site")] == [
            CUP,
            "1",
            "1",
            "Bern",
        ]
        with Client(served.url, token) as scorer, pytest.raises(ArchiveError, match="scope record"):
            scorer.direct(CUP, acts.ResultTyped(round=1, table=1, result=WON), by="")

        # Each act has its own fields, whatever they are called.
        client.direct(CUP, acts.AskedForBye(entrant=5, round=2, kind="half"), by="Ruth")
        client.undo_act(CUP, by="Ruth")

        # Starting the round again keeps the existing tables.
        client.undo_act(CUP, by="Ruth")
        again = client.start_round(CUP, 1, by="Ruth")
        assert [link.id for link in again.links] == [first.id, second.id]

        client.direct(CUP, acts.ResultTyped(round=1, table=1, result=WON), by="Flo")
        game = served.http.get(f"/v1/tables/{second.id}", headers={"Accept": "text/x-claim"}).text
        ended = game.rstrip().removesuffix("*").rstrip().replace('[Result "*"]', '[Result "0-1"]')
        ended = f'[Termination "resignation"]\n{ended}\n\n0-1\n'
        answer = served.http.post(
            "/v1/games", content=ended, headers={"Content-Type": "text/x-claim"}
        )
        assert answer.status_code == 201, answer.text
        assert client.close_round(CUP, 1, by="Ruth").rounds[0].missing == ()
        assert {line.name: line.points for line in client.standings(CUP).lines} == {
            **dict.fromkeys(("Ann", "Di", "Ed"), 1),
            **dict.fromkeys(("Bo", "Cy"), 0),
        }
        # `until` over HTTP is also a condition on records.
        for asked in (
            {"until": "2099"},
            {"known_at": "2099-01-01T00:00:00Z"},
            {"until": "2099", "until_round": "1"},
        ):
            for part, what in (("standings", "lines"), ("crosstable", "rows")):
                then = served.http.get(f"/v1/events/{CUP}/{part}", params=asked).json()[what]
                assert {one["name"]: one["points"] for one in then} == {
                    **dict.fromkeys(("Ann", "Di", "Ed"), 1),
                    **dict.fromkeys(("Bo", "Cy"), 0),
                }
        assert client.standings(CUP, until="2020").lines == []
        assert [one.by for one in client.desk_acts(CUP)[-2:]] == ["Flo", "Ruth"]
        assert [board.name for board in client.desks()] == [CUP]


def test_nobodys_work_is_replaced_unseen(serve: Callable[..., Served]) -> None:
    served = serve()
    with Client(served.url) as client:
        client.create_event(CUP, Plan(system="casual"), by="Ruth")
        client.enter(CUP, [Entrant(name=name) for name in ("Ann", "Bo")], by="Ruth")
        seen = client.desk(CUP).act
        client.direct(
            CUP, acts.Planned(plan=Plan(system="casual", minutes=40)), by="Ruth", seen=seen
        )
        with pytest.raises(RevisionChanged, match="changed meanwhile, by Ruth"):
            client.direct(
                CUP, acts.Planned(plan=Plan(system="casual", rounds=5)), by="Flo", seen=seen
            )
        paired = client.pair_round(CUP, by="Flo", seen=seen).desk
        client.start_round(CUP, 1, by="Ruth")
        with pytest.raises(RevisionChanged, match="changed meanwhile, by Ruth"):
            client.pair_round(CUP, by="Flo", seen=paired.act)
        won, lost = (TableResult(result=result) for result in ("1-0", "0-1"))
        seen = client.desk(CUP).act
        client.direct(CUP, acts.ResultTyped(round=1, table=1, result=won), by="Ruth", seen=seen)
        other = acts.ResultTyped(round=1, table=1, result=lost)
        with pytest.raises(RevisionChanged, match="table 1 has the result 1-0 meanwhile, by Ruth"):
            client.direct(CUP, other, by="Flo", seen=seen)
        board = client.direct(CUP, other, by="Flo", seen=seen + 1)
        assert board.rounds[0].tables[0].result == lost
        assert board.last is not None
        assert (board.last.act, board.last.by, board.last.table) == ("result", "Flo", 1)
        client.direct(CUP, acts.ResultTyped(round=1, table=1, result=None), by="Ruth")
        with pytest.raises(RevisionChanged, match="result of table 1 was removed meanwhile"):
            client.direct(CUP, other, by="Flo", seen=board.act)


def test_what_a_server_refuses(serve: Callable[..., Served]) -> None:
    served = serve()
    with Client(served.url) as client:
        with pytest.raises(NotFound):
            client.desk(CUP)
        board = client.create_event(CUP, by="Ruth")
        with pytest.raises(ArchiveError, match="is directed here already"):
            client.create_event(CUP, by="Ruth")
        with pytest.raises(RevisionChanged):
            client.direct(CUP, acts.Announced(text="now"), by="Ruth", expected=board.act + 1)
        with pytest.raises(ArchiveError, match="round 1 is not paired"):
            client.start_round(CUP, 1, by="Ruth")
    for body in ({"text": 1}, {"text": "now", "act": "announced"}, {}):
        answer = served.http.post(f"/v1/events/{CUP}/desk/announce", json=body)
        assert (answer.status_code, answer.json()["type"]) == (400, "urn:claimlog:bad-request")
    assert len(served.archive.desk_acts(CUP)) == 1


def test_who_may_do_what(serve: Callable[..., Served]) -> None:
    served = serve()
    texts = {}
    for scope in ("read", "record", "direct"):
        texts[scope], _ = tokens_of(served.archive).create(scope, scope)  # type: ignore[arg-type]
    with Client(served.url, texts["direct"]) as director:
        director.create_event(CUP, by="")
        director.enter(CUP, [Entrant(name=name) for name in ("Ann", "Bo", "Cy", "Di", "Ed")], by="")
        director.direct(CUP, paired(), by="")
        director.start_round(CUP, 1, by="")
        assert {one.by for one in director.desk_acts(CUP)} == {"direct"}
    with Client(served.url, texts["record"]) as scorer:
        scorer.direct(CUP, acts.ResultTyped(round=1, table=1, result=WON), by="")
        scorer.direct(CUP, acts.Confirmed(round=1, table=1, sides=(1, 2), result=WON), by="")
        with pytest.raises(ArchiveError, match="scope direct"):
            scorer.direct(CUP, acts.Corrected(round=1, table=1, result=None), by="")
    with Client(served.url, texts["read"]) as reader:
        assert reader.desk(CUP).rounds[0].tables[0].settled
        with pytest.raises(ArchiveError, match="scope record"):
            reader.direct(CUP, acts.ResultTyped(round=1, table=2, result=WON), by="")


def test_a_game_played_later_stays_at_the_desk_and_gets_new_links(
    serve: Callable[..., Served],
) -> None:
    """The next round is played meanwhile; the phone of the day before is at home."""
    served = serve()
    with Client(served.url) as client:
        client.create_event(CUP, Plan(system="casual", decks=("GKUWX",)), by="Ruth")
        client.enter(
            CUP, [Entrant(name=name) for name in ("Ann", "Bo", "Cy", "Di", "Ed")], by="Ruth"
        )
        client.direct(CUP, paired(), by="Ruth")
        links = client.start_round(CUP, 1, by="Ruth").links
        with pytest.raises(ArchiveError, match="round 2 is not paired"):
            client.round_links(CUP, 2, by="Ruth")
        later, over = links
        client.direct(CUP, acts.ResultTyped(round=1, table=over.table, result=WON), by="Ruth")
        client.close_round(CUP, 1, by="Ruth", adjourn=True)
        for number in (2, 3):
            assert [one.id for one in client.round_links(CUP, 1, by="Ruth")] == [later.id]
            assert (1, later.id) in [(one.round, one.id) for one in client.desk_tables(CUP)]
            client.pair_round(CUP, by="Ruth", relax=["rematch"])
            if number == 2:
                client.start_round(CUP, 2, by="Ruth")
                page = served.http.get(f"/events/{CUP}/desk", headers={"Accept": "text/html"}).text
                assert f'href="/tables/{later.id}"' in page
                assert f'href="/tables/{over.id}"' not in page
                client.close_round(CUP, 2, by="Ruth", adjourn=True)
        client.direct(CUP, acts.ResultTyped(round=1, table=later.table, result=WON), by="Ruth")
        with pytest.raises(ArchiveError, match="round 1 is not being played"):
            client.round_links(CUP, 1, by="Ruth")
        assert later.id not in [one.id for one in client.desk_tables(CUP)]


def test_who_comes_late_plays_whoever_has_the_bye_at_a_table_with_a_link(
    serve: Callable[..., Served],
) -> None:
    """The others play on, and their results stay."""
    served = serve()
    with Client(served.url) as client:
        client.create_event(CUP, Plan(decks=("GKUWX",)), by="Ruth")
        client.enter(
            CUP, [Entrant(name=name) for name in ("Ann", "Bo", "Cy", "Di", "Ed")], by="Ruth"
        )
        client.direct(CUP, paired(), by="Ruth")
        links = client.start_round(CUP, 1, by="Ruth").links
        client.direct(CUP, acts.ResultTyped(round=1, table=1, result=WON), by="Ruth")
        client.enter(CUP, [Entrant(name="Flo")], by="Ruth")
        page = served.http.get(f"/events/{CUP}/desk", headers={"Accept": "text/html"}).text
        assert 'desk/seat" data-body="{&#34;round&#34;: 1, &#34;table&#34;: 3}"' in page
        body = {"round": 1, "table": 3, "players": [6, 5]}
        answer = served.http.post(f"/v1/events/{CUP}/desk/seat", json=body)
        assert answer.status_code == 200, answer.text
        board = client.desk(CUP)
        assert [table.players for table in board.rounds[0].tables] == [(1, 2), (3, 4), (6, 5)]
        assert (board.rounds[0].byes, board.rounds[0].missing) == ((), (2, 3))
        assert board.last is not None
        assert board.last.described(str) == "seated (round 1, table 3)"
        second, third = client.round_links(CUP, 1, by="Ruth")
        assert (second.id, third.table) == (links[1].id, 3)
        live = served.http.get(f"/v1/tables/{third.id}").json()["view"]
        assert (live["players"], live["deck"]) == (["Flo", "Ed"], "GKUWX")
        assert client.undo_act(CUP, by="Ruth").rounds[0].byes == (Bye(entrant=5),)


def test_tables_stay_those_of_an_event_that_is_renamed(serve: Callable[..., Served]) -> None:
    """Nobody gets a second table for a game, and confirmations of phones count."""
    served = serve()
    with Client(served.url) as client:
        client.create_event(CUP, Plan(system="by-hand", decks=("GKUWX",)), by="Ruth")
        client.enter(CUP, [Entrant(name=name) for name in ("Ann", "Bo")], by="Ruth")
        paired = acts.Paired(round=1, tables=(Table(number=1, players=(1, 2)),))
        client.direct(CUP, paired, by="Ruth")
        (link,) = client.start_round(CUP, 1, by="Ruth").links
        event = client.rename_event(CUP, "Gala", by="Ruth").id
        assert [(one.id, one.number) for one in client.desk_tables("Gala")] == [(link.id, 1)]
        assert [one.id for one in client.round_links("Gala", 1, by="Ruth")] == [link.id]
        for name in ("Gala", event):
            rows = served.http.get("/v1/tables", params={"event": name}).json()["tables"]
            assert [row["id"] for row in rows] == [link.id]
        assert served.http.get("/v1/tables", params={"event": "Gal"}).json()["tables"] != []
        assert served.http.get("/v1/tables", params={"event": "Other"}).json()["tables"] == []
        entries = [
            {"kind": "finish", "id": "end", "result": "1-0", "termination": "resignation"},
            *({"kind": "confirm", "id": f"side-{side}", "side": side} for side in (1, 2)),
        ]
        path, token = f"/v1/tables/{link.id}", link.scorer.partition("#token=")[2]
        headers = {"Authorization": f"Bearer {token}"}
        body = {"device": "phone", "after": 0, "entries": entries}
        for action, sent in (("actions", body), ("finish", None)):
            answer = served.http.post(f"{path}/{action}", json=sent, headers=headers)
            assert answer.status_code == 200, answer.text
        (table,) = client.desk("Gala").rounds[0].tables
        assert (table.settled, table.source) == (True, "typed")
