"""How answers are sent: gzipped on request, with a policy, only to the server's own host names."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest
from games import game, games
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from claimlog import loads
from claimlog.api.app import create_app, routes
from claimlog.api.logs import Log
from claimlog.api.settings import Settings
from claimlog.client import Client
from claimlog.replay.validate import judge_block
from claimlog.store import Archive, ArchiveUnreachable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .conftest import Served

    Tester = TestClient[Any]

HTML = {"Accept": "text/html"}
CLM = {"Content-Type": "text/x-claim"}
TABLE = {"deck": "GKUWX", "players": ["Anna Keller", "Ben Roth"]}
PLAIN = {"Accept-Encoding": "identity"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tester]:
    """A client with a token for everything, and 40 games."""
    folder: Path = tmp_path_factory.mktemp("answers")
    archive = Archive.open(folder / "games.duckdb")
    list(archive.import_games(io.BytesIO(games(40).encode()).read, workers=1))
    app = create_app(
        archive, Settings(hosts=("club.example", "localhost.local")), Log(io.BytesIO())
    )
    token, _ = app.resources.tokens.create("director", "admin")
    with TestClient(app=app, base_url="http://localhost.local") as made:
        made.headers["Authorization"] = f"Bearer {token}"
        yield made


def raw(client: Tester, path: str, **headers: str) -> tuple[dict[str, str], bytes]:
    """Return an answer's headers and its body as it was sent."""
    with client.stream("GET", path, headers=headers) as answer:
        assert answer.status_code == 200
        return dict(answer.headers), b"".join(answer.iter_raw())


@pytest.mark.parametrize(
    ("path", "accept"),
    [
        ("/v1/games?limit=40", "application/json"),
        ("/v1/stats/cards", "application/json"),
        ("/games", "text/html"),
        ("/", "text/html"),
        ("/openapi.json", "*/*"),
    ],
)
def test_what_is_large_is_packed_for_who_takes_it_so(
    client: Tester, path: str, accept: str
) -> None:
    for _ in range(2):  # the second answer is cached
        headers, body = raw(client, path, **{"Accept": accept, "Accept-Encoding": "br, gzip"})
        assert headers["content-encoding"] == "gzip"
        assert int(headers["content-length"]) == len(body)
        plain, whole = raw(client, path, **{"Accept": accept, "Accept-Encoding": "gzip;q=0"})
        assert "content-encoding" not in plain
        for one in (headers, plain):
            assert "Accept-Encoding" in one["vary"]
        if "etag" in plain:
            # Two representations have two ETags, and each is recognized.
            assert headers["etag"] != plain["etag"]
            for etag, encoding in ((headers["etag"], "gzip"), (plain["etag"], "identity")):
                again = {"Accept": accept, "Accept-Encoding": encoding, "If-None-Match": etag}
                assert client.get(path, headers=again).status_code == 304
            assert gzip.decompress(body) == whole
        assert len(body) < 0.6 * len(whole)


def test_what_is_small_or_named_by_its_etag_is_not_packed(client: Tester) -> None:
    id = client.get("/v1/games").json()["games"][0]["id"]
    for path in ("/v1/stats/count", "/health", f"/v1/games/{id}"):
        headers, _ = raw(client, path, **{"Accept-Encoding": "gzip"})
        assert "content-encoding" not in headers


def test_a_head_says_what_get_would(client: Tester) -> None:
    headers = {"Accept-Encoding": "gzip"}
    headers_sent = client.head("/v1/games", headers=headers).headers
    sent, _ = raw(client, "/v1/games", **headers)
    for name in ("content-encoding", "content-length", "etag", "vary"):
        assert headers_sent[name] == sent[name]


@pytest.mark.parametrize(
    "path", ["/nowhere", "/games?plyer=x", "/players/nobody%20at%20all", "/r/x"]
)
def test_error_pages_run_nothing(client: Tester, path: str) -> None:
    answer = client.get(path, headers=HTML)
    assert answer.status_code in (400, 404)
    assert answer.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    good = client.get("/", headers=HTML)
    assert answer.headers["content-security-policy"] == good.headers["content-security-policy"]
    assert "default-src 'none'" in client.get("/v1/nowhere").headers["content-security-policy"]


DEEP = b'{"players": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"


