"""The caller's own account: what it is, how it changes, and how it ends."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from matches import selectors
from matches.api import present
from matches.api.bodies import (
    AccountBody,
    AskRecovery,
    ChangeEmail,
    ChangePassword,
    CloseAccount,
    ConfirmEmail,
    Counts,
    FinishRecovery,
    PersonalData,
    Session,
    Upgrade,
)
from matches.api.http import Endpoint
from matches.api.players import session
from matches.api.schema import describe
from matches.services import accounts, farewell, mailing, recovery
from matches.services.players import Identity


class Mine(Endpoint):
    """Base of what only the owner of an account may do."""

    def identity(self, request: Request) -> Identity:
        """What the caller's token says; the service compares its epoch."""
        caller = self.caller(request)
        return Identity(caller.player_id, caller.epoch)


class Me(Mine):
    """The caller."""

    @describe("Show your own account", answers={200: AccountBody}, signed_in=True)
    def get(self, request: Request) -> Response:
        """Who you are."""
        return Response(present.account(selectors.own_account(**self.identity(request)._asdict())))


class MyCounts(Mine):
    """The caller's badge."""

    @describe("Count what waits for you", answers={200: Counts}, signed_in=True)
    def get(self, request: Request) -> Response:
        """How many matches wait for your move, run, or have not begun; open invitations; unread notices."""
        return Response(Counts(*selectors.counts_of(player_id=self.caller(request).player_id)))


class MyData(Mine):
    """Everything about the caller."""

    @describe("Export your data", answers={200: PersonalData}, signed_in=True)
    def get(self, request: Request) -> Response:
        """All that is kept of you, as one document. Your moves are in the exports of your matches."""
        data = selectors.personal_data(**self.identity(request)._asdict())
        headers = {"Content-Disposition": 'attachment; filename="listik-my-data.json"', "Cache-Control": "no-store"}
        return Response(present.personal_data(data), headers=headers)

    throttle_scope = "history"


class MyUpgrade(Mine):
    """From a guest to a player."""

    @describe(
        "Turn a guest into a full player",
        body=Upgrade,
        answers={200: AccountBody},
        signed_in=True,
        problems=("name_invalid", "name_taken", "password_weak", "email_invalid", "not_a_guest"),
    )
    def post(self, request: Request) -> Response:
        """Choose name and password; matches, record and tokens stay."""
        body = self.read(request, Upgrade)
        row = accounts.guest_upgrade(
            identity=self.identity(request), name=body.name, password=body.password, email=body.email
        )
        return Response(present.account(row))


class MyPassword(Mine):
    """The caller's password."""

    throttle_scope = "login"

    @describe(
        "Change your password",
        body=ChangePassword,
        answers={200: Session},
        signed_in=True,
        problems=("wrong_password", "password_weak", "guests_only_upgrade"),
    )
    def post(self, request: Request) -> Response:
        """Every device is logged out; the answer has new tokens for this one."""
        body = self.read(request, ChangePassword)
        tokens = accounts.password_change(
            identity=self.identity(request), old=body.old, new=body.new, device=body.device
        )
        return Response(session(tokens))


class MyEmail(Mine):
    """The caller's address of mail."""

    throttle_scope = "login"

    @describe(
        "Change your address",
        body=ChangeEmail,
        answers={200: AccountBody},
        signed_in=True,
        problems=("wrong_password", "guests_only_upgrade", "email_invalid"),
    )
    def post(self, request: Request) -> Response:
        """Where a recovery code will be sent; empty for nowhere."""
        body = self.read(request, ChangeEmail)
        row = accounts.email_change(identity=self.identity(request), password=body.password, email=body.email)
        return Response(present.account(row))


class MyEmailConfirm(Mine):
    """Whether the caller reads the mails to that address."""

    throttle_scope = "recovery"

    @describe("Ask for a code to confirm your address", answers={202: None}, signed_in=True)
    def post(self, request: Request) -> Response:
        """Notices are mailed to confirmed addresses alone. Nothing comes where there is nothing to confirm."""
        mailing.confirmation_ask(identity=self.identity(request))
        return Response(None, 202)


class EmailConfirm(Endpoint):
    """The other half, for whoever has the code."""

    throttle_scope = "login"

    @describe("Confirm an address by code", body=ConfirmEmail, answers={204: None}, problems=("code_invalid",))
    def post(self, request: Request) -> Response:
        """The code holds for three days, for the address that it was mailed to."""
        mailing.confirmation_finish(code=self.read(request, ConfirmEmail).code)
        return Response(None, 204)


class MyEnd(Mine):
    """The end of the caller's account."""

    throttle_scope = "login"

    @describe(
        "Close your account", body=CloseAccount, answers={204: None}, signed_in=True, problems=("wrong_password",)
    )
    def post(self, request: Request) -> Response:
        """For good: you leave your matches, and in those that are over another name stands in the place of yours."""
        body = self.read(request, CloseAccount)
        farewell.player_delete(identity=self.identity(request), password=body.password)
        return Response(None, 204)


class Recovery(Endpoint):
    """Forgotten passwords."""

    throttle_scope = "recovery"

    @describe("Ask for a recovery code", body=AskRecovery, answers={202: None})
    def post(self, request: Request) -> Response:
        """A code is mailed to the account's address, if there is such an account and it has one."""
        recovery.recovery_ask(about=self.read(request, AskRecovery).about)
        return Response(None, 202)


class RecoveryFinish(Endpoint):
    """The other half."""

    throttle_scope = "login"

    @describe(
        "Choose another password by code",
        body=FinishRecovery,
        answers={204: None},
        problems=("code_invalid", "password_weak"),
    )
    def post(self, request: Request) -> Response:
        """The code is good once, for an hour. Every device is logged out; log in with the new password."""
        body = self.read(request, FinishRecovery)
        recovery.recovery_finish(code=body.code, password=body.password)
        return Response(None, 204)
