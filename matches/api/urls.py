"""Addresses of the interface, below /api/v1/."""

from __future__ import annotations

from django.urls import path

from matches.api import games, matches, play, players

urlpatterns = [
    path("games", games.Games.as_view(), name="games"),
    path("games/<slug:key>", games.Game.as_view(), name="game"),
    path("players", players.Players.as_view(), name="players"),
    path("tokens", players.Tokens.as_view(), name="tokens"),
    path("tokens/refresh", players.TokensRefresh.as_view(), name="tokens-refresh"),
    path("tokens/revoke", players.TokensRevoke.as_view(), name="tokens-revoke"),
    path("tokens/revoke-all", players.TokensRevokeAll.as_view(), name="tokens-revoke-all"),
    path("me", players.Me.as_view(), name="me"),
    path("me/matches", matches.MyMatches.as_view(), name="my-matches"),
    path("matches", matches.Matches.as_view(), name="matches"),
    path("matches/<uuid:match_id>", matches.MatchDetail.as_view(), name="match"),
    path("matches/<uuid:match_id>/join", matches.Join.as_view(), name="match-join"),
    path("matches/<uuid:match_id>/leave", matches.Leave.as_view(), name="match-leave"),
    path("matches/<uuid:match_id>/start", matches.Start.as_view(), name="match-start"),
    path("matches/<uuid:match_id>/cancel", matches.Cancel.as_view(), name="match-cancel"),
    path("matches/<uuid:match_id>/view", play.View.as_view(), name="match-view"),
    path("matches/<uuid:match_id>/legal-moves", play.Legal.as_view(), name="match-legal-moves"),
    path("matches/<uuid:match_id>/moves", play.Moves.as_view(), name="match-moves"),
    path("matches/<uuid:match_id>/resign", play.Resign.as_view(), name="match-resign"),
    path("matches/<uuid:match_id>/log", play.Log.as_view(), name="match-log"),
    path("matches/<uuid:match_id>/history/<int:number>", play.History.as_view(), name="match-history"),
    path("matches/<uuid:match_id>/export", play.Export.as_view(), name="match-export"),
]
