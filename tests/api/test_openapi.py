"""The OpenAPI document is accurate: schemathesis tries everything that it allows."""

import contextlib
import io
import re
from unittest import SkipTest

import msgspec
import pytest
from examples import number_of
from games import game, games
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from litestar.testing import TestClient

pytest.importorskip("schemathesis", reason="needs schemathesis, of claimlog[test-all]")

import schemathesis
from jsonschema_rs import Draft202012Validator

from claimlog.api.app import create_app, routes
from claimlog.api.handlers.query_arguments import Kind, arguments_of
from claimlog.api.http.problem import ProblemDetails
from claimlog.api.logs import Log
from claimlog.api.openapi.document import LINKED
from claimlog.api.openapi.fields import FIELDS, LIMITS
from claimlog.api.settings import Settings
from claimlog.store import Archive
from claimlog.store.model.filter import CONDITIONS

RECORDS = [game(seed) for seed in range(6)] + [game(7, tricks=3), game(8).replace("U", "Q")]

schemathesis.openapi.media_type(
    "text/x-claim", st.one_of(st.sampled_from(RECORDS), st.text()).map(lambda t: t.encode())
)
schemathesis.openapi.media_type(
    "application/x-ndjson",
    st.sampled_from([b'{"record": "*"}\n', b"{}\n", b"null\n[1]\n", b"", b"{\n"]),
)


