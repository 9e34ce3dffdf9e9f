"""The OpenAPI 3.1 document.

Litestar knows the paths and the parameters; the answers, the bodies and the errors come from each
handler's signature and `Operation`, and the schemas from msgspec, which also encodes and checks
them.
"""

from __future__ import annotations

import importlib.resources
import inspect
import json
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, get_args, get_origin

import msgspec

from claimlog import __version__
from claimlog.api.http.filters import ITEMS
from claimlog.api.http.media_types import CLM, JSON, NDJSON
from claimlog.api.http.operation import Operation, negotiated
from claimlog.api.http.problem import KIND_OF, MEDIA_TYPE, ProblemDetails, title_of
from claimlog.api.http.responses import IN_BRACKETS, members
from claimlog.api.openapi.fields import describe_fields
from claimlog.language.messages import Message
from claimlog.store.intake.corrections import TAGS

if TYPE_CHECKING:
    from litestar import Litestar
    from litestar.handlers import HTTPRouteHandler

_REF: Final = "#/components/schemas/{name}"

_DESCRIPTION: Final = """\
Store, correct, search and analyse games of Claim.

Every error is `application/problem+json` (RFC 9457); `problems` lists
what `claimlog validate` reports. Lists, exports and statistics take the same filters. Answers have
an ETag; send it as `If-None-Match` and get 304 while nothing has changed.
"""

_TAGS: Final = {
    "games": "Storing, correcting, listing, exporting and replaying games.",
    "players": "Players, their results and their opponents.",
    "events": "Rounds, tables, crosstables and standings.",
    "desk": "Directing an event: entrants, rounds, results, and the history of acts.",
    "tables": "Games in progress: recording, watching and finishing them.",
    "statistics": "Results, factions, cards, leads, and the explorer.",
    "server": "Health, counters, maintenance.",
}

_STATUS: Final = {
    200: "Done.",
    201: "Stored.",
    204: "Done; no content.",
    304: "Not modified since the ETag in `If-None-Match`.",
}
"""Descriptions of successful answers by status."""

LINKED: Final = ("game", "correct", "delete", "revisions", "replay", "analysis")
"""The operations on a game that answers link to, by the game's id."""

_EVERYWHERE: Final = (400, 429, 500, 503)
_MESSAGES: Final = {
    400: Message("argument.unknown", field="playr", names=["cursor", "limit", "player"]),
    401: Message("token.scope", scope="direct"),
    403: Message("token.scope", scope="direct"),
    404: Message("game.unknown", id="0000000000000"),
    406: Message("media.offers", names=["application/json", "text/x-claim"]),
    408: Message("body.slow"),
    409: Message("game.is", id="3v9k2m1q8x7tr"),
    410: Message("game.deleted", id="3v9k2m1q8x7tr"),
    412: Message("game.other-revision", revision=2, expected=1),
    413: Message("body.too-large", limit=1048576),
    415: Message("body.media-type", names=["text/x-claim", "application/json"]),
    422: Message("record.errors.one", number=1),
    428: Message("body.if-match"),
    429: Message("limit.rate", rate=20, seconds=0.4),
    500: Message("server.see-request"),
    501: Message("ratings.missing"),
    503: Message("limit.streams-all", most=8),
    507: Message("disk-full.server"),
}
"""A message of each kind of error that is documented, by status."""
_PROBLEM: Final = {
    "code": "revoke",
    "severity": "error",
    "message": "trick 3: seat 2 did not follow Knights; it still held K5, played in trick 9",
    "line": 14,
    "column": 11,
    "end_column": 13,
    "trick": 3,
    "seat": 2,
    "card": "U7",
}


def describe(app: Litestar) -> dict[str, Any]:
    """Return the document."""
    base = app.openapi_schema.to_schema()
    examples = _examples()
    types = _types(app)
    schemas, components = msgspec.json.schema_components(types, ref_template=_REF)
    refs = dict(zip(map(str, types), schemas, strict=True))
    describe_fields(components)
    # The keys of a mapping have no type that could say this.
    components["NewTags"]["properties"]["tags"]["propertyNames"] = {"enum": list(TAGS)}
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "claimlog",
            "version": __version__,
            "description": _DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} for name, text in _TAGS.items()],
        "paths": {},
        "components": {
            "schemas": components,
            "responses": {str(status): _problem(status) for status in _MESSAGES},
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token made by `claimlog token create`.",
                }
            },
        },
    }
    handlers = _handlers(app)
    for path, item in sorted(base["paths"].items()):
        for method, entry in item.items():
            handler = handlers.get((path, method.upper()))
            if handler is None or not isinstance(handler.opt.get("operation"), Operation):
                continue
            made = _operation(path, entry, handler, refs, components, examples)
            document["paths"].setdefault(path, {})[method] = made
    _share_parameters(document)
    return document


def _handlers(app: Litestar) -> dict[tuple[str, str], HTTPRouteHandler]:
    return {
        (route.path_format, method): handler
        for route in app.routes
        for handler in getattr(route, "route_handlers", ())
        for method in getattr(handler, "http_methods", ())
    }


