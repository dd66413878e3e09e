"""PostgreSQL from the package's programs, with a lifecycle that outlives every kind of death."""

import os
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import psycopg

from config.local import places
from config.local.errors import LocalError
from config.local.locks import exclusive
from config.local.places import Account
from config.local.processes import PLAIN_ENVIRONMENT, is_alive, start_server, wait_until, works_in

NAME = "listik"
START_SECONDS = 60
LOG_BYTES = 10_000_000


@dataclass(frozen=True, slots=True)
class Postgres:
    """One cluster below a data folder, reached by a socket alone, with a password."""

    data: Path
    account: Account
    environment: Mapping[str, str] = field(default_factory=lambda: PLAIN_ENVIRONMENT)

    @property
    def cluster(self) -> Path:
        return self.data / "postgres" / "cluster"

    @property
    def url(self) -> str:
        """The address of the database, password included."""
        sockets = quote(str(places.socket_folder(self.data, self.account)), safe="")
        return f"postgresql://{NAME}:{self._password()}@/{NAME}?host={sockets}"

    @property
    def pid(self) -> int | None:
        """The server's process, or None when none runs."""
        pid = self._pid_written()
        return pid if pid is not None and works_in(pid, self.cluster) else None

    def ensure(self) -> None:
        """Returns when the database answers, starting it if need be; many processes may call this at once."""
        with exclusive(self.data / "postgres.lock"):
            if not (self.pid and self._answers()):
                self._create()
                self._start()

    def stop(self) -> None:
        """Ends all sessions and writes everything down; nothing happens when no server runs."""
        with exclusive(self.data / "postgres.lock"):
            pid = self.pid
            if pid is None:
                return
            os.kill(pid, signal.SIGINT)
            if not wait_until(lambda: not is_alive(pid), 20):
                os.kill(pid, signal.SIGQUIT)
                wait_until(lambda: not is_alive(pid), 5)

    def remove(self) -> None:
        """Deletes the cluster and its password."""
        shutil.rmtree(self.cluster.parent, ignore_errors=True)
        (self.data / "postgres.password").unlink(missing_ok=True)

    def _pid_written(self) -> int | None:
        try:
            return int((self.cluster / "postmaster.pid").read_text().split("\n", 1)[0])
        except (FileNotFoundError, ValueError):
            return None

    def _password(self) -> str:
        path = self.data / "postgres.password"
        try:
            return path.read_text()
        except FileNotFoundError:
            raise LocalError(f"{path} is missing, but the database was made with it: restore it") from None

    def _create(self) -> None:
        """Makes the cluster in a folder beside, so that one half made is never taken for a whole one."""
        if self.cluster.exists():
            return
        folder = places.subfolder(self.cluster.parent, self.account)
        draft = folder / "draft"
        shutil.rmtree(draft, ignore_errors=True)
        password = secrets.token_urlsafe(32)
        told = folder / "password"
        told.unlink(missing_ok=True)
        _write_secret(told, password)
        self.account.own(told)
        self._initdb(draft, told)
        told.unlink()
        (self.data / "postgres.password").unlink(missing_ok=True)
        _write_secret(self.data / "postgres.password", password)
        draft.rename(self.cluster)

    def _initdb(self, draft: Path, told: Path) -> None:
        command = [
            places.postgres_programs(self.account) / "initdb",
            *("--pgdata", draft, "--username", NAME, "--pwfile", told, "--auth", "scram-sha-256"),
            *("--encoding", "UTF8", "--locale", "C", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"),
        ]
        done = subprocess.run(  # type: ignore[call-overload]
            command, cwd="/", env=PLAIN_ENVIRONMENT, capture_output=True, text=True, check=False, **self.account.popen
        )
        if done.returncode:
            raise LocalError(f"the database can't be made: {_last_line(done.stderr)}")

    def _start(self) -> None:
        end = time.monotonic() + START_SECONDS
        server = self._launch()
        while not self._answers():
            if time.monotonic() > end:
                raise LocalError(f"the database doesn't start: {_last_line(self._log.read_text(errors='replace'))}")
            if server.poll() is not None:
                # Backends of a killed server hold its memory for about a second.
                time.sleep(0.2)
                server = self._launch()
            time.sleep(0.03)

    @property
    def _log(self) -> Path:
        return self.data / "postgres.log"

    def _launch(self) -> subprocess.Popen[bytes]:
        sockets = places.socket_folder(self.data, self.account)
        if self.pid is None:
            # PostgreSQL would take a zombie, or another program with its number, for a running server. Whether a
            # server's memory is still in use it finds out by itself, without these files.
            (self.cluster / "postmaster.pid").unlink(missing_ok=True)
            (sockets / ".s.PGSQL.5432.lock").unlink(missing_ok=True)
        fresh = self._log.exists() and self._log.stat().st_size > LOG_BYTES
        # Private: an error may repeat a statement's values.
        with open(self._log, "wb" if fresh else "ab", opener=_private) as log:
            command: list[object] = [
                places.postgres_programs(self.account) / "postgres",
                "-D",
                self.cluster,
                "-k",
                sockets,
            ]
            command += ["-c", "listen_addresses="]
            return start_server(command, account=self.account, output=log, environment=self.environment)

    def _answers(self) -> bool:
        """Whether a real connection succeeds; the database is made at the first one."""
        maintenance = self.url.replace(f"@/{NAME}?", "@/postgres?")
        try:
            with psycopg.connect(maintenance, autocommit=True, connect_timeout=5) as connection:
                known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [NAME]).fetchone()
                if known is None:
                    connection.execute(f"CREATE DATABASE {NAME}")
        except psycopg.OperationalError as error:
            if isinstance(error, psycopg.errors.InvalidPassword):
                raise LocalError(f"the database refuses the password in {self.data / 'postgres.password'}") from None
            return False
        return True


def _write_secret(path: Path, secret: str) -> None:
    with open(path, "x", opener=_private) as file:
        file.write(secret)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it said nothing"
