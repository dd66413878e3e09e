"""What every test stands on. The database and the broker start when the first test asks for them."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connections
from hypothesis import settings as hypothesis_settings

from config.celery import app
from config.env import Env
from config.local import places
from config.local.postgres import Postgres
from config.local.testing import database_name, services_for_tests
from config.local.valkey import Valkey

# The same examples every time: a failure can be had again, and a run is no lottery. Longer runs choose others.
hypothesis_settings.register_profile("stable", derandomize=True, database=None, deadline=None)
hypothesis_settings.load_profile("stable")


def pytest_configure() -> None:
    settings.SECRET_KEY = "known to everybody, and used by tests alone"
    settings.CACHES = {"default": {"BACKEND": "config.cache.OfOneProcess"}}
    settings.THROTTLES = {}
    # RFC 7515, appendix A.3.
    settings.VAPID_PRIVATE_KEY = "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="session")
def services() -> Iterator[dict[str, str]]:
    """The variables of a running PostgreSQL and Valkey (DATABASE_URL, BROKER_URL)."""
    with services_for_tests(os.environ) as variables:
        yield variables


@pytest.fixture(scope="session")
def broker(services: dict[str, str]) -> str:
    """The address of the broker, which Celery's app uses from now on."""
    settings.BROKER_URL = settings.CELERY_BROKER_URL = services["BROKER_URL"]
    app.config_from_object("django.conf:settings", namespace="CELERY", force=True)
    return services["BROKER_URL"]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(services: dict[str, str], broker: str) -> None:
    """Points Django at the tests' own database."""
    found = Env(services).database("DATABASE_URL", default="")
    default = connections.databases["default"]
    default["OPTIONS"] = {**found.pop("OPTIONS"), "pool": settings.DATABASE_POOL}
    default.update(found)
    default["TEST"]["NAME"] = database_name(os.environ)


@pytest.fixture(scope="module")
def data() -> Iterator[Path]:
    """A data folder of one's own, which root's services can enter too."""
    account = places.service_account()
    above = places.prepare(places.data_folder(os.environ), account)
    folder = places.prepare(Path(tempfile.mkdtemp(prefix="test-", dir=above)), account)
    yield folder
    Postgres(folder, account).stop()
    Valkey(folder, account).stop()
    shutil.rmtree(folder)