def _answers(handler: HTTPRouteHandler) -> dict[int, dict[str, Any]]:
    """Return a handler's types by status and media type, from its signature."""
    annotation = handler.parsed_fn_signature.return_type.annotation
    if annotation is NoneType:
        return {handler.status_code: {}}
    answers: dict[int, dict[str, Any]] = {}
    for part in members(annotation):
        made = get_origin(part) or part
        inside = get_args(part)
        for media, kind in made.MEDIA.items():
            kind_of_answer = inside[0] if kind is IN_BRACKETS else kind
            answers.setdefault(made.STATUS, {})[media] = kind_of_answer
    return answers


def _headers(handler: HTTPRouteHandler) -> dict[str, str]:
    """Return the descriptions of the headers of a handler's answers."""
    annotation = handler.parsed_fn_signature.return_type.annotation
    headers: dict[str, str] = {}
    for part in members(annotation):
        headers |= getattr(get_origin(part) or part, "HEADERS", {})
    return headers


def _body(handler: HTTPRouteHandler) -> dict[str, Any] | None:
    """Return the types of a handler's body by media type."""
    data = handler.parsed_fn_signature.parameters.get("data")
    if data is not None:
        return {JSON: data.annotation}
    operation: Operation = handler.opt["operation"]
    return operation.body


def _types(app: Litestar) -> list[Any]:
    """Return all types of answers and bodies."""
    types: dict[str, Any] = {str(ProblemDetails): ProblemDetails}
    for handler in _handlers(app).values():
        if isinstance(handler.opt.get("operation"), Operation):
            for content in [*_answers(handler).values(), _body(handler)]:
                for kind in (content or {}).values():
                    for part in members(kind):
                        if part not in (str, bytes):
                            types[str(part)] = part
    return list(types.values())


def _operation(
    path: str,
    base: dict[str, Any],
    handler: HTTPRouteHandler,
    refs: dict[str, Any],
    components: dict[str, Any],
    examples: dict[str, Any],
) -> dict[str, Any]:
    doc: Operation = handler.opt["operation"]
    scope = handler.opt["scope"]
    name = handler.handler_name
    summary, _, description = inspect.cleandoc(handler.fn.__doc__ or "").partition("\n\n")
    parameters = [_parameter(parameter) for parameter in base.get("parameters", ())]
    errors = {*_EVERYWHERE, *doc.errors}
    if any(parameter["in"] == "path" or parameter["name"] == "player" for parameter in parameters):
        errors |= {400, 404}
    if any(parameter["name"] == "player" for parameter in parameters):
        # The name in a filter may be unknown.
        errors.add(404)
    method = next(iter(handler.http_methods))
    if method == "GET" and negotiated(path):
        errors.add(406)
    if scope is not None:
        errors |= {401, 403}
    if scope in ("record", "direct"):
        errors.add(507)
    if method == "PUT" and 428 in doc.errors:
        parameters.append(_header("If-Match", "The current ETag of the game.", '"1"'))
    elif method == "DELETE" and 412 in doc.errors:
        parameters.append(
            _header("If-Match", "An ETag: delete only if the game still has it.", '"1"')
        )
    elif method == "GET" and handler.opt["cache"]:
        parameters.append(
            _header("If-None-Match", "An ETag: 304 if the answer has not changed.", '"none"')
        )
    responses: dict[str, Any] = {}
    for status, content in sorted(_answers(handler).items()):
        response: dict[str, Any] = {"description": _STATUS[status]}
        if content:
            response["content"] = {
                media: _media(kind, media, refs, components, examples.get(name))
                for media, kind in content.items()
            }
        headers = {
            "X-Request-ID": "The id of the request in the server's log.",
            **_headers(handler),
            **doc.headers,
        }
        if method == "GET" and handler.opt["cache"]:
            headers.setdefault("ETag", "The ETag of the answer, for `If-None-Match`.")
        response["headers"] = {
            key: {"description": text, "schema": {"type": "string"}}
            for key, text in headers.items()
        }
        if doc.links and status < 300:
            response["links"] = {
                name: {"operationId": name, "parameters": {"game": f"$response.body#{doc.links}"}}
                for name in LINKED
            }
        responses[str(status)] = response
    if method == "GET" and handler.opt["cache"]:
        responses["304"] = {"description": _STATUS[304]}
    for status in sorted(errors):
        responses[str(status)] = {"$ref": f"#/components/responses/{status}"}
    made: dict[str, Any] = {
        "operationId": name,
        "tags": base.get("tags") or [],
        "summary": " ".join(summary.split()),
        "parameters": parameters,
        "responses": responses,
        "security": [{}] if scope is None else [{}, {"token": []}],
    }
    if description:
        made["description"] = description
    if scope is not None:
        made["description"] = (
            made.get("description", "") + f"\n\nScope of the token: `{scope}`."
        ).strip()
    body = _body(handler)
    if body:
        made["requestBody"] = {
            "required": True,
            "content": {
                media: _media(kind, media, refs, components, examples.get(f"{name} body"))
                for media, kind in body.items()
            },
        }
    return made


