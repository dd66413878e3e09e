"""A data folder of one's own, which root's services can enter too."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.local import places
from config.local.postgres import Postgres
from config.local.valkey import Valkey


@pytest.fixture(scope="module")
def data() -> Iterator[Path]:
    account = places.service_account()
    above = places.prepare(places.data_folder(os.environ), account)
    folder = places.prepare(Path(tempfile.mkdtemp(prefix="test-", dir=above)), account)
    yield folder
    Postgres(folder, account).stop()
    Valkey(folder, account).stop()
    shutil.rmtree(folder)