class NoLifespan:
    """An application whose archive stays open however many clients come and go."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})
        else:
            await self.app(scope, receive, send)


@pytest.fixture(scope="module")
def application(tmp_path_factory):
    path = tmp_path_factory.mktemp("schema") / "games.duckdb"
    # A stream of events would otherwise go on for an hour.
    front = create_app(Archive.open(path), Settings(watch_time=0.05), Log(io.BytesIO()))
    text = io.BytesIO(games(20).encode())
    ids = [
        outcome.id
        for batch in front.resources.archive.import_games(text.read, workers=1)
        for outcome in batch
    ]
    token, _ = front.resources.tokens.create("schemathesis", "admin")
    with TestClient(app=NoLifespan(front)) as http:
        headers = {"Authorization": f"Bearer {token}"}
        agreed = {"deck": "GKUWX", "players": ["Anna", "Ben"], "event": "Zurich Claim Open"}
        tables = [
            http.post("/v1/tables", json=agreed, headers=headers).json()["id"] for _ in range(3)
        ]
    yield front, token, ids, tables
    # Each process that runs these tests has its own application.
    log = front.resources.log
    log.flush()
    failures = [line for line in log.stream.getvalue().splitlines() if b'"failure"' in line]
    front.resources.close()
    assert not failures, failures[:3]


@pytest.fixture(scope="module")
def described(application):
    """The schema; 400 is acceptable for arguments that match it but not each other."""
    statuses = ["2xx", "304", "400", "401", "403", "404", "406", "409", "410", "412", "415", "422",
                "428", "503"]  # fmt: skip
    config = schemathesis.Config.from_dict(
        {"checks": {"positive_data_acceptance": {"expected-statuses": statuses}}}
    )
    return schemathesis.openapi.from_asgi(
        "/openapi.json", NoLifespan(application[0]), config=config, timeout=300
    )


DOCUMENT = routes().state.openapi()
OPERATIONS = [(path, method) for path, item in DOCUMENT["paths"].items() for method in item]


ABOUT_OTHERS = {
    **dict.fromkeys(("seat", "partner", "opponent", "outcome", "player"), "about a player"),
    **dict.fromkeys(("factions", "without", "deck"), "no letter twice"),
    **dict.fromkeys(("since", "until"), "a day of the calendar"),
    **dict.fromkeys(("cursor", "until_round", "view"), "what the archive has"),
    "entries": "what an entry of its kind has",
    **dict.fromkeys(("tags", "names"), "names and values that a tag can have"),
    **dict.fromkeys(("text", "played", "led", "won", "upcard"), "not too many at once"),
}
"""By argument, why a value that matches its schema may still be refused."""


def fits_but_not_together(details):
    """Whether the 400 has a reason that no schema can express."""
    return (
        details.get("field") in ABOUT_OTHERS
        or details["type"] == "urn:claimlog:ambiguous"
        or "name the tags or names to change" in details["detail"]
        or "null character" in details["detail"]
        or "arguments may be given" in details["detail"]
    )


@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_everything_that_the_document_says(path, method, mode, described, application):
    _, token, ids, tables = application
    operation = described[path][method]

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=number_of(0.1),
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
        derandomize=True,
        database=None,
    )
    def ask(case):
        if "game" in case.path_parameters and len(str(case.path_parameters)) % 3:
            case.path_parameters["game"] = ids[len(str(case.query)) % len(ids)]
        if "table_id" in case.path_parameters and len(str(case.path_parameters)) % 3:
            case.path_parameters["table_id"] = tables[len(str(case.query)) % len(tables)]
        answer = case.call_and_validate(headers={"Authorization": f"Bearer {token}"})
        if mode is schemathesis.GenerationMode.POSITIVE and answer.status_code == 400:
            body = answer.json()
            assert fits_but_not_together(body), (case.query, case.body, body)
        if answer.status_code == 400:
            # No message from a library, which would be English for everybody.
            assert '"key":"said"' not in answer.text, (case.query, case.body, answer.text)

    with contextlib.suppress(Unsatisfiable, SkipTest):
        ask()


TIMES = {("Clocked", "minutes"), ("RoundClock", "left")}


def test_every_field_is_described():
    schemas = DOCUMENT["components"]["schemas"]
    fields = {
        (kind, name): field
        for kind, schema in schemas.items()
        for name, field in schema.get("properties", {}).items()
    }
    assert [place for place, field in fields.items() if not field.get("description")] == []
    named = {name for _, name in fields} | {f"{kind}.{name}" for kind, name in fields}
    assert set(FIELDS) <= named
    assert set(LIMITS) <= named
    # A specific text must not repeat the general one.
    assert [
        n for n, text in FIELDS.items() if "." in n and FIELDS.get(n.split(".")[1]) == text
    ] == []
    for (kind, name), field in fields.items():
        # A clock may be set back, and continues after its end.
        of_a_clock = (kind.removeprefix("Desk"), name) in TIMES
        if field.get("type") == "integer" and not of_a_clock:
            assert field["minimum"] >= 0, (kind, name)


def test_values_are_named_as_in_json():
    texts = [schema.get("description", "") for schema in DOCUMENT["components"]["schemas"].values()]
    texts += [*FIELDS.values()]
    assert [text for text in texts if re.search(r"\b(None|True|False)\b", text)] == []
    assert any(re.search(r"\bnull\b", text) for text in texts)


def test_every_argument_says_what_it_may_be():
    parameters = DOCUMENT["components"]["parameters"]
    for name, condition in CONDITIONS.items():
        schema = parameters[name]["schema"]
        assert parameters[name]["description"] == condition.help
        value = schema["items"] if condition.several else schema
        assert condition.schema.items() <= value.items(), name
        assert schema.get("maxItems") == condition.most
        assert (
            value.keys() & {"enum", "pattern", "maxLength", "minimum"} or value["type"] == "boolean"
        )
    assert parameters["tiebreaks"]["schema"]["uniqueItems"] is True


def test_a_query_may_have_the_arguments_of_the_document():
    shared = DOCUMENT["components"]["parameters"]
    handlers = {
        (route.path_format, method): handler
        for route in routes().routes
        for handler in getattr(route, "route_handlers", ())
        for method in handler.http_methods
    }
    for path, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            kinds = {}
            for each in operation["parameters"]:
                parameter = shared[each["$ref"].rpartition("/")[2]] if "$ref" in each else each
                if parameter["in"] == "query":
                    schema = parameter["schema"]
                    one = schema.get("items", schema)
                    kinds[parameter["name"]] = Kind(
                        one.get("format", one["type"]),
                        tuple(one.get("enum", ())),
                        several=schema["type"] == "array",
                    )
            assert arguments_of(handlers[path, method.upper()]) == kinds, path


def test_answers_link_to_what_can_be_asked_of_a_game():
    operations = {
        entry["operationId"]: entry
        for item in DOCUMENT["paths"].values()
        for entry in item.values()
    }
    for name, status in (("store", "201"), ("store", "200"), ("game", "200"), ("correct", "200")):
        links = operations[name]["responses"][status]["links"]
        assert set(links) == set(LINKED)
        for target in links:
            assert "game" in str(operations[target]["parameters"])


def test_a_link_leads_to_the_game(application):
    front, token, *_ = application
    with TestClient(app=NoLifespan(front)) as http:
        headers = {"Content-Type": "text/x-claim", "Authorization": f"Bearer {token}"}
        stored = http.post("/v1/games", content=game(77), headers=headers)
        links = DOCUMENT["paths"]["/v1/games"]["post"]["responses"]["201"]["links"]
        pointer = links["game"]["parameters"]["game"].removeprefix("$response.body#/")
        assert http.get(f"/v1/games/{stored.json()[pointer]}").json()["row"]["revision"] == 1


def test_lines_of_ndjson_are_described(application):
    """Each line of an export and of an import's answer matches the document."""
    schemas = {"components": DOCUMENT["components"]}
    front, token, *_ = application
    with TestClient(app=NoLifespan(front)) as http:
        headers = {"Accept": "application/x-ndjson", "Authorization": f"Bearer {token}"}
        exported = http.get("/v1/games?limit=3", headers=headers)
        sent = {"Content-Type": "text/x-claim", **headers}
        imported = http.post("/v1/imports", content=game(78) + "\n" + game(78), headers=sent)
    for path, method, answer in (
        ("/v1/games", "get", exported),
        ("/v1/imports", "post", imported),
    ):
        media = DOCUMENT["paths"][path][method]["responses"]["200"]["content"]
        validator = Draft202012Validator(media["application/x-ndjson"]["schema"] | schemas)
        lines = answer.text.splitlines()
        assert len(lines) >= 3
        for line in lines:
            validator.validate(msgspec.json.decode(line))


