"""The table of problems, for people: as a page, and as Markdown for the repository."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from matches.errors import CODES

HEAD = """# Problems

Made from `matches/errors.py` by `python3 run.py manage problem_codes`; a test compares. Every error is a problem detail
(RFC 9457, `application/problem+json`) with one of these codes, which never change.

| code | status | what it means |
|---|--:|---|
"""


def rows() -> list[tuple[str, int, str]]:
    """Code, status and title, by status."""
    return sorted(((code, status, title) for code, (status, title) in CODES.items()), key=lambda row: (row[1], row[0]))


def markdown() -> str:
    """What docs/problems.md holds."""
    return HEAD + "".join(f"| `{code}` | {status} | {title} |\n" for code, status, title in rows())


def page(request: HttpRequest) -> HttpResponse:
    """The page that the `type` of a problem leads to."""
    return render(request, "matches/problems.html", {"problems": rows()})


urlpatterns = [path("problems", page, name="problems")]
