#!/usr/bin/env python3
"""Watch a match as it happens, as a spectator or with an access token; whenever the stream is cut it goes on behind.

    python3 examples/watch_match.py --url http://127.0.0.1:8000 --match MATCH [--token TOKEN]

The client needs Python 3.11 and nothing else.
"""

from __future__ import annotations

import argparse
import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

Event = tuple[str, dict[str, Any], int | None]


def follow(stream: str, token: str = "", after: int = 0) -> Iterator[Event]:
    """Events of a match behind an entry, each a name, data and a number or none, until the last one, `end`."""
    while True:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request(f"{stream}?after={after}", headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=40) as lines:
                for name, data, number in events(lines):
                    after = after if number is None else number
                    yield name, data, number
                    if name == "end":
                        return
        except urllib.error.HTTPError as error:
            if error.code not in {429, 503}:
                raise SystemExit(f"{stream}: {error.read().decode()}") from None
            time.sleep(float(error.headers.get("Retry-After", 1)))
        except OSError:
            time.sleep(1)


def events(lines: Any) -> Iterator[Event]:
    """What the lines of a stream say."""
    fields: dict[str, str] = {}
    for line in lines:
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name:
            fields[name] = value
        elif "data" in fields:
            yield fields["event"], json.loads(fields["data"]), int(fields["id"]) if "id" in fields else None
            fields = {}


def main() -> None:
    """Print what happens."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--match", required=True)
    parser.add_argument("--token", default="", help="an access token; without one as a spectator")
    chosen = parser.parse_args()
    api = chosen.url.rstrip("/")
    request = urllib.request.Request(f"{api}/api/v1/matches/{chosen.match}")
    if chosen.token:
        request.add_header("Authorization", f"Bearer {chosen.token}")
    with urllib.request.urlopen(request, timeout=10) as answer:
        stream = json.load(answer)["stream"]
    for name, data, _ in follow(stream if "://" in stream else api + stream, chosen.token):
        print(name, json.dumps(data), flush=True)


if __name__ == "__main__":
    main()
