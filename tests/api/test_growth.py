"""The time and memory for text sent over HTTP grow with its bytes, not with their square.

The tests look at no clock: they count function calls, peak memory, and the combining marks in a row
in all text that is normalised, because that is where the cost is quadratic.
"""

from __future__ import annotations

import asyncio
import io
import json
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from games import game
from growth import Cost, assert_linear
from litestar.testing import TestClient

from claimlog.api.app import create_app
from claimlog.api.logs import Log
from claimlog.api.settings import Settings
from claimlog.notation.names import MARKS
from claimlog.store import Archive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import httpx

    Client = TestClient[Any]

CLM = {"Content-Type": "text/x-claim"}
NDJSON = {"Content-Type": "application/x-ndjson"}
MARK = "\N{COMBINING CEDILLA}\N{COMBINING DIAERESIS}"
LONG = "e" + MARK * 2000
SHORT = "e" + MARK * 60
"""Short enough for a query."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client with all rights, a game and a table."""
    folder: Path = tmp_path_factory.mktemp("growth")
    app = create_app(Archive.open(folder / "games.duckdb"), Settings(), Log(io.BytesIO()))
    token, _ = app.resources.tokens.create("director", "admin")
    with TestClient(app=app) as made:
        made.headers["Authorization"] = f"Bearer {token}"
        assert made.post("/v1/games", content=game(1).encode(), headers=CLM).status_code == 201
        yield made


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The most combining marks in a row in each text that was normalised."""
    numbers: list[int] = []
    normalize = unicodedata.normalize

    def counting(form: str, text: str) -> str:
        longest = row = 0
        for letter in normalize("NFKD", text):
            row = row + 1 if unicodedata.combining(letter) else 0
            longest = max(longest, row)
        numbers.append(longest)
        return normalize(form, text)

    monkeypatch.setattr(unicodedata, "normalize", counting)
    yield numbers
    assert max(numbers, default=0) <= MARKS + 2


def in_table(client: Client, *entries: dict[str, Any]) -> httpx.Response:
    """Send entries to a new table."""
    opened = client.post("/v1/tables", json={"deck": "GKUWX", "players": ["A", "B"]}).json()
    actions = {"device": "d", "after": 0, "entries": list(entries)}
    return client.post(f"/v1/tables/{opened['id']}/actions", json=actions)


def record(**tags: str) -> bytes:
    return game(2, **tags).encode()


DOORS: dict[str, tuple[Callable[[Client], httpx.Response], set[int]]] = {
    "CLM": (lambda c: c.post("/v1/games", content=record(Player1=LONG), headers=CLM), {422}),
    "another tag": (lambda c: c.post("/v1/games", content=record(Zoo=LONG), headers=CLM), {422}),
    "JSON": (lambda c: c.post("/v1/games", json={"record": record(Site=LONG).decode()}), {422}),
    "JSON's tags": (
        lambda c: c.post("/v1/games", json={"tags": {"Deck": "GKUWX", "Event": LONG}}),
        {422},
    ),
    "a comment": (
        lambda c: c.post("/v1/games", content=game(3, comment=LONG).encode(), headers=CLM),
        {201, 409},
    ),
    "an import": (
        lambda c: c.post("/v1/imports", content=record(Event=LONG), headers=CLM),
        {200},
    ),
    "an import of JSON": (
        lambda c: c.post(
            "/v1/imports",
            content=json.dumps({"tags": {"Deck": "GKUWX", "Player1": LONG, "Player2": "B"}}),
            headers=NDJSON,
        ),
        {200},
    ),
    "a correction": (
        lambda c: c.put(
            f"/v1/games/{c.get('/v1/games').json()['games'][0]['id']}",
            content=record(Event=LONG),
            headers=CLM | {"If-Match": "*"},
        ),
        {422},
    ),
    "many corrections": (
        lambda c: c.post("/v1/corrections", json={"names": {SHORT: "x"}, "why": "y"}),
        {400},
    ),
    "corrected tags": (
        lambda c: c.post("/v1/corrections", json={"tags": {"Event": SHORT}, "why": "y"}),
        {400},
    ),
    "a table": (
        lambda c: c.post("/v1/tables", json={"deck": "GKUWX", "players": [SHORT, "B"]}),
        {422},
    ),
    "a table's text": (
        lambda c: c.post("/v1/tables", json={"text": f'[Deck "GKUWX"]\n[Event "{LONG}"]\n\n*\n'}),
        {422},
    ),
    "a tag at a table": (
        lambda c: in_table(c, {"id": "a", "kind": "tag", "name": "Event", "value": SHORT}),
        {200},
    ),
    "a note at a table": (
        lambda c: in_table(
            c,
            {"id": "a", "kind": "enter", "word": "U7"},
            {"id": "b", "kind": "note", "text": SHORT},
        ),
        {200},
    ),
    "a title": (
        lambda c: c.put("/v1/events/Zurich%20Claim%20Open/name", json={"name": SHORT}),
        {400},
    ),
    "an alias": (
        lambda c: c.post("/v1/players/Anna/aliases", json={"alias": SHORT}),
        {400, 404},
    ),
    "a link": (lambda c: c.get("/r/abc", params={"p1": SHORT}), {404}),
    **{
        f"a filter: {name}": (lambda c, name=name: c.get("/v1/games", params={name: SHORT}), {400})
        for name in ("player", "event", "site", "round", "table", "text")
    },
    **{
        f"in the path: {kind}": (lambda c, kind=kind: c.get(f"/v1/{kind}/{quote(SHORT)}"), {400})
        for kind in ("players", "events")
    },
    **{
        f"a search: {kind}": (
            lambda c, kind=kind: c.get(f"/v1/{kind}", params={"search": SHORT}),
            {400},
        )
        for kind in ("players", "events")
    },
    "a list of tables": (lambda c: c.get("/v1/tables", params={"event": SHORT}), {400}),
    "a round": (
        lambda c: c.get("/v1/events/Zurich%20Claim%20Open/tables", params={"round": SHORT}),
        {200},
    ),
}


@pytest.mark.parametrize("door", DOORS)
def test_rows_of_marks_are_refused_before_they_are_normalised(
    client: Client, rows: list[int], door: str
) -> None:
    ask, statuses = DOORS[door]
    answer = ask(client)
    assert answer.status_code in statuses, answer.text[:1000]
    if answer.status_code == 422:
        assert "combining marks" in answer.text or "501" in answer.text or "4001" in answer.text


def test_a_long_tag_is_a_bad_tag(client: Client) -> None:
    answer = client.post("/v1/games", content=record(Event="x" * 501), headers=CLM)
    (problem,) = answer.json()["problems"]
    assert (answer.status_code, problem["code"]) == (422, "bad-tag")
    assert problem["message"] == "Event has 501 characters; a value has at most 500"
    answer = client.post("/v1/games", content=record(Event="x" * 500), headers=CLM)
    assert answer.status_code == 201


def deep(size: int) -> bytes:
    return b'{"record": ' + b"[" * size + b"]" * size + b"}"


BODIES: dict[str, tuple[dict[str, str], Callable[[int], bytes]]] = {
    "tags": (CLM, lambda n: b"".join(b'[T%d "x"]\n' % i for i in range(n // 10)) + b"\n*"),
    "one tag": (CLM, lambda n: b'[Event "%s"]\n\n*' % (b"x" * n)),
    "marks": (CLM, lambda n: f'[Event "{"e" + MARK * (n // 4)}"]\n\n*'.encode()),
    "a comment": (CLM, lambda n: b'[Deck "GKUWX"]\n\n{%s} *' % ("é" * (n // 2)).encode()),
    "comments": (CLM, lambda n: b'[Deck "GKUWX"]\n\n%s *' % (b"{x} " * (n // 4))),
    "escapes": (CLM, lambda n: b'[Event "%s"]\n\n*' % (b"\\" * n)),
    "an open comment": (CLM, lambda n: b'[Deck "GKUWX"]\n\n' + b"{\n" * (n // 2)),
    "half a tag": (CLM, lambda n: b"[A" * (n // 2)),
    "words": (CLM, lambda n: b'[Deck "GKUWX"]\n\n' + b"Q5 " * (n // 3)),
    "a word": (CLM, lambda n: b'[Deck "GKUWX"]\n\n' + b"Q" * n),
    "JSON": ({"Content-Type": "application/json"}, deep),
    "names in JSON": (
        {"Content-Type": "application/json"},
        lambda n: json.dumps({"tags": {f"T{i}": "x" for i in range(n // 10)}}).encode(),
    ),
    "comments in JSON": (
        {"Content-Type": "application/json"},
        lambda n: json.dumps({"tags": {"Deck": "GKUWX"}, "comments": ["}"] * (n // 5)}).encode(),
    ),
}
SIZE = 10_000


@pytest.mark.parametrize("kind", BODIES)
def test_time_and_memory_grow_with_the_bytes(client: Client, kind: str) -> None:
    from claimlog.notation.reader import Block
    from claimlog.store.intake.batch import Maker

    headers, made = BODIES[kind]
    form = "clm" if headers is CLM else "ndjson"

    def of(size: int) -> Callable[[], object]:
        body = made(size)
        maker = Maker()
        return lambda: maker.entries(Block(body, 1), form)

    assert_linear(of, SIZE, Cost(2000, 1_000_000))
    answer = client.post("/v1/games", content=made(4 * SIZE), headers=headers)
    assert answer.status_code in (201, 400, 409, 422), answer.text[:500]
    assert len(answer.content) < 200_000


QUERIES: dict[str, Callable[[int], str]] = {
    "a word": lambda n: "text=" + "x" * n,
    "words": lambda n: "text=" + "x+" * (n // 2),
    "escapes": lambda n: "text=" + "%C3%A9" * (n // 6),
    "marks": lambda n: "player=e" + "%CC%96" * (n // 6),
    "players": lambda n: "player=a" + "&player=a" * (n // 9),
    "unknown arguments": lambda n: "&".join(f"a{i}=x" for i in range(n // 7)),
    "nothing": lambda n: "&" * n,
    "a date": lambda n: "since=" + "1." * (n // 2),
    "factions": lambda n: "factions=" + "Undead," * (n // 7),
}


@pytest.mark.parametrize("kind", QUERIES)
def test_filters_grow_with_their_bytes(client: Client, kind: str) -> None:
    """Everything done with a query on arrival, for a page as for a program."""
    statuses: set[int | None] = set()

    def of(size: int) -> Callable[[], object]:
        scope = {
            "type": "http", "method": "GET", "path": "/games", "raw_path": b"/games",
            "query_string": QUERIES[kind](size).encode(), "root_path": "", "scheme": "http",
            "headers": [(b"host", b"localhost"), (b"accept", b"text/html")],
            "client": ("127.0.0.1", 1), "server": ("localhost", 80), "http_version": "1.1",
        }  # fmt: skip

        async def receive() -> None:
            await asyncio.Event().wait()

        async def send(message: dict[str, Any]) -> None:
            statuses.add(message.get("status"))

        return lambda: asyncio.run(client.app(scope | {"state": {}}, receive, send))

    # In a thread: with Playwright, an event loop already runs in this one.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(assert_linear, of, 4000, Cost(1000, 300_000)).result()
    assert statuses <= {None, 200, 303, 400, 404}
