"""The whole service under load: what dies is started again, and the web reaches its database through a relay."""

from __future__ import annotations

import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from django.conf import settings
from django.db import connections

from bench.prepared import players
from config.local.errors import LocalError
from config.local.places import socket_folder
from config.local.processes import PLAIN_ENVIRONMENT, wait_until
from config.local.serve import AS_ROOT, THREADS
from config.local.supervisor import Child, Supervisor
from matches.models import Match
from tests.faults import matches as boards
from tests.faults.clients import Crowd, Person
from tests.faults.clocks import Clocks, Impossible
from tests.faults.relay import Relay
from tests.faults.stage import CELERY, WORKER, Stage, stage_on
from tests.ports import free_port

TABLES_EACH = 3
SEATS = 3
LEFT_ALONE = 5
SWEPT = {"type": "per_move", "move_s": 12}
"""Longer than what is sent ahead of its time: only the sweep that beat asks for finds these."""
WEB_WORKERS = 2


class Scene:
    """Two web processes behind one port, two workers with two processes each, beat; clients that play.

    Beside them are matches in which nobody moves, so that workers have clocks that run out.
    """

    def __init__(self, stage: Stage, connections: int, clocks: Clocks | None = None) -> None:
        self.stage, self.clocks = stage, clocks
        self.crowd = Crowd(
            [[Person(one.pk, token) for one, token in players(SEATS)] for _ in range(TABLES_EACH * connections)],
            connections,
        )
        self.left_alone: list[Match] = boards.begin(LEFT_ALONE, ago=0, control=SWEPT)
        sockets = socket_folder(stage.postgres.data, stage.postgres.account)
        self.relay = Relay(sockets / ".s.PGSQL.5432")
        self.crowd.ask(self.relay.listen())
        self.port = free_port()
        throttles = ("READ", "WRITE", "MOVE", "HISTORY")
        environment = {
            **stage.environment,
            **{f"THROTTLE_{scope}": "none" for scope in throttles},
            "SECRET_KEY": settings.SECRET_KEY,  # tokens are issued here
            "BOT_DELAY_MS": "100",
            "LOG_LEVEL": "WARNING",
        }
        self.supervisor = Supervisor(self._children(), environment, lambda pids: None)
        self._over = threading.Event()
        self._keepers = [threading.Thread(target=work) for work in (self._keep_processes, self._keep_servers)]

    def begin(self) -> None:
        """Start everything; the clients wait for their word."""
        for keeper in self._keepers:
            keeper.start()
        assert wait_until(self.is_ready, 60), "the service doesn't get ready"
        self.crowd.come(self.port)

    def is_ready(self) -> bool:
        """Whether all processes run and the web answers that it can serve."""
        if len(self.supervisor.pids) < len(self.supervisor.children):
            return False
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def process(self, name: str) -> int:
        """The id of a process."""
        return self.supervisor.pids[name]

    def close(self) -> None:
        """End everything."""
        self.crowd.go_home()
        self._over.set()
        for keeper in self._keepers:
            keeper.join()
        connections["default"].close()

    def _children(self) -> list[Child]:
        web = ["granian", "--interface", "wsgi", "--no-ws", "--host", "127.0.0.1", "--port", str(self.port)]
        web += ["--workers", str(WEB_WORKERS), "--blocking-threads", str(THREADS), "--respawn-failed-workers"]
        web += ["--log-level", "warning", "config.wsgi:application"]
        commands = {
            "web": web,
            "worker": [*CELERY, "worker", "--hostname", "one@%h", *WORKER, "2"],
            "other_worker": [*CELERY, "worker", "--hostname", "two@%h", *WORKER, "2"],
            "beat": [*CELERY, "beat", "--scheduler", "celery.beat:Scheduler", "--loglevel", "WARNING"],
        }
        return [
            Child(name, [sys.executable, "-W", AS_ROOT, "-m", *command], environment=self._own(name), tell=self._tell)
            for name, command in commands.items()
        ]

    def _own(self, name: str) -> dict[str, str]:
        own = {} if self.clocks is None else self.clocks.environment(name)
        return {**own, "DATABASE_URL": self._relayed()} if name == "web" else own

    def _relayed(self) -> str:
        url = urlsplit(self.stage.postgres.url)
        password = quote(url.password or "", safe="")
        return f"postgresql://{url.username}:{password}@127.0.0.1:{self.relay.port}{url.path}"

    def _tell(self, name: str, line: str) -> None:
        self.stage.output.write(f"{name}: {line}\n".encode())
        self.stage.output.flush()

    def _keep_processes(self) -> None:
        """In one thread to the end, for its children die with it."""
        while not self._over.wait(0.2):
            self.supervisor.check()
        self.supervisor.stop()

    def _keep_servers(self) -> None:
        """Start database and broker again, as an operator would."""
        while not self._over.wait(0.2):
            for service in self.stage.services.embedded:
                if service.pid is None:
                    try:
                        service.ensure()
                    except LocalError as error:
                        self._tell("operator", str(error))


@contextmanager
def scene_on(data: Path, connections: int, *, steps_clocks: bool = False) -> Iterator[Scene]:
    """All of it in a data folder; `steps_clocks` is for faults that do."""
    clocks = Clocks(data) if steps_clocks else None
    own: dict[str, Any] = {}
    if clocks is not None:
        if not clocks.work():
            raise Impossible("clocks can't be stepped on this machine: libfaketime doesn't work here")
        own = {"database_environment": {**PLAIN_ENVIRONMENT, **clocks.environment("database")}}
    try:
        with stage_on(data, **own) as stage:
            scene = Scene(stage, connections, clocks)
            try:
                scene.begin()
                yield scene
            finally:
                scene.close()
    finally:
        if clocks is not None:
            clocks.tidy()
