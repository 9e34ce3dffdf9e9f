"""An archive with something of every kind for each page to show, and the addresses of all pages."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx
from games import game

from claimlog import dumps
from claimlog.analysis.answering import answer, puzzling_of, read_puzzles
from claimlog.api.pages import HANDLERS as PAGES
from claimlog.api.pages import links
from claimlog.api.pages.pictures import can_draw
from claimlog.api.pages.statistics import STATISTICS
from claimlog.cards import LETTERS
from claimlog.link import encode
from claimlog.simulate import simulate_games
from claimlog.store import Archive
from claimlog.store.questions.results import Grouping
from claimlog.web.printing import KINDS as PRINTED
from claimlog.web.site import table_page, tables_page

CLM = {"Content-Type": "text/x-claim"}
DELETED = "Ada Short"


def agreed(result: str, *names: str, **tags: str) -> str:
    """A record without tricks."""
    given = {f"Player{seat}": name for seat, name in enumerate(names, 1)} | tags
    lines = [f'[{name} "{value}"]' for name, value in given.items()]
    return "\n".join([*lines, f'[Result "{result}"]', "", result, ""])


RECORDS = [
    game(1, Event="Spring Cup", Date="2026-05-02"),
    game(2, Event="SPRING CUP", Date="2026-05-??", Round="2"),
    game(3, Event="", Date="????-??-??", Round="", Table=""),
    game(4, tricks=9, Event="Spring Cup", Date="2026-06-01", Round="3"),
    game(5, tricks=20, Event="Undated", Date="????-??-??"),
    *(
        dumps(one)
        for seats in (3, 4)
        for one in simulate_games(2, seats=seats, seed=7, tags={"Event": "Many", "Round": "1"})
    ),
    *map(dumps, simulate_games(1, deck="GKBSU", policy="random", seed=44)),
    agreed("1", "Anna Keller", Event="Spring Cup", Round="1", Termination="bye"),
    agreed("0-1", "Ben Roth", "Cy", Deck="GKUWX", Event="Forfeits", Termination="forfeit"),
    agreed("*", "?", "Dan", Deck="GKUWX", Event="Nothing yet"),
    agreed("0-1", "Łukasz 王", "Cy", Deck="GKUWX", Event="Łódź & Δ", Termination="forfeit"),
    agreed(
        "1/2-1/2", "Anna Keller", "Ben Roth", Deck="GKUWX", Event="Draws", Id1="AK-1",
        Rating1="1510", Rating2="1490.5", Site="Bern", Termination="adjudication",
        Scenario="A duel",
    ),
]  # fmt: skip


@dataclass
class Archived:
    """An archive behind a server, or behind the application without a server."""

    http: httpx.Client
    token: str = ""
    tables: list[str] = field(default_factory=list)

    def see(self, path: str, language: str = "en", **headers: str) -> httpx.Response:
        """A page as a browser gets it."""
        asked = {"Accept": "text/html", "Accept-Language": language} | headers
        return self.http.get(path, headers=asked, follow_redirects=True)

    def ask(self, path: str, method: str = "GET", **how: Any) -> Any:
        """The API's answer."""
        headers = how.pop("headers", {})
        if self.token:
            headers = headers | {"Authorization": f"Bearer {self.token}"}
        answer = self.http.request(method, f"/v1/{path}", headers=headers, **how)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def post(self, path: str, **how: Any) -> Any:
        return self.ask(path, "POST", **how)

    def ids(self, what: str) -> list[str]:
        """The ids of all games, players or events."""
        return [quote(row["id"]) for row in self.ask(f"{what}?limit=100")[what]]


def puzzle_out(archive: Archive) -> None:
    """Find the puzzles of all games, as a server does after a while."""
    records = archive.without_puzzles(100)
    archive.keep_puzzles(read_puzzles(answer(puzzling_of(records))))


EVENTS = ("Spring Cup", None, "Spring Cup", None, "Another Cup", "Spring Cup", "Spring Cup")
"""The events of the tables: nothing is played at the first, the third is abandoned, the last over.
"""


