"""Addresses of the interface, below /api/v1/."""

from __future__ import annotations

from django.urls import path

from matches.api import conduct, games, invitations, matches, me, pairing, play, players

urlpatterns = [
    path("games", games.Games.as_view(), name="games"),
    path("games/<slug:key>", games.Game.as_view(), name="game"),
    path("paces", matches.Paces.as_view(), name="paces"),
    path("players", players.Players.as_view(), name="players"),
    path("names/<str:name>", players.PlayerNamed.as_view(), name="player-named"),
    path("players/<int:player_id>", players.Player.as_view(), name="player"),
    path("guests", players.Guests.as_view(), name="guests"),
    path("tokens", players.Tokens.as_view(), name="tokens"),
    path("tokens/refresh", players.TokensRefresh.as_view(), name="tokens-refresh"),
    path("tokens/revoke", players.TokensRevoke.as_view(), name="tokens-revoke"),
    path("tokens/revoke-all", players.TokensRevokeAll.as_view(), name="tokens-revoke-all"),
    path("recovery", me.Recovery.as_view(), name="recovery"),
    path("recovery/finish", me.RecoveryFinish.as_view(), name="recovery-finish"),
    path("me", me.Me.as_view(), name="me"),
    path("me/counts", me.MyCounts.as_view(), name="my-counts"),
    path("me/data", me.MyData.as_view(), name="my-data"),
    path("me/upgrade", me.MyUpgrade.as_view(), name="my-upgrade"),
    path("me/password", me.MyPassword.as_view(), name="my-password"),
    path("me/email", me.MyEmail.as_view(), name="my-email"),
    path("me/close", me.MyEnd.as_view(), name="my-end"),
    path("me/invitations", invitations.MyInvitations.as_view(), name="my-invitations"),
    path("me/blocks", conduct.Blocks.as_view(), name="my-blocks"),
    path("me/blocks/<int:player_id>", conduct.OneBlock.as_view(), name="my-block"),
    path("reports", conduct.Reports.as_view(), name="reports"),
    path("pairing", pairing.Queue.as_view(), name="pairing"),
    path("me/matches", matches.MyMatches.as_view(), name="my-matches"),
    path("matches", matches.Matches.as_view(), name="matches"),
    path("matches/<uuid:match_id>", matches.MatchDetail.as_view(), name="match"),
    path("matches/<uuid:match_id>/join", matches.Join.as_view(), name="match-join"),
    path("matches/<uuid:match_id>/leave", matches.Leave.as_view(), name="match-leave"),
    path("matches/<uuid:match_id>/start", matches.Start.as_view(), name="match-start"),
    path("matches/<uuid:match_id>/cancel", matches.Cancel.as_view(), name="match-cancel"),
    path("matches/<uuid:match_id>/invitations", invitations.Invitations.as_view(), name="match-invitations"),
    path(
        "matches/<uuid:match_id>/invitations/<int:player_id>",
        invitations.Invitation.as_view(),
        name="match-invitation",
    ),
    path("matches/<uuid:match_id>/decline", invitations.Decline.as_view(), name="match-decline"),
    path("matches/<uuid:match_id>/kick", invitations.SendAway.as_view(), name="match-kick"),
    path("matches/<uuid:match_id>/salt", invitations.SeatSalt.as_view(), name="match-salt"),
    path("matches/<uuid:match_id>/rematch", invitations.Rematch.as_view(), name="match-rematch"),
    path("matches/<uuid:match_id>/view", play.View.as_view(), name="match-view"),
    path("matches/<uuid:match_id>/legal-moves", play.Legal.as_view(), name="match-legal-moves"),
    path("matches/<uuid:match_id>/moves", play.Moves.as_view(), name="match-moves"),
    path("matches/<uuid:match_id>/resign", play.Resign.as_view(), name="match-resign"),
    path("matches/<uuid:match_id>/log", play.Log.as_view(), name="match-log"),
    path("matches/<uuid:match_id>/history/<int:number>", play.History.as_view(), name="match-history"),
    path("matches/<uuid:match_id>/export", play.Export.as_view(), name="match-export"),
]
