"""Slamwich (docs/rules/slamwich.md)."""

from engine.games.slamwich.rules import Slamwich

GAME = Slamwich()