def fill(served: Archived) -> None:
    """Store games of all kinds, and open tables of all kinds."""
    for record in RECORDS:
        served.post("games?doubtful=beside", content=record.encode(), headers=CLM)
    gone = served.post("games", content=game(8, Player1=DELETED, Event="Gone"), headers=CLM)
    served.ask(f"games/{gone['id']}?why=twice", "DELETE")
    first = served.ask("games?sort=oldest&limit=1")["games"][0]["id"]
    record = served.ask(f"games/{first}")["record"].replace("2026-05-02", "2026-05-03")
    address = f"games/{first}?why=the+day+before+was+a+Friday"
    served.ask(address, "PUT", content=record.encode(), headers=CLM | {"If-Match": "*"})
    for number, event in enumerate(EVENTS):
        about = {"deck": "GKUWX", "players": ["Anna", "Ben"], "event": event, "round": "4"}
        table = served.post("tables", json={name: value for name, value in about.items() if value})
        path = f"tables/{table['id']}"
        if number:
            entries = [
                {"id": f"{number}{word}", "kind": "enter", "word": word}
                for word in ("U7", "G5", "G8")
            ]
            served.post(f"{path}/actions", json={"device": "a", "after": 0, "entries": entries})
        if number == 2:
            served.post(f"{path}/abandon", json={"reason": "fire alarm"})
        if number == 6:
            end = {"id": "end", "kind": "finish", "result": "1-0", "termination": "resignation"}
            served.post(f"{path}/actions", json={"device": "a", "after": 3, "entries": [end]})
            served.post(f"{path}/finish")
        served.tables.append(table["id"])


def direct(served: Archived) -> list[str]:
    """Direct an event until its second round is played; return the pages that it has then."""
    plan = {"system": "swiss", "rounds": 3, "decks": ["GKUWX"], "minutes": 30, "site": "Zurich"}
    event = served.post("events", json={"name": "Directed Open", "plan": plan})["event"]
    entrants = [
        {"name": name, "category": category}
        for name, category in zip(
            ("Ann <b>", "Bo", "Cy", "Di", "Łukasz 王"), ("Youth", "", "Youth", "", ""), strict=True
        )
    ]
    served.post(f"events/{event}/entrants", json={"entrants": entrants})
    for number in (1, 2):
        paired = served.post(f"events/{event}/pair", json={})["desk"]
        served.post(f"events/{event}/rounds/{number}/start", json={})
        for table in paired["rounds"][-1]["tables"][number - 1 :]:
            typed = {"round": number, "table": table["number"], "result": {"result": "1-0"}}
            served.post(f"events/{event}/desk/result", json=typed)
        if number == 1:
            served.post(f"events/{event}/rounds/1/close", json={})
    served.post(f"events/{event}/desk/announce", json={"text": "Lunch at noon"})
    place = f"/events/{event}"
    pages = ("", "/desk", "/places", "/places?entrant=1", "/wall")
    return [place + page for page in (*pages, *(f"/print/{kind}" for kind in PRINTED))]


def addresses(served: Archived, *, few: bool = False) -> list[str]:
    """The pages of an archive: all that differ of each kind, or a few."""
    listed = ["/games?seats=3&sort=date", "/explorer?after=G&phase=1", "/explorer?trick=2&all=true"]
    if served.tables:
        listed += ["/stats/results?by=opponent&player=Clara+Meier", "/stats/factions?seats=3"]
        listed += ["/explorer?by=player&player=Clara+Meier"]
    begun = ["Another%20Cup"] if served.tables else []  # only a table is open
    groupings = [by for by in Grouping.__args__ if by not in ("opponent", "partner")]
    listed += [f"/stats/results?by={by}" for by in groupings[: 1 if few else None]]
    filled = {
        "letter": LETTERS[: 1 if few else None],
        "kind": tuple(STATISTICS),
        "game": served.ids("games"),
        "player_id": served.ids("players")[: 2 if few else None],
        "event_id": served.ids("events")[: 2 if few else None] + begun,
        "id": ["new", *served.tables],
        "puzzle_id": served.ids("puzzles"),
        "code": [encode(next(simulate_games(1, seats=2, seed=3)))],
    }
    for handler in (*PAGES, tables_page, table_page, *links.HANDLERS):
        for path in handler.paths:
            if path.endswith("/picture") and not can_draw():
                continue
            if path.endswith(("/worth", "/try", "/others")):
                continue  # an analysis of each game would take long; `others` takes a moment
            if path.endswith("/line") or (path == "/puzzles/daily" and not filled["puzzle_id"]):
                continue  # tests/api/test_puzzle_pages.py
            if path.endswith(("/desk", "/places", "/print/{kind:str}")) and "event_id" in path:
                continue  # except for that of `direct`, events have no director
            path = path.replace("{moment:str}", "3.1")
            names = re.findall(r"\{(\w+):str\}", path)
            assert len(names) <= 1, path
            values = filled[names[0]] if names else [""]
            listed += [re.sub(r"\{\w+:str\}", value, path) for value in values]
    return listed