def test_errors_have_a_key_and_values_and_are_worded_as_they_are_wanted(client: Tester) -> None:
    path = "/v1/games?since=yesterday"
    english = client.get(path)
    german = client.get(path, headers={"Accept-Language": "de-CH, en;q=0.5"})
    for answer, language in ((english, "en"), (german, "de")):
        assert answer.status_code == 400
        assert answer.headers["content-language"] == language
        assert "accept-language" in answer.headers["vary"].lower()
        assert answer.json()["key"] == "question.date"
        assert answer.json()["values"] == {"text": "yesterday", "field": "since"}
    assert english.json()["title"] == "An argument cannot be understood"
    assert (
        english.json()["detail"] == "'yesterday' is not a date: write YYYY, YYYY-MM or YYYY-MM-DD"
    )
    assert german.json()["title"] == "Ein Argument ist nicht zu verstehen"
    assert german.json()["detail"].startswith("'yesterday' ist kein Datum")
    same = ("type", "status", "field")
    assert [english.json()[name] for name in same] == [german.json()[name] for name in same]


MISFITS: list[tuple[dict[str, Any], str, str]] = [
    ({"deck": 5}, "deck: must be a text, not a whole number",
     "deck: muss ein Text sein, nicht eine ganze Zahl"),
    ({"deck": "x" * 21}, "deck: must have at most 20 characters",
     "deck: darf höchstens 20 Zeichen haben"),
    ({"players": ["A"] * 5}, "players: must have at most 4 items",
     "players: darf höchstens 4 Einträge haben"),
    ({"players": ["A" * 501]}, "players[0]: must have at most 500 characters",
     "players[0]: darf höchstens 500 Zeichen haben"),
    ({"leader": 0}, "leader: must be at least 1", "leader: muss mindestens 1 sein"),
    ({"leader": 5}, "leader: must be at most 4", "leader: darf höchstens 4 sein"),
    ({"leader": [2]}, "leader: must be a whole number or null, not a list",
     "leader: muss eine ganze Zahl oder null sein, nicht eine Liste"),
    ({"loot": ["R22R"]}, "loot[0]: must match ^([A-Za-z][0-9]{1,2}|_)$",
     "loot[0]: muss zu ^([A-Za-z][0-9]{1,2}|_)$ passen"),
    ({"decks": "GKUWX"}, "'decks' is not one of the fields", "'decks' ist keines der Felder"),
]  # fmt: skip


def test_what_an_address_takes_is_said(client: Tester) -> None:
    """On a page, too, in place of what the title says already."""
    for path in ("/v1/nothing", "/nothing", "/v1/games/x/y/z", "/v1/"):
        for method in ("GET", "OPTIONS", "PUT"):
            said = client.request(method, path).json()
            detail = f"there is no address {path}; those of the API are in /docs"
            assert (said["status"], said["detail"]) == (404, detail)
    page = client.get("/nothing", headers=HTML | {"Accept-Language": "de"}).text.casefold()
    assert "es gibt keine adresse /nothing; die der api stehen in /docs" in page
    said = client.patch("/v1/games").json()
    assert said["detail"] == "/v1/games takes GET, HEAD, OPTIONS, POST, not PATCH"
    assert client.get(f"/v1/{'x' * 5000}").json()["values"]["path"] == f"/v1/{'x' * 196}"


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ("games?limit=0", "limit"),
        ("games?limit=x", "limit"),
        ("games?seats=9", "seats"),
        ("stats/cards?phase=3", "phase"),
        ("explorer?trick=27", "trick"),
        ("players?sort=x", "sort"),
        ("events/x/rounds/0/remarks", "round_number"),
    ],
)
def test_every_argument_that_cannot_be_is_a_bad_query(
    client: Tester, arguments: str, field: str
) -> None:
    """Whether it has the wrong form or is out of range."""
    said = client.get(f"/v1/{arguments}").json()
    assert (said["type"], said["field"]) == ("urn:claimlog:bad-query", field)


@pytest.mark.parametrize(("body", "english", "german"), MISFITS)
def test_what_does_not_fit_is_told_in_words(
    client: Tester, body: dict[str, Any], english: str, german: str
) -> None:
    for language, expected in (("en", english), ("de", german)):
        answer = client.post("/v1/tables", json=body, headers={"Accept-Language": language})
        assert (answer.status_code, answer.json()["detail"]) == (400, expected)


