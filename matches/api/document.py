"""What is told of every operation alike: types, links to what one may ask next, and an example of each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from matches.api.schema import PROBLEM_JSON, REF, Schema, components

EXAMPLES = Path(__file__).with_name("examples.json")
JSON = "application/json"
OF_A_MATCH = "/api/v1/matches/{match_id}"
CREATES = "create_a_match"
OF_A_NEW_MATCH = {"match_id": "$response.body#/id", "player_id": "$response.body#/host", "number": "1"}
"""Where the parameters of what one may ask next come from."""
EVENT = {
    "id": "0190f5fe-0000-7000-8000-000000000001",
    "sequence": 17,
    "kind": "turn",
    "time": 1_790_000_000_000,
    "match": "0190f5fe-0000-7000-8000-000000000002",
    "game": "snap",
    "seat": 1,
    "serial": 12,
    "about": None,
    "deadline": 1_790_259_200_000,
}
LISTS, MOVES = "list_your_legal_moves", "make_a_move"


def complete(result: Schema, **_: Any) -> Schema:
    """A hook of drf-spectacular: put in what can't be said at a single operation."""
    result.setdefault("components", {}).setdefault("schemas", {}).update(components())
    schemas = result["components"]["schemas"]
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    for _path, operation in operations(result):
        _require_body(operation, schemas)
        _add_examples(operation)
        _add_headers(operation["responses"])
    _add_links(result)
    result["webhooks"] = {"event": {"post": _event()}}
    return result


def operations(document: Schema) -> Iterator[tuple[str, Schema]]:
    """Path and description of every operation."""
    for path, methods in document["paths"].items():
        for operation in methods.values():
            yield path, operation


@cache
def examples() -> dict[str, Any]:
    """A request and an answer for every operation, recorded by `python3 run.py examples`."""
    found: dict[str, Any] = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    return found


def _event() -> Schema:
    """What players have sent to addresses of theirs: docs/api/webhooks.md."""
    headers = {
        "webhook-id": "The event's id, the same at every attempt.",
        "webhook-timestamp": "Seconds since 1970 at this attempt.",
        "webhook-signature": "`v1,` and the HMAC-SHA256 in base64; several with a space between them.",
    }
    return {
        "operationId": "receive_an_event",
        "summary": "Receive an event",
        "description": "Sent to the `url` of a webhook, signed as the Standard Webhooks specification says.",
        "parameters": [
            {"name": name, "in": "header", "required": True, "schema": {"type": "string"}, "description": text}
            for name, text in headers.items()
        ],
        "requestBody": {
            "required": True,
            "content": {JSON: {"schema": {"$ref": REF.format(name="WebhookEventBody")}, "example": EVENT}},
        },
        "responses": {
            "2XX": {"description": "You have it. Answer within ten seconds; bodies are not read."},
            "410": {"description": "Switch the webhook off."},
            "default": {"description": "Send it again later. Redirects are not followed."},
        },
    }


def _require_body(operation: Schema, schemas: Schema) -> None:
    """A body is needed unless an empty one will do."""
    body = operation.get("requestBody")
    if body is None:
        return
    name = body["content"][JSON]["schema"]["$ref"].rsplit("/", maxsplit=1)[-1]
    options = [option["$ref"].rsplit("/", maxsplit=1)[-1] for option in schemas[name].get("anyOf", ())] or [name]
    body["required"] = all(schemas[option].get("required") for option in options)


def _add_examples(operation: Schema) -> None:
    recorded = examples().get(operation["operationId"], {})
    if "request" in recorded and "requestBody" in operation:
        operation["requestBody"]["content"][JSON]["example"] = recorded["request"]
    answer = operation["responses"].get(str(recorded.get("status")), {}).get("content", {})
    if "body" in recorded and JSON in answer:
        answer[JSON]["example"] = recorded["body"]
    for parameter in operation.get("parameters", ()):
        if parameter["name"] in recorded.get("parameters", {}):
            parameter["example"] = recorded["parameters"][parameter["name"]]
    refusal = examples()["problem"]
    operation["responses"]["default"]["content"][PROBLEM_JSON]["example"] = refusal


def _add_headers(responses: Schema) -> None:
    """What an answer says outside of its body."""
    etag = {"schema": {"type": "string"}, "description": "Send it back as `If-None-Match`."}
    retry_after = {"schema": {"type": "integer"}, "description": "Seconds until it is worth asking again."}
    for status in {"200", "304"} & responses.keys() if "304" in responses else ():
        responses[status]["headers"] = {"ETag": etag}
    for status in {"429", "503"} & responses.keys():
        responses[status]["headers"] = {"Retry-After": retry_after}


def _add_links(document: Schema) -> None:
    """A new match leads to all that can be done with one, the legal moves to making one of them."""
    by_id = {operation["operationId"]: operation for _path, operation in operations(document)}
    by_id[CREATES]["responses"]["201"]["links"] = {
        operation["operationId"]: {
            "operationId": operation["operationId"],
            "parameters": {name: value for name, value in OF_A_NEW_MATCH.items() if f"{{{name}}}" in path},
        }
        for path, operation in operations(document)
        if path.startswith(OF_A_MATCH)
    }
    by_id[LISTS]["responses"]["200"]["links"] = {
        MOVES: {
            "operationId": MOVES,
            "parameters": {"match_id": "$request.path.match_id"},
            "requestBody": {"serial": "$response.body#/serial", "move": "$response.body#/moves/0"},
        }
    }
