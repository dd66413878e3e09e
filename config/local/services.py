"""The database and the broker of a command: those of DATABASE_URL and BROKER_URL, else embedded ones."""

import base64
import os
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg
from celery import Celery
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.exceptions import ImproperlyConfigured
from kombu.exceptions import OperationalError

from config.env import Env
from config.local import places
from config.local.errors import LocalError
from config.local.locks import Claim
from config.local.postgres import Postgres
from config.local.valkey import Valkey


@dataclass(frozen=True, slots=True)
class Services:
    """What a command runs on; the embedded ones may be shared with other commands of the same data folder."""

    data: Path
    postgres: Postgres | None
    valkey: Valkey | None

    @property
    def embedded(self) -> tuple[Postgres | Valkey, ...]:
        return tuple(service for service in (self.postgres, self.valkey) if service is not None)

    def ensure(self) -> None:
        for service in self.embedded:
            service.ensure()

    def stop(self) -> None:
        """The broker first: the database outlives all that writes to it."""
        for service in reversed(self.embedded):
            service.stop()

    def remove(self) -> None:
        """Deletes what the embedded ones keep; they are stopped."""
        for service in self.embedded:
            service.remove()

    def environment(self, environ: Mapping[str, str]) -> dict[str, str]:
        """The variables for the service's processes."""
        found = dict(environ)
        found["LISTIK_DATA"] = str(self.data)
        if self.postgres:
            found["DATABASE_URL"] = self.postgres.url
        if self.valkey:
            found["BROKER_URL"] = self.valkey.url
        if not environ.get("SECRET_KEY", "").strip():
            found["SECRET_KEY"] = secret_key(self.data)
        if not environ.get("VAPID_PRIVATE_KEY", "").strip():
            found["VAPID_PRIVATE_KEY"] = vapid_key(self.data)
        return found


def find_services(environ: Mapping[str, str]) -> Services:
    """Decides what is embedded, and checks what is given by trying it.

    Raises LocalError or ImproperlyConfigured, each one line, without a password.
    """
    env = Env(environ)
    given_database, given_broker = bool(env.text("DATABASE_URL")), bool(env.text("BROKER_URL"))
    if given_database:
        check_database(env)
    if given_broker:
        check_broker(env)
    account = places.service_account()
    data = places.prepare(places.data_folder(environ), account)
    return Services(
        data=data,
        postgres=None if given_database else Postgres(data, account),
        valkey=None if given_broker else Valkey(data, account),
    )


@contextmanager
def running_services(environ: Mapping[str, str], *, throwaway: bool = False) -> Iterator[Services]:
    """The services, running inside the block; the last of all commands that use them stops the embedded ones.

    With throwaway it deletes their data as well.
    """
    services = find_services(environ)
    claim = Claim(services.data / "users.lock")
    claim.share()
    try:
        services.ensure()
        yield services
    finally:
        if claim.take_alone():
            services.stop()
            if throwaway:
                services.remove()
        claim.release()


def check_database(env: Env) -> None:
    """Raises LocalError when the database of DATABASE_URL can't be used."""
    env.database("DATABASE_URL", default="")
    url = env.text("DATABASE_URL")
    try:
        psycopg.connect(url, connect_timeout=5).close()
    except psycopg.Error as error:
        raise LocalError(f"DATABASE_URL {masked(url)} can't be used: {one_line(str(error), url)}") from None


def check_broker(env: Env) -> None:
    """Raises LocalError when the broker of BROKER_URL can't be used."""
    url = env.broker("BROKER_URL", default="")
    try:
        with Celery(broker=url, set_as_current=False).connection_for_write(connect_timeout=5) as connection:
            connection.ensure_connection(max_retries=1, timeout=5)
    except (OperationalError, OSError, ImproperlyConfigured) as error:
        raise LocalError(f"BROKER_URL {masked(url)} can't be used: {one_line(str(error), url)}") from None


def masked(url: str) -> str:
    """The URL with stars for its password, wherever it is given."""
    url = re.sub(r"(?<=://)([^/@]*?):[^@]*@", r"\1:***@", url)
    return re.sub(r"(password=)[^&]*", r"\1***", url, flags=re.IGNORECASE)


def one_line(message: str, url: str) -> str:
    """A driver's message on one line, without the URL in it."""
    return " ".join(message.replace(url, masked(url)).split())


def secret_key(data: Path) -> str:
    """The key that signs tokens and sessions, made once for a data folder."""
    return _kept(data / "secret_key", lambda: secrets.token_urlsafe(50))


def vapid_key(data: Path) -> str:
    """The key that signs pushes; browsers that have signed up know it, so it is made once as well."""
    return _kept(data / "vapid_key", _fresh_vapid_key)


def _fresh_vapid_key() -> str:
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return base64.urlsafe_b64encode(number.to_bytes(32, "big")).rstrip(b"=").decode()


def _kept(path: Path, fresh: Callable[[], str]) -> str:
    """What the file holds, which is made if it isn't there and read by its owner alone."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(fresh())
        # Of two starts at once the first one's key stands, whole.
        with suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text()
