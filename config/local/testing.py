"""The database and the broker of the tests: the same engines as in production, with nobody else's data in them."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import redis

from config.local import places
from config.local.errors import LocalError
from config.local.locks import Claim
from config.local.services import running_services
from config.local.valkey import DATABASES


@contextmanager
def services_for_tests(environ: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Variables of a test process, with its own broker database.

    All test processes of a checkout share one server each; the last one deletes them.
    """
    data = places.prepare(places.data_folder(environ), places.service_account())
    with (
        running_services({**environ, "LISTIK_DATA": str(data / "tests")}, throwaway=True) as services,
        _broker_slot(data / "tests") as slot,
    ):
        found = services.environment(environ)
        if services.valkey:
            found["BROKER_URL"] = f"{services.valkey.url}?virtual_host={slot}"
            with redis.Redis(unix_socket_path=str(services.valkey.socket), db=slot) as client:
                client.flushdb()
        yield found


def database_name(environ: Mapping[str, str]) -> str:
    """A name that no other test process uses, of this run or of another at the same time."""
    run = environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    return f"test_listik_{run}_{environ.get('PYTEST_XDIST_WORKER', 'alone')}"


@contextmanager
def _broker_slot(folder: Path) -> Iterator[int]:
    for slot in range(DATABASES):
        claim = Claim(folder / f"broker-{slot}.lock")
        if claim.take_alone():
            try:
                yield slot
            finally:
                claim.release()
            return
        claim.release()
    raise LocalError(f"more than {DATABASES} test processes run at once: wait for the others")
