"""A player's calendar, and what the players of a match agree on about its time."""

from __future__ import annotations

from datetime import time
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from matches import selectors
from matches.api.bodies import (
    AnswerOffer,
    Away,
    CalendarBody,
    MakeOffer,
    NightBody,
    Played,
    SetCalendar,
    VacationBody,
)
from matches.api.http import Endpoint
from matches.api.middleware import received_at
from matches.api.play import played
from matches.api.schema import describe, per_game
from matches.services import calendar, play

OF_A_MATCH = ("not_found", "not_seated", "match_not_running", "match_over", "seat_left", "try_again", "match_stuck")


class Offers(Endpoint):
    """Agreeing about a match."""

    @describe(
        "Offer a pause or an end",
        body=MakeOffer,
        answers={200: per_game(Played)},
        signed_in=True,
        problems=(*OF_A_MATCH, "offer_open", "offer_impossible", "newer_format"),
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Ask everybody in to `pause`, to `resume` before a pause is over, or to `abort`: the match ends for nobody."""
        caller = self.caller(request)
        body = self.read(request, MakeOffer)
        answer = play.match_offer(
            match_id=match_id,
            player_id=caller.player_id,
            epoch=caller.epoch,
            kind=body.kind,
            pause_s=body.pause_s,
            open_s=body.open_s,
            received=received_at(request),
        )
        return Response(played(match_id, answer))


class OfferAnswer(Endpoint):
    """Consent, or none."""

    @describe(
        "Answer an offer",
        body=AnswerOffer,
        answers={200: per_game(Played)},
        signed_in=True,
        problems=(*OF_A_MATCH, "no_offer", "newer_format"),
    )
    def post(self, request: Request, match_id: UUID, number: int) -> Response:
        """Agree to the open offer, or end it. When everybody has agreed it comes true at once."""
        caller = self.caller(request)
        answer = play.match_answer(
            match_id=match_id,
            player_id=caller.player_id,
            epoch=caller.epoch,
            number=number,
            agrees=self.read(request, AnswerOffer).agrees,
            received=received_at(request),
        )
        return Response(played(match_id, answer))


class MyCalendar(Endpoint):
    """The caller's nights."""

    @describe("Show your calendar", answers={200: CalendarBody}, signed_in=True)
    def get(self, request: Request) -> Response:
        """Your time zone, your night, your vacations and what is left of them."""
        return Response(_calendar(self.caller(request).player_id))

    @describe(
        "Set your time zone and night",
        body=SetCalendar,
        answers={200: CalendarBody},
        signed_in=True,
        problems=("bad_calendar",),
    )
    def put(self, request: Request) -> Response:
        """In your night your clocks stand, if you have half a day or more for a move. Changes count a day later."""
        player_id = self.caller(request).player_id
        body = self.read(request, SetCalendar)
        night = body.night
        calendar.habits_set(
            player_id=player_id,
            zone=body.zone,
            night=None if night is None else (time.fromisoformat(night.begins), time.fromisoformat(night.ends)),
        )
        return Response(_calendar(player_id))


class MyVacations(Endpoint):
    """Being away."""

    @describe(
        "Announce a vacation",
        body=Away,
        answers={201: CalendarBody},
        signed_in=True,
        problems=("bad_calendar", "vacation_taken", "vacation_spent"),
    )
    def post(self, request: Request) -> Response:
        """Your clocks stand meanwhile, where you have half a day or more for a move; the others can play on."""
        player_id = self.caller(request).player_id
        body = self.read(request, Away)
        calendar.vacation_announce(player_id=player_id, begins=body.begins, ends=body.ends)
        return Response(_calendar(player_id), 201)


class MyVacation(Endpoint):
    """Being back."""

    @describe("End a vacation", answers={200: CalendarBody}, signed_in=True, problems=("not_found",))
    def delete(self, request: Request, vacation_id: int) -> Response:
        """End it now, or call it off before it begins; the days not taken are yours again."""
        player_id = self.caller(request).player_id
        calendar.vacation_end(player_id=player_id, vacation_id=vacation_id)
        return Response(_calendar(player_id))


def _calendar(player_id: int) -> CalendarBody:
    found = selectors.calendar_of(player_id=player_id)
    night = None if found.night is None else NightBody(*(f"{at:%H:%M}" for at in found.night))
    vacations = tuple(VacationBody(*row) for row in found.vacations)
    return CalendarBody(found.zone, night, found.counts_from, vacations, found.year, found.vacation_left_ms)
