"""Every page and every deed of the admin, asked for by every role."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.test import Client

from matches.admin.pages import Page
from matches.models import AuditEntry, Match, Outage, Player, Report, Seat, Staff
from matches.permits import PERMITS, ROLES, Permit
from matches.services import conduct
from matches.services.roles import role_give, roles_ensure
from tests.admin.access import COLUMNS, DEEDS, DEEDS_OF_ROWS, NO, OPEN, PAGES, RULES
from tests.admin.told import told_rows
from tests.matches.factories import make_match, make_player, make_players

pytestmark = pytest.mark.django_db
REASON = {"reason": "because of a test", "role": "analyst", "name": "somebody"}


def pages() -> dict[str, Page]:
    found = admin.site._registry.items()
    return {model._meta.model_name or "": page for model, page in found if isinstance(page, Page)}


@pytest.fixture
def askers() -> dict[str, Client]:
    boss = Player.objects.create_superuser("boss")
    people: dict[str, Player | None] = {"superuser": boss, "nobody": None, "player": make_player("a player")}
    for role in ROLES:
        people[role] = make_player(f"the {role}")
        role_give(player_id=people[role].pk, role=role, actor_id=boss.pk, reason="of a test")  # type: ignore[union-attr]
    people["no role"] = make_player("new")
    Player.objects.filter(name="new").update(is_staff=True)
    clients = {name: Client() for name in COLUMNS}
    for name, player in people.items():
        if player is not None:
            player.refresh_from_db()
            clients[name].force_login(player)
    return clients


@pytest.fixture
def rows(askers: dict[str, Client]) -> dict[str, Any]:
    """A row of each table."""
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    conduct.report_file(reporter_id=anna.pk, player_id=ben.pk, reason="name")
    Outage.objects.create(begins=1, ends=2)
    make_player("somebody")
    return {
        "match": match.pk,
        "seat": Seat.objects.filter(match=match)[0].pk,
        "player": anna.pk,
        "report": Report.objects.get().pk,
        "outage": Outage.objects.get().pk,
        "auditentry": AuditEntry.objects.first().pk,  # type: ignore[union-attr]
        "staff": Staff.objects.get(name="boss").pk,
        **told_rows(anna, match),
    }


def answers(askers: dict[str, Client], ask: Callable[[Client], int]) -> tuple[int, ...]:
    return tuple(ask(askers[name]) for name in COLUMNS)


def test_every_page_answers_each_role_as_the_table_says(
    askers: dict[str, Client], rows: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    expected, found = {}, {}
    for table, rule in PAGES.items():
        base = "/admin/" if table == "index" else f"/admin/matches/{table}/"
        for address in [base] if table == "index" else [base, f"{base}{rows[table]}/change/"]:
            expected[address] = RULES[rule]
            found[address] = answers(askers, lambda client, address=address: client.get(address).status_code)  # type: ignore[misc]
    for deed, rule in DEEDS.items():
        address = deed_address(deed, rows)
        expected[address] = RULES[rule]
        found[address] = answers(askers, lambda client, address=address: client.get(address).status_code)  # type: ignore[misc]
    with capsys.disabled():
        print("\n" + "\n".join(f"{address:<75}{' '.join(map(str, line))}" for address, line in found.items()))
    assert found == expected


def deed_address(deed: str, rows: dict[str, Any]) -> str:
    table, name = deed.split()
    return f"/admin/matches/{table}/join/" if name == "join" else f"/admin/matches/{table}/{rows[table]}/do/{name}/"


@pytest.mark.parametrize("deed", DEEDS)
def test_who_may_not_do_it_changes_nothing(askers: dict[str, Client], rows: dict[str, Any], deed: str) -> None:
    before = AuditEntry.objects.count()
    for name, answer in zip(COLUMNS, RULES[DEEDS[deed]], strict=True):
        if answer != OPEN:
            assert askers[name].post(deed_address(deed, rows), REASON).status_code == answer
    assert AuditEntry.objects.count() == before
    assert askers["superuser"].post(deed_address(deed, rows), REASON).status_code == 302
    assert AuditEntry.objects.count() == before + 1


@pytest.mark.parametrize("deed", DEEDS_OF_ROWS)
def test_what_is_done_to_matches_and_players_is_for_who_may(
    askers: dict[str, Client], rows: dict[str, Any], deed: str
) -> None:
    before = AuditEntry.objects.count()
    address, back = deed_address(deed, rows), deed_address(deed, rows).partition("do/")[0] + "change/"
    for name, answer in zip(COLUMNS, RULES[DEEDS_OF_ROWS[deed]], strict=True):
        asked = askers[name].get(address)
        if answer == OPEN:
            assert asked.status_code == OPEN or asked.headers["Location"] == back
        else:
            assert asked.status_code == answer
            assert askers[name].post(address, REASON).status_code == answer
    assert AuditEntry.objects.count() == before


@pytest.mark.parametrize("way", ["add/", "{}/delete/", "{}/history/"])
def test_djangos_own_ways_to_change_are_closed_to_all(
    askers: dict[str, Client], rows: dict[str, Any], way: str
) -> None:
    for table in pages():
        address = f"/admin/matches/{table}/{way.format(rows[table])}"
        wanted = (OPEN,) if way.endswith("history/") else (NO,)
        assert askers["superuser"].get(address).status_code in wanted, address


def test_the_tables_have_a_row_for_every_page_and_deed() -> None:
    assert set(PAGES) - {"index"} == set(pages())
    done = {f"{table} {deed.name}" for table, page in pages().items() for deed in page.deeds}
    assert set(DEEDS) | set(DEEDS_OF_ROWS) == done | {"staff join"}


def test_only_our_own_tables_have_pages() -> None:
    assert {model._meta.app_label for model in admin.site._registry} == {"matches"}


def test_every_permit_exists_and_a_role_holds_it_unless_it_is_the_superusers() -> None:
    assert set(PERMITS) == set(Permit)
    known = set(Permission.objects.filter(content_type__app_label="matches").values_list("codename", flat=True))
    assert {permit.value for permit in Permit} <= known
    held = {permit for role in ROLES.values() for permit in role.permits}
    assert set(Permit) - held == {Permit.MANAGE_STAFF}


def test_groups_are_what_the_table_says_after_every_migration() -> None:
    moderators = Group.objects.get(name="moderator")
    moderators.permissions.set(Permission.objects.filter(codename="view_outage"))
    roles_ensure()
    held = set(moderators.permissions.values_list("codename", flat=True))
    role = ROLES["moderator"]
    assert held == {permit.value for permit in role.permits} | {f"view_{table}" for table in role.sees}


def test_addresses_are_for_those_who_may_see_them(askers: dict[str, Client]) -> None:
    anna = make_player("anna")
    Player.objects.filter(pk=anna.pk).update(email="anna@mail.example")
    for name in ("moderator", "analyst", "operator"):
        page = askers[name].get(f"/admin/matches/player/{anna.pk}/change/").text
        found = askers[name].get("/admin/matches/player/", {"q": "anna@mail.example"})
        assert ("anna@mail.example" in page, len(found.context["cl"].result_list)) == (
            (True, 1) if name == "moderator" else (False, 0)
        )


def test_a_role_is_given_and_taken_and_who_has_none_is_out(askers: dict[str, Client]) -> None:
    ben = make_player("ben")
    boss = askers["superuser"]
    boss.post("/admin/matches/staff/join/", {"name": "BEN", "role": "operator", "reason": "helps out"})
    ben.refresh_from_db()
    assert (ben.is_staff, [group.name for group in ben.groups.all()]) == (True, ["operator"])
    boss.post(f"/admin/matches/staff/{ben.pk}/do/take-role/", {"role": "operator", "reason": "helped out"})
    ben.refresh_from_db()
    assert (ben.is_staff, ben.groups.count()) == (False, 0)
    assert list(AuditEntry.objects.filter(target_id=ben.pk).order_by("pk").values_list("what", "data")) == [
        ("role_given", {"role": "operator"}),
        ("role_taken", {"role": "operator"}),
    ]


def test_nobody_of_that_name_joins(askers: dict[str, Client]) -> None:
    refused = askers["superuser"].post("/admin/matches/staff/join/", {**REASON, "name": "no such player"})
    assert "There is no such player" in refused.text
    assert Match.objects.count() == 0
