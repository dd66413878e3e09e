"""Signatures are those of the Standard Webhooks specification; secrets are unreadable without the service's key."""

from __future__ import annotations

import base64
import subprocess
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from pytest_django import Settings

from config.local.places import CHECKOUT
from matches.services.deliveries.signing import (
    SecretLostError,
    headers_of,
    seal,
    secret_make,
    secret_text,
    signature,
    unseal,
)

EVENT = UUID("0190f5fe-0000-7000-8000-000000000001")
SECRET = bytes(range(32))
BODY = '{"kind":"turn","über":1}'.encode()


def by_openssl(secret: bytes, signed: bytes) -> str:
    """The HMAC as another program makes it."""
    command = ["openssl", "dgst", "-sha256", "-mac", "HMAC", "-macopt", f"hexkey:{secret.hex()}", "-binary"]
    made = subprocess.run(command, input=signed, capture_output=True, check=True)
    return base64.b64encode(made.stdout).decode()


def test_a_signature_is_what_openssl_makes_of_id_time_and_body() -> None:
    signed = b"0190f5fe-0000-7000-8000-000000000001.1790000000." + BODY
    assert signature(SECRET, event_id=EVENT, at_s=1_790_000_000, body=BODY) == "v1," + by_openssl(SECRET, signed)


def test_a_secret_is_told_as_the_specification_writes_it() -> None:
    assert secret_text(SECRET) == "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    made = secret_make()
    assert len(made) == 32
    assert base64.b64decode(secret_text(made).removeprefix("whsec_")) == made


def test_a_request_is_signed_with_every_secret_in_force() -> None:
    other = bytes(32)
    headers = headers_of([seal(SECRET), seal(other)], event_id=EVENT, at_s=7, body=BODY)
    signed = f"{EVENT}.7.".encode() + BODY
    assert headers == {
        "Content-Type": "application/json",
        "webhook-id": str(EVENT),
        "webhook-timestamp": "7",
        "webhook-signature": f"v1,{by_openssl(SECRET, signed)} v1,{by_openssl(other, signed)}",
    }


def test_what_is_stored_holds_no_secret_and_is_readable_with_a_former_key(settings: Settings) -> None:
    sealed = seal(SECRET)
    assert SECRET not in base64.urlsafe_b64decode(sealed)
    former, settings.SECRET_KEY = settings.SECRET_KEY, "another key"
    settings.SECRET_KEY_FALLBACKS = [former]
    assert unseal(sealed) == SECRET
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(SecretLostError):
        unseal(sealed)


def test_the_recipe_of_the_documentation_takes_its_example_and_no_other() -> None:
    text = (CHECKOUT / "docs" / "api" / "webhooks.md").read_text(encoding="utf-8")
    recipe = text.split("```python\n")[1].split("```")[0]
    vector = text.rsplit("```\n", 2)[1].strip()
    names: dict[str, Any] = {}
    exec(recipe, names)  # noqa: S102 - our own page
    names["time"] = SimpleNamespace(time=lambda: 1_790_000_200.0)
    headers = {
        "webhook-id": "0190f5fe-0000-7000-8000-000000000001",
        "webhook-timestamp": "1790000000",
        "webhook-signature": f"v1,{'A' * 43}= {vector}",
    }
    is_genuine, body = names["is_genuine"], b'{"kind":"ping"}'
    assert vector == signature(SECRET, event_id=EVENT, at_s=1_790_000_000, body=body)
    assert is_genuine(headers, body, secret_text(SECRET))
    assert not is_genuine(headers, body + b" ", secret_text(SECRET))
    assert not is_genuine(headers, body, secret_text(bytes(32)))
    assert not is_genuine({**headers, "webhook-timestamp": "1790000001"}, body, secret_text(SECRET))
    names["time"] = SimpleNamespace(time=lambda: 1_790_000_301.0)
    assert not is_genuine(headers, body, secret_text(SECRET))