def _parameter(base: dict[str, Any]) -> dict[str, Any]:
    """Return a parameter without Litestar's redundant additions, mainly null."""
    made: dict[str, Any] = {
        str(k): base[k] for k in ("name", "in", "required", "description") if k in base
    }
    schema = dict(base.get("schema", {}))
    kinds = [kind for kind in schema.pop("oneOf", ()) if kind != {"type": "null"}]
    for kind in kinds:
        schema |= kind
    if isinstance(schema.get("type"), list):
        schema["type"] = next(kind for kind in schema["type"] if kind != "null")
    if "enum" in schema:
        schema["enum"] = [value for value in schema["enum"] if value is not None]
    text = schema.pop("description", None)
    if text:
        made.setdefault("description", text)
    if schema.get("type") == "array":
        schema["items"] = schema["items"] | ITEMS.get(made["name"], {})
        made |= {"style": "form", "explode": True}
    return {**made, "schema": schema}


def _share_parameters(document: dict[str, Any]) -> None:
    """Move parameters that several operations have to the components."""
    seen: dict[str, list[dict[str, Any]]] = {}
    lists = [entry["parameters"] for item in document["paths"].values() for entry in item.values()]
    for parameters in lists:
        for parameter in parameters:
            seen.setdefault(json.dumps(parameter), []).append(parameter)
    shared: dict[str, Any] = {}
    names: dict[str, str] = {}
    for text, uses in seen.items():
        if len(uses) > 2 and uses[0]["name"] not in shared:
            names[text] = uses[0]["name"]
            shared[uses[0]["name"]] = uses[0]
    document["components"]["parameters"] = shared
    for parameters in lists:
        parameters[:] = [
            {"$ref": f"#/components/parameters/{name}"}
            if (name := names.get(json.dumps(parameter)))
            else parameter
            for parameter in parameters
        ]


def _header(name: str, description: str, example: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": "header",
        "required": False,
        "description": description,
        "schema": {"type": "string"},
        "example": example,
    }


def _media(
    kind: Any, media: str, refs: dict[str, Any], components: dict[str, Any], example: Any
) -> dict[str, Any]:
    """Return the schema of a media type with an example, made up if none is stored."""
    if kind is str:
        made: dict[str, Any] = {"schema": {"type": "string"}}
    elif kind is bytes:
        made = {"schema": {}} if media == NDJSON else {}
    else:
        schemas = [refs[str(part)] for part in members(kind)]
        made = {"schema": schemas[0] if len(schemas) == 1 else {"anyOf": schemas}}
    if media == CLM:
        made["example"] = SAMPLE
    elif media == JSON:
        made["example"] = _made_up(made["schema"], components) if example is None else example
    return made


def _made_up(schema: dict[str, Any], components: dict[str, Any]) -> Any:
    """Return a value that fits a schema."""
    if "$ref" in schema:
        return _made_up(components[schema["$ref"].rpartition("/")[2]], components)
    if "anyOf" in schema:
        return _made_up(schema["anyOf"][0], components)
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            fields = schema.get("properties", {})
            return {name: _made_up(field, components) for name, field in fields.items()}
        case "array":
            return [_made_up(schema["items"], components)] * schema.get("minItems", 1)
        case "integer":
            return schema.get("minimum", 0)
        case "number":
            return 0.5
        case "boolean":
            return True
    return "…"


def _problem(status: int) -> dict[str, Any]:
    """Return the response for an error."""
    kind = KIND_OF[status]
    example: dict[str, Any] = {
        "type": f"urn:claimlog:{kind}",
        "title": title_of(kind),
        "status": status,
        "detail": str(_MESSAGES[status]),
        **_MESSAGES[status].for_json(),
        "instance": "/v1/games",
        "request_id": "5f2c9a10-42",
    }
    if status == 422:
        example["problems"] = [_PROBLEM]
    response: dict[str, Any] = {
        "description": title_of(kind) + ".",
        "content": {
            MEDIA_TYPE: {
                "schema": {"$ref": _REF.format(name="ProblemDetails")},
                "example": example,
            }
        },
    }
    if status in (429, 503):
        response["headers"] = {
            "Retry-After": {
                "description": "The number of seconds to wait.",
                "schema": {"type": "string"},
            }
        }
    return response


def _examples() -> dict[str, Any]:
    """Return examples by operation, checked by a test."""
    path = importlib.resources.files("claimlog.api") / "data" / "examples.json"
    return dict(json.loads(path.read_text())) if path.is_file() else {}


SAMPLE: Final = """\
[CLM "1"]
[Event "Zurich Claim Open"]
[Date "2026-11-14"]
[Round "3"]
[Table "2"]
[Player1 "Anna Keller"]
[Player2 "Ben Roth"]
[Deck "GKUWX"]
[Leader "2"]
[Result "*"]

1. U7: G5 G8+ /W2
*
"""
