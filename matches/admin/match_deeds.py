"""What can be done to a match, each by a service, with a reason, by who may."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse

from matches import selectors
from matches.admin import opened
from matches.admin.deeds import Deed, actor_of
from matches.admin.match_forms import BotForm, ForgiveForm, SeatForm, TimeForm
from matches.errors import ServiceError
from matches.models import Match, Status
from matches.permits import Permit
from matches.selectors import Inspected
from matches.services import moderation
from matches.timing import now_ms


def inspected(match: Match) -> Inspected | None:
    """The match with its table, read once a row; None where there is none that can be read."""
    known = vars(match)
    if "inspected" not in known:
        try:
            known["inspected"] = selectors.match_inspect(match_id=match.pk)
        except ServiceError:
            known["inspected"] = None
    found: Inspected | None = known["inspected"]
    return found


def _runs(match: Match) -> bool:
    return match.status == Status.RUNNING


def _is_halted(match: Match) -> bool:
    found = inspected(match)
    return found is not None and moderation.is_halted(found.newest)


def _has_strikes(match: Match) -> bool:
    found = inspected(match)
    return _runs(match) and found is not None and any(at.strikes and not at.has_left for at in found.newest.seats)


def _has_clocks(match: Match) -> bool:
    return _runs(match) and match.control.get("type") != "none"


def _about(request: HttpRequest, match: Match, given: dict[str, Any]) -> dict[str, Any]:
    return {"match_id": match.pk, "actor_id": actor_of(request), "reason": given["reason"]}


def _open(request: HttpRequest, match: Match, given: dict[str, Any]) -> str:
    moderation.secrets_open(**_about(request, match, given))
    opened.remember(request, match.pk, now_ms() + 1000 * moderation.SECRETS_S)
    return f"What is hidden lies open to you for {moderation.SECRETS_S // 60} minutes."


def _pause(request: HttpRequest, match: Match, given: dict[str, Any]) -> str:
    moderation.match_halt(**_about(request, match, given))
    return "The match stands; of a race in progress the end is waited for."


def _resume(request: HttpRequest, match: Match, given: dict[str, Any]) -> str:
    moderation.match_resume(**_about(request, match, given))
    return "The match goes on."


def _give_time(request: HttpRequest, match: Match, given: dict[str, Any]) -> str:
    moderation.match_grant(**_about(request, match, given), seat=given["seat"], ms=given["ms"])
    return f"Seat {given['seat']} has {given['ms'] // 1000} seconds more."


def _forgive(request: HttpRequest, match: Match, given: dict[str, Any]) -> str:
    moderation.match_grant(
        **_about(request, match, given), seat=given["seat"], ms=given["ms"], forgives=True, what="timeout_void"
    )
    return f"No strike stands against seat {given['seat']} any more."


def _seat_bot(request: HttpRequest, match: Match, given: dict[str, Any]) -> str:
    moderation.bot_seat(**_about(request, match, given), seat=given["seat"], level=given["level"])
    return f"A bot plays seat {given['seat']}."


def _remove(request: HttpRequest, match: Match, given: dict[str, Any]) -> str:
    moderation.seat_remove(**_about(request, match, given), seat=given["seat"])
    return f"Seat {given['seat']} has left the match."


def _void(request: HttpRequest, match: Match, given: dict[str, Any]) -> str:
    moderation.match_void(**_about(request, match, given))
    return "The match is over, without a result."


def _void_result(request: HttpRequest, match: Match, given: dict[str, Any]) -> str:
    moderation.result_void(**_about(request, match, given))
    return "The match has no result any more."


def _settle(request: HttpRequest, match: Match, given: dict[str, Any]) -> str:
    entries = moderation.match_settle_now(**_about(request, match, given))
    return f"Settled: {entries} new entries." if entries else "Nothing was due."


def _verify(request: HttpRequest, match: Match, given: dict[str, Any]) -> str:
    verdict = selectors.match_verify(match_id=match.pk)
    moderation.match_verified(**_about(request, match, given), fault=verdict.fault)
    if verdict.fault is not None:
        raise ServiceError("match_stuck", f"It does not hold: {verdict.fault}")
    return f"It holds: {verdict.entries} entries played again lead to what is stored."


def _take_out(request: HttpRequest, match: Match, given: dict[str, Any]) -> HttpResponse:
    moderation.match_taken_out(**_about(request, match, given))
    found = selectors.match_inspect(match_id=match.pk)
    if found is None:
        raise ServiceError("match_not_running")
    return download(selectors.running_export(found), f"listik-{match.pk}-running.json")


def download(document: bytes, name: str) -> HttpResponse:
    """JSON as a file."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return HttpResponse(document, content_type="application/json", headers=headers)


