"""Pairings from other programs."""

from __future__ import annotations

import msgspec
import pytest
from directing.events import an_event

from claimlog.directing.desk import Absence
from claimlog.directing.model import Bye, Entrant
from claimlog.directing.uploads import read_pairings

PEOPLE = [
    Entrant(number=number, name=name)
    for number, name in enumerate(("Anna Keller", "Jörg Müller", "Keller, Bea", "Dora", "Emil"), 1)
]


@pytest.mark.parametrize(
    "text",
    [
        "Table;One;Other\n3;Mueller;anna k\n1;Bea;4\nEmil;bye",
        'Tisch\tA\tB\n1\tKELLER BEA\tdora\n3\tJörg Müller\t1\n"5"\tFreilos\n',
        '# mine\n1,"Keller, Bea",Dora\n\n3,2,1\nEmil,-,\n',
    ],
)
def test_they_are_taken_as_they_are(text):
    upload = read_pairings(text, an_event(PEOPLE, system="swiss"), 1)
    assert upload.problems == []
    assert [(one.number, one.players) for one in upload.pairing.tables] == [
        (1, (3, 4)),
        (3, (2, 1)),
    ]
    assert upload.pairing.byes == (Bye(entrant=5),)


def test_only_those_are_taken_and_what_cannot_be_is_told():
    board = msgspec.structs.replace(an_event(PEOPLE), withdrawn={4: 1})
    text = "1;Anna;Jörg\n2;Anna;Emil\n3;Dora;Emil\n1;Bea;Emil\n5;keller;Emil\n6;Zoe;9\nBea"
    upload = read_pairings(text, board, 1)
    assert [one.players for one in upload.pairing.tables] == [(1, 2)]
    assert [one.worded() for one in upload.problems] == [
        "line 2: Anna Keller is in this round already",
        "line 3: Dora does not play in round 1",
        "line 4: table 1 already exists, or is not a valid number",
        "line 5: 'keller' may be any of Anna Keller, Keller, Bea",
        "line 6: there is no entrant 'Zoe'",
        "line 7: expected 2 players, not 1",
    ]
    assert upload.problems[1].worded("de") == "Zeile 3: Dora spielt in Runde 1 nicht"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("round,table,player1,player2,result,source,game\n1,,Emil,,bye,half,\n", "half"),
        ("round,table,player1,player2,result,source,game\n1,,Emil,,bye,pairing,\n", "half"),
        ("round,table,player1,player2,result,source,game\n1,,Emil,,bye,zero,\n", "zero"),
        ("Emil; bye", "half"),
    ],
)
def test_a_requested_bye_is_taken_with_its_kind(text, kind):
    asked = Absence(entrant=5, round=1, kind="half")
    board = msgspec.structs.replace(an_event(PEOPLE), absences=(asked,))
    upload = read_pairings(text, board, 1)
    assert upload.problems == []
    assert upload.pairing.byes == (Bye(entrant=5, kind=kind),)
    gone = msgspec.structs.replace(board, withdrawn={5: 1})
    assert [one.key for one in read_pairings(text, gone, 1).problems] == ["upload.away"]


def test_the_kind_of_a_bye_is_taken_from_an_export():
    text = "round,table,player1,player2,result,source,game\n1,1,Dora,Emil,1-0,typed,\n1,,4,,bye,{},"
    for kind in ("pairing", "full", "half", "zero"):
        upload = read_pairings(text.replace("Dora", "2").format(kind), an_event(PEOPLE), 1)
        assert upload.pairing.byes == (Bye(entrant=4, kind=kind),)
