"""Snap (docs/rules/snap.md)."""

from engine.games.snap.rules import Snap

GAME = Snap()