@pytest.mark.parametrize(
    ("body", "german"),
    [
        (b'{"record": ', "sie enden zu früh"),
        (b"{]", "fehlerhaft bei Byte 1"),
        (b'{"record": "\xff"}', "sie haben Zeichen, die kein gültiges Unicode sind"),
        (b'{"record": 1}', "record: muss ein Text sein, nicht eine ganze Zahl"),
    ],
)
def test_json_that_cannot_be_read_is_told_in_words(
    client: Tester, body: bytes, german: str
) -> None:
    headers = {"Content-Type": "application/json", "Accept-Language": "de"}
    answer = client.post("/v1/games", content=body, headers=headers)
    assert answer.status_code == 400
    assert answer.json()["detail"].removeprefix("die Daten sind kein JSON: ") == german


WON = {
    "en": "the result 1-0 is not that of the game; the game ended 0-1",
    "de": "das Ergebnis 1-0 ist nicht das der Partie; die Partie endete 0-1",
}


def sent(client: Tester, way: str, record: str, language: str) -> list[dict[str, Any]]:
    """Send a record that is refused; return its problems."""
    headers = {"Accept-Language": language}
    match way:
        case "clm":
            asked: dict[str, Any] = {"content": record.encode()}
            headers["Content-Type"] = "text/x-claim"
        case "json":
            asked = {"json": {"record": record}}
        case "report":
            (game,) = loads(Path("data/sample.clm").read_text())[:1]
            report = json.loads(json.dumps(game.report()))
            del report["tags"]["Votes"]
            report["tags"]["Result"] = report["result"] = "1-0"
            asked = {"json": report}
        case "corrected":
            path = f"/v1/games/{client.get('/v1/games').json()['games'][0]['id']}"
            headers |= {"If-Match": client.get(path).headers["ETag"]}
            headers["Content-Type"] = "text/x-claim"
            answer = client.put(path, content=record.encode(), headers=headers)
            return list(answer.json()["problems"])
        case _:
            headers["Content-Type"] = "text/x-claim"
            answer = client.post("/v1/imports", content=record.encode(), headers=headers)
            return list(json.loads(answer.text.splitlines()[0])["problems"])
    answer = client.post("/v1/games", headers=headers, **asked)
    assert answer.status_code == 422, answer.text
    return list(answer.json()["problems"])


@pytest.mark.parametrize("way", ["clm", "json", "report", "corrected", "imported"])
def test_problems_of_a_record_are_in_the_language_of_the_request(client: Tester, way: str) -> None:
    record = Path("data/broken/revoke.clm").read_text()
    for language in ("en", "de"):
        problems = sent(client, way, record, language)
        said = [one["message"] for one in problems]
        if way == "report":
            assert said == [WON[language]]
            continue
        (report,) = judge_block(record.encode(), 1, False, language=language).reports
        assert said == [one.message for one in report.problems]
        assert ("did not follow" in said[0]) == (language == "en")


def test_what_is_no_game_in_json_is_said_in_the_language_of_the_request(client: Tester) -> None:
    lines = [b'{"record": 3}', b"{}", b'{"tags": {"A B": ""}}', b'{"tags": {}, "result": "1:0"}']
    lines += [
        b'{"record": "%s"}' % (2 * games(1).replace("\n", "\\n").replace('"', '\\"')).encode()
    ]
    answer = client.post(
        "/v1/imports",
        content=b"\n".join(lines),
        headers={"Accept-Language": "de", "Content-Type": "application/x-ndjson"},
    )
    said = [json.loads(line) for line in answer.text.splitlines()[:-1]]
    assert [one["problems"][0]["message"] for one in said] == [
        "das ist keine Partie in JSON: record: muss ein Text oder null sein, nicht eine ganze Zahl",
        "eine Partie in JSON braucht `record`, oder `tags` und `tricks`",
        "'A B' ist kein Name eines Tags",
        "'1:0' ist kein Ergebnis",
        "eine Zeile enthält eine Partie, nicht 2",
    ]


def writing_json(client: Tester) -> Iterator[tuple[str, str]]:
    """Yield method and path of every operation that takes JSON."""
    for path, operations in client.get("/openapi.json").json()["paths"].items():
        for method, operation in operations.items():
            if "application/json" not in operation.get("requestBody", {}).get("content", {}):
                continue
            place = path.replace("{player_id}", "Anna%20Keller").replace("{game}", "0" * 13)
            place = place.replace("{event_id}", "Zurich%20Claim%20Open").replace(
                "{round_number}", "1"
            )
            if "{table_id}" in place:
                opened = client.post("/v1/tables", json={"deck": "GKUWX", "players": ["A", "B"]})
                place = place.replace("{table_id}", opened.json()["id"])
            assert "{" not in place
            yield method, place


