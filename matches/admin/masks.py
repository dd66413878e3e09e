"""What is shown of addresses: enough to know what they are about, too little to use them."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_MAIL = re.compile(r"[^\s<>@,;:\"']+@(?=[^\s<>@,;:\"'])")
_PATH = re.compile(r"(?i)\b(https?://)(?:[^\s/?#@]*@)?([^\s/?#]+)[^\s]*")


def host_of(url: str) -> str:
    """The host alone: the rest of an address that players choose may hold a secret."""
    try:
        return urlsplit(url).hostname or "–"
    except ValueError:
        return "–"


def masked(text: str) -> str:
    """A text without what stands before the @ of addresses of mail, or behind the host of others."""
    return _MAIL.sub("…@", _PATH.sub(r"\1\2/…", text))