def test_byes_are_described(application):
    """Entries without an opponent are what the document says, wherever they are answered."""
    front, token, *_ = application
    tags = '[Event "Byes"]\n[Date "2026-10-03"]\n[Player1 "Anna"]\n'
    byes = [
        f'{tags}[Round "{number}"]\n[Termination "{kind}"]\n[Result "{result}"]\n\n{result}\n'
        for number, (kind, result) in enumerate(
            (("bye", "1"), ("bye", "1/2"), ("bye", "0"), ("forfeit", "1")), 1
        )
    ]
    schemas = {"components": DOCUMENT["components"]}
    with TestClient(app=NoLifespan(front)) as http:
        sent = {"Content-Type": "text/x-claim", "Authorization": f"Bearer {token}"}
        ids = [http.post("/v1/games", content=bye, headers=sent).json().get("id") for bye in byes]
        ids = [id for id in ids if id]
        assert len(ids) >= 3
        asked = {"event": "Byes", "player": "Anna", "event_id": "Byes", "game": ids[0]}
        answered = 0
        for path, item in DOCUMENT["paths"].items():
            if "get" not in item or path.startswith("/v1/tables") or path.endswith("/live"):
                continue
            known = str(item["get"]["parameters"])
            query = {"event": "Byes"} if "/event'" in known else {}
            if "/v1/players" not in path and "/player'" in known:
                query["player"] = "Anna"
            place = path
            for name, value in asked.items():
                place = place.replace("{" + name + "}", value)
            answer = http.get(place, params=query, headers={"Authorization": f"Bearer {token}"})
            kind = answer.headers["content-type"].partition(";")[0]
            if answer.status_code != 200 or kind != "application/json":
                continue
            schema = item["get"]["responses"]["200"]["content"][kind]["schema"]
            Draft202012Validator(schema | schemas).validate(answer.json())
            answered += 1
        assert answered >= 20


def test_what_has_no_etag_is_what_api_md_names():
    without = {
        path
        for path, item in DOCUMENT["paths"].items()
        if "get" in item and "ETag" not in item["get"]["responses"]["200"]["headers"]
    }
    streams = {"/v1/tables/{table_id}/events", "/v1/events/{event_id}/live"}
    assert without == streams | {
        *("/health", "/metrics", "/v1/puzzles", "/v1/puzzles/daily", "/v1/tables"),
        *("/v1/puzzles/{puzzle_id}", "/v1/tables/{table_id}/qr", "/v1/tables/{table_id}/tokens"),
        "/v1/events/{event_id}/notice",
    }


def test_every_operation_has_true_examples():
    components = {"components": DOCUMENT["components"]}
    missing = []
    for path, item in DOCUMENT["paths"].items():
        for method, entry in item.items():
            contents = [response.get("content", {}) for response in entry["responses"].values()]
            contents.append(entry.get("requestBody", {}).get("content", {}))
            for content in contents:
                for media, described in content.items():
                    if media != "application/json":
                        continue
                    if "example" not in described:
                        missing.append((path, method))
                        continue
                    schema = described["schema"] | components
                    Draft202012Validator(schema).validate(described["example"])
    assert not missing


def test_errors_are_documented_as_problems():
    for item in DOCUMENT["paths"].values():
        for entry in item.values():
            assert {"400", "429", "500", "503"} <= set(entry["responses"])
    for response in DOCUMENT["components"]["responses"].values():
        media = response["content"]["application/problem+json"]
        msgspec.convert(media["example"], ProblemDetails)


def test_the_page_and_its_parts_are_served_from_here(application):
    with TestClient(app=NoLifespan(application[0])) as http:
        page = http.get("/docs")
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert "default-src 'self'" in page.headers["content-security-policy"]
        assert "//" not in page.text
        for path in re.findall(r'(?:src|href)="([^"]+)"', page.text):
            assert http.get(path).status_code == 200, path
        for encoding in ("gzip", "identity"):
            script = http.get("/docs/swagger-ui-bundle.js", headers={"Accept-Encoding": encoding})
            assert "SwaggerUIBundle" in script.text
        assert http.get("/docs/openapi.json").json() == http.get("/openapi.json").json()
