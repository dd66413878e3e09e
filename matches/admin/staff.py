"""Who of the players is one of the staff, in which roles, and with an authenticator."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from matches.admin.deeds import Deed, DeedForm, actor_of
from matches.admin.lists import by_name
from matches.admin.pages import Page
from matches.models import Player, Staff, name_key
from matches.permits import ROLES, Permit
from matches.services import roles, two_step


class RoleForm(DeedForm):
    """Asks which role."""

    role = forms.ChoiceField(
        choices=[(name, role.title) for name, role in ROLES.items()], widget=UnfoldAdminSelectWidget()
    )


class JoinForm(RoleForm):
    """Asks who, and in which role."""

    name = forms.CharField(max_length=30, widget=UnfoldAdminTextInputWidget())
    field_order = ("name", "role", "reason")

    def clean_name(self) -> Player:
        """The player of that name."""
        player = Player.objects.filter(name_key=name_key(self.cleaned_data["name"]), is_active=True).first()
        if player is None:
            raise forms.ValidationError("There is no such player.")
        return player


def _give(request: HttpRequest, player: Player, given: dict[str, Any]) -> str:
    roles.role_give(player_id=player.pk, role=given["role"], actor_id=actor_of(request), reason=given["reason"])
    return f"{player.name} is {given['role']} now."


def _take(request: HttpRequest, player: Player, given: dict[str, Any]) -> str:
    roles.role_take(player_id=player.pk, role=given["role"], actor_id=actor_of(request), reason=given["reason"])
    return f"{player.name} isn't {given['role']} any more."


def _reset(request: HttpRequest, player: Player, given: dict[str, Any]) -> str:
    two_step.device_reset(player_id=player.pk, actor_id=actor_of(request), reason=given["reason"])
    return f"{player.name} sets an authenticator up at the next log-in."


def _join(request: HttpRequest, staff: Any, given: dict[str, Any]) -> str:
    return _give(request, given["name"], given)


JOIN = Deed(
    name="join",
    title="Take somebody into the staff",
    icon="person_add",
    permit=Permit.MANAGE_STAFF,
    run=_join,
    form=JoinForm,
    explains="They log in to the admin with the password that they play with.",
)


@admin.register(Staff)
class StaffAdmin(Page):
    """Those who may enter the admin."""

    list_display = ("name", "roles", "is_superuser", "has_authenticator", "last_login", "is_active")
    search_help_text = "Beginning of a name, or number of an account"
    fields = ("name", "roles", "is_superuser", "has_authenticator", "last_login", "is_active")
    readonly_fields = ("roles", "has_authenticator")
    list_before_template = "matches/admin/join.html"
    deeds = (
        Deed(
            name="give-role",
            title="Give a role",
            icon="add_moderator",
            permit=Permit.MANAGE_STAFF,
            run=_give,
            form=RoleForm,
        ),
        Deed(
            name="take-role",
            title="Take a role away",
            icon="remove_moderator",
            permit=Permit.MANAGE_STAFF,
            run=_take,
            form=RoleForm,
            is_grave=True,
            explains="Whoever has no role left can't enter the admin any more.",
        ),
        Deed(
            name="reset-device",
            title="Reset a lost authenticator",
            icon="phonelink_erase",
            permit=Permit.MANAGE_STAFF,
            run=_reset,
            is_grave=True,
            explains="Make sure by another channel that it is them who ask.",
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Staff]:
        """With their roles, in one query more."""
        found: QuerySet[Staff] = super().get_queryset(request).filter(is_staff=True).prefetch_related("groups")
        return found

    def find(self, request: HttpRequest, term: str) -> Q:
        """By name or number."""
        return by_name(term)

    def roles(self, staff: Staff) -> str:
        """Their names."""
        return ", ".join(sorted(group.name for group in staff.groups.all())) or "–"

    @admin.display(boolean=True)
    def has_authenticator(self, staff: Staff) -> bool:
        """Whether the second step is set up."""
        return bool(two_step.with_device([staff.pk]))

    def get_urls(self) -> list[URLPattern]:
        """Also the page on which somebody is taken into the staff."""
        return [path("join/", self.admin_site.admin_view(self.join), name="matches_staff_join"), *super().get_urls()]

    def join(self, request: HttpRequest) -> HttpResponse:
        """Ask who, in which role and why."""
        if not JOIN.is_allowed(request):
            raise PermissionDenied
        back = reverse("admin:matches_staff_changelist")
        form = JOIN.form(request.POST or None)
        if request.method == "POST" and form.is_valid() and self.do(request, JOIN, [None], form) is not None:
            return HttpResponseRedirect(back)
        return self.ask(request, JOIN, [], form, back=back)