def test_json_that_is_nested_deeply_is_refused(client: Tester) -> None:
    asked = 0
    for method, place in writing_json(client):
        headers = {"Content-Type": "application/json", "If-Match": "*"}
        answer = client.request(method, place, content=DEEP, headers=headers)
        assert answer.status_code == 400, (method, place, answer.text[:300])
        assert answer.json()["key"] == "body.too-deep"
        assert len(answer.content) < 2000
        asked += 1
    assert asked >= 10


def test_a_request_without_a_body_is_told_what_is_missing(client: Tester) -> None:
    missing = {"shape.body", "body.analysis", "body.correction", "body.no-record", "body.not-json"}
    keys = []
    for method, place in writing_json(client):
        headers = {"Content-Type": "application/json", "If-Match": "*"}
        answer = client.request(method, place, headers=headers)
        assert answer.status_code == 400, (method, place, answer.text[:300])
        assert answer.json()["key"] in missing, (method, place, answer.text)
        keys.append(answer.json()["key"])
    assert keys.count("shape.body") >= 30
    language = {"Accept-Language": "de"}
    answer = client.post("/v1/tables", headers=language)
    assert answer.json()["detail"] == "der Rumpf fehlt: ein JSON-Objekt wird gebraucht"


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "127.0.0.1:8000", "[::1]:8000",
                                  "192.0.2.7", "club.example", "Club.Example:443"])  # fmt: skip
def test_the_hosts_that_are_meant(client: Tester, host: str) -> None:
    assert client.get("/v1/stats/count", headers={"Host": host}).json() == {"games": 40}


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.org",
                                  "club.example.evil", "xclub.example", "a b", "1"])  # fmt: skip
@pytest.mark.parametrize("path", ["/v1/games", "/", "/health", "/static/x/y"])
def test_another_host_is_answered_nothing(client: Tester, host: str, path: str) -> None:
    """A web page could make its own host name point at this machine (DNS rebinding)."""
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code == 421
    assert answer.json()["type"] == "urn:claimlog:misdirected"
    assert "--name" in answer.json()["detail"]


@pytest.mark.only_file("the file of an archive is moved away")
@pytest.mark.parametrize("waiting", [True, False])
def test_an_archive_whose_file_is_away_does_not_answer(
    serve: Callable[..., Served], waiting: bool
) -> None:
    """Deleted, or its disk is gone: nothing is acknowledged, and the path is not told.

    Its tokens stay known.
    """
    served = serve()
    first, second = game(1), game(2)
    id = served.http.post("/v1/games", content=first, headers=CLM).json()["id"]
    if not waiting:
        served.archive.settle()
    token, _ = served.app.resources.tokens.create("all", "admin")
    served.http.headers["Authorization"] = f"Bearer {token}"
    assert served.http.get("/v1/tables").status_code == 200
    path = served.archive.path
    files = (path, path.with_name(f"{path.name}.tokens.json"))
    for file in files:
        file.rename(f"{file}.away")
    answers = [
        served.http.post("/v1/games", content=second, headers=CLM),
        served.http.delete(f"/v1/games/{id}", params={"why": "test"}),
        served.http.post("/v1/archive/backup"),
        served.http.post("/v1/tables", json=TABLE),
        *([served.http.get("/v1/games?limit=7")] if waiting else []),
        served.http.get("/health"),
    ]
    for answer in answers:
        problem = answer.json()
        assert (answer.status_code, problem["type"]) == (503, "urn:claimlog:unavailable")
        assert problem["detail"].startswith(f"{path.name} is gone")
        assert "Retry-After" in answer.headers
    assert "ArchiveGone" in served.logged()
    with Client(served.url) as client:
        assert client.alive()
    for file in files:
        Path(f"{file}.away").rename(file)
    assert served.http.post("/v1/games", content=second, headers=CLM).status_code == 201
    assert len(served.http.get("/v1/games?limit=7").json()["games"]) == 2
    assert served.http.get("/health").status_code == 200


@pytest.mark.only_file("the file of an archive is replaced")
def test_nothing_is_acknowledged_for_a_file_that_was_replaced(serve: Callable[..., Served]) -> None:
    """By one that was moved to its place; what still waited comes into that one."""
    served = serve()
    path = served.archive.path
    other = path.with_name("other.duckdb")
    served.http.post("/v1/games", content=game(1), headers=CLM)
    served.archive.backup(other)
    waits = served.http.post("/v1/games", content=game(2), headers=CLM).json()["id"]
    other.rename(path)
    for answer in (
        served.http.post("/v1/games", content=game(3), headers=CLM),
        served.http.post("/v1/imports", content=game(3), headers=CLM),
        served.http.post("/v1/archive/backup"),
    ):
        assert answer.status_code == 503
        assert answer.json()["detail"].startswith(f"{path.name} was replaced by another file")
    served.stop()
    with Archive.open(path) as archive:
        assert archive.count() == 2
        assert archive.game(waits).row.id == waits
        assert archive.check().good


