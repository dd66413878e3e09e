"""The whole service on one machine, until it is told to stop."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from config.local import places, state
from config.local.errors import LocalError
from config.local.locks import Claim
from config.local.services import Services, running_services
from config.local.supervisor import Child, Supervisor, say

FIRST_PORT = 8000
PORTS_TRIED = 100
CHECK_SECONDS = 0.2
FIRST_ANSWER_SECONDS = 60
# A web process; they mostly wait for the database.
THREADS = 5
AS_ROOT = "ignore:You're running the worker with superuser privileges"


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller of `serve` chose; without a port the first free one from 8000 on is taken."""

    host: str = "127.0.0.1"
    port: int | None = None
    demo: bool | None = None


def serve(options: Options, environ: Mapping[str, str]) -> None:
    """Runs everything until SIGINT or SIGTERM. Raises LocalError when it can't be started."""
    stopped = _stop_signals()
    with _only_one(environ), running_services(environ) as services:
        environment = {"LOG_FORMAT": "console", "PYTHONUNBUFFERED": "1", **services.environment(environ)}
        logins = _prepare_database(services, options, environment)
        _run(services, options, environment, logins, stopped)
    say("listik", "stopped; everything is kept for the next start")


def _stop_signals() -> threading.Event:
    stopped = threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        stopped.set()

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    return stopped


@contextmanager
def _only_one(environ: Mapping[str, str]) -> Iterator[None]:
    data = places.prepare(places.data_folder(environ), places.service_account())
    claim = Claim(data / "serve.lock")
    try:
        if not claim.take_alone():
            running = state.read_running(data)
            where = f"at {running.url} (process {running.pid})" if running else "and is just starting"
            raise LocalError(f"Listik already runs on {data} {where}: stop that one first, or set LISTIK_DATA")
        yield
    finally:
        claim.release()


def _prepare_database(services: Services, options: Options, environment: Mapping[str, str]) -> str:
    """Brings the tables up to date; demo players only where nobody else's data is, unless they are asked for."""
    say("listik", "bringing the database up to date")
    demo = services.postgres is not None if options.demo is None else options.demo
    done = subprocess.run(
        [sys.executable, "-m", "config.local.prepare", *(["seed_demo"] if demo else [])],
        cwd=places.CHECKOUT,
        env=dict(environment),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.stderr.write(done.stderr)
        raise LocalError("the database could not be brought up to date: the lines above say why")
    return done.stdout


def _run(
    services: Services, options: Options, environment: Mapping[str, str], logins: str, stopped: threading.Event
) -> None:
    host, port = options.host, free_port(options.host, options.port)
    streams_port = free_port(host, None, first=port + 1)
    url, streams = _url(host, port), _url(host, streams_port)
    environment = {"STREAMS_URL": streams, **environment}

    writing = threading.Lock()

    def note(pids: dict[str, int]) -> None:
        with writing:
            processes = {**pids, **_embedded_pids(services)}
            state.Running(url=url, pid=os.getpid(), streams=streams, processes=processes).write(services.data)

    supervisor = Supervisor(_children(host, port, streams_port), {"PUBLIC_URL": url, **environment}, note)
    reviver = threading.Thread(target=_revive, args=(services, stopped, lambda: note(supervisor.pids)))
    reviver.start()
    try:
        supervisor.check()
        threading.Thread(target=_announce, args=(url, streams, logins, services, stopped), daemon=True).start()
        while not stopped.wait(CHECK_SECONDS):
            supervisor.check()
        say("listik", "stopping")
    finally:
        stopped.set()
        supervisor.stop()
        reviver.join()
        state.forget(services.data)


def _revive(services: Services, stopped: threading.Event, changed: Callable[[], None]) -> None:
    """Starts embedded services again that were killed; the other processes reconnect by themselves."""
    while not stopped.wait(CHECK_SECONDS):
        for service in services.embedded:
            if service.pid is None:
                say("listik", f"{type(service).__name__} is gone; starting it again")
                try:
                    service.ensure()
                except LocalError as error:
                    say("listik", f"{error}; trying again")
                changed()


def _embedded_pids(services: Services) -> dict[str, int]:
    return {type(service).__name__.lower(): pid for service in services.embedded if (pid := service.pid) is not None}


def _url(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _children(host: str, port: int, streams_port: int) -> list[Child]:
    web = [
        *("granian", "--interface", "wsgi", "--no-ws", "--host", host, "--port", str(port)),
        *(
            "--workers",
            str(min(4, os.cpu_count() or 1)),
            "--blocking-threads",
            str(THREADS),
            "--respawn-failed-workers",
        ),
        *("--workers-kill-timeout", "3", "--log-level", "warning", "config.wsgi:application"),
    ]
    streams = [
        *("uvicorn", "--host", host, "--port", str(streams_port), "--loop", "uvloop", "--http", "httptools"),
        *("--ws", "none", "--no-access-log", "--no-server-header", "--log-level", "warning", "--backlog", "4096"),
        *("--timeout-graceful-shutdown", "3", "--timeout-keep-alive", "30", "config.streams:application"),
    ]
    celery = ["celery", "--app", "config", "--quiet"]
    quiet = ["--without-gossip", "--without-mingle", "--loglevel", "WARNING"]
    worker = [*celery, "worker", "--concurrency", "2", *quiet]
    # Mostly it waits for other people's servers.
    courier = [*celery, "worker", "--queues", "deliveries", "--pool", "threads", "--concurrency", "6", *quiet]
    # The schedule is in code and has nothing to remember.
    beat = [*celery, "beat", "--scheduler", "celery.beat:Scheduler", "--loglevel", "WARNING"]
    commands = {"web": web, "streams": streams, "worker": worker, "courier": courier, "beat": beat}
    return [Child(name, [sys.executable, "-W", AS_ROOT, "-m", *command]) for name, command in commands.items()]


def free_port(host: str, wanted: int | None, first: int = FIRST_PORT) -> int:
    """The wanted port, which must be free; without one the first free port from `first` on."""
    for port in [wanted] if wanted is not None else range(first, min(first + PORTS_TRIED, 65536)):
        if _is_free(host, port):
            return port
    if wanted is not None:
        raise LocalError(f"port {wanted} on {host} can't be used: choose another with --port")
    raise LocalError(f"no port from {first} to {first + PORTS_TRIED - 1} is free: choose another with --port")


def _is_free(host: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _announce(url: str, streams: str, logins: str, services: Services, stopped: threading.Event) -> None:
    """Says where everything is as soon as the first answer comes."""
    end = time.monotonic() + FIRST_ANSWER_SECONDS
    while not stopped.is_set() and not (_answers(url) and _answers(streams)):
        if time.monotonic() > end:
            say("listik", f"{url} still doesn't answer: the lines above say why")
            return
        time.sleep(0.1)
    if stopped.is_set():
        return
    for line in banner(url, streams, logins, services.data):
        say("listik", line)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/healthz", timeout=2):  # noqa: S310 - our own address
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


def banner(url: str, streams: str, logins: str, data: Path) -> list[str]:
    """The lines that greet whoever started the service."""
    return [
        "",
        f"Listik is ready at {url}",
        f"  API            {url}/api/v1/",
        f"  Streams        {streams}/api/v1/",
        f"  Documentation  {url}/api/docs/",
        f"  Schema         {url}/api/v1/openapi.json",
        f"  Admin          {url}/admin/",
        f"  Data           {data}",
        *logins.splitlines(),
        "Ctrl-C stops it; the data stays.",
        "",
    ]
