"""A service of our own, part by part: database, broker, workers, beats, web servers, each of which can be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import redis
from django.db import connections

from config.env import Env
from config.local import places
from config.local.places import CHECKOUT
from config.local.postgres import Postgres
from config.local.processes import PLAIN_ENVIRONMENT, die_with_parent, end_group, wait_until
from config.local.serve import AS_ROOT
from config.local.services import Services, secret_key
from config.local.valkey import Valkey

CELERY = ("celery", "--app", "config", "--quiet")
WORKER = ("--without-gossip", "--without-mingle", "--loglevel", "WARNING", "--concurrency")
Process = subprocess.Popen[bytes]


class Stage:
    """Real servers below a data folder, and the processes that were started on them."""

    def __init__(self, data: Path, database_environment: Mapping[str, str] = PLAIN_ENVIRONMENT) -> None:
        account = places.service_account()
        self.postgres, self.valkey = Postgres(data, account, database_environment), Valkey(data, account)
        self.services = Services(data=data, postgres=self.postgres, valkey=self.valkey)
        self.services.ensure()
        given = {"DATABASE_URL", "BROKER_URL", "CACHE_URL"}
        own = {name: value for name, value in os.environ.items() if name not in given}
        self.environment = {**self.services.environment(own), "SECRET_KEY": secret_key(data), "LOG_FORMAT": "console"}
        self.output = (data / "output").open("ab")
        self.processes: list[Process] = []
        subprocess.run([sys.executable, "-m", "config.local.prepare"], cwd=CHECKOUT, env=self.environment, check=True)

    def start(self, *command: str, **environment: str) -> Process:
        """Start a module of Python, with some variables more."""
        process = subprocess.Popen(
            [sys.executable, "-W", AS_ROOT, "-m", *command],
            cwd=CHECKOUT,
            env={**self.environment, **environment},
            stdin=subprocess.DEVNULL,
            stdout=self.output,
            stderr=self.output,
            start_new_session=True,
            preexec_fn=die_with_parent,  # noqa: PLW1509 - no other thread holds a lock that it needs
        )
        self.processes.append(process)
        return process

    def worker(self, concurrency: int = 1) -> Process:
        """A worker with so many processes."""
        return self.start(*CELERY, "worker", *WORKER, str(concurrency))

    def courier(self) -> Process:
        """A worker of the deliveries, as `serve` starts it."""
        return self.start(*CELERY, "worker", "--queues", "deliveries", "--pool", "threads", *WORKER, "6")

    def beat(self) -> Process:
        """A beat, as `serve` starts it."""
        return self.start(*CELERY, "beat", "--scheduler", "celery.beat:Scheduler", "--loglevel", "WARNING")

    def web(self, port: int) -> Process:
        """A web server on the loopback."""
        options = ("--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port), "--blocking-threads", "4")
        return self.start("granian", *options, "--log-level", "warning", "config.wsgi:application")

    def streams(self, port: int, **environment: str) -> Process:
        """A process of the stream service on the loopback."""
        options = (
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            "--loop",
            "uvloop",
            "--http",
            "httptools",
            "--ws",
            "none",
        )
        quiet = ("--no-access-log", "--log-level", "warning", "--backlog", "8192", "--timeout-graceful-shutdown", "3")
        return self.start("uvicorn", *options, *quiet, "config.streams:application", **environment)

    def kill(self, *processes: Process) -> None:
        """SIGKILL, for them and all that they have started."""
        for process in processes:
            end_group(process, signal.SIGKILL)
            process.wait()
            self.processes.remove(process)

    def kill_broker(self) -> None:
        """SIGKILL."""
        pid = self.valkey.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)

    def kill_database(self) -> None:
        """SIGKILL for all of its processes, as when its machine is gone."""
        pid = self.postgres.pid
        assert pid is not None
        for victim in (pid, *children_of(pid)):
            with suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)

    def restart_broker(self) -> None:
        """All messages are lost, and then the broker itself."""
        self.broker().flushall()
        self.kill_broker()
        assert wait_until(lambda: self.valkey.pid is None, 10)
        self.valkey.ensure()

    def restart_database(self) -> None:
        """The database ends at once, in the middle of whatever it does, and comes again."""
        pid = self.postgres.pid
        assert pid is not None
        os.kill(pid, signal.SIGQUIT)
        assert wait_until(lambda: self.postgres.pid is None, 30)
        connections["default"].close()
        self.postgres.ensure()

    def broker(self) -> redis.Redis:
        """A client of the broker."""
        return redis.Redis(unix_socket_path=str(self.valkey.socket))

    def send(self, task: str, arguments: Sequence[Any] = (), times: int = 1) -> None:
        """Send a task so many times."""
        from celery import Celery  # noqa: PLC0415 - an app of its own, for this broker alone

        with Celery(broker=self.valkey.url, set_as_current=False) as app:
            for _ in range(times):
                app.send_task(task, args=list(arguments), ignore_result=True)

    def close(self) -> None:
        """End everything that still runs."""
        self.kill(*list(self.processes))
        self.output.close()


def children_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@contextmanager
def stage_on(data: Path, database_environment: Mapping[str, str] = PLAIN_ENVIRONMENT) -> Iterator[Stage]:
    """The stage, with this process's own connection to its database."""
    stage = Stage(data, database_environment)
    default = connections.databases["default"]
    saved = dict(default)
    found = Env(stage.environment).database("DATABASE_URL", default="")
    try:
        _connect({**saved, **found})
        yield stage
    finally:
        stage.close()
        _connect(saved)
        stage.services.stop()


def _connect(settings: dict[str, Any]) -> None:
    connections["default"].close()
    default = connections.databases["default"]
    default.clear()
    default.update(settings)
    del connections["default"]
