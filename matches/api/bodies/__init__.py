"""What travels in requests and responses, by topic. The OpenAPI schema is made from these types."""

from matches.api.bodies.accounts import LogIn, Name, Password, PlayerBody, RefreshToken, Register, Session
from matches.api.bodies.common import Body, E, M, Millis, V
from matches.api.bodies.games import GameBody, GameDetail
from matches.api.bodies.lobby import (
    LONGEST_DELAY_S,
    THREE_DAYS_S,
    CreateMatch,
    JoinMatch,
    MatchBody,
    MatchPage,
    MatchStatus,
    SeatBody,
    Visibility,
)
from matches.api.bodies.play import LegalMoves, LogPage, MatchView, MoveRequest, Played, SubmitMove
from matches.api.bodies.problems import FieldError, Problem

__all__ = [
    "LONGEST_DELAY_S",
    "THREE_DAYS_S",
    "Body",
    "CreateMatch",
    "E",
    "FieldError",
    "GameBody",
    "GameDetail",
    "JoinMatch",
    "LegalMoves",
    "LogIn",
    "LogPage",
    "M",
    "MatchBody",
    "MatchPage",
    "MatchStatus",
    "MatchView",
    "Millis",
    "MoveRequest",
    "Name",
    "Password",
    "Played",
    "PlayerBody",
    "Problem",
    "RefreshToken",
    "Register",
    "SeatBody",
    "Session",
    "SubmitMove",
    "V",
    "Visibility",
]
