"""A browser, the service's pages in it, and where their pictures are kept."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from config.local.places import CHECKOUT
from matches.models import Player
from run import BROWSERS

PICTURES = CHECKOUT / "artefacts" / "screenshots"
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
)
PASSWORD = "a long enough password"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without a browser they are left out, and it is said why."""
    if _chromium() is None:
        reason = pytest.mark.skip(reason=f"no Chromium: none of {', '.join(BROWSERS)} is installed")
        for item in items:
            if Path(__file__).parent in item.path.parents:
                item.add_marker(reason)


def _chromium() -> str | None:
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    # Playwright's loop runs in this thread, and Django takes that for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=_chromium(), args=[*FLAGS])
        yield found
        found.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


class Visit:
    """Somebody at the admin with a browser: `problems` is what its pages did that they shouldn't."""

    def __init__(self, page: Page, url: str, scheme: str) -> None:
        self.page, self.url, self.scheme = page, url, scheme
        self.problems: list[str] = []
        page.on("console", lambda said: self._note(said.type in {"error", "warning"}, said.text))
        page.on("pageerror", lambda error: self._note(bool(error), str(error)))
        page.on("request", lambda asked: self._note(not asked.url.startswith((url, "data:")), asked.url))
        page.on("response", lambda answer: self._note(answer.status >= 400, f"{answer.status} {answer.url}"))

    def _note(self, is_wrong: bool, what: str) -> None:  # noqa: FBT001 - one line a kind of problem
        if is_wrong:
            self.problems.append(what)

    def log_in(self, name: str, password: str = PASSWORD) -> None:
        """Fill the first page in, and be where the staff works."""
        self.go("/admin/login/?next=/admin/")
        self.page.fill("input[name=username]", name)
        self.page.fill("input[name=password]", password)
        self.page.click("#login-form button[type=submit]")

    def go(self, path: str) -> None:
        """Open a page, and wait until it has come to rest."""
        self.page.goto(f"{self.url}{path}")
        self.page.wait_for_load_state("networkidle")

    def keep(self, name: str) -> None:
        """A picture of the whole page, after a look at whether it fits."""
        self.page.wait_for_load_state("networkidle")
        wide = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        self._note(wide > 0, f"{name} is {wide} px wider than the window")
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{name}-{self.scheme}.png", full_page=True)


@pytest.fixture(params=["light", "dark"])
def visit(request: pytest.FixtureRequest, browser: Browser, live_server: Any) -> Iterator[Visit]:
    """A fresh visit, by day and by night. The test fails when a page complains or asks for something elsewhere."""
    context = browser.new_context(color_scheme=request.param, viewport={"width": 1440, "height": 900})
    context.set_default_timeout(20_000)
    context.add_init_script(f"localStorage.setItem('_x_adminTheme', JSON.stringify({request.param!r}))")
    found = Visit(context.new_page(), live_server.url, request.param)
    yield found
    context.close()
    assert found.problems == []


@pytest.fixture
def boss(live_server: Any) -> Player:
    """Somebody who may do everything."""
    return Player.objects.create_superuser("boss", PASSWORD)
