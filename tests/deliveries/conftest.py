"""A receiver on the loopback, which the service may reach in these tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.deliveries.receiver import Receiver, receiving


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    """Takes everything until it is told otherwise."""
    settings.OUTGOING_NETWORKS = ["127.0.0.0/8"]
    settings.OUTGOING_HTTP = True
    with receiving() as server:
        yield server