@pytest.mark.only_file("the folder of an archive is moved away")
def test_a_folder_that_is_away_is_not_made_again_for_a_table(serve: Callable[..., Served]) -> None:
    served = serve()
    folder = served.archive.path.parent
    table = served.http.post("/v1/tables", json=TABLE).json()["id"]
    entry = {"id": "1", "kind": "enter", "word": "U7"}
    sent = {"device": "phone", "after": 0, "entries": [entry]}
    folder.rename(f"{folder}.away")
    for path, body in (("", TABLE), (f"/{table}/actions", sent)):
        answer = served.http.post(f"/v1/tables{path}", json=body)
        assert (answer.status_code, answer.json()["type"]) == (503, "urn:claimlog:unavailable")
        assert answer.json()["detail"].startswith(f"{served.archive.path.name} is gone")
    Path(f"{folder}.away").rename(folder)
    assert served.http.post(f"/v1/tables/{table}/actions", json=sent).status_code == 200
    assert len(served.http.get("/v1/tables").json()["tables"]) == 1


@pytest.mark.parametrize("path", ["/v1/stats/ratings", "/v1/players/{player}/ratings"])
def test_a_package_that_the_server_lacks_is_not_the_callers_fault(
    client: Tester, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """The page of a player is still shown, without ratings."""
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    player = client.get("/v1/players?limit=1").json()["players"][0]["id"]
    answer = client.get(path.format(player=player), headers={"Accept-Language": "de"})
    problem = answer.json()
    assert (answer.status_code, problem["type"]) == (501, "urn:claimlog:not-installed")
    assert problem["key"] == "ratings.missing"
    assert "openskill" in problem["detail"]
    assert client.get(f"/players/{player}", headers=HTML).status_code == 200


@pytest.mark.only_file("PostgreSQL is backed up with pg_dump")
def test_the_backup_of_a_server_that_was_killed_is_removed(
    serve: Callable[..., Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    served = serve()
    path = served.archive.path
    made = []

    def backup(copy: Path) -> None:
        made.append(copy)
        copy.write_bytes(b"copy")

    monkeypatch.setattr(served.archive, "backup", backup)
    assert served.http.post("/v1/archive/backup").content == b"copy"
    assert not made[0].parent.exists()
    served.stop()
    made[0].parent.mkdir()
    made[0].write_bytes(b"left by a server that was killed")
    other = path.with_name(f".other-{made[0].parent.name}")
    other.mkdir()
    Archive.open(path, read_only=True).close()
    assert made[0].exists()
    Archive.open(path).close()
    assert not made[0].parent.exists()
    assert other.exists()


def test_an_archive_that_does_not_answer_is_logged_in_a_line(
    serve: Callable[..., Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With every request of an outage there came the same long traceback."""
    served = serve()
    away = ArchiveUnreachable("postgres.unreachable", path="there", why="refused")
    monkeypatch.setattr(served.archive, "faction_stats", Mock(side_effect=away), raising=False)
    assert served.http.get("/v1/stats/factions").status_code == 503
    log = served.logged()
    assert '"event":"failure","error":"there cannot be reached: refused"' in log
    assert "Traceback" not in log


def test_no_handler_has_dependencies_that_are_resolved_in_tasks() -> None:
    for route in routes().routes:
        if isinstance(route, HTTPRoute):
            for _, model in route.route_handler_map.values():
                assert all(len(batch) == 1 for batch in model.dependency_batches), route.path


def test_answers_have_the_type_and_length_of_their_content(client: Tester) -> None:
    id = client.get("/v1/games").json()["games"][0]["id"]
    for path, accept, kind in (
        (f"/v1/games/{id}", "application/json", "application/json"),
        (f"/v1/games/{id}", "text/x-claim", "text/x-claim; charset=utf-8"),
        ("/v1/stats/factions", "text/csv", "text/csv; charset=utf-8"),
    ):
        headers, body = raw(client, path, **{"Accept": accept, **PLAIN})
        assert headers["content-type"] == kind
        assert int(headers["content-length"]) == len(body) > 0
