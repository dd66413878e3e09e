"""`python -m bench.two_of_everything`: two of each part, and a fail-over under load that loses no move.

Two web processes, two workers, two beats, PgBouncer in transaction mode in front of PostgreSQL, a streaming replica
that commits wait for and that serves the public lists. Players play all five games over HTTP; the database's machine is
killed, the replica promoted, PgBouncer told of it. Afterwards every acknowledged move must be in the log exactly once,
every stored table must equal the replay of its log, and every match must go on.

Needs PgBouncer (Debian's package `pgbouncer`); everything else comes with the project's own packages.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote
from uuid import UUID

import psycopg
from django.conf import settings
from django.db import connections

from bench.prepared import GAMES, SEATS, Prepared, players, prepare
from bench.sweep import fresh_stage
from config.env import Env
from config.local import places
from config.local.places import Account
from config.local.postgres import NAME, Postgres
from config.local.processes import PLAIN_ENVIRONMENT, start_server, wait_until
from config.local.serve import free_port
from tests.faults import audit
from tests.faults.audit import Acknowledged
from tests.faults.stage import Stage

BOUNCER = """\
[databases]
{name} = host={host} dbname={name} user={name} password={password}
[pgbouncer]
listen_addr =
unix_socket_dir = {sockets}
unix_socket_mode = 0777
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
ignore_startup_parameters = extra_float_digits,options
server_login_retry = 1
pidfile = {folder}/pgbouncer.pid
logfile = {folder}/pgbouncer.log
"""
STANDBY = "standby"
PATIENCE_S = 60


def main() -> None:
    """Run all of it; the exit status says whether every check held."""
    parser = argparse.ArgumentParser(prog="two_of_everything", description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--players", type=int, default=8, help="matches that are played at the same time")
    parser.add_argument("--seconds", type=float, default=15, help="before and after the fail-over, each")
    chosen = parser.parse_args()
    if shutil.which("pgbouncer") is None:
        raise SystemExit("PgBouncer is missing: install Debian's package pgbouncer")
    with fresh_stage() as stage:
        Drill(stage).run(chosen.matches, chosen.players, chosen.seconds)


@dataclass
class Sent:
    """What the players were told."""

    acknowledged: list[Acknowledged] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    longest_s: float = 0.0


class Drill:
    """The primary is the stage's database; the replica is a cluster of its own beside it."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.account: Account = places.service_account()
        self.folder = places.prepare(stage.services.data / "two", self.account)
        self.replica = Postgres(places.prepare(stage.services.data / "b", self.account), self.account)
        self.sent = Sent()
        self.bouncer: subprocess.Popen[bytes] | None = None

    def run(self, matches: int, at_once: int, seconds: float) -> None:
        """Set up, play, kill, promote, play on, check."""
        self._replicate()
        self._bounce(self.stage.postgres)
        self._through_the_bouncer()
        prepared = [prepare(GAMES[number % len(GAMES)], players(SEATS), 400) for number in range(matches)]
        ports = [free_port("127.0.0.1", None)]
        self.stage.web(ports[0])
        ports.append(free_port("127.0.0.1", None))
        self.stage.web(ports[1])
        for _ in range(2):
            self.stage.worker(1)
            self.stage.beat()
        for port in ports:
            assert wait_until(lambda port=port: _ready(port), 60), "a web process doesn't get ready"  # type: ignore[misc]
        over = threading.Event()
        lists = [prepared[number::at_once] for number in range(at_once)]
        threads = [threading.Thread(target=self._play, args=(part, ports, over)) for part in lists]
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        before = len(self.sent.acknowledged)
        _list_matches(ports[0])
        print(f"{before} moves acknowledged in {seconds:.0f} s; killing the primary", flush=True)
        self.stage.kill_database()
        begun = time.monotonic()
        self._promote()
        print(f"the replica is promoted and in front after {time.monotonic() - begun:.1f} s", flush=True)
        time.sleep(seconds)
        over.set()
        for thread in threads:
            thread.join()
        after = len(self.sent.acknowledged) - before
        print(
            f"{after} more acknowledged; longest wait of a player {self.sent.longest_s:.1f} s; "
            f"answers meanwhile: {dict(self.sent.refused)}",
            flush=True,
        )
        assert after > 0, "nobody could play after the fail-over"
        self._check(prepared)
        self.stage.kill(*list(self.stage.processes))
        connections["default"].close()
        if self.bouncer is not None:
            self.bouncer.terminate()
            self.bouncer.wait(10)
        self.replica.stop()

    def _replicate(self) -> None:
        """Make the replica from the primary, and let commits wait for it."""
        primary = self.stage.postgres
        programs = places.postgres_programs(self.account)
        places.subfolder(self.replica.cluster.parent, self.account)
        password = (primary.data / "postgres.password").read_text()
        copied = subprocess.run(  # type: ignore[call-overload]
            [
                programs / "pg_basebackup",
                *("--host", places.socket_folder(primary.data, self.account), "--username", NAME),
                *("--pgdata", self.replica.cluster, "--write-recovery-conf", "--checkpoint", "fast"),
            ],
            cwd="/",
            env={**PLAIN_ENVIRONMENT, "PGPASSWORD": password, "PGAPPNAME": STANDBY},
            check=False,
            capture_output=True,
            text=True,
            **self.account.popen,
        )
        assert copied.returncode == 0, copied.stderr
        shutil.copy(primary.data / "postgres.password", self.replica.data / "postgres.password")
        with (self.replica.cluster / "postgresql.auto.conf").open("a") as conf:
            conf.write(f"cluster_name = '{STANDBY}'\n")
        self.replica.ensure()
        with psycopg.connect(primary.url, autocommit=True) as own:
            own.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{STANDBY}'")
            own.execute("SELECT pg_reload_conf()")
            state = "SELECT sync_state FROM pg_stat_replication"
            assert wait_until(lambda: own.execute(state).fetchone() == ("sync",), 30), "the replica doesn't stream"
        print("a replica streams, and commits wait for it", flush=True)

    def _bounce(self, database: Postgres) -> None:
        """Start PgBouncer in front of a database, or point the one that runs to it."""
        sockets = places.subfolder(self.folder / "s", self.account)
        self.account.own(self.folder)
        told = BOUNCER.format(
            name=NAME,
            host=places.socket_folder(database.data, self.account),
            password=(database.data / "postgres.password").read_text(),
            sockets=sockets,
            folder=self.folder,
        )
        file = self.folder / "pgbouncer.ini"
        with open(file, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as conf:
            conf.write(told)
        self.account.own(file)
        if self.bouncer is None:
            program = shutil.which("pgbouncer") or ""
            self.bouncer = start_server([program, "-q", file], account=self.account, output=subprocess.DEVNULL)
        else:
            self.bouncer.send_signal(signal.SIGHUP)

    def _through_the_bouncer(self) -> None:
        """From now on everybody, this process as well, comes by PgBouncer; lists are read from the replica."""
        host = quote(str(self.folder / "s"), safe="")
        url = f"postgresql://{NAME}@/{NAME}?host={host}&port=6432"
        self.stage.environment |= {
            "DATABASE_URL": url,
            "DATABASE_PREPARES": "false",  # Debian's PgBouncer is older than 1.21
            "DATABASE_REPLICA_URL": self.replica.url,
            "SECRET_KEY": settings.SECRET_KEY,
            **{f"THROTTLE_{scope}": "none" for scope in ("READ", "WRITE", "MOVE", "HISTORY")},
        }
        connections["default"].close()
        connections.databases["default"].update(Env(self.stage.environment).database("DATABASE_URL", default=""))
        connections.databases["default"]["PASSWORD"] = ""
        del connections["default"]
        assert wait_until(self._answers, 20), "PgBouncer doesn't answer"

    def _answers(self) -> bool:
        try:
            with psycopg.connect(self.stage.environment["DATABASE_URL"], connect_timeout=2) as own:
                return own.execute("SELECT NOT pg_is_in_recovery()").fetchone() == (True,)
        except psycopg.OperationalError:
            return False

    def _promote(self) -> None:
        with psycopg.connect(self.replica.url, autocommit=True) as own:
            own.execute("SELECT pg_promote()")
        self._bounce(self.replica)
        assert wait_until(self._answers, 30), "the promoted replica can't be reached"

    def _play(self, prepared: list[Prepared], ports: list[int], over: threading.Event) -> None:
        """Play the moves of some matches in turn, each until it is acknowledged."""
        turns = [list(one.requests) for one in prepared]
        number = 0
        while not over.is_set() and any(turns):
            for requests in turns:
                if requests and not over.is_set():
                    number += 1
                    self._send(requests.pop(0), ports, number)

    def _send(self, request: tuple[str, str, bytes], ports: list[int], number: int) -> None:
        """Send a move until it is acknowledged, by turns to both web processes."""
        path, token, body = request
        begun = time.monotonic()
        while time.monotonic() - begun < PATIENCE_S:
            number += 1
            asked = urllib.request.Request(
                f"http://127.0.0.1:{ports[number % len(ports)]}{path}",
                body,
                {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
            )
            try:
                with urllib.request.urlopen(asked, timeout=10) as answer:
                    seat = json.load(answer)["view"]["table"]["seat"]
                    sent = json.loads(body)
                    move = json.dumps(sent["move"]).encode()
                    self.sent.acknowledged.append(Acknowledged(UUID(path.split("/")[4]), seat, sent["serial"], move))
                    self.sent.longest_s = max(self.sent.longest_s, time.monotonic() - begun)
                    return
            except urllib.error.HTTPError as error:
                self.sent.refused[str(error.code)] += 1
            except OSError:
                self.sent.refused["no answer"] += 1
            time.sleep(0.2)
        self.sent.refused["given up"] += 1

    def _check(self, prepared: list[Prepared]) -> None:
        """Every acknowledged move once in the log, every table equal to its replay, every match able to go on."""
        fates = audit.fates(self.sent.acknowledged)
        assert fates == audit.GOOD, fates
        faults = audit.faults_of([one.match.pk for one in prepared])
        assert not faults, faults
        print(
            f"{len(self.sent.acknowledged)} acknowledged moves are in the logs, each once; "
            f"{len(prepared)} stored tables equal their replays",
            flush=True,
        )


def _ready(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2):
            return True
    except OSError:
        return False


def _list_matches(port: int) -> dict[str, Any]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/matches?status=running", timeout=10) as answer:
        found: dict[str, Any] = json.load(answer)
    assert found, "the public list can't be read"
    return found


if __name__ == "__main__":
    main()
