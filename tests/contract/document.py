"""The OpenAPI document as it is served, to look operations up in and to hold answers against."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

import jsonschema_rs
from msgspec import json

from matches.api.served import made

API = "/api/v1/"
METHODS = ("get", "post", "put", "patch", "delete")
Schema = dict[str, Any]


class Operation(NamedTuple):
    """One operation of the document; `path` is its template, with the names of its parameters in braces."""

    method: str
    path: str
    description: Schema

    @property
    def name(self) -> str:
        return str(self.description["operationId"])


@cache
def document() -> Schema:
    """What `/api/v1/openapi.json` holds."""
    found: Schema = json.decode(made().body)
    return found


@cache
def operations() -> tuple[Operation, ...]:
    """Every operation."""
    return tuple(
        Operation(method.upper(), path, methods[method])
        for path, methods in document()["paths"].items()
        for method in METHODS
        if method in methods
    )


def operation_of(method: str, path: str) -> tuple[Operation, dict[str, str]] | None:
    """The operation that answers at a path, with the values of its parameters; None where there is none.

    Where several fit, it is the one that says most of the path itself.
    """
    found = [
        (operation, match.groupdict())
        for operation in operations()
        if operation.method == method and (match := _pattern(operation.path).fullmatch(path))
    ]
    return min(found, key=lambda fitting: len(fitting[1]), default=None)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(template)))


def faults(operation: Operation, status: int, media_type: str, body: bytes) -> list[str]:
    """What about an answer the document doesn't say; an empty list when all is well."""
    responses = operation.description["responses"]
    described = responses.get(str(status), responses["default"])
    if "content" not in described:
        return ["there should be no body"] if body else []
    if media_type not in described["content"]:
        return [f"its type is {media_type!r}, described are {', '.join(described['content'])}"]
    return validity_faults(described["content"][media_type]["schema"], json.decode(body))


def validity_faults(schema: Schema, value: Any) -> list[str]:
    """Where a value isn't what a schema of the document says."""
    errors = _validator(json.encode(schema)).iter_errors(value)
    return [f"{list(error.instance_path)}: {error.message[:300]}" for error in errors]


@cache
def _validator(schema: bytes) -> jsonschema_rs.Draft202012Validator:
    whole = {**json.decode(schema), "components": document()["components"]}
    return jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
