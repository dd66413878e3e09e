"""Every answer that a test gets from the interface is held against the schema, and may become an example in it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.contract.document import API, Operation, faults, operation_of
from tests.contract.examples import Recorder, is_wanted

RECORDER = Recorder()


def watch(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on an answer that the schema doesn't describe fails the test."""
    send = Client.generic

    def generic(self: Client, method: str, path: str, data: Any = "", *arguments: Any, **more: Any) -> Any:
        answer = send(self, method, path, data, *arguments, **more)
        found = operation_of(method, path.partition("?")[0]) if path.startswith(API) else None
        if found is not None:
            operation, parameters = found
            _check(operation, answer)
            if is_wanted():
                RECORDER.note(operation, parameters, data, answer.status_code, answer.content)
        return answer

    monkeypatch.setattr(Client, "generic", generic)


def _check(operation: Operation, answer: Any) -> None:
    media_type = answer.headers.get("Content-Type", "").partition(";")[0]
    wrong = faults(operation, answer.status_code, media_type, answer.content)
    assert not wrong, f"{operation.method} {operation.path} answered {answer.status_code}: {wrong}\n{answer.content!r}"
