"""Valkey from the package's program, behind a socket, writing every message down."""

import os
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

import redis

from config.local import places
from config.local.errors import LocalError
from config.local.locks import exclusive
from config.local.places import Account
from config.local.processes import is_alive, start_server, wait_until, works_in

DATABASES = 64


@dataclass(frozen=True, slots=True)
class Valkey:
    """One broker below a data folder."""

    data: Path
    account: Account

    @property
    def socket(self) -> Path:
        return places.socket_folder(self.data, self.account) / "valkey"

    @property
    def url(self) -> str:
        return f"redis+socket://{self.socket}"

    @property
    def pid(self) -> int | None:
        """The server's process, or None when none runs."""
        try:
            pid = int((self._folder / "valkey.pid").read_text())
        except (FileNotFoundError, ValueError):
            return None
        return pid if works_in(pid, self._folder) else None

    def ensure(self) -> None:
        """Returns when the broker answers, starting it if need be; many processes may call this at once."""
        with exclusive(self.data / "valkey.lock"):
            if not (self.pid and self._answers()):
                self._start()

    def stop(self) -> None:
        """Writes everything down and ends; nothing happens when no broker runs."""
        with exclusive(self.data / "valkey.lock"):
            pid = self.pid
            if pid is None:
                return
            os.kill(pid, signal.SIGTERM)
            if not wait_until(lambda: not is_alive(pid), 10):
                os.kill(pid, signal.SIGKILL)

    def remove(self) -> None:
        """Deletes every message."""
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def _folder(self) -> Path:
        return self.data / "valkey"

    def _start(self) -> None:
        server = self._launch()
        # Right after a start the answer may be that it still reads its file.
        wait_until(lambda: bool(self.pid and self._answers()) or server.poll() is not None, 30)
        if self.pid and server.poll() is None:
            return
        server.kill()
        raise LocalError(f"the broker doesn't start: see {self._folder / 'valkey.log'}")

    def _launch(self) -> subprocess.Popen[bytes]:
        folder = places.subfolder(self._folder, self.account)
        command = [
            places.valkey_program(self.account),
            *("--port", "0", "--unixsocket", self.socket, "--unixsocketperm", "600"),
            *("--dir", folder, "--pidfile", folder / "valkey.pid", "--logfile", folder / "valkey.log"),
            *("--appendonly", "yes", "--save", "", "--databases", str(DATABASES)),
        ]
        return start_server(command, account=self.account, output=subprocess.DEVNULL)

    def _answers(self) -> bool:
        try:
            with redis.Redis(unix_socket_path=str(self.socket), socket_timeout=2) as client:
                return bool(client.ping())
        except (redis.RedisError, OSError):
            return False
