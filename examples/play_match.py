#!/usr/bin/env python3
"""Play a whole match over HTTP: every seat is a client of its own that knows the interface and no rule of any game.

    python3 examples/play_match.py --url http://127.0.0.1:8000 --game snap --seats 3

Each client sees its view, picks one of the legal moves listed there and sends it with the serial of its decision. When
an answer doesn't arrive (the service restarts, the network drops it) the same request is sent again: a serial makes it
count once. A spectator prints what happens. In the end the export is downloaded and verified with `engine.verify`.
The client needs Python 3.11 and nothing else; the verifier needs the engine beside it, and msgspec.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

POLL_S = 0.05
PATIENCE_S = 120
BRIEF_S = 10
SEATS = {"seat", "dealer", "turner"}
NAMES = ("anna", "ben", "cleo", "dario", "ella", "finn", "greta", "hugo", "ines", "jan", "kira", "leo")

Json = dict[str, Any]


class Refused(Exception):
    """The service answered with a problem; `code` says which."""

    def __init__(self, status: int, problem: Json) -> None:
        super().__init__(f"{status} {problem.get('code')}: {problem.get('detail')}")
        self.status = status
        self.code = problem.get("code", "")


class Client:
    """The interface as one player, or as nobody in particular."""

    def __init__(self, url: str) -> None:
        self._api = url.rstrip("/") + "/api/v1/"
        self._session: Json = {}
        self._etags: dict[str, str] = {}
        self.name = "spectator"

    def register(self, name: str) -> None:
        """Make an account and log in."""
        password = secrets.token_urlsafe(16)
        self.name = name
        self.call("POST", "players", {"name": name, "password": password})
        self._session = self.call("POST", "tokens", {"name": name, "password": password, "device": "play_match.py"})

    def call(self, method: str, path: str, body: Json | None = None, etag: str | None = None) -> Any:
        """One request, repeated while there is no answer or the service asks for patience. Raises Refused."""
        give_up = time.monotonic() + PATIENCE_S
        while True:
            try:
                status, answer = self._send(method, path, body, etag)
            except (http.client.HTTPException, OSError, ValueError) as error:
                if time.monotonic() > give_up:
                    raise SystemExit(f"no answer from {self._api}{path}: {error}") from None
                time.sleep(0.3)
                continue
            if status == 401 and self._session and path != "tokens/refresh":
                self._session = self.call("POST", "tokens/refresh", {"refresh": self._session["refresh"]})
            elif status >= 500 and time.monotonic() < give_up:
                time.sleep(0.3)
            elif status >= 400:
                raise Refused(status, answer)
            else:
                return answer

    def news(self, path: str) -> Json | None:
        """What is there, or None while nothing has changed since it was asked for last."""
        found: Json | None = self.call("GET", path, etag=self._etags.get(path, '"nothing yet"'))
        return found

    def _send(self, method: str, path: str, body: Json | None, etag: str | None) -> tuple[int, Any]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._session and not path.startswith("tokens"):
            headers["Authorization"] = f"Bearer {self._session['access']}"
        if etag:
            headers["If-None-Match"] = etag
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._api + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=BRIEF_S) as answer:
                content = answer.read()
                # Without the end of its head an answer looks like an empty one.
                found = json.loads(content) if content or answer.status == 200 else None
                if etag:
                    self._etags[path] = answer.headers["ETag"]
                return answer.status, found
        except urllib.error.HTTPError as error:
            content = error.read()
            if error.code == 304:
                return 304, None
            return error.code, json.loads(content or b"{}")


class Seat(threading.Thread):
    """A player at the table: looks, thinks for a moment, moves."""

    def __init__(self, client: Client, match: str, think_ms: int, chance: random.Random) -> None:
        super().__init__(daemon=True, name=client.name)
        self._client, self._match, self._think_ms, self._chance = client, match, think_ms, chance
        self.moves = 0
        self.late = 0
        self.failure: BaseException | None = None

    def run(self) -> None:
        """Play until the match is over."""
        try:
            self._play()
        except BaseException as error:  # noqa: BLE001 - shown by the main thread
            self.failure = error

    def _play(self) -> None:
        while True:
            seen = self._client.news(f"matches/{self._match}/view")
            if seen is None:
                time.sleep(POLL_S)
                continue
            table = seen["table"]
            while table["decision"] is not None:
                table = self._move(table)
            if table["ending"] is not None:
                return

    def _move(self, table: Json) -> Json:
        decision = table["decision"]
        time.sleep(self._chance.uniform(0, self._think_ms) / 1000)
        choice = {"serial": decision["serial"], "move": self._chance.choice(decision["moves"])}
        try:
            answer = self._client.call("POST", f"matches/{self._match}/moves", choice)
        except Refused as refused:
            if refused.status != 409:
                raise
            self.late += 1
            answer = {"view": self._client.call("GET", f"matches/{self._match}/view")}
        else:
            self.moves += 1
        table = answer["view"]["table"]
        if table["decision"] is not None and table["decision"]["serial"] == decision["serial"]:
            time.sleep(POLL_S)
        result: Json = table
        return result


class Printer:
    """Shows a match as a spectator sees it."""

    def __init__(self, names: list[str]) -> None:
        self._names = names

    def entry(self, entry: Json) -> None:
        """One line of the log, with a line for each event."""
        clock = time.strftime("%H:%M:%S", time.gmtime(entry["at"] / 1000))
        who = self._who(entry["seat"]) if "seat" in entry else entry["cause"]
        for event in entry.get("events", ()):
            facts = "  ".join(f"{key} {self._fact(key, value)}" for key, value in event.items() if key != "type")
            print(
                f"{entry['number']:>5}  {clock}  {who:<12} {event['type'].replace('_', ' '):<18} {facts}"[:150].rstrip()
            )

    def table(self, table: Json) -> None:
        """The table: everything the view holds, a line each."""
        print("       " + "-" * 60)
        for key, value in table["state"].items():
            if value not in (None, [], {}):
                for line in self._lines(key, value):
                    print(f"       {line}"[:150].rstrip())
        print("       " + "-" * 60)

    def result(self, table: Json) -> None:
        """Who came where, and why it ended."""
        ending = table["ending"]
        outcome = ending["outcome"]
        if outcome is None:
            print(f"the match ended without a result ({ending['status']})")
            return
        print(f"\nThe match is over: {outcome['reason'].replace('_', ' ')}")
        for place, name, score in sorted(zip(outcome["places"], self._names, outcome["scores"], strict=True)):
            print(f"  {place}. {name:<12} {score}")

    def _who(self, seat: int | None) -> str:
        return "" if seat is None else self._names[seat]

    def _fact(self, key: str, value: Any) -> str:
        if key in SEATS and isinstance(value, int):
            return self._who(value)
        if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            return "; ".join(" ".join(self._fact(*fact) for fact in item.items()) for item in value)
        return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))

    def _lines(self, key: str, value: Any) -> list[str]:
        if isinstance(value, list) and all(isinstance(item, dict) for item in value):
            return [f"{key.removesuffix('s')}  {self._facts(item)}" for item in value]
        if isinstance(value, dict):
            return [f"{key}  {self._facts(value)}"]
        return [f"{key} {self._fact(key, value)}"]

    def _facts(self, item: Json) -> str:
        return "  ".join(f"{key} {self._fact(key, value)}" for key, value in item.items() if value is not None)


def main() -> int:
    """Set up, play, show, verify; exit 0 when everything holds."""
    arguments = _arguments()
    chance = random.Random(arguments.seed)
    spectator = Client(arguments.url)
    game = spectator.call("GET", f"games/{arguments.game}")
    seats = arguments.seats or max(game["min_seats"], min(3, game["max_seats"]))
    players = _sit_down(arguments, seats)
    options = json.loads(arguments.options)
    match = players[0].call("POST", "matches", _match(arguments, seats, options))["id"]
    for player in players[1:]:
        player.call("POST", f"matches/{match}/join", {})
    names = [player.name for player in players]
    print(f"{game['title']}, {seats} seats: {', '.join(names)}\nmatch {match}\n")
    threads = [Seat(player, match, arguments.think_ms, random.Random(chance.random())) for player in players]
    for thread in threads:
        thread.start()
    table = _watch(spectator, match, Printer(names), threads, quiet=arguments.quiet)
    moves, late = sum(thread.moves for thread in threads), sum(thread.late for thread in threads)
    print(f"\n{moves} moves, {late} more came too late; {table['number']} entries")
    return _verify(spectator, match, arguments.keep)


def _match(arguments: argparse.Namespace, seats: int, options: Json) -> Json:
    return {
        "game": arguments.game,
        "seats": seats,
        "preset": arguments.preset,
        "options": options,
        "control": {"type": "per_move", "move_s": 300},
    }


def _sit_down(arguments: argparse.Namespace, seats: int) -> list[Client]:
    mark = secrets.token_hex(3)
    players = []
    for number in range(seats):
        client = Client(arguments.url)
        client.register(f"{NAMES[number % len(NAMES)]}-{mark}")
        players.append(client)
    return players


def _watch(spectator: Client, match: str, printer: Printer, seats: list[Seat], *, quiet: bool) -> Json:
    shown = 0
    table: Json | None = None
    while table is None or table["ending"] is None or shown < table["number"]:
        page = spectator.call("GET", f"matches/{match}/log?after={shown}&limit=500")
        for entry in page["entries"]:
            shown = entry["number"]
            if not quiet:
                printer.entry(entry)
        failed = next((seat.failure for seat in seats if seat.failure), None)
        if failed is not None:
            raise failed
        seen = spectator.news(f"matches/{match}/view")
        if table is None and seen is not None and not quiet:
            printer.table(seen["table"])
        table = table if seen is None else seen["table"]
        time.sleep(POLL_S)
    printer.table(table)
    printer.result(table)
    return table


def _verify(spectator: Client, match: str, keep: str | None) -> int:
    document = spectator.call("GET", f"matches/{match}/export")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(keep) if keep else Path(folder) / f"{match}.json"
        file.write_text(json.dumps(document))
        checkout = Path(__file__).resolve().parent.parent
        return subprocess.run([sys.executable, "-m", "engine.verify", str(file)], cwd=checkout, check=False).returncode


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Play a whole match over HTTP, every seat a client of its own.")
    parser.add_argument("--url", default=os.environ.get("LISTIK_URL", "http://127.0.0.1:8000"))
    parser.add_argument("--game", default="snap")
    parser.add_argument("--seats", type=int, help="default 3, or what the game allows")
    parser.add_argument("--preset", default="standard")
    parser.add_argument("--options", default="{}", help="option values as JSON, such as '{\"turn_limit\": 50}'")
    parser.add_argument("--think-ms", type=int, default=60, help="the longest a client thinks, in milliseconds")
    parser.add_argument("--seed", type=int, help="makes the clients' choices repeatable")
    parser.add_argument("--quiet", action="store_true", help="show the result only")
    parser.add_argument("--keep", metavar="FILE", help="keep the export here")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
