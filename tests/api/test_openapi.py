"""The OpenAPI document is true: schemathesis asks everything that it says can be asked."""

import contextlib
import io
import re
from pathlib import Path
from unittest import SkipTest

import msgspec
import pytest
import schemathesis
from games import game, games
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from jsonschema_rs import Draft202012Validator
from litestar.testing import TestClient

from claimlog.api.app import create_app
from claimlog.api.logs import Log
from claimlog.api.problem import ProblemDetails
from claimlog.api.settings import Settings
from claimlog.store import Archive

EXAMPLES = 10
"""For each operation, well-formed and malformed."""

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
    front = create_app(Archive.open(path), Settings(), Log(io.BytesIO()))
    text = io.BytesIO(games(20).encode())
    ids = [
        outcome.id
        for batch in front.resources.archive.import_games(text.read, workers=1)
        for outcome in batch
    ]
    token, _ = front.resources.tokens.create("schemathesis", "admin")
    yield front, token, ids
    front.resources.close()


@pytest.fixture(scope="module")
def described(application):
    """The schema; 400 is a fair answer to arguments that fit it but not each other."""
    statuses = ["2xx", "304", "400", "401", "403", "404", "406", "409", "410", "412", "415", "422",
                "428", "503"]  # fmt: skip
    config = schemathesis.Config.from_dict(
        {"checks": {"positive_data_acceptance": {"expected-statuses": statuses}}}
    )
    return schemathesis.openapi.from_asgi(
        "/openapi.json", NoLifespan(application[0]), config=config
    )


class Nowhere:
    """An archive for an application that only describes itself."""

    path = Path("games.duckdb")


DOCUMENT = create_app(Nowhere(), Settings()).litestar.state.openapi()
OPERATIONS = [(path, method) for path, item in DOCUMENT["paths"].items() for method in item]


@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_everything_that_the_document_says(path, method, mode, described, application):
    _, token, ids = application
    operation = described[path][method]

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
        derandomize=True,
        database=None,
    )
    def ask(case):
        if "game" in case.path_parameters and len(str(case.path_parameters)) % 3:
            case.path_parameters["game"] = ids[len(str(case.query)) % len(ids)]
        case.call_and_validate(headers={"Authorization": f"Bearer {token}"})

    with contextlib.suppress(Unsatisfiable, SkipTest):
        ask()


def test_nothing_failed_meanwhile(application):
    log = application[0].resources.log
    log.flush()
    failures = [line for line in log.stream.getvalue().splitlines() if b'"failure"' in line]
    assert not failures, failures[:3]
    asked = sum(application[0].resources.metrics.requests.values())
    assert asked > 10 * len(OPERATIONS)


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
