"""The examples of the schema: real requests and answers, recorded while the tests of the interface run.

`python3 run.py examples` runs them and writes `matches/api/examples.json` anew. What differs from run to run is made
alike, and what is long is cut short.
"""

from __future__ import annotations

import os
import re
from typing import Any

from msgspec import json

from matches.api.document import EXAMPLES
from tests.contract import WRITE_EXAMPLES
from tests.contract.document import Operation

LONGEST = 3000
LONGEST_TEXT = 300
LONGEST_LIST = 3
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
HEX = re.compile(r"[0-9a-f]{64}")
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
WHSEC = re.compile(r"whsec_[A-Za-z0-9+/]{43}=")
MILLIS = range(1_500_000_000_000, 3_000_000_000_000)
NOW = 1_790_000_000_000
WORDS = {
    "access": "eyJ…an.access.token",
    "refresh": "0a1b2c3d4e5f60718293a4b5c6d7e8f9.a-refresh-token",
    "ticket": "q1W2e3R4t5Z6u7I8o9P0a1S2d3F4g5H6",
    "join_code": "k7m2p9q4rs",
    "code": "k7m2p9q4rs",
}
SCHEMAS = {"options_schema", "move_schema", "event_schema", "view_schema", "catalogue"}


class Recorder:
    """Keeps for each operation the richest answer that isn't too long."""

    def __init__(self) -> None:
        self._found: dict[str, dict[str, Any]] = {}

    def note(self, operation: Operation, parameters: dict[str, str], sent: Any, status: int, body: bytes) -> None:
        """Take an answer for an example if it is better than the one before."""
        if not 200 <= status < 300:
            return
        example: dict[str, Any] = {"status": status}
        if "requestBody" in operation.description:
            example["request"] = json.decode(sent or b"{}")
        if parameters:
            example["parameters"] = {name: int(it) if it.isdigit() else it for name, it in parameters.items()}
        if body:
            example["body"] = json.decode(body)
        example = Alike().of(example)
        known = self._found.get(operation.name)
        if known is None or _worth(example) > _worth(known):
            self._found[operation.name] = example

    def write(self) -> None:
        """Write the file."""
        found: dict[str, Any] = {"problem": PROBLEM, **dict(sorted(self._found.items()))}
        EXAMPLES.write_bytes(json.format(json.encode(found), indent=1) + b"\n")


PROBLEM = {
    "type": "/api/docs/problems#illegal_move",
    "title": "The rules forbid the move",
    "status": 422,
    "code": "illegal_move",
    "detail": "take three different colours, or two of one of which four are left",
    "rule": "SPL-9",
}


def is_wanted() -> bool:
    """Whether this run is to write the examples."""
    return bool(os.environ.get(WRITE_EXAMPLES))


def _worth(example: dict[str, Any]) -> tuple[bool, int]:
    length = len(json.encode(example))
    return length <= LONGEST, length if length <= LONGEST else -length


class Alike:
    """Makes what differs from run to run the same: ids by their order, times, tokens."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}

    def of(self, value: Any, key: str = "") -> Any:
        """The value, as it stands in an example."""
        match value:
            case dict():
                return {name: self._field(name, item) for name, item in value.items()}
            case list():
                # Lists of numbers have lengths that mean something.
                short = value[:LONGEST_LIST] if value and isinstance(value[0], dict) else value
                return [self.of(item, key) for item in short]
            case str():
                return self._text(value)
            case bool():
                return value
            case int() if value in MILLIS:
                return NOW + (259_200_000 if key in {"deadline", "due"} else 0)
            case _:
                return value

    def _field(self, name: str, item: Any) -> Any:
        if name in WORDS and isinstance(item, str):
            return WORDS[name]
        if name in SCHEMAS and isinstance(item, dict):
            return {key: value for key, value in item.items() if key.startswith("$") and isinstance(value, str)}
        return self.of(item, name)

    def _text(self, text: str) -> str:
        text = UUID.sub(lambda found: self._id(found[0]), text)
        text = WHSEC.sub("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", text)
        text = INSTANT.sub("2026-09-21T14:13:20Z", HEX.sub("c0ffee" + 29 * "00", text))
        return text if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT].rsplit(maxsplit=1)[0] + " …"

    def _id(self, known: str) -> str:
        return self._ids.setdefault(known, f"0190f5fe-0000-7000-8000-{len(self._ids) + 1:012}")
