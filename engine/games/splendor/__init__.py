"""Splendor, for two to four."""

from engine.games.splendor.rules import Splendor

GAME = Splendor()