MATCH_DEEDS = (
    Deed(
        name="pause",
        title="Pause",
        icon="pause",
        permit=Permit.PAUSE_MATCH,
        run=_pause,
        explains="All clocks stand and nobody can move until you let the match go on. Players see that it stands.",
        fits=lambda match: _runs(match) and not _is_halted(match),
    ),
    Deed(
        name="resume",
        title="Go on",
        icon="play_arrow",
        permit=Permit.PAUSE_MATCH,
        run=_resume,
        explains="The clocks go on with what they had when the match was paused.",
        fits=lambda match: _runs(match) and _is_halted(match),
    ),
    Deed(
        name="give-time",
        title="Give time",
        icon="more_time",
        permit=Permit.GIVE_TIME,
        run=_give_time,
        form=TimeForm,
        explains="Adds to the clock of a seat, which moves its deadline. With a time for each move, only while it is"
        " awaited. An entry of the log, for all to see.",
        fits=_has_clocks,
    ),
    Deed(
        name="void-timeout",
        title="Take a timeout back",
        icon="history",
        permit=Permit.VOID_TIMEOUT,
        run=_forgive,
        form=ForgiveForm,
        explains="Takes the strikes of missed turns back, and gives time if you say how much. The moves that were made"
        " for the seat stay made.",
        fits=_has_strikes,
    ),
    Deed(
        name="seat-bot",
        title="Put a bot on a seat",
        icon="smart_toy",
        permit=Permit.SEAT_BOT,
        run=_seat_bot,
        form=BotForm,
        explains="The bot plays for the player, whose clock stands meanwhile, until they make a move or say that they"
        " are back. An entry of the log, for all to see; in ratings it counts as if the player had left.",
        fits=_runs,
    ),
    Deed(
        name="remove-player",
        title="Remove a player",
        icon="person_remove",
        permit=Permit.REMOVE_PLAYER,
        run=_remove,
        form=SeatForm,
        explains="The seat leaves by the game's own rule. With two seats the other one wins. It can't come back.",
        fits=_runs,
        is_grave=True,
    ),
    Deed(
        name="void",
        title="End without a result",
        icon="block",
        permit=Permit.VOID_MATCH,
        run=_void,
        explains="The match is over for everybody, nobody has won, nothing is rated. The seed becomes known.",
        fits=_runs,
        is_grave=True,
    ),
    Deed(
        name="void-result",
        title="Take the result back",
        icon="block",
        permit=Permit.VOID_MATCH,
        run=_void_result,
        explains="For a match that ended as it shouldn't have, by a timeout for instance. It has no result any more"
        " and counts for nobody; its log stays as it is and gets one more entry.",
        fits=lambda match: match.status == Status.FINISHED,
        is_grave=True,
    ),
    Deed(
        name="settle",
        title="Settle now",
        icon="fast_forward",
        permit=Permit.SETTLE_MATCH,
        run=_settle,
        explains="Fires what is due, also where that has failed before.",
        fits=_runs,
    ),
    Deed(
        name="verify",
        title="Verify",
        icon="verified",
        permit=Permit.VERIFY_MATCH,
        run=_verify,
        explains="Plays the whole log again and compares what comes out with what is stored.",
        fits=lambda match: match.started_at is not None,
        for_several=True,
    ),
    Deed(
        name="see-secrets",
        title="See what is hidden",
        icon="visibility",
        permit=Permit.SEE_SECRETS,
        run=_open,
        explains="Hidden cards, every seat's own view, answers that lie sealed, and the seed, for a quarter of an"
        " hour. That you looked, and why, is written down.",
        fits=_runs,
    ),
    Deed(
        name="take-out",
        title="Download with secrets",
        icon="download",
        permit=Permit.SEE_SECRETS,
        run=_take_out,
        explains="The log and the table of a match that runs, with its seed. That you took it, and why, is written"
        " down.",
        fits=_runs,
    ),
)
